-- A period counts the emails that were really sent, beside the drafts that were opened in a mail app.

create or replace function private.period_figures(filter jsonb, first_day date, last_day date, time_zone text) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  pipeline uuid := (filter ->> 'pipeline')::uuid;
  stages text[] := case when filter ? 'stage' then private.texts(filter -> 'stage') end;
  begins timestamptz := private.day_begins(first_day, time_zone);
  ends timestamptz := private.day_begins(last_day + 1, time_zone);
begin
  return (
    select jsonb_build_object(
      'won', count(*) filter (where d.is_closed and d.outcome = 'won'),
      'won_value', coalesce(sum(d.worth) filter (where d.is_closed and d.outcome = 'won'), 0)::text,
      'lost', count(*) filter (where d.is_closed and d.outcome = 'lost'),
      'lost_value', coalesce(sum(d.worth) filter (where d.is_closed and d.outcome = 'lost'), 0)::text,
      'deals', count(*) filter (where d.is_new),
      'deals_value', coalesce(sum(d.worth) filter (where d.is_new), 0)::text)
    from (
      select private.worth(d.value, d.currency, d.rate) as worth, s.outcome,
        d.closed_at >= begins and d.closed_at < ends as is_closed,
        d.created_at >= begins and d.created_at < ends as is_new
      from public.deals d
      left join public.pipeline_stages s on s.pipeline_id = d.pipeline_id and s.id = d.stage_id
      where (pipeline is null or d.pipeline_id = pipeline)
        and (stages is null or d.stage_id::text = any (stages) or d.stage_id is null and 'none' = any (stages))
    ) d
  ) || jsonb_build_object(
    'contacts', (select count(*) from public.contacts c where c.created_at >= begins and c.created_at < ends),
    'companies', (select count(*) from public.companies c where c.created_at >= begins and c.created_at < ends),
    'tasks', (
      select count(*) from public.tasks t where t.completed and t.completed_at >= begins and t.completed_at < ends
    ),
    'mails', (
      select count(*) from public.mails m
      where m.direction = 'out' and not m.is_automatic and not m.is_private and m.sent_at >= begins and m.sent_at < ends
    )
  ) || (
    select jsonb_build_object(
      'calls', count(*) filter (where n.kind = 'call'), 'meetings', count(*) filter (where n.kind = 'meeting'),
      'emails', count(*) filter (where n.kind = 'email'))
    from public.notes n where n.happened_at >= begins and n.happened_at < ends
  );
end
$$;
