-- Fields of the user's own in the lists: filters, orders, searches, the board, and writes to everything that matches.

-- Filters ----------------------------------------------------------------------------------------------------

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
    select e.value as said, f.*
    from jsonb_each(filter -> 'fields') e
    left join public.fields f on f.user_id = private.caller() and f.record = own_conditions_of.kind
      and f.id = case when e.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.key::uuid end
  loop
    -- What is not understood must not mean "all": deletions take filters too.
    if wanted.id is null then
      raise exception 'The filter asks for a field that does not exist any more.' using errcode = 'PT400';
    end if;
    perform private.check_filter(wanted.said, array['filled'] || case
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
    for part in select e.key, e.value, e.value #>> '{}' as text from jsonb_each(wanted.said) e loop
      if part.key = 'filled' then
        conditions := conditions || format(case when part.text::boolean then 'c.custom ? %L' else 'not c.custom ? %L' end, wanted.id);
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
language sql stable
set search_path = ''
as $$
  select array(
    select format('c.custom <> ''{}'' and c.custom @> %L::jsonb', jsonb_build_object(
      f.id, case when f.kind = 'several choices' then jsonb_build_array(o.id) else to_jsonb(o.id) end))
    from public.fields f cross join lateral jsonb_to_recordset(f.options) as o (id text, name text)
    where f.user_id = private.caller() and f.record = holds_options.kind and private.fold(o.name) like pattern
    order by f.id, o.id limit 100
  )
$$;
comment on function private.holds_options is
  'Conditions on "c" that it has an option whose name holds what was typed: records hold ids of options only.';

create function private.in_search(kind text, held text, pattern text) returns text
language sql stable
set search_path = ''
as $$ select format('(%s)', array_to_string(array[held] || private.holds_options(kind, pattern), ' or ')) $$;
comment on function private.in_search is 'The condition on "c" that it is found by what it holds, or by the name of an option that it has.';

create or replace function private.contact_conditions(filter jsonb) returns text
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
    'has_email', 'has_phone', 'created_from', 'created_to', 'time_zone', 'fields']);
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
  if filter ? 'fields' then
    conditions := conditions || private.own_conditions_of('contacts', filter);
  end if;
  return array_to_string(conditions, ' and ');
end
$$;

create or replace function private.company_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{true}';
begin
  perform private.check_filter(filter, array['search', 'ids', 'industry', 'location', 'fields']);
  if private.is_search(filter) then
    conditions := conditions || private.in_search('companies', private.search_condition(filter ->> 'search'), private.like_pattern(filter ->> 'search'));
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
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

create or replace function private.deal_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{true}';
  stages text[];
  link text;
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'pipeline', 'stage', 'company', 'contact',
    'value_from', 'value_to', 'close_from', 'close_to', 'fields']);
  if private.is_search(filter) then
    conditions := conditions || private.in_search('deals', private.search_condition(filter ->> 'search'), private.like_pattern(filter ->> 'search'));
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  if filter ? 'except' then
    conditions := conditions || format('c.id <> all (%L::uuid[])', private.texts(filter -> 'except'));
  end if;
  if filter ? 'stage' then
    stages := private.texts(filter -> 'stage');
    conditions := conditions || format('(c.stage_id = any (%L::uuid[])%s)', array_remove(stages, 'none'),
      case when 'none' = any (stages) then ' or c.stage_id is null' else '' end);
  end if;
  foreach link in array array['pipeline', 'company', 'contact'] loop
    if filter ? link then
      conditions := conditions || format('c.%I = %L::uuid', link || '_id', filter ->> link);
    end if;
  end loop;
  if filter ? 'value_from' then
    conditions := conditions || format('c.value >= %L::numeric', filter ->> 'value_from');
  end if;
  if filter ? 'value_to' then
    conditions := conditions || format('c.value <= %L::numeric', filter ->> 'value_to');
  end if;
  if filter ? 'close_from' then
    conditions := conditions || format('c.expected_close_date >= %L::date', filter ->> 'close_from');
  end if;
  if filter ? 'close_to' then
    conditions := conditions || format('c.expected_close_date <= %L::date', filter ->> 'close_to');
  end if;
  if filter ? 'fields' then
    conditions := conditions || private.own_conditions_of('deals', filter);
  end if;
  return array_to_string(conditions, ' and ');
end
$$;

-- No index serves these under a policy either.
create function private.needs_finder(filter jsonb) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$ select private.is_search(filter) or filter ? 'fields' $$;
comment on function private.needs_finder is 'Whether rows are found by an index that does not serve under a policy.';

create or replace function private.own_conditions(kind text, filter jsonb, out conditions text, out hits uuid[])
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

create or replace function private.count_of(kind text, filter jsonb) returns bigint
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

-- Orders -----------------------------------------------------------------------------------------------------

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

create or replace function private.page_order(
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

-- Search -----------------------------------------------------------------------------------------------------

drop function private.holds_words(text);
create function private.holds_words(kind text, words text) returns text
language sql stable
set search_path = ''
as $$
  select case
    when number is not null or d.said !~ '\S\s+\S' then (
      -- One letter or two, which nearly everything holds, begin a word.
      select private.in_search(kind, private.holds_any(array_agg(
        case when char_length(p.pattern) < 5 then '% ' else '%' end || substr(p.pattern, 2))), private.like_pattern(words))
      from unnest(array[private.like_pattern(words), number]) p (pattern)
    )
    else (
      select string_agg(private.in_search(
        kind, format('c.search_text like %L', private.like_pattern(word)), private.like_pattern(word)), ' and ')
      from regexp_split_to_table(d.said, '\s+') word
    )
  end
  from private.number_pattern(words) number, (select btrim(private.fold(words)) as said) d
$$;
comment on function private.holds_words is
  'The condition on "c" that a row holds every word that was typed, in whatever order; the names of its options count.';

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
    kind, me, private.title_of(kind), begun, btrim(private.fold(words)), private.holds_words(kind, words), wanted,
    '% ' || begun);
end
$$;

-- Writes to all that a filter means --------------------------------------------------------------------------

create or replace function public.update_contacts(filter jsonb, changes jsonb) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', filter);
  row_count bigint;
begin
  if changes - 'lead_status' - 'company_id' - 'custom' <> '{}' then
    raise exception 'Only lead status, company and fields of your own can be set for many contacts at once.' using errcode = 'PT400';
  end if;
  update public.contacts c set
    lead_status = case when changes ? 'lead_status' then changes ->> 'lead_status' else c.lead_status end,
    company_id = case when changes ? 'company_id' then (changes ->> 'company_id')::uuid else c.company_id end,
    custom = case when changes ? 'custom' then changes -> 'custom' else c.custom end
  where c.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function public.update_deals(filter jsonb, changes jsonb) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('deals', filter);
  row_count bigint;
begin
  if coalesce(changes - 'stage_id' - 'expected_close_date' - 'custom', '[]') <> '{}' then
    raise exception 'Only stage, expected close and fields of your own can be set for many deals at once.' using errcode = 'PT400';
  end if;
  if changes ->> 'stage_id' is not null and not exists (
    select from public.pipeline_stages s where s.id = (changes ->> 'stage_id')::uuid
  ) then
    raise exception 'The chosen stage does not exist any more.' using errcode = 'PT404';
  end if;
  update public.deals d set
    stage_id = case when changes ? 'stage_id' then (changes ->> 'stage_id')::uuid else d.stage_id end,
    expected_close_date =
      case when changes ? 'expected_close_date' then (changes ->> 'expected_close_date')::date else d.expected_close_date end,
    custom = case when changes ? 'custom' then changes -> 'custom' else d.custom end
  where d.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

comment on function public.update_deals is
  'Sets stage, expected close or own fields of every deal that a filter means; a stage brings its pipeline with it.';

-- Who may call what ------------------------------------------------------------------------------------------

-- Closed is what only the finders call.
revoke all on function
  private.own_conditions_of(text, jsonb), private.holds_options(text, text), private.in_search(text, text, text),
  private.needs_finder(jsonb), private.places_of(jsonb, text[]), private.own_order(text, uuid, boolean),
  private.holds_words(text, text)
  from public, anon, authenticated;
-- Conditions are read under the policies too: deals of a search that finds thousands.
grant execute on function
  private.own_conditions_of(text, jsonb), private.holds_options(text, text), private.in_search(text, text, text),
  private.needs_finder(jsonb)
  to authenticated, service_role;
