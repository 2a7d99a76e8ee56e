-- Phone numbers are found however they were typed and however they are stored: people type the national form
-- (030 1234567) of what is stored as an international one (+49 30 1234567), or the other way round. And what only looks
-- like a number, such as 2026-11 in the name of a deal, is found as it was typed.

-- Returns a table and has no search path of its own, as phone_key, which it is a part of.
create function private.national_number(phone_number text, digits text) returns table (number text)
language sql stable
as $$
  select ltrim(case
    when i.said is null then digits
    -- Country codes: one digit for North America and Russia, else two or three, by their first two digits.
    when left(i.said, 1) in ('1', '7') then substr(i.said, 2)
    when left(i.said, 2) in ('20', '27', '30', '31', '32', '33', '34', '36', '39', '40', '41', '43', '44', '45', '46',
      '47', '48', '49', '51', '52', '53', '54', '55', '56', '57', '58', '60', '61', '62', '63', '64', '65', '66', '81', '82',
      '84', '86', '90', '91', '92', '93', '94', '95', '98') then substr(i.said, 3)
    else substr(i.said, 4)
  end, '0')
  from (
    select case
      when strpos(phone_number, '+') in (1, 2) then digits
      when digits like '00%' then substr(digits, 3)
    end as said
  ) i
$$;
comment on function private.national_number is 'The digits of a phone number without country code and leading zeros.';

create or replace function private.phone_key(phone_number text, digits text) returns table (phone_key text)
language sql stable
as $$
  select case when length(n.number) between 7 and 15 then right(n.number, 9) end
  from private.national_number(phone_number, digits) n
$$;

create or replace function private.like_pattern(words text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select '%' || replace(replace(replace(private.fold(btrim(words)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;

create or replace function private.search_condition(words text) returns text
language sql immutable
set search_path = ''
as $$ select format('c.search_text like %L', private.like_pattern(words)) $$;

create function private.number_pattern(words text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  -- Each form is the end of the one after it and so finds what that one finds, and more; too much where only a few
  -- digits would be left.
  select '%' || f.number || '%'
  from (select regexp_replace(words, '[^0-9]', '', 'g') as digits) d
  cross join lateral private.national_number(btrim(words), d.digits) n
  cross join lateral (values (1, n.number, 5), (2, ltrim(d.digits, '0'), 5), (3, d.digits, 1)) f (place, number, fewest)
  where btrim(words) ~ '^\+?[\d\s()/.-]+$' and char_length(f.number) >= f.fewest
  order by f.place limit 1
$$;
comment on function private.number_pattern is
  'What the user typed, where it looks like a phone number, as a pattern for the digits in search_text: without country code and leading zeros, which may be written or not. Otherwise null.';

create function private.holds_any(patterns text[]) returns text
language sql immutable
set search_path = ''
as $$
  -- Of 0301234567 and 301234567 the second is enough: what holds the first holds it too.
  select string_agg(distinct format('c.search_text like %L', p.pattern), ' or ')
  from unnest(patterns) p (pattern)
  where p.pattern is not null and not exists (
    select from unnest(patterns) o (pattern) where o.pattern <> p.pattern and p.pattern like o.pattern
  )
$$;
comment on function private.holds_any is 'The condition on "c" that a row holds one of these patterns; null is none.';

create or replace function private.contact_conditions(me uuid, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[format('c.user_id = %L::uuid', me)];
  pattern text;
  number text;
  companies uuid[];
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'lead_status', 'company', 'collection',
    'has_email', 'has_phone', 'created_from', 'created_to', 'time_zone']);
  if btrim(coalesce(filter ->> 'search', '')) <> '' then
    pattern := private.like_pattern(filter ->> 'search');
    number := private.number_pattern(filter ->> 'search');
    companies := array(
      select co.id from public.companies co
      where co.user_id = me and private.fold(co.name) like pattern
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
      'c.id in (select m.contact_id from public.collection_members m where m.user_id = c.user_id and m.collection_id = %L::uuid)',
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

create or replace function private.holds_words(words text) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when number is not null or words !~ '\S\s+\S' then (
      -- One letter or two, which nearly everything holds, begin a word.
      select format('(%s)', private.holds_any(array_agg(
        case when char_length(p.pattern) < 5 then '% ' else '%' end || substr(p.pattern, 2))))
      from unnest(array[private.like_pattern(words), number]) p (pattern)
    )
    else (
      select string_agg(format('c.search_text like %L', private.like_pattern(word)), ' and ')
      from regexp_split_to_table(btrim(words), '\s+') word
    )
  end
  from private.number_pattern(words) number
$$;

revoke all on function
  private.national_number(text, text), private.number_pattern(text), private.holds_any(text[])
  from public, anon, authenticated;
