-- Tags of contacts, companies and deals: short names that the user makes up. No table of tags: a tag exists as long as a record
-- has it. Decision 036.

-- What a tag is -----------------------------------------------------------------------------------------------

create function private.tags_of(reported text[]) returns text[]
language sql immutable parallel safe
set search_path = ''
as $$
  select coalesce(array_agg(t.tag order by t.place), '{}')
  from (
    select distinct on (lower(w.tag)) w.tag, w.place
    from (
      select btrim(regexp_replace(p.tag, '\s+', ' ', 'g')) as tag, (s.place, p.place) as place
      from unnest(reported) with ordinality as s (tag, place)
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

-- The columns -------------------------------------------------------------------------------------------------

do $$
declare
  kind text;
begin
  foreach kind in array array['contacts', 'companies', 'deals'] loop
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

-- Filters -----------------------------------------------------------------------------------------------------

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

-- All tags of an account --------------------------------------------------------------------------------------

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
    raise exception 'This tag is no longer on any record.' using errcode = 'PT404';
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
  perform private.rename_tag_in_views(btrim(tag), wanted);
  perform private.name_action('rename tag', btrim(tag) || ' → ' || wanted);
  return private.bulk_answer((answer -> 'count')::bigint);
end
$$;
comment on function public.rename_tag is
  'Gives a tag another name on all contacts, companies and deals, and in the saved views that filter by it, in one batch. Where there is a tag of that name, the two become one.';

create function public.delete_tag(tag text) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  answer jsonb := private.replace_tag(btrim(tag), null);
begin
  perform private.name_action('delete tag', btrim(tag));
  return private.bulk_answer((answer -> 'count')::bigint);
end
$$;
comment on function public.delete_tag is 'Takes a tag from all contacts, companies and deals, in one batch.';

-- Tags in saved views and remembered screens ------------------------------------------------------------------

-- A rename changes the saved views that filter by the tag in the same batch. Remembered screens follow too, but are not in the log.
-- Decision 036.

create function private.from_query(value text) returns text
language plpgsql immutable
set search_path = ''
as $$
begin
  return convert_from(coalesce((
    select string_agg(case when m.part[1] ~ '^%[0-9A-Fa-f]{2}$' then decode(substr(m.part[1], 2), 'hex') else convert_to(m.part[1], 'UTF8') end,
      ''::bytea order by m.place)
    from regexp_matches(replace(value, '+', ' '), '%[0-9A-Fa-f]{2}|[^%]+|%', 'g') with ordinality as m (part, place)
  ), ''), 'UTF8');
exception
  -- No text that a browser wrote.
  when character_not_in_repertoire or untranslatable_character then
    return value;
end
$$;
comment on function private.from_query is 'What a value in the query of an address says.';

create function private.in_query(value text) returns text
language sql immutable
set search_path = ''
as $$
  select coalesce(string_agg(case
    when chr(b.code) ~ '[A-Za-z0-9*._-]' then chr(b.code)
    when b.code = 32 then '+'
    else '%' || upper(lpad(to_hex(b.code), 2, '0'))
  end, '' order by b.place), '')
  from (
    select p.place, get_byte(convert_to(value, 'UTF8'), p.place) as code
    from generate_series(0, octet_length(convert_to(value, 'UTF8')) - 1) as p (place)
  ) b
$$;
comment on function private.in_query is 'A value as a browser writes it into the query of an address.';

create function private.query_with_tag(query text, tag text, name text) returns text
language sql immutable
set search_path = ''
as $$
  select string_agg(w.part, '&' order by w.place)
  from (
    -- A query that filtered by both filters by it once.
    select distinct on (p.part) p.part, p.place
    from (
      select s.place, case when s.part like 'tags=%' and lower(private.from_query(substr(s.part, 6))) = lower(query_with_tag.tag)
        then 'tags=' || private.in_query(query_with_tag.name) else s.part end as part
      from regexp_split_to_table(query_with_tag.query, '&') with ordinality as s (part, place)
    ) p
    order by p.part, p.place
  ) w
$$;
comment on function private.query_with_tag is 'The query of an address, after a tag got another name.';

create function private.rename_tag_in_views(tag text, name text) returns void
language sql
set search_path = ''
as $$
  update public.saved_views v set query = private.query_with_tag(v.query, rename_tag_in_views.tag, rename_tag_in_views.name)
  where v.user_id = private.caller() and v.screen in ('contacts', 'companies', 'deals') and v.query ~ '(^|&)tags='
    and v.query <> private.query_with_tag(v.query, rename_tag_in_views.tag, rename_tag_in_views.name);
  update public.preferences p set screens = (
    select jsonb_object_agg(s.name, s.seen || jsonb_build_object('query', private.query_with_tag(s.seen ->> 'query', rename_tag_in_views.tag, rename_tag_in_views.name)))
    from jsonb_each(p.screens) as s (name, seen)
  )
  where p.user_id = private.caller() and p.screens::text ~ 'tags='
$$;
comment on function private.rename_tag_in_views is 'Views, saved or last seen, that filter by a tag go on to find the same records.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.tags_of(text[]), private.lower_tags(text[]), private.tag_words(text[]), private.united_tags(text[], text[]),
  private.without_tags(text[], text[]), private.keep_tags(), private.tag_condition(jsonb), public.tag_counts(),
  private.replace_tag(text, text), public.rename_tag(text, text), public.delete_tag(text), private.from_query(text),
  private.in_query(text), private.query_with_tag(text, text, text), private.rename_tag_in_views(text, text)
  from public, anon, authenticated;
grant execute on function
  private.tags_of(text[]), private.lower_tags(text[]), private.tag_words(text[]), private.united_tags(text[], text[]),
  private.without_tags(text[], text[]), private.keep_tags(), private.tag_condition(jsonb), public.tag_counts(),
  private.replace_tag(text, text), public.rename_tag(text, text), public.delete_tag(text), private.from_query(text),
  private.in_query(text), private.query_with_tag(text, text, text), private.rename_tag_in_views(text, text)
  to authenticated, service_role;
