import { describe, expect, test } from 'vitest'
import { dayOf, fromNow, longDay, shownDate, shownDay, shownMoment } from './dates.ts'

const newYear = '2026-12-31T23:30:00Z'

describe.each([
  ['UTC', 'Dec 31, 2026', 'December 31, 2026', 'Dec 31, 2026, 23:30', '2026-12-31'],
  ['Europe/Berlin', 'Jan 1, 2027', 'January 1, 2027', 'Jan 1, 2027, 00:30', '2027-01-01'],
  ['America/New_York', 'Dec 31, 2026', 'December 31, 2026', 'Dec 31, 2026, 18:30', '2026-12-31'],
])('in %s', (timeZone, short, long, whole, day) => {
  test('the same moment is on its own day', () => {
    expect(shownDay(newYear, timeZone)).toBe(short)
    expect(longDay(newYear, timeZone)).toBe(long)
    expect(shownMoment(newYear, timeZone)).toBe(whole)
    expect(dayOf(newYear, timeZone)).toBe(day)
  })
})

test('a day without a time is the same everywhere', () => {
  expect(shownDate('2026-01-01')).toBe('Jan 1, 2026')
})

test.each([
  ['2026-11-15T12:00:20Z', 'just now'],
  ['2026-11-15T11:59:01Z', 'just now'],
  ['2026-11-15T11:58:00Z', '2 minutes ago'],
  ['2026-11-15T10:59:00Z', '1 hour ago'],
  ['2026-11-14T11:00:00Z', 'yesterday'],
  ['2026-11-18T12:00:00Z', 'in 3 days'],
  ['2026-11-08T12:00:01Z', '6 days ago'],
  ['2026-11-08T12:00:00Z', 'Nov 8, 2026'],
])('%s is %s at noon', (moment, words) => {
  expect(fromNow(moment, Date.parse('2026-11-15T12:00:00Z'), 'UTC')).toBe(words)
})
