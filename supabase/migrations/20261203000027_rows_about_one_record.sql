-- Corrects two faults of imports of deals. The dry run said of every row that it fills a field of its contact or company, even where
-- an earlier row fills the field and the value of this row becomes a note. And a creation time in the file was dropped where the
-- contact or company exists with another one; now it becomes a note. Decision 035.

create function private.is_beyond(name text, has jsonb, says jsonb) returns boolean
language sql stable
set search_path = ''
as $$
  select has is not null and jsonb_typeof(has) <> 'null' and has <> says and case
    when name = 'created_at' then (has #>> '{}')::timestamptz <> (says #>> '{}')::timestamptz
    else not private.holds(has #>> '{}', says #>> '{}')
  end
$$;
comment on function private.is_beyond is 'Whether a field of a record holds something else than a row says, which becomes a note.';

create function private.reported_lines(reported jsonb) returns table (name text, line text, path text[])
language sql immutable -- no search path of its own, see contact_card
as $$
  select l.name, l.line, case when l.name like 'custom.%' then array['custom', substr(l.name, 8)] else array[l.name] end
  from jsonb_each_text(case when jsonb_typeof(reported -> 'lines') = 'object' then reported -> 'lines' else '{}' end) as l (name, line)
$$;
comment on function private.reported_lines is
  'What a row says of a contact or a company in fields that hold one value: each as a line for the notes, and where the value stands.';

create or replace function private.lines_beyond(there jsonb, reported jsonb) returns text[]
language sql stable
set search_path = ''
as $$
  select array(
    select l.line from private.reported_lines(reported) l
    where private.is_beyond(l.name, there #> l.path, reported #> l.path)
    order by l.name
  )
$$;

create function private.added_lines(reported jsonb, kind text, lines text[]) returns jsonb
language sql immutable
set search_path = ''
as $$
  select case when lines = '{}' then reported else reported || jsonb_build_object(n.name, coalesce(reported -> n.name, '[]') || to_jsonb(lines)) end
  from (select case kind when 'contacts' then 'note_parts' else 'kept_notes' end as name) n
$$;
comment on function private.added_lines is 'What a row says of a contact or a company, with more lines for its notes.';

create function private.behind_keys(kind text, reported jsonb) returns setof text
language sql immutable -- no search path of its own, see contact_card
as $$
  select lower(reported ->> 'contact_email') where kind = 'contacts'
  union all
  select lower(concat_ws(' ', reported ->> 'contact_first_name', reported ->> 'contact_last_name')) where kind = 'contacts'
  union all
  select lower(reported ->> 'company') where kind = 'companies'
$$;
comment on function private.behind_keys is
  'By what rows of deals may name the same contact or company: fast, so names that differ by more than capitals are two.';

create function private.rows_behind(i private.imports, places integer[], duplicates text, kind text)
returns table (place integer, id uuid, is_made boolean, reported jsonb)
language plpgsql stable
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off
as $$
declare
  side text := case kind when 'contacts' then 'person' else 'organisation' end;
  asked integer[] := array(
    select r.place from private.import_rows r where r.import_id = i.id and r.place = any (places) and r.reported ? side
  );
  near integer[] := '{}';
begin
  if duplicates is not null and asked <> '{}' then
    with keys as materialized (
      select k.key
      from private.import_rows r cross join lateral private.behind_keys(kind, r.reported) as k (key)
      where r.import_id = i.id and r.place = any (asked) and k.key <> ''
    ),
    alike as materialized (
      select w.place, k.key, w.reported -> side -> 'lines' as lines
      from private.import_writes(i, duplicates) w cross join lateral private.behind_keys(kind, w.reported) as k (key)
      where w.place < (select max(a.place) from unnest(asked) as a (place))
        -- A page of a long file must not read all of it.
        and w.place >= (select min(a.place) from unnest(asked) as a (place)) - 5000
        and k.key in (select o.key from keys o)
    )
    select coalesce(array_agg(n.place), '{}') into near
    from (
      select min(a.place) as place from alike a group by a.key
      union
      select min(a.place)
      from alike a cross join lateral jsonb_object_keys(case when jsonb_typeof(a.lines) = 'object' then a.lines else '{}' end) as l (name)
      group by a.key, l.name
    ) n;
  end if;
  return query
  with named as materialized (
    select p.place, p.contact_id as id, coalesce(p.contact_id::text, p.key || E'\n' || p.of_company) as key
    from private.people_of_deals(i, near || asked) p where kind = 'contacts' and p.nth = 0
    union all
    select r.place, k.id, private.fold(r.reported ->> 'company')
    from private.import_rows r
    left join private.company_keys(i.user_id) k on k.key = private.fold(r.reported ->> 'company')
    where kind = 'companies' and r.import_id = i.id and r.place = any (near || asked) and r.reported ? 'company'
  ),
  rows as materialized (
    select n.place, n.id, n.key, private.related_values(r.reported, side) as reported
    from named n join private.import_rows r on r.import_id = i.id and r.place = n.place
  ),
  -- The first row makes a record that is not there, and the first that says a value fills it.
  made as materialized (
    select distinct on (r.key) r.key, r.place, coalesce(r.reported -> 'created_at', to_jsonb(now())) as moment
    from rows r where r.place = any (near) order by r.key, r.place
  ),
  filled as materialized (
    select distinct on (r.key, l.name) r.key, l.name, r.place, r.reported #> l.path as value
    from rows r cross join lateral private.reported_lines(r.reported) l
    where r.place = any (near) order by r.key, l.name, r.place
  ),
  beyond as (
    select r.place, array_agg(l.name) as names,
      coalesce(array_agg(l.line order by l.name) filter (where private.is_beyond(l.name, f.value, r.reported #> l.path)), '{}') as lines
    from rows r
    cross join lateral private.reported_lines(r.reported) l
    left join made m on m.key = r.key and m.place < r.place
    cross join lateral (
      select m.moment as value where l.name = 'created_at' and r.id is null and m.place is not null
      union all
      select e.value from filled e where l.name <> 'created_at' and e.key = r.key and e.name = l.name and e.place < r.place
    ) f
    where r.place = any (asked)
    group by r.place
  )
  select r.place, r.id, m.place is not null, case
      when b.names is null then r.reported
      else private.added_lines(private.without_values(r.reported, b.names), kind, b.lines)
    end
  from rows r
  left join beyond b on b.place = r.place
  left join made m on m.key = r.key and m.place < r.place
  where r.place = any (asked);
end
$$;
comment on function private.rows_behind is
  'What some rows of deals say of their contacts or companies after the rows before them, and which record that is, if it is there: what an earlier row fills, of the five thousand before, is left out, and said as a line for the notes where it is something else. Without a word on duplicates each row is looked at alone.';

create function private.without_values(reported jsonb, names text[]) returns jsonb
language sql immutable
set search_path = ''
as $$
  select (reported - names) || case
    when reported ? 'custom' then jsonb_build_object('custom', (reported -> 'custom') - array(
      select substr(n.name, 8) from unnest(names) as n (name) where n.name like 'custom.%'
    ))
    else '{}'
  end
$$;
comment on function private.without_values is 'What a row says of a record, without some fields.';
revoke all on function private.is_beyond(text, jsonb, jsonb), private.reported_lines(jsonb), private.added_lines(jsonb, text, text[]),
  private.rows_behind(private.imports, integer[], text, text), private.behind_keys(text, jsonb), private.without_values(jsonb, text[])
  from public, anon, authenticated;

drop function private.related_changes(private.imports, integer[]);
create function private.related_changes(i private.imports, places integer[], duplicates text default null)
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
        'with rows as materialized (select * from private.rows_behind($1, $2, $3, %4$L))
         select r.place, %1$L, o.id,
           coalesce(jsonb_object_agg(d.name, jsonb_build_array(d.before, d.after)) filter (where d.name is not null), ''{}'')
         from rows r
         join public.%4$I o on o.id = r.id and (o.user_id = $1.user_id) is true
         cross join lateral (select private.added_lines(r.reported, %4$L, private.lines_beyond(to_jsonb(o), r.reported)) as reported) b
         cross join lateral jsonb_to_record(b.reported) as v (note_parts jsonb, %2$s)
         left join lateral (select n.* from (values %3$s) as n (name, before, after) where n.before is distinct from n.after) d on true
         group by r.place, o.id
         union all
         -- Of a record that an earlier row makes.
         select r.place, %1$L, null, coalesce(jsonb_object_agg(
           case c.key when ''note_parts'' then ''notes'' else c.key end,
           jsonb_build_array(null, case
             when c.key in (''note_parts'', ''kept_notes'') then to_jsonb((
               select string_agg(p.line, E''\n'' order by p.place)
               from jsonb_array_elements_text(c.value) with ordinality as p (line, place)
             ))
             else c.value
           end)
         ) filter (where c.key is not null), ''{}'')
         from rows r
         left join lateral jsonb_each(r.reported - ''lines'') c on true
         where r.id is null and r.is_made
         group by r.place',
        case kind when 'contacts' then 'person' else 'organisation' end,
        string_agg(c.definition, ', '),
        string_agg(format('(%L, to_jsonb(o.%I), to_jsonb(%s))', c.name, c.name, case
          -- Notes that would become too long are refused when they are written, not when they are shown.
          when c.name = 'notes' then format('case when char_length(concat(o.notes, v.note_parts)) > 49000 then o.notes else %s end', c.filled)
          else c.filled
        end), ', ') filter (where c.filled is not null)
          || case kind when 'companies' then ', (''kept_notes'', null, to_jsonb(private.new_lines(o.id, b.reported)))' else '' end,
        kind)
      from private.related_columns(kind) c
    ) using i, places, duplicates;
  end loop;
end
$$;
comment on function private.related_changes is
  'What some rows of deals would change of the contacts and companies that they name and that are there, or that an earlier row makes: {column: [before, after]}, by the rules by which it is written. Lines for a note on a company are called kept_notes.';

drop function public.import_page(uuid, text[], integer, integer);
create function public.import_page(
  id uuid, found text[], after integer default 0, page_size integer default 100, duplicates text default 'skip'
) returns jsonb
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
      from private.related_changes(i, case i.kind when 'deals' then places else '{}' end, import_page.duplicates) h group by h.place
    ) b on b.place = p.place
    where p.import_id = i.id and p.place = any (places)
  );
end
$$;
comment on function public.import_page is
  'Rows of an import that were found to be such, in the order of the file, after a place; with the reason, and what each would change of a record that is there, when duplicates are handled so. A definer because the tables of imports are closed.';
revoke all on function private.related_changes(private.imports, integer[], text), public.import_page(uuid, text[], integer, integer, text)
  from public, anon, authenticated;
grant execute on function public.import_page(uuid, text[], integer, integer, text) to authenticated, service_role;
