import { formatter } from './dates.ts'

/** A day and time on a wall clock, `YYYY-MM-DDTHH:mm`, as date-time inputs hold it. */
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
 * The moment at which the wall clock of a time zone shows this. An hour that is there twice, when the
 * clock goes back, means the first of the two; one that is skipped, when it goes forward, means none.
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
  // Clocks differ from UTC by at most fourteen hours, so one of these offsets is the right one.
  const offsets = [-dayLength, dayLength].map((away) => offsetAt(asUtc.getTime() + away, timeZone))
  const moments = offsets
    .map((offset) => asUtc.getTime() - offset)
    .filter((moment) => localTimeOf(moment, timeZone) === local)
  if (moments.length === 0) return { problem: 'skipped hour' }
  return { moment: new Date(Math.min(...moments)).toISOString() }
}

const dayLength = 86_400_000

function offsetAt(moment: number, timeZone: string): number {
  return Date.parse(`${localTimeOf(moment, timeZone)}Z`) - Math.floor(moment / 60_000) * 60_000
}
