-- Corrects two faults. A proposal that would no longer change anything was stored with an empty card, which no screen can read, so
-- that no proposal was shown at all; and the webhooks of one account could hold up those of all others.

-- Proposals ---------------------------------------------------------------------------------------------------

create or replace function private.approve(proposal private.proposals) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  now_changes jsonb;
  now_card jsonb;
  wrote uuid;
  words text;
begin
  begin
    perform set_config('solo.batch', gen_random_uuid()::text, true);
    perform private.call_listed(proposal.name, proposal.args);
    set constraints all immediate;
    wrote := private.written_batch();
    if wrote is null then
      raise exception 'taken back' using errcode = 'SOLO1';
    end if;
    now_changes := private.rows_of_batch(wrote);
    if not private.same_values(proposal.changes, now_changes) then
      now_card := private.with_short_texts(private.own_batch_summary(wrote));
      raise exception 'taken back' using errcode = 'SOLO1';
    end if;
    perform private.note_batch(proposal.token_name);
    delete from private.proposals p where p.id = proposal.id;
    return jsonb_build_object('id', proposal.id, 'status', 'approved', 'batch', wrote);
  exception
    when sqlstate 'SOLO1' then
      if now_card is null then
        words := 'This would no longer change anything. Nothing was saved; decline it.';
      else
        -- Shown anew, so that the next approval is of what is seen then.
        update private.proposals p set card = now_card, changes = now_changes where p.id = proposal.id;
        words := 'The record was changed since. Nothing was saved; look at the proposal again.';
      end if;
    when others then
      words := case when sqlstate like 'PT%' then sqlerrm else 'This can no longer be done. Nothing was saved; decline it.' end;
  end;
  return jsonb_build_object('id', proposal.id, 'status', 'failed', 'message', words);
end
$$;

delete from private.proposals p where p.card ->> 'batch' is null;

-- Jobs --------------------------------------------------------------------------------------------------------

-- Few jobs are claimed at a time, but they were searched for among all that wait, once for each waiting job.
create index jobs_claimed on private.jobs (kind, user_id) where claim is not null;

create function private.busy_lanes(kinds text[]) returns text[]
language sql stable
set search_path = ''
as $$
  select array(
    select j.kind || ' ' || j.lane from private.jobs j
    where j.kind = any (kinds) and j.claim is not null and j.claimed_until > now() and j.lane is not null
  )
$$;
comment on function private.busy_lanes is 'The lanes in which a job is being done, as "kind lane".';

create or replace function private.claim_job(kinds text[], lease integer) returns setof private.jobs
language plpgsql
set search_path = ''
as $$
declare
  lanes text[] := private.busy_lanes(kinds);
  -- "kind account" of those for whom as many are done as one may have while others wait.
  crowded text[] := array(
    select j.kind || ' ' || j.user_id from private.jobs j
    where j.kind = any (kinds) and j.claim is not null and j.claimed_until > now() and j.user_id is not null
    group by j.kind, j.user_id having count(*) >= 3
  );
begin
  loop
    return query
      with next as materialized (
        select j.kind, j.key from private.jobs j
        where j.kind = any (kinds) and j.given_up_at is null and j.due_at <= now() and (j.claim is null or j.claimed_until <= now())
          and (j.lane is null or j.kind || ' ' || j.lane <> all (lanes))
          and (j.user_id is null or j.kind || ' ' || j.user_id <> all (crowded))
        order by j.due_at limit 1
        for update skip locked
      )
      update private.jobs j set
        claim = gen_random_uuid(), claimed_plan = j.plans, claimed_until = now() + make_interval(secs => lease), tries = j.tries + 1
      from next n where j.kind = n.kind and j.key = n.key
      returning j.*;
    exit when found or crowded = '{}';
    crowded := '{}';
  end loop;
end
$$;
comment on function private.claim_job is
  'Claims the job of these kinds that has been due for longest, for so many seconds; of an account for which three of a kind are done already, only where nobody else waits. None where nothing is due.';

create or replace function private.next_job_in(kinds text[]) returns double precision
language plpgsql stable
set search_path = ''
as $$
declare
  lanes text[] := private.busy_lanes(kinds);
begin
  return (
    select extract(epoch from min(greatest(j.due_at, case when j.claim is not null then j.claimed_until end)) - now())::double precision
    from private.jobs j
    where j.kind = any (kinds) and j.given_up_at is null
      and (j.lane is null or j.claimed_until > now() or j.kind || ' ' || j.lane <> all (lanes))
  );
end
$$;

revoke all on function private.busy_lanes(text[]) from public, anon, authenticated;
