-- A merge keeps the pin of a record that goes: the one that stays takes its place.

create function private.move_pins(kind text, keep uuid, gone uuid[]) returns void
language sql
set search_path = ''
as $$
  update public.preferences p set pinned = array(
    select w.name
    from unnest(p.pinned) with ordinality as n (name, place)
    cross join lateral (
      select k.name, k.part from (values (kind || '/' || keep, 1), (n.name, 2)) as k (name, part)
      -- What is gone stays unseen, so that an undo finds it pinned; but nothing else loses its place for that.
      where n.name <> all (g.names) and k.part = 2
        or n.name = any (g.names) and (k.part = 1 or cardinality(p.pinned) < 20)
    ) w
    order by n.place, w.part
  )
  from (select array(select kind || '/' || i.id from unnest(gone) as i (id)) as names) g
  where p.user_id = private.caller() and p.pinned && g.names
$$;
comment on function private.move_pins is 'The record that stays of a merge is pinned where one that went was. private.tidy_kept leaves each name once.';

alter function private.lock_to_merge(text, uuid, jsonb) rename to locked_to_merge;

create function private.lock_to_merge(kind text, keep uuid, seen jsonb) returns uuid[]
language plpgsql
set search_path = ''
as $$
declare
  gone uuid[] := private.locked_to_merge(kind, keep, seen);
begin
  perform private.move_pins(kind, keep, gone);
  return gone;
end
$$;
comment on function private.lock_to_merge is
  'Locks the records of a merge and tells which of them go. What a merge moves for every kind of record is moved here.';

revoke all on function private.move_pins(text, uuid, uuid[]), private.lock_to_merge(text, uuid, jsonb) from public, anon, authenticated;
grant execute on function private.move_pins(text, uuid, uuid[]), private.lock_to_merge(text, uuid, jsonb)
  to authenticated, service_role;
