import { randomUUID } from 'node:crypto'
import type { Bench, OpenBench } from './bench.ts'
import { fillContacts } from './contacts.ts'
import { comparison, type Figure, once } from './measure.ts'

/** Of a choice with ten options, nine out of ten contacts have the first, and very few the last. */
const options = Array.from({ length: 10 }, (_, place) => ({
  id: `~option${place}`,
  name: `Option ${place}`,
  color: 'gray',
}))

/** The option of row `n`. */
const levelOf = `case when n % 10000 = 7 then '~option9' when n % 10 > 0 then '~option0' else '~option' || 1 + n % 8 end`

const choices = [
  ['rare', '~option9'],
  ['common', '~option0'],
] as const

/** Nobody waits for a field to be deleted. */
const mostTime = 1000

const kinds = { level: 'choice', size: 'number', remark: 'text', end: 'day', active: 'yes/no' }

type NewField = { id: string; record: string; name: string; kind: string }

async function addField(query: Bench['query'], owner: string, field: NewField): Promise<void> {
  const { id, record, name, kind } = field
  await query(`
    insert into public.fields (id, user_id, record, name, kind, options)
    values ('${id}', '${owner}', '${record}', '${name}', '${kind}',
      '${kind === 'choice' ? JSON.stringify(options) : '[]'}')`)
}

/** Gives an account contacts with a value for each of five fields, and tells the ids of these. */
async function fillFields(query: Bench['query'], id: string, count: number) {
  const fields = { level: '', size: '', remark: '', end: '', active: '' }
  for (const name of Object.keys(fields) as (keyof typeof fields)[]) {
    fields[name] = randomUUID()
    const kind = kinds[name]
    await addField(query, id, { record: 'contacts', name, kind, id: fields[name] })
  }
  await fillContacts(query, id, count, {
    custom: `jsonb_build_object(
      '${fields.level}', ${levelOf},
      '${fields.size}', n * 7919 % 100003,
      '${fields.remark}', md5(n::text),
      '${fields.end}', date '2020-01-01' + n % 3000,
      '${fields.active}', n % 2 = 0)`,
  })
  return fields
}

/** What the lists of the other records are called by, and what a row of each needs. */
const lists = {
  companies: { page: 'company_page', counted: 'company_count', sums: 'count(*)', needs: {} },
  deals: {
    page: 'deal_page',
    counted: 'deal_totals',
    // The list tells their sum, too.
    sums: 'count(*), sum(c.value)',
    needs: { value: '100 + n % 900', currency: `'USD'` },
  },
} as const

/** The same for companies and deals: filter and sort by a field of the user's own. */
async function benchOthers(open: OpenBench, count: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const record of ['companies', 'deals'] as const) {
    const { page, counted, sums, needs } = lists[record]
    const bench = await open()
    try {
      const fieldsOf = new Map<string, { level: string; size: string }>()
      const owner = await bench.fillTwo(async (id) => {
        const fields = { level: randomUUID(), size: randomUUID() }
        fieldsOf.set(id, fields)
        await addField(bench.query, id, { record, name: 'level', kind: 'choice', id: fields.level })
        await addField(bench.query, id, { record, name: 'size', kind: 'number', id: fields.size })
        const [names, values] = [Object.keys(needs), Object.values(needs)].map((each) =>
          each.map((text) => `, ${text}`).join(''),
        )
        await bench.query(`
          insert into public.${record} (user_id, name, created_at, custom${names})
          select '${id}', 'Name ' || n, now() - n * interval '1 minute',
            jsonb_build_object('${fields.level}', ${levelOf}, '${fields.size}', n * 7919 % 100003)${values}
          from generate_series(1, ${count}) n`)
      })
      const fields = fieldsOf.get(owner.id)
      if (!fields) throw new Error('The fields were not made.')
      const value = (field: string) => `c.custom ->> '${field}'`
      const rows = (args: object) => () => bench.rpc(page, args, owner.token)
      const plain = (where: string, order: string) => () =>
        bench.query(`select c.* from public.${record} c
          where c.user_id = '${owner.id}' and ${where} order by ${order} limit 50`)
      const newest = 'c.created_at desc, c.id desc'
      const compare = comparison(figures, count, `own fields of ${record}: `)
      for (const [kind, option] of choices) {
        const filter = { fields: { [fields.level]: { is: [option] } } }
        const has = `${value(fields.level)} = '${option}'`
        await compare(`filter by a ${kind} value`, rows({ filter }), plain(has, newest))
        await compare(
          `count of a ${kind} value`,
          () => bench.rpc(counted, { filter }, owner.token),
          () =>
            bench.query(
              `select ${sums} from public.${record} c where c.user_id = '${owner.id}' and ${has}`,
            ),
        )
      }
      await compare(
        'sort by a number',
        rows({ sort: `field:${fields.size}`, descending: false }),
        plain('true', `(${value(fields.size)})::numeric, c.id`),
      )
    } finally {
      await bench.close()
    }
  }
  return figures
}

/**
 * Lists of contacts by fields of the user's own, each beside the same filter and order as plain SQL without an index
 * of its own.
 */
export async function benchFields(open: OpenBench, count: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const bench = await open()
  try {
    const fieldsOf = new Map<string, Awaited<ReturnType<typeof fillFields>>>()
    const owner = await bench.fillTwo(async (id) => {
      fieldsOf.set(id, await fillFields(bench.query, id, count))
    })
    const fields = fieldsOf.get(owner.id)
    if (!fields) throw new Error('The fields were not made.')
    const page = (args: object) => () => bench.rpc('contact_page', args, owner.token)
    const value = (field: string) => `c.custom ->> '${field}'`
    const plain = (where: string, order: string) => () =>
      bench.query(`select c.*, co.name from public.contacts c left join public.companies co on co.id = c.company_id
        where c.user_id = '${owner.id}' and ${where} order by ${order} limit 50`)
    const newest = 'c.created_at desc, c.id desc'
    const compare = comparison(figures, count, 'own fields: ')
    const is = (option: string) => ({ fields: { [fields.level]: { is: [option] } } })
    const has = (option: string) => `${value(fields.level)} = '${option}'`

    await compare('first page', page({}), plain('true', newest))
    for (const [kind, option] of choices) {
      await compare(
        `filter by a ${kind} value`,
        page({ filter: is(option) }),
        plain(has(option), newest),
      )
      await compare(
        `count of a ${kind} value`,
        () => bench.rpc('contact_count', { filter: is(option) }, owner.token),
        () =>
          bench.query(
            `select count(*) from public.contacts c where c.user_id = '${owner.id}' and ${has(option)}`,
          ),
      )
    }
    await compare(
      'filter by a range of numbers',
      page({ filter: { fields: { [fields.size]: { from: 100, to: 200 } } } }),
      plain(`(${value(fields.size)})::numeric between 100 and 200`, newest),
    )
    await compare(
      'filter by a part of a text',
      page({ filter: { fields: { [fields.remark]: { contains: 'abcd' } } } }),
      plain(`${value(fields.remark)} like '%abcd%'`, newest),
    )
    const orders = {
      number: [fields.size, `(${value(fields.size)})::numeric`],
      text: [fields.remark, `lower(${value(fields.remark)})`],
      choice: [
        fields.level,
        `array_position(array[${options.map(({ id }) => `'${id}'`).join(',')}], ${value(fields.level)})`,
      ],
    } as const
    for (const [kind, [field, order]] of Object.entries(orders)) {
      await compare(
        `sort by a ${kind}`,
        page({ sort: `field:${field}`, descending: false }),
        plain('true', `${order}, c.id`),
      )
    }
    const deletion: { batch?: string } = {}
    const steps = {
      'delete one that every contact has': async () =>
        Object.assign(
          deletion,
          await bench.rpc('delete_field', { id: fields.remark }, owner.token),
        ),
      'its undo': () => bench.rpc('undo_batch', { batch: deletion.batch }, owner.token),
    }
    for (const [what, run] of Object.entries(steps)) {
      const ours = await once(run)
      figures.push({
        what: `own fields: ${what}`,
        rows: count,
        ours,
        plain: null,
        isMet: ours < mostTime,
        goal: '< 1 s',
      })
    }
    const counted = await once(() => bench.rpc('field_counts', { record: 'contacts' }, owner.token))
    figures.push({
      what: 'own fields: how many contacts have a value, of each of five fields',
      rows: count,
      ours: counted,
      plain: null,
      isMet: null,
      goal: '–',
    })
    // Its values stay where they were, unseen.
    await bench.rpc('delete_field', { id: fields.remark }, owner.token)
    await compare(
      'search for a rare word, a text field deleted',
      page({ filter: { search: 'zyxwv' } }),
      plain(`c.search_text like '%zyxwv%'`, newest),
    )
    await compare(
      'search for what only the deleted field holds',
      page({ filter: { search: 'abcd' } }),
      plain(`c.search_text like '%abcd%'`, newest),
    )
  } finally {
    await bench.close()
  }
  return [...figures, ...(await benchOthers(open, count))]
}
