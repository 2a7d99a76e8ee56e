import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { describeError, logProblem } from '../log.ts'

type Database = Pick<Connection, 'kysely'>

/** In milliseconds: how often it looks, and how long there must have been no request. */
const pace = { look: 60_000, quiet: 20_000 }

/**
 * Replaces autovacuum, which the embedded database lacks: updates the planner's statistics and frees the space of
 * deleted rows. A large table takes seconds, during which every request would wait, so it runs only while the
 * server is idle.
 */
export function startUpkeep(database: Database): { noteRequest(): void; stop(): Promise<void> } {
  let lastRequest = performance.now()
  let work = Promise.resolve()
  const looking = setInterval(() => {
    if (performance.now() - lastRequest < pace.quiet) return
    work = work
      .then(() => vacuumTable(database))
      .then(
        () => {},
        (error: unknown) => logProblem(`A table could not be tidied: ${describeError(error)}`),
      )
  }, pace.look).unref()
  return {
    noteRequest() {
      lastRequest = performance.now()
    },
    async stop() {
      clearInterval(looking)
      await work
    },
  }
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
