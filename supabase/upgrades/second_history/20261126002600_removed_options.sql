-- An option that is removed from a choice leaves its values where they are, unseen, as a deleted field does: removing it and
-- bringing it back write one row, however many records have it. The values go for good after thirty days, a part at a time.
-- Decision 056.

create table private.gone_options (
  user_id uuid not null references auth.users (id) on delete cascade,
  field_id uuid not null,
  id text not null,
  record text not null,
  option jsonb not null,
  gone_at timestamptz not null,
  swept_to uuid,
  primary key (user_id, field_id, id)
);
alter table private.gone_options enable row level security;
comment on table private.gone_options is 'Removed options of choices that records may still hold. Nothing shows them.';
comment on column private.gone_options.option is 'As it stood among the options of its field.';
comment on column private.gone_options.swept_to is 'Records up to this id hold it no more.';
create index gone_options_by_age on private.gone_options (gone_at);
revoke all on private.gone_options from public, anon, authenticated, service_role;

create function private.gone_options(account uuid, field uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(g.option order by g.id), '[]') from private.gone_options g
  where g.user_id = account and g.field_id = field
$$;
comment on function private.gone_options is
  'Removed options of a field that can still come back, by which a value is checked that comes back with its record. Closed, because only undo and restores bring back.';

create function private.gone_options_of(kind text) returns jsonb
language sql stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(g.field_id, g.ids), '{}') from (
    select o.field_id, jsonb_agg(o.id) as ids from private.gone_options o
    where o.user_id = private.caller() and o.record = kind group by o.field_id
  ) g
$$;
comment on function private.gone_options_of is
  'The ids of the caller''s removed options of a table, by their fields. A definer because nobody else reads private.gone_options.';

-- What nobody sees -------------------------------------------------------------------------------------------

create function private.seen_values(custom jsonb, fields text[], options jsonb) returns jsonb
language sql immutable parallel safe
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(v.key, s.value) filter (where s.value is not null), '{}')
  from jsonb_each(custom - fields) v
  cross join lateral (
    select case
      when not options ? v.key then v.value
      when jsonb_typeof(v.value) = 'array' then nullif(v.value - array(select jsonb_array_elements_text(options -> v.key)), '[]')
      when options -> v.key @> v.value then null
      else v.value
    end as value
  ) s
$$;
comment on function private.seen_values is 'What is seen of the own fields of a record: without deleted fields and removed options.';

create function private.is_filled(kind text, id uuid, options jsonb) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  -- Of a choice only the options that there are count.
  select case when kind in ('choice', 'several choices')
    then format('coalesce(c.custom -> %L ?| %L::text[], false)', id, array(select o.id from jsonb_to_recordset(options) as o (id text)))
    else format('c.custom ? %L', id)
  end
$$;
comment on function private.is_filled is 'The condition on "c" that it has a value of a field.';

create or replace function private.own_conditions_of(kind text, filter jsonb) returns text[]
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{}';
  wanted record;
  part record;
  -- The value, as an expression on "c".
  own text;
  any_of text;
begin
  if jsonb_typeof(filter -> 'fields') <> 'object' then
    raise exception 'The filter cannot be read.' using errcode = 'PT400';
  end if;
  for wanted in
    select e.value as said, f.*
    from jsonb_each(filter -> 'fields') e
    left join public.fields f on f.user_id = private.caller() and f.record = own_conditions_of.kind
      and f.id = case when e.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.key::uuid end
  loop
    -- What is not understood must not mean "all": deletions take filters too.
    if wanted.id is null then
      raise exception 'The filter asks for a field that does not exist any more.' using errcode = 'PT400';
    end if;
    perform private.check_filter(wanted.said, array['filled'] || case
      when wanted.kind in ('choice', 'several choices', 'yes/no') then array['is']
      when wanted.kind in ('number', 'money', 'day') then array['from', 'to']
      else array['contains']
    end);
    own := format('(c.custom ->> %L)', wanted.id);
    if wanted.kind in ('number', 'money') then
      own := format('(c.custom -> %L)::numeric', wanted.id);
    elsif wanted.kind = 'day' then
      own := own || '::date';
    end if;
    for part in select e.key, e.value, e.value #>> '{}' as text from jsonb_each(wanted.said) e loop
      if part.key = 'filled' then
        conditions := conditions || (case when part.text::boolean then '' else 'not ' end || private.is_filled(wanted.kind, wanted.id, wanted.options));
        continue;
      end if;
      -- So that the index may serve, which has no rows without values.
      conditions := conditions || format('c.custom <> %L', '{}');
      if part.key = 'is' then
        select string_agg(format('c.custom @> %L::jsonb', jsonb_build_object(
          wanted.id, case when wanted.kind = 'several choices' then jsonb_build_array(v.value) else v.value end)), ' or ')
        into any_of from jsonb_array_elements(part.value) as v (value);
        conditions := conditions || format('(%s)', coalesce(any_of, 'false'));
      elsif part.key = 'contains' then
        conditions := conditions || format('private.fold(c.custom ->> %L) like %L', wanted.id, private.like_pattern(part.text));
        -- The index of what is searched finds the candidates; days are not among it, nor what is written like one.
        if btrim(part.text) !~ '^[0-9-]*$' then
          conditions := conditions || private.search_condition(part.text);
        end if;
      else
        conditions := conditions || format('%s %s %L::%s', own, case part.key when 'from' then '>=' else '<=' end, part.text,
          case when wanted.kind = 'day' then 'date' else 'numeric' end);
      end if;
    end loop;
  end loop;
  return conditions;
end
$$;

create or replace function public.field_counts(record text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  ids uuid[];
  filled text[];
  counts bigint[];
begin
  if record is null or record not in ('contacts', 'companies', 'deals') then
    raise exception 'Only contacts, companies and deals have fields of your own.' using errcode = 'PT400';
  end if;
  select array_agg(f.id order by f.id), array_agg(private.is_filled(f.kind, f.id, f.options) order by f.id) into ids, filled
  from public.fields f where f.record = field_counts.record;
  if ids is null then
    return '{}';
  end if;
  execute format('select array[%s] from public.%I c where c.custom <> ''{}''', (
    select string_agg(format('count(*) filter (where %s)', i.condition), ', ' order by i.place)
    from unnest(filled) with ordinality as i (condition, place)
  ), record)
  into counts;
  return (select jsonb_object_agg(n.id, n.records) from unnest(ids, counts) as n (id, records));
end
$$;

create or replace function private.merged_values(kind text, keep uuid, gone uuid[], inout changes jsonb, out beyond text[])
language plpgsql stable
set search_path = ''
as $$
declare
  more jsonb;
begin
  if jsonb_typeof(changes) is distinct from 'object' then
    return;
  end if;
  -- What was not asked about is lost in no merge: of several values the one changed last.
  execute format(
    'select jsonb_object_agg(v.key, v.value order by o.updated_at, o.id)
     from public.%1$I o cross join lateral jsonb_each(private.seen_values(o.custom, $3, $4)) v
     where o.id = any ($2) and not exists (select from public.%1$I k where k.id = $1 and private.seen_values(k.custom, $3, $4) ? v.key)', kind)
  into more using keep, gone, private.gone_fields_of(kind), private.gone_options_of(kind);
  if more is not null then
    changes := changes || jsonb_build_object('custom', more || coalesce(nullif(changes -> 'custom', 'null'), '{}'));
  end if;
  select l.changes, l.beyond into changes, beyond from private.merged_lists(kind, keep, gone, changes) l;
end
$$;

-- Removing and bringing back ---------------------------------------------------------------------------------

drop trigger keep_values on public.fields;
drop function private.drop_own_values();
create function private.note_gone_options() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from private.gone_options g
  where g.user_id = new.user_id and g.field_id = new.id and new.options @> jsonb_build_array(jsonb_build_object('id', g.id));
  insert into private.gone_options (user_id, field_id, id, record, option, gone_at)
  select old.user_id, old.id, o.option ->> 'id', old.record, o.option,
    -- What is taken back without a word never comes back.
    case when coalesce(current_setting('solo.silent', true), '') = 'on' then '-infinity' else now() end
  from jsonb_array_elements(old.options) as o (option)
  where not new.options @> jsonb_build_array(jsonb_build_object('id', o.option -> 'id'))
  on conflict (user_id, field_id, id) do update set option = excluded.option, gone_at = excluded.gone_at, swept_to = null;
  return null;
end
$$;
comment on function private.note_gone_options is
  'Keeps private.gone_options: an option that is removed goes there, and leaves it when it comes back. A definer because nobody else writes that table.';
create trigger note_gone_options after update of options on public.fields
  for each row when (new.options is distinct from old.options) execute function private.note_gone_options();

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
    if is_lenient and field.kind in ('choice', 'several choices') then
      -- An option that comes back finds its values.
      field.options := field.options || private.gone_options(new.user_id, field.id);
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

-- Removing values for good -----------------------------------------------------------------------------------

create function private.sweep_option(account uuid, field uuid, gone text, rows integer) returns integer
language plpgsql
set search_path = ''
as $$
declare
  g private.gone_options;
  silent text := coalesce(current_setting('solo.silent', true), '');
  looked_at uuid[];
  locked uuid[];
begin
  select * into g from private.gone_options x
  where x.user_id = account and x.field_id = field and x.id = gone and x.gone_at < now() - interval '30 days'
  for update skip locked;
  if g.id is null then
    return 0;
  end if;
  execute format('select array(select t.id from public.%I t where t.user_id = $1 and t.id > $2 order by t.id limit $3)', g.record)
  into looked_at using account, coalesce(g.swept_to, '00000000-0000-0000-0000-000000000000'), rows;
  -- What somebody is writing is not waited for: it is looked at again.
  execute format('select array(select t.id from public.%I t where t.id = any ($1) for update skip locked)', g.record)
  into locked using looked_at;
  -- Nobody did this, and there is nothing to undo. A list loses all removed options at once, younger ones too: a value is
  -- checked by the options that there are.
  perform set_config('solo.silent', 'on', true);
  execute format(
    'update public.%I t set custom = jsonb_build_object($2, case when jsonb_typeof(t.custom -> $2) = ''array''
       then nullif((t.custom -> $2) - $4, ''[]'') end)
     where t.id = any ($1) and t.custom -> $2 ? $3', g.record)
  using locked, g.field_id::text, g.id, array(
    select x.id from private.gone_options x where x.user_id = account and x.field_id = field
  );
  perform set_config('solo.silent', silent, true);
  if cardinality(locked) < cardinality(looked_at) then
    return 0;
  end if;
  if cardinality(looked_at) < rows then
    delete from private.gone_options x where x.user_id = account and x.field_id = field and x.id = g.id;
  else
    update private.gone_options x set swept_to = looked_at[rows] where x.user_id = account and x.field_id = field and x.id = g.id;
  end if;
  return cardinality(looked_at);
end
$$;
comment on function private.sweep_option is
  'Removes what the next so many records hold of an option that was removed thirty days ago, without a word in the log. Tells how many it looked at; none when there is nothing to do now.';

create or replace function private.sweep_fields(rows integer) returns integer
language sql
set search_path = ''
as $$
  select coalesce(nullif((
    select private.sweep_field(g.user_id, g.id, rows) from private.gone_fields g
    where g.field is null and not exists (select from private.unfinished_work w where w.user_id = g.user_id)
    order by g.user_id, g.id limit 1
  ), 0), (
    select private.sweep_option(g.user_id, g.field_id, g.id, rows) from private.gone_options g
    where g.gone_at < now() - interval '30 days'
      and not exists (select from private.unfinished_work w where w.user_id = g.user_id)
    order by g.gone_at, g.user_id, g.field_id, g.id limit 1
  ), 0)
$$;
comment on function private.sweep_fields is
  'The next step of removing values of fields and options that are gone for good, in any account. Run by the server until nothing is left.';

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
  perform private.sweep_option(account, g.field_id, g.id, 50) from (
    select x.field_id, x.id from private.gone_options x
    where x.user_id = account and x.gone_at < now() - interval '30 days' order by x.field_id, x.id limit 1
  ) g;
end
$$;

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.gone_options(uuid, uuid), private.gone_options_of(text), private.seen_values(jsonb, text[], jsonb),
  private.is_filled(text, uuid, jsonb), private.note_gone_options(), private.sweep_option(uuid, uuid, text, integer)
  from public, anon, authenticated;
grant execute on function
  private.gone_options_of(text), private.seen_values(jsonb, text[], jsonb), private.is_filled(text, uuid, jsonb),
  private.note_gone_options()
  to authenticated, service_role;
