-- A page of a list was one query, written and planned anew for each request: on the embedded database planning took
-- as long as reading. Only what differs from request to request, which rows and in which order, is still written
-- anew; the cards of the rows that it found are read by a function whose plan is kept.

-- Each is looked up by an index. Without "enable_seqscan = off" a plan that was made while the tables were small
-- would read them whole, also after they have grown.
create function private.contact_cards(ids uuid[]) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(jsonb_agg(d.card order by i.place), '[]')
    from unnest(ids) with ordinality i (id, place)
    cross join lateral (select c from public.contacts c where c.id = i.id offset 0) r
    cross join lateral private.contact_card(r.c) d
  );
end
$$;

create function private.company_cards(ids uuid[]) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(jsonb_agg(d.card order by i.place), '[]')
    from unnest(ids) with ordinality i (id, place)
    cross join lateral (select c from public.companies c where c.id = i.id offset 0) r
    cross join lateral private.company_card(r.c) d
  );
end
$$;

create function private.task_cards(ids uuid[]) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(jsonb_agg(d.card order by i.place), '[]')
    from unnest(ids) with ordinality i (id, place)
    cross join lateral (select c from public.tasks c where c.id = i.id offset 0) r
    cross join lateral private.task_card(r.c) d
  );
end
$$;

create function private.deal_cards(ids uuid[]) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(jsonb_agg(d.card order by i.place), '[]')
    from unnest(ids) with ordinality i (id, place)
    cross join lateral (select c from public.deals c where c.id = i.id offset 0) r
    cross join lateral private.deal_card(r.c) d
  );
end
$$;

comment on function private.contact_cards is 'The cards of these contacts, in this order, as JSON.';
comment on function private.company_cards is 'The cards of these companies, in this order, as JSON.';
comment on function private.task_cards is 'The cards of these tasks, in this order, as JSON.';
comment on function private.deal_cards is 'The cards of these deals, in this order, as JSON.';

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

revoke all on function
  private.contact_cards(uuid[]), private.company_cards(uuid[]), private.task_cards(uuid[]), private.deal_cards(uuid[])
  from public, anon, authenticated;
