-- The calendar feed: one private address per account, under which a calendar program reads what is due.

create table public.calendar_feeds (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- In plain text, because the user copies the address again for the next device. It opens nothing but
  -- this feed, and whoever can read the table can read what the feed tells anyway.
  token text not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint calendar_feeds_token_form check (token ~ '^[0-9a-f]{64}$')
);
alter table public.calendar_feeds enable row level security;
comment on table public.calendar_feeds is
  'The secret part of an account''s calendar address. Written by create_calendar_feed and revoke_calendar_feed alone, and never logged in changes.';

revoke all on public.calendar_feeds from public, anon, authenticated;
grant all on public.calendar_feeds to service_role;
grant select on public.calendar_feeds to authenticated;
create policy "Owners see their calendar feeds" on public.calendar_feeds
  for select to authenticated using (user_id = (select auth.uid()));

create function public.create_calendar_feed(replacing text default null) returns public.calendar_feeds
language plpgsql
security definer -- nobody writes the table; this writes the row of auth.uid() only
set search_path = ''
as $$
declare
  -- Two of them hold 244 random bits, drawn as PostgreSQL draws keys; pgcrypto is not everywhere.
  fresh text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  feed public.calendar_feeds;
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  insert into public.calendar_feeds as f (user_id, token) values (auth.uid(), fresh)
  on conflict (user_id) do update set
    token = case when f.token = replacing then excluded.token else f.token end,
    updated_at = case when f.token = replacing then now() else f.updated_at end
  returning * into feed;
  return feed;
end
$$;
comment on function public.create_calendar_feed is
  'The account''s calendar address, made if there is none. A new one takes the place of the one named; naming it makes a call that is sent twice, or from an old window, harmless.';

create function public.revoke_calendar_feed() returns void
language sql
security definer -- as create_calendar_feed
set search_path = ''
as $$ delete from public.calendar_feeds f where f.user_id = auth.uid() $$;
comment on function public.revoke_calendar_feed is 'The account''s calendar address stops working, for good.';

create function private.calendar_task(task public.tasks) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', task.id, 'title', task.title, 'description', left(task.description, 500), 'priority', task.priority,
    'due_date', task.due_date, 'created_at', task.created_at, 'updated_at', task.updated_at,
    'contact_id', task.contact_id, 'company_id', task.company_id,
    'contact', (
      select jsonb_build_object('first_name', p.first_name, 'last_name', p.last_name)
      from public.contacts p where p.user_id = task.user_id and p.id = task.contact_id
    ),
    'company_name', (select k.name from public.companies k where k.user_id = task.user_id and k.id = task.company_id),
    'deal_name', (select d.name from public.deals d where d.user_id = task.user_id and d.id = task.deal_id)
  )
$$;

create function private.calendar_deal(deal public.deals) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', deal.id, 'name', deal.name, 'value', deal.value, 'expected_close_date', deal.expected_close_date,
    'created_at', deal.created_at, 'updated_at', deal.updated_at,
    'company_name', (select k.name from public.companies k where k.user_id = deal.user_id and k.id = deal.company_id)
  )
$$;

create function public.calendar_events(token text) returns jsonb
language sql stable
security definer -- asked by the server for whoever holds the token: there is no session
set search_path = ''
as $$
  with feed as (
    select f.user_id from public.calendar_feeds f where f.token = calendar_events.token
  ), dated as (
    select t.id, 'task' as kind, t.due_date as at
    from feed join public.tasks t on t.user_id = feed.user_id and not t.completed
      and t.due_date between now() - interval '30 days' and now() + interval '2 years'
    union all
    select d.id, 'deal', d.expected_close_date::timestamp at time zone 'UTC'
    from feed join public.deals d on d.user_id = feed.user_id and d.closed_at is null
      and d.expected_close_date between current_date - 30 and (current_date + interval '2 years')::date
  ), chosen as (
    -- What is to come goes before what is past, and the near before the far.
    select id, kind, at from dated order by at < now() - interval '1 day', at, id limit 1000
  )
  select jsonb_build_object(
    'tasks', coalesce((
      select jsonb_agg(private.calendar_task(t) order by c.at, c.id)
      from chosen c join public.tasks t on t.id = c.id where c.kind = 'task'
    ), '[]'),
    'deals', coalesce((
      select jsonb_agg(private.calendar_deal(d) order by c.at, c.id)
      from chosen c join public.deals d on d.id = c.id where c.kind = 'deal'
    ), '[]')
  )
  from feed
$$;
comment on function public.calendar_events is
  'What the calendar of a token shows: open tasks with a due date and open deals with an expected close, from 30 days ago to two years ahead, at most 1,000: more would keep the server busy for nobody''s use. Null for a token that is not, or no longer, known.';

revoke all on function private.calendar_task(public.tasks), private.calendar_deal(public.deals)
  from public, anon, authenticated;
revoke all on function
  public.create_calendar_feed(text), public.revoke_calendar_feed(), public.calendar_events(text)
  from public, anon, authenticated;
grant execute on function public.create_calendar_feed(text), public.revoke_calendar_feed() to authenticated, service_role;
grant execute on function public.calendar_events(text) to service_role;
