import { afterEach, expect, test } from 'vitest'
import { amountOf, typedMoney, typedNumber } from './amount.ts'
import { setHabits, usualHabits } from './habits.ts'

afterEach(() => setHabits(usualHabits))

test.each([
  ['1234', 1234],
  ['1,234', 1234],
  ['1.234', 1234],
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['$1,234,567.89', 1234567.89],
  ['1 234,5 €', 1234.5],
  ['USD 12.50', 12.5],
  ["1'000", 1000],
  ['1.234.567', 1234567],
  ['12,5', 12.5],
  ['0.125', 0.125],
  ['1234.567', 1234.567],
  ['-5', -5],
  ['', null],
  ['.', null],
  ['about 5', null],
  ['12-5', null],
])('the amount %s', (text, amount) => {
  expect(amountOf(text)).toBe(amount)
})

test.each([
  ['12', 12],
  ['12,5', 12.5],
  ['1,250', 1250],
  ['$1,250.5', 1250.5],
  ['1.234,50 €', 1234.5],
  // A question, not a guess: the check of a field refuses the third decimal.
  ['1.250', 1.25],
  ['1.234', 1.234],
  ['1e20', 1e20],
  ['-1', -1],
  [' 7 ', 7],
  ['', null],
  ['5k', 5000],
  ['$1.1K', 1100],
  ['1,250 k', 1_250_000],
  ['k', null],
  ['5kk', null],
  ['0x10', null],
  ['many', null],
])('%j as it is typed', (text, number) => {
  expect(typedNumber(text)).toBe(number)
})

test.each(['1,234.56', '1.234,56', '1 234,56'] as const)(
  'money typed with groups of three digits is in thousands, in the format %s',
  (number_format) => {
    setHabits({ ...usualHabits, number_format })
    expect(
      ['12.000', '12,000', ' 1.250.000', '1,250,000', '-1.500', '1.250k'].map((text) =>
        typedMoney(text),
      ),
    ).toEqual([12_000, 12_000, 1_250_000, 1_250_000, -1500, 1_250_000])
    expect(['12’000', '$12.000', '5k', 'many'].map((text) => typedMoney(text))).toEqual([
      12_000,
      12_000,
      5000,
      null,
    ])
  },
)

test('a currency of three decimals has thousandths, and of money as of numbers the format decides', () => {
  expect(typedMoney('12.500', 'KWD')).toBe(12.5)
  expect(typedMoney('12,500', 'KWD')).toBe(12_500)
  expect(['12.5', '1,250.50', '0.125'].map((text) => typedMoney(text))).toEqual([
    12.5, 1250.5, 0.125,
  ])
  setHabits({ ...usualHabits, number_format: '1.234,56', currency: 'KWD' })
  expect([typedMoney('12,500'), typedMoney('12.500')]).toEqual([12.5, 12_500])
  // A deal in another currency than the account's.
  expect(typedMoney('12,500', 'EUR')).toBe(12_500)
})
