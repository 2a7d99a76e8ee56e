import { beforeEach, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { fieldCalls, gold, options, silver } from './own-field-calls.ts'
import { add } from './samples.ts'

type Page = { rows: { id: string; first_name: string; name: string }[]; next: Json }
type Filter = Record<string, Json>

onOneDatabase((database, isSmoke) => {
  let owner: Account
  let calls: ReturnType<typeof fieldCalls>
  beforeEach(async () => {
    owner = await database().signUp()
    calls = fieldCalls(owner)
  })

  /** Contacts with these values of one field, by name; what has none is undefined. */
  async function contactsWith(field: string, values: Record<string, Json | undefined>) {
    const ids: Record<string, string> = {}
    for (const [first_name, value] of Object.entries(values)) {
      const custom = value === undefined ? {} : { [field]: value }
      ids[first_name] = (await add(owner, 'contacts', { first_name, email: null, custom })).id
    }
    return ids
  }
  const page = async (args: object) =>
    (await ok(owner.client.rpc('contact_page', args))) as unknown as Page
  /** The names that a filter finds, by the pages, the counts and the neighbours alike. */
  async function found(filter: Filter, sort = 'name', descending = false): Promise<string> {
    const rows: Page['rows'] = []
    let after: Json = null
    do {
      const next = await page({ filter, sort, descending, after, page_size: 2 })
      rows.push(...next.rows)
      after = next.next
    } while (after)
    expect(await ok(owner.client.rpc('contact_count', { filter }))).toBe(rows.length)
    for (const [place, { id }] of rows.entries()) {
      const args = { id, filter, sort, descending }
      expect(await ok(owner.client.rpc('contact_neighbours', args))).toEqual({
        previous: rows[place - 1]?.id ?? null,
        next: rows[place + 1]?.id ?? null,
      })
    }
    return rows.map((row) => row.first_name).join(' ')
  }
  const by = (field: string, is: Json): Filter => ({ fields: { [field]: is } })

  const third = { id: '~0000003', name: 'Bronze', color: 'red' }
  const choices = [...options, third]

  type Case = [string, Record<string, Json | undefined>, [Json, string][], string, string]
  const cases: Case[] = [
    [
      'choice',
      { A: silver, B: gold, C: undefined, D: third.id },
      [
        [{ is: [gold] }, 'B'],
        [{ is: [gold, silver] }, 'A B'],
        [{ is: [] }, ''],
        [{ filled: true }, 'A B D'],
        [{ filled: false }, 'C'],
      ],
      'B A D C',
      'D A B C',
    ],
    [
      'several choices',
      { A: [silver, third.id], B: [gold], C: undefined, D: [gold, third.id], E: [silver] },
      [
        [{ is: [gold] }, 'B D'],
        [{ is: [silver, third.id] }, 'A D E'],
      ],
      'B D E A C',
      'A E D B C',
    ],
    [
      'yes/no',
      { A: false, B: true, C: undefined },
      [
        [{ is: [true] }, 'B'],
        [{ is: [false] }, 'A'],
        [{ is: [true, false] }, 'A B'],
      ],
      'B A C',
      'A B C',
    ],
    [
      'number',
      { A: 10, B: 9.5, C: undefined, D: -3 },
      [
        [{ from: 9.5 }, 'A B'],
        [{ to: 9.5 }, 'B D'],
        [{ from: -3, to: 9 }, 'D'],
        [{ filled: false }, 'C'],
      ],
      'D B A C',
      'A B D C',
    ],
    ['money', { A: 10, B: 9, C: undefined }, [[{ from: 9.5 }, 'A']], 'B A C', 'A B C'],
    [
      'day',
      { A: '2026-11-17', B: '2025-01-01', C: undefined },
      [
        [{ from: '2026-11-17', to: '2026-11-17' }, 'A'],
        [{ to: '2026-01-01' }, 'B'],
      ],
      'B A C',
      'A B C',
    ],
    [
      'text',
      { A: 'Zürich Nord', B: 'amsterdam', C: undefined, D: '100% sure', E: '2026-01-05' },
      [
        [{ contains: 'zurich' }, 'A'],
        [{ contains: '%' }, 'D'],
        [{ contains: '2026-01' }, 'E'],
        [{ contains: 'x' }, ''],
      ],
      'D E B A C',
      'A B E D C',
    ],
    ['long text', { A: 'b\nc', B: 'a' }, [[{ contains: 'c' }, 'A']], 'B A', 'A B'],
  ]
  // Where only some run, those of texts: their order is the one thing that the databases might differ in.
  const texts = cases.filter(([kind]) => kind.endsWith('text'))
  test.each(isSmoke ? texts : cases)(
    'filter and order by a %s',
    async (kind, values, filters, upwards, downwards) => {
      const field = await calls.field(kind, kind.includes('choice') ? { options: choices } : {})
      await contactsWith(field, values)
      for (const [is, names] of filters) expect(await found(by(field, is))).toBe(names)
      expect(await found({}, `field:${field}`)).toBe(upwards)
      expect(await found({}, `field:${field}`, true)).toBe(downwards)
      const some = await found({ ...by(field, { filled: true }), search: 'a' }, `field:${field}`)
      expect(some).toContain('A')
    },
  )

  if (isSmoke) return

  test('several fields are joined, and other filters too', async () => {
    const [one, other] = [await calls.field('number'), await calls.field('text')]
    for (const [first_name, custom] of Object.entries({
      A: { [one]: 1, [other]: 'x' },
      B: { [one]: 1, [other]: 'y' },
      C: { [one]: 2, [other]: 'x' },
    })) {
      await add(owner, 'contacts', { first_name, custom })
    }
    const fields = { [one]: { to: 1 }, [other]: { contains: 'X' } }
    expect(await found({ fields })).toBe('A')
    expect(await found({ fields, lead_status: ['Qualified'] })).toBe('')
  })

  test('what is not understood is refused, and deletes nothing', async () => {
    const field = await calls.field('number')
    const foreign = await fieldCalls(await database().signUp()).field('number')
    const ofDeals = await calls.field('number', { record: 'deals' })
    await contactsWith(field, { A: 1 })
    for (const fields of [
      { [foreign]: { from: 1 } },
      { [ofDeals]: { from: 1 } },
      { notes: { filled: true } },
      { [field]: { is: [1] } },
      { [field]: { contains: '1' } },
      { [field]: 1 },
      [],
      { [field]: { from: 'x' } },
      { [field]: { filled: 'perhaps' } },
    ] as Json[]) {
      const answer = await owner.client.rpc('delete_contacts', { filter: { fields } })
      expect(answer.status, JSON.stringify(fields)).toBe(400)
    }
    for (const sort of [`field:${foreign}`, `field:${ofDeals}`, 'field:x', 'field:']) {
      const answer = await owner.client.rpc('contact_page', { sort })
      expect(answer).toMatchObject({ status: 400 })
    }
    expect(await ok(owner.client.rpc('contact_count'))).toBe(1)
  })

  test('a search finds texts, numbers of phones and names of options', async () => {
    const text = await calls.field('long text')
    const phone = await calls.field('phone')
    const link = await calls.field('link')
    const one = await calls.field('choice', { options })
    const several = await calls.field('several choices', { options: choices })
    const day = await calls.field('day')
    for (const [first_name, custom] of Object.entries({
      A: { [text]: 'Likes\nÉclairs' },
      B: { [phone]: '+49 (30) 765 4321' },
      C: { [link]: 'https://acme.example' },
      D: { [one]: gold },
      E: { [several]: [silver, third.id] },
      F: { [day]: '2031-12-24' },
    })) {
      await add(owner, 'contacts', { first_name, email: null, custom })
    }
    const everywhere = async (words: string) => {
      const hits = await ok(owner.client.rpc('search_everything', { words }))
      return (hits as { title: string }[]).map(({ title }) => title).sort()
    }
    for (const [words, names] of [
      ['eclairs', 'A'],
      ['030 7654321', 'B'],
      ['acme.example', 'C'],
      ['gold', 'D'],
      ['bronze', 'E'],
      ['2031', ''],
      [gold.slice(1), ''],
    ] as const) {
      expect(await found({ search: words }), words).toBe(names)
      expect(await everywhere(words), words).toEqual(names ? [names] : [])
    }
    // Two words, of which one is a name and the other an option.
    expect(await everywhere('gold d')).toEqual(['D'])
    const renamed = options.map((option) => ({ ...option, name: `${option.name} star` }))
    await ok(owner.client.from('fields').update({ options: renamed }).eq('id', one).select())
    expect(await everywhere('gold star')).toEqual(['D'])
  })

  test('many contacts, companies and deals are changed at once, each field by itself', async () => {
    const [one, other] = [await calls.field('text'), await calls.field('text')]
    const ids = await contactsWith(other, { A: 'stays', B: undefined })
    const answer = await ok(
      owner.client.rpc('update_contacts', { filter: {}, changes: { custom: { [one]: 'x' } } }),
    )
    expect(answer).toMatchObject({ count: 2 })
    expect(await calls.custom(ids.A ?? '')).toEqual({ [one]: 'x', [other]: 'stays' })
    await ok(owner.client.rpc('undo_batch', { batch: (answer as { batch: string }).batch }))
    expect(await calls.custom(ids.A ?? '')).toEqual({ [other]: 'stays' })
    expect(await calls.custom(ids.B ?? '')).toEqual({})

    for (const record of ['companies', 'deals'] as const) {
      const field = await calls.field('money', { record })
      const { id } = await add(owner, record)
      const changes = { custom: { [field]: 5 } }
      await ok(owner.client.rpc(`update_${record}`, { filter: { ids: [id] }, changes }))
      expect(await calls.custom(id, record)).toEqual({ [field]: 5 })
      const wrong = { custom: { [field]: 'many' } }
      const refused = await owner.client.rpc(`update_${record}`, { filter: {}, changes: wrong })
      expect(refused).toMatchObject({ status: 400 })
    }
    const gone = { fields: { [other]: { contains: 'stays' } } }
    expect(await ok(owner.client.rpc('delete_contacts', { filter: gone }))).toMatchObject({
      count: 1,
    })
  })

  test('lists of companies and deals, totals and the board know them', async () => {
    const level = await calls.field('choice', { record: 'deals', options })
    const [pipeline] = await ok(owner.client.from('pipelines').select('id'))
    await add(owner, 'deals', { name: 'A', value: 1, custom: { [level]: silver } })
    await add(owner, 'deals', { name: 'B', value: 2, custom: { [level]: gold } })
    await add(owner, 'deals', { name: 'C', value: 4 })
    const names = ({ rows }: { rows: { name: string }[] }) => rows.map(({ name }) => name).join(' ')
    const sort = `field:${level}`
    const all = await ok(owner.client.rpc('deal_page', { sort, descending: false }))
    expect(names(all as unknown as Page)).toBe('B A C')
    const filter = by(level, { is: [silver] })
    for (const of of [filter, { search: 'silver' }]) {
      expect(await ok(owner.client.rpc('deal_totals', { filter: of }))).toEqual({
        count: 1,
        sum: '1.00',
        uncounted: {},
      })
      const board = await ok(
        owner.client.rpc('deal_board', { pipeline: pipeline?.id ?? '', filter: of }),
      )
      const cards = (board as unknown as Page[]).flatMap(({ rows }) => rows)
      expect(names({ rows: cards })).toBe('A')
    }
    const size = await calls.field('number', { record: 'companies' })
    for (const [name, value] of [
      ['A', 2],
      ['B', 1],
    ] as const) {
      await add(owner, 'companies', { name, custom: { [size]: value } })
    }
    const companies = await ok(
      owner.client.rpc('company_page', {
        filter: by(size, { from: 1 }),
        sort: `field:${size}`,
        descending: false,
      }),
    )
    expect(names(companies as unknown as Page)).toBe('B A')
    expect(await ok(owner.client.rpc('company_count', { filter: by(size, { to: 1 }) }))).toBe(1)
  })
})
