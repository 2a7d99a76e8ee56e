import { describe, expect, test } from 'vitest'
import {
  completionRate,
  countsAfter,
  dueLabel,
  isDueToday,
  nextDayBegins,
  priorityLook,
  shownDue,
  taskStatus,
} from './task.ts'

const noon = Date.parse('2026-11-15T12:00:00Z') // a Sunday

test.each([
  ['low', 'blue', 'clock'],
  ['medium', 'yellow', 'clock'],
  ['high', 'orange', 'warning'],
  ['urgent', 'red', 'warning'],
  ['whatever', 'yellow', 'clock'],
])('priority %s is %s with a %s icon', (priority, color, icon) => {
  expect(priorityLook(priority)).toEqual({ color, icon })
})

describe('status', () => {
  test.each([
    [false, null, 'pending'],
    [false, '2026-11-15T12:00:00Z', 'pending'],
    [false, '2026-11-15T11:59:59.999Z', 'overdue'],
    [true, '2020-01-01T00:00:00Z', 'completed'],
  ])('completed %s, due %s: %s', (completed, due_date, status) => {
    expect(taskStatus({ completed, due_date }, noon)).toBe(status)
  })
})

describe('the label of the due date', () => {
  test.each([
    ['2026-11-15T11:00:00Z', 'Overdue', 'Overdue'],
    ['2026-11-15T23:59:00Z', 'Today', 'Due Today'],
    ['2026-11-16T00:00:00Z', 'Tomorrow', 'Due Tomorrow'],
    ['2026-11-17T00:00:00Z', 'Tuesday', 'Tuesday'],
    ['2026-11-22T11:59:00Z', 'Sunday', 'Sunday'],
    ['2026-11-22T12:00:00Z', 'Nov 22', 'Nov 22'],
    ['2027-01-03T12:00:00Z', 'Jan 3', 'Jan 3'],
  ])('%s is %s', (due, short, long) => {
    expect(dueLabel(due, noon, 'UTC', 'short')).toBe(short)
    expect(dueLabel(due, noon, 'UTC', 'long')).toBe(long)
  })

  test.each([
    // Ten minutes before midnight in Berlin.
    ['2026-11-15T22:50:00Z', '2026-11-15T22:59:00Z', 'Europe/Berlin', 'Today'],
    ['2026-11-15T22:50:00Z', '2026-11-15T23:00:00Z', 'Europe/Berlin', 'Tomorrow'],
    ['2026-11-15T22:50:00Z', '2026-11-15T23:00:00Z', 'America/New_York', 'Today'],
    ['2026-11-15T23:30:00Z', '2026-11-16T00:30:00Z', 'Asia/Tokyo', 'Today'],
    // The night in which the clock goes back, and the one in which it goes forward.
    ['2026-10-24T22:30:00Z', '2026-10-25T22:30:00Z', 'Europe/Berlin', 'Today'],
    ['2026-10-24T22:30:00Z', '2026-10-25T23:30:00Z', 'Europe/Berlin', 'Tomorrow'],
    ['2026-03-28T23:30:00Z', '2026-03-29T21:30:00Z', 'Europe/Berlin', 'Today'],
    ['2026-03-28T23:30:00Z', '2026-03-29T22:30:00Z', 'Europe/Berlin', 'Tomorrow'],
  ])('at %s, due %s in %s: %s', (now, due, timeZone, label) => {
    expect(dueLabel(due, Date.parse(now), timeZone, 'short')).toBe(label)
    const isToday = isDueToday({ completed: false, due_date: due }, Date.parse(now), timeZone)
    expect(isToday).toBe(label === 'Today')
  })
})

test('month, day and time as people write them', () => {
  const at = (due_date: string) => ({ due_date, due_all_day: false })
  expect(shownDue(at('2026-11-05T08:05:00Z'), 'UTC')).toBe('Nov 5, 08:05')
  expect(shownDue(at('2026-11-05T23:05:00Z'), 'Europe/Berlin')).toBe('Nov 6, 00:05')
  const wholeDay = { due_date: '2026-11-05T22:59:59Z', due_all_day: true }
  expect(shownDue(wholeDay, 'Europe/Berlin')).toBe('Nov 5')
})

test.each([
  [0, 0, 0],
  [1, 3, 33],
  [2, 3, 67],
  [3, 3, 100],
])('%i of %i is %i %', (completed, total, rate) => {
  expect(completionRate({ completed, total })).toBe(rate)
})

describe('counters after a write', () => {
  const counts = { total: 5, completed: 1, pending: 4, overdue: 1, due_today: 2, urgent: 1 }
  const late = { completed: false, due_date: '2026-11-15T08:00:00Z', priority: 'urgent' }

  test('a tick takes a task from the pending, the overdue and the urgent', () => {
    const done = { ...late, completed: true }
    expect(countsAfter(counts, { before: late, after: done }, noon, 'UTC')).toEqual({
      total: 5,
      completed: 2,
      pending: 3,
      overdue: 0,
      due_today: 1,
      urgent: 0,
    })
    expect(countsAfter(counts, { before: done, after: late }, noon, 'UTC')).toMatchObject({
      completed: 0,
      overdue: 2,
    })
  })

  test('a new one adds, a deleted one takes away, and nothing falls below none', () => {
    const plain = { completed: false, due_date: null, priority: 'low' }
    expect(countsAfter(counts, { before: null, after: plain }, noon, 'UTC')).toEqual({
      ...counts,
      total: 6,
      pending: 5,
    })
    const none = { ...counts, total: 0, pending: 0 }
    expect(countsAfter(none, { before: plain, after: null }, noon, 'UTC')).toEqual(none)
  })
})

test.each([
  ['2026-11-15T12:00:00Z', 'UTC', '2026-11-16T00:00:00.000Z'],
  ['2026-11-15T23:30:00Z', 'Europe/Berlin', '2026-11-16T23:00:00.000Z'],
  // The day after is one of twenty-five hours, and one that begins at one o’clock.
  ['2026-10-25T10:00:00Z', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2026-04-23T12:00:00Z', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
])('after %s in %s the next day begins at %s', (now, timeZone, begins) => {
  expect(new Date(nextDayBegins(Date.parse(now), timeZone)).toISOString()).toBe(begins)
})
