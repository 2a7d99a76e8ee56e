/** Several values in one cell, as Google writes them. */
export function cellValues(cell: string): string[] {
  return cell
    .split(' ::: ')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

/** Splits a full name: the last name stands after the last space, or before the first comma. */
export function splitName(full: string): { first_name: string; last_name: string } {
  const [last = '', ...rest] = full.split(',')
  const first = rest.join(',').trim()
  if (first !== '') return { first_name: first, last_name: last.trim() }
  const words = full.trim().split(/\s+/)
  if (words.length === 1) return { first_name: words[0] ?? '', last_name: '' }
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' }
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

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Reads a date as `YYYY-MM-DD`; null when it is none. */
export function dayIn(text: string, order: DayOrder): string | null {
  const date = text.trim()
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:\D|$)/.exec(date)
  if (iso) return realDay(iso[1], iso[2], iso[3])
  const match = numbers.exec(date)
  if (match) {
    const [, first, , second, year] = match
    return order === 'day first' ? realDay(year, second, first) : realDay(year, first, second)
  }
  // 15 Nov 2026, November 15, 2026
  const [, day, month, year] = /^(\d{1,2})\.? ([a-z]{3})[a-z]*\.?,? (\d{4})/i.exec(date) ?? []
  if (day) return realDay(year, monthNumber(month), day)
  const [, name, number, inYear] = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})/i.exec(date) ?? []
  return name ? realDay(inYear, monthNumber(name), number) : null
}

function monthNumber(name = ''): string {
  return String(months.indexOf(name.toLowerCase()) + 1)
}

function realDay(year = '', month = '', day = ''): string | null {
  const fullYear = year.length === 2 ? `20${year}` : year
  const text = `${fullYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const moment = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== text ? null : text
}

/** Reads a date with or without a time. A date alone becomes noon UTC, which is the same day nearly everywhere. */
export function momentIn(text: string, order: DayOrder): string | null {
  const date = text.trim()
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)? ?(Z|[+-]\d\d(:?\d\d)?)$/i.test(date)) {
    const moment = new Date(date.replace(' ', 'T').replace(/ (?=[Z+-])/i, ''))
    return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
  }
  const day = dayIn(date, order)
  if (!day) return null
  const [, hour = '12', minute = '00'] =
    /\s(\d{1,2}):(\d\d)(?::\d\d)?$/.exec(date.replace('T', ' ')) ?? []
  const moment = new Date(`${day}T${hour.padStart(2, '0')}:${minute}:00Z`)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}
