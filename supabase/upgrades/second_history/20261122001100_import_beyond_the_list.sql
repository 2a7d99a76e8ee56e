-- An update that would give a record more than 20 entries of a list: the first 20 stay, and the others are kept as text, in the
-- notes of a contact or in a note on a company. See docs/decisions/037-more-than-one.md.

create function private.all_entries(list text, entries jsonb, more jsonb) returns jsonb
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
  return entries;
end
$$;
comment on function private.all_entries is 'A list and what another adds to it, each once, however many. What stands first stays first.';

create or replace function private.united_entries(list text, entries jsonb, more jsonb, about text default null) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  united jsonb := private.all_entries(list, entries, more);
begin
  if jsonb_array_length(united) > 20 and united <> private.entries_in(entries) then
    raise exception '% would have more than 20 %. Nothing was saved; remove some first.', coalesce(about, 'The record'),
      private.entry_nouns(list) using errcode = 'PT409';
  end if;
  return united;
end
$$;

create function private.fitting_entries(list text, entries jsonb, more jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select case when jsonb_array_length(a.entries) <= 20 then a.entries else (
    select jsonb_agg(e.entry order by e.place) from jsonb_array_elements(a.entries) with ordinality as e (entry, place) where e.place <= 20
  ) end
  from private.all_entries(list, entries, more) as a (entries)
$$;
comment on function private.fitting_entries is 'A list and what another adds to it, as far as a list can hold it.';

create function private.entries_beyond(list text, entries jsonb, more jsonb) returns text[]
language sql stable
set search_path = ''
as $$
  select case
    -- What is no list is refused when it is written.
    when jsonb_typeof(private.entries_in(more)) <> 'array' then '{}'
    when jsonb_array_length(entries) + jsonb_array_length(private.entries_in(more)) <= 20 then '{}'
    else array(
    select format('Other %s: %s', private.entry_noun(list), regexp_replace(case
        when list = 'addresses' then concat_ws(', ', nullif(e.entry ->> 'street', ''),
          nullif(concat_ws(' ', nullif(e.entry ->> 'postal_code', ''), nullif(e.entry ->> 'city', '')), ''),
          nullif(e.entry ->> 'region', ''), nullif(e.entry ->> 'country', ''))
        else e.entry ->> 'value'
      end, '\s*\n\s*', ', ', 'g'))
        || case e.entry ->> 'label'
          when '' then ''
          when 'work' then ' (Work)' when 'home' then ' (Home)' when 'mobile' then ' (Mobile)' when 'other' then ' (Other)'
          else format(' (%s)', e.entry ->> 'label')
        end
      from jsonb_array_elements(private.all_entries(list, entries, more)) with ordinality as e (entry, place)
      where e.place > 20 order by e.place
    )
  end
$$;
comment on function private.entries_beyond is 'What a list cannot hold of another, a line each, with its label.';

-- Contacts ---------------------------------------------------------------------------------------------------

create function private.imported_notes(contact public.contacts, parts jsonb, entries jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
begin
  parts := coalesce(parts, '[]') || to_jsonb(
    private.entries_beyond('emails', contact.emails, entries -> 'emails') || private.entries_beyond('phones', contact.phones, entries -> 'phones')
    || private.entries_beyond('links', contact.links, entries -> 'links') || private.entries_beyond('addresses', contact.addresses, entries -> 'addresses')
  );
  return case when parts = '[]' then contact.notes else private.added_notes(contact, parts) end;
end
$$;
comment on function private.imported_notes is 'The notes of a contact after a row of an import: nothing is replaced, and what a list cannot hold is added.';

create function private.imported_email(contact public.contacts, said text, entries jsonb) returns text
language sql stable
set search_path = ''
as $$
  select case
    when said is null or private.has_entry(contact.emails, lower(said)) then contact.email
    -- There is no room for it.
    when not private.has_entry(private.fitting_entries('emails', contact.emails, entries), lower(said)) then contact.email
    else said
  end
$$;
comment on function private.imported_email is 'The first address of a contact after a row of an import that says one.';

create or replace function private.imported_phone(contact public.contacts, said text) returns text
language sql stable
set search_path = ''
as $$
  select case when said is null or jsonb_array_length(contact.phones) >= 20 or exists (
    select from jsonb_array_elements(contact.phones) e
    where lower(e.value ->> 'value') = lower(said) or private.is_same_number(e.value ->> 'value', said)
  ) then contact.phone_number else said end
$$;

create or replace function private.with_value(entries jsonb, said text) returns jsonb
language sql immutable
set search_path = ''
as $$
  -- The first of a row has its place before all others of it.
  select case
    when said is null or private.has_entry(private.entries_in(entries), lower(said)) then private.entries_in(entries)
    else jsonb_build_array(jsonb_build_object('label', '', 'value', said)) || private.entries_in(entries)
  end
$$;

update private.import_rules r set changed = n.changed
from (values
  ('contacts', 'notes', 'private.imported_notes(o, coalesce(v.note_parts, case when v.notes is not null then jsonb_build_array(v.notes) end),
    jsonb_build_object(''emails'', private.with_value(v.emails, v.email), ''phones'', private.with_value(v.phones, v.phone_number),
      ''links'', v.links, ''addresses'', v.addresses))'),
  ('contacts', 'email', 'private.imported_email(o, v.email, private.with_value(v.emails, v.email))'),
  ('contacts', 'emails', 'private.fitting_entries(''emails'', o.emails, private.with_value(v.emails, v.email))'),
  ('contacts', 'phones', 'private.fitting_entries(''phones'', o.phones, private.with_value(v.phones, v.phone_number))'),
  ('contacts', 'links', 'private.fitting_entries(''links'', o.links, v.links)'),
  ('contacts', 'addresses', 'private.fitting_entries(''addresses'', o.addresses, v.addresses)'),
  ('companies', 'emails', 'private.fitting_entries(''emails'', o.emails, v.emails)'),
  ('companies', 'phones', 'private.fitting_entries(''phones'', o.phones, v.phones)'),
  ('companies', 'addresses', 'private.fitting_entries(''addresses'', o.addresses, v.addresses)')
) as n (kind, name, changed)
where r.kind = n.kind and r.name = n.name;

-- Companies --------------------------------------------------------------------------------------------------

create function private.note_companies(i private.imports, moment timestamptz, after bigint, last bigint) returns uuid[]
language sql
set search_path = ''
as $$
  with lines as (
    select c.id, l.line, min(l.place) as place
    from private.planned_rows(i, after, last) w
    join public.companies c on c.user_id = i.user_id and c.id = w.target
    cross join lateral unnest(
      private.entries_beyond('emails', c.emails, w.said -> 'emails') || private.entries_beyond('phones', c.phones, w.said -> 'phones')
      || private.entries_beyond('addresses', c.addresses, w.said -> 'addresses')
    ) with ordinality as l (line, place)
    where not exists (
      select from public.notes n
      where n.user_id = i.user_id and n.company_id = c.id and l.line = any (string_to_array(n.body, E'\n'))
    )
    group by c.id, l.line
  ),
  noted as (
    insert into public.notes (user_id, company_id, body, happened_at)
    select i.user_id, l.id, string_agg(l.line, E'\n' order by l.place), moment from lines l group by l.id
    returning company_id
  )
  select coalesce(array_agg(n.company_id), '{}') from noted n
$$;
comment on function private.note_companies is
  'Keeps what the lists of some companies could not hold as notes on them, unless it stands there already; tells which got one.';

create or replace function private.write_records(i private.imports, moment timestamptz, after bigint, last bigint) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
  updated uuid[];
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
      'with updated as (
         update public.%1$I c set %2$s
         from (
           select o.id, %3$s
           from private.planned_rows($1, $2, $3) w
           cross join lateral jsonb_to_record(w.said) as v (note_parts jsonb, %4$s)
           join public.%1$I o on o.id = w.target and (o.user_id = $1.user_id) is true
         ) n
         -- What says the same is left alone, its moment of the last change too.
         where c.id = n.id and (c.user_id = $1.user_id) is true and (%5$s) is distinct from (%6$s)
         returning c.id
       )
       select coalesce(array_agg(u.id), ''{}'') from updated u',
      i.kind, string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('c.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns(i.kind) c
  ) into updated using i, after, last;
  if i.kind = 'companies' then
    updated := updated || private.note_companies(i, moment, after, last);
  end if;
  return jsonb_build_object('added', added, 'updated', (select count(distinct u.id) from unnest(updated) as u (id)));
end
$$;

revoke all on function
  private.all_entries(text, jsonb, jsonb), private.fitting_entries(text, jsonb, jsonb), private.entries_beyond(text, jsonb, jsonb),
  private.imported_notes(public.contacts, jsonb, jsonb), private.imported_email(public.contacts, text, jsonb),
  private.note_companies(private.imports, timestamp with time zone, bigint, bigint)
  from public, anon, authenticated;
grant execute on function private.all_entries(text, jsonb, jsonb) to authenticated, service_role;
