import type { Due } from './due-date-form.ts'
import { localTimeOf } from './local-time.ts'
import { dayNamed } from './next-step.ts'
import { dueOn } from './task-days.ts'

/** The choices of the snooze menu. */
export const snoozes = ['later today', 'tomorrow', 'next week'] as const
export type Snooze = (typeof snoozes)[number]

const hour = 3_600_000

/**
 * The new due date. Later today is in about three hours on the full hour, sooner in the evening, and null when the day
 * ends before. Tomorrow and next week keep the time of the task, or the whole day; a task without a due date gets the
 * morning. Next week is its first day.
 */
export function snoozedTo(
  snooze: Snooze,
  due: Due,
  { now, timeZone, weekStart }: { now: number; timeZone: string; weekStart: number },
): { due_date: string; due_all_day: boolean } | null {
  const today = localTimeOf(now, timeZone).slice(0, 10)
  if (snooze === 'later today') {
    const moments = [2.5, 0.5].map((ahead) => Math.ceil(now / hour + ahead) * hour)
    const later = moments.find((moment) => localTimeOf(moment, timeZone).startsWith(today))
    if (later === undefined) return null
    return { due_date: new Date(later).toISOString(), due_all_day: false }
  }
  return dueOn(dayNamed(snooze, { now, timeZone, weekStart }), due, timeZone)
}
