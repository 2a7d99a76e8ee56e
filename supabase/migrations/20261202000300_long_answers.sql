-- A call with a token reads no more than 5 MB at once. The 200,000 characters of an answer of the interface are counted after it has
-- cut the texts, so they cannot be the limit here: a page of 25 records with notes of 20,000 characters each is half a
-- megabyte, and 40,000 characters when it is told.

create function private.longest_answer() returns integer
language sql immutable
set search_path = ''
as $$ select 5000000 $$;
comment on function private.longest_answer is 'The most bytes of an answer to a call with a token, as the database holds it.';
revoke all on function private.longest_answer() from public, anon, authenticated;
grant execute on function private.longest_answer() to authenticated, service_role;

create or replace function public.call_with_token(p_token text, p_name text, p_args jsonb default '{}') returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  token record := private.take_token(p_token);
  listed record;
  answer jsonb;
begin
  if token.refusal is not null then
    -- Answered, not raised: what the list of connections notes must stay.
    perform set_config('response.status', '401', true);
    return jsonb_build_object('code', token.code, 'message', token.refusal, 'details', null, 'hint', null);
  end if;
  perform
    set_config('request.jwt.claim.sub', token.account::text, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('request.jwt.claims', jsonb_build_object('sub', token.account, 'role', 'authenticated')::text, true),
    set_config('solo.token', jsonb_build_object('name', token.name, 'scope', token.scope)::text, true),
    set_config('role', 'authenticated', true);
  select f.* into listed from private.listed_functions() f where f.name = p_name;
  if token.scope = 'read' or not coalesce(listed.writes, false) then
    if listed.writes then
      raise exception 'This access token may only read. Nothing was saved.' using errcode = 'PT403';
    end if;
    -- A second wall: whatever the function does, nothing is written.
    perform set_config('transaction_read_only', 'on', true);
  end if;
  if listed.writes and token.scope = 'propose' then
    perform set_config('response.status', '202', true);
    return private.propose(token.id, token.name, p_name, p_args);
  end if;
  answer := private.call_listed(p_name, p_args);
  if listed.writes then
    perform private.note_batch(token.name);
  -- Of what was written the answer is as long as what was sent, and it must not be taken back for its length.
  elsif pg_column_size(answer) > private.longest_answer() then
    raise exception 'This answer is too long: at most 5 MB. Ask for less at once: a smaller page_size, or a filter.'
      using errcode = 'PT413';
  end if;
  return answer;
end
$$;
