import { dayInYear, monthAndDay, shownDate } from './dates.ts'
import { type DateFormat, habits } from './habits.ts'
import type { DayOrder } from './import-values.ts'
import { monthNumber } from './month-names.ts'

/*
 * A birthday is `1990-05-03`, or `--05-03` where the year is not known. Whoever was born on 29 February celebrates on
 * 28 February in other years: the database does so, too.
 */

type Part = 'day' | 'month' | 'year'

/** Between a day and its month, and before a year: `3 de mayo de 1990`, `3rd of May`. */
const between = '[\\s./,-]*(?:(?:de|del|of|di)\\s+)?'
const ordinal = '(\\d{1,2})(?:st|nd|rd|th|er|[ºª])?'
const name = '(\\p{L}{3,})\\.?'
const perhapsYear = `(?:${between}(\\d{4}|\\d\\d))?`

/** How birthdays are written, the surest first; a time behind one says nothing. Numbers alone stand in two orders. */
const patterns: { pattern: RegExp; parts: Part[] }[] = (
  [
    ['--?(\\d\\d)-?(\\d\\d)', ['month', 'day']],
    ['(?:(\\d{4})年)?(\\d{1,2})月(\\d{1,2})日', ['year', 'month', 'day']],
    ['(\\d{4})(\\d\\d)(\\d\\d)', ['year', 'month', 'day']],
    ['(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})', ['year', 'month', 'day']],
    [ordinal + between + name + perhapsYear, ['day', 'month', 'year']],
    [name + between + ordinal + perhapsYear, ['month', 'day', 'year']],
  ] as const
).map(([pattern, parts]) => ({ pattern: whole(pattern), parts: [...parts] }))

const numbers = whole('(\\d{1,2})([./-])(\\d{1,2})(?:\\2(\\d{4}|\\d\\d))?')

function whole(pattern: string): RegExp {
  return new RegExp(`^${pattern}\\.?(?:[T ]\\d?\\d:.*)?$`, 'iu')
}

const dayFirst: DateFormat[] = ['day month year', 'dd.mm.yyyy', 'dd/mm/yyyy']

/** The order of numbers that nobody told: 3.5. is the third of May, and 5/3 too unless the user writes days first. */
function usualOrder(sign: string, first: string, second: string): DayOrder {
  if (Number(first) > 12) return 'day first'
  if (Number(second) > 12) return 'month first'
  if (sign === '.') return 'day first'
  return sign === '/' && dayFirst.includes(habits().date_format) ? 'day first' : 'month first'
}

/** Reads a birthday as people and programs write it; null when it is none. */
export function birthdayIn(text: string, order?: DayOrder): string | null {
  const typed = text.normalize('NFKC').trim()
  const [, first = '', sign, second = '', year] = numbers.exec(typed) ?? []
  if (sign) {
    const meant = order ?? usualOrder(sign, first, second)
    return meant === 'day first' ? realDay(year, second, first) : realDay(year, first, second)
  }
  for (const { pattern, parts } of patterns) {
    const found = pattern.exec(typed)
    if (!found) continue
    const part = (wanted: Part) => found[parts.indexOf(wanted) + 1]
    const month = part('month') ?? ''
    const isName = /\D/.test(month)
    return realDay(
      parts.includes('year') ? part('year') : undefined,
      isName ? String(monthNumber(month)) : month,
      part('day') ?? '',
    )
  }
  return null
}

function realDay(year: string | undefined, month: string, day: string): string | null {
  const monthAndDay = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  // A leap year: 29 February is a birthday.
  const text = `${year ? withCentury(year) : '2000'}-${monthAndDay}`
  const moment = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== text) return null
  // Some programs write a year in which nobody alive was born where they know none.
  return !year || text < '1800' ? `--${monthAndDay}` : text
}

/** Nobody means the years to come: `3.5.90` is of the last century. */
function withCentury(year: string): string {
  if (year.length === 4) return year
  return `${Number(year) < 30 ? '20' : '19'}${year}`
}

/** 'May 3' or 'May 3, 1990'; with today's date the age: 'May 3, 1990 (36)'. */
export function shownBirthday(birthday: string, today?: string): string {
  if (birthday.startsWith('--')) return dayInYear(`2000-${birthday.slice(2)}T00:00:00Z`, 'UTC')
  const shown = shownDate(birthday)
  const age = today ? ageOn(birthday, today) : -1
  return age < 0 ? shown : `${shown} (${age})`
}

/** A birthday in a file, which every spreadsheet leaves as it is: it would subtract `--05-03`. */
export function birthdayInFile(birthday: string): string {
  return birthday.startsWith('--') ? monthAndDay(`2000-${birthday.slice(2)}`) : birthday
}

function ageOn(birthday: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4))
  // Also where the 29th of February is celebrated on the 28th: one is older with the end of the day.
  return today.slice(5) < birthday.slice(5) ? years - 1 : years
}

/** The most days before a birthday that the database takes. */
export const mostDaysBefore = 90

/** What is offered; every other number can be typed. */
export const usualDaysBefore = [0, 1, 3, 7, 14, 30]

/** 'On the day', '3 days before', '2 weeks before'. */
export function shownDaysBefore(days: number): string {
  if (days === 0) return 'On the day'
  if (days === 7 || days === 14) return days === 7 ? '1 week before' : '2 weeks before'
  return days === 1 ? '1 day before' : `${days} days before`
}

/** Reads a number of days as it is shown, or the number alone; null when it is none. */
export function daysBeforeIn(text: string): number | null {
  const typed = text.trim().toLowerCase()
  if (typed === 'on the day') return 0
  const [, number, unit = 'd'] = /^(\d{1,3})\s*(d|w)?[a-z]*(?:\s+before)?$/.exec(typed) ?? []
  if (number === undefined) return null
  const days = Number(number) * (unit === 'w' ? 7 : 1)
  return days <= mostDaysBefore ? days : null
}
