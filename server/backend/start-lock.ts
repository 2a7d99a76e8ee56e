import { sql } from 'kysely'
import pg from 'pg'
import { StartError } from '../start-error.ts'
import { applicationName } from './kept-connection.ts'
import { sessionSettings, settingsText } from './session-settings.ts'

/** Any number, as long as every server process of Solo CRM takes the same. */
const lockNumber = 736_171_153
const oldestVersion = 150_000

/** The connections that hold the lock, by their number at the database server. */
export const lockHolders = sql`
  select pid from pg_locks where locktype = 'advisory' and granted and objid = ${sql.lit(lockNumber)}`

/** What the address leads to. A pooler gives each transaction another connection, and takes no settings for one. */
export type DatabaseServer = { isPooled: boolean }

/**
 * Runs work that only one server process may do at a time on a shared database: creating the schema and the keys.
 * Other processes wait, and find it done. The lock ends with its transaction: one of the session would stay with a
 * connection of the pooler.
 */
export async function withStartLock<T>(
  url: string,
  work: (server: DatabaseServer) => Promise<T>,
): Promise<T> {
  const { client, isPooled } = await connectTo(url)
  try {
    await checkVersion(client, new URL(url))
    if (isPooled) await keepSettings(client)
    await client.query('begin')
    // This connection is idle while the work is done.
    await client.query("select set_config('idle_in_transaction_session_timeout', '0', true)")
    await client.query("select set_config('lock_timeout', '0', true)")
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber])
    return await work({ isPooled })
  } finally {
    await client.query('rollback').catch(() => {})
    await client.end()
  }
}

async function connectTo(url: string): Promise<{ client: pg.Client; isPooled: boolean }> {
  const usual = { connectionString: url, application_name: applicationName }
  for (const isPooled of [false, true]) {
    const client = new pg.Client({
      ...usual,
      connectionTimeoutMillis: 10_000,
      ...(isPooled ? {} : { options: settingsText() }),
    })
    // An error between two queries ends the connection, and with it the lock.
    client.on('error', () => {})
    try {
      await client.connect()
      return { client, isPooled }
    } catch (error) {
      if (isPooled || !takesNoSettings(error)) throw explained(error, new URL(url))
    }
  }
  throw new Error('unreachable')
}

/** As PgBouncer says it. */
function takesNoSettings(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message)
}

/** Makes our settings those of the user in this database, because the pooler takes none for a connection. */
async function keepSettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ place: string }>(
    "select format('role %I in database %I', current_user, current_database()) as place",
  )
  for (const [name, value] of Object.entries(sessionSettings)) {
    await client.query(`alter ${rows[0]?.place} set ${name} = '${value}'`)
  }
}

function placeOf(url: URL): string {
  return `${url.hostname || 'localhost'}:${url.port || 5432}`
}

function explained(error: unknown, url: URL): StartError {
  const { code, message } = error as NodeJS.ErrnoException
  return new StartError(
    isAnswer(code)
      ? `The database server at ${placeOf(url)} refuses DATABASE_URL (${message}). Check user, password and database name.`
      : `The database server at ${placeOf(url)} does not answer. Check DATABASE_URL and that the server is running.`,
  )
}

async function checkVersion(client: pg.Client, url: URL): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  if (Number(rows[0]?.server_version_num) < oldestVersion) {
    throw new StartError(`The database server at ${placeOf(url)} is older than PostgreSQL 15.`)
  }
}

/** PostgreSQL's own codes have five characters; those of a connection that failed are longer. */
function isAnswer(code: string | undefined): boolean {
  return code?.length === 5
}
