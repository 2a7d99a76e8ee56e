-- Writes that touch several rows: one call, one transaction.

create function private.add_default_stages(pipeline public.pipelines) returns void
language sql
set search_path = ''
as $$
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  values
    (pipeline.user_id, pipeline.id, 'Lead', 1, 10),
    (pipeline.user_id, pipeline.id, 'Qualified', 2, 25),
    (pipeline.user_id, pipeline.id, 'Proposal', 3, 50),
    (pipeline.user_id, pipeline.id, 'Negotiation', 4, 75),
    (pipeline.user_id, pipeline.id, 'Closed Won', 5, 100)
$$;
revoke all on function private.add_default_stages(public.pipelines) from public;
grant execute on function private.add_default_stages(public.pipelines) to authenticated, service_role;

create function public.create_pipeline(name text) returns public.pipelines
language plpgsql
set search_path = ''
as $$
declare
  made public.pipelines;
begin
  if auth.uid() is null then
    raise exception 'Not authenticated' using errcode = 'PT401';
  end if;
  insert into public.pipelines (user_id, name) values (auth.uid(), create_pipeline.name) returning * into made;
  perform private.add_default_stages(made);
  return made;
end
$$;
comment on function public.create_pipeline is 'A pipeline together with its five default stages.';
revoke all on function public.create_pipeline(text) from public, anon;
grant execute on function public.create_pipeline(text) to authenticated, service_role;

create function private.welcome_account() returns trigger
language plpgsql
security definer -- runs as the authentication service, which has no rights on our tables
set search_path = ''
as $$
declare
  made public.pipelines;
begin
  -- What comes with the account is not something the user did.
  perform set_config('solo.silent', 'on', true);
  insert into public.preferences (user_id) values (new.id);
  insert into public.pipelines (user_id, name) values (new.id, 'Sales Pipeline') returning * into made;
  perform private.add_default_stages(made);
  perform set_config('solo.silent', 'off', true);
  return new;
end
$$;
comment on function private.welcome_account is 'A new account starts with its preferences and one pipeline.';
revoke all on function private.welcome_account() from public;

create trigger welcome_account after insert on auth.users
  for each row execute function private.welcome_account();

create function public.move_deal(id uuid, stage_id uuid, before_id uuid default null, after_id uuid default null)
returns public.deals
language plpgsql
set search_path = ''
as $$
declare
  step constant double precision := 1024;
  moved public.deals;
  target_pipeline uuid;
  above double precision;
  below double precision;
  place double precision;
begin
  select * into moved from public.deals d where d.id = move_deal.id;
  if moved.id is null then
    raise exception 'This deal does not exist any more.' using errcode = 'PT404';
  end if;
  target_pipeline := moved.pipeline_id;
  if move_deal.stage_id is not null then
    select s.pipeline_id into target_pipeline from public.pipeline_stages s where s.id = move_deal.stage_id;
    if not found then
      raise exception 'The chosen stage does not exist any more.' using errcode = 'PT404';
    end if;
  end if;

  -- Two moves into one column wait for each other, so that they cannot choose the same place; and they
  -- wait here, before they hold any row that the other might want.
  perform pg_advisory_xact_lock(hashtextextended(
    coalesce(move_deal.stage_id, target_pipeline, moved.user_id)::text, 0));
  select * into moved from public.deals d where d.id = move_deal.id for update;
  if moved.id is null then
    raise exception 'This deal does not exist any more.' using errcode = 'PT404';
  end if;

  with others as (
    select d.id, d."order",
      lead(d."order") over in_column as next_order,
      lag(d."order") over in_column as previous_order
    from public.deals d
    where d.user_id = moved.user_id
      and d.pipeline_id is not distinct from target_pipeline
      and d.stage_id is not distinct from move_deal.stage_id
      and d.id <> moved.id
    window in_column as (order by d."order", d.created_at desc, d.id)
  )
  -- A neighbour that has left the column meanwhile is passed over; without any the deal goes last.
  select near.above, near.below into above, below
  from (
    select o."order" as above, o.next_order as below, 1 as choice from others o where o.id = move_deal.before_id
    union all
    select o.previous_order, o."order", 2 from others o where o.id = move_deal.after_id
    union all
    select max(o."order"), null, 3 from others o
  ) near
  order by near.choice limit 1;

  place := case
    when above is null and below is null then 0
    when above is null then below - step
    when below is null then above + step
    else above + (below - above) / 2
  end;

  if (above is null or place > above) and (below is null or place < below) and abs(place) < 1e15 then
    update public.deals d
      set stage_id = move_deal.stage_id, pipeline_id = target_pipeline, "order" = place
      where d.id = moved.id
      returning * into moved;
    return moved;
  end if;

  -- A tie, or no number left between the two: the whole column is numbered anew in one statement.
  with others as (
    select d.id, row_number() over (order by d."order", d.created_at desc, d.id) as rank
    from public.deals d
    where d.user_id = moved.user_id
      and d.pipeline_id is not distinct from target_pipeline
      and d.stage_id is not distinct from move_deal.stage_id
      and d.id <> moved.id
  ),
  gap as (
    select coalesce(
      (select o.rank from others o where o.id = move_deal.before_id),
      (select o.rank - 1 from others o where o.id = move_deal.after_id),
      (select count(*) from others)
    ) as rank
  ),
  places as (
    select o.id, (case when o.rank <= gap.rank then o.rank else o.rank + 1 end) * step as place from others o, gap
    union all
    select moved.id, (gap.rank + 1) * step from gap
  )
  update public.deals d
    set "order" = p.place,
        stage_id = case when d.id = moved.id then move_deal.stage_id else d.stage_id end,
        pipeline_id = case when d.id = moved.id then target_pipeline else d.pipeline_id end
    from places p
    where d.id = p.id;
  select * into moved from public.deals d where d.id = move_deal.id;
  return moved;
end
$$;
comment on function public.move_deal is
  'Places a deal in a column of the board, under before_id and over after_id. Writes one row, unless the column must be numbered anew.';
revoke all on function public.move_deal(uuid, uuid, uuid, uuid) from public, anon;
grant execute on function public.move_deal(uuid, uuid, uuid, uuid) to authenticated, service_role;

-- Accounts that were there before this schema get what a new one gets.
with newcomers as (
  insert into public.preferences (user_id)
  select u.id from auth.users u
  on conflict (user_id) do nothing
  returning user_id
),
made as (
  insert into public.pipelines (user_id, name)
  select n.user_id, 'Sales Pipeline' from newcomers n
  returning *
)
select private.add_default_stages(made) from made;
