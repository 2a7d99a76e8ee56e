import { describe, expect, test } from 'vitest'
import { dueInputOf, keptDue, rescheduleSchema } from './due-date-form.ts'
import { unreadable } from './field-errors.ts'

const zone = 'Europe/Berlin'
const at = (due_date: string | null) => ({ due_date, due_all_day: false })
const on = (due_date: string) => ({ due_date, due_all_day: true })

test('a due date that still shows as before is kept to the second', () => {
  const before = at('2026-11-15T08:00:42+00:00')
  expect(keptDue(at('2026-11-15T08:00:00.000Z'), before, zone)).toEqual(before)
  // Half past two comes twice in this night; this is the second.
  const second = at('2026-10-25T01:30:00+00:00')
  expect(keptDue(at('2026-10-25T00:30:00.000Z'), second, zone)).toEqual(second)
  const later = at('2026-11-15T08:01:00.000Z')
  expect(keptDue(later, before, zone)).toEqual(later)
  expect(keptDue(at(null), before, zone)).toEqual(at(null))
})

test('an hour that was taken away or added is a change, even where the minute is the same', () => {
  const whole = on('2026-11-15T22:59:59.000Z')
  const timed = at('2026-11-15T22:59:00.000Z')
  expect(keptDue(whole, timed, zone)).toEqual(whole)
  expect(keptDue(timed, whole, zone)).toEqual(timed)
  expect(keptDue(whole, on('2026-11-15T22:59:59+00:00'), zone).due_date).toBe(
    '2026-11-15T22:59:59+00:00',
  )
})

test('a form shows a whole day without a time', () => {
  expect(dueInputOf(on('2026-11-15T22:59:59Z'), zone)).toEqual({
    due_date: '2026-11-15',
    due_time: '',
  })
  expect(dueInputOf(at('2026-11-15T08:00:00Z'), zone)).toEqual({
    due_date: '2026-11-15',
    due_time: '09:00',
  })
  expect(dueInputOf(at(null), zone)).toEqual({ due_date: '', due_time: '' })
})

describe('what is typed', () => {
  const read = (due_date: string, due_time: string, timeZone = zone) => {
    const result = rescheduleSchema(timeZone).safeParse({ due_date, due_time })
    return result.success
      ? result.data
      : result.error.issues.map(({ path, message }) => `${path}: ${message}`)
  }

  test.each([
    ['2026-11-15', '09:00', zone, at('2026-11-15T08:00:00.000Z')],
    ['2026-11-15', '', zone, on('2026-11-15T22:59:59.000Z')],
    ['2026-11-15', '', 'America/New_York', on('2026-11-16T04:59:59.000Z')],
    ['2026-11-15', '', 'Pacific/Auckland', on('2026-11-15T10:59:59.000Z')],
    // The day of 25 hours, and one after which the clock skips the hour after midnight.
    ['2026-10-25', '', zone, on('2026-10-25T22:59:59.000Z')],
    ['2026-09-05', '', 'America/Santiago', on('2026-09-06T03:59:59.000Z')],
  ])('%s %s in %s', (day, time, timeZone, due) => {
    expect(read(day, time, timeZone)).toEqual(due)
  })

  test.each([
    ['', '', 'due_date: Enter a date.'],
    [unreadable, '', 'due_date: Enter a date.'],
    ['', '09:00', 'due_date: Enter the date of this time.'],
    ['2026-11-15', unreadable, 'due_time: Enter a time, or leave it empty.'],
    ['2026-02-31', '09:00', 'due_date: This day doesn’t exist.'],
    ['2026-02-31', '', 'due_date: This day doesn’t exist.'],
    [
      '2026-03-29',
      '02:30',
      'due_time: This time doesn’t exist on that day: the clocks go forward.',
    ],
    ['1800-01-01', '', 'due_date: Enter a date between 1900 and 2200.'],
    ['0026-11-15', '09:00', 'due_date: Enter a date between 1900 and 2200.'],
  ])('%s %s is refused: %s', (day, time, message) => {
    expect(read(day, time)).toEqual([message])
  })

  test('the last day ends after the year 2200 in the west', () => {
    expect(read('2200-12-31', '', 'America/New_York')).toEqual([
      'due_date: Enter a date between 1900 and 2200.',
    ])
    expect(read('2200-12-31', '')).toEqual(on('2200-12-31T22:59:59.000Z'))
  })
})
