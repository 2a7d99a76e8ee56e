-- The statistics know nothing of rows that have just arrived, so the planner chose to compare each row of an import with every plan
-- of its part: a file of 1,000 deals took 10 s, and one of 4,000 took minutes. Now each plan looks up its own row. Decision 030.

create or replace function private.planned_rows(i private.imports, after bigint, last bigint)
returns table (place integer, reported jsonb, target uuid, company_id uuid, contact_id uuid, adds_company boolean, adds_contact boolean)
language sql stable
as $$
  select p.place, case when p.target is not null and r.reported ? 'name_from' then private.values_for(p.target, r.reported) else r.reported end,
    p.target, p.company_id, p.contact_id, p.adds_company, p.adds_contact
  from private.import_plans p
  -- "offset 0" keeps it a look into the index, whatever the planner expects.
  cross join lateral (
    select o.reported from private.import_rows o where o.import_id = p.import_id and o.place = p.place offset 0
  ) r
  where p.import_id = i.id and p.place > after and p.place <= last
$$;
