-- Writes that may be sent twice: written without a network and sent later, or sent and the answer lost on the way. The
-- browser names each with a batch of its own, and a batch is written once. Decision 051.

create table private.sent_writes (
  user_id uuid not null references auth.users (id) on delete cascade,
  batch uuid not null,
  written_in uuid,
  is_taken_back boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (user_id, batch)
);
alter table private.sent_writes enable row level security;
comment on table private.sent_writes is
  'Which batches of a browser have been written. Only that they were: what they wrote is in the records, and goes with them.';
comment on column private.sent_writes.written_in is
  'The batch of the log: null where nothing changed, another one where a next step joined the completion of its task.';
comment on column private.sent_writes.is_taken_back is 'Taken back before it came: it is not written any more, however late it comes.';
revoke all on private.sent_writes from public, anon, authenticated;
create index sent_writes_by_age on private.sent_writes (user_id, created_at);

-- Each batch once ---------------------------------------------------------------------------------------------

create function private.begin_write(batch uuid, out is_known boolean, out written_in uuid, out is_taken_back boolean)
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  sent private.sent_writes;
begin
  -- The same write on two ways at once: the second waits, and then finds what the first has written.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('write_once ' || me || ' ' || begin_write.batch, 0));
  select w.* into sent from private.sent_writes w where w.user_id = me and w.batch = begin_write.batch;
  is_known := sent.batch is not null;
  written_in := sent.written_in;
  is_taken_back := coalesce(sent.is_taken_back, false);
  -- Of those that expired here the log still knows.
  if not is_known and exists (select from public.changes c where c.user_id = me and c.batch = begin_write.batch) then
    is_known := true;
    written_in := begin_write.batch;
  end if;
  if not is_known then
    perform pg_catalog.set_config('solo.batch', begin_write.batch::text, true), private.erase_expired_of(me);
  end if;
end
$$;
comment on function private.begin_write is
  'Whether a batch of the caller has been written already; if not, it is that of this transaction. A definer because nobody else reads private.sent_writes.';

create function private.note_write(batch uuid, written_in uuid, is_taken_back boolean default false) returns void
language sql
security definer
set search_path = ''
as $$
  insert into private.sent_writes (user_id, batch, written_in, is_taken_back)
  values (private.caller(), note_write.batch, note_write.written_in, note_write.is_taken_back)
$$;
comment on function private.note_write is 'Notes that a batch is written. A definer because nobody else writes private.sent_writes.';

-- Each kind of write ------------------------------------------------------------------------------------------

create function private.put_row(kind text, given jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  names text[] := array(select key from jsonb_object_keys(given) key);
  columns text := (select string_agg(quote_ident(name), ', ') from unnest(names) name);
begin
  if given ->> 'id' is null or exists (
    select from unnest(names) name where not exists (
      select from pg_catalog.pg_attribute a
      where a.attrelid = ('public.' || quote_ident(kind))::regclass and a.attname = name and a.attnum > 0 and not a.attisdropped
    )
  ) then
    raise exception 'The record cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  execute format(
    'insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
     on conflict (id) do update set %3$s', kind, columns,
    -- An earlier try was saved under another batch: what was sent last holds. Whose it is never changes.
    (
      select coalesce(string_agg(format('%1$I = excluded.%1$I', name), ', '), '"id" = excluded."id"')
      from unnest(names) name where name not in ('id', 'user_id')
    ))
  using given;
end
$$;
comment on function private.put_row is 'Adds a record under the id that the browser chose, with the rights of the caller.';

create function private.change_row(kind text, id uuid, given jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  changed integer;
begin
  execute format(
    'update public.%1$I t set %2$s from jsonb_populate_record(null::public.%1$I, $2) g where t.id = $1', kind,
    (select string_agg(format('%1$I = g.%1$I', key), ', ') from jsonb_object_keys(given) key))
  using change_row.id, given;
  get diagnostics changed = row_count;
  if changed = 0 then
    raise exception 'This record no longer exists. Nothing was saved.' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.change_row is 'Changes some columns of a record, with the rights of the caller.';

create function private.row_of(kind text, id uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  card jsonb;
begin
  execute format('select to_jsonb(t) - ''{user_id,search_text}''::text[] from public.%I t where t.id = $1', kind)
  into card using row_of.id;
  return card;
end
$$;
comment on function private.row_of is 'A record as it is now, or null.';

create function private.changed_since(kind text, id uuid, seen jsonb, given jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  there jsonb;
  before jsonb;
  wanted jsonb;
begin
  if jsonb_typeof(seen) is distinct from 'object' then
    return null;
  end if;
  -- Nobody changes it between this look and the write.
  execute format('select to_jsonb(t) from public.%I t where t.id = $1 for update', kind) into there using changed_since.id;
  if there is null then
    return null;
  end if;
  -- Values as the database writes them: a time has many spellings.
  execute format('select to_jsonb(jsonb_populate_record(null::public.%1$I, $1)), to_jsonb(jsonb_populate_record(null::public.%1$I, $2))', kind)
  into before, wanted using seen, given;
  if exists (
    select from jsonb_object_keys(given) key
    where there -> key is distinct from before -> key and there -> key is distinct from wanted -> key
  ) then
    return there - '{user_id,search_text}'::text[];
  end if;
  return null;
end
$$;
comment on function private.changed_since is
  'The record as it is now, if somebody has changed meanwhile what is about to be written, and not to the same; null if not. Without "seen" what is written holds.';

-- A write that waited on the device counts for when the user made it, not for when it was sent: a task that was completed on a
-- train on Friday is done on Friday, and a deal that was won there is won in that month.
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

create function private.write_move(id uuid, args jsonb) returns void
language plpgsql
set search_path = ''
as $$
begin
  if args ? 'outcome' then
    if not exists (select from public.deals d where d.id = write_move.id) then
      raise exception 'This deal no longer exists.' using errcode = 'PT404';
    end if;
    perform public.close_deals(jsonb_build_object('ids', jsonb_build_array(write_move.id)), args ->> 'outcome', args ->> 'lost_reason');
  elsif args ? 'before_id' or args ? 'after_id' then
    perform public.move_deal(write_move.id, (args ->> 'stage_id')::uuid, (args ->> 'before_id')::uuid, (args ->> 'after_id')::uuid);
  else
    perform private.change_row('deals', write_move.id, jsonb_build_object('stage_id', args -> 'stage_id'));
  end if;
end
$$;
comment on function private.write_move is
  'Moves a deal: to where it was dropped on the board, to another stage at its place, or, with "outcome", to a stage that wins or loses it, with the reason for a loss.';

create function private.write_kind(action text, args jsonb, batch uuid) returns jsonb
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
        perform private.write_move(id, args);
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
comment on function private.write_kind is
  'Does what was written, with the rights of the caller. Answers null, or the record as it is now if somebody else has changed the same: then nothing is written.';

create function private.only(given jsonb, names text[]) returns jsonb
language plpgsql immutable
set search_path = ''
as $$
begin
  if given - names <> '{}' then
    raise exception 'The change cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  return given;
end
$$;
comment on function private.only is 'These values, or a refusal where there are others among them.';

create function private.written_rows(action text, args jsonb, batch uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  kind text := case split_part(action, ' ', 2) when 'note' then 'notes' when 'contact' then 'contacts' when 'deal' then 'deals' else 'tasks' end;
begin
  if action = 'quick add' then
    return jsonb_build_object('records', (
      select jsonb_agg(
        jsonb_build_object('kind', c.table_name, 'id', c.row_id, 'title', c.label, 'is_new', c.verb = 'insert') order by c.id)
      from public.changes c where c.user_id = private.caller() and c.batch = written_rows.batch
    ));
  end if;
  return jsonb_build_object(
    'row', private.row_of(kind, coalesce(args ->> 'id', args #>> '{values,id}')::uuid),
    'next_step', private.row_of('tasks', (args #>> '{next_step,id}')::uuid));
end
$$;
comment on function private.written_rows is 'What a write answers: its records as they are now, null for those that are gone.';

create function public.write_once(batch uuid, action text, args jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  begun record;
  conflict jsonb;
begin
  if batch is null or jsonb_typeof(args) is distinct from 'object' then
    raise exception 'The change cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  begun := private.begin_write(batch);
  if action = 'take back' then
    if not begun.is_known then
      perform private.note_write(batch, null, true);
    end if;
    return jsonb_build_object('is_taken_back', begun.written_in is null, 'batch', begun.written_in);
  end if;
  if begun.is_taken_back then
    return jsonb_build_object('is_taken_back', true, 'batch', null);
  end if;
  if not begun.is_known then
    conflict := private.write_kind(action, args, batch);
    if conflict is not null then
      return jsonb_build_object('conflict', conflict, 'batch', null);
    end if;
    begun.written_in := private.written_batch();
    perform private.note_write(batch, begun.written_in);
  end if;
  return private.written_rows(action, args, begun.written_in) || jsonb_build_object('batch', begun.written_in);
end
$$;
comment on function public.write_once is
  'Writes what a browser has under this batch, once: sent again, it writes nothing and answers with the records as they are now. "batch" undoes it, null if nothing changed. "conflict" is the record as it is now, where somebody has changed the same meanwhile; then nothing is written, and it may be sent again without "seen". "written_at" among the arguments says when the user made a change that waited. The action "take back" keeps a batch from being written, or tells by which batch it is undone.';

-- What a device keeps -----------------------------------------------------------------------------------------

-- What a device keeps of the account, so that anyone can be found and called without a network: every contact by name,
-- company, phone and e-mail, and the open deals. A device reads all contacts once, and then those that changed. Decision 051.

create function private.device_contact(contact public.contacts) returns jsonb
language sql stable
set search_path = ''
as $$
  -- A list, not an object: the names would be longer than what they name, a hundred thousand times.
  select jsonb_build_array(
    contact.id, contact.first_name, contact.last_name, contact.email, contact.phone_number, contact.company_id,
    (select k.name from public.companies k where k.id = contact.company_id), contact.role_title, contact.lead_status, contact.created_at,
    case when jsonb_array_length(contact.emails) > 1 then contact.emails end,
    case when jsonb_array_length(contact.phones) > 1 then contact.phones end
  )
$$;
comment on function private.device_contact is
  'What a device keeps of a contact: id, first and last name, e-mail, phone, company and its name, role, lead status, when it was added, and all e-mails and phones where there are several.';

create function private.device_mark(account uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  -- From batch to batch by the index, however many rows each has.
  with recursive steps as (
    (
      select 1 as number, c.created_at, c.batch from public.changes c
      where c.user_id = account order by c.created_at desc, c.batch desc limit 1
    )
    union all
    select s.number + 1, n.created_at, n.batch
    from steps s
    cross join lateral (
      select c.created_at, c.batch from public.changes c
      where c.user_id = account and (c.created_at, c.batch) < (s.created_at, s.batch)
      order by c.created_at desc, c.batch desc limit 1
    ) n
    where s.number < 20
  )
  select jsonb_build_object('at', now(), 'change', coalesce((
    select max(l.id) from steps s cross join lateral (
      select max(c.id) as id from public.changes c where c.user_id = account and c.batch = s.batch
    ) l
  ), 0))
$$;
comment on function private.device_mark is
  'How far the log of an account goes now. Of two transactions the one with the lower number may be committed last, so a device asks from a mark that is some minutes old.';

create function public.device_contacts(after uuid default null, page_size integer default 1000) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  size integer := least(greatest(page_size, 1), 1000);
  found_rows jsonb;
  last_id uuid;
begin
  select jsonb_agg(private.device_contact(c) order by c.id), (array_agg(c.id order by c.id desc))[1]
  into found_rows, last_id
  from (
    select * from public.contacts c
    where c.user_id = me and c.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
    order by c.id limit size
  ) c;
  return jsonb_build_object(
    'rows', coalesce(found_rows, '[]'),
    'next', case when jsonb_array_length(found_rows) = size then last_id end,
    'mark', private.device_mark(me)
  );
end
$$;
comment on function public.device_contacts is
  'The contacts of the caller as a device keeps them, in the order of their ids, with where the next part begins, and the mark from which changes are asked for: that of the first part.';

create function public.device_changes(since jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  -- More than this is read as a whole.
  most constant integer := 5000;
  first_change bigint := (since ->> 'change')::bigint;
  -- The entries of long work have the moment at which it began.
  first_moment timestamptz := (since ->> 'at')::timestamptz - interval '1 day';
  mark jsonb := private.device_mark(me);
  changed uuid[];
  renamed uuid[];
begin
  if first_change is null or first_moment is null or first_change > (mark ->> 'change')::bigint then
    -- Another installation, or an earlier state of this one.
    return jsonb_build_object('is_whole', false, 'rows', '[]'::jsonb, 'gone', '[]'::jsonb, 'mark', mark);
  end if;
  select array_agg(distinct c.row_id) filter (where c.table_name = 'contacts'),
    array_agg(distinct c.row_id) filter (where c.table_name = 'companies')
  into changed, renamed
  from public.changes c
  where c.user_id = me and c.created_at >= first_moment and c.id > first_change
    and c.table_name in ('contacts', 'companies');
  if cardinality(renamed) > 0 then
    changed := array(
      select unnest(changed)
      union
      (select c.id from public.contacts c where c.user_id = me and c.company_id = any (renamed) limit most + 1)
    );
  end if;
  if cardinality(changed) > most then
    return jsonb_build_object('is_whole', false, 'rows', '[]'::jsonb, 'gone', '[]'::jsonb, 'mark', mark);
  end if;
  return jsonb_build_object(
    'is_whole', true,
    'rows', coalesce((
      select jsonb_agg(private.device_contact(c) order by c.id) from public.contacts c
      where c.user_id = me and c.id = any (changed)
    ), '[]'),
    'gone', coalesce((
      select jsonb_agg(g.id) from unnest(changed) as g (id)
      where not exists (select from public.contacts c where c.user_id = me and c.id = g.id)
    ), '[]'),
    'mark', mark
  );
end
$$;
comment on function public.device_changes is
  'The contacts of the caller that were added or changed since a mark, also by a new name of their company, and the ids of those that are gone. Not whole: there are too many, or the mark is none of this log; then the device reads all of them.';

create function public.device_deals(after uuid default null, page_size integer default 500) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  size integer := least(greatest(page_size, 1), 1000);
  ids uuid[];
begin
  ids := array(
    select d.id from public.deals d
    left join public.pipeline_stages s on s.id = d.stage_id
    where d.user_id = me and d.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
      and coalesce(s.outcome, 'open') = 'open'
    order by d.id limit size
  );
  return jsonb_build_object(
    'rows', private.deal_cards(ids)::jsonb,
    'next', case when cardinality(ids) = size then ids[size] end
  );
end
$$;
comment on function public.device_deals is 'The open deals of the caller as lists show them, in the order of their ids.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.begin_moment(text, uuid, text), private.begin_write(uuid), private.note_write(uuid, uuid, boolean), private.put_row(text, jsonb),
  private.change_row(text, uuid, jsonb), private.row_of(text, uuid), private.changed_since(text, uuid, jsonb, jsonb),
  private.write_move(uuid, jsonb), private.write_kind(text, jsonb, uuid), private."only"(jsonb, text[]), private.written_rows(text, jsonb, uuid),
  public.write_once(uuid, text, jsonb), private.device_contact(public.contacts), private.device_mark(uuid),
  public.device_contacts(uuid, integer), public.device_changes(jsonb), public.device_deals(uuid, integer)
  from public, anon, authenticated;
grant execute on function
  private.begin_moment(text, uuid, text), private.begin_write(uuid), private.note_write(uuid, uuid, boolean), private.put_row(text, jsonb),
  private.change_row(text, uuid, jsonb), private.row_of(text, uuid), private.changed_since(text, uuid, jsonb, jsonb),
  private.write_move(uuid, jsonb), private.write_kind(text, jsonb, uuid), private."only"(jsonb, text[]), private.written_rows(text, jsonb, uuid),
  public.write_once(uuid, text, jsonb), private.device_contact(public.contacts), private.device_mark(uuid),
  public.device_contacts(uuid, integer), public.device_changes(jsonb), public.device_deals(uuid, integer)
  to authenticated, service_role;
