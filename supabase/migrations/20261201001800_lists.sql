-- The lists: which rows match a filter, in which order, page by page; the cards that show them; writes to all matching rows;
-- and the page of one record. A card is built as JSON text: jsonb would parse, sort and copy every value several times before
-- it is written out as text at the end.
--
-- Under a policy PostgreSQL uses an index only for conditions that cannot leak rows of others: not for a search (search_text like)
-- nor for an order by an expression (lower(name)). So a few small finders are definers: they filter by "user_id =" themselves and
-- return only ids of the caller's rows. Everything else reads and writes these ids as the caller, under the policies.

-- What searches look through ----------------------------------------------------------------------------------

select private.write_search(name::regclass) from unnest(array[
  'public.companies', 'public.contacts', 'public.deals', 'public.tasks'
]) as name;

-- Filters -----------------------------------------------------------------------------------------------------

create function private.texts(value jsonb) returns text[]
language sql immutable parallel safe
set search_path = ''
as $$ select array(select jsonb_array_elements_text(value)) $$;

create function private.check_filter(filter jsonb, known text[]) returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  -- A filter that is not understood must not mean "all": deletions take filters too.
  if filter is null or jsonb_typeof(filter) <> 'object' then
    raise exception 'The filter cannot be read.' using errcode = 'PT400';
  end if;
  if filter - known <> '{}' then
    raise exception 'The filter has a part that is not known.' using errcode = 'PT400';
  end if;
end
$$;

-- A search of everything calls these functions dozens of times, so they are in plpgsql, which plans a statement once for a
-- connection. A SQL function with a search_path of its own is planned again by every statement that calls it.

create function private.is_search(filter jsonb) returns boolean
language plpgsql immutable parallel safe
set search_path = ''
as $$
begin
  return btrim(coalesce(filter ->> 'search', '')) <> '';
end
$$;

create function private.day_start(filter jsonb, field text, days_later integer) returns timestamptz
language sql stable
set search_path = ''
as $$
  select private.day_begins((filter ->> field)::date + days_later, coalesce(filter ->> 'time_zone', 'UTC'))
$$;
comment on function private.day_start is 'When a day of the user''s calendar begins, in the filter''s time zone.';

create function private.like_pattern(words text) returns text
language plpgsql immutable parallel safe
set search_path = ''
as $$
begin
  return '%' || replace(replace(replace(btrim(private.fold(words)), '\', '\\'), '%', '\%'), '_', '\_') || '%';
end
$$;
comment on function private.like_pattern is 'What the user typed into a search, as a pattern for search_text.';

create function private.search_condition(words text) returns text
language sql immutable
set search_path = ''
as $$ select format('c.search_text like %L', private.like_pattern(words)) $$;
comment on function private.search_condition is 'Rows whose search_text holds what the user typed, accents and capitals aside.';

-- A phone number is found however it was typed and however it is stored: people type the national form (030 1234567) of what is
-- stored as an international one (+49 30 1234567), or the other way round. Text that only looks like a number, such as 2026-11
-- in the name of a deal, is found as it was typed.

-- Returns a table and has no search_path of its own, so that the planner can inline it, see contact_card.
create function private.national_number(phone_number text, digits text) returns table (number text)
language sql stable
as $$
  select ltrim(case
    when i.reported is null then digits
    -- Country codes: one digit for North America and Russia, else two or three, by their first two digits.
    when left(i.reported, 1) in ('1', '7') then substr(i.reported, 2)
    when left(i.reported, 2) in ('20', '27', '30', '31', '32', '33', '34', '36', '39', '40', '41', '43', '44', '45', '46',
      '47', '48', '49', '51', '52', '53', '54', '55', '56', '57', '58', '60', '61', '62', '63', '64', '65', '66', '81', '82',
      '84', '86', '90', '91', '92', '93', '94', '95', '98') then substr(i.reported, 3)
    else substr(i.reported, 4)
  end, '0')
  from (
    select case
      when strpos(phone_number, '+') in (1, 2) then digits
      when digits like '00%' then substr(digits, 3)
    end as reported
  ) i
$$;
comment on function private.national_number is 'The digits of a phone number without country code and leading zeros.';

create function private.number_pattern(words text) returns text
language plpgsql immutable parallel safe
set search_path = ''
as $$
declare
  reported text := btrim(private.fold(words));
  digits text;
begin
  if reported ~ '^\+?[\d\s()/.-]+$' is not true then
    return null;
  end if;
  digits := regexp_replace(words, '[^0-9]', '', 'g');
  -- Each form is the end of the one after it and so finds what that one finds, and more; too much where only a few
  -- digits would be left.
  return (
    select '%' || f.number || '%'
    from private.national_number(reported, digits) n
    cross join lateral (values (1, n.number, 5), (2, ltrim(digits, '0'), 5), (3, digits, 1)) f (place, number, fewest)
    where char_length(f.number) >= f.fewest
    order by f.place limit 1
  );
end
$$;
comment on function private.number_pattern is
  'What the user typed, where it looks like a phone number, as a pattern for the digits in search_text: without country code and leading zeros, which may be written or not. Otherwise null.';

create function private.holds_any(patterns text[]) returns text
language plpgsql immutable
set search_path = ''
as $$
begin
  -- Of 0301234567 and 301234567 the second is enough: what holds the first holds it too.
  return (
    select string_agg(distinct format('c.search_text like %L', p.pattern), ' or ')
    from unnest(patterns) p (pattern)
    where p.pattern is not null and not exists (
      select from unnest(patterns) o (pattern) where o.pattern <> p.pattern and p.pattern like o.pattern
    )
  );
end
$$;
comment on function private.holds_any is 'The condition on "c" that a row holds one of these patterns; null is none.';

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
    'has_email', 'has_phone', 'created_from', 'created_to', 'last_contacted_from', 'last_contacted_to', 'time_zone', 'fields']);
  if private.is_search(filter) then
    pattern := private.like_pattern(filter ->> 'search');
    number := private.number_pattern(filter ->> 'search');
    companies := array(
      select co.id from public.companies co
      where co.user_id = private.caller() and private.fold(co.name) like pattern
        and co.search_text like pattern -- the index finds the candidates
    );
    conditions := conditions || format('(%s)', concat_ws(' or ',
      private.in_search('contacts', private.holds_any(array[pattern, number]), pattern),
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
  if filter ?| array['last_contacted_from', 'last_contacted_to'] then
    -- One pass over all that was said takes less than a look-up for each contact.
    conditions := conditions || format(
      'c.id in (select l.contact_id from private.last_contacts(%L::uuid) l where l.at >= %L::timestamptz and l.at < %L::timestamptz)',
      private.caller(),
      case when filter ? 'last_contacted_from' then private.day_start(filter, 'last_contacted_from', 0) else '-infinity' end,
      case when filter ? 'last_contacted_to' then private.day_start(filter, 'last_contacted_to', 1) else 'infinity' end);
  end if;
  if filter ? 'fields' then
    conditions := conditions || private.own_conditions_of('contacts', filter);
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
  conditions text[];
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'industry', 'location', 'fields']);
  conditions := array[private.chosen_condition(filter)];
  if private.is_search(filter) then
    conditions := conditions || private.in_search('companies', private.search_condition(filter ->> 'search'), private.like_pattern(filter ->> 'search'));
  end if;
  if filter ? 'industry' then
    conditions := conditions || format('c.industry = any (%L::text[])', private.texts(filter -> 'industry'));
  end if;
  if filter ? 'location' then
    conditions := conditions || format('c.location = any (%L::text[])', private.texts(filter -> 'location'));
  end if;
  if filter ? 'fields' then
    conditions := conditions || private.own_conditions_of('companies', filter);
  end if;
  return array_to_string(conditions, ' and ');
end
$$;
comment on function private.company_conditions is 'The companies that a filter means, as a condition on "c". Every value is quoted.';

create function private.conditions(kind text, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  -- What every table with tags has: the conditions of each know nothing of it.
  rest jsonb := case when kind <> 'tasks' and jsonb_typeof(filter) = 'object' then filter - 'tags' else filter end;
begin
  return concat_ws(' and ',
    case kind
      when 'contacts' then private.contact_conditions(rest)
      when 'companies' then private.company_conditions(rest)
      when 'tasks' then private.task_conditions(rest)
      when 'deals' then private.deal_conditions(rest)
    end,
    case when rest <> filter then private.tag_condition(filter) end);
end
$$;
comment on function private.conditions is
  'The rows of a table that a filter means, as a condition on "c". Whose they are, the policies say, or the finder that asks.';

create function private.own_conditions_of(kind text, filter jsonb) returns text[]
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{}';
  wanted record;
  part record;
  -- The value, as an expression on "c".
  own text;
  any_of text;
begin
  if jsonb_typeof(filter -> 'fields') <> 'object' then
    raise exception 'The filter cannot be read.' using errcode = 'PT400';
  end if;
  for wanted in
    select e.value as reported, f.*
    from jsonb_each(filter -> 'fields') e
    left join public.fields f on f.user_id = private.caller() and f.record = own_conditions_of.kind
      and f.id = case when e.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.key::uuid end
  loop
    -- What is not understood must not mean "all": deletions take filters too.
    if wanted.id is null then
      raise exception 'The filter asks for a field that no longer exists.' using errcode = 'PT400';
    end if;
    perform private.check_filter(wanted.reported, array['filled'] || case
      when wanted.kind in ('choice', 'several choices', 'yes/no') then array['is']
      when wanted.kind in ('number', 'money', 'day') then array['from', 'to']
      else array['contains']
    end);
    own := format('(c.custom ->> %L)', wanted.id);
    if wanted.kind in ('number', 'money') then
      own := format('(c.custom -> %L)::numeric', wanted.id);
    elsif wanted.kind = 'day' then
      own := own || '::date';
    end if;
    for part in select e.key, e.value, e.value #>> '{}' as text from jsonb_each(wanted.reported) e loop
      if part.key = 'filled' then
        conditions := conditions || (case when part.text::boolean then '' else 'not ' end || private.is_filled(wanted.kind, wanted.id, wanted.options));
        continue;
      end if;
      -- So that the index may serve, which has no rows without values.
      conditions := conditions || format('c.custom <> %L', '{}');
      if part.key = 'is' then
        select string_agg(format('c.custom @> %L::jsonb', jsonb_build_object(
          wanted.id, case when wanted.kind = 'several choices' then jsonb_build_array(v.value) else v.value end)), ' or ')
        into any_of from jsonb_array_elements(part.value) as v (value);
        conditions := conditions || format('(%s)', coalesce(any_of, 'false'));
      elsif part.key = 'contains' then
        conditions := conditions || format('private.fold(c.custom ->> %L) like %L', wanted.id, private.like_pattern(part.text));
        -- The index of what is searched finds the candidates; days are not among it, nor what is written like one.
        if btrim(part.text) !~ '^[0-9-]*$' then
          conditions := conditions || private.search_condition(part.text);
        end if;
      else
        conditions := conditions || format('%s %s %L::%s', own, case part.key when 'from' then '>=' else '<=' end, part.text,
          case when wanted.kind = 'day' then 'date' else 'numeric' end);
      end if;
    end loop;
  end loop;
  return conditions;
end
$$;
comment on function private.own_conditions_of is
  'The rows of a table that a filter means by own fields, as conditions on "c": {"<id>": {"is": [...]}}, "contains", "from" and "to", or "filled". Every value is quoted.';

create function private.holds_options(kind text, pattern text) returns text[]
language plpgsql stable
set search_path = ''
as $$
begin
  return array(
    select format('c.custom <> ''{}'' and c.custom @> %L::jsonb', jsonb_build_object(
      f.id, case when f.kind = 'several choices' then jsonb_build_array(o.id) else to_jsonb(o.id) end))
    from public.fields f cross join lateral jsonb_to_recordset(f.options) as o (id text, name text)
    where f.user_id = private.caller() and f.record = holds_options.kind and private.fold(o.name) like pattern
    order by f.id, o.id limit 100
  );
end
$$;
comment on function private.holds_options is
  'Conditions on "c" that it has an option whose name holds what was typed: records hold ids of options only.';

-- A search for companies also looks for the phone number, unless "held" does; private.contact_conditions does so for contacts.
create function private.in_search(kind text, held text, pattern text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[private.in_seen(kind, held)] || private.holds_options(kind, pattern);
  number text := case when kind = 'companies' then private.number_pattern(btrim(pattern, '%')) end;
begin
  if number is not null and strpos(held, quote_literal(number)) = 0 then
    conditions := conditions || private.in_seen(kind, format('c.search_text like %L', number));
  end if;
  return format('(%s)', array_to_string(conditions, ' or '));
end
$$;
comment on function private.in_search is 'The condition on "c" that it is found by what it holds, or by the name of an option that it has.';

-- Filters by own fields and by tags need a finder as searches do: under a policy no index serves them.
create function private.needs_finder(filter jsonb) returns boolean
language plpgsql immutable parallel safe
set search_path = ''
as $$
begin
  -- Who was contacted when is read by private.last_contacts, which only the finders call.
  return private.is_search(filter) or filter ?| array['fields', 'tags', 'last_contacted_from', 'last_contacted_to'];
end
$$;
comment on function private.needs_finder is 'Whether rows are found by an index that does not serve under a policy.';

create function private.chosen_condition(filter jsonb) returns text
language sql stable
set search_path = ''
as $$
  select concat_ws(' and ', 'true',
    case when filter ? 'ids' then format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids')) end,
    case when filter ? 'except' then format('c.id <> all (%L::uuid[])', private.texts(filter -> 'except')) end)
$$;
comment on function private.chosen_condition is 'The rows that a selection names, or all but those it names, as a condition on "c". Every value is quoted.';

-- Orders ------------------------------------------------------------------------------------------------------

-- A table, because looking up an order is cheaper than planning a query over a function for each page.
create table private.list_orders (
  kind text not null,
  sort text not null,
  descending boolean not null,
  expression text not null,
  type text not null,
  link text not null,
  primary key (kind, sort, descending)
);
comment on table private.list_orders is
  'By what the list of a table can be sorted, as an expression on "c". "link" joins what the expression reads besides "c": one join is many times faster than a look-up for each row. What a row lacks comes last, in either direction, so the expression may differ with it.';

-- Ascending, every text begins with 0 and a missing one is 1, so that it sorts last: no character sorts last in every collation,
-- but all of them sort 0 before 1. Descending, the empty text is last already.
insert into private.list_orders (kind, sort, descending, expression, type, link)
select 'contacts', o.sort, d.descending,
  case when d.descending then coalesce(o.downwards, o.upwards) else o.upwards end, o.type, o.link
from (values (false), (true)) as d (descending)
cross join (values
  ('created', 'timestamptz', 'c.created_at', null, ''),
  ('name', 'text',
    $$coalesce('0' || nullif(lower(coalesce(c.first_name || ' ', '') || coalesce(c.last_name, '')), ''), '1')$$,
    $$lower(coalesce(c.first_name || ' ', '') || coalesce(c.last_name, ''))$$,
    ''),
  ('email', 'text', $$coalesce('0' || lower(c.email), '1')$$, $$lower(coalesce(c.email, ''))$$, ''),
  ('phone', 'text', $$coalesce('0' || c.phone_number, '1')$$, $$coalesce(c.phone_number, '')$$, ''),
  ('company', 'text',
    $$coalesce('0' || lower(co.name), '1')$$,
    $$lower(coalesce(co.name, ''))$$,
    'left join public.companies co on co.user_id = c.user_id and co.id = c.company_id'),
  ('lead_status', 'integer',
    $$array_position(array['New', 'Contacted', 'Qualified', 'Proposal Sent', 'Unqualified'], c.lead_status)$$,
    null,
    ''),
  ('lead_score', 'numeric', 'c.lead_score', null, ''),
  ('notes', 'text',
    $$coalesce('0' || lower(left(c.notes, 100)), '1')$$,
    $$lower(left(coalesce(c.notes, ''), 100))$$,
    ''),
  -- By month and day, without the year of birth.
  ('birthday', 'text', $$coalesce('0' || right(c.birthday, 5), '1')$$, $$coalesce(right(c.birthday, 5), '')$$, ''),
  ('last_contacted', 'timestamptz',
    $$coalesce(told.at, 'infinity'::timestamptz)$$,
    $$coalesce(told.at, '-infinity'::timestamptz)$$,
    'left join private.last_contacts(private.caller()) told on told.contact_id = c.id'),
  ('next_task', 'timestamptz',
    $$coalesce(told.at, 'infinity'::timestamptz)$$,
    $$coalesce(told.at, '-infinity'::timestamptz)$$,
    'left join private.next_dues(private.caller()) told on told.contact_id = c.id')
) as o (sort, type, upwards, downwards, link);

insert into private.list_orders (kind, sort, descending, expression, type, link)
select 'companies', o.sort, d.descending,
  case when d.descending then coalesce(o.downwards, o.upwards) else o.upwards end, o.type, o.link
from (values (false), (true)) as d (descending)
cross join (values
  ('created', 'timestamptz', 'c.created_at', null, ''),
  ('name', 'text', 'lower(c.name)', null, ''),
  ('industry', 'text', $$coalesce('0' || lower(c.industry), '1')$$, $$lower(coalesce(c.industry, ''))$$, ''),
  ('location', 'text', $$coalesce('0' || lower(c.location), '1')$$, $$lower(coalesce(c.location, ''))$$, ''),
  ('contacts', 'bigint', 'coalesce(told.amount, 0)', null,
    'left join private.contacts_by_company(private.caller()) told on told.company_id = c.id'),
  ('open_deals', 'bigint', 'coalesce(told.amount, 0)', null,
    'left join private.open_deals_by_company(private.caller()) told on told.company_id = c.id')
) as o (sort, type, upwards, downwards, link);

create function private.page_order(
  kind text, sort text, descending boolean, out expression text, out type text, out link text
)
language plpgsql stable
set search_path = ''
as $$
begin
  if sort ~ '^field:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    select o.expression, o.type, '' into expression, type, link
    from private.own_order(kind, substr(sort, 7)::uuid, coalesce(descending, false)) o;
  else
    select o.expression, o.type, o.link into expression, type, link
    from private.list_orders o
    where o.kind = page_order.kind and o.sort = page_order.sort and o.descending = coalesce(page_order.descending, false);
  end if;
  if expression is null then
    raise exception 'The list cannot be sorted by %.', left(sort, 40) using errcode = 'PT400';
  end if;
end
$$;
comment on function private.page_order is
  'By what a list is sorted: one of the orders of its table in private.list_orders, or "field:" and the id of an own field.';

create function private.places_of(value jsonb, options text[]) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select string_agg(lpad(array_position(options, v.id)::text, 3, '0'), '' order by v.place)
  from jsonb_array_elements_text(value) with ordinality as v (id, place)
$$;
comment on function private.places_of is 'Several choices as a text that sorts by the places of their options, the first one first.';

create function private.own_order(kind text, id uuid, descending boolean, out expression text, out type text)
language plpgsql stable
set search_path = ''
as $$
declare
  field public.fields;
  own text := format('(c.custom ->> %L)', id);
  options text[];
  -- What is missing comes last in either direction, as in private.list_orders.
  missing text;
begin
  select * into field from public.fields f
  where f.user_id = private.caller() and f.record = own_order.kind and f.id = own_order.id;
  options := array(select o.id from jsonb_to_recordset(field.options) as o (id text));
  if field.kind in ('number', 'money') then
    type := 'numeric';
    missing := case when descending then '-infinity' else 'infinity' end;
    expression := format('coalesce((c.custom -> %L)::numeric, %L::numeric)', field.id, missing);
  elsif field.kind = 'day' then
    type := 'date';
    missing := case when descending then '-infinity' else 'infinity' end;
    expression := format('coalesce(%s::date, %L::date)', own, missing);
  elsif field.kind = 'yes/no' then
    type := 'integer';
    expression := format('case %s when ''true'' then 1 when ''false'' then 2 else %s end', own, case when descending then 0 else 3 end);
  elsif field.kind = 'choice' then
    type := 'integer';
    expression := format('coalesce(array_position(%L::text[], %s), %s)', options, own, case when descending then 0 else 101 end);
  elsif field.kind = 'several choices' then
    type := 'text';
    expression := format('coalesce(private.places_of(c.custom -> %L, %L::text[]), %L)', field.id, options,
      case when descending then '' else '999' end);
  elsif field.id is not null then
    type := 'text';
    own := format(case when field.kind = 'long text' then 'lower(left(%s, 100))' else 'lower(%s)' end, own);
    expression := case when descending then format('coalesce(%s, %L)', own, '') else format('coalesce(%L || %s, %L)', '0', own, '1') end;
  end if;
end
$$;
comment on function private.own_order is
  'By what a list is sorted for a field of the caller''s own, as an expression on "c"; null when there is no such field.';

-- One pass over all contacts or deals: a count for each company would be as many look-ups.
create function private.contacts_by_company(owner uuid) returns table (company_id uuid, amount bigint)
language sql stable
set search_path = ''
as $$
  select p.company_id, count(*) from public.contacts p
  where p.user_id = owner and p.company_id is not null group by p.company_id
$$;
comment on function private.contacts_by_company is 'How many contacts each company has, as private.company_card counts them.';

create function private.open_deals_by_company(owner uuid) returns table (company_id uuid, amount bigint)
language sql stable
set search_path = ''
as $$
  select d.company_id, count(*) from public.deals d
  left join public.pipeline_stages s on s.id = d.stage_id
  where d.user_id = owner and d.company_id is not null and coalesce(s.outcome, 'open') = 'open' group by d.company_id
$$;
comment on function private.open_deals_by_company is 'How many open deals each company has, as private.company_card counts them.';

-- Cards -------------------------------------------------------------------------------------------------------

create function private.last_contact(contact public.contacts) returns table (at timestamptz)
language sql stable
as $$
  select greatest(
    (
      select max(n.happened_at) from public.notes n
      where n.user_id = contact.user_id and n.contact_id = contact.id and n.kind <> 'note'
    ),
    (
      select max(n.at) from private.deals_with(contact) d
      cross join lateral (
        select max(n.happened_at) as at from public.notes n
        where n.user_id = contact.user_id and n.deal_id = d.id and n.kind <> 'note'
      ) n
    ),
    (
      -- Whom a mail about a deal concerns, it says itself.
      select max(l.at) from private.mail_links l
      where l.user_id = contact.user_id and l.contact_id = contact.id and l.counts
    ))
$$;
comment on function private.last_contact is 'When a contact was last called, met or written to, or wrote, on a deal of theirs too.';

-- Returns a table and has no search_path of its own, so that the planner can inline the body into the query that uses it: called
-- row by row, the cards took most of the time. Its callers have an empty search_path.
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
        from (
          select t.id, t.title, t.due_date from public.tasks t
          where t.user_id = contact.user_id and t.contact_id = contact.id and not t.completed
          union all
          select t.id, t.title, t.due_date from private.deals_with(contact) d
          cross join lateral (
            select t.id, t.title, t.due_date from public.tasks t
            where t.user_id = contact.user_id and t.deal_id = d.id and not t.completed
            order by t.due_date nulls last, t.id limit 1
          ) t
        ) t
        order by t.due_date nulls last, t.id limit 1
      ) as next_task
    from private.fields_of(contact) f
  ) k
$$;
comment on function private.contact_card is
  'A contact as the list shows it: with its company, last contact and next task, those of its deals included.';

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

-- The same functions for each kind. They look cards up by an index: without "enable_seqscan = off", a plan that was made while the
-- tables were small would still read them whole after they have grown. The task and deal cards are defined in later files.
-- Makes private.contact_cards, private.company_cards, private.task_cards, private.deal_cards,
--   private.newest_contacts, private.newest_companies, private.newest_tasks, private.newest_deals.
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

-- Finders -----------------------------------------------------------------------------------------------------

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
  conditions text := private.conditions(kind, filter);
  direction text := case when descending then 'desc' else 'asc' end;
  -- The caller's rows after the cursor.
  own text := format('c.user_id = %L::uuid%s', private.caller(), case when after is null then '' else
    format(' and (%s, c.id) %s (%L::%s, %L::uuid)', o.expression, case when descending then '<' else '>' end,
      after ->> 'key', o.type, after ->> 'id')
  end);
  source text;
begin
  foreach source in array case when private.probed(kind, filter, sort, size) then array[
    format('(select c.* from public.%I c where %s order by %s %s, c.id %s limit 500)', kind, own, o.expression, direction, direction)
  ] else '{}' end || format('public.%I', kind) loop
    -- One row more than the page tells whether there is another.
    execute format(
      'select (array_agg(k.id))[:%6$s], case when count(*) > %6$s then
         json_build_object(''key'', (array_agg(k.key))[%6$s], ''id'', (array_agg(k.id))[%6$s]) end
       from (
         select %1$s as key, c.id from %3$s c %7$s where %5$s and %4$s order by %1$s %2$s, c.id %2$s limit %6$s + 1
       ) k',
      o.expression, direction, source, conditions, own, size, o.link)
    into ids, next;
    -- A full page is the page. One that is not may have more rows further on.
    exit when next is not null;
  end loop;
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
  if private.needs_finder(filter) then
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

-- For tags that many records have: a page of the newest first is looked for among the newest records, not among all with the tag.

create function private.probed(kind text, filter jsonb, sort text, size integer) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$ select filter ? 'tags' and not private.is_search(filter) and sort = 'created' and kind <> 'tasks' and size <= 100 $$;
comment on function private.probed is
  'Whether a page is looked for among the next few hundred rows of its order before the index of the filter is asked. How many records of an account have a tag no statistics tell: they are of all accounts together, and the planner takes every tag for a rare one.';

-- Pages -------------------------------------------------------------------------------------------------------

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
  if private.needs_finder(filter) then
    return cardinality(private.ids_of(kind, filter));
  end if;
  execute format('select count(*) from public.%I c where %s', kind, private.conditions(kind, filter)) into total;
  return total;
end
$$;
comment on function private.count_of is
  'How many rows a filter means. What a search finds is counted as it is found: to read each of them once more would take twice as long.';

-- In plpgsql, which keeps its plans; a function in plain SQL is planned anew for each request.
create function public.contact_page(
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
comment on function public.contact_page is 'A page of the contacts that a filter means.';

create function public.company_page(
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
comment on function public.company_page is 'A page of the companies that a filter means.';

create function public.contact_count(filter jsonb default '{}') returns bigint
language sql stable
set search_path = ''
as $$ select private.count_of('contacts', filter) $$;

create function public.company_count(filter jsonb default '{}') returns bigint
language sql stable
set search_path = ''
as $$ select private.count_of('companies', filter) $$;

create function public.company_facets() returns jsonb
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
comment on function public.company_facets is 'The industries and locations there are, for the filters.';

-- Writes to all rows that match a filter ----------------------------------------------------------------------

-- A further field that can be set for many records at once needs a row here and no change of a function.
create table private.bulk_changes (
  kind text not null,
  key text not null,
  sets text not null,
  label text not null,
  place integer not null,
  primary key (kind, key)
);
comment on table private.bulk_changes is
  'What can be set for many records at once: its name among the changes ($2), what of the row "c" it sets, and what people call it.';
revoke all on private.bulk_changes from public, anon, authenticated;
grant select on private.bulk_changes to authenticated, service_role;

insert into private.bulk_changes (kind, key, sets, label, place) values
  ('contacts', 'lead_status', 'lead_status = $2 ->> ''lead_status''', 'lead status', 1),
  ('contacts', 'company_id', 'company_id = ($2 ->> ''company_id'')::uuid', 'company', 2),
  ('companies', 'industry', 'industry = $2 ->> ''industry''', 'industry', 1),
  ('companies', 'location', 'location = $2 ->> ''location''', 'location', 2),
  ('deals', 'stage_id', 'stage_id = ($2 ->> ''stage_id'')::uuid', 'stage', 1),
  -- Moving many deals to a lost stage can set the reason in the same write. In any other stage private.tidy_deal drops it.
  ('deals', 'lost_reason', 'lost_reason = coalesce(private.blank_to_null($2 ->> ''lost_reason''), c.lost_reason)', 'stage', 1),
  ('deals', 'expected_close_date', 'expected_close_date = ($2 ->> ''expected_close_date'')::date', 'expected close', 2),
  ('deals', 'currency', 'currency = $2 ->> ''currency''', 'currency', 3),
  ('tasks', 'completed', 'completed = ($2 ->> ''completed'')::boolean', 'completion', 1),
  ('tasks', 'due_date', 'due_date = ($2 ->> ''due_date'')::timestamptz', 'due date', 2),
  ('tasks', 'due_all_day', 'due_all_day = ($2 ->> ''due_all_day'')::boolean', 'due date', 2),
  ('tasks', 'priority', 'priority = $2 ->> ''priority''', 'priority', 3);
insert into private.bulk_changes (kind, key, sets, label, place)
select k.kind, c.key, c.sets, c.label, c.place
from unnest(array['contacts', 'companies', 'deals']) as k (kind)
cross join (values
  ('add_tags', 'tags = private.tags_of(c.tags || private.texts($2 -> ''add_tags''))', 'tags', 3),
  ('remove_tags', 'tags = private.without_tags(c.tags, private.texts($2 -> ''remove_tags''))', 'tags', 3),
  ('custom', 'custom = $2 -> ''custom''', 'custom fields', 9)
) as c (key, sets, label, place);

create function private.set_many(kind text, ids uuid[], changes jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  sets text;
  row_count bigint := 0;
  labels text[] := array(
    select b.label from private.bulk_changes b where b.kind = set_many.kind group by b.label order by min(b.place)
  );
begin
  if jsonb_typeof(changes) is distinct from 'object'
    or changes - array(select b.key from private.bulk_changes b where b.kind = set_many.kind) <> '{}'
    or changes ?& array['add_tags', 'remove_tags']
  then
    raise exception 'Only % and % can be set for many % at once.',
      array_to_string(labels[:cardinality(labels) - 1], ', '), labels[cardinality(labels)], kind using errcode = 'PT400';
  end if;
  select string_agg(b.sets, ', ' order by b.place) into sets
  from private.bulk_changes b where b.kind = set_many.kind and changes ? b.key;
  if sets is not null then
    execute format('update public.%I c set %s where c.id = any ($1)', kind, sets) using ids, changes;
    get diagnostics row_count = row_count;
  end if;
  return private.bulk_answer(row_count);
end
$$;
comment on function private.set_many is 'Sets, of these records, what private.bulk_changes knows; everything else is refused in words.';

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

create function public.update_contacts(filter jsonb, changes jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.set_many('contacts', private.ids_of('contacts', filter), changes) $$;
comment on function public.update_contacts is 'Sets lead status, company, tags or own fields of every contact that a filter means.';

create function public.delete_contacts(filter jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('contacts', filter) $$;

create function public.log_emails(filter jsonb, subject text) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', filter || '{"has_email": true}');
  row_count bigint;
begin
  -- Not "opened": that would read as if the contact had opened it.
  insert into public.notes (kind, body, outcome, contact_id)
  select 'email', nullif(btrim(subject), ''), 'Email draft opened', c.id from public.contacts c where c.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;
comment on function public.log_emails is
  'Notes on each contact''s timeline that an e-mail to it was handed to the user''s mail program. Those without an address are left out.';

create function public.update_companies(filter jsonb, changes jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.set_many('companies', private.ids_of('companies', filter), changes) $$;
comment on function public.update_companies is 'Sets industry, location, tags or own fields of every company that a filter means.';

create function public.delete_companies(filter jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('companies', filter) $$;
comment on function public.delete_companies is 'Deletes every company that a filter means; its contacts and deals stay, without a company.';

-- Collections -------------------------------------------------------------------------------------------------

create view public.collection_counts with (security_invoker = on) as
select c.id, c.name, c.created_at, count(m.id)::integer as contacts
from public.collections c
left join public.collection_members m on m.collection_id = c.id
group by c.id;
comment on view public.collection_counts is 'The user''s collections and how many contacts are in each.';
revoke all on public.collection_counts from public, anon, authenticated;
grant select on public.collection_counts to authenticated, service_role;

create function public.create_collection(name text, filter jsonb) returns jsonb
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
comment on function public.create_collection is 'A new collection with the chosen contacts in it.';

create function public.add_to_collection(filter jsonb, collection_id uuid) returns jsonb
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

create function public.remove_from_collection(filter jsonb, collection_id uuid) returns jsonb
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

-- The page of one record --------------------------------------------------------------------------------------

-- The deals on the page of a record. In plpgsql, which keeps the plan, because planning this query takes several times as long as
-- running it; and by indexes, as the cards above.
create function private.linked_deals(contact uuid, company uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
declare
  further uuid[] := array(select k.deal_id from public.deal_contacts k where k.contact_id = contact);
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(d) - 'created_at' order by d.created_at desc, d.id desc), '[]')
    from (
      select d.id, d.name, d.value, d.currency, d.expected_close_date, s.name as stage_name,
        coalesce(s.outcome, 'open') as outcome,
        (select k.role from public.deal_contacts k where k.deal_id = d.id and k.contact_id = contact) as role, d.created_at
      from public.deals d
      left join public.pipeline_stages s on s.id = d.stage_id
      where d.contact_id = contact or d.company_id = company or d.id = any (further)
      order by d.created_at desc, d.id desc limit 100
    ) d
  );
end
$$;
comment on function private.linked_deals is 'The newest hundred deals of a contact, also as a further one, with its role; or of a company.';

create function public.contact_record(id uuid) returns jsonb
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
      'deals', private.deals_of_contact(c.id),
      'linked_deals', private.linked_deals(c.id, null)
    )
    from public.contacts c cross join lateral private.contact_card(c) d
    where c.id = contact_record.id
  );
end
$$;
comment on function public.contact_record is 'A contact with its collections and deals, or null when there is none.';

create function public.company_record(id uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select d.card::jsonb || jsonb_build_object(
      'linked_deals', private.linked_deals(null, c.id), 'last_contacted', private.company_last_contact(c.id))
    from public.companies c cross join lateral private.company_card(c) d
    where c.id = company_record.id
  );
end
$$;
comment on function public.company_record is 'A company with its deals and its last contact, or null when there is none.';

create function public.contact_neighbours(
  id uuid, filter jsonb default '{}', sort text default 'created', descending boolean default true
)
returns jsonb
language sql stable
set search_path = ''
as $$
  select private.neighbours('contacts', filter, sort, descending, id)
$$;
comment on function public.contact_neighbours is 'The contacts before and after one, in the list that a filter and an order mean.';

create function public.company_neighbours(
  id uuid, filter jsonb default '{}', sort text default 'created', descending boolean default true
)
returns jsonb
language sql stable
set search_path = ''
as $$
  select private.neighbours('companies', filter, sort, descending, id)
$$;
comment on function public.company_neighbours is 'The companies before and after one, in the list that a filter and an order mean.';

-- Who may call what -------------------------------------------------------------------------------------------

-- Functions that only the finders call stay closed, because they run without a policy.
revoke all on function
  private.contact_cards(uuid[]), private.newest_contacts(jsonb, integer), private.company_cards(uuid[]),
  private.newest_companies(jsonb, integer), private.task_cards(uuid[]), private.newest_tasks(jsonb, integer),
  private.deal_cards(uuid[]), private.newest_deals(jsonb, integer), private.texts(jsonb),
  private.check_filter(jsonb, text[]), private.is_search(jsonb), private.day_start(jsonb, text, integer),
  private.like_pattern(text), private.search_condition(text), private.national_number(text, text),
  private.number_pattern(text), private.holds_any(text[]), private.linked_condition(text, text, text),
  private.contact_conditions(jsonb), private.company_conditions(jsonb), private.conditions(text, jsonb),
  private.own_conditions_of(text, jsonb), private.holds_options(text, text), private.in_search(text, text, text),
  private.needs_finder(jsonb), private.chosen_condition(jsonb), private.page_order(text, text, boolean),
  private.places_of(jsonb, text[]), private.own_order(text, uuid, boolean), private.contacts_by_company(uuid),
  private.open_deals_by_company(uuid), private.last_contact(public.contacts), private.contact_card(public.contacts),
  private.company_card(public.companies), private.ids_of(text, jsonb, integer),
  private.page_of_ids(text, jsonb, text, boolean, jsonb, integer),
  private.neighbours(text, jsonb, text, boolean, uuid), private.own_conditions(text, jsonb),
  private.probed(text, jsonb, text, integer), private.page(text, text, jsonb, text, boolean, jsonb, integer),
  private.count_of(text, jsonb), public.contact_page(jsonb, text, boolean, jsonb, integer),
  public.company_page(jsonb, text, boolean, jsonb, integer), public.contact_count(jsonb), public.company_count(jsonb),
  public.company_facets(), private.set_many(text, uuid[], jsonb), private.delete_all(text, jsonb),
  public.update_contacts(jsonb, jsonb), public.delete_contacts(jsonb), public.log_emails(jsonb, text),
  public.update_companies(jsonb, jsonb), public.delete_companies(jsonb), public.create_collection(text, jsonb),
  public.add_to_collection(jsonb, uuid), public.remove_from_collection(jsonb, uuid), private.linked_deals(uuid, uuid),
  public.contact_record(uuid), public.company_record(uuid), public.contact_neighbours(uuid, jsonb, text, boolean),
  public.company_neighbours(uuid, jsonb, text, boolean)
  from public, anon, authenticated;
-- The conditions are also used in reads under the policies.
grant execute on function
  private.contact_cards(uuid[]), private.newest_contacts(jsonb, integer), private.company_cards(uuid[]),
  private.newest_companies(jsonb, integer), private.task_cards(uuid[]), private.newest_tasks(jsonb, integer),
  private.deal_cards(uuid[]), private.newest_deals(jsonb, integer), private.texts(jsonb),
  private.check_filter(jsonb, text[]), private.is_search(jsonb), private.day_start(jsonb, text, integer),
  private.like_pattern(text), private.search_condition(text), private.national_number(text, text),
  private.contact_conditions(jsonb), private.company_conditions(jsonb), private.conditions(text, jsonb),
  private.own_conditions_of(text, jsonb), private.holds_options(text, text), private.in_search(text, text, text),
  private.needs_finder(jsonb), private.chosen_condition(jsonb), private.last_contact(public.contacts),
  private.contact_card(public.contacts), private.company_card(public.companies), private.ids_of(text, jsonb, integer),
  private.page_of_ids(text, jsonb, text, boolean, jsonb, integer),
  private.neighbours(text, jsonb, text, boolean, uuid), private.own_conditions(text, jsonb),
  private.page(text, text, jsonb, text, boolean, jsonb, integer), private.count_of(text, jsonb),
  public.contact_page(jsonb, text, boolean, jsonb, integer), public.company_page(jsonb, text, boolean, jsonb, integer),
  public.contact_count(jsonb), public.company_count(jsonb), public.company_facets(),
  private.set_many(text, uuid[], jsonb), private.delete_all(text, jsonb), public.update_contacts(jsonb, jsonb),
  public.delete_contacts(jsonb), public.log_emails(jsonb, text), public.update_companies(jsonb, jsonb),
  public.delete_companies(jsonb), public.create_collection(text, jsonb), public.add_to_collection(jsonb, uuid),
  public.remove_from_collection(jsonb, uuid), private.linked_deals(uuid, uuid), public.contact_record(uuid),
  public.company_record(uuid), public.contact_neighbours(uuid, jsonb, text, boolean),
  public.company_neighbours(uuid, jsonb, text, boolean)
  to authenticated, service_role;
