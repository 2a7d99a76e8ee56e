-- How one arranges one's work.

create table public.collections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, id),
  constraint collections_name_once unique (user_id, name) deferrable initially immediate,
  constraint collections_name_length check (char_length(name) between 1 and 200)
);
alter table public.collections enable row level security;
comment on table public.collections is 'Named sets of contacts; a contact may be in several.';

create table public.collection_members (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  collection_id uuid not null,
  contact_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint collection_members_once unique (collection_id, contact_id) deferrable initially immediate,
  constraint collection_members_collection_id_fkey foreign key (user_id, collection_id) references public.collections (user_id, id)
    on delete cascade deferrable initially immediate,
  constraint collection_members_contact_id_fkey foreign key (user_id, contact_id) references public.contacts (user_id, id)
    on delete cascade deferrable initially immediate
);
alter table public.collection_members enable row level security;
comment on table public.collection_members is 'Which contact is in which collection.';

create index collection_members_by_collection on public.collection_members (user_id, collection_id);
create index collection_members_by_contact on public.collection_members (user_id, contact_id);

create table public.saved_views (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  screen text not null,
  name text not null,
  query text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint saved_views_name_once unique (user_id, screen, name) deferrable initially immediate,
  constraint saved_views_screen_known check (screen in ('contacts', 'companies', 'deals', 'tasks')),
  constraint saved_views_name_length check (char_length(name) between 1 and 200),
  constraint saved_views_query_length check (char_length(query) <= 8000)
);
alter table public.saved_views enable row level security;
comment on table public.saved_views is 'The address query of a list (filters, sort, columns) under a name.';

create table public.email_templates (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text not null,
  subject text not null default '',
  body text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint email_templates_name_once unique (user_id, name) deferrable initially immediate,
  constraint email_templates_name_length check (char_length(name) between 1 and 200),
  constraint email_templates_subject_length check (char_length(subject) <= 1000),
  constraint email_templates_body_length check (char_length(body) <= 50000)
);
alter table public.email_templates enable row level security;
comment on table public.email_templates is 'E-mails with merge fields, kept for use again.';

create table public.preferences (
  user_id uuid primary key default auth.uid() references auth.users (id) on delete cascade,
  display_name text,
  time_zone text,
  theme text not null default 'system',
  week_starts_on smallint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint preferences_display_name_length check (char_length(display_name) <= 200),
  constraint preferences_time_zone_length check (char_length(time_zone) between 1 and 100),
  constraint preferences_theme_known check (theme in ('light', 'dark', 'system')),
  constraint preferences_week_starts_on_day check (week_starts_on between 0 and 6)
);
alter table public.preferences enable row level security;
comment on table public.preferences is 'One row an account: how the user wants to see things. time_zone is null until a browser tells it; 0 is Sunday.';

create trigger tidy before insert or update on public.collections
  for each row execute function private.tidy_name();
create trigger tidy before insert or update on public.saved_views
  for each row execute function private.tidy_name();
create trigger tidy before insert or update on public.email_templates
  for each row execute function private.tidy_name();

create function private.tidy_preferences() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.display_name := private.blank_to_null(new.display_name);
  new.time_zone := private.blank_to_null(new.time_zone);
  if new.time_zone is not null and (tg_op = 'INSERT' or new.time_zone is distinct from old.time_zone) then
    begin
      perform now() at time zone new.time_zone;
    exception when invalid_parameter_value then
      raise exception 'The time zone % is not known.', new.time_zone using errcode = 'PT400';
    end;
  end if;
  return new;
end
$$;
comment on function private.tidy_preferences is 'A time zone that PostgreSQL does not know would break every query that is told to use it.';

create trigger tidy before insert or update on public.preferences
  for each row execute function private.tidy_preferences();
