-- Imports: the rows of a file arrive in parts, are compared with the existing records, and are then written as one batch, which
-- undo_batch takes back. An import loses nothing: notes are added to, a deal is known by its contact too and is paired with one
-- row only, and a won or lost deal closes in its own pipeline. Decisions 024 and 035. Clients have no rights on the tables: they
-- call the functions below.

create table private.imports (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null,
  file_name text not null,
  total integer not null,
  summary jsonb,
  batch uuid,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  fields jsonb not null default '[]',
  unique (user_id, id),
  constraint imports_kind_known check (kind in ('contacts', 'companies', 'deals')),
  constraint imports_file_name_length check (char_length(file_name) between 1 and 255),
  constraint imports_total_possible check (total between 1 and 200000)
);
alter table private.imports enable row level security;
comment on table private.imports is 'Files that were brought in, or are about to be.';
comment on column private.imports.summary is 'What became of the rows; null until they are written.';
comment on column private.imports.batch is 'What undoes it; null when nothing was written.';
comment on column private.imports.fields is
  'Own fields that the file brings: {id, name, kind, options}. One that is there already gets the options that it lacks.';

create index imports_newest on private.imports (user_id, created_at desc, id desc);

create table private.import_rows (
  import_id uuid not null,
  user_id uuid not null,
  place integer not null,
  reported jsonb not null,
  problem text,
  email_key text,
  name_key text,
  email_keys text[] not null default '{}',
  primary key (import_id, place),
  foreign key (user_id, import_id) references private.imports (user_id, id) on delete cascade
);
alter table private.import_rows enable row level security;
comment on table private.import_rows is
  'The rows of imports under way, as the browser read them out of the file. Gone when the import is done, but for those with a problem.';
comment on column private.import_rows.place is 'The row''s number in the file, as a spreadsheet counts.';
comment on column private.import_rows.reported is 'What the row says, by field; what it does not say is left out.';
comment on column private.import_rows.problem is 'Why the row cannot be imported; the browser tells it by the rules of the forms.';
comment on column private.import_rows.name_key is 'What makes two records the same where e-mail addresses do not tell.';
comment on column private.import_rows.email_keys is 'All e-mail addresses that a row of contacts says, in small letters, the first one first.';

create table private.import_matches (
  import_id uuid not null,
  user_id uuid not null,
  place integer not null,
  target uuid,
  twin integer,
  is_by_email boolean not null,
  is_same boolean not null default false,
  primary key (import_id, place),
  foreign key (user_id, import_id) references private.imports (user_id, id) on delete cascade
);
alter table private.import_matches enable row level security;
comment on table private.import_matches is 'Rows of an import that are there already: as a record, or as an earlier row of the same file.';
comment on column private.import_matches.twin is 'The earlier row of the file that says the same record.';
comment on column private.import_matches.is_same is 'The record says already all that the row says: there is nothing to write.';

create table private.import_plans (
  import_id uuid not null,
  user_id uuid not null,
  place integer not null,
  target uuid,
  company_id uuid,
  adds_company boolean not null default false,
  contact_id uuid,
  adds_contact boolean not null default false,
  record_id uuid,
  primary key (import_id, place),
  foreign key (user_id, import_id) references private.imports (user_id, id) on delete cascade
);
alter table private.import_plans enable row level security;
comment on table private.import_plans is
  'The rows of an import that are to be written, with what they link to found or named: a part needs to look at its own rows only.';
comment on column private.import_plans.target is 'The record that is changed; null for a new one.';
comment on column private.import_plans.adds_company is 'The first row that names a company which is not there yet.';
comment on column private.import_plans.adds_contact is 'The first row, of deals, that names a contact who is not there yet.';
comment on column private.import_plans.record_id is
  'Of a row of deals or companies with a note, or with further contacts: the record that is changed, or the id of the new one.';

revoke all on private.imports, private.import_rows, private.import_matches, private.import_plans
  from public, anon, authenticated, service_role;

create table private.import_people (
  import_id uuid not null,
  user_id uuid not null,
  place integer not null,
  nth integer not null,
  first_name text,
  last_name text,
  email text,
  contact_id uuid not null,
  adds_contact boolean not null,
  role text,
  primary key (import_id, place, nth),
  foreign key (user_id, import_id) references private.imports (user_id, id) on delete cascade
);
alter table private.import_people enable row level security;
comment on table private.import_people is
  'The contacts after the first whom the rows of an import of deals name, until they are written.';
comment on column private.import_people.adds_contact is 'The first of the file who is this contact, who is not there yet.';
comment on column private.import_people.role is 'What the contact is to the deal; the main one is here, too, where the row says it.';
revoke all on private.import_people from public, anon, authenticated, service_role;

-- The columns that rows may fill ------------------------------------------------------------------------------

create table private.import_rules (
  kind text not null,
  name text not null,
  added text,
  changed text,
  is_plain boolean not null default false,
  primary key (kind, name)
);
alter table private.import_rules enable row level security;
comment on table private.import_rules is
  'Columns that a row of an import fills in a way of its own, as private.import_columns tells them; a later file adds rows here.';
revoke all on private.import_rules from public, anon, authenticated, service_role;

insert into private.import_rules (kind, name, added, changed, is_plain) values
  ('contacts', 'company_id', 'w.company_id', 'coalesce(w.company_id, o.company_id)', false),
  -- Nothing is replaced: see added_notes.
  ('contacts', 'notes', null,
    'private.imported_notes(o, coalesce(v.note_parts, case when v.notes is not null then jsonb_build_array(v.notes) end),
    jsonb_build_object(''emails'', private.with_value(v.emails, v.email), ''phones'', private.with_value(v.phones, v.phone_number),
      ''links'', v.links, ''addresses'', v.addresses))', false),
  -- Plain: the new value depends on the record and the row's own value alone, not on what the row links to.
  ('contacts', 'custom', null, 'private.imported_custom(o.user_id, o.custom, v.custom)', true),
  ('companies', 'custom', null, 'private.imported_custom(o.user_id, o.custom, v.custom)', true),
  ('deals', 'custom', null, 'private.imported_custom(o.user_id, o.custom, v.custom)', true),
  -- A new address or number becomes the contact's first, if the list has room; one that the contact already has changes nothing.
  ('contacts', 'email', null, 'private.imported_email(o, v.email, private.with_value(v.emails, v.email))', false),
  ('contacts', 'phone_number', null, 'private.imported_phone(o, v.phone_number)', false),
  -- A location that is only a part of the stored one says less and changes nothing.
  ('companies', 'location', null, 'case when private.holds(o.location, v.location) then o.location else coalesce(v.location, o.location) end', false),
  -- The record was found by these columns, so an import fills them at most.
  ('companies', 'name', null, 'o.name', false),
  ('deals', 'name', null, 'o.name', false),
  ('deals', 'company_id', 'w.company_id', 'o.company_id', false),
  ('deals', 'contact_id', 'w.contact_id', 'coalesce(o.contact_id, w.contact_id)', false),
  ('deals', 'pipeline_id', 'coalesce(p.pipeline_id, usual.pipeline_id)', 'coalesce(p.pipeline_id, o.pipeline_id)', false),
  ('deals', 'stage_id', 'p.stage_id', 's.id', false),
  ('deals', 'lost_reason', 'case when s.outcome = ''lost'' then v.lost_reason end',
    'case when s.outcome = ''lost'' then coalesce(v.lost_reason, o.lost_reason) end', false);

-- A list gets the entries of the row that it lacks, as far as it has room for them.
insert into private.import_rules (kind, name, added, changed)
select l.kind, l.name, format('private.united_entries(%1$L, ''[]'', v.%1$I)', l.name),
  format('private.fitting_entries(%1$L, o.%1$I, %2$s)', l.name,
    case when l.first is null then format('v.%I', l.name) else format('private.with_value(v.%I, v.%I)', l.name, l.first) end)
from (values
  ('contacts', 'emails', 'email'), ('contacts', 'phones', 'phone_number'), ('contacts', 'links', null), ('contacts', 'addresses', null),
  ('companies', 'emails', null), ('companies', 'phones', null), ('companies', 'addresses', null)
) as l (kind, name, first);

create function private.holds(there text, reported text) returns boolean
language sql immutable
set search_path = ''
as $$
  select coalesce(strpos(
    ' ' || regexp_replace(private.fold(there), '[^[:alnum:]]+', ' ', 'g') || ' ',
    ' ' || btrim(regexp_replace(private.fold(reported), '[^[:alnum:]]+', ' ', 'g')) || ' '
  ) > 0, false)
$$;
comment on function private.holds is 'Whether a text says all that another does, word by word and in its order.';

create function private.imported_custom(owner uuid, there jsonb, reported jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  reported := jsonb_strip_nulls(coalesce(reported, '{}'));
  if there @> reported and not exists (select from jsonb_each(reported) s where s.value <> there -> s.key) then
    return there;
  end if;
  return there || coalesce((
    select jsonb_object_agg(s.key, case
      when jsonb_typeof(s.value) = 'array' and jsonb_typeof(there -> s.key) = 'array' then (there -> s.key) || coalesce((
        select jsonb_agg(m.value order by m.place) from jsonb_array_elements(s.value) with ordinality as m (value, place)
        where not there -> s.key @> jsonb_build_array(m.value)
      ), '[]')
      when f.kind = 'long text' and private.holds(there ->> s.key, s.value #>> '{}') then there -> s.key
      else s.value
    end)
    from jsonb_each(reported) s
    left join public.fields f on f.user_id = owner and f.id::text = s.key
  ), '{}');
end
$$;
comment on function private.imported_custom is
  'The values of own fields after a row of an import: several choices are added to, and a long text that says more stays.';

create function private.with_value(entries jsonb, reported text) returns jsonb
language sql immutable
set search_path = ''
as $$
  -- The first of a row has its place before all others of it.
  select case
    when reported is null or private.has_entry(private.entries_in(entries), lower(reported)) then private.entries_in(entries)
    else jsonb_build_array(jsonb_build_object('label', '', 'value', reported)) || private.entries_in(entries)
  end
$$;

create function private.imported_phone(contact public.contacts, reported text) returns text
language sql stable
set search_path = ''
as $$
  select case when reported is null or jsonb_array_length(contact.phones) >= 20 or exists (
    select from jsonb_array_elements(contact.phones) e
    where lower(e.value ->> 'value') = lower(reported) or private.is_same_number(e.value ->> 'value', reported)
  ) then contact.phone_number else reported end
$$;
comment on function private.imported_phone is 'The first phone number of a contact after a row of an import that says one.';

create function private.email_keys(email text, emails jsonb) returns text[]
language sql immutable
set search_path = ''
as $$
  select array(
    select k.key from (
      select lower(email) as key, 0 as place
      union all
      select lower(btrim(e.entry ->> 'value', E' \t\r\n')), e.place
      from jsonb_array_elements(case when jsonb_typeof(emails) = 'array' then emails else '[]' end) with ordinality as e (entry, place)
    ) k
    where k.key <> '' group by k.key order by min(k.place)
  )
$$;

create function private.import_columns(of_kind text)
returns table (name text, definition text, added text, changed text, is_plain boolean)
language sql stable
set search_path = ''
as $$
  select c.name, case when c.type <> 'uuid' then format('%I %s', c.name, c.type) end,
    coalesce(s.added, format(case when c.usual is null then 'v.%I' else 'coalesce(v.%I, %s)' end, c.name, c.usual)),
    coalesce(s.changed, format(coalesce(l.united || '(o.%1$I, v.%1$I)', 'coalesce(v.%1$I, o.%1$I)'), c.name)),
    coalesce(s.is_plain, true)
  from private.columns_of(format('public.%I', of_kind)::regclass) c
  left join private.import_rules s on s.kind = of_kind and s.name = c.name
  left join private.list_columns l on l.kind = of_kind and l.name = c.name
  -- A row says a link by the name of the record.
  where c.is_writable and (c.type <> 'uuid' or s.name is not null)
$$;
comment on function private.import_columns is
  'The columns that a row of an import fills: how it says them ("v"), and what a new record gets and one that is there ("o") becomes. All that its owner may write; a field that a later file adds needs no word here, unless it is filled in a way of its own: private.import_rules.';

create function private.rest_of_contact(row_name text) returns text
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
comment on function private.rest_of_contact is
  'What tells contacts apart that have neither a name nor a number: their other texts, as an expression.';

-- Fields that a file brings -----------------------------------------------------------------------------------

-- Columns of a file can become custom fields, which are created in the batch of the rows and taken back with them. Decision 035.

create function private.import_fields(i private.imports)
returns table (id uuid, name text, kind text, options jsonb, there public.fields)
language sql stable
set search_path = ''
as $$
  select w.id, btrim(w.name), w.kind, coalesce(w.options, '[]'), f
  from jsonb_to_recordset(i.fields) as w (id uuid, name text, kind text, options jsonb)
  left join public.fields f on f.user_id = i.user_id and f.record = i.kind and f.id = w.id
$$;
comment on function private.import_fields is 'The own fields that a file brings, each with the field that is there already, if any.';

create function private.options_with(there jsonb, more jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$
  select there || coalesce(jsonb_agg(m.option order by m.place), '[]')
  from jsonb_array_elements(more) with ordinality as m (option, place)
  where not there @> jsonb_build_array(jsonb_build_object('id', m.option -> 'id'))
$$;
comment on function private.options_with is 'The options of a field and, after them, those of a file that it lacks.';

create function private.check_import_fields(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  brought record;
  options jsonb;
  added bigint := 0;
  stored bigint;
begin
  for brought in select * from private.import_fields(i) loop
    options := private.options_with(coalesce((brought.there).options, '[]'), brought.options);
    if jsonb_array_length(options) > 100 then
      raise exception '“%” would have % options, and a field can have at most 100. Choose another field for the column.',
        coalesce((brought.there).name, brought.name), jsonb_array_length(options) using errcode = 'PT409';
    end if;
    if (brought.there).id is not null then
      if options <> (brought.there).options then
        perform private.checked_options((brought.there).kind, options);
      end if;
      continue;
    end if;
    if exists (
      select from public.fields f where f.user_id = i.user_id and f.record = i.kind and lower(f.name) = lower(brought.name)
    ) then
      raise exception 'There is already a field “%”. Choose it for the column, or give the new one another name.', brought.name
        using errcode = 'PT409';
    end if;
    perform private.checked_options(brought.kind, options);
    added := added + 1;
  end loop;
  if added = 0 then
    return;
  end if;
  select count(*) into stored from public.fields f where f.user_id = i.user_id and f.record = i.kind;
  if stored + added > 100 then
    raise exception 'There can be at most 100 custom fields here: you have %, and this file brings %. Leave out some columns, or put them into the notes.',
      stored, added using errcode = 'PT409';
  end if;
end
$$;
comment on function private.check_import_fields is 'Refuses fields that could not be made, before anything is written.';

create function private.write_import_fields(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  brought record;
begin
  for brought in select * from private.import_fields(i) loop
    -- Of rows that are skipped nothing stays behind.
    continue when not exists (
      select from private.import_plans p
      join private.import_rows r on r.import_id = p.import_id and r.place = p.place
      where p.import_id = i.id and r.reported -> 'custom' ? brought.id::text
    );
    if (brought.there).id is null then
      insert into public.fields (id, user_id, record, name, kind, options)
      values (brought.id, i.user_id, i.kind, brought.name, brought.kind, brought.options);
    else
      update public.fields f set options = private.options_with(f.options, brought.options)
      where f.user_id = i.user_id and f.id = brought.id and f.options <> private.options_with(f.options, brought.options);
    end if;
  end loop;
end
$$;
comment on function private.write_import_fields is
  'Makes the own fields of an import, and the options that it adds, in its batch: whatever takes the rows back takes these back too.';

-- The rows come in --------------------------------------------------------------------------------------------

create function private.own_import(id uuid, for_writing boolean default false) returns private.imports
language plpgsql
set search_path = ''
as $$
declare
  found private.imports;
begin
  if for_writing then
    -- Whoever sends, checks or commits the same import waits here for the other.
    select * into found from private.imports i where i.user_id = private.caller() and i.id = own_import.id for update;
  else
    select * into found from private.imports i where i.user_id = private.caller() and i.id = own_import.id;
  end if;
  if found.id is null then
    raise exception 'This import no longer exists.' using errcode = 'PT404';
  end if;
  return found;
end
$$;
comment on function private.own_import is 'The caller''s import, or a refusal.';

create function public.import_state(id uuid) returns jsonb
language sql stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'total', i.total,
    'received', (select count(*) from private.import_rows r where r.import_id = i.id),
    'summary', i.summary,
    'batch', i.batch
  )
  from private.own_import(import_state.id) i
$$;
comment on function public.import_state is
  'How far an import has come, for whoever lost an answer: rows that arrived and, when it is done, its summary. A definer because the tables of imports are closed.';

create function public.start_import(id uuid, kind text, file_name text, total integer, fields jsonb default '[]') returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
begin
  if total is null or total not between 1 and 200000 then
    raise exception 'An import can have at most 200,000 rows.' using errcode = 'PT400';
  end if;
  if jsonb_typeof(fields) is distinct from 'array' or jsonb_array_length(fields) > 200 then
    raise exception 'The fields of an import are a list of at most 200.' using errcode = 'PT400';
  end if;
  -- What was begun and left is not kept for ever, nor are the problems of what is long done.
  delete from private.imports i
  where i.user_id = private.caller() and i.summary is null and i.created_at < now() - interval '1 day';
  delete from private.import_rows r using private.imports i
  where r.user_id = private.caller() and i.id = r.import_id and i.done_at < now() - interval '1 day';

  insert into private.imports (id, user_id, kind, file_name, total, fields)
  values (
    start_import.id, private.caller(), start_import.kind,
    coalesce(left(private.blank_to_null(start_import.file_name), 255), 'Pasted text'), start_import.total,
    start_import.fields
  )
  on conflict do nothing;
  return public.import_state(start_import.id);
end
$$;
comment on function public.start_import is
  'Begins an import under an id that the browser gives, with the own fields that the file brings; told twice, it begins once. A definer because the tables of imports are closed.';

create function public.add_import_rows(id uuid, rows jsonb) returns integer
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
    'insert into private.import_rows (import_id, user_id, place, reported, problem, email_key, email_keys, name_key)
     select $1.id, $1.user_id, r.place, coalesce(r.reported, ''{}''), r.problem, m.keys[1], m.keys,
       case $1.kind
         when ''contacts'' then k.key
         when ''companies'' then private.fold(v.name)
         else private.fold(v.name || E''\n'' || coalesce(v.company, ''''))
       end
     from jsonb_to_recordset($2) as r (place integer, reported jsonb, problem text)
     cross join lateral jsonb_to_record(coalesce(r.reported, ''{}'')) as v (name text, company text, %s)
     cross join lateral (
       select case
         when $1.kind <> ''contacts'' or v.email is null and v.emails is null then ''{}''
         when v.emails is null then array[lower(v.email)]
         else private.email_keys(v.email, v.emails)
       end as keys
     ) m
     cross join lateral private.contact_key(v.first_name, v.last_name, coalesce(v.phone_number, v.phones #>> ''{0,value}''), v.company, %s) k
     on conflict do nothing',
    (select string_agg(c.definition, ', ') from private.import_columns('contacts') c where c.definition like '% text' or c.definition like '% jsonb'),
    private.rest_of_contact('v'))
  using i, rows;
  select count(*) into received from private.import_rows r where r.import_id = i.id;
  if received > i.total then
    raise exception 'More rows were sent than the file has.' using errcode = 'PT400';
  end if;
  return received;
end
$$;
comment on function public.add_import_rows is
  'Takes rows in, each by its place; those that arrived before change nothing. Answers how many have arrived by now. A definer because the tables of imports are closed.';

create function public.cancel_import(id uuid) returns void
language sql
security definer
set search_path = ''
as $$ delete from private.imports i where i.user_id = private.caller() and i.id = cancel_import.id and i.summary is null $$;
comment on function public.cancel_import is 'Forgets an import that has not been written. A definer because the tables of imports are closed.';

create function public.import_list() returns jsonb
language sql stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', i.id, 'kind', i.kind, 'file_name', i.file_name, 'done_at', i.done_at, 'summary', i.summary, 'batch', i.batch,
    'is_undone', exists (
      select from public.changes c
      where c.user_id = i.user_id and c.undoes = i.batch
        and not exists (select from public.changes back where back.user_id = i.user_id and back.undoes = c.batch)
    )
  ) order by i.done_at desc), '[]')
  from (
    select * from private.imports n
    where n.user_id = private.caller() and n.done_at is not null
    order by n.done_at desc limit 100
  ) i
$$;
comment on function public.import_list is 'The last hundred imports that are done, the newest first, and whether each was undone. A definer because the tables of imports are closed.';

create function private.further_contacts(reported jsonb)
returns table (nth bigint, first_name text, last_name text, email text, role text)
language sql immutable
set search_path = ''
as $$
  select e.nth, private.blank_to_null(v.first_name), private.blank_to_null(v.last_name), private.blank_to_null(v.email),
    left(private.blank_to_null(v.role), 60)
  from jsonb_array_elements(case when jsonb_typeof(reported -> 'further_contacts') = 'array' then reported -> 'further_contacts' else '[]' end)
    with ordinality as e (value, nth)
  cross join lateral jsonb_to_record(case when jsonb_typeof(e.value) = 'object' then e.value else '{}' end)
    as v (first_name text, last_name text, email text, role text)
$$;
comment on function private.further_contacts is 'Whom a row of deals names after its main contact, with their roles; the main one is among them where the row says its role.';

create function private.kept_notes(reported jsonb) returns text
language sql immutable
set search_path = ''
as $$
  select string_agg(e.value, E'\n' order by e.place)
  from jsonb_array_elements_text(case when jsonb_typeof(reported -> 'kept_notes') = 'array' then reported -> 'kept_notes' else '[]' end)
    with ordinality as e (value, place)
$$;
comment on function private.kept_notes is
  'What a row of deals or companies says and no field can hold, such as a stage that the status overrules.';

create function private.adds_to_deal(deal uuid, reported jsonb) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.further_contacts(reported) p
    where not exists (
      select from public.contacts c
      where c.id in (
        select d.contact_id from public.deals d where d.id = deal
        union all
        select k.contact_id from public.deal_contacts k where k.deal_id = deal
      ) and case
        when p.email is not null then private.has_entry(c.emails, lower(p.email))
        else private.fold(concat_ws(' ', p.first_name, p.last_name)) = private.fold(concat_ws(' ', c.first_name, c.last_name))
      end and (p.role is null or exists (
        select from public.deal_contacts k where k.deal_id = deal and k.contact_id = c.id and k.role is not null
      ))
    )
  ) or private.kept_notes(reported) is not null
    and not exists (select from public.notes n where n.deal_id = deal and n.body = left(private.kept_notes(reported), 50000))
$$;
comment on function private.adds_to_deal is 'Whether a row names somebody who is not on the deal yet, or has no role there, or says what no note on it says.';

-- A file of deals may also describe their contacts and companies: phone numbers, addresses, roles. A contact or company that a row
-- creates gets all of it. On an existing one, empty fields are filled, and lists and notes are added to. Decision 035.

create function private.related_values(reported jsonb, side text) returns jsonb
language sql immutable
set search_path = ''
as $$ select case when jsonb_typeof(reported -> side) = 'object' then (reported -> side) - 'custom' else '{}' end $$;
comment on function private.related_values is
  'What a row of deals says of its contact ("person") or of its company ("organisation"), as rows of contacts and companies say it.';

create function private.related_columns(of_kind text) returns table (name text, definition text, added text, filled text)
language sql stable
set search_path = ''
as $$
  select c.name, c.definition,
    case when c.name = 'notes'
      then '(select string_agg(p.part, E''\n'' order by p.place) from jsonb_array_elements_text(v.note_parts) with ordinality as p (part, place))'
      else c.added end,
    case
      -- By these they are found, and of the company of a contact the deal says nothing.
      when c.name in ('name', 'first_name', 'last_name', 'email', 'company_id') then null
      when c.name = 'notes' or c.definition like '% jsonb' or c.definition like '%[]' then c.changed
      else format('case when o.%1$I is null then %2$s else o.%1$I end', c.name, c.changed)
    end
  from private.import_columns(of_kind) c where c.name <> 'custom'
$$;
comment on function private.related_columns is
  'The columns of contacts or companies that a row of deals fills: as private.import_columns, but of what is there only what is empty is filled ("filled"; null for never), and what is added to is added to.';

create function private.new_lines(company uuid, reported jsonb) returns text
language sql stable
set search_path = ''
as $$
  select string_agg(l.line, E'\n' order by l.place)
  from (
    select n.line, min(n.place) as place
    from public.companies c
    cross join lateral unnest(
      string_to_array(private.kept_notes(reported), E'\n')
      || private.entries_beyond('emails', c.emails, reported -> 'emails') || private.entries_beyond('phones', c.phones, reported -> 'phones')
      || private.entries_beyond('addresses', c.addresses, reported -> 'addresses')
    ) with ordinality as n (line, place)
    where c.id = company and n.line <> '' and not exists (
      select from public.notes t
      where t.user_id = c.user_id and t.company_id = c.id and n.line = any (string_to_array(t.body, E'\n'))
    )
    group by n.line
  ) l
$$;
comment on function private.new_lines is 'What a row says of a company that none of its fields can hold and none of its notes says, a line each; null for nothing.';

create function private.joined_lists(lists jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$
  select coalesce(jsonb_agg(v.value order by v.list, v.place), '[]')
  from (
    select distinct on (e.value) e.value, l.place as list, e.place
    from jsonb_array_elements(lists) with ordinality as l (list, place)
    cross join lateral jsonb_array_elements(l.list) with ordinality as e (value, place)
    order by e.value, l.place, e.place
  ) v
$$;
comment on function private.joined_lists is 'Lists put together, each value once.';

-- Comparison with the existing records ------------------------------------------------------------------------

create type private.deal_side as (place integer, id uuid, created_at timestamptz, key text, likeness text[]);

create function private.match_deal_columns(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
declare
  -- What no row of the file says tells no deals apart.
  says record;
  rows private.deal_side[];
  theirs private.deal_side[];
  -- By the oldest pipeline's name, where a row names none.
  usual text;
begin
  -- Rows of one file that say the same are one deal; those that do not are several.
  insert into private.import_matches (import_id, user_id, place, twin, is_by_email)
  select i.id, i.user_id, r.place, r.first_place, false
  from (
    select n.place, min(n.place) over (partition by n.name_key, n.reported) as first_place
    from private.import_rows n where n.import_id = i.id and n.problem is null
  ) r
  where r.first_place < r.place;

  select
    coalesce(bool_or(r.reported ?| array['contact_email', 'contact_first_name', 'contact_last_name']), false) as contact,
    coalesce(bool_or(r.reported ? 'created_at'), false) as created_at,
    coalesce(bool_or(r.reported ? 'value'), false) as value,
    coalesce(bool_or(r.reported ? 'expected_close_date'), false) as expected_close_date,
    coalesce(bool_or(r.reported ? 'pipeline'), false) as pipeline,
    coalesce(bool_or(r.reported ? 'stage'), false) as stage
  into says
  from private.import_rows r where r.import_id = i.id and r.problem is null;

  theirs := array(
    select row(null, d.id, d.created_at, t.key, array[
      case when says.created_at then date_trunc('milliseconds', d.created_at)::text end,
      concat_ws(E'\n',
        case when says.value then d.value::text end,
        case when says.expected_close_date then coalesce(d.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(p.name), '-') end,
        case when says.stage then coalesce(private.fold(s.name), '-') end),
      case when says.value then d.value::text end,
      ''
    ])::private.deal_side
    from public.deals d
    left join public.companies k on k.user_id = d.user_id and k.id = d.company_id
    left join public.contacts c on c.user_id = d.user_id and c.id = d.contact_id
    left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
    left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
    -- A contact is known by its addresses and by its name; a file may say either.
    cross join lateral unnest(case
      when not says.contact then array['']
      when d.contact_id is null then array['nobody']
      else array['@' || lower(c.email), '=' || private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), ''))]
        || case when jsonb_array_length(c.emails) > 1 then array(
          select '@' || lower(e.value ->> 'value') from jsonb_array_elements(c.emails - 0) e
        ) end
    end) as b (contact)
    cross join lateral (select private.fold(d.name || E'\n' || coalesce(k.name, '')) as name_key) n
    cross join lateral (select n.name_key || E'\n' || b.contact as key) t
    where d.user_id = i.user_id and b.contact is not null
      and n.name_key in (select r.name_key from private.import_rows r where r.import_id = i.id and r.problem is null)
  );
  if cardinality(theirs) = 0 then
    return;
  end if;

  select private.fold(p.name) into usual from public.pipelines p where p.user_id = i.user_id order by p.created_at, p.id limit 1;
  rows := array(
    select row(r.place, null, null, r.name_key || E'\n' || case
      when not says.contact then ''
      when v.contact_email is not null then '@' || lower(v.contact_email)
      else coalesce('=' || private.fold(nullif(concat_ws(' ', v.contact_first_name, v.contact_last_name), '')), 'nobody')
    end, array[
      date_trunc('milliseconds', v.created_at)::text,
      concat_ws(E'\n',
        case when says.value then round(coalesce(v.value, 0), 2)::text end,
        case when says.expected_close_date then coalesce(v.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(v.pipeline), usual, '-') end,
        case when says.stage then coalesce(private.fold(v.stage), '-') end),
      case when says.value then round(coalesce(v.value, 0), 2)::text end,
      ''
    ])::private.deal_side
    from private.import_rows r
    cross join lateral jsonb_to_record(r.reported) as v (
      value numeric, expected_close_date date, pipeline text, stage text, created_at timestamptz,
      contact_email text, contact_first_name text, contact_last_name text
    )
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id and r.problem is null and m.place is null
  );

  -- Each row gets one deal of its own: first the one of the same moment, then the one that says the same, then the one of
  -- the same value, and of what is left the newest, since rows are stored in that order.
  for step in 1..4 loop
    insert into private.import_matches (import_id, user_id, place, target, is_by_email)
    select distinct on (t.id) i.id, i.user_id, r.place, t.id, false
    from (
      select u.place, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.place) as number
      from unnest(rows) u
      left join private.import_matches m on m.import_id = i.id and m.place = u.place
      where u.likeness[step] is not null and m.place is null
    ) r
    join (
      select u.id, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.created_at desc, u.id) as number
      from unnest(theirs) u
      left join private.import_matches m on m.import_id = i.id and m.target = u.id
      where u.likeness[step] is not null and m.place is null
    ) t on t.key = r.key and t.likeness = r.likeness and t.number = r.number
    order by t.id, r.place;
  end loop;

  execute (
    select format(
      'update private.import_matches m set is_same = true
       from private.import_rows r
       cross join lateral jsonb_to_record(r.reported) as v (pipeline text, stage text, closed_at timestamptz, %s), public.deals o
       left join public.pipelines p on p.user_id = o.user_id and p.id = o.pipeline_id
       left join public.pipeline_stages s on s.user_id = o.user_id and s.id = o.stage_id
       where m.import_id = $1.id and r.import_id = $1.id and r.place = m.place and o.user_id = $1.user_id and o.id = m.target
         and %s
         and coalesce(private.fold(v.pipeline) = private.fold(p.name), v.pipeline is null)
         and coalesce(private.fold(v.stage) = private.fold(s.name), v.stage is null)
         -- These two are stored of closed deals only.
         and (s.outcome is distinct from ''lost'' or coalesce(v.lost_reason, o.lost_reason) is not distinct from o.lost_reason)
         and (o.closed_at is null or coalesce(v.closed_at, o.closed_at) >= date_trunc(''milliseconds'', o.closed_at)
           and coalesce(v.closed_at, o.closed_at) <= o.closed_at)',
      string_agg(c.definition, ', '),
      string_agg(format('%s is not distinct from o.%I', c.changed, c.name), ' and ') filter (where c.is_plain))
    from private.import_columns('deals') c
  ) using i;
end
$$;
comment on function private.match_deal_columns is
  'Finds which rows of an import are deals that are there: of the same name, company and contact. Each deal is one row''s; whatever else differs is an update.';

create function private.refuse_undated(i private.imports) returns void
language sql
set search_path = ''
as $$
  update private.import_rows r set problem = 'The deal is won or lost, but the row doesn’t say when.'
  where r.import_id = i.id and i.kind = 'deals' and r.problem is null and not r.reported ?| array['closed_at', 'closes_at']
    and private.outcome_of(initcap(private.fold(r.reported ->> 'stage'))) <> 'open'
$$;
comment on function private.refuse_undated is
  'Refuses the rows of an import that close a deal and do not say when: by closed_at, or by closes_at, which counts unless the deal is closed already.';

create function private.match_deals(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  places integer[];
begin
  perform private.refuse_undated(i);
  perform private.match_deal_columns(i);
  -- Only a deal that is lost has a reason for it.
  update private.import_rows r set reported = (r.reported - 'lost_reason' - 'lost_note')
    || jsonb_build_object('kept_notes', coalesce(r.reported -> 'kept_notes', '[]') || jsonb_build_array(r.reported -> 'lost_note'))
  where r.import_id = i.id and r.problem is null and r.reported ? 'lost_note' and not exists (
    select from private.import_matches m
    join public.deals d on d.id = m.target and d.user_id = i.user_id
    join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
    where m.import_id = i.id and m.place = r.place and s.outcome = 'lost'
  );
  places := array(
    select m.place from private.import_matches m
    join private.import_rows r on r.import_id = m.import_id and r.place = m.place
    where m.import_id = i.id and m.is_same and r.reported ?| array['person', 'organisation']
  );
  if places <> '{}' then
    update private.import_matches m set is_same = false
    where m.import_id = i.id and m.place in (select b.place from private.related_changes(i, places) b where b.changes <> '{}');
  end if;
  update private.import_matches m set is_same = false
  from private.import_rows r
  where m.import_id = i.id and m.is_same and r.import_id = i.id and r.place = m.place
    and r.reported ?| array['further_contacts', 'kept_notes'] and private.adds_to_deal(m.target, r.reported);
end
$$;
comment on function private.match_deals is
  'As match_deal_columns; a deal that lacks a contact of the row, or its note, does not say the same, nor does one whose contact or company the row would change, and one that was closed must say when.';

-- Has no search path of its own, so that the planner inlines it, see contact_card: an import computes the key of every contact.
create function private.contact_key(first_name text, last_name text, phone_number text, company text, rest text)
returns table (key text)
language sql stable
as $$
  -- As private.fold, without the call.
  select lower(extensions.unaccent('extensions.unaccent'::regdictionary, case
    when coalesce(first_name, last_name) is not null then concat_ws(' ', first_name, last_name)
    -- Address books hold numbers without a name.
    when phone_number ~ '\d' then regexp_replace(phone_number, '[^0-9]', '', 'g')
    else 'unnamed ' || md5(coalesce(rest, ''))
  end || E'\n' || coalesce(company, '')))
$$;
comment on function private.contact_key is 'Contacts with the same key are taken for the same person, where e-mail addresses do not tell.';

create function private.records_of(me uuid, kind text) returns table (id uuid, email_key text, name_key text, created_at timestamptz)
language plpgsql stable
set search_path = ''
as $$
begin
  if kind = 'contacts' then
    return query execute format(
      'select c.id, lower(c.email), n.key, c.created_at
       from public.contacts c
       left join public.companies k on k.user_id = c.user_id and k.id = c.company_id
       cross join lateral private.contact_key(c.first_name, c.last_name, c.phone_number, k.name, %s) n
       where c.user_id = $1
       union all
       select c.id, lower(e.value ->> ''value''), null, c.created_at
       from public.contacts c cross join lateral jsonb_array_elements(c.emails - 0) e
       where c.user_id = $1 and (jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1)
       union all
       select c.id, lower(c.email), n.key, c.created_at
       from public.contacts c
       left join public.companies k on k.user_id = c.user_id and k.id = c.company_id
       cross join lateral jsonb_array_elements(c.phones - 0) e
       cross join lateral private.contact_key(null, null, e.value ->> ''value'', k.name, null) n
       where c.user_id = $1 and (jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1) and coalesce(c.first_name, c.last_name) is null',
      private.rest_of_contact('c'))
    using me;
  elsif kind = 'companies' then
    return query select c.id, null::text, private.fold(c.name), c.created_at from public.companies c where c.user_id = me;
  else
    return query select d.id, null::text, private.fold(d.name || E'\n' || coalesce(k.name, '')), d.created_at
    from public.deals d
    left join public.companies k on k.user_id = d.user_id and k.id = d.company_id
    where d.user_id = me;
  end if;
end
$$;
comment on function private.records_of is
  'What an account has of a kind, by the keys that rows of an import are compared with: a contact once for each of its addresses, and one without a name once for each of its numbers.';

create function private.match_keys(kind text, links jsonb, website text, emails jsonb, phones jsonb) returns setof text
language sql immutable
set search_path = ''
as $$
  select 'profile ' || k.key
  from jsonb_array_elements(case when kind = 'contacts' then private.entries_in(links) else '[]' end) e
  cross join lateral (select private.profile_key(regexp_replace(e.value ->> 'value', '^(?!https?://)', 'https://', 'i')) as key) k
  where k.key is not null
  union all
  select 'site ' || k.key
  from (select regexp_replace(regexp_replace(lower(website), '^(https?://)?(www[.])?', ''), '[/#?]+$', '') as key) k
  where kind = 'companies' and k.key <> ''
  union all
  select 'mail ' || lower(e.value ->> 'value')
  from jsonb_array_elements(case when kind = 'companies' then private.entries_in(emails) else '[]' end) e
  union all
  select 'phone ' || k.key
  from jsonb_array_elements(case when kind = 'companies' then private.entries_in(phones) else '[]' end) e
  cross join lateral (select regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g') as key) k
  where length(k.key) >= 7
$$;
comment on function private.match_keys is
  'By what a contact or a company is known beside its name and a contact''s addresses: profiles of people; sites, addresses and numbers of companies.';

create function private.match_import(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  if (select count(*) from private.import_rows r where r.import_id = i.id) <> i.total then
    raise exception 'The file has not arrived whole. Please send it again.' using errcode = 'PT409';
  end if;
  delete from private.import_matches m where m.import_id = i.id;
  if i.kind = 'deals' then
    perform private.match_deals(i);
    return;
  end if;
  with theirs as materialized (
    select * from private.records_of(i.user_id, i.kind)
  ),
  by_name as (
    select distinct on (t.name_key) t.name_key, t.id from theirs t where t.name_key is not null order by t.name_key, t.created_at, t.id
  ),
  by_name_alone as (
    select distinct on (t.name_key) t.name_key, t.id from theirs t where t.email_key is null order by t.name_key, t.created_at, t.id
  ),
  addresses as materialized (
    select r.place, k.email_key, k.nth,
      private.fold(nullif(concat_ws(' ', r.reported ->> 'first_name', r.reported ->> 'last_name'), '')) as called
    from private.import_rows r cross join lateral unnest(r.email_keys) with ordinality as k (email_key, nth)
    where r.import_id = i.id and r.problem is null
  ),
  -- Of several addresses the first that somebody has. One that is a further address of both, as that of an office is, makes no
  -- two people of different names one.
  at_address as (
    select distinct on (a.place) a.place, t.id
    from addresses a
    join theirs t on t.email_key = a.email_key
    left join public.contacts c on a.nth > 1 and c.id = t.id
    where c.id is null or lower(c.email) = a.email_key
      or coalesce(a.called = private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), '')), true)
    order by a.place, a.nth, t.created_at, t.id
  ),
  row_keys as materialized (
    select r.place, r.name_key, k.key
    from private.import_rows r
    cross join lateral private.match_keys(i.kind, r.reported -> 'links', r.reported ->> 'website', r.reported -> 'emails', r.reported -> 'phones') k (key)
    where r.import_id = i.id and r.problem is null
  ),
  their_keys as materialized (
    select c.id, k.key from public.contacts c cross join lateral private.match_keys('contacts', c.links, null, null, null) k (key)
    where i.kind = 'contacts' and c.user_id = i.user_id and exists (select from row_keys)
    union all
    select c.id, k.key from public.companies c cross join lateral private.match_keys('companies', null, c.website, c.emails, c.phones) k (key)
    where i.kind = 'companies' and c.user_id = i.user_id and exists (select from row_keys)
  ),
  meant as materialized (
    select r.place, r.name_key, (array_agg(t.id))[1] as id
    from row_keys r join their_keys t on t.key = r.key
    group by r.place, r.name_key having count(distinct t.id) = 1
  ),
  -- Companies of one site, as those of a group, are several: what two names of the file could mean is neither's.
  at_key as (
    select m.place, m.id from meant m
    where i.kind = 'contacts' or not exists (select from meant o where o.id = m.id and o.name_key <> m.name_key)
      and not exists (
        select from by_name n join private.import_rows r on r.import_id = i.id and r.name_key = n.name_key
        where n.id = m.id and n.name_key <> m.name_key
      )
  ),
  -- Two people of one name and company with two addresses are two; an address against none does not part them.
  known as materialized (
    select r.place, r.email_key, r.name_key, e.id is not null as is_by_email,
      case when i.kind = 'contacts' then coalesce(e.id, p.id, n.id, a.id) else coalesce(n.id, p.id) end as target
    from private.import_rows r
    left join at_address e on e.place = r.place
    left join at_key p on p.place = r.place
    left join by_name n on n.name_key = r.name_key and r.email_key is null
    left join by_name_alone a on a.name_key = r.name_key and r.email_key is not null
    where r.import_id = i.id and r.problem is null
  ),
  first_of_address as (select distinct on (a.email_key) a.* from addresses a order by a.email_key, a.place),
  first_email as (
    select a.place as of_place, min(f.place) as place
    from addresses a
    join first_of_address f on f.email_key = a.email_key
    where least(a.nth, f.nth) = 1 or coalesce(a.called = f.called, true)
    group by 1
  ),
  first_name as (
    select k.name_key, min(k.place) as place, min(k.place) filter (where k.email_key is null) as place_alone from known k group by 1
  ),
  first_profile as (
    select r.place as of_place, min(o.place) as place from row_keys r join row_keys o on o.key = r.key where i.kind = 'contacts' group by 1
  ),
  first_target as (select k.target, min(k.place) as place from known k where k.target is not null group by 1)
  insert into private.import_matches (import_id, user_id, place, target, twin, is_by_email)
  select i.id, i.user_id, k.place, k.target,
    -- A record that is there is surer than a row of the file under the same name.
    case
      when k.target is not null then nullif(t.place, k.place)
      else nullif(least(e.place, l.place, case when k.email_key is null then n.place else n.place_alone end, k.place), k.place)
    end,
    case when k.target is null then coalesce(e.place < k.place, false) else k.is_by_email end
  from known k
  left join first_email e on e.of_place = k.place
  left join first_profile l on l.of_place = k.place
  left join first_name n on n.name_key = k.name_key
  left join first_target t on t.target = k.target
  where k.target is not null or e.place < k.place or l.place < k.place
    or case when k.email_key is null then n.place else n.place_alone end < k.place;
end
$$;
comment on function private.match_import is
  'Finds which rows are there already, as a record or earlier in the file: contacts by one of their e-mail addresses, their profile, or name and company; companies by name, or else by site, address or number where only one has it.';

create function private.check_names(i private.imports) returns void
language plpgsql
set search_path = ''
as $$
declare
  field text;
  names bigint;
begin
  perform private.check_import_fields(i);
  if i.kind <> 'deals' then
    return;
  end if;
  foreach field in array array['pipeline', 'stage'] loop
    select count(distinct private.fold(r.reported ->> field)) into names
    from private.import_rows r where r.import_id = i.id and r.reported ? field;
    if names > 100 then
      raise exception 'The file names % different %s. Is the right column chosen?', names, field using errcode = 'PT400';
    end if;
  end loop;
end
$$;
comment on function private.check_names is
  'A column of something else, taken for pipelines or stages, would fill the board with them; own fields are checked too.';

create function public.check_import(id uuid) returns jsonb
language plpgsql
security definer
set search_path = ''
set statement_timeout = '120s'
set lock_timeout = '120s' -- see commit_import
as $$
declare
  i private.imports := private.own_import(check_import.id, true);
begin
  if i.summary is null then
    perform private.check_names(i);
    perform private.match_import(i);
  end if;
  return (
    select jsonb_build_object(
      'new', count(*) filter (where r.problem is null and m.place is null),
      'known', count(*) filter (where m.target is not null and m.twin is null and not m.is_same),
      'twin', count(*) filter (where m.twin is not null or m.is_same),
      'error', count(*) filter (where r.problem is not null)
    )
    from private.import_rows r
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id
  );
end
$$;
comment on function public.check_import is
  'Compares all rows with what is there, and counts: new, known (a record is there), twin (an earlier row of the file or a record says the same), error. A definer because the tables of imports are closed.';

create function private.record_name(kind text, record uuid) returns text
language sql stable
set search_path = ''
as $$
  select case kind
    when 'contacts' then (
      select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email, c.phone_number, 'Unnamed')
      from public.contacts c where c.id = record
    )
    when 'companies' then (select c.name from public.companies c where c.id = record)
    else (select d.name from public.deals d where d.id = record)
  end
$$;

create function private.stored_deal(deal uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select (to_jsonb(d) - 'user_id' - 'search_text') || jsonb_build_object('pipeline', p.name, 'stage', s.name)
  from public.deals d
  left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
  left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
  where d.id = deal
$$;
comment on function private.stored_deal is 'What a deal says now, for who is asked whether a row of an import changes it.';

create function public.import_page(id uuid, found text[], after integer default 0, page_size integer default 100) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  -- Asked for before the rows are: whoever asks for an import that is not there is refused, whatever the plan.
  i private.imports := private.own_import(import_page.id);
  places integer[];
begin
  places := array(
    select r.place
    from private.import_rows r
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id and r.place > import_page.after
      and case
        when r.problem is not null then 'error'
        when m.place is null then 'new'
        when m.twin is null and not m.is_same then 'known'
        else 'twin'
      end = any ($2) -- "found" means something else to PL/pgSQL
    order by r.place
    limit least(greatest(import_page.page_size, 1), 1000)
  );
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'place', p.place,
      'reported', p.reported,
      'target', case when m.twin is null then m.target end,
      'reason', case
        when p.problem is not null then p.problem
        when m.twin is not null and m.is_by_email then 'The same email is in row ' || m.twin || '.'
        when m.twin is not null then 'The same record stands in row ' || m.twin || '.'
        when m.target is null then null
        when m.is_same then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already exists and says the same.'
        when i.kind = 'companies' and private.fold(private.record_name(i.kind, m.target)) <> private.fold(p.reported ->> 'name')
          then private.record_name(i.kind, m.target) || ' has the same website, email or phone number. The other name is kept in a note.'
        when m.is_by_email then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already has this email.'
        else coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already exists.'
      end
    ) || case
      when m.twin is null and m.target is not null and not m.is_same
      then jsonb_build_object('changes', coalesce(c.changes, '{}'))
        || case when i.kind = 'deals' then jsonb_build_object('stored', private.stored_deal(m.target)) else '{}' end
      else '{}'
    end || case
      when i.kind = 'deals' and p.problem is null and m.twin is null and m.is_same is not true and p.reported ?| array['person', 'organisation']
      then jsonb_build_object('behind', coalesce(b.behind, '[]'))
      else '{}'
    end order by p.place), '[]')
    from private.import_rows p
    left join private.import_matches m on m.import_id = p.import_id and m.place = p.place
    left join private.import_changes(i, places) c on c.place = p.place
    left join (
      select h.place, jsonb_agg(jsonb_build_object('side', h.side, 'id', h.id, 'changes', h.changes)) as behind
      from private.related_changes(i, case i.kind when 'deals' then places else '{}' end) h group by h.place
    ) b on b.place = p.place
    where p.import_id = i.id and p.place = any (places)
  );
end
$$;
comment on function public.import_page is
  'Rows of an import that were found to be such, in the order of the file, after a place; with the reason, and what each would change of a record that is there. A definer because the tables of imports are closed.';

create function private.keeps_name(contact public.contacts, reported jsonb) returns boolean
language sql stable
set search_path = ''
as $$
  select case reported ->> 'name_from'
    -- A name beside an address is not the file's word for the person.
    when 'address' then coalesce(contact.first_name, contact.last_name) is not null
    -- Where a full name ends is a guess; what was written by hand is none.
    when 'full name' then private.fold(concat_ws(' ', contact.first_name, contact.last_name))
        = private.fold(concat_ws(' ', reported ->> 'first_name', reported ->> 'last_name'))
      or contact.last_name is not null and not reported ? 'last_name'
    else false
  end
$$;
comment on function private.keeps_name is 'Whether a contact keeps its name, because the row only guesses at one.';

create function private.values_for(target uuid, reported jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select case when exists (
    select from public.contacts c where c.id = target and private.keeps_name(c, reported)
  ) then reported - 'first_name' - 'last_name' else reported end
$$;
comment on function private.values_for is 'What a row says of a record that is there: without a name that is only a guess.';

create function private.import_changes(i private.imports, places integer[]) returns table (place integer, changes jsonb)
language plpgsql stable
set search_path = ''
as $$
begin
  return query execute (
    select format(
      'select w.place, coalesce(jsonb_object_agg(d.name, jsonb_build_array(d.before, d.after)) filter (where d.name is not null), ''{}'')
       from (
         select r.place, private.values_for(m.target, r.reported) as reported, m.target, null::uuid as company_id
         from private.import_rows r
         join private.import_matches m on m.import_id = r.import_id and m.place = r.place
         where r.import_id = $1.id and r.place = any ($2) and m.target is not null and m.twin is null and not m.is_same
       ) w
       cross join lateral jsonb_to_record(w.reported) as v (note_parts jsonb, %2$s)
       join public.%1$I o on o.id = w.target and (o.user_id = $1.user_id) is true
       left join lateral (select n.* from (values %3$s) as n (name, before, after) where n.before is distinct from n.after) d on true
       group by w.place',
      i.kind,
      string_agg(c.definition, ', '),
      string_agg(format('(%L, to_jsonb(o.%I), to_jsonb(%s))', c.name, c.name, case
        -- Notes that would become too long are refused when they are written, not when they are shown.
        when c.name = 'notes' then format('case when char_length(concat(o.notes, v.notes)) > 49000 then o.notes else %s end', c.changed)
        else c.changed
      end), ', ') filter (where i.kind <> 'deals' or c.is_plain)
        || case when i.kind = 'contacts' then
          ', (''company'', to_jsonb((select k.name from public.companies k where k.user_id = o.user_id and k.id = o.company_id)), (
            select to_jsonb(case when private.fold(k.name) = private.fold(w.reported ->> ''company'') then k.name else coalesce(w.reported ->> ''company'', k.name) end)
            from (select (select k.name from public.companies k where k.user_id = o.user_id and k.id = o.company_id) as name) k
          ))'
        else '' end)
    from private.import_columns(i.kind) c
  ) using i, places;
end
$$;
comment on function private.import_changes is
  'What some rows would change of the records that are there: {column: [before, after]}, by the rules by which it is written. Of deals what the row and the deal alone decide.';

create function private.related_changes(i private.imports, places integer[])
returns table (place integer, side text, id uuid, changes jsonb)
language plpgsql stable
set search_path = ''
as $$
declare
  kind text;
begin
  places := array(
    select r.place from private.import_rows r
    where r.import_id = i.id and r.place = any (places) and r.reported ?| array['person', 'organisation']
  );
  if places = '{}' then
    return;
  end if;
  foreach kind in array array['contacts', 'companies'] loop
    return query execute (
      select format(
        'select r.place, %1$L, o.id,
           coalesce(jsonb_object_agg(d.name, jsonb_build_array(d.before, d.after)) filter (where d.name is not null), ''{}'')
         from %2$s
         cross join lateral (select private.related_values(r.reported, %1$L) as reported) b
         cross join lateral jsonb_to_record(b.reported) as v (note_parts jsonb, %3$s)
         join public.%4$I o on o.id = found.id and (o.user_id = $1.user_id) is true
         left join lateral (select n.* from (values %5$s) as n (name, before, after) where n.before is distinct from n.after) d on true
         where r.reported ? %1$L
         group by r.place, o.id',
        case kind when 'contacts' then 'person' else 'organisation' end,
        case kind
          when 'contacts' then
            '(select p.place, p.contact_id as id from private.people_of_deals($1, $2) p where p.nth = 0) found
             join private.import_rows r on r.import_id = $1.id and r.place = found.place'
          else
            'private.import_rows r
             join private.company_keys($1.user_id) found on found.key = private.fold(r.reported ->> ''company'')
               and r.import_id = $1.id and r.place = any ($2)'
        end,
        string_agg(c.definition, ', '), kind,
        string_agg(format('(%L, to_jsonb(o.%I), to_jsonb(%s))', c.name, c.name, case
          -- Notes that would become too long are refused when they are written, not when they are shown.
          when c.name = 'notes' then format('case when char_length(concat(o.notes, v.note_parts)) > 49000 then o.notes else %s end', c.filled)
          else c.filled
        end), ', ') filter (where c.filled is not null)
          || case kind when 'companies' then ', (''kept_notes'', null, to_jsonb(private.new_lines(o.id, b.reported)))' else '' end)
      from private.related_columns(kind) c
    ) using i, places;
  end loop;
end
$$;
comment on function private.related_changes is
  'What some rows of deals would change of the contacts and companies that they name and that are there: {column: [before, after]}, by the rules by which it is written. Lines for a note on a company are called kept_notes.';

-- Which rows are written, and what they link to ---------------------------------------------------------------

-- No search path of its own, so that the planner writes its body into the query, see contact_card.
create function private.import_writes(i private.imports, duplicates text)
returns table (place integer, reported jsonb, target uuid)
language sql stable
as $$
  select r.place, r.reported, case when duplicates = 'update' then m.target end
  from private.import_rows r
  left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
  where r.import_id = i.id and r.problem is null
    and (m.place is null or duplicates = 'create' or duplicates = 'update' and m.twin is null and not m.is_same)
$$;
comment on function private.import_writes is 'The rows that are written: a new record where there is no target, else a change of it.';

create function private.company_keys(me uuid) returns table (key text, id uuid)
language sql stable -- no search path of its own, see contact_card
as $$
  select distinct on (private.fold(c.name)) private.fold(c.name), c.id
  from public.companies c where c.user_id = me
  order by private.fold(c.name), c.created_at, c.id
$$;

create function private.plan_import(i private.imports, duplicates text) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  delete from private.import_plans p where p.import_id = i.id;
  with writes as materialized (
    select w.place, w.target, private.fold(w.reported ->> 'company') as key from private.import_writes(i, duplicates) w
  ),
  named as materialized (
    select f.key, f.place, coalesce(k.id, gen_random_uuid()) as company_id, k.id is null as is_new
    from (select w.key, min(w.place) as place from writes w where w.key is not null group by w.key) f
    left join private.company_keys(i.user_id) k on k.key = f.key
  )
  insert into private.import_plans (import_id, user_id, place, target, company_id, adds_company)
  select i.id, i.user_id, w.place, w.target, n.company_id, coalesce(n.is_new and n.place = w.place, false)
  from writes w left join named n on n.key = w.key;
  perform private.write_import_fields(i);
end
$$;
comment on function private.plan_import is 'Finds which rows are written, and which company each names; makes the fields that they need.';

create function private.plan_deal_contacts(i private.imports) returns void
language plpgsql
set search_path = ''
set enable_nestloop = off -- the statistics know nothing of rows that have just arrived
set jit = off -- without the plans it prefers, the planner takes every query for a huge one, and compiles it
as $$
begin
  delete from private.import_people p where p.import_id = i.id;
  update private.import_plans p set record_id = coalesce(p.target, gen_random_uuid())
  from private.import_rows r
  where p.import_id = i.id and r.import_id = i.id and r.place = p.place and r.reported ?| array['further_contacts', 'kept_notes'];

  with people as materialized (select * from private.people_of_deals(i)),
  made as materialized (
    select distinct on (p.key, p.of_company) p.key, p.of_company, p.place, p.nth, gen_random_uuid() as id
    from people p where p.contact_id is null order by p.key, p.of_company, p.place, p.nth
  ),
  known as materialized (
    select p.place, p.nth, p.first_name, p.last_name, p.email, p.role, coalesce(p.contact_id, m.id) as contact_id,
      coalesce(m.place = p.place and m.nth = p.nth, false) as adds_contact
    from people p
    left join made m on p.contact_id is null and m.key = p.key and m.of_company = p.of_company
  ),
  further as (
    insert into private.import_people (import_id, user_id, place, nth, first_name, last_name, email, role, contact_id, adds_contact)
    select i.id, i.user_id, k.place, k.nth, k.first_name, k.last_name, k.email, k.role, k.contact_id, k.adds_contact
    from known k where k.nth > 0
  )
  update private.import_plans p set contact_id = k.contact_id, adds_contact = k.adds_contact
  from known k
  where p.import_id = i.id and p.place = k.place and k.nth = 0;
end
$$;
comment on function private.plan_deal_contacts is 'Finds which contacts each row of an import of deals names.';

create function private.add_stage(pipeline uuid, name text) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  is_closed boolean := private.outcome_of(name) <> 'open';
  at integer;
  made uuid;
begin
  -- What is open comes before what is closed.
  select coalesce(max(s."order"), 0) + 1 into at from public.pipeline_stages s
  where s.pipeline_id = add_stage.pipeline and (is_closed or s.outcome = 'open');
  update public.pipeline_stages s set "order" = s."order" + 1 where s.pipeline_id = add_stage.pipeline and s."order" >= at;
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select p.user_id, p.id, add_stage.name, at, private.usual_probability(add_stage.name)
  from public.pipelines p where p.id = add_stage.pipeline
  returning id into made;
  return made;
end
$$;

create type private.place_in_pipeline as (own_pipeline uuid, pipeline_key text, stage text, pipeline_id uuid, stage_id uuid);

create function private.deal_writes(i private.imports, duplicates text)
returns table (place integer, reported jsonb, target uuid, own_pipeline uuid)
language sql stable -- no search path of its own, see contact_card
as $$
  select w.place, w.reported, w.target, case when not w.reported ? 'pipeline' then d.pipeline_id end
  from private.import_writes(i, duplicates) w
  left join public.deals d on d.user_id = i.user_id and d.id = w.target
$$;
comment on function private.deal_writes is
  'As import_writes, with the pipeline that a deal is in: where the row names none, its stage is one of that pipeline.';

create function private.places_in_pipelines(i private.imports, duplicates text) returns private.place_in_pipeline[]
language plpgsql
set search_path = ''
as $$
declare
  places private.place_in_pipeline[] := '{}';
  wanted record;
  is_closed boolean;
  pipeline public.pipelines;
  stage_id uuid;
begin
  perform private.lock_pipelines();
  for wanted in
    select w.own_pipeline, private.fold(w.reported ->> 'pipeline') as pipeline_key, w.reported ->> 'stage' as stage,
      private.fold(w.reported ->> 'stage') as stage_key, min(w.reported ->> 'pipeline') as pipeline_name
    from private.deal_writes(i, duplicates) w
    where w.reported ?| array['pipeline', 'stage']
    group by 1, 2, 3
    order by min(w.place)
  loop
    stage_id := null;
    -- However its letters are written.
    is_closed := private.outcome_of(initcap(wanted.stage_key)) <> 'open';
    -- A stage without a pipeline is looked for in all of them, in the oldest first. Every pipeline can be closed in: what
    -- is won or lost goes to the oldest.
    select p.* into pipeline
    from public.pipelines p
    left join public.pipeline_stages s on s.pipeline_id = p.id and private.fold(s.name) = wanted.stage_key and not is_closed
    where p.user_id = i.user_id
      and case
        when wanted.own_pipeline is not null then p.id = wanted.own_pipeline
        else wanted.pipeline_key is null or private.fold(p.name) = wanted.pipeline_key
      end
    order by s.id is null, s.name is distinct from wanted.stage, p.created_at, p.id
    limit 1;
    if pipeline.id is null then
      insert into public.pipelines (user_id, name) values (i.user_id, coalesce(wanted.pipeline_name, 'Sales Pipeline'))
      returning * into pipeline;
      -- A pipeline of the file has the file's stages; where it names none that is open, the usual ones.
      if exists (
        select from private.import_writes(i, duplicates) w
        where private.fold(w.reported ->> 'pipeline') is not distinct from wanted.pipeline_key
          and w.reported ->> 'stage' is not null and private.outcome_of(initcap(private.fold(w.reported ->> 'stage'))) = 'open'
      ) then
        perform private.add_stage(pipeline.id, u.name) from private.usual_stages() u where u.outcome = 'won';
      else
        perform private.add_default_stages(pipeline);
      end if;
    end if;
    if wanted.stage_key is not null then
      select s.id into stage_id from public.pipeline_stages s
      where s.pipeline_id = pipeline.id and private.fold(s.name) = wanted.stage_key
      order by s.name <> case when is_closed then initcap(wanted.stage_key) else wanted.stage end, s."order", s.id limit 1;
      stage_id := coalesce(
        stage_id, private.add_stage(pipeline.id, case when is_closed then initcap(wanted.stage_key) else wanted.stage end)
      );
    end if;
    places := places || row(wanted.own_pipeline, wanted.pipeline_key, wanted.stage, pipeline.id, stage_id)::private.place_in_pipeline;
  end loop;
  return places;
end
$$;
comment on function private.places_in_pipelines is
  'Which pipeline and stage the names in the rows mean; those that are not there are made. There are a hundred at most, see check_names.';

create function private.people_of_deals(i private.imports, places integer[] default null)
returns table (
  place integer, nth integer, first_name text, last_name text, email text, role text, key text, of_company text, contact_id uuid
)
language sql stable -- no search path of its own, see contact_card
as $$
  with looked_at as materialized (
    select w.place, w.company_id, r.reported
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    where w.import_id = i.id and places is null
    union all
    select r.place, k.id, r.reported
    from private.import_rows r
    left join private.company_keys(i.user_id) k on k.key = private.fold(r.reported ->> 'company')
    where r.import_id = i.id and r.place = any (places)
  ),
  reported as materialized (
    select w.place, 0 as nth, v.contact_first_name as first_name, v.contact_last_name as last_name, v.contact_email as email,
      null::text as role, w.company_id
    from looked_at w
    cross join lateral jsonb_to_record(w.reported) as v (contact_email text, contact_first_name text, contact_last_name text)
    union all
    select w.place, f.nth::integer, f.first_name, f.last_name, f.email, f.role, w.company_id
    from looked_at w
    cross join lateral private.further_contacts(w.reported) f
    where w.reported ? 'further_contacts'
  ),
  named as materialized (
    select s.place, s.nth, s.first_name, s.last_name, s.email, s.role, lower(s.email) as email_key, s.company_id,
      private.fold(nullif(concat_ws(' ', s.first_name, s.last_name), '')) as key
    from reported s where coalesce(s.email, s.first_name, s.last_name) is not null
  ),
  people as materialized (
    select c.id, lower(c.email) as email, c.company_id, c.created_at,
      private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), '')) as key
    from public.contacts c where c.user_id = i.user_id
    union all
    select c.id, lower(e.value ->> 'value'), null, c.created_at, null
    from public.contacts c cross join lateral jsonb_array_elements(c.emails - 0) e
    where c.user_id = i.user_id and (jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1)
  ),
  by_email as (select distinct on (p.email) p.email, p.id from people p where p.email is not null order by p.email, p.created_at, p.id),
  by_both as (
    select distinct on (p.key, p.company_id) p.key, p.company_id, p.id from people p
    where p.key is not null and p.company_id is not null order by p.key, p.company_id, p.created_at, p.id
  ),
  by_name as (select distinct on (p.key) p.key, p.id from people p where p.key is not null order by p.key, p.created_at, p.id)
  -- An address says who is meant; a name alone may be anybody's, so one of the deal's company comes first.
  select n.place, n.nth, n.first_name, n.last_name, n.email, n.role, coalesce(n.email_key, n.key, ''),
    case when n.email_key is null then coalesce(n.company_id::text, '') else '' end,
    case when n.email_key is not null then e.id else coalesce(b.id, a.id) end
  from named n
  left join by_email e on e.email = n.email_key
  left join by_both b on b.key = n.key and b.company_id = n.company_id
  left join by_name a on a.key = n.key
$$;
comment on function private.people_of_deals is
  'Whom the rows of an import of deals name, the main contact as number 0: which contact that is, or null when there is none, and by what several rows name the same. Of the rows that are written, or of those at some places before it is known which are.';

-- Writing the rows, through the triggers and constraints of their tables --------------------------------------

-- No search path of its own, so that the planner writes its body into the query, see contact_card.
create function private.planned_rows(i private.imports, after bigint, last bigint)
returns table (place integer, reported jsonb, target uuid, company_id uuid, contact_id uuid, adds_company boolean, adds_contact boolean)
language sql stable
as $$
  select p.place, case when p.target is not null and r.reported ? 'name_from' then private.values_for(p.target, r.reported) else r.reported end,
    p.target, p.company_id, p.contact_id, p.adds_company, p.adds_contact
  from private.import_plans p
  join private.import_rows r on r.import_id = p.import_id and r.place = p.place
  where p.import_id = i.id and p.place > after and p.place <= last
    and r.import_id = i.id and r.place > after and r.place <= last
$$;
comment on function private.planned_rows is 'The rows of one part of an import, by their places in the file.';

create function private.added_notes(contact public.contacts, parts jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  -- Spreadsheets end lines in two letters, forms in one.
  there text := E'\n' || replace(coalesce(contact.notes, ''), E'\r\n', E'\n') || E'\n';
  written text;
begin
  select concat_ws(E'\n', contact.notes, string_agg(p.part, E'\n' order by p.place)) into written
  from jsonb_array_elements_text(parts) with ordinality p (part, place)
  where position(E'\n' || replace(p.part, E'\r\n', E'\n') || E'\n' in there) = 0;
  if char_length(written) > 50000 then
    raise exception 'With what the file adds, the notes of % would have more than 50,000 characters. Shorten them, or skip the records that already exist.',
      private.record_name('contacts', contact.id) using errcode = 'PT409';
  end if;
  return nullif(written, '');
end
$$;
comment on function private.added_notes is
  'The notes of a contact with what a row of an import adds: each part that does not stand there already, as whole lines. Nothing is replaced.';

create function private.write_records(i private.imports, moment timestamptz, after bigint, last bigint) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
  updated uuid[];
  -- Only companies may have notes of their own.
  has_ids boolean := i.kind = 'companies';
begin
  if has_ids then
    update private.import_plans p set record_id = coalesce(p.target, gen_random_uuid())
    from private.import_rows r
    where p.import_id = i.id and p.place > after and p.place <= last
      and r.import_id = i.id and r.place = p.place and r.reported ? 'kept_notes';
  end if;
  -- Rows without a moment of their own keep the order of the file in the list, newest first.
  execute (
    select format(
      'insert into public.%I (%s user_id, created_at, %s)
       select %s $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''), %s
       from private.planned_rows($1, $3, $4) w %s
       cross join lateral jsonb_to_record(w.reported) as v (created_at timestamptz, %s)
       where w.target is null',
      i.kind, case when has_ids then 'id,' else '' end, string_agg(quote_ident(c.name), ', '),
      case when has_ids then 'coalesce(n.record_id, gen_random_uuid()),' else '' end, string_agg(c.added, ', '),
      case when has_ids then 'join private.import_plans n on n.import_id = $1.id and n.place = w.place' else '' end,
      string_agg(c.definition, ', '))
    from private.import_columns(i.kind) c
  ) using i, moment, after, last;
  get diagnostics added = row_count;

  execute (
    select format(
      'with updated as (
         update public.%1$I c set %2$s
         from (
           select o.id, %3$s
           from private.planned_rows($1, $2, $3) w
           cross join lateral jsonb_to_record(w.reported) as v (note_parts jsonb, %4$s)
           join public.%1$I o on o.id = w.target and (o.user_id = $1.user_id) is true
         ) n
         -- What says the same is left alone, its moment of the last change too.
         where c.id = n.id and (c.user_id = $1.user_id) is true and (%5$s) is distinct from (%6$s)
         returning c.id
       )
       select coalesce(array_agg(u.id), ''{}'') from updated u',
      i.kind, string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('c.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns(i.kind) c
  ) into updated using i, after, last;
  if has_ids then
    updated := updated || private.note_companies(i, moment, after, last) || private.note_records(i, moment, after, last);
  end if;
  return jsonb_build_object('added', added, 'updated', (
    select count(distinct u.id) from unnest(updated) as u (id)
    where not has_ids or exists (
      select from private.import_plans p where p.import_id = i.id and p.place > after and p.place <= last and p.target = u.id
    )
  ));
end
$$;
comment on function private.write_records is 'Writes the contacts or companies of a part of an import, as private.import_columns says.';

create function private.related_values_of(i private.imports, after bigint, last bigint, side text) returns table (id uuid, reported jsonb)
language sql stable
set search_path = ''
as $$
  with reported as (
    select case side when 'person' then w.contact_id else w.company_id end as id, w.place, e.key, e.value
    from private.planned_rows(i, after, last) w
    cross join lateral jsonb_each(private.related_values(w.reported, side)) e
    where w.reported ? side
  ),
  values_of as (
    select s.id, s.key, case
      when bool_and(jsonb_typeof(s.value) = 'array') then private.joined_lists(jsonb_agg(s.value order by s.place))
      else (array_agg(s.value order by s.place))[1]
    end as value
    from reported s where s.id is not null group by s.id, s.key
  )
  select v.id, jsonb_object_agg(v.key, v.value) from values_of v group by v.id
$$;
comment on function private.related_values_of is
  'What some rows of deals say of each contact or company together: the first value of a field, and all of a list.';

create function private.add_related(i private.imports, moment timestamptz, after bigint, last bigint, kind text) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
begin
  execute (
    select format(
      'insert into public.%1$I (id, user_id, created_at, %2$s)
       select w.%3$I, $1.user_id, coalesce(v.created_at, $2), %4$s
       from private.planned_rows($1, $3, $4) w
       cross join lateral jsonb_to_record(private.related_values(w.reported, %5$L) || %6$s) as v (created_at timestamptz, note_parts jsonb, %7$s)
       where w.reported ? %5$L and w.%8$I',
      kind, string_agg(quote_ident(c.name), ', '), case kind when 'contacts' then 'contact_id' else 'company_id' end,
      string_agg(c.added, ', '), case kind when 'contacts' then 'person' else 'organisation' end,
      case kind
        when 'contacts' then
          'jsonb_build_object(''first_name'', w.reported -> ''contact_first_name'', ''last_name'', w.reported -> ''contact_last_name'', ''email'', w.reported -> ''contact_email'')'
        else 'jsonb_build_object(''name'', w.reported -> ''company'')'
      end,
      string_agg(c.definition, ', '), case kind when 'contacts' then 'adds_contact' else 'adds_company' end)
    from private.related_columns(kind) c
  ) using i, moment, after, last;
  get diagnostics added = row_count;
  return added;
end
$$;
comment on function private.add_related is 'Adds the contacts or companies that rows of deals make and say more of than their names; tells how many.';

create function private.write_related(i private.imports, moment timestamptz, after bigint, last bigint) returns uuid[]
language plpgsql
set search_path = ''
as $$
declare
  kind text;
  changed uuid[];
  noted uuid[];
  all_changed uuid[] := '{}';
begin
  if not exists (select from private.planned_rows(i, after, last) w where w.reported ?| array['person', 'organisation']) then
    return '{}';
  end if;
  with noted_on as (
    insert into public.notes (user_id, company_id, body, happened_at)
    select i.user_id, b.id, left(l.lines, 50000), moment
    from private.related_values_of(i, after, last, 'organisation') b
    cross join lateral (select private.new_lines(b.id, b.reported) as lines) l
    where l.lines is not null
    returning company_id
  )
  select coalesce(array_agg(n.company_id), '{}') into noted from noted_on n;

  foreach kind in array array['contacts', 'companies'] loop
    execute (
      select format(
        'with updated as (
           update public.%1$I c set %2$s
           from (
             select o.id, %3$s
             from private.related_values_of($1, $2, $3, %4$L) b
             cross join lateral jsonb_to_record(b.reported) as v (note_parts jsonb, %5$s)
             join public.%1$I o on o.id = b.id and (o.user_id = $1.user_id) is true
           ) n
           -- What says the same is left alone, its moment of the last change too.
           where c.id = n.id and (c.user_id = $1.user_id) is true and (%6$s) is distinct from (%7$s)
           returning c.id
         )
         select coalesce(array_agg(u.id), ''{}'') from updated u',
        kind,
        string_agg(format('%1$I = n.%1$I', c.name), ', ') filter (where c.filled is not null),
        string_agg(format('%s as %I', c.filled, c.name), ', ') filter (where c.filled is not null),
        case kind when 'contacts' then 'person' else 'organisation' end, string_agg(c.definition, ', '),
        string_agg(format('c.%I', c.name), ', ') filter (where c.filled is not null),
        string_agg(format('n.%I', c.name), ', ') filter (where c.filled is not null))
      from private.related_columns(kind) c
    ) into changed using i, after, last;
    all_changed := all_changed || changed;
  end loop;
  all_changed := all_changed || noted;
  return array(
    select w.target from private.planned_rows(i, after, last) w
    where w.target is not null and (
      w.reported ? 'person' and w.contact_id = any (all_changed) or w.reported ? 'organisation' and w.company_id = any (all_changed)
    )
  );
end
$$;
comment on function private.write_related is
  'Fills the contacts and companies of some rows of deals with what the rows say of them; tells of which deals that are there one got something.';

create function private.write_deals(i private.imports, moment timestamptz, after bigint, last bigint, places private.place_in_pipeline[], usual uuid)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  people bigint := private.write_import_people(i, moment, after, last);
  added bigint;
  updated uuid[];
begin
  -- Exact values: a deal that was closed before it came here was not closed today.
  perform set_config('solo.restoring', 'on', true);
  execute (
    select format(
      'insert into public.deals (id, user_id, created_at, closed_at, %s)
       select coalesce(n.record_id, gen_random_uuid()), $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''),
         case when s.outcome <> ''open''
           then coalesce(v.closed_at, least(v.closes_at, $2)) end, %s
       from private.planned_rows($1, $3, $4) w
       join private.import_plans n on n.import_id = $1.id and n.place = w.place
       cross join lateral jsonb_to_record(w.reported) as v (
         pipeline text, stage text, created_at timestamptz, closed_at timestamptz, closes_at timestamptz, %s
       )
       cross join (values ($6)) as usual (pipeline_id)
       left join unnest($5) p on p.own_pipeline is null
         and coalesce(p.pipeline_key, '''') = coalesce(private.fold(v.pipeline), '''') and coalesce(p.stage, '''') = coalesce(v.stage, '''')
       left join public.pipeline_stages s on s.user_id = $1.user_id and s.id = p.stage_id
       where w.target is null',
      string_agg(quote_ident(c.name), ', '), string_agg(c.added, ', '), string_agg(c.definition, ', '))
    from private.import_columns('deals') c
  ) using i, moment, after, last, places, usual;
  get diagnostics added = row_count;

  execute (
    select format(
      'with updated as (
         update public.deals d set closed_at = n.closed_at, %1$s
         from (
           select o.id, case
               when s.outcome is null or s.outcome = ''open'' then null
               when s.outcome = b.outcome then coalesce(v.closed_at, o.closed_at)
               else coalesce(v.closed_at, least(v.closes_at, $2))
             end as closed_at, %2$s
           from private.planned_rows($1, $3, $4) w
           cross join lateral jsonb_to_record(w.reported) as v (pipeline text, stage text, closed_at timestamptz, closes_at timestamptz, %3$s)
           join public.deals o on o.id = w.target and (o.user_id = $1.user_id) is true
           -- Where the row names no pipeline, its stage is one of the pipeline that the deal is in.
           left join unnest($5) p on coalesce(p.own_pipeline::text, '''') = coalesce(case when v.pipeline is null then o.pipeline_id end::text, '''')
             and coalesce(p.pipeline_key, '''') = coalesce(private.fold(v.pipeline), '''') and coalesce(p.stage, '''') = coalesce(v.stage, '''')
           left join public.pipeline_stages b on b.user_id = $1.user_id and b.id = o.stage_id
           -- The stage that the row names; where it names none, the one that the deal has, if it stays in its pipeline.
           left join public.pipeline_stages s on s.user_id = $1.user_id and s.id = coalesce(
             p.stage_id, case when p.pipeline_id is null or p.pipeline_id = o.pipeline_id then o.stage_id end
           )
         ) n
         where d.id = n.id and (d.user_id = $1.user_id) is true and (d.closed_at, %4$s) is distinct from (n.closed_at, %5$s)
         returning d.id
       )
       select coalesce(array_agg(u.id), ''{}'') from updated u',
      string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('d.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns('deals') c
  ) into updated using i, moment, after, last, places;
  perform set_config('solo.restoring', 'off', true);

  updated := updated || private.link_import_people(i, after, last) || private.note_records(i, moment, after, last)
    || private.write_related(i, moment, after, last);
  return jsonb_build_object('contacts', people, 'added', added, 'updated', (
    select count(distinct w.target) from private.import_plans w
    where w.import_id = i.id and w.place > after and w.place <= last and w.target = any (updated)
  ));
end
$$;
comment on function private.write_deals is 'Writes the deals of a part of an import, with their further contacts and notes.';

create function private.begin_import(w private.unfinished_work) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  i private.imports := private.own_import((w.arguments ->> 'id')::uuid, true);
  duplicates text := coalesce(w.arguments -> 'duplicates', '"skip"') #>> '{}';
begin
  -- An answer that was lost is given again; nothing is written twice.
  if i.summary is not null then
    w.state := jsonb_build_object('answer', public.import_state(i.id));
    return w;
  end if;
  if duplicates is null or duplicates not in ('skip', 'update', 'create') then
    raise exception 'Duplicates are handled by skip, update or create.' using errcode = 'PT400';
  end if;
  perform private.check_names(i);
  -- Once more: the records may have changed since the rows were looked at.
  perform private.match_import(i);
  w.state := jsonb_build_object('step', 'plan', 'size', i.total, 'duplicates', duplicates, 'told', case i.kind
    when 'contacts' then '{"added": 0, "updated": 0, "companies": 0}'::jsonb
    when 'companies' then '{"added": 0, "updated": 0}'
    else '{"added": 0, "updated": 0, "companies": 0, "contacts": 0}'
  end);
  return w;
end
$$;

create function private.added_up(counts jsonb, more jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$ select counts || jsonb_object_agg(m.key, coalesce((counts ->> m.key)::bigint, 0) + m.value::bigint) from jsonb_each_text(more) m $$;

create function private.write_import_rows(
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
    select p.company_id, i.user_id, p.reported ->> 'company', w.started_at
    from private.planned_rows(i, after, last) p where p.adds_company and not p.reported ? 'organisation';
    get diagnostics row_count = row_count;
    return jsonb_build_object('companies', row_count + private.add_related(i, w.started_at, after, last, 'companies'));
  elsif step = 'contacts' then
    insert into public.contacts (id, user_id, first_name, last_name, email, company_id, created_at)
    select p.contact_id, i.user_id, p.reported ->> 'contact_first_name', p.reported ->> 'contact_last_name', p.reported ->> 'contact_email',
      p.company_id, w.started_at
    from private.planned_rows(i, after, last) p where p.adds_contact and not p.reported ? 'person';
    get diagnostics row_count = row_count;
    return jsonb_build_object('contacts', row_count + private.add_related(i, w.started_at, after, last, 'contacts'));
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

create function private.finish_import(i private.imports, told jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  rejected bigint;
begin
  select count(*) into rejected from private.import_rows r where r.import_id = i.id and r.problem is not null;
  told := told || jsonb_build_object(
    'rejected', rejected,
    'skipped', i.total - rejected - (told ->> 'added')::bigint - (told ->> 'updated')::bigint
  );
  update private.imports n set summary = told, batch = private.written_batch(), done_at = now() where n.id = i.id
  returning * into i;
  if i.batch is not null then
    perform private.name_action('import', i.file_name);
  end if;
  delete from private.import_plans p where p.import_id = i.id;
  delete from private.import_matches m where m.import_id = i.id;
  delete from private.import_rows r where r.import_id = i.id and r.problem is null;
  return public.import_state(i.id);
end
$$;

create function private.import_part(w private.unfinished_work, rows integer) returns private.unfinished_work
language plpgsql
set search_path = ''
as $$
declare
  i private.imports;
  step text := w.state ->> 'step';
  -- Below every place.
  after bigint := coalesce((w.state ->> 'after')::bigint, -2147483649);
  last bigint;
  places private.place_in_pipeline[];
begin
  select * into i from private.imports n where n.user_id = w.user_id and n.id = (w.arguments ->> 'id')::uuid;
  if step = 'plan' then
    perform private.plan_import(i, w.state ->> 'duplicates');
    step := 'companies';
  elsif step = 'people' then
    perform private.plan_deal_contacts(i);
    step := 'contacts';
  elsif step = 'places' then
    places := private.places_in_pipelines(i, w.state ->> 'duplicates');
    w.state := w.state || jsonb_build_object('places', to_jsonb(places), 'usual', (
      select p.id from public.pipelines p where p.user_id = i.user_id order by p.created_at, p.id limit 1
    ));
    step := 'rows';
  elsif step in ('companies', 'contacts', 'rows') then
    select max(p.place) into last from (
      select n.place from private.import_plans n
      where n.import_id = i.id and n.place > after
        and case step when 'companies' then n.adds_company when 'contacts' then n.adds_contact else true end
      order by n.place limit rows
    ) p;
    if last is not null then
      w.state := w.state || jsonb_build_object('after', last,
        'told', private.added_up(w.state -> 'told', private.write_import_rows(w, i, step, after, last)));
      return w;
    end if;
    step := case
      when step = 'companies' and i.kind = 'deals' then 'people'
      when step = 'contacts' then 'places'
      when step = 'companies' then 'rows'
      when i.total >= 1000 then 'analyze'
      else 'finish'
    end;
  elsif step = 'analyze' then
    -- Nobody else tells the embedded database how many rows there are now; lists and undo are planned by it.
    analyze public.contacts, public.companies, public.deals, public.changes;
    step := 'finish';
  else
    w.state := jsonb_build_object('answer', private.finish_import(i, w.state -> 'told'));
    return w;
  end if;
  w.state := w.state - 'after' || jsonb_build_object('step', step);
  return w;
end
$$;
comment on function private.import_part is
  'The next part of an import: first which rows are written and what they link to, then companies and contacts that they name, then the rows, and in the end the summary.';

-- By default a request is refused after ten seconds of waiting for a lock. This one waits for as long as an import may take: a client
-- that lost the connection and repeats its request must find the import done.
create function public.commit_import(id uuid, duplicates text default 'skip') returns jsonb
language plpgsql
security definer
set search_path = ''
set statement_timeout = '300s'
set lock_timeout = '300s'
as $$
begin
  return private.all_parts(private.first_state(
    'commit_import', jsonb_build_object('id', commit_import.id, 'duplicates', commit_import.duplicates)
  ));
end
$$;
comment on function public.commit_import is
  'Writes all rows of an import, in one transaction and one batch. Records that are there already: skip leaves them, update gives them what the file says and adds to their notes, create makes another. A definer because the tables of imports are closed and moments of creation are written.';

-- Everybody whom a row of deals names is linked to the deal, the first as its main contact. See
-- docs/decisions/039-several-contacts-on-a-deal.md.

create function private.write_import_people(i private.imports, moment timestamptz, after bigint, last bigint) returns bigint
language plpgsql
set search_path = ''
as $$
declare
  added bigint;
begin
  insert into public.contacts (id, user_id, first_name, last_name, email, company_id, created_at)
  select p.contact_id, i.user_id, p.first_name, p.last_name, p.email, w.company_id, moment
  from private.import_people p
  join private.import_plans w on w.import_id = p.import_id and w.place = p.place
  where p.import_id = i.id and p.place > after and p.place <= last and p.adds_contact;
  get diagnostics added = row_count;
  return added;
end
$$;
comment on function private.write_import_people is 'Adds the contacts that are named only after the first of a row; tells how many.';

create function private.link_import_people(i private.imports, after bigint, last bigint) returns uuid[]
language sql
set search_path = ''
as $$
  with linked as (
    insert into public.deal_contacts (user_id, deal_id, contact_id, role, position)
    select i.user_id, d.id, p.contact_id, (array_agg(p.role order by p.nth) filter (where p.role is not null))[1],
      (select coalesce(max(k.position), 0) from public.deal_contacts k where k.user_id = i.user_id and k.deal_id = d.id) + min(p.nth)
    from private.import_people p
    join private.import_plans w on w.import_id = p.import_id and w.place = p.place
    join public.deals d on d.user_id = i.user_id and d.id = w.record_id
    where p.import_id = i.id and p.place > after and p.place <= last
      -- Of the main one only a role is kept here.
      and (p.role is not null or p.contact_id is distinct from d.contact_id)
      and not exists (
        select from public.deal_contacts k where k.user_id = i.user_id and k.deal_id = d.id and k.contact_id = p.contact_id
      )
    -- One person may be named by a name and by an address.
    group by d.id, p.contact_id
    returning deal_id
  ),
  -- Another role was given by hand.
  given as (
    update public.deal_contacts k set role = n.role
    from (
      select d.id as deal_id, p.contact_id, (array_agg(p.role order by p.nth))[1] as role
      from private.import_people p
      join private.import_plans w on w.import_id = p.import_id and w.place = p.place
      join public.deals d on d.user_id = i.user_id and d.id = w.record_id
      where p.import_id = i.id and p.place > after and p.place <= last and p.role is not null
      group by d.id, p.contact_id
    ) n
    where k.user_id = i.user_id and k.deal_id = n.deal_id and k.contact_id = n.contact_id and k.role is null
    returning k.deal_id
  ),
  done as (delete from private.import_people p where p.import_id = i.id and p.place > after and p.place <= last)
  select coalesce(array_agg(l.deal_id), '{}') from (select deal_id from linked union select deal_id from given) l
$$;
comment on function private.link_import_people is 'Puts the further contacts of some rows on their deals, and gives a role to those who have none; tells which deals got one.';

create function private.imported_notes(contact public.contacts, parts jsonb, entries jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
begin
  parts := coalesce(parts, '[]') || to_jsonb(
    private.entries_beyond('emails', contact.emails, entries -> 'emails') || private.entries_beyond('phones', contact.phones, entries -> 'phones')
    || private.entries_beyond('links', contact.links, entries -> 'links') || private.entries_beyond('addresses', contact.addresses, entries -> 'addresses')
  );
  return case when parts = '[]' then contact.notes else private.added_notes(contact, parts) end;
end
$$;
comment on function private.imported_notes is 'The notes of a contact after a row of an import: nothing is replaced, and what a list cannot hold is added.';

create function private.imported_email(contact public.contacts, reported text, entries jsonb) returns text
language sql stable
set search_path = ''
as $$
  select case
    when reported is null or private.has_entry(contact.emails, lower(reported)) then contact.email
    -- There is no room for it.
    when not private.has_entry(private.fitting_entries('emails', contact.emails, entries), lower(reported)) then contact.email
    else reported
  end
$$;
comment on function private.imported_email is 'The first address of a contact after a row of an import that says one.';

create function private.note_companies(i private.imports, moment timestamptz, after bigint, last bigint) returns uuid[]
language sql
set search_path = ''
as $$
  with lines as (
    select c.id, l.line, min(l.place) as place
    from private.planned_rows(i, after, last) w
    join public.companies c on c.user_id = i.user_id and c.id = w.target
    cross join lateral unnest(
      private.entries_beyond('emails', c.emails, w.reported -> 'emails') || private.entries_beyond('phones', c.phones, w.reported -> 'phones')
      || private.entries_beyond('addresses', c.addresses, w.reported -> 'addresses')
      -- It was found by something else than its name.
      || case when private.fold(c.name) <> private.fold(w.reported ->> 'name') then array['Company Name: ' || (w.reported ->> 'name')] end
    ) with ordinality as l (line, place)
    where not exists (
      select from public.notes n
      where n.user_id = i.user_id and n.company_id = c.id and l.line = any (string_to_array(n.body, E'\n'))
    )
    group by c.id, l.line
  ),
  noted as (
    insert into public.notes (user_id, company_id, body, happened_at)
    select i.user_id, l.id, string_agg(l.line, E'\n' order by l.place), moment from lines l group by l.id
    returning company_id
  )
  select coalesce(array_agg(n.company_id), '{}') from noted n
$$;
comment on function private.note_companies is
  'Keeps what the lists of some companies could not hold as notes on them, unless it stands there already; tells which got one.';

-- What no field of a deal or a company can hold becomes a note on it. See docs/decisions/024-imports-lose-nothing.md and 035.

create function private.note_records(i private.imports, moment timestamptz, after bigint, last bigint) returns uuid[]
language sql
set search_path = ''
as $$
  with noted as (
    insert into public.notes (user_id, deal_id, company_id, body, happened_at)
    select i.user_id, case i.kind when 'deals' then w.record_id end, case i.kind when 'companies' then w.record_id end, n.body, moment
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    cross join lateral (select left(private.kept_notes(r.reported), 50000) as body) n
    where w.import_id = i.id and w.place > after and w.place <= last and r.reported ? 'kept_notes' and n.body is not null
      -- Two questions, so that each is answered by its index.
      and not exists (
        select from public.notes t
        where t.user_id = i.user_id and t.deal_id = case i.kind when 'deals' then w.record_id end and t.body = n.body
      )
      and not exists (
        select from public.notes t
        where t.user_id = i.user_id and t.company_id = case i.kind when 'companies' then w.record_id end and t.body = n.body
      )
    returning coalesce(deal_id, company_id) as id
  )
  select coalesce(array_agg(n.id), '{}') from noted n
$$;
comment on function private.note_records is
  'Writes the notes of some rows of deals or companies, unless they stand there already; tells which records got one.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.match_keys(text, jsonb, text, jsonb, jsonb), private.holds(text, text), private.imported_custom(uuid, jsonb, jsonb), private.with_value(jsonb, text), private.imported_phone(public.contacts, text), private.email_keys(text, jsonb),
  private.import_columns(text), private.rest_of_contact(text), private.import_fields(private.imports),
  private.options_with(jsonb, jsonb), private.check_import_fields(private.imports),
  private.write_import_fields(private.imports), private.own_import(uuid, boolean), public.import_state(uuid),
  public.start_import(uuid, text, text, integer, jsonb), public.add_import_rows(uuid, jsonb),
  public.cancel_import(uuid), public.import_list(), private.further_contacts(jsonb), private.kept_notes(jsonb),
  private.adds_to_deal(uuid, jsonb), private.match_deal_columns(private.imports),
  private.refuse_undated(private.imports), private.match_deals(private.imports),
  private.contact_key(text, text, text, text, text), private.records_of(uuid, text),
  private.match_import(private.imports), private.check_names(private.imports), public.check_import(uuid),
  private.record_name(text, uuid), private.stored_deal(uuid), public.import_page(uuid, text[], integer, integer),
  private.keeps_name(public.contacts, jsonb), private.values_for(uuid, jsonb),
  private.import_changes(private.imports, integer[]), private.import_writes(private.imports, text),
  private.company_keys(uuid), private.plan_import(private.imports, text), private.plan_deal_contacts(private.imports),
  private.add_stage(uuid, text), private.deal_writes(private.imports, text),
  private.places_in_pipelines(private.imports, text), private.people_of_deals(private.imports, integer[]),
  private.planned_rows(private.imports, bigint, bigint), private.added_notes(public.contacts, jsonb),
  private.write_records(private.imports, timestamptz, bigint, bigint),
  private.write_deals(private.imports, timestamptz, bigint, bigint, private.place_in_pipeline[], uuid),
  private.begin_import(private.unfinished_work), private.added_up(jsonb, jsonb),
  private.write_import_rows(private.unfinished_work, private.imports, text, bigint, bigint),
  private.finish_import(private.imports, jsonb), private.import_part(private.unfinished_work, integer),
  public.commit_import(uuid, text), private.write_import_people(private.imports, timestamptz, bigint, bigint),
  private.link_import_people(private.imports, bigint, bigint), private.imported_notes(public.contacts, jsonb, jsonb),
  private.imported_email(public.contacts, text, jsonb),
  private.note_companies(private.imports, timestamptz, bigint, bigint),
  private.note_records(private.imports, timestamptz, bigint, bigint), private.related_values(jsonb, text),
  private.related_columns(text), private.new_lines(uuid, jsonb), private.joined_lists(jsonb),
  private.related_changes(private.imports, integer[]), private.related_values_of(private.imports, bigint, bigint, text),
  private.add_related(private.imports, timestamptz, bigint, bigint, text),
  private.write_related(private.imports, timestamptz, bigint, bigint)
  from public, anon, authenticated;
grant execute on function
  public.import_state(uuid), public.start_import(uuid, text, text, integer, jsonb),
  public.add_import_rows(uuid, jsonb), public.cancel_import(uuid), public.import_list(), public.check_import(uuid),
  public.import_page(uuid, text[], integer, integer), public.commit_import(uuid, text)
  to authenticated, service_role;
