import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { comparedFigures } from '#domain/week-review.ts'
import { ComparisonTable } from './comparison-table.tsx'

afterEach(cleanup)

test('an amount too long for a phone has a rounded form beside it, which tells the whole one', () => {
  const names = comparedFigures.map(({ figure }) => [figure, 0])
  const now = { ...Object.fromEntries(names), won_value: '1234567890', deals_value: '9000' }
  render(
    <MantineProvider env="test">
      <ComparisonTable
        label="Compared"
        nowName="Nov 1 – Nov 30, 2026"
        beforeName="Last week"
        now={now}
        before={now}
      />
    </MantineProvider>,
  )
  const [rounded] = screen.getAllByTitle('$1,234,567,890')
  expect(rounded?.textContent).toBe('$1.2B')
  expect(screen.queryByTitle('$9,000')).toBeNull()
})

test('more is better, and fewer lost deals are', () => {
  const figuresOf = (won: number, lost: number) => {
    const zeros = Object.fromEntries(comparedFigures.map(({ figure }) => [figure, 0]))
    return { ...zeros, won, lost, won_value: '0', deals_value: '0' } as never
  }
  const better = (now: never, before: never) => {
    const names = { label: 'Compared', nowName: 'Now', beforeName: 'Before' }
    const { container, unmount } = render(
      <MantineProvider env="test">
        <ComparisonTable {...names} now={now} before={before} />
      </MantineProvider>,
    )
    const rows = [...container.querySelectorAll('tr:has([data-better])')]
    const shown = rows.map((row) => row.querySelector('th')?.textContent)
    unmount()
    return shown
  }
  expect(better(figuresOf(2, 2), figuresOf(1, 1))).toEqual(['Deals won'])
  expect(better(figuresOf(1, 1), figuresOf(2, 2))).toEqual(['Deals lost'])
})
