import type { Connection } from '@supabase/lite'
import { sql } from 'kysely'
import { describeError, logProblem } from '../log.ts'

type Database = Pick<Connection, 'kysely'>

/** In milliseconds: how often is looked, and how long nobody may have asked for anything by then. */
const pace = { look: 60_000, quiet: 20_000 }

/**
 * Does what autovacuum does on a server, which the embedded database has no process for: counts the rows for
 * the planner and frees the room of those that are gone. A large table takes seconds, and every request would
 * wait for it, so it is done while nobody asks.
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

/** Tidies the table that needs it most, by PostgreSQL's own measure, and names it; null when none does. */
export async function vacuumTable({ kysely }: Database): Promise<string | null> {
  // What was counted within the last second is else told with the next statement after it.
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
