-- Several contacts on a deal, each with a role. The main one is deals.contact_id; this table holds the further
-- ones, and the role of each, that of the main one included. See docs/decisions/039-several-contacts-on-a-deal.md.

create table public.deal_contacts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  deal_id uuid not null,
  contact_id uuid not null,
  role text,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint deal_contacts_once unique (deal_id, contact_id) deferrable initially immediate,
  constraint deal_contacts_deal_id_fkey foreign key (user_id, deal_id) references public.deals (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint deal_contacts_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint deal_contacts_role_length check (char_length(role) <= 60)
);
alter table public.deal_contacts enable row level security;
comment on table public.deal_contacts is 'Who has to do with a deal besides its main contact, and in which role; also the role of the main one.';
comment on column public.deal_contacts.position is 'Place in the list of the deal, smallest first.';

-- The primary key is the id alone: with a key of both links the API would take this table for a second way from deals to
-- contacts, and deals?select=*,contacts(*) would be ambiguous.

create index deal_contacts_by_deal on public.deal_contacts (user_id, deal_id);
create index deal_contacts_by_contact on public.deal_contacts (user_id, contact_id);

select
  private.clean_texts('public.deal_contacts'),
  private.open_to_owner('public.deal_contacts', '{deal_id,contact_id,role,position}'),
  private.log_table('public.deal_contacts');

-- No search_path of its own, so that the planner can inline it, see contact_card. The conditions name the owner, because
-- the function also runs in definers, where no policy filters the rows.
create function private.deals_with(contact public.contacts) returns table (id uuid)
language sql stable
as $$
  select d.id from public.deals d where d.user_id = contact.user_id and d.contact_id = contact.id
  union all
  select k.deal_id from public.deal_contacts k where k.user_id = contact.user_id and k.contact_id = contact.id
$$;
comment on function private.deals_with is 'The deals of a contact, as the main contact or a further one; some of them twice.';

-- Who is on a deal --------------------------------------------------------------------------------------------

create function public.set_deal_contact(deal uuid, contact uuid, role text default null, is_main boolean default false) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  main uuid;
begin
  select d.contact_id into main from public.deals d where d.id = set_deal_contact.deal for update;
  if not found then
    raise exception 'This deal no longer exists.' using errcode = 'PT404';
  end if;
  if not exists (select from public.contacts c where c.id = set_deal_contact.contact) then
    raise exception 'This contact no longer exists.' using errcode = 'PT404';
  end if;
  -- Whoever was the main one stays on the deal.
  insert into public.deal_contacts (deal_id, contact_id, role, position)
  select set_deal_contact.deal, n.contact, n.role,
    (select coalesce(max(k.position), 0) from public.deal_contacts k where k.deal_id = set_deal_contact.deal) + n.place
  from (values (1, main, null), (2, set_deal_contact.contact, set_deal_contact.role)) as n (place, contact, role)
  where n.contact is not null and (n.place = 2 or is_main and main <> set_deal_contact.contact)
    and not exists (select from public.deal_contacts k where k.deal_id = set_deal_contact.deal and k.contact_id = n.contact);
  update public.deal_contacts k set role = private.blank_to_null(set_deal_contact.role)
  where k.deal_id = set_deal_contact.deal and k.contact_id = set_deal_contact.contact
    and k.role is distinct from private.blank_to_null(set_deal_contact.role);
  if is_main then
    update public.deals d set contact_id = set_deal_contact.contact
    where d.id = set_deal_contact.deal and d.contact_id is distinct from set_deal_contact.contact;
  end if;
  return private.bulk_answer(1);
end
$$;
comment on function public.set_deal_contact is
  'Puts a contact on a deal in a role, or gives it another; as the main one if so wanted. One batch.';

create function public.remove_deal_contact(deal uuid, contact uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  delete from public.deal_contacts k where k.deal_id = remove_deal_contact.deal and k.contact_id = remove_deal_contact.contact;
  update public.deals d set contact_id = null
  where d.id = remove_deal_contact.deal and d.contact_id = remove_deal_contact.contact;
  return private.bulk_answer(1);
end
$$;
comment on function public.remove_deal_contact is 'Takes a contact off a deal, whether it was the main one or a further one. One batch.';

-- For exports of deals with all fields.

create function public.people_of_deals(ids uuid[]) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(p.deal_id, p.people), '{}') from (
    select k.deal_id, jsonb_agg(jsonb_build_object(
      'id', c.id, 'role', k.role, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email
    ) order by k.position, k.id) as people
    from public.deal_contacts k join public.contacts c on c.user_id = k.user_id and c.id = k.contact_id
    where k.deal_id = any (ids)
    group by k.deal_id
  ) p
$$;
comment on function public.people_of_deals is
  'The contacts of these deals beside the main one, with their roles, and the role of the main one, by the deal; deals without any are left out.';

-- The form of a deal ------------------------------------------------------------------------------------------

-- One transaction writes the deal and its contacts. See docs/decisions/039-several-contacts-on-a-deal.md.

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
    raise exception 'One of the contacts no longer exists. Nothing was saved.' using errcode = 'PT404';
end
$$;
comment on function private.change_people is
  'Puts each of these contacts on a deal in its role, or takes it off. Whoever is not named stays as it is.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.deals_with(public.contacts), public.set_deal_contact(uuid, uuid, text, boolean),
  public.remove_deal_contact(uuid, uuid), public.people_of_deals(uuid[]),
  public.save_deal(uuid, jsonb, jsonb, boolean, timestamptz), private.change_people(uuid, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.deals_with(public.contacts), public.set_deal_contact(uuid, uuid, text, boolean),
  public.remove_deal_contact(uuid, uuid), public.people_of_deals(uuid[]),
  public.save_deal(uuid, jsonb, jsonb, boolean, timestamptz), private.change_people(uuid, jsonb)
  to authenticated, service_role;
