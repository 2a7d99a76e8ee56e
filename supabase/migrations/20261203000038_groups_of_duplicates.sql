-- How groups of duplicates agree. The rows of a group, of all groups that share a row with it, and their sizes were joined in one step. With
-- 100,000 contacts the planner took each of them for millions, paired the groups by their sizes first, and needed half a minute on
-- a PostgreSQL server, where a request may take ten seconds. Now each step is a list of its own: what two keys share, then the keys that
-- have a whole group in common. Decision 013.

create or replace function private.contact_duplicates()
returns table (id text, reasons text[], strength integer, newest timestamptz, members uuid[])
language sql stable
set search_path = ''
set work_mem = '64MB' -- the keys of 100,000 contacts
as $$
  with keys as materialized (
    select c.id, lower(c.email) as email_key, p.phone_key
    from public.contacts c
    -- The digits are the last word of search_text.
    cross join lateral private.phone_key(c.phone_number, case when c.phone_number is not null then split_part(c.search_text, ' ', -1) end) p
  ),
  more as materialized (
    select c.id, c.emails - 0 as emails, c.phones - 0 as phones from public.contacts c
    where jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1
  ),
  -- Addresses, and the profiles among the links.
  mails as materialized (
    select k.id, 'email' as reason, k.email_key as key from keys k where k.email_key is not null
    union all
    select m.id, 'email', lower(e.value ->> 'value') from more m cross join lateral jsonb_array_elements(m.emails) e
    union all
    select distinct c.id, 'link', private.profile_key(e.value ->> 'value')
    from public.contacts c cross join lateral jsonb_array_elements(c.links) e
    where c.links <> '[]'
  ),
  numbers as materialized (
    select k.id, k.phone_key as key from keys k where k.phone_key is not null
    union all
    -- One number that is written in two ways is one.
    select distinct m.id, n.phone_key
    from more m
    join keys k on k.id = m.id
    cross join lateral jsonb_array_elements(m.phones) e
    cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
    where n.phone_key is distinct from k.phone_key and n.phone_key is not null
  ),
  names as materialized (
    select * from private.alike_names()
  ),
  same_mails as materialized (
    select m.id, m.reason, m.key from mails m where m.key in (select e.key from mails e group by 1 having count(*) > 1)
  ),
  same_numbers as materialized (
    select n.id, n.key from numbers n where n.key in (select p.key from numbers p group by 1 having count(*) > 1)
  ),
  suspects as materialized (
    select c.id, c.company_id, c.created_at, c.first_name, c.last_name, n.name_key
    from (
      select i.id from names i union select i.id from same_mails i union select i.id from same_numbers i
    ) s
    join public.contacts c on c.id = s.id
    left join names n on n.id = s.id
  ),
  companies as (
    select s.name_key, count(distinct s.company_id) as companies from suspects s where s.name_key is not null group by 1
  ),
  -- Numbers under which there are several names, and the family names of those who have them.
  shared as materialized (
    select n.id, n.key,
      -- Of a single word one cannot tell what it is.
      substring(private.spelling(s.first_name || ' ' || s.last_name, '.,-_/') from ' ([^ ]+)$') as family
    from same_numbers n join suspects s on s.id = n.id
    where n.key in (
      select p.key from same_numbers p join suspects o on o.id = p.id group by 1
      having min(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, '')) <> max(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, ''))
    )
  ),
  families as (
    select s.key from shared s group by 1 having count(distinct s.family) > 1
  ),
  keyed as materialized (
    select m.reason, m.id, m.key from same_mails m
    union all
    -- People of different families share a switchboard, not a phone.
    select 'phone', n.id, n.key || ' ' || case when f.key is null then '' else coalesce(h.family, '') end
    from same_numbers n
    left join shared h on h.id = n.id and h.key = n.key
    left join families f on f.key = n.key
    union all
    select 'name', s.id, case
        -- A single word tells a person only among those of one company.
        when s.name_key not like '% %' then s.name_key || ' ' || s.company_id
        -- Of one name, people of different companies are different people.
        when c.companies > 1 then s.name_key || ' ' || coalesce(s.company_id::text, '')
        else s.name_key
      end
    from suspects s
    left join companies c on c.name_key = s.name_key
    where s.name_key is not null
  ),
  groups as materialized (
    select k.reason, k.key, count(*) as size, array_agg(k.id order by s.created_at, k.id) as members, max(s.created_at) as newest
    from keyed k join suspects s on s.id = k.id
    where k.key is not null
    group by k.reason, k.key having count(*) > 1
  ),
  -- By what all of a group agree, and how many others do too.
  shares as materialized (
    select mine.reason, mine.key, k.reason as other, k.key as other_key, count(*) as size
    from keyed mine join keyed k on k.id = mine.id
    where mine.key is not null and k.key is not null
    group by 1, 2, 3, 4
  ),
  whole as materialized (
    select s.reason, s.key, s.other, s.other_key, s.size
    from shares s join groups g on g.reason = s.reason and g.key = s.key and g.size = s.size
  ),
  agreed as materialized (
    select w.reason, w.key, w.other, w.other_key, o.size as other_size
    from whole w join groups o on o.reason = w.other and o.key = w.other_key
  ),
  judged as (
    select a.reason, a.key, bool_or(a.other = 'email') as is_email, bool_or(a.other = 'link') as is_link,
      bool_or(a.other = 'phone') as is_phone, bool_or(a.other = 'name') as is_name,
      -- The same people, or they and more, share another address or number.
      coalesce(bool_or(a.other_key > a.key or a.other_size > g.size) filter (where a.other = a.reason and a.other_key <> a.key), false) as is_there
    from agreed a join groups g on g.reason = a.reason and g.key = a.key
    group by a.reason, a.key
  )
  select g.reason || ' ' || g.members[1] || coalesce(' ' || nullif(row_number() over (partition by g.reason, g.members[1] order by g.key), 1), ''),
    array_remove(array[case when is_email then 'email' end, case when is_link then 'link' end, case when is_phone then 'phone' end,
      case when is_name then 'name' end], null),
    is_email::integer * 8 + is_link::integer * 4 + is_phone::integer * 2 + is_name::integer,
    g.newest, g.members
  from groups g join judged j on j.reason = g.reason and j.key = g.key
  where not j.is_there
    -- The same people under a stronger reason are there already.
    and not (g.reason <> 'email' and is_email) and not (g.reason in ('phone', 'name') and is_link)
    and not (g.reason = 'name' and is_phone)
    and (
      not exists (select from public.not_duplicates n where n.one_contact_id is not null)
      or cardinality(g.members) * (cardinality(g.members) - 1) / 2 > (
        select count(*) from public.not_duplicates n
        where n.one_contact_id = any (g.members) and n.other_contact_id = any (g.members)
      )
    )
$$;

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
  shares as materialized (
    select mine.reason, mine.key, k.reason as other, k.key as other_key, count(*) as size
    from keyed mine join keyed k on k.id = mine.id
    where mine.key is not null and k.key is not null
    group by 1, 2, 3, 4
  ),
  whole as materialized (
    select s.reason, s.key, s.other, s.other_key, s.size
    from shares s join groups g on g.reason = s.reason and g.key = s.key and g.size = s.size
  ),
  agreed as materialized (
    select w.reason, w.key, w.other, w.other_key, o.size as other_size
    from whole w join groups o on o.reason = w.other and o.key = w.other_key
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
