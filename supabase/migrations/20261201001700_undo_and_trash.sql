-- Undo of a batch, and the trash: both read the log.

-- The tables of records ---------------------------------------------------------------------------------------

-- What undo, backups and restores know of each table of records. A later table is one more row here, and no function changes.

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

-- A backup reads these last: the log then holds whatever happened while the rest was read. Rows of private.actions are called
-- "deeds" in the file of a backup, because older versions write and read that name.
insert into private.record_kinds (kind, source, key, key_type, place, is_logged) values
  ('changes', 'public.changes', 'id', 'bigint', 1, false),
  ('deeds', 'private.actions', 'batch', 'uuid', 2, false),
  ('preferences', 'public.preferences', 'user_id', 'uuid', 3, false);

create view private.links with (security_invoker = on) as
select
  child.relname::text as table_name,
  link.attname::text as column_name,
  parent.relname::text as parent_name,
  con.confdeltype = 'c' as is_part_of_parent
from pg_catalog.pg_constraint con
join pg_catalog.pg_class child on child.oid = con.conrelid
join pg_catalog.pg_class parent on parent.oid = con.confrelid
join pg_catalog.pg_attribute link on link.attrelid = con.conrelid
  and link.attnum = coalesce(con.confdelsetcols[1], con.conkey[array_upper(con.conkey, 1)])
where con.contype = 'f'
  and child.relnamespace = 'public'::regnamespace
  and parent.relnamespace = 'public'::regnamespace;
comment on view private.links is
  'Every link from one business row to another: part of the parent (goes with it) or loose (becomes null).';

-- Conflicts of an undo ----------------------------------------------------------------------------------------

create function private.is_only_order(change public.changes) returns boolean
language sql immutable
set search_path = ''
as $$
  select coalesce(
    change.verb = 'update' and change.after - case when change.table_name = 'fields' then 'position' else 'order' end = '{}', false)
$$;
comment on function private.is_only_order is
  'A card that only made room for another on the board was not changed by anyone, nor a field that made room for another.';

-- The tables of the batch are found first. Otherwise every link and unique constraint in the catalogue would cost a scan of the
-- log, and the undo of 100,000 imported contacts would take minutes.
create function private.undo_conflicts(me uuid, wanted uuid)
returns table (table_name text, row_id uuid, label text, reason text)
language plpgsql stable
set search_path = ''
as $$
declare
  touched record;
  later record;
  link record;
  taken_back uuid[];
  kind text;
  -- Which tables the batch added to, and in which it changed or deleted.
  added text[] := array(
    select distinct c.table_name from public.changes c where c.user_id = me and c.batch = wanted and c.verb = 'insert'
  );
  altered text[] := array(
    select distinct c.table_name from public.changes c where c.user_id = me and c.batch = wanted and c.verb <> 'insert'
  );
begin
  for touched in
    select c.table_name, c.row_id, max(c.id) as last_id, (array_agg(c.label order by c.id desc))[1] as label,
           bool_or(c.verb = 'delete' and c.before is null) as is_erased
    from public.changes c
    where c.user_id = me and c.batch = wanted
    group by c.table_name, c.row_id
    having bool_or(c.verb = 'delete' and c.before is null) or exists (
      select from public.changes l
      where l.user_id = me and l.row_id = c.row_id and l.id > max(c.id) and l.batch <> wanted
        and not private.is_only_order(l)
    )
  loop
    table_name := touched.table_name;
    row_id := touched.row_id;
    label := touched.label;
    reason := case when touched.is_erased then 'erased' end;
    -- From the newest change back: one that was itself taken back does not count, nor does the taking back.
    taken_back := '{}';
    for later in
      select l.batch, l.undoes from public.changes l
      where l.user_id = me and l.row_id = touched.row_id and l.id > touched.last_id and l.batch <> wanted
        and not private.is_only_order(l)
      group by l.batch, l.undoes
      order by max(l.id) desc
    loop
      exit when reason is not null;
      continue when later.batch = any (taken_back);
      if later.undoes is null then
        reason := 'changed';
      elsif later.undoes = wanted then
        reason := 'undone';
      elsif exists (
        select from public.changes l
        where l.user_id = me and l.row_id = touched.row_id and l.batch = later.undoes and l.id > touched.last_id
      ) then
        taken_back := taken_back || later.undoes;
      else
        reason := 'changed';
      end if;
    end loop;
    if reason is not null then
      return next;
    end if;
  end loop;

  -- A part cannot come back, or go back, without its whole.
  for link in
    select k.* from private.links k
    where k.is_part_of_parent and k.table_name = any (altered)
  loop
    return query execute format(
      'select c.table_name, c.row_id, c.label, ''parent gone''::text
       from public.changes c
       where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb <> ''insert''
         and c.before ->> %2$L is not null
         and not exists (select from public.%3$I p where p.user_id = $1 and p.id = (c.before ->> %2$L)::uuid)
         and not exists (
           select from public.changes p
           where p.user_id = $1 and p.batch = $2 and p.table_name = %3$L and p.verb = ''delete''
             and p.row_id = (c.before ->> %2$L)::uuid
         )', link.table_name, link.column_name, link.parent_name)
      using me, wanted;
  end loop;

  -- What was linked since to a row that would go, would go or lose its link with it.
  for link in
    select k.* from private.links k
    where k.parent_name = any (added)
  loop
    return query execute format(
      'select p.table_name, p.row_id, p.label, ''in use''::text
       from public.changes p
       where p.user_id = $1 and p.batch = $2 and p.table_name = %3$L and p.verb = ''insert''
         and exists (
           select from public.%1$I t
           where t.user_id = $1 and t.%2$I = p.row_id
             and not exists (
               select from public.changes c where c.user_id = $1 and c.batch = $2 and c.row_id = t.id
             )
         )', link.table_name, link.column_name, link.parent_name)
      using me, wanted;
  end loop;

  -- A name that may be given once may have been given to another since.
  for link in
    select child.relname::text as table_name,
      (select string_agg(format('t.%I = r.%I', a.attname, a.attname), ' and ')
       from pg_catalog.pg_attribute a where a.attrelid = con.conrelid and a.attnum = any (con.conkey)) as same_key
    from pg_catalog.pg_constraint con
    join pg_catalog.pg_class child on child.oid = con.conrelid
    where con.contype = 'u' and con.condeferrable and child.relnamespace = 'public'::regnamespace
      and child.relname = any (altered)
  loop
    return query execute format(
      'select c.table_name, c.row_id, c.label, ''name taken''::text
       from public.changes c
       left join public.%1$I now on now.id = c.row_id
       cross join lateral jsonb_populate_record(now, c.before) r
       where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb <> ''insert''
         and exists (
           select from public.%1$I t
           where %2$s and t.id <> c.row_id
             and not exists (
               select from public.changes o where o.user_id = $1 and o.batch = $2 and o.row_id = t.id
             )
         )', link.table_name, link.same_key)
      using me, wanted;
  end loop;

  -- A field that would go takes with it what was written into it since.
  if 'fields' = any (added) then
    foreach kind in array array['contacts', 'companies', 'deals'] loop
      return query execute format(
        'select p.table_name, p.row_id, p.label, ''in use''::text
         from public.changes p
         join public.fields f on f.user_id = $1 and f.id = p.row_id and f.record = %1$L
         where p.user_id = $1 and p.batch = $2 and p.table_name = ''fields'' and p.verb = ''insert''
           and exists (
             select from public.%1$I t
             where t.user_id = $1 and t.custom <> ''{}'' and t.custom ? p.row_id::text
               and not exists (
                 select from public.changes c where c.user_id = $1 and c.batch = $2 and c.row_id = t.id
               )
           )', kind)
        using me, wanted;
    end loop;
  end if;
  if 'fields' = any (altered) then
    return query
      select c.table_name, c.row_id, c.label, 'name taken'::text
      from public.changes c
      left join public.fields now on now.id = c.row_id
      cross join lateral jsonb_populate_record(now, c.before) r
      where c.user_id = me and c.batch = wanted and c.table_name = 'fields' and c.verb <> 'insert'
        and exists (
          select from public.fields t
          where t.user_id = me and t.record = r.record and lower(t.name) = lower(r.name) and t.id <> c.row_id
            and not exists (
              select from public.changes o where o.user_id = me and o.batch = wanted and o.row_id = t.id
            )
        );
  end if;
end
$$;
comment on function private.undo_conflicts is
  'Rows of a batch that cannot simply be put back: changed since, undone already, in use since, erased after thirty days, part of a record that is gone, or under a name that is taken.';

-- Undo --------------------------------------------------------------------------------------------------------

create function private.lock_batch(me uuid, wanted uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  touched text;
begin
  for touched in
    select distinct c.table_name from public.changes c where c.user_id = me and c.batch = wanted order by 1
  loop
    execute format(
      'select from public.%1$I t
       where t.user_id = $1 and t.id in (
         select c.row_id from public.changes c where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L
       ) order by t.id for update', touched)
      using me, wanted;
  end loop;
end
$$;
comment on function private.lock_batch is 'Waits for whoever is changing the same rows, so that their change is seen.';

create function private.parents_first() returns text[]
language sql stable
set search_path = ''
as $$
  select array_agg(k.kind order by k.place) from private.record_kinds k where k.is_logged
$$;
comment on function private.parents_first is
  'The tables in an order in which rows can be added part by part: what is linked to comes before what links to it.';

create function private.is_cut(kind text) returns boolean
language sql stable
set search_path = ''
as $$
  select coalesce((select k.is_cut from private.record_kinds k where k.kind = is_cut.kind), false)
$$;
comment on function private.is_cut is
  'Whether the rows of a table are written in parts. The others are few, and their names may be exchanged: they are written at once.';

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

create function private.drop_dangling_links(me uuid, wanted uuid) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- right after an import the statistics know nothing of it yet
set jit = off -- taking an import back, a server would otherwise compile this query for seconds
as $$
declare
  link record;
begin
  for link in
    select k.* from private.links k
    where not k.is_part_of_parent and exists (
      select from public.changes c where c.user_id = me and c.batch = wanted and c.table_name = k.table_name
    )
  loop
    execute format(
      'update public.%1$I t set %2$I = null
       where t.user_id = $1 and t.%2$I is not null
         and t.id in (select c.row_id from public.changes c where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L)
         and not exists (select from public.%3$I p where p.user_id = $1 and p.id = t.%2$I)',
      link.table_name, link.column_name, link.parent_name)
      using me, wanted;
  end loop;
  -- A stage of another pipeline than the one that the deal is in by now.
  update public.deals d set stage_id = null
  where d.user_id = me and d.stage_id is not null
    and d.id in (select c.row_id from public.changes c where c.user_id = me and c.batch = wanted and c.table_name = 'deals')
    and not exists (
      select from public.pipeline_stages s where s.id = d.stage_id and s.pipeline_id = d.pipeline_id
    );
end
$$;
comment on function private.drop_dangling_links is 'A restored row loses its link to a record that was deleted in another batch.';

create function private.drop_dangling_links_of(me uuid, kind text, rows uuid[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  link record;
begin
  for link in select k.* from private.links k where not k.is_part_of_parent and k.table_name = kind loop
    execute format(
      'update public.%1$I t set %2$I = null
       where t.id = any ($2) and (t.user_id = $1) is true and t.%2$I is not null
         and (select p.id from public.%3$I p where p.user_id = $1 and p.id = t.%2$I) is null',
      link.table_name, link.column_name, link.parent_name)
      using me, rows;
  end loop;
  if kind = 'deals' then
    -- A stage of another pipeline than the one that the deal is in by now.
    update public.deals d set stage_id = null
    where d.id = any (rows) and (d.user_id = me) is true and d.stage_id is not null
      and (select s.id from public.pipeline_stages s where s.id = d.stage_id and s.pipeline_id = d.pipeline_id) is null;
  end if;
end
$$;
comment on function private.drop_dangling_links_of is 'Rows that were put back lose their links to records that were deleted in another batch.';

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
  for link in
    select f.record, f.id::text as field from public.fields f where f.user_id = me and f.id = any (restored)
  loop
    execute format(
      'update public.%1$I t set custom = jsonb_build_object($3, c.before -> (''custom.'' || $3))
       from public.changes c
       where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb = ''update''
         and c.before ->> (''custom.'' || $3) is not null
         and t.id = c.row_id and t.user_id = $1 and not t.custom ? $3', link.record)
      using me, wanted, link.field;
  end loop;
  perform set_config('solo.restoring', 'off', true);
end
$$;
comment on function private.link_again is
  'Links that a deletion cut, and values of fields that it took away, come back with the rows, where nobody has set them anew since.';

create function private.with_own_origins(me uuid, wanted uuid, kind text, chosen bigint[]) returns bigint[]
language plpgsql stable
set search_path = ''
as $$
declare
  link record;
begin
  for link in select k.* from private.links k where k.table_name = kind and k.parent_name = kind loop
    chosen := array(
      with recursive coming as (
        select c.id, c.before from public.changes c where c.id = any (chosen)
        union
        select p.id, p.before
        from coming c
        cross join lateral (
          select o.* from public.changes o
          where o.user_id = me and o.row_id = (c.before ->> link.column_name)::uuid order by o.id desc limit 1
        ) p
        where p.batch = wanted and p.verb = 'delete' and p.before is not null
      )
      select c.id from coming c
    );
  end loop;
  return chosen;
end
$$;
comment on function private.with_own_origins is
  'Deletions that are put back together: with each row the one of its own table that it links to, if that comes back too.';

create function private.undo_lines(me uuid, wanted uuid, kind text, done text, lines bigint[], left_alone uuid[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  rows uuid[];
  columns text;
begin
  if done = 'delete' then
    lines := private.with_own_origins(me, wanted, kind, lines);
    lines := array(select c.id from public.changes c where c.id = any (lines) and c.row_id <> all (left_alone));
    perform private.put_back(me, wanted, lines);
    rows := array(select c.row_id from public.changes c where c.id = any (lines));
  elsif done = 'update' then
    rows := array(select c.row_id from public.changes c where c.id = any (lines));
    select string_agg(quote_ident(a.attname), ', ') into columns
    from pg_catalog.pg_attribute a
    where a.attrelid = format('public.%I', kind)::regclass
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname not in ('id', 'user_id')
      and a.attname in (
        select split_part(k.name, '.', 1) from public.changes c cross join lateral jsonb_object_keys(c.before) as k (name)
        where c.id = any (lines)
      );
    if columns is not null then
      -- Put-back values are exact; the rows that an undone insert drags along are ordinary writes.
      perform set_config('solo.restoring', 'on', true);
      execute format(
        'update public.%1$I t set (%2$s) = (select %2$s from jsonb_populate_record(t, private.as_row(s.before)))
         from (
           select c.row_id, jsonb_object_agg(old.key, old.value order by c.id desc) as before
           from public.changes c
           cross join lateral jsonb_each(c.before) old
           where c.id = any ($2)
           group by c.row_id
         ) s
         where t.id = s.row_id and (t.user_id = $1) is true', kind, columns)
        using me, lines;
      perform set_config('solo.restoring', 'off', true);
    end if;
  else
    rows := array(select c.row_id from public.changes c where c.id = any (lines));
    execute format('delete from public.%1$I t where t.id = any ($2) and (t.user_id = $1) is true', kind) using me, rows;
    return;
  end if;
  perform private.drop_dangling_links_of(me, kind, rows);
end
$$;
comment on function private.undo_lines is
  'Takes back what lines of a batch tell, all of one table and one verb, as ordinary changes. Rows are found by their ids alone: where the statistics know nothing of them yet, all rows of the account would else be read for each.';

create function private.lines_to_undo(me uuid, wanted uuid, kind text, done text, left_alone uuid[], after_line bigint, rows integer)
returns bigint[]
language plpgsql stable
set search_path = ''
as $$
begin
  if done = 'update' then
    -- From the newest: of a row that was changed several times, what it was at first comes last.
    return array(
      select c.id from public.changes c
      where c.user_id = me and c.batch = wanted and c.id < coalesce(after_line, 9223372036854775807)
        and c.table_name = kind and c.verb = done and c.row_id <> all (left_alone)
      order by c.id desc limit rows
    );
  end if;
  return array(
    select c.id from public.changes c
    where c.user_id = me and c.batch = wanted and c.id > coalesce(after_line, 0)
      and c.table_name = kind and c.verb = done
      and (done <> 'delete' or c.before is not null) and c.row_id <> all (left_alone)
    order by c.id limit rows
  );
end
$$;
comment on function private.lines_to_undo is 'The next lines of a batch, of one table and one verb.';

create function private.begin_undo(w private.unfinished_work) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  me uuid := w.user_id;
  wanted uuid := (w.arguments ->> 'batch')::uuid;
  conflicts text := coalesce(w.arguments -> 'conflicts', '"refuse"') #>> '{}';
  found_conflicts jsonb;
  left_alone uuid[];
  steps jsonb;
  size bigint;
begin
  if conflicts not in ('refuse', 'keep', 'all') then
    raise exception 'Conflicts are handled by refuse, keep or all.' using errcode = 'PT400';
  end if;
  -- Two undos of one account would otherwise both find nothing changed.
  perform pg_advisory_xact_lock(hashtextextended('undo ' || me, 0));
  select count(*) into size from public.changes c where c.user_id = me and c.batch = wanted;
  if size = 0 then
    raise exception 'There is nothing to undo here.' using errcode = 'PT404';
  end if;

  perform private.lock_batch(me, wanted);
  select
    coalesce(jsonb_agg(to_jsonb(k) order by k.table_name, k.label), '[]'),
    coalesce(array_agg(k.row_id) filter (
      where conflicts = 'keep' or k.reason in ('erased', 'parent gone', 'name taken')), '{}')
  into found_conflicts, left_alone
  from (select distinct on (f.row_id) f.* from private.undo_conflicts(me, wanted) f order by f.row_id, f.reason desc) k;

  if conflicts = 'refuse' and jsonb_array_length(found_conflicts) > 0 then
    w.state := jsonb_build_object('answer', jsonb_build_object('batch', null, 'undone', 0, 'conflicts', found_conflicts));
    return w;
  end if;
  if conflicts = 'keep' then
    left_alone := private.with_what_they_need(me, wanted, left_alone);
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

  -- Deleted rows come back first, then changed columns, then added rows go. Of those what links goes before what is
  -- linked to, or every link would be cut first, row by row. Of a short table all of it is one part: a name, or a place in
  -- a collection, may have been given up and taken again.
  select jsonb_agg(jsonb_build_object('verb', s.verb, 'table', s.table_name, 'is_cut', s.is_cut)
    order by array_position(array['delete', 'update', 'insert'], case s.verb when 'all' then 'delete' else s.verb end),
      array_position(private.parents_first(), s.table_name) * case when s.verb = 'insert' then -1 else 1 end)
  into steps
  from (
    select distinct v.table_name, v.is_cut, case when v.verbs > 1 and not v.is_cut then 'all' else v.verb end as verb
    from (
      select c.table_name, c.verb, count(*) over (partition by c.table_name) as verbs,
        private.is_cut(c.table_name) and (c.table_name <> 'collection_members' or count(*) over (partition by c.table_name) = 1) as is_cut
      from public.changes c where c.user_id = me and c.batch = wanted group by c.table_name, c.verb
    ) v
  ) s;
  w.arguments := w.arguments || jsonb_build_object('steps', steps, 'found', found_conflicts, 'left_alone', to_jsonb(left_alone));
  w.state := jsonb_build_object('step', 0, 'size', size);
  return w;
end
$$;

create function private.undo_part(w private.unfinished_work, rows integer) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  me uuid := w.user_id;
  wanted uuid := (w.arguments ->> 'batch')::uuid;
  number integer := (w.state ->> 'step')::integer;
  step jsonb := w.arguments -> 'steps' -> number;
  kind text := step ->> 'table';
  left_alone uuid[] := array(select jsonb_array_elements_text(w.arguments -> 'left_alone')::uuid);
  done text;
  lines bigint[];
  row_count bigint;
begin
  if step is null then
    select count(distinct c.row_id) into row_count from public.changes c where c.user_id = me and c.batch = w.batch;
    w.state := jsonb_build_object('answer', jsonb_build_object(
      'batch', case when row_count > 0 then w.batch end,
      'undone', row_count,
      'conflicts', w.arguments -> 'found'
    ));
    return w;
  end if;
  perform set_config('solo.undoes', wanted::text, true);
  set constraints all deferred;
  foreach done in array case step ->> 'verb' when 'all' then array['delete', 'update', 'insert'] else array[step ->> 'verb'] end loop
    lines := private.lines_to_undo(
      me, wanted, kind, done, left_alone, (w.state ->> 'after')::bigint, case when (step ->> 'is_cut')::boolean then rows end
    );
    if cardinality(lines) > 0 then
      perform private.undo_lines(me, wanted, kind, done, lines, left_alone);
    end if;
  end loop;
  set constraints all immediate;
  if (step ->> 'is_cut')::boolean and cardinality(lines) > 0 then
    w.state := w.state || jsonb_build_object('after', lines[cardinality(lines)]);
  else
    w.state := w.state - 'after' || jsonb_build_object('step', number + 1);
  end if;
  return w;
end
$$;
comment on function private.undo_part is
  'The next part of an undo. Foreign keys are checked after each part: what a row links to was there before, or came back with an earlier one.';

create function public.undo_batch(batch uuid, conflicts text default 'refuse') returns jsonb
language plpgsql
security definer
set search_path = ''
set statement_timeout = '60s'
as $$
begin
  return private.all_parts(private.first_state(
    'undo_batch', jsonb_build_object('batch', undo_batch.batch, 'conflicts', undo_batch.conflicts)
  ));
end
$$;
comment on function public.undo_batch is
  'Takes a whole batch back, as a batch of its own. Rows that changed since: refuse answers with them and does nothing, keep leaves them and undoes the rest, all undoes them too. A definer because it writes rows back as they were, stamps included, which nobody else may.';

-- An undo that leaves some records as they are also leaves what these need: the records of the same batch that they
-- link to, and the own fields whose values they hold.

create function private.with_what_they_need(me uuid, wanted uuid, kept uuid[]) returns uuid[]
language plpgsql stable
set search_path = ''
as $$
declare
  link record;
  kind text;
  needed uuid[];
  more uuid[];
begin
  loop
    needed := '{}';
    for link in select k.table_name, k.column_name from private.links k loop
      execute format(
        'select $3 || array(select distinct t.%2$I from public.%1$I t where t.user_id = $1 and t.id = any ($2) and t.%2$I is not null)',
        link.table_name, link.column_name)
      into needed using me, kept, needed;
    end loop;
    foreach kind in array array['contacts', 'companies', 'deals'] loop
      execute format(
        'select $3 || array(
           select distinct k.key::uuid from public.%1$I t cross join lateral jsonb_object_keys(t.custom) as k (key)
           where t.user_id = $1 and t.id = any ($2) and t.custom <> ''{}''
         )', kind)
      into needed using me, kept, needed;
    end loop;
    more := array(
      select distinct c.row_id from public.changes c
      where c.user_id = me and c.batch = wanted and c.row_id = any (needed) and c.row_id <> all (kept)
        -- Options that were added to a field are a change of it.
        and (c.verb = 'insert' or c.verb = 'update' and c.table_name = 'fields')
    );
    exit when cardinality(more) = 0;
    kept := kept || more;
  end loop;
  return kept;
end
$$;
comment on function private.with_what_they_need is
  'Rows of a batch that an undo leaves alone, and those of the batch that they link to or whose values they hold.';

create function private.without_fields(logged jsonb, ids text[]) returns jsonb
language sql immutable
set search_path = ''
as $$
  select nullif(case when logged ? 'custom' then left_over || jsonb_build_object('custom', (left_over -> 'custom') - ids) else left_over end, '{}')
  from (select logged - array(select 'custom.' || i from unnest(ids) i) as left_over) l
$$;
comment on function private.without_fields is 'A row or a part of a change without the values of these fields; null when nothing is left.';

create function private.erase_fields(account uuid, gone uuid[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  ids text[] := array(select i::text from unnest(gone) i);
  keys text[] := array(select 'custom.' || i from unnest(gone) i);
begin
  if cardinality(gone) > 0 then
    update public.changes c set
      before = private.without_fields(c.before, ids), after = private.without_fields(c.after, ids), names = nullif(c.names - ids, '{}')
    where c.user_id = account and c.table_name in ('contacts', 'companies', 'deals')
      and (c.before ?| keys or c.after ?| keys or c.before -> 'custom' ?| ids);
    update private.gone_fields g set field = null where g.user_id = account and g.id = any (gone);
  end if;
  -- Where no server does it, the account's own work does.
  perform private.sweep_field(account, g.id, 50) from (
    select x.id from private.gone_fields x where x.user_id = account and x.field is null order by x.id limit 1
  ) g;
  perform private.sweep_option(account, g.field_id, g.id, 50) from (
    select x.field_id, x.id from private.gone_options x
    where x.user_id = account and x.gone_at < now() - interval '30 days' order by x.field_id, x.id limit 1
  ) g;
end
$$;
comment on function private.erase_fields is
  'Takes what fields held out of the log, when nothing of them shall be left, and goes on removing what records hold of such fields. Called with every batch of the account.';

-- The trash ---------------------------------------------------------------------------------------------------

create function private.trash_conditions(me uuid, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[
    format('c.user_id = %L::uuid', me),
    'c.verb = ''delete'' and c.before is not null',
    'c.created_at >= now() - interval ''30 days''',
    -- Who was taken out of a collection or off a deal, or is no longer told apart, is not deleted; the history takes that back.
    'c.table_name not in (''collection_members'', ''not_duplicates'', ''deal_contacts'')',
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
    from private.links k where k.is_part_of_parent and k.table_name not in ('collection_members', 'not_duplicates', 'deal_contacts')
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

create function public.trash_page(filter jsonb default '{}', after jsonb default null, page_size integer default 50)
returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  size integer := least(greatest(page_size, 1), 200);
  answer jsonb;
begin
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
         ''email'', p.before -> ''email'', ''value'', p.before -> ''value'', ''currency'', p.before -> ''currency'', ''industry'', p.before -> ''industry'',
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
    private.trash_conditions(private.caller(), filter),
    case when after is null then '' else
      format('and (c.created_at, c.id) < (%L::timestamptz, %L::bigint)', after ->> 'at', after ->> 'id') end,
    size + 1, after ->> 'batch', after ->> 'together',
    private.trash_conditions(private.caller(), '{}'))
  into answer;
  return answer;
end
$$;
comment on function public.trash_page is
  'A page of what is in the trash, newest first. "together" tells how many of the same deletion are still there; "of" what a note or stage belonged to. A definer because it shares its conditions with what restores and erases, which must be one.';

create function private.trash_deletions(filter jsonb) returns bigint[]
language plpgsql stable
set search_path = ''
as $$
declare
  found bigint[];
begin
  execute format('select array(select c.id from public.changes c where %s)',
    private.trash_conditions(private.caller(), filter)) into found;
  return found;
end
$$;

create function public.trash_count(filter jsonb default '{}') returns bigint
language sql stable
security definer
set search_path = ''
as $$ select cardinality(private.trash_deletions(filter))::bigint $$;
comment on function public.trash_count is 'How much the trash holds of what a filter means. A definer as trash_page.';

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
security definer
set search_path = ''
set statement_timeout = '300s'
set lock_timeout = '300s' -- see commit_import
as $$
declare
  me uuid := private.caller();
  wanted uuid := restore_deleted.batch;
  roots bigint[];
  taken bigint[];
  coming bigint[];
  lost bigint[];
  restored uuid[];
  made uuid := gen_random_uuid();
begin
  -- An undo, a restoring and a removal for good of one account wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('undo ' || me, 0));
  roots := private.trash_deletions(jsonb_build_object('batch', wanted)
    || case when ids is null then '{}' else jsonb_build_object('ids', ids) end);
  if cardinality(roots) = 0 then
    raise exception 'This is no longer in the trash.' using errcode = 'PT404';
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
  'Brings deleted rows of one batch back out of the trash, all or the named ones, with their parts and the links that led to them, as a batch that can be undone. What cannot come back is listed with its reason. A definer as undo_batch.';

create function public.remove_for_good(filter jsonb) returns jsonb
language plpgsql
security definer
set search_path = ''
set statement_timeout = '300s'
set lock_timeout = '300s' -- see commit_import
as $$
declare
  me uuid := private.caller();
  roots bigint[];
  gone bigint[];
begin
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
  -- Their names stand with whoever was on a deal, too.
  update public.changes c set label = null
  where c.user_id = me and c.table_name = 'deal_contacts' and exists (
    select from public.changes d
    where d.id = any (gone) and (d.table_name = 'deals' and d.row_id = c.deal_id or d.table_name = 'contacts' and d.row_id = c.contact_id)
  );
  perform private.erase_fields(me, array(
    select d.row_id from public.changes d where d.id = any (gone) and d.table_name = 'fields'
  ));
  update public.changes c set before = null, after = null, label = null, names = null
  from public.changes d
  where d.id = any (gone) and c.user_id = me and c.row_id = d.row_id and c.id <= d.id;
  return jsonb_build_object('count', cardinality(roots));
end
$$;
comment on function public.remove_for_good is
  'Erases what the trash holds, all that a filter means: of the rows, their parts and their earlier versions nothing is left in the log but that there was something. A definer because nobody else writes the log.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.is_only_order(public.changes), private.undo_conflicts(uuid, uuid), private.lock_batch(uuid, uuid),
  private.parents_first(), private.is_cut(text), private.put_back(uuid, uuid, bigint[]),
  private.drop_dangling_links(uuid, uuid), private.drop_dangling_links_of(uuid, text, uuid[]),
  private.link_again(uuid, uuid, uuid[]), private.with_own_origins(uuid, uuid, text, bigint[]),
  private.undo_lines(uuid, uuid, text, text, bigint[], uuid[]),
  private.lines_to_undo(uuid, uuid, text, text, uuid[], bigint, integer), private.begin_undo(private.unfinished_work),
  private.undo_part(private.unfinished_work, integer), public.undo_batch(uuid, text),
  private.with_what_they_need(uuid, uuid, uuid[]), private.without_fields(jsonb, text[]),
  private.erase_fields(uuid, uuid[]), private.trash_conditions(uuid, jsonb), public.trash_page(jsonb, jsonb, integer),
  private.trash_deletions(jsonb), public.trash_count(jsonb), private.parts_of(uuid, bigint[]),
  private.without_parent(uuid, bigint[]), public.restore_deleted(uuid, uuid[]), public.remove_for_good(jsonb)
  from public, anon, authenticated;
grant execute on function
  public.undo_batch(uuid, text), public.trash_page(jsonb, jsonb, integer), public.trash_count(jsonb),
  public.restore_deleted(uuid, uuid[]), public.remove_for_good(jsonb)
  to authenticated, service_role;
