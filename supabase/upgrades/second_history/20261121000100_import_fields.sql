-- Imports that lose nothing: columns of a file become fields of the user's own, which are made with the rows and taken back
-- with them; a record that is there is never left with less than it had; and the dry run says what would change. Decision 035.

-- Fields that a file brings ----------------------------------------------------------------------------------

alter table private.imports add column fields jsonb not null default '[]';
comment on column private.imports.fields is
  'Own fields that the file brings: {id, name, kind, options}. One that is there already gets the options that it lacks.';

drop function public.start_import(uuid, text, text, integer);
create function public.start_import(id uuid, kind text, file_name text, total integer, fields jsonb default '[]') returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  if total is null or total not between 1 and 200000 then
    raise exception 'An import can have at most 200,000 rows.' using errcode = 'PT400';
  end if;
  if jsonb_typeof(fields) is distinct from 'array' or jsonb_array_length(fields) > 200 then
    raise exception 'The fields of an import are a list of at most 200.' using errcode = 'PT400';
  end if;
  -- What was begun and left is not kept for ever, nor are the problems of what is long done.
  delete from private.imports i
  where i.user_id = private.caller() and i.summary is null and i.created_at < now() - interval '1 day';
  delete from private.import_rows r using private.imports i
  where r.user_id = private.caller() and i.id = r.import_id and i.done_at < now() - interval '1 day';

  insert into private.imports (id, user_id, kind, file_name, total, fields)
  values (
    start_import.id, private.caller(), start_import.kind,
    coalesce(left(private.blank_to_null(start_import.file_name), 255), 'Pasted text'), start_import.total,
    start_import.fields
  )
  on conflict do nothing;
  return public.import_state(start_import.id);
end
$$;
comment on function public.start_import is
  'Begins an import under an id that the browser gives, with the own fields that the file brings; told twice, it begins once. A definer because the tables of imports are closed.';

create function private.import_fields(i private.imports)
returns table (id uuid, name text, kind text, options jsonb, there public.fields)
language sql stable
set search_path = ''
as $$
  select w.id, btrim(w.name), w.kind, coalesce(w.options, '[]'), f
  from jsonb_to_recordset(i.fields) as w (id uuid, name text, kind text, options jsonb)
  left join public.fields f on f.user_id = i.user_id and f.record = i.kind and f.id = w.id
$$;
comment on function private.import_fields is 'The own fields that a file brings, each with the field that is there already, if any.';

create function private.options_with(there jsonb, more jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$
  select there || coalesce(jsonb_agg(m.option order by m.place), '[]')
  from jsonb_array_elements(more) with ordinality as m (option, place)
  where not there @> jsonb_build_array(jsonb_build_object('id', m.option -> 'id'))
$$;
comment on function private.options_with is 'The options of a field and, after them, those of a file that it lacks.';

create function private.check_import_fields(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  brought record;
  options jsonb;
  added bigint := 0;
  stored bigint;
begin
  for brought in select * from private.import_fields(i) loop
    options := private.options_with(coalesce((brought.there).options, '[]'), brought.options);
    if jsonb_array_length(options) > 100 then
      raise exception '“%” would have % options, and a field can have at most 100. Choose another field for the column.',
        coalesce((brought.there).name, brought.name), jsonb_array_length(options) using errcode = 'PT409';
    end if;
    if (brought.there).id is not null then
      if options <> (brought.there).options then
        perform private.checked_options((brought.there).kind, options);
      end if;
      continue;
    end if;
    if exists (
      select from public.fields f where f.user_id = i.user_id and f.record = i.kind and lower(f.name) = lower(brought.name)
    ) then
      raise exception 'There is already a field “%”. Choose it for the column, or give the new one another name.', brought.name
        using errcode = 'PT409';
    end if;
    perform private.checked_options(brought.kind, options);
    added := added + 1;
  end loop;
  if added = 0 then
    return;
  end if;
  select count(*) into stored from public.fields f where f.user_id = i.user_id and f.record = i.kind;
  if stored + added > 100 then
    raise exception 'There can be at most 100 fields of your own here: you have %, and this file brings %. Leave out some columns, or put them into the notes.',
      stored, added using errcode = 'PT409';
  end if;
end
$$;
comment on function private.check_import_fields is 'Refuses fields that could not be made, before anything is written.';

create function private.write_import_fields(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  brought record;
begin
  for brought in select * from private.import_fields(i) loop
    -- Of rows that are skipped nothing stays behind.
    continue when not exists (
      select from private.import_plans p
      join private.import_rows r on r.import_id = p.import_id and r.place = p.place
      where p.import_id = i.id and r.said -> 'custom' ? brought.id::text
    );
    if (brought.there).id is null then
      insert into public.fields (id, user_id, record, name, kind, options)
      values (brought.id, i.user_id, i.kind, brought.name, brought.kind, brought.options);
    else
      update public.fields f set options = private.options_with(f.options, brought.options)
      where f.user_id = i.user_id and f.id = brought.id and f.options <> private.options_with(f.options, brought.options);
    end if;
  end loop;
end
$$;
comment on function private.write_import_fields is
  'Makes the own fields of an import, and the options that it adds, in its batch: whatever takes the rows back takes these back too.';

create or replace function private.check_names(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  field text;
  names bigint;
begin
  perform private.check_import_fields(i);
  if i.kind <> 'deals' then
    return;
  end if;
  foreach field in array array['pipeline', 'stage'] loop
    select count(distinct private.fold(r.said ->> field)) into names
    from private.import_rows r where r.import_id = i.id and r.said ? field;
    if names > 100 then
      raise exception 'The file names % different %s. Is the right column chosen?', names, field using errcode = 'PT400';
    end if;
  end loop;
end
$$;
comment on function private.check_names is
  'A column of something else, taken for pipelines or stages, would fill the board with them; own fields are checked too.';

create or replace function private.plan_import(i private.imports, duplicates text) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  delete from private.import_plans p where p.import_id = i.id;
  with writes as materialized (
    select w.place, w.target, private.fold(w.said ->> 'company') as key from private.import_writes(i, duplicates) w
  ),
  named as materialized (
    select f.key, f.place, coalesce(k.id, gen_random_uuid()) as company_id, k.id is null as is_new
    from (select w.key, min(w.place) as place from writes w where w.key is not null group by w.key) f
    left join private.company_keys(i.user_id) k on k.key = f.key
  )
  insert into private.import_plans (import_id, user_id, place, target, company_id, adds_company)
  select i.id, i.user_id, w.place, w.target, n.company_id, coalesce(n.is_new and n.place = w.place, false)
  from writes w left join named n on n.key = w.key;
  perform private.write_import_fields(i);
end
$$;
comment on function private.plan_import is 'Finds which rows are written, and which company each names; makes the fields that they need.';

-- A name that a row only guesses at ---------------------------------------------------------------------------

create function private.keeps_name(contact public.contacts, said jsonb) returns boolean
language sql stable
set search_path = ''
as $$
  select case said ->> 'name_from'
    -- A name beside an address is not the file's word for the person.
    when 'address' then coalesce(contact.first_name, contact.last_name) is not null
    -- Where a full name ends is a guess; what was written by hand is none.
    when 'full name' then private.fold(concat_ws(' ', contact.first_name, contact.last_name))
        = private.fold(concat_ws(' ', said ->> 'first_name', said ->> 'last_name'))
      or contact.last_name is not null and not said ? 'last_name'
    else false
  end
$$;
comment on function private.keeps_name is 'Whether a contact keeps its name, because the row only guesses at one.';

create function private.said_of(target uuid, said jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select case when exists (
    select from public.contacts c where c.id = target and private.keeps_name(c, said)
  ) then said - 'first_name' - 'last_name' else said end
$$;
comment on function private.said_of is 'What a row says of a record that is there: without a name that is only a guess.';

-- No search path of its own, so that the planner writes its body into the query, see contact_card.
create or replace function private.planned_rows(i private.imports, after bigint, last bigint)
returns table (place integer, said jsonb, target uuid, company_id uuid, contact_id uuid, adds_company boolean, adds_contact boolean)
language sql stable
as $$
  select p.place, case when p.target is not null and r.said ? 'name_from' then private.said_of(p.target, r.said) else r.said end,
    p.target, p.company_id, p.contact_id, p.adds_company, p.adds_contact
  from private.import_plans p
  join private.import_rows r on r.import_id = p.import_id and r.place = p.place
  where p.import_id = i.id and p.place > after and p.place <= last
    and r.import_id = i.id and r.place > after and r.place <= last
$$;

-- What an update would change --------------------------------------------------------------------------------

create function private.import_changes(i private.imports, places integer[]) returns table (place integer, changes jsonb)
language plpgsql stable
set search_path = ''
as $$
begin
  return query execute (
    select format(
      'select w.place, coalesce(jsonb_object_agg(d.name, jsonb_build_array(d.before, d.after)) filter (where d.name is not null), ''{}'')
       from (
         select r.place, private.said_of(m.target, r.said) as said, m.target, null::uuid as company_id
         from private.import_rows r
         join private.import_matches m on m.import_id = r.import_id and m.place = r.place
         where r.import_id = $1.id and r.place = any ($2) and m.target is not null and m.twin is null and not m.is_same
       ) w
       cross join lateral jsonb_to_record(w.said) as v (note_parts jsonb, %2$s)
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
            select to_jsonb(case when private.fold(k.name) = private.fold(w.said ->> ''company'') then k.name else coalesce(w.said ->> ''company'', k.name) end)
            from (select (select k.name from public.companies k where k.user_id = o.user_id and k.id = o.company_id) as name) k
          ))'
        else '' end)
    from private.import_columns(i.kind) c
  ) using i, places;
end
$$;
comment on function private.import_changes is
  'What some rows would change of the records that are there: {column: [before, after]}, by the rules by which it is written. Of deals what the row and the deal alone decide.';

create or replace function public.import_page(id uuid, found text[], after integer default 0, page_size integer default 100) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  -- Asked for before the rows are: whoever asks for an import that is not there is refused, whatever the plan.
  i private.imports := private.own_import(import_page.id);
  places integer[];
begin
  places := array(
    select r.place
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
  );
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'place', p.place,
      'said', p.said,
      'target', case when m.twin is null then m.target end,
      'reason', case
        when p.problem is not null then p.problem
        when m.twin is not null and m.is_by_email then 'The same e-mail stands in row ' || m.twin || '.'
        when m.twin is not null then 'The same record stands in row ' || m.twin || '.'
        when m.target is null then null
        when m.is_same then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' is there already and says the same.'
        when m.is_by_email then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' has this e-mail already.'
        else coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' is there already.'
      end
    ) || case
      when m.twin is null and m.target is not null and not m.is_same
      then jsonb_build_object('changes', coalesce(c.changes, '{}'))
        || case when i.kind = 'deals' then jsonb_build_object('stored', private.stored_deal(m.target)) else '{}' end
      else '{}'
    end order by p.place), '[]')
    from private.import_rows p
    left join private.import_matches m on m.import_id = p.import_id and m.place = p.place
    left join private.import_changes(i, places) c on c.place = p.place
    where p.import_id = i.id and p.place = any (places)
  );
end
$$;
comment on function public.import_page is
  'Rows of an import that were found to be such, in the order of the file, after a place; with the reason, and what each would change of a record that is there. A definer because the tables of imports are closed.';

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  public.start_import(uuid, text, text, integer, jsonb), private.import_fields(private.imports), private.options_with(jsonb, jsonb),
  private.check_import_fields(private.imports), private.write_import_fields(private.imports),
  private.keeps_name(public.contacts, jsonb), private.said_of(uuid, jsonb), private.import_changes(private.imports, integer[])
  from public, anon, authenticated;
grant execute on function public.start_import(uuid, text, text, integer, jsonb) to authenticated, service_role;
