-- What waits for the user, counted: every screen asks for this, so it must not read all of it. And proposals that have expired
-- are erased with everything else that has.

create function public.waiting_counts() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'proposals', (select count(*) from private.proposals p where p.user_id = private.caller() and private.is_waiting(p)),
    'leads', (
      select count(*) from public.form_submissions s
      -- What looks like spam calls nobody.
      where s.user_id = private.caller() and s.status = 'accepted' and s.seen_at is null
    ),
    'webhooks', (select count(*) from private.webhooks w where w.user_id = private.caller() and w.switched_off_at is not null)
  )
$$;
comment on function public.waiting_counts is
  'How many proposals, new leads and switched-off webhooks wait for the user to look at them.';

create function private.forget_proposals() returns bigint
language sql
set search_path = ''
as $$
  with gone as (delete from private.proposals p where not private.is_waiting(p) returning 1)
  select count(*) from gone
$$;
comment on function private.forget_proposals is 'Erases proposals that have expired, of all accounts: for private.erase_expired.';

create or replace function private.erase_expired() returns bigint
language sql
security definer
set search_path = ''
as $$
  select private.forget_proposals() + coalesce(sum(private.erase_expired_of(a.user_id)), 0)::bigint
  from (
    (
      select c.user_id from public.changes c
      where c.verb = 'delete' and c.before is not null and c.created_at < now() - interval '30 days'
      order by c.created_at limit 1
    )
    union
    select x.user_id from private.restores x where x.created_at < now() - interval '1 day'
    union
    select u.id from auth.users u
    where exists (
      select from private.sent_writes w where w.user_id = u.id and w.created_at < now() - interval '90 days'
    )
  ) a
$$;

revoke all on function public.waiting_counts(), private.forget_proposals() from public, anon, authenticated;
grant execute on function public.waiting_counts() to authenticated, service_role;
