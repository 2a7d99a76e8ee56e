-- The rate of a closed deal can be corrected: the bank gave another one, or the account's was wrong on that day.

create or replace function private.tidy_rate() returns trigger
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

grant update (rate) on public.deals to authenticated;

comment on column public.deals.rate is
  'What one unit of its currency is worth in the account''s: the rate of today, or of the day on which the deal was closed. Null where there is none, and where none is needed. Set by the database; the owner can correct that of a closed deal.';
