-- Outgoing mails: planned here, sent by the server. States: planned, sending, sent, failed, stopped. What was sent becomes a row
-- of public.mails. Not in backups: a restored plan would send a second time. See docs/decisions/064-mail-that-leaves.md.

create table private.outgoing_mails (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  account_id uuid,
  run uuid,
  state text not null default 'planned',
  send_at timestamptz not null default now(),
  message_id text not null,
  recipients jsonb not null,
  subject text,
  body_text text,
  body_html text,
  attachments jsonb not null default '[]',
  answers uuid,
  deal uuid,
  follow_up_days smallint,
  tries integer not null default 0,
  held_until timestamptz not null default '-infinity',
  problem text,
  mail_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  refs text[] not null default '{}',
  tried_at timestamptz,
  handed_at timestamptz,
  needs_copy boolean not null default false,
  follow_up_task uuid,
  may_have_left boolean not null default false,
  constraint outgoing_mails_account_id_fkey foreign key (user_id, account_id) references public.mail_accounts (user_id, id)
    on delete set null (account_id),
  constraint outgoing_mails_state_known check (state in ('planned', 'sending', 'sent', 'failed', 'stopped')),
  constraint outgoing_mails_message_id_length check (char_length(message_id) between 1 and 500),
  constraint outgoing_mails_refs_length check (cardinality(refs) <= 100),
  constraint outgoing_mails_recipients_size check (jsonb_typeof(recipients) = 'array' and octet_length(recipients::text) <= 100000),
  constraint outgoing_mails_subject_length check (char_length(subject) <= 1000),
  constraint outgoing_mails_body_text_size check (octet_length(body_text) <= 1000000),
  constraint outgoing_mails_body_html_size check (octet_length(body_html) <= 2000000),
  constraint outgoing_mails_attachments_size check (jsonb_typeof(attachments) = 'array' and octet_length(attachments::text) <= 100000),
  constraint outgoing_mails_follow_up_sensible check (follow_up_days between 1 and 365),
  constraint outgoing_mails_problem_length check (char_length(problem) <= 1000)
);
alter table private.outgoing_mails enable row level security;
comment on table private.outgoing_mails is 'Mails on their way out, an account''s own. Written by functions alone.';
comment on column private.outgoing_mails.run is 'The same for mails that were planned together, each to one person.';
comment on column private.outgoing_mails.message_id is 'Made when it is planned: a mail that is tried again is the same mail.';
comment on column private.outgoing_mails.answers is 'The mail that it answers.';
comment on column private.outgoing_mails.mail_id is 'What it became in public.mails.';
comment on column private.outgoing_mails.refs is 'The Message-IDs that it answers, as the answered mail said when it was planned.';
comment on column private.outgoing_mails.tried_at is 'When it last began to leave.';
comment on column private.outgoing_mails.handed_at is
  'When the end of the mail was about to be handed to the server: from then until "sent", nobody knows whether it has left.';
comment on column private.outgoing_mails.may_have_left is
  'An earlier try ended without an answer after the end was handed over, and its copy was not found: before it is sent again, the sent folder is looked at.';
comment on column private.outgoing_mails.needs_copy is 'It has left, and its copy for the sent folder has yet to be put there.';
comment on column private.outgoing_mails.follow_up_task is 'The task that a reply removes. No foreign key: the task may go before.';

create unique index outgoing_mails_once on private.outgoing_mails (user_id, message_id);
create index outgoing_mails_by_account on private.outgoing_mails (user_id, account_id);
create index outgoing_mails_by_run on private.outgoing_mails (user_id, run) where run is not null;
create index outgoing_mails_due on private.outgoing_mails (send_at) where state in ('planned', 'sending');

-- Clients cannot write the state and the columns that follow from it: only the server and definers do.
select private.open_to_owner('private.outgoing_mails',
  '{account_id,run,send_at,message_id,recipients,subject,body_text,body_html,attachments,answers,deal,follow_up_days}');
select private.announce_table('private.outgoing_mails');

-- The outbox --------------------------------------------------------------------------------------------------

grant insert (refs) on private.outgoing_mails to authenticated;

create index outgoing_mails_waiting on private.outgoing_mails (account_id, send_at) where state in ('planned', 'sending') or needs_copy;
create index outgoing_mails_by_try on private.outgoing_mails (account_id, tried_at) where tried_at is not null;
create index outgoing_mails_by_mail on private.outgoing_mails (mail_id) where follow_up_task is not null;
create index outgoing_mails_followed_up on private.outgoing_mails (user_id) where follow_up_task is not null;
create index outgoing_mails_by_send_at on private.outgoing_mails (user_id, send_at);

create function private.send_soon(account uuid) returns void
language sql
set search_path = ''
as $$
  select private.plan_job('outbox', w.account_id::text, w.user_id, '{}', w.due_at)
  from (
    select o.account_id, o.user_id, min(greatest(case when o.state = 'planned' then o.send_at else now() end, o.held_until)) as due_at
    from private.outgoing_mails o
    where o.account_id = send_soon.account and (o.state in ('planned', 'sending') or o.needs_copy)
    group by o.account_id, o.user_id
  ) w
$$;
comment on function private.send_soon is 'Has what waits in the outbox of an account for mail sent when it is due. The job is the lease: one process sends for an account.';

create function private.send_new() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.send_soon(n.account_id) from (select distinct r.account_id from new_rows r where r.account_id is not null order by 1) n;
  return null;
end
$$;
comment on function private.send_new is 'What is planned is sent when it is due. A definer because clients plan no jobs.';

create trigger send_new after insert on private.outgoing_mails
  referencing new table as new_rows for each statement execute function private.send_new();

-- Planning ----------------------------------------------------------------------------------------------------

create function private.one_line(words text, most integer) returns text
language sql immutable
set search_path = ''
as $$
  select nullif(left(btrim(regexp_replace(words, '[\u0001-\u001f\u007f-\u009f\u2028\u2029\s]+', ' ', 'g')), most), '')
$$;
comment on function private.one_line is 'Words for a line of a mail''s head: a line break in them would begin another header.';

create function private.mail_people(reported jsonb, role text) returns jsonb
language plpgsql immutable
set search_path = ''
as $$
declare
  person jsonb;
  people jsonb := '[]';
  address text;
begin
  if reported is null or reported = 'null' then
    return people;
  end if;
  if jsonb_typeof(reported) <> 'array' then
    raise exception 'The recipients of an email cannot be read. Nothing was sent.' using errcode = 'PT400';
  end if;
  for person in select * from jsonb_array_elements(reported) loop
    address := btrim(person ->> 'address', ' ');
    -- Without what a mail server reads as something else: quotes, groups, routes, lines.
    if address is null or char_length(address) > 320
      or address !~ '^[^\u0001-\u0020\u007f-\u00a0\u2028\u2029\s@<>,;:"()\[\]\\]+@[^\u0001-\u0020\u007f-\u00a0\u2028\u2029\s@<>,;:"()\[\]\\]+$'
    then
      raise exception '“%” is not an email address. Nothing was sent.', coalesce(private.one_line(address, 80), '') using errcode = 'PT400';
    end if;
    people := people || jsonb_build_object('role', role, 'name', coalesce(private.one_line(person ->> 'name', 200), ''), 'address', address);
  end loop;
  return people;
end
$$;
comment on function private.mail_people is 'Recipients as they are stored: {"role", "name", "address"}; refuses what is no address.';

create function private.mail_recipients(reported jsonb) returns jsonb
language plpgsql immutable
set search_path = ''
as $$
declare
  people jsonb := private.mail_people(reported -> 'to', 'to') || private.mail_people(reported -> 'cc', 'cc') || private.mail_people(reported -> 'bcc', 'bcc');
begin
  -- Everybody once, where they stand first.
  people := (
    select coalesce(jsonb_agg(d.person order by d.place), '[]')
    from (
      select distinct on (lower(p.person ->> 'address')) p.person, p.place
      from jsonb_array_elements(people) with ordinality as p (person, place)
      order by lower(p.person ->> 'address'), p.place
    ) d
  );
  if people = '[]' then
    raise exception 'An email needs a recipient. Nothing was sent.' using errcode = 'PT400';
  end if;
  if jsonb_array_length(people) > 100 then
    raise exception 'An email goes to at most 100 people at once. Nothing was sent; send it to each one individually instead.' using errcode = 'PT400';
  end if;
  return people;
end
$$;
comment on function private.mail_recipients is 'Everybody a planned mail goes to, once.';

create function private.mail_files(me uuid, reported jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  files jsonb;
begin
  if coalesce(reported, 'null') in ('null', '[]') then
    return '[]';
  end if;
  if jsonb_typeof(reported) <> 'array' or jsonb_array_length(reported) > 50 then
    raise exception 'An email takes at most 50 files. Nothing was sent.' using errcode = 'PT400';
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('file', f.id, 'name', f.name, 'type', f.type, 'size', f.size, 'sha256', f.sha256) order by w.place), '[]')
  into files
  from jsonb_array_elements_text(reported) with ordinality as w (id, place)
  join public.files f on f.user_id = me and f.id = w.id::uuid;
  if jsonb_array_length(files) < jsonb_array_length(reported) then
    raise exception 'A file of this email no longer exists. Nothing was sent; remove it from the email, or add it again.' using errcode = 'PT409';
  end if;
  if (select sum((f ->> 'size')::bigint) > 25 * 1048576 from jsonb_array_elements(files) f) then
    raise exception 'The files of this email are larger than 25 MB together, which hardly any mailbox takes. Nothing was sent.' using errcode = 'PT413';
  end if;
  return files;
end
$$;
comment on function private.mail_files is 'What is attached to a planned mail: {"file", "name", "type", "size", "sha256"}. The content is kept until it has left.';

create function private.planned_mail(me uuid, reported jsonb) returns private.outgoing_mails
language plpgsql stable
set search_path = ''
as $$
declare
  mail private.outgoing_mails;
  box public.mail_accounts;
  answered public.mails;
begin
  if jsonb_typeof(reported) <> 'object' then
    raise exception 'This email cannot be read. Nothing was sent.' using errcode = 'PT400';
  end if;
  select * into box from public.mail_accounts a where a.user_id = me and a.id = (reported ->> 'account')::uuid;
  if box.id is null then
    raise exception 'This mailbox no longer exists. Nothing was sent; choose another one.' using errcode = 'PT404';
  end if;
  if box.smtp_host is null then
    raise exception 'The mailbox % has no server for sending. Nothing was sent; enter one in Settings → Email.', box.address using errcode = 'PT409';
  end if;
  mail.id := coalesce((reported ->> 'id')::uuid, gen_random_uuid());
  mail.account_id := box.id;
  mail.message_id := format('<%s@%s>', gen_random_uuid(),
    coalesce(substring(lower(split_part(box.address, '@', 2)) from '^[a-z0-9]+[a-z0-9.-]*$'), 'mail.invalid'));
  mail.recipients := private.mail_recipients(reported);
  mail.subject := private.one_line(reported ->> 'subject', 1000);
  mail.body_text := coalesce(reported ->> 'text', '');
  mail.body_html := reported ->> 'html';
  if octet_length(mail.body_text) > 1000000 or octet_length(mail.body_html) > 2000000 then
    raise exception 'This email is too long. Nothing was sent; attach a part of it as a file.' using errcode = 'PT413';
  end if;
  mail.attachments := private.mail_files(me, reported -> 'files');
  mail.refs := '{}';
  if reported ->> 'answers' is not null then
    select * into answered from public.mails m where m.user_id = me and m.id = (reported ->> 'answers')::uuid and not m.is_private;
    if answered.id is null then
      raise exception 'The email that this one answers no longer exists. Nothing was sent; write a new email instead.' using errcode = 'PT404';
    end if;
    mail.answers := answered.id;
    -- The beginning of the conversation, and what was said last.
    mail.refs := case when cardinality(answered.refs) > 49
      then answered.refs[1:1] || answered.refs[cardinality(answered.refs) - 47:] else answered.refs end || answered.message_id;
  end if;
  mail.deal := (reported ->> 'deal')::uuid;
  if mail.deal is not null and not exists (select from public.deals d where d.user_id = me and d.id = mail.deal) then
    raise exception 'This deal no longer exists. Nothing was sent.' using errcode = 'PT404';
  end if;
  mail.follow_up_days := (reported ->> 'follow_up_days')::smallint;
  if mail.follow_up_days not between 1 and 365 then
    raise exception 'A follow-up is 1 to 365 days later. Nothing was sent.' using errcode = 'PT400';
  end if;
  mail.send_at := (reported ->> 'send_at')::timestamptz;
  if mail.send_at > now() + interval '366 days' then
    raise exception 'An email can be planned at most a year ahead. Nothing was sent.' using errcode = 'PT400';
  end if;
  -- Now, and what should have left already: in ten seconds, which is the time to undo it.
  mail.send_at := greatest(mail.send_at, now() + interval '10 seconds');
  return mail;
end
$$;
comment on function private.planned_mail is 'A mail as it is planned, out of what the composer says of it; refuses what cannot be sent.';

create function private.why_mail_waits(box public.mail_accounts) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when box.is_paused then 'The mailbox ' || box.address || ' is paused. The email is sent when you resume it in Settings → Email.'
    when box.state = 'locked' then 'The password of ' || box.address || ' is missing. The email leaves when you enter it in Settings → Email.'
  end
$$;
comment on function private.why_mail_waits is 'Why nothing leaves from an account for mail, in words; null where nothing is in the way.';

create function public.plan_mails(mails jsonb, replaces uuid[] default '{}') returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  ids uuid[];
  together uuid;
  planned jsonb;
  known jsonb;
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null then
    raise exception 'Emails are sent by the server of Solo CRM, and this project has none. Nothing was sent.' using errcode = 'PT409';
  end if;
  if jsonb_typeof(mails) is distinct from 'array' or jsonb_array_length(mails) = 0 then
    raise exception 'There is no email to send. Nothing was sent.' using errcode = 'PT400';
  end if;
  if jsonb_array_length(mails) > 500 then
    raise exception 'At most 500 emails can be sent at once. Nothing was sent; choose fewer people.' using errcode = 'PT400';
  end if;
  -- An answer that was lost is asked for again: what is planned already is planned once.
  ids := array(select (m.reported ->> 'id')::uuid from jsonb_array_elements(mails) as m (reported));
  if exists (select from private.outgoing_mails o where o.user_id = me and o.id = any (ids) and o.state = 'failed' and o.may_have_left) then
    raise exception 'This email may have been sent already. It wasn’t sent again; look into the outbox.' using errcode = 'PT409';
  end if;
  -- What was stopped or has failed since then is to leave after all.
  perform public.retry_mails(array(
    select o.id from private.outgoing_mails o where o.user_id = me and o.id = any (ids) and o.state in ('failed', 'stopped')
  ));
  select jsonb_build_object('run', min(o.run::text), 'ids', jsonb_agg(o.id order by o.send_at, o.id), 'leaves_at', min(o.send_at),
    'waits', (select min(private.why_mail_waits(a)) from public.mail_accounts a where a.user_id = me and a.id = any (array_agg(o.account_id))))
  into known from private.outgoing_mails o
  where o.user_id = me and o.id = any (ids);
  if known ->> 'ids' is not null then
    return known;
  end if;
  if replaces <> '{}' then
    -- Those that wait are stopped first, so that none begins to leave meanwhile.
    if public.stop_mails(replaces) ->> 'gone' <> '[]' then
      raise exception 'The email you were editing has left meanwhile. This version wasn’t sent; send it again if it is to go as a new email.' using errcode = 'PT410';
    end if;
    perform public.forget_mails(replaces);
  end if;
  if (select count(*) from private.outgoing_mails o where o.user_id = me and o.state in ('planned', 'sending')) + jsonb_array_length(mails) > 5000 then
    raise exception 'There are 5,000 emails in the outbox already. Nothing was sent; wait until some have left.' using errcode = 'PT409';
  end if;
  together := case when jsonb_array_length(mails) > 1 then gen_random_uuid() end;
  with made as (
    insert into private.outgoing_mails (id, account_id, run, send_at, message_id, recipients, subject, body_text, body_html, attachments, answers,
      refs, deal, follow_up_days)
    -- Each a moment after the one before: they leave in their order.
    select p.id, p.account_id, together, p.send_at + e.place * interval '1 microsecond', p.message_id, p.recipients, p.subject, p.body_text,
      p.body_html, p.attachments, p.answers, p.refs, p.deal, p.follow_up_days
    from (select m.reported, m.place from jsonb_array_elements(mails) with ordinality as m (reported, place)) e
    cross join lateral private.planned_mail(me, e.reported) p
    returning id, account_id, send_at
  )
  select jsonb_build_object('run', together, 'ids', jsonb_agg(m.id order by m.send_at, m.id), 'leaves_at', min(m.send_at),
    'waits', (select min(private.why_mail_waits(a)) from public.mail_accounts a where a.user_id = me and a.id in (select k.account_id from made k)))
  into planned from made m;
  return planned;
end
$$;
comment on function public.plan_mails is
  'Plans 1 to 500 mails, all or none: each leaves at its time, or ten seconds from now, until when stop_mails takes it back. Those of the outbox that they replace go in the same moment; refused where one of them has begun to leave. One whose id is known is planned already: the same answer, and it leaves if it was stopped or failed. Several are a run, which leaves at the pace of the account.';

-- Stopping, retrying, removing --------------------------------------------------------------------------------

create function public.stop_mails(ids uuid[]) returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
begin
  update private.outgoing_mails o set state = 'stopped', problem = null
  where o.user_id = me and o.id = any (ids) and o.state = 'planned';
  return (
    select jsonb_build_object(
      'stopped', coalesce(jsonb_agg(o.id order by o.send_at, o.id) filter (where o.state = 'stopped'), '[]'),
      'gone', coalesce(jsonb_agg(o.id order by o.send_at, o.id) filter (where o.state in ('sending', 'sent')), '[]'))
    from private.outgoing_mails o where o.user_id = me and o.id = any (ids)
  );
end
$$;
comment on function public.stop_mails is
  'Stops those of these mails that have not begun to leave, and tells which it was too late for. A definer because the state of a mail is not the client''s to write.';

create function public.stop_run(run uuid) returns jsonb
language sql
set search_path = ''
as $$
  select public.stop_mails(array(select o.id from private.outgoing_mails o where o.user_id = private.caller() and o.run = stop_run.run))
$$;
comment on function public.stop_run is 'Stops all mails of a run that still wait, as stop_mails does.';

create function public.hold_mails(ids uuid[], holds boolean default true) returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
begin
  -- A lease: whoever writes on it renews it, and if their window dies, the mail leaves as it was planned.
  update private.outgoing_mails o
  set held_until = case when holds then greatest(o.held_until, now() + interval '5 minutes') else '-infinity' end
  where o.user_id = me and o.id = any (ids) and o.state = 'planned';
  if not holds then
    perform private.send_soon(k.account_id) from (
      select distinct o.account_id from private.outgoing_mails o where o.user_id = me and o.id = any (ids) and o.state = 'planned' order by 1
    ) k;
  end if;
  return jsonb_build_object('gone', (
    select coalesce(jsonb_agg(o.id order by o.send_at, o.id), '[]') from private.outgoing_mails o
    where o.user_id = me and o.id = any (ids) and o.state in ('sending', 'sent')
  ));
end
$$;
comment on function public.hold_mails is
  'Keeps planned mails from leaving for five minutes while they are written on, or lets them go again; tells which it was too late for. A definer because when a mail is held is not the client''s to write.';

create function public.retry_mails(ids uuid[]) returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  again jsonb;
begin
  if exists (
    select from private.outgoing_mails o
    where o.user_id = me and o.id = any (ids) and o.state in ('failed', 'stopped') and o.account_id is null
  ) then
    raise exception 'The mailbox of this email was removed. Nothing was sent; open the email and choose another mailbox.' using errcode = 'PT409';
  end if;
  with chosen as (
    select o.id, row_number() over (order by o.send_at, o.id) as place from private.outgoing_mails o
    where o.user_id = me and o.id = any (ids) and o.state in ('failed', 'stopped')
  ),
  planned as (
    update private.outgoing_mails o set
      state = 'planned', problem = null, tries = 0, held_until = '-infinity', handed_at = null,
      send_at = greatest(o.send_at, now() + interval '10 seconds' + c.place * interval '1 microsecond')
    from chosen c where o.id = c.id and o.state in ('failed', 'stopped')
    returning o.id, o.account_id, o.send_at
  )
  select coalesce(jsonb_agg(p.id order by p.send_at), '[]') into again from planned p;
  perform private.send_soon(k.account_id) from (
    select distinct o.account_id from private.outgoing_mails o where o.user_id = me and o.id = any (ids) and o.state = 'planned' order by 1
  ) k;
  return jsonb_build_object('planned', again);
end
$$;
comment on function public.retry_mails is
  'Plans mails that failed or were stopped once more: a planned time that is still to come stays, otherwise in ten seconds. A definer because the state of a mail is not the client''s to write.';

create function public.retry_run(run uuid, state text) returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  if state is null or state not in ('failed', 'stopped') then
    raise exception 'Only emails that failed or were stopped can be sent again.' using errcode = 'PT400';
  end if;
  return public.retry_mails(array(
    select o.id from private.outgoing_mails o
    where o.user_id = private.caller() and o.run = retry_run.run and o.state = retry_run.state
      -- Whether one is sent that may have left already, the user decides by itself.
      and not o.may_have_left
  ));
end
$$;
comment on function public.retry_run is 'Plans all mails of a run once more that failed, or all that were stopped, as retry_mails does; but for those that may have left.';

create function public.forget_mails(ids uuid[]) returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  forgotten bigint;
  told bigint;
begin
  delete from private.outgoing_mails o where o.user_id = me and o.id = any (ids) and o.state in ('failed', 'stopped');
  get diagnostics forgotten = row_count;
  -- Of one that has left, only what there was to tell.
  update private.outgoing_mails o set problem = null where o.user_id = me and o.id = any (ids) and o.state = 'sent' and o.problem is not null;
  get diagnostics told = row_count;
  return forgotten + told;
end
$$;
comment on function public.forget_mails is
  'Takes mails out of the outbox that failed or were stopped. A definer because of one that has left only the problem goes, which is not the client''s to write.';

create function public.forget_run(run uuid) returns bigint
language sql
set search_path = ''
as $$
  select public.forget_mails(array(
    select o.id from private.outgoing_mails o
    where o.user_id = private.caller() and o.run = forget_run.run and o.state in ('failed', 'stopped')
  ))
$$;
comment on function public.forget_run is 'Takes all mails of a run out of the outbox that failed or were stopped.';

-- Reading -----------------------------------------------------------------------------------------------------

create function private.people_in(recipients jsonb, role text) returns jsonb
language sql immutable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('address', p.reported ->> 'address', 'name', p.reported ->> 'name') order by p.place), '[]')
  from jsonb_array_elements(recipients) with ordinality as p (reported, place) where p.reported ->> 'role' = role
$$;

create function public.outgoing_mail(id uuid) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  answer jsonb;
begin
  select jsonb_build_object('id', o.id, 'run', o.run, 'state', o.state, 'account', o.account_id,
    'to', private.people_in(o.recipients, 'to'), 'cc', private.people_in(o.recipients, 'cc'), 'bcc', private.people_in(o.recipients, 'bcc'),
    'subject', coalesce(o.subject, ''), 'text', coalesce(o.body_text, ''), 'html', o.body_html,
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.reported ->> 'file', 'name', f.reported ->> 'name', 'type', f.reported ->> 'type',
        'size', f.reported -> 'size') order by f.place), '[]')
      from jsonb_array_elements(o.attachments) with ordinality as f (reported, place)
    ),
    'answers', o.answers, 'deal', o.deal, 'follow_up_days', o.follow_up_days, 'send_at', o.send_at, 'tries', o.tries, 'problem', o.problem)
  into answer from private.outgoing_mails o where o.user_id = private.caller() and o.id = outgoing_mail.id;
  if answer is null then
    raise exception 'This email is no longer in the outbox.' using errcode = 'PT404';
  end if;
  return answer;
end
$$;
comment on function public.outgoing_mail is 'One mail of the outbox, whole: to open it in the composer again.';

create function public.outbox(before timestamptz default null, page_size integer default 50) returns jsonb
language sql stable
set search_path = ''
as $$
  with me as materialized (select private.caller() as id),
  page as (
    -- With all that leave at the same moment as the last one: "before" would leave them out.
    select o.* from private.outgoing_mails o
    where o.user_id = (select m.id from me m) and (o.state <> 'sent' or o.problem is not null) and (before is null or o.send_at < before)
    order by o.send_at desc fetch first least(greatest(page_size, 1), 200) rows with ties
  ),
  runs as (
    select o.run, (array_agg(o.subject order by o.send_at, o.id))[1] as subject, count(*) as total,
      count(*) filter (where o.state = 'sent') as sent, count(*) filter (where o.state = 'failed') as failed,
      count(*) filter (where o.state = 'failed' and o.may_have_left) as may_have_left,
      count(*) filter (where o.state = 'stopped') as stopped, count(*) filter (where o.state in ('planned', 'sending')) as waiting,
      min(greatest(o.send_at, o.held_until)) filter (where o.state = 'planned') as next_at, max(o.send_at) as last_at
    from private.outgoing_mails o
    where o.user_id = (select m.id from me m) and o.run is not null
    group by o.run
    -- One that is done stays for a day, so that it can be seen that it is.
    having bool_or(o.state <> 'sent') or max(o.tried_at) > now() - interval '1 day'
    order by max(o.send_at) desc, o.run limit 50
  )
  select jsonb_build_object(
    'runs', (select coalesce(jsonb_agg(to_jsonb(r) - 'last_at' order by r.last_at desc, r.run), '[]') from runs r),
    'mails', coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'run', p.run, 'state', p.state, 'send_at', p.send_at,
      'to', (select coalesce(jsonb_agg(r - 'role' order by n), '[]') from jsonb_array_elements(p.recipients) with ordinality as r (r, n)),
      'subject', coalesce(p.subject, ''), 'tries', p.tries, 'may_have_left', p.may_have_left and p.state <> 'sent',
      'problem', coalesce(case when p.state = 'planned' then private.why_mail_waits(a) end, p.problem),
      'account', p.account_id) order by p.send_at desc, p.id), '[]'),
    'next', case when count(*) >= least(greatest(page_size, 1), 200) then min(p.send_at) end)
  from page p left join public.mail_accounts a on a.id = p.account_id
$$;
comment on function public.outbox is
  'The mails that wait, are leaving, failed or were stopped, and those that left with something to tell; the last to leave first. "next" is "before" of the next page. Of the mails of runs that have left, only the number.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.send_soon(uuid), private.send_new(), private.one_line(text, integer), private.mail_people(jsonb, text),
  private.mail_recipients(jsonb), private.mail_files(uuid, jsonb), private.planned_mail(uuid, jsonb),
  private.why_mail_waits(public.mail_accounts), public.plan_mails(jsonb, uuid[]),
  public.stop_mails(uuid[]), public.hold_mails(uuid[], boolean), public.stop_run(uuid), public.retry_mails(uuid[]),
  public.retry_run(uuid, text), public.forget_run(uuid), public.forget_mails(uuid[]), private.people_in(jsonb, text),
  public.outgoing_mail(uuid), public.outbox(timestamptz, integer)
  from public, anon, authenticated;
grant execute on function
  private.one_line(text, integer), private.mail_people(jsonb, text), private.mail_recipients(jsonb),
  private.mail_files(uuid, jsonb), private.planned_mail(uuid, jsonb), private.why_mail_waits(public.mail_accounts),
  public.plan_mails(jsonb, uuid[]), public.stop_mails(uuid[]),
  public.hold_mails(uuid[], boolean), public.stop_run(uuid), public.retry_mails(uuid[]), public.retry_run(uuid, text),
  public.forget_run(uuid), public.forget_mails(uuid[]), private.people_in(jsonb, text), public.outgoing_mail(uuid),
  public.outbox(timestamptz, integer)
  to authenticated, service_role;
