-- One at a time. Two server processes that claimed a job at the same moment did not see what the other one claimed: both could take
-- a job of one lane, and an account could have more than three done while others waited. Decision 058.

create or replace function private.claim_job(kinds text[], lease integer) returns setof private.jobs
language plpgsql
set search_path = ''
as $$
declare
  lanes text[];
  -- "kind account" of those for whom as many are done as one may have while others wait.
  crowded text[];
begin
  -- Until the end of the transaction, which is that of this call: whoever claims next sees this claim.
  perform pg_advisory_xact_lock(hashtextextended('claim_job', 0));
  lanes := private.busy_lanes(kinds);
  crowded := array(
    select j.kind || ' ' || j.user_id from private.jobs j
    where j.kind = any (kinds) and j.claim is not null and j.claimed_until > now() and j.user_id is not null
    group by j.kind, j.user_id having count(*) >= 3
  );
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

-- Each call of private.erase_expired is one step. pg_cron made one step a night, so on a hosted project with several accounts that
-- nobody uses, what has expired stayed longer than it should.
do $$
begin
  if exists (select from pg_catalog.pg_extension e where e.extname = 'pg_cron') then
    perform cron.schedule('solo-erase-expired', '17 3 * * *',
      'do $steps$ begin while private.erase_expired() > 0 loop null; end loop; end $steps$');
  end if;
end
$$;

-- What these functions do, where their comments told something else.
comment on function private.is_restoring is
  'True while rows get values that they had before or elsewhere (undo, trash, backup, import, sample data, change of the currency): triggers that derive values then leave them alone.';
comment on function private.clean_texts is
  'Writes the trigger that trims the texts of a table, from its columns. Columns with a default are left as they are: choices, and texts in which spaces count, such as the body of a template.';
comment on function private.waits_for_answer is
  'The contact who has written this mail and waits for an answer; no row where nobody does. Of the last thirty days, the last of its conversation, and no call, meeting or e-mail logged since.';
comment on function public.search_everything is
  'The best hits among contacts, companies, deals, tasks, files and mails, at most 20: called so, beginning so, holding it, and, where there are hardly any, nearly holding it. Without words, what was last worked on.';
comment on function private.next_due_date is
  'When a repeating task is due next, at the same hour of the user''s clock: so many days after it was completed, or else the first time after now and after it was due.';
comment on function private.known_contacts is
  'The contacts that a line may mean, likeliest first: by address, by number, by name, or, unless that is all the line says, by one of their names. An address decides alone; otherwise nobody of whom something else is known than the line says.';
comment on function private.first_stage is
  'Where a deal begins if nobody chose a stage: the first open stage of the oldest pipeline.';
comment on function private.imported_phone is
  'The first phone number of a contact after a row of an import: that of the row, unless the contact has it already, or has twenty.';
comment on function private.company_last_contact is
  'When somebody of a company was last called, met or written to, or wrote, on its contacts and deals too.';
comment on function private.clear_way is
  'Removes what a new account was given and nobody has touched, where the backup brings its own: the pipeline, and, if nobody has done anything in the account yet, the preferences.';
