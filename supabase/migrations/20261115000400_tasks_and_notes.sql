-- What one has to do, and what one has said and heard.

create table public.tasks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  title text not null,
  description text,
  priority text not null default 'medium',
  due_date timestamptz,
  completed boolean not null default false,
  completed_at timestamptz,
  deal_id uuid,
  contact_id uuid,
  company_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint tasks_deal_id_fkey foreign key (user_id, deal_id) references public.deals (user_id, id)
    on delete set null (deal_id) deferrable initially immediate,
  constraint tasks_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete set null (contact_id) deferrable initially immediate,
  constraint tasks_company_id_fkey foreign key (user_id, company_id) references public.companies (user_id, id)
    on delete set null (company_id) deferrable initially immediate,
  constraint tasks_title_length check (char_length(title) between 1 and 500),
  constraint tasks_description_length check (char_length(description) <= 50000),
  constraint tasks_priority_known check (priority in ('low', 'medium', 'high', 'urgent')),
  constraint tasks_due_date_sensible
    check (due_date >= timestamptz '1900-01-01 00:00+00' and due_date < timestamptz '2201-01-01 00:00+00')
);
alter table public.tasks enable row level security;
comment on table public.tasks is 'Reminders. Overdue means not completed and due before now.';
comment on column public.tasks.completed_at is 'When the task was completed. Set and cleared by the database.';

create index tasks_newest on public.tasks (user_id, created_at desc, id desc);
create index tasks_by_due_date on public.tasks (user_id, completed, due_date, id);
create index tasks_by_deal on public.tasks (user_id, deal_id);
create index tasks_by_contact on public.tasks (user_id, contact_id);
create index tasks_by_company on public.tasks (user_id, company_id);

create function private.tidy_task() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.title := coalesce(btrim(new.title, E' \t\r\n'), '');
  new.description := private.blank_to_null(new.description);
  if private.is_restoring() then
    return new;
  end if;
  new.completed_at := case
    when not new.completed then null
    when tg_op = 'UPDATE' and old.completed then old.completed_at
    else now()
  end;
  return new;
end
$$;

create trigger tidy before insert or update on public.tasks
  for each row execute function private.tidy_task();

create table public.notes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  kind text not null default 'note',
  body text,
  outcome text,
  happened_at timestamptz not null default now(),
  contact_id uuid,
  company_id uuid,
  deal_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint notes_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint notes_company_id_fkey foreign key (user_id, company_id) references public.companies (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint notes_deal_id_fkey foreign key (user_id, deal_id) references public.deals (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint notes_kind_known check (kind in ('note', 'call', 'meeting', 'email')),
  constraint notes_body_length check (char_length(body) <= 50000),
  constraint notes_outcome_length check (char_length(outcome) <= 500),
  constraint notes_happened_at_sensible
    check (happened_at >= timestamptz '1900-01-01 00:00+00' and happened_at < timestamptz '2201-01-01 00:00+00'),
  constraint notes_on_one_record check (num_nonnulls(contact_id, company_id, deal_id) = 1)
);
alter table public.notes enable row level security;
comment on table public.notes is 'Notes, calls, meetings and e-mails, each on one contact, company or deal.';

create index notes_by_contact on public.notes (user_id, contact_id, happened_at desc, id desc);
create index notes_by_company on public.notes (user_id, company_id, happened_at desc, id desc);
create index notes_by_deal on public.notes (user_id, deal_id, happened_at desc, id desc);

create function private.tidy_note() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.body := private.blank_to_null(new.body);
  new.outcome := private.blank_to_null(new.outcome);
  return new;
end
$$;

create trigger tidy before insert or update on public.notes
  for each row execute function private.tidy_note();
