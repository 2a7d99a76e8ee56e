import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
// Loaded by what is typed: here already, because a file that is asked for when the test is over fails the run.
import '#domain/quick-add.ts'
import { useOpenForm } from '#features/forms/index.ts'
import { resetStores } from '#lib/store.ts'
import { beginSession } from '#lib/test-session.ts'
import type { QuickActionsDrawerProps } from './quick-actions-drawer.tsx'
import { QuickActionsDrawer } from './quick-actions-drawer.tsx'
import { QuickActionsHost } from './quick-actions-host.tsx'
import { openQuickActions, openSearch } from './quick-actions-switch.ts'

let endSession = () => {}
beforeEach(() => {
  endSession = beginSession()
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => {}))
})
afterEach(() => {
  cleanup()
  act(resetStores)
  vi.restoreAllMocks()
  endSession()
})

function Drawer(props: Omit<QuickActionsDrawerProps, 'commands'>) {
  return <QuickActionsDrawer {...props} commands={[]} />
}

function Screen() {
  return (
    <>
      <QuickActionsHost drawer={Drawer} />
      <output>{useOpenForm().request?.form}</output>
    </>
  )
}

/** Where it was opened with, and what a digit does then: whether it is left to the field, and the form that opens. */
function pressDigit(open: () => void, on: 'combobox' | 'button') {
  act(open)
  const name = on === 'combobox' ? 'Search' : /^View Reports/
  const isText = fireEvent.keyDown(screen.getByRole(on, { name }), { key: '4' })
  return { isText, form: document.querySelector('output')?.textContent }
}

test('digits are the keys of the cards while the field is empty, however it was opened, and then text', () => {
  const router = createMemoryRouter([{ path: '*', element: <Screen /> }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  for (const open of [openSearch, openQuickActions]) {
    for (const on of ['combobox', 'button'] as const) {
      expect(pressDigit(open, on)).toEqual({ isText: false, form: 'deal' })
      act(resetStores)
    }
    act(open)
    fireEvent.change(screen.getByRole('combobox', { name: 'Search' }), { target: { value: '#' } })
    expect(pressDigit(open, 'combobox')).toEqual({ isText: true, form: '' })
    act(resetStores)
  }
})
