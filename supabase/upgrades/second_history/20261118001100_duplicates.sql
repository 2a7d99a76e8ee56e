-- Records that are likely the same, found by equal keys, and merged in one batch; and one line of text that means
-- records which are there already (quick add), found by the same keys.

-- What makes two records the same ----------------------------------------------------------------------------

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

-- Covers what private.alike_names reads: a name takes longer to spell than to look up.
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

-- Returns a table and has no search path of its own, so that the planner writes it into the query: see contact_card.
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

-- Pairs that are not the same --------------------------------------------------------------------------------

create table public.not_duplicates (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  -- Not called contact_id and company_id: what was said of a pair is no event in either record's timeline.
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

-- Groups -----------------------------------------------------------------------------------------------------

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
  names as materialized (
    select * from private.alike_names()
  ),
  suspects as materialized (
    select c.id, c.company_id, c.created_at, c.first_name, c.last_name, k.email_key, k.phone_key, n.name_key
    from keys k join public.contacts c on c.id = k.id left join names n on n.id = k.id
    where n.id is not null
      or k.email_key in (select e.email_key from keys e group by 1 having count(*) > 1)
      or k.phone_key in (select p.phone_key from keys p group by 1 having count(*) > 1)
  ),
  companies as (
    select s.name_key, count(distinct s.company_id) as companies from suspects s where s.name_key is not null group by 1
  ),
  -- Numbers under which there are several names, and the family names of those who have them.
  shared as materialized (
    select s.id, s.phone_key,
      -- Of a single word one cannot tell what it is.
      substring(private.spelling(s.first_name || ' ' || s.last_name, '.,-_/') from ' ([^ ]+)$') as family
    from suspects s
    where s.phone_key in (
      select o.phone_key from suspects o group by 1
      having min(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, '')) <> max(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, ''))
    )
  ),
  families as (
    select s.phone_key from shared s group by 1 having count(distinct s.family) > 1
  ),
  keyed as materialized (
    select s.id, s.created_at, s.email_key,
      -- People of different families share a switchboard, not a phone.
      s.phone_key || ' ' || case when f.phone_key is null then '' else coalesce(h.family, '') end as phone_key,
      case
        -- A single word tells a person only among those of one company.
        when s.name_key not like '% %' then s.name_key || ' ' || s.company_id
        -- Of one name, people of different companies are different people.
        when c.companies > 1 then s.name_key || ' ' || coalesce(s.company_id::text, '')
        else s.name_key
      end as name_key
    from suspects s
    left join shared h on h.id = s.id
    left join families f on f.phone_key = s.phone_key
    left join companies c on c.name_key = s.name_key
  ),
  groups as (
    select g.reason, array_agg(k.id order by k.created_at, k.id) as members, max(k.created_at) as newest,
      count(k.email_key) = count(*) and min(k.email_key) = max(k.email_key) as is_email,
      count(k.phone_key) = count(*) and min(k.phone_key) = max(k.phone_key) as is_phone,
      count(k.name_key) = count(*) and min(k.name_key) = max(k.name_key) as is_name
    from keyed k
    cross join lateral (values ('email', k.email_key), ('phone', k.phone_key), ('name', k.name_key)) as g (reason, key)
    where g.key is not null
    group by g.reason, g.key having count(*) > 1
  )
  select g.reason || ' ' || g.members[1],
    array_remove(array[case when is_email then 'email' end, case when is_phone then 'phone' end, case when is_name then 'name' end], null),
    is_email::integer * 4 + is_phone::integer * 2 + is_name::integer,
    g.newest, g.members
  from groups g
  -- The same people under a stronger reason are there already.
  where not (g.reason = 'phone' and is_email) and not (g.reason = 'name' and (is_email or is_phone))
    and (
      not exists (select from public.not_duplicates n where n.one_contact_id is not null)
      or cardinality(g.members) * (cardinality(g.members) - 1) / 2 > (
        select count(*) from public.not_duplicates n
        where n.one_contact_id = any (g.members) and n.other_contact_id = any (g.members)
      )
    )
$$;
comment on function private.contact_duplicates is
  'Groups of contacts that share an e-mail address, a phone number (and, where several families do, the family name) or a name (and, where people of several companies do, the company). Every reason is an equal key, so it takes one pass over the contacts. Who was told apart in every pair does not come again.';

create function private.company_duplicates()
returns table (id text, reasons text[], strength integer, newest timestamptz, members uuid[])
language sql stable
set search_path = ''
set work_mem = '64MB' -- as contact_duplicates
as $$
  with keys as materialized (
    select c.id, c.created_at, nullif(private.company_key(c.name), '') as name_key, private.website_host(c.website) as host
    from public.companies c
  ),
  suspects as materialized (
    select k.* from keys k
    where k.host in (select h.host from keys h group by 1 having count(*) > 1)
      or k.name_key in (select n.name_key from keys n group by 1 having count(*) > 1)
  ),
  groups as (
    select g.reason, array_agg(k.id order by k.created_at, k.id) as members, max(k.created_at) as newest,
      count(k.host) = count(*) and min(k.host) = max(k.host) as is_website,
      count(k.name_key) = count(*) and min(k.name_key) = max(k.name_key) as is_name
    from suspects k
    cross join lateral (values ('website', k.host), ('name', k.name_key)) as g (reason, key)
    where g.key is not null
    group by g.reason, g.key having count(*) > 1
  )
  select g.reason || ' ' || g.members[1],
    array_remove(array[case when is_website then 'website' end, case when is_name then 'name' end], null),
    is_website::integer * 2 + is_name::integer,
    g.newest, g.members
  from groups g
  where not (g.reason = 'name' and is_website)
    and (
      not exists (select from public.not_duplicates n where n.one_company_id is not null)
      or cardinality(g.members) * (cardinality(g.members) - 1) / 2 > (
        select count(*) from public.not_duplicates n
        where n.one_company_id = any (g.members) and n.other_company_id = any (g.members)
      )
    )
$$;
comment on function private.company_duplicates is
  'Groups of companies that share the host of their website or their name, legal forms aside; as contact_duplicates.';

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
    raise exception 'One of these records does not exist any more.' using errcode = 'PT404';
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

create function public.told_apart(kind text) returns jsonb
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
comment on function public.told_apart is 'The newest two hundred pairs that the user said are not the same.';

-- Merging ----------------------------------------------------------------------------------------------------

create function private.lock_to_merge(kind text, keep uuid, seen jsonb) returns uuid[]
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
comment on function private.lock_to_merge is
  'Checks that the records are the caller''s and still as the caller saw them, and answers those that go. What is linked to them meanwhile waits until the merge is done.';

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
begin
  if char_length(changes ->> 'notes') > 50000 then
    raise exception 'The notes would be too long. Keep less of them.' using errcode = 'PT400';
  end if;
  perform private.set_merged('contacts', keep, changes);
  update public.tasks t set contact_id = keep where t.contact_id = any (gone);
  update public.deals d set contact_id = keep where d.contact_id = any (gone);
  update public.notes n set contact_id = keep where n.contact_id = any (gone);
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
comment on function public.merge_contacts is
  'Makes one contact of several: "seen" names them with the versions the caller saw, "changes" are the values of the one that is kept. Tasks, deals, notes and collections move to it, the others are deleted; one batch.';

create function public.merge_companies(keep uuid, seen jsonb, changes jsonb default '{}', note text default null) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  gone uuid[] := private.lock_to_merge('companies', keep, seen);
begin
  perform private.set_merged('companies', keep, changes);
  update public.contacts p set company_id = keep where p.company_id = any (gone);
  update public.deals d set company_id = keep where d.company_id = any (gone);
  update public.tasks t set company_id = keep where t.company_id = any (gone);
  update public.notes n set company_id = keep where n.company_id = any (gone);
  if btrim(note) <> '' then
    insert into public.notes (body, company_id) values (note, keep);
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
comment on function public.merge_companies is
  'As merge_contacts, for companies: their contacts, deals, tasks and notes move. A company has no field for what would be lost, so it is written as a note.';

-- Quick add --------------------------------------------------------------------------------------------------

-- What one line means, found where it is there already, the rest created in one batch.
-- A line comes as domain/quick-add.ts reads it: {"contact": {first_name, last_name, email, phone_number},
-- "company": {name}, "deal": {name, value}, "task": {title, due_date, priority}}, each of them or null.
create function private.known_companies(me uuid, name text, is_alone boolean) returns uuid[]
language plpgsql stable -- planned for the name that is asked for: only then an index finds what begins so
set search_path = ''
as $$
begin
  return array(
    select k.id
    from (
      (select c.id, c.name, private.fold(c.name) <> private.fold(btrim(known_companies.name)) as is_other, c.updated_at
       from public.companies c
       where c.user_id = me and private.company_key(c.name) = private.company_key(known_companies.name)
       limit 5)
      union
      (select c.id, c.name, true, c.updated_at
       from public.companies c
       where c.user_id = me and not is_alone
         and left(private.fold(c.name), 100) like substr(private.like_pattern(known_companies.name), 2)
         and starts_with(private.fold(c.name), private.fold(btrim(known_companies.name)) || ' ')
         and private.company_key(c.name) <> private.company_key(known_companies.name)
       limit 5)
    ) k
    order by private.company_key(k.name) <> private.company_key(known_companies.name), k.is_other, k.updated_at desc, k.id
    limit 5
  );
end
$$;
comment on function private.known_companies is
  'The companies that a name may mean, likeliest first: called so, but for the legal form, or, where the line asks for more than this company, beginning with these words.';

create function private.known_contacts(me uuid, said jsonb, has_company boolean, company uuid, is_alone boolean) returns uuid[]
language plpgsql stable -- planned for the name that is asked for, as above
set search_path = ''
as $$
begin
  return array(
    select c.id
    from (
      select private.fold(btrim(coalesce(said ->> 'first_name', ''))) as first_name,
        private.fold(btrim(coalesce(said ->> 'last_name', ''))) as last_name,
        private.name_key(said ->> 'first_name', said ->> 'last_name') as name_key,
        lower(btrim(said ->> 'email')) as email, p.phone_key
      from private.phone_key(said ->> 'phone_number', regexp_replace(said ->> 'phone_number', '[^0-9]', '', 'g')) p
    ) s
    cross join lateral (
      select e.id from (
        select c.id from public.contacts c where c.user_id = me and lower(c.email) = s.email limit 5
      ) e
      union
      select f.id from (
        select c.id from public.contacts c
        where c.user_id = me and s.phone_key is not null and c.search_text like '%' || right(s.phone_key, 7) || '%'
        limit 50
      ) f
      union
      select n.id from (
        select c.id from public.contacts c
        where c.user_id = me and (s.last_name <> '' or is_alone) and private.name_key(c.first_name, c.last_name) = s.name_key
        limit 50
      ) n
      union
      -- Among hundreds of the same first name, the one of the company must not be missed.
      select o.id from (
        select c.id from public.contacts c
        where c.user_id = me and c.company_id = company and s.last_name = ''
          and s.first_name in (private.fold(btrim(c.first_name)), private.fold(btrim(c.last_name)))
        limit 50
      ) o
      union
      select b.id from (
        select c.id from public.contacts c
        where c.user_id = me and s.last_name = '' and s.first_name <> '' and not is_alone
          and left(private.fold(btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))), 100)
            like substr(private.like_pattern(s.first_name), 2)
          and s.first_name in (private.fold(btrim(c.first_name)), private.fold(btrim(c.last_name)))
        limit 50
      ) b
      union
      select l.id from (
        select c.id from public.contacts c
        where c.user_id = me and s.last_name = '' and char_length(s.first_name) > 2 and not is_alone
          and c.search_text like regexp_replace(private.like_pattern(s.first_name), '^%(.*)%$', '% \1 %')
          and private.fold(btrim(c.last_name)) = s.first_name
        limit 50
      ) l
    ) k
    join public.contacts c on c.id = k.id
    cross join lateral private.phone_key(c.phone_number, regexp_replace(c.phone_number, '[^0-9]', '', 'g')) p
    -- One address, one person. Otherwise nothing that was said may be wrong about them.
    where lower(c.email) = s.email or (
      (s.email is null or c.email is null)
      and (s.phone_key is null or c.phone_number is null or p.phone_key = s.phone_key)
      and (not has_company or c.company_id is null or c.company_id = company)
      and (s.name_key is null or private.name_key(c.first_name, c.last_name) is null
        or private.name_key(c.first_name, c.last_name) = s.name_key
        or (s.last_name = '' and not is_alone
          and s.first_name in (private.fold(btrim(c.first_name)), private.fold(btrim(c.last_name)))))
    )
    order by lower(c.email) is distinct from s.email, p.phone_key is distinct from s.phone_key,
      c.company_id is distinct from company,
      -- 'Call James' means the first name rather than the last.
      private.fold(btrim(c.first_name)) is distinct from s.first_name, c.updated_at desc, c.id
    limit 5
  );
end
$$;
comment on function private.known_contacts is
  'The contacts that may be meant, likeliest first: by address, by number, by name, or, unless that is all the line says, by one of their names; never one of whom something else is known than was said.';

create function private.known_deals(me uuid, name text, has_company boolean, company uuid, has_contact boolean, contact uuid)
returns uuid[]
language sql stable
set search_path = ''
as $$
  select array(
    select d.id from public.deals d
    where d.user_id = me and lower(d.name) = lower(btrim(known_deals.name)) and d.closed_at is null
      and (not has_company or d.company_id is null or d.company_id = company)
      and (not has_contact or d.contact_id is null or d.contact_id = contact)
      and (not (has_company or has_contact) or d.company_id = company or d.contact_id = contact)
    order by d.updated_at desc, d.id limit 5
  )
$$;
comment on function private.known_deals is
  'The open deals that may be meant, likeliest first: called so, and with the company or the contact, where one was said.';

create function private.known_records(line jsonb, out companies uuid[], out contacts uuid[], out deals uuid[])
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  company uuid;
  contact uuid;
  is_alone boolean;
begin
  if jsonb_typeof(line) is distinct from 'object' or line - '{company,contact,deal,task}'::text[] <> '{}'
     or exists (select from jsonb_each(line) e where jsonb_typeof(e.value) not in ('object', 'null')) then
    raise exception 'The line cannot be read.' using errcode = 'PT400';
  end if;
  -- 'Call Anna' means one who is there. Whoever creates 'Anna' and nothing else has another in mind than Anna Schmidt.
  is_alone := (select count(*) = 1 from jsonb_each(line) e where jsonb_typeof(e.value) = 'object');
  companies := case when line #>> '{company,name}' is not null
    then private.known_companies(me, line #>> '{company,name}', is_alone) end;
  company := case when line -> 'company' ? 'id' then (line #>> '{company,id}')::uuid else companies[1] end;
  contacts := case when jsonb_typeof(line -> 'contact') = 'object'
    then private.known_contacts(me, line -> 'contact', companies is not null, company,
      is_alone and coalesce(line #>> '{contact,email}', line #>> '{contact,phone_number}') is null) end;
  contact := case when line -> 'contact' ? 'id' then (line #>> '{contact,id}')::uuid else contacts[1] end;
  deals := case when line #>> '{deal,name}' is not null
    then private.known_deals(me, line #>> '{deal,name}', companies is not null, company, contacts is not null, contact) end;
end
$$;
comment on function private.known_records is
  'What a line may mean among the records that are there. A part with an "id" is already decided: that record, or null for a new one. A definer because an index cannot serve a search under a policy: it tells ids of the caller''s records, and nothing of them.';

create function public.quick_add_preview(line jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  known record := private.known_records(line);
begin
  return (
    select jsonb_object_agg(k.part, (
      select coalesce(jsonb_agg(card order by i.place), '[]')
      from unnest(k.ids) with ordinality as i (id, place)
      cross join lateral private.search_card(k.kind, i.id) card
      where card is not null
    ))
    from (
      values ('company', 'companies', known.companies), ('contact', 'contacts', known.contacts), ('deal', 'deals', known.deals)
    ) as k (part, kind, ids)
  );
end
$$;
comment on function public.quick_add_preview is
  'For each part of a line the records it may mean; quick_add takes the first, and creates what has none.';

create function private.chosen(part jsonb, kind text, known uuid[]) returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  id uuid := case when part ? 'id' then (part ->> 'id')::uuid else known[1] end;
  is_there boolean;
begin
  execute format('select exists (select from public.%I c where c.id = $1)', kind) into is_there using id;
  if id is not null and not is_there then
    raise exception 'One of the records was deleted in another window. Nothing was saved; type a letter more to look again.'
      using errcode = 'PT409';
  end if;
  return id;
end
$$;
comment on function private.chosen is 'The record that a part of a line means: the one decided on, else the likeliest; null for a new one.';

create function private.fill_contact(contact uuid, said jsonb, company uuid) returns void
language sql
set search_path = ''
as $$
  update public.contacts c
  set first_name = f.first_name, last_name = f.last_name, email = f.email, phone_number = f.phone_number, company_id = f.company_id
  from (
    select
      case when c.first_name is null and c.last_name is null then said ->> 'first_name' else c.first_name end as first_name,
      case when c.first_name is null and c.last_name is null then said ->> 'last_name' else c.last_name end as last_name,
      coalesce(c.email, said ->> 'email') as email,
      coalesce(c.phone_number, said ->> 'phone_number') as phone_number,
      coalesce(c.company_id, company) as company_id
    from public.contacts c where c.id = contact
  ) f
  where c.id = contact
    and (c.first_name, c.last_name, c.email, c.phone_number, c.company_id)
      is distinct from (f.first_name, f.last_name, f.email, f.phone_number, f.company_id)
$$;
comment on function private.fill_contact is 'Writes what was said of a known contact where nothing was known yet; changes nothing that was.';

create function private.first_stage() returns uuid
language sql stable
set search_path = ''
as $$
  select s.id from public.pipeline_stages s
  where s.pipeline_id = (
    select p.id from public.pipelines p order by p.created_at, p.id limit 1
  ) and s.outcome = 'open'
  order by s."order", s.id limit 1
$$;
comment on function private.first_stage is 'Where a deal begins of which no stage was said: the first of the oldest pipeline.';

create function public.quick_add(line jsonb, batch uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  known record;
  said jsonb;
  company uuid;
  contact uuid;
  deal uuid;
begin
  if batch is null then
    raise exception 'The line cannot be read.' using errcode = 'PT400';
  end if;
  -- The same line in two windows is one line and then another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('quick_add ' || me::text, 0));
  if not exists (select from public.changes c where c.batch = quick_add.batch) then
    perform pg_catalog.set_config('solo.batch', batch::text, true);
    known := private.known_records(line);

    said := line -> 'company';
    if said ->> 'name' is not null then
      company := private.chosen(said, 'companies', known.companies);
      if company is null then
        insert into public.companies (name) values (said ->> 'name') returning id into company;
      end if;
    end if;

    said := line -> 'contact';
    if jsonb_typeof(said) = 'object' then
      contact := private.chosen(said, 'contacts', known.contacts);
      if contact is null then
        insert into public.contacts (first_name, last_name, email, phone_number, company_id)
        values (said ->> 'first_name', said ->> 'last_name', said ->> 'email', said ->> 'phone_number', company)
        returning id into contact;
      else
        perform private.fill_contact(contact, said, company);
      end if;
    end if;

    said := line -> 'deal';
    if said ->> 'name' is not null then
      deal := private.chosen(said, 'deals', known.deals);
      if deal is null then
        insert into public.deals (name, value, stage_id, company_id, contact_id)
        values (said ->> 'name', coalesce((said ->> 'value')::numeric, 0), private.first_stage(),
          coalesce(company, (select c.company_id from public.contacts c where c.id = contact)), contact)
        returning id into deal;
      else
        update public.deals d set value = (said ->> 'value')::numeric
        where d.id = deal and d.value <> (said ->> 'value')::numeric;
      end if;
    end if;

    said := line -> 'task';
    if said ->> 'title' is not null then
      insert into public.tasks (title, due_date, due_all_day, priority, deal_id, contact_id, company_id)
      values (said ->> 'title', (said ->> 'due_date')::timestamptz, coalesce((said ->> 'due_all_day')::boolean, false),
        coalesce(said ->> 'priority', 'medium'), deal, contact, company);
    end if;

    if private.written_batch() is null then
      raise exception 'All of this is there already. Nothing was saved.' using errcode = 'PT409';
    end if;
  end if;
  return jsonb_build_object('batch', batch, 'records', (
    select jsonb_agg(jsonb_build_object('kind', c.table_name, 'id', c.row_id, 'title', c.label, 'is_new', c.verb = 'insert') order by c.id)
    from public.changes c where c.batch = quick_add.batch
  ));
end
$$;
comment on function public.quick_add is
  'Creates what a line says and is not there yet, all in the batch that the caller names: asked again after a lost answer it answers the same and writes nothing. A known contact is told what was not known of them, a known deal gets the value.';

-- Who may call what ------------------------------------------------------------------------------------------

-- What an index works out is worked out by whoever writes the row.
revoke all on function
  private.spelling(text, text), private.name_key(text, text), private.alike_names(),
  private.phone_key(text, text), private.company_key(text), private.website_host(text),
  private.contact_duplicates(), private.company_duplicates(), private.check_duplicates(text),
  private.duplicates(text), private.merge_cards(text, uuid[]),
  public.duplicate_page(text, jsonb, integer), public.duplicate_counts(), public.merge_candidates(text, uuid[]),
  public.mark_not_duplicates(text, uuid[]), public.told_apart(text), private.lock_to_merge(text, uuid, jsonb),
  private.set_merged(text, uuid, jsonb), public.merge_contacts(uuid, jsonb, jsonb),
  public.merge_companies(uuid, jsonb, jsonb, text), private.known_companies(uuid, text, boolean),
  private.known_contacts(uuid, jsonb, boolean, uuid, boolean),
  private.known_deals(uuid, text, boolean, uuid, boolean, uuid), private.known_records(jsonb),
  public.quick_add_preview(jsonb), private.chosen(jsonb, text, uuid[]), private.fill_contact(uuid, jsonb, uuid),
  private.first_stage(), public.quick_add(jsonb, uuid)
  from public, anon, authenticated;
grant execute on function
  private.spelling(text, text), private.name_key(text, text), private.alike_names(), private.phone_key(text, text),
  private.company_key(text), private.website_host(text), private.contact_duplicates(), private.company_duplicates(),
  private.check_duplicates(text), private.duplicates(text), private.merge_cards(text, uuid[]),
  public.duplicate_page(text, jsonb, integer), public.duplicate_counts(), public.merge_candidates(text, uuid[]),
  public.mark_not_duplicates(text, uuid[]), public.told_apart(text), private.lock_to_merge(text, uuid, jsonb),
  private.set_merged(text, uuid, jsonb), public.merge_contacts(uuid, jsonb, jsonb),
  public.merge_companies(uuid, jsonb, jsonb, text), private.known_records(jsonb), public.quick_add_preview(jsonb),
  private.chosen(jsonb, text, uuid[]), private.fill_contact(uuid, jsonb, uuid), private.first_stage(),
  public.quick_add(jsonb, uuid)
  to authenticated, service_role;
