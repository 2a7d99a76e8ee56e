import type { Bench, OpenBench } from './bench.ts'
import { comparison, type Figure, median } from './measure.ts'

/**
 * Gives an account so many contacts, a third of them with a company; `more` holds further columns, as SQL expressions of
 * the row's number `n`.
 */
export async function fillContacts(
  query: Bench['query'],
  id: string,
  count: number,
  more: Record<string, string> = {},
) {
  const [names, values] = [Object.keys(more), Object.values(more)].map((each) =>
    each.map((text) => `, ${text}`).join(''),
  )
  await query(`
    insert into public.companies (user_id, name)
    select '${id}', 'Company ' || n from generate_series(1, ${Math.max(10, count / 100)}) n`)
  // In parts: on a busy machine the embedded database is given up when one statement takes ten minutes.
  for (let from = 1; from <= count; from += 10_000) {
    const to = Math.min(count, from + 9999)
    await query(`
      insert into public.contacts (user_id, first_name, last_name, email, phone_number, lead_status, company_id, created_at${names})
      select '${id}',
        (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Tony', 'Frances'])[1 + n % 8],
        'Person' || n,
        'person' || n || '@example' || n % 97 || '.com',
        '+49 30 ' || (1000000 + n),
        (array['New', 'Contacted', 'Qualified', 'Proposal Sent', 'Unqualified'])[1 + n % 5],
        c.id,
        now() - n * interval '1 minute'${values}
      from generate_series(${from}, ${to}) n
      left join lateral (
        select id from public.companies where user_id = '${id}' offset n % 10 limit 1
      ) c on n % 3 = 0`)
  }
}

/** The contacts screen's requests, each beside the same work as plain SQL. */
export async function benchContacts(open: OpenBench, counts: number[]): Promise<Figure[]> {
  const figures: Figure[] = []
  const firstPages = new Map<number, number>()
  for (const count of counts) {
    const bench = await open()
    try {
      const owner = await bench.fillTwo((id) => fillContacts(bench.query, id, count))
      const page = (args: object) => () => bench.rpc('contact_page', args, owner.token)
      const columns = `c.id, c.first_name, c.last_name, c.email, c.phone_number, c.role_title, c.lead_status, c.notes,
        c.lead_score, c.created_at, c.updated_at, co.name`
      const plain = (where: string, rest: string) => () =>
        bench.query(`select ${columns} from public.contacts c left join public.companies co on co.id = c.company_id
          where c.user_id = '${owner.id}' ${where} ${rest}`)
      const newest = 'order by c.created_at desc, c.id desc limit 50'

      const compare = comparison(figures, count)

      const first = await compare('first page', page({}), plain('', newest))
      firstPages.set(count, first.ours)
      const deep = `(select created_at from public.contacts where user_id = '${owner.id}' order by created_at desc offset ${Math.floor(count * 0.8)} limit 1)`
      const { rows } =
        (await bench.query(`select id, created_at from public.contacts where user_id = '${owner.id}'
        order by created_at desc, id desc offset ${Math.floor(count * 0.8)} limit 1`)) as {
          rows: { id: string; created_at: string }[]
        }
      const after = { id: rows[0]?.id, key: rows[0]?.created_at }
      await compare('a deep page', page({ after }), plain(`and c.created_at < ${deep}`, newest))
      for (const [kind, word] of [
        ['common', 'ada'],
        ['rare', `person${count - 3}`],
        ['absent', 'zzyzx'],
      ] as const) {
        await compare(
          `search for ${kind === 'absent' ? 'an' : 'a'} ${kind} word`,
          page({ filter: { search: word } }),
          plain(`and c.search_text like '%${word}%'`, newest),
        )
      }
      await compare(
        'exact count',
        () => bench.rpc('contact_count', {}, owner.token),
        () => bench.query(`select count(*) from public.contacts where user_id = '${owner.id}'`),
      )
      const ids = (await bench.query(
        `select id from public.contacts where user_id = '${owner.id}' limit 1000`,
      )) as { rows: { id: string }[] }
      const filter = { ids: ids.rows.map((row) => row.id) }
      let turn = 0
      const status = () => ['New', 'Contacted'][turn++ % 2]
      figures.push({
        what: `bulk update of ${filter.ids.length.toLocaleString('en-US')}, logged`,
        rows: count,
        ours: await median(
          () =>
            bench.rpc(
              'update_contacts',
              { filter, changes: { lead_status: status() } },
              owner.token,
            ),
          5,
          1,
        ),
        plain: await median(
          () =>
            bench.query(`update public.contacts set lead_status = '${status()}'
              where id in (${filter.ids.map((id) => `'${id}'`).join(',')})`),
          5,
          1,
        ),
        isMet: null,
        goal: '–',
      })
    } finally {
      await bench.close()
    }
  }
  const [smallest, largest] = [Math.min(...counts), Math.max(...counts)]
  const [small, large] = [firstPages.get(smallest) ?? 0, firstPages.get(largest) ?? 0]
  figures.push({
    what: `first page, ${largest.toLocaleString('en-US')} against ${smallest.toLocaleString('en-US')}`,
    rows: largest,
    ours: large,
    plain: small,
    isMet: large <= 2 * small,
    goal: 'at most twofold',
  })
  return figures
}
