-- The pages of one contact and one company: the record with what is linked to it, its neighbours in
-- the list one came from, and its timeline.

alter table public.notes add constraint notes_note_has_words check (kind <> 'note' or body is not null);

create function private.linked_deals(me uuid, contact uuid, company uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(d) - 'created_at' order by d.created_at desc, d.id desc), '[]')
  from (
    select d.id, d.name, d.value, d.expected_close_date, s.name as stage_name, d.created_at
    from public.deals d
    left join public.pipeline_stages s on s.id = d.stage_id
    where d.user_id = me and (d.contact_id = contact or d.company_id = company)
    order by d.created_at desc, d.id desc limit 100
  ) d
$$;
comment on function private.linked_deals is 'The newest hundred deals of a contact or of a company.';

create function public.contact_record(id uuid) returns jsonb
language sql stable
security definer -- the card is made by a function that clients may not call; reads rows of auth.uid() only
set search_path = ''
as $$
  select d.card || jsonb_build_object(
    'collections', coalesce((
      select jsonb_agg(jsonb_build_object('id', k.id, 'name', k.name) order by lower(k.name), k.id)
      from public.collection_members m
      join public.collections k on k.user_id = m.user_id and k.id = m.collection_id
      where m.user_id = c.user_id and m.contact_id = c.id
    ), '[]'),
    'deals', (select count(*) from public.deals d where d.user_id = c.user_id and d.contact_id = c.id),
    'linked_deals', private.linked_deals(c.user_id, c.id, null)
  )
  from public.contacts c cross join lateral private.contact_card(c) d
  where c.user_id = auth.uid() and c.id = contact_record.id
$$;
comment on function public.contact_record is 'A contact with its collections and deals, or null when there is none.';

create function public.company_record(id uuid) returns jsonb
language sql stable
security definer -- as contact_record
set search_path = ''
as $$
  select d.card || jsonb_build_object('linked_deals', private.linked_deals(c.user_id, null, c.id))
  from public.companies c cross join lateral private.company_card(c) d
  where c.user_id = auth.uid() and c.id = company_record.id
$$;
comment on function public.company_record is 'A company with its deals, or null when there is none.';

create function private.neighbours(kind text, conditions text, sort text, descending boolean, id uuid) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  o record;
  answer jsonb;
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  select * into o from private.page_order(kind, sort, descending);
  -- The record itself need not match the filter: it may just have been changed so that it does not.
  execute format(
    'select jsonb_build_object(
       ''previous'', (
         select c.id from public.%1$I c %8$s where %2$s and (%3$s, c.id) %4$s (here.key, here.id)
         order by %3$s %5$s, c.id %5$s limit 1
       ),
       ''next'', (
         select c.id from public.%1$I c %8$s where %2$s and (%3$s, c.id) %6$s (here.key, here.id)
         order by %3$s %7$s, c.id %7$s limit 1
       )
     )
     from (select %3$s as key, c.id from public.%1$I c %8$s where c.user_id = $1 and c.id = $2) here',
    kind, conditions, o.expression,
    case when descending then '>' else '<' end, case when descending then 'asc' else 'desc' end,
    case when descending then '<' else '>' end, case when descending then 'desc' else 'asc' end, o.link)
  into answer
  using auth.uid(), neighbours.id;
  return coalesce(answer, '{"previous": null, "next": null}');
end
$$;
comment on function private.neighbours is
  'The rows before and after one in a list, by the same order and conditions as private.page.';

create function public.contact_neighbours(
  id uuid, filter jsonb default '{}', sort text default 'created', descending boolean default true
)
returns jsonb
language sql stable
security definer -- as contact_page
set search_path = ''
as $$
  select private.neighbours('contacts', private.contact_conditions(auth.uid(), filter), sort, descending, id)
$$;
comment on function public.contact_neighbours is 'The contacts before and after one, in the list that a filter and an order mean.';

create function public.company_neighbours(
  id uuid, filter jsonb default '{}', sort text default 'created', descending boolean default true
)
returns jsonb
language sql stable
security definer -- as contact_page
set search_path = ''
as $$
  select private.neighbours('companies', private.company_conditions(auth.uid(), filter), sort, descending, id)
$$;
comment on function public.company_neighbours is 'The companies before and after one, in the list that a filter and an order mean.';

create function public.record_timeline(
  record text, id uuid, before timestamptz default null, before_key text default null, page_size integer default 50
)
returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  page jsonb;
begin
  if record not in ('contact', 'company', 'deal') then
    raise exception 'A % has no timeline.', left(record, 40) using errcode = 'PT400';
  end if;
  -- Each kind is cut to the page before the two are put together, so that a long history costs little.
  -- A card that only made room for another on the board has nothing to tell.
  execute format(
    'with page as (
       select * from (
         (
           select ch.created_at as at, ''change '' || lpad(ch.id::text, 20, ''0'') as key, ch.id as change_id, null::uuid as note_id
           from public.changes ch
           where ch.user_id = $1 and ch.%1$I = $2 and ch.table_name <> ''notes''
             and (ch.verb <> ''update'' or ch.after - ''order'' <> ''{}'')
             and ($3 is null or (ch.created_at, ''change '' || lpad(ch.id::text, 20, ''0'')) < ($3, $4))
           order by 1 desc, 2 desc limit $5
         )
         union all
         (
           select n.happened_at, ''note '' || n.id, null, n.id
           from public.notes n
           where n.user_id = $1 and n.%1$I = $2 and ($3 is null or (n.happened_at, ''note '' || n.id) < ($3, $4))
           order by 1 desc, 2 desc limit $5
         )
       ) e
       order by e.at desc, e.key desc limit $5
     )
     select coalesce(jsonb_agg(
       jsonb_build_object(''at'', p.at, ''key'', p.key) || case
         when n.id is not null then jsonb_build_object(''kind'', ''note'', ''note'', to_jsonb(n) - ''user_id'')
         else jsonb_build_object(''kind'', ''change'', ''table_name'', ch.table_name, ''row_id'', ch.row_id,
           ''verb'', ch.verb, ''label'', ch.label, ''before'', case when ch.verb = ''update'' then ch.before end,
           ''after'', ch.after, ''batch'', ch.batch, ''undoes'', ch.undoes, ''names'', (
             select jsonb_object_agg(link.value, coalesce(
               (select s.name from public.pipeline_stages s where s.id = link.value::uuid),
               (select pl.name from public.pipelines pl where pl.id = link.value::uuid),
               (select l.label from public.changes l
                where l.user_id = $1 and l.row_id = link.value::uuid and l.label is not null
                order by l.id desc limit 1)
             ))
             from (
               select * from jsonb_each_text(ch.before) union select * from jsonb_each_text(ch.after)
             ) link
             where ch.verb = ''update'' and link.value is not null
               and link.key in (''company_id'', ''contact_id'', ''deal_id'', ''stage_id'', ''pipeline_id'')
           ))
       end
       order by p.at desc, p.key desc), ''[]'')
     from page p
     left join public.changes ch on ch.id = p.change_id
     left join public.notes n on n.id = p.note_id', record || '_id')
  into page
  using auth.uid(), record_timeline.id, record_timeline.before, coalesce(before_key, ''), least(greatest(page_size, 1), 200);
  return page;
end
$$;
comment on function public.record_timeline is
  'What happened to a record and what was said about it, newest first; the last entry''s "at" and "key" are the cursor of the page after it. "names" tells what the linked records of a change are called.';

revoke all on function
  private.linked_deals(uuid, uuid, uuid), private.neighbours(text, text, text, boolean, uuid)
  from public, anon, authenticated;
revoke all on function
  public.contact_record(uuid), public.company_record(uuid),
  public.contact_neighbours(uuid, jsonb, text, boolean), public.company_neighbours(uuid, jsonb, text, boolean),
  public.record_timeline(text, uuid, timestamptz, text, integer)
  from public, anon;
grant execute on function
  public.contact_record(uuid), public.company_record(uuid),
  public.contact_neighbours(uuid, jsonb, text, boolean), public.company_neighbours(uuid, jsonb, text, boolean),
  public.record_timeline(text, uuid, timestamptz, text, integer)
  to authenticated, service_role;
