-- What a request could keep the database busy with for ever.

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
