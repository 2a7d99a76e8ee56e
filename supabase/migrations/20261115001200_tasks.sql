-- The tasks screen: repetition, pages, counts, and writes to everything that matches.

alter table public.tasks
  add column repeat text,
  add column repeat_days smallint[],
  add column repeat_every integer,
  add column repeat_start timestamptz,
  add column repeated_from uuid,
  add column search_text text not null generated always as (
    private.fold(title || ' ' || coalesce(description, ''))
  ) stored,
  add constraint tasks_repeat_known check (repeat in ('daily', 'weekly', 'monthly', 'yearly', 'after')),
  add constraint tasks_repeat_days_known check (
    (coalesce(repeat, '') = 'weekly') = (repeat_days is not null)
    and cardinality(repeat_days) between 1 and 7
    and repeat_days <@ array[0, 1, 2, 3, 4, 5, 6]::smallint[]
  ),
  add constraint tasks_repeat_every_sensible check (
    (coalesce(repeat, '') = 'after') = (repeat_every is not null) and repeat_every between 1 and 3650
  ),
  add constraint tasks_repeat_has_start check (repeat is null or repeat = 'after' or due_date is not null),
  add constraint tasks_repeated_from_fkey foreign key (user_id, repeated_from) references public.tasks (user_id, id)
    on delete set null (repeated_from) deferrable initially immediate;
comment on column public.tasks.repeat_days is 'Of a weekly one: 0 is Sunday.';
comment on column public.tasks.repeat_every is 'Of one that repeats after its completion: how many days after.';
comment on column public.tasks.repeat_start is
  'When the repetition began: its day and hour are those of every one to come, however one of them was put off.';
comment on column public.tasks.repeated_from is 'The task whose completion made this one.';
comment on column public.tasks.search_text is 'What the list''s search looks through: title and description, folded.';

grant insert (repeat, repeat_days, repeat_every, repeat_start), update (repeat, repeat_days, repeat_every, repeat_start)
  on public.tasks to authenticated;

create index tasks_search on public.tasks using gin (user_id, search_text extensions.gin_trgm_ops);
create index tasks_by_due on public.tasks (user_id, coalesce(due_date, 'infinity'::timestamptz), id);
create index tasks_repeated on public.tasks (user_id, repeated_from) where repeated_from is not null;

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
security definer -- writes where a repetition comes from, which is not the client's to write
set search_path = ''
as $$
declare
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
  next_due := private.next_due_date(new, new.completed_at, coalesce(
    (select p.time_zone from public.preferences p where p.user_id = new.user_id), 'UTC'));
  if next_due < timestamptz '2201-01-01 00:00+00' then
    insert into public.tasks (user_id, title, description, priority, due_date, deal_id, contact_id, company_id,
      repeat, repeat_days, repeat_every, repeat_start, repeated_from)
    values (new.user_id, new.title, new.description, new.priority, next_due, new.deal_id, new.contact_id, new.company_id,
      new.repeat, new.repeat_days, new.repeat_every, new.repeat_start, new.id);
  end if;
  return null;
end
$$;
comment on function private.repeat_task is
  'Completing a repeating task makes the next one in the same transaction; reopening it takes the next one away, unless someone has touched it.';

create trigger repeat after update of completed on public.tasks
  for each row when (old.completed is distinct from new.completed) execute function private.repeat_task();

create function private.task_conditions(me uuid, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[format('c.user_id = %L::uuid', me)];
  link text;
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'status', 'at', 'priority', 'contact', 'company',
    'deal', 'due_from', 'due_to', 'time_zone']);
  if btrim(coalesce(filter ->> 'search', '')) <> '' then
    conditions := conditions || private.search_condition(filter ->> 'search');
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
      when 'overdue' then format('not c.completed and c.due_date < %L::timestamptz', coalesce(filter ->> 'at', now()::text))
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
comment on function private.task_conditions is 'The tasks that a filter means, as a condition on "c". Every value is quoted.';

create function private.tasks_orders(missing text) returns table (sort text, expression text, type text, link text)
language sql immutable
set search_path = ''
as $$
  values
    ('created', 'c.created_at', 'timestamptz', ''),
    ('due', 'coalesce(c.due_date, ' || missing || ')', 'timestamptz', ''),
    ('priority', 'array_position(array[''low'', ''medium'', ''high'', ''urgent''], c.priority)', 'integer', ''),
    ('title', 'lower(c.title)', 'text', '')
$$;

create function private.task_card(task public.tasks) returns table (card jsonb)
language sql stable -- no search path of its own, see contact_card
as $$
  select (to_jsonb(task) - 'search_text' - 'user_id') || jsonb_build_object(
    'deal_name', (select d.name from public.deals d where d.user_id = task.user_id and d.id = task.deal_id),
    'company_name', (select k.name from public.companies k where k.user_id = task.user_id and k.id = task.company_id),
    'contact', (
      select jsonb_build_object('first_name', p.first_name, 'last_name', p.last_name)
      from public.contacts p where p.user_id = task.user_id and p.id = task.contact_id
    )
  )
$$;
comment on function private.task_card is 'A task as the lists show it: with the names of what it is linked to.';

create function public.task_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns jsonb
language sql stable
security definer -- as contact_page
set search_path = ''
as $$
  select private.page('tasks', 'task_card', private.task_conditions(auth.uid(), filter), sort, descending, after, page_size)
$$;
comment on function public.task_page is 'A page of the tasks that a filter means.';

create function public.task_count(filter jsonb default '{}') returns bigint
language sql stable
security definer -- as contact_page
set search_path = ''
as $$ select private.count_of('tasks', private.task_conditions(auth.uid(), filter)) $$;

create function public.task_counts(at timestamptz default now(), time_zone text default 'UTC') returns jsonb
language sql stable
set search_path = ''
as $$
  with day as (
    select (at at time zone time_zone)::date::timestamp at time zone time_zone as begins,
      ((at at time zone time_zone)::date + 1)::timestamp at time zone time_zone as ends
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
  from day left join public.tasks t on t.user_id = (select auth.uid())
  group by ()
$$;
comment on function public.task_counts is
  'The counters of the tasks screen, the feed and the panel, as of a moment on the user''s calendar; next_due is when the next task becomes overdue.';

create function public.update_tasks(filter jsonb, changes jsonb) returns jsonb
language plpgsql
security definer -- finds by the index like task_page; writes rows of auth.uid() only
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('tasks', private.task_conditions(auth.uid(), filter));
  row_count bigint;
begin
  if changes - 'completed' - 'due_date' - 'priority' <> '{}' then
    raise exception 'Only completion, due date and priority can be set for many tasks at once.' using errcode = 'PT400';
  end if;
  update public.tasks t set
    completed = case when changes ? 'completed' then (changes ->> 'completed')::boolean else t.completed end,
    due_date = case when changes ? 'due_date' then (changes ->> 'due_date')::timestamptz else t.due_date end,
    priority = case when changes ? 'priority' then changes ->> 'priority' else t.priority end
  where t.user_id = auth.uid() and t.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create function public.delete_tasks(filter jsonb) returns jsonb
language sql
security definer -- as update_tasks
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('tasks', private.task_conditions(auth.uid(), filter)) $$;

revoke all on function
  private.tidy_repeat(), private.next_due_date(public.tasks, timestamptz, text), private.repeat_task(),
  private.task_conditions(uuid, jsonb), private.tasks_orders(text), private.task_card(public.tasks)
  from public, anon, authenticated;
grant execute on function private.tidy_repeat(), private.repeat_task() to authenticated, service_role;

revoke all on function
  public.task_page(jsonb, text, boolean, jsonb, integer), public.task_count(jsonb), public.task_counts(timestamptz, text),
  public.update_tasks(jsonb, jsonb), public.delete_tasks(jsonb)
  from public, anon;
grant execute on function
  public.task_page(jsonb, text, boolean, jsonb, integer), public.task_count(jsonb), public.task_counts(timestamptz, text),
  public.update_tasks(jsonb, jsonb), public.delete_tasks(jsonb)
  to authenticated, service_role;
