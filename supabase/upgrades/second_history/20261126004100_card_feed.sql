-- The feed of cards: one private address per account, under which an address book reads the contacts. As the calendar's.

create table public.card_feeds (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- In plain text, as the token of public.calendar_feeds, and for the same reason.
  token text not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint card_feeds_token_form check (token ~ '^[0-9a-f]{64}$')
);
alter table public.card_feeds enable row level security;
comment on table public.card_feeds is
  'The secret part of the address of an account''s contacts as cards. Written by create_card_feed and revoke_card_feed alone, and never logged in changes.';
revoke all on public.card_feeds from public, anon, authenticated;
grant all on public.card_feeds to service_role;
grant select on public.card_feeds to authenticated;
create policy "Owners see their card feeds" on public.card_feeds
  for select to authenticated using (user_id = (select auth.uid()));
create trigger announce after insert or update or delete on public.card_feeds
  for each row execute function private.announce_unlogged();

create function public.create_card_feed(replacing text default null) returns public.card_feeds
language plpgsql
security definer
set search_path = ''
as $$
declare
  fresh text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  feed public.card_feeds;
begin
  insert into public.card_feeds as f (user_id, token) values (private.caller(), fresh)
  on conflict (user_id) do update set
    token = case when f.token = replacing then excluded.token else f.token end,
    updated_at = case when f.token = replacing then now() else f.updated_at end
  returning * into feed;
  return feed;
end
$$;
comment on function public.create_card_feed is
  'The address of the account''s cards, made if there is none. A new one takes the place of the one named, as in create_calendar_feed. A definer because nobody else writes the table.';

create function public.revoke_card_feed() returns void
language sql
security definer
set search_path = ''
as $$ delete from public.card_feeds f where f.user_id = private.caller() $$;
comment on function public.revoke_card_feed is 'The address of the account''s cards stops working, for good. A definer as create_card_feed.';

create function public.card_page(token text, after uuid default null) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  account uuid := (select f.user_id from public.card_feeds f where f.token = card_page.token);
begin
  if account is null then
    return null;
  end if;
  -- A half-written import, for instance, must not show in an address book.
  perform private.refuse_unfinished(account);
  return (
    select jsonb_build_object(
      'mark', private.newest_change(account),
      'rows', coalesce(jsonb_agg(jsonb_build_object(
        'first_name', c.first_name, 'last_name', c.last_name, 'middle_name', c.middle_name, 'nickname', c.nickname,
        'email', c.email, 'phone_number', c.phone_number, 'role_title', c.role_title, 'birthday', c.birthday,
        'company_name', k.name, 'notes', c.notes, 'emails', c.emails, 'phones', c.phones, 'links', c.links,
        'addresses', c.addresses) order by c.id), '[]'),
      'next', case when count(*) = 500 then max(c.id::text) end)
    from (
      select * from public.contacts c
      where c.user_id = account and (card_page.after is null or c.id > card_page.after)
      order by c.id limit 500
    ) c
    left join public.companies k on k.user_id = account and k.id = c.company_id
  );
end
$$;
comment on function public.card_page is
  'A page of the contacts of a feed, for their cards; "mark" is another one as soon as anything has changed. Null for a token that is not, or no longer, known. A definer because the server asks for whoever holds the token: there is no session.';

revoke all on function
  public.create_card_feed(text), public.revoke_card_feed(), public.card_page(text, uuid)
  from public, anon, authenticated;
grant execute on function public.create_card_feed(text), public.revoke_card_feed() to authenticated, service_role;
grant execute on function public.card_page(text, uuid) to service_role;
