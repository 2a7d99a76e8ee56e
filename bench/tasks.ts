import type { Bench, OpenBench } from './bench.ts'
import { comparison, type Figure } from './measure.ts'

/** Gives an account so many tasks, a third of them of companies and as many done. */
export async function fillTasks(query: Bench['query'], id: string, count: number) {
  await query(`
    insert into public.companies (user_id, name)
    select '${id}', 'Company ' || n from generate_series(1, 100) n`)
  await query(`
    insert into public.tasks (user_id, title, description, priority, due_date, completed, company_id, created_at)
    select '${id}',
      (array['Call', 'Write', 'Visit', 'Remind'])[1 + n % 4] || ' person' || n,
      'About offer ' || n % 97,
      (array['low', 'medium', 'high', 'urgent'])[1 + n % 4],
      case when n % 5 > 0 then now() + (n % 2000 - 1000) * interval '1 hour' end,
      n % 3 = 0,
      c.id,
      now() - n * interval '1 minute'
    from generate_series(1, ${count}) n
    left join lateral (
      select id from public.companies where user_id = '${id}' offset n % 100 limit 1
    ) c on n % 3 = 0`)
}

/** The requests of the tasks screen, each beside the same work as plain SQL. */
export async function benchTasks(open: OpenBench, count: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const bench = await open()
  try {
    const owner = await bench.fillTwo((id) => fillTasks(bench.query, id, count))
    const page = (args: object) => () => bench.rpc('task_page', args, owner.token)
    const plain = (where: string, order: string) => () =>
      bench.query(`select c.*, co.name, d.name, k.first_name, k.last_name
        from public.tasks c
        left join public.companies co on co.id = c.company_id
        left join public.deals d on d.id = c.deal_id
        left join public.contacts k on k.id = c.contact_id
        where c.user_id = '${owner.id}' ${where} order by ${order} limit 60`)

    const compare = comparison(figures, count, 'tasks: ')

    const newest = 'c.created_at desc, c.id desc'
    await compare('first page', page({}), plain('', newest))
    await compare(
      'first page of the overdue',
      page({ filter: { status: 'overdue' } }),
      plain('and not c.completed and c.due_date < now()', newest),
    )
    await compare(
      'first page of the agenda',
      page({ filter: { status: 'pending' }, sort: 'due', descending: false }),
      plain('and not c.completed', `coalesce(c.due_date, 'infinity'), c.id`),
    )
    await compare(
      'search for a rare word',
      page({ filter: { search: `person${count - 3}` } }),
      plain(`and c.search_text like '%person${count - 3}%'`, newest),
    )
    await compare(
      'all counters',
      () => bench.rpc('task_counts', { time_zone: 'Europe/Berlin' }, owner.token),
      () =>
        bench.query(`select count(*), count(*) filter (where completed),
            count(*) filter (where not completed),
            count(*) filter (where not completed and due_date < now()),
            count(*) filter (where not completed and due_date >= current_date and due_date < current_date + 1),
            count(*) filter (where not completed and priority = 'urgent'),
            min(due_date) filter (where not completed and due_date >= now())
          from public.tasks where user_id = '${owner.id}'`),
    )
  } finally {
    await bench.close()
  }
  return figures
}
