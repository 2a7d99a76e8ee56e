import type { Connection } from '@supabase/lite'
import { type RawBuilder, sql } from 'kysely'
import { describeError, logProblem } from '../log.ts'

type Database = Pick<Connection, 'kysely'>

/**
 * In milliseconds. `look`: how often a table may be vacuumed. `quiet`: for how long there must have been no request
 * before that. `checkpoint`: how often small tables and the length of the log are looked at.
 */
const pace = { look: 60_000, quiet: 20_000, checkpoint: 10_000 }

/** So many rows are read for statistics in a few milliseconds. */
const fewRows = 20_000

/** After a crash, 64 MB are replayed in about a second. A checkpoint takes a quarter of one. */
const mostReplayedBytes = 64 * 2 ** 20

const hasMuchNew = sql<boolean>`n_mod_since_analyze > 50 + 0.1 * n_live_tup`

/**
 * Replaces two processes that the embedded database lacks. Autovacuum updates the planner's statistics and frees the
 * space of deleted rows; a large table takes seconds, during which every request would wait, so it runs only while
 * the server is idle. Statistics of small tables are updated at once: without them, a list of a hundred contacts of a new
 * account took a second. The checkpointer bounds the log that a crash replays, which would otherwise grow until the
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
    setInterval(() => {
      add(() => analyzeSmallTables(database))
      add(() => shortenLog(database))
    }, pace.checkpoint),
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

/** Updates the planner's statistics of small tables after many changes. */
export async function analyzeSmallTables({ kysely }: Database): Promise<void> {
  for (const name of await tablesWith(
    kysely,
    sql<boolean>`${hasMuchNew} and n_live_tup <= ${fewRows}`,
  ))
    await sql`analyze ${sql.raw(name)}`.execute(kysely)
}

/** Vacuums the table that needs it most, by autovacuum's own thresholds, and returns its name; null for none. */
export async function vacuumTable({ kysely }: Database): Promise<string | null> {
  const isFull = sql<boolean>`n_dead_tup > 50 + 0.2 * n_live_tup`
  const [name] = await tablesWith(kysely, sql<boolean>`(${hasMuchNew} or ${isFull})`)
  if (!name) return null
  await sql`vacuum (analyze) ${sql.raw(name)}`.execute(kysely)
  return name
}

/** Those that need it most first. */
async function tablesWith(
  kysely: Database['kysely'],
  condition: RawBuilder<boolean>,
): Promise<string[]> {
  // Without this, changes of the last second are counted only with a later statement.
  await sql`select pg_stat_force_next_flush()`.execute(kysely)
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, relname) as name
    from pg_stat_all_tables where schemaname <> 'pg_toast' and ${condition}
    order by n_mod_since_analyze + n_dead_tup desc`.execute(kysely)
  return rows.map(({ name }) => name)
}
