-- Full backup: everything an account owns, read out as lines of JSON; and restored, into any account, as one batch.
-- The format of the file is described in docs/backup-format.md.

-- Backup ------------------------------------------------------------------------------------------------------

create function private.backup_kinds() returns table (kind text, source text, key text, key_type text)
language sql stable
set search_path = ''
as $$
  -- Parts before their wholes: what is added while the file is read has its whole in it, too.
  select k.kind, k.source, k.key, k.key_type from private.record_kinds k order by k.place desc
$$;
comment on function private.backup_kinds is 'What a backup holds, in the order in which it is read.';

create function public.backup_counts() returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  part record;
  total bigint;
  counts jsonb := '[]';
begin
  for part in select * from private.backup_kinds() loop
    execute format('select count(*) from %s t where t.user_id = $1', part.source) into total using private.caller();
    counts := counts || jsonb_build_object('kind', part.kind, 'rows', total);
  end loop;
  return counts;
end
$$;
comment on function public.backup_counts is 'The parts of a backup in the order in which they are read, and how many rows each has now. A definer because nobody else reads private.actions, which a backup holds.';

create function public.backup_page(kind text, after text default null) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  part record;
  page jsonb;
begin
  select * into part from private.backup_kinds() k where k.kind = backup_page.kind;
  if not found then
    raise exception 'A backup has no such part.' using errcode = 'PT400';
  end if;
  -- As text, so that no number and no moment loses a digit on its way; a page ends where it grows heavy. In the file the key
  -- "action" is called "deed", as older programs wrote it and read it.
  execute format(
    'with rows as (
       select t.%2$I as key, (to_jsonb(t) - ''user_id'' - ''search_text''%4$s)::text as line
       from %1$s t where t.user_id = $1 and ($2 is null or t.%2$I > $2::%3$s)
       order by t.%2$I limit 1000
     ),
     page as (
       select r.*, row_number() over (order by r.key) as place,
         sum(octet_length(r.line)) over (order by r.key) as weight
       from rows r
     )
     select jsonb_build_object(
       ''lines'', coalesce(string_agg(p.line, E''\n'' order by p.place) filter (where p.place = 1 or p.weight <= 1000000), ''''),
       ''count'', count(*) filter (where p.place = 1 or p.weight <= 1000000),
       ''next'', case when count(*) = 1000 or bool_or(p.place > 1 and p.weight > 1000000) then
         (array_agg(p.key::text order by p.place desc) filter (where p.place = 1 or p.weight <= 1000000))[1] end
     )
     from page p', part.source, part.key, part.key_type,
    case part.kind when 'deeds' then ' - ''action'' || jsonb_build_object(''deed'', t.action)' end)
  into page using private.caller(), after;
  return page;
end
$$;
comment on function public.backup_page is
  'A page of one part of a backup: lines of JSON, a row each as it is stored, how many they are, and where the next page begins. A definer as backup_counts.';

-- Receiving a backup ------------------------------------------------------------------------------------------

create table private.restores (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  account uuid,
  tables jsonb not null,
  about text,
  answer jsonb,
  created_at timestamptz not null default now()
);
alter table private.restores enable row level security;
comment on table private.restores is
  'A backup that is being restored, one an account. "answer" is kept, so that whoever lost it can ask again.';

create index restores_by_owner on private.restores (user_id);

create table private.restore_rows (
  restore_id uuid not null references private.restores (id) on delete cascade,
  kind text not null,
  part integer not null,
  place integer not null,
  reported jsonb not null,
  old_id uuid,
  new_id uuid,
  is_new boolean,
  primary key (restore_id, kind, part, place)
);
alter table private.restore_rows enable row level security;
comment on table private.restore_rows is 'The rows of a backup on their way in. Gone when it is restored.';

create index restore_rows_by_old_id on private.restore_rows (restore_id, old_id);

revoke all on private.restores, private.restore_rows from public, anon, authenticated;

create function private.damaged(what text) returns void
language plpgsql
set search_path = ''
as $$
begin
  raise exception 'This backup cannot be restored: %. Nothing was changed.', what using errcode = 'PT400';
end
$$;

create function public.start_restore(id uuid, version integer, tables jsonb, account uuid default null, about text default null)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- The first had no fields, the second no files.
  if coalesce(version, 0) not in (1, 2, 3) then
    perform private.damaged('it was made by a newer version of Solo CRM');
  end if;
  if exists (select from private.restores r where r.id = start_restore.id and r.user_id = private.caller()) then
    return;
  end if;
  if exists (
    select from jsonb_each(tables) t
    where jsonb_typeof(t.value) <> 'number' or t.key not in (select k.kind from private.backup_kinds() k)
  ) then
    perform private.damaged('it has parts that are not known');
  end if;
  if (select sum(t.value::numeric) from jsonb_each_text(tables) t) > 3000000 then
    perform private.damaged('it has more than 3,000,000 rows');
  end if;
  -- One at a time: what was begun before was given up.
  delete from private.restores r where r.user_id = private.caller();
  insert into private.restores (id, user_id, account, tables, about)
  values (start_restore.id, private.caller(), start_restore.account, start_restore.tables, left(start_restore.about, 255));
end
$$;
comment on function public.start_restore is
  'Begins to restore a backup with so many rows of each kind. Asked twice with the same id, it is begun once. A definer because the tables of a restore are closed.';

create function public.add_restore_rows(restore uuid, kind text, part integer, lines text) returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  r private.restores;
  has_id boolean := (select k.key = 'id' and k.key_type = 'uuid' from private.backup_kinds() k where k.kind = add_restore_rows.kind);
begin
  select * into r from private.restores x where x.id = restore and x.user_id = private.caller();
  if r.answer is not null then
    -- It was written, and only the answer was lost.
    return;
  end if;
  if r.tables ->> add_restore_rows.kind is null or part not between 0 and 100000 then
    raise exception 'This restore has stopped. Start again.' using errcode = 'PT404';
  end if;
  begin
    insert into private.restore_rows (restore_id, kind, part, place, reported, old_id)
    select restore, add_restore_rows.kind, add_restore_rows.part, l.place, l.line::jsonb,
      case when has_id then (l.line::jsonb ->> 'id')::uuid end
    from string_to_table(lines, E'\n') with ordinality as l (line, place)
    on conflict do nothing;
  exception when data_exception then
    perform private.damaged('a line of its ' || replace(add_restore_rows.kind, '_', ' ') || ' cannot be read');
  end;
  if exists (
    select from private.restore_rows s
    where s.restore_id = restore and s.kind = add_restore_rows.kind and s.part = add_restore_rows.part
      and (jsonb_typeof(s.reported) <> 'object' or has_id and s.old_id is null
        or s.reported ->> 'created_at' ~* 'infinity' or s.reported ->> 'updated_at' ~* 'infinity')
  ) then
    perform private.damaged('a line of its ' || replace(add_restore_rows.kind, '_', ' ') || ' cannot be read');
  end if;
end
$$;
comment on function public.add_restore_rows is
  'A part of a backup''s lines, as backup_page gave them. The same part sent again changes nothing. A definer as start_restore.';

-- Where the rows of a backup go -------------------------------------------------------------------------------

create function private.own_id(me uuid, old_id uuid) returns uuid
language sql immutable
set search_path = ''
as $$
  -- In the form of a uuid that others may check: version 8, which is for uses such as this.
  select (overlay(overlay(md5(me::text || old_id::text) placing '8' from 13 for 1) placing '8' from 17 for 1))::uuid
$$;
comment on function private.own_id is
  'The id that a row gets whose own is taken by another account: the same each time, so that a backup restored twice finds its rows again.';

create function private.place_rows(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  part record;
  -- Another account of this installation has these ids, or had them and may bring them back out of its trash.
  is_foreign boolean := exists (
    select from private.restores r join auth.users u on u.id = r.account where r.id = restore and u.id <> me
  );
begin
  for part in select * from private.backup_kinds() k where k.key = 'id' and k.key_type = 'uuid' loop
    execute format(
      'update private.restore_rows s set
         new_id = case
           when $3 or exists (select from %1$s t where t.id = private.own_id($1, s.old_id) and t.user_id = $1)
             or exists (select from %1$s t where t.id = s.old_id and t.user_id <> $1)
           then private.own_id($1, s.old_id) else s.old_id end
       where s.restore_id = $2 and s.kind = %2$L', part.source, part.kind)
    using me, restore, is_foreign;
    execute format(
      'update private.restore_rows s set
         is_new = not exists (select from %1$s t where t.id = s.new_id and t.user_id = $1)
       where s.restore_id = $2 and s.kind = %2$L', part.source, part.kind)
    using me, restore;
  end loop;
  if is_foreign then
    -- What the trash of the backup holds is not among its rows, but has an id all the same.
    insert into private.restore_rows (restore_id, kind, part, place, reported, old_id, new_id)
    select restore, 'gone', 0, row_number() over (), '{}', g.id, private.own_id(me, g.id)
    from (
      select (s.reported ->> 'row_id')::uuid as id from private.restore_rows s
      where s.restore_id = restore and s.kind = 'changes'
      except
      select s.old_id from private.restore_rows s where s.restore_id = restore
    ) g;
  end if;
end
$$;
comment on function private.place_rows is
  'Which id each row of a backup has here, and whether it is there already. Ids are kept where they are free.';

create function private.map_links(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  link record;
begin
  for link in
    select k.* from private.links k
    where k.table_name in (select b.kind from private.backup_kinds() b)
    -- A stage is known by its pipeline and its name, a place in a collection by both its ends.
    order by array_position(array['pipeline_stages', 'collection_members'], k.table_name) nulls last
  loop
    execute format(
      'update private.restore_rows s set reported = s.reported || jsonb_build_object(%2$L, coalesce(
         (select p.new_id from private.restore_rows p
          where p.restore_id = $2 and p.kind = %3$L and p.old_id = (s.reported ->> %2$L)::uuid limit 1),
         (select p.id from public.%3$I p where p.user_id = $1 and p.id = (s.reported ->> %2$L)::uuid)
       ))
       -- Read here, because the plans of the two above may never look at what is no id.
       where s.restore_id = $2 and s.kind = %1$L and s.is_new and (s.reported ->> %2$L)::uuid is not null',
      link.table_name, link.column_name, link.parent_name)
    using me, restore;
    if link.table_name = 'pipeline_stages' then
      update private.restore_rows s set new_id = t.id, is_new = false
      from public.pipeline_stages t
      where s.restore_id = restore and s.kind = 'pipeline_stages' and s.is_new
        and t.user_id = me and t.pipeline_id = (s.reported ->> 'pipeline_id')::uuid and t.name = s.reported ->> 'name';
    end if;
  end loop;
  perform private.place_own_values(me, restore);
  -- Of a pair the smaller id stands first, also where both are new.
  update private.restore_rows s set reported = s.reported || jsonb_build_object(
    'one_contact_id', least(s.reported ->> 'one_contact_id', s.reported ->> 'other_contact_id'),
    'other_contact_id', greatest(s.reported ->> 'one_contact_id', s.reported ->> 'other_contact_id'),
    'one_company_id', least(s.reported ->> 'one_company_id', s.reported ->> 'other_company_id'),
    'other_company_id', greatest(s.reported ->> 'one_company_id', s.reported ->> 'other_company_id'))
  where s.restore_id = restore and s.kind = 'not_duplicates' and s.is_new
    and num_nonnulls(s.reported ->> 'one_contact_id', s.reported ->> 'other_contact_id',
      s.reported ->> 'one_company_id', s.reported ->> 'other_company_id') = 2;
  update private.restore_rows s set is_new = false
  from public.not_duplicates t
  where s.restore_id = restore and s.kind = 'not_duplicates' and s.is_new and t.user_id = me and (
    t.one_contact_id = (s.reported ->> 'one_contact_id')::uuid and t.other_contact_id = (s.reported ->> 'other_contact_id')::uuid
    or t.one_company_id = (s.reported ->> 'one_company_id')::uuid and t.other_company_id = (s.reported ->> 'other_company_id')::uuid
  );
  update private.restore_rows s set is_new = false
  from public.collection_members t
  where s.restore_id = restore and s.kind = 'collection_members' and s.is_new and t.user_id = me
    and t.collection_id = (s.reported ->> 'collection_id')::uuid and t.contact_id = (s.reported ->> 'contact_id')::uuid;
end
$$;
comment on function private.map_links is
  'Links of a backup''s rows lead to the rows here: to what comes with them, or to what the account has already; to nothing else.';

create function private.settle_names(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  part record;
begin
  -- A collection of the same name is the same collection.
  update private.restore_rows s set new_id = t.id, is_new = false
  from public.collections t
  where s.restore_id = restore and s.kind = 'collections' and s.is_new and t.user_id = me and t.name = s.reported ->> 'name';
  -- A field of the same name and kind is the same field; of another kind, it stands beside it. Fields come after those
  -- that are there.
  update private.restore_rows s set new_id = t.id, is_new = false
  from public.fields t
  where s.restore_id = restore and s.kind = 'fields' and s.is_new and t.user_id = me
    and t.record = s.reported ->> 'record' and t.kind = s.reported ->> 'kind' and lower(t.name) = lower(btrim(s.reported ->> 'name'));
  update private.restore_rows s set reported = s.reported
    || jsonb_build_object('position', (s.reported ->> 'position')::integer + (
      select coalesce(max(t.position), 0) from public.fields t where t.user_id = me and t.record = s.reported ->> 'record'))
    || case when exists (
      select from public.fields t
      where t.user_id = me and t.record = s.reported ->> 'record' and lower(t.name) = lower(btrim(s.reported ->> 'name'))
    ) then jsonb_build_object('name', left(s.reported ->> 'name', 40) || ' (restored ' || left(s.new_id::text, 8) || ')') else '{}' end
  where s.restore_id = restore and s.kind = 'fields' and s.is_new;
  -- Views and templates stand beside the one that has their name.
  for part in select * from (values ('saved_views', 't.screen = s.reported ->> ''screen'''), ('email_templates', 'true')) v (kind, same) loop
    execute format(
      'update private.restore_rows s set reported = s.reported || jsonb_build_object(''name'',
         left(s.reported ->> ''name'', 175) || '' (restored '' || left(s.new_id::text, 8) || '')'')
       where s.restore_id = $2 and s.kind = %1$L and s.is_new and exists (
         select from public.%1$I t where t.user_id = $1 and t.name = s.reported ->> ''name'' and %2$s
       )', part.kind, part.same)
    using me, restore;
  end loop;
end
$$;
comment on function private.settle_names is 'What may have a name only once, and finds it taken.';

create function private.with_new_fields(restore uuid, value jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(case
    when m.new_id is null then e.key
    when e.key like 'custom.%' then 'custom.' || m.new_id
    else m.new_id::text
  end, e.value), '{}')
  from jsonb_each(value) e
  left join lateral (
    select s.new_id from private.restore_rows s
    where s.restore_id = restore and s.kind in ('fields', 'gone')
      and s.old_id = substring(e.key from '^(?:custom\.)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid
    limit 1
  ) m on true
$$;
comment on function private.with_new_fields is 'Values by the ids of their fields, by those that the fields have now.';

create function private.with_new_ids(restore uuid, value jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select case when jsonb_typeof(value) = 'object' then (
    select coalesce(jsonb_object_agg(e.key, case
      when e.key in ('custom', 'names') and jsonb_typeof(e.value) = 'object' then private.with_new_fields(restore, e.value)
      else coalesce(to_jsonb(m.new_id), e.value)
    end), '{}')
    from jsonb_each(case when value::text like '%"custom.%' then private.with_new_fields(restore, value) else value end) e
    left join lateral (
      select s.new_id from private.restore_rows s
      where s.restore_id = restore and s.new_id <> s.old_id and jsonb_typeof(e.value) = 'string'
        and s.old_id = case when e.key in ('row_id', 'contact_id', 'company_id', 'deal_id', 'stage_id', 'pipeline_id',
          'collection_id', 'repeated_from', 'one_contact_id', 'other_contact_id', 'one_company_id', 'other_company_id') then (e.value #>> '{}')::uuid end
      limit 1
    ) m on true
  ) else value end
$$;
comment on function private.with_new_ids is 'A row or a part of a change, with its links leading to where the rows of the backup are now.';

create function private.is_empty_account(me uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select not exists (select from public.changes c where c.user_id = me)
    and not exists (select from public.contacts t where t.user_id = me)
    and not exists (select from public.companies t where t.user_id = me)
    and not exists (select from public.deals t where t.user_id = me)
    and not exists (select from public.tasks t where t.user_id = me)
$$;

create function private.clear_way(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  placed_by text;
begin
  if private.is_empty_account(me) then
    perform private.set_preferences(me, jsonb_strip_nulls(s.reported) || jsonb_build_object('display_name', s.reported -> 'display_name'))
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
comment on function private.clear_way is
  'An account in which nobody has done anything yet becomes what the backup was, with its preferences and its pipelines alone.';

-- Fields, money, people of deals, preferences, files ----------------------------------------------------------

create function private.same_option(options jsonb, reported jsonb) returns text
language sql immutable
set search_path = ''
as $$
  select o.id from jsonb_to_recordset(options) as o (id text, name text)
  where o.id = reported ->> 'id' or lower(o.name) = lower(btrim(reported ->> 'name'))
  order by o.id <> reported ->> 'id' limit 1
$$;
comment on function private.same_option is 'The option of a field that one of a backup means: of the same id, or else of the same name.';

create function private.place_own_values(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  -- Where the values of each field go, and its options.
  places jsonb;
begin
  -- What the trash of the backup can bring back comes with its values.
  insert into private.gone_fields (user_id, id, record, field)
  select distinct on (c.row_id) me, g.id, c.before ->> 'record', c.before || jsonb_build_object('id', g.id, 'user_id', me)
  from private.restore_rows s
  cross join lateral jsonb_populate_record(null::public.changes, s.reported) c
  cross join lateral (
    select coalesce((
      select o.new_id from private.restore_rows o where o.restore_id = restore and o.kind = 'gone' and o.old_id = c.row_id limit 1
    ), c.row_id) as id
  ) g
  where s.restore_id = restore and s.kind = 'changes' and c.table_name = 'fields' and c.verb = 'delete' and c.before is not null
    and c.before ->> 'record' in ('contacts', 'companies', 'deals')
    and not exists (select from private.restore_rows f where f.restore_id = restore and f.kind = 'fields' and f.old_id = c.row_id)
    and not exists (select from public.fields f where f.id = g.id)
  order by c.row_id, c.id desc
  on conflict (user_id, id) do nothing;
  select jsonb_object_agg(s.old_id, jsonb_build_object('id', s.new_id, 'options', (
    select coalesce(jsonb_object_agg(o.reported ->> 'id', private.same_option(t.options, o.reported)), '{}')
    from jsonb_array_elements(s.reported -> 'options') as o (reported)
    where private.same_option(t.options, o.reported) <> o.reported ->> 'id'
  )))
  into places
  from private.restore_rows s
  left join public.fields t on t.user_id = me and t.id = s.new_id
  where s.restore_id = restore and s.kind = 'fields' and s.old_id is not null;
  places := coalesce(places, '{}') || (
    select coalesce(jsonb_object_agg(coalesce(s.old_id, g.id), jsonb_build_object('id', g.id, 'options', '{}'::jsonb)), '{}')
    from private.gone_fields g
    left join private.restore_rows s on s.restore_id = restore and s.kind = 'gone' and s.new_id = g.id
    where g.user_id = me and g.field is not null
  );
  -- A field that is there gets the options that it lacks.
  update public.fields f set options = f.options || m.options
  from (
    select s.new_id, jsonb_agg(o.reported order by o.place) as options
    from private.restore_rows s
    join public.fields t on t.user_id = me and t.id = s.new_id
    cross join lateral jsonb_array_elements(s.reported -> 'options') with ordinality as o (reported, place)
    where s.restore_id = restore and s.kind = 'fields' and not s.is_new and private.same_option(t.options, o.reported) is null
    group by s.new_id
  ) m
  where f.user_id = me and f.id = m.new_id;
  if exists (select from jsonb_each(places) p where p.key <> p.value ->> 'id' or p.value -> 'options' <> '{}') then
    update private.restore_rows s set reported = s.reported || jsonb_build_object('custom', (
      select coalesce(jsonb_object_agg(places -> v.key ->> 'id', case jsonb_typeof(v.value)
        when 'string' then coalesce(places -> v.key -> 'options' -> (v.value #>> '{}'), v.value)
        when 'array' then (
          select jsonb_agg(coalesce(places -> v.key -> 'options' -> (w #>> '{}'), w)) from jsonb_array_elements(v.value) w
        )
        else v.value
      end), '{}')
      from jsonb_each(s.reported -> 'custom') v where places ? v.key
    ))
    where s.restore_id = restore and s.kind in ('contacts', 'companies', 'deals') and s.is_new
      and jsonb_typeof(s.reported -> 'custom') = 'object' and s.reported -> 'custom' <> '{}';
  end if;
end
$$;
comment on function private.place_own_values is
  'Values of own fields go to where the fields of the backup are now, those of choices to the options that are there; also of fields in its trash.';

create function private.set_preferences(account uuid, reported jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  told jsonb := private.preferences_in_restore(account, reported);
  columns text := (
    select string_agg(quote_ident(c.name), ', ') from private.columns_of('public.preferences') c
    where c.name not in ('user_id', 'created_at', 'updated_at') and told ? c.name and (told -> c.name <> 'null' or not c.is_required)
  );
begin
  if columns is not null then
    execute format(
      'update public.preferences p set (%1$s) = (select %1$s from jsonb_populate_record(p, $2)) where p.user_id = $1', columns)
    using account, told;
  end if;
end
$$;
comment on function private.set_preferences is 'Preferences as a backup or a copy of them tells them; what it does not tell stays.';

create function private.place_money(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  mine public.preferences;
  -- A backup from before there were currencies is in dollars.
  theirs text := coalesce((
    select s.reported ->> 'currency' from private.restore_rows s where s.restore_id = restore and s.kind = 'preferences' limit 1
  ), 'USD');
begin
  select * into mine from public.preferences p where p.user_id = me;
  if mine.currency = theirs then
    update public.preferences p set rates = (s.reported -> 'rates') || p.rates
    from private.restore_rows s
    where s.restore_id = restore and s.kind = 'preferences' and jsonb_typeof(s.reported -> 'rates') = 'object' and p.user_id = me;
    return;
  end if;
  update private.restore_rows s set reported = private.in_currency(
    '{"currency": null}' || s.reported, theirs, (mine.rates ->> theirs)::numeric)
  where s.restore_id = restore and s.kind = 'deals' and s.is_new;
  update private.restore_rows s set reported = s.reported || jsonb_build_object(
    'before', private.in_currency(
      case when s.reported ->> 'verb' = 'delete' and jsonb_typeof(s.reported -> 'before') = 'object'
        then '{"currency": null}' || (s.reported -> 'before') else s.reported -> 'before' end,
      theirs, (mine.rates ->> theirs)::numeric),
    'after', private.in_currency(s.reported -> 'after', theirs, (mine.rates ->> theirs)::numeric))
  where s.restore_id = restore and s.kind = 'changes' and s.reported ->> 'table_name' = 'deals';
end
$$;
comment on function private.place_money is
  'Deals of a backup whose account had another currency keep it; in the same one, the rates that are missing here come with them.';

create function private.place_deal_contacts(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- A part without its whole has no place.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'deal_contacts' and s.is_new
    and (s.reported ->> 'deal_id' is null or s.reported ->> 'contact_id' is null);
  update private.restore_rows s set is_new = false
  from public.deal_contacts t
  where s.restore_id = restore and s.kind = 'deal_contacts' and s.is_new and t.user_id = me
    and t.deal_id = (s.reported ->> 'deal_id')::uuid and t.contact_id = (s.reported ->> 'contact_id')::uuid;
end
$$;
comment on function private.place_deal_contacts is 'Who is on a deal already is not added twice.';

create function private.kept_in_restore(me uuid, names jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(split_part(n.name, '/', 1) || '/' || coalesce((
    select s.new_id from private.restores r
    join private.restore_rows s on s.restore_id = r.id
    where r.user_id = me and s.new_id is not null and s.old_id::text = split_part(n.name, '/', 2) limit 1
  )::text, split_part(n.name, '/', 2)) order by n.place), '[]')
  from jsonb_array_elements_text(case when jsonb_typeof(names) = 'array' then names else '[]' end) with ordinality as n (name, place)
$$;
comment on function private.kept_in_restore is 'Names of records in a backup, by the ids that the records have in this account.';

create function private.screens_in_restore(me uuid, screens jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  -- The names of own fields and of records in a query are ids.
  select coalesce(jsonb_object_agg(s.name, (
    select string_agg(case when m.part[1] ~ '^[0-9a-f]{8}-' then coalesce((
      select r.new_id::text from private.restores t
      join private.restore_rows r on r.restore_id = t.id
      where t.user_id = me and r.new_id is not null and r.old_id::text = m.part[1] limit 1
    ), m.part[1]) else m.part[1] end, '' order by m.place)
    from regexp_matches(s.seen::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|.', 'g') with ordinality as m (part, place)
  )::jsonb), '{}')
  from jsonb_each(case when jsonb_typeof(screens) = 'object' then screens else '{}' end) as s (name, seen)
$$;
comment on function private.screens_in_restore is 'Lists of a backup as they were last seen, by the ids that fields and records have in this account.';

create function private.preferences_in_restore(account uuid, reported jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select reported
    || case when reported ? 'pinned' then jsonb_build_object('pinned', private.kept_in_restore(account, reported -> 'pinned')) else '{}' end
    || case when reported ? 'opened' then jsonb_build_object('opened', private.kept_in_restore(account, reported -> 'opened')) else '{}' end
    || case when reported ? 'screens' then jsonb_build_object('screens', private.screens_in_restore(account, reported -> 'screens')) else '{}' end
$$;
comment on function private.preferences_in_restore is
  'Preferences of a backup, by the ids of this account. What a later file adds to it needs no other function.';

create function private.place_files(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- A part without its whole has no place.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'files' and s.is_new
    and coalesce(s.reported ->> 'contact_id', s.reported ->> 'company_id', s.reported ->> 'deal_id') is null;
end
$$;
comment on function private.place_files is 'A file of a backup without its record is left out. Where only its note is missing, it stays on the record.';

-- Writing the rows --------------------------------------------------------------------------------------------

create function private.restore_history(me uuid, restore uuid) returns bigint
language plpgsql
set search_path = ''
as $$
begin
  -- What the account's own log tells already, it does not tell twice.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'changes' and (
    (s.reported ->> 'batch')::uuid in (select c.batch from public.changes c where c.user_id = me)
    or s.reported ->> 'table_name' not in (select k.kind from private.backup_kinds() k where k.key = 'id' and k.key_type = 'uuid')
  );
  if exists (select from private.restore_rows s where s.restore_id = restore and s.new_id <> s.old_id) then
    update private.restore_rows s set reported = private.with_new_ids(restore, s.reported) || jsonb_build_object(
      'before', private.with_new_ids(restore, s.reported -> 'before'), 'after', private.with_new_ids(restore, s.reported -> 'after'))
    where s.restore_id = restore and s.kind = 'changes';
  end if;
  return (select count(*) from private.restore_rows s where s.restore_id = restore and s.kind = 'changes');
end
$$;
comment on function private.restore_history is
  'Which lines of the log of a backup, with what its trash holds, the account does not have, and how many they are.';

create function private.begin_restore(w private.unfinished_work) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  restore uuid := (w.arguments ->> 'restore')::uuid;
  r private.restores;
begin
  select * into r from private.restores x where x.id = restore and x.user_id = w.user_id for update;
  if r.id is null then
    raise exception 'This restore has stopped. Start again.' using errcode = 'PT404';
  end if;
  if r.answer is not null then
    w.state := jsonb_build_object('answer', r.answer);
    return w;
  end if;
  if exists (
    select from jsonb_each_text(r.tables) t
    where t.value::bigint <> (select count(*) from private.restore_rows s where s.restore_id = restore and s.kind = t.key)
  ) then
    raise exception 'The backup did not arrive whole. Nothing was changed; try again.' using errcode = 'PT409';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('undo ' || w.user_id, 0));
  w.state := jsonb_build_object('step', 'ids', 'size', (select coalesce(sum(t.value::bigint), 0) from jsonb_each_text(r.tables) t));
  return w;
end
$$;

create function private.prepare_restore(w private.unfinished_work, restore uuid, step text) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  me uuid := w.user_id;
begin
  if step = 'ids' then
    perform private.place_rows(me, restore);
    perform private.settle_names(me, restore);
    w.state := w.state || '{"step": "links"}';
  elsif step = 'links' then
    perform private.map_links(me, restore);
    -- A part without its whole has no place.
    delete from private.restore_rows s
    where s.restore_id = restore and s.is_new and (
      s.kind = 'pipeline_stages' and s.reported ->> 'pipeline_id' is null
      or s.kind = 'collection_members' and (s.reported ->> 'collection_id' is null or s.reported ->> 'contact_id' is null)
      or s.kind = 'not_duplicates' and num_nonnulls(s.reported ->> 'one_contact_id', s.reported ->> 'other_contact_id',
        s.reported ->> 'one_company_id', s.reported ->> 'other_company_id') < 2
      or s.kind = 'notes' and coalesce(s.reported ->> 'contact_id', s.reported ->> 'company_id', s.reported ->> 'deal_id') is null
    );
    -- The preferences have no log; see take_back_part.
    w.state := w.state || jsonb_build_object('step', 'changes', 'preferences', (
      select to_jsonb(p) from public.preferences p where p.user_id = me
    ));
    perform private.clear_way(me, restore);
    w.state := w.state || jsonb_build_object('history', private.restore_history(me, restore));
  end if;
  return w;
exception when data_exception or integrity_constraint_violation then
  perform private.damaged('it has a value that is not allowed');
end
$$;
comment on function private.prepare_restore is 'Finds where the rows of a backup go, and makes way for them.';

create function private.write_rows(me uuid, restore uuid, of_kind text, after_part integer, after_place integer, last_part integer, last_place integer)
returns void
language plpgsql
set search_path = ''
as $$
declare
  source text := (select k.source from private.backup_kinds() k where k.kind = of_kind);
  columns text;
begin
  if of_kind = 'changes' then
    begin
      -- Before the rows themselves, or their own past would look like something done to them since.
      insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, after, names, created_at)
      select me, r.batch, r.undoes, r.table_name, r.row_id, r.contact_id, r.company_id, r.deal_id, left(r.label, 1000), r.verb,
        case when r.verb = 'delete' then r.before || jsonb_build_object('user_id', me) else r.before end, r.after, r.names, r.created_at
      from (
        select c.* from private.restore_rows s
        cross join lateral jsonb_populate_record(null::public.changes, s.reported) c
        where s.restore_id = restore and s.kind = 'changes'
          and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
      ) r
      order by r.id;
    exception when data_exception or integrity_constraint_violation then
      perform private.damaged('it has a value that is not allowed');
    end;
    return;
  end if;
  -- What the file has no column for keeps its default: it may be older than the column.
  select string_agg(quote_ident(c.name), ', ') into columns
  from private.columns_of(source::regclass) c
  where c.name in ('id', 'user_id') or c.name in (
    select jsonb_object_keys(s.reported) from private.restore_rows s
    where s.restore_id = restore and s.kind = of_kind and s.is_new
      and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
  );
  perform set_config('solo.restoring', 'on', true);
  begin
    execute format(
      'insert into %1$s (%2$s)
       select %2$s from (
         select r.* from private.restore_rows s
         cross join lateral jsonb_populate_record(null::%1$s, s.reported || jsonb_build_object(''id'', s.new_id, ''user_id'', $1)) r
         where s.restore_id = $2 and s.kind = %3$L and s.is_new
           and (s.part, s.place) > ($3, $4) and (s.part, s.place) <= ($5, $6)
         order by s.part, s.place
       ) lines', source, columns, of_kind)
    using me, restore, after_part, after_place, last_part, last_place;
  exception when data_exception or integrity_constraint_violation then
    perform private.damaged('one of its ' || replace(of_kind, '_', ' ') || ' has a value that is not allowed');
  end;
  if of_kind = 'deals' then
    update public.deals d set stage_id = null
    where d.user_id = me and d.stage_id is not null
      and d.id in (
        select s.new_id from private.restore_rows s
        where s.restore_id = restore and s.kind = 'deals' and s.is_new
          and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
      )
      and not exists (
        select from public.pipeline_stages s where s.user_id = me and s.id = d.stage_id and s.pipeline_id = d.pipeline_id
      );
  end if;
  perform set_config('solo.restoring', 'off', true);
end
$$;
comment on function private.write_rows is
  'New rows of a backup, of one kind and between two places of the file, stamps included; every rule of the tables holds.';

create function private.finish_restoring(w private.unfinished_work, restore uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  r private.restores;
  counts jsonb;
begin
  select * into r from private.restores x where x.id = restore and x.user_id = w.user_id;
  insert into private.actions (user_id, batch, action, about)
  select w.user_id, (s.reported ->> 'batch')::uuid, s.reported ->> 'deed', left(s.reported ->> 'about', 255)
  from private.restore_rows s where s.restore_id = restore and s.kind = 'deeds'
  on conflict do nothing;
  select coalesce(jsonb_object_agg(c.kind, jsonb_build_object('added', c.added, 'there', c.there)), '{}') into counts
  from (
    select s.kind, count(*) filter (where s.is_new) as added, count(*) filter (where not s.is_new) as there
    from private.restore_rows s where s.restore_id = restore and s.is_new is not null group by s.kind
  ) c;
  if private.written_batch() is not null then
    perform private.name_action('backup', r.about);
  end if;
  update private.restores x set answer = jsonb_build_object(
    'batch', private.written_batch(), 'counts', counts, 'history', w.state -> 'history',
    'lost', (select coalesce(sum(t.value::bigint), 0) from jsonb_each_text(r.tables) t
             where t.key in (select k.kind from private.backup_kinds() k where k.key = 'id' and k.key_type = 'uuid'))
      - (select count(*) from private.restore_rows s where s.restore_id = restore and s.is_new is not null)
  ) where x.id = restore returning x.answer into r.answer;
  delete from private.restore_rows s where s.restore_id = restore;
  return r.answer;
exception when data_exception or integrity_constraint_violation then
  perform private.damaged('it has a value that is not allowed');
end
$$;

create function private.restore_part(w private.unfinished_work, rows integer) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  restore uuid := (w.arguments ->> 'restore')::uuid;
  step text := w.state ->> 'step';
  kinds text[] := array['changes'] || private.parents_first();
  after_part integer := coalesce((w.state ->> 'part')::integer, -1);
  after_place integer := coalesce((w.state ->> 'place')::integer, 0);
  is_cut boolean := step = 'changes' or private.is_cut(step);
  last record;
begin
  set constraints all deferred;
  if step in ('ids', 'links') then
    w := private.prepare_restore(w, restore, step);
  elsif step = 'end' then
    w.state := jsonb_build_object('answer', private.finish_restoring(w, restore));
  else
    -- A task that repeats another may stand before it in the file.
    if step = 'tasks' then
      is_cut := not exists (
        select from private.restore_rows s
        where s.restore_id = restore and s.kind = 'tasks' and s.is_new and s.reported ->> 'repeated_from' is not null
      );
    end if;
    select n.part, n.place into last
    from (
      select s.part, s.place from private.restore_rows s
      where s.restore_id = restore and s.kind = step and (s.part, s.place) > (after_part, after_place)
        and (step = 'changes' or s.is_new)
      order by s.part, s.place limit case when is_cut then rows end
    ) n order by n.part desc, n.place desc limit 1;
    if last.part is null then
      w.state := w.state - 'part' - 'place'
        || jsonb_build_object('step', coalesce(kinds[array_position(kinds, step) + 1], 'end'));
    else
      perform private.write_rows(w.user_id, restore, step, after_part, after_place, last.part, last.place);
      w.state := w.state || jsonb_build_object('part', last.part, 'place', last.place);
    end if;
  end if;
  begin
    set constraints all immediate;
  exception when integrity_constraint_violation then
    perform private.damaged('its rows do not fit together');
  end;
  return w;
end
$$;
comment on function private.restore_part is
  'The next part of a restore: first where its rows go, then their log, then the rows, what is linked to before what links to it, and in the end the counts.';

create function public.finish_restore(restore uuid) returns jsonb
language plpgsql
security definer
set search_path = ''
set statement_timeout = '600s'
set lock_timeout = '600s'
as $$
begin
  return private.all_parts(private.first_state('finish_restore', jsonb_build_object('restore', finish_restore.restore)));
end
$$;
comment on function public.finish_restore is
  'Writes a backup that has arrived whole: all of it in one transaction and one batch, or nothing. What the account has already stays as it is. Asked again, it gives the same answer. A definer because it writes rows as they were, stamps and log included, which nobody else may.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.backup_kinds(), public.backup_counts(), public.backup_page(text, text), private.damaged(text),
  public.start_restore(uuid, integer, jsonb, uuid, text), public.add_restore_rows(uuid, text, integer, text),
  private.own_id(uuid, uuid), private.place_rows(uuid, uuid), private.map_links(uuid, uuid),
  private.settle_names(uuid, uuid), private.with_new_fields(uuid, jsonb), private.with_new_ids(uuid, jsonb),
  private.is_empty_account(uuid), private.clear_way(uuid, uuid), private.same_option(jsonb, jsonb),
  private.place_own_values(uuid, uuid), private.set_preferences(uuid, jsonb), private.place_money(uuid, uuid),
  private.place_deal_contacts(uuid, uuid), private.kept_in_restore(uuid, jsonb),
  private.screens_in_restore(uuid, jsonb), private.preferences_in_restore(uuid, jsonb),
  private.place_files(uuid, uuid), private.restore_history(uuid, uuid), private.begin_restore(private.unfinished_work),
  private.prepare_restore(private.unfinished_work, uuid, text),
  private.write_rows(uuid, uuid, text, integer, integer, integer, integer),
  private.finish_restoring(private.unfinished_work, uuid), private.restore_part(private.unfinished_work, integer),
  public.finish_restore(uuid)
  from public, anon, authenticated;
grant execute on function
  public.backup_counts(), public.backup_page(text, text), public.start_restore(uuid, integer, jsonb, uuid, text),
  public.add_restore_rows(uuid, text, integer, text), public.finish_restore(uuid)
  to authenticated, service_role;
