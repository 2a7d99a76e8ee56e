-- The task of a birthday that nobody completed becomes that of the next one when it is time for that. Decision 036.

create function public.move_birthdays() returns bigint
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
  return moved;
end
$$;
comment on function public.move_birthdays is
  'Open tasks of birthdays that are over become those of the next ones, as soon as these are to be thought of. Answers how many. A definer because what a task reminds of is not the client''s to write.';

revoke all on function public.move_birthdays() from public, anon, authenticated;
grant execute on function public.move_birthdays() to authenticated, service_role;
