import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginSession } from '#lib/test-session.ts'
import { FormsPage } from './forms-page.tsx'
import { whyNotOffered } from './is-offered.ts'
import { LeadsPanel } from './leads-panel.tsx'

let endSession = () => {}
beforeEach(() => {
  endSession = beginSession()
})
afterEach(() => {
  cleanup()
  endSession()
})

function show(part: ReactNode) {
  render(
    <MantineProvider env="test">
      <RouterProvider router={createMemoryRouter([{ path: '/', element: part }])} />
    </MantineProvider>,
  )
}

test('where a hosted project holds the data there are no forms and no feed of cards, and both screens say why', () => {
  const settings = document.getElementById('settings')
  if (!settings) throw new Error('The page has no settings.')
  const supabaseUrl = 'https://example.supabase.co'
  settings.textContent = JSON.stringify({ supabaseUrl, supabaseKey: 'public' })
  show(<LeadsPanel />)
  expect(screen.getAllByText(whyNotOffered)).toHaveLength(2)
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
  cleanup()
  show(<FormsPage />)
  expect(screen.getByText(whyNotOffered)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'New form' })).toBeNull()
})

test('elsewhere both are offered', () => {
  show(<LeadsPanel />)
  expect(screen.getByRole('link', { name: 'Manage forms' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Show address' })).toBeTruthy()
})
