-- Leads from the complete second history of the schema, 20261118000100 to 20261130006100 (second_history), to the files of
-- supabase/migrations up to 20261201004100, which describe the same schema with each thing defined once: decision 071.
--
-- The server runs it by itself, after what a database lacks of that history. In a Supabase project it is run by hand, once;
-- README.md says how.

-- Written by npm run schema:upgrade: functions

set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.add_related(i private.imports, moment timestamp with time zone, after bigint, last bigint, kind text)
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
       cross join lateral jsonb_to_record(private.related_values(w.reported, %5$L) || %6$s) as v (created_at timestamptz, note_parts jsonb, %7$s)
       where w.reported ? %5$L and w.%8$I',
      kind, string_agg(quote_ident(c.name), ', '), case kind when 'contacts' then 'contact_id' else 'company_id' end,
      string_agg(c.added, ', '), case kind when 'contacts' then 'person' else 'organisation' end,
      case kind
        when 'contacts' then
          'jsonb_build_object(''first_name'', w.reported -> ''contact_first_name'', ''last_name'', w.reported -> ''contact_last_name'', ''email'', w.reported -> ''contact_email'')'
        else 'jsonb_build_object(''name'', w.reported -> ''company'')'
      end,
      string_agg(c.definition, ', '), case kind when 'contacts' then 'adds_contact' else 'adds_company' end)
    from private.related_columns(kind) c
  ) using i, moment, after, last;
  get diagnostics added = row_count;
  return added;
end
$function$;

comment on function private.add_related(private.imports,timestamp with time zone,bigint,bigint,text) is 'Adds the contacts or companies that rows of deals make and say more of than their names; tells how many.';

revoke all on function private.add_related(private.imports,timestamp with time zone,bigint,bigint,text) from public, anon, authenticated, service_role;

drop function private.adds_to_deal(uuid,jsonb);

CREATE OR REPLACE FUNCTION private.adds_to_deal(deal uuid, reported jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from private.further_contacts(reported) p
    where not exists (
      select from public.contacts c
      where c.id in (
        select d.contact_id from public.deals d where d.id = deal
        union all
        select k.contact_id from public.deal_contacts k where k.deal_id = deal
      ) and case
        when p.email is not null then private.has_entry(c.emails, lower(p.email))
        else private.fold(concat_ws(' ', p.first_name, p.last_name)) = private.fold(concat_ws(' ', c.first_name, c.last_name))
      end and (p.role is null or exists (
        select from public.deal_contacts k where k.deal_id = deal and k.contact_id = c.id and k.role is not null
      ))
    )
  ) or private.kept_notes(reported) is not null
    and not exists (select from public.notes n where n.deal_id = deal and n.body = left(private.kept_notes(reported), 50000))
$function$;

comment on function private.adds_to_deal(uuid,jsonb) is 'Whether a row names somebody who is not on the deal yet, or has no role there, or says what no note on it says.';

revoke all on function private.adds_to_deal(uuid,jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.approve(proposal private.proposals)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  now_changes jsonb;
  now_card jsonb;
  wrote uuid;
  words text;
begin
  begin
    perform set_config('solo.batch', gen_random_uuid()::text, true);
    perform private.call_listed(proposal.name, proposal.args);
    set constraints all immediate;
    wrote := private.written_batch();
    now_changes := coalesce(private.rows_of_batch(wrote), '[]');
    if not private.same_values(proposal.changes, now_changes) then
      now_card := private.with_short_texts(private.own_batch_summary(wrote));
      raise exception 'taken back' using errcode = 'SOLO1';
    end if;
    perform private.note_batch(proposal.token_name);
    delete from private.proposals p where p.id = proposal.id;
    return jsonb_build_object('id', proposal.id, 'status', 'approved', 'batch', wrote);
  exception
    when sqlstate 'SOLO1' then
      if now_card is null then
        words := 'This would no longer change anything. Nothing was saved; decline it.';
      else
        -- Shown anew, so that the next approval is of what is seen then.
        update private.proposals p set card = now_card, changes = now_changes where p.id = proposal.id;
        words := 'The record was changed since. Nothing was saved; look at the proposal again.';
      end if;
    when others then
      words := case when sqlstate like 'PT%' then sqlerrm else 'This can no longer be done. Nothing was saved; decline it.' end;
  end;
  return jsonb_build_object('id', proposal.id, 'status', 'failed', 'message', words);
end
$function$;

comment on function private.approve(private.proposals) is 'Does what was proposed, as a batch in the name of its token; not where it would change other values, or to others, than those that were shown.';

CREATE OR REPLACE FUNCTION private.awaited_deals()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select distinct l.deal_id
  from private.mail_links l join public.mails m on m.id = l.mail_id cross join lateral private.waits_for_answer(m) w
  where l.user_id = private.caller() and l.deal_id is not null and l.counts and l.at > now() - interval '30 days'
$function$;

comment on function private.awaited_deals() is 'All deals of the caller of which private.reply_waits_on says so.';

revoke all on function private.awaited_deals() from public, anon, authenticated, service_role;

grant execute on function private.awaited_deals() to authenticated, service_role;

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

CREATE OR REPLACE FUNCTION private.batch_card(me uuid, wanted uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select told || jsonb_build_object('by', (
    select b.token_name from private.token_batches b where b.user_id = me and b.batch = wanted
  ))
  from private.batch_summary(me, wanted) as told
$function$;

comment on function private.batch_card(uuid,uuid) is 'What a batch did, as private.batch_summary tells it, and the token that did it ("by"), if one did.';

CREATE OR REPLACE FUNCTION private.batch_summary(me uuid, wanted uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

comment on function private.batch_summary(uuid,uuid) is 'What a batch did: for each table and verb how many rows, the first of them, and what was changed where it is the same for all. A card that only made room for another on the board does not count.';

revoke all on function private.batch_summary(uuid,uuid) from public, anon, authenticated, service_role;

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

CREATE OR REPLACE FUNCTION private.change_on_timeline(change public.changes)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('kind', 'change', 'table_name', change.table_name, 'row_id', change.row_id,
    'verb', change.verb, 'label', change.label, 'before', case when change.verb = 'update' then change.before end,
    'after', change.after, 'batch', change.batch, 'undoes', change.undoes,
    'names', case when change.verb = 'update' then
      private.with_names(private.names_in(private.caller(), change.before, change.after), change.names) end,
    'by', private.token_of_batch(change.batch))
$function$;

comment on function private.change_on_timeline(public.changes) is 'A change as a timeline shows it. "names" tells what the linked records and the own fields are called.';

revoke all on function private.change_on_timeline(public.changes) from public, anon, authenticated, service_role;

grant execute on function private.change_on_timeline(public.changes) to authenticated, service_role;

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

CREATE OR REPLACE FUNCTION private.check_names(i private.imports)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  field text;
  names bigint;
begin
  perform private.check_import_fields(i);
  if i.kind <> 'deals' then
    return;
  end if;
  foreach field in array array['pipeline', 'stage'] loop
    select count(distinct private.fold(r.reported ->> field)) into names
    from private.import_rows r where r.import_id = i.id and r.reported ? field;
    if names > 100 then
      raise exception 'The file names % different %s. Is the right column chosen?', names, field using errcode = 'PT400';
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.checked_entries(list text, given jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  noun text := private.entry_noun(list);
  most integer := case list when 'emails' then 320 when 'phones' then 50 when 'links' then 2000 else 500 end;
  entry jsonb;
  reported text;
  keys text[] := '{}';
  checked jsonb := '[]';
begin
  if jsonb_typeof(given) <> 'array' then
    perform private.refuse_entry(format('The %s cannot be read.', private.entry_nouns(list)));
  end if;
  for entry in select private.tidy_entry(list, e.value) from jsonb_array_elements(given) with ordinality as e (value, place) order by e.place loop
    continue when entry is null;
    reported := entry ->> 'value';
    if char_length(entry ->> 'label') > 40 then
      perform private.refuse_entry('A label can have at most 40 characters.');
    elsif exists (select from jsonb_each_text(entry - 'label') p where char_length(p.value) > most) then
      perform private.refuse_entry(format(case when list = 'addresses' then 'Each line of an address can have at most %s characters.'
        when list = 'emails' then 'An email address can have at most %s characters.'
        else 'A ' || noun || ' can have at most %s characters.' end, trim(to_char(most, '9,999'))));
    elsif list = 'emails' and reported !~ '^[^\s@]+@[^\s@]+$' then
      perform private.refuse_entry(format('“%s” is not an email address.', left(reported, 100)));
    elsif list = 'links' and reported !~* '^https?://[^\s/?#]+\S*$' then
      perform private.refuse_entry(format('“%s” is not a web address, such as https://acme.com.', left(reported, 100)));
    elsif private.entry_key(list, entry) = any (keys) then
      perform private.refuse_entry(format('The %s “%s” is there twice.', noun, left(coalesce(reported, entry ->> 'street'), 100)));
    elsif cardinality(keys) = 20 then
      perform private.refuse_entry(format('A record can have at most 20 %s.', private.entry_nouns(list)));
    end if;
    keys := keys || private.entry_key(list, entry);
    checked := checked || entry;
  end loop;
  return checked;
end
$function$;

CREATE OR REPLACE FUNCTION private.checked_options(kind text, options jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  checked record;
begin
  if kind not in ('choice', 'several choices') then
    if options <> '[]' then
      raise exception 'Only a choice has options. Nothing was saved.' using errcode = 'PT400';
    end if;
    return options;
  end if;
  if jsonb_typeof(options) <> 'array' then
    raise exception 'The options of a field cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  if jsonb_array_length(options) > 100 then
    raise exception 'A field can have at most 100 options. Nothing was saved.' using errcode = 'PT400';
  end if;
  select
    coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'color', w.color) order by w.place), '[]') as options,
    coalesce(bool_and(coalesce(w.id ~ '^~[0-9A-Za-z]{7}$'
      and w.color in ('gray', 'blue', 'violet', 'green', 'yellow', 'orange', 'red'), false)), true) as is_read,
    coalesce(bool_and(coalesce(char_length(w.name) between 1 and 60, false)), true) as is_named,
    count(distinct w.id) = count(*) and count(distinct lower(w.name)) = count(*) as is_once
  into checked
  from (
    select o.place, o.reported ->> 'id' as id, btrim(o.reported ->> 'name', E' \t\r\n') as name, o.reported ->> 'color' as color
    from jsonb_array_elements(options) with ordinality as o (reported, place)
  ) w;
  if not checked.is_read then
    raise exception 'The options of a field cannot be read. Nothing was saved.' using errcode = 'PT400';
  end if;
  if not checked.is_named then
    raise exception 'The name of an option has 1 to 60 letters. Nothing was saved.' using errcode = 'PT400';
  end if;
  if not checked.is_once then
    raise exception 'Two options of a field have the same name. Nothing was saved.' using errcode = 'PT409';
  end if;
  return checked.options;
end
$function$;

CREATE OR REPLACE FUNCTION private.clear_way(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  placed_by text;
begin
  if private.is_empty_account(me) then
    perform private.set_preferences(me, jsonb_strip_nulls(s.reported) || jsonb_build_object('display_name', s.reported -> 'display_name'))
    from private.restore_rows s
    where s.restore_id = restore and s.kind = 'preferences';
  end if;
  for placed_by in select k.placed_by from private.record_kinds k where k.placed_by is not null order by k.place loop
    execute format('select %s($1, $2)', placed_by) using me, restore;
  end loop;
  -- The pipeline that came with the account and that nobody has touched gives way to those of the backup.
  if exists (select from private.restore_rows s where s.restore_id = restore and s.kind = 'pipelines' and s.is_new) then
    delete from public.pipelines p
    where p.user_id = me and p.name = 'Sales Pipeline' and p.updated_at = p.created_at
      and not exists (select from public.deals d where d.user_id = me and d.pipeline_id = p.id)
      and not exists (select from public.forms f where f.user_id = me and f.pipeline_id = p.id)
      and not exists (select from public.changes c where c.user_id = me and c.row_id = p.id)
      and not exists (select from private.restore_rows s where s.restore_id = restore and s.kind = 'pipelines' and s.new_id = p.id)
      and (
        select count(*) = 5 and bool_and(t.updated_at = t.created_at) and min(t.created_at) = p.created_at
        from public.pipeline_stages t where t.user_id = me and t.pipeline_id = p.id
      );
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

CREATE OR REPLACE FUNCTION private.contact_of_lead(form public.forms, lead jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  -- Only what the form asks for, whoever calls.
  asked text[] := array(select f ->> 'name' from jsonb_array_elements(form.fields) f);
  reported jsonb := coalesce((
    select jsonb_object_agg(v.key, v.value) from jsonb_each(coalesce(lead -> 'contact', '{}') - 'custom') v
    where v.key = any (asked) and v.value <> 'null'
      and v.key in ('first_name', 'last_name', 'middle_name', 'nickname', 'email', 'phone_number', 'role_title', 'birthday', 'notes')
  ), '{}');
  custom jsonb := coalesce((
    select jsonb_object_agg(v.key, v.value) from jsonb_each(coalesce(lead #> '{contact,custom}', '{}')) v
    join public.fields f on f.user_id = me and f.record = 'contacts' and f.id::text = v.key
    where 'custom.' || v.key = any (asked)
  ), '{}');
  company text := case when 'company' = any (asked) then private.blank_to_null(lead ->> 'company') end;
  company_id uuid;
  person public.contacts;
begin
  if reported ? 'email' then
    select c.* into person from private.similar_ids('contacts', jsonb_build_object('emails', reported ->> 'email')) s
    join public.contacts c on c.id = s.id where s.reason = 'email' order by c.created_at, c.id limit 1;
  end if;
  if company is not null and person.company_id is null then
    select k.id into company_id from public.companies k
    where k.user_id = me and lower(k.name) = lower(company) order by k.created_at, k.id limit 1;
    reported := reported || jsonb_build_object('company_id',
      coalesce(company_id::text, private.save_record('companies', jsonb_build_object('name', left(company, 200))) ->> 'id'));
  end if;
  if person.id is not null then
    -- What is known stays as it is; what is empty is filled.
    reported := coalesce((
      select jsonb_object_agg(v.key, v.value) from jsonb_each(reported) v where to_jsonb(person) ->> v.key is null
    ), '{}');
    custom := custom - array(select jsonb_object_keys(person.custom));
  end if;
  if custom <> '{}' then
    reported := reported || jsonb_build_object('custom', custom);
  end if;
  if form.tag is not null and lower(form.tag) <> all (private.lower_tags(coalesce(person.tags, '{}'))) then
    reported := reported || jsonb_build_object('tags', private.united_tags(coalesce(person.tags, '{}'), array[form.tag]));
  end if;
  if person.id is null then
    return (private.save_record('contacts', reported) ->> 'id')::uuid;
  elsif reported <> '{}' then
    perform private.save_record('contacts', reported, person.id);
  end if;
  return person.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.deal_attention_condition(filter jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  wanted text[] := private.texts(filter -> 'attention');
  conditions text[];
begin
  if not wanted <@ array['no_next_step', 'stalled'] then
    raise exception 'The filter has a part that is not known.' using errcode = 'PT400';
  end if;
  if 'no_next_step' = any (wanted) then
    conditions := conditions || format(
      '((c.stage_id is null or c.stage_id = any (%1$L::uuid[])) and not exists (
         select from public.tasks t where t.user_id = %2$L::uuid and t.deal_id = c.id and not t.completed)
         and c.id <> all (%3$L::uuid[]))',
      array(select l.stage_id from private.longest_stays l where l.user_id = private.caller()), private.caller(),
      array(select private.awaited_deals()));
  end if;
  if 'stalled' = any (wanted) then
    -- Written out by the lengths there are: most stages share one.
    conditions := conditions || (
      select coalesce(string_agg(
        format('(c.stage_id = any (%1$L::uuid[]) and c.stage_since < %2$L::timestamptz and not exists (
            select from private.mail_links l
            where l.user_id = %3$L::uuid and l.deal_id = c.id and l.counts and l.at >= %2$L::timestamptz))',
          g.stages, now() - g.stay, private.caller()), ' or '), 'false')
      from (
        select l.stay, array_agg(l.stage_id) as stages from private.longest_stays l
        where l.user_id = private.caller() group by l.stay
      ) g
    );
  end if;
  return coalesce('(' || array_to_string(conditions, ' or ') || ')', 'true');
end
$function$;

comment on function private.deal_attention_condition(jsonb) is 'The open deals without a task that is to be done or a reply that waits, or longer in their stage than usual without a mail, as a condition on "c". Every value is quoted.';

CREATE OR REPLACE FUNCTION private.deal_card(deal public.deals)
 RETURNS TABLE(card json)
 LANGUAGE sql
 STABLE
AS $function$
  select row_to_json(k) from (
    select f.*,
      (select s.name from public.pipeline_stages s where s.id = deal.stage_id) as stage_name,
      coalesce((select s.outcome from public.pipeline_stages s where s.id = deal.stage_id), 'open') as outcome,
      -- As private.longest_stays has it, without a third look at the stage: a deal is open while it has not been closed.
      case when deal.closed_at is null then greatest(deal.stage_since, case when deal.stage_since is not null then (
        select l.at from private.mail_links l
        where l.user_id = deal.user_id and l.deal_id = deal.id and l.counts order by l.at desc, l.mail_id desc limit 1
      ) end) + coalesce(
        (select u.stay from private.usual_stays u where u.stage_id = deal.stage_id), private.default_stay()) end as stalls_at,
      (select c.name from public.companies c where c.id = deal.company_id) as company_name,
      (
        select json_build_object('first_name', p.first_name, 'last_name', p.last_name, 'email', p.email)
        from public.contacts p where p.id = deal.contact_id
      ) as contact,
      (
        select json_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
        from public.tasks t
        where t.deal_id = deal.id and not t.completed
        order by t.due_date nulls last, t.id limit 1
      ) as next_task,
      -- Few deals have mails: the others cost a look into an index.
      case when deal.closed_at is null and exists (
        select from private.mail_links l
        where l.user_id = deal.user_id and l.deal_id = deal.id and l.counts and l.at > now() - interval '30 days'
      ) then private.reply_waits_on(deal.id) else false end as reply_waits
    from private.fields_of(deal) f
  ) k
$function$;

comment on function private.deal_card(public.deals) is 'A deal as the list and the board show it: with its stage, company, contact and next task, whether a reply waits, and when it will have been in its stage for longer than usual without a mail, if it is open.';

CREATE OR REPLACE FUNCTION private.deal_on_page(deal public.deals)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select k.card::jsonb || jsonb_build_object(
    'main_phone', (
      select jsonb_build_object('contact_id', c.id, 'number', c.phone_number) from public.contacts c where c.id = deal.contact_id
    ),
    'people', coalesce((
      select jsonb_agg(jsonb_build_object('contact_id', p.contact_id, 'role', p.role, 'name', jsonb_build_object(
        'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email)) order by p.position, p.id)
      from public.deal_contacts p join public.contacts c on c.id = p.contact_id
      where p.deal_id = deal.id
    ), '[]'))
  from private.deal_card(deal) k
$function$;

comment on function private.deal_on_page(public.deals) is 'A deal as its page shows it: with its stage, company, contacts and the number of the main one.';

revoke all on function private.deal_on_page(public.deals) from public, anon, authenticated, service_role;

grant execute on function private.deal_on_page(public.deals) to authenticated, service_role;

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

drop function private.deal_writes(private.imports,text);

CREATE OR REPLACE FUNCTION private.deal_writes(i private.imports, duplicates text)
 RETURNS TABLE(place integer, reported jsonb, target uuid, own_pipeline uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select w.place, w.reported, w.target, case when not w.reported ? 'pipeline' then d.pipeline_id end
  from private.import_writes(i, duplicates) w
  left join public.deals d on d.user_id = i.user_id and d.id = w.target
$function$;

comment on function private.deal_writes(private.imports,text) is 'As import_writes, with the pipeline that a deal is in: where the row names none, its stage is one of that pipeline.';

revoke all on function private.deal_writes(private.imports,text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.deals_needing_a_push(at timestamp with time zone)
 RETURNS TABLE(id uuid, worth numeric, has_next boolean, is_stale boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with steps as (
    select t.deal_id from public.tasks t where t.deal_id is not null and not t.completed
    union
    -- To answer is a step, too.
    select private.awaited_deals()
  )
  select n.* from (
    select d.id, private.worth(d.value, d.currency, d.rate), t.deal_id is not null as has_next,
      coalesce(d.stage_since < at - l.stay, false) and not exists (
        select from private.mail_links m where m.user_id = d.user_id and m.deal_id = d.id and m.counts and m.at >= deals_needing_a_push.at - l.stay
      ) as is_stale
    from public.deals d
    left join private.longest_stays l on l.stage_id = d.stage_id
    left join steps t on t.deal_id = d.id
    where d.stage_id is null or l.stage_id is not null
  ) n
  where not n.has_next or n.is_stale
$function$;

comment on function private.deals_needing_a_push(timestamp with time zone) is 'The open deals without a task that is to be done or a reply that waits, or longer in their stage than usual without a mail, at a moment.';

CREATE OR REPLACE FUNCTION private.end_agenda(account uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.agendas a set hour = null where a.user_id = account and a.hour is not null;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.entry_texts(emails jsonb, phones jsonb, links jsonb, addresses jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select string_agg(t.reported, ' ') from (
    select e.value ->> 'value' from jsonb_array_elements(emails || links) e
    union all
    select regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g') from jsonb_array_elements(phones) e
    union all
    select concat_ws(' ', e.value ->> 'street', e.value ->> 'postal_code', e.value ->> 'city', e.value ->> 'region', e.value ->> 'country')
    from jsonb_array_elements(addresses) e
  ) t (reported)
  where t.reported <> ''
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

drop function private.fill_contact(uuid,jsonb,uuid);

CREATE OR REPLACE FUNCTION private.fill_contact(contact uuid, reported jsonb, company uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
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
$function$;

comment on function private.fill_contact(uuid,jsonb,uuid) is 'Writes what was said of a known contact where nothing was known yet; changes nothing that was.';

revoke all on function private.fill_contact(uuid,jsonb,uuid) from public, anon, authenticated, service_role;

grant execute on function private.fill_contact(uuid,jsonb,uuid) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.finish_import(i private.imports, told jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  rejected bigint;
begin
  select count(*) into rejected from private.import_rows r where r.import_id = i.id and r.problem is not null;
  told := told || jsonb_build_object(
    'rejected', rejected,
    'skipped', i.total - rejected - (told ->> 'added')::bigint - (told ->> 'updated')::bigint
  );
  update private.imports n set summary = told, batch = private.written_batch(), done_at = now() where n.id = i.id
  returning * into i;
  if i.batch is not null then
    perform private.name_action('import', i.file_name);
  end if;
  delete from private.import_plans p where p.import_id = i.id;
  delete from private.import_matches m where m.import_id = i.id;
  delete from private.import_rows r where r.import_id = i.id and r.problem is null;
  return public.import_state(i.id);
end
$function$;

CREATE OR REPLACE FUNCTION private.finish_restoring(w private.unfinished_work, restore uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  r private.restores;
  counts jsonb;
begin
  select * into r from private.restores x where x.id = restore and x.user_id = w.user_id;
  insert into private.actions (user_id, batch, action, about)
  select w.user_id, (s.reported ->> 'batch')::uuid, s.reported ->> 'deed', left(s.reported ->> 'about', 255)
  from private.restore_rows s where s.restore_id = restore and s.kind = 'deeds'
  on conflict do nothing;
  select coalesce(jsonb_object_agg(c.kind, jsonb_build_object('added', c.added, 'there', c.there)), '{}') into counts
  from (
    select s.kind, count(*) filter (where s.is_new) as added, count(*) filter (where not s.is_new) as there
    from private.restore_rows s where s.restore_id = restore and s.is_new is not null group by s.kind
  ) c;
  if private.written_batch() is not null then
    perform private.name_action('backup', r.about);
  end if;
  update private.restores x set answer = jsonb_build_object(
    'batch', private.written_batch(), 'counts', counts, 'history', w.state -> 'history',
    'lost', (select coalesce(sum(t.value::bigint), 0) from jsonb_each_text(r.tables) t
             where t.key in (select k.kind from private.backup_kinds() k where k.key = 'id' and k.key_type = 'uuid'))
      - (select count(*) from private.restore_rows s where s.restore_id = restore and s.is_new is not null)
  ) where x.id = restore returning x.answer into r.answer;
  delete from private.restore_rows s where s.restore_id = restore;
  return r.answer;
exception when data_exception or integrity_constraint_violation then
  perform private.damaged('it has a value that is not allowed');
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

CREATE OR REPLACE FUNCTION private.follow_mail_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    perform private.cancel_job('mailbox', old.id::text);
    perform pg_notify('solo_mail', old.id::text);
    return null;
  end if;
  insert into private.mailboxes (account_id, user_id) values (new.id, new.user_id) on conflict do nothing;
  if tg_op = 'UPDATE' and (old.address, old.login, old.imap_host) is distinct from (new.address, new.login, new.imap_host) then
    -- Another mailbox, whose numbers may look like those of the one before; what is there already is known by its Message-ID.
    update private.mailboxes b set folders = '{}' where b.account_id = new.id;
  end if;
  perform private.read_mailbox_soon(new);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_up(mail private.outgoing_mails, gone jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  who uuid;
  time_zone text := coalesce((select p.time_zone from public.preferences p where p.user_id = mail.user_id), 'UTC');
  made uuid;
begin
  if mail.follow_up_days is null then
    return null;
  end if;
  select p.contact_id into who
  from jsonb_array_elements(gone) with ordinality as r (reported, place)
  cross join lateral private.people_at(mail.user_id, array[lower(r.reported ->> 'address')]) p
  where p.contact_id is not null order by r.place, p.contact_id limit 1;
  insert into public.tasks (user_id, title, due_date, due_all_day, contact_id, deal_id)
  values (mail.user_id, left('Follow up: ' || coalesce(mail.subject, 'email without a subject'), 500),
    private.day_end(((now() at time zone time_zone)::date + mail.follow_up_days + time '12:00') at time zone time_zone, time_zone, false), true, who,
    (select d.id from public.deals d where d.user_id = mail.user_id and d.id = mail.deal))
  returning id into made;
  return made;
end
$function$;

CREATE OR REPLACE FUNCTION private.forget_deliveries()
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  delete from private.webhook_deliveries d where d.created_at < now() - interval '14 days';
  delete from private.webhook_deliveries d
  using (
    select s.id, sum(octet_length(s.body)) over (partition by s.user_id order by s.created_at desc, s.id) as bytes
    from private.webhook_deliveries s where s.status <> 'waiting'
  ) kept
  where d.id = kept.id and kept.bytes > private.most_webhook_bytes();
$function$;

comment on function private.forget_deliveries() is 'Erases what was sent two weeks ago, because it holds data that its owner may have deleted since, and what is more than 50 MB of an account, the oldest first.';

drop function private.further_contacts(jsonb);

CREATE OR REPLACE FUNCTION private.further_contacts(reported jsonb)
 RETURNS TABLE(nth bigint, first_name text, last_name text, email text, role text)
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select e.nth, private.blank_to_null(v.first_name), private.blank_to_null(v.last_name), private.blank_to_null(v.email),
    left(private.blank_to_null(v.role), 60)
  from jsonb_array_elements(case when jsonb_typeof(reported -> 'further_contacts') = 'array' then reported -> 'further_contacts' else '[]' end)
    with ordinality as e (value, nth)
  cross join lateral jsonb_to_record(case when jsonb_typeof(e.value) = 'object' then e.value else '{}' end)
    as v (first_name text, last_name text, email text, role text)
$function$;

comment on function private.further_contacts(jsonb) is 'Whom a row of deals names after its main contact, with their roles; the main one is among them where the row says its role.';

revoke all on function private.further_contacts(jsonb) from public, anon, authenticated, service_role;

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

CREATE OR REPLACE FUNCTION private.has_samples()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from private.actions e
    join public.changes c on c.user_id = e.user_id and c.batch = e.batch and c.verb = 'insert'
    where e.user_id = private.caller() and e.action = 'samples' and (
      exists (select from public.contacts t where t.user_id = e.user_id and t.id = c.row_id)
      or exists (select from public.companies t where t.user_id = e.user_id and t.id = c.row_id)
      or exists (select from public.deals t where t.user_id = e.user_id and t.id = c.row_id)
      or exists (select from public.tasks t where t.user_id = e.user_id and t.id = c.row_id)
    )
  )
$function$;

comment on function private.has_samples() is 'Whether anything is left of what load_sample_data added. A definer because nobody else reads private.actions.';

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

CREATE OR REPLACE FUNCTION private.holds(there text, reported text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(strpos(
    ' ' || regexp_replace(private.fold(there), '[^[:alnum:]]+', ' ', 'g') || ' ',
    ' ' || btrim(regexp_replace(private.fold(reported), '[^[:alnum:]]+', ' ', 'g')) || ' '
  ) > 0, false)
$function$;

comment on function private.holds(text,text) is 'Whether a text says all that another does, word by word and in its order.';

revoke all on function private.holds(text,text) from public, anon, authenticated, service_role;

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
  reported text := btrim(private.fold(words));
  pattern text := private.like_pattern(words);
begin
  if number is not null or reported !~ '\S\s+\S' then
    return private.in_search(kind, private.holds_any(array(
      -- One letter or two, which nearly everything holds, begin a word.
      select case when char_length(p.text) < 5 then '% ' else '%' end || substr(p.text, 2)
      from unnest(array[pattern, number]) p (text)
    )), pattern);
  end if;
  return (
    select string_agg(private.in_search(kind, format('c.search_text like %L', w.pattern), w.pattern), ' and ')
    from regexp_split_to_table(reported, '\s+') s (word)
    cross join lateral (select private.like_pattern(s.word) as pattern) w
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.import_changes(i private.imports, places integer[])
 RETURNS TABLE(place integer, changes jsonb)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query execute (
    select format(
      'select w.place, coalesce(jsonb_object_agg(d.name, jsonb_build_array(d.before, d.after)) filter (where d.name is not null), ''{}'')
       from (
         select r.place, private.values_for(m.target, r.reported) as reported, m.target, null::uuid as company_id
         from private.import_rows r
         join private.import_matches m on m.import_id = r.import_id and m.place = r.place
         where r.import_id = $1.id and r.place = any ($2) and m.target is not null and m.twin is null and not m.is_same
       ) w
       cross join lateral jsonb_to_record(w.reported) as v (note_parts jsonb, %2$s)
       join public.%1$I o on o.id = w.target and (o.user_id = $1.user_id) is true
       left join lateral (select n.* from (values %3$s) as n (name, before, after) where n.before is distinct from n.after) d on true
       group by w.place',
      i.kind,
      string_agg(c.definition, ', '),
      string_agg(format('(%L, to_jsonb(o.%I), to_jsonb(%s))', c.name, c.name, case
        -- Notes that would become too long are refused when they are written, not when they are shown.
        when c.name = 'notes' then format('case when char_length(concat(o.notes, v.notes)) > 49000 then o.notes else %s end', c.changed)
        else c.changed
      end), ', ') filter (where i.kind <> 'deals' or c.is_plain)
        || case when i.kind = 'contacts' then
          ', (''company'', to_jsonb((select k.name from public.companies k where k.user_id = o.user_id and k.id = o.company_id)), (
            select to_jsonb(case when private.fold(k.name) = private.fold(w.reported ->> ''company'') then k.name else coalesce(w.reported ->> ''company'', k.name) end)
            from (select (select k.name from public.companies k where k.user_id = o.user_id and k.id = o.company_id) as name) k
          ))'
        else '' end)
    from private.import_columns(i.kind) c
  ) using i, places;
end
$function$;

drop function private.import_writes(private.imports,text);

CREATE OR REPLACE FUNCTION private.import_writes(i private.imports, duplicates text)
 RETURNS TABLE(place integer, reported jsonb, target uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select r.place, r.reported, case when duplicates = 'update' then m.target end
  from private.import_rows r
  left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
  where r.import_id = i.id and r.problem is null
    and (m.place is null or duplicates = 'create' or duplicates = 'update' and m.twin is null and not m.is_same)
$function$;

comment on function private.import_writes(private.imports,text) is 'The rows that are written: a new record where there is no target, else a change of it.';

revoke all on function private.import_writes(private.imports,text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.imported_custom(owner uuid, there jsonb, reported jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  reported := jsonb_strip_nulls(coalesce(reported, '{}'));
  if there @> reported and not exists (select from jsonb_each(reported) s where s.value <> there -> s.key) then
    return there;
  end if;
  return there || coalesce((
    select jsonb_object_agg(s.key, case
      when jsonb_typeof(s.value) = 'array' and jsonb_typeof(there -> s.key) = 'array' then (there -> s.key) || coalesce((
        select jsonb_agg(m.value order by m.place) from jsonb_array_elements(s.value) with ordinality as m (value, place)
        where not there -> s.key @> jsonb_build_array(m.value)
      ), '[]')
      when f.kind = 'long text' and private.holds(there ->> s.key, s.value #>> '{}') then there -> s.key
      else s.value
    end)
    from jsonb_each(reported) s
    left join public.fields f on f.user_id = owner and f.id::text = s.key
  ), '{}');
end
$function$;

comment on function private.imported_custom(uuid,jsonb,jsonb) is 'The values of own fields after a row of an import: several choices are added to, and a long text that says more stays.';

revoke all on function private.imported_custom(uuid,jsonb,jsonb) from public, anon, authenticated, service_role;

drop function private.imported_email(public.contacts,text,jsonb);

CREATE OR REPLACE FUNCTION private.imported_email(contact public.contacts, reported text, entries jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when reported is null or private.has_entry(contact.emails, lower(reported)) then contact.email
    -- There is no room for it.
    when not private.has_entry(private.fitting_entries('emails', contact.emails, entries), lower(reported)) then contact.email
    else reported
  end
$function$;

comment on function private.imported_email(public.contacts,text,jsonb) is 'The first address of a contact after a row of an import that says one.';

revoke all on function private.imported_email(public.contacts,text,jsonb) from public, anon, authenticated, service_role;

drop function private.imported_phone(public.contacts,text);

CREATE OR REPLACE FUNCTION private.imported_phone(contact public.contacts, reported text)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when reported is null or jsonb_array_length(contact.phones) >= 20 or exists (
    select from jsonb_array_elements(contact.phones) e
    where lower(e.value ->> 'value') = lower(reported) or private.is_same_number(e.value ->> 'value', reported)
  ) then contact.phone_number else reported end
$function$;

comment on function private.imported_phone(public.contacts,text) is 'The first phone number of a contact after a row of an import that says one.';

revoke all on function private.imported_phone(public.contacts,text) from public, anon, authenticated, service_role;

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

CREATE OR REPLACE FUNCTION private.is_this_moment(value jsonb)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select case when jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$'
    then (value #>> '{}')::timestamptz between now() and clock_timestamp() else false end
$function$;

comment on function private.is_this_moment(jsonb) is 'Whether a value is the time at which this transaction wrote it.';

revoke all on function private.is_this_moment(jsonb) from public, anon, authenticated, service_role;

grant execute on function private.is_this_moment(jsonb) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.is_waiting(proposal private.proposals)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select proposal.created_at > now() - interval '14 days' and not exists (
    -- Proposed in the moment in which it was revoked.
    select from private.access_tokens t where t.id = proposal.token_id and t.revoked_at is not null
  )
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

drop function private.keeps_name(public.contacts,jsonb);

CREATE OR REPLACE FUNCTION private.keeps_name(contact public.contacts, reported jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case reported ->> 'name_from'
    -- A name beside an address is not the file's word for the person.
    when 'address' then coalesce(contact.first_name, contact.last_name) is not null
    -- Where a full name ends is a guess; what was written by hand is none.
    when 'full name' then private.fold(concat_ws(' ', contact.first_name, contact.last_name))
        = private.fold(concat_ws(' ', reported ->> 'first_name', reported ->> 'last_name'))
      or contact.last_name is not null and not reported ? 'last_name'
    else false
  end
$function$;

comment on function private.keeps_name(public.contacts,jsonb) is 'Whether a contact keeps its name, because the row only guesses at one.';

revoke all on function private.keeps_name(public.contacts,jsonb) from public, anon, authenticated, service_role;

drop function private.kept_notes(jsonb);

CREATE OR REPLACE FUNCTION private.kept_notes(reported jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select string_agg(e.value, E'\n' order by e.place)
  from jsonb_array_elements_text(case when jsonb_typeof(reported -> 'kept_notes') = 'array' then reported -> 'kept_notes' else '[]' end)
    with ordinality as e (value, place)
$function$;

comment on function private.kept_notes(jsonb) is 'What a row of deals or companies says and no field can hold, such as a stage that the status overrules.';

revoke all on function private.kept_notes(jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.kept_sent(mail private.outgoing_mails, gone jsonb, sender text, sender_name text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  kept uuid;
  others text[] := array(select lower(r ->> 'address') from jsonb_array_elements(gone) r);
begin
  -- As with mails that are read: of one that concerns nobody who is known, nothing is kept. For a deal it is, as private.link_mail says, if
  -- nobody on it is left out.
  if not exists (select from private.concerned(mail.user_id, 'out', lower(sender), others))
    and (mail.deal is null or private.left_out(mail.user_id, others || lower(sender)) <> '{}')
  then
    return null;
  end if;
  insert into public.mails as m (user_id, account_id, message_id, refs, direction, sender, sender_name, recipients, subject, snippet, body_text,
    body_html, sent_at, attachments, deal)
  values (mail.user_id, mail.account_id, mail.message_id, mail.refs, 'out', sender, sender_name, gone, mail.subject,
    private.one_line(regexp_replace(mail.body_text, '(^|\n)>[^\n]*', '', 'g'), 200), nullif(btrim(mail.body_text, E' \n\r\t'), ''), mail.body_html,
    coalesce(mail.tried_at, now()), (
      select coalesce(jsonb_agg(jsonb_build_object('part', (f.place + 1)::text, 'name', f.reported ->> 'name', 'type', f.reported ->> 'type',
        'size', f.reported -> 'size', 'cid', null, 'sha256', f.reported ->> 'sha256') order by f.place), '[]')
      from jsonb_array_elements(mail.attachments) with ordinality as f (reported, place)
    ), mail.deal)
  -- Its copy may have been read in the mailbox already, which knows neither hidden recipients nor the deal.
  on conflict (user_id, message_id) do update set recipients = excluded.recipients, deal = coalesce(excluded.deal, m.deal)
    where not m.is_private
  returning m.id into kept;
  return kept;
end
$function$;

CREATE OR REPLACE FUNCTION private.know_sent(account uuid, folder text, validity bigint, seen jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  box public.mail_accounts;
  found_ids text[] := array(select s ->> 'message_id' from jsonb_array_elements(seen) s);
begin
  select a.* into box from public.mail_accounts a where a.id = account;
  -- Whatever we thought: what lies in the sent folder has left. What is just being sent notes that itself.
  perform private.note_sent(o.id) from private.outgoing_mails o
  where o.user_id = box.user_id and o.message_id = any (found_ids) and (
    o.handed_at is not null and (o.state = 'failed' or o.state = 'sending' and o.tried_at < now() - interval '10 minutes')
    or o.may_have_left and o.state in ('planned', 'stopped')
  );
  perform private.note_copy(o.id, null) from private.outgoing_mails o
  where o.user_id = box.user_id and o.message_id = any (found_ids) and o.needs_copy;
  update public.mails m set account_id = box.id, folder = know_sent.folder, folder_validity = validity, uid = (s ->> 'uid')::bigint
  from jsonb_array_elements(seen) s
  where m.user_id = box.user_id and m.message_id = s ->> 'message_id' and m.direction = 'out' and m.folder is null and not m.is_private;
end
$function$;

drop function private.known_contacts(uuid,jsonb,boolean,uuid,boolean);

CREATE OR REPLACE FUNCTION private.known_contacts(me uuid, reported jsonb, has_company boolean, company uuid, is_alone boolean)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

comment on function private.known_contacts(uuid,jsonb,boolean,uuid,boolean) is 'The contacts that may be meant, likeliest first: by address, by number, by name, or, unless that is all the line says, by one of their names; never one of whom something else is known than was said.';

revoke all on function private.known_contacts(uuid,jsonb,boolean,uuid,boolean) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.left_sending(account uuid)
 RETURNS SETOF private.outgoing_mails
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Its end was never sent, so it has not left.
  update private.outgoing_mails o set state = 'planned'
  where o.account_id = account and o.state = 'sending' and o.handed_at is null;
  return query select o.* from private.outgoing_mails o
  where o.account_id = account and o.state = 'sending' and o.held_until <= now() order by o.send_at;
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

CREATE OR REPLACE FUNCTION private.link_import_people(i private.imports, after bigint, last bigint)
 RETURNS uuid[]
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with linked as (
    insert into public.deal_contacts (user_id, deal_id, contact_id, role, position)
    select i.user_id, d.id, p.contact_id, (array_agg(p.role order by p.nth) filter (where p.role is not null))[1],
      (select coalesce(max(k.position), 0) from public.deal_contacts k where k.user_id = i.user_id and k.deal_id = d.id) + min(p.nth)
    from private.import_people p
    join private.import_plans w on w.import_id = p.import_id and w.place = p.place
    join public.deals d on d.user_id = i.user_id and d.id = w.record_id
    where p.import_id = i.id and p.place > after and p.place <= last
      -- Of the main one only a role is kept here.
      and (p.role is not null or p.contact_id is distinct from d.contact_id)
      and not exists (
        select from public.deal_contacts k where k.user_id = i.user_id and k.deal_id = d.id and k.contact_id = p.contact_id
      )
    -- One person may be named by a name and by an address.
    group by d.id, p.contact_id
    returning deal_id
  ),
  -- Another role was given by hand.
  given as (
    update public.deal_contacts k set role = n.role
    from (
      select d.id as deal_id, p.contact_id, (array_agg(p.role order by p.nth))[1] as role
      from private.import_people p
      join private.import_plans w on w.import_id = p.import_id and w.place = p.place
      join public.deals d on d.user_id = i.user_id and d.id = w.record_id
      where p.import_id = i.id and p.place > after and p.place <= last and p.role is not null
      group by d.id, p.contact_id
    ) n
    where k.user_id = i.user_id and k.deal_id = n.deal_id and k.contact_id = n.contact_id and k.role is null
    returning k.deal_id
  ),
  done as (delete from private.import_people p where p.import_id = i.id and p.place > after and p.place <= last)
  select coalesce(array_agg(l.deal_id), '{}') from (select deal_id from linked union select deal_id from given) l
$function$;

comment on function private.link_import_people(private.imports,bigint,bigint) is 'Puts the further contacts of some rows on their deals, and gives a role to those who have none; tells which deals got one.';

CREATE OR REPLACE FUNCTION private.longest_answer()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select 5000000 $function$;

comment on function private.longest_answer() is 'The most bytes of an answer to a call with a token, as the database holds it.';

revoke all on function private.longest_answer() from public, anon, authenticated, service_role;

grant execute on function private.longest_answer() to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.look_again(id uuid, tries integer, again_in double precision)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.outgoing_mails o set held_until = now() + make_interval(secs => again_in)
  where o.id = look_again.id and o.state = 'sending' and o.tries = look_again.tries
$function$;

comment on function private.look_again(uuid,integer,double precision) is 'Of a mail nobody knows whether it has left: the sent folder is looked at once more in so many seconds, since a provider may need a moment to store it.';

revoke all on function private.look_again(uuid,integer,double precision) from public, anon, authenticated, service_role;

drop function private.mail_files(uuid,jsonb);

CREATE OR REPLACE FUNCTION private.mail_files(me uuid, reported jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  files jsonb;
begin
  if coalesce(reported, 'null') in ('null', '[]') then
    return '[]';
  end if;
  if jsonb_typeof(reported) <> 'array' or jsonb_array_length(reported) > 50 then
    raise exception 'An email takes at most 50 files. Nothing was sent.' using errcode = 'PT400';
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('file', f.id, 'name', f.name, 'type', f.type, 'size', f.size, 'sha256', f.sha256) order by w.place), '[]')
  into files
  from jsonb_array_elements_text(reported) with ordinality as w (id, place)
  join public.files f on f.user_id = me and f.id = w.id::uuid;
  if jsonb_array_length(files) < jsonb_array_length(reported) then
    raise exception 'A file of this email no longer exists. Nothing was sent; remove it from the email, or add it again.' using errcode = 'PT409';
  end if;
  if (select sum((f ->> 'size')::bigint) > 25 * 1048576 from jsonb_array_elements(files) f) then
    raise exception 'The files of this email are larger than 25 MB together, which hardly any mailbox takes. Nothing was sent.' using errcode = 'PT413';
  end if;
  return files;
end
$function$;

comment on function private.mail_files(uuid,jsonb) is 'What is attached to a planned mail: {"file", "name", "type", "size", "sha256"}. The content is kept until it has left.';

revoke all on function private.mail_files(uuid,jsonb) from public, anon, authenticated, service_role;

grant execute on function private.mail_files(uuid,jsonb) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.mail_on_timeline(mail public.mails)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('kind', 'mail', 'mail', jsonb_build_object(
    'id', mail.id, 'thread', mail.thread, 'direction', mail.direction, 'sender', mail.sender, 'sender_name', mail.sender_name,
    'recipients', mail.recipients, 'subject', mail.subject, 'snippet', mail.snippet, 'sent_at', mail.sent_at,
    'attachments', jsonb_array_length(mail.attachments), 'is_automatic', mail.is_automatic, 'is_doubtful', mail.is_doubtful))
$function$;

comment on function private.mail_on_timeline(public.mails) is 'A mail as a timeline shows it.';

revoke all on function private.mail_on_timeline(public.mails) from public, anon, authenticated, service_role;

grant execute on function private.mail_on_timeline(public.mails) to authenticated, service_role;

drop function private.mail_people(jsonb,text);

CREATE OR REPLACE FUNCTION private.mail_people(reported jsonb, role text)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  person jsonb;
  people jsonb := '[]';
  address text;
begin
  if reported is null or reported = 'null' then
    return people;
  end if;
  if jsonb_typeof(reported) <> 'array' then
    raise exception 'The recipients of an email cannot be read. Nothing was sent.' using errcode = 'PT400';
  end if;
  for person in select * from jsonb_array_elements(reported) loop
    address := btrim(person ->> 'address', ' ');
    -- Without what a mail server reads as something else: quotes, groups, routes, lines.
    if address is null or char_length(address) > 320
      or address !~ '^[^\u0001-\u0020\u007f-\u00a0\u2028\u2029\s@<>,;:"()\[\]\\]+@[^\u0001-\u0020\u007f-\u00a0\u2028\u2029\s@<>,;:"()\[\]\\]+$'
    then
      raise exception '“%” is not an email address. Nothing was sent.', coalesce(private.one_line(address, 80), '') using errcode = 'PT400';
    end if;
    people := people || jsonb_build_object('role', role, 'name', coalesce(private.one_line(person ->> 'name', 200), ''), 'address', address);
  end loop;
  return people;
end
$function$;

comment on function private.mail_people(jsonb,text) is 'Recipients as they are stored: {"role", "name", "address"}; refuses what is no address.';

revoke all on function private.mail_people(jsonb,text) from public, anon, authenticated, service_role;

grant execute on function private.mail_people(jsonb,text) to authenticated, service_role;

drop function private.mail_recipients(jsonb);

CREATE OR REPLACE FUNCTION private.mail_recipients(reported jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  people jsonb := private.mail_people(reported -> 'to', 'to') || private.mail_people(reported -> 'cc', 'cc') || private.mail_people(reported -> 'bcc', 'bcc');
begin
  -- Everybody once, where they stand first.
  people := (
    select coalesce(jsonb_agg(d.person order by d.place), '[]')
    from (
      select distinct on (lower(p.person ->> 'address')) p.person, p.place
      from jsonb_array_elements(people) with ordinality as p (person, place)
      order by lower(p.person ->> 'address'), p.place
    ) d
  );
  if people = '[]' then
    raise exception 'An email needs a recipient. Nothing was sent.' using errcode = 'PT400';
  end if;
  if jsonb_array_length(people) > 100 then
    raise exception 'An email goes to at most 100 people at once. Nothing was sent; send it to each one individually instead.' using errcode = 'PT400';
  end if;
  return people;
end
$function$;

comment on function private.mail_recipients(jsonb) is 'Everybody a planned mail goes to, once.';

revoke all on function private.mail_recipients(jsonb) from public, anon, authenticated, service_role;

grant execute on function private.mail_recipients(jsonb) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.map_links(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  link record;
begin
  for link in
    select k.* from private.links k
    where k.table_name in (select b.kind from private.backup_kinds() b)
    -- A stage is known by its pipeline and its name, a place in a collection by both its ends.
    order by array_position(array['pipeline_stages', 'collection_members'], k.table_name) nulls last
  loop
    execute format(
      'update private.restore_rows s set reported = s.reported || jsonb_build_object(%2$L, coalesce(
         (select p.new_id from private.restore_rows p
          where p.restore_id = $2 and p.kind = %3$L and p.old_id = (s.reported ->> %2$L)::uuid limit 1),
         (select p.id from public.%3$I p where p.user_id = $1 and p.id = (s.reported ->> %2$L)::uuid)
       ))
       -- Read here, because the plans of the two above may never look at what is no id.
       where s.restore_id = $2 and s.kind = %1$L and s.is_new and (s.reported ->> %2$L)::uuid is not null',
      link.table_name, link.column_name, link.parent_name)
    using me, restore;
    if link.table_name = 'pipeline_stages' then
      update private.restore_rows s set new_id = t.id, is_new = false
      from public.pipeline_stages t
      where s.restore_id = restore and s.kind = 'pipeline_stages' and s.is_new
        and t.user_id = me and t.pipeline_id = (s.reported ->> 'pipeline_id')::uuid and t.name = s.reported ->> 'name';
    end if;
  end loop;
  perform private.place_own_values(me, restore);
  -- Of a pair the smaller id stands first, also where both are new.
  update private.restore_rows s set reported = s.reported || jsonb_build_object(
    'one_contact_id', least(s.reported ->> 'one_contact_id', s.reported ->> 'other_contact_id'),
    'other_contact_id', greatest(s.reported ->> 'one_contact_id', s.reported ->> 'other_contact_id'),
    'one_company_id', least(s.reported ->> 'one_company_id', s.reported ->> 'other_company_id'),
    'other_company_id', greatest(s.reported ->> 'one_company_id', s.reported ->> 'other_company_id'))
  where s.restore_id = restore and s.kind = 'not_duplicates' and s.is_new
    and num_nonnulls(s.reported ->> 'one_contact_id', s.reported ->> 'other_contact_id',
      s.reported ->> 'one_company_id', s.reported ->> 'other_company_id') = 2;
  update private.restore_rows s set is_new = false
  from public.not_duplicates t
  where s.restore_id = restore and s.kind = 'not_duplicates' and s.is_new and t.user_id = me and (
    t.one_contact_id = (s.reported ->> 'one_contact_id')::uuid and t.other_contact_id = (s.reported ->> 'other_contact_id')::uuid
    or t.one_company_id = (s.reported ->> 'one_company_id')::uuid and t.other_company_id = (s.reported ->> 'other_company_id')::uuid
  );
  update private.restore_rows s set is_new = false
  from public.collection_members t
  where s.restore_id = restore and s.kind = 'collection_members' and s.is_new and t.user_id = me
    and t.collection_id = (s.reported ->> 'collection_id')::uuid and t.contact_id = (s.reported ->> 'contact_id')::uuid;
end
$function$;

CREATE OR REPLACE FUNCTION private.match_deal_columns(i private.imports)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET jit TO 'off'
AS $function$
declare
  -- What no row of the file says tells no deals apart.
  says record;
  rows private.deal_side[];
  theirs private.deal_side[];
  -- By the oldest pipeline's name, where a row names none.
  usual text;
begin
  -- Rows of one file that say the same are one deal; those that do not are several.
  insert into private.import_matches (import_id, user_id, place, twin, is_by_email)
  select i.id, i.user_id, r.place, r.first_place, false
  from (
    select n.place, min(n.place) over (partition by n.name_key, n.reported) as first_place
    from private.import_rows n where n.import_id = i.id and n.problem is null
  ) r
  where r.first_place < r.place;

  select
    coalesce(bool_or(r.reported ?| array['contact_email', 'contact_first_name', 'contact_last_name']), false) as contact,
    coalesce(bool_or(r.reported ? 'created_at'), false) as created_at,
    coalesce(bool_or(r.reported ? 'value'), false) as value,
    coalesce(bool_or(r.reported ? 'expected_close_date'), false) as expected_close_date,
    coalesce(bool_or(r.reported ? 'pipeline'), false) as pipeline,
    coalesce(bool_or(r.reported ? 'stage'), false) as stage
  into says
  from private.import_rows r where r.import_id = i.id and r.problem is null;

  theirs := array(
    select row(null, d.id, d.created_at, t.key, array[
      case when says.created_at then date_trunc('milliseconds', d.created_at)::text end,
      concat_ws(E'\n',
        case when says.value then d.value::text end,
        case when says.expected_close_date then coalesce(d.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(p.name), '-') end,
        case when says.stage then coalesce(private.fold(s.name), '-') end),
      case when says.value then d.value::text end,
      ''
    ])::private.deal_side
    from public.deals d
    left join public.companies k on k.user_id = d.user_id and k.id = d.company_id
    left join public.contacts c on c.user_id = d.user_id and c.id = d.contact_id
    left join public.pipelines p on p.user_id = d.user_id and p.id = d.pipeline_id
    left join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
    -- A contact is known by its addresses and by its name; a file may say either.
    cross join lateral unnest(case
      when not says.contact then array['']
      when d.contact_id is null then array['nobody']
      else array['@' || lower(c.email), '=' || private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), ''))]
        || case when jsonb_array_length(c.emails) > 1 then array(
          select '@' || lower(e.value ->> 'value') from jsonb_array_elements(c.emails - 0) e
        ) end
    end) as b (contact)
    cross join lateral (select private.fold(d.name || E'\n' || coalesce(k.name, '')) as name_key) n
    cross join lateral (select n.name_key || E'\n' || b.contact as key) t
    where d.user_id = i.user_id and b.contact is not null
      and n.name_key in (select r.name_key from private.import_rows r where r.import_id = i.id and r.problem is null)
  );
  if cardinality(theirs) = 0 then
    return;
  end if;

  select private.fold(p.name) into usual from public.pipelines p where p.user_id = i.user_id order by p.created_at, p.id limit 1;
  rows := array(
    select row(r.place, null, null, r.name_key || E'\n' || case
      when not says.contact then ''
      when v.contact_email is not null then '@' || lower(v.contact_email)
      else coalesce('=' || private.fold(nullif(concat_ws(' ', v.contact_first_name, v.contact_last_name), '')), 'nobody')
    end, array[
      date_trunc('milliseconds', v.created_at)::text,
      concat_ws(E'\n',
        case when says.value then round(coalesce(v.value, 0), 2)::text end,
        case when says.expected_close_date then coalesce(v.expected_close_date::text, '-') end,
        case when says.pipeline then coalesce(private.fold(v.pipeline), usual, '-') end,
        case when says.stage then coalesce(private.fold(v.stage), '-') end),
      case when says.value then round(coalesce(v.value, 0), 2)::text end,
      ''
    ])::private.deal_side
    from private.import_rows r
    cross join lateral jsonb_to_record(r.reported) as v (
      value numeric, expected_close_date date, pipeline text, stage text, created_at timestamptz,
      contact_email text, contact_first_name text, contact_last_name text
    )
    left join private.import_matches m on m.import_id = r.import_id and m.place = r.place
    where r.import_id = i.id and r.problem is null and m.place is null
  );

  -- Each row gets one deal of its own: first the one of the same moment, then the one that says the same, then the one of
  -- the same value, and of what is left the newest, since rows are stored in that order.
  for step in 1..4 loop
    insert into private.import_matches (import_id, user_id, place, target, is_by_email)
    select distinct on (t.id) i.id, i.user_id, r.place, t.id, false
    from (
      select u.place, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.place) as number
      from unnest(rows) u
      left join private.import_matches m on m.import_id = i.id and m.place = u.place
      where u.likeness[step] is not null and m.place is null
    ) r
    join (
      select u.id, u.key, u.likeness[step] as likeness,
        row_number() over (partition by u.key, u.likeness[step] order by u.created_at desc, u.id) as number
      from unnest(theirs) u
      left join private.import_matches m on m.import_id = i.id and m.target = u.id
      where u.likeness[step] is not null and m.place is null
    ) t on t.key = r.key and t.likeness = r.likeness and t.number = r.number
    order by t.id, r.place;
  end loop;

  execute (
    select format(
      'update private.import_matches m set is_same = true
       from private.import_rows r
       cross join lateral jsonb_to_record(r.reported) as v (pipeline text, stage text, closed_at timestamptz, %s), public.deals o
       left join public.pipelines p on p.user_id = o.user_id and p.id = o.pipeline_id
       left join public.pipeline_stages s on s.user_id = o.user_id and s.id = o.stage_id
       where m.import_id = $1.id and r.import_id = $1.id and r.place = m.place and o.user_id = $1.user_id and o.id = m.target
         and %s
         and coalesce(private.fold(v.pipeline) = private.fold(p.name), v.pipeline is null)
         and coalesce(private.fold(v.stage) = private.fold(s.name), v.stage is null)
         -- These two are stored of closed deals only.
         and (s.outcome is distinct from ''lost'' or coalesce(v.lost_reason, o.lost_reason) is not distinct from o.lost_reason)
         and (o.closed_at is null or coalesce(v.closed_at, o.closed_at) >= date_trunc(''milliseconds'', o.closed_at)
           and coalesce(v.closed_at, o.closed_at) <= o.closed_at)',
      string_agg(c.definition, ', '),
      string_agg(format('%s is not distinct from o.%I', c.changed, c.name), ' and ') filter (where c.is_plain))
    from private.import_columns('deals') c
  ) using i;
end
$function$;

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
  -- Only a deal that is lost has a reason for it.
  update private.import_rows r set reported = (r.reported - 'lost_reason' - 'lost_note')
    || jsonb_build_object('kept_notes', coalesce(r.reported -> 'kept_notes', '[]') || jsonb_build_array(r.reported -> 'lost_note'))
  where r.import_id = i.id and r.problem is null and r.reported ? 'lost_note' and not exists (
    select from private.import_matches m
    join public.deals d on d.id = m.target and d.user_id = i.user_id
    join public.pipeline_stages s on s.user_id = d.user_id and s.id = d.stage_id
    where m.import_id = i.id and m.place = r.place and s.outcome = 'lost'
  );
  places := array(
    select m.place from private.import_matches m
    join private.import_rows r on r.import_id = m.import_id and r.place = m.place
    where m.import_id = i.id and m.is_same and r.reported ?| array['person', 'organisation']
  );
  if places <> '{}' then
    update private.import_matches m set is_same = false
    where m.import_id = i.id and m.place in (select b.place from private.related_changes(i, places) b where b.changes <> '{}');
  end if;
  update private.import_matches m set is_same = false
  from private.import_rows r
  where m.import_id = i.id and m.is_same and r.import_id = i.id and r.place = m.place
    and r.reported ?| array['further_contacts', 'kept_notes'] and private.adds_to_deal(m.target, r.reported);
end
$function$;

comment on function private.match_deals(private.imports) is 'As match_deal_columns; a deal that lacks a contact of the row, or its note, does not say the same, nor does one whose contact or company the row would change, and one that was closed must say when.';

CREATE OR REPLACE FUNCTION private.match_import(i private.imports)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET jit TO 'off'
AS $function$
begin
  if (select count(*) from private.import_rows r where r.import_id = i.id) <> i.total then
    raise exception 'The file has not arrived whole. Please send it again.' using errcode = 'PT409';
  end if;
  delete from private.import_matches m where m.import_id = i.id;
  if i.kind = 'deals' then
    perform private.match_deals(i);
    return;
  end if;
  with theirs as materialized (
    select * from private.records_of(i.user_id, i.kind)
  ),
  by_name as (
    select distinct on (t.name_key) t.name_key, t.id from theirs t where t.name_key is not null order by t.name_key, t.created_at, t.id
  ),
  by_name_alone as (
    select distinct on (t.name_key) t.name_key, t.id from theirs t where t.email_key is null order by t.name_key, t.created_at, t.id
  ),
  addresses as materialized (
    select r.place, k.email_key, k.nth,
      private.fold(nullif(concat_ws(' ', r.reported ->> 'first_name', r.reported ->> 'last_name'), '')) as called
    from private.import_rows r cross join lateral unnest(r.email_keys) with ordinality as k (email_key, nth)
    where r.import_id = i.id and r.problem is null
  ),
  -- Of several addresses the first that somebody has. One that is a further address of both, as that of an office is, makes no
  -- two people of different names one.
  at_address as (
    select distinct on (a.place) a.place, t.id
    from addresses a
    join theirs t on t.email_key = a.email_key
    left join public.contacts c on a.nth > 1 and c.id = t.id
    where c.id is null or lower(c.email) = a.email_key
      or coalesce(a.called = private.fold(nullif(concat_ws(' ', c.first_name, c.last_name), '')), true)
    order by a.place, a.nth, t.created_at, t.id
  ),
  row_keys as materialized (
    select r.place, r.name_key, k.key
    from private.import_rows r
    cross join lateral private.match_keys(i.kind, r.reported -> 'links', r.reported ->> 'website', r.reported -> 'emails', r.reported -> 'phones') k (key)
    where r.import_id = i.id and r.problem is null
  ),
  their_keys as materialized (
    select c.id, k.key from public.contacts c cross join lateral private.match_keys('contacts', c.links, null, null, null) k (key)
    where i.kind = 'contacts' and c.user_id = i.user_id and exists (select from row_keys)
    union all
    select c.id, k.key from public.companies c cross join lateral private.match_keys('companies', null, c.website, c.emails, c.phones) k (key)
    where i.kind = 'companies' and c.user_id = i.user_id and exists (select from row_keys)
  ),
  meant as materialized (
    select r.place, r.name_key, (array_agg(t.id))[1] as id
    from row_keys r join their_keys t on t.key = r.key
    group by r.place, r.name_key having count(distinct t.id) = 1
  ),
  -- Companies of one site, as those of a group, are several: what two names of the file could mean is neither's.
  at_key as (
    select m.place, m.id from meant m
    where i.kind = 'contacts' or not exists (select from meant o where o.id = m.id and o.name_key <> m.name_key)
      and not exists (
        select from by_name n join private.import_rows r on r.import_id = i.id and r.name_key = n.name_key
        where n.id = m.id and n.name_key <> m.name_key
      )
  ),
  -- Two people of one name and company with two addresses are two; an address against none does not part them.
  known as materialized (
    select r.place, r.email_key, r.name_key, e.id is not null as is_by_email,
      case when i.kind = 'contacts' then coalesce(e.id, p.id, n.id, a.id) else coalesce(n.id, p.id) end as target
    from private.import_rows r
    left join at_address e on e.place = r.place
    left join at_key p on p.place = r.place
    left join by_name n on n.name_key = r.name_key and r.email_key is null
    left join by_name_alone a on a.name_key = r.name_key and r.email_key is not null
    where r.import_id = i.id and r.problem is null
  ),
  first_of_address as (select distinct on (a.email_key) a.* from addresses a order by a.email_key, a.place),
  first_email as (
    select a.place as of_place, min(f.place) as place
    from addresses a
    join first_of_address f on f.email_key = a.email_key
    where least(a.nth, f.nth) = 1 or coalesce(a.called = f.called, true)
    group by 1
  ),
  first_name as (
    select k.name_key, min(k.place) as place, min(k.place) filter (where k.email_key is null) as place_alone from known k group by 1
  ),
  first_profile as (
    select r.place as of_place, min(o.place) as place from row_keys r join row_keys o on o.key = r.key where i.kind = 'contacts' group by 1
  ),
  first_target as (select k.target, min(k.place) as place from known k where k.target is not null group by 1)
  insert into private.import_matches (import_id, user_id, place, target, twin, is_by_email)
  select i.id, i.user_id, k.place, k.target,
    -- A record that is there is surer than a row of the file under the same name.
    case
      when k.target is not null then nullif(t.place, k.place)
      else nullif(least(e.place, l.place, case when k.email_key is null then n.place else n.place_alone end, k.place), k.place)
    end,
    case when k.target is null then coalesce(e.place < k.place, false) else k.is_by_email end
  from known k
  left join first_email e on e.of_place = k.place
  left join first_profile l on l.of_place = k.place
  left join first_name n on n.name_key = k.name_key
  left join first_target t on t.target = k.target
  where k.target is not null or e.place < k.place or l.place < k.place
    or case when k.email_key is null then n.place else n.place_alone end < k.place;
end
$function$;

comment on function private.match_import(private.imports) is 'Finds which rows are there already, as a record or earlier in the file: contacts by one of their e-mail addresses, their profile, or name and company; companies by name, or else by site, address or number where only one has it.';

CREATE OR REPLACE FUNCTION private.match_keys(kind text, links jsonb, website text, emails jsonb, phones jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select 'profile ' || k.key
  from jsonb_array_elements(case when kind = 'contacts' then private.entries_in(links) else '[]' end) e
  cross join lateral (select private.profile_key(regexp_replace(e.value ->> 'value', '^(?!https?://)', 'https://', 'i')) as key) k
  where k.key is not null
  union all
  select 'site ' || k.key
  from (select regexp_replace(regexp_replace(lower(website), '^(https?://)?(www[.])?', ''), '[/#?]+$', '') as key) k
  where kind = 'companies' and k.key <> ''
  union all
  select 'mail ' || lower(e.value ->> 'value')
  from jsonb_array_elements(case when kind = 'companies' then private.entries_in(emails) else '[]' end) e
  union all
  select 'phone ' || k.key
  from jsonb_array_elements(case when kind = 'companies' then private.entries_in(phones) else '[]' end) e
  cross join lateral (select regexp_replace(e.value ->> 'value', '[^0-9]', '', 'g') as key) k
  where length(k.key) >= 7
$function$;

comment on function private.match_keys(text,jsonb,text,jsonb,jsonb) is 'By what a contact or a company is known beside its name and a contact''s addresses: profiles of people; sites, addresses and numbers of companies.';

revoke all on function private.match_keys(text,jsonb,text,jsonb,jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.most_webhook_bytes()
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select 50000000 $function$;

comment on function private.most_webhook_bytes() is 'The most bytes of messages that wait for the webhooks of an account, and of those that are kept after they were sent.';

revoke all on function private.most_webhook_bytes() from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.name_action(action text, about text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.actions (user_id, batch, action, about)
  values (private.caller(), private.current_batch(), name_action.action, left(name_action.about, 255))
  on conflict (user_id, batch) do update set action = excluded.action, about = excluded.about
$function$;

comment on function private.name_action(text,text) is 'Called by what writes many rows for one purpose, so that the history tells the purpose: an import, a merge, a backup. A definer because nobody else writes private.actions.';

revoke all on function private.name_action(text,text) from public, anon, authenticated, service_role;

grant execute on function private.name_action(text,text) to authenticated, service_role;

revoke all on function private.names_of_fields(uuid,uuid[],jsonb,jsonb) from public, anon, authenticated, service_role;

grant execute on function private.names_of_fields(uuid,uuid[],jsonb,jsonb) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.national_number(phone_number text, digits text)
 RETURNS TABLE(number text)
 LANGUAGE sql
 STABLE
AS $function$
  select ltrim(case
    when i.reported is null then digits
    -- Country codes: one digit for North America and Russia, else two or three, by their first two digits.
    when left(i.reported, 1) in ('1', '7') then substr(i.reported, 2)
    when left(i.reported, 2) in ('20', '27', '30', '31', '32', '33', '34', '36', '39', '40', '41', '43', '44', '45', '46',
      '47', '48', '49', '51', '52', '53', '54', '55', '56', '57', '58', '60', '61', '62', '63', '64', '65', '66', '81', '82',
      '84', '86', '90', '91', '92', '93', '94', '95', '98') then substr(i.reported, 3)
    else substr(i.reported, 4)
  end, '0')
  from (
    select case
      when strpos(phone_number, '+') in (1, 2) then digits
      when digits like '00%' then substr(digits, 3)
    end as reported
  ) i
$function$;

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

CREATE OR REPLACE FUNCTION private.new_lines(company uuid, reported jsonb)
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
      string_to_array(private.kept_notes(reported), E'\n')
      || private.entries_beyond('emails', c.emails, reported -> 'emails') || private.entries_beyond('phones', c.phones, reported -> 'phones')
      || private.entries_beyond('addresses', c.addresses, reported -> 'addresses')
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

CREATE OR REPLACE FUNCTION private.newest_change(account uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- The fifty newest batches, because of two transactions the one that began first may be committed last. From batch to batch by
  -- the index, however many rows each has. And the fifty newest rows, because a write that waited on a device, or that joins an
  -- older batch, is logged at an earlier moment than others.
  with recursive steps as (
    (
      select 1 as number, c.created_at, c.batch from public.changes c
      where c.user_id = account order by c.created_at desc, c.batch desc limit 1
    )
    union all
    select s.number + 1, n.created_at, n.batch
    from steps s
    cross join lateral (
      select c.created_at, c.batch from public.changes c
      where c.user_id = account and (c.created_at, c.batch) < (s.created_at, s.batch)
      order by c.created_at desc, c.batch desc limit 1
    ) n
    where s.number < 50
  )
  select md5(concat_ws(' ',
    (select string_agg(s.batch::text, ' ' order by s.number) from steps s),
    (select string_agg(n.id::text, ' ') from (
      select c.id from public.changes c where c.user_id = account order by c.id desc limit 50
    ) n),
    (select p::text from public.preferences p where p.user_id = account),
    (select f.updated_at from public.calendar_feeds f where f.user_id = account),
    'cards', (select f.updated_at from public.card_feeds f where f.user_id = account),
    (select string_agg(p.id::text || p.updated_at, ' ' order by p.id) from private.proposals p where p.user_id = account),
    (select string_agg(concat(t.id, t.revoked_at), ' ' order by t.id) from private.access_tokens t where t.user_id = account),
    (select string_agg(w::text, ' ' order by w.id) from private.webhooks w where w.user_id = account),
    (select max(d.tried_at) from private.webhook_deliveries d where d.user_id = account),
    (select string_agg(s.id::text, ' ') from (
      select f.id from public.form_submissions f
      where f.user_id = account and f.status = 'waiting' order by f.created_at desc, f.id limit 50
    ) s),
    'mails', (select m.mark from private.mail_marks m where m.user_id = account)
  ))
$function$;

CREATE OR REPLACE FUNCTION private.newest_write()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select greatest(
    (select c.created_at from public.changes c where c.user_id = private.caller() order by c.created_at desc limit 1),
    (select w.created_at from private.sent_writes w where w.user_id = private.caller() order by w.created_at desc limit 1)
  )
$function$;

comment on function private.newest_write() is 'When the caller''s account was last written to. What waited on a device is logged when it was made, so the time of its arrival counts, too. A definer because nobody else reads private.sent_writes.';

revoke all on function private.newest_write() from public, anon, authenticated, service_role;

grant execute on function private.newest_write() to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.note_companies(i private.imports, moment timestamp with time zone, after bigint, last bigint)
 RETURNS uuid[]
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with lines as (
    select c.id, l.line, min(l.place) as place
    from private.planned_rows(i, after, last) w
    join public.companies c on c.user_id = i.user_id and c.id = w.target
    cross join lateral unnest(
      private.entries_beyond('emails', c.emails, w.reported -> 'emails') || private.entries_beyond('phones', c.phones, w.reported -> 'phones')
      || private.entries_beyond('addresses', c.addresses, w.reported -> 'addresses')
      -- It was found by something else than its name.
      || case when private.fold(c.name) <> private.fold(w.reported ->> 'name') then array['Company Name: ' || (w.reported ->> 'name')] end
    ) with ordinality as l (line, place)
    where not exists (
      select from public.notes n
      where n.user_id = i.user_id and n.company_id = c.id and l.line = any (string_to_array(n.body, E'\n'))
    )
    group by c.id, l.line
  ),
  noted as (
    insert into public.notes (user_id, company_id, body, happened_at)
    select i.user_id, l.id, string_agg(l.line, E'\n' order by l.place), moment from lines l group by l.id
    returning company_id
  )
  select coalesce(array_agg(n.company_id), '{}') from noted n
$function$;

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

CREATE OR REPLACE FUNCTION private.note_failed(id uuid, tries integer, words text, again_in double precision, is_of_account boolean DEFAULT false, may_have_left boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  mail private.outgoing_mails;
begin
  select o.* into mail from private.outgoing_mails o
  where o.id = note_failed.id and o.state = 'sending' and o.tries = note_failed.tries for update;
  if mail.id is null then
    return;
  end if;
  if again_in is not null and mail.tries >= 20 and mail.send_at < now() - interval '3 days' then
    again_in := null;
    words := words || ' It was tried for three days and wasn’t sent.';
  end if;
  update private.outgoing_mails o set
    state = case when again_in is null then 'failed' else 'planned' end, problem = left(words, 1000),
    held_until = case when again_in is null then '-infinity' else now() + make_interval(secs => again_in) end,
    may_have_left = o.may_have_left or o.id = mail.id and note_failed.may_have_left
  where o.id = mail.id
    -- What is wrong with the account is wrong with all that would leave now.
    or is_of_account and o.account_id = mail.account_id and o.state = 'planned' and greatest(o.send_at, o.held_until) <= now();
end
$function$;

comment on function private.note_failed(uuid,integer,text,double precision,boolean,boolean) is 'The mail has not left: it is tried again in so many seconds, or has failed; with it all that are due, where it lies in the account. After three days and twenty tries it has failed.';

revoke all on function private.note_failed(uuid,integer,text,double precision,boolean,boolean) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.note_for_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A restore brings old lines of the log along: those are of other batches.
  current uuid := nullif(current_setting('solo.batch', true), '')::uuid;
  delivery private.webhook_deliveries;
begin
  if not exists (
    select from private.webhooks w where not w.is_paused and w.switched_off_at is null and w.user_id in (select n.user_id from new_rows n)
  ) then
    return null;
  end if;
  for delivery in
    with news as materialized (
      select n as change, n.id as place, n.user_id, r.thing, n.table_name, n.row_id, e.event
      from new_rows n
      join (values ('contacts', 'contact'), ('companies', 'company'), ('deals', 'deal'), ('tasks', 'task'), ('notes', 'note'))
        as r (table_name, thing) using (table_name)
      cross join lateral unnest(private.webhook_events_of(n)) e (event)
      where n.batch = current
    ),
    records as materialized (
      select x.id, to_jsonb(x) as reported from public.contacts x where x.id in (select c.row_id from news c where c.table_name = 'contacts')
      union all select x.id, to_jsonb(x) from public.companies x where x.id in (select c.row_id from news c where c.table_name = 'companies')
      union all select x.id, to_jsonb(x) from public.deals x where x.id in (select c.row_id from news c where c.table_name = 'deals')
      union all select x.id, to_jsonb(x) from public.tasks x where x.id in (select c.row_id from news c where c.table_name = 'tasks')
      union all select x.id, to_jsonb(x) from public.notes x where x.id in (select c.row_id from news c where c.table_name = 'notes')
    ),
    lines as (
      select c.user_id, c.event, case c.event when 'task_completed' then 'task.completed' else c.thing || '.' || c.event end as type,
        (row_number() over (partition by c.user_id, c.thing, c.event order by c.place) - 1) / 50 as part, c.place,
        jsonb_build_object('id', c.row_id, 'label', (c.change).label) as short,
        jsonb_build_object('record', case when (c.change).verb = 'delete' then (c.change).before else r.reported end
          - '{user_id,search_text}'::text[]
          -- Values of deleted fields stay, unseen.
          || coalesce((
            select jsonb_build_object('custom', coalesce(jsonb_object_agg(v.key, v.value) filter (where f.id is not null), '{}'))
            from jsonb_each(r.reported -> 'custom') v left join public.fields f on f.user_id = c.user_id and f.id::text = v.key
            having r.reported ? 'custom'
          ), '{}'))
        || case when (c.change).verb = 'update' then jsonb_build_object('before', (c.change).before, 'after', (c.change).after) else '{}' end as long
      from news c left join records r on r.id = c.row_id
    ),
    collected as (
      select l.user_id, l.event, l.type, l.part,
        jsonb_agg(l.short || l.long order by l.place) as whole, jsonb_agg(l.short order by l.place) as cut
      from lines l group by l.user_id, l.event, l.type, l.part
    ),
    bodies as (
      select c.user_id, c.event, c.type, c.part, private.webhook_body(c.type, now(), jsonb_build_object('batch', current)
        || case when octet_length(c.whole::text) <= 250000 then jsonb_build_object('records', c.whole)
          else jsonb_build_object('records', c.cut, 'is_cut', true) end) as body
      from collected c
    ),
    messages as materialized (
      select b.*, octet_length(b.body) as bytes, row_number() over (order by b.part, b.type) as number from bodies b
    ),
    told as (
      -- Without the bodies: for twenty webhooks they would be held twenty times.
      select m.number, w.id as webhook_id, m.user_id,
        sum(m.bytes) over (partition by m.user_id order by m.number, w.id) as bytes
      from messages m
      join private.webhooks w on w.user_id = m.user_id and not w.is_paused and w.switched_off_at is null and m.event = any (w.events)
      where (
        select count(*) < 2000 from (select from private.webhook_deliveries d where d.webhook_id = w.id and d.status = 'waiting' limit 2000) d
      )
    ),
    waiting as materialized (
      select w.user_id, sum(octet_length(d.body)) as bytes
      from private.webhooks w join private.webhook_deliveries d on d.webhook_id = w.id and d.status = 'waiting'
      where w.user_id in (select m.user_id from messages m) group by w.user_id
    )
    insert into private.webhook_deliveries (user_id, webhook_id, event, batch, body)
    select m.user_id, t.webhook_id, m.type, current, m.body
    from told t join messages m on m.number = t.number left join waiting a on a.user_id = t.user_id
    where t.bytes + coalesce(a.bytes, 0) <= private.most_webhook_bytes()
    order by t.number
    returning *
  loop
    perform private.plan_delivery(delivery);
  end loop;
  return null;
end
$function$;

comment on function private.note_for_webhooks() is 'Makes messages for webhooks of what a statement changed, with up to 50 records each. Where 2,000 wait already, or 50 MB for all webhooks of the account, none are added. A definer because nobody else writes deliveries and jobs.';

CREATE OR REPLACE FUNCTION private.note_letter(key text, tries integer, is_handed boolean)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with noted as (
    update private.jobs j set payload = j.payload || jsonb_build_object('is_handed', note_letter.is_handed)
    where j.kind = 'letter' and j.key = note_letter.key and j.tries = note_letter.tries and j.claim is not null and j.plans = j.claimed_plan
    returning 1
  )
  select exists (select from noted)
$function$;

comment on function private.note_letter(text,integer,boolean) is 'Noted before the end of a letter is handed over, without which no mail server takes it. Where this answers no, the letter was taken back, replaced or taken over, and the end must not be sent.';

revoke all on function private.note_letter(text,integer,boolean) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.note_on_timeline(note public.notes)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('kind', 'note', 'note', to_jsonb(note) - 'user_id', 'by', (
    select private.token_of_batch(c.batch) from public.changes c
    where c.user_id = note.user_id and c.row_id = note.id and c.verb = 'insert'
    order by c.id desc limit 1
  ))
$function$;

comment on function private.note_on_timeline(public.notes) is 'A note as a timeline shows it, with the token that logged it, if one did.';

revoke all on function private.note_on_timeline(public.notes) from public, anon, authenticated, service_role;

grant execute on function private.note_on_timeline(public.notes) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.note_records(i private.imports, moment timestamp with time zone, after bigint, last bigint)
 RETURNS uuid[]
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with noted as (
    insert into public.notes (user_id, deal_id, company_id, body, happened_at)
    select i.user_id, case i.kind when 'deals' then w.record_id end, case i.kind when 'companies' then w.record_id end, n.body, moment
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    cross join lateral (select left(private.kept_notes(r.reported), 50000) as body) n
    where w.import_id = i.id and w.place > after and w.place <= last and r.reported ? 'kept_notes' and n.body is not null
      -- Two questions, so that each is answered by its index.
      and not exists (
        select from public.notes t
        where t.user_id = i.user_id and t.deal_id = case i.kind when 'deals' then w.record_id end and t.body = n.body
      )
      and not exists (
        select from public.notes t
        where t.user_id = i.user_id and t.company_id = case i.kind when 'companies' then w.record_id end and t.body = n.body
      )
    returning coalesce(deal_id, company_id) as id
  )
  select coalesce(array_agg(n.id), '{}') from noted n
$function$;

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

CREATE OR REPLACE FUNCTION private.note_sent(id uuid, refused jsonb DEFAULT '[]'::jsonb, needs_copy boolean DEFAULT false, sender text DEFAULT NULL::text, sender_name text DEFAULT NULL::text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  mail private.outgoing_mails;
  gone jsonb;
  kept uuid;
begin
  -- Also one that was called failed because another process had lost sight of it.
  select o.* into mail from private.outgoing_mails o where o.id = note_sent.id and o.state <> 'sent' for update;
  if mail.id is null then
    return null;
  end if;
  gone := (
    select coalesce(jsonb_agg(p.person order by p.place), '[]') from jsonb_array_elements(mail.recipients) with ordinality as p (person, place)
    where not exists (select from jsonb_array_elements(refused) f where lower(f ->> 'address') = lower(p.person ->> 'address'))
  );
  perform private.split_refused(mail, refused) where refused <> '[]';
  kept := private.kept_sent(mail, gone, coalesce(note_sent.sender, (select a.address from public.mail_accounts a where a.id = mail.account_id)),
    coalesce(note_sent.sender_name, (select a.name from public.mail_accounts a where a.id = mail.account_id)));
  update private.outgoing_mails o set
    state = 'sent', recipients = gone, problem = null, tries = 0, mail_id = kept, may_have_left = false, needs_copy = note_sent.needs_copy,
    -- A provider that stores what it sends itself needs a moment for it.
    held_until = case when note_sent.needs_copy then now() + interval '5 seconds' else '-infinity' end,
    follow_up_task = private.follow_up(mail, gone),
    body_text = case when note_sent.needs_copy then o.body_text end, body_html = case when note_sent.needs_copy then o.body_html end,
    attachments = case when note_sent.needs_copy then o.attachments else '[]' end
  where o.id = mail.id;
  -- Those that have left are needed for the pace, for runs and for replies; not for ever.
  delete from private.outgoing_mails o
  where o.user_id = mail.user_id and o.state = 'sent' and not o.needs_copy and o.problem is null
    and o.send_at < now() - case when o.follow_up_task is null then interval '30 days' else interval '400 days' end;
  return kept;
end
$function$;

CREATE OR REPLACE FUNCTION private.number_pattern(words text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  reported text := btrim(private.fold(words));
  digits text;
begin
  if reported ~ '^\+?[\d\s()/.-]+$' is not true then
    return null;
  end if;
  digits := regexp_replace(words, '[^0-9]', '', 'g');
  -- Each form is the end of the one after it and so finds what that one finds, and more; too much where only a few
  -- digits would be left.
  return (
    select '%' || f.number || '%'
    from private.national_number(reported, digits) n
    cross join lateral (values (1, n.number, 5), (2, ltrim(digits, '0'), 5), (3, digits, 1)) f (place, number, fewest)
    where char_length(f.number) >= f.fewest
    order by f.place limit 1
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.outbox_times(account uuid, pace integer, per_day integer DEFAULT NULL::integer)
 RETURNS TABLE(id uuid, due_at timestamp with time zone)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with recent as (
    select o.tried_at, row_number() over (order by o.tried_at desc) as place
    from private.outgoing_mails o where o.account_id = account and o.tried_at > now() - interval '1 day'
  ),
  holds as (
    -- As many as are allowed in an hour have left: the next when the first of them is an hour old.
    select greatest(
        (select r.tried_at + interval '1 hour' from recent r where r.place = pace),
        -- The same for a day.
        (select r.tried_at + interval '1 day' from recent r where r.place = per_day), '-infinity') as any_mail,
      coalesce((select max(r.tried_at) + interval '1 hour' / pace from recent r), '-infinity') as mail_of_run
  )
  select o.id, greatest(o.send_at, o.held_until, h.any_mail, case when o.run is not null then h.mail_of_run end)
  from private.outgoing_mails o cross join holds h
  where o.account_id = account and o.state = 'planned'
$function$;

comment on function private.outbox_times(uuid,integer,integer) is 'When each mail that waits may leave at so many mails an hour and, where the provider limits it, a day. Those of a run keep a distance; a single one, which somebody has written, does not wait for them.';

revoke all on function private.outbox_times(uuid,integer,integer) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.outbox_wait(account uuid, pace integer, per_day integer DEFAULT NULL::integer)
 RETURNS double precision
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select extract(epoch from min(w.due_at) - now())::double precision
  from (
    select t.due_at from private.outbox_times(account, pace, per_day) t
    union all
    select o.held_until from private.outgoing_mails o where o.account_id = account and (o.needs_copy or o.state = 'sending')
  ) w
  where w.due_at > '-infinity'
$function$;

comment on function private.outbox_wait(uuid,integer,integer) is 'In how many seconds there is something to do for an account; null where nothing waits.';

revoke all on function private.outbox_wait(uuid,integer,integer) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.own_batch_summary(wanted uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select private.batch_card(private.caller(), wanted) $function$;

comment on function private.own_batch_summary(uuid) is 'What a batch of the caller did, as the history tells it. A definer because nobody else reads private.actions.';

revoke all on function private.own_batch_summary(uuid) from public, anon, authenticated, service_role;

grant execute on function private.own_batch_summary(uuid) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.own_conditions_of(kind text, filter jsonb)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  conditions text[] := '{}';
  wanted record;
  part record;
  -- The value, as an expression on "c".
  own text;
  any_of text;
begin
  if jsonb_typeof(filter -> 'fields') <> 'object' then
    raise exception 'The filter cannot be read.' using errcode = 'PT400';
  end if;
  for wanted in
    select e.value as reported, f.*
    from jsonb_each(filter -> 'fields') e
    left join public.fields f on f.user_id = private.caller() and f.record = own_conditions_of.kind
      and f.id = case when e.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.key::uuid end
  loop
    -- What is not understood must not mean "all": deletions take filters too.
    if wanted.id is null then
      raise exception 'The filter asks for a field that no longer exists.' using errcode = 'PT400';
    end if;
    perform private.check_filter(wanted.reported, array['filled'] || case
      when wanted.kind in ('choice', 'several choices', 'yes/no') then array['is']
      when wanted.kind in ('number', 'money', 'day') then array['from', 'to']
      else array['contains']
    end);
    own := format('(c.custom ->> %L)', wanted.id);
    if wanted.kind in ('number', 'money') then
      own := format('(c.custom -> %L)::numeric', wanted.id);
    elsif wanted.kind = 'day' then
      own := own || '::date';
    end if;
    for part in select e.key, e.value, e.value #>> '{}' as text from jsonb_each(wanted.reported) e loop
      if part.key = 'filled' then
        conditions := conditions || (case when part.text::boolean then '' else 'not ' end || private.is_filled(wanted.kind, wanted.id, wanted.options));
        continue;
      end if;
      -- So that the index may serve, which has no rows without values.
      conditions := conditions || format('c.custom <> %L', '{}');
      if part.key = 'is' then
        select string_agg(format('c.custom @> %L::jsonb', jsonb_build_object(
          wanted.id, case when wanted.kind = 'several choices' then jsonb_build_array(v.value) else v.value end)), ' or ')
        into any_of from jsonb_array_elements(part.value) as v (value);
        conditions := conditions || format('(%s)', coalesce(any_of, 'false'));
      elsif part.key = 'contains' then
        conditions := conditions || format('private.fold(c.custom ->> %L) like %L', wanted.id, private.like_pattern(part.text));
        -- The index of what is searched finds the candidates; days are not among it, nor what is written like one.
        if btrim(part.text) !~ '^[0-9-]*$' then
          conditions := conditions || private.search_condition(part.text);
        end if;
      else
        conditions := conditions || format('%s %s %L::%s', own, case part.key when 'from' then '>=' else '<=' end, part.text,
          case when wanted.kind = 'day' then 'date' else 'numeric' end);
      end if;
    end loop;
  end loop;
  return conditions;
end
$function$;

CREATE OR REPLACE FUNCTION private.own_texts(custom jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select string_agg(t.reported || case
      when t.reported ~ '^\+?[\d\s()/.-]{5,}$' then ' ' || regexp_replace(t.reported, '[^0-9]', '', 'g') else ''
    end, ' ')
  from (
    select e.value #>> '{}' as reported from jsonb_each(custom) e where jsonb_typeof(e.value) = 'string'
  ) t
  -- Neither ids of options nor days.
  where t.reported !~ '^(~[0-9A-Za-z]{7}|\d{4}-\d{2}-\d{2})$'
$function$;

CREATE OR REPLACE FUNCTION private.own_value(field public.fields, value jsonb, is_lenient boolean, OUT stored jsonb, OUT problem text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  reported text := btrim(value #>> '{}', E' \t\r\n');
  type text := jsonb_typeof(value);
  most integer := case when field.kind = 'long text' then 10000 else 500 end;
  number numeric := case when type = 'number' then value::numeric end;
  known text[];
begin
  if field.kind in ('text', 'long text', 'link', 'email', 'phone') then
    if type <> 'string' then
      problem := 'must be a text';
    elsif reported <> '' then
      stored := to_jsonb(reported);
      problem := case
        when char_length(reported) > most then format('can have at most %s letters', trim(to_char(most, '999,999')))
        when field.kind = 'email' and reported !~ '^[^\s@]+@[^\s@]+$' then 'must be an email address'
        when field.kind = 'link' and reported !~* '^https?://[^\s/?#]+\S*$' then 'must be a web address, such as https://acme.com'
      end;
    end if;
  elsif field.kind = 'number' then
    stored := to_jsonb(trim_scale(number));
    problem := case
      when number is null then 'must be a number'
      when abs(number) > 1e12 then 'must be between -1,000,000,000,000 and 1,000,000,000,000'
      when number <> round(number, 6) then 'can have at most six decimals'
    end;
  elsif field.kind = 'money' then
    stored := to_jsonb(trim_scale(number));
    problem := case
      when number is null then 'must be a number'
      when number < 0 or number > 999999999999.99 then 'must be between 0 and 999,999,999,999.99'
      when number <> round(number, 2) then 'can have at most two decimals'
    end;
  elsif field.kind = 'day' then
    if type = 'string' and reported = '' then
      return;
    end if;
    stored := to_jsonb(reported);
    -- Told without trying: an attempt that fails costs much in a row of 100,000.
    if type <> 'string' or reported !~ '^(19|20|21|22)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' or reported > '2200-12-31' then
      problem := 'must be a day between 1900 and 2200';
    elsif right(reported, 2)::integer > extract(day from make_date(left(reported, 4)::integer, substr(reported, 6, 2)::integer, 1) + interval '1 month - 1 day') then
      problem := 'must be a day between 1900 and 2200';
    end if;
  elsif field.kind = 'yes/no' then
    stored := value;
    problem := case when type <> 'boolean' then 'must be yes or no' end;
  elsif field.kind = 'choice' then
    if type = 'string' and reported = '' then
      return;
    end if;
    stored := value;
    problem := case when type <> 'string' or not field.options @> jsonb_build_array(jsonb_build_object('id', value))
      then 'no longer has this option' end;
  elsif type <> 'array' then
    problem := 'must be a list of options';
  else
    known := array(select o.id from jsonb_to_recordset(field.options) as o (id text));
    problem := case when not is_lenient and exists (
      select from jsonb_array_elements(value) w where jsonb_typeof(w) <> 'string' or w #>> '{}' <> all (known)
    ) then 'no longer has this option' end;
    -- In the order of the options, each once.
    select jsonb_agg(k.id order by k.place) into stored
    from unnest(known) with ordinality as k (id, place) where value ? k.id;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.people_in(recipients jsonb, role text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('address', p.reported ->> 'address', 'name', p.reported ->> 'name') order by p.place), '[]')
  from jsonb_array_elements(recipients) with ordinality as p (reported, place) where p.reported ->> 'role' = role
$function$;

CREATE OR REPLACE FUNCTION private.people_of_deals(i private.imports, places integer[] DEFAULT NULL::integer[])
 RETURNS TABLE(place integer, nth integer, first_name text, last_name text, email text, role text, key text, of_company text, contact_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  with looked_at as materialized (
    select w.place, w.company_id, r.reported
    from private.import_plans w
    join private.import_rows r on r.import_id = w.import_id and r.place = w.place
    where w.import_id = i.id and places is null
    union all
    select r.place, k.id, r.reported
    from private.import_rows r
    left join private.company_keys(i.user_id) k on k.key = private.fold(r.reported ->> 'company')
    where r.import_id = i.id and r.place = any (places)
  ),
  reported as materialized (
    select w.place, 0 as nth, v.contact_first_name as first_name, v.contact_last_name as last_name, v.contact_email as email,
      null::text as role, w.company_id
    from looked_at w
    cross join lateral jsonb_to_record(w.reported) as v (contact_email text, contact_first_name text, contact_last_name text)
    union all
    select w.place, f.nth::integer, f.first_name, f.last_name, f.email, f.role, w.company_id
    from looked_at w
    cross join lateral private.further_contacts(w.reported) f
    where w.reported ? 'further_contacts'
  ),
  named as materialized (
    select s.place, s.nth, s.first_name, s.last_name, s.email, s.role, lower(s.email) as email_key, s.company_id,
      private.fold(nullif(concat_ws(' ', s.first_name, s.last_name), '')) as key
    from reported s where coalesce(s.email, s.first_name, s.last_name) is not null
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
  select n.place, n.nth, n.first_name, n.last_name, n.email, n.role, coalesce(n.email_key, n.key, ''),
    case when n.email_key is null then coalesce(n.company_id::text, '') else '' end,
    case when n.email_key is not null then e.id else coalesce(b.id, a.id) end
  from named n
  left join by_email e on e.email = n.email_key
  left join by_both b on b.key = n.key and b.company_id = n.company_id
  left join by_name a on a.key = n.key
$function$;

comment on function private.people_of_deals(private.imports,integer[]) is 'Whom the rows of an import of deals name, the main contact as number 0: which contact that is, or null when there is none, and by what several rows name the same. Of the rows that are written, or of those at some places before it is known which are.';

revoke all on function private.people_of_deals(private.imports,integer[]) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.place_deal_contacts(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A part without its whole has no place.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'deal_contacts' and s.is_new
    and (s.reported ->> 'deal_id' is null or s.reported ->> 'contact_id' is null);
  update private.restore_rows s set is_new = false
  from public.deal_contacts t
  where s.restore_id = restore and s.kind = 'deal_contacts' and s.is_new and t.user_id = me
    and t.deal_id = (s.reported ->> 'deal_id')::uuid and t.contact_id = (s.reported ->> 'contact_id')::uuid;
end
$function$;

CREATE OR REPLACE FUNCTION private.place_files(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- A part without its whole has no place.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'files' and s.is_new
    and coalesce(s.reported ->> 'contact_id', s.reported ->> 'company_id', s.reported ->> 'deal_id') is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.place_forms(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'form_submissions' and s.is_new and s.reported ->> 'form_id' is null;
  -- Fields of the user's own may have other ids here.
  update private.restore_rows s set reported = s.reported || jsonb_build_object('fields', (
    select jsonb_agg(case when m.new_id is null then f.reported
      else f.reported || jsonb_build_object('name', 'custom.' || m.new_id) end order by f.place)
    from jsonb_array_elements(s.reported -> 'fields') with ordinality as f (reported, place)
    left join private.restore_rows m on m.restore_id = restore and m.kind = 'fields' and 'custom.' || m.old_id = f.reported ->> 'name'
  ))
  where s.restore_id = restore and s.kind = 'forms' and s.is_new and s.reported ->> 'fields' like '%custom.%'
    and jsonb_typeof(s.reported -> 'fields') = 'array';
  update private.restore_rows s set reported = jsonb_set(s.reported, '{lead,contact,custom}',
    private.with_new_fields(restore, s.reported #> '{lead,contact,custom}'))
  where s.restore_id = restore and s.kind = 'form_submissions' and s.is_new
    and jsonb_typeof(s.reported #> '{lead,contact,custom}') = 'object';
end
$function$;

CREATE OR REPLACE FUNCTION private.place_mails(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- The same address is the same account, and the same Message-ID the same mail.
  update private.restore_rows m set reported = m.reported || jsonb_build_object('account_id', t.id)
  from private.restore_rows s join public.mail_accounts t on t.user_id = me and lower(t.address) = lower(s.reported ->> 'address')
  where s.restore_id = restore and s.kind = 'mail_accounts' and s.is_new
    and m.restore_id = restore and m.kind = 'mails' and (m.reported ->> 'account_id')::uuid = s.new_id;
  update private.restore_rows s set is_new = false, new_id = t.id from public.mail_accounts t
  where s.restore_id = restore and s.kind = 'mail_accounts' and s.is_new and t.user_id = me and lower(t.address) = lower(s.reported ->> 'address');
  update private.restore_rows s set is_new = false from public.mails t
  where s.restore_id = restore and s.kind = 'mails' and s.is_new and t.user_id = me and t.message_id = s.reported ->> 'message_id';
  -- Deals and contacts may have other ids here.
  update private.restore_rows s set reported = s.reported || jsonb_build_object('deal', d.new_id)
  from private.restore_rows d
  where s.restore_id = restore and s.kind = 'mails' and s.is_new and s.reported ->> 'deal' is not null
    and d.restore_id = restore and d.kind = 'deals' and d.old_id = (s.reported ->> 'deal')::uuid and d.new_id <> d.old_id;
  update private.restore_rows s set reported = s.reported || jsonb_build_object('contact', c.new_id)
  from private.restore_rows c
  where s.restore_id = restore and s.kind = 'mail_exclusions' and s.is_new and s.reported ->> 'contact' is not null
    and c.restore_id = restore and c.kind = 'contacts' and c.old_id = (s.reported ->> 'contact')::uuid and c.new_id <> c.old_id;
  update private.restore_rows s set is_new = false from public.mail_exclusions t
  where s.restore_id = restore and s.kind = 'mail_exclusions' and s.is_new and t.user_id = me
    and (t.value = s.reported ->> 'value' or t.contact = (s.reported ->> 'contact')::uuid);
end
$function$;

CREATE OR REPLACE FUNCTION private.place_money(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  mine public.preferences;
  -- A backup from before there were currencies is in dollars.
  theirs text := coalesce((
    select s.reported ->> 'currency' from private.restore_rows s where s.restore_id = restore and s.kind = 'preferences' limit 1
  ), 'USD');
begin
  select * into mine from public.preferences p where p.user_id = me;
  if mine.currency = theirs then
    update public.preferences p set rates = (s.reported -> 'rates') || p.rates
    from private.restore_rows s
    where s.restore_id = restore and s.kind = 'preferences' and jsonb_typeof(s.reported -> 'rates') = 'object' and p.user_id = me;
    return;
  end if;
  update private.restore_rows s set reported = private.in_currency(
    '{"currency": null}' || s.reported, theirs, (mine.rates ->> theirs)::numeric)
  where s.restore_id = restore and s.kind = 'deals' and s.is_new;
  update private.restore_rows s set reported = s.reported || jsonb_build_object(
    'before', private.in_currency(
      case when s.reported ->> 'verb' = 'delete' and jsonb_typeof(s.reported -> 'before') = 'object'
        then '{"currency": null}' || (s.reported -> 'before') else s.reported -> 'before' end,
      theirs, (mine.rates ->> theirs)::numeric),
    'after', private.in_currency(s.reported -> 'after', theirs, (mine.rates ->> theirs)::numeric))
  where s.restore_id = restore and s.kind = 'changes' and s.reported ->> 'table_name' = 'deals';
end
$function$;

CREATE OR REPLACE FUNCTION private.place_own_values(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- Where the values of each field go, and its options.
  places jsonb;
begin
  -- What the trash of the backup can bring back comes with its values.
  insert into private.gone_fields (user_id, id, record, field)
  select distinct on (c.row_id) me, g.id, c.before ->> 'record', c.before || jsonb_build_object('id', g.id, 'user_id', me)
  from private.restore_rows s
  cross join lateral jsonb_populate_record(null::public.changes, s.reported) c
  cross join lateral (
    select coalesce((
      select o.new_id from private.restore_rows o where o.restore_id = restore and o.kind = 'gone' and o.old_id = c.row_id limit 1
    ), c.row_id) as id
  ) g
  where s.restore_id = restore and s.kind = 'changes' and c.table_name = 'fields' and c.verb = 'delete' and c.before is not null
    and c.before ->> 'record' in ('contacts', 'companies', 'deals')
    and not exists (select from private.restore_rows f where f.restore_id = restore and f.kind = 'fields' and f.old_id = c.row_id)
    and not exists (select from public.fields f where f.id = g.id)
  order by c.row_id, c.id desc
  on conflict (user_id, id) do nothing;
  select jsonb_object_agg(s.old_id, jsonb_build_object('id', s.new_id, 'options', (
    select coalesce(jsonb_object_agg(o.reported ->> 'id', private.same_option(t.options, o.reported)), '{}')
    from jsonb_array_elements(s.reported -> 'options') as o (reported)
    where private.same_option(t.options, o.reported) <> o.reported ->> 'id'
  )))
  into places
  from private.restore_rows s
  left join public.fields t on t.user_id = me and t.id = s.new_id
  where s.restore_id = restore and s.kind = 'fields' and s.old_id is not null;
  places := coalesce(places, '{}') || (
    select coalesce(jsonb_object_agg(coalesce(s.old_id, g.id), jsonb_build_object('id', g.id, 'options', '{}'::jsonb)), '{}')
    from private.gone_fields g
    left join private.restore_rows s on s.restore_id = restore and s.kind = 'gone' and s.new_id = g.id
    where g.user_id = me and g.field is not null
  );
  -- A field that is there gets the options that it lacks.
  update public.fields f set options = f.options || m.options
  from (
    select s.new_id, jsonb_agg(o.reported order by o.place) as options
    from private.restore_rows s
    join public.fields t on t.user_id = me and t.id = s.new_id
    cross join lateral jsonb_array_elements(s.reported -> 'options') with ordinality as o (reported, place)
    where s.restore_id = restore and s.kind = 'fields' and not s.is_new and private.same_option(t.options, o.reported) is null
    group by s.new_id
  ) m
  where f.user_id = me and f.id = m.new_id;
  if exists (select from jsonb_each(places) p where p.key <> p.value ->> 'id' or p.value -> 'options' <> '{}') then
    update private.restore_rows s set reported = s.reported || jsonb_build_object('custom', (
      select coalesce(jsonb_object_agg(places -> v.key ->> 'id', case jsonb_typeof(v.value)
        when 'string' then coalesce(places -> v.key -> 'options' -> (v.value #>> '{}'), v.value)
        when 'array' then (
          select jsonb_agg(coalesce(places -> v.key -> 'options' -> (w #>> '{}'), w)) from jsonb_array_elements(v.value) w
        )
        else v.value
      end), '{}')
      from jsonb_each(s.reported -> 'custom') v where places ? v.key
    ))
    where s.restore_id = restore and s.kind in ('contacts', 'companies', 'deals') and s.is_new
      and jsonb_typeof(s.reported -> 'custom') = 'object' and s.reported -> 'custom' <> '{}';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.place_rows(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  part record;
  -- Another account of this installation has these ids, or had them and may bring them back out of its trash.
  is_foreign boolean := exists (
    select from private.restores r join auth.users u on u.id = r.account where r.id = restore and u.id <> me
  );
begin
  for part in select * from private.backup_kinds() k where k.key = 'id' and k.key_type = 'uuid' loop
    execute format(
      'update private.restore_rows s set
         new_id = case
           when $3 or exists (select from %1$s t where t.id = private.own_id($1, s.old_id) and t.user_id = $1)
             or exists (select from %1$s t where t.id = s.old_id and t.user_id <> $1)
           then private.own_id($1, s.old_id) else s.old_id end
       where s.restore_id = $2 and s.kind = %2$L', part.source, part.kind)
    using me, restore, is_foreign;
    execute format(
      'update private.restore_rows s set
         is_new = not exists (select from %1$s t where t.id = s.new_id and t.user_id = $1)
       where s.restore_id = $2 and s.kind = %2$L', part.source, part.kind)
    using me, restore;
  end loop;
  if is_foreign then
    -- What the trash of the backup holds is not among its rows, but has an id all the same.
    insert into private.restore_rows (restore_id, kind, part, place, reported, old_id, new_id)
    select restore, 'gone', 0, row_number() over (), '{}', g.id, private.own_id(me, g.id)
    from (
      select (s.reported ->> 'row_id')::uuid as id from private.restore_rows s
      where s.restore_id = restore and s.kind = 'changes'
      except
      select s.old_id from private.restore_rows s where s.restore_id = restore
    ) g;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.places_in_pipelines(i private.imports, duplicates text)
 RETURNS private.place_in_pipeline[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  places private.place_in_pipeline[] := '{}';
  wanted record;
  is_closed boolean;
  pipeline public.pipelines;
  stage_id uuid;
begin
  perform private.lock_pipelines();
  for wanted in
    select w.own_pipeline, private.fold(w.reported ->> 'pipeline') as pipeline_key, w.reported ->> 'stage' as stage,
      private.fold(w.reported ->> 'stage') as stage_key, min(w.reported ->> 'pipeline') as pipeline_name
    from private.deal_writes(i, duplicates) w
    where w.reported ?| array['pipeline', 'stage']
    group by 1, 2, 3
    order by min(w.place)
  loop
    stage_id := null;
    -- However its letters are written.
    is_closed := private.outcome_of(initcap(wanted.stage_key)) <> 'open';
    -- A stage without a pipeline is looked for in all of them, in the oldest first. Every pipeline can be closed in: what
    -- is won or lost goes to the oldest.
    select p.* into pipeline
    from public.pipelines p
    left join public.pipeline_stages s on s.pipeline_id = p.id and private.fold(s.name) = wanted.stage_key and not is_closed
    where p.user_id = i.user_id
      and case
        when wanted.own_pipeline is not null then p.id = wanted.own_pipeline
        else wanted.pipeline_key is null or private.fold(p.name) = wanted.pipeline_key
      end
    order by s.id is null, s.name is distinct from wanted.stage, p.created_at, p.id
    limit 1;
    if pipeline.id is null then
      insert into public.pipelines (user_id, name) values (i.user_id, coalesce(wanted.pipeline_name, 'Sales Pipeline'))
      returning * into pipeline;
      -- A pipeline of the file has the file's stages; where it names none that is open, the usual ones.
      if exists (
        select from private.import_writes(i, duplicates) w
        where private.fold(w.reported ->> 'pipeline') is not distinct from wanted.pipeline_key
          and w.reported ->> 'stage' is not null and private.outcome_of(initcap(private.fold(w.reported ->> 'stage'))) = 'open'
      ) then
        perform private.add_stage(pipeline.id, u.name) from private.usual_stages() u where u.outcome = 'won';
      else
        perform private.add_default_stages(pipeline);
      end if;
    end if;
    if wanted.stage_key is not null then
      select s.id into stage_id from public.pipeline_stages s
      where s.pipeline_id = pipeline.id and private.fold(s.name) = wanted.stage_key
      order by s.name <> case when is_closed then initcap(wanted.stage_key) else wanted.stage end, s."order", s.id limit 1;
      stage_id := coalesce(
        stage_id, private.add_stage(pipeline.id, case when is_closed then initcap(wanted.stage_key) else wanted.stage end)
      );
    end if;
    places := places || row(wanted.own_pipeline, wanted.pipeline_key, wanted.stage, pipeline.id, stage_id)::private.place_in_pipeline;
  end loop;
  return places;
end
$function$;

CREATE OR REPLACE FUNCTION private.plan_agenda()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.cancel_job('agenda', new.user_id::text);
  if exists (select from private.agendas a where a.user_id = new.user_id and a.hour is not null) then
    perform private.plan_job('agenda', new.user_id::text, new.user_id);
  else
    -- Also one that waits for the mail server.
    perform private.cancel_job('letter', new.user_id || ' agenda');
  end if;
  return null;
end
$function$;

comment on function private.plan_agenda() is 'Another hour or time zone: the job looks at once when it is due next; turned off, nothing leaves any more. A definer because clients plan no jobs.';

CREATE OR REPLACE FUNCTION private.plan_deal_contacts(i private.imports)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET jit TO 'off'
AS $function$
begin
  delete from private.import_people p where p.import_id = i.id;
  update private.import_plans p set record_id = coalesce(p.target, gen_random_uuid())
  from private.import_rows r
  where p.import_id = i.id and r.import_id = i.id and r.place = p.place and r.reported ?| array['further_contacts', 'kept_notes'];

  with people as materialized (select * from private.people_of_deals(i)),
  made as materialized (
    select distinct on (p.key, p.of_company) p.key, p.of_company, p.place, p.nth, gen_random_uuid() as id
    from people p where p.contact_id is null order by p.key, p.of_company, p.place, p.nth
  ),
  known as materialized (
    select p.place, p.nth, p.first_name, p.last_name, p.email, p.role, coalesce(p.contact_id, m.id) as contact_id,
      coalesce(m.place = p.place and m.nth = p.nth, false) as adds_contact
    from people p
    left join made m on p.contact_id is null and m.key = p.key and m.of_company = p.of_company
  ),
  further as (
    insert into private.import_people (import_id, user_id, place, nth, first_name, last_name, email, role, contact_id, adds_contact)
    select i.id, i.user_id, k.place, k.nth, k.first_name, k.last_name, k.email, k.role, k.contact_id, k.adds_contact
    from known k where k.nth > 0
  )
  update private.import_plans p set contact_id = k.contact_id, adds_contact = k.adds_contact
  from known k
  where p.import_id = i.id and p.place = k.place and k.nth = 0;
end
$function$;

CREATE OR REPLACE FUNCTION private.plan_import(i private.imports, duplicates text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_nestloop TO 'off'
 SET jit TO 'off'
AS $function$
begin
  delete from private.import_plans p where p.import_id = i.id;
  with writes as materialized (
    select w.place, w.target, private.fold(w.reported ->> 'company') as key from private.import_writes(i, duplicates) w
  ),
  named as materialized (
    select f.key, f.place, coalesce(k.id, gen_random_uuid()) as company_id, k.id is null as is_new
    from (select w.key, min(w.place) as place from writes w where w.key is not null group by w.key) f
    left join private.company_keys(i.user_id) k on k.key = f.key
  )
  insert into private.import_plans (import_id, user_id, place, target, company_id, adds_company)
  select i.id, i.user_id, w.place, w.target, n.company_id, coalesce(n.is_new and n.place = w.place, false)
  from writes w left join named n on n.key = w.key;
  perform private.write_import_fields(i);
end
$function$;

drop function private.planned_mail(uuid,jsonb);

CREATE OR REPLACE FUNCTION private.planned_mail(me uuid, reported jsonb)
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
  if jsonb_typeof(reported) <> 'object' then
    raise exception 'This email cannot be read. Nothing was sent.' using errcode = 'PT400';
  end if;
  select * into box from public.mail_accounts a where a.user_id = me and a.id = (reported ->> 'account')::uuid;
  if box.id is null then
    raise exception 'This mailbox no longer exists. Nothing was sent; choose another one.' using errcode = 'PT404';
  end if;
  if box.smtp_host is null then
    raise exception 'The mailbox % has no server for sending. Nothing was sent; enter one in Settings → Email.', box.address using errcode = 'PT409';
  end if;
  mail.id := coalesce((reported ->> 'id')::uuid, gen_random_uuid());
  mail.account_id := box.id;
  mail.message_id := format('<%s@%s>', gen_random_uuid(),
    coalesce(substring(lower(split_part(box.address, '@', 2)) from '^[a-z0-9]+[a-z0-9.-]*$'), 'mail.invalid'));
  mail.recipients := private.mail_recipients(reported);
  mail.subject := private.one_line(reported ->> 'subject', 1000);
  mail.body_text := coalesce(reported ->> 'text', '');
  mail.body_html := reported ->> 'html';
  if octet_length(mail.body_text) > 1000000 or octet_length(mail.body_html) > 2000000 then
    raise exception 'This email is too long. Nothing was sent; attach a part of it as a file.' using errcode = 'PT413';
  end if;
  mail.attachments := private.mail_files(me, reported -> 'files');
  mail.refs := '{}';
  if reported ->> 'answers' is not null then
    select * into answered from public.mails m where m.user_id = me and m.id = (reported ->> 'answers')::uuid and not m.is_private;
    if answered.id is null then
      raise exception 'The email that this one answers no longer exists. Nothing was sent; write a new email instead.' using errcode = 'PT404';
    end if;
    mail.answers := answered.id;
    -- The beginning of the conversation, and what was said last.
    mail.refs := case when cardinality(answered.refs) > 49
      then answered.refs[1:1] || answered.refs[cardinality(answered.refs) - 47:] else answered.refs end || answered.message_id;
  end if;
  mail.deal := (reported ->> 'deal')::uuid;
  if mail.deal is not null and not exists (select from public.deals d where d.user_id = me and d.id = mail.deal) then
    raise exception 'This deal no longer exists. Nothing was sent.' using errcode = 'PT404';
  end if;
  mail.follow_up_days := (reported ->> 'follow_up_days')::smallint;
  if mail.follow_up_days not between 1 and 365 then
    raise exception 'A follow-up is 1 to 365 days later. Nothing was sent.' using errcode = 'PT400';
  end if;
  mail.send_at := (reported ->> 'send_at')::timestamptz;
  if mail.send_at > now() + interval '366 days' then
    raise exception 'An email can be planned at most a year ahead. Nothing was sent.' using errcode = 'PT400';
  end if;
  -- Now, and what should have left already: in ten seconds, which is the time to undo it.
  mail.send_at := greatest(mail.send_at, now() + interval '10 seconds');
  return mail;
end
$function$;

comment on function private.planned_mail(uuid,jsonb) is 'A mail as it is planned, out of what the composer says of it; refuses what cannot be sent.';

revoke all on function private.planned_mail(uuid,jsonb) from public, anon, authenticated, service_role;

grant execute on function private.planned_mail(uuid,jsonb) to authenticated, service_role;

drop function private.planned_rows(private.imports,bigint,bigint);

CREATE OR REPLACE FUNCTION private.planned_rows(i private.imports, after bigint, last bigint)
 RETURNS TABLE(place integer, reported jsonb, target uuid, company_id uuid, contact_id uuid, adds_company boolean, adds_contact boolean)
 LANGUAGE sql
 STABLE
AS $function$
  select p.place, case when p.target is not null and r.reported ? 'name_from' then private.values_for(p.target, r.reported) else r.reported end,
    p.target, p.company_id, p.contact_id, p.adds_company, p.adds_contact
  from private.import_plans p
  join private.import_rows r on r.import_id = p.import_id and r.place = p.place
  where p.import_id = i.id and p.place > after and p.place <= last
    and r.import_id = i.id and r.place > after and r.place <= last
$function$;

comment on function private.planned_rows(private.imports,bigint,bigint) is 'The rows of one part of an import, by their places in the file.';

revoke all on function private.planned_rows(private.imports,bigint,bigint) from public, anon, authenticated, service_role;

drop function private.preferences_in_restore(uuid,jsonb);

CREATE OR REPLACE FUNCTION private.preferences_in_restore(account uuid, reported jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select reported
    || case when reported ? 'pinned' then jsonb_build_object('pinned', private.kept_in_restore(account, reported -> 'pinned')) else '{}' end
    || case when reported ? 'opened' then jsonb_build_object('opened', private.kept_in_restore(account, reported -> 'opened')) else '{}' end
    || case when reported ? 'screens' then jsonb_build_object('screens', private.screens_in_restore(account, reported -> 'screens')) else '{}' end
$function$;

comment on function private.preferences_in_restore(uuid,jsonb) is 'Preferences of a backup, by the ids of this account. What a later file adds to it needs no other function.';

revoke all on function private.preferences_in_restore(uuid,jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.prepare_restore(w private.unfinished_work, restore uuid, step text)
 RETURNS private.unfinished_work
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  me uuid := w.user_id;
begin
  if step = 'ids' then
    perform private.place_rows(me, restore);
    perform private.settle_names(me, restore);
    w.state := w.state || '{"step": "links"}';
  elsif step = 'links' then
    perform private.map_links(me, restore);
    -- A part without its whole has no place.
    delete from private.restore_rows s
    where s.restore_id = restore and s.is_new and (
      s.kind = 'pipeline_stages' and s.reported ->> 'pipeline_id' is null
      or s.kind = 'collection_members' and (s.reported ->> 'collection_id' is null or s.reported ->> 'contact_id' is null)
      or s.kind = 'not_duplicates' and num_nonnulls(s.reported ->> 'one_contact_id', s.reported ->> 'other_contact_id',
        s.reported ->> 'one_company_id', s.reported ->> 'other_company_id') < 2
      or s.kind = 'notes' and coalesce(s.reported ->> 'contact_id', s.reported ->> 'company_id', s.reported ->> 'deal_id') is null
    );
    -- The preferences have no log; see take_back_part.
    w.state := w.state || jsonb_build_object('step', 'changes', 'preferences', (
      select to_jsonb(p) from public.preferences p where p.user_id = me
    ));
    perform private.clear_way(me, restore);
    w.state := w.state || jsonb_build_object('history', private.restore_history(me, restore));
  end if;
  return w;
exception when data_exception or integrity_constraint_violation then
  perform private.damaged('it has a value that is not allowed');
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

CREATE OR REPLACE FUNCTION private.proposal_told(proposal private.proposals, is_cut boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', proposal.id, 'by', proposal.token_name, 'at', proposal.created_at,
    'expires_at', proposal.created_at + interval '14 days', 'card', proposal.card, 'is_cut', is_cut,
    'changes', case when not is_cut then proposal.changes else (
      select jsonb_agg(r || '{"before": null, "after": null, "names": null}') from jsonb_array_elements(proposal.changes) r
    ) end)
$function$;

revoke all on function private.proposal_told(private.proposals,boolean) from public, anon, authenticated, service_role;

grant execute on function private.proposal_told(private.proposals,boolean) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.propose(token_id uuid, token_name text, name text, args jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  outcome record;
  made uuid;
begin
  delete from private.proposals p where p.user_id = me and not private.is_waiting(p);
  if (select count(*) >= 200 from private.proposals p where p.user_id = me) then
    raise exception 'There are 200 proposals waiting already. Nothing was saved; they must be decided first.' using errcode = 'PT409';
  end if;
  outcome := private.tried(propose.name, propose.args);
  if octet_length(propose.args::text) + octet_length(outcome.changes::text) + coalesce((
    select sum(octet_length(p.args::text) + octet_length(p.changes::text)) from private.proposals p where p.user_id = me
  ), 0) > 10000000 then
    raise exception 'What waits already is 10 MB. Nothing was saved; those proposals must be decided first.' using errcode = 'PT409';
  end if;
  insert into private.proposals (token_id, token_name, name, args, card, changes)
  values (propose.token_id, propose.token_name, propose.name, propose.args, outcome.card, outcome.changes)
  returning id into made;
  return jsonb_build_object('proposal', made, 'changes', outcome.changes,
    'message', 'Proposed, not done: it waits for the owner to approve it, for 14 days.');
end
$function$;

comment on function private.propose(uuid,text,text,jsonb) is 'Keeps a call for its owner to decide, with what it would change.';

revoke all on function private.propose(uuid,text,text,jsonb) from public, anon, authenticated, service_role;

grant execute on function private.propose(uuid,text,text,jsonb) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.quick_add(line jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if line -> 'note' ->> 'kind' not in ('note', 'call', 'meeting') then
    raise exception 'A note is a note, a call or a meeting. Nothing was saved.' using errcode = 'PT400';
  end if;
  return public.quick_add(line, gen_random_uuid());
end
$function$;

drop function private.quick_add_deal(jsonb,uuid,uuid,uuid);

CREATE OR REPLACE FUNCTION private.quick_add_deal(reported jsonb, known uuid, company uuid, contact uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

comment on function private.quick_add_deal(jsonb,uuid,uuid,uuid) is 'The deal of a line: a new one, or a known one that gets the value, the close date and the tags that were said.';

revoke all on function private.quick_add_deal(jsonb,uuid,uuid,uuid) from public, anon, authenticated, service_role;

grant execute on function private.quick_add_deal(jsonb,uuid,uuid,uuid) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.refuse_undated(i private.imports)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.import_rows r set problem = 'The deal is won or lost, but the row doesn’t say when.'
  where r.import_id = i.id and i.kind = 'deals' and r.problem is null and not r.reported ?| array['closed_at', 'closes_at']
    and private.outcome_of(initcap(private.fold(r.reported ->> 'stage'))) <> 'open'
$function$;

CREATE OR REPLACE FUNCTION private.related_changes(i private.imports, places integer[])
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
    where r.import_id = i.id and r.place = any (places) and r.reported ?| array['person', 'organisation']
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
         cross join lateral (select private.related_values(r.reported, %1$L) as reported) b
         cross join lateral jsonb_to_record(b.reported) as v (note_parts jsonb, %3$s)
         join public.%4$I o on o.id = found.id and (o.user_id = $1.user_id) is true
         left join lateral (select n.* from (values %5$s) as n (name, before, after) where n.before is distinct from n.after) d on true
         where r.reported ? %1$L
         group by r.place, o.id',
        case kind when 'contacts' then 'person' else 'organisation' end,
        case kind
          when 'contacts' then
            '(select p.place, p.contact_id as id from private.people_of_deals($1, $2) p where p.nth = 0) found
             join private.import_rows r on r.import_id = $1.id and r.place = found.place'
          else
            'private.import_rows r
             join private.company_keys($1.user_id) found on found.key = private.fold(r.reported ->> ''company'')
               and r.import_id = $1.id and r.place = any ($2)'
        end,
        string_agg(c.definition, ', '), kind,
        string_agg(format('(%L, to_jsonb(o.%I), to_jsonb(%s))', c.name, c.name, case
          -- Notes that would become too long are refused when they are written, not when they are shown.
          when c.name = 'notes' then format('case when char_length(concat(o.notes, v.note_parts)) > 49000 then o.notes else %s end', c.filled)
          else c.filled
        end), ', ') filter (where c.filled is not null)
          || case kind when 'companies' then ', (''kept_notes'', null, to_jsonb(private.new_lines(o.id, b.reported)))' else '' end)
      from private.related_columns(kind) c
    ) using i, places;
  end loop;
end
$function$;

comment on function private.related_changes(private.imports,integer[]) is 'What some rows of deals would change of the contacts and companies that they name and that are there: {column: [before, after]}, by the rules by which it is written. Lines for a note on a company are called kept_notes.';

revoke all on function private.related_changes(private.imports,integer[]) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.related_columns(of_kind text)
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

comment on function private.related_columns(text) is 'The columns of contacts or companies that a row of deals fills: as private.import_columns, but of what is there only what is empty is filled ("filled"; null for never), and what is added to is added to.';

revoke all on function private.related_columns(text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.related_values(reported jsonb, side text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select case when jsonb_typeof(reported -> side) = 'object' then (reported -> side) - 'custom' else '{}' end $function$;

comment on function private.related_values(jsonb,text) is 'What a row of deals says of its contact ("person") or of its company ("organisation"), as rows of contacts and companies say it.';

revoke all on function private.related_values(jsonb,text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.related_values_of(i private.imports, after bigint, last bigint, side text)
 RETURNS TABLE(id uuid, reported jsonb)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with reported as (
    select case side when 'person' then w.contact_id else w.company_id end as id, w.place, e.key, e.value
    from private.planned_rows(i, after, last) w
    cross join lateral jsonb_each(private.related_values(w.reported, side)) e
    where w.reported ? side
  ),
  values_of as (
    select s.id, s.key, case
      when bool_and(jsonb_typeof(s.value) = 'array') then private.joined_lists(jsonb_agg(s.value order by s.place))
      else (array_agg(s.value order by s.place))[1]
    end as value
    from reported s where s.id is not null group by s.id, s.key
  )
  select v.id, jsonb_object_agg(v.key, v.value) from values_of v group by v.id
$function$;

comment on function private.related_values_of(private.imports,bigint,bigint,text) is 'What some rows of deals say of each contact or company together: the first value of a field, and all of a list.';

revoke all on function private.related_values_of(private.imports,bigint,bigint,text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.reply_waits_on(deal uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from private.mail_links l join public.mails m on m.id = l.mail_id cross join lateral private.waits_for_answer(m) w
    where l.user_id = private.caller() and l.deal_id = reply_waits_on.deal and l.counts and l.at > now() - interval '30 days'
  )
$function$;

comment on function private.reply_waits_on(uuid) is 'Whether somebody waits for an answer about a deal: then that is its next step.';

revoke all on function private.reply_waits_on(uuid) from public, anon, authenticated, service_role;

grant execute on function private.reply_waits_on(uuid) to authenticated, service_role;

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

CREATE OR REPLACE FUNCTION private.restore_history(me uuid, restore uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- What the account's own log tells already, it does not tell twice.
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'changes' and (
    (s.reported ->> 'batch')::uuid in (select c.batch from public.changes c where c.user_id = me)
    or s.reported ->> 'table_name' not in (select k.kind from private.backup_kinds() k where k.key = 'id' and k.key_type = 'uuid')
  );
  if exists (select from private.restore_rows s where s.restore_id = restore and s.new_id <> s.old_id) then
    update private.restore_rows s set reported = private.with_new_ids(restore, s.reported) || jsonb_build_object(
      'before', private.with_new_ids(restore, s.reported -> 'before'), 'after', private.with_new_ids(restore, s.reported -> 'after'))
    where s.restore_id = restore and s.kind = 'changes';
  end if;
  return (select count(*) from private.restore_rows s where s.restore_id = restore and s.kind = 'changes');
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_part(w private.unfinished_work, rows integer)
 RETURNS private.unfinished_work
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  restore uuid := (w.arguments ->> 'restore')::uuid;
  step text := w.state ->> 'step';
  kinds text[] := array['changes'] || private.parents_first();
  after_part integer := coalesce((w.state ->> 'part')::integer, -1);
  after_place integer := coalesce((w.state ->> 'place')::integer, 0);
  is_cut boolean := step = 'changes' or private.is_cut(step);
  last record;
begin
  set constraints all deferred;
  if step in ('ids', 'links') then
    w := private.prepare_restore(w, restore, step);
  elsif step = 'end' then
    w.state := jsonb_build_object('answer', private.finish_restoring(w, restore));
  else
    -- A task that repeats another may stand before it in the file.
    if step = 'tasks' then
      is_cut := not exists (
        select from private.restore_rows s
        where s.restore_id = restore and s.kind = 'tasks' and s.is_new and s.reported ->> 'repeated_from' is not null
      );
    end if;
    select n.part, n.place into last
    from (
      select s.part, s.place from private.restore_rows s
      where s.restore_id = restore and s.kind = step and (s.part, s.place) > (after_part, after_place)
        and (step = 'changes' or s.is_new)
      order by s.part, s.place limit case when is_cut then rows end
    ) n order by n.part desc, n.place desc limit 1;
    if last.part is null then
      w.state := w.state - 'part' - 'place'
        || jsonb_build_object('step', coalesce(kinds[array_position(kinds, step) + 1], 'end'));
    else
      perform private.write_rows(w.user_id, restore, step, after_part, after_place, last.part, last.place);
      w.state := w.state || jsonb_build_object('part', last.part, 'place', last.place);
    end if;
  end if;
  begin
    set constraints all immediate;
  exception when integrity_constraint_violation then
    perform private.damaged('its rows do not fit together');
  end;
  return w;
end
$function$;

CREATE OR REPLACE FUNCTION private.rows_of_batch(wanted uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  change record;
  new_row jsonb;
  own uuid[];
  made text[] := '{}';
  rows jsonb := '[]';
  told text;
begin
  for change in
    select c.* from public.changes c
    where c.user_id = private.caller() and c.batch = wanted and (c.verb <> 'update' or coalesce(c.after - 'order' <> '{}', true))
    order by c.id limit 51
  loop
    if jsonb_array_length(rows) = 50 then
      raise exception 'This would change more than 50 records, too many to be shown. Nothing was proposed; propose it in parts.'
        using errcode = 'PT409';
    end if;
    new_row := change.after - private.unlogged_columns();
    own := null;
    if change.verb = 'insert' then
      made := made || change.row_id::text;
      execute format('select to_jsonb(t) - ''{id,user_id,search_text,created_at,updated_at}''::text[] - $2 from public.%I t where t.id = $1',
        change.table_name) into new_row using change.row_id, private.unlogged_columns();
      select array_agg(k::uuid) into own from jsonb_object_keys(new_row -> 'custom') k;
      new_row := jsonb_strip_nulls(new_row - 'custom' || coalesce(
        (select jsonb_object_agg('custom.' || e.key, e.value) from jsonb_each(new_row -> 'custom') e), '{}'));
    end if;
    -- What is written as of now would be written as of then.
    new_row := (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(new_row) e where not private.is_this_moment(e.value));
    rows := rows || jsonb_build_object(
      'table_name', change.table_name, 'row_id', case when change.verb <> 'insert' then change.row_id end, 'verb', change.verb,
      'label', change.label, 'before', case when change.verb = 'update' then change.before - private.unlogged_columns() end,
      'after', case when change.verb <> 'delete' then new_row end, 'undoes', change.undoes,
      'contact_id', change.contact_id, 'company_id', change.company_id, 'deal_id', change.deal_id,
      'names', private.with_names(private.names_in(private.caller(), change.before, new_row),
        coalesce(change.names, private.names_of_fields(private.caller(), own, null, new_row))));
  end loop;
  told := rows::text;
  -- A record that is added has another id each time.
  for place in 1 .. cardinality(made) loop
    told := replace(told, made[place], 'new ' || place);
  end loop;
  return told::jsonb;
end
$function$;

comment on function private.rows_of_batch(uuid) is 'The rows that a batch added, changed or deleted, with old and new values: the same for the same call at another time, as long as it does the same.';

drop function private.same_option(jsonb,jsonb);

CREATE OR REPLACE FUNCTION private.same_option(options jsonb, reported jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select o.id from jsonb_to_recordset(options) as o (id text, name text)
  where o.id = reported ->> 'id' or lower(o.name) = lower(btrim(reported ->> 'name'))
  order by o.id <> reported ->> 'id' limit 1
$function$;

comment on function private.same_option(jsonb,jsonb) is 'The option of a field that one of a backup means: of the same id, or else of the same name.';

revoke all on function private.same_option(jsonb,jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.same_values(one jsonb, other jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select one_told.rows is not distinct from other_told.rows
  from
    (select jsonb_agg(r - '{label,names,undoes,contact_id,company_id,deal_id}'::text[]) as rows from jsonb_array_elements(one) r) one_told,
    (select jsonb_agg(r - '{label,names,undoes,contact_id,company_id,deal_id}'::text[]) as rows from jsonb_array_elements(other) r) other_told
$function$;

comment on function private.same_values(jsonb,jsonb) is 'Whether two lists of rows_of_batch have the same old and new values.';

revoke all on function private.same_values(jsonb,jsonb) from public, anon, authenticated, service_role;

grant execute on function private.same_values(jsonb,jsonb) to authenticated, service_role;

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

drop function private.set_preferences(uuid,jsonb);

CREATE OR REPLACE FUNCTION private.set_preferences(account uuid, reported jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  told jsonb := private.preferences_in_restore(account, reported);
  columns text := (
    select string_agg(quote_ident(c.name), ', ') from private.columns_of('public.preferences') c
    where c.name not in ('user_id', 'created_at', 'updated_at') and told ? c.name and (told -> c.name <> 'null' or not c.is_required)
  );
begin
  if columns is not null then
    execute format(
      'update public.preferences p set (%1$s) = (select %1$s from jsonb_populate_record(p, $2)) where p.user_id = $1', columns)
    using account, told;
  end if;
end
$function$;

comment on function private.set_preferences(uuid,jsonb) is 'Preferences as a backup or a copy of them tells them; what it does not tell stays.';

revoke all on function private.set_preferences(uuid,jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.settle_names(me uuid, restore uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  part record;
begin
  -- A collection of the same name is the same collection.
  update private.restore_rows s set new_id = t.id, is_new = false
  from public.collections t
  where s.restore_id = restore and s.kind = 'collections' and s.is_new and t.user_id = me and t.name = s.reported ->> 'name';
  -- A field of the same name and kind is the same field; of another kind, it stands beside it. Fields come after those
  -- that are there.
  update private.restore_rows s set new_id = t.id, is_new = false
  from public.fields t
  where s.restore_id = restore and s.kind = 'fields' and s.is_new and t.user_id = me
    and t.record = s.reported ->> 'record' and t.kind = s.reported ->> 'kind' and lower(t.name) = lower(btrim(s.reported ->> 'name'));
  update private.restore_rows s set reported = s.reported
    || jsonb_build_object('position', (s.reported ->> 'position')::integer + (
      select coalesce(max(t.position), 0) from public.fields t where t.user_id = me and t.record = s.reported ->> 'record'))
    || case when exists (
      select from public.fields t
      where t.user_id = me and t.record = s.reported ->> 'record' and lower(t.name) = lower(btrim(s.reported ->> 'name'))
    ) then jsonb_build_object('name', left(s.reported ->> 'name', 40) || ' (restored ' || left(s.new_id::text, 8) || ')') else '{}' end
  where s.restore_id = restore and s.kind = 'fields' and s.is_new;
  -- Views and templates stand beside the one that has their name.
  for part in select * from (values ('saved_views', 't.screen = s.reported ->> ''screen'''), ('email_templates', 'true')) v (kind, same) loop
    execute format(
      'update private.restore_rows s set reported = s.reported || jsonb_build_object(''name'',
         left(s.reported ->> ''name'', 175) || '' (restored '' || left(s.new_id::text, 8) || '')'')
       where s.restore_id = $2 and s.kind = %1$L and s.is_new and exists (
         select from public.%1$I t where t.user_id = $1 and t.name = s.reported ->> ''name'' and %2$s
       )', part.kind, part.same)
    using me, restore;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.sift_mails(me uuid, direction text, envelopes jsonb)
 RETURNS TABLE(place integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  own text[] := private.own_addresses(me);
  -- All people of all envelopes are looked up at once: one by one, a mailbox of thousands would take minutes.
  all_addresses text[] := array(
    select distinct lower(a.address) from jsonb_array_elements(envelopes) e cross join lateral jsonb_array_elements_text(e -> 'addresses') a (address)
  );
  shut text[] := private.left_out(me, all_addresses);
  known text[] := array(
    select distinct p.address from private.people_at(me, array(
      select a.address from unnest(all_addresses) a (address) where a.address <> all (shut) and a.address <> all (own)
    )) p
  );
begin
  return query
  select e.place::integer
  from jsonb_array_elements(envelopes) with ordinality as e (reported, place)
  where not exists (select from public.mails m where m.user_id = me and m.message_id = e.reported ->> 'message_id')
    -- What claims to be from the user and does not lie among the sent mails is forged, or a copy to oneself.
    and (direction = 'out' or lower(e.reported ->> 'sender') <> all (own))
    and private.may_concern(direction, lower(e.reported ->> 'sender'), shut)
    and exists (select from jsonb_array_elements_text(e.reported -> 'addresses') a (address) where lower(a.address) = any (known));
end
$function$;

drop function private.similar_companies(uuid,jsonb);

CREATE OR REPLACE FUNCTION private.similar_companies(me uuid, reported jsonb)
 RETURNS TABLE(id uuid, reason text, place integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  key text := nullif(private.company_key(reported ->> 'name'), '');
  host text := private.website_host(private.typed_link(reported ->> 'website'));
  address text;
  number text;
begin
  for address in select * from private.typed_addresses(reported) loop
    return query
    select c.id, 'email', 1 from public.companies c
    where c.user_id = me and c.search_text like private.like_pattern(address) and private.has_entry(c.emails, address) limit 3;
  end loop;
  for number in select * from private.typed_numbers(reported) loop
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

comment on function private.similar_companies(uuid,jsonb) is 'Companies with one of these addresses, one of these numbers, the host of this website, or this name, legal forms aside; why, and how strong that is.';

revoke all on function private.similar_companies(uuid,jsonb) from public, anon, authenticated, service_role;

drop function private.similar_contacts(uuid,jsonb);

CREATE OR REPLACE FUNCTION private.similar_contacts(me uuid, reported jsonb)
 RETURNS TABLE(id uuid, reason text, place integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  address text;
  profile text;
  number text;
  key text := private.name_key(reported ->> 'first_name', reported ->> 'last_name');
  company uuid := (reported ->> 'company_id')::uuid;
begin
  for address in select * from private.typed_addresses(reported) loop
    return query
    (select c.id, 'email', 1 from public.contacts c where c.user_id = me and lower(c.email) = address limit 3)
    union
    -- The index of what is searched knows the other addresses too.
    (select c.id, 'email', 1 from public.contacts c
     where c.user_id = me and c.search_text like private.like_pattern(address) and private.has_entry(c.emails, address) limit 3);
  end loop;
  for profile in
    select distinct k.key from regexp_split_to_table(reported ->> 'links', '\n') l (line)
    cross join lateral private.profile_key(private.typed_link(l.line)) k (key)
    where k.key is not null limit 5
  loop
    return query
    select c.id, 'link', 2 from public.contacts c
    where c.user_id = me and c.search_text like private.like_pattern(profile)
      and exists (select from jsonb_array_elements(c.links) e where private.profile_key(e.value ->> 'value') = profile)
    limit 3;
  end loop;
  for number in select * from private.typed_numbers(reported) loop
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

revoke all on function private.similar_contacts(uuid,jsonb) from public, anon, authenticated, service_role;

drop function private.similar_ids(text,jsonb);

CREATE OR REPLACE FUNCTION private.similar_ids(kind text, reported jsonb)
 RETURNS TABLE(id uuid, reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  company uuid := (reported ->> 'company_id')::uuid;
  contact uuid := (reported ->> 'contact_id')::uuid;
begin
  return query
  select k.id, k.reason
  from (
    select distinct on (a.id) a.id, a.reason, a.place
    from (
      select * from private.similar_contacts(me, reported) where kind = 'contacts'
      union all
      select * from private.similar_companies(me, reported) where kind = 'companies'
      union all
      select d.id, 'name', d.place::integer
      from unnest(private.known_deals(me, reported ->> 'name', company is not null, company, contact is not null, contact))
        with ordinality as d (id, place)
      where kind = 'deals'
    ) a
    order by a.id, a.place
  ) k
  order by k.place, k.id limit 3;
end
$function$;

comment on function private.similar_ids(text,jsonb) is 'Which of the caller''s records seem to be what is typed, and why. A definer because an index cannot serve a search under a policy: it tells ids of the caller''s records, and nothing of them.';

revoke all on function private.similar_ids(text,jsonb) from public, anon, authenticated, service_role;

grant execute on function private.similar_ids(text,jsonb) to authenticated, service_role;

drop function private.store_mail(uuid,jsonb);

CREATE OR REPLACE FUNCTION private.store_mail(account uuid, reported jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  box public.mail_accounts;
  mail public.mails;
begin
  select a.* into box from public.mail_accounts a where a.id = account;
  if box.id is null then
    return null;
  end if;
  mail := jsonb_populate_record(null::public.mails, reported);
  -- The list may have changed while the mail was read.
  if not exists (select from private.sift_mails(box.user_id, mail.direction, jsonb_build_array(jsonb_build_object(
    'message_id', mail.message_id, 'sender', mail.sender, 'addresses', array(
      select mail.sender union all select r ->> 'address' from jsonb_array_elements(mail.recipients) r
    )))))
  then
    return null;
  end if;
  insert into public.mails (user_id, account_id, message_id, refs, direction, sender, sender_name, recipients, subject, snippet, body_text,
    body_html, is_cut, sent_at, attachments, folder, folder_validity, uid, is_automatic, is_doubtful)
  values (box.user_id, box.id, mail.message_id, coalesce(mail.refs, '{}'), mail.direction, mail.sender, mail.sender_name,
    coalesce(mail.recipients, '[]'), mail.subject, mail.snippet, mail.body_text, mail.body_html, coalesce(mail.is_cut, false), mail.sent_at,
    coalesce(mail.attachments, '[]'), mail.folder, mail.folder_validity, mail.uid, coalesce(mail.is_automatic, false),
    coalesce(mail.is_doubtful, false))
  on conflict (user_id, message_id) do nothing
  returning * into mail;
  return mail.id;
end
$function$;

comment on function private.store_mail(uuid,jsonb) is 'Keeps a mail out of the mailbox of an account; null where it is there already, concerns nobody, or the account is gone.';

revoke all on function private.store_mail(uuid,jsonb) from public, anon, authenticated, service_role;

drop function private.tags_in(jsonb);

CREATE OR REPLACE FUNCTION private.tags_in(reported jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$ select case when jsonb_typeof(reported -> 'tags') = 'array' then private.texts(reported -> 'tags') else '{}' end $function$;

comment on function private.tags_in(jsonb) is 'The tags that a part of a line gives its record.';

revoke all on function private.tags_in(jsonb) from public, anon, authenticated, service_role;

grant execute on function private.tags_in(jsonb) to authenticated, service_role;

drop function private.tags_of(text[]);

CREATE OR REPLACE FUNCTION private.tags_of(reported text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(t.tag order by t.place), '{}')
  from (
    select distinct on (lower(w.tag)) w.tag, w.place
    from (
      select btrim(regexp_replace(p.tag, '\s+', ' ', 'g')) as tag, (s.place, p.place) as place
      from unnest(reported) with ordinality as s (tag, place)
      -- What parts tags in files parts them everywhere, so that every file brings back what was written into it.
      cross join lateral regexp_split_to_table(s.tag, '[;,|\n\r]') with ordinality as p (tag, place)
    ) w
    where w.tag <> ''
    order by lower(w.tag), w.place
  ) t
$function$;

comment on function private.tags_of(text[]) is 'Tags as they are stored: trimmed, each once without regard to case, in the order in which they were given.';

revoke all on function private.tags_of(text[]) from public, anon, authenticated, service_role;

grant execute on function private.tags_of(text[]) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.take_lead(form public.forms, lead jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  zone text := private.own_time_zone();
  contact uuid;
  company uuid;
  called text;
  deal uuid;
  note uuid;
begin
  -- One after the other, or two submissions with one address would make two contacts.
  perform pg_advisory_xact_lock(hashtextextended('lead ' || me, 0));
  contact := private.contact_of_lead(form, lead);
  select c.company_id, coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email, c.phone_number, 'Unnamed')
  into company, called from public.contacts c where c.id = contact;
  if form.collection_id is not null then
    insert into public.collection_members (collection_id, contact_id)
    select form.collection_id, contact
    where not exists (
      select from public.collection_members m where m.collection_id = form.collection_id and m.contact_id = contact
    );
  end if;
  if form.pipeline_id is not null then
    deal := (private.save_record('deals', jsonb_build_object(
      'name', left(called || ' · ' || form.name, 200), 'pipeline_id', form.pipeline_id, 'contact_id', contact, 'company_id', company,
      'stage_id', (
        select s.id from public.pipeline_stages s where s.user_id = me and s.pipeline_id = form.pipeline_id order by s."order", s.id limit 1
      ))) ->> 'id')::uuid;
  end if;
  if form.task_title is not null then
    perform private.save_record('tasks', jsonb_build_object(
      'title', form.task_title, 'due_all_day', true, 'contact_id', contact, 'company_id', company, 'deal_id', deal,
      'due_date', private.day_end(
        ((now() at time zone zone)::date + coalesce(form.task_days, 0)::integer + time '12:00') at time zone zone, zone, false)));
  end if;
  insert into public.notes (kind, body, contact_id)
  values ('note', left(coalesce((
    select string_agg((l.reported ->> 'label') || ': ' || (l.reported ->> 'text'), E'\n' order by l.place)
    from jsonb_array_elements(lead -> 'lines') with ordinality as l (reported, place)
  ), 'Form ' || form.name), 50000), contact)
  returning id into note;
  insert into private.token_batches (batch, token_name, is_form)
  select b.batch, 'Form ' || form.name, true from (select private.written_batch() as batch) b
  on conflict (user_id, batch) do nothing;
  return note;
end
$function$;

CREATE OR REPLACE FUNCTION private.take_outgoing(account uuid, pace integer, per_day integer DEFAULT NULL::integer)
 RETURNS SETOF private.outgoing_mails
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  with next as materialized (
    select o.id from private.outbox_times(account, pace, per_day) t join private.outgoing_mails o on o.id = t.id
    where t.due_at <= now() and o.state = 'planned'
    order by o.run is not null, o.send_at, o.id limit 1
    for update of o skip locked
  )
  update private.outgoing_mails o set state = 'sending', tries = o.tries + 1, tried_at = now(), handed_at = null
  from next n where o.id = n.id and o.state = 'planned'
  returning o.*
$function$;

comment on function private.take_outgoing(uuid,integer,integer) is 'The mail of an account that leaves next, from now on "sending": noted before the mail server is asked, so that no other process takes it. None where nothing is due.';

revoke all on function private.take_outgoing(uuid,integer,integer) from public, anon, authenticated, service_role;

drop function private.take_token(text);

CREATE OR REPLACE FUNCTION private.take_token(token text, OUT id uuid, OUT account uuid, OUT name text, OUT scope text, OUT refusal text, OUT code text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  known private.access_tokens;
  short private.grant_secrets;
  address text := private.address_of_request();
begin
  if length(token) < 200 then
    select t.* into known from private.access_tokens t where t.hash = private.hash_of(token);
    if known.id is null then
      select s.* into short from private.grant_secrets s where s.hash = private.hash_of(token) and s.kind = 'access';
      select t.* into known from private.access_tokens t where t.id = short.grant_id;
    end if;
  end if;
  if known.id is null then
    code := 'unknown_token';
    refusal := 'This access token is not known. Nothing was done; make one in Settings under Connections.';
    return;
  end if;
  if private.has_ended(known) then
    update private.access_tokens t set refused_at = now(), refused_address = address
    where t.id = (select x.id from private.access_tokens x where x.id = known.id for update skip locked);
    code := case when known.revoked_at is not null then 'revoked_token' else 'expired_token' end;
    refusal := format('This access token %s. Nothing was done; %s.',
      case when known.revoked_at is not null then 'was revoked' else 'has expired' end,
      case when known.client_id is not null then 'connect again' else 'make a new one in Settings under Connections' end);
    return;
  end if;
  if short.expires_at <= now() then
    -- Every hour, and nothing to be told about in the list of connections.
    code := 'expired_token';
    refusal := 'This access token has expired. Nothing was done; ask for a new one with the refresh token.';
    return;
  end if;
  perform private.refuse_unfinished(known.user_id);
  -- Once a minute is exact enough, and calls that come together need not wait for each other.
  update private.access_tokens t set last_used_at = now(), last_address = address
  where t.id = (select x.id from private.access_tokens x where x.id = known.id for update skip locked)
    and (t.last_used_at is null or t.last_used_at < now() - interval '1 minute' or t.last_address is distinct from address);
  id := known.id;
  account := known.user_id;
  name := known.name;
  scope := known.scope;
end
$function$;

comment on function private.take_token(text) is 'Whose token this is and how far it reaches, or why it is refused; notes that it was used. A definer because whoever calls has no session yet, and nobody else finds a token by its hash.';

revoke all on function private.take_token(text) from public, anon, authenticated, service_role;

grant execute on function private.take_token(text) to anon, service_role;

CREATE OR REPLACE FUNCTION private.tell_day_is_full(account uuid, per_day integer, words text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update private.outgoing_mails o set problem = case when f.is_full then left(words, 1000) end
  from (
    select count(*) >= per_day as is_full from private.outgoing_mails r where r.account_id = account and r.tried_at > now() - interval '1 day'
  ) f
  where o.account_id = account and o.state = 'planned' and o.send_at <= now()
    -- What a mail has to tell of itself stays.
    and case when f.is_full then o.problem is null else o.problem = left(words, 1000) end
$function$;

comment on function private.tell_day_is_full(uuid,integer,text) is 'Mails that wait because as many as the provider allows in a day have left say so, as long as it is so.';

revoke all on function private.tell_day_is_full(uuid,integer,text) from public, anon, authenticated, service_role;

drop function private.tell_mail_state(uuid,text,text);

CREATE OR REPLACE FUNCTION private.tell_mail_state(account uuid, reported text, words text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform set_config('solo.silent', 'on', true);
  update public.mail_accounts a set state = reported,
    -- What the last reading had to tell is not over because this one has nothing to tell.
    problem = left(case when reported = 'working' and a.state = 'working' then coalesce(words, a.problem) else words end, 1000),
    last_read_at = case when reported = 'working' then now() else a.last_read_at end
  where a.id = account;
  perform set_config('solo.silent', 'off', true);
end
$function$;

comment on function private.tell_mail_state(uuid,text,text) is 'What the reader of an account has to tell its owner.';

revoke all on function private.tell_mail_state(uuid,text,text) from public, anon, authenticated, service_role;

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

CREATE OR REPLACE FUNCTION private.tried(name text, args jsonb, OUT card jsonb, OUT changes jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  begin
    perform private.call_listed(tried.name, tried.args);
    -- What would be refused at the end is refused now.
    set constraints all immediate;
    if private.written_batch() is null then
      raise exception 'This would change nothing.' using errcode = 'PT409';
    end if;
    card := private.with_short_texts(private.own_batch_summary(private.written_batch()));
    changes := private.rows_of_batch(private.written_batch());
    raise exception 'taken back' using errcode = 'SOLO1';
  exception when sqlstate 'SOLO1' then
    -- All that was written is taken back; what it was is kept in the variables.
    null;
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.typed_addresses(reported jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select distinct lower(btrim(l.line)) from regexp_split_to_table(reported ->> 'emails', '\n') l (line) where l.line like '%_@_%' limit 5
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

CREATE OR REPLACE FUNCTION private.typed_numbers(reported jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select distinct k.phone_key from regexp_split_to_table(reported ->> 'phones', '\n') l (line)
  cross join lateral private.phone_key(l.line, regexp_replace(l.line, '[^0-9]', '', 'g')) k
  where k.phone_key is not null limit 5
$function$;

revoke all on function private.typed_numbers(jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.unlogged_columns()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$ select '{order,closed_at,completed_at,stage_since}'::text[] $function$;

comment on function private.unlogged_columns() is 'Columns that change with others and of which the history says nothing. A column that the database stamps is added here alone.';

revoke all on function private.unlogged_columns() from public, anon, authenticated, service_role;

grant execute on function private.unlogged_columns() to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.values_for(target uuid, reported jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when exists (
    select from public.contacts c where c.id = target and private.keeps_name(c, reported)
  ) then reported - 'first_name' - 'last_name' else reported end
$function$;

comment on function private.values_for(uuid,jsonb) is 'What a row says of a record that is there: without a name that is only a guess.';

revoke all on function private.values_for(uuid,jsonb) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.waits_for_answer(mail public.mails)
 RETURNS TABLE(contact_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select k.contact_id
  from (
    select l.contact_id from private.mail_links l join public.contacts c on c.id = l.contact_id
    where l.mail_id = mail.id and l.counts and mail.sender = any (private.entry_addresses(c.emails)) order by l.contact_id limit 1
  ) k
  where mail.direction = 'in' and not mail.is_private and mail.sent_at > now() - interval '30 days'
    -- Nothing came after it in the conversation, and they were neither called nor met since.
    and not exists (
      select from public.mails a
      where a.user_id = mail.user_id and a.thread = mail.thread and a.sent_at > mail.sent_at
        -- An absence note, or one whose sender may be forged, answers nobody.
        and not a.is_automatic and not a.is_doubtful
    )
    and not exists (
      select from public.notes n
      where n.user_id = mail.user_id and n.contact_id = k.contact_id and n.kind <> 'note' and n.happened_at > mail.sent_at
    )
$function$;

comment on function private.waits_for_answer(public.mails) is 'The contact who has written this mail and waits for an answer; no row where nobody does. Of the last thirty days, the last of its conversation, and no call or meeting since.';

revoke all on function private.waits_for_answer(public.mails) from public, anon, authenticated, service_role;

grant execute on function private.waits_for_answer(public.mails) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.webhook_events_of(change public.changes)
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case change.verb when 'insert' then '{created}' when 'delete' then '{deleted}' else
    -- Its place among its neighbours on the board is nobody else's business.
    case when change.after - 'order' <> '{}' then array['updated'] else '{}' end
    || case when change.table_name = 'deals' and change.after ->> 'stage_id' is not null then array['stage_moved'] || array(
      select s.outcome::text from public.pipeline_stages s
      where s.user_id = change.user_id and s.id = (change.after ->> 'stage_id')::uuid and s.outcome in ('won', 'lost')
    ) else '{}' end
    || case when change.table_name = 'tasks' and change.after ->> 'completed' = 'true' then array['task_completed'] else '{}' end
  end::text[]
$function$;

comment on function private.webhook_events_of(public.changes) is 'The events that a change is. Only a move wins or loses a deal: one that is added or imported as won is "created".';

revoke all on function private.webhook_events_of(public.changes) from public, anon, authenticated, service_role;

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

drop function private.with_first(jsonb,text);

CREATE OR REPLACE FUNCTION private.with_first(entries jsonb, reported text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_array(coalesce(k.entry, '{"label": ""}') || jsonb_build_object('value', reported))
    || case when k.place is null then entries else entries - (k.place - 1)::integer end
  from (select) nothing
  left join lateral (
    select e.entry, e.place from jsonb_array_elements(entries) with ordinality as e (entry, place)
    where lower(e.entry ->> 'value') = lower(reported) limit 1
  ) k on true
$function$;

comment on function private.with_first(jsonb,text) is 'The entries with this one first, which may be among them: it keeps its label, and all others their order.';

revoke all on function private.with_first(jsonb,text) from public, anon, authenticated, service_role;

grant execute on function private.with_first(jsonb,text) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.with_short_texts(told jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  return case jsonb_typeof(told)
    when 'string' then case when length(told #>> '{}') > 250 then to_jsonb(left(told #>> '{}', 250) || '…') else told end
    when 'object' then (select coalesce(jsonb_object_agg(e.key, private.with_short_texts(e.value)), '{}') from jsonb_each(told) e)
    when 'array' then (
      select coalesce(jsonb_agg(private.with_short_texts(e.value) order by e.place), '[]')
      from jsonb_array_elements(told) with ordinality as e (value, place)
    )
    else told
  end;
end
$function$;

comment on function private.with_short_texts(jsonb) is 'A card of the history with the beginnings of its texts, which is all that its sentence shows.';

revoke all on function private.with_short_texts(jsonb) from public, anon, authenticated, service_role;

grant execute on function private.with_short_texts(jsonb) to authenticated, service_role;

drop function private.with_value(jsonb,text);

CREATE OR REPLACE FUNCTION private.with_value(entries jsonb, reported text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- The first of a row has its place before all others of it.
  select case
    when reported is null or private.has_entry(private.entries_in(entries), lower(reported)) then private.entries_in(entries)
    else jsonb_build_array(jsonb_build_object('label', '', 'value', reported)) || private.entries_in(entries)
  end
$function$;

revoke all on function private.with_value(jsonb,text) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.withdraw_proposals()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from private.proposals p where p.token_id = new.id;
  return null;
end
$function$;

comment on function private.withdraw_proposals() is 'What a token proposed that was revoked is withdrawn: whoever stole it may have written it.';

revoke all on function private.withdraw_proposals() from public, anon, authenticated, service_role;

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
       cross join lateral jsonb_to_record(w.reported) as v (
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
           cross join lateral jsonb_to_record(w.reported) as v (pipeline text, stage text, closed_at timestamptz, closes_at timestamptz, %3$s)
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
    || private.write_related(i, moment, after, last);
  return jsonb_build_object('contacts', people, 'added', added, 'updated', (
    select count(distinct w.target) from private.import_plans w
    where w.import_id = i.id and w.place > after and w.place <= last and w.target = any (updated)
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.write_import_fields(i private.imports)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  brought record;
begin
  for brought in select * from private.import_fields(i) loop
    -- Of rows that are skipped nothing stays behind.
    continue when not exists (
      select from private.import_plans p
      join private.import_rows r on r.import_id = p.import_id and r.place = p.place
      where p.import_id = i.id and r.reported -> 'custom' ? brought.id::text
    );
    if (brought.there).id is null then
      insert into public.fields (id, user_id, record, name, kind, options)
      values (brought.id, i.user_id, i.kind, brought.name, brought.kind, brought.options);
    else
      update public.fields f set options = private.options_with(f.options, brought.options)
      where f.user_id = i.user_id and f.id = brought.id and f.options <> private.options_with(f.options, brought.options);
    end if;
  end loop;
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
    select p.company_id, i.user_id, p.reported ->> 'company', w.started_at
    from private.planned_rows(i, after, last) p where p.adds_company and not p.reported ? 'organisation';
    get diagnostics row_count = row_count;
    return jsonb_build_object('companies', row_count + private.add_related(i, w.started_at, after, last, 'companies'));
  elsif step = 'contacts' then
    insert into public.contacts (id, user_id, first_name, last_name, email, company_id, created_at)
    select p.contact_id, i.user_id, p.reported ->> 'contact_first_name', p.reported ->> 'contact_last_name', p.reported ->> 'contact_email',
      p.company_id, w.started_at
    from private.planned_rows(i, after, last) p where p.adds_contact and not p.reported ? 'person';
    get diagnostics row_count = row_count;
    return jsonb_build_object('contacts', row_count + private.add_related(i, w.started_at, after, last, 'contacts'));
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
        perform private.write_move(id, args);
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

CREATE OR REPLACE FUNCTION private.write_move(id uuid, args jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if args ? 'outcome' then
    if not exists (select from public.deals d where d.id = write_move.id) then
      raise exception 'This deal no longer exists.' using errcode = 'PT404';
    end if;
    perform public.close_deals(jsonb_build_object('ids', jsonb_build_array(write_move.id)), args ->> 'outcome', args ->> 'lost_reason');
  elsif args ? 'before_id' or args ? 'after_id' then
    perform public.move_deal(write_move.id, (args ->> 'stage_id')::uuid, (args ->> 'before_id')::uuid, (args ->> 'after_id')::uuid);
  else
    perform private.change_row('deals', write_move.id, jsonb_build_object('stage_id', args -> 'stage_id'));
  end if;
end
$function$;

comment on function private.write_move(uuid,jsonb) is 'Moves a deal: to where it was dropped on the board, to another stage at its place, or, with "outcome", to a stage that wins or loses it, with the reason for a loss.';

revoke all on function private.write_move(uuid,jsonb) from public, anon, authenticated, service_role;

grant execute on function private.write_move(uuid,jsonb) to authenticated, service_role;

CREATE OR REPLACE FUNCTION private.write_records(i private.imports, moment timestamp with time zone, after bigint, last bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  added bigint;
  updated uuid[];
  -- Only companies may have notes of their own.
  has_ids boolean := i.kind = 'companies';
begin
  if has_ids then
    update private.import_plans p set record_id = coalesce(p.target, gen_random_uuid())
    from private.import_rows r
    where p.import_id = i.id and p.place > after and p.place <= last
      and r.import_id = i.id and r.place = p.place and r.reported ? 'kept_notes';
  end if;
  -- Rows without a moment of their own keep the order of the file in the list, newest first.
  execute (
    select format(
      'insert into public.%I (%s user_id, created_at, %s)
       select %s $1.user_id, coalesce(v.created_at, $2 - w.place * interval ''1 microsecond''), %s
       from private.planned_rows($1, $3, $4) w %s
       cross join lateral jsonb_to_record(w.reported) as v (created_at timestamptz, %s)
       where w.target is null',
      i.kind, case when has_ids then 'id,' else '' end, string_agg(quote_ident(c.name), ', '),
      case when has_ids then 'coalesce(n.record_id, gen_random_uuid()),' else '' end, string_agg(c.added, ', '),
      case when has_ids then 'join private.import_plans n on n.import_id = $1.id and n.place = w.place' else '' end,
      string_agg(c.definition, ', '))
    from private.import_columns(i.kind) c
  ) using i, moment, after, last;
  get diagnostics added = row_count;

  execute (
    select format(
      'with updated as (
         update public.%1$I c set %2$s
         from (
           select o.id, %3$s
           from private.planned_rows($1, $2, $3) w
           cross join lateral jsonb_to_record(w.reported) as v (note_parts jsonb, %4$s)
           join public.%1$I o on o.id = w.target and (o.user_id = $1.user_id) is true
         ) n
         -- What says the same is left alone, its moment of the last change too.
         where c.id = n.id and (c.user_id = $1.user_id) is true and (%5$s) is distinct from (%6$s)
         returning c.id
       )
       select coalesce(array_agg(u.id), ''{}'') from updated u',
      i.kind, string_agg(format('%1$I = n.%1$I', c.name), ', '), string_agg(format('%s as %I', c.changed, c.name), ', '),
      string_agg(c.definition, ', '), string_agg(format('c.%I', c.name), ', '), string_agg(format('n.%I', c.name), ', '))
    from private.import_columns(i.kind) c
  ) into updated using i, after, last;
  if has_ids then
    updated := updated || private.note_companies(i, moment, after, last) || private.note_records(i, moment, after, last);
  end if;
  return jsonb_build_object('added', added, 'updated', (
    select count(distinct u.id) from unnest(updated) as u (id)
    where not has_ids or exists (
      select from private.import_plans p where p.import_id = i.id and p.place > after and p.place <= last and p.target = u.id
    )
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.write_related(i private.imports, moment timestamp with time zone, after bigint, last bigint)
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
  if not exists (select from private.planned_rows(i, after, last) w where w.reported ?| array['person', 'organisation']) then
    return '{}';
  end if;
  with noted_on as (
    insert into public.notes (user_id, company_id, body, happened_at)
    select i.user_id, b.id, left(l.lines, 50000), moment
    from private.related_values_of(i, after, last, 'organisation') b
    cross join lateral (select private.new_lines(b.id, b.reported) as lines) l
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
             from private.related_values_of($1, $2, $3, %4$L) b
             cross join lateral jsonb_to_record(b.reported) as v (note_parts jsonb, %5$s)
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
      from private.related_columns(kind) c
    ) into changed using i, after, last;
    all_changed := all_changed || changed;
  end loop;
  all_changed := all_changed || noted;
  return array(
    select w.target from private.planned_rows(i, after, last) w
    where w.target is not null and (
      w.reported ? 'person' and w.contact_id = any (all_changed) or w.reported ? 'organisation' and w.company_id = any (all_changed)
    )
  );
end
$function$;

comment on function private.write_related(private.imports,timestamp with time zone,bigint,bigint) is 'Fills the contacts and companies of some rows of deals with what the rows say of them; tells of which deals that are there one got something.';

revoke all on function private.write_related(private.imports,timestamp with time zone,bigint,bigint) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.write_rows(me uuid, restore uuid, of_kind text, after_part integer, after_place integer, last_part integer, last_place integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  source text := (select k.source from private.backup_kinds() k where k.kind = of_kind);
  columns text;
begin
  if of_kind = 'changes' then
    begin
      -- Before the rows themselves, or their own past would look like something done to them since.
      insert into public.changes (user_id, batch, undoes, table_name, row_id, contact_id, company_id, deal_id, label, verb, before, after, names, created_at)
      select me, r.batch, r.undoes, r.table_name, r.row_id, r.contact_id, r.company_id, r.deal_id, left(r.label, 1000), r.verb,
        case when r.verb = 'delete' then r.before || jsonb_build_object('user_id', me) else r.before end, r.after, r.names, r.created_at
      from (
        select c.* from private.restore_rows s
        cross join lateral jsonb_populate_record(null::public.changes, s.reported) c
        where s.restore_id = restore and s.kind = 'changes'
          and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
      ) r
      order by r.id;
    exception when data_exception or integrity_constraint_violation then
      perform private.damaged('it has a value that is not allowed');
    end;
    return;
  end if;
  -- What the file has no column for keeps its default: it may be older than the column.
  select string_agg(quote_ident(c.name), ', ') into columns
  from private.columns_of(source::regclass) c
  where c.name in ('id', 'user_id') or c.name in (
    select jsonb_object_keys(s.reported) from private.restore_rows s
    where s.restore_id = restore and s.kind = of_kind and s.is_new
      and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
  );
  perform set_config('solo.restoring', 'on', true);
  begin
    execute format(
      'insert into %1$s (%2$s)
       select %2$s from (
         select r.* from private.restore_rows s
         cross join lateral jsonb_populate_record(null::%1$s, s.reported || jsonb_build_object(''id'', s.new_id, ''user_id'', $1)) r
         where s.restore_id = $2 and s.kind = %3$L and s.is_new
           and (s.part, s.place) > ($3, $4) and (s.part, s.place) <= ($5, $6)
         order by s.part, s.place
       ) lines', source, columns, of_kind)
    using me, restore, after_part, after_place, last_part, last_place;
  exception when data_exception or integrity_constraint_violation then
    perform private.damaged('one of its ' || replace(of_kind, '_', ' ') || ' has a value that is not allowed');
  end;
  if of_kind = 'deals' then
    update public.deals d set stage_id = null
    where d.user_id = me and d.stage_id is not null
      and d.id in (
        select s.new_id from private.restore_rows s
        where s.restore_id = restore and s.kind = 'deals' and s.is_new
          and (s.part, s.place) > (after_part, after_place) and (s.part, s.place) <= (last_part, last_place)
      )
      and not exists (
        select from public.pipeline_stages s where s.user_id = me and s.id = d.stage_id and s.pipeline_id = d.pipeline_id
      );
  end if;
  perform set_config('solo.restoring', 'off', true);
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

CREATE OR REPLACE FUNCTION public.add_import_rows(id uuid, rows jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  i private.imports := private.own_import(add_import_rows.id, true);
  received integer;
begin
  if i.summary is not null then
    return i.total;
  end if;
  if jsonb_typeof(rows) is distinct from 'array' or jsonb_array_length(rows) > 5000 then
    raise exception 'Rows are sent as lists of at most 5,000.' using errcode = 'PT400';
  end if;
  execute format(
    'insert into private.import_rows (import_id, user_id, place, reported, problem, email_key, email_keys, name_key)
     select $1.id, $1.user_id, r.place, coalesce(r.reported, ''{}''), r.problem, m.keys[1], m.keys,
       case $1.kind
         when ''contacts'' then k.key
         when ''companies'' then private.fold(v.name)
         else private.fold(v.name || E''\n'' || coalesce(v.company, ''''))
       end
     from jsonb_to_recordset($2) as r (place integer, reported jsonb, problem text)
     cross join lateral jsonb_to_record(coalesce(r.reported, ''{}'')) as v (name text, company text, %s)
     cross join lateral (
       select case
         when $1.kind <> ''contacts'' or v.email is null and v.emails is null then ''{}''
         when v.emails is null then array[lower(v.email)]
         else private.email_keys(v.email, v.emails)
       end as keys
     ) m
     cross join lateral private.contact_key(v.first_name, v.last_name, coalesce(v.phone_number, v.phones #>> ''{0,value}''), v.company, %s) k
     on conflict do nothing',
    (select string_agg(c.definition, ', ') from private.import_columns('contacts') c where c.definition like '% text' or c.definition like '% jsonb'),
    private.rest_of_contact('v'))
  using i, rows;
  select count(*) into received from private.import_rows r where r.import_id = i.id;
  if received > i.total then
    raise exception 'More rows were sent than the file has.' using errcode = 'PT400';
  end if;
  return received;
end
$function$;

CREATE OR REPLACE FUNCTION public.add_restore_rows(restore uuid, kind text, part integer, lines text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  r private.restores;
  has_id boolean := (select k.key = 'id' and k.key_type = 'uuid' from private.backup_kinds() k where k.kind = add_restore_rows.kind);
begin
  select * into r from private.restores x where x.id = restore and x.user_id = private.caller();
  if r.answer is not null then
    -- It was written, and only the answer was lost.
    return;
  end if;
  if r.tables ->> add_restore_rows.kind is null or part not between 0 and 100000 then
    raise exception 'This restore has stopped. Start again.' using errcode = 'PT404';
  end if;
  begin
    insert into private.restore_rows (restore_id, kind, part, place, reported, old_id)
    select restore, add_restore_rows.kind, add_restore_rows.part, l.place, l.line::jsonb,
      case when has_id then (l.line::jsonb ->> 'id')::uuid end
    from string_to_table(lines, E'\n') with ordinality as l (line, place)
    on conflict do nothing;
  exception when data_exception then
    perform private.damaged('a line of its ' || replace(add_restore_rows.kind, '_', ' ') || ' cannot be read');
  end;
  if exists (
    select from private.restore_rows s
    where s.restore_id = restore and s.kind = add_restore_rows.kind and s.part = add_restore_rows.part
      and (jsonb_typeof(s.reported) <> 'object' or has_id and s.old_id is null
        or s.reported ->> 'created_at' ~* 'infinity' or s.reported ->> 'updated_at' ~* 'infinity')
  ) then
    perform private.damaged('a line of its ' || replace(add_restore_rows.kind, '_', ' ') || ' cannot be read');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.add_upload_part(sha256 text, part integer, bytes text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  content private.file_contents;
  reported bytea;
begin
  select * into content from private.file_contents c where c.user_id = me and c.sha256 = add_upload_part.sha256 for key share;
  if content.sha256 is null then
    raise exception 'This upload has stopped. Nothing was saved; add the file again.' using errcode = 'PT404';
  end if;
  if content.type is not null then
    return;
  end if;
  begin
    reported := decode(add_upload_part.bytes, 'base64');
  exception when data_exception then
    raise exception 'A part of this file cannot be read. Nothing was saved.' using errcode = 'PT400';
  end;
  if coalesce(add_upload_part.part not between 0 and private.part_count(content.size) - 1, true)
    or octet_length(reported) is distinct from least(1048576, content.size - 1048576::bigint * add_upload_part.part)::integer then
    raise exception 'A part of this file does not have the size it should have. Nothing was saved.' using errcode = 'PT400';
  end if;
  insert into private.file_parts (user_id, sha256, part, bytes) values (me, content.sha256, add_upload_part.part, reported)
  on conflict do nothing;
end
$function$;

comment on function public.backup_counts() is 'The parts of a backup in the order in which they are read, and how many rows each has now. A definer because nobody else reads private.actions, which a backup holds.';

CREATE OR REPLACE FUNCTION public.backup_page(kind text, after text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  part record;
  page jsonb;
begin
  select * into part from private.backup_kinds() k where k.kind = backup_page.kind;
  if not found then
    raise exception 'A backup has no such part.' using errcode = 'PT400';
  end if;
  -- As text, so that no number and no moment loses a digit on its way; a page ends where it grows heavy. In the file the key
  -- "action" is called "deed", as older programs wrote it and read it.
  execute format(
    'with rows as (
       select t.%2$I as key, (to_jsonb(t) - ''user_id'' - ''search_text''%4$s)::text as line
       from %1$s t where t.user_id = $1 and ($2 is null or t.%2$I > $2::%3$s)
       order by t.%2$I limit 1000
     ),
     page as (
       select r.*, row_number() over (order by r.key) as place,
         sum(octet_length(r.line)) over (order by r.key) as weight
       from rows r
     )
     select jsonb_build_object(
       ''lines'', coalesce(string_agg(p.line, E''\n'' order by p.place) filter (where p.place = 1 or p.weight <= 1000000), ''''),
       ''count'', count(*) filter (where p.place = 1 or p.weight <= 1000000),
       ''next'', case when count(*) = 1000 or bool_or(p.place > 1 and p.weight > 1000000) then
         (array_agg(p.key::text order by p.place desc) filter (where p.place = 1 or p.weight <= 1000000))[1] end
     )
     from page p', part.source, part.key, part.key_type,
    case part.kind when 'deeds' then ' - ''action'' || jsonb_build_object(''deed'', t.action)' end)
  into page using private.caller(), after;
  return page;
end
$function$;

CREATE OR REPLACE FUNCTION public.call_with_token(p_token text, p_name text, p_args jsonb DEFAULT '{}'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET statement_timeout TO '10s'
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
    return private.propose(token.id, token.name, p_name, p_args);
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

CREATE OR REPLACE FUNCTION public.deal_record(id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  return (select private.deal_on_page(d) from public.deals d where d.id = deal_record.id);
end
$function$;

CREATE OR REPLACE FUNCTION public.delete_tag(tag text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  answer jsonb := private.replace_tag(btrim(tag), null);
begin
  perform private.name_action('delete tag', btrim(tag));
  return private.bulk_answer((answer -> 'count')::bigint);
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

CREATE OR REPLACE FUNCTION public.forget_run(run uuid)
 RETURNS bigint
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select public.forget_mails(array(
    select o.id from private.outgoing_mails o
    where o.user_id = private.caller() and o.run = forget_run.run and o.state in ('failed', 'stopped')
  ))
$function$;

comment on function public.forget_run(uuid) is 'Takes all mails of a run out of the outbox that failed or were stopped.';

revoke all on function public.forget_run(uuid) from public, anon, authenticated, service_role;

grant execute on function public.forget_run(uuid) to authenticated, service_role;

CREATE OR REPLACE FUNCTION public.history_page(filter jsonb DEFAULT '{}'::jsonb, after jsonb DEFAULT NULL::jsonb, page_size integer DEFAULT 30)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

comment on function public.history_page(jsonb,jsonb,integer) is 'A page of what was done, a batch each, newest first: added, changed, deleted, undone or imported, in a period of the user''s calendar. A definer because nobody else reads private.actions.';

CREATE OR REPLACE FUNCTION public.hold_mails(ids uuid[], holds boolean DEFAULT true)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
begin
  -- A lease: whoever writes on it renews it, and if their window dies, the mail leaves as it was planned.
  update private.outgoing_mails o
  set held_until = case when holds then greatest(o.held_until, now() + interval '5 minutes') else '-infinity' end
  where o.user_id = me and o.id = any (ids) and o.state = 'planned';
  if not holds then
    perform private.send_soon(k.account_id) from (
      select distinct o.account_id from private.outgoing_mails o where o.user_id = me and o.id = any (ids) and o.state = 'planned' order by 1
    ) k;
  end if;
  return jsonb_build_object('gone', (
    select coalesce(jsonb_agg(o.id order by o.send_at, o.id), '[]') from private.outgoing_mails o
    where o.user_id = me and o.id = any (ids) and o.state in ('sending', 'sent')
  ));
end
$function$;

comment on function public.hold_mails(uuid[],boolean) is 'Keeps planned mails from leaving for five minutes while they are written on, or lets them go again; tells which it was too late for. A definer because when a mail is held is not the client''s to write.';

revoke all on function public.hold_mails(uuid[],boolean) from public, anon, authenticated, service_role;

grant execute on function public.hold_mails(uuid[],boolean) to authenticated, service_role;

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
      'reported', p.reported,
      'target', case when m.twin is null then m.target end,
      'reason', case
        when p.problem is not null then p.problem
        when m.twin is not null and m.is_by_email then 'The same email is in row ' || m.twin || '.'
        when m.twin is not null then 'The same record stands in row ' || m.twin || '.'
        when m.target is null then null
        when m.is_same then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already exists and says the same.'
        when i.kind = 'companies' and private.fold(private.record_name(i.kind, m.target)) <> private.fold(p.reported ->> 'name')
          then private.record_name(i.kind, m.target) || ' has the same website, email or phone number. The other name is kept in a note.'
        when m.is_by_email then coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already has this email.'
        else coalesce(private.record_name(i.kind, m.target), 'A deleted record') || ' already exists.'
      end
    ) || case
      when m.twin is null and m.target is not null and not m.is_same
      then jsonb_build_object('changes', coalesce(c.changes, '{}'))
        || case when i.kind = 'deals' then jsonb_build_object('stored', private.stored_deal(m.target)) else '{}' end
      else '{}'
    end || case
      when i.kind = 'deals' and p.problem is null and m.twin is null and m.is_same is not true and p.reported ?| array['person', 'organisation']
      then jsonb_build_object('behind', coalesce(b.behind, '[]'))
      else '{}'
    end order by p.place), '[]')
    from private.import_rows p
    left join private.import_matches m on m.import_id = p.import_id and m.place = p.place
    left join private.import_changes(i, places) c on c.place = p.place
    left join (
      select h.place, jsonb_agg(jsonb_build_object('side', h.side, 'id', h.id, 'changes', h.changes)) as behind
      from private.related_changes(i, case i.kind when 'deals' then places else '{}' end) h group by h.place
    ) b on b.place = p.place
    where p.import_id = i.id and p.place = any (places)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.load_sample_data(time_zone text DEFAULT 'UTC'::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  pipeline uuid;
begin
  -- Two windows that ask at once would otherwise both load them.
  perform pg_advisory_xact_lock(hashtextextended('samples ' || me, 0));
  if private.has_samples() then
    raise exception 'The sample data is already loaded.' using errcode = 'PT409';
  end if;
  perform private.lock_pipelines();
  select p.id into pipeline from public.pipelines p where p.user_id = me order by p.created_at, p.id limit 1;
  if pipeline is null then
    raise exception 'There is no pipeline. Create one first.' using errcode = 'PT409';
  end if;
  perform private.name_action('samples');
  perform private.add_samples(me, private.current_batch(), pipeline, load_sample_data.time_zone);
  return jsonb_build_object('batch', private.written_batch());
end
$function$;

CREATE OR REPLACE FUNCTION public.merge_companies(keep uuid, seen jsonb, changes jsonb DEFAULT '{}'::jsonb, note text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  gone uuid[] := private.lock_to_merge('companies', keep, seen);
  merged record := private.merged_values('companies', keep, gone, changes);
  kept_note text := concat_ws(E'\n\n', nullif(btrim(note), ''), nullif(array_to_string(merged.beyond, E'\n'), ''));
begin
  perform private.set_merged('companies', keep, merged.changes);
  update public.contacts p set company_id = keep where p.company_id = any (gone);
  update public.deals d set company_id = keep where d.company_id = any (gone);
  update public.tasks t set company_id = keep where t.company_id = any (gone);
  update public.notes n set company_id = keep where n.company_id = any (gone);
  if kept_note <> '' then
    insert into public.notes (body, company_id) values (kept_note, keep);
  end if;
  insert into public.not_duplicates (one_company_id, other_company_id)
  select distinct least(keep, p.other), greatest(keep, p.other)
  from (
    select case when n.one_company_id = any (gone) then n.other_company_id else n.one_company_id end as other
    from public.not_duplicates n
    where n.one_company_id = any (gone) or n.other_company_id = any (gone)
  ) p
  where p.other <> keep and p.other <> all (gone) and not exists (
    select from public.not_duplicates k
    where k.one_company_id = least(keep, p.other) and k.other_company_id = greatest(keep, p.other)
  );
  delete from public.companies c where c.id = any (gone);
  perform private.name_action('merge', (select c.name from public.companies c where c.id = keep));
  return private.bulk_answer(cardinality(gone) + 1);
end
$function$;

CREATE OR REPLACE FUNCTION public.merge_contacts(keep uuid, seen jsonb, changes jsonb DEFAULT '{}'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  gone uuid[] := private.lock_to_merge('contacts', keep, seen);
  merged record := private.merged_values('contacts', keep, gone, changes);
begin
  if cardinality(merged.beyond) > 0 then
    merged.changes := merged.changes || jsonb_build_object('notes', concat_ws(E'\n\n', case
      when changes ? 'notes' then changes ->> 'notes' else (select c.notes from public.contacts c where c.id = keep)
    end, array_to_string(merged.beyond, E'\n')));
  end if;
  if char_length(merged.changes ->> 'notes') > 50000 then
    raise exception 'The notes would be too long. Nothing was saved; keep less of them.' using errcode = 'PT400';
  end if;
  perform private.set_merged('contacts', keep, merged.changes);
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
  perform private.name_action('merge', (
    select coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), 'Unnamed') from public.contacts c
    where c.id = keep
  ));
  return private.bulk_answer(cardinality(gone) + 1);
end
$function$;

CREATE OR REPLACE FUNCTION public.newest_change()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'mark', private.newest_change(me.id), 'age', (extract(epoch from now() - private.newest_write()) * 1000)::bigint
  )
  from (select private.caller() as id) me
$function$;

comment on function public.newest_change() is 'Whether anything of the caller has changed, for a window that has heard nothing for a while: the mark is then another one than before. The age of the newest write, in milliseconds, is for a window that has no mark yet.';

CREATE OR REPLACE FUNCTION public.outbox(before timestamp with time zone DEFAULT NULL::timestamp with time zone, page_size integer DEFAULT 50)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with me as materialized (select private.caller() as id),
  page as (
    -- With all that leave at the same moment as the last one: "before" would leave them out.
    select o.* from private.outgoing_mails o
    where o.user_id = (select m.id from me m) and (o.state <> 'sent' or o.problem is not null) and (before is null or o.send_at < before)
    order by o.send_at desc fetch first least(greatest(page_size, 1), 200) rows with ties
  ),
  runs as (
    select o.run, (array_agg(o.subject order by o.send_at, o.id))[1] as subject, count(*) as total,
      count(*) filter (where o.state = 'sent') as sent, count(*) filter (where o.state = 'failed') as failed,
      count(*) filter (where o.state = 'failed' and o.may_have_left) as may_have_left,
      count(*) filter (where o.state = 'stopped') as stopped, count(*) filter (where o.state in ('planned', 'sending')) as waiting,
      min(greatest(o.send_at, o.held_until)) filter (where o.state = 'planned') as next_at, max(o.send_at) as last_at
    from private.outgoing_mails o
    where o.user_id = (select m.id from me m) and o.run is not null
    group by o.run
    -- One that is done stays for a day, so that it can be seen that it is.
    having bool_or(o.state <> 'sent') or max(o.tried_at) > now() - interval '1 day'
    order by max(o.send_at) desc, o.run limit 50
  )
  select jsonb_build_object(
    'runs', (select coalesce(jsonb_agg(to_jsonb(r) - 'last_at' order by r.last_at desc, r.run), '[]') from runs r),
    'mails', coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'run', p.run, 'state', p.state, 'send_at', p.send_at,
      'to', (select coalesce(jsonb_agg(r - 'role' order by n), '[]') from jsonb_array_elements(p.recipients) with ordinality as r (r, n)),
      'subject', coalesce(p.subject, ''), 'tries', p.tries, 'may_have_left', p.may_have_left and p.state <> 'sent',
      'problem', coalesce(case when p.state = 'planned' then private.why_mail_waits(a) end, p.problem),
      'account', p.account_id) order by p.send_at desc, p.id), '[]'),
    'next', case when count(*) >= least(greatest(page_size, 1), 200) then min(p.send_at) end)
  from page p left join public.mail_accounts a on a.id = p.account_id
$function$;

CREATE OR REPLACE FUNCTION public.outgoing_mail(id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  answer jsonb;
begin
  select jsonb_build_object('id', o.id, 'run', o.run, 'state', o.state, 'account', o.account_id,
    'to', private.people_in(o.recipients, 'to'), 'cc', private.people_in(o.recipients, 'cc'), 'bcc', private.people_in(o.recipients, 'bcc'),
    'subject', coalesce(o.subject, ''), 'text', coalesce(o.body_text, ''), 'html', o.body_html,
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.reported ->> 'file', 'name', f.reported ->> 'name', 'type', f.reported ->> 'type',
        'size', f.reported -> 'size') order by f.place), '[]')
      from jsonb_array_elements(o.attachments) with ordinality as f (reported, place)
    ),
    'answers', o.answers, 'deal', o.deal, 'follow_up_days', o.follow_up_days, 'send_at', o.send_at, 'tries', o.tries, 'problem', o.problem)
  into answer from private.outgoing_mails o where o.user_id = private.caller() and o.id = outgoing_mail.id;
  if answer is null then
    raise exception 'This email is no longer in the outbox.' using errcode = 'PT404';
  end if;
  return answer;
end
$function$;

CREATE OR REPLACE FUNCTION public.plan_mails(mails jsonb, replaces uuid[] DEFAULT '{}'::uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  ids uuid[];
  together uuid;
  planned jsonb;
  known jsonb;
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is not null then
    raise exception 'Emails are sent by the server of Solo CRM, and this project has none. Nothing was sent.' using errcode = 'PT409';
  end if;
  if jsonb_typeof(mails) is distinct from 'array' or jsonb_array_length(mails) = 0 then
    raise exception 'There is no email to send. Nothing was sent.' using errcode = 'PT400';
  end if;
  if jsonb_array_length(mails) > 500 then
    raise exception 'At most 500 emails can be sent at once. Nothing was sent; choose fewer people.' using errcode = 'PT400';
  end if;
  -- An answer that was lost is asked for again: what is planned already is planned once.
  ids := array(select (m.reported ->> 'id')::uuid from jsonb_array_elements(mails) as m (reported));
  if exists (select from private.outgoing_mails o where o.user_id = me and o.id = any (ids) and o.state = 'failed' and o.may_have_left) then
    raise exception 'This email may have been sent already. It wasn’t sent again; look into the outbox.' using errcode = 'PT409';
  end if;
  -- What was stopped or has failed since then is to leave after all.
  perform public.retry_mails(array(
    select o.id from private.outgoing_mails o where o.user_id = me and o.id = any (ids) and o.state in ('failed', 'stopped')
  ));
  select jsonb_build_object('run', min(o.run::text), 'ids', jsonb_agg(o.id order by o.send_at, o.id), 'leaves_at', min(o.send_at),
    'waits', (select min(private.why_mail_waits(a)) from public.mail_accounts a where a.user_id = me and a.id = any (array_agg(o.account_id))))
  into known from private.outgoing_mails o
  where o.user_id = me and o.id = any (ids);
  if known ->> 'ids' is not null then
    return known;
  end if;
  if replaces <> '{}' then
    -- Those that wait are stopped first, so that none begins to leave meanwhile.
    if public.stop_mails(replaces) ->> 'gone' <> '[]' then
      raise exception 'The email you were editing has left meanwhile. This version wasn’t sent; send it again if it is to go as a new email.' using errcode = 'PT410';
    end if;
    perform public.forget_mails(replaces);
  end if;
  if (select count(*) from private.outgoing_mails o where o.user_id = me and o.state in ('planned', 'sending')) + jsonb_array_length(mails) > 5000 then
    raise exception 'There are 5,000 emails in the outbox already. Nothing was sent; wait until some have left.' using errcode = 'PT409';
  end if;
  together := case when jsonb_array_length(mails) > 1 then gen_random_uuid() end;
  with made as (
    insert into private.outgoing_mails (id, account_id, run, send_at, message_id, recipients, subject, body_text, body_html, attachments, answers,
      refs, deal, follow_up_days)
    -- Each a moment after the one before: they leave in their order.
    select p.id, p.account_id, together, p.send_at + e.place * interval '1 microsecond', p.message_id, p.recipients, p.subject, p.body_text,
      p.body_html, p.attachments, p.answers, p.refs, p.deal, p.follow_up_days
    from (select m.reported, m.place from jsonb_array_elements(mails) with ordinality as m (reported, place)) e
    cross join lateral private.planned_mail(me, e.reported) p
    returning id, account_id, send_at
  )
  select jsonb_build_object('run', together, 'ids', jsonb_agg(m.id order by m.send_at, m.id), 'leaves_at', min(m.send_at),
    'waits', (select min(private.why_mail_waits(a)) from public.mail_accounts a where a.user_id = me and a.id in (select k.account_id from made k)))
  into planned from made m;
  return planned;
end
$function$;

comment on function public.plan_mails(jsonb,uuid[]) is 'Plans 1 to 500 mails, all or none: each leaves at its time, or ten seconds from now, until when stop_mails takes it back. Those of the outbox that they replace go in the same moment; refused where one of them has begun to leave. One whose id is known is planned already: the same answer, and it leaves if it was stopped or failed. Several are a run, which leaves at the pace of the account.';

revoke all on function public.plan_mails(jsonb,uuid[]) from public, anon, authenticated, service_role;

grant execute on function public.plan_mails(jsonb,uuid[]) to authenticated, service_role;

CREATE OR REPLACE FUNCTION public.proposal(id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.proposal_told(p, false) from private.proposals p
  where p.user_id = private.caller() and p.id = proposal.id and private.is_waiting(p)
$function$;

comment on function public.proposal(uuid) is 'One that waits, with all its values; null where it no longer does.';

revoke all on function public.proposal(uuid) from public, anon, authenticated, service_role;

grant execute on function public.proposal(uuid) to authenticated, service_role;

CREATE OR REPLACE FUNCTION public.proposals()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(
    private.proposal_told(p, octet_length(p.changes::text) > 4000) order by p.created_at desc, p.id), '[]')
  from private.proposals p
  where p.user_id = private.caller() and private.is_waiting(p)
$function$;

comment on function public.proposals() is 'What waits for its owner, newest first. Long ones are without their values (is_cut), which public.proposal tells.';

CREATE OR REPLACE FUNCTION public.quick_add(line jsonb, batch uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.record_timeline(record text, id uuid, before timestamp with time zone DEFAULT NULL::timestamp with time zone, before_key text DEFAULT NULL::text, page_size integer DEFAULT 50, kind text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  if record not in ('contact', 'company', 'deal') then
    raise exception 'A % has no timeline.', left(record, 40) using errcode = 'PT400';
  end if;
  if kind not in ('note', 'call', 'meeting', 'email', 'change') then
    raise exception 'A timeline has no entries of the kind %.', left(kind, 40) using errcode = 'PT400';
  end if;
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object('at', p.at, 'key', p.key) || case
        when m.id is not null then private.mail_on_timeline(m) || jsonb_build_object('origin', private.mail_origin(record, record_timeline.id, m))
        when n.id is not null then private.note_on_timeline(n) || jsonb_build_object(
          'origin', private.origin_of(record, record_timeline.id, n.contact_id, n.company_id, n.deal_id))
        -- A contact, company or deal is its own origin, whatever it is linked to.
        else private.change_on_timeline(ch) || jsonb_build_object('origin', private.origin_of(record, record_timeline.id,
          case when ch.table_name not in ('companies', 'deals') then ch.contact_id end,
          case when ch.table_name not in ('contacts', 'deals') then ch.company_id end,
          case when ch.table_name not in ('contacts', 'companies') then ch.deal_id end))
      end
      order by p.at desc, p.key desc), '[]')
    from private.timeline_places(record, record_timeline.id, record_timeline.kind, before, coalesce(before_key, ''),
      least(greatest(page_size, 1), 200)) p
    left join public.changes ch on ch.id = p.change_id
    left join public.notes n on n.id = p.note_id
    left join public.mails m on m.id = case when p.key like 'mail %' then substr(p.key, 6)::uuid end
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

CREATE OR REPLACE FUNCTION public.remove_sample_data()
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := private.caller();
  ids uuid[];
  stages uuid[];
  removed bigint := 0;
  row_count bigint;
  kind text;
begin
  perform pg_advisory_xact_lock(hashtextextended('samples ' || me, 0));
  if not private.has_samples() then
    raise exception 'The sample data is already gone.' using errcode = 'PT404';
  end if;
  perform private.lock_pipelines();
  select array_agg(c.row_id), array_agg(c.row_id) filter (where c.table_name = 'pipeline_stages') into ids, stages
  from private.actions e
  join public.changes c on c.user_id = e.user_id and c.batch = e.batch and c.verb = 'insert'
  where e.user_id = me and e.action = 'samples';
  -- What links goes before what is linked to.
  foreach kind in array array['notes', 'tasks', 'deals', 'contacts', 'companies'] loop
    execute format('delete from public.%I t where t.user_id = $1 and t.id = any ($2)', kind) using me, ids;
    get diagnostics row_count = row_count;
    removed := removed + row_count;
  end loop;
  -- A stage that came with them stays where a deal of the user's own has come to it. Closed Lost may be among them.
  perform set_config('solo.restoring', 'on', true);
  delete from public.pipeline_stages s
  where s.user_id = me and s.id = any (stages)
    and not exists (select from public.deals d where d.user_id = me and d.stage_id = s.id);
  perform set_config('solo.restoring', 'off', true);
  perform private.name_action('samples');
  return private.bulk_answer(removed);
end
$function$;

comment on function public.remove_sample_data() is 'Takes away what load_sample_data added, edited or not: one batch, which can be undone. What the user added stays, without its links to samples; only notes on a sample go with it. A definer because nobody else reads private.actions, which tell the samples.';

CREATE OR REPLACE FUNCTION public.rename_tag(tag text, name text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  tags text[] := private.tags_of(array[rename_tag.name]);
  wanted text := tags[1];
  answer jsonb;
begin
  if cardinality(tags) <> 1 then
    raise exception 'A tag has a name, without commas, semicolons and bars. Nothing was saved.' using errcode = 'PT400';
  end if;
  -- Another tag keeps its spelling.
  if lower(wanted) <> lower(btrim(tag)) then
    wanted := coalesce((
      select t.name from jsonb_to_recordset(public.tag_counts()) as t (name text) where lower(t.name) = lower(wanted)
    ), wanted);
  end if;
  answer := private.replace_tag(btrim(tag), wanted);
  perform private.rename_tag_in_views(btrim(tag), wanted);
  perform private.name_action('rename tag', btrim(tag) || ' → ' || wanted);
  return private.bulk_answer((answer -> 'count')::bigint);
end
$function$;

CREATE OR REPLACE FUNCTION public.replies_waiting()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('thread', w.thread, 'mail_id', w.id, 'subject', w.subject, 'snippet', w.snippet,
    'at', w.sent_at, 'sender', w.sender, 'sender_name', w.sender_name, 'contact_id', w.contact_id) order by w.sent_at desc, w.id), '[]')
  from (
    select m.id, m.thread, m.subject, m.snippet, m.sent_at, m.sender, m.sender_name, k.contact_id
    from public.mails m cross join lateral private.waits_for_answer(m) k
    where m.user_id = private.caller()
    order by m.sent_at desc, m.id limit 50
  ) w
$function$;

comment on function public.replies_waiting() is 'The newest fifty mails of contacts to which nobody has answered, see private.waits_for_answer.';

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

CREATE OR REPLACE FUNCTION public.retry_run(run uuid, state text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if state is null or state not in ('failed', 'stopped') then
    raise exception 'Only emails that failed or were stopped can be sent again.' using errcode = 'PT400';
  end if;
  return public.retry_mails(array(
    select o.id from private.outgoing_mails o
    where o.user_id = private.caller() and o.run = retry_run.run and o.state = retry_run.state
      -- Whether one is sent that may have left already, the user decides by itself.
      and not o.may_have_left
  ));
end
$function$;

comment on function public.retry_run(uuid,text) is 'Plans all mails of a run once more that failed, or all that were stopped, as retry_mails does; but for those that may have left.';

revoke all on function public.retry_run(uuid,text) from public, anon, authenticated, service_role;

grant execute on function public.retry_run(uuid,text) to authenticated, service_role;

CREATE OR REPLACE FUNCTION public.send_webhook_again(delivery uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  again private.webhook_deliveries;
  asked timestamptz[];
begin
  update private.webhook_deliveries d set status = 'waiting', is_asked = true, problem = null
  where d.user_id = private.caller() and d.id = send_webhook_again.delivery
  returning * into again;
  if again.id is null then
    raise exception 'This delivery no longer exists. Nothing was sent.' using errcode = 'PT404';
  end if;
  update private.webhooks w set sent_again_at =
    array(select x.at from unnest(w.sent_again_at) x (at) where x.at > now() - interval '1 minute') || now()
  where w.id = again.webhook_id
  returning w.sent_again_at into asked;
  if cardinality(asked) > 10 then
    raise exception 'Ten times a minute are enough. Nothing was sent; try again in a moment.' using errcode = 'PT429';
  end if;
  perform private.plan_delivery(again);
end
$function$;

drop function public.similar_records(text,jsonb);

CREATE OR REPLACE FUNCTION public.similar_records(kind text, reported jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform private.caller();
  if kind is null or kind not in ('contacts', 'companies', 'deals') or jsonb_typeof(reported) is distinct from 'object'
     or exists (select from jsonb_each(reported) e where jsonb_typeof(e.value) not in ('string', 'null') or length(e.value #>> '{}') > 2000) then
    raise exception 'What was typed cannot be compared.' using errcode = 'PT400';
  end if;
  return (
    select coalesce(jsonb_agg(card || jsonb_build_object('reason', s.reason) order by s.place), '[]')
    from private.similar_ids(kind, reported) with ordinality as s (id, reason, place)
    cross join lateral private.search_card(kind, s.id) card
    where card is not null
  );
end
$function$;

comment on function public.similar_records(text,jsonb) is 'At most three contacts, companies or open deals that seem to be the one that is being typed, each with the reason: email, link, phone, website or name.';

revoke all on function public.similar_records(text,jsonb) from public, anon, authenticated, service_role;

grant execute on function public.similar_records(text,jsonb) to authenticated, service_role;

CREATE OR REPLACE FUNCTION public.update_tasks(filter jsonb, changes jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
begin
  return private.set_many('tasks', private.ids_of('tasks', filter), case
    -- A due date that does not say so has its hour.
    when changes ? 'due_date' then jsonb_build_object('due_all_day', false) || changes
    else changes - 'due_all_day'
  end);
end
$function$;

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

alter table private.import_people add column role text;
alter table private.outgoing_mails add column may_have_left boolean not null default false;

-- Plain words.
alter table private.deeds rename to actions;
alter table private.actions rename column deed to action;
alter table private.actions rename constraint deeds_pkey to actions_pkey;
alter table private.actions rename constraint deeds_user_id_fkey to actions_user_id_fkey;
alter table private.actions rename constraint deeds_deed_known to actions_action_known;
alter table private.actions rename constraint deeds_about_length to actions_about_length;
alter table private.import_rows rename column said to reported;
alter table private.restore_rows rename column said to reported;

create index changes_newest on public.changes (user_id, id desc);
-- What a token proposed is withdrawn when it is revoked. Of what waits already nobody knows which token it was.
alter table private.proposals add column token_id uuid references private.access_tokens (id) on delete set null;
grant insert (token_id), update (token_id) on private.proposals to authenticated;
create index proposals_by_token on private.proposals (token_id) where token_id is not null;
create trigger withdraw_proposals after update of revoked_at on private.access_tokens
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function private.withdraw_proposals();

-- Messages of webhooks are sent again ten times a minute at most.
alter table private.webhooks add column sent_again_at timestamptz[] not null default '{}';

-- Written by npm run schema:upgrade: comments, rows of the schema, functions that are gone

drop function private.batch_told(uuid,uuid);
drop function private.change_told(public.changes);
drop function private.deal_told(public.deals);
drop function private.mail_told(public.mails);
drop function private.name_deed(text,text);
drop function private.note_failed(uuid,integer,text,double precision,boolean);
drop function private.note_told(public.notes);
drop function private.outbox_times(uuid,integer);
drop function private.outbox_wait(uuid,integer);
drop function private.people_of_deals(private.imports);
drop function private.propose(text,text,jsonb);
drop function private.said_of(uuid,jsonb);
drop function private.same_old_values(jsonb,jsonb);
drop function private.take_outgoing(uuid,integer);
drop function private.told_batch(uuid);
drop function private.told_to_webhooks(public.changes);
drop function private.untold_columns();
drop function public.plan_mails(jsonb);
comment on column private.import_people.role is 'What the contact is to the deal; the main one is here, too, where the row says it.';
comment on column private.outgoing_mails.may_have_left is 'An earlier try ended without an answer after the end was handed over, and its copy was not found: before it is sent again, the sent folder is looked at.';
comment on column private.proposals.token_id is 'The token that proposed it, whose end by Revoke withdraws it; null where an expired one was taken off the list since.';
comment on column private.webhooks.failed_for is 'How long it has failed since failing_since, of which each time between two tries counts as one day at most.';
comment on column private.webhooks.sent_again_at is 'When its owner had messages sent once more, during the last minute.';
delete from private.bulk_changes;
insert into private.bulk_changes select * from jsonb_populate_recordset(null::private.bulk_changes, '[{"key": "add_tags", "kind": "companies", "sets": "tags = private.tags_of(c.tags || private.texts($2 -> ''add_tags''))", "label": "tags", "place": 3}, {"key": "custom", "kind": "companies", "sets": "custom = $2 -> ''custom''", "label": "custom fields", "place": 9}, {"key": "industry", "kind": "companies", "sets": "industry = $2 ->> ''industry''", "label": "industry", "place": 1}, {"key": "location", "kind": "companies", "sets": "location = $2 ->> ''location''", "label": "location", "place": 2}, {"key": "remove_tags", "kind": "companies", "sets": "tags = private.without_tags(c.tags, private.texts($2 -> ''remove_tags''))", "label": "tags", "place": 3}, {"key": "add_tags", "kind": "contacts", "sets": "tags = private.tags_of(c.tags || private.texts($2 -> ''add_tags''))", "label": "tags", "place": 3}, {"key": "company_id", "kind": "contacts", "sets": "company_id = ($2 ->> ''company_id'')::uuid", "label": "company", "place": 2}, {"key": "custom", "kind": "contacts", "sets": "custom = $2 -> ''custom''", "label": "custom fields", "place": 9}, {"key": "lead_status", "kind": "contacts", "sets": "lead_status = $2 ->> ''lead_status''", "label": "lead status", "place": 1}, {"key": "remove_tags", "kind": "contacts", "sets": "tags = private.without_tags(c.tags, private.texts($2 -> ''remove_tags''))", "label": "tags", "place": 3}, {"key": "add_tags", "kind": "deals", "sets": "tags = private.tags_of(c.tags || private.texts($2 -> ''add_tags''))", "label": "tags", "place": 3}, {"key": "currency", "kind": "deals", "sets": "currency = $2 ->> ''currency''", "label": "currency", "place": 3}, {"key": "custom", "kind": "deals", "sets": "custom = $2 -> ''custom''", "label": "custom fields", "place": 9}, {"key": "expected_close_date", "kind": "deals", "sets": "expected_close_date = ($2 ->> ''expected_close_date'')::date", "label": "expected close", "place": 2}, {"key": "lost_reason", "kind": "deals", "sets": "lost_reason = coalesce(private.blank_to_null($2 ->> ''lost_reason''), c.lost_reason)", "label": "stage", "place": 1}, {"key": "remove_tags", "kind": "deals", "sets": "tags = private.without_tags(c.tags, private.texts($2 -> ''remove_tags''))", "label": "tags", "place": 3}, {"key": "stage_id", "kind": "deals", "sets": "stage_id = ($2 ->> ''stage_id'')::uuid", "label": "stage", "place": 1}, {"key": "completed", "kind": "tasks", "sets": "completed = ($2 ->> ''completed'')::boolean", "label": "completion", "place": 1}, {"key": "due_all_day", "kind": "tasks", "sets": "due_all_day = ($2 ->> ''due_all_day'')::boolean", "label": "due date", "place": 2}, {"key": "due_date", "kind": "tasks", "sets": "due_date = ($2 ->> ''due_date'')::timestamptz", "label": "due date", "place": 2}, {"key": "priority", "kind": "tasks", "sets": "priority = $2 ->> ''priority''", "label": "priority", "place": 3}]');
delete from private.import_rules;
insert into private.import_rules select * from jsonb_populate_recordset(null::private.import_rules, '[{"kind": "companies", "name": "addresses", "added": "private.united_entries(''addresses'', ''[]'', v.addresses)", "changed": "private.fitting_entries(''addresses'', o.addresses, v.addresses)", "is_plain": false}, {"kind": "companies", "name": "custom", "added": null, "changed": "private.imported_custom(o.user_id, o.custom, v.custom)", "is_plain": true}, {"kind": "companies", "name": "emails", "added": "private.united_entries(''emails'', ''[]'', v.emails)", "changed": "private.fitting_entries(''emails'', o.emails, v.emails)", "is_plain": false}, {"kind": "companies", "name": "location", "added": null, "changed": "case when private.holds(o.location, v.location) then o.location else coalesce(v.location, o.location) end", "is_plain": false}, {"kind": "companies", "name": "name", "added": null, "changed": "o.name", "is_plain": false}, {"kind": "companies", "name": "phones", "added": "private.united_entries(''phones'', ''[]'', v.phones)", "changed": "private.fitting_entries(''phones'', o.phones, v.phones)", "is_plain": false}, {"kind": "contacts", "name": "addresses", "added": "private.united_entries(''addresses'', ''[]'', v.addresses)", "changed": "private.fitting_entries(''addresses'', o.addresses, v.addresses)", "is_plain": false}, {"kind": "contacts", "name": "company_id", "added": "w.company_id", "changed": "coalesce(w.company_id, o.company_id)", "is_plain": false}, {"kind": "contacts", "name": "custom", "added": null, "changed": "private.imported_custom(o.user_id, o.custom, v.custom)", "is_plain": true}, {"kind": "contacts", "name": "email", "added": null, "changed": "private.imported_email(o, v.email, private.with_value(v.emails, v.email))", "is_plain": false}, {"kind": "contacts", "name": "emails", "added": "private.united_entries(''emails'', ''[]'', v.emails)", "changed": "private.fitting_entries(''emails'', o.emails, private.with_value(v.emails, v.email))", "is_plain": false}, {"kind": "contacts", "name": "links", "added": "private.united_entries(''links'', ''[]'', v.links)", "changed": "private.fitting_entries(''links'', o.links, v.links)", "is_plain": false}, {"kind": "contacts", "name": "notes", "added": null, "changed": "private.imported_notes(o, coalesce(v.note_parts, case when v.notes is not null then jsonb_build_array(v.notes) end),\n    jsonb_build_object(''emails'', private.with_value(v.emails, v.email), ''phones'', private.with_value(v.phones, v.phone_number),\n      ''links'', v.links, ''addresses'', v.addresses))", "is_plain": false}, {"kind": "contacts", "name": "phone_number", "added": null, "changed": "private.imported_phone(o, v.phone_number)", "is_plain": false}, {"kind": "contacts", "name": "phones", "added": "private.united_entries(''phones'', ''[]'', v.phones)", "changed": "private.fitting_entries(''phones'', o.phones, private.with_value(v.phones, v.phone_number))", "is_plain": false}, {"kind": "deals", "name": "company_id", "added": "w.company_id", "changed": "o.company_id", "is_plain": false}, {"kind": "deals", "name": "contact_id", "added": "w.contact_id", "changed": "coalesce(o.contact_id, w.contact_id)", "is_plain": false}, {"kind": "deals", "name": "custom", "added": null, "changed": "private.imported_custom(o.user_id, o.custom, v.custom)", "is_plain": true}, {"kind": "deals", "name": "lost_reason", "added": "case when s.outcome = ''lost'' then v.lost_reason end", "changed": "case when s.outcome = ''lost'' then coalesce(v.lost_reason, o.lost_reason) end", "is_plain": false}, {"kind": "deals", "name": "name", "added": null, "changed": "o.name", "is_plain": false}, {"kind": "deals", "name": "pipeline_id", "added": "coalesce(p.pipeline_id, usual.pipeline_id)", "changed": "coalesce(p.pipeline_id, o.pipeline_id)", "is_plain": false}, {"kind": "deals", "name": "stage_id", "added": "p.stage_id", "changed": "s.id", "is_plain": false}]');
delete from private.record_kinds;
insert into private.record_kinds select * from jsonb_populate_recordset(null::private.record_kinds, '[{"key": "id", "kind": "changes", "place": 1, "is_cut": false, "source": "public.changes", "key_type": "bigint", "is_logged": false, "placed_by": null}, {"key": "id", "kind": "collection_members", "place": 80, "is_cut": true, "source": "public.collection_members", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "collections", "place": 70, "is_cut": false, "source": "public.collections", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "companies", "place": 40, "is_cut": true, "source": "public.companies", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "contacts", "place": 50, "is_cut": true, "source": "public.contacts", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "deal_contacts", "place": 100, "is_cut": false, "source": "public.deal_contacts", "key_type": "uuid", "is_logged": true, "placed_by": "private.place_deal_contacts"}, {"key": "id", "kind": "deals", "place": 60, "is_cut": true, "source": "public.deals", "key_type": "uuid", "is_logged": true, "placed_by": "private.place_money"}, {"key": "batch", "kind": "deeds", "place": 2, "is_cut": false, "source": "private.actions", "key_type": "uuid", "is_logged": false, "placed_by": null}, {"key": "id", "kind": "email_templates", "place": 140, "is_cut": false, "source": "public.email_templates", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "fields", "place": 10, "is_cut": false, "source": "public.fields", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "files", "place": 170, "is_cut": false, "source": "public.files", "key_type": "uuid", "is_logged": true, "placed_by": "private.place_files"}, {"key": "id", "kind": "form_submissions", "place": 160, "is_cut": false, "source": "public.form_submissions", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "forms", "place": 150, "is_cut": false, "source": "public.forms", "key_type": "uuid", "is_logged": true, "placed_by": "private.place_forms"}, {"key": "id", "kind": "mail_accounts", "place": 180, "is_cut": false, "source": "public.mail_accounts", "key_type": "uuid", "is_logged": true, "placed_by": "private.place_mails"}, {"key": "id", "kind": "mail_exclusions", "place": 200, "is_cut": false, "source": "public.mail_exclusions", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "mails", "place": 190, "is_cut": true, "source": "public.mails", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "not_duplicates", "place": 90, "is_cut": false, "source": "public.not_duplicates", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "notes", "place": 120, "is_cut": true, "source": "public.notes", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "pipeline_stages", "place": 30, "is_cut": false, "source": "public.pipeline_stages", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "pipelines", "place": 20, "is_cut": false, "source": "public.pipelines", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "user_id", "kind": "preferences", "place": 3, "is_cut": false, "source": "public.preferences", "key_type": "uuid", "is_logged": false, "placed_by": null}, {"key": "id", "kind": "saved_views", "place": 130, "is_cut": false, "source": "public.saved_views", "key_type": "uuid", "is_logged": true, "placed_by": null}, {"key": "id", "kind": "tasks", "place": 110, "is_cut": true, "source": "public.tasks", "key_type": "uuid", "is_logged": true, "placed_by": null}]');

-- Until here
