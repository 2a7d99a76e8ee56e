-- A webhook whose address is dead is switched off also where little happens. Until now a pause of three days between two messages
-- began the count anew, so that one message a week failed for ever. Now what counts is the time in which it was seen failing: a
-- quiet time between two tries counts as one day at most.

alter table private.webhooks add column failed_for interval not null default '0';
comment on column private.webhooks.failed_for is
  'How long it has failed since failing_since, of which each time between two tries counts as one day at most.';

create or replace function private.note_delivery(
  delivery uuid, is_delivered boolean, is_last boolean, http_status integer, problem text, answer text
)
returns void
language plpgsql
set search_path = ''
as $$
declare
  hook uuid;
begin
  update private.webhook_deliveries d set
    status = case when is_delivered then 'delivered' when is_last then 'failed' else 'waiting' end,
    tries = d.tries + 1, tried_at = clock_timestamp(), http_status = note_delivery.http_status,
    problem = left(note_delivery.problem, 300), answer = left(note_delivery.answer, 500)
  where d.id = delivery
  returning d.webhook_id into hook;
  update private.webhooks w set failing_since = null where w.id = hook and is_delivered and w.failing_since is not null;
  update private.webhooks w set
    failed_at = now(),
    failing_since = coalesce(w.failing_since, now()),
    failed_for = f.failed_for,
    switched_off_at = case when f.failed_for >= interval '7 days' then now() end
  from (
    select x.id, case when x.failing_since is null then interval '0'
      else x.failed_for + least(greatest(now() - x.failed_at, interval '0'), interval '1 day') end as failed_for
    from private.webhooks x where x.id = hook for update
  ) f
  where w.id = f.id and not is_delivered and w.switched_off_at is null and not w.is_paused;
end
$$;
comment on function private.note_delivery is
  'Notes what became of a try. A webhook that has been seen failing for a week, and of which nothing arrived meanwhile, is switched off.';
