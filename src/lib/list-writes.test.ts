import { describe, expect, test } from 'vitest'
import { countAfter, type ListWrite, rowsOf, writeToPages } from './list-writes.ts'

type Row = { id: string; name: string }
const row = (name: string): Row => ({ id: name, name })
const byName = (one: Row, other: Row) => one.name.localeCompare(other.name)
const pages = (isWhole: boolean) => [
  { rows: [row('b'), row('d')], next: 'd' },
  { rows: [row('f'), row('h')], next: isWhole ? null : 'h' },
]
const namesAfter = (write: ListWrite<Row>, isWhole = true) =>
  rowsOf(writeToPages(pages(isWhole), write, byName)).map(({ name }) => name)

describe('a new row', () => {
  test.each([
    ['a', ['a', 'b', 'd', 'f', 'h']],
    ['e', ['b', 'd', 'e', 'f', 'h']],
    ['z', ['b', 'd', 'f', 'h', 'z']],
  ])('%s goes where it belongs', (name, expected) => {
    expect(namesAfter({ kind: 'add', row: row(name) })).toEqual(expected)
  })

  test('behind what has been read does not show yet', () => {
    expect(namesAfter({ kind: 'add', row: row('z') }, false)).toEqual(['b', 'd', 'f', 'h'])
  })

  test('that was read meanwhile is there once', () => {
    expect(namesAfter({ kind: 'add', row: row('d') })).toEqual(['b', 'd', 'f', 'h'])
  })

  test('is the first of an empty list', () => {
    const write: ListWrite<Row> = { kind: 'add', row: row('a') }
    expect(rowsOf(writeToPages([{ rows: [], next: null }], write, byName))).toEqual([row('a')])
  })
})

test('a change reaches the rows that are meant, on every page', () => {
  const matches = ({ id }: Row) => id === 'b' || id === 'h'
  expect(namesAfter({ kind: 'change', matches, to: { name: 'x' } })).toEqual(['x', 'd', 'f', 'x'])
})

test('a removal takes only the rows that are meant', () => {
  const matches = ({ id }: Row) => id > 'c' && id < 'g'
  expect(namesAfter({ kind: 'remove', matches, count: 2 })).toEqual(['b', 'h'])
})

test('what is given is left as it was', () => {
  const given = pages(true)
  writeToPages(given, { kind: 'add', row: row('a') }, byName)
  expect(given).toEqual(pages(true))
})

test('a row that is on two pages shows once', () => {
  const twice = [
    { rows: [row('a')], next: 'a' },
    { rows: [row('a'), row('b')], next: null },
  ]
  expect(rowsOf(twice)).toEqual([row('a'), row('b')])
})

test('the count follows, and never falls below nothing', () => {
  const matches = () => true
  expect(countAfter<Row>(3, [{ kind: 'add', row: row('a') }])).toBe(4)
  expect(countAfter<Row>(3, [{ kind: 'change', matches, to: {} }])).toBe(3)
  expect(countAfter<Row>(3, [{ kind: 'remove', matches, count: 5 }])).toBe(0)
})
