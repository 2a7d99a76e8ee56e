import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add } from './samples.ts'

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }

onOneDatabase((database, isSmoke) => {
  let owner: Account
  let imports: ReturnType<typeof importCalls>
  beforeEach(async () => {
    owner = await database().signUp()
    imports = importCalls(owner)
  })

  const contacts = () =>
    ok(
      owner.client
        .from('contacts')
        .select(
          'first_name, last_name, email, phone_number, notes, lead_status, companies!contacts_company_id_fkey(name)',
        )
        .order('created_at', { ascending: false }),
    )
  const names = async (table: 'companies' | 'pipelines' | 'deals') =>
    (await ok(owner.client.from(table).select('name').order('created_at'))).map(({ name }) => name)

  describe('the rows arrive', () => {
    test('in parts; what was sent before changes nothing, and the state tells how many there are', async () => {
      const id = randomUUID()
      const rows = rowsOf(ada, { first_name: 'Bob' }, { first_name: 'Cy' })
      expect(await imports.start(id, 'contacts', 3)).toMatchObject({ received: 0, summary: null })
      expect(await imports.send(id, rows.slice(0, 2))).toBe(2)
      expect(await imports.start(id, 'contacts', 3)).toMatchObject({ received: 2 })
      expect(await imports.send(id, [{ place: 2, reported: { first_name: 'Other' } }])).toBe(2)
      expect(await imports.state(id)).toEqual({ total: 3, received: 2, summary: null, batch: null })
      await imports.send(id, rows)
      await imports.commit(id)
      expect((await contacts()).map(({ first_name }) => first_name)).toEqual(['Ada', 'Bob', 'Cy'])
    })

    test('an import that has not arrived whole is neither checked nor written', async () => {
      const id = randomUUID()
      await imports.start(id, 'contacts', 2)
      await imports.send(id, rowsOf(ada))
      for (const call of ['check_import', 'commit_import'] as const) {
        expect(await owner.client.rpc(call, { id })).toMatchObject({
          status: 409,
          error: { message: 'The file has not arrived whole. Please send it again.' },
        })
      }
      expect(await contacts()).toEqual([])
    })

    if (isSmoke) return

    test('more rows than the file has, too many at once and too many in all are refused', async () => {
      const id = randomUUID()
      const start = (total: number) =>
        owner.client.rpc('start_import', { id, kind: 'contacts', file_name: 'x', total })
      expect(await start(200_001)).toMatchObject({
        error: { message: 'An import can have at most 200,000 rows.' },
      })
      expect(await start(0)).toMatchObject({ status: 400 })
      await imports.start(id, 'contacts', 1)
      const many = Array.from({ length: 5001 }, (_, place) => ({ place, reported: {} }))
      expect(await owner.client.rpc('add_import_rows', { id, rows: many })).toMatchObject({
        error: { message: 'Rows are sent as lists of at most 5,000.' },
      })
      const two = many.slice(0, 2)
      expect(await owner.client.rpc('add_import_rows', { id, rows: two })).toMatchObject({
        error: { message: 'More rows were sent than the file has.' },
      })
      expect(await imports.state(id)).toMatchObject({ received: 0 })
    })

    test('what does not pass the rules of a table is refused whole', async () => {
      const long = { first_name: 'x'.repeat(201) }
      const id = await imports.staged('contacts', rowsOf(ada, long))
      expect(await owner.client.rpc('commit_import', { id })).toMatchObject({ status: 400 })
      expect(await contacts()).toEqual([])
      expect(await imports.state(id)).toMatchObject({ received: 2, summary: null })
    })

    test('cancelled it is gone; abandoned it goes when the next begins a day later', async () => {
      const cancelled = await imports.staged('contacts', rowsOf(ada))
      await owner.client.rpc('cancel_import', { id: cancelled })
      expect(await owner.client.rpc('import_state', { id: cancelled })).toMatchObject({
        status: 404,
        error: { message: 'This import no longer exists.' },
      })
      const left = await imports.staged('contacts', rowsOf(ada))
      await imports.staged('contacts', rowsOf(ada))
      expect(await imports.state(left)).toMatchObject({ received: 1 })
      await database().query(
        "update private.imports set created_at = now() - interval '25 hours' where id = ?",
        left,
      )
      await imports.staged('contacts', rowsOf(ada))
      expect(await owner.client.rpc('import_state', { id: left })).toMatchObject({ status: 404 })
      const kept = await database().query(
        'select from private.import_rows where import_id = any (?)',
        [cancelled, left],
      )
      expect(kept).toEqual([])
    })
  })

  if (isSmoke) return

  test('nobody sees, sends to, checks, commits or cancels the import of another', async () => {
    const id = await imports.staged('contacts', rowsOf(ada))
    const other = await database().signUp()
    const calls = [
      ['import_state', { id }],
      ['start_import', { id, kind: 'contacts', file_name: 'x', total: 1 }],
      ['add_import_rows', { id, rows: [] }],
      ['check_import', { id }],
      ['import_page', { id, found: ['new'] }],
      ['commit_import', { id }],
    ] as const
    for (const [name, args] of calls) {
      expect(await other.client.rpc(name, args as never), name).toMatchObject({ status: 404 })
      expect(await database().anonymous.rpc(name, args as never), name).toMatchObject({
        status: 401,
      })
    }
    await other.client.rpc('cancel_import', { id })
    expect(await importCalls(other).list()).toEqual([])
    expect(await imports.state(id)).toMatchObject({ received: 1, summary: null })
    await imports.commit(id)
    expect(await importCalls(other).list()).toEqual([])
    expect(await imports.list()).toMatchObject([{ id, file_name: 'people.csv', is_undone: false }])
  })

  describe('the dry run', () => {
    test('finds duplicates by e-mail, or by name and company, there and in the file, with reasons', async () => {
      const acme = await add(owner, 'companies', { name: 'Acmé' })
      await add(owner, 'contacts', ada)
      await add(owner, 'contacts', { first_name: 'Bob', email: null, company_id: acme.id })
      await add(owner, 'contacts', { first_name: 'Cy', email: 'cy@example.com' })
      await add(owner, 'contacts', { first_name: null, email: null, phone_number: '+1 555-0100' })
      const id = await imports.staged('contacts', [
        ...rowsOf(
          { first_name: 'A.', email: 'ADA@example.com' }, // 2: known by e-mail
          { first_name: 'bób', company: 'ACME' }, // 3: known by name and company
          { first_name: 'Bob' }, // 4: no company: another
          { first_name: 'Cy', email: 'other@example.com' }, // 5: another address: another
          { first_name: 'Cy' }, // 6: no address: known
          { phone_number: '1 (555) 0100' }, // 7: a number without a name: known
          { first_name: 'New', email: 'n@example.com' }, // 8: new
          { first_name: 'Newer', email: 'N@example.com' }, // 9: twin by e-mail
          { first_name: 'BOB' }, // 10: twin of 4
          { email: 'ada@example.com' }, // 11: twin of 2
        ),
        { place: 12, reported: { text: 'Dee · nobody' }, problem: 'Enter a valid email address.' },
      ])
      expect(await imports.check(id)).toEqual({ new: 3, known: 4, twin: 3, error: 1 })
      expect(await imports.page(id, ['known'])).toMatchObject([
        { place: 2, reason: 'Ada Lovelace already has this email.' },
        { place: 3, reason: 'Bob already exists.' },
        { place: 6, reason: 'Cy already exists.' },
        { place: 7, reason: '+1 555-0100 already exists.' },
      ])
      expect(await imports.page(id, ['twin'], 9)).toMatchObject([
        { place: 10, reason: 'The same record stands in row 4.' },
        { place: 11, reason: 'The same email is in row 2.' },
      ])
      expect(await imports.page(id, ['new', 'error'])).toMatchObject([
        { place: 4, reason: null },
        { place: 5, reason: null },
        { place: 8, reason: null },
        { place: 12, reason: 'Enter a valid email address.' },
      ])
    })

    test('contacts are the same by their profile, whatever company they went to', async () => {
      const links = (value: string) => [{ label: 'LinkedIn', value }]
      await add(owner, 'contacts', {
        first_name: 'Ada',
        last_name: 'Lovelace',
        links: links('https://www.linkedin.com/in/ada-l'),
      })
      const reported = (value: string, values: object) => ({ ...values, links: links(value) })
      const id = await imports.staged(
        'contacts',
        rowsOf(
          reported('http://de.linkedin.com/in/Ada-L/?x=1', {
            first_name: 'Ada',
            last_name: 'King',
            company: 'New Ltd',
          }),
          reported('https://linkedin.com/company/acme', { first_name: 'Bob' }),
          reported('https://linkedin.com/in/cleo', { first_name: 'Cleo' }),
          reported('https://linkedin.com/in/cleo/', { first_name: 'Cleopatra' }),
        ),
      )
      expect(await imports.check(id)).toEqual({ new: 2, known: 1, twin: 1, error: 0 })
    })

    test('companies are the same by site, address or number where only one has it, and keep the other name', async () => {
      const entry = (value: string) => [{ label: '', value }]
      for (const company of [
        { name: 'Acme', website: 'https://www.acme.example/' },
        { name: 'Babbage', emails: entry('office@babbage.example') },
        { name: 'Calc', phones: entry('+44 20 1234567') },
        { name: 'Group', website: 'https://group.example' },
      ]) {
        await add(owner, 'companies', company)
      }
      const rows = rowsOf(
        { name: 'Acme GmbH', website: 'http://acme.example' },
        { name: 'Babbage & Co', emails: entry('OFFICE@babbage.example') },
        { name: 'Calc Ltd', phones: entry('+44 (20) 123-4567') },
        { name: 'Group North', website: 'https://group.example' },
        { name: 'Group South', website: 'https://group.example' },
      )
      const id = await imports.staged('companies', rows)
      expect(await imports.check(id)).toEqual({ new: 2, known: 3, twin: 0, error: 0 })
      const [first] = await imports.page(id, ['known'])
      expect(first?.reason).toBe(
        'Acme has the same website, email or phone number. The other name is kept in a note.',
      )
      await imports.commit(id, 'update')
      const all = await ok(owner.client.from('companies').select('name, notes(body)').order('name'))
      expect(all.map(({ name, notes }) => [name, ...notes.map(({ body }) => body)])).toEqual([
        ['Acme', 'Company Name: Acme GmbH'],
        ['Babbage', 'Company Name: Babbage & Co'],
        ['Calc', 'Company Name: Calc Ltd'],
        ['Group'],
        ['Group North'],
        ['Group South'],
      ])
    })

    test('companies are the same by name, deals by name and company', async () => {
      const acme = await add(owner, 'companies', { name: 'Acme' })
      await add(owner, 'deals', { name: 'Renewal', company_id: acme.id })
      const companies = await imports.staged('companies', rowsOf({ name: 'ACME' }, { name: 'B' }))
      expect(await imports.check(companies)).toMatchObject({ new: 1, known: 1 })
      const deals = await imports.staged(
        'deals',
        rowsOf({ name: 'renewal', company: 'acme', value: 5 }, { name: 'Renewal' }),
      )
      expect(await imports.check(deals)).toMatchObject({ new: 1, known: 1 })
    })

    test('a column of something else, taken for stages, is refused', async () => {
      const rows = Array.from({ length: 101 }, (_, n) => ({ name: `D${n}`, stage: `S${n}` }))
      const id = await imports.staged('deals', rowsOf(...rows))
      const reported = 'The file names 101 different stages. Is the right column chosen?'
      for (const call of ['check_import', 'commit_import'] as const) {
        expect(await owner.client.rpc(call, { id })).toMatchObject({
          status: 400,
          error: { message: reported },
        })
      }
    })
  })

  describe('the commit', () => {
    const twice = [
      { ...ada, phone_number: '2', notes: 'From the file', company: 'Acme' },
      { first_name: 'Ada', email: 'ADA@example.com', phone_number: '3' },
      { first_name: 'Bob', company: 'acme' },
    ]
    beforeEach(async () => {
      await add(owner, 'contacts', { ...ada, notes: 'Mine', lead_status: 'Qualified' })
    })

    test('skip leaves what is there', async () => {
      const state = await imports.whole('contacts', rowsOf(...twice))
      expect(state).toMatchObject({
        received: 0,
        summary: { added: 1, updated: 0, skipped: 2, rejected: 0, companies: 1 },
      })
      expect(await contacts()).toMatchObject([
        { first_name: 'Bob', companies: { name: 'acme' } },
        { ...ada, phone_number: null, notes: 'Mine' },
      ])
    })

    test('update gives it what the file says, adds to its notes, and empties nothing', async () => {
      const state = await imports.whole('contacts', rowsOf(...twice), 'update')
      expect(state.summary).toEqual({
        added: 1,
        updated: 1,
        skipped: 1,
        rejected: 0,
        companies: 1,
      })
      expect(await contacts()).toMatchObject([
        { first_name: 'Bob' },
        {
          ...ada,
          phone_number: '2',
          notes: 'Mine\nFrom the file',
          lead_status: 'Qualified',
          companies: { name: 'Acme' },
        },
      ])
      expect(await names('companies')).toEqual(['Acme'])
    })

    test('create makes another of each', async () => {
      const state = await imports.whole('contacts', rowsOf(...twice), 'create')
      expect(state.summary).toMatchObject({ added: 3, updated: 0, skipped: 0 })
      expect(await contacts()).toHaveLength(4)
    })

    test('anything else is refused', async () => {
      const id = await imports.staged('contacts', rowsOf(...twice))
      expect(await owner.client.rpc('commit_import', { id, duplicates: 'all' })).toMatchObject({
        status: 400,
      })
    })

    test('asked again it answers the same and writes nothing; so do two at the same time', async () => {
      const id = await imports.staged('contacts', rowsOf(...twice))
      const [one, other] = await Promise.all([imports.commit(id), imports.commit(id)])
      expect(one).toEqual(other)
      expect(await imports.commit(id, 'create')).toEqual(one)
      expect(await imports.send(id, rowsOf(ada))).toBe(3)
      expect(await imports.state(id)).toEqual(one)
      expect(await contacts()).toHaveLength(2)
    })

    test('records that came since the dry run are seen', async () => {
      const id = await imports.staged('contacts', rowsOf({ email: 'late@example.com' }))
      expect(await imports.check(id)).toMatchObject({ new: 1 })
      await add(owner, 'contacts', { email: 'late@example.com' })
      expect((await imports.commit(id)).summary).toMatchObject({ added: 0, skipped: 1 })
    })

    test('the same file twice: the second time all are duplicates, and there is nothing to undo', async () => {
      const rows = rowsOf(
        { first_name: 'One', email: 'one@example.com' },
        { phone_number: '+49 30 99' },
        { notes: 'Only a note' },
        { first_name: 'Two', company: 'Zwei' },
      )
      expect((await imports.whole('contacts', rows)).summary).toMatchObject({ added: 4 })
      expect(await imports.whole('contacts', rows)).toMatchObject({
        batch: null,
        summary: { added: 0, skipped: 4, companies: 0 },
      })
    })

    test('rejected rows stay to be read, all others go', async () => {
      const rows = [...rowsOf(ada), { place: 3, reported: { text: 'x' }, problem: 'Too long.' }]
      const id = await imports.staged('contacts', rows)
      expect((await imports.commit(id)).summary).toMatchObject({ rejected: 1, skipped: 1 })
      expect(await imports.page(id, ['error', 'new'])).toEqual([
        { place: 3, reported: { text: 'x' }, reason: 'Too long.', target: null },
      ])
    })

    test('moments of creation are kept, to the millisecond; the rest stands in the order of the file', async () => {
      await imports.whole(
        'contacts',
        rowsOf(
          { first_name: 'First' },
          { first_name: 'Second' },
          { first_name: 'Old', created_at: '2024-02-29T12:30:45.678Z' },
        ),
      )
      const rows = await ok(
        owner.client
          .from('contacts')
          .select('first_name, created_at')
          .order('created_at', { ascending: false }),
      )
      expect(rows.map(({ first_name }) => first_name)).toEqual(['First', 'Second', 'Ada', 'Old'])
      expect(new Date(rows.at(-1)?.created_at ?? '').toISOString()).toBe('2024-02-29T12:30:45.678Z')
    })
  })

  test('companies: updated by what the file says', async () => {
    await add(owner, 'companies', { name: 'Acme', industry: 'Tools' })
    const rows = rowsOf({ name: 'ACME', website: 'https://acme.com' }, { name: 'Zeta' })
    const state = await imports.whole('companies', rows, 'update')
    expect(state.summary).toMatchObject({ added: 1, updated: 1 })
    const stored = await ok(
      owner.client.from('companies').select('name, industry, website').order('name'),
    )
    expect(stored).toEqual([
      { name: 'Acme', industry: 'Tools', website: 'https://acme.com' },
      { name: 'Zeta', industry: null, website: null },
    ])
  })

  describe('deals', () => {
    const deals = () =>
      database().query(
        `select d.name, d.value, d.closed_at, d.lost_reason, k.name as company, c.first_name as contact, c.email,
           p.name as pipeline, s.name as stage
         from public.deals d
         left join public.companies k on k.id = d.company_id
         left join public.contacts c on c.id = d.contact_id
         left join public.pipelines p on p.id = d.pipeline_id
         left join public.pipeline_stages s on s.id = d.stage_id
         where d.user_id = ? order by d.created_at desc`,
        owner.id,
      )
    const stages = async (pipeline: string) => {
      const rows = await database().query<{ name: string }>(
        `select s.name from public.pipeline_stages s join public.pipelines p on p.id = s.pipeline_id
         where p.user_id = ? and p.name = ? order by s."order"`,
        owner.id,
        pipeline,
      )
      return rows.map(({ name }) => name)
    }

    test('companies, contacts, pipelines and stages are matched or made', async () => {
      const acme = await add(owner, 'companies', { name: 'Acme' })
      await add(owner, 'contacts', { first_name: 'Ada', last_name: 'King', email: null })
      await add(owner, 'contacts', {
        first_name: 'Ada',
        last_name: 'King',
        email: 'king@example.com',
        company_id: acme.id,
      })
      const state = await imports.whole(
        'deals',
        rowsOf(
          {
            name: 'One',
            value: 12.5,
            company: 'acme',
            contact_first_name: 'ADA',
            contact_last_name: 'King',
            stage: 'qualified',
          },
          {
            name: 'Two',
            company: 'New Co',
            contact_email: 'NEW@example.com',
            contact_first_name: 'Nia',
            stage: 'Trial',
          },
          { name: 'Three', company: 'New co', contact_email: 'new@example.com', stage: 'Trial' },
          { name: 'Four', pipeline: 'Partners', stage: 'First call' },
          {
            name: 'Five',
            pipeline: 'partners',
            stage: 'Closed Lost',
            lost_reason: 'Price',
            closes_at: '2026-01-02T12:00:00Z',
          },
          { name: 'Six', pipeline: 'Plain' },
          { name: 'Seven' },
        ),
      )
      expect(state.summary).toMatchObject({ added: 7, companies: 1, contacts: 1 })
      expect(await deals()).toMatchObject([
        {
          name: 'One',
          value: 12.5,
          company: 'Acme',
          email: 'king@example.com',
          pipeline: 'Sales Pipeline',
          stage: 'Qualified',
          closed_at: null,
        },
        {
          name: 'Two',
          company: 'New Co',
          contact: 'Nia',
          email: 'NEW@example.com',
          stage: 'Trial',
        },
        { name: 'Three', company: 'New Co', contact: 'Nia' },
        { name: 'Four', pipeline: 'Partners', stage: 'First call' },
        {
          name: 'Five',
          pipeline: 'Partners',
          stage: 'Closed Lost',
          lost_reason: 'Price',
          closed_at: '2026-01-02T12:00:00+00:00',
        },
        { name: 'Six', pipeline: 'Plain', stage: null },
        { name: 'Seven', pipeline: 'Sales Pipeline', stage: null },
      ])
      expect(await stages('Sales Pipeline')).toEqual([
        'Lead',
        'Qualified',
        'Proposal',
        'Negotiation',
        'Trial',
        'Closed Won',
      ])
      expect(await stages('Partners')).toEqual(['First call', 'Closed Won', 'Closed Lost'])
      expect(await stages('Plain')).toHaveLength(5)

      const before = await database().query(
        'select id, name from public.pipeline_stages where user_id = ?',
        owner.id,
      )
      expect(before).toHaveLength(14)
      await ok(owner.client.rpc('undo_batch', { batch: state.batch ?? '' }))
      expect(await deals()).toEqual([])
      expect(await names('pipelines')).toEqual(['Sales Pipeline'])
      expect(await names('companies')).toEqual(['Acme'])
      expect(await contacts()).toHaveLength(2)
      const [closed] = await database().query<{ order: number }>(
        `select "order" from public.pipeline_stages where user_id = ? and name = 'Closed Won'`,
        owner.id,
      )
      expect(closed?.order).toBe(5)
    })

    test('update changes what the file says and leaves the rest', async () => {
      await add(owner, 'deals', { name: 'One', value: 5, expected_close_date: '2026-12-01' })
      await imports.whole('deals', rowsOf({ name: 'ONE', value: 7, stage: 'Lead' }), 'update')
      expect(await deals()).toMatchObject([{ name: 'One', value: 7, stage: 'Lead' }])
      const [deal] = await ok(owner.client.from('deals').select('expected_close_date'))
      expect(deal?.expected_close_date).toBe('2026-12-01')
    })
  })

  describe('undo', () => {
    test('takes the whole import back, to the row, and the list tells it', async () => {
      await add(owner, 'contacts', { ...ada, phone_number: '1' })
      const whole = () =>
        database().query(
          'select to_jsonb(c) - $$updated_at$$ as row from public.contacts c where user_id = ? order by id',
          owner.id,
        )
      const before = await whole()
      const rows = rowsOf({ ...ada, phone_number: '2', company: 'Acme' }, { first_name: 'Bob' })
      const { batch } = await imports.whole('contacts', rows, 'update')
      expect(await whole()).not.toEqual(before)
      expect(await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))).toMatchObject({
        undone: 3,
        conflicts: [],
      })
      expect(await whole()).toEqual(before)
      expect(await names('companies')).toEqual([])
      expect(await imports.list()).toMatchObject([{ is_undone: true }])
      expect(await ok(owner.client.rpc('history_page'))).toMatchObject({
        rows: [{}, { batch, action: 'import', about: 'people.csv' }, {}],
      })
    })

    test('rows edited since are told, and kept or undone too', async () => {
      const rows = rowsOf({ first_name: 'Bob' }, { first_name: 'Cy' })
      const { batch } = await imports.whole('contacts', rows)
      const undo = (conflicts: string) =>
        ok(owner.client.rpc('undo_batch', { batch: batch ?? '', conflicts }))
      await owner.client.from('contacts').update({ notes: 'Mine' }).eq('first_name', 'Bob')
      expect(await undo('refuse')).toMatchObject({
        undone: 0,
        conflicts: [{ label: 'Bob', reason: 'changed' }],
      })
      expect(await imports.list()).toMatchObject([{ is_undone: false }])
      await undo('keep')
      expect(await contacts()).toMatchObject([{ first_name: 'Bob', notes: 'Mine' }])
    })
  })

  const many = isLong ? 10_000 : 1100
  test(`${many} rows, sent in parts`, { timeout: 180_000 }, async () => {
    const id = randomUUID()
    const [people, part] = [many * 0.9, many / 5]
    await imports.start(id, 'contacts', many)
    for (let sent = 0; sent < many; sent += part) {
      const rows = Array.from({ length: part }, (_, n) => {
        const place = sent + n + 2
        const reported = { first_name: `Person ${place}`, email: `p${place % people}@example.com` }
        return { place, reported: { ...reported, company: `Company ${place % 50}` } }
      })
      await imports.send(id, rows)
    }
    const twins = many - people
    expect(await imports.check(id)).toEqual({ new: people, known: 0, twin: twins, error: 0 })
    const { summary } = await imports.commit(id)
    expect(summary).toMatchObject({ added: people, skipped: twins, companies: 50 })
    const { count } = await owner.client
      .from('contacts')
      .select('id', { count: 'exact', head: true })
    expect(count).toBe(people)
    expect(
      await database().query('select from private.import_rows where import_id = ?', id),
    ).toEqual([])
  })

  // By a scan of each, every row would be joined with every plan while the statistics know of neither.
  test('each plan of a part looks up its own row, whatever the planner expects', async () => {
    const id = await imports.staged('deals', rowsOf({ name: 'Order' }))
    const [row] = await database().query<{ i: string }>(
      'select i::text from private.imports i where i.id = ?',
      id,
    )
    const lines = await database().query<{ 'QUERY PLAN': string }>(
      `explain select place from private.planned_rows('${row?.i}'::private.imports, 0, 600) where reported <> '{}'`,
    )
    const [, ofRows = ''] = lines
      .map((line) => line['QUERY PLAN'])
      .join('\n')
      .split('on import_rows')
    expect(ofRows).toMatch(/Index Cond: \(.*place = p\.place\)/)
  })
})
