-- What the sender of mails reads and records. One process at a time sends for a mail account: the one that has claimed the job of the
-- account. Every function here allows for a process that dies at any moment, or goes on after another has taken over. See
-- docs/decisions/064-mail-that-leaves.md.

-- The next mail -----------------------------------------------------------------------------------------------

create function private.outbox_times(account uuid, pace integer, per_day integer default null) returns table (id uuid, due_at timestamptz)
language sql stable
set search_path = ''
as $$
  with recent as (
    select o.tried_at, row_number() over (order by o.tried_at desc) as place
    from private.outgoing_mails o where o.account_id = account and o.tried_at > now() - interval '1 day'
  ),
  holds as (
    -- As many as are allowed in an hour have left: the next when the first of them is an hour old.
    select greatest(
        (select r.tried_at + interval '1 hour' from recent r where r.place = pace),
        -- The same for a day.
        (select r.tried_at + interval '1 day' from recent r where r.place = per_day), '-infinity') as any_mail,
      coalesce((select max(r.tried_at) + interval '1 hour' / pace from recent r), '-infinity') as mail_of_run
  )
  select o.id, greatest(o.send_at, o.held_until, h.any_mail, case when o.run is not null then h.mail_of_run end)
  from private.outgoing_mails o cross join holds h
  where o.account_id = account and o.state = 'planned'
$$;
comment on function private.outbox_times is
  'When each mail that waits may leave at so many mails an hour and, where the provider limits it, a day. Those of a run keep a distance; a single one, which somebody has written, does not wait for them.';

create function private.take_outgoing(account uuid, pace integer, per_day integer default null) returns setof private.outgoing_mails
language sql
set search_path = ''
as $$
  with next as materialized (
    select o.id from private.outbox_times(account, pace, per_day) t join private.outgoing_mails o on o.id = t.id
    where t.due_at <= now() and o.state = 'planned'
    order by o.run is not null, o.send_at, o.id limit 1
    for update of o skip locked
  )
  update private.outgoing_mails o set state = 'sending', tries = o.tries + 1, tried_at = now(), handed_at = null
  from next n where o.id = n.id and o.state = 'planned'
  returning o.*
$$;
comment on function private.take_outgoing is
  'The mail of an account that leaves next, from now on "sending": noted before the mail server is asked, so that no other process takes it. None where nothing is due.';

create function private.outbox_wait(account uuid, pace integer, per_day integer default null) returns double precision
language sql stable
set search_path = ''
as $$
  select extract(epoch from min(w.due_at) - now())::double precision
  from (
    select t.due_at from private.outbox_times(account, pace, per_day) t
    union all
    select o.held_until from private.outgoing_mails o where o.account_id = account and (o.needs_copy or o.state = 'sending')
  ) w
  where w.due_at > '-infinity'
$$;
comment on function private.outbox_wait is 'In how many seconds there is something to do for an account; null where nothing waits.';

create function private.tell_day_is_full(account uuid, per_day integer, words text) returns void
language sql
set search_path = ''
as $$
  update private.outgoing_mails o set problem = case when f.is_full then left(words, 1000) end
  from (
    select count(*) >= per_day as is_full from private.outgoing_mails r where r.account_id = account and r.tried_at > now() - interval '1 day'
  ) f
  where o.account_id = account and o.state = 'planned' and o.send_at <= now()
    -- What a mail has to tell of itself stays.
    and case when f.is_full then o.problem is null else o.problem = left(words, 1000) end
$$;
comment on function private.tell_day_is_full is
  'Mails that wait because as many as the provider allows in a day have left say so, as long as it is so.';

create function private.note_handed(id uuid, tries integer) returns boolean
language sql
set search_path = ''
as $$
  with noted as (
    update private.outgoing_mails o set handed_at = now()
    where o.id = note_handed.id and o.state = 'sending' and o.tries = note_handed.tries returning 1
  )
  select exists (select from noted)
$$;
comment on function private.note_handed is
  'Noted before the end of the mail is handed over, without which no server takes it. Where this answers no, another process has the mail, and the end must not be sent.';

create function private.look_again(id uuid, tries integer, again_in double precision) returns void
language sql
set search_path = ''
as $$
  update private.outgoing_mails o set held_until = now() + make_interval(secs => again_in)
  where o.id = look_again.id and o.state = 'sending' and o.tries = look_again.tries
$$;
comment on function private.look_again is
  'Of a mail nobody knows whether it has left: the sent folder is looked at once more in so many seconds, since a provider may need a moment to store it.';

create function private.left_sending(account uuid) returns setof private.outgoing_mails
language plpgsql
set search_path = ''
as $$
begin
  -- Its end was never sent, so it has not left.
  update private.outgoing_mails o set state = 'planned'
  where o.account_id = account and o.state = 'sending' and o.handed_at is null;
  return query select o.* from private.outgoing_mails o
  where o.account_id = account and o.state = 'sending' and o.held_until <= now() order by o.send_at;
end
$$;
comment on function private.left_sending is
  'What a process left behind that died while it sent: what has not left waits again; what may have left is answered.';

-- The result of sending ---------------------------------------------------------------------------------------

create function private.follow_up(mail private.outgoing_mails, gone jsonb) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  who uuid;
  time_zone text := coalesce((select p.time_zone from public.preferences p where p.user_id = mail.user_id), 'UTC');
  made uuid;
begin
  if mail.follow_up_days is null then
    return null;
  end if;
  select p.contact_id into who
  from jsonb_array_elements(gone) with ordinality as r (reported, place)
  cross join lateral private.people_at(mail.user_id, array[lower(r.reported ->> 'address')]) p
  where p.contact_id is not null order by r.place, p.contact_id limit 1;
  insert into public.tasks (user_id, title, due_date, due_all_day, contact_id, deal_id)
  values (mail.user_id, left('Follow up: ' || coalesce(mail.subject, 'email without a subject'), 500),
    private.day_end(((now() at time zone time_zone)::date + mail.follow_up_days + time '12:00') at time zone time_zone, time_zone, false), true, who,
    (select d.id from public.deals d where d.user_id = mail.user_id and d.id = mail.deal))
  returning id into made;
  return made;
end
$$;
comment on function private.follow_up is 'The task that is due when no reply has come, so many days after the mail has left, as a whole day of the account.';

create function private.kept_sent(mail private.outgoing_mails, gone jsonb, sender text, sender_name text) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  kept uuid;
  others text[] := array(select lower(r ->> 'address') from jsonb_array_elements(gone) r);
begin
  -- As with mails that are read: of one that concerns nobody who is known, nothing is kept. For a deal it is, as private.link_mail says, if
  -- nobody on it is left out.
  if not exists (select from private.concerned(mail.user_id, 'out', lower(sender), others))
    and (mail.deal is null or private.left_out(mail.user_id, others || lower(sender)) <> '{}')
  then
    return null;
  end if;
  insert into public.mails as m (user_id, account_id, message_id, refs, direction, sender, sender_name, recipients, subject, snippet, body_text,
    body_html, sent_at, attachments, deal)
  values (mail.user_id, mail.account_id, mail.message_id, mail.refs, 'out', sender, sender_name, gone, mail.subject,
    private.one_line(regexp_replace(mail.body_text, '(^|\n)>[^\n]*', '', 'g'), 200), nullif(btrim(mail.body_text, E' \n\r\t'), ''), mail.body_html,
    coalesce(mail.tried_at, now()), (
      select coalesce(jsonb_agg(jsonb_build_object('part', (f.place + 1)::text, 'name', f.reported ->> 'name', 'type', f.reported ->> 'type',
        'size', f.reported -> 'size', 'cid', null, 'sha256', f.reported ->> 'sha256') order by f.place), '[]')
      from jsonb_array_elements(mail.attachments) with ordinality as f (reported, place)
    ), mail.deal)
  -- Its copy may have been read in the mailbox already, which knows neither hidden recipients nor the deal.
  on conflict (user_id, message_id) do update set recipients = excluded.recipients, deal = coalesce(excluded.deal, m.deal)
    where not m.is_private
  returning m.id into kept;
  return kept;
end
$$;
comment on function private.kept_sent is 'The row of public.mails of a mail that has left; null where it concerns nobody.';

create function private.split_refused(mail private.outgoing_mails, refused jsonb) returns void
language sql
set search_path = ''
as $$
  insert into private.outgoing_mails (user_id, account_id, run, state, send_at, message_id, recipients, subject, body_text, body_html,
    attachments, answers, refs, deal, tries, held_until, problem)
  select mail.user_id, mail.account_id, mail.run, case when g.again_in is null then 'failed' else 'planned' end, mail.send_at,
    format('<%s@%s', gen_random_uuid(), split_part(mail.message_id, '@', 2)), g.people, mail.subject, mail.body_text, mail.body_html,
    mail.attachments, mail.answers, mail.refs, mail.deal, case when g.again_in is null then 0 else 1 end,
    case when g.again_in is null then '-infinity' else now() + make_interval(secs => g.again_in) end, left(g.words, 1000)
  from (
    select max((f ->> 'again_in')::double precision) as again_in, min(f ->> 'words') as words, jsonb_agg(p.person order by p.place) as people
    from jsonb_array_elements(refused) f
    join jsonb_array_elements(mail.recipients) with ordinality as p (person, place) on lower(p.person ->> 'address') = lower(f ->> 'address')
    group by (f ->> 'again_in') is null
  ) g
$$;
comment on function private.split_refused is
  'Whom the server refused while it took the mail for others: mails of their own, which failed or are tried again. Tried as a whole, it would reach the others twice.';

create function private.note_sent(id uuid, refused jsonb default '[]', needs_copy boolean default false, sender text default null, sender_name text default null)
returns uuid
language plpgsql
set search_path = ''
as $$
declare
  mail private.outgoing_mails;
  gone jsonb;
  kept uuid;
begin
  -- Also one that was called failed because another process had lost sight of it.
  select o.* into mail from private.outgoing_mails o where o.id = note_sent.id and o.state <> 'sent' for update;
  if mail.id is null then
    return null;
  end if;
  gone := (
    select coalesce(jsonb_agg(p.person order by p.place), '[]') from jsonb_array_elements(mail.recipients) with ordinality as p (person, place)
    where not exists (select from jsonb_array_elements(refused) f where lower(f ->> 'address') = lower(p.person ->> 'address'))
  );
  perform private.split_refused(mail, refused) where refused <> '[]';
  kept := private.kept_sent(mail, gone, coalesce(note_sent.sender, (select a.address from public.mail_accounts a where a.id = mail.account_id)),
    coalesce(note_sent.sender_name, (select a.name from public.mail_accounts a where a.id = mail.account_id)));
  update private.outgoing_mails o set
    state = 'sent', recipients = gone, problem = null, tries = 0, mail_id = kept, may_have_left = false, needs_copy = note_sent.needs_copy,
    -- A provider that stores what it sends itself needs a moment for it.
    held_until = case when note_sent.needs_copy then now() + interval '5 seconds' else '-infinity' end,
    follow_up_task = private.follow_up(mail, gone),
    body_text = case when note_sent.needs_copy then o.body_text end, body_html = case when note_sent.needs_copy then o.body_html end,
    attachments = case when note_sent.needs_copy then o.attachments else '[]' end
  where o.id = mail.id;
  -- Those that have left are needed for the pace, for runs and for replies; not for ever.
  delete from private.outgoing_mails o
  where o.user_id = mail.user_id and o.state = 'sent' and not o.needs_copy and o.problem is null
    and o.send_at < now() - case when o.follow_up_task is null then interval '30 days' else interval '400 days' end;
  return kept;
end
$$;
comment on function private.note_sent is
  'The mail has left: it becomes a row of public.mails, and its follow-up is planned; of whom the server refused see split_refused. What it said stays only until its copy is in the sent folder.';

create function private.note_failed(
  id uuid, tries integer, words text, again_in double precision, is_of_account boolean default false, may_have_left boolean default false
) returns void
language plpgsql
set search_path = ''
as $$
declare
  mail private.outgoing_mails;
begin
  select o.* into mail from private.outgoing_mails o
  where o.id = note_failed.id and o.state = 'sending' and o.tries = note_failed.tries for update;
  if mail.id is null then
    return;
  end if;
  if again_in is not null and mail.tries >= 20 and mail.send_at < now() - interval '3 days' then
    again_in := null;
    words := words || ' It was tried for three days and wasn’t sent.';
  end if;
  update private.outgoing_mails o set
    state = case when again_in is null then 'failed' else 'planned' end, problem = left(words, 1000),
    held_until = case when again_in is null then '-infinity' else now() + make_interval(secs => again_in) end,
    may_have_left = o.may_have_left or o.id = mail.id and note_failed.may_have_left
  where o.id = mail.id
    -- What is wrong with the account is wrong with all that would leave now.
    or is_of_account and o.account_id = mail.account_id and o.state = 'planned' and greatest(o.send_at, o.held_until) <= now();
end
$$;
comment on function private.note_failed is
  'The mail has not left: it is tried again in so many seconds, or has failed; with it all that are due, where it lies in the account. After three days and twenty tries it has failed.';

create function private.note_copy(id uuid, place jsonb, words text default null, again_in double precision default null) returns void
language plpgsql
set search_path = ''
as $$
begin
  if again_in is not null then
    update private.outgoing_mails o set tries = o.tries + 1, held_until = now() + make_interval(secs => again_in)
    where o.id = note_copy.id and o.needs_copy;
    return;
  end if;
  update private.outgoing_mails o set needs_copy = false, held_until = '-infinity', problem = left(words, 1000), body_text = null, body_html = null,
    attachments = '[]'
  where o.id = note_copy.id and o.needs_copy;
  update public.mails m set folder = place ->> 'folder', folder_validity = (place ->> 'validity')::bigint, uid = (place ->> 'uid')::bigint
  from private.outgoing_mails o
  where o.id = note_copy.id and m.id = o.mail_id and m.folder is null and place is not null and not m.is_private;
end
$$;
comment on function private.note_copy is
  'The copy of a mail is in the sent folder, at this place; or is tried again; or could not be put there, in words. The mail is not sent again for it.';

create function private.know_sent(account uuid, folder text, validity bigint, seen jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  box public.mail_accounts;
  found_ids text[] := array(select s ->> 'message_id' from jsonb_array_elements(seen) s);
begin
  select a.* into box from public.mail_accounts a where a.id = account;
  -- Whatever we thought: what lies in the sent folder has left. What is just being sent notes that itself.
  perform private.note_sent(o.id) from private.outgoing_mails o
  where o.user_id = box.user_id and o.message_id = any (found_ids) and (
    o.handed_at is not null and (o.state = 'failed' or o.state = 'sending' and o.tried_at < now() - interval '10 minutes')
    or o.may_have_left and o.state in ('planned', 'stopped')
  );
  perform private.note_copy(o.id, null) from private.outgoing_mails o
  where o.user_id = box.user_id and o.message_id = any (found_ids) and o.needs_copy;
  update public.mails m set account_id = box.id, folder = know_sent.folder, folder_validity = validity, uid = (s ->> 'uid')::bigint
  from jsonb_array_elements(seen) s
  where m.user_id = box.user_id and m.message_id = s ->> 'message_id' and m.direction = 'out' and m.folder is null and not m.is_private;
end
$$;
comment on function private.know_sent is
  'What the reader of a mailbox sees in the sent folder ({"message_id", "uid"}): where the copies of our own mails lie, and that a mail of which nobody knew whether it left has left.';

-- A reply -----------------------------------------------------------------------------------------------------

create function private.drop_follow_up() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  answered record;
begin
  if private.is_restoring() then
    return null;
  end if;
  for answered in
    select o.id, o.follow_up_task from private.outgoing_mails o join public.mails m on m.id = o.mail_id
    where o.user_id = new.user_id and o.follow_up_task is not null and (
      m.message_id = any (new.refs)
      -- An older mail of the conversation may be read later.
      or m.thread = new.thread and m.sent_at < new.sent_at
    )
  loop
    delete from public.tasks t where t.user_id = new.user_id and t.id = answered.follow_up_task and not t.completed;
    update private.outgoing_mails o set follow_up_task = null where o.id = answered.id;
  end loop;
  return null;
end
$$;
comment on function private.drop_follow_up is
  'A reply takes the task away that reminds of its absence; the log brings it back. Automatic and doubtful mails are no replies. A definer because outgoing mails are not the client''s to write.';

-- Fires after "place", by their names: that trigger makes one conversation of two that this mail joins.
create trigger reply after insert on public.mails for each row
  when (new.direction = 'in' and not new.is_automatic and not new.is_doubtful and not new.is_private)
  execute function private.drop_follow_up();

-- Anybody's answer ends "Follow up if no reply", also that of somebody whose mails are not kept, such as an assistant of the
-- customer who writes from another address. The server reads only the headers of such a mail, only while a reply is awaited, and
-- keeps nothing of it.
create function private.awaits_reply(me uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.outgoing_mails o join public.tasks t on t.user_id = o.user_id and t.id = o.follow_up_task
    where o.user_id = me and o.follow_up_task is not null and not t.completed
  )
$$;
comment on function private.awaits_reply is 'Whether a task of this account waits for a reply to one of its mails. Only then are the headers of strangers'' answers read.';

create function private.note_replies(me uuid, replies jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  answered record;
begin
  for answered in
    select o.id, o.follow_up_task from private.outgoing_mails o
    where o.user_id = me and o.follow_up_task is not null and exists (
      select from jsonb_array_elements(replies) r
      where r -> 'refs' ? o.message_id
        -- What the user writes to themselves, such as a further word to the same people with a copy, is no reply.
        and coalesce(lower(r ->> 'sender') <> all (private.own_addresses(me)), true)
    )
  loop
    delete from public.tasks t where t.user_id = me and t.id = answered.follow_up_task and not t.completed;
    update private.outgoing_mails o set follow_up_task = null where o.id = answered.id;
  end loop;
end
$$;
comment on function private.note_replies is
  'Takes away the tasks that remind of the absence of a reply: these mails of people who are not known ({"sender", "refs"}) are replies. Of kept mails: private.drop_follow_up.';

-- When the account changes ------------------------------------------------------------------------------------

create function private.fail_outgoing() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update private.outgoing_mails o set state = 'failed', needs_copy = false, problem = case
    when o.state = 'planned' then 'The mailbox ' || old.address || ' was removed before this email was sent. Open it and choose another mailbox.'
    else 'The mailbox ' || old.address || ' was removed while this email was being sent. It may have been sent: check your Sent folder before you send it again.'
  end
  where o.account_id = old.id and o.state in ('planned', 'sending');
  update private.outgoing_mails o set needs_copy = false, body_text = null, body_html = null, attachments = '[]'
  where o.account_id = old.id and o.needs_copy;
  perform private.cancel_job('outbox', old.id::text);
  return old;
end
$$;
comment on function private.fail_outgoing is
  'Of an account for mail that is removed, what waits to leave fails and says so; nothing vanishes. A definer because clients write neither states nor jobs.';

create trigger fail_outgoing before delete on public.mail_accounts for each row execute function private.fail_outgoing();

create function private.send_again_soon() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.send_soon(case when tg_table_name = 'mail_accounts' then (to_jsonb(new) ->> 'id')::uuid else (to_jsonb(new) ->> 'account_id')::uuid end);
  return null;
end
$$;
comment on function private.send_again_soon is
  'What waits is sent when the account is resumed, led to another server or has its password again. A definer because clients plan no jobs.';

create trigger send_again after update of is_paused, smtp_host, smtp_port, smtp_security, pace on public.mail_accounts
  for each row execute function private.send_again_soon();
create trigger send_again after insert or update on private.mail_secrets
  for each row execute function private.send_again_soon();

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.outbox_times(uuid, integer, integer), private.take_outgoing(uuid, integer, integer),
  private.outbox_wait(uuid, integer, integer), private.tell_day_is_full(uuid, integer, text),
  private.note_handed(uuid, integer), private.left_sending(uuid), private.follow_up(private.outgoing_mails, jsonb),
  private.kept_sent(private.outgoing_mails, jsonb, text, text), private.split_refused(private.outgoing_mails, jsonb),
  private.note_sent(uuid, jsonb, boolean, text, text),
  private.look_again(uuid, integer, double precision),
  private.note_failed(uuid, integer, text, double precision, boolean, boolean),
  private.note_copy(uuid, jsonb, text, double precision), private.know_sent(uuid, text, bigint, jsonb),
  private.drop_follow_up(), private.awaits_reply(uuid), private.note_replies(uuid, jsonb), private.fail_outgoing(),
  private.send_again_soon()
  from public, anon, authenticated;
