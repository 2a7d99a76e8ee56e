import { expect, test } from 'vitest'
import { localTime, momentAt } from './local-time.ts'

test.each([
  ['2026-11-15T13:05:00Z', 'UTC', '2026-11-15T13:05'],
  ['2026-11-15T23:30:00Z', 'Europe/Berlin', '2026-11-16T00:30'],
  ['2026-07-15T23:30:00Z', 'America/New_York', '2026-07-15T19:30'],
  ['2026-01-01T00:00:00Z', 'Asia/Kolkata', '2026-01-01T05:30'],
  ['2026-01-01T00:00:00Z', 'Pacific/Kiritimati', '2026-01-01T14:00'],
])('%s is on the clock of %s %s, and back', (moment, timeZone, local) => {
  expect(localTime(moment, timeZone)).toBe(local)
  expect(momentAt(local, timeZone)).toBe(new Date(moment).toISOString())
})

test('an hour that the clock shows twice means its first', () => {
  expect(momentAt('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z')
  expect(momentAt('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z')
})

test('an hour that the clock leaves out means the hour after', () => {
  expect(momentAt('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z')
  expect(localTime('2026-03-29T01:30:00Z', 'Europe/Berlin')).toBe('2026-03-29T03:30')
})

test.each(['', 'soon', '2026-13-01T00:00', '12026-01-01T00:00', '2026-01-01'])(
  '%j cannot be read',
  (local) => {
    expect(momentAt(local, 'Europe/Berlin')).toBeNull()
  },
)
