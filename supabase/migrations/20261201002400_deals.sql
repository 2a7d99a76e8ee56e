-- The deals: pipelines and their stages, the list, the board, won and lost.

-- Pipelines ---------------------------------------------------------------------------------------------------

create function private.add_default_stages(pipeline public.pipelines) returns void
language sql
set search_path = ''
as $$
  -- The stage of lost deals comes with the first of them.
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select pipeline.user_id, pipeline.id, u.name, u.place, u.win_probability
  from private.usual_stages() u where u.outcome <> 'lost'
$$;

create function public.create_pipeline(name text) returns public.pipelines
language plpgsql
set search_path = ''
as $$
declare
  made public.pipelines;
begin
  insert into public.pipelines (user_id, name) values (private.caller(), create_pipeline.name) returning * into made;
  perform private.add_default_stages(made);
  return made;
end
$$;
comment on function public.create_pipeline is 'A pipeline together with its five default stages.';

create function public.pipeline_list() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', p.id, 'name', p.name, 'created_at', p.created_at, 'updated_at', p.updated_at,
      'deals', (select count(*) from public.deals d where d.pipeline_id = p.id),
      'stages', coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'order', s."order", 'outcome', s.outcome,
          'win_probability', s.win_probability,
          'deals', (select count(*) from public.deals d where d.stage_id = s.id)) order by s."order", s.id)
        from public.pipeline_stages s where s.pipeline_id = p.id
      ), '[]'))
    order by p.created_at, p.id), '[]')
  from public.pipelines p
$$;
comment on function public.pipeline_list is 'All pipelines, the oldest first, with their stages in order and the deals in each counted.';

create function private.lock_pipelines() returns void
language sql
set search_path = ''
as $$ select from public.pipelines p where p.user_id = private.caller() order by p.id for update $$;
comment on function private.lock_pipelines is
  'Writes that make or remove stages and pipelines of one account wait here for each other, before they look at anything. Called by definers too, so it names the caller.';

create function public.save_stages(pipeline uuid, stages jsonb, moves jsonb default '{}') returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  removed uuid[];
begin
  perform private.lock_pipelines();
  if not exists (select from public.pipelines p where p.id = save_stages.pipeline) then
    raise exception 'This pipeline no longer exists.' using errcode = 'PT404';
  end if;
  -- What cannot be read must not mean that all are removed.
  if stages is null or jsonb_typeof(stages) <> 'array' or stages = '[]' then
    raise exception 'A pipeline needs at least one stage.' using errcode = 'PT400';
  end if;
  if (select count(w.id) > count(distinct w.id) from jsonb_to_recordset(stages) as w (id uuid)) then
    raise exception 'A stage is named twice.' using errcode = 'PT400';
  end if;
  if exists (
    select from jsonb_to_recordset(stages) as w (id uuid)
    join public.pipeline_stages s on s.id = w.id where s.pipeline_id <> save_stages.pipeline
  ) then
    raise exception 'A stage belongs to another pipeline.' using errcode = 'PT409';
  end if;
  if exists (
    select from jsonb_to_recordset(stages) as w (id uuid)
    join public.changes c on c.row_id = w.id and c.verb = 'delete'
    where not exists (select from public.pipeline_stages s where s.id = w.id)
  ) then
    raise exception 'A stage was removed meanwhile. Nothing was saved; look at the stages again.' using errcode = 'PT409';
  end if;
  -- Who puts a deal into one of these at the same time waits, and finds it gone.
  removed := array(
    select s.id from public.pipeline_stages s
    where s.pipeline_id = save_stages.pipeline
      and not exists (select from jsonb_to_recordset(stages) as w (id uuid) where w.id = s.id)
    order by s.id for update
  );
  if exists (select from public.pipeline_stages s where s.id = any (removed) and s.outcome <> 'open') then
    perform private.refuse_removal_of_closed_stage();
  end if;

  -- Two stages may swap their names: what counts is how they stand in the end.
  set constraints public.pipeline_stages_name_once deferred;
  insert into public.pipeline_stages (id, pipeline_id, name, "order", win_probability)
  select coalesce(w.id, gen_random_uuid()), save_stages.pipeline, w.name, w.place, w.win_probability
  from rows from (jsonb_to_recordset(stages) as (id uuid, name text, win_probability integer)) with ordinality
    as w (id, name, win_probability, place)
  where not exists (select from public.pipeline_stages s where s.id = w.id);
  update public.pipeline_stages s set name = w.name, "order" = w.place, win_probability = w.win_probability
  from rows from (jsonb_to_recordset(stages) as (id uuid, name text, win_probability integer)) with ordinality
    as w (id, name, win_probability, place)
  where s.id = w.id and s.pipeline_id = save_stages.pipeline
    and (s.name, s."order", s.win_probability) is distinct from (w.name, w.place::integer, w.win_probability::smallint);

  if exists (
    select from jsonb_each_text(moves) m
    where m.key::uuid = any (removed) and m.value is distinct from 'none' and not exists (
      select from public.pipeline_stages s
      where s.pipeline_id = save_stages.pipeline and s.id::text = m.value and s.id <> all (removed)
    )
  ) then
    raise exception 'The stage to move the deals to no longer exists.' using errcode = 'PT409';
  end if;
  -- "none" leaves the deals without a stage; who says nothing has not been asked.
  update public.deals d set stage_id = nullif(m.value, 'none')::uuid
  from jsonb_each_text(moves) m
  where d.stage_id = m.key::uuid and d.stage_id = any (removed);
  if exists (select from public.deals d where d.stage_id = any (removed)) then
    raise exception 'Deals came to a stage that you removed. Say where they go.' using errcode = 'PT409';
  end if;
  delete from public.pipeline_stages s where s.id = any (removed);
  set constraints public.pipeline_stages_name_once immediate;
  return jsonb_build_object('batch', private.written_batch());
end
$$;
comment on function public.save_stages is
  'The stages of a pipeline as they shall stand, in this order; those not named are removed and their deals go where "moves" says. One transaction, one batch.';

create function public.delete_pipeline(id uuid, move_to uuid default null) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  target public.pipelines;
begin
  perform private.lock_pipelines();
  if not exists (select from public.pipelines p where p.id = delete_pipeline.id) then
    raise exception 'This pipeline no longer exists.' using errcode = 'PT404';
  end if;
  if not exists (select from public.pipelines p where p.id <> delete_pipeline.id) then
    raise exception 'The last pipeline cannot be deleted. Create another one first.' using errcode = 'PT409';
  end if;
  if exists (select from public.deals d where d.pipeline_id = delete_pipeline.id) then
    select * into target from public.pipelines p where p.id = move_to and p.id <> delete_pipeline.id;
    if target.id is null then
      raise exception 'The pipeline has deals. Say to which pipeline they go.' using errcode = 'PT409';
    end if;
    -- To the stage of the same name, or to none.
    update public.deals d set pipeline_id = target.id, stage_id = (
      select s.id from public.pipeline_stages s
      join public.pipeline_stages was on was.id = d.stage_id and was.name = s.name
      where s.pipeline_id = target.id
    )
    where d.pipeline_id = delete_pipeline.id;
  end if;
  delete from public.pipelines p where p.id = delete_pipeline.id;
  return jsonb_build_object('batch', private.written_batch());
end
$$;
comment on function public.delete_pipeline is
  'Deletes a pipeline with its stages. Its deals go to another one, each to the stage of the same name or to none.';

-- The list ----------------------------------------------------------------------------------------------------

create function private.deal_value_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  is_from boolean := filter ? 'value_from';
  -- As the indexes have it. What has no rate is neither more nor less than anything.
  unrated text := case when is_from then '-infinity' else 'infinity' end;
  worth text := format('coalesce(private.worth(c.value, c.currency, c.rate), %L::numeric)', unrated);
begin
  if not (is_from or filter ? 'value_to') then
    return '';
  end if;
  return concat_ws(' and ',
    format('%s %s %L::numeric', worth, case when is_from then '>' else '<' end, unrated),
    case when is_from then format('%s >= %L::numeric', worth, filter ->> 'value_from') end,
    case when filter ? 'value_to' then format('%s <= %L::numeric', worth, filter ->> 'value_to') end);
end
$$;
comment on function private.deal_value_conditions is
  'The deals worth as much as a filter wants, in the account''s currency, as a condition on "c"; empty when it wants nothing.';

create function private.deal_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  further record;
begin
  -- What is no filter is refused below.
  if jsonb_typeof(filter) is distinct from 'object' then
    return private.deal_column_conditions(filter);
  end if;
  further := private.further_deal_conditions(filter);
  return concat_ws(' and ', private.deal_column_conditions(filter - further.keys), nullif(further.conditions, ''));
end
$$;
comment on function private.deal_conditions is
  'The deals that a filter means, as a condition on "c"; the stage "none" means those without one, and amounts are in the account''s currency. Every value is quoted.';

create function private.deal_contact_condition(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  -- Looked up first, so that both parts of the condition have an index.
  further uuid[] := array(
    select k.deal_id from public.deal_contacts k
    where k.user_id = private.caller() and k.contact_id = (filter ->> 'contact')::uuid
  );
begin
  return format(case when cardinality(further) = 0 then 'c.contact_id = %L::uuid' else '(c.contact_id = %L::uuid or c.id = any (%L::uuid[]))' end,
    filter ->> 'contact', further);
end
$$;
comment on function private.deal_contact_condition is
  'The deals that a contact has to do with, as the main contact or as a further one, as a condition on "c". Every value is quoted.';

create function private.deals_of_contact(contact uuid) returns bigint
language sql stable
set search_path = ''
as $$
  select count(*) from (
    select d.id from public.deals d where d.contact_id = contact
    union
    select k.deal_id from public.deal_contacts k where k.contact_id = contact
  ) d
$$;

create function private.deal_column_conditions(filter jsonb) returns text
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
comment on function private.deal_column_conditions is
  'The deals that a filter means, as a condition on "c"; the stage "none" means those without one. Every value is quoted.';

insert into private.list_orders (kind, sort, descending, expression, type, link)
select 'deals', o.sort, d.descending,
  case when d.descending then coalesce(o.downwards, o.upwards) else o.upwards end, o.type, o.link
from (values (false), (true)) as d (descending)
cross join (values
  ('created', 'timestamptz', 'c.created_at', null, ''),
  ('name', 'text', 'lower(c.name)', null, ''),
  ('value', 'numeric',
    $$coalesce(private.worth(c.value, c.currency, c.rate), 'infinity'::numeric)$$,
    $$coalesce(private.worth(c.value, c.currency, c.rate), '-infinity'::numeric)$$,
    ''),
  ('expected_close', 'date',
    $$coalesce(c.expected_close_date, 'infinity'::date)$$,
    $$coalesce(c.expected_close_date, '-infinity'::date)$$,
    ''),
  -- By name too, so that the stages of several pipelines do not mix.
  ('stage', 'text',
    $$coalesce(lpad(s."order"::text, 10, '0') || ' ' || lower(s.name), 'z')$$,
    $$coalesce(lpad(s."order"::text, 10, '0') || ' ' || lower(s.name), '')$$,
    'left join public.pipeline_stages s on s.user_id = c.user_id and s.pipeline_id = c.pipeline_id and s.id = c.stage_id'),
  ('company', 'text',
    $$coalesce('0' || lower(co.name), '1')$$,
    $$lower(coalesce(co.name, ''))$$,
    'left join public.companies co on co.user_id = c.user_id and co.id = c.company_id'),
  ('contact', 'text',
    $$coalesce('0' || nullif(lower(coalesce(p.first_name || ' ', '') || coalesce(p.last_name, '')), ''), '1')$$,
    $$lower(coalesce(p.first_name || ' ', '') || coalesce(p.last_name, ''))$$,
    'left join public.contacts p on p.user_id = c.user_id and p.id = c.contact_id')
) as o (sort, type, upwards, downwards, link);

create function private.deal_card(deal public.deals) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select f.*,
      (select s.name from public.pipeline_stages s where s.id = deal.stage_id) as stage_name,
      coalesce((select s.outcome from public.pipeline_stages s where s.id = deal.stage_id), 'open') as outcome,
      -- As private.longest_stays has it, without a third look at the stage: a deal is open while it has not been closed.
      case when deal.closed_at is null then greatest(deal.stage_since, case when deal.stage_since is not null then (
        select l.at from private.mail_links l
        where l.user_id = deal.user_id and l.deal_id = deal.id and l.counts order by l.at desc, l.mail_id desc limit 1
      ) end) + coalesce(
        (select u.stay from private.usual_stays u where u.stage_id = deal.stage_id), private.default_stay()) end as stalls_at,
      (select c.name from public.companies c where c.id = deal.company_id) as company_name,
      (
        select json_build_object('first_name', p.first_name, 'last_name', p.last_name, 'email', p.email)
        from public.contacts p where p.id = deal.contact_id
      ) as contact,
      (
        select json_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
        from public.tasks t
        where t.deal_id = deal.id and not t.completed
        order by t.due_date nulls last, t.id limit 1
      ) as next_task,
      -- Few deals have mails: the others cost a look into an index.
      case when deal.closed_at is null and exists (
        select from private.mail_links l
        where l.user_id = deal.user_id and l.deal_id = deal.id and l.counts and l.at > now() - interval '30 days'
      ) then private.reply_waits_on(deal.id) else false end as reply_waits
    from private.fields_of(deal) f
  ) k
$$;
comment on function private.deal_card is
  'A deal as the list and the board show it: with its stage, company, contact and next task, whether a reply waits, and when it will have been in its stage for longer than usual without a mail, if it is open.';

create function public.deal_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns json
language plpgsql stable
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_deals(after, page_size);
  end if;
  return private.page('deals', 'deal_card', filter, sort, descending, after, page_size);
end
$$;
comment on function public.deal_page is 'A page of the deals that a filter means.';

create function public.deal_totals(filter jsonb default '{}') returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('deals', filter);
  totals jsonb;
begin
  -- Money goes out as text: a sum may have more digits than the numbers of JavaScript.
  execute format(
    'select jsonb_build_object(''count'', count(*), ''sum'', coalesce(sum(private.worth(c.value, c.currency, c.rate)), 0)::text,
       ''uncounted'', (
         select coalesce(jsonb_object_agg(u.currency, u.count), ''{}'')
         from (
           select c.currency, count(*) as count from public.deals c
           where c.currency is not null and c.rate is null and %1$s group by c.currency
         ) u
       ))
     from public.deals c where %1$s',
    own.conditions)
  into totals using own.hits;
  return totals;
end
$$;
comment on function public.deal_totals is
  'How many deals a filter means, what they are worth together, and how many of each currency are not in the sum, because it has no rate.';

create function public.deal_neighbours(
  id uuid, filter jsonb default '{}', sort text default 'created', descending boolean default true
)
returns jsonb
language sql stable
set search_path = ''
as $$
  select private.neighbours('deals', filter, sort, descending, id)
$$;
comment on function public.deal_neighbours is 'The deals before and after one, in the list that a filter and an order mean.';

create function public.deal_record(id uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (select private.deal_on_page(d) from public.deals d where d.id = deal_record.id);
end
$$;
comment on function public.deal_record is 'A deal with its stage, company and contacts, or null when there is none.';

create function public.update_deals(filter jsonb, changes jsonb) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
begin
  if changes ->> 'stage_id' is not null and not exists (
    select from public.pipeline_stages s where s.id = (changes ->> 'stage_id')::uuid
  ) then
    raise exception 'The chosen stage no longer exists.' using errcode = 'PT404';
  end if;
  return private.set_many('deals', private.ids_of('deals', filter), changes);
end
$$;
comment on function public.update_deals is
  'Sets stage with the reason of a loss, expected close, currency, tags or own fields of every deal that a filter means; a stage brings its pipeline with it.';

create function public.delete_deals(filter jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('deals', filter) $$;

create function private.deal_on_page(deal public.deals) returns jsonb
language sql stable
set search_path = ''
as $$
  select k.card::jsonb || jsonb_build_object(
    'main_phone', (
      select jsonb_build_object('contact_id', c.id, 'number', c.phone_number) from public.contacts c where c.id = deal.contact_id
    ),
    'people', coalesce((
      select jsonb_agg(jsonb_build_object('contact_id', p.contact_id, 'role', p.role, 'name', jsonb_build_object(
        'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email)) order by p.position, p.id)
      from public.deal_contacts p join public.contacts c on c.id = p.contact_id
      where p.deal_id = deal.id
    ), '[]'))
  from private.deal_card(deal) k
$$;
comment on function private.deal_on_page is 'A deal as its page shows it: with its stage, company, contacts and the number of the main one.';

-- The board, whose columns are pages too ----------------------------------------------------------------------

create function private.board_column(
  conditions text, hits uuid[], pipeline uuid, stage uuid, after jsonb, page_size integer, out rows json, out next json
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
  into ids, next using hits;
  rows := private.deal_cards(ids[:size]);
end
$$;
comment on function private.board_column is
  'Cards of one column after a cursor, and the cursor of those after them, or null. The first two are what private.own_conditions answers.';

create function public.deal_column(
  pipeline uuid, stage uuid, filter jsonb default '{}', after jsonb default null, page_size integer default 30
)
returns json
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('deals', filter);
begin
  return (
    select json_build_object('rows', b.rows, 'next', b.next)
    from private.board_column(own.conditions, own.hits, pipeline, stage, after, page_size) b
  );
end
$$;
comment on function public.deal_column is 'More cards of one column of the board.';

create function public.deal_board(
  pipeline uuid, filter jsonb default '{}', page_size integer default 30, loaded jsonb default '{}'
)
returns json
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('deals', filter);
  board json;
begin
  if not exists (select from public.pipelines p where p.id = deal_board.pipeline) then
    return null;
  end if;
  execute format(
    'with figures as (
       select c.stage_id, count(*) as count, sum(private.worth(c.value, c.currency, c.rate)) as sum
       from public.deals c where %1$s and c.pipeline_id = $2 group by c.stage_id
     ),
     unrated as (
       select u.stage_id, jsonb_object_agg(u.currency, u.count) as uncounted
       from (
         select c.stage_id, c.currency, count(*) as count from public.deals c
         where c.currency is not null and c.rate is null and %1$s and c.pipeline_id = $2 group by c.stage_id, c.currency
       ) u
       group by u.stage_id
     ),
     columns as (
       select s.id, s.name, s.outcome, s."order", s.win_probability, coalesce(f.count, 0) as count, coalesce(f.sum, 0) as sum
       from public.pipeline_stages s left join figures f on f.stage_id = s.id
       where s.pipeline_id = $2
       union all
       -- Nothing is known of how likely a deal without a stage is.
       select null, null, ''open'', null, 0, f.count, coalesce(f.sum, 0) from figures f where f.stage_id is null
     )
     select coalesce(json_agg(
       json_build_object(''stage_id'', k.id, ''stage_name'', k.name, ''outcome'', k.outcome,
         ''win_probability'', k.win_probability, ''count'', k.count, ''sum'', k.sum::text,
         ''weighted'', round(k.sum * k.win_probability * 0.01, 2)::text,
         ''uncounted'', coalesce((select u.uncounted from unrated u where u.stage_id is not distinct from k.id), ''{}''),
         ''rows'', coalesce(b.rows, ''[]''), ''next'', b.next)
       order by k."order" nulls first, k.id), ''[]'')
     from columns k
     left join lateral private.board_column(
       %1$L, $1, $2, k.id, null, coalesce(($3 ->> coalesce(k.id::text, ''none''))::integer, $4)
     ) b on k.count > 0',
    own.conditions)
  into board
  using own.hits, deal_board.pipeline, loaded, page_size;
  return board;
end
$$;
comment on function public.deal_board is
  'The columns of a pipeline, deals without a stage first: figures over everything that matches, and the first cards of each. "loaded" says for a stage how many cards the reader already had. Null when there is no such pipeline.';

create function public.move_deal(id uuid, stage_id uuid, before_id uuid default null, after_id uuid default null)
returns public.deals
language plpgsql
set search_path = ''
as $$
declare
  step constant double precision := 1024;
  moved public.deals;
  target_pipeline uuid;
  above double precision;
  below double precision;
  place double precision;
begin
  select * into moved from public.deals d where d.id = move_deal.id;
  if moved.id is null then
    raise exception 'This deal no longer exists.' using errcode = 'PT404';
  end if;
  target_pipeline := moved.pipeline_id;
  if move_deal.stage_id is not null then
    select s.pipeline_id into target_pipeline from public.pipeline_stages s where s.id = move_deal.stage_id;
    if not found then
      raise exception 'The chosen stage no longer exists.' using errcode = 'PT404';
    end if;
  end if;

  -- Two moves into one column wait for each other, so that they cannot choose the same place; and they
  -- wait here, before they hold any row that the other might want.
  perform pg_advisory_xact_lock(hashtextextended(
    coalesce(move_deal.stage_id, target_pipeline, moved.user_id)::text, 0));
  select * into moved from public.deals d where d.id = move_deal.id for update;
  if moved.id is null then
    raise exception 'This deal no longer exists.' using errcode = 'PT404';
  end if;

  with others as (
    select d.id, d."order",
      lead(d."order") over in_column as next_order,
      lag(d."order") over in_column as previous_order
    from public.deals d
    where d.pipeline_id is not distinct from target_pipeline
      and d.stage_id is not distinct from move_deal.stage_id
      and d.id <> moved.id
    window in_column as (order by d."order", d.created_at desc, d.id)
  )
  -- A neighbour that has left the column meanwhile is passed over; without any the deal goes last.
  select near.above, near.below into above, below
  from (
    select o."order" as above, o.next_order as below, 1 as choice from others o where o.id = move_deal.before_id
    union all
    select o.previous_order, o."order", 2 from others o where o.id = move_deal.after_id
    union all
    select max(o."order"), null, 3 from others o
  ) near
  order by near.choice limit 1;

  place := case
    when above is null and below is null then 0
    when above is null then below - step
    when below is null then above + step
    else above + (below - above) / 2
  end;

  if (above is null or place > above) and (below is null or place < below) and abs(place) < 1e15 then
    update public.deals d
      set stage_id = move_deal.stage_id, pipeline_id = target_pipeline, "order" = place
      where d.id = moved.id
      returning * into moved;
    return moved;
  end if;

  -- A tie, or no number left between the two: the whole column is numbered anew in one statement.
  with others as (
    select d.id, row_number() over (order by d."order", d.created_at desc, d.id) as rank
    from public.deals d
    where d.pipeline_id is not distinct from target_pipeline
      and d.stage_id is not distinct from move_deal.stage_id
      and d.id <> moved.id
  ),
  gap as (
    select coalesce(
      (select o.rank from others o where o.id = move_deal.before_id),
      (select o.rank - 1 from others o where o.id = move_deal.after_id),
      (select count(*) from others)
    ) as rank
  ),
  places as (
    select o.id, (case when o.rank <= gap.rank then o.rank else o.rank + 1 end) * step as place from others o, gap
    union all
    select moved.id, (gap.rank + 1) * step from gap
  )
  update public.deals d
    set "order" = p.place,
        stage_id = case when d.id = moved.id then move_deal.stage_id else d.stage_id end,
        pipeline_id = case when d.id = moved.id then target_pipeline else d.pipeline_id end
    from places p
    where d.id = p.id;
  select * into moved from public.deals d where d.id = move_deal.id;
  return moved;
end
$$;
comment on function public.move_deal is
  'Places a deal in a column of the board, under before_id and over after_id. Writes one row, unless the column must be numbered anew.';

-- Won and lost ------------------------------------------------------------------------------------------------

create function public.close_deals(filter jsonb, outcome text, reason text default null) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  usual record;
  ids uuid[];
  oldest uuid;
  row_count bigint;
begin
  select u.name, u.win_probability into usual
  from private.usual_stages() u where u.outcome = close_deals.outcome and u.outcome <> 'open';
  if not found then
    raise exception 'A deal is marked as won or as lost.' using errcode = 'PT400';
  end if;
  perform private.lock_pipelines();
  ids := private.ids_of('deals', filter);
  -- A deal whose pipeline was deleted goes to the oldest one.
  select p.id into oldest from public.pipelines p order by p.created_at, p.id limit 1;
  if oldest is null and cardinality(ids) > 0 then
    raise exception 'There is no pipeline. Create one first.' using errcode = 'PT409';
  end if;

  insert into public.pipeline_stages (pipeline_id, name, "order", win_probability)
  select p.id, usual.name,
    (select coalesce(max(s."order"), 0) + 1 from public.pipeline_stages s where s.pipeline_id = p.id),
    usual.win_probability
  from public.pipelines p
  where p.id in (select coalesce(d.pipeline_id, oldest) from public.deals d where d.id = any (ids))
    and not exists (
      select from public.pipeline_stages s
      where s.pipeline_id = p.id and s.outcome = close_deals.outcome
    );

  -- Who gives no reason does not take away the one that a lost deal has.
  update public.deals d set stage_id = s.id, lost_reason = coalesce(private.blank_to_null(close_deals.reason), d.lost_reason)
  from public.pipeline_stages s
  where d.id = any (ids) and s.pipeline_id = coalesce(d.pipeline_id, oldest) and s.outcome = close_deals.outcome;
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;
comment on function public.close_deals is
  'Marks deals as won or lost, with an optional reason; a pipeline that lacks the stage for it gets it in the same batch.';

-- The reasons that "Mark as lost" suggests: a list in the preferences, backed up, restored and deleted with them. A deal stores the
-- text of its reason, so renaming or deleting a reason in the list changes no deal.

create function private.tidy_lost_reasons() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- Each once, whatever its case, at its first place.
  new.lost_reasons := coalesce((
    select array_agg(r.words order by r.place)
    from (
      select distinct on (lower(btrim(u.words))) btrim(u.words) as words, u.place
      from unnest(new.lost_reasons) with ordinality as u (words, place)
      where btrim(coalesce(u.words, '')) <> ''
      order by lower(btrim(u.words)), u.place
    ) r
  ), '{}');
  if cardinality(new.lost_reasons) > 50 or exists (select from unnest(new.lost_reasons) as words where char_length(words) > 200) then
    raise exception 'There can be 50 reasons, of 200 characters each. Nothing was saved.' using errcode = 'PT400';
  end if;
  return new;
end
$$;
comment on function private.tidy_lost_reasons is 'Reasons are trimmed, each is there once, and there are not too many to choose from.';

create trigger tidy_lost_reasons before insert or update of lost_reasons on public.preferences
  for each row execute function private.tidy_lost_reasons();

-- The recipients of a mail to companies or deals --------------------------------------------------------------

create function public.contacts_behind(record text, filter jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  people text;
  answer jsonb;
begin
  if record is null or record not in ('companies', 'deals') then
    raise exception 'There are no contacts of %.', left(record, 40) using errcode = 'PT400';
  end if;
  people := case record
    when 'companies' then 'select p.id from public.contacts p join chosen c on c.id = p.company_id where p.user_id = $1'
    else 'select d.contact_id from public.deals d join chosen c on c.id = d.id where d.user_id = $1 and d.contact_id is not null
      union select k.contact_id from public.deal_contacts k join chosen c on c.id = k.deal_id where k.user_id = $1'
  end;
  -- Nobody writes to more at once.
  execute format(
    'with chosen as materialized (select c.id from public.%I c where c.user_id = $1 and %s)
     select coalesce(jsonb_agg(w.id), ''[]'') from (select w.id from (%s) w (id) order by w.id limit 1000) w',
    record, private.conditions(record, filter), people)
  into answer using me;
  return answer;
end
$$;
comment on function public.contacts_behind is
  'The ids of the contacts of all companies or deals that a filter means, further contacts of deals among them; at most 1,000.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.add_default_stages(public.pipelines), public.create_pipeline(text), public.pipeline_list(),
  private.lock_pipelines(), public.save_stages(uuid, jsonb, jsonb), public.delete_pipeline(uuid, uuid),
  private.deal_value_conditions(jsonb), private.deal_conditions(jsonb), private.deal_contact_condition(jsonb),
  private.deals_of_contact(uuid), private.deal_column_conditions(jsonb), private.deal_card(public.deals),
  public.deal_page(jsonb, text, boolean, jsonb, integer), public.deal_totals(jsonb),
  public.deal_neighbours(uuid, jsonb, text, boolean), public.deal_record(uuid), public.update_deals(jsonb, jsonb),
  public.delete_deals(jsonb), private.deal_on_page(public.deals),
  private.board_column(text, uuid[], uuid, uuid, jsonb, integer),
  public.deal_column(uuid, uuid, jsonb, jsonb, integer), public.deal_board(uuid, jsonb, integer, jsonb),
  public.move_deal(uuid, uuid, uuid, uuid), public.close_deals(jsonb, text, text), private.tidy_lost_reasons(),
  public.contacts_behind(text, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.add_default_stages(public.pipelines), public.create_pipeline(text), public.pipeline_list(),
  private.lock_pipelines(), public.save_stages(uuid, jsonb, jsonb), public.delete_pipeline(uuid, uuid),
  private.deal_value_conditions(jsonb), private.deal_conditions(jsonb), private.deal_contact_condition(jsonb),
  private.deals_of_contact(uuid), private.deal_column_conditions(jsonb), private.deal_card(public.deals),
  public.deal_page(jsonb, text, boolean, jsonb, integer), public.deal_totals(jsonb),
  public.deal_neighbours(uuid, jsonb, text, boolean), public.deal_record(uuid), public.update_deals(jsonb, jsonb),
  public.delete_deals(jsonb), private.deal_on_page(public.deals),
  private.board_column(text, uuid[], uuid, uuid, jsonb, integer),
  public.deal_column(uuid, uuid, jsonb, jsonb, integer), public.deal_board(uuid, jsonb, integer, jsonb),
  public.move_deal(uuid, uuid, uuid, uuid), public.close_deals(jsonb, text, text), private.tidy_lost_reasons(),
  public.contacts_behind(text, jsonb)
  to authenticated, service_role;
