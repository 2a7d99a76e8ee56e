import { beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Part = { rows: Json[][]; next: string | null; mark: { change: number; at: string } }
type Changes = { is_whole: boolean; rows: Json[][]; gone: string[]; mark: Json }

onAnyDatabase((database) => {
  let owner: Account

  beforeEach(async () => {
    owner = await database().signUp()
  })

  const part = async (args = {}, who = owner) =>
    (await ok(who.client.rpc('device_contacts', args))) as unknown as Part
  const changesSince = async (since: Json, who = owner) =>
    (await ok(who.client.rpc('device_changes', { since }))) as unknown as Changes
  const names = (rows: Json[][]) => rows.map(([, first]) => first).sort()
  const contact = async (first_name: string, rest = {}) =>
    (await add(owner, 'contacts', { first_name, ...rest })).id as string

  test('contacts come in parts, each once, with name, company, phone and e-mail', async () => {
    const company_id = (await add(owner, 'companies', { name: 'Acme' })).id as string
    const ada = await contact('Ada', {
      last_name: 'Byron',
      email: 'ada@engine.example',
      phone_number: '+44 20 7946',
      company_id,
    })
    await contact('Bob')
    await contact('Cleo')
    const first = await part({ page_size: 2 })
    const second = await part({ page_size: 2, after: first.next })
    expect(second.next).toBeNull()
    const rows = [...first.rows, ...second.rows]
    expect(names(rows)).toEqual(['Ada', 'Bob', 'Cleo'])
    expect(rows.find(([id]) => id === ada)).toEqual([
      ada,
      'Ada',
      'Byron',
      'ada@engine.example',
      '+44 20 7946',
      company_id,
      'Acme',
      null,
      'New',
      expect.any(String),
      null,
      null,
    ])
  })

  describe('what changed since a mark', () => {
    test('added, changed, renamed by the company, gone; not what stayed', async () => {
      const company_id = (await add(owner, 'companies', { name: 'Acme' })).id as string
      const ada = await contact('Ada')
      const bob = await contact('Bob', { company_id })
      const cleo = await contact('Cleo')
      await contact('Dora')
      const { mark } = await part()
      expect(await changesSince(mark)).toMatchObject({ is_whole: true, rows: [], gone: [] })
      await ok(owner.client.from('contacts').update({ last_name: 'Byron' }).eq('id', ada).select())
      await ok(
        owner.client.from('companies').update({ name: 'Emca' }).eq('id', company_id).select(),
      )
      await ok(owner.client.from('contacts').delete().eq('id', cleo).select())
      await contact('Eve')
      const changes = await changesSince(mark)
      expect(names(changes.rows)).toEqual(['Ada', 'Bob', 'Eve'])
      expect(changes.rows.find(([id]) => id === bob)?.[6]).toBe('Emca')
      expect(changes.gone).toEqual([cleo])
      const [last] = await ok(
        owner.client.from('changes').select('batch').eq('row_id', cleo).eq('verb', 'delete'),
      )
      await ok(owner.client.rpc('undo_batch', { batch: last?.batch ?? '' }))
      const undone = await changesSince(changes.mark)
      expect(names(undone.rows)).toEqual(['Cleo'])
      expect(undone.gone).toEqual([])
    })

    test('a mark of another log is answered with: read all', async () => {
      await contact('Ada')
      const { mark } = await part()
      const later = { ...mark, change: mark.change + 1000 }
      expect(await changesSince(later)).toMatchObject({ is_whole: false, rows: [] })
      expect(await changesSince({})).toMatchObject({ is_whole: false, rows: [] })
    })
  })

  test('open deals alone', async () => {
    const [stage] = await ok(
      owner.client.from('pipeline_stages').select('id, pipeline_id').eq('outcome', 'won').limit(1),
    )
    await add(owner, 'deals', { name: 'Open' })
    await add(owner, 'deals', {
      name: 'Won',
      stage_id: stage?.id ?? null,
      pipeline_id: stage?.pipeline_id ?? null,
    })
    const { rows } = (await ok(owner.client.rpc('device_deals'))) as unknown as {
      rows: { name: string; outcome: string }[]
    }
    expect(rows).toMatchObject([{ name: 'Open', outcome: 'open' }])
  })

  test('of another account nothing, of nobody not at all', async () => {
    const mine = await contact('Ada')
    const other = await database().signUp()
    const { mark, rows } = await part({}, other)
    expect(rows).toEqual([])
    await ok(owner.client.from('contacts').delete().eq('id', mine).select())
    const seen = await changesSince({ ...mark, change: 0 }, other)
    expect(seen).toMatchObject({ rows: [], gone: [] })
    for (const name of ['device_contacts', 'device_deals'] as const) {
      expect((await database().anonymous.rpc(name)).status).toBe(401)
    }
    const { status } = await database().anonymous.rpc('device_changes', { since: {} })
    expect(status).toBe(401)
  })
})
