import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Pipeline } from '#features/pipelines/index.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import type { Deal, StoredDeal } from './deal-rows.ts'
import { DealSelectionBar } from './deal-selection-bar.tsx'
import { dealUrlSchema, dealView } from './deal-view.ts'
import { dealWrites, useCreateDeal, useUpdateDeal } from './queries.ts'

const celebrateWin = vi.hoisted(() => vi.fn())
vi.mock('./on-won.ts', () => ({ celebrateWin }))
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

const written = () => sent.filter(({ path }) => path === 'update_deals').map(({ body }) => body)

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
