-- Live updates: what changes in one window shows in all other windows of the account. Every statement that changes something
-- announces which tables it touched; the windows then read again what they show. An announcement holds no data.
-- A hosted project sends it to the private channel of the account; elsewhere our server listens and sends it on. Decision 050.

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

create function private.announce_table(target regclass) returns void
language plpgsql
set search_path = ''
as $$
begin
  execute format('create trigger announce_insert after insert on %s referencing new table as new_rows
    for each statement execute function private.announce_mail()', target);
  execute format('create trigger announce_update after update on %s referencing new table as new_rows
    for each statement execute function private.announce_mail()', target);
  execute format('create trigger announce_delete after delete on %s referencing old table as old_rows
    for each statement execute function private.announce_mail()', target);
end
$$;
comment on function private.announce_table is 'Announces every change of a table about mail.';

-- Tables that are not in the log: tokens, proposals, webhooks and their deliveries, submissions in quarantine. A statement is
-- announced once for each account, however many rows it wrote. Tables with one row an account use private.announce_unlogged,
-- tables about mail private.announce_mail. See docs/decisions/050-live.md.

create function private.announce_rows() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  owners uuid[];
begin
  if tg_op = 'INSERT' then
    owners := array(select distinct n.user_id from new_rows n where to_jsonb(n) @> coalesce(tg_argv[0], '{}')::jsonb);
  elsif tg_op = 'DELETE' then
    owners := array(select distinct o.user_id from old_rows o);
  else
    owners := array(
      select distinct c.user_id from (
        select n.user_id, to_jsonb(n) - coalesce(tg_argv[0], '{}')::text[] from new_rows n
        except
        select o.user_id, to_jsonb(o) - coalesce(tg_argv[0], '{}')::text[] from old_rows o
      ) c
    );
  end if;
  perform private.announce(o.id, array[tg_table_name::text]) from unnest(owners) as o (id);
  return null;
end
$$;
comment on function private.announce_rows is
  'One announcement for an account and a statement on a table that is not in the log. Its argument: of new rows, what they must hold; of changed rows, the columns that tell nothing. A definer because private.announce is closed to clients.';

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
  private.announce_unlogged(), private.announce_table(regclass), private.announce_rows(),
  private.announce_ended_sessions()
  from public, anon, authenticated;
