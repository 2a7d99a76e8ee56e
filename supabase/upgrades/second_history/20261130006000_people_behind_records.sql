-- Whom a mail to companies or deals goes to.

create function public.contacts_behind(record text, filter jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
declare
  me uuid := private.caller();
  people text;
  answer jsonb;
begin
  if record is null or record not in ('companies', 'deals') then
    raise exception 'There are no contacts of %.', left(record, 40) using errcode = 'PT400';
  end if;
  people := case record
    when 'companies' then 'select p.id from public.contacts p join chosen c on c.id = p.company_id where p.user_id = $1'
    else 'select d.contact_id from public.deals d join chosen c on c.id = d.id where d.user_id = $1 and d.contact_id is not null
      union select k.contact_id from public.deal_contacts k join chosen c on c.id = k.deal_id where k.user_id = $1'
  end;
  -- Nobody writes to more at once.
  execute format(
    'with chosen as materialized (select c.id from public.%I c where c.user_id = $1 and %s)
     select coalesce(jsonb_agg(w.id), ''[]'') from (select w.id from (%s) w (id) order by w.id limit 1000) w',
    record, private.conditions(record, filter), people)
  into answer using me;
  return answer;
end
$$;
comment on function public.contacts_behind is
  'The ids of the contacts of all companies or deals that a filter means, further contacts of deals among them; at most 1,000.';

revoke all on function public.contacts_behind(text, jsonb) from public, anon, authenticated;
grant execute on function public.contacts_behind(text, jsonb) to authenticated, service_role;
