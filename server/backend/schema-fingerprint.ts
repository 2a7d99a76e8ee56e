import { sql } from 'kysely'
import type { AnyDatabase } from './request-context.ts'

/** Two databases with the same schema, down to rights and comments, have the same fingerprint. */
export async function schemaFingerprint(db: AnyDatabase, scope?: 'product'): Promise<string> {
  const { rows } = await sql<{ fingerprint: string }>`
    select md5(string_agg(line, chr(10) order by line collate "C")) as fingerprint
    from (${schemaLines(scope)}) as schema`.execute(db)
  return rows[0]?.fingerprint ?? ''
}

/** What the fingerprint is made of, a line for each object: to find out where two schemas differ. */
export async function describeSchema(db: AnyDatabase, scope?: 'product'): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select line from (${schemaLines(scope)}) as schema order by line collate "C"`.execute(db)
  return rows.map(({ line }) => line)
}

/** Tables whose rows belong to the schema and not to an account. The fingerprint does not count them. */
export const schemaTables = [
  'list_orders',
  'list_columns',
  'bulk_changes',
  'import_rules',
  'record_kinds',
  'search_parts',
  'file_limits',
].map((name) => `private.${name}`)

/**
 * One line for each object of the schema, without the server's own tables and the objects of extensions. The
 * lines do not depend on the owner of the database or the version of PostgreSQL: rights are listed by role, those
 * of the owner as "owner", and names include their schema.
 *
 * @param scope `product` leaves out what Supabase or its library creates
 */
function schemaLines(scope?: 'product') {
  return sql<{ line: string }>`
    with ours as materialized (
      -- With an empty search path every name is written with its schema.
      select n.oid, set_config('search_path', '', true)
      from pg_namespace n
      where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'supabase_migrations', 'solo_server')
        and (${scope ?? ''} <> 'product' or n.nspname in ('public', 'private'))
    ), of_extensions as (
      select objid as oid from pg_depend where deptype = 'e'
    ), relations as (
      select * from pg_class
      where relnamespace in (select oid from ours) and oid not in (select oid from of_extensions)
    ), rights as (
      select about, string_agg(right_of_role, ', ' order by right_of_role collate "C") as list
      from (
        select g.about, concat_ws(' ',
          case r.grantee when 0 then 'public' when g.owner then 'owner' else pg_get_userbyid(r.grantee)::text end,
          r.privilege_type, case when r.is_grantable then 'and grants it' end) as right_of_role
        from (
          select 'relation ' || oid as about, relowner as owner,
            coalesce(relacl, acldefault(case relkind when 'S' then 's'::"char" else 'r' end, relowner)) as acl
          from relations where relkind in ('r', 'p', 'v', 'm', 'f', 'S')
          union all
          select concat_ws(' ', 'column', c.oid, a.attnum), c.relowner, a.attacl
          from pg_attribute a join relations c on c.oid = a.attrelid where a.attacl is not null
          union all
          select 'function ' || oid, proowner, coalesce(proacl, acldefault('f', proowner))
          from pg_proc where pronamespace in (select oid from ours)
          union all
          select 'schema ' || oid, nspowner, coalesce(nspacl, acldefault('n', nspowner))
          from pg_namespace where oid in (select oid from ours)
          union all
          select 'default ' || oid, defaclrole, defaclacl
          from pg_default_acl where defaclnamespace in (select oid from ours)
        ) g, aclexplode(g.acl) r
        -- PostgreSQL 17 brought this right; "all" means it there.
        where r.privilege_type <> 'MAINTAIN'
          -- A server's administrator may have let others read, for reports of their own.
          and (${scope ?? ''} <> 'product' or r.grantee in (0, g.owner) or r.grantee in (
            select oid from pg_roles where rolname in ('anon', 'authenticated', 'service_role')))
      ) given
      group by about
    )
    select concat_ws(' ', 'schema', n.oid::regnamespace, r.list, 
      -- PostgreSQL's own words about public are gone where a copy was restored.
      case when n.nspname <> 'public' then obj_description(n.oid, 'pg_namespace') end) as line
    from pg_namespace n left join rights r on r.about = 'schema ' || n.oid
    where n.oid in (select oid from ours)
    union all
    select concat_ws(' ', 'extension', e.extname, 'in', e.extnamespace::regnamespace)
    from pg_extension e where e.extname in ('btree_gin', 'pg_trgm', 'unaccent')
    union all
    select concat_ws(' ', 'default rights', d.defaclnamespace::regnamespace, d.defaclobjtype, r.list)
    from pg_default_acl d join rights r on r.about = 'default ' || d.oid
    union all
    select concat_ws(' ', 'relation', c.oid::regclass, c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity,
      c.reloptions, r.list, case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end, obj_description(c.oid, 'pg_class'))
    from relations c left join rights r on r.about = 'relation ' || c.oid
    union all
    select concat_ws(' ', 'sequence', s.seqrelid::regclass, s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax,
      s.seqcache, s.seqcycle, d.deptype, d.refobjid::regclass, d.refobjsubid)
    from pg_sequence s join relations c on c.oid = s.seqrelid
      left join pg_depend d on d.objid = s.seqrelid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
        and d.refclassid = 'pg_class'::regclass
    union all
    select concat_ws(' ', 'type', t.oid::regtype, t.typtype, t.typnotnull, t.typdefault,
      (select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
    from pg_type t
    where t.typnamespace in (select oid from ours) and t.typtype in ('d', 'e', 'r')
      and t.oid not in (select oid from of_extensions)
    union all
    select concat_ws(' ', 'column', a.attrelid::regclass, row_number() over (
        -- What is worked out from other columns is read by its name alone, and moves when it is written anew.
        partition by a.attrelid order by ${scope ?? ''} = 'product' and a.attgenerated <> '', a.attnum),
      a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attcollation::regcollation,
      a.attstorage, pg_get_expr(d.adbin, d.adrelid), r.list, col_description(a.attrelid, a.attnum))
    from pg_attribute a
      join relations c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      left join rights r on r.about = concat_ws(' ', 'column', a.attrelid, a.attnum)
    where a.attnum > 0 and not a.attisdropped
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated,
      obj_description(oid, 'pg_constraint'))
    from pg_constraint
    -- PostgreSQL 18 names what a column says already: that it may not be null.
    where connamespace in (select oid from ours) and contype <> 'n'
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid), i.indisvalid)
    from pg_index i join relations c on c.oid = i.indexrelid
    union all
    select concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), t.tgenabled)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc f on f.oid = t.tgfoid
    where not t.tgisinternal
      and (c.relnamespace in (select oid from ours) or f.pronamespace in (select oid from ours))
    union all
    select concat_ws(' ', 'policy', p.polrelid::regclass, p.polname, p.polcmd, p.polpermissive,
      (select string_agg(coalesce(o.rolname, 'public'), ', ' order by o.rolname)
       from unnest(p.polroles) as of (role) left join pg_roles o on o.oid = of.role),
      pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
    from pg_policy p join relations c on c.oid = p.polrelid
    union all
    select concat_ws(' ', 'function', f.oid::regprocedure, f.prokind, l.lanname, pg_get_function_arguments(f.oid),
      'returns', pg_get_function_result(f.oid), f.prosecdef, f.proleakproof, f.proisstrict, f.provolatile, f.proparallel,
      f.procost, f.prorows, f.proconfig, r.list, f.prosrc, pg_get_function_sqlbody(f.oid), obj_description(f.oid, 'pg_proc'))
    from pg_proc f join pg_language l on l.oid = f.prolang left join rights r on r.about = 'function ' || f.oid
    where f.pronamespace in (select oid from ours) and f.oid not in (select oid from of_extensions)`
}
