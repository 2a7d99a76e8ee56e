-- One log, many features: the activity feed, each record's timeline, undo, the trash, the history and the reversal of an
-- import all read this table. Triggers write it in the transaction of the change.

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
  names jsonb,
  constraint changes_verb_known check (verb in ('insert', 'update', 'delete'))
);
alter table public.changes enable row level security;
comment on table public.changes is 'Every change of every business row, one row each. Written by triggers only.';
comment on column public.changes.batch is 'One per transaction: what is undone together.';
comment on column public.changes.undoes is 'The batch that this change takes back, if it does.';
comment on column public.changes.label is 'The record''s name as it was then.';
comment on column public.changes.before is 'Of an update the changed columns, of a delete the whole row, of an insert nothing.';
comment on column public.changes.names is
  'Where own fields were changed: what they and their options were called then, by their ids.';

create index changes_newest on public.changes (user_id, id desc);
create index changes_by_time on public.changes (user_id, created_at desc, batch desc);
create index changes_by_batch on public.changes (user_id, batch, id);
create index changes_by_row on public.changes (user_id, row_id, id);
create index changes_about_contact on public.changes (user_id, contact_id, id desc) where contact_id is not null;
create index changes_about_company on public.changes (user_id, company_id, id desc) where company_id is not null;
create index changes_about_deal on public.changes (user_id, deal_id, id desc) where deal_id is not null;
create index changes_deleted on public.changes (user_id, created_at desc, id desc)
  where verb = 'delete' and before is not null;
create index changes_undoing on public.changes (user_id, undoes) where undoes is not null;
create index changes_to_erase on public.changes (created_at) where verb = 'delete' and before is not null;

revoke all on public.changes from public, anon, authenticated;
grant all on public.changes to service_role;
grant select on public.changes to authenticated;
create policy "Owners read their changes" on public.changes
  for select to authenticated using (user_id = (select auth.uid()));

-- Only the database draws numbers from sequences.
revoke all on all sequences in schema public from public, anon, authenticated;

-- Writing the log ---------------------------------------------------------------------------------------------

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
      when 'form_submissions' then r ->> 'who'
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
comment on function private.about is 'Which contact, company and deal a row is about, and what it is called.';

create function private.changed_columns(old_row jsonb, new_row jsonb, out before jsonb, out after jsonb, out fields uuid[])
language sql immutable
set search_path = ''
as $$
  select jsonb_object_agg(d.key, d.was), jsonb_object_agg(d.key, d.is), array_agg(d.field) filter (where d.field is not null)
  from (
    select n.key, o.value as was, n.value as is, null::uuid as field
    from jsonb_each(new_row) n join jsonb_each(old_row) o on o.key = n.key
    where (n.value is distinct from o.value or n.key = 'currency' and new_row -> 'value' is distinct from old_row -> 'value')
      and n.key not in ('updated_at', 'custom')
    union all
    select 'custom.' || k.key, coalesce(old_row -> 'custom' -> k.key, 'null'), coalesce(new_row -> 'custom' -> k.key, 'null'), k.key::uuid
    from jsonb_object_keys((old_row -> 'custom') || (new_row -> 'custom')) as k (key)
    where new_row -> 'custom' <> old_row -> 'custom'
      and new_row -> 'custom' -> k.key is distinct from old_row -> 'custom' -> k.key
  ) d
$$;
comment on function private.changed_columns is
  'What differs between two versions of a row, by column, and of own fields by field. With the value of a deal goes its currency.';

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
  -- The account's own alone: whoever writes waits for nothing that others have left behind. The server writes as nobody.
  perform private.erase_expired_of(auth.uid());
  return current_setting('solo.batch')::uuid;
end
$$;
comment on function private.current_batch is 'The batch of this transaction, begun when first asked for.';

create function private.log_changes() returns trigger
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
comment on function private.log_changes is
  'Statement trigger of every business table: one insert into the log, however many rows changed. A definer because clients read the log and never write it.';

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

create function private.written_batch() returns uuid
language sql
set search_path = ''
as $$
  select c.batch from public.changes c
  where c.user_id = private.caller() and c.batch = nullif(current_setting('solo.batch', true), '')::uuid limit 1
$$;
comment on function private.written_batch is 'The batch of this transaction, or null while nothing has changed: then there is nothing to undo.';

create function private.bulk_answer(row_count bigint) returns jsonb
language sql
set search_path = ''
as $$ select jsonb_build_object('count', row_count, 'batch', private.written_batch()) $$;
comment on function private.bulk_answer is 'What a write to many rows tells: how many, and the batch that undoes it.';

-- Own fields, under the names they had then -------------------------------------------------------------------

create function private.names_of_fields(me uuid, ids uuid[], before jsonb, after jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_object_agg(n.id, n.name)
  from public.fields f
  cross join lateral (
    select f.id::text as id, f.name
    union all
    -- A number in the log does not say that it is money.
    select f.id || '.kind', f.kind where f.kind = 'money'
    union all
    select o.id, o.name from jsonb_to_recordset(f.options) as o (id text, name text)
    where before -> ('custom.' || f.id) ? o.id or after -> ('custom.' || f.id) ? o.id
  ) n
  where f.user_id = me and f.id = any (ids)
$$;
comment on function private.names_of_fields is
  'What these fields are called now, and those of their options that a change tells of, by their ids; and which of them are money.';

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

create function private.with_names(names jsonb, more jsonb) returns jsonb
language sql immutable
set search_path = ''
as $$ select case when names is null or more is null then coalesce(names, more) else names || more end $$;
comment on function private.with_names is 'Names of linked records and those of own fields, together; null when there are none.';

-- The purpose of a batch --------------------------------------------------------------------------------------

create table private.actions (
  user_id uuid not null references auth.users (id) on delete cascade,
  batch uuid not null,
  action text not null,
  about text,
  primary key (user_id, batch),
  constraint actions_action_known check (action in ('import', 'merge', 'backup', 'samples', 'rename tag', 'delete tag')),
  constraint actions_about_length check (char_length(about) <= 255)
);
alter table private.actions enable row level security;
comment on table private.actions is 'What a batch was, where its changes alone do not tell.';
revoke all on private.actions from public, anon, authenticated;

create function private.name_action(action text, about text default null) returns void
language sql
security definer
set search_path = ''
as $$
  insert into private.actions (user_id, batch, action, about)
  values (private.caller(), private.current_batch(), name_action.action, left(name_action.about, 255))
  on conflict (user_id, batch) do update set action = excluded.action, about = excluded.about
$$;
comment on function private.name_action is
  'Called by what writes many rows for one purpose, so that the history tells the purpose: an import, a merge, a backup. A definer because nobody else writes private.actions.';

-- Which token or form wrote a batch ---------------------------------------------------------------------------

create table private.token_batches (
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  batch uuid not null,
  token_name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_form boolean not null default false,
  primary key (user_id, batch)
);
alter table private.token_batches enable row level security;
comment on table private.token_batches is
  'Which batches were written with a token, and what it was called then. The name stays when the token is gone.';

select private.open_to_owner('private.token_batches', '{batch,token_name}');

-- "is_form" marks the batch of a form. The history shows it as it shows that of a token, for example
-- "Form Website · Added contact Ada Lovelace", but no token may undo it.

grant insert (is_form) on private.token_batches to authenticated;

create function private.note_batch(token_name text) returns void
language sql
set search_path = ''
as $$
  insert into private.token_batches (batch, token_name)
  select b.batch, note_batch.token_name from (select private.written_batch() as batch) b where b.batch is not null
  on conflict (user_id, batch) do nothing
$$;
comment on function private.note_batch is 'Names the batch of this transaction after a token, if anything was written.';

create function private.token_of_batch(wanted uuid) returns text
language sql stable
set search_path = ''
as $$ select b.token_name from private.token_batches b where b.user_id = private.caller() and b.batch = wanted $$;
comment on function private.token_of_batch is 'The name of the token that wrote a batch; null where its owner did.';

-- The history: all batches ------------------------------------------------------------------------------------

create function private.unlogged_columns() returns text[]
language sql immutable parallel safe
set search_path = ''
as $$ select '{order,closed_at,completed_at,stage_since}'::text[] $$;
comment on function private.unlogged_columns is
  'Columns that change with others and of which the history says nothing. A column that the database stamps is added here alone.';

create function private.label_of(me uuid, id uuid) returns text
language sql stable
set search_path = ''
as $$
  select l.label from public.changes l
  where l.user_id = me and l.row_id = label_of.id and l.label is not null
  order by l.id desc limit 1
$$;
comment on function private.label_of is 'What a record was last called, whether or not it is still there.';

create function private.names_in(me uuid, before jsonb, after jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_object_agg(link.value, coalesce(
    (select s.name from public.pipeline_stages s where s.user_id = me and s.id = link.value::uuid),
    (select p.name from public.pipelines p where p.user_id = me and p.id = link.value::uuid),
    private.label_of(me, link.value::uuid)
  ))
  from (select * from jsonb_each_text(before) union select * from jsonb_each_text(after)) link
  where link.value is not null
    and link.key in ('company_id', 'contact_id', 'deal_id', 'stage_id', 'pipeline_id')
$$;
comment on function private.names_in is 'What the records are called that the links of a change lead to, by their ids.';

create function private.batch_rows(me uuid, wanted uuid, kind text, done text) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object(
    'id', c.row_id, 'name', c.label, 'is_there', coalesce(last.verb <> 'delete', true),
    'contact_id', c.contact_id, 'company_id', c.company_id, 'deal_id', c.deal_id
  ) || case when c.table_name = 'notes' then jsonb_build_object(
    'kind', coalesce(c.before ->> 'kind', (select n.kind from public.notes n where n.user_id = me and n.id = c.row_id)),
    'about', private.label_of(me, coalesce(c.contact_id, c.company_id, c.deal_id))
  ) else '{}' end order by c.id)
  from (
    select * from public.changes c
    where c.user_id = me and c.batch = wanted and c.table_name = kind and c.verb = done
    order by c.id limit 3
  ) c
  cross join lateral (
    select l.verb from public.changes l where l.user_id = me and l.row_id = c.row_id order by l.id desc limit 1
  ) last
$$;
comment on function private.batch_rows is
  'The first three rows to which a batch did something, by name; of a note also whether it was a call, a meeting or an e-mail, and with whom.';

create function private.batch_summary(me uuid, wanted uuid) returns jsonb
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
      min((c.before - private.unlogged_columns())::text),
      max((c.before - private.unlogged_columns())::text),
      min((c.after - private.unlogged_columns())::text),
      max((c.after - private.unlogged_columns())::text),
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
    'action', (select d.action from private.actions d where d.user_id = me and d.batch = wanted),
    'about', (select d.about from private.actions d where d.user_id = me and d.batch = wanted),
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
comment on function private.batch_summary is
  'What a batch did: for each table and verb how many rows, the first of them, and what was changed where it is the same for all. A card that only made room for another on the board does not count.';

create function private.batch_card(me uuid, wanted uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select told || jsonb_build_object('by', (
    select b.token_name from private.token_batches b where b.user_id = me and b.batch = wanted
  ))
  from private.batch_summary(me, wanted) as told
$$;
comment on function private.batch_card is 'What a batch did, as private.batch_summary tells it, and the token that did it ("by"), if one did.';

create function public.history_page(filter jsonb default '{}', after jsonb default null, page_size integer default 30)
returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  size integer := least(greatest(page_size, 1), 100);
  earliest timestamptz;
  latest timestamptz;
  action text := filter ->> 'action';
  answer jsonb;
begin
  perform private.check_filter(filter, array['action', 'from', 'to', 'time_zone']);
  if action not in ('added', 'changed', 'deleted', 'undone', 'imported') then
    raise exception 'The filter has a part that is not known.' using errcode = 'PT400';
  end if;
  earliest := case when filter ? 'from' then private.day_start(filter, 'from', 0) else '-infinity' end;
  latest := case when filter ? 'to' then private.day_start(filter, 'to', 1) else 'infinity' end;

  -- From batch to batch by the index, however many rows each has; as many steps as the page needs.
  with recursive steps as (
    (
      select c.created_at, c.batch, c.undoes from public.changes c
      where c.user_id = me and (c.created_at, c.batch) < (
        coalesce((history_page.after ->> 'at')::timestamptz, latest),
        coalesce((history_page.after ->> 'batch')::uuid, '00000000-0000-0000-0000-000000000000')
      )
      order by c.created_at desc, c.batch desc limit 1
    )
    union all
    select n.created_at, n.batch, n.undoes
    from steps s
    cross join lateral (
      select c.created_at, c.batch, c.undoes from public.changes c
      where c.user_id = me and (c.created_at, c.batch) < (s.created_at, s.batch) and c.created_at >= earliest
      order by c.created_at desc, c.batch desc limit 1
    ) n
  ),
  found as materialized (
    select s.created_at, s.batch from steps s
    -- With a limit, so that PostgreSQL goes from step to step in their order; as a condition it might hash them all.
    cross join lateral (
      select from public.changes c
      where c.user_id = me and c.batch = s.batch and (c.verb <> 'update' or coalesce(c.after - 'order' <> '{}', true))
        and case action
          when 'undone' then c.undoes is not null
          when 'imported' then exists (
            select from private.actions d where d.user_id = me and d.batch = s.batch and d.action = 'import'
          )
          when 'added' then c.undoes is null and c.verb = 'insert'
          when 'deleted' then c.undoes is null and c.verb = 'delete'
          -- A link that a deletion cut was not changed by anyone.
          when 'changed' then c.undoes is null and c.verb = 'update'
            and (c.after is null or exists (select from jsonb_each(c.after) v where v.value <> 'null'))
          else true
        end
      limit 1
    ) counts
    where s.created_at >= earliest
    limit size + 1
  ),
  page as (
    select f.*, row_number() over (order by f.created_at desc, f.batch desc) as place from found f
  )
  select jsonb_build_object(
    'rows', coalesce(jsonb_agg(private.batch_card(me, p.batch) order by p.place) filter (where p.place <= size), '[]'),
    'next', case when count(*) > size then
      (array_agg(jsonb_build_object('at', p.created_at, 'batch', p.batch) order by p.place) filter (where p.place = size))[1] end
  )
  into answer
  from page p;
  return answer;
end
$$;
comment on function public.history_page is
  'A page of what was done, a batch each, newest first: added, changed, deleted, undone or imported, in a period of the user''s calendar. A definer because nobody else reads private.actions.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.about(text, jsonb), private.changed_columns(jsonb, jsonb), private.current_batch(), private.log_changes(),
  private.log_table(regclass), private.written_batch(), private.bulk_answer(bigint),
  private.names_of_fields(uuid, uuid[], jsonb, jsonb), private.as_row(jsonb), private.with_names(jsonb, jsonb),
  private.name_action(text, text), private.note_batch(text), private.token_of_batch(uuid), private.unlogged_columns(),
  private.label_of(uuid, uuid), private.names_in(uuid, jsonb, jsonb), private.batch_rows(uuid, uuid, text, text),
  private.batch_summary(uuid, uuid), private.batch_card(uuid, uuid), public.history_page(jsonb, jsonb, integer)
  from public, anon, authenticated;
grant execute on function
  private.about(text, jsonb), private.changed_columns(jsonb, jsonb), private.current_batch(),
  private.log_table(regclass)
  to service_role;
grant execute on function
  private.log_changes(), private.written_batch(), private.bulk_answer(bigint), private.with_names(jsonb, jsonb),
  private.names_of_fields(uuid, uuid[], jsonb, jsonb),
  private.name_action(text, text), private.note_batch(text), private.token_of_batch(uuid), private.unlogged_columns(),
  private.label_of(uuid, uuid), private.names_in(uuid, jsonb, jsonb), public.history_page(jsonb, jsonb, integer)
  to authenticated, service_role;
