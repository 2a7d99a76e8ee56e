-- Long work: an import, an undo and a restore are each defined as steps that write so many rows. A PostgreSQL server runs
-- all of them in one transaction. The embedded database has one connection for everybody: there the server runs each part
-- as a transaction of its own and lets others go between; see decision 030.

create table private.unfinished_work (
  user_id uuid primary key references auth.users (id) on delete cascade,
  batch uuid not null,
  name text not null,
  arguments jsonb not null,
  state jsonb not null default '{}',
  started_at timestamptz not null default now(),
  constraint unfinished_work_name_known check (name in ('commit_import', 'undo_batch', 'finish_restore'))
);
alter table private.unfinished_work enable row level security;
comment on table private.unfinished_work is
  'Work that is being done in parts, one an account. What is found here when the server starts was cut off, and is taken back.';
comment on column private.unfinished_work.name is 'The public function that was called.';
comment on column private.unfinished_work.state is 'The step that comes next, and its place; at the end the answer.';
comment on column private.unfinished_work.started_at is 'The moment of all that it writes, as that of a transaction would be.';

create table private.unfinished_parts (
  user_id uuid not null references private.unfinished_work (user_id) on delete cascade,
  number integer not null,
  after_change bigint not null,
  primary key (user_id, number)
);
alter table private.unfinished_parts enable row level security;
comment on table private.unfinished_parts is
  'The parts that were written. Each is taken back as a whole: between two parts, and only there, every rule of the tables holds.';
comment on column private.unfinished_parts.after_change is 'The last line of the log before the part: the lines above it are the part''s.';

revoke all on private.unfinished_work, private.unfinished_parts from public, anon, authenticated, service_role;

-- The log --------------------------------------------------------------------------------------------------

create or replace function private.log_changes() returns trigger
language plpgsql
security definer -- clients may read the log but never write it
set search_path = ''
as $$
declare
  batch uuid;
  undoes uuid := nullif(current_setting('solo.undoes', true), '')::uuid;
  -- A batch has one moment, also where it is written in several transactions.
  moment timestamptz := coalesce(nullif(current_setting('solo.moment', true), '')::timestamptz, now());
begin
  if coalesce(current_setting('solo.silent', true), '') = 'on' then
    return null;
  end if;
  batch := private.current_batch();
  -- The owner is looked up because rows that go with their account have nobody to be logged for.
  if tg_op = 'INSERT' then
    insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, created_at)
    select n.user_id, batch, undoes, tg_table_name, n.id, about.contact_id, about.company_id, about.deal_id, about.label, 'insert', moment
    from new_rows n
    cross join lateral private.about(tg_table_name, to_jsonb(n)) about
    where exists (select from auth.users u where u.id = n.user_id);
  elsif tg_op = 'DELETE' then
    insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, created_at)
    select o.user_id, batch, undoes, tg_table_name, o.id, about.contact_id, about.company_id, about.deal_id, about.label, 'delete',
           to_jsonb(o) - 'search_text', moment
    from old_rows o
    cross join lateral private.about(tg_table_name, to_jsonb(o)) about
    where exists (select from auth.users u where u.id = o.user_id);
  else
    -- Planned anew each time: a plan kept from updates of one row would join old and new rows of a bulk
    -- update one by one.
    execute
      'insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, after, created_at)
       select n.user_id, $1, $2, $3, n.id, about.contact_id, about.company_id, about.deal_id, about.label, ''update'',
              diff.before, diff.after, $4
       from new_rows n
       join old_rows o on o.id = n.id
       cross join lateral private.changed_columns(to_jsonb(o) - ''search_text'', to_jsonb(n) - ''search_text'') diff
       cross join lateral private.about($3, to_jsonb(n)) about
       where diff.before is not null
         and exists (select from auth.users u where u.id = n.user_id)'
      using batch, undoes, tg_table_name::text, moment;
  end if;
  return null;
end
$$;

-- Imports --------------------------------------------------------------------------------------------------

create table private.import_plans (
  import_id uuid not null,
  user_id uuid not null,
  place integer not null,
  target uuid,
  company_id uuid,
  adds_company boolean not null default false,
  contact_id uuid,
  adds_contact boolean not null default false,
  primary key (import_id, place),
  foreign key (user_id, import_id) references private.imports (user_id, id) on delete cascade
);
alter table private.import_plans enable row level security;
comment on table private.import_plans is
  'The rows of an import that are to be written, with what they link to found or named: a part needs to look at its own rows only.';
comment on column private.import_plans.target is 'The record that is changed; null for a new one.';
comment on column private.import_plans.adds_company is 'The first row that names a company which is not there yet.';
comment on column private.import_plans.adds_contact is 'The first row, of deals, that names a contact who is not there yet.';
revoke all on private.import_plans from public, anon, authenticated, service_role;

create function private.plan_import(i private.imports, duplicates text) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  delete from private.import_plans p where p.import_id = i.id;
  with writes as materialized (
    select w.place, w.target, private.fold(w.said ->> 'company') as key from private.import_writes(i, duplicates) w
  ),
  named as materialized (
    select f.key, f.place, coalesce(k.id, gen_random_uuid()) as company_id, k.id is null as is_new
    from (select w.key, min(w.place) as place from writes w where w.key is not null group by w.key) f
    left join private.company_keys(i.user_id) k on k.key = f.key
  )
  insert into private.import_plans (import_id, user_id, place, target, company_id, adds_company)
  select i.id, i.user_id, w.place, w.target, n.company_id, coalesce(n.is_new and n.place = w.place, false)
  from writes w left join named n on n.key = w.key;
end
$$;
comment on function private.plan_import is 'Finds which rows are written, and which company each names.';

-- No search path of its own, so that the planner writes its body into the query, see contact_card.
create function private.planned_rows(i private.imports, after bigint, last bigint)
returns table (place integer, said jsonb, target uuid, company_id uuid, contact_id uuid, adds_company boolean, adds_contact boolean)
language sql stable
as $$
  select p.place, r.said, p.target, p.company_id, p.contact_id, p.adds_company, p.adds_contact
  from private.import_plans p
  join private.import_rows r on r.import_id = p.import_id and r.place = p.place
  where p.import_id = i.id and p.place > after and p.place <= last
    and r.import_id = i.id and r.place > after and r.place <= last
$$;
comment on function private.planned_rows is 'The rows of one part of an import, by their places in the file.';

drop function private.write_contacts(private.imports, text);
create function private.write_contacts(i private.imports, moment timestamptz, after bigint, last bigint) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
  updated bigint;
begin
  -- Rows without a moment of their own keep the order of the file in the list, newest first.
  insert into public.contacts (
    user_id, first_name, last_name, email, phone_number, role_title, company_id, lead_status, lead_score, notes, created_at
  )
  select i.user_id, v.first_name, v.last_name, v.email, v.phone_number, v.role_title, w.company_id,
    coalesce(v.lead_status, 'New'), coalesce(v.lead_score, 0), v.notes,
    coalesce(v.created_at, moment - w.place * interval '1 microsecond')
  from private.planned_rows(i, after, last) w
  cross join lateral jsonb_to_record(w.said) as v (
    first_name text, last_name text, email text, phone_number text, role_title text,
    lead_status text, lead_score numeric, notes text, created_at timestamptz
  )
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
      coalesce(w.company_id, o.company_id) as company_id,
      coalesce(v.lead_status, o.lead_status) as lead_status,
      coalesce(v.lead_score, o.lead_score) as lead_score,
      case when v.notes is null then o.notes
        else private.added_notes(o, coalesce(v.note_parts, jsonb_build_array(v.notes))) end as notes
    from private.planned_rows(i, after, last) w
    cross join lateral jsonb_to_record(w.said) as v (
      first_name text, last_name text, email text, phone_number text, role_title text,
      lead_status text, lead_score numeric, notes text, note_parts jsonb
    )
    join public.contacts o on o.id = w.target and (o.user_id = i.user_id) is true
  ) n
  where c.id = n.id and (c.user_id = i.user_id) is true
    -- What says the same is left alone, its moment of the last change too.
    and (c.first_name, c.last_name, c.email, c.phone_number, c.role_title, c.company_id, c.lead_status, c.lead_score, c.notes)
      is distinct from
      (n.first_name, n.last_name, n.email, n.phone_number, n.role_title, n.company_id, n.lead_status, n.lead_score, n.notes);
  get diagnostics updated = row_count;
  return jsonb_build_object('added', added, 'updated', updated);
end
$$;

drop function private.write_companies(private.imports, text);
create function private.write_companies(i private.imports, moment timestamptz, after bigint, last bigint) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
  updated bigint;
begin
  insert into public.companies (user_id, name, website, industry, location, created_at)
  select i.user_id, v.name, v.website, v.industry, v.location, coalesce(v.created_at, moment - w.place * interval '1 microsecond')
  from private.planned_rows(i, after, last) w
  cross join lateral jsonb_to_record(w.said) as v (name text, website text, industry text, location text, created_at timestamptz)
  where w.target is null;
  get diagnostics added = row_count;
  update public.companies c set
    website = coalesce(v.website, c.website),
    industry = coalesce(v.industry, c.industry),
    location = coalesce(v.location, c.location)
  from private.planned_rows(i, after, last) w
  cross join lateral jsonb_to_record(w.said) as v (website text, industry text, location text)
  where c.id = w.target and (c.user_id = i.user_id) is true
    and (coalesce(v.website, c.website), coalesce(v.industry, c.industry), coalesce(v.location, c.location))
      is distinct from (c.website, c.industry, c.location);
  get diagnostics updated = row_count;
  return jsonb_build_object('added', added, 'updated', updated);
end
$$;

drop function private.write_deals(private.imports, text);
drop function private.add_named_companies(private.imports, text);
drop function private.deal_contacts(private.imports, text);

create function private.deal_contacts(i private.imports)
returns table (place integer, key text, of_company text, contact_id uuid)
language sql stable -- no search path of its own, see contact_card
as $$
  with named as materialized (
    select w.place, lower(v.contact_email) as email, w.company_id,
      private.fold(nullif(concat_ws(' ', v.contact_first_name, v.contact_last_name), '')) as key
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    cross join lateral jsonb_to_record(r.said) as v (contact_email text, contact_first_name text, contact_last_name text)
    where w.import_id = i.id and coalesce(v.contact_email, v.contact_first_name, v.contact_last_name) is not null
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
  select n.place, coalesce(n.email, n.key, ''), case when n.email is null then coalesce(n.company_id::text, '') else '' end,
    case when n.email is not null then e.id else coalesce(b.id, a.id) end
  from named n
  left join by_email e on e.email = n.email
  left join by_both b on b.key = n.key and b.company_id = n.company_id
  left join by_name a on a.key = n.key
$$;
comment on function private.deal_contacts is
  'Whom the rows of an import of deals name: which contact that is, or null when there is none, and by what several rows name the same.';

create function private.plan_deal_contacts(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  with found as materialized (select * from private.deal_contacts(i)),
  made as materialized (
    select f.key, f.of_company, min(f.place) as place, gen_random_uuid() as id
    from found f where f.contact_id is null group by f.key, f.of_company
  )
  update private.import_plans p
  set contact_id = coalesce(f.contact_id, m.id), adds_contact = coalesce(m.place = f.place, false)
  from found f
  left join made m on f.contact_id is null and m.key = f.key and m.of_company = f.of_company
  where p.import_id = i.id and p.place = f.place;
end
$$;
comment on function private.plan_deal_contacts is 'Finds which contact each row of an import of deals names.';

create function private.write_deals(i private.imports, moment timestamptz, after bigint, last bigint, places private.place_in_pipeline[], usual uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
  updated bigint;
begin
  -- Exact values: a deal that was closed before it came here was not closed today.
  perform set_config('solo.restoring', 'on', true);
  insert into public.deals (
    user_id, name, value, expected_close_date, pipeline_id, stage_id, company_id, contact_id, lost_reason, closed_at, created_at
  )
  select i.user_id, v.name, coalesce(v.value, 0), v.expected_close_date, coalesce(p.pipeline_id, usual), p.stage_id,
    w.company_id, w.contact_id,
    case when s.name = 'Closed Lost' then v.lost_reason end,
    case when s.name in ('Closed Won', 'Closed Lost')
      then coalesce(v.closed_at, least(v.expected_close_date + time '12:00' at time zone 'UTC', moment)) end,
    coalesce(v.created_at, moment - w.place * interval '1 microsecond')
  from private.planned_rows(i, after, last) w
  cross join lateral jsonb_to_record(w.said) as v (
    name text, value numeric, expected_close_date date, pipeline text, stage text, lost_reason text,
    created_at timestamptz, closed_at timestamptz
  )
  left join unnest(places) p on p.own_pipeline is null
    and coalesce(p.pipeline_key, '') = coalesce(private.fold(v.pipeline), '') and coalesce(p.stage, '') = coalesce(v.stage, '')
  left join public.pipeline_stages s on s.user_id = i.user_id and s.id = p.stage_id
  where w.target is null;
  get diagnostics added = row_count;

  update public.deals d set
    value = n.value, expected_close_date = n.expected_close_date, pipeline_id = n.pipeline_id, stage_id = n.stage_id,
    contact_id = n.contact_id, lost_reason = n.lost_reason, closed_at = n.closed_at
  from (
    select o.id, coalesce(v.value, o.value) as value, coalesce(v.expected_close_date, o.expected_close_date) as expected_close_date,
      coalesce(p.pipeline_id, o.pipeline_id) as pipeline_id, s.id as stage_id,
      coalesce(o.contact_id, w.contact_id) as contact_id,
      case when s.name = 'Closed Lost' then coalesce(v.lost_reason, o.lost_reason) end as lost_reason,
      case
        when s.name is null or s.name not in ('Closed Won', 'Closed Lost') then null
        when s.name = b.name then coalesce(v.closed_at, o.closed_at)
        else coalesce(
          v.closed_at,
          least(coalesce(v.expected_close_date, o.expected_close_date) + time '12:00' at time zone 'UTC', moment)
        )
      end as closed_at
    from private.planned_rows(i, after, last) w
    cross join lateral jsonb_to_record(w.said) as v (
      value numeric, expected_close_date date, pipeline text, stage text, lost_reason text, closed_at timestamptz
    )
    join public.deals o on o.id = w.target and (o.user_id = i.user_id) is true
    -- Where the row names no pipeline, its stage is one of the pipeline that the deal is in.
    left join unnest(places) p on coalesce(p.own_pipeline::text, '') = coalesce(case when v.pipeline is null then o.pipeline_id end::text, '')
      and coalesce(p.pipeline_key, '') = coalesce(private.fold(v.pipeline), '') and coalesce(p.stage, '') = coalesce(v.stage, '')
    left join public.pipeline_stages b on b.user_id = i.user_id and b.id = o.stage_id
    -- The stage that the row names; where it names none, the one that the deal has, if it stays in its pipeline.
    left join public.pipeline_stages s on s.user_id = i.user_id and s.id = coalesce(
      p.stage_id, case when p.pipeline_id is null or p.pipeline_id = o.pipeline_id then o.stage_id end
    )
  ) n
  where d.id = n.id and (d.user_id = i.user_id) is true
    and (d.value, d.expected_close_date, d.pipeline_id, d.stage_id, d.contact_id, d.lost_reason, d.closed_at)
      is distinct from
      (n.value, n.expected_close_date, n.pipeline_id, n.stage_id, n.contact_id, n.lost_reason, n.closed_at);
  get diagnostics updated = row_count;
  perform set_config('solo.restoring', 'off', true);
  return jsonb_build_object('added', added, 'updated', updated);
end
$$;

create function private.begin_import(w private.unfinished_work) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  i private.imports := private.own_import((w.arguments ->> 'id')::uuid, true);
  duplicates text := coalesce(w.arguments -> 'duplicates', '"skip"') #>> '{}';
begin
  -- An answer that was lost is given again; nothing is written twice.
  if i.summary is not null then
    w.state := jsonb_build_object('answer', public.import_state(i.id));
    return w;
  end if;
  if duplicates is null or duplicates not in ('skip', 'update', 'create') then
    raise exception 'Duplicates are handled by skip, update or create.' using errcode = 'PT400';
  end if;
  perform private.check_names(i);
  -- Once more: the records may have changed since the rows were looked at.
  perform private.match_import(i);
  w.state := jsonb_build_object('step', 'plan', 'size', i.total, 'duplicates', duplicates, 'told', case i.kind
    when 'contacts' then '{"added": 0, "updated": 0, "companies": 0}'::jsonb
    when 'companies' then '{"added": 0, "updated": 0}'
    else '{"added": 0, "updated": 0, "companies": 0, "contacts": 0}'
  end);
  return w;
end
$$;

create function private.added_up(counts jsonb, more jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$ select counts || jsonb_object_agg(m.key, coalesce((counts ->> m.key)::bigint, 0) + m.value::bigint) from jsonb_each_text(more) m $$;

create function private.write_import_rows(
  w private.unfinished_work, i private.imports, step text, after bigint, last bigint
) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  row_count bigint;
begin
  if step = 'companies' then
    insert into public.companies (id, user_id, name, created_at)
    select p.company_id, i.user_id, p.said ->> 'company', w.started_at
    from private.planned_rows(i, after, last) p where p.adds_company;
    get diagnostics row_count = row_count;
    return jsonb_build_object('companies', row_count);
  elsif step = 'contacts' then
    insert into public.contacts (id, user_id, first_name, last_name, email, company_id, created_at)
    select p.contact_id, i.user_id, p.said ->> 'contact_first_name', p.said ->> 'contact_last_name', p.said ->> 'contact_email',
      p.company_id, w.started_at
    from private.planned_rows(i, after, last) p where p.adds_contact;
    get diagnostics row_count = row_count;
    return jsonb_build_object('contacts', row_count);
  elsif i.kind = 'contacts' then
    return private.write_contacts(i, w.started_at, after, last);
  elsif i.kind = 'companies' then
    return private.write_companies(i, w.started_at, after, last);
  end if;
  return private.write_deals(i, w.started_at, after, last,
    array(select p from jsonb_populate_recordset(null::private.place_in_pipeline, w.state -> 'places') p),
    (w.state ->> 'usual')::uuid);
end
$$;

create function private.finish_import(i private.imports, told jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  rejected bigint;
begin
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
  delete from private.import_plans p where p.import_id = i.id;
  delete from private.import_matches m where m.import_id = i.id;
  delete from private.import_rows r where r.import_id = i.id and r.problem is null;
  return public.import_state(i.id);
end
$$;

create function private.import_part(w private.unfinished_work, rows integer) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  i private.imports;
  step text := w.state ->> 'step';
  -- Below every place.
  after bigint := coalesce((w.state ->> 'after')::bigint, -2147483649);
  last bigint;
  places private.place_in_pipeline[];
begin
  select * into i from private.imports n where n.user_id = w.user_id and n.id = (w.arguments ->> 'id')::uuid;
  if step = 'plan' then
    perform private.plan_import(i, w.state ->> 'duplicates');
    step := 'companies';
  elsif step = 'people' then
    perform private.plan_deal_contacts(i);
    step := 'contacts';
  elsif step = 'places' then
    places := private.places_in_pipelines(i, w.state ->> 'duplicates');
    w.state := w.state || jsonb_build_object('places', to_jsonb(places), 'usual', (
      select p.id from public.pipelines p where p.user_id = i.user_id order by p.created_at, p.id limit 1
    ));
    step := 'rows';
  elsif step in ('companies', 'contacts', 'rows') then
    select max(p.place) into last from (
      select n.place from private.import_plans n
      where n.import_id = i.id and n.place > after
        and case step when 'companies' then n.adds_company when 'contacts' then n.adds_contact else true end
      order by n.place limit rows
    ) p;
    if last is not null then
      w.state := w.state || jsonb_build_object('after', last,
        'told', private.added_up(w.state -> 'told', private.write_import_rows(w, i, step, after, last)));
      return w;
    end if;
    step := case
      when step = 'companies' and i.kind = 'deals' then 'people'
      when step = 'contacts' then 'places'
      when step = 'companies' then 'rows'
      when i.total >= 1000 then 'analyze'
      else 'finish'
    end;
  elsif step = 'analyze' then
    -- Nobody else tells the embedded database how many rows there are now; lists and undo are planned by it.
    analyze public.contacts, public.companies, public.deals, public.changes;
    step := 'finish';
  else
    w.state := jsonb_build_object('answer', private.finish_import(i, w.state -> 'told'));
    return w;
  end if;
  w.state := w.state - 'after' || jsonb_build_object('step', step);
  return w;
end
$$;
comment on function private.import_part is
  'The next part of an import: first which rows are written and what they link to, then companies and contacts that they name, then the rows, and in the end the summary.';

-- Undo -----------------------------------------------------------------------------------------------------

drop function private.take_back(uuid, uuid, uuid[]);

create function private.parents_first() returns text[]
language sql immutable
set search_path = ''
as $$
  select array[
    'pipelines', 'pipeline_stages', 'companies', 'contacts', 'deals', 'collections', 'collection_members', 'not_duplicates',
    'tasks', 'notes', 'saved_views', 'email_templates'
  ]
$$;
comment on function private.parents_first is
  'The tables in an order in which rows can be added part by part: what is linked to comes before what links to it.';

create function private.is_cut(kind text) returns boolean
language sql immutable
set search_path = ''
as $$ select kind in ('companies', 'contacts', 'deals', 'collection_members', 'tasks', 'notes') $$;
comment on function private.is_cut is
  'Whether the rows of a table are written in parts. The others are few, and their names may be exchanged: they are written at once.';

create function private.begin_undo(w private.unfinished_work) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  me uuid := w.user_id;
  wanted uuid := (w.arguments ->> 'batch')::uuid;
  conflicts text := coalesce(w.arguments -> 'conflicts', '"refuse"') #>> '{}';
  found_conflicts jsonb;
  left_alone uuid[];
  steps jsonb;
  size bigint;
begin
  if conflicts not in ('refuse', 'keep', 'all') then
    raise exception 'Conflicts are handled by refuse, keep or all.' using errcode = 'PT400';
  end if;
  -- Two undos of one account would otherwise both find nothing changed.
  perform pg_advisory_xact_lock(hashtextextended('undo ' || me, 0));
  select count(*) into size from public.changes c where c.user_id = me and c.batch = wanted;
  if size = 0 then
    raise exception 'There is nothing to undo here.' using errcode = 'PT404';
  end if;

  perform private.lock_batch(me, wanted);
  select
    coalesce(jsonb_agg(to_jsonb(k) order by k.table_name, k.label), '[]'),
    coalesce(array_agg(k.row_id) filter (
      where conflicts = 'keep' or k.reason in ('erased', 'parent gone', 'name taken')), '{}')
  into found_conflicts, left_alone
  from (select distinct on (f.row_id) f.* from private.undo_conflicts(me, wanted) f order by f.row_id, f.reason desc) k;

  if conflicts = 'refuse' and jsonb_array_length(found_conflicts) > 0 then
    w.state := jsonb_build_object('answer', jsonb_build_object('batch', null, 'undone', 0, 'conflicts', found_conflicts));
    return w;
  end if;
  -- The parts of what stays away stay away with it.
  left_alone := left_alone || array(
    select c.row_id from public.changes c
    where c.id = any (private.parts_of(me, array(
      select d.id from public.changes d
      where d.user_id = me and d.batch = wanted and d.verb = 'delete' and d.row_id = any (left_alone)
        and not exists (
          select from public.changes l
          where l.user_id = me and l.row_id = d.row_id and l.id > d.id and l.verb = 'insert'
        )
    )))
  );

  -- Deleted rows come back first, then changed columns, then added rows go. Of those what links goes before what is
  -- linked to, or every link would be cut first, row by row. Of a short table all of it is one part: a name, or a place in
  -- a collection, may have been given up and taken again.
  select jsonb_agg(jsonb_build_object('verb', s.verb, 'table', s.table_name, 'is_cut', s.is_cut)
    order by array_position(array['delete', 'update', 'insert'], case s.verb when 'all' then 'delete' else s.verb end),
      array_position(private.parents_first(), s.table_name) * case when s.verb = 'insert' then -1 else 1 end)
  into steps
  from (
    select distinct v.table_name, v.is_cut, case when v.verbs > 1 and not v.is_cut then 'all' else v.verb end as verb
    from (
      select c.table_name, c.verb, count(*) over (partition by c.table_name) as verbs,
        private.is_cut(c.table_name) and (c.table_name <> 'collection_members' or count(*) over (partition by c.table_name) = 1) as is_cut
      from public.changes c where c.user_id = me and c.batch = wanted group by c.table_name, c.verb
    ) v
  ) s;
  w.arguments := w.arguments || jsonb_build_object('steps', steps, 'found', found_conflicts, 'left_alone', to_jsonb(left_alone));
  w.state := jsonb_build_object('step', 0, 'size', size);
  return w;
end
$$;

create function private.with_own_origins(me uuid, wanted uuid, kind text, chosen bigint[]) returns bigint[]
language plpgsql stable
set search_path = ''
as $$
declare
  link record;
begin
  for link in select k.* from private.links k where k.table_name = kind and k.parent_name = kind loop
    chosen := array(
      with recursive coming as (
        select c.id, c.before from public.changes c where c.id = any (chosen)
        union
        select p.id, p.before
        from coming c
        cross join lateral (
          select o.* from public.changes o
          where o.user_id = me and o.row_id = (c.before ->> link.column_name)::uuid order by o.id desc limit 1
        ) p
        where p.batch = wanted and p.verb = 'delete' and p.before is not null
      )
      select c.id from coming c
    );
  end loop;
  return chosen;
end
$$;
comment on function private.with_own_origins is
  'Deletions that are put back together: with each row the one of its own table that it links to, if that comes back too.';

create function private.drop_dangling_links_of(me uuid, kind text, rows uuid[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  link record;
begin
  for link in select k.* from private.links k where not k.is_part_of_parent and k.table_name = kind loop
    execute format(
      'update public.%1$I t set %2$I = null
       where t.id = any ($2) and (t.user_id = $1) is true and t.%2$I is not null
         and (select p.id from public.%3$I p where p.user_id = $1 and p.id = t.%2$I) is null',
      link.table_name, link.column_name, link.parent_name)
      using me, rows;
  end loop;
  if kind = 'deals' then
    -- A stage of another pipeline than the one that the deal is in by now.
    update public.deals d set stage_id = null
    where d.id = any (rows) and (d.user_id = me) is true and d.stage_id is not null
      and (select s.id from public.pipeline_stages s where s.id = d.stage_id and s.pipeline_id = d.pipeline_id) is null;
  end if;
end
$$;
comment on function private.drop_dangling_links_of is 'Rows that were put back lose their links to records that were deleted in another batch.';

create function private.undo_lines(me uuid, wanted uuid, kind text, done text, lines bigint[], left_alone uuid[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  rows uuid[];
  columns text;
begin
  if done = 'delete' then
    lines := private.with_own_origins(me, wanted, kind, lines);
    lines := array(select c.id from public.changes c where c.id = any (lines) and c.row_id <> all (left_alone));
    perform private.put_back(me, wanted, lines);
    rows := array(select c.row_id from public.changes c where c.id = any (lines));
  elsif done = 'update' then
    rows := array(select c.row_id from public.changes c where c.id = any (lines));
    select string_agg(quote_ident(a.attname), ', ') into columns
    from pg_catalog.pg_attribute a
    where a.attrelid = format('public.%I', kind)::regclass
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname not in ('id', 'user_id')
      and a.attname in (
        select jsonb_object_keys(c.before) from public.changes c where c.id = any (lines)
      );
    if columns is not null then
      -- Put-back values are exact; the rows that an undone insert drags along are ordinary writes.
      perform set_config('solo.restoring', 'on', true);
      execute format(
        'update public.%1$I t set (%2$s) = (select %2$s from jsonb_populate_record(t, s.before))
         from (
           select c.row_id, jsonb_object_agg(old.key, old.value order by c.id desc) as before
           from public.changes c
           cross join lateral jsonb_each(c.before) old
           where c.id = any ($2)
           group by c.row_id
         ) s
         where t.id = s.row_id and (t.user_id = $1) is true', kind, columns)
        using me, lines;
      perform set_config('solo.restoring', 'off', true);
    end if;
  else
    rows := array(select c.row_id from public.changes c where c.id = any (lines));
    execute format('delete from public.%1$I t where t.id = any ($2) and (t.user_id = $1) is true', kind) using me, rows;
    return;
  end if;
  perform private.drop_dangling_links_of(me, kind, rows);
end
$$;
comment on function private.undo_lines is
  'Takes back what lines of a batch tell, all of one table and one verb, as ordinary changes. Rows are found by their ids alone: where the statistics know nothing of them yet, all rows of the account would else be read for each.';

create function private.lines_to_undo(me uuid, wanted uuid, kind text, done text, left_alone uuid[], after_line bigint, rows integer)
returns bigint[]
language plpgsql stable
set search_path = ''
as $$
begin
  if done = 'update' then
    -- From the newest: of a row that was changed several times, what it was at first comes last.
    return array(
      select c.id from public.changes c
      where c.user_id = me and c.batch = wanted and c.id < coalesce(after_line, 9223372036854775807)
        and c.table_name = kind and c.verb = done and c.row_id <> all (left_alone)
      order by c.id desc limit rows
    );
  end if;
  return array(
    select c.id from public.changes c
    where c.user_id = me and c.batch = wanted and c.id > coalesce(after_line, 0)
      and c.table_name = kind and c.verb = done
      and (done <> 'delete' or c.before is not null) and c.row_id <> all (left_alone)
    order by c.id limit rows
  );
end
$$;
comment on function private.lines_to_undo is 'The next lines of a batch, of one table and one verb.';

create function private.undo_part(w private.unfinished_work, rows integer) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  me uuid := w.user_id;
  wanted uuid := (w.arguments ->> 'batch')::uuid;
  number integer := (w.state ->> 'step')::integer;
  step jsonb := w.arguments -> 'steps' -> number;
  kind text := step ->> 'table';
  left_alone uuid[] := array(select jsonb_array_elements_text(w.arguments -> 'left_alone')::uuid);
  done text;
  lines bigint[];
  row_count bigint;
begin
  if step is null then
    select count(distinct c.row_id) into row_count from public.changes c where c.user_id = me and c.batch = w.batch;
    w.state := jsonb_build_object('answer', jsonb_build_object(
      'batch', case when row_count > 0 then w.batch end,
      'undone', row_count,
      'conflicts', w.arguments -> 'found'
    ));
    return w;
  end if;
  perform set_config('solo.undoes', wanted::text, true);
  set constraints all deferred;
  foreach done in array case step ->> 'verb' when 'all' then array['delete', 'update', 'insert'] else array[step ->> 'verb'] end loop
    lines := private.lines_to_undo(
      me, wanted, kind, done, left_alone, (w.state ->> 'after')::bigint, case when (step ->> 'is_cut')::boolean then rows end
    );
    if cardinality(lines) > 0 then
      perform private.undo_lines(me, wanted, kind, done, lines, left_alone);
    end if;
  end loop;
  set constraints all immediate;
  if (step ->> 'is_cut')::boolean and cardinality(lines) > 0 then
    w.state := w.state || jsonb_build_object('after', lines[cardinality(lines)]);
  else
    w.state := w.state - 'after' || jsonb_build_object('step', number + 1);
  end if;
  return w;
end
$$;
comment on function private.undo_part is
  'The next part of an undo. Foreign keys are checked after each part: what a row links to was there before, or came back with an earlier one.';

-- Restore --------------------------------------------------------------------------------------------------

create or replace function private.restore_history(me uuid, restore uuid) returns bigint
language plpgsql
set search_path = ''
as $$
begin
  -- What the account's own log tells already, it does not tell twice.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'changes' and (
    (s.said ->> 'batch')::uuid in (select c.batch from public.changes c where c.user_id = me)
    or s.said ->> 'table_name' not in (select k.kind from private.backup_kinds() k where k.key = 'id' and k.key_type = 'uuid')
  );
  if exists (select from private.restore_rows s where s.restore_id = restore and s.new_id <> s.old_id) then
    update private.restore_rows s set said = private.with_new_ids(restore, s.said) || jsonb_build_object(
      'before', private.with_new_ids(restore, s.said -> 'before'), 'after', private.with_new_ids(restore, s.said -> 'after'))
    where s.restore_id = restore and s.kind = 'changes';
  end if;
  return (select count(*) from private.restore_rows s where s.restore_id = restore and s.kind = 'changes');
end
$$;
comment on function private.restore_history is
  'Which lines of the log of a backup, with what its trash holds, the account does not have, and how many they are.';

create function private.begin_restore(w private.unfinished_work) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  restore uuid := (w.arguments ->> 'restore')::uuid;
  r private.restores;
begin
  select * into r from private.restores x where x.id = restore and x.user_id = w.user_id for update;
  if r.id is null then
    raise exception 'This restore is not under way any more. Start again.' using errcode = 'PT404';
  end if;
  if r.answer is not null then
    w.state := jsonb_build_object('answer', r.answer);
    return w;
  end if;
  if exists (
    select from jsonb_each_text(r.tables) t
    where t.value::bigint <> (select count(*) from private.restore_rows s where s.restore_id = restore and s.kind = t.key)
  ) then
    raise exception 'The backup did not arrive whole. Nothing was changed; try again.' using errcode = 'PT409';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('undo ' || w.user_id, 0));
  w.state := jsonb_build_object('step', 'ids', 'size', (select coalesce(sum(t.value::bigint), 0) from jsonb_each_text(r.tables) t));
  return w;
end
$$;

create function private.prepare_restore(w private.unfinished_work, restore uuid, step text) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  me uuid := w.user_id;
begin
  if step = 'ids' then
    perform private.place_rows(me, restore);
    perform private.settle_names(me, restore);
    w.state := w.state || '{"step": "links"}';
  elsif step = 'links' then
    perform private.map_links(me, restore);
    -- A part without its whole has no place.
    delete from private.restore_rows s
    where s.restore_id = restore and s.is_new and (
      s.kind = 'pipeline_stages' and s.said ->> 'pipeline_id' is null
      or s.kind = 'collection_members' and (s.said ->> 'collection_id' is null or s.said ->> 'contact_id' is null)
      or s.kind = 'not_duplicates' and num_nonnulls(s.said ->> 'one_contact_id', s.said ->> 'other_contact_id',
        s.said ->> 'one_company_id', s.said ->> 'other_company_id') < 2
      or s.kind = 'notes' and coalesce(s.said ->> 'contact_id', s.said ->> 'company_id', s.said ->> 'deal_id') is null
    );
    -- The preferences have no log; see take_back_part.
    w.state := w.state || jsonb_build_object('step', 'changes', 'preferences', (
      select to_jsonb(p) from public.preferences p where p.user_id = me
    ));
    perform private.clear_way(me, restore);
    w.state := w.state || jsonb_build_object('history', private.restore_history(me, restore));
  end if;
  return w;
exception when data_exception or integrity_constraint_violation then
  perform private.damaged('it has a value that is not allowed');
end
$$;
comment on function private.prepare_restore is 'Finds where the rows of a backup go, and makes way for them.';

drop function private.write_rows(uuid, uuid);
create function private.write_rows(me uuid, restore uuid, of_kind text, after_part integer, after_place integer, last_part integer, last_place integer)
returns void
language plpgsql
set search_path = ''
as $$
declare
  source text := (select k.source from private.backup_kinds() k where k.kind = of_kind);
  columns text;
begin
  if of_kind = 'changes' then
    begin
      -- Before the rows themselves, or their own past would look like something done to them since.
      insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, after, created_at)
      select me, r.batch, r.undoes, r.table_name, r.row_id, r.contact_id, r.company_id, r.deal_id, left(r.label, 1000), r.verb,
        case when r.verb = 'delete' then r.before || jsonb_build_object('user_id', me) else r.before end, r.after, r.created_at
      from (
        select c.* from private.restore_rows s
        cross join lateral jsonb_populate_record(null::public.changes, s.said) c
        where s.restore_id = restore and s.kind = 'changes'
          and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
      ) r
      order by r.id;
    exception when data_exception or integrity_constraint_violation then
      perform private.damaged('it has a value that is not allowed');
    end;
    return;
  end if;
  -- Only columns that are there and may be written: no generated ones.
  select string_agg(quote_ident(a.attname), ', ') into columns
  from pg_catalog.pg_attribute a
  where a.attrelid = source::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and (a.attname in ('id', 'user_id') or a.attname in (
      select jsonb_object_keys(s.said) from private.restore_rows s
      where s.restore_id = restore and s.kind = of_kind and s.is_new
        and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
    ));
  perform set_config('solo.restoring', 'on', true);
  begin
    execute format(
      'insert into %1$s (%2$s)
       select %2$s from (
         select r.* from private.restore_rows s
         cross join lateral jsonb_populate_record(null::%1$s, s.said || jsonb_build_object(''id'', s.new_id, ''user_id'', $1)) r
         where s.restore_id = $2 and s.kind = %3$L and s.is_new
           and (s.part, s.place) > ($3, $4) and (s.part, s.place) <= ($5, $6)
         order by s.part, s.place
       ) lines', source, columns, of_kind)
    using me, restore, after_part, after_place, last_part, last_place;
  exception when data_exception or integrity_constraint_violation then
    perform private.damaged('one of its ' || replace(of_kind, '_', ' ') || ' has a value that is not allowed');
  end;
  if of_kind = 'deals' then
    update public.deals d set stage_id = null
    where d.user_id = me and d.stage_id is not null
      and d.id in (
        select s.new_id from private.restore_rows s
        where s.restore_id = restore and s.kind = 'deals' and s.is_new
          and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
      )
      and not exists (
        select from public.pipeline_stages s where s.user_id = me and s.id = d.stage_id and s.pipeline_id = d.pipeline_id
      );
  end if;
  perform set_config('solo.restoring', 'off', true);
end
$$;
comment on function private.write_rows is
  'New rows of a backup, of one kind and between two places of the file, stamps included; every rule of the tables holds.';

create function private.finish_restoring(w private.unfinished_work, restore uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  r private.restores;
  counts jsonb;
begin
  select * into r from private.restores x where x.id = restore and x.user_id = w.user_id;
  insert into private.deeds (user_id, batch, deed, about)
  select w.user_id, (s.said ->> 'batch')::uuid, s.said ->> 'deed', left(s.said ->> 'about', 255)
  from private.restore_rows s where s.restore_id = restore and s.kind = 'deeds'
  on conflict do nothing;
  select coalesce(jsonb_object_agg(c.kind, jsonb_build_object('added', c.added, 'there', c.there)), '{}') into counts
  from (
    select s.kind, count(*) filter (where s.is_new) as added, count(*) filter (where not s.is_new) as there
    from private.restore_rows s where s.restore_id = restore and s.is_new is not null group by s.kind
  ) c;
  if private.written_batch() is not null then
    perform private.name_deed('backup', r.about);
  end if;
  update private.restores x set answer = jsonb_build_object(
    'batch', private.written_batch(), 'counts', counts, 'history', w.state -> 'history',
    'lost', (select coalesce(sum(t.value::bigint), 0) from jsonb_each_text(r.tables) t
             where t.key in (select k.kind from private.backup_kinds() k where k.key = 'id' and k.key_type = 'uuid'))
      - (select count(*) from private.restore_rows s where s.restore_id = restore and s.is_new is not null)
  ) where x.id = restore returning x.answer into r.answer;
  delete from private.restore_rows s where s.restore_id = restore;
  return r.answer;
exception when data_exception or integrity_constraint_violation then
  perform private.damaged('it has a value that is not allowed');
end
$$;

create function private.restore_part(w private.unfinished_work, rows integer) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  restore uuid := (w.arguments ->> 'restore')::uuid;
  step text := w.state ->> 'step';
  kinds text[] := array['changes'] || private.parents_first();
  after_part integer := coalesce((w.state ->> 'part')::integer, -1);
  after_place integer := coalesce((w.state ->> 'place')::integer, 0);
  is_cut boolean := step = 'changes' or private.is_cut(step);
  last record;
begin
  set constraints all deferred;
  if step in ('ids', 'links') then
    w := private.prepare_restore(w, restore, step);
  elsif step = 'end' then
    w.state := jsonb_build_object('answer', private.finish_restoring(w, restore));
  else
    -- A task that repeats another may stand before it in the file.
    if step = 'tasks' then
      is_cut := not exists (
        select from private.restore_rows s
        where s.restore_id = restore and s.kind = 'tasks' and s.is_new and s.said ->> 'repeated_from' is not null
      );
    end if;
    select n.part, n.place into last
    from (
      select s.part, s.place from private.restore_rows s
      where s.restore_id = restore and s.kind = step and (s.part, s.place) > (after_part, after_place)
        and (step = 'changes' or s.is_new)
      order by s.part, s.place limit case when is_cut then rows end
    ) n order by n.part desc, n.place desc limit 1;
    if last.part is null then
      w.state := w.state - 'part' - 'place'
        || jsonb_build_object('step', coalesce(kinds[array_position(kinds, step) + 1], 'end'));
    else
      perform private.write_rows(w.user_id, restore, step, after_part, after_place, last.part, last.place);
      w.state := w.state || jsonb_build_object('part', last.part, 'place', last.place);
    end if;
  end if;
  begin
    set constraints all immediate;
  exception when integrity_constraint_violation then
    perform private.damaged('its rows do not fit together');
  end;
  return w;
end
$$;
comment on function private.restore_part is
  'The next part of a restore: first where its rows go, then their log, then the rows, what is linked to before what links to it, and in the end the counts.';

-- Work -----------------------------------------------------------------------------------------------------

create function private.first_state(name text, arguments jsonb) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work;
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  w.user_id := auth.uid();
  w.batch := gen_random_uuid();
  w.name := name;
  w.arguments := arguments;
  w.state := '{}';
  w.started_at := now();
  return case name
    when 'commit_import' then private.begin_import(w)
    when 'undo_batch' then private.begin_undo(w)
    else private.begin_restore(w)
  end;
end
$$;
comment on function private.first_state is 'Looks whether the work may be done; where there is nothing to do, the answer is there already.';

create function private.next_part(w private.unfinished_work, rows integer) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
begin
  perform
    set_config('solo.batch', w.batch::text, true),
    set_config('solo.moment', w.started_at::text, true),
    -- The statistics know nothing of rows that have just arrived: of all of them, some would be joined one by one.
    set_config('enable_nestloop', case when least((w.state ->> 'size')::bigint, rows) > 5000 and w.name <> 'finish_restore' then 'off' else 'on' end, true),
    -- Without the plans it prefers, the planner takes every query for a huge one, and compiles it.
    set_config('jit', 'off', true);
  w := case w.name
    when 'commit_import' then private.import_part(w, rows)
    when 'undo_batch' then private.undo_part(w, rows)
    else private.restore_part(w, rows)
  end;
  perform
    set_config('solo.batch', '', true), set_config('solo.undoes', '', true), set_config('solo.moment', '', true),
    set_config('enable_nestloop', 'on', true);
  return w;
end
$$;
comment on function private.next_part is 'Writes the next part, of so many rows, and tells where the work stands after it.';

create function private.all_parts(w private.unfinished_work) returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  while not w.state ? 'answer' loop
    w := private.next_part(w, 2147483647);
  end loop;
  return w.state -> 'answer';
end
$$;
comment on function private.all_parts is 'All parts of a work in this one transaction, and its answer.';

create function private.begin_work(name text, arguments jsonb, rows integer) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work := private.first_state(name, arguments);
begin
  if w.state ? 'answer' or (w.state ->> 'size')::bigint <= rows then
    return private.all_parts(w);
  end if;
  insert into private.unfinished_work select w.*;
  return null;
end
$$;
comment on function private.begin_work is
  'Begins a work of the caller that the server then does in parts. Where there is nothing to do, or no more than so many rows, it is done at once: gives the answer then, else null.';

create function private.work_part(rows integer) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work;
begin
  select * into strict w from private.unfinished_work u where u.user_id = auth.uid();
  insert into private.unfinished_parts (user_id, number, after_change)
  select w.user_id,
    coalesce((select max(p.number) from private.unfinished_parts p where p.user_id = w.user_id), 0) + 1,
    coalesce((select max(c.id) from public.changes c), 0);
  w := private.next_part(w, rows);
  if w.state ? 'answer' then
    delete from private.unfinished_work u where u.user_id = w.user_id;
  else
    update private.unfinished_work u set state = w.state where u.user_id = w.user_id;
  end if;
  return w.state -> 'answer';
end
$$;
comment on function private.work_part is
  'The next part of the caller''s work, on the one connection of the embedded database. Gives the answer with the last part, else null.';

create function private.take_back_lines(me uuid, lines bigint[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  line record;
  columns text;
begin
  -- From the newest to the oldest, as many at a time as belong to one table and one verb.
  for line in
    select c.table_name, c.verb, array_agg(c.id) as ids, array_agg(distinct k.name) filter (where k.name is not null) as keys
    from (
      select o.*, sum(case when o.is_other then 1 else 0 end) over (order by o.id desc) as run
      from (
        select n.*, (n.table_name, n.verb) is distinct from
          (lag(n.table_name) over (order by n.id desc), lag(n.verb) over (order by n.id desc)) as is_other
        from public.changes n where n.id = any (lines)
      ) o
    ) c
    left join lateral jsonb_object_keys(c.before) as k (name) on true
    group by c.run, c.table_name, c.verb
    order by c.run
  loop
    -- Only columns that may be written: no generated ones.
    select string_agg(quote_ident(a.attname), ', ') into columns
    from pg_catalog.pg_attribute a
    where a.attrelid = format('public.%I', line.table_name)::regclass
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname = any (line.keys);
    if line.verb = 'insert' then
      execute format('delete from public.%1$I t where t.id = any ($2) and (t.user_id = $1) is true', line.table_name)
      using me, array(select c.row_id from public.changes c where c.id = any (line.ids));
    elsif line.verb = 'delete' then
      execute format(
        'insert into public.%1$I (%2$s)
         select %2$s from (
           select r.* from public.changes c
           cross join lateral jsonb_populate_record(null::public.%1$I, c.before) r
           where c.id = any ($2) and (c.user_id = $1) is true
         ) lost', line.table_name, columns)
      using me, line.ids;
    elsif columns is not null then
      execute format(
        'update public.%1$I t set (%2$s) = (select %2$s from jsonb_populate_record(t, s.before))
         from (
           select c.row_id, jsonb_object_agg(old.key, old.value order by c.id desc) as before
           from public.changes c
           cross join lateral jsonb_each(c.before) old
           where c.id = any ($2)
           group by c.row_id
         ) s
         where t.id = s.row_id and (t.user_id = $1) is true', line.table_name, columns)
      using me, line.ids;
    end if;
  end loop;
end
$$;
comment on function private.take_back_lines is 'Does the opposite of what lines of the log tell.';

create function private.take_back_part(account uuid) returns integer
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work;
  part private.unfinished_parts;
  lines bigint[];
begin
  select * into w from private.unfinished_work u where u.user_id = account;
  if w.user_id is null then
    return null;
  end if;
  select * into part from private.unfinished_parts p where p.user_id = account order by p.number desc limit 1;
  if part.number is null then
    if w.name = 'finish_restore' then
      -- Its rows say by now where they were to go; they have to be sent again.
      delete from private.restores r where r.user_id = w.user_id and r.id = (w.arguments ->> 'restore')::uuid;
    end if;
    delete from private.unfinished_work u where u.user_id = account;
    return null;
  end if;
  -- Nobody but the work has written for the account since it began.
  lines := array(
    select c.id from public.changes c where c.user_id = account and c.batch = w.batch and c.id > part.after_change
  );
  set constraints all deferred;
  perform set_config('solo.silent', 'on', true), set_config('solo.restoring', 'on', true);
  perform private.take_back_lines(account, lines);
  if part.number = 1 then
    update public.preferences p set
      display_name = o.display_name, time_zone = o.time_zone, theme = o.theme, week_starts_on = o.week_starts_on
    from jsonb_populate_record(null::public.preferences, w.state -> 'preferences') o
    where p.user_id = account and w.state -> 'preferences' <> 'null'
      and (p.display_name, p.time_zone, p.theme, p.week_starts_on)
        is distinct from (o.display_name, o.time_zone, o.theme, o.week_starts_on);
  end if;
  perform set_config('solo.silent', 'off', true), set_config('solo.restoring', 'off', true);
  set constraints all immediate;
  delete from public.changes c where c.user_id = account and c.id > part.after_change;
  delete from private.unfinished_parts p where p.user_id = account and p.number = part.number;
  return cardinality(lines);
end
$$;
comment on function private.take_back_part is
  'Takes back the last part of an unfinished work, so that nothing of it is left, in the log either, and tells how many lines of it there were. Null when all is taken back.';

create or replace function public.commit_import(id uuid, duplicates text default 'skip') returns jsonb
language plpgsql
security definer -- the tables are closed, and moments of creation are written; writes rows of auth.uid() only
set search_path = ''
set statement_timeout = '300s'
set lock_timeout = '300s'
as $$
begin
  return private.all_parts(private.first_state(
    'commit_import', jsonb_build_object('id', commit_import.id, 'duplicates', commit_import.duplicates)
  ));
end
$$;

create or replace function public.undo_batch(batch uuid, conflicts text default 'refuse') returns jsonb
language plpgsql
security definer -- writes back rows as they were, stamps included, which clients may not; touches rows of auth.uid() only
set search_path = ''
set statement_timeout = '60s'
as $$
begin
  return private.all_parts(private.first_state(
    'undo_batch', jsonb_build_object('batch', undo_batch.batch, 'conflicts', undo_batch.conflicts)
  ));
end
$$;

create or replace function public.finish_restore(restore uuid) returns jsonb
language plpgsql
security definer -- writes rows as they were, stamps and log included, which clients may not; for auth.uid() only
set search_path = ''
set statement_timeout = '600s'
set lock_timeout = '600s'
as $$
begin
  return private.all_parts(private.first_state('finish_restore', jsonb_build_object('restore', finish_restore.restore)));
end
$$;

revoke all on function
  private.begin_restore(private.unfinished_work), private.prepare_restore(private.unfinished_work, uuid, text),
  private.write_rows(uuid, uuid, text, integer, integer, integer, integer),
  private.finish_restoring(private.unfinished_work, uuid), private.restore_part(private.unfinished_work, integer)
  from public, anon, authenticated;
revoke all on function
  private.plan_import(private.imports, text), private.planned_rows(private.imports, bigint, bigint),
  private.write_contacts(private.imports, timestamptz, bigint, bigint),
  private.write_companies(private.imports, timestamptz, bigint, bigint),
  private.write_deals(private.imports, timestamptz, bigint, bigint, private.place_in_pipeline[], uuid),
  private.deal_contacts(private.imports), private.plan_deal_contacts(private.imports),
  private.begin_import(private.unfinished_work), private.added_up(jsonb, jsonb),
  private.write_import_rows(private.unfinished_work, private.imports, text, bigint, bigint),
  private.finish_import(private.imports, jsonb), private.import_part(private.unfinished_work, integer),
  private.first_state(text, jsonb), private.next_part(private.unfinished_work, integer),
  private.all_parts(private.unfinished_work), private.begin_work(text, jsonb, integer), private.work_part(integer),
  private.parents_first(), private.is_cut(text), private.begin_undo(private.unfinished_work),
  private.with_own_origins(uuid, uuid, text, bigint[]), private.drop_dangling_links_of(uuid, text, uuid[]),
  private.undo_lines(uuid, uuid, text, text, bigint[], uuid[]), private.undo_part(private.unfinished_work, integer),
  private.lines_to_undo(uuid, uuid, text, text, uuid[], bigint, integer),
  private.take_back_lines(uuid, bigint[]), private.take_back_part(uuid)
  from public, anon, authenticated;
