-- Who may see and change what: everyone their own rows, nobody anything else.

-- Triggers run with the rights of whoever writes, and so do the helpers they call.
grant usage on schema private to authenticated, service_role;
revoke all on all functions in schema private from public, anon;
grant execute on all functions in schema private to authenticated, service_role;
revoke execute on function
  private.erase_expired(), private.log_table(regclass)
  from authenticated;

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
revoke execute on function private.open_to_owner(regclass, text[]) from public, authenticated;

select
  private.open_to_owner('public.companies', '{name,website,industry,location}'),
  private.open_to_owner('public.contacts',
    '{first_name,last_name,email,phone_number,role_title,company_id,lead_status,notes,lead_score}'),
  private.open_to_owner('public.pipelines', '{name}'),
  private.open_to_owner('public.pipeline_stages', '{pipeline_id,name,order,win_probability}'),
  private.open_to_owner('public.deals',
    '{name,value,expected_close_date,pipeline_id,stage_id,company_id,contact_id,order,lost_reason}'),
  private.open_to_owner('public.tasks',
    '{title,description,priority,due_date,completed,deal_id,contact_id,company_id}'),
  private.open_to_owner('public.notes', '{kind,body,outcome,happened_at,contact_id,company_id,deal_id}'),
  private.open_to_owner('public.collections', '{name}'),
  private.open_to_owner('public.collection_members', '{collection_id,contact_id}'),
  private.open_to_owner('public.saved_views', '{screen,name,query}'),
  private.open_to_owner('public.email_templates', '{name,subject,body}'),
  private.open_to_owner('public.preferences', '{display_name,time_zone,theme,week_starts_on}');

revoke all on public.changes from public, anon, authenticated;
grant all on public.changes to service_role;
grant select on public.changes to authenticated;
create policy "Owners read their changes" on public.changes
  for select to authenticated using (user_id = (select auth.uid()));

-- Numbers are drawn by the database alone. Hosted Supabase opens sequences too, now and later.
revoke all on all sequences in schema public from public, anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
