-- What a window that slept, or lost its connection, asks for: whether anything has changed since it last heard. Decision 050.

create function private.newest_change(account uuid) returns text
language sql stable
set search_path = ''
as $$
  -- The fifty newest batches, because of two transactions the one that began first may be committed last. From batch to batch by
  -- the index, however many rows each has. And the fifty newest rows, because a write that waited on a device, or that joins an
  -- older batch, is logged at an earlier moment than others.
  with recursive steps as (
    (
      select 1 as number, c.created_at, c.batch from public.changes c
      where c.user_id = account order by c.created_at desc, c.batch desc limit 1
    )
    union all
    select s.number + 1, n.created_at, n.batch
    from steps s
    cross join lateral (
      select c.created_at, c.batch from public.changes c
      where c.user_id = account and (c.created_at, c.batch) < (s.created_at, s.batch)
      order by c.created_at desc, c.batch desc limit 1
    ) n
    where s.number < 50
  )
  select md5(concat_ws(' ',
    (select string_agg(s.batch::text, ' ' order by s.number) from steps s),
    (select string_agg(n.id::text, ' ') from (
      select c.id from public.changes c where c.user_id = account order by c.id desc limit 50
    ) n),
    (select p::text from public.preferences p where p.user_id = account),
    (select f.updated_at from public.calendar_feeds f where f.user_id = account),
    'cards', (select f.updated_at from public.card_feeds f where f.user_id = account),
    (select string_agg(p.id::text || p.updated_at, ' ' order by p.id) from private.proposals p where p.user_id = account),
    (select string_agg(concat(t.id, t.revoked_at), ' ' order by t.id) from private.access_tokens t where t.user_id = account),
    (select string_agg(w::text, ' ' order by w.id) from private.webhooks w where w.user_id = account),
    (select max(d.tried_at) from private.webhook_deliveries d where d.user_id = account),
    (select string_agg(s.id::text, ' ') from (
      select f.id from public.form_submissions f
      where f.user_id = account and f.status = 'waiting' order by f.created_at desc, f.id limit 50
    ) s),
    'mails', (select m.mark from private.mail_marks m where m.user_id = account)
  ))
$$;
comment on function private.newest_change is
  'A mark of the newest changes of an account: it is another one as soon as anything has changed.';

create function private.newest_write() returns timestamptz
language sql stable
security definer
set search_path = ''
as $$
  select greatest(
    (select c.created_at from public.changes c where c.user_id = private.caller() order by c.created_at desc limit 1),
    (select w.created_at from private.sent_writes w where w.user_id = private.caller() order by w.created_at desc limit 1)
  )
$$;
comment on function private.newest_write is
  'When the caller''s account was last written to. What waited on a device is logged when it was made, so the time of its arrival counts, too. A definer because nobody else reads private.sent_writes.';

create function public.newest_change() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'mark', private.newest_change(me.id), 'age', (extract(epoch from now() - private.newest_write()) * 1000)::bigint
  )
  from (select private.caller() as id) me
$$;
comment on function public.newest_change is
  'Whether anything of the caller has changed, for a window that has heard nothing for a while: the mark is then another one than before. The age of the newest write, in milliseconds, is for a window that has no mark yet.';

-- What waits for the user -------------------------------------------------------------------------------------

-- Every screen asks for this, so it returns counts and not the rows.

create function public.waiting_counts() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'proposals', (select count(*) from private.proposals p where p.user_id = private.caller() and private.is_waiting(p)),
    'leads', (
      select count(*) from public.form_submissions s
      -- What looks like spam calls nobody.
      where s.user_id = private.caller() and s.status = 'accepted' and s.seen_at is null
    ),
    'webhooks', (select count(*) from private.webhooks w where w.user_id = private.caller() and w.switched_off_at is not null)
  )
$$;
comment on function public.waiting_counts is
  'How many proposals, new leads and switched-off webhooks wait for the user to look at them.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.newest_change(uuid), private.newest_write(), public.newest_change(), public.waiting_counts()
  from public, anon, authenticated;
grant execute on function
  private.newest_change(uuid), private.newest_write(), public.newest_change(), public.waiting_counts()
  to authenticated, service_role;
