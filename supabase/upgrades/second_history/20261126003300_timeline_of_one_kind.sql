-- One kind of entries of a deal's timeline is found in one place only, and PostgreSQL refused to order that a second time: the
-- calls, meetings, notes or changes of a deal could not be shown by themselves.

create or replace function private.timeline_places(
  record text, id uuid, kind text, before timestamptz, before_key text, most integer
)
returns table (at timestamptz, key text, change_id bigint, note_id uuid)
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
declare
  -- Each part is cut to the page before they are put together, so that a long history costs little.
  note_part constant text :=
    '(
       select n.happened_at as at, ''note '' || n.id as key, null::bigint as change_id, n.id as note_id
       from public.notes n
       where n.%1$I %2$s and ($2 is null or n.kind = $2)
         and ($3 is null or n.happened_at <= $3 and (n.happened_at, ''note '' || n.id) < ($3, $4))
       order by n.happened_at desc, n.id desc limit $5
     )';
  -- A card that only made room for another on the board has nothing to tell.
  change_part constant text :=
    '(
       select ch.created_at, ''change '' || lpad(ch.id::text, 20, ''0''), ch.id, null::uuid
       from public.changes ch
       where ch.%1$I %2$s and ch.table_name <> ''notes''
         and (ch.verb <> ''update'' or ch.after - ''order'' <> ''{}'')
         and ($3 is null or (ch.created_at, ''change '' || lpad(ch.id::text, 20, ''0'')) < ($3, $4))
       order by ch.created_at desc, ch.id desc limit $5
     )';
  parts text;
begin
  -- "union" drops what is found twice: a deal's change is about its contact and its company too.
  select string_agg(format(p.part, s.link, s.condition), ' union ')
  into parts
  from private.story_of(record) s
  cross join (values (note_part, coalesce(kind <> 'change', true)), (change_part, coalesce(kind = 'change', true))) p (part, is_wanted)
  where p.is_wanted;
  return query execute format('select * from (%s) p order by 1 desc, 2 desc limit $5', parts)
    using id, kind, before, before_key, most;
end
$$;
