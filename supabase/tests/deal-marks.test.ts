import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { writeRows } from './random-sales.ts'
import { add } from './samples.ts'

type Card = { id: string; name: string; stage_since: string | null; stalls_at: string | null }

const day = 86_400_000

onAnyDatabase((database) => {
  let owner: Account
  let pipeline: string
  let stages: Record<string, string>

  beforeEach(async () => {
    owner = await database().signUp()
    const rows = await ok(owner.client.from('pipeline_stages').select('id, name, pipeline_id'))
    pipeline = rows[0]?.pipeline_id ?? ''
    stages = Object.fromEntries(rows.map(({ id, name }) => [name, id]))
  })

  /** A deal that came to its stage so many days ago. */
  const deal = async (name: string, stage: string | null, days = 0) => {
    const id = randomUUID()
    const moment = new Date(Date.now() - days * day).toISOString()
    const stage_id = stage && stages[stage]
    const stamps = { created_at: moment, updated_at: moment, stage_since: moment }
    await writeRows(database(), owner, 'deals', [
      {
        id,
        name,
        value: 0,
        order: 0,
        custom: {},
        tags: [],
        pipeline_id: pipeline,
        stage_id,
        ...stamps,
      },
    ])
    return id
  }
  const move = (id: string, stage: string | null) =>
    ok(
      owner.client
        .from('deals')
        .update({ stage_id: stage === null ? null : (stages[stage] ?? '') })
        .eq('id', id)
        .select(),
    )
  const card = async (id: string) => (await ok(owner.client.rpc('deal_record', { id }))) as Card
  const days = async (id: string) => {
    const { stage_since, stalls_at } = await card(id)
    return (Date.parse(stalls_at ?? '') - Date.parse(stage_since ?? '')) / day
  }
  const named = async (attention: string[], account = owner) => {
    const filter = { attention }
    const page = (await ok(
      account.client.rpc('deal_page', { filter, sort: 'name', descending: false }),
    )) as {
      rows: Card[]
    }
    const totals = (await ok(account.client.rpc('deal_totals', { filter }))) as { count: number }
    expect(totals.count).toBe(page.rows.length)
    return page.rows.map(({ name }) => name)
  }
  /** So many deals leave the first stage after so many days each. */
  const leave = async (stays: number[]) => {
    const left: string[] = []
    for (const stay of stays) {
      const id = await deal('Gone', 'Lead', stay)
      await move(id, 'Proposal')
      left.push(id)
    }
    return left
  }

  test('an open deal stalls after 14 days in its stage, until five have left it: then after their median', async () => {
    const waiting = await deal('Waiting', 'Lead')
    expect(await days(waiting)).toBe(14)
    await leave([1, 2, 30, 40])
    expect(await days(waiting)).toBe(14)
    await leave([9])
    expect(await days(waiting)).toBeCloseTo(9, 3)
    // Others learn nothing from it.
    const stranger = await database().signUp()
    const foreign = await add(stranger, 'deals', { name: 'Foreign' })
    expect(await ok(stranger.client.rpc('deal_record', { id: String(foreign.id) }))).toMatchObject({
      name: 'Foreign',
    })
    const seen = await database().query<{ count: string }>(
      'select count(*) from private.usual_stays where user_id = ?::uuid',
      stranger.id,
    )
    expect(Number(seen[0]?.count)).toBe(0)
  })

  test('the filter finds what has no next step, what has stalled, and either', async () => {
    const calm = await deal('Calm', 'Lead')
    await add(owner, 'tasks', { title: 'Call', deal_id: calm })
    const slow = await deal('Slow', 'Lead', 15)
    await add(owner, 'tasks', { title: 'Call', deal_id: slow })

    const done = await deal('Done', 'Lead')
    await add(owner, 'tasks', { title: 'Called', deal_id: done, completed: true })
    await deal('Loose', null)
    await deal('Won', 'Closed Won', 99)

    expect(await named(['no_next_step'])).toEqual(['Done', 'Loose'])
    expect(await named(['stalled'])).toEqual(['Slow'])
    expect(await named(['no_next_step', 'stalled'])).toEqual(['Done', 'Loose', 'Slow'])
    expect(await named(['stalled'], await database().signUp())).toEqual([])
    const { error } = await owner.client.rpc('deal_page', { filter: { attention: ['x'] } })
    expect(error?.message).toBe('The filter has a part that is not known.')
    const board = (await ok(
      owner.client.rpc('deal_board', {
        pipeline,
        filter: { attention: ['stalled'] },
      }),
    )) as { count: number }[]
    expect(board.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0])
  })
  test('a deal about which somebody has just written has not stalled; what is automatic moves nothing', async () => {
    const slow = await deal('Slow', 'Lead', 30)
    await add(owner, 'tasks', { title: 'Call', deal_id: slow })
    const mailed = (daysAgo: number, more: object = {}) =>
      add(owner, 'mails', {
        ...{ message_id: `<${randomUUID()}@x>`, sender: 'eve@else.example', deal: slow },
        sent_at: new Date(Date.now() - daysAgo * day).toISOString(),
        ...more,
      })
    const needy = async () => {
      const dashboard = await ok(
        owner.client.rpc('dashboard', { at: new Date().toISOString(), time_zone: 'UTC' }),
      )
      return (dashboard as { attention: { total: number } }).attention.total
    }
    await mailed(15)
    await mailed(1, { is_automatic: true })
    expect(await named(['stalled'])).toEqual(['Slow'])
    expect(await needy()).toBe(1)
    await mailed(3, { direction: 'out' })
    expect(await named(['stalled'])).toEqual([])
    expect(await needy()).toBe(0)
    // Fourteen days after the mail.
    expect(Math.round(await days(slow))).toBe(27 + 14)
  })

  describe('a stay', () => {
    test('begins with each stage, ends without one, and other changes leave it alone', async () => {
      const id = await deal('Moving', 'Lead', 20)

      const { stage_since: before } = await card(id)
      await ok(owner.client.from('deals').update({ name: 'Renamed' }).eq('id', id).select())
      expect((await card(id)).stage_since).toBe(before)
      await move(id, 'Proposal')
      expect(Date.now() - Date.parse((await card(id)).stage_since ?? '')).toBeLessThan(day)
      await move(id, null)
      expect(await card(id)).toMatchObject({ stage_since: null, stalls_at: null })
      await move(id, 'Closed Won')
      expect((await card(id)).stage_since).not.toBeNull()
      expect((await card(id)).stalls_at).toBeNull()
      const { error } = await owner.client
        .from('deals')
        .update({ stage_since: '2020-01-01' } as never)
        .eq('id', id)
      expect(error?.code).toBe('42501')
    })

    test('comes back with the stage when its move is undone, and such a move is not measured', async () => {
      const [id = ''] = await leave([3, 4, 5, 6, 7])
      const waiting = await deal('Waiting', 'Lead')
      expect(await days(waiting)).toBeCloseTo(5, 3)
      const [last] = await ok(
        owner.client
          .from('changes')
          .select('batch')
          .eq('row_id', id)
          .order('id', { ascending: false })
          .limit(1),
      )
      await ok(owner.client.rpc('undo_batch', { batch: last?.batch ?? '' }))
      const back = await card(id)
      expect((Date.now() - Date.parse(back.stage_since ?? '')) / day).toBeCloseTo(3, 1)
      expect(await days(waiting)).toBe(14)
    })

    test('is told by nothing in the history: a bulk move is still one sentence', async () => {
      const ids = [await deal('One', 'Lead', 5), await deal('Two', 'Lead')]
      await ok(
        owner.client.rpc('update_deals', {
          filter: { ids },
          changes: { stage_id: stages.Proposal ?? '' },
        }),
      )
      const { rows } = (await ok(owner.client.rpc('history_page', { page_size: 1 }))) as {
        rows: { groups: { before: Json; after: Json }[] }[]
      }
      expect(rows[0]?.groups).toMatchObject([
        { count: 2, before: { stage_id: stages.Lead }, after: { stage_id: stages.Proposal } },
      ])
    })

    test('survives the trash and a stage that goes and comes back', async () => {
      const id = await deal('Kept', 'Lead', 6)

      const { stage_since: since } = await card(id)
      const undo = async (batch: string | null) =>
        ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
      const gone = (await ok(owner.client.rpc('delete_deals', { filter: { ids: [id] } }))) as {
        batch: string
      }
      await undo(gone.batch)
      expect((await card(id)).stage_since).toBe(since)
      const lead = stages.Lead ?? ''
      await ok(owner.client.from('pipeline_stages').delete().eq('id', lead).select())
      expect((await card(id)).stage_since).toBeNull()
      const [cut] = await ok(
        owner.client.from('changes').select('batch').eq('row_id', lead).eq('verb', 'delete'),
      )
      await undo(cut?.batch ?? null)
      expect((await card(id)).stage_since).toBe(since)
    })
  })
})
