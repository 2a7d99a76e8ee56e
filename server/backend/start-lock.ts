import postgres from 'postgres'
import { StartError } from '../start-error.ts'

/** Any number, as long as every server process of Solo CRM takes the same. */
const lockNumber = 736_171_153
const oldestVersion = 150_000

/**
 * Runs the work that only one server process may do at a time on a shared database: making the
 * schema and the keys. Those who come later wait, and find it done.
 */
export async function withStartLock<T>(url: string, work: () => Promise<T>): Promise<T> {
  const db = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} })
  try {
    await checkServer(db, new URL(url))
    await db`select pg_advisory_lock(${lockNumber})`
    return await work()
  } finally {
    await db.end({ timeout: 5 })
  }
}

async function checkServer(db: postgres.Sql, url: URL): Promise<void> {
  const where = `${url.hostname || 'localhost'}:${url.port || 5432}`
  const [row] = await db<[{ server_version_num: string }]>`show server_version_num`.catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(
        isAnswer(error.code)
          ? `The database server at ${where} refuses DATABASE_URL (${error.message}). Check user, password and database name.`
          : `The database server at ${where} does not answer. Check DATABASE_URL and that the server is running.`,
      )
    },
  )
  if (Number(row.server_version_num) < oldestVersion) {
    throw new StartError(`The database server at ${where} is older than PostgreSQL 15.`)
  }
}

/** PostgreSQL's own codes have five characters; those of a connection that failed are longer. */
function isAnswer(code: string | undefined): boolean {
  return code?.length === 5
}
