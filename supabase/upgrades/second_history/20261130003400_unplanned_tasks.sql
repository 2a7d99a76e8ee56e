-- Tasks that have to be put on a day: open ones that are overdue, or have no date. The week shows them beside its days.

create or replace function private.task_column_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := '{true}';
  words text := filter ->> 'search';
  moment text := coalesce(filter ->> 'at', now()::text);
  link text;
begin
  perform private.check_filter(filter, array['search', 'ids', 'except', 'status', 'at', 'priority', 'contact', 'company',
    'deal', 'due_from', 'due_to', 'time_zone']);
  if private.is_search(filter) then
    conditions := conditions || format('(%s)', concat_ws(' or ',
      private.search_condition(words),
      private.linked_condition('contacts', 'contact_id', words),
      private.linked_condition('companies', 'company_id', words),
      private.linked_condition('deals', 'deal_id', words)));
  end if;
  if filter ? 'ids' then
    conditions := conditions || format('c.id = any (%L::uuid[])', private.texts(filter -> 'ids'));
  end if;
  if filter ? 'except' then
    conditions := conditions || format('c.id <> all (%L::uuid[])', private.texts(filter -> 'except'));
  end if;
  if filter ? 'status' then
    conditions := conditions || case filter ->> 'status'
      when 'pending' then 'not c.completed'
      when 'completed' then 'c.completed'
      when 'overdue' then format('not c.completed and c.due_date < %L::timestamptz', moment)
      when 'unplanned' then format('not c.completed and (c.due_date is null or c.due_date < %L::timestamptz)', moment)
    end;
    if conditions[array_upper(conditions, 1)] is null then
      raise exception 'The filter has a status that is not known.' using errcode = 'PT400';
    end if;
  end if;
  if filter ? 'priority' then
    conditions := conditions || format('c.priority = any (%L::text[])', private.texts(filter -> 'priority'));
  end if;
  foreach link in array array['contact', 'company', 'deal'] loop
    if filter ? link then
      conditions := conditions || format('c.%I = %L::uuid', link || '_id', filter ->> link);
    end if;
  end loop;
  if filter ? 'due_from' then
    conditions := conditions || format('c.due_date >= %L::timestamptz', private.day_start(filter, 'due_from', 0));
  end if;
  if filter ? 'due_to' then
    conditions := conditions || format('c.due_date < %L::timestamptz', private.day_start(filter, 'due_to', 1));
  end if;
  return array_to_string(conditions, ' and ');
end
$$;
