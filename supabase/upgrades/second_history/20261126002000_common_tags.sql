-- A tag that many records have: the newest page of a list is found among the newest records, not among all that have it.

create function private.probed(kind text, filter jsonb, sort text, size integer) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$ select filter ? 'tags' and not private.is_search(filter) and sort = 'created' and kind <> 'tasks' and size <= 100 $$;
comment on function private.probed is
  'Whether a page is looked for among the next few hundred rows of its order before the index of the filter is asked. How many records of an account have a tag no statistics tell: they are of all accounts together, and the planner takes every tag for a rare one.';

create or replace function private.page_of_ids(
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

revoke all on function private.probed(text, jsonb, text, integer) from public, anon, authenticated;
