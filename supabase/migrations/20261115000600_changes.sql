-- One log, many features: the activity feed, each record's timeline, undo, the trash and the
-- reversal of an import all read this table. Triggers write it in the transaction of the change.

create table public.changes (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  batch uuid not null,
  undoes uuid,
  table_name text not null,
  row_id uuid not null,
  contact_id uuid,
  company_id uuid,
  deal_id uuid,
  label text,
  verb text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now(),
  constraint changes_verb_known check (verb in ('insert', 'update', 'delete'))
);
alter table public.changes enable row level security;
comment on table public.changes is 'Every change of every business row, one row each. Written by triggers only.';
comment on column public.changes.batch is 'One per transaction: what is undone together.';
comment on column public.changes.undoes is 'The batch that this change takes back, if it does.';
comment on column public.changes.label is 'The record''s name as it was then.';
comment on column public.changes.before is 'Of an update the changed columns, of a delete the whole row, of an insert nothing.';

create index changes_newest on public.changes (user_id, id desc);
create index changes_by_batch on public.changes (user_id, batch, id);
create index changes_by_row on public.changes (user_id, row_id, id);
create index changes_about_contact on public.changes (user_id, contact_id, id desc) where contact_id is not null;
create index changes_about_company on public.changes (user_id, company_id, id desc) where company_id is not null;
create index changes_about_deal on public.changes (user_id, deal_id, id desc) where deal_id is not null;
create index changes_to_erase on public.changes (created_at) where verb = 'delete' and before is not null;

create function private.erase_expired() returns bigint
language sql
security definer -- reaches every account's rows, and nobody may write changes
set search_path = ''
as $$
  with expired as materialized (
    select c.user_id, c.row_id, c.id,
      exists (
        select from public.changes later
        where later.user_id = c.user_id and later.row_id = c.row_id and later.id > c.id and later.verb = 'insert'
      ) as is_back
    from public.changes c
    where c.verb = 'delete' and c.before is not null and c.created_at < now() - interval '30 days'
    order by c.created_at limit 1000
    for update of c skip locked -- what another transaction erases already is not waited for
  ),
  erased as (
    update public.changes c
    set before = null, after = null, label = case when e.is_back then c.label end
    from expired e
    where c.user_id = e.user_id and c.row_id = e.row_id
      and (c.id = e.id or c.id < e.id and not e.is_back)
  )
  select count(*) from expired
$$;
comment on function private.erase_expired is
  'Thirty days after a deletion nothing of the row is left in the log: neither what was deleted nor its earlier versions. Called with every batch, so it needs no scheduler.';

create function private.current_batch() returns uuid
language plpgsql
set search_path = ''
as $$
declare
  known text := coalesce(current_setting('solo.batch', true), '');
begin
  if known <> '' then
    return known::uuid;
  end if;
  perform set_config('solo.batch', gen_random_uuid()::text, true);
  perform private.erase_expired();
  return current_setting('solo.batch')::uuid;
end
$$;
comment on function private.current_batch is 'The batch of this transaction, begun when first asked for.';

create function private.changed_columns(old_row jsonb, new_row jsonb, out before jsonb, out after jsonb)
language sql immutable
set search_path = ''
as $$
  select jsonb_object_agg(n.key, o.value), jsonb_object_agg(n.key, n.value)
  from jsonb_each(new_row) n join jsonb_each(old_row) o on o.key = n.key
  where n.value is distinct from o.value and n.key <> 'updated_at'
$$;

create function private.log_changes() returns trigger
language plpgsql
security definer -- clients may read the log but never write it
set search_path = ''
as $$
declare
  batch uuid;
  undoes uuid := nullif(current_setting('solo.undoes', true), '')::uuid;
begin
  if coalesce(current_setting('solo.silent', true), '') = 'on' then
    return null;
  end if;
  batch := private.current_batch();
  -- The owner is looked up because rows that go with their account have nobody to be logged for.
  if tg_op = 'INSERT' then
    insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb)
    select n.user_id, batch, undoes, tg_table_name, n.id, about.contact_id, about.company_id, about.deal_id, about.label, 'insert'
    from new_rows n
    cross join lateral private.about(tg_table_name, to_jsonb(n)) about
    where exists (select from auth.users u where u.id = n.user_id);
  elsif tg_op = 'DELETE' then
    insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before)
    select o.user_id, batch, undoes, tg_table_name, o.id, about.contact_id, about.company_id, about.deal_id, about.label, 'delete',
           to_jsonb(o) - 'search_text'
    from old_rows o
    cross join lateral private.about(tg_table_name, to_jsonb(o)) about
    where exists (select from auth.users u where u.id = o.user_id);
  else
    -- Planned anew each time: a plan kept from updates of one row would join old and new rows of a bulk
    -- update one by one.
    execute
      'insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, after)
       select n.user_id, $1, $2, $3, n.id, about.contact_id, about.company_id, about.deal_id, about.label, ''update'',
              diff.before, diff.after
       from new_rows n
       join old_rows o on o.id = n.id
       cross join lateral private.changed_columns(to_jsonb(o) - ''search_text'', to_jsonb(n) - ''search_text'') diff
       cross join lateral private.about($3, to_jsonb(n)) about
       where diff.before is not null
         and exists (select from auth.users u where u.id = n.user_id)'
      using batch, undoes, tg_table_name::text;
  end if;
  return null;
end
$$;
comment on function private.log_changes is
  'Statement trigger of every business table: one insert into the log, however many rows changed.';

create function private.about(
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
      else r ->> 'name'
    end
$$;
comment on function private.about is 'Which contact, company and deal a row is about, and what it is called.';

create function private.log_table(target regclass) returns void
language plpgsql
set search_path = ''
as $$
begin
  execute format('create trigger log_insert after insert on %s referencing new table as new_rows
    for each statement execute function private.log_changes()', target);
  execute format('create trigger log_update after update on %s referencing old table as old_rows new table as new_rows
    for each statement execute function private.log_changes()', target);
  execute format('create trigger log_delete after delete on %s referencing old table as old_rows
    for each statement execute function private.log_changes()', target);
end
$$;
comment on function private.log_table is 'Called once for each business table: from then on its changes are logged and can be undone.';

select private.log_table(name::regclass) from unnest(array[
  'public.companies', 'public.contacts', 'public.pipelines', 'public.pipeline_stages', 'public.deals', 'public.tasks',
  'public.notes', 'public.collections', 'public.collection_members', 'public.saved_views', 'public.email_templates'
]) as name;
