import { formatter } from './dates.ts'

/** A day and time on a wall clock, `YYYY-MM-DDTHH:mm`, the format of date-time inputs. */
type LocalTime = string

const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/

/** What the wall clock of a time zone shows at a moment. */
export function localTimeOf(moment: string | number, timeZone: string): LocalTime {
  const parts = formatter('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(moment))
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  const year = part('year').padStart(4, '0')
  return `${year}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

type Moment = { moment: string } | { problem: 'unreadable' | 'no such day' | 'skipped hour' }

/**
 * Converts a wall clock time to a moment. Of an hour that occurs twice, when the clock goes back, it takes the first;
 * an hour that is skipped, when it goes forward, has no moment.
 */
export function momentOf(local: LocalTime, timeZone: string): Moment {
  const [year, month, day, hour, minute] = (shape.exec(local)?.slice(1) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined)
    return { problem: 'unreadable' }
  if (hour === undefined || minute === undefined || hour > 23 || minute > 59) {
    return { problem: 'unreadable' }
  }
  const asUtc = new Date(0)
  asUtc.setUTCFullYear(year, month - 1, day)
  asUtc.setUTCHours(hour, minute)
  if (asUtc.getUTCMonth() !== month - 1 || asUtc.getUTCDate() !== day) {
    return { problem: 'no such day' }
  }
  // Zones differ from UTC by at most fourteen hours, so one of these offsets is right.
  const offsets = [-dayLength, dayLength].map((away) => offsetAt(asUtc.getTime() + away, timeZone))
  const moments = offsets
    .map((offset) => asUtc.getTime() - offset)
    .filter((moment) => localTimeOf(moment, timeZone) === local)
  if (moments.length === 0) return { problem: 'skipped hour' }
  return { moment: new Date(Math.min(...moments)).toISOString() }
}

const dayLength = 86_400_000

/** The time for a day that is given without one. */
export const morning = '09:00'

/** Adds days to a calendar day, `YYYY-MM-DD`. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayLength).toISOString().slice(0, 10)
}

/** When a day begins on the clock of this time zone. */
export function dayBegins(day: string, timeZone: string): number {
  // Where the clock skips the hour after midnight, the day begins at one.
  for (const hour of ['00', '01']) {
    const found = momentOf(`${day}T${hour}:00`, timeZone)
    if ('moment' in found) return Date.parse(found.moment)
  }
  return Date.parse(`${day}T00:00:00Z`)
}

/** The last second of a day, which stands for a whole-day due date. */
export function dayEnd(day: string, timeZone: string): string {
  return new Date(dayBegins(daysAfter(day, 1), timeZone) - 1000).toISOString()
}

/** Whether a moment is the last second of a day, which cannot be typed. */
export function endsDay(moment: string, timeZone: string): boolean {
  const isLastSecond = Date.parse(moment) % 60_000 === 59_000
  return isLastSecond && localTimeOf(moment, timeZone).endsWith('T23:59')
}

/** How far the clock of a time zone is ahead of UTC, in milliseconds. */
export function offsetAt(moment: number, timeZone: string): number {
  return Date.parse(`${localTimeOf(moment, timeZone)}Z`) - Math.floor(moment / 60_000) * 60_000
}
