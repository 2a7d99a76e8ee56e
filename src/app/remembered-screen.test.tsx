import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider, useLocation } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import { usualHabits } from '#domain/habits.ts'
import type { Screens } from '#domain/remembered-screens.ts'
import { preferencesKey } from '#features/preferences/index.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { RememberedScreen, useScreenPath } from './remembered-screen.tsx'

const outside = vi.hoisted(() => ({ written: [] as object[], fails: false }))

vi.mock('#features/auth/index.ts', () => ({ useAuth: () => ({ user: { id: 'ada' } }) }))
vi.mock('#lib/supabase.ts', () => ({
  callFunction: async (_name: string, written: object) => {
    outside.written.push(written)
    if (outside.fails) throw new Error('No connection')
  },
}))

/** Every address that the list was rendered with. */
let shown: string[]

function List() {
  const { pathname, search } = useLocation()
  shown.push(pathname + search)
  return <output>{pathname + search}</output>
}

function Frame() {
  const pathOf = useScreenPath()
  return (
    <>
      <nav>{['contacts', 'deals', 'reports'].map(pathOf).join(' ')}</nav>
      <Outlet />
    </>
  )
}

const list = (path: 'contacts' | 'deals') => ({
  path: `/app/${path}`,
  element: (
    <RememberedScreen key={path} screen={path}>
      <List />
    </RememberedScreen>
  ),
})

function open(address: string, screens: Screens = {}) {
  shown = []
  const queryClient = createQueryClient({
    onSaved: vi.fn(),
    onFailed: vi.fn(),
    onSessionGone: vi.fn(),
  })
  queryClient.setQueryData(preferencesKey, { ...usualHabits, screens })
  const router = createMemoryRouter(
    [
      {
        element: <Frame />,
        children: [list('contacts'), list('deals'), { path: '*', element: <List /> }],
      },
    ],
    { initialEntries: [address] },
  )
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return async (to: string | -1) => {
    await act(async () => void (await (to === -1 ? router.navigate(to) : router.navigate(to))))
  }
}

const address = (at: string) => screen.findByText(at, { selector: 'output' })
const links = () => screen.getByRole('navigation').textContent
const byName = { contacts: { query: 'sort=name', widths: {} } }

beforeEach(() => {
  outside.written = []
  outside.fails = false
})

test('a list opens as it was last seen, without rendering another view first', async () => {
  open('/app/contacts', byName)
  await address('/app/contacts?sort=name')
  expect(shown).not.toContain('/app/contacts')
  expect(links()).toBe('/app/contacts?sort=name /app/deals /app/reports')
})

test('an address with a query of its own wins, and changes only board or list for the next time', async () => {
  const go = open('/app/contacts?status=New', byName)
  await address('/app/contacts?status=New')
  expect(links()).toContain('/app/contacts?sort=name ')
  await go('/app/deals?view=board&stage=1')
  await address('/app/deals?view=board&stage=1')
  await waitFor(() => expect(links()).toContain('/app/deals?view=board '))
})

test('what is chosen is remembered at once here, and written; the search is not', async () => {
  const go = open('/app/contacts')
  await go('/app/contacts?sort=email')
  await go('/app/contacts?sort=email&status=New&q=ada')
  await waitFor(() => expect(links()).toContain('/app/contacts?sort=email&status=New '))
  await waitFor(() =>
    expect(outside.written.at(-1)).toEqual({
      account: 'ada',
      screen: 'contacts',
      query: 'sort=email&status=New',
    }),
  )
  await go('/app/reports')
  await go('/app/contacts')
  await address('/app/contacts?sort=email&status=New')
})

test('who leaves at once loses nothing; the default is remembered, too', async () => {
  const go = open('/app/contacts?sort=name', byName)
  await go('/app/contacts')
  await address('/app/contacts')
  await go('/app/deals')
  await waitFor(() =>
    expect(outside.written).toEqual([{ account: 'ada', screen: 'contacts', query: '' }]),
  )
  await go('/app/contacts')
  await address('/app/contacts')
})

test('Back shows what was there', async () => {
  const go = open('/app/contacts')
  await address('/app/contacts')
  await go('/app/contacts?sort=email')
  await go('/app/reports')
  await go(-1)
  await address('/app/contacts?sort=email')
  await go(-1)
  await address('/app/contacts')
})

test('a write that fails changes nothing on the screen', async () => {
  outside.fails = true
  const go = open('/app/contacts')
  await go('/app/contacts?sort=email')
  await waitFor(() => expect(outside.written).toHaveLength(1))
  expect(links()).toContain('/app/contacts?sort=email ')
  cleanup()
})
