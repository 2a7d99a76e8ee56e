import { dayInYear, dayOf, weekdayName } from './dates.ts'
import type { Due } from './due-date-form.ts'
import { dayEnd, daysAfter, localTimeOf, momentOf, morning } from './local-time.ts'

/** The place of an open task in the agenda: its day as `YYYY-MM-DD`, overdue, or none. */
export function agendaDay(
  { due_date }: { due_date: string | null },
  now: number,
  timeZone: string,
): string {
  if (!due_date) return 'none'
  return Date.parse(due_date) < now ? 'overdue' : dayOf(due_date, timeZone)
}

/** The days of an agenda in their order: overdue first, without a date last. */
export function agendaOrder(one: string, other: string): number {
  return rank(one) - rank(other) || one.localeCompare(other)
}

function rank(day: string): number {
  return { overdue: 0, none: 2 }[day] ?? 1
}

/** 'Overdue', 'Today', 'Tomorrow', 'Friday, Nov 20' or 'No date'. */
export function agendaHeading(day: string, now: number, timeZone: string): string {
  if (day === 'overdue') return 'Overdue'
  if (day === 'none') return 'No date'
  const today = dayOf(now, timeZone)
  if (day === today) return 'Today'
  if (day === daysAfter(today, 1)) return 'Tomorrow'
  const noon = Date.parse(`${day}T12:00:00Z`)
  return `${weekdayName(noon, 'UTC')}, ${dayInYear(noon, 'UTC')}`
}

/** The seven days of the week that holds a day; `weekStart` is its first weekday, Sunday is 0. */
export function weekOf(day: string, weekStart: number): string[] {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  const first = daysAfter(day, -((weekday - weekStart + 7) % 7))
  return Array.from({ length: 7 }, (_, index) => daysAfter(first, index))
}

/**
 * The due date on another day: at the same time, or the whole day. A task without a due date gets the morning.
 */
export function dueOn(
  day: string,
  { due_date, due_all_day }: Due,
  timeZone: string,
): { due_date: string; due_all_day: boolean } {
  if (due_all_day) return { due_date: dayEnd(day, timeZone), due_all_day }
  const time = due_date ? localTimeOf(due_date, timeZone).slice(11) : morning
  return { due_date: at(day, time, timeZone), due_all_day: false }
}

/** The same for a task that is moved by hand: today, an hour that is over becomes the whole day. */
export function movedTo(
  day: string,
  due: Due,
  { now, timeZone }: { now: number; timeZone: string },
): { due_date: string; due_all_day: boolean } {
  const moved = dueOn(day, due, timeZone)
  const isOver = Date.parse(moved.due_date) < now && day === dayOf(now, timeZone)
  return isOver ? { due_date: dayEnd(day, timeZone), due_all_day: true } : moved
}

function at(day: string, time: string, timeZone: string): string {
  const found = momentOf(`${day}T${time}`, timeZone)
  // If the clock skips this hour, take the morning.
  const safe = 'moment' in found ? found : momentOf(`${day}T${morning}`, timeZone)
  return 'moment' in safe ? safe.moment : `${day}T09:00:00.000Z`
}
