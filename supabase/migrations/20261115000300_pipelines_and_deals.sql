-- What one sells, and how far it has come.

create table public.pipelines (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint pipelines_name_length check (char_length(name) between 1 and 200)
);
alter table public.pipelines enable row level security;
comment on table public.pipelines is 'Ways of selling; each has its own stages.';

create index pipelines_newest on public.pipelines (user_id, created_at desc, id desc);

create table public.pipeline_stages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  pipeline_id uuid not null,
  name text not null,
  "order" integer not null default 0,
  win_probability smallint not null default 50,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, pipeline_id, id),
  constraint pipeline_stages_name_once unique (pipeline_id, name) deferrable initially immediate,
  constraint pipeline_stages_pipeline_id_fkey foreign key (user_id, pipeline_id) references public.pipelines (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint pipeline_stages_name_length check (char_length(name) between 1 and 200),
  constraint pipeline_stages_win_probability_percent check (win_probability between 0 and 100)
);
alter table public.pipeline_stages enable row level security;
comment on table public.pipeline_stages is 'The steps of a pipeline, in the order of "order".';

create index pipeline_stages_in_order on public.pipeline_stages (user_id, pipeline_id, "order", id);

create table public.deals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  value numeric(14, 2) not null default 0,
  expected_close_date date,
  pipeline_id uuid,
  stage_id uuid,
  company_id uuid,
  contact_id uuid,
  "order" double precision not null default 0,
  closed_at timestamptz,
  lost_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint deals_pipeline_id_fkey foreign key (user_id, pipeline_id) references public.pipelines (user_id, id)
    on delete set null (pipeline_id) deferrable initially immediate,
  constraint deals_stage_id_fkey foreign key (user_id, pipeline_id, stage_id) references public.pipeline_stages (user_id, pipeline_id, id)
    on delete set null (stage_id) deferrable initially immediate,
  constraint deals_company_id_fkey foreign key (user_id, company_id) references public.companies (user_id, id)
    on delete set null (company_id) deferrable initially immediate,
  constraint deals_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete set null (contact_id) deferrable initially immediate,
  constraint deals_name_length check (char_length(name) between 1 and 200),
  constraint deals_value_not_negative check (value between 0 and 999999999999.99),
  constraint deals_expected_close_date_sensible
    check (expected_close_date between date '1900-01-01' and date '2200-12-31'),
  constraint deals_order_finite check ("order" between -1e15 and 1e15),
  constraint deals_lost_reason_length check (char_length(lost_reason) <= 2000)
);
alter table public.deals enable row level security;
comment on table public.deals is 'Opportunities. A deal without a stage is active.';
comment on column public.deals."order" is 'Place in its column of the board, smallest first; move_deal writes it.';
comment on column public.deals.closed_at is 'When the deal came to Closed Won or Closed Lost. Set and cleared by the database.';

create index deals_newest on public.deals (user_id, created_at desc, id desc);
create index deals_on_board on public.deals (user_id, pipeline_id, stage_id, "order", created_at desc, id);
create index deals_by_stage on public.deals (user_id, stage_id);
create index deals_by_company on public.deals (user_id, company_id);
create index deals_by_contact on public.deals (user_id, contact_id);
create index deals_by_expected_close on public.deals (user_id, expected_close_date, id);

create function private.tidy_name() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.name := coalesce(btrim(new.name, E' \t\r\n'), '');
  return new;
end
$$;

create trigger tidy before insert or update on public.pipelines
  for each row execute function private.tidy_name();

create function private.guard_stage() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.name := coalesce(btrim(new.name, E' \t\r\n'), '');
  if tg_op = 'UPDATE' and not private.is_restoring() and new.name <> old.name
     and (old.name in ('Closed Won', 'Closed Lost') or new.name in ('Closed Won', 'Closed Lost')) then
    raise exception 'The stages Closed Won and Closed Lost keep their names, because figures hang on them.'
      using errcode = 'PT409';
  end if;
  return new;
end
$$;
comment on function private.guard_stage is
  'Won and lost are told by the stage''s name, so those two names neither change nor are given to another stage.';

create trigger guard before insert or update on public.pipeline_stages
  for each row execute function private.guard_stage();

create function private.tidy_deal() returns trigger
language plpgsql
set search_path = ''
as $$
declare
  stage public.pipeline_stages;
  is_new_stage boolean;
begin
  new.name := coalesce(btrim(new.name, E' \t\r\n'), '');
  new.lost_reason := private.blank_to_null(new.lost_reason);
  if private.is_restoring() then
    return new;
  end if;

  if tg_op = 'INSERT' then
    if new.stage_id is null and new.pipeline_id is null then
      select p.id into new.pipeline_id from public.pipelines p
        where p.user_id = new.user_id order by p.created_at, p.id limit 1;
    end if;
  elsif new.pipeline_id is distinct from old.pipeline_id and new.stage_id is not distinct from old.stage_id then
    -- A stage of the old pipeline has no place in the new one.
    new.stage_id := null;
  end if;

  is_new_stage := tg_op = 'INSERT' or new.stage_id is distinct from old.stage_id;
  if new.stage_id is not null then
    select * into stage from public.pipeline_stages s
      where s.id = new.stage_id and s.user_id = new.user_id;
    -- Whoever names only the stage means its pipeline too.
    if tg_op = 'INSERT' then
      new.pipeline_id := coalesce(new.pipeline_id, stage.pipeline_id);
    elsif is_new_stage and new.pipeline_id is not distinct from old.pipeline_id then
      new.pipeline_id := coalesce(stage.pipeline_id, new.pipeline_id);
    end if;
    -- With a null in it the composite key would not be checked.
    if new.pipeline_id is null then
      raise exception 'The chosen stage does not exist any more.' using errcode = '23503';
    end if;
  end if;

  if is_new_stage then
    -- The same outcome in another pipeline is no new one.
    new.closed_at := case
      when coalesce(stage.name, '') not in ('Closed Won', 'Closed Lost') then null
      when tg_op = 'UPDATE' and exists (
        select from public.pipeline_stages s
        where s.id = old.stage_id and s.user_id = new.user_id and s.name = stage.name
      ) then old.closed_at
      else now()
    end;
  elsif tg_op = 'UPDATE' then
    new.closed_at := old.closed_at;
  end if;
  if stage.name is distinct from 'Closed Lost' then
    new.lost_reason := null;
  end if;
  return new;
end
$$;
comment on function private.tidy_deal is
  'Keeps pipeline and stage together, stamps closed_at, and drops the reason of a loss when the deal is not lost.';

create trigger tidy before insert or update on public.deals
  for each row execute function private.tidy_deal();
