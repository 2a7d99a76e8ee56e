-- Contacts are filtered by when they were last called, met or written to, as they can be sorted by it.

create or replace function private.contact_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{true}';
  pattern text;
  number text;
  companies uuid[];
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'lead_status', 'company', 'collection',
    'has_email', 'has_phone', 'created_from', 'created_to', 'last_contacted_from', 'last_contacted_to', 'time_zone', 'fields']);
  if private.is_search(filter) then
    pattern := private.like_pattern(filter ->> 'search');
    number := private.number_pattern(filter ->> 'search');
    companies := array(
      select co.id from public.companies co
      where co.user_id = private.caller() and private.fold(co.name) like pattern
        and co.search_text like pattern -- the index finds the candidates
    );
    conditions := conditions || format('(%s)', concat_ws(' or ',
      private.in_search('contacts', private.holds_any(array[pattern, number]), pattern),
      case when cardinality(companies) > 0 then format('c.company_id = any (%L::uuid[])', companies) end));
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
      'c.id in (select m.contact_id from public.collection_members m where m.collection_id = %L::uuid)',
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
  if filter ?| array['last_contacted_from', 'last_contacted_to'] then
    -- One pass over all that was said takes less than a look-up for each contact.
    conditions := conditions || format(
      'c.id in (select l.contact_id from private.last_contacts(%L::uuid) l where l.at >= %L::timestamptz and l.at < %L::timestamptz)',
      private.caller(),
      case when filter ? 'last_contacted_from' then private.day_start(filter, 'last_contacted_from', 0) else '-infinity' end,
      case when filter ? 'last_contacted_to' then private.day_start(filter, 'last_contacted_to', 1) else 'infinity' end);
  end if;
  if filter ? 'fields' then
    conditions := conditions || private.own_conditions_of('contacts', filter);
  end if;
  return array_to_string(conditions, ' and ');
end
$$;

create or replace function private.needs_finder(filter jsonb) returns boolean
language sql immutable parallel safe
set search_path = ''
-- Who was contacted when is read by private.last_contacts, which only the finders call.
as $$ select private.is_search(filter) or filter ?| array['fields', 'tags', 'last_contacted_from', 'last_contacted_to'] $$;
