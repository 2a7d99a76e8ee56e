type Due = { id: string; due_date: string | null; completed: boolean }

/** What has been announced already: under the key of a task, when it was due. */
export type Announced = Record<string, number>

/** A task that was put off is announced again, at its new time. */
function keyOf({ id }: Due, due: number): string {
  return `${id} ${due}`
}

const keptFor = 2 * 86_400_000

/** The moment of a task that is still to be done; null where there is none. */
function dueMoment({ completed, due_date }: Due): number | null {
  return completed || !due_date ? null : Date.parse(due_date)
}

/**
 * The tasks that have fallen due since then and were not announced, and what is announced with them.
 * What is older than two days is forgotten.
 */
export function toAnnounce<Task extends Due>(
  tasks: Task[],
  announced: Announced,
  { since, now }: { since: number; now: number },
): { due: Task[]; announced: Announced } {
  const kept = Object.fromEntries(
    Object.entries(announced).filter(([, due]) => due > now - keptFor),
  )
  const due = tasks.filter((task) => {
    const moment = dueMoment(task)
    if (moment === null || moment < since || moment > now) return false
    const key = keyOf(task, moment)
    if (kept[key] !== undefined) return false
    kept[key] = moment
    return true
  })
  return { due, announced: kept }
}

/** When the next of these tasks falls due; null when none does. */
export function nextDue(tasks: Due[], now: number): number | null {
  const moments = tasks.map(dueMoment).filter((moment) => moment !== null && moment > now)
  return moments.length === 0 ? null : Math.min(...moments.map(Number))
}
