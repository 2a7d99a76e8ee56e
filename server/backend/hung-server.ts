import pg from 'pg'

/**
 * Ends the connections in use when the database server has stopped answering anybody. A statement may take
 * minutes, such as the import of a large file, so its own silence proves nothing: after `patience`, and
 * again after each, the server is asked for a new connection. One that cannot even refuse it within the
 * same time hangs. Whoever waits is then told, and what was begun ends with its connection: handed back to
 * the pool, it would become part of the next request once the server wakes up.
 */
export function endHungConnections(pool: pg.Pool, url: string, patience: number): void {
  const watches = new Map<pg.PoolClient, NodeJS.Timeout>()
  let asking: Promise<boolean> | null = null

  function askOnce(): Promise<boolean> {
    asking ??= answers(url, patience).finally(() => {
      asking = null
    })
    return asking
  }
  async function look(client: pg.PoolClient): Promise<void> {
    const doesAnswer = await askOnce()
    // Given back meanwhile, it was answered.
    if (doesAnswer || !watches.has(client)) return
    client.end(() => {})
  }

  pool.on('acquire', (client) => {
    watches.set(client, setInterval(() => void look(client), patience).unref())
  })
  pool.on('release', (_, client) => {
    clearInterval(watches.get(client))
    watches.delete(client)
  })
}

/** True when the server gives a connection, or says why it does not. */
async function answers(url: string, patience: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: patience })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    client.end(() => {})
  }
}
