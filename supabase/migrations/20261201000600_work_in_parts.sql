-- Long work: an import, an undo and a restore are each defined as steps that write a limited number of rows. A PostgreSQL
-- server runs all steps in one transaction. The embedded database has only one connection: there the server runs each part in a
-- transaction of its own and serves other requests in between; see decision 030.

create table private.unfinished_work (
  user_id uuid primary key references auth.users (id) on delete cascade,
  batch uuid not null,
  name text not null,
  arguments jsonb not null,
  state jsonb not null default '{}',
  started_at timestamptz not null default now(),
  constraint unfinished_work_name_known check (name in ('commit_import', 'undo_batch', 'finish_restore'))
);
alter table private.unfinished_work enable row level security;
comment on table private.unfinished_work is
  'Work that is being done in parts, one an account. What is found here when the server starts was cut off, and is taken back.';
comment on column private.unfinished_work.name is 'The public function that was called.';
comment on column private.unfinished_work.state is 'The step that comes next, and its place; at the end the answer.';
comment on column private.unfinished_work.started_at is 'The moment of all that it writes, as that of a transaction would be.';

create table private.unfinished_parts (
  user_id uuid not null references private.unfinished_work (user_id) on delete cascade,
  number integer not null,
  after_change bigint not null,
  primary key (user_id, number)
);
alter table private.unfinished_parts enable row level security;
comment on table private.unfinished_parts is
  'The parts that were written. Each is taken back as a whole: between two parts, and only there, every rule of the tables holds.';
comment on column private.unfinished_parts.after_change is 'The last line of the log before the part: the lines above it are the part''s.';

revoke all on private.unfinished_work, private.unfinished_parts from public, anon, authenticated, service_role;

-- Doing the work ----------------------------------------------------------------------------------------------

create function private.first_state(name text, arguments jsonb) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work;
begin
  w.user_id := private.caller();
  w.batch := gen_random_uuid();
  w.name := name;
  w.arguments := arguments;
  w.state := '{}';
  w.started_at := now();
  return case name
    when 'commit_import' then private.begin_import(w)
    when 'undo_batch' then private.begin_undo(w)
    else private.begin_restore(w)
  end;
end
$$;
comment on function private.first_state is 'Looks whether the work may be done; where there is nothing to do, the answer is there already.';

create function private.next_part(w private.unfinished_work, rows integer) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
begin
  perform
    set_config('solo.batch', w.batch::text, true),
    set_config('solo.moment', w.started_at::text, true),
    -- The statistics know nothing of rows that have just arrived: of all of them, some would be joined one by one.
    set_config('enable_nestloop', case when least((w.state ->> 'size')::bigint, rows) > 5000 and w.name <> 'finish_restore' then 'off' else 'on' end, true),
    -- Without the plans it prefers, the planner takes every query for a huge one, and compiles it.
    set_config('jit', 'off', true);
  w := case w.name
    when 'commit_import' then private.import_part(w, rows)
    when 'undo_batch' then private.undo_part(w, rows)
    else private.restore_part(w, rows)
  end;
  perform
    set_config('solo.batch', '', true), set_config('solo.undoes', '', true), set_config('solo.moment', '', true),
    set_config('enable_nestloop', 'on', true);
  return w;
end
$$;
comment on function private.next_part is 'Writes the next part, of so many rows, and tells where the work stands after it.';

create function private.all_parts(w private.unfinished_work) returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  while not w.state ? 'answer' loop
    w := private.next_part(w, 2147483647);
  end loop;
  return w.state -> 'answer';
end
$$;
comment on function private.all_parts is 'All parts of a work in this one transaction, and its answer.';

create function private.begin_work(name text, arguments jsonb, rows integer) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work := private.first_state(name, arguments);
begin
  if w.state ? 'answer' or (w.state ->> 'size')::bigint <= rows then
    return private.all_parts(w);
  end if;
  insert into private.unfinished_work select w.*;
  return null;
end
$$;
comment on function private.begin_work is
  'Begins a work of the caller that the server then does in parts. Where there is nothing to do, or no more than so many rows, it is done at once: gives the answer then, else null.';

create function private.work_part(rows integer) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work;
begin
  select * into strict w from private.unfinished_work u where u.user_id = private.caller();
  insert into private.unfinished_parts (user_id, number, after_change)
  select w.user_id,
    coalesce((select max(p.number) from private.unfinished_parts p where p.user_id = w.user_id), 0) + 1,
    coalesce((select max(c.id) from public.changes c), 0);
  w := private.next_part(w, rows);
  if w.state ? 'answer' then
    delete from private.unfinished_work u where u.user_id = w.user_id;
  else
    update private.unfinished_work u set state = w.state where u.user_id = w.user_id;
  end if;
  return w.state -> 'answer';
end
$$;
comment on function private.work_part is
  'The next part of the caller''s work, on the one connection of the embedded database. Gives the answer with the last part, else null.';

-- Taking back interrupted work --------------------------------------------------------------------------------

create function private.take_back_lines(me uuid, lines bigint[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  line record;
  columns text;
begin
  -- From the newest to the oldest, as many at a time as belong to one table and one verb.
  for line in
    select c.table_name, c.verb, array_agg(c.id) as ids, array_agg(distinct split_part(k.name, '.', 1)) filter (where k.name is not null) as keys
    from (
      select o.*, sum(case when o.is_other then 1 else 0 end) over (order by o.id desc) as run
      from (
        select n.*, (n.table_name, n.verb) is distinct from
          (lag(n.table_name) over (order by n.id desc), lag(n.verb) over (order by n.id desc)) as is_other
        from public.changes n where n.id = any (lines)
      ) o
    ) c
    left join lateral jsonb_object_keys(c.before) as k (name) on true
    group by c.run, c.table_name, c.verb
    order by c.run
  loop
    -- Only columns that may be written: no generated ones.
    select string_agg(quote_ident(a.attname), ', ') into columns
    from pg_catalog.pg_attribute a
    where a.attrelid = format('public.%I', line.table_name)::regclass
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname = any (line.keys);
    if line.verb = 'insert' then
      execute format('delete from public.%1$I t where t.id = any ($2) and (t.user_id = $1) is true', line.table_name)
      using me, array(select c.row_id from public.changes c where c.id = any (line.ids));
    elsif line.verb = 'delete' then
      execute format(
        'insert into public.%1$I (%2$s)
         select %2$s from (
           select r.* from public.changes c
           cross join lateral jsonb_populate_record(null::public.%1$I, c.before) r
           where c.id = any ($2) and (c.user_id = $1) is true
         ) lost', line.table_name, columns)
      using me, line.ids;
    elsif columns is not null then
      execute format(
        'update public.%1$I t set (%2$s) = (select %2$s from jsonb_populate_record(t, private.as_row(s.before)))
         from (
           select c.row_id, jsonb_object_agg(old.key, old.value order by c.id desc) as before
           from public.changes c
           cross join lateral jsonb_each(c.before) old
           where c.id = any ($2)
           group by c.row_id
         ) s
         where t.id = s.row_id and (t.user_id = $1) is true', line.table_name, columns)
      using me, line.ids;
    end if;
  end loop;
end
$$;
comment on function private.take_back_lines is 'Does the opposite of what lines of the log tell.';

create function private.take_back_part(account uuid) returns integer
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work;
  part private.unfinished_parts;
  lines bigint[];
begin
  select * into w from private.unfinished_work u where u.user_id = account;
  if w.user_id is null then
    return null;
  end if;
  select * into part from private.unfinished_parts p where p.user_id = account order by p.number desc limit 1;
  if part.number is null then
    if w.name = 'finish_restore' then
      -- Its rows say by now where they were to go; they have to be sent again.
      delete from private.restores r where r.user_id = w.user_id and r.id = (w.arguments ->> 'restore')::uuid;
    end if;
    delete from private.unfinished_work u where u.user_id = account;
    return null;
  end if;
  -- Nobody but the work has written for the account since it began.
  lines := array(
    select c.id from public.changes c where c.user_id = account and c.batch = w.batch and c.id > part.after_change
  );
  set constraints all deferred;
  perform set_config('solo.silent', 'on', true), set_config('solo.restoring', 'on', true);
  perform private.take_back_lines(account, lines);
  if part.number = 1 then
    perform private.set_preferences(account, w.state -> 'preferences') where w.state -> 'preferences' <> 'null';
  end if;
  perform set_config('solo.silent', 'off', true), set_config('solo.restoring', 'off', true);
  set constraints all immediate;
  delete from public.changes c where c.user_id = account and c.id > part.after_change;
  delete from private.unfinished_parts p where p.user_id = account and p.number = part.number;
  return cardinality(lines);
end
$$;
comment on function private.take_back_part is
  'Takes back the last part of an unfinished work, so that nothing of it is left, in the log either, and tells how many lines of it there were. Null when all is taken back.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.first_state(text, jsonb), private.next_part(private.unfinished_work, integer),
  private.all_parts(private.unfinished_work), private.begin_work(text, jsonb, integer), private.work_part(integer),
  private.take_back_lines(uuid, bigint[]), private.take_back_part(uuid)
  from public, anon, authenticated;
