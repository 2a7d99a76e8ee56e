-- The agenda: a mail a day with what is due, at the hour that the user chose. domain/agenda.ts computes when that is; this file makes
-- sure that there is one a day, whichever process sends it. See docs/decisions/066-the-agenda-by-mail.md.

create table private.agendas (
  user_id uuid primary key default auth.uid() references auth.users (id) on delete cascade,
  hour smallint,
  since timestamptz not null default now(),
  last_day date,
  last_sent_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint agendas_hour_of_a_day check (hour between 0 and 23)
);
alter table private.agendas enable row level security;
comment on table private.agendas is
  'Who gets the agenda by mail, and when. A connection as calendar feeds are: not in the log, and not in backups, since it sends mail to an address.';
comment on column private.agendas.hour is 'On the clock of the account''s time zone; null where it is off.';
comment on column private.agendas.since is 'When this hour was chosen: what was due before is not caught up with.';
comment on column private.agendas.last_day is 'The last day, on the user''s calendar, that is done with: sent, or nothing to say. No earlier day is sent after it.';
comment on column private.agendas.last_sent_at is 'When the mail server last took one.';

select private.open_to_owner('private.agendas', '{hour}');

create function private.begin_agenda() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.since := now();
  return new;
end
$$;
create trigger begin_agenda before update of hour on private.agendas
  for each row when (old.hour is distinct from new.hour) execute function private.begin_agenda();

create function private.plan_agenda() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.cancel_job('agenda', new.user_id::text);
  if exists (select from private.agendas a where a.user_id = new.user_id and a.hour is not null) then
    perform private.plan_job('agenda', new.user_id::text, new.user_id);
  else
    -- Also one that waits for the mail server.
    perform private.cancel_job('letter', new.user_id || ' agenda');
  end if;
  return null;
end
$$;
comment on function private.plan_agenda is
  'Another hour or time zone: the job looks at once when it is due next; turned off, nothing leaves any more. A definer because clients plan no jobs.';

create trigger plan_agenda after insert or update of hour on private.agendas
  for each row execute function private.plan_agenda();
create trigger plan_agenda after update of time_zone on public.preferences
  for each row when (old.time_zone is distinct from new.time_zone) execute function private.plan_agenda();

-- What the user sees and does ---------------------------------------------------------------------------------

create function public.agenda_setting() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('hour', a.hour, 'last_sent_at', a.last_sent_at)
  from (select private.caller() as me) c left join private.agendas a on a.user_id = c.me
$$;
comment on function public.agenda_setting is 'At which hour the agenda is sent, null where it is off, and when it last was.';

create function public.set_agenda(hour integer default null) returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  if hour is not null and hour not between 0 and 23 then
    raise exception 'The hour must be between 0 and 23. Nothing was saved.' using errcode = 'PT400';
  end if;
  insert into private.agendas as a (user_id, hour) values (private.caller(), set_agenda.hour)
  on conflict (user_id) do update set hour = excluded.hour where a.hour is distinct from excluded.hour;
  return public.agenda_setting();
end
$$;
comment on function public.set_agenda is 'Sends the agenda at this hour of each day; null turns it off.';

-- What the server does ----------------------------------------------------------------------------------------

create function private.agenda_of(account uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('hour', a.hour, 'since', a.since, 'last_day', a.last_day, 'email', u.email,
    'time_zone', coalesce(p.time_zone, 'UTC'),
    'habits', jsonb_build_object('currency', p.currency, 'number_format', p.number_format, 'date_format', p.date_format, 'clock', p.clock))
  from private.agendas a join auth.users u on u.id = a.user_id join public.preferences p on p.user_id = a.user_id
  where a.user_id = account and a.hour is not null and u.email is not null
$$;
comment on function private.agenda_of is 'To whom and when an account''s agenda is sent, and how its owner writes dates and amounts; null where it is off.';

create function private.agenda_facts(account uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  zone text;
  day date;
  board jsonb;
begin
  perform private.refuse_unfinished(account);
  perform
    set_config('request.jwt.claim.sub', account::text, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('request.jwt.claims', jsonb_build_object('sub', account, 'role', 'authenticated')::text, true),
    set_config('role', 'authenticated', true);
  zone := private.own_time_zone();
  day := (now() at time zone zone)::date;
  board := public.dashboard(now(), zone);
  return jsonb_build_object(
    'overdue', board -> 'overdue', 'today', board -> 'today', 'attention', board -> 'attention',
    'meetings', (
      select coalesce(jsonb_agg(jsonb_build_object('at', n.happened_at, 'about', left(n.body, 200), 'contact_id', n.contact_id,
        'company_id', n.company_id, 'deal_id', n.deal_id, 'deal_name', d.name, 'company_name', k.name,
        'contact', case when c.id is not null then jsonb_build_object('first_name', c.first_name, 'last_name', c.last_name) end)
        order by n.happened_at, n.id), '[]')
      from (
        select * from public.notes n
        where n.user_id = account and n.kind = 'meeting'
          and n.happened_at >= private.day_begins(day, zone) and n.happened_at < private.day_begins(day + 1, zone)
        order by n.happened_at, n.id limit 20
      ) n
      left join public.contacts c on c.id = n.contact_id
      left join public.companies k on k.id = n.company_id
      left join public.deals d on d.id = n.deal_id
    ),
    'replies', public.replies_waiting());
end
$$;
comment on function private.agenda_facts is
  'What the agenda of an account tells, read as its owner and under their policies. What is left of the transaction stays in their name.';

create function private.note_agenda(account uuid, day date, letter jsonb) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  update private.agendas a set last_day = day
  where a.user_id = account and a.hour is not null and (a.last_day is null or a.last_day < day);
  if not found then
    return false;
  end if;
  if letter is not null then
    perform private.plan_job('letter', account || ' agenda', account, letter);
  end if;
  return true;
end
$$;
comment on function private.note_agenda is
  'The agenda of this day is written: it becomes a letter in the same transaction, once, whoever else writes it at the same time. Without a letter there was nothing to say.';

create function private.agenda_sent(account uuid) returns void
language sql
set search_path = ''
as $$ update private.agendas a set last_sent_at = now() where a.user_id = account $$;
comment on function private.agenda_sent is 'The mail server has taken an agenda.';

create function private.note_letter(key text, tries integer, is_handed boolean) returns boolean
language sql
set search_path = ''
as $$
  with noted as (
    update private.jobs j set payload = j.payload || jsonb_build_object('is_handed', note_letter.is_handed)
    where j.kind = 'letter' and j.key = note_letter.key and j.tries = note_letter.tries and j.claim is not null and j.plans = j.claimed_plan
    returning 1
  )
  select exists (select from noted)
$$;
comment on function private.note_letter is
  'Noted before the end of a letter is handed over, without which no mail server takes it. Where this answers no, the letter was taken back, replaced or taken over, and the end must not be sent.';

create function private.end_agenda(account uuid) returns boolean
language plpgsql
set search_path = ''
as $$
begin
  update private.agendas a set hour = null where a.user_id = account and a.hour is not null;
  return found;
end
$$;
comment on function private.end_agenda is 'Turns an account''s agenda off, for whoever holds the link of one; false where it was off.';

create function private.plan_agendas() returns void
language sql
set search_path = ''
as $$
  select private.plan_job('agenda', a.user_id::text, a.user_id) from private.agendas a
  where a.hour is not null and not exists (select from private.jobs j where j.kind = 'agenda' and j.key = a.user_id::text and j.given_up_at is null)
$$;
comment on function private.plan_agendas is 'Plans what was forgotten while no server could send mail.';

create index notes_by_meeting on public.notes (user_id, happened_at) where kind = 'meeting';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.begin_agenda(), private.plan_agenda(), public.agenda_setting(), public.set_agenda(integer),
  private.agenda_of(uuid), private.agenda_facts(uuid), private.note_agenda(uuid, date, jsonb),
  private.agenda_sent(uuid), private.note_letter(text, integer, boolean), private.end_agenda(uuid), private.plan_agendas()
  from public, anon, authenticated;
grant execute on function
  public.agenda_setting(), public.set_agenda(integer)
  to authenticated, service_role;
