import { sql } from 'kysely'
import type { AnyDatabase } from './request-context.ts'

/**
 * Two databases with the same tables, columns, rights, policies, constraints, indexes, triggers, views and
 * functions have the same fingerprint. What only the server itself notes down does not count.
 */
export async function schemaFingerprint(db: AnyDatabase): Promise<string> {
  const { rows } = await sql<{ fingerprint: string }>`
    with ours as (
      select oid from pg_namespace
      where nspname !~ '^pg_' and nspname not in ('information_schema', 'supabase_migrations', 'solo_server')
    ), lines as (
      select concat_ws(' ', 'relation', oid::regclass, relkind, relrowsecurity, relacl,
        case when relkind in ('v', 'm') then pg_get_viewdef(oid) end) as line
      from pg_class where relnamespace in (select oid from ours)
      union all
      select concat_ws(' ', 'column', a.attrelid::regclass, a.attname, a.atttypid::regtype, a.atttypmod,
        a.attnotnull, a.attacl, pg_get_expr(d.adbin, d.adrelid))
      from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relnamespace in (select oid from ours) and a.attnum > 0 and not a.attisdropped
      union all
      select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace in (select oid from ours)
      union all
      select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid))
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace in (select oid from ours)
      union all
      select concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid))
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace in (select oid from ours) and not t.tgisinternal
      union all
      select concat_ws(' ', 'policy', p.polrelid::regclass, p.polname, p.polcmd, p.polroles::text,
        pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
      from pg_policy p join pg_class c on c.oid = p.polrelid
      where c.relnamespace in (select oid from ours)
      union all
      select concat_ws(' ', 'function', oid::regprocedure, prorettype::regtype, prosecdef, provolatile,
        proconfig, proacl, prosrc, prosqlbody is not null)
      from pg_proc where pronamespace in (select oid from ours)
    )
    select md5(string_agg(line, chr(10) order by line)) as fingerprint from lines`.execute(db)
  return rows[0]?.fingerprint ?? ''
}
