-- Imports: a deal that is won or lost says when, in the file or by what the user answered; the database makes up no day. What no
-- field of a company can hold becomes a note on it, as on a deal. See docs/decisions/024-imports-lose-nothing.md and 035.

-- When deals were closed -------------------------------------------------------------------------------------

create function private.refuse_undated(i private.imports) returns void
language sql
set search_path = ''
as $$
  update private.import_rows r set problem = 'The deal is won or lost, but the row doesn’t say when.'
  where r.import_id = i.id and i.kind = 'deals' and r.problem is null and not r.said ?| array['closed_at', 'closes_at']
    and private.outcome_of(initcap(private.fold(r.said ->> 'stage'))) <> 'open'
$$;
comment on function private.refuse_undated is
  'Refuses the rows of an import that close a deal and do not say when: by closed_at, or by closes_at, which counts unless the deal is closed already.';

create or replace function private.match_deals(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform private.refuse_undated(i);
  perform private.match_deal_columns(i);
  update private.import_matches m set is_same = false
  from private.import_rows r
  where m.import_id = i.id and m.is_same and r.import_id = i.id and r.place = m.place
    and r.said ?| array['further_contacts', 'kept_notes'] and private.adds_to_deal(m.target, r.said);
end
$$;
comment on function private.match_deals is
  'As match_deal_columns; a deal that lacks a contact of the row, or its note, does not say the same, and one that was closed must say when.';

-- Notes ------------------------------------------------------------------------------------------------------

alter table private.import_plans rename column deal_id to record_id;
comment on column private.import_plans.record_id is
  'Of a row of deals or companies with a note, or with further contacts: the record that is changed, or the id of the new one.';

create or replace function private.plan_deal_contacts(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  delete from private.import_people p where p.import_id = i.id;
  update private.import_plans p set record_id = coalesce(p.target, gen_random_uuid())
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

create or replace function private.link_import_people(i private.imports, after bigint, last bigint) returns uuid[]
language sql
set search_path = ''
as $$
  with linked as (
    insert into public.deal_contacts (user_id, deal_id, contact_id, position)
    select i.user_id, d.id, p.contact_id,
      (select coalesce(max(k.position), 0) from public.deal_contacts k where k.user_id = i.user_id and k.deal_id = d.id) + min(p.nth)
    from private.import_people p
    join private.import_plans w on w.import_id = p.import_id and w.place = p.place
    join public.deals d on d.user_id = i.user_id and d.id = w.record_id
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

create function private.note_records(i private.imports, moment timestamptz, after bigint, last bigint) returns uuid[]
language sql
set search_path = ''
as $$
  with noted as (
    insert into public.notes (user_id, deal_id, company_id, body, happened_at)
    select i.user_id, case i.kind when 'deals' then w.record_id end, case i.kind when 'companies' then w.record_id end, n.body, moment
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    cross join lateral (select left(private.kept_notes(r.said), 50000) as body) n
    where w.import_id = i.id and w.place > after and w.place <= last and r.said ? 'kept_notes' and n.body is not null
      -- Two questions, so that each is answered by its index.
      and not exists (
        select from public.notes t
        where t.user_id = i.user_id and t.deal_id = case i.kind when 'deals' then w.record_id end and t.body = n.body
      )
      and not exists (
        select from public.notes t
        where t.user_id = i.user_id and t.company_id = case i.kind when 'companies' then w.record_id end and t.body = n.body
      )
    returning coalesce(deal_id, company_id) as id
  )
  select coalesce(array_agg(n.id), '{}') from noted n
$$;
comment on function private.note_records is
  'Writes the notes of some rows of deals or companies, unless they stand there already; tells which records got one.';
comment on function private.kept_notes is
  'What a row of deals or companies says and no field can hold, such as a stage that the status overrules.';

create or replace function private.write_records(i private.imports, moment timestamptz, after bigint, last bigint) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
  updated uuid[];
  -- Only companies may have notes of their own.
  has_ids boolean := i.kind = 'companies';
begin
  if has_ids then
    update private.import_plans p set record_id = coalesce(p.target, gen_random_uuid())
    from private.import_rows r
    where p.import_id = i.id and p.place > after and p.place <= last
      and r.import_id = i.id and r.place = p.place and r.said ? 'kept_notes';
  end if;
  -- Rows without a moment of their own keep the order of the file in the list, newest first.
  execute (
    select format(
      'insert into public.%I (%s user_id, created_at, %s)
       select %s $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''), %s
       from private.planned_rows($1, $3, $4) w %s
       cross join lateral jsonb_to_record(w.said) as v (created_at timestamptz, %s)
       where w.target is null',
      i.kind, case when has_ids then 'id,' else '' end, string_agg(quote_ident(c.name), ', '),
      case when has_ids then 'coalesce(n.record_id, gen_random_uuid()),' else '' end, string_agg(c.added, ', '),
      case when has_ids then 'join private.import_plans n on n.import_id = $1.id and n.place = w.place' else '' end,
      string_agg(c.definition, ', '))
    from private.import_columns(i.kind) c
  ) using i, moment, after, last;
  get diagnostics added = row_count;

  execute (
    select format(
      'with updated as (
         update public.%1$I c set %2$s
         from (
           select o.id, %3$s
           from private.planned_rows($1, $2, $3) w
           cross join lateral jsonb_to_record(w.said) as v (note_parts jsonb, %4$s)
           join public.%1$I o on o.id = w.target and (o.user_id = $1.user_id) is true
         ) n
         -- What says the same is left alone, its moment of the last change too.
         where c.id = n.id and (c.user_id = $1.user_id) is true and (%5$s) is distinct from (%6$s)
         returning c.id
       )
       select coalesce(array_agg(u.id), ''{}'') from updated u',
      i.kind, string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('c.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns(i.kind) c
  ) into updated using i, after, last;
  if has_ids then
    updated := updated || private.note_companies(i, moment, after, last) || private.note_records(i, moment, after, last);
  end if;
  return jsonb_build_object('added', added, 'updated', (
    select count(distinct u.id) from unnest(updated) as u (id)
    where not has_ids or exists (
      select from private.import_plans p where p.import_id = i.id and p.place > after and p.place <= last and p.target = u.id
    )
  ));
end
$$;

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
       select coalesce(n.record_id, gen_random_uuid()), $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''),
         case when s.outcome <> ''open''
           then coalesce(v.closed_at, least(v.closes_at, $2)) end, %s
       from private.planned_rows($1, $3, $4) w
       join private.import_plans n on n.import_id = $1.id and n.place = w.place
       cross join lateral jsonb_to_record(w.said) as v (
         pipeline text, stage text, created_at timestamptz, closed_at timestamptz, closes_at timestamptz, %s
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
               else coalesce(v.closed_at, least(v.closes_at, $2))
             end as closed_at, %2$s
           from private.planned_rows($1, $3, $4) w
           cross join lateral jsonb_to_record(w.said) as v (pipeline text, stage text, closed_at timestamptz, closes_at timestamptz, %3$s)
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

  updated := updated || private.link_import_people(i, after, last) || private.note_records(i, moment, after, last);
  return jsonb_build_object('contacts', people, 'added', added, 'updated', (
    select count(distinct w.target) from private.import_plans w
    where w.import_id = i.id and w.place > after and w.place <= last and w.target = any (updated)
  ));
end
$$;

drop function private.note_deals(private.imports, timestamp with time zone, bigint, bigint);

revoke all on function
  private.refuse_undated(private.imports), private.note_records(private.imports, timestamp with time zone, bigint, bigint)
  from public, anon, authenticated;
