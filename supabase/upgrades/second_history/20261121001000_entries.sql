-- More than one: the e-mail addresses, phone numbers, postal addresses and links of a contact or a company, each with a
-- label; and the middle name of a contact. "email" and "phone_number" are the first entries of their lists. Decision 037.

-- What a list may hold ---------------------------------------------------------------------------------------

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

create function private.blank_entry(list text) returns jsonb
language sql immutable parallel safe
set search_path = ''
as $$ select case when list = 'addresses' then '{"street": "", "postal_code": "", "city": "", "region": "", "country": ""}' else '{"value": ""}' end::jsonb $$;

comment on function private.tidy_entry is
  'An entry as it is stored: every text trimmed, and there; null when it says nothing but a label.';

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
-- A client that knows no types writes an empty list as PostgreSQL does.
as $$ select case when given is null or given in ('{}', 'null') then '[]' else given end $$;

create function private.checked_entries(list text, given jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  noun text := private.entry_noun(list);
  most integer := case list when 'emails' then 320 when 'phones' then 50 when 'links' then 2000 else 500 end;
  entry jsonb;
  said text;
  keys text[] := '{}';
  checked jsonb := '[]';
begin
  if jsonb_typeof(given) <> 'array' then
    perform private.refuse_entry(format('The %s cannot be read.', private.entry_nouns(list)));
  end if;
  for entry in select private.tidy_entry(list, e.value) from jsonb_array_elements(given) with ordinality as e (value, place) order by e.place loop
    continue when entry is null;
    said := entry ->> 'value';
    if char_length(entry ->> 'label') > 40 then
      perform private.refuse_entry('A label can have at most 40 characters.');
    elsif exists (select from jsonb_each_text(entry - 'label') p where char_length(p.value) > most) then
      perform private.refuse_entry(format(case when list = 'addresses' then 'Each line of an address can have at most %s characters.'
        when list = 'emails' then 'An email address can have at most %s characters.'
        else 'A ' || noun || ' can have at most %s characters.' end, trim(to_char(most, '9,999'))));
    elsif list = 'emails' and said !~ '^[^\s@]+@[^\s@]+$' then
      perform private.refuse_entry(format('“%s” is not an email address.', left(said, 100)));
    elsif list = 'links' and said !~* '^https?://[^\s/?#]+\S*$' then
      perform private.refuse_entry(format('“%s” is not a web address, such as https://acme.com.', left(said, 100)));
    elsif private.entry_key(list, entry) = any (keys) then
      perform private.refuse_entry(format('The %s “%s” is there twice.', noun, left(coalesce(said, entry ->> 'street'), 100)));
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

-- The first of a list is a column too ------------------------------------------------------------------------

create function private.with_first(entries jsonb, said text) returns jsonb
language sql immutable
set search_path = ''
as $$
  select jsonb_build_array(coalesce(k.entry, '{"label": ""}') || jsonb_build_object('value', said))
    || case when k.place is null then entries else entries - (k.place - 1)::integer end
  from (select) nothing
  left join lateral (
    select e.entry, e.place from jsonb_array_elements(entries) with ordinality as e (entry, place)
    where lower(e.entry ->> 'value') = lower(said) limit 1
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

-- Whoever writes a row runs its triggers, and what they call.
do $$
declare
  called text;
begin
  foreach called in array array[
    'refuse_entry(text)', 'entry_noun(text)', 'entry_nouns(text)', 'entry_parts(text)', 'tidy_entry(text, jsonb)', 'blank_entry(text)',
    'entry_key(text, jsonb)', 'entries_in(jsonb)', 'checked_entries(text, jsonb)', 'with_first(jsonb, text)',
    'entries_after(text, jsonb, jsonb, text, text)', 'keep_contact_entries()', 'keep_company_entries()'
  ] loop
    execute format('revoke all on function private.%s from public, anon, authenticated', called);
    execute format('grant execute on function private.%s to authenticated, service_role', called);
  end loop;
end
$$;

-- The columns ------------------------------------------------------------------------------------------------

create function private.entry_texts(emails jsonb, phones jsonb, links jsonb, addresses jsonb) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select string_agg(t.said, ' ') from (
    select e.value ->> 'value' from jsonb_array_elements(emails || links) e
    union all
    select regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g') from jsonb_array_elements(phones) e
    union all
    select concat_ws(' ', e.value ->> 'street', e.value ->> 'postal_code', e.value ->> 'city', e.value ->> 'region', e.value ->> 'country')
    from jsonb_array_elements(addresses) e
  ) t (said)
  where t.said <> ''
$$;
comment on function private.entry_texts is 'What is searched of lists: all but the labels, and of phone numbers the digits.';
revoke all on function private.entry_texts(jsonb, jsonb, jsonb, jsonb) from public, anon, authenticated;
grant execute on function private.entry_texts(jsonb, jsonb, jsonb, jsonb) to authenticated, service_role;

-- Dropped first, so that the next statement does not write its index anew, only to be dropped then.
alter table public.contacts drop column search_text;
alter table public.companies drop column search_text;

-- A default that is the same for all rows is written into no row.
alter table public.contacts
  add column middle_name text constraint contacts_middle_name_length check (char_length(middle_name) <= 200),
  add column emails jsonb not null default '[]',
  add column phones jsonb not null default '[]',
  add column links jsonb not null default '[]',
  add column addresses jsonb not null default '[]';
alter table public.companies
  add column emails jsonb not null default '[]',
  add column phones jsonb not null default '[]',
  add column addresses jsonb not null default '[]';
comment on column public.contacts.emails is 'In their order: {"label", "value"}. "email" is the value of the first.';
comment on column public.contacts.phones is 'In their order: {"label", "value"}. "phone_number" is the value of the first.';
comment on column public.contacts.links is 'In their order: {"label", "value"}; http and https only.';
comment on column public.contacts.addresses is 'In their order: {"label", "street", "postal_code", "city", "region", "country"}.';

-- Every contact gets its first entries. By a rewrite of the table, which is one pass: an update would run the triggers,
-- write the log, and leave each row twice.
alter table public.contacts
  alter column emails type jsonb using
    case when email is null then '[]' else jsonb_build_array(jsonb_build_object('label', '', 'value', email)) end,
  alter column phones type jsonb using
    case when phone_number is null then '[]' else jsonb_build_array(jsonb_build_object('label', '', 'value', phone_number)) end;

select private.add_field(c.target::regclass, c.name) from (values
  ('public.contacts', 'middle_name'), ('public.contacts', 'emails'), ('public.contacts', 'phones'),
  ('public.contacts', 'links'), ('public.contacts', 'addresses'),
  ('public.companies', 'emails'), ('public.companies', 'phones'), ('public.companies', 'addresses')
) as c (target, name);

-- The digits of the first phone number stay last: private.contact_duplicates looks for them there. A middle name is found
-- between the two others.
select
  private.make_searchable('public.contacts', array['first_name', 'last_name',
    $$coalesce(first_name || ' ', '') || middle_name || coalesce(' ' || last_name, '')$$, 'nickname', 'email',
    $$case when custom <> '{}' then private.own_texts(custom) end$$, $$case when tags <> '{}' then private.tag_words(tags) end$$,
    $$case when jsonb_array_length(emails) > 1 or jsonb_array_length(phones) > 1 or links <> '[]' or addresses <> '[]'
      then private.entry_texts(emails - 0, phones - 0, links, addresses) end$$,
    $$regexp_replace(phone_number, '[^0-9]', '', 'g')$$]),
  private.make_searchable('public.companies', array['name', 'industry', 'location',
    $$case when custom <> '{}' then private.own_texts(custom) end$$, $$case when tags <> '{}' then private.tag_words(tags) end$$,
    $$case when emails <> '[]' or phones <> '[]' or addresses <> '[]' then private.entry_texts(emails, phones, '[]', addresses) end$$]);

-- Whoever looks for all addresses and numbers looks up those that have more than the first.
create index contacts_with_more on public.contacts (user_id)
  where jsonb_array_length(emails) > 1 or jsonb_array_length(phones) > 1;

-- After "clean", which trims the texts; triggers fire in the order of their names. Who writes nothing of it waits for nothing.
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

-- A company's phone number is found however it is typed, as that of a contact is.
create or replace function private.in_search(kind text, held text, pattern text) returns text
language sql stable
set search_path = ''
as $$
  select format('(%s)', array_to_string(array[held] || private.holds_options(kind, pattern) || (
    select format('c.search_text like %L', n.pattern) from private.number_pattern(btrim(pattern, '%')) as n (pattern)
    where kind = 'companies' and n.pattern is not null and strpos(held, quote_literal(n.pattern)) = 0
  ), ' or '))
$$;
