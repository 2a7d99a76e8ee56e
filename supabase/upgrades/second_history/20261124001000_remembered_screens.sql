-- How each list was last seen: the query of its address, and the widths of its columns. It stands with the preferences, so it
-- follows to another device and into the backup, and the log does not tell of it. Decision 047.

alter table public.preferences add column screens jsonb not null default '{}';
comment on column public.preferences.screens is
  'How each list was last seen: {"contacts": {"query": "sort=name", "widths": {"email": 240}}}. Written by remember_screen.';
grant insert (screens), update (screens) on public.preferences to authenticated;

create function private.tidy_screens() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.screens := coalesce((
    select jsonb_object_agg(s.name, jsonb_build_object(
      'query', case when jsonb_typeof(s.seen -> 'query') = 'string' and char_length(s.seen ->> 'query') <= 8000 then s.seen ->> 'query' else '' end,
      'widths', coalesce((
        select jsonb_object_agg(w.name, w.pixels)
        from (
          select l.name, l.pixels from jsonb_each(
            case when jsonb_typeof(s.seen -> 'widths') = 'object' then s.seen -> 'widths' else '{}' end
          ) as l (name, pixels)
          where jsonb_typeof(l.pixels) = 'number' and char_length(l.name) <= 100
          order by l.name limit 200
        ) w
        where (w.pixels #>> '{}')::numeric between 40 and 2000
      ), '{}')
    ))
    from jsonb_each(case when jsonb_typeof(new.screens) = 'object' then new.screens else '{}' end) as s (name, seen)
    where s.name in ('contacts', 'companies', 'deals', 'tasks') and jsonb_typeof(s.seen) = 'object'
  ), '{}');
  return new;
end
$$;
comment on function private.tidy_screens is 'Only lists that there are, with a query and with widths that a screen can show.';

create trigger tidy_screens before insert or update of screens on public.preferences
  for each row execute function private.tidy_screens();

create function public.remember_screen(account uuid, screen text, query text default null, widths jsonb default null) returns void
language plpgsql
set search_path = ''
as $$
begin
  if screen is null or screen not in ('contacts', 'companies', 'deals', 'tasks') then
    raise exception 'There is no such list.' using errcode = 'PT400';
  end if;
  update public.preferences p set screens = p.screens || jsonb_build_object(screen,
    coalesce(p.screens -> screen, '{}') || jsonb_strip_nulls(jsonb_build_object('query', query, 'widths', widths)))
  where p.user_id = private.caller() and p.user_id = account;
end
$$;
comment on function public.remember_screen is
  'Stores how a list was last seen. Each list is written alone, and what is left out stays, so two devices overwrite only what both changed. The
account is named, because another one may have signed in before a late write arrives: then nothing is stored.';

-- Tags that are renamed --------------------------------------------------------------------------------------

create function private.query_with_tag(query text, tag text, name text) returns text
language sql immutable
set search_path = ''
as $$
  select string_agg(w.part, '&' order by w.place)
  from (
    -- A query that filtered by both filters by it once.
    select distinct on (p.part) p.part, p.place
    from (
      select s.place, case when s.part like 'tags=%' and lower(private.from_query(substr(s.part, 6))) = lower(query_with_tag.tag)
        then 'tags=' || private.in_query(query_with_tag.name) else s.part end as part
      from regexp_split_to_table(query_with_tag.query, '&') with ordinality as s (part, place)
    ) p
    order by p.part, p.place
  ) w
$$;
comment on function private.query_with_tag is 'The query of an address, after a tag got another name.';

create or replace function private.rename_tag_in_views(tag text, name text) returns void
language sql
set search_path = ''
as $$
  update public.saved_views v set query = private.query_with_tag(v.query, rename_tag_in_views.tag, rename_tag_in_views.name)
  where v.user_id = private.caller() and v.screen in ('contacts', 'companies', 'deals') and v.query ~ '(^|&)tags='
    and v.query <> private.query_with_tag(v.query, rename_tag_in_views.tag, rename_tag_in_views.name);
  update public.preferences p set screens = (
    select jsonb_object_agg(s.name, s.seen || jsonb_build_object('query', private.query_with_tag(s.seen ->> 'query', rename_tag_in_views.tag, rename_tag_in_views.name)))
    from jsonb_each(p.screens) as s (name, seen)
  )
  where p.user_id = private.caller() and p.screens::text ~ 'tags='
$$;
comment on function private.rename_tag_in_views is 'Views, saved or last seen, that filter by a tag go on to find the same records.';

-- Backups ----------------------------------------------------------------------------------------------------

create function private.screens_in_restore(me uuid, screens jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  -- The names of own fields and of records in a query are ids.
  select coalesce(jsonb_object_agg(s.name, (
    select string_agg(case when m.part[1] ~ '^[0-9a-f]{8}-' then coalesce((
      select r.new_id::text from private.restores t
      join private.restore_rows r on r.restore_id = t.id
      where t.user_id = me and r.new_id is not null and r.old_id::text = m.part[1] limit 1
    ), m.part[1]) else m.part[1] end, '' order by m.place)
    from regexp_matches(s.seen::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|.', 'g') with ordinality as m (part, place)
  )::jsonb), '{}')
  from jsonb_each(case when jsonb_typeof(screens) = 'object' then screens else '{}' end) as s (name, seen)
$$;
comment on function private.screens_in_restore is 'Lists of a backup as they were last seen, by the ids that fields and records have in this account.';

create function private.preferences_in_restore(account uuid, said jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select said
    || case when said ? 'pinned' then jsonb_build_object('pinned', private.kept_in_restore(account, said -> 'pinned')) else '{}' end
    || case when said ? 'opened' then jsonb_build_object('opened', private.kept_in_restore(account, said -> 'opened')) else '{}' end
    || case when said ? 'screens' then jsonb_build_object('screens', private.screens_in_restore(account, said -> 'screens')) else '{}' end
$$;
comment on function private.preferences_in_restore is
  'Preferences of a backup, by the ids of this account. What a later file adds to it needs no other function.';

create or replace function private.set_preferences(account uuid, said jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  told jsonb := private.preferences_in_restore(account, said);
  columns text := (
    select string_agg(quote_ident(c.name), ', ') from private.columns_of('public.preferences') c
    where c.name not in ('user_id', 'created_at', 'updated_at') and told ? c.name and (told -> c.name <> 'null' or not c.is_required)
  );
begin
  if columns is not null then
    execute format(
      'update public.preferences p set (%1$s) = (select %1$s from jsonb_populate_record(p, $2)) where p.user_id = $1', columns)
    using account, told;
  end if;
end
$$;

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.tidy_screens(), public.remember_screen(uuid, text, text, jsonb), private.query_with_tag(text, text, text),
  private.screens_in_restore(uuid, jsonb), private.preferences_in_restore(uuid, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.tidy_screens(), public.remember_screen(uuid, text, text, jsonb), private.query_with_tag(text, text, text)
  to authenticated, service_role;
