import { describe, expect, test } from 'vitest'
import { columnNames, delimiters, findHeader, likeliestDelimiter } from './import-table.ts'

describe('the header', () => {
  test('is found below leading notes', () => {
    const rows = [
      ['Notes:'],
      ['"When exporting your connection data, some addresses are missing."'],
      [''],
      ['First Name', 'Last Name', 'URL', 'Email Address', 'Company', 'Position', 'Connected On'],
      ['Ada', 'Lovelace', '', '', 'Acme', 'Analyst', '12 Nov 2026'],
    ]
    expect(findHeader(rows)).toBe(3)
  })

  test('is the first of the widest rows when no name in it is known', () => {
    expect(findHeader([['A title'], ['a', 'b', 'c'], ['1', '2', '3']])).toBe(1)
    expect(findHeader([])).toBe(0)
  })

  test.each([
    ['an address', ['Ada', 'Lovelace', 'ada@example.com']],
    ['a number', ['Renewal', 'Acme', '1,200.50']],
    ['a phone number', ['Ada', 'Lovelace', '+44 (20) 7946-0958']],
  ])('is missing when the first line holds %s', (_what, row) => {
    expect(findHeader([row, ['Bob', 'Babbage', 'x']])).toBe(-1)
    // Rows with empty cells before it are data too.
    expect(findHeader([['Bob', 'Babbage', ''], row])).toBe(-1)
  })

  test('is there when a name in it is known, or a year heads a column', () => {
    expect(
      findHeader([
        ['Email', '12', '13'],
        ['a@x.com', '1', '2'],
      ]),
    ).toBe(0)
    expect(
      findHeader([
        ['Customer', '2025', '2026'],
        ['Acme', '1', '2'],
      ]),
    ).toBe(0)
  })

  test('has a name for every column, and no name twice', () => {
    expect(columnNames([' Email ', '', 'Email', 'Email'])).toEqual([
      'Email',
      'Column 2',
      'Email (2)',
      'Email (3)',
    ])
  })
})

describe('the delimiter', () => {
  const part = (text: string) =>
    likeliestDelimiter(
      delimiters.map((delimiter) => ({
        delimiter,
        rows: text.split('\n').map((line) => line.split(delimiter)),
      })),
    )

  test.each([
    ['a,b,c\n1,2,3', ','],
    ['a;b;c\n1,5;2;3', ';'],
    ['a\tb\tc\n1\t2\t3', '\t'],
    ['a|b|c\n1|2,5|3', '|'],
    ['Name,Notes\nAda,this | that | more\nBob,one', ','],
    ['Name;Notes\nAda;first, second, third\nBob;one, two', ';'],
    ['only one column\nAda', ','],
    ['', ','],
  ])('of %j', (text, delimiter) => {
    expect(part(text)).toBe(delimiter)
  })
})
