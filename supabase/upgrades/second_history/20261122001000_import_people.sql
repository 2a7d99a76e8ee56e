-- Files of deals: everybody whom a row names is put on the deal, the first as its main contact, and what nothing of a deal can
-- hold is kept as a note on it. See docs/decisions/039-several-contacts-on-a-deal.md.

alter table private.import_plans add column deal_id uuid;
comment on column private.import_plans.deal_id is
  'Of a row of deals with further contacts or with a note: the deal that is changed, or the id of the new one.';

create table private.import_people (
  import_id uuid not null,
  user_id uuid not null,
  place integer not null,
  nth integer not null,
  first_name text,
  last_name text,
  email text,
  contact_id uuid not null,
  adds_contact boolean not null,
  primary key (import_id, place, nth),
  foreign key (user_id, import_id) references private.imports (user_id, id) on delete cascade
);
alter table private.import_people enable row level security;
revoke all on private.import_people from public, anon, authenticated, service_role;
comment on table private.import_people is
  'The contacts after the first whom the rows of an import of deals name, until they are written.';
comment on column private.import_people.adds_contact is 'The first of the file who is this contact, who is not there yet.';

-- What a row says --------------------------------------------------------------------------------------------

create function private.further_contacts(said jsonb)
returns table (nth bigint, first_name text, last_name text, email text)
language sql immutable
set search_path = ''
as $$
  select e.nth, private.blank_to_null(v.first_name), private.blank_to_null(v.last_name), private.blank_to_null(v.email)
  from jsonb_array_elements(case when jsonb_typeof(said -> 'further_contacts') = 'array' then said -> 'further_contacts' else '[]' end)
    with ordinality as e (value, nth)
  cross join lateral jsonb_to_record(case when jsonb_typeof(e.value) = 'object' then e.value else '{}' end)
    as v (first_name text, last_name text, email text)
$$;
comment on function private.further_contacts is 'Whom a row of deals names after its main contact.';

create function private.kept_notes(said jsonb) returns text
language sql immutable
set search_path = ''
as $$
  select string_agg(e.value, E'\n' order by e.place)
  from jsonb_array_elements_text(case when jsonb_typeof(said -> 'kept_notes') = 'array' then said -> 'kept_notes' else '[]' end)
    with ordinality as e (value, place)
$$;
comment on function private.kept_notes is 'What a row of deals says and nothing of a deal can hold, such as a stage that the status overrules.';

create function private.adds_to_deal(deal uuid, said jsonb) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.further_contacts(said) p
    where not exists (
      select from public.contacts c
      where c.id in (
        select d.contact_id from public.deals d where d.id = deal
        union all
        select k.contact_id from public.deal_contacts k where k.deal_id = deal
      ) and case
        when p.email is not null then private.has_entry(c.emails, lower(p.email))
        else private.fold(concat_ws(' ', p.first_name, p.last_name)) = private.fold(concat_ws(' ', c.first_name, c.last_name))
      end
    )
  ) or private.kept_notes(said) is not null
    and not exists (select from public.notes n where n.deal_id = deal and n.body = left(private.kept_notes(said), 50000))
$$;
comment on function private.adds_to_deal is 'Whether a row names somebody who is not on the deal yet, or says what no note on it says.';

alter function private.match_deals(private.imports) rename to match_deal_columns;

create function private.match_deals(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.match_deal_columns(i);
  update private.import_matches m set is_same = false
  from private.import_rows r
  where m.import_id = i.id and m.is_same and r.import_id = i.id and r.place = m.place
    and r.said ?| array['further_contacts', 'kept_notes'] and private.adds_to_deal(m.target, r.said);
end
$$;
comment on function private.match_deals is 'As match_deal_columns; a deal that lacks a contact of the row, or its note, does not say the same.';

-- Who they are -----------------------------------------------------------------------------------------------

create function private.people_of_deals(i private.imports)
returns table (
  place integer, nth integer, first_name text, last_name text, email text, key text, of_company text, contact_id uuid
)
language sql stable -- no search path of its own, see contact_card
as $$
  with said as materialized (
    select w.place, 0 as nth, v.contact_first_name as first_name, v.contact_last_name as last_name, v.contact_email as email, w.company_id
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    cross join lateral jsonb_to_record(r.said) as v (contact_email text, contact_first_name text, contact_last_name text)
    where w.import_id = i.id
    union all
    select w.place, f.nth::integer, f.first_name, f.last_name, f.email, w.company_id
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    cross join lateral private.further_contacts(r.said) f
    where w.import_id = i.id and r.said ? 'further_contacts'
  ),
  named as materialized (
    select s.place, s.nth, s.first_name, s.last_name, s.email, lower(s.email) as email_key, s.company_id,
      private.fold(nullif(concat_ws(' ', s.first_name, s.last_name), '')) as key
    from said s where coalesce(s.email, s.first_name, s.last_name) is not null
  ),
  people as materialized (
    select c.id, lower(c.email) as email, c.company_id, c.created_at,
      private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), '')) as key
    from public.contacts c where c.user_id = i.user_id
    union all
    select c.id, lower(e.value ->> 'value'), null, c.created_at, null
    from public.contacts c cross join lateral jsonb_array_elements(c.emails - 0) e
    where c.user_id = i.user_id and (jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1)
  ),
  by_email as (select distinct on (p.email) p.email, p.id from people p where p.email is not null order by p.email, p.created_at, p.id),
  by_both as (
    select distinct on (p.key, p.company_id) p.key, p.company_id, p.id from people p
    where p.key is not null and p.company_id is not null order by p.key, p.company_id, p.created_at, p.id
  ),
  by_name as (select distinct on (p.key) p.key, p.id from people p where p.key is not null order by p.key, p.created_at, p.id)
  -- An address says who is meant; a name alone may be anybody's, so one of the deal's company comes first.
  select n.place, n.nth, n.first_name, n.last_name, n.email, coalesce(n.email_key, n.key, ''),
    case when n.email_key is null then coalesce(n.company_id::text, '') else '' end,
    case when n.email_key is not null then e.id else coalesce(b.id, a.id) end
  from named n
  left join by_email e on e.email = n.email_key
  left join by_both b on b.key = n.key and b.company_id = n.company_id
  left join by_name a on a.key = n.key
$$;
comment on function private.people_of_deals is
  'Whom the rows of an import of deals name, the main contact as number 0: which contact that is, or null when there is none, and by what several rows name the same.';

create or replace function private.plan_deal_contacts(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  delete from private.import_people p where p.import_id = i.id;
  update private.import_plans p set deal_id = coalesce(p.target, gen_random_uuid())
  from private.import_rows r
  where p.import_id = i.id and r.import_id = i.id and r.place = p.place and r.said ?| array['further_contacts', 'kept_notes'];

  with people as materialized (select * from private.people_of_deals(i)),
  made as materialized (
    select distinct on (p.key, p.of_company) p.key, p.of_company, p.place, p.nth, gen_random_uuid() as id
    from people p where p.contact_id is null order by p.key, p.of_company, p.place, p.nth
  ),
  known as materialized (
    select p.place, p.nth, p.first_name, p.last_name, p.email, coalesce(p.contact_id, m.id) as contact_id,
      coalesce(m.place = p.place and m.nth = p.nth, false) as adds_contact
    from people p
    left join made m on p.contact_id is null and m.key = p.key and m.of_company = p.of_company
  ),
  further as (
    insert into private.import_people (import_id, user_id, place, nth, first_name, last_name, email, contact_id, adds_contact)
    select i.id, i.user_id, k.place, k.nth, k.first_name, k.last_name, k.email, k.contact_id, k.adds_contact
    from known k where k.nth > 0
  )
  update private.import_plans p set contact_id = k.contact_id, adds_contact = k.adds_contact
  from known k
  where p.import_id = i.id and p.place = k.place and k.nth = 0;
end
$$;
comment on function private.plan_deal_contacts is 'Finds which contacts each row of an import of deals names.';

drop function private.deal_contacts(private.imports);

-- They are written with the deals ----------------------------------------------------------------------------

create function private.write_import_people(i private.imports, moment timestamptz, after bigint, last bigint) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
begin
  insert into public.contacts (id, user_id, first_name, last_name, email, company_id, created_at)
  select p.contact_id, i.user_id, p.first_name, p.last_name, p.email, w.company_id, moment
  from private.import_people p
  join private.import_plans w on w.import_id = p.import_id and w.place = p.place
  where p.import_id = i.id and p.place > after and p.place <= last and p.adds_contact;
  get diagnostics added = row_count;
  return added;
end
$$;
comment on function private.write_import_people is 'Adds the contacts that are named only after the first of a row; tells how many.';

create function private.link_import_people(i private.imports, after bigint, last bigint) returns uuid[]
language sql
set search_path = ''
as $$
  with linked as (
    insert into public.deal_contacts (user_id, deal_id, contact_id, position)
    select i.user_id, d.id, p.contact_id,
      (select coalesce(max(k.position), 0) from public.deal_contacts k where k.user_id = i.user_id and k.deal_id = d.id) + min(p.nth)
    from private.import_people p
    join private.import_plans w on w.import_id = p.import_id and w.place = p.place
    join public.deals d on d.user_id = i.user_id and d.id = w.deal_id
    where p.import_id = i.id and p.place > after and p.place <= last and p.contact_id is distinct from d.contact_id
      and not exists (
        select from public.deal_contacts k where k.user_id = i.user_id and k.deal_id = d.id and k.contact_id = p.contact_id
      )
    -- One person may be named by a name and by an address.
    group by d.id, p.contact_id
    returning deal_id
  ),
  done as (delete from private.import_people p where p.import_id = i.id and p.place > after and p.place <= last)
  select coalesce(array_agg(l.deal_id), '{}') from linked l
$$;
comment on function private.link_import_people is 'Puts the further contacts of some rows on their deals; tells which deals got one.';

create function private.note_deals(i private.imports, moment timestamptz, after bigint, last bigint) returns uuid[]
language sql
set search_path = ''
as $$
  with noted as (
    insert into public.notes (user_id, deal_id, body, happened_at)
    select i.user_id, w.deal_id, n.body, moment
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    cross join lateral (select left(private.kept_notes(r.said), 50000) as body) n
    where w.import_id = i.id and w.place > after and w.place <= last and r.said ? 'kept_notes' and n.body is not null
      and not exists (select from public.notes t where t.user_id = i.user_id and t.deal_id = w.deal_id and t.body = n.body)
    returning deal_id
  )
  select coalesce(array_agg(n.deal_id), '{}') from noted n
$$;
comment on function private.note_deals is 'Writes the notes of some rows of deals, unless they stand there already; tells which deals got one.';

create or replace function private.write_deals(i private.imports, moment timestamptz, after bigint, last bigint, places private.place_in_pipeline[], usual uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  people bigint := private.write_import_people(i, moment, after, last);
  added bigint;
  updated uuid[];
begin
  -- Exact values: a deal that was closed before it came here was not closed today.
  perform set_config('solo.restoring', 'on', true);
  execute (
    select format(
      'insert into public.deals (id, user_id, created_at, closed_at, %s)
       select coalesce(n.deal_id, gen_random_uuid()), $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''),
         case when s.outcome <> ''open''
           then coalesce(v.closed_at, least(v.expected_close_date + time ''12:00'' at time zone ''UTC'', $2)) end, %s
       from private.planned_rows($1, $3, $4) w
       join private.import_plans n on n.import_id = $1.id and n.place = w.place
       cross join lateral jsonb_to_record(w.said) as v (
         pipeline text, stage text, created_at timestamptz, closed_at timestamptz, %s
       )
       cross join (values ($6)) as usual (pipeline_id)
       left join unnest($5) p on p.own_pipeline is null
         and coalesce(p.pipeline_key, '''') = coalesce(private.fold(v.pipeline), '''') and coalesce(p.stage, '''') = coalesce(v.stage, '''')
       left join public.pipeline_stages s on s.user_id = $1.user_id and s.id = p.stage_id
       where w.target is null',
      string_agg(quote_ident(c.name), ', '), string_agg(c.added, ', '), string_agg(c.definition, ', '))
    from private.import_columns('deals') c
  ) using i, moment, after, last, places, usual;
  get diagnostics added = row_count;

  execute (
    select format(
      'with updated as (
         update public.deals d set closed_at = n.closed_at, %1$s
         from (
           select o.id, case
               when s.outcome is null or s.outcome = ''open'' then null
               when s.outcome = b.outcome then coalesce(v.closed_at, o.closed_at)
               else coalesce(
                 v.closed_at,
                 least(coalesce(v.expected_close_date, o.expected_close_date) + time ''12:00'' at time zone ''UTC'', $2)
               )
             end as closed_at, %2$s
           from private.planned_rows($1, $3, $4) w
           cross join lateral jsonb_to_record(w.said) as v (pipeline text, stage text, closed_at timestamptz, %3$s)
           join public.deals o on o.id = w.target and (o.user_id = $1.user_id) is true
           -- Where the row names no pipeline, its stage is one of the pipeline that the deal is in.
           left join unnest($5) p on coalesce(p.own_pipeline::text, '''') = coalesce(case when v.pipeline is null then o.pipeline_id end::text, '''')
             and coalesce(p.pipeline_key, '''') = coalesce(private.fold(v.pipeline), '''') and coalesce(p.stage, '''') = coalesce(v.stage, '''')
           left join public.pipeline_stages b on b.user_id = $1.user_id and b.id = o.stage_id
           -- The stage that the row names; where it names none, the one that the deal has, if it stays in its pipeline.
           left join public.pipeline_stages s on s.user_id = $1.user_id and s.id = coalesce(
             p.stage_id, case when p.pipeline_id is null or p.pipeline_id = o.pipeline_id then o.stage_id end
           )
         ) n
         where d.id = n.id and (d.user_id = $1.user_id) is true and (d.closed_at, %4$s) is distinct from (n.closed_at, %5$s)
         returning d.id
       )
       select coalesce(array_agg(u.id), ''{}'') from updated u',
      string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('d.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns('deals') c
  ) into updated using i, moment, after, last, places;
  perform set_config('solo.restoring', 'off', true);

  updated := updated || private.link_import_people(i, after, last) || private.note_deals(i, moment, after, last);
  return jsonb_build_object('contacts', people, 'added', added, 'updated', (
    select count(distinct w.target) from private.import_plans w
    where w.import_id = i.id and w.place > after and w.place <= last and w.target = any (updated)
  ));
end
$$;
comment on function private.write_deals is 'Writes the deals of a part of an import, with their further contacts and notes.';

revoke all on function
  private.further_contacts(jsonb), private.kept_notes(jsonb), private.adds_to_deal(uuid, jsonb), private.match_deals(private.imports),
  private.people_of_deals(private.imports), private.write_import_people(private.imports, timestamp with time zone, bigint, bigint),
  private.link_import_people(private.imports, bigint, bigint),
  private.note_deals(private.imports, timestamp with time zone, bigint, bigint)
  from public, anon, authenticated;
