-- Live: what changes in one window shows in all others of the account. Every statement that changes something announces
-- to the account's windows which tables it touched; the windows then read what they show. An announcement holds no data.
-- A hosted project sends it to the account's private channel; elsewhere our server listens and sends it on. Decision 050.

-- Which window wrote ------------------------------------------------------------------------------------------

create function private.window_of_request() returns text
language plpgsql stable
set search_path = ''
as $$
begin
  return substring(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-solo-window'
    from '^[A-Za-z0-9_-]{8,40}$'
  );
exception when others then
  -- Whatever a client writes into its headers, the change itself counts.
  return null;
end
$$;
comment on function private.window_of_request is
  'The name that the browser window which asks has given itself, or null. It decides nothing but who need not read again.';

-- Announcing --------------------------------------------------------------------------------------------------

create function private.announce(account uuid, tables text[], batch uuid default null) returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  news jsonb := jsonb_build_object('tables', to_jsonb(tables), 'batch', batch, 'window', private.window_of_request());
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null then
    perform realtime.send(news, 'changes', 'account:' || account, true);
  else
    perform pg_notify('solo_changes', (news || jsonb_build_object('account', account))::text);
  end if;
exception when others then
  -- A window that shows the change a little later is better than a change that is not written.
  return;
end
$$;
comment on function private.announce is
  'Tells all windows of an account which tables have changed, once the transaction is committed. A definer because only the owner of the schema may send to channels.';

create function private.announce_changes() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.announce(n.user_id, n.tables, n.batch)
  from (
    select c.user_id, c.batch, array_agg(distinct c.table_name order by c.table_name) as tables
    from new_rows c group by c.user_id, c.batch
  ) n;
  return null;
end
$$;
comment on function private.announce_changes is
  'One announcement for an account and a statement, however many rows it wrote to the log. A definer because private.announce is closed to clients.';

create trigger announce after insert on public.changes
  referencing new table as new_rows
  for each statement execute function private.announce_changes();

create function private.announce_unlogged() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.announce(coalesce(new.user_id, old.user_id), array[tg_table_name::text]);
  return null;
end
$$;
comment on function private.announce_unlogged is
  'Announces a change of a table that has one row an account and is not in the log. A definer because private.announce is closed to clients.';

create trigger announce after update on public.preferences
  for each row when (old.* is distinct from new.*) execute function private.announce_unlogged();
create trigger announce after insert or update or delete on public.calendar_feeds
  for each row execute function private.announce_unlogged();

-- What the log does not tell ----------------------------------------------------------------------------------

create or replace function public.move_birthdays() returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  today date := (now() at time zone coalesce((select p.time_zone from public.preferences p where p.user_id = me), 'UTC'))::date;
  moved bigint;
begin
  -- Nobody changed them, so the log tells nothing, and no undo brings back a day that is over.
  perform set_config('solo.silent', 'on', true), set_config('solo.birthdays', 'on', true);
  update public.tasks t set birthday_on = d.birthday_on, due_date = d.due_date, due_all_day = true
  from public.contacts c cross join lateral private.birthday_task(c.user_id, c.birthday, c.birthday_reminder) d
  where t.user_id = me and t.birthday_on < today and not t.completed
    and c.user_id = me and c.id = t.contact_id and c.birthday is not null and c.birthday_reminder is not null
    and d.birthday_on - c.birthday_reminder <= today;
  get diagnostics moved = row_count;
  perform set_config('solo.silent', 'off', true), set_config('solo.birthdays', 'off', true);
  if moved > 0 then
    -- The other windows of the account ask as well, and are told that nothing is left to move.
    perform private.announce(me, '{tasks}');
  end if;
  return moved;
end
$$;

-- Catching up -------------------------------------------------------------------------------------------------

create function private.newest_change(account uuid) returns text
language sql stable
set search_path = ''
as $$
  -- The fifty newest batches, not the newest number of the log: of two transactions, the one that began first may be
  -- committed last. From batch to batch by the index, however many rows each has.
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
    where s.number < 50
  )
  select md5(concat_ws(' ',
    (select string_agg(s.batch::text, ' ' order by s.number) from steps s),
    (select max(c.id) from public.changes c where c.user_id = account and c.batch = (select s.batch from steps s where s.number = 1)),
    (select p::text from public.preferences p where p.user_id = account),
    (select f.updated_at from public.calendar_feeds f where f.user_id = account)
  ))
$$;
comment on function private.newest_change is
  'A mark of the newest changes of an account: it is another one as soon as anything has changed.';

create function public.newest_change() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('mark', private.newest_change(me.id), 'age', (extract(epoch from now() - (
    select c.created_at from public.changes c where c.user_id = me.id order by c.created_at desc limit 1
  )) * 1000)::bigint)
  from (select private.caller() as id) me
$$;
comment on function public.newest_change is
  'Whether anything of the caller has changed, for a window that has heard nothing for a while: the mark is then another one than before. The age of the newest entry of the log, in milliseconds, is for one that has no mark yet.';

-- The channel of a hosted project -----------------------------------------------------------------------------

do $$
begin
  if to_regclass('realtime.messages') is not null then
    create policy "Owners hear of their changes" on realtime.messages
      for select to authenticated using (realtime.topic() = 'account:' || (select auth.uid())::text);
  end if;
end
$$;

-- Sessions that end, on our own server ------------------------------------------------------------------------

create function private.announce_ended_sessions() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform pg_notify('solo_sessions', o.id::text) from old_sessions o;
  return null;
exception when others then
  -- The server also looks from time to time.
  return null;
end
$$;
comment on function private.announce_ended_sessions is
  'Tells the server which sessions have ended, so that it cuts their windows off at once. A definer because whoever ends a session has no rights here.';

do $$
begin
  -- A hosted project looks after its sessions itself, and they are not ours there.
  if to_regclass('auth.sessions') is not null and to_regnamespace('realtime') is null then
    create trigger announce_ended after delete on auth.sessions
      referencing old table as old_sessions
      for each statement execute function private.announce_ended_sessions();
  end if;
end
$$;

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.window_of_request(), private.announce(uuid, text[], uuid), private.announce_changes(),
  private.announce_unlogged(), private.newest_change(uuid), public.newest_change(), private.announce_ended_sessions()
  from public, anon, authenticated;
grant execute on function private.newest_change(uuid), public.newest_change() to authenticated, service_role;
