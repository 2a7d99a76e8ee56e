-- The planner takes an account that was never analyzed for one with a single row. Where it had the choice, it therefore read the whole
-- log of the account for each row of a batch, and in the undo of an undo for each pair of rows: on a server with other accounts, a new
-- account waited 10 s until 600 contacts were restored, and two minutes for the undo of that undo. Now each row of a batch is looked up
-- by its id alone, and the owner is checked on what was found. Decision 030.

create index changes_of_row on public.changes (row_id, id);

create or replace function private.trash_conditions(me uuid, filter jsonb) returns text
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
    -- "offset 0" keeps both a look into the index for each deletion, whatever the planner expects.
    'not exists (
       select from public.changes l
       where (l.user_id = c.user_id) is true and l.row_id = c.row_id and l.id > c.id and l.verb = ''insert'' offset 0
     )'
  ];
begin
  perform private.check_filter(filter, array['search', 'kind', 'batch', 'ids']);
  -- What went with its whole comes back with it, and is not listed beside it.
  conditions := conditions || array(
    select format(
      'not (c.table_name = %L and exists (
         select from public.changes p
         where p.row_id = (c.before ->> %L)::uuid and (p.user_id = c.user_id) is true and (p.batch = c.batch) is true and p.verb = ''delete'' offset 0
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

create or replace function private.undo_conflicts(me uuid, wanted uuid)
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
  ids uuid[];
  of_batch uuid[] := array(select distinct c.row_id from public.changes c where c.user_id = me and c.batch = wanted);
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
      where (l.user_id = me) is true and l.row_id = c.row_id and l.id > max(c.id) and l.batch <> wanted
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
      where (l.user_id = me) is true and l.row_id = touched.row_id and l.id > touched.last_id and l.batch <> wanted
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
        where (l.user_id = me) is true and l.row_id = touched.row_id and (l.batch = later.undoes) is true and l.id > touched.last_id
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
    ids := array(
      select c.row_id from public.changes c
      where c.user_id = me and c.batch = wanted and c.table_name = link.parent_name and c.verb = 'delete'
    );
    return query execute format(
      'select c.table_name, c.row_id, c.label, ''parent gone''::text
       from public.changes c
       where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb <> ''insert''
         and c.before ->> %2$L is not null and (c.before ->> %2$L)::uuid <> all ($3)
         and (select p.id from public.%3$I p where p.id = (c.before ->> %2$L)::uuid and (p.user_id = $1) is true) is null',
      link.table_name, link.column_name, link.parent_name)
      using me, wanted, ids;
  end loop;

  -- What was linked since to a row that would go, would go or lose its link with it.
  for link in
    select k.* from private.links k
    where k.parent_name = any (added)
  loop
    ids := array(
      select c.row_id from public.changes c
      where c.user_id = me and c.batch = wanted and c.table_name = link.parent_name and c.verb = 'insert'
    );
    -- Once through what the account has of the table, with the batch at hand, instead of a look for each of its rows.
    execute format(
      'select array(
         select distinct t.%2$I from public.%1$I t where t.user_id = $1 and t.%2$I = any ($2) and t.id <> all ($3)
       )', link.table_name, link.column_name)
      into ids using me, ids, of_batch;
    return query
      select p.table_name, p.row_id, p.label, 'in use'::text from public.changes p
      where p.user_id = me and p.batch = wanted and p.table_name = link.parent_name and p.verb = 'insert' and p.row_id = any (ids);
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
           where %2$s and t.id <> c.row_id and t.id <> all ($3)
         )', link.table_name, link.same_key)
      using me, wanted, of_batch;
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
             where t.user_id = $1 and t.custom <> ''{}'' and t.custom ? p.row_id::text and t.id <> all ($3)
           )', kind)
        using me, wanted, of_batch;
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
            and t.id <> all (of_batch)
        );
  end if;
end
$$;

create or replace function private.lock_batch(me uuid, wanted uuid) returns void
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
       where (t.user_id = $1) is true and t.id = any (array(
         select c.row_id from public.changes c where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L
       )) order by t.id for update', touched)
      using me, wanted;
  end loop;
end
$$;

create or replace function private.with_own_origins(me uuid, wanted uuid, kind text, chosen bigint[]) returns bigint[]
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
          where (o.user_id = me) is true and o.row_id = (c.before ->> link.column_name)::uuid order by o.id desc limit 1
        ) p
        where p.batch = wanted and p.verb = 'delete' and p.before is not null
      )
      select c.id from coming c
    );
  end loop;
  return chosen;
end
$$;

create or replace function private.undo_lines(me uuid, wanted uuid, kind text, done text, lines bigint[], left_alone uuid[]) returns void
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
      -- "coalesce" tells the planner nothing of how few rows it leaves: told, it read the table and for each row the batch.
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
         where t.id = s.row_id and coalesce(t.user_id = $1, false)', kind, columns)
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

create or replace function public.remove_for_good(filter jsonb) returns jsonb
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
  collections uuid[];
  deals uuid[];
  contacts uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('undo ' || me, 0));
  roots := private.trash_deletions(filter);
  gone := roots || private.parts_of(me, roots);
  -- A collection's name stands with everyone who was ever in it.
  collections := array(select d.row_id from public.changes d where d.id = any (gone) and d.table_name = 'collections');
  update public.changes c set label = null
  where c.user_id = me and c.table_name = 'collection_members' and c.row_id = any (array(
    select m.row_id from public.changes m
    where m.user_id = me and m.table_name = 'collection_members' and m.verb = 'delete'
      and (m.before ->> 'collection_id')::uuid = any (collections)
  ));
  -- Their names stand with whoever was on a deal, too.
  deals := array(select d.row_id from public.changes d where d.id = any (gone) and d.table_name = 'deals');
  contacts := array(select d.row_id from public.changes d where d.id = any (gone) and d.table_name = 'contacts');
  update public.changes c set label = null
  where c.user_id = me and c.table_name = 'deal_contacts' and (c.deal_id = any (deals) or c.contact_id = any (contacts));
  perform private.erase_fields(me, array(
    select d.row_id from public.changes d where d.id = any (gone) and d.table_name = 'fields'
  ));
  update public.changes c set before = null, after = null, label = null, names = null
  where c.id = any (array(
    select e.id from public.changes d
    cross join lateral (
      select o.id from public.changes o where o.row_id = d.row_id and o.id <= d.id and (o.user_id = me) is true offset 0
    ) e
    where d.id = any (gone)
  ));
  return jsonb_build_object('count', cardinality(roots));
end
$$;

create or replace function private.import_changes(i private.imports, places integer[]) returns table (place integer, changes jsonb)
language plpgsql stable
set search_path = ''
as $$
begin
  return query execute (
    select format(
      'select w.place, coalesce(jsonb_object_agg(d.name, jsonb_build_array(d.before, d.after)) filter (where d.name is not null), ''{}'')
       from (
         select r.place, private.values_for(m.target, r.reported) as reported, m.target, null::uuid as company_id
         from private.import_rows r
         cross join lateral (
           select k.* from private.import_matches k where k.import_id = r.import_id and k.place = r.place offset 0
         ) m
         where r.import_id = $1.id and r.place = any ($2) and m.target is not null and m.twin is null and not m.is_same
       ) w
       cross join lateral jsonb_to_record(w.reported) as v (note_parts jsonb, %2$s)
       join public.%1$I o on o.id = w.target and (o.user_id = $1.user_id) is true
       left join lateral (select n.* from (values %3$s) as n (name, before, after) where n.before is distinct from n.after) d on true
       group by w.place',
      i.kind,
      string_agg(c.definition, ', '),
      string_agg(format('(%L, to_jsonb(o.%I), to_jsonb(%s))', c.name, c.name, case
        -- Notes that would become too long are refused when they are written, not when they are shown.
        when c.name = 'notes' then format('case when char_length(concat(o.notes, v.notes)) > 49000 then o.notes else %s end', c.changed)
        else c.changed
      end), ', ') filter (where i.kind <> 'deals' or c.is_plain)
        || case when i.kind = 'contacts' then
          ', (''company'', to_jsonb((select k.name from public.companies k where k.user_id = o.user_id and k.id = o.company_id)), (
            select to_jsonb(case when private.fold(k.name) = private.fold(w.reported ->> ''company'') then k.name else coalesce(w.reported ->> ''company'', k.name) end)
            from (select (select k.name from public.companies k where k.user_id = o.user_id and k.id = o.company_id) as name) k
          ))'
        else '' end)
    from private.import_columns(i.kind) c
  ) using i, places;
end
$$;

create or replace function private.write_deals(i private.imports, moment timestamptz, after bigint, last bigint, places private.place_in_pipeline[], usual uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  people bigint := private.write_import_people(i, moment, after, last);
  added bigint;
  updated uuid[];
begin
  -- Exact values: a deal that was closed before it came here was not closed today.
  perform set_config('solo.restoring', 'on', true);
  execute (
    select format(
      'insert into public.deals (id, user_id, created_at, closed_at, %s)
       select coalesce(n.record_id, gen_random_uuid()), $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''),
         case when s.outcome <> ''open''
           then coalesce(v.closed_at, least(v.closes_at, $2)) end, %s
       from private.planned_rows($1, $3, $4) w
       cross join lateral (
         select k.record_id from private.import_plans k where k.import_id = $1.id and k.place = w.place offset 0
       ) n
       cross join lateral jsonb_to_record(w.reported) as v (
         pipeline text, stage text, created_at timestamptz, closed_at timestamptz, closes_at timestamptz, %s
       )
       cross join (values ($6)) as usual (pipeline_id)
       left join unnest($5) p on p.own_pipeline is null
         and coalesce(p.pipeline_key, '''') = coalesce(private.fold(v.pipeline), '''') and coalesce(p.stage, '''') = coalesce(v.stage, '''')
       left join public.pipeline_stages s on s.user_id = $1.user_id and s.id = p.stage_id
       where w.target is null',
      string_agg(quote_ident(c.name), ', '), string_agg(c.added, ', '), string_agg(c.definition, ', '))
    from private.import_columns('deals') c
  ) using i, moment, after, last, places, usual;
  get diagnostics added = row_count;

  execute (
    select format(
      'with updated as (
         update public.deals d set closed_at = n.closed_at, %1$s
         from (
           select o.id, case
               when s.outcome is null or s.outcome = ''open'' then null
               when s.outcome = b.outcome then coalesce(v.closed_at, o.closed_at)
               else coalesce(v.closed_at, least(v.closes_at, $2))
             end as closed_at, %2$s
           from private.planned_rows($1, $3, $4) w
           cross join lateral jsonb_to_record(w.reported) as v (pipeline text, stage text, closed_at timestamptz, closes_at timestamptz, %3$s)
           join public.deals o on o.id = w.target and (o.user_id = $1.user_id) is true
           -- Where the row names no pipeline, its stage is one of the pipeline that the deal is in.
           left join unnest($5) p on coalesce(p.own_pipeline::text, '''') = coalesce(case when v.pipeline is null then o.pipeline_id end::text, '''')
             and coalesce(p.pipeline_key, '''') = coalesce(private.fold(v.pipeline), '''') and coalesce(p.stage, '''') = coalesce(v.stage, '''')
           left join public.pipeline_stages b on b.user_id = $1.user_id and b.id = o.stage_id
           -- The stage that the row names; where it names none, the one that the deal has, if it stays in its pipeline.
           left join public.pipeline_stages s on s.user_id = $1.user_id and s.id = coalesce(
             p.stage_id, case when p.pipeline_id is null or p.pipeline_id = o.pipeline_id then o.stage_id end
           )
         ) n
         where d.id = n.id and (d.user_id = $1.user_id) is true and (d.closed_at, %4$s) is distinct from (n.closed_at, %5$s)
         returning d.id
       )
       select coalesce(array_agg(u.id), ''{}'') from updated u',
      string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('d.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns('deals') c
  ) into updated using i, moment, after, last, places;
  perform set_config('solo.restoring', 'off', true);

  updated := updated || private.link_import_people(i, after, last) || private.note_records(i, moment, after, last)
    || private.write_related(i, moment, after, last);
  return jsonb_build_object('contacts', people, 'added', added, 'updated', (
    select count(distinct w.target) from private.import_plans w
    where w.import_id = i.id and w.place > after and w.place <= last and w.target = any (updated)
  ));
end
$$;

-- The tables of imports are empty most of the time, and so they are in the statistics: for a file of 1,800 deals, the planner chose
-- to compare each row with every other. Now they are analyzed while the rows are in them.

create function private.count_import(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Whoever else counts them just then does it for all.
  if i.total >= 200 then
    analyze (skip_locked) private.import_rows, private.import_matches, private.import_plans;
  end if;
end
$$;
comment on function private.count_import is 'Tells the planner how many rows of imports there are now.';
revoke all on function private.count_import(private.imports) from public, anon, authenticated;

create or replace function public.check_import(id uuid) returns jsonb
language plpgsql
security definer
set search_path = ''
set statement_timeout = '120s'
set lock_timeout = '120s' -- see commit_import
as $$
declare
  i private.imports := private.own_import(check_import.id, true);
begin
  if i.summary is null then
    perform private.check_names(i);
    perform private.match_import(i);
    perform private.count_import(i);
  end if;
  return (
    select jsonb_build_object(
      'new', count(*) filter (where r.problem is null and m.place is null),
      'known', count(*) filter (where m.target is not null and m.twin is null and not m.is_same),
      'twin', count(*) filter (where m.twin is not null or m.is_same),
      'error', count(*) filter (where r.problem is not null)
    )
    from private.import_rows r
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id
  );
end
$$;

create or replace function private.begin_import(w private.unfinished_work) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  i private.imports := private.own_import((w.arguments ->> 'id')::uuid, true);
  duplicates text := coalesce(w.arguments -> 'duplicates', '"skip"') #>> '{}';
begin
  -- An answer that was lost is given again; nothing is written twice.
  if i.summary is not null then
    w.state := jsonb_build_object('answer', public.import_state(i.id));
    return w;
  end if;
  if duplicates is null or duplicates not in ('skip', 'update', 'create') then
    raise exception 'Duplicates are handled by skip, update or create.' using errcode = 'PT400';
  end if;
  perform private.check_names(i);
  -- Once more: the records may have changed since the rows were looked at.
  perform private.match_import(i);
  perform private.count_import(i);
  w.state := jsonb_build_object('step', 'plan', 'size', i.total, 'duplicates', duplicates, 'told', case i.kind
    when 'contacts' then '{"added": 0, "updated": 0, "companies": 0}'::jsonb
    when 'companies' then '{"added": 0, "updated": 0}'
    else '{"added": 0, "updated": 0, "companies": 0, "contacts": 0}'
  end);
  return w;
end
$$;

create or replace function private.import_part(w private.unfinished_work, rows integer) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  i private.imports;
  step text := w.state ->> 'step';
  -- Below every place.
  after bigint := coalesce((w.state ->> 'after')::bigint, -2147483649);
  last bigint;
  places private.place_in_pipeline[];
begin
  select * into i from private.imports n where n.user_id = w.user_id and n.id = (w.arguments ->> 'id')::uuid;
  if step = 'plan' then
    perform private.plan_import(i, w.state ->> 'duplicates');
    perform private.count_import(i);
    step := 'companies';
  elsif step = 'people' then
    perform private.plan_deal_contacts(i);
    step := 'contacts';
  elsif step = 'places' then
    places := private.places_in_pipelines(i, w.state ->> 'duplicates');
    w.state := w.state || jsonb_build_object('places', to_jsonb(places), 'usual', (
      select p.id from public.pipelines p where p.user_id = i.user_id order by p.created_at, p.id limit 1
    ));
    step := 'rows';
  elsif step in ('companies', 'contacts', 'rows') then
    select max(p.place) into last from (
      select n.place from private.import_plans n
      where n.import_id = i.id and n.place > after
        and case step when 'companies' then n.adds_company when 'contacts' then n.adds_contact else true end
      order by n.place limit rows
    ) p;
    if last is not null then
      w.state := w.state || jsonb_build_object('after', last,
        'told', private.added_up(w.state -> 'told', private.write_import_rows(w, i, step, after, last)));
      return w;
    end if;
    step := case
      when step = 'companies' and i.kind = 'deals' then 'people'
      when step = 'contacts' then 'places'
      when step = 'companies' then 'rows'
      when i.total >= 1000 then 'analyze'
      else 'finish'
    end;
  elsif step = 'analyze' then
    -- Nobody else tells the embedded database how many rows there are now; lists and undo are planned by it.
    analyze public.contacts, public.companies, public.deals, public.changes;
    step := 'finish';
  else
    w.state := jsonb_build_object('answer', private.finish_import(i, w.state -> 'told'));
    return w;
  end if;
  w.state := w.state - 'after' || jsonb_build_object('step', step);
  return w;
end
$$;

-- The rows of a restore are gone again when its tables are analyzed, so the planner expects none. By this index each row is found by
-- its old id all the same.
create index restore_rows_of_old_id on private.restore_rows (old_id);

create or replace function private.with_new_fields(restore uuid, value jsonb) returns jsonb
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
    where (s.restore_id = restore) is true and s.kind in ('fields', 'gone')
      and s.old_id = substring(e.key from '^(?:custom\.)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid
    limit 1
  ) m on true
$$;

create or replace function private.with_new_ids(restore uuid, value jsonb) returns jsonb
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
      where (s.restore_id = restore) is true and s.new_id <> s.old_id and jsonb_typeof(e.value) = 'string'
        and s.old_id = case when e.key in ('row_id', 'contact_id', 'company_id', 'deal_id', 'stage_id', 'pipeline_id',
          'collection_id', 'repeated_from', 'one_contact_id', 'other_contact_id', 'one_company_id', 'other_company_id') then (e.value #>> '{}')::uuid end
      limit 1
    ) m on true
  ) else value end
$$;
