-- Leads from the complete first history of the schema, 20261115000100 to 20261117000300, to the files of
-- supabase/migrations up to 20261118001500, which describe the schema by concept: decision 031.
--
-- The server runs it by itself. In a Supabase project it is run by hand, once; README.md says how.

-- Stages have an outcome -------------------------------------------------------------------------------------

alter table public.pipeline_stages
  add column outcome text not null default 'open',
  add constraint pipeline_stages_outcome_known check (outcome in ('open', 'won', 'lost'));
comment on column public.pipeline_stages.outcome is
  'What became of the deals in it: open, won or lost. Set by the database; figures, lists and imports ask for it.';

-- Nobody changed these rows, so nothing is logged.
select set_config('solo.silent', 'on', true);
update public.pipeline_stages set outcome = 'won' where name = 'Closed Won';
update public.pipeline_stages set outcome = 'lost' where name = 'Closed Lost';
select set_config('solo.silent', 'off', true);

create function private.outcome_of(stage_name text) returns text
language sql immutable parallel safe
set search_path = ''
as $$ select case stage_name when 'Closed Won' then 'won' when 'Closed Lost' then 'lost' else 'open' end $$;
comment on function private.outcome_of is
  'The outcome of a stage that is made under this name. Of a stage that is there, its column tells.';

create or replace function private.guard_stage() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.name := coalesce(btrim(new.name, E' \t\r\n'), '');
  new.outcome := private.outcome_of(new.name);
  if tg_op = 'UPDATE' and not private.is_restoring() and new.name <> old.name
     and (old.outcome <> 'open' or new.outcome <> 'open') then
    raise exception 'The stages Closed Won and Closed Lost keep their names, because figures hang on them.'
      using errcode = 'PT409';
  end if;
  return new;
end
$$;
comment on function private.guard_stage is
  'A stage gets its outcome with its name. Users know won and lost by those two names, so they neither change nor are given to another stage.';

create or replace function private.keep_closed_stage() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if old.outcome <> 'open'
    and not private.is_restoring() and coalesce(current_setting('solo.undoes', true), '') = ''
    -- Of a pipeline that is being deleted nothing is left here.
    and exists (select from public.pipelines p where p.user_id = old.user_id and p.id = old.pipeline_id)
  then
    perform private.refuse_removal_of_closed_stage();
  end if;
  return old;
end
$$;

create or replace function private.tidy_deal() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  stage public.pipeline_stages;
  is_new_stage boolean;
begin
  new.name := coalesce(btrim(new.name, E' \t\r\n'), '');
  new.lost_reason := private.blank_to_null(new.lost_reason);
  if private.is_restoring() then
    return new;
  end if;

  if tg_op = 'INSERT' then
    if new.stage_id is null and new.pipeline_id is null then
      select p.id into new.pipeline_id from public.pipelines p
        where p.user_id = new.user_id order by p.created_at, p.id limit 1;
    end if;
  elsif new.pipeline_id is distinct from old.pipeline_id and new.stage_id is not distinct from old.stage_id then
    -- A stage of the old pipeline has no place in the new one.
    new.stage_id := null;
  end if;

  is_new_stage := tg_op = 'INSERT' or new.stage_id is distinct from old.stage_id;
  if new.stage_id is not null then
    select * into stage from public.pipeline_stages s
      where s.id = new.stage_id and s.user_id = new.user_id;
    -- Whoever names only the stage means its pipeline too.
    if tg_op = 'INSERT' then
      new.pipeline_id := coalesce(new.pipeline_id, stage.pipeline_id);
    elsif is_new_stage and new.pipeline_id is not distinct from old.pipeline_id then
      new.pipeline_id := coalesce(stage.pipeline_id, new.pipeline_id);
    end if;
    -- With a null in it the composite key would not be checked.
    if new.pipeline_id is null then
      raise exception 'The chosen stage does not exist any more.' using errcode = '23503';
    end if;
  end if;

  if is_new_stage then
    -- The same outcome in another pipeline is no new one.
    new.closed_at := case
      when coalesce(stage.outcome, 'open') = 'open' then null
      when tg_op = 'UPDATE' and exists (
        select from public.pipeline_stages s
        where s.id = old.stage_id and s.user_id = new.user_id and s.outcome = stage.outcome
      ) then old.closed_at
      else now()
    end;
  elsif tg_op = 'UPDATE' then
    new.closed_at := old.closed_at;
  end if;
  if stage.outcome is distinct from 'lost' then
    new.lost_reason := null;
  end if;
  return new;
end
$$;

create or replace function private.company_card(company public.companies) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select
      company.id, company.name, company.website, company.industry, company.location, company.created_at, company.updated_at,
      (
        select count(*) from public.contacts p where p.user_id = company.user_id and p.company_id = company.id
      ) as contacts,
      count(d.id) as deals,
      count(d.id) filter (where coalesce(s.outcome, 'open') = 'open') as open_deals
    from public.deals d
    left join public.pipeline_stages s on s.id = d.stage_id
    where d.user_id = company.user_id and d.company_id = company.id
  ) k
$$;

create function private.usual_stages() returns table (place integer, name text, win_probability integer, outcome text)
language sql immutable
set search_path = ''
as $$
  select u.place, u.name, u.win_probability, private.outcome_of(u.name)
  from (values
    (1, 'Lead', 10), (2, 'Qualified', 25), (3, 'Proposal', 50), (4, 'Negotiation', 75), (5, 'Closed Won', 100), (6, 'Closed Lost', 0)
  ) u (place, name, win_probability)
$$;
comment on function private.usual_stages is 'The stages that a pipeline usually has, and how likely a deal in each is won.';

create or replace function private.add_default_stages(pipeline public.pipelines) returns void
language sql
set search_path = ''
as $$
  -- The stage of lost deals comes with the first of them.
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select pipeline.user_id, pipeline.id, u.name, u.place, u.win_probability
  from private.usual_stages() u where u.outcome <> 'lost'
$$;

create or replace function public.save_stages(pipeline uuid, stages jsonb, moves jsonb default '{}') returns jsonb
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

create or replace function public.close_deals(filter jsonb, outcome text, reason text default null) returns jsonb
language plpgsql
security definer -- as update_deals; a stage may have to be made
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
  ids := private.ids_of('deals', private.deal_conditions(auth.uid(), filter));
  -- A deal whose pipeline was deleted goes to the oldest one.
  select p.id into oldest from public.pipelines p where p.user_id = auth.uid() order by p.created_at, p.id limit 1;
  if oldest is null and cardinality(ids) > 0 then
    raise exception 'There is no pipeline. Create one first.' using errcode = 'PT409';
  end if;

  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select auth.uid(), p.id, usual.name,
    (select coalesce(max(s."order"), 0) + 1 from public.pipeline_stages s where s.user_id = auth.uid() and s.pipeline_id = p.id),
    usual.win_probability
  from public.pipelines p
  where p.user_id = auth.uid()
    and p.id in (
      select coalesce(d.pipeline_id, oldest) from public.deals d where d.user_id = auth.uid() and d.id = any (ids)
    )
    and not exists (
      select from public.pipeline_stages s
      where s.user_id = auth.uid() and s.pipeline_id = p.id and s.outcome = close_deals.outcome
    );

  -- Who gives no reason does not take away the one that a lost deal has.
  update public.deals d set stage_id = s.id, lost_reason = coalesce(private.blank_to_null(close_deals.reason), d.lost_reason)
  from public.pipeline_stages s
  where d.user_id = auth.uid() and d.id = any (ids)
    and s.user_id = d.user_id and s.pipeline_id = coalesce(d.pipeline_id, oldest) and s.outcome = close_deals.outcome;
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function private.first_stage(me uuid) returns uuid
language sql stable
set search_path = ''
as $$
  select s.id from public.pipeline_stages s
  where s.user_id = me and s.pipeline_id = (
    select p.id from public.pipelines p where p.user_id = me order by p.created_at, p.id limit 1
  ) and s.outcome = 'open'
  order by s."order", s.id limit 1
$$;

create or replace function private.match_deals(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  -- What no row of the file says tells no deals apart.
  says record;
  rows private.deal_side[];
  theirs private.deal_side[];
  -- By the oldest pipeline's name, where a row names none.
  usual text;
begin
  -- Rows of one file that say the same are one deal; those that do not are several.
  insert into private.import_matches (import_id, user_id, place, twin, is_by_email)
  select i.id, i.user_id, r.place, r.first_place, false
  from (
    select n.place, min(n.place) over (partition by n.name_key, n.said) as first_place
    from private.import_rows n where n.import_id = i.id and n.problem is null
  ) r
  where r.first_place < r.place;

  select
    coalesce(bool_or(r.said ?| array['contact_email', 'contact_first_name', 'contact_last_name']), false) as contact,
    coalesce(bool_or(r.said ? 'created_at'), false) as created_at,
    coalesce(bool_or(r.said ? 'value'), false) as value,
    coalesce(bool_or(r.said ? 'expected_close_date'), false) as expected_close_date,
    coalesce(bool_or(r.said ? 'pipeline'), false) as pipeline,
    coalesce(bool_or(r.said ? 'stage'), false) as stage
  into says
  from private.import_rows r where r.import_id = i.id and r.problem is null;

  theirs := array(
    select row(null, d.id, d.created_at, t.key, array[
      case when says.created_at then date_trunc('milliseconds', d.created_at)::text end,
      concat_ws(E'\n',
        case when says.value then d.value::text end,
        case when says.expected_close_date then coalesce(d.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(p.name), '-') end,
        case when says.stage then coalesce(private.fold(s.name), '-') end),
      case when says.value then d.value::text end,
      ''
    ])::private.deal_side
    from public.deals d
    left join public.companies k on k.user_id = d.user_id and k.id = d.company_id
    left join public.contacts c on c.user_id = d.user_id and c.id = d.contact_id
    left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
    left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
    -- A contact is known by its address and by its name; a file may say either.
    cross join lateral unnest(case
      when not says.contact then array['']
      when d.contact_id is null then array['nobody']
      else array['@' || lower(c.email), '=' || private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), ''))]
    end) as b (contact)
    cross join lateral (select private.fold(d.name || E'\n' || coalesce(k.name, '')) as name_key) n
    cross join lateral (select n.name_key || E'\n' || b.contact as key) t
    where d.user_id = i.user_id and b.contact is not null
      and n.name_key in (select r.name_key from private.import_rows r where r.import_id = i.id and r.problem is null)
  );
  if cardinality(theirs) = 0 then
    return;
  end if;

  select private.fold(p.name) into usual from public.pipelines p where p.user_id = i.user_id order by p.created_at, p.id limit 1;
  rows := array(
    select row(r.place, null, null, r.name_key || E'\n' || case
      when not says.contact then ''
      when v.contact_email is not null then '@' || lower(v.contact_email)
      else coalesce('=' || private.fold(nullif(concat_ws(' ', v.contact_first_name, v.contact_last_name), '')), 'nobody')
    end, array[
      date_trunc('milliseconds', v.created_at)::text,
      concat_ws(E'\n',
        case when says.value then round(coalesce(v.value, 0), 2)::text end,
        case when says.expected_close_date then coalesce(v.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(v.pipeline), usual, '-') end,
        case when says.stage then coalesce(private.fold(v.stage), '-') end),
      case when says.value then round(coalesce(v.value, 0), 2)::text end,
      ''
    ])::private.deal_side
    from private.import_rows r
    cross join lateral jsonb_to_record(r.said) as v (
      value numeric, expected_close_date date, pipeline text, stage text, created_at timestamptz,
      contact_email text, contact_first_name text, contact_last_name text
    )
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id and r.problem is null and m.place is null
  );

  -- Each row gets one deal of its own: first the one of the same moment, then the one that says the same, then the one of
  -- the same value, and of what is left the newest, since rows are stored in that order.
  for step in 1..4 loop
    insert into private.import_matches (import_id, user_id, place, target, is_by_email)
    select distinct on (t.id) i.id, i.user_id, r.place, t.id, false
    from (
      select u.place, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.place) as number
      from unnest(rows) u
      left join private.import_matches m on m.import_id = i.id and m.place = u.place
      where u.likeness[step] is not null and m.place is null
    ) r
    join (
      select u.id, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.created_at desc, u.id) as number
      from unnest(theirs) u
      left join private.import_matches m on m.import_id = i.id and m.target = u.id
      where u.likeness[step] is not null and m.place is null
    ) t on t.key = r.key and t.likeness = r.likeness and t.number = r.number
    order by t.id, r.place;
  end loop;

  update private.import_matches m set is_same = true
  from private.import_rows r
  cross join lateral jsonb_to_record(r.said) as v (
    value numeric, expected_close_date date, pipeline text, stage text, lost_reason text, closed_at timestamptz
  ), public.deals d
  left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
  left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
  where m.import_id = i.id and r.import_id = i.id and r.place = m.place and d.user_id = i.user_id and d.id = m.target
    and coalesce(v.value, d.value) = d.value
    and coalesce(v.expected_close_date, d.expected_close_date) is not distinct from d.expected_close_date
    and coalesce(private.fold(v.pipeline) = private.fold(p.name), v.pipeline is null)
    and coalesce(private.fold(v.stage) = private.fold(s.name), v.stage is null)
    -- These two are stored of closed deals only.
    and (s.outcome is distinct from 'lost' or coalesce(v.lost_reason, d.lost_reason) is not distinct from d.lost_reason)
    and (d.closed_at is null or coalesce(v.closed_at, d.closed_at) >= date_trunc('milliseconds', d.closed_at)
      and coalesce(v.closed_at, d.closed_at) <= d.closed_at);
end
$$;

create or replace function private.add_stage(pipeline uuid, name text) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  is_closed boolean := private.outcome_of(name) <> 'open';
  at integer;
  made uuid;
begin
  -- What is open comes before what is closed.
  select coalesce(max(s."order"), 0) + 1 into at from public.pipeline_stages s
  where s.pipeline_id = add_stage.pipeline and (is_closed or s.outcome = 'open');
  update public.pipeline_stages s set "order" = s."order" + 1 where s.pipeline_id = add_stage.pipeline and s."order" >= at;
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select p.user_id, p.id, add_stage.name, at,
    coalesce((select u.win_probability from private.usual_stages() u where u.name = add_stage.name), 50)
  from public.pipelines p where p.id = add_stage.pipeline
  returning id into made;
  return made;
end
$$;

create or replace function private.places_in_pipelines(i private.imports, duplicates text) returns private.place_in_pipeline[]
language plpgsql
set search_path = ''
as $$
declare
  places private.place_in_pipeline[] := '{}';
  wanted record;
  is_closed boolean;
  pipeline public.pipelines;
  stage_id uuid;
begin
  perform private.lock_pipelines();
  for wanted in
    select w.own_pipeline, private.fold(w.said ->> 'pipeline') as pipeline_key, w.said ->> 'stage' as stage,
      private.fold(w.said ->> 'stage') as stage_key, min(w.said ->> 'pipeline') as pipeline_name
    from private.deal_writes(i, duplicates) w
    where w.said ?| array['pipeline', 'stage']
    group by 1, 2, 3
    order by min(w.place)
  loop
    stage_id := null;
    -- However its letters are written.
    is_closed := private.outcome_of(initcap(wanted.stage_key)) <> 'open';
    -- A stage without a pipeline is looked for in all of them, in the oldest first. Every pipeline can be closed in: what
    -- is won or lost goes to the oldest.
    select p.* into pipeline
    from public.pipelines p
    left join public.pipeline_stages s on s.pipeline_id = p.id and private.fold(s.name) = wanted.stage_key and not is_closed
    where p.user_id = i.user_id
      and case
        when wanted.own_pipeline is not null then p.id = wanted.own_pipeline
        else wanted.pipeline_key is null or private.fold(p.name) = wanted.pipeline_key
      end
    order by s.id is null, s.name is distinct from wanted.stage, p.created_at, p.id
    limit 1;
    if pipeline.id is null then
      insert into public.pipelines (user_id, name) values (i.user_id, coalesce(wanted.pipeline_name, 'Sales Pipeline'))
      returning * into pipeline;
      -- A pipeline of the file has the file's stages; where it names none that is open, the usual ones.
      if exists (
        select from private.import_writes(i, duplicates) w
        where private.fold(w.said ->> 'pipeline') is not distinct from wanted.pipeline_key
          and w.said ->> 'stage' is not null and private.outcome_of(initcap(private.fold(w.said ->> 'stage'))) = 'open'
      ) then
        perform private.add_stage(pipeline.id, u.name) from private.usual_stages() u where u.outcome = 'won';
      else
        perform private.add_default_stages(pipeline);
      end if;
    end if;
    if wanted.stage_key is not null then
      select s.id into stage_id from public.pipeline_stages s
      where s.pipeline_id = pipeline.id and private.fold(s.name) = wanted.stage_key
      order by s.name <> case when is_closed then initcap(wanted.stage_key) else wanted.stage end, s."order", s.id limit 1;
      stage_id := coalesce(
        stage_id, private.add_stage(pipeline.id, case when is_closed then initcap(wanted.stage_key) else wanted.stage end)
      );
    end if;
    places := places || row(wanted.own_pipeline, wanted.pipeline_key, wanted.stage, pipeline.id, stage_id)::private.place_in_pipeline;
  end loop;
  return places;
end
$$;

create or replace function private.write_deals(i private.imports, moment timestamptz, after bigint, last bigint, places private.place_in_pipeline[], usual uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
  updated bigint;
begin
  -- Exact values: a deal that was closed before it came here was not closed today.
  perform set_config('solo.restoring', 'on', true);
  insert into public.deals (
    user_id, name, value, expected_close_date, pipeline_id, stage_id, company_id, contact_id, lost_reason, closed_at, created_at
  )
  select i.user_id, v.name, coalesce(v.value, 0), v.expected_close_date, coalesce(p.pipeline_id, usual), p.stage_id,
    w.company_id, w.contact_id,
    case when s.outcome = 'lost' then v.lost_reason end,
    case when s.outcome <> 'open'
      then coalesce(v.closed_at, least(v.expected_close_date + time '12:00' at time zone 'UTC', moment)) end,
    coalesce(v.created_at, moment - w.place * interval '1 microsecond')
  from private.planned_rows(i, after, last) w
  cross join lateral jsonb_to_record(w.said) as v (
    name text, value numeric, expected_close_date date, pipeline text, stage text, lost_reason text,
    created_at timestamptz, closed_at timestamptz
  )
  left join unnest(places) p on p.own_pipeline is null
    and coalesce(p.pipeline_key, '') = coalesce(private.fold(v.pipeline), '') and coalesce(p.stage, '') = coalesce(v.stage, '')
  left join public.pipeline_stages s on s.user_id = i.user_id and s.id = p.stage_id
  where w.target is null;
  get diagnostics added = row_count;

  update public.deals d set
    value = n.value, expected_close_date = n.expected_close_date, pipeline_id = n.pipeline_id, stage_id = n.stage_id,
    contact_id = n.contact_id, lost_reason = n.lost_reason, closed_at = n.closed_at
  from (
    select o.id, coalesce(v.value, o.value) as value, coalesce(v.expected_close_date, o.expected_close_date) as expected_close_date,
      coalesce(p.pipeline_id, o.pipeline_id) as pipeline_id, s.id as stage_id,
      coalesce(o.contact_id, w.contact_id) as contact_id,
      case when s.outcome = 'lost' then coalesce(v.lost_reason, o.lost_reason) end as lost_reason,
      case
        when s.outcome is null or s.outcome = 'open' then null
        when s.outcome = b.outcome then coalesce(v.closed_at, o.closed_at)
        else coalesce(
          v.closed_at,
          least(coalesce(v.expected_close_date, o.expected_close_date) + time '12:00' at time zone 'UTC', moment)
        )
      end as closed_at
    from private.planned_rows(i, after, last) w
    cross join lateral jsonb_to_record(w.said) as v (
      value numeric, expected_close_date date, pipeline text, stage text, lost_reason text, closed_at timestamptz
    )
    join public.deals o on o.id = w.target and (o.user_id = i.user_id) is true
    -- Where the row names no pipeline, its stage is one of the pipeline that the deal is in.
    left join unnest(places) p on coalesce(p.own_pipeline::text, '') = coalesce(case when v.pipeline is null then o.pipeline_id end::text, '')
      and coalesce(p.pipeline_key, '') = coalesce(private.fold(v.pipeline), '') and coalesce(p.stage, '') = coalesce(v.stage, '')
    left join public.pipeline_stages b on b.user_id = i.user_id and b.id = o.stage_id
    -- The stage that the row names; where it names none, the one that the deal has, if it stays in its pipeline.
    left join public.pipeline_stages s on s.user_id = i.user_id and s.id = coalesce(
      p.stage_id, case when p.pipeline_id is null or p.pipeline_id = o.pipeline_id then o.stage_id end
    )
  ) n
  where d.id = n.id and (d.user_id = i.user_id) is true
    and (d.value, d.expected_close_date, d.pipeline_id, d.stage_id, d.contact_id, d.lost_reason, d.closed_at)
      is distinct from
      (n.value, n.expected_close_date, n.pipeline_id, n.stage_id, n.contact_id, n.lost_reason, n.closed_at);
  get diagnostics updated = row_count;
  perform set_config('solo.restoring', 'off', true);
  return jsonb_build_object('added', added, 'updated', updated);
end
$$;

create or replace function private.attention(me uuid, stale timestamptz) returns jsonb
language sql stable
set search_path = ''
as $$
  with steps as (
    select t.deal_id, bool_or(not t.completed) as has_next, bool_or(t.updated_at >= stale) as is_fresh
    from public.tasks t
    where t.user_id = me and t.deal_id is not null and (not t.completed or t.updated_at >= stale)
    group by t.deal_id
  ),
  talks as (
    select distinct n.deal_id from public.notes n
    where n.user_id = me and n.deal_id is not null and n.updated_at >= stale
  ),
  needy as materialized (
    select d.id, d.name, d.value, d.company_id, d.updated_at, s.name as stage_name, coalesce(t.has_next, false) as has_next,
      d.updated_at < stale and t.is_fresh is not true and k.deal_id is null as is_stale
    from public.deals d
    left join public.pipeline_stages s on s.user_id = me and s.pipeline_id = d.pipeline_id and s.id = d.stage_id
    left join steps t on t.deal_id = d.id
    left join talks k on k.deal_id = d.id
    where d.user_id = me and coalesce(s.outcome, 'open') = 'open'
      and (t.has_next is not true or d.updated_at < stale and t.is_fresh is not true and k.deal_id is null)
  )
  select jsonb_build_object(
    'total', (select count(*) from needy),
    'rows', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', d.id, 'name', d.name, 'value', d.value, 'stage_name', d.stage_name, 'has_next', d.has_next, 'is_stale', d.is_stale,
        'company_name', (select c.name from public.companies c where c.user_id = me and c.id = d.company_id),
        'touched_at', greatest(d.updated_at,
          (select max(t.updated_at) from public.tasks t where t.user_id = me and t.deal_id = d.id),
          (select max(n.updated_at) from public.notes n where n.user_id = me and n.deal_id = d.id))
      ) order by d.value desc, d.id)
      from (select * from needy order by value desc, id limit 8) d
    ), '[]')
  )
$$;

create or replace function public.dashboard(at timestamptz default now(), time_zone text default 'UTC') returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  today date := (at at time zone time_zone)::date;
  day_begins timestamptz := private.day_begins(today, time_zone);
  day_ends timestamptz := private.day_begins(today + 1, time_zone);
  recent timestamptz := at - interval '720 hours';
  earlier timestamptz := at - interval '1440 hours';
begin
  return jsonb_build_object(
    'contacts', (
      select jsonb_build_object('total', count(*), 'recent', count(*) filter (where c.created_at >= recent),
        'before', count(*) filter (where c.created_at >= earlier and c.created_at < recent))
      from public.contacts c where c.user_id = me
    ),
    'companies', (
      select jsonb_build_object('total', count(*), 'recent', count(*) filter (where c.created_at >= recent),
        'before', count(*) filter (where c.created_at >= earlier and c.created_at < recent))
      from public.companies c where c.user_id = me
    ),
    -- Money goes out as text: a sum may have more digits than the numbers of JavaScript.
    'deals', (
      select jsonb_build_object('total', count(*), 'recent', count(*) filter (where d.created_at >= recent),
        'before', count(*) filter (where d.created_at >= earlier and d.created_at < recent),
        'open', count(*) filter (where coalesce(s.outcome, 'open') = 'open'),
        'value', coalesce(sum(d.value), 0)::text,
        'value_recent', coalesce(sum(d.value) filter (where d.created_at >= recent), 0)::text,
        'value_before', coalesce(sum(d.value) filter (where d.created_at >= earlier and d.created_at < recent), 0)::text,
        'won', coalesce(sum(d.value) filter (where s.outcome = 'won'), 0)::text)
      from public.deals d
      left join public.pipeline_stages s on s.user_id = me and s.pipeline_id = d.pipeline_id and s.id = d.stage_id
      where d.user_id = me
    ),
    'has_tasks', exists (select from public.tasks t where t.user_id = me),
    'overdue', jsonb_build_object(
      'total', (
        select count(*) from public.tasks t where t.user_id = me and not t.completed and t.due_date < day_begins
      ),
      'rows', coalesce((
        select jsonb_agg(k.card order by t.due_date desc, t.id desc)
        from (
          select t.id from public.tasks t where t.user_id = me and not t.completed and t.due_date < day_begins
          order by t.due_date desc, t.id desc limit 5
        ) f
        join public.tasks t on t.id = f.id
        cross join lateral private.task_card(t) k
      ), '[]')
    ),
    'today', jsonb_build_object(
      'total', (
        select count(*) from public.tasks t
        where t.user_id = me and not t.completed and t.due_date >= day_begins and t.due_date < day_ends
      ),
      'rows', coalesce((
        select jsonb_agg(k.card order by t.due_date, t.id)
        from (
          select t.id from public.tasks t
          where t.user_id = me and not t.completed and t.due_date >= day_begins and t.due_date < day_ends
          order by t.due_date, t.id limit 10
        ) f
        join public.tasks t on t.id = f.id
        cross join lateral private.task_card(t) k
      ), '[]')
    ),
    'attention', private.attention(me, at - interval '336 hours'),
    'has_samples', private.has_samples()
  );
end
$$;

create or replace function private.report_deals(
  me uuid, filter jsonb, first_day date, last_day date, day date, today date, time_zone text
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  pipeline uuid := (filter ->> 'pipeline')::uuid;
  stages text[] := case when filter ? 'stage' then private.texts(filter -> 'stage') end;
  period_begins timestamptz := coalesce(private.day_begins(first_day, time_zone), '-infinity');
  period_ends timestamptz := coalesce(private.day_begins(last_day + 1, time_zone), 'infinity');
  day_begins timestamptz := private.day_begins(day, time_zone);
  day_ends timestamptz := private.day_begins(day + 1, time_zone);
  -- Closed deals by month: the last twelve months, or the period, of which the last sixty.
  months_end date := date_trunc('month', coalesce(last_day, greatest(today, first_day)))::date;
  months_begin date := greatest(
    coalesce(date_trunc('month', first_day), months_end - interval '11 months'), months_end - interval '59 months')::date;
  -- Expected closes by month: this one and five more, or the period, of which the first sixty.
  ahead_from date := coalesce(first_day, least(today, last_day));
  ahead_begin date := date_trunc('month', ahead_from)::date;
  ahead_end date := least(
    coalesce(date_trunc('month', last_day), ahead_begin + interval '5 months'), ahead_begin + interval '59 months')::date;
  ahead_to date := least(last_day, (ahead_end + interval '1 month')::date - 1);
  has_period boolean := first_day is not null or last_day is not null;
begin
  return (
    with found as materialized (
      select d.id, d.value, d.expected_close_date as closes, d.created_at, d.closed_at, d.lost_reason, d.pipeline_id,
        s.id as stage_id, s.name as stage_name, s.outcome, coalesce(s.win_probability, 0) as likely,
        coalesce(s.outcome, 'open') = 'open' as is_open,
        d.created_at >= period_begins and d.created_at < period_ends as is_meant,
        d.closed_at >= period_begins and d.closed_at < period_ends or not has_period as is_closed_then
      from public.deals d
      left join public.pipeline_stages s on s.user_id = me and s.pipeline_id = d.pipeline_id and s.id = d.stage_id
      where d.user_id = me and (pipeline is null or d.pipeline_id = pipeline)
        and (stages is null or d.stage_id::text = any (stages) or d.stage_id is null and 'none' = any (stages))
    ),
    months as (
      select date_trunc('month', f.closed_at at time zone time_zone)::date as month,
        count(*) filter (where f.outcome = 'won') as won,
        sum(f.value) filter (where f.outcome = 'won') as won_value,
        count(*) filter (where f.outcome = 'lost') as lost,
        sum(f.value) filter (where f.outcome = 'lost') as lost_value
      from found f where not f.is_open and f.closed_at is not null and f.is_closed_then
      group by 1
    ),
    ahead as (
      select k.kind, case when k.kind = 'month' then date_trunc('month', f.closes)::date end as month,
        count(*) as count, sum(f.value) as value, sum(f.value * f.likely) * 0.01 as weighted
      from found f
      cross join lateral (
        select case
          when f.closes between ahead_from and ahead_to then 'month'
          when has_period then null
          when f.closes is null then 'none'
          when f.closes < ahead_from then 'overdue'
          else 'later'
        end as kind
      ) k
      where f.is_open and k.kind is not null
      group by 1, 2
    ),
    funnel as (
      select coalesce(pipeline, (
        select f.pipeline_id from found f where f.is_meant and f.pipeline_id is not null
        group by f.pipeline_id order by count(*) desc, f.pipeline_id limit 1
      )) as id
    ),
    steps as materialized (
      select s.id, s.name, row_number() over (order by s.outcome = 'won', s."order", s.id) as place
      from public.pipeline_stages s, funnel
      where s.user_id = me and s.pipeline_id = funnel.id and s.outcome <> 'lost'
    ),
    furthest as materialized (
      select r.place, count(*) as deals
      from (
        -- One pass over both: how many deals have moved is unknown to the planner, and joined it goes through
        -- all of them for each deal.
        select max(w.place) as place
        from (
          -- Of a deal that came in lost it is only known that it was there.
          select f.id, true as is_found, greatest(p.place, case when f.outcome = 'lost' then 1 end) as place
          from found f
          join funnel on funnel.id = f.pipeline_id
          left join steps p on p.id = f.stage_id
          where f.is_meant
          union all
          -- Where a deal was before it moved. A move that was taken back led nowhere.
          select c.row_id, false, p.place
          from public.changes c
          join steps p on p.id = (c.before ->> 'stage_id')::uuid
          where c.user_id = me and c.table_name = 'deals' and c.verb = 'update' and c.before ? 'stage_id' and c.undoes is null
        ) w
        group by w.id
        having bool_or(w.is_found)
      ) r
      group by r.place
    )
    select jsonb_build_object(
      'deals_created', count(*) filter (where f.created_at >= day_begins and f.created_at < day_ends),
      'revenue_closed', coalesce(sum(f.value) filter (where f.outcome = 'won' and f.is_closed_then), 0)::text,
      'total_value', coalesce(sum(f.value) filter (where f.is_meant), 0)::text,
      'total_deals', count(*) filter (where f.is_meant),
      'active_deals', count(*) filter (where f.is_meant and f.is_open),
      'upcoming_closes', count(*) filter (where f.closes >= greatest(today, first_day) and (last_day is null or f.closes <= last_day)),
      'won', count(*) filter (where f.outcome = 'won' and f.is_closed_then),
      'lost', count(*) filter (where f.outcome = 'lost' and f.is_closed_then),
      'average_days', round((avg(extract(epoch from f.closed_at - f.created_at)) filter (
        where f.outcome = 'won' and f.is_closed_then) / 86400)::numeric, 1),
      'median_days', round((percentile_cont(0.5) within group (order by extract(epoch from f.closed_at - f.created_at)::double precision) filter (
        where f.outcome = 'won' and f.is_closed_then) / 86400)::numeric, 1)
    ) || jsonb_build_object(
      'stages', (
        select coalesce(jsonb_agg(jsonb_build_object('name', g.name, 'count', g.count, 'value', g.value::text,
          'weighted', round(g.weighted, 2)::text) order by g.name is not null, g.outcome = 'lost', g.outcome = 'won', g.place, g.name), '[]')
        from (
          select l.name, l.outcome, l.place, count(d.id) as count, coalesce(sum(d.value), 0) as value, coalesce(sum(d.value * d.likely) * 0.01, 0) as weighted
          from (
            select s.name, s.outcome, min(s."order") as place from public.pipeline_stages s
            where s.user_id = me and (pipeline is null or s.pipeline_id = pipeline) and (stages is null or s.id::text = any (stages))
            group by s.name, s.outcome
          ) l
          left join found d on d.stage_name = l.name and d.is_meant
          group by l.name, l.outcome, l.place
          union all
          select null, null, null, count(*), sum(d.value), 0 from found d where d.stage_name is null and d.is_meant having count(*) > 0
        ) g
      ),
      'months', (
        select jsonb_agg(jsonb_build_object('month', m.month::date, 'won', coalesce(k.won, 0), 'won_value', coalesce(k.won_value, 0)::text,
          'lost', coalesce(k.lost, 0), 'lost_value', coalesce(k.lost_value, 0)::text) order by m.month)
        from generate_series(months_begin::timestamp, months_end::timestamp, interval '1 month') as m (month)
        left join months k on k.month = m.month::date
      ),
      'forecast', (
        select jsonb_agg(jsonb_build_object('kind', m.kind, 'month', m.month, 'count', coalesce(a.count, 0),
          'value', coalesce(a.value, 0)::text, 'weighted', round(coalesce(a.weighted, 0), 2)::text)
          order by array_position(array['overdue', 'month', 'later', 'none'], m.kind), m.month)
        from (
          select 'month' as kind, g::date as month
          from generate_series(ahead_begin::timestamp, ahead_end::timestamp, interval '1 month') g
          union all
          select a.kind, null from ahead a where a.kind <> 'month'
        ) m
        left join ahead a on a.kind = m.kind and a.month is not distinct from m.month
      ),
      'conversion', jsonb_build_object(
        'pipeline', (select p.name from public.pipelines p, funnel where p.user_id = me and p.id = funnel.id),
        'stages', (
          select coalesce(jsonb_agg(jsonb_build_object('name', p.name,
            'reached', (select coalesce(sum(u.deals), 0) from furthest u where u.place >= p.place)) order by p.place), '[]')
          from steps p
        )
      ),
      'lost_reasons', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', r.reason, 'count', r.count, 'value', r.value::text)
          order by r.count desc, r.value desc, r.reason), '[]')
        from (
          select min(d.lost_reason) as reason, count(*) as count, sum(d.value) as value
          from found d where d.outcome = 'lost' and d.is_closed_then
          group by lower(d.lost_reason)
          order by count(*) desc, sum(d.value) desc, 1 limit 10
        ) r
      ),
      'upcoming', (
        select coalesce(jsonb_agg(k.card order by d.expected_close_date, d.id), '[]')
        from (
          select f.id from found f where f.closes >= greatest(today, first_day) and (last_day is null or f.closes <= last_day)
          order by f.closes, f.id limit 10
        ) w
        join public.deals d on d.user_id = me and d.id = w.id
        cross join lateral private.deal_card(d) k
      ),
      'deals', (
        select coalesce(jsonb_agg(k.card order by d.created_at desc, d.id desc), '[]')
        from (select f.id from found f where f.is_meant order by f.created_at desc, f.id desc limit 20) w
        join public.deals d on d.user_id = me and d.id = w.id
        cross join lateral private.deal_card(d) k
      )
    )
    from found f
  );
end
$$;

create or replace function private.add_samples(me uuid, load uuid, pipeline uuid, time_zone text) returns void
language plpgsql
set search_path = ''
as $$
declare
  today date := (now() at time zone time_zone)::date;
begin
  -- As rows that come back: their stamps are their own.
  perform set_config('solo.restoring', 'on', true);
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select me, pipeline, w.name, w.number + (
      select coalesce(max(s."order"), 0) from public.pipeline_stages s where s.user_id = me and s.pipeline_id = pipeline
    ), w.win_probability
  from (
    select u.*, row_number() over (order by u.place) as number from private.usual_stages() u where u.outcome <> 'open'
  ) w
  where not exists (
    select from public.pipeline_stages s where s.user_id = me and s.pipeline_id = pipeline and s.outcome = w.outcome
  );
  insert into public.companies (id, user_id, name, website, industry, location, created_at, updated_at)
  select private.sample_id(load, 'company', c.number), me, c.name, 'https://' || c.domain, c.industry, c.location,
    now() - c.age * interval '1 day' - interval '2 hours', now() - c.age * interval '1 day' - interval '2 hours'
  from private.sample_companies() c;
  insert into public.contacts (id, user_id, first_name, last_name, email, phone_number, role_title, company_id, lead_status, notes, lead_score, created_at, updated_at)
  select private.sample_id(load, 'contact', p.number), me, p.first_name, p.last_name,
    private.fold(replace(p.first_name || '.' || p.last_name, ' ', '')) || '@' || coalesce(c.domain, 'example.com'),
    '+1 555 01' || lpad(p.number::text, 2, '0'), p.role_title, private.sample_id(load, 'company', p.company), p.lead_status, p.notes,
    p.lead_score, now() - p.age * interval '1 day' - interval '1 hour', now() - p.age * interval '1 day' - interval '1 hour'
  from private.sample_contacts() p left join private.sample_companies() c on c.number = p.company;
  with open_stages as (
    select s.id, row_number() over (order by s."order", s.id) as place, count(*) over () as places
    from public.pipeline_stages s
    where s.user_id = me and s.pipeline_id = pipeline and s.outcome = 'open'
  )
  insert into public.deals (id, user_id, name, value, expected_close_date, pipeline_id, stage_id, company_id, contact_id, "order", closed_at, created_at, updated_at)
  select private.sample_id(load, 'deal', d.number), me, d.name, d.value, today + d.closes_in, pipeline,
    case when d.step = 5 then won.id else o.id end,
    private.sample_id(load, 'company', d.company), private.sample_id(load, 'contact', d.contact), d.number * 1024,
    case when d.step = 5 then now() - d.closed_ago * interval '1 day' end,
    now() - d.age * interval '1 day', now() - d.touched * interval '1 day'
  from private.sample_deals() d
  join public.pipeline_stages won on won.user_id = me and won.pipeline_id = pipeline and won.outcome = 'won'
  left join open_stages o on o.place = ceil(coalesce(d.lost_at, d.step) * o.places / 4.0);
  update public.deals t set stage_id = s.id, closed_at = now() - d.closed_ago * interval '1 day', lost_reason = d.lost_reason
  from private.sample_deals() d
  join public.pipeline_stages s on s.user_id = me and s.pipeline_id = pipeline and s.outcome = 'lost'
  where d.step = 6 and t.user_id = me and t.id = private.sample_id(load, 'deal', d.number);
  insert into public.tasks (user_id, title, description, priority, due_date, completed, completed_at, deal_id, contact_id, created_at, updated_at)
  select me, t.title, t.description, t.priority, (today + t.due_in + t.due_at) at time zone time_zone,
    t.done_ago is not null, now() - t.done_ago * interval '1 day',
    private.sample_id(load, 'deal', t.deal), private.sample_id(load, 'contact', t.contact),
    now() - t.age * interval '1 day', now() - coalesce(t.done_ago, t.age) * interval '1 day'
  from private.sample_tasks() t;
  insert into public.notes (user_id, kind, body, outcome, happened_at, deal_id, contact_id, created_at, updated_at)
  select me, n.kind, n.body, n.outcome, now() - n.ago * interval '1 day', private.sample_id(load, 'deal', n.deal),
    private.sample_id(load, 'contact', n.contact), now() - n.ago * interval '1 day', now() - n.ago * interval '1 day'
  from private.sample_notes() n;
  perform set_config('solo.restoring', 'off', true);
end
$$;

drop function private.is_closed_stage(text);

revoke all on function private.outcome_of(text), private.usual_stages() from public, anon, authenticated;
grant execute on function private.outcome_of(text), private.usual_stages() to authenticated, service_role;
