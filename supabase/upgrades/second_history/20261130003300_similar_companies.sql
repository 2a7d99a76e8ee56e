-- A company that is typed is compared by its email addresses and numbers too. The form sends them a line each.

create or replace function private.similar_companies(me uuid, said jsonb) returns table (id uuid, reason text, place integer)
language plpgsql stable -- planned for what was typed, so that the indexes are used
set search_path = ''
as $$
declare
  key text := nullif(private.company_key(said ->> 'name'), '');
  typed text := btrim(said ->> 'website');
  -- The form stores an address without a scheme as https.
  host text := private.website_host(case when typed ~* '^https?://' then typed else 'https://' || typed end);
  address text;
  number text;
begin
  for address in
    select distinct lower(btrim(l.line)) from regexp_split_to_table(said ->> 'emails', '\n') l (line) where l.line like '%_@_%' limit 5
  loop
    return query
    select c.id, 'email', 1 from public.companies c
    where c.user_id = me and c.search_text like private.like_pattern(address) and private.has_entry(c.emails, address) limit 3;
  end loop;
  for number in
    select distinct k.phone_key from regexp_split_to_table(said ->> 'phones', '\n') l (line)
    cross join lateral private.phone_key(l.line, regexp_replace(l.line, '[^0-9]', '', 'g')) k
    where k.phone_key is not null limit 5
  loop
    return query
    select f.id, 'phone', 2
    from (
      select c.id, c.phones from public.companies c where c.user_id = me and c.search_text like '%' || right(number, 7) || '%' limit 50
    ) f
    where exists (
      select from jsonb_array_elements(f.phones) e
      cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
      where n.phone_key = number
    )
    limit 3;
  end loop;
  if host like '%_.__%' then
    return query
    select c.id, 'website', 3 from public.companies c where c.user_id = me and private.website_host(c.website) = host limit 3;
  end if;
  if key is not null then
    return query
    select c.id, 'name', 4 from public.companies c where c.user_id = me and private.company_key(c.name) = key limit 3;
  end if;
end
$$;
comment on function private.similar_companies is
  'Companies with one of these addresses, one of these numbers, the host of this website, or this name, legal forms aside; why, and how strong that is.';
