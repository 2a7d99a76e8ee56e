-- Imports: the rows of a file come in parts, are compared with what is there, and are then written in one
-- transaction and one batch, which undo_batch takes back.

-- Neither table is opened: every way to them is a function below.
create table private.imports (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  file_name text not null,
  total integer not null,
  summary jsonb,
  batch uuid,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  unique (user_id, id),
  constraint imports_kind_known check (kind in ('contacts', 'companies', 'deals')),
  constraint imports_file_name_length check (char_length(file_name) between 1 and 255),
  constraint imports_total_possible check (total between 1 and 200000)
);
alter table private.imports enable row level security;
comment on table private.imports is 'Files that were brought in, or are about to be.';
comment on column private.imports.summary is 'What became of the rows; null until they are written.';
comment on column private.imports.batch is 'What undoes it; null when nothing was written.';

create index imports_newest on private.imports (user_id, created_at desc, id desc);

create table private.import_rows (
  import_id uuid not null,
  user_id uuid not null,
  place integer not null,
  said jsonb not null,
  problem text,
  email_key text,
  name_key text,
  primary key (import_id, place),
  foreign key (user_id, import_id) references private.imports (user_id, id) on delete cascade
);
alter table private.import_rows enable row level security;
comment on table private.import_rows is
  'The rows of imports under way, as the browser read them out of the file. Gone when the import is done, but for those with a problem.';
comment on column private.import_rows.place is 'The row''s number in the file, as a spreadsheet counts.';
comment on column private.import_rows.said is 'What the row says, by field; what it does not say is left out.';
comment on column private.import_rows.problem is 'Why the row cannot be imported; the browser tells it by the rules of the forms.';
comment on column private.import_rows.name_key is 'What makes two records the same where e-mail addresses do not tell.';

create table private.import_matches (
  import_id uuid not null,
  user_id uuid not null,
  place integer not null,
  target uuid,
  twin integer,
  is_by_email boolean not null,
  primary key (import_id, place),
  foreign key (user_id, import_id) references private.imports (user_id, id) on delete cascade
);
alter table private.import_matches enable row level security;
comment on table private.import_matches is 'Rows of an import that are there already: as a record, or as an earlier row of the same file.';
comment on column private.import_matches.twin is 'The earlier row of the file that says the same record.';

-- Written into the query that uses it, see contact_card: it is needed for every contact that there is.
create function private.contact_key(first_name text, last_name text, phone_number text, company text, rest text)
returns table (key text)
language sql stable
as $$
  -- As private.fold, without the call.
  select lower(extensions.unaccent('extensions.unaccent'::regdictionary, case
    when coalesce(first_name, last_name) is not null then concat_ws(' ', first_name, last_name)
    -- Address books hold numbers without a name.
    when phone_number ~ '\d' then regexp_replace(phone_number, '[^0-9]', '', 'g')
    else 'unnamed ' || md5(coalesce(rest, ''))
  end || E'\n' || coalesce(company, '')))
$$;
comment on function private.contact_key is 'Contacts with the same key are taken for the same person, where e-mail addresses do not tell.';

create function private.own_import(id uuid, for_writing boolean default false) returns private.imports
language plpgsql
set search_path = ''
as $$
declare
  found private.imports;
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  if for_writing then
    -- Whoever sends, checks or commits the same import waits here for the other.
    select * into found from private.imports i where i.user_id = auth.uid() and i.id = own_import.id for update;
  else
    select * into found from private.imports i where i.user_id = auth.uid() and i.id = own_import.id;
  end if;
  if found.id is null then
    raise exception 'This import does not exist any more.' using errcode = 'PT404';
  end if;
  return found;
end
$$;
comment on function private.own_import is 'The caller''s import, or a refusal.';

create function public.import_state(id uuid) returns jsonb
language sql stable
security definer -- the tables are closed; own_import finds the caller's only
set search_path = ''
as $$
  select jsonb_build_object(
    'total', i.total,
    'received', (select count(*) from private.import_rows r where r.import_id = i.id),
    'summary', i.summary,
    'batch', i.batch
  )
  from private.own_import(import_state.id) i
$$;
comment on function public.import_state is
  'How far an import has come, for whoever lost an answer: rows that arrived and, when it is done, its summary.';

create function public.start_import(id uuid, kind text, file_name text, total integer) returns jsonb
language plpgsql
security definer -- the tables are closed; writes rows of auth.uid() only
set search_path = ''
as $$
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  if total is null or total not between 1 and 200000 then
    raise exception 'An import can have at most 200,000 rows.' using errcode = 'PT400';
  end if;
  -- What was begun and left is not kept for ever, nor are the problems of what is long done.
  delete from private.imports i
  where i.user_id = auth.uid() and i.summary is null and i.created_at < now() - interval '1 day';
  delete from private.import_rows r using private.imports i
  where r.user_id = auth.uid() and i.id = r.import_id and i.done_at < now() - interval '1 day';

  insert into private.imports (id, user_id, kind, file_name, total)
  values (
    start_import.id, auth.uid(), start_import.kind,
    coalesce(left(private.blank_to_null(start_import.file_name), 255), 'Pasted text'), start_import.total
  )
  on conflict do nothing;
  return public.import_state(start_import.id);
end
$$;
comment on function public.start_import is 'Begins an import under an id that the browser gives; told twice, it begins once.';

create function public.add_import_rows(id uuid, rows jsonb) returns integer
language plpgsql
security definer -- the tables are closed; own_import finds the caller's only
set search_path = ''
as $$
declare
  i private.imports := private.own_import(add_import_rows.id, true);
  received integer;
begin
  if i.summary is not null then
    return i.total;
  end if;
  if jsonb_typeof(rows) is distinct from 'array' or jsonb_array_length(rows) > 5000 then
    raise exception 'Rows are sent as lists of at most 5,000.' using errcode = 'PT400';
  end if;
  insert into private.import_rows (import_id, user_id, place, said, problem, email_key, name_key)
  select i.id, i.user_id, r.place, coalesce(r.said, '{}'), r.problem,
    case when i.kind = 'contacts' then lower(v.email) end,
    case i.kind
      when 'contacts' then k.key
      when 'companies' then private.fold(v.name)
      else private.fold(v.name || E'\n' || coalesce(v.company, ''))
    end
  from jsonb_to_recordset(rows) as r (place integer, said jsonb, problem text)
  cross join lateral jsonb_to_record(coalesce(r.said, '{}')) as v (
    first_name text, last_name text, email text, phone_number text, company text, role_title text, notes text, name text
  )
  cross join lateral private.contact_key(
    v.first_name, v.last_name, v.phone_number, v.company, concat_ws(' ', v.role_title, v.notes)
  ) k
  on conflict do nothing;
  select count(*) into received from private.import_rows r where r.import_id = i.id;
  if received > i.total then
    raise exception 'More rows were sent than the file has.' using errcode = 'PT400';
  end if;
  return received;
end
$$;
comment on function public.add_import_rows is
  'Takes rows in, each by its place; those that arrived before change nothing. Answers how many have arrived by now.';

create function private.records_of(me uuid, kind text) returns table (id uuid, email_key text, name_key text, created_at timestamptz)
language plpgsql stable
set search_path = ''
as $$
begin
  if kind = 'contacts' then
    return query select c.id, lower(c.email), n.key, c.created_at
    from public.contacts c
    left join public.companies k on k.user_id = c.user_id and k.id = c.company_id
    cross join lateral private.contact_key(
      c.first_name, c.last_name, c.phone_number, k.name, concat_ws(' ', c.role_title, c.notes)
    ) n
    where c.user_id = me;
  elsif kind = 'companies' then
    return query select c.id, null::text, private.fold(c.name), c.created_at from public.companies c where c.user_id = me;
  else
    return query select d.id, null::text, private.fold(d.name || E'\n' || coalesce(k.name, '')), d.created_at
    from public.deals d
    left join public.companies k on k.user_id = d.user_id and k.id = d.company_id
    where d.user_id = me;
  end if;
end
$$;
comment on function private.records_of is 'What an account has of a kind, by the keys that rows of an import are compared with.';

create function private.match_import(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  if (select count(*) from private.import_rows r where r.import_id = i.id) <> i.total then
    raise exception 'The file has not arrived whole. Please send it again.' using errcode = 'PT409';
  end if;
  delete from private.import_matches m where m.import_id = i.id;
  with theirs as materialized (
    select * from private.records_of(i.user_id, i.kind)
  ),
  by_email as (
    select distinct on (t.email_key) t.email_key, t.id from theirs t where t.email_key is not null order by t.email_key, t.created_at, t.id
  ),
  by_name as (
    select distinct on (t.name_key) t.name_key, t.id from theirs t order by t.name_key, t.created_at, t.id
  ),
  by_name_alone as (
    select distinct on (t.name_key) t.name_key, t.id from theirs t where t.email_key is null order by t.name_key, t.created_at, t.id
  ),
  -- Two people of one name and company with two addresses are two; an address against none does not part them.
  known as materialized (
    select r.place, r.email_key, r.name_key, e.id is not null as is_by_email, coalesce(e.id, n.id, a.id) as target
    from private.import_rows r
    left join by_email e on e.email_key = r.email_key
    left join by_name n on n.name_key = r.name_key and r.email_key is null
    left join by_name_alone a on a.name_key = r.name_key and r.email_key is not null
    where r.import_id = i.id and r.problem is null
  ),
  first_email as (select k.email_key, min(k.place) as place from known k where k.email_key is not null group by 1),
  first_name as (
    select k.name_key, min(k.place) as place, min(k.place) filter (where k.email_key is null) as place_alone from known k group by 1
  ),
  first_target as (select k.target, min(k.place) as place from known k where k.target is not null group by 1)
  insert into private.import_matches (import_id, user_id, place, target, twin, is_by_email)
  select i.id, i.user_id, k.place, k.target,
    -- A record that is there is surer than a row of the file under the same name.
    case
      when k.target is not null then nullif(t.place, k.place)
      else nullif(least(e.place, case when k.email_key is null then n.place else n.place_alone end, k.place), k.place)
    end,
    case when k.target is null then coalesce(e.place < k.place, false) else k.is_by_email end
  from known k
  left join first_email e on e.email_key = k.email_key
  left join first_name n on n.name_key = k.name_key
  left join first_target t on t.target = k.target
  where k.target is not null or e.place < k.place
    or case when k.email_key is null then n.place else n.place_alone end < k.place;
end
$$;
comment on function private.match_import is
  'Finds which rows are there already, by e-mail address or else by name and company, as a record or earlier in the file.';

create function private.check_names(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  field text;
  names bigint;
begin
  if i.kind <> 'deals' then
    return;
  end if;
  foreach field in array array['pipeline', 'stage'] loop
    select count(distinct private.fold(r.said ->> field)) into names
    from private.import_rows r where r.import_id = i.id and r.said ? field;
    if names > 100 then
      raise exception 'The file names % different %s. Is the right column chosen?', names, field using errcode = 'PT400';
    end if;
  end loop;
end
$$;
comment on function private.check_names is 'A column of something else, taken for pipelines or stages, would fill the board with them.';

create function public.check_import(id uuid) returns jsonb
language plpgsql
security definer -- the tables are closed; own_import finds the caller's only
set search_path = ''
set statement_timeout = '120s'
as $$
declare
  i private.imports := private.own_import(check_import.id, true);
begin
  if i.summary is null then
    perform private.check_names(i);
    perform private.match_import(i);
  end if;
  return (
    select jsonb_build_object(
      'new', count(*) filter (where r.problem is null and m.place is null),
      'known', count(*) filter (where m.target is not null and m.twin is null),
      'twin', count(*) filter (where m.twin is not null),
      'error', count(*) filter (where r.problem is not null)
    )
    from private.import_rows r
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id
  );
end
$$;
comment on function public.check_import is
  'Compares all rows with what is there, and counts: new, known (a record is there), twin (an earlier row of the file says the same), error.';

create function private.record_name(kind text, record uuid) returns text
language sql stable
set search_path = ''
as $$
  select case kind
    when 'contacts' then (
      select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email, c.phone_number, 'Unnamed')
      from public.contacts c where c.id = record
    )
    when 'companies' then (select c.name from public.companies c where c.id = record)
    else (select d.name from public.deals d where d.id = record)
  end
$$;

create function public.import_page(id uuid, found text[], after integer default 0, page_size integer default 100) returns jsonb
language sql stable
security definer -- the tables are closed; own_import finds the caller's only
set search_path = ''
as $$
  with page as (
    select r.place, r.said, r.problem, m.target, m.twin, m.is_by_email, i.kind
    from private.own_import(import_page.id) i
    join private.import_rows r on r.import_id = i.id
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.place > import_page.after
      and case
        when r.problem is not null then 'error'
        when m.place is null then 'new'
        when m.twin is null then 'known'
        else 'twin'
      end = any (import_page.found)
    order by r.place
    limit least(greatest(import_page.page_size, 1), 1000)
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'place', p.place,
    'said', p.said,
    'target', case when p.twin is null then p.target end,
    'reason', case
      when p.problem is not null then p.problem
      when p.twin is not null and p.is_by_email then 'The same e-mail stands in row ' || p.twin || '.'
      when p.twin is not null then 'The same record stands in row ' || p.twin || '.'
      when p.target is null then null
      when p.is_by_email then coalesce(private.record_name(p.kind, p.target), 'A deleted record') || ' has this e-mail already.'
      else coalesce(private.record_name(p.kind, p.target), 'A deleted record') || ' is there already.'
    end
  ) order by p.place), '[]')
  from page p
$$;
comment on function public.import_page is 'Rows of an import that were found to be such, in the order of the file, after a place; with the reason.';

create function public.cancel_import(id uuid) returns void
language sql
security definer -- the tables are closed; deletes imports of auth.uid() only
set search_path = ''
as $$ delete from private.imports i where i.user_id = auth.uid() and i.id = cancel_import.id and i.summary is null $$;
comment on function public.cancel_import is 'Forgets an import that has not been written.';

create function public.import_list() returns jsonb
language sql stable
security definer -- the tables are closed; reads imports of auth.uid() only
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'kind', i.kind, 'file_name', i.file_name, 'done_at', i.done_at, 'summary', i.summary, 'batch', i.batch,
    'is_undone', exists (
      select from public.changes c
      where c.user_id = i.user_id and c.undoes = i.batch
        and not exists (select from public.changes back where back.user_id = i.user_id and back.undoes = c.batch)
    )
  ) order by i.done_at desc), '[]')
  from (
    select * from private.imports n
    where n.user_id = auth.uid() and n.done_at is not null
    order by n.done_at desc limit 100
  ) i
$$;
comment on function public.import_list is 'The last hundred imports that are done, the newest first, and whether each was undone.';

-- The writes. They go through the tables' own triggers and constraints, like every other.

-- No search path of its own, so that the planner writes its body into the query, see contact_card.
create function private.import_writes(i private.imports, duplicates text)
returns table (place integer, said jsonb, target uuid)
language sql stable
as $$
  select r.place, r.said, case when duplicates = 'update' then m.target end
  from private.import_rows r
  left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
  where r.import_id = i.id and r.problem is null
    and (m.place is null or duplicates = 'create' or duplicates = 'update' and m.twin is null)
$$;
comment on function private.import_writes is 'The rows that are written: a new record where there is no target, else a change of it.';

create function private.company_keys(me uuid) returns table (key text, id uuid)
language sql stable -- no search path of its own, see contact_card
as $$
  select distinct on (private.fold(c.name)) private.fold(c.name), c.id
  from public.companies c where c.user_id = me
  order by private.fold(c.name), c.created_at, c.id
$$;

create function private.add_named_companies(i private.imports, duplicates text) returns bigint
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  row_count bigint;
begin
  insert into public.companies (user_id, name)
  select i.user_id, n.name
  from (
    select distinct on (private.fold(w.said ->> 'company')) private.fold(w.said ->> 'company') as key, w.said ->> 'company' as name
    from private.import_writes(i, duplicates) w
    where w.said ? 'company'
    order by private.fold(w.said ->> 'company'), w.place
  ) n
  left join private.company_keys(i.user_id) k on k.key = n.key
  where k.id is null;
  get diagnostics row_count = row_count;
  return row_count;
end
$$;
comment on function private.add_named_companies is 'Makes the companies that rows name and that are not there.';

create function private.write_companies(i private.imports, duplicates text) returns jsonb
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  added bigint;
  updated bigint;
begin
  insert into public.companies (user_id, name, website, industry, location, created_at)
  select i.user_id, v.name, v.website, v.industry, v.location, coalesce(v.created_at, now() - w.place * interval '1 microsecond')
  from private.import_writes(i, duplicates) w
  cross join lateral jsonb_to_record(w.said) as v (name text, website text, industry text, location text, created_at timestamptz)
  where w.target is null;
  get diagnostics added = row_count;
  update public.companies c set
    website = coalesce(v.website, c.website),
    industry = coalesce(v.industry, c.industry),
    location = coalesce(v.location, c.location)
  from private.import_writes(i, duplicates) w
  cross join lateral jsonb_to_record(w.said) as v (website text, industry text, location text)
  where c.user_id = i.user_id and c.id = w.target;
  get diagnostics updated = row_count;
  return jsonb_build_object('added', added, 'updated', updated);
end
$$;

create function private.write_contacts(i private.imports, duplicates text) returns jsonb
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  companies bigint := private.add_named_companies(i, duplicates);
  added bigint;
  updated bigint;
begin
  -- Rows without a moment of their own keep the order of the file in the list, newest first.
  insert into public.contacts (
    user_id, first_name, last_name, email, phone_number, role_title, company_id, lead_status, lead_score, notes, created_at
  )
  select i.user_id, v.first_name, v.last_name, v.email, v.phone_number, v.role_title, k.id,
    coalesce(v.lead_status, 'New'), coalesce(v.lead_score, 0), v.notes,
    coalesce(v.created_at, now() - w.place * interval '1 microsecond')
  from private.import_writes(i, duplicates) w
  cross join lateral jsonb_to_record(w.said) as v (
    first_name text, last_name text, email text, phone_number text, role_title text, company text,
    lead_status text, lead_score numeric, notes text, created_at timestamptz
  )
  left join private.company_keys(i.user_id) k on k.key = private.fold(v.company)
  where w.target is null;
  get diagnostics added = row_count;
  update public.contacts c set
    first_name = coalesce(v.first_name, c.first_name),
    last_name = coalesce(v.last_name, c.last_name),
    email = coalesce(v.email, c.email),
    phone_number = coalesce(v.phone_number, c.phone_number),
    role_title = coalesce(v.role_title, c.role_title),
    company_id = coalesce(k.id, c.company_id),
    lead_status = coalesce(v.lead_status, c.lead_status),
    lead_score = coalesce(v.lead_score, c.lead_score),
    notes = coalesce(v.notes, c.notes)
  from private.import_writes(i, duplicates) w
  cross join lateral jsonb_to_record(w.said) as v (
    first_name text, last_name text, email text, phone_number text, role_title text, company text,
    lead_status text, lead_score numeric, notes text
  )
  left join private.company_keys(i.user_id) k on k.key = private.fold(v.company)
  where c.user_id = i.user_id and c.id = w.target;
  get diagnostics updated = row_count;
  return jsonb_build_object('added', added, 'updated', updated, 'companies', companies);
end
$$;

create function private.deal_contacts(i private.imports, duplicates text)
returns table (place integer, email text, first_name text, last_name text, company_id uuid, contact_id uuid)
language sql stable -- no search path of its own, see contact_card
as $$
  with named as (
    select w.place, v.contact_email as email, v.contact_first_name as first_name, v.contact_last_name as last_name, k.id as company_id,
      private.fold(nullif(concat_ws(' ', v.contact_first_name, v.contact_last_name), '')) as key
    from private.import_writes(i, duplicates) w
    cross join lateral jsonb_to_record(w.said) as v (contact_email text, contact_first_name text, contact_last_name text, company text)
    left join private.company_keys(i.user_id) k on k.key = private.fold(v.company)
    where coalesce(v.contact_email, v.contact_first_name, v.contact_last_name) is not null
  ),
  people as materialized (
    select c.id, lower(c.email) as email, c.company_id, c.created_at,
      private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), '')) as key
    from public.contacts c where c.user_id = i.user_id
  ),
  by_email as (select distinct on (p.email) p.email, p.id from people p where p.email is not null order by p.email, p.created_at, p.id),
  by_both as (
    select distinct on (p.key, p.company_id) p.key, p.company_id, p.id from people p
    where p.key is not null and p.company_id is not null order by p.key, p.company_id, p.created_at, p.id
  ),
  by_name as (select distinct on (p.key) p.key, p.id from people p where p.key is not null order by p.key, p.created_at, p.id)
  -- An address says who is meant; a name alone may be anybody's, so one of the deal's company comes first.
  select n.place, n.email, n.first_name, n.last_name, n.company_id,
    case when n.email is not null then e.id else coalesce(b.id, a.id) end
  from named n
  left join by_email e on e.email = lower(n.email)
  left join by_both b on b.key = n.key and b.company_id = n.company_id
  left join by_name a on a.key = n.key
$$;
comment on function private.deal_contacts is 'Whom the rows of an import of deals name, and which contact that is, or null when there is none.';

create type private.place_in_pipeline as (pipeline_key text, stage_key text, pipeline_id uuid, stage_id uuid);

create function private.add_stage(pipeline uuid, name text) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  is_closed boolean := name in ('Closed Won', 'Closed Lost');
  at integer;
  made uuid;
begin
  -- What is open comes before what is closed.
  select coalesce(max(s."order"), 0) + 1 into at from public.pipeline_stages s
  where s.pipeline_id = add_stage.pipeline and (is_closed or s.name not in ('Closed Won', 'Closed Lost'));
  update public.pipeline_stages s set "order" = s."order" + 1 where s.pipeline_id = add_stage.pipeline and s."order" >= at;
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select p.user_id, p.id, add_stage.name, at,
    case add_stage.name
      when 'Lead' then 10 when 'Qualified' then 25 when 'Proposal' then 50 when 'Negotiation' then 75
      when 'Closed Won' then 100 when 'Closed Lost' then 0 else 50
    end
  from public.pipelines p where p.id = add_stage.pipeline
  returning id into made;
  return made;
end
$$;

create function private.places_in_pipelines(i private.imports, duplicates text) returns private.place_in_pipeline[]
language plpgsql
set search_path = ''
as $$
declare
  places private.place_in_pipeline[] := '{}';
  wanted record;
  pipeline public.pipelines;
  stage uuid;
begin
  perform private.lock_pipelines();
  for wanted in
    select private.fold(w.said ->> 'pipeline') as pipeline_key, private.fold(w.said ->> 'stage') as stage_key,
      min(w.said ->> 'pipeline') as pipeline_name, min(w.said ->> 'stage') as stage_name,
      bool_or(private.fold(w.said ->> 'stage') not in ('closed won', 'closed lost')) as is_open
    from private.import_writes(i, duplicates) w
    where w.said ?| array['pipeline', 'stage']
    group by 1, 2
    order by min(w.place)
  loop
    stage := null;
    -- A stage without a pipeline is looked for in all of them, in the oldest first.
    select p.* into pipeline
    from public.pipelines p
    left join public.pipeline_stages s on s.pipeline_id = p.id and private.fold(s.name) = wanted.stage_key
    where p.user_id = i.user_id and (wanted.pipeline_key is null or private.fold(p.name) = wanted.pipeline_key)
    order by s.id is null, p.created_at, p.id
    limit 1;
    if pipeline.id is null then
      insert into public.pipelines (user_id, name) values (i.user_id, coalesce(wanted.pipeline_name, 'Sales Pipeline'))
      returning * into pipeline;
      -- A pipeline of the file has the file's stages; where it names none that is open, the usual ones.
      if exists (
        select from private.import_writes(i, duplicates) w
        where private.fold(w.said ->> 'pipeline') is not distinct from wanted.pipeline_key
          and private.fold(w.said ->> 'stage') not in ('closed won', 'closed lost')
      ) then
        perform private.add_stage(pipeline.id, 'Closed Won');
      else
        perform private.add_default_stages(pipeline);
      end if;
    end if;
    if wanted.stage_key is not null then
      select s.id into stage from public.pipeline_stages s
      where s.pipeline_id = pipeline.id and private.fold(s.name) = wanted.stage_key order by s."order", s.id limit 1;
      stage := coalesce(stage, private.add_stage(pipeline.id, wanted.stage_name));
    end if;
    places := places || row(wanted.pipeline_key, wanted.stage_key, pipeline.id, stage)::private.place_in_pipeline;
  end loop;
  return places;
end
$$;
comment on function private.places_in_pipelines is
  'Which pipeline and stage the names in the rows mean; those that are not there are made. There are a hundred at most, see check_names.';

create function private.write_deals(i private.imports, duplicates text) returns jsonb
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  companies bigint := private.add_named_companies(i, duplicates);
  contacts bigint;
  added bigint;
  updated bigint;
  places private.place_in_pipeline[] := private.places_in_pipelines(i, duplicates);
  usual uuid;
begin
  insert into public.contacts (user_id, first_name, last_name, email, company_id)
  select distinct on (coalesce(lower(n.email), private.fold(concat_ws(' ', n.first_name, n.last_name))), case when n.email is null then n.company_id end)
    i.user_id, n.first_name, n.last_name, n.email, n.company_id
  from private.deal_contacts(i, duplicates) n
  where n.contact_id is null
  order by coalesce(lower(n.email), private.fold(concat_ws(' ', n.first_name, n.last_name))), case when n.email is null then n.company_id end, n.place;
  get diagnostics contacts = row_count;

  select p.id into usual from public.pipelines p where p.user_id = i.user_id order by p.created_at, p.id limit 1;
  -- Exact values: a deal that was closed before it came here was not closed today.
  perform set_config('solo.restoring', 'on', true);
  insert into public.deals (
    user_id, name, value, expected_close_date, pipeline_id, stage_id, company_id, contact_id, lost_reason, closed_at, created_at
  )
  select i.user_id, v.name, coalesce(v.value, 0), v.expected_close_date, coalesce(p.pipeline_id, usual), p.stage_id, k.id, c.contact_id,
    case when v.stage = 'Closed Lost' then v.lost_reason end,
    case when v.stage in ('Closed Won', 'Closed Lost') then least(v.expected_close_date + time '12:00' at time zone 'UTC', now()) end,
    coalesce(v.created_at, now() - w.place * interval '1 microsecond')
  from private.import_writes(i, duplicates) w
  cross join lateral jsonb_to_record(w.said) as v (
    name text, value numeric, expected_close_date date, pipeline text, stage text, lost_reason text, company text, created_at timestamptz
  )
  left join unnest(places) p on coalesce(p.pipeline_key, '') = coalesce(private.fold(v.pipeline), '')
    and coalesce(p.stage_key, '') = coalesce(private.fold(v.stage), '')
  left join private.company_keys(i.user_id) k on k.key = private.fold(v.company)
  left join private.deal_contacts(i, duplicates) c on c.place = w.place
  where w.target is null;
  get diagnostics added = row_count;
  perform set_config('solo.restoring', 'off', true);

  update public.deals d set
    value = coalesce(v.value, d.value),
    expected_close_date = coalesce(v.expected_close_date, d.expected_close_date),
    pipeline_id = coalesce(p.pipeline_id, d.pipeline_id),
    stage_id = case when p.stage_id is not null then p.stage_id
      when p.pipeline_id is null or p.pipeline_id = d.pipeline_id then d.stage_id end,
    contact_id = coalesce(c.contact_id, d.contact_id),
    lost_reason = coalesce(v.lost_reason, d.lost_reason)
  from private.import_writes(i, duplicates) w
  cross join lateral jsonb_to_record(w.said) as v (
    value numeric, expected_close_date date, pipeline text, stage text, lost_reason text
  )
  left join unnest(places) p on coalesce(p.pipeline_key, '') = coalesce(private.fold(v.pipeline), '')
    and coalesce(p.stage_key, '') = coalesce(private.fold(v.stage), '')
  left join private.deal_contacts(i, duplicates) c on c.place = w.place
  where d.user_id = i.user_id and d.id = w.target;
  get diagnostics updated = row_count;
  return jsonb_build_object('added', added, 'updated', updated, 'companies', companies, 'contacts', contacts);
end
$$;

create function public.commit_import(id uuid, duplicates text default 'skip') returns jsonb
language plpgsql
security definer -- the tables are closed, and moments of creation are written; writes rows of auth.uid() only
set search_path = ''
set statement_timeout = '300s'
as $$
declare
  i private.imports := private.own_import(commit_import.id, true);
  rejected bigint;
  told jsonb;
begin
  -- An answer that was lost is given again; nothing is written twice.
  if i.summary is not null then
    return public.import_state(i.id);
  end if;
  if duplicates is null or duplicates not in ('skip', 'update', 'create') then
    raise exception 'Duplicates are handled by skip, update or create.' using errcode = 'PT400';
  end if;
  perform private.check_names(i);
  -- Once more: the records may have changed since the rows were looked at.
  perform private.match_import(i);
  told := case i.kind
    when 'contacts' then private.write_contacts(i, duplicates)
    when 'companies' then private.write_companies(i, duplicates)
    else private.write_deals(i, duplicates)
  end;
  select count(*) into rejected from private.import_rows r where r.import_id = i.id and r.problem is not null;
  told := told || jsonb_build_object(
    'rejected', rejected,
    'skipped', i.total - rejected - (told ->> 'added')::bigint - (told ->> 'updated')::bigint
  );
  update private.imports n set summary = told, batch = private.written_batch(), done_at = now() where n.id = i.id
  returning * into i;
  if i.batch is not null then
    perform private.name_deed('import', i.file_name);
  end if;
  delete from private.import_matches m where m.import_id = i.id;
  delete from private.import_rows r where r.import_id = i.id and r.problem is null;
  if i.total >= 1000 then
    -- Nobody else tells the embedded database how many rows there are now; lists and undo are planned by it.
    analyze public.contacts, public.companies, public.deals, public.changes;
  end if;
  return public.import_state(i.id);
end
$$;
comment on function public.commit_import is
  'Writes all rows of an import, in one transaction and one batch. Records that are there already: skip leaves them, update gives them what the file says, create makes another.';

-- Taking an import back, a server would otherwise compile this query for seconds, see match_import.
alter function private.drop_dangling_links(uuid, uuid) set jit = off;

revoke all on private.imports, private.import_rows, private.import_matches from public, anon, authenticated, service_role;
revoke all on function
  private.contact_key(text, text, text, text, text), private.own_import(uuid, boolean), private.records_of(uuid, text),
  private.match_import(private.imports), private.check_names(private.imports), private.record_name(text, uuid),
  private.import_writes(private.imports, text), private.company_keys(uuid),
  private.add_named_companies(private.imports, text), private.write_companies(private.imports, text),
  private.write_contacts(private.imports, text), private.write_deals(private.imports, text),
  private.deal_contacts(private.imports, text), private.add_stage(uuid, text),
  private.places_in_pipelines(private.imports, text)
  from public, anon, authenticated;
revoke all on function
  public.import_state(uuid), public.start_import(uuid, text, text, integer), public.add_import_rows(uuid, jsonb),
  public.check_import(uuid), public.import_page(uuid, text[], integer, integer), public.cancel_import(uuid),
  public.import_list(), public.commit_import(uuid, text)
  from public, anon;
grant execute on function
  public.import_state(uuid), public.start_import(uuid, text, text, integer), public.add_import_rows(uuid, jsonb),
  public.check_import(uuid), public.import_page(uuid, text[], integer, integer), public.cancel_import(uuid),
  public.import_list(), public.commit_import(uuid, text)
  to authenticated, service_role;
