import { dayOf } from './dates.ts'
import type { Due } from './due-date-form.ts'
import { daysAfter } from './local-time.ts'
import { dayNamed } from './step-days.ts'
import { dueOn } from './task-days.ts'

/** The choices of the snooze menu. The last two are for tasks that are due on a later day. */
const snoozes = ['later today', 'tomorrow', 'next week', 'a day later', 'a week later'] as const
export type Snooze = (typeof snoozes)[number]

type Clock = { now: number; timeZone: string; weekStart: number }
type Snoozed = { due_date: string; due_all_day: boolean }

const hour = 3_600_000

/**
 * What a task can be put off to: only what is later than its due date, each moment once. A task of a later day is put
 * off by days, because tomorrow may be before it.
 */
export function snoozesOf(due: Due, clock: Clock): { snooze: Snooze; due: Snoozed }[] {
  const offered: { snooze: Snooze; due: Snoozed }[] = []
  for (const snooze of snoozes) {
    const to = snoozedTo(snooze, due, clock)
    if (to === null || !isPutOff(due, to, clock.timeZone)) continue
    if (offered.some((other) => other.due.due_date === to.due_date)) continue
    offered.push({ snooze, due: to })
  }
  return offered
}

/** For a task that is due on a whole day, an hour of that day counts as later: the task is hidden until then. */
function isPutOff({ due_date, due_all_day }: Due, to: Snoozed, timeZone: string): boolean {
  if (due_date === null) return true
  if (due_all_day && !to.due_all_day) {
    return dayOf(to.due_date, timeZone) >= dayOf(due_date, timeZone)
  }
  return Date.parse(to.due_date) > Date.parse(due_date)
}

/**
 * The new due date. Later today is about three hours from now, or from the hour at which the task is due, on the full
 * hour, sooner in the evening, and null when the day ends before. The others keep the time of the task, or the whole
 * day; a task without a due date gets the morning. Next week is its first day.
 */
function snoozedTo(snooze: Snooze, due: Due, clock: Clock): Snoozed | null {
  const { now, timeZone } = clock
  const today = dayOf(now, timeZone)
  if (snooze === 'later today') {
    const from = due.due_date && !due.due_all_day ? Math.max(now, Date.parse(due.due_date)) : now
    const moments = [2.5, 0.5].map((ahead) => Math.ceil(from / hour + ahead) * hour)
    const later = moments.find((moment) => dayOf(moment, timeZone) === today)
    if (later === undefined) return null
    return { due_date: new Date(later).toISOString(), due_all_day: false }
  }
  if (snooze === 'tomorrow' || snooze === 'next week') {
    return dueOn(dayNamed(snooze, clock), due, timeZone)
  }
  const day = due.due_date ? dayOf(due.due_date, timeZone) : today
  if (day <= today) return null
  return dueOn(daysAfter(day, snooze === 'a day later' ? 1 : 7), due, timeZone)
}
