import { beforeAll, expect, test } from 'vitest'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { add } from './samples.ts'

type Hit = { kind: string; id: string; title: string; about: string | null; rank: number | null }

onOneDatabase((database, isSmoke) => {
  let owner: Account
  let other: Account
  beforeAll(async () => {
    owner = await database().signUp()
    other = await database().signUp()
  })

  const search = async (words: string, account = owner) =>
    (await ok(account.client.rpc('search_everything', { words }))) as Hit[]
  const found = async (words: string) =>
    (await search(words)).map(({ kind, title, rank }) => `${rank} ${kind} ${title}`)

  test('called so, beginning so, a word beginning so, holding it: in this order, over all tables', async () => {
    await add(owner, 'companies', { name: 'Nordwind Holding' })
    await add(owner, 'companies', { name: 'Wind' })
    await add(owner, 'contacts', { first_name: 'Windy', last_name: 'Hill', email: null })
    await add(owner, 'deals', { name: 'A wind park' })
    await add(owner, 'tasks', { title: 'Rewind the tape' })
    await add(other, 'companies', { name: 'Wind' })
    expect(await found('wind')).toEqual([
      '0 companies Wind',
      '1 contacts Windy Hill',
      '2 deals A wind park',
      expect.stringMatching(/^3 /),
      expect.stringMatching(/^3 /),
    ])
    expect(await search('wind', other)).toHaveLength(1)
  })

  test('accents, capitals, phone digits, e-mail addresses, names without a first one', async () => {
    await add(owner, 'contacts', {
      first_name: null,
      last_name: 'Škoda',
      email: 'jan@brno.example',
      phone_number: '+420 (123) 456-789',
    })
    for (const words of ['skoda', 'ŠKODA', '123456', '+420 123', 'brno.ex', '  škoda ']) {
      expect((await search(words)).map(({ title }) => title)).toEqual(['Škoda'])
    }
    expect((await found('sk'))[0]).toBe('1 contacts Škoda')
  })

  test('words in whatever order', async () => {
    await add(owner, 'contacts', { first_name: 'Ulla', last_name: 'Brandt', email: 'u@b.example' })
    expect(await found('brandt ulla')).toEqual(['3 contacts Ulla Brandt'])
    expect(await found('ulla bra')).toEqual(['1 contacts Ulla Brandt'])
    expect(await found('ulla b.ex')).toEqual(['3 contacts Ulla Brandt'])
    expect(await found('ulla xylophone')).toEqual([])
    expect(await found('brandt \u00a0ulla')).toEqual(['3 contacts Ulla Brandt'])
    expect(await found('  ulla\u00a0 brandt\t')).toEqual(['0 contacts Ulla Brandt'])
  })

  if (isSmoke) return

  test('among equals those opened last come first, then those changed last, however old they are', async () => {
    const account = await database().signUp()
    const names = Array.from({ length: 30 }, (_, index) => `Lind ${index}`)
    const ids: string[] = []
    for (const last_name of names) ids.push((await add(account, 'contacts', { last_name })).id)
    const [oldest, second] = ids as [string, string]
    // Among the newest, which are looked at.
    const third = ids[10] as string
    const first = async (count: number) =>
      (await search('lind', account)).slice(0, count).map(({ id }) => id)
    for (const id of [second, oldest]) {
      await ok(account.client.rpc('note_opened', { kind: 'contacts', id }))
    }
    expect(await first(2)).toEqual([oldest, second])
    await ok(
      account.client.from('contacts').update({ role_title: 'CEO' }).eq('id', third).select('id'),
    )
    expect((await first(3))[2]).toBe(third)
    // A better match still comes before them.
    const { id } = await add(account, 'companies', { name: 'Lind' })
    expect(await first(2)).toEqual([id, oldest])
  })

  test('a phone number is found in every form, whatever form it is stored in', async () => {
    const account = await database().signUp()
    const forms = [
      '+49 30 1234567',
      '+4930 1234567',
      '0049 30 1234567',
      '+49 (0)30 1234567',
      '030 1234567',
      '(030) 1234-567',
      '030/1234567',
    ]
    for (const phone_number of forms) await add(account, 'contacts', { phone_number })
    await add(account, 'contacts', { phone_number: '+49 40 7654321' })
    const begun = ['030 12345', '0049 30 12345', '+49 30 12345', ' 030 123 ']
    for (const words of [...forms, '0301234567', '030.123.45.67', '1234567', ...begun]) {
      const hits = (await search(words, account)) as (Hit & { phone_number: string })[]
      const page = await ok(account.client.rpc('contact_page', { filter: { search: words } }))
      const { rows } = page as { rows: { phone_number: string }[] }
      for (const found of [hits, rows]) {
        const numbers = found.map(({ phone_number }) => phone_number).sort()
        expect([words, numbers]).toEqual([words, [...forms].sort()])
      }
    }
  })

  test('a few digits are looked for as they were typed', async () => {
    const account = await database().signUp()
    await add(account, 'contacts', { first_name: 'James', email: 'j007@example.com' })
    await add(account, 'contacts', { first_name: 'Seven', phone_number: '+49 30 7777777' })
    expect((await search('007', account)).map(({ title }) => title)).toEqual(['James'])
  })

  test('what only looks like a phone number is found as it was typed', async () => {
    const account = await database().signUp()
    await add(account, 'deals', { name: 'Launch 2026-11' })
    await add(account, 'tasks', { title: 'Call +49 30 1234567' })
    const company = await add(account, 'companies', { name: '24-7 Media' })
    await add(account, 'contacts', { first_name: 'Cleo', company_id: company.id })
    const best = async (words: string) => {
      const [hit] = await search(words, account)
      return `${hit?.rank} ${hit?.title}`
    }
    expect(await best('2026-11')).toBe('2 Launch 2026-11')
    expect(await best('+49 30 1234567')).toBe('2 Call +49 30 1234567')
    expect(await best('24-7')).toBe('1 24-7 Media')
    const page = await ok(account.client.rpc('contact_page', { filter: { search: '24-7' } }))
    expect((page as { rows: unknown[] }).rows).toHaveLength(1)
  })

  test('one or two letters find what begins with them, or a word in it', async () => {
    await add(owner, 'contacts', { first_name: 'Vera', last_name: 'Quist', email: null })
    await add(owner, 'deals', { name: 'Antiquity' })
    expect(await found('qu')).toEqual(['2 contacts Vera Quist'])
    expect(await found('q')).toEqual(['2 contacts Vera Quist'])
  })

  test('what is called just so comes first, however much begins so and is newer', async () => {
    const account = await database().signUp()
    await add(account, 'companies', { name: 'Delta', industry: 'Zinc' })
    for (let count = 0; count < 30; count += 1) {
      await add(account, 'companies', { name: `Delta ${count}` })
    }
    const hits = await search('delta', account)
    expect(hits).toHaveLength(8)
    expect(hits[0]).toMatchObject({ title: 'Delta', rank: 0, about: 'Zinc' })
  })

  test('a hit tells what it is told by from others of the same name', async () => {
    const company_id = (await add(owner, 'companies', { name: 'Lumen', location: 'Graz' })).id
    const contact_id = (
      await add(owner, 'contacts', { first_name: 'Lumena', email: 'l@u.example', company_id })
    ).id
    await add(owner, 'deals', { name: 'Lumens', value: 12.5, company_id })
    await add(owner, 'tasks', { title: 'Lumenize', contact_id, due_date: '2026-12-01T09:00:00Z' })
    const byKind = Object.fromEntries((await search('lumen')).map((hit) => [hit.kind, hit]))
    expect(byKind).toMatchObject({
      companies: { title: 'Lumen', about: 'Graz' },
      contacts: { title: 'Lumena', about: 'Lumen', email: 'l@u.example' },
      deals: { title: 'Lumens', about: 'Lumen', value: 12.5, stage: null },
      tasks: { title: 'Lumenize', about: 'Lumena', completed: false },
    })
  })

  test('where hardly anything is found, what is nearly so comes after it', async () => {
    await add(owner, 'contacts', {
      first_name: 'Katharina',
      last_name: 'Wojciechowski',
      email: null,
    })
    expect(await found('wojciechowsky')).toEqual(['4 contacts Katharina Wojciechowski'])
    await add(owner, 'deals', { name: 'Wojciechowsky renewal' })
    expect(await found('wojciechowsky')).toEqual([
      '1 deals Wojciechowsky renewal',
      '4 contacts Katharina Wojciechowski',
    ])
    await add(owner, 'contacts', { first_name: 'Michael', last_name: 'Schmidt', email: null })
    for (const words of ['micheal', 'shmidt', 'schmitd', 'michl']) {
      expect(await found(words)).toEqual(['4 contacts Michael Schmidt'])
    }
    expect(await found('xylophone')).toEqual([])
  })

  test('signs that mean something to a pattern are searched for as they are', async () => {
    await add(owner, 'deals', { name: '100% _real_ \\ deal' })
    for (const words of ['100%', '_real_', '\\ deal', "'; drop table deals; --"]) {
      const hits = await search(words)
      expect(hits.length).toBe(words.startsWith("'") ? 0 : 1)
    }
  })

  test('without words, what was last worked on, and nothing that is gone', async () => {
    const account = await database().signUp()
    const first = await add(account, 'companies', { name: 'First' })
    const second = await add(account, 'deals', { name: 'Second' })
    const gone = await add(account, 'tasks', { title: 'Gone' })
    await account.client.from('tasks').delete().eq('id', gone.id)
    await account.client.from('companies').update({ name: 'First again' }).eq('id', first.id)
    expect(await search('', account)).toMatchObject([
      { id: first.id, title: 'First again', kind: 'companies' },
      { id: second.id, title: 'Second', kind: 'deals' },
    ])
  })

  test('too many letters are refused, and so is whoever has no session', async () => {
    const long = await owner.client.rpc('search_everything', { words: 'x'.repeat(201) })
    expect(long.error?.message).toBe('This is too long to search for: at most 200 characters.')
    const nobody = await database().anonymous.rpc('search_everything', { words: 'x' })
    expect(nobody.error?.code).toBe('42501')
  })
})
