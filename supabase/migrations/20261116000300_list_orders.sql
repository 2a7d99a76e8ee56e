-- What a list is sorted by and a row lacks comes last, in either direction; lead status has an order of its own; and
-- words are found however many spaces stand between them.

-- Sorted upwards, what is missing was an empty text and came first. A character that every collation sorts last does not
-- exist, but all of them sort 0 before 1. Downwards the empty text is last already.
update private.list_orders o set expression = k.expression
from (values
  ('contacts', 'name', 'coalesce(''0'' || nullif(lower(coalesce(c.first_name || '' '', '''') || coalesce(c.last_name, '''')), ''''), ''1'')'),
  ('contacts', 'email', 'coalesce(''0'' || lower(c.email), ''1'')'),
  ('contacts', 'phone', 'coalesce(''0'' || c.phone_number, ''1'')'),
  ('contacts', 'company', 'coalesce(''0'' || lower(co.name), ''1'')'),
  ('contacts', 'notes', 'coalesce(''0'' || lower(left(c.notes, 100)), ''1'')'),
  ('companies', 'industry', 'coalesce(''0'' || lower(c.industry), ''1'')'),
  ('companies', 'location', 'coalesce(''0'' || lower(c.location), ''1'')'),
  ('deals', 'company', 'coalesce(''0'' || lower(co.name), ''1'')'),
  ('deals', 'contact', 'coalesce(''0'' || nullif(lower(coalesce(p.first_name || '' '', '''') || coalesce(p.last_name, '''')), ''''), ''1'')')
) k (kind, sort, expression)
where o.kind = k.kind and o.sort = k.sort and not o.descending;

-- The same without the function, which costs four times as much: each contact that is written pays for both directions.
update private.list_orders set expression = 'lower(coalesce(c.first_name || '' '', '''') || coalesce(c.last_name, ''''))'
where kind = 'contacts' and sort = 'name' and descending;

drop index public.contacts_by_name;
drop function private.sort_name(text, text);
create index contacts_by_name on public.contacts
  (user_id, coalesce('0' || nullif(lower(coalesce(first_name || ' ', '') || coalesce(last_name, '')), ''), '1'), id);
create index contacts_by_name_downwards on public.contacts
  (user_id, lower(coalesce(first_name || ' ', '') || coalesce(last_name, '')), id);

-- The order in which a lead is worked on.
update private.list_orders set
  expression = 'array_position(array[''New'', ''Contacted'', ''Qualified'', ''Proposal Sent'', ''Unqualified''], c.lead_status)',
  type = 'integer'
where kind = 'contacts' and sort = 'lead_status';
create index contacts_in_order_of_status on public.contacts
  (user_id, array_position(array['New', 'Contacted', 'Qualified', 'Proposal Sent', 'Unqualified'], lead_status), id);

comment on table private.list_orders is
  'By what the list of a table can be sorted, as an expression on "c". "link" joins what the expression reads besides "c": one join is many times faster than a look-up for each row. What a row lacks comes last, in either direction, so the expression may differ with it.';

-- Words. Every search folds what was typed and what is stored, so this is the one place where spaces become one space:
-- no-break ones and tabs too, as they come with what is pasted. Lines stay lines: imports put them between two names.
create or replace function private.fold(value text) returns text
language sql immutable parallel safe strict
set search_path = ''
as $$
  select lower(extensions.unaccent('extensions.unaccent'::regdictionary, case
    when value ~ '  |[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]'
      then regexp_replace(value, '[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g')
    else value
  end))
$$;
comment on function private.fold is
  'Lower case without accents, with one space between words. Declared immutable so that generated columns may use it: the dictionary ships with PostgreSQL and is never edited.';

create or replace function private.like_pattern(words text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select '%' || replace(replace(replace(btrim(private.fold(words)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;

create or replace function private.number_pattern(words text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  -- Each form is the end of the one after it and so finds what that one finds, and more; too much where only a few
  -- digits would be left.
  select '%' || f.number || '%'
  from (select btrim(private.fold(words)) as said, regexp_replace(words, '[^0-9]', '', 'g') as digits) d
  cross join lateral private.national_number(d.said, d.digits) n
  cross join lateral (values (1, n.number, 5), (2, ltrim(d.digits, '0'), 5), (3, d.digits, 1)) f (place, number, fewest)
  where d.said ~ '^\+?[\d\s()/.-]+$' and char_length(f.number) >= f.fewest
  order by f.place limit 1
$$;

create or replace function private.holds_words(words text) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when number is not null or d.said !~ '\S\s+\S' then (
      -- One letter or two, which nearly everything holds, begin a word.
      select format('(%s)', private.holds_any(array_agg(
        case when char_length(p.pattern) < 5 then '% ' else '%' end || substr(p.pattern, 2))))
      from unnest(array[private.like_pattern(words), number]) p (pattern)
    )
    else (
      select string_agg(format('c.search_text like %L', private.like_pattern(word)), ' and ')
      from regexp_split_to_table(d.said, '\s+') word
    )
  end
  from private.number_pattern(words) number, (select btrim(private.fold(words)) as said) d
$$;

create or replace function private.matches(kind text, me uuid, words text, wanted integer)
returns table (id uuid, rank integer, at timestamptz)
language plpgsql stable
set search_path = ''
as $$
declare
  begun text := substr(private.like_pattern(words), 2);
begin
  return query execute format(
    'with found as materialized (
       (select c.id from public.%1$I c
        where c.user_id = %2$L::uuid and left(%3$s, 100) like %4$L
        order by left(%3$s, 100) using operator(pg_catalog.~<~) limit %7$s)
       union
       (select c.id from public.%1$I c
        where c.user_id = %2$L::uuid and %6$s
        order by c.created_at desc, c.id desc limit 3 * %7$s)
     )
     select r.id, case
         when r.title = %5$L then 0
         when r.title like %4$L then 1
         when r.title like %8$L then 2
         else 3
       end, r.created_at
     from (
       select c.id, c.created_at, %3$s as title
       from found f cross join lateral (select * from public.%1$I c where c.id = f.id offset 0) c
     ) r
     order by 2, 3 desc, 1 limit %7$s',
    kind, me, private.title_of(kind), begun, btrim(private.fold(words)), private.holds_words(words), wanted,
    '% ' || begun);
end
$$;
-- What is stored is folded anew where that makes a difference; nobody changed these rows, so nothing is logged.
do $$
declare
  kind text;
  title text;
begin
  foreach kind in array array['contacts', 'companies', 'deals', 'tasks'] loop
    title := case kind when 'contacts' then 'first_name' when 'tasks' then 'title' else 'name' end;
    execute format('alter table public.%I disable trigger user', kind);
    execute format('update public.%1$I set %2$I = %2$I where search_text <> private.fold(search_text)', kind, title);
    execute format('alter table public.%I enable trigger user', kind);
  end loop;
end
$$;
