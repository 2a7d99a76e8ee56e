-- A tag that is renamed is renamed in the saved views that filter by it, in the same batch. Decision 036.

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

create function private.rename_tag_in_views(tag text, name text) returns void
language sql
set search_path = ''
as $$
  update public.saved_views v set query = q.query
  from (
    select w.id, string_agg(w.part, '&' order by w.place) as query
    from (
      -- A view that filtered by both filters by it once.
      select distinct on (p.id, p.part) p.id, p.part, p.place
      from (
        select v.id, s.place,
          case when s.part like 'tags=%' and lower(private.from_query(substr(s.part, 6))) = lower(rename_tag_in_views.tag)
            then 'tags=' || private.in_query(rename_tag_in_views.name) else s.part end as part
        from public.saved_views v cross join lateral regexp_split_to_table(v.query, '&') with ordinality as s (part, place)
        where v.user_id = private.caller() and v.screen in ('contacts', 'companies', 'deals') and v.query ~ '(^|&)tags='
      ) p
      order by p.id, p.part, p.place
    ) w
    group by w.id
  ) q
  where v.id = q.id and v.query <> q.query
$$;
comment on function private.rename_tag_in_views is 'Views that filter by a tag go on to find the same records.';

create or replace function public.rename_tag(tag text, name text) returns jsonb
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
  perform private.name_deed('rename tag', btrim(tag) || ' → ' || wanted);
  return private.bulk_answer((answer -> 'count')::bigint);
end
$$;
comment on function public.rename_tag is
  'Gives a tag another name on all contacts, companies and deals, and in the saved views that filter by it, in one batch. Where there is a tag of that name, the two become one.';

revoke all on function private.from_query(text), private.in_query(text), private.rename_tag_in_views(text, text)
  from public, anon, authenticated;
grant execute on function private.from_query(text), private.in_query(text), private.rename_tag_in_views(text, text)
  to authenticated, service_role;
