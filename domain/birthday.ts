import { shownDate } from './dates.ts'
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

/** Reads a birthday as people and programs write it; null when it is none. Without an order, its signs tell it. */
export function birthdayIn(text: string, order?: DayOrder): string | null {
  const said = text.normalize('NFKC').trim()
  const [, first = '', sign, second = '', year] = numbers.exec(said) ?? []
  if (sign) {
    // 5/3 is the third of May, 3.5. too; a day after the twelfth tells it anyway.
    const meant = order ?? (sign === '.' || Number(first) > 12 ? 'day first' : 'month first')
    return meant === 'day first' ? realDay(year, second, first) : realDay(year, first, second)
  }
  for (const { pattern, parts } of patterns) {
    const found = pattern.exec(said)
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
  if (birthday.startsWith('--')) {
    return shownDate(`2000-${birthday.slice(2)}`).replace(/, 2000$/, '')
  }
  const shown = shownDate(birthday)
  const age = today ? ageOn(birthday, today) : -1
  return age < 0 ? shown : `${shown} (${age})`
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
  const said = text.trim().toLowerCase()
  if (said === 'on the day') return 0
  const [, number, unit = 'd'] = /^(\d{1,3})\s*(d|w)?[a-z]*(?:\s+before)?$/.exec(said) ?? []
  if (number === undefined) return null
  const days = Number(number) * (unit === 'w' ? 7 : 1)
  return days <= mostDaysBefore ? days : null
}
