-- Access tokens: programs and assistants work in an account without its password, as far as their token allows. What they
-- may do is the same in all three ways to run the product, because it is decided here. See docs/decisions/053-access-tokens.md.

-- Tokens ------------------------------------------------------------------------------------------------------

-- A row of access_tokens is either a token, shown once for the user to copy, or a grant: the user allowed a program access by
-- OAuth, and the program proves itself with secrets of its own (…_oauth.sql).

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

create table private.access_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  hash text unique,
  scope text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_address text,
  refused_at timestamptz,
  refused_address text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  client_id uuid references private.oauth_clients (id),
  client_host text,
  constraint access_tokens_name_length check (char_length(btrim(name)) between 1 and 60),
  constraint access_tokens_scope_known check (scope in ('read', 'propose', 'write')),
  constraint access_tokens_one_proof check ((hash is null) = (client_id is not null))
);
alter table private.access_tokens enable row level security;
comment on table private.access_tokens is
  'What programs show instead of a password. Not in backups, not in the log, and gone with the account.';
comment on column private.access_tokens.hash is 'SHA-256 of the token, which has 244 random bits and is shown once: it needs no salt, and is found by this.';
comment on column private.access_tokens.scope is 'read; read and propose, where nothing is written until its owner approves; or read and write.';
comment on column private.access_tokens.refused_at is 'When it was last tried after its end.';
comment on column private.access_tokens.client_id is
  'The program that was allowed this by OAuth. It has no token of its own but short-lived ones, in private.grant_secrets.';
comment on column private.access_tokens.client_host is 'Where the browser was sent after it was allowed.';

create index access_tokens_by_owner on private.access_tokens (user_id, created_at desc);
create index access_tokens_by_client on private.access_tokens (client_id) where client_id is not null;

select private.open_to_owner('private.access_tokens',
  '{name,hash,scope,expires_at,revoked_at,last_used_at,last_address,refused_at,refused_address}');

create trigger announce_insert after insert on private.access_tokens
  referencing new table as new_rows for each statement execute function private.announce_rows();

-- The use of a token is not announced, or every window would read the list of connections again at every call. The list shows it as
-- of its opening.
create trigger announce_update after update on private.access_tokens
  referencing old table as old_rows new table as new_rows for each statement
  execute function private.announce_rows('{last_used_at,last_address,refused_at,refused_address,updated_at}');
create trigger announce_delete after delete on private.access_tokens
  referencing old table as old_rows for each statement execute function private.announce_rows();

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

create function private.has_ended(token private.access_tokens) returns boolean
language sql stable
set search_path = ''
as $$ select token.revoked_at is not null or coalesce(token.expires_at <= now(), false) $$;

create function public.access_tokens() returns jsonb
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
comment on function public.access_tokens is
  'The tokens of the account, those that work first, newest first. Without the token itself, of which only a hash is kept.';

create function public.create_access_token(name text, scope text, expires_at timestamptz default null) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  -- As create_calendar_feed. What it begins with tells people, and programs that look for leaked secrets, what it is.
  token text := 'solo_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  me uuid := private.caller();
  made uuid;
begin
  if private.blank_to_null(create_access_token.name) is null or char_length(btrim(create_access_token.name)) > 60 then
    raise exception 'A token needs a name of up to 60 characters. Nothing was saved.' using errcode = 'PT400';
  end if;
  if create_access_token.scope is null or create_access_token.scope not in ('read', 'propose', 'write') then
    raise exception 'A token may read, read and propose, or read and write. Nothing was saved.' using errcode = 'PT400';
  end if;
  if create_access_token.expires_at <= now() then
    raise exception 'The end date is in the past. Nothing was saved; choose a later day.' using errcode = 'PT400';
  end if;
  if (select count(*) >= 100 from private.access_tokens t where t.user_id = me) then
    raise exception 'There are 100 tokens already. Nothing was saved; remove one first.' using errcode = 'PT409';
  end if;
  insert into private.access_tokens (name, hash, scope, expires_at)
  values (btrim(create_access_token.name), private.hash_of(token), create_access_token.scope, create_access_token.expires_at)
  returning id into made;
  return jsonb_build_object('id', made, 'token', token);
end
$$;
comment on function public.create_access_token is 'Makes a token. This answer is the only place where it ever stands.';

create function public.revoke_access_tokens(ids uuid[] default null) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  ended bigint;
begin
  update private.access_tokens t set revoked_at = now()
  where t.user_id = private.caller() and t.revoked_at is null and (ids is null or t.id = any (ids));
  get diagnostics ended = row_count;
  return ended;
end
$$;
comment on function public.revoke_access_tokens is
  'These tokens, or all of the account, stop working at once. They stay in the list, where a later try to use one shows.';

create function public.remove_access_token(id uuid) returns void
language sql
set search_path = ''
as $$
  delete from private.access_tokens t
  where t.user_id = private.caller() and t.id = remove_access_token.id and private.has_ended(t)
$$;
comment on function public.remove_access_token is 'Takes a token that has ended off the list.';

-- What tokens did ---------------------------------------------------------------------------------------------

create function private.note_on_timeline(note public.notes) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('kind', 'note', 'note', to_jsonb(note) - 'user_id', 'by', (
    select private.token_of_batch(c.batch) from public.changes c
    where c.user_id = note.user_id and c.row_id = note.id and c.verb = 'insert'
    order by c.id desc limit 1
  ))
$$;
comment on function private.note_on_timeline is 'A note as a timeline shows it, with the token that logged it, if one did.';

-- An account with unfinished work -----------------------------------------------------------------------------

create function private.refuse_unfinished(account uuid) returns void
language plpgsql stable
set search_path = ''
as $$
declare
  unfinished text;
begin
  select w.name into unfinished from private.unfinished_work w where w.user_id = account;
  if found then
    raise sqlstate 'PGRST' using
      message = json_build_object(
        'code', '55P03',
        'message', case unfinished
          when 'commit_import' then 'Your import is just being written. Try again in a moment.'
          when 'undo_batch' then 'An undo is just being done. Try again in a moment.'
          else 'Your backup is just being restored. Try again in a moment.'
        end,
        'details', null, 'hint', null),
      detail = '{"status": 503, "headers": {"Retry-After": "1"}}';
  end if;
end
$$;
comment on function private.refuse_unfinished is 'Refuses an account whose long work is done half.';

-- A call with a token -----------------------------------------------------------------------------------------

create function private.address_of_request() returns text
language plpgsql stable
set search_path = ''
as $$
declare
  headers jsonb := nullif(current_setting('request.headers', true), '')::jsonb;
begin
  -- A hosted project's gateway sets the first, whatever a client sends; our own server sets only the second.
  return substring(
    coalesce(headers ->> 'cf-connecting-ip', split_part(headers ->> 'x-forwarded-for', ',', 1))
    from '^\s*([0-9a-fA-F.:]{2,45})\s*$'
  );
exception when others then
  return null;
end
$$;
comment on function private.address_of_request is 'Where a call comes from, for the list of connections. It decides nothing.';

create function private.take_token(
  token text, out id uuid, out account uuid, out name text, out scope text, out refusal text, out code text
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
  id := known.id;
  account := known.user_id;
  name := known.name;
  scope := known.scope;
end
$$;
comment on function private.take_token is
  'Whose token this is and how far it reaches, or why it is refused; notes that it was used. A definer because whoever calls has no session yet, and nobody else finds a token by its hash.';

create function private.call_listed(name text, args jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  target regproc := (select to_regproc(f.routine) from private.listed_functions() f where f.name = call_listed.name);
  called pg_catalog.pg_proc;
  problem text;
  written text;
  answer jsonb;
begin
  if target is null then
    raise exception 'There is no function called %. Nothing was done.', left(name, 60) using errcode = 'PT404';
  end if;
  if jsonb_typeof(args) is distinct from 'object' then
    raise exception 'The arguments must be an object. Nothing was done.' using errcode = 'PT400';
  end if;
  if octet_length(args::text) > 200000 then
    raise exception 'The arguments are too long: at most 200,000 bytes. Nothing was done.' using errcode = 'PT413';
  end if;
  select p.* into called from pg_catalog.pg_proc p where p.oid = target;
  problem := coalesce(
    (
      select 'has no argument called ' || left(min(k), 60) from jsonb_object_keys(args) k
      where k <> all (coalesce(called.proargnames, '{}'))
    ),
    (
      select 'needs the argument ' || min(n.name) from unnest(called.proargnames) with ordinality as n (name, place)
      where n.place <= called.pronargs - called.pronargdefaults and not args ? n.name
    ));
  if problem is not null then
    raise exception '% %. Nothing was done.', name, problem using errcode = 'PT400';
  end if;
  select string_agg(format(
    case when n.type = 'jsonb'::regtype then '%1$I => nullif($1 -> %1$L, ''null'')' else '%1$I => ($1 ->> %1$L)::%2$s' end,
    n.name, n.type::regtype), ', ')
  into written
  from unnest(called.proargnames, called.proargtypes::oid[]) as n (name, type)
  where args ? n.name;
  execute format('select to_jsonb(%s(%s))', target, written) into answer using args;
  return answer;
end
$$;
comment on function private.call_listed is
  'Calls a function of private.listed_functions with arguments by their names. What it reads and writes is decided by the policies.';

-- The interface limits its answers to 200,000 characters, counted after it has shortened the texts. The limit here counts the whole
-- texts and must be higher: 25 records with notes of 20,000 characters are half a megabyte here, and 40,000 characters in the answer.
create function private.longest_answer() returns integer
language sql immutable
set search_path = ''
as $$ select 5000000 $$;
comment on function private.longest_answer is 'The most bytes of an answer to a call with a token, as the database holds it.';

create function public.call_with_token(p_token text, p_name text, p_args jsonb default '{}') returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '10s'
as $$
declare
  token record := private.take_token(p_token);
  listed record;
  answer jsonb;
begin
  if token.refusal is not null then
    -- Answered, not raised: what the list of connections notes must stay.
    perform set_config('response.status', '401', true);
    return jsonb_build_object('code', token.code, 'message', token.refusal, 'details', null, 'hint', null);
  end if;
  perform
    set_config('request.jwt.claim.sub', token.account::text, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('request.jwt.claims', jsonb_build_object('sub', token.account, 'role', 'authenticated')::text, true),
    set_config('solo.token', jsonb_build_object('name', token.name, 'scope', token.scope)::text, true),
    set_config('role', 'authenticated', true);
  select f.* into listed from private.listed_functions() f where f.name = p_name;
  if token.scope = 'read' or not coalesce(listed.writes, false) then
    if listed.writes then
      raise exception 'This access token may only read. Nothing was saved.' using errcode = 'PT403';
    end if;
    -- A second wall: whatever the function does, nothing is written.
    perform set_config('transaction_read_only', 'on', true);
  end if;
  if listed.writes and token.scope = 'propose' then
    perform set_config('response.status', '202', true);
    return private.propose(token.id, token.name, p_name, p_args);
  end if;
  answer := private.call_listed(p_name, p_args);
  if listed.writes then
    perform private.note_batch(token.name);
  -- Of what was written the answer is as long as what was sent, and it must not be taken back for its length.
  elsif pg_column_size(answer) > private.longest_answer() then
    raise exception 'This answer is too long: at most 5 MB. Ask for less at once: a smaller page_size, or a filter.'
      using errcode = 'PT413';
  end if;
  return answer;
end
$$;
comment on function public.call_with_token is
  'Runs one of private.listed_functions as the owner of a token: as "authenticated" and with their claims, so that the policies hold. The one function that is open to whoever has no session. Revoked, expired and unknown tokens are answered with 401.';

-- call_with_token changes the role, which a definer cannot. So it runs as its caller, anon, who needs this schema and take_token.
grant usage on schema private to anon;

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.has_ended(private.access_tokens), public.access_tokens(),
  public.create_access_token(text, text, timestamptz), public.revoke_access_tokens(uuid[]),
  public.remove_access_token(uuid), private.note_on_timeline(public.notes), private.refuse_unfinished(uuid),
  private.address_of_request(), private.take_token(text), private.call_listed(text, jsonb),
  private.longest_answer(), public.call_with_token(text, text, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.has_ended(private.access_tokens), public.access_tokens(),
  public.create_access_token(text, text, timestamptz), public.revoke_access_tokens(uuid[]),
  public.remove_access_token(uuid), private.note_on_timeline(public.notes), private.call_listed(text, jsonb),
  private.longest_answer()
  to authenticated, service_role;
grant execute on function
  private.take_token(text), public.call_with_token(text, text, jsonb)
  to anon, service_role;
