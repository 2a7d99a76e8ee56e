import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { describeError, logProblem } from '../log.ts'

type Database = Pick<Connection, 'kysely'>

/** In milliseconds: how often it looks, and how long there must have been no request. */
const pace = { look: 60_000, quiet: 20_000, checkpoint: 10_000 }

/** After a crash, 64 MB are replayed in about a second. A checkpoint takes a quarter of one. */
const mostReplayedBytes = 64 * 2 ** 20

/**
 * Replaces two processes that the embedded database lacks. Autovacuum updates the planner's statistics and frees the
 * space of deleted rows; a large table takes seconds, during which every request would wait, so it runs only while
 * the server is idle. The checkpointer bounds the log that a crash replays, which would otherwise grow until the
 * server stops; it runs whenever the log is long. Neither is a job: both depend on what this one process is just
 * doing, and nobody else may open the database.
 */
export function startUpkeep(database: Database): { noteRequest(): void; stop(): Promise<void> } {
  let lastRequest = performance.now()
  let work = Promise.resolve()
  function add(step: () => Promise<unknown>) {
    work = work.then(step).then(
      () => {},
      (error: unknown) => logProblem(`The database could not be tidied: ${describeError(error)}`),
    )
  }
  const looking = [
    setInterval(() => {
      if (performance.now() - lastRequest >= pace.quiet) add(() => vacuumTable(database))
    }, pace.look),
    setInterval(() => add(() => shortenLog(database)), pace.checkpoint),
  ]
  for (const timer of looking) timer.unref()
  return {
    noteRequest() {
      lastRequest = performance.now()
    },
    async stop() {
      for (const timer of looking) clearInterval(timer)
      await work
    },
  }
}

/** Makes a checkpoint when a crash would replay more than so many bytes; returns whether it did. */
export async function shortenLog(
  { kysely }: Database,
  mostBytes = mostReplayedBytes,
): Promise<boolean> {
  const { rows } = await sql<{ isLong: boolean }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > ${mostBytes} as "isLong"
    from pg_control_checkpoint()`.execute(kysely)
  if (!rows[0]?.isLong) return false
  await sql`checkpoint`.execute(kysely)
  return true
}

/** Vacuums the table that needs it most, by autovacuum's own thresholds, and returns its name; null for none. */
export async function vacuumTable({ kysely }: Database): Promise<string | null> {
  // Without this, changes of the last second are counted only with a later statement.
  await sql`select pg_stat_force_next_flush()`.execute(kysely)
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, relname) as name
    from pg_stat_all_tables
    where schemaname <> 'pg_toast'
      and (n_mod_since_analyze > 50 + 0.1 * n_live_tup or n_dead_tup > 50 + 0.2 * n_live_tup)
    order by n_mod_since_analyze + n_dead_tup desc limit 1`.execute(kysely)
  const [table] = rows
  if (!table) return null
  await sql`vacuum (analyze) ${sql.raw(table.name)}`.execute(kysely)
  return table.name
}
