-- The deals screen: the list, the board, won and lost, the deal's own page, and the pipelines behind them.

alter table public.deals add column search_text text not null generated always as (private.fold(name)) stored;
comment on column public.deals.search_text is 'What the list''s search looks through: the name, folded.';
create index deals_search on public.deals using gin (user_id, search_text extensions.gin_trgm_ops);
create index deals_by_name on public.deals (user_id, lower(name), id);
create index deals_by_value on public.deals (user_id, value, id);
create index deals_by_close on public.deals (user_id, coalesce(expected_close_date, 'infinity'::date), id);

create function private.deal_conditions(me uuid, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[format('c.user_id = %L::uuid', me)];
  stages text[];
  link text;
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'pipeline', 'stage', 'company', 'contact',
    'value_from', 'value_to', 'close_from', 'close_to']);
  if btrim(coalesce(filter ->> 'search', '')) <> '' then
    conditions := conditions || private.search_condition(filter ->> 'search');
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
  return array_to_string(conditions, ' and ');
end
$$;
comment on function private.deal_conditions is
  'The deals that a filter means, as a condition on "c"; the stage "none" means those without one. Every value is quoted.';

create function private.deals_orders(missing text) returns table (sort text, expression text, type text, link text)
language sql immutable
set search_path = ''
as $$
  values
    ('created', 'c.created_at', 'timestamptz', ''),
    ('name', 'lower(c.name)', 'text', ''),
    ('value', 'c.value', 'numeric', ''),
    ('expected_close', 'coalesce(c.expected_close_date, ' || replace(missing, 'timestamptz', 'date') || ')', 'date', ''),
    -- By name too, so that the stages of several pipelines do not mix; what has none comes last, either way.
    ('stage',
      'coalesce(lpad(s."order"::text, 10, ''0'') || '' '' || lower(s.name), ' || case when missing like '%-infinity%' then '''''' else '''z''' end || ')',
      'text', 'left join public.pipeline_stages s on s.user_id = c.user_id and s.pipeline_id = c.pipeline_id and s.id = c.stage_id'),
    ('company', 'lower(coalesce(co.name, ''''))', 'text',
      'left join public.companies co on co.user_id = c.user_id and co.id = c.company_id'),
    -- As private.sort_name, which costs four times as much: it is called for each deal.
    ('contact', 'lower(coalesce(p.first_name || '' '', '''') || coalesce(p.last_name, ''''))', 'text',
      'left join public.contacts p on p.user_id = c.user_id and p.id = c.contact_id')
$$;

create function private.deal_card(deal public.deals) returns table (card jsonb)
language sql stable -- no search path of its own, see contact_card
as $$
  select (to_jsonb(deal) - 'search_text' - 'user_id') || jsonb_build_object(
    'stage_name', (select s.name from public.pipeline_stages s where s.user_id = deal.user_id and s.id = deal.stage_id),
    'company_name', (select k.name from public.companies k where k.user_id = deal.user_id and k.id = deal.company_id),
    'contact', (
      select jsonb_build_object('first_name', p.first_name, 'last_name', p.last_name, 'email', p.email)
      from public.contacts p where p.user_id = deal.user_id and p.id = deal.contact_id
    ),
    'next_task', (
      select jsonb_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
      from public.tasks t
      where t.user_id = deal.user_id and t.deal_id = deal.id and not t.completed
      order by t.due_date nulls last, t.id limit 1
    )
  )
$$;
comment on function private.deal_card is 'A deal as the list and the board show it: with its stage, company, contact and next task.';

create function public.deal_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns jsonb
language sql stable
security definer -- as contact_page
set search_path = ''
as $$
  select private.page('deals', 'deal_card', private.deal_conditions(auth.uid(), filter), sort, descending, after, page_size)
$$;
comment on function public.deal_page is 'A page of the deals that a filter means.';

create function public.deal_totals(filter jsonb default '{}') returns jsonb
language plpgsql stable
security definer -- as contact_page
set search_path = ''
as $$
declare
  totals jsonb;
begin
  -- Money goes out as text: a sum may have more digits than the numbers of JavaScript.
  execute format('select jsonb_build_object(''count'', count(*), ''sum'', coalesce(sum(c.value), 0)::text) from public.deals c where %s',
    private.deal_conditions(auth.uid(), filter))
  into totals;
  return totals;
end
$$;
comment on function public.deal_totals is 'How many deals a filter means, and what they are worth together.';

create function public.deal_neighbours(
  id uuid, filter jsonb default '{}', sort text default 'created', descending boolean default true
)
returns jsonb
language sql stable
security definer -- as contact_page
set search_path = ''
as $$
  select private.neighbours('deals', private.deal_conditions(auth.uid(), filter), sort, descending, id)
$$;
comment on function public.deal_neighbours is 'The deals before and after one, in the list that a filter and an order mean.';

create function public.deal_record(id uuid) returns jsonb
language sql stable
security definer -- as contact_record
set search_path = ''
as $$
  select k.card from public.deals d cross join lateral private.deal_card(d) k
  where d.user_id = auth.uid() and d.id = deal_record.id
$$;
comment on function public.deal_record is 'A deal with its stage, company and contact, or null when there is none.';

create function public.update_deals(filter jsonb, changes jsonb) returns jsonb
language plpgsql
security definer -- finds by the index like deal_page; writes rows of auth.uid() only
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('deals', private.deal_conditions(auth.uid(), filter));
  row_count bigint;
begin
  if coalesce(changes - 'stage_id' - 'expected_close_date', '[]') <> '{}' then
    raise exception 'Only stage and expected close can be set for many deals at once.' using errcode = 'PT400';
  end if;
  if changes ->> 'stage_id' is not null and not exists (
    select from public.pipeline_stages s where s.user_id = auth.uid() and s.id = (changes ->> 'stage_id')::uuid
  ) then
    raise exception 'The chosen stage does not exist any more.' using errcode = 'PT404';
  end if;
  update public.deals d set
    stage_id = case when changes ? 'stage_id' then (changes ->> 'stage_id')::uuid else d.stage_id end,
    expected_close_date =
      case when changes ? 'expected_close_date' then (changes ->> 'expected_close_date')::date else d.expected_close_date end
  where d.user_id = auth.uid() and d.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;
comment on function public.update_deals is 'Sets stage or expected close of every deal that a filter means; a stage brings its pipeline with it.';

create function public.delete_deals(filter jsonb) returns jsonb
language sql
security definer -- as update_deals
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('deals', private.deal_conditions(auth.uid(), filter)) $$;

-- The board.

create function private.board_column(conditions text, pipeline uuid, stage uuid, after jsonb, page_size integer) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  size integer := least(greatest(page_size, 1), 1000);
  answer jsonb;
begin
  -- In the order in which move_deal places them. One row more than the page tells whether there is another.
  execute format(
    'with page as materialized (
       select c, row_number() over (order by c."order", c.created_at desc, c.id) as place
       from public.deals c
       where %1$s and c.pipeline_id = %2$L::uuid and %3$s %4$s
       order by c."order", c.created_at desc, c.id limit %5$s
     )
     select jsonb_build_object(
       ''rows'', coalesce(jsonb_agg(d.card order by p.place) filter (where p.place < %5$s), ''[]''),
       ''next'', case when count(*) = %5$s then (array_agg(
         jsonb_build_object(''order'', (p.c)."order", ''created_at'', (p.c).created_at, ''id'', (p.c).id) order by p.place desc
       ))[2] end
     ) from page p cross join lateral private.deal_card(p.c) d',
    conditions, pipeline, case when stage is null then 'c.stage_id is null' else format('c.stage_id = %L::uuid', stage) end,
    case when after is null then '' else format(
      'and c."order" >= %1$L::double precision and (c."order" > %1$L::double precision
         or c.created_at < %2$L::timestamptz or (c.created_at = %2$L::timestamptz and c.id > %3$L::uuid))',
      after ->> 'order', after ->> 'created_at', after ->> 'id')
    end,
    size + 1)
  into answer;
  return answer;
end
$$;
comment on function private.board_column is 'Cards of one column after a cursor, and the cursor of those after them, or null.';

create function public.deal_column(
  pipeline uuid, stage uuid, filter jsonb default '{}', after jsonb default null, page_size integer default 30
)
returns jsonb
language sql stable
security definer -- as contact_page
set search_path = ''
as $$
  select private.board_column(private.deal_conditions(auth.uid(), filter), pipeline, stage, after, page_size)
$$;
comment on function public.deal_column is 'More cards of one column of the board.';

create function public.deal_board(
  pipeline uuid, filter jsonb default '{}', page_size integer default 30, loaded jsonb default '{}'
)
returns jsonb
language plpgsql stable
security definer -- as contact_page
set search_path = ''
as $$
declare
  conditions text := private.deal_conditions(auth.uid(), filter);
  board jsonb;
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
     select coalesce(jsonb_agg(
       jsonb_build_object(''stage_id'', k.id, ''stage_name'', k.name, ''win_probability'', k.win_probability, ''count'', k.count,
         ''sum'', k.sum::text, ''weighted'', round(k.sum * k.win_probability * 0.01, 2)::text)
       || case when k.count = 0 then ''{"rows": [], "next": null}'' else
         private.board_column(%2$L, $1, k.id, null, coalesce(($3 ->> coalesce(k.id::text, ''none''))::integer, $4)) end
       order by k."order" nulls first, k.id), ''[]'')
     from columns k',
    conditions, conditions)
  into board
  using deal_board.pipeline, auth.uid(), loaded, page_size;
  return board;
end
$$;
comment on function public.deal_board is
  'The columns of a pipeline, deals without a stage first: figures over everything that matches, and the first cards of each. "loaded" says for a stage how many cards the reader already had. Null when there is no such pipeline.';

-- Won and lost.

create function private.lock_pipelines() returns void
language sql
set search_path = ''
as $$ select from public.pipelines p where p.user_id = auth.uid() order by p.id for update $$;
comment on function private.lock_pipelines is
  'Writes that make or remove stages and pipelines of one account wait here for each other, before they look at anything.';

create function public.close_deals(filter jsonb, outcome text, reason text default null) returns jsonb
language plpgsql
security definer -- as update_deals; a stage may have to be made
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  wanted text := case outcome when 'won' then 'Closed Won' when 'lost' then 'Closed Lost' end;
  ids uuid[];
  oldest uuid;
  row_count bigint;
begin
  if wanted is null then
    raise exception 'A deal is marked as won or as lost.' using errcode = 'PT400';
  end if;
  perform private.lock_pipelines();
  ids := private.ids_of('deals', private.deal_conditions(auth.uid(), filter));
  -- A deal whose pipeline was deleted goes to the oldest one.
  select p.id into oldest from public.pipelines p where p.user_id = auth.uid() order by p.created_at, p.id limit 1;
  if oldest is null and cardinality(ids) > 0 then
    raise exception 'There is no pipeline. Create one first.' using errcode = 'PT409';
  end if;

  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select auth.uid(), p.id, wanted,
    (select coalesce(max(s."order"), 0) + 1 from public.pipeline_stages s where s.user_id = auth.uid() and s.pipeline_id = p.id),
    case outcome when 'won' then 100 else 0 end
  from public.pipelines p
  where p.user_id = auth.uid()
    and p.id in (
      select coalesce(d.pipeline_id, oldest) from public.deals d where d.user_id = auth.uid() and d.id = any (ids)
    )
    and not exists (
      select from public.pipeline_stages s where s.user_id = auth.uid() and s.pipeline_id = p.id and s.name = wanted
    );

  -- Who gives no reason does not take away the one that a lost deal has.
  update public.deals d set stage_id = s.id, lost_reason = coalesce(private.blank_to_null(close_deals.reason), d.lost_reason)
  from public.pipeline_stages s
  where d.user_id = auth.uid() and d.id = any (ids)
    and s.user_id = d.user_id and s.pipeline_id = coalesce(d.pipeline_id, oldest) and s.name = wanted;
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;
comment on function public.close_deals is
  'Marks deals as won or lost, with an optional reason; a pipeline that lacks the stage for it gets it in the same batch.';

-- Pipelines.

create function public.pipeline_list() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('id', p.id, 'name', p.name, 'created_at', p.created_at, 'updated_at', p.updated_at,
      'deals', (select count(*) from public.deals d where d.user_id = p.user_id and d.pipeline_id = p.id),
      'stages', coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'order', s."order", 'win_probability', s.win_probability,
          'deals', (select count(*) from public.deals d where d.user_id = s.user_id and d.stage_id = s.id)) order by s."order", s.id)
        from public.pipeline_stages s where s.user_id = p.user_id and s.pipeline_id = p.id
      ), '[]'))
    order by p.created_at, p.id), '[]')
  from public.pipelines p
  where p.user_id = (select auth.uid())
$$;
comment on function public.pipeline_list is 'All pipelines, the oldest first, with their stages in order and the deals in each counted.';

create function public.save_stages(pipeline uuid, stages jsonb, moves jsonb default '{}') returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  removed uuid[];
begin
  perform private.lock_pipelines();
  if not exists (select from public.pipelines p where p.id = save_stages.pipeline) then
    raise exception 'This pipeline does not exist any more.' using errcode = 'PT404';
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
    where c.user_id = auth.uid() and not exists (select from public.pipeline_stages s where s.id = w.id)
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
    raise exception 'The stage that deals shall go to does not exist any more.' using errcode = 'PT409';
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
    raise exception 'This pipeline does not exist any more.' using errcode = 'PT404';
  end if;
  if not exists (select from public.pipelines p where p.user_id = auth.uid() and p.id <> delete_pipeline.id) then
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

revoke all on function
  private.deal_conditions(uuid, jsonb), private.deals_orders(text), private.deal_card(public.deals),
  private.board_column(text, uuid, uuid, jsonb, integer), private.lock_pipelines()
  from public, anon, authenticated;
grant execute on function private.lock_pipelines(), private.written_batch() to authenticated, service_role;
revoke all on function
  public.deal_page(jsonb, text, boolean, jsonb, integer), public.deal_totals(jsonb),
  public.deal_neighbours(uuid, jsonb, text, boolean), public.deal_record(uuid),
  public.update_deals(jsonb, jsonb), public.delete_deals(jsonb), public.close_deals(jsonb, text, text),
  public.deal_board(uuid, jsonb, integer, jsonb), public.deal_column(uuid, uuid, jsonb, jsonb, integer),
  public.pipeline_list(), public.save_stages(uuid, jsonb, jsonb), public.delete_pipeline(uuid, uuid)
  from public, anon;
grant execute on function
  public.deal_page(jsonb, text, boolean, jsonb, integer), public.deal_totals(jsonb),
  public.deal_neighbours(uuid, jsonb, text, boolean), public.deal_record(uuid),
  public.update_deals(jsonb, jsonb), public.delete_deals(jsonb), public.close_deals(jsonb, text, text),
  public.deal_board(uuid, jsonb, integer, jsonb), public.deal_column(uuid, uuid, jsonb, jsonb, integer),
  public.pipeline_list(), public.save_stages(uuid, jsonb, jsonb), public.delete_pipeline(uuid, uuid)
  to authenticated, service_role;
