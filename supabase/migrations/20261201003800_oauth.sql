-- OAuth: the user connects a web assistant on a page of ours instead of copying a token. The grant is a row of
-- private.access_tokens like any other, so that scope, use, name and end are the same. See docs/decisions/059-oauth.md.

-- Programs ----------------------------------------------------------------------------------------------------

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

-- Grants ------------------------------------------------------------------------------------------------------

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

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.oauth_register(text, text[]), private.oauth_client(uuid),
  private.oauth_allow(uuid, uuid, text, text, text, text, text), private.issue_tokens(uuid, text, text),
  private.end_grant(uuid), private.oauth_exchange(text, uuid, text, text, text, text), private.scope_rank(text),
  private.oauth_refresh(text, uuid, text, text, text), private.oauth_revoke(text[], uuid)
  from public, anon, authenticated;
grant execute on function
  private.oauth_register(text, text[]), private.oauth_client(uuid),
  private.oauth_allow(uuid, uuid, text, text, text, text, text),
  private.oauth_exchange(text, uuid, text, text, text, text), private.oauth_refresh(text, uuid, text, text, text),
  private.oauth_revoke(text[], uuid)
  to service_role;
