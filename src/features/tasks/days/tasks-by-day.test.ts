import { expect, test } from 'vitest'
import type { Task } from '../queries.ts'
import { unplannedTasks } from './tasks-by-day.ts'

const week = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21']
const now = Date.parse('2026-11-18T12:00:00Z')

const task = (id: string, due_date: string | null, completed = false) =>
  ({ id, due_date, completed }) as Task

test('to be put on a day: what is overdue from another week, and what has no date; each once', () => {
  const tasks = [
    task('of the week before', '2026-11-13T10:00:00Z'),
    // Its day shows it.
    task('overdue this week', '2026-11-17T10:00:00Z'),
    // In Berlin it is Monday already.
    task('on the edge', '2026-11-15T23:30:00Z'),
    task('next week', '2026-11-25T10:00:00Z'),
    task('some day', null),
    task('done', null, true),
  ]
  const found = unplannedTasks(tasks, week, now, 'Europe/Berlin')
  expect(found.map(({ day, tasks: of }) => [day, of.map(({ id }) => id)])).toEqual([
    ['overdue', ['of the week before']],
    ['none', ['some day']],
  ])
  expect(unplannedTasks(tasks.slice(1, 4), week, now, 'Europe/Berlin')).toEqual([])
})
