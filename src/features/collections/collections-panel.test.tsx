import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginSession } from '#lib/test-session.ts'
import { CollectionsButton } from './collections-panel.tsx'

let endSession = () => {}
beforeEach(() => {
  endSession = beginSession()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () =>
    Response.json([{ id: '1', name: 'Leads', contacts: 3 }]),
  )
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  endSession()
})

const drawer = () => screen.queryByRole('dialog', { name: 'Collections' })
const pressEscape = (from: Element) => fireEvent.keyDown(from, { key: 'Escape' })

async function open() {
  const element = <CollectionsButton chosen={null} onChoose={() => {}} />
  // Typed text asks before it is left, which takes a router.
  const router = createMemoryRouter([{ path: '*', element }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Collections' }))
  await screen.findByRole('dialog', { name: 'Collections' })
}

test('Escape closes the collections, wherever the focus is', async () => {
  await open()
  pressEscape(screen.getByRole('button', { name: 'Create new collection' }))
  expect(drawer()).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Collections' }))
  expect(drawer()).not.toBeNull()
  // A press on an empty place of the drawer leaves the focus to the page.
  pressEscape(document.body)
  expect(drawer()).toBeNull()
})

test('Escape in a menu or a dialog over them is meant for that', async () => {
  await open()
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Leads' }))
  pressEscape(await screen.findByRole('menuitem', { name: 'Rename' }))
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(drawer()).not.toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Create new collection' }))
  pressEscape(await screen.findByRole('textbox'))
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
  expect(drawer()).not.toBeNull()
})
