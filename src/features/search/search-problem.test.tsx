import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { SearchProblem } from './search-problem.tsx'

afterEach(cleanup)

function show(creating: Error): string | null {
  render(
    <MantineProvider>
      <SearchProblem searching={null} creating={creating} onRetry={() => {}} />
    </MantineProvider>,
  )
  return screen.getByRole('alert').textContent
}

test('what was refused for a reason is not offered once more', () => {
  const message = 'All of this already exists. Nothing was saved.'
  expect(show(Object.assign(new Error(message), { code: 'PT409' }))).toBe(message)
})

test('what found nobody is', () => {
  expect(show(new TypeError('Failed to fetch'))).toMatch(/nothing is created twice\.Try again$/)
})
