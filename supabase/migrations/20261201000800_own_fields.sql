-- Fields of the user's own: their definitions, their values in the records, and what happens to the values when a field or an
-- option is deleted. A field is a row, never a column: no schema changes with it. Decision 033.
--
-- A deleted field leaves its values in the records, hidden: deleting and restoring it each write one row, however many records
-- hold a value. The values are erased in parts once the field has left the trash, and those of a removed option thirty days after
-- its removal. Decisions 048 and 056.

-- The fields --------------------------------------------------------------------------------------------------

create function private.checked_options(kind text, options jsonb) returns jsonb
language plpgsql immutable
set search_path = ''
as $$
declare
  checked record;
begin
  if kind not in ('choice', 'several choices') then
    if options <> '[]' then
      raise exception 'Only a choice has options. Nothing was saved.' using errcode = 'PT400';
    end if;
    return options;
  end if;
  if jsonb_typeof(options) <> 'array' then
    raise exception 'The options of a field cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  if jsonb_array_length(options) > 100 then
    raise exception 'A field can have at most 100 options. Nothing was saved.' using errcode = 'PT400';
  end if;
  select
    coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'color', w.color) order by w.place), '[]') as options,
    coalesce(bool_and(coalesce(w.id ~ '^~[0-9A-Za-z]{7}$'
      and w.color in ('gray', 'blue', 'violet', 'green', 'yellow', 'orange', 'red'), false)), true) as is_read,
    coalesce(bool_and(coalesce(char_length(w.name) between 1 and 60, false)), true) as is_named,
    count(distinct w.id) = count(*) and count(distinct lower(w.name)) = count(*) as is_once
  into checked
  from (
    select o.place, o.reported ->> 'id' as id, btrim(o.reported ->> 'name', E' \t\r\n') as name, o.reported ->> 'color' as color
    from jsonb_array_elements(options) with ordinality as o (reported, place)
  ) w;
  if not checked.is_read then
    raise exception 'The options of a field cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  if not checked.is_named then
    raise exception 'The name of an option has 1 to 60 letters. Nothing was saved.' using errcode = 'PT400';
  end if;
  if not checked.is_once then
    raise exception 'Two options of a field have the same name. Nothing was saved.' using errcode = 'PT409';
  end if;
  return checked.options;
end
$$;
comment on function private.checked_options is 'The options of a field as they are stored, or a refusal in words.';

create function private.guard_field() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- A client that knows no types writes an empty list as PostgreSQL does.
  new.options := coalesce(nullif(new.options, '{}'), '[]');
  if tg_op = 'UPDATE' then
    -- The values were checked by these.
    new.record := old.record;
    new.kind := old.kind;
    new.position := coalesce(new.position, old.position);
  end if;
  if tg_op = 'INSERT' or new.options <> old.options then
    new.options := private.checked_options(new.kind, new.options);
  end if;
  if not private.is_restoring() and (tg_op = 'INSERT' or lower(new.name) <> lower(old.name)) then
    -- Two windows that add a field wait here for each other.
    perform pg_advisory_xact_lock(hashtextextended('fields ' || new.user_id, 0));
    if exists (
      select from public.fields f
      where f.user_id = new.user_id and f.record = new.record and lower(f.name) = lower(new.name) and f.id <> new.id
    ) then
      raise exception 'There is already a field of this name. Nothing was saved.' using errcode = 'PT409';
    end if;
  end if;
  if tg_op = 'INSERT' then
    if not private.is_restoring()
      and (select count(*) from public.fields f where f.user_id = new.user_id and f.record = new.record) >= 100 then
      raise exception 'There can be at most 100 custom fields here. Nothing was saved; delete one that you do not need.'
        using errcode = 'PT409';
    end if;
    if coalesce(new.position, 0) = 0 then
      new.position := (
        select coalesce(max(f.position), 0) + 1 from public.fields f where f.user_id = new.user_id and f.record = new.record
      );
    end if;
  end if;
  return new;
end
$$;
comment on function private.guard_field is
  'A new field comes last; its table and kind never change. What undo and restores bring back is not counted.';

create trigger guard before insert or update on public.fields
  for each row execute function private.guard_field();

select
  private.clean_texts('public.fields'),
  private.open_to_owner('public.fields', '{record,name,kind,options,position,is_hidden}'),
  private.log_table('public.fields');
revoke update (record, kind) on public.fields from authenticated;

-- Values ------------------------------------------------------------------------------------------------------

create function private.own_texts(custom jsonb) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select string_agg(t.reported || case
      when t.reported ~ '^\+?[\d\s()/.-]{5,}$' then ' ' || regexp_replace(t.reported, '[^0-9]', '', 'g') else ''
    end, ' ')
  from (
    select e.value #>> '{}' as reported from jsonb_each(custom) e where jsonb_typeof(e.value) = 'string'
  ) t
  -- Neither ids of options nor days.
  where t.reported !~ '^(~[0-9A-Za-z]{7}|\d{4}-\d{2}-\d{2})$'
$$;
comment on function private.own_texts is
  'What is searched of a record''s own fields: all texts, and of phone numbers the digits too. Options are searched by their names, which are not stored here.';

-- Records without own values take no room in these indexes.
create index contacts_by_custom on public.contacts using gin (user_id, custom jsonb_path_ops) where custom <> '{}';
create index companies_by_custom on public.companies using gin (user_id, custom jsonb_path_ops) where custom <> '{}';
create index deals_by_custom on public.deals using gin (user_id, custom jsonb_path_ops) where custom <> '{}';

create function private.own_value(field public.fields, value jsonb, is_lenient boolean, out stored jsonb, out problem text)
language plpgsql stable
set search_path = ''
as $$
declare
  reported text := btrim(value #>> '{}', E' \t\r\n');
  type text := jsonb_typeof(value);
  most integer := case when field.kind = 'long text' then 10000 else 500 end;
  number numeric := case when type = 'number' then value::numeric end;
  known text[];
begin
  if field.kind in ('text', 'long text', 'link', 'email', 'phone') then
    if type <> 'string' then
      problem := 'must be a text';
    elsif reported <> '' then
      stored := to_jsonb(reported);
      problem := case
        when char_length(reported) > most then format('can have at most %s letters', trim(to_char(most, '999,999')))
        when field.kind = 'email' and reported !~ '^[^\s@]+@[^\s@]+$' then 'must be an email address'
        when field.kind = 'link' and reported !~* '^https?://[^\s/?#]+\S*$' then 'must be a web address, such as https://acme.com'
      end;
    end if;
  elsif field.kind = 'number' then
    stored := to_jsonb(trim_scale(number));
    problem := case
      when number is null then 'must be a number'
      when abs(number) > 1e12 then 'must be between -1,000,000,000,000 and 1,000,000,000,000'
      when number <> round(number, 6) then 'can have at most six decimals'
    end;
  elsif field.kind = 'money' then
    stored := to_jsonb(trim_scale(number));
    problem := case
      when number is null then 'must be a number'
      when number < 0 or number > 999999999999.99 then 'must be between 0 and 999,999,999,999.99'
      when number <> round(number, 2) then 'can have at most two decimals'
    end;
  elsif field.kind = 'day' then
    if type = 'string' and reported = '' then
      return;
    end if;
    stored := to_jsonb(reported);
    -- Told without trying: an attempt that fails costs much in a row of 100,000.
    if type <> 'string' or reported !~ '^(19|20|21|22)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' or reported > '2200-12-31' then
      problem := 'must be a day between 1900 and 2200';
    elsif right(reported, 2)::integer > extract(day from make_date(left(reported, 4)::integer, substr(reported, 6, 2)::integer, 1) + interval '1 month - 1 day') then
      problem := 'must be a day between 1900 and 2200';
    end if;
  elsif field.kind = 'yes/no' then
    stored := value;
    problem := case when type <> 'boolean' then 'must be yes or no' end;
  elsif field.kind = 'choice' then
    if type = 'string' and reported = '' then
      return;
    end if;
    stored := value;
    problem := case when type <> 'string' or not field.options @> jsonb_build_array(jsonb_build_object('id', value))
      then 'no longer has this option' end;
  elsif type <> 'array' then
    problem := 'must be a list of options';
  else
    known := array(select o.id from jsonb_to_recordset(field.options) as o (id text));
    problem := case when not is_lenient and exists (
      select from jsonb_array_elements(value) w where jsonb_typeof(w) <> 'string' or w #>> '{}' <> all (known)
    ) then 'no longer has this option' end;
    -- In the order of the options, each once.
    select jsonb_agg(k.id order by k.place) into stored
    from unnest(known) with ordinality as k (id, place) where value ? k.id;
  end if;
end
$$;
comment on function private.own_value is
  'What is stored of a value for a field: null is none. Or what is wrong with it; what comes back from the log or a backup is lenient, and loses only the options that are gone.';

create function private.keep_own_values() returns trigger
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
    raise exception 'The values of custom fields cannot be read. Nothing was saved.' using errcode = 'PT400';
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
      raise exception 'A custom field no longer exists. Nothing was saved; look at the record again.' using errcode = 'PT409';
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
comment on function private.keep_own_values is
  'A write adds to the values that a record has: keys that are given are set, those with null removed, all others stay. Whatever is set is checked by its field.';

create trigger own_values_added before insert on public.contacts
  for each row when (new.custom is distinct from '{}'::jsonb) execute function private.keep_own_values();
create trigger own_values_changed before update of custom on public.contacts
  for each row when (new.custom is distinct from old.custom) execute function private.keep_own_values();
create trigger own_values_added before insert on public.companies
  for each row when (new.custom is distinct from '{}'::jsonb) execute function private.keep_own_values();
create trigger own_values_changed before update of custom on public.companies
  for each row when (new.custom is distinct from old.custom) execute function private.keep_own_values();
create trigger own_values_added before insert on public.deals
  for each row when (new.custom is distinct from '{}'::jsonb) execute function private.keep_own_values();
create trigger own_values_changed before update of custom on public.deals
  for each row when (new.custom is distinct from old.custom) execute function private.keep_own_values();

-- Counts, order and deletion, for the settings ----------------------------------------------------------------

create function public.field_counts(record text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  ids uuid[];
  filled text[];
  counts bigint[];
begin
  if record is null or record not in ('contacts', 'companies', 'deals') then
    raise exception 'Only contacts, companies and deals have custom fields.' using errcode = 'PT400';
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
comment on function public.field_counts is 'How many records hold a value, for each field of a table.';

create function public.field_option_counts(id uuid) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  field public.fields;
  counts jsonb;
begin
  select * into field from public.fields f where f.id = field_option_counts.id;
  if field.id is null then
    raise exception 'This field no longer exists.' using errcode = 'PT404';
  end if;
  execute format(
    'select coalesce(jsonb_object_agg(o.id, coalesce(n.records, 0)), ''{}'')
     from jsonb_to_recordset($1) as o (id text)
     left join (
       select k.id, count(*) as records
       from public.%I c
       cross join lateral jsonb_array_elements_text(
         case when jsonb_typeof(c.custom -> $2) = ''array'' then c.custom -> $2 else jsonb_build_array(c.custom -> $2) end
       ) as k (id)
       where c.custom <> ''{}'' and c.custom ? $2 group by k.id
     ) n on n.id = o.id', field.record)
  into counts using field.options, field.id::text;
  return counts;
end
$$;
comment on function public.field_option_counts is 'How many records hold each option of a field.';

create function public.order_fields(ids uuid[]) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  wanted record;
  row_count bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('fields ' || private.caller(), 0));
  select count(*) as there, count(distinct f.record) as kinds, min(f.record) as kind into wanted
  from public.fields f where f.id = any (ids);
  if wanted.there < (select count(distinct i) from unnest(ids) i) then
    raise exception 'One of the fields no longer exists. Nothing was saved; look at the fields again.' using errcode = 'PT409';
  end if;
  if wanted.kinds > 1 then
    raise exception 'Only fields of the same kind of record have an order.' using errcode = 'PT400';
  end if;
  update public.fields f set position = n.place
  from (
    select o.id, row_number() over (order by array_position(ids, o.id), o.position, o.created_at, o.id) as place
    from public.fields o where o.record = wanted.kind
  ) n
  where f.id = n.id and f.position <> n.place;
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;
comment on function public.order_fields is 'Puts fields of one table in this order; those that are not named come after them.';

create function public.delete_field(id uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  row_count bigint;
begin
  delete from public.fields f where f.id = delete_field.id;
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;
comment on function public.delete_field is 'Deletes a field: the same as a delete of its row, with the batch that undoes it.';

-- Deleted fields and removed options --------------------------------------------------------------------------

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
language plpgsql stable
security definer
set search_path = ''
as $$
begin
  return array(select g.id::text from private.gone_fields g where g.user_id = private.caller() and g.record = kind order by g.id);
end
$$;
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

-- Removing and bringing back ----------------------------------------------------------------------------------

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

-- Removing values for good ------------------------------------------------------------------------------------

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

create function private.sweep_fields(rows integer) returns integer
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

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.checked_options(text, jsonb), private.guard_field(), private.own_texts(jsonb),
  private.own_value(public.fields, jsonb, boolean), private.keep_own_values(), public.field_counts(text),
  public.field_option_counts(uuid), public.order_fields(uuid[]), public.delete_field(uuid),
  private.gone_fields_of(text), private.gone_field(uuid, text, uuid), private.gone_options(uuid, uuid),
  private.gone_options_of(text), private.in_seen(text, text), private.seen_values(jsonb, text[], jsonb),
  private.is_filled(text, uuid, jsonb), private.note_gone_field(), private.note_gone_options(),
  private.sweep_field(uuid, uuid, integer), private.sweep_option(uuid, uuid, text, integer),
  private.sweep_fields(integer)
  from public, anon, authenticated;
-- Triggers and functions that are no definers run these with the rights of the caller.
grant execute on function
  private.checked_options(text, jsonb), private.guard_field(), private.own_texts(jsonb),
  private.own_value(public.fields, jsonb, boolean), private.keep_own_values(), public.field_counts(text),
  public.field_option_counts(uuid), public.order_fields(uuid[]), public.delete_field(uuid),
  private.gone_fields_of(text), private.gone_options_of(text), private.in_seen(text, text),
  private.seen_values(jsonb, text[], jsonb), private.is_filled(text, uuid, jsonb), private.note_gone_field(),
  private.note_gone_options()
  to authenticated, service_role;
