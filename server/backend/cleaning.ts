import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import type { JobHandler } from '../jobs/jobs.ts'

type Database = Pick<Connection, 'kysely'>

const day = 86_400
const hour = 3600

/** About a tenth of a second on the embedded database, where everybody waits for the end of a step. */
const recordsPerStep = 200

/**
 * Erases what has expired, once a day. What records hold of fields that are gone for good nobody sees; it is removed
 * in small steps while others are served.
 */
export function cleaningJob(database: Database): JobHandler {
  return {
    async work(_job, signal) {
      do signal.throwIfAborted()
      while (await step(database, sql`private.erase_expired()`))
      do signal.throwIfAborted()
      while (await step(database, sql`private.sweep_fields(${recordsPerStep}::integer)`))
      await sql`select private.forget_jobs(), private.forget_deliveries()`.execute(database.kysely)
      return { againIn: day }
    },
    pause: () => hour,
  }
}

/** Erases in steps until nothing is left, so that a start after a long pause finishes before the first request. */
export async function eraseExpired(database: Database): Promise<void> {
  while (await step(database, sql`private.erase_expired()`)) {}
}

async function step({ kysely }: Database, call: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await sql<{ done: number }>`select ${call} as done`.execute(kysely)
  return Boolean(rows[0]?.done)
}
