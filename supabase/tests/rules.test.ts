import { beforeAll, describe, expect, test } from 'vitest'
import { type Account, ok, onEachDatabase } from './harness.ts'
import { add, type SampleTable, samples, table } from './samples.ts'

/** Values that break a rule, each with the code of the answer. */
const refused: [SampleTable, string, unknown, string][] = [
  ['companies', 'name', '   ', '23514'],
  ['companies', 'name', null, '23514'],
  ['companies', 'name', 'x'.repeat(201), '23514'],
  ['companies', 'website', 'javascript:alert(1)', '23514'],
  ['companies', 'website', 'acme.com', '23514'],
  ['companies', 'website', 'https://', '23514'],
  ['companies', 'industry', 'x'.repeat(201), '23514'],
  ['companies', 'location', 'x'.repeat(201), '23514'],
  ['contacts', 'email', 'nobody', '23514'],
  ['contacts', 'email', 'a b@example.com', '23514'],
  ['contacts', 'email', `${'x'.repeat(320)}@example.com`, '23514'],
  ['contacts', 'first_name', 'x'.repeat(201), '23514'],
  ['contacts', 'last_name', 'x'.repeat(201), '23514'],
  ['contacts', 'role_title', 'x'.repeat(201), '23514'],
  ['contacts', 'phone_number', '1'.repeat(51), '23514'],
  ['contacts', 'notes', 'x'.repeat(50_001), '23514'],
  ['contacts', 'lead_status', 'Lukewarm', '23514'],
  ['contacts', 'lead_status', null, '23502'],
  ['contacts', 'lead_score', 'many', '22P02'],
  ['contacts', 'company_id', 'not a uuid', '22P02'],
  ['pipelines', 'name', ' ', '23514'],
  ['pipeline_stages', 'name', '', '23514'],
  ['pipeline_stages', 'win_probability', 101, '23514'],
  ['pipeline_stages', 'win_probability', -1, '23514'],
  ['deals', 'name', ' ', '23514'],
  ['deals', 'value', -0.01, '23514'],
  ['deals', 'value', 1e20, '22003'],
  ['deals', 'value', 'abc', '22P02'],
  ['deals', 'value', 'NaN', '23514'],
  ['contacts', 'lead_score', 'NaN', '23514'],
  ['deals', 'expected_close_date', '0001-01-01', '23514'],
  ['deals', 'expected_close_date', '2026-02-31', '22008'],
  ['deals', 'order', 1e300, '23514'],
  ['deals', 'order', 'NaN', '23514'],
  ['tasks', 'title', ' ', '23514'],
  ['tasks', 'title', 'x'.repeat(501), '23514'],
  ['tasks', 'description', 'x'.repeat(50_001), '23514'],
  ['tasks', 'priority', 'whenever', '23514'],
  ['tasks', 'due_date', '2026-02-31T10:00:00Z', '22008'],
  ['tasks', 'due_date', '1066-10-14T09:00:00Z', '23514'],
  ['notes', 'kind', 'telegram', '23514'],
  ['notes', 'contact_id', null, '23514'],
  ['notes', 'outcome', 'x'.repeat(501), '23514'],
  ['notes', 'happened_at', 'yesterday-ish', '22007'],
  ['notes', 'minutes', 0, '23514'],
  ['notes', 'minutes', 1441, '23514'],
  ['collections', 'name', ' ', '23514'],
  ['saved_views', 'screen', 'kitchen', '23514'],
  ['saved_views', 'query', 'x'.repeat(8001), '23514'],
  ['email_templates', 'name', ' ', '23514'],
  ['email_templates', 'subject', 'x'.repeat(1001), '23514'],
]

onEachDatabase((database) => {
  let owner: Account
  beforeAll(async () => {
    owner = await database().signUp()
  })

  describe('a row that breaks a rule is refused in words, and nothing changes', () => {
    test.each(refused)('%s.%s = %j', async (name, column, value, code) => {
      const before = await ok(table(owner, name).select('id'))
      const answer = await table(owner, name).insert({
        ...(await samples[name](owner)),
        [column]: value,
      } as never)
      expect(answer).toMatchObject({ status: 400, error: { code } })
      // Neither a constraint's name nor the row is told.
      expect(JSON.stringify(answer.error)).not.toMatch(/constraint|_(length|known|sensible|finite)/)
      const after = await ok(table(owner, name).select('id'))
      expect(after.length - before.length).toBe(0)
    })

    test('a name that is taken', async () => {
      const { name } = await add(owner, 'collections')
      expect(await owner.client.from('collections').insert({ name: String(name) })).toMatchObject({
        status: 409,
        error: { code: '23505', message: 'This already exists. Nothing was saved.' },
      })
    })

    test('a time zone that does not exist', async () => {
      const change = owner.client.from('preferences').update({ time_zone: 'Mars/Olympus' })
      expect(await change.eq('user_id', owner.id)).toMatchObject({
        status: 400,
        error: { message: 'The time zone Mars/Olympus is not known.' },
      })
      const zone = { time_zone: 'Europe/Berlin' }
      const fine = owner.client.from('preferences').update(zone).eq('user_id', owner.id)
      expect(await ok(fine.select())).toMatchObject([zone])
    })
  })

  test('defaults are the specification’s', async () => {
    expect(
      await ok(owner.client.from('contacts').insert({ user_id: owner.id }).select().single()),
    ).toMatchObject({
      lead_status: 'New',
      lead_score: 0,
      company_id: null,
    })
    expect(await add(owner, 'tasks')).toMatchObject({ priority: 'medium', completed: false })
    const deal = await ok(owner.client.from('deals').insert({ name: 'D' }).select().single())
    expect(deal).toMatchObject({ value: 0, order: 0, stage_id: null })
  })

  test('texts are stored trimmed, and empty ones as null', async () => {
    const values = { first_name: ' Ada\n', last_name: '', email: ' ada@example.com ', notes: ' ' }
    expect(await add(owner, 'contacts', values)).toMatchObject({
      first_name: 'Ada',
      last_name: null,
      email: 'ada@example.com',
      notes: null,
    })
    const company = { name: ' Acme ', website: ' ', industry: '' }
    expect(await add(owner, 'companies', company)).toMatchObject({
      name: 'Acme',
      website: null,
      industry: null,
    })
  })

  test('what people write is kept: emoji, right-to-left text, tags', async () => {
    for (const name of ['👩‍🚀 Zoë', 'محمد', '<script>alert(1)</script>', "Robert'); drop table"]) {
      expect(await add(owner, 'companies', { name })).toMatchObject({ name })
    }
  })

  test('updated_at is renewed by every write, created_at by none', async () => {
    const company = await add(owner, 'companies')
    const change = owner.client.from('companies').update({ industry: 'Tools' }).eq('id', company.id)
    const changed = await ok(change.select().single())
    expect(changed.created_at).toBe(company.created_at)
    expect(changed.updated_at > String(company.updated_at)).toBe(true)
  })

  test('search_text folds accents and case and keeps the digits of the phone number', async () => {
    const contact = { first_name: 'Zoë', last_name: 'ÅNGSTRÖM', phone_number: '+49 (0)30 123-45' }
    const { search_text } = await add(owner, 'contacts', contact)
    expect(search_text).toBe('zoe angstrom ada@example.com 4903012345')
  })

  describe('completed_at', () => {
    test('is set and cleared by the database, never by the client', async () => {
      const task = await add(owner, 'tasks')
      const tasks = () => owner.client.from('tasks')
      const done = await ok(tasks().update({ completed: true }).eq('id', task.id).select().single())
      expect(done.completed_at).not.toBeNull()
      const renamed = await ok(
        tasks().update({ title: 'Call' }).eq('id', task.id).select().single(),
      )
      expect(renamed.completed_at).toBe(done.completed_at)
      const open = await ok(
        tasks().update({ completed: false }).eq('id', task.id).select().single(),
      )
      expect(open.completed_at).toBeNull()
      const forged = { completed_at: '2020-01-01T00:00:00Z' } as never
      expect(await tasks().update(forged).eq('id', task.id)).toMatchObject({ status: 403 })
    })
  })

  describe('a deal’s stage', () => {
    let stages: Record<string, string>
    let lost: string
    beforeAll(async () => {
      const rows = await ok(owner.client.from('pipeline_stages').select().order('created_at'))
      const { pipeline_id } = rows.find((row) => row.name === 'Lead') ?? rows[0] ?? {}
      lost = (await add(owner, 'pipeline_stages', { name: 'Closed Lost', pipeline_id })).id
      const own = rows.filter((row) => row.pipeline_id === pipeline_id)
      stages = Object.fromEntries(own.map((row) => [row.name, row.id]))
    })

    function move(id: string, values: object) {
      return ok(owner.client.from('deals').update(values).eq('id', id).select().single())
    }

    test('sets closed_at when it is won or lost and clears it when it is not', async () => {
      const deal = await add(owner, 'deals', { stage_id: stages.Lead })
      expect(deal.closed_at).toBeNull()
      const won = await move(deal.id, { stage_id: stages['Closed Won'] })
      expect(won.closed_at).not.toBeNull()
      expect((await move(deal.id, { name: 'Renamed' })).closed_at).toBe(won.closed_at)
      expect((await move(deal.id, { stage_id: stages.Proposal })).closed_at).toBeNull()
      expect((await move(deal.id, { stage_id: lost })).closed_at).not.toBeNull()
      expect((await move(deal.id, { stage_id: null })).closed_at).toBeNull()
    })

    test('keeps the reason of a loss only while the deal is lost', async () => {
      const deal = await add(owner, 'deals', { stage_id: lost, lost_reason: 'Too dear' })
      expect(deal.lost_reason).toBe('Too dear')
      expect((await move(deal.id, { stage_id: stages.Lead })).lost_reason).toBeNull()
      expect((await move(deal.id, { lost_reason: 'Never' })).lost_reason).toBeNull()
    })

    test('brings its pipeline with it', async () => {
      const second = await ok(owner.client.rpc('create_pipeline', { name: 'Second' }))
      const inSecond = owner.client.from('pipeline_stages').select().eq('pipeline_id', second.id)
      const [stage] = await ok(inSecond.order('order'))
      const deal = await add(owner, 'deals', { stage_id: stages.Lead })
      expect(await move(deal.id, { stage_id: stage?.id })).toMatchObject({ pipeline_id: second.id })
      // A pipeline of its own choice leaves the stage behind.
      expect(await move(deal.id, { pipeline_id: deal.pipeline_id })).toMatchObject({
        pipeline_id: deal.pipeline_id,
        stage_id: null,
      })
    })

    test('must be of the pipeline that is named with it', async () => {
      const second = await ok(owner.client.rpc('create_pipeline', { name: 'Third' }))
      const crossed = { name: 'Crossed', pipeline_id: second.id, stage_id: stages.Lead ?? null }
      expect(await owner.client.from('deals').insert(crossed)).toMatchObject({
        status: 409,
        error: { code: '23503' },
      })
    })

    test('a deal without a stage belongs to the first pipeline', async () => {
      const pipelines = owner.client.from('pipelines').select()
      const [first] = await ok(pipelines.order('created_at').order('id').limit(1))
      expect(await add(owner, 'deals')).toMatchObject({ pipeline_id: first?.id, stage_id: null })
    })

    test('Closed Won and Closed Lost keep their names; every other stage may be renamed', async () => {
      const rename = (id: string | undefined, name: string) =>
        owner.client
          .from('pipeline_stages')
          .update({ name })
          .eq('id', id ?? '')
          .select()
      expect(await rename(stages['Closed Won'], 'Done')).toMatchObject({ status: 409 })
      expect(await rename(lost, 'Gone')).toMatchObject({ status: 409 })
      expect(await rename(stages.Qualified, 'Closed Won')).toMatchObject({ status: 409 })
      expect(await ok(rename(stages.Qualified, 'Interested'))).toMatchObject([
        { name: 'Interested' },
      ])
    })
  })

  test('the sentences of functions are in the words of the interface', async () => {
    const texts = await database().query<{ name: string; text: string }>(`
      select p.proname as name, m.text[1] as text
      from pg_proc p, regexp_matches(regexp_replace(p.prosrc, '--.*$', '', 'gn'), '''([^'']*)''', 'g') m(text)
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`)
    expect(texts.length).toBeGreaterThan(1000)
    // As CONTRIBUTING.md says: Email, "no longer exists", "already exists".
    const oldWords = /e-mail|any more|(is|are) there already/i
    expect(texts.filter(({ text }) => oldWords.test(text))).toEqual([])
  })
})
