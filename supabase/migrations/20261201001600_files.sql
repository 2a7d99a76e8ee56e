-- Files on contacts, companies, deals and notes. The content of a file is stored once per account, in parts, under its hash; the
-- row of a file has its name and the record it belongs to. See docs/decisions/060-files.md.

-- Limits ------------------------------------------------------------------------------------------------------

create table private.file_limits (
  is_only boolean primary key default true,
  file_bytes bigint not null default 25 * 1048576,
  account_bytes bigint not null default 2048::bigint * 1048576,
  constraint file_limits_is_only check (is_only),
  constraint file_limits_sensible check (file_bytes between 1 and 100 * 1048576 and account_bytes >= file_bytes)
);
alter table private.file_limits enable row level security;
comment on table private.file_limits is
  'How large one file and all files of an account may be. Our server writes its settings here at each start; on a hosted project change the row.';
revoke all on private.file_limits from public, anon, authenticated;
insert into private.file_limits default values;

-- Contents ----------------------------------------------------------------------------------------------------

create table private.file_contents (
  user_id uuid not null references auth.users (id) on delete cascade,
  sha256 text not null,
  size bigint not null,
  type text,
  touched_at timestamptz not null default now(),
  primary key (user_id, sha256),
  constraint file_contents_sha256_form check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint file_contents_size_sensible check (size > 0)
);
alter table private.file_contents enable row level security;
comment on table private.file_contents is 'What the files of an account hold, or will hold when it has arrived: of the same content one row.';
comment on column private.file_contents.type is 'What it is by its first bytes; null until all parts are there and the hash agrees.';
comment on column private.file_contents.touched_at is 'When it was last begun or asked for. What no file needs goes a day later.';

create table private.file_parts (
  user_id uuid not null,
  sha256 text not null,
  part integer not null,
  bytes bytea not null,
  primary key (user_id, sha256, part),
  foreign key (user_id, sha256) references private.file_contents (user_id, sha256) on delete cascade,
  constraint file_parts_size check (octet_length(bytes) between 1 and 1048576)
);
alter table private.file_parts enable row level security;
comment on table private.file_parts is 'The bytes, 1 MB a part. Not logged: they stay until no file and nothing in the trash needs them.';

-- Pictures and PDF files are compressed already: compressing them again would cost time and save nothing.
alter table private.file_parts alter column bytes set storage external;
revoke all on private.file_contents, private.file_parts from public, anon, authenticated;

create function private.part_count(size bigint) returns integer
language sql immutable
set search_path = ''
as $$ select ((size + 1048575) / 1048576)::integer $$;

create function private.type_of_content(head bytea) returns text
language sql immutable
set search_path = ''
as $$
  select case
    when substring(head from 1 for 8) = '\x89504e470d0a1a0a' then 'image/png'
    when substring(head from 1 for 3) = '\xffd8ff' then 'image/jpeg'
    when substring(head from 1 for 6) in ('\x474946383761', '\x474946383961') then 'image/gif'
    when substring(head from 1 for 4) = '\x52494646' and substring(head from 9 for 4) = '\x57454250' then 'image/webp'
    when substring(head from 5 for 8) = '\x6674797061766966' then 'image/avif'
    when substring(head from 1 for 5) = '\x255044462d' then 'application/pdf'
    else 'application/octet-stream'
  end
$$;
comment on function private.type_of_content is
  'What a file is by its first bytes, whatever its name says: the kinds that are shown. Everything else, SVG and HTML among it, is only downloaded.';

-- The file ----------------------------------------------------------------------------------------------------

create function private.clean_file_name(name text) returns text
language plpgsql immutable
set search_path = ''
as $$
declare
  -- Without the folders that some programs put before it.
  plain text := substring(coalesce(name, '') from '[^/\\]*$');
  ending text;
begin
  -- Control characters, and those that turn the direction or cannot be seen: what ends in ".exe" must not read ".pdf".
  plain := regexp_replace(plain, '[\u0001-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]', '', 'g');
  -- Windows drops dots and spaces at the end.
  plain := rtrim(btrim(regexp_replace(plain, '\s+', ' ', 'g')), '. ');
  ending := coalesce(substring(plain from '\.[^.\s]{1,20}$'), '');
  return case
    when plain = '' then 'File'
    when char_length(plain) > 255 then left(plain, 255 - char_length(ending)) || ending
    else plain
  end;
end
$$;
comment on function private.clean_file_name is
  'A name that any system can save and that reads as it is: no folders, nothing invisible, at most 255 characters with its ending.';

create table public.files (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  sha256 text not null,
  size bigint not null default 0,
  type text not null default '',
  contact_id uuid,
  company_id uuid,
  deal_id uuid,
  note_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint files_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint files_company_id_fkey foreign key (user_id, company_id) references public.companies (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint files_deal_id_fkey foreign key (user_id, deal_id) references public.deals (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint files_note_id_fkey foreign key (user_id, note_id) references public.notes (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint files_name_length check (char_length(name) between 1 and 255),
  constraint files_on_one_record check (num_nonnulls(contact_id, company_id, deal_id) = 1)
);
alter table public.files enable row level security;
comment on table public.files is 'Files, each on one contact, company or deal; those of a note on the record of the note.';
comment on column public.files.sha256 is 'What it holds: private.file_contents. Size and type are told by that.';

create index files_by_contact on public.files (user_id, contact_id, created_at desc, id desc);
create index files_by_company on public.files (user_id, company_id, created_at desc, id desc);
create index files_by_deal on public.files (user_id, deal_id, created_at desc, id desc);
create index files_by_note on public.files (user_id, note_id);
create index files_by_content on public.files (user_id, sha256);
create index files_by_title on public.files (user_id, left(private.fold(name), 100) text_pattern_ops);
select private.make_searchable('public.files', '{name}');

-- The name "clean" puts the trigger before all others: triggers fire in the order of their names.
create function private.clean_files() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.name := private.clean_file_name(new.name);
  return new;
end
$$;
create trigger clean before insert or update on public.files for each row execute function private.clean_files();

create function private.take_content() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Locked, so that it does not go as something that nobody needs before this file is there.
  select c.size, c.type into new.size, new.type from private.file_contents c
  where c.user_id = new.user_id and c.sha256 = new.sha256 and c.type is not null for key share;
  if not found then
    raise exception 'What the file “%” holds is not there. Nothing was saved; add the file again.', left(new.name, 255)
      using errcode = 'PT409';
  end if;
  if new.note_id is not null and not private.is_restoring() then
    select n.contact_id, n.company_id, n.deal_id into new.contact_id, new.company_id, new.deal_id
    from public.notes n where n.user_id = new.user_id and n.id = new.note_id;
    if not found then
      raise exception 'This note no longer exists. Nothing was saved.' using errcode = 'PT404';
    end if;
  end if;
  return new;
end
$$;
comment on function private.take_content is
  'A file has the size and type of what it holds, whoever adds it, and stands on the record of its note. A definer because contents are closed.';

create trigger take_content before insert on public.files for each row execute function private.take_content();

create function private.move_files_of_note() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  update public.files f set contact_id = new.contact_id, company_id = new.company_id, deal_id = new.deal_id
  where f.user_id = new.user_id and f.note_id = new.id
    and (f.contact_id, f.company_id, f.deal_id) is distinct from (new.contact_id, new.company_id, new.deal_id);
  return null;
end
$$;
comment on function private.move_files_of_note is 'The files of a note go where it goes, in a merge for instance.';

create trigger move_files after update of contact_id, company_id, deal_id on public.notes
  for each row when ((old.contact_id, old.company_id, old.deal_id) is distinct from (new.contact_id, new.company_id, new.deal_id))
  execute function private.move_files_of_note();

select
  private.open_to_owner('public.files', '{name,contact_id,company_id,deal_id}'),
  private.log_table('public.files');

-- Clients set the content and the note of a file when they add it, and cannot change them later.
grant insert (sha256, note_id) on public.files to authenticated;

-- Removing unused contents ------------------------------------------------------------------------------------

create index changes_of_files on public.changes (user_id, (before ->> 'sha256'))
  where table_name = 'files' and verb = 'delete' and before is not null;

create function private.is_content_needed(account uuid, content text) returns boolean
language sql stable
set search_path = ''
as $$
  select exists (select from public.files f where f.user_id = account and f.sha256 = content)
    or exists (
      select from public.changes c
      where c.user_id = account and c.table_name = 'files' and c.verb = 'delete' and c.before is not null
        and c.before ->> 'sha256' = content
    )
    or exists (
      select from private.outgoing_mails o
      where o.user_id = account and o.attachments @> jsonb_build_array(jsonb_build_object('sha256', content))
    )
$$;
comment on function private.is_content_needed is
  'Whether a file holds it, or one that can still come back out of the trash, or a mail of the outbox.';

create function private.drop_content(account uuid, contents text[]) returns void
language plpgsql
set search_path = ''
as $$
begin
  -- Locked first and looked at again: a file that was added meanwhile is seen then.
  contents := array(
    select c.sha256 from private.file_contents c
    where c.user_id = account and c.sha256 = any (contents) for update skip locked
  );
  delete from private.file_contents c
  where c.user_id = account and c.sha256 = any (contents) and not private.is_content_needed(account, c.sha256);
end
$$;

create function private.drop_content_of_erased() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.drop_content(new.user_id, array[old.before ->> 'sha256']);
  return null;
end
$$;
comment on function private.drop_content_of_erased is
  'What a file held goes when the trash lets go of it, after thirty days or for good. A definer because contents are closed.';

create trigger drop_content after update on public.changes
  for each row when (old.table_name = 'files' and old.verb = 'delete' and old.before is not null and new.before is null)
  execute function private.drop_content_of_erased();

create function private.drop_loose_contents(account uuid default null) returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  loose record;
begin
  for loose in
    select c.user_id, array_agg(c.sha256) as contents from private.file_contents c
    where (account is null or c.user_id = account) and c.touched_at < now() - interval '1 day'
      and not private.is_content_needed(c.user_id, c.sha256)
    group by c.user_id
  loop
    perform private.drop_content(loose.user_id, loose.contents);
  end loop;
end
$$;
comment on function private.drop_loose_contents is
  'Uploads that stopped half-way a day ago, and whatever else no file came to need; of one account when it adds a file, of all once a day. A definer because contents are closed.';

-- Only where pg_cron is installed, as the daily erasure of what has expired; see decision 015.
do $$
begin
  if exists (select from pg_catalog.pg_extension e where e.extname = 'pg_cron') then
    perform cron.schedule('solo-drop-loose-contents', '27 3 * * *', 'select private.drop_loose_contents()');
  end if;
end
$$;

-- Uploads -----------------------------------------------------------------------------------------------------

create function private.used_space(account uuid) returns bigint
language sql stable
set search_path = ''
as $$
  -- A file takes a page of the disk, however small it is.
  select coalesce(sum(greatest(c.size, 4096)), 0)::bigint from private.file_contents c where c.user_id = account
$$;
comment on function private.used_space is 'What the files of an account take, those in the trash and on their way included; the same content once.';

create function private.in_megabytes(bytes bigint) returns text
language sql immutable
set search_path = ''
as $$ select trim_scale(round(bytes / 1048576.0, 1)) || ' MB' $$;

create function public.file_space() returns jsonb
language sql stable
security definer
set search_path = ''
as $$
  select jsonb_build_object('used', private.used_space(private.caller()), 'account_bytes', l.account_bytes, 'file_bytes', l.file_bytes)
  from private.file_limits l
$$;
comment on function public.file_space is 'How much space the files of the caller take, and how much there is. A definer because contents are closed.';

create function public.start_upload(sha256 text, size bigint) returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  content private.file_contents;
  most private.file_limits;
begin
  -- Two windows must not both take the last free space.
  perform pg_advisory_xact_lock(hashtextextended('files ' || me, 0));
  select * into most from private.file_limits;
  if coalesce(start_upload.sha256 !~ '^[0-9a-f]{64}$', true) then
    raise exception 'This is no hash of a file. Nothing was saved.' using errcode = 'PT400';
  end if;
  if coalesce(start_upload.size, 0) < 1 then
    raise exception 'This file is empty. Nothing was saved.' using errcode = 'PT400';
  end if;
  if start_upload.size > most.file_bytes then
    raise exception 'This file is larger than %. Nothing was saved.', private.in_megabytes(most.file_bytes) using errcode = 'PT413';
  end if;
  perform private.drop_loose_contents(me);
  select * into content from private.file_contents c where c.user_id = me and c.sha256 = start_upload.sha256 for update;
  if content.size <> start_upload.size then
    if content.type is not null then
      raise exception 'The size of this file does not fit what it holds. Nothing was saved.' using errcode = 'PT400';
    end if;
    -- One of the two was wrong, and nobody knows which.
    delete from private.file_contents c where c.user_id = me and c.sha256 = start_upload.sha256;
    content := null;
  end if;
  if content.sha256 is null then
    if private.used_space(me) + greatest(start_upload.size, 4096) > most.account_bytes then
      raise exception 'There is no room for this file: % of % are used. Nothing was saved. Delete files you no longer need, and remove them from the trash.',
        private.in_megabytes(private.used_space(me)), private.in_megabytes(most.account_bytes) using errcode = 'PT413';
    end if;
    insert into private.file_contents (user_id, sha256, size) values (me, start_upload.sha256, start_upload.size)
    returning * into content;
  else
    update private.file_contents c set touched_at = now() where c.user_id = me and c.sha256 = start_upload.sha256;
  end if;
  return jsonb_build_object('is_whole', content.type is not null, 'missing', case when content.type is not null then '[]' else (
    select coalesce(jsonb_agg(n order by n), '[]') from generate_series(0, private.part_count(content.size) - 1) n
    where not exists (
      select from private.file_parts p where p.user_id = me and p.sha256 = content.sha256 and p.part = n
    )
  ) end);
end
$$;
comment on function public.start_upload is
  'Takes room for a content and tells which of its parts of 1 MB are missing: all, or the rest of an upload that stopped. A definer because contents are closed.';

create function public.add_upload_part(sha256 text, part integer, bytes text) returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  content private.file_contents;
  reported bytea;
begin
  select * into content from private.file_contents c where c.user_id = me and c.sha256 = add_upload_part.sha256 for key share;
  if content.sha256 is null then
    raise exception 'This upload has stopped. Nothing was saved; add the file again.' using errcode = 'PT404';
  end if;
  if content.type is not null then
    return;
  end if;
  begin
    reported := decode(add_upload_part.bytes, 'base64');
  exception when data_exception then
    raise exception 'A part of this file cannot be read. Nothing was saved.' using errcode = 'PT400';
  end;
  if coalesce(add_upload_part.part not between 0 and private.part_count(content.size) - 1, true)
    or octet_length(reported) is distinct from least(1048576, content.size - 1048576::bigint * add_upload_part.part)::integer then
    raise exception 'A part of this file does not have the size it should have. Nothing was saved.' using errcode = 'PT400';
  end if;
  insert into private.file_parts (user_id, sha256, part, bytes) values (me, content.sha256, add_upload_part.part, reported)
  on conflict do nothing;
end
$$;
comment on function public.add_upload_part is
  'A part of a content, in base64. The same part sent again changes nothing. A definer because contents are closed.';

create function public.finish_upload(sha256 text) returns boolean
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  content private.file_contents;
  held bytea;
begin
  select * into content from private.file_contents c where c.user_id = me and c.sha256 = finish_upload.sha256 for update;
  if content.type is not null then
    return true;
  end if;
  if content.sha256 is null or private.part_count(content.size) <> (
    select count(*) from private.file_parts p where p.user_id = me and p.sha256 = content.sha256
  ) then
    raise exception 'The file did not arrive whole. Nothing was saved; try again.' using errcode = 'PT409';
  end if;
  select string_agg(p.bytes, '' order by p.part) into held
  from private.file_parts p where p.user_id = me and p.sha256 = content.sha256;
  if encode(pg_catalog.sha256(held), 'hex') <> content.sha256 then
    -- Nobody knows which of them was wrong. No error, which would bring them back.
    delete from private.file_parts p where p.user_id = me and p.sha256 = content.sha256;
    return false;
  end if;
  update private.file_contents c set type = private.type_of_content(substring(held from 1 for 16))
  where c.user_id = me and c.sha256 = content.sha256;
  return true;
end
$$;
comment on function public.finish_upload is
  'Whether a content is there as its hash says. If it is not, its parts are dropped and must be sent again. A definer because contents are closed.';

create function private.file_card(file public.files) returns jsonb
language sql immutable
set search_path = ''
as $$
  select jsonb_build_object('id', file.id, 'name', file.name, 'type', file.type, 'size', file.size, 'sha256', file.sha256,
    'note_id', file.note_id, 'created_at', file.created_at)
$$;

create function public.add_file(
  id uuid, sha256 text, name text, contact uuid default null, company uuid default null, deal uuid default null,
  note uuid default null
)
returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  file public.files;
begin
  if num_nonnulls(contact, company, deal, note) <> 1 then
    raise exception 'A file belongs to one record. Nothing was saved.' using errcode = 'PT400';
  end if;
  select * into file from public.files f where f.id = add_file.id;
  if not found then
    if not public.finish_upload(add_file.sha256) then
      return jsonb_build_object('file', null);
    end if;
    insert into public.files (id, sha256, name, contact_id, company_id, deal_id, note_id)
    values (add_file.id, add_file.sha256, add_file.name, contact, company, deal, note)
    returning * into file;
  end if;
  return jsonb_build_object('file', private.file_card(file), 'batch', private.written_batch());
end
$$;
comment on function public.add_file is
  'Adds a file whose content has arrived, to a record or a note. Asked again with the same id, it is added once. Without a file in the answer its content was damaged on the way.';

-- Reading -----------------------------------------------------------------------------------------------------

create function public.file_part(sha256 text, part integer) returns text
language sql stable
security definer
set search_path = ''
as $$
  select translate(encode(p.bytes, 'base64'), E'\n', '')
  from private.file_parts p join private.file_contents c on c.user_id = p.user_id and c.sha256 = p.sha256
  where p.user_id = private.caller() and p.sha256 = file_part.sha256 and p.part = file_part.part and c.type is not null
$$;
comment on function public.file_part is
  'A part of what a file of the caller holds, in base64; null when there is none. A definer because contents are closed.';

create function public.record_files(record text, id uuid, after jsonb default null, page_size integer default 200) returns jsonb
language plpgsql stable
set search_path = ''
set enable_seqscan = off
as $$
declare
  most integer := least(greatest(page_size, 1), 500);
  parts text;
  answer jsonb;
begin
  if record not in ('contact', 'company', 'deal') then
    raise exception 'A % has no files.', left(record, 40) using errcode = 'PT400';
  end if;
  select string_agg(format('select f.id, f.created_at from public.files f where f.%I %s', s.link, s.condition), ' union ')
  into parts from private.story_of(record) s;
  execute format(
    'with story as materialized (%1$s),
     page as (
       select s.* from story s
       where $2 is null or (s.created_at, s.id) < (($2 ->> ''at'')::timestamptz, ($2 ->> ''id'')::uuid)
       order by s.created_at desc, s.id desc limit $3 + 1
     ),
     numbered as (select p.*, row_number() over (order by p.created_at desc, p.id desc) as place from page p)
     select jsonb_build_object(
       ''count'', (select count(*) from story),
       ''rows'', coalesce(jsonb_agg(private.file_card(f) || jsonb_build_object(
         ''origin'', private.origin_of($4, $1, f.contact_id, f.company_id, f.deal_id)) order by n.place)
         filter (where n.place <= $3), ''[]''),
       ''next'', case when count(*) > $3 then
         (array_agg(jsonb_build_object(''at'', n.created_at, ''id'', n.id) order by n.place) filter (where n.place = $3))[1] end
     )
     from numbered n join public.files f on f.id = n.id', parts)
  into answer using record_files.id, record_files.after, most, record;
  return answer;
end
$$;
comment on function public.record_files is
  'The files of the story of a record, newest first, with those of its notes; each with the record it comes from, where that is another.';

create function public.backup_contents(after text default null) returns jsonb
language sql stable
security definer
set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('sha256', c.sha256, 'size', c.size) order by c.sha256), '[]')
  from (
    select c.sha256, c.size from private.file_contents c
    where c.user_id = private.caller() and c.type is not null and c.sha256 > coalesce(after, '')
      and private.is_content_needed(c.user_id, c.sha256)
    order by c.sha256 limit 1000
  ) c
$$;
comment on function public.backup_contents is
  'What the files of the caller hold, a thousand at a time, those in the trash included. A definer because contents are closed.';

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.part_count(bigint), private.type_of_content(bytea), private.clean_file_name(text), private.clean_files(),
  private.take_content(), private.move_files_of_note(), private.is_content_needed(uuid, text),
  private.drop_content(uuid, text[]), private.drop_content_of_erased(), private.drop_loose_contents(uuid),
  private.used_space(uuid), private.in_megabytes(bigint), public.file_space(), public.start_upload(text, bigint),
  public.add_upload_part(text, integer, text), public.finish_upload(text), private.file_card(public.files),
  public.add_file(uuid, text, text, uuid, uuid, uuid, uuid), public.file_part(text, integer),
  public.record_files(text, uuid, jsonb, integer), public.backup_contents(text)
  from public, anon, authenticated;
grant execute on function
  private.clean_file_name(text), private.clean_files(), private.take_content(), private.move_files_of_note(),
  public.file_space(), public.start_upload(text, bigint), public.add_upload_part(text, integer, text),
  public.finish_upload(text), private.file_card(public.files),
  public.add_file(uuid, text, text, uuid, uuid, uuid, uuid), public.file_part(text, integer),
  public.record_files(text, uuid, jsonb, integer), public.backup_contents(text)
  to authenticated, service_role;
