import { type DateFormat, habits } from './habits.ts'

const locale = 'en-US'

/** 'Nov 15, 2026' on the calendar of this time zone. */
export function shownDay(moment: string, timeZone: string): string {
  return inFormat(moment, timeZone, 'short')
}

/** The same for a calendar day, `YYYY-MM-DD`, which has no time zone. */
export function shownDate(day: string): string {
  return shownDay(`${day}T00:00:00Z`, 'UTC')
}

/** 'November 15, 2026'. */
export function longDay(moment: string, timeZone: string): string {
  return inFormat(moment, timeZone, 'long')
}

/** 'Nov 15': of a day that is near. */
export function dayInYear(moment: string | number, timeZone: string): string {
  return inFormat(moment, timeZone, 'no year')
}

/** 'May 3' of a calendar day, however the user wants to see days: for files. */
export function monthAndDay(day: string): string {
  return format(`${day}T00:00:00Z`, 'UTC', lengths['no year'])
}

/** '14:05'. */
export function clockTime(moment: string | number, timeZone: string): string {
  const clock =
    habits().clock === 24
      ? ({ hour: '2-digit', hourCycle: 'h23' } as const)
      : ({ hour: 'numeric', hourCycle: 'h12' } as const)
  return format(moment, timeZone, { ...clock, minute: '2-digit' })
}

/** 'Nov 15, 2026, 14:05'. */
export function shownMoment(moment: string, timeZone: string): string {
  return `${shownDay(moment, timeZone)}, ${clockTime(moment, timeZone)}`
}

/** 'Sunday'. */
export function weekdayName(moment: number, timeZone: string): string {
  return format(moment, timeZone, { weekday: 'long' })
}

/** 'Mon' of a calendar day. */
export function shortWeekday(day: string): string {
  return format(`${day}T00:00:00Z`, 'UTC', { weekday: 'short' })
}

/** 'Nov 2026' of a calendar day. */
export function monthName(day: string): string {
  return format(`${day}T12:00:00Z`, 'UTC', { month: 'short', year: 'numeric' })
}

type Length = 'short' | 'long' | 'no year'

const lengths: Record<Length, Intl.DateTimeFormatOptions> = {
  short: { year: 'numeric', month: 'short', day: 'numeric' },
  long: { year: 'numeric', month: 'long', day: 'numeric' },
  'no year': { month: 'short', day: 'numeric' },
}

type Parts = { day: string; month: string; year: string; name: string }

/** How a day is written, and the same without its year. */
const patterns: Record<
  Exclude<DateFormat, 'month day, year'>,
  Record<'whole' | 'near', (parts: Parts) => string>
> = {
  'day month year': {
    whole: ({ day, name, year }) => `${Number(day)} ${name} ${year}`,
    near: ({ day, name }) => `${Number(day)} ${name}`,
  },
  'yyyy-mm-dd': {
    whole: ({ day, month, year }) => `${year}-${month}-${day}`,
    near: ({ day, month }) => `${month}-${day}`,
  },
  'dd.mm.yyyy': {
    whole: ({ day, month, year }) => `${day}.${month}.${year}`,
    near: ({ day, month }) => `${day}.${month}.`,
  },
  'dd/mm/yyyy': {
    whole: ({ day, month, year }) => `${day}/${month}/${year}`,
    near: ({ day, month }) => `${day}/${month}`,
  },
  'mm/dd/yyyy': {
    whole: ({ day, month, year }) => `${month}/${day}/${year}`,
    near: ({ day, month }) => `${month}/${day}`,
  },
}

function inFormat(moment: string | number, timeZone: string, length: Length): string {
  const { date_format } = habits()
  // What is usual is written by the browser itself, which is faster.
  if (date_format === 'month day, year') return format(moment, timeZone, lengths[length])
  const [year = '', month = '', day = ''] = dayOf(moment, timeZone).split('-')
  const name = format(moment, timeZone, { month: length === 'long' ? 'long' : 'short' })
  const { whole, near } = patterns[date_format]
  return (length === 'no year' ? near : whole)({ day, month, year, name })
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** 'just now', '5 minutes ago', 'yesterday', 'in 3 days'; the day itself beyond a week. */
export function fromNow(moment: string, now: number, timeZone: string): string {
  const ahead = Date.parse(moment) - now
  const away = Math.abs(ahead)
  if (away < minute) return 'just now'
  if (away < hour) return relative(Math.trunc(ahead / minute), 'minute')
  if (away < day) return relative(Math.trunc(ahead / hour), 'hour')
  if (away < 7 * day) return relative(Math.trunc(ahead / day), 'day')
  return shownDay(moment, timeZone)
}

/** The day of a moment as `YYYY-MM-DD`, on the calendar of this time zone. */
export function dayOf(moment: string | number, timeZone: string): string {
  const options = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return formatter('en-CA', options).format(new Date(moment))
}

const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

function relative(count: number, unit: 'minute' | 'hour' | 'day'): string {
  return words.format(count, unit)
}

function format(
  moment: string | number,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): string {
  return formatter(locale, { timeZone, ...options }).format(new Date(moment))
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Cached for each set of options: creating a formatter is slow, and a list formats thousands of dates. */
export function formatter(
  language: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options)
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(language, options)
  formatters.set(key, made)
  return made
}

/** Whether this browser knows the zone: its name may be newer than the browser. */
export function isKnownZone(zone: string): boolean {
  try {
    formatter(locale, { timeZone: zone })
    return true
  } catch {
    return false
  }
}
