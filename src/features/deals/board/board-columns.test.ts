import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Deal } from '../queries.ts'
import {
  appendPage,
  type BoardColumn,
  boardKey,
  mergeBoards,
  patchBoards,
  writeToBoard,
} from './board-columns.ts'

const view = { pipeline: 'sales', filter: {} }

function deal(id: string, order: number, more: Partial<Deal> = {}): Deal {
  return {
    id,
    name: id,
    value: 1,
    currency: null,
    rate: null,
    expected_close_date: null,
    pipeline_id: 'sales',
    stage_id: 'lead',
    company_id: null,
    contact_id: null,
    order,
    closed_at: null,
    stage_since: null,
    stalls_at: null,
    custom: {},
    tags: [],
    lost_reason: null,
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
    stage_name: 'Lead',
    outcome: 'open',
    company_name: null,
    contact: null,
    next_task: null,
    ...more,
  }
}

function column(stage: string, rows: Deal[], next: BoardColumn['next'] = null): BoardColumn {
  const figures = {
    uncounted: {},
    win_probability: 10,
    count: rows.length,
    sum: '0',
    weighted: '0',
  }
  const outcome = stage === 'won' ? 'won' : 'open'
  return { stage_id: stage, stage_name: stage, outcome, ...figures, rows, next }
}

const inWon = { stage_id: 'won', stage_name: 'won', outcome: 'won' } as const
const won = (id: string, order: number) => deal(id, order, inWon)

const board = () => [
  column('lead', [deal('a', 0), deal('b', 1), deal('c', 2)]),
  column('won', [won('x', 0), won('y', 2)]),
]

const ids = (columns: BoardColumn[]) => columns.map(({ rows }) => rows.map(({ id }) => id).join(''))

const isA = ({ id }: Deal) => id === 'a'

test('a deal that is put between two stands there, whatever its number', () => {
  const to = inWon
  const between = { above: 'x', below: 'y' }
  const after = writeToBoard(board(), { kind: 'change', matches: isA, to, between }, view)
  expect(ids(after)).toEqual(['bc', 'xay'])
  expect(after[1]?.rows[1]).toMatchObject(to)
})

test('within its column too', () => {
  const between = { above: 'c', below: null }
  const write = { kind: 'change', matches: isA, to: { stage_id: 'lead' }, between } as const
  expect(ids(writeToBoard(board(), write, view))).toEqual(['bca', 'xy'])
})

test.each([
  ['above one that has left the column', { above: 'gone', below: 'y' }, 'xay'],
  ['at the top', { above: null, below: 'x' }, 'axy'],
  ['at the end', { above: 'y', below: null }, 'xya'],
])('%s', (_, between, expected) => {
  const write = { kind: 'change', matches: isA, to: { stage_id: 'won' }, between } as const
  expect(ids(writeToBoard(board(), write, view))[1]).toBe(expected)
})

test('a change of the stage elsewhere takes the card to its column, by its number', () => {
  const isC = ({ id }: Deal) => id === 'c'
  const to = { stage_id: 'won', order: 1 }
  expect(ids(writeToBoard(board(), { kind: 'change', matches: isC, to }, view))).toEqual([
    'ab',
    'xcy',
  ])
})

test('what is marked as won goes to the column of that outcome, whatever its name', () => {
  const to = { stage_name: 'Closed Won', outcome: 'won' } as const
  const write = { kind: 'change', matches: isA, to } as const
  const after = writeToBoard(board(), write, view)
  expect(ids(after)).toEqual(['bc', 'axy'])
  expect(after[1]?.rows[0]?.stage_id).toBe('won')
})

test('the columns count their cards as they come and go', () => {
  const counts = (columns: BoardColumn[]) => columns.map(({ count }) => count)
  const moved = { kind: 'change', matches: isA, to: { stage_id: 'won' } } as const
  expect(counts(writeToBoard(board(), moved, view))).toEqual([2, 3])
  const removed = { kind: 'remove', matches: isA, count: 1 } as const
  expect(counts(writeToBoard(board(), removed, view))).toEqual([2, 2])
  const added = { kind: 'add', row: deal('n', 0) } as const
  expect(counts(writeToBoard(board(), added, view))).toEqual([4, 2])
  const unread = [column('lead', [deal('a', 0)]), column('won', [won('x', 0)], { id: 'x' })]
  const late = { kind: 'change', matches: isA, to: { stage_id: 'won', order: 5 } } as const
  expect(counts(writeToBoard(unread, late, view))).toEqual([0, 2])
})

test('another change leaves the card where it is, and the other columns untouched', () => {
  const before = board()
  const write = { kind: 'change', matches: isA, to: { name: 'A', order: 9 } } as const
  const after = writeToBoard(before, write, view)
  expect(ids(after)).toEqual(['abc', 'xy'])
  expect(after[0]?.rows[0]?.name).toBe('A')
  expect(after[1]).toBe(before[1])
})

test('what goes to another pipeline leaves the board', () => {
  const to = { pipeline_id: 'other', stage_id: 'elsewhere' }
  expect(ids(writeToBoard(board(), { kind: 'change', matches: isA, to }, view))[0]).toBe('bc')
})

test('what would stand behind what has been read comes with its page', () => {
  const columns = [column('lead', [deal('a', 0)]), column('won', [won('x', 0)], { id: 'x' })]
  const late = { kind: 'change', matches: isA, to: { stage_id: 'won', order: 5 } } as const
  expect(ids(writeToBoard(columns, late, view))).toEqual(['', 'x'])
})

test('a new deal stands by its number, the newest first; under a filter only the database knows', () => {
  const row = deal('n', 0, { created_at: '2026-11-15T00:00:00Z' })
  expect(ids(writeToBoard(board(), { kind: 'add', row }, view))[0]).toBe('nabc')
  const filtered = { ...view, filter: { search: 'x' } }
  expect(ids(writeToBoard(board(), { kind: 'add', row }, filtered))[0]).toBe('abc')
  const elsewhere = { ...row, pipeline_id: 'other' }
  expect(ids(writeToBoard(board(), { kind: 'add', row: elsewhere }, view))[0]).toBe('abc')
})

test('a deleted deal is gone', () => {
  expect(ids(writeToBoard(board(), { kind: 'remove', matches: isA, count: 1 }, view))).toEqual([
    'bc',
    'xy',
  ])
})

test('what is read again keeps the cards further down, each once', () => {
  const before = [
    column('lead', [deal('a', 0), deal('b', 1), deal('c', 2), deal('d', 3)], { id: 'd' }),
    column('won', []),
  ]
  // 'a' has gone to the other column, a new one has come.
  const read = [
    column('lead', [deal('n', -1), deal('b', 1)], { id: 'b' }),
    column('won', [won('a', 0)]),
  ]
  const after = mergeBoards(read, before)
  expect(ids(after)).toEqual(['nbcd', 'a'])
  expect(after[0]?.next).toEqual({ id: 'd' })
})

test('a column that was read to its end, or differs too much, is what was read', () => {
  const before = [column('lead', [deal('a', 0), deal('b', 1), deal('c', 2)], { id: 'c' })]
  expect(ids(mergeBoards([column('lead', [deal('b', 1)])], before))).toEqual(['b'])
  expect(ids(mergeBoards([column('lead', [deal('z', 1)], { id: 'z' })], before))).toEqual(['z'])
  expect(ids(mergeBoards([column('lead', [deal('a', 0)])], null))).toEqual(['a'])
})

test('No Stage stays when its last card has gone, so that no column moves', () => {
  const none = { ...column('lead', [deal('a', 0)]), stage_id: null, stage_name: null, sum: '5' }
  const after = mergeBoards(board(), [none, ...board()])
  expect(after[0]).toMatchObject({ stage_id: null, rows: [], count: 0, sum: '0' })
  expect(ids(after)).toEqual(['', 'abc', 'xy'])
  expect(ids(mergeBoards([none, ...board()], board()))).toEqual(['a', 'abc', 'xy'])
})

test('a page is put to its column; what moved meanwhile shows once', () => {
  const after = appendPage(board(), 'won', { rows: [won('a', 3), won('z', 4)], next: null })
  expect(ids(after)).toEqual(['abc', 'xyz'])
})

test('a confirmed write is kept on every board that shows the deal', () => {
  const queryClient = new QueryClient()
  const found = { pipeline: 'sales', filter: { search: 'a' } }
  queryClient.setQueryData(boardKey(view), board())
  queryClient.setQueryData(boardKey(found), [column('lead', [deal('a', 0)])])
  queryClient.setQueryData(boardKey({ pipeline: 'gone', filter: {} }), null)
  patchBoards(queryClient, { kind: 'remove', matches: isA, count: 1 })
  expect(ids(queryClient.getQueryData(boardKey(view)) ?? [])).toEqual(['bc', 'xy'])
  expect(ids(queryClient.getQueryData(boardKey(found)) ?? [])).toEqual([''])
})
