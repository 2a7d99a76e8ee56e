-- Money in several currencies: an account has one, a deal may have another. Sums are in the currency of the account, with one
-- rate for each other currency, which the user enters. See docs/decisions/038-money-of-several-currencies.md.

-- The account -------------------------------------------------------------------------------------------------

create function private.check_rates() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if jsonb_typeof(new.rates) <> 'object' or exists (
    select from jsonb_each(new.rates) r
    where r.key !~ '^[A-Z]{3}$' or case when jsonb_typeof(r.value) = 'number'
      then r.value::numeric not between 0.00000001 and 1000000000 else true end
  ) then
    raise exception 'A rate is a number above zero, for the code of a currency. Nothing was saved.' using errcode = 'PT400';
  end if;
  -- One unit of it is one unit of it.
  new.rates := new.rates - new.currency;
  return new;
end
$$;
comment on function private.check_rates is 'Rates that cannot be reckoned with are refused.';

create trigger check_rates before insert or update on public.preferences
  for each row execute function private.check_rates();

-- Deals -------------------------------------------------------------------------------------------------------

-- No search_path of its own, so that the planner can inline the body into queries and index expressions.
create function private.worth(value numeric, currency text, rate numeric) returns numeric
language sql immutable parallel safe
as $$ select case when currency is null then value else pg_catalog.round(value operator(pg_catalog.*) rate, 2) end $$;
comment on function private.worth is 'A value in the account''s currency; null where no rate is known.';

-- Includes the columns that a sum needs, so that an index-only scan tells what the deals of an account are worth. No write
-- costs more for it: a change of these columns writes into all indexes of the table anyway, as one is on an expression of them.
create index deals_by_worth on public.deals
  (user_id, coalesce(private.worth(value, currency, rate), 'infinity'::numeric), id) include (value, currency, rate);
create index deals_by_worth_downwards on public.deals
  (user_id, coalesce(private.worth(value, currency, rate), '-infinity'::numeric), id);
create index deals_in_other_currencies on public.deals (user_id, currency) where currency is not null;
create index deals_without_rate on public.deals (user_id, currency) where currency is not null and rate is null;

create function private.tidy_rate() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  money record;
begin
  if new.currency is null then
    new.rate := null;
    return new;
  end if;
  new.currency := upper(new.currency);
  select p.currency, (p.rates ->> new.currency)::numeric as rate into money
  from public.preferences p where p.user_id = new.user_id;
  if new.currency = coalesce(money.currency, 'USD') then
    new.currency := null;
    new.rate := null;
  elsif new.closed_at is null then
    new.rate := money.rate;
  elsif private.is_restoring() then
    new.rate := coalesce(new.rate, money.rate);
  elsif tg_op = 'UPDATE' and old.closed_at is not null and old.currency = new.currency then
    -- Whoever won it got what it was worth then, unless the owner says otherwise.
    new.rate := coalesce(new.rate, old.rate, money.rate);
  else
    new.rate := money.rate;
  end if;
  return new;
end
$$;
comment on function private.tidy_rate is
  'An open deal has the rate of today, a closed one that of the day on which it was closed, or the one that its owner gives it. The account''s own currency is stored as none.';

-- The name puts this trigger after "tidy", which decides whether the deal is closed.
create trigger tidy_rate before insert or update on public.deals
  for each row execute function private.tidy_rate();

create function private.rate_deals() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  was text := coalesce(current_setting('solo.silent', true), '');
begin
  -- Nobody changed these deals: only what they are worth elsewhere is another. private.tidy_rate gives them the rate.
  perform set_config('solo.silent', 'on', true);
  update public.deals d set currency = d.currency
  where d.user_id = new.user_id and d.currency is not null and (d.closed_at is null or d.rate is null)
    and d.rate is distinct from (new.rates ->> d.currency)::numeric;
  perform set_config('solo.silent', was, true);
  return null;
end
$$;
comment on function private.rate_deals is 'Another rate holds for open deals, and for closed ones that never had one.';

create trigger rate_deals after update of rates on public.preferences
  for each row when (old.rates is distinct from new.rates and old.currency = new.currency)
  execute function private.rate_deals();

create function public.set_rate(currency text, rate numeric) returns jsonb
language plpgsql
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  rates jsonb;
begin
  update public.preferences p set rates = case
    when set_rate.rate is null then p.rates - set_rate.currency
    else p.rates || jsonb_build_object(set_rate.currency, set_rate.rate)
  end
  where p.user_id = private.caller()
  returning p.rates into rates;
  return rates;
end
$$;
comment on function public.set_rate is
  'What one unit of a currency is worth in the account''s, or null to forget it; answers with all rates. The others stay, also those that another window has just set.';

create function private.in_currency(logged jsonb, was text, factor numeric) returns jsonb
language sql immutable
set search_path = ''
as $$
  select case
    when jsonb_typeof(logged) is distinct from 'object' then logged
    when was is not null and logged -> 'currency' = 'null' then logged || jsonb_build_object('currency', was, 'rate', factor)
    when logged -> 'rate' <> 'null' then logged || jsonb_build_object('rate', round((logged ->> 'rate')::numeric * factor, 12))
    else logged
  end
$$;
comment on function private.in_currency is
  'A deal of the log or of a file, after the account''s currency was changed: what had none is in "was", and rates are multiplied.';

create function public.change_currency(currency text, keep boolean, rate numeric default null) returns jsonb
language plpgsql
security definer
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  me uuid := private.caller();
  mine public.preferences;
  -- What one unit of the old currency is worth in the new one.
  factor numeric := change_currency.rate;
  new_rates jsonb := '{}';
begin
  if currency is null or currency !~ '^[A-Z]{3}$' or rate <= 0 then
    raise exception 'A currency is a code of three letters. Nothing was saved.' using errcode = 'PT400';
  end if;
  select * into mine from public.preferences p where p.user_id = me for update;
  if mine.currency = change_currency.currency then
    return mine.rates;
  end if;
  factor := coalesce(factor, 1 / (mine.rates ->> change_currency.currency)::numeric);
  -- Without it, nothing is known of what the others are worth now.
  if factor is not null then
    select coalesce(jsonb_object_agg(r.key, trim_scale(round(r.value::numeric * factor, 8))), '{}')
      || jsonb_build_object(mine.currency, trim_scale(round(factor, 8)))
    into new_rates from jsonb_each_text(mine.rates) r
    where r.key <> change_currency.currency and round(r.value::numeric * factor, 8) > 0;
  end if;
  update public.preferences p set currency = change_currency.currency, rates = new_rates where p.user_id = me;

  -- Amounts stay what they are, so there is nothing to tell or to undo.
  perform set_config('solo.silent', 'on', true), set_config('solo.restoring', 'on', true);
  update public.deals d set
    currency = case when d.currency is null then mine.currency when d.currency <> change_currency.currency then d.currency end,
    rate = case when d.currency is null then factor else round(d.rate * factor, 12) end
  where d.user_id = me and (d.currency is not null or change_currency.keep);
  perform set_config('solo.silent', 'off', true), set_config('solo.restoring', 'off', true);

  -- What is undone or brought back later has to be in the currency that it was in.
  update public.changes c set
    before = private.in_currency(
      case when c.verb = 'delete' and not c.before ? 'currency' then '{"currency": null}' || c.before else c.before end,
      case when change_currency.keep then mine.currency end, factor),
    after = private.in_currency(c.after, case when change_currency.keep then mine.currency end, factor)
  where c.user_id = me and c.table_name = 'deals'
    and (c.before ? 'currency' or c.before ? 'rate' or c.verb = 'delete' and c.before is not null);
  return new_rates;
end
$$;
comment on function public.change_currency is
  'Gives the account another currency. Deals without one keep the old currency, or take the new one as if they had always been in it. "rate" is what one unit of the old currency is worth in the new one: by it the rates of the others are known. A definer because the log has to follow, which nobody else writes.';

-- The goal of the month ---------------------------------------------------------------------------------------

-- What the user wants to win in a month. A column of preferences, so backups hold it.

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

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.check_rates(), private.worth(numeric, text, numeric), private.tidy_rate(), private.rate_deals(),
  public.set_rate(text, numeric), private.in_currency(jsonb, text, numeric),
  public.change_currency(text, boolean, numeric), private.convert_goal(), public.goal_progress(timestamptz, text)
  from public, anon, authenticated;
grant execute on function
  private.check_rates(), private.worth(numeric, text, numeric), private.tidy_rate(), private.rate_deals(),
  public.set_rate(text, numeric), public.change_currency(text, boolean, numeric), private.convert_goal(),
  public.goal_progress(timestamptz, text)
  to authenticated, service_role;
