-- The activities per week count the emails that were really sent, beside the drafts that were opened in a mail app.

create or replace function private.report_weeks(first_day date, last_day date, today date, time_zone text, week_start integer) returns jsonb
language plpgsql stable
set search_path = ''
as $$
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
$$;
comment on function private.report_weeks is
  'Notes, calls, meetings and opened drafts by when they happened, emails by when they were sent and tasks by when they were completed, per week of the user''s calendar.';
