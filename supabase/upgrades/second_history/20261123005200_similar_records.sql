-- While a contact, company or deal is typed: which records seem to be the same. The keys are those of the duplicates.

create index companies_by_host on public.companies (user_id, private.website_host(website));

create function private.similar_contacts(me uuid, said jsonb) returns table (id uuid, reason text, place integer)
language plpgsql stable -- planned for what was typed, so that the indexes are used
set search_path = ''
as $$
declare
  address text := lower(btrim(said ->> 'email'));
  number text := (
    select p.phone_key from private.phone_key(said ->> 'phone_number', regexp_replace(said ->> 'phone_number', '[^0-9]', '', 'g')) p
  );
  key text := private.name_key(said ->> 'first_name', said ->> 'last_name');
  company uuid := (said ->> 'company_id')::uuid;
begin
  if address like '%_@_%' then
    return query
    (select c.id, 'email', 1 from public.contacts c where c.user_id = me and lower(c.email) = address limit 3)
    union
    -- The index of what is searched knows the other addresses too.
    (select c.id, 'email', 1 from public.contacts c
     where c.user_id = me and c.search_text like private.like_pattern(address) and private.has_entry(c.emails, address) limit 3);
  end if;
  if number is not null then
    return query
    select f.id, 'phone', 2
    from (
      select c.id, c.phones from public.contacts c where c.user_id = me and c.search_text like '%' || right(number, 7) || '%' limit 50
    ) f
    where exists (
      select from jsonb_array_elements(f.phones) e
      cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
      where n.phone_key = number
    )
    limit 3;
  end if;
  if key is not null then
    return query
    select c.id, 'name', 3 from public.contacts c
    where c.user_id = me and private.name_key(c.first_name, c.last_name) = key
      -- Of one name, people of different companies are different people; a single word tells one only within a company.
      and case when key like '% %' then c.company_id = company or c.company_id is null or company is null else c.company_id = company end
    order by c.company_id is distinct from company, c.updated_at desc, c.id limit 3;
  end if;
end
$$;
comment on function private.similar_contacts is 'Contacts with this address, this number, or this name and no other company; why, and how strong that is.';

create function private.similar_companies(me uuid, said jsonb) returns table (id uuid, reason text, place integer)
language plpgsql stable
set search_path = ''
as $$
declare
  key text := nullif(private.company_key(said ->> 'name'), '');
  typed text := btrim(said ->> 'website');
  -- The form stores an address without a scheme as https.
  host text := private.website_host(case when typed ~* '^https?://' then typed else 'https://' || typed end);
begin
  if host like '%_.__%' then
    return query
    select c.id, 'website', 1 from public.companies c where c.user_id = me and private.website_host(c.website) = host limit 3;
  end if;
  if key is not null then
    return query
    select c.id, 'name', 2 from public.companies c where c.user_id = me and private.company_key(c.name) = key limit 3;
  end if;
end
$$;
comment on function private.similar_companies is 'Companies with the host of this website, or with this name, legal forms aside.';

create function private.similar_ids(kind text, said jsonb) returns table (id uuid, reason text)
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  company uuid := (said ->> 'company_id')::uuid;
  contact uuid := (said ->> 'contact_id')::uuid;
begin
  return query
  select k.id, k.reason
  from (
    select distinct on (a.id) a.id, a.reason, a.place
    from (
      select * from private.similar_contacts(me, said) where kind = 'contacts'
      union all
      select * from private.similar_companies(me, said) where kind = 'companies'
      union all
      select d.id, 'name', d.place::integer
      from unnest(private.known_deals(me, said ->> 'name', company is not null, company, contact is not null, contact))
        with ordinality as d (id, place)
      where kind = 'deals'
    ) a
    order by a.id, a.place
  ) k
  order by k.place, k.id limit 3;
end
$$;
comment on function private.similar_ids is
  'Which of the caller''s records seem to be what is typed, and why. A definer because an index cannot serve a search under a policy: it tells ids of the caller''s records, and nothing of them.';

create function public.similar_records(kind text, said jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.caller();
  if kind is null or kind not in ('contacts', 'companies', 'deals') or jsonb_typeof(said) is distinct from 'object'
     or exists (select from jsonb_each(said) e where jsonb_typeof(e.value) not in ('string', 'null') or length(e.value #>> '{}') > 2000) then
    raise exception 'What was typed cannot be compared.' using errcode = 'PT400';
  end if;
  return (
    select coalesce(jsonb_agg(card || jsonb_build_object('reason', s.reason) order by s.place), '[]')
    from private.similar_ids(kind, said) with ordinality as s (id, reason, place)
    cross join lateral private.search_card(kind, s.id) card
    where card is not null
  );
end
$$;
comment on function public.similar_records is
  'At most three contacts, companies or open deals that seem to be the one that is being typed, each with the reason: email, phone, website or name.';

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.similar_contacts(uuid, jsonb), private.similar_companies(uuid, jsonb), private.similar_ids(text, jsonb),
  public.similar_records(text, jsonb)
  from public, anon, authenticated;
grant execute on function private.similar_ids(text, jsonb), public.similar_records(text, jsonb) to authenticated, service_role;
