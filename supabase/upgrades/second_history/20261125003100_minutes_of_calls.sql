-- How long a call or a meeting took, where somebody says so.

alter table public.notes add column minutes smallint
  constraint notes_minutes_sensible check (minutes between 1 and 1440);
grant insert (minutes), update (minutes) on public.notes to authenticated;

create or replace function public.log_with_next_step(note jsonb, next_step jsonb) returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  logged public.notes;
  task public.tasks;
begin
  insert into public.notes (id, kind, body, outcome, minutes, happened_at, contact_id, company_id, deal_id)
  values ((note ->> 'id')::uuid, note ->> 'kind', note ->> 'body', note ->> 'outcome', (note ->> 'minutes')::smallint,
    coalesce((note ->> 'happened_at')::timestamptz, pg_catalog.now()),
    (note ->> 'contact_id')::uuid, (note ->> 'company_id')::uuid, (note ->> 'deal_id')::uuid)
  on conflict (id) do update set kind = excluded.kind, body = excluded.body, outcome = excluded.outcome,
    minutes = excluded.minutes, happened_at = excluded.happened_at
    where (notes.kind, notes.body, notes.outcome, notes.minutes, notes.happened_at)
      is distinct from (excluded.kind, excluded.body, excluded.outcome, excluded.minutes, excluded.happened_at);
  select n.* into logged from public.notes n where n.id = (note ->> 'id')::uuid;
  task := private.add_next_step(next_step);
  return jsonb_build_object('note', to_jsonb(logged) - 'user_id', 'task', to_jsonb(task) - '{user_id,search_text}'::text[],
    'batch', private.written_batch());
end
$$;
