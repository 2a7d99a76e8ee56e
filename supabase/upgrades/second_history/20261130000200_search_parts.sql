-- What searches look through, as rows: a later field is one row more. Until now each file that added one named all parts
-- again, and one that copied an older list would have dropped what had come since.

create table private.search_parts (
  kind text not null,
  place integer not null,
  part text not null,
  primary key (kind, place),
  unique (kind, part)
);
comment on table private.search_parts is
  'What the search text of a table is made of: expressions on its columns, in the order of "place". Those from 1000 on stay behind what is added later.';
revoke all on private.search_parts from public, anon, authenticated;

insert into private.search_parts (kind, place, part) values
  ('companies', 1, 'name'),
  ('companies', 2, 'industry'),
  ('companies', 3, 'location'),
  ('companies', 4, $$case when custom <> '{}' then private.own_texts(custom) end$$),
  ('companies', 5, $$case when tags <> '{}' then private.tag_words(tags) end$$),
  ('companies', 6, $$case when emails <> '[]' or phones <> '[]' or addresses <> '[]' then private.entry_texts(emails, phones, '[]', addresses) end$$),
  ('contacts', 1, 'first_name'),
  ('contacts', 2, 'last_name'),
  -- A middle name is found between the two others.
  ('contacts', 3, $$coalesce(first_name || ' ', '') || middle_name || coalesce(' ' || last_name, '')$$),
  ('contacts', 4, 'nickname'),
  ('contacts', 5, 'email'),
  ('contacts', 6, $$case when custom <> '{}' then private.own_texts(custom) end$$),
  ('contacts', 7, $$case when tags <> '{}' then private.tag_words(tags) end$$),
  ('contacts', 8, $$case when jsonb_array_length(emails) > 1 or jsonb_array_length(phones) > 1 or links <> '[]' or addresses <> '[]'
      then private.entry_texts(emails - 0, phones - 0, links, addresses) end$$),
  -- Last: private.contact_duplicates looks for the digits there.
  ('contacts', 1000, $$regexp_replace(phone_number, '[^0-9]', '', 'g')$$),
  ('deals', 1, 'name'),
  ('deals', 2, $$case when custom <> '{}' then private.own_texts(custom) end$$),
  ('deals', 3, $$case when tags <> '{}' then private.tag_words(tags) end$$),
  ('tasks', 1, 'title'),
  ('tasks', 2, 'description'),
  ('files', 1, 'name'),
  ('mails', 1, 'subject');

create function private.write_search(target regclass) returns void
language plpgsql
set search_path = ''
as $$
declare
  words text := (
    select string_agg(format($part$coalesce(%s, '')$part$, p.part), $space$ || ' ' || $space$ order by p.place)
    from private.search_parts p where p.kind = split_part(target::text, '.', -1)
  );
begin
  execute format($searchable$
alter table %1$s drop column if exists search_text;
alter table %1$s add column search_text text not null generated always as (private.fold(%2$s)) stored;
comment on column %1$s.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
create index %3$I on %1$s using gin (user_id, search_text extensions.gin_trgm_ops);
  $searchable$, target, words, split_part(target::text, '.', -1) || '_search');
end
$$;
comment on function private.write_search is
  'Writes the search text of a table and its index from private.search_parts. The whole table is rewritten.';

create or replace function private.make_searchable(target regclass, parts text[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from private.search_parts p where p.kind = split_part(target::text, '.', -1);
  insert into private.search_parts (kind, place, part)
  select split_part(target::text, '.', -1), p.place, p.part from unnest(parts) with ordinality as p (part, place);
  perform private.write_search(target);
end
$$;
comment on function private.make_searchable is
  'What searches of a new table look through: expressions on its columns, in this order. One more of a table that has some: private.add_to_search.';

create function private.add_to_search(target regclass, part text) returns void
language plpgsql
set search_path = ''
as $$
begin
  insert into private.search_parts (kind, place, part)
  select split_part(target::text, '.', -1), coalesce(max(p.place), 0) + 1, add_to_search.part
  from private.search_parts p where p.kind = split_part(target::text, '.', -1) and p.place < 1000;
  perform private.write_search(target);
end
$$;
comment on function private.add_to_search is
  'Called for a field that a later file adds and that is to be found by its text: a column, or an expression on columns.';

revoke all on function
  private.write_search(regclass), private.make_searchable(regclass, text[]), private.add_to_search(regclass, text)
  from public, anon, authenticated;
