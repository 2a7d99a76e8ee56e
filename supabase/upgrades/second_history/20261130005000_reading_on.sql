-- What an assistant reads on: mails, old and new values of the history, own fields. And about is bounded, however many tags there are.

drop function private.read_text(text, uuid, text, integer);

create function private.read_text(kind text, id uuid, field text, start integer default 0, row_id uuid default null) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  own constant text := '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
  path text[] := string_to_array(field, '.');
  row jsonb;
  whole text;
begin
  if kind not in ('contacts', 'companies', 'deals', 'tasks', 'notes', 'mails', 'changes')
     or field !~ ('^([a-z_]{1,40}|custom\.' || own || '|(before|after)\.([a-z_]{1,40}|custom\.' || own || '))$')
     or (kind = 'changes') <> (field ~ '^(before|after)\.') then
    raise exception 'There is no such text. Nothing was done.' using errcode = 'PT400';
  end if;
  if kind = 'changes' then
    select jsonb_build_object('before', c.before, 'after', c.after) into row from public.changes c
    where c.user_id = private.caller() and c.batch = read_text.id and (read_text.row_id is null or c.row_id = read_text.row_id)
      and jsonb_typeof(jsonb_build_object('before', c.before, 'after', c.after) #> path) = 'string'
    order by c.id limit 1;
  elsif kind = 'mails' then
    -- Nothing of a private mail is told, whatever may be left of it.
    select jsonb_build_object('subject', m.subject, 'snippet', m.snippet, 'body_text', coalesce(m.body_text, '')) into row
    from public.mails m where m.user_id = private.caller() and m.id = read_text.id and not m.is_private;
  else
    execute format('select to_jsonb(t) - ''search_text'' from public.%I t where t.id = $1', kind) into row using read_text.id;
  end if;
  -- Values of a deleted field are there until they are swept, and nothing shows them.
  if jsonb_typeof(row #> path) = 'string' and ('custom' <> all (path) or exists (
    select from public.fields f where f.user_id = private.caller() and f.id = path[cardinality(path)]::uuid
  )) then
    whole := row #>> path;
  end if;
  if whole is null then
    raise exception 'There is no such text. Nothing was done.' using errcode = 'PT404';
  end if;
  return jsonb_build_object('text', substr(whole, greatest(start, 0) + 1, 20000), 'start', greatest(start, 0), 'length', char_length(whole),
    'next', case when char_length(whole) > greatest(start, 0) + 20000 then greatest(start, 0) + 20000 end);
end
$$;
comment on function private.read_text is
  'A long text of a record, a note or a mail, or an old or new value of a batch, from a character on, 20,000 characters at a time.';

drop function private.about_account();

create function private.about_account(tags_start integer default 0) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'token', private.own_token(),
    'now', now(), 'time_zone', private.own_time_zone(),
    'week_starts_on', (select p.week_starts_on from public.preferences p where p.user_id = private.caller()),
    'currency', (select p.currency from public.preferences p where p.user_id = private.caller()),
    'pipelines', (
      select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'stages', (
        select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'outcome', s.outcome) order by s."order", s.id), '[]')
        from public.pipeline_stages s where s.pipeline_id = p.id
      )) order by p.created_at, p.id), '[]')
      from public.pipelines p
    ),
    'fields', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'record', f.record, 'name', f.name, 'kind', f.kind,
        'options', f.options) order by f.record, f.name, f.id), '[]')
      from public.fields f
    ),
    'tags', (
      select coalesce(jsonb_agg(t.value order by t.place), '[]')
      from jsonb_array_elements(k.tags) with ordinality as t (value, place)
      where t.place > tags_start and t.place <= tags_start + 200
    ),
    'tags_next', case when jsonb_array_length(k.tags) > tags_start + 200 then tags_start + 200 end
  )
  from (select public.tag_counts() as tags) k
$$;
comment on function private.about_account is
  'What a program must know before it writes: what its token may do, time zone and currency, the stages of the pipelines, own fields, and 200 tags from a place on.';

revoke all on function private.read_text(text, uuid, text, integer, uuid), private.about_account(integer) from public, anon, authenticated;
grant execute on function private.read_text(text, uuid, text, integer, uuid), private.about_account(integer) to authenticated, service_role;
