-- Companies of one address or number are found as duplicates, as contacts are.

create or replace function private.company_duplicates()
returns table (id text, reasons text[], strength integer, newest timestamptz, members uuid[])
language sql stable
set search_path = ''
set work_mem = '64MB' -- as contact_duplicates
as $$
  with keys as materialized (
    select c.id, 'website' as reason, private.website_host(c.website) as key from public.companies c where c.website is not null
    union all
    select c.id, 'name', nullif(private.company_key(c.name), '') from public.companies c
    union all
    -- A list holds no address twice.
    select c.id, 'email', lower(e.value ->> 'value')
    from public.companies c cross join lateral jsonb_array_elements(c.emails) e
    where c.emails <> '[]'
    union all
    -- One number that is written in two ways is one.
    select distinct c.id, 'phone', n.phone_key
    from public.companies c
    cross join lateral jsonb_array_elements(c.phones) e
    cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
    where c.phones <> '[]'
  ),
  keyed as materialized (
    select k.id, k.reason, k.key from keys k
    where (k.reason, k.key) in (select o.reason, o.key from keys o where o.key is not null group by 1, 2 having count(*) > 1)
  ),
  groups as materialized (
    select k.reason, k.key, count(*) as size, array_agg(k.id order by c.created_at, k.id) as members, max(c.created_at) as newest
    from keyed k join public.companies c on c.id = k.id
    group by k.reason, k.key
  ),
  -- By what all of a group agree, and how many others do too.
  agreed as (
    select g.reason, g.key, o.reason as other, o.key as other_key, o.size as other_size
    from groups g
    join keyed mine on mine.reason = g.reason and mine.key = g.key
    join keyed k on k.id = mine.id
    join groups o on o.reason = k.reason and o.key = k.key and o.size >= g.size
    group by g.reason, g.key, g.size, o.reason, o.key, o.size having count(*) = g.size
  ),
  judged as (
    select a.reason, a.key, bool_or(a.other = 'website') as is_website, bool_or(a.other = 'email') as is_email,
      bool_or(a.other = 'phone') as is_phone, bool_or(a.other = 'name') as is_name,
      -- The same companies, or they and more, share another address or number.
      coalesce(bool_or(a.other_key > a.key or a.other_size > g.size) filter (where a.other = a.reason and a.other_key <> a.key), false) as is_there
    from agreed a join groups g on g.reason = a.reason and g.key = a.key
    group by a.reason, a.key
  )
  select g.reason || ' ' || g.members[1] || coalesce(' ' || nullif(row_number() over (partition by g.reason, g.members[1] order by g.key), 1), ''),
    array_remove(array[case when is_website then 'website' end, case when is_email then 'email' end, case when is_phone then 'phone' end,
      case when is_name then 'name' end], null),
    is_website::integer * 8 + is_email::integer * 4 + is_phone::integer * 2 + is_name::integer,
    g.newest, g.members
  from groups g join judged j on j.reason = g.reason and j.key = g.key
  where not j.is_there
    -- The same companies under a stronger reason are there already.
    and not (g.reason <> 'website' and is_website) and not (g.reason in ('phone', 'name') and is_email)
    and not (g.reason = 'name' and is_phone)
    and (
      not exists (select from public.not_duplicates n where n.one_company_id is not null)
      or cardinality(g.members) * (cardinality(g.members) - 1) / 2 > (
        select count(*) from public.not_duplicates n
        where n.one_company_id = any (g.members) and n.other_company_id = any (g.members)
      )
    )
$$;
comment on function private.company_duplicates is
  'Groups of companies that share the host of their website, one of their e-mail addresses, one of their phone numbers or their name, legal forms aside; as contact_duplicates.';
