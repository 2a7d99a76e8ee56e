import { expect, test } from 'vitest'
import { dayHeading } from './day-heading.ts'

test.each([
  ['2026-11-15T10:00:00Z', '2026-11-15T23:00:00Z', 'UTC', 'Today'],
  // Eleven at night in Greenwich is the next day in Berlin.
  ['2026-11-15T10:00:00Z', '2026-11-15T23:00:00Z', 'Europe/Berlin', 'Tomorrow'],
  ['2026-11-15T23:30:00Z', '2026-11-15T22:30:00Z', 'Europe/Berlin', 'Yesterday'],
  ['2026-11-15T23:30:00Z', '2026-11-15T22:30:00Z', 'America/New_York', 'Today'],
  // A day of 25 hours.
  ['2026-10-25T23:30:00Z', '2026-10-25T00:30:00Z', 'Europe/Berlin', 'Yesterday'],
  ['2026-11-15T10:00:00Z', '2026-11-13T10:00:00Z', 'UTC', 'November 13, 2026'],
])('at %s the day of %s in %s is %s', (now, moment, timeZone, heading) => {
  expect(dayHeading(moment, Date.parse(now), timeZone)).toBe(heading)
})
