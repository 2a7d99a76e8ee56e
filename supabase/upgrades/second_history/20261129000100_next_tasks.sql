-- The next task and the last contact, without statistics too: before a table was ever analyzed, the planner takes an account for one with a
-- single row, and looked through all deals for each of its tasks, for each contact of the page. Here the deals come first, whatever it takes them for.

create or replace function private.last_contact(contact public.contacts) returns table (at timestamptz)
language sql stable
as $$
  select greatest(
    (
      select max(n.happened_at) from public.notes n
      where n.user_id = contact.user_id and n.contact_id = contact.id and n.kind <> 'note'
    ),
    (
      select max(n.at) from private.deals_with(contact) d
      cross join lateral (
        select max(n.happened_at) as at from public.notes n
        where n.user_id = contact.user_id and n.deal_id = d.id and n.kind <> 'note'
      ) n
    ),
    (
      -- Whom a mail about a deal concerns, it says itself.
      select max(l.at) from private.mail_links l
      where l.user_id = contact.user_id and l.contact_id = contact.id and l.counts
    ))
$$;

create or replace function private.contact_card(contact public.contacts) returns table (card json)
language sql stable
as $$
  select row_to_json(k) from (
    select f.*,
      (
        select co.name from public.companies co where co.id = contact.company_id
      ) as company_name,
      (select l.at from private.last_contact(contact) l) as last_contacted,
      (
        select json_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
        from (
          select t.id, t.title, t.due_date from public.tasks t
          where t.user_id = contact.user_id and t.contact_id = contact.id and not t.completed
          union all
          select t.id, t.title, t.due_date from private.deals_with(contact) d
          cross join lateral (
            select t.id, t.title, t.due_date from public.tasks t
            where t.user_id = contact.user_id and t.deal_id = d.id and not t.completed
            order by t.due_date nulls last, t.id limit 1
          ) t
        ) t
        order by t.due_date nulls last, t.id limit 1
      ) as next_task
    from private.fields_of(contact) f
  ) k
$$;
