import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteAnswer } from '#lib/network.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import { prepareWaiting, waitingQueue } from '#lib/waiting-writes.ts'
import { chosenDeal } from './chosen-deal.ts'
import { useCloseDeals } from './closing/queries.ts'
import type { Deal } from './queries.ts'
import { useMoveToStage } from './record/queries.ts'

// What the writes look at; the rest of a deal is nothing to them.
const deal = { id: 'd', name: 'Order', stage_id: 's1', pipeline_id: 'p' } as Deal

let endSession = () => {}
let close = () => {}
beforeEach(() => {
  endSession = beginSession()
  close = prepareWaiting('u', async () => {})
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  noteAnswer(false)
})
afterEach(() => {
  close()
  noteAnswer(true)
  endSession()
  vi.restoreAllMocks()
})

test('without a network a deal is moved, won and lost, and each move waits', async () => {
  const client = createQueryClient({
    onSaved: vi.fn(),
    onFailed: vi.fn(),
    onSessionGone: vi.fn(),
  })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(
    () => ({ move: useMoveToStage(), win: useCloseDeals('won'), lose: useCloseDeals('lost') }),
    { wrapper },
  )
  await act(async () => {
    const stage = { id: 's2', name: 'Proposal', outcome: 'open' } as const
    await result.current.move({ seen: deal, stage })
    await result.current.win(chosenDeal(deal))
    await result.current.lose({ ...chosenDeal(deal), reason: 'Price' })
  })
  const seen = { stage_id: 's1' }
  expect(waitingQueue()?.all()).toMatchObject([
    { args: { id: 'd', stage_id: 's2' }, seen, title: 'Order: moved to Proposal' },
    { args: { id: 'd', outcome: 'won', stage_id: null }, seen, title: 'Order: marked as won' },
    { args: { id: 'd', outcome: 'lost', lost_reason: 'Price' }, title: 'Order: marked as lost' },
  ])
})
