-- Mails in the story of a customer: on every timeline that they concern, in Last Contacted, and as replies that wait. Both directions
-- count. See docs/decisions/040-one-story-per-customer.md and 061-mail.md.

create function private.mail_told(mail public.mails) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('kind', 'mail', 'mail', jsonb_build_object(
    'id', mail.id, 'thread', mail.thread, 'direction', mail.direction, 'sender', mail.sender, 'sender_name', mail.sender_name,
    'recipients', mail.recipients, 'subject', mail.subject, 'snippet', mail.snippet, 'sent_at', mail.sent_at,
    'attachments', jsonb_array_length(mail.attachments), 'is_automatic', mail.is_automatic, 'is_doubtful', mail.is_doubtful))
$$;
comment on function private.mail_told is 'A mail as a timeline shows it.';

create or replace function private.timeline_places(
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

create or replace function public.record_timeline(
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
        when m.id is not null then private.mail_told(m) || jsonb_build_object('origin', private.mail_origin(record, record_timeline.id, m))
        when n.id is not null then private.note_told(n) || jsonb_build_object(
          'origin', private.origin_of(record, record_timeline.id, n.contact_id, n.company_id, n.deal_id))
        -- A contact, company or deal is its own origin, whatever it is linked to.
        else private.change_told(ch) || jsonb_build_object('origin', private.origin_of(record, record_timeline.id,
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

-- Last Contacted ----------------------------------------------------------------------------------------------

create or replace function private.last_contact(contact public.contacts) returns table (at timestamptz)
language sql stable
as $$
  select greatest(
    (
      select max(n.happened_at) from public.notes n
      where n.user_id = contact.user_id and n.contact_id = contact.id and n.kind <> 'note'
    ),
    (
      select max(n.happened_at) from private.deals_with(contact) d
      join public.notes n on n.user_id = contact.user_id and n.deal_id = d.id
      where n.kind <> 'note'
    ),
    (
      -- Whom a mail about a deal concerns, it says itself.
      select max(l.at) from private.mail_links l
      where l.user_id = contact.user_id and l.contact_id = contact.id and l.counts
    ))
$$;
comment on function private.last_contact is 'When a contact was last called, met or written to, or wrote, on a deal of theirs too.';

create or replace function private.last_contacts(owner uuid) returns table (contact_id uuid, at timestamptz)
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

create or replace function private.company_last_contact(id uuid) returns timestamptz
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

-- Conversations -----------------------------------------------------------------------------------------------

create function public.conversations(record text, id uuid, before timestamptz default null, page_size integer default 20) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
declare
  parts text;
  answer jsonb;
begin
  if record is null or record not in ('contact', 'company', 'deal') then
    raise exception 'A % has no conversations.', left(record, 40) using errcode = 'PT400';
  end if;
  perform private.caller();
  select string_agg(format('select l.mail_id from private.mail_links l where l.%I %s', s.link, s.condition), ' union ')
  into parts from private.story_of(record) s;
  execute format(
    'select coalesce(jsonb_agg(to_jsonb(t) order by t.last_at desc, t.thread), ''[]'')
     from (
       select m.thread, max(m.sent_at) as last_at, count(*) as mails,
         (array_agg(m.subject order by m.sent_at))[1] as subject,
         (array_agg(m.snippet order by m.sent_at desc))[1] as snippet,
         (array_agg(m.direction order by m.sent_at desc))[1] as direction,
         (array_agg(m.deal order by m.sent_at desc))[1] as deal,
         (array_agg(coalesce(m.sender_name, m.sender) order by m.sent_at desc))[1] as last_sender,
         bool_or(m.attachments <> ''[]'') as has_attachments
       from public.mails m
       where m.thread in (select t.thread from public.mails t where t.id in (%s)) and not m.is_private
       group by m.thread
       having $2 is null or max(m.sent_at) < $2
       order by max(m.sent_at) desc, m.thread limit $3
     ) t', parts)
  into answer using conversations.id, before, least(greatest(page_size, 1), 100);
  return answer;
end
$$;
comment on function public.conversations is 'The conversations by mail of a contact, a company or a deal, the newest first; "before" is "last_at" of the last one of the page before.';

create function public.conversation(thread uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', m.id, 'direction', m.direction, 'sender', m.sender, 'sender_name', m.sender_name, 'recipients', m.recipients,
    'subject', m.subject, 'snippet', m.snippet, 'body_text', m.body_text, 'body_html', m.body_html, 'is_cut', m.is_cut, 'sent_at', m.sent_at,
    'attachments', m.attachments, 'is_automatic', m.is_automatic, 'is_doubtful', m.is_doubtful, 'deal', m.deal,
    'account_id', m.account_id, 'message_id', m.message_id, 'refs', m.refs) order by m.sent_at, m.id), '[]')
  from (
    select * from public.mails m
    where m.user_id = private.caller() and m.thread = conversation.thread and not m.is_private
    -- The newest fifty, so that no conversation is too long to open.
    order by m.sent_at desc, m.id limit 50
  ) m
$$;
comment on function public.conversation is 'The mails of a conversation, the oldest first; of a very long one the newest fifty.';

create function public.replies_waiting() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('thread', w.thread, 'mail_id', w.id, 'subject', w.subject, 'snippet', w.snippet,
    'at', w.sent_at, 'sender', w.sender, 'sender_name', w.sender_name, 'contact_id', w.contact_id) order by w.sent_at desc, w.id), '[]')
  from (
    select m.id, m.thread, m.subject, m.snippet, m.sent_at, m.sender, m.sender_name, k.contact_id
    from public.mails m
    cross join lateral (
      select l.contact_id from private.mail_links l join public.contacts c on c.id = l.contact_id
      where l.mail_id = m.id and l.counts and m.sender = any (private.entry_addresses(c.emails)) order by l.contact_id limit 1
    ) k
    where m.user_id = private.caller() and m.direction = 'in' and not m.is_private and m.sent_at > now() - interval '30 days'
      -- Nothing came after it in the conversation, and they were neither called nor met since.
      and not exists (select from public.mails a where a.user_id = m.user_id and a.thread = m.thread and a.sent_at > m.sent_at)
      and not exists (
        select from public.notes n where n.user_id = m.user_id and n.contact_id = k.contact_id and n.kind <> 'note' and n.happened_at > m.sent_at
      )
    order by m.sent_at desc, m.id limit 50
  ) w
$$;
comment on function public.replies_waiting is
  'Mails of contacts to which nobody has answered: of the last thirty days, the last of their conversation, and no call or meeting since.';

revoke all on function
  private.mail_told(public.mails), private.mail_origin(text, uuid, public.mails),
  public.conversations(text, uuid, timestamptz, integer), public.conversation(uuid), public.replies_waiting()
  from public, anon, authenticated;
grant execute on function
  private.mail_told(public.mails), private.mail_origin(text, uuid, public.mails),
  public.conversations(text, uuid, timestamptz, integer), public.conversation(uuid), public.replies_waiting()
  to authenticated, service_role;
