import { dayOf } from '#domain/dates.ts'
import { grouped } from '#lib/grouped.ts'
import type { Task } from '../queries.ts'

/** Tasks under the day of their due date, overdue or not; those without one under ''. */
export function tasksByDay(tasks: Task[], timeZone: string): [string, Task[]][] {
  return grouped(tasks, ({ due_date }) => (due_date ? dayOf(due_date, timeZone) : ''))
}
