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
  new.options := coalesce(new.options, '[]');
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

