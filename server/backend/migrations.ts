import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Connection, ensureHistoryTable, splitSqlStatements } from '@supabase/lite'
import { sql } from 'kysely'
import { describeError, log } from '../log.ts'
import { StartError } from '../start-error.ts'
import { forgetMark, hasTable, markBegun, unfinishedMark } from './migration-mark.ts'
import type { AnyDatabase } from './request-context.ts'

type Migration = { version: string; name: string; statements: string[] }

/** What is to be done to bring a database up to date. */
export type MigrationPlan = {
  pending: Migration[]
  /** The last migration that it has; null when it is new. */
  last: string | null
}

/** Copies of the installation, as far as an update has to do with them. Both give the command that restores one. */
export type CopiesForUpdate = {
  /** Copies everything as it is now; null where that cannot be done and the update goes on without. */
  before(next: string, last: string): Promise<string | null>
  /** The newest copy that a program with these migrations can read. */
  newest(known: Set<string>): Promise<string | null>
}

/** Where the schema lies, seen from the sources and from the built server alike. */
export const migrationsFolder = join(import.meta.dirname, '../../supabase/migrations')

/** The versions that this program knows, oldest first. */
export async function knownVersions(folder = migrationsFolder): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return files.map((file) => nameOf(file).version)
}

/** The files of `supabase/migrations`, oldest first, named as Supabase's own tools name them. */
async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      return { ...nameOf(file), statements: splitSqlStatements(text) }
    }),
  )
}

function nameOf(file: string): { version: string; name: string } {
  const [, version, name] = /^(\d{14})_(.+)\.sql$/.exec(file) ?? []
  if (!version || !name) throw new StartError(`The migration ${file} has no version in its name.`)
  return { version, name }
}

/** The last migration of a database; null when it has none. */
export async function lastMigration(db: AnyDatabase): Promise<string | null> {
  return (await appliedVersions(db)).at(-1) ?? null
}

async function appliedVersions(db: AnyDatabase): Promise<string[]> {
  const table = 'supabase_migrations.schema_migrations'
  if (!(await hasTable(db, table))) return []
  const { rows } = await sql<{ version: string }>`
    select version from ${sql.table(table)} order by version`.execute(db)
  return rows.map((row) => row.version)
}

/**
 * Looks at what a database has and lacks, without changing it, and refuses with the way back what no update
 * can begin from: a schema of a newer version, one with a gap, one in the middle of a migration.
 */
export async function planMigrations(
  { kysely: db }: Connection,
  folder: string,
  copies: Pick<CopiesForUpdate, 'newest'>,
): Promise<MigrationPlan> {
  const migrations = await readMigrations(folder)
  const applied = await appliedVersions(db)
  const has = new Set(applied)
  const known = new Set(migrations.map((migration) => migration.version))
  const last = applied.at(-1) ?? null
  const pending = migrations.filter(({ version }) => !has.has(version))

  async function refuse(what: string): Promise<never> {
    const command = await copies.newest(known)
    const way = command
      ? `or go back to the newest copy that this version can use: ${command}`
      : 'or restore a backup made by this version.'
    throw new StartError(`${what}, ${way}`)
  }
  const newer = applied.find((version) => !known.has(version))
  if (newer) {
    await refuse(
      `The database was made by a newer version of Solo CRM (it has migration ${newer}). Start that version`,
    )
  }
  const missing = pending[0]?.version
  if (last && missing && missing < last) {
    await refuse(
      `The database has migration ${last} but lacks ${missing}, which comes before it: something else than Solo CRM changed it. Put that right`,
    )
  }
  const mark = await unfinishedMark(db)
  if (mark) {
    if (!mark.isUntouched) {
      throw new StartError(
        `Migration ${mark.version} is half applied: the database is neither as before nor as after it. Go back to the copy made before: ${mark.way_back ?? 'there is none here, take your own backup.'}`,
      )
    }
    log(`The update to migration ${mark.version} was cut off and left no trace: it begins again.`)
    await forgetMark(db)
  }
  return { pending, last }
}

/** Copies what an update is about to change; an installation without an account has nothing to lose. */
export async function copyBeforeUpdate(
  { kysely: db }: Connection,
  { pending: [next], last }: MigrationPlan,
  copies: Pick<CopiesForUpdate, 'before'>,
): Promise<string | null> {
  if (!next || !last || !(await hasTable(db, 'auth.users'))) return null
  const { rows } = await sql`select from auth.users limit 1`.execute(db)
  return rows.length > 0 ? copies.before(next.version, last) : null
}

/**
 * Applies what the database does not have yet, each migration with its row of history in one
 * transaction, in the table that Supabase's own tools use: a database may move between the ways
 * to run. The caller holds the lock that keeps other processes from doing the same.
 *
 * @param wayBack the command that restores the copy made before, if there is one
 */
export async function applyMigrations(
  connection: Connection,
  { pending, last }: MigrationPlan,
  wayBack: string | null,
): Promise<void> {
  await ensureHistoryTable(connection)
  for (const { version, name, statements } of pending) {
    // A new database has nothing to lose, and twenty migrations to go.
    if (last) await markBegun(connection.kysely, version, wayBack)
    try {
      await connection.runInTransaction(async (transaction) => {
        // Another server process may still be at work; an update waits for it, as no request would.
        await sql`set local lock_timeout = 0`.execute(transaction)
        for (const statement of statements) await sql.raw(statement).execute(transaction)
        await sql`
          insert into supabase_migrations.schema_migrations (version, name, statements)
          values (${version}, ${name}, ${statements})`.execute(transaction)
        if (last) await forgetMark(transaction)
      })
    } catch (error) {
      if (!last) throw error
      const way = wayBack ? ` A copy was made before, should you need it: ${wayBack}` : ''
      throw new StartError(
        `The update of the database failed in migration ${version} (${describeError(error)}). Nothing of that migration was kept, and your data is there.${way}`,
      )
    }
  }
  await connection.clearSchemaCache()
}
