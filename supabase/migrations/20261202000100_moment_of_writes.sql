-- A write that waited on the device counts for when the user made it, not for when it was sent: a task that was completed on a
-- train on Friday is done on Friday, and a deal that was won there is won in that month.

create function private.written_at() returns timestamptz
language sql stable
set search_path = ''
as $$ select nullif(current_setting('solo.written_at', true), '')::timestamptz $$;
comment on function private.written_at is 'When the user made what is being written; null where that is now.';

create function private.begin_moment(action text, id uuid, written_at text) returns void
language plpgsql
set search_path = ''
as $$
declare
  made timestamptz;
  moment timestamptz;
begin
  if written_at is null or action not in ('add task', 'complete task', 'plan next step', 'move deal', 'quick add') then
    return;
  end if;
  if action = 'move deal' then
    select greatest(d.created_at, d.stage_since) into made from public.deals d where d.id = begin_moment.id;
  else
    select t.created_at into made from public.tasks t where t.id = begin_moment.id;
  end if;
  -- The clock of a device may be wrong, or lie.
  moment := least(now(), greatest(begin_moment.written_at::timestamptz, made, now() - interval '30 days'));
  perform pg_catalog.set_config('solo.written_at', moment::text, true);
  -- A line may add contacts, of which devices hear by the time in the log.
  if action <> 'quick add' then
    perform pg_catalog.set_config('solo.moment', moment::text, true);
  end if;
exception
  when invalid_datetime_format or datetime_field_overflow then
    raise exception 'The change cannot be read. Nothing was saved.' using errcode = 'PT400';
end
$$;
comment on function private.begin_moment is
  'For the rest of the transaction: tasks and moves count for when the user made them, by the clock of the device, but not in the future, not before their record was made, and not more than 30 days ago.';

create or replace function private.write_kind(action text, args jsonb, batch uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  id uuid := (args ->> 'id')::uuid;
  given jsonb := args -> 'values';
  conflict jsonb;
  line jsonb;
begin
  if action in ('add note', 'add contact', 'add task', 'edit note', 'snooze task', 'complete task')
     and (jsonb_typeof(given) is distinct from 'object' or given = '{}')
     or action not in ('add note', 'add contact', 'add task', 'quick add') and id is null then
    raise exception 'The change cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  perform private.begin_moment(action, id, args ->> 'written_at');
  case action
    when 'add note' then
      if jsonb_typeof(args -> 'next_step') = 'object' then
        perform public.log_with_next_step(given, args -> 'next_step');
      else
        perform private.put_row('notes', given);
      end if;
    when 'add contact' then
      perform private.put_row('contacts', given);
    when 'add task' then
      perform private.put_row('tasks', given);
    when 'edit note' then
      given := private.only(given, '{kind,body,outcome,minutes,happened_at}');
      conflict := private.changed_since('notes', id, args -> 'seen', given);
      if conflict is null then
        perform private.change_row('notes', id, given);
      end if;
    when 'snooze task' then
      given := private.only(given, '{due_date,due_all_day}');
      conflict := private.changed_since('tasks', id, args -> 'seen', given);
      if conflict is null then
        perform private.change_row('tasks', id, given);
      end if;
    when 'complete task' then
      perform private.change_row('tasks', id, private.only(given, '{completed}'));
    when 'plan next step' then
      perform public.complete_with_next_step(id, args -> 'next_step');
    when 'move deal' then
      conflict := private.changed_since('deals', id, args -> 'seen', jsonb_build_object('stage_id', args -> 'stage_id'));
      if conflict is null then
        perform public.move_deal(id, (args ->> 'stage_id')::uuid, (args ->> 'before_id')::uuid, (args ->> 'after_id')::uuid);
      end if;
    when 'quick add' then
      line := args -> 'line';
      -- Written where nobody could say which way of understanding it holds: that is decided now.
      if jsonb_typeof(line) = 'array' then
        line := line -> (public.quick_add_preview(line) ->> 'reading')::integer -> 'line';
      end if;
      perform public.quick_add(line, write_kind.batch);
    else
      raise exception 'The change cannot be read. Nothing was saved.' using errcode = 'PT400';
  end case;
  return conflict;
end
$$;

create or replace function private.tidy_task() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if private.is_restoring() then
    return new;
  end if;
  if tg_op = 'INSERT' and private.written_at() is not null then
    new.created_at := private.written_at();
    new.updated_at := new.created_at;
  end if;
  new.completed_at := case
    when not new.completed then null
    when tg_op = 'UPDATE' and old.completed then old.completed_at
    else coalesce(private.written_at(), now())
  end;
  return new;
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
      raise exception 'The chosen stage no longer exists.' using errcode = '23503';
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
      else coalesce(private.written_at(), now())
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

create or replace function private.tidy_stay() returns trigger
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

comment on function public.write_once is
  'Writes what a browser has under this batch, once: sent again, it writes nothing and answers with the records as they are now. "batch" undoes it, null if nothing changed. "conflict" is the record as it is now, where somebody has changed the same meanwhile; then nothing is written, and it may be sent again without "seen". "written_at" among the arguments says when the user made a change that waited. The action "take back" keeps a batch from being written, or tells by which batch it is undone.';

revoke all on function private.written_at(), private.begin_moment(text, uuid, text) from public, anon, authenticated;
grant execute on function private.written_at(), private.begin_moment(text, uuid, text) to authenticated, service_role;
