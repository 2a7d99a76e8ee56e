import type { Bench, OpenBench } from './bench.ts'
import { comparison, type Figure, median } from './measure.ts'

type Counts = { contacts: number; companies: number; deals: number; tasks: number }

const firstNames = `(array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Tony', 'Frances'])`
const syllables = `(array['bel', 'cor', 'dun', 'fen', 'gar', 'hol', 'kem', 'lin', 'mor', 'ner', 'pol', 'ram', 'sel', 'tor', 'vik', 'wes'])`

/** One of 65,536 last names. They must not all be alike, because the search also looks for similar words. */
const lastName = (n: string) =>
  `initcap(${[1, 16, 256, 4096].map((step) => `${syllables}[1 + (${n} / ${step}) % 16]`).join(' || ')})`

async function fill(bench: Bench, { contacts, companies, deals, tasks }: Counts) {
  return bench.fillTwo(async (id) => {
    await bench.query(`
      insert into public.companies (user_id, name, industry, location, created_at)
      select '${id}', ${lastName('n')} || ' ' || (array['Ltd', 'GmbH', 'Inc'])[1 + n % 3], 'Tools', 'Berlin',
        now() - n * interval '1 minute'
      from generate_series(1, ${companies}) n`)
    await bench.query(`
      insert into public.contacts (user_id, first_name, last_name, email, phone_number, created_at)
      select '${id}', ${firstNames}[1 + n % 8], ${lastName('n')},
        'person' || n || '@example' || n % 97 || '.com', '+49 30 ' || (1000000 + n), now() - n * interval '1 minute'
      from generate_series(1, ${contacts}) n`)
    await bench.query(`
      insert into public.deals (user_id, name, value, created_at)
      select '${id}', (array['Renewal', 'Pilot', 'Audit', 'Training'])[1 + n % 4] || ' ' || ${lastName('n')}, n,
        now() - n * interval '1 minute'
      from generate_series(1, ${deals}) n`)
    await bench.query(`
      insert into public.tasks (user_id, title, description, created_at)
      select '${id}', (array['Call', 'Write', 'Visit', 'Remind'])[1 + n % 4] || ' ' || ${firstNames}[1 + n % 8] || ' ' || ${lastName('n')},
        'About offer ' || n % 97, now() - n * interval '1 minute'
      from generate_series(1, ${tasks}) n`)
  })
}

const titles = {
  contacts: `btrim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))`,
  companies: 'c.name',
  deals: 'c.name',
  tasks: 'c.title',
}

/** The same hits by one statement over the same columns. */
function plainSearch(owner: string, word: string, isFewFound: boolean): string {
  const similar = isFewFound ? ` or c.search_text operator(extensions.%>) '${word}'` : ''
  const parts = Object.entries(titles).map(
    ([table, title]) => `(
      select '${table}' as kind, c.id, ${title} as title, c.created_at, case
          when private.fold(${title}) = '${word}' then 0
          when private.fold(${title}) like '${word}%' then 1
          when private.fold(${title}) like '% ${word}%' then 2
          when c.search_text like '%${word}%' then 3
          else 5 - extensions.word_similarity('${word}', c.search_text)
        end as rank
      from public.${table} c
      where c.user_id = '${owner}' and (c.search_text like '%${word}%'${similar})
      order by rank, c.created_at desc, c.id limit 8)`,
  )
  return `select * from (${parts.join(' union all ')}) hits order by rank, created_at desc, id limit 20`
}

/** The search over everything, beside the same hits as plain SQL. */
export async function benchSearch(open: OpenBench, counts: Counts): Promise<Figure[]> {
  const figures: Figure[] = []
  const bench = await open()
  try {
    const owner = await fill(bench, counts)
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const compare = comparison(figures, rows, 'search everything: ')
    const cases: [string, string, boolean][] = [
      ['a common word', 'ada', false],
      ['a rare word', `person${counts.contacts - 3}`, true],
      ['an absent word', 'zzyzx', true],
      ['a word with a wrong letter', 'belcorfendum', true],
    ]
    for (const [what, word, isFewFound] of cases) {
      await compare(
        what,
        () => bench.rpc('search_everything', { words: word }, owner.token),
        () => bench.query(plainSearch(owner.id, word, isFewFound)),
      )
    }
    const line = {
      contact: { first_name: 'Ada', last_name: null, email: null, phone_number: null },
      company: { name: 'Belbel' },
      deal: { name: 'Renewal', value: 5000 },
    }
    figures.push({
      what: 'quick add: which records a line means',
      rows,
      ours: await median(() => bench.rpc('quick_add_preview', { line }, owner.token)),
      plain: null,
      isMet: null,
      goal: '–',
    })
  } finally {
    await bench.close()
  }
  return figures
}
