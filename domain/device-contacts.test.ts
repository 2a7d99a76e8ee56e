import { describe, expect, test } from 'vitest'
import {
  bestIn,
  changedPart,
  type DeviceRow,
  foundIn,
  matcher,
  nameLength,
  partOf,
  rankOf,
  searchIndex,
  searchText,
} from './device-contacts.ts'

function row(
  id: string,
  rest: Partial<Record<'first' | 'last' | 'email' | 'phone' | 'company', string>> = {},
): DeviceRow {
  const { first = null, last = null, email = null, phone = null, company = null } = rest
  return [
    id,
    first,
    last,
    email,
    phone,
    null,
    company,
    null,
    'New',
    '2026-11-18T00:00:00Z',
    null,
    null,
  ]
}

describe('what a contact is found by', () => {
  const ada = row('a', {
    first: 'Zoë',
    last: 'Łukasz',
    email: 'zoe@Engine.example',
    phone: '+49 (30) 123-4567',
    company: 'Straße & Söhne',
  })
  const more: DeviceRow = [
    ...row('b').slice(0, 10),
    [{ label: '', value: 'second@mail.example' }],
    [
      { label: '', value: '1 222' },
      { label: 'Work', value: '040 99 88 77' },
    ],
  ] as unknown as DeviceRow

  test.each([
    ['zoe', ada],
    ['LUKASZ', ada],
    ['lukasz zoe', ada],
    ['engine.example', ada],
    ['strasse sohne', ada],
    ['301234567', ada],
    ['030 1234567', ada],
    ['123 4567', ada],
    ['second@mail', more],
    ['998877', more],
  ])('%s', (typed, contact) => {
    expect(matcher(typed)(searchText(contact))).toBe(true)
  })

  test.each(['zoe byron', '99', '7654321', 'q'])('not %s', (typed) => {
    expect(matcher(typed)(searchText(ada))).toBe(false)
  })
})

test('called so, begins so, has a word that begins so, holds it', () => {
  const titles = ['Ada', 'Ada Byron', 'Dr Ada', 'Nevada']
  expect(titles.map((title) => rankOf(title, 'ada '))).toEqual([0, 1, 2, 3])
})

test('a contact belongs to the part that begins before it', () => {
  const starts = ['b', 'f', 'k']
  expect(['a', 'b', 'e', 'f', 'z'].map((id) => partOf(starts, id))).toEqual([0, 0, 0, 1, 2])
  expect(partOf([''], 'x')).toBe(0)
})

test('a changed part has each contact once, in the order of ids', () => {
  const part = [row('a', { first: 'Ada' }), row('c', { first: 'Cleo' }), row('d')]
  const changed = changedPart(part, [row('b'), row('c', { first: 'Clio' })], new Set(['d', 'x']))
  expect(changed.map(([id, first]) => [id, first])).toEqual([
    ['a', 'Ada'],
    ['b', null],
    ['c', 'Clio'],
  ])
})

test('a search through all finds the rows that a look at each would', () => {
  const texts = ['ada byron 4420', 'bob acme', '', 'ada acme 123', 'nevada 4420ada']
  const index = searchIndex(texts)
  for (const typed of ['ada', 'acme ada', '4420', '0044 20', 'n', 'zzz', 'byron ada']) {
    const matches = matcher(typed)
    const one = texts.flatMap((text, place) => (matches(text) ? [place] : []))
    expect(foundIn(index, typed), typed).toEqual(one)
  }
})

test('the best are those that the rank of each name says', () => {
  const names = [
    'Ada',
    'Ada Byron',
    'Zoë',
    'Łukasz Ada',
    'Bernada',
    'ÆØ Ada',
    '',
    'Adam',
    'Dada Ada',
  ]
  const companies = [null, 'Ada & Sons', 'Byron']
  const rows = Array.from({ length: 200 }, (_, n) => {
    const [first = '', last] = (names[n % names.length] ?? '').split(' ')
    const company = companies[n % companies.length] ?? undefined
    return row(`${n}`, {
      first,
      ...(last ? { last } : {}),
      ...(company ? { company } : {}),
      email: `ada${n}@x.example`,
    })
  })
  const index = searchIndex(rows.map(searchText))
  for (const typed of [
    'ada',
    'Ada ',
    'ada byron',
    'byron',
    'łukasz',
    'æ',
    'x.example',
    'ada &',
    'zo',
  ]) {
    const plain = foundIn(index, typed)
      .map((place) => {
        const [, first, last] = rows[place] ?? row('')
        const name = [first, last].filter(Boolean).join(' ')
        return { place, rank: rankOf(name, typed) }
      })
      .sort((one, other) => one.rank - other.rank || one.place - other.place)
    for (const most of [3, 20, 500]) {
      expect(bestIn(index, rows.map(nameLength), typed, most)).toEqual(plain.slice(0, most))
    }
  }
})
