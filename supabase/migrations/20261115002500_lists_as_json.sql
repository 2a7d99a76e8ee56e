-- Lists as JSON text. A page was put together as jsonb, which parses, sorts and copies every value several times, only
-- to be written out as text at the end: half of the time that a list takes. Now each card is written once.

-- What a list can be sorted by is looked up, instead of planning a query over a function for each page.

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
  'By what the list of a table can be sorted, as an expression on "c". "link" joins what the expression reads besides "c": one join is many times faster than a look-up for each row. What has no such moment comes last, in either direction, so that the expression may differ with it.';

insert into private.list_orders
select k.kind, k.sort, d.descending, k.expression, k.type, k.link
from (values (true, '''-infinity''::timestamptz'), (false, '''infinity''::timestamptz')) d (descending, missing)
cross join lateral (
  select 'contacts' as kind, * from private.contacts_orders(d.missing)
  union all select 'companies', * from private.companies_orders(d.missing)
  union all select 'tasks', * from private.tasks_orders(d.missing)
  union all select 'deals', * from private.deals_orders(d.missing)
) k;

drop function
  private.contacts_orders(text), private.companies_orders(text), private.tasks_orders(text), private.deals_orders(text);

create or replace function private.page_order(
  kind text, sort text, descending boolean, out expression text, out type text, out link text
)
language plpgsql stable
set search_path = ''
as $$
begin
  select o.expression, o.type, o.link into expression, type, link
  from private.list_orders o
  where o.kind = page_order.kind and o.sort = page_order.sort and o.descending = coalesce(page_order.descending, false);
  if expression is null then
    raise exception 'The list cannot be sorted by %.', left(sort, 40) using errcode = 'PT400';
  end if;
end
$$;
comment on function private.page_order is 'By what a list is sorted: one of the orders of its table in private.list_orders.';

-- The cards. Each names the columns of its table but the owner's id and what is only searched.

drop function
  private.contact_cards(uuid[]), private.company_cards(uuid[]), private.task_cards(uuid[]), private.deal_cards(uuid[]),
  private.contact_card(public.contacts), private.company_card(public.companies), private.task_card(public.tasks),
  private.deal_card(public.deals);

-- Returns a table and has no search path of its own, so that the planner writes its body into the query that uses it:
-- called row by row, the cards took most of the time. Who uses it has an empty search path.
create function private.contact_card(contact public.contacts) returns table (card json)
language sql stable
as $$
  select row_to_json(k) from (
    select
      contact.id, contact.first_name, contact.last_name, contact.email, contact.phone_number, contact.role_title,
      contact.company_id, contact.lead_status, contact.notes, contact.lead_score, contact.created_at, contact.updated_at,
      (
        select co.name from public.companies co where co.user_id = contact.user_id and co.id = contact.company_id
      ) as company_name,
      (select l.at from private.last_contact(contact) l) as last_contacted,
      (
        select json_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
        from public.tasks t
        where t.user_id = contact.user_id and t.contact_id = contact.id and not t.completed
        order by t.due_date nulls last, t.id limit 1
      ) as next_task
  ) k
$$;
comment on function private.contact_card is 'A contact as the list shows it: with its company, last contact and next task.';

create function private.company_card(company public.companies) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select
      company.id, company.name, company.website, company.industry, company.location, company.created_at, company.updated_at,
      (
        select count(*) from public.contacts p where p.user_id = company.user_id and p.company_id = company.id
      ) as contacts,
      count(d.id) as deals,
      count(d.id) filter (where coalesce(s.name, '') not in ('Closed Won', 'Closed Lost')) as open_deals
    from public.deals d
    left join public.pipeline_stages s on s.id = d.stage_id
    where d.user_id = company.user_id and d.company_id = company.id
  ) k
$$;
comment on function private.company_card is 'A company as the list shows it: with its contacts and deals counted.';

create function private.task_card(task public.tasks) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select
      task.id, task.title, task.description, task.priority, task.due_date, task.completed, task.completed_at, task.deal_id,
      task.contact_id, task.company_id, task.created_at, task.updated_at, task.repeat, task.repeat_days, task.repeat_every,
      task.repeat_start, task.repeated_from,
      (select d.name from public.deals d where d.user_id = task.user_id and d.id = task.deal_id) as deal_name,
      (select c.name from public.companies c where c.user_id = task.user_id and c.id = task.company_id) as company_name,
      (
        select json_build_object('first_name', p.first_name, 'last_name', p.last_name)
        from public.contacts p where p.user_id = task.user_id and p.id = task.contact_id
      ) as contact
  ) k
$$;
comment on function private.task_card is 'A task as the lists show it: with the names of what it is linked to.';

create function private.deal_card(deal public.deals) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select
      deal.id, deal.name, deal.value, deal.expected_close_date, deal.pipeline_id, deal.stage_id, deal.company_id,
      deal.contact_id, deal."order", deal.closed_at, deal.lost_reason, deal.created_at, deal.updated_at,
      (select s.name from public.pipeline_stages s where s.user_id = deal.user_id and s.id = deal.stage_id) as stage_name,
      (select c.name from public.companies c where c.user_id = deal.user_id and c.id = deal.company_id) as company_name,
      (
        select json_build_object('first_name', p.first_name, 'last_name', p.last_name, 'email', p.email)
        from public.contacts p where p.user_id = deal.user_id and p.id = deal.contact_id
      ) as contact,
      (
        select json_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
        from public.tasks t
        where t.user_id = deal.user_id and t.deal_id = deal.id and not t.completed
        order by t.due_date nulls last, t.id limit 1
      ) as next_task
  ) k
$$;
comment on function private.deal_card is 'A deal as the list and the board show it: with its stage, company, contact and next task.';

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
         me uuid := private.caller();
         size integer := least(greatest(page_size, 1), 1000);
         last_moment timestamptz := case when after is null then ''infinity'' else (after ->> ''key'')::timestamptz end;
         last_id uuid := case
           when after is null then ''ffffffff-ffff-ffff-ffff-ffffffffffff'' else (after ->> ''id'')::uuid end;
       begin
         return (
           -- One row more than the page tells whether there is another.
           select json_build_object(
             ''rows'', coalesce(json_agg(k.card order by k.place) filter (where k.place <= size), ''[]''),
             ''next'', case when count(*) > size then
               (array_agg(json_build_object(''key'', k.created_at, ''id'', k.id)) filter (where k.place = size))[1] end)
           from (
             select c.created_at, c.id, d.card, row_number() over (order by c.created_at desc, c.id desc) as place
             from public.%2$I c cross join lateral private.%3$I(c) d
             where c.user_id = me and (c.created_at, c.id) < (last_moment, last_id)
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

-- A page.

drop function
  private.page(text, text, text, text, boolean, jsonb, integer),
  public.contact_page(jsonb, text, boolean, jsonb, integer), public.company_page(jsonb, text, boolean, jsonb, integer),
  public.task_page(jsonb, text, boolean, jsonb, integer), public.deal_page(jsonb, text, boolean, jsonb, integer);

create function private.page(
  kind text, card text, conditions text, sort text, descending boolean, after jsonb, page_size integer
)
returns json
language plpgsql stable
set search_path = ''
as $$
declare
  o record;
  size integer := least(greatest(page_size, 1), 1000);
  ids uuid[];
  next json;
  cards json;
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  o := private.page_order(kind, sort, descending);
  -- One row more than the page tells whether there is another.
  execute format(
    'select array_agg(k.id), case when count(*) > %6$s then
       json_build_object(''key'', (array_agg(k.key))[%6$s], ''id'', (array_agg(k.id))[%6$s]) end
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
  return json_build_object('rows', cards, 'next', next);
end
$$;
comment on function private.page is
  'A page of any list: the cards of the rows that the conditions mean, in one of the orders of private.list_orders, after a cursor; and the cursor of the next page, or null. "card" names the function that makes a card of a row.';

-- In plpgsql, whose plans are kept; a function in plain SQL is planned anew for each request.

create function public.contact_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 50
)
returns json
language plpgsql stable
security definer -- the trigram index cannot serve a search under a policy; every condition names auth.uid()
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_contacts(after, page_size);
  end if;
  return private.page('contacts', 'contact_card', private.contact_conditions(auth.uid(), filter), sort, descending, after, page_size);
end
$$;
comment on function public.contact_page is 'A page of the contacts that a filter means.';

create function public.company_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns json
language plpgsql stable
security definer -- as contact_page
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_companies(after, page_size);
  end if;
  return private.page('companies', 'company_card', private.company_conditions(auth.uid(), filter), sort, descending, after, page_size);
end
$$;
comment on function public.company_page is 'A page of the companies that a filter means.';

create function public.task_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns json
language plpgsql stable
security definer -- as contact_page
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_tasks(after, page_size);
  end if;
  return private.page('tasks', 'task_card', private.task_conditions(auth.uid(), filter), sort, descending, after, page_size);
end
$$;
comment on function public.task_page is 'A page of the tasks that a filter means.';

create function public.deal_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns json
language plpgsql stable
security definer -- as contact_page
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_deals(after, page_size);
  end if;
  return private.page('deals', 'deal_card', private.deal_conditions(auth.uid(), filter), sort, descending, after, page_size);
end
$$;
comment on function public.deal_page is 'A page of the deals that a filter means.';

-- The board, whose columns are pages too.

drop function
  private.board_column(text, uuid, uuid, jsonb, integer), public.deal_column(uuid, uuid, jsonb, jsonb, integer),
  public.deal_board(uuid, jsonb, integer, jsonb);

create function private.board_column(
  conditions text, pipeline uuid, stage uuid, after jsonb, page_size integer, out rows json, out next json
)
language plpgsql stable
set search_path = ''
as $$
declare
  size integer := least(greatest(page_size, 1), 1000);
  ids uuid[];
begin
  -- In the order in which move_deal places them. One row more than the page tells whether there is another.
  execute format(
    'select array_agg(k.id), case when count(*) > %5$s then json_build_object(
       ''order'', (array_agg(k."order"))[%5$s], ''created_at'', (array_agg(k.created_at))[%5$s], ''id'', (array_agg(k.id))[%5$s]) end
     from (
       select c.id, c."order", c.created_at from public.deals c
       where %1$s and c.pipeline_id = %2$L::uuid and %3$s %4$s
       order by c."order", c.created_at desc, c.id limit %5$s + 1
     ) k',
    conditions, pipeline, case when stage is null then 'c.stage_id is null' else format('c.stage_id = %L::uuid', stage) end,
    case when after is null then '' else format(
      'and c."order" >= %1$L::double precision and (c."order" > %1$L::double precision
         or c.created_at < %2$L::timestamptz or (c.created_at = %2$L::timestamptz and c.id > %3$L::uuid))',
      after ->> 'order', after ->> 'created_at', after ->> 'id')
    end,
    size)
  into ids, next;
  rows := private.deal_cards(ids[:size]);
end
$$;
comment on function private.board_column is 'Cards of one column after a cursor, and the cursor of those after them, or null.';

create function public.deal_column(
  pipeline uuid, stage uuid, filter jsonb default '{}', after jsonb default null, page_size integer default 30
)
returns json
language plpgsql stable
security definer -- as contact_page
set search_path = ''
as $$
begin
  return (
    select json_build_object('rows', b.rows, 'next', b.next)
    from private.board_column(private.deal_conditions(auth.uid(), filter), pipeline, stage, after, page_size) b
  );
end
$$;
comment on function public.deal_column is 'More cards of one column of the board.';

create function public.deal_board(
  pipeline uuid, filter jsonb default '{}', page_size integer default 30, loaded jsonb default '{}'
)
returns json
language plpgsql stable
security definer -- as contact_page
set search_path = ''
as $$
declare
  conditions text := private.deal_conditions(auth.uid(), filter);
  board json;
begin
  if not exists (select from public.pipelines p where p.user_id = auth.uid() and p.id = deal_board.pipeline) then
    return null;
  end if;
  execute format(
    'with figures as (
       select c.stage_id, count(*) as count, sum(c.value) as sum
       from public.deals c where %1$s and c.pipeline_id = $1 group by c.stage_id
     ),
     columns as (
       select s.id, s.name, s."order", s.win_probability, coalesce(f.count, 0) as count, coalesce(f.sum, 0) as sum
       from public.pipeline_stages s left join figures f on f.stage_id = s.id
       where s.user_id = $2 and s.pipeline_id = $1
       union all
       -- Nothing is known of how likely a deal without a stage is.
       select null, null, null, 0, f.count, f.sum from figures f where f.stage_id is null
     )
     select coalesce(json_agg(
       json_build_object(''stage_id'', k.id, ''stage_name'', k.name, ''win_probability'', k.win_probability, ''count'', k.count,
         ''sum'', k.sum::text, ''weighted'', round(k.sum * k.win_probability * 0.01, 2)::text,
         ''rows'', coalesce(b.rows, ''[]''), ''next'', b.next)
       order by k."order" nulls first, k.id), ''[]'')
     from columns k
     left join lateral private.board_column(
       %2$L, $1, k.id, null, coalesce(($3 ->> coalesce(k.id::text, ''none''))::integer, $4)
     ) b on k.count > 0',
    conditions, conditions)
  into board
  using deal_board.pipeline, auth.uid(), loaded, page_size;
  return board;
end
$$;
comment on function public.deal_board is
  'The columns of a pipeline, deals without a stage first: figures over everything that matches, and the first cards of each. "loaded" says for a stage how many cards the reader already had. Null when there is no such pipeline.';

-- Records, which add to a card. In plpgsql and by indexes too: planning one anew takes several times as long as reading it.

create or replace function private.linked_deals(me uuid, contact uuid, company uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(d) - 'created_at' order by d.created_at desc, d.id desc), '[]')
    from (
      select d.id, d.name, d.value, d.expected_close_date, s.name as stage_name, d.created_at
      from public.deals d
      left join public.pipeline_stages s on s.id = d.stage_id
      where d.user_id = me and (d.contact_id = contact or d.company_id = company)
      order by d.created_at desc, d.id desc limit 100
    ) d
  );
end
$$;

create or replace function public.contact_record(id uuid) returns jsonb
language plpgsql stable
security definer -- the card is made by a function that clients may not call; reads rows of auth.uid() only
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select d.card::jsonb || jsonb_build_object(
      'collections', coalesce((
        select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name) order by lower(k.name), k.id)
        from public.collection_members m
        join public.collections k on k.user_id = m.user_id and k.id = m.collection_id
        where m.user_id = c.user_id and m.contact_id = c.id
      ), '[]'),
      'deals', (select count(*) from public.deals d where d.user_id = c.user_id and d.contact_id = c.id),
      'linked_deals', private.linked_deals(c.user_id, c.id, null)
    )
    from public.contacts c cross join lateral private.contact_card(c) d
    where c.user_id = auth.uid() and c.id = contact_record.id
  );
end
$$;

create or replace function public.company_record(id uuid) returns jsonb
language plpgsql stable
security definer -- as contact_record
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select d.card::jsonb || jsonb_build_object('linked_deals', private.linked_deals(c.user_id, null, c.id))
    from public.companies c cross join lateral private.company_card(c) d
    where c.user_id = auth.uid() and c.id = company_record.id
  );
end
$$;

create or replace function public.deal_record(id uuid) returns jsonb
language plpgsql stable
security definer -- as contact_record
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select k.card::jsonb from public.deals d cross join lateral private.deal_card(d) k
    where d.user_id = auth.uid() and d.id = deal_record.id
  );
end
$$;

revoke all on function
  private.contact_card(public.contacts), private.company_card(public.companies), private.task_card(public.tasks),
  private.deal_card(public.deals), private.contact_cards(uuid[]), private.company_cards(uuid[]), private.task_cards(uuid[]),
  private.deal_cards(uuid[]), private.page(text, text, text, text, boolean, jsonb, integer),
  private.newest_contacts(jsonb, integer), private.newest_companies(jsonb, integer), private.newest_tasks(jsonb, integer),
  private.newest_deals(jsonb, integer),
  private.board_column(text, uuid, uuid, jsonb, integer)
  from public, anon, authenticated;
-- The figures show cards with the caller's own rights.
grant execute on function private.task_card(public.tasks), private.deal_card(public.deals) to authenticated, service_role;
revoke all on function
  public.contact_page(jsonb, text, boolean, jsonb, integer), public.company_page(jsonb, text, boolean, jsonb, integer),
  public.task_page(jsonb, text, boolean, jsonb, integer), public.deal_page(jsonb, text, boolean, jsonb, integer),
  public.deal_column(uuid, uuid, jsonb, jsonb, integer), public.deal_board(uuid, jsonb, integer, jsonb)
  from public, anon;
grant execute on function
  public.contact_page(jsonb, text, boolean, jsonb, integer), public.company_page(jsonb, text, boolean, jsonb, integer),
  public.task_page(jsonb, text, boolean, jsonb, integer), public.deal_page(jsonb, text, boolean, jsonb, integer),
  public.deal_column(uuid, uuid, jsonb, jsonb, integer), public.deal_board(uuid, jsonb, integer, jsonb)
  to authenticated, service_role;
