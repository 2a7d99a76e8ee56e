-- A next step that is planned from the dashboard is linked to the contact and the company of its deal.

create function private.attention_row(deal public.deals, has_next boolean, is_stale boolean) returns jsonb
language sql stable
set search_path = ''
as $$
  select jsonb_build_object(
    'id', deal.id, 'name', deal.name, 'value', deal.value, 'currency', deal.currency, 'has_next', has_next,
    'is_stale', is_stale, 'stage_since', deal.stage_since,
    'stage_name', (select s.name from public.pipeline_stages s where s.id = deal.stage_id),
    'company_id', deal.company_id,
    'company_name', (select c.name from public.companies c where c.id = deal.company_id),
    'contact', (
      select jsonb_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name)
      from public.contacts c where c.id = deal.contact_id
    ))
$$;
comment on function private.attention_row is
  'A deal that needs a push, as the dashboard shows it and as its next step is linked.';

create or replace function private.attention(stale timestamptz) returns jsonb
language sql stable
set search_path = ''
as $$
  with needy as materialized (
    select * from private.deals_needing_a_push(stale + private.default_stay())
  )
  select jsonb_build_object(
    'total', (select count(*) from needy),
    'rows', coalesce((
      select jsonb_agg(private.attention_row(d, n.has_next, n.is_stale) order by n.worth desc nulls last, n.id)
      from (select * from needy order by worth desc nulls last, id limit 8) n
      join public.deals d on d.id = n.id
    ), '[]')
  )
$$;

revoke all on function private.attention_row(public.deals, boolean, boolean) from public, anon, authenticated;
grant execute on function private.attention_row(public.deals, boolean, boolean) to authenticated, service_role;
