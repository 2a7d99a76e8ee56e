-- Files in merges, in the search, and in backups.

-- Merges -----------------------------------------------------------------------------------------------------

create function private.move_files(kind text, keep uuid, gone uuid[]) returns void
language sql
set search_path = ''
as $$
  -- Those of notes go with their notes.
  update public.files f set contact_id = case kind when 'contacts' then keep end, company_id = case kind when 'companies' then keep end
  where f.note_id is null and case kind when 'contacts' then f.contact_id when 'companies' then f.company_id end = any (gone)
$$;
comment on function private.move_files is 'The record that stays of a merge takes the files of those that go.';

create or replace function private.lock_to_merge(kind text, keep uuid, seen jsonb) returns uuid[]
language plpgsql
set search_path = ''
as $$
declare
  gone uuid[] := private.locked_to_merge(kind, keep, seen);
begin
  perform private.move_pins(kind, keep, gone), private.move_files(kind, keep, gone);
  return gone;
end
$$;

-- The search -------------------------------------------------------------------------------------------------

create or replace function private.search_card(kind text, id uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select case kind
    when 'contacts' then (
      select jsonb_build_object('title', btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')),
        'about', (select k.name from public.companies k where k.id = c.company_id),
        'email', c.email, 'phone_number', c.phone_number)
      from public.contacts c where c.id = search_card.id
    )
    when 'companies' then (
      select jsonb_build_object('title', c.name, 'about', nullif(concat_ws(' · ', c.industry, c.location), ''))
      from public.companies c where c.id = search_card.id
    )
    when 'deals' then (
      select jsonb_build_object('title', c.name, 'value', c.value, 'currency', c.currency,
        'about', (select k.name from public.companies k where k.id = c.company_id),
        'stage', (select s.name from public.pipeline_stages s where s.id = c.stage_id))
      from public.deals c where c.id = search_card.id
    )
    when 'tasks' then (
      select jsonb_build_object('title', c.title, 'due_date', c.due_date, 'completed', c.completed, 'about', coalesce(
        (select nullif(btrim(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '')), '')
          from public.contacts p where p.id = c.contact_id),
        (select k.name from public.companies k where k.id = c.company_id),
        (select d.name from public.deals d where d.id = c.deal_id)))
      from public.tasks c where c.id = search_card.id
    )
    when 'files' then (
      select jsonb_build_object('title', c.name, 'about', o.of ->> 'name', 'of', o.of - 'name')
      from public.files c
      cross join lateral (select private.origin_of('', null, c.contact_id, c.company_id, c.deal_id) as of) o
      where c.id = search_card.id
    )
  end || jsonb_build_object('kind', kind, 'id', id)
$$;

create or replace function private.hits(words text) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  kinds text[] := array['contacts', 'companies', 'deals', 'tasks', 'files'];
  hits jsonb;
begin
  select coalesce(jsonb_agg(to_jsonb(b) - 'at' order by b.rank, b.at desc, b.id), '[]')
  into hits
  from (
    select k.kind, m.id, m.rank, m.at
    from unnest(kinds) as k (kind) cross join lateral private.matches(k.kind, me, words, 8) m
    order by m.rank, m.at desc, m.id limit 20
  ) b;
  if jsonb_array_length(hits) < 3 and char_length(btrim(words)) >= 4 then
    hits := hits || (
      select coalesce(jsonb_agg(to_jsonb(b) - 'at' - 'likeness' order by b.likeness desc, b.at desc, b.id), '[]')
      from (
        select k.kind, m.id, m.rank, m.at, m.likeness
        from unnest(kinds) as k (kind) cross join lateral private.similar(k.kind, me, words, 5) m
        where not hits @> jsonb_build_array(jsonb_build_object('id', m.id))
        order by m.likeness desc, m.at desc, m.id limit 5
      ) b
    );
  end if;
  return hits;
end
$$;
comment on function public.search_everything is
  'The best hits among contacts, companies, deals, tasks and files, at most 20: called so, beginning so, holding it, and, where there are hardly any, nearly holding it. Without words, what was last worked on.';

-- Undo, trash, backups ---------------------------------------------------------------------------------------

-- When files are undone, read and restored: private.record_kinds (20261130000100_record_kinds.sql).

create or replace function public.start_restore(id uuid, version integer, tables jsonb, account uuid default null, about text default null)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- The first had no fields, the second no files.
  if coalesce(version, 0) not in (1, 2, 3) then
    perform private.damaged('it was made by a newer version of Solo CRM');
  end if;
  if exists (select from private.restores r where r.id = start_restore.id and r.user_id = private.caller()) then
    return;
  end if;
  if exists (
    select from jsonb_each(tables) t
    where jsonb_typeof(t.value) <> 'number' or t.key not in (select k.kind from private.backup_kinds() k)
  ) then
    perform private.damaged('it has parts that are not known');
  end if;
  if (select sum(t.value::numeric) from jsonb_each_text(tables) t) > 3000000 then
    perform private.damaged('it has more than 3,000,000 rows');
  end if;
  -- One at a time: what was begun before was given up.
  delete from private.restores r where r.user_id = private.caller();
  insert into private.restores (id, user_id, account, tables, about)
  values (start_restore.id, private.caller(), start_restore.account, start_restore.tables, left(start_restore.about, 255));
end
$$;

create function private.place_files(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- A part without its whole has no place.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'files' and s.is_new
    and coalesce(s.said ->> 'contact_id', s.said ->> 'company_id', s.said ->> 'deal_id') is null;
end
$$;
comment on function private.place_files is 'A file of a backup without its record is left out. Where only its note is missing, it stays on the record.';

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function private.move_files(text, uuid, uuid[]), private.place_files(uuid, uuid) from public, anon, authenticated;
grant execute on function private.move_files(text, uuid, uuid[]) to authenticated, service_role;
