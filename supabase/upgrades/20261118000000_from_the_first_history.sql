-- Leads from the complete first history of the schema, 20261115000100 to 20261117000300, to the files of
-- supabase/migrations up to 20261118001500, which describe the schema by concept: decision 031.
--
-- The server runs it by itself. In a Supabase project it is run by hand, once; README.md says how.

-- Stages have an outcome -------------------------------------------------------------------------------------

alter table public.pipeline_stages
  add column outcome text not null default 'open',
  add constraint pipeline_stages_outcome_known check (outcome in ('open', 'won', 'lost'));
comment on column public.pipeline_stages.outcome is
  'What became of the deals in it: open, won or lost. Set by the database; figures, lists and imports ask for it.';

-- Nobody changed these rows, so nothing is logged.
select set_config('solo.silent', 'on', true);
update public.pipeline_stages set outcome = 'won' where name = 'Closed Won';
update public.pipeline_stages set outcome = 'lost' where name = 'Closed Lost';
select set_config('solo.silent', 'off', true);

-- What is no more, or is made anew below ---------------------------------------------------------------------

drop trigger tidy on public.companies;
drop trigger tidy on public.contacts;
drop trigger tidy on public.pipelines;
drop trigger tidy on public.notes;
drop trigger tidy on public.collections;
drop trigger tidy on public.saved_views;
drop trigger tidy on public.email_templates;

drop function
  private.add_default_stages(pipelines),
  private.added_notes(contacts, jsonb),
  private.alike_names(uuid),
  private.attention(uuid, timestamp with time zone),
  private.board_column(text, uuid, uuid, jsonb, integer),
  private.calendar_deal(deals),
  private.calendar_task(tasks),
  private.check_duplicates(text),
  private.check_report_filter(uuid, jsonb),
  private.company_card(companies),
  private.company_cards(uuid[]),
  private.company_conditions(uuid, jsonb),
  private.company_duplicates(uuid),
  private.contact_card(contacts),
  private.contact_cards(uuid[]),
  private.contact_conditions(uuid, jsonb),
  private.contact_duplicates(uuid),
  private.count_of(text, text),
  private.deal_card(deals),
  private.deal_cards(uuid[]),
  private.deal_conditions(uuid, jsonb),
  private.delete_all(text, text),
  private.duplicates(text, uuid),
  private.fill_contact(uuid, uuid, jsonb, uuid),
  private.first_stage(uuid),
  private.ids_of(text, text),
  private.is_closed_stage(text),
  private.is_only_order(changes),
  private.known_records(uuid, jsonb),
  private.last_contact(contacts),
  private.linked_condition(uuid, text, text, text),
  private.linked_deals(uuid, uuid, uuid),
  private.merge_cards(text, uuid, uuid[]),
  private.neighbours(text, text, text, boolean, uuid),
  private.newest_companies(jsonb, integer),
  private.newest_contacts(jsonb, integer),
  private.newest_deals(jsonb, integer),
  private.newest_tasks(jsonb, integer),
  private.next_due(contacts),
  private.next_due_date(tasks, timestamp with time zone, text),
  private.page(text, text, text, text, boolean, jsonb, integer),
  private.report_deals(uuid, jsonb, date, date, date, date, text),
  private.report_weeks(uuid, date, date, date, text, integer),
  private.set_merged(text, uuid, jsonb, text[]),
  private.task_card(tasks),
  private.task_cards(uuid[]),
  private.task_conditions(uuid, jsonb),
  private.tidy_company(),
  private.tidy_contact(),
  private.tidy_name(),
  private.tidy_note(),
  private.write_companies(private.imports, timestamp with time zone, bigint, bigint),
  private.write_contacts(private.imports, timestamp with time zone, bigint, bigint),
  public.create_calendar_feed(text),
  public.create_pipeline(text),
  public.move_deal(uuid, uuid, uuid, uuid);

-- What follows stands in the files of supabase/migrations, in this order; of their functions only those that are
-- new or differ.

-- Records ----------------------------------------------------------------------------------------------------

create function private.columns_of(target regclass)
returns table (name text, type text, is_required boolean, usual text, is_writable boolean)
language sql stable
set search_path = ''
as $$
  select a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
    pg_catalog.pg_get_expr(d.adbin, d.adrelid),
    pg_catalog.has_column_privilege('authenticated', a.attrelid, a.attnum, 'update')
  from pg_catalog.pg_attribute a
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = target and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  order by a.attnum
$$;
comment on function private.columns_of is
  'The stored columns of a table in their order: type, whether one must be filled, its default, and whether its owner may change it. Who may write what stands in the rights of the columns and nowhere else.';

create function private.clean_texts(target regclass) returns void
language plpgsql
set search_path = ''
as $$
declare
  name text := format('private.%I', 'clean_' || split_part(target::text, '.', -1));
  lines text := (
    select string_agg(format(case
      -- An empty name is refused by its length.
      when c.is_required then $line$new.%1$I := coalesce(btrim(new.%1$I, E' \t\r\n'), '');$line$
      else $line$new.%1$I := private.blank_to_null(new.%1$I);$line$
    end, c.name), E'\n  ')
    from private.columns_of(target) c
    where c.type = 'text' and c.usual is null
  );
begin
  execute format($function$
create or replace function %1$s() returns trigger
language plpgsql
set search_path = ''
as $clean$
begin
  %2$s
  return new;
end
$clean$;
comment on function %1$s is 'Texts are stored trimmed, and empty ones as null. Written by private.clean_texts.';
revoke all on function %1$s() from public, anon, authenticated;
grant execute on function %1$s() to authenticated, service_role;
-- Before every other trigger: they fire in the order of their names.
create or replace trigger clean before insert or update on %3$s for each row execute function %1$s();
  $function$, name, lines, target);
end
$$;
comment on function private.clean_texts is
  'Writes the trigger that trims the texts of a table, from its columns. Those with a default are choices, and left as they are.';

create function private.make_searchable(target regclass, parts text[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  words text := (
    select string_agg(format($part$coalesce(%s, '')$part$, p.part), $space$ || ' ' || $space$ order by p.place)
    from unnest(parts) with ordinality as p (part, place)
  );
begin
  execute format($searchable$
alter table %1$s drop column if exists search_text;
alter table %1$s add column search_text text not null generated always as (private.fold(%2$s)) stored;
comment on column %1$s.search_text is 'What searches look through, folded. Written by private.make_searchable.';
create index %3$I on %1$s using gin (user_id, search_text extensions.gin_trgm_ops);
  $searchable$, target, words, split_part(target::text, '.', -1) || '_search');
end
$$;
comment on function private.make_searchable is
  'What searches of a table look through: expressions on its columns, in this order. Called again, it takes the place of what was searched before.';

create function private.write_fields_of(target regclass) returns void
language plpgsql
set search_path = ''
as $$
declare
  columns text;
  definitions text;
begin
  select string_agg(format('r.%I', c.name), ', '), string_agg(format('%I %s', c.name, c.type), ', ')
  into columns, definitions
  from private.columns_of(target) c where c.name <> 'user_id';
  -- No search path of its own, see contact_card.
  execute format($function$
drop function if exists private.fields_of(%1$s);
create function private.fields_of(r %1$s) returns table (%2$s)
language sql stable
as $fields$ select %3$s $fields$;
comment on function private.fields_of(%1$s) is 'What cards show of a row: all its columns but the owner''s id and what is only searched. Written by private.write_fields_of.';
revoke all on function private.fields_of(%1$s) from public, anon, authenticated;
grant execute on function private.fields_of(%1$s) to authenticated, service_role;
  $function$, target, definitions, columns);
end
$$;
comment on function private.write_fields_of is 'Writes what the cards of a table show of its rows, from its columns.';

select private.make_searchable('public.companies', '{name,industry,location}');

select private.make_searchable('public.contacts',
  array['first_name', 'last_name', 'email', $$regexp_replace(phone_number, '[^0-9]', '', 'g')$$]);

create function private.usual_stages() returns table (place integer, name text, win_probability integer, outcome text)
language sql immutable parallel safe
set search_path = ''
as $$
  values
    (1, 'Lead', 10, 'open'), (2, 'Qualified', 25, 'open'), (3, 'Proposal', 50, 'open'), (4, 'Negotiation', 75, 'open'),
    (5, 'Closed Won', 100, 'won'), (6, 'Closed Lost', 0, 'lost')
$$;
comment on function private.usual_stages is
  'The stages that a pipeline usually has, how likely a deal in each is won, and what became of it there.';

create function private.usual_probability(stage_name text) returns integer
language sql immutable parallel safe
set search_path = ''
as $$ select coalesce((select u.win_probability from private.usual_stages() u where u.name = stage_name), 50) $$;
comment on function private.usual_probability is 'How likely a deal is won in a stage of which only the name is known.';

create function private.outcome_of(stage_name text) returns text
language sql immutable parallel safe
set search_path = ''
as $$ select coalesce((select u.outcome from private.usual_stages() u where u.name = stage_name), 'open') $$;
comment on function private.outcome_of is
  'The outcome of a stage that is made under this name. Of a stage that is there, its column tells.';

create or replace function private.guard_stage() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.name := coalesce(btrim(new.name, E' \t\r\n'), '');
  new.outcome := private.outcome_of(new.name);
  if tg_op = 'UPDATE' and not private.is_restoring() and new.name <> old.name
     and (old.outcome <> 'open' or new.outcome <> 'open') then
    raise exception 'The stages Closed Won and Closed Lost keep their names, because figures hang on them.'
      using errcode = 'PT409';
  end if;
  return new;
end
$$;
comment on function private.guard_stage is
  'A stage gets its outcome with its name. Users know won and lost by those two names, so they neither change nor are given to another stage.';

create or replace function private.keep_closed_stage() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if old.outcome <> 'open'
    and not private.is_restoring() and coalesce(current_setting('solo.undoes', true), '') = ''
    -- Of a pipeline that is being deleted nothing is left here.
    and exists (select from public.pipelines p where p.user_id = old.user_id and p.id = old.pipeline_id)
  then
    perform private.refuse_removal_of_closed_stage();
  end if;
  return old;
end
$$;

select private.make_searchable('public.deals', '{name}');

create or replace function private.tidy_deal() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  stage public.pipeline_stages;
  is_new_stage boolean;
begin
  if private.is_restoring() then
    return new;
  end if;

  if tg_op = 'INSERT' then
    if new.stage_id is null and new.pipeline_id is null then
      select p.id into new.pipeline_id from public.pipelines p
        where p.user_id = new.user_id order by p.created_at, p.id limit 1;
    end if;
  elsif new.pipeline_id is distinct from old.pipeline_id and new.stage_id is not distinct from old.stage_id then
    -- A stage of the old pipeline has no place in the new one.
    new.stage_id := null;
  end if;

  is_new_stage := tg_op = 'INSERT' or new.stage_id is distinct from old.stage_id;
  if new.stage_id is not null then
    select * into stage from public.pipeline_stages s
      where s.id = new.stage_id and s.user_id = new.user_id;
    -- Whoever names only the stage means its pipeline too.
    if tg_op = 'INSERT' then
      new.pipeline_id := coalesce(new.pipeline_id, stage.pipeline_id);
    elsif is_new_stage and new.pipeline_id is not distinct from old.pipeline_id then
      new.pipeline_id := coalesce(stage.pipeline_id, new.pipeline_id);
    end if;
    -- With a null in it the composite key would not be checked.
    if new.pipeline_id is null then
      raise exception 'The chosen stage does not exist any more.' using errcode = '23503';
    end if;
  end if;

  if is_new_stage then
    -- The same outcome in another pipeline is no new one.
    new.closed_at := case
      when coalesce(stage.outcome, 'open') = 'open' then null
      when tg_op = 'UPDATE' and exists (
        select from public.pipeline_stages s
        where s.id = old.stage_id and s.user_id = new.user_id and s.outcome = stage.outcome
      ) then old.closed_at
      else now()
    end;
  elsif tg_op = 'UPDATE' then
    new.closed_at := old.closed_at;
  end if;
  if stage.outcome is distinct from 'lost' then
    new.lost_reason := null;
  end if;
  return new;
end
$$;

select private.make_searchable('public.tasks', '{title,description}');

create or replace function private.tidy_task() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if private.is_restoring() then
    return new;
  end if;
  new.completed_at := case
    when not new.completed then null
    when tg_op = 'UPDATE' and old.completed then old.completed_at
    else now()
  end;
  return new;
end
$$;

select private.clean_texts(name::regclass) from unnest(array[
  'public.companies', 'public.contacts', 'public.pipelines', 'public.deals', 'public.tasks', 'public.notes',
  'public.collections', 'public.saved_views', 'public.email_templates'
]) as name;

select private.write_fields_of(name::regclass) from unnest(array[
  'public.companies', 'public.contacts', 'public.deals', 'public.tasks'
]) as name;

-- Access -----------------------------------------------------------------------------------------------------

create function private.add_field(target regclass, field text) returns void
language plpgsql
set search_path = ''
as $$
begin
  execute format('grant insert (%1$I), update (%1$I) on %2$s to authenticated', field, target);
  perform private.clean_texts(target), private.write_fields_of(target);
end
$$;
comment on function private.add_field is
  'Called for each column that a later file adds to contacts, companies, deals or tasks: from then on its owner may write it, lists show it, and imports and merges know it.';

-- Log --------------------------------------------------------------------------------------------------------

create or replace function private.current_batch() returns uuid
language plpgsql
set search_path = ''
as $$
declare
  known text := coalesce(current_setting('solo.batch', true), '');
begin
  if known <> '' then
    return known::uuid;
  end if;
  perform set_config('solo.batch', gen_random_uuid()::text, true);
  -- The account's own alone: whoever writes waits for nothing that others have left behind. The server writes as nobody.
  perform private.erase_expired_of(auth.uid());
  return current_setting('solo.batch')::uuid;
end
$$;
comment on function private.log_changes is
  'Statement trigger of every business table: one insert into the log, however many rows changed. A definer because clients read the log and never write it.';

create or replace function private.written_batch() returns uuid
language sql
set search_path = ''
as $$
  select c.batch from public.changes c
  where c.user_id = private.caller() and c.batch = nullif(current_setting('solo.batch', true), '')::uuid limit 1
$$;

create or replace function private.name_deed(deed text, about text default null) returns void
language sql
security definer
set search_path = ''
as $$
  insert into private.deeds (user_id, batch, deed, about)
  values (private.caller(), private.current_batch(), name_deed.deed, left(name_deed.about, 255))
  on conflict (user_id, batch) do update set deed = excluded.deed, about = excluded.about
$$;
comment on function private.name_deed is
  'Called by what writes many rows for one purpose, so that the history tells the purpose: an import, a merge, a backup. A definer because nobody else writes private.deeds.';

create or replace function public.history_page(filter jsonb default '{}', after jsonb default null, page_size integer default 30)
returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  size integer := least(greatest(page_size, 1), 100);
  earliest timestamptz;
  latest timestamptz;
  action text := filter ->> 'action';
  answer jsonb;
begin
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
    -- With a limit, so that PostgreSQL goes from step to step in their order; as a condition it might hash them all.
    cross join lateral (
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
      limit 1
    ) counts
    where s.created_at >= earliest
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
  'A page of what was done, a batch each, newest first: added, changed, deleted, undone or imported, in a period of the user''s calendar. A definer because nobody else reads private.deeds.';

create or replace function public.record_timeline(
  record text, id uuid, before timestamptz default null, before_key text default null, page_size integer default 50
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  page jsonb;
begin
  if record not in ('contact', 'company', 'deal') then
    raise exception 'A % has no timeline.', left(record, 40) using errcode = 'PT400';
  end if;
  -- Each kind is cut to the page before the two are put together, so that a long history costs little.
  -- A card that only made room for another on the board has nothing to tell.
  execute format(
    'with page as (
       select * from (
         (
           select ch.created_at as at, ''change '' || lpad(ch.id::text, 20, ''0'') as key, ch.id as change_id, null::uuid as note_id
           from public.changes ch
           where ch.%1$I = $1 and ch.table_name <> ''notes''
             and (ch.verb <> ''update'' or ch.after - ''order'' <> ''{}'')
             and ($2 is null or (ch.created_at, ''change '' || lpad(ch.id::text, 20, ''0'')) < ($2, $3))
           order by 1 desc, 2 desc limit $4
         )
         union all
         (
           select n.happened_at, ''note '' || n.id, null, n.id
           from public.notes n
           where n.%1$I = $1 and ($2 is null or (n.happened_at, ''note '' || n.id) < ($2, $3))
           order by 1 desc, 2 desc limit $4
         )
       ) e
       order by e.at desc, e.key desc limit $4
     )
     select coalesce(jsonb_agg(
       jsonb_build_object(''at'', p.at, ''key'', p.key) || case
         when n.id is not null then jsonb_build_object(''kind'', ''note'', ''note'', to_jsonb(n) - ''user_id'')
         else jsonb_build_object(''kind'', ''change'', ''table_name'', ch.table_name, ''row_id'', ch.row_id,
           ''verb'', ch.verb, ''label'', ch.label, ''before'', case when ch.verb = ''update'' then ch.before end,
           ''after'', ch.after, ''batch'', ch.batch, ''undoes'', ch.undoes,
           ''names'', case when ch.verb = ''update'' then private.names_in(private.caller(), ch.before, ch.after) end)
       end
       order by p.at desc, p.key desc), ''[]'')
     from page p
     left join public.changes ch on ch.id = p.change_id
     left join public.notes n on n.id = p.note_id', record || '_id')
  into page
  using record_timeline.id, record_timeline.before, coalesce(before_key, ''), least(greatest(page_size, 1), 200);
  return page;
end
$$;

-- Work in parts ----------------------------------------------------------------------------------------------

create or replace function private.first_state(name text, arguments jsonb) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work;
begin
  w.user_id := private.caller();
  w.batch := gen_random_uuid();
  w.name := name;
  w.arguments := arguments;
  w.state := '{}';
  w.started_at := now();
  return case name
    when 'commit_import' then private.begin_import(w)
    when 'undo_batch' then private.begin_undo(w)
    else private.begin_restore(w)
  end;
end
$$;

create or replace function private.work_part(rows integer) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work;
begin
  select * into strict w from private.unfinished_work u where u.user_id = private.caller();
  insert into private.unfinished_parts (user_id, number, after_change)
  select w.user_id,
    coalesce((select max(p.number) from private.unfinished_parts p where p.user_id = w.user_id), 0) + 1,
    coalesce((select max(c.id) from public.changes c), 0);
  w := private.next_part(w, rows);
  if w.state ? 'answer' then
    delete from private.unfinished_work u where u.user_id = w.user_id;
  else
    update private.unfinished_work u set state = w.state where u.user_id = w.user_id;
  end if;
  return w.state -> 'answer';
end
$$;

-- Undo and trash ---------------------------------------------------------------------------------------------

create function private.is_only_order(change public.changes) returns boolean
language sql immutable
set search_path = ''
as $$ select coalesce(change.verb = 'update' and change.after - 'order' = '{}', false) $$;
comment on function private.is_only_order is
  'A card that only made room for another on the board was not changed by anyone.';
comment on function public.undo_batch is
  'Takes a whole batch back, as a batch of its own. Rows that changed since: refuse answers with them and does nothing, keep leaves them and undoes the rest, all undoes them too. A definer because it writes rows back as they were, stamps included, which nobody else may.';

create or replace function public.trash_page(filter jsonb default '{}', after jsonb default null, page_size integer default 50)
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

create or replace function private.trash_deletions(filter jsonb) returns bigint[]
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
comment on function public.trash_count is 'How much the trash holds of what a filter means. A definer as trash_page.';

create or replace function public.restore_deleted(batch uuid, ids uuid[] default null) returns jsonb
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
  'Brings deleted rows of one batch back out of the trash, all or the named ones, with their parts and the links that led to them, as a batch that can be undone. What cannot come back is listed with its reason. A definer as undo_batch.';

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
  update public.changes c set before = null, after = null, label = null
  from public.changes d
  where d.id = any (gone) and c.user_id = me and c.row_id = d.row_id and c.id <= d.id;
  return jsonb_build_object('count', cardinality(roots));
end
$$;
comment on function public.remove_for_good is
  'Erases what the trash holds, all that a filter means: of the rows, their parts and their earlier versions nothing is left in the log but that there was something. A definer because nobody else writes the log.';

-- Lists ------------------------------------------------------------------------------------------------------

create function private.is_search(filter jsonb) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$ select btrim(coalesce(filter ->> 'search', '')) <> '' $$;

create function private.linked_condition(kind text, link text, words text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  -- The index of search_text finds the candidates; only their names count.
  named text := format('select c.id from public.%I c where c.user_id = %L::uuid and %s and %s like %L',
    kind, private.caller(), private.search_condition(words), private.title_of(kind), private.like_pattern(words));
  ids uuid[];
begin
  execute format('select array(%s limit 1001)', named) into ids;
  return case
    when cardinality(ids) = 0 then null
    -- A few are looked up in the index of the link. Of thousands, planning alone would take longer than a hash of them.
    when cardinality(ids) <= 1000 then format('c.%I = any (%L::uuid[])', link, ids)
    else format('c.%I in (%s)', link, named)
  end;
end
$$;
comment on function private.linked_condition is
  'The condition on "c" that it is linked to a record whose name holds what was typed; null when there is no such record.';

create function private.contact_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{true}';
  pattern text;
  number text;
  companies uuid[];
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'lead_status', 'company', 'collection',
    'has_email', 'has_phone', 'created_from', 'created_to', 'time_zone']);
  if private.is_search(filter) then
    pattern := private.like_pattern(filter ->> 'search');
    number := private.number_pattern(filter ->> 'search');
    companies := array(
      select co.id from public.companies co
      where co.user_id = private.caller() and private.fold(co.name) like pattern
        and co.search_text like pattern -- the index finds the candidates
    );
    conditions := conditions || format('(%s)', concat_ws(' or ',
      private.holds_any(array[pattern, number]),
      case when cardinality(companies) > 0 then format('c.company_id = any (%L::uuid[])', companies) end));
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  if filter ? 'except' then
    conditions := conditions || format('c.id <> all (%L::uuid[])', private.texts(filter -> 'except'));
  end if;
  if filter ? 'lead_status' then
    conditions := conditions || format('c.lead_status = any (%L::text[])', private.texts(filter -> 'lead_status'));
  end if;
  if filter ? 'company' then
    conditions := conditions || case filter ->> 'company'
      when 'none' then 'c.company_id is null'
      else format('c.company_id = %L::uuid', filter ->> 'company')
    end;
  end if;
  if filter ? 'collection' then
    conditions := conditions || format(
      'c.id in (select m.contact_id from public.collection_members m where m.collection_id = %L::uuid)',
      filter ->> 'collection');
  end if;
  if filter ? 'has_email' then
    conditions := conditions || format('(c.email is not null) = %L::boolean', filter ->> 'has_email');
  end if;
  if filter ? 'has_phone' then
    conditions := conditions || format('(c.phone_number is not null) = %L::boolean', filter ->> 'has_phone');
  end if;
  if filter ? 'created_from' then
    conditions := conditions || format('c.created_at >= %L::timestamptz', private.day_start(filter, 'created_from', 0));
  end if;
  if filter ? 'created_to' then
    conditions := conditions || format('c.created_at < %L::timestamptz', private.day_start(filter, 'created_to', 1));
  end if;
  return array_to_string(conditions, ' and ');
end
$$;
comment on function private.contact_conditions is
  'The contacts that a filter means, as a condition on "c": the one home of what search and filters find. Every value is quoted.';

create function private.company_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{true}';
begin
  perform private.check_filter(filter, array['search', 'ids', 'industry', 'location']);
  if private.is_search(filter) then
    conditions := conditions || private.search_condition(filter ->> 'search');
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  if filter ? 'industry' then
    conditions := conditions || format('c.industry = any (%L::text[])', private.texts(filter -> 'industry'));
  end if;
  if filter ? 'location' then
    conditions := conditions || format('c.location = any (%L::text[])', private.texts(filter -> 'location'));
  end if;
  return array_to_string(conditions, ' and ');
end
$$;
comment on function private.company_conditions is 'The companies that a filter means, as a condition on "c". Every value is quoted.';

create function private.conditions(kind text, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
begin
  return case kind
    when 'contacts' then private.contact_conditions(filter)
    when 'companies' then private.company_conditions(filter)
    when 'tasks' then private.task_conditions(filter)
    when 'deals' then private.deal_conditions(filter)
  end;
end
$$;
comment on function private.conditions is
  'The rows of a table that a filter means, as a condition on "c". Whose they are, the policies say, or the finder that asks.';

create function private.last_contact(contact public.contacts) returns table (at timestamptz)
language sql stable -- no search path of its own, see contact_card
as $$
  select max(n.happened_at) from public.notes n
  where n.user_id = contact.user_id and n.contact_id = contact.id and n.kind <> 'note'
$$;

create function private.next_due(contact public.contacts) returns table (at timestamptz)
language sql stable -- no search path of its own, see contact_card
as $$
  select min(t.due_date) from public.tasks t
  where t.user_id = contact.user_id and t.contact_id = contact.id and not t.completed
$$;

create function private.contact_card(contact public.contacts) returns table (card json)
language sql stable
as $$
  select row_to_json(k) from (
    select f.*,
      (
        select co.name from public.companies co where co.id = contact.company_id
      ) as company_name,
      (select l.at from private.last_contact(contact) l) as last_contacted,
      (
        select json_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
        from public.tasks t
        where t.contact_id = contact.id and not t.completed
        order by t.due_date nulls last, t.id limit 1
      ) as next_task
    from private.fields_of(contact) f
  ) k
$$;
comment on function private.contact_card is 'A contact as the list shows it: with its company, last contact and next task.';

create function private.company_card(company public.companies) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select f.*,
      (
        select count(*) from public.contacts p where p.company_id = company.id
      ) as contacts,
      n.deals, n.open_deals
    from private.fields_of(company) f
    cross join lateral (
      select count(d.id) as deals, count(d.id) filter (where coalesce(s.outcome, 'open') = 'open') as open_deals
      from public.deals d
      left join public.pipeline_stages s on s.id = d.stage_id
      where d.company_id = company.id
    ) n
  ) k
$$;
comment on function private.company_card is 'A company as the list shows it: with its contacts and deals counted.';

do $$
declare
  kind record;
begin
  for kind in
    select * from (values ('contact', 'contacts'), ('company', 'companies'), ('task', 'tasks'), ('deal', 'deals')) k (one, many)
  loop
    execute format(
      'create function private.%1$I(ids uuid[]) returns json
       language plpgsql stable
       set search_path = ''''
       set enable_seqscan = off
       as $cards$
       begin
         return (
           select coalesce(json_agg(d.card order by i.place), ''[]'')
           from unnest(ids) with ordinality i (id, place)
           cross join lateral (select c from public.%2$I c where c.id = i.id offset 0) r
           cross join lateral private.%3$I(r.c) d
         );
       end
       $cards$',
      kind.one || '_cards', kind.many, kind.one || '_card');
    execute format(
      'comment on function private.%I is %L', kind.one || '_cards',
      'The cards of these ' || kind.many || ', in this order.');
    -- What every list shows when it is opened: the newest rows, whatever they are. private.page writes its search anew for
    -- each request, and planning it takes longer than finding the rows; this one's plan is kept, by the index of this order.
    -- One for a page of any size would else read and sort everything.
    execute format(
      'create function private.%1$I(after jsonb, page_size integer) returns json
       language plpgsql stable
       set search_path = ''''
       set enable_seqscan = off
       set enable_bitmapscan = off
       set plan_cache_mode = force_generic_plan
       as $newest$
       declare
         size integer := least(greatest(page_size, 1), 1000);
         last_moment timestamptz := case when after is null then ''infinity'' else (after ->> ''key'')::timestamptz end;
         last_id uuid := case
           when after is null then ''ffffffff-ffff-ffff-ffff-ffffffffffff'' else (after ->> ''id'')::uuid end;
       begin
         perform private.caller();
         return (
           -- One row more than the page tells whether there is another.
           select json_build_object(
             ''rows'', coalesce(json_agg(k.card order by k.place) filter (where k.place <= size), ''[]''),
             ''next'', case when count(*) > size then
               (array_agg(json_build_object(''key'', k.created_at, ''id'', k.id)) filter (where k.place = size))[1] end)
           from (
             select c.created_at, c.id, d.card, row_number() over (order by c.created_at desc, c.id desc) as place
             from public.%2$I c cross join lateral private.%3$I(c) d
             where (c.created_at, c.id) < (last_moment, last_id)
             order by c.created_at desc, c.id desc limit size + 1
           ) k
         );
       end
       $newest$',
      'newest_' || kind.many, kind.many, kind.one || '_card');
    execute format(
      'comment on function private.%I is %L', 'newest_' || kind.many,
      'The same as private.page of all ' || kind.many || ', the newest first.');
  end loop;
end
$$;

create function private.ids_of(kind text, filter jsonb, most integer default null) returns uuid[]
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  ids uuid[];
begin
  execute format('select array(select c.id from public.%I c where c.user_id = %L::uuid and %s limit %L)',
    kind, private.caller(), private.conditions(kind, filter), most) into ids;
  return ids;
end
$$;
comment on function private.ids_of is
  'All of the caller''s rows that a filter means, or so many of them. A definer because no index serves a search under a policy.';

create function private.page_of_ids(
  kind text, filter jsonb, sort text, descending boolean, after jsonb, page_size integer, out ids uuid[], out next json
)
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  o record := private.page_order(kind, sort, descending);
  size integer := least(greatest(page_size, 1), 1000);
begin
  -- One row more than the page tells whether there is another.
  execute format(
    'select (array_agg(k.id))[:%6$s], case when count(*) > %6$s then
       json_build_object(''key'', (array_agg(k.key))[%6$s], ''id'', (array_agg(k.id))[%6$s]) end
     from (
       select %1$s as key, c.id from public.%3$I c %7$s where c.user_id = %8$L::uuid and %4$s %5$s
       order by %1$s %2$s, c.id %2$s limit %6$s + 1
     ) k',
    o.expression, case when descending then 'desc' else 'asc' end, kind, private.conditions(kind, filter),
    case when after is null then '' else
      format('and (%s, c.id) %s (%L::%s, %L::uuid)', o.expression, case when descending then '<' else '>' end,
        after ->> 'key', o.type, after ->> 'id')
    end,
    size, o.link, private.caller())
  into ids, next;
end
$$;
comment on function private.page_of_ids is
  'A page of the caller''s rows that a filter means, in one of the orders of private.list_orders, after a cursor; and the cursor of the next page, or null. A definer because no index serves a search or such an order under a policy.';

create function private.neighbours(kind text, filter jsonb, sort text, descending boolean, id uuid) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  o record := private.page_order(kind, sort, descending);
  answer jsonb;
begin
  -- The record itself need not match the filter: it may just have been changed so that it does not.
  execute format(
    'select jsonb_build_object(
       ''previous'', (
         select c.id from public.%1$I c %8$s where c.user_id = $1 and %2$s and (%3$s, c.id) %4$s (here.key, here.id)
         order by %3$s %5$s, c.id %5$s limit 1
       ),
       ''next'', (
         select c.id from public.%1$I c %8$s where c.user_id = $1 and %2$s and (%3$s, c.id) %6$s (here.key, here.id)
         order by %3$s %7$s, c.id %7$s limit 1
       )
     )
     from (select %3$s as key, c.id from public.%1$I c %8$s where c.user_id = $1 and c.id = $2) here',
    kind, private.conditions(kind, filter), o.expression,
    case when descending then '>' else '<' end, case when descending then 'asc' else 'desc' end,
    case when descending then '<' else '>' end, case when descending then 'desc' else 'asc' end, o.link)
  into answer
  using private.caller(), neighbours.id;
  return coalesce(answer, '{"previous": null, "next": null}');
end
$$;
comment on function private.neighbours is
  'The ids before and after one of the caller''s rows, by the same order and conditions as private.page_of_ids. A definer for the same reason.';

create function private.own_conditions(kind text, filter jsonb, out conditions text, out hits uuid[])
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.caller();
  if private.is_search(filter) then
    -- A search for deals looks into no other table. Of thousands, to read all deals takes less than to look each up.
    hits := private.ids_of(kind, filter, case when kind = 'deals' then 1001 end);
  end if;
  conditions := case
    when hits is null or kind = 'deals' and cardinality(hits) > 1000 then private.conditions(kind, filter)
    else 'c.id = any ($1)'
  end;
end
$$;
comment on function private.own_conditions is
  'The same as private.conditions, for a read under the policies: what a search finds is looked up first, and is then $1 of the condition.';

create function private.page(kind text, card text, filter jsonb, sort text, descending boolean, after jsonb, page_size integer)
returns json
language plpgsql stable
set search_path = ''
as $$
declare
  page record := private.page_of_ids(kind, filter, sort, descending, after, page_size);
  cards json;
begin
  execute format('select private.%I($1)', card || 's') into cards using page.ids;
  return json_build_object('rows', cards, 'next', page.next);
end
$$;
comment on function private.page is
  'A page of any list: the cards of the rows that a filter means, and the cursor of the next page, or null. "card" names the function that makes a card of a row.';

create function private.count_of(kind text, filter jsonb) returns bigint
language plpgsql stable
set search_path = ''
as $$
declare
  total bigint;
begin
  perform private.caller();
  if private.is_search(filter) then
    return cardinality(private.ids_of(kind, filter));
  end if;
  execute format('select count(*) from public.%I c where %s', kind, private.conditions(kind, filter)) into total;
  return total;
end
$$;
comment on function private.count_of is
  'How many rows a filter means. What a search finds is counted as it is found: to read each of them once more would take twice as long.';

create or replace function public.contact_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 50
)
returns json
language plpgsql stable
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_contacts(after, page_size);
  end if;
  return private.page('contacts', 'contact_card', filter, sort, descending, after, page_size);
end
$$;

create or replace function public.company_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns json
language plpgsql stable
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_companies(after, page_size);
  end if;
  return private.page('companies', 'company_card', filter, sort, descending, after, page_size);
end
$$;

create or replace function public.contact_count(filter jsonb default '{}') returns bigint
language sql stable
set search_path = ''
as $$ select private.count_of('contacts', filter) $$;

create or replace function public.company_count(filter jsonb default '{}') returns bigint
language sql stable
set search_path = ''
as $$ select private.count_of('companies', filter) $$;

create or replace function public.company_facets() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'industries', coalesce((
      select jsonb_agg(f.industry order by f.industry) from (
        select c.industry from public.companies c where c.industry is not null
        group by c.industry order by count(*) desc, c.industry limit 200
      ) f), '[]'),
    'locations', coalesce((
      select jsonb_agg(f.location order by f.location) from (
        select c.location from public.companies c where c.location is not null
        group by c.location order by count(*) desc, c.location limit 200
      ) f), '[]')
  )
$$;

create function private.delete_all(kind text, filter jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  row_count bigint;
begin
  execute format('delete from public.%I c where c.id = any ($1)', kind) using private.ids_of(kind, filter);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function public.update_contacts(filter jsonb, changes jsonb) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', filter);
  row_count bigint;
begin
  if changes - 'lead_status' - 'company_id' <> '{}' then
    raise exception 'Only lead status and company can be set for many contacts at once.' using errcode = 'PT400';
  end if;
  update public.contacts c set
    lead_status = case when changes ? 'lead_status' then changes ->> 'lead_status' else c.lead_status end,
    company_id = case when changes ? 'company_id' then (changes ->> 'company_id')::uuid else c.company_id end
  where c.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function public.delete_contacts(filter jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('contacts', filter) $$;

create or replace function public.log_emails(filter jsonb, subject text) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', filter || '{"has_email": true}');
  row_count bigint;
begin
  insert into public.notes (kind, body, outcome, contact_id)
  select 'email', nullif(btrim(subject), ''), 'E-mail opened', c.id from public.contacts c where c.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function public.create_collection(name text, filter jsonb) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  made uuid;
begin
  insert into public.collections (name) values (create_collection.name) returning id into made;
  return public.add_to_collection(filter, made) || jsonb_build_object('id', made);
end
$$;

create or replace function public.add_to_collection(filter jsonb, collection_id uuid) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', filter);
  row_count bigint;
begin
  insert into public.collection_members (collection_id, contact_id)
  select add_to_collection.collection_id, c.id from public.contacts c
  where c.id = any (ids) and not exists (
    select from public.collection_members m
    where m.collection_id = add_to_collection.collection_id and m.contact_id = c.id
  );
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function public.remove_from_collection(filter jsonb, collection_id uuid) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', filter);
  row_count bigint;
begin
  delete from public.collection_members m
  where m.collection_id = remove_from_collection.collection_id and m.contact_id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create function private.linked_deals(contact uuid, company uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(d) - 'created_at' order by d.created_at desc, d.id desc), '[]')
    from (
      select d.id, d.name, d.value, d.expected_close_date, s.name as stage_name,
        coalesce(s.outcome, 'open') as outcome, d.created_at
      from public.deals d
      left join public.pipeline_stages s on s.id = d.stage_id
      where d.contact_id = contact or d.company_id = company
      order by d.created_at desc, d.id desc limit 100
    ) d
  );
end
$$;
comment on function private.linked_deals is 'The newest hundred deals of a contact or of a company.';

create or replace function public.contact_record(id uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select d.card::jsonb || jsonb_build_object(
      'collections', coalesce((
        select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name) order by lower(k.name), k.id)
        from public.collection_members m
        join public.collections k on k.id = m.collection_id
        where m.contact_id = c.id
      ), '[]'),
      'deals', (select count(*) from public.deals d where d.contact_id = c.id),
      'linked_deals', private.linked_deals(c.id, null)
    )
    from public.contacts c cross join lateral private.contact_card(c) d
    where c.id = contact_record.id
  );
end
$$;

create or replace function public.company_record(id uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select d.card::jsonb || jsonb_build_object('linked_deals', private.linked_deals(null, c.id))
    from public.companies c cross join lateral private.company_card(c) d
    where c.id = company_record.id
  );
end
$$;

create or replace function public.contact_neighbours(
  id uuid, filter jsonb default '{}', sort text default 'created', descending boolean default true
)
returns jsonb
language sql stable
set search_path = ''
as $$
  select private.neighbours('contacts', filter, sort, descending, id)
$$;

create or replace function public.company_neighbours(
  id uuid, filter jsonb default '{}', sort text default 'created', descending boolean default true
)
returns jsonb
language sql stable
set search_path = ''
as $$
  select private.neighbours('companies', filter, sort, descending, id)
$$;

-- Search -----------------------------------------------------------------------------------------------------

create function private.hits(words text) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  kinds text[] := array['contacts', 'companies', 'deals', 'tasks'];
  hits jsonb;
begin
  select coalesce(jsonb_agg(to_jsonb(b) - 'at' order by b.rank, b.at desc, b.id), '[]')
  into hits
  from (
    select k.kind, m.id, m.rank, m.at
    from unnest(kinds) as k (kind) cross join lateral private.matches(k.kind, me, words, 8) m
    order by m.rank, m.at desc, m.id limit 20
  ) b;
  if jsonb_array_length(hits) < 3 and char_length(btrim(words)) >= 4 then
    hits := hits || (
      select coalesce(jsonb_agg(to_jsonb(b) - 'at' - 'likeness' order by b.likeness desc, b.at desc, b.id), '[]')
      from (
        select k.kind, m.id, m.rank, m.at, m.likeness
        from unnest(kinds) as k (kind) cross join lateral private.similar(k.kind, me, words, 5) m
        where not hits @> jsonb_build_array(jsonb_build_object('id', m.id))
        order by m.likeness desc, m.at desc, m.id limit 5
      ) b
    );
  end if;
  return hits;
end
$$;
comment on function private.hits is
  'Which of the caller''s records are found by words, best first: kind, id and rank of each. A definer because no index serves a search under a policy.';

create or replace function public.search_everything(words text default '') returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  if char_length(words) > 200 then
    raise exception 'This is too long to search for: at most 200 characters.' using errcode = 'PT400';
  end if;
  if btrim(words) = '' then
    return (
      select coalesce(jsonb_agg(r.card || '{"rank": null}' order by r.last desc), '[]')
      from (
        select card, last
        from (
          select c.table_name, c.row_id, max(c.id) as last
          from (select c.id, c.table_name, c.row_id from public.changes c order by c.id desc limit 500) c
          where c.table_name in ('contacts', 'companies', 'deals', 'tasks')
          group by c.table_name, c.row_id
          order by last desc offset 0
        ) c
        cross join lateral private.search_card(c.table_name, c.row_id) card
        where card is not null limit 8
      ) r
    );
  end if;
  return (
    select coalesce(jsonb_agg(card || jsonb_build_object('rank', h.rank) order by h.place), '[]')
    from rows from (jsonb_to_recordset(private.hits(words)) as (kind text, id uuid, rank integer)) with ordinality
      as h (kind, id, rank, place)
    cross join lateral private.search_card(h.kind, h.id) card
    where card is not null
  );
end
$$;

-- Tasks ------------------------------------------------------------------------------------------------------

create function private.next_due_date(task public.tasks, done_at timestamptz, time_zone text) returns timestamptz
language plpgsql stable
set search_path = ''
as $$
declare
  begin_at timestamp := coalesce(task.repeat_start, task.due_date, done_at) at time zone time_zone;
  after_at timestamp := greatest(coalesce(task.due_date, done_at), done_at) at time zone time_zone;
  months integer := case task.repeat when 'monthly' then 1 when 'yearly' then 12 end;
  steps integer;
  found timestamp;
begin
  if task.repeat = 'after' then
    found := (done_at at time zone time_zone)::date + task.repeat_every + begin_at::time;
  elsif task.repeat in ('daily', 'weekly') then
    select day + begin_at::time into found
    from generate_series(after_at::date, after_at::date + 7, interval '1 day') as day
    where day + begin_at::time > after_at
      and (task.repeat = 'daily' or extract(dow from day) = any (task.repeat_days))
    order by day limit 1;
  else
    steps := greatest(0, (extract(year from after_at) - extract(year from begin_at)) * 12
      + extract(month from after_at) - extract(month from begin_at))::integer / months;
    -- Always from the beginning: the 31st is the 28th in February and the 31st again in March.
    select begin_at + make_interval(months => step * months) into found
    from generate_series(steps, steps + 2) as step
    where begin_at + make_interval(months => step * months) > after_at
    order by step limit 1;
  end if;
  return found at time zone time_zone;
end
$$;
comment on function private.next_due_date is
  'When a repeating task is due next: at the same hour of the user''s clock, the first time after now and after it was due.';
comment on function private.repeat_task is
  'Completing a repeating task makes the next one in the same transaction; reopening it takes the next one away, unless someone has touched it. A definer because where a repetition comes from is not the client''s to write.';

create function private.task_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{true}';
  words text := filter ->> 'search';
  link text;
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'status', 'at', 'priority', 'contact', 'company',
    'deal', 'due_from', 'due_to', 'time_zone']);
  if private.is_search(filter) then
    conditions := conditions || format('(%s)', concat_ws(' or ',
      private.search_condition(words),
      private.linked_condition('contacts', 'contact_id', words),
      private.linked_condition('companies', 'company_id', words),
      private.linked_condition('deals', 'deal_id', words)));
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  if filter ? 'except' then
    conditions := conditions || format('c.id <> all (%L::uuid[])', private.texts(filter -> 'except'));
  end if;
  if filter ? 'status' then
    conditions := conditions || case filter ->> 'status'
      when 'pending' then 'not c.completed'
      when 'completed' then 'c.completed'
      when 'overdue' then format('not c.completed and c.due_date < %L::timestamptz', coalesce(filter ->> 'at', now()::text))
    end;
    if conditions[array_upper(conditions, 1)] is null then
      raise exception 'The filter has a status that is not known.' using errcode = 'PT400';
    end if;
  end if;
  if filter ? 'priority' then
    conditions := conditions || format('c.priority = any (%L::text[])', private.texts(filter -> 'priority'));
  end if;
  foreach link in array array['contact', 'company', 'deal'] loop
    if filter ? link then
      conditions := conditions || format('c.%I = %L::uuid', link || '_id', filter ->> link);
    end if;
  end loop;
  if filter ? 'due_from' then
    conditions := conditions || format('c.due_date >= %L::timestamptz', private.day_start(filter, 'due_from', 0));
  end if;
  if filter ? 'due_to' then
    conditions := conditions || format('c.due_date < %L::timestamptz', private.day_start(filter, 'due_to', 1));
  end if;
  return array_to_string(conditions, ' and ');
end
$$;
comment on function private.task_conditions is 'The tasks that a filter means, as a condition on "c". Every value is quoted.';

create function private.task_card(task public.tasks) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select f.*,
      (select d.name from public.deals d where d.id = task.deal_id) as deal_name,
      (select c.name from public.companies c where c.id = task.company_id) as company_name,
      (
        select json_build_object('first_name', p.first_name, 'last_name', p.last_name)
        from public.contacts p where p.id = task.contact_id
      ) as contact
    from private.fields_of(task) f
  ) k
$$;
comment on function private.task_card is 'A task as the lists show it: with the names of what it is linked to.';

create or replace function public.task_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns json
language plpgsql stable
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_tasks(after, page_size);
  end if;
  return private.page('tasks', 'task_card', filter, sort, descending, after, page_size);
end
$$;

create or replace function public.task_count(filter jsonb default '{}') returns bigint
language sql stable
set search_path = ''
as $$ select private.count_of('tasks', filter) $$;

create or replace function public.task_tab_counts(filter jsonb default '{}') returns json
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('tasks', filter - 'status');
  counts json;
begin
  execute format(
    'select json_build_object(
       ''total'', count(*),
       ''completed'', count(*) filter (where c.completed),
       ''pending'', count(*) filter (where not c.completed),
       ''overdue'', count(*) filter (where not c.completed and c.due_date < %L::timestamptz))
     from public.tasks c where %s',
    coalesce(filter ->> 'at', now()::text), own.conditions)
  into counts using own.hits;
  return counts;
end
$$;

create or replace function public.task_counts(at timestamptz default now(), time_zone text default 'UTC') returns jsonb
language sql stable
set search_path = ''
as $$
  with day as materialized (
    select private.day_begins((at at time zone time_zone)::date, time_zone) as begins,
      private.day_begins((at at time zone time_zone)::date + 1, time_zone) as ends
  )
  select jsonb_build_object(
    'total', count(t.id),
    'completed', count(*) filter (where t.completed),
    'pending', count(*) filter (where not t.completed),
    'overdue', count(*) filter (where not t.completed and t.due_date < at),
    'due_today', count(*) filter (where not t.completed and t.due_date >= day.begins and t.due_date < day.ends),
    'urgent', count(*) filter (where not t.completed and t.priority = 'urgent'),
    'next_due', min(t.due_date) filter (where not t.completed and t.due_date >= at)
  )
  from day left join public.tasks t on true
  group by ()
$$;

create or replace function public.update_tasks(filter jsonb, changes jsonb) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('tasks', filter);
  row_count bigint;
begin
  if changes - 'completed' - 'due_date' - 'due_all_day' - 'priority' <> '{}' then
    raise exception 'Only completion, due date and priority can be set for many tasks at once.' using errcode = 'PT400';
  end if;
  update public.tasks t set
    completed = case when changes ? 'completed' then (changes ->> 'completed')::boolean else t.completed end,
    due_date = case when changes ? 'due_date' then (changes ->> 'due_date')::timestamptz else t.due_date end,
    -- A due date that does not say so has its hour.
    due_all_day = case when changes ? 'due_date' then coalesce((changes ->> 'due_all_day')::boolean, false) else t.due_all_day end,
    priority = case when changes ? 'priority' then changes ->> 'priority' else t.priority end
  where t.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function public.delete_tasks(filter jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('tasks', filter) $$;

create function public.create_calendar_feed(replacing text default null) returns public.calendar_feeds
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- Two of them hold 244 random bits, drawn as PostgreSQL draws keys; pgcrypto is not everywhere.
  fresh text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  feed public.calendar_feeds;
begin
  insert into public.calendar_feeds as f (user_id, token) values (private.caller(), fresh)
  on conflict (user_id) do update set
    token = case when f.token = replacing then excluded.token else f.token end,
    updated_at = case when f.token = replacing then now() else f.updated_at end
  returning * into feed;
  return feed;
end
$$;
comment on function public.create_calendar_feed is
  'The account''s calendar address, made if there is none. A new one takes the place of the one named; naming it makes a call that is sent twice, or from an old window, harmless. A definer because nobody else writes the table.';

create or replace function public.revoke_calendar_feed() returns void
language sql
security definer
set search_path = ''
as $$ delete from public.calendar_feeds f where f.user_id = private.caller() $$;
comment on function public.revoke_calendar_feed is 'The account''s calendar address stops working, for good. A definer as create_calendar_feed.';

create function private.calendar_task(task public.tasks) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', task.id, 'title', task.title, 'description', left(task.description, 500), 'priority', task.priority,
    'due_date', task.due_date, 'created_at', task.created_at, 'updated_at', task.updated_at,
    -- The day itself: whoever reads the feed does not know the owner's time zone.
    'due_day', case when task.due_all_day then (task.due_date at time zone coalesce(
      (select f.time_zone from public.preferences f where f.user_id = task.user_id), 'UTC'))::date end,
    'contact_id', task.contact_id, 'company_id', task.company_id,
    'contact', (
      select jsonb_build_object('first_name', p.first_name, 'last_name', p.last_name)
      from public.contacts p where p.user_id = task.user_id and p.id = task.contact_id
    ),
    'company_name', (select k.name from public.companies k where k.user_id = task.user_id and k.id = task.company_id),
    'deal_name', (select d.name from public.deals d where d.user_id = task.user_id and d.id = task.deal_id)
  )
$$;

create function private.calendar_deal(deal public.deals) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', deal.id, 'name', deal.name, 'value', deal.value, 'expected_close_date', deal.expected_close_date,
    'created_at', deal.created_at, 'updated_at', deal.updated_at,
    'company_name', (select k.name from public.companies k where k.user_id = deal.user_id and k.id = deal.company_id)
  )
$$;
comment on function public.calendar_events is
  'What the calendar of a token shows: open tasks with a due date and open deals with an expected close, from 30 days ago to two years ahead, at most 1,000: more would keep the server busy for nobody''s use. Null for a token that is not, or no longer, known. A definer because the server asks for whoever holds the token: there is no session.';

-- Deals ------------------------------------------------------------------------------------------------------

create function private.add_default_stages(pipeline public.pipelines) returns void
language sql
set search_path = ''
as $$
  -- The stage of lost deals comes with the first of them.
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select pipeline.user_id, pipeline.id, u.name, u.place, u.win_probability
  from private.usual_stages() u where u.outcome <> 'lost'
$$;

create function public.create_pipeline(name text) returns public.pipelines
language plpgsql
set search_path = ''
as $$
declare
  made public.pipelines;
begin
  insert into public.pipelines (user_id, name) values (private.caller(), create_pipeline.name) returning * into made;
  perform private.add_default_stages(made);
  return made;
end
$$;
comment on function public.create_pipeline is 'A pipeline together with its five default stages.';

create or replace function public.pipeline_list() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', p.id, 'name', p.name, 'created_at', p.created_at, 'updated_at', p.updated_at,
      'deals', (select count(*) from public.deals d where d.pipeline_id = p.id),
      'stages', coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'order', s."order", 'outcome', s.outcome,
          'win_probability', s.win_probability,
          'deals', (select count(*) from public.deals d where d.stage_id = s.id)) order by s."order", s.id)
        from public.pipeline_stages s where s.pipeline_id = p.id
      ), '[]'))
    order by p.created_at, p.id), '[]')
  from public.pipelines p
$$;

create or replace function private.lock_pipelines() returns void
language sql
set search_path = ''
as $$ select from public.pipelines p where p.user_id = private.caller() order by p.id for update $$;
comment on function private.lock_pipelines is
  'Writes that make or remove stages and pipelines of one account wait here for each other, before they look at anything. Called by definers too, so it names the caller.';

create or replace function public.save_stages(pipeline uuid, stages jsonb, moves jsonb default '{}') returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  removed uuid[];
begin
  perform private.lock_pipelines();
  if not exists (select from public.pipelines p where p.id = save_stages.pipeline) then
    raise exception 'This pipeline does not exist any more.' using errcode = 'PT404';
  end if;
  -- What cannot be read must not mean that all are removed.
  if stages is null or jsonb_typeof(stages) <> 'array' or stages = '[]' then
    raise exception 'A pipeline needs at least one stage.' using errcode = 'PT400';
  end if;
  if (select count(w.id) > count(distinct w.id) from jsonb_to_recordset(stages) as w (id uuid)) then
    raise exception 'A stage is named twice.' using errcode = 'PT400';
  end if;
  if exists (
    select from jsonb_to_recordset(stages) as w (id uuid)
    join public.pipeline_stages s on s.id = w.id where s.pipeline_id <> save_stages.pipeline
  ) then
    raise exception 'A stage belongs to another pipeline.' using errcode = 'PT409';
  end if;
  if exists (
    select from jsonb_to_recordset(stages) as w (id uuid)
    join public.changes c on c.row_id = w.id and c.verb = 'delete'
    where not exists (select from public.pipeline_stages s where s.id = w.id)
  ) then
    raise exception 'A stage was removed meanwhile. Nothing was saved; look at the stages again.' using errcode = 'PT409';
  end if;
  -- Who puts a deal into one of these at the same time waits, and finds it gone.
  removed := array(
    select s.id from public.pipeline_stages s
    where s.pipeline_id = save_stages.pipeline
      and not exists (select from jsonb_to_recordset(stages) as w (id uuid) where w.id = s.id)
    order by s.id for update
  );
  if exists (select from public.pipeline_stages s where s.id = any (removed) and s.outcome <> 'open') then
    perform private.refuse_removal_of_closed_stage();
  end if;

  -- Two stages may swap their names: what counts is how they stand in the end.
  set constraints public.pipeline_stages_name_once deferred;
  insert into public.pipeline_stages (id, pipeline_id, name, "order", win_probability)
  select coalesce(w.id, gen_random_uuid()), save_stages.pipeline, w.name, w.place, w.win_probability
  from rows from (jsonb_to_recordset(stages) as (id uuid, name text, win_probability integer)) with ordinality
    as w (id, name, win_probability, place)
  where not exists (select from public.pipeline_stages s where s.id = w.id);
  update public.pipeline_stages s set name = w.name, "order" = w.place, win_probability = w.win_probability
  from rows from (jsonb_to_recordset(stages) as (id uuid, name text, win_probability integer)) with ordinality
    as w (id, name, win_probability, place)
  where s.id = w.id and s.pipeline_id = save_stages.pipeline
    and (s.name, s."order", s.win_probability) is distinct from (w.name, w.place::integer, w.win_probability::smallint);

  if exists (
    select from jsonb_each_text(moves) m
    where m.key::uuid = any (removed) and m.value is distinct from 'none' and not exists (
      select from public.pipeline_stages s
      where s.pipeline_id = save_stages.pipeline and s.id::text = m.value and s.id <> all (removed)
    )
  ) then
    raise exception 'The stage that deals shall go to does not exist any more.' using errcode = 'PT409';
  end if;
  -- "none" leaves the deals without a stage; who says nothing has not been asked.
  update public.deals d set stage_id = nullif(m.value, 'none')::uuid
  from jsonb_each_text(moves) m
  where d.stage_id = m.key::uuid and d.stage_id = any (removed);
  if exists (select from public.deals d where d.stage_id = any (removed)) then
    raise exception 'Deals came to a stage that you removed. Say where they go.' using errcode = 'PT409';
  end if;
  delete from public.pipeline_stages s where s.id = any (removed);
  set constraints public.pipeline_stages_name_once immediate;
  return jsonb_build_object('batch', private.written_batch());
end
$$;

create or replace function public.delete_pipeline(id uuid, move_to uuid default null) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  target public.pipelines;
begin
  perform private.lock_pipelines();
  if not exists (select from public.pipelines p where p.id = delete_pipeline.id) then
    raise exception 'This pipeline does not exist any more.' using errcode = 'PT404';
  end if;
  if not exists (select from public.pipelines p where p.id <> delete_pipeline.id) then
    raise exception 'The last pipeline cannot be deleted. Create another one first.' using errcode = 'PT409';
  end if;
  if exists (select from public.deals d where d.pipeline_id = delete_pipeline.id) then
    select * into target from public.pipelines p where p.id = move_to and p.id <> delete_pipeline.id;
    if target.id is null then
      raise exception 'The pipeline has deals. Say to which pipeline they go.' using errcode = 'PT409';
    end if;
    -- To the stage of the same name, or to none.
    update public.deals d set pipeline_id = target.id, stage_id = (
      select s.id from public.pipeline_stages s
      join public.pipeline_stages was on was.id = d.stage_id and was.name = s.name
      where s.pipeline_id = target.id
    )
    where d.pipeline_id = delete_pipeline.id;
  end if;
  delete from public.pipelines p where p.id = delete_pipeline.id;
  return jsonb_build_object('batch', private.written_batch());
end
$$;

create function private.deal_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{true}';
  stages text[];
  link text;
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'pipeline', 'stage', 'company', 'contact',
    'value_from', 'value_to', 'close_from', 'close_to']);
  if private.is_search(filter) then
    conditions := conditions || private.search_condition(filter ->> 'search');
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  if filter ? 'except' then
    conditions := conditions || format('c.id <> all (%L::uuid[])', private.texts(filter -> 'except'));
  end if;
  if filter ? 'stage' then
    stages := private.texts(filter -> 'stage');
    conditions := conditions || format('(c.stage_id = any (%L::uuid[])%s)', array_remove(stages, 'none'),
      case when 'none' = any (stages) then ' or c.stage_id is null' else '' end);
  end if;
  foreach link in array array['pipeline', 'company', 'contact'] loop
    if filter ? link then
      conditions := conditions || format('c.%I = %L::uuid', link || '_id', filter ->> link);
    end if;
  end loop;
  if filter ? 'value_from' then
    conditions := conditions || format('c.value >= %L::numeric', filter ->> 'value_from');
  end if;
  if filter ? 'value_to' then
    conditions := conditions || format('c.value <= %L::numeric', filter ->> 'value_to');
  end if;
  if filter ? 'close_from' then
    conditions := conditions || format('c.expected_close_date >= %L::date', filter ->> 'close_from');
  end if;
  if filter ? 'close_to' then
    conditions := conditions || format('c.expected_close_date <= %L::date', filter ->> 'close_to');
  end if;
  return array_to_string(conditions, ' and ');
end
$$;
comment on function private.deal_conditions is
  'The deals that a filter means, as a condition on "c"; the stage "none" means those without one. Every value is quoted.';

create function private.deal_card(deal public.deals) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select f.*,
      (select s.name from public.pipeline_stages s where s.id = deal.stage_id) as stage_name,
      coalesce((select s.outcome from public.pipeline_stages s where s.id = deal.stage_id), 'open') as outcome,
      (select c.name from public.companies c where c.id = deal.company_id) as company_name,
      (
        select json_build_object('first_name', p.first_name, 'last_name', p.last_name, 'email', p.email)
        from public.contacts p where p.id = deal.contact_id
      ) as contact,
      (
        select json_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
        from public.tasks t
        where t.deal_id = deal.id and not t.completed
        order by t.due_date nulls last, t.id limit 1
      ) as next_task
    from private.fields_of(deal) f
  ) k
$$;
comment on function private.deal_card is 'A deal as the list and the board show it: with its stage, company, contact and next task.';

create or replace function public.deal_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns json
language plpgsql stable
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_deals(after, page_size);
  end if;
  return private.page('deals', 'deal_card', filter, sort, descending, after, page_size);
end
$$;

create or replace function public.deal_totals(filter jsonb default '{}') returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('deals', filter);
  totals jsonb;
begin
  -- Money goes out as text: a sum may have more digits than the numbers of JavaScript.
  execute format('select jsonb_build_object(''count'', count(*), ''sum'', coalesce(sum(c.value), 0)::text) from public.deals c where %s',
    own.conditions)
  into totals using own.hits;
  return totals;
end
$$;

create or replace function public.deal_neighbours(
  id uuid, filter jsonb default '{}', sort text default 'created', descending boolean default true
)
returns jsonb
language sql stable
set search_path = ''
as $$
  select private.neighbours('deals', filter, sort, descending, id)
$$;

create or replace function public.deal_record(id uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select k.card::jsonb from public.deals d cross join lateral private.deal_card(d) k
    where d.id = deal_record.id
  );
end
$$;

create or replace function public.update_deals(filter jsonb, changes jsonb) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('deals', filter);
  row_count bigint;
begin
  if coalesce(changes - 'stage_id' - 'expected_close_date', '[]') <> '{}' then
    raise exception 'Only stage and expected close can be set for many deals at once.' using errcode = 'PT400';
  end if;
  if changes ->> 'stage_id' is not null and not exists (
    select from public.pipeline_stages s where s.id = (changes ->> 'stage_id')::uuid
  ) then
    raise exception 'The chosen stage does not exist any more.' using errcode = 'PT404';
  end if;
  update public.deals d set
    stage_id = case when changes ? 'stage_id' then (changes ->> 'stage_id')::uuid else d.stage_id end,
    expected_close_date =
      case when changes ? 'expected_close_date' then (changes ->> 'expected_close_date')::date else d.expected_close_date end
  where d.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function public.delete_deals(filter jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('deals', filter) $$;

create function private.board_column(
  conditions text, hits uuid[], pipeline uuid, stage uuid, after jsonb, page_size integer, out rows json, out next json
)
language plpgsql stable
set search_path = ''
as $$
declare
  size integer := least(greatest(page_size, 1), 1000);
  ids uuid[];
begin
  -- In the order in which move_deal places them. One row more than the page tells whether there is another.
  execute format(
    'select array_agg(k.id), case when count(*) > %5$s then json_build_object(
       ''order'', (array_agg(k."order"))[%5$s], ''created_at'', (array_agg(k.created_at))[%5$s], ''id'', (array_agg(k.id))[%5$s]) end
     from (
       select c.id, c."order", c.created_at from public.deals c
       where %1$s and c.pipeline_id = %2$L::uuid and %3$s %4$s
       order by c."order", c.created_at desc, c.id limit %5$s + 1
     ) k',
    conditions, pipeline, case when stage is null then 'c.stage_id is null' else format('c.stage_id = %L::uuid', stage) end,
    case when after is null then '' else format(
      'and c."order" >= %1$L::double precision and (c."order" > %1$L::double precision
         or c.created_at < %2$L::timestamptz or (c.created_at = %2$L::timestamptz and c.id > %3$L::uuid))',
      after ->> 'order', after ->> 'created_at', after ->> 'id')
    end,
    size)
  into ids, next using hits;
  rows := private.deal_cards(ids[:size]);
end
$$;
comment on function private.board_column is
  'Cards of one column after a cursor, and the cursor of those after them, or null. The first two are what private.own_conditions answers.';

create or replace function public.deal_column(
  pipeline uuid, stage uuid, filter jsonb default '{}', after jsonb default null, page_size integer default 30
)
returns json
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('deals', filter);
begin
  return (
    select json_build_object('rows', b.rows, 'next', b.next)
    from private.board_column(own.conditions, own.hits, pipeline, stage, after, page_size) b
  );
end
$$;

create or replace function public.deal_board(
  pipeline uuid, filter jsonb default '{}', page_size integer default 30, loaded jsonb default '{}'
)
returns json
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('deals', filter);
  board json;
begin
  if not exists (select from public.pipelines p where p.id = deal_board.pipeline) then
    return null;
  end if;
  execute format(
    'with figures as (
       select c.stage_id, count(*) as count, sum(c.value) as sum
       from public.deals c where %1$s and c.pipeline_id = $2 group by c.stage_id
     ),
     columns as (
       select s.id, s.name, s.outcome, s."order", s.win_probability, coalesce(f.count, 0) as count, coalesce(f.sum, 0) as sum
       from public.pipeline_stages s left join figures f on f.stage_id = s.id
       where s.pipeline_id = $2
       union all
       -- Nothing is known of how likely a deal without a stage is.
       select null, null, ''open'', null, 0, f.count, f.sum from figures f where f.stage_id is null
     )
     select coalesce(json_agg(
       json_build_object(''stage_id'', k.id, ''stage_name'', k.name, ''outcome'', k.outcome,
         ''win_probability'', k.win_probability, ''count'', k.count, ''sum'', k.sum::text,
         ''weighted'', round(k.sum * k.win_probability * 0.01, 2)::text,
         ''rows'', coalesce(b.rows, ''[]''), ''next'', b.next)
       order by k."order" nulls first, k.id), ''[]'')
     from columns k
     left join lateral private.board_column(
       %1$L, $1, $2, k.id, null, coalesce(($3 ->> coalesce(k.id::text, ''none''))::integer, $4)
     ) b on k.count > 0',
    own.conditions)
  into board
  using own.hits, deal_board.pipeline, loaded, page_size;
  return board;
end
$$;

create function public.move_deal(id uuid, stage_id uuid, before_id uuid default null, after_id uuid default null)
returns public.deals
language plpgsql
set search_path = ''
as $$
declare
  step constant double precision := 1024;
  moved public.deals;
  target_pipeline uuid;
  above double precision;
  below double precision;
  place double precision;
begin
  select * into moved from public.deals d where d.id = move_deal.id;
  if moved.id is null then
    raise exception 'This deal does not exist any more.' using errcode = 'PT404';
  end if;
  target_pipeline := moved.pipeline_id;
  if move_deal.stage_id is not null then
    select s.pipeline_id into target_pipeline from public.pipeline_stages s where s.id = move_deal.stage_id;
    if not found then
      raise exception 'The chosen stage does not exist any more.' using errcode = 'PT404';
    end if;
  end if;

  -- Two moves into one column wait for each other, so that they cannot choose the same place; and they
  -- wait here, before they hold any row that the other might want.
  perform pg_advisory_xact_lock(hashtextextended(
    coalesce(move_deal.stage_id, target_pipeline, moved.user_id)::text, 0));
  select * into moved from public.deals d where d.id = move_deal.id for update;
  if moved.id is null then
    raise exception 'This deal does not exist any more.' using errcode = 'PT404';
  end if;

  with others as (
    select d.id, d."order",
      lead(d."order") over in_column as next_order,
      lag(d."order") over in_column as previous_order
    from public.deals d
    where d.pipeline_id is not distinct from target_pipeline
      and d.stage_id is not distinct from move_deal.stage_id
      and d.id <> moved.id
    window in_column as (order by d."order", d.created_at desc, d.id)
  )
  -- A neighbour that has left the column meanwhile is passed over; without any the deal goes last.
  select near.above, near.below into above, below
  from (
    select o."order" as above, o.next_order as below, 1 as choice from others o where o.id = move_deal.before_id
    union all
    select o.previous_order, o."order", 2 from others o where o.id = move_deal.after_id
    union all
    select max(o."order"), null, 3 from others o
  ) near
  order by near.choice limit 1;

  place := case
    when above is null and below is null then 0
    when above is null then below - step
    when below is null then above + step
    else above + (below - above) / 2
  end;

  if (above is null or place > above) and (below is null or place < below) and abs(place) < 1e15 then
    update public.deals d
      set stage_id = move_deal.stage_id, pipeline_id = target_pipeline, "order" = place
      where d.id = moved.id
      returning * into moved;
    return moved;
  end if;

  -- A tie, or no number left between the two: the whole column is numbered anew in one statement.
  with others as (
    select d.id, row_number() over (order by d."order", d.created_at desc, d.id) as rank
    from public.deals d
    where d.pipeline_id is not distinct from target_pipeline
      and d.stage_id is not distinct from move_deal.stage_id
      and d.id <> moved.id
  ),
  gap as (
    select coalesce(
      (select o.rank from others o where o.id = move_deal.before_id),
      (select o.rank - 1 from others o where o.id = move_deal.after_id),
      (select count(*) from others)
    ) as rank
  ),
  places as (
    select o.id, (case when o.rank <= gap.rank then o.rank else o.rank + 1 end) * step as place from others o, gap
    union all
    select moved.id, (gap.rank + 1) * step from gap
  )
  update public.deals d
    set "order" = p.place,
        stage_id = case when d.id = moved.id then move_deal.stage_id else d.stage_id end,
        pipeline_id = case when d.id = moved.id then target_pipeline else d.pipeline_id end
    from places p
    where d.id = p.id;
  select * into moved from public.deals d where d.id = move_deal.id;
  return moved;
end
$$;
comment on function public.move_deal is
  'Places a deal in a column of the board, under before_id and over after_id. Writes one row, unless the column must be numbered anew.';

create or replace function public.close_deals(filter jsonb, outcome text, reason text default null) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  usual record;
  ids uuid[];
  oldest uuid;
  row_count bigint;
begin
  select u.name, u.win_probability into usual
  from private.usual_stages() u where u.outcome = close_deals.outcome and u.outcome <> 'open';
  if not found then
    raise exception 'A deal is marked as won or as lost.' using errcode = 'PT400';
  end if;
  perform private.lock_pipelines();
  ids := private.ids_of('deals', filter);
  -- A deal whose pipeline was deleted goes to the oldest one.
  select p.id into oldest from public.pipelines p order by p.created_at, p.id limit 1;
  if oldest is null and cardinality(ids) > 0 then
    raise exception 'There is no pipeline. Create one first.' using errcode = 'PT409';
  end if;

  insert into public.pipeline_stages (pipeline_id, name, "order", win_probability)
  select p.id, usual.name,
    (select coalesce(max(s."order"), 0) + 1 from public.pipeline_stages s where s.pipeline_id = p.id),
    usual.win_probability
  from public.pipelines p
  where p.id in (select coalesce(d.pipeline_id, oldest) from public.deals d where d.id = any (ids))
    and not exists (
      select from public.pipeline_stages s
      where s.pipeline_id = p.id and s.outcome = close_deals.outcome
    );

  -- Who gives no reason does not take away the one that a lost deal has.
  update public.deals d set stage_id = s.id, lost_reason = coalesce(private.blank_to_null(close_deals.reason), d.lost_reason)
  from public.pipeline_stages s
  where d.id = any (ids) and s.pipeline_id = coalesce(d.pipeline_id, oldest) and s.outcome = close_deals.outcome;
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

-- Duplicates -------------------------------------------------------------------------------------------------

create function private.alike_names() returns table (name_key text, id uuid)
language sql stable
set search_path = ''
set enable_seqscan = off -- the planner does not know that the index saves it the spelling
set enable_bitmapscan = off
as $$
  select g.name_key, m.id
  from (
    select private.name_key(c.first_name, c.last_name) as name_key, array_agg(c.id) as ids from public.contacts c
    where private.name_key(c.first_name, c.last_name) is not null
    group by 1 having count(*) > 1
  ) g
  cross join lateral unnest(g.ids) as m (id)
$$;
comment on function private.alike_names is 'Contacts whose names are spelled alike.';

create function private.contact_duplicates()
returns table (id text, reasons text[], strength integer, newest timestamptz, members uuid[])
language sql stable
set search_path = ''
set work_mem = '64MB' -- the keys of 100,000 contacts
as $$
  with keys as materialized (
    select c.id, lower(c.email) as email_key, p.phone_key
    from public.contacts c
    -- The digits are the last word of search_text.
    cross join lateral private.phone_key(c.phone_number, case when c.phone_number is not null then split_part(c.search_text, ' ', -1) end) p
  ),
  names as materialized (
    select * from private.alike_names()
  ),
  suspects as materialized (
    select c.id, c.company_id, c.created_at, c.first_name, c.last_name, k.email_key, k.phone_key, n.name_key
    from keys k join public.contacts c on c.id = k.id left join names n on n.id = k.id
    where n.id is not null
      or k.email_key in (select e.email_key from keys e group by 1 having count(*) > 1)
      or k.phone_key in (select p.phone_key from keys p group by 1 having count(*) > 1)
  ),
  companies as (
    select s.name_key, count(distinct s.company_id) as companies from suspects s where s.name_key is not null group by 1
  ),
  -- Numbers under which there are several names, and the family names of those who have them.
  shared as materialized (
    select s.id, s.phone_key,
      -- Of a single word one cannot tell what it is.
      substring(private.spelling(s.first_name || ' ' || s.last_name, '.,-_/') from ' ([^ ]+)$') as family
    from suspects s
    where s.phone_key in (
      select o.phone_key from suspects o group by 1
      having min(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, '')) <> max(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, ''))
    )
  ),
  families as (
    select s.phone_key from shared s group by 1 having count(distinct s.family) > 1
  ),
  keyed as materialized (
    select s.id, s.created_at, s.email_key,
      -- People of different families share a switchboard, not a phone.
      s.phone_key || ' ' || case when f.phone_key is null then '' else coalesce(h.family, '') end as phone_key,
      case
        -- A single word tells a person only among those of one company.
        when s.name_key not like '% %' then s.name_key || ' ' || s.company_id
        -- Of one name, people of different companies are different people.
        when c.companies > 1 then s.name_key || ' ' || coalesce(s.company_id::text, '')
        else s.name_key
      end as name_key
    from suspects s
    left join shared h on h.id = s.id
    left join families f on f.phone_key = s.phone_key
    left join companies c on c.name_key = s.name_key
  ),
  groups as (
    select g.reason, array_agg(k.id order by k.created_at, k.id) as members, max(k.created_at) as newest,
      count(k.email_key) = count(*) and min(k.email_key) = max(k.email_key) as is_email,
      count(k.phone_key) = count(*) and min(k.phone_key) = max(k.phone_key) as is_phone,
      count(k.name_key) = count(*) and min(k.name_key) = max(k.name_key) as is_name
    from keyed k
    cross join lateral (values ('email', k.email_key), ('phone', k.phone_key), ('name', k.name_key)) as g (reason, key)
    where g.key is not null
    group by g.reason, g.key having count(*) > 1
  )
  select g.reason || ' ' || g.members[1],
    array_remove(array[case when is_email then 'email' end, case when is_phone then 'phone' end, case when is_name then 'name' end], null),
    is_email::integer * 4 + is_phone::integer * 2 + is_name::integer,
    g.newest, g.members
  from groups g
  -- The same people under a stronger reason are there already.
  where not (g.reason = 'phone' and is_email) and not (g.reason = 'name' and (is_email or is_phone))
    and (
      not exists (select from public.not_duplicates n where n.one_contact_id is not null)
      or cardinality(g.members) * (cardinality(g.members) - 1) / 2 > (
        select count(*) from public.not_duplicates n
        where n.one_contact_id = any (g.members) and n.other_contact_id = any (g.members)
      )
    )
$$;
comment on function private.contact_duplicates is
  'Groups of contacts that share an e-mail address, a phone number (and, where several families do, the family name) or a name (and, where people of several companies do, the company). Every reason is an equal key, so it takes one pass over the contacts. Who was told apart in every pair does not come again.';

create function private.company_duplicates()
returns table (id text, reasons text[], strength integer, newest timestamptz, members uuid[])
language sql stable
set search_path = ''
set work_mem = '64MB' -- as contact_duplicates
as $$
  with keys as materialized (
    select c.id, c.created_at, nullif(private.company_key(c.name), '') as name_key, private.website_host(c.website) as host
    from public.companies c
  ),
  suspects as materialized (
    select k.* from keys k
    where k.host in (select h.host from keys h group by 1 having count(*) > 1)
      or k.name_key in (select n.name_key from keys n group by 1 having count(*) > 1)
  ),
  groups as (
    select g.reason, array_agg(k.id order by k.created_at, k.id) as members, max(k.created_at) as newest,
      count(k.host) = count(*) and min(k.host) = max(k.host) as is_website,
      count(k.name_key) = count(*) and min(k.name_key) = max(k.name_key) as is_name
    from suspects k
    cross join lateral (values ('website', k.host), ('name', k.name_key)) as g (reason, key)
    where g.key is not null
    group by g.reason, g.key having count(*) > 1
  )
  select g.reason || ' ' || g.members[1],
    array_remove(array[case when is_website then 'website' end, case when is_name then 'name' end], null),
    is_website::integer * 2 + is_name::integer,
    g.newest, g.members
  from groups g
  where not (g.reason = 'name' and is_website)
    and (
      not exists (select from public.not_duplicates n where n.one_company_id is not null)
      or cardinality(g.members) * (cardinality(g.members) - 1) / 2 > (
        select count(*) from public.not_duplicates n
        where n.one_company_id = any (g.members) and n.other_company_id = any (g.members)
      )
    )
$$;
comment on function private.company_duplicates is
  'Groups of companies that share the host of their website or their name, legal forms aside; as contact_duplicates.';

create function private.check_duplicates(kind text) returns void
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.caller();
  if kind is null or kind not in ('contacts', 'companies') then
    raise exception 'Only contacts and companies have duplicates.' using errcode = 'PT400';
  end if;
end
$$;

create function private.duplicates(kind text)
returns table (id text, reasons text[], strength integer, newest timestamptz, members uuid[])
language sql stable
set search_path = ''
as $$
  select * from private.contact_duplicates() where kind = 'contacts'
  union all
  select * from private.company_duplicates() where kind = 'companies'
$$;

create function private.merge_cards(kind text, ids uuid[]) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(r.card order by r.place), '[]') from (
    select w.place, (to_jsonb(c) - 'search_text' - 'user_id') || jsonb_build_object(
      'company_name', (select co.name from public.companies co where co.id = c.company_id),
      'linked', jsonb_build_object(
        'deals', (select count(*) from public.deals d where d.contact_id = c.id),
        'tasks', (select count(*) from public.tasks t where t.contact_id = c.id),
        'notes', (select count(*) from public.notes n where n.contact_id = c.id),
        'collections', (select count(*) from public.collection_members m where m.contact_id = c.id)
      )) as card
    from unnest(ids) with ordinality as w (id, place)
    join public.contacts c on c.id = w.id
    where kind = 'contacts'
    union all
    select w.place, (to_jsonb(c) - 'search_text' - 'user_id') || jsonb_build_object(
      'linked', jsonb_build_object(
        'contacts', (select count(*) from public.contacts p where p.company_id = c.id),
        'deals', (select count(*) from public.deals d where d.company_id = c.id),
        'tasks', (select count(*) from public.tasks t where t.company_id = c.id),
        'notes', (select count(*) from public.notes n where n.company_id = c.id)
      ))
    from unnest(ids) with ordinality as w (id, place)
    join public.companies c on c.id = w.id
    where kind = 'companies'
  ) r
$$;
comment on function private.merge_cards is 'Records as one must see them to tell them apart: with what is linked to each counted.';

create or replace function public.duplicate_page(kind text, after jsonb default null, page_size integer default 30) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  size integer := least(greatest(page_size, 1), 100);
  answer jsonb;
begin
  perform private.check_duplicates(kind);
  with page as (
    select g.*, row_number() over (order by g.strength desc, g.newest desc, g.id) as place
    from private.duplicates(kind) g
    where after is null
      or (-g.strength, -extract(epoch from g.newest), g.id)
        > (-(after ->> 'strength')::integer, -extract(epoch from (after ->> 'newest')::timestamptz), after ->> 'id')
    order by place limit size + 1
  )
  select jsonb_build_object(
    'rows', coalesce(jsonb_agg(jsonb_build_object(
      'id', p.id, 'reasons', to_jsonb(p.reasons), 'size', cardinality(p.members),
      'records', private.merge_cards(kind, p.members[1:20])
    ) order by p.place) filter (where p.place <= size), '[]'),
    'next', case when count(*) > size then
      (array_agg(jsonb_build_object('strength', p.strength, 'newest', p.newest, 'id', p.id) order by p.place desc))[2] end
  )
  into answer from page p;
  return answer;
end
$$;

create or replace function public.duplicate_counts() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'contacts', (select count(*) from private.contact_duplicates()),
    'companies', (select count(*) from private.company_duplicates())
  )
$$;

create or replace function public.merge_candidates(kind text, ids uuid[]) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.check_duplicates(kind);
  return private.merge_cards(kind, ids[1:20]);
end
$$;

create or replace function public.mark_not_duplicates(kind text, ids uuid[]) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  chosen uuid[] := array(select distinct i from unnest(ids) as i);
  there integer;
  row_count bigint;
begin
  perform private.check_duplicates(kind);
  if cardinality(chosen) not between 2 and 20 then
    raise exception 'Two to 20 records can be told apart at once.' using errcode = 'PT400';
  end if;
  -- Locked, so that the same said in two windows is stored once.
  execute format('select count(*) from (select from public.%I c where c.id = any ($1) order by c.id for update) r', kind)
    into there using chosen;
  if there < cardinality(chosen) then
    raise exception 'One of these records does not exist any more.' using errcode = 'PT404';
  end if;
  insert into public.not_duplicates (one_contact_id, other_contact_id, one_company_id, other_company_id)
  select case when kind = 'contacts' then a end, case when kind = 'contacts' then b end,
    case when kind = 'companies' then a end, case when kind = 'companies' then b end
  from unnest(chosen) as a cross join unnest(chosen) as b
  where a < b and not exists (
    select from public.not_duplicates n
    where n.one_contact_id = a and n.other_contact_id = b or n.one_company_id = a and n.other_company_id = b
  );
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function public.told_apart(kind text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.check_duplicates(kind);
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'records', private.merge_cards(kind, array[p.one, p.other]))
      order by p.created_at desc, p.id), '[]')
    from (
      select n.id, n.created_at,
        coalesce(n.one_contact_id, n.one_company_id) as one, coalesce(n.other_contact_id, n.other_company_id) as other
      from public.not_duplicates n
      where case when kind = 'contacts' then n.one_contact_id is not null else n.one_company_id is not null end
      order by n.created_at desc, n.id limit 200
    ) p
  );
end
$$;

create or replace function private.lock_to_merge(kind text, keep uuid, seen jsonb) returns uuid[]
language plpgsql
set search_path = ''
as $$
declare
  ids uuid[];
  found record;
begin
  perform private.check_duplicates(kind);
  if seen is null or jsonb_typeof(seen) <> 'object' or keep is null or not seen ? keep::text then
    raise exception 'The records to merge cannot be read.' using errcode = 'PT400';
  end if;
  ids := array(select key::uuid from jsonb_object_keys(seen) as key);
  if cardinality(ids) not between 2 and 20 then
    raise exception 'Two to 20 records can be merged at once.' using errcode = 'PT400';
  end if;
  -- In the order of their ids, so that two merges wait for each other and neither for both.
  execute format(
    'select count(*) as there, count(*) filter (where r.updated_at = ($2 ->> r.id::text)::timestamptz) as same
     from (select c.id, c.updated_at from public.%I c where c.id = any ($1) order by c.id for update) r', kind)
    into found using ids, seen;
  if found.there < cardinality(ids) then
    raise exception 'One of these records was deleted or merged meanwhile. Nothing was merged.' using errcode = 'PT409';
  end if;
  if found.same < cardinality(ids) then
    raise exception 'One of these records was changed meanwhile. Nothing was merged: look at it again.' using errcode = 'PT409';
  end if;
  return array_remove(ids, keep);
end
$$;

create function private.set_merged(kind text, keep uuid, changes jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  columns text;
  known text[] := array(select c.name from private.columns_of(format('public.%I', kind)::regclass) c where c.is_writable);
begin
  if changes is null or jsonb_typeof(changes) <> 'object' or changes - known <> '{}' then
    raise exception 'Only the fields of the record can be set.' using errcode = 'PT400';
  end if;
  select string_agg(quote_ident(key), ', ') into columns from jsonb_object_keys(changes) as key;
  if columns is null then
    return;
  end if;
  execute format(
    'update public.%1$I c set (%2$s) = (select %2$s from jsonb_populate_record(c, $2)) where c.id = $1',
    kind, columns) using keep, changes;
end
$$;

create or replace function public.merge_contacts(keep uuid, seen jsonb, changes jsonb default '{}') returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  gone uuid[] := private.lock_to_merge('contacts', keep, seen);
begin
  if char_length(changes ->> 'notes') > 50000 then
    raise exception 'The notes would be too long. Keep less of them.' using errcode = 'PT400';
  end if;
  perform private.set_merged('contacts', keep, changes);
  update public.tasks t set contact_id = keep where t.contact_id = any (gone);
  update public.deals d set contact_id = keep where d.contact_id = any (gone);
  update public.notes n set contact_id = keep where n.contact_id = any (gone);
  -- Into each collection once; what is left goes with its contact.
  update public.collection_members m set contact_id = keep
  where m.id in (
    select distinct on (o.collection_id) o.id from public.collection_members o
    where o.contact_id = any (gone)
      and not exists (select from public.collection_members k where k.collection_id = o.collection_id and k.contact_id = keep)
    order by o.collection_id, o.created_at, o.id
  );
  -- Who is not the same as one of them is not the same as the one that stays.
  insert into public.not_duplicates (one_contact_id, other_contact_id)
  select distinct least(keep, p.other), greatest(keep, p.other)
  from (
    select case when n.one_contact_id = any (gone) then n.other_contact_id else n.one_contact_id end as other
    from public.not_duplicates n
    where n.one_contact_id = any (gone) or n.other_contact_id = any (gone)
  ) p
  where p.other <> keep and p.other <> all (gone) and not exists (
    select from public.not_duplicates k
    where k.one_contact_id = least(keep, p.other) and k.other_contact_id = greatest(keep, p.other)
  );
  delete from public.contacts c where c.id = any (gone);
  perform private.name_deed('merge', (
    select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), 'Unnamed') from public.contacts c
    where c.id = keep
  ));
  return private.bulk_answer(cardinality(gone) + 1);
end
$$;

create or replace function public.merge_companies(keep uuid, seen jsonb, changes jsonb default '{}', note text default null) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  gone uuid[] := private.lock_to_merge('companies', keep, seen);
begin
  perform private.set_merged('companies', keep, changes);
  update public.contacts p set company_id = keep where p.company_id = any (gone);
  update public.deals d set company_id = keep where d.company_id = any (gone);
  update public.tasks t set company_id = keep where t.company_id = any (gone);
  update public.notes n set company_id = keep where n.company_id = any (gone);
  if btrim(note) <> '' then
    insert into public.notes (body, company_id) values (note, keep);
  end if;
  insert into public.not_duplicates (one_company_id, other_company_id)
  select distinct least(keep, p.other), greatest(keep, p.other)
  from (
    select case when n.one_company_id = any (gone) then n.other_company_id else n.one_company_id end as other
    from public.not_duplicates n
    where n.one_company_id = any (gone) or n.other_company_id = any (gone)
  ) p
  where p.other <> keep and p.other <> all (gone) and not exists (
    select from public.not_duplicates k
    where k.one_company_id = least(keep, p.other) and k.other_company_id = greatest(keep, p.other)
  );
  delete from public.companies c where c.id = any (gone);
  perform private.name_deed('merge', (select c.name from public.companies c where c.id = keep));
  return private.bulk_answer(cardinality(gone) + 1);
end
$$;

create function private.known_records(line jsonb, out companies uuid[], out contacts uuid[], out deals uuid[])
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  company uuid;
  contact uuid;
  is_alone boolean;
begin
  if jsonb_typeof(line) is distinct from 'object' or line - '{company,contact,deal,task}'::text[] <> '{}'
     or exists (select from jsonb_each(line) e where jsonb_typeof(e.value) not in ('object', 'null')) then
    raise exception 'The line cannot be read.' using errcode = 'PT400';
  end if;
  -- 'Call Anna' means one who is there. Whoever creates 'Anna' and nothing else has another in mind than Anna Schmidt.
  is_alone := (select count(*) = 1 from jsonb_each(line) e where jsonb_typeof(e.value) = 'object');
  companies := case when line #>> '{company,name}' is not null
    then private.known_companies(me, line #>> '{company,name}', is_alone) end;
  company := case when line -> 'company' ? 'id' then (line #>> '{company,id}')::uuid else companies[1] end;
  contacts := case when jsonb_typeof(line -> 'contact') = 'object'
    then private.known_contacts(me, line -> 'contact', companies is not null, company,
      is_alone and coalesce(line #>> '{contact,email}', line #>> '{contact,phone_number}') is null) end;
  contact := case when line -> 'contact' ? 'id' then (line #>> '{contact,id}')::uuid else contacts[1] end;
  deals := case when line #>> '{deal,name}' is not null
    then private.known_deals(me, line #>> '{deal,name}', companies is not null, company, contacts is not null, contact) end;
end
$$;
comment on function private.known_records is
  'What a line may mean among the records that are there. A part with an "id" is already decided: that record, or null for a new one. A definer because an index cannot serve a search under a policy: it tells ids of the caller''s records, and nothing of them.';

create or replace function public.quick_add_preview(line jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  known record := private.known_records(line);
begin
  return (
    select jsonb_object_agg(k.part, (
      select coalesce(jsonb_agg(card order by i.place), '[]')
      from unnest(k.ids) with ordinality as i (id, place)
      cross join lateral private.search_card(k.kind, i.id) card
      where card is not null
    ))
    from (
      values ('company', 'companies', known.companies), ('contact', 'contacts', known.contacts), ('deal', 'deals', known.deals)
    ) as k (part, kind, ids)
  );
end
$$;

create or replace function private.chosen(part jsonb, kind text, known uuid[]) returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  id uuid := case when part ? 'id' then (part ->> 'id')::uuid else known[1] end;
  is_there boolean;
begin
  execute format('select exists (select from public.%I c where c.id = $1)', kind) into is_there using id;
  if id is not null and not is_there then
    raise exception 'One of the records was deleted in another window. Nothing was saved; type a letter more to look again.'
      using errcode = 'PT409';
  end if;
  return id;
end
$$;

create function private.fill_contact(contact uuid, said jsonb, company uuid) returns void
language sql
set search_path = ''
as $$
  update public.contacts c
  set first_name = f.first_name, last_name = f.last_name, email = f.email, phone_number = f.phone_number, company_id = f.company_id
  from (
    select
      case when c.first_name is null and c.last_name is null then said ->> 'first_name' else c.first_name end as first_name,
      case when c.first_name is null and c.last_name is null then said ->> 'last_name' else c.last_name end as last_name,
      coalesce(c.email, said ->> 'email') as email,
      coalesce(c.phone_number, said ->> 'phone_number') as phone_number,
      coalesce(c.company_id, company) as company_id
    from public.contacts c where c.id = contact
  ) f
  where c.id = contact
    and (c.first_name, c.last_name, c.email, c.phone_number, c.company_id)
      is distinct from (f.first_name, f.last_name, f.email, f.phone_number, f.company_id)
$$;
comment on function private.fill_contact is 'Writes what was said of a known contact where nothing was known yet; changes nothing that was.';

create function private.first_stage() returns uuid
language sql stable
set search_path = ''
as $$
  select s.id from public.pipeline_stages s
  where s.pipeline_id = (
    select p.id from public.pipelines p order by p.created_at, p.id limit 1
  ) and s.outcome = 'open'
  order by s."order", s.id limit 1
$$;
comment on function private.first_stage is 'Where a deal begins of which no stage was said: the first of the oldest pipeline.';

create or replace function public.quick_add(line jsonb, batch uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  known record;
  said jsonb;
  company uuid;
  contact uuid;
  deal uuid;
begin
  if batch is null then
    raise exception 'The line cannot be read.' using errcode = 'PT400';
  end if;
  -- The same line in two windows is one line and then another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('quick_add ' || me::text, 0));
  if not exists (select from public.changes c where c.batch = quick_add.batch) then
    perform pg_catalog.set_config('solo.batch', batch::text, true);
    known := private.known_records(line);

    said := line -> 'company';
    if said ->> 'name' is not null then
      company := private.chosen(said, 'companies', known.companies);
      if company is null then
        insert into public.companies (name) values (said ->> 'name') returning id into company;
      end if;
    end if;

    said := line -> 'contact';
    if jsonb_typeof(said) = 'object' then
      contact := private.chosen(said, 'contacts', known.contacts);
      if contact is null then
        insert into public.contacts (first_name, last_name, email, phone_number, company_id)
        values (said ->> 'first_name', said ->> 'last_name', said ->> 'email', said ->> 'phone_number', company)
        returning id into contact;
      else
        perform private.fill_contact(contact, said, company);
      end if;
    end if;

    said := line -> 'deal';
    if said ->> 'name' is not null then
      deal := private.chosen(said, 'deals', known.deals);
      if deal is null then
        insert into public.deals (name, value, stage_id, company_id, contact_id)
        values (said ->> 'name', coalesce((said ->> 'value')::numeric, 0), private.first_stage(),
          coalesce(company, (select c.company_id from public.contacts c where c.id = contact)), contact)
        returning id into deal;
      else
        update public.deals d set value = (said ->> 'value')::numeric
        where d.id = deal and d.value <> (said ->> 'value')::numeric;
      end if;
    end if;

    said := line -> 'task';
    if said ->> 'title' is not null then
      insert into public.tasks (title, due_date, due_all_day, priority, deal_id, contact_id, company_id)
      values (said ->> 'title', (said ->> 'due_date')::timestamptz, coalesce((said ->> 'due_all_day')::boolean, false),
        coalesce(said ->> 'priority', 'medium'), deal, contact, company);
    end if;

    if private.written_batch() is null then
      raise exception 'All of this is there already. Nothing was saved.' using errcode = 'PT409';
    end if;
  end if;
  return jsonb_build_object('batch', batch, 'records', (
    select jsonb_agg(jsonb_build_object('kind', c.table_name, 'id', c.row_id, 'title', c.label, 'is_new', c.verb = 'insert') order by c.id)
    from public.changes c where c.batch = quick_add.batch
  ));
end
$$;

-- Imports ----------------------------------------------------------------------------------------------------

create function private.import_columns(of_kind text)
returns table (name text, definition text, added text, changed text, is_plain boolean)
language sql stable
set search_path = ''
as $$
  select c.name, case when c.type <> 'uuid' then format('%I %s', c.name, c.type) end,
    coalesce(s.added, format(case when c.usual is null then 'v.%I' else 'coalesce(v.%I, %s)' end, c.name, c.usual)),
    coalesce(s.changed, format('coalesce(v.%1$I, o.%1$I)', c.name)),
    s.name is null
  from private.columns_of(format('public.%I', of_kind)::regclass) c
  left join (values
    ('contacts', 'company_id', 'w.company_id', 'coalesce(w.company_id, o.company_id)'),
    -- Nothing is replaced: see added_notes.
    ('contacts', 'notes', null,
      'case when v.notes is null then o.notes else private.added_notes(o, coalesce(v.note_parts, jsonb_build_array(v.notes))) end'),
    -- By these the record was found.
    ('companies', 'name', null, 'o.name'),
    ('deals', 'name', null, 'o.name'),
    ('deals', 'company_id', 'w.company_id', 'o.company_id'),
    ('deals', 'contact_id', 'w.contact_id', 'coalesce(o.contact_id, w.contact_id)'),
    ('deals', 'pipeline_id', 'coalesce(p.pipeline_id, usual.pipeline_id)', 'coalesce(p.pipeline_id, o.pipeline_id)'),
    ('deals', 'stage_id', 'p.stage_id', 's.id'),
    ('deals', 'lost_reason', 'case when s.outcome = ''lost'' then v.lost_reason end',
      'case when s.outcome = ''lost'' then coalesce(v.lost_reason, o.lost_reason) end')
  ) as s (kind, name, added, changed) on s.kind = of_kind and s.name = c.name
  -- A row says a link by the name of the record.
  where c.is_writable and (c.type <> 'uuid' or s.name is not null)
$$;
comment on function private.import_columns is
  'The columns that a row of an import fills: how it says them ("v"), and what a new record gets and one that is there ("o") becomes. All that its owner may write; a field that a later file adds needs no word here.';

create function private.rest_of_contact(row_name text) returns text
language sql stable
set search_path = ''
as $$
  select format('concat_ws('' '', %s)', string_agg(format('%I.%I', row_name, c.name), ', '))
  from private.columns_of('public.contacts') c
  where c.is_writable and c.type = 'text' and c.usual is null
    and c.name not in ('first_name', 'last_name', 'email', 'phone_number')
$$;
comment on function private.rest_of_contact is
  'What tells contacts apart that have neither a name nor a number: their other texts, as an expression.';

create or replace function private.own_import(id uuid, for_writing boolean default false) returns private.imports
language plpgsql
set search_path = ''
as $$
declare
  found private.imports;
begin
  if for_writing then
    -- Whoever sends, checks or commits the same import waits here for the other.
    select * into found from private.imports i where i.user_id = private.caller() and i.id = own_import.id for update;
  else
    select * into found from private.imports i where i.user_id = private.caller() and i.id = own_import.id;
  end if;
  if found.id is null then
    raise exception 'This import does not exist any more.' using errcode = 'PT404';
  end if;
  return found;
end
$$;
comment on function public.import_state is
  'How far an import has come, for whoever lost an answer: rows that arrived and, when it is done, its summary. A definer because the tables of imports are closed.';

create or replace function public.start_import(id uuid, kind text, file_name text, total integer) returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  if total is null or total not between 1 and 200000 then
    raise exception 'An import can have at most 200,000 rows.' using errcode = 'PT400';
  end if;
  -- What was begun and left is not kept for ever, nor are the problems of what is long done.
  delete from private.imports i
  where i.user_id = private.caller() and i.summary is null and i.created_at < now() - interval '1 day';
  delete from private.import_rows r using private.imports i
  where r.user_id = private.caller() and i.id = r.import_id and i.done_at < now() - interval '1 day';

  insert into private.imports (id, user_id, kind, file_name, total)
  values (
    start_import.id, private.caller(), start_import.kind,
    coalesce(left(private.blank_to_null(start_import.file_name), 255), 'Pasted text'), start_import.total
  )
  on conflict do nothing;
  return public.import_state(start_import.id);
end
$$;
comment on function public.start_import is 'Begins an import under an id that the browser gives; told twice, it begins once. A definer because the tables of imports are closed.';

create or replace function public.add_import_rows(id uuid, rows jsonb) returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  i private.imports := private.own_import(add_import_rows.id, true);
  received integer;
begin
  if i.summary is not null then
    return i.total;
  end if;
  if jsonb_typeof(rows) is distinct from 'array' or jsonb_array_length(rows) > 5000 then
    raise exception 'Rows are sent as lists of at most 5,000.' using errcode = 'PT400';
  end if;
  execute format(
    'insert into private.import_rows (import_id, user_id, place, said, problem, email_key, name_key)
     select $1.id, $1.user_id, r.place, coalesce(r.said, ''{}''), r.problem,
       case when $1.kind = ''contacts'' then lower(v.email) end,
       case $1.kind
         when ''contacts'' then k.key
         when ''companies'' then private.fold(v.name)
         else private.fold(v.name || E''\n'' || coalesce(v.company, ''''))
       end
     from jsonb_to_recordset($2) as r (place integer, said jsonb, problem text)
     cross join lateral jsonb_to_record(coalesce(r.said, ''{}'')) as v (name text, company text, %s)
     cross join lateral private.contact_key(v.first_name, v.last_name, v.phone_number, v.company, %s) k
     on conflict do nothing',
    (select string_agg(c.definition, ', ') from private.import_columns('contacts') c where c.definition like '% text'),
    private.rest_of_contact('v'))
  using i, rows;
  select count(*) into received from private.import_rows r where r.import_id = i.id;
  if received > i.total then
    raise exception 'More rows were sent than the file has.' using errcode = 'PT400';
  end if;
  return received;
end
$$;
comment on function public.add_import_rows is
  'Takes rows in, each by its place; those that arrived before change nothing. Answers how many have arrived by now. A definer because the tables of imports are closed.';

create or replace function public.cancel_import(id uuid) returns void
language sql
security definer
set search_path = ''
as $$ delete from private.imports i where i.user_id = private.caller() and i.id = cancel_import.id and i.summary is null $$;
comment on function public.cancel_import is 'Forgets an import that has not been written. A definer because the tables of imports are closed.';

create or replace function public.import_list() returns jsonb
language sql stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'kind', i.kind, 'file_name', i.file_name, 'done_at', i.done_at, 'summary', i.summary, 'batch', i.batch,
    'is_undone', exists (
      select from public.changes c
      where c.user_id = i.user_id and c.undoes = i.batch
        and not exists (select from public.changes back where back.user_id = i.user_id and back.undoes = c.batch)
    )
  ) order by i.done_at desc), '[]')
  from (
    select * from private.imports n
    where n.user_id = private.caller() and n.done_at is not null
    order by n.done_at desc limit 100
  ) i
$$;
comment on function public.import_list is 'The last hundred imports that are done, the newest first, and whether each was undone. A definer because the tables of imports are closed.';

create or replace function private.records_of(me uuid, kind text) returns table (id uuid, email_key text, name_key text, created_at timestamptz)
language plpgsql stable
set search_path = ''
as $$
begin
  if kind = 'contacts' then
    return query execute format(
      'select c.id, lower(c.email), n.key, c.created_at
       from public.contacts c
       left join public.companies k on k.user_id = c.user_id and k.id = c.company_id
       cross join lateral private.contact_key(c.first_name, c.last_name, c.phone_number, k.name, %s) n
       where c.user_id = $1', private.rest_of_contact('c'))
    using me;
  elsif kind = 'companies' then
    return query select c.id, null::text, private.fold(c.name), c.created_at from public.companies c where c.user_id = me;
  else
    return query select d.id, null::text, private.fold(d.name || E'\n' || coalesce(k.name, '')), d.created_at
    from public.deals d
    left join public.companies k on k.user_id = d.user_id and k.id = d.company_id
    where d.user_id = me;
  end if;
end
$$;

create or replace function private.match_deals(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  -- What no row of the file says tells no deals apart.
  says record;
  rows private.deal_side[];
  theirs private.deal_side[];
  -- By the oldest pipeline's name, where a row names none.
  usual text;
begin
  -- Rows of one file that say the same are one deal; those that do not are several.
  insert into private.import_matches (import_id, user_id, place, twin, is_by_email)
  select i.id, i.user_id, r.place, r.first_place, false
  from (
    select n.place, min(n.place) over (partition by n.name_key, n.said) as first_place
    from private.import_rows n where n.import_id = i.id and n.problem is null
  ) r
  where r.first_place < r.place;

  select
    coalesce(bool_or(r.said ?| array['contact_email', 'contact_first_name', 'contact_last_name']), false) as contact,
    coalesce(bool_or(r.said ? 'created_at'), false) as created_at,
    coalesce(bool_or(r.said ? 'value'), false) as value,
    coalesce(bool_or(r.said ? 'expected_close_date'), false) as expected_close_date,
    coalesce(bool_or(r.said ? 'pipeline'), false) as pipeline,
    coalesce(bool_or(r.said ? 'stage'), false) as stage
  into says
  from private.import_rows r where r.import_id = i.id and r.problem is null;

  theirs := array(
    select row(null, d.id, d.created_at, t.key, array[
      case when says.created_at then date_trunc('milliseconds', d.created_at)::text end,
      concat_ws(E'\n',
        case when says.value then d.value::text end,
        case when says.expected_close_date then coalesce(d.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(p.name), '-') end,
        case when says.stage then coalesce(private.fold(s.name), '-') end),
      case when says.value then d.value::text end,
      ''
    ])::private.deal_side
    from public.deals d
    left join public.companies k on k.user_id = d.user_id and k.id = d.company_id
    left join public.contacts c on c.user_id = d.user_id and c.id = d.contact_id
    left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
    left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
    -- A contact is known by its address and by its name; a file may say either.
    cross join lateral unnest(case
      when not says.contact then array['']
      when d.contact_id is null then array['nobody']
      else array['@' || lower(c.email), '=' || private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), ''))]
    end) as b (contact)
    cross join lateral (select private.fold(d.name || E'\n' || coalesce(k.name, '')) as name_key) n
    cross join lateral (select n.name_key || E'\n' || b.contact as key) t
    where d.user_id = i.user_id and b.contact is not null
      and n.name_key in (select r.name_key from private.import_rows r where r.import_id = i.id and r.problem is null)
  );
  if cardinality(theirs) = 0 then
    return;
  end if;

  select private.fold(p.name) into usual from public.pipelines p where p.user_id = i.user_id order by p.created_at, p.id limit 1;
  rows := array(
    select row(r.place, null, null, r.name_key || E'\n' || case
      when not says.contact then ''
      when v.contact_email is not null then '@' || lower(v.contact_email)
      else coalesce('=' || private.fold(nullif(concat_ws(' ', v.contact_first_name, v.contact_last_name), '')), 'nobody')
    end, array[
      date_trunc('milliseconds', v.created_at)::text,
      concat_ws(E'\n',
        case when says.value then round(coalesce(v.value, 0), 2)::text end,
        case when says.expected_close_date then coalesce(v.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(v.pipeline), usual, '-') end,
        case when says.stage then coalesce(private.fold(v.stage), '-') end),
      case when says.value then round(coalesce(v.value, 0), 2)::text end,
      ''
    ])::private.deal_side
    from private.import_rows r
    cross join lateral jsonb_to_record(r.said) as v (
      value numeric, expected_close_date date, pipeline text, stage text, created_at timestamptz,
      contact_email text, contact_first_name text, contact_last_name text
    )
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id and r.problem is null and m.place is null
  );

  -- Each row gets one deal of its own: first the one of the same moment, then the one that says the same, then the one of
  -- the same value, and of what is left the newest, since rows are stored in that order.
  for step in 1..4 loop
    insert into private.import_matches (import_id, user_id, place, target, is_by_email)
    select distinct on (t.id) i.id, i.user_id, r.place, t.id, false
    from (
      select u.place, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.place) as number
      from unnest(rows) u
      left join private.import_matches m on m.import_id = i.id and m.place = u.place
      where u.likeness[step] is not null and m.place is null
    ) r
    join (
      select u.id, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.created_at desc, u.id) as number
      from unnest(theirs) u
      left join private.import_matches m on m.import_id = i.id and m.target = u.id
      where u.likeness[step] is not null and m.place is null
    ) t on t.key = r.key and t.likeness = r.likeness and t.number = r.number
    order by t.id, r.place;
  end loop;

  execute (
    select format(
      'update private.import_matches m set is_same = true
       from private.import_rows r
       cross join lateral jsonb_to_record(r.said) as v (pipeline text, stage text, closed_at timestamptz, %s), public.deals o
       left join public.pipelines p on p.user_id = o.user_id and p.id = o.pipeline_id
       left join public.pipeline_stages s on s.user_id = o.user_id and s.id = o.stage_id
       where m.import_id = $1.id and r.import_id = $1.id and r.place = m.place and o.user_id = $1.user_id and o.id = m.target
         and %s
         and coalesce(private.fold(v.pipeline) = private.fold(p.name), v.pipeline is null)
         and coalesce(private.fold(v.stage) = private.fold(s.name), v.stage is null)
         -- These two are stored of closed deals only.
         and (s.outcome is distinct from ''lost'' or coalesce(v.lost_reason, o.lost_reason) is not distinct from o.lost_reason)
         and (o.closed_at is null or coalesce(v.closed_at, o.closed_at) >= date_trunc(''milliseconds'', o.closed_at)
           and coalesce(v.closed_at, o.closed_at) <= o.closed_at)',
      string_agg(c.definition, ', '),
      string_agg(format('%s is not distinct from o.%I', c.changed, c.name), ' and ') filter (where c.is_plain))
    from private.import_columns('deals') c
  ) using i;
end
$$;
comment on function public.check_import is
  'Compares all rows with what is there, and counts: new, known (a record is there), twin (an earlier row of the file or a record says the same), error. A definer because the tables of imports are closed.';

create or replace function private.stored_deal(deal uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select (to_jsonb(d) - 'user_id' - 'search_text') || jsonb_build_object('pipeline', p.name, 'stage', s.name)
  from public.deals d
  left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
  left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
  where d.id = deal
$$;

create or replace function public.import_page(id uuid, found text[], after integer default 0, page_size integer default 100) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  -- Asked for before the rows are: whoever asks for an import that is not there is refused, whatever the plan.
  i private.imports := private.own_import(import_page.id);
begin
  return (
    with page as (
      select r.place, r.said, r.problem, m.target, m.twin, m.is_by_email, m.is_same, i.kind
      from private.import_rows r
      left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
      where r.import_id = i.id and r.place > import_page.after
        and case
          when r.problem is not null then 'error'
          when m.place is null then 'new'
          when m.twin is null and not m.is_same then 'known'
          else 'twin'
        end = any ($2) -- "found" means something else to PL/pgSQL
      order by r.place
      limit least(greatest(import_page.page_size, 1), 1000)
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'place', p.place,
      'said', p.said,
      'target', case when p.twin is null then p.target end,
      'reason', case
        when p.problem is not null then p.problem
        when p.twin is not null and p.is_by_email then 'The same e-mail stands in row ' || p.twin || '.'
        when p.twin is not null then 'The same record stands in row ' || p.twin || '.'
        when p.target is null then null
        when p.is_same then coalesce(private.record_name(p.kind, p.target), 'A deleted record') || ' is there already and says the same.'
        when p.is_by_email then coalesce(private.record_name(p.kind, p.target), 'A deleted record') || ' has this e-mail already.'
        else coalesce(private.record_name(p.kind, p.target), 'A deleted record') || ' is there already.'
      end
    ) || case
      when p.kind = 'deals' and p.twin is null and p.target is not null and not p.is_same
      then jsonb_build_object('stored', private.stored_deal(p.target))
      else '{}'
    end order by p.place), '[]')
    from page p
  );
end
$$;
comment on function public.import_page is 'Rows of an import that were found to be such, in the order of the file, after a place; with the reason. A definer because the tables of imports are closed.';

create or replace function private.add_stage(pipeline uuid, name text) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  is_closed boolean := private.outcome_of(name) <> 'open';
  at integer;
  made uuid;
begin
  -- What is open comes before what is closed.
  select coalesce(max(s."order"), 0) + 1 into at from public.pipeline_stages s
  where s.pipeline_id = add_stage.pipeline and (is_closed or s.outcome = 'open');
  update public.pipeline_stages s set "order" = s."order" + 1 where s.pipeline_id = add_stage.pipeline and s."order" >= at;
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select p.user_id, p.id, add_stage.name, at, private.usual_probability(add_stage.name)
  from public.pipelines p where p.id = add_stage.pipeline
  returning id into made;
  return made;
end
$$;

create or replace function private.places_in_pipelines(i private.imports, duplicates text) returns private.place_in_pipeline[]
language plpgsql
set search_path = ''
as $$
declare
  places private.place_in_pipeline[] := '{}';
  wanted record;
  is_closed boolean;
  pipeline public.pipelines;
  stage_id uuid;
begin
  perform private.lock_pipelines();
  for wanted in
    select w.own_pipeline, private.fold(w.said ->> 'pipeline') as pipeline_key, w.said ->> 'stage' as stage,
      private.fold(w.said ->> 'stage') as stage_key, min(w.said ->> 'pipeline') as pipeline_name
    from private.deal_writes(i, duplicates) w
    where w.said ?| array['pipeline', 'stage']
    group by 1, 2, 3
    order by min(w.place)
  loop
    stage_id := null;
    -- However its letters are written.
    is_closed := private.outcome_of(initcap(wanted.stage_key)) <> 'open';
    -- A stage without a pipeline is looked for in all of them, in the oldest first. Every pipeline can be closed in: what
    -- is won or lost goes to the oldest.
    select p.* into pipeline
    from public.pipelines p
    left join public.pipeline_stages s on s.pipeline_id = p.id and private.fold(s.name) = wanted.stage_key and not is_closed
    where p.user_id = i.user_id
      and case
        when wanted.own_pipeline is not null then p.id = wanted.own_pipeline
        else wanted.pipeline_key is null or private.fold(p.name) = wanted.pipeline_key
      end
    order by s.id is null, s.name is distinct from wanted.stage, p.created_at, p.id
    limit 1;
    if pipeline.id is null then
      insert into public.pipelines (user_id, name) values (i.user_id, coalesce(wanted.pipeline_name, 'Sales Pipeline'))
      returning * into pipeline;
      -- A pipeline of the file has the file's stages; where it names none that is open, the usual ones.
      if exists (
        select from private.import_writes(i, duplicates) w
        where private.fold(w.said ->> 'pipeline') is not distinct from wanted.pipeline_key
          and w.said ->> 'stage' is not null and private.outcome_of(initcap(private.fold(w.said ->> 'stage'))) = 'open'
      ) then
        perform private.add_stage(pipeline.id, u.name) from private.usual_stages() u where u.outcome = 'won';
      else
        perform private.add_default_stages(pipeline);
      end if;
    end if;
    if wanted.stage_key is not null then
      select s.id into stage_id from public.pipeline_stages s
      where s.pipeline_id = pipeline.id and private.fold(s.name) = wanted.stage_key
      order by s.name <> case when is_closed then initcap(wanted.stage_key) else wanted.stage end, s."order", s.id limit 1;
      stage_id := coalesce(
        stage_id, private.add_stage(pipeline.id, case when is_closed then initcap(wanted.stage_key) else wanted.stage end)
      );
    end if;
    places := places || row(wanted.own_pipeline, wanted.pipeline_key, wanted.stage, pipeline.id, stage_id)::private.place_in_pipeline;
  end loop;
  return places;
end
$$;

create function private.added_notes(contact public.contacts, parts jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  -- Spreadsheets end lines in two letters, forms in one.
  there text := E'\n' || replace(coalesce(contact.notes, ''), E'\r\n', E'\n') || E'\n';
  written text;
begin
  select concat_ws(E'\n', contact.notes, string_agg(p.part, E'\n' order by p.place)) into written
  from jsonb_array_elements_text(parts) with ordinality p (part, place)
  where position(E'\n' || replace(p.part, E'\r\n', E'\n') || E'\n' in there) = 0;
  if char_length(written) > 50000 then
    raise exception 'With what the file adds, the notes of % would have more than 50,000 characters. Shorten them, or skip the records that are there already.',
      private.record_name('contacts', contact.id) using errcode = 'PT409';
  end if;
  return nullif(written, '');
end
$$;
comment on function private.added_notes is
  'The notes of a contact with what a row of an import adds: each part that does not stand there already, as whole lines. Nothing is replaced.';

create function private.write_records(i private.imports, moment timestamptz, after bigint, last bigint) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
  updated bigint;
begin
  -- Rows without a moment of their own keep the order of the file in the list, newest first.
  execute (
    select format(
      'insert into public.%I (user_id, created_at, %s)
       select $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''), %s
       from private.planned_rows($1, $3, $4) w
       cross join lateral jsonb_to_record(w.said) as v (created_at timestamptz, %s)
       where w.target is null',
      i.kind, string_agg(quote_ident(c.name), ', '), string_agg(c.added, ', '), string_agg(c.definition, ', '))
    from private.import_columns(i.kind) c
  ) using i, moment, after, last;
  get diagnostics added = row_count;

  execute (
    select format(
      'update public.%1$I c set %2$s
       from (
         select o.id, %3$s
         from private.planned_rows($1, $2, $3) w
         cross join lateral jsonb_to_record(w.said) as v (note_parts jsonb, %4$s)
         join public.%1$I o on o.id = w.target and (o.user_id = $1.user_id) is true
       ) n
       -- What says the same is left alone, its moment of the last change too.
       where c.id = n.id and (c.user_id = $1.user_id) is true and (%5$s) is distinct from (%6$s)',
      i.kind, string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('c.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns(i.kind) c
  ) using i, after, last;
  get diagnostics updated = row_count;
  return jsonb_build_object('added', added, 'updated', updated);
end
$$;
comment on function private.write_records is 'Writes the contacts or companies of a part of an import, as private.import_columns says.';

create or replace function private.write_deals(i private.imports, moment timestamptz, after bigint, last bigint, places private.place_in_pipeline[], usual uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
  updated bigint;
begin
  -- Exact values: a deal that was closed before it came here was not closed today.
  perform set_config('solo.restoring', 'on', true);
  execute (
    select format(
      'insert into public.deals (user_id, created_at, closed_at, %s)
       select $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''),
         case when s.outcome <> ''open''
           then coalesce(v.closed_at, least(v.expected_close_date + time ''12:00'' at time zone ''UTC'', $2)) end, %s
       from private.planned_rows($1, $3, $4) w
       cross join lateral jsonb_to_record(w.said) as v (
         pipeline text, stage text, created_at timestamptz, closed_at timestamptz, %s
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
      'update public.deals d set closed_at = n.closed_at, %1$s
       from (
         select o.id, case
             when s.outcome is null or s.outcome = ''open'' then null
             when s.outcome = b.outcome then coalesce(v.closed_at, o.closed_at)
             else coalesce(
               v.closed_at,
               least(coalesce(v.expected_close_date, o.expected_close_date) + time ''12:00'' at time zone ''UTC'', $2)
             )
           end as closed_at, %2$s
         from private.planned_rows($1, $3, $4) w
         cross join lateral jsonb_to_record(w.said) as v (pipeline text, stage text, closed_at timestamptz, %3$s)
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
       where d.id = n.id and (d.user_id = $1.user_id) is true and (d.closed_at, %4$s) is distinct from (n.closed_at, %5$s)',
      string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('d.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns('deals') c
  ) using i, moment, after, last, places;
  get diagnostics updated = row_count;
  perform set_config('solo.restoring', 'off', true);
  return jsonb_build_object('added', added, 'updated', updated);
end
$$;

create or replace function private.write_import_rows(
  w private.unfinished_work, i private.imports, step text, after bigint, last bigint
) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  row_count bigint;
begin
  if step = 'companies' then
    insert into public.companies (id, user_id, name, created_at)
    select p.company_id, i.user_id, p.said ->> 'company', w.started_at
    from private.planned_rows(i, after, last) p where p.adds_company;
    get diagnostics row_count = row_count;
    return jsonb_build_object('companies', row_count);
  elsif step = 'contacts' then
    insert into public.contacts (id, user_id, first_name, last_name, email, company_id, created_at)
    select p.contact_id, i.user_id, p.said ->> 'contact_first_name', p.said ->> 'contact_last_name', p.said ->> 'contact_email',
      p.company_id, w.started_at
    from private.planned_rows(i, after, last) p where p.adds_contact;
    get diagnostics row_count = row_count;
    return jsonb_build_object('contacts', row_count);
  elsif i.kind <> 'deals' then
    return private.write_records(i, w.started_at, after, last);
  end if;
  return private.write_deals(i, w.started_at, after, last,
    array(select p from jsonb_populate_recordset(null::private.place_in_pipeline, w.state -> 'places') p),
    (w.state ->> 'usual')::uuid);
end
$$;
comment on function public.commit_import is
  'Writes all rows of an import, in one transaction and one batch. Records that are there already: skip leaves them, update gives them what the file says and adds to their notes, create makes another. A definer because the tables of imports are closed and moments of creation are written.';

-- Backup -----------------------------------------------------------------------------------------------------

create or replace function public.backup_counts() returns jsonb
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

create or replace function public.backup_page(kind text, after text default null) returns jsonb
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

create or replace function public.start_restore(id uuid, version integer, tables jsonb, account uuid default null, about text default null)
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

create or replace function public.add_restore_rows(restore uuid, kind text, part integer, lines text) returns void
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

create or replace function private.map_links(me uuid, restore uuid) returns void
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

create or replace function private.write_rows(me uuid, restore uuid, of_kind text, after_part integer, after_place integer, last_part integer, last_place integer)
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
comment on function public.finish_restore is
  'Writes a backup that has arrived whole: all of it in one transaction and one batch, or nothing. What the account has already stays as it is. Asked again, it gives the same answer. A definer because it writes rows as they were, stamps and log included, which nobody else may.';

-- Figures ----------------------------------------------------------------------------------------------------

create or replace function private.has_samples() returns boolean
language sql stable
security definer
set search_path = ''
as $$
  select exists (
    select from private.deeds e
    join public.changes c on c.user_id = e.user_id and c.batch = e.batch and c.verb = 'insert'
    where e.user_id = private.caller() and e.deed = 'samples' and (
      exists (select from public.contacts t where t.user_id = e.user_id and t.id = c.row_id)
      or exists (select from public.companies t where t.user_id = e.user_id and t.id = c.row_id)
      or exists (select from public.deals t where t.user_id = e.user_id and t.id = c.row_id)
      or exists (select from public.tasks t where t.user_id = e.user_id and t.id = c.row_id)
    )
  )
$$;
comment on function private.has_samples is 'Whether anything is left of what load_sample_data added. A definer because nobody else reads private.deeds.';

create function private.attention(stale timestamptz) returns jsonb
language sql stable
set search_path = ''
as $$
  with steps as (
    select t.deal_id, bool_or(not t.completed) as has_next, bool_or(t.updated_at >= stale) as is_fresh
    from public.tasks t
    where t.deal_id is not null and (not t.completed or t.updated_at >= stale)
    group by t.deal_id
  ),
  talks as (
    select distinct n.deal_id from public.notes n
    where n.deal_id is not null and n.updated_at >= stale
  ),
  needy as materialized (
    select d.id, d.name, d.value, d.company_id, d.updated_at, s.name as stage_name, coalesce(t.has_next, false) as has_next,
      d.updated_at < stale and t.is_fresh is not true and k.deal_id is null as is_stale
    from public.deals d
    left join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
    left join steps t on t.deal_id = d.id
    left join talks k on k.deal_id = d.id
    where coalesce(s.outcome, 'open') = 'open'
      and (t.has_next is not true or d.updated_at < stale and t.is_fresh is not true and k.deal_id is null)
  )
  select jsonb_build_object(
    'total', (select count(*) from needy),
    'rows', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', d.id, 'name', d.name, 'value', d.value, 'stage_name', d.stage_name, 'has_next', d.has_next, 'is_stale', d.is_stale,
        'company_name', (select c.name from public.companies c where c.id = d.company_id),
        'touched_at', greatest(d.updated_at,
          (select max(t.updated_at) from public.tasks t where t.deal_id = d.id),
          (select max(n.updated_at) from public.notes n where n.deal_id = d.id))
      ) order by d.value desc, d.id)
      from (select * from needy order by value desc, id limit 8) d
    ), '[]')
  )
$$;
comment on function private.attention is
  'Open deals that need a push, those worth most first: without a task that is still to be done, or untouched since a moment. A deal is touched when it, a task or a note of it is written.';

create or replace function public.dashboard(at timestamptz default now(), time_zone text default 'UTC') returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  today date := (at at time zone time_zone)::date;
  day_begins timestamptz := private.day_begins(today, time_zone);
  day_ends timestamptz := private.day_begins(today + 1, time_zone);
  recent timestamptz := at - interval '720 hours';
  earlier timestamptz := at - interval '1440 hours';
begin
  perform private.caller();
  return jsonb_build_object(
    'contacts', (
      select jsonb_build_object('total', count(*), 'recent', count(*) filter (where c.created_at >= recent),
        'before', count(*) filter (where c.created_at >= earlier and c.created_at < recent))
      from public.contacts c
    ),
    'companies', (
      select jsonb_build_object('total', count(*), 'recent', count(*) filter (where c.created_at >= recent),
        'before', count(*) filter (where c.created_at >= earlier and c.created_at < recent))
      from public.companies c
    ),
    -- Money goes out as text: a sum may have more digits than the numbers of JavaScript.
    'deals', (
      select jsonb_build_object('total', count(*), 'recent', count(*) filter (where d.created_at >= recent),
        'before', count(*) filter (where d.created_at >= earlier and d.created_at < recent),
        'open', count(*) filter (where coalesce(s.outcome, 'open') = 'open'),
        'value', coalesce(sum(d.value), 0)::text,
        'value_recent', coalesce(sum(d.value) filter (where d.created_at >= recent), 0)::text,
        'value_before', coalesce(sum(d.value) filter (where d.created_at >= earlier and d.created_at < recent), 0)::text,
        'won', coalesce(sum(d.value) filter (where s.outcome = 'won'), 0)::text)
      from public.deals d
      left join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
    ),
    'has_tasks', exists (select from public.tasks t),
    'overdue', jsonb_build_object(
      'total', (
        select count(*) from public.tasks t where not t.completed and t.due_date < day_begins
      ),
      'rows', coalesce((
        select jsonb_agg(k.card order by t.due_date desc, t.id desc)
        from (
          select t.id from public.tasks t where not t.completed and t.due_date < day_begins
          order by t.due_date desc, t.id desc limit 5
        ) f
        join public.tasks t on t.id = f.id
        cross join lateral private.task_card(t) k
      ), '[]')
    ),
    'today', jsonb_build_object(
      'total', (
        select count(*) from public.tasks t
        where not t.completed and t.due_date >= day_begins and t.due_date < day_ends
      ),
      'rows', coalesce((
        select jsonb_agg(k.card order by t.due_date, t.id)
        from (
          select t.id from public.tasks t
          where not t.completed and t.due_date >= day_begins and t.due_date < day_ends
          order by t.due_date, t.id limit 10
        ) f
        join public.tasks t on t.id = f.id
        cross join lateral private.task_card(t) k
      ), '[]')
    ),
    'attention', private.attention(at - interval '336 hours'),
    'has_samples', private.has_samples()
  );
end
$$;

create function private.check_report_filter(filter jsonb) returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if filter ? 'pipeline' and not exists (
    select from public.pipelines p where p.id = (filter ->> 'pipeline')::uuid
  ) then
    raise exception 'The pipeline of this report does not exist any more. Choose another one.' using errcode = 'PT404';
  end if;
  if exists (
    select from jsonb_array_elements_text(filter -> 'stage') w (id)
    where w.id <> 'none' and not exists (
      select from public.pipeline_stages s where s.id::text = w.id
    )
  ) then
    raise exception 'A stage of this report does not exist any more. Choose another one.' using errcode = 'PT404';
  end if;
end
$$;

create function private.report_deals(
  filter jsonb, first_day date, last_day date, day date, today date, time_zone text
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  pipeline uuid := (filter ->> 'pipeline')::uuid;
  stages text[] := case when filter ? 'stage' then private.texts(filter -> 'stage') end;
  period_begins timestamptz := coalesce(private.day_begins(first_day, time_zone), '-infinity');
  period_ends timestamptz := coalesce(private.day_begins(last_day + 1, time_zone), 'infinity');
  day_begins timestamptz := private.day_begins(day, time_zone);
  day_ends timestamptz := private.day_begins(day + 1, time_zone);
  -- Closed deals by month: the last twelve months, or the period, of which the last sixty.
  months_end date := date_trunc('month', coalesce(last_day, greatest(today, first_day)))::date;
  months_begin date := greatest(
    coalesce(date_trunc('month', first_day), months_end - interval '11 months'), months_end - interval '59 months')::date;
  -- Expected closes by month: this one and five more, or the period, of which the first sixty.
  ahead_from date := coalesce(first_day, least(today, last_day));
  ahead_begin date := date_trunc('month', ahead_from)::date;
  ahead_end date := least(
    coalesce(date_trunc('month', last_day), ahead_begin + interval '5 months'), ahead_begin + interval '59 months')::date;
  ahead_to date := least(last_day, (ahead_end + interval '1 month')::date - 1);
  has_period boolean := first_day is not null or last_day is not null;
begin
  return (
    with found as materialized (
      select d.id, d.value, d.expected_close_date as closes, d.created_at, d.closed_at, d.lost_reason, d.pipeline_id,
        s.id as stage_id, s.name as stage_name, s.outcome, coalesce(s.win_probability, 0) as likely,
        coalesce(s.outcome, 'open') = 'open' as is_open,
        d.created_at >= period_begins and d.created_at < period_ends as is_meant,
        d.closed_at >= period_begins and d.closed_at < period_ends or not has_period as is_closed_then
      from public.deals d
      left join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
      where (pipeline is null or d.pipeline_id = pipeline)
        and (stages is null or d.stage_id::text = any (stages) or d.stage_id is null and 'none' = any (stages))
    ),
    months as (
      select date_trunc('month', f.closed_at at time zone time_zone)::date as month,
        count(*) filter (where f.outcome = 'won') as won,
        sum(f.value) filter (where f.outcome = 'won') as won_value,
        count(*) filter (where f.outcome = 'lost') as lost,
        sum(f.value) filter (where f.outcome = 'lost') as lost_value
      from found f where not f.is_open and f.closed_at is not null and f.is_closed_then
      group by 1
    ),
    ahead as (
      select k.kind, case when k.kind = 'month' then date_trunc('month', f.closes)::date end as month,
        count(*) as count, sum(f.value) as value, sum(f.value * f.likely) * 0.01 as weighted
      from found f
      cross join lateral (
        select case
          when f.closes between ahead_from and ahead_to then 'month'
          when has_period then null
          when f.closes is null then 'none'
          when f.closes < ahead_from then 'overdue'
          else 'later'
        end as kind
      ) k
      where f.is_open and k.kind is not null
      group by 1, 2
    ),
    funnel as (
      select coalesce(pipeline, (
        select f.pipeline_id from found f where f.is_meant and f.pipeline_id is not null
        group by f.pipeline_id order by count(*) desc, f.pipeline_id limit 1
      )) as id
    ),
    steps as materialized (
      select s.id, s.name, row_number() over (order by s.outcome = 'won', s."order", s.id) as place
      from public.pipeline_stages s, funnel
      where s.pipeline_id = funnel.id and s.outcome <> 'lost'
    ),
    furthest as materialized (
      select r.place, count(*) as deals
      from (
        -- One pass over both: how many deals have moved is unknown to the planner, and joined it goes through
        -- all of them for each deal.
        select max(w.place) as place
        from (
          -- Of a deal that came in lost it is only known that it was there.
          select f.id, true as is_found, greatest(p.place, case when f.outcome = 'lost' then 1 end) as place
          from found f
          join funnel on funnel.id = f.pipeline_id
          left join steps p on p.id = f.stage_id
          where f.is_meant
          union all
          -- Where a deal was before it moved. A move that was taken back led nowhere.
          select c.row_id, false, p.place
          from public.changes c
          join steps p on p.id = (c.before ->> 'stage_id')::uuid
          where c.table_name = 'deals' and c.verb = 'update' and c.before ? 'stage_id' and c.undoes is null
        ) w
        group by w.id
        having bool_or(w.is_found)
      ) r
      group by r.place
    )
    select jsonb_build_object(
      'deals_created', count(*) filter (where f.created_at >= day_begins and f.created_at < day_ends),
      'revenue_closed', coalesce(sum(f.value) filter (where f.outcome = 'won' and f.is_closed_then), 0)::text,
      'total_value', coalesce(sum(f.value) filter (where f.is_meant), 0)::text,
      'total_deals', count(*) filter (where f.is_meant),
      'active_deals', count(*) filter (where f.is_meant and f.is_open),
      'upcoming_closes', count(*) filter (where f.closes >= greatest(today, first_day) and (last_day is null or f.closes <= last_day)),
      'won', count(*) filter (where f.outcome = 'won' and f.is_closed_then),
      'lost', count(*) filter (where f.outcome = 'lost' and f.is_closed_then),
      'average_days', round((avg(extract(epoch from f.closed_at - f.created_at)) filter (
        where f.outcome = 'won' and f.is_closed_then) / 86400)::numeric, 1),
      'median_days', round((percentile_cont(0.5) within group (order by extract(epoch from f.closed_at - f.created_at)::double precision) filter (
        where f.outcome = 'won' and f.is_closed_then) / 86400)::numeric, 1)
    ) || jsonb_build_object(
      'stages', (
        select coalesce(jsonb_agg(jsonb_build_object('name', g.name, 'count', g.count, 'value', g.value::text,
          'weighted', round(g.weighted, 2)::text) order by g.name is not null, g.outcome = 'lost', g.outcome = 'won', g.place, g.name), '[]')
        from (
          select l.name, l.outcome, l.place, count(d.id) as count, coalesce(sum(d.value), 0) as value, coalesce(sum(d.value * d.likely) * 0.01, 0) as weighted
          from (
            select s.name, s.outcome, min(s."order") as place from public.pipeline_stages s
            where (pipeline is null or s.pipeline_id = pipeline) and (stages is null or s.id::text = any (stages))
            group by s.name, s.outcome
          ) l
          left join found d on d.stage_name = l.name and d.is_meant
          group by l.name, l.outcome, l.place
          union all
          select null, null, null, count(*), sum(d.value), 0 from found d where d.stage_name is null and d.is_meant having count(*) > 0
        ) g
      ),
      'months', (
        select jsonb_agg(jsonb_build_object('month', m.month::date, 'won', coalesce(k.won, 0), 'won_value', coalesce(k.won_value, 0)::text,
          'lost', coalesce(k.lost, 0), 'lost_value', coalesce(k.lost_value, 0)::text) order by m.month)
        from generate_series(months_begin::timestamp, months_end::timestamp, interval '1 month') as m (month)
        left join months k on k.month = m.month::date
      ),
      'forecast', (
        select jsonb_agg(jsonb_build_object('kind', m.kind, 'month', m.month, 'count', coalesce(a.count, 0),
          'value', coalesce(a.value, 0)::text, 'weighted', round(coalesce(a.weighted, 0), 2)::text)
          order by array_position(array['overdue', 'month', 'later', 'none'], m.kind), m.month)
        from (
          select 'month' as kind, g::date as month
          from generate_series(ahead_begin::timestamp, ahead_end::timestamp, interval '1 month') g
          union all
          select a.kind, null from ahead a where a.kind <> 'month'
        ) m
        left join ahead a on a.kind = m.kind and a.month is not distinct from m.month
      ),
      'conversion', jsonb_build_object(
        'pipeline', (select p.name from public.pipelines p, funnel where p.id = funnel.id),
        'stages', (
          select coalesce(jsonb_agg(jsonb_build_object('name', p.name,
            'reached', (select coalesce(sum(u.deals), 0) from furthest u where u.place >= p.place)) order by p.place), '[]')
          from steps p
        )
      ),
      'lost_reasons', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', r.reason, 'count', r.count, 'value', r.value::text)
          order by r.count desc, r.value desc, r.reason), '[]')
        from (
          select min(d.lost_reason) as reason, count(*) as count, sum(d.value) as value
          from found d where d.outcome = 'lost' and d.is_closed_then
          group by lower(d.lost_reason)
          order by count(*) desc, sum(d.value) desc, 1 limit 10
        ) r
      ),
      'upcoming', (
        select coalesce(jsonb_agg(k.card order by d.expected_close_date, d.id), '[]')
        from (
          select f.id from found f where f.closes >= greatest(today, first_day) and (last_day is null or f.closes <= last_day)
          order by f.closes, f.id limit 10
        ) w
        join public.deals d on d.id = w.id
        cross join lateral private.deal_card(d) k
      ),
      'deals', (
        select coalesce(jsonb_agg(k.card order by d.created_at desc, d.id desc), '[]')
        from (select f.id from found f where f.is_meant order by f.created_at desc, f.id desc limit 20) w
        join public.deals d on d.id = w.id
        cross join lateral private.deal_card(d) k
      )
    )
    from found f
  );
end
$$;
comment on function private.report_deals is
  'What the reports say of the deals that a filter means: one pass over them, and one over the log of where they have been.';

create function private.report_weeks(first_day date, last_day date, today date, time_zone text, week_start integer) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  ends_on date := coalesce(last_day, greatest(today, first_day));
  last_week date := ends_on - (extract(dow from ends_on)::integer - week_start + 7) % 7;
  -- The last twelve weeks, or the period, of which the last sixty.
  begins_on date := greatest(coalesce(first_day, last_week - 77), last_week - 413);
  first_week date := begins_on - (extract(dow from begins_on)::integer - week_start + 7) % 7;
  begins_at timestamptz := private.day_begins(begins_on, time_zone);
  ends_at timestamptz := private.day_begins(ends_on + 1, time_zone);
begin
  return (
    with done as (
      select n.kind, (n.happened_at at time zone time_zone)::date as day, count(*) as count
      from public.notes n where n.happened_at >= begins_at and n.happened_at < ends_at
      group by 1, 2
      union all
      select 'task', (t.completed_at at time zone time_zone)::date, count(*)
      from public.tasks t where t.completed and t.completed_at >= begins_at and t.completed_at < ends_at
      group by 2
    )
    select jsonb_agg(w.line order by w.week)
    from (
      select g::date as week, jsonb_build_object('week', g::date,
        'note', coalesce(sum(d.count) filter (where d.kind = 'note'), 0),
        'call', coalesce(sum(d.count) filter (where d.kind = 'call'), 0),
        'meeting', coalesce(sum(d.count) filter (where d.kind = 'meeting'), 0),
        'email', coalesce(sum(d.count) filter (where d.kind = 'email'), 0),
        'task', coalesce(sum(d.count) filter (where d.kind = 'task'), 0)) as line
      from generate_series(first_week::timestamp, last_week::timestamp, interval '7 days') g
      left join done d on d.day >= g::date and d.day < g::date + 7
      group by g
    ) w
  );
end
$$;
comment on function private.report_weeks is
  'Notes, calls, meetings and e-mails by when they happened and tasks by when they were completed, per week of the user''s calendar.';

create or replace function public.report(
  day date default null, filter jsonb default '{}', at timestamptz default now(), time_zone text default 'UTC',
  week_start integer default 1
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  today date := (at at time zone time_zone)::date;
  chosen date := coalesce(day, today);
  period record;
  day_begins timestamptz;
  day_ends timestamptz;
begin
  perform private.caller();
  -- The charts count the months and weeks up to both: to the end of time they would count without end.
  if chosen not between date '1900-01-01' and date '2200-12-31' or today not between date '1900-01-01' and date '2200-12-31' then
    raise exception 'The report date lies between the years 1900 and 2200.' using errcode = 'PT400';
  end if;
  select * into period from private.report_period(filter);
  perform private.check_report_filter(filter);
  day_begins := private.day_begins(chosen, time_zone);
  day_ends := private.day_begins(chosen + 1, time_zone);
  return private.report_deals(filter, period.first_day, period.last_day, chosen, today, time_zone)
    || jsonb_build_object(
      'day', chosen, 'today', today,
      'contacts_added', (
        select count(*) from public.contacts c where c.created_at >= day_begins and c.created_at < day_ends
      ),
      'companies_added', (
        select count(*) from public.companies c where c.created_at >= day_begins and c.created_at < day_ends
      ),
      'weeks', private.report_weeks(period.first_day, period.last_day, today, time_zone, week_start)
    );
end
$$;

-- Account ----------------------------------------------------------------------------------------------------


comment on function private.welcome_account is 'A new account starts with its preferences and one pipeline. A definer because the authentication service has no rights on our tables.';

create or replace function private.add_samples(me uuid, load uuid, pipeline uuid, time_zone text) returns void
language plpgsql
set search_path = ''
as $$
declare
  today date := (now() at time zone time_zone)::date;
begin
  -- As rows that come back: their stamps are their own.
  perform set_config('solo.restoring', 'on', true);
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select me, pipeline, w.name, w.number + (
      select coalesce(max(s."order"), 0) from public.pipeline_stages s where s.user_id = me and s.pipeline_id = pipeline
    ), w.win_probability
  from (
    select u.*, row_number() over (order by u.place) as number from private.usual_stages() u where u.outcome <> 'open'
  ) w
  where not exists (
    select from public.pipeline_stages s where s.user_id = me and s.pipeline_id = pipeline and s.outcome = w.outcome
  );
  insert into public.companies (id, user_id, name, website, industry, location, created_at, updated_at)
  select private.sample_id(load, 'company', c.number), me, c.name, 'https://' || c.domain, c.industry, c.location,
    now() - c.age * interval '1 day' - interval '2 hours', now() - c.age * interval '1 day' - interval '2 hours'
  from private.sample_companies() c;
  insert into public.contacts (id, user_id, first_name, last_name, email, phone_number, role_title, company_id, lead_status, notes, lead_score, created_at, updated_at)
  select private.sample_id(load, 'contact', p.number), me, p.first_name, p.last_name,
    private.fold(replace(p.first_name || '.' || p.last_name, ' ', '')) || '@' || coalesce(c.domain, 'example.com'),
    '+1 555 01' || lpad(p.number::text, 2, '0'), p.role_title, private.sample_id(load, 'company', p.company), p.lead_status, p.notes,
    p.lead_score, now() - p.age * interval '1 day' - interval '1 hour', now() - p.age * interval '1 day' - interval '1 hour'
  from private.sample_contacts() p left join private.sample_companies() c on c.number = p.company;
  with open_stages as (
    select s.id, row_number() over (order by s."order", s.id) as place, count(*) over () as places
    from public.pipeline_stages s
    where s.user_id = me and s.pipeline_id = pipeline and s.outcome = 'open'
  )
  insert into public.deals (id, user_id, name, value, expected_close_date, pipeline_id, stage_id, company_id, contact_id, "order", closed_at, created_at, updated_at)
  select private.sample_id(load, 'deal', d.number), me, d.name, d.value, today + d.closes_in, pipeline,
    case when d.step = 5 then won.id else o.id end,
    private.sample_id(load, 'company', d.company), private.sample_id(load, 'contact', d.contact), d.number * 1024,
    case when d.step = 5 then now() - d.closed_ago * interval '1 day' end,
    now() - d.age * interval '1 day', now() - d.touched * interval '1 day'
  from private.sample_deals() d
  join public.pipeline_stages won on won.user_id = me and won.pipeline_id = pipeline and won.outcome = 'won'
  left join open_stages o on o.place = ceil(coalesce(d.lost_at, d.step) * o.places / 4.0);
  update public.deals t set stage_id = s.id, closed_at = now() - d.closed_ago * interval '1 day', lost_reason = d.lost_reason
  from private.sample_deals() d
  join public.pipeline_stages s on s.user_id = me and s.pipeline_id = pipeline and s.outcome = 'lost'
  where d.step = 6 and t.user_id = me and t.id = private.sample_id(load, 'deal', d.number);
  insert into public.tasks (user_id, title, description, priority, due_date, completed, completed_at, deal_id, contact_id, created_at, updated_at)
  select me, t.title, t.description, t.priority, (today + t.due_in + t.due_at) at time zone time_zone,
    t.done_ago is not null, now() - t.done_ago * interval '1 day',
    private.sample_id(load, 'deal', t.deal), private.sample_id(load, 'contact', t.contact),
    now() - t.age * interval '1 day', now() - coalesce(t.done_ago, t.age) * interval '1 day'
  from private.sample_tasks() t;
  insert into public.notes (user_id, kind, body, outcome, happened_at, deal_id, contact_id, created_at, updated_at)
  select me, n.kind, n.body, n.outcome, now() - n.ago * interval '1 day', private.sample_id(load, 'deal', n.deal),
    private.sample_id(load, 'contact', n.contact), now() - n.ago * interval '1 day', now() - n.ago * interval '1 day'
  from private.sample_notes() n;
  perform set_config('solo.restoring', 'off', true);
end
$$;
comment on function public.load_sample_data is
  'Adds companies, contacts, deals, tasks and notes as a seller might have them after half a year, ending now: one batch. A definer because it writes stamps of the past, which nobody else may.';
comment on function public.remove_sample_data is
  'Takes away what load_sample_data added, edited or not: one batch, which can be undone. What the user added stays, without its links to samples; only notes on a sample go with it. A definer because nobody else reads private.deeds, which tell the samples.';

create or replace function private.erase_expired_of(account uuid) returns bigint
language sql
security definer
set search_path = ''
as $$
  with expired as materialized (
    select c.row_id, c.id
    from public.changes c
    where c.user_id = account and c.verb = 'delete' and c.before is not null and c.created_at < now() - interval '30 days'
    order by c.created_at, c.id limit 1000
    for update of c skip locked -- what another transaction erases already is not waited for
  ),
  -- Row by row, not deletion by deletion: one row may have been deleted and brought back thousands of times.
  gone as materialized (
    select r.row_id, r.ids, (
      select max(id) from unnest(r.ids) id
      where id > coalesce((
        select max(c.id) from public.changes c
        where c.user_id = account and c.row_id = r.row_id and c.verb = 'insert'
      ), 0)
    ) as last_id
    from (select e.row_id, array_agg(e.id) as ids from expired e group by e.row_id) r
  ),
  erased as (
    update public.changes c
    set before = null, after = null, label = case when c.id <= g.last_id then null else c.label end
    from gone g
    where c.user_id = account and c.row_id = g.row_id
      and (c.id <= g.last_id or c.id in (select e.id from expired e))
      and (c.before is not null or c.after is not null or c.label is not null)
  ),
  given_up as (
    -- A restore that was begun and never finished.
    delete from private.restores r where r.id in (
      select x.id from private.restores x
      where x.user_id = erase_expired_of.account and x.created_at < now() - interval '1 day' for update skip locked
    )
  )
  select count(*) from expired
$$;
comment on function private.erase_expired_of is
  'Thirty days after a deletion nothing of the row is left in the log: neither what was deleted nor its earlier versions. Called with every batch of the account. A definer because nobody else writes the log.';
comment on function private.erase_expired is
  'The next step of erasing what has expired in any account. Run until nothing is left at every start of the server, once a day, and by pg_cron where it is installed. A definer because nobody else writes the log, and it reaches every account.';

create or replace function public.account_sessions() returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  current_id text := nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id';
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', s.id, 'user_agent', s.user_agent, 'created_at', s.created_at, 'last_used_at', s.last_used_at,
      'is_current', s.is_current
    ) order by s.is_current desc, s.last_used_at desc, s.id), '[]')
    from (
      select s.id, s.user_agent, s.created_at, s.id::text = current_id as is_current,
        -- The service stores the time of the last refresh in UTC, without saying so.
        greatest(s.created_at, s.refreshed_at at time zone 'UTC') as last_used_at
      from auth.sessions s
      where s.user_id = private.caller() and (s.not_after is null or s.not_after > now())
      order by is_current desc, last_used_at desc, s.id
      limit 50
    ) s
  );
end
$$;
comment on function public.account_sessions is
  'Where the account is signed in: this session first, then the others by their last use, 50 at most. `user_agent` is what the browser called itself when it signed in. A definer because nobody else reads the sessions.';

create or replace function public.delete_account(address text) returns void
language plpgsql
security definer
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  account auth.users;
begin
  select * into account from auth.users u where u.id = private.caller() for update;
  if not found then
    -- Deleted a moment ago, in another window.
    return;
  end if;
  if lower(btrim(address)) is distinct from lower(account.email) then
    raise exception 'This is not the email address of your account. Nothing was deleted.' using errcode = 'PT400';
  end if;
  -- What the service itself writes down of an account is bound to it by no key.
  begin
    delete from auth.audit_log_entries a
    where account.id::text in (a.payload ->> 'actor_id', a.payload ->> 'user_id', a.payload -> 'traits' ->> 'user_id');
    delete from auth.flow_state f where f.user_id = account.id;
  exception when insufficient_privilege or undefined_table then
    -- A hosted project may keep these to itself.
    null;
  end;
  delete from auth.users u where u.id = account.id;
end
$$;
comment on function public.delete_account is
  'Deletes the account of whoever calls, with everything it owns, in one transaction. `address` is its e-mail address, typed by its owner: a slip of the hand deletes nothing. A definer because nobody else deletes accounts.';

-- Whose collections they are, the policies say ------------------------------------------------------------

create or replace view public.collection_counts with (security_invoker = on) as
select c.id, c.name, c.created_at, count(m.id)::integer as contacts
from public.collections c
left join public.collection_members m on m.collection_id = c.id
group by c.id;

-- The usual probability stands once ------------------------------------------------------------------------

alter table public.pipeline_stages alter column win_probability set default private.usual_probability(null);

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.add_default_stages(public.pipelines),
  private.add_field(regclass, text),
  private.added_notes(public.contacts, jsonb),
  private.alike_names(),
  private.attention(timestamp with time zone),
  private.board_column(text, uuid[], uuid, uuid, jsonb, integer),
  private.bulk_answer(bigint),
  private.calendar_deal(public.deals),
  private.calendar_task(public.tasks),
  private.check_duplicates(text),
  private.check_report_filter(jsonb),
  private.chosen(jsonb, text, uuid[]),
  private.clean_texts(regclass),
  private.columns_of(regclass),
  private.company_card(public.companies),
  private.company_cards(uuid[]),
  private.company_conditions(jsonb),
  private.company_duplicates(),
  private.conditions(text, jsonb),
  private.contact_card(public.contacts),
  private.contact_cards(uuid[]),
  private.contact_conditions(jsonb),
  private.contact_duplicates(),
  private.count_of(text, jsonb),
  private.day_start(jsonb, text, integer),
  private.deal_card(public.deals),
  private.deal_cards(uuid[]),
  private.deal_conditions(jsonb),
  private.delete_all(text, jsonb),
  private.duplicates(text),
  private.fill_contact(uuid, jsonb, uuid),
  private.first_stage(),
  private.hits(text),
  private.ids_of(text, jsonb, integer),
  private.import_columns(text),
  private.is_only_order(public.changes),
  private.is_search(jsonb),
  private.known_records(jsonb),
  private.label_of(uuid, uuid),
  private.last_contact(public.contacts),
  private.like_pattern(text),
  private.linked_condition(text, text, text),
  private.linked_deals(uuid, uuid),
  private.lock_to_merge(text, uuid, jsonb),
  private.make_searchable(regclass, text[]),
  private.merge_cards(text, uuid[]),
  private.name_deed(text, text),
  private.names_in(uuid, jsonb, jsonb),
  private.national_number(text, text),
  private.neighbours(text, jsonb, text, boolean, uuid),
  private.newest_companies(jsonb, integer),
  private.newest_contacts(jsonb, integer),
  private.newest_deals(jsonb, integer),
  private.newest_tasks(jsonb, integer),
  private.next_due(public.contacts),
  private.next_due_date(public.tasks, timestamp with time zone, text),
  private.outcome_of(text),
  private.own_conditions(text, jsonb),
  private.page(text, text, jsonb, text, boolean, jsonb, integer),
  private.page_of_ids(text, jsonb, text, boolean, jsonb, integer),
  private.phone_key(text, text),
  private.report_deals(jsonb, date, date, date, date, text),
  private.report_weeks(date, date, date, text, integer),
  private.rest_of_contact(text),
  private.search_card(text, uuid),
  private.search_condition(text),
  private.set_merged(text, uuid, jsonb),
  private.task_card(public.tasks),
  private.task_cards(uuid[]),
  private.task_conditions(jsonb),
  private.usual_probability(text),
  private.usual_stages(),
  private.website_host(text),
  private.write_fields_of(regclass),
  private.write_records(private.imports, timestamp with time zone, bigint, bigint),
  public.create_calendar_feed(text),
  public.create_pipeline(text),
  public.move_deal(uuid, uuid, uuid, uuid)
  from public, anon, authenticated, service_role;
grant execute on function
  private.add_default_stages(public.pipelines),
  private.alike_names(),
  private.attention(timestamp with time zone),
  private.board_column(text, uuid[], uuid, uuid, jsonb, integer),
  private.bulk_answer(bigint),
  private.check_duplicates(text),
  private.check_report_filter(jsonb),
  private.chosen(jsonb, text, uuid[]),
  private.columns_of(regclass),
  private.company_card(public.companies),
  private.company_cards(uuid[]),
  private.company_conditions(jsonb),
  private.company_duplicates(),
  private.conditions(text, jsonb),
  private.contact_card(public.contacts),
  private.contact_cards(uuid[]),
  private.contact_conditions(jsonb),
  private.contact_duplicates(),
  private.count_of(text, jsonb),
  private.day_start(jsonb, text, integer),
  private.deal_card(public.deals),
  private.deal_cards(uuid[]),
  private.deal_conditions(jsonb),
  private.delete_all(text, jsonb),
  private.duplicates(text),
  private.fill_contact(uuid, jsonb, uuid),
  private.first_stage(),
  private.hits(text),
  private.ids_of(text, jsonb, integer),
  private.is_search(jsonb),
  private.known_records(jsonb),
  private.label_of(uuid, uuid),
  private.last_contact(public.contacts),
  private.like_pattern(text),
  private.linked_deals(uuid, uuid),
  private.lock_to_merge(text, uuid, jsonb),
  private.merge_cards(text, uuid[]),
  private.name_deed(text, text),
  private.names_in(uuid, jsonb, jsonb),
  private.national_number(text, text),
  private.neighbours(text, jsonb, text, boolean, uuid),
  private.newest_companies(jsonb, integer),
  private.newest_contacts(jsonb, integer),
  private.newest_deals(jsonb, integer),
  private.newest_tasks(jsonb, integer),
  private.outcome_of(text),
  private.own_conditions(text, jsonb),
  private.page(text, text, jsonb, text, boolean, jsonb, integer),
  private.page_of_ids(text, jsonb, text, boolean, jsonb, integer),
  private.phone_key(text, text),
  private.report_deals(jsonb, date, date, date, date, text),
  private.report_weeks(date, date, date, text, integer),
  private.search_card(text, uuid),
  private.search_condition(text),
  private.set_merged(text, uuid, jsonb),
  private.task_card(public.tasks),
  private.task_cards(uuid[]),
  private.task_conditions(jsonb),
  private.usual_probability(text),
  private.usual_stages(),
  private.website_host(text),
  public.create_calendar_feed(text),
  public.create_pipeline(text),
  public.move_deal(uuid, uuid, uuid, uuid)
  to authenticated, service_role;
