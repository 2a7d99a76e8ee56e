-- What a device keeps of the account, so that anyone can be found and called without a network: every contact by name,
-- company, phone and e-mail, and the open deals. A device reads all contacts once, and then those that changed. Decision 051.

create function private.device_contact(contact public.contacts) returns jsonb
language sql stable
set search_path = ''
as $$
  -- A list, not an object: the names would be longer than what they name, a hundred thousand times.
  select jsonb_build_array(
    contact.id, contact.first_name, contact.last_name, contact.email, contact.phone_number, contact.company_id,
    (select k.name from public.companies k where k.id = contact.company_id), contact.role_title, contact.lead_status, contact.created_at,
    case when jsonb_array_length(contact.emails) > 1 then contact.emails end,
    case when jsonb_array_length(contact.phones) > 1 then contact.phones end
  )
$$;
comment on function private.device_contact is
  'What a device keeps of a contact: id, first and last name, e-mail, phone, company and its name, role, lead status, when it was added, and all e-mails and phones where there are several.';

create function private.device_mark(account uuid) returns jsonb
language sql stable
set search_path = ''
as $$
  -- From batch to batch by the index, however many rows each has.
  with recursive steps as (
    (
      select 1 as number, c.created_at, c.batch from public.changes c
      where c.user_id = account order by c.created_at desc, c.batch desc limit 1
    )
    union all
    select s.number + 1, n.created_at, n.batch
    from steps s
    cross join lateral (
      select c.created_at, c.batch from public.changes c
      where c.user_id = account and (c.created_at, c.batch) < (s.created_at, s.batch)
      order by c.created_at desc, c.batch desc limit 1
    ) n
    where s.number < 20
  )
  select jsonb_build_object('at', now(), 'change', coalesce((
    select max(l.id) from steps s cross join lateral (
      select max(c.id) as id from public.changes c where c.user_id = account and c.batch = s.batch
    ) l
  ), 0))
$$;
comment on function private.device_mark is
  'How far the log of an account goes now. Of two transactions the one with the lower number may be committed last, so a device asks from a mark that is some minutes old.';

create function public.device_contacts(after uuid default null, page_size integer default 1000) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  size integer := least(greatest(page_size, 1), 1000);
  found_rows jsonb;
  last_id uuid;
begin
  select jsonb_agg(private.device_contact(c) order by c.id), (array_agg(c.id order by c.id desc))[1]
  into found_rows, last_id
  from (
    select * from public.contacts c
    where c.user_id = me and c.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
    order by c.id limit size
  ) c;
  return jsonb_build_object(
    'rows', coalesce(found_rows, '[]'),
    'next', case when jsonb_array_length(found_rows) = size then last_id end,
    'mark', private.device_mark(me)
  );
end
$$;
comment on function public.device_contacts is
  'The contacts of the caller as a device keeps them, in the order of their ids, with where the next part begins, and the mark from which changes are asked for: that of the first part.';

create function public.device_changes(since jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  -- More than this is read as a whole.
  most constant integer := 5000;
  first_change bigint := (since ->> 'change')::bigint;
  -- The entries of long work have the moment at which it began.
  first_moment timestamptz := (since ->> 'at')::timestamptz - interval '1 day';
  mark jsonb := private.device_mark(me);
  changed uuid[];
  renamed uuid[];
begin
  if first_change is null or first_moment is null or first_change > (mark ->> 'change')::bigint then
    -- Another installation, or an earlier state of this one.
    return jsonb_build_object('is_whole', false, 'rows', '[]'::jsonb, 'gone', '[]'::jsonb, 'mark', mark);
  end if;
  select array_agg(distinct c.row_id) filter (where c.table_name = 'contacts'),
    array_agg(distinct c.row_id) filter (where c.table_name = 'companies')
  into changed, renamed
  from public.changes c
  where c.user_id = me and c.created_at >= first_moment and c.id > first_change
    and c.table_name in ('contacts', 'companies');
  if cardinality(renamed) > 0 then
    changed := array(
      select unnest(changed)
      union
      (select c.id from public.contacts c where c.user_id = me and c.company_id = any (renamed) limit most + 1)
    );
  end if;
  if cardinality(changed) > most then
    return jsonb_build_object('is_whole', false, 'rows', '[]'::jsonb, 'gone', '[]'::jsonb, 'mark', mark);
  end if;
  return jsonb_build_object(
    'is_whole', true,
    'rows', coalesce((
      select jsonb_agg(private.device_contact(c) order by c.id) from public.contacts c
      where c.user_id = me and c.id = any (changed)
    ), '[]'),
    'gone', coalesce((
      select jsonb_agg(g.id) from unnest(changed) as g (id)
      where not exists (select from public.contacts c where c.user_id = me and c.id = g.id)
    ), '[]'),
    'mark', mark
  );
end
$$;
comment on function public.device_changes is
  'The contacts of the caller that were added or changed since a mark, also by a new name of their company, and the ids of those that are gone. Not whole: there are too many, or the mark is none of this log; then the device reads all of them.';

create function public.device_deals(after uuid default null, page_size integer default 500) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  size integer := least(greatest(page_size, 1), 1000);
  ids uuid[];
begin
  ids := array(
    select d.id from public.deals d
    left join public.pipeline_stages s on s.id = d.stage_id
    where d.user_id = me and d.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
      and coalesce(s.outcome, 'open') = 'open'
    order by d.id limit size
  );
  return jsonb_build_object(
    'rows', private.deal_cards(ids)::jsonb,
    'next', case when cardinality(ids) = size then ids[size] end
  );
end
$$;
comment on function public.device_deals is 'The open deals of the caller as lists show them, in the order of their ids.';

revoke all on function
  private.device_contact(public.contacts), private.device_mark(uuid),
  public.device_contacts(uuid, integer), public.device_changes(jsonb), public.device_deals(uuid, integer)
  from public, anon, authenticated;
grant execute on function
  private.device_contact(public.contacts), private.device_mark(uuid),
  public.device_contacts(uuid, integer), public.device_changes(jsonb), public.device_deals(uuid, integer)
  to authenticated, service_role;
