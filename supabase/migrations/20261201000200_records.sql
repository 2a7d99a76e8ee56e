-- The records: companies, contacts, pipelines, deals, tasks, notes, and what arranges them. Every row has an owner and links only
-- to rows of the same owner. In each table the columns that were added later stand last, as they do in older databases.

-- Functions written from the columns of a table ---------------------------------------------------------------

-- The catalogue is the only list of the columns of a table. Code that must be fast names the columns, so the functions below
-- generate it from the catalogue. A migration that adds a column calls private.add_field, which generates it anew.

create function private.columns_of(target regclass)
returns table (name text, type text, is_required boolean, usual text, is_writable boolean)
language sql stable
set search_path = ''
as $$
  select a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
    pg_catalog.pg_get_expr(d.adbin, d.adrelid),
    pg_catalog.has_column_privilege('authenticated', a.attrelid, a.attnum, 'update')
  from pg_catalog.pg_attribute a
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = target and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  order by a.attnum
$$;
comment on function private.columns_of is
  'The stored columns of a table in their order: type, whether one must be filled, its default, and whether its owner may change it. Who may write what stands in the rights of the columns and nowhere else.';

create function private.clean_texts(target regclass) returns void
language plpgsql
set search_path = ''
as $$
declare
  name text := format('private.%I', 'clean_' || split_part(target::text, '.', -1));
  lines text := (
    select string_agg(format(case
      -- An empty name is refused by its length.
      when c.is_required then $line$new.%1$I := coalesce(btrim(new.%1$I, E' \t\r\n'), '');$line$
      else $line$new.%1$I := private.blank_to_null(new.%1$I);$line$
    end, c.name), E'\n  ')
    from private.columns_of(target) c
    where c.type = 'text' and c.usual is null
  );
begin
  execute format($function$
create or replace function %1$s() returns trigger
language plpgsql
set search_path = ''
as $clean$
begin
  %2$s
  return new;
end
$clean$;
comment on function %1$s is 'Texts are stored trimmed, and empty ones as null. Written by private.clean_texts.';
revoke all on function %1$s() from public, anon, authenticated;
grant execute on function %1$s() to authenticated, service_role;
-- Before every other trigger: they fire in the order of their names.
create or replace trigger clean before insert or update on %3$s for each row execute function %1$s();
  $function$, name, lines, target);
end
$$;
comment on function private.clean_texts is
  'Writes the trigger that trims the texts of a table, from its columns. Those with a default are choices, and left as they are.';

create function private.write_fields_of(target regclass) returns void
language plpgsql
set search_path = ''
as $$
declare
  columns text;
  definitions text;
begin
  select string_agg(format('r.%I', c.name), ', '), string_agg(format('%I %s', c.name, c.type), ', ')
  into columns, definitions
  from private.columns_of(target) c where c.name <> 'user_id';
  -- No search path of its own, see contact_card.
  execute format($function$
drop function if exists private.fields_of(%1$s);
create function private.fields_of(r %1$s) returns table (%2$s)
language sql stable
as $fields$ select %3$s $fields$;
comment on function private.fields_of(%1$s) is 'What cards show of a row: all its columns but the owner''s id and what is only searched. Written by private.write_fields_of.';
revoke all on function private.fields_of(%1$s) from public, anon, authenticated;
grant execute on function private.fields_of(%1$s) to authenticated, service_role;
  $function$, target, definitions, columns);
end
$$;
comment on function private.write_fields_of is 'Writes what the cards of a table show of its rows, from its columns.';

-- What searches look through ----------------------------------------------------------------------------------

-- Stored as rows, so that a migration adds a searched field by an insert.

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
  -- The middle name stands between the two others, so that a search for the full name finds it.
  ('contacts', 3, $$coalesce(first_name || ' ', '') || middle_name || coalesce(' ' || last_name, '')$$),
  ('contacts', 4, 'nickname'),
  ('contacts', 5, 'email'),
  ('contacts', 6, $$case when custom <> '{}' then private.own_texts(custom) end$$),
  ('contacts', 7, $$case when tags <> '{}' then private.tag_words(tags) end$$),
  ('contacts', 8, $$case when jsonb_array_length(emails) > 1 or jsonb_array_length(phones) > 1 or links <> '[]' or addresses <> '[]'
      then private.entry_texts(emails - 0, phones - 0, links, addresses) end$$),
  -- The digits stay last: private.contact_duplicates reads them as the last word of the search text.
  ('contacts', 1000, $$regexp_replace(phone_number, '[^0-9]', '', 'g')$$),
  ('deals', 1, 'name'),
  ('deals', 2, $$case when custom <> '{}' then private.own_texts(custom) end$$),
  ('deals', 3, $$case when tags <> '{}' then private.tag_words(tags) end$$),
  ('tasks', 1, 'title'),
  ('tasks', 2, 'description');

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

create function private.make_searchable(target regclass, parts text[]) returns void
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

-- Companies ---------------------------------------------------------------------------------------------------

create table public.companies (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  website text,
  industry text,
  location text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  custom jsonb not null default '{}',
  tags text[] not null default '{}',
  emails jsonb not null default '[]',
  phones jsonb not null default '[]',
  addresses jsonb not null default '[]',
  unique (user_id, id),
  constraint companies_name_length check (char_length(name) between 1 and 200),
  constraint companies_website_address check (website ~* '^https?://[^\s/?#]+\S*$' and char_length(website) <= 2000),
  constraint companies_industry_length check (char_length(industry) <= 200),
  constraint companies_location_length check (char_length(location) <= 200)
);
alter table public.companies enable row level security;
comment on table public.companies is 'Organisations that contacts work for and deals are made with.';
comment on column public.companies.custom is 'As that of contacts.';
comment on column public.companies.tags is 'As those of contacts.';

create index companies_newest on public.companies (user_id, created_at desc, id desc);
create index companies_by_name on public.companies (user_id, name, id);
create index companies_by_folded_name on public.companies (user_id, lower(name), id);

-- Contacts ----------------------------------------------------------------------------------------------------

create function private.is_birthday(value text) returns boolean
language sql immutable parallel safe strict
set search_path = ''
as $$
  select case when value ~ '^(-|1[89]\d\d|2[01]\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$'
    -- Of a birthday without a year the 29th of February is a day.
    then right(value, 2)::integer <= extract(day from make_date(
      case when value like '--%' then 2000 else left(value, 4)::integer end, substr(value, length(value) - 4, 2)::integer, 1)
      + interval '1 month - 1 day')
    else false
  end
$$;
comment on function private.is_birthday is 'Whether a text is a birthday: 1990-05-03, or --05-03 where the year is not known.';

create table public.contacts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  first_name text,
  last_name text,
  email text,
  phone_number text,
  role_title text,
  company_id uuid,
  lead_status text not null default 'New',
  notes text,
  lead_score numeric(8, 2) not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  nickname text,
  custom jsonb not null default '{}',
  tags text[] not null default '{}',
  birthday text,
  birthday_reminder smallint,
  middle_name text,
  emails jsonb not null default '[]',
  phones jsonb not null default '[]',
  links jsonb not null default '[]',
  addresses jsonb not null default '[]',
  unique (user_id, id),
  constraint contacts_company_id_fkey foreign key (user_id, company_id) references public.companies (user_id, id)
    on delete set null (company_id) deferrable initially immediate,
  constraint contacts_first_name_length check (char_length(first_name) <= 200),
  constraint contacts_last_name_length check (char_length(last_name) <= 200),
  constraint contacts_middle_name_length check (char_length(middle_name) <= 200),
  constraint contacts_nickname_length check (char_length(nickname) <= 200),
  constraint contacts_email_address check (email ~ '^[^\s@]+@[^\s@]+$' and char_length(email) <= 320),
  constraint contacts_phone_number_length check (char_length(phone_number) <= 50),
  constraint contacts_role_title_length check (char_length(role_title) <= 200),
  constraint contacts_birthday_day check (private.is_birthday(birthday)),
  constraint contacts_birthday_reminder_days check (birthday_reminder between 0 and 90),
  constraint contacts_notes_length check (char_length(notes) <= 50000),
  constraint contacts_lead_score_number check (lead_score between -999999.99 and 999999.99),
  constraint contacts_lead_status_known
    check (lead_status in ('New', 'Contacted', 'Qualified', 'Proposal Sent', 'Unqualified'))
);
alter table public.contacts enable row level security;
comment on table public.contacts is 'People one sells to, and leads. All names may be missing.';
comment on column public.contacts.custom is 'Values of the user''s own fields: {"<id of the field>": value}. A write adds to it; a key with null is removed.';
comment on column public.contacts.tags is 'At most 50, each of at most 60 letters, none twice without regard to case.';
comment on column public.contacts.birthday is '1990-05-03, or --05-03 where the year is not known.';
comment on column public.contacts.birthday_reminder is 'How many days before the birthday a task is due for it; null for none.';
comment on column public.contacts.emails is 'In their order: {"label", "value"}. "email" is the value of the first.';
comment on column public.contacts.phones is 'In their order: {"label", "value"}. "phone_number" is the value of the first.';
comment on column public.contacts.links is 'In their order: {"label", "value"}; http and https only.';
comment on column public.contacts.addresses is 'In their order: {"label", "street", "postal_code", "city", "region", "country"}.';

create index contacts_newest on public.contacts (user_id, created_at desc, id desc);
create index contacts_by_company on public.contacts (user_id, company_id);
create index contacts_by_lead_status on public.contacts (user_id, lead_status, created_at desc, id desc);
create index contacts_by_email on public.contacts (user_id, lower(email));

-- The name as private.list_orders sorts it, in each direction. The expressions are written out, because a function would cost
-- four times as much, and every write of a contact computes both.
create index contacts_by_name on public.contacts
  (user_id, coalesce('0' || nullif(lower(coalesce(first_name || ' ', '') || coalesce(last_name, '')), ''), '1'), id);
create index contacts_by_name_downwards on public.contacts
  (user_id, lower(coalesce(first_name || ' ', '') || coalesce(last_name, '')), id);

-- Lead statuses sort in the order in which a lead passes through them, not by the alphabet.
create index contacts_in_order_of_status on public.contacts
  (user_id, array_position(array['New', 'Contacted', 'Qualified', 'Proposal Sent', 'Unqualified'], lead_status), id);

-- Pipelines and their stages ----------------------------------------------------------------------------------

create table public.pipelines (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint pipelines_name_length check (char_length(name) between 1 and 200)
);
alter table public.pipelines enable row level security;
comment on table public.pipelines is 'Ways of selling; each has its own stages.';

create index pipelines_newest on public.pipelines (user_id, created_at desc, id desc);

create function private.usual_stages() returns table (place integer, name text, win_probability integer, outcome text)
language sql immutable parallel safe
set search_path = ''
as $$
  values
    (1, 'Lead', 10, 'open'), (2, 'Qualified', 25, 'open'), (3, 'Proposal', 50, 'open'), (4, 'Negotiation', 75, 'open'),
    (5, 'Closed Won', 100, 'won'), (6, 'Closed Lost', 0, 'lost')
$$;
comment on function private.usual_stages is
  'The stages that a pipeline usually has, how likely a deal in each is won, and what became of it there.';

create function private.usual_probability(stage_name text) returns integer
language sql immutable parallel safe
set search_path = ''
as $$ select coalesce((select u.win_probability from private.usual_stages() u where u.name = stage_name), 50) $$;
comment on function private.usual_probability is 'How likely a deal is won in a stage of which only the name is known.';

create function private.outcome_of(stage_name text) returns text
language sql immutable parallel safe
set search_path = ''
as $$ select coalesce((select u.outcome from private.usual_stages() u where u.name = stage_name), 'open') $$;
comment on function private.outcome_of is
  'The outcome of a stage that is made under this name. Of a stage that is there, its column tells.';

create table public.pipeline_stages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  pipeline_id uuid not null,
  name text not null,
  "order" integer not null default 0,
  win_probability smallint not null default private.usual_probability(null),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  outcome text not null default 'open',
  unique (user_id, pipeline_id, id),
  constraint pipeline_stages_name_once unique (pipeline_id, name) deferrable initially immediate,
  constraint pipeline_stages_pipeline_id_fkey foreign key (user_id, pipeline_id) references public.pipelines (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint pipeline_stages_name_length check (char_length(name) between 1 and 200),
  constraint pipeline_stages_win_probability_percent check (win_probability between 0 and 100),
  constraint pipeline_stages_outcome_known check (outcome in ('open', 'won', 'lost'))
);
alter table public.pipeline_stages enable row level security;
comment on table public.pipeline_stages is 'The steps of a pipeline, in the order of "order".';
comment on column public.pipeline_stages.outcome is
  'What became of the deals in it: open, won or lost. Set by the database; figures, lists and imports ask for it.';

create index pipeline_stages_in_order on public.pipeline_stages (user_id, pipeline_id, "order", id);

create function private.guard_stage() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.name := coalesce(btrim(new.name, E' \t\r\n'), '');
  new.outcome := private.outcome_of(new.name);
  if tg_op = 'UPDATE' and not private.is_restoring() and new.name <> old.name
     and (old.outcome <> 'open' or new.outcome <> 'open') then
    raise exception 'The stages Closed Won and Closed Lost keep their names, because figures hang on them.'
      using errcode = 'PT409';
  end if;
  return new;
end
$$;
comment on function private.guard_stage is
  'A stage gets its outcome with its name. Users know won and lost by those two names, so they neither change nor are given to another stage.';

create trigger guard before insert or update on public.pipeline_stages
  for each row execute function private.guard_stage();

-- The stage tells whether a deal is won or lost, so a pipeline cannot lose its Closed Won and Closed Lost stages. Two exceptions:
-- the whole pipeline is deleted, or an undo removes a stage that the undone batch had added.
create function private.refuse_removal_of_closed_stage() returns void
language plpgsql
set search_path = ''
as $$
begin
  raise exception 'The stages Closed Won and Closed Lost cannot be removed, because figures hang on them. Nothing was saved.'
    using errcode = 'PT409';
end
$$;
comment on function private.refuse_removal_of_closed_stage is 'Says in words why, wherever it is tried.';

create function private.keep_closed_stage() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if old.outcome <> 'open'
    and not private.is_restoring() and coalesce(current_setting('solo.undoes', true), '') = ''
    -- Of a pipeline that is being deleted nothing is left here.
    and exists (select from public.pipelines p where p.user_id = old.user_id and p.id = old.pipeline_id)
  then
    perform private.refuse_removal_of_closed_stage();
  end if;
  return old;
end
$$;
comment on function private.keep_closed_stage is 'Closed Won and Closed Lost stay for as long as their pipeline does.';

create trigger keep_closed before delete on public.pipeline_stages
  for each row execute function private.keep_closed_stage();

-- Deals -------------------------------------------------------------------------------------------------------

create table public.deals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  value numeric(14, 2) not null default 0,
  expected_close_date date,
  pipeline_id uuid,
  stage_id uuid,
  company_id uuid,
  contact_id uuid,
  "order" double precision not null default 0,
  closed_at timestamptz,
  lost_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  custom jsonb not null default '{}',
  tags text[] not null default '{}',
  currency text,
  rate numeric,
  stage_since timestamptz,
  unique (user_id, id),
  constraint deals_pipeline_id_fkey foreign key (user_id, pipeline_id) references public.pipelines (user_id, id)
    on delete set null (pipeline_id) deferrable initially immediate,
  constraint deals_stage_id_fkey foreign key (user_id, pipeline_id, stage_id) references public.pipeline_stages (user_id, pipeline_id, id)
    on delete set null (stage_id) deferrable initially immediate,
  constraint deals_company_id_fkey foreign key (user_id, company_id) references public.companies (user_id, id)
    on delete set null (company_id) deferrable initially immediate,
  constraint deals_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete set null (contact_id) deferrable initially immediate,
  constraint deals_name_length check (char_length(name) between 1 and 200),
  constraint deals_value_not_negative check (value between 0 and 999999999999.99),
  constraint deals_currency_code check (currency ~ '^[A-Z]{3}$'),
  constraint deals_rate_above_zero check (rate > 0),
  constraint deals_expected_close_date_sensible
    check (expected_close_date between date '1900-01-01' and date '2200-12-31'),
  constraint deals_order_finite check ("order" between -1e15 and 1e15),
  constraint deals_lost_reason_length check (char_length(lost_reason) <= 2000)
);
alter table public.deals enable row level security;
comment on table public.deals is 'Opportunities. A deal without a stage is active.';
comment on column public.deals."order" is 'Place in its column of the board, smallest first; move_deal writes it.';
comment on column public.deals.closed_at is 'When the deal came to Closed Won or Closed Lost. Set and cleared by the database.';
comment on column public.deals.custom is 'As that of contacts.';
comment on column public.deals.tags is 'As those of contacts.';
comment on column public.deals.currency is 'The code of the currency of its value; null is the account''s own.';
comment on column public.deals.rate is
  'What one unit of its currency is worth in the account''s: the rate of today, or of the day on which the deal was closed. Null where there is none, and where none is needed. Set by the database; the owner can correct that of a closed deal.';
comment on column public.deals.stage_since is 'When the deal came to its stage; null without one. Set by the database.';

create index deals_newest on public.deals (user_id, created_at desc, id desc);
-- Includes the columns that the sum of a pipeline needs, so that an index-only scan answers it.
create index deals_on_board on public.deals
  (user_id, pipeline_id, stage_id, "order", created_at desc, id) include (value, currency, rate);
create index deals_by_stage on public.deals (user_id, stage_id);
create index deals_by_company on public.deals (user_id, company_id);
create index deals_by_contact on public.deals (user_id, contact_id);
create index deals_by_expected_close on public.deals (user_id, expected_close_date, id);
create index deals_by_close on public.deals (user_id, coalesce(expected_close_date, 'infinity'::date), id);
create index deals_by_name on public.deals (user_id, lower(name), id);

create function private.tidy_deal() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  stage public.pipeline_stages;
  is_new_stage boolean;
begin
  if private.is_restoring() then
    return new;
  end if;

  if tg_op = 'INSERT' then
    if new.stage_id is null and new.pipeline_id is null then
      select p.id into new.pipeline_id from public.pipelines p
        where p.user_id = new.user_id order by p.created_at, p.id limit 1;
    end if;
  elsif new.pipeline_id is distinct from old.pipeline_id and new.stage_id is not distinct from old.stage_id then
    -- A stage of the old pipeline has no place in the new one.
    new.stage_id := null;
  end if;

  is_new_stage := tg_op = 'INSERT' or new.stage_id is distinct from old.stage_id;
  if new.stage_id is not null then
    select * into stage from public.pipeline_stages s
      where s.id = new.stage_id and s.user_id = new.user_id;
    -- Whoever names only the stage means its pipeline too.
    if tg_op = 'INSERT' then
      new.pipeline_id := coalesce(new.pipeline_id, stage.pipeline_id);
    elsif is_new_stage and new.pipeline_id is not distinct from old.pipeline_id then
      new.pipeline_id := coalesce(stage.pipeline_id, new.pipeline_id);
    end if;
    -- With a null in it the composite key would not be checked.
    if new.pipeline_id is null then
      raise exception 'The chosen stage no longer exists.' using errcode = '23503';
    end if;
  end if;

  if is_new_stage then
    -- The same outcome in another pipeline is no new one.
    new.closed_at := case
      when coalesce(stage.outcome, 'open') = 'open' then null
      when tg_op = 'UPDATE' and exists (
        select from public.pipeline_stages s
        where s.id = old.stage_id and s.user_id = new.user_id and s.outcome = stage.outcome
      ) then old.closed_at
      else coalesce(private.written_at(), now())
    end;
  elsif tg_op = 'UPDATE' then
    new.closed_at := old.closed_at;
  end if;
  if stage.outcome is distinct from 'lost' then
    new.lost_reason := null;
  end if;
  return new;
end
$$;
comment on function private.tidy_deal is
  'Keeps pipeline and stage together, stamps closed_at, and drops the reason of a loss when the deal is not lost.';

create trigger tidy before insert or update on public.deals
  for each row execute function private.tidy_deal();

-- Tasks -------------------------------------------------------------------------------------------------------

create table public.tasks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  title text not null,
  description text,
  priority text not null default 'medium',
  due_date timestamptz,
  completed boolean not null default false,
  completed_at timestamptz,
  deal_id uuid,
  contact_id uuid,
  company_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  repeat text,
  repeat_days smallint[],
  repeat_every integer,
  repeat_start timestamptz,
  repeated_from uuid,
  due_all_day boolean not null default false,
  birthday_on date,
  unique (user_id, id),
  constraint tasks_deal_id_fkey foreign key (user_id, deal_id) references public.deals (user_id, id)
    on delete set null (deal_id) deferrable initially immediate,
  constraint tasks_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete set null (contact_id) deferrable initially immediate,
  constraint tasks_company_id_fkey foreign key (user_id, company_id) references public.companies (user_id, id)
    on delete set null (company_id) deferrable initially immediate,
  constraint tasks_title_length check (char_length(title) between 1 and 500),
  constraint tasks_description_length check (char_length(description) <= 50000),
  constraint tasks_priority_known check (priority in ('low', 'medium', 'high', 'urgent')),
  constraint tasks_due_date_sensible
    check (due_date >= timestamptz '1900-01-01 00:00+00' and due_date < timestamptz '2201-01-01 00:00+00'),
  constraint tasks_repeat_known check (repeat in ('daily', 'weekly', 'monthly', 'yearly', 'after')),
  constraint tasks_repeat_days_known check (
    (coalesce(repeat, '') = 'weekly') = (repeat_days is not null)
    and cardinality(repeat_days) between 1 and 7
    and repeat_days <@ array[0, 1, 2, 3, 4, 5, 6]::smallint[]
  ),
  constraint tasks_repeat_every_sensible check (
    (coalesce(repeat, '') = 'after') = (repeat_every is not null) and repeat_every between 1 and 3650
  ),
  constraint tasks_repeat_has_start check (repeat is null or repeat = 'after' or due_date is not null),
  constraint tasks_repeated_from_fkey foreign key (user_id, repeated_from) references public.tasks (user_id, id)
    on delete set null (repeated_from) deferrable initially immediate
);
alter table public.tasks enable row level security;
comment on table public.tasks is 'Reminders. Overdue means not completed and due before now.';
comment on column public.tasks.completed_at is 'When the task was completed. Set and cleared by the database.';
comment on column public.tasks.repeat_days is 'Of a weekly one: 0 is Sunday.';
comment on column public.tasks.repeat_every is 'Of one that repeats after its completion: how many days after.';
comment on column public.tasks.repeat_start is
  'When the repetition began: its day and hour are those of every one to come, however one of them was put off.';
comment on column public.tasks.repeated_from is 'The task whose completion made this one.';
comment on column public.tasks.due_all_day is
  'Due on a day, at no hour of it: due_date is then the last second of that day in the zone of the owner''s preferences, so that overdue means the same for every task.';
comment on column public.tasks.birthday_on is
  'Of a task that reminds of a birthday: which day it is celebrated on. Written by the database: an open one follows its contact.';

create index tasks_newest on public.tasks (user_id, created_at desc, id desc);
create index tasks_by_due_date on public.tasks (user_id, completed, due_date, id);
create index tasks_by_due on public.tasks (user_id, coalesce(due_date, 'infinity'::timestamptz), id);
create index tasks_by_deal on public.tasks (user_id, deal_id);
create index tasks_by_contact on public.tasks (user_id, contact_id);
create index tasks_by_company on public.tasks (user_id, company_id);
create index tasks_repeated on public.tasks (user_id, repeated_from) where repeated_from is not null;

create function private.tidy_task() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if private.is_restoring() then
    return new;
  end if;
  if tg_op = 'INSERT' and private.written_at() is not null then
    new.created_at := private.written_at();
    new.updated_at := new.created_at;
  end if;
  new.completed_at := case
    when not new.completed then null
    when tg_op = 'UPDATE' and old.completed then old.completed_at
    else coalesce(private.written_at(), now())
  end;
  return new;
end
$$;

create trigger tidy before insert or update on public.tasks
  for each row execute function private.tidy_task();

-- Notes -------------------------------------------------------------------------------------------------------

create table public.notes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  kind text not null default 'note',
  body text,
  outcome text,
  happened_at timestamptz not null default now(),
  contact_id uuid,
  company_id uuid,
  deal_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  minutes smallint,
  unique (user_id, id),
  constraint notes_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint notes_company_id_fkey foreign key (user_id, company_id) references public.companies (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint notes_deal_id_fkey foreign key (user_id, deal_id) references public.deals (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint notes_kind_known check (kind in ('note', 'call', 'meeting', 'email')),
  constraint notes_note_has_words check (kind <> 'note' or body is not null),
  constraint notes_body_length check (char_length(body) <= 50000),
  constraint notes_outcome_length check (char_length(outcome) <= 500),
  constraint notes_minutes_sensible check (minutes between 1 and 1440),
  constraint notes_happened_at_sensible
    check (happened_at >= timestamptz '1900-01-01 00:00+00' and happened_at < timestamptz '2201-01-01 00:00+00'),
  constraint notes_on_one_record check (num_nonnulls(contact_id, company_id, deal_id) = 1)
);
alter table public.notes enable row level security;
comment on table public.notes is 'Notes, calls, meetings and e-mails, each on one contact, company or deal.';

create index notes_by_contact on public.notes (user_id, contact_id, happened_at desc, id desc);
create index notes_by_company on public.notes (user_id, company_id, happened_at desc, id desc);
create index notes_by_deal on public.notes (user_id, deal_id, happened_at desc, id desc);

-- Fields of the user's own ------------------------------------------------------------------------------------

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
  -- A unique constraint takes columns only, and this one needs lower(name).
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

-- Collections, saved views, templates -------------------------------------------------------------------------

create table public.collections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint collections_name_once unique (user_id, name) deferrable initially immediate,
  constraint collections_name_length check (char_length(name) between 1 and 200)
);
alter table public.collections enable row level security;
comment on table public.collections is 'Named sets of contacts; a contact may be in several.';

create table public.collection_members (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  collection_id uuid not null,
  contact_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint collection_members_once unique (collection_id, contact_id) deferrable initially immediate,
  constraint collection_members_collection_id_fkey foreign key (user_id, collection_id) references public.collections (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint collection_members_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete cascade deferrable initially immediate
);
alter table public.collection_members enable row level security;
comment on table public.collection_members is 'Which contact is in which collection.';

create index collection_members_by_collection on public.collection_members (user_id, collection_id);
create index collection_members_by_contact on public.collection_members (user_id, contact_id);

create table public.saved_views (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  screen text not null,
  name text not null,
  query text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint saved_views_name_once unique (user_id, screen, name) deferrable initially immediate,
  constraint saved_views_screen_known check (screen in ('contacts', 'companies', 'deals', 'tasks')),
  constraint saved_views_name_length check (char_length(name) between 1 and 200),
  constraint saved_views_query_length check (char_length(query) <= 8000)
);
alter table public.saved_views enable row level security;
comment on table public.saved_views is 'The address query of a list (filters, sort, columns) under a name.';

create table public.email_templates (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  subject text not null default '',
  body text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint email_templates_name_once unique (user_id, name) deferrable initially immediate,
  constraint email_templates_name_length check (char_length(name) between 1 and 200),
  constraint email_templates_subject_length check (char_length(subject) <= 1000),
  constraint email_templates_body_length check (char_length(body) <= 50000)
);
alter table public.email_templates enable row level security;
comment on table public.email_templates is 'E-mails with merge fields, kept for use again.';

-- Preferences -------------------------------------------------------------------------------------------------

create table public.preferences (
  user_id uuid primary key default auth.uid() references auth.users (id) on delete cascade,
  display_name text,
  time_zone text,
  theme text not null default 'system',
  week_starts_on smallint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  currency text not null default 'USD',
  rates jsonb not null default '{}',
  number_format text not null default '1,234.56',
  date_format text not null default 'month day, year',
  clock smallint not null default 24,
  lost_reasons text[] not null default array['Price', 'Chose a competitor', 'No budget', 'Bad timing', 'No answer'],
  monthly_goal numeric(14, 2),
  pinned text[] not null default '{}',
  opened text[] not null default '{}',
  screens jsonb not null default '{}',
  constraint preferences_display_name_length check (char_length(display_name) <= 200),
  constraint preferences_time_zone_length check (char_length(time_zone) between 1 and 100),
  constraint preferences_theme_known check (theme in ('light', 'dark', 'system')),
  constraint preferences_week_starts_on_day check (week_starts_on between 0 and 6),
  constraint preferences_currency_code check (currency ~ '^[A-Z]{3}$'),
  constraint preferences_number_format_known check (number_format in ('1,234.56', '1.234,56', '1 234,56', '1’234.56', '12,34,567.89')),
  constraint preferences_date_format_known
    check (date_format in ('month day, year', 'day month year', 'yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy')),
  constraint preferences_clock_known check (clock in (12, 24)),
  constraint preferences_monthly_goal_above_zero check (monthly_goal > 0)
);
alter table public.preferences enable row level security;
comment on table public.preferences is 'One row an account: how the user wants to see things. time_zone is null until a browser tells it; 0 is Sunday.';
comment on column public.preferences.currency is 'What amounts without a currency are in, and all sums. Changed by change_currency.';
comment on column public.preferences.rates is 'What one unit of another currency is worth in the account''s: {"EUR": 1.08}.';
comment on column public.preferences.lost_reasons is 'The reasons that are suggested when a deal is marked as lost, in their order.';
comment on column public.preferences.monthly_goal is
  'What the user wants to win in a calendar month, in the account''s currency; null without a goal.';
comment on column public.preferences.pinned is 'Pinned records, the newest pin last: contacts/<id>, companies/<id>, deals/<id>. At most 20.';
comment on column public.preferences.opened is 'The records that were opened last, newest first, written as the pinned ones. At most 20.';
comment on column public.preferences.screens is
  'How each list was last seen: {"contacts": {"query": "sort=name", "widths": {"email": 240}}}. Written by remember_screen.';

create function private.tidy_preferences() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.display_name := private.blank_to_null(new.display_name);
  new.time_zone := private.blank_to_null(new.time_zone);
  if new.time_zone is not null and (tg_op = 'INSERT' or new.time_zone is distinct from old.time_zone) then
    begin
      perform now() at time zone new.time_zone;
    exception when invalid_parameter_value then
      raise exception 'The time zone % is not known.', new.time_zone using errcode = 'PT400';
    end;
  end if;
  return new;
end
$$;
comment on function private.tidy_preferences is 'A time zone that PostgreSQL does not know would break every query that is told to use it.';

create trigger tidy before insert or update on public.preferences
  for each row execute function private.tidy_preferences();

-- Functions and triggers from the columns ---------------------------------------------------------------------

select private.clean_texts(name::regclass) from unnest(array[
  'public.companies', 'public.contacts', 'public.pipelines', 'public.deals', 'public.tasks', 'public.notes',
  'public.collections', 'public.saved_views', 'public.email_templates'
]) as name;

select private.write_fields_of(name::regclass) from unnest(array[
  'public.companies', 'public.contacts', 'public.deals', 'public.tasks'
]) as name;

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.columns_of(regclass), private.clean_texts(regclass), private.write_fields_of(regclass),
  private.write_search(regclass), private.add_to_search(regclass, text), private.make_searchable(regclass, text[]),
  private.is_birthday(text), private.usual_stages(), private.usual_probability(text), private.outcome_of(text),
  private.guard_stage(), private.refuse_removal_of_closed_stage(), private.keep_closed_stage(), private.tidy_deal(),
  private.tidy_task(), private.tidy_preferences()
  from public, anon, authenticated;
-- Triggers, constraints and functions that are no definers run these with the rights of the caller.
grant execute on function
  private.columns_of(regclass), private.is_birthday(text), private.usual_stages(), private.usual_probability(text),
  private.outcome_of(text), private.guard_stage(), private.refuse_removal_of_closed_stage(), private.tidy_deal(),
  private.tidy_task(), private.tidy_preferences()
  to authenticated, service_role;
