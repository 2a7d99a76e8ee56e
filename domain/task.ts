import { z } from 'zod/mini'
import { clockTime, dayInYear, dayOf, weekdayName } from './dates.ts'
import { dayBegins, daysAfter } from './local-time.ts'

export const priorities = ['low', 'medium', 'high', 'urgent'] as const
export type Priority = (typeof priorities)[number]

/** What a new task has. */
export const usualPriority = 'medium' as const satisfies Priority

export const repeats = ['daily', 'weekly', 'monthly', 'yearly', 'after'] as const
export type Repeat = (typeof repeats)[number]

/** What is to be done next for a record, as its card tells it. */
export const nextTask = z.nullable(
  z.object({ id: z.string(), title: z.string(), due_date: z.nullable(z.string()) }),
)

export const priorityNames: Record<Priority, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  urgent: 'Urgent',
}

const priorityLooks: Record<Priority, { color: string; icon: 'warning' | 'clock' }> = {
  low: { color: 'blue', icon: 'clock' },
  medium: { color: 'yellow', icon: 'clock' },
  high: { color: 'orange', icon: 'warning' },
  urgent: { color: 'red', icon: 'warning' },
}

/** Hue and icon of a priority; an unknown one looks like the usual one. */
export function priorityLook(priority: string): { color: string; icon: 'warning' | 'clock' } {
  return priorityLooks[priorities.find((each) => each === priority) ?? usualPriority]
}

type Timed = { completed: boolean; due_date: string | null }
export type TaskStatus = 'pending' | 'completed' | 'overdue'

/** Overdue means not completed and due before now. */
export function taskStatus({ completed, due_date }: Timed, now: number): TaskStatus {
  if (completed) return 'completed'
  return due_date && Date.parse(due_date) < now ? 'overdue' : 'pending'
}

/** Not completed, and due today. */
export function isDueToday({ completed, due_date }: Timed, now: number, timeZone: string): boolean {
  return !completed && due_date !== null && dayOf(due_date, timeZone) === dayOf(now, timeZone)
}

const dayLength = 86_400_000

/**
 * A short label for the due date: Overdue, Today, Tomorrow, the weekday within the next seven days, otherwise month
 * and day. The long form says 'Due Today' and 'Due Tomorrow'.
 */
export function dueLabel(
  dueDate: string,
  now: number,
  timeZone: string,
  form: 'short' | 'long',
): string {
  const due = Date.parse(dueDate)
  if (due < now) return 'Overdue'
  const day = dayOf(due, timeZone)
  const before = form === 'long' ? 'Due ' : ''
  if (day === dayOf(now, timeZone)) return `${before}Today`
  if (day === daysAfter(dayOf(now, timeZone), 1)) return `${before}Tomorrow`
  if (due - now < 7 * dayLength) return weekdayName(due, timeZone)
  return dayInYear(due, timeZone)
}

/** 'Nov 15, 14:05'; of a whole day 'Nov 15'. */
export function shownDue(
  { due_date, due_all_day }: { due_date: string; due_all_day: boolean },
  timeZone: string,
): string {
  if (!due_all_day) return shownTime(due_date, timeZone)
  return dayInYear(due_date, timeZone)
}

/** 'Nov 15, 14:05'. */
export function shownTime(moment: string, timeZone: string): string {
  return `${dayInYear(moment, timeZone)}, ${clockTime(moment, timeZone)}`
}

/** The share of completed tasks, in whole percent; 0 without any. */
export function completionRate({ completed, total }: { completed: number; total: number }): number {
  return total === 0 ? 0 : Math.round((completed / total) * 100)
}

export const taskCounts = z.object({
  total: z.number(),
  completed: z.number(),
  pending: z.number(),
  overdue: z.number(),
  due_today: z.number(),
  urgent: z.number(),
})

export type TaskCounts = z.output<typeof taskCounts>

type Counted = Timed & { priority: string }

/** The counters after one task has changed; null before for a new task, after for a deleted one. */
export function countsAfter<Counts extends TaskCounts>(
  counts: Counts,
  { before, after }: { before: Counted | null; after: Counted | null },
  now: number,
  timeZone: string,
): Counts {
  const [less, more] = [countsOf(before, now, timeZone), countsOf(after, now, timeZone)]
  const changed = Object.keys(less).map((name) => {
    const key = name as keyof TaskCounts // of an object with just these
    return [key, Math.max(0, counts[key] - less[key] + more[key])]
  })
  return { ...counts, ...Object.fromEntries(changed) }
}

function countsOf(task: Counted | null, now: number, timeZone: string): TaskCounts {
  const isPending = task?.completed === false
  return {
    total: Number(task !== null),
    completed: Number(task?.completed === true),
    pending: Number(isPending),
    overdue: Number(task !== null && taskStatus(task, now) === 'overdue'),
    due_today: Number(task !== null && isDueToday(task, now, timeZone)),
    urgent: Number(isPending && task.priority === 'urgent'),
  }
}

/** When the next day begins on the clock of this time zone. */
export function nextDayBegins(now: number, timeZone: string): number {
  return dayBegins(daysAfter(dayOf(now, timeZone), 1), timeZone)
}
