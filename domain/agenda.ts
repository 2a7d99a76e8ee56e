import { dayOf } from './dates.ts'
import { dayBegins, daysAfter, momentOf } from './local-time.ts'

type AgendaRule = {
  /** On the clock of the time zone, 0 to 23. */
  hour: number
  timeZone: string
  /** When the hour was chosen. */
  since: string
  /** The last day that is done with. */
  lastDay: string | null
}

/** A day's agenda: when it is sent, and until when it still is if nobody could send it then. */
type Agenda = { day: string; at: number; until: number }

/** What is older than this is of no use any more: the day is nearly over. */
const catchUp = 8 * 3_600_000

/**
 * The next agenda to send: that of today if its hour is to come, or if it is late by less than eight hours and it is
 * still today; otherwise that of a later day. A day that is done with has no second one, also where the user travels
 * and has the same day twice.
 */
export function nextAgenda({ hour, timeZone, since, lastDay }: AgendaRule, now: number): Agenda {
  const today = dayOf(now, timeZone)
  const first = lastDay !== null && lastDay >= today ? daysAfter(lastDay, 1) : today
  for (let later = 0; later < 10; later += 1) {
    const day = daysAfter(first, later)
    const at = momentOfHour(day, hour, timeZone)
    if (at !== null && at >= Date.parse(since)) {
      const until = Math.min(at + catchUp, dayBegins(daysAfter(day, 1), timeZone))
      if (now < until) return { day, at, until }
    }
  }
  throw new Error('No day of the next ten has this hour')
}

/** Of an hour that the clock skips, what comes after it; null where nothing of the day does. */
function momentOfHour(day: string, hour: number, timeZone: string): number | null {
  for (let half = hour * 2; half < 48; half += 1) {
    const time = `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`
    const found = momentOf(`${day}T${time}`, timeZone)
    if ('moment' in found) return Date.parse(found.moment)
  }
  return null
}
