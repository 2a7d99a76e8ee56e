import type pg from 'pg'

/** How the database server lists our connections to whoever asks who uses a database. */
export const applicationName = 'Solo CRM'

/** How soon a connection that was lost is replaced. */
const pause = 1000

/**
 * Keeps a pool from being without any connection: by it a restore notices a server that runs and has
 * nothing to do. The pool itself never closes its last one (`min`), but opens none unless it is asked for one,
 * so one that was lost is asked for here. No lock tells the same: a pooler between us and the database would
 * hand a session's lock on to others.
 */
export function keepConnected(pool: pg.Pool): () => void {
  const looking = setInterval(() => {
    if (pool.totalCount > 0) return
    // While the database is away this fails, each time until it is back.
    pool.connect().then(
      (client) => client.release(),
      () => {},
    )
  }, pause).unref()
  return () => clearInterval(looking)
}
