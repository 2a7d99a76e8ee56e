import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Connection, ensureHistoryTable, splitSqlStatements } from '@supabase/lite'
import { sql } from 'kysely'
import { StartError } from '../start-error.ts'

type Migration = { version: string; name: string; statements: string[] }

/** The files of `supabase/migrations`, oldest first, named as Supabase's own tools name them. */
async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const [, version, name] = /^(\d{14})_(.+)\.sql$/.exec(file) ?? []
      if (!version || !name)
        throw new StartError(`The migration ${file} has no version in its name.`)
      const text = await readFile(join(folder, file), 'utf8')
      return { version, name, statements: splitSqlStatements(text) }
    }),
  )
}

/**
 * Applies what the database does not have yet, each migration with its row of history in one
 * transaction, in the table that Supabase's own tools use: a database may move between the ways
 * to run. The caller holds the lock that keeps other processes from doing the same.
 */
export async function migrate(connection: Connection, folder: string): Promise<void> {
  await ensureHistoryTable(connection)
  const migrations = await readMigrations(folder)
  const history = await sql<{ version: string }>`
    select version from supabase_migrations.schema_migrations`.execute(connection.kysely)
  const applied = new Set(history.rows.map((row) => row.version))

  const known = new Set(migrations.map((migration) => migration.version))
  const newer = [...applied].find((version) => !known.has(version))
  if (newer) {
    throw new StartError(
      `The database was made by a newer version of Solo CRM (it has migration ${newer}). Start that version, or restore a backup made by this one.`,
    )
  }

  for (const { version, name, statements } of migrations) {
    if (applied.has(version)) continue
    await connection.runInTransaction(async (transaction) => {
      for (const statement of statements) await sql.raw(statement).execute(transaction)
      await sql`
        insert into supabase_migrations.schema_migrations (version, name, statements)
        values (${version}, ${name}, ${statements})`.execute(transaction)
    })
  }
  await connection.clearSchemaCache()
}
