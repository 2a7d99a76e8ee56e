import { shownBirthday, shownDaysBefore } from './birthday.ts'
import { shownDate, shownDay, shownMoment } from './dates.ts'
import type { Kind } from './fields/field.ts'
import { shownFigure } from './figures.ts'
import { endsDay } from './local-time.ts'
import type { LoggedChange } from './log.ts'
import { toldMoney } from './money.ts'

// The values of the log as the history shows them; its sentences: change-words.ts.

type Values = Record<string, unknown>

/** Formats a value; empty when there is none. */
export function shownValue(
  change: LoggedChange,
  kind: Kind,
  value: unknown,
  timeZone: string,
  currency: string | null,
): string {
  if (value === null || value === undefined || value === '') return ''
  if (kind === 'record') return linkName(change, value)
  if (kind === 'number') return shownFigure(Number(value))
  if (kind === 'money') return toldMoney(Number(value), currency)
  // A day has no time zone.
  if (kind === 'day') return shownDate(String(value))
  if (kind === 'birthday') return shownBirthday(String(value))
  if (kind === 'days before') return shownDaysBefore(Number(value))
  if (kind === 'moment') {
    // The last second of a day means the whole day.
    const show = endsDay(String(value), timeZone) ? shownDay : shownMoment
    return show(String(value), timeZone)
  }
  return clipped(String(value))
}

/** With the amount of a deal the log tells its currency. */
export function currencyIn(values: Values | null): string | null {
  return typeof values?.currency === 'string' ? values.currency : null
}

/** The name of a linked record; empty for no link. */
export function linkName({ names }: Pick<LoggedChange, 'names'>, id: unknown): string {
  if (typeof id !== 'string') return ''
  return clipped(names?.[id] ?? 'a deleted record')
}

const longest = 80

/** The text on one line, shortened. */
export function clipped(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  // Count graphemes, so that no emoji is cut in two.
  let count = 0
  for (const { index } of new Intl.Segmenter().segment(line)) {
    if (count === longest) return `${line.slice(0, index)}…`
    count += 1
  }
  return line
}

/** The log has no kinds but that of money: what a value is like tells how it is shown. */
export function shownOwn(change: LoggedChange, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => shownOwn(change, each)).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return shownFigure(value)
  if (typeof value !== 'string') return ''
  if (/^~[0-9A-Za-z]{7}$/.test(value)) return clipped(change.names?.[value] ?? 'a deleted option')
  return /^\d{4}-\d\d-\d\d$/.test(value) ? shownDate(value) : clipped(value)
}
