import { CompiledQuery } from 'kysely'
import type { AnyDatabase } from '../backend/request-context.ts'
import { StartError } from '../start-error.ts'

/** A table whose rows move, and its columns that both sides have, without generated ones. */
export type MovedTable = {
  /** With its schema, such as `public.contacts`. */
  name: string
  /** The same, quoted for SQL. */
  place: string
  /** By name, because two databases of different histories can have them in another order. */
  columns: string[]
  /** What pages of rows are ordered by; empty where the table has no primary key. */
  keys: { name: string; type: string }[]
}

type Column = { name: string; type: string }
type FoundTable = { name: string; place: string; columns: Column[]; keys: Column[] }

export async function rowsOf<Row>(
  db: AnyDatabase,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
}

/** Schema `auth` as far as both this server and a hosted project have it. Links in mails that were sent are left out. */
const commonColumns: Record<string, string[]> = {
  'auth.users': [
    ...['aud', 'banned_until', 'created_at', 'deleted_at', 'email', 'email_confirmed_at'],
    ...['encrypted_password', 'id', 'is_anonymous', 'is_sso_user', 'last_sign_in_at'],
    ...['raw_app_meta_data', 'raw_user_meta_data', 'role', 'updated_at'],
  ],
  'auth.identities': [
    ...['created_at', 'id', 'identity_data', 'last_sign_in_at', 'provider', 'provider_id'],
    ...['updated_at', 'user_id'],
  ],
}

/**
 * What moves of schema `auth`: all of it between two servers of ours; the accounts alone from a project; nothing to a
 * project, which makes its accounts itself.
 */
export type AuthPart = 'all' | 'accounts' | 'none'

/** The tables that move, each after those that it links to. */
export async function tablesToMove(
  source: AnyDatabase,
  target: AnyDatabase,
  auth: AuthPart,
): Promise<MovedTable[]> {
  const [here, there] = await Promise.all([tablesIn(source), tablesIn(target)])
  const moved = here.flatMap((table) => {
    const isAuth = table.name.startsWith('auth.')
    const common = commonColumns[table.name]
    if (isAuth && (auth === 'none' || (auth === 'accounts' && !common))) return []
    const twin = there.find(({ name }) => name === table.name)
    if (!twin) throw differs(`the table ${table.name} is in one of them only`)
    const wanted = isAuth && auth === 'accounts' ? common : undefined
    const columns = wanted
      ? table.columns.filter(({ name }) => wanted.includes(name))
      : table.columns
    const lacking = columns.find(
      ({ name, type }) => !twin.columns.some((other) => other.name === name && other.type === type),
    )
    const further = wanted
      ? undefined
      : twin.columns.find(({ name }) => !columns.some((other) => other.name === name))
    const odd = lacking ?? further
    if (odd) throw differs(`the column ${odd.name} of ${table.name} is not the same in both`)
    const { name, place, keys } = table
    return [{ name, place, keys, columns: columns.map((column) => column.name) }]
  })
  return parentsFirst(moved, await linksIn(target))
}

async function tablesIn(db: AnyDatabase): Promise<FoundTable[]> {
  const columns = (condition: string) => `(
    select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
      order by a.attname collate "C"), '[]')
    from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and ${condition})`
  const rows = await rowsOf<{ name: string; place: string; parts: string }>(
    db,
    `select n.nspname || '.' || c.relname as name, format('%I.%I', n.nspname, c.relname) as place,
      json_build_object(
        'columns', ${columns("a.attgenerated = ''")},
        'keys', ${columns('a.attnum = any (i.indkey)')})::text as parts
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_index i on i.indrelid = c.oid and i.indisprimary
    where n.nspname in ('public', 'private', 'auth') and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`,
  )
  return rows.map(({ name, place, parts }) => ({ name, place, ...JSON.parse(parts) }))
}

async function linksIn(db: AnyDatabase): Promise<{ child: string; parent: string }[]> {
  return rowsOf(
    db,
    `select distinct cn.nspname || '.' || c.relname as child, pn.nspname || '.' || p.relname as parent
    from pg_catalog.pg_constraint f
    join pg_catalog.pg_class c on c.oid = f.conrelid join pg_catalog.pg_namespace cn on cn.oid = c.relnamespace
    join pg_catalog.pg_class p on p.oid = f.confrelid join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
    where f.contype = 'f' and f.conrelid <> f.confrelid`,
  )
}

function parentsFirst(
  tables: MovedTable[],
  links: { child: string; parent: string }[],
): MovedTable[] {
  const sorted: MovedTable[] = []
  const waiting = new Map(tables.map((table) => [table.name, table]))
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(
      ({ name }) => !links.some(({ child, parent }) => child === name && waiting.has(parent)),
    )
    if (free.length === 0) throw new Error(`Tables link in a circle: ${[...waiting.keys()]}`)
    for (const table of free) {
      waiting.delete(table.name)
      sorted.push(table)
    }
  }
  return sorted
}

function differs(what: string): StartError {
  return new StartError(
    `The two databases are not built alike: ${what}. Bring both to this version of Solo CRM, and move what is your own out of the schemas public, private and auth. Nothing was moved.`,
  )
}
