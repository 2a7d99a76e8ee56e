import type { AnyDatabase } from '../backend/request-context.ts'
import { type MovedTable, rowsOf } from './tables.ts'

/** What waits on the target until all of it is there. No request can read it. */
export const waitingSchema = 'solo_moving'

/** Rows are sent in parts of about this size; a part that has arrived is not sent again. */
const partBytes = 2_000_000
const mostRows = 5000

export async function makeWaitingRoom(target: AnyDatabase): Promise<void> {
  await rowsOf(target, `create schema if not exists ${waitingSchema}`)
  await rowsOf(target, `revoke all on schema ${waitingSchema} from public`)
  await rowsOf(
    target,
    `create table if not exists ${waitingSchema}.move (
      only_row boolean primary key default true check (only_row),
      source text not null, is_written boolean not null default false)`,
  )
  await rowsOf(
    target,
    `create table if not exists ${waitingSchema}.parts (
      name text, number integer, last_key json not null, count integer not null, rows json not null,
      primary key (name, number))`,
  )
}

export async function emptyWaitingRoom(target: AnyDatabase): Promise<void> {
  await rowsOf(target, `drop schema if exists ${waitingSchema} cascade`)
}

/**
 * Copies the rows of a table to the target, where they wait. What an earlier run has copied stays.
 *
 * @param onPart called with the number of rows that have arrived
 */
export async function sendRows(
  source: AnyDatabase,
  target: AnyDatabase,
  table: MovedTable,
  onPart: (arrived: number) => void,
): Promise<void> {
  const [before] = await rowsOf<{ number: number; last_key: string; total: number }>(
    target,
    `select number, last_key::text, (select sum(count)::int from ${waitingSchema}.parts where name = $1) as total
    from ${waitingSchema}.parts where name = $1 order by number desc limit 1`,
    [table.name],
  )
  let number = before?.number ?? 0
  let arrived = before?.total ?? 0
  let after: string[] | null = before ? JSON.parse(before.last_key) : null
  // A row may be of a megabyte: how many make a part is known by those that came before.
  let size = 1
  for (;;) {
    const page = await rowsOf<{ row: string; key: string }>(source, ...pageOf(table, after, size))
    const last = page.at(-1)
    if (!last) return
    const text = `[${page.map(({ row }) => row).join(',')}]`
    number += 1
    await rowsOf(
      target,
      `insert into ${waitingSchema}.parts (name, number, last_key, count, rows)
      values ($1, $2, $3::text::json, $4, $5::text::json)`,
      [table.name, number, last.key, page.length, text],
    )
    arrived += page.length
    onPart(arrived)
    after = JSON.parse(last.key)
    if (page.length < size) return
    const largest = Math.max(...page.map(({ row }) => row.length))
    size = Math.max(1, Math.min(mostRows, size * 4, Math.floor(partBytes / largest)))
  }
}

/** A page of rows as JSON, after a key; without a primary key, after the mark of a row. */
function pageOf(
  { place, columns, keys }: MovedTable,
  after: string[] | null,
  size: number,
): [string, unknown[]] {
  const list = columns.map(quoted).join(', ')
  const by =
    keys.length > 0
      ? keys.map(({ name, type }) => ({ by: `t.${quoted(name)}`, type }))
      : [{ by: `${markOf(columns)} collate "C"`, type: 'text' }]
  const order = by.map((key) => key.by).join(', ')
  const places = by.map(({ type }, place) => `$${place + 1}::text::${type}`).join(', ')
  return [
    `select (select row_to_json(r) from (select ${list}) r)::text as row,
      json_build_array(${by.map((key) => `(${key.by})::text`).join(', ')})::text as key
    from ${place} t ${after ? `where (${order}) > (${places})` : ''}
    order by ${order} limit ${size}`,
    after ?? [],
  ]
}

/** Hashes over a table's rows, in 256 groups: they are equal where all rows are equal. */
export type TableMarks = { count: number; groups: Map<string, string> }

function markOf(columns: string[]): string {
  return `md5(row(${columns.map((name) => `t.${quoted(name)}`).join(', ')})::text)`
}

export async function marksOf(
  db: AnyDatabase,
  { place, columns }: Pick<MovedTable, 'place' | 'columns'>,
): Promise<TableMarks> {
  const rows = await rowsOf<{ part: string; count: number; mark: string }>(
    db,
    `select part, count(*)::int as count, md5(string_agg(mark, '' order by mark collate "C")) as mark
    from (select left(mark, 2) as part, mark from (select ${markOf(columns)} as mark from ${place} t) m) p
    group by part`,
  )
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    groups: new Map(rows.map(({ part, mark }) => [part, mark])),
  }
}

export function isEqual(one: TableMarks, other: TableMarks): boolean {
  return (
    one.count === other.count &&
    one.groups.size === other.groups.size &&
    [...one.groups].every(([part, mark]) => other.groups.get(part) === mark)
  )
}

/** So that values read alike in both databases. */
export async function speakAlike(db: AnyDatabase): Promise<void> {
  await rowsOf(
    db,
    `select set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, MDY', true),
      set_config('IntervalStyle', 'postgres', true), set_config('bytea_output', 'hex', true),
      set_config('extra_float_digits', '1', true), set_config('statement_timeout', '0', true)`,
  )
}

/** Where a table that numbers its rows goes on. */
export type Counter = { place: string; column: string; last: string; isCalled: boolean }

/** Finds each sequence by its column, because it may have another name in the other database. */
export async function countersOf(db: AnyDatabase): Promise<Counter[]> {
  const found = await rowsOf<{ place: string; column: string; name: string }>(
    db,
    `select * from (
      select format('%I.%I', n.nspname, c.relname) as place, a.attname::text as column,
        pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) as name
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'private')
    ) s where name is not null`,
  )
  const counters: Counter[] = []
  for (const { place, column, name } of found) {
    const [read] = await rowsOf<{ last: string; called: boolean }>(
      db,
      `select last_value::text as last, is_called as called from ${name}`,
    )
    if (read) counters.push({ place, column, last: read.last, isCalled: read.called })
  }
  return counters
}

/**
 * Puts what waits into its tables, as it was: no trigger runs, nothing is logged or announced. Inside a transaction of
 * the caller. The tables are the database user's own, so that this needs no administrator.
 */
export async function putInPlace(
  target: AnyDatabase,
  tables: MovedTable[],
  counters: Counter[],
): Promise<void> {
  for (const { place } of tables) await rowsOf(target, `alter table ${place} disable trigger user`)
  for (const { place } of [...tables].reverse()) await rowsOf(target, `delete from ${place}`)
  for (const { name, place, columns } of tables) {
    const list = columns.map(quoted).join(', ')
    await rowsOf(
      target,
      `insert into ${place} (${list}) overriding system value
      select ${columns.map((column) => `r.${quoted(column)}`).join(', ')}
      from ${waitingSchema}.parts p cross join lateral json_populate_recordset(null::${place}, p.rows) r
      where p.name = $1`,
      [name],
    )
  }
  // Links are checked now: a table with checks to come cannot be altered.
  await rowsOf(target, 'set constraints all immediate')
  for (const { place } of tables) await rowsOf(target, `alter table ${place} enable trigger user`)
  for (const { place, column, last, isCalled } of counters) {
    await rowsOf(
      target,
      'select setval(pg_get_serial_sequence($1::text, $2::text)::regclass, $3::text::bigint, $4)',
      [place, column, last, isCalled],
    )
  }
}

export async function forgetRows(target: AnyDatabase, table: MovedTable): Promise<void> {
  await rowsOf(target, `delete from ${waitingSchema}.parts where name = $1`, [table.name])
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
