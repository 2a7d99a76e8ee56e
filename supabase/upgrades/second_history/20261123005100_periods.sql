-- A period against the one before, and the week in review.

create function private.period_figures(filter jsonb, first_day date, last_day date, time_zone text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  pipeline uuid := (filter ->> 'pipeline')::uuid;
  stages text[] := case when filter ? 'stage' then private.texts(filter -> 'stage') end;
  begins timestamptz := private.day_begins(first_day, time_zone);
  ends timestamptz := private.day_begins(last_day + 1, time_zone);
begin
  return (
    select jsonb_build_object(
      'won', count(*) filter (where d.is_closed and d.outcome = 'won'),
      'won_value', coalesce(sum(d.worth) filter (where d.is_closed and d.outcome = 'won'), 0)::text,
      'lost', count(*) filter (where d.is_closed and d.outcome = 'lost'),
      'lost_value', coalesce(sum(d.worth) filter (where d.is_closed and d.outcome = 'lost'), 0)::text,
      'deals', count(*) filter (where d.is_new),
      'deals_value', coalesce(sum(d.worth) filter (where d.is_new), 0)::text)
    from (
      select private.worth(d.value, d.currency, d.rate) as worth, s.outcome,
        d.closed_at >= begins and d.closed_at < ends as is_closed,
        d.created_at >= begins and d.created_at < ends as is_new
      from public.deals d
      left join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
      where (pipeline is null or d.pipeline_id = pipeline)
        and (stages is null or d.stage_id::text = any (stages) or d.stage_id is null and 'none' = any (stages))
    ) d
  ) || jsonb_build_object(
    'contacts', (select count(*) from public.contacts c where c.created_at >= begins and c.created_at < ends),
    'companies', (select count(*) from public.companies c where c.created_at >= begins and c.created_at < ends),
    'tasks', (
      select count(*) from public.tasks t where t.completed and t.completed_at >= begins and t.completed_at < ends
    )
  ) || (
    select jsonb_build_object(
      'calls', count(*) filter (where n.kind = 'call'), 'meetings', count(*) filter (where n.kind = 'meeting'),
      'emails', count(*) filter (where n.kind = 'email'))
    from public.notes n where n.happened_at >= begins and n.happened_at < ends
  );
end
$$;
comment on function private.period_figures is
  'What was won, lost, added and done from one day to another of the user''s calendar. A filter of the reports holds for deals.';

create function private.check_days(variadic days date[]) returns void
language plpgsql immutable
set search_path = ''
as $$
begin
  if array_position(days, null) is not null
     or exists (select from unnest(days) as d (day) where d.day not between date '1900-01-01' and date '2200-12-31') then
    raise exception 'A period lies between the years 1900 and 2200.' using errcode = 'PT400';
  end if;
end
$$;

create function public.compare_periods(
  first_day date, last_day date, before_first date, before_last date, filter jsonb default '{}', time_zone text default 'UTC'
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.caller(), private.check_days(first_day, last_day, before_first, before_last), private.check_report_filter(filter);
  return jsonb_build_object(
    'now', private.period_figures(filter, first_day, last_day, time_zone),
    'before', private.period_figures(filter, before_first, before_last, time_zone));
end
$$;
comment on function public.compare_periods is 'The figures of a period and of another, which the browser names: months differ in length.';

create function private.deal_line(d public.deals) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('id', d.id, 'name', d.name, 'value', d.value, 'currency', d.currency,
    'company_name', (select c.name from public.companies c where c.id = d.company_id),
    'expected_close_date', d.expected_close_date, 'lost_reason', d.lost_reason)
$$;

create function private.task_line(t public.tasks) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date, 'due_all_day', t.due_all_day,
    'about', coalesce(
      (select nullif(btrim(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '')), '')
        from public.contacts p where p.id = t.contact_id),
      (select k.name from public.companies k where k.id = t.company_id),
      (select d.name from public.deals d where d.id = t.deal_id)))
$$;

create function private.moved_deals(begins timestamptz, ends timestamptz) returns jsonb
language sql stable
set search_path = ''
as $$
  with moves as (
    select c.row_id,
      (array_agg(c.before ->> 'stage_id' order by c.id))[1] as was,
      (array_agg(c.after ->> 'stage_id' order by c.id desc))[1] as is, max(c.id) as last
    from public.changes c
    where c.table_name = 'deals' and c.verb = 'update' and c.before ? 'stage_id' and c.created_at >= begins and c.created_at < ends
    group by c.row_id
  ),
  shown as (
    select m.last, private.deal_line(d) || jsonb_build_object('from', f.name, 'to', t.name) as line
    from moves m
    join public.deals d on d.id = m.row_id
    left join public.pipeline_stages f on f.id = m.was::uuid
    left join public.pipeline_stages t on t.id = m.is::uuid
    -- There and back is no move; what was won or lost is told as that.
    where m.was is distinct from m.is and coalesce(t.outcome, 'open') = 'open'
  )
  select jsonb_build_object('total', (select count(*) from shown), 'rows', coalesce((
    select jsonb_agg(s.line order by s.last desc) from (select * from shown order by last desc limit 20) s
  ), '[]'))
$$;
comment on function private.moved_deals is 'Deals that stood in another open stage at the end of a time than at its beginning, as the log tells; the latest first.';

create function public.week_review(
  day date default null, at timestamptz default now(), time_zone text default 'UTC', week_start integer default 1
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  today date := (at at time zone time_zone)::date;
  chosen date := coalesce(day, today);
  first_day date := chosen - (extract(dow from chosen)::integer - week_start + 7) % 7;
  last_day date := first_day + 6;
  begins timestamptz;
  ends timestamptz;
  next_ends timestamptz;
  today_begins timestamptz;
begin
  perform private.caller(), private.check_days(chosen, today);
  if week_start is null or week_start not between 0 and 6 then
    raise exception 'A week begins on a day from 0 to 6.' using errcode = 'PT400';
  end if;
  begins := private.day_begins(first_day, time_zone);
  ends := private.day_begins(first_day + 7, time_zone);
  next_ends := private.day_begins(first_day + 14, time_zone);
  today_begins := private.day_begins(today, time_zone);
  return jsonb_build_object(
    'first_day', first_day, 'last_day', last_day, 'today', today,
    'figures', private.period_figures('{}', first_day, last_day, time_zone),
    'before', private.period_figures('{}', first_day - 7, first_day - 1, time_zone),
    'moved', private.moved_deals(begins, ends)
  ) || (
    select jsonb_object_agg(n.part, jsonb_build_object('total', coalesce(g.total, 0), 'rows', coalesce(g.rows, '[]')))
    from unnest(array['won', 'lost', 'new', 'late_deals', 'next_deals']) as n (part)
    left join (
      select k.part, count(*) as total, jsonb_agg(private.deal_line(k.deal) order by k.place) filter (where k.place <= 20) as rows
      from (
        select p.part, d as deal, row_number() over (partition by p.part order by
          case when p.part in ('late_deals', 'next_deals') then d.expected_close_date end,
          private.worth(d.value, d.currency, d.rate) desc nulls last, d.id) as place
        from public.deals d
        left join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
        cross join lateral (
          select 'won' as part where s.outcome = 'won' and d.closed_at >= begins and d.closed_at < ends
          union all
          select 'lost' where s.outcome = 'lost' and d.closed_at >= begins and d.closed_at < ends
          union all
          select 'new' where d.created_at >= begins and d.created_at < ends
          union all
          -- Expected in that week, and neither won nor lost by its end.
          select 'late_deals' where d.expected_close_date between first_day and least(last_day, today - 1)
            and (d.closed_at is null or d.closed_at >= ends)
          union all
          select 'next_deals' where d.expected_close_date between first_day + 7 and first_day + 13
            and coalesce(s.outcome, 'open') = 'open'
        ) p
      ) k
      group by k.part
    ) g on g.part = n.part
  ) || (
    select jsonb_build_object('late_tasks', jsonb_build_object('total', count(*), 'rows',
      coalesce(jsonb_agg(private.task_line(k.task) order by k.place) filter (where k.place <= 20), '[]')))
    from (
      select t as task, row_number() over (order by t.due_date, t.id) as place
      from public.tasks t
      where t.due_date >= begins and t.due_date < ends and t.due_date < case when t.due_all_day then today_begins else at end
        and (not t.completed or t.completed_at >= ends)
    ) k
  ) || (
    select jsonb_build_object('next_tasks', jsonb_build_object('total', count(*), 'rows',
      coalesce(jsonb_agg(private.task_line(k.task) order by k.place) filter (where k.place <= 20), '[]')))
    from (
      select t as task, row_number() over (order by t.due_date, t.id) as place
      from public.tasks t where not t.completed and t.due_date >= ends and t.due_date < next_ends
    ) k
  ) || (
    select jsonb_build_object('calls', jsonb_build_object('total', count(*), 'rows', coalesce(jsonb_agg(jsonb_build_object(
      'id', k.id, 'body', left(k.body, 200), 'outcome', k.outcome, 'happened_at', k.happened_at, 'kind', r.kind, 'record_id', r.id, 'name', r.name
    ) order by k.place) filter (where k.place <= 20), '[]')))
    from (
      select n.*, row_number() over (order by n.happened_at desc, n.id desc) as place
      from public.notes n where n.kind = 'call' and n.happened_at >= begins and n.happened_at < ends
    ) k
    left join lateral (
      select 'contacts' as kind, c.id, nullif(btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')), '') as name
      from public.contacts c where c.id = k.contact_id
      union all
      select 'companies', c.id, c.name from public.companies c where c.id = k.company_id
      union all
      select 'deals', d.id, d.name from public.deals d where d.id = k.deal_id
    ) r on k.place <= 20
  );
end
$$;
comment on function public.week_review is
  'A week of the user''s calendar: what was won, lost, moved, new and called, which tasks and deals were due and are late, and what is due in the week after. At most 20 lines each, with the whole number.';

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.period_figures(jsonb, date, date, text), private.check_days(date[]), private.deal_line(public.deals),
  private.task_line(public.tasks), private.moved_deals(timestamptz, timestamptz),
  public.compare_periods(date, date, date, date, jsonb, text), public.week_review(date, timestamptz, text, integer)
  from public, anon, authenticated;
grant execute on function
  private.period_figures(jsonb, date, date, text), private.check_days(date[]), private.deal_line(public.deals),
  private.task_line(public.tasks), private.moved_deals(timestamptz, timestamptz),
  public.compare_periods(date, date, date, date, jsonb, text), public.week_review(date, timestamptz, text, integer)
  to authenticated, service_role;
