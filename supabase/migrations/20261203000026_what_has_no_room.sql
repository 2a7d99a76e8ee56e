-- Imports of deals silently dropped two things: a second role of a contact on a deal, and a value for a field of a contact or company
-- that already holds something else. Both now become notes. Decisions 035 and 039.

-- Roles -------------------------------------------------------------------------------------------------------

create function private.role_line(person text, role text) returns text
language sql immutable
set search_path = ''
as $$ select 'Contacts and Roles: ' || regexp_replace(format('%s (%s)', person, role), '\s+', ' ', 'g') $$;
comment on function private.role_line is 'A role as a line of a note on its deal, where the contact has another one.';

create or replace function private.adds_to_deal(deal uuid, reported jsonb) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.further_contacts(reported) p
    where not exists (
      select from public.contacts c
      where c.id in (
        select d.contact_id from public.deals d where d.id = deal
        union all
        select k.contact_id from public.deal_contacts k where k.deal_id = deal
      ) and case
        when p.email is not null then private.has_entry(c.emails, lower(p.email))
        else private.fold(concat_ws(' ', p.first_name, p.last_name)) = private.fold(concat_ws(' ', c.first_name, c.last_name))
      end and (p.role is null or exists (
        select from public.deal_contacts k where k.deal_id = deal and k.contact_id = c.id and private.holds(k.role, p.role)
      ) or exists (
        select from public.notes n
        where n.deal_id = deal and private.role_line(
          coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.email), p.role
        ) = any (string_to_array(n.body, E'\n'))
      ))
    )
  ) or private.kept_notes(reported) is not null
    and not exists (select from public.notes n where n.deal_id = deal and n.body = left(private.kept_notes(reported), 50000))
$$;
comment on function private.adds_to_deal is
  'Whether a row names somebody who is not on the deal yet, or says a role that neither the deal nor a note on it says, or what no note on it says.';

create or replace function private.link_import_people(i private.imports, after bigint, last bigint) returns uuid[]
language sql
set search_path = ''
as $$
  with people as materialized (
    select d.id as deal_id, d.contact_id as main_id, p.contact_id, p.role, p.nth, k.id as known_id, k.role as known_role,
      coalesce(nullif(concat_ws(' ', p.first_name, p.last_name), ''), p.email) as name
    from private.import_people p
    join private.import_plans w on w.import_id = p.import_id and w.place = p.place
    join public.deals d on d.user_id = i.user_id and d.id = w.record_id
    left join public.deal_contacts k on k.user_id = i.user_id and k.deal_id = d.id and k.contact_id = p.contact_id
    where p.import_id = i.id and p.place > after and p.place <= last
  ),
  -- One person may be named by a name and by an address. A role that was given by hand stays.
  roles as materialized (
    select p.deal_id, p.contact_id, coalesce(min(p.known_role), (array_agg(p.role order by p.nth) filter (where p.role is not null))[1]) as role
    from people p group by p.deal_id, p.contact_id
  ),
  linked as (
    insert into public.deal_contacts (user_id, deal_id, contact_id, role, position)
    select i.user_id, p.deal_id, p.contact_id, min(r.role),
      (select coalesce(max(k.position), 0) from public.deal_contacts k where k.user_id = i.user_id and k.deal_id = p.deal_id) + min(p.nth)
    from people p join roles r on r.deal_id = p.deal_id and r.contact_id = p.contact_id
    -- Of the main one only a role is kept here.
    where p.known_id is null and (p.role is not null or p.contact_id is distinct from p.main_id)
    group by p.deal_id, p.contact_id
    returning deal_id
  ),
  given as (
    update public.deal_contacts k set role = r.role
    from roles r
    where k.user_id = i.user_id and k.deal_id = r.deal_id and k.contact_id = r.contact_id and k.role is null and r.role is not null
    returning k.deal_id
  ),
  beyond as (
    select p.deal_id, l.line, min(p.nth) as nth
    from people p
    join roles r on r.deal_id = p.deal_id and r.contact_id = p.contact_id
    cross join lateral (select private.role_line(p.name, p.role) as line) l
    where p.role is not null and not private.holds(r.role, p.role) and not exists (
      select from public.notes n where n.user_id = i.user_id and n.deal_id = p.deal_id and l.line = any (string_to_array(n.body, E'\n'))
    )
    group by p.deal_id, l.line
  ),
  noted as (
    insert into public.notes (user_id, deal_id, body, happened_at)
    select i.user_id, b.deal_id, left(string_agg(b.line, E'\n' order by b.nth), 50000), now() from beyond b group by b.deal_id
    returning deal_id
  ),
  done as (delete from private.import_people p where p.import_id = i.id and p.place > after and p.place <= last)
  select coalesce(array_agg(l.deal_id), '{}')
  from (select deal_id from linked union select deal_id from given union select deal_id from noted) l
$$;
comment on function private.link_import_people is
  'Puts the further contacts of some rows on their deals, gives a role to those who have none, and notes on the deal the role of who has another; tells which deals got one.';

create or replace function private.stored_deal(deal uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select (to_jsonb(d) - 'user_id' - 'search_text') || jsonb_build_object('pipeline', p.name, 'stage', s.name, 'people', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'first_name', c.first_name, 'last_name', c.last_name, 'emails', c.emails, 'role', k.role
    ) order by k.position, k.id), '[]')
    from public.deal_contacts k
    join public.contacts c on c.user_id = k.user_id and c.id = k.contact_id
    where k.user_id = d.user_id and k.deal_id = d.id and k.role is not null
  ))
  from public.deals d
  left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
  left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
  where d.id = deal
$$;
comment on function private.stored_deal is
  'What a deal says now, and who has a role on it, for who is asked whether a row of an import changes it.';

-- What is said of a contact or a company --------------------------------------------------------------------------

create function private.lines_beyond(there jsonb, reported jsonb) returns text[]
language sql immutable
set search_path = ''
as $$
  select array(
    select l.line
    from jsonb_each_text(case when jsonb_typeof(reported -> 'lines') = 'object' then reported -> 'lines' else '{}' end) as l (name, line)
    cross join lateral (
      select case when l.name like 'custom.%' then array['custom', substr(l.name, 8)] else array[l.name] end as path
    ) n
    cross join lateral (select there #> n.path as has, reported #> n.path as says) v
    where jsonb_typeof(v.has) <> 'null' and v.has <> v.says and not private.holds(v.has #>> '{}', v.says #>> '{}')
    order by l.name
  )
$$;
comment on function private.lines_beyond is
  'The cells of a row about a contact or a company, after their headers, whose fields hold something else already.';
revoke all on function private.role_line(text, text), private.lines_beyond(jsonb, jsonb) from public, anon, authenticated;

create or replace function private.related_values_of(i private.imports, after bigint, last bigint, side text)
returns table (id uuid, reported jsonb)
language sql stable
set search_path = ''
as $$
  with told as materialized (
    select n.id, w.place, private.related_values(w.reported, side) as reported
    from private.planned_rows(i, after, last) w
    cross join lateral (select case side when 'person' then w.contact_id else w.company_id end as id) n
    where w.reported ? side and n.id is not null
  ),
  reported as materialized (
    select t.id, t.place, e.key, e.value from told t cross join lateral jsonb_each(t.reported - 'lines') e
  ),
  parts as (
    select s.id, s.place, s.key, null as field, s.value from reported s where s.key <> 'custom'
    union all
    select s.id, s.place, s.key, f.key, f.value
    from reported s
    cross join lateral jsonb_each(case when s.key = 'custom' then s.value else '{}' end) f
  ),
  values_of as (
    select s.id, s.key, s.field, case
      when bool_and(jsonb_typeof(s.value) = 'array') then private.joined_lists(jsonb_agg(s.value order by s.place))
      else (array_agg(s.value order by s.place))[1]
    end as value
    from parts s group by s.id, s.key, s.field
  ),
  together as materialized (
    select v.id, coalesce(jsonb_object_agg(v.key, v.value) filter (where v.field is null), '{}') || case
        when count(v.field) = 0 then '{}'
        else jsonb_build_object('custom', jsonb_object_agg(v.field, v.value) filter (where v.field is not null))
      end as reported
    from values_of v group by v.id
  ),
  stored as (
    select c.id, to_jsonb(c) as there from public.contacts c
    where side = 'person' and c.user_id = i.user_id and c.id in (select t.id from told t where t.reported ? 'lines')
    union all
    select k.id, to_jsonb(k) from public.companies k
    where side = 'organisation' and k.user_id = i.user_id and k.id in (select t.id from told t where t.reported ? 'lines')
  ),
  -- What is there counts, then the first row that says it.
  beyond as (
    select t.id, jsonb_agg(l.line order by t.place, l.nth) as lines
    from told t
    join together g on g.id = t.id
    join stored s on s.id = t.id
    cross join lateral unnest(private.lines_beyond(
      g.reported || jsonb_strip_nulls(s.there) || jsonb_build_object('custom', coalesce(g.reported -> 'custom', '{}') || (s.there -> 'custom')),
      t.reported
    )) with ordinality as l (line, nth)
    group by t.id
  )
  select g.id, g.reported || case
      when b.lines is null then '{}'
      when side = 'person' then jsonb_build_object('note_parts', coalesce(g.reported -> 'note_parts', '[]') || b.lines)
      else jsonb_build_object('kept_notes', coalesce(g.reported -> 'kept_notes', '[]') || b.lines)
    end
  from together g left join beyond b on b.id = g.id
$$;
comment on function private.related_values_of is
  'What some rows of deals say of each contact or company together: the first value of a field, all of a list, and as lines for the notes what a field has no room for.';

create or replace function private.related_changes(i private.imports, places integer[])
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
         join public.%4$I o on o.id = found.id and (o.user_id = $1.user_id) is true
         cross join lateral (select private.related_values(r.reported, %1$L) as reported) a
         cross join lateral (
           select a.reported || case when not a.reported ? ''lines'' then ''{}'' else jsonb_build_object(%6$L,
             coalesce(a.reported -> %6$L, ''[]'') || to_jsonb(private.lines_beyond(to_jsonb(o), a.reported))) end as reported
         ) b
         cross join lateral jsonb_to_record(b.reported) as v (note_parts jsonb, %3$s)
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
          || case kind when 'companies' then ', (''kept_notes'', null, to_jsonb(private.new_lines(o.id, b.reported)))' else '' end,
        case kind when 'contacts' then 'note_parts' else 'kept_notes' end)
      from private.related_columns(kind) c
    ) using i, places;
  end loop;
end
$$;
