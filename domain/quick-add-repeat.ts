import type { Repeat } from './task.ts'

export type Repeating = {
  repeat: Repeat
  /** Of a weekly one: 0 is Sunday; empty for the weekday of the due date. */
  repeat_days: number[] | null
  /** Of one that repeats after its completion: how many days after. */
  repeat_every: number | null
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekday = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:days?)?'
const unit = 'days?|weeks?|months?|years?|quarters?|weekdays?|workdays?|working days?'

/** `every friday`, `every mon and thu`, `every 2 weeks`, `each month`. */
export const repetition = new RegExp(
  `(?<=\\s)(?:every|each)\\s+(?:(?<days>${weekday}(?:(?:\\s*[,&]\\s*|\\s+and\\s+)${weekday})*)|(?:(?<count>\\d+|other|second)\\s+)?(?<unit>${unit}))(?=[\\s,;.])`,
  'iu',
)

/** What a repetition means; null for one that tasks do not have, such as every second workday. */
export function readRepetition(match: RegExpExecArray): Repeating | null {
  const { days, count, unit: named = '' } = match.groups ?? {}
  if (days) return weekly(days.toLowerCase().split(/\s*[,&]\s*|\s+and\s+/))
  const every = count === undefined ? 1 : Number(count) || 2
  const step = named.toLowerCase().replace(/s$/, '')
  if (/^(weekday|workday|working day)$/.test(step)) {
    return every === 1 ? weekly(weekdays.slice(1, 6)) : null
  }
  if (step === 'day' && every === 1) return plain('daily')
  if (step === 'day') return after(every)
  // The weekday is that of the due date.
  if (step === 'week') return every === 1 ? weekly([]) : after(7 * every)
  if (step === 'month' && every === 1) return plain('monthly')
  if (step === 'year' && every === 1) return plain('yearly')
  // A longer step is counted in days, from when the task is done.
  return after(Math.round(every * (daysOf[step] ?? 0)))
}

const daysOf: Record<string, number> = { month: 365 / 12, quarter: 365 / 4, year: 365 }

function weekly(names: string[]): Repeating {
  const days = names.map((name) => weekdays.indexOf(name.slice(0, 3)))
  return { repeat: 'weekly', repeat_days: [...new Set(days)].sort(), repeat_every: null }
}

function plain(repeat: 'daily' | 'monthly' | 'yearly'): Repeating {
  return { repeat, repeat_days: null, repeat_every: null }
}

function after(days: number): Repeating | null {
  return days >= 1 && days <= 3650
    ? { repeat: 'after', repeat_days: null, repeat_every: days }
    : null
}
