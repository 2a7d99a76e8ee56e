-- Letters about accounts that the mail server has not taken yet: ways 1 and 2 keep them here and send them later.

create table private.letters (
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  id uuid not null default gen_random_uuid(),
  message jsonb not null,
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- A newer letter of a kind takes the place of the older one, whose link it has made void.
  primary key (user_id, kind),
  constraint letters_kind_known
    check (kind in ('signup', 'recovery', 'magiclink', 'email_change', 'reauthentication'))
);
alter table private.letters enable row level security;
create index letters_due on private.letters (next_try_at);
comment on table private.letters is
  'Letters about accounts that still have to be handed to the mail server. Gone when they are sent, refused for good or expired, and with their account.';
comment on column private.letters.id is 'Anew with each letter: whoever sent an older one of this kind must not take the newer one away.';
comment on column private.letters.message is 'Recipient, subject and words. Its link opens the account, so nobody but the server may read it.';
comment on column private.letters.next_try_at is 'While a server process is sending it, when another one may take it over.';
comment on column private.letters.expires_at is 'When the link in it stops working; it is not sent after that.';
