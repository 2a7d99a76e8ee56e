-- Proposals: calls by which a token with the scope "propose" would write. Each is tried out and rolled back, and waits with the
-- changes that it would make until the owner approves or declines it. See docs/decisions/053-access-tokens.md.

create table private.proposals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  token_name text not null,
  name text not null,
  args jsonb not null,
  card jsonb not null,
  changes jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  token_id uuid references private.access_tokens (id) on delete set null
);
alter table private.proposals enable row level security;
comment on table private.proposals is
  'Calls of tokens that wait for their owner, for fourteen days. Not in backups, and gone with the account.';
comment on column private.proposals.token_id is
  'The token that proposed it, whose end by Revoke withdraws it; null where an expired one was taken off the list since.';
comment on column private.proposals.card is 'What the call would do, as the history would tell it.';
comment on column private.proposals.changes is 'Each row that it would add or change: old and new values.';

select private.open_to_owner('private.proposals', '{token_id,token_name,name,args,card,changes}');

create trigger announce_insert after insert on private.proposals
  referencing new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_update after update on private.proposals
  referencing old table as old_rows new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_delete after delete on private.proposals
  referencing old table as old_rows for each statement execute function private.announce_rows();

create index proposals_by_owner on private.proposals (user_id, created_at);
create index proposals_by_token on private.proposals (token_id) where token_id is not null;

create function private.is_waiting(proposal private.proposals) returns boolean
language sql stable
set search_path = ''
as $$
  select proposal.created_at > now() - interval '14 days' and not exists (
    -- Proposed in the moment in which it was revoked.
    select from private.access_tokens t where t.id = proposal.token_id and t.revoked_at is not null
  )
$$;

create function private.withdraw_proposals() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  delete from private.proposals p where p.token_id = new.id;
  return null;
end
$$;
comment on function private.withdraw_proposals is
  'What a token proposed that was revoked is withdrawn: whoever stole it may have written it.';

create trigger withdraw_proposals after update of revoked_at on private.access_tokens
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function private.withdraw_proposals();

-- Trying out --------------------------------------------------------------------------------------------------

create function private.own_batch_summary(wanted uuid) returns jsonb
language sql stable
security definer
set search_path = ''
as $$ select private.batch_card(private.caller(), wanted) $$;
comment on function private.own_batch_summary is
  'What a batch of the caller did, as the history tells it. A definer because nobody else reads private.actions.';

create function private.is_this_moment(value jsonb) returns boolean
language sql volatile
set search_path = ''
as $$
  select case when jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$'
    then (value #>> '{}')::timestamptz between now() and clock_timestamp() else false end
$$;
comment on function private.is_this_moment is 'Whether a value is the time at which this transaction wrote it.';

create function private.rows_of_batch(wanted uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  change record;
  new_row jsonb;
  own uuid[];
  made text[] := '{}';
  rows jsonb := '[]';
  told text;
begin
  for change in
    select c.* from public.changes c
    where c.user_id = private.caller() and c.batch = wanted and (c.verb <> 'update' or coalesce(c.after - 'order' <> '{}', true))
    order by c.id limit 51
  loop
    if jsonb_array_length(rows) = 50 then
      raise exception 'This would change more than 50 records, too many to be shown. Nothing was proposed; propose it in parts.'
        using errcode = 'PT409';
    end if;
    new_row := change.after - private.unlogged_columns();
    own := null;
    if change.verb = 'insert' then
      made := made || change.row_id::text;
      execute format('select to_jsonb(t) - ''{id,user_id,search_text,created_at,updated_at}''::text[] - $2 from public.%I t where t.id = $1',
        change.table_name) into new_row using change.row_id, private.unlogged_columns();
      select array_agg(k::uuid) into own from jsonb_object_keys(new_row -> 'custom') k;
      new_row := jsonb_strip_nulls(new_row - 'custom' || coalesce(
        (select jsonb_object_agg('custom.' || e.key, e.value) from jsonb_each(new_row -> 'custom') e), '{}'));
    end if;
    -- What is written as of now would be written as of then.
    new_row := (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(new_row) e where not private.is_this_moment(e.value));
    rows := rows || jsonb_build_object(
      'table_name', change.table_name, 'row_id', case when change.verb <> 'insert' then change.row_id end, 'verb', change.verb,
      'label', change.label, 'before', case when change.verb = 'update' then change.before - private.unlogged_columns() end,
      'after', case when change.verb <> 'delete' then new_row end, 'undoes', change.undoes,
      'contact_id', change.contact_id, 'company_id', change.company_id, 'deal_id', change.deal_id,
      'names', private.with_names(private.names_in(private.caller(), change.before, new_row),
        coalesce(change.names, private.names_of_fields(private.caller(), own, null, new_row))));
  end loop;
  told := rows::text;
  -- A record that is added has another id each time.
  for place in 1 .. cardinality(made) loop
    told := replace(told, made[place], 'new ' || place);
  end loop;
  return told::jsonb;
end
$$;
comment on function private.rows_of_batch is
  'The rows that a batch added, changed or deleted, with old and new values: the same for the same call at another time, as long as it does the same.';

create function private.with_short_texts(told jsonb) returns jsonb
language plpgsql immutable
set search_path = ''
as $$
begin
  return case jsonb_typeof(told)
    when 'string' then case when length(told #>> '{}') > 250 then to_jsonb(left(told #>> '{}', 250) || '…') else told end
    when 'object' then (select coalesce(jsonb_object_agg(e.key, private.with_short_texts(e.value)), '{}') from jsonb_each(told) e)
    when 'array' then (
      select coalesce(jsonb_agg(private.with_short_texts(e.value) order by e.place), '[]')
      from jsonb_array_elements(told) with ordinality as e (value, place)
    )
    else told
  end;
end
$$;
comment on function private.with_short_texts is 'A card of the history with the beginnings of its texts, which is all that its sentence shows.';

create function private.tried(name text, args jsonb, out card jsonb, out changes jsonb)
language plpgsql
set search_path = ''
as $$
begin
  begin
    perform private.call_listed(tried.name, tried.args);
    -- What would be refused at the end is refused now.
    set constraints all immediate;
    if private.written_batch() is null then
      raise exception 'This would change nothing.' using errcode = 'PT409';
    end if;
    card := private.with_short_texts(private.own_batch_summary(private.written_batch()));
    changes := private.rows_of_batch(private.written_batch());
    raise exception 'taken back' using errcode = 'SOLO1';
  exception when sqlstate 'SOLO1' then
    -- All that was written is taken back; what it was is kept in the variables.
    null;
  end;
end
$$;
comment on function private.tried is 'What a call would do. It is done and taken back.';

create function private.propose(token_id uuid, token_name text, name text, args jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  outcome record;
  made uuid;
begin
  delete from private.proposals p where p.user_id = me and not private.is_waiting(p);
  if (select count(*) >= 200 from private.proposals p where p.user_id = me) then
    raise exception 'There are 200 proposals waiting already. Nothing was saved; they must be decided first.' using errcode = 'PT409';
  end if;
  outcome := private.tried(propose.name, propose.args);
  if octet_length(propose.args::text) + octet_length(outcome.changes::text) + coalesce((
    select sum(octet_length(p.args::text) + octet_length(p.changes::text)) from private.proposals p where p.user_id = me
  ), 0) > 10000000 then
    raise exception 'What waits already is 10 MB. Nothing was saved; those proposals must be decided first.' using errcode = 'PT409';
  end if;
  insert into private.proposals (token_id, token_name, name, args, card, changes)
  values (propose.token_id, propose.token_name, propose.name, propose.args, outcome.card, outcome.changes)
  returning id into made;
  return jsonb_build_object('proposal', made, 'changes', outcome.changes,
    'message', 'Proposed, not done: it waits for the owner to approve it, for 14 days.');
end
$$;
comment on function private.propose is 'Keeps a call for its owner to decide, with what it would change.';

-- Deciding ----------------------------------------------------------------------------------------------------

create function private.proposal_told(proposal private.proposals, is_cut boolean) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', proposal.id, 'by', proposal.token_name, 'at', proposal.created_at,
    'expires_at', proposal.created_at + interval '14 days', 'card', proposal.card, 'is_cut', is_cut,
    'changes', case when not is_cut then proposal.changes else (
      select jsonb_agg(r || '{"before": null, "after": null, "names": null}') from jsonb_array_elements(proposal.changes) r
    ) end)
$$;

create function public.proposals() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(
    private.proposal_told(p, octet_length(p.changes::text) > 4000) order by p.created_at desc, p.id), '[]')
  from private.proposals p
  where p.user_id = private.caller() and private.is_waiting(p)
$$;
comment on function public.proposals is
  'What waits for its owner, newest first. Long ones are without their values (is_cut), which public.proposal tells.';

create function public.proposal(id uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select private.proposal_told(p, false) from private.proposals p
  where p.user_id = private.caller() and p.id = proposal.id and private.is_waiting(p)
$$;
comment on function public.proposal is 'One that waits, with all its values; null where it no longer does.';

create function private.same_values(one jsonb, other jsonb) returns boolean
language sql immutable
set search_path = ''
as $$
  select one_told.rows is not distinct from other_told.rows
  from
    (select jsonb_agg(r - '{label,names,undoes,contact_id,company_id,deal_id}'::text[]) as rows from jsonb_array_elements(one) r) one_told,
    (select jsonb_agg(r - '{label,names,undoes,contact_id,company_id,deal_id}'::text[]) as rows from jsonb_array_elements(other) r) other_told
$$;
comment on function private.same_values is 'Whether two lists of rows_of_batch have the same old and new values.';

create function private.approve(proposal private.proposals) returns jsonb
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
    now_changes := coalesce(private.rows_of_batch(wrote), '[]');
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
comment on function private.approve is
  'Does what was proposed, as a batch in the name of its token; not where it would change other values, or to others, than those that were shown.';

create function public.decide_proposals(ids uuid[], approve boolean) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  proposal private.proposals;
  answers jsonb := '[]';
begin
  for proposal in
    select p.* from private.proposals p
    where p.user_id = me and p.id = any (ids) and private.is_waiting(p)
    order by p.created_at, p.id for update
  loop
    if approve then
      answers := answers || private.approve(proposal);
    else
      delete from private.proposals p where p.id = proposal.id;
      answers := answers || jsonb_build_object('id', proposal.id, 'status', 'declined');
    end if;
  end loop;
  return answers;
end
$$;
comment on function public.decide_proposals is
  'Approves or declines proposals, in the order in which they came, each by itself: one that fails stays, with the reason in the answer.';

create function private.forget_proposals() returns bigint
language sql
set search_path = ''
as $$
  with gone as (delete from private.proposals p where not private.is_waiting(p) returning 1)
  select count(*) from gone
$$;
comment on function private.forget_proposals is 'Erases proposals that have expired, of all accounts: for private.erase_expired.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.is_waiting(private.proposals), private.own_batch_summary(uuid), private.rows_of_batch(uuid),
  private.is_this_moment(jsonb), private.with_short_texts(jsonb), private.withdraw_proposals(),
  private.tried(text, jsonb), private.propose(uuid, text, text, jsonb),
  private.proposal_told(private.proposals, boolean), public.proposals(), public.proposal(uuid),
  private.same_values(jsonb, jsonb), private.approve(private.proposals), public.decide_proposals(uuid[], boolean),
  private.forget_proposals()
  from public, anon, authenticated;
grant execute on function
  private.is_waiting(private.proposals), private.own_batch_summary(uuid), private.rows_of_batch(uuid),
  private.is_this_moment(jsonb), private.with_short_texts(jsonb),
  private.tried(text, jsonb), private.propose(uuid, text, text, jsonb),
  private.proposal_told(private.proposals, boolean), public.proposals(), public.proposal(uuid),
  private.same_values(jsonb, jsonb), private.approve(private.proposals), public.decide_proposals(uuid[], boolean)
  to authenticated, service_role;
