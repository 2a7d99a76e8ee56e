-- Webhooks: addresses of other programs that are told what happens in an account. Messages are made from the log, in the
-- transaction of the change, and sent by the server as jobs. See docs/decisions/058-jobs-and-webhooks.md.

-- Tables ------------------------------------------------------------------------------------------------------

create function private.webhook_events() returns text[]
language sql immutable
set search_path = ''
as $$ select array['created', 'updated', 'deleted', 'stage_moved', 'won', 'lost', 'task_completed'] $$;
comment on function private.webhook_events is 'What a webhook can be told. The names are those of domain/webhook.ts.';

create table private.webhooks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  url text not null,
  events text[] not null,
  is_paused boolean not null default false,
  failing_since timestamptz,
  failed_at timestamptz,
  switched_off_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  failed_for interval not null default '0',
  sent_again_at timestamptz[] not null default '{}',
  unique (user_id, id),
  constraint webhooks_url_form check (char_length(url) <= 2000 and url ~* '^https?://[^\s/?#@\\]+([/?][^\s#]*)?$'),
  constraint webhooks_events_known check (events <@ private.webhook_events() and cardinality(events) between 1 and 7)
);
alter table private.webhooks enable row level security;
comment on table private.webhooks is
  'Addresses that are told what happens in an account. As access tokens: not in backups, not in the log, and gone with the account.';
comment on column private.webhooks.failing_since is 'When the first delivery failed after the last that arrived.';
comment on column private.webhooks.failed_for is
  'How long it has failed since failing_since, of which each time between two tries counts as one day at most.';
comment on column private.webhooks.sent_again_at is 'When its owner had messages sent once more, during the last minute.';
comment on column private.webhooks.switched_off_at is 'When the server gave up on it, after a week of failures. Its owner is told until they decide.';

select private.open_to_owner('private.webhooks', '{url,events,is_paused,failing_since,failed_at,switched_off_at}');

create table private.webhook_secrets (
  webhook_id uuid primary key references private.webhooks (id) on delete cascade,
  secret text not null,
  former text,
  former_until timestamptz
);
alter table private.webhook_secrets enable row level security;
comment on table private.webhook_secrets is
  'What messages are signed with: in plain text, because a signature needs the secret itself. No policy: only the server reads it.';
comment on column private.webhook_secrets.former is 'The one before. For a day messages are signed with both, so that the receiver can change over.';
revoke all on private.webhook_secrets from public, anon, authenticated, service_role;

create table private.webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  webhook_id uuid not null,
  event text not null,
  body text not null,
  batch uuid,
  is_asked boolean not null default false,
  status text not null default 'waiting',
  tries integer not null default 0,
  http_status integer,
  problem text,
  answer text,
  tried_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  constraint webhook_deliveries_webhook_id_fkey foreign key (user_id, webhook_id) references private.webhooks (user_id, id) on delete cascade,
  constraint webhook_deliveries_status_known check (status in ('waiting', 'delivered', 'failed')),
  constraint webhook_deliveries_texts_length check (char_length(problem) <= 300 and char_length(answer) <= 500)
);
alter table private.webhook_deliveries enable row level security;
comment on table private.webhook_deliveries is 'Messages to webhooks, and what became of them. Kept for two weeks, and not in backups.';
comment on column private.webhook_deliveries.body is 'What is sent and signed, letter by letter: the same at every try.';
comment on column private.webhook_deliveries.is_asked is 'Its owner asked for it, by a test or once more: it is sent although the webhook is paused.';

create index webhook_deliveries_of_webhook on private.webhook_deliveries (webhook_id, created_at desc, id);
create index webhook_deliveries_by_account on private.webhook_deliveries (user_id, tried_at);
create index webhook_deliveries_waiting on private.webhook_deliveries (webhook_id) where status = 'waiting';
create index webhook_deliveries_by_age on private.webhook_deliveries (created_at);

-- Their owner reads them. Nobody but the server writes them, so private.open_to_owner would open too much.
revoke all on private.webhook_deliveries from public, anon, authenticated;
grant all on private.webhook_deliveries to service_role;
grant select on private.webhook_deliveries to authenticated;
create policy "Owners see their webhook deliveries" on private.webhook_deliveries
  for select to authenticated using (user_id = (select auth.uid()));

create trigger announce_insert after insert on private.webhooks
  referencing new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_update after update on private.webhooks
  referencing old table as old_rows new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_delete after delete on private.webhooks
  referencing old table as old_rows for each statement execute function private.announce_rows();
create trigger announce_update after update on private.webhook_deliveries
  referencing old table as old_rows new table as new_rows for each statement execute function private.announce_rows();

-- From the log to messages ------------------------------------------------------------------------------------

create function private.plan_delivery(delivery private.webhook_deliveries) returns void
language sql
set search_path = ''
as $$ select private.plan_job('webhook', delivery.id::text, delivery.user_id, '{}', now(), delivery.webhook_id::text) $$;
comment on function private.plan_delivery is
  'A delivery is a job of its own, so that writes do not wait for each other; those to one address are sent one by one.';

create function private.webhook_events_of(change public.changes) returns text[]
language sql stable
set search_path = ''
as $$
  select case change.verb when 'insert' then '{created}' when 'delete' then '{deleted}' else
    -- Its place among its neighbours on the board is nobody else's business.
    case when change.after - 'order' <> '{}' then array['updated'] else '{}' end
    || case when change.table_name = 'deals' and change.after ->> 'stage_id' is not null then array['stage_moved'] || array(
      select s.outcome::text from public.pipeline_stages s
      where s.user_id = change.user_id and s.id = (change.after ->> 'stage_id')::uuid and s.outcome in ('won', 'lost')
    ) else '{}' end
    || case when change.table_name = 'tasks' and change.after ->> 'completed' = 'true' then array['task_completed'] else '{}' end
  end::text[]
$$;
comment on function private.webhook_events_of is
  'The events that a change is. Only a move wins or loses a deal: one that is added or imported as won is "created".';

create function private.webhook_body(event text, at timestamptz, data jsonb) returns text
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('type', event, 'timestamp', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)::text
$$;

create function private.most_webhook_bytes() returns bigint
language sql immutable
set search_path = ''
as $$ select 50000000 $$;
comment on function private.most_webhook_bytes is
  'The most bytes of messages that wait for the webhooks of an account, and of those that are kept after they were sent.';

create function private.note_for_webhooks() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- A restore brings old lines of the log along: those are of other batches.
  current uuid := nullif(current_setting('solo.batch', true), '')::uuid;
  delivery private.webhook_deliveries;
begin
  if not exists (
    select from private.webhooks w where not w.is_paused and w.switched_off_at is null and w.user_id in (select n.user_id from new_rows n)
  ) then
    return null;
  end if;
  for delivery in
    with news as materialized (
      select n as change, n.id as place, n.user_id, r.thing, n.table_name, n.row_id, e.event
      from new_rows n
      join (values ('contacts', 'contact'), ('companies', 'company'), ('deals', 'deal'), ('tasks', 'task'), ('notes', 'note'))
        as r (table_name, thing) using (table_name)
      cross join lateral unnest(private.webhook_events_of(n)) e (event)
      where n.batch = current
    ),
    records as materialized (
      select x.id, to_jsonb(x) as reported from public.contacts x where x.id in (select c.row_id from news c where c.table_name = 'contacts')
      union all select x.id, to_jsonb(x) from public.companies x where x.id in (select c.row_id from news c where c.table_name = 'companies')
      union all select x.id, to_jsonb(x) from public.deals x where x.id in (select c.row_id from news c where c.table_name = 'deals')
      union all select x.id, to_jsonb(x) from public.tasks x where x.id in (select c.row_id from news c where c.table_name = 'tasks')
      union all select x.id, to_jsonb(x) from public.notes x where x.id in (select c.row_id from news c where c.table_name = 'notes')
    ),
    lines as (
      select c.user_id, c.event, case c.event when 'task_completed' then 'task.completed' else c.thing || '.' || c.event end as type,
        (row_number() over (partition by c.user_id, c.thing, c.event order by c.place) - 1) / 50 as part, c.place,
        jsonb_build_object('id', c.row_id, 'label', (c.change).label) as short,
        jsonb_build_object('record', case when (c.change).verb = 'delete' then (c.change).before else r.reported end
          - '{user_id,search_text}'::text[]
          -- Values of deleted fields stay, unseen.
          || coalesce((
            select jsonb_build_object('custom', coalesce(jsonb_object_agg(v.key, v.value) filter (where f.id is not null), '{}'))
            from jsonb_each(r.reported -> 'custom') v left join public.fields f on f.user_id = c.user_id and f.id::text = v.key
            having r.reported ? 'custom'
          ), '{}'))
        || case when (c.change).verb = 'update' then jsonb_build_object('before', (c.change).before, 'after', (c.change).after) else '{}' end as long
      from news c left join records r on r.id = c.row_id
    ),
    collected as (
      select l.user_id, l.event, l.type, l.part,
        jsonb_agg(l.short || l.long order by l.place) as whole, jsonb_agg(l.short order by l.place) as cut
      from lines l group by l.user_id, l.event, l.type, l.part
    ),
    bodies as (
      select c.user_id, c.event, c.type, c.part, private.webhook_body(c.type, now(), jsonb_build_object('batch', current)
        || case when octet_length(c.whole::text) <= 250000 then jsonb_build_object('records', c.whole)
          else jsonb_build_object('records', c.cut, 'is_cut', true) end) as body
      from collected c
    ),
    messages as materialized (
      select b.*, octet_length(b.body) as bytes, row_number() over (order by b.part, b.type) as number from bodies b
    ),
    told as (
      -- Without the bodies: for twenty webhooks they would be held twenty times.
      select m.number, w.id as webhook_id, m.user_id,
        sum(m.bytes) over (partition by m.user_id order by m.number, w.id) as bytes
      from messages m
      join private.webhooks w on w.user_id = m.user_id and not w.is_paused and w.switched_off_at is null and m.event = any (w.events)
      where (
        select count(*) < 2000 from (select from private.webhook_deliveries d where d.webhook_id = w.id and d.status = 'waiting' limit 2000) d
      )
    ),
    waiting as materialized (
      select w.user_id, sum(octet_length(d.body)) as bytes
      from private.webhooks w join private.webhook_deliveries d on d.webhook_id = w.id and d.status = 'waiting'
      where w.user_id in (select m.user_id from messages m) group by w.user_id
    )
    insert into private.webhook_deliveries (user_id, webhook_id, event, batch, body)
    select m.user_id, t.webhook_id, m.type, current, m.body
    from told t join messages m on m.number = t.number left join waiting a on a.user_id = t.user_id
    where t.bytes + coalesce(a.bytes, 0) <= private.most_webhook_bytes()
    order by t.number
    returning *
  loop
    perform private.plan_delivery(delivery);
  end loop;
  return null;
end
$$;
comment on function private.note_for_webhooks is
  'Makes messages for webhooks of what a statement changed, with up to 50 records each. Where 2,000 wait already, or 50 MB for all webhooks of the account, none are added. A definer because nobody else writes deliveries and jobs.';

create trigger note_for_webhooks after insert on public.changes
  referencing new table as new_rows
  for each statement execute function private.note_for_webhooks();

-- What the user does ------------------------------------------------------------------------------------------

create function private.check_webhook(url text, events text[]) returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  if url is null or char_length(url) > 2000 or url !~* '^https?://[^\s/?#@\\]+([/?][^\s#]*)?$' then
    raise exception 'A webhook needs an address that begins with https:// or http://, without a name and password. Nothing was saved.'
      using errcode = 'PT400';
  end if;
  if events is null or cardinality(events) = 0 or not events <@ private.webhook_events() then
    raise exception 'Choose at least one event. Nothing was saved.' using errcode = 'PT400';
  end if;
end
$$;

create function private.give_webhook_secret(webhook uuid) returns text
language plpgsql
security definer
set search_path = ''
as $$
declare
  -- 32 random bytes, of two ids of which 244 bits are random, in the form that Standard Webhooks prescribes.
  fresh text := 'whsec_' || encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'base64');
begin
  insert into private.webhook_secrets as s (webhook_id, secret)
  select w.id, fresh from private.webhooks w where w.id = webhook and w.user_id = private.caller()
  on conflict (webhook_id) do update set secret = excluded.secret, former = s.secret, former_until = now() + interval '1 day';
  return case when found then fresh end;
end
$$;
comment on function private.give_webhook_secret is
  'A new secret for a webhook of the caller; null where they have no such webhook. A definer because nobody else reads or writes secrets.';

create function public.create_webhook(url text, events text[]) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  made uuid;
begin
  perform private.check_webhook(btrim(url), events);
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null then
    raise exception 'Webhooks are sent by the server of Solo CRM, and this project has none. Nothing was saved.' using errcode = 'PT409';
  end if;
  if (select count(*) >= 20 from private.webhooks w where w.user_id = me) then
    raise exception 'There are 20 webhooks already. Nothing was saved; delete one first.' using errcode = 'PT409';
  end if;
  insert into private.webhooks (url, events) values (btrim(create_webhook.url), create_webhook.events) returning id into made;
  return jsonb_build_object('id', made, 'secret', private.give_webhook_secret(made));
end
$$;
comment on function public.create_webhook is 'Makes a webhook. This answer is the only place where its secret ever stands.';

create function private.expect_webhook(was_there boolean) returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  if not coalesce(was_there, false) then
    raise exception 'This webhook no longer exists. Nothing was saved.' using errcode = 'PT404';
  end if;
end
$$;

create function public.change_webhook(id uuid, url text, events text[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.check_webhook(btrim(url), events);
  update private.webhooks w set url = btrim(change_webhook.url), events = change_webhook.events
  where w.user_id = private.caller() and w.id = change_webhook.id;
  perform private.expect_webhook(found);
end
$$;
comment on function public.change_webhook is 'Another address or other events. What waits goes to the new address.';

create function public.pause_webhook(id uuid, pause boolean) returns void
language plpgsql
set search_path = ''
as $$
begin
  update private.webhooks w set is_paused = coalesce(pause, true), switched_off_at = null, failing_since = null
  where w.user_id = private.caller() and w.id = pause_webhook.id;
  perform private.expect_webhook(found);
end
$$;
comment on function public.pause_webhook is
  'Pauses a webhook, or lets it go on; what happens while it is paused is not told. Either way one that was switched off is decided about.';

create function public.delete_webhook(id uuid) returns void
language sql
set search_path = ''
as $$ delete from private.webhooks w where w.user_id = private.caller() and w.id = delete_webhook.id $$;
comment on function public.delete_webhook is 'Deletes a webhook with its deliveries. What waits is not sent.';

create function public.renew_webhook_secret(id uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  secret text := private.give_webhook_secret(renew_webhook_secret.id);
begin
  perform private.expect_webhook(secret is not null);
  return jsonb_build_object('secret', secret);
end
$$;
comment on function public.renew_webhook_secret is
  'A new secret. This answer is the only place where it ever stands. For a day messages are signed with the former one, too.';

create function public.webhooks() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', w.id, 'url', w.url, 'events', to_jsonb(w.events), 'is_paused', w.is_paused, 'failing_since', w.failing_since,
    'switched_off_at', w.switched_off_at, 'last', (
      select jsonb_build_object('status', d.status, 'at', d.tried_at) from private.webhook_deliveries d
      where d.user_id = w.user_id and d.webhook_id = w.id and d.tried_at is not null order by d.tried_at desc limit 1
    )) order by w.created_at, w.id), '[]')
  from private.webhooks w where w.user_id = private.caller()
$$;
comment on function public.webhooks is 'The webhooks of the account, oldest first, without their secrets.';

create function public.webhook_deliveries(webhook uuid, before timestamptz default null) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', d.id, 'event', d.event, 'status', d.status, 'tries', d.tries, 'http_status', d.http_status, 'problem', d.problem,
    'answer', d.answer, 'body', left(d.body, 20000), 'at', d.created_at, 'tried_at', d.tried_at) order by d.created_at desc, d.id), '[]')
  from (
    select * from private.webhook_deliveries d
    where d.user_id = private.caller() and d.webhook_id = webhook_deliveries.webhook
      and (webhook_deliveries.before is null or d.created_at < webhook_deliveries.before)
    order by d.created_at desc, d.id limit 30
  ) d
$$;
comment on function public.webhook_deliveries is 'Thirty messages to a webhook, newest first: what was sent, and what became of it.';

create function public.test_webhook(id uuid) returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  hook private.webhooks;
  delivery private.webhook_deliveries;
begin
  select w.* into hook from private.webhooks w where w.user_id = private.caller() and w.id = test_webhook.id;
  perform private.expect_webhook(hook.id is not null);
  if (select count(*) >= 10 from private.webhook_deliveries d where d.webhook_id = hook.id and d.event = 'test' and d.created_at > now() - interval '1 minute') then
    raise exception 'Ten tests a minute are enough. Nothing was sent; try again in a moment.' using errcode = 'PT429';
  end if;
  insert into private.webhook_deliveries (user_id, webhook_id, event, is_asked, body)
  values (hook.user_id, hook.id, 'test', true, private.webhook_body('test', now(), '{"records": []}'))
  returning * into delivery;
  perform private.plan_delivery(delivery);
  return jsonb_build_object('id', delivery.id);
end
$$;
comment on function public.test_webhook is 'Sends a message that tells of nothing. A definer because nobody else writes deliveries and jobs.';

create function public.send_webhook_again(delivery uuid) returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  again private.webhook_deliveries;
  asked timestamptz[];
begin
  update private.webhook_deliveries d set status = 'waiting', is_asked = true, problem = null
  where d.user_id = private.caller() and d.id = send_webhook_again.delivery
  returning * into again;
  if again.id is null then
    raise exception 'This delivery no longer exists. Nothing was sent.' using errcode = 'PT404';
  end if;
  update private.webhooks w set sent_again_at =
    array(select x.at from unnest(w.sent_again_at) x (at) where x.at > now() - interval '1 minute') || now()
  where w.id = again.webhook_id
  returning w.sent_again_at into asked;
  if cardinality(asked) > 10 then
    raise exception 'Ten times a minute are enough. Nothing was sent; try again in a moment.' using errcode = 'PT429';
  end if;
  perform private.plan_delivery(again);
end
$$;
comment on function public.send_webhook_again is
  'Sends a message once more, with the same id, so that its receiver can tell. A definer because nobody else writes deliveries and jobs.';

-- What the server does ----------------------------------------------------------------------------------------

create function private.delivery_to_send(delivery uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  d private.webhook_deliveries;
  hook private.webhooks;
begin
  select x.* into d from private.webhook_deliveries x where x.id = delivery and x.status = 'waiting';
  if d.id is null then
    return null;
  end if;
  -- An import, for instance, is told when it is written whole, and not at all when it was taken back.
  if exists (select from private.unfinished_work u where u.user_id = d.user_id) then
    return '{"later": true}';
  end if;
  if d.batch is not null and not d.is_asked and not exists (select from public.changes c where c.user_id = d.user_id and c.batch = d.batch) then
    delete from private.webhook_deliveries x where x.id = d.id;
    return null;
  end if;
  select w.* into hook from private.webhooks w where w.id = d.webhook_id;
  if not d.is_asked and (hook.is_paused or hook.switched_off_at is not null) then
    update private.webhook_deliveries x set status = 'failed', problem = 'The webhook was paused before this was sent.' where x.id = d.id;
    return null;
  end if;
  return jsonb_build_object('url', hook.url, 'body', d.body, 'secrets', (
    select jsonb_build_array(s.secret) || case when s.former_until > now() then jsonb_build_array(s.former) else '[]' end
    from private.webhook_secrets s where s.webhook_id = hook.id
  ));
end
$$;
comment on function private.delivery_to_send is
  'What is to be sent, where to, and the secrets to sign it with; "later" while long work is done half; null where nothing is to be sent any more.';

create function private.note_delivery(
  delivery uuid, is_delivered boolean, is_last boolean, http_status integer, problem text, answer text
)
returns void
language plpgsql
set search_path = ''
as $$
declare
  hook uuid;
begin
  update private.webhook_deliveries d set
    status = case when is_delivered then 'delivered' when is_last then 'failed' else 'waiting' end,
    tries = d.tries + 1, tried_at = clock_timestamp(), http_status = note_delivery.http_status,
    problem = left(note_delivery.problem, 300), answer = left(note_delivery.answer, 500)
  where d.id = delivery
  returning d.webhook_id into hook;
  update private.webhooks w set failing_since = null where w.id = hook and is_delivered and w.failing_since is not null;
  update private.webhooks w set
    failed_at = now(),
    failing_since = coalesce(w.failing_since, now()),
    failed_for = f.failed_for,
    switched_off_at = case when f.failed_for >= interval '7 days' then now() end
  from (
    select x.id, case when x.failing_since is null then interval '0'
      else x.failed_for + least(greatest(now() - x.failed_at, interval '0'), interval '1 day') end as failed_for
    from private.webhooks x where x.id = hook for update
  ) f
  where w.id = f.id and not is_delivered and w.switched_off_at is null and not w.is_paused;
end
$$;
comment on function private.note_delivery is
  'Notes what became of a try. A webhook that has been seen failing for a week, and of which nothing arrived meanwhile, is switched off.';

create function private.forget_deliveries() returns void
language sql
set search_path = ''
as $$
  delete from private.webhook_deliveries d where d.created_at < now() - interval '14 days';
  delete from private.webhook_deliveries d
  using (
    select s.id, sum(octet_length(s.body)) over (partition by s.user_id order by s.created_at desc, s.id) as bytes
    from private.webhook_deliveries s where s.status <> 'waiting'
  ) kept
  where d.id = kept.id and kept.bytes > private.most_webhook_bytes();
$$;
comment on function private.forget_deliveries is
  'Erases what was sent two weeks ago, because it holds data that its owner may have deleted since, and what is more than 50 MB of an account, the oldest first.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.webhook_events(), private.plan_delivery(private.webhook_deliveries),
  private.webhook_events_of(public.changes), private.webhook_body(text, timestamptz, jsonb),
  private.most_webhook_bytes(), private.note_for_webhooks(), private.check_webhook(text, text[]), private.give_webhook_secret(uuid),
  public.create_webhook(text, text[]), private.expect_webhook(boolean), public.change_webhook(uuid, text, text[]),
  public.pause_webhook(uuid, boolean), public.delete_webhook(uuid), public.renew_webhook_secret(uuid),
  public.webhooks(), public.webhook_deliveries(uuid, timestamptz), public.test_webhook(uuid),
  public.send_webhook_again(uuid), private.delivery_to_send(uuid),
  private.note_delivery(uuid, boolean, boolean, integer, text, text), private.forget_deliveries()
  from public, anon, authenticated;
grant execute on function
  private.webhook_events(), private.check_webhook(text, text[]), private.give_webhook_secret(uuid),
  public.create_webhook(text, text[]), private.expect_webhook(boolean), public.change_webhook(uuid, text, text[]),
  public.pause_webhook(uuid, boolean), public.delete_webhook(uuid), public.renew_webhook_secret(uuid),
  public.webhooks(), public.webhook_deliveries(uuid, timestamptz), public.test_webhook(uuid),
  public.send_webhook_again(uuid)
  to authenticated, service_role;
