-- Conversations on the pages of contacts, companies and deals: who takes part, and whether somebody waits for an answer. What was left out
-- comes back when it is no longer.

create or replace function public.conversations(record text, id uuid, before timestamptz default null, page_size integer default 20) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
declare
  me uuid := private.caller();
  -- The user's own addresses, as far as the user sees them: nobody wants to read of themselves.
  own text[] := array(
    select lower(a.address) from public.mail_accounts a where a.user_id = me
    union select lower(a.login) from public.mail_accounts a where a.user_id = me and a.login is not null
    union select lower(nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
  );
  waiting text[] := array(select w ->> 'thread' from jsonb_array_elements(public.replies_waiting()) w);
  parts text;
  answer jsonb;
begin
  if record is null or record not in ('contact', 'company', 'deal') then
    raise exception 'A % has no conversations.', left(record, 40) using errcode = 'PT400';
  end if;
  select string_agg(format('select l.mail_id from private.mail_links l where l.%I %s', s.link, s.condition), ' union ')
  into parts from private.story_of(record) s;
  execute format(
    'select coalesce(jsonb_agg(to_jsonb(t) || jsonb_build_object(
         ''is_waiting'', t.thread::text = any ($5),
         ''people'', (
           select coalesce(jsonb_agg(p.name order by p.first_at, p.name), ''[]'')
           from (
             select coalesce(max(w.name) filter (where w.name <> ''''), w.address) as name, min(m.sent_at) as first_at
             from public.mails m
             cross join lateral (
               select m.sender as address, coalesce(m.sender_name, '''') as name where m.direction = ''in'' and m.sender is not null
               union all
               select lower(r ->> ''address''), coalesce(r ->> ''name'', '''') from jsonb_array_elements(m.recipients) r
             ) w
             where m.user_id = $4 and m.thread = t.thread and not m.is_private and (w.address = any ($6)) is not true
               and not exists (
                 select from public.mails o where o.user_id = $4 and o.thread = t.thread and o.direction = ''out'' and o.sender = w.address
               )
             group by w.address order by 2, 1 limit 6
           ) p
         )) order by t.last_at desc, t.thread), ''[]'')
     from (
       select m.thread, max(m.sent_at) as last_at, count(*) as mails,
         (array_agg(m.subject order by m.sent_at))[1] as subject,
         (array_agg(m.snippet order by m.sent_at desc))[1] as snippet,
         (array_agg(m.direction order by m.sent_at desc))[1] as direction,
         (array_agg(m.deal order by m.sent_at desc))[1] as deal,
         (array_agg(coalesce(m.sender_name, m.sender) order by m.sent_at desc))[1] as last_sender,
         bool_or(m.attachments <> ''[]'') as has_attachments
       from public.mails m
       where m.user_id = $4 and m.thread in (select t.thread from public.mails t where t.id in (%s)) and not m.is_private
       group by m.thread
       having $2 is null or max(m.sent_at) < $2
       order by max(m.sent_at) desc, m.thread limit $3
     ) t', parts)
  into answer using conversations.id, before, least(greatest(page_size, 1), 100), me, waiting, own;
  return answer;
end
$$;
comment on function public.conversations is
  'The conversations by mail of a contact, a company or a deal, the newest first, with the names of up to six who take part; "before" is "last_at" of the last one of the page before.';

create function public.record_conversations(record text, id uuid, before timestamptz default null, page_size integer default 20)
returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'rows', public.conversations(record, record_conversations.id, before, page_size),
    'is_private', record = 'contact' and exists (
      select from public.mail_exclusions x where x.user_id = private.caller() and x.contact = record_conversations.id
    ))
$$;
comment on function public.record_conversations is 'A page of the conversations of a record, and whether a contact is private: then there are none.';

create function public.mail_left_out() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'value', x.value, 'contact', case
      when c.id is not null then jsonb_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name)
    end) order by x.value nulls first, c.first_name, c.last_name, x.id), '[]')
  from public.mail_exclusions x
  left join public.contacts c on c.user_id = x.user_id and c.id = x.contact
  where x.user_id = private.caller() and (x.value is not null or c.id is not null)
$$;
comment on function public.mail_left_out is
  'Whose mails are never kept: contacts by name, then addresses and domains. Contacts in the trash stay private and are not named.';

create function private.find_mails_of_let_in() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Not where the whole account goes.
  if not exists (select from auth.users u where u.id = old.user_id) then
    return null;
  end if;
  perform private.find_mails(old.user_id, a.addresses)
  from (
    select array_agg(distinct e.address) as addresses
    from (
      select c.user_id, c.id, c.emails from public.contacts c where c.user_id = old.user_id
      union all
      select k.user_id, null, k.emails from public.companies k where k.user_id = old.user_id and old.contact is null
    ) r
    cross join lateral unnest(private.entry_addresses(r.emails)) e (address)
    where r.emails <> '[]' and (
      r.id = old.contact or e.address = old.value or split_part(e.address, '@', 2) = old.value
      or old.value !~ '@' and right(split_part(e.address, '@', 2), char_length(old.value) + 1) = '.' || old.value
    )
  ) a
  where a.addresses is not null;
  return null;
end
$$;
comment on function private.find_mails_of_let_in is
  'Whoever is no longer left out has mails again: those in the mailbox are read. A definer because clients never write private.mail_links.';
create trigger find_mails_of_let_in after delete on public.mail_exclusions
  for each row execute function private.find_mails_of_let_in();

revoke all on function
  public.record_conversations(text, uuid, timestamptz, integer), public.mail_left_out(), private.find_mails_of_let_in()
  from public, anon, authenticated;
grant execute on function public.record_conversations(text, uuid, timestamptz, integer), public.mail_left_out() to authenticated, service_role;
