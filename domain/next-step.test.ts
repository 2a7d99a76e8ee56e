import { describe, expect, test } from 'vitest'
import { nextStepOf, nextStepSchema } from './next-step.ts'
import { dayNamed } from './step-days.ts'

const timeZone = 'Europe/Berlin'
// A Sunday in Berlin, and still the Saturday in New York.
const now = Date.parse('2026-11-14T23:30:00Z')

describe('the day that a word means', () => {
  test.each([
    ['today', 'Europe/Berlin', 1, '2026-11-15'],
    ['today', 'America/New_York', 1, '2026-11-14'],
    ['tomorrow', 'Europe/Berlin', 1, '2026-11-16'],
    ['next week', 'Europe/Berlin', 1, '2026-11-16'],
    ['next week', 'Europe/Berlin', 0, '2026-11-22'],
    ['next week', 'America/New_York', 1, '2026-11-16'],
  ] as const)('%s in %s, weeks from %i: %s', (name, zone, weekStart, day) => {
    expect(dayNamed(name, { now, timeZone: zone, weekStart })).toBe(day)
  })
})

const line = { next_name: '', next_time: '' }

test('a step is due at its hour, on its whole day, or on none', () => {
  expect(nextStepOf({ ...line, next_title: 'Call', next_day: '2026-11-16' }, timeZone)).toEqual({
    title: 'Call',
    due_date: '2026-11-16T22:59:59.000Z',
    due_all_day: true,
  })
  expect(nextStepOf({ ...line, next_title: 'Call', next_day: '' }, timeZone)).toEqual({
    title: 'Call',
    due_date: null,
    due_all_day: false,
  })
  const monday = { next_title: 'Call Monday 10am', next_day: '2026-11-16', next_name: 'Call' }
  expect(nextStepOf({ ...monday, next_time: '10:00' }, timeZone)).toEqual({
    title: 'Call',
    due_date: '2026-11-16T09:00:00.000Z',
    due_all_day: false,
  })
  expect(nextStepOf({ ...line, next_title: null, next_day: '2026-11-16' }, timeZone)).toBeNull()
})

test('the line on its own needs words, and a day that there is', () => {
  const messages = (next_title: string, next_day: string) =>
    nextStepSchema(timeZone)
      .safeParse({ ...line, next_title, next_day })
      .error?.issues.map(({ message }) => message)
  expect(messages('Call', '2026-11-16')).toBeUndefined()
  expect(messages('  ', '')).toEqual(['Enter the next step.'])
  expect(messages('Call', '2026-02-31')).toEqual(['This day doesn’t exist.'])
})
