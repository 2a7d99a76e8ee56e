import { describe, expect, test } from 'vitest'
import { type ImportKind, mapColumns } from './import-headers.ts'

/** The field of one column with these cells, under a header that says nothing. */
function fieldOf(cells: string[], header = 'zz', kind: ImportKind = 'contacts') {
  return mapColumns(
    kind,
    [header],
    cells.map((cell) => [cell]),
  )[0]
}

test.each([
  [['ada@example.com', '', 'bob@example.org']],
  [['Ada Lovelace <ada@example.com>', 'mailto:bob@example.org']],
  [['"Lovelace, Ada" <ada@example.com>', 'a@x.com; b@x.com ::: c@x.com']],
])('a column of addresses is an e-mail column: %s', (cells) => {
  expect(fieldOf(cells)).toBe('email')
})

test.each([
  [['+49 30 123456', '+1 (415) 555-0100 x12']],
  [['(415) 555-0100', '415-555-0101', '1 415 555 0102']],
  [['01 23 45 67 89', '06.12.34.56.78', '030/1234567']],
  [['0049301234567']],
])('a column of phone numbers is a phone column: %s', (cells) => {
  expect(fieldOf(cells)).toBe('phone_number')
})

test.each([
  ['ids', ['100000001', '100000002']],
  ['long ids', ['00000000012345', '5551234567']],
  ['parted ids', ['2026-00012', '2026-00013']],
  ['days', ['2026-01-02', '01.02.2026', '01/02/2026']],
  ['moments', ['2026-01-02 10:00', '2026-01-02T10:00:00Z']],
  ['amounts', ['1234567.89', '(1,234,567.00)', '0.12345678']],
  ['postal codes', ['12345-6789', '94105-1234']],
  ['notes', ['write to ada@example.com', 'call +49 30 123456 on Monday']],
  ['words', ['Acme', 'Zeta']],
  ['nothing', ['', '']],
])('%s are neither', (_name, cells) => {
  expect(fieldOf(cells)).toBeNull()
})

test('what belongs to somebody else is not taken for the contact', () => {
  expect(fieldOf(['a@x.com', 'b@x.com'], 'Contact Owner')).toBeNull()
  expect(fieldOf(['+49 30 123456'], 'Business Fax')).toBeNull()
  expect(fieldOf(['me@x.com', 'me@x.com', 'me@x.com', 'you@x.com'])).toBeNull()
})

test('cells count only where no header with values names the field', () => {
  const columns = ['Login', 'Email']
  expect(mapColumns('contacts', columns, [['a@x.com', 'b@x.com']])).toEqual([null, 'email'])
  expect(mapColumns('contacts', columns, [['a@x.com', '']])).toEqual(['email', 'email'])
  expect(fieldOf(['a@x.com'], 'Notes')).toBe('notes')
})

test('a column called after something else is one of addresses, if it holds nothing else and no other column does', () => {
  const rows = [
    ['ada@example.com', 'Ada'],
    ['bob@example.com', 'Bob'],
  ]
  expect(mapColumns('contacts', ['Contact', 'Who'], rows)).toEqual(['email', null])
  expect(mapColumns('contacts', ['Name'], [['Ada <ada@example.com>']])).toEqual(['full_name'])
  expect(mapColumns('contacts', ['Name', 'Email'], [['a@b.example', 'a@b.example']])).toEqual([
    'full_name',
    'email',
  ])
})

test('web addresses are the websites of companies', () => {
  const link = (...cells: string[]) => fieldOf(cells, 'x', 'companies')
  expect(link('https://acme.com', 'zeta.example/about', 'www.eta.co.uk')).toBe('website')
  expect(link('https://www.linkedin.com/company/acme')).toBeNull()
  expect(link('logo.png', 'Acme Inc.', '1.5')).toBeNull()
  expect(fieldOf(['https://acme.com'])).toBeNull()
})

test('addresses and numbers of companies are known by their cells, too', () => {
  const rows = [
    ['Acme', 'office@acme.example', '+44 20 1234567'],
    ['Zeta', 'hi@zeta.example', '+44 20 7654321'],
  ]
  expect(mapColumns('companies', ['Company Name', 'Reach', 'Line'], rows)).toEqual([
    'name',
    'emails',
    'phones',
  ])
})

test('without a header the column of names beside addresses is the full name', () => {
  const rows = [
    ['7', 'Ada Lovelace', 'ada@example.com'],
    ['8', 'Byron, Bob', 'bob@example.com'],
  ]
  const columns = ['Column 1', 'Column 2', 'Column 3']
  expect(mapColumns('contacts', columns, rows)).toEqual([null, 'full_name', 'email'])
  expect(mapColumns('contacts', ['Id', 'Text', 'Column 3'], rows)).toEqual([null, null, 'email'])
})

describe('without a header two columns of words', () => {
  const mapped = (...rows: string[][]) =>
    mapColumns('contacts', ['Column 1', 'Column 2', 'Column 3', 'Column 4'], rows)

  test('are first and last name where the addresses say so, in whatever order', () => {
    const ada = ['Ada', 'Lovelace', 'ada.lovelace@example.com', 'Analytical Engines']
    const more = [
      ['Zoë', 'van Beek', 'Zoe <z.vanbeek@example.com>', 'Beek Mills'],
      ['Bob', 'O’Brien', 'bob@example.org', 'Loom Works'],
      ['Ann', '', 'office@example.net', 'Mill Street'],
    ]
    const parts = ['first_name', 'last_name', 'email', null]
    expect(mapped(ada, ...more)).toEqual(parts)
    expect(mapped(['Ada', 'Lovelace', 'adal@example.com', 'A']).slice(0, 2)).toEqual([
      'first_name',
      'last_name',
    ])
    const swapped = [ada, ...more].map(([first = '', last = '', ...rest]) => [last, first, ...rest])
    expect(mapped(...swapped)).toEqual(['last_name', 'first_name', 'email', null])
  })

  test('may as well be a company and its city, and then stay what they are', () => {
    const others = [
      ['Acme', 'Berlin', 'info@acme.example', '1'],
      ['Zeta', 'Rome', 'zeta@mail.example', '2'],
      ['Eta', 'Oslo', 'eta@mail.example', '3'],
    ]
    expect(mapped(...others)).toEqual([null, null, 'email', null])
    // One that looks like a person among them changes nothing.
    expect(mapped(...others, ['Ada', 'Lovelace', 'ada.lovelace@x.example', '4'])).toEqual([
      null,
      null,
      'email',
      null,
    ])
  })
})
