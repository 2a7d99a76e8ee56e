-- One story per customer: what is logged on a deal shows on its contacts and its company, what is logged on a contact shows
-- on its company. Timelines, tasks, the next task and Last Contacted follow it. See docs/decisions/040-one-story-per-customer.md.

create function private.story_of(record text) returns table (link text, condition text)
language sql immutable
set search_path = ''
as $$
  select p.link, p.condition
  from (values
    ('contact', 'contact_id', '= $1'),
    ('contact', 'deal_id',
      'in (
         select d.id from public.deals d where d.contact_id = $1
         union
         select k.deal_id from public.deal_contacts k where k.contact_id = $1
       )'),
    ('company', 'company_id', '= $1'),
    ('company', 'contact_id', 'in (select c.id from public.contacts c where c.company_id = $1)'),
    ('company', 'deal_id', 'in (select d.id from public.deals d where d.company_id = $1)'),
    ('deal', 'deal_id', '= $1')
  ) p (record, link, condition)
  where p.record = story_of.record
$$;
comment on function private.story_of is
  'What belongs to the story of a record, $1, as conditions on the links of a note or change: of a contact it and its deals, as the main contact or a further one; of a company it, its contacts and its deals; of a deal only itself. One part for each link, because each has its index.';

-- The timeline ------------------------------------------------------------------------------------------------

create function private.timeline_places(
  record text, id uuid, kind text, before timestamptz, before_key text, most integer
)
returns table (at timestamptz, key text, change_id bigint, note_id uuid)
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
declare
  -- Each part is cut to the page before they are put together, so that a long history costs little.
  note_part constant text :=
    '(
       select n.happened_at as at, ''note '' || n.id as key, null::bigint as change_id, n.id as note_id
       from public.notes n
       where n.%1$I %2$s and ($2 is null or n.kind = $2)
         and ($3 is null or n.happened_at <= $3 and (n.happened_at, ''note '' || n.id) < ($3, $4))
       order by n.happened_at desc, n.id desc limit $5
     )';
  -- A card that only made room for another on the board has nothing to tell.
  change_part constant text :=
    '(
       select ch.created_at, ''change '' || lpad(ch.id::text, 20, ''0''), ch.id, null::uuid
       from public.changes ch
       where ch.%1$I %2$s and ch.table_name <> ''notes''
         and (ch.verb <> ''update'' or ch.after - ''order'' <> ''{}'')
         and ($3 is null or (ch.created_at, ''change '' || lpad(ch.id::text, 20, ''0'')) < ($3, $4))
       order by ch.created_at desc, ch.id desc limit $5
     )';
  mail_part constant text :=
    '(
       select l.at, ''mail '' || l.mail_id, null::bigint, null::uuid
       from private.mail_links l
       where l.%1$I %2$s
         and ($3 is null or l.at <= $3 and (l.at, ''mail '' || l.mail_id) < ($3, $4))
       order by l.at desc, l.mail_id desc limit $5
     )';
  parts text;
begin
  -- "union" drops what is found twice: a deal's change is about its contact and its company too.
  select string_agg(format(p.part, s.link, s.condition), ' union ')
  into parts
  from private.story_of(record) s
  cross join (values
    (note_part, coalesce(kind <> 'change', true)), (change_part, coalesce(kind = 'change', true)), (mail_part, coalesce(kind = 'email', true))
  ) p (part, is_wanted)
  where p.is_wanted;
  return query execute format('select * from (%s) p order by 1 desc, 2 desc limit $5', parts)
    using id, kind, before, before_key, most;
end
$$;
comment on function private.timeline_places is
  'Where the entries of a page of a timeline are found: notes, mails, or changes, or one kind of them. A mail is told by its key.';

create function private.change_on_timeline(change public.changes) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('kind', 'change', 'table_name', change.table_name, 'row_id', change.row_id,
    'verb', change.verb, 'label', change.label, 'before', case when change.verb = 'update' then change.before end,
    'after', change.after, 'batch', change.batch, 'undoes', change.undoes,
    'names', case when change.verb = 'update' then
      private.with_names(private.names_in(private.caller(), change.before, change.after), change.names) end,
    'by', private.token_of_batch(change.batch))
$$;
comment on function private.change_on_timeline is
  'A change as a timeline shows it. "names" tells what the linked records and the own fields are called.';

create function private.origin_of(record text, id uuid, contact uuid, company uuid, deal uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select case
    when id = case record when 'contact' then contact when 'company' then company else deal end then null
    when deal is not null then (
      select jsonb_build_object('record', 'deal', 'id', d.id, 'name', d.name) from public.deals d where d.id = deal
    )
    when contact is not null then (
      select jsonb_build_object('record', 'contact', 'id', c.id,
        'name', coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), 'Unnamed'))
      from public.contacts c where c.id = contact
    )
    else (
      select jsonb_build_object('record', 'company', 'id', c.id, 'name', c.name) from public.companies c where c.id = company
    )
  end
$$;
comment on function private.origin_of is
  'From which record an entry of a timeline comes; null where that is the timeline''s own record, or is no longer there.';

-- A mail, sent or received, shows on the timeline of every record that it concerns. See
-- docs/decisions/040-one-story-per-customer.md and 061-mail.md.

create function private.mail_origin(record text, id uuid, mail public.mails) returns jsonb
language sql stable
set search_path = ''
as $$
  select case when not exists (
    select from private.mail_links l
    where l.mail_id = mail.id and mail_origin.id = case record when 'contact' then l.contact_id when 'company' then l.company_id else l.deal_id end
  ) then (
    select private.origin_of(record, mail_origin.id, l.contact_id, l.company_id, l.deal_id)
    from private.mail_links l
    -- Somebody of the company before the company's deal, and whoever is still there.
    left join public.contacts c on c.id = l.contact_id
    where l.mail_id = mail.id and (record <> 'company' or l.contact_id is null or c.company_id = mail_origin.id)
    order by l.contact_id is null, l.deal_id is null, l.contact_id limit 1
  ) end
$$;
comment on function private.mail_origin is 'From which record a mail on a timeline comes; null where it concerns the timeline''s own record.';

create function public.record_timeline(
  record text, id uuid, before timestamptz default null, before_key text default null, page_size integer default 50,
  kind text default null
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
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
$$;
comment on function public.record_timeline is
  'The story of a record, newest first, or one kind of its entries; each with the record it comes from ("origin"), where that is another. The last entry''s "at" and "key" are the cursor of the page after it.';

-- Last Contacted and the next task ----------------------------------------------------------------------------

-- The dates by which the list of contacts is ordered. For the contacts of a page, private.contact_card finds them one by one.

-- One pass over all notes, mails or tasks of an account takes less time than a look-up for each of its contacts.

create function private.last_contacts(owner uuid) returns table (contact_id uuid, at timestamptz)
language sql stable -- no search path of its own, see contact_card
as $$
  select s.contact_id, max(s.at)
  from (
    select n.contact_id, n.happened_at as at from public.notes n
    where n.user_id = owner and n.contact_id is not null and n.kind <> 'note'
    union all
    select d.contact_id, n.happened_at from public.notes n join public.deals d on d.user_id = owner and d.id = n.deal_id
    where n.user_id = owner and n.kind <> 'note' and d.contact_id is not null
    union all
    select k.contact_id, n.happened_at
    from public.notes n join public.deal_contacts k on k.user_id = owner and k.deal_id = n.deal_id
    where n.user_id = owner and n.kind <> 'note'
    union all
    select l.contact_id, l.at from private.mail_links l where l.user_id = owner and l.contact_id is not null and l.counts
  ) s
  group by s.contact_id
$$;
comment on function private.last_contacts is 'private.last_contact of every contact of an account that has one.';

create function private.next_dues(owner uuid) returns table (contact_id uuid, at timestamptz)
language sql stable -- no search path of its own, see contact_card
as $$
  select s.contact_id, min(s.at)
  from (
    select t.contact_id, t.due_date as at from public.tasks t
    where t.user_id = owner and t.contact_id is not null and not t.completed
    union all
    select d.contact_id, t.due_date from public.tasks t join public.deals d on d.user_id = owner and d.id = t.deal_id
    where t.user_id = owner and not t.completed and d.contact_id is not null
    union all
    select k.contact_id, t.due_date
    from public.tasks t join public.deal_contacts k on k.user_id = owner and k.deal_id = t.deal_id
    where t.user_id = owner and not t.completed
  ) s
  group by s.contact_id
$$;
comment on function private.next_dues is 'When the next task of each contact is due, those of its deals included.';

create function private.company_last_contact(id uuid) returns timestamptz
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
declare
  last timestamptz;
begin
  execute (
    select format('select max(l.at) from (%s) l', string_agg(format(
      'select max(n.happened_at) as at from public.notes n where n.kind <> ''note'' and n.%1$I %2$s
       union all select max(l.at) from private.mail_links l where l.counts and l.%1$I %2$s', s.link, s.condition), ' union all '))
    from private.story_of('company') s
  )
  into last using id;
  return last;
end
$$;
comment on function private.company_last_contact is
  'When somebody of a company was last called, met or written to, on its contacts and deals too.';

-- Tasks -------------------------------------------------------------------------------------------------------

create function private.task_story_condition(record text, id uuid) returns text
language sql stable
set search_path = ''
as $$
  -- Parts with an index each: "or" over several links would read all tasks. The finders read without a policy, so
  -- the owner is named.
  select format(
    'c.id in (
       select t.id from public.tasks t where t.user_id = %1$L::uuid and t.%3$I = %2$L::uuid
       union all
       select t.id from public.deals d join public.tasks t on t.user_id = %1$L::uuid and t.deal_id = d.id
       where d.user_id = %1$L::uuid and d.%3$I = %2$L::uuid
       union all
       ' || case record
    when 'contact' then
      'select t.id from public.deal_contacts k join public.tasks t on t.user_id = %1$L::uuid and t.deal_id = k.deal_id
       where k.user_id = %1$L::uuid and k.contact_id = %2$L::uuid'
    else
      'select t.id from public.contacts p join public.tasks t on t.user_id = %1$L::uuid and t.contact_id = p.id
       where p.user_id = %1$L::uuid and p.company_id = %2$L::uuid'
    end || ')',
    private.caller(), id, record || '_id')
$$;
comment on function private.task_story_condition is
  'The tasks of a contact with those of its deals, or of a company with those of its contacts and deals, as a condition on "c".';

create function private.task_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
begin
  -- What is no filter is refused below.
  if jsonb_typeof(filter) is distinct from 'object' then
    return private.task_column_conditions(filter);
  end if;
  return concat_ws(' and ', private.task_column_conditions(filter - 'contact' - 'company'),
    case when filter ? 'contact' then private.task_story_condition('contact', (filter ->> 'contact')::uuid) end,
    case when filter ? 'company' then private.task_story_condition('company', (filter ->> 'company')::uuid) end);
end
$$;
comment on function private.task_conditions is 'The tasks that a filter means, as a condition on "c". Every value is quoted.';

-- Who may call what -------------------------------------------------------------------------------------------

-- last_contacts and next_dues stay closed: only the finders call them, which read without a policy.
revoke all on function
  private.story_of(text), private.timeline_places(text, uuid, text, timestamptz, text, integer),
  private.change_on_timeline(public.changes), private.origin_of(text, uuid, uuid, uuid, uuid),
  private.mail_origin(text, uuid, public.mails), public.record_timeline(text, uuid, timestamptz, text, integer, text),
  private.last_contacts(uuid), private.next_dues(uuid), private.company_last_contact(uuid),
  private.task_story_condition(text, uuid), private.task_conditions(jsonb)
  from public, anon, authenticated;
grant execute on function
  private.story_of(text), private.timeline_places(text, uuid, text, timestamptz, text, integer),
  private.change_on_timeline(public.changes), private.origin_of(text, uuid, uuid, uuid, uuid),
  private.mail_origin(text, uuid, public.mails), public.record_timeline(text, uuid, timestamptz, text, integer, text),
  private.company_last_contact(uuid), private.task_story_condition(text, uuid), private.task_conditions(jsonb)
  to authenticated, service_role;
