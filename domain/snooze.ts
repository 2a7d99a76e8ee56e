import { localTimeOf, momentOf } from './local-time.ts'

/** To when a task can be put off with one press. */
export const snoozes = ['later today', 'tomorrow', 'next week'] as const
export type Snooze = (typeof snoozes)[number]

const morning = '09:00'
const hour = 3_600_000

/**
 * The moment that is meant. Later today is in about three hours, on the full hour, in the evening
 * sooner; null when the day is over before. Tomorrow and next week keep the hour of the task, or mean
 * the morning; next week is its first day.
 */
export function snoozedTo(
  snooze: Snooze,
  dueDate: string | null,
  { now, timeZone, weekStart }: { now: number; timeZone: string; weekStart: number },
): string | null {
  const today = localTimeOf(now, timeZone).slice(0, 10)
  if (snooze === 'later today') {
    const moments = [2.5, 0.5].map((ahead) => Math.ceil(now / hour + ahead) * hour)
    const later = moments.find((moment) => localTimeOf(moment, timeZone).startsWith(today))
    return later === undefined ? null : new Date(later).toISOString()
  }
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  const days = snooze === 'tomorrow' ? 1 : (weekStart - weekday + 7) % 7 || 7
  const time = dueDate ? localTimeOf(dueDate, timeZone).slice(11) : morning
  return at(daysAfter(today, days), time, timeZone)
}

function at(day: string, time: string, timeZone: string): string {
  const found = momentOf(`${day}T${time}`, timeZone)
  // In the hour that the clock skips, the morning will do.
  const safe = 'moment' in found ? found : momentOf(`${day}T${morning}`, timeZone)
  return 'moment' in safe ? safe.moment : `${day}T09:00:00.000Z`
}

function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}
