import { beforeEach, describe, expect, test } from 'vitest'
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

  describe('notes of a contact that is there', () => {
    const ada = { email: 'ada@example.com' }
    const row = {
      ...ada,
      notes: 'Met\r\nin Oslo\nOther phones: 2\nLead status: Hot',
      note_parts: ['Met\r\nin Oslo', 'Other phones: 2', 'Lead status: Hot'],
    }
    const contact = async () => {
      const [stored] = await ok(
        owner.client.from('contacts').select('notes, lead_status, updated_at'),
      )
      return stored
    }
    const update = (reported: Record<string, unknown>) =>
      imports.whole('contacts', rowsOf(reported), 'update')

    test('are added to, part by part, and what stands there is not added again', async () => {
      await add(owner, 'contacts', {
        ...ada,
        notes: 'By hand\nOther phones: 2\nLead status: Hotel',
        lead_status: 'Qualified',
      })
      expect((await update(row)).summary).toMatchObject({ updated: 1, skipped: 0 })
      const once = await contact()
      expect(once).toMatchObject({
        notes: 'By hand\nOther phones: 2\nLead status: Hotel\nMet\r\nin Oslo\nLead status: Hot',
        // A status that we do not have changes nothing.
        lead_status: 'Qualified',
      })
      // The same file once more changes nothing, not even when the contact was last changed.
      expect(await update(row)).toMatchObject({
        batch: null,
        summary: { updated: 0, skipped: 1 },
      })
      expect(await contact()).toEqual(once)
    })

    test('a contact that an import made is the same after the same file, updated', async () => {
      await imports.whole('contacts', rowsOf(row))
      const once = await contact()
      expect(await update(row)).toMatchObject({ batch: null })
      expect(await contact()).toEqual(once)
      await update({ ...ada, notes: 'New' })
      expect(await contact()).toMatchObject({ notes: `${once?.notes}\nNew` })
    })

    test('that would become too long are told by name, and nothing is imported', async () => {
      await add(owner, 'contacts', { ...ada, first_name: 'Ada', notes: 'x'.repeat(49_990) })
      const id = await imports.staged('contacts', rowsOf(row, { first_name: 'Bob' }))
      expect(await owner.client.rpc('commit_import', { id, duplicates: 'update' })).toMatchObject({
        status: 409,
        error: { message: expect.stringMatching(/the notes of Ada would have more than 50,000/) },
      })
      expect(await ok(owner.client.from('contacts').select('id'))).toHaveLength(1)
    })
  })

  describe('deals', () => {
    type Stored = Record<'name' | 'company' | 'contact' | 'stage' | 'pipeline', string | null> & {
      value: number
      closed: string | null
    }
    const deals = () =>
      database().query<Stored>(
        `select d.name, d.value, d.expected_close_date::text as close, d.closed_at::date::text as closed, k.name as company,
           c.email as contact, p.name as pipeline, s.name as stage
         from public.deals d
         left join public.companies k on k.id = d.company_id
         left join public.contacts c on c.id = d.contact_id
         left join public.pipelines p on p.id = d.pipeline_id
         left join public.pipeline_stages s on s.id = d.stage_id
         where d.user_id = ? order by d.created_at desc`,
        owner.id,
      )
    const values = async () => (await deals()).map(({ value }) => Number(value))
    const base = {
      name: 'Renewal',
      company: 'Acme',
      contact_email: 'ada@example.com',
      contact_first_name: 'Ada',
      value: 100,
    }
    const { company: _company, ...noCompany } = base

    test('another contact or company is another deal; what else differs is asked about', async () => {
      await imports.whole('deals', rowsOf(base))
      const id = await imports.staged(
        'deals',
        rowsOf(
          { ...base, contact_email: 'bob@example.com', contact_first_name: 'Bob' }, // 2: new
          { ...base, company: 'Zeta' }, // 3: new
          noCompany, // 4: new
          { name: 'Renewal', company: 'Acme', value: 100 }, // 5: nobody: new
          { ...base, name: 'RENEWAL', value: 150, contact_email: 'ADA@example.com' }, // 6: known
          { ...base, value: 170 }, // 7: one deal is one row's: new
          { ...base, value: 170 }, // 8: twin of 7
        ),
      )
      expect(await imports.check(id)).toEqual({ new: 5, known: 1, twin: 1, error: 0 })
      expect(await imports.page(id, ['known', 'twin'])).toMatchObject([
        {
          place: 6,
          reason: 'Renewal already exists.',
          stored: { value: 100, stage: null, pipeline: 'Sales Pipeline' },
        },
        { place: 8, reason: 'The same record stands in row 7.' },
      ])
      expect((await imports.commit(id, 'update')).summary).toMatchObject({ added: 5, updated: 1 })
      expect((await values()).toSorted((a, b) => a - b)).toEqual([100, 100, 100, 100, 150, 170])
    })

    test('a contact is the same by name where the file has no address', async () => {
      await add(owner, 'contacts', {
        first_name: 'Ada',
        last_name: 'King',
        email: 'ada@example.com',
      })
      await imports.whole('deals', rowsOf({ ...base, contact_last_name: 'King' }))
      const named = { name: 'Renewal', company: 'Acme', contact_first_name: 'ada', value: 5 }
      const id = await imports.staged(
        'deals',
        rowsOf({ ...named, contact_last_name: 'king' }, { ...named, contact_last_name: 'Queen' }),
      )
      expect(await imports.check(id)).toMatchObject({ new: 1, known: 1 })
    })

    test('a file that names no contacts does not tell deals apart by them', async () => {
      await imports.whole('deals', rowsOf(base))
      const rows = rowsOf({ name: 'Renewal', company: 'Acme', value: 1 })
      const id = await imports.staged('deals', rows)
      expect(await imports.check(id)).toMatchObject({ new: 0, known: 1 })
      await imports.commit(id, 'update')
      expect(await deals()).toMatchObject([{ value: 1, contact: 'ada@example.com' }])
    })

    test('unequal rows are several deals, and the same file again finds each of them', async () => {
      const rows = rowsOf(
        { ...base, value: 100, stage: 'Lead' },
        { ...base, value: 200, stage: 'Lead' },
        { ...base, value: 300, stage: 'Lead' },
        { ...base, value: 100, stage: 'Lead' }, // a twin
      )
      expect((await imports.whole('deals', rows)).summary).toMatchObject({ added: 3, skipped: 1 })
      const again = await imports.staged('deals', rows)
      expect(await imports.check(again)).toEqual({ new: 0, known: 0, twin: 4, error: 0 })
      expect(await imports.page(again, ['twin'])).toMatchObject([
        { place: 2, reason: 'Renewal already exists and says the same.' },
        {},
        {},
        { place: 5, reason: 'The same record stands in row 2.' },
      ])
      expect(await imports.commit(again, 'update')).toMatchObject({
        batch: null,
        summary: { added: 0, updated: 0, skipped: 4 },
      })
      // Moved on here meanwhile, each is still found by its value, and only the stage differs.
      await ok(owner.client.rpc('close_deals', { filter: {}, outcome: 'won' }))
      const third = await imports.staged('deals', rows)
      expect(await imports.check(third)).toMatchObject({ known: 3, twin: 1 })
      await imports.commit(third, 'update')
      expect(await deals()).toMatchObject(
        [100, 200, 300].map((value) => ({ value, stage: 'Lead', closed: null })),
      )
      // The value of one row was changed in the file: it is the deal that no other row means.
      const changed = rows.slice(0, 3).map(({ reported }) => reported)
      const edited = changed.map((reported) =>
        reported.value === 200 ? { ...reported, value: 250 } : reported,
      )
      await imports.whole('deals', rowsOf(...edited), 'update')
      expect(await values()).toEqual([100, 250, 300])
    })

    test('of several under one name, the moment of creation tells which is meant', async () => {
      const moment = (day: number) => `2026-03-0${day}T12:30:45.678Z`
      const rows = [1, 2].map((day) => ({ ...base, value: day * 100, created_at: moment(day) }))
      await imports.whole('deals', rowsOf(...rows))
      const swapped = rows.map((row) => ({ ...row, value: 300 - row.value }))
      await imports.whole('deals', rowsOf(...swapped), 'update')
      expect(await values()).toEqual([100, 200])
    })

    test('what is won or lost closes in its own pipeline, on its day', async () => {
      const closes_at = '2026-01-02T12:00:00Z'
      const partners = {
        ...base,
        ...{ pipeline: 'Partners', stage: 'Closed Lost', lost_reason: 'Price', closes_at },
      }
      await imports.whole(
        'deals',
        rowsOf(
          { ...partners, name: 'There', stage: 'First call' },
          partners,
          // The oldest pipeline has no such stage yet, another one has.
          { ...base, name: 'Lost', stage: 'Closed Lost', closed_at: '2026-02-03T04:05:06Z' },
          { ...base, name: 'Won', stage: 'Closed Won', closes_at },
        ),
      )
      const sales = { pipeline: 'Sales Pipeline' }
      expect(await deals()).toMatchObject([
        { name: 'There', pipeline: 'Partners', stage: 'First call', closed: null },
        { name: 'Renewal', pipeline: 'Partners', stage: 'Closed Lost' },
        { name: 'Lost', stage: 'Closed Lost', closed: '2026-02-03', ...sales },
        { name: 'Won', stage: 'Closed Won', closed: '2026-01-02', ...sales },
      ])
      // A deal that is there stays in its pipeline, though the row does not name it.
      const reported = {
        ...base,
        name: 'There',
        stage: 'Closed Won',
        closes_at: '2026-01-05T12:00:00Z',
      }
      await imports.whole('deals', rowsOf(reported), 'update')
      expect((await deals())[0]).toMatchObject({
        pipeline: 'Partners',
        stage: 'Closed Won',
        closed: '2026-01-05',
      })
      // One that is closed keeps its day, unless the file says another.
      const later = { ...reported, value: 7, closes_at: '2026-02-05T12:00:00Z' }
      await imports.whole('deals', rowsOf(later), 'update')
      expect((await deals())[0]).toMatchObject({ value: 7, closed: '2026-01-05' })
    })

    test('a deal that is won or lost without a word of when is refused, whoever sends it', async () => {
      const rows = rowsOf(
        { ...base, stage: 'Closed Won', expected_close_date: '2026-01-02' },
        { ...base, stage: 'closed lost' },
        { ...base, stage: 'Closed Won', closed_at: '2026-01-02T12:00:00Z' },
        { ...base, stage: 'Closed' },
      )
      const id = await imports.staged('deals', rows)
      expect(await imports.check(id)).toMatchObject({ new: 2, error: 2 })
      const reason = 'The deal is won or lost, but the row doesn’t say when.'
      expect(await imports.page(id, ['error'])).toMatchObject([{ reason }, { reason }])
      expect((await imports.commit(id)).summary).toMatchObject({ added: 2, rejected: 2 })
    })

    test('a stage is found by its very name before one that only sounds alike', async () => {
      const [pipeline] = await ok(owner.client.from('pipelines').select('id'))
      const stages = ['lead', 'Won'].map((name) => ({ name, pipeline_id: pipeline?.id ?? '' }))
      await ok(owner.client.from('pipeline_stages').insert(stages).select('id'))
      const rows = ['lead', 'Lead', 'LEAD', 'Won'].map((stage) => ({ name: stage, stage }))
      await imports.whole('deals', rowsOf(...rows))
      expect((await deals()).map(({ stage }) => stage)).toEqual([
        'lead',
        'Lead',
        expect.stringMatching(/^lead$/i),
        'Won',
      ])
    })
  })
})
