import { beforeAll, describe, expect, test } from 'vitest'
import { leadStatuses } from '#domain/fields/contacts.ts'
import type { Json } from '#lib/database.types.ts'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { add } from './samples.ts'

type Row = {
  id: string
  first_name: string | null
  last_name: string | null
  email: string | null
  phone_number: string | null
  company_name: string | null
  lead_status: string
  notes: string | null
  last_contacted: string | null
  next_task: unknown
  created_at: string
}
type Page = { rows: Row[]; next: Json }
type Bulk = { count: number; batch: string | null }

/** The same numbers on every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** What a contact is sorted by, where it may lack it. */
const contactKeys: Record<string, (row: Row) => unknown> = {
  name: ({ first_name, last_name }) => first_name ?? last_name,
  email: ({ email }) => email,
  phone: ({ phone_number }) => phone_number,
  company: ({ company_name }) => company_name,
  notes: ({ notes }) => notes,
  last_contacted: ({ last_contacted }) => last_contacted,
  next_task: ({ next_task }) => next_task,
}

/** Both kinds are there, and nothing stands below what is missing. */
function expectMissingLast(values: unknown[]): void {
  const firstMissing = values.indexOf(null)
  const lastGiven = values.findLastIndex((value) => value !== null)
  expect(lastGiven).toBeGreaterThanOrEqual(0)
  if (firstMissing >= 0) expect(firstMissing).toBeGreaterThan(lastGiven)
}

const firstNames = ['Ada', 'Grace', 'Zoë', 'Łukasz', 'محمد', 'Ångström', 'ada', null]
const lastNames = ['Lovelace', 'Hopper', 'Müller', "O'Brien", '100%', 'under_score', null]

onOneDatabase((database, isSmoke) => {
  let owner: Account
  let stranger: Account
  let companies: string[]
  let collection: string

  beforeAll(async () => {
    owner = await database().signUp()
    stranger = await database().signUp()
    const random = randomNumbers(7)
    const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T
    companies = []
    for (const name of ['Acme', 'Süd AG', 'Zeta']) {
      companies.push(
        (await add(owner, 'companies', { name, industry: pick(['Tools', 'Food']) })).id,
      )
    }
    const rows = Array.from({ length: 120 }, (_, index) => ({
      first_name: pick(firstNames),
      last_name: pick(lastNames),
      email: random() < 0.7 ? `person${index}@example.com` : null,
      phone_number: random() < 0.5 ? `+49 (30) ${1000 + index}` : null,
      company_id: random() < 0.5 ? pick(companies) : null,
      lead_status: pick([...leadStatuses]),
      lead_score: Math.floor(random() * 5),
      notes: random() < 0.3 ? `note ${index}` : null,
    }))
    const added = await ok(
      owner.client
        .from('contacts')
        .insert(rows as never)
        .select('id'),
    )
    await ok(
      stranger.client
        .from('contacts')
        .insert(rows.map((row) => ({ ...row, company_id: null })) as never)
        .select('id'),
    )
    // Some at the very same moment, so that only the id tells their order.
    await database().query(
      "update public.contacts set created_at = now() - (abs(hashtext(id::text)) % 30) * interval '1 day' where user_id = ?",
      owner.id,
    )
    collection = (await add(owner, 'collections')).id
    for (const { id } of added.slice(0, 10)) {
      await add(owner, 'collection_members', { collection_id: collection, contact_id: id })
      await add(owner, 'tasks', { contact_id: id, due_date: '2026-12-01T10:00:00Z' })
      await add(owner, 'notes', {
        kind: 'call',
        contact_id: id,
        happened_at: '2026-10-01T10:00:00Z',
      })
    }
  })

  async function page(args: Record<string, unknown> = {}): Promise<Page> {
    const answer: unknown = await ok(owner.client.rpc('contact_page', args as never))
    return answer as Page
  }

  async function walk(args: Record<string, unknown> = {}, size = 7): Promise<Row[]> {
    const rows: Row[] = []
    let after: Json = null
    do {
      const found: Page = await page({ ...args, after, page_size: size })
      expect(found.rows.length).toBeLessThanOrEqual(size)
      rows.push(...found.rows)
      after = found.next
    } while (after !== null)
    return rows
  }

  async function expected(condition: string, ...values: unknown[]): Promise<string[]> {
    const rows = await database().query<{ id: string }>(
      `select c.id from public.contacts c left join public.companies co on co.id = c.company_id
       where c.user_id = ? and (${condition})`,
      owner.id,
      ...values,
    )
    return rows.map((row) => row.id).sort()
  }

  describe('pages by keyset', () => {
    // The order of texts is what the databases might differ in.
    const sorts = isSmoke
      ? 'created name company'
      : 'created name email phone company lead_status lead_score notes last_contacted next_task'
    test.each(sorts.split(' ').flatMap((sort) => [[sort, true] as const, [sort, false] as const]))(
      'sorted by %s, descending %s, show every contact once and in order',
      async (sort, descending) => {
        const inPages = await walk({ sort, descending })
        const inOne = await page({ sort, descending, page_size: 1000 })
        expect(inPages.map((row) => row.id)).toEqual(inOne.rows.map((row) => row.id))
        expect(new Set(inPages.map((row) => row.id)).size).toBe(120)
        expect(inOne.next).toBeNull()
        expectMissingLast(inOne.rows.map(contactKeys[sort] ?? (() => true)))
      },
    )

    if (isSmoke) return

    test('lead status has an order of its own', async () => {
      const walked = async (descending: boolean) =>
        new Set((await walk({ sort: 'lead_status', descending })).map((row) => row.lead_status))
      expect([...(await walked(false))]).toEqual(leadStatuses)
      expect([...(await walked(true))]).toEqual(leadStatuses.toReversed())
    })

    test('newest first unless told otherwise', async () => {
      const times = (await walk()).map((row) => row.created_at)
      expect(times).toEqual([...times].sort().reverse())
    })

    test('a row added meanwhile moves nothing', async () => {
      const first = await page({ page_size: 10 })
      const added = await add(owner, 'contacts', { first_name: 'Latecomer' })
      const second = await page({ page_size: 10, after: first.next })
      const ids = [...first.rows, ...second.rows].map((row) => row.id)
      expect(new Set(ids).size).toBe(20)
      await ok(owner.client.from('contacts').delete().eq('id', added.id).select())
    })

    test('with company, last contact and next task', async () => {
      const { rows } = await page({ filter: { collection }, page_size: 1 })
      expect(rows).toMatchObject([
        {
          last_contacted: '2026-10-01T10:00:00+00:00',
          next_task: { title: 'Call Ada', due_date: '2026-12-01T10:00:00+00:00' },
        },
      ])
      expect(rows[0]).not.toHaveProperty('search_text')
    })

    // These have a plan of their own; an empty search is a filter, and takes the way of all others.
    test.each([
      ['contact_page', 'contacts'],
      ['company_page', 'companies'],
      ['task_page', 'tasks'],
      ['deal_page', 'deals'],
    ] as const)(
      '%s: the newest of all %s are what a search for everything finds',
      async (name, table) => {
        const account = await database().signUp()
        for (let count = 0; count < 5; count++) await add(account, table)
        const ask = async (filter: Json, after: Json) => {
          const { data, error, status } = await account.client.rpc(name, {
            filter,
            after,
            page_size: 2,
          })
          return { data: data as Page | null, code: error?.code, status }
        }
        let after: Json = null
        for (const length of [2, 2, 1]) {
          const newest = await ask({}, after)
          expect(newest).toEqual(await ask({ search: '' }, after))
          expect(newest.data?.rows).toHaveLength(length)
          after = newest.data?.next ?? null
        }
        expect(after).toBeNull()
        for (const odd of [
          {},
          [],
          { key: 'yesterday-ish', id: 'x' },
          { key: '2026-01-01', id: 7 },
        ]) {
          expect(await ask({}, odd)).toEqual(await ask({ search: '' }, odd))
        }
      },
    )

    test.each(['nope', '', 'created; drop table contacts', 'c.email'])(
      'cannot be sorted by %j',
      async (sort) => {
        expect(await owner.client.rpc('contact_page', { sort })).toMatchObject({ status: 400 })
      },
    )
  })

  if (isSmoke) return

  describe('search', () => {
    test.each([
      ['ada', "c.first_name ilike '%ada%' or c.email ilike '%ada%'"],
      ['ADA LOVE', "c.first_name ilike 'ada' and c.last_name = 'Lovelace'"],
      ['zoe', "c.first_name = 'Zoë'"],
      ['angstrom', "c.first_name = 'Ångström'"],
      ['Müller', "c.last_name = 'Müller'"],
      ['MULLER', "c.last_name = 'Müller'"],
      ['محم', "c.first_name = 'محمد'"],
      ["o'brien", `c.last_name = 'O''Brien'`],
      ['100%', "c.last_name = '100%'"],
      ['r_s', "c.last_name = 'under_score'"],
      ['person1', "c.email like '%person1%'"],
      ['sud', "co.name = 'Süd AG'"],
      ['(30) 10', "c.phone_number like '%(30) 10%'"],
      ['+49 30 1042', "c.phone_number like '%1042'"],
      ['nobody has this', 'false'],
      ['%', "c.last_name = '100%'"],
      ['   ', 'true'],
      // However the words were parted, and whatever was pasted around them.
      ['ADA  LOVE', "c.first_name ilike 'ada' and c.last_name = 'Lovelace'"],
      ['\u00a0ada\u00a0\t love ', "c.first_name ilike 'ada' and c.last_name = 'Lovelace'"],
      ['sud  ag', "co.name = 'Süd AG'"],
      ['+49\u00a030  1042', "c.phone_number like '%1042'"],
    ])('%j finds what it means', async (search, condition) => {
      const found = (await walk({ filter: { search } }, 50)).map((row) => row.id).sort()
      expect(found).toEqual(await expected(condition))
      expect(await ok(owner.client.rpc('contact_count', { filter: { search } }))).toBe(found.length)
    })
  })

  describe('filters', () => {
    const cases: [string, () => Record<string, unknown>, () => [string, ...unknown[]]][] = [
      [
        'lead status',
        () => ({ lead_status: ['New', 'Qualified'] }),
        () => ["c.lead_status in ('New', 'Qualified')"],
      ],
      ['company', () => ({ company: companies[0] }), () => ['c.company_id = ?', companies[0]]],
      ['no company', () => ({ company: 'none' }), () => ['c.company_id is null']],
      ['has e-mail', () => ({ has_email: true }), () => ['c.email is not null']],
      ['has no phone', () => ({ has_phone: false }), () => ['c.phone_number is null']],
      [
        'created between',
        () => ({ created_from: daysAgo(20), created_to: daysAgo(10) }),
        () => ['c.created_at >= ? and c.created_at < ?', daysAgo(20), daysAgo(9)],
      ],
      [
        'created between days of another calendar',
        () => ({
          created_from: daysAgo(20),
          created_to: daysAgo(10),
          time_zone: 'Pacific/Auckland',
        }),
        () => [
          "(c.created_at at time zone 'Pacific/Auckland')::date between ? and ?",
          daysAgo(20),
          daysAgo(10),
        ],
      ],
      [
        'collection',
        () => ({ collection }),
        () => [
          'c.id in (select contact_id from public.collection_members where collection_id = ?)',
          collection,
        ],
      ],
      [
        'all together',
        () => ({ search: 'a', has_email: true, lead_status: ['New'] }),
        () => ["c.lead_status = 'New' and c.email is not null"],
      ],
    ]
    test.each(cases)('%s', async (_, filter, condition) => {
      const found = (await walk({ filter: filter() }, 50)).map((row) => row.id).sort()
      const [sql, ...values] = condition()
      const wanted = await expected(sql, ...values)
      expect(found).toEqual(wanted)
      expect(await ok(owner.client.rpc('contact_count', { filter: filter() as Json }))).toBe(
        wanted.length,
      )
    })

    test('values are values, whatever they hold', async () => {
      for (const filter of [
        { search: "'; delete from public.contacts; --" },
        { lead_status: ["New') or true or ('' = '"] },
        { search: '\\' },
      ]) {
        expect((await page({ filter })).rows).toEqual([])
      }
      for (const filter of [
        { company: 'x' },
        { created_from: 'soon' },
        { created_to: '2026-11-01', time_zone: 'Nowhere' },
        { has_email: 'perhaps' },
        { ids: ['x'] },
      ]) {
        expect(await owner.client.rpc('contact_page', { filter })).toMatchObject({ status: 400 })
      }
      expect(await ok(owner.client.rpc('contact_count', {}))).toBe(120)
    })
  })

  test('nobody sees or counts another user’s contacts', async () => {
    const mine = new Set((await walk()).map((row) => row.id))
    const theirs: unknown = await ok(stranger.client.rpc('contact_page', { page_size: 1000 }))
    const { rows } = theirs as Page
    expect(rows).toHaveLength(120)
    expect(rows.some((row) => mine.has(row.id))).toBe(false)
    const asked = { filter: { ids: [...mine] } }
    expect(await ok(stranger.client.rpc('contact_count', asked))).toBe(0)
    expect(await database().anonymous.rpc('contact_page', {})).toMatchObject({ status: 401 })
    expect(await database().anonymous.rpc('contact_count', {})).toMatchObject({ status: 401 })
  })

  describe('a write to everything that matches is one batch, and undone at once', () => {
    async function write(name: string, args: Record<string, unknown>): Promise<Bulk> {
      const answer: unknown = await ok(owner.client.rpc(name as 'update_contacts', args as never))
      return answer as Bulk
    }
    async function undo({ batch }: Bulk) {
      const answer = await ok(owner.client.rpc('undo_batch', { batch }))
      expect(answer).toMatchObject({ conflicts: [] })
    }
    const count = async (filter: Json) => ok(owner.client.rpc('contact_count', { filter }))

    test('lead status and company', async () => {
      const before = await count({ lead_status: ['New'] })
      const done = await write('update_contacts', {
        filter: { lead_status: ['New'] },
        changes: { lead_status: 'Contacted', company_id: companies[1] },
      })
      expect(done.count).toBe(before)
      expect(await count({ lead_status: ['New'] })).toBe(0)
      await undo(done)
      expect(await count({ lead_status: ['New'] })).toBe(before)
    })

    test('deletion, but for those taken out', async () => {
      const [kept] = (await page({ filter: { has_email: true }, page_size: 1 })).rows
      const before = await count({ has_email: true })
      const done = await write('delete_contacts', {
        filter: { has_email: true, except: [kept?.id] },
      })
      expect(done.count).toBe(Number(before) - 1)
      expect(await count({})).toBe(120 - done.count)
      await undo(done)
      expect(await count({})).toBe(120)
      expect(await count({ collection })).toBe(10)
    })

    test('collections: made, filled, emptied', async () => {
      const filter = { company: 'none' }
      const total = await count(filter)
      const made = await write('create_collection', { name: 'Loners', filter })
      expect(made.count).toBe(total)
      const { id } = made as Bulk & { id: string }
      expect(await ok(owner.client.from('collection_counts').select().eq('id', id))).toMatchObject([
        { name: 'Loners', contacts: total },
      ])
      // Those who are in it already stay in it once.
      expect(await write('add_to_collection', { filter: {}, collection_id: id })).toMatchObject({
        count: 120 - Number(total),
      })
      const emptied = await write('remove_from_collection', { filter: {}, collection_id: id })
      expect(emptied.count).toBe(120)
      await undo(emptied)
      expect(await count({ collection: id })).toBe(120)
    })

    test('e-mails are noted on each contact with an address', async () => {
      const done = await write('log_emails', { filter: {}, subject: 'Hello' })
      expect(done.count).toBe(await count({ has_email: true }))
      const notes = owner.client.from('notes').select('id', { count: 'exact', head: true })
      expect((await notes.eq('kind', 'email').eq('outcome', 'Email draft opened')).count).toBe(
        done.count,
      )
      await undo(done)
    })

    test('never touches another user’s rows, nor links to them', async () => {
      const foreign = await add(stranger, 'companies')
      expect(
        await owner.client.rpc('update_contacts', {
          filter: {},
          changes: { company_id: foreign.id },
        }),
      ).toMatchObject({ status: 409 })
      const theirs = await add(stranger, 'collections')
      expect(
        await owner.client.rpc('add_to_collection', { filter: {}, collection_id: theirs.id }),
      ).toMatchObject({ status: 409 })
      expect(
        await owner.client.rpc('update_contacts', {
          filter: {},
          changes: { user_id: stranger.id },
        }),
      ).toMatchObject({ status: 400 })
      expect(
        await owner.client.rpc('update_contacts', { filter: {}, changes: { lead_status: 'Cold' } }),
      ).toMatchObject({ status: 400 })
      expect(await database().anonymous.rpc('delete_contacts', { filter: {} })).toMatchObject({
        status: 401,
      })
      expect(await ok(stranger.client.rpc('contact_count', {}))).toBe(120)
    })

    test.each([null, [], 'all', { idz: [] }])(
      'a filter that is not understood (%j) never means all',
      async (filter) => {
        for (const [name, args] of [
          ['delete_contacts', {}],
          ['update_contacts', { changes: { lead_status: 'New' } }],
          ['contact_count', {}],
          ['company_page', {}],
        ] as const) {
          const answer = await owner.client.rpc(name as 'contact_count', { ...args, filter })
          expect(answer).toMatchObject({ status: 400 })
        }
        expect(await count({})).toBe(120)
      },
    )

    test('nothing that matches is no error and no batch', async () => {
      expect(await write('delete_contacts', { filter: { search: 'nobody has this' } })).toEqual({
        count: 0,
        batch: null,
      })
    })
  })

  describe('companies', () => {
    test('with their contacts and open deals', async () => {
      const stages = await ok(owner.client.from('pipeline_stages').select())
      const stage = (name: string) => stages.find((row) => row.name === name)?.id
      for (const name of ['Lead', 'Closed Won']) {
        await add(owner, 'deals', { company_id: companies[0], stage_id: stage(name) })
      }
      await add(owner, 'deals', { company_id: companies[0] })
      const answer: unknown = await ok(
        owner.client.rpc('company_page', { filter: { search: 'acm' } }),
      )
      const contacts = (await expected('c.company_id = ?', companies[0])).length
      expect(answer).toMatchObject({
        rows: [{ name: 'Acme', contacts, open_deals: 2, deals: 3 }],
        next: null,
      })
    })

    test('sorted, filtered, searched and counted', async () => {
      const names = async (args: Record<string, unknown>) => {
        const answer: unknown = await ok(owner.client.rpc('company_page', args as never))
        return (answer as { rows: { name: string }[] }).rows.map((row) => row.name)
      }
      expect(await names({ sort: 'name', descending: false })).toEqual(['Acme', 'Süd AG', 'Zeta'])
      expect(await names({ filter: { search: 'sud' } })).toEqual(['Süd AG'])
      const { industries } = (await ok(owner.client.rpc('company_facets', undefined as never))) as {
        industries: string[]
      }
      for (const industry of industries) {
        const found = await names({ filter: { industry: [industry] } })
        expect(
          await ok(owner.client.rpc('company_count', { filter: { industry: [industry] } })),
        ).toBe(found.length)
      }
      expect(await ok(owner.client.rpc('company_count', {}))).toBe(3)
    })
  })

  describe('any list', () => {
    let account: Account
    beforeAll(async () => {
      account = await database().signUp()
      const company = await add(account, 'companies', { name: 'Acme', industry: 'Tools' })
      await add(account, 'companies', { name: 'Zeta', location: 'Bern' })
      await add(account, 'companies', {
        name: 'Two\u00a0 spaces',
        industry: 'Zoo',
        location: 'Ulm',
      })
      const ada = await add(account, 'contacts', { first_name: 'Ada' })
      const unnamed = await add(account, 'contacts', { first_name: null })
      const { data: stages } = await account.client.from('pipeline_stages').select()
      const deal = {
        company_id: company.id,
        contact_id: ada.id,
        pipeline_id: stages?.[0]?.pipeline_id,
        stage_id: stages?.[0]?.id,
        expected_close_date: '2030-01-01',
      }
      await add(account, 'deals', deal)
      await add(account, 'deals', { name: 'Two  spaces' })
      await add(account, 'deals', { contact_id: unnamed.id })
      await add(account, 'tasks', { due_date: '2030-01-01T10:00:00Z' })
      await add(account, 'tasks', { title: 'Two\tspaces' })
    })

    type AnyRow = Record<string, unknown> & { contact: { first_name: string | null } | null }
    async function rowsOf(name: string, args: Record<string, unknown>): Promise<AnyRow[]> {
      const answer: unknown = await ok(account.client.rpc(name as 'deal_page', args as never))
      return (answer as { rows: AnyRow[] }).rows
    }

    test.each([
      ['company_page', 'industry', (row: AnyRow) => row.industry],
      ['company_page', 'location', (row: AnyRow) => row.location],
      ['deal_page', 'company', (row: AnyRow) => row.company_name],
      ['deal_page', 'contact', (row: AnyRow) => row.contact?.first_name ?? null],
      ['deal_page', 'stage', (row: AnyRow) => row.stage_name],
      ['deal_page', 'expected_close', (row: AnyRow) => row.expected_close_date],
      ['task_page', 'due', (row: AnyRow) => row.due_date],
    ])(
      '%s by %s: what is missing comes last in both directions, page by page too',
      async (name, sort, keyOf) => {
        for (const descending of [false, true]) {
          const rows = await rowsOf(name, { sort, descending })
          expectMissingLast(rows.map(keyOf))
          const first: unknown = await ok(
            account.client.rpc(name as 'deal_page', { sort, descending, page_size: 1 } as never),
          )
          const { next } = first as Page
          const rest = await rowsOf(name, { sort, descending, after: next })
          expect(rest.map(({ id }) => id)).toEqual(rows.slice(1).map(({ id }) => id))
        }
      },
    )

    test.each(['company_page', 'deal_page', 'task_page'])(
      '%s: words are found however many spaces part them, there or in the search',
      async (name) => {
        for (const search of ['two spaces', 'TWO   spaces', ' two\u00a0spaces\t']) {
          expect(await rowsOf(name, { filter: { search } })).toHaveLength(1)
        }
      },
    )
  })

  test.each([
    ['contacts', 'contact_page'],
    ['companies', 'company_page'],
    ['tasks', 'task_page'],
    ['deals', 'deal_page'],
  ] as const)(
    'a card of %s shows every column but the owner and what is only searched',
    async (kind, page) => {
      const someone = await database().signUp()
      await add(someone, kind)
      const { rows } = (await ok(someone.client.rpc(page))) as { rows: Record<string, Json>[] }
      const columns = await database().query<{ name: string }>(
        `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = ?`,
        kind,
      )
      const shown = columns
        .map(({ name }) => name)
        .filter((name) => !['user_id', 'search_text'].includes(name))
      expect(shown.length).toBeGreaterThan(5)
      expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(shown))
      expect(rows[0]).not.toHaveProperty('user_id')
      expect(rows[0]).not.toHaveProperty('search_text')
    },
  )
})
