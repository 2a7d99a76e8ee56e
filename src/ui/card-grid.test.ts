import { expect, test } from 'vitest'
import { columnsFor } from './card-grid.tsx'

test.each([
  [320, 1],
  [599, 1],
  [600, 2],
  [959, 2],
  [960, 3],
  [2560, 3],
])('%i pixels have room for %i columns', (width, columns) => {
  expect(columnsFor(width)).toBe(columns)
})
