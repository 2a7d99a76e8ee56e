-- The form of a deal saves the deal and who is on it in one transaction. See docs/decisions/039-several-contacts-on-a-deal.md.

create function public.save_deal(
  deal uuid, changes jsonb, people jsonb default '[]', is_new boolean default false, seen timestamptz default null
) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  known text[] := array(select c.name from private.columns_of('public.deals') c where c.is_writable);
  columns text := (select string_agg(quote_ident(key), ', ') from jsonb_object_keys(changes) as key);
  row_count integer;
begin
  if columns is null or changes - known <> '{}' then
    raise exception 'Only the fields of the record can be set.' using errcode = 'PT400';
  end if;
  if jsonb_typeof(people) is distinct from 'array' or jsonb_array_length(people) > 200 then
    raise exception 'A deal takes up to 200 contacts at once.' using errcode = 'PT400';
  end if;
  execute format(case
    when is_new then
      'insert into public.deals (id, %1$s) select $1, %1$s from jsonb_populate_record(null::public.deals, $2) where $3 is null'
    else
      'update public.deals d set (%1$s) = (select %1$s from jsonb_populate_record(d, $2))
       where d.id = $1 and ($3 is null or d.updated_at = $3)'
  end, columns) using deal, changes, seen;
  get diagnostics row_count = row_count;
  if row_count = 0 then
    return null;
  end if;
  perform private.change_people(deal, people);
  return public.deal_record(deal);
end
$$;
comment on function public.save_deal is
  'Writes a deal and changes who is on it, in one batch, and answers with it. Null when there is no such deal in the version that was seen.';

create function private.change_people(deal uuid, people jsonb) returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from public.deal_contacts k
  using jsonb_to_recordset(people) as p (contact_id uuid, is_gone boolean)
  where k.deal_id = deal and k.contact_id = p.contact_id and p.is_gone;
  update public.deal_contacts k set role = private.blank_to_null(p.role)
  from jsonb_to_recordset(people) as p (contact_id uuid, role text, is_gone boolean)
  where k.deal_id = deal and k.contact_id = p.contact_id and p.is_gone is not true
    and k.role is distinct from private.blank_to_null(p.role);
  insert into public.deal_contacts (deal_id, contact_id, role, position)
  select deal, (p.person ->> 'contact_id')::uuid, p.person ->> 'role',
    (select coalesce(max(k.position), 0) from public.deal_contacts k where k.deal_id = deal) + p.place
  from jsonb_array_elements(people) with ordinality as p (person, place)
  where (p.person ->> 'is_gone')::boolean is not true
    and not exists (
      select from public.deal_contacts k where k.deal_id = deal and k.contact_id = (p.person ->> 'contact_id')::uuid
    );
exception
  when foreign_key_violation then
    raise exception 'One of the contacts does not exist any more. Nothing was saved.' using errcode = 'PT404';
end
$$;
comment on function private.change_people is
  'Puts each of these contacts on a deal in its role, or takes it off. Whoever is not named stays as it is.';

revoke all on function public.save_deal(uuid, jsonb, jsonb, boolean, timestamptz), private.change_people(uuid, jsonb)
  from public, anon, authenticated;
grant execute on function public.save_deal(uuid, jsonb, jsonb, boolean, timestamptz), private.change_people(uuid, jsonb)
  to authenticated, service_role;
