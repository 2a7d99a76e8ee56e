-- What deals of an import say of contacts and companies is compared with what these hold. To a planner that knows nothing of the tables yet,
-- as in a new embedded database, all contacts of the account were to be read for each row of a part: 20,000 deals took two minutes.
-- Now each contact and company is looked up by its id. Decision 030.

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
  -- "offset 0" keeps it a look into the index for each, whatever the planner expects.
  stored as materialized (
    select n.id, s.there
    from (select distinct t.id from told t where t.reported ? 'lines') n
    cross join lateral (
      (select to_jsonb(c) as there from public.contacts c where side = 'person' and c.user_id = i.user_id and c.id = n.id offset 0)
      union all
      (select to_jsonb(k) from public.companies k where side = 'organisation' and k.user_id = i.user_id and k.id = n.id offset 0)
    ) s
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
