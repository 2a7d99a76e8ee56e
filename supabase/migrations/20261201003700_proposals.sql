-- Proposals: what a token with the scope "propose" wants to write. It is tried out and taken back, and waits with what it
-- would have changed until its owner approves or declines it. See docs/decisions/053-access-tokens.md.

create table private.proposals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  token_name text not null,
  name text not null,
  args jsonb not null,
  card jsonb not null,
  changes jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table private.proposals enable row level security;
comment on table private.proposals is
  'Calls of tokens that wait for their owner, for fourteen days. Not in backups, and gone with the account.';
comment on column private.proposals.card is 'What the call would do, as the history would tell it.';
comment on column private.proposals.changes is 'Each row that it would add or change: old and new values.';

select private.open_to_owner('private.proposals', '{token_name,name,args,card,changes}');

create trigger announce_insert after insert on private.proposals
  referencing new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_update after update on private.proposals
  referencing old table as old_rows new table as new_rows for each statement execute function private.announce_rows();
create trigger announce_delete after delete on private.proposals
  referencing old table as old_rows for each statement execute function private.announce_rows();

create index proposals_by_owner on private.proposals (user_id, created_at);

create function private.is_waiting(proposal private.proposals) returns boolean
language sql stable
set search_path = ''
as $$ select proposal.created_at > now() - interval '14 days' $$;

-- Trying out --------------------------------------------------------------------------------------------------

create function private.own_batch_summary(wanted uuid) returns jsonb
language sql stable
security definer
set search_path = ''
as $$ select private.batch_card(private.caller(), wanted) $$;
comment on function private.own_batch_summary is
  'What a batch of the caller did, as the history tells it. A definer because nobody else reads private.actions.';

create function private.rows_of_batch(wanted uuid) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  change record;
  new_row jsonb;
  rows jsonb := '[]';
begin
  for change in
    select c.* from public.changes c
    where c.user_id = private.caller() and c.batch = wanted and (c.verb <> 'update' or coalesce(c.after - 'order' <> '{}', true))
    order by c.id limit 50
  loop
    new_row := change.after - private.unlogged_columns();
    if change.verb = 'insert' then
      execute format('select to_jsonb(t) - ''{id,user_id,search_text,created_at,updated_at}''::text[] - $2 from public.%I t where t.id = $1',
        change.table_name) into new_row using change.row_id, private.unlogged_columns();
      new_row := jsonb_strip_nulls(new_row);
    end if;
    rows := rows || jsonb_build_object(
      'table_name', change.table_name, 'row_id', case when change.verb <> 'insert' then change.row_id end, 'verb', change.verb,
      'label', change.label, 'before', case when change.verb = 'update' then change.before - private.unlogged_columns() end,
      'after', new_row, 'undoes', change.undoes,
      'contact_id', change.contact_id, 'company_id', change.company_id, 'deal_id', change.deal_id,
      'names', private.with_names(private.names_in(private.caller(), change.before, new_row), change.names));
  end loop;
  return rows;
end
$$;
comment on function private.rows_of_batch is 'The first fifty rows that a batch added, changed or deleted, with old and new values.';

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
    card := private.own_batch_summary(private.written_batch());
    changes := private.rows_of_batch(private.written_batch());
    raise exception 'taken back' using errcode = 'SOLO1';
  exception when sqlstate 'SOLO1' then
    -- All that was written is taken back; what it was is kept in the variables.
    null;
  end;
end
$$;
comment on function private.tried is 'What a call would do. It is done and taken back.';

create function private.propose(token_name text, name text, args jsonb) returns jsonb
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
  insert into private.proposals (token_name, name, args, card, changes)
  values (propose.token_name, propose.name, propose.args, outcome.card, outcome.changes)
  returning id into made;
  return jsonb_build_object('proposal', made, 'changes', outcome.changes,
    'message', 'Proposed, not done: it waits for the owner to approve it, for 14 days.');
end
$$;
comment on function private.propose is 'Keeps a call for its owner to decide, with what it would change.';

-- Deciding ----------------------------------------------------------------------------------------------------

create function public.proposals() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'by', p.token_name, 'at', p.created_at, 'expires_at', p.created_at + interval '14 days',
    'card', p.card, 'changes', p.changes
  ) order by p.created_at desc, p.id), '[]')
  from private.proposals p
  where p.user_id = private.caller() and private.is_waiting(p)
$$;
comment on function public.proposals is 'What waits for its owner, newest first.';

create function private.same_old_values(one jsonb, other jsonb) returns boolean
language sql immutable
set search_path = ''
as $$
  select one_told.rows is not distinct from other_told.rows
  from
    (select jsonb_agg(jsonb_build_array(r -> 'row_id', r -> 'verb', r -> 'before')) as rows from jsonb_array_elements(one) r) one_told,
    (select jsonb_agg(jsonb_build_array(r -> 'row_id', r -> 'verb', r -> 'before')) as rows from jsonb_array_elements(other) r) other_told
$$;

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
    if not private.same_old_values(proposal.changes, now_changes) then
      now_card := private.own_batch_summary(wrote);
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
  'Does what was proposed, as a batch in the name of its token; not where it would change other old values than those that were shown.';

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
  private.tried(text, jsonb), private.propose(text, text, jsonb), public.proposals(),
  private.same_old_values(jsonb, jsonb), private.approve(private.proposals), public.decide_proposals(uuid[], boolean),
  private.forget_proposals()
  from public, anon, authenticated;
grant execute on function
  private.is_waiting(private.proposals), private.own_batch_summary(uuid), private.rows_of_batch(uuid),
  private.tried(text, jsonb), private.propose(text, text, jsonb), public.proposals(),
  private.same_old_values(jsonb, jsonb), private.approve(private.proposals), public.decide_proposals(uuid[], boolean)
  to authenticated, service_role;
