-- A next step that is planned with a contact who has exactly one open deal belongs to that deal too: the deal has a next step
-- then, wherever it was planned.

create function private.only_open_deal(contact uuid) returns uuid
language sql stable
set search_path = ''
as $$
  select case when count(*) = 1 then (array_agg(o.id))[1] end
  from (
    select distinct d.id
    from public.contacts c
    cross join lateral private.deals_with(c) w
    join public.deals d on d.id = w.id
    left join public.pipeline_stages s on s.id = d.stage_id
    where c.id = contact and coalesce(s.outcome, 'open') = 'open'
    limit 2
  ) o
$$;
comment on function private.only_open_deal is 'The open deal of a contact, as the main contact or a further one, if there is exactly one.';

create or replace function private.add_next_step(step jsonb) returns public.tasks
language plpgsql
set search_path = ''
as $$
declare
  task public.tasks;
begin
  if private.blank_to_null(step ->> 'title') is null or step ->> 'id' is null then
    raise exception 'A next step needs its words. Nothing was saved.' using errcode = 'PT400';
  end if;
  insert into public.tasks (id, title, due_date, due_all_day, contact_id, company_id, deal_id)
  values ((step ->> 'id')::uuid, step ->> 'title', (step ->> 'due_date')::timestamptz,
    coalesce((step ->> 'due_all_day')::boolean, false),
    (step ->> 'contact_id')::uuid, (step ->> 'company_id')::uuid,
    coalesce((step ->> 'deal_id')::uuid, private.only_open_deal((step ->> 'contact_id')::uuid)))
  -- An earlier try was saved, and its answer got lost.
  on conflict (id) do update set title = excluded.title, due_date = excluded.due_date, due_all_day = excluded.due_all_day
    where (tasks.title, tasks.due_date, tasks.due_all_day)
      is distinct from (excluded.title, excluded.due_date, excluded.due_all_day);
  select t.* into task from public.tasks t where t.id = (step ->> 'id')::uuid;
  return task;
end
$$;

revoke all on function private.only_open_deal(uuid) from public, anon, authenticated;
grant execute on function private.only_open_deal(uuid) to authenticated, service_role;
