-- Whoever signs out without a network is signed out on the device alone. The next sign-in there ends the session that was
-- left, by its id: nothing that opens it stays on the device. See docs/decisions/051-without-a-network.md.

create function public.end_sessions(ids uuid[]) returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  ended bigint;
begin
  delete from auth.refresh_tokens r
  using auth.sessions s
  where s.user_id = private.caller() and s.id = any (end_sessions.ids) and r.session_id::text = s.id::text;
  delete from auth.sessions s where s.user_id = private.caller() and s.id = any (end_sessions.ids);
  get diagnostics ended = row_count;
  return ended;
end
$$;
comment on function public.end_sessions is
  'Ends these sessions of the account; how many there were. A definer because nobody else writes sessions.';

revoke all on function public.end_sessions(uuid[]) from public, anon, authenticated;
grant execute on function public.end_sessions(uuid[]) to authenticated, service_role;
