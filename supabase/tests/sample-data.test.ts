import { expect, test } from 'vitest'
import { batchWords } from '#domain/batch-words.ts'
import type { LoggedBatch } from '#domain/log.ts'
import type { Report } from '#domain/report.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

const tables = ['companies', 'contacts', 'deals', 'tasks', 'notes', 'pipeline_stages'] as const

async function counts({ client }: Account): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const name of tables) found[name] = (await ok(client.from(name).select('id'))).length
  return found
}

async function hasSamples({ client }: Account): Promise<boolean> {
  return ((await ok(client.rpc('dashboard'))) as { has_samples: boolean }).has_samples
}

const load = ({ client }: Account) => client.rpc('load_sample_data', { time_zone: 'Europe/Berlin' })

onAnyDatabase((database) => {
  test('a seller’s half year comes in one batch, and its figures and charts have something to show', async () => {
    const owner = await database().signUp()
    const neighbour = await database().signUp()
    const before = await counts(owner)
    const { batch } = (await ok(load(owner))) as { batch: string }
    expect(await counts(owner)).toEqual({
      companies: 13,
      contacts: 40,
      deals: 26,
      tasks: 20,
      notes: 30,
      pipeline_stages: 6,
    })
    const batches = await ok(owner.client.from('changes').select('batch'))
    expect(new Set(batches.map((row) => row.batch))).toEqual(new Set([batch]))
    const report = (await ok(owner.client.rpc('report'))) as unknown as Report
    expect(report.stages.filter(({ count }) => count > 0)).toHaveLength(7)
    expect(report.months.filter(({ won }) => won > 0).length).toBeGreaterThan(4)
    expect(report.forecast.filter(({ count }) => count > 0).length).toBeGreaterThan(4)
    expect(report.conversion.stages.map(({ reached }) => reached)).toEqual([25, 20, 14, 10, 7])
    expect(report.lost_reasons[0]).toMatchObject({ reason: 'Too expensive', count: 2 })
    expect(report.weeks.filter((week) => week.call + week.meeting > 0).length).toBeGreaterThan(6)
    const dashboard = (await ok(owner.client.rpc('dashboard', { time_zone: 'Europe/Berlin' }))) as {
      contacts: { recent: number; before: number }
      today: { total: number }
      overdue: { total: number }
      attention: { total: number }
      has_samples: boolean
    }
    expect(dashboard).toMatchObject({ has_samples: true, overdue: { total: 2 } })
    expect(dashboard.contacts.recent).toBeGreaterThan(dashboard.contacts.before)
    expect(dashboard.today.total).toBe(4)
    expect(dashboard.attention.total).toBeGreaterThan(3)
    const [deal] = await ok(
      owner.client.from('deals').select('*').eq('name', 'Solvane drone pilot'),
    )
    expect(deal?.lost_reason).toBe('Too expensive')
    expect(Date.parse(deal?.closed_at ?? '')).toBeLessThan(Date.now() - 7 * 86_400_000)
    const mails = await ok(owner.client.from('contacts').select('email'))
    expect(
      mails.every(({ email }) => /^[a-z.]+@([a-z-]+\.example|example\.com)$/.test(email ?? '')),
    ).toBe(true)
    expect(await counts(neighbour)).toEqual(before)
    expect(await hasSamples(neighbour)).toBe(false)
  })

  test('one call takes them away again, edited or not, and nothing of the user’s own', async () => {
    const owner = await database().signUp()
    const { client } = owner
    const mine = await add(owner, 'contacts', { first_name: 'Mine' })
    await ok(load(owner))
    const [company] = await ok(client.from('companies').select('id').eq('name', 'Halden Robotics'))
    const [deal] = await ok(client.from('deals').select('id').eq('name', 'Kestrel depot pilot'))
    await ok(
      client
        .from('companies')
        .update({ name: 'Edited' })
        .eq('id', company?.id ?? '')
        .select(),
    )
    await ok(
      client
        .from('contacts')
        .update({ company_id: company?.id ?? '' })
        .eq('id', mine.id)
        .select(),
    )
    const task = await add(owner, 'tasks', { title: 'My own', deal_id: deal?.id ?? '' })
    const [lost] = await ok(client.from('pipeline_stages').select('id').eq('name', 'Closed Lost'))
    const own = await add(owner, 'deals', { name: 'My deal', stage_id: lost?.id ?? '' })

    const answer = (await ok(client.rpc('remove_sample_data'))) as { count: number; batch: string }
    expect(answer.count).toBe(13 + 40 + 26 + 20 + 30)
    expect(await counts(owner)).toEqual({
      companies: 0,
      contacts: 1,
      deals: 1,
      tasks: 1,
      notes: 0,
      // A deal of the user's own is there now.
      pipeline_stages: 6,
    })
    expect(await ok(client.from('contacts').select('id, company_id'))).toEqual([
      { id: mine.id, company_id: null },
    ])
    expect(await ok(client.from('tasks').select('id, deal_id'))).toEqual([
      { id: task.id, deal_id: null },
    ])
    expect(await ok(client.from('deals').select('id, stage_id'))).toEqual([
      { id: own.id, stage_id: lost?.id },
    ])
    expect(await hasSamples(owner)).toBe(false)

    // The way back, and then away again.
    await ok(client.rpc('undo_batch', { batch: answer.batch }))
    expect(await hasSamples(owner)).toBe(true)
    expect(await ok(client.from('tasks').select('deal_id').eq('id', task.id))).toEqual([
      { deal_id: deal?.id },
    ])
    await ok(client.rpc('remove_sample_data'))
    expect(await counts(owner)).toMatchObject({ companies: 0, contacts: 1, deals: 1, tasks: 1 })
  })

  test('they are loaded once, can be loaded again when they are gone, and taken back as one step', async () => {
    const owner = await database().signUp()
    const before = await counts(owner)
    const answers = await Promise.all([load(owner), load(owner)])
    expect(answers.map(({ error }) => error?.message ?? '').toSorted()).toEqual([
      '',
      'The sample data is already loaded.',
    ])
    await ok(owner.client.rpc('remove_sample_data'))
    expect(await counts(owner)).toEqual(before)
    const { error } = await owner.client.rpc('remove_sample_data')
    expect(error?.message).toBe('The sample data is already gone.')
    const { batch } = (await ok(load(owner))) as { batch: string }
    await ok(owner.client.rpc('undo_batch', { batch }))
    expect(await counts(owner)).toEqual(before)
    expect(await hasSamples(owner)).toBe(false)
    const entries = await history(owner)
    expect(entries).toEqual([
      expect.stringMatching(/^Undid: /),
      'Loaded sample data',
      'Removed the sample data',
      'Loaded sample data',
    ])
  })

  test('stages of another kind are filled too, and nobody without a session loads anything', async () => {
    const owner = await database().signUp()
    const [usual] = await ok(owner.client.from('pipelines').select('id'))
    const [own] = await ok(owner.client.from('pipelines').insert({ name: 'Own' }).select('id'))
    const stage = { pipeline_id: own?.id ?? '', name: 'Proposal', order: 1 }
    await ok(owner.client.from('pipeline_stages').insert(stage).select())
    await ok(owner.client.rpc('delete_pipeline', { id: usual?.id ?? '' }))
    await ok(load(owner))
    const stages = await ok(owner.client.from('pipeline_stages').select('id, name').order('order'))
    expect(stages.map(({ name }) => name)).toEqual(['Proposal', 'Closed Won', 'Closed Lost'])
    for (const { id } of stages) {
      expect(
        (await ok(owner.client.from('deals').select('id').eq('stage_id', id))).length,
      ).toBeGreaterThan(0)
    }
    for (const name of ['load_sample_data', 'remove_sample_data'] as const) {
      expect(await database().anonymous.rpc(name)).toMatchObject({ error: { code: '42501' } })
    }
  })
})

async function history({ client }: Account): Promise<string[]> {
  const { rows } = (await ok(client.rpc('history_page'))) as unknown as { rows: LoggedBatch[] }
  return rows.map((entry) =>
    batchWords(entry, { timeZone: 'UTC' })
      .sentence.map(({ text }) => text)
      .join(''),
  )
}
