-- What an open deal lacks: a next step, or movement. How long a deal usually stays in a stage is learned from the moves in the
-- log, and this file is the one home of that rule: lists, the board, the filter and the dashboard read it here. Decision 046.

-- Since when a deal is in its stage ---------------------------------------------------------------------------

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
    new.stage_since := coalesce(private.written_at(), now());
  end if;
  return new;
end
$$;
comment on function private.tidy_stay is 'Stamps when a deal came to its stage.';

-- Fires after "tidy", by their names: that trigger may still change the stage.
create trigger tidy_stay before insert or update on public.deals
  for each row execute function private.tidy_stay();

-- How long deals stay -----------------------------------------------------------------------------------------

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

-- Fires after "log_update", by their names: that trigger logs the moves that are measured here.
create trigger measure_stays after update on public.deals
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.measure_stays();

-- The rule ----------------------------------------------------------------------------------------------------

-- A deal with a recent mail is not stalled, however long it stays in its stage. Automatic mails, and mails whose sender may be
-- forged, do not count. Decision 061; the rest of the rule is that of decision 046.

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
         select from public.tasks t where t.user_id = %2$L::uuid and t.deal_id = c.id and not t.completed)
         and c.id <> all (%3$L::uuid[]))',
      array(select l.stage_id from private.longest_stays l where l.user_id = private.caller()), private.caller(),
      array(select private.awaited_deals()));
  end if;
  if 'stalled' = any (wanted) then
    -- Written out by the lengths there are: most stages share one.
    conditions := conditions || (
      select coalesce(string_agg(
        format('(c.stage_id = any (%1$L::uuid[]) and c.stage_since < %2$L::timestamptz and not exists (
            select from private.mail_links l
            where l.user_id = %3$L::uuid and l.deal_id = c.id and l.counts and l.at >= %2$L::timestamptz))',
          g.stages, now() - g.stay, private.caller()), ' or '), 'false')
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
  'The open deals without a task that is to be done or a reply that waits, or longer in their stage than usual without a mail, as a condition on "c". Every value is quoted.';

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

-- The dashboard -----------------------------------------------------------------------------------------------

create function private.deals_needing_a_push(at timestamptz)
returns table (id uuid, worth numeric, has_next boolean, is_stale boolean)
language sql stable
set search_path = ''
as $$
  with steps as (
    select t.deal_id from public.tasks t where t.deal_id is not null and not t.completed
    union
    -- To answer is a step, too.
    select private.awaited_deals()
  )
  select n.* from (
    select d.id, private.worth(d.value, d.currency, d.rate), t.deal_id is not null as has_next,
      coalesce(d.stage_since < at - l.stay, false) and not exists (
        select from private.mail_links m where m.user_id = d.user_id and m.deal_id = d.id and m.counts and m.at >= deals_needing_a_push.at - l.stay
      ) as is_stale
    from public.deals d
    left join private.longest_stays l on l.stage_id = d.stage_id
    left join steps t on t.deal_id = d.id
    where d.stage_id is null or l.stage_id is not null
  ) n
  where not n.has_next or n.is_stale
$$;
comment on function private.deals_needing_a_push is
  'The open deals without a task that is to be done or a reply that waits, or longer in their stage than usual without a mail, at a moment.';

-- The row has the ids of the deal's contact and company: a next step that is planned from the dashboard is linked to them.

create function private.attention_row(deal public.deals, has_next boolean, is_stale boolean) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', deal.id, 'name', deal.name, 'value', deal.value, 'currency', deal.currency, 'has_next', has_next,
    'is_stale', is_stale, 'stage_since', deal.stage_since,
    'stage_name', (select s.name from public.pipeline_stages s where s.id = deal.stage_id),
    'company_id', deal.company_id,
    'company_name', (select c.name from public.companies c where c.id = deal.company_id),
    'contact', (
      select jsonb_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name)
      from public.contacts c where c.id = deal.contact_id
    ))
$$;
comment on function private.attention_row is
  'A deal that needs a push, as the dashboard shows it and as its next step is linked.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.tidy_stay(), private.measured_stay(uuid, uuid), private.measure_stays(), private.default_stay(),
  private.deal_attention_condition(jsonb), private.further_deal_conditions(jsonb),
  private.deals_needing_a_push(timestamptz), private.attention_row(public.deals, boolean, boolean)
  from public, anon, authenticated;
grant execute on function
  private.tidy_stay(), private.measure_stays(), private.default_stay(), private.deal_attention_condition(jsonb),
  private.further_deal_conditions(jsonb), private.deals_needing_a_push(timestamptz),
  private.attention_row(public.deals, boolean, boolean)
  to authenticated, service_role;
grant execute on function
  private.measured_stay(uuid, uuid)
  to service_role;
