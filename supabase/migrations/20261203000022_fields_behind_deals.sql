-- A file of deals tells of their contacts and companies more than our fields hold. Such columns become fields of contacts and of
-- companies, made with the rows like those of deals. Decision 035.

-- One column more: of which records a field is.
drop function private.import_fields(private.imports);
create function private.import_fields(i private.imports)
returns table (id uuid, record text, name text, kind text, options jsonb, there public.fields)
language sql stable
set search_path = ''
as $$
  select w.id, n.record, btrim(w.name), w.kind, coalesce(w.options, '[]'), f
  from jsonb_to_recordset(i.fields) as w (id uuid, record text, name text, kind text, options jsonb)
  cross join lateral (select coalesce(w.record, i.kind) as record) n
  left join public.fields f on f.user_id = i.user_id and f.record = n.record and f.id = w.id
$$;
comment on function private.import_fields is
  'The own fields that a file brings, each with the field that is there already, if any: of its own records, and in a file of deals of contacts and companies too.';
revoke all on function private.import_fields(private.imports) from public, anon, authenticated;

create or replace function private.check_import_fields(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  brought record;
  options jsonb;
  added text[] := '{}';
  crowded record;
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
      select from public.fields f where f.user_id = i.user_id and f.record = brought.record and lower(f.name) = lower(brought.name)
    ) then
      raise exception 'There is already a field “%”. Choose it for the column, or give the new one another name.', brought.name
        using errcode = 'PT409';
    end if;
    perform private.checked_options(brought.kind, options);
    added := added || brought.record;
  end loop;
  select a.stored, a.added into crowded
  from (
    select count(*) as added, (select count(*) from public.fields f where f.user_id = i.user_id and f.record = n.record) as stored
    from unnest(added) as n (record) group by n.record
  ) a
  where a.stored + a.added > 100 limit 1;
  if found then
    raise exception 'There can be at most 100 custom fields here: you have %, and this file brings %. Leave out some columns, or put them into the notes.',
      crowded.stored, crowded.added using errcode = 'PT409';
  end if;
end
$$;

create or replace function private.write_import_fields(i private.imports) returns void
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
      where p.import_id = i.id and case
        when brought.record = i.kind then r.reported -> 'custom' ? brought.id::text
        when brought.record = 'contacts' then private.related_values(r.reported, 'person') -> 'custom' ? brought.id::text
        else private.related_values(r.reported, 'organisation') -> 'custom' ? brought.id::text
      end
    );
    if (brought.there).id is null then
      insert into public.fields (id, user_id, record, name, kind, options)
      values (brought.id, i.user_id, brought.record, brought.name, brought.kind, brought.options);
    else
      update public.fields f set options = private.options_with(f.options, brought.options)
      where f.user_id = i.user_id and f.id = brought.id and f.options <> private.options_with(f.options, brought.options);
    end if;
  end loop;
end
$$;

create or replace function private.related_values(reported jsonb, side text) returns jsonb
language sql immutable
set search_path = ''
as $$
  select case
    when jsonb_typeof(reported -> side) <> 'object' then '{}'
    when jsonb_typeof(reported -> side -> 'custom') <> 'object' then (reported -> side) - 'custom'
    else coalesce(reported -> side, '{}')
  end
$$;

create function private.filled_custom(owner uuid, kind text, there jsonb, reported jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select private.imported_custom(owner, there, (
    select jsonb_object_agg(s.key, s.value)
    from jsonb_each(reported) s
    cross join (select private.seen_values(there, '{}', private.gone_options_of(kind)) as seen) t
    where jsonb_typeof(s.value) = 'array' or not t.seen ? s.key
  ))
$$;
comment on function private.filled_custom is
  'The values of own fields of a contact or a company after a row of deals: only what is empty is filled, and several choices are added to.';
revoke all on function private.filled_custom(uuid, text, jsonb, jsonb) from public, anon, authenticated;

create or replace function private.related_columns(of_kind text) returns table (name text, definition text, added text, filled text)
language sql stable
set search_path = ''
as $$
  select c.name, c.definition,
    case when c.name = 'notes'
      then '(select string_agg(p.part, E''\n'' order by p.place) from jsonb_array_elements_text(v.note_parts) with ordinality as p (part, place))'
      else c.added end,
    case
      -- By these they are found, and of the company of a contact the deal says nothing.
      when c.name in ('name', 'first_name', 'last_name', 'email', 'company_id') then null
      when c.name = 'custom'
        then format('case when v.custom is null then o.custom else private.filled_custom(o.user_id, %L, o.custom, v.custom) end', of_kind)
      when c.name = 'notes' or c.definition like '% jsonb' or c.definition like '%[]' then c.changed
      else format('case when o.%1$I is null then %2$s else o.%1$I end', c.name, c.changed)
    end
  from private.import_columns(of_kind) c
$$;

create or replace function private.related_values_of(i private.imports, after bigint, last bigint, side text)
returns table (id uuid, reported jsonb)
language sql stable
set search_path = ''
as $$
  with reported as materialized (
    select n.id, w.place, e.key, e.value
    from private.planned_rows(i, after, last) w
    cross join lateral (select case side when 'person' then w.contact_id else w.company_id end as id) n
    cross join lateral jsonb_each(private.related_values(w.reported, side)) e
    where w.reported ? side and n.id is not null
  ),
  parts as (
    select s.id, s.place, s.key, null as field, s.value from reported s where s.key <> 'custom'
    union all
    select s.id, s.place, s.key, f.key, f.value
    from reported s
    cross join lateral jsonb_each(case when s.key = 'custom' then s.value else '{}' end) f
  ),
  values_of as (
    select s.id, s.key, s.field, case
      when bool_and(jsonb_typeof(s.value) = 'array') then private.joined_lists(jsonb_agg(s.value order by s.place))
      else (array_agg(s.value order by s.place))[1]
    end as value
    from parts s group by s.id, s.key, s.field
  )
  select v.id, coalesce(jsonb_object_agg(v.key, v.value) filter (where v.field is null), '{}') || case
      when count(v.field) = 0 then '{}'
      else jsonb_build_object('custom', jsonb_object_agg(v.field, v.value) filter (where v.field is not null))
    end
  from values_of v group by v.id
$$;

-- A deal that is there and lost takes a reason from a row that names no stage; one that is imported as new beside it is not lost,
-- and lost the reason. It is kept in a note.
create or replace function private.plan_import(i private.imports, duplicates text) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  delete from private.import_plans p where p.import_id = i.id;
  with writes as materialized (
    select w.place, w.target, private.fold(w.reported ->> 'company') as key from private.import_writes(i, duplicates) w
  ),
  named as materialized (
    select f.key, f.place, coalesce(k.id, gen_random_uuid()) as company_id, k.id is null as is_new
    from (select w.key, min(w.place) as place from writes w where w.key is not null group by w.key) f
    left join private.company_keys(i.user_id) k on k.key = f.key
  )
  insert into private.import_plans (import_id, user_id, place, target, company_id, adds_company)
  select i.id, i.user_id, w.place, w.target, n.company_id, coalesce(n.is_new and n.place = w.place, false)
  from writes w left join named n on n.key = w.key;
  update private.import_rows r set reported = (r.reported - 'lost_reason' - 'lost_note')
    || jsonb_build_object('kept_notes', coalesce(r.reported -> 'kept_notes', '[]') || jsonb_build_array(r.reported -> 'lost_note'))
  from private.import_plans p
  where i.kind = 'deals' and p.import_id = i.id and p.target is null
    and r.import_id = i.id and r.place = p.place and r.reported ? 'lost_note';
  perform private.write_import_fields(i);
end
$$;
