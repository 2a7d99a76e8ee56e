import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { outcomeNamed } from '#domain/deal.ts'
import { usualProbability } from '#domain/pipeline.ts'
import type { Json } from '#lib/database.types.ts'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Stage = {
  id: string
  name: string
  order: number
  outcome: string
  win_probability: number
  deals: number
}
type Pipeline = { id: string; name: string; deals: number; stages: Stage[] }
type Wanted = { id?: string | undefined; name?: unknown; win_probability?: unknown }
type Saved = { batch: string | null }

onAnyDatabase((database) => {
  async function list(account: Account): Promise<Pipeline[]> {
    const answer: unknown = await ok(account.client.rpc('pipeline_list', undefined as never))
    return answer as Pipeline[]
  }

  /** An account with its first pipeline, a deal in Lead, two in Proposal, one in Closed Won, one in none. */
  async function account() {
    const owner = await database().signUp()
    const [first] = await list(owner)
    if (!first) throw new Error('An account comes with a pipeline.')
    const id = (name: string) => first.stages.find((stage) => stage.name === name)?.id ?? ''
    for (const stage of ['Lead', 'Proposal', 'Proposal', 'Closed Won', null]) {
      const stage_id = stage ? id(stage) : null
      await add(owner, 'deals', { name: stage ?? 'None', stage_id, pipeline_id: first.id })
    }
    /** The stages as an editor holds them. */
    const stages = (...without: string[]): Wanted[] =>
      first.stages
        .filter(({ name }) => !without.includes(name))
        .map(({ id: stage, name, win_probability }) => ({ id: stage, name, win_probability }))
    const save = (wanted: unknown, moves?: unknown, pipeline = first.id) =>
      owner.client.rpc('save_stages', {
        pipeline,
        stages: wanted as Json,
        ...(moves === undefined ? {} : { moves: moves as Json }),
      })
    const saved = async (wanted: unknown, moves?: unknown) =>
      (await ok(save(wanted, moves))) as unknown as Saved
    return { owner, first, id, stages, save, saved }
  }

  /** Everything that a write could have changed, without the stamp that each write renews. */
  async function everything({ client }: Account) {
    const read = [
      await ok(client.from('pipelines').select().order('id')),
      await ok(client.from('pipeline_stages').select().order('id')),
      await ok(client.from('deals').select().order('id')),
    ]
    return read.map((rows) => rows.map((row) => ({ ...row, updated_at: null })))
  }

  async function names(owner: Account): Promise<string[]> {
    const [first] = await list(owner)
    return (first?.stages ?? []).map(({ name }) => name)
  }

  /** The stage of each deal by the deal's name. */
  async function places(owner: Account) {
    const answer: unknown = await ok(owner.client.rpc('deal_page', { sort: 'name', filter: {} }))
    const { rows } = answer as { rows: { name: string; stage_name: string | null }[] }
    return rows.map(({ name, stage_name }) => `${name}: ${stage_name}`).sort()
  }

  async function undo({ client }: Account, batch: string | null) {
    const answer = await ok(client.rpc('undo_batch', { batch: batch ?? '' }))
    expect(answer).toMatchObject({ conflicts: [] })
  }

  describe('the list of pipelines', () => {
    test('the oldest first, with their stages in order and their deals counted', async () => {
      const { owner, first } = await account()
      const made = await ok(owner.client.rpc('create_pipeline', { name: 'Partners' }))
      const [one, two, ...more] = await list(owner)
      expect(more).toEqual([])
      expect(one).toMatchObject({ id: first.id, name: 'Sales Pipeline', deals: 5 })
      expect(
        one?.stages.map(({ name, order, outcome, deals }) => [name, order, outcome, deals]),
      ).toEqual([
        ['Lead', 1, 'open', 1],
        ['Qualified', 2, 'open', 0],
        ['Proposal', 3, 'open', 2],
        ['Negotiation', 4, 'open', 0],
        ['Closed Won', 5, 'won', 1],
      ])
      expect(two).toMatchObject({ id: made.id, deals: 0 })
      expect(two?.stages.map(({ win_probability }) => win_probability)).toEqual([
        10, 25, 50, 75, 100,
      ])
      const stranger = await database().signUp()
      expect(await list(stranger)).toMatchObject([{ deals: 0 }])
    })
  })

  describe('stages are saved as they shall stand, in one batch, and undone at once', () => {
    test('renamed, given a probability, put in another order, added', async () => {
      const { owner, stages, saved, id } = await account()
      const before = await everything(owner)
      const [lead, qualified, proposal, negotiation, won] = stages()
      const wanted = [
        { ...qualified, name: ' Interested ' },
        { ...lead, win_probability: 33 },
        { id: randomUUID(), name: 'Pilot', win_probability: 0 },
        { name: 'Without an id', win_probability: 100 },
        won,
        negotiation,
        proposal,
      ]
      const { batch } = await saved(wanted)
      const [now] = await list(owner)
      expect(now?.stages.map((stage) => [stage.name, stage.order, stage.win_probability])).toEqual([
        ['Interested', 1, 25],
        ['Lead', 2, 33],
        ['Pilot', 3, 0],
        ['Without an id', 4, 100],
        ['Closed Won', 5, 100],
        ['Negotiation', 6, 75],
        ['Proposal', 7, 50],
      ])
      expect(now?.stages[1]).toMatchObject({ id: id('Lead'), deals: 1 })
      await undo(owner, batch)
      expect(await everything(owner)).toEqual(before)
    })

    test('two stages swap their names', async () => {
      const { owner, stages, saved } = await account()
      const before = await everything(owner)
      const [lead, qualified, ...rest] = stages()
      const swapped = [{ ...lead, name: 'Qualified' }, { ...qualified, name: 'Lead' }, ...rest]
      const { batch } = await saved(swapped)
      expect((await names(owner)).slice(0, 2)).toEqual(['Qualified', 'Lead'])
      expect(await places(owner)).toContain('Lead: Qualified')
      await undo(owner, batch)
      expect(await everything(owner)).toEqual(before)
    })

    test('a new stage takes the name of one that goes', async () => {
      const { owner, stages, saved, id } = await account()
      const before = await everything(owner)
      const fresh = { id: randomUUID(), name: 'Proposal', win_probability: 60 }
      const { batch } = await saved([...stages('Proposal'), fresh], { [id('Proposal')]: fresh.id })
      const [now] = await list(owner)
      expect(now?.stages.at(-1)).toMatchObject({ id: fresh.id, name: 'Proposal', deals: 2 })
      await undo(owner, batch)
      expect(await everything(owner)).toEqual(before)
    })

    test('removed: unused ones at once, used ones when it is said where their deals go', async () => {
      const { owner, stages, save, saved, id } = await account()
      const before = await everything(owner)
      const unused = await saved(stages('Qualified', 'Negotiation'))
      expect(await names(owner)).toEqual(['Lead', 'Proposal', 'Closed Won'])
      await undo(owner, unused.batch)
      expect(await everything(owner)).toEqual(before)

      for (const moves of [undefined, {}, null, { [id('Lead')]: 'none' }]) {
        expect(await save(stages('Lead', 'Proposal'), moves)).toMatchObject({
          status: 409,
          error: { code: 'PT409', message: expect.stringMatching(/Say where they go/) },
        })
        expect(await everything(owner)).toEqual(before)
      }
      const used = await saved(stages('Lead', 'Proposal'), {
        [id('Lead')]: 'none',
        [id('Proposal')]: id('Qualified'),
        // One that stays is not emptied.
        [id('Negotiation')]: 'none',
      })
      expect(await places(owner)).toEqual([
        'Closed Won: Closed Won',
        'Lead: null',
        'None: null',
        'Proposal: Qualified',
        'Proposal: Qualified',
      ])
      expect(await names(owner)).toEqual(['Qualified', 'Negotiation', 'Closed Won'])
      await undo(owner, used.batch)
      expect(await everything(owner)).toEqual(before)
    })

    test('Closed Won and Closed Lost cannot be removed, but by what undoes their coming', async () => {
      const { owner, stages, save, id } = await account()
      const before = await everything(owner)
      const lost = await ok(
        owner.client.rpc('close_deals', { filter: { search: 'Proposal' }, outcome: 'lost' }),
      )
      const added = (await list(owner))[0]?.stages.at(-1)
      expect(added?.name).toBe('Closed Lost')
      const now = await everything(owner)
      const refused = {
        status: 409,
        error: { code: 'PT409', message: expect.stringMatching(/cannot be removed.*Nothing was/) },
      }
      const open = stages('Closed Won')
      const won = { id: id('Closed Won'), name: 'Closed Won', win_probability: 100 }
      // Whether or not it is said where the deals go; of lost ones alone; under the same name anew.
      expect(await save([...open, added])).toMatchObject(refused)
      expect(await save([...open, added], { [won.id]: 'none' })).toMatchObject(refused)
      expect(await save(stages(), { [added?.id ?? '']: 'none' })).toMatchObject(refused)
      const anew = [...open, { ...won, id: randomUUID() }, added]
      expect(await save(anew, { [won.id]: 'none' })).toMatchObject(refused)
      const remove = owner.client.from('pipeline_stages').delete().eq('id', won.id).select()
      expect(await remove).toMatchObject(refused)
      expect(await everything(owner)).toEqual(now)

      const { batch } = lost as unknown as Saved
      await undo(owner, batch)
      expect(await everything(owner)).toEqual(before)
    })

    test('what already stands so is no batch', async () => {
      const { owner, stages, saved } = await account()
      const stamps = () => ok(owner.client.from('pipeline_stages').select('updated_at').order('id'))
      const before = await stamps()
      expect(await saved(stages())).toEqual({ batch: null })
      expect(await stamps()).toEqual(before)
    })

    test('a stage that another window removed meanwhile is not made anew', async () => {
      const { owner, stages, save, id } = await account()
      await ok(owner.client.from('pipeline_stages').delete().eq('id', id('Qualified')).select())
      const before = await everything(owner)
      expect(await save(stages())).toMatchObject({
        status: 409,
        error: { code: 'PT409', message: expect.stringMatching(/removed meanwhile/) },
      })
      expect(await everything(owner)).toEqual(before)
    })

    test('deals that came to a removed stage meanwhile are asked about', async () => {
      const { owner, stages, save, id } = await account()
      await add(owner, 'deals', { stage_id: id('Negotiation') })
      expect(await save(stages('Negotiation'))).toMatchObject({ status: 409 })
      expect(await names(owner)).toContain('Negotiation')
    })

    test('Closed Won keeps its name, and no other stage is given it', async () => {
      const { owner, stages, save } = await account()
      const before = await everything(owner)
      const all = stages()
      for (const [place, name] of [
        [4, 'Done'],
        [4, 'closed won'],
        [3, 'Closed Lost'],
      ] as const) {
        const wanted = all.map((stage, index) => (index === place ? { ...stage, name } : stage))
        expect(await save(wanted)).toMatchObject({
          status: 409,
          error: { message: expect.stringMatching(/keep their names/) },
        })
      }
      const [lead, ...rest] = all
      const swapped = [{ ...lead, name: 'Closed Won' }, ...rest.slice(0, 3)]
      expect(await save([...swapped, { ...rest[3], name: 'Lead' }])).toMatchObject({ status: 409 })
      expect(await everything(owner)).toEqual(before)
    })

    test('what cannot be is refused and changes nothing', async () => {
      const { owner, first, stages, save, id } = await account()
      const stranger = await account()
      const partners = await ok(owner.client.rpc('create_pipeline', { name: 'Partners' }))
      const other = (await list(owner))[1]?.stages[0]
      const before = [await everything(owner), await everything(stranger.owner)]
      const [lead, ...rest] = stages()
      const lessLead = { [id('Lead')]: id('Qualified') }
      const fresh = { name: 'x', win_probability: 5 }
      const cases: [unknown, unknown, number, string][] = [
        [[], {}, 400, 'PT400'],
        [null, {}, 400, 'PT400'],
        [{}, {}, 400, 'PT400'],
        [[1], {}, 400, '22023'],
        [[...stages(), lead], {}, 400, 'PT400'],
        [[...stages(), { ...fresh, name: 'Lead' }], {}, 409, '23505'],
        [[...stages(), { ...fresh, name: ' ' }], {}, 400, '23514'],
        [[...stages(), { ...fresh, name: 'x'.repeat(201) }], {}, 400, '23514'],
        [[...stages(), { ...fresh, win_probability: 101 }], {}, 400, '23514'],
        [[...stages(), { ...fresh, win_probability: -1 }], {}, 400, '23514'],
        [[...stages(), { ...fresh, win_probability: 1e9 }], {}, 400, '22003'],
        [[...stages(), { ...fresh, win_probability: 1.5 }], {}, 400, '22P02'],
        [[...stages(), { ...fresh, win_probability: null }], {}, 400, '23502'],
        [[...stages(), { ...fresh, id: 'x' }], {}, 400, '22P02'],
        // Of another pipeline, of someone else.
        [[...stages(), { ...fresh, id: other?.id }], {}, 409, 'PT409'],
        [[...stages(), { ...fresh, id: stranger.id('Lead') }], {}, 409, '23505'],
        [rest, { [id('Lead')]: other?.id }, 409, 'PT409'],
        [rest, { [id('Lead')]: stranger.id('Lead') }, 409, 'PT409'],
        [rest, { [id('Lead')]: id('Lead') }, 409, 'PT409'],
        [rest, { [id('Lead')]: randomUUID() }, 409, 'PT409'],
        [rest, { [id('Lead')]: null }, 409, 'PT409'],
        [stages('Lead', 'Qualified'), lessLead, 409, 'PT409'],
        [rest, { x: 'none' }, 400, '22P02'],
        [rest, [], 400, '22023'],
      ]
      for (const [wanted, moves, status, code] of cases) {
        const answer = await save(wanted, moves)
        expect([wanted, moves, answer]).toMatchObject([wanted, moves, { status, error: { code } }])
      }
      // Someone else's pipeline, one that is gone, and someone else's stage as one that is removed.
      for (const pipeline of [stranger.first.id, randomUUID()]) {
        const answer = await save([fresh], {}, pipeline)
        expect(answer).toMatchObject({ status: 404, error: { code: 'PT404' } })
      }
      const moved = await save(stages(), { [stranger.id('Lead')]: id('Lead') })
      expect(moved).toMatchObject({ error: null })
      expect(
        await database().anonymous.rpc('save_stages', { pipeline: first.id, stages: [] }),
      ).toMatchObject({ status: 401 })
      expect([await everything(owner), await everything(stranger.owner)]).toEqual(before)
      expect(partners.name).toBe('Partners')
    })

    test('two windows at the same time never lose a deal’s place without a word', async () => {
      const { owner, stages, save, id } = await account()
      const deals = await ok(owner.client.from('deals').select('id').eq('name', 'Lead'))
      const [moved, saved] = await Promise.all([
        owner.client.rpc('move_deal', { id: deals[0]?.id ?? null, stage_id: id('Negotiation') }),
        save(stages('Negotiation')),
      ])
      // Whoever comes second hears of it.
      expect([moved.error === null, saved.error === null].sort()).toEqual([false, true])
      expect(await places(owner)).toContain(moved.error ? 'Lead: Lead' : 'Lead: Negotiation')
    })
  })

  describe('a pipeline is deleted', () => {
    const remove = (owner: Account, id: string | undefined, moveTo?: string | null) =>
      owner.client.rpc('delete_pipeline', {
        id: id ?? null,
        ...(moveTo === undefined ? {} : { move_to: moveTo }),
      })

    test('without deals at once, with its stages, in one batch', async () => {
      const { owner } = await account()
      const made = await ok(owner.client.rpc('create_pipeline', { name: 'Partners' }))
      const before = await everything(owner)
      const done: unknown = await ok(remove(owner, made.id))
      expect(await list(owner)).toHaveLength(1)
      await undo(owner, (done as Saved).batch)
      expect(await everything(owner)).toEqual(before)
    })

    test('with deals they go to the stage of the same name, or to none', async () => {
      const { owner, first, id } = await account()
      const { client } = owner
      await ok(
        client.rpc('close_deals', { filter: { search: 'None' }, outcome: 'lost', reason: 'No' }),
      )
      const partners = await ok(client.rpc('create_pipeline', { name: 'Partners' }))
      const target = (await list(owner))[1]
      await ok(
        client
          .from('pipeline_stages')
          .delete()
          .eq('pipeline_id', partners.id)
          .eq('name', 'Proposal')
          .select(),
      )
      await add(owner, 'pipeline_stages', { pipeline_id: partners.id, name: 'Closed Lost' })
      const before = await everything(owner)
      const closed = () =>
        ok(client.from('deals').select('name, closed_at, lost_reason').order('name'))
      const days = await closed()

      for (const moveTo of [undefined, null, first.id, randomUUID()]) {
        expect(await remove(owner, first.id, moveTo)).toMatchObject({
          status: 409,
          error: { code: 'PT409', message: expect.stringMatching(/Say to which pipeline/) },
        })
      }
      const stranger = await account()
      expect(await remove(owner, first.id, stranger.first.id)).toMatchObject({ status: 409 })
      expect(await everything(owner)).toEqual(before)

      const done: unknown = await ok(remove(owner, first.id, partners.id))
      expect(await list(owner)).toMatchObject([{ id: partners.id, deals: 5 }])
      expect(await places(owner)).toEqual([
        'Closed Won: Closed Won',
        'Lead: Lead',
        'None: Closed Lost',
        'Proposal: null',
        'Proposal: null',
      ])
      // Neither when it was closed nor why it was lost changes with the pipeline.
      expect(await closed()).toEqual(days)
      expect(days.filter(({ closed_at }) => closed_at)).toHaveLength(2)
      const leads = client.from('deals').select('stage_id').eq('name', 'Lead')
      expect(await ok(leads)).toEqual([
        { stage_id: target?.stages.find(({ name }) => name === 'Lead')?.id },
      ])
      await undo(owner, (done as Saved).batch)
      expect(await everything(owner)).toEqual(before)
      expect(await places(owner)).toContain('Proposal: Proposal')
      expect(id('Proposal')).not.toBe('')
    })

    test('the last one, someone else’s and one that is gone are not', async () => {
      const { owner, first } = await account()
      const stranger = await account()
      await ok(stranger.owner.client.rpc('create_pipeline', { name: 'Partners' }))
      const before = [await everything(owner), await everything(stranger.owner)]
      expect(await remove(owner, first.id)).toMatchObject({
        status: 409,
        error: { code: 'PT409', message: expect.stringMatching(/last pipeline/) },
      })
      for (const id of [stranger.first.id, randomUUID(), undefined]) {
        expect(await remove(owner, id, first.id)).toMatchObject({
          status: 404,
          error: { code: 'PT404' },
        })
      }
      expect(await remove({ ...owner, client: database().anonymous }, first.id)).toMatchObject({
        status: 401,
      })
      expect([await everything(owner), await everything(stranger.owner)]).toEqual(before)
    })

    test('two at the same time leave one', async () => {
      const owner = await database().signUp()
      await ok(owner.client.rpc('create_pipeline', { name: 'Partners' }))
      const both = await list(owner)
      const answers = await Promise.all(both.map(({ id }) => remove(owner, id)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(await list(owner)).toHaveLength(1)
    })
  })

  test('a deal that changes to the same outcome elsewhere keeps its day, to another one does not', async () => {
    const { owner, id } = await account()
    const { client } = owner
    await ok(client.rpc('create_pipeline', { name: 'Partners' }))
    const [first, second] = await list(owner)
    await database().query(
      "insert into public.pipeline_stages (user_id, pipeline_id, name) values (?, ?, 'Closed Lost')",
      owner.id,
      first?.id,
    )
    const stageOf = async (pipeline: Pipeline | undefined, name: string) =>
      ok(
        client
          .from('pipeline_stages')
          .select('id')
          .eq('pipeline_id', pipeline?.id ?? '')
          .eq('name', name)
          .single(),
      )
    const [deal] = await ok(client.from('deals').select().eq('stage_id', id('Closed Won')))
    const put = async (stage_id: string) => {
      const rows = client.from('deals').update({ stage_id })
      const [row] = await ok(rows.eq('id', deal?.id ?? '').select('closed_at'))
      return row?.closed_at
    }
    expect(await put((await stageOf(second, 'Closed Won')).id)).toBe(deal?.closed_at)
    expect(await put((await stageOf(first, 'Closed Lost')).id)).not.toBe(deal?.closed_at)
    expect(await put(id('Lead'))).toBeNull()
  })

  describe('the outcome of a stage', () => {
    async function outcomes({ client }: Account) {
      const stages = await ok(client.from('pipeline_stages').select().order('order'))
      return stages.map(({ name, outcome }) => [name, outcome])
    }
    const usual = [
      ['Lead', 'open'],
      ['Qualified', 'open'],
      ['Proposal', 'open'],
      ['Negotiation', 'open'],
      ['Closed Won', 'won'],
    ]

    test('comes with its name, and nobody writes it', async () => {
      const { owner, saved, stages } = await account()
      const lost = { id: randomUUID(), name: 'Closed Lost', win_probability: 0 }
      await saved([...stages(), lost])
      expect(await outcomes(owner)).toEqual([...usual, ['Closed Lost', 'lost']])
      const own: Record<string, unknown> = { outcome: 'open' }
      const { error } = await owner.client
        .from('pipeline_stages')
        .update(own as never)
        .eq('id', lost.id)
      expect(error?.code).toBe('42501')
    })

    test('and the default probability are those that the forms show before they are saved', async () => {
      const { owner, first } = await account()
      for (const name of ['Pilot', 'Closed Lost']) {
        const made = await add(owner, 'pipeline_stages', { pipeline_id: first.id, name })
        expect(made).toMatchObject({ win_probability: usualProbability })
      }
      const all = await outcomes(owner)
      expect(all.map(([name = '']) => [name, outcomeNamed(name)])).toEqual(all)
    })

    test('is found anew for stages of an older backup, and of an older entry of the log', async () => {
      const { owner } = await account()
      const parts = (await backUp(owner)).map(({ kind, lines }) => ({
        kind,
        lines: lines.map((line) => line.replace(/"outcome": ?"(?:open|won|lost)",? ?/, '')),
      }))
      expect(JSON.stringify(parts)).not.toContain('outcome')
      const other = await database().signUp()
      expect((await sendBackup(other, parts)).error).toBeNull()
      expect(await outcomes(other)).toEqual(usual)

      await ok(other.client.rpc('create_pipeline', { name: 'Partners' }))
      const first = (await list(other)).find(({ name }) => name === 'Sales Pipeline')
      const second = (await list(other)).find(({ name }) => name === 'Partners')
      const answer: unknown = await ok(
        other.client.rpc('delete_pipeline', { id: first?.id ?? '', move_to: second?.id ?? '' }),
      )
      await database().query(
        "update public.changes set before = before - 'outcome' where user_id = ?",
        other.id,
      )
      await ok(other.client.rpc('undo_batch', { batch: (answer as Saved).batch ?? '' }))
      const back = await ok(
        other.client
          .from('pipeline_stages')
          .select()
          .eq('pipeline_id', first?.id ?? '')
          .order('order'),
      )
      expect(back.map(({ name, outcome }) => [name, outcome])).toEqual(usual)
    })
  })
})
