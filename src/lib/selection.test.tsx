import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import {
  filterOf,
  isSelected,
  nothing,
  selectedCount,
  useSelection,
  withRows,
} from './selection.ts'

const all = { kind: 'all', except: new Set<string>() } as const

describe('what is selected', () => {
  test('rows are ticked and unticked', () => {
    const two = withRows(nothing, ['a', 'b'], true)
    expect(selectedCount(two, 10)).toBe(2)
    expect(filterOf(two, { search: 'x' })).toEqual({ ids: ['a', 'b'] })
    const one = withRows(two, ['a'], false)
    expect(isSelected(one, 'a')).toBe(false)
    expect(isSelected(one, 'b')).toBe(true)
  })

  test('everything that matches, but for those unticked', () => {
    expect(filterOf(all, { search: 'x' })).toEqual({ search: 'x' })
    const but = withRows(all, ['a'], false)
    expect(selectedCount(but, 10)).toBe(9)
    expect(isSelected(but, 'a')).toBe(false)
    expect(isSelected(but, 'z')).toBe(true)
    expect(filterOf(but, { search: 'x' })).toEqual({ search: 'x', except: ['a'] })
    expect(filterOf(withRows(but, ['a'], true), { search: 'x' })).toEqual({ search: 'x' })
  })
})

describe('in a list', () => {
  afterEach(cleanup)
  const ids = ['a', 'b', 'c', 'd']
  const filters = [{}, { search: 'x' }] as const
  const setUp = () =>
    renderHook(({ filter }: { filter: object }) => useSelection(ids, filter), {
      initialProps: { filter: filters[0] },
    })

  test('a range goes from the row ticked before', () => {
    const { result } = setUp()
    act(() => result.current.toggle('b'))
    act(() => result.current.toggle('d', true))
    expect(filterOf(result.current.selection, {})).toEqual({ ids: ['b', 'c', 'd'] })
    expect(result.current.loaded).toBe('some')
    act(() => result.current.toggle('c'))
    expect(filterOf(result.current.selection, {})).toEqual({ ids: ['b', 'd'] })
  })

  test('all that is loaded, and none of it', () => {
    const { result } = setUp()
    act(() => result.current.toggleLoaded())
    expect(result.current.loaded).toBe('all')
    act(() => result.current.toggleLoaded())
    expect(result.current.loaded).toBe('none')
    expect(selectedCount(result.current.selection, 4)).toBe(0)
  })

  test('single rows stay ticked through a search, "all that match" does not', () => {
    const { result, rerender } = setUp()
    act(() => result.current.toggle('a'))
    rerender({ filter: filters[1] })
    expect(selectedCount(result.current.selection, 4)).toBe(1)
    act(() => result.current.selectAll())
    expect(selectedCount(result.current.selection, 1000)).toBe(1000)
    rerender({ filter: { ...filters[1] } })
    expect(selectedCount(result.current.selection, 1000), 'the same filter').toBe(1000)
    rerender({ filter: filters[0] })
    expect(selectedCount(result.current.selection, 1000)).toBe(0)
    rerender({ filter: { ...filters[1] } })
    expect(selectedCount(result.current.selection, 1000), 'back again').toBe(0)
    act(() => result.current.toggle('b'))
    expect(filterOf(result.current.selection, {})).toEqual({ ids: ['b'] })
  })

  /** A write that is answered when the test says so. */
  function pending() {
    let settle = { resolve: () => {}, reject: () => {} }
    const write = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject }
    })
    return { write, ...settle }
  }

  test('a write clears the selection at once, and puts it back when it fails', async () => {
    const { result } = setUp()
    for (const { isDone, left } of [
      { isDone: false, left: ['a', 'b'] },
      { isDone: true, left: [] },
    ]) {
      const { write, resolve, reject } = pending()
      act(() => {
        if (!isSelected(result.current.selection, 'a')) result.current.toggle('a')
        if (!isSelected(result.current.selection, 'b')) result.current.toggle('b')
      })
      act(() => result.current.clearFor(write))
      expect(selectedCount(result.current.selection, 4)).toBe(0)
      await act(async () => (isDone ? resolve() : reject()))
      expect(filterOf(result.current.selection, {})).toEqual({ ids: left })
    }
  })

  test('rows ticked while it was under way stay ticked with those that are back', async () => {
    const { result } = setUp()
    const { write, reject } = pending()
    act(() => result.current.toggle('a'))
    act(() => result.current.clearFor(write))
    act(() => result.current.toggle('c'))
    await act(async () => reject())
    expect(filterOf(result.current.selection, {})).toEqual({ ids: ['c', 'a'] })
  })

  test('"all that match" comes back only where it still means the same', async () => {
    const { result, rerender } = setUp()
    for (const { filter, count } of [
      { filter: filters[0], count: 1000 },
      { filter: filters[1], count: 0 },
    ]) {
      const { write, reject } = pending()
      act(() => result.current.selectAll())
      act(() => result.current.clearFor(write))
      rerender({ filter })
      await act(async () => reject())
      expect(selectedCount(result.current.selection, 1000)).toBe(count)
    }
  })

  test('after "all that match" of another filter, all that is loaded means these rows alone', () => {
    const { result, rerender } = setUp()
    act(() => result.current.selectAll())
    rerender({ filter: filters[1] })
    act(() => result.current.toggleLoaded())
    expect(filterOf(result.current.selection, {})).toEqual({ ids })
  })

  test('what ticks a row stays the same function, and knows the rows that have come since', () => {
    const { result, rerender } = renderHook(
      ({ rows }: { rows: string[] }) => useSelection(rows, filters[0]),
      { initialProps: { rows: ids } },
    )
    const { toggle } = result.current
    act(() => toggle('d'))
    rerender({ rows: [...ids, 'e', 'f'] })
    expect(result.current.toggle).toBe(toggle)
    act(() => toggle('f', true))
    expect(filterOf(result.current.selection, {})).toEqual({ ids: ['d', 'e', 'f'] })
  })
})
