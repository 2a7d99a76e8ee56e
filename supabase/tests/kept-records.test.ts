import { beforeEach, describe, expect, test } from 'vitest'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Card = { kind: string; id: string; title: string }
type Kept = { pinned: Card[]; opened: Card[] }

onAnyDatabase((database) => {
  let owner: Account

  beforeEach(async () => {
    owner = await database().signUp()
  })

  const kept = async (who = owner) => (await ok(who.client.rpc('kept_records'))) as unknown as Kept
  const titles = (cards: Card[]) => cards.map(({ title }) => title)
  const pin = (id: string, is_pinned = true, kind = 'contacts', who = owner) =>
    who.client.rpc('pin_record', { kind, id, is_pinned })
  const open = (id: string, kind = 'contacts') => owner.client.rpc('note_opened', { kind, id })
  const contact = async (first_name: string, who = owner) =>
    (await add(who, 'contacts', { first_name })).id as string

  test('pins stand in their order, the last opened first, each once', async () => {
    const [ada, bob] = [await contact('Ada'), await contact('Bob')]
    const company = (await add(owner, 'companies', { name: 'Acme' })).id as string
    await ok(pin(ada))
    await ok(pin(company, true, 'companies'))
    await ok(pin(ada))
    for (const id of [ada, bob, ada]) expect((await open(id)).error).toBeNull()
    const both = await kept()
    expect(titles(both.pinned)).toEqual(['Acme', 'Ada'])
    expect(titles(both.opened)).toEqual(['Ada', 'Bob'])
    await ok(pin(company, false, 'companies'))
    expect(titles((await kept()).pinned)).toEqual(['Ada'])
  })

  test('a deleted record vanishes, and undo brings it back to its place', async () => {
    const [ada, bob] = [await contact('Ada'), await contact('Bob')]
    await ok(pin(ada))
    await ok(pin(bob))
    await open(ada)
    await ok(owner.client.from('contacts').delete().eq('id', ada).select())
    expect(await kept()).toMatchObject({ pinned: [{ title: 'Bob' }], opened: [] })
    const [last] = await ok(
      owner.client.from('changes').select('batch').eq('row_id', ada).eq('verb', 'delete'),
    )
    await ok(owner.client.rpc('undo_batch', { batch: last?.batch ?? '' }))
    expect(titles((await kept()).pinned)).toEqual(['Ada', 'Bob'])
    expect(titles((await kept()).opened)).toEqual(['Ada'])
  })

  test('twenty of each at most; those that are gone make room', async () => {
    const ids: string[] = []
    for (let place = 0; place < 21; place += 1) ids.push(await contact(`C${place}`))
    for (const id of ids) await open(id)
    expect((await kept()).opened).toHaveLength(20)
    for (const id of ids.slice(0, 20)) await ok(pin(id))
    expect(await pin(ids[20] ?? '')).toMatchObject({ status: 409 })
    await ok(
      owner.client
        .from('contacts')
        .delete()
        .eq('id', ids[0] ?? '')
        .select(),
    )
    await ok(pin(ids[20] ?? ''))
    expect((await kept()).pinned).toHaveLength(20)
  })

  test('a merge takes the pin along, in its place; undone, the record has it again', async () => {
    const [ada, twin, bob] = [await contact('Ada'), await contact('Twin'), await contact('Bob')]
    await ok(pin(twin))
    await ok(pin(bob))
    const rows = await ok(
      owner.client.from('contacts').select('id, updated_at').in('id', [ada, twin]),
    )
    const seen = Object.fromEntries(rows.map(({ id, updated_at }) => [id, updated_at]))
    const { batch } = (await ok(owner.client.rpc('merge_contacts', { keep: ada, seen }))) as {
      batch: string
    }
    expect(titles((await kept()).pinned)).toEqual(['Ada', 'Bob'])
    await ok(owner.client.rpc('undo_batch', { batch }))
    expect(titles((await kept()).pinned)).toEqual(['Ada', 'Twin', 'Bob'])

    // Of twenty, none falls out for the one that went.
    const further: string[] = []
    for (let place = 0; place < 19; place += 1) further.push(await contact(`C${place}`))
    await ok(pin(ada, false))
    for (const id of further.slice(0, 18)) await ok(pin(id))
    expect((await kept()).pinned).toHaveLength(20)
    await ok(owner.client.rpc('merge_contacts', { keep: ada, seen }))
    expect(titles((await kept()).pinned).slice(0, 3)).toEqual(['Ada', 'Bob', 'C0'])
    expect((await kept()).pinned).toHaveLength(20)
  })

  test('what is no name of a record is not stored', async () => {
    const ada = await contact('Ada')
    await ok(
      owner.client
        .from('preferences')
        .update({ pinned: ['users/1', `contacts/${ada}`, `contacts/${ada}`, '../x'] })
        .eq('user_id', owner.id)
        .select(),
    )
    expect(await ok(owner.client.from('preferences').select('pinned').single())).toEqual({
      pinned: [`contacts/${ada}`],
    })
  })

  test('nobody keeps, or sees, a record of somebody else; nothing of it is in the log', async () => {
    const stranger = await database().signUp()
    const mine = await contact('Mine')
    const theirs = await contact('Theirs', stranger)
    expect(await pin(theirs)).toMatchObject({ status: 404 })
    expect(await open(theirs)).toMatchObject({ status: 404 })
    // Even if the name of it stood in the list.
    await database().query(
      'update public.preferences set pinned = array[?] where user_id = ?',
      `contacts/${theirs}`,
      owner.id,
    )
    expect((await kept()).pinned).toEqual([])
    await ok(pin(mine))
    expect(await kept(stranger)).toEqual({ pinned: [], opened: [] })
    const { anonymous } = database()
    for (const answer of [
      await anonymous.rpc('kept_records'),
      await anonymous.rpc('pin_record', { kind: 'contacts', id: mine, is_pinned: true }),
      await anonymous.rpc('note_opened', { kind: 'contacts', id: mine }),
    ]) {
      expect(answer.status).toBe(401)
    }
    const log = await ok(owner.client.from('changes').select('table_name'))
    expect(log.map(({ table_name }) => table_name)).toEqual(['contacts'])
  })

  test('a backup brings goal, pins and last opened into another account, by the ids there', async () => {
    const ada = await contact('Ada')
    await ok(pin(ada))
    await open(ada)
    await ok(
      owner.client
        .from('preferences')
        .update({ monthly_goal: 5000 })
        .eq('user_id', owner.id)
        .select(),
    )
    const other = await database().signUp()
    await ok(sendBackup(other, await backUp(owner), { account: owner.id, version: 2 }))
    const both = await kept(other)
    expect(titles(both.pinned)).toEqual(['Ada'])
    expect(titles(both.opened)).toEqual(['Ada'])
    expect(both.pinned[0]?.id).not.toBe(ada)
    expect(await ok(other.client.from('preferences').select('monthly_goal').single())).toEqual({
      monthly_goal: 5000,
    })
  })

  describe('what seems to be there already', () => {
    type Similar = { title: string; reason: string }[]
    const similar = async (kind: string, reported: Record<string, string | null>, who = owner) =>
      ((await ok(who.client.rpc('similar_records', { kind, reported }))) as unknown as Similar).map(
        ({ title, reason }) => `${title}: ${reason}`,
      )

    test('a contact by any address, number or profile, or the name within the company', async () => {
      const company = (await add(owner, 'companies', { name: 'Acme GmbH' })).id as string
      const elsewhere = (await add(owner, 'companies', { name: 'Other' })).id as string
      await add(owner, 'contacts', {
        first_name: 'Jörg',
        last_name: 'Müller',
        email: 'joerg@acme.example',
        emails: [
          { label: 'Work', value: 'joerg@acme.example' },
          { label: 'Home', value: 'j@home.example' },
        ],
        phone_number: '+49 30 1234567',
        links: [{ label: '', value: 'https://de.linkedin.com/in/joerg-m/' }],
        company_id: company,
      })
      const name = { first_name: 'Joerg', last_name: 'Mueller' }
      expect(await similar('contacts', { emails: 'x@acme.example\nJOERG@acme.example ' })).toEqual([
        'Jörg Müller: email',
      ])
      expect(await similar('contacts', { emails: 'j@home.example' })).toEqual([
        'Jörg Müller: email',
      ])
      expect(await similar('contacts', { phones: '030 1\n030 / 1234567' })).toEqual([
        'Jörg Müller: phone',
      ])
      const links = 'acme.example\nwww.LinkedIn.com/in/Joerg-M?trk=1'
      expect(await similar('contacts', { links })).toEqual(['Jörg Müller: link'])
      expect(await similar('contacts', { links: 'https://linkedin.com/in/joerg' })).toEqual([])
      expect(await similar('contacts', { ...name, company_id: company })).toEqual([
        'Jörg Müller: name',
      ])
      expect(await similar('contacts', { ...name, company_id: null })).toEqual([
        'Jörg Müller: name',
      ])
      expect(await similar('contacts', { ...name, company_id: elsewhere })).toEqual([])
      expect(await similar('contacts', { first_name: 'Joerg' })).toEqual([])
      expect(await similar('contacts', {})).toEqual([])
    })

    test('a company by its name but for the legal form, its website, any address or number', async () => {
      await add(owner, 'companies', {
        name: 'Acme GmbH',
        website: 'https://www.acme.example/de',
        emails: [{ label: '', value: 'info@acme.example' }],
        phones: [
          { label: '', value: '+49 30 1234567' },
          { label: '', value: '+49 89 7654321' },
        ],
      })
      expect(await similar('companies', { emails: 'x@acme.example\nINFO@acme.example' })).toEqual([
        'Acme GmbH: email',
      ])
      expect(await similar('companies', { phones: '030 1\n089 / 7654321' })).toEqual([
        'Acme GmbH: phone',
      ])
      expect(await similar('companies', { emails: 'fo@acme.example', phones: '654321' })).toEqual(
        [],
      )
      expect(await similar('companies', { name: 'ACME' })).toEqual(['Acme GmbH: name'])
      expect(await similar('companies', { name: 'X', website: 'acme.example' })).toEqual([
        'Acme GmbH: website',
      ])
      expect(await similar('companies', { name: '', website: null })).toEqual([])
    })

    test('an open deal of the same name, and of the same company where one is said', async () => {
      const company = (await add(owner, 'companies')).id as string
      const elsewhere = (await add(owner, 'companies', { name: 'Other' })).id as string
      await add(owner, 'deals', { name: 'Renewal', company_id: company })
      expect(await similar('deals', { name: 'renewal' })).toEqual(['Renewal: name'])
      expect(await similar('deals', { name: 'renewal', company_id: company })).toEqual([
        'Renewal: name',
      ])
      expect(await similar('deals', { name: 'renewal', company_id: elsewhere })).toEqual([])
    })

    test('only records of one’s own, and nothing without a session', async () => {
      await add(owner, 'contacts', { email: 'ada@secret.example' })
      const stranger = await database().signUp()
      expect(await similar('contacts', { emails: 'ada@secret.example' }, stranger)).toEqual([])
      const args = { kind: 'contacts', reported: {} }
      expect(await database().anonymous.rpc('similar_records', args)).toMatchObject({ status: 401 })
      expect(
        await owner.client.rpc('similar_records', { kind: 'tasks', reported: {} }),
      ).toMatchObject({
        status: 400,
      })
    })
  })
})
