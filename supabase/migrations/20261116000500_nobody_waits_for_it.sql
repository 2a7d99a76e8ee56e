-- What one account could keep everybody else waiting with.

create or replace function public.report(
  day date default null, filter jsonb default '{}', at timestamptz default now(), time_zone text default 'UTC',
  week_start integer default 1
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  today date := (at at time zone time_zone)::date;
  chosen date := coalesce(day, today);
  period record;
  day_begins timestamptz;
  day_ends timestamptz;
begin
  -- The charts count the months and weeks up to both: to the end of time they would count without end.
  if chosen not between date '1900-01-01' and date '2200-12-31' or today not between date '1900-01-01' and date '2200-12-31' then
    raise exception 'The report date lies between the years 1900 and 2200.' using errcode = 'PT400';
  end if;
  select * into period from private.report_period(filter);
  perform private.check_report_filter(me, filter);
  day_begins := private.day_begins(chosen, time_zone);
  day_ends := private.day_begins(chosen + 1, time_zone);
  return private.report_deals(me, filter, period.first_day, period.last_day, chosen, today, time_zone)
    || jsonb_build_object(
      'day', chosen, 'today', today,
      'contacts_added', (
        select count(*) from public.contacts c where c.user_id = me and c.created_at >= day_begins and c.created_at < day_ends
      ),
      'companies_added', (
        select count(*) from public.companies c where c.user_id = me and c.created_at >= day_begins and c.created_at < day_ends
      ),
      'weeks', private.report_weeks(me, period.first_day, period.last_day, today, time_zone, week_start)
    );
end
$$;
comment on function public.report is
  'Everything that the reports show: contacts, companies and deals added on a day of the user''s calendar, the figures and charts of the deals that a filter means, and the activities per week. In a period each figure goes by its own date: created, closed, expected to close, happened.';

-- What has expired -----------------------------------------------------------------------------------------

create function private.erase_expired_of(account uuid) returns bigint
language sql
security definer -- nobody may write changes
set search_path = ''
as $$
  with expired as materialized (
    select c.row_id, c.id
    from public.changes c
    where c.user_id = account and c.verb = 'delete' and c.before is not null and c.created_at < now() - interval '30 days'
    order by c.created_at limit 1000
    for update of c skip locked -- what another transaction erases already is not waited for
  ),
  -- Row by row, not deletion by deletion: one row may have been deleted and brought back thousands of times.
  gone as materialized (
    select r.row_id, r.ids, (
      select max(id) from unnest(r.ids) id
      where id > coalesce((
        select max(c.id) from public.changes c
        where c.user_id = account and c.row_id = r.row_id and c.verb = 'insert'
      ), 0)
    ) as last_id
    from (select e.row_id, array_agg(e.id) as ids from expired e group by e.row_id) r
  ),
  erased as (
    update public.changes c
    set before = null, after = null, label = case when c.id <= g.last_id then null else c.label end
    from gone g
    where c.user_id = account and c.row_id = g.row_id
      and (c.id <= g.last_id or c.id in (select e.id from expired e))
      and (c.before is not null or c.after is not null or c.label is not null)
  ),
  given_up as (
    -- A restore that was begun and never finished.
    delete from private.restores r where r.id in (
      select x.id from private.restores x
      where x.user_id = erase_expired_of.account and x.created_at < now() - interval '1 day' for update skip locked
    )
  )
  select count(*) from expired
$$;
comment on function private.erase_expired_of is
  'Thirty days after a deletion nothing of the row is left in the log: neither what was deleted nor its earlier versions. Called with every batch of the account.';

create or replace function private.erase_expired() returns bigint
language sql
security definer -- reaches every account's rows, and nobody may write changes
set search_path = ''
as $$
  select coalesce(sum(private.erase_expired_of(a.user_id)), 0)::bigint
  from (
    (
      select c.user_id from public.changes c
      where c.verb = 'delete' and c.before is not null and c.created_at < now() - interval '30 days'
      order by c.created_at limit 1
    )
    union
    select x.user_id from private.restores x where x.created_at < now() - interval '1 day'
  ) a
$$;
comment on function private.erase_expired is
  'The next step of erasing what has expired in any account. Run until nothing is left at every start of the server, once a day, and by pg_cron where it is installed.';

create or replace function private.current_batch() returns uuid
language plpgsql
set search_path = ''
as $$
declare
  known text := coalesce(current_setting('solo.batch', true), '');
begin
  if known <> '' then
    return known::uuid;
  end if;
  perform set_config('solo.batch', gen_random_uuid()::text, true);
  -- The account's own alone: whoever writes waits for nothing that others have left behind.
  perform private.erase_expired_of(auth.uid());
  return current_setting('solo.batch')::uuid;
end
$$;

revoke all on function private.erase_expired_of(uuid) from public, anon, authenticated;
