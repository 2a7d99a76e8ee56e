import { join } from 'node:path'
import { sql } from 'kysely'
import type { AnyDatabase } from '#server/backend/request-context.ts'

export const typesFile = join(import.meta.dirname, '../src/lib/database.types.ts')

/** A column of a table or view, with what a signed-in user may do with it. */
export type Column = {
  table_name: string
  kind: 'table' | 'view'
  name: string
  type: string
  is_nullable: boolean
  has_default: boolean
  can_insert: boolean
  can_update: boolean
  rule: string | null
}

type Link = {
  table_name: string
  name: string
  columns: string[]
  parent: string
  parent_columns: string[]
}

/** A function that a signed-in user may call. */
export type Routine = {
  name: string
  args: { name: string; type: string; has_default: boolean }[]
  returns: string
  returns_table: string | null
  is_set: boolean
}

/**
 * The text of the types file for a migrated database, in the shape that supabase-js reads. Insert
 * and Update hold only the columns that a signed-in user may write, and a column whose check lists
 * its values becomes a union of them.
 */
export async function databaseTypes(db: AnyDatabase): Promise<string> {
  const columns = await readColumns(db)
  const links = await readLinks(db)
  const routines = await readRoutines(db)
  const relations = (kind: Column['kind']) => {
    const ofKind = columns.filter((column) => column.kind === kind)
    return [...new Set(ofKind.map((column) => column.table_name))]
      .map((name) =>
        relation(
          name,
          ofKind.filter((column) => column.table_name === name),
          links.filter((link) => link.table_name === name),
        ),
      )
      .join('\n')
  }
  return `// Generated from the migrated database by \`npm run types:database\`. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
${relations('table')}
    }
    Views: {
${relations('view') || '      [_ in never]: never'}
    }
    Functions: {
${routines.map(routine).join('\n')}
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
`
}

function relation(name: string, columns: Column[], links: Link[]): string {
  const block = (title: string, lines: string[]) =>
    lines.length === 0
      ? `        ${title}: { [_ in never]: never }`
      : `        ${title}: {\n${lines.map((line) => `          ${line}`).join('\n')}\n        }`
  const row = columns.map((column) => `${key(column.name)}: ${columnType(column)}`)
  const insert = columns
    .filter((column) => column.can_insert)
    .map((column) => {
      const mark = column.is_nullable || column.has_default ? '?' : ''
      return `${key(column.name)}${mark}: ${columnType(column)}`
    })
  const update = columns
    .filter((column) => column.can_update)
    .map((column) => `${key(column.name)}?: ${columnType(column)}`)
  const relationships = links.map(
    (link) =>
      `          { foreignKeyName: '${link.name}'; columns: ${tuple(link.columns)}; isOneToOne: false; referencedRelation: '${link.parent}'; referencedColumns: ${tuple(link.parent_columns)} },`,
  )
  return [
    `      ${name}: {`,
    block('Row', row),
    block('Insert', insert),
    block('Update', update),
    relationships.length === 0
      ? '        Relationships: []'
      : `        Relationships: [\n${relationships.join('\n')}\n        ]`,
    '      }',
  ].join('\n')
}

function routine({ name, args, returns, returns_table, is_set }: Routine): string {
  const types = args.map(
    (arg) => `${key(arg.name)}${arg.has_default ? '?' : ''}: ${typeName(arg.type)} | null`,
  )
  const one = returns_table
    ? `Database['public']['Tables']['${returns_table}']['Row']`
    : typeName(returns)
  return `      ${name}: {
        Args: ${types.length === 0 ? 'never' : `{ ${types.join('; ')} }`}
        Returns: ${is_set ? `${one}[]` : one}
      }`
}

function columnType(column: Column): string {
  const values = [...(column.rule ?? '').matchAll(/'([^']+)'::text/g)].map(
    ([, value]) => `'${value}'`,
  )
  const type = values.length > 0 ? values.join(' | ') : typeName(column.type)
  return column.is_nullable ? `${type} | null` : type
}

function typeName(type: string): string {
  if (type.endsWith('[]')) return `${typeName(type.slice(0, -2))}[]`
  if (/^(smallint|integer|bigint|numeric|real|double precision)/.test(type)) return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'json' || type === 'jsonb') return 'Json'
  if (type === 'void') return 'undefined'
  if (/^(uuid|text|date|time|timestamp|character)/.test(type)) return 'string'
  throw new Error(`The type ${type} has no counterpart in TypeScript yet.`)
}

function key(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `'${name}'`
}

function tuple(names: string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`
}

/** Every column of every table and view that requests reach. */
export async function readColumns(db: AnyDatabase): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select
      c.relname as table_name,
      case c.relkind when 'v' then 'view' else 'table' end as kind,
      a.attname as name,
      format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as is_nullable,
      a.atthasdef or a.attidentity <> '' as has_default,
      a.attgenerated = '' and has_column_privilege('authenticated', c.oid, a.attnum, 'insert') as can_insert,
      a.attgenerated = '' and has_column_privilege('authenticated', c.oid, a.attnum, 'update') as can_update,
      (
        select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) like '%= ANY (ARRAY[%'
      ) as rule
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
    order by c.relname, a.attnum`.execute(db)
  return rows
}

async function readLinks(db: AnyDatabase): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select
      k.conrelid::regclass::text as table_name,
      k.conname as name,
      to_json(array(
        select a.attname from unnest(k.conkey) with ordinality as n (attnum, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.attnum order by n.place
      )) as columns,
      k.confrelid::regclass::text as parent,
      to_json(array(
        select a.attname from unnest(k.confkey) with ordinality as n (attnum, place)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = n.attnum order by n.place
      )) as parent_columns
    from pg_constraint k
    join pg_class parent on parent.oid = k.confrelid and parent.relnamespace = 'public'::regnamespace
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
    order by 1, 2`.execute(db)
  return rows
}

/** Every function that requests reach. */
export async function readRoutines(db: AnyDatabase): Promise<Routine[]> {
  const { rows } = await sql<Routine>`
    select
      p.proname as name,
      (
        select coalesce(json_agg(json_build_object(
          'name', p.proargnames[n.place],
          'type', format_type(n.type, null),
          'has_default', n.place > p.pronargs - p.pronargdefaults
        ) order by n.place), '[]')
        from unnest(p.proargtypes) with ordinality as n (type, place)
      ) as args,
      format_type(p.prorettype, null) as returns,
      (select c.relname from pg_class c where c.reltype = p.prorettype and c.relnamespace = 'public'::regnamespace) as returns_table,
      p.proretset as is_set
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and has_function_privilege('authenticated', p.oid, 'execute')
    order by p.proname`.execute(db)
  return rows
}
