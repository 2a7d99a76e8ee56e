-- The account: what it begins with, sample data, the erasure of what has expired, its sessions, and its deletion.

-- A new account -----------------------------------------------------------------------------------------------

create function private.welcome_account() returns trigger
language plpgsql
security definer
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
comment on function private.welcome_account is 'A new account starts with its preferences and one pipeline. A definer because the authentication service has no rights on our tables.';

create trigger welcome_account after insert on auth.users
  for each row execute function private.welcome_account();

-- Sample data -------------------------------------------------------------------------------------------------

-- Records to try the product with, added by one call and removed by another. The samples are the rows that a batch with the
-- action "samples" added, according to the log.
create function private.sample_id(load uuid, kind text, number integer) returns uuid
language sql immutable
set search_path = ''
as $$ select case when number is not null then private.own_id(load, md5(kind || number)::uuid) end $$;

create function private.sample_companies() returns table (
  number integer, name text, domain text, industry text, location text, age integer
)
language sql immutable
set search_path = ''
as $$
  values
    (1, 'Halden Robotics', 'halden-robotics.example', 'Industrial automation', 'Hamburg, Germany', 205),
    (2, 'Brightwater Foods', 'brightwater.example', 'Food and beverage', 'Bristol, United Kingdom', 190),
    (3, 'Tessera Architects', 'tessera.example', 'Architecture', 'Lisbon, Portugal', 172),
    (4, 'Kestrel Logistics', 'kestrel-logistics.example', 'Logistics', 'Rotterdam, Netherlands', 155),
    (5, 'Marlowe & Finch', 'marlowe-finch.example', 'Legal services', 'London, United Kingdom', 131),
    (6, 'Solvane Energy', 'solvane.example', 'Renewable energy', 'Aarhus, Denmark', 96),
    (7, 'Pineforge Studio', 'pineforge.example', 'Design', 'Portland, Oregon', 55),
    (8, 'Orbel Health', 'orbel.example', 'Health care', 'Zurich, Switzerland', 48),
    (9, 'Cobalt Harbor', 'cobalt-harbor.example', 'Shipping', 'Boston, Massachusetts', 36),
    (10, 'Lumen & Oak', 'lumen-oak.example', 'Furniture retail', 'Copenhagen, Denmark', 24),
    (11, 'Quillon Software', 'quillon.example', 'Software', 'Austin, Texas', 17),
    (12, 'Verdant Farms', 'verdant-farms.example', 'Agriculture', 'Fresno, California', 10),
    (13, 'Astra Textiles', 'astra-textiles.example', 'Textiles', 'Porto, Portugal', 3)
$$;

create function private.sample_contacts() returns table (
  number integer, company integer, first_name text, last_name text, role_title text, lead_status text, lead_score integer, age integer,
  notes text
)
language sql immutable
set search_path = ''
as $$
  values
    (1, 1, 'Greta', 'Holm', 'Head of Production', 'Qualified', 82, 204, 'Decides together with finance. Prefers calls before ten.'),
    (2, 1, 'Jonas', 'Adler', 'Chief Financial Officer', 'Proposal Sent', 74, 198, null),
    (3, 1, 'Leyla', 'Demir', 'Plant Manager', 'Contacted', 45, 60, null),
    (4, 2, 'Owen', 'Pritchard', 'Managing Director', 'Qualified', 88, 189, 'Long-standing customer, renews every autumn.'),
    (5, 2, 'Hannah', 'Whitlock', 'Purchasing Manager', 'Contacted', 52, 150, null),
    (6, 2, 'Callum', 'Reid', 'Operations Lead', 'New', 20, 41, null),
    (7, 3, 'Inês', 'Carvalho', 'Founding Partner', 'Qualified', 69, 171, null),
    (8, 3, 'Tiago', 'Nunes', 'Office Manager', 'Contacted', 30, 120, null),
    (9, 4, 'Sanne', 'de Wit', 'Fleet Director', 'Proposal Sent', 77, 154, 'Wants a pilot with two depots first.'),
    (10, 4, 'Ruben', 'Bakker', 'IT Manager', 'Contacted', 48, 139, null),
    (11, 4, 'Femke', 'Visser', 'Controller', 'New', 15, 26, null),
    (12, 5, 'Edith', 'Marlowe', 'Senior Partner', 'Proposal Sent', 71, 130, null),
    (13, 5, 'Rupert', 'Finch', 'Partner', 'Qualified', 64, 118, null),
    (14, 5, 'Priya', 'Nair', 'Practice Manager', 'Contacted', 50, 57, null),
    (15, 6, 'Mads', 'Kjær', 'Chief Executive', 'Qualified', 85, 95, 'Met at the wind fair; asked for a reference customer.'),
    (16, 6, 'Astrid', 'Lund', 'Project Manager', 'Contacted', 43, 80, null),
    (17, 6, 'Emil', 'Friis', 'Engineer', 'Unqualified', 5, 52, null),
    (18, 7, 'Dana', 'Kowalski', 'Creative Director', 'Qualified', 61, 54, null),
    (19, 7, 'Theo', 'Bennett', 'Producer', 'New', 22, 33, null),
    (20, 8, 'Livia', 'Brunner', 'Head of Procurement', 'Proposal Sent', 79, 47, 'Needs the data protection papers before signing.'),
    (21, 8, 'Matteo', 'Rossi', 'Clinic Manager', 'Contacted', 38, 44, null),
    (22, 8, 'Nora', 'Steiner', 'Assistant', 'New', 10, 21, null),
    (23, 9, 'Samuel', 'Okafor', 'Vice President Operations', 'Qualified', 73, 35, null),
    (24, 9, 'Claire', 'Donnelly', 'Port Manager', 'Contacted', 41, 32, null),
    (25, 9, 'Victor', 'Almeida', 'Analyst', 'New', 12, 13, null),
    (26, 10, 'Freja', 'Nielsen', 'Owner', 'Qualified', 66, 24, 'Opens two more shops next spring.'),
    (27, 10, 'Oskar', 'Holst', 'Store Manager', 'New', 18, 20, null),
    (28, 11, 'Maya', 'Torres', 'Chief Technology Officer', 'Contacted', 57, 17, null),
    (29, 11, 'Ethan', 'Cole', 'Head of Sales', 'New', 25, 15, null),
    (30, 11, 'Grace', 'Lim', 'People Manager', 'New', 14, 11, null),
    (31, 12, 'Rosa', 'Delgado', 'Farm Director', 'Contacted', 49, 10, null),
    (32, 12, 'Hank', 'Mercer', 'Buyer', 'New', 16, 8, null),
    (33, 13, 'Beatriz', 'Sousa', 'Export Manager', 'New', 28, 3, null),
    (34, 13, 'Rui', 'Tavares', 'Production Planner', 'New', 11, 2, null),
    (35, null, 'Amara', 'Diallo', 'Independent consultant', 'Contacted', 34, 29, 'Refers customers to us.'),
    (36, null, 'Kenji', 'Mori', 'Journalist', 'Unqualified', 3, 50, null),
    (37, null, 'Lucía', 'Ferrer', 'Freelance buyer', 'New', 19, 6, null),
    (38, null, 'Ben', 'Harlow', 'Start-up founder', 'New', 31, 5, null),
    (39, 3, 'Sofia', 'Lopes', 'Junior Architect', 'New', 8, 1, null),
    (40, 9, 'Ada', 'Byrne', 'Sustainability Lead', 'New', 23, 0, null)
$$;

-- "step" 1 to 4 counts quarters of the open stages; null is no stage, 5 is won, and 6 is lost, from the step "lost_at".
create function private.sample_deals() returns table (
  number integer, name text, company integer, contact integer, value numeric, step integer, age integer, touched integer,
  closes_in integer, closed_ago integer, lost_at integer, lost_reason text
)
language sql immutable
set search_path = ''
as $$
  values
    (1, 'Halden line monitoring', 1, 1, 48000, 4, 62, 2, 9, null, null, null),
    (2, 'Halden spare parts portal', 1, 2, 21500, 2, 25, 18, 48, null, null, null),
    (3, 'Brightwater renewal', 2, 4, 36000, 4, 40, 5, 16, null, null, null),
    (4, 'Brightwater second site', 2, 5, 18250, 1, 12, 12, 75, null, null, null),
    (5, 'Kestrel depot pilot', 4, 9, 27400, 3, 33, 20, 23, null, null, null),
    (6, 'Kestrel fleet roll-out', 4, 9, 96000, 1, 20, 20, 130, null, null, null),
    (7, 'Marlowe document archive', 5, 12, 31200, 3, 45, 3, 30, null, null, null),
    (8, 'Solvane turbine service', 6, 15, 72500, 3, 28, 6, 37, null, null, null),
    (9, 'Pineforge studio licence', 7, 18, 8900, 2, 30, 16, -6, null, null, null),
    (10, 'Orbel clinic package', 8, 20, 54000, 4, 36, 1, 5, null, null, null),
    (11, 'Cobalt berth planning', 9, 23, 41800, 2, 22, 9, 61, null, null, null),
    (12, 'Lumen & Oak web shop', 10, 26, 16400, 2, 14, 4, 44, null, null, null),
    (13, 'Quillon onboarding', 11, 28, 12000, 1, 9, 9, 90, null, null, null),
    (14, 'Verdant harvest planning', 12, 31, 23600, 1, 6, 6, 84, null, null, null),
    (15, 'Astra sample order', 13, 33, 5200, null, 2, 2, null, null, null, null),
    (16, 'Brightwater first contract', 2, 4, 28000, 5, 185, 152, -150, 152, null, null),
    (17, 'Tessera planning tools', 3, 7, 14800, 5, 168, 121, -125, 121, null, null),
    (18, 'Kestrel route study', 4, 10, 9600, 5, 140, 97, -100, 97, null, null),
    (19, 'Marlowe case search', 5, 13, 19900, 5, 112, 66, -60, 66, null, null),
    (20, 'Solvane site survey', 6, 16, 12700, 5, 84, 39, -40, 39, null, null),
    (21, 'Halden safety training', 1, 3, 7400, 5, 50, 11, -10, 11, null, null),
    (22, 'Pineforge brand kit', 7, 19, 6300, 5, 29, 4, -3, 4, null, null),
    (23, 'Tessera model viewer', 3, 8, 22000, 6, 150, 104, -90, 104, 3, 'Too expensive'),
    (24, 'Brightwater cold chain', 2, 6, 33500, 6, 100, 58, -45, 58, 2, 'Chose a competitor'),
    (25, 'Orbel staff app', 8, 21, 17800, 6, 43, 19, -5, 19, 2, 'No budget this year'),
    (26, 'Solvane drone pilot', 6, 17, 9900, 6, 50, 8, -2, 8, 1, 'Too expensive')
$$;

create function private.sample_tasks() returns table (
  title text, priority text, due_in integer, due_at time, done_ago integer, age integer, deal integer, contact integer, description text
)
language sql immutable
set search_path = ''
as $$
  values
    ('Send Orbel the data protection papers', 'urgent', 0, time '10:00', null, 3, 10, 20, 'The signed order waits for them.'),
    ('Call Greta about the final price', 'high', 0, time '15:30', null, 2, 1, 1, null),
    ('Prepare the Solvane offer', 'high', 0, time '17:00', null, 4, 8, 15, null),
    ('Thank Amara for the introduction', 'low', 0, time '18:00', null, 1, null, 35, null),
    ('Follow up on the Pineforge licence', 'high', -3, time '11:00', null, 12, 9, 18, null),
    ('Ask Femke for the delivery addresses', 'medium', -1, time '16:00', null, 6, null, 11, null),
    ('Meet Owen on site', 'high', 1, time '09:30', null, 5, 3, 4, 'Bring the new price list.'),
    ('Demo for Freja and Oskar', 'medium', 2, time '14:00', null, 4, 12, 26, null),
    ('Send Edith the draft contract', 'high', 3, time '12:00', null, 2, 7, 12, null),
    ('Check in with Samuel', 'medium', 5, time '10:30', null, 3, 11, 23, null),
    ('Plan the Verdant visit', 'low', 9, time '09:00', null, 2, 14, 31, null),
    ('Write the quarterly newsletter', 'low', 16, time '13:00', null, 7, null, null, null),
    ('Collect a quote from Tessera', 'medium', -2, time '12:00', 2, 9, null, 7, null),
    ('Send the Halden training invoice', 'medium', -8, time '10:00', 9, 12, 21, 3, null),
    ('Introduce Livia to support', 'medium', -5, time '15:00', 5, 10, 10, 20, null),
    ('Update the reference list', 'low', -14, time '17:00', 15, 22, null, null, null),
    ('Ask Mads for site plans', 'high', -17, time '11:00', 17, 24, 8, 15, null),
    ('Send the Kestrel pilot outline', 'high', -21, time '09:00', 21, 30, 5, 9, null),
    ('Call Rupert after the signing', 'medium', -33, time '16:00', 33, 40, 19, 13, null),
    ('Prepare the Brightwater review', 'medium', -44, time '10:00', 45, 52, 3, 4, null)
$$;

create function private.sample_notes() returns table (
  kind text, body text, outcome text, ago integer, deal integer, contact integer
)
language sql immutable
set search_path = ''
as $$
  values
    ('call', 'Went through the last open points of the order.', 'Ready to sign once the papers are there', 1, 10, null),
    ('meeting', 'Line tour with Greta and Jonas.', 'Finance agrees to the budget', 2, 1, null),
    ('email', 'Draft of the archive contract', 'Sent', 3, 7, null),
    ('note', 'Freja opens two shops in spring; ask about the stock module then.', null, 4, 12, null),
    ('call', 'Renewal terms', 'Wants the same price for two years', 5, 3, null),
    ('meeting', 'Turbine service workshop in Aarhus.', 'Offer until the end of the month', 6, 8, null),
    ('email', 'Follow-up after the fair', 'Answered', 6, null, 15),
    ('call', 'First talk', 'Interested, call again next week', 8, null, 31),
    ('call', 'Berth planning, needs of the port', 'Sends the list of berths', 9, 11, null),
    ('note', 'Maya compares us with two others.', null, 9, 13, null),
    ('meeting', 'Training day in Hamburg.', 'All went well', 11, 21, null),
    ('email', 'Product overview', 'Opened', 12, null, 28),
    ('call', 'Second site', 'Budget is decided in spring', 12, 4, null),
    ('note', 'Drone rules change next year, ask again then.', null, 13, 26, null),
    ('meeting', 'Kitchen planning at the new shop.', null, 16, null, 26),
    ('call', 'Licence questions', 'Sends the number of seats', 16, 9, null),
    ('email', 'Price list', 'Sent', 18, 2, null),
    ('call', 'Staff app', 'No budget this year', 19, 25, null),
    ('call', 'Pilot in two depots', 'Decides after the holidays', 20, 5, null),
    ('meeting', 'Harbour tour with Samuel.', null, 23, null, 23),
    ('note', 'Amara knows the buyers in Dakar.', null, 26, null, 35),
    ('email', 'Invitation to the demo', 'Answered', 29, null, 20),
    ('call', 'Cold call', 'Asked for material', 32, null, 24),
    ('meeting', 'Project start with Dana.', 'Good fit', 34, null, 18),
    ('call', 'Survey results', 'Signed', 39, 20, null),
    ('email', 'Offer for the survey', 'Sent', 46, 20, null),
    ('meeting', 'Yearly review in Bristol.', null, 47, null, 4),
    ('call', 'Cold chain', 'Chose a competitor', 58, 24, null),
    ('call', 'Case search', 'Signed', 66, 19, null),
    ('meeting', 'First meeting in London.', null, 74, null, 12)
$$;

create function private.add_samples(me uuid, load uuid, pipeline uuid, time_zone text) returns void
language plpgsql
set search_path = ''
as $$
declare
  today date := (now() at time zone time_zone)::date;
begin
  -- As rows that come back: their stamps are their own.
  perform set_config('solo.restoring', 'on', true);
  insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
  select me, pipeline, w.name, w.number + (
      select coalesce(max(s."order"), 0) from public.pipeline_stages s where s.user_id = me and s.pipeline_id = pipeline
    ), w.win_probability
  from (
    select u.*, row_number() over (order by u.place) as number from private.usual_stages() u where u.outcome <> 'open'
  ) w
  where not exists (
    select from public.pipeline_stages s where s.user_id = me and s.pipeline_id = pipeline and s.outcome = w.outcome
  );
  insert into public.companies (id, user_id, name, website, industry, location, created_at, updated_at)
  select private.sample_id(load, 'company', c.number), me, c.name, 'https://' || c.domain, c.industry, c.location,
    now() - c.age * interval '1 day' - interval '2 hours', now() - c.age * interval '1 day' - interval '2 hours'
  from private.sample_companies() c;
  insert into public.contacts (id, user_id, first_name, last_name, email, phone_number, role_title, company_id, lead_status, notes, lead_score, created_at, updated_at)
  select private.sample_id(load, 'contact', p.number), me, p.first_name, p.last_name,
    private.fold(replace(p.first_name || '.' || p.last_name, ' ', '')) || '@' || coalesce(c.domain, 'example.com'),
    '+1 555 01' || lpad(p.number::text, 2, '0'), p.role_title, private.sample_id(load, 'company', p.company), p.lead_status, p.notes,
    p.lead_score, now() - p.age * interval '1 day' - interval '1 hour', now() - p.age * interval '1 day' - interval '1 hour'
  from private.sample_contacts() p left join private.sample_companies() c on c.number = p.company;
  with open_stages as (
    select s.id, row_number() over (order by s."order", s.id) as place, count(*) over () as places
    from public.pipeline_stages s
    where s.user_id = me and s.pipeline_id = pipeline and s.outcome = 'open'
  )
  insert into public.deals (id, user_id, name, value, expected_close_date, pipeline_id, stage_id, company_id, contact_id, "order", closed_at, created_at, updated_at)
  select private.sample_id(load, 'deal', d.number), me, d.name, d.value, today + d.closes_in, pipeline,
    case when d.step = 5 then won.id else o.id end,
    private.sample_id(load, 'company', d.company), private.sample_id(load, 'contact', d.contact), d.number * 1024,
    case when d.step = 5 then now() - d.closed_ago * interval '1 day' end,
    now() - d.age * interval '1 day', now() - d.touched * interval '1 day'
  from private.sample_deals() d
  join public.pipeline_stages won on won.user_id = me and won.pipeline_id = pipeline and won.outcome = 'won'
  left join open_stages o on o.place = ceil(coalesce(d.lost_at, d.step) * o.places / 4.0);
  update public.deals t set stage_id = s.id, closed_at = now() - d.closed_ago * interval '1 day', lost_reason = d.lost_reason
  from private.sample_deals() d
  join public.pipeline_stages s on s.user_id = me and s.pipeline_id = pipeline and s.outcome = 'lost'
  where d.step = 6 and t.user_id = me and t.id = private.sample_id(load, 'deal', d.number);
  insert into public.tasks (user_id, title, description, priority, due_date, completed, completed_at, deal_id, contact_id, created_at, updated_at)
  select me, t.title, t.description, t.priority, (today + t.due_in + t.due_at) at time zone time_zone,
    t.done_ago is not null, now() - t.done_ago * interval '1 day',
    private.sample_id(load, 'deal', t.deal), private.sample_id(load, 'contact', t.contact),
    now() - t.age * interval '1 day', now() - coalesce(t.done_ago, t.age) * interval '1 day'
  from private.sample_tasks() t;
  insert into public.notes (user_id, kind, body, outcome, happened_at, deal_id, contact_id, created_at, updated_at)
  select me, n.kind, n.body, n.outcome, now() - n.ago * interval '1 day', private.sample_id(load, 'deal', n.deal),
    private.sample_id(load, 'contact', n.contact), now() - n.ago * interval '1 day', now() - n.ago * interval '1 day'
  from private.sample_notes() n;
  perform set_config('solo.restoring', 'off', true);
end
$$;

create function public.load_sample_data(time_zone text default 'UTC') returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  me uuid := private.caller();
  pipeline uuid;
begin
  -- Two windows that ask at once would otherwise both load them.
  perform pg_advisory_xact_lock(hashtextextended('samples ' || me, 0));
  if private.has_samples() then
    raise exception 'The sample data is already loaded.' using errcode = 'PT409';
  end if;
  perform private.lock_pipelines();
  select p.id into pipeline from public.pipelines p where p.user_id = me order by p.created_at, p.id limit 1;
  if pipeline is null then
    raise exception 'There is no pipeline. Create one first.' using errcode = 'PT409';
  end if;
  perform private.name_action('samples');
  perform private.add_samples(me, private.current_batch(), pipeline, load_sample_data.time_zone);
  return jsonb_build_object('batch', private.written_batch());
end
$$;
comment on function public.load_sample_data is
  'Adds companies, contacts, deals, tasks and notes as a seller might have them after half a year, ending now: one batch. A definer because it writes stamps of the past, which nobody else may.';

create function public.remove_sample_data() returns jsonb
language plpgsql
security definer
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
    raise exception 'The sample data is already gone.' using errcode = 'PT404';
  end if;
  perform private.lock_pipelines();
  select array_agg(c.row_id), array_agg(c.row_id) filter (where c.table_name = 'pipeline_stages') into ids, stages
  from private.actions e
  join public.changes c on c.user_id = e.user_id and c.batch = e.batch and c.verb = 'insert'
  where e.user_id = me and e.action = 'samples';
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
  perform private.name_action('samples');
  return private.bulk_answer(removed);
end
$$;
comment on function public.remove_sample_data is
  'Takes away what load_sample_data added, edited or not: one batch, which can be undone. What the user added stays, without its links to samples; only notes on a sample go with it. A definer because nobody else reads private.actions, which tell the samples.';

-- What has expired --------------------------------------------------------------------------------------------

create function private.erase_expired_of(account uuid) returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  erased_rows bigint;
  fields uuid[];
begin
  with expired as materialized (
    select c.row_id, c.id
    from public.changes c
    where c.user_id = account and c.verb = 'delete' and c.before is not null and c.created_at < now() - interval '30 days'
    order by c.created_at, c.id limit 1000
    for update of c skip locked -- what another transaction erases already is not waited for
  ),
  -- Row by row, not deletion by deletion: one row may have been deleted and brought back thousands of times.
  gone as materialized (
    select r.row_id, r.ids, (
      select max(id) from unnest(r.ids) id
      where id > coalesce((
        select max(c.id) from public.changes c
        where c.user_id = account and c.row_id = r.row_id and c.verb = 'insert'
      ), 0)
    ) as last_id
    from (select e.row_id, array_agg(e.id) as ids from expired e group by e.row_id) r
  ),
  cleared as (
    update public.changes c
    set before = null, after = null, names = null, label = case when c.id <= g.last_id then null else c.label end
    from gone g
    where c.user_id = account and c.row_id = g.row_id
      and (c.id <= g.last_id or c.id in (select e.id from expired e))
      and (c.before is not null or c.after is not null or c.label is not null)
  ),
  given_up as (
    -- A restore that was begun and never finished.
    delete from private.restores r where r.id in (
      select x.id from private.restores x
      where x.user_id = erase_expired_of.account and x.created_at < now() - interval '1 day' for update skip locked
    )
  ),
  long_sent as (
    -- No browser keeps a write that long; and the log still knows the batch.
    delete from private.sent_writes w where (w.user_id, w.batch) in (
      select x.user_id, x.batch from private.sent_writes x
      where x.user_id = erase_expired_of.account and x.created_at < now() - interval '90 days'
      order by x.created_at limit 1000 for update skip locked
    )
  )
  select count(*), array(
    select g.row_id from gone g join public.changes d on d.id = g.last_id where d.table_name = 'fields'
  )
  into erased_rows, fields from expired;
  perform private.erase_fields(account, fields);
  return erased_rows;
end
$$;
comment on function private.erase_expired_of is
  'Thirty days after a deletion nothing of the row is left in the log: neither what was deleted nor its earlier versions. Called with every batch of the account. A definer because nobody else writes the log.';

create function private.erase_expired() returns bigint
language sql
security definer
set search_path = ''
as $$
  select private.forget_proposals() + coalesce(sum(private.erase_expired_of(a.user_id)), 0)::bigint
  from (
    (
      select c.user_id from public.changes c
      where c.verb = 'delete' and c.before is not null and c.created_at < now() - interval '30 days'
      order by c.created_at limit 1
    )
    union
    select x.user_id from private.restores x where x.created_at < now() - interval '1 day'
    union
    select u.id from auth.users u
    where exists (
      select from private.sent_writes w where w.user_id = u.id and w.created_at < now() - interval '90 days'
    )
  ) a
$$;
comment on function private.erase_expired is
  'The next step of erasing what has expired in any account. Run until nothing is left at every start of the server, once a day, and by pg_cron where it is installed. A definer because nobody else writes the log, and it reaches every account.';

-- Every batch of an account erases what has expired in it. Where pg_cron is installed, it does so for accounts without new batches;
-- see decision 015.
do $$
begin
  if exists (select from pg_catalog.pg_extension e where e.extname = 'pg_cron') then
    perform cron.schedule('solo-erase-expired', '17 3 * * *', 'select private.erase_expired()');
  end if;
end
$$;

-- Sessions, and the end ---------------------------------------------------------------------------------------

create function public.account_sessions() returns jsonb
language plpgsql stable
security definer
set search_path = ''
as $$
declare
  current_id text := nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id';
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', s.id, 'user_agent', s.user_agent, 'created_at', s.created_at, 'last_used_at', s.last_used_at,
      'is_current', s.is_current
    ) order by s.is_current desc, s.last_used_at desc, s.id), '[]')
    from (
      select s.id, s.user_agent, s.created_at, s.id::text = current_id as is_current,
        -- The service stores the time of the last refresh in UTC, without saying so.
        greatest(s.created_at, s.refreshed_at at time zone 'UTC') as last_used_at
      from auth.sessions s
      where s.user_id = private.caller() and (s.not_after is null or s.not_after > now())
      order by is_current desc, last_used_at desc, s.id
      limit 50
    ) s
  );
end
$$;
comment on function public.account_sessions is
  'Where the account is signed in: this session first, then the others by their last use, 50 at most. `user_agent` is what the browser called itself when it signed in. A definer because nobody else reads the sessions.';

create function public.delete_account(address text) returns void
language plpgsql
security definer
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  account auth.users;
begin
  select * into account from auth.users u where u.id = private.caller() for update;
  if not found then
    -- Deleted a moment ago, in another window.
    return;
  end if;
  if lower(btrim(address)) is distinct from lower(account.email) then
    raise exception 'This is not the email address of your account. Nothing was deleted.' using errcode = 'PT400';
  end if;
  -- What the service itself writes down of an account is bound to it by no key.
  begin
    delete from auth.audit_log_entries a
    where account.id::text in (a.payload ->> 'actor_id', a.payload ->> 'user_id', a.payload -> 'traits' ->> 'user_id');
    delete from auth.flow_state f where f.user_id = account.id;
  exception when insufficient_privilege or undefined_table then
    -- A hosted project may keep these to itself.
    null;
  end;
  delete from auth.users u where u.id = account.id;
end
$$;
comment on function public.delete_account is
  'Deletes the account of whoever calls, with everything it owns, in one transaction. `address` is its e-mail address, typed by its owner: a slip of the hand deletes nothing. A definer because nobody else deletes accounts.';

-- Whoever signs out without a network is signed out on the device alone. The next sign-in there ends the session that was
-- left, by its id: nothing that opens it stays on the device. See docs/decisions/051-without-a-network.md.

create function public.end_sessions(ids uuid[]) returns bigint
language plpgsql
security definer
set search_path = ''
as $$
declare
  ended bigint;
begin
  delete from auth.refresh_tokens r
  using auth.sessions s
  where s.user_id = private.caller() and s.id = any (end_sessions.ids) and r.session_id::text = s.id::text;
  delete from auth.sessions s where s.user_id = private.caller() and s.id = any (end_sessions.ids);
  get diagnostics ended = row_count;
  return ended;
end
$$;
comment on function public.end_sessions is
  'Ends these sessions of the account; how many there were. A definer because nobody else writes sessions.';

-- Accounts from before these files ----------------------------------------------------------------------------

-- Accounts that are older than this schema get what a new account begins with.
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

-- Who may call what -------------------------------------------------------------------------------------------

revoke all on function
  private.welcome_account(), private.sample_id(uuid, text, integer), private.sample_companies(),
  private.sample_contacts(), private.sample_deals(), private.sample_tasks(), private.sample_notes(),
  private.add_samples(uuid, uuid, uuid, text), public.load_sample_data(text), public.remove_sample_data(),
  private.erase_expired_of(uuid), private.erase_expired(), public.account_sessions(), public.delete_account(text),
  public.end_sessions(uuid[])
  from public, anon, authenticated;
grant execute on function
  public.load_sample_data(text), public.remove_sample_data(), public.account_sessions(), public.delete_account(text),
  public.end_sessions(uuid[])
  to authenticated, service_role;
grant execute on function
  private.erase_expired()
  to service_role;
