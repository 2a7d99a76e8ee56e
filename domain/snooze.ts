import type { Due } from './due-date-form.ts'
import { dayEnd, localTimeOf, momentOf, morning } from './local-time.ts'
import { dayNamed } from './next-step.ts'

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
  { due_date, due_all_day }: Due,
  { now, timeZone, weekStart }: { now: number; timeZone: string; weekStart: number },
): { due_date: string; due_all_day: boolean } | null {
  const today = localTimeOf(now, timeZone).slice(0, 10)
  if (snooze === 'later today') {
    const moments = [2.5, 0.5].map((ahead) => Math.ceil(now / hour + ahead) * hour)
    const later = moments.find((moment) => localTimeOf(moment, timeZone).startsWith(today))
    if (later === undefined) return null
    return { due_date: new Date(later).toISOString(), due_all_day: false }
  }
  const day = dayNamed(snooze, { now, timeZone, weekStart })
  if (due_all_day) return { due_date: dayEnd(day, timeZone), due_all_day }
  const time = due_date ? localTimeOf(due_date, timeZone).slice(11) : morning
  return { due_date: at(day, time, timeZone), due_all_day: false }
}

function at(day: string, time: string, timeZone: string): string {
  const found = momentOf(`${day}T${time}`, timeZone)
  // If the clock skips this hour, take the morning.
  const safe = 'moment' in found ? found : momentOf(`${day}T${morning}`, timeZone)
  return 'moment' in safe ? safe.moment : `${day}T09:00:00.000Z`
}
