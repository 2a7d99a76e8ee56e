// npm run schema:upgrade: writes what can be worked out of the last step from the second history to the files of
// supabase/migrations, and the fingerprint that both ways must lead to. See supabase/upgrades/README.md.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { App, type Connection, splitSqlStatements } from '@supabase/lite'
import { sql } from 'kysely'
import { EmbeddedConnection } from '#server/backend/connections.ts'
import { foldedFingerprint, foldedUpTo, secondHistory } from '#server/backend/former-histories.ts'
import {
  applyMigrations,
  migrationsFolder,
  planMigrations,
  secondHistoryFolder,
} from '#server/backend/migrations.ts'
import type { AnyDatabase } from '#server/backend/request-context.ts'
import { ensureRoles } from '#server/backend/roles.ts'
import {
  describeSchema,
  schemaFingerprint,
  schemaTables,
} from '#server/backend/schema-fingerprint.ts'
import { describeError } from '#server/log.ts'
import { joinUpgrade, splitUpgrade } from './schema-upgrade-file.ts'

const upgradeFile = join(secondHistoryFolder, '..', secondHistory.upgrade)
const fingerprintFile = join(import.meta.dirname, '../server/backend/former-histories.ts')

const folder = await mkdtemp(join(tmpdir(), 'solo-schema-'))
const older = new EmbeddedConnection(join(folder, 'older'))
const newer = new EmbeddedConnection(join(folder, 'newer'))
try {
  await migrate(newer, migrationsFolder)
  await migrate(older, secondHistoryFolder)
  process.exitCode = await writeUpgrade(older.kysely, newer.kysely)
} finally {
  await older.close()
  await newer.close()
  await rm(folder, { recursive: true, force: true })
}

async function migrate(connection: Connection, migrations: string): Promise<void> {
  const app = new App({
    connection,
    api: { schemas: ['public'] },
    auth: { enabled: true, jwt_secret: 'x', publishable_key: 'x', secret_key: 'x' },
    storage: { enabled: false },
  })
  await app.ensureSystemSchema()
  await ensureRoles(connection)
  const plan = await planMigrations(connection, migrations, { newest: async () => null })
  const pending = plan.pending.filter(({ version }) => version <= foldedUpTo)
  await applyMigrations(connection, { ...plan, pending }, null)
}

/** Writes both files; answers 1, after printing why, when statements written by hand are missing. */
async function writeUpgrade(from: AnyDatabase, to: AnyDatabase): Promise<number> {
  const parts = splitUpgrade(await readFile(upgradeFile, 'utf8'))
  await run(from, parts.before)
  parts.functions = await functionChanges(from, to)
  await run(from, parts.functions)
  await run(from, parts.after)
  parts.rest = await otherChanges(from, to)
  await run(from, parts.rest)
  await writeFile(upgradeFile, joinUpgrade(parts))

  const [here, there] = [await describeSchema(from, 'product'), await describeSchema(to, 'product')]
  const lacking = there.filter((line) => !here.includes(line))
  const extra = here.filter((line) => !there.includes(line))
  if (lacking.length > 0 || extra.length > 0) {
    for (const line of extra) console.error(`Only after the upgrade: ${line}`)
    for (const line of lacking) console.error(`Only in a new database: ${line}`)
    console.error(`Write the statements that lead there by hand into ${upgradeFile}, at its end.`)
    return 1
  }
  const fingerprint = await schemaFingerprint(to, 'product')
  const text = await readFile(fingerprintFile, 'utf8')
  await writeFile(fingerprintFile, text.replace(foldedFingerprint, fingerprint))
  console.log(`Wrote ${secondHistory.upgrade}; the fingerprint is ${fingerprint}.`)
  return 0
}

/** In a transaction, as an upgrade is one. */
async function run(db: AnyDatabase, text: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const statement of splitSqlStatements(text)) {
      try {
        await sql.raw(statement).execute(transaction)
      } catch (error) {
        throw new Error(`The upgrade fails with ${describeError(error)} at: ${statement}`)
      }
    }
  })
}

type FunctionOf = {
  /** Its name with the types of its arguments, which tells it from all others. */
  name: string
  definition: string
  /** What `create or replace` cannot change. */
  shape: string
  comment: string | null
  /** The roles that may call it, besides its owner. */
  callers: string[]
}

async function functionsOf(db: AnyDatabase): Promise<Map<string, FunctionOf>> {
  const { rows } = await sql<FunctionOf>`
    with empty_path as materialized (select set_config('search_path', '', false))
    select f.oid::regprocedure::text as name, pg_get_functiondef(f.oid) as definition,
      concat_ws(' ', pg_get_function_arguments(f.oid), 'returns', pg_get_function_result(f.oid)) as shape,
      obj_description(f.oid, 'pg_proc') as comment,
      to_jsonb(array(
        select coalesce(r.rolname, 'public') from aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) g
        left join pg_roles r on r.oid = g.grantee
        where g.grantee <> f.proowner and g.privilege_type = 'EXECUTE' order by 1
      )) as callers
    from empty_path, pg_proc f
    where f.pronamespace in (select oid from pg_namespace where nspname in ('public', 'private'))
      and f.prokind in ('f', 'p') and not exists (select from pg_depend d where d.objid = f.oid and d.deptype = 'e')
    order by f.pronamespace::regnamespace::text, f.oid::regprocedure::text`.execute(db)
  return new Map(rows.map((row) => [row.name, row]))
}

/** Makes the functions what they are in a new database; those that are gone there stay for now. */
async function functionChanges(from: AnyDatabase, to: AnyDatabase): Promise<string> {
  const [before, after] = [await functionsOf(from), await functionsOf(to)]
  const lines: string[] = []
  for (const { name, definition, shape, comment, callers } of after.values()) {
    const old = before.get(name)
    const isNew = !old || old.shape !== shape
    if (old && isNew) lines.push(`drop function ${name};`)
    if (isNew || old.definition !== definition) lines.push(`${definition.trimEnd()};`)
    if ((isNew ? null : old.comment) !== comment)
      lines.push(`comment on function ${name} is ${literal(comment)};`)
    if (isNew || old.callers.join() !== callers.join()) {
      lines.push(
        `revoke all on function ${name} from public, anon, authenticated, service_role;`,
        ...(callers.length > 0
          ? [`grant execute on function ${name} to ${callers.join(', ')};`]
          : []),
      )
    }
  }
  // Functions may call each other, and read tables that are made only after them.
  if (lines.length > 0) lines.unshift('set local check_function_bodies = off;')
  return lines.join('\n\n')
}

/** Removed functions, comments, and rows of the schema: these need the statements written by hand first. */
async function otherChanges(from: AnyDatabase, to: AnyDatabase): Promise<string> {
  const lines: string[] = []
  const [before, after] = [await functionsOf(from), await functionsOf(to)]
  for (const name of before.keys()) if (!after.has(name)) lines.push(`drop function ${name};`)
  const comments = await commentsOf(from)
  for (const [about, comment] of await commentsOf(to)) {
    if (comments.has(about) && comments.get(about) !== comment)
      lines.push(`comment on ${about} is ${literal(comment)};`)
  }
  for (const table of schemaTables) {
    const rows = await rowsOf(to, table)
    if (rows === (await rowsOf(from, table))) continue
    lines.push(
      `delete from ${table};`,
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${literal(rows)});`,
    )
  }
  return lines.join('\n')
}

/** Of tables, columns and constraints; null where there is none. */
async function commentsOf(db: AnyDatabase): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ about: string; comment: string | null }>`
    with empty_path as materialized (select set_config('search_path', '', false)),
    tables as (
      select c.oid, case c.relkind when 'v' then 'view ' else 'table ' end as kind from pg_class c
      where c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'private')) and c.relkind in ('r', 'p', 'v')
    )
    select t.kind || t.oid::regclass as about, obj_description(t.oid, 'pg_class') as comment from empty_path, tables t
    union all
    select concat('column ', t.oid::regclass, '.', quote_ident(a.attname)), col_description(t.oid, a.attnum)
    from tables t join pg_attribute a on a.attrelid = t.oid where a.attnum > 0 and not a.attisdropped
    union all
    select concat('constraint ', quote_ident(k.conname), ' on ', t.oid::regclass), obj_description(k.oid, 'pg_constraint')
    from tables t join pg_constraint k on k.conrelid = t.oid
    order by 1`.execute(db)
  return new Map(rows.map(({ about, comment }) => [about, comment]))
}

async function rowsOf(db: AnyDatabase, table: string): Promise<string> {
  const { rows } = await sql<{ rows: string }>`
    select coalesce(jsonb_agg(to_jsonb(t) order by t::text), '[]')::text as rows from ${sql.table(table)} t`.execute(
    db,
  )
  return rows[0]?.rows ?? '[]'
}

function literal(text: string | null): string {
  return text === null ? 'null' : `'${text.replaceAll("'", "''")}'`
}
