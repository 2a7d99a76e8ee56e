-- Won and lost are told by their stages: neither can be taken out of a pipeline. A whole pipeline can be deleted, and
-- what undoes something may take a stage away again that it had added.

create function private.is_closed_stage(name text) returns boolean
language sql immutable parallel safe
set search_path = ''
as $$ select name in ('Closed Won', 'Closed Lost') $$;
comment on function private.is_closed_stage is 'Whether a stage of this name tells the outcome of its deals.';

create function private.refuse_removal_of_closed_stage() returns void
language plpgsql
set search_path = ''
as $$
begin
  raise exception 'The stages Closed Won and Closed Lost cannot be removed, because figures hang on them. Nothing was saved.'
    using errcode = 'PT409';
end
$$;
comment on function private.refuse_removal_of_closed_stage is 'Says in words why, wherever it is tried.';

create function private.keep_closed_stage() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  if private.is_closed_stage(old.name)
    and not private.is_restoring() and coalesce(current_setting('solo.undoes', true), '') = ''
    -- Of a pipeline that is being deleted nothing is left here.
    and exists (select from public.pipelines p where p.user_id = old.user_id and p.id = old.pipeline_id)
  then
    perform private.refuse_removal_of_closed_stage();
  end if;
  return old;
end
$$;
comment on function private.keep_closed_stage is 'Closed Won and Closed Lost stay for as long as their pipeline does.';

create trigger keep_closed before delete on public.pipeline_stages
  for each row execute function private.keep_closed_stage();

create or replace function public.save_stages(pipeline uuid, stages jsonb, moves jsonb default '{}') returns jsonb
language plpgsql
set search_path = ''
as $$
declare
  removed uuid[];
begin
  perform private.lock_pipelines();
  if not exists (select from public.pipelines p where p.id = save_stages.pipeline) then
    raise exception 'This pipeline does not exist any more.' using errcode = 'PT404';
  end if;
  -- What cannot be read must not mean that all are removed.
  if stages is null or jsonb_typeof(stages) <> 'array' or stages = '[]' then
    raise exception 'A pipeline needs at least one stage.' using errcode = 'PT400';
  end if;
  if (select count(w.id) > count(distinct w.id) from jsonb_to_recordset(stages) as w (id uuid)) then
    raise exception 'A stage is named twice.' using errcode = 'PT400';
  end if;
  if exists (
    select from jsonb_to_recordset(stages) as w (id uuid)
    join public.pipeline_stages s on s.id = w.id where s.pipeline_id <> save_stages.pipeline
  ) then
    raise exception 'A stage belongs to another pipeline.' using errcode = 'PT409';
  end if;
  if exists (
    select from jsonb_to_recordset(stages) as w (id uuid)
    join public.changes c on c.row_id = w.id and c.verb = 'delete'
    where c.user_id = auth.uid() and not exists (select from public.pipeline_stages s where s.id = w.id)
  ) then
    raise exception 'A stage was removed meanwhile. Nothing was saved; look at the stages again.' using errcode = 'PT409';
  end if;
  -- Who puts a deal into one of these at the same time waits, and finds it gone.
  removed := array(
    select s.id from public.pipeline_stages s
    where s.pipeline_id = save_stages.pipeline
      and not exists (select from jsonb_to_recordset(stages) as w (id uuid) where w.id = s.id)
    order by s.id for update
  );
  if exists (select from public.pipeline_stages s where s.id = any (removed) and private.is_closed_stage(s.name)) then
    perform private.refuse_removal_of_closed_stage();
  end if;

  -- Two stages may swap their names: what counts is how they stand in the end.
  set constraints public.pipeline_stages_name_once deferred;
  insert into public.pipeline_stages (id, pipeline_id, name, "order", win_probability)
  select coalesce(w.id, gen_random_uuid()), save_stages.pipeline, w.name, w.place, w.win_probability
  from rows from (jsonb_to_recordset(stages) as (id uuid, name text, win_probability integer)) with ordinality
    as w (id, name, win_probability, place)
  where not exists (select from public.pipeline_stages s where s.id = w.id);
  update public.pipeline_stages s set name = w.name, "order" = w.place, win_probability = w.win_probability
  from rows from (jsonb_to_recordset(stages) as (id uuid, name text, win_probability integer)) with ordinality
    as w (id, name, win_probability, place)
  where s.id = w.id and s.pipeline_id = save_stages.pipeline
    and (s.name, s."order", s.win_probability) is distinct from (w.name, w.place::integer, w.win_probability::smallint);

  if exists (
    select from jsonb_each_text(moves) m
    where m.key::uuid = any (removed) and m.value is distinct from 'none' and not exists (
      select from public.pipeline_stages s
      where s.pipeline_id = save_stages.pipeline and s.id::text = m.value and s.id <> all (removed)
    )
  ) then
    raise exception 'The stage that deals shall go to does not exist any more.' using errcode = 'PT409';
  end if;
  -- "none" leaves the deals without a stage; who says nothing has not been asked.
  update public.deals d set stage_id = nullif(m.value, 'none')::uuid
  from jsonb_each_text(moves) m
  where d.stage_id = m.key::uuid and d.stage_id = any (removed);
  if exists (select from public.deals d where d.stage_id = any (removed)) then
    raise exception 'Deals came to a stage that you removed. Say where they go.' using errcode = 'PT409';
  end if;
  delete from public.pipeline_stages s where s.id = any (removed);
  set constraints public.pipeline_stages_name_once immediate;
  return jsonb_build_object('batch', private.written_batch());
end
$$;
comment on function public.save_stages is
  'The stages of a pipeline as they shall stand, in this order; those not named are removed and their deals go where "moves" says. One transaction, one batch.';

create or replace function public.remove_sample_data() returns jsonb
language plpgsql
security definer -- reads which rows are samples, which clients may not; deletes rows of auth.uid() only
set search_path = ''
as $$
declare
  me uuid := private.caller();
  ids uuid[];
  stages uuid[];
  removed bigint := 0;
  row_count bigint;
  kind text;
begin
  perform pg_advisory_xact_lock(hashtextextended('samples ' || me, 0));
  if not private.has_samples() then
    raise exception 'There is no sample data any more.' using errcode = 'PT404';
  end if;
  perform private.lock_pipelines();
  select array_agg(c.row_id), array_agg(c.row_id) filter (where c.table_name = 'pipeline_stages') into ids, stages
  from private.deeds e
  join public.changes c on c.user_id = e.user_id and c.batch = e.batch and c.verb = 'insert'
  where e.user_id = me and e.deed = 'samples';
  -- What links goes before what is linked to.
  foreach kind in array array['notes', 'tasks', 'deals', 'contacts', 'companies'] loop
    execute format('delete from public.%I t where t.user_id = $1 and t.id = any ($2)', kind) using me, ids;
    get diagnostics row_count = row_count;
    removed := removed + row_count;
  end loop;
  -- A stage that came with them stays where a deal of the user's own has come to it. Closed Lost may be among them.
  perform set_config('solo.restoring', 'on', true);
  delete from public.pipeline_stages s
  where s.user_id = me and s.id = any (stages)
    and not exists (select from public.deals d where d.user_id = me and d.stage_id = s.id);
  perform set_config('solo.restoring', 'off', true);
  perform private.name_deed('samples');
  return private.bulk_answer(removed);
end
$$;

revoke all on function
  private.is_closed_stage(text), private.refuse_removal_of_closed_stage(), private.keep_closed_stage()
  from public, anon, authenticated;
-- Called in the name of whoever saves the stages or deletes one.
grant execute on function private.is_closed_stage(text), private.refuse_removal_of_closed_stage() to authenticated, service_role;
