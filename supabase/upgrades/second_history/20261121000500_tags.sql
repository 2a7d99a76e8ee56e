-- Tags of contacts, companies and deals: short names that the user makes up, beside collections. Decision 036.

-- What a tag is ----------------------------------------------------------------------------------------------

create function private.tags_of(said text[]) returns text[]
language sql immutable parallel safe
set search_path = ''
as $$
  select coalesce(array_agg(t.tag order by t.place), '{}')
  from (
    select distinct on (lower(w.tag)) w.tag, w.place
    from (
      select btrim(regexp_replace(p.tag, '\s+', ' ', 'g')) as tag, (s.place, p.place) as place
      from unnest(said) with ordinality as s (tag, place)
      -- What parts tags in files parts them everywhere, so that every file brings back what was written into it.
      cross join lateral regexp_split_to_table(s.tag, '[;,|\n\r]') with ordinality as p (tag, place)
    ) w
    where w.tag <> ''
    order by lower(w.tag), w.place
  ) t
$$;
comment on function private.tags_of is
  'Tags as they are stored: trimmed, each once without regard to case, in the order in which they were given.';

create function private.lower_tags(tags text[]) returns text[]
language plpgsql immutable parallel safe
set search_path = ''
as $$
begin
  -- No tag has lines. Many times faster than letter by letter through a query.
  return string_to_array(lower(array_to_string(tags, E'\n')), E'\n');
end
$$;
comment on function private.lower_tags is 'What tags are compared by.';

create function private.tag_words(tags text[]) returns text
language plpgsql immutable parallel safe
set search_path = ''
as $$
begin
  return array_to_string(tags, ' ');
end
$$;
comment on function private.tag_words is 'Tags as they are searched. Declared immutable so that generated columns may use it: they are texts already.';

create function private.united_tags(own text[], more text[]) returns text[]
language sql immutable parallel safe
set search_path = ''
as $$ select case when more is null or more <@ own then own else (private.tags_of(own || more))[:50] end $$;
comment on function private.united_tags is 'Tags with more of them, as many as a record can have.';

create function private.without_tags(own text[], gone text[]) returns text[]
language sql immutable parallel safe
set search_path = ''
as $$
  select coalesce(array_agg(t.tag order by t.place), '{}')
  from unnest(own) with ordinality as t (tag, place) where lower(t.tag) <> all (private.lower_tags(gone))
$$;
comment on function private.without_tags is 'Tags without these.';

create function private.keep_tags() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.tags := private.tags_of(new.tags);
  if exists (select from unnest(new.tags) t where char_length(t) > 60) then
    raise exception 'A tag can have at most 60 letters. Nothing was saved.' using errcode = 'PT400';
  end if;
  if cardinality(new.tags) > 50 then
    raise exception 'A record can have at most 50 tags. Nothing was saved.' using errcode = 'PT400';
  end if;
  return new;
end
$$;
comment on function private.keep_tags is 'Tags are stored as private.tags_of makes them, whoever writes; what is too long or too many is refused in words.';

-- Whoever writes a row runs its triggers, fills its indexes and generated columns.
revoke all on function
  private.tags_of(text[]), private.lower_tags(text[]), private.tag_words(text[]), private.united_tags(text[], text[]),
  private.without_tags(text[], text[]), private.keep_tags()
  from public, anon, authenticated;
grant execute on function
  private.tags_of(text[]), private.lower_tags(text[]), private.tag_words(text[]), private.united_tags(text[], text[]),
  private.without_tags(text[], text[]), private.keep_tags()
  to authenticated, service_role;

-- The columns ------------------------------------------------------------------------------------------------

-- A default that is the same for all rows is written into no row.
alter table public.contacts add column tags text[] not null default '{}';
alter table public.companies add column tags text[] not null default '{}';
alter table public.deals add column tags text[] not null default '{}';
comment on column public.contacts.tags is 'At most 50, each of at most 60 letters, none twice without regard to case.';
comment on column public.companies.tags is 'As those of contacts.';
comment on column public.deals.tags is 'As those of contacts.';

do $$
declare
  kind text;
begin
  foreach kind in array array['contacts', 'companies', 'deals'] loop
    perform private.add_field(format('public.%I', kind)::regclass, 'tags');
    -- Whoever writes none waits for nothing. A row that comes back from before there were tags has null.
    execute format('create trigger tags_added before insert on public.%I
      for each row when (new.tags is distinct from ''{}''::text[]) execute function private.keep_tags()', kind);
    execute format('create trigger tags_changed before update of tags on public.%I
      for each row when (new.tags is distinct from old.tags) execute function private.keep_tags()', kind);
    -- A record without a tag costs nothing here.
    execute format('create index %I on public.%I using gin (user_id, private.lower_tags(tags)) where tags <> ''{}''',
      kind || '_by_tags', kind);
  end loop;
end
$$;

-- The digits of the phone number stay last: private.contact_duplicates looks for them there.
select
  private.make_searchable('public.contacts', array['first_name', 'last_name', 'nickname', 'email',
    $$case when custom <> '{}' then private.own_texts(custom) end$$, $$case when tags <> '{}' then private.tag_words(tags) end$$,
    $$regexp_replace(phone_number, '[^0-9]', '', 'g')$$]),
  private.make_searchable('public.companies', array['name', 'industry', 'location',
    $$case when custom <> '{}' then private.own_texts(custom) end$$, $$case when tags <> '{}' then private.tag_words(tags) end$$]),
  private.make_searchable('public.deals', array['name',
    $$case when custom <> '{}' then private.own_texts(custom) end$$, $$case when tags <> '{}' then private.tag_words(tags) end$$]);

-- Filters ----------------------------------------------------------------------------------------------------

create function private.tag_condition(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
begin
  if jsonb_typeof(filter -> 'tags') <> 'array' then
    raise exception 'The filter cannot be read.' using errcode = 'PT400';
  end if;
  -- The first part lets the index serve, which has no rows without tags.
  return format('c.tags <> ''{}'' and private.lower_tags(c.tags) && %L::text[]', private.lower_tags(private.texts(filter -> 'tags')));
end
$$;
comment on function private.tag_condition is 'The rows that have one of these tags, as a condition on "c". Every value is quoted.';

create or replace function private.conditions(kind text, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  -- What every table with tags has: the conditions of each know nothing of it.
  rest jsonb := case when kind <> 'tasks' and jsonb_typeof(filter) = 'object' then filter - 'tags' else filter end;
begin
  return concat_ws(' and ',
    case kind
      when 'contacts' then private.contact_conditions(rest)
      when 'companies' then private.company_conditions(rest)
      when 'tasks' then private.task_conditions(rest)
      when 'deals' then private.deal_conditions(rest)
    end,
    case when rest <> filter then private.tag_condition(filter) end);
end
$$;

create or replace function private.needs_finder(filter jsonb) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$ select private.is_search(filter) or filter ?| array['fields', 'tags'] $$;

revoke all on function private.tag_condition(jsonb) from public, anon, authenticated;
-- Conditions are read under the policies too.
grant execute on function private.tag_condition(jsonb) to authenticated, service_role;

-- Imports and merges -----------------------------------------------------------------------------------------

-- Looked up by both, so that the next column of this kind is a row here and no function has to be written anew.
create table private.list_columns (
  kind text not null,
  name text not null,
  united text not null,
  in_merges boolean not null default true,
  primary key (kind, name)
);
comment on table private.list_columns is
  'Columns to which an import and a merge add, such as those that hold several values. "united" is the function that makes one value of two: what is there first, and null as good as none. A merge asks about some of them instead.';
revoke all on private.list_columns from public, anon, authenticated;
-- A merge runs with the rights of whoever asks.
grant select on private.list_columns to authenticated, service_role;

insert into private.list_columns (kind, name, united)
select k.kind, 'tags', 'private.united_tags' from unnest(array['contacts', 'companies', 'deals']) as k (kind);

create or replace function private.import_columns(of_kind text)
returns table (name text, definition text, added text, changed text, is_plain boolean)
language sql stable
set search_path = ''
as $$
  select c.name, case when c.type <> 'uuid' then format('%I %s', c.name, c.type) end,
    coalesce(s.added, format(case when c.usual is null then 'v.%I' else 'coalesce(v.%I, %s)' end, c.name, c.usual)),
    coalesce(s.changed, format(coalesce(l.united || '(o.%1$I, v.%1$I)', 'coalesce(v.%1$I, o.%1$I)'), c.name)),
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
  left join private.list_columns l on l.kind = of_kind and l.name = c.name
  -- A row says a link by the name of the record.
  where c.is_writable and (c.type <> 'uuid' or s.name is not null)
$$;

create function private.with_lists(kind text, keep uuid, gone uuid[], changes jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  part record;
  other uuid;
  kept jsonb;
  list jsonb;
begin
  for part in select l.name, l.united from private.list_columns l where l.kind = with_lists.kind and l.in_merges loop
    -- Whoever says what the list shall be has looked at all of them.
    continue when changes ? part.name;
    execute format('select to_jsonb(k.%I) from public.%I k where k.id = $1', part.name, kind) into kept using keep;
    list := kept;
    foreach other in array gone loop
      execute format(
        'select to_jsonb(%1$s((select k.%2$I from jsonb_populate_record(null::public.%3$I, jsonb_build_object(%2$L, $1)) k), o.%2$I))
         from public.%3$I o where o.id = $2', part.united, part.name, kind)
      into list using list, other;
    end loop;
    if list <> kept then
      changes := changes || jsonb_build_object(part.name, list);
    end if;
  end loop;
  return changes;
end
$$;
comment on function private.with_lists is
  'The values of the record that a merge keeps, with its lists and those of the others together.';

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
     from public.%1$I o cross join lateral jsonb_each(o.custom) v
     where o.id = any ($2) and not exists (select from public.%1$I k where k.id = $1 and k.custom ? v.key)', kind)
  into more using keep, gone;
  if more is not null then
    changes := changes || jsonb_build_object('custom', more || coalesce(nullif(changes -> 'custom', 'null'), '{}'));
  end if;
  return private.with_lists(kind, keep, gone, changes);
end
$$;

revoke all on function private.with_lists(text, uuid, uuid[], jsonb) from public, anon, authenticated;
grant execute on function private.with_lists(text, uuid, uuid[], jsonb) to authenticated, service_role;

-- Writes to all that a filter means --------------------------------------------------------------------------

-- Looked up, as above: the next field that can be set for many records at once is a row here.
create table private.bulk_changes (
  kind text not null,
  key text not null,
  sets text not null,
  label text not null,
  place integer not null,
  primary key (kind, key)
);
comment on table private.bulk_changes is
  'What can be set for many records at once: its name among the changes ($2), what of the row "c" it sets, and what people call it.';
revoke all on private.bulk_changes from public, anon, authenticated;
grant select on private.bulk_changes to authenticated, service_role;

insert into private.bulk_changes (kind, key, sets, label, place) values
  ('contacts', 'lead_status', 'lead_status = $2 ->> ''lead_status''', 'lead status', 1),
  ('contacts', 'company_id', 'company_id = ($2 ->> ''company_id'')::uuid', 'company', 2),
  ('deals', 'stage_id', 'stage_id = ($2 ->> ''stage_id'')::uuid', 'stage', 1),
  ('deals', 'expected_close_date', 'expected_close_date = ($2 ->> ''expected_close_date'')::date', 'expected close', 2);
insert into private.bulk_changes (kind, key, sets, label, place)
select k.kind, c.key, c.sets, c.label, c.place
from unnest(array['contacts', 'deals']) as k (kind)
cross join (values
  ('add_tags', 'tags = private.tags_of(c.tags || private.texts($2 -> ''add_tags''))', 'tags', 3),
  ('remove_tags', 'tags = private.without_tags(c.tags, private.texts($2 -> ''remove_tags''))', 'tags', 3),
  ('custom', 'custom = $2 -> ''custom''', 'fields of your own', 9)
) as c (key, sets, label, place);

create function private.set_many(kind text, ids uuid[], changes jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  sets text;
  row_count bigint := 0;
  labels text[] := array(
    select b.label from private.bulk_changes b where b.kind = set_many.kind group by b.label order by min(b.place)
  );
begin
  if jsonb_typeof(changes) is distinct from 'object'
    or changes - array(select b.key from private.bulk_changes b where b.kind = set_many.kind) <> '{}'
    or changes ?& array['add_tags', 'remove_tags']
  then
    raise exception 'Only % and % can be set for many % at once.',
      array_to_string(labels[:cardinality(labels) - 1], ', '), labels[cardinality(labels)], kind using errcode = 'PT400';
  end if;
  select string_agg(b.sets, ', ' order by b.place) into sets
  from private.bulk_changes b where b.kind = set_many.kind and changes ? b.key;
  if sets is not null then
    execute format('update public.%I c set %s where c.id = any ($1)', kind, sets) using ids, changes;
    get diagnostics row_count = row_count;
  end if;
  return private.bulk_answer(row_count);
end
$$;
comment on function private.set_many is 'Sets, of these records, what private.bulk_changes knows; everything else is refused in words.';

create or replace function public.update_contacts(filter jsonb, changes jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.set_many('contacts', private.ids_of('contacts', filter), changes) $$;

create or replace function public.update_deals(filter jsonb, changes jsonb) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
begin
  if changes ->> 'stage_id' is not null and not exists (
    select from public.pipeline_stages s where s.id = (changes ->> 'stage_id')::uuid
  ) then
    raise exception 'The chosen stage does not exist any more.' using errcode = 'PT404';
  end if;
  return private.set_many('deals', private.ids_of('deals', filter), changes);
end
$$;
comment on function public.update_contacts is 'Sets lead status, company, tags or own fields of every contact that a filter means.';
comment on function public.update_deals is
  'Sets stage, expected close, tags or own fields of every deal that a filter means; a stage brings its pipeline with it.';

revoke all on function private.set_many(text, uuid[], jsonb) from public, anon, authenticated;
grant execute on function private.set_many(text, uuid[], jsonb) to authenticated, service_role;

-- All tags of an account -------------------------------------------------------------------------------------

create function public.tag_counts() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('name', t.name, 'contacts', t.contacts, 'companies', t.companies, 'deals', t.deals)
    order by t.records desc, lower(t.name)), '[]')
  from (
    -- Written in several ways, it is called as most write it.
    select (array_agg(w.tag order by w.records desc, w.tag))[1] as name, sum(w.records) as records,
      coalesce(sum(w.records) filter (where w.kind = 'contacts'), 0) as contacts,
      coalesce(sum(w.records) filter (where w.kind = 'companies'), 0) as companies,
      coalesce(sum(w.records) filter (where w.kind = 'deals'), 0) as deals
    from (
      select 'contacts' as kind, t.tag, count(*) as records from public.contacts c cross join lateral unnest(c.tags) as t (tag)
      where c.tags <> '{}' group by t.tag
      union all
      select 'companies', t.tag, count(*) from public.companies c cross join lateral unnest(c.tags) as t (tag)
      where c.tags <> '{}' group by t.tag
      union all
      select 'deals', t.tag, count(*) from public.deals c cross join lateral unnest(c.tags) as t (tag)
      where c.tags <> '{}' group by t.tag
    ) w
    group by lower(w.tag)
    order by records desc, lower(w.tag) limit 1000
  ) t
$$;
comment on function public.tag_counts is
  'The tags that the caller''s records have, the most used first, with how many contacts, companies and deals have each; at most 1,000.';

alter table private.deeds drop constraint deeds_deed_known;
alter table private.deeds add constraint deeds_deed_known
  check (deed in ('import', 'merge', 'backup', 'samples', 'rename tag', 'delete tag'));

create function private.replace_tag(tag text, name text) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  kind text;
  changed bigint;
  total bigint := 0;
begin
  foreach kind in array array['contacts', 'companies', 'deals'] loop
    execute format(
      'with changed as (
         update public.%1$I c set tags = case
           when $3 is null then private.without_tags(c.tags, array[$2])
           else array(
             select case when lower(t.tag) = lower($2) then $3 else t.tag end
             from unnest(c.tags) with ordinality as t (tag, place) order by t.place
           )
         end
         where c.id = any ($1) returning 1
       )
       select count(*) from changed', kind)
    into changed using private.ids_of(kind, jsonb_build_object('tags', jsonb_build_array(tag))), tag, name;
    total := total + changed;
  end loop;
  if total = 0 then
    raise exception 'No record has this tag any more.' using errcode = 'PT404';
  end if;
  return jsonb_build_object('count', total);
end
$$;
comment on function private.replace_tag is
  'Writes another tag in the place of one, on all records that have it, or none where the name is null. A record that has both has it once.';

create function public.rename_tag(tag text, name text) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  tags text[] := private.tags_of(array[rename_tag.name]);
  wanted text := tags[1];
  answer jsonb;
begin
  if cardinality(tags) <> 1 then
    raise exception 'A tag has a name, without commas, semicolons and bars. Nothing was saved.' using errcode = 'PT400';
  end if;
  -- Another tag keeps its spelling.
  if lower(wanted) <> lower(btrim(tag)) then
    wanted := coalesce((
      select t.name from jsonb_to_recordset(public.tag_counts()) as t (name text) where lower(t.name) = lower(wanted)
    ), wanted);
  end if;
  answer := private.replace_tag(btrim(tag), wanted);
  perform private.name_deed('rename tag', btrim(tag) || ' → ' || wanted);
  return private.bulk_answer((answer -> 'count')::bigint);
end
$$;
comment on function public.rename_tag is
  'Gives a tag another name on all contacts, companies and deals, in one batch. Where there is a tag of that name, the two become one.';

create function public.delete_tag(tag text) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  answer jsonb := private.replace_tag(btrim(tag), null);
begin
  perform private.name_deed('delete tag', btrim(tag));
  return private.bulk_answer((answer -> 'count')::bigint);
end
$$;
comment on function public.delete_tag is 'Takes a tag from all contacts, companies and deals, in one batch.';

revoke all on function
  public.tag_counts(), private.replace_tag(text, text), public.rename_tag(text, text), public.delete_tag(text)
  from public, anon, authenticated;
grant execute on function
  public.tag_counts(), private.replace_tag(text, text), public.rename_tag(text, text), public.delete_tag(text)
  to authenticated, service_role;
