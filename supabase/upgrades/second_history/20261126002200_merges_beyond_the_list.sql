-- A merge of records that together have more than 20 entries of a list does what an import does: the first 20 stay in the list,
-- and the others are kept as text, in the notes of a contact or in a note on a company. Decision 037.

create function private.entry_lines(list text, entries jsonb) returns text[]
language sql stable
set search_path = ''
as $$
  select array(
    select format('Other %s: %s', private.entry_noun(list), regexp_replace(case
        when list = 'addresses' then concat_ws(', ', nullif(e.entry ->> 'street', ''),
          nullif(concat_ws(' ', nullif(e.entry ->> 'postal_code', ''), nullif(e.entry ->> 'city', '')), ''),
          nullif(e.entry ->> 'region', ''), nullif(e.entry ->> 'country', ''))
        else e.entry ->> 'value'
      end, '\s*\n\s*', ', ', 'g'))
        || case e.entry ->> 'label'
          when '' then ''
          when 'work' then ' (Work)' when 'home' then ' (Home)' when 'mobile' then ' (Mobile)' when 'other' then ' (Other)'
          else format(' (%s)', e.entry ->> 'label')
        end
    from jsonb_array_elements(entries) with ordinality as e (entry, place)
    where e.place > 20 order by e.place
  )
$$;
comment on function private.entry_lines is 'What is beyond the 20 entries that a list can hold, a line each, with its label.';

create or replace function private.entries_beyond(list text, entries jsonb, more jsonb) returns text[]
language sql stable
set search_path = ''
as $$
  select case
    -- What is no list is refused when it is written.
    when jsonb_typeof(private.entries_in(more)) <> 'array' then '{}'
    when jsonb_array_length(entries) + jsonb_array_length(private.entries_in(more)) <= 20 then '{}'
    else private.entry_lines(list, private.all_entries(list, entries, more))
  end
$$;

create function private.first_entries(entries jsonb) returns jsonb
language sql immutable parallel safe
set search_path = ''
as $$
  select coalesce(jsonb_agg(e.entry order by e.place), '[]')
  from jsonb_array_elements(entries) with ordinality as e (entry, place) where e.place <= 20
$$;
comment on function private.first_entries is 'As many entries as a list can hold.';

create or replace function private.fitting_entries(list text, entries jsonb, more jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select case when jsonb_array_length(a.entries) <= 20 then a.entries else private.first_entries(a.entries) end
  from private.all_entries(list, entries, more) as a (entries)
$$;

drop function private.with_lists(text, uuid, uuid[], jsonb);
create function private.merged_lists(kind text, keep uuid, gone uuid[], inout changes jsonb, out beyond text[])
language plpgsql stable
set search_path = ''
as $$
declare
  part record;
  other uuid;
  kept jsonb;
  list jsonb;
  chosen text;
begin
  beyond := '{}';
  for part in
    select l.name, l.name in ('emails', 'phones', 'links', 'addresses') as has_entries,
      case when l.name in ('emails', 'phones', 'links', 'addresses') then format('private.all_entries(%L, ', l.name)
        else l.united || '(' end as united
    from private.list_columns l where l.kind = merged_lists.kind and l.in_merges order by l.name
  loop
    -- Whoever says what the list shall be has looked at all of them.
    continue when changes ? part.name;
    execute format('select to_jsonb(k.%I) from public.%I k where k.id = $1', part.name, kind) into kept using keep;
    list := kept;
    foreach other in array gone loop
      execute format(
        'select to_jsonb(%1$s(select k.%2$I from jsonb_populate_record(null::public.%3$I, jsonb_build_object(%2$L, $1)) k), o.%2$I))
         from public.%3$I o where o.id = $2', part.united, part.name, kind)
      into list using list, other;
    end loop;
    if part.has_entries and jsonb_array_length(list) > 20 then
      chosen := case when kind = 'contacts' then changes ->> (case part.name when 'emails' then 'email' when 'phones' then 'phone_number' end) end;
      if chosen is not null then
        list := private.with_first(list, chosen);
      end if;
      beyond := beyond || private.entry_lines(part.name, list);
      list := private.first_entries(list);
    end if;
    if list <> kept then
      changes := changes || jsonb_build_object(part.name, list);
    end if;
  end loop;
  -- Which address or number is first, its column says; that there is none, the list alone.
  changes := changes - array(
    select f.name from (values ('email'), ('phone_number')) f (name) where kind = 'contacts' and changes -> f.name = 'null'
  );
end
$$;
comment on function private.merged_lists is
  'The values of the record that a merge keeps, with its lists and those of the others together; and what the lists cannot hold, a line each.';

drop function private.with_own_values(text, uuid, uuid[], jsonb);
create function private.merged_values(kind text, keep uuid, gone uuid[], inout changes jsonb, out beyond text[])
language plpgsql stable
set search_path = ''
as $$
declare
  more jsonb;
begin
  if jsonb_typeof(changes) is distinct from 'object' then
    return;
  end if;
  -- What was not asked about is lost in no merge: of several values the one changed last.
  execute format(
    'select jsonb_object_agg(v.key, v.value order by o.updated_at, o.id)
     from public.%1$I o cross join lateral jsonb_each(o.custom - $3) v
     where o.id = any ($2) and not exists (select from public.%1$I k where k.id = $1 and k.custom ? v.key)', kind)
  into more using keep, gone, private.gone_fields_of(kind);
  if more is not null then
    changes := changes || jsonb_build_object('custom', more || coalesce(nullif(changes -> 'custom', 'null'), '{}'));
  end if;
  select l.changes, l.beyond into changes, beyond from private.merged_lists(kind, keep, gone, changes) l;
end
$$;
comment on function private.merged_values is
  'The values of the record that a merge keeps: those that were chosen, and what the others have besides. What its lists cannot hold, a line each.';

create or replace function public.merge_contacts(keep uuid, seen jsonb, changes jsonb default '{}') returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  gone uuid[] := private.lock_to_merge('contacts', keep, seen);
  merged record := private.merged_values('contacts', keep, gone, changes);
begin
  if cardinality(merged.beyond) > 0 then
    merged.changes := merged.changes || jsonb_build_object('notes', concat_ws(E'\n\n', case
      when changes ? 'notes' then changes ->> 'notes' else (select c.notes from public.contacts c where c.id = keep)
    end, array_to_string(merged.beyond, E'\n')));
  end if;
  if char_length(merged.changes ->> 'notes') > 50000 then
    raise exception 'The notes would be too long. Nothing was saved; keep less of them.' using errcode = 'PT400';
  end if;
  perform private.set_merged('contacts', keep, merged.changes);
  update public.tasks t set contact_id = keep where t.contact_id = any (gone);
  update public.deals d set contact_id = keep where d.contact_id = any (gone);
  update public.notes n set contact_id = keep where n.contact_id = any (gone);
  perform private.move_deal_contacts(keep, gone);
  -- Into each collection once; what is left goes with its contact.
  update public.collection_members m set contact_id = keep
  where m.id in (
    select distinct on (o.collection_id) o.id from public.collection_members o
    where o.contact_id = any (gone)
      and not exists (select from public.collection_members k where k.collection_id = o.collection_id and k.contact_id = keep)
    order by o.collection_id, o.created_at, o.id
  );
  -- Who is not the same as one of them is not the same as the one that stays.
  insert into public.not_duplicates (one_contact_id, other_contact_id)
  select distinct least(keep, p.other), greatest(keep, p.other)
  from (
    select case when n.one_contact_id = any (gone) then n.other_contact_id else n.one_contact_id end as other
    from public.not_duplicates n
    where n.one_contact_id = any (gone) or n.other_contact_id = any (gone)
  ) p
  where p.other <> keep and p.other <> all (gone) and not exists (
    select from public.not_duplicates k
    where k.one_contact_id = least(keep, p.other) and k.other_contact_id = greatest(keep, p.other)
  );
  delete from public.contacts c where c.id = any (gone);
  perform private.name_deed('merge', (
    select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), 'Unnamed') from public.contacts c
    where c.id = keep
  ));
  return private.bulk_answer(cardinality(gone) + 1);
end
$$;

create or replace function public.merge_companies(keep uuid, seen jsonb, changes jsonb default '{}', note text default null) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  gone uuid[] := private.lock_to_merge('companies', keep, seen);
  merged record := private.merged_values('companies', keep, gone, changes);
  kept_note text := concat_ws(E'\n\n', nullif(btrim(note), ''), nullif(array_to_string(merged.beyond, E'\n'), ''));
begin
  perform private.set_merged('companies', keep, merged.changes);
  update public.contacts p set company_id = keep where p.company_id = any (gone);
  update public.deals d set company_id = keep where d.company_id = any (gone);
  update public.tasks t set company_id = keep where t.company_id = any (gone);
  update public.notes n set company_id = keep where n.company_id = any (gone);
  if kept_note <> '' then
    insert into public.notes (body, company_id) values (kept_note, keep);
  end if;
  insert into public.not_duplicates (one_company_id, other_company_id)
  select distinct least(keep, p.other), greatest(keep, p.other)
  from (
    select case when n.one_company_id = any (gone) then n.other_company_id else n.one_company_id end as other
    from public.not_duplicates n
    where n.one_company_id = any (gone) or n.other_company_id = any (gone)
  ) p
  where p.other <> keep and p.other <> all (gone) and not exists (
    select from public.not_duplicates k
    where k.one_company_id = least(keep, p.other) and k.other_company_id = greatest(keep, p.other)
  );
  delete from public.companies c where c.id = any (gone);
  perform private.name_deed('merge', (select c.name from public.companies c where c.id = keep));
  return private.bulk_answer(cardinality(gone) + 1);
end
$$;

revoke all on function
  private.entry_lines(text, jsonb), private.first_entries(jsonb), private.merged_lists(text, uuid, uuid[], jsonb),
  private.merged_values(text, uuid, uuid[], jsonb)
  from public, anon, authenticated;
grant execute on function
  private.entry_lines(text, jsonb), private.first_entries(jsonb), private.merged_lists(text, uuid, uuid[], jsonb),
  private.merged_values(text, uuid, uuid[], jsonb)
  to authenticated, service_role;
