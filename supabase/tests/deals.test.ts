import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { add } from './samples.ts'

type Stage = {
  id: string
  pipeline_id: string
  name: string
  order: number
  outcome: string
  win_probability: number
}
/** A deal as it was put in; money in cents. */
type Seed = {
  id: string
  name: string
  cents: number
  expected_close_date: string | null
  pipeline_id: string | null
  stage_id: string | null
  company_id: string | null
  contact_id: string | null
  order: number
  created_at: string
}
type Row = { id: string; name: string; value: number; stage_name: string | null }
type Page = { rows: Row[]; next: Json }
type Column = Page & {
  stage_id: string | null
  stage_name: string | null
  win_probability: number
  count: number
  sum: string
  weighted: string
}
type Bulk = { count: number; batch: string | null }
type Args = Record<string, unknown>

/** The same numbers on every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function inDollars(cents: bigint): string {
  return `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`
}

const total = (deals: Seed[]) => deals.reduce((sum, { cents }) => sum + BigInt(cents), 0n)
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

onOneDatabase((database, isSmoke) => {
  let owner: Account
  let stranger: Account
  let pipelines: string[]
  let stages: Stage[]
  let companies: { id: string; name: string }[]
  let contacts: { id: string; first_name: string | null; last_name: string | null }[]
  let deals: Seed[]

  /** Several hundred deals in two pipelines, with ties in everything that can be sorted by. */
  async function fill(account: Account, seed: number) {
    const { client } = account
    await ok(client.rpc('create_pipeline', { name: 'Partners' }))
    const lines = ids(await ok(client.from('pipelines').select('id').order('created_at')))
    await add(account, 'pipeline_stages', { name: 'Pilot', pipeline_id: lines[1], order: 2 })
    const steps: Stage[] = await ok(client.from('pipeline_stages').select())
    const firms = await ok(
      client
        .from('companies')
        .insert(['Acme', 'acme', 'Zeta'].map((name) => ({ name })))
        .select('id, name'),
    )
    const people = await ok(
      client
        .from('contacts')
        .insert([
          { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
          { first_name: 'ada', last_name: null },
          { first_name: null, last_name: 'Hopper' },
        ])
        .select('id, first_name, last_name'),
    )
    const random = randomNumbers(seed)
    const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const rows = Array.from({ length: isSmoke ? 60 : 400 }, (): Seed => {
      const stage = random() < 0.15 ? null : one(steps)
      return {
        id: randomUUID(),
        name: one(['Alpha', 'alpha', 'Büro', 'Delta', '100%', 'under_score', "O'Brien"]),
        cents: random() < 0.3 ? 99_999_999_999_999 : one([0, 1, 12_050, 12_051, 999_999]),
        expected_close_date:
          random() < 0.2 ? null : `2026-${one(['02', '11'])}-${one(['01', '15', '28'])}`,
        pipeline_id: stage?.pipeline_id ?? (random() < 0.1 ? null : one(lines)),
        stage_id: stage?.id ?? null,
        company_id: one([null, ...ids(firms)]),
        contact_id: one([null, ...ids(people)]),
        order: one([0, 0, 0.5, -3, 1024]),
        created_at: `2026-10-${one(['01', '02', '03'])}T10:00:00.${one(['000001', '5', '123456'])}+00:00`,
      }
    })
    await database().query(
      `insert into public.deals (user_id, id, name, value, expected_close_date, pipeline_id, stage_id, company_id, contact_id, "order", created_at)
       select ?, w.id, w.name, w.cents * 0.01, w.expected_close_date, w.pipeline_id, w.stage_id, w.company_id, w.contact_id, w."order", w.created_at
       from jsonb_to_recordset(?::jsonb) as w (id uuid, name text, cents numeric, expected_close_date date, pipeline_id uuid,
         stage_id uuid, company_id uuid, contact_id uuid, "order" double precision, created_at timestamptz)`,
      account.id,
      JSON.stringify(rows),
    )
    // A new deal goes to the oldest pipeline; these shall be as one whose pipeline was deleted.
    const lost = ids(rows.filter(({ pipeline_id }) => !pipeline_id))
    await database().query(
      'update public.deals set pipeline_id = null where id in (select jsonb_array_elements_text(?::jsonb)::uuid)',
      JSON.stringify(lost),
    )
    return { lines, steps, firms, people, rows }
  }

  beforeAll(async () => {
    owner = await database().signUp()
    stranger = await database().signUp()
    const filled = await fill(owner, 7)
    await fill(stranger, 8)
    pipelines = filled.lines
    stages = filled.steps
    companies = filled.firms
    contacts = filled.people
    deals = filled.rows
  })

  async function call<T>(name: string, args: Args, account = owner): Promise<T> {
    const answer: unknown = await ok(account.client.rpc(name as 'deal_page', args as never))
    return answer as T
  }
  const page = (args: Args = {}) => call<Page>('deal_page', args)

  async function walk(next: (after: Json) => Promise<Page>, size: number): Promise<Row[]> {
    const rows: Row[] = []
    let after: Json = null
    do {
      const found = await next(after)
      expect(found.rows.length).toBeLessThanOrEqual(size)
      rows.push(...found.rows)
      after = found.next
    } while (after !== null)
    return rows
  }

  /** Everything that a write could have changed, without the stamp that each write renews. */
  async function everything(account: Account) {
    const { client } = account
    const read = [
      await ok(client.from('pipelines').select().order('id')),
      await ok(client.from('pipeline_stages').select().order('id')),
      await ok(client.from('deals').select().order('id')),
    ]
    return read.map((rows) => rows.map((row) => ({ ...row, updated_at: null })))
  }

  async function undo(account: Account, batch: string | null) {
    const answer = await ok(account.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(answer).toMatchObject({ conflicts: [] })
  }

  const stageOf = ({ stage_id }: Seed) => stages.find(({ id }) => id === stage_id)

  describe('the list', () => {
    /** What is missing comes last, in either direction. */
    const last = (descending: boolean) => (descending ? '' : '\uffff')
    const keys: Record<string, (deal: Seed, descending: boolean) => string | number> = {
      created: ({ created_at }) => created_at.replace('.5+', '.500000+'),
      name: ({ name }) => name.toLowerCase(),
      value: ({ cents }) => cents,
      expected_close: ({ expected_close_date }, descending) =>
        expected_close_date ?? last(descending),
      stage: (deal, descending) => {
        const stage = stageOf(deal)
        if (!stage) return last(descending)
        return `${stage.order} ${stage.name.toLowerCase()}`
      },
      company: ({ company_id }, descending) =>
        companies.find(({ id }) => id === company_id)?.name.toLowerCase() ?? last(descending),
      contact: ({ contact_id }, descending) => {
        const found = contacts.find(({ id }) => id === contact_id)
        const first = found?.first_name ? `${found.first_name} ` : ''
        return `${first}${found?.last_name ?? ''}`.toLowerCase() || last(descending)
      },
    }

    function sorted(sort: string, descending: boolean): string[] {
      const up = deals.toSorted((a, b) => {
        const [one, other] = [keys[sort]?.(a, descending) ?? '', keys[sort]?.(b, descending) ?? '']
        return one < other ? -1 : one > other ? 1 : a.id < b.id ? -1 : 1
      })
      return ids(descending ? up.reverse() : up)
    }

    const sorts = Object.keys(keys).flatMap((sort) => [
      [sort, true] as const,
      [sort, false] as const,
    ])
    test.each(sorts)(
      'sorted by %s, descending %s, shows every deal once and in order',
      async (sort, descending) => {
        const size = isSmoke ? 13 : 83
        const view = { sort, descending, page_size: size }
        const rows = await walk((after) => page({ ...view, after }), size)
        expect(ids(rows)).toEqual(sorted(sort, descending))
      },
    )

    if (isSmoke) return

    test.each(sorts)('neighbours by %s, descending %s', async (sort, descending) => {
      const order = sorted(sort, descending)
      for (const place of [0, 150, 399]) {
        const found = await call('deal_neighbours', { id: order[place], sort, descending })
        expect(found).toEqual({
          previous: order[place - 1] ?? null,
          next: order[place + 1] ?? null,
        })
      }
    })

    const filters: [string, () => Args, (deal: Seed) => boolean][] = [
      ['nothing', () => ({}), () => true],
      ['search', () => ({ search: ' ALPHA ' }), ({ name }) => /alpha/i.test(name)],
      ['search without accents', () => ({ search: 'buro' }), ({ name }) => name === 'Büro'],
      ['search for a sign', () => ({ search: '%' }), ({ name }) => name === '100%'],
      ['search for a quote', () => ({ search: "'b" }), ({ name }) => name === "O'Brien"],
      [
        'pipeline',
        () => ({ pipeline: pipelines[1] }),
        ({ pipeline_id }) => pipeline_id === pipelines[1],
      ],
      [
        'stages',
        () => ({ stage: ids(stages.slice(0, 3)) }),
        ({ stage_id }) => ids(stages.slice(0, 3)).includes(stage_id ?? ''),
      ],
      ['no stage', () => ({ stage: ['none'] }), ({ stage_id }) => stage_id === null],
      [
        'a stage or none',
        () => ({ stage: ['none', stages[1]?.id] }),
        ({ stage_id }) => stage_id === null || stage_id === stages[1]?.id,
      ],
      ['no stage at all', () => ({ stage: [] }), () => false],
      [
        'company',
        () => ({ company: companies[0]?.id }),
        ({ company_id }) => company_id === companies[0]?.id,
      ],
      [
        'contact',
        () => ({ contact: contacts[2]?.id }),
        ({ contact_id }) => contact_id === contacts[2]?.id,
      ],
      ['value from', () => ({ value_from: '120.51' }), ({ cents }) => cents >= 12_051],
      ['value to', () => ({ value_to: 120.5 }), ({ cents }) => cents <= 12_050],
      [
        'value between',
        () => ({ value_from: '0.01', value_to: '9999.99' }),
        ({ cents }) => cents >= 1 && cents <= 999_999,
      ],
      ['value beyond all', () => ({ value_from: 1e20 }), () => false],
      [
        'close from',
        () => ({ close_from: '2026-02-15' }),
        ({ expected_close_date: day }) => day !== null && day >= '2026-02-15',
      ],
      [
        'close between',
        () => ({ close_from: '2026-02-28', close_to: '2026-11-01' }),
        ({ expected_close_date: day }) =>
          day !== null && day >= '2026-02-28' && day <= '2026-11-01',
      ],
      [
        'those chosen',
        () => ({ ids: ids(deals.slice(0, 9)) }),
        ({ id }) => ids(deals.slice(0, 9)).includes(id),
      ],
      [
        'all but those taken out',
        () => ({ except: ids(deals.slice(0, 9)) }),
        ({ id }) => !ids(deals.slice(0, 9)).includes(id),
      ],
      [
        'all together',
        () => ({
          search: 'a',
          pipeline: pipelines[0],
          value_to: 120.51,
          close_to: '2026-11-15',
          stage: ['none', ...ids(stages)],
        }),
        ({ name, pipeline_id, cents, expected_close_date: day }) =>
          /a/i.test(name) &&
          pipeline_id === pipelines[0] &&
          cents <= 12_051 &&
          day !== null &&
          day <= '2026-11-15',
      ],
    ]
    test.each(filters)('filter: %s', async (_, filter, matches) => {
      const meant = deals.filter(matches)
      const args = { filter: filter(), sort: 'value', page_size: 90 }
      const rows = await walk((after) => page({ ...args, after }), 90)
      expect(ids(rows).sort()).toEqual(ids(meant).sort())
      const totals = await call<{ count: number; sum: string }>('deal_totals', {
        filter: filter(),
      })
      expect(totals).toEqual({
        count: meant.length,
        sum: meant.length > 0 ? inDollars(total(meant)) : '0',
        uncounted: {},
      })
    })

    test('the filters are told apart by what was put in', () => {
      for (const [name, , matches] of filters) {
        const { length } = deals.filter(matches)
        if (name === 'nothing') expect(length).toBe(400)
        else if (/beyond|at all/.test(name)) expect(length).toBe(0)
        else expect([name, length > 0 && length < 400]).toEqual([name, true])
      }
    })

    test('a row comes with its stage, company, contact and next task', async () => {
      const lead = stages.find(({ name }) => name === 'Lead')
      const linked = { company_id: companies[2]?.id, contact_id: contacts[0]?.id }
      const deal = await add(owner, 'deals', { ...linked, name: 'Card', stage_id: lead?.id })
      await add(owner, 'tasks', { title: 'Later', deal_id: deal.id })
      const task = await add(owner, 'tasks', {
        title: 'Call',
        deal_id: deal.id,
        due_date: '2030-01-01T10:00:00+00:00',
      })
      await add(owner, 'tasks', {
        title: 'Done',
        deal_id: deal.id,
        due_date: '2029-01-01T10:00:00+00:00',
        completed: true,
      })
      const card = {
        id: deal.id,
        value: 1200.5,
        pipeline_id: lead?.pipeline_id,
        stage_name: 'Lead',
        outcome: 'open',
        company_name: 'Zeta',
        contact: { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' },
        next_task: { id: task.id, title: 'Call', due_date: '2030-01-01T10:00:00+00:00' },
      }
      const { rows } = await page({ filter: { search: 'card' } })
      expect(rows).toMatchObject([card])
      expect(rows[0]).not.toHaveProperty('search_text')
      expect(rows[0]).not.toHaveProperty('user_id')
      expect(await call('deal_record', { id: deal.id })).toEqual({
        ...rows[0],
        people: [],
        main_phone: { contact_id: linked.contact_id, number: null },
      })
      const theirs = await stranger.client.rpc('deal_record', { id: deal.id })
      expect(theirs).toMatchObject({ error: null, data: null })
      await ok(owner.client.from('deals').delete().eq('id', deal.id).select())
    })

    test.each<[Args, string]>([
      [{ filter: { nope: 1 } }, 'PT400'],
      [{ filter: [] }, 'PT400'],
      [{ filter: null }, 'PT400'],
      [{ filter: { value_from: 'abc' } }, '22P02'],
      [{ filter: { close_from: 'soon' } }, '22007'],
      [{ filter: { close_to: '2026-02-31' } }, '22008'],
      [{ filter: { pipeline: 'x' } }, '22P02'],
      [{ filter: { stage: ["none') or true --"] } }, '22P02'],
      [{ sort: 'nope' }, 'PT400'],
      [{ sort: 'value; drop table deals' }, 'PT400'],
      [{ sort: 'value', after: { key: 'x', id: 'y' } }, '22P02'],
    ])('%j is refused', async (args, code) => {
      const answer = await owner.client.rpc('deal_page', args as never)
      expect(answer).toMatchObject({ status: 400, error: { code } })
    })
  })

  if (isSmoke) return

  describe('the board', () => {
    const inColumn = (pipeline: string | undefined, stage: string | null) =>
      deals
        .filter(({ pipeline_id, stage_id }) => pipeline_id === pipeline && stage_id === stage)
        .toSorted((a, b) => {
          const [one, other] = [a, b].map(({ created_at }) => created_at.replace('.5+', '.500000+'))
          if (a.order !== b.order) return a.order - b.order
          if (one !== other) return (one ?? '') > (other ?? '') ? -1 : 1
          return a.id < b.id ? -1 : 1
        })
    const board = (args: Args, account = owner) =>
      call<Column[]>('deal_board', { pipeline: pipelines[0], ...args }, account)

    test('has every stage in order, exact figures, and the first cards of each', async () => {
      for (const pipeline of pipelines) {
        const columns = await board({ pipeline, page_size: 7 })
        const steps = stages
          .filter(({ pipeline_id }) => pipeline_id === pipeline)
          .toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1))
        expect(columns.map(({ stage_id }) => stage_id)).toEqual([null, ...ids(steps)])
        for (const [place, column] of columns.entries()) {
          const step = place > 0 ? steps[place - 1] : undefined
          const meant = inColumn(pipeline, step?.id ?? null)
          const sum = total(meant)
          const share = BigInt(step?.win_probability ?? 0)
          expect(column).toMatchObject({
            stage_name: step?.name ?? null,
            outcome: step?.outcome ?? 'open',
            win_probability: step?.win_probability ?? 0,
            count: meant.length,
            sum: inDollars(sum),
            weighted: inDollars((sum * share + 50n) / 100n),
          })
          expect(ids(column.rows)).toEqual(ids(meant).slice(0, 7))
        }
      }
    })

    test('each column is walked through without a gap or a double', async () => {
      for (const pipeline of pipelines) {
        for (const column of await board({ pipeline, page_size: 8 })) {
          const stage = column.stage_id
          const rest = await walk(
            (after) => call('deal_column', { pipeline, stage, after, page_size: 8 }),
            8,
          )
          expect(ids(rest)).toEqual(ids(inColumn(pipeline, stage)))
          const more = await call<Page>('deal_column', { pipeline, stage, after: column.next })
          expect(ids(more.rows)).toEqual(ids(inColumn(pipeline, stage)).slice(8, 38))
        }
      }
    })

    test('is of what matches', async () => {
      const filter = { search: 'alpha', value_to: '120.51' }
      for (const column of await board({ filter, page_size: 1000 })) {
        const meant = inColumn(pipelines[0], column.stage_id).filter(
          ({ name, cents }) => /alpha/i.test(name) && cents <= 12_051,
        )
        expect(ids(column.rows)).toEqual(ids(meant))
        expect(column).toMatchObject({
          count: meant.length,
          sum: meant.length > 0 ? inDollars(total(meant)) : '0',
          next: null,
        })
      }
    })

    test('reads as many cards again as the reader had', async () => {
      const [none, first, second] = await board({})
      const loaded = { none: 11, [first?.stage_id ?? '']: 2, [second?.stage_id ?? '']: 5000 }
      const columns = await board({ page_size: 4, loaded })
      expect(columns.map(({ rows }) => rows.length)).toEqual([
        Math.min(11, none?.count ?? 0),
        2,
        second?.count,
        ...columns.slice(3).map(({ count }) => Math.min(4, count)),
      ])
      expect(columns[2]?.next).toBeNull()
    })

    test('an empty pipeline has its stages and no column of those without one', async () => {
      const account = await database().signUp()
      const [pipeline] = await ok(account.client.from('pipelines').select('id'))
      const columns = await board({ pipeline: pipeline?.id }, account)
      expect(columns.map(({ stage_name }) => stage_name)).toEqual([
        'Lead',
        'Qualified',
        'Proposal',
        'Negotiation',
        'Closed Won',
      ])
      expect(columns[0]).toMatchObject({
        count: 0,
        sum: '0',
        weighted: '0.00',
        rows: [],
        next: null,
      })
    })

    test('bad input is refused', async () => {
      const pipeline = pipelines[0]
      for (const args of [
        { pipeline, loaded: { none: 'x' } },
        { pipeline, filter: { nope: 1 } },
        { pipeline: 'x' },
      ]) {
        expect(await owner.client.rpc('deal_board', args as never)).toMatchObject({ status: 400 })
      }
    })
  })

  test('nobody sees, counts, changes or deletes another user’s deals', async () => {
    const before = await everything(owner)
    const filter = { ids: ids(deals) }
    expect(await call('deal_page', { filter }, stranger)).toEqual({ rows: [], next: null })
    expect(await call('deal_totals', { filter }, stranger)).toEqual({
      count: 0,
      sum: '0',
      uncounted: {},
    })
    const pipeline = pipelines[0] ?? null
    const stage = deals.find((deal) => deal.pipeline_id === pipeline && deal.stage_id)?.stage_id
    expect(await stranger.client.rpc('deal_board', { pipeline })).toMatchObject({ data: null })
    expect(await call('deal_column', { pipeline, stage }, stranger)).toEqual({
      rows: [],
      next: null,
    })
    expect(await call('deal_neighbours', { id: deals[0]?.id }, stranger)).toEqual({
      previous: null,
      next: null,
    })
    const untouched = { count: 0, batch: null }
    const date = { expected_close_date: null }
    expect(await call('update_deals', { filter, changes: date }, stranger)).toEqual(untouched)
    expect(await call('delete_deals', { filter }, stranger)).toEqual(untouched)
    expect(await call('close_deals', { filter, outcome: 'won' }, stranger)).toEqual(untouched)
    expect(await everything(owner)).toEqual(before)
  })

  test.each<[string, Args]>([
    ['deal_page', {}],
    ['deal_totals', {}],
    ['deal_neighbours', { id: null }],
    ['deal_record', { id: null }],
    ['deal_board', { pipeline: null }],
    ['deal_column', { pipeline: null, stage: null }],
    ['update_deals', { filter: {}, changes: {} }],
    ['delete_deals', { filter: {} }],
    ['close_deals', { filter: {}, outcome: 'won' }],
  ])('%s is refused without a session', async (name, args) => {
    const answer = await database().anonymous.rpc(name as 'deal_page', args as never)
    expect(answer).toMatchObject({ status: 401, error: { code: '42501' } })
  })

  describe('writes to many are one batch, and undone at once', () => {
    test('stage, which brings its pipeline; no stage; expected close; deletion', async () => {
      const before = await everything(owner)
      const filter = { search: 'alpha', except: [deals.find(({ name }) => name === 'Alpha')?.id] }
      const meant = deals.filter(({ name }) => /alpha/i.test(name)).length - 1
      const pilot = stages.find(({ name }) => name === 'Pilot')
      for (const [changes, found] of [
        [{ stage_id: pilot?.id }, { stage_id: pilot?.id, pipeline_id: pilot?.pipeline_id }],
        [{ stage_id: null }, { stage_id: null }],
        [{ expected_close_date: '2031-05-06' }, { expected_close_date: '2031-05-06' }],
        [{ expected_close_date: null }, { expected_close_date: null }],
      ]) {
        const done = await call<Bulk>('update_deals', { filter, changes })
        expect(done.count).toBe(meant)
        const { rows } = await page({ filter, page_size: 1000 })
        expect(rows).toEqual(rows.map((row) => expect.objectContaining({ ...row, ...found })))
        await undo(owner, done.batch)
        expect(await everything(owner)).toEqual(before)
      }
      const done = await call<Bulk>('delete_deals', { filter })
      expect(done.count).toBe(meant)
      expect(await call('deal_totals', {})).toMatchObject({ count: 400 - meant })
      await undo(owner, done.batch)
      expect(await everything(owner)).toEqual(before)
    })

    test('the reason of a loss with the stage, where that is one of lost deals', async () => {
      const account = await database().signUp()
      const { client } = account
      const { id } = await add(account, 'deals')
      const read = () => ok(client.from('deals').select('stage_id, lost_reason').eq('id', id))
      const stage = async () => (await read())[0]?.stage_id ?? null
      const open = await stage()
      await ok(client.rpc('close_deals', { filter: {}, outcome: 'lost' }))
      const lost = await stage()
      for (const [stage_id, reported, lost_reason] of [
        [lost, ' Price ', 'Price'],
        [lost, ' ', 'Price'],
        [open, 'Timing', null],
        [lost, 'Timing', 'Timing'],
      ] as const) {
        const changes = { stage_id, lost_reason: reported }
        await ok(client.rpc('update_deals', { filter: {}, changes }))
        expect(await read()).toEqual([{ stage_id, lost_reason }])
      }
    })

    test('nothing that would change is no batch', async () => {
      const filter = { stage: ['none'] }
      const count = deals.filter(({ stage_id }) => !stage_id).length
      expect(await call('update_deals', { filter, changes: { stage_id: null } })).toEqual({
        count,
        batch: null,
      })
    })

    test('bad input is told in words and changes nothing', async () => {
      const before = await everything(owner)
      const [theirs] = await ok(stranger.client.from('pipeline_stages').select('id'))
      const gone = await add(owner, 'pipeline_stages')
      await ok(owner.client.from('pipeline_stages').delete().eq('id', gone.id).select())
      const cases: [Json, number, string][] = [
        [{ expected_close_date: '0001-01-01' }, 400, '23514'],
        [{ expected_close_date: 'abc' }, 400, '22007'],
        [{ stage_id: 'abc' }, 400, '22P02'],
        [{ stage_id: theirs?.id ?? '' }, 404, 'PT404'],
        [{ stage_id: gone.id }, 404, 'PT404'],
        [{ value: 1 }, 400, 'PT400'],
        [{ user_id: stranger.id }, 400, 'PT400'],
        [[], 400, 'PT400'],
        [null, 400, 'PT400'],
      ]
      for (const [changes, status, code] of cases) {
        const answer = await owner.client.rpc('update_deals', { filter: {}, changes })
        expect(answer).toMatchObject({ status, error: { code } })
      }
      for (const filter of [null, [], 'all', { idz: [] }]) {
        for (const [name, args] of [
          ['delete_deals', {}],
          ['update_deals', { changes: { stage_id: null } }],
          ['close_deals', { outcome: 'won' }],
        ] as const) {
          const answer = await owner.client.rpc(name as 'delete_deals', { ...args, filter })
          expect(answer).toMatchObject({ status: 400 })
        }
      }
      expect(await everything(owner)).toEqual(before)
    })
  })

  test('a deal takes no value, day or stage that cannot be', async () => {
    const [one, other] = [stages[0], stages.find((stage) => stage.name === 'Pilot')]
    const [theirs] = await ok(stranger.client.from('pipeline_stages').select('id'))
    const gone = await add(owner, 'pipeline_stages')
    await ok(owner.client.from('pipeline_stages').delete().eq('id', gone.id).select())
    const before = await everything(owner)
    expect(one?.pipeline_id).not.toBe(other?.pipeline_id)
    const cases: [Args, number, string][] = [
      [{ value: 1e20 }, 400, '22003'],
      [{ value: -1 }, 400, '23514'],
      [{ value: 'abc' }, 400, '22P02'],
      [{ expected_close_date: '0001-01-01' }, 400, '23514'],
      [{ pipeline_id: one?.pipeline_id, stage_id: other?.id }, 409, '23503'],
      [{ stage_id: theirs?.id }, 409, '23503'],
      [{ stage_id: gone.id }, 409, '23503'],
    ]
    // A deal of the other pipeline, so that naming one's pipeline with its stage is a change.
    const own = deals.find((deal) => deal.pipeline_id === other?.pipeline_id)?.id ?? ''
    for (const [values, status, code] of cases) {
      const refused = { status, error: { code } }
      const { client } = owner
      expect(
        await client
          .from('deals')
          .update(values as never)
          .eq('id', own)
          .select(),
      ).toMatchObject(refused)
      const added = await client.from('deals').insert({ name: 'x', ...values } as never)
      expect(added).toMatchObject(refused)
    }
    expect(await everything(owner)).toEqual(before)
  })

  describe('won and lost', () => {
    /** An account with two pipelines, three deals in each and one in none. */
    async function small() {
      const account = await database().signUp()
      const { client } = account
      await ok(client.rpc('create_pipeline', { name: 'Partners' }))
      const [first, second] = ids(await ok(client.from('pipelines').select().order('created_at')))
      const made: string[] = []
      for (const pipeline_id of [first, first, first, second, second, second]) {
        made.push((await add(account, 'deals', { pipeline_id })).id)
      }
      await ok(client.rpc('create_pipeline', { name: 'Gone' }))
      const [gone] = await ok(client.from('pipelines').select().eq('name', 'Gone'))
      const { id } = await add(account, 'deals', { pipeline_id: gone?.id })
      await ok(client.from('pipelines').delete().eq('name', 'Gone').select())
      return { account, made: [...made, id], first, second }
    }

    async function rows(account: Account, deals: string[]) {
      const answer = await call<Page>('deal_page', { filter: { ids: deals } }, account)
      return answer.rows
    }

    test('won goes to the stage of the deal’s own pipeline', async () => {
      const { account, made, first } = await small()
      const before = await everything(account)
      const filter = { ids: made }
      const done = await call<Bulk>('close_deals', { filter, outcome: 'won', reason: 'x' }, account)
      expect(done.count).toBe(7)
      const iso = expect.stringMatching(/T/)
      const won = { stage_name: 'Closed Won', outcome: 'won', closed_at: iso, lost_reason: null }
      const found = await rows(account, made)
      expect(found).toEqual(Array(7).fill(expect.objectContaining(won)))
      // The one whose pipeline was deleted went to the oldest.
      expect(found.find(({ id }) => id === made[6])).toMatchObject({ pipeline_id: first })
      await undo(account, done.batch)
      expect(await everything(account)).toEqual(before)
    })

    test('lost makes the missing stage once for many deals, and undo takes it away again', async () => {
      const { account, made, first, second } = await small()
      const before = await everything(account)
      const args = { filter: {}, outcome: 'lost', reason: ' Too dear ' }
      const done = await call<Bulk>('close_deals', args, account)
      expect(done.count).toBe(7)
      const lost = await ok(
        account.client.from('pipeline_stages').select().eq('name', 'Closed Lost').order('order'),
      )
      expect(lost.map((stage) => stage.pipeline_id).sort()).toEqual([first, second].sort())
      expect(lost).toMatchObject([
        { order: 6, win_probability: 0 },
        { order: 6, win_probability: 0 },
      ])
      const reason = { stage_name: 'Closed Lost', outcome: 'lost', lost_reason: 'Too dear' }
      expect(await rows(account, made)).toEqual(Array(7).fill(expect.objectContaining(reason)))
      await undo(account, done.batch)
      expect(await everything(account)).toEqual(before)
    })

    test('a lost deal keeps its reason and day until it is told another', async () => {
      const { account, made } = await small()
      const filter = { ids: made.slice(0, 1) }
      const close = (args: Args) =>
        call<Bulk>('close_deals', { filter, outcome: 'lost', ...args }, account)
      await close({ reason: 'Too dear' })
      const [first] = await rows(account, made.slice(0, 1))
      expect(await close({})).toEqual({ count: 1, batch: null })
      expect(await close({ reason: '  ' })).toEqual({ count: 1, batch: null })
      const { batch } = await close({ reason: 'Too late' })
      const found = await rows(account, made.slice(0, 1))
      const { closed_at } = first as unknown as { closed_at: string }
      expect(found).toMatchObject([{ lost_reason: 'Too late', closed_at }])
      await undo(account, batch)
      expect(await rows(account, made.slice(0, 1))).toMatchObject([{ lost_reason: 'Too dear' }])
    })

    test('a stage that others use by now is not taken away with one deal', async () => {
      const { account, made } = await small()
      const close = (id: string | undefined) =>
        call<Bulk>('close_deals', { filter: { ids: [id] }, outcome: 'lost' }, account)
      const { batch } = await close(made[0])
      await close(made[1])
      const answer = await ok(account.client.rpc('undo_batch', { batch }))
      expect(answer).toMatchObject({ undone: 0, conflicts: [{ reason: 'in use' }] })
      await ok(account.client.rpc('undo_batch', { batch, conflicts: 'keep' }))
      expect(await rows(account, made.slice(0, 2))).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: made[0], stage_name: null, outcome: 'open' }),
          expect.objectContaining({ id: made[1], stage_name: 'Closed Lost' }),
        ]),
      )
    })

    test('what cannot be is refused in words and changes nothing', async () => {
      const { account } = await small()
      const before = await everything(account)
      const close = (args: Args) =>
        account.client.rpc('close_deals', { filter: {}, ...args } as never)
      for (const outcome of ['maybe', '', null]) {
        expect(await close({ outcome })).toMatchObject({
          status: 400,
          error: { code: 'PT400', message: 'A deal is marked as won or as lost.' },
        })
      }
      expect(await close({ outcome: 'lost', reason: 'x'.repeat(2001) })).toMatchObject({
        status: 400,
        error: { code: '23514' },
      })
      expect(await everything(account)).toEqual(before)
      await ok(account.client.from('pipelines').delete().neq('name', '').select())
      expect(await close({ outcome: 'won' })).toMatchObject({
        status: 409,
        error: { message: 'There is no pipeline. Create one first.' },
      })
    })

    test('many at the same time make one stage', async () => {
      const { account, made } = await small()
      await Promise.all(
        made
          .slice(0, 6)
          .map((id) => call('close_deals', { filter: { ids: [id] }, outcome: 'lost' }, account)),
      )
      const lost = account.client.from('pipeline_stages').select().eq('name', 'Closed Lost')
      expect(await ok(lost)).toHaveLength(2)
    })
  })
})
