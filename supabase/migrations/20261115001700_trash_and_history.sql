-- Trash and history, both read from the log: what was deleted, to be brought back or removed for good, and
-- all that was done, batch by batch.

-- Whoever asked for the newest changes asks by their moment now: the batches of an account lie side by side.
drop index public.changes_newest;
create index changes_by_time on public.changes (user_id, created_at desc, batch desc);
create index changes_deleted on public.changes (user_id, created_at desc, id desc)
  where verb = 'delete' and before is not null;
create index changes_undoing on public.changes (user_id, undoes) where undoes is not null;

create table private.deeds (
  user_id uuid not null references auth.users (id) on delete cascade,
  batch uuid not null,
  deed text not null,
  about text,
  primary key (user_id, batch),
  constraint deeds_deed_known check (deed in ('import', 'merge', 'backup')),
  constraint deeds_about_length check (char_length(about) <= 255)
);
alter table private.deeds enable row level security;
comment on table private.deeds is 'What a batch was, where its changes alone do not tell.';

create function private.name_deed(deed text, about text default null) returns void
language sql
security definer -- nobody writes the table; this writes a row of auth.uid() only
set search_path = ''
as $$
  insert into private.deeds (user_id, batch, deed, about)
  values (auth.uid(), private.current_batch(), name_deed.deed, left(name_deed.about, 255))
  on conflict (user_id, batch) do update set deed = excluded.deed, about = excluded.about
$$;
comment on function private.name_deed is
  'Called by what writes many rows for one purpose, so that the history tells the purpose: an import, a merge, a backup.';

-- The trash ------------------------------------------------------------------------------------------------

create function private.trash_conditions(me uuid, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[
    format('c.user_id = %L::uuid', me),
    'c.verb = ''delete'' and c.before is not null',
    'c.created_at >= now() - interval ''30 days''',
    -- Who was taken out of a collection, or is no longer told apart, is not deleted; the history takes that back.
    'c.table_name not in (''collection_members'', ''not_duplicates'')',
    'not exists (
       select from public.changes l
       where l.user_id = c.user_id and l.row_id = c.row_id and l.id > c.id and l.verb = ''insert''
     )'
  ];
begin
  perform private.check_filter(filter, array['search', 'kind', 'batch', 'ids']);
  -- What went with its whole comes back with it, and is not listed beside it.
  conditions := conditions || array(
    select format(
      'not (c.table_name = %L and exists (
         select from public.changes p
         where p.user_id = c.user_id and p.row_id = (c.before ->> %L)::uuid and p.batch = c.batch and p.verb = ''delete''
       ))', k.table_name, k.column_name)
    from private.links k where k.is_part_of_parent and k.table_name not in ('collection_members', 'not_duplicates')
  );
  if btrim(coalesce(filter ->> 'search', '')) <> '' then
    conditions := conditions || format('strpos(private.fold(c.label), private.fold(%L)) > 0', btrim(filter ->> 'search'));
  end if;
  if filter ? 'kind' then
    conditions := conditions || format('c.table_name = any (%L::text[])', private.texts(filter -> 'kind'));
  end if;
  if filter ? 'batch' then
    conditions := conditions || format('c.batch = %L::uuid', filter ->> 'batch');
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.row_id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  return array_to_string(conditions, ' and ');
end
$$;
comment on function private.trash_conditions is
  'The deletions that are in the trash, as a condition on the change "c": of the last thirty days, not erased, not brought back, and no part of what was deleted with it.';

create function private.label_of(me uuid, id uuid) returns text
language sql stable
set search_path = ''
as $$
  select l.label from public.changes l
  where l.user_id = me and l.row_id = label_of.id and l.label is not null
  order by l.id desc limit 1
$$;
comment on function private.label_of is 'What a record was last called, whether or not it is still there.';

create function public.trash_page(filter jsonb default '{}', after jsonb default null, page_size integer default 50)
returns jsonb
language plpgsql stable
security definer -- reads by functions that clients may not call; every condition names auth.uid()
set search_path = ''
as $$
declare
  size integer := least(greatest(page_size, 1), 200);
  answer jsonb;
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  -- Counting a deletion of a hundred thousand takes a while: it is done once, and the cursor carries it on.
  execute format(
    'with keys as materialized (
       select c.* from public.changes c where %1$s %2$s
       order by c.created_at desc, c.id desc limit %3$s
     ),
     batches as materialized (
       select b.batch, case when b.batch = %4$L::uuid then %5$L::bigint else (
         select count(*) from public.changes c where %6$s and c.batch = b.batch
       ) end as together
       from (select distinct k.batch from keys k) b
     ),
     page as (
       select k.*, b.together, row_number() over (order by k.created_at desc, k.id desc) as place
       from keys k join batches b on b.batch = k.batch
     )
     select jsonb_build_object(
       ''rows'', coalesce(jsonb_agg(jsonb_build_object(
         ''id'', p.row_id, ''kind'', p.table_name, ''name'', p.label, ''deleted_at'', p.created_at,
         ''batch'', p.batch, ''together'', p.together,
         ''email'', p.before -> ''email'', ''value'', p.before -> ''value'', ''industry'', p.before -> ''industry'',
         ''of'', case
           when p.table_name = ''notes'' then private.label_of(p.user_id, coalesce(p.contact_id, p.company_id, p.deal_id))
           when p.table_name = ''pipeline_stages'' then coalesce(
             (select l.name from public.pipelines l where l.user_id = p.user_id and l.id = (p.before ->> ''pipeline_id'')::uuid),
             private.label_of(p.user_id, (p.before ->> ''pipeline_id'')::uuid))
         end
       ) order by p.place) filter (where p.place < %3$s), ''[]''),
       ''next'', case when count(*) = %3$s then (array_agg(jsonb_build_object(
         ''at'', p.created_at, ''id'', p.id, ''batch'', p.batch, ''together'', p.together) order by p.place desc))[2] end
     )
     from page p',
    private.trash_conditions(auth.uid(), filter),
    case when after is null then '' else
      format('and (c.created_at, c.id) < (%L::timestamptz, %L::bigint)', after ->> 'at', after ->> 'id') end,
    size + 1, after ->> 'batch', after ->> 'together',
    private.trash_conditions(auth.uid(), '{}'))
  into answer;
  return answer;
end
$$;
comment on function public.trash_page is
  'A page of what is in the trash, newest first. "together" tells how many of the same deletion are still there; "of" what a note or stage belonged to.';

create function private.trash_deletions(filter jsonb) returns bigint[]
language plpgsql stable
set search_path = ''
as $$
declare
  found bigint[];
begin
  execute format('select array(select c.id from public.changes c where %s)',
    private.trash_conditions(auth.uid(), filter)) into found;
  return found;
end
$$;

create function public.trash_count(filter jsonb default '{}') returns bigint
language sql stable
security definer -- as trash_page
set search_path = ''
as $$ select cardinality(private.trash_deletions(filter))::bigint $$;

create function private.parts_of(me uuid, deletions bigint[]) returns bigint[]
language plpgsql stable
set search_path = ''
set enable_nestloop = off -- right after a deletion the statistics know nothing of it yet
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  batches uuid[] := array(select distinct c.batch from public.changes c where c.id = any (deletions));
  link record;
  parts bigint[] := '{}';
begin
  for link in select k.* from private.links k where k.is_part_of_parent loop
    parts := parts || array(
      select c.id from public.changes c
      where c.user_id = me and c.batch = any (batches) and c.verb = 'delete' and c.table_name = link.table_name
        and (c.batch, (c.before ->> link.column_name)::uuid) in (
          select p.batch, p.row_id from public.changes p where p.id = any (deletions) and p.table_name = link.parent_name
        )
    );
  end loop;
  return parts;
end
$$;
comment on function private.parts_of is 'The deletions of what went with the deleted rows as their parts: notes, stages, places in collections.';

create function private.put_back(me uuid, wanted uuid, chosen bigint[]) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- right after a deletion the statistics know nothing of it yet
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  part record;
  columns text;
begin
  perform set_config('solo.restoring', 'on', true);
  for part in
    select c.table_name, array_agg(distinct key.name) as keys
    from public.changes c cross join lateral jsonb_object_keys(c.before) as key (name)
    where c.user_id = me and c.batch = wanted and c.verb = 'delete' and c.id = any (chosen)
    group by c.table_name
  loop
    -- Only columns that are still there and may be written: no generated ones.
    select string_agg(quote_ident(a.attname), ', ') into columns
    from pg_catalog.pg_attribute a
    where a.attrelid = format('public.%I', part.table_name)::regclass
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname = any (part.keys);
    execute format(
      'insert into public.%1$I (%2$s)
       select %2$s from (
         select r.* from public.changes c
         cross join lateral jsonb_populate_record(null::public.%1$I, c.before || jsonb_build_object(''id'', c.row_id, ''user_id'', $1)) r
         where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb = ''delete'' and c.id = any ($3)
       ) lost
       on conflict (id) do nothing', part.table_name, columns)
      using me, wanted, chosen;
  end loop;
  perform set_config('solo.restoring', 'off', true);
end
$$;
comment on function private.put_back is 'Deleted rows of a batch, as they were; foreign keys are checked after all of it.';

create or replace function private.take_back(me uuid, wanted uuid, left_alone uuid[]) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- right after an import the statistics know nothing of it yet
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  part record;
  columns text;
begin
  perform private.put_back(me, wanted, array(
    select c.id from public.changes c
    where c.user_id = me and c.batch = wanted and c.verb = 'delete' and c.before is not null and c.row_id <> all (left_alone)
  ));
  for part in
    select c.table_name, c.verb, array_agg(distinct key.name) filter (where key.name is not null) as keys
    from public.changes c
    left join lateral jsonb_object_keys(c.before) as key (name) on true
    where c.user_id = me and c.batch = wanted and c.verb <> 'delete' and c.row_id <> all (left_alone)
    group by c.table_name, c.verb
    -- Of added rows what links goes before what is linked to, or every link would be cut first, row by row.
    order by array_position(array['update', 'insert'], c.verb), array_position(array[
      'notes', 'tasks', 'collection_members', 'deals', 'contacts', 'companies', 'pipeline_stages', 'pipelines'
    ], c.table_name)
  loop
    select string_agg(quote_ident(a.attname), ', ') into columns
    from pg_catalog.pg_attribute a
    where a.attrelid = format('public.%I', part.table_name)::regclass
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname = any (part.keys)
      and a.attname not in ('id', 'user_id');

    -- Put-back values are exact; the rows that an undone insert drags along are ordinary writes.
    perform set_config('solo.restoring', case when part.verb = 'insert' then 'off' else 'on' end, true);

    if part.verb = 'update' and columns is not null then
      execute format(
        'update public.%1$I t set (%2$s) = (select %2$s from jsonb_populate_record(t, s.before))
         from (
           select c.row_id, jsonb_object_agg(old.key, old.value order by c.id desc) as before
           from public.changes c
           cross join lateral jsonb_each(c.before) old
           where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb = ''update'' and c.row_id <> all ($3)
           group by c.row_id
         ) s
         where t.id = s.row_id and t.user_id = $1', part.table_name, columns)
        using me, wanted, left_alone;
    elsif part.verb = 'insert' then
      execute format(
        'delete from public.%1$I t using public.changes c
         where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb = ''insert'' and c.row_id <> all ($3)
           and t.id = c.row_id and t.user_id = $1', part.table_name)
        using me, wanted, left_alone;
    end if;
  end loop;
  perform set_config('solo.restoring', 'off', true);
end
$$;

create function private.link_again(me uuid, wanted uuid, restored uuid[]) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- right after a deletion the statistics know nothing of it yet
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  link record;
begin
  perform set_config('solo.restoring', 'on', true);
  for link in
    -- Pipelines come before stages by their names, too: a stage needs its pipeline.
    select k.* from private.links k
    where not k.is_part_of_parent and exists (
      select from public.changes c
      where c.user_id = me and c.batch = wanted and c.table_name = k.table_name and c.verb = 'update'
    )
    order by k.column_name
  loop
    execute format(
      'update public.%1$I t set %2$I = (c.before ->> %2$L)::uuid %3$s
       from public.changes c
       where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb = ''update''
         and (c.before ->> %2$L)::uuid = any ($3) and c.after -> %2$L = ''null''
         and t.id = c.row_id and t.user_id = $1 and t.%2$I is null %4$s',
      link.table_name, link.column_name,
      -- With its stage a deal lost when and why it was closed.
      case when link.column_name = 'stage_id' then
        ', closed_at = coalesce(t.closed_at, (c.before ->> ''closed_at'')::timestamptz)
         , lost_reason = coalesce(t.lost_reason, c.before ->> ''lost_reason'')' end,
      case when link.column_name = 'stage_id' then
        'and exists (
           select from public.pipeline_stages s
           where s.user_id = $1 and s.id = (c.before ->> ''stage_id'')::uuid and s.pipeline_id = t.pipeline_id
         )' end)
      using me, wanted, restored;
  end loop;
  perform set_config('solo.restoring', 'off', true);
end
$$;
comment on function private.link_again is
  'Links that a deletion cut, and that nobody has set anew since, lead again to the rows that came back.';

create function private.without_parent(me uuid, chosen bigint[]) returns bigint[]
language plpgsql stable
set search_path = ''
set enable_nestloop = off -- right after a deletion the statistics know nothing of it yet
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  link record;
  missing bigint[] := '{}';
  more bigint[];
begin
  for link in select k.* from private.links k where k.is_part_of_parent loop
    execute format(
      'select array(
         select c.id from public.changes c
         where c.id = any ($2) and c.user_id = $1 and c.table_name = %1$L and c.before ->> %2$L is not null
           and not exists (select from public.%3$I p where p.user_id = $1 and p.id = (c.before ->> %2$L)::uuid)
           and (c.before ->> %2$L)::uuid not in (
             select p.row_id from public.changes p where p.id = any ($2) and p.table_name = %3$L
           )
       )', link.table_name, link.column_name, link.parent_name)
    into more using me, chosen;
    missing := missing || more;
  end loop;
  return missing;
end
$$;
comment on function private.without_parent is
  'Of deletions to be put back, those of parts whose whole is neither there nor among them.';

create function public.restore_deleted(batch uuid, ids uuid[] default null) returns jsonb
language plpgsql
security definer -- writes back rows as they were, stamps included, which clients may not; touches rows of auth.uid() only
set search_path = ''
set statement_timeout = '300s'
as $$
declare
  me uuid := auth.uid();
  wanted uuid := restore_deleted.batch;
  roots bigint[];
  taken bigint[];
  coming bigint[];
  lost bigint[];
  restored uuid[];
  made uuid := gen_random_uuid();
begin
  if me is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  -- An undo, a restoring and a removal for good of one account wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('undo ' || me, 0));
  roots := private.trash_deletions(jsonb_build_object('batch', wanted)
    || case when ids is null then '{}' else jsonb_build_object('ids', ids) end);
  if cardinality(roots) = 0 then
    raise exception 'This is not in the trash any more.' using errcode = 'PT404';
  end if;

  taken := array(
    select c.id from private.undo_conflicts(me, wanted) f
    join public.changes c on c.user_id = me and c.batch = wanted and c.row_id = f.row_id and c.verb = 'delete'
    where f.reason = 'name taken'
  );
  coming := array(select id from unnest(roots) id where id <> all (taken));
  coming := array(select id from unnest(coming || private.parts_of(me, coming)) id where id <> all (taken));
  lost := private.without_parent(me, coming);
  coming := array(select id from unnest(coming) id where id <> all (lost));

  if cardinality(coming) > 0 then
    restored := array(select c.row_id from public.changes c where c.id = any (coming));
    set constraints all deferred;
    perform set_config('solo.batch', made::text, true), set_config('solo.undoes', wanted::text, true);
    perform private.put_back(me, wanted, coming);
    perform private.link_again(me, wanted, restored);
    perform private.drop_dangling_links(me, wanted);
    set constraints all immediate;
    perform set_config('solo.batch', '', true), set_config('solo.undoes', '', true);
  end if;

  return jsonb_build_object(
    'batch', case when cardinality(coming) > 0 then made end,
    'restored', (select count(*) from unnest(roots) id where id = any (coming)),
    'conflicts', (
      select coalesce(jsonb_agg(jsonb_build_object('table_name', c.table_name, 'row_id', c.row_id, 'label', c.label,
        'reason', case when c.id = any (taken) then 'name taken' else 'parent gone' end) order by c.table_name, c.label, c.id), '[]')
      from public.changes c where c.id = any (lost) or c.id = any (taken) and c.id = any (roots)
    )
  );
end
$$;
comment on function public.restore_deleted is
  'Brings deleted rows of one batch back out of the trash, all or the named ones, with their parts and the links that led to them, as a batch that can be undone. What cannot come back is listed with its reason.';

create function public.remove_for_good(filter jsonb) returns jsonb
language plpgsql
security definer -- nobody may write changes; touches those of auth.uid() only
set search_path = ''
set statement_timeout = '300s'
as $$
declare
  me uuid := auth.uid();
  roots bigint[];
  gone bigint[];
begin
  if me is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('undo ' || me, 0));
  roots := private.trash_deletions(filter);
  gone := roots || private.parts_of(me, roots);
  -- A collection's name stands with everyone who was ever in it.
  update public.changes c set label = null
  where c.user_id = me and c.table_name = 'collection_members' and c.row_id in (
    select m.row_id from public.changes m
    where m.user_id = me and m.table_name = 'collection_members' and m.verb = 'delete'
      and (m.before ->> 'collection_id')::uuid in (
        select d.row_id from public.changes d where d.id = any (gone) and d.table_name = 'collections'
      )
  );
  update public.changes c set before = null, after = null, label = null
  from public.changes d
  where d.id = any (gone) and c.user_id = me and c.row_id = d.row_id and c.id <= d.id;
  return jsonb_build_object('count', cardinality(roots));
end
$$;
comment on function public.remove_for_good is
  'Erases what the trash holds, all that a filter means: of the rows, their parts and their earlier versions nothing is left in the log but that there was something.';

create or replace function public.undo_batch(batch uuid, conflicts text default 'refuse') returns jsonb
language plpgsql
security definer -- writes back rows as they were, stamps included, which clients may not; touches rows of auth.uid() only
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  me uuid := auth.uid();
  wanted uuid := undo_batch.batch;
  found_conflicts jsonb;
  left_alone uuid[];
  undo uuid := gen_random_uuid();
  row_count bigint;
begin
  if me is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  if conflicts not in ('refuse', 'keep', 'all') then
    raise exception 'Conflicts are handled by refuse, keep or all.' using errcode = 'PT400';
  end if;
  -- Two undos of one account would otherwise both find nothing changed.
  perform pg_advisory_xact_lock(hashtextextended('undo ' || me, 0));
  if not exists (select from public.changes c where c.user_id = me and c.batch = wanted) then
    raise exception 'There is nothing to undo here.' using errcode = 'PT404';
  end if;

  perform private.lock_batch(me, wanted);
  select
    coalesce(jsonb_agg(to_jsonb(k) order by k.table_name, k.label), '[]'),
    coalesce(array_agg(k.row_id) filter (
      where undo_batch.conflicts = 'keep' or k.reason in ('erased', 'parent gone', 'name taken')), '{}')
  into found_conflicts, left_alone
  from (select distinct on (f.row_id) f.* from private.undo_conflicts(me, wanted) f order by f.row_id, f.reason desc) k;

  if undo_batch.conflicts = 'refuse' and jsonb_array_length(found_conflicts) > 0 then
    return jsonb_build_object('batch', null, 'undone', 0, 'conflicts', found_conflicts);
  end if;
  -- The parts of what stays away stay away with it.
  left_alone := left_alone || array(
    select c.row_id from public.changes c
    where c.id = any (private.parts_of(me, array(
      select d.id from public.changes d
      where d.user_id = me and d.batch = wanted and d.verb = 'delete' and d.row_id = any (left_alone)
        and not exists (
          select from public.changes l
          where l.user_id = me and l.row_id = d.row_id and l.id > d.id and l.verb = 'insert'
        )
    )))
  );

  set constraints all deferred;
  perform set_config('solo.batch', undo::text, true), set_config('solo.undoes', wanted::text, true);
  perform private.take_back(me, wanted, left_alone);
  perform private.drop_dangling_links(me, wanted);
  set constraints all immediate;
  perform set_config('solo.batch', '', true), set_config('solo.undoes', '', true);

  select count(distinct c.row_id) into row_count from public.changes c where c.user_id = me and c.batch = undo;
  return jsonb_build_object(
    'batch', case when row_count > 0 then undo end,
    'undone', row_count,
    'conflicts', found_conflicts
  );
end
$$;

-- The history ----------------------------------------------------------------------------------------------

create function private.names_in(me uuid, before jsonb, after jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_object_agg(link.value, coalesce(
    (select s.name from public.pipeline_stages s where s.user_id = me and s.id = link.value::uuid),
    (select p.name from public.pipelines p where p.user_id = me and p.id = link.value::uuid),
    private.label_of(me, link.value::uuid)
  ))
  from (select * from jsonb_each_text(before) union select * from jsonb_each_text(after)) link
  where link.value is not null
    and link.key in ('company_id', 'contact_id', 'deal_id', 'stage_id', 'pipeline_id')
$$;
comment on function private.names_in is 'What the records are called that the links of a change lead to, by their ids.';

create function private.batch_rows(me uuid, wanted uuid, kind text, done text) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object(
    'id', c.row_id, 'name', c.label, 'is_there', coalesce(last.verb <> 'delete', true),
    'contact_id', c.contact_id, 'company_id', c.company_id, 'deal_id', c.deal_id
  ) order by c.id)
  from (
    select * from public.changes c
    where c.user_id = me and c.batch = wanted and c.table_name = kind and c.verb = done
    order by c.id limit 3
  ) c
  cross join lateral (
    select l.verb from public.changes l where l.user_id = me and l.row_id = c.row_id order by l.id desc limit 1
  ) last
$$;
comment on function private.batch_rows is 'The first three rows to which a batch did something, by name.';

create function private.batch_card(me uuid, wanted uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  with groups as materialized (
    select c.table_name, c.verb, count(*) as count, min(c.created_at) as at, min(c.undoes::text)::uuid as undoes,
      false as only_unlinks, false as only_links, null::text as least_before, null::text as most_before,
      null::text as least_after, null::text as most_after
    from public.changes c
    where c.user_id = me and c.batch = wanted and c.verb <> 'update'
    group by c.table_name, c.verb
    union all
    select c.table_name, c.verb, count(distinct c.row_id), min(c.created_at), min(c.undoes::text)::uuid,
      bool_and(not exists (select from jsonb_each(c.after) v where v.value <> 'null')),
      bool_and(not exists (select from jsonb_each(c.before) v where v.value <> 'null')),
      min((c.before - '{order,closed_at,completed_at}'::text[])::text),
      max((c.before - '{order,closed_at,completed_at}'::text[])::text),
      min((c.after - '{order,closed_at,completed_at}'::text[])::text),
      max((c.after - '{order,closed_at,completed_at}'::text[])::text)
    from public.changes c
    where c.user_id = me and c.batch = wanted and c.verb = 'update' and coalesce(c.after - 'order' <> '{}', true)
    group by c.table_name, c.verb
  ),
  common as (
    select g.*, v.before, v.after
    from groups g
    cross join lateral (
      select case when g.least_before = g.most_before then g.least_before::jsonb end as before,
        case when g.least_after = g.most_after then g.least_after::jsonb end as after
    ) v
  ),
  undone as (
    select exists (
      select from public.changes u where u.user_id = me and u.undoes = wanted
        and not exists (select from public.changes v where v.user_id = me and v.undoes = u.batch)
    ) as is_undone
  )
  select jsonb_build_object(
    'id', wanted, 'batch', wanted, 'at', min(g.at), 'undoes', min(g.undoes::text)::uuid,
    'deed', (select d.deed from private.deeds d where d.user_id = me and d.batch = wanted),
    'about', (select d.about from private.deeds d where d.user_id = me and d.batch = wanted),
    'groups', jsonb_agg(jsonb_build_object(
      'table_name', g.table_name, 'verb', g.verb, 'count', g.count,
      'only_unlinks', g.verb = 'update' and g.only_unlinks, 'only_links', g.verb = 'update' and g.only_links,
      'before', g.before, 'after', g.after, 'names', private.names_in(me, g.before, g.after),
      'rows', private.batch_rows(me, wanted, g.table_name, g.verb)
    ) order by g.count desc, g.table_name, g.verb),
    'undone', case
      when not (select u.is_undone from undone u) then 'no'
      when exists (
        select from public.changes c
        where c.user_id = me and c.batch = wanted and (c.verb <> 'update' or coalesce(c.after - 'order' <> '{}', true))
          -- As one set: looked up row by row, a large batch would take minutes.
          and c.row_id not in (select u.row_id from public.changes u where u.user_id = me and u.undoes = wanted)
      ) then 'partly'
      else 'yes'
    end,
    'can_undo', exists (
      select from public.changes c
      where c.user_id = me and c.batch = wanted and (c.verb = 'insert' or c.before is not null)
    )
  )
  from common g
$$;
comment on function private.batch_card is
  'What a batch did: for each table and verb how many rows, the first of them, and what was changed where it is the same for all. A card that only made room for another on the board does not count.';

create function public.history_page(filter jsonb default '{}', after jsonb default null, page_size integer default 30)
returns jsonb
language plpgsql stable
security definer -- the cards are made by functions that clients may not call; reads rows of auth.uid() only
set search_path = ''
as $$
declare
  me uuid := auth.uid();
  size integer := least(greatest(page_size, 1), 100);
  earliest timestamptz;
  latest timestamptz;
  action text := filter ->> 'action';
  answer jsonb;
begin
  if me is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  perform private.check_filter(filter, array['action', 'from', 'to', 'time_zone']);
  if action not in ('added', 'changed', 'deleted', 'undone', 'imported') then
    raise exception 'The filter has a part that is not known.' using errcode = 'PT400';
  end if;
  earliest := case when filter ? 'from' then private.day_start(filter, 'from', 0) else '-infinity' end;
  latest := case when filter ? 'to' then private.day_start(filter, 'to', 1) else 'infinity' end;

  -- From batch to batch by the index, however many rows each has; as many steps as the page needs.
  with recursive steps as (
    (
      select c.created_at, c.batch, c.undoes from public.changes c
      where c.user_id = me and (c.created_at, c.batch) < (
        coalesce((history_page.after ->> 'at')::timestamptz, latest),
        coalesce((history_page.after ->> 'batch')::uuid, '00000000-0000-0000-0000-000000000000')
      )
      order by c.created_at desc, c.batch desc limit 1
    )
    union all
    select n.created_at, n.batch, n.undoes
    from steps s
    cross join lateral (
      select c.created_at, c.batch, c.undoes from public.changes c
      where c.user_id = me and (c.created_at, c.batch) < (s.created_at, s.batch) and c.created_at >= earliest
      order by c.created_at desc, c.batch desc limit 1
    ) n
  ),
  found as materialized (
    select s.created_at, s.batch from steps s
    where s.created_at >= earliest and exists (
      select from public.changes c
      where c.user_id = me and c.batch = s.batch and (c.verb <> 'update' or coalesce(c.after - 'order' <> '{}', true))
        and case action
          when 'undone' then c.undoes is not null
          when 'imported' then exists (
            select from private.deeds d where d.user_id = me and d.batch = s.batch and d.deed = 'import'
          )
          when 'added' then c.undoes is null and c.verb = 'insert'
          when 'deleted' then c.undoes is null and c.verb = 'delete'
          -- A link that a deletion cut was not changed by anyone.
          when 'changed' then c.undoes is null and c.verb = 'update'
            and (c.after is null or exists (select from jsonb_each(c.after) v where v.value <> 'null'))
          else true
        end
    )
    limit size + 1
  ),
  page as (
    select f.*, row_number() over (order by f.created_at desc, f.batch desc) as place from found f
  )
  select jsonb_build_object(
    'rows', coalesce(jsonb_agg(private.batch_card(me, p.batch) order by p.place) filter (where p.place <= size), '[]'),
    'next', case when count(*) > size then
      (array_agg(jsonb_build_object('at', p.created_at, 'batch', p.batch) order by p.place) filter (where p.place = size))[1] end
  )
  into answer
  from page p;
  return answer;
end
$$;
comment on function public.history_page is
  'A page of what was done, a batch each, newest first: added, changed, deleted, undone or imported, in a period of the user''s calendar.';

-- Where a scheduler is there, what nobody's work erases is erased all the same; see docs/architecture.md.
do $$
begin
  if exists (select from pg_catalog.pg_extension e where e.extname = 'pg_cron') then
    perform cron.schedule('solo-erase-expired', '17 3 * * *', 'select private.erase_expired()');
  end if;
end
$$;

revoke all on private.deeds from public, anon, authenticated;
revoke all on function
  private.name_deed(text, text), private.trash_conditions(uuid, jsonb), private.label_of(uuid, uuid),
  private.trash_deletions(jsonb), private.parts_of(uuid, bigint[]), private.put_back(uuid, uuid, bigint[]),
  private.link_again(uuid, uuid, uuid[]), private.without_parent(uuid, bigint[]),
  private.names_in(uuid, jsonb, jsonb), private.batch_rows(uuid, uuid, text, text), private.batch_card(uuid, uuid)
  from public, anon, authenticated;
revoke all on function
  public.trash_page(jsonb, jsonb, integer), public.trash_count(jsonb), public.restore_deleted(uuid, uuid[]),
  public.remove_for_good(jsonb), public.history_page(jsonb, jsonb, integer)
  from public, anon;
grant execute on function
  public.trash_page(jsonb, jsonb, integer), public.trash_count(jsonb), public.restore_deleted(uuid, uuid[]),
  public.remove_for_good(jsonb), public.history_page(jsonb, jsonb, integer)
  to authenticated, service_role;
