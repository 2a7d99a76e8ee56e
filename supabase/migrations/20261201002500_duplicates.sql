-- Records that are likely the same, found by equal keys, and merged in one batch.

-- What makes two records the same -----------------------------------------------------------------------------

create function private.spelling(name text, loose text) returns text
language plpgsql immutable parallel safe
set search_path = ''
as $$
declare
  words text := translate(lower(extensions.unaccent('extensions.unaccent'::regdictionary, name)),
    loose || 'y''`"().!', repeat(' ', length(loose)) || 'i');
begin
  -- Names that sound the same are often written in two ways: Müller and Mueller, Meier and Maier, Philipp and Filip.
  words := replace(replace(replace(replace(replace(replace(words, 'ph', 'f'), 'th', 't'), 'ai', 'ei'), 'ae', 'a'), 'oe', 'o'), 'ue', 'u');
  words := replace(replace(replace(replace(replace(replace(words, 'll', 'l'), 'mm', 'm'), 'nn', 'n'), 'pp', 'p'), 'ss', 's'), 'tt', 't');
  return btrim(replace(replace(words, '  ', ' '), '  ', ' '));
end
$$;
comment on function private.spelling is
  'A name without capitals, accents, marks and what may be spelled in two ways. "loose" are the marks that part words.';

create function private.name_key(first_name text, last_name text) returns text
language plpgsql immutable parallel safe
set search_path = ''
as $$
declare
  words text := private.spelling(coalesce(first_name || ' ', '') || coalesce(last_name, ''), '.,-_/');
  first text := split_part(words, ' ', 1);
  rest text;
begin
  if first in ('dr', 'prof', 'mr', 'mrs', 'ms', 'herr', 'frau', 'ing', 'mag', 'dipl') then
    words := regexp_replace(words, '^((dr|prof|mr|mrs|ms|herr|frau|ing|mag|dipl) )+', '');
    first := split_part(words, ' ', 1);
  end if;
  rest := substr(words, length(first) + 2);
  if rest like '_ %' then
    rest := substr(rest, 3);
  end if;
  return case
    when rest = '' then nullif(first, '')
    when first < rest collate "C" then first || ' ' || rest
    else rest || ' ' || first
  end;
end
$$;
comment on function private.name_key is
  'What two spellings of one person''s name have in common: without titles and a second initial, whichever name is first.';

-- Covers all that private.alike_names reads: to compute the key of a name takes longer than to read it from the index.
create index contacts_by_spelling on public.contacts (user_id, private.name_key(first_name, last_name))
  include (first_name, last_name, id);

create function private.alike_names() returns table (name_key text, id uuid)
language sql stable
set search_path = ''
set enable_seqscan = off -- the planner does not know that the index saves it the spelling
set enable_bitmapscan = off
as $$
  select g.name_key, m.id
  from (
    select private.name_key(c.first_name, c.last_name) as name_key, array_agg(c.id) as ids from public.contacts c
    where private.name_key(c.first_name, c.last_name) is not null
    group by 1 having count(*) > 1
  ) g
  cross join lateral unnest(g.ids) as m (id)
$$;
comment on function private.alike_names is 'Contacts whose names are spelled alike.';

-- Returns a table and has no search path of its own, so that the planner inlines it: see contact_card.
create function private.phone_key(phone_number text, digits text) returns table (phone_key text)
language sql stable
as $$
  select case when length(n.number) between 7 and 15 then right(n.number, 9) end
  from private.national_number(phone_number, digits) n
$$;
comment on function private.phone_key is
  'The number without country code and leading zeros, at most its last nine digits; null when fewer than seven are left. +49 30 1234567, 0049 (0)30/1234567 and 030 1234567 are one number.';

create function private.company_key(name text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select coalesce(nullif(replace(regexp_replace(regexp_replace(s.words, '^te | (and|und|et)(?= )', '', 'g'),
    '( (gmbh|mbh|ag|kg|kgaa|ohg|gbr|ug|se|ev|eg|inc|incorporated|ltd|limited|lc|lp|plc|corp|corporation|co|compani|sarl|sas|sa|srl|spa|sl|bv|nv|ab|as|oi|aps|pti|pte|sro|doo|haftungsbeschrankt|and|und|et))+$', ''),
    ' ', ''), ''), replace(s.words, ' ', ''))
  from private.spelling(name, ',-_/&+') as s (words)
$$;
comment on function private.company_key is
  'A company''s name without its legal form. The forms are spelled as private.spelling leaves them: "te" is The, "lc" is LLC.';

create index companies_by_key on public.companies (user_id, private.company_key(name));

create function private.website_host(website text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select case when h.host not in ('facebook.com', 'linkedin.com', 'instagram.com', 'xing.com', 'twitter.com', 'x.com',
    'youtube.com', 'google.com', 'sites.google.com', 'github.com', 'tiktok.com', 'linktr.ee') then h.host end
  from (select substring(lower(website) from '^https?://(?:[^/?#@]*@)?(?:www\.)?([^/:?#]+)') as host) h
$$;
comment on function private.website_host is 'Where a website is, unless it is a place where everybody has a page.';

create function private.profile_key(link text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select substring(lower(btrim(link)) from '^https?://(?:[a-z0-9-]+\.)?(linkedin\.com/(?:in|pub)/[^/?#]+|xing\.com/profile/[^/?#]+)')
$$;
comment on function private.profile_key is
  'The page of one person at LinkedIn or Xing, however its address is written. Other links are often of a company, and colleagues share them.';

-- Pairs that are not the same ---------------------------------------------------------------------------------

create table public.not_duplicates (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  -- Not called contact_id and company_id: the log links changes to records by columns of these names, and a pair is no event on
  -- the timeline of either record.
  one_contact_id uuid,
  other_contact_id uuid,
  one_company_id uuid,
  other_company_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint not_duplicates_contacts_once unique (one_contact_id, other_contact_id) deferrable initially immediate,
  constraint not_duplicates_companies_once unique (one_company_id, other_company_id) deferrable initially immediate,
  constraint not_duplicates_one_contact_id_fkey foreign key (user_id, one_contact_id) references public.contacts (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint not_duplicates_other_contact_id_fkey foreign key (user_id, other_contact_id) references public.contacts (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint not_duplicates_one_company_id_fkey foreign key (user_id, one_company_id) references public.companies (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint not_duplicates_other_company_id_fkey foreign key (user_id, other_company_id) references public.companies (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint not_duplicates_are_pairs check (
    num_nonnulls(one_contact_id, other_contact_id) in (0, 2) and num_nonnulls(one_company_id, other_company_id) in (0, 2)
    and num_nonnulls(one_contact_id, one_company_id) = 1
  ),
  constraint not_duplicates_in_order check (
    coalesce(one_contact_id < other_contact_id, true) and coalesce(one_company_id < other_company_id, true)
  )
);
alter table public.not_duplicates enable row level security;
comment on table public.not_duplicates is
  'Pairs of contacts or of companies that look alike and are not the same: the user said so. The smaller id comes first.';

create index not_duplicates_by_contact on public.not_duplicates (user_id, one_contact_id);
create index not_duplicates_by_other_contact on public.not_duplicates (user_id, other_contact_id);
create index not_duplicates_by_company on public.not_duplicates (user_id, one_company_id);
create index not_duplicates_by_other_company on public.not_duplicates (user_id, other_company_id);

select
  private.log_table('public.not_duplicates'),
  private.open_to_owner('public.not_duplicates', '{one_contact_id,other_contact_id,one_company_id,other_company_id}');

-- Groups ------------------------------------------------------------------------------------------------------

-- Contacts and companies have different keys, and so a function each. From "groups" on, both functions take the same steps.

create function private.contact_duplicates()
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
  agreed as (
    select g.reason, g.key, o.reason as other, o.key as other_key, o.size as other_size
    from groups g
    join keyed mine on mine.reason = g.reason and mine.key = g.key
    join keyed k on k.id = mine.id
    join groups o on o.reason = k.reason and o.key = k.key and o.size >= g.size
    group by g.reason, g.key, g.size, o.reason, o.key, o.size having count(*) = g.size
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
comment on function private.contact_duplicates is
  'Groups of contacts that share one of their e-mail addresses, a profile among their links, one of their phone numbers (and, where several families do, the family name) or a name (and, where people of several companies do, the company). Every reason is an equal key, so it takes one pass over the contacts. Who was told apart in every pair does not come again.';

create function private.company_duplicates()
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

create function private.check_duplicates(kind text) returns void
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.caller();
  if kind is null or kind not in ('contacts', 'companies') then
    raise exception 'Only contacts and companies have duplicates.' using errcode = 'PT400';
  end if;
end
$$;

create function private.duplicates(kind text)
returns table (id text, reasons text[], strength integer, newest timestamptz, members uuid[])
language sql stable
set search_path = ''
as $$
  select * from private.contact_duplicates() where kind = 'contacts'
  union all
  select * from private.company_duplicates() where kind = 'companies'
$$;

create function private.merge_cards(kind text, ids uuid[]) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(r.card order by r.place), '[]') from (
    select w.place, (to_jsonb(c) - 'search_text' - 'user_id') || jsonb_build_object(
      'company_name', (select co.name from public.companies co where co.id = c.company_id),
      'linked', jsonb_build_object(
        'deals', (select count(*) from public.deals d where d.contact_id = c.id),
        'tasks', (select count(*) from public.tasks t where t.contact_id = c.id),
        'notes', (select count(*) from public.notes n where n.contact_id = c.id),
        'collections', (select count(*) from public.collection_members m where m.contact_id = c.id)
      )) as card
    from unnest(ids) with ordinality as w (id, place)
    join public.contacts c on c.id = w.id
    where kind = 'contacts'
    union all
    select w.place, (to_jsonb(c) - 'search_text' - 'user_id') || jsonb_build_object(
      'linked', jsonb_build_object(
        'contacts', (select count(*) from public.contacts p where p.company_id = c.id),
        'deals', (select count(*) from public.deals d where d.company_id = c.id),
        'tasks', (select count(*) from public.tasks t where t.company_id = c.id),
        'notes', (select count(*) from public.notes n where n.company_id = c.id)
      ))
    from unnest(ids) with ordinality as w (id, place)
    join public.companies c on c.id = w.id
    where kind = 'companies'
  ) r
$$;
comment on function private.merge_cards is 'Records as one must see them to tell them apart: with what is linked to each counted.';

create function public.duplicate_page(kind text, after jsonb default null, page_size integer default 30) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  size integer := least(greatest(page_size, 1), 100);
  answer jsonb;
begin
  perform private.check_duplicates(kind);
  with page as (
    select g.*, row_number() over (order by g.strength desc, g.newest desc, g.id) as place
    from private.duplicates(kind) g
    where after is null
      or (-g.strength, -extract(epoch from g.newest), g.id)
        > (-(after ->> 'strength')::integer, -extract(epoch from (after ->> 'newest')::timestamptz), after ->> 'id')
    order by place limit size + 1
  )
  select jsonb_build_object(
    'rows', coalesce(jsonb_agg(jsonb_build_object(
      'id', p.id, 'reasons', to_jsonb(p.reasons), 'size', cardinality(p.members),
      'records', private.merge_cards(kind, p.members[1:20])
    ) order by p.place) filter (where p.place <= size), '[]'),
    'next', case when count(*) > size then
      (array_agg(jsonb_build_object('strength', p.strength, 'newest', p.newest, 'id', p.id) order by p.place desc))[2] end
  )
  into answer from page p;
  return answer;
end
$$;
comment on function public.duplicate_page is
  'A page of the groups of contacts or companies that are likely the same, strongest first; of each at most twenty records, the oldest, and how many there are.';

create function public.duplicate_counts() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'contacts', (select count(*) from private.contact_duplicates()),
    'companies', (select count(*) from private.company_duplicates())
  )
$$;
comment on function public.duplicate_counts is 'How many groups duplicate_page finds of each kind.';

create function public.merge_candidates(kind text, ids uuid[]) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.check_duplicates(kind);
  return private.merge_cards(kind, ids[1:20]);
end
$$;
comment on function public.merge_candidates is 'The named records as they are now, at most twenty; those that are gone are left out.';

create function public.mark_not_duplicates(kind text, ids uuid[]) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  chosen uuid[] := array(select distinct i from unnest(ids) as i);
  there integer;
  row_count bigint;
begin
  perform private.check_duplicates(kind);
  if cardinality(chosen) not between 2 and 20 then
    raise exception 'Two to 20 records can be told apart at once.' using errcode = 'PT400';
  end if;
  -- Locked, so that the same said in two windows is stored once.
  execute format('select count(*) from (select from public.%I c where c.id = any ($1) order by c.id for update) r', kind)
    into there using chosen;
  if there < cardinality(chosen) then
    raise exception 'One of these records no longer exists.' using errcode = 'PT404';
  end if;
  insert into public.not_duplicates (one_contact_id, other_contact_id, one_company_id, other_company_id)
  select case when kind = 'contacts' then a end, case when kind = 'contacts' then b end,
    case when kind = 'companies' then a end, case when kind = 'companies' then b end
  from unnest(chosen) as a cross join unnest(chosen) as b
  where a < b and not exists (
    select from public.not_duplicates n
    where n.one_contact_id = a and n.other_contact_id = b or n.one_company_id = a and n.other_company_id = b
  );
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;
comment on function public.mark_not_duplicates is 'Remembers of every two of these records that they are not the same; one batch.';

create function public.not_duplicate_pairs(kind text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.check_duplicates(kind);
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'records', private.merge_cards(kind, array[p.one, p.other]))
      order by p.created_at desc, p.id), '[]')
    from (
      select n.id, n.created_at,
        coalesce(n.one_contact_id, n.one_company_id) as one, coalesce(n.other_contact_id, n.other_company_id) as other
      from public.not_duplicates n
      where case when kind = 'contacts' then n.one_contact_id is not null else n.one_company_id is not null end
      order by n.created_at desc, n.id limit 200
    ) p
  );
end
$$;
comment on function public.not_duplicate_pairs is 'The newest two hundred pairs that the user marked as not duplicates.';

-- While a record is typed -------------------------------------------------------------------------------------

-- Existing records that match the contact, company or deal in an open form, found by the keys of the duplicates.

-- The form sends all email addresses as one text, one per line, and so the phone numbers and the links.

create function private.typed_addresses(reported jsonb) returns setof text
language sql immutable
set search_path = ''
as $$
  select distinct lower(btrim(l.line)) from regexp_split_to_table(reported ->> 'emails', '\n') l (line) where l.line like '%_@_%' limit 5
$$;

create function private.typed_numbers(reported jsonb) returns setof text
language sql stable
set search_path = ''
as $$
  select distinct k.phone_key from regexp_split_to_table(reported ->> 'phones', '\n') l (line)
  cross join lateral private.phone_key(l.line, regexp_replace(l.line, '[^0-9]', '', 'g')) k
  where k.phone_key is not null limit 5
$$;

create function private.typed_link(typed text) returns text
language sql immutable
set search_path = ''
as $$ select case when btrim(typed) ~* '^https?://' then btrim(typed) else 'https://' || btrim(typed) end $$;
comment on function private.typed_link is 'A link as it is stored: without a scheme it is one of https.';

create function private.has_number(entries jsonb, key text) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from jsonb_array_elements(entries) e
    cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
    where n.phone_key = key
  )
$$;
comment on function private.has_number is 'Whether a list holds this number, however it is written.';

create index companies_by_host on public.companies (user_id, private.website_host(website));

create function private.similar_contacts(me uuid, reported jsonb) returns table (id uuid, reason text, place integer)
language plpgsql stable -- planned for what was typed, so that the indexes are used
set search_path = ''
as $$
declare
  address text;
  profile text;
  number text;
  key text := private.name_key(reported ->> 'first_name', reported ->> 'last_name');
  company uuid := (reported ->> 'company_id')::uuid;
begin
  for address in select * from private.typed_addresses(reported) loop
    return query
    (select c.id, 'email', 1 from public.contacts c where c.user_id = me and lower(c.email) = address limit 3)
    union
    -- The index of what is searched knows the other addresses too.
    (select c.id, 'email', 1 from public.contacts c
     where c.user_id = me and c.search_text like private.like_pattern(address) and private.has_entry(c.emails, address) limit 3);
  end loop;
  for profile in
    select distinct k.key from regexp_split_to_table(reported ->> 'links', '\n') l (line)
    cross join lateral private.profile_key(private.typed_link(l.line)) k (key)
    where k.key is not null limit 5
  loop
    return query
    select c.id, 'link', 2 from public.contacts c
    where c.user_id = me and c.search_text like private.like_pattern(profile)
      and exists (select from jsonb_array_elements(c.links) e where private.profile_key(e.value ->> 'value') = profile)
    limit 3;
  end loop;
  for number in select * from private.typed_numbers(reported) loop
    return query
    select f.id, 'phone', 3
    from (
      select c.id, c.phones from public.contacts c where c.user_id = me and c.search_text like '%' || right(number, 7) || '%' limit 50
    ) f
    where private.has_number(f.phones, number) limit 3;
  end loop;
  if key is not null then
    return query
    select c.id, 'name', 4 from public.contacts c
    where c.user_id = me and private.name_key(c.first_name, c.last_name) = key
      -- Of one name, people of different companies are different people; a single word tells one only within a company.
      and case when key like '% %' then c.company_id = company or c.company_id is null or company is null else c.company_id = company end
    order by c.company_id is distinct from company, c.updated_at desc, c.id limit 3;
  end if;
end
$$;
comment on function private.similar_contacts is
  'Contacts with one of these addresses, profiles or numbers, or this name and no other company; why, and how strong that is.';

create function private.similar_companies(me uuid, reported jsonb) returns table (id uuid, reason text, place integer)
language plpgsql stable -- planned for what was typed, so that the indexes are used
set search_path = ''
as $$
declare
  key text := nullif(private.company_key(reported ->> 'name'), '');
  host text := private.website_host(private.typed_link(reported ->> 'website'));
  address text;
  number text;
begin
  for address in select * from private.typed_addresses(reported) loop
    return query
    select c.id, 'email', 1 from public.companies c
    where c.user_id = me and c.search_text like private.like_pattern(address) and private.has_entry(c.emails, address) limit 3;
  end loop;
  for number in select * from private.typed_numbers(reported) loop
    return query
    select f.id, 'phone', 2
    from (
      select c.id, c.phones from public.companies c where c.user_id = me and c.search_text like '%' || right(number, 7) || '%' limit 50
    ) f
    where private.has_number(f.phones, number) limit 3;
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

create function private.similar_ids(kind text, reported jsonb) returns table (id uuid, reason text)
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  company uuid := (reported ->> 'company_id')::uuid;
  contact uuid := (reported ->> 'contact_id')::uuid;
begin
  return query
  select k.id, k.reason
  from (
    select distinct on (a.id) a.id, a.reason, a.place
    from (
      select * from private.similar_contacts(me, reported) where kind = 'contacts'
      union all
      select * from private.similar_companies(me, reported) where kind = 'companies'
      union all
      select d.id, 'name', d.place::integer
      from unnest(private.known_deals(me, reported ->> 'name', company is not null, company, contact is not null, contact))
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

create function public.similar_records(kind text, reported jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.caller();
  if kind is null or kind not in ('contacts', 'companies', 'deals') or jsonb_typeof(reported) is distinct from 'object'
     or exists (select from jsonb_each(reported) e where jsonb_typeof(e.value) not in ('string', 'null') or length(e.value #>> '{}') > 2000) then
    raise exception 'What was typed cannot be compared.' using errcode = 'PT400';
  end if;
  return (
    select coalesce(jsonb_agg(card || jsonb_build_object('reason', s.reason) order by s.place), '[]')
    from private.similar_ids(kind, reported) with ordinality as s (id, reason, place)
    cross join lateral private.search_card(kind, s.id) card
    where card is not null
  );
end
$$;
comment on function public.similar_records is
  'At most three contacts, companies or open deals that seem to be the one that is being typed, each with the reason: email, link, phone, website or name.';

-- Merging -----------------------------------------------------------------------------------------------------

create function private.locked_to_merge(kind text, keep uuid, seen jsonb) returns uuid[]
language plpgsql
set search_path = ''
as $$
declare
  ids uuid[];
  found record;
begin
  perform private.check_duplicates(kind);
  if seen is null or jsonb_typeof(seen) <> 'object' or keep is null or not seen ? keep::text then
    raise exception 'The records to merge cannot be read.' using errcode = 'PT400';
  end if;
  ids := array(select key::uuid from jsonb_object_keys(seen) as key);
  if cardinality(ids) not between 2 and 20 then
    raise exception 'Two to 20 records can be merged at once.' using errcode = 'PT400';
  end if;
  -- In the order of their ids, so that two merges wait for each other and neither for both.
  execute format(
    'select count(*) as there, count(*) filter (where r.updated_at = ($2 ->> r.id::text)::timestamptz) as same
     from (select c.id, c.updated_at from public.%I c where c.id = any ($1) order by c.id for update) r', kind)
    into found using ids, seen;
  if found.there < cardinality(ids) then
    raise exception 'One of these records was deleted or merged meanwhile. Nothing was merged.' using errcode = 'PT409';
  end if;
  if found.same < cardinality(ids) then
    raise exception 'One of these records was changed meanwhile. Nothing was merged: look at it again.' using errcode = 'PT409';
  end if;
  return array_remove(ids, keep);
end
$$;
comment on function private.locked_to_merge is
  'Checks that the records are the caller''s and still as the caller saw them, and answers those that go. What is linked to them meanwhile waits until the merge is done.';

-- A pin on a record that is merged into another one passes to that record.

create function private.move_pins(kind text, keep uuid, gone uuid[]) returns void
language sql
set search_path = ''
as $$
  update public.preferences p set pinned = array(
    select w.name
    from unnest(p.pinned) with ordinality as n (name, place)
    cross join lateral (
      select k.name, k.part from (values (kind || '/' || keep, 1), (n.name, 2)) as k (name, part)
      -- What is gone stays unseen, so that an undo finds it pinned; but nothing else loses its place for that.
      where n.name <> all (g.names) and k.part = 2
        or n.name = any (g.names) and (k.part = 1 or cardinality(p.pinned) < 20)
    ) w
    order by n.place, w.part
  )
  from (select array(select kind || '/' || i.id from unnest(gone) as i (id)) as names) g
  where p.user_id = private.caller() and p.pinned && g.names
$$;
comment on function private.move_pins is 'The record that stays of a merge is pinned where one that went was. private.tidy_kept leaves each name once.';

create function private.lock_to_merge(kind text, keep uuid, seen jsonb) returns uuid[]
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
comment on function private.lock_to_merge is
  'Locks the records of a merge and tells which of them go. What a merge moves for every kind of record is moved here.';

-- A merge of records that together have more than 20 entries of a list does what an import does: the first 20 stay in the list,
-- and the others are kept as text, in the notes of a contact or in a note on a company. Decision 037.

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
     from public.%1$I o cross join lateral jsonb_each(private.seen_values(o.custom, $3, $4)) v
     where o.id = any ($2) and not exists (select from public.%1$I k where k.id = $1 and private.seen_values(k.custom, $3, $4) ? v.key)', kind)
  into more using keep, gone, private.gone_fields_of(kind), private.gone_options_of(kind);
  if more is not null then
    changes := changes || jsonb_build_object('custom', more || coalesce(nullif(changes -> 'custom', 'null'), '{}'));
  end if;
  select l.changes, l.beyond into changes, beyond from private.merged_lists(kind, keep, gone, changes) l;
end
$$;
comment on function private.merged_values is
  'The values of the record that a merge keeps: those that were chosen, and what the others have besides. What its lists cannot hold, a line each.';

create function private.move_deal_contacts(keep uuid, gone uuid[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- On each deal once: the one that stays keeps its role, or gets that of the first who had one.
  update public.deal_contacts k set role = o.role
  from (
    select distinct on (o.deal_id) o.deal_id, o.role from public.deal_contacts o
    where o.contact_id = any (gone) and o.role is not null
    order by o.deal_id, o.position, o.created_at, o.id
  ) o
  where k.contact_id = keep and k.deal_id = o.deal_id and k.role is null;
  update public.deal_contacts m set contact_id = keep
  where m.id in (
    select distinct on (o.deal_id) o.id from public.deal_contacts o
    where o.contact_id = any (gone)
      and not exists (select from public.deal_contacts k where k.deal_id = o.deal_id and k.contact_id = keep)
    order by o.deal_id, o.role is null, o.position, o.created_at, o.id
  );
end
$$;
comment on function private.move_deal_contacts is 'What is left of the others goes with their contacts.';

create function private.move_files(kind text, keep uuid, gone uuid[]) returns void
language sql
set search_path = ''
as $$
  -- Those of notes go with their notes.
  update public.files f set contact_id = case kind when 'contacts' then keep end, company_id = case kind when 'companies' then keep end
  where f.note_id is null and case kind when 'contacts' then f.contact_id when 'companies' then f.company_id end = any (gone)
$$;
comment on function private.move_files is 'The record that stays of a merge takes the files of those that go.';

create function private.set_merged(kind text, keep uuid, changes jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  columns text;
  known text[] := array(select c.name from private.columns_of(format('public.%I', kind)::regclass) c where c.is_writable);
begin
  if changes is null or jsonb_typeof(changes) <> 'object' or changes - known <> '{}' then
    raise exception 'Only the fields of the record can be set.' using errcode = 'PT400';
  end if;
  select string_agg(quote_ident(key), ', ') into columns from jsonb_object_keys(changes) as key;
  if columns is null then
    return;
  end if;
  execute format(
    'update public.%1$I c set (%2$s) = (select %2$s from jsonb_populate_record(c, $2)) where c.id = $1',
    kind, columns) using keep, changes;
end
$$;

create function public.merge_contacts(keep uuid, seen jsonb, changes jsonb default '{}') returns jsonb
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
  perform private.name_action('merge', (
    select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), 'Unnamed') from public.contacts c
    where c.id = keep
  ));
  return private.bulk_answer(cardinality(gone) + 1);
end
$$;
comment on function public.merge_contacts is
  'Makes one contact of several: "seen" names them with the versions the caller saw, "changes" are the values of the one that is kept. Tasks, deals, notes and collections move to it, the others are deleted; one batch.';

create function public.merge_companies(keep uuid, seen jsonb, changes jsonb default '{}', note text default null) returns jsonb
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
  perform private.name_action('merge', (select c.name from public.companies c where c.id = keep));
  return private.bulk_answer(cardinality(gone) + 1);
end
$$;
comment on function public.merge_companies is
  'As merge_contacts, for companies: their contacts, deals, tasks and notes move. A company has no field for what would be lost, so it is written as a note.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.spelling(text, text), private.name_key(text, text), private.alike_names(), private.phone_key(text, text),
  private.company_key(text), private.website_host(text), private.profile_key(text), private.contact_duplicates(), private.company_duplicates(),
  private.check_duplicates(text), private.duplicates(text), private.merge_cards(text, uuid[]),
  public.duplicate_page(text, jsonb, integer), public.duplicate_counts(), public.merge_candidates(text, uuid[]),
  public.mark_not_duplicates(text, uuid[]), public.not_duplicate_pairs(text), private.typed_addresses(jsonb),
  private.typed_numbers(jsonb), private.typed_link(text), private.has_number(jsonb, text), private.similar_contacts(uuid, jsonb),
  private.similar_companies(uuid, jsonb), private.similar_ids(text, jsonb), public.similar_records(text, jsonb),
  private.locked_to_merge(text, uuid, jsonb), private.move_pins(text, uuid, uuid[]),
  private.lock_to_merge(text, uuid, jsonb), private.merged_lists(text, uuid, uuid[], jsonb),
  private.merged_values(text, uuid, uuid[], jsonb), private.move_deal_contacts(uuid, uuid[]),
  private.move_files(text, uuid, uuid[]), private.set_merged(text, uuid, jsonb),
  public.merge_contacts(uuid, jsonb, jsonb), public.merge_companies(uuid, jsonb, jsonb, text)
  from public, anon, authenticated;
-- Whoever writes a row computes the expressions of its indexes, and so calls the functions in them.
grant execute on function
  private.spelling(text, text), private.name_key(text, text), private.alike_names(), private.phone_key(text, text),
  private.company_key(text), private.website_host(text), private.profile_key(text), private.contact_duplicates(), private.company_duplicates(),
  private.check_duplicates(text), private.duplicates(text), private.merge_cards(text, uuid[]),
  public.duplicate_page(text, jsonb, integer), public.duplicate_counts(), public.merge_candidates(text, uuid[]),
  public.mark_not_duplicates(text, uuid[]), public.not_duplicate_pairs(text), private.similar_ids(text, jsonb),
  public.similar_records(text, jsonb), private.locked_to_merge(text, uuid, jsonb),
  private.move_pins(text, uuid, uuid[]), private.lock_to_merge(text, uuid, jsonb),
  private.merged_lists(text, uuid, uuid[], jsonb), private.merged_values(text, uuid, uuid[], jsonb),
  private.move_deal_contacts(uuid, uuid[]), private.move_files(text, uuid, uuid[]),
  private.set_merged(text, uuid, jsonb), public.merge_contacts(uuid, jsonb, jsonb),
  public.merge_companies(uuid, jsonb, jsonb, text)
  to authenticated, service_role;
