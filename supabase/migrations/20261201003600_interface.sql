-- What programs and assistants can ask for and do with a token, besides the functions that the screens use too.

-- Reading -----------------------------------------------------------------------------------------------------

create function private.own_time_zone() returns text
language sql stable
set search_path = ''
as $$ select coalesce((select p.time_zone from public.preferences p where p.user_id = private.caller()), 'UTC') $$;
comment on function private.own_time_zone is 'The time zone in which the caller counts days.';

create function private.own_token() returns jsonb
language sql stable
set search_path = ''
as $$ select nullif(current_setting('solo.token', true), '')::jsonb $$;
comment on function private.own_token is 'What the token is called with which this call is made, and what it may do.';

create function private.about_account(tags_start integer default 0) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'token', private.own_token(),
    'now', now(), 'time_zone', private.own_time_zone(),
    'week_starts_on', (select p.week_starts_on from public.preferences p where p.user_id = private.caller()),
    'currency', (select p.currency from public.preferences p where p.user_id = private.caller()),
    'pipelines', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'stages', (
        select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'outcome', s.outcome) order by s."order", s.id), '[]')
        from public.pipeline_stages s where s.pipeline_id = p.id
      )) order by p.created_at, p.id), '[]')
      from public.pipelines p
    ),
    'fields', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'record', f.record, 'name', f.name, 'kind', f.kind,
        'options', f.options) order by f.record, f.name, f.id), '[]')
      from public.fields f
    ),
    'tags', (
      select coalesce(jsonb_agg(t.value order by t.place), '[]')
      from jsonb_array_elements(k.tags) with ordinality as t (value, place)
      where t.place > tags_start and t.place <= tags_start + 200
    ),
    'tags_next', case when jsonb_array_length(k.tags) > tags_start + 200 then tags_start + 200 end
  )
  from (select public.tag_counts() as tags) k
$$;
comment on function private.about_account is
  'What a program must know before it writes: what its token may do, time zone and currency, the stages of the pipelines, own fields, and 200 tags from a place on.';

create function private.record_of(kind text, id uuid) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  answer jsonb;
begin
  case kind
    when 'contacts' then answer := public.contact_record(record_of.id);
    when 'companies' then answer := public.company_record(record_of.id);
    when 'deals' then answer := public.deal_record(record_of.id);
    when 'tasks' then
      select to_jsonb(k.card) into answer from public.tasks t cross join lateral private.task_card(t) k where t.id = record_of.id;
    else
      raise exception 'There are contacts, companies, deals and tasks. Nothing was done.' using errcode = 'PT400';
  end case;
  if answer is null then
    raise exception 'This record does not exist. Nothing was done.' using errcode = 'PT404';
  end if;
  return answer;
end
$$;
comment on function private.record_of is 'One record as its page shows it.';

create function private.read_record(
  kind text, id uuid, before timestamptz default null, before_key text default null, page_size integer default 20
) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  size integer := least(greatest(page_size, 1), 100);
  entries jsonb := '[]';
  card jsonb := private.record_of(kind, read_record.id);
begin
  if kind <> 'tasks' then
    entries := public.record_timeline(
      case kind when 'contacts' then 'contact' when 'companies' then 'company' else 'deal' end,
      read_record.id, before, before_key, size);
  end if;
  return jsonb_build_object('record', card, 'timeline', entries, 'next', case
    when jsonb_array_length(entries) = size then
      jsonb_build_object('before', entries -> -1 -> 'at', 'before_key', entries -> -1 -> 'key')
  end);
end
$$;
comment on function private.read_record is
  'A contact, company or deal with a page of its timeline, newest first, and the cursor of the next; or a task.';

create function private.read_text(kind text, id uuid, field text, start integer default 0, row_id uuid default null) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  own constant text := '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
  path text[] := string_to_array(field, '.');
  row jsonb;
  whole text;
begin
  if kind not in ('contacts', 'companies', 'deals', 'tasks', 'notes', 'mails', 'changes')
     or field !~ ('^([a-z_]{1,40}|custom\.' || own || '|(before|after)\.([a-z_]{1,40}|custom\.' || own || '))$')
     or (kind = 'changes') <> (field ~ '^(before|after)\.') then
    raise exception 'There is no such text. Nothing was done.' using errcode = 'PT400';
  end if;
  if kind = 'changes' then
    select jsonb_build_object('before', c.before, 'after', c.after) into row from public.changes c
    where c.user_id = private.caller() and c.batch = read_text.id and (read_text.row_id is null or c.row_id = read_text.row_id)
      and jsonb_typeof(jsonb_build_object('before', c.before, 'after', c.after) #> path) = 'string'
    order by c.id limit 1;
  elsif kind = 'mails' then
    -- Nothing of a private mail is told, whatever may be left of it.
    select jsonb_build_object('subject', m.subject, 'snippet', m.snippet, 'body_text', coalesce(m.body_text, '')) into row
    from public.mails m where m.user_id = private.caller() and m.id = read_text.id and not m.is_private;
  else
    execute format('select to_jsonb(t) - ''search_text'' from public.%I t where t.id = $1', kind) into row using read_text.id;
  end if;
  -- Values of a deleted field are there until they are swept, and nothing shows them.
  if jsonb_typeof(row #> path) = 'string' and ('custom' <> all (path) or exists (
    select from public.fields f where f.user_id = private.caller() and f.id = path[cardinality(path)]::uuid
  )) then
    whole := row #>> path;
  end if;
  if whole is null then
    raise exception 'There is no such text. Nothing was done.' using errcode = 'PT404';
  end if;
  return jsonb_build_object('text', substr(whole, greatest(start, 0) + 1, 20000), 'start', greatest(start, 0), 'length', char_length(whole),
    'next', case when char_length(whole) > greatest(start, 0) + 20000 then greatest(start, 0) + 20000 end);
end
$$;
comment on function private.read_text is
  'A long text of a record, a note or a mail, or an old or new value of a batch, from a character on, 20,000 characters at a time.';

create function private.today() returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  zone text := private.own_time_zone();
  day date := (now() at time zone zone)::date;
begin
  return jsonb_build_object('day', day, 'time_zone', zone,
    'tasks', public.task_page(
      jsonb_build_object('status', 'pending', 'due_to', day, 'time_zone', zone), 'due', false, null, 50),
    'counts', public.task_counts(now(), zone),
    'deals_needing_a_push', public.dashboard(now(), zone) -> 'attention');
end
$$;
comment on function private.today is 'What is due by the end of today, overdue tasks first, and the deals that need a push.';

create function private.figures(day date default null) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  zone text := private.own_time_zone();
begin
  return jsonb_build_object('dashboard', public.dashboard(now(), zone), 'goal', public.goal_progress(now(), zone),
    'report', public.report(coalesce(figures.day, (now() at time zone zone)::date), '{}', now(), zone));
end
$$;
comment on function private.figures is 'The figures of the dashboard, the goal of the month, and the report of a day.';

-- Writing -----------------------------------------------------------------------------------------------------

create function private.save_record(kind text, changes jsonb, id uuid default null) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  known text[];
  columns text;
  saved uuid;
begin
  if kind is null or kind not in ('contacts', 'companies', 'deals', 'tasks') then
    raise exception 'There are contacts, companies, deals and tasks. Nothing was saved.' using errcode = 'PT400';
  end if;
  known := array(select c.name from private.columns_of(format('public.%I', kind)::regclass) c where c.is_writable);
  if jsonb_typeof(changes) is distinct from 'object' or changes = '{}' or changes - known <> '{}' then
    raise exception 'Only the fields of the record can be set. Nothing was saved.' using errcode = 'PT400';
  end if;
  columns := (select string_agg(quote_ident(key), ', ') from jsonb_object_keys(changes) as key);
  execute format(case
    when save_record.id is null then
      'insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $2) where $1 is null returning id'
    else
      'update public.%1$I r set (%2$s) = (select %2$s from jsonb_populate_record(r, $2)) where r.id = $1 returning r.id'
  end, kind, columns) into saved using save_record.id, changes;
  if saved is null then
    raise exception 'This record does not exist. Nothing was saved.' using errcode = 'PT404';
  end if;
  return jsonb_build_object('id', saved, 'record', private.record_of(kind, saved), 'batch', private.written_batch());
end
$$;
comment on function private.save_record is 'Adds a contact, company, deal or task, or changes one: only the named fields.';

create function private.quick_add(line jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  if line -> 'note' ->> 'kind' not in ('note', 'call', 'meeting') then
    raise exception 'A note is a note, a call or a meeting. Nothing was saved.' using errcode = 'PT400';
  end if;
  return public.quick_add(line, gen_random_uuid());
end
$$;
comment on function private.quick_add is 'A line of quick add, as a batch of its own.';

create function private.move_deal(id uuid, stage_id uuid, lost_reason text default null) returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  perform public.move_deal(move_deal.id, move_deal.stage_id);
  if private.blank_to_null(move_deal.lost_reason) is not null then
    update public.deals d set lost_reason = move_deal.lost_reason where d.id = move_deal.id;
  end if;
  return jsonb_build_object('record', private.record_of('deals', move_deal.id), 'batch', private.written_batch());
end
$$;
comment on function private.move_deal is 'Moves a deal to a stage, with the reason where it is lost.';

create function private.plan_step(step jsonb) returns public.tasks
language sql
set search_path = ''
as $$ select private.add_next_step(step || jsonb_build_object('id', gen_random_uuid())) $$;
comment on function private.plan_step is 'The task of a next step that a program plans.';

create function private.log_note(note jsonb, next_step jsonb default null) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  logged public.notes;
  task public.tasks;
begin
  if note - '{kind,body,outcome,minutes,happened_at,contact_id,company_id,deal_id}'::text[] <> '{}'
     or coalesce(note ->> 'kind', 'note') not in ('note', 'call', 'meeting') then
    raise exception 'A note, call or meeting has a text, an outcome, minutes, a time and one record. Nothing was saved.' using errcode = 'PT400';
  end if;
  insert into public.notes (kind, body, outcome, minutes, happened_at, contact_id, company_id, deal_id)
  values (coalesce(note ->> 'kind', 'note'), note ->> 'body', note ->> 'outcome', (note ->> 'minutes')::smallint,
    coalesce((note ->> 'happened_at')::timestamptz, now()),
    (note ->> 'contact_id')::uuid, (note ->> 'company_id')::uuid, (note ->> 'deal_id')::uuid)
  returning * into logged;
  if next_step is not null then
    task := private.plan_step(jsonb_build_object('contact_id', logged.contact_id, 'company_id', logged.company_id,
      'deal_id', logged.deal_id) || next_step);
  end if;
  return jsonb_build_object('note', to_jsonb(logged) - 'user_id',
    'task', case when task.id is not null then to_jsonb(task) - '{user_id,search_text}'::text[] end,
    'batch', private.written_batch());
end
$$;
comment on function private.log_note is 'Logs a note, call or meeting, and plans the task that comes next, if one is given: one batch.';

create function private.complete_task(id uuid, next_step jsonb default null) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  done public.tasks;
  task public.tasks;
begin
  update public.tasks t set completed = true where t.id = complete_task.id and not t.completed returning t.* into done;
  if done.id is null then
    if exists (select from public.tasks t where t.id = complete_task.id) then
      raise exception 'This task is completed already. Nothing was saved.' using errcode = 'PT409';
    end if;
    raise exception 'This task does not exist. Nothing was saved.' using errcode = 'PT404';
  end if;
  if next_step is not null then
    task := private.plan_step(jsonb_build_object('contact_id', done.contact_id, 'company_id', done.company_id,
      'deal_id', done.deal_id) || next_step);
  end if;
  return jsonb_build_object('record', private.record_of('tasks', done.id),
    'next', case when task.id is not null then private.record_of('tasks', task.id) end,
    'batch', private.written_batch());
end
$$;
comment on function private.complete_task is 'Completes a task and plans the one that comes next, if one is given: one batch.';

create function private.undo_of_token(batch uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  answer jsonb;
begin
  -- Taking back what its owner did, an import for instance, would delete in bulk.
  if not exists (
    select from private.token_batches b
    where b.user_id = private.caller() and b.batch = undo_of_token.batch and not b.is_form
  ) then
    raise exception 'Only what was done with an access token can be undone with one. Nothing was saved.' using errcode = 'PT403';
  end if;
  answer := public.undo_batch(undo_of_token.batch, 'refuse');
  -- The undo has ended its batch, which is to have the name of the token.
  perform set_config('solo.batch', coalesce(answer ->> 'batch', ''), true);
  return answer;
end
$$;
comment on function private.undo_of_token is 'Takes back what a token did. Rows that changed since are named, and then nothing is undone.';

create function private.listed_functions() returns table (name text, routine text, writes boolean)
language sql immutable
set search_path = ''
as $$
  values
    ('token', 'private.own_token', false),
    ('about', 'private.about_account', false),
    ('search', 'public.search_everything', false),
    ('list_contacts', 'public.contact_page', false),
    ('list_companies', 'public.company_page', false),
    ('list_deals', 'public.deal_page', false),
    ('list_tasks', 'public.task_page', false),
    ('get_record', 'private.read_record', false),
    ('read_text', 'private.read_text', false),
    ('today', 'private.today', false),
    ('figures', 'private.figures', false),
    ('history', 'public.history_page', false),
    ('quick_add_preview', 'public.quick_add_preview', false),
    ('quick_add', 'private.quick_add', true),
    ('save_record', 'private.save_record', true),
    ('move_deal', 'private.move_deal', true),
    ('log_note', 'private.log_note', true),
    ('complete_task', 'private.complete_task', true),
    ('undo', 'private.undo_of_token', true)
$$;
comment on function private.listed_functions is
  'All that a token can call. Nothing here deletes in bulk, reads out everything or touches the account.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.own_time_zone(), private.own_token(), private.about_account(integer), private.record_of(text, uuid),
  private.read_record(text, uuid, timestamptz, text, integer), private.read_text(text, uuid, text, integer, uuid),
  private.today(), private.figures(date), private.save_record(text, jsonb, uuid), private.quick_add(jsonb),
  private.move_deal(uuid, uuid, text), private.plan_step(jsonb), private.log_note(jsonb, jsonb),
  private.complete_task(uuid, jsonb), private.undo_of_token(uuid), private.listed_functions()
  from public, anon, authenticated;
grant execute on function
  private.own_time_zone(), private.own_token(), private.about_account(integer), private.record_of(text, uuid),
  private.read_record(text, uuid, timestamptz, text, integer), private.read_text(text, uuid, text, integer, uuid),
  private.today(), private.figures(date), private.save_record(text, jsonb, uuid), private.quick_add(jsonb),
  private.move_deal(uuid, uuid, text), private.plan_step(jsonb), private.log_note(jsonb, jsonb),
  private.complete_task(uuid, jsonb), private.undo_of_token(uuid), private.listed_functions()
  to authenticated, service_role;
