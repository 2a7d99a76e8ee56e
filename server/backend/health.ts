import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { EmbeddedConnection } from './connections.ts'

/** Busy means the database runs a long statement or is opening again; `restarts` counts the latter. */
export type Health = { status: 'ok' | 'busy' | 'unavailable'; since?: Date; restarts?: number }

/** In milliseconds. */
const patience = 3000

/** Whether the database answers within the time limit. */
export function answersInTime(connection: Connection): Promise<boolean> {
  const answer = sql`select 1`.execute(connection.kysely).then(
    () => true,
    () => false,
  )
  const tooLate = new Promise<boolean>((resolve) => {
    setTimeout(resolve, patience, false).unref()
  })
  return Promise.race([answer, tooLate])
}

export async function healthOf(connection: Connection): Promise<Health> {
  const isWell = await answersInTime(connection)
  if (!(connection instanceof EmbeddedConnection)) return { status: isWell ? 'ok' : 'unavailable' }
  const { busySince, restarts } = connection.thread
  if (isWell) return { status: 'ok', restarts }
  return busySince
    ? { status: 'busy', since: busySince, restarts }
    : { status: 'unavailable', restarts }
}
