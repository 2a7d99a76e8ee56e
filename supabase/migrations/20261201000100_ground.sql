-- The ground: extensions, a schema that the API does not expose, and what every table shares.

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;

create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin with schema extensions;
create extension if not exists unaccent with schema extensions;

create schema if not exists private;
comment on schema private is 'Helpers of triggers, views and functions. Never exposed by the API.';
revoke all on schema private from public;

-- Triggers run with the rights of whoever writes, and so do the helpers they call.
grant usage on schema private to authenticated, service_role;

-- Hosted Supabase opens every new table, function and sequence to its request roles. Here they are closed
-- unless a migration opens them, by name, to those who may use them.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke execute on functions from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

-- Texts -------------------------------------------------------------------------------------------------------

create function private.blank_to_null(value text) returns text
language sql immutable parallel safe
set search_path = ''
as $$ select nullif(btrim(value, E' \t\r\n'), '') $$;
comment on function private.blank_to_null is
  'Text as it is stored: trimmed, and null instead of empty, so that "has no e-mail" has one spelling.';

-- Searches fold both the typed text and the stored text, so a run of spaces becomes one space here. Tabs and no-break spaces count
-- as spaces, because pasted text contains them. Line breaks stay, because imports put one between two names.
create function private.fold(value text) returns text
language plpgsql immutable parallel safe strict
set search_path = ''
as $$
begin
  return lower(extensions.unaccent('extensions.unaccent'::regdictionary, case
    when value ~ '  |[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]'
      then regexp_replace(value, '[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g')
    else value
  end));
end
$$;
comment on function private.fold is
  'Lower case without accents, with one space between words. Declared immutable so that generated columns may use it: the dictionary ships with PostgreSQL and is never edited.';

create function private.hash_of(token text) returns text
language sql immutable
set search_path = ''
as $$ select encode(sha256(convert_to(token, 'UTF8')), 'hex') $$;

-- Days --------------------------------------------------------------------------------------------------------

create function private.day_begins(day date, time_zone text) returns timestamptz
language sql stable
set search_path = ''
as $$
  -- Where the clock goes back to midnight there are two of them, and the day begins with the first.
  select case
    when ((m.midnight - interval '1 hour') at time zone time_zone)::date = day then m.midnight - interval '1 hour'
    else m.midnight
  end
  from (select day::timestamp at time zone time_zone as midnight) m
$$;
comment on function private.day_begins is
  'The moment at which a day of the user''s calendar begins, also where the clock changes at midnight.';

-- Rows --------------------------------------------------------------------------------------------------------

create function private.is_restoring() returns boolean
language sql stable
set search_path = ''
as $$ select coalesce(current_setting('solo.restoring', true), '') = 'on' $$;
comment on function private.is_restoring is
  'True while undo_batch puts old values back: triggers that derive values must then leave them alone.';

create function private.written_at() returns timestamptz
language sql stable
set search_path = ''
as $$ select nullif(current_setting('solo.written_at', true), '')::timestamptz $$;
comment on function private.written_at is 'When the user made what is being written; null where that is now.';

-- "solo.silent" marks writes that are no change by the user, such as the move of an all-day task to another time zone.
-- These leave updated_at alone: otherwise the next task of a repeating one would count as edited and would stay when the
-- completed one is reopened.
create function private.keep_identity() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.user_id := old.user_id;
  new.created_at := old.created_at;
  -- What nobody did is no change.
  new.updated_at := case when current_setting('solo.silent', true) = 'on' then old.updated_at else now() end;
  return new;
end
$$;
comment on function private.keep_identity is
  'Owner and time of creation never change, whoever writes; updated_at is the database''s own.';

-- Who may call what -------------------------------------------------------------------------------------------

-- Granted are the functions that run with the rights of the caller: in triggers, in indexes, in public functions that are no
-- definers, and in what these call. Functions that only definers call stay closed.
revoke all on function
  private.blank_to_null(text), private.fold(text), private.hash_of(text), private.day_begins(date, text),
  private.is_restoring(), private.written_at(), private.keep_identity()
  from public, anon, authenticated;
grant execute on function
  private.blank_to_null(text), private.fold(text), private.hash_of(text), private.day_begins(date, text),
  private.is_restoring(), private.written_at(), private.keep_identity()
  to authenticated, service_role;
