-- Among equally good hits, the search puts those first that the user worked with last: records that were opened recently, the last
-- one first, and then the others by their last change. Decision 017.

create or replace function private.matches(kind text, me uuid, words text, wanted integer)
returns table (id uuid, rank integer, at timestamptz)
language plpgsql stable
set search_path = ''
as $$
declare
  begun text := substr(private.like_pattern(words), 2);
  holds text := private.holds_words(kind, words);
  -- At their places, the last one first; null are those of other tables.
  opened uuid[] := array(
    select case when split_part(o.name, '/', 1) = matches.kind then split_part(o.name, '/', 2)::uuid end
    from public.preferences p cross join lateral unnest(p.opened) with ordinality as o (name, place)
    where p.user_id = me order by o.place
  );
begin
  return query execute format(
    'with found as materialized (
       (select c.id from public.%1$I c
        where c.user_id = %2$L::uuid and left(%3$s, 100) like %4$L
        order by left(%3$s, 100) using operator(pg_catalog.~<~) limit %7$s)
       union
       (select c.id from public.%1$I c
        where c.user_id = %2$L::uuid and %6$s
        order by c.created_at desc, c.id desc limit 3 * %7$s)
       %9$s
     )
     select r.id, case
         when r.title = %5$L then 0
         when r.title like %4$L then 1
         when r.title like %8$L then 2
         else 3
       end, r.at
     from (
       -- Before whatever was changed, by its place.
       select c.id, %3$s as title, coalesce(
         now() + interval ''1 minute'' - array_position(%10$L::uuid[], c.id) * interval ''1 second'', c.updated_at) as at
       from found f cross join lateral (select * from public.%1$I c where c.id = f.id offset 0) c
     ) r
     order by 2, 3 desc, 1 limit %7$s',
    kind, me, private.title_of(kind), begun, btrim(private.fold(words)), holds, wanted, '% ' || begun,
    -- They may be older than the newest that hold the words.
    case when array_remove(opened, null) <> '{}' then format(
      'union
       (select c.id from (select * from public.%1$I c where c.id = any (%2$L::uuid[]) offset 0) c
        where c.user_id = %3$L::uuid and %4$s)', kind, opened, me, holds) else '' end,
    opened);
end
$$;
comment on function private.matches is
  'The best of one table for what was typed: called so (0), called so at the beginning (1) or at the beginning of a word (2), or holding it anywhere (3); among equals those opened last, then those changed last.';
