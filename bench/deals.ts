import type { Bench, OpenBench } from './bench.ts'
import { comparison, type Figure } from './measure.ts'

export const columns = 5

/** Gives an account so many deals; each column of its board has so many cards. */
export async function fillDeals(query: Bench['query'], id: string, count: number, onBoard: number) {
  await query(`
    insert into public.companies (user_id, name)
    select '${id}', 'Company ' || n from generate_series(1, 100) n`)
  await query(`
    insert into public.contacts (user_id, first_name, last_name)
    select '${id}', 'Ada', 'Person' || n from generate_series(1, 100) n`)
  await query(`
    insert into public.pipelines (user_id, name, created_at)
    select '${id}', 'Archive', now() + interval '1 day'`)
  // The board of the first pipeline is full; what else there is stands in another one without a stage.
  await query(`
    insert into public.deals (user_id, name, value, expected_close_date, pipeline_id, stage_id, company_id, contact_id, "order", created_at)
    select '${id}',
      (array['Renewal', 'Licence', 'Workshop', 'Support'])[1 + n % 4] || ' deal' || n,
      n % 9973 + 0.5,
      case when n % 5 > 0 then current_date + n % 700 - 350 end,
      case when n <= ${columns * onBoard} then s.pipeline_id else p.id end,
      case when n <= ${columns * onBoard} then s.id end,
      co.id, k.id,
      n % 7 * 1024,
      now() - n * interval '1 minute'
    from generate_series(1, ${count}) n
    join (
      select row_number() over (order by "order") - 1 as place, id, pipeline_id
      from public.pipeline_stages where user_id = '${id}'
    ) s on s.place = n % ${columns}
    join public.pipelines p on p.user_id = '${id}' and p.name = 'Archive'
    left join (
      select row_number() over (order by id) - 1 as place, id from public.companies where user_id = '${id}'
    ) co on n % 3 = 0 and co.place = n % 100
    left join (
      select row_number() over (order by id) - 1 as place, id from public.contacts where user_id = '${id}'
    ) k on n % 2 = 0 and k.place = n % 100`)
}

/** The requests of the deals screen, each beside the same work as plain SQL. */
export async function benchDeals(
  open: OpenBench,
  count: number,
  onBoard: number,
): Promise<Figure[]> {
  const figures: Figure[] = []
  const bench = await open()
  try {
    const cards = Math.min(onBoard, Math.floor(count / columns))
    const owner = await bench.fillTwo((id) => fillDeals(bench.query, id, count, cards))
    const links = `
      left join public.pipeline_stages s on s.id = c.stage_id
      left join public.companies co on co.id = c.company_id
      left join public.contacts k on k.id = c.contact_id`
    const shown = 'c.*, s.name, co.name, k.first_name, k.last_name, k.email'
    const page = (args: object) => () => bench.rpc('deal_page', args, owner.token)
    const plain = (where: string, order: string) => () =>
      bench.query(`select ${shown} from public.deals c ${links}
        where c.user_id = '${owner.id}' ${where} order by ${order} limit 60`)

    const compare = comparison(figures, count, 'deals: ')

    const newest = 'c.created_at desc, c.id desc'
    await compare('first page', page({}), plain('', newest))
    await compare(
      'first page by value',
      page({ sort: 'value' }),
      plain('', 'c.value desc, c.id desc'),
    )
    await compare(
      'first page by expected close',
      page({ sort: 'expected_close' }),
      plain('', 'c.expected_close_date desc nulls last, c.id desc'),
    )
    await compare(
      'first page by stage',
      page({ sort: 'stage', descending: false }),
      plain('', 's."order", s.name, c.id'),
    )
    await compare(
      'first page by company',
      page({ sort: 'company', descending: false }),
      plain('', `lower(coalesce(co.name, '')), c.id`),
    )
    await compare(
      'first page by contact',
      page({ sort: 'contact', descending: false }),
      plain('', `lower(coalesce(k.first_name || ' ', '') || coalesce(k.last_name, '')), c.id`),
    )
    await compare(
      'search for a rare word',
      page({ filter: { search: `deal${count - 3}` } }),
      plain(`and c.search_text like '%deal${count - 3}%'`, newest),
    )
    await compare(
      'filtered by value and expected close',
      page({ filter: { value_from: 100, value_to: 200, close_from: '2020-01-01' } }),
      plain(`and c.value between 100 and 200 and c.expected_close_date >= '2020-01-01'`, newest),
    )
    await compare(
      'count and sum',
      () => bench.rpc('deal_totals', {}, owner.token),
      () =>
        bench.query(`select count(*), sum(value) from public.deals where user_id = '${owner.id}'`),
    )
    await benchBoard(bench, owner, { shown, links, compare })
  } finally {
    await bench.close()
  }
  return figures
}

async function benchBoard(
  bench: Bench,
  owner: { id: string; token: string },
  {
    shown,
    links,
    compare,
  }: { shown: string; links: string; compare: ReturnType<typeof comparison> },
): Promise<void> {
  const { rows: stages } = (await bench.query(`
    select id, pipeline_id from public.pipeline_stages where user_id = '${owner.id}' order by "order"`)) as {
    rows: { id: string; pipeline_id: string }[]
  }
  const pipeline = stages[0]?.pipeline_id
  const inOrder = 'c."order", c.created_at desc, c.id'
  const cards = (stage: string | undefined, where: string) =>
    bench.query(`select ${shown} from public.deals c ${links}
      where c.user_id = '${owner.id}' and c.pipeline_id = '${pipeline}' and c.stage_id = '${stage}' ${where}
      order by ${inOrder} limit 30`)
  await compare(
    'board, figures and first cards',
    () => bench.rpc('deal_board', { pipeline }, owner.token),
    async () => {
      await bench.query(`select c.stage_id, count(*), sum(c.value), sum(c.value * s.win_probability) / 100
        from public.deals c join public.pipeline_stages s on s.id = c.stage_id
        where c.user_id = '${owner.id}' and c.pipeline_id = '${pipeline}' group by 1`)
      for (const { id } of stages) await cards(id, '')
    },
  )
  const stage = stages[0]?.id
  const { rows } = (await bench.query(`
    select jsonb_build_object('order', c."order", 'created_at', c.created_at, 'id', c.id) as cursor
    from public.deals c where c.user_id = '${owner.id}' and c.stage_id = '${stage}'
    order by ${inOrder} offset (select count(*) * 8 / 10 from public.deals where stage_id = '${stage}') limit 1`)) as {
    rows: { cursor: { order: number; created_at: string; id: string } }[]
  }
  const after = rows[0]?.cursor
  await compare(
    'more cards, deep in a column',
    () => bench.rpc('deal_column', { pipeline, stage, after }, owner.token),
    () =>
      cards(
        stage,
        `and (c."order" > ${after?.order} or c."order" = ${after?.order} and c.created_at < '${after?.created_at}')`,
      ),
  )
  await compare(
    'pipelines with their deals counted',
    () => bench.rpc('pipeline_list', {}, owner.token),
    () =>
      bench.query(
        `select stage_id, count(*) from public.deals where user_id = '${owner.id}' group by 1`,
      ),
  )
}
