-- Duplicates, merges, imports and quick add know every e-mail address and phone number of a contact, not the first alone.

-- Lists put together -----------------------------------------------------------------------------------------

create function private.is_same_number(one text, other text) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$
  -- With and without the country code; different codes are different numbers.
  select case
    when d.one = d.other then d.one <> ''
    when length(d.one) < length(d.other) then length(d.one) >= 7 and d.other like '%' || d.one
    else length(d.other) >= 7 and d.one like '%' || d.other
  end
  from (
    select ltrim(regexp_replace(is_same_number.one, '[^0-9]', '', 'g'), '0') as one,
      ltrim(regexp_replace(is_same_number.other, '[^0-9]', '', 'g'), '0') as other
  ) d
$$;
comment on function private.is_same_number is 'As domain/merge.ts compares phone numbers.';

create function private.united_entries(list text, entries jsonb, more jsonb, about text default null) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  entry jsonb;
begin
  entries := private.entries_in(entries);
  more := private.entries_in(more);
  if more = '[]' or more = entries then
    return entries;
  end if;
  if jsonb_typeof(more) <> 'array' then
    perform private.refuse_entry(format('The %s cannot be read.', private.entry_nouns(list)));
  end if;
  for entry in
    select private.tidy_entry(list, e.value) from jsonb_array_elements(more) with ordinality as e (value, place) order by e.place
  loop
    continue when entry is null or exists (
      select from jsonb_array_elements(entries) e
      where private.entry_key(list, e.value) = private.entry_key(list, entry)
        or list = 'phones' and private.is_same_number(e.value ->> 'value', entry ->> 'value')
    );
    entries := entries || entry;
  end loop;
  if jsonb_array_length(entries) > 20 then
    raise exception '% would have more than 20 %. Nothing was saved; remove some first.', coalesce(about, 'The record'),
      private.entry_nouns(list) using errcode = 'PT409';
  end if;
  return entries;
end
$$;
comment on function private.united_entries is 'A list and what another adds to it, each once. What stands first stays first.';

create function private.has_entry(entries jsonb, key text) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$ select exists (select from jsonb_array_elements(entries) e where lower(e.value ->> 'value') = key) $$;
comment on function private.has_entry is 'Whether a list holds this value, in small letters.';

-- Duplicates -------------------------------------------------------------------------------------------------

create or replace function private.contact_duplicates()
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
  more as materialized (
    select c.id, c.emails - 0 as emails, c.phones - 0 as phones from public.contacts c
    where jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1
  ),
  mails as materialized (
    select k.id, k.email_key as key from keys k where k.email_key is not null
    union all
    select m.id, lower(e.value ->> 'value') from more m cross join lateral jsonb_array_elements(m.emails) e
  ),
  numbers as materialized (
    select k.id, k.phone_key as key from keys k where k.phone_key is not null
    union all
    -- One number that is written in two ways is one.
    select distinct m.id, n.phone_key
    from more m
    join keys k on k.id = m.id
    cross join lateral jsonb_array_elements(m.phones) e
    cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
    where n.phone_key is distinct from k.phone_key and n.phone_key is not null
  ),
  names as materialized (
    select * from private.alike_names()
  ),
  same_mails as materialized (
    select m.id, m.key from mails m where m.key in (select e.key from mails e group by 1 having count(*) > 1)
  ),
  same_numbers as materialized (
    select n.id, n.key from numbers n where n.key in (select p.key from numbers p group by 1 having count(*) > 1)
  ),
  suspects as materialized (
    select c.id, c.company_id, c.created_at, c.first_name, c.last_name, n.name_key
    from (
      select i.id from names i union select i.id from same_mails i union select i.id from same_numbers i
    ) s
    join public.contacts c on c.id = s.id
    left join names n on n.id = s.id
  ),
  companies as (
    select s.name_key, count(distinct s.company_id) as companies from suspects s where s.name_key is not null group by 1
  ),
  -- Numbers under which there are several names, and the family names of those who have them.
  shared as materialized (
    select n.id, n.key,
      -- Of a single word one cannot tell what it is.
      substring(private.spelling(s.first_name || ' ' || s.last_name, '.,-_/') from ' ([^ ]+)$') as family
    from same_numbers n join suspects s on s.id = n.id
    where n.key in (
      select p.key from same_numbers p join suspects o on o.id = p.id group by 1
      having min(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, '')) <> max(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, ''))
    )
  ),
  families as (
    select s.key from shared s group by 1 having count(distinct s.family) > 1
  ),
  keyed as materialized (
    select 'email' as reason, m.id, m.key from same_mails m
    union all
    -- People of different families share a switchboard, not a phone.
    select 'phone', n.id, n.key || ' ' || case when f.key is null then '' else coalesce(h.family, '') end
    from same_numbers n
    left join shared h on h.id = n.id and h.key = n.key
    left join families f on f.key = n.key
    union all
    select 'name', s.id, case
        -- A single word tells a person only among those of one company.
        when s.name_key not like '% %' then s.name_key || ' ' || s.company_id
        -- Of one name, people of different companies are different people.
        when c.companies > 1 then s.name_key || ' ' || coalesce(s.company_id::text, '')
        else s.name_key
      end
    from suspects s
    left join companies c on c.name_key = s.name_key
    where s.name_key is not null
  ),
  groups as materialized (
    select k.reason, k.key, count(*) as size, array_agg(k.id order by s.created_at, k.id) as members, max(s.created_at) as newest
    from keyed k join suspects s on s.id = k.id
    where k.key is not null
    group by k.reason, k.key having count(*) > 1
  ),
  -- By what all of a group agree, and how many others do too.
  agreed as (
    select g.reason, g.key, o.reason as other, o.key as other_key, o.size as other_size
    from groups g
    join keyed mine on mine.reason = g.reason and mine.key = g.key
    join keyed k on k.id = mine.id
    join groups o on o.reason = k.reason and o.key = k.key and o.size >= g.size
    group by g.reason, g.key, g.size, o.reason, o.key, o.size having count(*) = g.size
  ),
  judged as (
    select a.reason, a.key, bool_or(a.other = 'email') as is_email, bool_or(a.other = 'phone') as is_phone,
      bool_or(a.other = 'name') as is_name,
      -- The same people, or they and more, share another address or number.
      coalesce(bool_or(a.other_key > a.key or a.other_size > g.size) filter (where a.other = a.reason and a.other_key <> a.key), false) as is_there
    from agreed a join groups g on g.reason = a.reason and g.key = a.key
    group by a.reason, a.key
  )
  select g.reason || ' ' || g.members[1] || coalesce(' ' || nullif(row_number() over (partition by g.reason, g.members[1] order by g.key), 1), ''),
    array_remove(array[case when is_email then 'email' end, case when is_phone then 'phone' end, case when is_name then 'name' end], null),
    is_email::integer * 4 + is_phone::integer * 2 + is_name::integer,
    g.newest, g.members
  from groups g join judged j on j.reason = g.reason and j.key = g.key
  where not j.is_there
    -- The same people under a stronger reason are there already.
    and not (g.reason = 'phone' and is_email) and not (g.reason = 'name' and (is_email or is_phone))
    and (
      not exists (select from public.not_duplicates n where n.one_contact_id is not null)
      or cardinality(g.members) * (cardinality(g.members) - 1) / 2 > (
        select count(*) from public.not_duplicates n
        where n.one_contact_id = any (g.members) and n.other_contact_id = any (g.members)
      )
    )
$$;
comment on function private.contact_duplicates is
  'Groups of contacts that share one of their e-mail addresses, one of their phone numbers (and, where several families do, the family name) or a name (and, where people of several companies do, the company). Every reason is an equal key, so it takes one pass over the contacts. Who was told apart in every pair does not come again.';

-- Merges -----------------------------------------------------------------------------------------------------

do $$
declare
  list text;
begin
  foreach list in array array['emails', 'phones', 'links', 'addresses'] loop
    execute format('create function private.%1$I(own jsonb, more jsonb) returns jsonb language sql stable set search_path = '''' as
      $united$ select private.united_entries(%2$L, own, more) $united$', 'united_' || list, list);
    execute format('revoke all on function private.%I(jsonb, jsonb) from public, anon, authenticated', 'united_' || list);
    execute format('grant execute on function private.%I(jsonb, jsonb) to authenticated, service_role', 'united_' || list);
    execute format('insert into private.list_columns (kind, name, united) values (''contacts'', %L, %L)', list, 'private.united_' || list);
    if list <> 'links' then
      execute format('insert into private.list_columns (kind, name, united) values (''companies'', %L, %L)', list, 'private.united_' || list);
    end if;
  end loop;
end
$$;

create or replace function private.with_lists(kind text, keep uuid, gone uuid[], changes jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  part record;
  other uuid;
  kept jsonb;
  list jsonb;
begin
  for part in select l.name, l.united from private.list_columns l where l.kind = with_lists.kind and l.in_merges loop
    -- Whoever says what the list shall be has looked at all of them.
    continue when changes ? part.name;
    execute format('select to_jsonb(k.%I) from public.%I k where k.id = $1', part.name, kind) into kept using keep;
    list := kept;
    foreach other in array gone loop
      execute format(
        'select to_jsonb(%1$s((select k.%2$I from jsonb_populate_record(null::public.%3$I, jsonb_build_object(%2$L, $1)) k), o.%2$I))
         from public.%3$I o where o.id = $2', part.united, part.name, kind)
      into list using list, other;
    end loop;
    if list <> kept then
      changes := changes || jsonb_build_object(part.name, list);
    end if;
  end loop;
  -- Which address or number is first, its column says; that there is none, the list alone.
  return changes - array(
    select f.name from (values ('email'), ('phone_number')) f (name) where kind = 'contacts' and changes -> f.name = 'null'
  );
end
$$;

-- Imports ----------------------------------------------------------------------------------------------------

create table private.import_rules (
  kind text not null,
  name text not null,
  added text,
  changed text,
  is_plain boolean not null default false,
  primary key (kind, name)
);
alter table private.import_rules enable row level security;
revoke all on private.import_rules from public, anon, authenticated, service_role;
comment on table private.import_rules is
  'Columns that a row of an import fills in a way of its own, as private.import_columns tells them; a later file adds rows here.';

insert into private.import_rules (kind, name, added, changed, is_plain) values
  ('contacts', 'company_id', 'w.company_id', 'coalesce(w.company_id, o.company_id)', false),
  -- Nothing is replaced: see added_notes.
  ('contacts', 'notes', null,
    'case when v.notes is null then o.notes else private.added_notes(o, coalesce(v.note_parts, jsonb_build_array(v.notes))) end', false),
  -- A field is filled or changed by a value of its own column alone.
  ('contacts', 'custom', null, '(o.custom || jsonb_strip_nulls(coalesce(v.custom, ''{}'')))', true),
  ('companies', 'custom', null, '(o.custom || jsonb_strip_nulls(coalesce(v.custom, ''{}'')))', true),
  ('deals', 'custom', null, '(o.custom || jsonb_strip_nulls(coalesce(v.custom, ''{}'')))', true),
  -- An address that is new becomes the first, before those that are there; one that is there changes nothing.
  ('contacts', 'email', null,
    'case when v.email is null or private.has_entry(o.emails, lower(v.email)) then o.email else v.email end', false),
  ('contacts', 'phone_number', null, 'private.imported_phone(o, v.phone_number)', false),
  -- By these the record was found.
  ('companies', 'name', null, 'o.name', false),
  ('deals', 'name', null, 'o.name', false),
  ('deals', 'company_id', 'w.company_id', 'o.company_id', false),
  ('deals', 'contact_id', 'w.contact_id', 'coalesce(o.contact_id, w.contact_id)', false),
  ('deals', 'pipeline_id', 'coalesce(p.pipeline_id, usual.pipeline_id)', 'coalesce(p.pipeline_id, o.pipeline_id)', false),
  ('deals', 'stage_id', 'p.stage_id', 's.id', false),
  ('deals', 'lost_reason', 'case when s.outcome = ''lost'' then v.lost_reason end',
    'case when s.outcome = ''lost'' then coalesce(v.lost_reason, o.lost_reason) end', false);

-- Lists are added to, each entry once: private.list_columns.
insert into private.import_rules (kind, name, added, changed)
select l.kind, l.name, format('private.united_entries(%1$L, ''[]'', v.%1$I)', l.name),
  case when l.first is not null then format(
    'private.united_entries(%1$L, o.%1$I, private.with_value(v.%1$I, v.%2$I), private.record_name(''contacts'', o.id))', l.name, l.first) end
from (values
  ('contacts', 'emails', 'email'), ('contacts', 'phones', 'phone_number'), ('contacts', 'links', null), ('contacts', 'addresses', null),
  ('companies', 'emails', null), ('companies', 'phones', null), ('companies', 'addresses', null)
) as l (kind, name, first);

create function private.with_value(entries jsonb, said text) returns jsonb
language sql immutable
set search_path = ''
as $$
  select private.entries_in(entries) || case when said is null then '[]' else jsonb_build_array(jsonb_build_object('label', '', 'value', said)) end
$$;

create function private.imported_phone(contact public.contacts, said text) returns text
language sql stable
set search_path = ''
as $$
  select case when said is null or exists (
    select from jsonb_array_elements(contact.phones) e
    where lower(e.value ->> 'value') = lower(said) or private.is_same_number(e.value ->> 'value', said)
  ) then contact.phone_number else said end
$$;
comment on function private.imported_phone is 'The first phone number of a contact after a row of an import that says one.';

create or replace function private.import_columns(of_kind text)
returns table (name text, definition text, added text, changed text, is_plain boolean)
language sql stable
set search_path = ''
as $$
  select c.name, case when c.type <> 'uuid' then format('%I %s', c.name, c.type) end,
    coalesce(s.added, format(case when c.usual is null then 'v.%I' else 'coalesce(v.%I, %s)' end, c.name, c.usual)),
    coalesce(s.changed, format(coalesce(l.united || '(o.%1$I, v.%1$I)', 'coalesce(v.%1$I, o.%1$I)'), c.name)),
    coalesce(s.is_plain, true)
  from private.columns_of(format('public.%I', of_kind)::regclass) c
  left join private.import_rules s on s.kind = of_kind and s.name = c.name
  left join private.list_columns l on l.kind = of_kind and l.name = c.name
  -- A row says a link by the name of the record.
  where c.is_writable and (c.type <> 'uuid' or s.name is not null)
$$;
comment on function private.import_columns is
  'The columns that a row of an import fills: how it says them ("v"), and what a new record gets and one that is there ("o") becomes. All that its owner may write; a field that a later file adds needs no word here, unless it is filled in a way of its own: private.import_rules.';

create or replace function private.rest_of_contact(row_name text) returns text
language sql stable
set search_path = ''
as $$
  select format('concat_ws('' '', %s)', string_agg(format(case
      when c.name = 'custom' then 'nullif(%1$I.%2$I, ''{}'')::text'
      when c.type = 'jsonb' then 'private.entry_texts(''[]'', ''[]'', private.united_entries(%2$L, ''[]'', %1$I.%2$I), ''[]'')'
      else '%1$I.%2$I'
    end, row_name, c.name), ', '))
  from private.columns_of('public.contacts') c
  where c.is_writable and (c.type = 'text' and c.usual is null or c.name in ('custom', 'links'))
    and c.name not in ('first_name', 'last_name', 'email', 'phone_number')
$$;

alter table private.import_rows add column email_keys text[] not null default '{}';
comment on column private.import_rows.email_keys is 'All e-mail addresses that a row of contacts says, in small letters, the first one first.';

create function private.email_keys(email text, emails jsonb) returns text[]
language sql immutable
set search_path = ''
as $$
  select array(
    select k.key from (
      select lower(email) as key, 0 as place
      union all
      select lower(btrim(e.entry ->> 'value', E' \t\r\n')), e.place
      from jsonb_array_elements(case when jsonb_typeof(emails) = 'array' then emails else '[]' end) with ordinality as e (entry, place)
    ) k
    where k.key <> '' group by k.key order by min(k.place)
  )
$$;

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
    'insert into private.import_rows (import_id, user_id, place, said, problem, email_key, email_keys, name_key)
     select $1.id, $1.user_id, r.place, coalesce(r.said, ''{}''), r.problem, m.keys[1], m.keys,
       case $1.kind
         when ''contacts'' then k.key
         when ''companies'' then private.fold(v.name)
         else private.fold(v.name || E''\n'' || coalesce(v.company, ''''))
       end
     from jsonb_to_recordset($2) as r (place integer, said jsonb, problem text)
     cross join lateral jsonb_to_record(coalesce(r.said, ''{}'')) as v (name text, company text, %s)
     cross join lateral (
       select case
         when $1.kind <> ''contacts'' or v.email is null and v.emails is null then ''{}''
         when v.emails is null then array[lower(v.email)]
         else private.email_keys(v.email, v.emails)
       end as keys
     ) m
     cross join lateral private.contact_key(v.first_name, v.last_name, coalesce(v.phone_number, v.phones #>> ''{0,value}''), v.company, %s) k
     on conflict do nothing',
    (select string_agg(c.definition, ', ') from private.import_columns('contacts') c where c.definition like '% text' or c.definition like '% jsonb'),
    private.rest_of_contact('v'))
  using i, rows;
  select count(*) into received from private.import_rows r where r.import_id = i.id;
  if received > i.total then
    raise exception 'More rows were sent than the file has.' using errcode = 'PT400';
  end if;
  return received;
end
$$;

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
       where c.user_id = $1
       union all
       select c.id, lower(e.value ->> ''value''), null, c.created_at
       from public.contacts c cross join lateral jsonb_array_elements(c.emails - 0) e
       where c.user_id = $1 and (jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1)
       union all
       select c.id, lower(c.email), n.key, c.created_at
       from public.contacts c
       left join public.companies k on k.user_id = c.user_id and k.id = c.company_id
       cross join lateral jsonb_array_elements(c.phones - 0) e
       cross join lateral private.contact_key(null, null, e.value ->> ''value'', k.name, null) n
       where c.user_id = $1 and (jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1) and coalesce(c.first_name, c.last_name) is null',
      private.rest_of_contact('c'))
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
comment on function private.records_of is
  'What an account has of a kind, by the keys that rows of an import are compared with: a contact once for each of its addresses, and one without a name once for each of its numbers.';

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
      private.fold(nullif(concat_ws(' ', r.said ->> 'first_name', r.said ->> 'last_name'), '')) as called
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
  -- Two people of one name and company with two addresses are two; an address against none does not part them.
  known as materialized (
    select r.place, r.email_key, r.name_key, e.id is not null as is_by_email, coalesce(e.id, n.id, a.id) as target
    from private.import_rows r
    left join at_address e on e.place = r.place
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
  first_target as (select k.target, min(k.place) as place from known k where k.target is not null group by 1)
  insert into private.import_matches (import_id, user_id, place, target, twin, is_by_email)
  select i.id, i.user_id, k.place, k.target,
    -- A record that is there is surer than a row of the file under the same name.
    case
      when k.target is not null then nullif(t.place, k.place)
      else nullif(least(e.place, case when k.email_key is null then n.place else n.place_alone end, k.place), k.place)
    end,
    case when k.target is null then coalesce(e.place < k.place, false) else k.is_by_email end
  from known k
  left join first_email e on e.of_place = k.place
  left join first_name n on n.name_key = k.name_key
  left join first_target t on t.target = k.target
  where k.target is not null or e.place < k.place
    or case when k.email_key is null then n.place else n.place_alone end < k.place;
end
$$;
comment on function private.match_import is
  'Finds which rows are there already, by one of their e-mail addresses or else by name and company, as a record or earlier in the file.';

-- The contact of a deal.
create or replace function private.deal_contacts(i private.imports)
returns table (place integer, key text, of_company text, contact_id uuid)
language sql stable -- no search path of its own, see contact_card
as $$
  with named as materialized (
    select w.place, lower(v.contact_email) as email, w.company_id,
      private.fold(nullif(concat_ws(' ', v.contact_first_name, v.contact_last_name), '')) as key
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    cross join lateral jsonb_to_record(r.said) as v (contact_email text, contact_first_name text, contact_last_name text)
    where w.import_id = i.id and coalesce(v.contact_email, v.contact_first_name, v.contact_last_name) is not null
  ),
  people as materialized (
    select c.id, lower(c.email) as email, c.company_id, c.created_at,
      private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), '')) as key
    from public.contacts c where c.user_id = i.user_id
    union all
    select c.id, lower(e.value ->> 'value'), null, c.created_at, null
    from public.contacts c cross join lateral jsonb_array_elements(c.emails - 0) e
    where c.user_id = i.user_id and (jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1)
  ),
  by_email as (select distinct on (p.email) p.email, p.id from people p where p.email is not null order by p.email, p.created_at, p.id),
  by_both as (
    select distinct on (p.key, p.company_id) p.key, p.company_id, p.id from people p
    where p.key is not null and p.company_id is not null order by p.key, p.company_id, p.created_at, p.id
  ),
  by_name as (select distinct on (p.key) p.key, p.id from people p where p.key is not null order by p.key, p.created_at, p.id)
  -- An address says who is meant; a name alone may be anybody's, so one of the deal's company comes first.
  select n.place, coalesce(n.email, n.key, ''), case when n.email is null then coalesce(n.company_id::text, '') else '' end,
    case when n.email is not null then e.id else coalesce(b.id, a.id) end
  from named n
  left join by_email e on e.email = n.email
  left join by_both b on b.key = n.key and b.company_id = n.company_id
  left join by_name a on a.key = n.key
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
    -- A contact is known by its addresses and by its name; a file may say either.
    cross join lateral unnest(case
      when not says.contact then array['']
      when d.contact_id is null then array['nobody']
      else array['@' || lower(c.email), '=' || private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), ''))]
        || case when jsonb_array_length(c.emails) > 1 then array(
          select '@' || lower(e.value ->> 'value') from jsonb_array_elements(c.emails - 0) e
        ) end
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

-- Quick add --------------------------------------------------------------------------------------------------

create or replace function private.known_contacts(me uuid, said jsonb, has_company boolean, company uuid, is_alone boolean) returns uuid[]
language plpgsql stable -- planned for the name that is asked for: only then an index finds what begins so
set search_path = ''
as $$
begin
  return array(
    select c.id
    from (
      select private.fold(btrim(coalesce(said ->> 'first_name', ''))) as first_name,
        private.fold(btrim(coalesce(said ->> 'last_name', ''))) as last_name,
        private.name_key(said ->> 'first_name', said ->> 'last_name') as name_key,
        lower(btrim(said ->> 'email')) as email, p.phone_key
      from private.phone_key(said ->> 'phone_number', regexp_replace(said ->> 'phone_number', '[^0-9]', '', 'g')) p
    ) s
    cross join lateral (
      select e.id from (
        select c.id from public.contacts c where c.user_id = me and lower(c.email) = s.email limit 5
      ) e
      union
      -- The index of what is searched knows the other addresses too.
      select m.id from (
        select c.id from public.contacts c
        where c.user_id = me and said ->> 'email' is not null and c.search_text like private.like_pattern(said ->> 'email')
          and private.has_entry(c.emails, s.email)
        limit 5
      ) m
      union
      select f.id from (
        select c.id from public.contacts c
        where c.user_id = me and s.phone_key is not null and c.search_text like '%' || right(s.phone_key, 7) || '%'
        limit 50
      ) f
      union
      select n.id from (
        select c.id from public.contacts c
        where c.user_id = me and (s.last_name <> '' or is_alone) and private.name_key(c.first_name, c.last_name) = s.name_key
        limit 50
      ) n
      union
      -- Among hundreds of the same first name, the one of the company must not be missed.
      select o.id from (
        select c.id from public.contacts c
        where c.user_id = me and c.company_id = company and s.last_name = ''
          and s.first_name in (private.fold(btrim(c.first_name)), private.fold(btrim(c.last_name)))
        limit 50
      ) o
      union
      select b.id from (
        select c.id from public.contacts c
        where c.user_id = me and s.last_name = '' and s.first_name <> '' and not is_alone
          and left(private.fold(btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))), 100)
            like substr(private.like_pattern(s.first_name), 2)
          and s.first_name in (private.fold(btrim(c.first_name)), private.fold(btrim(c.last_name)))
        limit 50
      ) b
      union
      select l.id from (
        select c.id from public.contacts c
        where c.user_id = me and s.last_name = '' and char_length(s.first_name) > 2 and not is_alone
          and c.search_text like regexp_replace(private.like_pattern(s.first_name), '^%(.*)%$', '% \1 %')
          and private.fold(btrim(c.last_name)) = s.first_name
        limit 50
      ) l
    ) k
    join public.contacts c on c.id = k.id
    cross join lateral (
      select coalesce(s.phone_key = any (array_agg(n.phone_key)), false) as is_phone
      from jsonb_array_elements(c.phones) e
      cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
    ) p
    -- One address, one person. Otherwise nothing that was said may be wrong about them.
    where private.has_entry(c.emails, s.email) or (
      (s.email is null or c.email is null)
      and (s.phone_key is null or c.phone_number is null or p.is_phone)
      and (not has_company or c.company_id is null or c.company_id = company)
      and (s.name_key is null or private.name_key(c.first_name, c.last_name) is null
        or private.name_key(c.first_name, c.last_name) = s.name_key
        or (s.last_name = '' and not is_alone
          and s.first_name in (private.fold(btrim(c.first_name)), private.fold(btrim(c.last_name)))))
    )
    order by case when s.email is null then c.email is not null else not private.has_entry(c.emails, s.email) end,
      not p.is_phone and (s.phone_key is not null or c.phone_number is not null),
      c.company_id is distinct from company,
      -- 'Call James' means the first name rather than the last.
      private.fold(btrim(c.first_name)) is distinct from s.first_name, c.updated_at desc, c.id
    limit 5
  );
end
$$;

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.is_same_number(text, text), private.united_entries(text, jsonb, jsonb, text), private.has_entry(jsonb, text),
  private.with_value(jsonb, text), private.imported_phone(public.contacts, text), private.email_keys(text, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.is_same_number(text, text), private.united_entries(text, jsonb, jsonb, text), private.has_entry(jsonb, text)
  to authenticated, service_role;
