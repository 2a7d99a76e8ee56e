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
