import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { BoardColumn } from './board-columns.ts'
import { useFolds } from './use-folds.ts'

const column = (stage_id: string, outcome: BoardColumn['outcome']): BoardColumn => ({
  stage_id,
  stage_name: stage_id,
  outcome,
  win_probability: 0,
  count: 0,
  sum: '0',
  weighted: '0',
  uncounted: {},
  rows: [],
  next: null,
})
const columns = [column('lead', 'open'), column('won', 'won')]

beforeEach(() => window.localStorage.clear())

test('what is folded and unfolded is there again the next time', () => {
  const first = renderHook(() => useFolds(columns, 300))
  expect([...first.result.current.folded]).toEqual(['won'])
  act(() => {
    first.result.current.fold('lead', true)
    first.result.current.fold('won', false)
  })
  expect([...first.result.current.folded]).toEqual(['lead'])
  const second = renderHook(() => useFolds(columns, 300))
  expect([...second.result.current.folded]).toEqual(['lead'])
})

test('a stored text that cannot be read counts as none', () => {
  window.localStorage.setItem('solo-board-folds', '{"lead":"yes"}')
  const { result } = renderHook(() => useFolds(columns, 1000))
  expect([...result.current.folded]).toEqual([])
})
