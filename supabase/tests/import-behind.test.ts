import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { fieldCalls, gold, options, silver } from './own-field-calls.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let owner: Account
  let imports: ReturnType<typeof importCalls>
  beforeEach(async () => {
    owner = await database().signUp()
    imports = importCalls(owner)
  })

  const entry = (value: string, label = '') => ({ label, value })
  const place = { street: '1 Main St', postal_code: '', city: '', region: '', country: '' }
  const engine = {
    name: 'Engine',
    company: 'Acme',
    contact_first_name: 'Ada',
    contact_email: 'ada@example.com',
    person: {
      emails: [entry('ada@example.com'), entry('ada@home.example', 'home')],
      phone_number: '+44 20 7946 0000',
      phones: [entry('+44 20 7946 0000', 'work'), entry('+44 7700 900000', 'mobile')],
      addresses: [{ label: '', ...place }],
      role_title: 'Countess',
      birthday: '1815-12-10',
      tags: ['Hot'],
      note_parts: ['Marketing status: Subscribed'],
    },
    organisation: {
      location: 'London',
      website: 'https://acme.example',
      phones: [entry('+44 20 1')],
      tags: ['Machines'],
      kept_notes: ['Annual revenue: 5000000'],
    },
  }

  const contacts = () =>
    ok(
      owner.client
        .from('contacts')
        .select(
          'first_name, email, emails, phone_number, phones, addresses, role_title, birthday, tags, notes, company:companies(name)',
        )
        .order('email'),
    )
  const companies = () =>
    ok(
      owner.client
        .from('companies')
        .select('name, location, website, phones, tags, notes(body)')
        .order('name'),
    )

  test('a contact and a company that a row of deals makes have all that it says of them', async () => {
    const loom = {
      ...engine,
      name: 'Loom',
      // Rows about the same two add to them, and replace nothing.
      person: {
        phones: [entry('+44 30 1')],
        role_title: 'Other',
        note_parts: ['Owner: Sam'],
        lines: { role_title: 'Job Title: Other' },
      },
      organisation: {
        industry: 'Toys',
        location: 'Leeds',
        website: 'https://ACME.example',
        kept_notes: ['Size: 40'],
        lines: {
          industry: 'Industry: Toys',
          location: 'City: Leeds',
          website: 'Site: ACME.example',
        },
      },
    }
    const { summary, batch } = await imports.whole('deals', rowsOf(engine, loom))
    expect(summary).toMatchObject({ added: 2, updated: 0, contacts: 1, companies: 1 })
    expect(await contacts()).toEqual([
      {
        first_name: 'Ada',
        email: 'ada@example.com',
        emails: engine.person.emails,
        phone_number: '+44 20 7946 0000',
        phones: [...engine.person.phones, entry('+44 30 1')],
        addresses: engine.person.addresses.map((address) => expect.objectContaining(address)),
        role_title: 'Countess',
        birthday: '1815-12-10',
        tags: ['Hot'],
        notes: 'Marketing status: Subscribed\nOwner: Sam\nJob Title: Other',
        company: { name: 'Acme' },
      },
    ])
    expect(await companies()).toEqual([
      {
        name: 'Acme',
        location: 'London',
        website: 'https://acme.example',
        phones: [entry('+44 20 1')],
        tags: ['Machines'],
        notes: [{ body: 'Annual revenue: 5000000\nSize: 40\nCity: Leeds' }],
      },
    ])
    const again = await imports.staged('deals', rowsOf(engine, loom))
    expect(await imports.check(again)).toEqual({ new: 0, known: 0, twin: 2, error: 0 })
    await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect([await contacts(), await companies()]).toEqual([[], []])
    expect(await ok(owner.client.from('notes').select('id'))).toEqual([])
  })

  test('fields of contacts and companies come with the rows that fill them, and go with them', async () => {
    const made = (record: string, name: string, kind = 'text') => ({
      ...{ id: randomUUID(), record, name, kind, options: [] },
    })
    const [score, size, unused] = [
      made('contacts', 'Score', 'number'),
      made('companies', 'Size'),
      made('companies', 'Unused'),
    ]
    const rows = rowsOf({
      ...engine,
      person: { custom: { [score.id]: 7 } },
      organisation: { custom: { [size.id]: '40' } },
    })
    const { batch } = await imports.whole('deals', rows, 'skip', [score, size, unused])
    const fields = () =>
      ok(owner.client.from('fields').select('record, name').order('record', { ascending: false }))
    expect(await fields()).toEqual([
      { record: 'contacts', name: 'Score' },
      { record: 'companies', name: 'Size' },
    ])
    expect(await ok(owner.client.from('contacts').select('custom'))).toEqual([
      { custom: { [score.id]: 7 } },
    ])
    expect(await ok(owner.client.from('companies').select('custom'))).toEqual([
      { custom: { [size.id]: '40' } },
    ])
    await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(await fields()).toEqual([])
  })

  test('of own fields only what is empty is filled, choices are added to, and the first row counts', async () => {
    const own = fieldCalls(owner)
    const [score, seen] = [await own.field('text'), await own.field('text', { name: 'Seen' })]
    const metals = await own.field('several choices', { name: 'Metals', options })
    await add(owner, 'contacts', {
      email: 'ada@example.com',
      custom: { [score]: 'By hand', [metals]: [gold] },
    })
    const { person: _, organisation: __, ...alone } = engine
    const row = (name: string, custom: Record<string, unknown>) => ({
      ...{ ...alone, name },
      person: {
        custom,
        nickname: name,
        lines: {
          nickname: `Called: ${name}`,
          [`custom.${score}`]: 'Score: File',
          [`custom.${seen}`]: `Seen: ${custom[seen]}`,
        },
      },
    })
    const rows = rowsOf(
      row('Engine', { [score]: 'File', [seen]: 'One' }),
      row('Loom', { [seen]: 'Two', [metals]: [silver] }),
    )
    const id = await imports.staged('deals', rows)
    await imports.check(id)
    expect(await imports.page(id, ['new'])).toMatchObject([
      {
        behind: [
          {
            side: 'person',
            changes: {
              custom: [
                { [score]: 'By hand', [metals]: [gold] },
                { [score]: 'By hand', [metals]: [gold], [seen]: 'One' },
              ],
              notes: [null, 'Score: File'],
            },
          },
        ],
      },
      { behind: [{ side: 'person', changes: { notes: [null, 'Seen: Two\nCalled: Loom'] } }] },
    ])
    await imports.commit(id)
    expect(await ok(owner.client.from('contacts').select('custom, notes'))).toEqual([
      {
        custom: { [score]: 'By hand', [seen]: 'One', [metals]: [gold, silver] },
        notes: 'Score: File\nSeen: Two\nCalled: Loom',
      },
    ])
    // What is there under this name is refused before anything is written, and so is one too many of these records.
    const again = { id: randomUUID(), record: 'contacts', name: 'seen', kind: 'text', options: [] }
    const problem = async (fields: object[]) => {
      const staged = await imports.staged('deals', rowsOf(alone), fields as never)
      const { error } = await owner.client.rpc('check_import', { id: staged })
      return error?.message
    }
    expect(await problem([again])).toMatch(/already a field “Seen”/i)
    // Fields of others may have the same name.
    expect(await problem([{ ...again, record: 'companies' }])).toBeUndefined()
    const many = Array.from({ length: 98 }, (_, index) => ({
      ...{ ...again, id: randomUUID(), name: `Field number ${index}` },
    }))
    expect(await problem(many)).toMatch(/you have 3, and this file brings 98/)
    expect(await problem(many.map((field) => ({ ...field, record: 'deals' })))).toBeUndefined()
  })

  test('a contact that is made whole is not changed right after', async () => {
    const { batch } = await imports.whole('deals', rowsOf(engine))
    const verbs = await database().query(
      `select distinct verb from public.changes where batch = ? and user_id = ?`,
      batch ?? '',
      owner.id,
    )
    expect(verbs).toEqual([{ verb: 'insert' }])
  })

  test('of those that are there only what is empty is filled; the dry run tells it, and undo takes it back', async () => {
    await add(owner, 'companies', { name: 'Acme', location: 'Leeds' })
    await add(owner, 'contacts', {
      first_name: 'Augusta',
      email: 'ada@example.com',
      role_title: 'Programmer',
      notes: 'By hand',
      phone_number: '+44 7700 900000',
    })
    const before = [await contacts(), await companies()]
    const id = await imports.staged('deals', rowsOf(engine))
    expect(await imports.check(id)).toMatchObject({ new: 1 })
    const [row] = await imports.page(id, ['new'])
    expect(row).toMatchObject({
      behind: expect.arrayContaining([
        {
          side: 'person',
          id: expect.any(String),
          changes: {
            emails: [[entry('ada@example.com')], engine.person.emails],
            phones: [
              [entry('+44 7700 900000')],
              [entry('+44 7700 900000'), entry('+44 20 7946 0000', 'work')],
            ],
            addresses: [[], [expect.objectContaining(place)]],
            birthday: [null, '1815-12-10'],
            tags: [[], ['Hot']],
            notes: ['By hand', 'By hand\nMarketing status: Subscribed'],
          },
        },
        {
          side: 'organisation',
          id: expect.any(String),
          changes: {
            website: [null, 'https://acme.example'],
            phones: [[], [entry('+44 20 1')]],
            tags: [[], ['Machines']],
            kept_notes: [null, 'Annual revenue: 5000000'],
          },
        },
      ]),
    })
    const { summary, batch } = await imports.commit(id)
    expect(summary).toMatchObject({ added: 1, contacts: 0, companies: 0 })
    expect(await contacts()).toMatchObject([
      {
        first_name: 'Augusta',
        role_title: 'Programmer',
        birthday: '1815-12-10',
        phone_number: '+44 7700 900000',
        phones: [entry('+44 7700 900000'), entry('+44 20 7946 0000', 'work')],
        notes: 'By hand\nMarketing status: Subscribed',
      },
    ])
    expect(await companies()).toMatchObject([
      {
        location: 'Leeds',
        website: 'https://acme.example',
        notes: [{ body: 'Annual revenue: 5000000' }],
      },
    ])
    await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
    expect([await contacts(), await companies()]).toEqual(before)
  })

  test('the dry run says of a later row what the import does with it: of a record that an earlier row makes, too', async () => {
    const row = (name: string, role_title: string, more: object = {}) => ({
      ...{ name, company: 'Acme', contact_first_name: 'Ada', contact_email: 'ADA@example.com' },
      person: { role_title, lines: { role_title: `Title: ${role_title}` }, ...more },
      organisation: { location: name, lines: { location: `City: ${name}` } },
    })
    await imports.whole('deals', rowsOf({ name: 'Mill', company: 'Zeta' }))
    const ofZeta = (name: string, location: string) => ({
      ...{ name, company: 'Zeta' },
      organisation: { location, lines: { location: `City: ${location}` } },
    })
    const spelledOtherwise = {
      ...{ company: 'ÁCME', contact_first_name: 'Augusta', contact_email: 'ada@EXAMPLE.com' },
    }
    const rows = rowsOf(
      ofZeta('Mill', 'Bath'),
      row('Engine', 'Countess'),
      row('Loom', 'countess', { nickname: 'Lady' }),
      { ...row('Press', 'Queen', { note_parts: ['Owner: Sam'] }), ...spelledOtherwise },
      ofZeta('Mule', 'Bonn'),
    )
    const id = await imports.staged('deals', rows)
    expect(await imports.check(id)).toMatchObject({ new: 4, known: 1 })
    const told = async (duplicates: string, found = ['new'], after = 0) =>
      (await imports.page(id, found, after, duplicates)).map(({ behind = [] }) =>
        Object.fromEntries(behind.map(({ side, changes }) => [side, changes])),
      )
    // The first row makes both, which its own words say.
    const made = [
      {},
      {
        person: { nickname: [null, 'Lady'] },
        organisation: { kept_notes: [null, 'City: Loom'] },
      },
      {
        person: { notes: [null, 'Owner: Sam\nTitle: Queen'] },
        organisation: { kept_notes: [null, 'City: Press'] },
      },
    ]
    // A deal that is skipped tells its company nothing.
    const skipped = [...made, { organisation: { location: [null, 'Bonn'] } }]
    expect(await told('skip')).toEqual(skipped)
    // Of a page that does not hold the first row, too.
    const third = rows[2]?.place
    expect(await told('skip', ['new'], third)).toEqual(skipped.slice(2))
    expect(await told('update', ['new', 'known'])).toEqual([
      { organisation: { location: [null, 'Bath'] } },
      ...made,
      { organisation: { kept_notes: [null, 'City: Bonn'] } },
    ])
    await imports.commit(id, 'update')
    expect(await contacts()).toMatchObject([
      { role_title: 'Countess', notes: 'Owner: Sam\nTitle: Queen' },
    ])
    expect(await companies()).toMatchObject([
      { location: 'Engine', notes: [{ body: 'City: Loom\nCity: Press' }] },
      { location: 'Bath', notes: [{ body: 'City: Bonn' }] },
    ])
  })

  test('when a contact or a company was created is said by the record that a row makes, and else by a note', async () => {
    const [early, late] = ['2024-05-06T07:08:00.000Z', '2025-01-02T03:04:00.000Z']
    const row = (name: string, created_at: string) => ({
      ...{ name, company: 'Acme', contact_email: 'ada@example.com' },
      person: { created_at, lines: { created_at: `Person created: ${created_at}` } },
      organisation: { created_at, lines: { created_at: `Added: ${created_at}` } },
    })
    const rows = rowsOf(row('Engine', early), row('Loom', early), row('Press', late))
    const id = await imports.staged('deals', rows)
    await imports.check(id)
    const told = async (import_id: string) =>
      (await imports.page(import_id, ['new'])).map(({ behind }) =>
        behind?.map(({ changes }) => changes),
      )
    const noted = [
      { notes: [null, `Person created: ${late}`] },
      { kept_notes: [null, `Added: ${late}`] },
    ]
    expect(await told(id)).toEqual([[], [{}, {}], noted])
    await imports.commit(id)
    const stored = async () => [
      await ok(owner.client.from('contacts').select('created_at, notes')),
      await ok(owner.client.from('companies').select('created_at, notes(body)')),
    ]
    const once = [
      [{ created_at: '2024-05-06T07:08:00+00:00', notes: `Person created: ${late}` }],
      [{ created_at: '2024-05-06T07:08:00+00:00', notes: [{ body: `Added: ${late}` }] }],
    ]
    expect(await stored()).toEqual(once)
    const again = await imports.staged('deals', rows)
    expect(await imports.check(again)).toEqual({ new: 0, known: 0, twin: 3, error: 0 })
    // Beside the record that is there, the other moment is a note, once.
    const other = await imports.staged('deals', rowsOf(row('Mill', late), row('Mule', late)))
    await imports.check(other)
    expect(await told(other)).toEqual([
      [{}, {}],
      [{}, {}],
    ])
    await imports.commit(other)
    expect(await stored()).toEqual(once)
  })

  test('a deal that is there is updated when only its contact or company learns something, and then says the same', async () => {
    const { person: _, organisation: __, ...alone } = engine
    await imports.whole('deals', rowsOf(alone, { ...alone, name: 'Loom' }))
    const rows = rowsOf(
      { ...alone, person: engine.person },
      { ...alone, name: 'Loom', organisation: engine.organisation },
    )
    const id = await imports.staged('deals', rows)
    expect(await imports.check(id)).toEqual({ new: 0, known: 2, twin: 0, error: 0 })
    expect(await imports.commit(id, 'update')).toMatchObject({
      summary: { added: 0, updated: 2, skipped: 0 },
    })
    expect(await contacts()).toMatchObject([{ role_title: 'Countess' }])
    const again = await imports.staged('deals', rows)
    expect(await imports.check(again)).toEqual({ new: 0, known: 0, twin: 2, error: 0 })
    expect(await imports.commit(again, 'update')).toMatchObject({ batch: null })
    // Deals that are skipped tell nobody anything.
    const other = rowsOf({ ...alone, person: { nickname: 'Lady' } })
    expect(await imports.whole('deals', other, 'skip')).toMatchObject({ batch: null })
  })

  test('what is no object says nothing, and nobody fills another’s contact', async () => {
    const other = await database().signUp()
    await add(other, 'contacts', { email: 'ada@example.com' })
    const rows = rowsOf(
      { ...engine, person: 'Ada', organisation: ['Acme'] },
      { name: 'Mill', company: 'Zeta', organisation: { custom: [1], kept_notes: 'x' } },
    )
    expect(await imports.whole('deals', rows)).toMatchObject({ summary: { added: 2, contacts: 1 } })
    expect(await companies()).toMatchObject([{ notes: [] }, { notes: [] }])
    await imports.whole('deals', rowsOf({ ...engine, name: 'Press' }))
    expect(await ok(other.client.from('contacts').select('role_title'))).toEqual([
      { role_title: null },
    ])
  })
})
