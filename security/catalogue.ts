import { sql } from 'kysely'
import type { RequestConnection } from '#server/backend/connections.ts'
import type { AnyDatabase } from '#server/backend/request-context.ts'
import { startBackend } from '#server/backend/start-backend.ts'
import { noMailbox } from '#server/mail/no-mailbox.ts'
import { type Column, type Routine, readColumns, readRoutines } from '../scripts/database-types.ts'
import { keys } from '../supabase/tests/test-keys.ts'

/** Everything that a request can name, read from the database: what is new is attacked by itself. */
export type Catalogue = {
  columns: Column[]
  functions: Routine[]
  /** The names under which our functions read what they are given as JSON. */
  keys: string[]
  /** Which table is linked with which, and by what. */
  links: Link[]
}

type Link = { one: string; other: string; name: string; column: string }

/** Reads what the database holds, and closes the connection. */
export async function readCatalogue(connection: RequestConnection): Promise<Catalogue> {
  const backend = await startBackend({
    connection,
    keys,
    settings: { publicUrl: 'http://127.0.0.1', confirmEmail: false },
    mailbox: noMailbox,
  })
  const catalogue = {
    columns: await readColumns(connection.kysely),
    functions: await readRoutines(connection.kysely),
    keys: await readKeys(connection.kysely),
    links: await readLinks(connection.kysely),
  }
  await backend.close()
  return catalogue
}

async function readKeys(db: AnyDatabase): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct found[1] as key
    from pg_proc, regexp_matches(prosrc, '->>?\\s*''(\\w+)''', 'g') as found
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
    order by 1`.execute(db)
  return rows.map((row) => row.key)
}

async function readLinks(db: AnyDatabase): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select f.conrelid::regclass::name as one, f.confrelid::regclass::name as other, f.conname as name, a.attname as column
    from pg_constraint f
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[cardinality(f.conkey)]
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace and f.confrelid <> 'auth.users'::regclass
    order by 3`.execute(db)
  return rows
}
