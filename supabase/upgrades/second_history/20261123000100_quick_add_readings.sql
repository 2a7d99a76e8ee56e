-- A line of quick add can be understood in several ways: 'call maria keller' names somebody only if she is there. The
-- browser sends the ways in their order, and the database takes the first whose guess it knows. A line may also log
-- something, repeat a task, tag a record, and have a deal in another currency.

-- Which records ----------------------------------------------------------------------------------------------

create or replace function private.known_records(line jsonb, out companies uuid[], out contacts uuid[], out deals uuid[])
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  company uuid;
  contact uuid;
  is_alone boolean;
begin
  if jsonb_typeof(line) is distinct from 'object' or line - '{company,contact,deal,task,note}'::text[] <> '{}'
     or exists (select from jsonb_each(line) e where jsonb_typeof(e.value) not in ('object', 'null')) then
    raise exception 'The line cannot be read.' using errcode = 'PT400';
  end if;
  -- 'Call Anna' means one who is there. Whoever creates 'Anna' and nothing else has another in mind than Anna Schmidt.
  is_alone := (select count(*) = 1 from jsonb_each(line) e where jsonb_typeof(e.value) = 'object');
  companies := case when line #>> '{company,name}' is not null
    then private.known_companies(me, line #>> '{company,name}', is_alone) end;
  company := case when line -> 'company' ? 'id' then (line #>> '{company,id}')::uuid else companies[1] end;
  contacts := case when jsonb_typeof(line -> 'contact') = 'object'
    then private.known_contacts(me, line -> 'contact', companies is not null, company,
      is_alone and coalesce(line #>> '{contact,email}', line #>> '{contact,phone_number}') is null) end;
  contact := case when line -> 'contact' ? 'id' then (line #>> '{contact,id}')::uuid else contacts[1] end;
  deals := case when line #>> '{deal,name}' is not null
    then private.known_deals(me, line #>> '{deal,name}', companies is not null, company, contacts is not null, contact) end;
end
$$;

create or replace function public.quick_add_preview(line jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  readings jsonb := case when jsonb_typeof(line) = 'array' then line else jsonb_build_array(jsonb_build_object('line', line)) end;
  known record;
  chosen integer;
begin
  if jsonb_array_length(readings) not between 1 and 20 then
    raise exception 'The line cannot be read.' using errcode = 'PT400';
  end if;
  for place in 0 .. jsonb_array_length(readings) - 1 loop
    known := private.known_records(readings -> place -> 'line');
    chosen := place;
    -- A known deal is no reason: its name is what is left of the line.
    exit when case readings -> place ->> 'needs'
      when 'contact' then cardinality(known.contacts) > 0
      when 'company' then cardinality(known.companies) > 0
      else true
    end;
  end loop;
  return jsonb_build_object('reading', chosen) || (
    select jsonb_object_agg(k.part, (
      select coalesce(jsonb_agg(card order by i.place), '[]')
      from unnest(k.ids) with ordinality as i (id, place)
      cross join lateral private.search_card(k.kind, i.id) card
      where card is not null
    ))
    from (
      values ('company', 'companies', known.companies), ('contact', 'contacts', known.contacts), ('deal', 'deals', known.deals)
    ) as k (part, kind, ids)
  );
end
$$;
comment on function public.quick_add_preview is
  'Which way of understanding a line holds, as its place, and for each part the records it may mean; quick_add takes the first, and creates what has none. Ways come as [{"line": …, "needs": "contact"}, …]: one that needs a record holds if there is one, the last holds anyway. A line by itself is the only way.';

-- What is written --------------------------------------------------------------------------------------------

create function private.tags_in(said jsonb) returns text[]
language sql immutable
set search_path = ''
as $$ select case when jsonb_typeof(said -> 'tags') = 'array' then private.texts(said -> 'tags') else '{}' end $$;
comment on function private.tags_in is 'The tags that a part of a line gives its record.';

create function private.add_tags(kind text, id uuid, tags text[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  execute format(
    'update public.%I c set tags = private.tags_of(c.tags || $2)
     where c.id = $1 and not private.lower_tags($2) <@ private.lower_tags(c.tags)', kind)
  using id, tags;
end
$$;
comment on function private.add_tags is 'Gives a known record the tags that it lacks; writes nothing where it has them all.';

create function private.quick_add_deal(said jsonb, known uuid, company uuid, contact uuid) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  deal uuid := known;
  amount numeric := (said ->> 'value')::numeric;
  closes date := (said ->> 'expected_close_date')::date;
begin
  if deal is null then
    insert into public.deals (name, value, currency, expected_close_date, tags, stage_id, company_id, contact_id)
    values (said ->> 'name', coalesce(amount, 0), said ->> 'currency', closes, private.tags_in(said), private.first_stage(),
      coalesce(company, (select c.company_id from public.contacts c where c.id = contact)), contact)
    returning id into deal;
    return deal;
  end if;
  -- An amount without a currency is in that of the deal, where the line was typed for a known one.
  update public.deals d
  set value = coalesce(amount, d.value), currency = coalesce(said ->> 'currency', d.currency),
    expected_close_date = coalesce(closes, d.expected_close_date)
  where d.id = deal and (d.value, d.currency, d.expected_close_date) is distinct from
    (coalesce(amount, d.value), coalesce(said ->> 'currency', d.currency), coalesce(closes, d.expected_close_date));
  perform private.add_tags('deals', deal, private.tags_in(said));
  return deal;
end
$$;
comment on function private.quick_add_deal is 'The deal of a line: a new one, or a known one that gets the value, the close date and the tags that were said.';

create or replace function public.quick_add(line jsonb, batch uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  known record;
  said jsonb;
  company uuid;
  contact uuid;
  deal uuid;
begin
  if batch is null then
    raise exception 'The line cannot be read.' using errcode = 'PT400';
  end if;
  -- The same line in two windows is one line and then another.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('quick_add ' || me::text, 0));
  if not exists (select from public.changes c where c.batch = quick_add.batch) then
    perform pg_catalog.set_config('solo.batch', batch::text, true);
    known := private.known_records(line);

    said := line -> 'company';
    if said ->> 'name' is not null then
      company := private.chosen(said, 'companies', known.companies);
      if company is null then
        insert into public.companies (name, tags) values (said ->> 'name', private.tags_in(said)) returning id into company;
      else
        perform private.add_tags('companies', company, private.tags_in(said));
      end if;
    end if;

    said := line -> 'contact';
    if jsonb_typeof(said) = 'object' then
      contact := private.chosen(said, 'contacts', known.contacts);
      if contact is null then
        insert into public.contacts (first_name, last_name, email, phone_number, company_id, tags)
        values (said ->> 'first_name', said ->> 'last_name', said ->> 'email', said ->> 'phone_number', company, private.tags_in(said))
        returning id into contact;
      else
        perform private.fill_contact(contact, said, company);
        perform private.add_tags('contacts', contact, private.tags_in(said));
      end if;
    end if;

    said := line -> 'deal';
    if said ->> 'name' is not null then
      deal := private.quick_add_deal(said, private.chosen(said, 'deals', known.deals), company, contact);
    end if;

    said := line -> 'task';
    if said ->> 'title' is not null then
      insert into public.tasks (title, due_date, due_all_day, priority, repeat, repeat_days, repeat_every, deal_id, contact_id, company_id)
      values (said ->> 'title', (said ->> 'due_date')::timestamptz, coalesce((said ->> 'due_all_day')::boolean, false),
        coalesce(said ->> 'priority', 'medium'), said ->> 'repeat',
        case when jsonb_typeof(said -> 'repeat_days') = 'array' then private.texts(said -> 'repeat_days')::smallint[] end,
        (said ->> 'repeat_every')::integer, deal, contact, company);
    end if;

    said := line -> 'note';
    if said ->> 'kind' is not null then
      -- It stands on one record, the nearest to a person.
      insert into public.notes (kind, body, happened_at, contact_id, company_id, deal_id)
      values (said ->> 'kind', said ->> 'body', coalesce((said ->> 'happened_at')::timestamptz, pg_catalog.now()), contact,
        case when contact is null then company end, case when contact is null and company is null then deal end);
    end if;

    if private.written_batch() is null then
      raise exception 'All of this is there already. Nothing was saved.' using errcode = 'PT409';
    end if;
  end if;
  return jsonb_build_object('batch', batch, 'records', (
    select jsonb_agg(jsonb_build_object('kind', c.table_name, 'id', c.row_id, 'title', c.label, 'is_new', c.verb = 'insert') order by c.id)
    from public.changes c where c.batch = quick_add.batch
  ));
end
$$;

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.tags_in(jsonb), private.add_tags(text, uuid, text[]), private.quick_add_deal(jsonb, uuid, uuid, uuid)
  from public, anon, authenticated;
grant execute on function
  private.tags_in(jsonb), private.add_tags(text, uuid, text[]), private.quick_add_deal(jsonb, uuid, uuid, uuid)
  to authenticated, service_role;
