-- In another time zone a whole day has another last second. That was stored as a change of the task by its owner, so that
-- the next one of a repeating task was taken for touched, and stayed when the task was opened again.

create or replace function private.keep_identity() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.user_id := old.user_id;
  new.created_at := old.created_at;
  -- What nobody did is no change.
  new.updated_at := case when current_setting('solo.silent', true) = 'on' then old.updated_at else now() end;
  return new;
end
$$;
