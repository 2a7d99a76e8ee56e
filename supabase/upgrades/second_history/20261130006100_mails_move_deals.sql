-- A deal about which somebody has just written is not forgotten, though it stays in its stage. Automatic mails, and those whose
-- sender may be forged, do not count. Decision 061; the rest of the rule is that of decision 046.

create or replace function private.deal_card(deal public.deals) returns table (card json)
language sql stable -- no search path of its own, see contact_card
as $$
  select row_to_json(k) from (
    select f.*,
      (select s.name from public.pipeline_stages s where s.id = deal.stage_id) as stage_name,
      coalesce((select s.outcome from public.pipeline_stages s where s.id = deal.stage_id), 'open') as outcome,
      -- As private.longest_stays has it, without a third look at the stage: a deal is open while it has not been closed.
      case when deal.closed_at is null then greatest(deal.stage_since, case when deal.stage_since is not null then (
        select l.at from private.mail_links l
        where l.user_id = deal.user_id and l.deal_id = deal.id and l.counts order by l.at desc, l.mail_id desc limit 1
      ) end) + coalesce(
        (select u.stay from private.usual_stays u where u.stage_id = deal.stage_id), private.default_stay()) end as stalls_at,
      (select c.name from public.companies c where c.id = deal.company_id) as company_name,
      (
        select json_build_object('first_name', p.first_name, 'last_name', p.last_name, 'email', p.email)
        from public.contacts p where p.id = deal.contact_id
      ) as contact,
      (
        select json_build_object('id', t.id, 'title', t.title, 'due_date', t.due_date)
        from public.tasks t
        where t.deal_id = deal.id and not t.completed
        order by t.due_date nulls last, t.id limit 1
      ) as next_task
    from private.fields_of(deal) f
  ) k
$$;
comment on function private.deal_card is
  'A deal as the list and the board show it: with its stage, company, contact and next task, and when it will have been in its stage for longer than usual without a mail, if it is open.';

create or replace function private.deal_attention_condition(filter jsonb) returns text
language plpgsql stable
set search_path = ''
as $$
declare
  wanted text[] := private.texts(filter -> 'attention');
  conditions text[];
begin
  if not wanted <@ array['no_next_step', 'stalled'] then
    raise exception 'The filter has a part that is not known.' using errcode = 'PT400';
  end if;
  if 'no_next_step' = any (wanted) then
    conditions := conditions || format(
      '((c.stage_id is null or c.stage_id = any (%1$L::uuid[])) and not exists (
         select from public.tasks t where t.user_id = %2$L::uuid and t.deal_id = c.id and not t.completed))',
      array(select l.stage_id from private.longest_stays l where l.user_id = private.caller()), private.caller());
  end if;
  if 'stalled' = any (wanted) then
    -- Written out by the lengths there are: most stages share one.
    conditions := conditions || (
      select coalesce(string_agg(
        format('(c.stage_id = any (%1$L::uuid[]) and c.stage_since < %2$L::timestamptz and not exists (
            select from private.mail_links l
            where l.user_id = %3$L::uuid and l.deal_id = c.id and l.counts and l.at >= %2$L::timestamptz))',
          g.stages, now() - g.stay, private.caller()), ' or '), 'false')
      from (
        select l.stay, array_agg(l.stage_id) as stages from private.longest_stays l
        where l.user_id = private.caller() group by l.stay
      ) g
    );
  end if;
  return coalesce('(' || array_to_string(conditions, ' or ') || ')', 'true');
end
$$;
comment on function private.deal_attention_condition is
  'The open deals without a task that is to be done, or longer in their stage than usual without a mail, as a condition on "c". Every value is quoted.';

create or replace function private.deals_needing_a_push(at timestamptz)
returns table (id uuid, worth numeric, has_next boolean, is_stale boolean)
language sql stable
set search_path = ''
as $$
  with steps as (select distinct t.deal_id from public.tasks t where t.deal_id is not null and not t.completed)
  select n.* from (
    select d.id, private.worth(d.value, d.currency, d.rate), t.deal_id is not null as has_next,
      coalesce(d.stage_since < at - l.stay, false) and not exists (
        select from private.mail_links m where m.user_id = d.user_id and m.deal_id = d.id and m.counts and m.at >= deals_needing_a_push.at - l.stay
      ) as is_stale
    from public.deals d
    left join private.longest_stays l on l.stage_id = d.stage_id
    left join steps t on t.deal_id = d.id
    where d.stage_id is null or l.stage_id is not null
  ) n
  where not n.has_next or n.is_stale
$$;
comment on function private.deals_needing_a_push is
  'The open deals without a task that is to be done, or longer in their stage than usual without a mail, at a moment.';
