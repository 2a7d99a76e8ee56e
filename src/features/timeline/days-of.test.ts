import { expect, test } from 'vitest'
import { daysOf } from './days-of.ts'

const entries = [
  { at: '2026-11-16T22:30:00Z' },
  { at: '2026-11-16T08:00:00Z' },
  { at: '2026-11-15T23:30:00Z' },
]

test('a day is called otherwise after midnight, and is the same', () => {
  const before = daysOf(entries, Date.parse('2026-11-16T23:59:00Z'), 'UTC')
  const after = daysOf(entries, Date.parse('2026-11-17T00:01:00Z'), 'UTC')
  expect(before.map(({ heading }) => heading)).toEqual(['Today', 'Yesterday'])
  expect(after.map(({ heading }) => heading)).toEqual(['Yesterday', 'November 15, 2026'])
  expect(after.map(({ day }) => day)).toEqual(before.map(({ day }) => day))
})

test('days are those of the time zone', () => {
  const days = daysOf(entries, Date.parse('2026-11-16T22:45:00Z'), 'Europe/Berlin')
  expect(days.map(({ heading, entries: its }) => [heading, its.length])).toEqual([['Today', 3]])
})
