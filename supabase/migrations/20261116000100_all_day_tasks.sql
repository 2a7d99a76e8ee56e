-- Tasks that are due on a day, at no hour of it; and the search of tasks by the names of what they are linked to.

-- Whole days ---------------------------------------------------------------------------------------------------

alter table public.tasks add column due_all_day boolean not null default false;
comment on column public.tasks.due_all_day is
  'Due on a day, at no hour of it: due_date is then the last second of that day in the zone of the owner''s preferences, so that overdue means the same for every task.';

grant insert (due_all_day), update (due_all_day) on public.tasks to authenticated;

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

-- By their names, before tidy_repeat: a repetition begins with the due date.
create trigger tidy_due before insert or update on public.tasks
  for each row execute function private.tidy_due();

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

create trigger keep_days after update of time_zone on public.preferences
  for each row when (old.time_zone is distinct from new.time_zone and new.time_zone is not null)
  execute function private.keep_days();

create or replace function private.repeat_task() returns trigger
language plpgsql
security definer -- writes where a repetition comes from, which is not the client's to write
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

create or replace function private.task_card(task public.tasks) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select
      task.id, task.title, task.description, task.priority, task.due_date, task.due_all_day, task.completed,
      task.completed_at, task.deal_id, task.contact_id, task.company_id, task.created_at, task.updated_at, task.repeat,
      task.repeat_days, task.repeat_every, task.repeat_start, task.repeated_from,
      (select d.name from public.deals d where d.user_id = task.user_id and d.id = task.deal_id) as deal_name,
      (select c.name from public.companies c where c.user_id = task.user_id and c.id = task.company_id) as company_name,
      (
        select json_build_object('first_name', p.first_name, 'last_name', p.last_name)
        from public.contacts p where p.user_id = task.user_id and p.id = task.contact_id
      ) as contact
  ) k
$$;

create or replace function public.update_tasks(filter jsonb, changes jsonb) returns jsonb
language plpgsql
security definer -- finds by the index like task_page; writes rows of auth.uid() only
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('tasks', private.task_conditions(auth.uid(), filter));
  row_count bigint;
begin
  if changes - 'completed' - 'due_date' - 'due_all_day' - 'priority' <> '{}' then
    raise exception 'Only completion, due date and priority can be set for many tasks at once.' using errcode = 'PT400';
  end if;
  update public.tasks t set
    completed = case when changes ? 'completed' then (changes ->> 'completed')::boolean else t.completed end,
    due_date = case when changes ? 'due_date' then (changes ->> 'due_date')::timestamptz else t.due_date end,
    -- A due date that does not say so has its hour.
    due_all_day = case when changes ? 'due_date' then coalesce((changes ->> 'due_all_day')::boolean, false) else t.due_all_day end,
    priority = case when changes ? 'priority' then changes ->> 'priority' else t.priority end
  where t.user_id = auth.uid() and t.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create or replace function private.calendar_task(task public.tasks) returns jsonb
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

create or replace function public.quick_add(line jsonb, batch uuid) returns jsonb
language plpgsql
security definer -- finds as quick_add_preview does; writes rows of auth.uid() only
set search_path = ''
as $$
declare
  me uuid := private.caller();
  known record;
  said jsonb;
  company uuid;
  contact uuid;
  deal uuid;
begin
  if batch is null then
    raise exception 'The line cannot be read.' using errcode = 'PT400';
  end if;
  -- The same line in two windows is one line and then another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('quick_add ' || me::text, 0));
  if not exists (select from public.changes c where c.user_id = me and c.batch = quick_add.batch) then
    perform pg_catalog.set_config('solo.batch', batch::text, true);
    known := private.known_records(me, line);

    said := line -> 'company';
    if said ->> 'name' is not null then
      company := private.chosen(said, 'companies', known.companies);
      if company is null then
        insert into public.companies (user_id, name) values (me, said ->> 'name') returning id into company;
      end if;
    end if;

    said := line -> 'contact';
    if jsonb_typeof(said) = 'object' then
      contact := private.chosen(said, 'contacts', known.contacts);
      if contact is null then
        insert into public.contacts (user_id, first_name, last_name, email, phone_number, company_id)
        values (me, said ->> 'first_name', said ->> 'last_name', said ->> 'email', said ->> 'phone_number', company)
        returning id into contact;
      else
        perform private.fill_contact(me, contact, said, company);
      end if;
    end if;

    said := line -> 'deal';
    if said ->> 'name' is not null then
      deal := private.chosen(said, 'deals', known.deals);
      if deal is null then
        insert into public.deals (user_id, name, value, stage_id, company_id, contact_id)
        values (me, said ->> 'name', coalesce((said ->> 'value')::numeric, 0), private.first_stage(me),
          coalesce(company, (select c.company_id from public.contacts c where c.id = contact)), contact)
        returning id into deal;
      else
        update public.deals d set value = (said ->> 'value')::numeric
        where d.id = deal and d.user_id = me and d.value <> (said ->> 'value')::numeric;
      end if;
    end if;

    said := line -> 'task';
    if said ->> 'title' is not null then
      insert into public.tasks (user_id, title, due_date, due_all_day, priority, deal_id, contact_id, company_id)
      values (me, said ->> 'title', (said ->> 'due_date')::timestamptz, coalesce((said ->> 'due_all_day')::boolean, false),
        coalesce(said ->> 'priority', 'medium'), deal, contact, company);
    end if;

    if private.written_batch() is null then
      raise exception 'All of this is there already. Nothing was saved.' using errcode = 'PT409';
    end if;
  end if;
  return jsonb_build_object('batch', batch, 'records', (
    select jsonb_agg(jsonb_build_object('kind', c.table_name, 'id', c.row_id, 'title', c.label, 'is_new', c.verb = 'insert') order by c.id)
    from public.changes c where c.user_id = me and c.batch = quick_add.batch
  ));
end
$$;

-- Search by linked names ---------------------------------------------------------------------------------------

create function private.linked_condition(me uuid, kind text, link text, words text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  -- The index of search_text finds the candidates; only their names count.
  named text := format('select c.id from public.%I c where c.user_id = %L::uuid and %s and %s like %L',
    kind, me, private.search_condition(words), private.title_of(kind), private.like_pattern(words));
  ids uuid[];
begin
  execute format('select array(%s limit 1001)', named) into ids;
  return case
    when cardinality(ids) = 0 then null
    -- A few are looked up in the index of the link. Of thousands, planning alone would take longer than a hash of them.
    when cardinality(ids) <= 1000 then format('c.%I = any (%L::uuid[])', link, ids)
    else format('c.%I in (%s)', link, named)
  end;
end
$$;
comment on function private.linked_condition is
  'The condition on "c" that it is linked to a record whose name holds what was typed; null when there is no such record.';

create or replace function private.task_conditions(me uuid, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[format('c.user_id = %L::uuid', me)];
  words text := filter ->> 'search';
  link text;
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'status', 'at', 'priority', 'contact', 'company',
    'deal', 'due_from', 'due_to', 'time_zone']);
  if btrim(coalesce(words, '')) <> '' then
    conditions := conditions || format('(%s)', concat_ws(' or ',
      private.search_condition(words),
      private.linked_condition(me, 'contacts', 'contact_id', words),
      private.linked_condition(me, 'companies', 'company_id', words),
      private.linked_condition(me, 'deals', 'deal_id', words)));
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

create function public.task_tab_counts(filter jsonb default '{}') returns json
language plpgsql stable
security definer -- as contact_page
set search_path = ''
as $$
declare
  me uuid := private.caller();
  counts json;
begin
  execute format(
    'select json_build_object(
       ''total'', count(*),
       ''completed'', count(*) filter (where c.completed),
       ''pending'', count(*) filter (where not c.completed),
       ''overdue'', count(*) filter (where not c.completed and c.due_date < %L::timestamptz))
     from public.tasks c where %s',
    coalesce(filter ->> 'at', now()::text), private.task_conditions(me, filter - 'status'))
  into counts;
  return counts;
end
$$;
comment on function public.task_tab_counts is
  'How many of the tasks that a filter means stand under each tab, whatever the status it names.';

revoke all on function
  private.day_end(timestamptz, text, boolean), private.tidy_due(), private.keep_days(),
  private.same_day(timestamptz, text, text), private.ends_day(timestamptz, text),
  private.linked_condition(uuid, text, text, text)
  from public, anon, authenticated;
-- Whoever writes a task or a time zone runs these.
grant execute on function
  private.day_end(timestamptz, text, boolean), private.tidy_due(), private.keep_days(),
  private.same_day(timestamptz, text, text), private.ends_day(timestamptz, text)
  to authenticated, service_role;
revoke all on function public.task_tab_counts(jsonb) from public, anon;
grant execute on function public.task_tab_counts(jsonb) to authenticated, service_role;
