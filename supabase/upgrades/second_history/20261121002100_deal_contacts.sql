-- Several contacts on a deal, each with a role. The main one is deals.contact_id, as before; this table holds the further
-- ones, and the role of each, that of the main one included. See docs/decisions/039-several-contacts-on-a-deal.md.

create table public.deal_contacts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  deal_id uuid not null,
  contact_id uuid not null,
  role text,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint deal_contacts_once unique (deal_id, contact_id) deferrable initially immediate,
  constraint deal_contacts_deal_id_fkey foreign key (user_id, deal_id) references public.deals (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint deal_contacts_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint deal_contacts_role_length check (char_length(role) <= 60)
);
alter table public.deal_contacts enable row level security;
comment on table public.deal_contacts is 'Who has to do with a deal besides its main contact, and in which role; also the role of the main one.';
comment on column public.deal_contacts.position is 'Place in the list of the deal, smallest first.';
-- The key is the id alone: a table whose key is made of both links would be a second way from deals to contacts, and
-- deals?select=*,contacts(*) would not say which one is meant.

create index deal_contacts_by_deal on public.deal_contacts (user_id, deal_id);
create index deal_contacts_by_contact on public.deal_contacts (user_id, contact_id);

select
  private.clean_texts('public.deal_contacts'),
  private.open_to_owner('public.deal_contacts', '{deal_id,contact_id,role,position}'),
  private.log_table('public.deal_contacts');

-- The log ----------------------------------------------------------------------------------------------------

create or replace function private.about(
  table_name text, r jsonb,
  out contact_id uuid, out company_id uuid, out deal_id uuid, out label text
)
language sql stable
set search_path = ''
as $$
  select
    case when table_name = 'contacts' then r ->> 'id' else r ->> 'contact_id' end::uuid,
    case when table_name = 'companies' then r ->> 'id' else r ->> 'company_id' end::uuid,
    case when table_name = 'deals' then r ->> 'id' else r ->> 'deal_id' end::uuid,
    case table_name
      when 'contacts' then coalesce(nullif(concat_ws(' ', r ->> 'first_name', r ->> 'last_name'), ''), 'Unnamed')
      when 'tasks' then r ->> 'title'
      when 'notes' then left(coalesce(r ->> 'body', r ->> 'outcome', ''), 120)
      when 'collection_members' then
        (select c.name from public.collections c where c.id = (r ->> 'collection_id')::uuid)
      when 'deal_contacts' then (
        select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), 'Unnamed') || ' on ' || d.name
        from public.contacts c, public.deals d
        where c.id = (r ->> 'contact_id')::uuid and d.id = (r ->> 'deal_id')::uuid
      )
      else r ->> 'name'
    end
$$;

create or replace function private.parents_first() returns text[]
language sql immutable
set search_path = ''
as $$
  select array[
    'fields', 'pipelines', 'pipeline_stages', 'companies', 'contacts', 'deals', 'collections', 'collection_members', 'not_duplicates', 'deal_contacts',
    'tasks', 'notes', 'saved_views', 'email_templates'
  ]
$$;

-- The trash --------------------------------------------------------------------------------------------------

create or replace function private.trash_conditions(me uuid, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[
    format('c.user_id = %L::uuid', me),
    'c.verb = ''delete'' and c.before is not null',
    'c.created_at >= now() - interval ''30 days''',
    -- Who was taken out of a collection or off a deal, or is no longer told apart, is not deleted; the history takes that back.
    'c.table_name not in (''collection_members'', ''not_duplicates'', ''deal_contacts'')',
    'not exists (
       select from public.changes l
       where l.user_id = c.user_id and l.row_id = c.row_id and l.id > c.id and l.verb = ''insert''
     )'
  ];
begin
  perform private.check_filter(filter, array['search', 'kind', 'batch', 'ids']);
  -- What went with its whole comes back with it, and is not listed beside it.
  conditions := conditions || array(
    select format(
      'not (c.table_name = %L and exists (
         select from public.changes p
         where p.user_id = c.user_id and p.row_id = (c.before ->> %L)::uuid and p.batch = c.batch and p.verb = ''delete''
       ))', k.table_name, k.column_name)
    from private.links k where k.is_part_of_parent and k.table_name not in ('collection_members', 'not_duplicates', 'deal_contacts')
  );
  if btrim(coalesce(filter ->> 'search', '')) <> '' then
    conditions := conditions || format('strpos(private.fold(c.label), private.fold(%L)) > 0', btrim(filter ->> 'search'));
  end if;
  if filter ? 'kind' then
    conditions := conditions || format('c.table_name = any (%L::text[])', private.texts(filter -> 'kind'));
  end if;
  if filter ? 'batch' then
    conditions := conditions || format('c.batch = %L::uuid', filter ->> 'batch');
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.row_id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  return array_to_string(conditions, ' and ');
end
$$;

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
  -- Their names stand with whoever was on a deal, too.
  update public.changes c set label = null
  where c.user_id = me and c.table_name = 'deal_contacts' and exists (
    select from public.changes d
    where d.id = any (gone) and (d.table_name = 'deals' and d.row_id = c.deal_id or d.table_name = 'contacts' and d.row_id = c.contact_id)
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

-- Merges -----------------------------------------------------------------------------------------------------

create function private.move_deal_contacts(keep uuid, gone uuid[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- On each deal once: the one that stays keeps its role, or gets that of the first who had one.
  update public.deal_contacts k set role = o.role
  from (
    select distinct on (o.deal_id) o.deal_id, o.role from public.deal_contacts o
    where o.contact_id = any (gone) and o.role is not null
    order by o.deal_id, o.position, o.created_at, o.id
  ) o
  where k.contact_id = keep and k.deal_id = o.deal_id and k.role is null;
  update public.deal_contacts m set contact_id = keep
  where m.id in (
    select distinct on (o.deal_id) o.id from public.deal_contacts o
    where o.contact_id = any (gone)
      and not exists (select from public.deal_contacts k where k.deal_id = o.deal_id and k.contact_id = keep)
    order by o.deal_id, o.role is null, o.position, o.created_at, o.id
  );
end
$$;
comment on function private.move_deal_contacts is 'What is left of the others goes with their contacts.';

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
  perform private.move_deal_contacts(keep, gone);
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

-- Backups ----------------------------------------------------------------------------------------------------

create or replace function private.backup_kinds() returns table (kind text, source text, key text, key_type text)
language sql immutable
set search_path = ''
as $$
  -- Parts before their wholes: what is added while the file is read has its whole in it, too.
  values
    ('deal_contacts', 'public.deal_contacts', 'id', 'uuid'),
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

create function private.place_deal_contacts(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- A part without its whole has no place.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'deal_contacts' and s.is_new
    and (s.said ->> 'deal_id' is null or s.said ->> 'contact_id' is null);
  update private.restore_rows s set is_new = false
  from public.deal_contacts t
  where s.restore_id = restore and s.kind = 'deal_contacts' and s.is_new and t.user_id = me
    and t.deal_id = (s.said ->> 'deal_id')::uuid and t.contact_id = (s.said ->> 'contact_id')::uuid;
end
$$;
comment on function private.place_deal_contacts is 'Who is on a deal already is not added twice.';

create or replace function private.clear_way(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  if private.is_empty_account(me) then
    perform private.set_preferences(me, jsonb_strip_nulls(s.said) || jsonb_build_object('display_name', s.said -> 'display_name'))
    from private.restore_rows s
    where s.restore_id = restore and s.kind = 'preferences';
  end if;
  perform private.place_money(me, restore), private.place_deal_contacts(me, restore);
  -- The pipeline that came with the account and that nobody has touched gives way to those of the backup.
  if exists (select from private.restore_rows s where s.restore_id = restore and s.kind = 'pipelines' and s.is_new) then
    delete from public.pipelines p
    where p.user_id = me and p.name = 'Sales Pipeline' and p.updated_at = p.created_at
      and not exists (select from public.deals d where d.user_id = me and d.pipeline_id = p.id)
      and not exists (select from public.changes c where c.user_id = me and c.row_id = p.id)
      and not exists (select from private.restore_rows s where s.restore_id = restore and s.kind = 'pipelines' and s.new_id = p.id)
      and (
        select count(*) = 5 and bool_and(t.updated_at = t.created_at) and min(t.created_at) = p.created_at
        from public.pipeline_stages t where t.user_id = me and t.pipeline_id = p.id
      );
  end if;
end
$$;

-- The lists, and the page of a contact -----------------------------------------------------------------------

create function private.deal_contact_condition(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  -- Looked up first, so that both parts of the condition have an index.
  further uuid[] := array(
    select k.deal_id from public.deal_contacts k
    where k.user_id = private.caller() and k.contact_id = (filter ->> 'contact')::uuid
  );
begin
  return format(case when cardinality(further) = 0 then 'c.contact_id = %L::uuid' else '(c.contact_id = %L::uuid or c.id = any (%L::uuid[]))' end,
    filter ->> 'contact', further);
end
$$;
comment on function private.deal_contact_condition is
  'The deals that a contact has to do with, as the main contact or as a further one, as a condition on "c". Every value is quoted.';

create or replace function private.deal_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
begin
  -- What is no filter is refused below.
  if jsonb_typeof(filter) is distinct from 'object' then
    return private.deal_column_conditions(filter);
  end if;
  return concat_ws(' and ', private.deal_column_conditions(filter - 'value_from' - 'value_to' - 'contact'),
    nullif(private.deal_value_conditions(filter), ''),
    case when filter ? 'contact' then private.deal_contact_condition(filter) end);
end
$$;

create or replace function private.linked_deals(contact uuid, company uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
declare
  further uuid[] := array(select k.deal_id from public.deal_contacts k where k.contact_id = contact);
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(d) - 'created_at' order by d.created_at desc, d.id desc), '[]')
    from (
      select d.id, d.name, d.value, d.currency, d.expected_close_date, s.name as stage_name,
        coalesce(s.outcome, 'open') as outcome,
        (select k.role from public.deal_contacts k where k.deal_id = d.id and k.contact_id = contact) as role, d.created_at
      from public.deals d
      left join public.pipeline_stages s on s.id = d.stage_id
      where d.contact_id = contact or d.company_id = company or d.id = any (further)
      order by d.created_at desc, d.id desc limit 100
    ) d
  );
end
$$;
comment on function private.linked_deals is 'The newest hundred deals of a contact, also as a further one, with its role; or of a company.';

create function private.deals_of_contact(contact uuid) returns bigint
language sql stable
set search_path = ''
as $$
  select count(*) from (
    select d.id from public.deals d where d.contact_id = contact
    union
    select k.deal_id from public.deal_contacts k where k.contact_id = contact
  ) d
$$;

create or replace function public.contact_record(id uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select d.card::jsonb || jsonb_build_object(
      'collections', coalesce((
        select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name) order by lower(k.name), k.id)
        from public.collection_members m
        join public.collections k on k.id = m.collection_id
        where m.contact_id = c.id
      ), '[]'),
      'deals', private.deals_of_contact(c.id),
      'linked_deals', private.linked_deals(c.id, null)
    )
    from public.contacts c cross join lateral private.contact_card(c) d
    where c.id = contact_record.id
  );
end
$$;

create or replace function public.deal_record(id uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select k.card::jsonb || jsonb_build_object('people', coalesce((
      select jsonb_agg(jsonb_build_object('contact_id', p.contact_id, 'role', p.role, 'name', jsonb_build_object(
        'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email)) order by p.position, p.id)
      from public.deal_contacts p join public.contacts c on c.id = p.contact_id
      where p.deal_id = d.id
    ), '[]'))
    from public.deals d cross join lateral private.deal_card(d) k
    where d.id = deal_record.id
  );
end
$$;
comment on function public.deal_record is 'A deal with its stage, company and contacts, or null when there is none.';

-- Who is on a deal -------------------------------------------------------------------------------------------

create function public.set_deal_contact(deal uuid, contact uuid, role text default null, is_main boolean default false) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  main uuid;
begin
  select d.contact_id into main from public.deals d where d.id = set_deal_contact.deal for update;
  if not found then
    raise exception 'This deal does not exist any more.' using errcode = 'PT404';
  end if;
  if not exists (select from public.contacts c where c.id = set_deal_contact.contact) then
    raise exception 'This contact does not exist any more.' using errcode = 'PT404';
  end if;
  -- Whoever was the main one stays on the deal.
  insert into public.deal_contacts (deal_id, contact_id, role, position)
  select set_deal_contact.deal, n.contact, n.role,
    (select coalesce(max(k.position), 0) from public.deal_contacts k where k.deal_id = set_deal_contact.deal) + n.place
  from (values (1, main, null), (2, set_deal_contact.contact, set_deal_contact.role)) as n (place, contact, role)
  where n.contact is not null and (n.place = 2 or is_main and main <> set_deal_contact.contact)
    and not exists (select from public.deal_contacts k where k.deal_id = set_deal_contact.deal and k.contact_id = n.contact);
  update public.deal_contacts k set role = private.blank_to_null(set_deal_contact.role)
  where k.deal_id = set_deal_contact.deal and k.contact_id = set_deal_contact.contact
    and k.role is distinct from private.blank_to_null(set_deal_contact.role);
  if is_main then
    update public.deals d set contact_id = set_deal_contact.contact
    where d.id = set_deal_contact.deal and d.contact_id is distinct from set_deal_contact.contact;
  end if;
  return private.bulk_answer(1);
end
$$;
comment on function public.set_deal_contact is
  'Puts a contact on a deal in a role, or gives it another; as the main one if so wanted. One batch.';

create function public.remove_deal_contact(deal uuid, contact uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
begin
  delete from public.deal_contacts k where k.deal_id = remove_deal_contact.deal and k.contact_id = remove_deal_contact.contact;
  update public.deals d set contact_id = null
  where d.id = remove_deal_contact.deal and d.contact_id = remove_deal_contact.contact;
  return private.bulk_answer(1);
end
$$;
comment on function public.remove_deal_contact is 'Takes a contact off a deal, whether it was the main one or a further one. One batch.';

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.move_deal_contacts(uuid, uuid[]), private.place_deal_contacts(uuid, uuid), private.deal_contact_condition(jsonb),
  private.deals_of_contact(uuid), public.set_deal_contact(uuid, uuid, text, boolean), public.remove_deal_contact(uuid, uuid)
  from public, anon, authenticated;
grant execute on function
  private.move_deal_contacts(uuid, uuid[]), private.deal_contact_condition(jsonb), private.deals_of_contact(uuid),
  public.set_deal_contact(uuid, uuid, text, boolean), public.remove_deal_contact(uuid, uuid)
  to authenticated, service_role;
