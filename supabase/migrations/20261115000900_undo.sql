-- Taking back what a transaction did.

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

create function private.is_only_order(change public.changes) returns boolean
language sql immutable
set search_path = ''
as $$ select coalesce(change.verb = 'update' and change.after - 'order' = '{}', false) $$;
comment on function private.is_only_order is
  'A card that only made room for another on the board was not changed by anyone.';

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
    where k.is_part_of_parent and exists (
      select from public.changes c
      where c.user_id = me and c.batch = wanted and c.table_name = k.table_name and c.verb <> 'insert'
    )
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
    where exists (
      select from public.changes c
      where c.user_id = me and c.batch = wanted and c.table_name = k.parent_name and c.verb = 'insert'
    )
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
      and exists (
        select from public.changes c
        where c.user_id = me and c.batch = wanted and c.table_name = child.relname and c.verb <> 'insert'
      )
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
end
$$;
comment on function private.undo_conflicts is
  'Rows of a batch that cannot simply be put back: changed since, undone already, in use since, erased after thirty days, part of a record that is gone, or under a name that is taken.';

create function private.take_back(me uuid, wanted uuid, left_alone uuid[]) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- right after an import the statistics know nothing of it yet
as $$
declare
  part record;
  columns text;
begin
  for part in
    select c.table_name, c.verb, array_agg(distinct key.name) filter (where key.name is not null) as keys
    from public.changes c
    left join lateral jsonb_object_keys(c.before) as key (name) on true
    where c.user_id = me and c.batch = wanted and c.row_id <> all (left_alone)
    group by c.table_name, c.verb
    order by array_position(array['delete', 'update', 'insert'], c.verb)
  loop
    -- Only columns that are still there and may be written: no generated ones.
    select string_agg(quote_ident(a.attname), ', ') into columns
    from pg_catalog.pg_attribute a
    where a.attrelid = format('public.%I', part.table_name)::regclass
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname = any (part.keys)
      and (part.verb = 'delete' or a.attname not in ('id', 'user_id'));

    -- Put-back values are exact; the rows that an undone insert drags along are ordinary writes.
    perform set_config('solo.restoring', case when part.verb = 'insert' then 'off' else 'on' end, true);

    if part.verb = 'delete' then
      execute format(
        'insert into public.%1$I (%2$s)
         select %2$s from (
           select r.* from public.changes c
           cross join lateral jsonb_populate_record(null::public.%1$I, c.before || jsonb_build_object(''id'', c.row_id, ''user_id'', $1)) r
           where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb = ''delete'' and c.row_id <> all ($3)
         ) lost
         on conflict (id) do nothing', part.table_name, columns)
        using me, wanted, left_alone;
    elsif part.verb = 'update' and columns is not null then
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
comment on function private.take_back is
  'Deleted rows come back first, then changed columns, then added rows go; foreign keys are checked after all of it.';

create function private.drop_dangling_links(me uuid, wanted uuid) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- right after an import the statistics know nothing of it yet
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

create function public.undo_batch(batch uuid, conflicts text default 'refuse') returns jsonb
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
comment on function public.undo_batch is
  'Takes a whole batch back, as a batch of its own. Rows that changed since: refuse answers with them and does nothing, keep leaves them and undoes the rest, all undoes them too.';

revoke all on function private.is_only_order(public.changes), private.lock_batch(uuid, uuid),
  private.undo_conflicts(uuid, uuid), private.take_back(uuid, uuid, uuid[]),
  private.drop_dangling_links(uuid, uuid) from public, anon, authenticated;
revoke all on function public.undo_batch(uuid, text) from public, anon;
grant execute on function public.undo_batch(uuid, text) to authenticated, service_role;
