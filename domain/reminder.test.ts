import { expect, test } from 'vitest'
import { nextDue, toAnnounce } from './reminder.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const since = now - 3_600_000
const timeZone = 'Europe/Berlin'
const task = (id: string, due_date: string | null, completed = false) => ({
  id,
  due_date,
  due_all_day: false,
  completed,
})

test('announces what has fallen due since then, once', () => {
  const tasks = [
    task('due', '2026-11-15T12:00:00+00:00'),
    task('a moment ago', '2026-11-15T11:59:00+00:00'),
    task('long ago', '2026-11-15T10:00:00+00:00'),
    task('soon', '2026-11-15T12:00:00.001+00:00'),
    task('never', null),
    task('done', '2026-11-15T12:00:00+00:00', true),
  ]
  const first = toAnnounce(tasks, {}, { since, now, timeZone })
  expect(first.due.map(({ id }) => id)).toEqual(['due', 'a moment ago'])
  expect(toAnnounce(tasks, first.announced, { since, now, timeZone }).due).toEqual([])
})

test('a task that was put off is announced again', () => {
  const { announced } = toAnnounce(
    [task('a', '2026-11-15T12:00:00Z')],
    {},
    { since, now, timeZone },
  )
  const later = [task('a', '2026-11-15T15:00:00Z')]
  const times = { since, now: now + 3 * 3_600_000, timeZone }
  expect(toAnnounce(later, announced, times).due).toEqual(later)
})

test('what is older than two days is forgotten', () => {
  const { announced } = toAnnounce(
    [],
    { old: now - 172_800_000, new: now - 1000 },
    { since, now, timeZone },
  )
  expect(announced).toEqual({ new: now - 1000 })
})

test('the next that falls due', () => {
  const tasks = [
    task('past', '2026-11-15T11:00:00Z'),
    task('later', '2026-11-15T14:00:00Z'),
    task('next', '2026-11-15T13:00:00Z'),
    task('done', '2026-11-15T12:30:00Z', true),
    task('never', null),
  ]
  expect(nextDue(tasks, now, timeZone)).toBe(Date.parse('2026-11-15T13:00:00Z'))
  expect(nextDue([], now, timeZone)).toBeNull()
})

test('of a whole day it is reminded in its morning', () => {
  const wholeDay = { ...task('day', '2026-11-15T22:59:59Z'), due_all_day: true }
  const nine = Date.parse('2026-11-15T08:00:00Z')
  expect(nextDue([wholeDay], nine - 1, timeZone)).toBe(nine)
  const times = { since: nine - 1000, timeZone }
  expect(toAnnounce([wholeDay], {}, { ...times, now: nine - 1 }).due).toEqual([])
  expect(toAnnounce([wholeDay], {}, { ...times, now: nine }).due).toEqual([wholeDay])
})
