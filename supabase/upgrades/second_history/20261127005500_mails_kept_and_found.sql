-- Mails in backups, in the search and for windows that slept. A backup holds the mails and the servers of an account, and never a
-- password. See docs/decisions/061-mail.md.

-- Backups -----------------------------------------------------------------------------------------------------

-- When mails are read and restored: private.record_kinds (20261130000100_record_kinds.sql).
create function private.place_mails(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- The same address is the same account, and the same Message-ID the same mail.
  update private.restore_rows m set said = m.said || jsonb_build_object('account_id', t.id)
  from private.restore_rows s join public.mail_accounts t on t.user_id = me and lower(t.address) = lower(s.said ->> 'address')
  where s.restore_id = restore and s.kind = 'mail_accounts' and s.is_new
    and m.restore_id = restore and m.kind = 'mails' and (m.said ->> 'account_id')::uuid = s.new_id;
  update private.restore_rows s set is_new = false, new_id = t.id from public.mail_accounts t
  where s.restore_id = restore and s.kind = 'mail_accounts' and s.is_new and t.user_id = me and lower(t.address) = lower(s.said ->> 'address');
  update private.restore_rows s set is_new = false from public.mails t
  where s.restore_id = restore and s.kind = 'mails' and s.is_new and t.user_id = me and t.message_id = s.said ->> 'message_id';
  -- Deals and contacts may have other ids here.
  update private.restore_rows s set said = s.said || jsonb_build_object('deal', d.new_id)
  from private.restore_rows d
  where s.restore_id = restore and s.kind = 'mails' and s.is_new and s.said ->> 'deal' is not null
    and d.restore_id = restore and d.kind = 'deals' and d.old_id = (s.said ->> 'deal')::uuid and d.new_id <> d.old_id;
  update private.restore_rows s set said = s.said || jsonb_build_object('contact', c.new_id)
  from private.restore_rows c
  where s.restore_id = restore and s.kind = 'mail_exclusions' and s.is_new and s.said ->> 'contact' is not null
    and c.restore_id = restore and c.kind = 'contacts' and c.old_id = (s.said ->> 'contact')::uuid and c.new_id <> c.old_id;
  update private.restore_rows s set is_new = false from public.mail_exclusions t
  where s.restore_id = restore and s.kind = 'mail_exclusions' and s.is_new and t.user_id = me
    and (t.value = s.said ->> 'value' or t.contact = (s.said ->> 'contact')::uuid);
end
$$;
comment on function private.place_mails is
  'Which mails, servers and exclusions of a backup the account has already, and where the others lead to.';

-- Search ------------------------------------------------------------------------------------------------------

select private.make_searchable('public.mails', '{subject}');
create index mails_by_title on public.mails (user_id, left(private.fold(coalesce(subject, '')), 100) text_pattern_ops);

create or replace function private.title_of(kind text) returns text
language sql immutable
set search_path = ''
as $$
  select format('private.fold(%s)', case kind
    when 'contacts' then $e$btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))$e$
    when 'tasks' then 'c.title'
    when 'mails' then $e$coalesce(c.subject, '')$e$
    else 'c.name'
  end)
$$;

create or replace function private.search_card(kind text, id uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select case kind
    when 'contacts' then (
      select jsonb_build_object('title', btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')),
        'about', (select k.name from public.companies k where k.id = c.company_id),
        'email', c.email, 'phone_number', c.phone_number)
      from public.contacts c where c.id = search_card.id
    )
    when 'companies' then (
      select jsonb_build_object('title', c.name, 'about', nullif(concat_ws(' · ', c.industry, c.location), ''))
      from public.companies c where c.id = search_card.id
    )
    when 'deals' then (
      select jsonb_build_object('title', c.name, 'value', c.value, 'currency', c.currency,
        'about', (select k.name from public.companies k where k.id = c.company_id),
        'stage', (select s.name from public.pipeline_stages s where s.id = c.stage_id))
      from public.deals c where c.id = search_card.id
    )
    when 'tasks' then (
      select jsonb_build_object('title', c.title, 'due_date', c.due_date, 'completed', c.completed, 'about', coalesce(
        (select nullif(btrim(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '')), '')
          from public.contacts p where p.id = c.contact_id),
        (select k.name from public.companies k where k.id = c.company_id),
        (select d.name from public.deals d where d.id = c.deal_id)))
      from public.tasks c where c.id = search_card.id
    )
    when 'files' then (
      select jsonb_build_object('title', c.name, 'about', o.of ->> 'name', 'of', o.of - 'name')
      from public.files c
      cross join lateral (select private.origin_of('', null, c.contact_id, c.company_id, c.deal_id) as of) o
      where c.id = search_card.id
    )
    when 'mails' then (
      select jsonb_build_object('title', c.subject, 'thread', c.thread, 'sent_at', c.sent_at, 'about', k.name,
        'of', jsonb_build_object('record', k.record, 'id', k.id))
      from public.mails c
      -- On a person rather than on the company or the deal; what lies in the trash has no page.
      cross join lateral (
        select 1 as place, 'contact' as record, p.id, coalesce(nullif(btrim(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '')), ''), p.email) as name
        from private.mail_links l join public.contacts p on p.id = l.contact_id where l.mail_id = c.id
        union all
        select 2, 'company', p.id, p.name from private.mail_links l join public.companies p on p.id = l.company_id where l.mail_id = c.id
        union all
        select 3, 'deal', p.id, p.name from private.mail_links l join public.deals p on p.id = l.deal_id where l.mail_id = c.id
        order by place, id limit 1
      ) k
      where c.id = search_card.id
    )
  end || jsonb_build_object('kind', kind, 'id', id)
$$;

create or replace function private.hits(words text) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  kinds text[] := array['contacts', 'companies', 'deals', 'tasks', 'files', 'mails'];
  hits jsonb;
begin
  select coalesce(jsonb_agg(to_jsonb(b) - 'at' order by b.rank, b.at desc, b.id), '[]')
  into hits
  from (
    select k.kind, m.id, m.rank, m.at
    from unnest(kinds) as k (kind) cross join lateral private.matches(k.kind, me, words, 8) m
    order by m.rank, m.at desc, m.id limit 20
  ) b;
  if jsonb_array_length(hits) < 3 and char_length(btrim(words)) >= 4 then
    hits := hits || (
      select coalesce(jsonb_agg(to_jsonb(b) - 'at' - 'likeness' order by b.likeness desc, b.at desc, b.id), '[]')
      from (
        select k.kind, m.id, m.rank, m.at, m.likeness
        from unnest(kinds) as k (kind) cross join lateral private.similar(k.kind, me, words, 5) m
        where not hits @> jsonb_build_array(jsonb_build_object('id', m.id))
        order by m.likeness desc, m.at desc, m.id limit 5
      ) b
    );
  end if;
  return hits;
end
$$;

-- A window that slept -----------------------------------------------------------------------------------------

create or replace function private.newest_change(account uuid) returns text
language sql stable
set search_path = ''
as $$
  -- The fifty newest batches, not the newest number of the log: of two transactions, the one that began first may be
  -- committed last. From batch to batch by the index, however many rows each has.
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
    (select max(c.id) from public.changes c where c.user_id = account and c.batch = (select s.batch from steps s where s.number = 1)),
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

-- As the marks of preferences and proposals, read for the caller's own account.
grant select on private.mail_marks to authenticated;
create policy "Owners read their marks of mail" on private.mail_marks
  for select to authenticated using (user_id = (select auth.uid()));

revoke all on function private.place_mails(uuid, uuid) from public, anon, authenticated;
