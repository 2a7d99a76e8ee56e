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

/** A request is given up then. */
const mostTime = 60_000

const kinds = { level: 'choice', size: 'number', remark: 'text', end: 'day', active: 'yes/no' }

/** Gives an account contacts with a value for each of five fields, and tells the ids of these. */
async function fillFields(query: Bench['query'], id: string, count: number) {
  const fields = { level: '', size: '', remark: '', end: '', active: '' }
  for (const name of Object.keys(fields) as (keyof typeof fields)[]) {
    fields[name] = randomUUID()
    const kind = kinds[name]
    await query(`
      insert into public.fields (id, user_id, record, name, kind, options)
      values ('${fields[name]}', '${id}', 'contacts', '${name}', '${kind}',
        '${kind === 'choice' ? JSON.stringify(options) : '[]'}')`)
  }
  await fillContacts(query, id, count, {
    custom: `jsonb_build_object(
      '${fields.level}', case when n % 10000 = 7 then '~option9' when n % 10 > 0 then '~option0' else '~option' || 1 + n % 8 end,
      '${fields.size}', n * 7919 % 100003,
      '${fields.remark}', md5(n::text),
      '${fields.end}', date '2020-01-01' + n % 3000,
      '${fields.active}', n % 2 = 0)`,
  })
  return fields
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
    for (const [kind, option] of [
      ['rare', '~option9'],
      ['common', '~option0'],
    ] as const) {
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
    // The log holds what every record had.
    const deleted = await once(() => bench.rpc('delete_field', { id: fields.size }, owner.token))
    const written = await once(() =>
      bench.query(
        `update public.contacts set custom = custom - '${fields.remark}' where user_id = '${owner.id}'`,
      ),
    )
    figures.push({
      what: 'own fields: delete one that every contact has',
      rows: count,
      ours: deleted,
      plain: written,
      isMet: deleted < mostTime,
      goal: '< 60 s',
    })
  } finally {
    await bench.close()
  }
  return figures
}
