import type { Bench, OpenBench } from './bench.ts'
import { comparison, type Figure } from './measure.ts'

type Sizes = { contacts: number; companies: number; deals: number; tasks: number; notes: number }

async function fill(bench: Bench, sizes: Sizes) {
  return bench.fillTwo(async (id) => {
    await bench.query(`
      insert into public.companies (user_id, name, created_at)
      select '${id}', 'Company ' || n, now() - n * interval '10 minutes' from generate_series(1, ${sizes.companies}) n`)
    await bench.query(`
      insert into public.contacts (user_id, first_name, last_name, created_at)
      select '${id}', 'Ada', 'Person' || n, now() - n * interval '1 minute' from generate_series(1, ${sizes.contacts}) n`)
    await bench.query(`
      insert into public.pipeline_stages (user_id, pipeline_id, name, "order", win_probability)
      select '${id}', p.id, u.name, u.place, u.win_probability
      from public.pipelines p, private.usual_stages() u where p.user_id = '${id}' and u.outcome = 'lost'`)
    await bench.query(`
      insert into public.deals (user_id, name, value, expected_close_date, pipeline_id, stage_id, company_id, lost_reason, created_at, updated_at)
      select '${id}', 'Deal ' || n, n % 9973 + 0.5, case when n % 5 > 0 then current_date + n % 700 - 350 end,
        s.pipeline_id, s.id, co.id, (array['Too expensive', 'No budget', 'Competitor'])[1 + n % 3],
        now() - n * interval '20 minutes', now() - (n % 40) * interval '1 day'
      from generate_series(1, ${sizes.deals}) n
      join (
        select row_number() over (order by "order") - 1 as place, id, pipeline_id from public.pipeline_stages where user_id = '${id}'
      ) s on s.place = n % 6
      join (
        select row_number() over (order by id) - 1 as place, id from public.companies where user_id = '${id}'
      ) co on co.place = n % ${sizes.companies}`)
    await bench.query(`
      insert into public.tasks (user_id, title, due_date, completed, deal_id, created_at, updated_at)
      select '${id}', 'Task ' || n, case when n % 5 > 0 then now() + (n % 2000 - 1000) * interval '1 hour' end, n % 3 = 0, d.id,
        now() - n * interval '1 minute', now() - n * interval '1 minute'
      from generate_series(1, ${sizes.tasks}) n
      left join (
        select row_number() over (order by id) - 1 as place, id from public.deals where user_id = '${id}'
      ) d on n % 2 = 0 and d.place = n % ${sizes.deals}`)
    await bench.query(`
      insert into public.notes (user_id, kind, body, happened_at, deal_id)
      select '${id}', (array['note', 'call', 'meeting', 'email'])[1 + n % 4], 'Note ' || n, now() - n * interval '10 minutes', d.id
      from generate_series(1, ${sizes.notes}) n
      join (
        select row_number() over (order by id) - 1 as place, id from public.deals where user_id = '${id}'
      ) d on d.place = n % ${sizes.deals}`)
    // Each deal has moved once.
    await bench.query(`
      insert into public.changes (user_id, batch, table_name, row_id, deal_id, verb, before, after)
      select d.user_id, gen_random_uuid(), 'deals', d.id, d.id, 'update',
        jsonb_build_object('stage_id', s.id), jsonb_build_object('stage_id', d.stage_id)
      from public.deals d join public.pipeline_stages s on s.user_id = d.user_id and s.name = 'Qualified'
      where d.user_id = '${id}'`)
  })
}

/** The figures of the dashboard and of the reports, each beside the same work as plain queries. */
export async function benchFigures(open: OpenBench, sizes: Sizes): Promise<Figure[]> {
  const figures: Figure[] = []
  const bench = await open()
  try {
    const owner = await fill(bench, sizes)
    const compare = comparison(figures, sizes.contacts, 'figures: ')
    const plain = (queries: string[]) => async () => {
      for (const query of queries) await bench.query(query)
    }
    await compare(
      'dashboard',
      () => bench.rpc('dashboard', { time_zone: 'Europe/Berlin' }, owner.token),
      plain(dashboardQueries(owner.id)),
    )
    await compare(
      'report',
      () => bench.rpc('report', { time_zone: 'Europe/Berlin' }, owner.token),
      plain(reportQueries(owner.id)),
    )
    await compare(
      'report of a quarter',
      () => bench.rpc('report', { filter: { from: '2026-07-01', to: '2026-09-30' } }, owner.token),
      plain(reportQueries(owner.id)),
    )
  } finally {
    await bench.close()
  }
  return figures
}

const stages = 'left join public.pipeline_stages s on s.id = d.stage_id'
const isOpen = `coalesce(s.outcome, 'open') = 'open'`
const added = `count(*), count(*) filter (where created_at >= now() - interval '30 days'),
  count(*) filter (where created_at >= now() - interval '60 days' and created_at < now() - interval '30 days')`

function dashboardQueries(id: string): string[] {
  return [
    `select ${added} from public.contacts where user_id = '${id}'`,
    `select ${added} from public.companies where user_id = '${id}'`,
    `select count(*), count(*) filter (where d.created_at >= now() - interval '30 days'), sum(d.value),
       count(*) filter (where ${isOpen}), sum(d.value) filter (where s.outcome = 'won')
     from public.deals d ${stages} where d.user_id = '${id}'`,
    `select count(*) from public.tasks where user_id = '${id}' and not completed and due_date < current_date`,
    `select * from public.tasks where user_id = '${id}' and not completed and due_date < current_date order by due_date desc limit 5`,
    `select * from public.tasks where user_id = '${id}' and not completed and due_date >= current_date and due_date < current_date + 1 order by due_date limit 10`,
    `select d.id, d.name, count(*) over () from public.deals d ${stages}
     where d.user_id = '${id}' and ${isOpen} and (
       not exists (select from public.tasks t where t.user_id = d.user_id and t.deal_id = d.id and not t.completed)
       or d.updated_at < now() - interval '14 days'
         and not exists (select from public.tasks t where t.user_id = d.user_id and t.deal_id = d.id and t.updated_at >= now() - interval '14 days')
         and not exists (select from public.notes n where n.user_id = d.user_id and n.deal_id = d.id and n.updated_at >= now() - interval '14 days')
     ) order by d.value desc limit 8`,
  ]
}

function reportQueries(id: string): string[] {
  const mine = `from public.deals d ${stages} where d.user_id = '${id}'`
  return [
    `select count(*) from public.contacts where user_id = '${id}' and created_at >= current_date`,
    `select count(*) from public.companies where user_id = '${id}' and created_at >= current_date`,
    `select count(*), sum(d.value), sum(d.value) filter (where s.outcome = 'won'), count(*) filter (where ${isOpen}),
       count(*) filter (where d.expected_close_date >= current_date), avg(d.closed_at - d.created_at) ${mine}`,
    `select s.name, count(*), sum(d.value), sum(d.value * s.win_probability) ${mine} group by 1`,
    `select date_trunc('month', d.closed_at), s.name, count(*), sum(d.value) ${mine} and not ${isOpen} group by 1, 2`,
    `select date_trunc('month', d.expected_close_date), count(*), sum(d.value), sum(d.value * s.win_probability) ${mine} and ${isOpen} group by 1`,
    `select d.lost_reason, count(*) ${mine} and s.outcome = 'lost' group by 1`,
    `select greatest(s."order", m.place), count(*) from public.deals d ${stages}
     left join (
       select c.row_id, max(p."order") as place from public.changes c
       join public.pipeline_stages p on p.id = (c.before ->> 'stage_id')::uuid
       where c.user_id = '${id}' and c.table_name = 'deals' and c.verb = 'update' group by 1
     ) m on m.row_id = d.id
     where d.user_id = '${id}' group by 1`,
    `select * from public.deals where user_id = '${id}' and expected_close_date >= current_date order by expected_close_date limit 10`,
    `select * from public.deals where user_id = '${id}' order by created_at desc limit 20`,
    `select date_trunc('week', happened_at), kind, count(*) from public.notes
     where user_id = '${id}' and happened_at >= now() - interval '84 days' group by 1, 2`,
    `select date_trunc('week', completed_at), count(*) from public.tasks
     where user_id = '${id}' and completed and completed_at >= now() - interval '84 days' group by 1`,
  ]
}
