-- The figures of the dashboard and of the reports: one function each, with the rights of whoever asks, so that the
-- policies hold. What each figure means: docs/decisions/016-figures.md.

create index notes_by_time on public.notes (user_id, happened_at);
create index tasks_by_completion on public.tasks (user_id, completed_at) where completed;
create index changes_of_stages on public.changes (user_id, row_id)
  where table_name = 'deals' and verb = 'update' and before ? 'stage_id';

-- The dashboard -----------------------------------------------------------------------------------------------

create function private.has_samples() returns boolean
language sql stable
security definer
set search_path = ''
as $$
  select exists (
    select from private.actions e
    join public.changes c on c.user_id = e.user_id and c.batch = e.batch and c.verb = 'insert'
    where e.user_id = private.caller() and e.action = 'samples' and (
      exists (select from public.contacts t where t.user_id = e.user_id and t.id = c.row_id)
      or exists (select from public.companies t where t.user_id = e.user_id and t.id = c.row_id)
      or exists (select from public.deals t where t.user_id = e.user_id and t.id = c.row_id)
      or exists (select from public.tasks t where t.user_id = e.user_id and t.id = c.row_id)
    )
  )
$$;
comment on function private.has_samples is 'Whether anything is left of what load_sample_data added. A definer because nobody else reads private.actions.';

create function private.attention(stale timestamptz) returns jsonb
language sql stable
set search_path = ''
as $$
  with needy as materialized (
    select * from private.deals_needing_a_push(stale + private.default_stay())
  )
  select jsonb_build_object(
    'total', (select count(*) from needy),
    'rows', coalesce((
      select jsonb_agg(private.attention_row(d, n.has_next, n.is_stale) order by n.worth desc nulls last, n.id)
      from (select * from needy order by worth desc nulls last, id limit 8) n
      join public.deals d on d.id = n.id
    ), '[]')
  )
$$;
comment on function private.attention is
  'Open deals that need a push, those worth most first. Called with the moment that is private.default_stay before the one that is asked about.';

create function public.dashboard(at timestamptz default now(), time_zone text default 'UTC') returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  today date := (at at time zone time_zone)::date;
  day_begins timestamptz := private.day_begins(today, time_zone);
  day_ends timestamptz := private.day_begins(today + 1, time_zone);
  recent timestamptz := at - interval '720 hours';
  earlier timestamptz := at - interval '1440 hours';
begin
  perform private.caller();
  return jsonb_build_object(
    'contacts', (
      select jsonb_build_object('total', count(*), 'recent', count(*) filter (where c.created_at >= recent),
        'before', count(*) filter (where c.created_at >= earlier and c.created_at < recent))
      from public.contacts c
    ),
    'companies', (
      select jsonb_build_object('total', count(*), 'recent', count(*) filter (where c.created_at >= recent),
        'before', count(*) filter (where c.created_at >= earlier and c.created_at < recent))
      from public.companies c
    ),
    -- Money goes out as text: a sum may have more digits than the numbers of JavaScript.
    'deals', (
      select jsonb_build_object('total', count(*), 'recent', count(*) filter (where d.created_at >= recent),
        'before', count(*) filter (where d.created_at >= earlier and d.created_at < recent),
        'open', count(*) filter (where coalesce(s.outcome, 'open') = 'open'),
        'value', coalesce(sum(private.worth(d.value, d.currency, d.rate)), 0)::text,
        'value_recent', coalesce(sum(private.worth(d.value, d.currency, d.rate)) filter (where d.created_at >= recent), 0)::text,
        'value_before', coalesce(sum(private.worth(d.value, d.currency, d.rate)) filter (where d.created_at >= earlier and d.created_at < recent), 0)::text,
        'won', coalesce(sum(private.worth(d.value, d.currency, d.rate)) filter (where s.outcome = 'won'), 0)::text)
      from public.deals d
      left join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
    ),
    'uncounted', (
      select coalesce(jsonb_object_agg(u.currency, u.count), '{}')
      from (
        select d.currency, count(*) as count from public.deals d
        where d.currency is not null and d.rate is null group by d.currency
      ) u
    ),
    'has_tasks', exists (select from public.tasks t),
    'overdue', jsonb_build_object(
      'total', (
        select count(*) from public.tasks t where not t.completed and t.due_date < day_begins
      ),
      'rows', coalesce((
        select jsonb_agg(k.card order by t.due_date desc, t.id desc)
        from (
          select t.id from public.tasks t where not t.completed and t.due_date < day_begins
          order by t.due_date desc, t.id desc limit 5
        ) f
        join public.tasks t on t.id = f.id
        cross join lateral private.task_card(t) k
      ), '[]')
    ),
    'today', jsonb_build_object(
      'total', (
        select count(*) from public.tasks t
        where not t.completed and t.due_date >= day_begins and t.due_date < day_ends
      ),
      'rows', coalesce((
        select jsonb_agg(k.card order by t.due_date, t.id)
        from (
          select t.id from public.tasks t
          where not t.completed and t.due_date >= day_begins and t.due_date < day_ends
          order by t.due_date, t.id limit 10
        ) f
        join public.tasks t on t.id = f.id
        cross join lateral private.task_card(t) k
      ), '[]')
    ),
    'attention', private.attention(at - interval '336 hours'),
    'has_samples', private.has_samples()
  );
end
$$;
comment on function public.dashboard is
  'All figures of the dashboard as of a moment: totals with what was added in the last 30 days and in the 30 days before, the tasks that are overdue from earlier days (the latest five) and due on the user''s day (the first ten), and the open deals that need a push.';

-- The reports -------------------------------------------------------------------------------------------------

create function private.report_period(filter jsonb, out first_day date, out last_day date)
language plpgsql stable
set search_path = ''
as $$
begin
  perform private.check_filter(filter, array['pipeline', 'stage', 'from', 'to']);
  first_day := (filter ->> 'from')::date;
  last_day := (filter ->> 'to')::date;
  if first_day not between date '1900-01-01' and date '2200-12-31' or last_day not between date '1900-01-01' and date '2200-12-31' then
    raise exception 'A period lies between the years 1900 and 2200.' using errcode = 'PT400';
  end if;
  if last_day < first_day then
    raise exception 'The period ends before it begins.' using errcode = 'PT400';
  end if;
end
$$;

create function private.check_report_filter(filter jsonb) returns void
language plpgsql stable
set search_path = ''
as $$
begin
  if filter ? 'pipeline' and not exists (
    select from public.pipelines p where p.id = (filter ->> 'pipeline')::uuid
  ) then
    raise exception 'The pipeline of this report no longer exists. Choose another one.' using errcode = 'PT404';
  end if;
  if exists (
    select from jsonb_array_elements_text(filter -> 'stage') w (id)
    where w.id <> 'none' and not exists (
      select from public.pipeline_stages s where s.id::text = w.id
    )
  ) then
    raise exception 'A stage of this report no longer exists. Choose another one.' using errcode = 'PT404';
  end if;
end
$$;

create function private.report_deals(
  filter jsonb, first_day date, last_day date, day date, today date, time_zone text
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  pipeline uuid := (filter ->> 'pipeline')::uuid;
  stages text[] := case when filter ? 'stage' then private.texts(filter -> 'stage') end;
  period_begins timestamptz := coalesce(private.day_begins(first_day, time_zone), '-infinity');
  period_ends timestamptz := coalesce(private.day_begins(last_day + 1, time_zone), 'infinity');
  day_begins timestamptz := private.day_begins(day, time_zone);
  day_ends timestamptz := private.day_begins(day + 1, time_zone);
  -- Closed deals by month: the last twelve months, or the period, of which the last sixty.
  months_end date := date_trunc('month', coalesce(last_day, greatest(today, first_day)))::date;
  months_begin date := greatest(
    coalesce(date_trunc('month', first_day), months_end - interval '11 months'), months_end - interval '59 months')::date;
  -- Expected closes by month: this one and five more, or the period, of which the first sixty.
  ahead_from date := coalesce(first_day, least(today, last_day));
  ahead_begin date := date_trunc('month', ahead_from)::date;
  ahead_end date := least(
    coalesce(date_trunc('month', last_day), ahead_begin + interval '5 months'), ahead_begin + interval '59 months')::date;
  ahead_to date := least(last_day, (ahead_end + interval '1 month')::date - 1);
  has_period boolean := first_day is not null or last_day is not null;
begin
  return (
    with found as materialized (
      select d.id, private.worth(d.value, d.currency, d.rate) as value,
        case when d.rate is null then d.currency end as unrated, d.expected_close_date as closes, d.created_at, d.closed_at, d.lost_reason, d.pipeline_id,
        s.id as stage_id, s.name as stage_name, s.outcome, coalesce(s.win_probability, 0) as likely,
        coalesce(s.outcome, 'open') = 'open' as is_open,
        d.created_at >= period_begins and d.created_at < period_ends as is_meant,
        d.closed_at >= period_begins and d.closed_at < period_ends or not has_period as is_closed_then
      from public.deals d
      left join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
      where (pipeline is null or d.pipeline_id = pipeline)
        and (stages is null or d.stage_id::text = any (stages) or d.stage_id is null and 'none' = any (stages))
    ),
    months as (
      select date_trunc('month', f.closed_at at time zone time_zone)::date as month,
        count(*) filter (where f.outcome = 'won') as won,
        sum(f.value) filter (where f.outcome = 'won') as won_value,
        count(*) filter (where f.outcome = 'lost') as lost,
        sum(f.value) filter (where f.outcome = 'lost') as lost_value
      from found f where not f.is_open and f.closed_at is not null and f.is_closed_then
      group by 1
    ),
    ahead as (
      select k.kind, case when k.kind = 'month' then date_trunc('month', f.closes)::date end as month,
        count(*) as count, sum(f.value) as value, sum(f.value * f.likely) * 0.01 as weighted
      from found f
      cross join lateral (
        select case
          when f.closes between ahead_from and ahead_to then 'month'
          when has_period then null
          when f.closes is null then 'none'
          when f.closes < ahead_from then 'overdue'
          else 'later'
        end as kind
      ) k
      where f.is_open and k.kind is not null
      group by 1, 2
    ),
    funnel as (
      select coalesce(pipeline, (
        select f.pipeline_id from found f where f.is_meant and f.pipeline_id is not null
        group by f.pipeline_id order by count(*) desc, f.pipeline_id limit 1
      )) as id
    ),
    steps as materialized (
      select s.id, s.name, row_number() over (order by s.outcome = 'won', s."order", s.id) as place
      from public.pipeline_stages s, funnel
      where s.pipeline_id = funnel.id and s.outcome <> 'lost'
    ),
    furthest as materialized (
      select r.place, count(*) as deals
      from (
        -- One pass over both: how many deals have moved is unknown to the planner, and joined it goes through
        -- all of them for each deal.
        select max(w.place) as place
        from (
          -- Of a deal that came in lost it is only known that it was there.
          select f.id, true as is_found, greatest(p.place, case when f.outcome = 'lost' then 1 end) as place
          from found f
          join funnel on funnel.id = f.pipeline_id
          left join steps p on p.id = f.stage_id
          where f.is_meant
          union all
          -- Where a deal was before it moved. A move that was taken back led nowhere.
          select c.row_id, false, p.place
          from public.changes c
          join steps p on p.id = (c.before ->> 'stage_id')::uuid
          where c.table_name = 'deals' and c.verb = 'update' and c.before ? 'stage_id' and c.undoes is null
        ) w
        group by w.id
        having bool_or(w.is_found)
      ) r
      group by r.place
    )
    select jsonb_build_object(
      'deals_created', count(*) filter (where f.created_at >= day_begins and f.created_at < day_ends),
      'revenue_closed', coalesce(sum(f.value) filter (where f.outcome = 'won' and f.is_closed_then), 0)::text,
      'total_value', coalesce(sum(f.value) filter (where f.is_meant), 0)::text,
      'total_deals', count(*) filter (where f.is_meant),
      'active_deals', count(*) filter (where f.is_meant and f.is_open),
      'upcoming_closes', count(*) filter (where f.closes >= greatest(today, first_day) and (last_day is null or f.closes <= last_day)),
      'won', count(*) filter (where f.outcome = 'won' and f.is_closed_then),
      'lost', count(*) filter (where f.outcome = 'lost' and f.is_closed_then),
      'average_days', round((avg(extract(epoch from f.closed_at - f.created_at)) filter (
        where f.outcome = 'won' and f.is_closed_then) / 86400)::numeric, 1),
      'median_days', round((percentile_cont(0.5) within group (order by extract(epoch from f.closed_at - f.created_at)::double precision) filter (
        where f.outcome = 'won' and f.is_closed_then) / 86400)::numeric, 1)
    ) || jsonb_build_object(
      'uncounted', (
        select coalesce(jsonb_object_agg(u.unrated, u.count), '{}')
        from (select d.unrated, count(*) as count from found d where d.unrated is not null group by d.unrated) u
      ),
      'stages', (
        select coalesce(jsonb_agg(jsonb_build_object('name', g.name, 'count', g.count, 'value', g.value::text,
          'weighted', round(g.weighted, 2)::text) order by g.name is not null, g.outcome = 'lost', g.outcome = 'won', g.place, g.name), '[]')
        from (
          select l.name, l.outcome, l.place, count(d.id) as count, coalesce(sum(d.value), 0) as value, coalesce(sum(d.value * d.likely) * 0.01, 0) as weighted
          from (
            select s.name, s.outcome, min(s."order") as place from public.pipeline_stages s
            where (pipeline is null or s.pipeline_id = pipeline) and (stages is null or s.id::text = any (stages))
            group by s.name, s.outcome
          ) l
          left join found d on d.stage_name = l.name and d.is_meant
          group by l.name, l.outcome, l.place
          union all
          select null, null, null, count(*), coalesce(sum(d.value), 0), 0 from found d where d.stage_name is null and d.is_meant having count(*) > 0
        ) g
      ),
      'months', (
        select jsonb_agg(jsonb_build_object('month', m.month::date, 'won', coalesce(k.won, 0), 'won_value', coalesce(k.won_value, 0)::text,
          'lost', coalesce(k.lost, 0), 'lost_value', coalesce(k.lost_value, 0)::text) order by m.month)
        from generate_series(months_begin::timestamp, months_end::timestamp, interval '1 month') as m (month)
        left join months k on k.month = m.month::date
      ),
      'forecast', (
        select jsonb_agg(jsonb_build_object('kind', m.kind, 'month', m.month, 'count', coalesce(a.count, 0),
          'value', coalesce(a.value, 0)::text, 'weighted', round(coalesce(a.weighted, 0), 2)::text)
          order by array_position(array['overdue', 'month', 'later', 'none'], m.kind), m.month)
        from (
          select 'month' as kind, g::date as month
          from generate_series(ahead_begin::timestamp, ahead_end::timestamp, interval '1 month') g
          union all
          select a.kind, null from ahead a where a.kind <> 'month'
        ) m
        left join ahead a on a.kind = m.kind and a.month is not distinct from m.month
      ),
      'conversion', jsonb_build_object(
        'pipeline', (select p.name from public.pipelines p, funnel where p.id = funnel.id),
        'stages', (
          select coalesce(jsonb_agg(jsonb_build_object('name', p.name,
            'reached', (select coalesce(sum(u.deals), 0) from furthest u where u.place >= p.place)) order by p.place), '[]')
          from steps p
        )
      ),
      'lost_reasons', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', r.reason, 'count', r.count, 'value', coalesce(r.value, 0)::text)
          order by r.count desc, r.value desc nulls last, r.reason), '[]')
        from (
          select min(d.lost_reason) as reason, count(*) as count, sum(d.value) as value
          from found d where d.outcome = 'lost' and d.is_closed_then
          group by lower(d.lost_reason)
          order by count(*) desc, sum(d.value) desc nulls last, 1 limit 10
        ) r
      ),
      'upcoming', (
        select coalesce(jsonb_agg(k.card order by d.expected_close_date, d.id), '[]')
        from (
          select f.id from found f where f.closes >= greatest(today, first_day) and (last_day is null or f.closes <= last_day)
          order by f.closes, f.id limit 10
        ) w
        join public.deals d on d.id = w.id
        cross join lateral private.deal_card(d) k
      ),
      'deals', (
        select coalesce(jsonb_agg(k.card order by d.created_at desc, d.id desc), '[]')
        from (select f.id from found f where f.is_meant order by f.created_at desc, f.id desc limit 20) w
        join public.deals d on d.id = w.id
        cross join lateral private.deal_card(d) k
      )
    )
    from found f
  );
end
$$;
comment on function private.report_deals is
  'What the reports say of the deals that a filter means: one pass over them, and one over the log of where they have been.';

create function private.report_weeks(first_day date, last_day date, today date, time_zone text, week_start integer) returns jsonb
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

create function public.report(
  day date default null, filter jsonb default '{}', at timestamptz default now(), time_zone text default 'UTC',
  week_start integer default 1
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  today date := (at at time zone time_zone)::date;
  chosen date := coalesce(day, today);
  period record;
  day_begins timestamptz;
  day_ends timestamptz;
begin
  perform private.caller();
  -- The charts count the months and weeks up to both: to the end of time they would count without end.
  if chosen not between date '1900-01-01' and date '2200-12-31' or today not between date '1900-01-01' and date '2200-12-31' then
    raise exception 'The report date lies between the years 1900 and 2200.' using errcode = 'PT400';
  end if;
  select * into period from private.report_period(filter);
  perform private.check_report_filter(filter);
  day_begins := private.day_begins(chosen, time_zone);
  day_ends := private.day_begins(chosen + 1, time_zone);
  return private.report_deals(filter, period.first_day, period.last_day, chosen, today, time_zone)
    || jsonb_build_object(
      'day', chosen, 'today', today,
      'contacts_added', (
        select count(*) from public.contacts c where c.created_at >= day_begins and c.created_at < day_ends
      ),
      'companies_added', (
        select count(*) from public.companies c where c.created_at >= day_begins and c.created_at < day_ends
      ),
      'weeks', private.report_weeks(period.first_day, period.last_day, today, time_zone, week_start)
    );
end
$$;
comment on function public.report is
  'Everything that the reports show: contacts, companies and deals added on a day of the user''s calendar, the figures and charts of the deals that a filter means, and the activities per week. In a period each figure goes by its own date: created, closed, expected to close, happened.';

-- A period against the one before, and the week in review -----------------------------------------------------

-- "mails" are emails that were sent; "emails" are drafts that were opened in a mail app.

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
    ),
    'mails', (
      select count(*) from public.mails m
      where m.direction = 'out' and not m.is_automatic and not m.is_private and m.sent_at >= begins and m.sent_at < ends
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

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.has_samples(), private.attention(timestamptz), public.dashboard(timestamptz, text),
  private.report_period(jsonb), private.check_report_filter(jsonb),
  private.report_deals(jsonb, date, date, date, date, text), private.report_weeks(date, date, date, text, integer),
  public.report(date, jsonb, timestamptz, text, integer), private.period_figures(jsonb, date, date, text),
  private.check_days(date[]), public.compare_periods(date, date, date, date, jsonb, text),
  private.deal_line(public.deals), private.task_line(public.tasks), private.moved_deals(timestamptz, timestamptz),
  public.week_review(date, timestamptz, text, integer)
  from public, anon, authenticated;
grant execute on function
  private.has_samples(), private.attention(timestamptz), public.dashboard(timestamptz, text),
  private.report_period(jsonb), private.check_report_filter(jsonb),
  private.report_deals(jsonb, date, date, date, date, text), private.report_weeks(date, date, date, text, integer),
  public.report(date, jsonb, timestamptz, text, integer), private.period_figures(jsonb, date, date, text),
  private.check_days(date[]), public.compare_periods(date, date, date, date, jsonb, text),
  private.deal_line(public.deals), private.task_line(public.tasks), private.moved_deals(timestamptz, timestamptz),
  public.week_review(date, timestamptz, text, integer)
  to authenticated, service_role;
