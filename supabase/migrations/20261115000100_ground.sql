-- The ground: extensions, a schema that the API does not expose, and what every table shares.

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;

create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin with schema extensions;
create extension if not exists unaccent with schema extensions;

create schema if not exists private;
comment on schema private is 'Helpers of triggers, views and functions. Never exposed by the API.';
revoke all on schema private from public;

-- Hosted Supabase opens every new table and function to its request roles. Here they are closed
-- unless a migration opens them, by name, to those who may use them.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke execute on functions from anon, authenticated;

create function private.fold(value text) returns text
language sql immutable parallel safe strict
set search_path = ''
as $$ select lower(extensions.unaccent('extensions.unaccent'::regdictionary, value)) $$;
comment on function private.fold is
  'Lower case without accents. Declared immutable so that generated columns may use it: the dictionary ships with PostgreSQL and is never edited.';

create function private.blank_to_null(value text) returns text
language sql immutable parallel safe
set search_path = ''
as $$ select nullif(btrim(value, E' \t\r\n'), '') $$;
comment on function private.blank_to_null is
  'Text as it is stored: trimmed, and null instead of empty, so that "has no e-mail" has one spelling.';

create function private.is_restoring() returns boolean
language sql stable
set search_path = ''
as $$ select coalesce(current_setting('solo.restoring', true), '') = 'on' $$;
comment on function private.is_restoring is
  'True while undo_batch puts old values back: triggers that derive values must then leave them alone.';

create function private.keep_identity() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.user_id := old.user_id;
  new.created_at := old.created_at;
  new.updated_at := now();
  return new;
end
$$;
comment on function private.keep_identity is
  'Owner and time of creation never change, whoever writes; updated_at is the database''s own.';
