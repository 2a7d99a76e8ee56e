-- A field that is deleted leaves its values where they are, unseen, so that deleting it and bringing it back write one row,
-- however many records hold a value. They go for good with the field's place in the trash, a part at a time. Decision 048.

create table private.gone_fields (
  user_id uuid not null references auth.users (id) on delete cascade,
  id uuid not null,
  record text not null,
  field jsonb,
  swept_to uuid,
  primary key (user_id, id)
);
alter table private.gone_fields enable row level security;
comment on table private.gone_fields is 'Deleted fields of whose values records may still hold some. Nothing shows these values.';
comment on column private.gone_fields.field is 'The row as it was, while it can come back. Null when its values are to be removed.';
comment on column private.gone_fields.swept_to is 'Records up to this id hold no value any more.';
create index gone_fields_to_sweep on private.gone_fields (user_id) where field is null;
revoke all on private.gone_fields from public, anon, authenticated, service_role;

create function private.gone_fields_of(kind text) returns text[]
language sql stable
security definer
set search_path = ''
as $$ select array(select g.id::text from private.gone_fields g where g.user_id = private.caller() and g.record = kind order by g.id) $$;
comment on function private.gone_fields_of is
  'The ids of the caller''s deleted fields of a table, whose values nobody may see. A definer because nobody else reads private.gone_fields.';

create function private.gone_field(account uuid, kind text, id uuid) returns public.fields
language sql stable
set search_path = ''
as $$
  select f.* from private.gone_fields g cross join lateral jsonb_populate_record(null::public.fields, g.field) f
  where g.user_id = gone_field.account and g.record = gone_field.kind and g.id = gone_field.id and g.field is not null
$$;
comment on function private.gone_field is
  'A deleted field that can still come back, by which a value is checked that comes back with its record. Closed, because only undo and restores bring back.';

-- Removing values for good -----------------------------------------------------------------------------------

create function private.sweep_field(account uuid, gone uuid, rows integer) returns integer
language plpgsql
set search_path = ''
as $$
declare
  g private.gone_fields;
  silent text := coalesce(current_setting('solo.silent', true), '');
  looked_at uuid[];
  locked uuid[];
begin
  select * into g from private.gone_fields x
  where x.user_id = account and x.id = gone and x.field is null for update skip locked;
  if g.id is null then
    return 0;
  end if;
  execute format('select array(select t.id from public.%I t where t.user_id = $1 and t.id > $2 order by t.id limit $3)', g.record)
  into looked_at using account, coalesce(g.swept_to, '00000000-0000-0000-0000-000000000000'), rows;
  -- What somebody is writing is not waited for: it is looked at again.
  execute format('select array(select t.id from public.%I t where t.id = any ($1) for update skip locked)', g.record)
  into locked using looked_at;
  -- Nobody did this, and there is nothing to undo.
  perform set_config('solo.silent', 'on', true);
  execute format('update public.%I t set custom = jsonb_build_object($2, null) where t.id = any ($1) and t.custom ? $2', g.record)
  using locked, g.id::text;
  perform set_config('solo.silent', silent, true);
  if cardinality(locked) < cardinality(looked_at) then
    return 0;
  end if;
  if cardinality(looked_at) < rows then
    delete from private.gone_fields x where x.user_id = account and x.id = g.id;
  else
    update private.gone_fields x set swept_to = looked_at[rows] where x.user_id = account and x.id = g.id;
  end if;
  return cardinality(looked_at);
end
$$;
comment on function private.sweep_field is
  'Removes what the next so many records hold of a field that is gone for good, without a word in the log. Tells how many it looked at; none when there is nothing to do now.';

create function private.sweep_fields(rows integer) returns integer
language sql
set search_path = ''
as $$
  select coalesce((
    select private.sweep_field(g.user_id, g.id, rows) from private.gone_fields g
    where g.field is null and not exists (select from private.unfinished_work w where w.user_id = g.user_id)
    order by g.user_id, g.id limit 1
  ), 0)
$$;
comment on function private.sweep_fields is
  'The next step of removing values of fields that are gone for good, in any account. Run by the server until nothing is left.';

create or replace function private.erase_fields(account uuid, gone uuid[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  ids text[] := array(select i::text from unnest(gone) i);
  keys text[] := array(select 'custom.' || i from unnest(gone) i);
begin
  if cardinality(gone) > 0 then
    update public.changes c set
      before = private.without_fields(c.before, ids), after = private.without_fields(c.after, ids), names = nullif(c.names - ids, '{}')
    where c.user_id = account and c.table_name in ('contacts', 'companies', 'deals')
      and (c.before ?| keys or c.after ?| keys or c.before -> 'custom' ?| ids);
    update private.gone_fields g set field = null where g.user_id = account and g.id = any (gone);
  end if;
  -- Where no server does it, the account's own work does.
  perform private.sweep_field(account, g.id, 50) from (
    select x.id from private.gone_fields x where x.user_id = account and x.field is null order by x.id limit 1
  ) g;
end
$$;
comment on function private.erase_fields is
  'Takes what fields held out of the log, when nothing of them shall be left, and goes on removing what records hold of such fields. Called with every batch of the account.';

-- Deleting and bringing back ---------------------------------------------------------------------------------

create function private.note_gone_field() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    insert into private.gone_fields (user_id, id, record, field)
    -- What is taken back without a word was never there, and never comes back.
    select old.user_id, old.id, old.record, case when coalesce(current_setting('solo.silent', true), '') <> 'on' then to_jsonb(old) end
    where exists (select from auth.users u where u.id = old.user_id)
    on conflict (user_id, id) do update set field = excluded.field, swept_to = null;
    return null;
  end if;
  -- A backup may bring back a field that was gone for good: with the values of the backup, not with those that were left.
  perform private.sweep_field(new.user_id, new.id, 2147483647);
  delete from private.gone_fields g where g.user_id = new.user_id and g.id = new.id;
  return null;
end
$$;
comment on function private.note_gone_field is
  'Keeps private.gone_fields: a field that is deleted goes there, and leaves it when it comes back. A definer because nobody else writes that table.';

create trigger note_gone after insert or delete on public.fields
  for each row execute function private.note_gone_field();

create or replace function private.drop_own_values() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  gone text[] := array(
    select o.id from jsonb_to_recordset(old.options) as o (id text)
    where not new.options @> jsonb_build_array(jsonb_build_object('id', o.id))
  );
begin
  if cardinality(gone) > 0 then
    execute format(
      'update public.%I c set custom = jsonb_build_object($2, %s)
       where c.user_id = $1 and c.custom <> ''{}'' and c.custom -> $2 ?| $3', old.record,
      case when old.kind = 'choice' then 'null' else 'nullif((c.custom -> $2) - $3, ''[]'')' end)
    using old.user_id, old.id::text, gone;
  end if;
  return new;
end
$$;
comment on function private.drop_own_values is
  'An option that is removed takes its values with it. Before the row itself: the log then still finds its name, and tells the values first, so that they come back last.';
create or replace trigger keep_values before update of options on public.fields
  for each row execute function private.drop_own_values();

alter function public.delete_field(uuid) reset statement_timeout;
comment on function public.delete_field is 'Deletes a field: the same as a delete of its row, with the batch that undoes it.';

create or replace function private.keep_own_values() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  kept jsonb := case when tg_op = 'UPDATE' then old.custom else '{}' end;
  given jsonb := coalesce(new.custom, '{}');
  -- Rows that come back may have values of a field that has been deleted since.
  is_lenient boolean := private.is_restoring() and coalesce(current_setting('solo.importing', true), '') <> 'on';
  entry record;
  field public.fields;
  checked record;
begin
  if jsonb_typeof(given) <> 'object' then
    raise exception 'The values of own fields cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  for entry in
    select e.key, e.value, k.id, f as field
    from jsonb_each(given) e
    cross join lateral (
      select case when e.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.key::uuid end as id
    ) k
    left join public.fields f on f.user_id = new.user_id and f.record = tg_table_name::text and e.value <> 'null' and f.id = k.id
    where e.value is distinct from kept -> e.key
  loop
    if entry.value = 'null' then
      kept := kept - entry.key;
      continue;
    end if;
    field := entry.field;
    if field.id is null and is_lenient then
      -- When the field comes back, so does the value.
      field := private.gone_field(new.user_id, tg_table_name::text, entry.id);
    end if;
    if field.id is null then
      continue when is_lenient;
      raise exception 'A field of your own does not exist any more. Nothing was saved; look at the record again.' using errcode = 'PT409';
    end if;
    checked := private.own_value(field, entry.value, is_lenient);
    if checked.problem is not null then
      continue when is_lenient;
      raise exception '“%” %. Nothing was saved.', field.name, checked.problem using errcode = 'PT400';
    end if;
    kept := case when checked.stored is null then kept - entry.key else kept || jsonb_build_object(entry.key, checked.stored) end;
  end loop;
  new.custom := kept;
  return new;
end
$$;

-- What nobody sees -------------------------------------------------------------------------------------------

create function private.in_seen(kind text, held text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  gone text[] := private.gone_fields_of(kind);
begin
  if cardinality(gone) = 0 then
    return held;
  end if;
  -- The index finds the candidates. Those with a value that nobody sees are looked at again without it: what is searched
  -- of them is derived once more, as the column is, from the record as it is seen.
  return format(
    '((%1$s) and (not c.custom ?| %2$L::text[] or exists (
       select from jsonb_populate_record(null::public.%3$I, to_jsonb(c) || jsonb_build_object(''custom'', c.custom - %2$L::text[])) seen
       cross join lateral (select %4$s as search_text) c
       where %1$s
     )))', held, gone, kind, (
      select pg_catalog.pg_get_expr(d.adbin, d.adrelid)
      from pg_catalog.pg_attrdef d
      join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      where d.adrelid = format('public.%I', kind)::regclass and a.attname = 'search_text'
    ));
end
$$;
comment on function private.in_seen is
  'A condition on "c.search_text", as it holds of what is seen of a row: values of deleted fields are not found.';

create or replace function private.in_search(kind text, held text, pattern text) returns text
language sql stable
set search_path = ''
as $$
  select format('(%s)', array_to_string(array[private.in_seen(kind, held)] || private.holds_options(kind, pattern) || (
    select private.in_seen(kind, format('c.search_text like %L', n.pattern)) from private.number_pattern(btrim(pattern, '%')) as n (pattern)
    where kind = 'companies' and n.pattern is not null and strpos(held, quote_literal(n.pattern)) = 0
  ), ' or '))
$$;

create or replace function private.similar(kind text, me uuid, words text, wanted integer)
returns table (id uuid, rank integer, at timestamptz, likeness real)
language plpgsql stable
set search_path = ''
-- So that one letter wrong, missing or exchanged in a short name is still similar: 'shmidt', 'micheal'.
set pg_trgm.word_similarity_threshold = 0.49
as $$
begin
  return query execute format(
    'select c.id, 4, c.created_at, extensions.word_similarity(%3$L, c.search_text)
     from (
       select c.id, c.created_at, c.search_text from public.%1$I c
       where c.user_id = %2$L::uuid and %5$s
       -- What hundreds are similar to tells nothing, and to compare them all would take seconds.
       limit 200
     ) c
     order by 4 desc, 3 desc, 1 limit %4$s',
    kind, me, private.fold(btrim(words)), wanted,
    private.in_seen(kind, format('c.search_text operator(extensions.%%>) %L', private.fold(btrim(words)))));
end
$$;

create or replace function private.with_own_values(kind text, keep uuid, gone uuid[], changes jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  more jsonb;
begin
  if jsonb_typeof(changes) is distinct from 'object' then
    return changes;
  end if;
  -- What was not asked about is lost in no merge: of several values the one changed last.
  execute format(
    'select jsonb_object_agg(v.key, v.value order by o.updated_at, o.id)
     from public.%1$I o cross join lateral jsonb_each(o.custom - $3) v
     where o.id = any ($2) and not exists (select from public.%1$I k where k.id = $1 and k.custom ? v.key)', kind)
  into more using keep, gone, private.gone_fields_of(kind);
  if more is not null then
    changes := changes || jsonb_build_object('custom', more || coalesce(nullif(changes -> 'custom', 'null'), '{}'));
  end if;
  return private.with_lists(kind, keep, gone, changes);
end
$$;

create or replace function private.rest_of_contact(row_name text) returns text
language sql stable
set search_path = ''
as $$
  select format('concat_ws('' '', %s)', string_agg(format(case
      when c.name = 'custom' then 'nullif(%1$I.%2$I - %3$L::text[], ''{}'')::text'
      when c.type = 'jsonb' then 'private.entry_texts(''[]'', ''[]'', private.united_entries(%2$L, ''[]'', %1$I.%2$I), ''[]'')'
      else '%1$I.%2$I'
    end, row_name, c.name, private.gone_fields_of('contacts')), ', '))
  from private.columns_of('public.contacts') c
  where c.is_writable and (c.type = 'text' and c.usual is null or c.name in ('custom', 'links'))
    and c.name not in ('first_name', 'last_name', 'email', 'phone_number')
$$;

-- Backups ----------------------------------------------------------------------------------------------------

create or replace function private.place_own_values(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  -- Where the values of each field go, and its options.
  places jsonb;
begin
  -- What the trash of the backup can bring back comes with its values.
  insert into private.gone_fields (user_id, id, record, field)
  select distinct on (c.row_id) me, g.id, c.before ->> 'record', c.before || jsonb_build_object('id', g.id, 'user_id', me)
  from private.restore_rows s
  cross join lateral jsonb_populate_record(null::public.changes, s.said) c
  cross join lateral (
    select coalesce((
      select o.new_id from private.restore_rows o where o.restore_id = restore and o.kind = 'gone' and o.old_id = c.row_id limit 1
    ), c.row_id) as id
  ) g
  where s.restore_id = restore and s.kind = 'changes' and c.table_name = 'fields' and c.verb = 'delete' and c.before is not null
    and c.before ->> 'record' in ('contacts', 'companies', 'deals')
    and not exists (select from private.restore_rows f where f.restore_id = restore and f.kind = 'fields' and f.old_id = c.row_id)
    and not exists (select from public.fields f where f.id = g.id)
  order by c.row_id, c.id desc
  on conflict (user_id, id) do nothing;
  select jsonb_object_agg(s.old_id, jsonb_build_object('id', s.new_id, 'options', (
    select coalesce(jsonb_object_agg(o.said ->> 'id', private.same_option(t.options, o.said)), '{}')
    from jsonb_array_elements(s.said -> 'options') as o (said)
    where private.same_option(t.options, o.said) <> o.said ->> 'id'
  )))
  into places
  from private.restore_rows s
  left join public.fields t on t.user_id = me and t.id = s.new_id
  where s.restore_id = restore and s.kind = 'fields' and s.old_id is not null;
  places := coalesce(places, '{}') || (
    select coalesce(jsonb_object_agg(coalesce(s.old_id, g.id), jsonb_build_object('id', g.id, 'options', '{}'::jsonb)), '{}')
    from private.gone_fields g
    left join private.restore_rows s on s.restore_id = restore and s.kind = 'gone' and s.new_id = g.id
    where g.user_id = me and g.field is not null
  );
  -- A field that is there gets the options that it lacks.
  update public.fields f set options = f.options || m.options
  from (
    select s.new_id, jsonb_agg(o.said order by o.place) as options
    from private.restore_rows s
    join public.fields t on t.user_id = me and t.id = s.new_id
    cross join lateral jsonb_array_elements(s.said -> 'options') with ordinality as o (said, place)
    where s.restore_id = restore and s.kind = 'fields' and not s.is_new and private.same_option(t.options, o.said) is null
    group by s.new_id
  ) m
  where f.user_id = me and f.id = m.new_id;
  if exists (select from jsonb_each(places) p where p.key <> p.value ->> 'id' or p.value -> 'options' <> '{}') then
    update private.restore_rows s set said = s.said || jsonb_build_object('custom', (
      select coalesce(jsonb_object_agg(places -> v.key ->> 'id', case jsonb_typeof(v.value)
        when 'string' then coalesce(places -> v.key -> 'options' -> (v.value #>> '{}'), v.value)
        when 'array' then (
          select jsonb_agg(coalesce(places -> v.key -> 'options' -> (w #>> '{}'), w)) from jsonb_array_elements(v.value) w
        )
        else v.value
      end), '{}')
      from jsonb_each(s.said -> 'custom') v where places ? v.key
    ))
    where s.restore_id = restore and s.kind in ('contacts', 'companies', 'deals') and s.is_new
      and jsonb_typeof(s.said -> 'custom') = 'object' and s.said -> 'custom' <> '{}';
  end if;
end
$$;
comment on function private.place_own_values is
  'Values of own fields go to where the fields of the backup are now, those of choices to the options that are there; also of fields in its trash.';

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.gone_fields_of(text), private.gone_field(uuid, text, uuid), private.sweep_field(uuid, uuid, integer),
  private.sweep_fields(integer), private.note_gone_field(), private.in_seen(text, text)
  from public, anon, authenticated;
grant execute on function
  private.gone_fields_of(text), private.note_gone_field(), private.in_seen(text, text)
  to authenticated, service_role;
