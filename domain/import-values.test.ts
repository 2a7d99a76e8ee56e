import { describe, expect, test } from 'vitest'
import {
  cellValues,
  dayIn,
  dayOrderOf,
  isDayOrderDoubtful,
  momentIn,
  splitName,
} from './import-values.ts'

test('several values in one cell', () => {
  expect(cellValues('a@x.com ::: b@y.com')).toEqual(['a@x.com', 'b@y.com'])
  expect(cellValues('  ')).toEqual([])
})

test.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Ada King Lovelace', 'Ada King', 'Lovelace'],
  ['Lovelace, Ada', 'Ada', 'Lovelace'],
  ['Ada', 'Ada', ''],
  ['Lovelace, Ada, PhD', 'Ada, PhD', 'Lovelace'],
  ['Acme, ', 'Acme,', ''],
  ['', '', ''],
])('the name %s', (full, first_name, last_name) => {
  expect(splitName(full)).toEqual({ first_name, last_name })
})

describe('dates', () => {
  test('a day after the twelfth tells the order of the column, and else the sign between', () => {
    expect(dayOrderOf(['01/02/2026', '13/02/2026'])).toBe('day first')
    expect(dayOrderOf(['01.02.2026', '02.13.2026'])).toBe('month first')
    expect(dayOrderOf(['01/02/2026'])).toBe('month first')
    expect(dayOrderOf(['01.02.2026'])).toBe('day first')
    expect(dayOrderOf([])).toBe('month first')
  })

  test('the order is in doubt when every day could be a month', () => {
    expect(isDayOrderDoubtful(['01/02/2026', '03/04/2026'])).toBe(true)
    expect(isDayOrderDoubtful(['01/02/2026', '13/02/2026'])).toBe(false)
    expect(isDayOrderDoubtful(['02/02/2026', '2026-01-02'])).toBe(false)
    expect(isDayOrderDoubtful([])).toBe(false)
  })

  test.each([
    ['2026-11-15', '2026-11-15'],
    ['2026/1/5', '2026-01-05'],
    ['2026-11-15T08:30:00Z', '2026-11-15'],
    ['11/15/2026', '2026-11-15'],
    ['1/5/26', '2026-01-05'],
    ['15 Nov 2026', '2026-11-15'],
    ['November 15, 2026', '2026-11-15'],
    ['2026-02-30', null],
    ['13/13/2026', null],
    ['15 Foo 2026', null],
    ['soon', null],
    ['45123', null],
  ])('the day %s', (text, day) => {
    expect(dayIn(text, 'month first')).toBe(day)
  })

  test('the day first', () => {
    expect(dayIn('05.11.2026', 'day first')).toBe('2026-11-05')
  })

  test.each([
    ['2026-11-15T08:30:00.123Z', '2026-11-15T08:30:00.123Z'],
    ['2026-11-15 08:30:00+01:00', '2026-11-15T07:30:00.000Z'],
    ['2026-11-15', '2026-11-15T12:00:00.000Z'],
    ['11/15/2026 08:30', '2026-11-15T08:30:00.000Z'],
    ['2026-11-15 8:05', '2026-11-15T08:05:00.000Z'],
    ['2026-11-15 25:00', null],
    ['yesterday', null],
  ])('the moment %s', (text, moment) => {
    expect(momentIn(text, 'month first')).toBe(moment)
  })
})
