-- An undo that leaves some records as they are also leaves what these need: a company, a contact, a pipeline or a stage that came
-- with them, and the own fields of which they hold a value.

create function private.with_what_they_need(me uuid, wanted uuid, kept uuid[]) returns uuid[]
language plpgsql stable
set search_path = ''
as $$
declare
  link record;
  kind text;
  needed uuid[];
  more uuid[];
begin
  loop
    needed := '{}';
    for link in select k.table_name, k.column_name from private.links k loop
      execute format(
        'select $3 || array(select distinct t.%2$I from public.%1$I t where t.user_id = $1 and t.id = any ($2) and t.%2$I is not null)',
        link.table_name, link.column_name)
      into needed using me, kept, needed;
    end loop;
    foreach kind in array array['contacts', 'companies', 'deals'] loop
      execute format(
        'select $3 || array(
           select distinct k.key::uuid from public.%1$I t cross join lateral jsonb_object_keys(t.custom) as k (key)
           where t.user_id = $1 and t.id = any ($2) and t.custom <> ''{}''
         )', kind)
      into needed using me, kept, needed;
    end loop;
    more := array(
      select distinct c.row_id from public.changes c
      where c.user_id = me and c.batch = wanted and c.row_id = any (needed) and c.row_id <> all (kept)
        -- Options that were added to a field are a change of it.
        and (c.verb = 'insert' or c.verb = 'update' and c.table_name = 'fields')
    );
    exit when cardinality(more) = 0;
    kept := kept || more;
  end loop;
  return kept;
end
$$;
comment on function private.with_what_they_need is
  'Rows of a batch that an undo leaves alone, and those of the batch that they link to or whose values they hold.';
revoke all on function private.with_what_they_need(uuid, uuid, uuid[]) from public, anon, authenticated;

create or replace function private.begin_undo(w private.unfinished_work) returns private.unfinished_work
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
  if conflicts = 'keep' then
    left_alone := private.with_what_they_need(me, wanted, left_alone);
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
