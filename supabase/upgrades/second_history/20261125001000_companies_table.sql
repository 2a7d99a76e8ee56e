-- The companies as a table: all that match but for some, changes of many, and two further orders. Decision 007.

-- Filters ----------------------------------------------------------------------------------------------------

create function private.chosen_condition(filter jsonb) returns text
language sql stable
set search_path = ''
as $$
  select concat_ws(' and ', 'true',
    case when filter ? 'ids' then format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids')) end,
    case when filter ? 'except' then format('c.id <> all (%L::uuid[])', private.texts(filter -> 'except')) end)
$$;
comment on function private.chosen_condition is 'The rows that a selection names, or all but those it names, as a condition on "c". Every value is quoted.';

create or replace function private.company_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[];
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'industry', 'location', 'fields']);
  conditions := array[private.chosen_condition(filter)];
  if private.is_search(filter) then
    conditions := conditions || private.in_search('companies', private.search_condition(filter ->> 'search'), private.like_pattern(filter ->> 'search'));
  end if;
  if filter ? 'industry' then
    conditions := conditions || format('c.industry = any (%L::text[])', private.texts(filter -> 'industry'));
  end if;
  if filter ? 'location' then
    conditions := conditions || format('c.location = any (%L::text[])', private.texts(filter -> 'location'));
  end if;
  if filter ? 'fields' then
    conditions := conditions || private.own_conditions_of('companies', filter);
  end if;
  return array_to_string(conditions, ' and ');
end
$$;

-- Orders -----------------------------------------------------------------------------------------------------

-- Counted once for the list: a count for each company would be as many look-ups.
create function private.contacts_by_company(owner uuid) returns table (company_id uuid, amount bigint)
language sql stable
set search_path = ''
as $$
  select p.company_id, count(*) from public.contacts p
  where p.user_id = owner and p.company_id is not null group by p.company_id
$$;
comment on function private.contacts_by_company is 'How many contacts each company has, as private.company_card counts them.';

create function private.open_deals_by_company(owner uuid) returns table (company_id uuid, amount bigint)
language sql stable
set search_path = ''
as $$
  select d.company_id, count(*) from public.deals d
  left join public.pipeline_stages s on s.id = d.stage_id
  where d.user_id = owner and d.company_id is not null and coalesce(s.outcome, 'open') = 'open' group by d.company_id
$$;
comment on function private.open_deals_by_company is 'How many open deals each company has, as private.company_card counts them.';

insert into private.list_orders (kind, sort, descending, expression, type, link)
select 'companies', o.sort, d.descending, 'coalesce(told.amount, 0)', 'bigint',
  format('left join private.%s(private.caller()) told on told.company_id = c.id', o.counted_by)
from (values (false), (true)) as d (descending)
cross join (values ('contacts', 'contacts_by_company'), ('open_deals', 'open_deals_by_company')) as o (sort, counted_by);

-- Writes to all that a filter means --------------------------------------------------------------------------

insert into private.bulk_changes (kind, key, sets, label, place) values
  ('companies', 'industry', 'industry = $2 ->> ''industry''', 'industry', 1),
  ('companies', 'location', 'location = $2 ->> ''location''', 'location', 2);
insert into private.bulk_changes (kind, key, sets, label, place)
select 'companies', b.key, b.sets, b.label, b.place
from private.bulk_changes b where b.kind = 'contacts' and b.key in ('add_tags', 'remove_tags', 'custom');

create function public.update_companies(filter jsonb, changes jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.set_many('companies', private.ids_of('companies', filter), changes) $$;
comment on function public.update_companies is 'Sets industry, location, tags or own fields of every company that a filter means.';

create function public.delete_companies(filter jsonb) returns jsonb
language sql
set search_path = ''
set statement_timeout = '60s'
as $$ select private.delete_all('companies', filter) $$;
comment on function public.delete_companies is 'Deletes every company that a filter means; its contacts and deals stay, without a company.';

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.chosen_condition(jsonb), private.contacts_by_company(uuid), private.open_deals_by_company(uuid),
  public.update_companies(jsonb, jsonb), public.delete_companies(jsonb)
  from public, anon, authenticated;
-- Conditions are read under the policies too; what counts for an order only the finders call.
grant execute on function
  private.chosen_condition(jsonb), public.update_companies(jsonb, jsonb), public.delete_companies(jsonb)
  to authenticated, service_role;
