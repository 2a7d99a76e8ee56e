import { afterEach, expect, test } from 'vitest'
import { setHabits, usualHabits } from './habits.ts'
import {
  allUncounted,
  currencySign,
  exactMoney,
  shortMoney,
  shownMoney,
  toldMoney,
  uncountedWords,
  worthOf,
} from './money.ts'

afterEach(() => setHabits(usualHabits))

/** Browsers write spaces that do not break, and one apostrophe or the other. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replaceAll("'", '’')

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

test('an amount has its own currency, or that of the account', () => {
  expect(plain(shownMoney(1234.5, 'CHF'))).toBe('CHF 1,235')
  expect(exactMoney(1234.5, 'EUR')).toBe('€1,234.50')
  expect(toldMoney(5, 'JPY')).toBe('¥5')
  // Two currencies never look the same.
  expect(shownMoney(5, 'CAD')).toBe('CA$5')
  setHabits({ ...usualHabits, currency: 'EUR' })
  expect(shownMoney('34500.00')).toBe('€34,500')
  expect(shownMoney(5, 'USD')).toBe('$5')
  expect(currencySign()).toBe('€')
  expect(shortMoney(34_500)).toBe('€34.5K')
  expect(shortMoney(1_050_000, 2)).toBe('€1.05M')
})

test.each([
  ['1,234.56', '€1,234,567.50'],
  ['1.234,56', '1.234.567,50 €'],
  ['1 234,56', '1 234 567,50 €'],
  ['1’234.56', 'EUR 1’234’567.50'],
  ['12,34,567.89', '€12,34,567.50'],
] as const)('money in the format %s', (number_format, shown) => {
  setHabits({ ...usualHabits, currency: 'EUR', number_format })
  const written = plain(exactMoney(1_234_567.5))
  expect(written.replace('€ ', 'EUR ')).toBe(shown)
})

test('what a deal is worth in the account’s currency', () => {
  expect(worthOf({ value: 10, currency: null, rate: null })).toBe(10)
  expect(worthOf({ value: 10, currency: 'EUR', rate: 1.2345 })).toBe(12.35)
  expect(worthOf({ value: 10, currency: 'EUR', rate: null })).toBeNull()
})

test('what a sum leaves out is told, currency by currency', () => {
  expect(uncountedWords({})).toEqual([])
  expect(uncountedWords({ EUR: 1, CHF: 1200 })).toEqual([
    '1,200 deals in CHF are not counted: no rate',
    '1 deal in EUR is not counted: no rate',
  ])
  expect(allUncounted([{ EUR: 1 }, {}, { EUR: 2, CHF: 1 }])).toEqual({ EUR: 3, CHF: 1 })
})
