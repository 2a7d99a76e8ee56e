import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { readingsOf, readQuickAdd } from '#domain/quick-add.ts'
import { quickAddLine } from '#domain/quick-add-line.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

const clock = { now: Date.parse('2026-11-15T10:00:00Z'), timeZone: 'Europe/Berlin', weekStart: 1 }
const whole = 'call Anna Schmidt @Acme tue 3pm !high renewal $5k'

type Line = Record<string, unknown>
type Answer = {
  batch: string
  records: { kind: string; id: string; title: string; is_new: boolean }[]
}
type Card = { id: string; title: string; about: string | null; email?: string | null }
type Preview = Record<'company' | 'contact' | 'deal', Card[]> & { reading: number }

onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  const read = (line: string): Line => quickAddLine(readQuickAdd(line, clock))
  const send = (line: Line, batch = randomUUID()) =>
    owner.client.rpc('quick_add', { line: line as never, batch })
  const quickAdd = async (line: string) => (await ok(send(read(line)))) as Answer
  const preview = async (line: Line) =>
    (await ok(owner.client.rpc('quick_add_preview', { line: line as never }))) as Preview
  const told = ({ records }: Answer) =>
    records.map(({ kind, title, is_new }) => `${is_new ? 'new' : 'known'} ${kind} ${title}`)
  const rows = async (
    name: 'companies' | 'contacts' | 'deals' | 'tasks',
  ): Promise<Record<string, unknown>[]> => ok(owner.client.from(name).select().order('created_at'))

  test('one line is a contact, a company, a deal and a task, linked, in one batch that is undone at once', async () => {
    const answer = await quickAdd(whole)
    expect(told(answer)).toEqual([
      'new companies Acme',
      'new contacts Anna Schmidt',
      'new deals Renewal',
      'new tasks Call Anna Schmidt renewal',
    ])
    const [company] = await rows('companies')
    const [contact] = await rows('contacts')
    const [deal] = await rows('deals')
    const [task] = await rows('tasks')
    expect(contact).toMatchObject({ first_name: 'Anna', company_id: company?.id })
    expect(deal).toMatchObject({ value: 5000, company_id: company?.id, contact_id: contact?.id })
    expect(task).toMatchObject({
      due_date: '2026-11-17T14:00:00+00:00',
      priority: 'high',
      deal_id: deal?.id,
      contact_id: contact?.id,
      company_id: company?.id,
    })
    const stage = await ok(
      owner.client.from('pipeline_stages').select('name').eq('id', String(deal?.stage_id)).single(),
    )
    expect(stage.name).toBe('Lead')

    await ok(owner.client.rpc('undo_batch', { batch: answer.batch }))
    for (const name of ['companies', 'contacts', 'deals', 'tasks'] as const) {
      expect(await rows(name)).toEqual([])
    }
  })

  test('a role and a website are written, and only where there was none', async () => {
    await quickAdd('new contact Tom Ford CEO')
    await quickAdd('new company Initech initech.example')
    expect(await rows('contacts')).toMatchObject([{ last_name: 'Ford', role_title: 'CEO' }])
    expect(await rows('companies')).toMatchObject([
      { name: 'Initech', website: 'https://initech.example' },
    ])
    await quickAdd('new contact Tom Ford CTO @Initech')
    await quickAdd('new company Initech other.example #new')
    expect(await rows('contacts')).toMatchObject([{ role_title: 'CEO' }])
    expect(await rows('companies')).toMatchObject([{ website: 'https://initech.example' }])
  })

  test('what is there is found and not doubled', async () => {
    await quickAdd(whole)
    const again = await quickAdd('call Anna Schmidt @Acme friday renewal $6k')
    expect(told(again)).toEqual(['known deals Renewal', 'new tasks Call Anna Schmidt renewal'])
    expect(await rows('companies')).toHaveLength(1)
    expect(await rows('contacts')).toHaveLength(1)
    expect(await rows('deals')).toMatchObject([{ value: 6000 }])
    const [, task] = await rows('tasks')
    const [deal] = await rows('deals')
    expect(task).toMatchObject({ deal_id: deal?.id })
    await ok(owner.client.rpc('undo_batch', { batch: again.batch }))
    expect(await rows('deals')).toMatchObject([{ value: 5000 }])
    expect(await rows('tasks')).toHaveLength(1)
  })

  test('asked again after a lost answer it answers the same and writes nothing', async () => {
    const batch = randomUUID()
    const line = read(whole)
    const first = await ok(send(line, batch))
    expect(await ok(send(line, batch))).toEqual(first)
    expect(await rows('tasks')).toHaveLength(1)
  })

  describe('which company', () => {
    const company = async (name: string) =>
      (await preview(read(`call back @"${name}"`))).company.map(({ title }) => title)

    test('is called so, but for the legal form, or begins with these words; the likeliest first', async () => {
      for (const name of ['Acme Cars', 'ACME', 'Acme GmbH', 'Acmeco', 'Zürich Bau', '50% off_']) {
        await add(owner, 'companies', { name })
      }
      expect(await company('acme')).toEqual(['ACME', 'Acme GmbH', 'Acme Cars'])
      expect(await company('Acme Inc.')).toEqual(['Acme GmbH', 'ACME'])
      expect(await company('zurich')).toEqual(['Zürich Bau'])
      expect(await company('50% off_')).toEqual(['50% off_'])
      expect(await company('%')).toEqual([])
      expect(await company('Globex')).toEqual([])
    })

    test('never of another account', async () => {
      await add(await database().signUp(), 'companies', { name: 'Acme' })
      expect(await company('Acme')).toEqual([])
    })
  })

  describe('which contact', () => {
    const contact = async (line: string) =>
      (await preview(read(line))).contact.map(
        ({ title, about, email }) => `${title} (${about ?? email})`,
      )

    test('by name, whichever way it is spelled, at the company that was said or at none', async () => {
      const acme = await add(owner, 'companies', { name: 'Acme' })
      const globex = await add(owner, 'companies', { name: 'Globex' })
      const anna = { first_name: 'Anna', last_name: 'Müller', email: null }
      await add(owner, 'contacts', { ...anna, company_id: globex.id })
      expect(await contact('call Anna Mueller')).toEqual(['Anna Müller (Globex)'])
      expect(await contact('call Anna Mueller @Acme')).toEqual([])
      expect(await contact('call Anna Mueller @Initech')).toEqual([])
      await add(owner, 'contacts', { ...anna, company_id: acme.id })
      expect(await contact('call Anna Mueller @Acme')).toEqual(['Anna Müller (Acme)'])
      expect(await contact('call Anna Mueller @Globex')).toEqual(['Anna Müller (Globex)'])
    })

    test('by one name alone, first or last', async () => {
      await add(owner, 'contacts', { first_name: 'Bo', last_name: 'Stone', email: 'b@one.example' })
      await add(owner, 'contacts', {
        first_name: 'Bonnie',
        last_name: 'Bo',
        email: 'b@two.example',
      })
      expect((await contact('call Bo'))[0]).toBe('Bo Stone (b@one.example)')
      expect(await contact('call Stone')).toEqual(['Bo Stone (b@one.example)'])
      expect(await contact('call Bonn')).toEqual([])
    })

    test('by one name among hundreds, the one at the company that was said', async () => {
      const company_id = (await add(owner, 'companies', { name: 'Acme' })).id
      const meant = await add(owner, 'contacts', {
        first_name: 'Anna',
        last_name: 'Zimmer',
        email: null,
        company_id,
      })
      const others = Array.from({ length: 120 }, (_, count) => ({
        first_name: 'Anna',
        last_name: `Other ${count}`,
      }))
      await ok(owner.client.from('contacts').insert(others).select('id'))
      const { contact } = await preview(read('call Anna @Acme'))
      expect(contact[0]?.id).toBe(meant.id)
    })

    test('by address before all, by number; never one of whom something else is known', async () => {
      await add(owner, 'contacts', {
        first_name: 'Anna',
        last_name: 'Schmidt',
        email: 'Anna@Acme.example',
        phone_number: '030 1234567',
      })
      const anna = 'Anna Schmidt (Anna@Acme.example)'
      expect(await contact('email anna@acme.example')).toEqual([anna])
      expect(await contact('call +49 30 1234567')).toEqual([anna])
      expect(await contact('call Anna Schmidt anna@other.example')).toEqual([])
      expect(await contact('call Anna Schmidt +49 40 7654321')).toEqual([])
      expect(await contact('call Bob Stone +49 30 1234567')).toEqual([])
      expect(await contact('call Anna Schmidt')).toEqual([anna])
    })

    test('a known one is told what was not known, and nothing else changes', async () => {
      const known = { first_name: 'Anna', last_name: 'Schmidt', email: null, role_title: 'CEO' }
      await add(owner, 'contacts', known)
      const answer = await quickAdd('Anna Schmidt anna@acme.example @Acme')
      expect(told(answer)).toEqual(['new companies Acme', 'known contacts Anna Schmidt'])
      const [company] = await rows('companies')
      expect(await rows('contacts')).toMatchObject([
        { ...known, email: 'anna@acme.example', company_id: company?.id },
      ])
    })
  })

  test('a deal is known by its name and its partner, and only while it is open', async () => {
    const acme = await add(owner, 'companies', { name: 'Acme' })
    const deal = await add(owner, 'deals', { name: 'Renewal', company_id: acme.id })
    const known = async (line: string) => (await preview(read(line))).deal.map(({ id }) => id)
    expect(await known('renewal $5k')).toEqual([deal.id])
    expect(await known('renewal $5k @Acme')).toEqual([deal.id])
    expect(await known('renewal $5k @Globex')).toEqual([])
    await ok(
      owner.client.rpc('close_deals', { filter: { ids: [deal.id] }, outcome: 'won' } as never),
    )
    expect(await known('renewal $5k @Acme')).toEqual([])
  })

  describe('which way to understand a line', () => {
    /** The line that holds, and whom it means. */
    async function understood(text: string) {
      const readings = readingsOf(text, clock)
      const lines = readings.map(({ read, needs }) => ({ line: quickAddLine(read), needs }))
      const { reading, contact, company } = (await ok(
        owner.client.rpc('quick_add_preview', { line: lines as never }),
      )) as Preview
      const { task, deal } = readings[reading]?.read ?? {}
      return [contact[0]?.title, company[0]?.title, deal?.name, task?.title]
        .filter((part) => part !== undefined)
        .join('; ')
    }

    test('words in small letters are somebody who is there, else words', async () => {
      await add(owner, 'contacts', { first_name: 'Maria', last_name: 'Keller', email: null })
      await add(owner, 'companies', { name: 'Globex Ltd' })
      await add(await database().signUp(), 'contacts', { first_name: 'Tom', last_name: 'Ford' })
      expect(await understood('call maria keller tomorrow')).toBe('Maria Keller; Call Maria Keller')
      expect(await understood('lunch with keller friday')).toBe('Maria Keller; Lunch with Keller')
      expect(await understood('renewal maria keller 5k')).toBe('Maria Keller; Renewal')
      expect(await understood('demo for globex friday')).toBe('Globex Ltd; Demo for Globex')
      expect(await understood('call Globex friday')).toBe('Globex Ltd; Call Globex')
      expect(await understood('call tom ford tomorrow')).toBe('Call tom ford')
    })

    test('no reading, or far too many, are refused', async () => {
      const reading = { line: { task: { title: 'Call' } } }
      for (const line of [[], Array(21).fill(reading), [{}], ['line']]) {
        const { error } = await owner.client.rpc('quick_add_preview', { line: line as never })
        expect(error?.message).toBe('The line cannot be read.')
      }
    })
  })

  test('a call is logged with the person, on the day that was said, and undone with them', async () => {
    const answer = await quickAdd('met Lena Maier @Acme yesterday: budget is approved')
    expect(told(answer)).toEqual([
      'new companies Acme',
      'new contacts Lena Maier',
      'new notes Budget is approved',
    ])
    const [contact] = await rows('contacts')
    const notes = () =>
      ok(owner.client.from('notes').select('kind, body, happened_at, contact_id, company_id'))
    expect(await notes()).toEqual([
      {
        kind: 'meeting',
        body: 'Budget is approved',
        happened_at: '2026-11-14T11:00:00+00:00',
        contact_id: contact?.id,
        company_id: null,
      },
    ])
    await quickAdd('note @Acme: new office')
    expect(await notes()).toHaveLength(2)
    await ok(owner.client.rpc('undo_batch', { batch: answer.batch, conflicts: 'keep' }))
    expect(await rows('contacts')).toEqual([])
  })

  test('a task repeats, a deal has its currency and its close, records have tags', async () => {
    await quickAdd('call Lena Maier every friday 3pm #vip')
    expect(await rows('tasks')).toMatchObject([
      { repeat: 'weekly', repeat_days: [5], due_date: '2026-11-20T14:00:00+00:00' },
    ])
    expect(await rows('contacts')).toMatchObject([{ tags: ['vip'] }])
    await quickAdd('call Lena Maier every 2 weeks #VIP #fair')
    expect(await rows('contacts')).toMatchObject([{ tags: ['vip', 'fair'] }])
    expect((await rows('tasks')).at(-1)).toMatchObject({ repeat: 'after', repeat_every: 14 })

    await quickAdd('deal Relaunch €5k @Globex Dec 20 #q4')
    const deal = { name: 'Relaunch', value: 5000, currency: 'EUR', tags: ['q4'] }
    expect(await rows('deals')).toMatchObject([{ ...deal, expected_close_date: '2026-12-20' }])
    // What the second line does not say stays.
    await quickAdd('deal Relaunch €6k @Globex #q4')
    expect(await rows('deals')).toMatchObject([
      { ...deal, value: 6000, expected_close_date: '2026-12-20' },
    ])
    await quickAdd('deal Support plan @Globex')
    expect((await rows('deals')).at(-1)).toMatchObject({
      name: 'Support plan',
      value: 0,
      currency: null,
    })
  })

  test('the user decides: another record, or a new one', async () => {
    const one = await add(owner, 'companies', { name: 'Acme' })
    const other = await add(owner, 'companies', { name: 'Acme Cars' })
    const line = (company: object) => ({
      task: { title: 'Call' },
      company: { name: 'Acme', ...company },
    })
    await ok(send(line({})))
    await ok(send(line({ id: other.id })))
    await ok(send(line({ id: null })))
    expect((await rows('tasks')).map(({ company_id }) => company_id)).toEqual([
      one.id,
      other.id,
      (await rows('companies')).at(-1)?.id,
    ])
    expect(await rows('companies')).toHaveLength(3)
  })

  test('one name by itself is a new record, unless there is one called just so', async () => {
    await quickAdd('call Anna Schmidt @"Acme Cars"')
    const sole = (part: string, reported: object) => send({ [part]: reported })
    await ok(sole('contact', { first_name: 'Anna' }))
    await ok(sole('company', { name: 'Acme' }))
    expect((await sole('contact', { first_name: 'anna' })).status).toBe(409)
    expect((await sole('contact', { first_name: 'Anna', last_name: 'Schmidt' })).status).toBe(409)
    expect((await sole('company', { name: 'ACME Ltd' })).status).toBe(409)
    await ok(sole('contact', { first_name: 'Schmidt', phone_number: '+49 30 1234567' }))
    expect((await rows('contacts')).map(({ last_name }) => last_name)).toEqual(['Schmidt', null])
    expect(await rows('companies')).toHaveLength(2)
  })

  test('bad lines are refused in words and save nothing', async () => {
    const gone = await send({
      company: { name: 'Acme', id: randomUUID() },
      task: { title: 'Call' },
    })
    expect(gone.error?.message).toMatch(/^One of the records was deleted in another window\./)
    await add(owner, 'companies', { name: 'Acme' })
    const nothing = await send(read('@Acme'))
    expect(nothing.error?.message).toBe('All of this already exists. Nothing was saved.')
    for (const line of [null, [], { pipeline: {} }, { task: 'Call' }] as never[]) {
      expect((await send(line)).error?.message).toBe('The line cannot be read.')
    }
    const half = await send({ company: { name: 'Globex' }, task: { title: 'x'.repeat(501) } })
    expect(half.error).not.toBeNull()
    expect(half.status).toBe(400)
    for (const value of ['much', -1, 1e15]) {
      const answer = await send({ company: { name: 'Globex' }, deal: { name: 'Big', value } })
      expect([400, 422]).toContain(answer.status)
    }
    expect(await rows('companies')).toHaveLength(1)
    expect(await rows('tasks')).toEqual([])
    const nobody = await database().anonymous.rpc('quick_add', {
      line: {},
      batch: randomUUID(),
    } as never)
    expect(nobody.error?.code).toBe('42501')
  })

  test('two windows with the same line at once create it once', async () => {
    const answers = await Promise.all([send(read(whole)), send(read(whole))])
    expect(answers.map(({ error }) => error)).toEqual([null, null])
    expect(await rows('companies')).toHaveLength(1)
    expect(await rows('contacts')).toHaveLength(1)
    expect(await rows('deals')).toHaveLength(1)
    expect(await rows('tasks')).toHaveLength(2)
  })
})
