-- The next step: a task that is planned in the same breath as a logged call or a completed task.

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
    (step ->> 'contact_id')::uuid, (step ->> 'company_id')::uuid, (step ->> 'deal_id')::uuid)
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
  insert into public.notes (id, kind, body, outcome, happened_at, contact_id, company_id, deal_id)
  values ((note ->> 'id')::uuid, note ->> 'kind', note ->> 'body', note ->> 'outcome',
    coalesce((note ->> 'happened_at')::timestamptz, pg_catalog.now()),
    (note ->> 'contact_id')::uuid, (note ->> 'company_id')::uuid, (note ->> 'deal_id')::uuid)
  on conflict (id) do update set kind = excluded.kind, body = excluded.body, outcome = excluded.outcome,
    happened_at = excluded.happened_at
    where (notes.kind, notes.body, notes.outcome, notes.happened_at)
      is distinct from (excluded.kind, excluded.body, excluded.outcome, excluded.happened_at);
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
    raise exception 'This task does not exist any more. Nothing was saved.' using errcode = 'PT404';
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

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.add_next_step(jsonb), public.log_with_next_step(jsonb, jsonb), private.completion_of(uuid),
  public.complete_with_next_step(uuid, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.add_next_step(jsonb), public.log_with_next_step(jsonb, jsonb), private.completion_of(uuid),
  public.complete_with_next_step(uuid, jsonb)
  to authenticated, service_role;
