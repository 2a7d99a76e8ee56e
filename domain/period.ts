import { daysAfter } from './local-time.ts'

/** The first and the last day, `YYYY-MM-DD`. */
export type Period = { from: string; to: string }

const at = (day: string) => new Date(`${day}T00:00:00Z`)
const dayAt = (date: Date) => date.toISOString().slice(0, 10)
const firstOfMonth = (year: number, month: number) => dayAt(new Date(Date.UTC(year, month, 1)))

/** The first day of the week that this day is in; 0 is Sunday. */
export function weekBegins(day: string, weekStart: number): string {
  return daysAfter(day, -((at(day).getUTCDay() - weekStart + 7) % 7))
}

function week(first: string): Period {
  return { from: first, to: daysAfter(first, 6) }
}

/** `count` months, from the one of this day moved by `by`. */
function months(day: string, by: number, count: number): Period {
  const [year, month] = [at(day).getUTCFullYear(), at(day).getUTCMonth()]
  const next = firstOfMonth(year, month + by + count)
  return { from: firstOfMonth(year, month + by), to: daysAfter(next, -1) }
}

/** The periods that one click chooses, in the order in which they show. */
export const periods: { name: string; of: (today: string, weekStart: number) => Period }[] = [
  { name: 'This week', of: (today, start) => week(weekBegins(today, start)) },
  { name: 'Last week', of: (today, start) => week(daysAfter(weekBegins(today, start), -7)) },
  { name: 'This month', of: (today) => months(today, 0, 1) },
  { name: 'Last month', of: (today) => months(today, -1, 1) },
  { name: 'Quarter', of: (today) => months(today, -(at(today).getUTCMonth() % 3), 3) },
  { name: 'Year', of: (today) => months(today, -at(today).getUTCMonth(), 12) },
]

/** The period before: whole months before whole months, otherwise as many days. */
export function periodBefore({ from, to }: Period): Period {
  const end = daysAfter(to, 1)
  if (from.endsWith('-01') && end.endsWith('-01')) {
    const count = monthNumber(end) - monthNumber(from)
    return months(from, -count, count)
  }
  const days = Math.round((at(end).getTime() - at(from).getTime()) / 86_400_000)
  return { from: daysAfter(from, -days), to: daysAfter(from, -1) }
}

function monthNumber(day: string): number {
  return at(day).getUTCFullYear() * 12 + at(day).getUTCMonth()
}
