import { act, renderHook } from '@testing-library/react'
import type { KeyboardEvent } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Deal } from '../queries.ts'
import type { BoardColumn } from './board-columns.ts'
import { useBoardDrag } from './use-board-drag.ts'

const move = vi.hoisted(() => vi.fn(async () => {}))
vi.mock('./queries.ts', () => ({ useMoveDeal: () => move }))
beforeEach(() => {
  vi.clearAllMocks()
})

// All that a drag reads of a deal.
const open = { id: 'd', name: 'Website', stage_id: 'lead', outcome: 'open' } as Deal
const won = { id: 'w', name: 'Logo', stage_id: 'won', outcome: 'won' } as Deal

const column = (name: string, outcome: BoardColumn['outcome'], rows: Deal[] = []): BoardColumn => ({
  ...{ stage_id: name, stage_name: name, outcome, win_probability: 0, count: rows.length },
  ...{ sum: '0', weighted: '0', uncounted: {}, rows, next: null },
})
const columns = [
  column('Lead', 'open', [open]),
  column('Closed Won', 'won', [won]),
  column('Closed Lost', 'lost'),
]

function lift(deal = open) {
  const onClose = vi.fn()
  const { result } = renderHook(() => useBoardDrag(columns, onClose))
  function press(key: string): void {
    const keys = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
    const event = { key, ...keys, preventDefault() {}, stopPropagation() {} } as KeyboardEvent
    act(() => result.current.handlers.press(event, deal))
  }
  press(' ')
  return { press, onClose, words: () => result.current.words }
}

test('a card that is dropped is told where', () => {
  const { press, words } = lift()
  expect(words()).toBe('Lifted Website. Lead, 1 of 1.')
  press('2')
  press(' ')
  expect(words()).toBe('Dropped Website. Closed Won, 1 of 2.')
  expect(move).toHaveBeenCalledOnce()
})

test('on Closed Lost nothing is told as done before the reason is given', () => {
  const { press, words, onClose } = lift()
  press('3')
  expect(words()).toBe('Closed Lost, 1 of 1.')
  press(' ')
  expect(onClose).toHaveBeenCalledWith(open, 'lost')
  expect(words()).toBe('')
  expect(move).not.toHaveBeenCalled()
})

test('a won deal is asked about in the same way', () => {
  const { press, onClose } = lift(won)
  press('3')
  press(' ')
  expect(onClose).toHaveBeenCalledWith(won, 'lost')
  expect(move).not.toHaveBeenCalled()
})
