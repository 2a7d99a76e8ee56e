import { beforeAll, describe, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Origin = { record: string; id: string; name: string } | null
type Entry = {
  at: string
  key: string
  kind: 'note' | 'change'
  origin: Origin
  note?: { kind: string; body: string }
  table_name?: string
  row_id?: string
}
type Args = Record<string, unknown>

onAnyDatabase((database) => {
  let owner: Account
  let stranger: Account

  beforeAll(async () => {
    owner = await database().signUp()
    stranger = await database().signUp()
  })

  async function timeline(args: Args, who = owner): Promise<Entry[]> {
    const answer: unknown = await ok(who.client.rpc('record_timeline', args as never))
    return answer as Entry[]
  }

  async function customer(who = owner) {
    const company = await add(who, 'companies', { name: 'NewCo' })
    const main = await add(who, 'contacts', {
      first_name: 'Maria',
      last_name: 'Keller',
      phone_number: '+49 30 1',
      company_id: company.id,
    })
    const further = await add(who, 'contacts', { first_name: null, email: 'x@example.com' })
    const deal = await add(who, 'deals', {
      name: 'Website relaunch',
      contact_id: main.id,
      company_id: company.id,
    })
    await add(who, 'deal_contacts', { deal_id: deal.id, contact_id: further.id })
    return { company: company.id, main: main.id, further: further.id, deal: deal.id }
  }

  /** A call on each of the three, the newest on the deal. */
  async function callEach({ company, main, deal }: Awaited<ReturnType<typeof customer>>) {
    const none = { contact_id: null, company_id: null, deal_id: null }
    const call = (body: string, day: number, link: Args) =>
      add(owner, 'notes', {
        kind: 'call',
        body,
        happened_at: `2026-10-0${day}T10:00:00Z`,
        ...none,
        ...link,
      })
    await call('of the company', 1, { company_id: company })
    await call('of the contact', 2, { contact_id: main })
    await call('of the deal', 3, { deal_id: deal })
  }

  /** The keys of the links forbid it, so they are away meanwhile: the policies alone must do. */
  async function withForeignLinks<Answer>(
    deal: string,
    to: { main: string; company: string },
    read: () => Promise<Answer>,
  ): Promise<Answer> {
    const keys = await database().query<{ name: string; definition: string }>(
      `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = 'public.deals'::regclass and conname in ('deals_contact_id_fkey', 'deals_company_id_fkey')`,
    )
    expect(keys).toHaveLength(2)
    const link = (contact: string | null, company: string | null) =>
      database().query(
        'update public.deals set contact_id = ?, company_id = ? where id = ?',
        contact,
        company,
        deal,
      )
    for (const { name } of keys) {
      await database().query(`alter table public.deals drop constraint ${name}`)
    }
    try {
      await link(to.main, to.company)
      return await read()
    } finally {
      await link(null, null)
      for (const { name, definition } of keys) {
        await database().query(`alter table public.deals add constraint ${name} ${definition}`)
      }
    }
  }

  const words = (entries: Entry[]) =>
    entries.flatMap(({ note, origin }) => (note ? [[note.body, origin?.name ?? null]] : []))

  test('what is logged on a deal shows on its contacts and its company, what is logged on a contact on its company', async () => {
    const made = await customer()
    await callEach(made)
    expect(words(await timeline({ record: 'deal', id: made.deal }))).toEqual([
      ['of the deal', null],
    ])
    expect(words(await timeline({ record: 'contact', id: made.main }))).toEqual([
      ['of the deal', 'Website relaunch'],
      ['of the contact', null],
    ])
    expect(words(await timeline({ record: 'contact', id: made.further }))).toEqual([
      ['of the deal', 'Website relaunch'],
    ])
    const whole = await timeline({ record: 'company', id: made.company })
    expect(words(whole)).toEqual([
      ['of the deal', 'Website relaunch'],
      ['of the contact', 'Maria Keller'],
      ['of the company', null],
    ])
    expect(whole.find(({ note }) => note?.body === 'of the deal')?.origin).toEqual({
      record: 'deal',
      id: made.deal,
      name: 'Website relaunch',
    })
  })

  test('another account’s rows never show, whatever they say they are linked to', async () => {
    const made = await customer()
    await callEach(made)
    for (const record of ['contact', 'company', 'deal'] as const) {
      const id = { contact: made.main, company: made.company, deal: made.deal }[record]
      expect(await timeline({ record, id }, stranger)).toEqual([])
    }
    const theirs = await add(stranger, 'deals', { name: 'Secret' })
    const secret = { body: 'secret', contact_id: null, deal_id: theirs.id }
    await add(stranger, 'notes', { kind: 'call', happened_at: '2027-01-01T00:00:00Z', ...secret })
    await add(stranger, 'tasks', { title: 'secret', deal_id: theirs.id, due_date: '2026-01-01' })
    const all = await withForeignLinks(theirs.id, made, async () => [
      await timeline({ record: 'contact', id: made.main }),
      await timeline({ record: 'company', id: made.company }),
      await ok(owner.client.rpc('contact_record', { id: made.main })),
      await ok(owner.client.rpc('company_record', { id: made.company })),
      await ok(owner.client.rpc('task_page', { filter: { contact: made.main } })),
      await ok(owner.client.rpc('task_page', { filter: { company: made.company } })),
      await ok(owner.client.rpc('contact_page', { sort: 'last_contacted', descending: true })),
      await ok(owner.client.rpc('contact_page', { sort: 'next_task', descending: false })),
    ])
    expect(JSON.stringify(all)).not.toMatch(/secret|2027/i)
  })

  test('a change shows once, though it is about a deal, its contact and its company', async () => {
    const made = await customer()
    await ok(owner.client.from('deals').update({ value: 7 }).eq('id', made.deal).select())
    for (const [record, id] of [
      ['contact', made.main],
      ['contact', made.further],
      ['company', made.company],
    ]) {
      const entries = await timeline({ record, id })
      expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
      const about = entries.filter(({ row_id }) => row_id === made.deal)
      expect(about).toMatchObject([
        { origin: { record: 'deal', name: 'Website relaunch' } },
        { origin: { record: 'deal', name: 'Website relaunch' } },
      ])
    }
  })

  test('a task’s changes come from what it is linked to, unless that is the record itself', async () => {
    const made = await customer()
    const ofDeal = await add(owner, 'tasks', { deal_id: made.deal })
    const ofBoth = await add(owner, 'tasks', { deal_id: made.deal, contact_id: made.main })
    const entries = await timeline({ record: 'contact', id: made.main })
    const origin = (task: string) => entries.find(({ row_id }) => row_id === task)?.origin
    expect(origin(ofDeal.id)).toMatchObject({ record: 'deal', id: made.deal })
    expect(origin(ofBoth.id)).toBeNull()
    // What is gone leads nowhere, but has happened.
    await ok(owner.client.from('deals').delete().eq('id', made.deal).select())
    const after = await timeline({ record: 'contact', id: made.main })
    expect(after.find(({ row_id }) => row_id === made.deal)).toMatchObject({ origin: null })
  })

  test('page by page it is the same, also where moments are equal', async () => {
    const made = await customer()
    for (const link of [{ contact_id: made.main }, { contact_id: null, deal_id: made.deal }]) {
      for (let count = 0; count < 3; count++) {
        await add(owner, 'notes', { happened_at: '2026-10-01T10:00:00Z', ...link })
      }
    }
    const asked = { record: 'company', id: made.company }
    const whole = await timeline(asked)
    const pages: Entry[] = []
    let page: Entry[]
    do {
      const last = pages.at(-1)
      const after = { before: last?.at ?? null, before_key: last?.key ?? null }
      page = await timeline({ ...asked, ...after, page_size: 2 })
      pages.push(...page)
    } while (page.length > 0)
    expect(pages).toEqual(whole)
    expect(whole.length).toBeGreaterThan(8)
  })

  test('one kind of entries', async () => {
    const made = await customer()
    await callEach(made)
    const link = { contact_id: null, deal_id: made.deal }
    await add(owner, 'notes', { kind: 'meeting', ...link })
    await add(owner, 'notes', { kind: 'email', ...link })
    await add(owner, 'notes', { kind: 'note', ...link })
    const asked = { record: 'company', id: made.company }
    for (const [kind, count] of [
      ['call', 3],
      ['meeting', 1],
      ['email', 1],
      ['note', 1],
    ] as const) {
      const entries = await timeline({ ...asked, kind })
      expect(entries.map(({ note }) => note?.kind)).toEqual(Array(count).fill(kind))
    }
    const changes = await timeline({ ...asked, kind: 'change' })
    expect(changes.map(({ kind }) => kind)).not.toContain('note')
    expect(changes.length + 6).toBe((await timeline(asked)).length)
    expect(await owner.client.rpc('record_timeline', { ...asked, kind: 'secret' })).toMatchObject({
      status: 400,
    })
  })

  describe('tasks', () => {
    async function titles(filter: Args): Promise<string[]> {
      const answer: unknown = await ok(
        owner.client.rpc('task_page', {
          filter: filter as never,
          sort: 'title',
          descending: false,
        }),
      )
      return (answer as { rows: { title: string }[] }).rows.map(({ title }) => title)
    }

    test('of a company are those of its contacts and deals, of a contact those of its deals', async () => {
      const made = await customer()
      await add(owner, 'tasks', { title: 'a company', company_id: made.company })
      await add(owner, 'tasks', { title: 'b contact', contact_id: made.main })
      await add(owner, 'tasks', { title: 'c deal', deal_id: made.deal })
      const all = { contact_id: made.main, company_id: made.company, deal_id: made.deal }
      await add(owner, 'tasks', { title: 'd all', ...all })
      await add(owner, 'tasks', { title: 'e further', contact_id: made.further, completed: true })
      await add(owner, 'tasks', { title: 'f none' })
      const { company, main, further, deal } = made
      expect(await titles({ company })).toEqual(['a company', 'b contact', 'c deal', 'd all'])
      expect(await titles({ contact: main })).toEqual(['b contact', 'c deal', 'd all'])
      expect(await titles({ contact: further })).toEqual(['c deal', 'd all', 'e further'])
      expect(await titles({ contact: further, status: 'pending' })).toEqual(['c deal', 'd all'])
      expect(await titles({ deal })).toEqual(['c deal', 'd all'])
      expect(await ok(owner.client.rpc('task_count', { filter: { company } }))).toBe(4)
      expect(
        await ok(owner.client.rpc('task_tab_counts', { filter: { contact: further } })),
      ).toMatchObject({ total: 3, completed: 1 })
    })
  })

  describe('Last Contacted and the next task', () => {
    type Card = { id: string; last_contacted: string | null; next_task: { title: string } | null }

    test('count what is on deals, on the page, in the list and in its order', async () => {
      const account = await database().signUp()
      const made = await customer(account)
      const other = await add(account, 'contacts', { first_name: 'Zoe' })
      const none = { contact_id: null }
      const call = (day: number, link: Args) =>
        add(account, 'notes', {
          kind: 'call',
          happened_at: `2026-10-0${day}T10:00:00Z`,
          ...none,
          ...link,
        })
      await call(2, { contact_id: made.main })
      await call(5, { deal_id: made.deal })
      await call(3, { contact_id: other.id })
      await call(4, { company_id: made.company })
      // Only a note: nobody was spoken to.
      const note = { happened_at: '2026-10-09T10:00:00Z', deal_id: made.deal, ...none }
      await add(account, 'notes', note)
      const due = (title: string, day: number, link: Args) =>
        add(account, 'tasks', { title, due_date: `2026-12-0${day}T10:00:00Z`, ...link })
      await due('later', 7, { contact_id: made.main })
      await due('sooner', 2, { deal_id: made.deal })
      await due('between', 4, { contact_id: other.id })
      const cards = async (sort: string, descending: boolean) => {
        const answer: unknown = await ok(account.client.rpc('contact_page', { sort, descending }))
        return (answer as { rows: Card[] }).rows
      }
      const read = await cards('last_contacted', true)
      expect(read.map(({ last_contacted }) => last_contacted?.slice(0, 10))).toEqual([
        '2026-10-05',
        '2026-10-05',
        '2026-10-03',
      ])
      expect(read.at(-1)?.id).toBe(other.id)
      const contacted = async (from: string, to: string) => {
        const filter = { last_contacted_from: from, last_contacted_to: to, time_zone: 'UTC' }
        const answer: unknown = await ok(account.client.rpc('contact_page', { filter }))
        const ids = (answer as { rows: Card[] }).rows.map(({ id }) => id)
        expect(await ok(account.client.rpc('contact_count', { filter }))).toBe(ids.length)
        return ids.sort()
      }
      expect(await contacted('2026-10-05', '2026-10-05')).toEqual([made.main, made.further].sort())
      expect(await contacted('2026-10-01', '2026-10-04')).toEqual([other.id])
      expect(await contacted('2026-10-06', '2026-10-09')).toEqual([])
      const next = await cards('next_task', false)
      expect(next.map(({ next_task }) => next_task?.title)).toEqual(['sooner', 'sooner', 'between'])
      expect(await ok(account.client.rpc('contact_record', { id: made.further }))).toMatchObject({
        last_contacted: '2026-10-05T10:00:00+00:00',
        next_task: { title: 'sooner' },
      })
      expect(await ok(account.client.rpc('company_record', { id: made.company }))).toMatchObject({
        last_contacted: '2026-10-05T10:00:00+00:00',
      })
    })
  })

  test('a deal comes with the number of its main contact', async () => {
    const made = await customer()
    expect(await ok(owner.client.rpc('deal_record', { id: made.deal }))).toMatchObject({
      main_phone: { contact_id: made.main, number: '+49 30 1' },
      people: [{ contact_id: made.further, role: 'Decides' }],
    })
  })
})
