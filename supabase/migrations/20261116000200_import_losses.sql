-- Imports lose nothing: notes are added to, a deal is known by its contact too and is paired with one row only, and what
-- is won or lost closes in its own pipeline.

alter table private.import_matches add column is_same boolean not null default false;
comment on column private.import_matches.is_same is 'The record says already all that the row says: there is nothing to write.';

-- Notes.

create function private.added_notes(contact public.contacts, parts jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  -- Spreadsheets end lines in two letters, forms in one.
  there text := E'\n' || replace(coalesce(contact.notes, ''), E'\r\n', E'\n') || E'\n';
  written text;
begin
  select concat_ws(E'\n', contact.notes, string_agg(p.part, E'\n' order by p.place)) into written
  from jsonb_array_elements_text(parts) with ordinality p (part, place)
  where position(E'\n' || replace(p.part, E'\r\n', E'\n') || E'\n' in there) = 0;
  if char_length(written) > 50000 then
    raise exception 'With what the file adds, the notes of % would have more than 50,000 characters. Shorten them, or skip the records that are there already.',
      private.record_name('contacts', contact.id) using errcode = 'PT409';
  end if;
  return nullif(written, '');
end
$$;
comment on function private.added_notes is
  'The notes of a contact with what a row of an import adds: each part that does not stand there already, as whole lines. Nothing is replaced.';

create or replace function private.write_contacts(i private.imports, duplicates text) returns jsonb
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
    first_name = n.first_name, last_name = n.last_name, email = n.email, phone_number = n.phone_number,
    role_title = n.role_title, company_id = n.company_id, lead_status = n.lead_status, lead_score = n.lead_score,
    notes = n.notes
  from (
    select o.id,
      coalesce(v.first_name, o.first_name) as first_name,
      coalesce(v.last_name, o.last_name) as last_name,
      coalesce(v.email, o.email) as email,
      coalesce(v.phone_number, o.phone_number) as phone_number,
      coalesce(v.role_title, o.role_title) as role_title,
      coalesce(k.id, o.company_id) as company_id,
      coalesce(v.lead_status, o.lead_status) as lead_status,
      coalesce(v.lead_score, o.lead_score) as lead_score,
      case when v.notes is null then o.notes
        else private.added_notes(o, coalesce(v.note_parts, jsonb_build_array(v.notes))) end as notes
    from private.import_writes(i, duplicates) w
    cross join lateral jsonb_to_record(w.said) as v (
      first_name text, last_name text, email text, phone_number text, role_title text, company text,
      lead_status text, lead_score numeric, notes text, note_parts jsonb
    )
    join public.contacts o on o.user_id = i.user_id and o.id = w.target
    left join private.company_keys(i.user_id) k on k.key = private.fold(v.company)
  ) n
  where c.user_id = i.user_id and c.id = n.id
    -- What says the same is left alone, its moment of the last change too.
    and (c.first_name, c.last_name, c.email, c.phone_number, c.role_title, c.company_id, c.lead_status, c.lead_score, c.notes)
      is distinct from
      (n.first_name, n.last_name, n.email, n.phone_number, n.role_title, n.company_id, n.lead_status, n.lead_score, n.notes);
  get diagnostics updated = row_count;
  return jsonb_build_object('added', added, 'updated', updated, 'companies', companies);
end
$$;

create or replace function private.write_companies(i private.imports, duplicates text) returns jsonb
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
  where c.user_id = i.user_id and c.id = w.target
    and (coalesce(v.website, c.website), coalesce(v.industry, c.industry), coalesce(v.location, c.location))
      is distinct from (c.website, c.industry, c.location);
  get diagnostics updated = row_count;
  return jsonb_build_object('added', added, 'updated', updated);
end
$$;

-- Which deals are the same.

create type private.deal_side as (place integer, id uuid, created_at timestamptz, key text, likeness text[]);

create function private.match_deals(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  -- What no row of the file says tells no deals apart.
  says record;
  rows private.deal_side[];
  theirs private.deal_side[];
  -- By the oldest pipeline's name, where a row names none.
  usual text;
begin
  -- Rows of one file that say the same are one deal; those that do not are several.
  insert into private.import_matches (import_id, user_id, place, twin, is_by_email)
  select i.id, i.user_id, r.place, r.first_place, false
  from (
    select n.place, min(n.place) over (partition by n.name_key, n.said) as first_place
    from private.import_rows n where n.import_id = i.id and n.problem is null
  ) r
  where r.first_place < r.place;

  select
    coalesce(bool_or(r.said ?| array['contact_email', 'contact_first_name', 'contact_last_name']), false) as contact,
    coalesce(bool_or(r.said ? 'created_at'), false) as created_at,
    coalesce(bool_or(r.said ? 'value'), false) as value,
    coalesce(bool_or(r.said ? 'expected_close_date'), false) as expected_close_date,
    coalesce(bool_or(r.said ? 'pipeline'), false) as pipeline,
    coalesce(bool_or(r.said ? 'stage'), false) as stage
  into says
  from private.import_rows r where r.import_id = i.id and r.problem is null;

  theirs := array(
    select row(null, d.id, d.created_at, t.key, array[
      case when says.created_at then date_trunc('milliseconds', d.created_at)::text end,
      concat_ws(E'\n',
        case when says.value then d.value::text end,
        case when says.expected_close_date then coalesce(d.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(p.name), '-') end,
        case when says.stage then coalesce(private.fold(s.name), '-') end),
      case when says.value then d.value::text end,
      ''
    ])::private.deal_side
    from public.deals d
    left join public.companies k on k.user_id = d.user_id and k.id = d.company_id
    left join public.contacts c on c.user_id = d.user_id and c.id = d.contact_id
    left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
    left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
    -- A contact is known by its address and by its name; a file may say either.
    cross join lateral unnest(case
      when not says.contact then array['']
      when d.contact_id is null then array['nobody']
      else array['@' || lower(c.email), '=' || private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), ''))]
    end) as b (contact)
    cross join lateral (select private.fold(d.name || E'\n' || coalesce(k.name, '')) as name_key) n
    cross join lateral (select n.name_key || E'\n' || b.contact as key) t
    where d.user_id = i.user_id and b.contact is not null
      and n.name_key in (select r.name_key from private.import_rows r where r.import_id = i.id and r.problem is null)
  );
  if cardinality(theirs) = 0 then
    return;
  end if;

  select private.fold(p.name) into usual from public.pipelines p where p.user_id = i.user_id order by p.created_at, p.id limit 1;
  rows := array(
    select row(r.place, null, null, r.name_key || E'\n' || case
      when not says.contact then ''
      when v.contact_email is not null then '@' || lower(v.contact_email)
      else coalesce('=' || private.fold(nullif(concat_ws(' ', v.contact_first_name, v.contact_last_name), '')), 'nobody')
    end, array[
      date_trunc('milliseconds', v.created_at)::text,
      concat_ws(E'\n',
        case when says.value then round(coalesce(v.value, 0), 2)::text end,
        case when says.expected_close_date then coalesce(v.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(v.pipeline), usual, '-') end,
        case when says.stage then coalesce(private.fold(v.stage), '-') end),
      case when says.value then round(coalesce(v.value, 0), 2)::text end,
      ''
    ])::private.deal_side
    from private.import_rows r
    cross join lateral jsonb_to_record(r.said) as v (
      value numeric, expected_close_date date, pipeline text, stage text, created_at timestamptz,
      contact_email text, contact_first_name text, contact_last_name text
    )
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id and r.problem is null and m.place is null
  );

  -- Each row gets one deal of its own: first the one of the same moment, then the one that says the same, then the one of
  -- the same value, and of what is left the newest, since rows are stored in that order.
  for step in 1..4 loop
    insert into private.import_matches (import_id, user_id, place, target, is_by_email)
    select distinct on (t.id) i.id, i.user_id, r.place, t.id, false
    from (
      select u.place, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.place) as number
      from unnest(rows) u
      left join private.import_matches m on m.import_id = i.id and m.place = u.place
      where u.likeness[step] is not null and m.place is null
    ) r
    join (
      select u.id, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.created_at desc, u.id) as number
      from unnest(theirs) u
      left join private.import_matches m on m.import_id = i.id and m.target = u.id
      where u.likeness[step] is not null and m.place is null
    ) t on t.key = r.key and t.likeness = r.likeness and t.number = r.number
    order by t.id, r.place;
  end loop;

  update private.import_matches m set is_same = true
  from private.import_rows r
  cross join lateral jsonb_to_record(r.said) as v (
    value numeric, expected_close_date date, pipeline text, stage text, lost_reason text, closed_at timestamptz
  ), public.deals d
  left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
  left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
  where m.import_id = i.id and r.import_id = i.id and r.place = m.place and d.user_id = i.user_id and d.id = m.target
    and coalesce(v.value, d.value) = d.value
    and coalesce(v.expected_close_date, d.expected_close_date) is not distinct from d.expected_close_date
    and coalesce(private.fold(v.pipeline) = private.fold(p.name), v.pipeline is null)
    and coalesce(private.fold(v.stage) = private.fold(s.name), v.stage is null)
    -- These two are stored of closed deals only.
    and (s.name is distinct from 'Closed Lost' or coalesce(v.lost_reason, d.lost_reason) is not distinct from d.lost_reason)
    and (d.closed_at is null or coalesce(v.closed_at, d.closed_at) >= date_trunc('milliseconds', d.closed_at)
      and coalesce(v.closed_at, d.closed_at) <= d.closed_at);
end
$$;
comment on function private.match_deals is
  'Finds which rows of an import are deals that are there: of the same name, company and contact. Each deal is one row''s; whatever else differs is an update.';

create or replace function private.match_import(i private.imports) returns void
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
  if i.kind = 'deals' then
    perform private.match_deals(i);
    return;
  end if;
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

create or replace function public.check_import(id uuid) returns jsonb
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
      'known', count(*) filter (where m.target is not null and m.twin is null and not m.is_same),
      'twin', count(*) filter (where m.twin is not null or m.is_same),
      'error', count(*) filter (where r.problem is not null)
    )
    from private.import_rows r
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id
  );
end
$$;
comment on function public.check_import is
  'Compares all rows with what is there, and counts: new, known (a record is there), twin (an earlier row of the file or a record says the same), error.';

create function private.stored_deal(deal uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'value', d.value, 'expected_close_date', d.expected_close_date, 'pipeline', p.name, 'stage', s.name,
    'lost_reason', d.lost_reason, 'closed_at', d.closed_at
  )
  from public.deals d
  left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
  left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
  where d.id = deal
$$;
comment on function private.stored_deal is 'What a deal says now, for who is asked whether a row of an import changes it.';

create or replace function public.import_page(id uuid, found text[], after integer default 0, page_size integer default 100) returns jsonb
language sql stable
security definer -- the tables are closed; own_import finds the caller's only
set search_path = ''
as $$
  with page as (
    select r.place, r.said, r.problem, m.target, m.twin, m.is_by_email, m.is_same, i.kind
    from private.own_import(import_page.id) i
    join private.import_rows r on r.import_id = i.id
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.place > import_page.after
      and case
        when r.problem is not null then 'error'
        when m.place is null then 'new'
        when m.twin is null and not m.is_same then 'known'
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
      when p.is_same then coalesce(private.record_name(p.kind, p.target), 'A deleted record') || ' is there already and says the same.'
      when p.is_by_email then coalesce(private.record_name(p.kind, p.target), 'A deleted record') || ' has this e-mail already.'
      else coalesce(private.record_name(p.kind, p.target), 'A deleted record') || ' is there already.'
    end
  ) || case
    when p.kind = 'deals' and p.twin is null and p.target is not null and not p.is_same
    then jsonb_build_object('stored', private.stored_deal(p.target))
    else '{}'
  end order by p.place), '[]')
  from page p
$$;

create or replace function private.import_writes(i private.imports, duplicates text)
returns table (place integer, said jsonb, target uuid)
language sql stable
as $$
  select r.place, r.said, case when duplicates = 'update' then m.target end
  from private.import_rows r
  left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
  where r.import_id = i.id and r.problem is null
    and (m.place is null or duplicates = 'create' or duplicates = 'update' and m.twin is null and not m.is_same)
$$;

-- Where deals go to.

create function private.deal_writes(i private.imports, duplicates text)
returns table (place integer, said jsonb, target uuid, own_pipeline uuid)
language sql stable -- no search path of its own, see contact_card
as $$
  select w.place, w.said, w.target, case when not w.said ? 'pipeline' then d.pipeline_id end
  from private.import_writes(i, duplicates) w
  left join public.deals d on d.user_id = i.user_id and d.id = w.target
$$;
comment on function private.deal_writes is
  'As import_writes, with the pipeline that a deal is in: where the row names none, its stage is one of that pipeline.';

drop function private.places_in_pipelines(private.imports, text);
drop type private.place_in_pipeline;
create type private.place_in_pipeline as (own_pipeline uuid, pipeline_key text, stage text, pipeline_id uuid, stage_id uuid);

create function private.places_in_pipelines(i private.imports, duplicates text) returns private.place_in_pipeline[]
language plpgsql
set search_path = ''
as $$
declare
  places private.place_in_pipeline[] := '{}';
  wanted record;
  is_closed boolean;
  pipeline public.pipelines;
  stage_id uuid;
begin
  perform private.lock_pipelines();
  for wanted in
    select w.own_pipeline, private.fold(w.said ->> 'pipeline') as pipeline_key, w.said ->> 'stage' as stage,
      private.fold(w.said ->> 'stage') as stage_key, min(w.said ->> 'pipeline') as pipeline_name
    from private.deal_writes(i, duplicates) w
    where w.said ?| array['pipeline', 'stage']
    group by 1, 2, 3
    order by min(w.place)
  loop
    stage_id := null;
    is_closed := coalesce(wanted.stage_key in ('closed won', 'closed lost'), false);
    -- A stage without a pipeline is looked for in all of them, in the oldest first. Every pipeline can be closed in: what
    -- is won or lost goes to the oldest.
    select p.* into pipeline
    from public.pipelines p
    left join public.pipeline_stages s on s.pipeline_id = p.id and private.fold(s.name) = wanted.stage_key and not is_closed
    where p.user_id = i.user_id
      and case
        when wanted.own_pipeline is not null then p.id = wanted.own_pipeline
        else wanted.pipeline_key is null or private.fold(p.name) = wanted.pipeline_key
      end
    order by s.id is null, s.name is distinct from wanted.stage, p.created_at, p.id
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
      select s.id into stage_id from public.pipeline_stages s
      where s.pipeline_id = pipeline.id and private.fold(s.name) = wanted.stage_key
      order by s.name <> case when is_closed then initcap(wanted.stage_key) else wanted.stage end, s."order", s.id limit 1;
      stage_id := coalesce(
        stage_id, private.add_stage(pipeline.id, case when is_closed then initcap(wanted.stage_key) else wanted.stage end)
      );
    end if;
    places := places || row(wanted.own_pipeline, wanted.pipeline_key, wanted.stage, pipeline.id, stage_id)::private.place_in_pipeline;
  end loop;
  return places;
end
$$;
comment on function private.places_in_pipelines is
  'Which pipeline and stage the names in the rows mean; those that are not there are made. There are a hundred at most, see check_names.';

create or replace function private.write_deals(i private.imports, duplicates text) returns jsonb
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
    case when s.name = 'Closed Lost' then v.lost_reason end,
    case when s.name in ('Closed Won', 'Closed Lost')
      then coalesce(v.closed_at, least(v.expected_close_date + time '12:00' at time zone 'UTC', now())) end,
    coalesce(v.created_at, now() - w.place * interval '1 microsecond')
  from private.deal_writes(i, duplicates) w
  cross join lateral jsonb_to_record(w.said) as v (
    name text, value numeric, expected_close_date date, pipeline text, stage text, lost_reason text, company text,
    created_at timestamptz, closed_at timestamptz
  )
  left join unnest(places) p on p.own_pipeline is null
    and coalesce(p.pipeline_key, '') = coalesce(private.fold(v.pipeline), '') and coalesce(p.stage, '') = coalesce(v.stage, '')
  left join public.pipeline_stages s on s.user_id = i.user_id and s.id = p.stage_id
  left join private.company_keys(i.user_id) k on k.key = private.fold(v.company)
  left join private.deal_contacts(i, duplicates) c on c.place = w.place
  where w.target is null;
  get diagnostics added = row_count;

  update public.deals d set
    value = n.value, expected_close_date = n.expected_close_date, pipeline_id = n.pipeline_id, stage_id = n.stage_id,
    contact_id = n.contact_id, lost_reason = n.lost_reason, closed_at = n.closed_at
  from (
    select o.id, coalesce(v.value, o.value) as value, coalesce(v.expected_close_date, o.expected_close_date) as expected_close_date,
      coalesce(p.pipeline_id, o.pipeline_id) as pipeline_id, s.id as stage_id,
      coalesce(o.contact_id, c.contact_id) as contact_id,
      case when s.name = 'Closed Lost' then coalesce(v.lost_reason, o.lost_reason) end as lost_reason,
      case
        when s.name is null or s.name not in ('Closed Won', 'Closed Lost') then null
        when s.name = b.name then coalesce(v.closed_at, o.closed_at)
        else coalesce(
          v.closed_at,
          least(coalesce(v.expected_close_date, o.expected_close_date) + time '12:00' at time zone 'UTC', now())
        )
      end as closed_at
    from private.deal_writes(i, duplicates) w
    cross join lateral jsonb_to_record(w.said) as v (
      value numeric, expected_close_date date, pipeline text, stage text, lost_reason text, closed_at timestamptz
    )
    join public.deals o on o.user_id = i.user_id and o.id = w.target
    left join unnest(places) p on coalesce(p.own_pipeline::text, '') = coalesce(w.own_pipeline::text, '')
      and coalesce(p.pipeline_key, '') = coalesce(private.fold(v.pipeline), '') and coalesce(p.stage, '') = coalesce(v.stage, '')
    left join public.pipeline_stages b on b.user_id = i.user_id and b.id = o.stage_id
    -- The stage that the row names; where it names none, the one that the deal has, if it stays in its pipeline.
    left join public.pipeline_stages s on s.user_id = i.user_id and s.id = coalesce(
      p.stage_id, case when p.pipeline_id is null or p.pipeline_id = o.pipeline_id then o.stage_id end
    )
    left join private.deal_contacts(i, duplicates) c on c.place = w.place
  ) n
  where d.user_id = i.user_id and d.id = n.id
    and (d.value, d.expected_close_date, d.pipeline_id, d.stage_id, d.contact_id, d.lost_reason, d.closed_at)
      is distinct from
      (n.value, n.expected_close_date, n.pipeline_id, n.stage_id, n.contact_id, n.lost_reason, n.closed_at);
  get diagnostics updated = row_count;
  perform set_config('solo.restoring', 'off', true);
  return jsonb_build_object('added', added, 'updated', updated, 'companies', companies, 'contacts', contacts);
end
$$;

comment on function public.commit_import is
  'Writes all rows of an import, in one transaction and one batch. Records that are there already: skip leaves them, update gives them what the file says and adds to their notes, create makes another.';

revoke all on function
  private.added_notes(public.contacts, jsonb), private.match_deals(private.imports), private.stored_deal(uuid),
  private.deal_writes(private.imports, text), private.places_in_pipelines(private.imports, text)
  from public, anon, authenticated;
