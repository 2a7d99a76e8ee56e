-- Leads from the complete second history of the schema, 20261118000100 to 20261130006100 (second_history), to the files of
-- supabase/migrations up to 20261201004100, which describe the same schema with each thing defined once: decision 071.
--
-- The server runs it by itself, after what a database lacks of that history. In a Supabase project it is run by hand, once;
-- README.md says how.

comment on column public.companies.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.contacts.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.deals.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.tasks.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.files.search_text is 'What searches look through, folded. Its parts: private.search_parts.';
comment on column public.mails.search_text is 'What searches look through, folded. Its parts: private.search_parts.';

-- What a token proposed is withdrawn when it is revoked. Of what waits already nobody knows which token it was.
alter table private.proposals add column token_id uuid references private.access_tokens (id) on delete set null;
grant insert (token_id), update (token_id) on private.proposals to authenticated;
comment on column private.proposals.token_id is
  'The token that proposed it, whose end by Revoke withdraws it; null where an expired one was taken off the list since.';
create index proposals_by_token on private.proposals (token_id) where token_id is not null;
create function private.withdraw_proposals() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  delete from private.proposals p where p.token_id = new.id;
  return null;
end
$$;
revoke all on function private.withdraw_proposals() from public, anon, authenticated;
create trigger withdraw_proposals after update of revoked_at on private.access_tokens
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function private.withdraw_proposals();
