-- Why deals are lost: a list that the user keeps, from which "Mark as lost" suggests. A deal holds the words themselves, so a
-- reason that was renamed or deleted changes no deal. It stands with the preferences: backed up, restored and deleted with them.

alter table public.preferences add column lost_reasons text[] not null
  default array['Price', 'Chose a competitor', 'No budget', 'Bad timing', 'No answer'];
comment on column public.preferences.lost_reasons is 'The reasons that are suggested when a deal is marked as lost, in their order.';

grant insert (lost_reasons), update (lost_reasons) on public.preferences to authenticated;

create function private.tidy_lost_reasons() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  -- Each once, whatever its case, at its first place.
  new.lost_reasons := coalesce((
    select array_agg(r.words order by r.place)
    from (
      select distinct on (lower(btrim(u.words))) btrim(u.words) as words, u.place
      from unnest(new.lost_reasons) with ordinality as u (words, place)
      where btrim(coalesce(u.words, '')) <> ''
      order by lower(btrim(u.words)), u.place
    ) r
  ), '{}');
  if cardinality(new.lost_reasons) > 50 or exists (select from unnest(new.lost_reasons) as words where char_length(words) > 200) then
    raise exception 'There can be 50 reasons, of 200 characters each. Nothing was saved.' using errcode = 'PT400';
  end if;
  return new;
end
$$;
comment on function private.tidy_lost_reasons is 'Reasons are trimmed, each is there once, and there are not too many to choose from.';

create trigger tidy_lost_reasons before insert or update of lost_reasons on public.preferences
  for each row execute function private.tidy_lost_reasons();

revoke all on function private.tidy_lost_reasons() from public, anon, authenticated;
grant execute on function private.tidy_lost_reasons() to authenticated, service_role;
