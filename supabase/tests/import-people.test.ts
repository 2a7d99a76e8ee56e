import { beforeEach, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let owner: Account
  let imports: ReturnType<typeof importCalls>
  beforeEach(async () => {
    owner = await database().signUp()
    imports = importCalls(owner)
  })

  const bob = { first_name: 'Bob', last_name: 'Byron', email: 'bob@example.com' }
  const cleo = { first_name: 'Cleo', last_name: '', email: '' }
  const deal = {
    name: 'Engine',
    company: 'Acme',
    contact_first_name: 'Ada',
    contact_email: 'ada@example.com',
    value: 100,
    further_contacts: [bob, cleo],
  }

  /** Each deal with its main contact, its further ones in their order, and its notes. */
  const deals = () =>
    database().query<{ name: string; main: string; further: string[]; notes: string[] }>(
      `select d.name, m.first_name as main,
         array(
           select c.first_name from public.deal_contacts k join public.contacts c on c.id = k.contact_id
           where k.deal_id = d.id order by k.position
         ) as further,
         array(select n.body from public.notes n where n.deal_id = d.id order by n.created_at, n.body) as notes
       from public.deals d left join public.contacts m on m.id = d.contact_id
       where d.user_id = ? order by d.name`,
      owner.id,
    )
  const contacts = async () =>
    (await ok(owner.client.from('contacts').select('first_name').order('first_name'))).map(
      ({ first_name }) => first_name,
    )

  test('everybody whom a row of deals names is on the deal, each contact once', async () => {
    await add(owner, 'contacts', { first_name: 'Robert', email: 'work@example.com' }).then(() =>
      database().query(
        `update public.contacts set emails = emails || '[{"label": "", "value": "bob@example.com"}]' where user_id = ? returning id`,
        owner.id,
      ),
    )
    const { summary, batch } = await imports.whole(
      'deals',
      rowsOf(
        deal,
        // Who was named after another may be the main one elsewhere, and the other way round.
        { name: 'Loom', company: 'Acme', contact_first_name: 'Cleo', further_contacts: [bob] },
        {
          name: 'Mill',
          company: 'Acme',
          further_contacts: [{ first_name: 'Dora', last_name: '', email: '' }],
        },
        {
          name: 'Press',
          contact_email: 'work@example.com',
          // The main contact under another of its addresses.
          further_contacts: [bob, { first_name: '', last_name: '', email: 'ADA@example.com' }],
        },
      ),
    )
    expect(summary).toMatchObject({ added: 4, contacts: 3, companies: 1 })
    expect(await deals()).toEqual([
      { name: 'Engine', main: 'Ada', further: ['Robert', 'Cleo'], notes: [] },
      { name: 'Loom', main: 'Cleo', further: ['Robert'], notes: [] },
      { name: 'Mill', main: null, further: ['Dora'], notes: [] },
      { name: 'Press', main: 'Robert', further: ['Ada'], notes: [] },
    ])
    expect(await contacts()).toEqual(['Ada', 'Cleo', 'Dora', 'Robert'])

    await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(await deals()).toEqual([])
    expect(await contacts()).toEqual(['Robert'])
    expect(
      await ok(owner.client.from('deal_contacts').select('id')),
      'nobody is left on a deal that is gone',
    ).toEqual([])
  })

  test('an update adds to a deal whoever is not on it, and the same file again changes nothing', async () => {
    const { further_contacts: _, ...alone } = deal
    await imports.whole('deals', rowsOf(alone))
    const id = await imports.staged('deals', rowsOf(deal))
    expect(await imports.check(id)).toEqual({ new: 0, known: 1, twin: 0, error: 0 })
    const { summary, batch } = await imports.commit(id, 'update')
    expect(summary).toMatchObject({ added: 0, updated: 1, skipped: 0, contacts: 2 })
    expect(await deals()).toMatchObject([{ main: 'Ada', further: ['Bob', 'Cleo'] }])

    const again = await imports.staged('deals', rowsOf(deal))
    expect(await imports.check(again)).toEqual({ new: 0, known: 0, twin: 1, error: 0 })
    expect(await imports.commit(again, 'update')).toMatchObject({ batch: null })

    await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(await deals()).toMatchObject([{ main: 'Ada', further: [] }])
    expect(await contacts()).toEqual(['Ada'])
  })

  test('a row gives roles to the contacts of its deal, and changes none that was given by hand', async () => {
    const roles = () =>
      database().query<{ name: string; role: string | null }>(
        `select c.first_name as name, k.role from public.deal_contacts k join public.contacts c on c.id = k.contact_id
         where k.user_id = ? order by k.position`,
        owner.id,
      )
    const ada = { first_name: 'Ada', last_name: '', email: 'ada@example.com', role: 'decides' }
    const roled = { ...deal, further_contacts: [ada, { ...bob, role: 'pays' }, cleo] }
    await imports.whole('deals', rowsOf(roled))
    const given = [
      { name: 'Ada', role: 'decides' },
      { name: 'Bob', role: 'pays' },
      { name: 'Cleo', role: null },
    ]
    expect(await roles()).toEqual(given)
    expect(await contacts()).toEqual(['Ada', 'Bob', 'Cleo'])
    expect(await imports.whole('deals', rowsOf(roled), 'update')).toMatchObject({ batch: null })

    const other = [
      { ...bob, role: 'uses' },
      { ...cleo, role: 'uses' },
    ]
    const { summary, batch } = await imports.whole(
      'deals',
      rowsOf({ ...deal, further_contacts: other }),
      'update',
    )
    expect(summary).toMatchObject({ updated: 1, contacts: 0 })
    expect(await roles()).toEqual([...given.slice(0, 2), { name: 'Cleo', role: 'uses' }])
    expect(await deals(), 'the other role is not lost').toMatchObject([
      { notes: ['Contacts and Roles: Bob Byron (uses)'] },
    ])
    expect(
      await imports.whole('deals', rowsOf({ ...deal, further_contacts: other }), 'update'),
    ).toMatchObject({ batch: null })
    await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(await roles()).toEqual(given)
    expect(await deals()).toMatchObject([{ notes: [] }])
  })

  test('of two roles of one contact, named by its name and by an address, the second becomes a note', async () => {
    await add(owner, 'contacts', { first_name: 'Bob', last_name: 'Byron', email: bob.email })
    const further_contacts = [
      { ...bob, first_name: '', last_name: '', role: 'pays' },
      { ...bob, email: '', role: 'uses' },
    ]
    const rows = rowsOf({ ...deal, further_contacts })
    await imports.whole('deals', rows)
    const once = [{ further: ['Bob'], notes: ['Contacts and Roles: Bob Byron (uses)'] }]
    expect(await deals()).toMatchObject(once)
    const again = await imports.staged('deals', rows)
    expect(await imports.check(again)).toEqual({ new: 0, known: 0, twin: 1, error: 0 })
    const signs = await imports.staged(
      'deals',
      rowsOf({ ...deal, further_contacts: [{ ...bob, role: 'signs' }] }),
    )
    expect(await imports.check(signs), 'another role is news').toMatchObject({ known: 1 })
    // A role that is said already is none that is lost, and the dry run is told who has which.
    const said = { ...bob, role: 'Pays' }
    const other = rowsOf({ ...deal, value: 5, further_contacts: [said] })
    const id = await imports.staged('deals', other)
    expect(await imports.check(id)).toMatchObject({ known: 1 })
    expect(await imports.page(id, ['known'])).toMatchObject([
      { stored: { people: [{ first_name: 'Bob', last_name: 'Byron', role: 'pays' }] } },
    ])
    await imports.commit(id, 'update')
    expect(await deals()).toMatchObject(once)
  })

  test('a reason of a deal that is not lost becomes a note on it, and of one that is lost its reason', async () => {
    const closed_at = '2026-01-02T12:00:00Z'
    await imports.whole('deals', rowsOf({ name: 'Loom', stage: 'Closed Lost', closed_at }))
    const reported = { lost_reason: 'Price', lost_note: 'Why lost: Price' }
    const rows = rowsOf({ name: 'Engine', ...reported }, { name: 'Loom', ...reported })
    const { summary } = await imports.whole('deals', rows, 'update')
    expect(summary).toMatchObject({ added: 1, updated: 1 })
    expect(await deals()).toMatchObject([{ notes: ['Why lost: Price'] }, { notes: [] }])
    const stored = await ok(owner.client.from('deals').select('lost_reason').order('name'))
    expect(stored.map(({ lost_reason }) => lost_reason)).toEqual([null, 'Price'])
    expect(await imports.whole('deals', rows, 'update')).toMatchObject({ batch: null })
    // One that is made beside the lost one is not lost.
    const another = rowsOf({ name: 'Loom', lost_reason: 'Time', lost_note: 'Why lost: Time' })
    await imports.whole('deals', another, 'create')
    expect((await deals()).map(({ notes }) => notes)).toContainEqual(['Why lost: Time'])
  })

  test('a stage that the status overrules becomes a note on the deal, once', async () => {
    const closes_at = '2026-01-02T12:00:00Z'
    const kept_notes = ['Stage: Demo', 'Status: Paid']
    const won = { name: 'Engine', stage: 'Closed Won', closes_at, kept_notes }
    const { batch } = await imports.whole('deals', rowsOf(won, { name: 'Loom' }))
    const notes = ['Stage: Demo\nStatus: Paid']
    expect(await deals()).toMatchObject([{ notes }, { notes: [] }])
    expect(await imports.whole('deals', rowsOf(won), 'update')).toMatchObject({ batch: null })
    const other = { ...won, kept_notes: ['Stage: Offer'] }
    const { summary, batch: again } = await imports.whole('deals', rowsOf(other), 'update')
    expect(summary).toMatchObject({ updated: 1 })
    expect(await deals()).toMatchObject([{ notes: [...notes, 'Stage: Offer'] }, {}])
    await ok(owner.client.rpc('undo_batch', { batch: again ?? '' }))
    expect(await deals()).toMatchObject([{ notes }, {}])
    await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(await deals()).toEqual([])
  })

  test('what no field of a company holds becomes a note on it, new or not, once', async () => {
    await add(owner, 'companies', { name: 'Acme' })
    const notes = async () => {
      const all = await ok(owner.client.from('companies').select('name, notes(body)').order('name'))
      return all.map((company) => [company.name, ...company.notes.map(({ body }) => body)])
    }
    const rows = [
      { name: 'Acme', kept_notes: ['Story: Old', 'Rating: A'] },
      { name: 'Zeta', industry: 'Toys', kept_notes: ['Story: New'] },
      { name: 'Zoo' },
    ]
    const { summary, batch } = await imports.whole('companies', rowsOf(...rows), 'update')
    expect(summary).toMatchObject({ added: 2, updated: 1 })
    expect(await notes()).toEqual([
      ['Acme', 'Story: Old\nRating: A'],
      ['Zeta', 'Story: New'],
      ['Zoo'],
    ])
    expect(await imports.whole('companies', rowsOf(...rows), 'update')).toMatchObject({
      batch: null,
    })
    await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(await notes()).toEqual([['Acme']])
  })

  test('what is no list of people or notes is nobody', async () => {
    const { summary } = await imports.whole(
      'deals',
      rowsOf(
        { name: 'Engine', further_contacts: { a: 1 }, kept_notes: 'x' },
        { name: 'Loom', further_contacts: [7, null] },
      ),
    )
    expect(summary).toMatchObject({ added: 2, contacts: 0 })
  })
})
