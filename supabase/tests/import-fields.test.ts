import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { fieldCalls, gold, options, silver } from './own-field-calls.ts'
import { add } from './samples.ts'

onAnyDatabase((database) => {
  let owner: Account
  let imports: ReturnType<typeof importCalls>
  let own: ReturnType<typeof fieldCalls>
  beforeEach(async () => {
    owner = await database().signUp()
    imports = importCalls(owner)
    own = fieldCalls(owner)
  })

  const ada = { first_name: 'Ada', email: 'ada@example.com' }
  const newField = (kind: string, values: Record<string, unknown> = {}) => ({
    id: randomUUID(),
    name: 'Budget',
    kind,
    options: [] as string[],
    ...values,
  })
  const contacts = () =>
    ok(
      owner.client
        .from('contacts')
        .select('id, first_name, notes, custom')
        .order('created_at')
        .order('first_name'),
    )
  const undo = (batch: string | null) =>
    ok(owner.client.rpc('undo_batch', { batch: batch ?? '' } as never))

  describe('a field that the file brings', () => {
    test('is made with the rows, holds their values, and goes with them', async () => {
      const field = newField('money')
      const rows = rowsOf({ ...ada, custom: { [field.id]: 1200 } }, { first_name: 'Bob' })
      const { batch, summary } = await imports.whole('contacts', rows, 'skip', [field])
      expect(summary).toMatchObject({ added: 2 })
      expect(await own.names()).toEqual(['Budget'])
      expect((await contacts()).map(({ custom }) => custom)).toContainEqual({ [field.id]: 1200 })
      await undo(batch)
      expect(await own.names()).toEqual([])
      expect(await contacts()).toEqual([])
    })

    test('comes back with the rows when the undo is undone', async () => {
      const field = newField('text')
      const rows = rowsOf({ ...ada, custom: { [field.id]: 'Some' } })
      const { batch } = await imports.whole('contacts', rows, 'skip', [field])
      await undo(batch)
      const [last] = await ok(
        owner.client.from('changes').select('batch').order('id', { ascending: false }).limit(1),
      )
      await undo(last?.batch ?? '')
      expect(await own.names()).toEqual(['Budget'])
      expect((await contacts()).map(({ custom }) => custom)).toEqual([{ [field.id]: 'Some' }])
    })

    test('stays with its options where a record that is kept holds a value of it', async () => {
      const field = newField('choice', { options })
      const unused = newField('text', { name: 'Shoe size' })
      const { batch } = await imports.whole(
        'contacts',
        rowsOf(
          { ...ada, custom: { [field.id]: gold, [unused.id]: '38' } },
          { first_name: 'Bob', custom: { [field.id]: silver, [unused.id]: '44' } },
        ),
        'skip',
        [field, unused],
      )
      // What is kept holds a value of the first field alone.
      await ok(
        owner.client
          .from('contacts')
          .update({ notes: 'Met', custom: { [unused.id]: null } })
          .eq('first_name', 'Ada')
          .select(),
      )
      const partial = async (conflicts: string) =>
        (await ok(owner.client.rpc('undo_batch', { batch: batch ?? '', conflicts }))) as {
          conflicts: { reason: string }[]
        }
      expect((await partial('refuse')).conflicts).not.toEqual([])
      await partial('keep')
      expect(await contacts()).toMatchObject([
        { first_name: 'Ada', notes: 'Met', custom: { [field.id]: gold } },
      ])
      expect(await own.names()).toEqual(['Budget'])
      // The value can still be read, filtered by and changed.
      await ok(
        owner.client
          .from('contacts')
          .update({ custom: { [field.id]: silver } })
          .eq('first_name', 'Ada')
          .select(),
      )
      expect((await contacts())[0]?.custom).toEqual({ [field.id]: silver })
    })

    test('keeps new options that a kept record has, and so does the company that came with it', async () => {
      const id = await own.field('choice', { name: 'Metal', options: [options[0]] })
      const rows = rowsOf(
        { ...ada, company: 'Acme', custom: { [id]: silver } },
        { first_name: 'Bob', company: 'Zeta', custom: { [id]: silver } },
      )
      const brought = { id, name: 'Metal', kind: 'choice', options: [options[1]] }
      const { batch } = await imports.whole('contacts', rows, 'skip', [brought] as never)
      await ok(
        owner.client.from('contacts').update({ notes: 'Met' }).eq('first_name', 'Ada').select(),
      )
      await ok(owner.client.rpc('undo_batch', { batch: batch ?? '', conflicts: 'keep' }))
      expect(
        await ok(
          owner.client.from('contacts').select('first_name, custom, company:companies(name)'),
        ),
      ).toEqual([{ first_name: 'Ada', custom: { [id]: silver }, company: { name: 'Acme' } }])
      expect(await ok(owner.client.from('companies').select('name'))).toEqual([{ name: 'Acme' }])
    })

    test('is not made by a check, a cancelled import or rows that are skipped', async () => {
      await add(owner, 'contacts', ada)
      const field = newField('text')
      const id = await imports.staged(
        'contacts',
        rowsOf({ ...ada, custom: { [field.id]: 'Some' } }),
        [field],
      )
      await imports.check(id)
      expect(await own.names()).toEqual([])
      await imports.commit(id, 'skip')
      expect(await own.names()).toEqual([])
      const left = await imports.staged('contacts', rowsOf({ custom: { [field.id]: 'a' } }), [
        field,
      ])
      expect((await owner.client.rpc('cancel_import', { id: left })).error).toBeNull()
      expect(await own.names()).toEqual([])
    })

    test('is made for companies and deals too', async () => {
      for (const kind of ['companies', 'deals'] as const) {
        const field = newField('day')
        const rows = rowsOf({ name: 'Acme', custom: { [field.id]: '2026-12-24' } })
        await imports.whole(kind, rows, 'skip', [field])
        const [row] = await ok(owner.client.from(kind).select('id, custom'))
        expect(row?.custom).toEqual({ [field.id]: '2026-12-24' })
      }
    })

    test('is refused before anything is written where there is one of its name, or no room', async () => {
      await own.field('text', { name: 'budget' })
      const check = async (fields: object[]) => {
        const id = await imports.staged('contacts', rowsOf(ada), fields as never)
        const { error } = await owner.client.rpc('check_import', { id })
        return error?.message
      }
      expect(await check([newField('text')])).toBe(
        'There is already a field “Budget”. Choose it for the column, or give the new one another name.',
      )
      const many = Array.from({ length: 100 }, (_, index) =>
        newField('text', { name: `Column ${index}` }),
      )
      expect(await check(many)).toMatch(
        /^There can be at most 100 custom fields here: you have 1, and this file brings 100\./,
      )
      expect(await check(many.slice(1))).toBeUndefined()
    })
  })

  describe('a choice', () => {
    test('gets the options that it lacks, which go with the import', async () => {
      const id = await own.field('choice', { name: 'Level', options })
      const bronze = { id: '~cccccc3', name: 'Bronze', color: 'orange' }
      const brought = { id, name: 'Level', kind: 'choice', options: [bronze] }
      const rows = rowsOf({ ...ada, custom: { [id]: bronze.id } })
      const { batch } = await imports.whole('contacts', rows, 'skip', [brought])
      const stored = async () => {
        const [field] = await ok(owner.client.from('fields').select('options').eq('id', id))
        return field?.options
      }
      expect(await stored()).toEqual([...options, bronze])
      await undo(batch)
      expect(await stored()).toEqual(options)
    })

    test('has a hundred at most, told before anything is written', async () => {
      const id = await own.field('choice', { name: 'Level', options })
      const more = Array.from({ length: 99 }, (_, index) => ({
        id: `~${String(index).padStart(7, 'x')}`,
        name: `Level ${index}`,
        color: 'gray',
      }))
      const staged = await imports.staged('contacts', rowsOf(ada), [
        { id, name: 'Level', kind: 'choice', options: more },
      ])
      const { error } = await owner.client.rpc('check_import', { id: staged })
      expect(error?.message).toBe(
        '“Level” would have 101 options, and a field can have at most 100. Choose another field for the column.',
      )
    })
  })

  describe('what an update would change', () => {
    const changesOf = async (reported: Record<string, unknown>) => {
      const id = await imports.staged('contacts', rowsOf(reported))
      await imports.check(id)
      const [row] = await imports.page(id, ['known'])
      return row?.changes
    }

    test('is told before and after, and is what is written', async () => {
      const budget = await own.field('number')
      const acme = await add(owner, 'companies', { name: 'Acme' })
      await add(owner, 'contacts', {
        ...ada,
        notes: 'By hand',
        role_title: 'Buyer',
        company_id: acme.id,
        custom: { [budget]: 1 },
      })
      const reported = {
        email: 'ada@example.com',
        role_title: 'Owner',
        company: 'ACME',
        notes: 'From the file',
        custom: { [budget]: 2 },
      }
      expect(await changesOf(reported)).toEqual({
        role_title: ['Buyer', 'Owner'],
        notes: ['By hand', 'By hand\nFrom the file'],
        custom: [{ [budget]: 1 }, { [budget]: 2 }],
      })
      expect(await changesOf({ ...reported, company: 'Babbage Ltd' })).toMatchObject({
        company: ['Acme', 'Babbage Ltd'],
      })
      await imports.whole('contacts', rowsOf(reported), 'update')
      expect(await changesOf(reported)).toEqual({})
      expect(await contacts()).toMatchObject([
        { notes: 'By hand\nFrom the file', custom: { [budget]: 2 } },
      ])
    })

    test('never leaves less: choices are added to, and what the record says already replaces nothing', async () => {
      const levels = await own.field('several choices', { name: 'Levels', options })
      const story = await own.field('long text', { name: 'Story' })
      const by_hand = { [levels]: [gold], [story]: 'Met in Boston, twice.' }
      await add(owner, 'contacts', { ...ada, custom: by_hand })
      const row = (custom: object) => ({ ...ada, custom })
      const less = row({ [levels]: [gold], [story]: 'boston' })
      expect(await changesOf(less)).toEqual({})
      expect(await imports.whole('contacts', rowsOf(less), 'update')).toMatchObject({ batch: null })
      const more = row({ [levels]: [silver], [story]: 'Met in Rome' })
      const after = { [levels]: [gold, silver], [story]: 'Met in Rome' }
      expect(await changesOf(more)).toEqual({ custom: [by_hand, after] })
      await imports.whole('contacts', rowsOf(more), 'update')
      expect(await contacts()).toMatchObject([{ custom: after }])

      await add(owner, 'companies', { name: 'Acme', location: 'Main St 1, Boston, MA' })
      await imports.whole('companies', rowsOf({ name: 'Acme', location: 'Boston' }), 'update')
      const places = () => ok(owner.client.from('companies').select('location'))
      expect(await places()).toEqual([{ location: 'Main St 1, Boston, MA' }])
      await imports.whole('companies', rowsOf({ name: 'Acme', location: 'Bos' }), 'update')
      expect(await places()).toEqual([{ location: 'Bos' }])
    })

    test('of companies and deals', async () => {
      await add(owner, 'companies', { name: 'Acme', industry: 'Steel' })
      const id = await imports.staged('companies', rowsOf({ name: 'acme', industry: 'Glass' }))
      await imports.check(id)
      expect(await imports.page(id, ['known'])).toMatchObject([
        { changes: { industry: ['Steel', 'Glass'] } },
      ])
      await add(owner, 'deals', { name: 'Big', value: 5 })
      const deals = await imports.staged('deals', rowsOf({ name: 'Big', value: 7 }))
      await imports.check(deals)
      expect(await imports.page(deals, ['known'])).toMatchObject([
        { changes: { value: [5, 7] }, stored: { value: 5 } },
      ])
    })

    test('a name that only stands beside an address changes none, but fills a missing one', async () => {
      await add(owner, 'contacts', { ...ada, last_name: 'Lovelace' })
      await add(owner, 'contacts', { first_name: null, last_name: null, email: 'bob@example.com' })
      const reported = { first_name: 'A.', last_name: 'L.', name_from: 'address' }
      expect(await changesOf({ ...reported, email: 'ada@example.com' })).toEqual({})
      expect(await changesOf({ ...reported, email: 'bob@example.com' })).toEqual({
        first_name: [null, 'A.'],
        last_name: [null, 'L.'],
      })
      await imports.whole('contacts', rowsOf({ ...reported, email: 'ada@example.com' }), 'update')
      expect(await contacts()).toMatchObject([{ first_name: 'Ada' }, { first_name: null }])
    })

    test('a full name that is parted by guessing does not part a name anew', async () => {
      const email = 'ludwig@example.com'
      await add(owner, 'contacts', { first_name: 'Ludwig', last_name: 'van Beethoven', email })
      const full = { email, name_from: 'full name' }
      expect(
        await changesOf({ ...full, first_name: 'Ludwig van', last_name: 'Beethoven' }),
      ).toEqual({})
      expect(await changesOf({ ...full, first_name: 'Ludwig' })).toEqual({})
      expect(await changesOf({ ...full, first_name: 'Louis', last_name: 'Beethoven' })).toEqual({
        first_name: ['Ludwig', 'Louis'],
        last_name: ['van Beethoven', 'Beethoven'],
      })
    })
  })
})
