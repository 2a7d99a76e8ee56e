import { expect, test } from 'vitest'
import type { OwnKind } from './fields/own.ts'
import { guessedKind } from './import-guess.ts'

const cases: [kind: OwnKind | null, name: string, ...cells: string[]][] = [
  ['yes/no', 'Newsletter', 'Yes', 'no', 'TRUE', 'x'],
  ['yes/no', 'Newsletter', 'ja', 'Nein'],
  ['number', 'Flag', '1', '0'],
  ['number', 'Employees', '12', '1,200', '-3.5'],
  // What would be written otherwise, or would lose something, stays a text.
  ['text', 'Sort', '007', '12'],
  ['text', 'Long', '12345678901234567890'],
  ['text', 'Precise', '0.12345678'],
  ['text', 'Budget', '2026', '2027'],
  ['text', 'Customer No', '1001', '1002'],
  ['text', 'Postal Code', '10115'],
  ['money', 'Budget', '$1,200', '$ 40.50', 'US$7'],
  ['money', 'Budget', '1,200 USD'],
  ['text', 'Budget', '899 kr'],
  ['text', 'Budget', '40k €'],
  ['text', 'Budget', '$40.123'],
  ['day', 'Contract end', '2026-12-24', '24.12.2026', '24 December 2026'],
  ['day', 'Contract end', '2026-12-24 00:00:00', '2026-12-24T00:00:00Z'],
  ['text', 'Last call', '2026-12-24 10:30'],
  ['text', 'Remark', 'May 5 2026 was fine'],
  ['text', 'Remark', '24.13.2026'],
  ['link', 'Profile', 'https://linkedin.com/in/ada', 'www.example.com/a?b=c'],
  ['link', 'Site', 'example.com'],
  ['email', 'Billing', 'a@x.com', 'b@y.org'],
  ['text', 'Billing', 'a@x.com; b@x.com'],
  ['phone', 'Fax', '+49 30 1234567', '(030) 123 45 67'],
  ['choice', 'Level', 'Gold', 'Silver', 'gold', 'Silver'],
  ['text', 'Level', 'Gold', 'Silver', 'Bronze', 'Iron'],
  ['text', 'Level', 'Gold', 'Gold'],
  ['long text', 'Story', 'one\ntwo'],
  ['long text', 'Story', 'x'.repeat(501)],
  [null, 'Story', 'x'.repeat(10_001)],
  ['text', 'Mixed', '12', 'twelve'],
]

test.each(cases)('%s: %s %s', (kind, name, ...cells) => {
  expect(guessedKind(name, cells, 'day first')).toBe(kind)
})

test('money is in the currency of the account, or else a text: no other is mixed with it', () => {
  const kind = (currency: string, ...cells: string[]) =>
    guessedKind('Budget', cells, 'day first', currency)
  expect(kind('EUR', '$1,200', '$40.50')).toBe('text')
  expect(kind('EUR', '1.200 €', '40,50 €')).toBe('money')
  expect(kind('SEK', '899 kr')).toBe('money')
  expect(kind('CAD', '$1,200')).toBe('money')
  expect(kind('USD', '$1,200', '1,200 €')).toBe('text')
})

test('a choice has few names', () => {
  const cells = (names: number) =>
    Array.from({ length: 100 }, (_, index) => `Name ${index % names}`)
  expect(guessedKind('Level', cells(20), 'day first')).toBe('choice')
  expect(guessedKind('Level', cells(21), 'day first')).toBe('text')
})
