import { sql } from 'kysely'
import type { AnyDatabase } from './request-context.ts'
import { schemaFingerprint } from './schema-fingerprint.ts'

type Mark = { version: string; fingerprint: string; way_back: string | null }

const table = 'solo_server.begun_migration'

/**
 * Stores that a migration begins, with the fingerprint of the schema before it. The mark is removed in the
 * migration's own transaction, so a mark that is found means the migration never finished.
 */
export async function markBegun(
  db: AnyDatabase,
  version: string,
  wayBack: string | null,
): Promise<void> {
  await sql`create schema if not exists solo_server`.execute(db)
  await sql`revoke all on schema solo_server from public`.execute(db)
  await sql`create table if not exists ${sql.table(table)} (
    only_row boolean primary key default true check (only_row),
    version text not null, fingerprint text not null, way_back text)`.execute(db)
  await forgetMark(db)
  await sql`insert into ${sql.table(table)} (version, fingerprint, way_back)
    values (${version}, ${await schemaFingerprint(db)}, ${wayBack})`.execute(db)
}

export async function forgetMark(db: AnyDatabase): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(db)
}

/** Whether the database has a table of this name, given with its schema. */
export async function hasTable(db: AnyDatabase, name: string): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass(${name}) is not null as is_there`.execute(db)
  return rows[0]?.is_there === true
}

/** The mark of an unfinished migration, and whether the database rolled all of it back. */
export async function unfinishedMark(
  db: AnyDatabase,
): Promise<(Mark & { isUntouched: boolean }) | null> {
  if (!(await hasTable(db, table))) return null
  const { rows } = await sql<Mark>`select * from ${sql.table(table)}`.execute(db)
  const [mark] = rows
  return mark ? { ...mark, isUntouched: mark.fingerprint === (await schemaFingerprint(db)) } : null
}
