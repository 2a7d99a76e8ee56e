import { momentOf, offsetAt } from './local-time.ts'
import { monthNumber } from './month-names.ts'

/** Several values in one cell, as Google writes them. */
export function cellValues(cell: string): string[] {
  return cell
    .split(' ::: ')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

/** The order of day and month in numeric dates. */
export type DayOrder = 'day first' | 'month first'

const numbers = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:\D|$)/

/** Detects the order in a column of dates: by a day after the twelfth, otherwise by the separator. */
export function dayOrderOf(dates: string[]): DayOrder {
  const read = dates.map((date) => numbers.exec(date.trim())).filter((match) => match !== null)
  if (read.some(([, first]) => Number(first) > 12)) return 'day first'
  if (read.some(([, , , second]) => Number(second) > 12)) return 'month first'
  return read.some(([, , sign]) => sign === '.') ? 'day first' : 'month first'
}

/** Whether the dates of the column can be read in both orders. */
export function isDayOrderDoubtful(dates: string[]): boolean {
  const read = dates.map((date) => numbers.exec(date.trim())).filter((match) => match !== null)
  return (
    read.some(([, first, , second]) => first !== second) &&
    read.every(([, first, , second]) => Number(first) <= 12 && Number(second) <= 12)
  )
}

/** The signs between the parts of a date, and 'de', 'of' and the like in `24 de diciembre de 2026`. */
const between = '[\\s./,-]*(?:(?:de|del|of|di)\\s+)?'
const dayNumber = '(\\d{1,2})(?:st|nd|rd|th|er|[oa])?'
const monthName = '(\\p{L}{3,})'
const yearNumber = '(\\d{4}|\\d{2})(?![\\d:])'
/** A weekday, or the Swedish 'den'. */
const weekday = '^(?:\\p{L}{2,}[.,]*\\s+)?'

/** Dates with the name of the month: 15 Nov 2026, 24-Dec-2026; November 15, 2026; 2026-Dec-24. */
const named: { pattern: RegExp; parts: ('day' | 'month' | 'year')[] }[] = [
  { pattern: [dayNumber, monthName, yearNumber], parts: ['day', 'month', 'year'] as const },
  { pattern: [monthName, dayNumber, yearNumber], parts: ['month', 'day', 'year'] as const },
  { pattern: ['(\\d{4})', monthName, dayNumber], parts: ['year', 'month', 'day'] as const },
].map(({ pattern, parts }) => ({
  pattern: new RegExp(weekday + pattern.join(between), 'iu'),
  parts: [...parts],
}))

/** Reads a date as `YYYY-MM-DD`; null when it is none. */
export function dayIn(text: string, order: DayOrder): string | null {
  const date = text.normalize('NFKC').trim()
  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:\D|$)/.exec(date) ??
    /^(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日/.exec(date)
  if (iso) return realDay(iso[1], iso[2], iso[3])
  const match = numbers.exec(date)
  if (match) {
    const [, first, , second, year] = match
    return order === 'day first' ? realDay(year, second, first) : realDay(year, first, second)
  }
  for (const { pattern, parts } of named) {
    const found = pattern.exec(date)
    const part = (name: (typeof parts)[number]) => found?.[parts.indexOf(name) + 1]
    const month = monthNumber(part('month') ?? '')
    if (month > 0) return realDay(part('year'), `${month}`, part('day'))
  }
  return null
}

/** Whether a text is a day and nothing else: no words after it, and no time of the day but midnight. */
export function isDayAlone(text: string, order: DayOrder): boolean {
  const date = text
    .normalize('NFKC')
    .trim()
    .replace(/[T ]00:00(?::00(?:\.0+)?)?(?:Z| ?\+00:?00)?$|[ ]12:00(?::00)? ?AM$/i, '')
  if (dayIn(date, order) === null) return false
  return (
    /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\.?$/.test(date) ||
    /^\d{4} ?年 ?\d{1,2} ?月 ?\d{1,2} ?日$/.test(date) ||
    named.some(({ pattern }) => pattern.exec(date)?.[0] === date)
  )
}

/** '98' is 1998 and '26' is 2026: of two digits the years from 1970 to 2069 are meant. */
function withCentury(year: string): string {
  if (year.length !== 2) return year
  return Number(year) < 70 ? `20${year}` : `19${year}`
}

function realDay(year = '', month = '', day = ''): string | null {
  const fullYear = withCentury(year)
  const text = `${fullYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const moment = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== text ? null : text
}

/** A time behind a date: `8:30`, `20:00:15.000`, `8:30 PM`, `20:00 UTC`, `20:00 +0200`. */
const timeBehind =
  /\s(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:\s?([ap])\.?m\.?)?(?:\s?(?:(UTC|GMT|Z)|([+-]\d\d):?(\d\d)))?$/i

/**
 * Reads a date with or without a time, by the clock of a time zone where the text names none. A date alone becomes noon there,
 * which is the same day nearly everywhere.
 */
export function momentIn(text: string, order: DayOrder, timeZone = 'UTC'): string | null {
  const date = text.trim()
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)? ?(Z|[+-]\d\d(:?\d\d)?)$/i.test(date)) {
    const moment = new Date(date.replace(' ', 'T').replace(/ (?=[Z+-])/i, ''))
    return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
  }
  const day = dayIn(date, order)
  if (!day) return null
  const [, hour = '12', minute = '00', second = '00', half = '', zone, away, more = '00'] =
    timeBehind.exec(date.replace(/(?<=\d)T(?=\d)/, ' ')) ?? []
  const shown = Date.parse(`${day}T${hourOf(hour, half)}:${minute}:${second}Z`)
  if (Number.isNaN(shown)) return null
  if (away) {
    const minutes = Math.abs(Number(away)) * 60 + Number(more)
    return new Date(shown - minutes * 60_000 * (away.startsWith('-') ? -1 : 1)).toISOString()
  }
  return new Date(zone ? shown : onClock(shown, timeZone)).toISOString()
}

/** The moment at which the clock of a time zone shows what that of UTC shows at another. */
function onClock(shown: number, timeZone: string): number {
  if (timeZone === 'UTC') return shown
  const [before = 0, after = 0] = [-dayLength, dayLength].map((away) =>
    offsetOn(Math.floor((shown + away) / dayLength), timeZone),
  )
  if (before === after) return shown - before
  // The clock is changed on one of these days.
  const found = momentOf(new Date(shown).toISOString().slice(0, 16), timeZone)
  return 'moment' in found ? Date.parse(found.moment) + (shown % 60_000) : shown - before
}

const dayLength = 86_400_000

/** A file has many times of few days. */
const offsets = new Map<string, number>()

function offsetOn(day: number, timeZone: string): number {
  const key = `${timeZone} ${day}`
  const known = offsets.get(key) ?? offsetAt(day * dayLength, timeZone)
  offsets.set(key, known)
  return known
}

/** The hour of 24, in two digits; `half` is the letter of AM or PM. */
function hourOf(hour: string, half: string): string {
  const isKnown = half !== '' && Number(hour) <= 12
  const hours = isKnown ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : hour
  return `${hours}`.padStart(2, '0')
}

const excelNumber = /^\d{1,5}(?:[.,]\d+)?$/
const latestExcelDay = 60_000

/**
 * Whether a column of dates holds Excel's day numbers: all of its values are such numbers. Years alone are not, or 2026
 * would be a day of 1905.
 */
export function areExcelDays(dates: string[]): boolean {
  const filled = dates.map((date) => date.trim()).filter((date) => date !== '')
  return (
    filled.length > 0 &&
    filled.every((date) => excelDay(date) !== null) &&
    !filled.every((date) => /^(?:19|20)\d\d$/.test(date))
  )
}

/** The date of Excel's day number, with the time when it has a fraction; null when it is none. */
export function excelDay(text: string): string | null {
  if (!excelNumber.test(text.trim())) return null
  const number = Number(text.trim().replace(',', '.'))
  if (number < 1 || number > latestExcelDay) return null
  // Excel counts the 29 February 1900, a day that never was, as 60.
  if (Math.floor(number) === 60) return null
  const first = Date.UTC(1899, 11, number < 60 ? 31 : 30)
  const minutes = Math.round(number * 24 * 60)
  const [day, time = ''] = new Date(first + minutes * 60_000).toISOString().split('T')
  return Number.isInteger(number) ? `${day}` : `${day} ${time.slice(0, 5)}`
}
