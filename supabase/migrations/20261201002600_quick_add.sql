-- Quick add: a line of text that names existing records, found by the keys of the duplicates, or new ones. A line can be read in
-- several ways: 'call maria keller' names a contact only if that contact exists. The browser sends the readings in their order,
-- and the database takes the first one whose record exists, or else the last one.

-- Which records -----------------------------------------------------------------------------------------------

-- A line comes as domain/quick-add.ts reads it: an object with the parts "contact", "company", "deal", "task" and "note", each of
-- them an object or null.
create function private.known_companies(me uuid, name text, is_alone boolean) returns uuid[]
language plpgsql stable -- planned for the name that is asked for: only then an index finds what begins so
set search_path = ''
as $$
begin
  return array(
    select k.id
    from (
      (select c.id, c.name, private.fold(c.name) <> private.fold(btrim(known_companies.name)) as is_other, c.updated_at
       from public.companies c
       where c.user_id = me and private.company_key(c.name) = private.company_key(known_companies.name)
       limit 5)
      union
      (select c.id, c.name, true, c.updated_at
       from public.companies c
       where c.user_id = me and not is_alone
         and left(private.fold(c.name), 100) like substr(private.like_pattern(known_companies.name), 2)
         and starts_with(private.fold(c.name), private.fold(btrim(known_companies.name)) || ' ')
         and private.company_key(c.name) <> private.company_key(known_companies.name)
       limit 5)
    ) k
    order by private.company_key(k.name) <> private.company_key(known_companies.name), k.is_other, k.updated_at desc, k.id
    limit 5
  );
end
$$;
comment on function private.known_companies is
  'The companies that a name may mean, likeliest first: called so, but for the legal form, or, where the line asks for more than this company, beginning with these words.';

create function private.known_contacts(me uuid, reported jsonb, has_company boolean, company uuid, is_alone boolean) returns uuid[]
language plpgsql stable -- planned for the name that is asked for: only then an index finds what begins so
set search_path = ''
as $$
begin
  return array(
    select c.id
    from (
      select private.fold(btrim(coalesce(reported ->> 'first_name', ''))) as first_name,
        private.fold(btrim(coalesce(reported ->> 'last_name', ''))) as last_name,
        private.name_key(reported ->> 'first_name', reported ->> 'last_name') as name_key,
        lower(btrim(reported ->> 'email')) as email, p.phone_key
      from private.phone_key(reported ->> 'phone_number', regexp_replace(reported ->> 'phone_number', '[^0-9]', '', 'g')) p
    ) s
    cross join lateral (
      select e.id from (
        select c.id from public.contacts c where c.user_id = me and lower(c.email) = s.email limit 5
      ) e
      union
      -- The index of what is searched knows the other addresses too.
      select m.id from (
        select c.id from public.contacts c
        where c.user_id = me and reported ->> 'email' is not null and c.search_text like private.like_pattern(reported ->> 'email')
          and private.has_entry(c.emails, s.email)
        limit 5
      ) m
      union
      select f.id from (
        select c.id from public.contacts c
        where c.user_id = me and s.phone_key is not null and c.search_text like '%' || right(s.phone_key, 7) || '%'
        limit 50
      ) f
      union
      select n.id from (
        select c.id from public.contacts c
        where c.user_id = me and (s.last_name <> '' or is_alone) and private.name_key(c.first_name, c.last_name) = s.name_key
        limit 50
      ) n
      union
      -- Among hundreds of the same first name, the one of the company must not be missed.
      select o.id from (
        select c.id from public.contacts c
        where c.user_id = me and c.company_id = company and s.last_name = ''
          and s.first_name in (private.fold(btrim(c.first_name)), private.fold(btrim(c.last_name)))
        limit 50
      ) o
      union
      select b.id from (
        select c.id from public.contacts c
        where c.user_id = me and s.last_name = '' and s.first_name <> '' and not is_alone
          and left(private.fold(btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))), 100)
            like substr(private.like_pattern(s.first_name), 2)
          and s.first_name in (private.fold(btrim(c.first_name)), private.fold(btrim(c.last_name)))
        limit 50
      ) b
      union
      select l.id from (
        select c.id from public.contacts c
        where c.user_id = me and s.last_name = '' and char_length(s.first_name) > 2 and not is_alone
          and c.search_text like regexp_replace(private.like_pattern(s.first_name), '^%(.*)%$', '% \1 %')
          and private.fold(btrim(c.last_name)) = s.first_name
        limit 50
      ) l
    ) k
    join public.contacts c on c.id = k.id
    cross join lateral (
      select coalesce(s.phone_key = any (array_agg(n.phone_key)), false) as is_phone
      from jsonb_array_elements(c.phones) e
      cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
    ) p
    -- One address, one person. Otherwise nothing that was said may be wrong about them.
    where private.has_entry(c.emails, s.email) or (
      (s.email is null or c.email is null)
      and (s.phone_key is null or c.phone_number is null or p.is_phone)
      and (not has_company or c.company_id is null or c.company_id = company)
      and (s.name_key is null or private.name_key(c.first_name, c.last_name) is null
        or private.name_key(c.first_name, c.last_name) = s.name_key
        or (s.last_name = '' and not is_alone
          and s.first_name in (private.fold(btrim(c.first_name)), private.fold(btrim(c.last_name)))))
    )
    order by case when s.email is null then c.email is not null else not private.has_entry(c.emails, s.email) end,
      not p.is_phone and (s.phone_key is not null or c.phone_number is not null),
      c.company_id is distinct from company,
      -- 'Call James' means the first name rather than the last.
      private.fold(btrim(c.first_name)) is distinct from s.first_name, c.updated_at desc, c.id
    limit 5
  );
end
$$;
comment on function private.known_contacts is
  'The contacts that may be meant, likeliest first: by address, by number, by name, or, unless that is all the line says, by one of their names; never one of whom something else is known than was said.';

create function private.known_deals(me uuid, name text, has_company boolean, company uuid, has_contact boolean, contact uuid)
returns uuid[]
language sql stable
set search_path = ''
as $$
  select array(
    select d.id from public.deals d
    where d.user_id = me and lower(d.name) = lower(btrim(known_deals.name)) and d.closed_at is null
      and (not has_company or d.company_id is null or d.company_id = company)
      and (not has_contact or d.contact_id is null or d.contact_id = contact)
      and (not (has_company or has_contact) or d.company_id = company or d.contact_id = contact)
    order by d.updated_at desc, d.id limit 5
  )
$$;
comment on function private.known_deals is
  'The open deals that may be meant, likeliest first: called so, and with the company or the contact, where one was said.';

create function private.known_records(line jsonb, out companies uuid[], out contacts uuid[], out deals uuid[])
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
comment on function private.known_records is
  'What a line may mean among the records that are there. A part with an "id" is already decided: that record, or null for a new one. A definer because an index cannot serve a search under a policy: it tells ids of the caller''s records, and nothing of them.';

create function public.quick_add_preview(line jsonb) returns jsonb
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

-- What is written ---------------------------------------------------------------------------------------------

-- A line fills only empty fields of a known contact or company. It replaces the value, currency and close date of a known deal.
-- Tags are added.

create function private.chosen(part jsonb, kind text, known uuid[]) returns uuid
language plpgsql stable
set search_path = ''
as $$
declare
  id uuid := case when part ? 'id' then (part ->> 'id')::uuid else known[1] end;
  is_there boolean;
begin
  execute format('select exists (select from public.%I c where c.id = $1)', kind) into is_there using id;
  if id is not null and not is_there then
    raise exception 'One of the records was deleted in another window. Nothing was saved; type a letter more to look again.'
      using errcode = 'PT409';
  end if;
  return id;
end
$$;
comment on function private.chosen is 'The record that a part of a line means: the one decided on, else the likeliest; null for a new one.';

create function private.fill_contact(contact uuid, reported jsonb, company uuid) returns void
language sql
set search_path = ''
as $$
  update public.contacts c
  set first_name = f.first_name, last_name = f.last_name, email = f.email, phone_number = f.phone_number,
    role_title = f.role_title, company_id = f.company_id
  from (
    select
      case when c.first_name is null and c.last_name is null then reported ->> 'first_name' else c.first_name end as first_name,
      case when c.first_name is null and c.last_name is null then reported ->> 'last_name' else c.last_name end as last_name,
      coalesce(c.email, reported ->> 'email') as email,
      coalesce(c.phone_number, reported ->> 'phone_number') as phone_number,
      coalesce(c.role_title, reported ->> 'role_title') as role_title,
      coalesce(c.company_id, company) as company_id
    from public.contacts c where c.id = contact
  ) f
  where c.id = contact
    and (c.first_name, c.last_name, c.email, c.phone_number, c.role_title, c.company_id)
      is distinct from (f.first_name, f.last_name, f.email, f.phone_number, f.role_title, f.company_id)
$$;
comment on function private.fill_contact is 'Writes what was said of a known contact where nothing was known yet; changes nothing that was.';

create function private.first_stage() returns uuid
language sql stable
set search_path = ''
as $$
  select s.id from public.pipeline_stages s
  where s.pipeline_id = (
    select p.id from public.pipelines p order by p.created_at, p.id limit 1
  ) and s.outcome = 'open'
  order by s."order", s.id limit 1
$$;
comment on function private.first_stage is 'Where a deal begins of which no stage was said: the first of the oldest pipeline.';

-- The line may bring the id of its task ("new_id"), so that the browser can show the task before it sends the line.
create function public.quick_add(line jsonb, batch uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  known record;
  reported jsonb;
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

    reported := line -> 'company';
    if reported ->> 'name' is not null then
      company := private.chosen(reported, 'companies', known.companies);
      if company is null then
        insert into public.companies (name, website, tags)
        values (reported ->> 'name', reported ->> 'website', private.tags_in(reported)) returning id into company;
      else
        update public.companies c set website = reported ->> 'website'
        where c.id = company and c.website is null and reported ->> 'website' is not null;
        perform private.add_tags('companies', company, private.tags_in(reported));
      end if;
    end if;

    reported := line -> 'contact';
    if jsonb_typeof(reported) = 'object' then
      contact := private.chosen(reported, 'contacts', known.contacts);
      if contact is null then
        insert into public.contacts (first_name, last_name, email, phone_number, role_title, company_id, tags)
        values (reported ->> 'first_name', reported ->> 'last_name', reported ->> 'email', reported ->> 'phone_number',
          reported ->> 'role_title', company, private.tags_in(reported))
        returning id into contact;
      else
        perform private.fill_contact(contact, reported, company);
        perform private.add_tags('contacts', contact, private.tags_in(reported));
      end if;
    end if;

    reported := line -> 'deal';
    if reported ->> 'name' is not null then
      deal := private.quick_add_deal(reported, private.chosen(reported, 'deals', known.deals), company, contact);
    end if;

    reported := line -> 'task';
    if reported ->> 'title' is not null then
      insert into public.tasks (id, title, due_date, due_all_day, priority, repeat, repeat_days, repeat_every, deal_id, contact_id, company_id)
      values (coalesce((reported ->> 'new_id')::uuid, pg_catalog.gen_random_uuid()),
        reported ->> 'title', (reported ->> 'due_date')::timestamptz, coalesce((reported ->> 'due_all_day')::boolean, false),
        coalesce(reported ->> 'priority', 'medium'), reported ->> 'repeat',
        case when jsonb_typeof(reported -> 'repeat_days') = 'array' then private.texts(reported -> 'repeat_days')::smallint[] end,
        (reported ->> 'repeat_every')::integer, deal, contact, company);
    end if;

    reported := line -> 'note';
    if reported ->> 'kind' is not null then
      -- It stands on one record, the nearest to a person.
      insert into public.notes (kind, body, happened_at, contact_id, company_id, deal_id)
      values (reported ->> 'kind', reported ->> 'body', coalesce((reported ->> 'happened_at')::timestamptz, pg_catalog.now()), contact,
        case when contact is null then company end, case when contact is null and company is null then deal end);
    end if;

    if private.written_batch() is null then
      raise exception 'All of this already exists. Nothing was saved.' using errcode = 'PT409';
    end if;
  end if;
  return jsonb_build_object('batch', batch, 'records', (
    select jsonb_agg(jsonb_build_object('kind', c.table_name, 'id', c.row_id, 'title', c.label, 'is_new', c.verb = 'insert') order by c.id)
    from public.changes c where c.batch = quick_add.batch
  ));
end
$$;
comment on function public.quick_add is
  'Creates what a line says and is not there yet, all in the batch that the caller names: asked again after a lost answer it answers the same and writes nothing. A known contact is told what was not known of them, a known deal gets the value.';

create function private.tags_in(reported jsonb) returns text[]
language sql immutable
set search_path = ''
as $$ select case when jsonb_typeof(reported -> 'tags') = 'array' then private.texts(reported -> 'tags') else '{}' end $$;
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

create function private.quick_add_deal(reported jsonb, known uuid, company uuid, contact uuid) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  deal uuid := known;
  amount numeric := (reported ->> 'value')::numeric;
  closes date := (reported ->> 'expected_close_date')::date;
begin
  if deal is null then
    insert into public.deals (name, value, currency, expected_close_date, tags, stage_id, company_id, contact_id)
    values (reported ->> 'name', coalesce(amount, 0), reported ->> 'currency', closes, private.tags_in(reported), private.first_stage(),
      coalesce(company, (select c.company_id from public.contacts c where c.id = contact)), contact)
    returning id into deal;
    return deal;
  end if;
  -- An amount without a currency is in that of the deal, where the line was typed for a known one.
  update public.deals d
  set value = coalesce(amount, d.value), currency = coalesce(reported ->> 'currency', d.currency),
    expected_close_date = coalesce(closes, d.expected_close_date)
  where d.id = deal and (d.value, d.currency, d.expected_close_date) is distinct from
    (coalesce(amount, d.value), coalesce(reported ->> 'currency', d.currency), coalesce(closes, d.expected_close_date));
  perform private.add_tags('deals', deal, private.tags_in(reported));
  return deal;
end
$$;
comment on function private.quick_add_deal is 'The deal of a line: a new one, or a known one that gets the value, the close date and the tags that were said.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.known_companies(uuid, text, boolean), private.known_contacts(uuid, jsonb, boolean, uuid, boolean),
  private.known_deals(uuid, text, boolean, uuid, boolean, uuid), private.known_records(jsonb),
  public.quick_add_preview(jsonb), private.chosen(jsonb, text, uuid[]), private.fill_contact(uuid, jsonb, uuid),
  private.first_stage(), public.quick_add(jsonb, uuid), private.tags_in(jsonb), private.add_tags(text, uuid, text[]),
  private.quick_add_deal(jsonb, uuid, uuid, uuid)
  from public, anon, authenticated;
grant execute on function
  private.known_records(jsonb), public.quick_add_preview(jsonb), private.chosen(jsonb, text, uuid[]),
  private.fill_contact(uuid, jsonb, uuid), private.first_stage(), public.quick_add(jsonb, uuid),
  private.tags_in(jsonb), private.add_tags(text, uuid, text[]), private.quick_add_deal(jsonb, uuid, uuid, uuid)
  to authenticated, service_role;
