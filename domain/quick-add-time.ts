import { casual } from 'chrono-node/en'
import { dayEnd, localTimeOf, momentOf, morning } from './local-time.ts'

export type Clock = {
  now: number
  timeZone: string
  /** The first day of the week, 0 for Sunday. */
  weekStart: number
}

type FoundTime = {
  /** The position in the line. */
  index: number
  text: string
  /** For a day without a time, its last second. */
  moment: string
  isWholeDay: boolean
}

const morningHour = Number(morning.slice(0, 2))
const hourLength = 3_600_000
const namedHour = /morning|afternoon|evening|tonight|noon|midnight/i
/** 'May' without a day is more often a name than a month. */
const monthAlone = /(?<!\d(?:st|nd|rd|th)? )\b(?:April|August|June|May)\b(?! \d)/g
/** Verbs whose object is a person. */
export const verbsToSomebody =
  'call|phone|ring|text|message|e-?mail|mail|write|meet|visit|see|ask|remind|thank|invite'
/** An abbreviated weekday after such a verb, before a word that is not part of a date. */
const dayInName = new RegExp(
  `(?<=\\b(?:${verbsToSomebody}|with|to|for) )(?:sun|mon|tue|wed|thu|fri|sat)(?= (?!(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|morning|afternoon|evening|night|noon|at)[a-z]*\\b)\\p{L})`,
  'giu',
)

/** The first day or time that a line names, on the clock of a time zone. */
export function findTime(line: string, clock: Clock): FoundTime | null {
  const { now, timeZone, weekStart } = clock
  // The wall clock time as if it were UTC, so that the parser's result is wall clock time too.
  const wall = new Date(`${localTimeOf(now, timeZone)}:00Z`)
  const hidden = (name: string) => '-'.repeat(name.length)
  const readable = line.replaceAll(monthAlone, hidden).replaceAll(dayInName, (day, at: number) =>
    // 'call Sun Microsystems' names a company; in lower case it is a day.
    /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}/u.test(line.slice(at)) ? hidden(day) : day,
  )
  const found = casual.parse(readable, { instant: wall, timezone: 0 }, { forwardDate: true }).find(
    ({ index, text }) =>
      // Skip matches that are part of a company's name, a repetition, or no time.
      line[index - 1] !== '@' && !/\bevery\s$/i.test(line.slice(0, index)) && !/^the /i.test(text),
  )
  if (!found) return null
  const { index, text, start } = found
  const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute') => start.get(name) ?? 0
  const hasHour = start.isCertain('hour') || namedHour.test(text)
  const day = /^next week$/i.test(text)
    ? firstDayAfter(wall, weekStart)
    : new Date(Date.UTC(part('year'), part('month') - 1, part('day')))
  const isMorning = !start.isCertain('hour') && /morning/i.test(text)
  const hour = isMorning ? morningHour : officeHour(part('hour'), text)
  let moment = hasHour
    ? momentAt(day, hour, part('minute'), timeZone)
    : dayEnd(dayText(day), timeZone)
  const hasDay = (['day', 'weekday', 'month'] as const).some((name) => start.isCertain(name))
  if (hasHour && !hasDay && moment && Date.parse(moment) <= now) {
    // A time that has passed means tomorrow.
    moment = momentAt(daysAfter(day, 1), hour, part('minute'), timeZone)
  }
  // The preposition belongs to the time, not to the title.
  const [lead = ''] = /\b(at|on|by|for|until|till)\s+$/i.exec(line.slice(0, index)) ?? []
  return moment
    ? { index: index - lead.length, text: lead + text, moment, isWholeDay: !hasHour }
    : null
}

/** '5' and '5:30' mean the afternoon; '5am' and '05:30' are literal. */
function officeHour(hour: number, text: string): number {
  const isOpen = !/[ap]\.?m\b|\b0\d|hour|minute|morning|night/i.test(text)
  return isOpen && hour >= 1 && hour <= 6 ? hour + 12 : hour
}

function firstDayAfter(day: Date, weekday: number): Date {
  return daysAfter(day, (weekday - day.getUTCDay() + 7) % 7 || 7)
}

const daysAfter = (day: Date, days: number) => new Date(day.getTime() + days * 24 * hourLength)

function momentAt(day: Date, hour: number, minute: number, timeZone: string): string | null {
  const two = (value: number) => String(value).padStart(2, '0')
  const found = momentOf(`${dayText(day)}T${two(hour)}:${two(minute)}`, timeZone)
  if ('moment' in found) return found.moment
  // In the hour that the clock skips, take the next hour.
  return found.problem === 'skipped hour' ? momentAt(day, hour + 1, minute, timeZone) : null
}

const dayText = (day: Date) => day.toISOString().slice(0, 10)
