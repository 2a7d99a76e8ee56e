-- Pinned records, and those that were opened last. Both are short lists of the account, stored with its preferences: they
-- follow to another device and into the backup, and the log does not tell of them. A deleted record stays in the list
-- unseen, so that it is there again when the deletion is undone.

alter table public.preferences
  add column pinned text[] not null default '{}',
  add column opened text[] not null default '{}';
comment on column public.preferences.pinned is 'Pinned records, the newest pin last: contacts/<id>, companies/<id>, deals/<id>. At most 20.';
comment on column public.preferences.opened is 'The records that were opened last, newest first, written as the pinned ones. At most 20.';
grant insert (pinned, opened), update (pinned, opened) on public.preferences to authenticated;

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
    raise exception 'This record does not exist any more.' using errcode = 'PT404';
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

-- Backups ----------------------------------------------------------------------------------------------------

create function private.kept_in_restore(me uuid, names jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(split_part(n.name, '/', 1) || '/' || coalesce((
    select s.new_id from private.restores r
    join private.restore_rows s on s.restore_id = r.id
    where r.user_id = me and s.new_id is not null and s.old_id::text = split_part(n.name, '/', 2) limit 1
  )::text, split_part(n.name, '/', 2)) order by n.place), '[]')
  from jsonb_array_elements_text(case when jsonb_typeof(names) = 'array' then names else '[]' end) with ordinality as n (name, place)
$$;
comment on function private.kept_in_restore is 'Names of records in a backup, by the ids that the records have in this account.';

create or replace function private.set_preferences(account uuid, said jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  told jsonb := said || case when said ? 'pinned' then jsonb_build_object('pinned', private.kept_in_restore(account, said -> 'pinned')) else '{}' end
    || case when said ? 'opened' then jsonb_build_object('opened', private.kept_in_restore(account, said -> 'opened')) else '{}' end;
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
  private.tidy_kept(), private.kept_cards(text[]), public.kept_records(), private.name_to_keep(text, uuid),
  public.pin_record(text, uuid, boolean), public.note_opened(text, uuid), private.kept_in_restore(uuid, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.tidy_kept(), private.kept_cards(text[]), public.kept_records(), private.name_to_keep(text, uuid),
  public.pin_record(text, uuid, boolean), public.note_opened(text, uuid)
  to authenticated, service_role;
