-- Who may see and change what: all users their own rows, and nothing else.

-- The caller --------------------------------------------------------------------------------------------------

create function private.caller() returns uuid
language plpgsql stable
set search_path = ''
as $$
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  return auth.uid();
end
$$;
comment on function private.caller is 'Who asks; whoever has no session is refused.';

-- The database checks the session, so that the server can send this check and the request in one round trip: if the check
-- fails, the request is not executed.
create function private.admit(session_id text, account text) returns void
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := nullif(account, '')::uuid;
begin
  if not exists (select from auth.sessions s where s.id = nullif(session_id, '')::uuid and s.user_id = me) then
    raise sqlstate 'PGRST' using
      message = '{"code": "PGRST301", "message": "Your session has ended. Please sign in again.", "details": null, "hint": null}',
      detail = '{"status": 401, "headers": {}}';
  end if;
  perform private.refuse_unfinished(me);
end
$$;
comment on function private.admit is
  'Refuses a token whose session has ended, which the token itself does not know, and an account whose long work is done half.';

-- Rows of their owner -----------------------------------------------------------------------------------------

create function private.open_to_owner(target regclass, writable text[]) returns void
language plpgsql
set search_path = ''
as $$
declare
  things text := replace(split_part(target::text, '.', -1), '_', ' ');
  columns text := (select string_agg(quote_ident(name), ', ') from unnest(writable) as name);
  identity text := (
    select string_agg(quote_ident(a.attname), ', ') from pg_catalog.pg_attribute a
    where a.attrelid = target and a.attname in ('id', 'user_id')
  );
begin
  execute format('revoke all on %s from public, anon, authenticated', target);
  execute format('grant all on %s to service_role', target);
  execute format('grant select, delete, insert (%2$s, %3$s), update (%3$s) on %1$s to authenticated', target, identity, columns);

  execute format('create policy %I on %s for select to authenticated using (user_id = (select auth.uid()))',
    'Owners see their ' || things, target);
  execute format('create policy %I on %s for insert to authenticated with check (user_id = (select auth.uid()))',
    'Owners add ' || things || ' of their own', target);
  execute format('create policy %I on %s for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()))',
    'Owners change their ' || things, target);
  execute format('create policy %I on %s for delete to authenticated using (user_id = (select auth.uid()))',
    'Owners delete their ' || things, target);

  execute format('create trigger keep_identity before update on %s
    for each row execute function private.keep_identity()', target);
end
$$;
comment on function private.open_to_owner is
  'The one rule of access, for one table: owners see, add, change and delete their rows; of the columns they write only the named ones, besides id and user_id of a new row. Everything else is the database''s own.';

select
  private.open_to_owner('public.companies', '{name,website,industry,location,custom,tags,emails,phones,addresses}'),
  private.open_to_owner('public.contacts',
    '{first_name,middle_name,last_name,nickname,email,emails,phone_number,phones,links,addresses,birthday,birthday_reminder,role_title,company_id,lead_status,notes,lead_score,custom,tags}'),
  private.open_to_owner('public.pipelines', '{name}'),
  private.open_to_owner('public.pipeline_stages', '{pipeline_id,name,order,win_probability}'),
  private.open_to_owner('public.deals',
    '{name,value,currency,expected_close_date,pipeline_id,stage_id,company_id,contact_id,order,lost_reason,custom,tags}'),
  private.open_to_owner('public.tasks',
    '{title,description,priority,due_date,due_all_day,completed,deal_id,contact_id,company_id,repeat,repeat_days,repeat_every,repeat_start}'),
  private.open_to_owner('public.notes', '{kind,body,outcome,happened_at,minutes,contact_id,company_id,deal_id}'),
  private.open_to_owner('public.collections', '{name}'),
  private.open_to_owner('public.collection_members', '{collection_id,contact_id}'),
  private.open_to_owner('public.saved_views', '{screen,name,query}'),
  private.open_to_owner('public.email_templates', '{name,subject,body}'),
  -- The currency is missing: public.change_currency sets it, because the deals and the log have to follow.
  private.open_to_owner('public.preferences',
    '{display_name,time_zone,theme,week_starts_on,rates,number_format,date_format,clock,lost_reasons,monthly_goal,pinned,opened,screens}');
-- The owner can correct the rate of a closed deal. In an open one private.tidy_rate overwrites whatever is written.
grant update (rate) on public.deals to authenticated;

create function private.add_field(target regclass, field text) returns void
language plpgsql
set search_path = ''
as $$
begin
  execute format('grant insert (%1$I), update (%1$I) on %2$s to authenticated', field, target);
  perform private.clean_texts(target), private.write_fields_of(target);
end
$$;
comment on function private.add_field is
  'Called for each column that a later file adds to contacts, companies, deals or tasks: from then on its owner may write it, lists show it, and imports and merges know it.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.caller(), private.admit(text, text), private.open_to_owner(regclass, text[]),
  private.add_field(regclass, text)
  from public, anon, authenticated;
grant execute on function
  private.caller()
  to authenticated, service_role;
