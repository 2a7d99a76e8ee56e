-- The undo of 100,000 imported contacts took minutes: which links and names of the schema have to be looked at was asked
-- of the log once for each table of the catalogue, and the log was read whole each time. The tables of a batch are now
-- found first.

create or replace function private.undo_conflicts(me uuid, wanted uuid)
returns table (table_name text, row_id uuid, label text, reason text)
language plpgsql stable
set search_path = ''
as $$
declare
  touched record;
  later record;
  link record;
  taken_back uuid[];
  -- Which tables the batch added to, and in which it changed or deleted.
  added text[] := array(
    select distinct c.table_name from public.changes c where c.user_id = me and c.batch = wanted and c.verb = 'insert'
  );
  altered text[] := array(
    select distinct c.table_name from public.changes c where c.user_id = me and c.batch = wanted and c.verb <> 'insert'
  );
begin
  for touched in
    select c.table_name, c.row_id, max(c.id) as last_id, (array_agg(c.label order by c.id desc))[1] as label,
           bool_or(c.verb = 'delete' and c.before is null) as is_erased
    from public.changes c
    where c.user_id = me and c.batch = wanted
    group by c.table_name, c.row_id
    having bool_or(c.verb = 'delete' and c.before is null) or exists (
      select from public.changes l
      where l.user_id = me and l.row_id = c.row_id and l.id > max(c.id) and l.batch <> wanted
        and not private.is_only_order(l)
    )
  loop
    table_name := touched.table_name;
    row_id := touched.row_id;
    label := touched.label;
    reason := case when touched.is_erased then 'erased' end;
    -- From the newest change back: one that was itself taken back does not count, nor does the taking back.
    taken_back := '{}';
    for later in
      select l.batch, l.undoes from public.changes l
      where l.user_id = me and l.row_id = touched.row_id and l.id > touched.last_id and l.batch <> wanted
        and not private.is_only_order(l)
      group by l.batch, l.undoes
      order by max(l.id) desc
    loop
      exit when reason is not null;
      continue when later.batch = any (taken_back);
      if later.undoes is null then
        reason := 'changed';
      elsif later.undoes = wanted then
        reason := 'undone';
      elsif exists (
        select from public.changes l
        where l.user_id = me and l.row_id = touched.row_id and l.batch = later.undoes and l.id > touched.last_id
      ) then
        taken_back := taken_back || later.undoes;
      else
        reason := 'changed';
      end if;
    end loop;
    if reason is not null then
      return next;
    end if;
  end loop;

  -- A part cannot come back, or go back, without its whole.
  for link in
    select k.* from private.links k
    where k.is_part_of_parent and k.table_name = any (altered)
  loop
    return query execute format(
      'select c.table_name, c.row_id, c.label, ''parent gone''::text
       from public.changes c
       where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb <> ''insert''
         and c.before ->> %2$L is not null
         and not exists (select from public.%3$I p where p.user_id = $1 and p.id = (c.before ->> %2$L)::uuid)
         and not exists (
           select from public.changes p
           where p.user_id = $1 and p.batch = $2 and p.table_name = %3$L and p.verb = ''delete''
             and p.row_id = (c.before ->> %2$L)::uuid
         )', link.table_name, link.column_name, link.parent_name)
      using me, wanted;
  end loop;

  -- What was linked since to a row that would go, would go or lose its link with it.
  for link in
    select k.* from private.links k
    where k.parent_name = any (added)
  loop
    return query execute format(
      'select p.table_name, p.row_id, p.label, ''in use''::text
       from public.changes p
       where p.user_id = $1 and p.batch = $2 and p.table_name = %3$L and p.verb = ''insert''
         and exists (
           select from public.%1$I t
           where t.user_id = $1 and t.%2$I = p.row_id
             and not exists (
               select from public.changes c where c.user_id = $1 and c.batch = $2 and c.row_id = t.id
             )
         )', link.table_name, link.column_name, link.parent_name)
      using me, wanted;
  end loop;

  -- A name that may be given once may have been given to another since.
  for link in
    select child.relname::text as table_name,
      (select string_agg(format('t.%I = r.%I', a.attname, a.attname), ' and ')
       from pg_catalog.pg_attribute a where a.attrelid = con.conrelid and a.attnum = any (con.conkey)) as same_key
    from pg_catalog.pg_constraint con
    join pg_catalog.pg_class child on child.oid = con.conrelid
    where con.contype = 'u' and con.condeferrable and child.relnamespace = 'public'::regnamespace
      and child.relname = any (altered)
  loop
    return query execute format(
      'select c.table_name, c.row_id, c.label, ''name taken''::text
       from public.changes c
       left join public.%1$I now on now.id = c.row_id
       cross join lateral jsonb_populate_record(now, c.before) r
       where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb <> ''insert''
         and exists (
           select from public.%1$I t
           where %2$s and t.id <> c.row_id
             and not exists (
               select from public.changes o where o.user_id = $1 and o.batch = $2 and o.row_id = t.id
             )
         )', link.table_name, link.same_key)
      using me, wanted;
  end loop;
end
$$;
