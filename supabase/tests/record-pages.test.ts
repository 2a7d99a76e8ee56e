import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { add } from './samples.ts'

type Neighbours = { previous: string | null; next: string | null }
type Entry = { at: string; key: string; kind: string }
type Args = Record<string, unknown>

const none: Neighbours = { previous: null, next: null }

onOneDatabase((database, isSmoke) => {
  let owner: Account
  let stranger: Account

  beforeAll(async () => {
    owner = await database().signUp()
    stranger = await database().signUp()
  })

  describe('neighbours in a list', () => {
    const sorts = {
      contact:
        'created name email phone company lead_status lead_score notes last_contacted next_task',
      company: 'created name industry location',
    }

    beforeAll(async () => {
      const companies: string[] = []
      for (const [name, industry] of [
        ['Acme', 'Tools'],
        ['acme', 'Tools'],
        ['Zeta', 'Food'],
        ['Beta', null],
      ]) {
        companies.push((await add(owner, 'companies', { name, industry })).id)
      }
      // Many ties, so that often only the id tells the order.
      const people = Array.from({ length: 12 }, (_, index) => ({
        first_name: ['Ada', 'ada', null, 'Zoë'][index % 4],
        last_name: ['Lovelace', null, 'Hopper'][index % 3],
        email: index % 2 ? `p${index % 5}@example.com` : null,
        company_id: index % 3 ? companies[index % 4] : null,
        lead_status: ['New', 'Qualified'][index % 2],
        lead_score: index % 3,
        notes: index % 4 ? 'same' : null,
      }))
      const added = await ok(
        owner.client
          .from('contacts')
          .insert(people as never)
          .select('id'),
      )
      await add(stranger, 'contacts', { first_name: 'Ada' })
      await add(stranger, 'companies', { name: 'Acme' })
      await database().query(
        "update public.contacts set created_at = now() - (abs(hashtext(id::text)) % 5) * interval '1 day' where user_id = ?",
        owner.id,
      )
      for (const { id } of added.slice(0, 6)) {
        await add(owner, 'tasks', { contact_id: id, due_date: '2026-12-01T10:00:00Z' })
        await add(owner, 'notes', { kind: 'call', contact_id: id })
      }
    })

    async function listed(kind: 'contact' | 'company', args: Args): Promise<string[]> {
      const answer: unknown = await ok(
        owner.client.rpc(`${kind}_page`, { ...args, page_size: 1000 } as never),
      )
      return (answer as { rows: { id: string }[] }).rows.map(({ id }) => id)
    }

    async function neighbours(kind: 'contact' | 'company', args: Args, who = owner) {
      const answer: unknown = await ok(who.client.rpc(`${kind}_neighbours`, args as never))
      return answer as Neighbours
    }

    const orders = (['contact', 'company'] as const).flatMap((kind) =>
      sorts[kind]
        .split(' ')
        .flatMap((sort) => [true, false].map((descending) => ({ kind, sort, descending }))),
    )
    const tried = isSmoke ? orders.slice(0, 4) : orders
    test.each(tried)('$kind by $sort, descending $descending, ties included', async (order) => {
      const { kind, ...view } = order
      const ids = await listed(kind, view)
      expect(ids.length).toBeGreaterThan(3)
      for (const [place, id] of ids.entries()) {
        expect(await neighbours(kind, { ...view, id })).toEqual({
          previous: ids[place - 1] ?? null,
          next: ids[place + 1] ?? null,
        })
      }
    })

    if (isSmoke) return

    test('are of the same filter; a record that does not match any more keeps its place', async () => {
      const view = { filter: { lead_status: ['New'], search: 'ada' }, sort: 'name' }
      const ids = await listed('contact', view)
      expect(ids).toHaveLength(3)
      const [first, second, third] = ids
      expect(await neighbours('contact', { ...view, id: second })).toEqual({
        previous: first,
        next: third,
      })
      await ok(
        owner.client
          .from('contacts')
          .update({ lead_status: 'Contacted' })
          .eq('id', second ?? '')
          .select(),
      )
      expect(await neighbours('contact', { ...view, id: second })).toEqual({
        previous: first,
        next: third,
      })
    })

    test('a record of another account, or none, has no neighbours', async () => {
      const [id] = await listed('contact', {})
      expect(await neighbours('contact', { id }, stranger)).toEqual(none)
      expect(await neighbours('contact', { id: randomUUID() })).toEqual(none)
      expect(await neighbours('company', { id: randomUUID() })).toEqual(none)
    })

    test('refuse an order or a filter that does not exist, and whoever has no session', async () => {
      const id = randomUUID()
      const rpc = (args: Args) => owner.client.rpc('contact_neighbours', { id, ...args } as never)
      expect(await rpc({ sort: 'password' })).toMatchObject({ status: 400 })
      expect(await rpc({ filter: { password: 'x' } })).toMatchObject({ status: 400 })
      const { error } = await database().anonymous.rpc('contact_neighbours', { id })
      expect(error).not.toBeNull()
    })
  })

  if (isSmoke) return

  describe('one record', () => {
    test('a company comes with its figures and deals', async () => {
      const { id } = await add(owner, 'companies', { name: 'Deep Tools' })
      const contact = await add(owner, 'contacts', { company_id: id })
      const stage = await ok(
        owner.client.from('pipeline_stages').select('id').eq('name', 'Closed Won').single(),
      )
      await add(owner, 'deals', { name: 'Old', company_id: id })
      await add(owner, 'deals', { name: 'New', company_id: id, stage_id: stage.id })
      await add(owner, 'deals', { name: 'Of the contact', contact_id: contact.id })
      await add(owner, 'deals', { name: 'Of nobody' })
      expect(await ok(owner.client.rpc('company_record', { id }))).toMatchObject({
        id,
        name: 'Deep Tools',
        contacts: 1,
        deals: 2,
        linked_deals: [
          { name: 'New', stage_name: 'Closed Won', outcome: 'won', value: 1200.5 },
          { name: 'Old', stage_name: null, outcome: 'open' },
        ],
      })
      expect(await ok(owner.client.rpc('contact_record', { id: contact.id }))).toMatchObject({
        company_name: 'Deep Tools',
        deals: 1,
        linked_deals: [{ name: 'Of the contact' }],
        collections: [],
      })
    })

    test('a contact comes with its collections, by name', async () => {
      const { id } = await add(owner, 'contacts')
      for (const name of ['vip', 'Berlin']) {
        const collection = await add(owner, 'collections', { name })
        await add(owner, 'collection_members', { collection_id: collection.id, contact_id: id })
      }
      const { collections } = (await ok(owner.client.rpc('contact_record', { id }))) as {
        collections: { name: string }[]
      }
      expect(collections.map(({ name }) => name)).toEqual(['Berlin', 'vip'])
    })

    test('of another account, or none, is nothing', async () => {
      const contact = await add(owner, 'contacts')
      const company = await add(owner, 'companies')
      const { client } = stranger
      expect((await client.rpc('contact_record', { id: contact.id })).data).toBeNull()
      expect((await client.rpc('company_record', { id: company.id })).data).toBeNull()
      expect((await owner.client.rpc('contact_record', { id: randomUUID() })).data).toBeNull()
      expect(
        (await database().anonymous.rpc('contact_record', { id: contact.id })).error,
      ).not.toBeNull()
    })
  })

  describe('a record’s timeline', () => {
    async function timeline(args: Args): Promise<Entry[]> {
      const answer: unknown = await ok(owner.client.rpc('record_timeline', args as never))
      return answer as Entry[]
    }

    test('holds what happened and what was said, newest first, page by page', async () => {
      const { id } = await add(owner, 'contacts', { first_name: 'Timely' })
      const change = { first_name: 'Timelier' }
      await ok(owner.client.from('contacts').update(change).eq('id', id).select())
      await add(owner, 'notes', { contact_id: id, happened_at: '2020-01-01T00:00:00Z' })
      await add(owner, 'notes', { contact_id: id, happened_at: '2020-01-01T00:00:00Z' })
      await add(owner, 'tasks', { contact_id: id })
      const asked = { record: 'contact', id }
      const whole = await timeline(asked)
      expect(whole).toMatchObject([
        { kind: 'change', table_name: 'tasks', verb: 'insert', label: 'Call Ada' },
        { kind: 'change', verb: 'update', before: { first_name: 'Timely' }, after: change },
        { kind: 'change', table_name: 'contacts', verb: 'insert', label: 'Timely' },
        { kind: 'note', note: { body: 'Likes tea' }, at: '2020-01-01T00:00:00+00:00' },
        { kind: 'note', note: { body: 'Likes tea' }, at: '2020-01-01T00:00:00+00:00' },
      ])
      const pages: Entry[] = []
      let page: Entry[]
      do {
        const last = pages.at(-1)
        page = await timeline({
          ...asked,
          before: last?.at ?? null,
          before_key: last?.key ?? null,
          page_size: 2,
        })
        pages.push(...page)
      } while (page.length > 0)
      expect(pages).toEqual(whole)
      expect(await ok(stranger.client.rpc('record_timeline', asked))).toEqual([])
      expect(await owner.client.rpc('record_timeline', { ...asked, record: 'user' })).toMatchObject(
        { status: 400 },
      )
    })

    test('names the records that a link led to and leads to, even when they are gone', async () => {
      const acme = await add(owner, 'companies', { name: 'Acme Old' })
      const zeta = await add(owner, 'companies', { name: 'Zeta' })
      const { id } = await add(owner, 'contacts', { company_id: acme.id })
      const moved = { company_id: zeta.id, role_title: 'Boss' }
      await ok(owner.client.from('contacts').update(moved).eq('id', id).select())
      await ok(owner.client.from('companies').update({ name: 'Acme' }).eq('id', acme.id).select())
      await ok(owner.client.from('companies').delete().eq('id', acme.id).select())
      const [entry] = await timeline({ record: 'contact', id })
      expect(entry).toMatchObject({
        before: { company_id: acme.id },
        after: moved,
        names: { [acme.id]: 'Acme', [zeta.id]: 'Zeta' },
      })
    })

    test('names the stages of a deal, and leaves out what only made room on the board', async () => {
      const { id } = await add(owner, 'deals', { name: 'Big' })
      const stages = await ok(
        owner.client.from('pipeline_stages').select('id, name').order('order'),
      )
      const [lead, qualified] = stages
      for (const stage of [lead, qualified]) {
        await ok(owner.client.rpc('move_deal', { id, stage_id: stage?.id ?? '' }))
      }
      await ok(owner.client.from('deals').update({ order: 7 }).eq('id', id).select())
      const entries = await timeline({ record: 'deal', id })
      expect(entries).toMatchObject([
        { names: { [lead?.id ?? '']: 'Lead', [qualified?.id ?? '']: 'Qualified' } },
        { names: { [lead?.id ?? '']: 'Lead' } },
        { verb: 'insert', names: null },
      ])
    })
  })
})
