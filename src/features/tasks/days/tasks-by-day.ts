import { dayOf } from '#domain/dates.ts'
import { agendaDay } from '#domain/task-days.ts'
import { grouped } from '#lib/grouped.ts'
import type { Task } from '../queries.ts'

/** Tasks under the day of their due date, overdue or not; those without one under ''. */
export function tasksByDay(tasks: Task[], timeZone: string): [string, Task[]][] {
  return grouped(tasks, ({ due_date }) => (due_date ? dayOf(due_date, timeZone) : ''))
}

/** What is to be put on a day of a week: the open tasks that are overdue, but from another week, and those without a date. */
export function unplannedTasks(tasks: Task[], week: string[], now: number, timeZone: string) {
  return (['overdue', 'none'] as const).flatMap((day) => {
    const ofDay = tasks.filter(
      (task) =>
        !task.completed &&
        agendaDay(task, now, timeZone) === day &&
        !(task.due_date && week.includes(dayOf(task.due_date, timeZone))),
    )
    return ofDay.length > 0 ? [{ day, tasks: ofDay }] : []
  })
}
