import { expect, test } from 'vitest'
import { shownMoney } from './money.ts'

test.each([
  [0, '$0'],
  [34_500, '$34,500'],
  [1234.56, '$1,235'],
  [999_999_999_999.99, '$1,000,000,000,000'],
  ['0', '$0'],
  ['34500.00', '$34,500'],
  // More digits than a number of JavaScript holds.
  ['99999999999999999.25', '$99,999,999,999,999,999'],
])('%s shows as %s', (amount, shown) => {
  expect(shownMoney(amount)).toBe(shown)
})
