-- "Follow up if no reply" ends when anybody answers: also somebody whose mails are not kept, such as an assistant of the customer
-- who writes from another address. Of such a mail the server reads the headers while a reply is awaited, and nothing is kept.

create index outgoing_mails_followed_up on private.outgoing_mails (user_id) where follow_up_task is not null;

create function private.awaits_reply(me uuid) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (
    select from private.outgoing_mails o join public.tasks t on t.user_id = o.user_id and t.id = o.follow_up_task
    where o.user_id = me and o.follow_up_task is not null and not t.completed
  )
$$;
comment on function private.awaits_reply is 'Whether a task of this account waits for a reply to one of its mails. Only then are the headers of strangers'' answers read.';

create function private.note_replies(me uuid, replies jsonb) returns void
language plpgsql
set search_path = ''
as $$
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
$$;
comment on function private.note_replies is
  'Takes away the tasks that remind of the absence of a reply: these mails of people who are not known ({"sender", "refs"}) are replies. Of kept mails: private.drop_follow_up.';

revoke all on function private.awaits_reply(uuid), private.note_replies(uuid, jsonb) from public, anon, authenticated;
