-- Deals of several pipelines that are sent to a stage of lost deals get their reason in the same write. Where the stage is not of
-- lost deals, `private.tidy_deal` drops it.

insert into private.bulk_changes (kind, key, sets, label, place) values
  ('deals', 'lost_reason', 'lost_reason = coalesce(private.blank_to_null($2 ->> ''lost_reason''), c.lost_reason)', 'stage', 1);
comment on function public.update_deals is
  'Sets stage with the reason of a loss, expected close, currency, tags or own fields of every deal that a filter means; a stage brings its pipeline with it.';
