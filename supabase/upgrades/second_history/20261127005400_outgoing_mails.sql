-- Mails on their way out: planned, sending, sent, failed, stopped. What was sent becomes a row of public.mails. Not in backups: a
-- restored plan would send a second time. See docs/decisions/061-mail.md.

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
  constraint outgoing_mails_account_id_fkey foreign key (user_id, account_id) references public.mail_accounts (user_id, id)
    on delete set null (account_id),
  constraint outgoing_mails_state_known check (state in ('planned', 'sending', 'sent', 'failed', 'stopped')),
  constraint outgoing_mails_message_id_length check (char_length(message_id) between 1 and 500),
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
create unique index outgoing_mails_once on private.outgoing_mails (user_id, message_id);
create index outgoing_mails_by_account on private.outgoing_mails (user_id, account_id);
create index outgoing_mails_by_run on private.outgoing_mails (user_id, run) where run is not null;
create index outgoing_mails_due on private.outgoing_mails (send_at) where state in ('planned', 'sending');
-- The state and what follows from it are the sender's to write.
select private.open_to_owner('private.outgoing_mails',
  '{account_id,run,send_at,message_id,recipients,subject,body_text,body_html,attachments,answers,deal,follow_up_days}');
select private.announce_table('private.outgoing_mails');
