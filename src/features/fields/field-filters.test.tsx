import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { dealFields } from '#domain/fields/deals.ts'
import { setHabits, usualHabits } from '#domain/habits.ts'
import { FieldFilters } from './field-filters.tsx'

afterEach(() => {
  cleanup()
  setHabits(usualHabits)
})

test('amounts of a filter are grouped and written as the account writes numbers', () => {
  const shown = () => {
    render(
      <MantineProvider env="test">
        <FieldFilters
          fields={dealFields}
          filters={['value']}
          state={{ min: 1234567.5 }}
          onChange={() => {}}
        />
      </MantineProvider>,
    )
    const { value } = screen.getByLabelText<HTMLInputElement>(/from$/i)
    cleanup()
    return value
  }
  expect(shown()).toBe('1,234,567.5')
  setHabits({ ...usualHabits, number_format: '1.234,56' })
  expect(shown()).toBe('1.234.567,5')
})
