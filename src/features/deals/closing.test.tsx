import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  act,
  cleanup,
  fireEvent,
  render,
  renderHook,
  screen,
  waitFor,
} from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Pipeline } from '#features/pipelines/index.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import type { Toast } from '#ui/toast.tsx'
import { useMoveDeal } from './board/queries.ts'
import { chosenDeal } from './chosen-deal.ts'
import { useCloseDeals } from './closing/queries.ts'
import type { Deal, StoredDeal } from './deal-rows.ts'
import { DealSelectionBar } from './deal-selection-bar.tsx'
import { dealUrlSchema, dealView } from './deal-view.ts'
import { dealWrites, useCreateDeal, useUpdateDeal } from './queries.ts'

const celebrateWin = vi.hoisted(() => vi.fn())
vi.mock('./on-won.ts', () => ({ celebrateWin }))
const showToast = vi.hoisted(() => vi.fn<(toast: Toast) => void>())
vi.mock('#ui/toast.tsx', () => ({ showToast, showError: vi.fn() }))
vi.mock('#features/auth/index.ts', () => ({ useAuth: () => ({ user: { id: 'ada' } }) }))

let endSession = () => {}
const sent: { path: string; body: unknown }[] = []
let answers: Record<string, unknown>

beforeEach(() => {
  vi.clearAllMocks()
  sent.length = 0
  endSession = beginSession()
  answers = { update_deals: { count: 2, batch: 'b' }, deal_page: { rows: [], next: null } }
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const path = String(input instanceof Request ? input.url : input)
      .split('?')[0]
      ?.split('/')
      .pop()
    sent.push({ path: path ?? '', body: JSON.parse(String(init?.body ?? 'null')) })
    return Response.json(answers[path ?? ''] ?? null)
  })
})
afterEach(() => {
  cleanup()
  endSession()
  vi.restoreAllMocks()
})

function wrapper({ children }: { children: ReactNode }) {
  const client = createQueryClient({ onSaved: vi.fn(), onFailed: vi.fn(), onSessionGone: vi.fn() })
  client.setQueryData(['preferences'], { time_zone: 'UTC', lost_reasons: ['Price'] })
  return (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <MemoryRouter>{children}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>
  )
}

const pipeline = (name: string) =>
  ({
    id: name,
    name,
    stages: [
      { id: `${name}-won`, name: `${name} won`, outcome: 'won' },
      { id: `${name}-lost`, name: `${name} lost`, outcome: 'lost' },
    ],
  }) as unknown as Pipeline

async function setStage(name: string) {
  const filter = { ids: ['1', '2'] }
  render(
    <DealSelectionBar
      chosen={{ filter, count: 2, matches: () => true }}
      view={dealView(dealUrlSchema.parse({}))}
      columns={['stage']}
      pipelines={[pipeline('Sales'), pipeline('Partners')]}
      matching={null}
      isEverything={false}
      onSelectAll={() => {}}
      onClear={() => {}}
      onRemove={() => {}}
    />,
    { wrapper },
  )
  fireEvent.click(screen.getByRole('button', { name: 'Set stage' }))
  fireEvent.click(await screen.findByRole('menuitem', { name }))
}

const bodiesOf = (name: string) => sent.filter(({ path }) => path === name).map(({ body }) => body)
const written = () => bodiesOf('update_deals')

test('several deals are lost in a stage of any pipeline with a reason, which is asked for first', async () => {
  await setStage('Partners lost')
  const dialog = await screen.findByRole('dialog', { name: 'Mark 2 deals as lost' })
  expect(written()).toEqual([])
  fireEvent.change(await screen.findByLabelText('Reason'), { target: { value: 'Price' } })
  const form = dialog.querySelector('form')
  if (!form) throw new Error('The question is no form.')
  fireEvent.submit(form)
  const changes = { stage_id: 'Partners-lost', lost_reason: 'Price' }
  await waitFor(() => expect(written()).toEqual([{ filter: { ids: ['1', '2'] }, changes }]))
  expect(celebrateWin).not.toHaveBeenCalled()
})

test('a win is celebrated when several get a stage that wins', async () => {
  await setStage('Partners won')
  await waitFor(() => expect(celebrateWin).toHaveBeenCalledOnce())
  expect(written()).toEqual([
    { filter: { ids: ['1', '2'] }, changes: { stage_id: 'Partners-won' } },
  ])
})

test('a win is celebrated when a form says so, once', async () => {
  const stored = { id: 'd', updated_at: '2026-11-15T00:00:00Z' } as StoredDeal
  vi.spyOn(dealWrites, 'create').mockResolvedValue(stored)
  vi.spyOn(dealWrites, 'update').mockResolvedValue(stored)
  const { result } = renderHook(() => ({ create: useCreateDeal(), update: useUpdateDeal() }), {
    wrapper,
  })
  const won = { stage_name: 'Closed Won', outcome: 'won', company_name: null, contact: null }
  const seen = { id: 'd', outcome: 'open', updated_at: '2026-11-15T00:00:00Z', custom: {} } as Deal
  const names = won as Parameters<typeof result.current.create>[0]['names']
  const values = { name: 'Order' } as Parameters<typeof result.current.create>[0]['values']
  await result.current.create({ id: 'd', values, names })
  expect(celebrateWin).toHaveBeenCalledTimes(1)
  await result.current.update({ seen, values, names })
  expect(celebrateWin).toHaveBeenCalledTimes(2)
  // Nothing was won now.
  await result.current.update({ seen: { ...seen, outcome: 'won' }, values, names })
  await result.current.update({ seen, values, names: {} })
  expect(celebrateWin).toHaveBeenCalledTimes(2)
})

const order = { id: 'd', name: 'Order', stage_id: 's', pipeline_id: 'p' } as Deal
const none = { closed_at: null, stage_since: null, lost_reason: null, expected_close_date: null }
const row = {
  ...{ ...order, ...none, value: 1, currency: null, rate: null, company_id: null, order: 0 },
  ...{ contact_id: null, custom: {}, tags: [], created_at: '', updated_at: '' },
}

async function close(outcome: 'won' | 'lost', openTasks: unknown) {
  Object.assign(answers, { write_once: { batch: 'closed', row }, task_count: openTasks })
  const { result } = renderHook(() => useCloseDeals(outcome), { wrapper })
  await act(() => result.current(chosenDeal(order)))
  return showToast.mock.lastCall?.[0]
}

test('a closed deal offers to complete its open tasks, and Undo then takes back both', async () => {
  answers.update_tasks = { count: 3, batch: 'completed' }
  answers.undo_batch = { batch: 'undo', undone: 1, conflicts: [] }
  const closed = await close('lost', 3)
  expect(closed?.message).toBe('1 deal marked as lost')
  expect(closed?.also?.label).toBe('Complete 3 open tasks')
  closed?.also?.onClick()
  await waitFor(() => expect(showToast).toHaveBeenCalledTimes(2))
  const filter = { deal: 'd', status: 'pending' }
  expect(bodiesOf('update_tasks')).toEqual([{ filter, changes: { completed: true } }])
  const both = showToast.mock.lastCall?.[0]
  expect(both?.message).toBe('1 deal marked as lost, 3 tasks completed')
  both?.action?.onClick()
  await waitFor(() =>
    expect(bodiesOf('undo_batch')).toMatchObject([
      { batch: 'completed', conflicts: 'refuse' },
      { batch: 'closed', conflicts: 'refuse' },
    ]),
  )
})

test('the form and a drop on a column that closes offer it, too, in the place of their own toast', async () => {
  const stored = { ...row, id: 'd', updated_at: '2026-11-15T00:00:00Z' } as unknown as StoredDeal
  vi.spyOn(dealWrites, 'update').mockResolvedValue(stored)
  Object.assign(answers, { write_once: { batch: 'moved', row: stored }, task_count: 1 })
  const { result } = renderHook(() => ({ update: useUpdateDeal(), move: useMoveDeal() }), {
    wrapper,
  })
  const lost = { stage_name: 'Closed Lost', outcome: 'lost', company_name: null, contact: null }
  const seen = { ...order, outcome: 'open', custom: {} } as Deal
  const names = lost as Parameters<typeof result.current.update>[0]['names']
  await act(async () => void (await result.current.update({ seen, values: {}, names })))
  const offer = { also: { label: 'Complete 1 open task' }, action: { label: 'Undo' } }
  const updated = { message: 'Deal updated successfully', ...offer }
  await waitFor(() => expect(showToast.mock.lastCall?.[0]).toMatchObject(updated))
  const column = { stage_id: 'w', stage_name: 'Closed Won', outcome: 'won' } as const
  await act(() => result.current.move({ deal: seen, column, above: null, below: null }))
  const moved = { message: 'Moved to Closed Won', kind: 'deal moved', ...offer }
  await waitFor(() => expect(showToast.mock.lastCall?.[0]).toMatchObject(moved))
})

test.each([
  ['no open task', 0],
  ['tasks that cannot be counted', null],
])('a closed deal with %s has only Undo', async (_, count) => {
  const closed = await close('won', count)
  expect(closed?.action?.label).toBe('Undo')
  expect(closed?.also).toBeUndefined()
})
