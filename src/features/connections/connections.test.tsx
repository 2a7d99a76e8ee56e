import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { resetStores } from '#lib/store.ts'
import { beginSession } from '#lib/test-session.ts'
import { ConfirmHost } from '#ui/confirm.tsx'
import { Proposals } from './proposals.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { WebhooksPanel } from './webhooks/webhooks-panel.tsx'

// The journey of a person: e2e/connections.spec.ts.

let endSession = () => {}
let called: { path: string; body: unknown }[]
let waiting: object[]
let whole: object | null

beforeEach(() => {
  endSession = beginSession()
  called = []
  waiting = []
  whole = null
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input), location.href)
    const path = pathname.split('/').at(-1) ?? ''
    called.push({ path, body: init?.body ? JSON.parse(String(init.body)) : null })
    if (path === 'proposals') return Response.json(waiting)
    if (path === 'proposal') return Response.json(whole)
    if (path === 'create_access_token') return Response.json({ id: 'one', token: 'solo_1' })
    return Response.json([])
  })
})
afterEach(() => {
  cleanup()
  act(() => resetStores())
  vi.restoreAllMocks()
  endSession()
})

function show(screenOf: ReactNode) {
  const client = createQueryClient({
    ...{ onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() },
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={createMemoryRouter([{ path: '/', element: screenOf }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const callsOf = (path: string) => called.filter((each) => each.path === path)

test.each([
  ['Approve all', true],
  ['Decline all', false],
])(
  '%s decides on all that wait, the oldest first, and declines none unasked',
  async (name, approve) => {
    const at = '2026-11-18T10:00:00Z'
    const card = { batch: 'b', at, undoes: null, action: null, about: null, groups: [] }
    waiting = ['one', 'two'].map((id) => ({
      ...{
        id,
        by: 'Claude',
        at,
        expires_at: '2026-12-02T10:00:00Z',
        card,
        changes: [],
        is_cut: false,
      },
    }))
    show(
      <>
        <Proposals />
        <ConfirmHost />
      </>,
    )
    await screen.findByRole('region', { name: 'Proposals' })
    press(name)
    if (!approve) {
      const question = await screen.findByRole('dialog', { name: 'Decline 2 proposals?' })
      expect(callsOf('decide_proposals')).toEqual([])
      fireEvent.click(within(question).getByRole('button', { name: 'Decline all' }))
    }
    await waitFor(() => expect(callsOf('decide_proposals')).toHaveLength(1))
    expect(callsOf('decide_proposals')[0]?.body).toEqual({ ids: ['two', 'one'], approve })
  },
)

test('shows the values of a long proposal, and of each record by itself', async () => {
  const at = '2026-11-18T10:00:00Z'
  const card = { batch: 'b', at, undoes: null, action: null, about: null, groups: [] }
  const long = { id: 'one', by: 'Claude', at, expires_at: at, card, changes: [], is_cut: true }
  waiting = [long]
  // Two records with the same value, as two lines.
  whole = {
    ...long,
    is_cut: false,
    changes: ['Ada', 'Bob'].map((label) => ({
      ...{ table_name: 'contacts', row_id: label, verb: 'update', label, undoes: null },
      ...{ contact_id: label, company_id: null, deal_id: null, names: null },
      ...{ before: { role_title: 'CEO' }, after: { role_title: 'CTO' } },
    })),
  }
  show(<Proposals />)
  expect(await screen.findAllByText('CTO')).toHaveLength(2)
  expect(screen.getByText('Bob')).toBeTruthy()
  expect(callsOf('proposal')).toMatchObject([{ body: { id: 'one' } }])
})

test('a token ends with its last day, and not in the past', async () => {
  show(<TokenDialog onClose={() => {}} />)
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label, { exact: false }), { target: { value } })
  type('Name', 'Claude')
  type('Expires on', '2020-01-01')
  press('Create token')
  expect(await screen.findByText('Choose a later day.')).toBeTruthy()
  type('Expires on', '2099-12-31')
  press('Create token')
  await screen.findByRole('dialog', { name: 'Your new token' })
  expect(callsOf('create_access_token')).toMatchObject([
    { body: { scope: 'propose', expires_at: expect.stringMatching(/^(2099-12-31|2100-01-01)T/) } },
  ])
})

test('where a hosted project holds the data there are no webhooks, and the screen says why', () => {
  const settings = document.getElementById('settings')
  if (!settings) throw new Error('The page has no settings.')
  const supabaseUrl = 'https://example.supabase.co'
  settings.textContent = JSON.stringify({ supabaseUrl, supabaseKey: 'public' })
  show(<WebhooksPanel />)
  expect(screen.getByText(/^Not available with a Supabase project/)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
