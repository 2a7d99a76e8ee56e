import { dayOf, longDay } from './dates.ts'

const day = 86_400_000

/** 'Today', 'Yesterday', 'Tomorrow' or 'November 15, 2026', on the calendar of this time zone. */
export function dayHeading(moment: string, now: number, timeZone: string): string {
  const wanted = dayOf(moment, timeZone)
  // Noon of its calendar day in UTC, so that no change of the clock skips a day.
  const today = Date.parse(`${dayOf(now, timeZone)}T12:00:00Z`)
  if (wanted === dayOf(today, 'UTC')) return 'Today'
  if (wanted === dayOf(today - day, 'UTC')) return 'Yesterday'
  if (wanted === dayOf(today + day, 'UTC')) return 'Tomorrow'
  return longDay(moment, timeZone)
}
