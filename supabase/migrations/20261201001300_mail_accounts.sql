-- Mail accounts: where the mail of the user is read and sent. The user sees public.mail_accounts. The password is stored encrypted
-- in private.mail_secrets, which no request can read; its key is outside of the database. See docs/decisions/061-mail.md.

-- The account -------------------------------------------------------------------------------------------------

create table public.mail_accounts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  address text not null,
  name text,
  login text,
  imap_host text not null,
  imap_port integer not null default 993,
  imap_security text not null default 'tls',
  smtp_host text,
  smtp_port integer not null default 465,
  smtp_security text not null default 'tls',
  signature text,
  is_paused boolean not null default false,
  state text not null default 'locked',
  problem text,
  last_read_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  pace integer,
  unique (user_id, id),
  constraint mail_accounts_address_form check (char_length(address) <= 320 and address ~ '^[^\s@<>,;"]+@[^\s@<>,;"]+$'),
  constraint mail_accounts_name_length check (char_length(name) <= 200),
  constraint mail_accounts_login_length check (char_length(login) <= 320),
  constraint mail_accounts_imap_host_form check (char_length(imap_host) <= 253 and imap_host ~ '^[A-Za-z0-9._:-]+$'),
  constraint mail_accounts_imap_port_sensible check (imap_port between 1 and 65535),
  constraint mail_accounts_imap_security_known check (imap_security in ('tls', 'starttls')),
  constraint mail_accounts_smtp_host_form check (char_length(smtp_host) <= 253 and smtp_host ~ '^[A-Za-z0-9._:-]+$'),
  constraint mail_accounts_smtp_port_sensible check (smtp_port between 1 and 65535),
  constraint mail_accounts_smtp_security_known check (smtp_security in ('tls', 'starttls')),
  constraint mail_accounts_signature_length check (char_length(signature) <= 20000),
  constraint mail_accounts_pace_sensible check (pace between 1 and 1000),
  constraint mail_accounts_state_known check (state in ('new', 'working', 'failed', 'locked')),
  constraint mail_accounts_problem_length check (char_length(problem) <= 1000)
);
alter table public.mail_accounts enable row level security;
comment on table public.mail_accounts is
  'Where an account''s mail is read and sent. Not in the log: an undo could bring back servers, but never the password.';
comment on column public.mail_accounts.login is 'The name to sign in with, where it is not the address.';
comment on column public.mail_accounts.state is
  'locked without a password, or without the key that it was encrypted with; new until it was read once; working; failed, with the reason in "problem".';
comment on column public.mail_accounts.signature is 'HTML that stands under new mails.';
comment on column public.mail_accounts.pace is 'How many mails may leave in an hour; null for what the provider allows (domain/mail-providers.ts).';

create unique index mail_accounts_once on public.mail_accounts (user_id, lower(address));

select
  private.clean_texts('public.mail_accounts'),
  private.open_to_owner('public.mail_accounts',
    '{address,name,login,imap_host,imap_port,imap_security,smtp_host,smtp_port,smtp_security,signature,is_paused,pace}');

create function private.lock_mail_account() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- Whatever a backup says: its password is not in it.
  new.state := 'locked';
  new.problem := null;
  return new;
end
$$;
create trigger lock before insert on public.mail_accounts for each row execute function private.lock_mail_account();

-- The password ------------------------------------------------------------------------------------------------

create table private.mail_secrets (
  account_id uuid primary key references public.mail_accounts (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  secret text not null,
  created_at timestamptz not null default now()
);
alter table private.mail_secrets enable row level security;
comment on table private.mail_secrets is
  'Passwords of accounts for mail, encrypted by the server (AES-256-GCM) for exactly these servers and this login: whoever changes the row of the account to lead elsewhere leaves a password that cannot be read. No role of the API reads it, nor does a backup.';

create index mail_secrets_by_owner on private.mail_secrets (user_id);
revoke all on private.mail_secrets from public, anon, authenticated, service_role;

-- Reading the mailbox -----------------------------------------------------------------------------------------

create table private.mailboxes (
  account_id uuid primary key references public.mail_accounts (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  folders jsonb not null default '{}'
);
alter table private.mailboxes enable row level security;
comment on table private.mailboxes is
  'How far an account''s mail was read. Not backed up: a restored account is read anew, and what is there already is known by its Message-ID.';
comment on column private.mailboxes.folders is 'By folder: {"validity", "last"}, the numbers up to which its mails were looked at.';

create index mailboxes_by_owner on private.mailboxes (user_id);
revoke all on private.mailboxes from public, anon, authenticated, service_role;

create function private.read_mailbox_soon(account public.mail_accounts) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- The job is the lease: one process has it, and if that dies, another takes over.
  if account.is_paused then
    perform private.cancel_job('mailbox', account.id::text);
  else
    perform private.plan_job('mailbox', account.id::text, account.user_id);
  end if;
  -- Whoever reads it right now, and waits for news, looks at once.
  perform pg_notify('solo_mail', account.id::text);
end
$$;
comment on function private.read_mailbox_soon is 'Has the mails of an account read, or no longer read when it is paused.';

create function private.follow_mail_account() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform private.cancel_job('mailbox', old.id::text);
    perform pg_notify('solo_mail', old.id::text);
    return null;
  end if;
  insert into private.mailboxes (account_id, user_id) values (new.id, new.user_id) on conflict do nothing;
  if tg_op = 'UPDATE' and (old.address, old.login, old.imap_host) is distinct from (new.address, new.login, new.imap_host) then
    -- Another mailbox, whose numbers may look like those of the one before; what is there already is known by its Message-ID.
    update private.mailboxes b set folders = '{}' where b.account_id = new.id;
  end if;
  perform private.read_mailbox_soon(new);
  return null;
end
$$;
comment on function private.follow_mail_account is
  'Reads an account for mail from now on, or no longer. A definer because clients plan no jobs.';

create trigger follow after insert or update of address, login, imap_host, imap_port, imap_security, is_paused or delete on public.mail_accounts
  for each row execute function private.follow_mail_account();

create function private.tell_mail_state(account uuid, reported text, words text) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform set_config('solo.silent', 'on', true);
  update public.mail_accounts a set state = reported,
    -- What the last reading had to tell is not over because this one has nothing to tell.
    problem = left(case when reported = 'working' and a.state = 'working' then coalesce(words, a.problem) else words end, 1000),
    last_read_at = case when reported = 'working' then now() else a.last_read_at end
  where a.id = account;
  perform set_config('solo.silent', 'off', true);
end
$$;
comment on function private.tell_mail_state is 'What the reader of an account has to tell its owner.';

-- Announcing --------------------------------------------------------------------------------------------------

create table private.mail_marks (
  user_id uuid primary key references auth.users (id) on delete cascade,
  mark uuid not null default gen_random_uuid()
);
alter table private.mail_marks enable row level security;
comment on table private.mail_marks is
  'Another value whenever something about mail has changed, which the log does not tell: for windows that slept, see private.newest_change.';
revoke all on private.mail_marks from public, anon, authenticated, service_role;

create function private.announce_mail() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  owners uuid[];
begin
  if tg_op = 'DELETE' then
    owners := array(select distinct o.user_id from old_rows o);
  else
    owners := array(select distinct n.user_id from new_rows n);
  end if;
  -- Rows that go with their account have nobody to be told.
  insert into private.mail_marks as m (user_id)
  select u.id from auth.users u where u.id = any (owners) order by u.id
  on conflict (user_id) do update set mark = gen_random_uuid();
  perform private.announce(u.id, array[tg_table_name::text]) from auth.users u where u.id = any (owners);
  return null;
end
$$;
comment on function private.announce_mail is
  'One announcement for an account and a statement on a table about mail, which is not in the log. A definer because private.announce is closed to clients.';

select private.announce_table('public.mail_accounts');

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.lock_mail_account(), private.read_mailbox_soon(public.mail_accounts), private.follow_mail_account(),
  private.tell_mail_state(uuid, text, text), private.announce_mail()
  from public, anon, authenticated;
grant execute on function
  private.lock_mail_account()
  to authenticated, service_role;
