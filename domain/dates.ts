const locale = 'en-US'

/** 'Nov 15, 2026' on the calendar of this time zone. */
export function shownDay(moment: string, timeZone: string): string {
  return format(moment, timeZone, { year: 'numeric', month: 'short', day: 'numeric' })
}

/** The same for a calendar day, `YYYY-MM-DD`, which has no time zone. */
export function shownDate(day: string): string {
  return shownDay(`${day}T00:00:00Z`, 'UTC')
}

/** 'November 15, 2026'. */
export function longDay(moment: string, timeZone: string): string {
  return format(moment, timeZone, { year: 'numeric', month: 'long', day: 'numeric' })
}

/** 'Nov 15, 2026, 14:05'. */
export function shownMoment(moment: string, timeZone: string): string {
  return format(moment, timeZone, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
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

function format(moment: string, timeZone: string, options: Intl.DateTimeFormatOptions): string {
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
