import { beforeEach, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add, type SampleTable, table } from './samples.ts'

type Answer = { count: number; batch: string }

const kinds = ['contacts', 'companies', 'deals'] as const

onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  const tagged = (tags: string[], values: object = {}, kind: SampleTable = 'contacts') =>
    add(owner, kind, { tags, ...values })
  /** The tags of all records of a table, by their names. */
  async function tagsOf(kind: (typeof kinds)[number] = 'contacts', who = owner) {
    const rows = (await ok(table(who, kind).select('*'))) as unknown as {
      first_name?: string
      name?: string
      tags: string[]
    }[]
    return Object.fromEntries(rows.map((row) => [row.first_name ?? row.name, row.tags]))
  }
  const counts = async () => ok(owner.client.rpc('tag_counts'))
  const undo = (batch: string) => ok(owner.client.rpc('undo_batch', { batch }))
  const answerOf = (answer: unknown) => answer as Answer

  test.each(kinds)('of %s are trimmed, parted and kept once, in their order', async (kind) => {
    const reported = [' VIP ', 'press\t list', 'vip', '', ' ', 'a;b, c | d\ne', 'Ünï']
    const row = await tagged(reported, {}, kind)
    expect(row.tags).toEqual(['VIP', 'press list', 'a', 'b', 'c', 'd', 'e', 'Ünï'])
    const [none] = await ok(
      table(owner, kind)
        .update({ tags: null } as never)
        .eq('id', row.id)
        .select(),
    )
    expect(none).toMatchObject({ tags: [] })
    expect((await add(owner, kind)).tags).toEqual([])
  })

  test('limits are told in words', async () => {
    const { id } = await tagged(['x'.repeat(60), ...Array.from({ length: 49 }, (_, n) => `t${n}`)])
    const write = (tags: string[]) =>
      owner.client.from('contacts').update({ tags }).eq('id', id).select()
    expect(await write(['x'.repeat(61)])).toMatchObject({
      status: 400,
      error: { message: 'A tag can have at most 60 letters. Nothing was saved.' },
    })
    expect(await write(Array.from({ length: 51 }, (_, n) => `t${n}`))).toMatchObject({
      status: 400,
      error: { message: 'A record can have at most 50 tags. Nothing was saved.' },
    })
  })

  test('a list is filtered by any of them, whatever their case, and they are searched', async () => {
    await tagged(['VIP', 'Press'], { first_name: 'Ada' })
    await tagged(['vip'], { first_name: 'Bob' })
    await tagged(['Überall'], { first_name: 'Cem' })
    await tagged([], { first_name: 'Dee' })
    await tagged(['VIP'], { name: 'Acme' }, 'companies')
    await tagged(['VIP'], { name: 'Renewal' }, 'deals')
    const found = async (filter: Json) => {
      const page = await ok(
        owner.client.rpc('contact_page', { filter, sort: 'name', descending: false }),
      )
      const { rows } = page as unknown as { rows: { first_name: string }[] }
      expect(await ok(owner.client.rpc('contact_count', { filter }))).toBe(rows.length)
      return rows.map((row) => row.first_name).join(' ')
    }
    expect(await found({ tags: ['vip'] })).toBe('Ada Bob')
    expect(await found({ tags: ['Press', 'ÜBERALL'] })).toBe('Ada Cem')
    expect(await found({ tags: ['vip'], search: 'press' })).toBe('Ada')
    expect(await found({ tags: ["v'ip"] })).toBe('')
    expect(await found({ tags: [] })).toBe('')
    expect(await found({ search: 'uberall' })).toBe('Cem')
    const unread = await owner.client.rpc('delete_contacts', { filter: { tags: 'VIP' } })
    expect(unread).toMatchObject({ status: 400, error: { message: 'The filter cannot be read.' } })
    for (const kind of ['company', 'deal'] as const) {
      const page = await ok(owner.client.rpc(`${kind}_page`, { filter: { tags: ['Vip'] } }))
      expect((page as unknown as { rows: object[] }).rows).toMatchObject([{ tags: ['VIP'] }])
    }
    expect(await ok(owner.client.rpc('deal_totals', { filter: { tags: ['vip'] } }))).toMatchObject({
      count: 1,
    })
    const refused = await owner.client.rpc('task_page', { filter: { tags: ['VIP'] } })
    expect(refused).toMatchObject({ status: 400 })
    const hits = (await ok(owner.client.rpc('search_everything', { words: 'vip' }))) as object[]
    expect(hits).toHaveLength(4)
  })

  // The newest page of a common tag is looked for among the newest records: see private.probed.
  test('a page of a tag is whole, wherever its records stand', async () => {
    await database().query(
      `insert into public.contacts (user_id, first_name, tags, created_at)
       select ?::uuid, 'VIP ' || n, case when n < 6 or n > 510 then '{VIP}' else '{}' end::text[],
         timestamptz '2026-01-01' - n * interval '1 minute'
       from generate_series(0, 516) n`,
      owner.id,
    )
    const walk = async (descending: boolean) => {
      const names: string[] = []
      let after: Json = null
      do {
        const args = { filter: { tags: ['vip'] }, descending, after, page_size: 5 }
        const page = await ok(owner.client.rpc('contact_page', args))
        const { rows: found, next } = page as unknown as {
          rows: { first_name: string }[]
          next: Json
        }
        names.push(...found.map((row) => row.first_name))
        after = next
      } while (after !== null)
      return names
    }
    const wanted = [0, 1, 2, 3, 4, 5, 511, 512, 513, 514, 515, 516].map((n) => `VIP ${n}`)
    expect(await walk(true)).toEqual(wanted)
    expect(await walk(false)).toEqual(wanted.toReversed())
  })

  test('all tags of the account are counted over all records, and of nobody else', async () => {
    const other = await database().signUp()
    await add(other, 'contacts', { tags: ['Secret'] })
    expect(await counts()).toEqual([])
    await tagged(['vip', 'Rare'])
    await tagged(['VIP'])
    await tagged(['VIP'], {}, 'companies')
    await tagged(['Press', 'VIP'], {}, 'deals')
    expect(await counts()).toEqual([
      { name: 'VIP', contacts: 2, companies: 1, deals: 1 },
      { name: 'Press', contacts: 0, companies: 0, deals: 1 },
      { name: 'Rare', contacts: 1, companies: 0, deals: 0 },
    ])
    expect((await owner.client.rpc('rename_tag', { tag: 'Secret', name: 'Mine' })).status).toBe(404)
  })

  test('a rename reaches every record in one batch, which undo takes back', async () => {
    await tagged(['vip', 'Press'], { first_name: 'Ada' })
    await tagged(['Key', 'VIP'], { first_name: 'Bob' })
    await tagged(['VIP'], { name: 'Acme' }, 'companies')
    await tagged(['a', 'VIP', 'b'], { name: 'Renewal' }, 'deals')
    const renamed = answerOf(
      await ok(owner.client.rpc('rename_tag', { tag: 'VIP', name: ' key ' })),
    )
    expect(renamed.count).toBe(4)
    // It becomes one with the tag that is there.
    expect(await tagsOf()).toEqual({ Ada: ['Key', 'Press'], Bob: ['Key'] })
    expect(await tagsOf('companies')).toEqual({ Acme: ['Key'] })
    expect(await tagsOf('deals')).toEqual({ Renewal: ['a', 'Key', 'b'] })
    const history = (await ok(owner.client.rpc('history_page', {}))) as unknown as {
      rows?: object[]
    }
    expect(JSON.stringify(history)).toContain('"VIP → Key"')
    await undo(renamed.batch)
    expect(await tagsOf()).toEqual({ Ada: ['vip', 'Press'], Bob: ['Key', 'VIP'] })
    expect(await tagsOf('deals')).toEqual({ Renewal: ['a', 'VIP', 'b'] })

    await ok(owner.client.rpc('rename_tag', { tag: 'Press', name: 'PRESS' }))
    expect(await tagsOf()).toMatchObject({ Ada: ['vip', 'PRESS'] })
    for (const name of ['', ' ; ', 'a, b']) {
      expect((await owner.client.rpc('rename_tag', { tag: 'PRESS', name })).error).toMatchObject({
        message: 'A tag has a name, without commas, semicolons and bars. Nothing was saved.',
      })
    }
  })

  test('saved views that filter by it go on to find the same records; undo takes that back, too', async () => {
    await tagged(['VIP', 'Key & Co'], { first_name: 'Ada' })
    const queries = {
      plain: 'tags=vip&sort=name',
      both: 'sort=name&tags=VIP&tags=Key+%26+Co',
      accented: 'tags=Zo%C3%AB&q=tags%3Dvip',
      other: 'status=New&q=vip',
    }
    for (const [name, query] of Object.entries(queries)) {
      await add(owner, 'saved_views', { screen: 'contacts', name, query })
    }
    await add(owner, 'saved_views', { screen: 'tasks', name: 'tasks', query: 'tags=vip' })
    const stored = async () => {
      const rows = await ok(owner.client.from('saved_views').select('name, query').order('name'))
      return Object.fromEntries(rows.map(({ name, query }) => [name, query]))
    }
    const before = await stored()
    const renamed = answerOf(
      await ok(owner.client.rpc('rename_tag', { tag: 'VIP', name: 'key & co' })),
    )
    expect(await stored()).toEqual({
      ...before,
      plain: 'tags=Key+%26+Co&sort=name',
      both: 'sort=name&tags=Key+%26+Co',
    })
    await undo(renamed.batch)
    expect(await stored()).toEqual(before)
    await tagged(['Zoë'], { first_name: 'Eve' })
    await ok(owner.client.rpc('rename_tag', { tag: 'zoë', name: 'Łódź 100%' }))
    const { accented } = await stored()
    expect(accented).toBe('tags=%C5%81%C3%B3d%C5%BA+100%25&q=tags%3Dvip')
    expect(accented).toBe(new URLSearchParams({ tags: 'Łódź 100%', q: 'tags=vip' }).toString())
  })

  test('a deletion takes it from every record, and can be undone', async () => {
    await tagged(['vip', 'Press'], { first_name: 'Ada' })
    await tagged(['VIP'], { name: 'Acme' }, 'companies')
    const gone = answerOf(await ok(owner.client.rpc('delete_tag', { tag: 'VIP' })))
    expect(gone.count).toBe(2)
    expect(await tagsOf()).toEqual({ Ada: ['Press'] })
    expect((await owner.client.rpc('delete_tag', { tag: 'VIP' })).error).toMatchObject({
      message: 'This tag is no longer on any record.',
    })
    await undo(gone.batch)
    expect(await tagsOf()).toEqual({ Ada: ['vip', 'Press'] })
    expect(await tagsOf('companies')).toEqual({ Acme: ['VIP'] })
  })

  test('tags are added to and removed from many records at once', async () => {
    await tagged(['a'], { first_name: 'Ada' })
    await tagged(['B', 'c'], { first_name: 'Bob' })
    await tagged(['a'], { name: 'Renewal' }, 'deals')
    const set = (changes: Json) => owner.client.rpc('update_contacts', { filter: {}, changes })
    const added = answerOf(await ok(set({ add_tags: ['b', ' d '] })))
    expect(added.count).toBe(2)
    expect(await tagsOf()).toEqual({ Ada: ['a', 'b', 'd'], Bob: ['B', 'c', 'd'] })
    await ok(set({ remove_tags: ['B', 'x'], lead_status: 'Qualified' }))
    expect(await tagsOf()).toEqual({ Ada: ['a', 'd'], Bob: ['c', 'd'] })
    await ok(owner.client.rpc('update_deals', { filter: {}, changes: { add_tags: ['z'] } }))
    expect(await tagsOf('deals')).toEqual({ Renewal: ['a', 'z'] })
    expect((await set({ add_tags: ['a'], remove_tags: ['b'] })).status).toBe(400)
    expect((await set({ tags: ['a'] })).error).toMatchObject({
      message:
        'Only lead status, company, tags and custom fields can be set for many contacts at once.',
    })
    await undo(added.batch)
  })

  test.each(['contacts', 'companies'] as const)(
    'a merge of %s keeps the tags of all',
    async (kind) => {
      const keep = await tagged(['b', 'A'], {}, kind)
      const gone = await tagged(['a', 'c'], {}, kind)
      const seen = { [keep.id]: keep.updated_at, [gone.id]: gone.updated_at } as never
      const call = `merge_${kind}` as const
      const { batch } = answerOf(await ok(owner.client.rpc(call, { keep: keep.id, seen })))
      expect(Object.values(await tagsOf(kind))).toEqual([['b', 'A', 'c']])
      await undo(batch)
      const [back] = await ok(table(owner, kind).select('*').eq('id', keep.id))
      expect(back).toMatchObject({ tags: ['b', 'A'] })
    },
  )

  test('an import fills them, and adds to those of a record that is there', async () => {
    const calls = importCalls(owner)
    const rows = rowsOf({ first_name: 'Ada', tags: ['VIP', 'vip'] }, { first_name: 'Bob' })
    expect((await calls.whole('contacts', rows)).summary).toMatchObject({ added: 2 })
    expect(await tagsOf()).toEqual({ Ada: ['VIP'], Bob: [] })
    const more = rowsOf({ first_name: 'Ada', tags: ['vip'] }, { first_name: 'Bob', tags: ['x'] })
    const again = await calls.whole('contacts', more, 'update')
    expect(again.summary).toMatchObject({ added: 0, updated: 1, skipped: 1 })
    expect(await tagsOf()).toEqual({ Ada: ['VIP'], Bob: ['x'] })
    for (const kind of ['companies', 'deals'] as const) {
      await calls.whole(kind, rowsOf({ name: 'One', tags: ['a'] }))
      await calls.whole(kind, rowsOf({ name: 'One', tags: ['b'] }), 'update')
      expect(await tagsOf(kind)).toEqual({ One: ['a', 'b'] })
    }
  })

  test('a backup holds them, one from before restores, and so does the trash', async () => {
    const { id } = await tagged(['VIP'], { first_name: 'Ada' })
    const parts = await backUp(owner)
    const other = await database().signUp()
    expect((await sendBackup(other, parts, { account: owner.id })).error).toBeNull()
    expect(await tagsOf('contacts', other)).toEqual({ Ada: ['VIP'] })
    await ok(owner.client.from('contacts').delete().eq('id', id).select())
    const [gone] = await ok(owner.client.from('changes').select('batch').eq('verb', 'delete'))
    // As the log of a version before tags tells it.
    await database().query(
      "update public.changes set before = before - 'tags' where verb = 'delete' and row_id = ?",
      id,
    )
    await undo(gone?.batch ?? '')
    expect(await tagsOf()).toEqual({ Ada: [] })
  })
})
