import { expect, test } from 'vitest'
import { currencies, currencyName } from './currencies.ts'
import { currencyAt, currencyIn, maySign } from './import-currency.ts'
import { mapColumns } from './import-headers.ts'
import { planImport } from './import-plan.ts'
import { importRemarks } from './import-remarks.ts'
import { importRow } from './import-rows.ts'

test('every currency has a code and a name', () => {
  expect(new Set(currencies).size).toBe(currencies.length)
  expect(
    currencies.filter((code) => !/^[A-Z]{3}$/.test(code) || currencyName(code) === code),
  ).toEqual([])
})

test.each([
  ['EUR', 'EUR'],
  [' eur ', 'EUR'],
  ['€', 'EUR'],
  ['US$', 'USD'],
  ['Swiss Franc', 'CHF'],
  ['$', null],
  ['XYZ', null],
])('%j as a currency', (text, code) => {
  expect(currencyIn(text)).toBe(code)
})

test.each([
  ['US$1,200', 'USD', null],
  ['1.200,50 €', 'EUR', null],
  ['€ 1.200,-', 'EUR', null],
  ['EUR1.200,50', 'EUR', null],
  ["CHF 1'200.–", 'CHF', null],
  ['(£1,234.00)', 'GBP', null],
  ['$1,200 USD', 'USD', null],
  ['R$ 1.200,50', 'BRL', null],
  ['12,000円', 'JPY', null],
  ['1 200 zł', 'PLN', null],
  ['899 kr', null, 'kr'],
  ['$1,200', null, '$'],
  ['1200', null, null],
  ['', null, null],
])('the currency at %j', (amount, currency, shared) => {
  expect(currencyAt(amount)).toEqual({ currency, shared })
})

test('a file says the currency of a deal in a column, or at the amount', () => {
  const header = ['Deal Name', 'Amount', 'Currency']
  const plan = planImport('deals', mapColumns('deals', header), [])
  const read = (...row: string[]) => importRow(row, plan)
  expect(read('A', '1,200', 'EUR')).toMatchObject({ values: { value: 1200, currency: 'EUR' } })
  expect(read('A', '€1,200', 'CHF')).toMatchObject({ values: { currency: 'CHF' } })
  expect(read('A', '1.200,50 €', '')).toMatchObject({ values: { value: 1200.5, currency: 'EUR' } })
  expect(read('A', '1,200', '')).toEqual({ values: { name: 'A', value: 1200 } })
  expect(read('A', '1,200', 'shells')).toEqual({
    values: { name: 'A', value: 1200, kept_notes: ['Currency: shells'] },
  })
  expect(mapColumns('deals', ['Name', 'Wert', 'Währung'])).toEqual(['name', 'value', 'currency'])
})

test('a sign that may mean several currencies is remarked, unless it may mean the account’s', () => {
  expect(maySign('$', 'USD')).toBe(true)
  expect(maySign('kr', 'USD')).toBe(false)
  expect(importRemarks({ file_currency: '$' }, 'new')).toEqual([])
  expect(importRemarks({ file_currency: 'kr' }, 'new')).toEqual([
    '"kr" could be several currencies; read as USD.',
  ])
})
