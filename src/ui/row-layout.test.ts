import { describe, expect, test } from 'vitest'
import { RowLayout } from './row-layout.ts'

const keyOf = (index: number) => `row ${index}`

function layoutOf(count: number, { top = 0, gap = 0, foot = 0 } = {}): RowLayout {
  const layout = new RowLayout()
  layout.set({ count, keyOf, heightOf: () => 40, gap, top, foot })
  return layout
}

const seen = (offset: number, height: number) => ({ offset: () => offset, height: () => height })

test('rows follow one another, with gaps, below the top', () => {
  const layout = layoutOf(3, { top: 100, gap: 10, foot: 5 })
  expect(layout.at(2)).toEqual({ index: 2, key: 'row 2', start: 200, size: 40, end: 240 })
  expect(layout.at(3)).toBeUndefined()
  expect(layout.height).toBe(3 * 40 + 2 * 10 + 5)
})

describe('the rows on the screen', () => {
  const range = (layout: RowLayout, offset: number, height: number) => {
    layout.look(seen(offset, height))
    const now = layout.range()
    return now && [now.startIndex, now.endIndex]
  }

  test('are those that it cuts, and none of a list that is not seen', () => {
    expect(range(layoutOf(100), 0, 400)).toEqual([0, 9])
    expect(range(layoutOf(100), 60, 400)).toEqual([1, 11])
    expect(range(layoutOf(100), 60, 0)).toBeNull()
    expect(range(layoutOf(0), 0, 400)).toBeNull()
  })

  test('are the last ones where it was scrolled further than the list is long', () => {
    expect(range(layoutOf(100), 9_000, 400)).toEqual([90, 99])
  })
})

test('a measured row moves those below it, and what one looks at only if it lies above', () => {
  const layout = layoutOf(100)
  layout.look(seen(400, 400))
  expect(layout.measured(20, 50)).toBe(0)
  expect(layout.measured(2, 45)).toBe(5)
  expect(layout.measured(2, 45)).toBeNull()
  expect([layout.at(2)?.end, layout.at(3)?.start, layout.at(21)?.start]).toEqual([125, 125, 855])
  expect(layout.height).toBe(100 * 40 + 15)
})

test('a measured height lasts when rows come and go', () => {
  const layout = layoutOf(3)
  layout.measured(2, 70)
  layout.set({
    count: 2,
    keyOf: (index) => keyOf(index + 1),
    heightOf: () => 40,
    gap: 0,
    top: 0,
    foot: 0,
  })
  expect(layout.at(1)?.size).toBe(70)
})

test('finds what lies at an offset', () => {
  const layout = layoutOf(10, { gap: 10 })
  expect([0, 39, 45, 50, 5_000].map((offset) => layout.under(offset)?.index)).toEqual([
    0, 0, 0, 1, 9,
  ])
  expect([0, 1, 50, 5_000].map((offset) => layout.firstBelow(offset))).toEqual([0, 1, 1, 10])
})
