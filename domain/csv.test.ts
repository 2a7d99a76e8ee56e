import { describe, expect, test } from 'vitest'
import { contactCsvHeader } from './contact-csv.ts'
import { neutralised, withoutMark } from './csv.ts'
import { allDealFields, dealCsvHeader } from './deal-csv.ts'
import { isOwnFile } from './own-file.ts'

/** Every text of up to five of these signs: all ways in which apostrophes meet what a spreadsheet would run. */
function trickyTexts(): string[] {
  const signs = ["'", '=', '+', '-', '@', '\t', '4', 'x', ' ']
  let texts = ['']
  const all = ['']
  for (let length = 1; length <= 5; length += 1) {
    texts = texts.flatMap((text) => signs.map((sign) => text + sign))
    all.push(...texts)
  }
  return all
}

describe('what a spreadsheet would run', () => {
  const texts = [
    ...trickyTexts(),
    "'+49 30 12",
    '+49 (30) 1',
    '-12.50',
    "'-12.50",
    "''''=1",
    "'’=x",
  ]

  test('is marked by an apostrophe and comes back letter by letter, whatever it began with', () => {
    expect(texts.filter((text) => withoutMark(neutralised(text)) !== text)).toEqual([])
  })

  test('never begins a cell, but for phone numbers and negative numbers', () => {
    const run = texts.map(neutralised).filter((cell) => /^[=+\-@\t]/.test(cell))
    expect(run.filter((cell) => !/^\+?[\d\s().-]+$/.test(cell))).toEqual([])
  })

  test('any other apostrophe stays as it is', () => {
    expect(["'tis", "O'Hara", "''"].map(neutralised)).toEqual(["'tis", "O'Hara", "''"])
    expect(["'tis", "O'Hara", "''"].map(withoutMark)).toEqual(["'tis", "O'Hara", "''"])
  })
})

test.each([
  ['contacts', contactCsvHeader, true],
  ['contacts, in another order and with a column more', [...contactCsvHeader, 'x'].reverse(), true],
  ['deals', dealCsvHeader(allDealFields), true],
  ['deals, only what is shown', ['Deal', 'Stage', 'Potential value', 'Expected Close'], true],
  ['rows that were rejected', ['Reason', 'Vorname', 'Name'], true],
  ['contacts of another program', ['First Name', 'Last Name', 'Email', 'Phone', 'Notes'], false],
  ['deals of another program', ['Deal Name', 'Stage', 'Amount'], false],
  ['a reason somewhere', ['Deal', 'Reason'], false],
  ['nothing', [], false],
])('our own file or not: %s', (_name, header, isOwn) => {
  expect(isOwnFile([...header])).toBe(isOwn)
})
