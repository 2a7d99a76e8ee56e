-- What an open deal lacks: a next step, or movement. How long a deal usually stays in a stage is learned from the moves in the
-- log, and this file is the one home of that rule: lists, the board, the filter and the dashboard read it here. Decision 046.

-- Since when a deal is in its stage --------------------------------------------------------------------------

alter table public.deals add column stage_since timestamptz;
comment on column public.deals.stage_since is 'When the deal came to its stage; null without one. Set by the database.';

create function private.tidy_stay() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  is_undone boolean := coalesce(current_setting('solo.undoes', true), '') <> '';
begin
  if new.stage_id is null then
    new.stage_since := null;
  elsif tg_op = 'INSERT' then
    -- A copy of a row that was made before this column existed does not say it. It has not moved since it was last written.
    new.stage_since := coalesce(new.stage_since, case when private.is_restoring() then new.updated_at else now() end);
  elsif new.stage_id is not distinct from old.stage_id then
    new.stage_since := coalesce(old.stage_since, new.stage_since);
  elsif is_undone and new.stage_since is distinct from old.stage_since then
    return new; -- The undo of a move brings the moment back with the stage.
  elsif is_undone and old.stage_id is null then
    -- A stage that came back from the trash takes its deals again.
    new.stage_since := coalesce((
      select (c.before ->> 'stage_since')::timestamptz from public.changes c
      where c.user_id = new.user_id and c.row_id = new.id and c.verb = 'update' and c.before ->> 'stage_id' = new.stage_id::text
      order by c.id desc limit 1
    ), now());
  else
    new.stage_since := now();
  end if;
  return new;
end
$$;
comment on function private.tidy_stay is 'Stamps when a deal came to its stage.';

-- By its name after "tidy", which may still change the stage.
create trigger tidy_stay before insert or update on public.deals
  for each row execute function private.tidy_stay();

-- How long deals stay ----------------------------------------------------------------------------------------

create index changes_by_left_stage on public.changes (user_id, (before ->> 'stage_id'), id desc)
  where table_name = 'deals' and verb = 'update' and before ? 'stage_id';

create table private.usual_stays (
  user_id uuid not null references auth.users (id) on delete cascade,
  stage_id uuid primary key references public.pipeline_stages (id) on delete cascade,
  stay interval not null
);
alter table private.usual_stays enable row level security;
comment on table private.usual_stays is
  'How long deals usually stay in a stage, where enough have left it. Follows from the log, so it is neither logged nor backed up.';
create index usual_stays_by_owner on private.usual_stays (user_id);
revoke all on private.usual_stays from public, anon, authenticated;
grant select on private.usual_stays to authenticated;
grant all on private.usual_stays to service_role;
create policy "Owners read their usual stays" on private.usual_stays
  for select to authenticated using (user_id = (select auth.uid()));

create function private.measured_stay(me uuid, stage uuid) returns interval
language sql stable
set search_path = ''
as $$
  -- No less than a day: whoever enters a past sale clicks through its stages within a minute.
  select case when count(*) >= 5 then greatest(interval '24 hours',
    percentile_cont(0.5) within group (order by l.stay)) end
  from (
    select c.created_at - coalesce((c.before ->> 'stage_since')::timestamptz, (
      -- Moves that were logged before deals had "stage_since".
      select p.created_at from public.changes p
      where p.user_id = me and p.row_id = c.row_id and p.id < c.id and (p.verb = 'insert' or p.after ? 'stage_id')
      order by p.id desc limit 1
    )) as stay
    from public.changes c
    where c.user_id = me and c.table_name = 'deals' and c.verb = 'update' and c.before ? 'stage_id'
      and c.before ->> 'stage_id' = stage::text and c.undoes is null
      -- A move that was taken back led nowhere.
      and not exists (select from public.changes u where u.user_id = me and u.undoes = c.batch)
    order by c.id desc limit 50
  ) l
$$;
comment on function private.measured_stay is
  'The median time that the last fifty deals spent in a stage before they left it; null when fewer than five have.';

create function private.measure_stays() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  moved uuid[];
  is_undone boolean := coalesce(current_setting('solo.undoes', true), '') <> '';
begin
  -- As sets: a plan that is kept from updates of one row would join the rows of a large one by one.
  select array_agg(distinct m.stage_id order by m.stage_id) into moved
  from (
    (select o.id, o.stage_id from old_rows o except select n.id, n.stage_id from new_rows n)
    union all
    -- An undo takes a move back that began where the deal now is again.
    (select n.id, n.stage_id from new_rows n where is_undone except select o.id, o.stage_id from old_rows o)
  ) m
  where m.stage_id is not null;
  if moved is null then
    return null;
  end if;
  with measured as materialized (
    select s.user_id, s.id, private.measured_stay(s.user_id, s.id) as stay
    from public.pipeline_stages s where s.id = any (moved) and s.outcome = 'open'
  ),
  unknown as (
    delete from private.usual_stays u using measured m where u.stage_id = m.id and m.stay is null
  )
  insert into private.usual_stays (user_id, stage_id, stay)
  select m.user_id, m.id, m.stay from measured m where m.stay is not null order by m.id
  on conflict (stage_id) do update set stay = excluded.stay;
  return null;
end
$$;
comment on function private.measure_stays is
  'Measures anew how long deals stay in the stages that some have left. A definer because clients never write private.usual_stays.';

-- By its name after "log_update", which writes the moves that are measured.
create trigger measure_stays after update on public.deals
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.measure_stays();

-- The rule ---------------------------------------------------------------------------------------------------

create function private.default_stay() returns interval
language sql immutable parallel safe
set search_path = ''
as $$ select interval '336 hours' $$;
comment on function private.default_stay is
  'After how long in its stage a deal needs a push, where too few have left the stage to know; 14 days.';

create view private.longest_stays with (security_invoker = on) as
  select s.user_id, s.id as stage_id, coalesce(u.stay, private.default_stay()) as stay
  from public.pipeline_stages s left join private.usual_stays u on u.stage_id = s.id
  where s.outcome = 'open';
comment on view private.longest_stays is
  'After how long in an open stage a deal needs a push. A deal without a stage waits for nothing but its next step.';
revoke all on private.longest_stays from public, anon, authenticated;
grant select on private.longest_stays to authenticated, service_role;

-- Cards ------------------------------------------------------------------------------------------------------

-- What cards show of a row has the new column, which only the database writes.
select private.write_fields_of('public.deals');

create or replace function private.deal_card(deal public.deals) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select f.*,
      (select s.name from public.pipeline_stages s where s.id = deal.stage_id) as stage_name,
      coalesce((select s.outcome from public.pipeline_stages s where s.id = deal.stage_id), 'open') as outcome,
      -- As private.longest_stays has it, without a third look at the stage: a deal is open while it has not been closed.
      case when deal.closed_at is null then deal.stage_since + coalesce(
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
      ) as next_task
    from private.fields_of(deal) f
  ) k
$$;
comment on function private.deal_card is
  'A deal as the list and the board show it: with its stage, company, contact and next task, and when it will have been in its stage for longer than usual, if it is open.';

-- The filter -------------------------------------------------------------------------------------------------

create function private.deal_attention_condition(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  wanted text[] := private.texts(filter -> 'attention');
  conditions text[];
begin
  if not wanted <@ array['no_next_step', 'stalled'] then
    raise exception 'The filter has a part that is not known.' using errcode = 'PT400';
  end if;
  if 'no_next_step' = any (wanted) then
    conditions := conditions || format(
      '((c.stage_id is null or c.stage_id = any (%1$L::uuid[])) and not exists (
         select from public.tasks t where t.user_id = %2$L::uuid and t.deal_id = c.id and not t.completed))',
      array(select l.stage_id from private.longest_stays l where l.user_id = private.caller()), private.caller());
  end if;
  if 'stalled' = any (wanted) then
    -- Written out by the lengths there are: most stages share one.
    conditions := conditions || (
      select coalesce(string_agg(
        format('(c.stage_id = any (%L::uuid[]) and c.stage_since < %L::timestamptz)', g.stages, now() - g.stay), ' or '), 'false')
      from (
        select l.stay, array_agg(l.stage_id) as stages from private.longest_stays l
        where l.user_id = private.caller() group by l.stay
      ) g
    );
  end if;
  return coalesce('(' || array_to_string(conditions, ' or ') || ')', 'true');
end
$$;
comment on function private.deal_attention_condition is
  'The open deals without a task that is to be done, or longer in their stage than usual, as a condition on "c". Every value is quoted.';

create function private.further_deal_conditions(filter jsonb, out keys text[], out conditions text)
language plpgsql stable
set search_path = ''
as $$
begin
  keys := array['value_from', 'value_to', 'contact', 'attention'];
  conditions := concat_ws(' and ', nullif(private.deal_value_conditions(filter), ''),
    case when filter ? 'contact' then private.deal_contact_condition(filter) end,
    case when filter ? 'attention' then private.deal_attention_condition(filter) end);
end
$$;
comment on function private.further_deal_conditions is
  'What a filter of deals may ask for besides their columns: the names of its parts, and their condition on "c", or an empty text. A new part is added here alone.';

create or replace function private.deal_conditions(filter jsonb) returns text
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

-- The dashboard ----------------------------------------------------------------------------------------------

create function private.deals_needing_a_push(at timestamptz)
returns table (id uuid, worth numeric, has_next boolean, is_stale boolean)
language sql stable
set search_path = ''
as $$
  with steps as (select distinct t.deal_id from public.tasks t where t.deal_id is not null and not t.completed)
  select n.* from (
    select d.id, private.worth(d.value, d.currency, d.rate), t.deal_id is not null as has_next,
      coalesce(d.stage_since < at - l.stay, false) as is_stale
    from public.deals d
    left join private.longest_stays l on l.stage_id = d.stage_id
    left join steps t on t.deal_id = d.id
    where d.stage_id is null or l.stage_id is not null
  ) n
  where not n.has_next or n.is_stale
$$;
comment on function private.deals_needing_a_push is
  'The open deals without a task that is to be done, or longer in their stage than usual, at a moment.';

create or replace function private.attention(stale timestamptz) returns jsonb
language sql stable
set search_path = ''
as $$
  with needy as materialized (
    select * from private.deals_needing_a_push(stale + private.default_stay())
  )
  select jsonb_build_object(
    'total', (select count(*) from needy),
    'rows', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', d.id, 'name', d.name, 'value', d.value, 'currency', d.currency, 'has_next', n.has_next, 'is_stale', n.is_stale,
        'stage_since', d.stage_since,
        'stage_name', (select s.name from public.pipeline_stages s where s.id = d.stage_id),
        'company_name', (select c.name from public.companies c where c.id = d.company_id)
      ) order by n.worth desc nulls last, n.id)
      from (select * from needy order by worth desc nulls last, id limit 8) n
      join public.deals d on d.id = n.id
    ), '[]')
  )
$$;
comment on function private.attention is
  'Open deals that need a push, those worth most first. Called with the moment that is private.default_stay before the one that is asked about.';

-- The history ------------------------------------------------------------------------------------------------

create function private.untold_columns() returns text[]
language sql immutable parallel safe
set search_path = ''
as $$ select '{order,closed_at,completed_at,stage_since}'::text[] $$;
comment on function private.untold_columns is
  'Columns that change with others and of which the history says nothing. A column that the database stamps is added here alone.';

create or replace function private.batch_card(me uuid, wanted uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  with groups as materialized (
    select c.table_name, c.verb, count(*) as count, min(c.created_at) as at, min(c.undoes::text)::uuid as undoes,
      false as only_unlinks, false as only_links, null::text as least_before, null::text as most_before,
      null::text as least_after, null::text as most_after, null::jsonb as names
    from public.changes c
    where c.user_id = me and c.batch = wanted and c.verb <> 'update'
    group by c.table_name, c.verb
    union all
    select c.table_name, c.verb, count(distinct c.row_id), min(c.created_at), min(c.undoes::text)::uuid,
      bool_and(not exists (select from jsonb_each(c.after) v where v.value <> 'null')),
      bool_and(not exists (select from jsonb_each(c.before) v where v.value <> 'null')),
      min((c.before - private.untold_columns())::text),
      max((c.before - private.untold_columns())::text),
      min((c.after - private.untold_columns())::text),
      max((c.after - private.untold_columns())::text),
      min(c.names::text)::jsonb
    from public.changes c
    where c.user_id = me and c.batch = wanted and c.verb = 'update' and coalesce(c.after - 'order' <> '{}', true)
    group by c.table_name, c.verb
  ),
  common as (
    select g.*, v.before, v.after
    from groups g
    cross join lateral (
      select case when g.least_before = g.most_before then g.least_before::jsonb end as before,
        case when g.least_after = g.most_after then g.least_after::jsonb end as after
    ) v
  ),
  undone as (
    select exists (
      select from public.changes u where u.user_id = me and u.undoes = wanted
        and not exists (select from public.changes v where v.user_id = me and v.undoes = u.batch)
    ) as is_undone
  )
  select jsonb_build_object(
    'id', wanted, 'batch', wanted, 'at', min(g.at), 'undoes', min(g.undoes::text)::uuid,
    'deed', (select d.deed from private.deeds d where d.user_id = me and d.batch = wanted),
    'about', (select d.about from private.deeds d where d.user_id = me and d.batch = wanted),
    'groups', jsonb_agg(jsonb_build_object(
      'table_name', g.table_name, 'verb', g.verb, 'count', g.count,
      'only_unlinks', g.verb = 'update' and g.only_unlinks, 'only_links', g.verb = 'update' and g.only_links,
      'before', g.before, 'after', g.after, 'names', private.with_names(private.names_in(me, g.before, g.after), g.names),
      'rows', private.batch_rows(me, wanted, g.table_name, g.verb)
    ) order by g.count desc, g.table_name, g.verb),
    'undone', case
      when not (select u.is_undone from undone u) then 'no'
      when exists (
        select from public.changes c
        where c.user_id = me and c.batch = wanted and (c.verb <> 'update' or coalesce(c.after - 'order' <> '{}', true))
          -- As one set: looked up row by row, a large batch would take minutes.
          and c.row_id not in (select u.row_id from public.changes u where u.user_id = me and u.undoes = wanted)
      ) then 'partly'
      else 'yes'
    end,
    'can_undo', exists (
      select from public.changes c
      where c.user_id = me and c.batch = wanted and (c.verb = 'insert' or c.before is not null)
    )
  )
  from common g
$$;

-- What is there already --------------------------------------------------------------------------------------

do $$
begin
  perform set_config('solo.silent', 'on', true), set_config('solo.restoring', 'on', true);
  update public.deals d set stage_since = coalesce((
    select c.created_at from public.changes c
    where c.user_id = d.user_id and c.row_id = d.id and (c.verb = 'insert' or c.after ? 'stage_id')
    order by c.id desc limit 1
  ), d.updated_at)
  where d.stage_id is not null;
  perform set_config('solo.silent', 'off', true), set_config('solo.restoring', 'off', true);
end
$$;

insert into private.usual_stays (user_id, stage_id, stay)
select s.user_id, s.id, m.stay
from public.pipeline_stages s cross join lateral (select private.measured_stay(s.user_id, s.id) as stay) m
where s.outcome = 'open' and m.stay is not null;

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.tidy_stay(), private.measured_stay(uuid, uuid), private.measure_stays(), private.default_stay(),
  private.deal_attention_condition(jsonb), private.further_deal_conditions(jsonb),
  private.deals_needing_a_push(timestamp with time zone), private.untold_columns()
  from public, anon, authenticated;
grant execute on function
  private.tidy_stay(), private.measure_stays(), private.default_stay(), private.deal_attention_condition(jsonb),
  private.further_deal_conditions(jsonb), private.deals_needing_a_push(timestamp with time zone), private.untold_columns()
  to authenticated, service_role;
grant execute on function private.measured_stay(uuid, uuid) to service_role;
