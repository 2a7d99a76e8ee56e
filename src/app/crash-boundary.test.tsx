import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CrashBoundary } from './crash-boundary.tsx'

beforeEach(() => {
  // React reports every caught error on the console too.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function Broken(): never {
  throw new Error('The settings in this page are incomplete: supabaseKey.')
}

test('a crash leaves a message and a way on', () => {
  document.title = 'Contacts · Solo CRM'
  render(
    <MantineProvider>
      <CrashBoundary>
        <Broken />
      </CrashBoundary>
    </MantineProvider>,
  )
  expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeTruthy()
  expect(screen.getByText('The settings in this page are incomplete: supabaseKey.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy()
  expect(document.title).toBe('Something went wrong · Solo CRM')
})

test('without a crash it shows its children', () => {
  render(
    <MantineProvider>
      <CrashBoundary>all well</CrashBoundary>
    </MantineProvider>,
  )
  expect(screen.getByText('all well')).toBeTruthy()
})
