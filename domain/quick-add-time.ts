import { casual } from 'chrono-node/en'
import { dayOf } from './dates.ts'
import { habits } from './habits.ts'
import { dayEnd, localTimeOf, momentOf, morning } from './local-time.ts'

export type Clock = {
  now: number
  timeZone: string
  /** The first day of the week, 0 for Sunday. */
  weekStart: number
}

export type FoundTime = {
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
  'call|phone|ring|text|message|contact|ping|e-?mail|mail|write|meet|visit|see|ask|remind|thank|invite'
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
  const readable = line
    .replaceAll(/\b24\/7\b/g, hidden)
    .replaceAll(monthAlone, hidden)
    .replaceAll(dayInName, (day, at: number) =>
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
  const [lead = ''] =
    /\b(at|on|by|for|until|till|from|starting|due)\s+$/i.exec(line.slice(0, index)) ?? []
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

const dotted = /(?<=\s)(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})?(?=[\s,;])/g
const dottedWithoutEnd = /(?<=\s)(\d{1,2})\.(\d{1,2})()(?=[\s,;])/g
const slashed = /(?<=\s)(?!24\/7)(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?(?=[\s,;.])/g
const endOf = /(?<=\s)(?:eo([dwm])|end of (?:the )?(day|week|month)|cob)(?=[\s,;.])/gi

/** Days as numbers in the order that the user is used to, and ends of periods, written as `YYYY-MM-DD`. */
export function withDaysWritten(line: string, { now, timeZone }: Clock): string {
  const today = dayOf(now, timeZone)
  const { date_format } = habits()
  const isMonthFirst = /^month|^mm|^yyyy/.test(date_format)
  const german = (whole: string, day: string, month: string, year?: string) =>
    dayFrom(today, Number(day), Number(month), year) ?? whole
  const dots = line.replaceAll(dotted, german)
  return (date_format === 'dd.mm.yyyy' ? dots.replaceAll(dottedWithoutEnd, german) : dots)
    .replaceAll(slashed, (whole, one: string, other: string, year?: string) => {
      const isSwapped = isMonthFirst ? Number(one) <= 12 : Number(other) > 12
      const [day, month] = isSwapped ? [other, one] : [one, other]
      return dayFrom(today, Number(day), Number(month), year) ?? whole
    })
    .replaceAll(endOf, (_, letter?: string, word?: string) =>
      lastDayOf((letter ?? word ?? 'd').charAt(0).toLowerCase(), today),
    )
}

/** The day; without a year the next one. Null for one that no calendar has. */
function dayFrom(today: string, day: number, month: number, year = ''): string | null {
  const named = year.length === 2 ? 2000 + Number(year) : Number(year)
  const thisYear = Number(today.slice(0, 4))
  const at = (inYear: number) => new Date(Date.UTC(inYear, month - 1, day))
  const found = at(named || (dayText(at(thisYear)) < today ? thisYear + 1 : thisYear))
  return found.getUTCDate() === day && found.getUTCMonth() === month - 1 ? dayText(found) : null
}

const friday = 5

function lastDayOf(period: string, today: string): string {
  const day = new Date(`${today}T00:00:00Z`)
  if (period === 'w') return dayText(daysAfter(day, (friday - day.getUTCDay() + 7) % 7))
  if (period === 'm') {
    return dayText(new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)))
  }
  return today
}

type Due = Pick<FoundTime, 'moment' | 'isWholeDay'>

/** When something is due first that repeats on these weekdays, all if there are none: then, or the next such day. */
export function firstDue(time: Due | null, weekdays: number[], clock: Clock): Due {
  const { now, timeZone } = clock
  const due = time ?? { moment: dayEnd(dayOf(now, timeZone), timeZone) ?? '', isWholeDay: true }
  const local = localTimeOf(due.moment, timeZone)
  let day = new Date(`${local.slice(0, 10)}T00:00:00Z`)
  if (weekdays.length === 0 || weekdays.includes(day.getUTCDay())) return due
  while (!weekdays.includes(day.getUTCDay())) day = daysAfter(day, 1)
  const [hour = 0, minute = 0] = local.slice(11).split(':').map(Number)
  const moment = due.isWholeDay
    ? dayEnd(dayText(day), timeZone)
    : momentAt(day, hour, minute, timeZone)
  return moment ? { moment, isWholeDay: due.isWholeDay } : due
}

/** The weekday of a moment, 0 for Sunday. */
export function weekdayOf(moment: string, timeZone: string): number {
  return new Date(`${dayOf(moment, timeZone)}T00:00:00Z`).getUTCDay()
}

/** When something happened: a weekday means the last one, a day without an hour its noon. Null for now. */
export function pastMoment({ moment, isWholeDay }: Due, { now, timeZone }: Clock): string | null {
  let day = new Date(`${dayOf(moment, timeZone)}T00:00:00Z`)
  if (dayText(day) > dayOf(now, timeZone)) day = daysAfter(day, -7)
  if (isWholeDay && dayText(day) === dayOf(now, timeZone)) return null
  const [hour = 12, minute = 0] = isWholeDay
    ? []
    : localTimeOf(moment, timeZone).slice(11).split(':').map(Number)
  const found = momentAt(day, hour, minute, timeZone)
  return found && Date.parse(found) < now ? found : null
}
