import { dayOf } from './dates.ts'
import { momentOf, morning } from './local-time.ts'

type Due = { id: string; due_date: string | null; due_all_day: boolean; completed: boolean }

/** The due times of announced tasks, by key. */
export type Announced = Record<string, number>

/** Includes the due time, so that a snoozed task is announced again. */
function keyOf({ id }: Due, due: number): string {
  return `${id} ${due}`
}

const keptFor = 2 * 86_400_000

/** When to remind of an open task: at its time, or in the morning of its day; null for never. */
function dueMoment({ completed, due_date, due_all_day }: Due, timeZone: string): number | null {
  if (completed || !due_date) return null
  const found = due_all_day && momentOf(`${dayOf(due_date, timeZone)}T${morning}`, timeZone)
  return Date.parse(found && 'moment' in found ? found.moment : due_date)
}

/**
 * The tasks that have become due since then and were not announced, and the new list of announcements, without those
 * older than two days.
 */
export function toAnnounce<Task extends Due>(
  tasks: Task[],
  announced: Announced,
  { since, now, timeZone }: { since: number; now: number; timeZone: string },
): { due: Task[]; announced: Announced } {
  const kept = Object.fromEntries(
    Object.entries(announced).filter(([, due]) => due > now - keptFor),
  )
  const due = tasks.filter((task) => {
    const moment = dueMoment(task, timeZone)
    if (moment === null || moment < since || moment > now) return false
    const key = keyOf(task, moment)
    if (kept[key] !== undefined) return false
    kept[key] = moment
    return true
  })
  return { due, announced: kept }
}

/** When the next of these tasks falls due; null when none does. */
export function nextDue(tasks: Due[], now: number, timeZone: string): number | null {
  const moments = tasks
    .map((task) => dueMoment(task, timeZone))
    .filter((moment) => moment !== null && moment > now)
  return moments.length === 0 ? null : Math.min(...moments.map(Number))
}
