-- A file of deals may describe their contacts and companies in columns for which these have no field. Such columns become custom
-- fields of contacts and companies, created with the rows, as those of deals are. Decision 035.

-- Has a new column, "record": the kind of record to which a field belongs.
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

-- A row that names no stage may give the reason of an existing deal that is lost. If the row is imported as a new deal instead, that
-- deal is not lost, and the reason was dropped. Now it is kept in a note.
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

-- Computed for every contact or company of the account, the keys took most of the time of an import. Inlined, and with fewer regular
-- expressions, they take a small part of it, and are the same.
-- No search path of its own, so that the planner inlines it, see contact_card.
create or replace function private.match_keys(kind text, links jsonb, website text, emails jsonb, phones jsonb) returns setof text
language sql immutable
as $$
  select 'profile ' || k.key
  from jsonb_array_elements(case when kind = 'contacts' and jsonb_typeof(links) = 'array' then links else '[]' end) e
  cross join lateral (select private.profile_key(regexp_replace(e.value ->> 'value', '^(?!https?://)', 'https://', 'i')) as key) k
  where k.key is not null
  union all
  select 'site ' || k.key
  from (select lower(website) as address) a
  cross join lateral (
    select case when a.address like 'https://%' then substr(a.address, 9) when a.address like 'http://%' then substr(a.address, 8) else a.address end
  ) b (address)
  cross join lateral (select rtrim(case when b.address like 'www.%' then substr(b.address, 5) else b.address end, '/#?') as key) k
  where kind = 'companies' and k.key <> ''
  union all
  select 'mail ' || lower(e.value ->> 'value')
  from jsonb_array_elements(case when kind = 'companies' and jsonb_typeof(emails) = 'array' then emails else '[]' end) e
  union all
  select 'phone ' || k.key
  from jsonb_array_elements(case when kind = 'companies' and jsonb_typeof(phones) = 'array' then phones else '[]' end) e
  -- What is left without all that is no digit.
  cross join lateral (select translate(e.value ->> 'value', translate(e.value ->> 'value', '0123456789', ''), '') as key) k
  where length(k.key) >= 7
$$;

-- For each company that a row identifies by site, address or number, the query went through all companies. Now it finds once which
-- companies the file names ("called"). Nothing else has changed.
create or replace function private.match_import(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  if (select count(*) from private.import_rows r where r.import_id = i.id) <> i.total then
    raise exception 'The file has not arrived whole. Please send it again.' using errcode = 'PT409';
  end if;
  delete from private.import_matches m where m.import_id = i.id;
  if i.kind = 'deals' then
    perform private.match_deals(i);
    return;
  end if;
  with theirs as materialized (
    select * from private.records_of(i.user_id, i.kind)
  ),
  by_name as (
    select distinct on (t.name_key) t.name_key, t.id from theirs t where t.name_key is not null order by t.name_key, t.created_at, t.id
  ),
  by_name_alone as (
    select distinct on (t.name_key) t.name_key, t.id from theirs t where t.email_key is null order by t.name_key, t.created_at, t.id
  ),
  addresses as materialized (
    select r.place, k.email_key, k.nth,
      private.fold(nullif(concat_ws(' ', r.reported ->> 'first_name', r.reported ->> 'last_name'), '')) as called
    from private.import_rows r cross join lateral unnest(r.email_keys) with ordinality as k (email_key, nth)
    where r.import_id = i.id and r.problem is null
  ),
  -- Of several addresses the first that somebody has. One that is a further address of both, as that of an office is, makes no
  -- two people of different names one.
  at_address as (
    select distinct on (a.place) a.place, t.id
    from addresses a
    join theirs t on t.email_key = a.email_key
    left join public.contacts c on a.nth > 1 and c.id = t.id
    where c.id is null or lower(c.email) = a.email_key
      or coalesce(a.called = private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), '')), true)
    order by a.place, a.nth, t.created_at, t.id
  ),
  row_keys as materialized (
    select r.place, r.name_key, k.key
    from private.import_rows r
    cross join lateral private.match_keys(i.kind, r.reported -> 'links', r.reported ->> 'website', r.reported -> 'emails', r.reported -> 'phones') k (key)
    where r.import_id = i.id and r.problem is null
  ),
  their_keys as materialized (
    select c.id, k.key from public.contacts c cross join lateral private.match_keys('contacts', c.links, null, null, null) k (key)
    where i.kind = 'contacts' and c.user_id = i.user_id and exists (select from row_keys)
    union all
    select c.id, k.key from public.companies c cross join lateral private.match_keys('companies', null, c.website, c.emails, c.phones) k (key)
    where i.kind = 'companies' and c.user_id = i.user_id and exists (select from row_keys)
  ),
  meant as materialized (
    select r.place, r.name_key, (array_agg(t.id))[1] as id
    from row_keys r join their_keys t on t.key = r.key
    group by r.place, r.name_key having count(distinct t.id) = 1
  ),
  -- Companies of one site, as those of a group, are several: what two names of the file could mean is neither's.
  meant_twice as (select m.id from meant m group by m.id having count(distinct m.name_key) > 1),
  called as (
    select n.id, n.name_key from by_name n
    where n.name_key in (select r.name_key from private.import_rows r where r.import_id = i.id)
  ),
  at_key as (
    select m.place, m.id
    from meant m
    left join meant_twice t on t.id = m.id
    left join called c on c.id = m.id and c.name_key <> m.name_key
    where i.kind = 'contacts' or t.id is null and c.id is null
  ),
  -- Two people of one name and company with two addresses are two; an address against none does not part them.
  known as materialized (
    select r.place, r.email_key, r.name_key, e.id is not null as is_by_email,
      case when i.kind = 'contacts' then coalesce(e.id, p.id, n.id, a.id) else coalesce(n.id, p.id) end as target
    from private.import_rows r
    left join at_address e on e.place = r.place
    left join at_key p on p.place = r.place
    left join by_name n on n.name_key = r.name_key and r.email_key is null
    left join by_name_alone a on a.name_key = r.name_key and r.email_key is not null
    where r.import_id = i.id and r.problem is null
  ),
  first_of_address as (select distinct on (a.email_key) a.* from addresses a order by a.email_key, a.place),
  first_email as (
    select a.place as of_place, min(f.place) as place
    from addresses a
    join first_of_address f on f.email_key = a.email_key
    where least(a.nth, f.nth) = 1 or coalesce(a.called = f.called, true)
    group by 1
  ),
  first_name as (
    select k.name_key, min(k.place) as place, min(k.place) filter (where k.email_key is null) as place_alone from known k group by 1
  ),
  first_profile as (
    select r.place as of_place, min(o.place) as place from row_keys r join row_keys o on o.key = r.key where i.kind = 'contacts' group by 1
  ),
  first_target as (select k.target, min(k.place) as place from known k where k.target is not null group by 1)
  insert into private.import_matches (import_id, user_id, place, target, twin, is_by_email)
  select i.id, i.user_id, k.place, k.target,
    -- A record that is there is surer than a row of the file under the same name.
    case
      when k.target is not null then nullif(t.place, k.place)
      else nullif(least(e.place, l.place, case when k.email_key is null then n.place else n.place_alone end, k.place), k.place)
    end,
    case when k.target is null then coalesce(e.place < k.place, false) else k.is_by_email end
  from known k
  left join first_email e on e.of_place = k.place
  left join first_profile l on l.of_place = k.place
  left join first_name n on n.name_key = k.name_key
  left join first_target t on t.target = k.target
  where k.target is not null or e.place < k.place or l.place < k.place
    or case when k.email_key is null then n.place else n.place_alone end < k.place;
end
$$;
