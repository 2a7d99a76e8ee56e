-- Forms: what people fill in on a page of ours, or on the user's own site, becomes contacts. See docs/decisions/057-leads.md.

-- The form ----------------------------------------------------------------------------------------------------

create function private.form_address(account uuid, id uuid) returns text
language sql immutable
set search_path = ''
as $$ select left(private.hash_of(account::text || ' ' || id::text), 32) $$;
comment on function private.form_address is
  'The public address of a form. It follows from the account too: whoever learns the address of a form that was deleted cannot make one at it, and a backup brings the account''s own back.';

create function private.are_form_fields(fields jsonb) returns boolean
language sql immutable
set search_path = ''
as $$
  select case when jsonb_typeof(fields) <> 'array' or jsonb_array_length(fields) not between 1 and 30 then false else (
    select count(*) = count(distinct f ->> 'name') and coalesce(bool_and(
      jsonb_typeof(f) = 'object' and f - '{name,label,is_required}'::text[] = '{}'
      and coalesce(f ->> 'name', '') ~ '^([a-z_]{1,40}|custom\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$'
      and coalesce(jsonb_typeof(f -> 'label'), '') = 'string' and char_length(btrim(f ->> 'label')) between 1 and 100
      and coalesce(jsonb_typeof(f -> 'is_required'), '') = 'boolean'
    ), false)
    from jsonb_array_elements(fields) f
  ) end
$$;
comment on function private.are_form_fields is
  'Whether these are the fields of a form: up to 30, each once, with a label and whether it must be filled in.';

create table public.forms (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  slug text generated always as (private.form_address(user_id, id)) stored unique,
  name text not null,
  title text,
  intro text,
  fields jsonb not null default '[{"name": "email", "label": "Email", "is_required": true}]',
  thanks text,
  redirect_url text,
  collection_id uuid,
  tag text,
  pipeline_id uuid,
  task_title text,
  task_days smallint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint forms_collection_id_fkey foreign key (user_id, collection_id) references public.collections (user_id, id)
    on delete set null (collection_id) deferrable initially immediate,
  constraint forms_pipeline_id_fkey foreign key (user_id, pipeline_id) references public.pipelines (user_id, id)
    on delete set null (pipeline_id) deferrable initially immediate,
  constraint forms_name_length check (char_length(name) between 1 and 100),
  constraint forms_title_length check (char_length(title) <= 200),
  constraint forms_intro_length check (char_length(intro) <= 2000),
  constraint forms_fields_known check (private.are_form_fields(fields)),
  constraint forms_thanks_length check (char_length(thanks) <= 2000),
  constraint forms_redirect_url_form check (char_length(redirect_url) <= 2000 and redirect_url ~* '^https?://[^\s/?#@]+([/?#]\S*)?$'),
  constraint forms_tag_length check (char_length(tag) <= 50),
  constraint forms_task_title_length check (char_length(task_title) <= 200),
  constraint forms_task_days_sensible check (task_days between 0 and 365)
);
alter table public.forms enable row level security;
comment on table public.forms is 'Forms that strangers fill in, and what a submission makes besides the contact.';
comment on column public.forms.fields is
  'In their order: the name of a column of contacts, "company", "message", or "custom." and the id of a field of the user''s own.';
comment on column public.forms.pipeline_id is 'In whose first stage a submission makes a deal; without one it makes none.';
comment on column public.forms.task_days is 'In how many days the task of a submission is due.';

create index forms_by_collection on public.forms (user_id, collection_id);
create index forms_by_pipeline on public.forms (user_id, pipeline_id);

create table public.form_submissions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  form_id uuid not null,
  status text not null default 'waiting',
  doubts text[] not null default '{}',
  who text,
  lead jsonb not null default '{}',
  key text,
  note_id uuid,
  seen_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint form_submissions_form_id_fkey foreign key (user_id, form_id) references public.forms (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint form_submissions_note_id_fkey foreign key (user_id, note_id) references public.notes (user_id, id)
    on delete set null (note_id) deferrable initially immediate,
  constraint form_submissions_status_known check (status in ('waiting', 'accepted')),
  constraint form_submissions_who_length check (char_length(who) <= 300),
  constraint form_submissions_lead_size check (jsonb_typeof(lead) = 'object' and octet_length(lead::text) <= 200000),
  constraint form_submissions_doubts_known check (doubts <@ '{trap,fast,stamp,links}')
);
alter table public.form_submissions enable row level security;
comment on table public.form_submissions is
  'What came in by forms. What looks like spam waits in quarantine until the user accepts or deletes it.';
comment on column public.form_submissions.doubts is
  'Why it looks like spam: the hidden field was filled in (trap), it came sooner than a person types (fast), its time stamp is not ours (stamp), it is full of links (links).';
comment on column public.form_submissions.lead is 'What was sent, while it waits. Afterwards the contact and its note have it.';
comment on column public.form_submissions.key is 'Tells whether the same is sent once more.';
comment on column public.form_submissions.note_id is 'The note on the timeline that has what was sent, by which the contact is found.';

create index form_submissions_by_form on public.form_submissions (user_id, form_id, status, created_at desc);
create index form_submissions_by_note on public.form_submissions (user_id, note_id);
create index form_submissions_new on public.form_submissions (user_id, created_at desc) where seen_at is null;

select
  private.clean_texts('public.forms'),
  private.open_to_owner('public.forms',
    '{name,title,intro,fields,thanks,redirect_url,collection_id,tag,pipeline_id,task_title,task_days}'),
  private.log_table('public.forms'),
  private.clean_texts('public.form_submissions'),
  private.open_to_owner('public.form_submissions', '{form_id,status,doubts,who,lead,key,note_id,seen_at}'),
  private.log_table('public.form_submissions');

-- A submission that goes into quarantine is no action of the user's and is not logged, so this trigger announces it. The newest ones
-- are part of the mark of private.newest_change, which reads the index.
create trigger announce_insert after insert on public.form_submissions
  referencing new table as new_rows for each statement execute function private.announce_rows('{"status": "waiting"}');
create index form_submissions_waiting on public.form_submissions (user_id, created_at desc, id) where status = 'waiting';

-- Backups -----------------------------------------------------------------------------------------------------

create function private.place_forms(me uuid, restore uuid) returns void
language plpgsql
set search_path = ''
as $$
begin
  delete from private.restore_rows s
  where s.restore_id = restore and s.kind = 'form_submissions' and s.is_new and s.reported ->> 'form_id' is null;
  -- Fields of the user's own may have other ids here.
  update private.restore_rows s set reported = s.reported || jsonb_build_object('fields', (
    select jsonb_agg(case when m.new_id is null then f.reported
      else f.reported || jsonb_build_object('name', 'custom.' || m.new_id) end order by f.place)
    from jsonb_array_elements(s.reported -> 'fields') with ordinality as f (reported, place)
    left join private.restore_rows m on m.restore_id = restore and m.kind = 'fields' and 'custom.' || m.old_id = f.reported ->> 'name'
  ))
  where s.restore_id = restore and s.kind = 'forms' and s.is_new and s.reported ->> 'fields' like '%custom.%'
    and jsonb_typeof(s.reported -> 'fields') = 'array';
  update private.restore_rows s set reported = jsonb_set(s.reported, '{lead,contact,custom}',
    private.with_new_fields(restore, s.reported #> '{lead,contact,custom}'))
  where s.restore_id = restore and s.kind = 'form_submissions' and s.is_new
    and jsonb_typeof(s.reported #> '{lead,contact,custom}') = 'object';
end
$$;
comment on function private.place_forms is
  'Fields of the user''s own in the forms of a backup, by the ids that they have here. A submission without its form has no place.';

-- What a submission makes -------------------------------------------------------------------------------------

create function private.contact_of_lead(form public.forms, lead jsonb) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  -- Only what the form asks for, whoever calls.
  asked text[] := array(select f ->> 'name' from jsonb_array_elements(form.fields) f);
  reported jsonb := coalesce((
    select jsonb_object_agg(v.key, v.value) from jsonb_each(coalesce(lead -> 'contact', '{}') - 'custom') v
    where v.key = any (asked) and v.value <> 'null'
      and v.key in ('first_name', 'last_name', 'middle_name', 'nickname', 'email', 'phone_number', 'role_title', 'birthday', 'notes')
  ), '{}');
  custom jsonb := coalesce((
    select jsonb_object_agg(v.key, v.value) from jsonb_each(coalesce(lead #> '{contact,custom}', '{}')) v
    join public.fields f on f.user_id = me and f.record = 'contacts' and f.id::text = v.key
    where 'custom.' || v.key = any (asked)
  ), '{}');
  company text := case when 'company' = any (asked) then private.blank_to_null(lead ->> 'company') end;
  company_id uuid;
  person public.contacts;
begin
  if reported ? 'email' then
    select c.* into person from private.similar_ids('contacts', jsonb_build_object('emails', reported ->> 'email')) s
    join public.contacts c on c.id = s.id where s.reason = 'email' order by c.created_at, c.id limit 1;
  end if;
  if company is not null and person.company_id is null then
    select k.id into company_id from public.companies k
    where k.user_id = me and lower(k.name) = lower(company) order by k.created_at, k.id limit 1;
    reported := reported || jsonb_build_object('company_id',
      coalesce(company_id::text, private.save_record('companies', jsonb_build_object('name', left(company, 200))) ->> 'id'));
  end if;
  if person.id is not null then
    -- What is known stays as it is; what is empty is filled.
    reported := coalesce((
      select jsonb_object_agg(v.key, v.value) from jsonb_each(reported) v where to_jsonb(person) ->> v.key is null
    ), '{}');
    custom := custom - array(select jsonb_object_keys(person.custom));
  end if;
  if custom <> '{}' then
    reported := reported || jsonb_build_object('custom', custom);
  end if;
  if form.tag is not null and lower(form.tag) <> all (private.lower_tags(coalesce(person.tags, '{}'))) then
    reported := reported || jsonb_build_object('tags', private.united_tags(coalesce(person.tags, '{}'), array[form.tag]));
  end if;
  if person.id is null then
    return (private.save_record('contacts', reported) ->> 'id')::uuid;
  elsif reported <> '{}' then
    perform private.save_record('contacts', reported, person.id);
  end if;
  return person.id;
end
$$;
comment on function private.contact_of_lead is
  'The contact with the address that was sent, with what it lacked filled in, or a new one. Nothing that is known is overwritten.';

create function private.take_lead(form public.forms, lead jsonb) returns uuid
language plpgsql
set search_path = ''
as $$
declare
  me uuid := private.caller();
  zone text := private.own_time_zone();
  contact uuid;
  company uuid;
  called text;
  deal uuid;
  note uuid;
begin
  -- One after the other, or two submissions with one address would make two contacts.
  perform pg_advisory_xact_lock(hashtextextended('lead ' || me, 0));
  contact := private.contact_of_lead(form, lead);
  select c.company_id, coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email, c.phone_number, 'Unnamed')
  into company, called from public.contacts c where c.id = contact;
  if form.collection_id is not null then
    insert into public.collection_members (collection_id, contact_id)
    select form.collection_id, contact
    where not exists (
      select from public.collection_members m where m.collection_id = form.collection_id and m.contact_id = contact
    );
  end if;
  if form.pipeline_id is not null then
    deal := (private.save_record('deals', jsonb_build_object(
      'name', left(called || ' · ' || form.name, 200), 'pipeline_id', form.pipeline_id, 'contact_id', contact, 'company_id', company,
      'stage_id', (
        select s.id from public.pipeline_stages s where s.user_id = me and s.pipeline_id = form.pipeline_id order by s."order", s.id limit 1
      ))) ->> 'id')::uuid;
  end if;
  if form.task_title is not null then
    perform private.save_record('tasks', jsonb_build_object(
      'title', form.task_title, 'due_all_day', true, 'contact_id', contact, 'company_id', company, 'deal_id', deal,
      'due_date', private.day_end(
        ((now() at time zone zone)::date + coalesce(form.task_days, 0)::integer + time '12:00') at time zone zone, zone, false)));
  end if;
  insert into public.notes (kind, body, contact_id)
  values ('note', left(coalesce((
    select string_agg((l.reported ->> 'label') || ': ' || (l.reported ->> 'text'), E'\n' order by l.place)
    from jsonb_array_elements(lead -> 'lines') with ordinality as l (reported, place)
  ), 'Form ' || form.name), 50000), contact)
  returning id into note;
  insert into private.token_batches (batch, token_name, is_form)
  select b.batch, 'Form ' || form.name, true from (select private.written_batch() as batch) b
  on conflict (user_id, batch) do nothing;
  return note;
end
$$;
comment on function private.take_lead is
  'Writes what a form was sent: the contact, what the form makes besides, and the note that has all of it. One batch, in the name of the form.';

create function private.form_at(address text) returns public.forms
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  form public.forms;
begin
  select f.* into form from public.forms f where f.slug = address;
  perform private.refuse_unfinished(form.user_id);
  return form;
end
$$;
comment on function private.form_at is
  'The form at a public address, unless its account''s long work is done half. A definer because whoever fills it in has no session; only the server calls it.';

create function public.shown_form(address text) returns jsonb
language sql stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'id', f.id, 'account', f.user_id, 'email', (select u.email from auth.users u where u.id = f.user_id),
    'name', f.name, 'title', f.title, 'intro', f.intro, 'fields', f.fields, 'thanks', f.thanks, 'redirect_url', f.redirect_url,
    'own', (
      select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'record', o.record, 'name', o.name, 'kind', o.kind,
        'options', o.options, 'position', o.position, 'is_hidden', o.is_hidden)), '[]')
      from public.fields o
      where o.user_id = f.user_id and o.record = 'contacts'
        and 'custom.' || o.id in (select x ->> 'name' from jsonb_array_elements(f.fields) x)
    )
  )
  from public.forms f where f.slug = address
$$;
comment on function public.shown_form is
  'What the server must know to show a form and to read what is sent, and whom it tells; null where there is none. A definer as private.form_at.';

create function public.submit_form(address text, lead jsonb, doubts text[] default '{}') returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  form public.forms := private.form_at(address);
  same text := md5(submit_form.lead::text);
  sender text := left(submit_form.lead ->> 'who', 300);
  note uuid;
begin
  if form.id is null then
    return null;
  end if;
  perform
    set_config('request.jwt.claim.sub', form.user_id::text, true),
    set_config('request.jwt.claim.role', 'authenticated', true),
    set_config('request.jwt.claims', jsonb_build_object('sub', form.user_id, 'role', 'authenticated')::text, true),
    set_config('role', 'authenticated', true);
  -- A button that is pressed twice.
  perform pg_advisory_xact_lock(hashtextextended('submission ' || form.id || same, 0));
  if exists (
    select from public.form_submissions s
    where s.user_id = form.user_id and s.form_id = form.id and s.key = same and s.created_at > now() - interval '10 minutes'
  ) then
    return '{"status": "repeated"}';
  end if;
  if submit_form.doubts = '{}' then
    note := private.take_lead(form, submit_form.lead);
    insert into public.form_submissions (form_id, status, who, key, note_id)
    values (form.id, 'accepted', sender, same, note);
    return '{"status": "accepted"}';
  end if;
  if (select count(*) >= 1000 from public.form_submissions s where s.user_id = form.user_id and s.status = 'waiting') then
    raise exception 'This form takes no more messages right now. Nothing was sent; please try again later.' using errcode = 'PT429';
  end if;
  perform set_config('solo.silent', 'on', true);
  insert into public.form_submissions (form_id, status, doubts, who, key, lead)
  values (form.id, 'waiting', submit_form.doubts, sender, same, submit_form.lead);
  perform set_config('solo.silent', 'off', true);
  return '{"status": "waiting"}';
end
$$;
comment on function public.submit_form is
  'Takes what was sent to a form, as its owner and under their policies; null where there is no such form. With a doubt it waits in quarantine, of which there are at most 1,000. Only the server calls it: it has checked the values and counted the doubts.';

-- What the user sees and does ---------------------------------------------------------------------------------

create function public.form_counts() returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(c.form_id, jsonb_build_object('accepted', c.accepted, 'waiting', c.waiting)), '{}')
  from (
    select s.form_id, count(*) filter (where s.status = 'accepted') as accepted, count(*) filter (where s.status = 'waiting') as waiting
    from public.form_submissions s where s.user_id = private.caller() group by s.form_id
  ) c
$$;
comment on function public.form_counts is 'How many submissions each form has had, and how many wait in quarantine.';

create function public.new_leads() returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'leads', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'who', s.who, 'at', s.created_at, 'form', s.name,
        'contact_id', s.contact_id) order by s.created_at desc, s.id), '[]')
      from (
        select s.id, s.who, s.created_at, f.name, n.contact_id
        from public.form_submissions s
        join public.forms f on f.user_id = s.user_id and f.id = s.form_id
        left join public.notes n on n.user_id = s.user_id and n.id = s.note_id
        where s.user_id = private.caller() and s.status = 'accepted' and s.seen_at is null
        order by s.created_at desc, s.id limit 20
      ) s
    ),
    'waiting', (
      select count(*) from public.form_submissions s where s.user_id = private.caller() and s.status = 'waiting'
    )
  )
$$;
comment on function public.new_leads is 'The newest twenty submissions that the user has not seen, and how many wait in quarantine.';

create function public.see_leads(ids uuid[] default null) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Looking at something is no change of it.
  perform set_config('solo.silent', 'on', true);
  update public.form_submissions s set seen_at = now()
  where s.user_id = private.caller() and s.status = 'accepted' and s.seen_at is null and (ids is null or s.id = any (ids));
  perform set_config('solo.silent', 'off', true);
end
$$;
comment on function public.see_leads is 'The user has seen these submissions, or all.';

create function public.accept_submission(id uuid) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  sent public.form_submissions;
  form public.forms;
  note uuid;
begin
  select s.* into sent from public.form_submissions s
  where s.user_id = private.caller() and s.id = accept_submission.id and s.status = 'waiting' for update;
  if sent.id is null then
    raise exception 'This submission is no longer in quarantine. Nothing was changed.' using errcode = 'PT404';
  end if;
  select f.* into form from public.forms f where f.id = sent.form_id;
  note := private.take_lead(form, sent.lead);
  update public.form_submissions s
  set status = 'accepted', lead = '{}', doubts = '{}', note_id = note, seen_at = now() where s.id = sent.id;
  return jsonb_build_object('batch', private.written_batch(),
    'contact_id', (select n.contact_id from public.notes n where n.id = note));
end
$$;
comment on function public.accept_submission is 'Takes a submission out of quarantine: it does what it would have done when it came. Undo puts it back.';

create function public.delete_submissions(ids uuid[]) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  gone bigint;
begin
  delete from public.form_submissions s
  where s.user_id = private.caller() and s.status = 'waiting' and s.id = any (ids);
  get diagnostics gone = row_count;
  return private.bulk_answer(gone);
end
$$;
comment on function public.delete_submissions is 'Deletes submissions that wait in quarantine.';

-- The feed of cards -------------------------------------------------------------------------------------------

-- One private address per account, under which an address book reads the contacts. It works like the calendar feed.

create table public.card_feeds (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- In plain text, as the token of public.calendar_feeds, and for the same reason.
  token text not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint card_feeds_token_form check (token ~ '^[0-9a-f]{64}$')
);
alter table public.card_feeds enable row level security;
comment on table public.card_feeds is
  'The secret part of the address of an account''s contacts as cards. Written by create_card_feed and revoke_card_feed alone, and never logged in changes.';
revoke all on public.card_feeds from public, anon, authenticated;
grant all on public.card_feeds to service_role;
grant select on public.card_feeds to authenticated;
create policy "Owners see their card feeds" on public.card_feeds
  for select to authenticated using (user_id = (select auth.uid()));
create trigger announce after insert or update or delete on public.card_feeds
  for each row execute function private.announce_unlogged();

create function public.create_card_feed(replacing text default null) returns public.card_feeds
language plpgsql
security definer
set search_path = ''
as $$
declare
  fresh text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  feed public.card_feeds;
begin
  insert into public.card_feeds as f (user_id, token) values (private.caller(), fresh)
  on conflict (user_id) do update set
    token = case when f.token = replacing then excluded.token else f.token end,
    updated_at = case when f.token = replacing then now() else f.updated_at end
  returning * into feed;
  return feed;
end
$$;
comment on function public.create_card_feed is
  'The address of the account''s cards, made if there is none. A new one takes the place of the one named, as in create_calendar_feed. A definer because nobody else writes the table.';

create function public.revoke_card_feed() returns void
language sql
security definer
set search_path = ''
as $$ delete from public.card_feeds f where f.user_id = private.caller() $$;
comment on function public.revoke_card_feed is 'The address of the account''s cards stops working, for good. A definer as create_card_feed.';

create function public.card_page(token text, after uuid default null) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  account uuid := (select f.user_id from public.card_feeds f where f.token = card_page.token);
begin
  if account is null then
    return null;
  end if;
  -- A half-written import, for instance, must not show in an address book.
  perform private.refuse_unfinished(account);
  return (
    select jsonb_build_object(
      'mark', private.newest_change(account),
      'rows', coalesce(jsonb_agg(jsonb_build_object(
        'first_name', c.first_name, 'last_name', c.last_name, 'middle_name', c.middle_name, 'nickname', c.nickname,
        'email', c.email, 'phone_number', c.phone_number, 'role_title', c.role_title, 'birthday', c.birthday,
        'company_name', k.name, 'notes', c.notes, 'emails', c.emails, 'phones', c.phones, 'links', c.links,
        'addresses', c.addresses) order by c.id), '[]'),
      'next', case when count(*) = 500 then max(c.id::text) end)
    from (
      select * from public.contacts c
      where c.user_id = account and (card_page.after is null or c.id > card_page.after)
      order by c.id limit 500
    ) c
    left join public.companies k on k.user_id = account and k.id = c.company_id
  );
end
$$;
comment on function public.card_page is
  'A page of the contacts of a feed, for their cards; "mark" is another one as soon as anything has changed. Null for a token that is not, or no longer, known. A definer because the server asks for whoever holds the token: there is no session.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.form_address(uuid, uuid), private.are_form_fields(jsonb), private.place_forms(uuid, uuid),
  private.contact_of_lead(public.forms, jsonb), private.take_lead(public.forms, jsonb), private.form_at(text),
  public.shown_form(text), public.submit_form(text, jsonb, text[]), public.form_counts(), public.new_leads(),
  public.see_leads(uuid[]), public.accept_submission(uuid), public.delete_submissions(uuid[]),
  public.create_card_feed(text), public.revoke_card_feed(), public.card_page(text, uuid)
  from public, anon, authenticated;
grant execute on function
  private.form_address(uuid, uuid), private.are_form_fields(jsonb), private.contact_of_lead(public.forms, jsonb),
  private.take_lead(public.forms, jsonb), public.form_counts(), public.new_leads(), public.see_leads(uuid[]),
  public.accept_submission(uuid), public.delete_submissions(uuid[]), public.create_card_feed(text),
  public.revoke_card_feed()
  to authenticated, service_role;
grant execute on function
  private.form_at(text), public.shown_form(text), public.submit_form(text, jsonb, text[]), public.card_page(text, uuid)
  to service_role;
