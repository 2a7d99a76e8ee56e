-- Search over contacts, companies, deals, tasks, files and mails at once.

create function private.title_of(kind text) returns text
language sql immutable
set search_path = ''
as $$
  select format('private.fold(%s)', case kind
    when 'contacts' then $e$btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))$e$
    when 'tasks' then 'c.title'
    when 'mails' then $e$coalesce(c.subject, '')$e$
    else 'c.name'
  end)
$$;
comment on function private.title_of is 'What a record is called, folded, as an expression on "c".';

-- Titles that begin with the typed words come first. A trigram index would find them only by reading every row that contains the
-- words. These indexes find them by their beginning, and in their order an exact title comes before the longer ones.
create index contacts_by_title on public.contacts
  (user_id, left(private.fold(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))), 100) text_pattern_ops);
create index companies_by_title on public.companies (user_id, left(private.fold(name), 100) text_pattern_ops);
create index deals_by_title on public.deals (user_id, left(private.fold(name), 100) text_pattern_ops);
create index tasks_by_title on public.tasks (user_id, left(private.fold(title), 100) text_pattern_ops);

create function private.holds_words(kind text, words text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  number text := private.number_pattern(words);
  reported text := btrim(private.fold(words));
  pattern text := private.like_pattern(words);
begin
  if number is not null or reported !~ '\S\s+\S' then
    return private.in_search(kind, private.holds_any(array(
      -- One letter or two, which nearly everything holds, begin a word.
      select case when char_length(p.text) < 5 then '% ' else '%' end || substr(p.text, 2)
      from unnest(array[pattern, number]) p (text)
    )), pattern);
  end if;
  return (
    select string_agg(private.in_search(kind, format('c.search_text like %L', w.pattern), w.pattern), ' and ')
    from regexp_split_to_table(reported, '\s+') s (word)
    cross join lateral (select private.like_pattern(s.word) as pattern) w
  );
end
$$;
comment on function private.holds_words is
  'The condition on "c" that a row holds every word that was typed, in whatever order; the names of its options count.';

create function private.matches(kind text, me uuid, words text, wanted integer)
returns table (id uuid, rank integer, at timestamptz)
language plpgsql stable
set search_path = ''
as $$
declare
  begun text := substr(private.like_pattern(words), 2);
begin
  return query execute format(
    'with found as materialized (
       (select c.id from public.%1$I c
        where c.user_id = %2$L::uuid and left(%3$s, 100) like %4$L
        order by left(%3$s, 100) using operator(pg_catalog.~<~) limit %7$s)
       union
       (select c.id from public.%1$I c
        where c.user_id = %2$L::uuid and %6$s
        order by c.created_at desc, c.id desc limit 3 * %7$s)
     )
     select r.id, case
         when r.title = %5$L then 0
         when r.title like %4$L then 1
         when r.title like %8$L then 2
         else 3
       end, r.created_at
     from (
       select c.id, c.created_at, %3$s as title
       from found f cross join lateral (select * from public.%1$I c where c.id = f.id offset 0) c
     ) r
     order by 2, 3 desc, 1 limit %7$s',
    kind, me, private.title_of(kind), begun, btrim(private.fold(words)), private.holds_words(kind, words), wanted,
    '% ' || begun);
end
$$;
comment on function private.matches is
  'The best of one table for what was typed: called so (0), called so at the beginning (1) or at the beginning of a word (2), or holding it anywhere (3); the newest first among equals.';

create function private.similar(kind text, me uuid, words text, wanted integer)
returns table (id uuid, rank integer, at timestamptz, likeness real)
language plpgsql stable
set search_path = ''
-- Low enough for a short name with one letter wrong, missing or swapped, such as 'shmidt' or 'micheal'.
set pg_trgm.word_similarity_threshold = 0.49
as $$
begin
  return query execute format(
    'select c.id, 4, c.created_at, extensions.word_similarity(%3$L, c.search_text)
     from (
       select c.id, c.created_at, c.search_text from public.%1$I c
       where c.user_id = %2$L::uuid and %5$s
       -- What hundreds are similar to tells nothing, and to compare them all would take seconds.
       limit 200
     ) c
     order by 4 desc, 3 desc, 1 limit %4$s',
    kind, me, private.fold(btrim(words)), wanted,
    private.in_seen(kind, format('c.search_text operator(extensions.%%>) %L', private.fold(btrim(words)))));
end
$$;
comment on function private.similar is 'The rows of one table that hold nearly what was typed: a letter wrong, or one missing.';

create function private.search_card(kind text, id uuid) returns jsonb
language plpgsql stable
set search_path = ''
-- A session keeps the plans of this function while the tables grow: one made for small tables would go on reading them whole.
set enable_seqscan = off
as $$
declare
  card jsonb;
begin
  -- A statement for each kind: only those that are needed are planned.
  case kind
    when 'contacts' then
      card := (
        select jsonb_build_object('title', btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')),
          'about', (select k.name from public.companies k where k.id = c.company_id),
          'email', c.email, 'phone_number', c.phone_number)
        from public.contacts c where c.id = search_card.id
      );
    when 'companies' then
      card := (
        select jsonb_build_object('title', c.name, 'about', nullif(concat_ws(' · ', c.industry, c.location), ''))
        from public.companies c where c.id = search_card.id
      );
    when 'deals' then
      card := (
        select jsonb_build_object('title', c.name, 'value', c.value, 'currency', c.currency,
          'about', (select k.name from public.companies k where k.id = c.company_id),
          'stage', (select s.name from public.pipeline_stages s where s.id = c.stage_id))
        from public.deals c where c.id = search_card.id
      );
    when 'tasks' then
      card := (
        select jsonb_build_object('title', c.title, 'due_date', c.due_date, 'completed', c.completed, 'about', coalesce(
          (select nullif(btrim(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '')), '')
            from public.contacts p where p.id = c.contact_id),
          (select k.name from public.companies k where k.id = c.company_id),
          (select d.name from public.deals d where d.id = c.deal_id)))
        from public.tasks c where c.id = search_card.id
      );
    when 'files' then
      card := (
        select jsonb_build_object('title', c.name, 'about', o.of ->> 'name', 'of', o.of - 'name')
        from public.files c
        cross join lateral (select private.origin_of('', null, c.contact_id, c.company_id, c.deal_id) as of) o
        where c.id = search_card.id
      );
    when 'mails' then
      card := (
        select jsonb_build_object('title', c.subject, 'thread', c.thread, 'sent_at', c.sent_at, 'about', k.name,
          'of', jsonb_build_object('record', k.record, 'id', k.id))
        from public.mails c
        -- On a person rather than on the company or the deal; what lies in the trash has no page.
        cross join lateral (
          select 1 as place, 'contact' as record, p.id, coalesce(nullif(btrim(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, '')), ''), p.email) as name
          from private.mail_links l join public.contacts p on p.id = l.contact_id where l.mail_id = c.id
          union all
          select 2, 'company', p.id, p.name from private.mail_links l join public.companies p on p.id = l.company_id where l.mail_id = c.id
          union all
          select 3, 'deal', p.id, p.name from private.mail_links l join public.deals p on p.id = l.deal_id where l.mail_id = c.id
          order by 1, 3 limit 1
        ) k
        where c.id = search_card.id
      );
    else
      return null;
  end case;
  return card || jsonb_build_object('kind', kind, 'id', id);
end
$$;
comment on function private.search_card is
  'What a hit shows: its title, and what tells it from others of the same name; null when it is gone.';

create function private.hits(words text) returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  kinds text[] := array['contacts', 'companies', 'deals', 'tasks']
    -- An account without any is not searched for them.
    || case when exists (select from public.files f where f.user_id = me) then array['files'] end
    || case when exists (select from public.mails m where m.user_id = me) then array['mails'] end;
  hits jsonb;
begin
  select coalesce(jsonb_agg(to_jsonb(b) - 'at' order by b.rank, b.at desc, b.id), '[]')
  into hits
  from (
    select k.kind, m.id, m.rank, m.at
    from unnest(kinds) as k (kind) cross join lateral private.matches(k.kind, me, words, 8) m
    order by m.rank, m.at desc, m.id limit 20
  ) b;
  if jsonb_array_length(hits) < 3 and char_length(btrim(words)) >= 4 then
    hits := hits || (
      select coalesce(jsonb_agg(to_jsonb(b) - 'at' - 'likeness' order by b.likeness desc, b.at desc, b.id), '[]')
      from (
        select k.kind, m.id, m.rank, m.at, m.likeness
        from unnest(kinds) as k (kind) cross join lateral private.similar(k.kind, me, words, 5) m
        where not hits @> jsonb_build_array(jsonb_build_object('id', m.id))
        order by m.likeness desc, m.at desc, m.id limit 5
      ) b
    );
  end if;
  return hits;
end
$$;
comment on function private.hits is
  'Which of the caller''s records are found by words, best first: kind, id and rank of each. A definer because no index serves a search under a policy.';

create function public.search_everything(words text default '') returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  if char_length(words) > 200 then
    raise exception 'This is too long to search for: at most 200 characters.' using errcode = 'PT400';
  end if;
  if btrim(words) = '' then
    return (
      select coalesce(jsonb_agg(r.card || '{"rank": null}' order by r.last desc), '[]')
      from (
        select card, last
        from (
          select c.table_name, c.row_id, max(c.id) as last
          from (select c.id, c.table_name, c.row_id from public.changes c order by c.id desc limit 500) c
          where c.table_name in ('contacts', 'companies', 'deals', 'tasks')
          group by c.table_name, c.row_id
          order by last desc offset 0
        ) c
        cross join lateral private.search_card(c.table_name, c.row_id) card
        where card is not null limit 8
      ) r
    );
  end if;
  return (
    select coalesce(jsonb_agg(card || jsonb_build_object('rank', h.rank) order by h.place), '[]')
    from rows from (jsonb_to_recordset(private.hits(words)) as (kind text, id uuid, rank integer)) with ordinality
      as h (kind, id, rank, place)
    cross join lateral private.search_card(h.kind, h.id) card
    where card is not null
  );
end
$$;
comment on function public.search_everything is
  'The best hits among contacts, companies, deals, tasks and files, at most 20: called so, beginning so, holding it, and, where there are hardly any, nearly holding it. Without words, what was last worked on.';

select private.make_searchable('public.mails', '{subject}');
create index mails_by_title on public.mails (user_id, left(private.fold(coalesce(subject, '')), 100) text_pattern_ops);

-- Who may call what -------------------------------------------------------------------------------------------

-- The functions that only private.hits calls stay closed: a definer, it reads without a policy.
revoke all on function
  private.title_of(text), private.holds_words(text, text), private.matches(text, uuid, text, integer),
  private."similar"(text, uuid, text, integer), private.search_card(text, uuid), private.hits(text),
  public.search_everything(text)
  from public, anon, authenticated;
grant execute on function
  private.search_card(text, uuid), private.hits(text), public.search_everything(text)
  to authenticated, service_role;
