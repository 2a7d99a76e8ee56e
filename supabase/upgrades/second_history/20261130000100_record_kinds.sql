-- What undo, backups and restores know of each table of records: a row, so that a later table is an insert and no function
-- has to be written anew for it.

create table private.record_kinds (
  kind text primary key,
  source text not null,
  key text not null default 'id',
  key_type text not null default 'uuid',
  place numeric not null unique,
  is_logged boolean not null default true,
  is_cut boolean not null default false,
  placed_by text
);
comment on table private.record_kinds is
  'The tables of records in the order of "place": what is linked to before what links to it. Undo takes those that are logged in this order, and a backup reads all of them in the opposite one. "is_cut": long work takes it in parts; all of any other table is one part. "placed_by" is called before a restore writes, with the account and the restore, to decide where the rows of this kind go.';
revoke all on private.record_kinds from public, anon, authenticated;

insert into private.record_kinds (kind, source, place, is_cut, placed_by)
select k.kind, 'public.' || k.kind, k.place * 10, k.is_cut, k.placed_by
from (values
  ('fields', 1, false, null),
  ('pipelines', 2, false, null),
  ('pipeline_stages', 3, false, null),
  ('companies', 4, true, null),
  ('contacts', 5, true, null),
  ('deals', 6, true, 'private.place_money'),
  ('collections', 7, false, null),
  ('collection_members', 8, true, null),
  ('not_duplicates', 9, false, null),
  ('deal_contacts', 10, false, 'private.place_deal_contacts'),
  ('tasks', 11, true, null),
  ('notes', 12, true, null),
  ('saved_views', 13, false, null),
  ('email_templates', 14, false, null),
  ('forms', 15, false, 'private.place_forms'),
  ('form_submissions', 16, false, null),
  ('files', 17, false, 'private.place_files'),
  ('mail_accounts', 18, false, 'private.place_mails'),
  ('mails', 19, true, null),
  ('mail_exclusions', 20, false, null)
) as k (kind, place, is_cut, placed_by);

-- A backup reads these last: the log then holds whatever happened while the rest was read.
insert into private.record_kinds (kind, source, key, key_type, place, is_logged) values
  ('changes', 'public.changes', 'id', 'bigint', 1, false),
  ('deeds', 'private.deeds', 'batch', 'uuid', 2, false),
  ('preferences', 'public.preferences', 'user_id', 'uuid', 3, false);

create or replace function private.parents_first() returns text[]
language sql stable
set search_path = ''
as $$
  select array_agg(k.kind order by k.place) from private.record_kinds k where k.is_logged
$$;

create or replace function private.is_cut(kind text) returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce((select k.is_cut from private.record_kinds k where k.kind = is_cut.kind), false)
$$;

create or replace function private.backup_kinds() returns table (kind text, source text, key text, key_type text)
language sql stable
set search_path = ''
as $$
  -- Parts before their wholes: what is added while the file is read has its whole in it, too.
  select k.kind, k.source, k.key, k.key_type from private.record_kinds k order by k.place desc
$$;

create or replace function private.clear_way(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  placed_by text;
begin
  if private.is_empty_account(me) then
    perform private.set_preferences(me, jsonb_strip_nulls(s.said) || jsonb_build_object('display_name', s.said -> 'display_name'))
    from private.restore_rows s
    where s.restore_id = restore and s.kind = 'preferences';
  end if;
  for placed_by in select k.placed_by from private.record_kinds k where k.placed_by is not null order by k.place loop
    execute format('select %s($1, $2)', placed_by) using me, restore;
  end loop;
  -- The pipeline that came with the account and that nobody has touched gives way to those of the backup.
  if exists (select from private.restore_rows s where s.restore_id = restore and s.kind = 'pipelines' and s.is_new) then
    delete from public.pipelines p
    where p.user_id = me and p.name = 'Sales Pipeline' and p.updated_at = p.created_at
      and not exists (select from public.deals d where d.user_id = me and d.pipeline_id = p.id)
      and not exists (select from public.forms f where f.user_id = me and f.pipeline_id = p.id)
      and not exists (select from public.changes c where c.user_id = me and c.row_id = p.id)
      and not exists (select from private.restore_rows s where s.restore_id = restore and s.kind = 'pipelines' and s.new_id = p.id)
      and (
        select count(*) = 5 and bool_and(t.updated_at = t.created_at) and min(t.created_at) = p.created_at
        from public.pipeline_stages t where t.user_id = me and t.pipeline_id = p.id
      );
  end if;
end
$$;
