import { beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { backUp, type Part, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { fieldCalls, gold, options, silver } from './own-field-calls.ts'
import { add } from './samples.ts'

type Undone = { batch: string; undone: number; conflicts: { reason: string }[] }

onAnyDatabase((database) => {
  let owner: Account
  let calls: ReturnType<typeof fieldCalls>
  beforeEach(async () => {
    owner = await database().signUp()
    calls = fieldCalls(owner)
  })
  const undo = async (batch: string, conflicts = 'refuse') =>
    (await ok(owner.client.rpc('undo_batch', { batch, conflicts }))) as Undone

  test('a write adds to what a record holds, and takes away what it says null of', async () => {
    const [one, other] = [await calls.field('text'), await calls.field('number')]
    const { id } = await add(owner, 'contacts', { custom: { [one]: '  a ', [other]: 1.5 } })
    expect(await calls.custom(id)).toEqual({ [one]: 'a', [other]: 1.5 })
    await calls.write(id, { [one]: 'b' })
    expect(await calls.custom(id)).toEqual({ [one]: 'b', [other]: 1.5 })
    await calls.write(id, { [one]: null })
    expect(await calls.custom(id)).toEqual({ [other]: 1.5 })
    // Spaces are no value.
    await calls.write(id, { [one]: ' \n' })
    await calls.write(id, null)
    expect(await calls.custom(id)).toEqual({ [other]: 1.5 })
  })

  test('nobody fills a field of another account, or of another table', async () => {
    const foreign = await fieldCalls(await database().signUp()).field('text')
    const ofDeals = await calls.field('text', { record: 'deals' })
    for (const field of [foreign, ofDeals, crypto.randomUUID(), 'notes']) {
      const answer = await owner.client.from('contacts').insert({ custom: { [field]: 'x' } })
      expect(answer).toMatchObject({
        status: 409,
        error: { message: expect.stringContaining('no longer exists') },
      })
    }
    for (const custom of [[5], 'x', 5] as Json[]) {
      expect(await owner.client.from('contacts').insert({ custom })).toMatchObject({ status: 400 })
    }
  })

  test('the log tells each field by itself, and undo of one leaves the others', async () => {
    const [one, other] = [await calls.field('text'), await calls.field('text')]
    const { id } = await add(owner, 'contacts', { custom: { [one]: 'a', [other]: 'a' } })
    await calls.write(id, { [one]: 'b' })
    const batch = await calls.lastBatch(id)
    await calls.write(id, { [other]: 'c' })
    const logged = owner.client.from('changes').select('before, after, names').eq('batch', batch)
    expect(await ok(logged)).toEqual([
      {
        before: { [`custom.${one}`]: 'a' },
        after: { [`custom.${one}`]: 'b' },
        names: { [one]: expect.stringMatching(/^Field /) },
      },
    ])
    expect((await undo(batch)).conflicts).toMatchObject([{ reason: 'changed' }])
    await undo(batch, 'all')
    expect(await calls.custom(id)).toEqual({ [one]: 'a', [other]: 'c' })
  })

  test('an option that is removed is seen on no record, and undo brings it back to all', async () => {
    const one = await calls.field('choice', { options })
    const several = await calls.field('several choices', { options })
    const both = { [one]: gold, [several]: [silver, gold] }
    const { id } = await add(owner, 'contacts', { custom: both })
    // In the order of the options.
    expect(await calls.custom(id)).toEqual({ [one]: gold, [several]: [gold, silver] })
    expect(await ok(owner.client.rpc('field_option_counts', { id: several }))).toEqual({
      [gold]: 1,
      [silver]: 1,
    })
    const left = options.filter((option) => option.id === silver)
    const keep = (field: string) =>
      ok(owner.client.from('fields').update({ options: left }).eq('id', field).select())
    await keep(one)
    await keep(several)
    const counts = async () => ok(owner.client.rpc('field_counts', { record: 'contacts' }))
    const filled = async (field: string, isFilled: boolean) => {
      const filter = { fields: { [field]: { filled: isFilled } } }
      return ok(owner.client.rpc('contact_count', { filter }))
    }
    expect(await counts()).toEqual({ [one]: 0, [several]: 1 })
    expect([await filled(one, true), await filled(one, false)]).toEqual([0, 1])
    expect(await ok(owner.client.rpc('field_option_counts', { id: several }))).toEqual({
      [silver]: 1,
    })
    // One line of the log each, however many records have it.
    const batch = await calls.lastBatch(one)
    expect(await ok(owner.client.from('changes').select('table_name').eq('batch', batch))).toEqual([
      { table_name: 'fields' },
    ])
    // Nobody can choose it any more.
    const answer = await owner.client.from('contacts').insert({ custom: { [one]: gold } })
    expect(answer).toMatchObject({ status: 400 })
    await undo(batch)
    expect(await counts()).toEqual({ [one]: 1, [several]: 1 })
    await undo(await calls.lastBatch(several))
    expect(await calls.custom(id)).toEqual({ [one]: gold, [several]: [gold, silver] })
    const gone = 'select id from private.gone_options where user_id = ?'
    expect(await database().query(gone, owner.id)).toEqual([])
  })

  test('a merge takes no removed option, and the value of another record in its place', async () => {
    const one = await calls.field('choice', { options })
    const several = await calls.field('several choices', { options })
    const kept = await add(owner, 'contacts', { custom: { [one]: gold } })
    const other = await add(owner, 'contacts', {
      custom: { [one]: silver, [several]: [gold, silver] },
    })
    for (const field of [one, several]) {
      const left = options.filter((option) => option.id === silver)
      await ok(owner.client.from('fields').update({ options: left }).eq('id', field).select())
    }
    const seen = Object.fromEntries([kept, other].map(({ id, updated_at }) => [id, updated_at]))
    await ok(owner.client.rpc('merge_contacts', { keep: kept.id, seen: seen as never }))
    expect(await calls.custom(kept.id)).toEqual({ [one]: silver, [several]: [silver] })
  })

  test('thirty days later a removed option is gone from every record, without a word in the log', async () => {
    const one = await calls.field('choice', { options })
    const several = await calls.field('several choices', { options })
    const custom = { [one]: gold, [several]: [gold, silver] }
    const { id } = await add(owner, 'contacts', { custom })
    for (const field of [one, several]) {
      const left = options.filter((option) => option.id === silver)
      await ok(owner.client.from('fields').update({ options: left }).eq('id', field).select())
    }
    const sweep = async () => {
      await database().query('select private.sweep_fields(10)')
      await database().query('select private.sweep_fields(10)')
    }
    await sweep()
    expect(await calls.custom(id)).toEqual(custom)
    const lastBatch = await calls.lastBatch(id)
    await database().query(
      `update private.gone_options set gone_at = gone_at - interval '31 days' where user_id = ?`,
      owner.id,
    )
    await sweep()
    expect(await calls.custom(id)).toEqual({ [several]: [silver] })
    expect(await calls.lastBatch(id)).toBe(lastBatch)
    const gone = 'select id from private.gone_options where user_id = ?'
    expect(await database().query(gone, owner.id)).toEqual([])
  })

  test('a backup brings fields and values to another account', async () => {
    const one = await calls.field('choice', { options, name: 'Level' })
    const several = await calls.field('several choices', { options, name: 'Levels' })
    const text = await calls.field('text', { name: 'Remark' })
    const custom = { [one]: gold, [several]: [gold, silver], [text]: 'Tea' }
    const { id } = await add(owner, 'contacts', { first_name: 'Ada', custom })
    await calls.write(id, { [text]: 'Coffee' })
    await ok(owner.client.rpc('delete_field', { id: several }))
    const parts = await backUp(owner)

    // The other has a field of one name with other options, and one of the same name and another kind.
    const other = await database().signUp()
    const theirs = fieldCalls(other)
    const level = await theirs.field('choice', {
      name: 'LEVEL',
      options: [{ id: '~gggggg1', name: 'gold', color: 'red' }],
    })
    await theirs.field('number', { name: 'Remark' })
    expect((await sendBackup(other, parts, { account: owner.id, version: 2 })).error).toBeNull()
    const fields = await ok(other.client.from('fields').select().order('position'))
    expect(fields).toMatchObject([
      { id: level, options: [{ name: 'gold' }, { name: 'Silver', id: silver }] },
      { name: 'Remark', kind: 'number' },
      { name: expect.stringMatching(/^Remark \(restored /), kind: 'text' },
    ])
    const [contact] = await ok(other.client.from('contacts').select('id, custom'))
    expect(contact?.custom).toMatchObject({
      [level]: '~gggggg1',
      [fields[2]?.id ?? '']: 'Coffee',
    })
    // What was deleted can be brought back there too, with its values.
    const trash = await ok(other.client.rpc('trash_page', { filter: { kind: ['fields'] } }))
    const [deleted] = (trash as { rows: { batch: string }[] }).rows
    await ok(other.client.rpc('restore_deleted', { batch: deleted?.batch ?? '' }))
    const [levels] = await ok(other.client.from('fields').select('id').eq('name', 'Levels'))
    expect(levels?.id).not.toBe(several)
    expect(await theirs.custom(contact?.id ?? '')).toMatchObject({
      [levels?.id ?? '']: [gold, silver],
    })
    // The same file a second time adds nothing.
    const again = await sendBackup(other, parts, { account: owner.id, version: 2 })
    expect(again.data).toMatchObject({ batch: null })

    // Into an empty account all of it comes as it was; a file of version 1 has no fields.
    const third = await database().signUp()
    expect((await sendBackup(third, parts, { account: owner.id, version: 2 })).error).toBeNull()
    expect(await ok(third.client.from('fields').select('name, kind').order('position'))).toEqual([
      { name: 'Level', kind: 'choice' },
      { name: 'Remark', kind: 'text' },
    ])
    const fourth = await database().signUp()
    expect((await sendBackup(fourth, ofFirstVersion(parts))).error).toBeNull()
    expect(await ok(fourth.client.from('contacts').select('first_name, custom'))).toEqual([
      { first_name: 'Ada', custom: {} },
    ])
  })

  test('whoever deletes the account deletes the fields', async () => {
    const id = await calls.field('text')
    await add(owner, 'contacts', { custom: { [id]: 'x' } })
    const gone = await owner.client.rpc('delete_account', { address: owner.email })
    expect(gone.error).toBeNull()
    expect(await database().query('select from public.fields where id = ?', id)).toEqual([])
  })
})

onAnyDatabase((database) => {
  let owner: Account
  let calls: ReturnType<typeof fieldCalls>
  beforeEach(async () => {
    owner = await database().signUp()
    calls = fieldCalls(owner)
  })
  const refused = (words: string, status = 400) => ({
    status,
    error: { message: expect.stringContaining(words) },
  })

  test('a new field comes last, and an order is one batch', async () => {
    const made = []
    for (const name of ['A', 'B', 'C']) made.push(await calls.field('text', { name }))
    const [a = '', b = '', c = ''] = made
    await calls.field('text', { name: 'Z', record: 'deals' })
    expect(await calls.names()).toEqual(['A', 'B', 'C'])
    const answer = await ok(owner.client.rpc('order_fields', { ids: [c, a] }))
    expect(answer).toMatchObject({ count: 3 })
    expect(await calls.names()).toEqual(['C', 'A', 'B'])
    // Who was renamed meanwhile stays renamed, and the renaming can be undone after a new order.
    await ok(owner.client.from('fields').update({ name: 'Other' }).eq('id', b).select())
    const renamed = await calls.lastBatch(b)
    await ok(owner.client.rpc('order_fields', { ids: [b] }))
    await ok(owner.client.rpc('undo_batch', { batch: renamed }))
    expect(await calls.names()).toEqual(['B', 'C', 'A'])
    expect(await owner.client.rpc('order_fields', { ids: [a, crypto.randomUUID()] })).toMatchObject(
      refused('no longer exists', 409),
    )
  })
  const values: [kind: string, good: [Json, Json?][], bad: Json[]][] = [
    ['text', [[' a '], ['x'.repeat(500)]], ['x'.repeat(501), 5, true, ['a'], {}]],
    ['long text', [['a\nb'], ['x'.repeat(10_000)]], ['x'.repeat(10_001), 5]],
    ['number', [[0], [-1.5], [1e12], [0.000001]], [1e12 + 1, 0.0000001, '5', false]],
    ['money', [[0], [999_999_999_999.99], [0.01]], [-1, 1e12, 0.001, '5']],
    [
      'day',
      [['1900-01-01'], ['2200-12-31'], ['2024-02-29'], [' 2026-11-17 ', '2026-11-17']],
      ['2026-02-29', '2026-13-01', '1899-12-31', '2201-01-01', '17.11.2026', 20_261_117],
    ],
    ['yes/no', [[true], [false]], ['yes', 1]],
    ['choice', [[gold]], ['~0000000', 'Gold', 1, [gold]]],
    [
      'several choices',
      [
        [[gold]],
        [
          [silver, gold, gold],
          [gold, silver],
        ],
      ],
      [gold, ['Gold'], [1], [gold, '~0000000']],
    ],
    [
      'link',
      [['https://acme.com/a?b']],
      ['acme.com', 'javascript:alert(1)', `https://${'x'.repeat(493)}`],
    ],
    ['email', [['a@b']], ['a', 'a b@c', `${'x'.repeat(499)}@b`]],
    ['phone', [['+49 30 1']], ['1'.repeat(501), 30]],
  ]
  test.each(values)('what a field of the kind %s takes', async (kind, good, bad) => {
    const field = await calls.field(kind, kind.includes('choice') ? { options } : {})
    const { id } = await add(owner, 'contacts')
    for (const [value, stored = value] of good) {
      await calls.write(id, { [field]: value })
      const expected = typeof stored === 'string' ? stored.trim() : stored
      expect(await calls.custom(id)).toEqual({ [field]: expected })
    }
    const before = await calls.custom(id)
    for (const value of bad) {
      const answer = await owner.client
        .from('contacts')
        .update({ custom: { [field]: value } })
        .eq('id', id)
      expect(answer, JSON.stringify(value)).toMatchObject(refused('Nothing was saved'))
    }
    expect(await calls.custom(id)).toEqual(before)
    if (kind === 'several choices') {
      await calls.write(id, { [field]: [] })
      expect(await calls.custom(id)).toEqual({})
    }
  })

  test('fields that are refused, in words', async () => {
    const insert = (values: object) =>
      owner.client
        .from('fields')
        .insert({ record: 'contacts', kind: 'choice', name: 'Level', ...values } as never)
    const many = Array.from({ length: 101 }, (_, place) => ({
      id: `~${String(place).padStart(7, '0')}`,
      name: `Option ${place}`,
      color: 'gray',
    }))
    const [first] = options
    for (const [values, words] of [
      [{ options: many }, 'at most 100 options'],
      [{ options: [{ ...first, color: 'beige' }] }, 'cannot be read'],
      [{ options: [{ ...first, id: 'gold' }] }, 'cannot be read'],
      [{ options: [{ ...first, name: ' ' }] }, '1 to 60 letters'],
      [{ options: [{ ...first, name: 'x'.repeat(61) }] }, '1 to 60 letters'],
      [{ options: { gold: 'Gold' } }, 'cannot be read'],
      [{ options, kind: 'text' }, 'Only a choice'],
    ] as const) {
      expect(await insert(values)).toMatchObject(refused(words))
    }
    const twice = options.map((option) => ({
      ...option,
      name: option.name === 'Gold' ? 'gold' : 'GOLD',
    }))
    expect(await insert({ options: twice })).toMatchObject(refused('the same name', 409))
    for (const values of [
      { name: ' ' },
      { name: 'x'.repeat(61) },
      { kind: 'moment' },
      { record: 'tasks' },
    ]) {
      expect(await insert(values)).toMatchObject({ status: 400, error: { code: '23514' } })
    }
    const field = await calls.field('text', { name: ' Level ' })
    expect(await insert({ name: 'LEVEL' })).toMatchObject(refused('already a field', 409))
    expect((await insert({ name: 'Level', record: 'deals' })).error).toBeNull()
    expect(
      await owner.client
        .from('fields')
        .update({ kind: 'number' } as never)
        .eq('id', field),
    ).toMatchObject({ status: 403 })
  })

  test('at most a hundred fields a table', async () => {
    const rows = Array.from({ length: 100 }, (_, place) => ({
      record: 'deals' as const,
      kind: 'text' as const,
      name: `Field ${place}`,
    }))
    expect((await owner.client.from('fields').insert(rows)).error).toBeNull()
    expect(
      await owner.client.from('fields').insert({ record: 'deals', kind: 'text', name: 'One more' }),
    ).toMatchObject(refused('at most 100 custom fields', 409))
    await calls.field('text')
  })

  test('what stands in the way of an undo', async () => {
    const field = await calls.field('text', { name: 'Level' })
    const added = await calls.lastBatch(field)
    const undo = async (batch: string) =>
      (await ok(owner.client.rpc('undo_batch', { batch }))) as Undone
    await add(owner, 'contacts', { custom: { [field]: 'x' } })
    expect((await undo(added)).conflicts).toMatchObject([{ reason: 'in use' }])
    await ok(owner.client.from('fields').delete().eq('id', field).select())
    const deleted = await calls.lastBatch(field)
    await calls.field('number', { name: 'level' })
    expect((await undo(deleted)).conflicts).toMatchObject([{ reason: 'name taken' }])
  })

  test('a value whose field is gone does not come back; one whose option is gone comes back with the option', async () => {
    const [one, other] = [await calls.field('choice', { options }), await calls.field('text')]
    const { id } = await add(owner, 'contacts', { custom: { [one]: gold, [other]: 'x' } })
    await ok(owner.client.from('contacts').delete().eq('id', id).select())
    const deleted = await calls.lastBatch(id)
    await ok(owner.client.from('fields').delete().eq('id', other).select())
    await ok(owner.client.rpc('remove_for_good', { filter: { kind: ['fields'] } }))
    await ok(
      owner.client
        .from('fields')
        .update({ options: options.filter((option) => option.id !== gold) })
        .eq('id', one)
        .select(),
    )
    const removed = await calls.lastBatch(one)
    await ok(owner.client.rpc('undo_batch', { batch: deleted }))
    const counts = async () => ok(owner.client.rpc('field_counts', { record: 'contacts' }))
    expect(await counts()).toEqual({ [one]: 0 })
    await ok(owner.client.rpc('undo_batch', { batch: removed }))
    expect(await counts()).toEqual({ [one]: 1 })
    expect(await calls.custom(id)).toEqual({ [one]: gold })
  })

  test('what is removed for good is not in the log any more', async () => {
    const field = await calls.field('text', { name: 'Secret field' })
    const { id } = await add(owner, 'contacts', { custom: { [field]: 'secret one' } })
    await calls.write(id, { [field]: 'secret two' })
    const gone = await add(owner, 'contacts', { custom: { [field]: 'secret three' } })
    await ok(owner.client.from('contacts').delete().eq('id', gone.id).select())
    await ok(owner.client.from('fields').delete().eq('id', field).select())
    const log = async () => JSON.stringify(await ok(owner.client.from('changes').select()))
    expect((await log()).match(/secret/gi)).toHaveLength(7)
    await ok(owner.client.rpc('remove_for_good', { filter: { kind: ['fields'] } }))
    expect(await log()).not.toMatch(/secret/i)
    expect(await ok(owner.client.rpc('history_page'))).toMatchObject({ next: null })
  })

  test('what was deleted thirty days ago is not in the log any more', async () => {
    const field = await calls.field('text', { name: 'Secret field' })
    await add(owner, 'contacts', { custom: { [field]: 'secret' } })
    await ok(owner.client.from('fields').delete().eq('id', field).select())
    await database().query(
      `update public.changes set created_at = now() - interval '31 days' where user_id = ?`,
      owner.id,
    )
    await add(owner, 'companies')
    const log = JSON.stringify(await ok(owner.client.from('changes').select()))
    expect(log).not.toMatch(/secret/i)
  })

  test('history and timeline tell the names of then', async () => {
    const field = await calls.field('choice', { options, name: 'Level' })
    const { id } = await add(owner, 'contacts', { custom: { [field]: gold } })
    await calls.write(id, { [field]: silver })
    await ok(owner.client.from('fields').update({ name: 'Rank' }).eq('id', field).select())
    await ok(owner.client.from('fields').delete().eq('id', field).select())
    const change = {
      before: { [`custom.${field}`]: gold },
      after: { [`custom.${field}`]: silver },
      names: { [field]: 'Level', [gold]: 'Gold', [silver]: 'Silver' },
    }
    const timeline = await ok(owner.client.rpc('record_timeline', { record: 'contact', id }))
    expect(timeline).toMatchObject([change, { verb: 'insert' }])
    const history = (await ok(owner.client.rpc('history_page'))) as { rows: object[] }
    expect(history.rows).toMatchObject([
      { groups: [{ table_name: 'fields', verb: 'delete' }] },
      { groups: [{ table_name: 'fields', verb: 'update' }] },
      { groups: [change] },
      {},
      {},
    ])
  })

  describe('a merge', () => {
    test('fills what the kept record lacks, and sets what was chosen', async () => {
      const [a, b, c, d] = [
        await calls.field('text'),
        await calls.field('text'),
        await calls.field('text'),
        await calls.field('text'),
      ]
      const keep = await add(owner, 'contacts', { custom: { [a]: 'kept', [b]: 'kept' } })
      const gone = await add(owner, 'contacts', {
        custom: { [a]: 'gone', [b]: 'gone', [c]: 'gone', [d]: 'gone' },
      })
      const seen = { [keep.id]: keep.updated_at, [gone.id]: gone.updated_at } as never
      const changes = { custom: { [b]: 'gone', [d]: null } }
      const answer = await ok(owner.client.rpc('merge_contacts', { keep: keep.id, seen, changes }))
      expect(await calls.custom(keep.id)).toEqual({ [a]: 'kept', [b]: 'gone', [c]: 'gone' })
      await ok(owner.client.rpc('undo_batch', { batch: (answer as { batch: string }).batch }))
      expect(await calls.custom(keep.id)).toEqual(keep.custom)
      expect(await calls.custom(gone.id)).toEqual(gone.custom)
    })

    test('of companies too', async () => {
      const field = await calls.field('text', { record: 'companies' })
      const keep = await add(owner, 'companies')
      const gone = await add(owner, 'companies', { custom: { [field]: 'x' } })
      const seen = { [keep.id]: keep.updated_at, [gone.id]: gone.updated_at } as never
      await ok(owner.client.rpc('merge_companies', { keep: keep.id, seen }))
      expect(await calls.custom(keep.id, 'companies')).toEqual({ [field]: 'x' })
    })
  })

  describe('an import', () => {
    test('fills fields, and changes only those that it has a value for', async () => {
      const imports = importCalls(owner)
      const [a, b] = [await calls.field('text'), await calls.field('number')]
      const row = { first_name: 'Ada', custom: { [a]: 'x', [b]: 1 } }
      expect((await imports.whole('contacts', rowsOf(row))).summary).toMatchObject({ added: 1 })
      const again = rowsOf({ first_name: 'Ada', custom: { [a]: 'x' } })
      expect((await imports.whole('contacts', again, 'update')).summary).toMatchObject({
        updated: 0,
      })
      const news = rowsOf({ first_name: 'Ada', custom: { [a]: 'y' } })
      const { summary, batch } = await imports.whole('contacts', news, 'update')
      expect(summary).toMatchObject({ updated: 1 })
      const stored = async () => {
        const [contact] = await ok(owner.client.from('contacts').select('custom'))
        return contact?.custom
      }
      expect(await stored()).toEqual({ [a]: 'y', [b]: 1 })
      await ok(owner.client.rpc('undo_batch', { batch: String(batch) }))
      expect(await stored()).toEqual({ [a]: 'x', [b]: 1 })
    })

    test('people of whom a file says nothing else are told apart by them', async () => {
      const imports = importCalls(owner)
      const field = await calls.field('text')
      const rows = rowsOf({ custom: { [field]: 'x' } }, { custom: { [field]: 'y' } })
      expect((await imports.whole('contacts', rows)).summary).toMatchObject({ added: 2 })
      expect((await imports.whole('contacts', rows)).summary).toMatchObject({ added: 0 })
    })

    test('of deals: a row with a new value is no twin, and a wrong value refuses it', async () => {
      const imports = importCalls(owner)
      const field = await calls.field('number', { record: 'deals' })
      const row = (value: unknown) => rowsOf({ name: 'Renewal', custom: { [field]: value } })
      expect((await imports.whole('deals', row(1))).summary).toMatchObject({ added: 1 })
      const same = await imports.staged('deals', row(1))
      expect(await imports.check(same)).toMatchObject({ twin: 1, known: 0 })
      const other = await imports.staged('deals', row(2))
      expect(await imports.check(other)).toMatchObject({ twin: 0, known: 1 })
      expect((await imports.commit(other, 'update')).summary).toMatchObject({ updated: 1 })
      const [deal] = await ok(owner.client.from('deals').select('id, custom'))
      expect(deal?.custom).toEqual({ [field]: 2 })
      const id = await imports.staged('deals', row('many'))
      expect(await owner.client.rpc('commit_import', { id, duplicates: 'update' })).toMatchObject(
        refused('must be a number'),
      )
    })
  })

  test('cards and records tell the values', async () => {
    for (const [table, record] of [
      ['contacts', 'contact'],
      ['companies', 'company'],
      ['deals', 'deal'],
    ] as const) {
      const field = await calls.field('text', { record: table })
      const custom = { [field]: 'x' }
      const { id } = await add(owner, table, { custom })
      expect(await ok(owner.client.rpc(`${record}_page`))).toMatchObject({ rows: [{ custom }] })
      expect(await ok(owner.client.rpc(`${record}_record`, { id }))).toMatchObject({ custom })
    }
  })

  test('a choice that is renamed is still the same', async () => {
    const field = await calls.field('choice', { options })
    const { id, updated_at } = await add(owner, 'contacts', { custom: { [field]: gold } })
    const renamed = options.map((option) => ({ ...option, name: `${option.name} star` }))
    await ok(owner.client.from('fields').update({ options: renamed }).eq('id', field).select())
    const [contact] = await ok(owner.client.from('contacts').select().eq('id', id))
    expect(contact).toMatchObject({ updated_at, custom: { [field]: gold } })
  })
})

/** As a backup was before there were fields. */
function ofFirstVersion(parts: Part[]): Part[] {
  return parts
    .filter(({ kind }) => kind === 'contacts')
    .map(({ kind, lines }) => ({
      kind,
      lines: lines.map((line) => {
        const { custom: _, ...rest } = JSON.parse(line)
        return JSON.stringify(rest)
      }),
    }))
}
