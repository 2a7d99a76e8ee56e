import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add, type SampleTable } from './samples.ts'

type Row = Record<string, unknown> & { id: string }
type Answer = { count: number; batch: string }

onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  /** Every row of every table that the owner has, but for the log and for the stamp of the last write. */
  async function everything(who = owner): Promise<Record<string, unknown[]>> {
    const tables = await database().query<{ name: string }>(
      `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'user_id'
         and c.relname <> 'changes' order by 1`,
    )
    const all: Record<string, unknown[]> = {}
    for (const { name } of tables) {
      const rows = await database().query<{ row: Row }>(
        `select to_jsonb(t) - 'updated_at' as row from public.${name} t where user_id = ?`,
        who.id,
      )
      all[name] = rows
        .map(({ row }) => row)
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    }
    return all
  }

  const seen = (...rows: Row[]) => Object.fromEntries(rows.map((row) => [row.id, row.updated_at]))
  const merge = (
    name: 'merge_contacts' | 'merge_companies',
    keep: Row,
    others: Row[],
    rest: object = {},
    who = owner,
  ) => who.client.rpc(name, { keep: keep.id, seen: seen(keep, ...others), ...rest } as never)

  async function merged(...args: Parameters<typeof merge>): Promise<Answer> {
    const answer: unknown = await ok(merge(...args))
    return answer as Answer
  }

  async function links(table: SampleTable, column: string): Promise<unknown[]> {
    const rows = (await everything())[table] as Row[]
    return rows.map((row) => row[column])
  }

  describe('contacts', () => {
    /** Three that are the same, each with one of everything, and a bystander. */
    async function family() {
      const acme = await add(owner, 'companies')
      const rows: Row[] = []
      for (const first_name of ['Ada', 'A.', 'Ada Lovelace']) {
        rows.push(await add(owner, 'contacts', { first_name, company_id: acme.id }))
      }
      const bystander = await add(owner, 'contacts', { first_name: 'Bob' })
      const [both, third] = [await add(owner, 'collections'), await add(owner, 'collections')]
      for (const { id: contact_id } of [...rows, bystander]) {
        await add(owner, 'tasks', { contact_id, company_id: acme.id, completed: true })
        await add(owner, 'deals', { contact_id })
        await add(owner, 'notes', { contact_id })
        await add(owner, 'collection_members', { contact_id, collection_id: both.id })
      }
      const [keep, second, last] = rows as [Row, Row, Row]
      await add(owner, 'collection_members', { contact_id: last.id, collection_id: third.id })
      await add(owner, 'collection_members', { contact_id: second.id, collection_id: third.id })
      const apart = [second.id, bystander.id].sort()
      await add(owner, 'not_duplicates', { one_contact_id: apart[0], other_contact_id: apart[1] })
      return { keep, others: [second, last], bystander, acme, both, third }
    }

    test('become one: values, tasks, deals, notes and collections, each once; undo puts every row back', async () => {
      const { keep, others, bystander, acme, both, third } = await family()
      const before = await everything()
      const changes = {
        first_name: 'Ada',
        last_name: 'Lovelace',
        notes: 'Both',
        lead_score: 7,
        nickname: null,
      }
      const { count, batch } = await merged('merge_contacts', keep, others, { changes })
      expect(count).toBe(3)

      const contacts = (await everything()).contacts as Row[]
      expect(contacts.map(({ id }) => id).sort()).toEqual([keep.id, bystander.id].sort())
      expect(contacts.find(({ id }) => id === keep.id)).toMatchObject({
        ...changes,
        company_id: acme.id,
      })
      const [kept, other] = [keep.id, bystander.id]
      for (const table of ['tasks', 'deals', 'notes'] as const) {
        expect((await links(table, 'contact_id')).sort()).toEqual([kept, kept, kept, other].sort())
      }
      const members = (await everything()).collection_members as Row[]
      expect(members.map((row) => `${row.collection_id} ${row.contact_id}`).sort()).toEqual(
        [`${both.id} ${kept}`, `${both.id} ${other}`, `${third.id} ${kept}`].sort(),
      )
      const pair = [kept, other].sort()
      expect((await everything()).not_duplicates).toMatchObject([
        { one_contact_id: pair[0], other_contact_id: pair[1] },
      ])

      const history: unknown = await ok(owner.client.rpc('history_page', { page_size: 1 }))
      expect(history).toMatchObject({ rows: [{ batch, action: 'merge', about: 'Ada Lovelace' }] })
      const undone: unknown = await ok(owner.client.rpc('undo_batch', { batch }))
      expect(undone).toMatchObject({ conflicts: [] })
      expect(await everything()).toEqual(before)
      // And the undo can be taken back too.
      await ok(owner.client.rpc('undo_batch', { batch: (undone as Answer).batch }))
      expect((await everything()).contacts).toEqual(contacts)
    })

    test('without values the kept one stays as it is', async () => {
      const [keep, other] = [
        await add(owner, 'contacts'),
        await add(owner, 'contacts', { first_name: 'X' }),
      ]
      await merged('merge_contacts', keep, [other])
      expect(await ok(owner.client.from('contacts').select())).toEqual([keep])
    })

    test('one that was changed since it was seen: said in words, and nothing is merged', async () => {
      const { keep, others } = await family()
      const [second] = others as [Row]
      await ok(
        owner.client.from('contacts').update({ phone_number: '1' }).eq('id', second.id).select(),
      )
      const before = await everything()
      expect(
        await merge('merge_contacts', keep, others, { changes: { first_name: 'X' } }),
      ).toMatchObject({
        status: 409,
        error: {
          message:
            'One of these records was changed meanwhile. Nothing was merged: look at it again.',
        },
      })
      expect(await everything()).toEqual(before)
    })

    test('one that is gone, or somebody else’s: refused, and nothing is merged', async () => {
      const { keep, others } = await family()
      const stranger = await database().signUp()
      const foreign = await add(stranger, 'contacts', { first_name: 'Mine' })
      const [before, theirs] = [await everything(), await everything(stranger)]
      const refused = {
        status: 409,
        error: {
          message: 'One of these records was deleted or merged meanwhile. Nothing was merged.',
        },
      }
      expect(await merge('merge_contacts', keep, [...others, foreign])).toMatchObject(refused)
      expect(await merge('merge_contacts', foreign, others)).toMatchObject(refused)
      expect(await merge('merge_contacts', keep, others, {}, stranger)).toMatchObject(refused)
      const ghost = { ...keep, id: randomUUID() }
      expect(await merge('merge_contacts', keep, [ghost])).toMatchObject(refused)
      const company = await add(stranger, 'companies')
      expect(
        await merge('merge_contacts', keep, others, { changes: { company_id: company.id } }),
      ).toMatchObject({ status: 409, error: { code: '23503' } })
      expect([await everything(), (await everything(stranger)).contacts]).toEqual([
        before,
        theirs.contacts,
      ])
    })

    test('what is not a merge is refused: one record, twenty-one, other fields, a kept one that is not among them', async () => {
      const { keep, others, bystander } = await family()
      const before = await everything()
      const many = Array.from({ length: 20 }, () => ({ ...keep, id: randomUUID() }))
      const changes = [
        { user_id: randomUUID() },
        { created_at: '2000-01-01' },
        { search_text: 'x' },
      ]
      for (const answer of [
        await merge('merge_contacts', keep, []),
        await merge('merge_contacts', keep, many),
        await owner.client.rpc('merge_contacts', {
          keep: bystander.id,
          seen: seen(keep, ...others) as never,
        }),
        await owner.client.rpc('merge_contacts', { keep: keep.id, seen: 'all' }),
        await merge('merge_contacts', keep, others, { changes: { notes: 'x'.repeat(50_001) } }),
        ...(await Promise.all(
          changes.map((change) => merge('merge_contacts', keep, others, { changes: change })),
        )),
      ]) {
        expect(answer).toMatchObject({ status: 400 })
      }
      expect(
        await merge('merge_contacts', keep, others, { changes: { email: 'no' } }),
      ).toMatchObject({
        error: { code: '23514' },
      })
      expect(await everything()).toEqual(before)
    })

    test('the same in two windows at once: one merges, the other is told', async () => {
      const { keep, others } = await family()
      const [second] = others as [Row]
      const answers = await Promise.all([
        merge('merge_contacts', keep, others),
        merge('merge_contacts', second, [keep]),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    })

    test('a task that is linked at the same moment is moved or refused, never lost', async () => {
      const { keep, others } = await family()
      const [second] = others as [Row]
      const [, task] = await Promise.all([
        merged('merge_contacts', keep, others),
        owner.client
          .from('tasks')
          .insert({ title: 'Now', contact_id: second.id })
          .select()
          .single(),
      ])
      const [stored] = await ok(owner.client.from('tasks').select().eq('title', 'Now'))
      if (task.error) expect(task.error.code).toBe('23503')
      else expect(stored?.contact_id).toBe(keep.id)
    })

    test('an undo after the kept one was changed names it, and brings the rest back', async () => {
      const { keep, others } = await family()
      const { batch } = await merged('merge_contacts', keep, others, {
        changes: { first_name: 'New' },
      })
      await ok(
        owner.client.from('contacts').update({ role_title: 'Boss' }).eq('id', keep.id).select(),
      )
      const refused: unknown = await ok(owner.client.rpc('undo_batch', { batch }))
      expect(refused).toMatchObject({
        undone: 0,
        conflicts: [{ row_id: keep.id, reason: 'changed' }],
      })
      await ok(owner.client.rpc('undo_batch', { batch, conflicts: 'keep' }))
      const rows = await ok(owner.client.from('contacts').select())
      expect(rows).toHaveLength(4)
      expect(rows.find(({ id }) => id === keep.id)).toMatchObject({
        first_name: 'New',
        role_title: 'Boss',
      })
      const moved = await ok(
        owner.client
          .from('deals')
          .select()
          .eq('contact_id', others[0]?.id ?? ''),
      )
      expect(moved).toHaveLength(1)
    })
  })

  describe('companies', () => {
    test('become one: values, contacts, deals, tasks and notes, with a note of what would be lost; undo puts every row back', async () => {
      const rows: Row[] = []
      for (const name of ['Acme', 'ACME GmbH', 'Acme Inc', 'Globex']) {
        rows.push(await add(owner, 'companies', { name, website: 'https://acme.com' }))
      }
      const [keep, second, last, bystander] = rows as [Row, Row, Row, Row]
      for (const { id: company_id } of rows) {
        const contact = await add(owner, 'contacts', { company_id })
        await add(owner, 'deals', { company_id, contact_id: contact.id })
        await add(owner, 'tasks', { company_id })
        await add(owner, 'notes', { company_id, contact_id: null })
      }
      const before = await everything()
      const { batch } = await merged('merge_companies', keep, [second, last], {
        changes: { name: 'Acme GmbH', location: 'Berlin' },
        note: 'Other names: ACME',
      })
      const companies = (await everything()).companies as Row[]
      expect(companies.map(({ id }) => id).sort()).toEqual([keep.id, bystander.id].sort())
      expect(companies.find(({ id }) => id === keep.id)).toMatchObject({
        name: 'Acme GmbH',
        location: 'Berlin',
        website: 'https://acme.com',
      })
      const four = [keep.id, keep.id, keep.id, bystander.id].sort()
      for (const table of ['contacts', 'deals', 'tasks'] as const) {
        expect((await links(table, 'company_id')).sort()).toEqual(four)
      }
      expect((await links('notes', 'company_id')).sort()).toEqual([...four, keep.id].sort())
      expect(await links('notes', 'body')).toContain('Other names: ACME')
      const undone: unknown = await ok(owner.client.rpc('undo_batch', { batch }))
      expect(undone).toMatchObject({ conflicts: [] })
      expect(await everything()).toEqual(before)
    })

    test('versions and owners are looked at as with contacts', async () => {
      const [keep, other] = [await add(owner, 'companies'), await add(owner, 'companies')]
      const stranger = await database().signUp()
      expect(await merge('merge_companies', keep, [other], {}, stranger)).toMatchObject({
        status: 409,
      })
      expect(
        await merge('merge_companies', keep, [other], { changes: { user_id: stranger.id } }),
      ).toMatchObject({ status: 400 })
      await ok(owner.client.from('companies').update({ name: 'Now' }).eq('id', keep.id).select())
      expect(await merge('merge_companies', keep, [other])).toMatchObject({ status: 409 })
      expect((await everything()).companies).toHaveLength(2)
    })
  })

  test('every link to a contact or a company is moved by a merge', async () => {
    const known = await database().query<{ link: string }>(
      `select table_name || '.' || column_name as link from private.links
       where parent_name in ('contacts', 'companies') order by 1`,
    )
    // Whoever adds one adds it to merge_contacts or merge_companies too.
    expect(known.map(({ link }) => link)).toEqual([
      'collection_members.contact_id',
      'contacts.company_id',
      'deal_contacts.contact_id',
      'deals.company_id',
      'deals.contact_id',
      'files.company_id',
      'files.contact_id',
      'not_duplicates.one_company_id',
      'not_duplicates.one_contact_id',
      'not_duplicates.other_company_id',
      'not_duplicates.other_contact_id',
      'notes.company_id',
      'notes.contact_id',
      'tasks.company_id',
      'tasks.contact_id',
    ])
  })
})
