-- OAuth: web assistants are connected by a page of ours instead of a token that is copied. What its owner allows is a row
-- of private.access_tokens like any other, so that scope, use, name and end are the same. See docs/decisions/059-oauth.md.

create table private.oauth_clients (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  redirect_uris text[] not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  constraint oauth_clients_name_length check (char_length(name) between 1 and 60),
  constraint oauth_clients_few_addresses check (cardinality(redirect_uris) between 1 and 10)
);
alter table private.oauth_clients enable row level security;
comment on table private.oauth_clients is
  'Programs that introduced themselves. They belong to nobody and prove nothing: anyone can register one under any name. No policy, because only the server asks.';
comment on column private.oauth_clients.used_at is 'When it last received tokens; null where nobody has allowed it anything yet.';
create index oauth_clients_unused on private.oauth_clients (created_at) where used_at is null;

alter table private.access_tokens
  alter column hash drop not null,
  add column client_id uuid references private.oauth_clients (id),
  add column client_host text,
  add constraint access_tokens_one_proof check ((hash is null) = (client_id is not null));
comment on column private.access_tokens.client_id is
  'The program that was allowed this by OAuth. It has no token of its own but short-lived ones, in private.grant_secrets.';
comment on column private.access_tokens.client_host is 'Where the browser was sent after it was allowed.';
create index access_tokens_by_client on private.access_tokens (client_id) where client_id is not null;

create table private.grant_secrets (
  hash text primary key,
  grant_id uuid not null references private.access_tokens (id) on delete cascade,
  kind text not null,
  challenge text,
  redirect_uri text,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint grant_secrets_kind_known check (kind in ('code', 'access', 'refresh')),
  constraint grant_secrets_code_bound check ((kind = 'code') = (challenge is not null and redirect_uri is not null))
);
alter table private.grant_secrets enable row level security;
comment on table private.grant_secrets is
  'Codes, access tokens and refresh tokens of OAuth, as SHA-256 of what has 256 random bits. Used ones stay for a while, so that a copy shows itself. No policy, because only the server asks.';
create index grant_secrets_by_grant on private.grant_secrets (grant_id);

-- Programs -----------------------------------------------------------------------------------------------------

create function private.oauth_register(name text, redirect_uris text[]) returns uuid
language plpgsql
security definer
set search_path = ''
as $$
declare
  made uuid;
begin
  -- Otherwise many at once would all find room.
  perform pg_advisory_xact_lock(hashtextextended('oauth clients', 0));
  delete from private.oauth_clients c
  where coalesce(c.used_at + interval '90 days', c.created_at + interval '1 day') < now()
    and not exists (select from private.access_tokens t where t.client_id = c.id);
  if (select count(*) >= 1000 from private.oauth_clients c where c.used_at is null) then
    -- A flood must not keep out for a day whoever comes next.
    delete from private.oauth_clients c
    where c.used_at is null and c.created_at < now() - interval '1 hour'
      and not exists (select from private.access_tokens t where t.client_id = c.id);
    if (select count(*) >= 1000 from private.oauth_clients c where c.used_at is null) then
      return null;
    end if;
  end if;
  insert into private.oauth_clients (name, redirect_uris)
  values (oauth_register.name, oauth_register.redirect_uris)
  returning id into made;
  return made;
end
$$;
comment on function private.oauth_register is
  'Keeps a program that introduced itself; null where too many wait. Those that nobody allowed anything are gone after a day. A definer because a program has no session; only the server calls it.';

create function private.oauth_client(id uuid) returns jsonb
language sql stable
security definer
set search_path = ''
as $$
  select jsonb_build_object('id', c.id, 'name', c.name, 'redirect_uris', c.redirect_uris)
  from private.oauth_clients c where c.id = oauth_client.id
$$;
comment on function private.oauth_client is 'A program by its id. A definer as private.oauth_register.';

-- What it is allowed ---------------------------------------------------------------------------------------------

create function private.oauth_allow(
  account uuid, client uuid, host text, scope text, redirect_uri text, challenge text, code_hash text
) returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  made uuid;
begin
  delete from private.access_tokens t
  where t.user_id = account and t.client_id is not null and t.expires_at <= now()
    and not exists (select from private.grant_secrets s where s.grant_id = t.id and s.kind = 'refresh');
  if (select count(*) >= 100 from private.access_tokens t where t.user_id = account) then
    return false;
  end if;
  -- Until the code is exchanged it ends with the code.
  insert into private.access_tokens (user_id, name, scope, expires_at, client_id, client_host)
  select account, c.name, oauth_allow.scope, now() + interval '1 minute', c.id, host
  from private.oauth_clients c where c.id = client
  returning id into made;
  insert into private.grant_secrets (hash, grant_id, kind, challenge, redirect_uri, expires_at)
  values (code_hash, made, 'code', oauth_allow.challenge, oauth_allow.redirect_uri, now() + interval '1 minute');
  return true;
end
$$;
comment on function private.oauth_allow is
  'What an owner allows a program, with the code that it is told; false where the list of connections is full. A definer as private.oauth_register: the owner has proved themselves to the server by their password.';

create function private.issue_tokens(allowed uuid, access_hash text, refresh_hash text) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  told text;
begin
  insert into private.grant_secrets (hash, grant_id, kind, expires_at)
  values
    (access_hash, allowed, 'access', now() + interval '1 hour'),
    (refresh_hash, allowed, 'refresh', now() + interval '30 days');
  delete from private.grant_secrets s
  where s.grant_id = allowed and s.expires_at < now() - interval '1 day';
  update private.oauth_clients c set used_at = now()
  from private.access_tokens t where t.id = allowed and c.id = t.client_id;
  update private.access_tokens t set expires_at = now() + interval '30 days' where t.id = allowed
  returning t.scope into told;
  return jsonb_build_object('scope', told);
end
$$;
comment on function private.issue_tokens is
  'An access token for an hour and a refresh token for thirty days, after which the grant ends if it was not used.';

create function private.end_grant(allowed uuid) returns void
language sql
set search_path = ''
as $$ update private.access_tokens t set revoked_at = now() where t.id = allowed and t.revoked_at is null $$;

create function private.oauth_exchange(
  code_hash text, client uuid, redirect_uri text, challenge text, access_hash text, refresh_hash text
) returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  code private.grant_secrets;
  allowed private.access_tokens;
begin
  select s.* into code from private.grant_secrets s where s.hash = code_hash and s.kind = 'code' for update;
  if code.hash is null then
    return '{"error": "unknown"}';
  end if;
  select t.* into allowed from private.access_tokens t where t.id = code.grant_id;
  if code.used_at is not null then
    -- Two hold it, and nobody knows which of them is right.
    perform private.end_grant(allowed.id);
    return '{"error": "used"}';
  end if;
  update private.grant_secrets s set used_at = now() where s.hash = code.hash;
  if private.has_ended(allowed) or code.expires_at <= now() or allowed.client_id is distinct from client
    or code.challenge is distinct from oauth_exchange.challenge
    or oauth_exchange.redirect_uri is not null and code.redirect_uri <> oauth_exchange.redirect_uri
  then
    -- One try only, so that nothing can be tried out.
    perform private.end_grant(allowed.id);
    return '{"error": "wrong"}';
  end if;
  return private.issue_tokens(allowed.id, access_hash, refresh_hash);
end
$$;
comment on function private.oauth_exchange is
  'Tokens for a code, once. A code that comes a second time ends what it was exchanged for. A definer as private.oauth_register.';

create function private.scope_rank(scope text) returns integer
language sql immutable
set search_path = ''
as $$ select array_position('{read,propose,write}'::text[], scope) $$;

create function private.oauth_refresh(
  token_hash text, client uuid, wanted text, access_hash text, refresh_hash text
) returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  token private.grant_secrets;
  allowed private.access_tokens;
begin
  select s.* into token from private.grant_secrets s where s.hash = token_hash and s.kind = 'refresh' for update;
  if token.hash is null then
    return '{"error": "unknown"}';
  end if;
  select t.* into allowed from private.access_tokens t where t.id = token.grant_id;
  if allowed.client_id is distinct from client or private.has_ended(allowed) or token.expires_at <= now() then
    return '{"error": "wrong"}';
  end if;
  if token.used_at is not null then
    perform private.end_grant(allowed.id);
    return '{"error": "used"}';
  end if;
  if private.scope_rank(wanted) > private.scope_rank(allowed.scope) then
    return '{"error": "scope"}';
  end if;
  update private.grant_secrets s set used_at = now() where s.hash = token.hash;
  return private.issue_tokens(allowed.id, access_hash, refresh_hash);
end
$$;
comment on function private.oauth_refresh is
  'New tokens for a refresh token, once. One that comes a second time was copied, and ends the grant. A definer as private.oauth_register.';

create function private.oauth_revoke(hashes text[], client uuid) returns void
language sql
security definer
set search_path = ''
as $$
  select private.end_grant(t.id)
  from private.grant_secrets s join private.access_tokens t on t.id = s.grant_id
  where s.hash = any (hashes) and t.client_id = client and s.kind <> 'code'
$$;
comment on function private.oauth_revoke is
  'Ends what a program was allowed, by one of its tokens. A definer as private.oauth_register.';

-- A call with such a token ---------------------------------------------------------------------------------------

create or replace function private.take_token(
  token text, out account uuid, out name text, out scope text, out refusal text, out code text
)
language plpgsql
security definer
set search_path = ''
as $$
declare
  known private.access_tokens;
  short private.grant_secrets;
  address text := private.address_of_request();
begin
  if length(token) < 200 then
    select t.* into known from private.access_tokens t where t.hash = private.hash_of(token);
    if known.id is null then
      select s.* into short from private.grant_secrets s where s.hash = private.hash_of(token) and s.kind = 'access';
      select t.* into known from private.access_tokens t where t.id = short.grant_id;
    end if;
  end if;
  if known.id is null then
    code := 'unknown_token';
    refusal := 'This access token is not known. Nothing was done; make one in Settings under Connections.';
    return;
  end if;
  if private.has_ended(known) then
    update private.access_tokens t set refused_at = now(), refused_address = address
    where t.id = (select x.id from private.access_tokens x where x.id = known.id for update skip locked);
    code := case when known.revoked_at is not null then 'revoked_token' else 'expired_token' end;
    refusal := format('This access token %s. Nothing was done; %s.',
      case when known.revoked_at is not null then 'was revoked' else 'has expired' end,
      case when known.client_id is not null then 'connect again' else 'make a new one in Settings under Connections' end);
    return;
  end if;
  if short.expires_at <= now() then
    -- Every hour, and nothing to be told about in the list of connections.
    code := 'expired_token';
    refusal := 'This access token has expired. Nothing was done; ask for a new one with the refresh token.';
    return;
  end if;
  perform private.refuse_unfinished(known.user_id);
  -- Once a minute is exact enough, and calls that come together need not wait for each other.
  update private.access_tokens t set last_used_at = now(), last_address = address
  where t.id = (select x.id from private.access_tokens x where x.id = known.id for update skip locked)
    and (t.last_used_at is null or t.last_used_at < now() - interval '1 minute' or t.last_address is distinct from address);
  account := known.user_id;
  name := known.name;
  scope := known.scope;
end
$$;

create or replace function public.access_tokens() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', t.id, 'name', t.name, 'scope', t.scope, 'created_at', t.created_at, 'expires_at', t.expires_at,
    'revoked_at', t.revoked_at, 'has_ended', private.has_ended(t), 'last_used_at', t.last_used_at,
    'last_address', t.last_address, 'refused_at', t.refused_at, 'refused_address', t.refused_address,
    'client_host', t.client_host
  ) order by private.has_ended(t), t.created_at desc, t.id), '[]')
  from private.access_tokens t
  where t.user_id = private.caller()
$$;

-- Who may call what ----------------------------------------------------------------------------------------------

revoke all on function
  private.oauth_register(text, text[]), private.oauth_client(uuid),
  private.oauth_allow(uuid, uuid, text, text, text, text, text), private.issue_tokens(uuid, text, text), private.end_grant(uuid),
  private.oauth_exchange(text, uuid, text, text, text, text), private.scope_rank(text),
  private.oauth_refresh(text, uuid, text, text, text), private.oauth_revoke(text[], uuid)
  from public, anon, authenticated;
grant execute on function
  private.oauth_register(text, text[]), private.oauth_client(uuid),
  private.oauth_allow(uuid, uuid, text, text, text, text, text),
  private.oauth_exchange(text, uuid, text, text, text, text),
  private.oauth_refresh(text, uuid, text, text, text), private.oauth_revoke(text[], uuid)
  to service_role;
