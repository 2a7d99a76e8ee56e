import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { useWindowRows } from './virtual-rows.ts'

const heights: Record<string, number> = { heading: 44, line: 56, wrapped: 80 }

type Row = { key: string; kind: 'heading' | 'line' | 'wrapped' }

/** As the agenda: headings among rows, of which some are higher than others. */
function List({ rows, top = 0 }: { rows: Row[]; top?: number }) {
  const { shown, height, measure } = useWindowRows({
    name: 'Test',
    keyOf: (index) => rows[index]?.key ?? String(index),
    kindOf: (index) => (rows[index]?.kind === 'heading' ? 'heading' : 'row'),
    count: rows.length,
    rowHeight: 56,
    gap: 0,
    maxRows: 60,
    top,
    onNearEnd() {},
  })
  return (
    <ul style={{ height }}>
      {shown.map(({ index, start }) => {
        const row = rows[index]
        return (
          row && (
            <li
              key={row.key}
              ref={measure}
              data-index={index}
              data-kind={row.kind === 'heading' ? 'heading' : 'row'}
              data-height={heights[row.kind]}
              data-start={start}
            />
          )
        )
      })}
    </ul>
  )
}

const row = (key: string, kind: Row['kind'] = 'line'): Row => ({ key, kind })

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
    this: HTMLElement,
  ) {
    return Number(this.dataset.height ?? 0)
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Each row begins where the one before it ends. */
function expectNoOverlap(container: HTMLElement, count: number): void {
  const shown = [...container.querySelectorAll('li')]
  expect(shown).toHaveLength(count)
  let end = 0
  for (const { dataset } of shown) {
    expect(Number(dataset.start)).toBe(end)
    end += Number(dataset.height)
  }
}

test('a heading that is measured last says nothing of the rows', () => {
  const rows = [row('a', 'heading'), row('b'), row('c'), row('d', 'heading')]
  const { container } = render(<List rows={rows} />)
  expectNoOverlap(container, 4)
})

test('rows keep their own heights when others come before them', () => {
  const rows = [row('a', 'heading'), row('b', 'wrapped'), row('c'), row('d', 'heading'), row('e')]
  const { container, rerender } = render(<List rows={rows} />)
  expectNoOverlap(container, 5)
  rerender(<List rows={[row('first', 'heading'), row('second'), ...rows]} />)
  expectNoOverlap(container, 7)
  rerender(<List rows={rows.slice(1)} />)
  expectNoOverlap(container, 4)
})

test('a list that comes again begins with what was measured', () => {
  render(<List rows={[row('a', 'heading'), row('b', 'wrapped')]} />)
  cleanup()
  const { container } = render(<List rows={[row('c'), row('d', 'heading'), row('e')]} />)
  expectNoOverlap(container, 3)
})

describe('a list that was scrolled with the page', () => {
  const lines = (...keys: string[]) => keys.map((key) => row(key))
  const many = Array.from({ length: 40 }, (_, place) => `line ${place}`)
  let scrolled = 0
  beforeEach(() => {
    scrolled = 0
    vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => scrolled)
    vi.spyOn(window, 'scrollBy').mockImplementation((...args: unknown[]) => {
      scrolled += Number(args[1])
    })
  })

  /** Renders, scrolls, and shows other rows. */
  function change(before: Row[], offset: number, after: Row[]): number {
    const { rerender } = render(<List rows={before} top={100} />)
    scrolled = offset
    rerender(<List rows={before} top={100} />)
    rerender(<List rows={after} top={100} />)
    return scrolled
  }

  test('stays with its rows when others come in or leave above them', () => {
    expect(change(lines(...many), 1000, lines('new 1', 'new 2', ...many))).toBe(1000 + 2 * 56)
    cleanup()
    expect(change(lines(...many), 1000, lines(...many.slice(3)))).toBe(1000 - 3 * 56)
  })

  test('stays with most of its rows when one goes, moves away, or gets another one below it', () => {
    // The first row on the screen is the seventeenth.
    const without = many.filter((key) => key !== 'line 17')
    expect(change(lines(...many), 1000, lines('new', ...without))).toBe(1000)
    cleanup()
    expect(change(lines(...many), 1000, lines('line 17', ...without))).toBe(1000)
    cleanup()
    const lower = without.toSpliced(30, 0, 'line 17')
    expect(change(lines(...many), 1000, lines('first', 'second', ...lower))).toBe(1000 + 56)
    cleanup()
    const between = many.toSpliced(19, 0, 'new')
    expect(change(lines(...many), 1000, lines('first', ...between))).toBe(1000 + 2 * 56)
    cleanup()
    // Rows come in between all others.
    const mixed = many.flatMap((key) => [`new ${key}`, key])
    expect(change(lines(...many), 1000, lines(...mixed))).toBe(1000 + 18 * 56)
  })

  test('stays where it is when rows come in below, at its top, or in another order', () => {
    expect(change(lines(...many), 1000, lines(...many, 'new'))).toBe(1000)
    cleanup()
    expect(change(lines(...many), 100, lines('new', ...many))).toBe(100)
    cleanup()
    expect(change(lines(...many), 1000, lines(...many.toReversed()))).toBe(1000)
  })
})
