import { dayOf } from './dates.ts'
import { momentOf, morning } from './local-time.ts'

type Due = { id: string; due_date: string | null; due_all_day: boolean; completed: boolean }

/** What has been announced already: under the key of a task, when it was due. */
export type Announced = Record<string, number>

/** A task that was put off is announced again, at its new time. */
function keyOf({ id }: Due, due: number): string {
  return `${id} ${due}`
}

const keptFor = 2 * 86_400_000

/** When to remind of a task that is still to be done: at its hour, or in the morning of its day; null is never. */
function dueMoment({ completed, due_date, due_all_day }: Due, timeZone: string): number | null {
  if (completed || !due_date) return null
  const found = due_all_day && momentOf(`${dayOf(due_date, timeZone)}T${morning}`, timeZone)
  return Date.parse(found && 'moment' in found ? found.moment : due_date)
}

/**
 * The tasks that have fallen due since then and were not announced, and what is announced with them.
 * What is older than two days is forgotten.
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
