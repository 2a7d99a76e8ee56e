import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useWindowRows } from './virtual-rows.ts'

const heights: Record<string, number> = { heading: 44, line: 56, wrapped: 80 }

type Row = { key: string; kind: 'heading' | 'line' | 'wrapped' }

/** As the agenda: headings among rows, of which some are higher than others. */
function List({ rows }: { rows: Row[] }) {
  const { shown, height, measure } = useWindowRows({
    name: 'Test',
    keyOf: (index) => rows[index]?.key ?? String(index),
    kindOf: (index) => (rows[index]?.kind === 'heading' ? 'heading' : 'row'),
    count: rows.length,
    rowHeight: 56,
    gap: 0,
    maxRows: 60,
    top: 0,
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
