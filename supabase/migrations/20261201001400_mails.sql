-- Mails from or to people the user knows. The server reads them from the mailbox; the database decides which ones are kept, whom
-- they concern and which belong to one conversation. See docs/decisions/061-mail.md.

create table public.mails (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  account_id uuid,
  message_id text not null,
  refs text[] not null default '{}',
  thread uuid,
  direction text not null default 'in',
  sender text,
  sender_name text,
  recipients jsonb not null default '[]',
  addresses text[] not null default '{}',
  subject text,
  snippet text,
  body_text text,
  body_html text,
  is_cut boolean not null default false,
  sent_at timestamptz not null default now(),
  attachments jsonb not null default '[]',
  folder text,
  folder_validity bigint,
  uid bigint,
  is_automatic boolean not null default false,
  is_doubtful boolean not null default false,
  is_private boolean not null default false,
  deal uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint mails_account_id_fkey foreign key (user_id, account_id) references public.mail_accounts (user_id, id)
    on delete set null (account_id) deferrable initially immediate,
  constraint mails_message_id_length check (char_length(message_id) between 1 and 500),
  constraint mails_refs_length check (cardinality(refs) <= 100),
  constraint mails_direction_known check (direction in ('in', 'out')),
  constraint mails_sender_length check (char_length(sender) <= 320),
  constraint mails_sender_name_length check (char_length(sender_name) <= 300),
  constraint mails_recipients_size check (jsonb_typeof(recipients) = 'array' and octet_length(recipients::text) <= 500000),
  constraint mails_addresses_length check (cardinality(addresses) <= 1000),
  constraint mails_subject_length check (char_length(subject) <= 1000),
  constraint mails_snippet_length check (char_length(snippet) <= 300),
  constraint mails_body_text_size check (octet_length(body_text) <= 1000000),
  constraint mails_body_html_size check (octet_length(body_html) <= 2000000),
  constraint mails_attachments_size check (jsonb_typeof(attachments) = 'array' and octet_length(attachments::text) <= 100000),
  constraint mails_folder_length check (char_length(folder) <= 1000),
  constraint mails_sent_at_sensible check (sent_at >= timestamptz '1970-01-01 00:00+00' and sent_at < timestamptz '2201-01-01 00:00+00')
);
alter table public.mails enable row level security;
comment on table public.mails is
  'Mails from or to people the user knows. Not in the log: they are copies of what lies in the mailbox, nobody edits them, and whoever deletes one or calls it private means at once.';
comment on column public.mails.message_id is 'By which the same mail is known wherever it lies; private mails keep it, so that they are not read again.';
comment on column public.mails.refs is 'The Message-IDs that it answers, the oldest first.';
comment on column public.mails.thread is 'The conversation: the same for all mails that answer each other.';
comment on column public.mails.recipients is 'In their order: {"role": "to", "cc" or "bcc", "name", "address"}.';
comment on column public.mails.addresses is 'Everybody on the mail, in lower case. Set by the database.';
comment on column public.mails.body_html is 'As it came. It is only ever shown sanitised, in a frame without rights.';
comment on column public.mails.attachments is 'What is attached: {"part", "name", "type", "size", "cid"}. The bytes stay in the mailbox until they are asked for.';
comment on column public.mails.uid is 'Its number in the folder, as long as the folder has this validity.';
comment on column public.mails.is_automatic is 'A newsletter, an automatic answer: nobody has written to anybody.';
comment on column public.mails.is_doubtful is 'The mail server says that the sender may be forged.';
comment on column public.mails.is_private is 'Nothing is kept of it but that it is not to be read.';
comment on column public.mails.deal is
  'The deal that it is about. No foreign key: a deal that comes back out of the trash has its mails again, which the log does not tell.';

create unique index mails_once on public.mails (user_id, message_id);
create index mails_by_account on public.mails (user_id, account_id);
create index mails_by_thread on public.mails (user_id, thread, sent_at desc);
create index mails_by_time on public.mails (user_id, sent_at desc, id desc);
create index mails_by_refs on public.mails using gin (user_id, refs);
create index mails_by_address on public.mails using gin (user_id, addresses);

select
  private.open_to_owner('public.mails',
    '{account_id,message_id,refs,thread,direction,sender,sender_name,recipients,subject,snippet,body_text,body_html,is_cut,sent_at,attachments,folder,folder_validity,uid,is_automatic,is_doubtful,is_private,deal}'),
  private.announce_table('public.mails');

-- Exclusions --------------------------------------------------------------------------------------------------

create table public.mail_exclusions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  value text,
  contact uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint mail_exclusions_one check (num_nonnulls(value, contact) = 1),
  constraint mail_exclusions_value_form check (char_length(value) <= 320 and value ~ '^([^\s@]+@)?[^\s@]+$' and value = lower(value))
);
alter table public.mail_exclusions enable row level security;
comment on table public.mail_exclusions is
  'Whose mails are never kept: an address, a domain, or all addresses of a contact ("private"). Not in the log, and without a foreign key: a contact that comes back out of the trash must still be private.';

create unique index mail_exclusions_once on public.mail_exclusions (user_id, value);
create unique index mail_exclusions_contact_once on public.mail_exclusions (user_id, contact);

create function private.tidy_mail_exclusion() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- As people type a domain: "@acme.com", "ACME.com".
  new.value := lower(ltrim(private.blank_to_null(new.value), '@'));
  -- A word without a dot would be taken for a domain that leaves out nobody. What a backup brings back was accepted before.
  if current_user = 'authenticated' and new.contact is null
    and coalesce(new.value !~ '^([^\s@]+@)?[^\s@.]+(\.[^\s@.]+)+$', true) then
    raise exception 'Enter an address or a domain, such as acme.com. Nothing was saved.' using errcode = 'PT400';
  end if;
  return new;
end
$$;

create trigger tidy before insert or update on public.mail_exclusions
  for each row execute function private.tidy_mail_exclusion();

select
  private.open_to_owner('public.mail_exclusions', '{value,contact}'),
  private.announce_table('public.mail_exclusions');

-- Contacts and companies by address ---------------------------------------------------------------------------

create function private.entry_addresses(emails jsonb) returns text[]
language sql immutable parallel safe
set search_path = ''
as $$ select coalesce(array_agg(lower(e ->> 'value')), '{}') from jsonb_array_elements(emails) e $$;
comment on function private.entry_addresses is 'The addresses of a list of entries, in lower case.';

-- The first address of a contact is in contacts_by_email; this index is small, because few contacts have more.
create index contacts_by_further_address on public.contacts using gin (user_id, private.entry_addresses(emails))
  where jsonb_array_length(emails) > 1;
create index companies_by_address on public.companies using gin (user_id, private.entry_addresses(emails)) where emails <> '[]';

create function private.people_at(me uuid, wanted text[]) returns table (address text, contact_id uuid, company_id uuid)
language sql stable
set search_path = ''
as $$
  select lower(c.email), c.id, null::uuid from public.contacts c
  where c.user_id = me and lower(c.email) = any (wanted)
  union
  select a.address, c.id, null from public.contacts c cross join lateral unnest(private.entry_addresses(c.emails)) a (address)
  where c.user_id = me and jsonb_array_length(c.emails) > 1 and private.entry_addresses(c.emails) && wanted and a.address = any (wanted)
  union
  select a.address, null, k.id from public.companies k cross join lateral unnest(private.entry_addresses(k.emails)) a (address)
  where k.user_id = me and k.emails <> '[]' and private.entry_addresses(k.emails) && wanted and a.address = any (wanted)
$$;
comment on function private.people_at is 'The contacts and companies of an account that have one of these addresses, by any of their entries.';

create function private.own_addresses(me uuid) returns text[]
language sql stable
set search_path = ''
as $$
  select array(
    select lower(a.address) from public.mail_accounts a where a.user_id = me
    union
    select lower(a.login) from public.mail_accounts a where a.user_id = me and a.login like '%@%'
    union
    select lower(u.email) from auth.users u where u.id = me
  )
$$;
comment on function private.own_addresses is 'The user''s own addresses, which make nobody known.';

create function private.left_out(me uuid, wanted text[]) returns text[]
language sql stable
set search_path = ''
as $$
  select case when not exists (select from public.mail_exclusions x where x.user_id = me) then '{}'::text[] else array(
    select w.address from unnest(wanted) w (address)
    where exists (
      select from public.mail_exclusions x
      where x.user_id = me and (
        x.value = w.address or x.value = split_part(w.address, '@', 2)
        -- Of a domain all that is below it.
        or x.value !~ '@' and w.address like '%.' || replace(replace(x.value, '\', '\\'), '_', '\_')
      )
    )
    or exists (
      select from public.mail_exclusions x join public.contacts c on c.user_id = me and c.id = x.contact
      where x.user_id = me and w.address = any (private.entry_addresses(c.emails))
    )
  ) end
$$;
comment on function private.left_out is 'Which of these addresses the user has left out: by themselves, by their domain, or because a contact is private.';

create function private.may_concern(direction text, sender text, shut text[]) returns boolean
language sql immutable
set search_path = ''
as $$ select direction = 'out' or sender is null or sender <> all (shut) $$;
comment on function private.may_concern is 'What somebody writes who is left out concerns nobody, whoever else gets it.';

create function private.concerned(me uuid, direction text, sender text, others text[])
returns table (contact_id uuid, company_id uuid)
language sql stable
set search_path = ''
as $$
  with shut as materialized (select private.left_out(me, others) as addresses)
  select p.contact_id, p.company_id
  from shut s
  cross join lateral private.people_at(me, array(
    select o.address from unnest(others) o (address)
    where o.address <> all (s.addresses) and o.address <> all (private.own_addresses(me))
  )) p
  where private.may_concern(direction, sender, s.addresses)
$$;
comment on function private.concerned is
  'Whom a mail concerns: everybody on it who is known and not left out; nobody when its sender is left out. A mail that concerns nobody is not kept.';

-- Whom a mail concerns ----------------------------------------------------------------------------------------

create table private.mail_links (
  mail_id uuid not null references public.mails (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  contact_id uuid,
  company_id uuid,
  deal_id uuid,
  at timestamptz not null,
  counts boolean not null,
  constraint mail_links_one check (num_nonnulls(contact_id, company_id, deal_id) = 1)
);
alter table private.mail_links enable row level security;
comment on table private.mail_links is
  'Whom each mail concerns. Follows from the addresses of today, so it is neither logged nor backed up. No foreign keys to the records: one that comes back out of the trash has its mails again. Clients only read it.';
comment on column private.mail_links.counts is 'Whether the mail is a contact with somebody: not a newsletter, nor one whose sender may be forged.';

create index mail_links_by_mail on private.mail_links (mail_id);
create index mail_links_by_contact on private.mail_links (user_id, contact_id, at desc, mail_id desc) where contact_id is not null;
create index mail_links_by_company on private.mail_links (user_id, company_id, at desc, mail_id desc) where company_id is not null;
create index mail_links_by_deal on private.mail_links (user_id, deal_id, at desc, mail_id desc) where deal_id is not null;
revoke all on private.mail_links from public, anon, authenticated;
grant select on private.mail_links to authenticated;
grant all on private.mail_links to service_role;
create policy "Owners read whom their mails concern" on private.mail_links
  for select to authenticated using (user_id = (select auth.uid()));

create function private.link_mail(mail public.mails) returns void
language sql
set search_path = ''
as $$
  delete from private.mail_links l where l.mail_id = mail.id;
  insert into private.mail_links (mail_id, user_id, contact_id, company_id, deal_id, at, counts)
  select mail.id, mail.user_id, w.contact_id, w.company_id, w.deal_id, mail.sent_at, not mail.is_automatic and not mail.is_doubtful
  from (
    select c.contact_id, c.company_id, null::uuid as deal_id
    from private.concerned(mail.user_id, mail.direction, mail.sender, mail.addresses) c
    union
    -- What is with nobody but people who are left out is kept for no deal either.
    select null, null, mail.deal where mail.deal is not null and (
      private.left_out(mail.user_id, mail.addresses) = '{}'
      or exists (select from private.concerned(mail.user_id, mail.direction, mail.sender, mail.addresses))
    )
  ) w
  where not mail.is_private
$$;
comment on function private.link_mail is 'Finds anew whom a mail concerns.';

create function private.tidy_mail() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  new.sender := lower(new.sender);
  new.addresses := array(
    select distinct lower(a.address) from (
      select new.sender as address
      union all
      select r ->> 'address' from jsonb_array_elements(new.recipients) r where jsonb_typeof(new.recipients) = 'array' and jsonb_typeof(r) = 'object'
    ) a where a.address is not null order by 1 limit 1000
  );
  if new.is_private then
    new.sender := null; new.sender_name := null; new.recipients := '[]'; new.addresses := '{}'; new.subject := null;
    new.snippet := null; new.body_text := null; new.body_html := null; new.attachments := '[]'; new.refs := '{}'; new.deal := null;
    new.thread := new.id;
  end if;
  if tg_op = 'INSERT' and new.thread is null then
    -- What it answers, what answers it, and what answers the same, though that was never read.
    select m.thread into new.thread from public.mails m
    where m.user_id = new.user_id and (m.message_id = any (new.refs) or m.refs && (new.refs || new.message_id))
    order by m.sent_at limit 1;
    new.thread := coalesce(new.thread, new.id);
  end if;
  return new;
end
$$;
comment on function private.tidy_mail is
  'Derives what follows from a mail: its addresses and its conversation. Of a private one nothing stays. A definer because no index serves a search of lists under a policy.';

create trigger tidy before insert or update on public.mails for each row execute function private.tidy_mail();

create function private.place_mail() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  single uuid;
begin
  if tg_op = 'INSERT' and not new.is_private then
    -- Two conversations that this one joins are one.
    update public.mails m set thread = new.thread
    where m.user_id = new.user_id and m.thread <> new.thread and not m.is_private
      and (m.message_id = any (new.refs) or m.refs @> array[new.message_id]);
    if new.deal is null and not private.is_restoring() then
      select m.deal into new.deal from public.mails m
      where m.user_id = new.user_id and m.thread = new.thread and m.deal is not null order by m.sent_at desc limit 1;
      if new.deal is null then
        select case when count(*) = 1 then min(c.contact_id::text)::uuid end into single
        from private.concerned(new.user_id, new.direction, new.sender, new.addresses) c where c.contact_id is not null;
        new.deal := private.only_open_deal(single);
      end if;
      if new.deal is not null then
        update public.mails m set deal = new.deal where m.id = new.id;
        return null;
      end if;
    end if;
  end if;
  perform private.link_mail(new);
  return null;
end
$$;
comment on function private.place_mail is
  'Links a mail with whom it concerns: also with the deal of its conversation, or the only open deal of the only contact. A definer because clients never write private.mail_links.';

create trigger place after insert or update of deal, is_private, is_automatic, is_doubtful, sent_at, sender, recipients, direction on public.mails
  for each row execute function private.place_mail();

-- When contacts and companies change --------------------------------------------------------------------------

create table private.mail_wanted (
  account_id uuid not null references public.mail_accounts (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  address text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, address)
);
alter table private.mail_wanted enable row level security;
comment on table private.mail_wanted is
  'Addresses that somebody has got since the mailbox was read: their mails are looked for in it. Gone when that is done.';

create index mail_wanted_by_owner on private.mail_wanted (user_id);
revoke all on private.mail_wanted from public, anon, authenticated, service_role;

create function private.find_mails(owner uuid, wanted text[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.link_mail(m) from public.mails m where m.user_id = owner and m.addresses && wanted;
  insert into private.mail_wanted (account_id, user_id, address)
  select a.id, owner, w.address from public.mail_accounts a cross join unnest(wanted) w (address) where a.user_id = owner order by 1, 3
  on conflict do nothing;
  perform private.read_mailbox_soon(a) from public.mail_accounts a where a.user_id = owner;
end
$$;
comment on function private.find_mails is
  'Whoever gets an address gets its mails: those that are kept at once, those in the mailbox when it is read next.';

create function private.find_mails_of_new() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.find_mails(n.user_id, n.addresses)
  from (
    select r.user_id, array_agg(distinct a.address) as addresses
    from new_rows r cross join lateral unnest(private.entry_addresses(r.emails)) a (address)
    where exists (select from public.mail_accounts k where k.user_id = r.user_id) or exists (select from public.mails m where m.user_id = r.user_id)
    group by r.user_id
  ) n;
  return null;
end
$$;
comment on function private.find_mails_of_new is 'Mails of people who are added. A definer because clients never write private.mail_links.';

create function private.find_mails_of_changed() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.find_mails(new.user_id, private.entry_addresses(new.emails));
  -- An address that is gone takes its mails along.
  perform private.link_mail(m) from public.mails m
  where m.user_id = new.user_id and not m.addresses && private.entry_addresses(new.emails)
    and m.addresses && private.entry_addresses(old.emails);
  return null;
end
$$;
comment on function private.find_mails_of_changed is
  'Mails of somebody whose addresses change. A definer because clients never write private.mail_links.';

create trigger find_mails_of_new after insert on public.contacts
  referencing new table as new_rows for each statement execute function private.find_mails_of_new();
create trigger find_mails_of_new after insert on public.companies
  referencing new table as new_rows for each statement execute function private.find_mails_of_new();
create trigger find_mails_of_changed after update on public.contacts
  for each row when (old.emails is distinct from new.emails) execute function private.find_mails_of_changed();
create trigger find_mails_of_changed after update on public.companies
  for each row when (old.emails is distinct from new.emails) execute function private.find_mails_of_changed();

create function private.drop_left_out() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- What the user has just left out is not kept a moment longer, unless it concerns somebody else too.
  perform private.link_mail(m) from public.mails m
  where m.user_id = new.user_id and private.left_out(new.user_id, m.addresses) <> '{}';
  delete from public.mails m
  where m.user_id = new.user_id and not m.is_private and private.left_out(new.user_id, m.addresses) <> '{}'
    and not exists (select from private.mail_links l where l.mail_id = m.id);
  delete from private.mail_strangers s where s.user_id = new.user_id and private.left_out(new.user_id, array[s.address]) <> '{}';
  return null;
end
$$;
comment on function private.drop_left_out is
  'Deletes the mails that the user has left out. A definer because clients never write private.mail_links.';

create trigger drop_left_out after insert or update on public.mail_exclusions
  for each row execute function private.drop_left_out();

create function private.erase_lost_mails(me uuid) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  gone bigint;
begin
  delete from public.mails m
  where m.user_id = me and not m.is_private and not exists (
    select from private.mail_links l
    where l.mail_id = m.id and (
      exists (select from public.contacts c where c.id = l.contact_id)
      or exists (select from public.companies c where c.id = l.company_id)
      or exists (select from public.deals d where d.id = l.deal_id)
      -- As long as the trash can bring them back.
      or exists (
        select from public.changes h
        where h.user_id = me and h.row_id in (l.contact_id, l.company_id, l.deal_id) and h.verb = 'delete' and h.before is not null
      )
    )
  );
  get diagnostics gone = row_count;
  return gone;
end
$$;
comment on function private.erase_lost_mails is 'Deletes the mails of people who are gone for good.';

-- Which mails of a mailbox are read ---------------------------------------------------------------------------

create function private.sift_mails(me uuid, direction text, envelopes jsonb) returns table (place integer)
language plpgsql stable
set search_path = ''
as $$
declare
  own text[] := private.own_addresses(me);
  -- All people of all envelopes are looked up at once: one by one, a mailbox of thousands would take minutes.
  all_addresses text[] := array(
    select distinct lower(a.address) from jsonb_array_elements(envelopes) e cross join lateral jsonb_array_elements_text(e -> 'addresses') a (address)
  );
  shut text[] := private.left_out(me, all_addresses);
  known text[] := array(
    select distinct p.address from private.people_at(me, array(
      select a.address from unnest(all_addresses) a (address) where a.address <> all (shut) and a.address <> all (own)
    )) p
  );
begin
  return query
  select e.place::integer
  from jsonb_array_elements(envelopes) with ordinality as e (reported, place)
  where not exists (select from public.mails m where m.user_id = me and m.message_id = e.reported ->> 'message_id')
    -- What claims to be from the user and does not lie among the sent mails is forged, or a copy to oneself.
    and (direction = 'out' or lower(e.reported ->> 'sender') <> all (own))
    and private.may_concern(direction, lower(e.reported ->> 'sender'), shut)
    and exists (select from jsonb_array_elements_text(e.reported -> 'addresses') a (address) where lower(a.address) = any (known));
end
$$;
comment on function private.sift_mails is
  'Which of these envelopes ({"message_id", "sender", "addresses"}) are of mails that are kept, by their places from one.';

create function private.store_mail(account uuid, reported jsonb) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  box public.mail_accounts;
  mail public.mails;
begin
  select a.* into box from public.mail_accounts a where a.id = account;
  if box.id is null then
    return null;
  end if;
  mail := jsonb_populate_record(null::public.mails, reported);
  -- The list may have changed while the mail was read.
  if not exists (select from private.sift_mails(box.user_id, mail.direction, jsonb_build_array(jsonb_build_object(
    'message_id', mail.message_id, 'sender', mail.sender, 'addresses', array(
      select mail.sender union all select r ->> 'address' from jsonb_array_elements(mail.recipients) r
    )))))
  then
    return null;
  end if;
  insert into public.mails (user_id, account_id, message_id, refs, direction, sender, sender_name, recipients, subject, snippet, body_text,
    body_html, is_cut, sent_at, attachments, folder, folder_validity, uid, is_automatic, is_doubtful)
  values (box.user_id, box.id, mail.message_id, coalesce(mail.refs, '{}'), mail.direction, mail.sender, mail.sender_name,
    coalesce(mail.recipients, '[]'), mail.subject, mail.snippet, mail.body_text, mail.body_html, coalesce(mail.is_cut, false), mail.sent_at,
    coalesce(mail.attachments, '[]'), mail.folder, mail.folder_validity, mail.uid, coalesce(mail.is_automatic, false),
    coalesce(mail.is_doubtful, false))
  on conflict (user_id, message_id) do nothing
  returning * into mail;
  return mail.id;
end
$$;
comment on function private.store_mail is
  'Keeps a mail out of the mailbox of an account; null where it is there already, concerns nobody, or the account is gone.';

-- Suggested contacts ------------------------------------------------------------------------------------------

create table private.mail_strangers (
  user_id uuid not null references auth.users (id) on delete cascade,
  address text not null,
  name text,
  marks text[] not null,
  last_at timestamptz not null,
  is_declined boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, address)
);
alter table private.mail_strangers enable row level security;
comment on table private.mail_strangers is
  'To whom the user has written who is nobody''s contact: an address and a name, nothing of the mails. Whoever was written to twice is offered as a contact.';
comment on column private.mail_strangers.marks is 'Hashes of the first two mails, so that none counts twice.';

select private.open_to_owner('private.mail_strangers', '{is_declined}');

create function private.note_strangers(me uuid, seen jsonb) returns void
language sql
set search_path = ''
as $$
  insert into private.mail_strangers as s (user_id, address, name, marks, last_at)
  select me, g.address, left(g.name, 200), g.marks[1:2], g.last_at
  from (
    select lower(e ->> 'address') as address, max(private.blank_to_null(e ->> 'name')) as name,
      array_agg(distinct md5(e ->> 'message_id')) as marks, max((e ->> 'sent_at')::timestamptz) as last_at
    from jsonb_array_elements(seen) e where e ->> 'address' ~ '^[^\s@<>,;"]+@[^\s@<>,;"]+$' and char_length(e ->> 'address') <= 320
    group by 1
  ) g
  where g.address <> all (private.own_addresses(me)) and private.left_out(me, array[g.address]) = '{}'
    and g.address !~ '^(no-?reply|do-?not-?reply|mailer-daemon|postmaster|unsubscribe|bounces?)([+.@-]|$)'
    and not exists (select from private.people_at(me, array[g.address]))
  order by g.address
  on conflict (user_id, address) do update set
    marks = (array(select distinct k.mark from unnest(s.marks || excluded.marks) k (mark) order by 1))[1:2],
    name = coalesce(s.name, excluded.name), last_at = greatest(s.last_at, excluded.last_at)
$$;
comment on function private.note_strangers is 'Notes to whom the user has written: {"address", "name", "message_id", "sent_at"} each.';

create function public.mail_suggestions() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('address', s.address, 'name', s.name, 'last_at', s.last_at) order by s.last_at desc, s.address), '[]')
  from (
    select s.* from private.mail_strangers s
    where s.user_id = private.caller() and not s.is_declined and cardinality(s.marks) > 1
      and not exists (
        select from public.contacts c where c.user_id = s.user_id and lower(c.email) = s.address
      )
      and not exists (
        select from public.contacts c
        where c.user_id = s.user_id and jsonb_array_length(c.emails) > 1 and s.address = any (private.entry_addresses(c.emails))
      )
    order by s.last_at desc, s.address limit 20
  ) s
$$;
comment on function public.mail_suggestions is 'The newest twenty people to whom the user has written at least twice, and who are no contacts.';

create function public.decline_suggestion(address text) returns void
language sql
set search_path = ''
as $$
  update private.mail_strangers s set is_declined = true
  where s.user_id = private.caller() and s.address = lower(decline_suggestion.address)
$$;
comment on function public.decline_suggestion is 'This address is never offered as a contact again.';

-- What the user does ------------------------------------------------------------------------------------------

create function public.make_mails_private(ids uuid[]) returns bigint
language sql
set search_path = ''
as $$
  with gone as (
    update public.mails m set is_private = true
    where m.user_id = private.caller() and m.id = any (ids) and not m.is_private returning m.id
  )
  select count(*) from gone
$$;
comment on function public.make_mails_private is 'Nothing of these mails stays, and they are never read again.';

create function public.set_thread_deal(thread uuid, deal uuid) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  set_count bigint;
begin
  if deal is not null and not exists (select from public.deals d where d.user_id = me and d.id = set_thread_deal.deal) then
    raise exception 'This deal no longer exists. Nothing was saved.' using errcode = 'PT404';
  end if;
  update public.mails m set deal = set_thread_deal.deal
  where m.user_id = me and m.thread = set_thread_deal.thread and not m.is_private and m.deal is distinct from set_thread_deal.deal;
  get diagnostics set_count = row_count;
  return set_count;
end
$$;
comment on function public.set_thread_deal is 'The deal that a conversation is about, or none.';

create function public.remove_mail_account(id uuid, with_mails boolean) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  gone bigint := 0;
begin
  if with_mails then
    delete from public.mails m where m.user_id = me and m.account_id = remove_mail_account.id;
    get diagnostics gone = row_count;
  end if;
  delete from public.mail_accounts a where a.user_id = me and a.id = remove_mail_account.id;
  if not found then
    raise exception 'This mailbox no longer exists. Nothing was changed.' using errcode = 'PT404';
  end if;
  return gone;
end
$$;
comment on function public.remove_mail_account is 'Removes an account for mail and its password; its mails stay or go, as the user chose. Answers how many went.';

-- Conversations -----------------------------------------------------------------------------------------------

-- Conversations on the pages of contacts, companies and deals: who takes part, and whether somebody waits for an answer. When an
-- exclusion is deleted, the mails that it kept out are read again.

create function private.mail_on_timeline(mail public.mails) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('kind', 'mail', 'mail', jsonb_build_object(
    'id', mail.id, 'thread', mail.thread, 'direction', mail.direction, 'sender', mail.sender, 'sender_name', mail.sender_name,
    'recipients', mail.recipients, 'subject', mail.subject, 'snippet', mail.snippet, 'sent_at', mail.sent_at,
    'attachments', jsonb_array_length(mail.attachments), 'is_automatic', mail.is_automatic, 'is_doubtful', mail.is_doubtful))
$$;
comment on function private.mail_on_timeline is 'A mail as a timeline shows it.';

create function public.conversations(record text, id uuid, before timestamptz default null, page_size integer default 20) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
declare
  me uuid := private.caller();
  -- The user's own addresses, as far as the user sees them: nobody wants to read of themselves.
  own text[] := array(
    select lower(a.address) from public.mail_accounts a where a.user_id = me
    union select lower(a.login) from public.mail_accounts a where a.user_id = me and a.login is not null
    union select lower(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
  );
  waiting text[] := array(select w ->> 'thread' from jsonb_array_elements(public.replies_waiting()) w);
  parts text;
  answer jsonb;
begin
  if record is null or record not in ('contact', 'company', 'deal') then
    raise exception 'A % has no conversations.', left(record, 40) using errcode = 'PT400';
  end if;
  select string_agg(format('select l.mail_id from private.mail_links l where l.%I %s', s.link, s.condition), ' union ')
  into parts from private.story_of(record) s;
  execute format(
    'select coalesce(jsonb_agg(to_jsonb(t) || jsonb_build_object(
         ''is_waiting'', t.thread::text = any ($5),
         ''people'', (
           select coalesce(jsonb_agg(p.name order by p.first_at, p.name), ''[]'')
           from (
             select coalesce(max(w.name) filter (where w.name <> ''''), w.address) as name, min(m.sent_at) as first_at
             from public.mails m
             cross join lateral (
               select m.sender as address, coalesce(m.sender_name, '''') as name where m.direction = ''in'' and m.sender is not null
               union all
               select lower(r ->> ''address''), coalesce(r ->> ''name'', '''') from jsonb_array_elements(m.recipients) r
             ) w
             where m.user_id = $4 and m.thread = t.thread and not m.is_private and (w.address = any ($6)) is not true
               and not exists (
                 select from public.mails o where o.user_id = $4 and o.thread = t.thread and o.direction = ''out'' and o.sender = w.address
               )
             group by w.address order by 2, 1 limit 6
           ) p
         )) order by t.last_at desc, t.thread), ''[]'')
     from (
       select m.thread, max(m.sent_at) as last_at, count(*) as mails,
         (array_agg(m.subject order by m.sent_at))[1] as subject,
         (array_agg(m.snippet order by m.sent_at desc))[1] as snippet,
         (array_agg(m.direction order by m.sent_at desc))[1] as direction,
         (array_agg(m.deal order by m.sent_at desc))[1] as deal,
         (array_agg(coalesce(m.sender_name, m.sender) order by m.sent_at desc))[1] as last_sender,
         bool_or(m.attachments <> ''[]'') as has_attachments
       from public.mails m
       where m.user_id = $4 and m.thread in (select t.thread from public.mails t where t.id in (%s)) and not m.is_private
       group by m.thread
       having $2 is null or max(m.sent_at) < $2
       order by max(m.sent_at) desc, m.thread limit $3
     ) t', parts)
  into answer using conversations.id, before, least(greatest(page_size, 1), 100), me, waiting, own;
  return answer;
end
$$;
comment on function public.conversations is
  'The conversations by mail of a contact, a company or a deal, the newest first, with the names of up to six who take part; "before" is "last_at" of the last one of the page before.';

create function public.conversation(thread uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', m.id, 'direction', m.direction, 'sender', m.sender, 'sender_name', m.sender_name, 'recipients', m.recipients,
    'subject', m.subject, 'snippet', m.snippet, 'body_text', m.body_text, 'body_html', m.body_html, 'is_cut', m.is_cut, 'sent_at', m.sent_at,
    'attachments', m.attachments, 'is_automatic', m.is_automatic, 'is_doubtful', m.is_doubtful, 'deal', m.deal,
    'account_id', m.account_id, 'message_id', m.message_id, 'refs', m.refs) order by m.sent_at, m.id), '[]')
  from (
    select * from public.mails m
    where m.user_id = private.caller() and m.thread = conversation.thread and not m.is_private
    -- The newest fifty, so that no conversation is too long to open.
    order by m.sent_at desc, m.id limit 50
  ) m
$$;
comment on function public.conversation is 'The mails of a conversation, the oldest first; of a very long one the newest fifty.';

create function private.waits_for_answer(mail public.mails) returns table (contact_id uuid)
language sql stable -- no search path of its own, see contact_card
as $$
  select k.contact_id
  from (
    select l.contact_id from private.mail_links l join public.contacts c on c.id = l.contact_id
    where l.mail_id = mail.id and l.counts and mail.sender = any (private.entry_addresses(c.emails)) order by l.contact_id limit 1
  ) k
  where mail.direction = 'in' and not mail.is_private and mail.sent_at > now() - interval '30 days'
    -- Nothing came after it in the conversation, and they were neither called nor met since.
    and not exists (
      select from public.mails a
      where a.user_id = mail.user_id and a.thread = mail.thread and a.sent_at > mail.sent_at
        -- An absence note, or one whose sender may be forged, answers nobody.
        and not a.is_automatic and not a.is_doubtful
    )
    and not exists (
      select from public.notes n
      where n.user_id = mail.user_id and n.contact_id = k.contact_id and n.kind <> 'note' and n.happened_at > mail.sent_at
    )
$$;
comment on function private.waits_for_answer is
  'The contact who has written this mail and waits for an answer; no row where nobody does. Of the last thirty days, the last of its conversation, and no call or meeting since.';

create function private.reply_waits_on(deal uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.mail_links l join public.mails m on m.id = l.mail_id cross join lateral private.waits_for_answer(m) w
    where l.user_id = private.caller() and l.deal_id = reply_waits_on.deal and l.counts and l.at > now() - interval '30 days'
  )
$$;
comment on function private.reply_waits_on is 'Whether somebody waits for an answer about a deal: then that is its next step.';

create function private.awaited_deals() returns setof uuid
language sql stable
set search_path = ''
as $$
  select distinct l.deal_id
  from private.mail_links l join public.mails m on m.id = l.mail_id cross join lateral private.waits_for_answer(m) w
  where l.user_id = private.caller() and l.deal_id is not null and l.counts and l.at > now() - interval '30 days'
$$;
comment on function private.awaited_deals is 'All deals of the caller of which private.reply_waits_on says so.';

create function public.replies_waiting() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('thread', w.thread, 'mail_id', w.id, 'subject', w.subject, 'snippet', w.snippet,
    'at', w.sent_at, 'sender', w.sender, 'sender_name', w.sender_name, 'contact_id', w.contact_id) order by w.sent_at desc, w.id), '[]')
  from (
    select m.id, m.thread, m.subject, m.snippet, m.sent_at, m.sender, m.sender_name, k.contact_id
    from public.mails m cross join lateral private.waits_for_answer(m) k
    where m.user_id = private.caller()
    order by m.sent_at desc, m.id limit 50
  ) w
$$;
comment on function public.replies_waiting is
  'The newest fifty mails of contacts to which nobody has answered, see private.waits_for_answer.';

create function public.record_conversations(record text, id uuid, before timestamptz default null, page_size integer default 20)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'rows', public.conversations(record, record_conversations.id, before, page_size),
    'is_private', record = 'contact' and exists (
      select from public.mail_exclusions x where x.user_id = private.caller() and x.contact = record_conversations.id
    ))
$$;
comment on function public.record_conversations is 'A page of the conversations of a record, and whether a contact is private: then there are none.';

create function public.mail_left_out() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'value', x.value, 'contact', case
      when c.id is not null then jsonb_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name)
    end) order by x.value nulls first, c.first_name, c.last_name, x.id), '[]')
  from public.mail_exclusions x
  left join public.contacts c on c.user_id = x.user_id and c.id = x.contact
  where x.user_id = private.caller() and (x.value is not null or c.id is not null)
$$;
comment on function public.mail_left_out is
  'Whose mails are never kept: contacts by name, then addresses and domains. Contacts in the trash stay private and are not named.';

create function private.find_mails_of_let_in() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Not where the whole account goes.
  if not exists (select from auth.users u where u.id = old.user_id) then
    return null;
  end if;
  perform private.find_mails(old.user_id, a.addresses)
  from (
    select array_agg(distinct e.address) as addresses
    from (
      select c.user_id, c.id, c.emails from public.contacts c where c.user_id = old.user_id
      union all
      select k.user_id, null, k.emails from public.companies k where k.user_id = old.user_id and old.contact is null
    ) r
    cross join lateral unnest(private.entry_addresses(r.emails)) e (address)
    where r.emails <> '[]' and (
      r.id = old.contact or e.address = old.value or split_part(e.address, '@', 2) = old.value
      or old.value !~ '@' and right(split_part(e.address, '@', 2), char_length(old.value) + 1) = '.' || old.value
    )
  ) a
  where a.addresses is not null;
  return null;
end
$$;
comment on function private.find_mails_of_let_in is
  'Whoever is no longer left out has mails again: those in the mailbox are read. A definer because clients never write private.mail_links.';

create trigger find_mails_of_let_in after delete on public.mail_exclusions
  for each row execute function private.find_mails_of_let_in();

-- private.newest_change reads the mark with the rights of the caller.
grant select on private.mail_marks to authenticated;
create policy "Owners read their marks of mail" on private.mail_marks
  for select to authenticated using (user_id = (select auth.uid()));

-- Backups -----------------------------------------------------------------------------------------------------

-- A backup holds the mails and the servers of an account, and never a password. See docs/decisions/061-mail.md.

-- Called during a restore, as "placed_by" in private.record_kinds says.
create function private.place_mails(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- The same address is the same account, and the same Message-ID the same mail.
  update private.restore_rows m set reported = m.reported || jsonb_build_object('account_id', t.id)
  from private.restore_rows s join public.mail_accounts t on t.user_id = me and lower(t.address) = lower(s.reported ->> 'address')
  where s.restore_id = restore and s.kind = 'mail_accounts' and s.is_new
    and m.restore_id = restore and m.kind = 'mails' and (m.reported ->> 'account_id')::uuid = s.new_id;
  update private.restore_rows s set is_new = false, new_id = t.id from public.mail_accounts t
  where s.restore_id = restore and s.kind = 'mail_accounts' and s.is_new and t.user_id = me and lower(t.address) = lower(s.reported ->> 'address');
  update private.restore_rows s set is_new = false from public.mails t
  where s.restore_id = restore and s.kind = 'mails' and s.is_new and t.user_id = me and t.message_id = s.reported ->> 'message_id';
  -- Deals and contacts may have other ids here.
  update private.restore_rows s set reported = s.reported || jsonb_build_object('deal', d.new_id)
  from private.restore_rows d
  where s.restore_id = restore and s.kind = 'mails' and s.is_new and s.reported ->> 'deal' is not null
    and d.restore_id = restore and d.kind = 'deals' and d.old_id = (s.reported ->> 'deal')::uuid and d.new_id <> d.old_id;
  update private.restore_rows s set reported = s.reported || jsonb_build_object('contact', c.new_id)
  from private.restore_rows c
  where s.restore_id = restore and s.kind = 'mail_exclusions' and s.is_new and s.reported ->> 'contact' is not null
    and c.restore_id = restore and c.kind = 'contacts' and c.old_id = (s.reported ->> 'contact')::uuid and c.new_id <> c.old_id;
  update private.restore_rows s set is_new = false from public.mail_exclusions t
  where s.restore_id = restore and s.kind = 'mail_exclusions' and s.is_new and t.user_id = me
    and (t.value = s.reported ->> 'value' or t.contact = (s.reported ->> 'contact')::uuid);
end
$$;
comment on function private.place_mails is
  'Which mails, servers and exclusions of a backup the account has already, and where the others lead to.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.tidy_mail_exclusion(), private.entry_addresses(jsonb), private.people_at(uuid, text[]),
  private.own_addresses(uuid), private.left_out(uuid, text[]), private.may_concern(text, text, text[]),
  private.concerned(uuid, text, text, text[]), private.link_mail(public.mails), private.tidy_mail(),
  private.place_mail(), private.find_mails(uuid, text[]), private.find_mails_of_new(), private.find_mails_of_changed(),
  private.drop_left_out(), private.erase_lost_mails(uuid), private.sift_mails(uuid, text, jsonb),
  private.store_mail(uuid, jsonb), private.note_strangers(uuid, jsonb), public.mail_suggestions(),
  public.decline_suggestion(text), public.make_mails_private(uuid[]), public.set_thread_deal(uuid, uuid),
  public.remove_mail_account(uuid, boolean), private.mail_on_timeline(public.mails),
  public.conversations(text, uuid, timestamptz, integer), public.conversation(uuid),
  private.waits_for_answer(public.mails), private.reply_waits_on(uuid), private.awaited_deals(), public.replies_waiting(),
  public.record_conversations(text, uuid, timestamptz, integer), public.mail_left_out(),
  private.find_mails_of_let_in(), private.place_mails(uuid, uuid)
  from public, anon, authenticated;
grant execute on function
  private.tidy_mail_exclusion(), private.entry_addresses(jsonb), public.mail_suggestions(),
  public.decline_suggestion(text), public.make_mails_private(uuid[]), public.set_thread_deal(uuid, uuid),
  public.remove_mail_account(uuid, boolean), private.mail_on_timeline(public.mails),
  public.conversations(text, uuid, timestamptz, integer), public.conversation(uuid),
  private.waits_for_answer(public.mails), private.reply_waits_on(uuid), private.awaited_deals(), public.replies_waiting(),
  public.record_conversations(text, uuid, timestamptz, integer), public.mail_left_out()
  to authenticated, service_role;
