-- Several e-mail addresses, phone numbers and postal addresses for a contact or a company, and several links for a contact, each
-- with a label. "email" and "phone_number" of a contact are the first entries of their lists. Decision 037.

-- What a list may hold ----------------------------------------------------------------------------------------

create function private.refuse_entry(problem text) returns void
language plpgsql stable
set search_path = ''
as $$
begin
  -- A backup that holds such a thing is damaged: see private.write_rows.
  raise exception '%', problem || ' Nothing was saved.'
    using errcode = case when private.is_restoring() then '22023' else 'PT400' end;
end
$$;

create function private.entry_noun(list text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select case list when 'emails' then 'email address' when 'phones' then 'phone number' when 'links' then 'link' else 'address' end
$$;

create function private.entry_nouns(list text) returns text
language sql immutable parallel safe
set search_path = ''
as $$ select case list when 'emails' then 'email addresses' when 'phones' then 'phone numbers' else list end $$;

create function private.entry_parts(list text) returns text[]
language sql immutable parallel safe
set search_path = ''
as $$
  select case when list = 'addresses' then array['street', 'postal_code', 'city', 'region', 'country'] else array['value'] end
$$;
comment on function private.entry_parts is 'What an entry holds beside its label.';

create function private.tidy_entry(list text, entry jsonb) returns jsonb
language plpgsql immutable
set search_path = ''
as $$
declare
  parts text[] := private.entry_parts(list);
  tidied jsonb;
begin
  if jsonb_typeof(entry) <> 'object' or entry - 'label' - parts <> '{}'
    or exists (select from jsonb_each(entry) e where jsonb_typeof(e.value) not in ('string', 'null')) then
    perform private.refuse_entry(format('The %s cannot be read.', private.entry_nouns(list)));
  end if;
  select jsonb_object_agg(p.name, btrim(coalesce(entry ->> p.name, ''), E' \t\r\n')) into tidied
  from unnest(array['label'] || parts) p (name);
  -- As a browser completes what is typed into its address bar.
  if list = 'links' and tidied ->> 'value' <> '' and tidied ->> 'value' !~* '^[a-z][a-z0-9+.-]*:' then
    tidied := jsonb_set(tidied, '{value}', to_jsonb('https://' || (tidied ->> 'value')));
  end if;
  return case when tidied - 'label' <> private.blank_entry(list) then tidied end;
end
$$;
comment on function private.tidy_entry is
  'An entry as it is stored: every text trimmed, and there; null when it says nothing but a label.';

create function private.blank_entry(list text) returns jsonb
language sql immutable parallel safe
set search_path = ''
as $$ select case when list = 'addresses' then '{"street": "", "postal_code": "", "city": "", "region": "", "country": ""}' else '{"value": ""}' end::jsonb $$;

create function private.entry_key(list text, entry jsonb) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select lower(case when list = 'addresses' then concat_ws(E'\n', entry ->> 'street', entry ->> 'postal_code', entry ->> 'city',
    entry ->> 'region', entry ->> 'country') else entry ->> 'value' end)
$$;
comment on function private.entry_key is 'Entries of the same key are the same, whatever their labels.';

create function private.entries_in(given jsonb) returns jsonb
language sql immutable parallel safe
set search_path = ''
-- Clients that know no column types send an empty list as {}, the way PostgreSQL writes an empty array.
as $$ select case when given is null or given in ('{}', 'null') then '[]' else given end $$;

create function private.checked_entries(list text, given jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  noun text := private.entry_noun(list);
  most integer := case list when 'emails' then 320 when 'phones' then 50 when 'links' then 2000 else 500 end;
  entry jsonb;
  reported text;
  keys text[] := '{}';
  checked jsonb := '[]';
begin
  if jsonb_typeof(given) <> 'array' then
    perform private.refuse_entry(format('The %s cannot be read.', private.entry_nouns(list)));
  end if;
  for entry in select private.tidy_entry(list, e.value) from jsonb_array_elements(given) with ordinality as e (value, place) order by e.place loop
    continue when entry is null;
    reported := entry ->> 'value';
    if char_length(entry ->> 'label') > 40 then
      perform private.refuse_entry('A label can have at most 40 characters.');
    elsif exists (select from jsonb_each_text(entry - 'label') p where char_length(p.value) > most) then
      perform private.refuse_entry(format(case when list = 'addresses' then 'Each line of an address can have at most %s characters.'
        when list = 'emails' then 'An email address can have at most %s characters.'
        else 'A ' || noun || ' can have at most %s characters.' end, trim(to_char(most, '9,999'))));
    elsif list = 'emails' and reported !~ '^[^\s@]+@[^\s@]+$' then
      perform private.refuse_entry(format('“%s” is not an email address.', left(reported, 100)));
    elsif list = 'links' and reported !~* '^https?://[^\s/?#]+\S*$' then
      perform private.refuse_entry(format('“%s” is not a web address, such as https://acme.com.', left(reported, 100)));
    elsif private.entry_key(list, entry) = any (keys) then
      perform private.refuse_entry(format('The %s “%s” is there twice.', noun, left(coalesce(reported, entry ->> 'street'), 100)));
    elsif cardinality(keys) = 20 then
      perform private.refuse_entry(format('A record can have at most 20 %s.', private.entry_nouns(list)));
    end if;
    keys := keys || private.entry_key(list, entry);
    checked := checked || entry;
  end loop;
  return checked;
end
$$;
comment on function private.checked_entries is 'The entries of a list as they are stored, or a refusal in words.';

-- The first entry of a list is also a column ------------------------------------------------------------------

create function private.with_first(entries jsonb, reported text) returns jsonb
language sql immutable
set search_path = ''
as $$
  select jsonb_build_array(coalesce(k.entry, '{"label": ""}') || jsonb_build_object('value', reported))
    || case when k.place is null then entries else entries - (k.place - 1)::integer end
  from (select) nothing
  left join lateral (
    select e.entry, e.place from jsonb_array_elements(entries) with ordinality as e (entry, place)
    where lower(e.entry ->> 'value') = lower(reported) limit 1
  ) k on true
$$;
comment on function private.with_first is 'The entries with this one first, which may be among them: it keeps its label, and all others their order.';

create function private.entries_after(list text, were jsonb, given jsonb, first_was text, first_given text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  checked jsonb;
begin
  if given = were then
    return case
      when first_given is not distinct from first_was then were
      -- The first alone was written. All others stay.
      when first_given is null then were - 0
      when were = '[]' or exists (
        select from jsonb_array_elements(were - 0) e where lower(e.value ->> 'value') = lower(first_given)
      ) then private.with_first(were, first_given)
      else jsonb_set(were, '{0,value}', to_jsonb(first_given))
    end;
  end if;
  checked := private.checked_entries(list, given);
  if first_given is not null and first_given is distinct from first_was
    and lower(first_given) is distinct from lower(checked -> 0 ->> 'value') then
    -- Both were written, and do not agree. Nothing is lost: the column says which is first.
    checked := private.checked_entries(list, private.with_first(checked, first_given));
  end if;
  return checked;
end
$$;
comment on function private.entries_after is
  'A list after a write of it, of the column that is its first, or of both. The column alone: the first is changed, or removed, or changes places with one that is there.';

create function private.keep_contact_entries() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  were public.contacts;
begin
  if tg_op = 'INSERT' and new.emails = '[]' and new.phones = '[]' and new.links = '[]' and new.addresses = '[]' then
    -- By far the most, and a hundred thousand of them in an import. What they hold is checked with the columns.
    if new.email is not null then
      new.emails := jsonb_build_array(jsonb_build_object('label', '', 'value', new.email));
    end if;
    if new.phone_number is not null then
      new.phones := jsonb_build_array(jsonb_build_object('label', '', 'value', new.phone_number));
    end if;
    return new;
  end if;
  if tg_op = 'UPDATE' then
    were := old;
  else
    were.emails := '[]';
    were.phones := '[]';
    were.links := '[]';
    were.addresses := '[]';
  end if;
  new.emails := private.entries_after('emails', were.emails, private.entries_in(new.emails), were.email, new.email);
  new.email := new.emails -> 0 ->> 'value';
  new.phones := private.entries_after('phones', were.phones, private.entries_in(new.phones), were.phone_number, new.phone_number);
  new.phone_number := new.phones -> 0 ->> 'value';
  new.links := private.entries_after('links', were.links, private.entries_in(new.links), null, null);
  new.addresses := private.entries_after('addresses', were.addresses, private.entries_in(new.addresses), null, null);
  return new;
end
$$;
comment on function private.keep_contact_entries is
  'What a contact''s lists hold is checked, and email and phone_number are the first of theirs, whichever of the two is written.';

create function private.keep_company_entries() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.emails := private.checked_entries('emails', private.entries_in(new.emails));
  new.phones := private.checked_entries('phones', private.entries_in(new.phones));
  new.addresses := private.checked_entries('addresses', private.entries_in(new.addresses));
  return new;
end
$$;

create function private.entry_texts(emails jsonb, phones jsonb, links jsonb, addresses jsonb) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select string_agg(t.reported, ' ') from (
    select e.value ->> 'value' from jsonb_array_elements(emails || links) e
    union all
    select regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g') from jsonb_array_elements(phones) e
    union all
    select concat_ws(' ', e.value ->> 'street', e.value ->> 'postal_code', e.value ->> 'city', e.value ->> 'region', e.value ->> 'country')
    from jsonb_array_elements(addresses) e
  ) t (reported)
  where t.reported <> ''
$$;
comment on function private.entry_texts is 'What is searched of lists: all but the labels, and of phone numbers the digits.';

-- Lookups by any address or number read the lists of only those contacts that have more than the first entry.
create index contacts_with_more on public.contacts (user_id)
  where jsonb_array_length(emails) > 1 or jsonb_array_length(phones) > 1;

-- The search for duplicates reads the links of the contacts that have any.
create index contacts_with_links on public.contacts (user_id) where links <> '[]';

-- The names put these triggers after "clean", which trims the texts: triggers fire in the order of their names. Writes
-- that change no entry do not call them.
create trigger entries_added before insert on public.contacts
  for each row when (
    new.email is not null or new.phone_number is not null or new.emails is distinct from '[]' or new.phones is distinct from '[]'
    or new.links is distinct from '[]' or new.addresses is distinct from '[]'
  ) execute function private.keep_contact_entries();
create trigger entries_changed before update on public.contacts
  for each row when (
    new.email is distinct from old.email or new.phone_number is distinct from old.phone_number
    or new.emails is distinct from old.emails or new.phones is distinct from old.phones
    or new.links is distinct from old.links or new.addresses is distinct from old.addresses
  ) execute function private.keep_contact_entries();
create trigger entries_added before insert on public.companies
  for each row when (
    new.emails is distinct from '[]' or new.phones is distinct from '[]' or new.addresses is distinct from '[]'
  ) execute function private.keep_company_entries();
create trigger entries_changed before update on public.companies
  for each row when (
    new.emails is distinct from old.emails or new.phones is distinct from old.phones or new.addresses is distinct from old.addresses
  ) execute function private.keep_company_entries();

-- Merging lists -----------------------------------------------------------------------------------------------

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
  united jsonb := private.all_entries(list, entries, more);
begin
  if jsonb_array_length(united) > 20 and united <> private.entries_in(entries) then
    raise exception '% would have more than 20 %. Nothing was saved; remove some first.', coalesce(about, 'The record'),
      private.entry_nouns(list) using errcode = 'PT409';
  end if;
  return united;
end
$$;
comment on function private.united_entries is 'A list and what another adds to it, each once. What stands first stays first.';

create function private.has_entry(entries jsonb, key text) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$ select exists (select from jsonb_array_elements(entries) e where lower(e.value ->> 'value') = key) $$;
comment on function private.has_entry is 'Whether a list holds this value, in small letters.';

-- Makes private.united_emails, private.united_phones, private.united_links, private.united_addresses.
do $$
declare
  list text;
begin
  foreach list in array array['emails', 'phones', 'links', 'addresses'] loop
    execute format('create function private.%1$I(own jsonb, more jsonb) returns jsonb language sql stable set search_path = '''' as
      $united$ select private.united_entries(%2$L, own, more) $united$', 'united_' || list, list);
    execute format('revoke all on function private.%I(jsonb, jsonb) from public, anon, authenticated', 'united_' || list);
    execute format('grant execute on function private.%I(jsonb, jsonb) to authenticated, service_role', 'united_' || list);
  end loop;
end
$$;

-- Imports and merges read this table: a further column of this kind needs a row here and no change of their functions.
create table private.list_columns (
  kind text not null,
  name text not null,
  united text not null,
  in_merges boolean not null default true,
  primary key (kind, name)
);
comment on table private.list_columns is
  'Columns to which an import and a merge add, such as those that hold several values. "united" is the function that makes one value of two: what is there first, and null as good as none. A merge asks about some of them instead.';
revoke all on private.list_columns from public, anon, authenticated;

-- A merge runs with the rights of the caller.
grant select on private.list_columns to authenticated, service_role;

insert into private.list_columns (kind, name, united, in_merges) values
  ('contacts', 'tags', 'private.united_tags', true),
  ('companies', 'tags', 'private.united_tags', true),
  ('deals', 'tags', 'private.united_tags', true),
  ('contacts', 'birthday', 'private.fuller_birthday', false),
  ('contacts', 'emails', 'private.united_emails', true),
  ('contacts', 'phones', 'private.united_phones', true),
  ('contacts', 'links', 'private.united_links', true),
  ('contacts', 'addresses', 'private.united_addresses', true),
  ('companies', 'emails', 'private.united_emails', true),
  ('companies', 'phones', 'private.united_phones', true),
  ('companies', 'addresses', 'private.united_addresses', true);

-- More than 20 entries ----------------------------------------------------------------------------------------

-- When an import or a merge would give a record more than 20 entries of a list, the first 20 stay. The others are kept as text,
-- in the notes of a contact or in a note on a company. Decisions 037 and 055.

create function private.first_entries(entries jsonb) returns jsonb
language sql immutable parallel safe
set search_path = ''
as $$
  select coalesce(jsonb_agg(e.entry order by e.place), '[]')
  from jsonb_array_elements(entries) with ordinality as e (entry, place) where e.place <= 20
$$;
comment on function private.first_entries is 'As many entries as a list can hold.';

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

create function private.fitting_entries(list text, entries jsonb, more jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select case when jsonb_array_length(a.entries) <= 20 then a.entries else private.first_entries(a.entries) end
  from private.all_entries(list, entries, more) as a (entries)
$$;
comment on function private.fitting_entries is 'A list and what another adds to it, as far as a list can hold it.';

create function private.entry_lines(list text, entries jsonb) returns text[]
language sql stable
set search_path = ''
as $$
  select array(
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
    from jsonb_array_elements(entries) with ordinality as e (entry, place)
    where e.place > 20 order by e.place
  )
$$;
comment on function private.entry_lines is 'What is beyond the 20 entries that a list can hold, a line each, with its label.';

create function private.entries_beyond(list text, entries jsonb, more jsonb) returns text[]
language sql stable
set search_path = ''
as $$
  select case
    -- What is no list is refused when it is written.
    when jsonb_typeof(private.entries_in(more)) <> 'array' then '{}'
    when jsonb_array_length(entries) + jsonb_array_length(private.entries_in(more)) <= 20 then '{}'
    else private.entry_lines(list, private.all_entries(list, entries, more))
  end
$$;
comment on function private.entries_beyond is 'What a list cannot hold of another, a line each, with its label.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.refuse_entry(text), private.entry_noun(text), private.entry_nouns(text), private.entry_parts(text),
  private.tidy_entry(text, jsonb), private.blank_entry(text), private.entry_key(text, jsonb),
  private.entries_in(jsonb), private.checked_entries(text, jsonb), private.with_first(jsonb, text),
  private.entries_after(text, jsonb, jsonb, text, text), private.keep_contact_entries(),
  private.keep_company_entries(), private.entry_texts(jsonb, jsonb, jsonb, jsonb), private.is_same_number(text, text),
  private.united_entries(text, jsonb, jsonb, text), private.has_entry(jsonb, text), private.first_entries(jsonb),
  private.all_entries(text, jsonb, jsonb), private.fitting_entries(text, jsonb, jsonb),
  private.entry_lines(text, jsonb), private.entries_beyond(text, jsonb, jsonb)
  from public, anon, authenticated;
-- Triggers and functions that are no definers run these with the rights of the caller.
grant execute on function
  private.refuse_entry(text), private.entry_noun(text), private.entry_nouns(text), private.entry_parts(text),
  private.tidy_entry(text, jsonb), private.blank_entry(text), private.entry_key(text, jsonb),
  private.entries_in(jsonb), private.checked_entries(text, jsonb), private.with_first(jsonb, text),
  private.entries_after(text, jsonb, jsonb, text, text), private.keep_contact_entries(),
  private.keep_company_entries(), private.entry_texts(jsonb, jsonb, jsonb, jsonb), private.is_same_number(text, text),
  private.united_entries(text, jsonb, jsonb, text), private.has_entry(jsonb, text), private.first_entries(jsonb),
  private.all_entries(text, jsonb, jsonb), private.entry_lines(text, jsonb)
  to authenticated, service_role;
