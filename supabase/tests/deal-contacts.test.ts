import { beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Answer = { batch: string; conflicts?: { reason: string }[] }

onAnyDatabase((database) => {
  let owner: Account
  let deal: string
  let ada: string
  let bob: string
  let eve: string

  const contact = async (first_name: string, account = owner) =>
    (await add(account, 'contacts', { first_name, email: null })).id

  beforeEach(async () => {
    owner = await database().signUp()
    ada = await contact('Ada')
    bob = await contact('Bob')
    eve = await contact('Eve')
    deal = (await add(owner, 'deals', { name: 'Renewal', contact_id: ada })).id
  })

  const set = async (who: string, role: string | null, is_main = false) =>
    // The generated types do not know that an argument may be null.
    (await ok(
      owner.client.rpc('set_deal_contact', { deal, contact: who, role: role as string, is_main }),
    )) as Answer
  const filed = async (ids: string[], account = owner) =>
    (await ok(account.client.rpc('people_of_deals', { ids }))) as Record<string, unknown[]>
  const undo = async (batch: string) =>
    (await ok(owner.client.rpc('undo_batch', { batch }))) as Answer
  const removal = async (table: 'contacts' | 'deals', id: string) => {
    await ok(owner.client.from(table).delete().eq('id', id).select())
    const [change] = await ok(
      owner.client
        .from('changes')
        .select('batch')
        .eq('row_id', id)
        .order('id', { ascending: false })
        .limit(1),
    )
    return change?.batch ?? ''
  }
  /** Who is on the deal: the main one, and everyone with their role. */
  const people = async (id = deal, account = owner) => {
    const { data } = await account.client
      .from('deals')
      .select('contacts(first_name)')
      .eq('id', id)
      .single()
    const rows = await ok(
      account.client
        .from('deal_contacts')
        .select('role, contacts(first_name)')
        .eq('deal_id', id)
        .order('position')
        .order('id'),
    )
    return [
      data?.contacts?.first_name ?? null,
      ...rows.map(({ role, contacts }) => `${contacts?.first_name}: ${role}`),
    ]
  }

  test('a file with all fields asks who is on many deals; another account’s are left out', async () => {
    await set(ada, 'decides')
    await set(bob, null)
    const other = (await add(owner, 'deals', { name: 'Alone', contact_id: eve })).id
    expect(await filed([deal, other])).toEqual({
      [deal]: [
        { id: ada, role: 'decides', first_name: 'Ada', last_name: null, email: null },
        { id: bob, role: null, first_name: 'Bob', last_name: null, email: null },
      ],
    })
    expect(await filed([deal], await database().signUp())).toEqual({})
  })

  test('the joins of the specification mean the main contact, in both directions', async () => {
    await set(bob, 'Pays')
    await set(ada, 'Decides')
    const { client } = owner
    const main = await ok(client.from('deals').select('name, contacts(first_name)'))
    expect(main).toEqual([{ name: 'Renewal', contacts: { first_name: 'Ada' } }])
    const deals = await ok(
      client.from('contacts').select('first_name, deals(name)').order('first_name'),
    )
    expect(deals).toEqual([
      { first_name: 'Ada', deals: [{ name: 'Renewal' }] },
      { first_name: 'Bob', deals: [] },
      { first_name: 'Eve', deals: [] },
    ])
    const rows = await ok(
      client.from('deal_contacts').select('role, contacts(first_name), deals(name)').order('role'),
    )
    expect(rows).toEqual([
      { role: 'Decides', contacts: { first_name: 'Ada' }, deals: { name: 'Renewal' } },
      { role: 'Pays', contacts: { first_name: 'Bob' }, deals: { name: 'Renewal' } },
    ])
    // Neither does a task, a note or a row of this table become a second way.
    const all = await ok(
      client.from('deals').select('*, contacts(*), companies(*), deal_contacts(role)'),
    )
    expect(all).toHaveLength(1)
  })

  test('no key consists of links to two tables: to PostgREST that would be a second way between them', async () => {
    const ways = await database().query<{ name: string }>(`
      select k.conrelid::regclass::text as name from pg_constraint k
      where k.contype = 'p' and k.connamespace = 'public'::regnamespace and (
        select count(distinct f.confrelid) from pg_constraint f
        where f.contype = 'f' and f.conrelid = k.conrelid and f.confrelid <> 'auth.users'::regclass
          and array_remove(f.conkey, (
            select a.attnum from pg_attribute a where a.attrelid = k.conrelid and a.attname = 'user_id'
          )) <@ k.conkey
      ) > 1`)
    expect(ways).toEqual([])
  })

  test('contacts come, get roles, become the main one and go, each in one batch', async () => {
    await set(bob, ' Pays ')
    expect(await people()).toEqual(['Ada', 'Bob: Pays'])
    await set(bob, '')
    expect(await people()).toEqual(['Ada', 'Bob: null'])
    // Whoever was the main one stays.
    const { batch } = await set(bob, 'Decides', true)
    expect(await people()).toEqual(['Bob', 'Bob: Decides', 'Ada: null'])
    await undo(batch)
    expect(await people()).toEqual(['Ada', 'Bob: null'])
    await set(ada, 'Uses')
    const gone = (await ok(
      owner.client.rpc('remove_deal_contact', { deal, contact: ada }),
    )) as Answer
    expect(await people()).toEqual([null, 'Bob: null'])
    await undo(gone.batch)
    expect(await people()).toEqual(['Ada', 'Bob: null', 'Ada: Uses'])
    const twice = await owner.client
      .from('deal_contacts')
      .insert({ deal_id: deal, contact_id: bob })
    expect(twice.status).toBe(409)
  })

  test('nobody puts contacts on deals of others, or others’ contacts on their own', async () => {
    const stranger = await database().signUp()
    const foreign = await contact('Mallory', stranger)
    const calls = [
      owner.client.rpc('set_deal_contact', { deal, contact: foreign }),
      stranger.client.rpc('set_deal_contact', { deal, contact: foreign }),
    ]
    for (const call of calls) expect((await call).status).toBe(404)
    await stranger.client.rpc('remove_deal_contact', { deal, contact: ada })
    expect(await people()).toEqual(['Ada'])
  })

  test('what is deleted comes back with its people, whichever side it was', async () => {
    await set(bob, 'Pays')
    const person = await removal('contacts', bob)
    expect(await people()).toEqual(['Ada'])
    await undo(person)
    expect(await people()).toEqual(['Ada', 'Bob: Pays'])
    const batch = await removal('deals', deal)
    await ok(owner.client.rpc('restore_deleted', { batch }))
    expect(await people()).toEqual(['Ada', 'Bob: Pays'])
    // Someone who was taken off a deal is not in the trash.
    await owner.client.rpc('remove_deal_contact', { deal, contact: bob })
    expect(await ok(owner.client.rpc('trash_count', {}))).toBe(0)
  })

  test('a deal that is erased leaves no name', async () => {
    await set(bob, 'Pays')
    // Taken off before, so no part of what is erased.
    await ok(owner.client.rpc('remove_deal_contact', { deal, contact: bob }))
    await removal('deals', deal)
    await ok(owner.client.rpc('remove_for_good', { filter: {} }))
    const left = await ok(owner.client.from('changes').select('label').eq('deal_id', deal))
    expect(left.filter(({ label }) => label !== null)).toEqual([])
  })

  test('merged contacts are on each deal once, with a role that one of them had', async () => {
    const other = (await add(owner, 'deals', { name: 'Other' })).id
    await set(bob, 'Pays')
    await set(eve, null)
    await add(owner, 'deal_contacts', { deal_id: other, contact_id: bob, role: 'Uses' })
    const seen = await ok(
      owner.client.from('contacts').select('id, updated_at').in('id', [bob, eve]),
    )
    const args = {
      keep: eve,
      seen: Object.fromEntries(seen.map(({ id, updated_at }) => [id, updated_at])),
    }
    const merged = (await ok(owner.client.rpc('merge_contacts', args))) as Answer
    expect(await people()).toEqual(['Ada', 'Eve: Pays'])
    expect(await people(other)).toEqual([null, 'Eve: Uses'])
    await undo(merged.batch)
    expect(await people()).toEqual(['Ada', 'Bob: Pays', 'Eve: null'])
    expect(await people(other)).toEqual([null, 'Bob: Uses'])
  })

  test('the page of a contact and the list by contact know further contacts', async () => {
    const second = (await add(owner, 'deals', { name: 'Second', contact_id: bob })).id
    await set(bob, 'Pays')
    await set(ada, 'Decides')
    const page = (await ok(owner.client.rpc('contact_record', { id: bob }))) as unknown as {
      deals: number
      linked_deals: { id: string; role: string | null }[]
    }
    expect(page.deals).toBe(2)
    expect(page.linked_deals).toMatchObject([
      { id: second, role: null },
      { id: deal, role: 'Pays' },
    ])
    const found = async (who: string) => {
      const answer: unknown = await ok(owner.client.rpc('deal_page', { filter: { contact: who } }))
      return (answer as { rows: { id: string }[] }).rows.map(({ id }) => id)
    }
    expect(await found(bob)).toEqual([second, deal])
    expect(await found(ada)).toEqual([deal])
    expect(await found(eve)).toEqual([])
    const totals = owner.client.rpc('deal_totals', { filter: { contact: bob } })
    expect(await ok(totals)).toMatchObject({ count: 2 })
    const wrong = await owner.client.rpc('deal_page', { filter: { contact: 'x' } })
    expect(wrong.status).toBe(400)
  })

  test('the log tells who was on which deal, and in which role', async () => {
    await set(bob, 'Pays')
    await set(bob, 'Uses')
    const told = await ok(
      owner.client
        .from('changes')
        .select('verb, label, contact_id, deal_id, before, after')
        .eq('table_name', 'deal_contacts')
        .order('id'),
    )
    expect(told).toEqual([
      {
        verb: 'insert',
        label: 'Bob on Renewal',
        contact_id: bob,
        deal_id: deal,
        before: null,
        after: null,
      },
      {
        verb: 'update',
        label: 'Bob on Renewal',
        contact_id: bob,
        deal_id: deal,
        before: { role: 'Pays' },
        after: { role: 'Uses' },
      },
    ])
  })

  describe('the form of a deal', () => {
    const save = (args: {
      changes: object
      people?: object[]
      is_new?: boolean
      seen?: string
      deal?: string
    }) => {
      const { changes, people: who = [], ...rest } = args
      return owner.client.rpc('save_deal', {
        deal,
        changes: changes as Json,
        people: who as Json,
        ...rest,
      })
    }

    test('writes a new deal and everyone on it in one batch', async () => {
      const id = crypto.randomUUID()
      const args = {
        deal: id,
        changes: { name: 'New', value: 7, contact_id: ada },
        people: [
          { contact_id: bob, role: ' Pays ' },
          { contact_id: ada, role: 'Decides' },
          { contact_id: eve, role: '' },
        ],
        is_new: true,
      }
      expect(await ok(save(args))).toMatchObject({ id, name: 'New', value: 7, contact_id: ada })
      const all = ['Ada', 'Bob: Pays', 'Ada: Decides', 'Eve: null']
      expect(await people(id)).toEqual(all)
      const changes = await ok(
        owner.client.from('changes').select('batch, table_name').eq('deal_id', id),
      )
      expect(changes).toHaveLength(4)
      expect(new Set(changes.map(({ batch }) => batch)).size).toBe(1)
      // Of a lost answer, the next try is told that it is there.
      expect((await save(args)).error?.code).toBe('23505')
      await undo(changes[0]?.batch ?? '')
      expect(await people(id)).toEqual([null])
      // No deal of nobody's: one contact is a stranger's.
      const stranger = await database().signUp()
      const foreign = await contact('Mallory', stranger)
      const refused = await save({ ...args, people: [{ contact_id: foreign, role: 'Pays' }] })
      expect(refused).toMatchObject({
        status: 404,
        error: { message: 'One of the contacts no longer exists. Nothing was saved.' },
      })
      expect(await ok(owner.client.from('deals').select('id').eq('id', id))).toEqual([])
    })

    test('writes over the version that was seen, and only who was touched', async () => {
      await set(bob, 'Pays')
      await set(eve, null)
      const { data } = await owner.client.from('deals').select('updated_at').eq('id', deal).single()
      const seen = data?.updated_at ?? ''
      const changes = { name: 'Renewed', contact_id: eve }
      const who = [
        { contact_id: bob, is_gone: true },
        { contact_id: eve, role: 'Uses' },
      ]
      expect(await ok(save({ changes, people: who, seen }))).toMatchObject({
        name: 'Renewed',
        people: [{ contact_id: eve, role: 'Uses' }],
      })
      expect(await people()).toEqual(['Eve', 'Eve: Uses'])
      // It has another version by now, and nothing is written.
      const late = await save({ changes: { name: 'Old' }, people: who, seen })
      expect(late).toMatchObject({ data: null, error: null })
      expect(await ok(save({ changes: { name: 'Over' }, people: [] }))).toMatchObject({
        name: 'Over',
      })
    })

    test('takes the fields of a deal alone, of the own account alone', async () => {
      for (const changes of [
        { user_id: owner.id },
        { nothing: 1 },
        {},
        [] as object,
        { closed_at: null },
      ]) {
        expect((await save({ changes })).status).toBe(400)
      }
      const stranger = await database().signUp()
      const args = { deal, changes: { name: 'Mine' }, people: [] }
      const unseen = await stranger.client.rpc('save_deal', args)
      expect(unseen).toMatchObject({ data: null, error: null })
      const taken = await stranger.client.rpc('save_deal', { ...args, is_new: true })
      expect(taken.status).toBe(409)
      expect(await people()).toEqual(['Ada'])
    })
  })

  describe('a backup', () => {
    test('restored elsewhere has the same people, and twice no more of them', async () => {
      await set(bob, 'Pays')
      await set(ada, 'Decides')
      const parts = await backUp(owner)
      const fresh = await database().signUp()
      for (let times = 0; times < 2; times++) {
        const answer = await sendBackup(fresh, parts, { version: 2, account: owner.id })
        expect(answer.error).toBeNull()
      }
      const [copy] = await ok(fresh.client.from('deals').select('id'))
      expect(await people(copy?.id, fresh)).toEqual(['Ada', 'Bob: Pays', 'Ada: Decides'])
      // Who was taken off and put on again is the same person on the same deal.
      await ok(owner.client.rpc('remove_deal_contact', { deal, contact: bob }))
      await set(bob, 'Uses')
      const own = await sendBackup(owner, parts, { version: 2, account: owner.id })
      expect(own.error).toBeNull()
      expect(await people()).toEqual(['Ada', 'Ada: Decides', 'Bob: Uses'])
    })
  })
})
