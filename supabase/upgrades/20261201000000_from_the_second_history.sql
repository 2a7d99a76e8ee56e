-- Leads from the complete second history of the schema, 20261118000100 to 20261130006100 (second_history), to the files of
-- supabase/migrations up to 20261201004100, which describe the same schema with each thing defined once: decision 071.
--
-- The server runs it by itself, after what a database lacks of that history. In a Supabase project it is run by hand, once;
-- README.md says how.

-- Written by npm run schema:upgrade: functions

set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.add_behind(i private.imports, moment timestamp with time zone, after bigint, last bigint, kind text)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  added bigint;
begin
  execute (
    select format(
      'insert into public.%1$I (id, user_id, created_at, %2$s)
       select w.%3$I, $1.user_id, coalesce(v.created_at, $2), %4$s
       from private.planned_rows($1, $3, $4) w
       cross join lateral jsonb_to_record(private.behind(w.said, %5$L) || %6$s) as v (created_at timestamptz, note_parts jsonb, %7$s)
       where w.said ? %5$L and w.%8$I',
      kind, string_agg(quote_ident(c.name), ', '), case kind when 'contacts' then 'contact_id' else 'company_id' end,
      string_agg(c.added, ', '), case kind when 'contacts' then 'person' else 'organisation' end,
      case kind
        when 'contacts' then
          'jsonb_build_object(''first_name'', w.said -> ''contact_first_name'', ''last_name'', w.said -> ''contact_last_name'', ''email'', w.said -> ''contact_email'')'
        else 'jsonb_build_object(''name'', w.said -> ''company'')'
      end,
      string_agg(c.definition, ', '), case kind when 'contacts' then 'adds_contact' else 'adds_company' end)
    from private.behind_columns(kind) c
  ) using i, moment, after, last;
  get diagnostics added = row_count;
  return added;
end
$function$;

comment on function private.add_behind(private.imports,timestamp with time zone,bigint,bigint,text) is 'Adds the contacts or companies that rows of deals make and say more of than their names; tells how many.';

revoke all on function private.add_behind(private.imports,timestamp with time zone,bigint,bigint,text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.awaits_reply(me uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from private.outgoing_mails o join public.tasks t on t.user_id = o.user_id and t.id = o.follow_up_task
    where o.user_id = me and o.follow_up_task is not null and not t.completed
  )
$function$;

comment on function private.awaits_reply(uuid) is 'Whether a task of this account waits for a reply to one of its mails. Only then are the headers of strangers'' answers read.';

revoke all on function private.awaits_reply(uuid) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.begin_moment(action text, id uuid, written_at text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  made timestamptz;
  moment timestamptz;
begin
  if written_at is null or action not in ('add task', 'complete task', 'plan next step', 'move deal', 'quick add') then
    return;
  end if;
  if action = 'move deal' then
    select greatest(d.created_at, d.stage_since) into made from public.deals d where d.id = begin_moment.id;
  else
    select t.created_at into made from public.tasks t where t.id = begin_moment.id;
  end if;
  -- The clock of a device may be wrong, or lie.
  moment := least(now(), greatest(begin_moment.written_at::timestamptz, made, now() - interval '30 days'));
  perform pg_catalog.set_config('solo.written_at', moment::text, true);
  -- A line may add contacts, of which devices hear by the time in the log.
  if action <> 'quick add' then
    perform pg_catalog.set_config('solo.moment', moment::text, true);
  end if;
exception
  when invalid_datetime_format or datetime_field_overflow then
    raise exception 'The change cannot be read. Nothing was saved.' using errcode = 'PT400';
end
$function$;

comment on function private.begin_moment(text,uuid,text) is 'For the rest of the transaction: tasks and moves count for when the user made them, by the clock of the device, but not in the future, not before their record was made, and not more than 30 days ago.';

revoke all on function private.begin_moment(text,uuid,text) from public, anon, authenticated, service_role;

grant execute on function private.begin_moment(text,uuid,text) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.behind(said jsonb, side text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select case when jsonb_typeof(said -> side) = 'object' then (said -> side) - 'custom' else '{}' end $function$;

comment on function private.behind(jsonb,text) is 'What a row of deals says of its contact ("person") or of its company ("organisation"), as rows of contacts and companies say it.';

revoke all on function private.behind(jsonb,text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.behind_changes(i private.imports, places integer[])
 RETURNS TABLE(place integer, side text, id uuid, changes jsonb)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  kind text;
begin
  places := array(
    select r.place from private.import_rows r
    where r.import_id = i.id and r.place = any (places) and r.said ?| array['person', 'organisation']
  );
  if places = '{}' then
    return;
  end if;
  foreach kind in array array['contacts', 'companies'] loop
    return query execute (
      select format(
        'select r.place, %1$L, o.id,
           coalesce(jsonb_object_agg(d.name, jsonb_build_array(d.before, d.after)) filter (where d.name is not null), ''{}'')
         from %2$s
         cross join lateral (select private.behind(r.said, %1$L) as said) b
         cross join lateral jsonb_to_record(b.said) as v (note_parts jsonb, %3$s)
         join public.%4$I o on o.id = found.id and (o.user_id = $1.user_id) is true
         left join lateral (select n.* from (values %5$s) as n (name, before, after) where n.before is distinct from n.after) d on true
         where r.said ? %1$L
         group by r.place, o.id',
        case kind when 'contacts' then 'person' else 'organisation' end,
        case kind
          when 'contacts' then
            '(select p.place, p.contact_id as id from private.people_of_deals($1, $2) p where p.nth = 0) found
             join private.import_rows r on r.import_id = $1.id and r.place = found.place'
          else
            'private.import_rows r
             join private.company_keys($1.user_id) found on found.key = private.fold(r.said ->> ''company'')
               and r.import_id = $1.id and r.place = any ($2)'
        end,
        string_agg(c.definition, ', '), kind,
        string_agg(format('(%L, to_jsonb(o.%I), to_jsonb(%s))', c.name, c.name, case
          -- Notes that would become too long are refused when they are written, not when they are shown.
          when c.name = 'notes' then format('case when char_length(concat(o.notes, v.note_parts)) > 49000 then o.notes else %s end', c.filled)
          else c.filled
        end), ', ') filter (where c.filled is not null)
          || case kind when 'companies' then ', (''kept_notes'', null, to_jsonb(private.new_lines(o.id, b.said)))' else '' end)
      from private.behind_columns(kind) c
    ) using i, places;
  end loop;
end
$function$;

comment on function private.behind_changes(private.imports,integer[]) is 'What some rows of deals would change of the contacts and companies that they name and that are there: {column: [before, after]}, by the rules by which it is written. Lines for a note on a company are called kept_notes.';

revoke all on function private.behind_changes(private.imports,integer[]) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.behind_columns(of_kind text)
 RETURNS TABLE(name text, definition text, added text, filled text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select c.name, c.definition,
    case when c.name = 'notes'
      then '(select string_agg(p.part, E''\n'' order by p.place) from jsonb_array_elements_text(v.note_parts) with ordinality as p (part, place))'
      else c.added end,
    case
      -- By these they are found, and of the company of a contact the deal says nothing.
      when c.name in ('name', 'first_name', 'last_name', 'email', 'company_id') then null
      when c.name = 'notes' or c.definition like '% jsonb' or c.definition like '%[]' then c.changed
      else format('case when o.%1$I is null then %2$s else o.%1$I end', c.name, c.changed)
    end
  from private.import_columns(of_kind) c where c.name <> 'custom'
$function$;

comment on function private.behind_columns(text) is 'The columns of contacts or companies that a row of deals fills: as private.import_columns, but of what is there only what is empty is filled ("filled"; null for never), and what is added to is added to.';

revoke all on function private.behind_columns(text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.check_import_fields(i private.imports)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  brought record;
  options jsonb;
  added bigint := 0;
  stored bigint;
begin
  for brought in select * from private.import_fields(i) loop
    options := private.options_with(coalesce((brought.there).options, '[]'), brought.options);
    if jsonb_array_length(options) > 100 then
      raise exception '“%” would have % options, and a field can have at most 100. Choose another field for the column.',
        coalesce((brought.there).name, brought.name), jsonb_array_length(options) using errcode = 'PT409';
    end if;
    if (brought.there).id is not null then
      if options <> (brought.there).options then
        perform private.checked_options((brought.there).kind, options);
      end if;
      continue;
    end if;
    if exists (
      select from public.fields f where f.user_id = i.user_id and f.record = i.kind and lower(f.name) = lower(brought.name)
    ) then
      raise exception 'There is already a field “%”. Choose it for the column, or give the new one another name.', brought.name
        using errcode = 'PT409';
    end if;
    perform private.checked_options(brought.kind, options);
    added := added + 1;
  end loop;
  if added = 0 then
    return;
  end if;
  select count(*) into stored from public.fields f where f.user_id = i.user_id and f.record = i.kind;
  if stored + added > 100 then
    raise exception 'There can be at most 100 custom fields here: you have %, and this file brings %. Leave out some columns, or put them into the notes.',
      stored, added using errcode = 'PT409';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.contact_duplicates()
 RETURNS TABLE(id text, reasons text[], strength integer, newest timestamp with time zone, members uuid[])
 LANGUAGE sql
 STABLE
 SET search_path TO ''
 SET work_mem TO '64MB'
AS $function$
  with keys as materialized (
    select c.id, lower(c.email) as email_key, p.phone_key
    from public.contacts c
    -- The digits are the last word of search_text.
    cross join lateral private.phone_key(c.phone_number, case when c.phone_number is not null then split_part(c.search_text, ' ', -1) end) p
  ),
  more as materialized (
    select c.id, c.emails - 0 as emails, c.phones - 0 as phones from public.contacts c
    where jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1
  ),
  -- Addresses, and the profiles among the links.
  mails as materialized (
    select k.id, 'email' as reason, k.email_key as key from keys k where k.email_key is not null
    union all
    select m.id, 'email', lower(e.value ->> 'value') from more m cross join lateral jsonb_array_elements(m.emails) e
    union all
    select distinct c.id, 'link', private.profile_key(e.value ->> 'value')
    from public.contacts c cross join lateral jsonb_array_elements(c.links) e
    where c.links <> '[]'
  ),
  numbers as materialized (
    select k.id, k.phone_key as key from keys k where k.phone_key is not null
    union all
    -- One number that is written in two ways is one.
    select distinct m.id, n.phone_key
    from more m
    join keys k on k.id = m.id
    cross join lateral jsonb_array_elements(m.phones) e
    cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
    where n.phone_key is distinct from k.phone_key and n.phone_key is not null
  ),
  names as materialized (
    select * from private.alike_names()
  ),
  same_mails as materialized (
    select m.id, m.reason, m.key from mails m where m.key in (select e.key from mails e group by 1 having count(*) > 1)
  ),
  same_numbers as materialized (
    select n.id, n.key from numbers n where n.key in (select p.key from numbers p group by 1 having count(*) > 1)
  ),
  suspects as materialized (
    select c.id, c.company_id, c.created_at, c.first_name, c.last_name, n.name_key
    from (
      select i.id from names i union select i.id from same_mails i union select i.id from same_numbers i
    ) s
    join public.contacts c on c.id = s.id
    left join names n on n.id = s.id
  ),
  companies as (
    select s.name_key, count(distinct s.company_id) as companies from suspects s where s.name_key is not null group by 1
  ),
  -- Numbers under which there are several names, and the family names of those who have them.
  shared as materialized (
    select n.id, n.key,
      -- Of a single word one cannot tell what it is.
      substring(private.spelling(s.first_name || ' ' || s.last_name, '.,-_/') from ' ([^ ]+)$') as family
    from same_numbers n join suspects s on s.id = n.id
    where n.key in (
      select p.key from same_numbers p join suspects o on o.id = p.id group by 1
      having min(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, '')) <> max(coalesce(o.first_name, '') || ' ' || coalesce(o.last_name, ''))
    )
  ),
  families as (
    select s.key from shared s group by 1 having count(distinct s.family) > 1
  ),
  keyed as materialized (
    select m.reason, m.id, m.key from same_mails m
    union all
    -- People of different families share a switchboard, not a phone.
    select 'phone', n.id, n.key || ' ' || case when f.key is null then '' else coalesce(h.family, '') end
    from same_numbers n
    left join shared h on h.id = n.id and h.key = n.key
    left join families f on f.key = n.key
    union all
    select 'name', s.id, case
        -- A single word tells a person only among those of one company.
        when s.name_key not like '% %' then s.name_key || ' ' || s.company_id
        -- Of one name, people of different companies are different people.
        when c.companies > 1 then s.name_key || ' ' || coalesce(s.company_id::text, '')
        else s.name_key
      end
    from suspects s
    left join companies c on c.name_key = s.name_key
    where s.name_key is not null
  ),
  groups as materialized (
    select k.reason, k.key, count(*) as size, array_agg(k.id order by s.created_at, k.id) as members, max(s.created_at) as newest
    from keyed k join suspects s on s.id = k.id
    where k.key is not null
    group by k.reason, k.key having count(*) > 1
  ),
  -- By what all of a group agree, and how many others do too.
  agreed as (
    select g.reason, g.key, o.reason as other, o.key as other_key, o.size as other_size
    from groups g
    join keyed mine on mine.reason = g.reason and mine.key = g.key
    join keyed k on k.id = mine.id
    join groups o on o.reason = k.reason and o.key = k.key and o.size >= g.size
    group by g.reason, g.key, g.size, o.reason, o.key, o.size having count(*) = g.size
  ),
  judged as (
    select a.reason, a.key, bool_or(a.other = 'email') as is_email, bool_or(a.other = 'link') as is_link,
      bool_or(a.other = 'phone') as is_phone, bool_or(a.other = 'name') as is_name,
      -- The same people, or they and more, share another address or number.
      coalesce(bool_or(a.other_key > a.key or a.other_size > g.size) filter (where a.other = a.reason and a.other_key <> a.key), false) as is_there
    from agreed a join groups g on g.reason = a.reason and g.key = a.key
    group by a.reason, a.key
  )
  select g.reason || ' ' || g.members[1] || coalesce(' ' || nullif(row_number() over (partition by g.reason, g.members[1] order by g.key), 1), ''),
    array_remove(array[case when is_email then 'email' end, case when is_link then 'link' end, case when is_phone then 'phone' end,
      case when is_name then 'name' end], null),
    is_email::integer * 8 + is_link::integer * 4 + is_phone::integer * 2 + is_name::integer,
    g.newest, g.members
  from groups g join judged j on j.reason = g.reason and j.key = g.key
  where not j.is_there
    -- The same people under a stronger reason are there already.
    and not (g.reason <> 'email' and is_email) and not (g.reason in ('phone', 'name') and is_link)
    and not (g.reason = 'name' and is_phone)
    and (
      not exists (select from public.not_duplicates n where n.one_contact_id is not null)
      or cardinality(g.members) * (cardinality(g.members) - 1) / 2 > (
        select count(*) from public.not_duplicates n
        where n.one_contact_id = any (g.members) and n.other_contact_id = any (g.members)
      )
    )
$function$;

comment on function private.contact_duplicates() is 'Groups of contacts that share one of their e-mail addresses, a profile among their links, one of their phone numbers (and, where several families do, the family name) or a name (and, where people of several companies do, the company). Every reason is an equal key, so it takes one pass over the contacts. Who was told apart in every pair does not come again.';

CREATE OR REPLACE FUNCTION private.deal_value_conditions(filter jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  is_from boolean := filter ? 'value_from';
  -- As the indexes have it. What has no rate is neither more nor less than anything.
  unrated text := case when is_from then '-infinity' else 'infinity' end;
  worth text := format('coalesce(private.worth(c.value, c.currency, c.rate), %L::numeric)', unrated);
begin
  if not (is_from or filter ? 'value_to') then
    return '';
  end if;
  return concat_ws(' and ',
    format('%s %s %L::numeric', worth, case when is_from then '>' else '<' end, unrated),
    case when is_from then format('%s >= %L::numeric', worth, filter ->> 'value_from') end,
    case when filter ? 'value_to' then format('%s <= %L::numeric', worth, filter ->> 'value_to') end);
end
$function$;

CREATE OR REPLACE FUNCTION private.fail_outgoing()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.outgoing_mails o set state = 'failed', needs_copy = false, problem = case
    when o.state = 'planned' then 'The mailbox ' || old.address || ' was removed before this email was sent. Open it and choose another mailbox.'
    else 'The mailbox ' || old.address || ' was removed while this email was being sent. It may have been sent: check your Sent folder before you send it again.'
  end
  where o.account_id = old.id and o.state in ('planned', 'sending');
  update private.outgoing_mails o set needs_copy = false, body_text = null, body_html = null, attachments = '[]'
  where o.account_id = old.id and o.needs_copy;
  perform private.cancel_job('outbox', old.id::text);
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.fold(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
begin
  return lower(extensions.unaccent('extensions.unaccent'::regdictionary, case
    when value ~ '  |[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]'
      then regexp_replace(value, '[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g')
    else value
  end));
end
$function$;

CREATE OR REPLACE FUNCTION private.gone_fields_of(kind text)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return array(select g.id::text from private.gone_fields g where g.user_id = private.caller() and g.record = kind order by g.id);
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_field()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A client that knows no types writes an empty list as PostgreSQL does.
  new.options := coalesce(nullif(new.options, '{}'), '[]');
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
      raise exception 'There can be at most 100 custom fields here. Nothing was saved; delete one that you do not need.'
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
$function$;

CREATE OR REPLACE FUNCTION private.has_number(entries jsonb, key text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from jsonb_array_elements(entries) e
    cross join lateral private.phone_key(e.value ->> 'value', regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g')) n
    where n.phone_key = key
  )
$function$;

comment on function private.has_number(jsonb,text) is 'Whether a list holds this number, however it is written.';

revoke all on function private.has_number(jsonb,text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.hits(words text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  kinds text[] := array['contacts', 'companies', 'deals', 'tasks']
    -- An account without any is not searched for them.
    || case when exists (select from public.files f where f.user_id = me) then array['files'] end
    || case when exists (select from public.mails m where m.user_id = me) then array['mails'] end;
  hits jsonb;
begin
  select coalesce(jsonb_agg(to_jsonb(b) - 'at' order by b.rank, b.at desc, b.id), '[]')
  into hits
  from (
    select k.kind, m.id, m.rank, m.at
    from unnest(kinds) as k (kind) cross join lateral private.matches(k.kind, me, words, 8) m
    order by m.rank, m.at desc, m.id limit 20
  ) b;
  if jsonb_array_length(hits) < 3 and char_length(btrim(words)) >= 4 then
    hits := hits || (
      select coalesce(jsonb_agg(to_jsonb(b) - 'at' - 'likeness' order by b.likeness desc, b.at desc, b.id), '[]')
      from (
        select k.kind, m.id, m.rank, m.at, m.likeness
        from unnest(kinds) as k (kind) cross join lateral private.similar(k.kind, me, words, 5) m
        where not hits @> jsonb_build_array(jsonb_build_object('id', m.id))
        order by m.likeness desc, m.at desc, m.id limit 5
      ) b
    );
  end if;
  return hits;
end
$function$;

CREATE OR REPLACE FUNCTION private.holds_any(patterns text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  -- Of 0301234567 and 301234567 the second is enough: what holds the first holds it too.
  return (
    select string_agg(distinct format('c.search_text like %L', p.pattern), ' or ')
    from unnest(patterns) p (pattern)
    where p.pattern is not null and not exists (
      select from unnest(patterns) o (pattern) where o.pattern <> p.pattern and p.pattern like o.pattern
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.holds_options(kind text, pattern text)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return array(
    select format('c.custom <> ''{}'' and c.custom @> %L::jsonb', jsonb_build_object(
      f.id, case when f.kind = 'several choices' then jsonb_build_array(o.id) else to_jsonb(o.id) end))
    from public.fields f cross join lateral jsonb_to_recordset(f.options) as o (id text, name text)
    where f.user_id = private.caller() and f.record = holds_options.kind and private.fold(o.name) like pattern
    order by f.id, o.id limit 100
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.holds_words(kind text, words text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  number text := private.number_pattern(words);
  said text := btrim(private.fold(words));
  pattern text := private.like_pattern(words);
begin
  if number is not null or said !~ '\S\s+\S' then
    return private.in_search(kind, private.holds_any(array(
      -- One letter or two, which nearly everything holds, begin a word.
      select case when char_length(p.text) < 5 then '% ' else '%' end || substr(p.text, 2)
      from unnest(array[pattern, number]) p (text)
    )), pattern);
  end if;
  return (
    select string_agg(private.in_search(kind, format('c.search_text like %L', w.pattern), w.pattern), ' and ')
    from regexp_split_to_table(said, '\s+') s (word)
    cross join lateral (select private.like_pattern(s.word) as pattern) w
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.in_search(kind text, held text, pattern text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  conditions text[] := array[private.in_seen(kind, held)] || private.holds_options(kind, pattern);
  number text := case when kind = 'companies' then private.number_pattern(btrim(pattern, '%')) end;
begin
  if number is not null and strpos(held, quote_literal(number)) = 0 then
    conditions := conditions || private.in_seen(kind, format('c.search_text like %L', number));
  end if;
  return format('(%s)', array_to_string(conditions, ' or '));
end
$function$;

CREATE OR REPLACE FUNCTION private.is_search(filter jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return btrim(coalesce(filter ->> 'search', '')) <> '';
end
$function$;

CREATE OR REPLACE FUNCTION private.joined_lists(lists jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(v.value order by v.list, v.place), '[]')
  from (
    select distinct on (e.value) e.value, l.place as list, e.place
    from jsonb_array_elements(lists) with ordinality as l (list, place)
    cross join lateral jsonb_array_elements(l.list) with ordinality as e (value, place)
    order by e.value, l.place, e.place
  ) v
$function$;

comment on function private.joined_lists(jsonb) is 'Lists put together, each value once.';

revoke all on function private.joined_lists(jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.keep_own_values()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  kept jsonb := case when tg_op = 'UPDATE' then old.custom else '{}' end;
  given jsonb := coalesce(new.custom, '{}');
  -- Rows that come back may have values of a field that has been deleted since.
  is_lenient boolean := private.is_restoring() and coalesce(current_setting('solo.importing', true), '') <> 'on';
  entry record;
  field public.fields;
  checked record;
begin
  if jsonb_typeof(given) <> 'object' then
    raise exception 'The values of custom fields cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  for entry in
    select e.key, e.value, k.id, f as field
    from jsonb_each(given) e
    cross join lateral (
      select case when e.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.key::uuid end as id
    ) k
    left join public.fields f on f.user_id = new.user_id and f.record = tg_table_name::text and e.value <> 'null' and f.id = k.id
    where e.value is distinct from kept -> e.key
  loop
    if entry.value = 'null' then
      kept := kept - entry.key;
      continue;
    end if;
    field := entry.field;
    if field.id is null and is_lenient then
      -- When the field comes back, so does the value.
      field := private.gone_field(new.user_id, tg_table_name::text, entry.id);
    end if;
    if field.id is null then
      continue when is_lenient;
      raise exception 'A custom field no longer exists. Nothing was saved; look at the record again.' using errcode = 'PT409';
    end if;
    if is_lenient and field.kind in ('choice', 'several choices') then
      -- An option that comes back finds its values.
      field.options := field.options || private.gone_options(new.user_id, field.id);
    end if;
    checked := private.own_value(field, entry.value, is_lenient);
    if checked.problem is not null then
      continue when is_lenient;
      raise exception '“%” %. Nothing was saved.', field.name, checked.problem using errcode = 'PT400';
    end if;
    kept := case when checked.stored is null then kept - entry.key else kept || jsonb_build_object(entry.key, checked.stored) end;
  end loop;
  new.custom := kept;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.like_pattern(words text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return '%' || replace(replace(replace(btrim(private.fold(words)), '\', '\\'), '%', '\%'), '_', '\_') || '%';
end
$function$;

CREATE OR REPLACE FUNCTION private.longest_answer()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select 5000000 $function$;

comment on function private.longest_answer() is 'The most bytes of an answer to a call with a token, as the database holds it.';

revoke all on function private.longest_answer() from public, anon, authenticated, service_role;

grant execute on function private.longest_answer() to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.match_deals(i private.imports)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  places integer[];
begin
  perform private.refuse_undated(i);
  perform private.match_deal_columns(i);
  places := array(
    select m.place from private.import_matches m
    join private.import_rows r on r.import_id = m.import_id and r.place = m.place
    where m.import_id = i.id and m.is_same and r.said ?| array['person', 'organisation']
  );
  if places <> '{}' then
    update private.import_matches m set is_same = false
    where m.import_id = i.id and m.place in (select b.place from private.behind_changes(i, places) b where b.changes <> '{}');
  end if;
  update private.import_matches m set is_same = false
  from private.import_rows r
  where m.import_id = i.id and m.is_same and r.import_id = i.id and r.place = m.place
    and r.said ?| array['further_contacts', 'kept_notes'] and private.adds_to_deal(m.target, r.said);
end
$function$;

comment on function private.match_deals(private.imports) is 'As match_deal_columns; a deal that lacks a contact of the row, or its note, does not say the same, nor does one whose contact or company the row would change, and one that was closed must say when.';

CREATE OR REPLACE FUNCTION private.needs_finder(filter jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  -- Who was contacted when is read by private.last_contacts, which only the finders call.
  return private.is_search(filter) or filter ?| array['fields', 'tags', 'last_contacted_from', 'last_contacted_to'];
end
$function$;

CREATE OR REPLACE FUNCTION private.new_lines(company uuid, said jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select string_agg(l.line, E'\n' order by l.place)
  from (
    select n.line, min(n.place) as place
    from public.companies c
    cross join lateral unnest(
      string_to_array(private.kept_notes(said), E'\n')
      || private.entries_beyond('emails', c.emails, said -> 'emails') || private.entries_beyond('phones', c.phones, said -> 'phones')
      || private.entries_beyond('addresses', c.addresses, said -> 'addresses')
    ) with ordinality as n (line, place)
    where c.id = company and n.line <> '' and not exists (
      select from public.notes t
      where t.user_id = c.user_id and t.company_id = c.id and n.line = any (string_to_array(t.body, E'\n'))
    )
    group by n.line
  ) l
$function$;

comment on function private.new_lines(uuid,jsonb) is 'What a row says of a company that none of its fields can hold and none of its notes says, a line each; null for nothing.';

revoke all on function private.new_lines(uuid,jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.note_delivery(delivery uuid, is_delivered boolean, is_last boolean, http_status integer, problem text, answer text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  hook uuid;
begin
  update private.webhook_deliveries d set
    status = case when is_delivered then 'delivered' when is_last then 'failed' else 'waiting' end,
    tries = d.tries + 1, tried_at = clock_timestamp(), http_status = note_delivery.http_status,
    problem = left(note_delivery.problem, 300), answer = left(note_delivery.answer, 500)
  where d.id = delivery
  returning d.webhook_id into hook;
  update private.webhooks w set failing_since = null where w.id = hook and is_delivered and w.failing_since is not null;
  update private.webhooks w set
    failed_at = now(),
    failing_since = coalesce(w.failing_since, now()),
    failed_for = f.failed_for,
    switched_off_at = case when f.failed_for >= interval '7 days' then now() end
  from (
    select x.id, case when x.failing_since is null then interval '0'
      else x.failed_for + least(greatest(now() - x.failed_at, interval '0'), interval '1 day') end as failed_for
    from private.webhooks x where x.id = hook for update
  ) f
  where w.id = f.id and not is_delivered and w.switched_off_at is null and not w.is_paused;
end
$function$;

comment on function private.note_delivery(uuid,boolean,boolean,integer,text,text) is 'Notes what became of a try. A webhook that has been seen failing for a week, and of which nothing arrived meanwhile, is switched off.';

CREATE OR REPLACE FUNCTION private.note_replies(me uuid, replies jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  answered record;
begin
  for answered in
    select o.id, o.follow_up_task from private.outgoing_mails o
    where o.user_id = me and o.follow_up_task is not null and exists (
      select from jsonb_array_elements(replies) r
      where r -> 'refs' ? o.message_id
        -- What the user writes to themselves, such as a further word to the same people with a copy, is no reply.
        and coalesce(lower(r ->> 'sender') <> all (private.own_addresses(me)), true)
    )
  loop
    delete from public.tasks t where t.user_id = me and t.id = answered.follow_up_task and not t.completed;
    update private.outgoing_mails o set follow_up_task = null where o.id = answered.id;
  end loop;
end
$function$;

comment on function private.note_replies(uuid,jsonb) is 'Takes away the tasks that remind of the absence of a reply: these mails of people who are not known ({"sender", "refs"}) are replies. Of kept mails: private.drop_follow_up.';

revoke all on function private.note_replies(uuid,jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.number_pattern(words text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  said text := btrim(private.fold(words));
  digits text;
begin
  if said ~ '^\+?[\d\s()/.-]+$' is not true then
    return null;
  end if;
  digits := regexp_replace(words, '[^0-9]', '', 'g');
  -- Each form is the end of the one after it and so finds what that one finds, and more; too much where only a few
  -- digits would be left.
  return (
    select '%' || f.number || '%'
    from private.national_number(said, digits) n
    cross join lateral (values (1, n.number, 5), (2, ltrim(digits, '0'), 5), (3, digits, 1)) f (place, number, fewest)
    where char_length(f.number) >= f.fewest
    order by f.place limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.people_of_deals(i private.imports, places integer[] DEFAULT NULL::integer[])
 RETURNS TABLE(place integer, nth integer, first_name text, last_name text, email text, key text, of_company text, contact_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  with looked_at as materialized (
    select w.place, w.company_id, r.said
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    where w.import_id = i.id and places is null
    union all
    select r.place, k.id, r.said
    from private.import_rows r
    left join private.company_keys(i.user_id) k on k.key = private.fold(r.said ->> 'company')
    where r.import_id = i.id and r.place = any (places)
  ),
  said as materialized (
    select w.place, 0 as nth, v.contact_first_name as first_name, v.contact_last_name as last_name, v.contact_email as email, w.company_id
    from looked_at w
    cross join lateral jsonb_to_record(w.said) as v (contact_email text, contact_first_name text, contact_last_name text)
    union all
    select w.place, f.nth::integer, f.first_name, f.last_name, f.email, w.company_id
    from looked_at w
    cross join lateral private.further_contacts(w.said) f
    where w.said ? 'further_contacts'
  ),
  named as materialized (
    select s.place, s.nth, s.first_name, s.last_name, s.email, lower(s.email) as email_key, s.company_id,
      private.fold(nullif(concat_ws(' ', s.first_name, s.last_name), '')) as key
    from said s where coalesce(s.email, s.first_name, s.last_name) is not null
  ),
  people as materialized (
    select c.id, lower(c.email) as email, c.company_id, c.created_at,
      private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), '')) as key
    from public.contacts c where c.user_id = i.user_id
    union all
    select c.id, lower(e.value ->> 'value'), null, c.created_at, null
    from public.contacts c cross join lateral jsonb_array_elements(c.emails - 0) e
    where c.user_id = i.user_id and (jsonb_array_length(c.emails) > 1 or jsonb_array_length(c.phones) > 1)
  ),
  by_email as (select distinct on (p.email) p.email, p.id from people p where p.email is not null order by p.email, p.created_at, p.id),
  by_both as (
    select distinct on (p.key, p.company_id) p.key, p.company_id, p.id from people p
    where p.key is not null and p.company_id is not null order by p.key, p.company_id, p.created_at, p.id
  ),
  by_name as (select distinct on (p.key) p.key, p.id from people p where p.key is not null order by p.key, p.created_at, p.id)
  -- An address says who is meant; a name alone may be anybody's, so one of the deal's company comes first.
  select n.place, n.nth, n.first_name, n.last_name, n.email, coalesce(n.email_key, n.key, ''),
    case when n.email_key is null then coalesce(n.company_id::text, '') else '' end,
    case when n.email_key is not null then e.id else coalesce(b.id, a.id) end
  from named n
  left join by_email e on e.email = n.email_key
  left join by_both b on b.key = n.key and b.company_id = n.company_id
  left join by_name a on a.key = n.key
$function$;

comment on function private.people_of_deals(private.imports,integer[]) is 'Whom the rows of an import of deals name, the main contact as number 0: which contact that is, or null when there is none, and by what several rows name the same. Of the rows that are written, or of those at some places before it is known which are.';

revoke all on function private.people_of_deals(private.imports,integer[]) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.planned_mail(me uuid, said jsonb)
 RETURNS private.outgoing_mails
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  mail private.outgoing_mails;
  box public.mail_accounts;
  answered public.mails;
begin
  if jsonb_typeof(said) <> 'object' then
    raise exception 'This email cannot be read. Nothing was sent.' using errcode = 'PT400';
  end if;
  select * into box from public.mail_accounts a where a.user_id = me and a.id = (said ->> 'account')::uuid;
  if box.id is null then
    raise exception 'This mailbox no longer exists. Nothing was sent; choose another one.' using errcode = 'PT404';
  end if;
  if box.smtp_host is null then
    raise exception 'The mailbox % has no server for sending. Nothing was sent; enter one in Settings → Email.', box.address using errcode = 'PT409';
  end if;
  mail.id := coalesce((said ->> 'id')::uuid, gen_random_uuid());
  mail.account_id := box.id;
  mail.message_id := format('<%s@%s>', gen_random_uuid(),
    coalesce(substring(lower(split_part(box.address, '@', 2)) from '^[a-z0-9]+[a-z0-9.-]*$'), 'mail.invalid'));
  mail.recipients := private.mail_recipients(said);
  mail.subject := private.one_line(said ->> 'subject', 1000);
  mail.body_text := coalesce(said ->> 'text', '');
  mail.body_html := said ->> 'html';
  if octet_length(mail.body_text) > 1000000 or octet_length(mail.body_html) > 2000000 then
    raise exception 'This email is too long. Nothing was sent; attach a part of it as a file.' using errcode = 'PT413';
  end if;
  mail.attachments := private.mail_files(me, said -> 'files');
  mail.refs := '{}';
  if said ->> 'answers' is not null then
    select * into answered from public.mails m where m.user_id = me and m.id = (said ->> 'answers')::uuid and not m.is_private;
    if answered.id is null then
      raise exception 'The email that this one answers no longer exists. Nothing was sent; write a new email instead.' using errcode = 'PT404';
    end if;
    mail.answers := answered.id;
    -- The beginning of the conversation, and what was said last.
    mail.refs := case when cardinality(answered.refs) > 49
      then answered.refs[1:1] || answered.refs[cardinality(answered.refs) - 47:] else answered.refs end || answered.message_id;
  end if;
  mail.deal := (said ->> 'deal')::uuid;
  if mail.deal is not null and not exists (select from public.deals d where d.user_id = me and d.id = mail.deal) then
    raise exception 'This deal no longer exists. Nothing was sent.' using errcode = 'PT404';
  end if;
  mail.follow_up_days := (said ->> 'follow_up_days')::smallint;
  if mail.follow_up_days not between 1 and 365 then
    raise exception 'A follow-up is 1 to 365 days later. Nothing was sent.' using errcode = 'PT400';
  end if;
  mail.send_at := (said ->> 'send_at')::timestamptz;
  if mail.send_at > now() + interval '366 days' then
    raise exception 'An email can be planned at most a year ahead. Nothing was sent.' using errcode = 'PT400';
  end if;
  -- Now, and what should have left already: in ten seconds, which is the time to undo it.
  mail.send_at := greatest(mail.send_at, now() + interval '10 seconds');
  return mail;
end
$function$;

CREATE OR REPLACE FUNCTION private.profile_key(link text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select substring(lower(btrim(link)) from '^https?://(?:[a-z0-9-]+\.)?(linkedin\.com/(?:in|pub)/[^/?#]+|xing\.com/profile/[^/?#]+)')
$function$;

comment on function private.profile_key(text) is 'The page of one person at LinkedIn or Xing, however its address is written. Other links are often of a company, and colleagues share them.';

revoke all on function private.profile_key(text) from public, anon, authenticated, service_role;

grant execute on function private.profile_key(text) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.report_weeks(first_day date, last_day date, today date, time_zone text, week_start integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  ends_on date := coalesce(last_day, greatest(today, first_day));
  last_week date := ends_on - (extract(dow from ends_on)::integer - week_start + 7) % 7;
  -- The last twelve weeks, or the period, of which the last sixty.
  begins_on date := greatest(coalesce(first_day, last_week - 77), last_week - 413);
  first_week date := begins_on - (extract(dow from begins_on)::integer - week_start + 7) % 7;
  begins_at timestamptz := private.day_begins(begins_on, time_zone);
  ends_at timestamptz := private.day_begins(ends_on + 1, time_zone);
begin
  return (
    with done as (
      select n.kind, (n.happened_at at time zone time_zone)::date as day, count(*) as count
      from public.notes n where n.happened_at >= begins_at and n.happened_at < ends_at
      group by 1, 2
      union all
      select 'task', (t.completed_at at time zone time_zone)::date, count(*)
      from public.tasks t where t.completed and t.completed_at >= begins_at and t.completed_at < ends_at
      group by 2
      union all
      select 'mail', (m.sent_at at time zone time_zone)::date, count(*)
      from public.mails m
      where m.direction = 'out' and not m.is_automatic and not m.is_private and m.sent_at >= begins_at and m.sent_at < ends_at
      group by 2
    )
    select jsonb_agg(w.line order by w.week)
    from (
      select g::date as week, jsonb_build_object('week', g::date,
        'note', coalesce(sum(d.count) filter (where d.kind = 'note'), 0),
        'call', coalesce(sum(d.count) filter (where d.kind = 'call'), 0),
        'meeting', coalesce(sum(d.count) filter (where d.kind = 'meeting'), 0),
        'mail', coalesce(sum(d.count) filter (where d.kind = 'mail'), 0),
        'email', coalesce(sum(d.count) filter (where d.kind = 'email'), 0),
        'task', coalesce(sum(d.count) filter (where d.kind = 'task'), 0)) as line
      from generate_series(first_week::timestamp, last_week::timestamp, interval '7 days') g
      left join done d on d.day >= g::date and d.day < g::date + 7
      group by g
    ) w
  );
end
$function$;

comment on function private.report_weeks(date,date,date,text,integer) is 'Notes, calls, meetings and opened drafts by when they happened, emails by when they were sent and tasks by when they were completed, per week of the user''s calendar.';

CREATE OR REPLACE FUNCTION private.said_behind(i private.imports, after bigint, last bigint, side text)
 RETURNS TABLE(id uuid, said jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with said as (
    select case side when 'person' then w.contact_id else w.company_id end as id, w.place, e.key, e.value
    from private.planned_rows(i, after, last) w
    cross join lateral jsonb_each(private.behind(w.said, side)) e
    where w.said ? side
  ),
  values_of as (
    select s.id, s.key, case
      when bool_and(jsonb_typeof(s.value) = 'array') then private.joined_lists(jsonb_agg(s.value order by s.place))
      else (array_agg(s.value order by s.place))[1]
    end as value
    from said s where s.id is not null group by s.id, s.key
  )
  select v.id, jsonb_object_agg(v.key, v.value) from values_of v group by v.id
$function$;

comment on function private.said_behind(private.imports,bigint,bigint,text) is 'What some rows of deals say of each contact or company together: the first value of a field, and all of a list.';

revoke all on function private.said_behind(private.imports,bigint,bigint,text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.search_card(kind text, id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  card jsonb;
begin
  -- A statement for each kind: only those that are needed are planned.
  case kind
    when 'contacts' then
      card := (
        select jsonb_build_object('title', btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')),
          'about', (select k.name from public.companies k where k.id = c.company_id),
          'email', c.email, 'phone_number', c.phone_number)
        from public.contacts c where c.id = search_card.id
      );
    when 'companies' then
      card := (
        select jsonb_build_object('title', c.name, 'about', nullif(concat_ws(' · ', c.industry, c.location), ''))
        from public.companies c where c.id = search_card.id
      );
    when 'deals' then
      card := (
        select jsonb_build_object('title', c.name, 'value', c.value, 'currency', c.currency,
          'about', (select k.name from public.companies k where k.id = c.company_id),
          'stage', (select s.name from public.pipeline_stages s where s.id = c.stage_id))
        from public.deals c where c.id = search_card.id
      );
    when 'tasks' then
      card := (
        select jsonb_build_object('title', c.title, 'due_date', c.due_date, 'completed', c.completed, 'about', coalesce(
          (select nullif(btrim(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '')), '')
            from public.contacts p where p.id = c.contact_id),
          (select k.name from public.companies k where k.id = c.company_id),
          (select d.name from public.deals d where d.id = c.deal_id)))
        from public.tasks c where c.id = search_card.id
      );
    when 'files' then
      card := (
        select jsonb_build_object('title', c.name, 'about', o.of ->> 'name', 'of', o.of - 'name')
        from public.files c
        cross join lateral (select private.origin_of('', null, c.contact_id, c.company_id, c.deal_id) as of) o
        where c.id = search_card.id
      );
    when 'mails' then
      card := (
        select jsonb_build_object('title', c.subject, 'thread', c.thread, 'sent_at', c.sent_at, 'about', k.name,
          'of', jsonb_build_object('record', k.record, 'id', k.id))
        from public.mails c
        -- On a person rather than on the company or the deal; what lies in the trash has no page.
        cross join lateral (
          select 1 as place, 'contact' as record, p.id, coalesce(nullif(btrim(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '')), ''), p.email) as name
          from private.mail_links l join public.contacts p on p.id = l.contact_id where l.mail_id = c.id
          union all
          select 2, 'company', p.id, p.name from private.mail_links l join public.companies p on p.id = l.company_id where l.mail_id = c.id
          union all
          select 3, 'deal', p.id, p.name from private.mail_links l join public.deals p on p.id = l.deal_id where l.mail_id = c.id
          order by 1, 3 limit 1
        ) k
        where c.id = search_card.id
      );
    else
      return null;
  end case;
  return card || jsonb_build_object('kind', kind, 'id', id);
end
$function$;

CREATE OR REPLACE FUNCTION private.similar_companies(me uuid, said jsonb)
 RETURNS TABLE(id uuid, reason text, place integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  key text := nullif(private.company_key(said ->> 'name'), '');
  host text := private.website_host(private.typed_link(said ->> 'website'));
  address text;
  number text;
begin
  for address in select * from private.typed_addresses(said) loop
    return query
    select c.id, 'email', 1 from public.companies c
    where c.user_id = me and c.search_text like private.like_pattern(address) and private.has_entry(c.emails, address) limit 3;
  end loop;
  for number in select * from private.typed_numbers(said) loop
    return query
    select f.id, 'phone', 2
    from (
      select c.id, c.phones from public.companies c where c.user_id = me and c.search_text like '%' || right(number, 7) || '%' limit 50
    ) f
    where private.has_number(f.phones, number) limit 3;
  end loop;
  if host like '%_.__%' then
    return query
    select c.id, 'website', 3 from public.companies c where c.user_id = me and private.website_host(c.website) = host limit 3;
  end if;
  if key is not null then
    return query
    select c.id, 'name', 4 from public.companies c where c.user_id = me and private.company_key(c.name) = key limit 3;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.similar_contacts(me uuid, said jsonb)
 RETURNS TABLE(id uuid, reason text, place integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  address text;
  profile text;
  number text;
  key text := private.name_key(said ->> 'first_name', said ->> 'last_name');
  company uuid := (said ->> 'company_id')::uuid;
begin
  for address in select * from private.typed_addresses(said) loop
    return query
    (select c.id, 'email', 1 from public.contacts c where c.user_id = me and lower(c.email) = address limit 3)
    union
    -- The index of what is searched knows the other addresses too.
    (select c.id, 'email', 1 from public.contacts c
     where c.user_id = me and c.search_text like private.like_pattern(address) and private.has_entry(c.emails, address) limit 3);
  end loop;
  for profile in
    select distinct k.key from regexp_split_to_table(said ->> 'links', '\n') l (line)
    cross join lateral private.profile_key(private.typed_link(l.line)) k (key)
    where k.key is not null limit 5
  loop
    return query
    select c.id, 'link', 2 from public.contacts c
    where c.user_id = me and c.search_text like private.like_pattern(profile)
      and exists (select from jsonb_array_elements(c.links) e where private.profile_key(e.value ->> 'value') = profile)
    limit 3;
  end loop;
  for number in select * from private.typed_numbers(said) loop
    return query
    select f.id, 'phone', 3
    from (
      select c.id, c.phones from public.contacts c where c.user_id = me and c.search_text like '%' || right(number, 7) || '%' limit 50
    ) f
    where private.has_number(f.phones, number) limit 3;
  end loop;
  if key is not null then
    return query
    select c.id, 'name', 4 from public.contacts c
    where c.user_id = me and private.name_key(c.first_name, c.last_name) = key
      -- Of one name, people of different companies are different people; a single word tells one only within a company.
      and case when key like '% %' then c.company_id = company or c.company_id is null or company is null else c.company_id = company end
    order by c.company_id is distinct from company, c.updated_at desc, c.id limit 3;
  end if;
end
$function$;

comment on function private.similar_contacts(uuid,jsonb) is 'Contacts with one of these addresses, profiles or numbers, or this name and no other company; why, and how strong that is.';

CREATE OR REPLACE FUNCTION private.tidy_deal()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  stage public.pipeline_stages;
  is_new_stage boolean;
begin
  if private.is_restoring() then
    return new;
  end if;

  if tg_op = 'INSERT' then
    if new.stage_id is null and new.pipeline_id is null then
      select p.id into new.pipeline_id from public.pipelines p
        where p.user_id = new.user_id order by p.created_at, p.id limit 1;
    end if;
  elsif new.pipeline_id is distinct from old.pipeline_id and new.stage_id is not distinct from old.stage_id then
    -- A stage of the old pipeline has no place in the new one.
    new.stage_id := null;
  end if;

  is_new_stage := tg_op = 'INSERT' or new.stage_id is distinct from old.stage_id;
  if new.stage_id is not null then
    select * into stage from public.pipeline_stages s
      where s.id = new.stage_id and s.user_id = new.user_id;
    -- Whoever names only the stage means its pipeline too.
    if tg_op = 'INSERT' then
      new.pipeline_id := coalesce(new.pipeline_id, stage.pipeline_id);
    elsif is_new_stage and new.pipeline_id is not distinct from old.pipeline_id then
      new.pipeline_id := coalesce(stage.pipeline_id, new.pipeline_id);
    end if;
    -- With a null in it the composite key would not be checked.
    if new.pipeline_id is null then
      raise exception 'The chosen stage no longer exists.' using errcode = '23503';
    end if;
  end if;

  if is_new_stage then
    -- The same outcome in another pipeline is no new one.
    new.closed_at := case
      when coalesce(stage.outcome, 'open') = 'open' then null
      when tg_op = 'UPDATE' and exists (
        select from public.pipeline_stages s
        where s.id = old.stage_id and s.user_id = new.user_id and s.outcome = stage.outcome
      ) then old.closed_at
      else coalesce(private.written_at(), now())
    end;
  elsif tg_op = 'UPDATE' then
    new.closed_at := old.closed_at;
  end if;
  if stage.outcome is distinct from 'lost' then
    new.lost_reason := null;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tidy_stay()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  is_undone boolean := coalesce(current_setting('solo.undoes', true), '') <> '';
begin
  if new.stage_id is null then
    new.stage_since := null;
  elsif tg_op = 'INSERT' then
    -- A copy of a row that was made before this column existed does not say it. It has not moved since it was last written.
    new.stage_since := coalesce(new.stage_since, case when private.is_restoring() then new.updated_at else now() end);
  elsif new.stage_id is not distinct from old.stage_id then
    new.stage_since := coalesce(old.stage_since, new.stage_since);
  elsif is_undone and new.stage_since is distinct from old.stage_since then
    return new; -- The undo of a move brings the moment back with the stage.
  elsif is_undone and old.stage_id is null then
    -- A stage that came back from the trash takes its deals again.
    new.stage_since := coalesce((
      select (c.before ->> 'stage_since')::timestamptz from public.changes c
      where c.user_id = new.user_id and c.row_id = new.id and c.verb = 'update' and c.before ->> 'stage_id' = new.stage_id::text
      order by c.id desc limit 1
    ), now());
  else
    new.stage_since := coalesce(private.written_at(), now());
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.tidy_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if private.is_restoring() then
    return new;
  end if;
  if tg_op = 'INSERT' and private.written_at() is not null then
    new.created_at := private.written_at();
    new.updated_at := new.created_at;
  end if;
  new.completed_at := case
    when not new.completed then null
    when tg_op = 'UPDATE' and old.completed then old.completed_at
    else coalesce(private.written_at(), now())
  end;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.typed_addresses(said jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select distinct lower(btrim(l.line)) from regexp_split_to_table(said ->> 'emails', '\n') l (line) where l.line like '%_@_%' limit 5
$function$;

revoke all on function private.typed_addresses(jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.typed_link(typed text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select case when btrim(typed) ~* '^https?://' then btrim(typed) else 'https://' || btrim(typed) end $function$;

comment on function private.typed_link(text) is 'A link as it is stored: without a scheme it is one of https.';

revoke all on function private.typed_link(text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.typed_numbers(said jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select distinct k.phone_key from regexp_split_to_table(said ->> 'phones', '\n') l (line)
  cross join lateral private.phone_key(l.line, regexp_replace(l.line, '[^0-9]', '', 'g')) k
  where k.phone_key is not null limit 5
$function$;

revoke all on function private.typed_numbers(jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.why_mail_waits(box public.mail_accounts)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case
    when box.is_paused then 'The mailbox ' || box.address || ' is paused. The email is sent when you resume it in Settings → Email.'
    when box.state = 'locked' then 'The password of ' || box.address || ' is missing. The email leaves when you enter it in Settings → Email.'
  end
$function$;

CREATE OR REPLACE FUNCTION private.write_behind(i private.imports, moment timestamp with time zone, after bigint, last bigint)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  kind text;
  changed uuid[];
  noted uuid[];
  all_changed uuid[] := '{}';
begin
  if not exists (select from private.planned_rows(i, after, last) w where w.said ?| array['person', 'organisation']) then
    return '{}';
  end if;
  with noted_on as (
    insert into public.notes (user_id, company_id, body, happened_at)
    select i.user_id, b.id, left(l.lines, 50000), moment
    from private.said_behind(i, after, last, 'organisation') b
    cross join lateral (select private.new_lines(b.id, b.said) as lines) l
    where l.lines is not null
    returning company_id
  )
  select coalesce(array_agg(n.company_id), '{}') into noted from noted_on n;

  foreach kind in array array['contacts', 'companies'] loop
    execute (
      select format(
        'with updated as (
           update public.%1$I c set %2$s
           from (
             select o.id, %3$s
             from private.said_behind($1, $2, $3, %4$L) b
             cross join lateral jsonb_to_record(b.said) as v (note_parts jsonb, %5$s)
             join public.%1$I o on o.id = b.id and (o.user_id = $1.user_id) is true
           ) n
           -- What says the same is left alone, its moment of the last change too.
           where c.id = n.id and (c.user_id = $1.user_id) is true and (%6$s) is distinct from (%7$s)
           returning c.id
         )
         select coalesce(array_agg(u.id), ''{}'') from updated u',
        kind,
        string_agg(format('%1$I = n.%1$I', c.name), ', ') filter (where c.filled is not null),
        string_agg(format('%s as %I', c.filled, c.name), ', ') filter (where c.filled is not null),
        case kind when 'contacts' then 'person' else 'organisation' end, string_agg(c.definition, ', '),
        string_agg(format('c.%I', c.name), ', ') filter (where c.filled is not null),
        string_agg(format('n.%I', c.name), ', ') filter (where c.filled is not null))
      from private.behind_columns(kind) c
    ) into changed using i, after, last;
    all_changed := all_changed || changed;
  end loop;
  all_changed := all_changed || noted;
  return array(
    select w.target from private.planned_rows(i, after, last) w
    where w.target is not null and (
      w.said ? 'person' and w.contact_id = any (all_changed) or w.said ? 'organisation' and w.company_id = any (all_changed)
    )
  );
end
$function$;

comment on function private.write_behind(private.imports,timestamp with time zone,bigint,bigint) is 'Fills the contacts and companies of some rows of deals with what the rows say of them; tells of which deals that are there one got something.';

revoke all on function private.write_behind(private.imports,timestamp with time zone,bigint,bigint) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.write_deals(i private.imports, moment timestamp with time zone, after bigint, last bigint, places private.place_in_pipeline[], usual uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  people bigint := private.write_import_people(i, moment, after, last);
  added bigint;
  updated uuid[];
begin
  -- Exact values: a deal that was closed before it came here was not closed today.
  perform set_config('solo.restoring', 'on', true);
  execute (
    select format(
      'insert into public.deals (id, user_id, created_at, closed_at, %s)
       select coalesce(n.record_id, gen_random_uuid()), $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''),
         case when s.outcome <> ''open''
           then coalesce(v.closed_at, least(v.closes_at, $2)) end, %s
       from private.planned_rows($1, $3, $4) w
       join private.import_plans n on n.import_id = $1.id and n.place = w.place
       cross join lateral jsonb_to_record(w.said) as v (
         pipeline text, stage text, created_at timestamptz, closed_at timestamptz, closes_at timestamptz, %s
       )
       cross join (values ($6)) as usual (pipeline_id)
       left join unnest($5) p on p.own_pipeline is null
         and coalesce(p.pipeline_key, '''') = coalesce(private.fold(v.pipeline), '''') and coalesce(p.stage, '''') = coalesce(v.stage, '''')
       left join public.pipeline_stages s on s.user_id = $1.user_id and s.id = p.stage_id
       where w.target is null',
      string_agg(quote_ident(c.name), ', '), string_agg(c.added, ', '), string_agg(c.definition, ', '))
    from private.import_columns('deals') c
  ) using i, moment, after, last, places, usual;
  get diagnostics added = row_count;

  execute (
    select format(
      'with updated as (
         update public.deals d set closed_at = n.closed_at, %1$s
         from (
           select o.id, case
               when s.outcome is null or s.outcome = ''open'' then null
               when s.outcome = b.outcome then coalesce(v.closed_at, o.closed_at)
               else coalesce(v.closed_at, least(v.closes_at, $2))
             end as closed_at, %2$s
           from private.planned_rows($1, $3, $4) w
           cross join lateral jsonb_to_record(w.said) as v (pipeline text, stage text, closed_at timestamptz, closes_at timestamptz, %3$s)
           join public.deals o on o.id = w.target and (o.user_id = $1.user_id) is true
           -- Where the row names no pipeline, its stage is one of the pipeline that the deal is in.
           left join unnest($5) p on coalesce(p.own_pipeline::text, '''') = coalesce(case when v.pipeline is null then o.pipeline_id end::text, '''')
             and coalesce(p.pipeline_key, '''') = coalesce(private.fold(v.pipeline), '''') and coalesce(p.stage, '''') = coalesce(v.stage, '''')
           left join public.pipeline_stages b on b.user_id = $1.user_id and b.id = o.stage_id
           -- The stage that the row names; where it names none, the one that the deal has, if it stays in its pipeline.
           left join public.pipeline_stages s on s.user_id = $1.user_id and s.id = coalesce(
             p.stage_id, case when p.pipeline_id is null or p.pipeline_id = o.pipeline_id then o.stage_id end
           )
         ) n
         where d.id = n.id and (d.user_id = $1.user_id) is true and (d.closed_at, %4$s) is distinct from (n.closed_at, %5$s)
         returning d.id
       )
       select coalesce(array_agg(u.id), ''{}'') from updated u',
      string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('d.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns('deals') c
  ) into updated using i, moment, after, last, places;
  perform set_config('solo.restoring', 'off', true);

  updated := updated || private.link_import_people(i, after, last) || private.note_records(i, moment, after, last)
    || private.write_behind(i, moment, after, last);
  return jsonb_build_object('contacts', people, 'added', added, 'updated', (
    select count(distinct w.target) from private.import_plans w
    where w.import_id = i.id and w.place > after and w.place <= last and w.target = any (updated)
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.write_import_rows(w private.unfinished_work, i private.imports, step text, after bigint, last bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  row_count bigint;
  counts jsonb;
begin
  if step = 'companies' then
    insert into public.companies (id, user_id, name, created_at)
    select p.company_id, i.user_id, p.said ->> 'company', w.started_at
    from private.planned_rows(i, after, last) p where p.adds_company and not p.said ? 'organisation';
    get diagnostics row_count = row_count;
    return jsonb_build_object('companies', row_count + private.add_behind(i, w.started_at, after, last, 'companies'));
  elsif step = 'contacts' then
    insert into public.contacts (id, user_id, first_name, last_name, email, company_id, created_at)
    select p.contact_id, i.user_id, p.said ->> 'contact_first_name', p.said ->> 'contact_last_name', p.said ->> 'contact_email',
      p.company_id, w.started_at
    from private.planned_rows(i, after, last) p where p.adds_contact and not p.said ? 'person';
    get diagnostics row_count = row_count;
    return jsonb_build_object('contacts', row_count + private.add_behind(i, w.started_at, after, last, 'contacts'));
  elsif i.kind <> 'deals' then
    return private.write_records(i, w.started_at, after, last);
  end if;
  -- Exact values, but of own fields only such as are allowed.
  perform set_config('solo.importing', 'on', true);
  counts := private.write_deals(i, w.started_at, after, last,
    array(select p from jsonb_populate_recordset(null::private.place_in_pipeline, w.state -> 'places') p),
    (w.state ->> 'usual')::uuid);
  perform set_config('solo.importing', 'off', true);
  return counts;
end
$function$;

CREATE OR REPLACE FUNCTION private.write_kind(action text, args jsonb, batch uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  id uuid := (args ->> 'id')::uuid;
  given jsonb := args -> 'values';
  conflict jsonb;
  line jsonb;
begin
  if action in ('add note', 'add contact', 'add task', 'edit note', 'snooze task', 'complete task')
     and (jsonb_typeof(given) is distinct from 'object' or given = '{}')
     or action not in ('add note', 'add contact', 'add task', 'quick add') and id is null then
    raise exception 'The change cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  perform private.begin_moment(action, id, args ->> 'written_at');
  case action
    when 'add note' then
      if jsonb_typeof(args -> 'next_step') = 'object' then
        perform public.log_with_next_step(given, args -> 'next_step');
      else
        perform private.put_row('notes', given);
      end if;
    when 'add contact' then
      perform private.put_row('contacts', given);
    when 'add task' then
      perform private.put_row('tasks', given);
    when 'edit note' then
      given := private.only(given, '{kind,body,outcome,minutes,happened_at}');
      conflict := private.changed_since('notes', id, args -> 'seen', given);
      if conflict is null then
        perform private.change_row('notes', id, given);
      end if;
    when 'snooze task' then
      given := private.only(given, '{due_date,due_all_day}');
      conflict := private.changed_since('tasks', id, args -> 'seen', given);
      if conflict is null then
        perform private.change_row('tasks', id, given);
      end if;
    when 'complete task' then
      perform private.change_row('tasks', id, private.only(given, '{completed}'));
    when 'plan next step' then
      perform public.complete_with_next_step(id, args -> 'next_step');
    when 'move deal' then
      conflict := private.changed_since('deals', id, args -> 'seen', jsonb_build_object('stage_id', args -> 'stage_id'));
      if conflict is null then
        perform public.move_deal(id, (args ->> 'stage_id')::uuid, (args ->> 'before_id')::uuid, (args ->> 'after_id')::uuid);
      end if;
    when 'quick add' then
      line := args -> 'line';
      -- Written where nobody could say which way of understanding it holds: that is decided now.
      if jsonb_typeof(line) = 'array' then
        line := line -> (public.quick_add_preview(line) ->> 'reading')::integer -> 'line';
      end if;
      perform public.quick_add(line, write_kind.batch);
    else
      raise exception 'The change cannot be read. Nothing was saved.' using errcode = 'PT400';
  end case;
  return conflict;
end
$function$;

CREATE OR REPLACE FUNCTION private.written_at()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select nullif(current_setting('solo.written_at', true), '')::timestamptz $function$;

comment on function private.written_at() is 'When the user made what is being written; null where that is now.';

revoke all on function private.written_at() from public, anon, authenticated, service_role;

grant execute on function private.written_at() to authenticated, service_role;

CREATE OR REPLACE FUNCTION public.call_with_token(p_token text, p_name text, p_args jsonb DEFAULT '{}'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  token record := private.take_token(p_token);
  listed record;
  answer jsonb;
begin
  if token.refusal is not null then
    -- Answered, not raised: what the list of connections notes must stay.
    perform set_config('response.status', '401', true);
    return jsonb_build_object('code', token.code, 'message', token.refusal, 'details', null, 'hint', null);
  end if;
  perform
    set_config('request.jwt.claim.sub', token.account::text, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('request.jwt.claims', jsonb_build_object('sub', token.account, 'role', 'authenticated')::text, true),
    set_config('solo.token', jsonb_build_object('name', token.name, 'scope', token.scope)::text, true),
    set_config('role', 'authenticated', true);
  select f.* into listed from private.listed_functions() f where f.name = p_name;
  if token.scope = 'read' or not coalesce(listed.writes, false) then
    if listed.writes then
      raise exception 'This access token may only read. Nothing was saved.' using errcode = 'PT403';
    end if;
    -- A second wall: whatever the function does, nothing is written.
    perform set_config('transaction_read_only', 'on', true);
  end if;
  if listed.writes and token.scope = 'propose' then
    perform set_config('response.status', '202', true);
    return private.propose(token.name, p_name, p_args);
  end if;
  answer := private.call_listed(p_name, p_args);
  if listed.writes then
    perform private.note_batch(token.name);
  -- Of what was written the answer is as long as what was sent, and it must not be taken back for its length.
  elsif pg_column_size(answer) > private.longest_answer() then
    raise exception 'This answer is too long: at most 5 MB. Ask for less at once: a smaller page_size, or a filter.'
      using errcode = 'PT413';
  end if;
  return answer;
end
$function$;

CREATE OR REPLACE FUNCTION public.field_counts(record text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  ids uuid[];
  filled text[];
  counts bigint[];
begin
  if record is null or record not in ('contacts', 'companies', 'deals') then
    raise exception 'Only contacts, companies and deals have custom fields.' using errcode = 'PT400';
  end if;
  select array_agg(f.id order by f.id), array_agg(private.is_filled(f.kind, f.id, f.options) order by f.id) into ids, filled
  from public.fields f where f.record = field_counts.record;
  if ids is null then
    return '{}';
  end if;
  execute format('select array[%s] from public.%I c where c.custom <> ''{}''', (
    select string_agg(format('count(*) filter (where %s)', i.condition), ', ' order by i.place)
    from unnest(filled) with ordinality as i (condition, place)
  ), record)
  into counts;
  return (select jsonb_object_agg(n.id, n.records) from unnest(ids, counts) as n (id, records));
end
$function$;

CREATE OR REPLACE FUNCTION public.import_page(id uuid, found text[], after integer DEFAULT 0, page_size integer DEFAULT 100)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Asked for before the rows are: whoever asks for an import that is not there is refused, whatever the plan.
  i private.imports := private.own_import(import_page.id);
  places integer[];
begin
  places := array(
    select r.place
    from private.import_rows r
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id and r.place > import_page.after
      and case
        when r.problem is not null then 'error'
        when m.place is null then 'new'
        when m.twin is null and not m.is_same then 'known'
        else 'twin'
      end = any ($2) -- "found" means something else to PL/pgSQL
    order by r.place
    limit least(greatest(import_page.page_size, 1), 1000)
  );
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'place', p.place,
      'said', p.said,
      'target', case when m.twin is null then m.target end,
      'reason', case
        when p.problem is not null then p.problem
        when m.twin is not null and m.is_by_email then 'The same email is in row ' || m.twin || '.'
        when m.twin is not null then 'The same record stands in row ' || m.twin || '.'
        when m.target is null then null
        when m.is_same then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already exists and says the same.'
        when m.is_by_email then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already has this email.'
        else coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already exists.'
      end
    ) || case
      when m.twin is null and m.target is not null and not m.is_same
      then jsonb_build_object('changes', coalesce(c.changes, '{}'))
        || case when i.kind = 'deals' then jsonb_build_object('stored', private.stored_deal(m.target)) else '{}' end
      else '{}'
    end || case
      when i.kind = 'deals' and p.problem is null and m.twin is null and m.is_same is not true and p.said ?| array['person', 'organisation']
      then jsonb_build_object('behind', coalesce(b.behind, '[]'))
      else '{}'
    end order by p.place), '[]')
    from private.import_rows p
    left join private.import_matches m on m.import_id = p.import_id and m.place = p.place
    left join private.import_changes(i, places) c on c.place = p.place
    left join (
      select h.place, jsonb_agg(jsonb_build_object('side', h.side, 'id', h.id, 'changes', h.changes)) as behind
      from private.behind_changes(i, case i.kind when 'deals' then places else '{}' end) h group by h.place
    ) b on b.place = p.place
    where p.import_id = i.id and p.place = any (places)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.remove_mail_account(id uuid, with_mails boolean)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  gone bigint := 0;
begin
  if with_mails then
    delete from public.mails m where m.user_id = me and m.account_id = remove_mail_account.id;
    get diagnostics gone = row_count;
  end if;
  delete from public.mail_accounts a where a.user_id = me and a.id = remove_mail_account.id;
  if not found then
    raise exception 'This mailbox no longer exists. Nothing was changed.' using errcode = 'PT404';
  end if;
  return gone;
end
$function$;

CREATE OR REPLACE FUNCTION public.retry_mails(ids uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  again jsonb;
begin
  if exists (
    select from private.outgoing_mails o
    where o.user_id = me and o.id = any (ids) and o.state in ('failed', 'stopped') and o.account_id is null
  ) then
    raise exception 'The mailbox of this email was removed. Nothing was sent; open the email and choose another mailbox.' using errcode = 'PT409';
  end if;
  with chosen as (
    select o.id, row_number() over (order by o.send_at, o.id) as place from private.outgoing_mails o
    where o.user_id = me and o.id = any (ids) and o.state in ('failed', 'stopped')
  ),
  planned as (
    update private.outgoing_mails o set
      state = 'planned', problem = null, tries = 0, held_until = '-infinity', handed_at = null,
      send_at = greatest(o.send_at, now() + interval '10 seconds' + c.place * interval '1 microsecond')
    from chosen c where o.id = c.id and o.state in ('failed', 'stopped')
    returning o.id, o.account_id, o.send_at
  )
  select coalesce(jsonb_agg(p.id order by p.send_at), '[]') into again from planned p;
  perform private.send_soon(k.account_id) from (
    select distinct o.account_id from private.outgoing_mails o where o.user_id = me and o.id = any (ids) and o.state = 'planned' order by 1
  ) k;
  return jsonb_build_object('planned', again);
end
$function$;

comment on function public.similar_records(text,jsonb) is 'At most three contacts, companies or open deals that seem to be the one that is being typed, each with the reason: email, link, phone, website or name.';

comment on function public.write_once(uuid,text,jsonb) is 'Writes what a browser has under this batch, once: sent again, it writes nothing and answers with the records as they are now. "batch" undoes it, null if nothing changed. "conflict" is the record as it is now, where somebody has changed the same meanwhile; then nothing is written, and it may be sent again without "seen". "written_at" among the arguments says when the user made a change that waited. The action "take back" keeps a batch from being written, or tells by which batch it is undone.';

-- Until here

comment on column public.companies.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.contacts.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.deals.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.tasks.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.files.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.mails.search_text is 'What searches look through, folded. Its parts: private.search_parts.';

-- The indexes alone answer what the deals of an account, or of a pipeline, are worth.
drop index public.deals_by_worth;
create index deals_by_worth on public.deals
  (user_id, coalesce(private.worth(value, currency, rate), 'infinity'::numeric), id) include (value, currency, rate);
drop index public.deals_on_board;
create index deals_on_board on public.deals
  (user_id, pipeline_id, stage_id, "order", created_at desc, id) include (value, currency, rate);

create index outgoing_mails_followed_up on private.outgoing_mails (user_id) where follow_up_task is not null;

alter table private.webhooks add column failed_for interval not null default '0';

create index contacts_with_links on public.contacts (user_id) where links <> '[]';

-- Written by npm run schema:upgrade: comments, rows of the schema, functions that are gone

drop function private.people_of_deals(private.imports);
comment on column private.webhooks.failed_for is 'How long it has failed since failing_since, of which each time between two tries counts as one day at most.';
delete from private.bulk_changes;
insert into private.bulk_changes select * from jsonb_populate_recordset(null::private.bulk_changes, '[{"key": "add_tags", "kind": "companies", "sets": "tags = private.tags_of(c.tags || private.texts($2 -> ''add_tags''))", "label": "tags", "place": 3}, {"key": "custom", "kind": "companies", "sets": "custom = $2 -> ''custom''", "label": "custom fields", "place": 9}, {"key": "industry", "kind": "companies", "sets": "industry = $2 ->> ''industry''", "label": "industry", "place": 1}, {"key": "location", "kind": "companies", "sets": "location = $2 ->> ''location''", "label": "location", "place": 2}, {"key": "remove_tags", "kind": "companies", "sets": "tags = private.without_tags(c.tags, private.texts($2 -> ''remove_tags''))", "label": "tags", "place": 3}, {"key": "add_tags", "kind": "contacts", "sets": "tags = private.tags_of(c.tags || private.texts($2 -> ''add_tags''))", "label": "tags", "place": 3}, {"key": "company_id", "kind": "contacts", "sets": "company_id = ($2 ->> ''company_id'')::uuid", "label": "company", "place": 2}, {"key": "custom", "kind": "contacts", "sets": "custom = $2 -> ''custom''", "label": "custom fields", "place": 9}, {"key": "lead_status", "kind": "contacts", "sets": "lead_status = $2 ->> ''lead_status''", "label": "lead status", "place": 1}, {"key": "remove_tags", "kind": "contacts", "sets": "tags = private.without_tags(c.tags, private.texts($2 -> ''remove_tags''))", "label": "tags", "place": 3}, {"key": "add_tags", "kind": "deals", "sets": "tags = private.tags_of(c.tags || private.texts($2 -> ''add_tags''))", "label": "tags", "place": 3}, {"key": "currency", "kind": "deals", "sets": "currency = $2 ->> ''currency''", "label": "currency", "place": 3}, {"key": "custom", "kind": "deals", "sets": "custom = $2 -> ''custom''", "label": "custom fields", "place": 9}, {"key": "expected_close_date", "kind": "deals", "sets": "expected_close_date = ($2 ->> ''expected_close_date'')::date", "label": "expected close", "place": 2}, {"key": "lost_reason", "kind": "deals", "sets": "lost_reason = coalesce(private.blank_to_null($2 ->> ''lost_reason''), c.lost_reason)", "label": "stage", "place": 1}, {"key": "remove_tags", "kind": "deals", "sets": "tags = private.without_tags(c.tags, private.texts($2 -> ''remove_tags''))", "label": "tags", "place": 3}, {"key": "stage_id", "kind": "deals", "sets": "stage_id = ($2 ->> ''stage_id'')::uuid", "label": "stage", "place": 1}]');

-- Until here
