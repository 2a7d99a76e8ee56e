-- Birthdays of contacts, with or without a year, and the one open task that reminds of each. Decision 036.

-- When a birthday is ------------------------------------------------------------------------------------------

create function private.fuller_birthday(own text, more text) returns text
language sql immutable parallel safe
set search_path = ''
as $$ select case when more is null or more like '--%' and right(own, 5) = right(more, 5) then own else more end $$;
comment on function private.fuller_birthday is 'What becomes of a birthday by a file: the file''s, unless it only lacks the year.';

create index tasks_of_birthdays on public.tasks (user_id, contact_id) where birthday_on is not null and not completed;

create function private.celebrated(birthday text, in_year integer) returns date
language sql immutable parallel safe
set search_path = ''
as $$
  -- Whoever was born on the 29th of February celebrates on the last day of February, as a monthly task would be due.
  select least(
    make_date(in_year, substr(birthday, length(birthday) - 4, 2)::integer, 1) + right(birthday, 2)::integer - 1,
    (make_date(in_year, substr(birthday, length(birthday) - 4, 2)::integer, 1) + interval '1 month - 1 day')::date)
$$;
comment on function private.celebrated is 'On which day of a year a birthday is celebrated: that of the 29th of February on the 28th, where there is none.';

create function private.next_birthday(birthday text, from_day date) returns date
language sql immutable parallel safe
set search_path = ''
as $$
  select case when this_year >= from_day then this_year
    else private.celebrated(birthday, extract(year from from_day)::integer + 1) end
  from (select private.celebrated(birthday, extract(year from from_day)::integer) as this_year) d
$$;
comment on function private.next_birthday is 'The next day on which a birthday is celebrated, from a day on.';

-- The task of each --------------------------------------------------------------------------------------------

create function private.birthday_title(first_name text, last_name text, nickname text, email text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select left('Birthday of ' || coalesce(nullif(concat_ws(' ', first_name, last_name), ''), nickname, email, 'Unnamed'), 500)
$$;
comment on function private.birthday_title is 'What the task of a contact''s birthday is called.';

create function private.birthday_task(account uuid, birthday text, days_before integer, after_day date default null, out birthday_on date, out due_date timestamptz)
language plpgsql stable
set search_path = ''
as $$
declare
  -- Days are those of the account.
  time_zone text := coalesce((select p.time_zone from public.preferences p where p.user_id = account), 'UTC');
  today date := (now() at time zone time_zone)::date;
begin
  birthday_on := private.next_birthday(birthday, greatest(today, after_day + 1));
  -- A birthday that is nearer than so many days is to be thought of today.
  due_date := private.day_end((greatest(birthday_on - days_before, today) + time '12:00') at time zone time_zone, time_zone, false);
end
$$;
comment on function private.birthday_task is
  'The next birthday after a day, which was celebrated already, and when the task for it is due: so many days before, as a whole day of the account.';

create function private.is_quiet_about_birthdays() returns boolean
language sql stable
set search_path = ''
as $$ select private.is_restoring() or coalesce(current_setting('solo.birthdays', true), '') = 'on' $$;
comment on function private.is_quiet_about_birthdays is
  'While rows come back as they were, with their tasks, and while the functions below write: nothing follows from what happens then.';

create function private.remind_of_new() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.is_quiet_about_birthdays() then
    return null;
  end if;
  insert into public.tasks (user_id, title, due_date, due_all_day, contact_id, birthday_on)
  select n.user_id, private.birthday_title(n.first_name, n.last_name, n.nickname, n.email), d.due_date, true, n.id, d.birthday_on
  from new_rows n cross join lateral private.birthday_task(n.user_id, n.birthday, n.birthday_reminder) d
  where n.birthday is not null and n.birthday_reminder is not null;
  return null;
end
$$;
comment on function private.remind_of_new is
  'Contacts that come with a birthday and a reminder get their tasks, all in one statement. A definer because what a task reminds of is not the client''s to write.';

create function private.remind_of_changed() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if private.is_quiet_about_birthdays()
    or not exists (select from new_rows n where n.birthday_reminder is not null)
    and not exists (select from old_rows o where o.birthday_reminder is not null)
  then
    return null;
  end if;
  perform set_config('solo.birthdays', 'on', true);
  delete from public.tasks t using new_rows n
  where t.user_id = n.user_id and t.contact_id = n.id and t.birthday_on is not null and not t.completed
    and (n.birthday is null or n.birthday_reminder is null);
  -- A title that the user wrote stays, and so does a day to which the user moved it, while the birthday does.
  update public.tasks t set
    title = case when t.title = c.old_title then c.title else t.title end,
    birthday_on = case when c.is_other then c.birthday_on else t.birthday_on end,
    due_date = case when c.is_other then c.due_date else t.due_date end,
    due_all_day = c.is_other or t.due_all_day
  from (
    select n.user_id, n.id, d.birthday_on, d.due_date,
      private.birthday_title(o.first_name, o.last_name, o.nickname, o.email) as old_title,
      private.birthday_title(n.first_name, n.last_name, n.nickname, n.email) as title,
      (n.birthday, n.birthday_reminder) is distinct from (o.birthday, o.birthday_reminder) as is_other
    from new_rows n join old_rows o on o.id = n.id
    cross join lateral private.birthday_task(n.user_id, n.birthday, n.birthday_reminder) d
    where n.birthday is not null and n.birthday_reminder is not null
  ) c
  where t.user_id = c.user_id and t.contact_id = c.id and t.birthday_on is not null and not t.completed
    and (c.is_other or t.title = c.old_title and c.title <> c.old_title);
  insert into public.tasks (user_id, title, due_date, due_all_day, contact_id, birthday_on)
  select n.user_id, private.birthday_title(n.first_name, n.last_name, n.nickname, n.email), d.due_date, true, n.id, d.birthday_on
  from new_rows n join old_rows o on o.id = n.id
  cross join lateral private.birthday_task(n.user_id, n.birthday, n.birthday_reminder) d
  where n.birthday is not null and n.birthday_reminder is not null
    and (n.birthday, n.birthday_reminder) is distinct from (o.birthday, o.birthday_reminder)
    and not exists (
      select from public.tasks t
      where t.user_id = n.user_id and t.contact_id = n.id and t.birthday_on is not null and not t.completed
    );
  perform set_config('solo.birthdays', 'off', true);
  return null;
end
$$;
comment on function private.remind_of_changed is
  'The open task follows its contact: it is made, moved, renamed or removed with the birthday, the reminder or the name. A definer as above.';

create function private.drop_birthday_task() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform set_config('solo.birthdays', 'on', true);
  delete from public.tasks t
  where t.user_id = old.user_id and t.contact_id = old.id and t.birthday_on is not null and not t.completed;
  perform set_config('solo.birthdays', 'off', true);
  return old;
end
$$;
comment on function private.drop_birthday_task is
  'A contact that is deleted takes the open task of its birthday with it, in the same batch. A definer because the contact may be deleted with its account.';

create function private.follow_birthday_task() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  contact public.contacts;
  others uuid[];
begin
  if private.is_quiet_about_birthdays() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    -- What is undone is undone on the contact, too.
    if coalesce(current_setting('solo.undoes', true), '') = '' then
      update public.contacts c set birthday_reminder = null
      where c.user_id = old.user_id and c.id = old.contact_id and c.birthday_reminder is not null;
    end if;
    return null;
  end if;
  select * into contact from public.contacts c where c.user_id = new.user_id and c.id = new.contact_id;
  others := array(
    select t.id from public.tasks t
    where t.user_id = new.user_id and t.contact_id = new.contact_id and t.birthday_on is not null and not t.completed and t.id <> new.id
  );
  perform set_config('solo.birthdays', 'on', true);
  if new.completed then
    if cardinality(others) = 0 and contact.birthday is not null and contact.birthday_reminder is not null then
      insert into public.tasks (user_id, title, description, priority, due_date, due_all_day, contact_id, birthday_on)
      select new.user_id, new.title, new.description, new.priority, d.due_date, true, contact.id, d.birthday_on
      from private.birthday_task(new.user_id, contact.birthday, contact.birthday_reminder, new.birthday_on) d;
    end if;
  elsif old.completed then
    -- Opened again, it is the one; that of the next year comes back when it is done.
    delete from public.tasks t where t.id = any (others);
  elsif contact.birthday is null or contact.birthday_reminder is null then
    -- Moved to a contact who is not reminded of, it is a task like any other.
    update public.tasks t set birthday_on = null where t.id = new.id;
  elsif cardinality(others) > 0 then
    delete from public.tasks t where t.id = new.id;
  end if;
  perform set_config('solo.birthdays', 'off', true);
  return null;
end
$$;
comment on function private.follow_birthday_task is
  'Of each birthday there is one open task. Done, it makes that of the next year; opened again, it takes it back; merged onto a contact that has one, it goes; deleted, it ends the reminder. A definer because what a task reminds of is not the client''s to write.';

-- remind_of_new and remind_of_changed fire after the "log_…" triggers, by their names: the log has a contact before its task.
create trigger remind_of_new after insert on public.contacts referencing new table as new_rows
  for each statement execute function private.remind_of_new();
create trigger remind_of_changed after update on public.contacts referencing old table as old_rows new table as new_rows
  for each statement execute function private.remind_of_changed();
create trigger drop_birthday_task before delete on public.contacts
  for each row when (old.birthday_reminder is not null) execute function private.drop_birthday_task();
create trigger follow_birthday after update of completed on public.tasks
  for each row when (new.birthday_on is not null and old.completed is distinct from new.completed)
  execute function private.follow_birthday_task();
create trigger follow_birthday_moved after update of contact_id on public.tasks
  for each row when (new.birthday_on is not null and not new.completed and new.contact_id is distinct from old.contact_id and new.contact_id is not null)
  execute function private.follow_birthday_task();
create trigger follow_birthday_gone after delete on public.tasks
  for each row when (old.birthday_on is not null and not old.completed)
  execute function private.follow_birthday_task();

-- A birthday task that nobody completed moves to the next birthday as soon as the reminder of that one is due. Decision 036.

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
  if moved > 0 then
    -- The other windows of the account ask as well, and are told that nothing is left to move.
    perform private.announce(me, '{tasks}');
  end if;
  return moved;
end
$$;
comment on function public.move_birthdays is
  'Open tasks of birthdays that are over become those of the next ones, as soon as these are to be thought of. Answers how many. A definer because what a task reminds of is not the client''s to write.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.fuller_birthday(text, text), private.celebrated(text, integer), private.next_birthday(text, date),
  private.birthday_title(text, text, text, text), private.birthday_task(uuid, text, integer, date),
  private.is_quiet_about_birthdays(), private.remind_of_new(), private.remind_of_changed(),
  private.drop_birthday_task(), private.follow_birthday_task(), public.move_birthdays()
  from public, anon, authenticated;
grant execute on function
  private.fuller_birthday(text, text), private.remind_of_new(), private.remind_of_changed(),
  private.drop_birthday_task(), private.follow_birthday_task(), public.move_birthdays()
  to authenticated, service_role;
