-- What an account remembers for its user, stored with the preferences.

-- Pinned and opened -------------------------------------------------------------------------------------------

-- Pinned records, and those that were opened last. Both are short lists of the account, stored with its preferences: they
-- follow to another device and into the backup, and the log does not tell of them. A deleted record stays in the list
-- unseen, so that it is there again when the deletion is undone.

create function private.tidy_kept() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  select coalesce(array_agg(k.name order by k.place) filter (where k.list = 'pinned'), '{}'),
    coalesce(array_agg(k.name order by k.place) filter (where k.list = 'opened'), '{}')
  into new.pinned, new.opened
  from (
    select l.list, l.name, min(l.place) as place, row_number() over (partition by l.list order by min(l.place)) as number
    from (
      select 'pinned' as list, p.name, p.place from unnest(new.pinned) with ordinality as p (name, place)
      union all
      select 'opened', o.name, o.place from unnest(new.opened) with ordinality as o (name, place)
    ) l
    where l.name ~ '^(contacts|companies|deals)/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    group by l.list, l.name
  ) k
  where k.number <= 20;
  return new;
end
$$;
comment on function private.tidy_kept is 'Both lists hold names of records only, each once, and at most 20.';

create trigger tidy_kept before insert or update of pinned, opened on public.preferences
  for each row execute function private.tidy_kept();

create function private.kept_cards(names text[]) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(card order by k.place), '[]')
  from unnest(names) with ordinality as k (name, place)
  cross join lateral private.search_card(split_part(k.name, '/', 1), split_part(k.name, '/', 2)::uuid) card
  where card is not null
$$;
comment on function private.kept_cards is 'What a line of the search shows of these records; those that are gone are left out.';

create function public.kept_records() returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  return coalesce((
    select jsonb_build_object('pinned', private.kept_cards(p.pinned), 'opened', private.kept_cards(p.opened))
    from public.preferences p where p.user_id = private.caller()
  ), '{"pinned": [], "opened": []}');
end
$$;
comment on function public.kept_records is 'The pinned records and those that were opened last, as lines of the search.';

create function private.name_to_keep(kind text, id uuid) returns text
language plpgsql stable
set search_path = ''
as $$
begin
  if kind is null or kind not in ('contacts', 'companies', 'deals') or private.search_card(kind, id) is null then
    raise exception 'This record no longer exists.' using errcode = 'PT404';
  end if;
  return kind || '/' || id;
end
$$;

create function public.pin_record(kind text, id uuid, is_pinned boolean) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  name text := private.name_to_keep(kind, id);
  names text[];
begin
  select array_remove(p.pinned, name) into names from public.preferences p where p.user_id = me for update;
  if is_pinned then
    if cardinality(names) >= 20 then
      -- Those that are gone make room first.
      names := array(
        select n.name from unnest(names) with ordinality as n (name, place)
        where private.search_card(split_part(n.name, '/', 1), split_part(n.name, '/', 2)::uuid) is not null order by n.place
      );
    end if;
    if cardinality(names) >= 20 then
      raise exception '20 records are pinned, and no more can be. Unpin one first.' using errcode = 'PT409';
    end if;
    names := names || name;
  end if;
  update public.preferences p set pinned = names where p.user_id = me and p.pinned <> names;
  return public.kept_records();
end
$$;
comment on function public.pin_record is 'Pins a record, or unpins it; answers as kept_records.';

create function public.note_opened(kind text, id uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  name text := private.name_to_keep(kind, id);
begin
  update public.preferences p set opened = name || array_remove(p.opened, name)
  where p.user_id = private.caller() and p.opened[1] is distinct from name;
  return public.kept_records();
end
$$;
comment on function public.note_opened is 'Puts a record in front of those that were opened last; tells them all, so that its page asks only once.';

-- Screens -----------------------------------------------------------------------------------------------------

-- How each list was last seen: the query of its address, and the widths of its columns. It stands with the preferences, so it
-- follows to another device and into the backup, and the log does not tell of it. Decision 047.

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

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.tidy_kept(), private.kept_cards(text[]), public.kept_records(), private.name_to_keep(text, uuid),
  public.pin_record(text, uuid, boolean), public.note_opened(text, uuid), private.tidy_screens(),
  public.remember_screen(uuid, text, text, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.tidy_kept(), private.kept_cards(text[]), public.kept_records(), private.name_to_keep(text, uuid),
  public.pin_record(text, uuid, boolean), public.note_opened(text, uuid), private.tidy_screens(),
  public.remember_screen(uuid, text, text, jsonb)
  to authenticated, service_role;
