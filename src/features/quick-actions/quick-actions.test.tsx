import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useOpenForm } from '#features/forms/index.ts'
import { resetStores } from '#lib/store.ts'
import { beginSession } from '#lib/test-session.ts'
import type { QuickActionsDrawerProps } from './quick-actions-drawer.tsx'
import { QuickActionsDrawer } from './quick-actions-drawer.tsx'
import { QuickActionsHost } from './quick-actions-host.tsx'
import { closeQuickActions, openQuickActions, openSearch } from './quick-actions-switch.ts'

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

test('in a search digits are text; as Quick Actions they are the keys of the cards', () => {
  const router = createMemoryRouter([{ path: '*', element: <Screen /> }])
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <RouterProvider router={router} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  for (const on of ['combobox', 'button'] as const) {
    expect(pressDigit(openSearch, on)).toEqual({ isText: true, form: '' })
    act(closeQuickActions)
  }
  expect(pressDigit(openQuickActions, 'combobox')).toEqual({ isText: false, form: 'deal' })
})
