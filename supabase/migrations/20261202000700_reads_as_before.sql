-- What the lists and the search cost beyond what they read. Measured beside the schema before this history, see
-- docs/decisions/032-measurements.md.

-- Deals by what they are worth -------------------------------------------------------------------------------

-- With the columns of which a sum is made, so that the indexes alone answer what the deals of an account, or of a pipeline,
-- are worth. Whoever changes these columns writes into all indexes anyway, because one is on an expression of them.
drop index public.deals_by_worth;
create index deals_by_worth on public.deals
  (user_id, coalesce(private.worth(value, currency, rate), 'infinity'::numeric), id) include (value, currency, rate);
drop index public.deals_on_board;
create index deals_on_board on public.deals
  (user_id, pipeline_id, stage_id, "order", created_at desc, id) include (value, currency, rate);

create or replace function private.deal_value_conditions(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  is_from boolean := filter ? 'value_from';
  -- As the indexes have it. What has no rate is neither more nor less than anything.
  unrated text := case when is_from then '-infinity' else 'infinity' end;
  worth text := format('coalesce(private.worth(c.value, c.currency, c.rate), %L::numeric)', unrated);
begin
  if not (is_from or filter ? 'value_to') then
    return '';
  end if;
  return concat_ws(' and ',
    format('%s %s %L::numeric', worth, case when is_from then '>' else '<' end, unrated),
    case when is_from then format('%s >= %L::numeric', worth, filter ->> 'value_from') end,
    case when filter ? 'value_to' then format('%s <= %L::numeric', worth, filter ->> 'value_to') end);
end
$$;

-- What a search means ----------------------------------------------------------------------------------------

-- In plpgsql, which plans a statement once for a connection. A function in SQL with a search path of its own is planned
-- again by every statement that calls it; a search of everything calls these dozens of times.

create or replace function private.fold(value text) returns text
language plpgsql immutable parallel safe strict
set search_path = ''
as $$
begin
  return lower(extensions.unaccent('extensions.unaccent'::regdictionary, case
    when value ~ '  |[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]'
      then regexp_replace(value, '[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g')
    else value
  end));
end
$$;

create or replace function private.is_search(filter jsonb) returns boolean
language plpgsql immutable parallel safe
set search_path = ''
as $$
begin
  return btrim(coalesce(filter ->> 'search', '')) <> '';
end
$$;

create or replace function private.needs_finder(filter jsonb) returns boolean
language plpgsql immutable parallel safe
set search_path = ''
as $$
begin
  -- Who was contacted when is read by private.last_contacts, which only the finders call.
  return private.is_search(filter) or filter ?| array['fields', 'tags', 'last_contacted_from', 'last_contacted_to'];
end
$$;

create or replace function private.like_pattern(words text) returns text
language plpgsql immutable parallel safe
set search_path = ''
as $$
begin
  return '%' || replace(replace(replace(btrim(private.fold(words)), '\', '\\'), '%', '\%'), '_', '\_') || '%';
end
$$;

create or replace function private.number_pattern(words text) returns text
language plpgsql immutable parallel safe
set search_path = ''
as $$
declare
  reported text := btrim(private.fold(words));
  digits text;
begin
  if reported ~ '^\+?[\d\s()/.-]+$' is not true then
    return null;
  end if;
  digits := regexp_replace(words, '[^0-9]', '', 'g');
  -- Each form is the end of the one after it and so finds what that one finds, and more; too much where only a few
  -- digits would be left.
  return (
    select '%' || f.number || '%'
    from private.national_number(reported, digits) n
    cross join lateral (values (1, n.number, 5), (2, ltrim(digits, '0'), 5), (3, digits, 1)) f (place, number, fewest)
    where char_length(f.number) >= f.fewest
    order by f.place limit 1
  );
end
$$;

create or replace function private.holds_any(patterns text[]) returns text
language plpgsql immutable
set search_path = ''
as $$
begin
  -- Of 0301234567 and 301234567 the second is enough: what holds the first holds it too.
  return (
    select string_agg(distinct format('c.search_text like %L', p.pattern), ' or ')
    from unnest(patterns) p (pattern)
    where p.pattern is not null and not exists (
      select from unnest(patterns) o (pattern) where o.pattern <> p.pattern and p.pattern like o.pattern
    )
  );
end
$$;

create or replace function private.gone_fields_of(kind text) returns text[]
language plpgsql stable
security definer
set search_path = ''
as $$
begin
  return array(select g.id::text from private.gone_fields g where g.user_id = private.caller() and g.record = kind order by g.id);
end
$$;

create or replace function private.holds_options(kind text, pattern text) returns text[]
language plpgsql stable
set search_path = ''
as $$
begin
  return array(
    select format('c.custom <> ''{}'' and c.custom @> %L::jsonb', jsonb_build_object(
      f.id, case when f.kind = 'several choices' then jsonb_build_array(o.id) else to_jsonb(o.id) end))
    from public.fields f cross join lateral jsonb_to_recordset(f.options) as o (id text, name text)
    where f.user_id = private.caller() and f.record = holds_options.kind and private.fold(o.name) like pattern
    order by f.id, o.id limit 100
  );
end
$$;

create or replace function private.in_search(kind text, held text, pattern text) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  conditions text[] := array[private.in_seen(kind, held)] || private.holds_options(kind, pattern);
  number text := case when kind = 'companies' then private.number_pattern(btrim(pattern, '%')) end;
begin
  if number is not null and strpos(held, quote_literal(number)) = 0 then
    conditions := conditions || private.in_seen(kind, format('c.search_text like %L', number));
  end if;
  return format('(%s)', array_to_string(conditions, ' or '));
end
$$;

create or replace function private.holds_words(kind text, words text) returns text
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

create or replace function private.hits(words text) returns jsonb
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

create or replace function private.search_card(kind text, id uuid) returns jsonb
language plpgsql stable
set search_path = ''
-- Its plans stay while the tables grow.
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
