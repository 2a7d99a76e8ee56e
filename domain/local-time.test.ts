import { describe, expect, test } from 'vitest'
import { localTimeOf, momentOf } from './local-time.ts'

describe.each([
  ['UTC', '2026-03-29T02:30', '2026-03-29T02:30:00.000Z'],
  ['Europe/Berlin', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  // Twice there: the first.
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ['Asia/Kolkata', '2026-01-01T00:00', '2025-12-31T18:30:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01T00:00', '2025-12-31T10:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-01-01T00:00', '2026-01-01T11:00:00.000Z'],
  ['Asia/Kathmandu', '2026-06-15T12:34', '2026-06-15T06:49:00.000Z'],
  ['Australia/Lord_Howe', '2026-07-01T08:00', '2026-06-30T21:30:00.000Z'],
  ['UTC', '2024-02-29T10:00', '2024-02-29T10:00:00.000Z'],
  ['UTC', '1900-01-01T00:00', '1900-01-01T00:00:00.000Z'],
])('in %s', (timeZone, local, moment) => {
  test(`${local} is ${moment}, and back`, () => {
    expect(momentOf(local, timeZone)).toEqual({ moment })
    expect(localTimeOf(moment, timeZone)).toBe(local)
  })
})

test.each([
  ['Europe/Berlin', '2026-03-29T02:30', 'skipped hour'],
  ['America/New_York', '2026-03-08T02:00', 'skipped hour'],
  // A whole day that Samoa left out.
  ['Pacific/Apia', '2011-12-30T12:00', 'skipped hour'],
  ['UTC', '2026-02-31T10:00', 'no such day'],
  ['UTC', '2026-02-29T10:00', 'no such day'],
  ['UTC', '2026-13-01T10:00', 'no such day'],
  ['UTC', '2026-01-01T24:00', 'unreadable'],
  ['UTC', 'tomorrow', 'unreadable'],
  ['UTC', '', 'unreadable'],
])('in %s, %j is no moment: %s', (timeZone, local, problem) => {
  expect(momentOf(local, timeZone)).toEqual({ problem })
})
