import pg from 'pg'

/**
 * Ends the connections in use when the database server hangs. A long statement alone proves nothing, because an
 * import may take minutes. So after `patience`, and again after each, this asks the server for a new connection;
 * a server that neither grants nor refuses it within the same time hangs. The waiting requests then fail, and
 * their connections are destroyed: back in the pool, they would run an old transaction inside the next request
 * once the server wakes up.
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
    // A connection that was released meanwhile has been answered.
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

/** Whether the server grants a connection, or refuses it with a reason. */
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
