import { beforeEach, expect, test } from 'vitest'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add } from './samples.ts'

// What a field gets that a later migration adds by private.add_field, shown by the nickname of contacts.
onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  const nicknames = async (who = owner) => {
    const rows = await ok(who.client.from('contacts').select('nickname').order('nickname'))
    return rows.map(({ nickname }) => nickname)
  }
  const found = async (search: string) => {
    const page = (await ok(owner.client.rpc('contact_page', { filter: { search } }))) as {
      rows: { first_name: string; nickname: string }[]
    }
    return page.rows
  }

  test('it is stored trimmed, with the limit of a name, and shown by the list', async () => {
    await add(owner, 'contacts', { first_name: 'Robert', nickname: ' Böb ' })
    await add(owner, 'contacts', { nickname: '  ' })
    expect(await nicknames()).toEqual(['Böb', null])
    const long = owner.client.from('contacts').insert({ nickname: 'x'.repeat(201) })
    expect(await long).toMatchObject({ status: 400, error: { code: '23514' } })
    expect(await found('bob')).toMatchObject([{ first_name: 'Robert', nickname: 'Böb' }])
    expect(await ok(owner.client.rpc('search_everything', { words: 'bob' }))).toMatchObject([
      { title: 'Robert' },
    ])
  })

  test('what is searched is what stands in private.search_parts, for every table', async () => {
    const kinds = await database().query<{ kind: string }>(
      `select table_name as kind from information_schema.columns
       where table_schema = 'public' and column_name = 'search_text' order by 1`,
    )
    const listed = database().query('select distinct kind from private.search_parts order by 1')
    expect(await listed).toEqual(kinds)
    const expressions = `(
      select jsonb_object_agg(d.adrelid::regclass, pg_get_expr(d.adbin, d.adrelid))
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      where a.attname = 'search_text'
    )`
    // Its error takes everything back, and reports what was found.
    const rewritten = database().query(`do $do$
      declare
        before jsonb := ${expressions};
        is_same boolean;
      begin
        perform private.write_search(('public.' || p.kind)::regclass) from (select distinct kind from private.search_parts) p;
        is_same := ${expressions} = before;
        perform private.add_to_search('public.contacts', 'lead_status');
        raise exception 'same: %, added before the digits: %', is_same, ${expressions} ->> 'contacts' ~ 'lead_status.*phone_number';
      end $do$`)
    await expect(rewritten).rejects.toThrow('same: t, added before the digits: t')
  })

  test('an import fills it, and adds nothing to what says the same', async () => {
    const calls = importCalls(owner)
    const rows = rowsOf({ first_name: 'Robert', nickname: 'Bob' }, { first_name: 'Ada' })
    expect((await calls.whole('contacts', rows)).summary).toMatchObject({ added: 2 })
    const news = rowsOf(
      { first_name: 'Robert', nickname: 'Bob' },
      { first_name: 'Ada', nickname: 'A' },
    )
    const again = await calls.whole('contacts', news, 'update')
    expect(again.summary).toMatchObject({ added: 0, updated: 1, skipped: 1 })
    expect(await nicknames()).toEqual(['A', 'Bob'])
    await ok(owner.client.rpc('undo_batch', { batch: String(again.batch) }))
    expect(await nicknames()).toEqual(['Bob', null])
  })

  test('people of whom a file says nothing else are told apart by it', async () => {
    const calls = importCalls(owner)
    const rows = rowsOf({ nickname: 'Bob' }, { nickname: 'Al' })
    expect((await calls.whole('contacts', rows)).summary).toMatchObject({ added: 2 })
    expect((await calls.whole('contacts', rows)).summary).toMatchObject({ added: 0, skipped: 2 })
  })

  test('a merge takes it over, and undo gives it back', async () => {
    const keep = await add(owner, 'contacts', { first_name: 'Robert' })
    const gone = await add(owner, 'contacts', { first_name: 'Robert', nickname: 'Bob' })
    const seen = { [keep.id]: keep.updated_at, [gone.id]: gone.updated_at } as never
    const changes = { nickname: 'Bob' }
    const answer = await ok(owner.client.rpc('merge_contacts', { keep: keep.id, seen, changes }))
    expect(await nicknames()).toEqual(['Bob'])
    const { batch } = answer as { batch: string }
    const logged = owner.client.from('changes').select('before, after').eq('row_id', keep.id)
    expect(await ok(logged.eq('verb', 'update'))).toEqual([
      { before: { nickname: null }, after: { nickname: 'Bob' } },
    ])
    await ok(owner.client.rpc('undo_batch', { batch }))
    expect(await nicknames()).toEqual(['Bob', null])
  })

  test('a backup holds it, and one from before restores all the same', async () => {
    await add(owner, 'contacts', { nickname: 'Bob' })
    const parts = await backUp(owner)
    const other = await database().signUp()
    expect((await sendBackup(other, parts, { account: owner.id })).error).toBeNull()
    expect(await nicknames(other)).toEqual(['Bob'])

    const before = parts.map(({ kind, lines }) => ({
      kind,
      lines: kind === 'contacts' ? lines.map((line) => without(line, 'nickname')) : lines,
    }))
    const third = await database().signUp()
    expect((await sendBackup(third, before, { account: owner.id })).error).toBeNull()
    expect(await nicknames(third)).toEqual([null])
  })
})

function without(line: string, name: string): string {
  const { [name]: _, ...rest } = JSON.parse(line)
  return JSON.stringify(rest)
}
