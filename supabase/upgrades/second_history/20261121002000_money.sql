-- Money of several currencies: an account has one, a deal may have another. Sums are made in the account's currency, by
-- one rate for each other currency, which the user enters. See docs/decisions/038-money-of-several-currencies.md.

-- How the user wants to see things ---------------------------------------------------------------------------

alter table public.preferences
  add column currency text not null default 'USD'
    constraint preferences_currency_code check (currency ~ '^[A-Z]{3}$'),
  add column rates jsonb not null default '{}',
  add column number_format text not null default '1,234.56'
    constraint preferences_number_format_known check (number_format in ('1,234.56', '1.234,56', '1 234,56', '1’234.56', '12,34,567.89')),
  add column date_format text not null default 'month day, year'
    constraint preferences_date_format_known
    check (date_format in ('month day, year', 'day month year', 'yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy')),
  add column clock smallint not null default 24
    constraint preferences_clock_known check (clock in (12, 24));
comment on column public.preferences.currency is 'What amounts without a currency are in, and all sums. Changed by change_currency.';
comment on column public.preferences.rates is 'What one unit of another currency is worth in the account''s: {"EUR": 1.08}.';

-- The currency itself is changed by a function, because every deal has to follow.
grant insert (rates, number_format, date_format, clock), update (rates, number_format, date_format, clock)
  on public.preferences to authenticated;

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

-- Deals ------------------------------------------------------------------------------------------------------

alter table public.deals
  add column currency text constraint deals_currency_code check (currency ~ '^[A-Z]{3}$'),
  add column rate numeric constraint deals_rate_above_zero check (rate > 0);
comment on column public.deals.currency is 'The code of the currency of its value; null is the account''s own.';
comment on column public.deals.rate is
  'What one unit of its currency is worth in the account''s: the rate of today, or of the day on which the deal was closed. Null where there is none, and where none is needed. Set by the database.';

-- Without a search path of its own, so that the planner writes its body into indexes and queries.
create function private.worth(value numeric, currency text, rate numeric) returns numeric
language sql immutable parallel safe
as $$ select case when currency is null then value else pg_catalog.round(value operator(pg_catalog.*) rate, 2) end $$;
comment on function private.worth is 'A value in the account''s currency; null where no rate is known.';

drop index public.deals_by_value;
create index deals_by_worth on public.deals
  (user_id, coalesce(private.worth(value, currency, rate), 'infinity'::numeric), id);
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
    -- Whoever won it got what it was worth then.
    new.rate := coalesce(old.rate, money.rate);
  else
    new.rate := money.rate;
  end if;
  return new;
end
$$;
comment on function private.tidy_rate is
  'An open deal has the rate of today, a closed one that of the day on which it was closed. The account''s own currency is stored as none.';

-- By its name after "tidy", which says whether the deal is closed.
create trigger tidy_rate before insert or update on public.deals
  for each row execute function private.tidy_rate();

select private.add_field('public.deals', 'currency');

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

-- The log: an amount is told with its currency ---------------------------------------------------------------

create or replace function private.changed_columns(old_row jsonb, new_row jsonb, out before jsonb, out after jsonb, out fields uuid[])
language sql immutable
set search_path = ''
as $$
  select jsonb_object_agg(d.key, d.was), jsonb_object_agg(d.key, d.is), array_agg(d.field) filter (where d.field is not null)
  from (
    select n.key, o.value as was, n.value as is, null::uuid as field
    from jsonb_each(new_row) n join jsonb_each(old_row) o on o.key = n.key
    where (n.value is distinct from o.value or n.key = 'currency' and new_row -> 'value' is distinct from old_row -> 'value')
      and n.key not in ('updated_at', 'custom')
    union all
    select 'custom.' || k.key, coalesce(old_row -> 'custom' -> k.key, 'null'), coalesce(new_row -> 'custom' -> k.key, 'null'), k.key::uuid
    from jsonb_object_keys((old_row -> 'custom') || (new_row -> 'custom')) as k (key)
    where new_row -> 'custom' <> old_row -> 'custom'
      and new_row -> 'custom' -> k.key is distinct from old_row -> 'custom' -> k.key
  ) d
$$;
comment on function private.changed_columns is
  'What differs between two versions of a row, by column, and of own fields by field. With the value of a deal goes its currency.';

create or replace function private.names_of_fields(me uuid, ids uuid[], before jsonb, after jsonb) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_object_agg(n.id, n.name)
  from public.fields f
  cross join lateral (
    select f.id::text as id, f.name
    union all
    -- A number in the log does not say that it is money.
    select f.id || '.kind', f.kind where f.kind = 'money'
    union all
    select o.id, o.name from jsonb_to_recordset(f.options) as o (id text, name text)
    where before -> ('custom.' || f.id) ? o.id or after -> ('custom.' || f.id) ? o.id
  ) n
  where f.user_id = me and f.id = any (ids)
$$;
comment on function private.names_of_fields is
  'What these fields are called now, and those of their options that a change tells of, by their ids; and which of them are money.';

-- Backups ----------------------------------------------------------------------------------------------------

create function private.set_preferences(account uuid, said jsonb) returns void
language plpgsql
set search_path = ''
as $$
declare
  columns text := (
    select string_agg(quote_ident(c.name), ', ') from private.columns_of('public.preferences') c
    where c.name not in ('user_id', 'created_at', 'updated_at') and said ? c.name and (said -> c.name <> 'null' or not c.is_required)
  );
begin
  if columns is not null then
    execute format(
      'update public.preferences p set (%1$s) = (select %1$s from jsonb_populate_record(p, $2)) where p.user_id = $1', columns)
    using account, said;
  end if;
end
$$;
comment on function private.set_preferences is 'Preferences as a backup or a copy of them tells them; what it does not tell stays.';

create function private.place_money(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
declare
  mine public.preferences;
  -- A backup from before there were currencies is in dollars.
  theirs text := coalesce((
    select s.said ->> 'currency' from private.restore_rows s where s.restore_id = restore and s.kind = 'preferences' limit 1
  ), 'USD');
begin
  select * into mine from public.preferences p where p.user_id = me;
  if mine.currency = theirs then
    update public.preferences p set rates = (s.said -> 'rates') || p.rates
    from private.restore_rows s
    where s.restore_id = restore and s.kind = 'preferences' and jsonb_typeof(s.said -> 'rates') = 'object' and p.user_id = me;
    return;
  end if;
  update private.restore_rows s set said = private.in_currency(
    '{"currency": null}' || s.said, theirs, (mine.rates ->> theirs)::numeric)
  where s.restore_id = restore and s.kind = 'deals' and s.is_new;
  update private.restore_rows s set said = s.said || jsonb_build_object(
    'before', private.in_currency(
      case when s.said ->> 'verb' = 'delete' and jsonb_typeof(s.said -> 'before') = 'object'
        then '{"currency": null}' || (s.said -> 'before') else s.said -> 'before' end,
      theirs, (mine.rates ->> theirs)::numeric),
    'after', private.in_currency(s.said -> 'after', theirs, (mine.rates ->> theirs)::numeric))
  where s.restore_id = restore and s.kind = 'changes' and s.said ->> 'table_name' = 'deals';
end
$$;
comment on function private.place_money is
  'Deals of a backup whose account had another currency keep it; in the same one, the rates that are missing here come with them.';

create or replace function private.clear_way(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  if private.is_empty_account(me) then
    perform private.set_preferences(me, jsonb_strip_nulls(s.said) || jsonb_build_object('display_name', s.said -> 'display_name'))
    from private.restore_rows s
    where s.restore_id = restore and s.kind = 'preferences';
  end if;
  perform private.place_money(me, restore);
  -- The pipeline that came with the account and that nobody has touched gives way to those of the backup.
  if exists (select from private.restore_rows s where s.restore_id = restore and s.kind = 'pipelines' and s.is_new) then
    delete from public.pipelines p
    where p.user_id = me and p.name = 'Sales Pipeline' and p.updated_at = p.created_at
      and not exists (select from public.deals d where d.user_id = me and d.pipeline_id = p.id)
      and not exists (select from public.changes c where c.user_id = me and c.row_id = p.id)
      and not exists (select from private.restore_rows s where s.restore_id = restore and s.kind = 'pipelines' and s.new_id = p.id)
      and (
        select count(*) = 5 and bool_and(t.updated_at = t.created_at) and min(t.created_at) = p.created_at
        from public.pipeline_stages t where t.user_id = me and t.pipeline_id = p.id
      );
  end if;
end
$$;

create or replace function private.take_back_part(account uuid) returns integer
language plpgsql
set search_path = ''
as $$
declare
  w private.unfinished_work;
  part private.unfinished_parts;
  lines bigint[];
begin
  select * into w from private.unfinished_work u where u.user_id = account;
  if w.user_id is null then
    return null;
  end if;
  select * into part from private.unfinished_parts p where p.user_id = account order by p.number desc limit 1;
  if part.number is null then
    if w.name = 'finish_restore' then
      -- Its rows say by now where they were to go; they have to be sent again.
      delete from private.restores r where r.user_id = w.user_id and r.id = (w.arguments ->> 'restore')::uuid;
    end if;
    delete from private.unfinished_work u where u.user_id = account;
    return null;
  end if;
  -- Nobody but the work has written for the account since it began.
  lines := array(
    select c.id from public.changes c where c.user_id = account and c.batch = w.batch and c.id > part.after_change
  );
  set constraints all deferred;
  perform set_config('solo.silent', 'on', true), set_config('solo.restoring', 'on', true);
  perform private.take_back_lines(account, lines);
  if part.number = 1 then
    perform private.set_preferences(account, w.state -> 'preferences') where w.state -> 'preferences' <> 'null';
  end if;
  perform set_config('solo.silent', 'off', true), set_config('solo.restoring', 'off', true);
  set constraints all immediate;
  delete from public.changes c where c.user_id = account and c.id > part.after_change;
  delete from private.unfinished_parts p where p.user_id = account and p.number = part.number;
  return cardinality(lines);
end
$$;

-- The lists --------------------------------------------------------------------------------------------------

create function private.deal_value_conditions(filter jsonb) returns text
language sql stable
set search_path = ''
as $$
  -- What has no rate is neither more nor less than anything.
  select concat_ws(' and ',
    case when filter ? 'value_from' then
      format('private.worth(c.value, c.currency, c.rate) >= %L::numeric', filter ->> 'value_from') end,
    case when filter ? 'value_to' then
      format('private.worth(c.value, c.currency, c.rate) <= %L::numeric', filter ->> 'value_to') end)
$$;
comment on function private.deal_value_conditions is
  'The deals worth as much as a filter wants, in the account''s currency, as a condition on "c"; empty when it wants nothing.';

-- What the columns of a deal say is asked for by what was there before; what they are worth is added.
alter function private.deal_conditions(jsonb) rename to deal_column_conditions;

create function private.deal_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
begin
  -- What is no filter is refused below.
  if jsonb_typeof(filter) is distinct from 'object' then
    return private.deal_column_conditions(filter);
  end if;
  return concat_ws(' and ', private.deal_column_conditions(filter - 'value_from' - 'value_to'),
    nullif(private.deal_value_conditions(filter), ''));
end
$$;
comment on function private.deal_conditions is
  'The deals that a filter means, as a condition on "c"; the stage "none" means those without one, and amounts are in the account''s currency. Every value is quoted.';

update private.list_orders o set expression = format(
  'coalesce(private.worth(c.value, c.currency, c.rate), %L::numeric)', case when o.descending then '-infinity' else 'infinity' end)
where o.kind = 'deals' and o.sort = 'value';

create or replace function public.deal_totals(filter jsonb default '{}') returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('deals', filter);
  totals jsonb;
begin
  -- Money goes out as text: a sum may have more digits than the numbers of JavaScript.
  execute format(
    'select jsonb_build_object(''count'', count(*), ''sum'', coalesce(sum(private.worth(c.value, c.currency, c.rate)), 0)::text,
       ''uncounted'', (
         select coalesce(jsonb_object_agg(u.currency, u.count), ''{}'')
         from (
           select c.currency, count(*) as count from public.deals c
           where c.currency is not null and c.rate is null and %1$s group by c.currency
         ) u
       ))
     from public.deals c where %1$s',
    own.conditions)
  into totals using own.hits;
  return totals;
end
$$;
comment on function public.deal_totals is
  'How many deals a filter means, what they are worth together, and how many of each currency are not in the sum, because it has no rate.';

create or replace function public.deal_board(
  pipeline uuid, filter jsonb default '{}', page_size integer default 30, loaded jsonb default '{}'
)
returns json
language plpgsql stable
set search_path = ''
as $$
declare
  own record := private.own_conditions('deals', filter);
  board json;
begin
  if not exists (select from public.pipelines p where p.id = deal_board.pipeline) then
    return null;
  end if;
  execute format(
    'with figures as (
       select c.stage_id, count(*) as count, sum(private.worth(c.value, c.currency, c.rate)) as sum
       from public.deals c where %1$s and c.pipeline_id = $2 group by c.stage_id
     ),
     unrated as (
       select u.stage_id, jsonb_object_agg(u.currency, u.count) as uncounted
       from (
         select c.stage_id, c.currency, count(*) as count from public.deals c
         where c.currency is not null and c.rate is null and %1$s and c.pipeline_id = $2 group by c.stage_id, c.currency
       ) u
       group by u.stage_id
     ),
     columns as (
       select s.id, s.name, s.outcome, s."order", s.win_probability, coalesce(f.count, 0) as count, coalesce(f.sum, 0) as sum
       from public.pipeline_stages s left join figures f on f.stage_id = s.id
       where s.pipeline_id = $2
       union all
       -- Nothing is known of how likely a deal without a stage is.
       select null, null, ''open'', null, 0, f.count, coalesce(f.sum, 0) from figures f where f.stage_id is null
     )
     select coalesce(json_agg(
       json_build_object(''stage_id'', k.id, ''stage_name'', k.name, ''outcome'', k.outcome,
         ''win_probability'', k.win_probability, ''count'', k.count, ''sum'', k.sum::text,
         ''weighted'', round(k.sum * k.win_probability * 0.01, 2)::text,
         ''uncounted'', coalesce((select u.uncounted from unrated u where u.stage_id is not distinct from k.id), ''{}''),
         ''rows'', coalesce(b.rows, ''[]''), ''next'', b.next)
       order by k."order" nulls first, k.id), ''[]'')
     from columns k
     left join lateral private.board_column(
       %1$L, $1, $2, k.id, null, coalesce(($3 ->> coalesce(k.id::text, ''none''))::integer, $4)
     ) b on k.count > 0',
    own.conditions)
  into board
  using own.hits, deal_board.pipeline, loaded, page_size;
  return board;
end
$$;

create or replace function private.linked_deals(contact uuid, company uuid) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(d) - 'created_at' order by d.created_at desc, d.id desc), '[]')
    from (
      select d.id, d.name, d.value, d.currency, d.expected_close_date, s.name as stage_name,
        coalesce(s.outcome, 'open') as outcome, d.created_at
      from public.deals d
      left join public.pipeline_stages s on s.id = d.stage_id
      where d.contact_id = contact or d.company_id = company
      order by d.created_at desc, d.id desc limit 100
    ) d
  );
end
$$;

create or replace function private.search_card(kind text, id uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select case kind
    when 'contacts' then (
      select jsonb_build_object('title', btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')),
        'about', (select k.name from public.companies k where k.id = c.company_id),
        'email', c.email, 'phone_number', c.phone_number)
      from public.contacts c where c.id = search_card.id
    )
    when 'companies' then (
      select jsonb_build_object('title', c.name, 'about', nullif(concat_ws(' · ', c.industry, c.location), ''))
      from public.companies c where c.id = search_card.id
    )
    when 'deals' then (
      select jsonb_build_object('title', c.name, 'value', c.value, 'currency', c.currency,
        'about', (select k.name from public.companies k where k.id = c.company_id),
        'stage', (select s.name from public.pipeline_stages s where s.id = c.stage_id))
      from public.deals c where c.id = search_card.id
    )
    when 'tasks' then (
      select jsonb_build_object('title', c.title, 'due_date', c.due_date, 'completed', c.completed, 'about', coalesce(
        (select nullif(btrim(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '')), '')
          from public.contacts p where p.id = c.contact_id),
        (select k.name from public.companies k where k.id = c.company_id),
        (select d.name from public.deals d where d.id = c.deal_id)))
      from public.tasks c where c.id = search_card.id
    )
  end || jsonb_build_object('kind', kind, 'id', id)
$$;

create or replace function public.trash_page(filter jsonb default '{}', after jsonb default null, page_size integer default 50)
returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  size integer := least(greatest(page_size, 1), 200);
  answer jsonb;
begin
  -- Counting a deletion of a hundred thousand takes a while: it is done once, and the cursor carries it on.
  execute format(
    'with keys as materialized (
       select c.* from public.changes c where %1$s %2$s
       order by c.created_at desc, c.id desc limit %3$s
     ),
     batches as materialized (
       select b.batch, case when b.batch = %4$L::uuid then %5$L::bigint else (
         select count(*) from public.changes c where %6$s and c.batch = b.batch
       ) end as together
       from (select distinct k.batch from keys k) b
     ),
     page as (
       select k.*, b.together, row_number() over (order by k.created_at desc, k.id desc) as place
       from keys k join batches b on b.batch = k.batch
     )
     select jsonb_build_object(
       ''rows'', coalesce(jsonb_agg(jsonb_build_object(
         ''id'', p.row_id, ''kind'', p.table_name, ''name'', p.label, ''deleted_at'', p.created_at,
         ''batch'', p.batch, ''together'', p.together,
         ''email'', p.before -> ''email'', ''value'', p.before -> ''value'', ''currency'', p.before -> ''currency'', ''industry'', p.before -> ''industry'',
         ''of'', case
           when p.table_name = ''notes'' then private.label_of(p.user_id, coalesce(p.contact_id, p.company_id, p.deal_id))
           when p.table_name = ''pipeline_stages'' then coalesce(
             (select l.name from public.pipelines l where l.user_id = p.user_id and l.id = (p.before ->> ''pipeline_id'')::uuid),
             private.label_of(p.user_id, (p.before ->> ''pipeline_id'')::uuid))
         end
       ) order by p.place) filter (where p.place < %3$s), ''[]''),
       ''next'', case when count(*) = %3$s then (array_agg(jsonb_build_object(
         ''at'', p.created_at, ''id'', p.id, ''batch'', p.batch, ''together'', p.together) order by p.place desc))[2] end
     )
     from page p',
    private.trash_conditions(private.caller(), filter),
    case when after is null then '' else
      format('and (c.created_at, c.id) < (%L::timestamptz, %L::bigint)', after ->> 'at', after ->> 'id') end,
    size + 1, after ->> 'batch', after ->> 'together',
    private.trash_conditions(private.caller(), '{}'))
  into answer;
  return answer;
end
$$;

create or replace function private.calendar_deal(deal public.deals) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', deal.id, 'name', deal.name, 'value', deal.value,
    'currency', coalesce(deal.currency, (select p.currency from public.preferences p where p.user_id = deal.user_id), 'USD'), 'expected_close_date', deal.expected_close_date,
    'created_at', deal.created_at, 'updated_at', deal.updated_at,
    'company_name', (select k.name from public.companies k where k.user_id = deal.user_id and k.id = deal.company_id)
  )
$$;

-- Writes to all that a filter means --------------------------------------------------------------------------

insert into private.bulk_changes (kind, key, sets, label, place) values
  ('deals', 'currency', 'currency = $2 ->> ''currency''', 'currency', 3);
comment on function public.update_deals is
  'Sets stage, expected close, currency, tags or own fields of every deal that a filter means; a stage brings its pipeline with it.';

-- The figures ------------------------------------------------------------------------------------------------

create or replace function private.attention(stale timestamptz) returns jsonb
language sql stable
set search_path = ''
as $$
  with steps as (
    select t.deal_id, bool_or(not t.completed) as has_next, bool_or(t.updated_at >= stale) as is_fresh
    from public.tasks t
    where t.deal_id is not null and (not t.completed or t.updated_at >= stale)
    group by t.deal_id
  ),
  talks as (
    select distinct n.deal_id from public.notes n
    where n.deal_id is not null and n.updated_at >= stale
  ),
  needy as materialized (
    select d.id, d.name, d.value, d.currency, private.worth(d.value, d.currency, d.rate) as worth, d.company_id, d.updated_at, s.name as stage_name, coalesce(t.has_next, false) as has_next,
      d.updated_at < stale and t.is_fresh is not true and k.deal_id is null as is_stale
    from public.deals d
    left join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
    left join steps t on t.deal_id = d.id
    left join talks k on k.deal_id = d.id
    where coalesce(s.outcome, 'open') = 'open'
      and (t.has_next is not true or d.updated_at < stale and t.is_fresh is not true and k.deal_id is null)
  )
  select jsonb_build_object(
    'total', (select count(*) from needy),
    'rows', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', d.id, 'name', d.name, 'value', d.value, 'currency', d.currency, 'stage_name', d.stage_name, 'has_next', d.has_next, 'is_stale', d.is_stale,
        'company_name', (select c.name from public.companies c where c.id = d.company_id),
        'touched_at', greatest(d.updated_at,
          (select max(t.updated_at) from public.tasks t where t.deal_id = d.id),
          (select max(n.updated_at) from public.notes n where n.deal_id = d.id))
      ) order by d.worth desc nulls last, d.id)
      from (select * from needy order by worth desc nulls last, id limit 8) d
    ), '[]')
  )
$$;

create or replace function public.dashboard(at timestamptz default now(), time_zone text default 'UTC') returns jsonb
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

create or replace function private.report_deals(
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

-- Who may call what ------------------------------------------------------------------------------------------

revoke all on function
  private.check_rates(), private.worth(numeric, text, numeric), private.tidy_rate(), private.rate_deals(),
  public.set_rate(text, numeric), private.in_currency(jsonb, text, numeric), public.change_currency(text, boolean, numeric),
  private.set_preferences(uuid, jsonb), private.place_money(uuid, uuid), private.deal_value_conditions(jsonb),
  private.deal_conditions(jsonb), public.update_deals(jsonb, jsonb)
  from public, anon, authenticated;
grant execute on function
  private.check_rates(), private.worth(numeric, text, numeric), private.tidy_rate(), private.rate_deals(),
  public.set_rate(text, numeric), public.change_currency(text, boolean, numeric), private.deal_value_conditions(jsonb),
  private.deal_conditions(jsonb), public.update_deals(jsonb, jsonb)
  to authenticated, service_role;
