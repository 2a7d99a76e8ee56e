import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { describeError, logProblem } from '../log.ts'

type Database = Pick<Connection, 'kysely'>

const day = 86_400_000

/** About a tenth of a second on the embedded database, where everybody waits for the end of a step. */
const recordsPerStep = 200

/**
 * Erases what has expired: before the first request and once a day. What records hold of fields that are gone for good
 * nobody sees; it is removed in small steps while others are served.
 */
export async function startCleaning(database: Database): Promise<{ stop(): Promise<void> }> {
  let isStopped = false
  async function sweep() {
    while (!isStopped && (await step(database, 'sweep'))) {}
  }
  async function cleanUp() {
    await eraseExpired(database)
    await dropLooseContents(database)
    await sweep()
  }
  const guarded = (work: Promise<void>) =>
    // After a failure, the next change or the next run does it.
    work.catch((error: unknown) => {
      logProblem(`What has expired could not be erased: ${describeError(error)}`)
    })
  await eraseExpired(database)
  await dropLooseContents(database)
  let work = guarded(sweep())
  const timer = setInterval(() => {
    work = work.then(() => guarded(cleanUp()))
  }, day).unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await work
    },
  }
}

/** Erases in steps until nothing is left, so that a start after a long pause finishes before the first request. */
async function eraseExpired(database: Database): Promise<void> {
  while (await step(database, 'erase')) {}
}

/** Uploads of files that stopped half-way. */
async function dropLooseContents({ kysely }: Database): Promise<void> {
  await sql`select private.drop_loose_contents()`.execute(kysely)
}

async function step({ kysely }: Database, what: 'erase' | 'sweep'): Promise<boolean> {
  const { rows } = await sql<{ done: number }>`select ${
    what === 'erase'
      ? sql`private.erase_expired()`
      : sql`private.sweep_fields(${recordsPerStep}::integer)`
  } as done`.execute(kysely)
  return Boolean(rows[0]?.done)
}
