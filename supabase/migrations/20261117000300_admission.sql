-- Whoever asks is admitted by the database itself, so that the server can send who asks and what is asked for in one go:
-- if the first is refused, the second is not done.

create function private.admit(session_id text, account text) returns void
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := nullif(account, '')::uuid;
  unfinished text;
begin
  if not exists (select from auth.sessions s where s.id = nullif(session_id, '')::uuid and s.user_id = me) then
    raise sqlstate 'PGRST' using
      message = '{"code": "PGRST301", "message": "Your session has ended. Please sign in again.", "details": null, "hint": null}',
      detail = '{"status": 401, "headers": {}}';
  end if;
  select w.name into unfinished from private.unfinished_work w where w.user_id = me;
  if found then
    raise sqlstate 'PGRST' using
      message = json_build_object(
        'code', '55P03',
        'message', case unfinished
          when 'commit_import' then 'Your import is just being written. Try again in a moment.'
          when 'undo_batch' then 'An undo is just being done. Try again in a moment.'
          else 'Your backup is just being restored. Try again in a moment.'
        end,
        'details', null, 'hint', null),
      detail = '{"status": 503, "headers": {"Retry-After": "1"}}';
  end if;
end
$$;
comment on function private.admit is
  'Refuses a token whose session has ended, which the token itself does not know, and an account whose long work is done half.';
revoke all on function private.admit(text, text) from public, anon, authenticated, service_role;
