-- The goal of the month: what the user wants to win, in the account's currency. It is a preference, so it is in the backup.

alter table public.preferences add column monthly_goal numeric(14, 2)
  constraint preferences_monthly_goal_above_zero check (monthly_goal > 0);
comment on column public.preferences.monthly_goal is
  'What the user wants to win in a calendar month, in the account''s currency; null without a goal.';
grant insert (monthly_goal), update (monthly_goal) on public.preferences to authenticated;

create function private.convert_goal() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- Another goal in the same statement, such as that of a backup, is in the new currency already.
  if new.monthly_goal = old.monthly_goal and new.rates ? old.currency then
    new.monthly_goal := greatest(round(new.monthly_goal * (new.rates ->> old.currency)::numeric, 2), 0.01);
  end if;
  return new;
end
$$;
comment on function private.convert_goal is
  'The goal follows the account into another currency where a rate is known; without one the number stays.';

create trigger convert_goal before update of currency on public.preferences
  for each row when (old.currency is distinct from new.currency and old.monthly_goal is not null)
  execute function private.convert_goal();

create function public.goal_progress(at timestamptz default now(), time_zone text default 'UTC') returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  today date := (at at time zone time_zone)::date;
  first_day date := date_trunc('month', today)::date;
  last_day date := (first_day + interval '1 month')::date - 1;
begin
  perform private.caller();
  return (
    select jsonb_build_object(
      'today', today, 'last_day', last_day,
      'won', coalesce(sum(private.worth(d.value, d.currency, d.rate)), 0)::text, 'deals', count(*))
    from public.deals d
    join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
    where s.outcome = 'won' and d.closed_at >= private.day_begins(first_day, time_zone)
      and d.closed_at < private.day_begins(last_day + 1, time_zone)
  );
end
$$;
comment on function public.goal_progress is
  'What was won in this month of the user''s calendar, in the account''s currency, and how many deals; which day it is, and the last one of the month.';

revoke all on function private.convert_goal(), public.goal_progress(timestamptz, text) from public, anon, authenticated;
grant execute on function private.convert_goal(), public.goal_progress(timestamptz, text) to authenticated, service_role;
