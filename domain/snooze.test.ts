import { expect, test } from 'vitest'
import type { Due } from './due-date-form.ts'
import { type Snooze, snoozesOf } from './snooze.ts'

const clock = { now: Date.parse('2026-11-13T10:20:00Z'), timeZone: 'Europe/Berlin', weekStart: 1 } // a Friday

const at = (due_date: string | null) => ({ due_date, due_all_day: false })
const day = (due_date: string) => ({ due_date, due_all_day: true })

const snoozedTo = (name: Snooze, due: Due, when: typeof clock) =>
  snoozesOf(due, when).find(({ snooze }) => snooze === name)?.due ?? null
const offered = (due: Due, now = clock.now) =>
  snoozesOf(due, { ...clock, now }).map((each) => [each.snooze, each.due.due_date])

test.each([
  ['later today', null, '2026-11-13T13:00:00.000Z'],
  ['tomorrow', null, '2026-11-14T08:00:00.000Z'],
  ['tomorrow', '2026-11-01T13:30:00Z', '2026-11-14T13:30:00.000Z'],
  ['next week', null, '2026-11-16T08:00:00.000Z'],
  ['next week', '2026-10-01T12:00:00Z', '2026-11-16T13:00:00.000Z'],
] as const)('%s of %s is %s', (snooze, due, moment) => {
  expect(snoozedTo(snooze, at(due), clock)).toEqual(at(moment))
})

test('a whole day is put off to a whole day, and to an hour where one is meant', () => {
  const wholeDay = { due_date: '2026-11-13T22:59:59Z', due_all_day: true }
  expect(snoozedTo('tomorrow', wholeDay, clock)).toEqual({
    due_date: '2026-11-14T22:59:59.000Z',
    due_all_day: true,
  })
  expect(snoozedTo('next week', wholeDay, clock)).toEqual({
    due_date: '2026-11-16T22:59:59.000Z',
    due_all_day: true,
  })
  expect(snoozedTo('later today', wholeDay, clock)).toEqual(at('2026-11-13T13:00:00.000Z'))
})

test('next week is a whole week away on its first day, and begins when the user’s does', () => {
  const sunday = { ...clock, now: Date.parse('2026-11-15T10:00:00Z'), weekStart: 0 }
  expect(snoozedTo('next week', at(null), sunday)).toEqual(at('2026-11-22T08:00:00.000Z'))
})

test.each([
  ['2026-11-13T17:29:00Z', '2026-11-13T20:00:00.000Z'],
  ['2026-11-13T20:31:00Z', '2026-11-13T22:00:00.000Z'],
  ['2026-11-13T21:45:00Z', null],
  ['2026-11-13T22:59:00Z', null],
])('later today at %s is %s', (now, moment) => {
  expect(snoozedTo('later today', at(null), { ...clock, now: Date.parse(now) })).toEqual(
    moment && at(moment),
  )
})

test('over the night in which the clock goes forward', () => {
  const before = { ...clock, now: Date.parse('2026-03-28T10:00:00Z') }
  expect(snoozedTo('tomorrow', at('2026-03-27T01:30:00Z'), before)).toEqual(
    at('2026-03-29T07:00:00.000Z'),
  )
  expect(snoozedTo('tomorrow', at('2026-03-27T08:00:00Z'), before)).toEqual(
    at('2026-03-29T07:00:00.000Z'),
  )
})

test('a task of a later day is put off by days; nothing moves it nearer or leaves it where it is', () => {
  // Due on the first day of next week.
  expect(offered(at('2026-11-16T08:00:00Z'))).toEqual([
    ['a day later', '2026-11-17T08:00:00.000Z'],
    ['a week later', '2026-11-23T08:00:00.000Z'],
  ])
  // Due tomorrow.
  expect(offered(day('2026-11-14T22:59:59Z'))).toEqual([
    ['next week', '2026-11-16T22:59:59.000Z'],
    ['a day later', '2026-11-15T22:59:59.000Z'],
    ['a week later', '2026-11-21T22:59:59.000Z'],
  ])
  // On a Sunday, tomorrow is the first day of next week.
  const sunday = Date.parse('2026-11-15T10:00:00Z')
  expect(offered(at(null), sunday).map(([name]) => name)).toEqual(['later today', 'tomorrow'])
})

test('later today is after the hour at which the task is due', () => {
  expect(offered(at('2026-11-13T15:30:00Z'))[0]).toEqual([
    'later today',
    '2026-11-13T18:00:00.000Z',
  ])
  expect(offered(at('2026-11-13T22:15:00Z')).map(([name]) => name)).toEqual([
    'tomorrow',
    'next week',
  ])
})
