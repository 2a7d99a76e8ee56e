import type { OpenBench } from './bench.ts'
import { fillContacts } from './contacts.ts'
import { comparison, type Figure } from './measure.ts'

/** Lists of contacts by tags, each beside the same filter as plain SQL without an index of its own. */
export async function benchTags(open: OpenBench, count: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const bench = await open()
  try {
    const owner = await bench.fillTwo(async (id) => {
      // Nine out of ten have the common one, very few the rare one.
      await fillContacts(bench.query, id, count, {
        tags: `case when n % 10000 = 7 then '{Rare}' when n % 10 > 0 then '{Common,Other}' else '{Other}' end::text[]`,
      })
    })
    const compare = comparison(figures, count, 'tags: ')
    for (const tag of ['Common', 'Rare']) {
      const filter = { tags: [tag] }
      const where = `c.user_id = '${owner.id}' and exists (select from unnest(c.tags) t where lower(t) = '${tag.toLowerCase()}')`
      await compare(
        `filter by a ${tag.toLowerCase()} one`,
        () => bench.rpc('contact_page', { filter }, owner.token),
        () =>
          bench.query(`select c.*, co.name from public.contacts c left join public.companies co on co.id = c.company_id
            where ${where} order by c.created_at desc, c.id desc limit 50`),
      )
      await compare(
        `count of a ${tag.toLowerCase()} one`,
        () => bench.rpc('contact_count', { filter }, owner.token),
        () => bench.query(`select count(*) from public.contacts c where ${where}`),
      )
    }
    await compare(
      'all of them, counted',
      () => bench.rpc('tag_counts', {}, owner.token),
      () =>
        bench.query(`select t.tag, count(*) from public.contacts c cross join lateral unnest(c.tags) as t (tag)
          where c.user_id = '${owner.id}' group by 1`),
    )
  } finally {
    await bench.close()
  }
  return figures
}
