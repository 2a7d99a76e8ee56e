import { sql } from 'kysely'
import pg from 'pg'
import { StartError } from '../start-error.ts'
import { applicationName } from './kept-connection.ts'

/** Any number, as long as every server process of Solo CRM takes the same. */
const lockNumber = 736_171_153
const oldestVersion = 150_000

/** The connections that hold the lock, by their number at the database server. */
export const lockHolders = sql`
  select pid from pg_locks where locktype = 'advisory' and granted and objid = ${sql.lit(lockNumber)}`

/**
 * Runs work that only one server process may do at a time on a shared database: creating the schema and the keys.
 * Other processes wait, and find it done.
 */
export async function withStartLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
  })
  try {
    await checkServer(client, new URL(url))
    await client.query('select pg_advisory_lock($1)', [lockNumber])
    return await work()
  } finally {
    // The lock ends with the connection.
    await client.end()
  }
}

async function checkServer(client: pg.Client, url: URL): Promise<void> {
  const where = `${url.hostname || 'localhost'}:${url.port || 5432}`
  await client.connect().catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      isAnswer(error.code)
        ? `The database server at ${where} refuses DATABASE_URL (${error.message}). Check user, password and database name.`
        : `The database server at ${where} does not answer. Check DATABASE_URL and that the server is running.`,
    )
  })
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  if (Number(rows[0]?.server_version_num) < oldestVersion) {
    throw new StartError(`The database server at ${where} is older than PostgreSQL 15.`)
  }
}

/** PostgreSQL's own codes have five characters; those of a connection that failed are longer. */
function isAnswer(code: string | undefined): boolean {
  return code?.length === 5
}
