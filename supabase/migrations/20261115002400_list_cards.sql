-- A page of a list was one query, written and planned anew for each request: on the embedded database planning took
-- as long as reading. Only what differs from request to request, which rows and in which order, is still written
-- anew; the cards of the rows that it found are read by a function whose plan is kept.

-- The same for each kind. A card is looked up by an index: without "enable_seqscan = off" a plan that was made while the
-- tables were small would read them whole, also after they have grown.
do $$
declare
  kind record;
begin
  for kind in
    select * from (values ('contact', 'contacts'), ('company', 'companies'), ('task', 'tasks'), ('deal', 'deals')) k (one, many)
  loop
    execute format(
      'create function private.%1$I(ids uuid[]) returns jsonb
       language plpgsql stable
       set search_path = ''''
       set enable_seqscan = off
       as $cards$
       begin
         return (
           select coalesce(jsonb_agg(d.card order by i.place), ''[]'')
           from unnest(ids) with ordinality i (id, place)
           cross join lateral (select c from public.%2$I c where c.id = i.id offset 0) r
           cross join lateral private.%3$I(r.c) d
         );
       end
       $cards$',
      kind.one || '_cards', kind.many, kind.one || '_card');
    execute format('revoke all on function private.%I(uuid[]) from public, anon, authenticated', kind.one || '_cards');
    execute format(
      'comment on function private.%I is %L', kind.one || '_cards',
      'The cards of these ' || kind.many || ', in this order.');
  end loop;
end
$$;

create or replace function private.page(
  kind text, card text, conditions text, sort text, descending boolean, after jsonb, page_size integer
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  o record;
  size integer := least(greatest(page_size, 1), 1000);
  ids uuid[];
  next jsonb;
  cards jsonb;
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  select * into o from private.page_order(kind, sort, descending);
  -- One row more than the page tells whether there is another.
  execute format(
    'select array_agg(k.id), case when count(*) > %6$s then
       jsonb_build_object(''key'', (array_agg(k.key))[%6$s], ''id'', (array_agg(k.id))[%6$s]) end
     from (
       select %1$s as key, c.id from public.%3$I c %7$s where %4$s %5$s
       order by %1$s %2$s, c.id %2$s limit %6$s + 1
     ) k',
    o.expression, case when descending then 'desc' else 'asc' end, kind, conditions,
    case when after is null then '' else
      format('and (%s, c.id) %s (%L::%s, %L::uuid)', o.expression, case when descending then '<' else '>' end,
        after ->> 'key', o.type, after ->> 'id')
    end,
    size, o.link)
  into ids, next;
  execute format('select private.%I($1)', card || 's') into cards using ids[:size];
  return jsonb_build_object('rows', cards, 'next', next);
end
$$;
