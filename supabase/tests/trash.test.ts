import { beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '#server/test-length.ts'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { add, type SampleTable, table } from './samples.ts'

type TrashRow = {
  id: string
  kind: string
  name: string | null
  batch: string
  together: number
  of: string | null
}
type TrashPage = { rows: TrashRow[]; next: unknown }
type Restored = {
  batch: string | null
  restored: number
  conflicts: { table_name: string; row_id: string; reason: string }[]
}

/** More than one answer holds; so many that joining them row by row would take minutes, in the long run. */
const many = isLong ? 4000 : 1100

onOneDatabase((database, isSmoke) => {
  let owner: Account
  beforeAll(async () => {
    owner = await database().signUp()
  })

  async function page(args: object = {}, account = owner): Promise<TrashPage> {
    const answer: unknown = await ok(account.client.rpc('trash_page', args))
    return answer as TrashPage
  }

  /** What the trash tells of one row; undefined when it is not there. */
  async function inTrash(id: string, account = owner): Promise<TrashRow | undefined> {
    const { rows } = await page({ filter: { ids: [id] } }, account)
    return rows[0]
  }

  async function restore(args: { batch: string; ids?: string[] }): Promise<Restored> {
    const answer: unknown = await ok(owner.client.rpc('restore_deleted', args))
    return answer as Restored
  }

  async function restoreOne(id: string): Promise<Restored> {
    const row = await inTrash(id)
    return restore({ batch: row?.batch ?? '', ids: [id] })
  }

  async function remove(name: SampleTable, ...ids: string[]): Promise<void> {
    await ok(table(owner, name).delete().in('id', ids).select('id'))
  }

  async function read(name: SampleTable, id: string) {
    const [row] = await ok(table(owner, name).select().eq('id', id))
    return row
  }

  describe('what is in the trash', () => {
    const kinds: SampleTable[] = [
      'contacts',
      'companies',
      'deals',
      'tasks',
      'notes',
      'collections',
      'pipelines',
      'pipeline_stages',
      'saved_views',
      'email_templates',
      'forms',
      'form_submissions',
      'files',
    ]
    test.each(isSmoke ? kinds.slice(0, 2) : kinds)('%s, and back to the row', async (name) => {
      const row = await add(owner, name)
      expect(await inTrash(row.id)).toBeUndefined()
      await remove(name, row.id)
      expect(await inTrash(row.id)).toMatchObject({ kind: name, together: 1 })
      expect(await restoreOne(row.id)).toMatchObject({ restored: 1, conflicts: [] })
      expect(await read(name, row.id)).toEqual(row)
      expect(await inTrash(row.id)).toBeUndefined()
    })

    if (isSmoke) return

    test('newest first, page by page, each once', async () => {
      const account = await database().signUp()
      const ids: string[] = []
      for (const size of [1, 4, 1, 3]) {
        const rows = Array.from({ length: size }, (_, n) => ({ first_name: `Row ${n}` }))
        const added = await ok(account.client.from('contacts').insert(rows).select('id'))
        const batch = added.map(({ id }) => id)
        await ok(account.client.from('contacts').delete().in('id', batch).select('id'))
        ids.unshift(...batch)
      }
      const seen: TrashRow[] = []
      let after: unknown = null
      do {
        const answer = await page({ page_size: 2, ...(after ? { after } : {}) }, account)
        expect(answer.rows.length).toBeLessThanOrEqual(2)
        seen.push(...answer.rows)
        after = answer.next
      } while (after)
      expect(seen.map(({ together }) => together)).toEqual([3, 3, 3, 1, 4, 4, 4, 4, 1])
      expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(ids))
      expect(await ok(account.client.rpc('trash_count'))).toBe(9)
    })

    test('by name, accents and capitals aside, and by kind', async () => {
      const account = await database().signUp()
      const company = await add(account, 'companies', { name: 'Müller 100% & Söhne' })
      const deal = await add(account, 'deals', { name: 'Muller renewal 2026-11' })
      await ok(account.client.from('companies').delete().eq('id', company.id).select())
      await ok(account.client.from('deals').delete().eq('id', deal.id).select())
      const found = async (filter: object) =>
        (await page({ filter }, account)).rows.map(({ kind }) => kind)
      expect(await found({ search: ' mULLer ' })).toEqual(['deals', 'companies'])
      expect(await found({ search: '100%' })).toEqual(['companies'])
      expect(await found({ search: '2026-11' })).toEqual(['deals'])
      expect(await found({ search: 'nothing' })).toEqual([])
      expect(await found({ kind: ['companies'] })).toEqual(['companies'])
      expect(await ok(account.client.rpc('trash_count', { filter: { kind: ['deals'] } }))).toBe(1)
    })

    test('a filter that is not known is refused, also by what erases', async () => {
      for (const name of ['trash_page', 'trash_count', 'remove_for_good'] as const) {
        const answer = await owner.client.rpc(name, { filter: { nonsense: true } })
        expect(answer).toMatchObject({ status: 400 })
      }
    })

    test('what went with its whole is not listed beside it', async () => {
      const contact = await add(owner, 'contacts', { first_name: 'Whole' })
      const note = await add(owner, 'notes', { contact_id: contact.id })
      await remove('contacts', contact.id)
      expect(await inTrash(contact.id)).toMatchObject({ together: 1 })
      expect(await inTrash(note.id)).toBeUndefined()
    })

    test('a mark that two records are not duplicates is nothing that was deleted', async () => {
      const mark = await add(owner, 'not_duplicates')
      await remove('not_duplicates', mark.id)
      expect(await inTrash(mark.id)).toBeUndefined()
    })

    test('a note tells what it belonged to', async () => {
      const contact = await add(owner, 'contacts', { first_name: 'Grace', last_name: 'Hopper' })
      const note = await add(owner, 'notes', { contact_id: contact.id })
      await remove('notes', note.id)
      expect(await inTrash(note.id)).toMatchObject({ of: 'Grace Hopper' })
    })

    test('nothing after thirty days', async () => {
      const contact = await add(owner, 'contacts')
      await remove('contacts', contact.id)
      const age = (days: number) =>
        database().query(
          "update public.changes set created_at = now() - ?::float8 * interval '1 day' where row_id = ?",
          days,
          contact.id,
        )
      await age(29.9)
      expect(await inTrash(contact.id)).toBeDefined()
      await age(30.1)
      expect(await inTrash(contact.id)).toBeUndefined()
    })

    test('nobody else sees, restores or erases it', async () => {
      const other = await database().signUp()
      const contact = await add(owner, 'contacts')
      await remove('contacts', contact.id)
      const row = await inTrash(contact.id)
      expect((await page({}, other)).rows).toEqual([])
      expect(await other.client.rpc('restore_deleted', { batch: row?.batch ?? '' })).toMatchObject({
        status: 404,
        error: { message: 'This is no longer in the trash.' },
      })
      const nothing = await ok(
        other.client.rpc('remove_for_good', { filter: { ids: [contact.id] } }),
      )
      expect(nothing).toEqual({ count: 0 })
      expect(await inTrash(contact.id)).toEqual(row)
      for (const name of ['trash_page', 'trash_count'] as const) {
        expect(await database().anonymous.rpc(name)).toMatchObject({ status: 401 })
      }
      const { anonymous } = database()
      expect(await anonymous.rpc('restore_deleted', { batch: row?.batch ?? '' })).toMatchObject({
        status: 401,
      })
      expect(await anonymous.rpc('remove_for_good', { filter: {} })).toMatchObject({ status: 401 })
    })
  })

  if (isSmoke) return

  describe('restoring', () => {
    test('one of several, with its notes, collections and the links that led to it', async () => {
      const [kept, gone] = [await add(owner, 'companies'), await add(owner, 'companies')]
      const contact = await add(owner, 'contacts', { company_id: kept.id })
      const other = await add(owner, 'contacts', { company_id: gone.id })
      const deal = await add(owner, 'deals', { company_id: kept.id, contact_id: contact.id })
      const task = await add(owner, 'tasks', { company_id: kept.id })
      const note = await add(owner, 'notes', { contact_id: null, company_id: kept.id })
      await remove('companies', kept.id, gone.id)
      expect(await inTrash(kept.id)).toMatchObject({ together: 2 })

      expect(await restoreOne(kept.id)).toMatchObject({ restored: 1, conflicts: [] })
      expect(await read('companies', kept.id)).toEqual(kept)
      expect(await read('notes', note.id)).toEqual(note)
      expect(await read('contacts', contact.id)).toMatchObject({ company_id: kept.id })
      expect(await read('deals', deal.id)).toMatchObject({ company_id: kept.id })
      expect(await read('tasks', task.id)).toMatchObject({ company_id: kept.id })
      expect(await read('contacts', other.id)).toMatchObject({ company_id: null })
      expect(await inTrash(gone.id)).toMatchObject({ together: 1 })
    })

    test('all of one deletion, and no more', async () => {
      const first = [await add(owner, 'contacts'), await add(owner, 'contacts')]
      const later = await add(owner, 'contacts')
      await remove('contacts', ...first.map(({ id }) => id))
      await remove('contacts', later.id)
      const row = await inTrash(first[0]?.id ?? '')
      expect(await restore({ batch: row?.batch ?? '' })).toMatchObject({ restored: 2 })
      for (const each of first) expect(await read('contacts', each.id)).toEqual(each)
      expect(await inTrash(later.id)).toBeDefined()
    })

    test('a link that was set anew since stays as it is, and one that leads nowhere stays empty', async () => {
      const [old, fresh] = [await add(owner, 'companies'), await add(owner, 'companies')]
      const contact = await add(owner, 'contacts', { company_id: old.id })
      await remove('companies', old.id)
      await ok(
        owner.client
          .from('contacts')
          .update({ company_id: fresh.id })
          .eq('id', contact.id)
          .select(),
      )
      await restoreOne(old.id)
      expect(await read('contacts', contact.id)).toMatchObject({ company_id: fresh.id })

      await remove('contacts', contact.id)
      await remove('companies', fresh.id)
      expect(await restoreOne(contact.id)).toMatchObject({ restored: 1, conflicts: [] })
      expect(await read('contacts', contact.id)).toMatchObject({ company_id: null })
    })

    test('a pipeline with its stages, its deals in them, won when they were won', async () => {
      const pipeline = await ok(owner.client.rpc('create_pipeline', { name: 'Doomed' }))
      const stages = await ok(
        owner.client.from('pipeline_stages').select().eq('pipeline_id', pipeline.id).order('order'),
      )
      const won = await add(owner, 'deals', { stage_id: stages.at(-1)?.id })
      expect(won.closed_at).not.toBeNull()
      await remove('pipelines', pipeline.id)
      expect(await inTrash(stages[0]?.id ?? '')).toBeUndefined()
      await restoreOne(pipeline.id)
      expect(
        await ok(
          owner.client
            .from('pipeline_stages')
            .select()
            .eq('pipeline_id', pipeline.id)
            .order('order'),
        ),
      ).toEqual(stages)
      expect({ ...(await read('deals', won.id)), updated_at: null }).toEqual({
        ...won,
        updated_at: null,
      })
    })

    test('a part whose whole is gone is told, and comes back after it', async () => {
      const contact = await add(owner, 'contacts')
      const note = await add(owner, 'notes', { contact_id: contact.id })
      await remove('notes', note.id)
      await remove('contacts', contact.id)
      expect(await restoreOne(note.id)).toEqual({
        batch: null,
        restored: 0,
        conflicts: [
          { table_name: 'notes', row_id: note.id, label: 'Likes tea', reason: 'parent gone' },
        ],
      })
      await restoreOne(contact.id)
      expect(await restoreOne(note.id)).toMatchObject({ restored: 1 })
      expect(await read('notes', note.id)).toEqual(note)
    })

    test('a contact comes back without its place in a collection that is gone', async () => {
      const contact = await add(owner, 'contacts')
      const collection = await add(owner, 'collections')
      const place = await add(owner, 'collection_members', {
        collection_id: collection.id,
        contact_id: contact.id,
      })
      await remove('contacts', contact.id)
      await remove('collections', collection.id)
      expect(await restoreOne(contact.id)).toMatchObject({
        restored: 1,
        conflicts: [{ row_id: place.id, reason: 'parent gone' }],
      })
      expect(await read('contacts', contact.id)).toEqual(contact)
    })

    test('a name that was given to another is told, and its parts stay with it', async () => {
      const collection = await add(owner, 'collections', { name: 'Taken' })
      await add(owner, 'collection_members', { collection_id: collection.id })
      await remove('collections', collection.id)
      const usurper = await add(owner, 'collections', { name: 'Taken' })
      expect(await restoreOne(collection.id)).toMatchObject({
        restored: 0,
        conflicts: [{ row_id: collection.id, reason: 'name taken' }],
      })
      // Undo has the same choice, and neither leaves a place in a collection that is not there.
      const batch = (await inTrash(collection.id))?.batch ?? ''
      expect(await ok(owner.client.rpc('undo_batch', { batch, conflicts: 'keep' }))).toMatchObject({
        undone: 0,
      })
      await remove('collections', usurper.id)
      expect(await restoreOne(collection.id)).toMatchObject({ restored: 1, conflicts: [] })
      const members = owner.client.from('collection_members').select()
      expect(await ok(members.eq('collection_id', collection.id))).toHaveLength(1)
    })

    test('is itself undone, and then the rest is still in the trash', async () => {
      const rows = [await add(owner, 'contacts'), await add(owner, 'contacts')]
      const [one, two] = rows.map(({ id }) => id)
      await remove('contacts', one ?? '', two ?? '')
      const deletion = (await inTrash(one ?? ''))?.batch ?? ''
      const { batch } = await restoreOne(one ?? '')
      expect(await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))).toMatchObject({
        undone: 1,
        conflicts: [],
      })
      expect(await read('contacts', one ?? '')).toBeUndefined()
      expect((await inTrash(one ?? ''))?.batch).not.toBe(deletion)
      expect(await inTrash(two ?? '')).toMatchObject({ batch: deletion, together: 1 })
    })

    test('twice is told', async () => {
      const contact = await add(owner, 'contacts')
      await remove('contacts', contact.id)
      const batch = (await inTrash(contact.id))?.batch ?? ''
      await restore({ batch })
      expect(await owner.client.rpc('restore_deleted', { batch })).toMatchObject({
        status: 404,
        error: { message: 'This is no longer in the trash.' },
      })
    })

    test(`${many} at once`, async () => {
      const account = await database().signUp()
      const rows = Array.from({ length: many }, (_, n) => ({ first_name: `Many ${n}` }))
      await ok(account.client.from('contacts').insert(rows).select('id').limit(1))
      const gone: unknown = await ok(account.client.rpc('delete_contacts', { filter: {} }))
      const { batch } = gone as { batch: string }
      expect((await page({ page_size: 1 }, account)).rows[0]).toMatchObject({ together: many })
      expect(await ok(account.client.rpc('restore_deleted', { batch }))).toMatchObject({
        restored: many,
      })
      expect(await ok(account.client.rpc('contact_count'))).toBe(many)
    })

    test('each deletion looks up its own row, whatever the planner expects', async () => {
      const [condition] = await database().query<{ text: string }>(
        "select private.trash_conditions(?, '{}') as text",
        owner.id,
      )
      const lines = await database().query<{ 'QUERY PLAN': string }>(
        `explain select from public.changes c where ${condition?.text}`,
      )
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
      expect(plan).toContain('Index Cond: ((row_id = c.row_id) AND (id > c.id))')
      expect(plan).toContain("Index Cond: (row_id = ((c.before ->> 'pipeline_id'::text))::uuid)")
    })
  })

  describe('removed for good', () => {
    /** Every place of the database where these words stand. */
    async function traces(words: string): Promise<string[]> {
      const tables = await database().query<{ name: string }>(`
        select format('%I.%I', n.nspname, c.relname) as name from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`)
      const found: string[] = []
      for (const { name } of tables) {
        const rows = await database().query(
          `select 1 from ${name} t where t::text like '%' || ?::text || '%' limit 1`,
          words,
        )
        if (rows.length > 0) found.push(name)
      }
      return found
    }

    test('nothing of the rows is left in any table, and the history still tells of a deletion', async () => {
      const contact = await add(owner, 'contacts', {
        first_name: 'Untoldname',
        notes: 'Untoldnote',
      })
      await ok(
        owner.client
          .from('contacts')
          .update({ last_name: 'Untoldlast' })
          .eq('id', contact.id)
          .select(),
      )
      await add(owner, 'notes', { contact_id: contact.id, body: 'Untoldbody' })
      const kept = await add(owner, 'contacts', { first_name: 'Keptname' })
      await remove('contacts', contact.id, kept.id)
      expect(await traces('Untold')).toEqual(['public.changes'])

      const gone = await ok(owner.client.rpc('remove_for_good', { filter: { ids: [contact.id] } }))
      expect(gone).toEqual({ count: 1 })
      expect(await traces('Untold')).toEqual([])
      expect(await inTrash(contact.id)).toBeUndefined()
      const changes = await ok(owner.client.from('changes').select().eq('row_id', contact.id))
      expect(changes.map(({ verb }) => verb).sort()).toEqual(['delete', 'insert', 'update'])

      const batch = (await inTrash(kept.id))?.batch ?? ''
      expect(await ok(owner.client.rpc('undo_batch', { batch, conflicts: 'keep' }))).toMatchObject({
        undone: 1,
        conflicts: [{ row_id: contact.id, reason: 'erased' }, { reason: 'erased' }],
      })
      expect(await read('contacts', kept.id)).toEqual(kept)
    })

    test('a collection’s name goes with everyone who was ever in it', async () => {
      const collection = await add(owner, 'collections', { name: 'Secretclub' })
      const place = await add(owner, 'collection_members', { collection_id: collection.id })
      await add(owner, 'collection_members', { collection_id: collection.id })
      await remove('collection_members', place.id)
      await remove('collections', collection.id)
      await ok(owner.client.rpc('remove_for_good', { filter: { ids: [collection.id] } }))
      expect(await traces('Secretclub')).toEqual([])
    })

    test('the whole trash, and nothing that is not in it', async () => {
      const account = await database().signUp()
      const kept = await add(account, 'contacts', { first_name: 'Stays' })
      for (const name of ['contacts', 'companies', 'deals', 'tasks'] as const) {
        const { id } = await add(account, name)
        await ok(table(account, name).delete().eq('id', id).select())
      }
      expect(await ok(account.client.rpc('remove_for_good', { filter: {} }))).toEqual({ count: 4 })
      expect(await ok(account.client.rpc('trash_count'))).toBe(0)
      expect((await page({}, account)).rows).toEqual([])
      const changes = await ok(account.client.from('changes').select().eq('row_id', kept.id))
      expect(changes).toMatchObject([{ label: 'Stays' }])
    })

    test('earlier deletions of a row that came back and went again go too', async () => {
      const contact = await add(owner, 'contacts', { first_name: 'Comeback' })
      await remove('contacts', contact.id)
      await restoreOne(contact.id)
      await remove('contacts', contact.id)
      await ok(owner.client.rpc('remove_for_good', { filter: { ids: [contact.id] } }))
      expect(await traces('Comeback')).toEqual([])
    })
  })
})
