import type pg from 'pg'

/** The name of our connections in `pg_stat_activity`. */
export const applicationName = 'Solo CRM'

/** How soon a connection that was lost is replaced. */
const pause = 1000

/**
 * Keeps at least one connection open, so that a restore can see an idle server. The pool never closes its last
 * connection (`min`), but does not replace a lost one until a request needs it, so this asks for one. A lock
 * would not do: a pooler between us and the database would pass a session's lock on to others.
 */
export function keepConnected(pool: pg.Pool): () => void {
  const looking = setInterval(() => {
    if (pool.totalCount > 0) return
    // Fails while the database cannot be reached, and is tried again.
    pool.connect().then(
      (client) => client.release(),
      () => {},
    )
  }, pause).unref()
  return () => clearInterval(looking)
}
