import { beforeAll, describe, expect, test } from 'vitest'
import { batchWords } from '#domain/batch-words.ts'
import type { LoggedBatch } from '#domain/log.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add, table } from './samples.ts'

type Entry = LoggedBatch & { undone: 'no' | 'partly' | 'yes'; can_undo: boolean }
type HistoryPage = { rows: Entry[]; next: unknown }

onAnyDatabase((database) => {
  let owner: Account
  beforeAll(async () => {
    owner = await database().signUp()
  })

  async function page(args: object = {}, account = owner): Promise<HistoryPage> {
    const answer: unknown = await ok(account.client.rpc('history_page', args))
    return answer as HistoryPage
  }

  async function newest(account = owner): Promise<Entry> {
    const [entry] = (await page({ page_size: 1 }, account)).rows
    if (!entry) throw new Error('The history is empty.')
    return entry
  }

  function words(entry: LoggedBatch): string {
    const { sentence } = batchWords(entry, { timeZone: 'UTC' })
    return sentence.map(({ text }) => text).join('')
  }

  async function told(account = owner): Promise<string> {
    return words(await newest(account))
  }

  const undo = (batch: string, conflicts?: string) =>
    ok(owner.client.rpc('undo_batch', conflicts ? { batch, conflicts } : { batch }))

  describe('in words', () => {
    test('a record added, changed and deleted', async () => {
      const contact = await add(owner, 'contacts', { first_name: 'Ada', last_name: 'Lovelace' })
      expect(await told()).toBe('Added contact Ada Lovelace')
      await ok(
        owner.client
          .from('contacts')
          .update({ lead_status: 'Qualified' })
          .eq('id', contact.id)
          .select(),
      )
      const changed = await newest()
      expect(batchWords(changed, { timeZone: 'UTC' })).toEqual({
        sentence: [
          { text: 'Changed ' },
          { text: 'contact ' },
          { text: 'Ada Lovelace', record: { table: 'contacts', id: contact.id } },
        ],
        details: ['Lead status changed from New to Qualified'],
      })
      await ok(owner.client.from('contacts').delete().eq('id', contact.id).select())
      expect(await told()).toBe('Deleted contact Ada Lovelace')
    })

    test('many, with what went and lost its link with them', async () => {
      const company = await add(owner, 'companies', { name: 'Acme' })
      const people = [
        await add(owner, 'contacts', { company_id: company.id }),
        await add(owner, 'contacts', { company_id: company.id }),
      ]
      await add(owner, 'notes', { contact_id: null, company_id: company.id })
      await ok(owner.client.from('companies').delete().eq('id', company.id).select())
      expect(await told()).toBe('Deleted company Acme')
      await undo((await newest()).batch)
      expect(await told()).toBe('Undid: Deleted company Acme')
      const ids = people.map(({ id }) => id)
      await ok(
        owner.client.rpc('update_contacts', {
          filter: { ids },
          changes: { lead_status: 'Contacted' },
        }),
      )
      expect(await told()).toBe('Lead status changed from New to Contacted for 2 contacts')
    })

    test('deals moved, won and lost', async () => {
      const stages = await ok(owner.client.from('pipeline_stages').select('id, name'))
      const stage = (name: string) => stages.find((each) => each.name === name)?.id ?? ''
      const deal = await add(owner, 'deals', { name: 'Acme renewal', stage_id: stage('Lead') })
      await ok(
        owner.client.rpc('move_deal', { id: deal.id, stage_id: stage('Negotiation') }).select(),
      )
      expect(await told()).toBe('Moved Acme renewal to Negotiation')
      await ok(owner.client.rpc('close_deals', { filter: { ids: [deal.id] }, outcome: 'won' }))
      expect(await told()).toBe('Marked Acme renewal as won')
      const lost = { filter: { ids: [deal.id] }, outcome: 'lost', reason: 'Price' }
      await ok(owner.client.rpc('close_deals', lost))
      expect(await told()).toContain('Marked Acme renewal as lost: Price')
    })

    test('a card that only made room has no entry', async () => {
      const deal = await add(owner, 'deals', { name: 'Card' })
      const before = await newest()
      await ok(owner.client.from('deals').update({ order: 4096 }).eq('id', deal.id).select())
      expect((await newest()).batch).toBe(before.batch)
    })

    test('a repeating task completed', async () => {
      const task = await add(owner, 'tasks', {
        title: 'Report',
        due_date: '2026-11-15T10:00:00Z',
        repeat: 'daily',
      })
      await ok(owner.client.from('tasks').update({ completed: true }).eq('id', task.id).select())
      expect(await told()).toBe('Completed Report')
    })

    test('pipelines and collections', async () => {
      await ok(owner.client.rpc('create_pipeline', { name: 'Partners' }).select())
      expect(await told()).toBe('Added pipeline Partners')
      const contact = await add(owner, 'contacts')
      await ok(
        owner.client.rpc('create_collection', { name: 'VIP', filter: { ids: [contact.id] } }),
      )
      expect(await told()).toBe('Added collection VIP')
    })

    test('what a batch was for', async () => {
      const account = await database().signUp()
      await add(account, 'contacts')
      const { batch } = await newest(account)
      await database().query(
        "insert into private.actions (user_id, batch, action, about) values (?, ?, 'import', 'people.csv')",
        account.id,
        batch,
      )
      expect(await newest(account)).toMatchObject({ action: 'import', about: 'people.csv' })
      expect(await told(account)).toBe('Imported 1 contact')
      expect((await page({ filter: { action: 'imported' } }, account)).rows).toHaveLength(1)
    })
  })

  describe('what can be undone', () => {
    test('undone, undone in part, and done again', async () => {
      const contact = await add(owner, 'contacts')
      const { batch } = await newest()
      expect(await newest()).toMatchObject({ undone: 'no', can_undo: true })
      const entryOf = async (wanted: string) =>
        (await page()).rows.find((entry) => entry.batch === wanted)
      await undo(batch)
      expect(await entryOf(batch)).toMatchObject({ undone: 'yes' })
      const undoing = await newest()
      expect(undoing).toMatchObject({ undoes: batch, undone: 'no' })
      await undo(undoing.batch)
      expect(await entryOf(batch)).toMatchObject({ undone: 'no' })
      expect(await entryOf(undoing.batch)).toMatchObject({ undone: 'yes' })

      const other = await add(owner, 'contacts')
      await ok(owner.client.rpc('delete_contacts', { filter: { ids: [contact.id, other.id] } }))
      const deletion = (await newest()).batch
      await ok(owner.client.rpc('restore_deleted', { batch: deletion, ids: [other.id] }))
      expect(await entryOf(deletion)).toMatchObject({ undone: 'partly', can_undo: true })
    })

    test('what was removed for good cannot, and has no name any more', async () => {
      const contact = await add(owner, 'contacts', { first_name: 'Gone' })
      await ok(owner.client.from('contacts').delete().eq('id', contact.id).select())
      await ok(owner.client.rpc('remove_for_good', { filter: { ids: [contact.id] } }))
      expect(await newest()).toMatchObject({ can_undo: false })
      expect(await told()).toBe('Deleted a contact')
    })
  })

  describe('page by page', () => {
    let account: Account
    let company: { id: string }
    beforeAll(async () => {
      account = await database().signUp()
      company = await add(account, 'companies', { name: 'One' })
      await ok(
        account.client.from('companies').update({ name: 'Two' }).eq('id', company.id).select(),
      )
      const rows = Array.from({ length: 300 }, (_, n) => ({ first_name: `Row ${n}` }))
      await ok(account.client.from('contacts').insert(rows).select('id'))
      await ok(account.client.from('companies').delete().eq('id', company.id).select())
      await ok(account.client.rpc('undo_batch', { batch: (await newest(account)).batch }))
    })
    const all = [
      'Undid: Deleted company Two',
      'Deleted company Two',
      'Added 300 contacts',
      'Changed company Two',
      'Added company One',
    ]

    test('newest first, each once, whatever the size of a batch', async () => {
      for (const page_size of [1, 2, 5, 100]) {
        const seen: string[] = []
        let after: unknown = null
        do {
          const answer = await page({ page_size, ...(after ? { after } : {}) }, account)
          expect(answer.rows.length).toBeLessThanOrEqual(page_size)
          seen.push(...answer.rows.map(words))
          after = answer.next
        } while (after)
        expect(seen).toEqual(all)
      }
    })

    test.each([
      ['added', [all[2], all[4]]],
      ['changed', [all[3]]],
      ['deleted', [all[1]]],
      ['undone', [all[0]]],
      ['imported', []],
    ])('only what was %s', async (action, expected) => {
      const { rows } = await page({ filter: { action } }, account)
      expect(rows.map(words)).toEqual(expected)
    })

    test('of a period, by the days of the user’s calendar', async () => {
      await database().query(
        "update public.changes set created_at = '2026-03-01T22:30:00Z' where user_id = ? and label = 'One'",
        account.id,
      )
      const between = async (from: string, to: string, time_zone = 'UTC') =>
        (await page({ filter: { from, to, time_zone } }, account)).rows.map(words)
      expect(await between('2026-03-01', '2026-03-01')).toEqual(['Added company One'])
      expect(await between('2026-03-02', '2026-03-02')).toEqual([])
      expect(await between('2026-03-02', '2026-03-02', 'Asia/Tokyo')).toEqual(['Added company One'])
      expect(await between('2020-01-01', '2026-02-28')).toEqual([])
    })

    test('a filter that is not known is refused', async () => {
      for (const filter of [{ nonsense: 1 }, { action: 'burned' }]) {
        expect(await account.client.rpc('history_page', { filter })).toMatchObject({ status: 400 })
      }
    })

    test('everyone sees their own', async () => {
      const stranger = await database().signUp()
      expect((await page({}, stranger)).rows).toEqual([])
      expect(await database().anonymous.rpc('history_page')).toMatchObject({ status: 401 })
      expect(await ok(table(stranger, 'companies').select())).toEqual([])
    })
  })
})
