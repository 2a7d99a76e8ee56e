-- Jobs: work that is due at a given time. Server processes claim jobs here, so that one process does a job, however many share
-- the database, and another takes over when that one dies. See docs/decisions/058-jobs-and-webhooks.md.

create table private.jobs (
  kind text not null,
  key text not null,
  user_id uuid references auth.users (id) on delete cascade,
  lane text,
  payload jsonb not null default '{}',
  due_at timestamptz not null default now(),
  tries integer not null default 0,
  plans integer not null default 1,
  claim uuid,
  claimed_plan integer,
  claimed_until timestamptz,
  given_up_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  primary key (kind, key),
  constraint jobs_kind_form check (kind ~ '^[a-z][a-z_]{0,39}$'),
  constraint jobs_key_length check (char_length(key) between 1 and 200),
  constraint jobs_error_length check (char_length(last_error) <= 500)
);
alter table private.jobs enable row level security;
comment on table private.jobs is
  'Work that waits, is being done, or was given up; what is done is gone. For the server alone: not in backups, and gone with its account.';
comment on column private.jobs.key is 'There is one job of a kind and key: planned again it is the same one.';
comment on column private.jobs.lane is 'Of the jobs of a kind in one lane, one is done at a time, so that a slow one holds up only its like.';
comment on column private.jobs.plans is 'How often it was planned. One that was planned again while it was done (claimed_plan) is due once more.';
comment on column private.jobs.claim is 'Anew with each claim: whoever lost it to another process can no longer end the job.';
comment on column private.jobs.claimed_until is 'When another process may take it over, unless the claim is renewed.';
comment on column private.jobs.last_error is 'The name of the error, without what it says: that may hold data of the account.';

create index jobs_by_time on private.jobs (due_at) where given_up_at is null;
create index jobs_by_account on private.jobs (user_id) where user_id is not null;
create index jobs_by_lane on private.jobs (kind, lane) where lane is not null;

-- Planning ----------------------------------------------------------------------------------------------------

create function private.plan_job(
  kind text, key text default null, account uuid default null, payload jsonb default '{}', due_at timestamptz default now(),
  lane text default null
) returns void
language sql
set search_path = ''
as $$
  insert into private.jobs as j (kind, key, user_id, payload, due_at, lane)
  values (plan_job.kind, coalesce(plan_job.key, gen_random_uuid()::text), plan_job.account, plan_job.payload, plan_job.due_at, plan_job.lane)
  on conflict on constraint jobs_pkey do update set
    user_id = excluded.user_id, payload = excluded.payload, lane = excluded.lane, plans = j.plans + 1, given_up_at = null,
    -- While it is done, its next time is the new one alone.
    due_at = case when j.claim is null and j.given_up_at is null then least(j.due_at, excluded.due_at) else excluded.due_at end,
    tries = case when j.claim is null then 0 else j.tries end;
  select pg_notify('solo_jobs', plan_job.kind);
$$;
comment on function private.plan_job is
  'Plans a job with the transaction. One of the same kind and key that waits takes the new payload, and the earlier of the two times; one that is being done is due once more; one that was given up begins anew. Whoever plans the same key in a long transaction makes others wait who plan it. For definers and the server.';

create function private.cancel_job(kind text, key text) returns void
language sql
set search_path = ''
as $$ delete from private.jobs j where j.kind = cancel_job.kind and j.key = cancel_job.key $$;
comment on function private.cancel_job is
  'Takes a job off the list. Whoever is just doing it is told when the claim is renewed. To move a job to a later time, cancel and plan it.';

-- Claiming and ending -----------------------------------------------------------------------------------------

create function private.claim_job(kinds text[], lease integer) returns setof private.jobs
language sql
set search_path = ''
as $$
  with next as materialized (
    select j.kind, j.key from private.jobs j
    where j.kind = any (kinds) and j.given_up_at is null and j.due_at <= now() and (j.claim is null or j.claimed_until <= now())
      and (j.lane is null or not exists (
        select from private.jobs o where o.kind = j.kind and o.lane = j.lane and o.claimed_until > now()
      ))
    order by j.due_at limit 1
    for update skip locked
  )
  update private.jobs j set
    claim = gen_random_uuid(), claimed_plan = j.plans, claimed_until = now() + make_interval(secs => lease), tries = j.tries + 1
  from next n where j.kind = n.kind and j.key = n.key
  returning j.*
$$;
comment on function private.claim_job is 'Claims the job of these kinds that has been due for longest, for so many seconds. None where nothing is due.';

create function private.renew_job(kind text, key text, claim uuid, lease integer) returns boolean
language sql
set search_path = ''
as $$
  with renewed as (
    update private.jobs j set claimed_until = now() + make_interval(secs => lease)
    where j.kind = renew_job.kind and j.key = renew_job.key and j.claim = renew_job.claim returning 1
  )
  select exists (select from renewed)
$$;
comment on function private.renew_job is 'Whether the claim still holds; if so, for so many seconds more.';

create function private.end_job(kind text, key text, claim uuid, again_in double precision default null) returns void
language sql
set search_path = ''
as $$
  delete from private.jobs j
  where j.kind = end_job.kind and j.key = end_job.key and j.claim = end_job.claim and j.plans = j.claimed_plan and again_in is null;
  update private.jobs j set claim = null, claimed_until = null, tries = 0, last_error = null,
    due_at = case
      when j.plans = j.claimed_plan then now() + make_interval(secs => again_in)
      else least(j.due_at, now() + make_interval(secs => again_in))
    end
  where j.kind = end_job.kind and j.key = end_job.key and j.claim = end_job.claim;
$$;
comment on function private.end_job is 'The job is done; it is due again in so many seconds, or when it was planned meanwhile.';

create function private.fail_job(kind text, key text, claim uuid, error text, again_in double precision default null) returns void
language sql
set search_path = ''
as $$
  update private.jobs j set claim = null, claimed_until = null, last_error = left(error, 500),
    tries = case when j.plans = j.claimed_plan then j.tries else 0 end,
    due_at = case when j.plans = j.claimed_plan and again_in is not null then now() + make_interval(secs => again_in) else j.due_at end,
    given_up_at = case when j.plans = j.claimed_plan and again_in is null then now() end
  where j.kind = fail_job.kind and j.key = fail_job.key and j.claim = fail_job.claim
$$;
comment on function private.fail_job is
  'The job failed: it is tried again in so many seconds, or given up. One that was planned meanwhile begins anew.';

create function private.release_job(kind text, key text, claim uuid) returns void
language sql
set search_path = ''
as $$
  update private.jobs j set claim = null, claimed_until = null, tries = greatest(j.tries - 1, 0)
  where j.kind = release_job.kind and j.key = release_job.key and j.claim = release_job.claim;
  select pg_notify('solo_jobs', release_job.kind);
$$;
comment on function private.release_job is 'Whoever claimed it stops without having done it; another may take it at once.';

create function private.next_job_in(kinds text[]) returns double precision
language sql stable
set search_path = ''
as $$
  select extract(epoch from min(greatest(j.due_at, case when j.claim is not null then j.claimed_until end)) - now())::double precision
  from private.jobs j
  where j.kind = any (kinds) and j.given_up_at is null
    and (j.lane is null or j.claimed_until > now() or not exists (
      select from private.jobs o where o.kind = j.kind and o.lane = j.lane and o.claimed_until > now()
    ))
$$;
comment on function private.next_job_in is
  'In how many seconds a job of these kinds is due, or one may be taken over; null where there is none. What waits for its lane does not count: it follows the one before it.';

create function private.forget_jobs() returns void
language sql
set search_path = ''
as $$
  delete from private.jobs j
  where j.given_up_at < now() - interval '7 days' or (j.due_at < now() - interval '60 days' and j.claim is null)
$$;
comment on function private.forget_jobs is
  'Erases what was given up a week ago, and what nobody has done for long: no server does that kind any more.';

revoke all on private.jobs from public, anon, authenticated;

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.plan_job(text, text, uuid, jsonb, timestamptz, text), private.cancel_job(text, text),
  private.claim_job(text[], integer), private.renew_job(text, text, uuid, integer),
  private.end_job(text, text, uuid, double precision), private.fail_job(text, text, uuid, text, double precision),
  private.release_job(text, text, uuid), private.next_job_in(text[]), private.forget_jobs()
  from public, anon, authenticated;
