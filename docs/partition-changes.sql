-- Splits the log, public.changes, by time: see scaling.md. Run it once, as the owner of the database, while no server runs on it:
--   psql --set=ON_ERROR_STOP=1 --file=docs/partition-changes.sql "$DATABASE_URL"
-- It copies no row, but builds one index and reads the table once to check its times. All or nothing.

begin;
set local search_path = '';
set local check_function_bodies = off;
lock table public.changes in access exclusive mode;
alter table public.changes rename to changes_before_2027;
alter table public.changes_before_2027 drop constraint changes_pkey;

create table public.changes (like public.changes_before_2027 including defaults including comments including constraints)
  partition by range (created_at);
alter table public.changes add primary key (id, created_at);
alter table public.changes add foreign key (user_id) references auth.users (id) on delete cascade;
-- Before version 17 the parts of a table cannot number their rows themselves.
create sequence public.changes_number owned by public.changes.id;
select setval('public.changes_number', coalesce((select max(id) from public.changes_before_2027), 0) + 1, false);
alter table public.changes_before_2027 alter column id drop identity;
alter table public.changes alter column id set default nextval('public.changes_number');

do $$
declare each record;
begin
  -- Rights, policies and triggers are those of the table that requests name; indexes are handed down.
  for each in select grantee, string_agg(privilege_type, ', ') as rights from information_schema.role_table_grants
    where table_schema = 'public' and table_name = 'changes_before_2027' and grantee <> current_user group by grantee
  loop
    execute format('grant %s on public.changes to %I', each.rights, each.grantee);
  end loop;
  for each in select grantee, column_name, privilege_type from information_schema.column_privileges
    where table_schema = 'public' and table_name = 'changes_before_2027' and grantee <> current_user
  loop
    execute format('grant %s (%I) on public.changes to %I', each.privilege_type, each.column_name, each.grantee);
  end loop;
  alter table public.changes enable row level security;
  for each in select * from pg_policies where schemaname = 'public' and tablename = 'changes_before_2027' loop
    execute format('create policy %I on public.changes for %s to %s%s%s', each.policyname, each.cmd,
      array_to_string(each.roles, ', '), ' using (' || each.qual || ')', ' with check (' || each.with_check || ')');
  end loop;
  for each in select tgname, pg_get_triggerdef(oid) as text from pg_trigger
    where tgrelid = 'public.changes_before_2027'::regclass and not tgisinternal
  loop
    execute format('drop trigger %I on public.changes_before_2027', each.tgname);
    execute replace(each.text, 'public.changes_before_2027', 'public.changes');
  end loop;
  for each in select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
    where indrelid = 'public.changes_before_2027'::regclass
  loop
    execute format('alter index %s rename to %I', each.name, 'old_' || replace(each.name, 'public.', ''));
    execute replace(each.text, 'public.changes_before_2027', 'public.changes');
  end loop;
  -- Functions that take or give a row of the log.
  for each in select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as text,
      array(select pg_get_userbyid(grantee) from aclexplode(p.proacl) where grantee <> p.proowner and grantee <> 0) as users
    from pg_proc p join pg_class c on c.oid = 'public.changes_before_2027'::regclass
    where c.reltype = any (p.proargtypes) or p.prorettype = c.reltype
  loop
    execute format('drop function %s', each.name);
    execute replace(each.text, 'public.changes_before_2027', 'public.changes');
    each.name := replace(each.name, 'public.changes_before_2027', 'public.changes');
    execute format('revoke all on function %s from public', each.name);
    if cardinality(each.users) > 0 then
      execute format('grant execute on function %s to %s', each.name, array_to_string(each.users, ', '));
    end if;
  end loop;
end $$;

alter table public.changes attach partition public.changes_before_2027 for values from (minvalue) to ('2027-01-01');
create table public.changes_2027_1 partition of public.changes for values from ('2027-01-01') to ('2027-07-01');
create table public.changes_2027_2 partition of public.changes for values from ('2027-07-01') to ('2028-01-01');
create table public.changes_later partition of public.changes default;
-- Requests name the table, never its parts.
alter table public.changes_before_2027 enable row level security;
alter table public.changes_2027_1 enable row level security;
alter table public.changes_2027_2 enable row level security;
alter table public.changes_later enable row level security;
revoke all on public.changes_before_2027, public.changes_2027_1, public.changes_2027_2, public.changes_later
  from public, anon, authenticated, service_role;
commit;
