-- Full backup: everything an account owns, read out as lines of JSON; and restored, into any account, as one batch.
-- The format of the file is described in docs/backup-format.md.

-- Backup -----------------------------------------------------------------------------------------------------

create function private.backup_kinds() returns table (kind text, source text, key text, key_type text)
language sql immutable
set search_path = ''
as $$
  -- Parts before their wholes: what is added while the file is read has its whole in it, too.
  values
    ('collection_members', 'public.collection_members', 'id', 'uuid'),
    ('not_duplicates', 'public.not_duplicates', 'id', 'uuid'),
    ('notes', 'public.notes', 'id', 'uuid'),
    ('tasks', 'public.tasks', 'id', 'uuid'),
    ('deals', 'public.deals', 'id', 'uuid'),
    ('pipeline_stages', 'public.pipeline_stages', 'id', 'uuid'),
    ('pipelines', 'public.pipelines', 'id', 'uuid'),
    ('contacts', 'public.contacts', 'id', 'uuid'),
    ('companies', 'public.companies', 'id', 'uuid'),
    ('collections', 'public.collections', 'id', 'uuid'),
    ('saved_views', 'public.saved_views', 'id', 'uuid'),
    ('email_templates', 'public.email_templates', 'id', 'uuid'),
    ('preferences', 'public.preferences', 'user_id', 'uuid'),
    ('deeds', 'private.deeds', 'batch', 'uuid'),
    ('changes', 'public.changes', 'id', 'bigint')
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
comment on function public.backup_counts is 'The parts of a backup in the order in which they are read, and how many rows each has now. A definer because nobody else reads private.deeds, which a backup holds.';

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
  -- As text, so that no number and no moment loses a digit on its way; a page ends where it grows heavy.
  execute format(
    'with rows as (
       select t.%2$I as key, (to_jsonb(t) - ''user_id'' - ''search_text'')::text as line
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
     from page p', part.source, part.key, part.key_type)
  into page using private.caller(), after;
  return page;
end
$$;
comment on function public.backup_page is
  'A page of one part of a backup: lines of JSON, a row each as it is stored, how many they are, and where the next page begins. A definer as backup_counts.';

-- A backup on its way in -------------------------------------------------------------------------------------

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
  said jsonb not null,
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
  if version is distinct from 1 then
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
    raise exception 'This restore is not under way any more. Start again.' using errcode = 'PT404';
  end if;
  begin
    insert into private.restore_rows (restore_id, kind, part, place, said, old_id)
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
      and (jsonb_typeof(s.said) <> 'object' or has_id and s.old_id is null
        or s.said ->> 'created_at' ~* 'infinity' or s.said ->> 'updated_at' ~* 'infinity')
  ) then
    perform private.damaged('a line of its ' || replace(add_restore_rows.kind, '_', ' ') || ' cannot be read');
  end if;
end
$$;
comment on function public.add_restore_rows is
  'A part of a backup''s lines, as backup_page gave them. The same part sent again changes nothing. A definer as start_restore.';

-- Where its rows go ------------------------------------------------------------------------------------------

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
    insert into private.restore_rows (restore_id, kind, part, place, said, old_id, new_id)
    select restore, 'gone', 0, row_number() over (), '{}', g.id, private.own_id(me, g.id)
    from (
      select (s.said ->> 'row_id')::uuid as id from private.restore_rows s
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
      'update private.restore_rows s set said = s.said || jsonb_build_object(%2$L, coalesce(
         (select p.new_id from private.restore_rows p
          where p.restore_id = $2 and p.kind = %3$L and p.old_id = (s.said ->> %2$L)::uuid limit 1),
         (select p.id from public.%3$I p where p.user_id = $1 and p.id = (s.said ->> %2$L)::uuid)
       ))
       -- Read here, because the plans of the two above may never look at what is no id.
       where s.restore_id = $2 and s.kind = %1$L and s.is_new and (s.said ->> %2$L)::uuid is not null',
      link.table_name, link.column_name, link.parent_name)
    using me, restore;
    if link.table_name = 'pipeline_stages' then
      update private.restore_rows s set new_id = t.id, is_new = false
      from public.pipeline_stages t
      where s.restore_id = restore and s.kind = 'pipeline_stages' and s.is_new
        and t.user_id = me and t.pipeline_id = (s.said ->> 'pipeline_id')::uuid and t.name = s.said ->> 'name';
    end if;
  end loop;
  -- Of a pair the smaller id stands first, also where both are new.
  update private.restore_rows s set said = s.said || jsonb_build_object(
    'one_contact_id', least(s.said ->> 'one_contact_id', s.said ->> 'other_contact_id'),
    'other_contact_id', greatest(s.said ->> 'one_contact_id', s.said ->> 'other_contact_id'),
    'one_company_id', least(s.said ->> 'one_company_id', s.said ->> 'other_company_id'),
    'other_company_id', greatest(s.said ->> 'one_company_id', s.said ->> 'other_company_id'))
  where s.restore_id = restore and s.kind = 'not_duplicates' and s.is_new
    and num_nonnulls(s.said ->> 'one_contact_id', s.said ->> 'other_contact_id',
      s.said ->> 'one_company_id', s.said ->> 'other_company_id') = 2;
  update private.restore_rows s set is_new = false
  from public.not_duplicates t
  where s.restore_id = restore and s.kind = 'not_duplicates' and s.is_new and t.user_id = me and (
    t.one_contact_id = (s.said ->> 'one_contact_id')::uuid and t.other_contact_id = (s.said ->> 'other_contact_id')::uuid
    or t.one_company_id = (s.said ->> 'one_company_id')::uuid and t.other_company_id = (s.said ->> 'other_company_id')::uuid
  );
  update private.restore_rows s set is_new = false
  from public.collection_members t
  where s.restore_id = restore and s.kind = 'collection_members' and s.is_new and t.user_id = me
    and t.collection_id = (s.said ->> 'collection_id')::uuid and t.contact_id = (s.said ->> 'contact_id')::uuid;
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
  where s.restore_id = restore and s.kind = 'collections' and s.is_new and t.user_id = me and t.name = s.said ->> 'name';
  -- Views and templates stand beside the one that has their name.
  for part in select * from (values ('saved_views', 't.screen = s.said ->> ''screen'''), ('email_templates', 'true')) v (kind, same) loop
    execute format(
      'update private.restore_rows s set said = s.said || jsonb_build_object(''name'',
         left(s.said ->> ''name'', 175) || '' (restored '' || left(s.new_id::text, 8) || '')'')
       where s.restore_id = $2 and s.kind = %1$L and s.is_new and exists (
         select from public.%1$I t where t.user_id = $1 and t.name = s.said ->> ''name'' and %2$s
       )', part.kind, part.same)
    using me, restore;
  end loop;
end
$$;
comment on function private.settle_names is 'What may have a name only once, and finds it taken.';

create function private.with_new_ids(restore uuid, value jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select case when jsonb_typeof(value) = 'object' then (
    select coalesce(jsonb_object_agg(e.key, coalesce(to_jsonb(m.new_id), e.value)), '{}')
    from jsonb_each(value) e
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
begin
  if private.is_empty_account(me) then
    update public.preferences p set
      display_name = s.said ->> 'display_name',
      time_zone = coalesce(s.said ->> 'time_zone', p.time_zone),
      theme = coalesce(s.said ->> 'theme', p.theme),
      week_starts_on = coalesce((s.said ->> 'week_starts_on')::smallint, p.week_starts_on)
    from private.restore_rows s
    where s.restore_id = restore and s.kind = 'preferences' and p.user_id = me;
  end if;
  -- The pipeline that came with the account and that nobody has touched gives way to those of the backup.
  if exists (select from private.restore_rows s where s.restore_id = restore and s.kind = 'pipelines' and s.is_new) then
    delete from public.pipelines p
    where p.user_id = me and p.name = 'Sales Pipeline' and p.updated_at = p.created_at
      and not exists (select from public.deals d where d.user_id = me and d.pipeline_id = p.id)
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

-- They are written -------------------------------------------------------------------------------------------

create function private.restore_history(me uuid, restore uuid) returns bigint
language plpgsql
set search_path = ''
as $$
begin
  -- What the account's own log tells already, it does not tell twice.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'changes' and (
    (s.said ->> 'batch')::uuid in (select c.batch from public.changes c where c.user_id = me)
    or s.said ->> 'table_name' not in (select k.kind from private.backup_kinds() k where k.key = 'id' and k.key_type = 'uuid')
  );
  if exists (select from private.restore_rows s where s.restore_id = restore and s.new_id <> s.old_id) then
    update private.restore_rows s set said = private.with_new_ids(restore, s.said) || jsonb_build_object(
      'before', private.with_new_ids(restore, s.said -> 'before'), 'after', private.with_new_ids(restore, s.said -> 'after'))
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
    raise exception 'This restore is not under way any more. Start again.' using errcode = 'PT404';
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
      s.kind = 'pipeline_stages' and s.said ->> 'pipeline_id' is null
      or s.kind = 'collection_members' and (s.said ->> 'collection_id' is null or s.said ->> 'contact_id' is null)
      or s.kind = 'not_duplicates' and num_nonnulls(s.said ->> 'one_contact_id', s.said ->> 'other_contact_id',
        s.said ->> 'one_company_id', s.said ->> 'other_company_id') < 2
      or s.kind = 'notes' and coalesce(s.said ->> 'contact_id', s.said ->> 'company_id', s.said ->> 'deal_id') is null
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
      insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, after, created_at)
      select me, r.batch, r.undoes, r.table_name, r.row_id, r.contact_id, r.company_id, r.deal_id, left(r.label, 1000), r.verb,
        case when r.verb = 'delete' then r.before || jsonb_build_object('user_id', me) else r.before end, r.after, r.created_at
      from (
        select c.* from private.restore_rows s
        cross join lateral jsonb_populate_record(null::public.changes, s.said) c
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
    select jsonb_object_keys(s.said) from private.restore_rows s
    where s.restore_id = restore and s.kind = of_kind and s.is_new
      and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
  );
  perform set_config('solo.restoring', 'on', true);
  begin
    execute format(
      'insert into %1$s (%2$s)
       select %2$s from (
         select r.* from private.restore_rows s
         cross join lateral jsonb_populate_record(null::%1$s, s.said || jsonb_build_object(''id'', s.new_id, ''user_id'', $1)) r
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
  insert into private.deeds (user_id, batch, deed, about)
  select w.user_id, (s.said ->> 'batch')::uuid, s.said ->> 'deed', left(s.said ->> 'about', 255)
  from private.restore_rows s where s.restore_id = restore and s.kind = 'deeds'
  on conflict do nothing;
  select coalesce(jsonb_object_agg(c.kind, jsonb_build_object('added', c.added, 'there', c.there)), '{}') into counts
  from (
    select s.kind, count(*) filter (where s.is_new) as added, count(*) filter (where not s.is_new) as there
    from private.restore_rows s where s.restore_id = restore and s.is_new is not null group by s.kind
  ) c;
  if private.written_batch() is not null then
    perform private.name_deed('backup', r.about);
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
        where s.restore_id = restore and s.kind = 'tasks' and s.is_new and s.said ->> 'repeated_from' is not null
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

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.backup_kinds(), public.backup_counts(), public.backup_page(text, text), private.damaged(text),
  public.start_restore(uuid, integer, jsonb, uuid, text), public.add_restore_rows(uuid, text, integer, text),
  private.own_id(uuid, uuid), private.place_rows(uuid, uuid), private.map_links(uuid, uuid),
  private.settle_names(uuid, uuid), private.with_new_ids(uuid, jsonb), private.is_empty_account(uuid),
  private.clear_way(uuid, uuid), private.restore_history(uuid, uuid), private.begin_restore(private.unfinished_work),
  private.prepare_restore(private.unfinished_work, uuid, text),
  private.write_rows(uuid, uuid, text, integer, integer, integer, integer),
  private.finish_restoring(private.unfinished_work, uuid), private.restore_part(private.unfinished_work, integer),
  public.finish_restore(uuid)
  from public, anon, authenticated;
grant execute on function
  public.backup_counts(), public.backup_page(text, text), public.start_restore(uuid, integer, jsonb, uuid, text),
  public.add_restore_rows(uuid, text, integer, text), public.finish_restore(uuid)
  to authenticated, service_role;
