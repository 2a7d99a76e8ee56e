import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { ServerConnection } from '../backend/connections.ts'
import { folderError } from '../backend/data-folder.ts'
import { type CopiesForUpdate, lastMigration } from '../backend/migrations.ts'
import { makeRoles } from '../backend/roles.ts'
import { lockHolders, withStartLock } from '../backend/start-lock.ts'
import { log } from '../log.ts'
import { makeFolder } from '../make-folder.ts'
import { StartError } from '../start-error.ts'
import { copiesFolder, copyName, newestCopy, removeOldCopies } from './copies-folder.ts'
import { type Manifest, unpackCopy, writeCopy } from './copy-file.ts'
import { runProgram } from './programs.ts'
import { restoreCommand } from './restore-command.ts'

type Place = { dataDir: string; url: string }

/** Copies a database on a PostgreSQL server and the mails into one file, while servers keep running on it. */
export async function backupServer(
  { dataDir, url }: Place,
  file: string,
  signal?: AbortSignal,
): Promise<Manifest> {
  const last = await withDatabase(url, (connection) => lastMigration(connection.kysely))
  if (!last) throw new StartError('There is no Solo CRM in this database yet: nothing to copy.')
  return withDraftFolder(dataDir, async (folder) => {
    const dump = join(folder, 'database.dump')
    // The whole copy is compressed later.
    const how = ['--format=custom', '--compress=0', '--no-owner']
    await runProgram('pg_dump', [...how, `--file=${dump}`], { url, signal })
    const parts = [
      { name: 'database.dump', path: dump },
      { name: 'outbox', path: join(dataDir, 'outbox') },
    ]
    return writeCopy(file, { kind: 'postgres', lastMigration: last }, parts, signal)
  })
}

/**
 * Restores a copy into a database, in one transaction: into an empty one or, with `replace`, over existing
 * contents, after a copy of them. Returns that copy, if one was made.
 */
export async function restoreServer(
  place: Place,
  file: string,
  { replace }: { replace: boolean },
): Promise<string | null> {
  // The lock keeps a server from starting meanwhile.
  return withStartLock(place.url, () =>
    withDatabase(place.url, (connection) =>
      withDraftFolder(place.dataDir, async (folder) => {
        const schemas = await schemasIn(connection)
        if (schemas.length > 0 && !replace) {
          throw new StartError(
            'The database of DATABASE_URL is not empty. Restore into an empty one; or, to give up what is in it: add --replace to the command.',
          )
        }
        await refuseWhileUsed(connection)
        await unpackCopy(file, folder)
        const script = join(folder, 'restore.sql')
        const dump = join(folder, 'database.dump')
        await runProgram('pg_restore', ['--no-owner', `--file=${script}`, dump])
        const isOurs = (await lastMigration(connection.kysely)) !== null
        const kept = isOurs ? join(copiesFolder(place.dataDir), copyName('before-restore')) : null
        if (kept) await backupServer(place, kept)
        await makeRoles(connection)
        await writeFile(join(folder, 'empty.sql'), emptying(schemas))
        const how = ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--single-transaction']
        const files = [`--file=${join(folder, 'empty.sql')}`, `--file=${script}`]
        await runProgram('psql', [...how, ...files], { url: place.url })
        return kept
      }),
    ),
  )
}

/** The copies before an update, where PostgreSQL's programs are installed. */
export function serverCopies(dataDir: string, url: string): CopiesForUpdate {
  return {
    async before(next) {
      const file = join(copiesFolder(dataDir), copyName(`before-${next}`))
      try {
        await backupServer({ dataDir, url }, file)
      } catch (error) {
        // The update may continue: a PostgreSQL server has backups of its own, and a failed migration is rolled back.
        const reason = error instanceof StartError ? error.message : 'the copy failed.'
        log(`The update goes on without a copy of the database: ${reason}`)
        return null
      }
      log(`Before the update everything was copied to ${file}`)
      await removeOldCopies(dataDir)
      return restoreCommand(file, '--replace')
    },
    async newest(known) {
      const file = await newestCopy(dataDir, known)
      return file ? restoreCommand(file, '--replace') : null
    },
  }
}

async function withDatabase<T>(url: string, work: (c: ServerConnection) => Promise<T>): Promise<T> {
  const connection = new ServerConnection(url)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

async function withDraftFolder<T>(dataDir: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await makeDraftFolder(dataDir)
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeDraftFolder(dataDir: string): Promise<string> {
  try {
    await makeFolder(dataDir)
    return await mkdtemp(join(dataDir, 'copying-'))
  } catch (error) {
    throw folderError(dataDir, error)
  }
}

/** The schemas with something in them; a new database has none. */
export function schemasIn(connection: ServerConnection): Promise<string[]> {
  return names(
    connection,
    sql`select nspname as name from pg_namespace n
      where nspname !~ '^pg_' and nspname <> 'information_schema'
        and (nspname <> 'public' or exists (select from pg_class where relnamespace = n.oid))`,
  )
}

/** Refuses a database to which anybody else is connected. */
export async function refuseWhileUsed(connection: ServerConnection): Promise<void> {
  // This command has two connections itself: this one, and the one that holds the lock. The kind of another
  // user's process is hidden from us, but having a user distinguishes it from the server's own processes.
  const others = await names(
    connection,
    sql`select application_name as name from pg_stat_activity
      where datname = current_database() and usename is not null
        and pid <> pg_backend_pid() and pid not in (${lockHolders})`,
  )
  if (others.length > 0) {
    const users = [...new Set(others)].filter((name) => name !== '').join(', ')
    throw new StartError(
      `The database is in use (open connections: ${others.length}${users && `, of ${users}`}). Stop every Solo CRM on it first.`,
    )
  }
}

async function names(connection: ServerConnection, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await query.execute(connection.kysely)
  return (rows as { name: string }[]).map((row) => row.name)
}

function emptying(schemas: string[]): string {
  const quoted = schemas.map((name) => `"${name.replaceAll('"', '""')}"`)
  const drops = quoted.map((name) => `drop schema ${name} cascade;`)
  const isPublicGone = schemas.includes('public')
  const again = ['create schema public;', 'grant usage on schema public to public;']
  return ['set client_min_messages = warning;', ...drops, ...(isPublicGone ? again : [])].join('\n')
}
