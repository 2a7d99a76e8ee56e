-- Who one sells to.

create table public.companies (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  website text,
  industry text,
  location text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint companies_name_length check (char_length(name) between 1 and 200),
  constraint companies_website_address check (website ~* '^https?://[^\s/?#]+\S*$' and char_length(website) <= 2000),
  constraint companies_industry_length check (char_length(industry) <= 200),
  constraint companies_location_length check (char_length(location) <= 200)
);
alter table public.companies enable row level security;
comment on table public.companies is 'Organisations that contacts work for and deals are made with.';

create index companies_newest on public.companies (user_id, created_at desc, id desc);
create index companies_by_name on public.companies (user_id, name, id);

create table public.contacts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  first_name text,
  last_name text,
  email text,
  phone_number text,
  role_title text,
  company_id uuid,
  lead_status text not null default 'New',
  notes text,
  lead_score numeric(8, 2) not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text not null generated always as (
    private.fold(
      coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' '
      || regexp_replace(coalesce(phone_number, ''), '[^0-9]', '', 'g')
    )
  ) stored,
  unique (user_id, id),
  constraint contacts_company_id_fkey foreign key (user_id, company_id) references public.companies (user_id, id)
    on delete set null (company_id) deferrable initially immediate,
  constraint contacts_first_name_length check (char_length(first_name) <= 200),
  constraint contacts_last_name_length check (char_length(last_name) <= 200),
  constraint contacts_email_address check (email ~ '^[^\s@]+@[^\s@]+$' and char_length(email) <= 320),
  constraint contacts_phone_number_length check (char_length(phone_number) <= 50),
  constraint contacts_role_title_length check (char_length(role_title) <= 200),
  constraint contacts_notes_length check (char_length(notes) <= 50000),
  constraint contacts_lead_score_number check (lead_score between -999999.99 and 999999.99),
  constraint contacts_lead_status_known
    check (lead_status in ('New', 'Contacted', 'Qualified', 'Proposal Sent', 'Unqualified'))
);
alter table public.contacts enable row level security;
comment on table public.contacts is 'People one sells to, and leads. All names may be missing.';
comment on column public.contacts.search_text is 'What the list''s search looks through: names, e-mail and the digits of the phone number, folded.';

create index contacts_newest on public.contacts (user_id, created_at desc, id desc);
create index contacts_by_company on public.contacts (user_id, company_id);
create index contacts_by_lead_status on public.contacts (user_id, lead_status, created_at desc, id desc);
create index contacts_by_email on public.contacts (user_id, lower(email));
create index contacts_search on public.contacts using gin (user_id, search_text extensions.gin_trgm_ops);

create function private.tidy_company() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.name := coalesce(btrim(new.name, E' \t\r\n'), '');
  new.website := private.blank_to_null(new.website);
  new.industry := private.blank_to_null(new.industry);
  new.location := private.blank_to_null(new.location);
  return new;
end
$$;

create trigger tidy before insert or update on public.companies
  for each row execute function private.tidy_company();

create function private.tidy_contact() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.first_name := private.blank_to_null(new.first_name);
  new.last_name := private.blank_to_null(new.last_name);
  new.email := private.blank_to_null(new.email);
  new.phone_number := private.blank_to_null(new.phone_number);
  new.role_title := private.blank_to_null(new.role_title);
  new.notes := private.blank_to_null(new.notes);
  return new;
end
$$;

create trigger tidy before insert or update on public.contacts
  for each row execute function private.tidy_contact();
