import { beforeEach, expect, test } from 'vitest'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { fieldCalls, gold, options } from './own-field-calls.ts'
import { add } from './samples.ts'

type Page = { rows: { id: string }[] }

onAnyDatabase((database) => {
  let owner: Account
  let calls: ReturnType<typeof fieldCalls>
  beforeEach(async () => {
    owner = await database().signUp()
    calls = fieldCalls(owner)
  })
  const counts = async () => ok(owner.client.rpc('field_counts', { record: 'contacts' }))
  const remove = async (id: string) =>
    (await ok(owner.client.rpc('delete_field', { id }))) as { batch: string }
  const undo = (batch: string, conflicts = 'refuse') =>
    ok(owner.client.rpc('undo_batch', { batch, conflicts }))
  const found = async (search: string) => {
    const page = await ok(owner.client.rpc('contact_page', { filter: { search } }))
    return (page as unknown as Page).rows.map(({ id }) => id)
  }
  const foundEverywhere = async (words: string) => {
    const hits = await ok(owner.client.rpc('search_everything', { words }))
    return (hits as { id: string }[]).map(({ id }) => id)
  }
  /** As long ago as the trash keeps it, and a day. */
  const expire = (batch: string) =>
    database().query(
      `update public.changes set created_at = created_at - interval '31 days' where batch = ?`,
      batch,
    )
  const left = () =>
    database().query('select id from private.gone_fields where user_id = ?', owner.id)

  test('a deleted field is gone with its values, in one line of the log, and comes back with all of them', async () => {
    const [one, other] = [await calls.field('choice', { options }), await calls.field('text')]
    const custom = { [one]: gold, [other]: 'stays' }
    const { id } = await add(owner, 'contacts', { custom })
    expect(await counts()).toEqual({ [one]: 1, [other]: 1 })
    // A plain delete of the row does the same as delete_field.
    await ok(owner.client.from('fields').delete().eq('id', one).select())
    expect(await counts()).toEqual({ [other]: 1 })
    const batch = await calls.lastBatch(one)
    expect(await ok(owner.client.from('changes').select('table_name').eq('batch', batch))).toEqual([
      { table_name: 'fields' },
    ])
    // Nobody can write into it, and what is written beside it leaves its values alone.
    const answer = await owner.client.from('contacts').insert({ custom: { [one]: gold } })
    expect(answer).toMatchObject({ status: 409 })
    await calls.write(id, { [other]: 'changed' })
    await undo(batch)
    expect(await counts()).toEqual({ [one]: 1, [other]: 1 })
    expect(await calls.custom(id)).toEqual({ [one]: gold, [other]: 'changed' })
    const [field] = await ok(owner.client.from('fields').select('options').eq('id', one))
    expect(field?.options).toEqual(options)
    expect(await left()).toEqual([])
    // And once more, and back out of the trash.
    const again = await remove(one)
    expect(await ok(owner.client.rpc('trash_page'))).toMatchObject({ rows: [{ kind: 'fields' }] })
    await ok(owner.client.rpc('restore_deleted', { batch: again.batch }))
    expect(await counts()).toEqual({ [one]: 1, [other]: 1 })
  })

  test('no search finds what a deleted field holds', async () => {
    const [one, phone] = [await calls.field('text'), await calls.field('phone')]
    const other = await calls.field('text')
    const { id } = await add(owner, 'contacts', {
      first_name: 'Tea',
      last_name: 'Hidden',
      custom: { [one]: 'tea unicorn', [phone]: '+49 30 5556677', [other]: 'giraffe' },
    })
    const unseen = ['unicorn', '030 5556677']
    for (const words of unseen) {
      expect(await foundEverywhere(words), words).toEqual([id])
    }
    // Nearly what it holds.
    expect(await foundEverywhere('unicornn')).toEqual([id])
    const batches = [await remove(one), await remove(phone)]
    for (const words of [...unseen, 'unicornn']) {
      expect(await foundEverywhere(words), words).toEqual([])
      expect(await found(words), words).toEqual([])
    }
    // The rest of the record is found, also by a word that the deleted value held too, and whatever is typed is only text.
    for (const words of ['tea', 'hidden', 'giraffe', 'tea hid']) {
      expect(await found(words), words).toEqual([id])
      expect(await foundEverywhere(words), words).toEqual([id])
    }
    for (const words of [`c.search_text'`, `'||c.search_text||'`]) {
      expect(await found(words)).toEqual([])
      expect(await foundEverywhere(words)).toEqual([])
    }
    for (const { batch } of batches) await undo(batch)
    expect(await found('unicorn')).toEqual([id])
    expect(await found('030 5556677')).toEqual([id])
  })

  test('searches of companies and deals do not find it either', async () => {
    for (const record of ['companies', 'deals'] as const) {
      const field = await calls.field('text', { record })
      const { id } = await add(owner, record, { custom: { [field]: `narwhal ${record}` } })
      expect(await foundEverywhere(`narwhal ${record}`)).toEqual([id])
      await remove(field)
      expect(await foundEverywhere(`narwhal ${record}`)).toEqual([])
    }
  })

  test('a record that comes back while its field is deleted has its value when the field comes back', async () => {
    const [one, number] = [await calls.field('text'), await calls.field('number')]
    const { id } = await add(owner, 'contacts', { custom: { [one]: 'a', [number]: 1 } })
    await calls.write(id, { [one]: 'b', [number]: 2 })
    const written = await calls.lastBatch(id)
    const { batch } = await remove(one)
    await ok(owner.client.from('contacts').delete().eq('id', id).select())
    await undo(await calls.lastBatch(id))
    // So does what an undo writes meanwhile.
    await undo(written, 'all')
    await undo(batch)
    expect(await counts()).toEqual({ [one]: 1, [number]: 1 })
    expect(await calls.custom(id)).toEqual({ [one]: 'a', [number]: 1 })
  })

  test('a merge leaves the values of deleted fields where they are', async () => {
    const [one, other] = [await calls.field('text'), await calls.field('text')]
    const keep = await add(owner, 'contacts', { custom: { [one]: 'kept' } })
    const gone = await add(owner, 'contacts', { custom: { [one]: 'lost', [other]: 'added' } })
    const { batch } = await remove(one)
    const rows = await ok(
      owner.client.from('contacts').select('id, updated_at').in('id', [keep.id, gone.id]),
    )
    await ok(
      owner.client.rpc('merge_contacts', {
        keep: keep.id,
        seen: Object.fromEntries(rows.map((row) => [row.id, row.updated_at])),
      }),
    )
    await undo(batch)
    expect(await calls.custom(keep.id)).toEqual({ [one]: 'kept', [other]: 'added' })
  })

  test.each(['after thirty days', 'by hand'])('its values go for good with it: %s', async (how) => {
    const [one, other] = [await calls.field('text'), await calls.field('text')]
    const ids = []
    for (let place = 0; place < 60; place += 1) {
      ids.push((await add(owner, 'contacts', { custom: { [one]: 'secret', [other]: 'stays' } })).id)
    }
    const [first = ''] = ids
    const before = await ok(owner.client.from('contacts').select('updated_at').eq('id', first))
    await calls.write(ids[1] ?? '', { [one]: 'secret 2' })
    const { batch } = await remove(one)
    if (how === 'by hand') {
      await ok(owner.client.rpc('remove_for_good', { filter: {} }))
    } else {
      await expire(batch)
      await database().query('select private.erase_expired()')
    }
    // A part of them went at once; the server does the rest in steps.
    const holding = () =>
      database().query(
        `select id from public.contacts where user_id = ? and custom::text like '%secret%'`,
        owner.id,
      )
    expect((await holding()).length).toBe(10)
    expect(await left()).toHaveLength(1)
    const sweep = () => database().query('select private.sweep_fields(7) as rows')
    expect(await sweep()).toEqual([{ rows: 7 }])
    expect(await sweep()).toEqual([{ rows: 3 }])
    expect(await holding()).toEqual([])
    expect(await left()).toEqual([])
    expect(await calls.custom(first)).toEqual({ [other]: 'stays' })
    // Nobody did that: no change of the record, no line of the log, and nothing of it in older ones.
    expect(await ok(owner.client.from('contacts').select('updated_at').eq('id', first))).toEqual(
      before,
    )
    const log = await ok(owner.client.from('changes').select('before, after, names'))
    expect(JSON.stringify(log)).not.toContain('secret')
  })

  test('the work of the account goes on removing them, where no server does', async () => {
    const one = await calls.field('text')
    const rows = Array.from({ length: 120 }, () => ({ custom: { [one]: 'secret' } }))
    await ok(owner.client.from('contacts').insert(rows).select())
    await remove(one)
    await ok(owner.client.rpc('remove_for_good', { filter: {} }))
    await add(owner, 'companies')
    await add(owner, 'companies')
    expect(await left()).toEqual([])
    const customs = await ok(owner.client.from('contacts').select('custom'))
    expect(customs.filter(({ custom }) => JSON.stringify(custom) !== '{}')).toEqual([])
  })

  test('a field that a backup brings back has the values of the backup, not those that were to go', async () => {
    const one = await calls.field('text', { name: 'Remark' })
    const rows = Array.from({ length: 60 }, () => ({ custom: { [one]: 'old' } }))
    const contacts = await ok(owner.client.from('contacts').insert(rows).select('id'))
    const parts = await backUp(owner)
    await remove(one)
    await ok(owner.client.rpc('remove_for_good', { filter: {} }))
    const answer = await sendBackup(owner, parts, { account: owner.id, version: 2 })
    expect(answer.error).toBeNull()
    expect(await counts()).toEqual({ [one]: 0 })
    expect(contacts).toHaveLength(60)
  })

  test('a backup takes what the trash holds to another account, checked as every value', async () => {
    const [one, number] = [
      await calls.field('text', { name: 'Remark' }),
      await calls.field('number'),
    ]
    await add(owner, 'contacts', { custom: { [one]: 'Tea', [number]: 5 } })
    await remove(one)
    await remove(number)
    const parts = await backUp(owner)
    const forged = parts.map((part) => ({
      ...part,
      lines: part.lines.map((line) => line.replace(`"${number}": 5`, `"${number}": "five"`)),
    }))
    const other = await database().signUp()
    const theirs = fieldCalls(other)
    const answer = await sendBackup(other, forged, { account: owner.id, version: 2 })
    expect(answer.error).toBeNull()
    const trash = await ok(other.client.rpc('trash_page', { filter: { kind: ['fields'] } }))
    for (const { batch } of (trash as { rows: { batch: string }[] }).rows) {
      await ok(other.client.rpc('restore_deleted', { batch }))
    }
    const [field] = await ok(other.client.from('fields').select('id').eq('name', 'Remark'))
    const [contact] = await ok(other.client.from('contacts').select('id'))
    expect(await theirs.custom(contact?.id ?? '')).toEqual({ [field?.id ?? '']: 'Tea' })
  })

  test('nobody sees or brings back what another has deleted', async () => {
    const one = await calls.field('text')
    await add(owner, 'contacts', { custom: { [one]: 'unicorn' } })
    await remove(one)
    const stranger = await database().signUp()
    const answer = await stranger.client.from('contacts').insert({ custom: { [one]: 'x' } })
    expect(answer).toMatchObject({ status: 409 })
    const account = await owner.client.rpc('delete_account', { address: owner.email })
    expect(account.error).toBeNull()
    expect(await left()).toEqual([])
  })
})
