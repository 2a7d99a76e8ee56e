-- What a file of deals says of their contacts and companies: phone numbers, addresses, roles. A contact or a company that a row makes
-- gets all of it; of one that is there only what is empty is filled, lists are added to, and so are notes. See docs/decisions/035.

-- What a row says of them ------------------------------------------------------------------------------------

create function private.related_values(reported jsonb, side text) returns jsonb
language sql immutable
set search_path = ''
as $$ select case when jsonb_typeof(reported -> side) = 'object' then (reported -> side) - 'custom' else '{}' end $$;
comment on function private.related_values is
  'What a row of deals says of its contact ("person") or of its company ("organisation"), as rows of contacts and companies say it.';

create function private.related_columns(of_kind text) returns table (name text, definition text, added text, filled text)
language sql stable
set search_path = ''
as $$
  select c.name, c.definition,
    case when c.name = 'notes'
      then '(select string_agg(p.part, E''\n'' order by p.place) from jsonb_array_elements_text(v.note_parts) with ordinality as p (part, place))'
      else c.added end,
    case
      -- By these they are found, and of the company of a contact the deal says nothing.
      when c.name in ('name', 'first_name', 'last_name', 'email', 'company_id') then null
      when c.name = 'notes' or c.definition like '% jsonb' or c.definition like '%[]' then c.changed
      else format('case when o.%1$I is null then %2$s else o.%1$I end', c.name, c.changed)
    end
  from private.import_columns(of_kind) c where c.name <> 'custom'
$$;
comment on function private.related_columns is
  'The columns of contacts or companies that a row of deals fills: as private.import_columns, but of what is there only what is empty is filled ("filled"; null for never), and what is added to is added to.';

create function private.new_lines(company uuid, reported jsonb) returns text
language sql stable
set search_path = ''
as $$
  select string_agg(l.line, E'\n' order by l.place)
  from (
    select n.line, min(n.place) as place
    from public.companies c
    cross join lateral unnest(
      string_to_array(private.kept_notes(reported), E'\n')
      || private.entries_beyond('emails', c.emails, reported -> 'emails') || private.entries_beyond('phones', c.phones, reported -> 'phones')
      || private.entries_beyond('addresses', c.addresses, reported -> 'addresses')
    ) with ordinality as n (line, place)
    where c.id = company and n.line <> '' and not exists (
      select from public.notes t
      where t.user_id = c.user_id and t.company_id = c.id and n.line = any (string_to_array(t.body, E'\n'))
    )
    group by n.line
  ) l
$$;
comment on function private.new_lines is 'What a row says of a company that none of its fields can hold and none of its notes says, a line each; null for nothing.';

create function private.joined_lists(lists jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$
  select coalesce(jsonb_agg(v.value order by v.list, v.place), '[]')
  from (
    select distinct on (e.value) e.value, l.place as list, e.place
    from jsonb_array_elements(lists) with ordinality as l (list, place)
    cross join lateral jsonb_array_elements(l.list) with ordinality as e (value, place)
    order by e.value, l.place, e.place
  ) v
$$;
comment on function private.joined_lists is 'Lists put together, each value once.';

create function private.related_values_of(i private.imports, after bigint, last bigint, side text) returns table (id uuid, reported jsonb)
language sql stable
set search_path = ''
as $$
  with reported as (
    select case side when 'person' then w.contact_id else w.company_id end as id, w.place, e.key, e.value
    from private.planned_rows(i, after, last) w
    cross join lateral jsonb_each(private.related_values(w.reported, side)) e
    where w.reported ? side
  ),
  values_of as (
    select s.id, s.key, case
      when bool_and(jsonb_typeof(s.value) = 'array') then private.joined_lists(jsonb_agg(s.value order by s.place))
      else (array_agg(s.value order by s.place))[1]
    end as value
    from reported s where s.id is not null group by s.id, s.key
  )
  select v.id, jsonb_object_agg(v.key, v.value) from values_of v group by v.id
$$;
comment on function private.related_values_of is
  'What some rows of deals say of each contact or company together: the first value of a field, and all of a list.';

-- Who they are -----------------------------------------------------------------------------------------------

drop function private.people_of_deals(private.imports);
create function private.people_of_deals(i private.imports, places integer[] default null)
returns table (
  place integer, nth integer, first_name text, last_name text, email text, role text, key text, of_company text, contact_id uuid
)
language sql stable -- no search path of its own, see contact_card
as $$
  with looked_at as materialized (
    select w.place, w.company_id, r.reported
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    where w.import_id = i.id and places is null
    union all
    select r.place, k.id, r.reported
    from private.import_rows r
    left join private.company_keys(i.user_id) k on k.key = private.fold(r.reported ->> 'company')
    where r.import_id = i.id and r.place = any (places)
  ),
  reported as materialized (
    select w.place, 0 as nth, v.contact_first_name as first_name, v.contact_last_name as last_name, v.contact_email as email, null::text as role, w.company_id
    from looked_at w
    cross join lateral jsonb_to_record(w.reported) as v (contact_email text, contact_first_name text, contact_last_name text)
    union all
    select w.place, f.nth::integer, f.first_name, f.last_name, f.email, f.role, w.company_id
    from looked_at w
    cross join lateral private.further_contacts(w.reported) f
    where w.reported ? 'further_contacts'
  ),
  named as materialized (
    select s.place, s.nth, s.first_name, s.last_name, s.email, s.role, lower(s.email) as email_key, s.company_id,
      private.fold(nullif(concat_ws(' ', s.first_name, s.last_name), '')) as key
    from reported s where coalesce(s.email, s.first_name, s.last_name) is not null
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
  select n.place, n.nth, n.first_name, n.last_name, n.email, n.role, coalesce(n.email_key, n.key, ''),
    case when n.email_key is null then coalesce(n.company_id::text, '') else '' end,
    case when n.email_key is not null then e.id else coalesce(b.id, a.id) end
  from named n
  left join by_email e on e.email = n.email_key
  left join by_both b on b.key = n.key and b.company_id = n.company_id
  left join by_name a on a.key = n.key
$$;
comment on function private.people_of_deals is
  'Whom the rows of an import of deals name, the main contact as number 0: which contact that is, or null when there is none, and by what several rows name the same. Of the rows that are written, or of those at some places before it is known which are.';

create function private.related_changes(i private.imports, places integer[])
returns table (place integer, side text, id uuid, changes jsonb)
language plpgsql stable
set search_path = ''
as $$
declare
  kind text;
begin
  places := array(
    select r.place from private.import_rows r
    where r.import_id = i.id and r.place = any (places) and r.reported ?| array['person', 'organisation']
  );
  if places = '{}' then
    return;
  end if;
  foreach kind in array array['contacts', 'companies'] loop
    return query execute (
      select format(
        'select r.place, %1$L, o.id,
           coalesce(jsonb_object_agg(d.name, jsonb_build_array(d.before, d.after)) filter (where d.name is not null), ''{}'')
         from %2$s
         cross join lateral (select private.related_values(r.reported, %1$L) as reported) b
         cross join lateral jsonb_to_record(b.reported) as v (note_parts jsonb, %3$s)
         join public.%4$I o on o.id = found.id and (o.user_id = $1.user_id) is true
         left join lateral (select n.* from (values %5$s) as n (name, before, after) where n.before is distinct from n.after) d on true
         where r.reported ? %1$L
         group by r.place, o.id',
        case kind when 'contacts' then 'person' else 'organisation' end,
        case kind
          when 'contacts' then
            '(select p.place, p.contact_id as id from private.people_of_deals($1, $2) p where p.nth = 0) found
             join private.import_rows r on r.import_id = $1.id and r.place = found.place'
          else
            'private.import_rows r
             join private.company_keys($1.user_id) found on found.key = private.fold(r.reported ->> ''company'')
               and r.import_id = $1.id and r.place = any ($2)'
        end,
        string_agg(c.definition, ', '), kind,
        string_agg(format('(%L, to_jsonb(o.%I), to_jsonb(%s))', c.name, c.name, case
          -- Notes that would become too long are refused when they are written, not when they are shown.
          when c.name = 'notes' then format('case when char_length(concat(o.notes, v.note_parts)) > 49000 then o.notes else %s end', c.filled)
          else c.filled
        end), ', ') filter (where c.filled is not null)
          || case kind when 'companies' then ', (''kept_notes'', null, to_jsonb(private.new_lines(o.id, b.reported)))' else '' end)
      from private.related_columns(kind) c
    ) using i, places;
  end loop;
end
$$;
comment on function private.related_changes is
  'What some rows of deals would change of the contacts and companies that they name and that are there: {column: [before, after]}, by the rules by which it is written. Lines for a note on a company are called kept_notes.';

create or replace function private.match_deals(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  places integer[];
begin
  perform private.refuse_undated(i);
  perform private.match_deal_columns(i);
  -- Only a deal that is lost has a reason for it.
  update private.import_rows r set reported = (r.reported - 'lost_reason' - 'lost_note')
    || jsonb_build_object('kept_notes', coalesce(r.reported -> 'kept_notes', '[]') || jsonb_build_array(r.reported -> 'lost_note'))
  where r.import_id = i.id and r.problem is null and r.reported ? 'lost_note' and not exists (
    select from private.import_matches m
    join public.deals d on d.id = m.target and d.user_id = i.user_id
    join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
    where m.import_id = i.id and m.place = r.place and s.outcome = 'lost'
  );
  places := array(
    select m.place from private.import_matches m
    join private.import_rows r on r.import_id = m.import_id and r.place = m.place
    where m.import_id = i.id and m.is_same and r.reported ?| array['person', 'organisation']
  );
  if places <> '{}' then
    update private.import_matches m set is_same = false
    where m.import_id = i.id and m.place in (select b.place from private.related_changes(i, places) b where b.changes <> '{}');
  end if;
  update private.import_matches m set is_same = false
  from private.import_rows r
  where m.import_id = i.id and m.is_same and r.import_id = i.id and r.place = m.place
    and r.reported ?| array['further_contacts', 'kept_notes'] and private.adds_to_deal(m.target, r.reported);
end
$$;
comment on function private.match_deals is
  'As match_deal_columns; a deal that lacks a contact of the row, or its note, does not say the same, nor does one whose contact or company the row would change, and one that was closed must say when.';

create or replace function public.import_page(id uuid, found text[], after integer default 0, page_size integer default 100) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  -- Asked for before the rows are: whoever asks for an import that is not there is refused, whatever the plan.
  i private.imports := private.own_import(import_page.id);
  places integer[];
begin
  places := array(
    select r.place
    from private.import_rows r
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id and r.place > import_page.after
      and case
        when r.problem is not null then 'error'
        when m.place is null then 'new'
        when m.twin is null and not m.is_same then 'known'
        else 'twin'
      end = any ($2) -- "found" means something else to PL/pgSQL
    order by r.place
    limit least(greatest(import_page.page_size, 1), 1000)
  );
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'place', p.place,
      'reported', p.reported,
      'target', case when m.twin is null then m.target end,
      'reason', case
        when p.problem is not null then p.problem
        when m.twin is not null and m.is_by_email then 'The same email is in row ' || m.twin || '.'
        when m.twin is not null then 'The same record stands in row ' || m.twin || '.'
        when m.target is null then null
        when m.is_same then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already exists and says the same.'
        when i.kind = 'companies' and private.fold(private.record_name(i.kind, m.target)) <> private.fold(p.reported ->> 'name')
          then private.record_name(i.kind, m.target) || ' has the same website, email or phone number. The other name is kept in a note.'
        when m.is_by_email then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already has this email.'
        else coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already exists.'
      end
    ) || case
      when m.twin is null and m.target is not null and not m.is_same
      then jsonb_build_object('changes', coalesce(c.changes, '{}'))
        || case when i.kind = 'deals' then jsonb_build_object('stored', private.stored_deal(m.target)) else '{}' end
      else '{}'
    end || case
      when i.kind = 'deals' and p.problem is null and m.twin is null and m.is_same is not true and p.reported ?| array['person', 'organisation']
      then jsonb_build_object('behind', coalesce(b.behind, '[]'))
      else '{}'
    end order by p.place), '[]')
    from private.import_rows p
    left join private.import_matches m on m.import_id = p.import_id and m.place = p.place
    left join private.import_changes(i, places) c on c.place = p.place
    left join (
      select h.place, jsonb_agg(jsonb_build_object('side', h.side, 'id', h.id, 'changes', h.changes)) as behind
      from private.related_changes(i, case i.kind when 'deals' then places else '{}' end) h group by h.place
    ) b on b.place = p.place
    where p.import_id = i.id and p.place = any (places)
  );
end
$$;

-- They are written -------------------------------------------------------------------------------------------

create function private.add_related(i private.imports, moment timestamptz, after bigint, last bigint, kind text) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
begin
  execute (
    select format(
      'insert into public.%1$I (id, user_id, created_at, %2$s)
       select w.%3$I, $1.user_id, coalesce(v.created_at, $2), %4$s
       from private.planned_rows($1, $3, $4) w
       cross join lateral jsonb_to_record(private.related_values(w.reported, %5$L) || %6$s) as v (created_at timestamptz, note_parts jsonb, %7$s)
       where w.reported ? %5$L and w.%8$I',
      kind, string_agg(quote_ident(c.name), ', '), case kind when 'contacts' then 'contact_id' else 'company_id' end,
      string_agg(c.added, ', '), case kind when 'contacts' then 'person' else 'organisation' end,
      case kind
        when 'contacts' then
          'jsonb_build_object(''first_name'', w.reported -> ''contact_first_name'', ''last_name'', w.reported -> ''contact_last_name'', ''email'', w.reported -> ''contact_email'')'
        else 'jsonb_build_object(''name'', w.reported -> ''company'')'
      end,
      string_agg(c.definition, ', '), case kind when 'contacts' then 'adds_contact' else 'adds_company' end)
    from private.related_columns(kind) c
  ) using i, moment, after, last;
  get diagnostics added = row_count;
  return added;
end
$$;
comment on function private.add_related is 'Adds the contacts or companies that rows of deals make and say more of than their names; tells how many.';

create function private.write_related(i private.imports, moment timestamptz, after bigint, last bigint) returns uuid[]
language plpgsql
set search_path = ''
as $$
declare
  kind text;
  changed uuid[];
  noted uuid[];
  all_changed uuid[] := '{}';
begin
  if not exists (select from private.planned_rows(i, after, last) w where w.reported ?| array['person', 'organisation']) then
    return '{}';
  end if;
  with noted_on as (
    insert into public.notes (user_id, company_id, body, happened_at)
    select i.user_id, b.id, left(l.lines, 50000), moment
    from private.related_values_of(i, after, last, 'organisation') b
    cross join lateral (select private.new_lines(b.id, b.reported) as lines) l
    where l.lines is not null
    returning company_id
  )
  select coalesce(array_agg(n.company_id), '{}') into noted from noted_on n;

  foreach kind in array array['contacts', 'companies'] loop
    execute (
      select format(
        'with updated as (
           update public.%1$I c set %2$s
           from (
             select o.id, %3$s
             from private.related_values_of($1, $2, $3, %4$L) b
             cross join lateral jsonb_to_record(b.reported) as v (note_parts jsonb, %5$s)
             join public.%1$I o on o.id = b.id and (o.user_id = $1.user_id) is true
           ) n
           -- What says the same is left alone, its moment of the last change too.
           where c.id = n.id and (c.user_id = $1.user_id) is true and (%6$s) is distinct from (%7$s)
           returning c.id
         )
         select coalesce(array_agg(u.id), ''{}'') from updated u',
        kind,
        string_agg(format('%1$I = n.%1$I', c.name), ', ') filter (where c.filled is not null),
        string_agg(format('%s as %I', c.filled, c.name), ', ') filter (where c.filled is not null),
        case kind when 'contacts' then 'person' else 'organisation' end, string_agg(c.definition, ', '),
        string_agg(format('c.%I', c.name), ', ') filter (where c.filled is not null),
        string_agg(format('n.%I', c.name), ', ') filter (where c.filled is not null))
      from private.related_columns(kind) c
    ) into changed using i, after, last;
    all_changed := all_changed || changed;
  end loop;
  all_changed := all_changed || noted;
  return array(
    select w.target from private.planned_rows(i, after, last) w
    where w.target is not null and (
      w.reported ? 'person' and w.contact_id = any (all_changed) or w.reported ? 'organisation' and w.company_id = any (all_changed)
    )
  );
end
$$;
comment on function private.write_related is
  'Fills the contacts and companies of some rows of deals with what the rows say of them; tells of which deals that are there one got something.';

create or replace function private.write_import_rows(
  w private.unfinished_work, i private.imports, step text, after bigint, last bigint
) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  row_count bigint;
  counts jsonb;
begin
  if step = 'companies' then
    insert into public.companies (id, user_id, name, created_at)
    select p.company_id, i.user_id, p.reported ->> 'company', w.started_at
    from private.planned_rows(i, after, last) p where p.adds_company and not p.reported ? 'organisation';
    get diagnostics row_count = row_count;
    return jsonb_build_object('companies', row_count + private.add_related(i, w.started_at, after, last, 'companies'));
  elsif step = 'contacts' then
    insert into public.contacts (id, user_id, first_name, last_name, email, company_id, created_at)
    select p.contact_id, i.user_id, p.reported ->> 'contact_first_name', p.reported ->> 'contact_last_name', p.reported ->> 'contact_email',
      p.company_id, w.started_at
    from private.planned_rows(i, after, last) p where p.adds_contact and not p.reported ? 'person';
    get diagnostics row_count = row_count;
    return jsonb_build_object('contacts', row_count + private.add_related(i, w.started_at, after, last, 'contacts'));
  elsif i.kind <> 'deals' then
    return private.write_records(i, w.started_at, after, last);
  end if;
  -- Exact values, but of own fields only such as are allowed.
  perform set_config('solo.importing', 'on', true);
  counts := private.write_deals(i, w.started_at, after, last,
    array(select p from jsonb_populate_recordset(null::private.place_in_pipeline, w.state -> 'places') p),
    (w.state ->> 'usual')::uuid);
  perform set_config('solo.importing', 'off', true);
  return counts;
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
       cross join lateral jsonb_to_record(w.reported) as v (
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
           cross join lateral jsonb_to_record(w.reported) as v (pipeline text, stage text, closed_at timestamptz, closes_at timestamptz, %3$s)
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

  updated := updated || private.link_import_people(i, after, last) || private.note_records(i, moment, after, last)
    || private.write_related(i, moment, after, last);
  return jsonb_build_object('contacts', people, 'added', added, 'updated', (
    select count(distinct w.target) from private.import_plans w
    where w.import_id = i.id and w.place > after and w.place <= last and w.target = any (updated)
  ));
end
$$;

revoke all on function
  private.related_values(jsonb, text), private.related_columns(text), private.new_lines(uuid, jsonb), private.joined_lists(jsonb),
  private.related_values_of(private.imports, bigint, bigint, text), private.people_of_deals(private.imports, integer[]),
  private.related_changes(private.imports, integer[]),
  private.add_related(private.imports, timestamp with time zone, bigint, bigint, text),
  private.write_related(private.imports, timestamp with time zone, bigint, bigint)
  from public, anon, authenticated;
