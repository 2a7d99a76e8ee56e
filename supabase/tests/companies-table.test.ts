import { beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Bulk = { count: number; batch: string | null }
type Call = 'update_companies' | 'delete_companies'

onAnyDatabase((database) => {
  let owner: Account
  let stranger: Account
  let ids: string[]

  /** Twelve companies: Company 0 to 11, every third a bakery, and a contact and a deal in the first. */
  async function fill(account: Account): Promise<string[]> {
    const rows = Array.from({ length: 12 }, (_, index) => ({
      name: `Company ${index}`,
      industry: index % 3 ? 'Tools' : 'Bakery',
      tags: index % 2 ? ['odd'] : [],
    }))
    const added = await ok(account.client.from('companies').insert(rows).select('id, name'))
    return rows.map(({ name }) => added.find((row) => row.name === name)?.id ?? '')
  }
  async function write(name: Call, args: { filter: Json; changes?: Json }): Promise<Bulk> {
    const answer: unknown = await ok(owner.client.rpc(name as 'update_companies', args as never))
    return answer as Bulk
  }
  async function undo({ batch }: Bulk) {
    const answer = await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(answer).toMatchObject({ conflicts: [] })
  }
  const count = (filter: Json, account = owner) =>
    ok(account.client.rpc('company_count', { filter }))
  const all = () =>
    ok(owner.client.from('companies').select('name, industry, location, tags').order('name'))

  beforeAll(async () => {
    owner = await database().signUp()
    stranger = await database().signUp()
    ids = await fill(owner)
    await fill(stranger)
  })

  test('all that match but for some: found, counted, changed, and back by one undo', async () => {
    const filter = { industry: ['Bakery'], except: [ids[0] ?? '', ids[1] ?? ''] }
    expect(await count(filter)).toBe(3)
    const before = await all()
    const done = await write('update_companies', { filter, changes: { location: '  Berlin ' } })
    expect(done.count).toBe(3)
    const changed = (await all()).filter(({ location }) => location === 'Berlin')
    expect(changed.map(({ name }) => name)).toEqual(['Company 3', 'Company 6', 'Company 9'])
    await undo(done)
    expect(await all()).toEqual(before)
  })

  test('nobody reaches another user’s companies', async () => {
    const filter = { ids }
    const foreign = stranger.client
    const untouched = { count: 0, batch: null }
    expect(await ok(foreign.rpc('delete_companies', { filter }))).toEqual(untouched)
    const changes = { industry: 'Taken' }
    expect(await ok(foreign.rpc('update_companies', { filter, changes }))).toEqual(untouched)
    expect(await count({}, stranger)).toBe(12)
    const { anonymous } = database()
    expect(await anonymous.rpc('delete_companies', { filter })).toMatchObject({ status: 401 })
    expect(await anonymous.rpc('update_companies', { filter, changes })).toMatchObject({
      status: 401,
    })
    expect(await count({ industry: ['Taken'] })).toBe(0)
    expect(await count({})).toBe(12)
  })

  describe('what is set for many', () => {
    test('tags, added and removed', async () => {
      const added = await write('update_companies', {
        filter: { tags: ['odd'] },
        changes: { add_tags: ['VIP', 'ODD'] },
      })
      expect(added.count).toBe(6)
      expect(await count({ tags: ['vip'] })).toBe(6)
      const removed = await write('update_companies', {
        filter: {},
        changes: { remove_tags: ['odd'] },
      })
      expect(await count({ tags: ['odd'] })).toBe(0)
      await undo(removed)
      await undo(added)
      expect(await count({ tags: ['vip'] })).toBe(0)
      expect(await count({ tags: ['odd'] })).toBe(6)
    })

    test('an own field, which must take the value', async () => {
      const field = await add(owner, 'fields', {
        record: 'companies',
        name: 'Seats',
        kind: 'number',
      })
      const custom = (value: Json) => ({ filter: {}, changes: { custom: { [field.id]: value } } })
      const done = await write('update_companies', custom(25))
      expect(done.count).toBe(12)
      const stored = await ok(owner.client.from('companies').select('custom'))
      expect(stored.every((row) => JSON.stringify(row.custom).includes('25'))).toBe(true)
      expect(await owner.client.rpc('update_companies', custom('many'))).toMatchObject({
        status: 400,
      })
      await undo(done)
    })

    test.each([
      { name: 'One name for all' },
      { user_id: '00000000-0000-4000-8000-000000000000' },
      { website: 'https://acme.com' },
    ])('nothing else: %j', async (changes) => {
      const answer = await owner.client.rpc('update_companies', { filter: {}, changes })
      expect(answer.error).toMatchObject({
        message:
          'Only industry, location, tags and custom fields can be set for many companies at once.',
      })
    })

    test('a value that is too long is refused, and nothing is changed', async () => {
      const changes = { industry: 'x'.repeat(100_000) }
      const answer = await owner.client.rpc('update_companies', { filter: {}, changes })
      expect(answer.status).toBe(400)
      expect(await count({ industry: ['Bakery'] })).toBe(4)
    })
  })

  test('a deletion unlinks contacts and deals, and its undo links them again', async () => {
    const links = { company_id: ids[0] ?? '' }
    const contact = await add(owner, 'contacts', links)
    const deal = await add(owner, 'deals', links)
    await add(owner, 'notes', { ...links, contact_id: null, body: 'Called' })
    const linked = async () => {
      const one = await ok(
        owner.client.from('contacts').select('company_id').eq('id', contact.id).single(),
      )
      const other = await ok(
        owner.client.from('deals').select('company_id').eq('id', deal.id).single(),
      )
      const notes = await ok(
        owner.client
          .from('notes')
          .select('id')
          .eq('company_id', ids[0] ?? ''),
      )
      return [one.company_id, other.company_id, notes.length]
    }
    const done = await write('delete_companies', { filter: { industry: ['Bakery'] } })
    expect(done.count).toBe(4)
    expect(await linked()).toEqual([null, null, 0])
    expect(await count({})).toBe(8)
    await undo(done)
    expect(await linked()).toEqual([ids[0], ids[0], 1])
    expect(await count({})).toBe(12)
  })

  test.each([[null], [[]], ['all'], [{ idz: [] }], [{ tags: 'odd' }]])(
    'a filter that is not understood (%j) never means all',
    async (filter) => {
      const calls = [
        ['delete_companies', {}],
        ['update_companies', { changes: { industry: 'Lost' } }],
      ] as const
      for (const [name, args] of calls) {
        const answer = await owner.client.rpc(
          name as 'update_companies',
          {
            ...args,
            filter,
          } as never,
        )
        expect(answer).toMatchObject({ status: 400 })
      }
      expect(await count({})).toBe(12)
      expect(await count({ industry: ['Lost'] })).toBe(0)
    },
  )

  test('nothing that matches is no error and no batch', async () => {
    expect(await write('delete_companies', { filter: { ids: [] } })).toEqual({
      count: 0,
      batch: null,
    })
  })

  test('sorted by their open deals, the won and lost ones count as little as those of others', async () => {
    const { id: pipeline_id } = await add(owner, 'pipelines')
    const stage = await add(owner, 'pipeline_stages', { pipeline_id, name: 'Closed Won' })
    const [, one = '', two = ''] = ids
    for (const [company_id, stage_id] of [
      [two, null],
      [two, null],
      [one, stage.id],
      [one, stage.id],
      [one, stage.id],
    ] as const) {
      await add(owner, 'deals', { company_id, pipeline_id, stage_id })
    }
    const page: unknown = await ok(
      owner.client.rpc('company_page', { sort: 'open_deals', descending: true, page_size: 5 }),
    )
    const { rows, next } = page as { rows: { id: string; open_deals: number }[]; next: Json }
    expect(rows[0]).toMatchObject({ id: two, open_deals: 2 })
    const rest: unknown = await ok(
      owner.client.rpc('company_page', { sort: 'open_deals', descending: true, after: next }),
    )
    const seen = [...rows, ...(rest as typeof page & { rows: typeof rows }).rows]
    expect(new Set(seen.map(({ id }) => id)).size).toBe(12)
    expect(seen.find(({ id }) => id === one)).toMatchObject({ open_deals: 0 })
  })
})
