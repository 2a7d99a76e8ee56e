-- The tasks: whole days, repetition, the lists and counters, the next step, and the calendar that shows them elsewhere.

-- Whole days --------------------------------------------------------------------------------------------------

create function private.day_end(moment timestamptz, time_zone text, is_of_then boolean) returns timestamptz
language sql stable
set search_path = ''
as $$
  select private.day_begins(
    ((moment - case when is_of_then then interval '12 hours' else interval '0 hours' end) at time zone time_zone)::date + 1,
    time_zone) - interval '1 second'
$$;
comment on function private.day_end is
  'The last second of the day that a moment lies in. A value "of then", out of the log or a backup, may have ended a day in another time zone: it means the day whose end is nearest.';

create function private.tidy_due() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  time_zone text;
begin
  -- What was logged or backed up before there were whole days says nothing of them.
  new.due_all_day := coalesce(new.due_all_day, false) and new.due_date is not null;
  if not new.due_all_day then
    return new;
  end if;
  time_zone := (select p.time_zone from public.preferences p where p.user_id = new.user_id);
  -- While no zone is known, the writer knows best when the day ends.
  if time_zone is null then
    return new;
  end if;
  new.due_date := private.day_end(new.due_date, time_zone, private.is_restoring());
  if private.is_restoring() and extract(second from new.repeat_start) = 59 then
    new.repeat_start := private.day_end(new.repeat_start, time_zone, true);
  end if;
  return new;
end
$$;
comment on function private.tidy_due is
  'A task without a due date is due on no day; one that is due on a day is due with its last second, whoever writes.';

-- Fires before tidy_repeat, by their names: that trigger begins a repetition at the due date.
create trigger tidy_due before insert or update on public.tasks
  for each row execute function private.tidy_due();

create function private.same_day(moment timestamptz, old_zone text, new_zone text) returns timestamptz
language sql stable
set search_path = ''
as $$ select ((moment at time zone old_zone)::date + time '12:00') at time zone new_zone $$;
comment on function private.same_day is 'Noon, in another time zone, of the day that a moment lies in.';

create function private.ends_day(moment timestamptz, time_zone text) returns boolean
language sql stable
set search_path = ''
as $$ select coalesce((moment at time zone time_zone)::time = time '23:59:59', false) $$;
comment on function private.ends_day is
  'Whether a moment is the last second of a day. Of the beginning of a repetition: whether it is one of whole days, however one of them was put off.';

create function private.keep_days() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  old_zone text := coalesce(old.time_zone, new.time_zone);
begin
  -- Nobody changed these tasks: their days are the same, and there is nothing to tell or to undo.
  perform set_config('solo.silent', 'on', true);
  update public.tasks t set
    due_date = case when t.due_all_day
      then private.day_end(private.same_day(t.due_date, old_zone, new.time_zone), new.time_zone, false) else t.due_date end,
    repeat_start = case when private.ends_day(t.repeat_start, old_zone)
      then private.day_end(private.same_day(t.repeat_start, old_zone, new.time_zone), new.time_zone, false) else t.repeat_start end
  where t.user_id = new.user_id and (t.due_all_day or private.ends_day(t.repeat_start, old_zone));
  perform set_config('solo.silent', 'off', true);
  return null;
end
$$;
comment on function private.keep_days is 'In another time zone, what was due on a day is due on the same day.';

create trigger keep_days after update of time_zone on public.preferences
  for each row when (old.time_zone is distinct from new.time_zone and new.time_zone is not null)
  execute function private.keep_days();

-- Repetition --------------------------------------------------------------------------------------------------

create function private.tidy_repeat() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if new.repeat is null or new.repeat = 'after' and new.due_date is null then
    new.repeat_start := null;
  else
    new.repeat_start := coalesce(new.repeat_start, new.due_date);
  end if;
  return new;
end
$$;

create trigger tidy_repeat before insert or update on public.tasks
  for each row execute function private.tidy_repeat();

create function private.next_due_date(task public.tasks, done_at timestamptz, time_zone text) returns timestamptz
language plpgsql stable
set search_path = ''
as $$
declare
  begin_at timestamp := coalesce(task.repeat_start, task.due_date, done_at) at time zone time_zone;
  after_at timestamp := greatest(coalesce(task.due_date, done_at), done_at) at time zone time_zone;
  months integer := case task.repeat when 'monthly' then 1 when 'yearly' then 12 end;
  steps integer;
  found timestamp;
begin
  if task.repeat = 'after' then
    found := (done_at at time zone time_zone)::date + task.repeat_every + begin_at::time;
  elsif task.repeat in ('daily', 'weekly') then
    select day + begin_at::time into found
    from generate_series(after_at::date, after_at::date + 7, interval '1 day') as day
    where day + begin_at::time > after_at
      and (task.repeat = 'daily' or extract(dow from day) = any (task.repeat_days))
    order by day limit 1;
  else
    steps := greatest(0, (extract(year from after_at) - extract(year from begin_at)) * 12
      + extract(month from after_at) - extract(month from begin_at))::integer / months;
    -- Always from the beginning: the 31st is the 28th in February and the 31st again in March.
    select begin_at + make_interval(months => step * months) into found
    from generate_series(steps, steps + 2) as step
    where begin_at + make_interval(months => step * months) > after_at
    order by step limit 1;
  end if;
  return found at time zone time_zone;
end
$$;
comment on function private.next_due_date is
  'When a repeating task is due next: at the same hour of the user''s clock, the first time after now and after it was due.';

create function private.repeat_task() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  time_zone text;
  next_due timestamptz;
begin
  if private.is_restoring() then
    return null;
  end if;
  if not new.completed then
    delete from public.tasks t
    where t.user_id = new.user_id and t.repeated_from = new.id and not t.completed and t.updated_at = t.created_at;
    return null;
  end if;
  if new.repeat is null or exists (
    select from public.tasks t where t.user_id = new.user_id and t.repeated_from = new.id
  ) then
    return null;
  end if;
  time_zone := (select p.time_zone from public.preferences p where p.user_id = new.user_id);
  next_due := private.next_due_date(new, new.completed_at, coalesce(time_zone, 'UTC'));
  if next_due < timestamptz '2201-01-01 00:00+00' then
    insert into public.tasks (user_id, title, description, priority, due_date, due_all_day, deal_id, contact_id, company_id,
      repeat, repeat_days, repeat_every, repeat_start, repeated_from)
    values (new.user_id, new.title, new.description, new.priority, next_due,
      case when time_zone is null then new.due_all_day else private.ends_day(new.repeat_start, time_zone) end,
      new.deal_id, new.contact_id, new.company_id,
      new.repeat, new.repeat_days, new.repeat_every, new.repeat_start, new.id);
  end if;
  return null;
end
$$;
comment on function private.repeat_task is
  'Completing a repeating task makes the next one in the same transaction; reopening it takes the next one away, unless someone has touched it. A definer because where a repetition comes from is not the client''s to write.';

create trigger repeat after update of completed on public.tasks
  for each row when (old.completed is distinct from new.completed) execute function private.repeat_task();

-- Lists and counters ------------------------------------------------------------------------------------------

create function private.task_column_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{true}';
  words text := filter ->> 'search';
  moment text := coalesce(filter ->> 'at', now()::text);
  link text;
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'status', 'at', 'priority', 'contact', 'company',
    'deal', 'due_from', 'due_to', 'time_zone']);
  if private.is_search(filter) then
    conditions := conditions || format('(%s)', concat_ws(' or ',
      private.search_condition(words),
      private.linked_condition('contacts', 'contact_id', words),
      private.linked_condition('companies', 'company_id', words),
      private.linked_condition('deals', 'deal_id', words)));
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  if filter ? 'except' then
    conditions := conditions || format('c.id <> all (%L::uuid[])', private.texts(filter -> 'except'));
  end if;
  if filter ? 'status' then
    conditions := conditions || case filter ->> 'status'
      when 'pending' then 'not c.completed'
      when 'completed' then 'c.completed'
      when 'overdue' then format('not c.completed and c.due_date < %L::timestamptz', moment)
      when 'unplanned' then format('not c.completed and (c.due_date is null or c.due_date < %L::timestamptz)', moment)
    end;
    if conditions[array_upper(conditions, 1)] is null then
      raise exception 'The filter has a status that is not known.' using errcode = 'PT400';
    end if;
  end if;
  if filter ? 'priority' then
    conditions := conditions || format('c.priority = any (%L::text[])', private.texts(filter -> 'priority'));
  end if;
  foreach link in array array['contact', 'company', 'deal'] loop
    if filter ? link then
      conditions := conditions || format('c.%I = %L::uuid', link || '_id', filter ->> link);
    end if;
  end loop;
  if filter ? 'due_from' then
    conditions := conditions || format('c.due_date >= %L::timestamptz', private.day_start(filter, 'due_from', 0));
  end if;
  if filter ? 'due_to' then
    conditions := conditions || format('c.due_date < %L::timestamptz', private.day_start(filter, 'due_to', 1));
  end if;
  return array_to_string(conditions, ' and ');
end
$$;
comment on function private.task_column_conditions is
  'The tasks that a filter means by their own columns, as a condition on "c". Every value is quoted.';

insert into private.list_orders (kind, sort, descending, expression, type, link)
select 'tasks', o.sort, d.descending,
  case when d.descending then coalesce(o.downwards, o.upwards) else o.upwards end, o.type, o.link
from (values (false), (true)) as d (descending)
cross join (values
  ('created', 'timestamptz', 'c.created_at', null, ''),
  ('due', 'timestamptz',
    $$coalesce(c.due_date, 'infinity'::timestamptz)$$,
    $$coalesce(c.due_date, '-infinity'::timestamptz)$$,
    ''),
  ('priority', 'integer', $$array_position(array['low', 'medium', 'high', 'urgent'], c.priority)$$, null, ''),
  ('title', 'text', 'lower(c.title)', null, '')
) as o (sort, type, upwards, downwards, link);

create function private.task_card(task public.tasks) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select f.*,
      (select d.name from public.deals d where d.id = task.deal_id) as deal_name,
      (select c.name from public.companies c where c.id = task.company_id) as company_name,
      (
        select json_build_object('first_name', p.first_name, 'last_name', p.last_name)
        from public.contacts p where p.id = task.contact_id
      ) as contact
    from private.fields_of(task) f
  ) k
$$;
comment on function private.task_card is 'A task as the lists show it: with the names of what it is linked to.';

create function public.task_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns json
language plpgsql stable
set search_path = ''
as $$
begin
  if filter = '{}' and sort = 'created' and descending then
    return private.newest_tasks(after, page_size);
  end if;
  return private.page('tasks', 'task_card', filter, sort, descending, after, page_size);
end
$$;
comment on function public.task_page is 'A page of the tasks that a filter means.';

create function public.task_count(filter jsonb default '{}') returns bigint
language sql stable
set search_path = ''
as $$ select private.count_of('tasks', filter) $$;

create function public.task_tab_counts(filter jsonb default '{}') returns json
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('tasks', filter - 'status');
  counts json;
begin
  execute format(
    'select json_build_object(
       ''total'', count(*),
       ''completed'', count(*) filter (where c.completed),
       ''pending'', count(*) filter (where not c.completed),
       ''overdue'', count(*) filter (where not c.completed and c.due_date < %L::timestamptz))
     from public.tasks c where %s',
    coalesce(filter ->> 'at', now()::text), own.conditions)
  into counts using own.hits;
  return counts;
end
$$;
comment on function public.task_tab_counts is
  'How many of the tasks that a filter means stand under each tab, whatever the status it names.';

create function public.task_counts(at timestamptz default now(), time_zone text default 'UTC') returns jsonb
language sql stable
set search_path = ''
as $$
  with day as materialized (
    select private.day_begins((at at time zone time_zone)::date, time_zone) as begins,
      private.day_begins((at at time zone time_zone)::date + 1, time_zone) as ends
  )
  select jsonb_build_object(
    'total', count(t.id),
    'completed', count(*) filter (where t.completed),
    'pending', count(*) filter (where not t.completed),
    'overdue', count(*) filter (where not t.completed and t.due_date < at),
    'due_today', count(*) filter (where not t.completed and t.due_date >= day.begins and t.due_date < day.ends),
    'urgent', count(*) filter (where not t.completed and t.priority = 'urgent'),
    'next_due', min(t.due_date) filter (where not t.completed and t.due_date >= at)
  )
  from day left join public.tasks t on true
  group by ()
$$;
comment on function public.task_counts is
  'The counters of the tasks screen, the feed and the panel, as of a moment on the user''s calendar; next_due is when the next task becomes overdue.';

create function public.update_tasks(filter jsonb, changes jsonb) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
begin
  return private.set_many('tasks', private.ids_of('tasks', filter), case
    -- A due date that does not say so has its hour.
    when changes ? 'due_date' then jsonb_build_object('due_all_day', false) || changes
    else changes - 'due_all_day'
  end);
end
$$;

create function public.delete_tasks(filter jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('tasks', filter) $$;

-- The next step -----------------------------------------------------------------------------------------------

-- A next step is a task that is planned together with a logged note, call or meeting, or with a completed task.

-- A next step for a contact with exactly one open deal is linked to that deal too, so that the deal does not count as one without
-- a next step.

create function private.only_open_deal(contact uuid) returns uuid
language sql stable
set search_path = ''
as $$
  select case when count(*) = 1 then (array_agg(o.id))[1] end
  from (
    select distinct d.id
    from public.contacts c
    cross join lateral private.deals_with(c) w
    join public.deals d on d.id = w.id
    left join public.pipeline_stages s on s.id = d.stage_id
    where c.id = contact and coalesce(s.outcome, 'open') = 'open'
    limit 2
  ) o
$$;
comment on function private.only_open_deal is 'The open deal of a contact, as the main contact or a further one, if there is exactly one.';

create function private.add_next_step(step jsonb) returns public.tasks
language plpgsql
set search_path = ''
as $$
declare
  task public.tasks;
begin
  if private.blank_to_null(step ->> 'title') is null or step ->> 'id' is null then
    raise exception 'A next step needs its words. Nothing was saved.' using errcode = 'PT400';
  end if;
  insert into public.tasks (id, title, due_date, due_all_day, contact_id, company_id, deal_id)
  values ((step ->> 'id')::uuid, step ->> 'title', (step ->> 'due_date')::timestamptz,
    coalesce((step ->> 'due_all_day')::boolean, false),
    (step ->> 'contact_id')::uuid, (step ->> 'company_id')::uuid,
    coalesce((step ->> 'deal_id')::uuid, private.only_open_deal((step ->> 'contact_id')::uuid)))
  -- An earlier try was saved, and its answer got lost.
  on conflict (id) do update set title = excluded.title, due_date = excluded.due_date, due_all_day = excluded.due_all_day
    where (tasks.title, tasks.due_date, tasks.due_all_day)
      is distinct from (excluded.title, excluded.due_date, excluded.due_all_day);
  select t.* into task from public.tasks t where t.id = (step ->> 'id')::uuid;
  return task;
end
$$;
comment on function private.add_next_step is 'Adds the task of a next step. The caller keeps one id for all tries, so that there is one task.';

create function public.log_with_next_step(note jsonb, next_step jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  logged public.notes;
  task public.tasks;
begin
  insert into public.notes (id, kind, body, outcome, minutes, happened_at, contact_id, company_id, deal_id)
  values ((note ->> 'id')::uuid, note ->> 'kind', note ->> 'body', note ->> 'outcome', (note ->> 'minutes')::smallint,
    coalesce((note ->> 'happened_at')::timestamptz, pg_catalog.now()),
    (note ->> 'contact_id')::uuid, (note ->> 'company_id')::uuid, (note ->> 'deal_id')::uuid)
  on conflict (id) do update set kind = excluded.kind, body = excluded.body, outcome = excluded.outcome,
    minutes = excluded.minutes, happened_at = excluded.happened_at
    where (notes.kind, notes.body, notes.outcome, notes.minutes, notes.happened_at)
      is distinct from (excluded.kind, excluded.body, excluded.outcome, excluded.minutes, excluded.happened_at);
  select n.* into logged from public.notes n where n.id = (note ->> 'id')::uuid;
  task := private.add_next_step(next_step);
  return jsonb_build_object('note', to_jsonb(logged) - 'user_id', 'task', to_jsonb(task) - '{user_id,search_text}'::text[],
    'batch', private.written_batch());
end
$$;
comment on function public.log_with_next_step is 'Logs a note, call or meeting and adds the task that comes next: one transaction, one batch.';

create function private.completion_of(task uuid) returns public.changes
language sql stable
set search_path = ''
as $$
  select c from public.changes c
  where c.user_id = private.caller() and c.row_id = task and c.table_name = 'tasks' and c.undoes is null
    and c.verb = 'update' and (c.after ->> 'completed')::boolean
    -- A task that was completed together with others is undone with them, and its next step is not.
    and not exists (
      select from public.changes o
      where o.user_id = c.user_id and o.batch = c.batch and o.verb = 'update' and o.row_id <> c.row_id
    )
  order by c.id desc limit 1
$$;
comment on function private.completion_of is 'The change that completed a task, if it completed that task alone.';

create function public.complete_with_next_step(id uuid, next_step jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  done public.tasks;
  completion public.changes;
  task public.tasks;
begin
  select t.* into done from public.tasks t where t.id = complete_with_next_step.id for update;
  if done.id is null then
    raise exception 'This task no longer exists. Nothing was saved.' using errcode = 'PT404';
  end if;
  if done.completed then
    -- It was completed with the click, before its next step was typed: the two are one batch, which has one moment.
    completion := private.completion_of(done.id);
    if completion.batch is not null then
      perform pg_catalog.set_config('solo.batch', completion.batch::text, true),
        pg_catalog.set_config('solo.moment', completion.created_at::text, true);
    end if;
  else
    update public.tasks t set completed = true where t.id = done.id returning t.* into done;
  end if;
  task := private.add_next_step(next_step);
  return jsonb_build_object('done', to_jsonb(done) - '{user_id,search_text}'::text[],
    'task', to_jsonb(task) - '{user_id,search_text}'::text[], 'batch', private.written_batch());
end
$$;
comment on function public.complete_with_next_step is
  'Completes a task, unless it is completed, and adds the task that comes next: one transaction, and one batch with the completion.';

-- The calendar feed: one private address per account, under which a calendar program reads what is due --------

create table public.calendar_feeds (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- In plain text, because the user copies the address again for the next device. It opens nothing but
  -- this feed, and whoever can read the table can read what the feed tells anyway.
  token text not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint calendar_feeds_token_form check (token ~ '^[0-9a-f]{64}$')
);
alter table public.calendar_feeds enable row level security;
comment on table public.calendar_feeds is
  'The secret part of an account''s calendar address. Written by create_calendar_feed and revoke_calendar_feed alone, and never logged in changes.';
revoke all on public.calendar_feeds from public, anon, authenticated;
grant all on public.calendar_feeds to service_role;
grant select on public.calendar_feeds to authenticated;
create policy "Owners see their calendar feeds" on public.calendar_feeds
  for select to authenticated using (user_id = (select auth.uid()));

create function public.create_calendar_feed(replacing text default null) returns public.calendar_feeds
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- Two of them hold 244 random bits, drawn as PostgreSQL draws keys; pgcrypto is not everywhere.
  fresh text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  feed public.calendar_feeds;
begin
  insert into public.calendar_feeds as f (user_id, token) values (private.caller(), fresh)
  on conflict (user_id) do update set
    token = case when f.token = replacing then excluded.token else f.token end,
    updated_at = case when f.token = replacing then now() else f.updated_at end
  returning * into feed;
  return feed;
end
$$;
comment on function public.create_calendar_feed is
  'The account''s calendar address, made if there is none. A new one takes the place of the one named; naming it makes a call that is sent twice, or from an old window, harmless. A definer because nobody else writes the table.';

create function public.revoke_calendar_feed() returns void
language sql
security definer
set search_path = ''
as $$ delete from public.calendar_feeds f where f.user_id = private.caller() $$;
comment on function public.revoke_calendar_feed is 'The account''s calendar address stops working, for good. A definer as create_calendar_feed.';

create function private.calendar_task(task public.tasks) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', task.id, 'title', task.title, 'description', left(task.description, 500), 'priority', task.priority,
    'due_date', task.due_date, 'created_at', task.created_at, 'updated_at', task.updated_at,
    -- The day itself: whoever reads the feed does not know the owner's time zone.
    'due_day', case when task.due_all_day then (task.due_date at time zone coalesce(
      (select f.time_zone from public.preferences f where f.user_id = task.user_id), 'UTC'))::date end,
    'contact_id', task.contact_id, 'company_id', task.company_id,
    'contact', (
      select jsonb_build_object('first_name', p.first_name, 'last_name', p.last_name)
      from public.contacts p where p.user_id = task.user_id and p.id = task.contact_id
    ),
    'company_name', (select k.name from public.companies k where k.user_id = task.user_id and k.id = task.company_id),
    'deal_name', (select d.name from public.deals d where d.user_id = task.user_id and d.id = task.deal_id)
  )
$$;

create function private.calendar_deal(deal public.deals) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', deal.id, 'name', deal.name, 'value', deal.value,
    'currency', coalesce(deal.currency, (select p.currency from public.preferences p where p.user_id = deal.user_id), 'USD'), 'expected_close_date', deal.expected_close_date,
    'created_at', deal.created_at, 'updated_at', deal.updated_at,
    'company_name', (select k.name from public.companies k where k.user_id = deal.user_id and k.id = deal.company_id)
  )
$$;

create function public.calendar_events(token text) returns jsonb
language sql stable
security definer
set search_path = ''
as $$
  with feed as (
    select f.user_id from public.calendar_feeds f where f.token = calendar_events.token
  ), dated as (
    select t.id, 'task' as kind, t.due_date as at
    from feed join public.tasks t on t.user_id = feed.user_id and not t.completed
      and t.due_date between now() - interval '30 days' and now() + interval '2 years'
    union all
    select d.id, 'deal', d.expected_close_date::timestamp at time zone 'UTC'
    from feed join public.deals d on d.user_id = feed.user_id and d.closed_at is null
      and d.expected_close_date between current_date - 30 and (current_date + interval '2 years')::date
  ), chosen as (
    -- What is to come goes before what is past, and the near before the far.
    select id, kind, at from dated order by at < now() - interval '1 day', at, id limit 1000
  )
  select jsonb_build_object(
    'tasks', coalesce((
      select jsonb_agg(private.calendar_task(t) order by c.at, c.id)
      from chosen c join public.tasks t on t.id = c.id where c.kind = 'task'
    ), '[]'),
    'deals', coalesce((
      select jsonb_agg(private.calendar_deal(d) order by c.at, c.id)
      from chosen c join public.deals d on d.id = c.id where c.kind = 'deal'
    ), '[]')
  )
  from feed
$$;
comment on function public.calendar_events is
  'What the calendar of a token shows: open tasks with a due date and open deals with an expected close, from 30 days ago to two years ahead, at most 1,000: more would keep the server busy for nobody''s use. Null for a token that is not, or no longer, known. A definer because the server asks for whoever holds the token: there is no session.';

create trigger announce after insert or update or delete on public.calendar_feeds
  for each row execute function private.announce_unlogged();

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.day_end(timestamptz, text, boolean), private.tidy_due(), private.same_day(timestamptz, text, text),
  private.ends_day(timestamptz, text), private.keep_days(), private.tidy_repeat(),
  private.next_due_date(public.tasks, timestamptz, text), private.repeat_task(), private.task_column_conditions(jsonb),
  private.task_card(public.tasks), public.task_page(jsonb, text, boolean, jsonb, integer), public.task_count(jsonb),
  public.task_tab_counts(jsonb), public.task_counts(timestamptz, text), public.update_tasks(jsonb, jsonb),
  public.delete_tasks(jsonb), private.only_open_deal(uuid), private.add_next_step(jsonb),
  public.log_with_next_step(jsonb, jsonb), private.completion_of(uuid), public.complete_with_next_step(uuid, jsonb),
  public.create_calendar_feed(text), public.revoke_calendar_feed(), private.calendar_task(public.tasks),
  private.calendar_deal(public.deals), public.calendar_events(text)
  from public, anon, authenticated;
-- Whoever writes a task or a time zone runs the triggers, and what they call.
grant execute on function
  private.day_end(timestamptz, text, boolean), private.tidy_due(), private.same_day(timestamptz, text, text),
  private.ends_day(timestamptz, text), private.keep_days(), private.tidy_repeat(), private.repeat_task(),
  private.task_column_conditions(jsonb), private.task_card(public.tasks),
  public.task_page(jsonb, text, boolean, jsonb, integer), public.task_count(jsonb), public.task_tab_counts(jsonb),
  public.task_counts(timestamptz, text), public.update_tasks(jsonb, jsonb), public.delete_tasks(jsonb),
  private.only_open_deal(uuid), private.add_next_step(jsonb), public.log_with_next_step(jsonb, jsonb),
  private.completion_of(uuid), public.complete_with_next_step(uuid, jsonb), public.create_calendar_feed(text),
  public.revoke_calendar_feed()
  to authenticated, service_role;
grant execute on function
  public.calendar_events(text)
  to service_role;
