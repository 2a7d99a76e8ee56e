import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Connection, ensureHistoryTable, splitSqlStatements } from '@supabase/lite'
import { sql } from 'kysely'
import { describeError, log } from '../log.ts'
import { StartError } from '../start-error.ts'
import {
  firstHistory,
  foldedFingerprint,
  foldedUpTo,
  isFirstHistory,
  lastOfFirstHistory,
  secondHistory,
} from './former-histories.ts'
import { forgetMark, hasTable, markBegun, unfinishedMark } from './migration-mark.ts'
import type { AnyDatabase } from './request-context.ts'
import { schemaFingerprint } from './schema-fingerprint.ts'

type MigrationFile = { version: string; name: string; file: string }

type Migration = {
  version: string
  name: string
  statements: string[]
  /** Of an upgrade: the migrations that replace the history. */
  history?: Migration[]
}

/** The migrations that a database lacks. */
export type MigrationPlan = {
  pending: Migration[]
  /** The last migration of the database; null when it is new. */
  last: string | null
}

/** The copies of the installation that an update needs. Both functions return the command that restores a copy. */
export type CopiesForUpdate = {
  /** Copies everything as it is now; null where that is impossible and the update continues without. */
  before(next: string, last: string): Promise<string | null>
  /** The newest copy that a program with these migrations can read. */
  newest(known: Set<string>): Promise<string | null>
}

/** The path is right from the sources and from the built server. */
export const migrationsFolder = join(import.meta.dirname, '../../supabase/migrations')

const upgradesFolder = join(import.meta.dirname, '../../supabase/upgrades')

/** The migrations of the schema before its files were rewritten for the second time. */
export const secondHistoryFolder = join(upgradesFolder, secondHistory.folder)

/** The migrations from which this program can update a database, oldest first. */
export async function knownVersions(folder = migrationsFolder): Promise<string[]> {
  const files = [...(await migrationFiles(secondHistoryFolder)), ...(await migrationFiles(folder))]
  return [lastOfFirstHistory, ...files.map(({ version }) => version)]
}

/** The files of `supabase/migrations`, oldest first, named as Supabase's own tools name them. */
async function migrationFiles(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return names.map((name) => fileIn(folder, name))
}

function fileIn(folder: string, fileName: string): MigrationFile {
  const [, version, name] = /^(\d{14})_(.+)\.sql$/.exec(fileName) ?? []
  if (!version || !name) {
    throw new StartError(`The migration ${fileName} has no version in its name.`)
  }
  return { version, name, file: join(folder, fileName) }
}

/** Only for what will be applied: to find the statements of all files takes a tenth of a start. */
async function readMigration({ version, name, file }: MigrationFile): Promise<Migration> {
  return { version, name, statements: splitSqlStatements(await readFile(file, 'utf8')) }
}

/**
 * The upgrade from a former history to the migrations that replace it: what the database lacks of it, and the step from
 * there, in one transaction. Null for a database that has no former history.
 */
async function readUpgrade(files: MigrationFile[], applied: string[]): Promise<Migration | null> {
  const second = await migrationFiles(secondHistoryFolder)
  const isFirst = isFirstHistory(applied)
  const isSecond = second.some(({ version }) => applied.includes(version))
  if (!isFirst && !isSecond) return null
  const last = fileIn(upgradesFolder, secondHistory.upgrade)
  const lacking = isFirst
    ? [
        fileIn(upgradesFolder, firstHistory.upgrade),
        ...second.filter(({ version }) => version > firstHistory.upTo),
      ]
    : second.filter(({ version }) => !applied.includes(version))
  const steps = await Promise.all([...lacking, last].map(readMigration))
  const replacing = files.filter(({ version }) => version <= foldedUpTo)
  return {
    version: (isFirst ? last : (lacking[0] ?? last)).version,
    name: last.name,
    statements: steps.flatMap(({ statements }) => statements),
    history: await Promise.all(replacing.map(readMigration)),
  }
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
 * Compares a database with the migrations, without changing it. Throws for a schema that cannot be updated, with
 * the command that restores a copy: a newer version, one with a gap, a part of the first history, an unfinished
 * migration.
 */
export async function planMigrations(
  { kysely: db }: Connection,
  folder: string,
  copies: Pick<CopiesForUpdate, 'newest'>,
): Promise<MigrationPlan> {
  const files = await migrationFiles(folder)
  const applied = await appliedVersions(db)
  const upgrade = await readUpgrade(files, applied)
  const has = new Set(upgrade?.history?.map(({ version }) => version) ?? applied)
  const known = new Set(await knownVersions(folder))
  const last = applied.at(-1) ?? null
  const lacking = files.filter(({ version }) => !has.has(version))

  async function refuse(what: string): Promise<never> {
    const command = await copies.newest(known)
    const way = command
      ? `or go back to the newest copy that this version can use: ${command}`
      : 'or restore a backup made by this version.'
    throw new StartError(`${what}, ${way}`)
  }
  const ofFirstHistory = applied.filter((version) => firstHistory.versions.includes(version))
  const newer = applied.find((version) => !known.has(version) && !ofFirstHistory.includes(version))
  if (newer) {
    await refuse(
      `The database was made by a newer version of Solo CRM (it has migration ${newer}). Start that version`,
    )
  }
  if (ofFirstHistory.length > 0 && !upgrade) {
    await refuse(
      `The database has a part of the first history of the schema (up to migration ${ofFirstHistory.at(-1)}), and this version updates from the whole of it (up to ${lastOfFirstHistory}). Nothing was changed. Start the version before this one once, which completes it, and then this one`,
    )
  }
  const missing = (upgrade ?? lacking[0])?.version
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
  const pending = await Promise.all(lacking.map(readMigration))
  return { pending: upgrade ? [upgrade, ...pending] : pending, last }
}

/** Makes a copy before an update, unless the installation has no account yet. */
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
  for (const { version, name, statements, history } of pending) {
    // A new database needs no mark: nothing can be lost.
    if (last) await markBegun(connection.kysely, version, wayBack)
    try {
      await connection.runInTransaction(async (transaction) => {
        // Another server process may hold locks: wait for it without a limit, unlike requests.
        await sql`set local lock_timeout = 0`.execute(transaction)
        for (const statement of statements) await sql.raw(statement).execute(transaction)
        if (history) await replaceHistory(transaction, history)
        else await noteDown(transaction, { version, name, statements })
        if (last) await forgetMark(transaction)
      })
    } catch (error) {
      if (!last) throw error
      const way = wayBack ? ` A copy was made before, should you need it: ${wayBack}` : ''
      if (error instanceof StartError) {
        // The migration failed and was rolled back: a later manual fix must not look like an unfinished one.
        await forgetMark(connection.kysely)
        throw new StartError(`${error.message}${way}`)
      }
      throw new StartError(
        `The update of the database failed in migration ${version} (${describeError(error)}). Nothing of that migration was kept, and your data is there.${way}`,
      )
    }
  }
  await connection.clearSchemaCache()
}

function noteDown(db: AnyDatabase, { version, name, statements }: Migration): Promise<unknown> {
  return sql`
    insert into supabase_migrations.schema_migrations (version, name, statements)
    values (${version}, ${name}, ${statements})`.execute(db)
}

/** Throws, and so rolls the upgrade back, unless the result equals a new database. */
async function replaceHistory(db: AnyDatabase, history: Migration[]): Promise<void> {
  await sql`delete from supabase_migrations.schema_migrations`.execute(db)
  for (const migration of history) await noteDown(db, migration)
  if ((await schemaFingerprint(db, 'product')) === foldedFingerprint) return
  throw new StartError(
    'The database cannot be updated: something else than Solo CRM has added, changed or removed tables, columns, indexes, functions or rights in its schemas public or private. Nothing was changed, and your data is there. Start the version before this one, put that right (what is your own has its place in another schema), and then start this one again.',
  )
}
