-- Who is on many deals, for files with all fields of them.

create function public.people_of_deals(ids uuid[]) returns jsonb
language sql stable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(p.deal_id, p.people), '{}') from (
    select k.deal_id, jsonb_agg(jsonb_build_object(
      'id', c.id, 'role', k.role, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email
    ) order by k.position, k.id) as people
    from public.deal_contacts k join public.contacts c on c.user_id = k.user_id and c.id = k.contact_id
    where k.deal_id = any (ids)
    group by k.deal_id
  ) p
$$;
comment on function public.people_of_deals is
  'The contacts of these deals beside the main one, with their roles, and the role of the main one, by the deal; deals without any are left out.';
revoke all on function public.people_of_deals(uuid[]) from public, anon, authenticated;
grant execute on function public.people_of_deals(uuid[]) to authenticated, service_role;
