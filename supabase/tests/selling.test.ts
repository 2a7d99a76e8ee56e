import { describe, expect, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

const defaultStages = ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Closed Won']

onAnyDatabase((database) => {
  describe('a pipeline', () => {
    test('comes with a new account, with the five default stages', async () => {
      const { client } = await database().signUp()
      const stages = 'name, pipeline_stages!pipeline_stages_pipeline_id_fkey(name, order)'
      const [pipeline, ...more] = await ok(client.from('pipelines').select(stages))
      expect(more).toEqual([])
      expect(pipeline?.name).toBe('Sales Pipeline')
      const inOrder = pipeline?.pipeline_stages.sort((a, b) => a.order - b.order)
      expect(inOrder).toEqual(defaultStages.map((name, index) => ({ name, order: index + 1 })))
    })

    test('is made with its five stages in one transaction', async () => {
      const { client } = await database().signUp()
      const pipeline = await ok(client.rpc('create_pipeline', { name: ' Partners ' }))
      expect(pipeline.name).toBe('Partners')
      const stages = client.from('pipeline_stages').select().eq('pipeline_id', pipeline.id)
      expect((await ok(stages.order('order'))).map((stage) => stage.name)).toEqual(defaultStages)
      const changes = await ok(client.from('changes').select('batch'))
      expect(changes).toHaveLength(6)
      expect(new Set(changes.map((change) => change.batch)).size).toBe(1)
    })

    test('without a name is refused and leaves nothing behind', async () => {
      const { client } = await database().signUp()
      expect(await client.rpc('create_pipeline', { name: ' ' })).toMatchObject({ status: 400 })
      expect(await ok(client.from('pipelines').select())).toHaveLength(1)
      expect(await ok(client.from('pipeline_stages').select())).toHaveLength(5)
    })

    test('cannot be made without a session', async () => {
      const answer = await database().anonymous.rpc('create_pipeline', { name: 'x' })
      expect(answer).toMatchObject({ status: 401 })
    })
  })

  describe('move_deal', () => {
    async function board(orders: number[]) {
      const owner = await database().signUp()
      const stages = await ok(owner.client.from('pipeline_stages').select().order('order'))
      const [lead, won] = [stages[0]?.id ?? '', stages[4]?.id ?? '']
      const deals: string[] = []
      for (const [index, order] of orders.entries()) {
        deals.push((await add(owner, 'deals', { name: `D${index}`, order, stage_id: lead })).id)
      }
      return { owner, lead, won, deals }
    }

    async function column(owner: Account, stageId: string): Promise<string[]> {
      const deals = owner.client.from('deals').select('name').eq('stage_id', stageId)
      const rows = await ok(
        deals.order('order').order('created_at', { ascending: false }).order('id'),
      )
      return rows.map((row) => row.name)
    }

    async function written(owner: Account): Promise<number> {
      const [last] = await ok(
        owner.client.from('changes').select('batch').order('id', { ascending: false }).limit(1),
      )
      const rows = await ok(
        owner.client
          .from('changes')
          .select('id')
          .eq('batch', last?.batch ?? ''),
      )
      return rows.length
    }

    test('places a card between two others and writes one row', async () => {
      const { owner, lead, deals } = await board([1, 2, 3, 4])
      const [first, second, , last] = deals
      await ok(
        owner.client.rpc('move_deal', {
          id: last ?? null,
          stage_id: lead,
          before_id: first ?? null,
          after_id: second ?? null,
        }),
      )
      expect(await column(owner, lead)).toEqual(['D0', 'D3', 'D1', 'D2'])
      expect(await written(owner)).toBe(1)
    })

    test('places it first, last, and in an empty column', async () => {
      const { owner, lead, won, deals } = await board([1, 2, 3])
      const [a, b, c] = deals
      const move = (id: string | undefined, stage_id: string, near: object = {}) =>
        ok(owner.client.rpc('move_deal', { id: id ?? null, stage_id, ...near }))
      await move(c, lead, { after_id: a })
      expect(await column(owner, lead)).toEqual(['D2', 'D0', 'D1'])
      await move(c, lead, { before_id: b })
      expect(await column(owner, lead)).toEqual(['D0', 'D1', 'D2'])
      const moved = await move(a, won)
      expect(moved.closed_at).not.toBeNull()
      await move(b, won)
      expect(await column(owner, won)).toEqual(['D0', 'D1'])
      expect(await written(owner)).toBe(1)
    })

    test('writes one row for deals that were never placed, but for a place between two of them', async () => {
      const { owner, lead, won, deals } = await board([0, 0, 0, 0])
      const [top = '', , , bottom = ''] = await column(owner, lead)
      const idOf = (name: string) => deals[Number(name.slice(1))] ?? null
      const move = async (name: string, stage_id: string, near: object = {}) => {
        await ok(owner.client.rpc('move_deal', { id: idOf(name), stage_id, ...near }))
        expect(await written(owner)).toBe(1)
      }
      await move(bottom, lead, { after_id: idOf(top) })
      expect((await column(owner, lead))[0]).toBe(bottom)
      await move(bottom, lead)
      expect((await column(owner, lead))[3]).toBe(bottom)
      await move(bottom, won)
      await move(top, won, { after_id: idOf(bottom) })
      expect(await column(owner, won)).toEqual([top, bottom])
    })

    test('numbers the column anew on a tie, in one batch', async () => {
      const { owner, lead, deals } = await board([0, 0, 0, 0])
      const before = await column(owner, lead)
      const [top, second] = before.map((name) => deals[Number(name.slice(1))])
      const bottom = deals[Number(before[3]?.slice(1))]
      await ok(
        owner.client.rpc('move_deal', {
          id: bottom ?? null,
          stage_id: lead,
          before_id: top ?? null,
          after_id: second ?? null,
        }),
      )
      expect(await column(owner, lead)).toEqual([before[0], before[3], before[1], before[2]])
      expect(await written(owner)).toBe(4)
    })

    test('numbers the column anew when no number is left between two', async () => {
      const { owner, lead, deals } = await board([1, 1 + Number.EPSILON, 5])
      await ok(
        owner.client.rpc('move_deal', {
          id: deals[2] ?? null,
          stage_id: lead,
          before_id: deals[0] ?? null,
          after_id: deals[1] ?? null,
        }),
      )
      expect(await column(owner, lead)).toEqual(['D0', 'D2', 'D1'])
    })

    test('stays right through many moves to the same place', async () => {
      const turns = isLong ? 120 : 20
      const { owner, lead, deals } = await board([1, 2, 3])
      for (let turn = 0; turn < turns; turn++) {
        const [, second, third] = await column(owner, lead)
        const id = deals[Number(third?.slice(1))] ?? null
        const after_id = deals[Number(second?.slice(1))] ?? null
        await ok(owner.client.rpc('move_deal', { id, stage_id: lead, after_id }))
        expect(await column(owner, lead)).toEqual(['D0', third, second])
      }
    })

    test('passes over a neighbour that has left the column', async () => {
      const { owner, lead, won, deals } = await board([1, 2, 3])
      await ok(owner.client.rpc('move_deal', { id: deals[0] ?? null, stage_id: won }))
      await ok(
        owner.client.rpc('move_deal', {
          id: deals[2] ?? null,
          stage_id: lead,
          before_id: deals[0] ?? null,
          after_id: deals[1] ?? null,
        }),
      )
      expect(await column(owner, lead)).toEqual(['D2', 'D1'])
    })

    test('takes a deal out of every stage', async () => {
      const { owner, deals } = await board([1])
      const moved = await ok(
        owner.client.rpc('move_deal', { id: deals[0] ?? null, stage_id: null }),
      )
      expect(moved).toMatchObject({ stage_id: null, pipeline_id: expect.any(String) })
    })

    test('knows neither another user’s deal nor another user’s stage', async () => {
      const mine = await board([1])
      const theirs = await board([1])
      const id = mine.deals[0] ?? null
      expect(
        await theirs.owner.client.rpc('move_deal', { id, stage_id: theirs.lead }),
      ).toMatchObject({ status: 404, error: { message: 'This deal no longer exists.' } })
      expect(await mine.owner.client.rpc('move_deal', { id, stage_id: theirs.lead })).toMatchObject(
        { status: 404, error: { message: 'The chosen stage no longer exists.' } },
      )
    })
  })
})
