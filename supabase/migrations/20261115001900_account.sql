-- The account itself: where it is signed in, and its end.

create function public.account_sessions() returns jsonb
language plpgsql stable
security definer -- nobody reads the sessions; this reads those of auth.uid() only
set search_path = ''
as $$
declare
  current_id text := nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id';
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', s.id, 'user_agent', s.user_agent, 'created_at', s.created_at, 'last_used_at', s.last_used_at,
      'is_current', s.is_current
    ) order by s.is_current desc, s.last_used_at desc, s.id), '[]')
    from (
      select s.id, s.user_agent, s.created_at, s.id::text = current_id as is_current,
        -- The service stores the time of the last refresh in UTC, without saying so.
        greatest(s.created_at, s.refreshed_at at time zone 'UTC') as last_used_at
      from auth.sessions s
      where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
      order by is_current desc, last_used_at desc, s.id
      limit 50
    ) s
  );
end
$$;
comment on function public.account_sessions is
  'Where the account is signed in: this session first, then the others by their last use, 50 at most. `user_agent` is what the browser called itself when it signed in.';

create function public.delete_account(address text) returns void
language plpgsql
security definer -- nobody deletes accounts; this deletes that of auth.uid() only
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  account auth.users;
begin
  select * into account from auth.users u where u.id = auth.uid() for update;
  if not found then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  if lower(btrim(address)) is distinct from lower(account.email) then
    raise exception 'This is not the email address of your account. Nothing was deleted.' using errcode = 'PT400';
  end if;
  -- What the service itself writes down of an account is bound to it by no key.
  begin
    delete from auth.audit_log_entries a
    where account.id::text in (a.payload ->> 'actor_id', a.payload ->> 'user_id', a.payload -> 'traits' ->> 'user_id');
    delete from auth.flow_state f where f.user_id = account.id;
  exception when insufficient_privilege or undefined_table then
    -- A hosted project may keep these to itself.
    null;
  end;
  delete from auth.users u where u.id = account.id;
end
$$;
comment on function public.delete_account is
  'Deletes the account of whoever calls, with everything it owns, in one transaction. `address` is its e-mail address, typed by its owner: a slip of the hand deletes nothing.';

revoke all on function public.account_sessions(), public.delete_account(text) from public, anon, authenticated;
grant execute on function public.account_sessions(), public.delete_account(text) to authenticated, service_role;
