-- Fields of the user's own: what they are, the values that records hold of them, and what the log, undo, merges, imports
-- and backups make of these. A field is a row, never a column: no schema changes with it. Decision 033.

-- The fields -------------------------------------------------------------------------------------------------

create table public.fields (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  record text not null,
  name text not null,
  kind text not null,
  options jsonb not null default '[]',
  position integer not null default 0,
  is_hidden boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  -- Like a unique constraint, which takes columns only.
  constraint fields_name_once exclude using btree (user_id with =, record with =, lower(name) with =)
    deferrable initially immediate,
  constraint fields_record_known check (record in ('contacts', 'companies', 'deals')),
  constraint fields_name_length check (char_length(name) between 1 and 60),
  constraint fields_kind_known check (kind in ('text', 'long text', 'number', 'money', 'day', 'yes/no', 'choice',
    'several choices', 'link', 'email', 'phone'))
);
alter table public.fields enable row level security;
comment on table public.fields is 'Fields that users added to their contacts, companies and deals. The values are in the column "custom" of these.';
comment on column public.fields.record is 'The table whose records have the field.';
comment on column public.fields.options is
  'Of a choice, in their order: {id, name, color}. Values hold the id, so that a rename touches no record.';
comment on column public.fields.position is 'Place among the fields of the same table, smallest first. 0 of a new one means last.';

create index fields_in_order on public.fields (user_id, record, position, id);

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
    select o.place, o.said ->> 'id' as id, btrim(o.said ->> 'name', E' \t\r\n') as name, o.said ->> 'color' as color
    from jsonb_array_elements(options) with ordinality as o (said, place)
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
      raise exception 'There can be at most 100 fields of your own here. Nothing was saved; delete one that you do not need.'
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

-- Their values -----------------------------------------------------------------------------------------------

-- A default that is the same for all rows is written into no row.
alter table public.contacts add column custom jsonb not null default '{}';
alter table public.companies add column custom jsonb not null default '{}';
alter table public.deals add column custom jsonb not null default '{}';
comment on column public.contacts.custom is 'Values of the user''s own fields: {"<id of the field>": value}. A write adds to it; a key with null is removed.';
comment on column public.companies.custom is 'As that of contacts.';
comment on column public.deals.custom is 'As that of contacts.';

create function private.own_texts(custom jsonb) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  select string_agg(t.said || case
      when t.said ~ '^\+?[\d\s()/.-]{5,}$' then ' ' || regexp_replace(t.said, '[^0-9]', '', 'g') else ''
    end, ' ')
  from (
    select e.value #>> '{}' as said from jsonb_each(custom) e where jsonb_typeof(e.value) = 'string'
  ) t
  -- Neither ids of options nor days.
  where t.said !~ '^(~[0-9A-Za-z]{7}|\d{4}-\d{2}-\d{2})$'
$$;
comment on function private.own_texts is
  'What is searched of a record''s own fields: all texts, and of phone numbers the digits too. Options are searched by their names, which are not stored here.';
revoke all on function private.own_texts(jsonb) from public, anon, authenticated;
grant execute on function private.own_texts(jsonb) to authenticated, service_role;

-- The digits of the phone number stay last: private.contact_duplicates looks for them there.
select
  private.add_field('public.contacts', 'custom'),
  private.add_field('public.companies', 'custom'),
  private.add_field('public.deals', 'custom'),
  private.make_searchable('public.contacts', array['first_name', 'last_name', 'nickname', 'email',
    $$case when custom <> '{}' then private.own_texts(custom) end$$, $$regexp_replace(phone_number, '[^0-9]', '', 'g')$$]),
  private.make_searchable('public.companies',
    array['name', 'industry', 'location', $$case when custom <> '{}' then private.own_texts(custom) end$$]),
  private.make_searchable('public.deals', array['name', $$case when custom <> '{}' then private.own_texts(custom) end$$]);

-- A record without a value costs nothing here.
create index contacts_by_custom on public.contacts using gin (user_id, custom jsonb_path_ops) where custom <> '{}';
create index companies_by_custom on public.companies using gin (user_id, custom jsonb_path_ops) where custom <> '{}';
create index deals_by_custom on public.deals using gin (user_id, custom jsonb_path_ops) where custom <> '{}';

create function private.own_value(field public.fields, value jsonb, is_lenient boolean, out stored jsonb, out problem text)
language plpgsql stable
set search_path = ''
as $$
declare
  said text := btrim(value #>> '{}', E' \t\r\n');
  type text := jsonb_typeof(value);
  most integer := case when field.kind = 'long text' then 10000 else 500 end;
  number numeric := case when type = 'number' then value::numeric end;
  known text[];
begin
  if field.kind in ('text', 'long text', 'link', 'email', 'phone') then
    if type <> 'string' then
      problem := 'must be a text';
    elsif said <> '' then
      stored := to_jsonb(said);
      problem := case
        when char_length(said) > most then format('can have at most %s letters', trim(to_char(most, '999,999')))
        when field.kind = 'email' and said !~ '^[^\s@]+@[^\s@]+$' then 'must be an e-mail address'
        when field.kind = 'link' and said !~* '^https?://[^\s/?#]+\S*$' then 'must be a web address, such as https://acme.com'
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
    if type = 'string' and said = '' then
      return;
    end if;
    stored := to_jsonb(said);
    -- Told without trying: an attempt that fails costs much in a row of 100,000.
    if type <> 'string' or said !~ '^(19|20|21|22)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' or said > '2200-12-31' then
      problem := 'must be a day between 1900 and 2200';
    elsif right(said, 2)::integer > extract(day from make_date(left(said, 4)::integer, substr(said, 6, 2)::integer, 1) + interval '1 month - 1 day') then
      problem := 'must be a day between 1900 and 2200';
    end if;
  elsif field.kind = 'yes/no' then
    stored := value;
    problem := case when type <> 'boolean' then 'must be yes or no' end;
  elsif field.kind = 'choice' then
    if type = 'string' and said = '' then
      return;
    end if;
    stored := value;
    problem := case when type <> 'string' or not field.options @> jsonb_build_array(jsonb_build_object('id', value))
      then 'has no such option any more' end;
  elsif type <> 'array' then
    problem := 'must be a list of options';
  else
    known := array(select o.id from jsonb_to_recordset(field.options) as o (id text));
    problem := case when not is_lenient and exists (
      select from jsonb_array_elements(value) w where jsonb_typeof(w) <> 'string' or w #>> '{}' <> all (known)
    ) then 'has no such option any more' end;
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
  checked record;
begin
  if jsonb_typeof(given) <> 'object' then
    raise exception 'The values of own fields cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  for entry in
    select e.key, e.value, f as field
    from jsonb_each(given) e
    left join public.fields f on f.user_id = new.user_id and f.record = tg_table_name::text and e.value <> 'null'
      and f.id = case when e.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.key::uuid end
    where e.value is distinct from kept -> e.key
  loop
    if entry.value = 'null' then
      kept := kept - entry.key;
      continue;
    end if;
    if (entry.field).id is null then
      continue when is_lenient;
      raise exception 'A field of your own does not exist any more. Nothing was saved; look at the record again.' using errcode = 'PT409';
    end if;
    checked := private.own_value(entry.field, entry.value, is_lenient);
    if checked.problem is not null then
      continue when is_lenient;
      raise exception '“%” %. Nothing was saved.', (entry.field).name, checked.problem using errcode = 'PT400';
    end if;
    kept := case when checked.stored is null then kept - entry.key else kept || jsonb_build_object(entry.key, checked.stored) end;
  end loop;
  new.custom := kept;
  return new;
end
$$;
comment on function private.keep_own_values is
  'A write adds to the values that a record has: keys that are given are set, those with null removed, all others stay. Whatever is set is checked by its field.';

do $$
declare
  kind text;
begin
  foreach kind in array array['contacts', 'companies', 'deals'] loop
    -- Whoever writes none waits for nothing.
    execute format('create trigger own_values_added before insert on public.%I
      for each row when (new.custom is distinct from ''{}''::jsonb) execute function private.keep_own_values()', kind);
    execute format('create trigger own_values_changed before update of custom on public.%I
      for each row when (new.custom is distinct from old.custom) execute function private.keep_own_values()', kind);
  end loop;
end
$$;

-- A field that is deleted, and an option that is removed, take their values with them. Before the row itself: the log then
-- still finds their names, and tells the values first, so that they come back last.
create function private.drop_own_values() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  gone text[];
begin
  if tg_op = 'DELETE' then
    execute format(
      'update public.%I c set custom = jsonb_build_object($2, null)
       where c.user_id = $1 and c.custom <> ''{}'' and c.custom ? $2', old.record)
    using old.user_id, old.id::text;
    return old;
  end if;
  gone := array(
    select o.id from jsonb_to_recordset(old.options) as o (id text)
    where not new.options @> jsonb_build_array(jsonb_build_object('id', o.id))
  );
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

-- After "guard", which reads the options.
create trigger keep_values before delete or update of options on public.fields
  for each row execute function private.drop_own_values();

-- What the settings ask --------------------------------------------------------------------------------------

create function public.field_counts(record text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  counts jsonb;
begin
  if record is null or record not in ('contacts', 'companies', 'deals') then
    raise exception 'Only contacts, companies and deals have fields of your own.' using errcode = 'PT400';
  end if;
  execute format(
    'select coalesce(jsonb_object_agg(f.id, coalesce(n.records, 0)), ''{}'')
     from public.fields f
     left join (
       select k.key, count(*) as records from public.%I c cross join lateral jsonb_object_keys(c.custom) as k (key)
       where c.custom <> ''{}'' group by k.key
     ) n on n.key = f.id::text
     where f.record = $1', record)
  into counts using record;
  return counts;
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
    raise exception 'This field does not exist any more.' using errcode = 'PT404';
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
    raise exception 'One of the fields does not exist any more. Nothing was saved; look at the fields again.' using errcode = 'PT409';
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
set statement_timeout = '60s'
as $$
declare
  row_count bigint;
begin
  delete from public.fields f where f.id = delete_field.id;
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;
comment on function public.delete_field is
  'Deletes a field with its values. The same as a delete of its row, with more time for a hundred thousand records.';

-- The log ----------------------------------------------------------------------------------------------------

-- What was changed of an own field stands in the log by itself, as "custom.<id of the field>", so that its undo leaves
-- the others alone. Fields and options are told by the names that they had then.
alter table public.changes add column names jsonb;
comment on column public.changes.names is
  'Where own fields were changed: what they and their options were called then, by their ids.';

drop function private.changed_columns(jsonb, jsonb);
create function private.changed_columns(old_row jsonb, new_row jsonb, out before jsonb, out after jsonb, out fields uuid[])
language sql immutable
set search_path = ''
as $$
  select jsonb_object_agg(d.key, d.was), jsonb_object_agg(d.key, d.is), array_agg(d.field) filter (where d.field is not null)
  from (
    select n.key, o.value as was, n.value as is, null::uuid as field
    from jsonb_each(new_row) n join jsonb_each(old_row) o on o.key = n.key
    where n.value is distinct from o.value and n.key not in ('updated_at', 'custom')
    union all
    select 'custom.' || k.key, coalesce(old_row -> 'custom' -> k.key, 'null'), coalesce(new_row -> 'custom' -> k.key, 'null'), k.key::uuid
    from jsonb_object_keys((old_row -> 'custom') || (new_row -> 'custom')) as k (key)
    where new_row -> 'custom' <> old_row -> 'custom'
      and new_row -> 'custom' -> k.key is distinct from old_row -> 'custom' -> k.key
  ) d
$$;
comment on function private.changed_columns is 'What differs between two versions of a row, by column, and of own fields by field.';
revoke all on function private.changed_columns(jsonb, jsonb) from public, anon, authenticated;
grant execute on function private.changed_columns(jsonb, jsonb) to service_role;

create function private.names_of_fields(me uuid, ids uuid[], before jsonb, after jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_object_agg(n.id, n.name)
  from public.fields f
  cross join lateral (
    select f.id::text as id, f.name
    union all
    select o.id, o.name from jsonb_to_recordset(f.options) as o (id text, name text)
    where before -> ('custom.' || f.id) ? o.id or after -> ('custom.' || f.id) ? o.id
  ) n
  where f.user_id = me and f.id = any (ids)
$$;
comment on function private.names_of_fields is 'What these fields are called now, and those of their options that a change tells of, by their ids.';

create function private.as_row(logged jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(e.key, e.value) filter (where e.key not like 'custom.%'), '{}')
    || case when bool_or(e.key like 'custom.%') then jsonb_build_object(
      'custom', jsonb_object_agg(substr(e.key, 8), e.value) filter (where e.key like 'custom.%')) else '{}' end
  from jsonb_each(logged) e
$$;
comment on function private.as_row is 'Columns as the log tells them, as the row has them. A null in "custom" removes the value.';

create or replace function private.log_changes() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  batch uuid;
  undoes uuid := nullif(current_setting('solo.undoes', true), '')::uuid;
  -- A batch has one moment, also where it is written in several transactions.
  moment timestamptz := coalesce(nullif(current_setting('solo.moment', true), '')::timestamptz, now());
begin
  if coalesce(current_setting('solo.silent', true), '') = 'on' then
    return null;
  end if;
  batch := private.current_batch();
  -- The owner is looked up because rows that go with their account have nobody to be logged for.
  if tg_op = 'INSERT' then
    insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, created_at)
    select n.user_id, batch, undoes, tg_table_name, n.id, about.contact_id, about.company_id, about.deal_id, about.label, 'insert', moment
    from new_rows n
    cross join lateral private.about(tg_table_name, to_jsonb(n)) about
    where exists (select from auth.users u where u.id = n.user_id);
  elsif tg_op = 'DELETE' then
    insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, created_at)
    select o.user_id, batch, undoes, tg_table_name, o.id, about.contact_id, about.company_id, about.deal_id, about.label, 'delete',
           to_jsonb(o) - 'search_text', moment
    from old_rows o
    cross join lateral private.about(tg_table_name, to_jsonb(o)) about
    where exists (select from auth.users u where u.id = o.user_id);
  else
    -- Planned anew each time: a plan kept from updates of one row would join old and new rows of a bulk
    -- update one by one.
    execute
      'insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, after, names, created_at)
       select n.user_id, $1, $2, $3, n.id, about.contact_id, about.company_id, about.deal_id, about.label, ''update'',
              diff.before, diff.after,
              case when diff.fields is not null then private.names_of_fields(n.user_id, diff.fields, diff.before, diff.after) end, $4
       from new_rows n
       join old_rows o on o.id = n.id
       cross join lateral private.changed_columns(to_jsonb(o) - ''search_text'', to_jsonb(n) - ''search_text'') diff
       cross join lateral private.about($3, to_jsonb(n)) about
       where diff.before is not null
         and exists (select from auth.users u where u.id = n.user_id)'
      using batch, undoes, tg_table_name::text, moment;
  end if;
  return null;
end
$$;

create function private.with_names(names jsonb, more jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$ select case when names is null or more is null then coalesce(names, more) else names || more end $$;
comment on function private.with_names is 'Names of linked records and those of own fields, together; null when there are none.';

create or replace function private.batch_card(me uuid, wanted uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  with groups as materialized (
    select c.table_name, c.verb, count(*) as count, min(c.created_at) as at, min(c.undoes::text)::uuid as undoes,
      false as only_unlinks, false as only_links, null::text as least_before, null::text as most_before,
      null::text as least_after, null::text as most_after, null::jsonb as names
    from public.changes c
    where c.user_id = me and c.batch = wanted and c.verb <> 'update'
    group by c.table_name, c.verb
    union all
    select c.table_name, c.verb, count(distinct c.row_id), min(c.created_at), min(c.undoes::text)::uuid,
      bool_and(not exists (select from jsonb_each(c.after) v where v.value <> 'null')),
      bool_and(not exists (select from jsonb_each(c.before) v where v.value <> 'null')),
      min((c.before - '{order,closed_at,completed_at}'::text[])::text),
      max((c.before - '{order,closed_at,completed_at}'::text[])::text),
      min((c.after - '{order,closed_at,completed_at}'::text[])::text),
      max((c.after - '{order,closed_at,completed_at}'::text[])::text),
      min(c.names::text)::jsonb
    from public.changes c
    where c.user_id = me and c.batch = wanted and c.verb = 'update' and coalesce(c.after - 'order' <> '{}', true)
    group by c.table_name, c.verb
  ),
  common as (
    select g.*, v.before, v.after
    from groups g
    cross join lateral (
      select case when g.least_before = g.most_before then g.least_before::jsonb end as before,
        case when g.least_after = g.most_after then g.least_after::jsonb end as after
    ) v
  ),
  undone as (
    select exists (
      select from public.changes u where u.user_id = me and u.undoes = wanted
        and not exists (select from public.changes v where v.user_id = me and v.undoes = u.batch)
    ) as is_undone
  )
  select jsonb_build_object(
    'id', wanted, 'batch', wanted, 'at', min(g.at), 'undoes', min(g.undoes::text)::uuid,
    'deed', (select d.deed from private.deeds d where d.user_id = me and d.batch = wanted),
    'about', (select d.about from private.deeds d where d.user_id = me and d.batch = wanted),
    'groups', jsonb_agg(jsonb_build_object(
      'table_name', g.table_name, 'verb', g.verb, 'count', g.count,
      'only_unlinks', g.verb = 'update' and g.only_unlinks, 'only_links', g.verb = 'update' and g.only_links,
      'before', g.before, 'after', g.after, 'names', private.with_names(private.names_in(me, g.before, g.after), g.names),
      'rows', private.batch_rows(me, wanted, g.table_name, g.verb)
    ) order by g.count desc, g.table_name, g.verb),
    'undone', case
      when not (select u.is_undone from undone u) then 'no'
      when exists (
        select from public.changes c
        where c.user_id = me and c.batch = wanted and (c.verb <> 'update' or coalesce(c.after - 'order' <> '{}', true))
          -- As one set: looked up row by row, a large batch would take minutes.
          and c.row_id not in (select u.row_id from public.changes u where u.user_id = me and u.undoes = wanted)
      ) then 'partly'
      else 'yes'
    end,
    'can_undo', exists (
      select from public.changes c
      where c.user_id = me and c.batch = wanted and (c.verb = 'insert' or c.before is not null)
    )
  )
  from common g
$$;

create or replace function public.record_timeline(
  record text, id uuid, before timestamptz default null, before_key text default null, page_size integer default 50
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  page jsonb;
begin
  if record not in ('contact', 'company', 'deal') then
    raise exception 'A % has no timeline.', left(record, 40) using errcode = 'PT400';
  end if;
  -- Each kind is cut to the page before the two are put together, so that a long history costs little.
  -- A card that only made room for another on the board has nothing to tell.
  execute format(
    'with page as (
       select * from (
         (
           select ch.created_at as at, ''change '' || lpad(ch.id::text, 20, ''0'') as key, ch.id as change_id, null::uuid as note_id
           from public.changes ch
           where ch.%1$I = $1 and ch.table_name <> ''notes''
             and (ch.verb <> ''update'' or ch.after - ''order'' <> ''{}'')
             and ($2 is null or (ch.created_at, ''change '' || lpad(ch.id::text, 20, ''0'')) < ($2, $3))
           order by 1 desc, 2 desc limit $4
         )
         union all
         (
           select n.happened_at, ''note '' || n.id, null, n.id
           from public.notes n
           where n.%1$I = $1 and ($2 is null or (n.happened_at, ''note '' || n.id) < ($2, $3))
           order by 1 desc, 2 desc limit $4
         )
       ) e
       order by e.at desc, e.key desc limit $4
     )
     select coalesce(jsonb_agg(
       jsonb_build_object(''at'', p.at, ''key'', p.key) || case
         when n.id is not null then jsonb_build_object(''kind'', ''note'', ''note'', to_jsonb(n) - ''user_id'')
         else jsonb_build_object(''kind'', ''change'', ''table_name'', ch.table_name, ''row_id'', ch.row_id,
           ''verb'', ch.verb, ''label'', ch.label, ''before'', case when ch.verb = ''update'' then ch.before end,
           ''after'', ch.after, ''batch'', ch.batch, ''undoes'', ch.undoes,
           ''names'', case when ch.verb = ''update'' then
             private.with_names(private.names_in(private.caller(), ch.before, ch.after), ch.names) end)
       end
       order by p.at desc, p.key desc), ''[]'')
     from page p
     left join public.changes ch on ch.id = p.change_id
     left join public.notes n on n.id = p.note_id', record || '_id')
  into page
  using record_timeline.id, record_timeline.before, coalesce(before_key, ''), least(greatest(page_size, 1), 200);
  return page;
end
$$;

-- Undo -------------------------------------------------------------------------------------------------------

create or replace function private.is_only_order(change public.changes) returns boolean
language sql immutable
set search_path = ''
as $$
  select coalesce(
    change.verb = 'update' and change.after - case when change.table_name = 'fields' then 'position' else 'order' end = '{}', false)
$$;
comment on function private.is_only_order is
  'A card that only made room for another on the board was not changed by anyone, nor a field that made room for another.';

create or replace function private.parents_first() returns text[]
language sql immutable
set search_path = ''
as $$
  select array[
    'fields', 'pipelines', 'pipeline_stages', 'companies', 'contacts', 'deals', 'collections', 'collection_members', 'not_duplicates',
    'tasks', 'notes', 'saved_views', 'email_templates'
  ]
$$;

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
  kind text;
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

  -- A field that would go takes with it what was written into it since.
  if 'fields' = any (added) then
    foreach kind in array array['contacts', 'companies', 'deals'] loop
      return query execute format(
        'select p.table_name, p.row_id, p.label, ''in use''::text
         from public.changes p
         join public.fields f on f.user_id = $1 and f.id = p.row_id and f.record = %1$L
         where p.user_id = $1 and p.batch = $2 and p.table_name = ''fields'' and p.verb = ''insert''
           and exists (
             select from public.%1$I t
             where t.user_id = $1 and t.custom <> ''{}'' and t.custom ? p.row_id::text
               and not exists (
                 select from public.changes c where c.user_id = $1 and c.batch = $2 and c.row_id = t.id
               )
           )', kind)
        using me, wanted;
    end loop;
  end if;
  if 'fields' = any (altered) then
    return query
      select c.table_name, c.row_id, c.label, 'name taken'::text
      from public.changes c
      left join public.fields now on now.id = c.row_id
      cross join lateral jsonb_populate_record(now, c.before) r
      where c.user_id = me and c.batch = wanted and c.table_name = 'fields' and c.verb <> 'insert'
        and exists (
          select from public.fields t
          where t.user_id = me and t.record = r.record and lower(t.name) = lower(r.name) and t.id <> c.row_id
            and not exists (
              select from public.changes o where o.user_id = me and o.batch = wanted and o.row_id = t.id
            )
        );
  end if;
end
$$;

create or replace function private.undo_lines(me uuid, wanted uuid, kind text, done text, lines bigint[], left_alone uuid[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  rows uuid[];
  columns text;
begin
  if done = 'delete' then
    lines := private.with_own_origins(me, wanted, kind, lines);
    lines := array(select c.id from public.changes c where c.id = any (lines) and c.row_id <> all (left_alone));
    perform private.put_back(me, wanted, lines);
    rows := array(select c.row_id from public.changes c where c.id = any (lines));
  elsif done = 'update' then
    rows := array(select c.row_id from public.changes c where c.id = any (lines));
    select string_agg(quote_ident(a.attname), ', ') into columns
    from pg_catalog.pg_attribute a
    where a.attrelid = format('public.%I', kind)::regclass
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname not in ('id', 'user_id')
      and a.attname in (
        select split_part(k.name, '.', 1) from public.changes c cross join lateral jsonb_object_keys(c.before) as k (name)
        where c.id = any (lines)
      );
    if columns is not null then
      -- Put-back values are exact; the rows that an undone insert drags along are ordinary writes.
      perform set_config('solo.restoring', 'on', true);
      execute format(
        'update public.%1$I t set (%2$s) = (select %2$s from jsonb_populate_record(t, private.as_row(s.before)))
         from (
           select c.row_id, jsonb_object_agg(old.key, old.value order by c.id desc) as before
           from public.changes c
           cross join lateral jsonb_each(c.before) old
           where c.id = any ($2)
           group by c.row_id
         ) s
         where t.id = s.row_id and (t.user_id = $1) is true', kind, columns)
        using me, lines;
      perform set_config('solo.restoring', 'off', true);
    end if;
  else
    rows := array(select c.row_id from public.changes c where c.id = any (lines));
    execute format('delete from public.%1$I t where t.id = any ($2) and (t.user_id = $1) is true', kind) using me, rows;
    return;
  end if;
  perform private.drop_dangling_links_of(me, kind, rows);
end
$$;

create or replace function private.take_back_lines(me uuid, lines bigint[]) returns void
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

create or replace function private.link_again(me uuid, wanted uuid, restored uuid[]) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- right after a deletion the statistics know nothing of it yet
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  link record;
begin
  perform set_config('solo.restoring', 'on', true);
  for link in
    -- Pipelines come before stages by their names, too: a stage needs its pipeline.
    select k.* from private.links k
    where not k.is_part_of_parent and exists (
      select from public.changes c
      where c.user_id = me and c.batch = wanted and c.table_name = k.table_name and c.verb = 'update'
    )
    order by k.column_name
  loop
    execute format(
      'update public.%1$I t set %2$I = (c.before ->> %2$L)::uuid %3$s
       from public.changes c
       where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb = ''update''
         and (c.before ->> %2$L)::uuid = any ($3) and c.after -> %2$L = ''null''
         and t.id = c.row_id and t.user_id = $1 and t.%2$I is null %4$s',
      link.table_name, link.column_name,
      -- With its stage a deal lost when and why it was closed.
      case when link.column_name = 'stage_id' then
        ', closed_at = coalesce(t.closed_at, (c.before ->> ''closed_at'')::timestamptz)
         , lost_reason = coalesce(t.lost_reason, c.before ->> ''lost_reason'')' end,
      case when link.column_name = 'stage_id' then
        'and exists (
           select from public.pipeline_stages s
           where s.user_id = $1 and s.id = (c.before ->> ''stage_id'')::uuid and s.pipeline_id = t.pipeline_id
         )' end)
      using me, wanted, restored;
  end loop;
  for link in
    select f.record, f.id::text as field from public.fields f where f.user_id = me and f.id = any (restored)
  loop
    execute format(
      'update public.%1$I t set custom = jsonb_build_object($3, c.before -> (''custom.'' || $3))
       from public.changes c
       where c.user_id = $1 and c.batch = $2 and c.table_name = %1$L and c.verb = ''update''
         and c.before ->> (''custom.'' || $3) is not null
         and t.id = c.row_id and t.user_id = $1 and not t.custom ? $3', link.record)
      using me, wanted, link.field;
  end loop;
  perform set_config('solo.restoring', 'off', true);
end
$$;

comment on function private.link_again is
  'Links that a deletion cut, and values of fields that it took away, come back with the rows, where nobody has set them anew since.';

create function private.without_fields(logged jsonb, ids text[]) returns jsonb
language sql immutable
set search_path = ''
as $$
  select nullif(case when logged ? 'custom' then left_over || jsonb_build_object('custom', (left_over -> 'custom') - ids) else left_over end, '{}')
  from (select logged - array(select 'custom.' || i from unnest(ids) i) as left_over) l
$$;
comment on function private.without_fields is 'A row or a part of a change without the values of these fields; null when nothing is left.';

create function private.erase_fields(account uuid, gone uuid[]) returns void
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
  end if;
end
$$;
comment on function private.erase_fields is 'Takes what fields held out of the log, when nothing of them shall be left.';

create or replace function public.remove_for_good(filter jsonb) returns jsonb
language plpgsql
security definer
set search_path = ''
set statement_timeout = '300s'
set lock_timeout = '300s' -- see commit_import
as $$
declare
  me uuid := private.caller();
  roots bigint[];
  gone bigint[];
begin
  perform pg_advisory_xact_lock(hashtextextended('undo ' || me, 0));
  roots := private.trash_deletions(filter);
  gone := roots || private.parts_of(me, roots);
  -- A collection's name stands with everyone who was ever in it.
  update public.changes c set label = null
  where c.user_id = me and c.table_name = 'collection_members' and c.row_id in (
    select m.row_id from public.changes m
    where m.user_id = me and m.table_name = 'collection_members' and m.verb = 'delete'
      and (m.before ->> 'collection_id')::uuid in (
        select d.row_id from public.changes d where d.id = any (gone) and d.table_name = 'collections'
      )
  );
  perform private.erase_fields(me, array(
    select d.row_id from public.changes d where d.id = any (gone) and d.table_name = 'fields'
  ));
  update public.changes c set before = null, after = null, label = null, names = null
  from public.changes d
  where d.id = any (gone) and c.user_id = me and c.row_id = d.row_id and c.id <= d.id;
  return jsonb_build_object('count', cardinality(roots));
end
$$;

create or replace function private.erase_expired_of(account uuid) returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  erased_rows bigint;
  fields uuid[];
begin
  with expired as materialized (
    select c.row_id, c.id
    from public.changes c
    where c.user_id = account and c.verb = 'delete' and c.before is not null and c.created_at < now() - interval '30 days'
    order by c.created_at, c.id limit 1000
    for update of c skip locked -- what another transaction erases already is not waited for
  ),
  -- Row by row, not deletion by deletion: one row may have been deleted and brought back thousands of times.
  gone as materialized (
    select r.row_id, r.ids, (
      select max(id) from unnest(r.ids) id
      where id > coalesce((
        select max(c.id) from public.changes c
        where c.user_id = account and c.row_id = r.row_id and c.verb = 'insert'
      ), 0)
    ) as last_id
    from (select e.row_id, array_agg(e.id) as ids from expired e group by e.row_id) r
  ),
  cleared as (
    update public.changes c
    set before = null, after = null, names = null, label = case when c.id <= g.last_id then null else c.label end
    from gone g
    where c.user_id = account and c.row_id = g.row_id
      and (c.id <= g.last_id or c.id in (select e.id from expired e))
      and (c.before is not null or c.after is not null or c.label is not null)
  ),
  given_up as (
    -- A restore that was begun and never finished.
    delete from private.restores r where r.id in (
      select x.id from private.restores x
      where x.user_id = erase_expired_of.account and x.created_at < now() - interval '1 day' for update skip locked
    )
  )
  select count(*), array(
    select g.row_id from gone g join public.changes d on d.id = g.last_id where d.table_name = 'fields'
  )
  into erased_rows, fields from expired;
  perform private.erase_fields(account, fields);
  return erased_rows;
end
$$;

-- Merges -----------------------------------------------------------------------------------------------------

create function private.with_own_values(kind text, keep uuid, gone uuid[], changes jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  more jsonb;
begin
  -- What was not asked about is lost in no merge: of several values the one changed last.
  execute format(
    'select jsonb_object_agg(v.key, v.value order by o.updated_at, o.id)
     from public.%1$I o cross join lateral jsonb_each(o.custom) v
     where o.id = any ($2) and not exists (select from public.%1$I k where k.id = $1 and k.custom ? v.key)', kind)
  into more using keep, gone;
  return case
    when more is null or jsonb_typeof(changes) is distinct from 'object' then changes
    else changes || jsonb_build_object('custom', more || coalesce(nullif(changes -> 'custom', 'null'), '{}'))
  end;
end
$$;
comment on function private.with_own_values is
  'The values of the record that a merge keeps, with those of own fields that it lacks and another has.';

create or replace function public.merge_contacts(keep uuid, seen jsonb, changes jsonb default '{}') returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  gone uuid[] := private.lock_to_merge('contacts', keep, seen);
begin
  if char_length(changes ->> 'notes') > 50000 then
    raise exception 'The notes would be too long. Keep less of them.' using errcode = 'PT400';
  end if;
  perform private.set_merged('contacts', keep, private.with_own_values('contacts', keep, gone, changes));
  update public.tasks t set contact_id = keep where t.contact_id = any (gone);
  update public.deals d set contact_id = keep where d.contact_id = any (gone);
  update public.notes n set contact_id = keep where n.contact_id = any (gone);
  -- Into each collection once; what is left goes with its contact.
  update public.collection_members m set contact_id = keep
  where m.id in (
    select distinct on (o.collection_id) o.id from public.collection_members o
    where o.contact_id = any (gone)
      and not exists (select from public.collection_members k where k.collection_id = o.collection_id and k.contact_id = keep)
    order by o.collection_id, o.created_at, o.id
  );
  -- Who is not the same as one of them is not the same as the one that stays.
  insert into public.not_duplicates (one_contact_id, other_contact_id)
  select distinct least(keep, p.other), greatest(keep, p.other)
  from (
    select case when n.one_contact_id = any (gone) then n.other_contact_id else n.one_contact_id end as other
    from public.not_duplicates n
    where n.one_contact_id = any (gone) or n.other_contact_id = any (gone)
  ) p
  where p.other <> keep and p.other <> all (gone) and not exists (
    select from public.not_duplicates k
    where k.one_contact_id = least(keep, p.other) and k.other_contact_id = greatest(keep, p.other)
  );
  delete from public.contacts c where c.id = any (gone);
  perform private.name_deed('merge', (
    select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), 'Unnamed') from public.contacts c
    where c.id = keep
  ));
  return private.bulk_answer(cardinality(gone) + 1);
end
$$;

create or replace function public.merge_companies(keep uuid, seen jsonb, changes jsonb default '{}', note text default null) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  gone uuid[] := private.lock_to_merge('companies', keep, seen);
begin
  perform private.set_merged('companies', keep, private.with_own_values('companies', keep, gone, changes));
  update public.contacts p set company_id = keep where p.company_id = any (gone);
  update public.deals d set company_id = keep where d.company_id = any (gone);
  update public.tasks t set company_id = keep where t.company_id = any (gone);
  update public.notes n set company_id = keep where n.company_id = any (gone);
  if btrim(note) <> '' then
    insert into public.notes (body, company_id) values (note, keep);
  end if;
  insert into public.not_duplicates (one_company_id, other_company_id)
  select distinct least(keep, p.other), greatest(keep, p.other)
  from (
    select case when n.one_company_id = any (gone) then n.other_company_id else n.one_company_id end as other
    from public.not_duplicates n
    where n.one_company_id = any (gone) or n.other_company_id = any (gone)
  ) p
  where p.other <> keep and p.other <> all (gone) and not exists (
    select from public.not_duplicates k
    where k.one_company_id = least(keep, p.other) and k.other_company_id = greatest(keep, p.other)
  );
  delete from public.companies c where c.id = any (gone);
  perform private.name_deed('merge', (select c.name from public.companies c where c.id = keep));
  return private.bulk_answer(cardinality(gone) + 1);
end
$$;

-- Imports ----------------------------------------------------------------------------------------------------

create or replace function private.import_columns(of_kind text)
returns table (name text, definition text, added text, changed text, is_plain boolean)
language sql stable
set search_path = ''
as $$
  select c.name, case when c.type <> 'uuid' then format('%I %s', c.name, c.type) end,
    coalesce(s.added, format(case when c.usual is null then 'v.%I' else 'coalesce(v.%I, %s)' end, c.name, c.usual)),
    coalesce(s.changed, format('coalesce(v.%1$I, o.%1$I)', c.name)),
    s.name is null or s.name = 'custom'
  from private.columns_of(format('public.%I', of_kind)::regclass) c
  left join (values
    ('contacts', 'company_id', 'w.company_id', 'coalesce(w.company_id, o.company_id)'),
    -- Nothing is replaced: see added_notes.
    ('contacts', 'notes', null,
      'case when v.notes is null then o.notes else private.added_notes(o, coalesce(v.note_parts, jsonb_build_array(v.notes))) end'),
    -- A field is filled or changed by a value of its own column alone.
    ('contacts', 'custom', null, '(o.custom || jsonb_strip_nulls(coalesce(v.custom, ''{}'')))'),
    ('companies', 'custom', null, '(o.custom || jsonb_strip_nulls(coalesce(v.custom, ''{}'')))'),
    ('deals', 'custom', null, '(o.custom || jsonb_strip_nulls(coalesce(v.custom, ''{}'')))'),
    -- By these the record was found.
    ('companies', 'name', null, 'o.name'),
    ('deals', 'name', null, 'o.name'),
    ('deals', 'company_id', 'w.company_id', 'o.company_id'),
    ('deals', 'contact_id', 'w.contact_id', 'coalesce(o.contact_id, w.contact_id)'),
    ('deals', 'pipeline_id', 'coalesce(p.pipeline_id, usual.pipeline_id)', 'coalesce(p.pipeline_id, o.pipeline_id)'),
    ('deals', 'stage_id', 'p.stage_id', 's.id'),
    ('deals', 'lost_reason', 'case when s.outcome = ''lost'' then v.lost_reason end',
      'case when s.outcome = ''lost'' then coalesce(v.lost_reason, o.lost_reason) end')
  ) as s (kind, name, added, changed) on s.kind = of_kind and s.name = c.name
  -- A row says a link by the name of the record.
  where c.is_writable and (c.type <> 'uuid' or s.name is not null)
$$;

create or replace function private.rest_of_contact(row_name text) returns text
language sql stable
set search_path = ''
as $$
  select format('concat_ws('' '', %s)', string_agg(
    format(case when c.name = 'custom' then 'nullif(%I.%I, ''{}'')::text' else '%I.%I' end, row_name, c.name), ', '))
  from private.columns_of('public.contacts') c
  where c.is_writable and (c.type = 'text' and c.usual is null or c.name = 'custom')
    and c.name not in ('first_name', 'last_name', 'email', 'phone_number')
$$;

create or replace function public.add_import_rows(id uuid, rows jsonb) returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  i private.imports := private.own_import(add_import_rows.id, true);
  received integer;
begin
  if i.summary is not null then
    return i.total;
  end if;
  if jsonb_typeof(rows) is distinct from 'array' or jsonb_array_length(rows) > 5000 then
    raise exception 'Rows are sent as lists of at most 5,000.' using errcode = 'PT400';
  end if;
  execute format(
    'insert into private.import_rows (import_id, user_id, place, said, problem, email_key, name_key)
     select $1.id, $1.user_id, r.place, coalesce(r.said, ''{}''), r.problem,
       case when $1.kind = ''contacts'' then lower(v.email) end,
       case $1.kind
         when ''contacts'' then k.key
         when ''companies'' then private.fold(v.name)
         else private.fold(v.name || E''\n'' || coalesce(v.company, ''''))
       end
     from jsonb_to_recordset($2) as r (place integer, said jsonb, problem text)
     cross join lateral jsonb_to_record(coalesce(r.said, ''{}'')) as v (name text, company text, %s)
     cross join lateral private.contact_key(v.first_name, v.last_name, v.phone_number, v.company, %s) k
     on conflict do nothing',
    (select string_agg(c.definition, ', ') from private.import_columns('contacts') c where c.definition like '% text' or c.name = 'custom'),
    private.rest_of_contact('v'))
  using i, rows;
  select count(*) into received from private.import_rows r where r.import_id = i.id;
  if received > i.total then
    raise exception 'More rows were sent than the file has.' using errcode = 'PT400';
  end if;
  return received;
end
$$;

create or replace function private.write_import_rows(
  w private.unfinished_work, i private.imports, step text, after bigint, last bigint
) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  row_count bigint;
  counts jsonb;
begin
  if step = 'companies' then
    insert into public.companies (id, user_id, name, created_at)
    select p.company_id, i.user_id, p.said ->> 'company', w.started_at
    from private.planned_rows(i, after, last) p where p.adds_company;
    get diagnostics row_count = row_count;
    return jsonb_build_object('companies', row_count);
  elsif step = 'contacts' then
    insert into public.contacts (id, user_id, first_name, last_name, email, company_id, created_at)
    select p.contact_id, i.user_id, p.said ->> 'contact_first_name', p.said ->> 'contact_last_name', p.said ->> 'contact_email',
      p.company_id, w.started_at
    from private.planned_rows(i, after, last) p where p.adds_contact;
    get diagnostics row_count = row_count;
    return jsonb_build_object('contacts', row_count);
  elsif i.kind <> 'deals' then
    return private.write_records(i, w.started_at, after, last);
  end if;
  -- Exact values, but of own fields only such as are allowed.
  perform set_config('solo.importing', 'on', true);
  counts := private.write_deals(i, w.started_at, after, last,
    array(select p from jsonb_populate_recordset(null::private.place_in_pipeline, w.state -> 'places') p),
    (w.state ->> 'usual')::uuid);
  perform set_config('solo.importing', 'off', true);
  return counts;
end
$$;

-- Backups ----------------------------------------------------------------------------------------------------

create or replace function private.backup_kinds() returns table (kind text, source text, key text, key_type text)
language sql immutable
set search_path = ''
as $$
  -- Parts before their wholes: what is added while the file is read has its whole in it, too.
  values
    ('collection_members', 'public.collection_members', 'id', 'uuid'),
    ('not_duplicates', 'public.not_duplicates', 'id', 'uuid'),
    ('notes', 'public.notes', 'id', 'uuid'),
    ('tasks', 'public.tasks', 'id', 'uuid'),
    ('deals', 'public.deals', 'id', 'uuid'),
    ('pipeline_stages', 'public.pipeline_stages', 'id', 'uuid'),
    ('pipelines', 'public.pipelines', 'id', 'uuid'),
    ('contacts', 'public.contacts', 'id', 'uuid'),
    ('companies', 'public.companies', 'id', 'uuid'),
    ('fields', 'public.fields', 'id', 'uuid'),
    ('collections', 'public.collections', 'id', 'uuid'),
    ('saved_views', 'public.saved_views', 'id', 'uuid'),
    ('email_templates', 'public.email_templates', 'id', 'uuid'),
    ('preferences', 'public.preferences', 'user_id', 'uuid'),
    ('deeds', 'private.deeds', 'batch', 'uuid'),
    ('changes', 'public.changes', 'id', 'bigint')
$$;

create or replace function public.start_restore(id uuid, version integer, tables jsonb, account uuid default null, about text default null)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- The first had no fields.
  if coalesce(version, 0) not in (1, 2) then
    perform private.damaged('it was made by a newer version of Solo CRM');
  end if;
  if exists (select from private.restores r where r.id = start_restore.id and r.user_id = private.caller()) then
    return;
  end if;
  if exists (
    select from jsonb_each(tables) t
    where jsonb_typeof(t.value) <> 'number' or t.key not in (select k.kind from private.backup_kinds() k)
  ) then
    perform private.damaged('it has parts that are not known');
  end if;
  if (select sum(t.value::numeric) from jsonb_each_text(tables) t) > 3000000 then
    perform private.damaged('it has more than 3,000,000 rows');
  end if;
  -- One at a time: what was begun before was given up.
  delete from private.restores r where r.user_id = private.caller();
  insert into private.restores (id, user_id, account, tables, about)
  values (start_restore.id, private.caller(), start_restore.account, start_restore.tables, left(start_restore.about, 255));
end
$$;

create function private.same_option(options jsonb, said jsonb) returns text
language sql immutable
set search_path = ''
as $$
  select o.id from jsonb_to_recordset(options) as o (id text, name text)
  where o.id = said ->> 'id' or lower(o.name) = lower(btrim(said ->> 'name'))
  order by o.id <> said ->> 'id' limit 1
$$;
comment on function private.same_option is 'The option of a field that one of a backup means: of the same id, or else of the same name.';

create or replace function private.settle_names(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  part record;
begin
  -- A collection of the same name is the same collection.
  update private.restore_rows s set new_id = t.id, is_new = false
  from public.collections t
  where s.restore_id = restore and s.kind = 'collections' and s.is_new and t.user_id = me and t.name = s.said ->> 'name';
  -- A field of the same name and kind is the same field; of another kind, it stands beside it. Fields come after those
  -- that are there.
  update private.restore_rows s set new_id = t.id, is_new = false
  from public.fields t
  where s.restore_id = restore and s.kind = 'fields' and s.is_new and t.user_id = me
    and t.record = s.said ->> 'record' and t.kind = s.said ->> 'kind' and lower(t.name) = lower(btrim(s.said ->> 'name'));
  update private.restore_rows s set said = s.said
    || jsonb_build_object('position', (s.said ->> 'position')::integer + (
      select coalesce(max(t.position), 0) from public.fields t where t.user_id = me and t.record = s.said ->> 'record'))
    || case when exists (
      select from public.fields t
      where t.user_id = me and t.record = s.said ->> 'record' and lower(t.name) = lower(btrim(s.said ->> 'name'))
    ) then jsonb_build_object('name', left(s.said ->> 'name', 40) || ' (restored ' || left(s.new_id::text, 8) || ')') else '{}' end
  where s.restore_id = restore and s.kind = 'fields' and s.is_new;
  -- Views and templates stand beside the one that has their name.
  for part in select * from (values ('saved_views', 't.screen = s.said ->> ''screen'''), ('email_templates', 'true')) v (kind, same) loop
    execute format(
      'update private.restore_rows s set said = s.said || jsonb_build_object(''name'',
         left(s.said ->> ''name'', 175) || '' (restored '' || left(s.new_id::text, 8) || '')'')
       where s.restore_id = $2 and s.kind = %1$L and s.is_new and exists (
         select from public.%1$I t where t.user_id = $1 and t.name = s.said ->> ''name'' and %2$s
       )', part.kind, part.same)
    using me, restore;
  end loop;
end
$$;

create function private.place_own_values(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  -- Where the values of each field go, and its options.
  places jsonb;
begin
  select jsonb_object_agg(s.old_id, jsonb_build_object('id', s.new_id, 'options', (
    select coalesce(jsonb_object_agg(o.said ->> 'id', private.same_option(t.options, o.said)), '{}')
    from jsonb_array_elements(s.said -> 'options') as o (said)
    where private.same_option(t.options, o.said) <> o.said ->> 'id'
  )))
  into places
  from private.restore_rows s
  left join public.fields t on t.user_id = me and t.id = s.new_id
  where s.restore_id = restore and s.kind = 'fields' and s.old_id is not null;
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
  'Values of own fields go to where the fields of the backup are now, and those of choices to the options that are there.';

create or replace function private.map_links(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  link record;
begin
  for link in
    select k.* from private.links k
    where k.table_name in (select b.kind from private.backup_kinds() b)
    -- A stage is known by its pipeline and its name, a place in a collection by both its ends.
    order by array_position(array['pipeline_stages', 'collection_members'], k.table_name) nulls last
  loop
    execute format(
      'update private.restore_rows s set said = s.said || jsonb_build_object(%2$L, coalesce(
         (select p.new_id from private.restore_rows p
          where p.restore_id = $2 and p.kind = %3$L and p.old_id = (s.said ->> %2$L)::uuid limit 1),
         (select p.id from public.%3$I p where p.user_id = $1 and p.id = (s.said ->> %2$L)::uuid)
       ))
       -- Read here, because the plans of the two above may never look at what is no id.
       where s.restore_id = $2 and s.kind = %1$L and s.is_new and (s.said ->> %2$L)::uuid is not null',
      link.table_name, link.column_name, link.parent_name)
    using me, restore;
    if link.table_name = 'pipeline_stages' then
      update private.restore_rows s set new_id = t.id, is_new = false
      from public.pipeline_stages t
      where s.restore_id = restore and s.kind = 'pipeline_stages' and s.is_new
        and t.user_id = me and t.pipeline_id = (s.said ->> 'pipeline_id')::uuid and t.name = s.said ->> 'name';
    end if;
  end loop;
  perform private.place_own_values(me, restore);
  -- Of a pair the smaller id stands first, also where both are new.
  update private.restore_rows s set said = s.said || jsonb_build_object(
    'one_contact_id', least(s.said ->> 'one_contact_id', s.said ->> 'other_contact_id'),
    'other_contact_id', greatest(s.said ->> 'one_contact_id', s.said ->> 'other_contact_id'),
    'one_company_id', least(s.said ->> 'one_company_id', s.said ->> 'other_company_id'),
    'other_company_id', greatest(s.said ->> 'one_company_id', s.said ->> 'other_company_id'))
  where s.restore_id = restore and s.kind = 'not_duplicates' and s.is_new
    and num_nonnulls(s.said ->> 'one_contact_id', s.said ->> 'other_contact_id',
      s.said ->> 'one_company_id', s.said ->> 'other_company_id') = 2;
  update private.restore_rows s set is_new = false
  from public.not_duplicates t
  where s.restore_id = restore and s.kind = 'not_duplicates' and s.is_new and t.user_id = me and (
    t.one_contact_id = (s.said ->> 'one_contact_id')::uuid and t.other_contact_id = (s.said ->> 'other_contact_id')::uuid
    or t.one_company_id = (s.said ->> 'one_company_id')::uuid and t.other_company_id = (s.said ->> 'other_company_id')::uuid
  );
  update private.restore_rows s set is_new = false
  from public.collection_members t
  where s.restore_id = restore and s.kind = 'collection_members' and s.is_new and t.user_id = me
    and t.collection_id = (s.said ->> 'collection_id')::uuid and t.contact_id = (s.said ->> 'contact_id')::uuid;
end
$$;

create function private.with_new_fields(restore uuid, value jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(case
    when m.new_id is null then e.key
    when e.key like 'custom.%' then 'custom.' || m.new_id
    else m.new_id::text
  end, e.value), '{}')
  from jsonb_each(value) e
  left join lateral (
    select s.new_id from private.restore_rows s
    where s.restore_id = restore and s.kind in ('fields', 'gone')
      and s.old_id = substring(e.key from '^(?:custom\.)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid
    limit 1
  ) m on true
$$;
comment on function private.with_new_fields is 'Values by the ids of their fields, by those that the fields have now.';

create or replace function private.with_new_ids(restore uuid, value jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select case when jsonb_typeof(value) = 'object' then (
    select coalesce(jsonb_object_agg(e.key, case
      when e.key in ('custom', 'names') and jsonb_typeof(e.value) = 'object' then private.with_new_fields(restore, e.value)
      else coalesce(to_jsonb(m.new_id), e.value)
    end), '{}')
    from jsonb_each(case when value::text like '%"custom.%' then private.with_new_fields(restore, value) else value end) e
    left join lateral (
      select s.new_id from private.restore_rows s
      where s.restore_id = restore and s.new_id <> s.old_id and jsonb_typeof(e.value) = 'string'
        and s.old_id = case when e.key in ('row_id', 'contact_id', 'company_id', 'deal_id', 'stage_id', 'pipeline_id',
          'collection_id', 'repeated_from', 'one_contact_id', 'other_contact_id', 'one_company_id', 'other_company_id') then (e.value #>> '{}')::uuid end
      limit 1
    ) m on true
  ) else value end
$$;

create or replace function private.write_rows(me uuid, restore uuid, of_kind text, after_part integer, after_place integer, last_part integer, last_place integer)
returns void
language plpgsql
set search_path = ''
as $$
declare
  source text := (select k.source from private.backup_kinds() k where k.kind = of_kind);
  columns text;
begin
  if of_kind = 'changes' then
    begin
      -- Before the rows themselves, or their own past would look like something done to them since.
      insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, after, names, created_at)
      select me, r.batch, r.undoes, r.table_name, r.row_id, r.contact_id, r.company_id, r.deal_id, left(r.label, 1000), r.verb,
        case when r.verb = 'delete' then r.before || jsonb_build_object('user_id', me) else r.before end, r.after, r.names, r.created_at
      from (
        select c.* from private.restore_rows s
        cross join lateral jsonb_populate_record(null::public.changes, s.said) c
        where s.restore_id = restore and s.kind = 'changes'
          and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
      ) r
      order by r.id;
    exception when data_exception or integrity_constraint_violation then
      perform private.damaged('it has a value that is not allowed');
    end;
    return;
  end if;
  -- What the file has no column for keeps its default: it may be older than the column.
  select string_agg(quote_ident(c.name), ', ') into columns
  from private.columns_of(source::regclass) c
  where c.name in ('id', 'user_id') or c.name in (
    select jsonb_object_keys(s.said) from private.restore_rows s
    where s.restore_id = restore and s.kind = of_kind and s.is_new
      and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
  );
  perform set_config('solo.restoring', 'on', true);
  begin
    execute format(
      'insert into %1$s (%2$s)
       select %2$s from (
         select r.* from private.restore_rows s
         cross join lateral jsonb_populate_record(null::%1$s, s.said || jsonb_build_object(''id'', s.new_id, ''user_id'', $1)) r
         where s.restore_id = $2 and s.kind = %3$L and s.is_new
           and (s.part, s.place) > ($3, $4) and (s.part, s.place) <= ($5, $6)
         order by s.part, s.place
       ) lines', source, columns, of_kind)
    using me, restore, after_part, after_place, last_part, last_place;
  exception when data_exception or integrity_constraint_violation then
    perform private.damaged('one of its ' || replace(of_kind, '_', ' ') || ' has a value that is not allowed');
  end;
  if of_kind = 'deals' then
    update public.deals d set stage_id = null
    where d.user_id = me and d.stage_id is not null
      and d.id in (
        select s.new_id from private.restore_rows s
        where s.restore_id = restore and s.kind = 'deals' and s.is_new
          and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
      )
      and not exists (
        select from public.pipeline_stages s where s.user_id = me and s.id = d.stage_id and s.pipeline_id = d.pipeline_id
      );
  end if;
  perform set_config('solo.restoring', 'off', true);
end
$$;

-- Who may call what ------------------------------------------------------------------------------------------

-- Whoever writes a row runs its triggers, and what they call.
revoke all on function
  private.checked_options(text, jsonb), private.guard_field(), private.own_value(public.fields, jsonb, boolean),
  private.keep_own_values(), private.drop_own_values(), public.field_counts(text), public.field_option_counts(uuid),
  public.order_fields(uuid[]), public.delete_field(uuid), private.names_of_fields(uuid, uuid[], jsonb, jsonb),
  private.as_row(jsonb), private.with_names(jsonb, jsonb), private.without_fields(jsonb, text[]),
  private.erase_fields(uuid, uuid[]), private.with_own_values(text, uuid, uuid[], jsonb),
  private.same_option(jsonb, jsonb), private.place_own_values(uuid, uuid), private.with_new_fields(uuid, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.checked_options(text, jsonb), private.guard_field(), private.own_value(public.fields, jsonb, boolean),
  private.keep_own_values(), private.drop_own_values(), public.field_counts(text), public.field_option_counts(uuid),
  public.order_fields(uuid[]), public.delete_field(uuid), private.with_names(jsonb, jsonb),
  private.with_own_values(text, uuid, uuid[], jsonb)
  to authenticated, service_role;
