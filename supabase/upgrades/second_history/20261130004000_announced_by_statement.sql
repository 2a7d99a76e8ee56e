-- What the log does not tell is announced once for an account and a statement, too, however many rows it wrote: tokens,
-- proposals, webhooks and their deliveries, submissions in quarantine. Tables with one row an account, and those about
-- mail, have been from the start. See docs/decisions/050-live.md.

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

drop trigger announce on private.access_tokens;
drop trigger announce_end on private.access_tokens;
drop trigger announce on private.proposals;
drop trigger announce on public.form_submissions;

create trigger announce_insert after insert on private.access_tokens
  referencing new table as new_rows for each statement execute function private.announce_rows();
-- When and from where it was used is shown when the list is opened: windows need not read it at every call.
create trigger announce_update after update on private.access_tokens
  referencing old table as old_rows new table as new_rows for each statement
  execute function private.announce_rows('{last_used_at,last_address,refused_at,refused_address,updated_at}');
create trigger announce_delete after delete on private.access_tokens
  referencing old table as old_rows for each statement execute function private.announce_rows();

create trigger announce_insert after insert on private.proposals
  referencing new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_update after update on private.proposals
  referencing old table as old_rows new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_delete after delete on private.proposals
  referencing old table as old_rows for each statement execute function private.announce_rows();

create trigger announce_insert after insert on private.webhooks
  referencing new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_update after update on private.webhooks
  referencing old table as old_rows new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_delete after delete on private.webhooks
  referencing old table as old_rows for each statement execute function private.announce_rows();
create trigger announce_update after update on private.webhook_deliveries
  referencing old table as old_rows new table as new_rows for each statement execute function private.announce_rows();

-- What waits in quarantine is nobody's deed: the log says nothing of its arrival. The newest of them are part of the mark.
create trigger announce_insert after insert on public.form_submissions
  referencing new table as new_rows for each statement execute function private.announce_rows('{"status": "waiting"}');
create index form_submissions_waiting on public.form_submissions (user_id, created_at desc, id) where status = 'waiting';

revoke all on function private.announce_rows() from public, anon, authenticated;
