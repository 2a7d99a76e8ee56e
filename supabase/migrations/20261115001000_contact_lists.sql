-- The contacts and companies screens: pages by keyset, counts, and writes to everything that matches.

alter table public.companies add column search_text text not null generated always as (
  private.fold(name || ' ' || coalesce(industry, '') || ' ' || coalesce(location, ''))
) stored;
comment on column public.companies.search_text is 'What the list''s search looks through: name, industry and location, folded.';
create index companies_search on public.companies using gin (user_id, search_text extensions.gin_trgm_ops);

create function private.sort_name(first_name text, last_name text) returns text
language sql immutable parallel safe
set search_path = ''
as $$ select lower(coalesce(first_name || ' ', '') || coalesce(last_name, '')) $$;

create index contacts_by_name on public.contacts (user_id, private.sort_name(first_name, last_name), id);
create index companies_by_folded_name on public.companies (user_id, lower(name), id);

create function private.like_pattern(words text) returns text
language sql immutable parallel safe
set search_path = ''
as $$
  -- A phone number is compared by its digits, however it was written.
  select '%' || replace(replace(replace(
    case
      when words ~ '^\+?[\d\s().-]+$' and words ~ '\d' then regexp_replace(words, '[^0-9]', '', 'g')
      else private.fold(btrim(words))
    end, '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;
comment on function private.like_pattern is 'What the user typed into a search, as a pattern for search_text.';

create function private.texts(value jsonb) returns text[]
language sql immutable parallel safe
set search_path = ''
as $$ select array(select jsonb_array_elements_text(value)) $$;

create function private.search_condition(words text) returns text
language sql immutable
set search_path = ''
as $$
  select format('c.search_text like %L', '%' || replace(replace(replace(
    private.fold(btrim(words)), '\', '\\'), '%', '\%'), '_', '\_') || '%')
$$;
comment on function private.search_condition is 'Rows whose search_text holds what the user typed, accents and capitals aside.';

create function private.check_filter(filter jsonb, known text[]) returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  -- A filter that is not understood must not mean "all": deletions take filters too.
  if filter is null or jsonb_typeof(filter) <> 'object' then
    raise exception 'The filter cannot be read.' using errcode = 'PT400';
  end if;
  if filter - known <> '{}' then
    raise exception 'The filter has a part that is not known.' using errcode = 'PT400';
  end if;
end
$$;

create function private.day_start(filter jsonb, field text, days_later integer) returns timestamptz
language sql stable
set search_path = ''
as $$
  select ((filter ->> field)::date + days_later)::timestamp at time zone coalesce(filter ->> 'time_zone', 'UTC')
$$;
comment on function private.day_start is 'When a day of the user''s calendar begins, in the filter''s time zone.';

create function private.contact_conditions(me uuid, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[format('c.user_id = %L::uuid', me)];
  pattern text;
  companies uuid[];
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'lead_status', 'company', 'collection',
    'has_email', 'has_phone', 'created_from', 'created_to', 'time_zone']);
  if btrim(coalesce(filter ->> 'search', '')) <> '' then
    pattern := private.like_pattern(filter ->> 'search');
    companies := array(
      select co.id from public.companies co
      where co.user_id = me and private.fold(co.name) like pattern
        and co.search_text like pattern -- the index finds the candidates
    );
    conditions := conditions || case
      when cardinality(companies) = 0 then format('c.search_text like %L', pattern)
      else format('(c.search_text like %L or c.company_id = any (%L::uuid[]))', pattern, companies)
    end;
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  if filter ? 'except' then
    conditions := conditions || format('c.id <> all (%L::uuid[])', private.texts(filter -> 'except'));
  end if;
  if filter ? 'lead_status' then
    conditions := conditions || format('c.lead_status = any (%L::text[])', private.texts(filter -> 'lead_status'));
  end if;
  if filter ? 'company' then
    conditions := conditions || case filter ->> 'company'
      when 'none' then 'c.company_id is null'
      else format('c.company_id = %L::uuid', filter ->> 'company')
    end;
  end if;
  if filter ? 'collection' then
    conditions := conditions || format(
      'c.id in (select m.contact_id from public.collection_members m where m.user_id = c.user_id and m.collection_id = %L::uuid)',
      filter ->> 'collection');
  end if;
  if filter ? 'has_email' then
    conditions := conditions || format('(c.email is not null) = %L::boolean', filter ->> 'has_email');
  end if;
  if filter ? 'has_phone' then
    conditions := conditions || format('(c.phone_number is not null) = %L::boolean', filter ->> 'has_phone');
  end if;
  if filter ? 'created_from' then
    conditions := conditions || format('c.created_at >= %L::timestamptz', private.day_start(filter, 'created_from', 0));
  end if;
  if filter ? 'created_to' then
    conditions := conditions || format('c.created_at < %L::timestamptz', private.day_start(filter, 'created_to', 1));
  end if;
  return array_to_string(conditions, ' and ');
end
$$;
comment on function private.contact_conditions is
  'The contacts that a filter means, as a condition on "c": the one home of what search and filters find. Every value is quoted.';

create function private.contacts_orders(missing text) returns table (sort text, expression text, type text, link text)
language sql immutable
set search_path = ''
as $$
  values
    ('created', 'c.created_at', 'timestamptz', ''),
    ('name', 'private.sort_name(c.first_name, c.last_name)', 'text', ''),
    ('email', 'lower(coalesce(c.email, ''''))', 'text', ''),
    ('phone', 'coalesce(c.phone_number, '''')', 'text', ''),
    ('company', 'lower(coalesce(co.name, ''''))', 'text', 'left join public.companies co on co.user_id = c.user_id and co.id = c.company_id'),
    ('lead_status', 'c.lead_status', 'text', ''),
    ('lead_score', 'c.lead_score', 'numeric', ''),
    ('notes', 'lower(left(coalesce(c.notes, ''''), 100))', 'text', ''),
    ('last_contacted', 'coalesce((select l.at from private.last_contact(c) l), ' || missing || ')', 'timestamptz', ''),
    ('next_task', 'coalesce((select n.at from private.next_due(c) n), ' || missing || ')', 'timestamptz', '')
$$;

create function private.companies_orders(missing text) returns table (sort text, expression text, type text, link text)
language sql immutable
set search_path = ''
as $$
  values
    ('created', 'c.created_at', 'timestamptz', ''),
    ('name', 'lower(c.name)', 'text', ''),
    ('industry', 'lower(coalesce(c.industry, ''''))', 'text', ''),
    ('location', 'lower(coalesce(c.location, ''''))', 'text', '')
$$;

create function private.page_order(
  kind text, sort text, descending boolean, out expression text, out type text, out link text
)
language plpgsql immutable
set search_path = ''
as $$
begin
  -- What has no such moment comes last, in either direction.
  execute format('select o.expression, o.type, o.link from private.%I($1) o where o.sort = $2', kind || '_orders')
    into expression, type, link
    using case when descending then '''-infinity''::timestamptz' else '''infinity''::timestamptz' end, sort;
  if expression is null then
    raise exception 'The list cannot be sorted by %.', left(sort, 40) using errcode = 'PT400';
  end if;
end
$$;
comment on function private.page_order is
  'By what a list is sorted: one of the orders that the function named after its table knows. "link" joins what the expression reads besides "c": one join is many times faster than a look-up for each row.';

create function private.last_contact(contact public.contacts) returns table (at timestamptz)
language sql stable -- no search path of its own, see contact_card
as $$
  select max(n.happened_at) from public.notes n
  where n.user_id = contact.user_id and n.contact_id = contact.id and n.kind <> 'note'
$$;

create function private.next_due(contact public.contacts) returns table (at timestamptz)
language sql stable -- no search path of its own, see contact_card
as $$
  select min(t.due_date) from public.tasks t
  where t.user_id = contact.user_id and t.contact_id = contact.id and not t.completed
$$;

-- Returns a table and has no search path of its own, so that the planner writes its body into the query of the
-- page: called row by row, the cards took most of the time. Who uses it has an empty search path.
create function private.contact_card(contact public.contacts) returns table (card jsonb)
language sql stable
as $$
  select (to_jsonb(contact) - 'search_text' - 'user_id') || jsonb_build_object(
    'company_name', (
      select co.name from public.companies co where co.user_id = contact.user_id and co.id = contact.company_id
    ),
    'last_contacted', (select l.at from private.last_contact(contact) l),
    'next_task', (
      select jsonb_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
      from public.tasks t
      where t.user_id = contact.user_id and t.contact_id = contact.id and not t.completed
      order by t.due_date nulls last, t.id limit 1
    )
  )
$$;
comment on function private.contact_card is 'A contact as the list shows it: with its company, last contact and next task.';

create function private.company_card(company public.companies) returns table (card jsonb)
language sql stable -- no search path of its own, see contact_card
as $$
  select (to_jsonb(company) - 'search_text' - 'user_id') || jsonb_build_object(
    'contacts', (
      select count(*) from public.contacts k where k.user_id = company.user_id and k.company_id = company.id
    ),
    'deals', count(d.id),
    'open_deals', count(d.id) filter (where coalesce(s.name, '') not in ('Closed Won', 'Closed Lost'))
  )
  from public.deals d
  left join public.pipeline_stages s on s.id = d.stage_id
  where d.user_id = company.user_id and d.company_id = company.id
$$;
comment on function private.company_card is 'A company as the list shows it: with its contacts and deals counted.';

create function private.page(
  kind text, card text, conditions text, sort text, descending boolean, after jsonb, page_size integer
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  o record;
  size integer := least(greatest(page_size, 1), 1000);
  answer jsonb;
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  select * into o from private.page_order(kind, sort, descending);
  -- One row more than the page tells whether there is another. Only keys are sorted, not whole rows; and each
  -- row of the page is looked up by its id, because a join would let the planner read the whole table.
  execute format(
    'with keys as materialized (
       select %1$s as key, c.id from public.%3$I c %8$s where %4$s %5$s
       order by %1$s %2$s, c.id %2$s limit %6$s
     ),
     page as (
       select k.*, row_number() over (order by k.key %2$s, k.id %2$s) as place from keys k
     )
     select jsonb_build_object(
       ''rows'', coalesce(jsonb_agg(d.card order by p.place) filter (where p.place < %6$s), ''[]''),
       ''next'', case when count(*) = %6$s then
         (array_agg(jsonb_build_object(''key'', p.key, ''id'', p.id) order by p.place desc))[2] end
     )
     from page p
     cross join lateral (select c from public.%3$I c where c.id = p.id offset 0) r
     cross join lateral private.%7$I(r.c) d',
    o.expression, case when descending then 'desc' else 'asc' end, kind, conditions,
    case when after is null then '' else
      format('and (%s, c.id) %s (%L::%s, %L::uuid)', o.expression, case when descending then '<' else '>' end,
        after ->> 'key', o.type, after ->> 'id')
    end,
    size + 1, card, o.link)
  into answer;
  return answer;
end
$$;
comment on function private.page is
  'One page of a list after a cursor, and the cursor of the page after it, or null. By keyset: the thousandth page costs what the first does.';

create function private.count_of(kind text, conditions text) returns bigint
language plpgsql stable
set search_path = ''
as $$
declare
  total bigint;
begin
  execute format('select count(*) from public.%I c where %s', kind, conditions) into total;
  return total;
end
$$;

create function public.contact_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 50
)
returns jsonb
language sql stable
security definer -- the trigram index cannot serve a search under a policy; every condition names auth.uid()
set search_path = ''
as $$
  select private.page('contacts', 'contact_card', private.contact_conditions(auth.uid(), filter), sort, descending, after, page_size)
$$;
comment on function public.contact_page is 'A page of the contacts that a filter means.';

create function public.contact_count(filter jsonb default '{}') returns bigint
language sql stable
security definer -- as contact_page
set search_path = ''
as $$ select private.count_of('contacts', private.contact_conditions(auth.uid(), filter)) $$;

create function private.ids_of(kind text, conditions text) returns uuid[]
language plpgsql stable
set search_path = ''
as $$
declare
  ids uuid[];
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  execute format('select array(select c.id from public.%I c where %s)', kind, conditions) into ids;
  return ids;
end
$$;
comment on function private.ids_of is 'The rows that a filter''s conditions mean, for a write to all of them.';

create function private.written_batch() returns uuid
language sql
set search_path = ''
as $$
  select c.batch from public.changes c
  where c.user_id = auth.uid() and c.batch = nullif(current_setting('solo.batch', true), '')::uuid limit 1
$$;
comment on function private.written_batch is 'The batch of this transaction, or null while nothing has changed: then there is nothing to undo.';

create function private.bulk_answer(row_count bigint) returns jsonb
language sql
set search_path = ''
as $$ select jsonb_build_object('count', row_count, 'batch', private.written_batch()) $$;
comment on function private.bulk_answer is 'What a write to many rows tells: how many, and the batch that undoes it.';

create function public.update_contacts(filter jsonb, changes jsonb) returns jsonb
language plpgsql
security definer -- finds by the index like contact_page; writes rows of auth.uid() only
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', private.contact_conditions(auth.uid(), filter));
  row_count bigint;
begin
  if changes - 'lead_status' - 'company_id' <> '{}' then
    raise exception 'Only lead status and company can be set for many contacts at once.' using errcode = 'PT400';
  end if;
  update public.contacts c set
    lead_status = case when changes ? 'lead_status' then changes ->> 'lead_status' else c.lead_status end,
    company_id = case when changes ? 'company_id' then (changes ->> 'company_id')::uuid else c.company_id end
  where c.user_id = auth.uid() and c.id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create function private.delete_all(kind text, conditions text) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  ids uuid[] := private.ids_of(kind, conditions);
  row_count bigint;
begin
  execute format('delete from public.%I c where c.user_id = auth.uid() and c.id = any ($1)', kind) using ids;
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create function public.delete_contacts(filter jsonb) returns jsonb
language sql
security definer -- as update_contacts
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('contacts', private.contact_conditions(auth.uid(), filter)) $$;

create function public.add_to_collection(filter jsonb, collection_id uuid) returns jsonb
language plpgsql
security definer -- as update_contacts
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', private.contact_conditions(auth.uid(), filter));
  row_count bigint;
begin
  insert into public.collection_members (user_id, collection_id, contact_id)
  select auth.uid(), add_to_collection.collection_id, chosen.id from unnest(ids) as chosen (id)
  where not exists (
    select from public.collection_members m
    where m.collection_id = add_to_collection.collection_id and m.contact_id = chosen.id
  );
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create function public.create_collection(name text, filter jsonb) returns jsonb
language plpgsql
security definer -- as update_contacts
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  made uuid;
begin
  insert into public.collections (user_id, name) values (auth.uid(), create_collection.name) returning id into made;
  return public.add_to_collection(filter, made)
    || jsonb_build_object('id', made, 'batch', private.current_batch());
end
$$;
comment on function public.create_collection is 'A new collection with the chosen contacts in it.';

create function public.remove_from_collection(filter jsonb, collection_id uuid) returns jsonb
language plpgsql
security definer -- as update_contacts
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', private.contact_conditions(auth.uid(), filter));
  row_count bigint;
begin
  delete from public.collection_members m
  where m.user_id = auth.uid() and m.collection_id = remove_from_collection.collection_id and m.contact_id = any (ids);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;

create function public.log_emails(filter jsonb, subject text) returns jsonb
language plpgsql
security definer -- as update_contacts
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  ids uuid[] := private.ids_of('contacts', private.contact_conditions(auth.uid(), filter || '{"has_email": true}'));
  row_count bigint;
begin
  insert into public.notes (user_id, kind, body, outcome, contact_id)
  select auth.uid(), 'email', nullif(btrim(subject), ''), 'E-mail opened', chosen.id from unnest(ids) as chosen (id);
  get diagnostics row_count = row_count;
  return private.bulk_answer(row_count);
end
$$;
comment on function public.log_emails is
  'Notes on each contact''s timeline that an e-mail to it was handed to the user''s mail program. Those without an address are left out.';

create view public.collection_counts with (security_invoker = on) as
select c.id, c.name, c.created_at, count(m.id)::integer as contacts
from public.collections c
left join public.collection_members m on m.user_id = c.user_id and m.collection_id = c.id
group by c.id;
comment on view public.collection_counts is 'The user''s collections and how many contacts are in each.';

create function private.company_conditions(me uuid, filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[format('c.user_id = %L::uuid', me)];
begin
  perform private.check_filter(filter, array['search', 'ids', 'industry', 'location']);
  if btrim(coalesce(filter ->> 'search', '')) <> '' then
    conditions := conditions || private.search_condition(filter ->> 'search');
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  if filter ? 'industry' then
    conditions := conditions || format('c.industry = any (%L::text[])', private.texts(filter -> 'industry'));
  end if;
  if filter ? 'location' then
    conditions := conditions || format('c.location = any (%L::text[])', private.texts(filter -> 'location'));
  end if;
  return array_to_string(conditions, ' and ');
end
$$;

create function public.company_page(
  filter jsonb default '{}', sort text default 'created', descending boolean default true,
  after jsonb default null, page_size integer default 60
)
returns jsonb
language sql stable
security definer -- as contact_page
set search_path = ''
as $$
  select private.page('companies', 'company_card', private.company_conditions(auth.uid(), filter), sort, descending, after, page_size)
$$;
comment on function public.company_page is 'A page of the companies that a filter means.';

create function public.company_count(filter jsonb default '{}') returns bigint
language sql stable
security definer -- as contact_page
set search_path = ''
as $$ select private.count_of('companies', private.company_conditions(auth.uid(), filter)) $$;

create function public.company_facets() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'industries', coalesce((
      select jsonb_agg(f.industry order by f.industry) from (
        select c.industry from public.companies c where c.user_id = (select auth.uid()) and c.industry is not null
        group by c.industry order by count(*) desc, c.industry limit 200
      ) f), '[]'),
    'locations', coalesce((
      select jsonb_agg(f.location order by f.location) from (
        select c.location from public.companies c where c.user_id = (select auth.uid()) and c.location is not null
        group by c.location order by count(*) desc, c.location limit 200
      ) f), '[]')
  )
$$;
comment on function public.company_facets is 'The industries and locations there are, for the filters.';

revoke all on all functions in schema public from public, anon;
revoke all on all functions in schema private from public, anon, authenticated;
-- Only what runs with the caller's own rights: the triggers and what they call.
grant execute on function
  private.fold(text), private.blank_to_null(text), private.is_restoring(), private.keep_identity(),
  private.tidy_company(), private.tidy_contact(), private.tidy_name(), private.guard_stage(), private.tidy_deal(),
  private.tidy_task(), private.tidy_note(), private.tidy_preferences(), private.log_changes(),
  private.add_default_stages(public.pipelines), private.sort_name(text, text)
  to authenticated, service_role;
grant execute on all functions in schema public to authenticated, service_role;

revoke all on public.collection_counts from public, anon, authenticated;
grant select on public.collection_counts to authenticated, service_role;
