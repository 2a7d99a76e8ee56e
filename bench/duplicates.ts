import type { Bench, OpenBench } from './bench.ts'
import { comparison, type Figure } from './measure.ts'

async function fill(bench: Bench, count: number) {
  return bench.fillTwo(async (id) => {
    await bench.query(`
      insert into public.contacts (user_id, first_name, last_name, email, phone_number, created_at)
      select '${id}',
        (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Tony', 'Frances'])[1 + n % 8],
        'Person' || n, 'person' || n || '@example' || n % 97 || '.com', '+49 30 ' || (1000000 + n),
        now() - n * interval '1 minute'
      from generate_series(1, ${count}) n`)
    // One in a hundred is there twice, by address, by number or by name.
    await bench.query(`
      insert into public.contacts (user_id, first_name, last_name, email, phone_number)
      select '${id}', (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Tony', 'Frances'])[1 + n % 8],
        'Person' || n,
        case when n % 300 = 0 then upper('person' || n || '@example' || n % 97 || '.com') end,
        case when n % 300 = 100 then '030/' || (1000000 + n) end
      from generate_series(100, ${count}, 100) n`)
  })
}

/** Finding duplicates, beside plain SQL that groups by the three columns as they are. */
export async function benchDuplicates(open: OpenBench, count: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const bench = await open()
  try {
    const owner = await fill(bench, count)
    const compare = comparison(figures, count, 'duplicates: ')
    await compare(
      'first page',
      () => bench.rpc('duplicate_page', { kind: 'contacts' }, owner.token),
      async () => {
        for (const key of [
          'lower(email)',
          `regexp_replace(phone_number, '[^0-9]', '', 'g')`,
          `lower(first_name || ' ' || last_name)`,
        ]) {
          await bench.query(`select ${key}, array_agg(id) from public.contacts
            where user_id = '${owner.id}' and ${key} is not null group by 1 having count(*) > 1`)
        }
      },
    )
  } finally {
    await bench.close()
  }
  return figures
}
