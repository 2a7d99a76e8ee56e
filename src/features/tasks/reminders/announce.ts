// The small build of zod, because this is part of the first screen.
import { z } from 'zod/mini'
import { type Announced, toAnnounce } from '#domain/reminder.ts'
import { browserStorage } from '#lib/browser-storage.ts'
import type { Task } from '../queries.ts'

const key = 'solo-announced'
const storage = browserStorage()
/** Tasks that became due earlier are visible in the app; the minute covers a reload. */
const since = Date.now() - 60_000

/** How long another tab may take to see what this one stored. */
const untilSeen = 1000

/** Announces tasks that have just become due, in one of several tabs. */
export async function announceDue(
  tasks: Task[],
  timeZone: string,
  remind: (task: Task) => void,
): Promise<void> {
  async function announce(): Promise<void> {
    const times = { since, now: Date.now(), timeZone }
    const { due, announced } = toAnnounce(tasks, readAnnounced(), times)
    if (due.length === 0) return
    storage.setItem(key, JSON.stringify(announced))
    due.forEach(remind)
    await new Promise((resolve) => setTimeout(resolve, untilSeen))
  }
  if ('locks' in navigator) await navigator.locks.request(key, announce)
  else await announce()
}

function readAnnounced(): Announced {
  try {
    return z.record(z.string(), z.number()).parse(JSON.parse(storage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}
