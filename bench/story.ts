import type { OpenBench } from './bench.ts'
import { fillContacts } from './contacts.ts'
import { comparison, type Figure } from './measure.ts'

/** The story of a company with a thirtieth of all contacts, beside the same work as plain SQL. */
export async function benchStory(open: OpenBench, count: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const bench = await open()
  try {
    const owner = await bench.fillTwo(async (id) => {
      await fillContacts(bench.query, id, count)
      const contacts = `from public.contacts c where c.user_id = '${id}'`
      const deals = `from public.deals d where d.user_id = '${id}'`
      const earlier = `now() - (random() * 300) * interval '1 day'`
      await bench.query(`
        insert into public.deals (user_id, name, contact_id, company_id)
        select '${id}', 'Deal', c.id, c.company_id ${contacts} and hashtext(c.id::text) % 5 = 0`)
      await bench.query(`
        insert into public.notes (user_id, kind, body, contact_id, happened_at)
        select '${id}', 'call', 'Said', c.id, ${earlier} ${contacts} and hashtext(c.id::text) % 3 = 0`)
      await bench.query(`
        insert into public.notes (user_id, kind, body, deal_id, happened_at)
        select '${id}', 'call', 'Said', d.id, ${earlier} ${deals}`)
      await bench.query(`
        insert into public.tasks (user_id, title, due_date, deal_id)
        select '${id}', 'Call', ${earlier}, d.id ${deals}`)
      await bench.query(`
        insert into public.changes (user_id, batch, table_name, row_id, contact_id, company_id, label, verb)
        select '${id}', gen_random_uuid(), 'contacts', c.id, c.id, c.company_id, 'Ada', 'insert' ${contacts}`)
    })
    const me = `user_id = '${owner.id}'`
    const { rows } = (await bench.query(
      `select company_id as id from public.contacts where ${me} and company_id is not null limit 1`,
    )) as { rows: { id: string }[] }
    const company = rows[0]?.id ?? ''
    const parts = [
      `company_id = '${company}'`,
      `contact_id in (select id from public.contacts where ${me} and company_id = '${company}')`,
      `deal_id in (select id from public.deals where ${me} and company_id = '${company}')`,
    ]
    const compare = comparison(figures, count, 'one story: ')
    await compare(
      'timeline of a company',
      () => bench.rpc('record_timeline', { record: 'company', id: company }, owner.token),
      () =>
        bench.query(
          `${parts
            .flatMap((part) => [
              `(select happened_at as at, id::text from public.notes where ${me} and ${part} order by 1 desc limit 50)`,
              `(select created_at, id::text from public.changes where ${me} and ${part} order by 1 desc limit 50)`,
            ])
            .join(' union ')} order by 1 desc limit 50`,
        ),
    )
    const filter = { company, status: 'pending' }
    await compare(
      'tasks of a company',
      () => bench.rpc('task_page', { filter, sort: 'due', descending: false }, owner.token),
      () =>
        bench.query(
          `select * from public.tasks where ${me} and not completed and id in (${parts
            .map((part) => `select id from public.tasks where ${me} and ${part}`)
            .join(' union ')}) order by due_date, id limit 60`,
        ),
    )
    await compare(
      'contacts by last contact',
      () => bench.rpc('contact_page', { sort: 'last_contacted' }, owner.token),
      () =>
        bench.query(
          `select c.id, max(n.at) from public.contacts c left join (
             select contact_id, happened_at as at from public.notes where ${me} and kind <> 'note'
             union all
             select d.contact_id, n.happened_at from public.notes n join public.deals d on d.id = n.deal_id
             where n.${me} and n.kind <> 'note'
           ) n on n.contact_id = c.id where c.${me} group by c.id order by 2 desc nulls last, 1 desc limit 50`,
        ),
    )
  } finally {
    await bench.close()
  }
  return figures
}
