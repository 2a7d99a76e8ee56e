import { beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '#lib/database.types.ts'
import { backUp, sendBackup } from './backup-calls.ts'
import { type Account, ok, onOneDatabase } from './harness.ts'
import { importCalls, rowsOf } from './import-calls.ts'
import { add, table } from './samples.ts'

type Entry = { label: string; value: string }
type Row = {
  id: string
  email: string | null
  phone_number: string | null
  emails: Entry[]
  phones: Entry[]
  links: Entry[]
  addresses: Record<string, string>[]
}

const mail = (value: string, label = ''): Entry => ({ label, value })
const [a, b, c] = ['a@example.com', 'b@example.com', 'c@example.com'] as const
const home = {
  label: 'home',
  street: 'Main Street 1',
  postal_code: '10115',
  city: 'Berlin',
  region: '',
  country: 'Germany',
}

// More than one address, number, place and link of a contact or a company.
onOneDatabase((database, isSmoke) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  async function contact(values: Record<string, unknown> = {}): Promise<Row> {
    const empty = { first_name: null, email: null }
    return (await add(owner, 'contacts', { ...empty, ...values })) as never
  }
  const read = async (id: string, who = owner) =>
    (await ok(who.client.from('contacts').select().eq('id', id).single())) as never as Row
  async function write(id: string, values: Record<string, unknown>): Promise<Row> {
    const written = owner.client.from('contacts').update(values as never)
    return (await ok(written.eq('id', id).select().single())) as never
  }
  async function batchOf(id: string): Promise<string> {
    const changes = owner.client.from('changes').select('batch').eq('row_id', id)
    const [last] = await ok(changes.order('id', { ascending: false }).limit(1))
    return last?.batch ?? ''
  }
  async function found(search: string, kind: 'contact' | 'company' = 'contact') {
    const page = await ok(owner.client.rpc(`${kind}_page`, { filter: { search } }))
    const everywhere = await ok(owner.client.rpc('search_everything', { words: search }))
    const ids = (page as { rows: { id: string }[] }).rows.map(({ id }) => id)
    // The last rank is what is only similar.
    const hits = (everywhere as { id: string; rank: number }[]).filter(({ rank }) => rank < 4)
    expect(hits.map(({ id }) => id)).toEqual(ids)
    return ids
  }

  describe('the first of a list and its column are one', () => {
    test('whichever of the two a new contact is given', async () => {
      expect(await contact({ email: a, phone_number: '1' })).toMatchObject({
        emails: [mail(a)],
        phones: [mail('1')],
      })
      const listed = { emails: [mail(a, 'work'), mail(b)], phones: [mail(' 1 ', ' mobile ')] }
      expect(await contact(listed)).toMatchObject({
        email: a,
        phone_number: '1',
        emails: listed.emails,
        phones: [mail('1', 'mobile')],
      })
      expect(await contact({ emails: [], phones: null })).toMatchObject({
        email: null,
        emails: [],
        phones: [],
      })
    })

    test('the column alone changes, adds or removes the first, and leaves the others', async () => {
      const { id } = await contact({ emails: [mail(a, 'work'), mail(b, 'home')] })
      expect((await write(id, { email: c })).emails).toEqual([mail(c, 'work'), mail(b, 'home')])
      expect(await write(id, { email: null })).toMatchObject({
        email: b,
        emails: [mail(b, 'home')],
      })
      expect(await write(id, { email: '  ' })).toMatchObject({ email: null, emails: [] })
      expect((await write(id, { email: a })).emails).toEqual([mail(a)])
      const phones = [mail('1'), mail('2', 'home')]
      expect((await write(id, { phones })).phone_number).toBe('1')
      expect((await write(id, { phone_number: '3' })).phones).toEqual([
        mail('3'),
        mail('2', 'home'),
      ])
    })

    if (isSmoke) return

    test('one that is there already changes places: nothing is lost', async () => {
      const emails = [mail(a, 'work'), mail(b, 'home'), mail(c)]
      const { id } = await contact({ emails })
      const written = await write(id, { email: 'B@example.com' })
      expect(written.email).toBe('B@example.com')
      expect(written.emails).toEqual([mail('B@example.com', 'home'), mail(a, 'work'), mail(c)])
    })

    test('of both that do not agree, the column says which is first', async () => {
      const emails = [mail(a), mail(b, 'home')]
      expect((await contact({ email: c, emails })).emails).toEqual([mail(c), ...emails])
      const { id } = await contact({ email: b, emails })
      expect((await read(id)).emails).toEqual([mail(b, 'home'), mail(a)])
      expect((await write(id, { email: c, emails: [mail(a)] })).emails).toEqual([mail(c), mail(a)])
      expect(await write(id, { email: null, emails: [mail(b)] })).toMatchObject({ email: b })
      // A client that sends the whole row changes what it changed.
      const seen = await read(id)
      const { emails: same } = seen
      expect((await write(id, { email: a, emails: same })).emails).toEqual([mail(a)])
    })

    test('a write of something else touches neither', async () => {
      const { id, emails } = await contact({ emails: [mail(a, 'work'), mail(b)] })
      expect(await write(id, { first_name: 'Ada' })).toMatchObject({ email: a, emails })
      const logged = owner.client.from('changes').select('after').eq('row_id', id)
      expect(await ok(logged.eq('verb', 'update'))).toEqual([{ after: { first_name: 'Ada' } }])
    })
  })

  if (isSmoke) return

  describe('what a list may hold', () => {
    test.each<[string, unknown, string]>([
      ['emails', [mail('nobody')], '“nobody” is not an email address.'],
      ['emails', [mail(a), mail('A@example.com')], '“A@example.com” is there twice.'],
      ['emails', [mail(`${'x'.repeat(319)}@b`)], 'at most 320 characters'],
      ['emails', [mail(a, 'x'.repeat(41))], 'A label can have at most 40 characters.'],
      ['emails', mail(a), 'cannot be read'],
      ['emails', [{ ...mail(a), more: 'x' }], 'cannot be read'],
      ['emails', [{ value: 5 }], 'cannot be read'],
      ['emails', [{ value: [a] }], 'cannot be read'],
      ['phones', [mail('1'.repeat(51))], 'at most 50 characters'],
      ['phones', Array.from({ length: 21 }, (_, n) => mail(String(n))), 'at most 20 phone numbers'],
      ['links', [mail('javascript:alert(1)')], 'is not a web address'],
      ['links', [mail('https://a b')], 'is not a web address'],
      ['links', [mail('acme.com'), mail('HTTPS://acme.com')], 'is there twice'],
      ['addresses', [{ street: 'x'.repeat(501) }], 'at most 500 characters'],
      ['addresses', [home, { ...home, label: 'work' }], 'is there twice'],
    ])('%s %j is refused in words', async (list, value, words) => {
      const answer = await owner.client.from('contacts').insert({ [list]: value } as never)
      expect(answer).toMatchObject({
        status: 400,
        error: { message: expect.stringMatching(/Nothing was saved\.$/) },
      })
      expect(answer.error?.message).toContain(words)
    })

    test('entries are stored trimmed and whole, those that say nothing not at all', async () => {
      const stored = await contact({
        emails: [{ value: ` ${a} ` }, mail('', 'home')],
        links: [mail(' linkedin.com/in/ada '), mail('http://ada.example', 'blog')],
        addresses: [{ city: ' Berlin ' }, { label: 'work', street: '' }, home],
      })
      expect(stored).toMatchObject({
        emails: [mail(a)],
        links: [mail('https://linkedin.com/in/ada'), mail('http://ada.example', 'blog')],
        addresses: [
          { label: '', street: '', postal_code: '', city: 'Berlin', region: '', country: '' },
          home,
        ],
      })
    })

    test('a company has numbers, e-mail addresses and places, by the same rules', async () => {
      const lists = { emails: [mail(a, 'office')], phones: [mail('030 1')], addresses: [home] }
      const { id } = await add(owner, 'companies', lists)
      const stored = table(owner, 'companies').select('emails, phones, addresses').eq('id', id)
      expect(await ok(stored.single())).toEqual(lists)
      const wrong = table(owner, 'companies').update({ emails: [mail('x')] } as never)
      expect(await wrong.eq('id', id)).toMatchObject({ status: 400 })
    })
  })

  test('search finds every address, number, place and link, and a middle name', async () => {
    const { id } = await contact({
      first_name: 'Ada',
      middle_name: ' Augusta ',
      last_name: 'Lovelace',
      emails: [mail(a), mail('second@example.org')],
      phones: [mail('1'), mail('+49 (30) 123-4567')],
      links: [mail('https://linkedin.com/in/countess')],
      addresses: [home],
    })
    await contact({ emails: [mail(b)] })
    for (const words of [
      'second@example',
      '030 1234567',
      '+49301234567',
      'linkedin.com/in/countess',
      'main street',
      '10115 berlin',
      'ada augusta',
      'augusta lovelace',
      'ada lovelace',
    ]) {
      expect(await found(words), words).toEqual([id])
    }
    const company = await add(owner, 'companies', {
      name: 'Acme',
      emails: [mail('info@acme.test')],
      phones: [mail('+49 89 7654321')],
      addresses: [{ city: 'Augsburg' }],
    })
    for (const words of ['info@acme', '089 7654321', '+49 (89) 7654321', 'augsburg']) {
      expect(await found(words, 'company'), words).toEqual([company.id])
    }
  })

  test('undo and the trash give back the lists as they were, and the log tells them', async () => {
    const emails = [mail(a, 'work'), mail(b)]
    const lists = { emails, links: [mail('https://a.example')], addresses: [home] }
    const { id } = await contact(lists)
    await write(id, { email: c, links: [] })
    const batch = await batchOf(id)
    const logged = owner.client.from('changes').select('before, after').eq('batch', batch)
    expect(await ok(logged)).toEqual([
      {
        before: { email: a, emails, links: lists.links },
        after: { email: c, emails: [mail(c, 'work'), mail(b)], links: [] },
      },
    ])
    await ok(owner.client.rpc('undo_batch', { batch }))
    expect(await read(id)).toMatchObject({ email: a, ...lists })
    await ok(owner.client.from('contacts').delete().eq('id', id).select())
    await ok(owner.client.rpc('undo_batch', { batch: await batchOf(id) }))
    expect(await read(id)).toMatchObject({ email: a, ...lists })
  })

  test('a backup holds them; one from before gives the first entries', async () => {
    const emails = [mail(a, 'work'), mail(b)]
    await contact({ emails, phone_number: '1', addresses: [home], middle_name: 'Augusta' })
    await add(owner, 'companies', { phones: [mail('2')] })
    const parts = await backUp(owner)
    const [second, third] = [await database().signUp(), await database().signUp()]
    const all = async (who: Account) => [
      ...(await ok(who.client.from('contacts').select('email, emails, phones, middle_name'))),
      ...(await ok(who.client.from('companies').select('phones'))),
    ]
    expect((await sendBackup(second, parts, { account: owner.id })).error).toBeNull()
    expect(await all(second)).toEqual([
      { email: a, emails, phones: [mail('1')], middle_name: 'Augusta' },
      { phones: [mail('2')] },
    ])
    const old = parts.map(({ kind, lines }) => ({ kind, lines: lines.map(withoutLists) }))
    expect((await sendBackup(third, old, { account: owner.id })).error).toBeNull()
    expect(await all(third)).toEqual([
      { email: a, emails: [mail(a)], phones: [mail('1')], middle_name: null },
      { phones: [] },
    ])
    const forged = parts.map(({ kind, lines }) => ({
      kind,
      lines: lines.map((line) => line.replace(`"${b}"`, '"x"')),
    }))
    const fourth = await database().signUp()
    expect((await sendBackup(fourth, forged, { account: owner.id })).error?.message).toContain(
      'has a value that is not allowed',
    )
  })

  describe('duplicates', () => {
    async function groups(): Promise<string[]> {
      const page = await ok(owner.client.rpc('duplicate_page', { kind: 'contacts' }))
      const { rows } = page as {
        rows: { id: string; reasons: string[]; records: { notes: string }[] }[]
      }
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
      return rows
        .map(({ reasons, records }) => `${reasons}: ${records.map(({ notes }) => notes).join(' ')}`)
        .sort()
    }

    test('are found by any address and any number', async () => {
      await contact({ notes: '1', emails: [mail(a), mail(b)], phones: [mail('030 1111111')] })
      await contact({ notes: '2', emails: [mail('B@example.com')] })
      await contact({ notes: '3', phones: [mail('1'), mail('+49 30 1111111')] })
      await contact({ notes: '4', phones: [mail('030 2222222'), mail('+49 30 2222222')] })
      expect(await groups()).toEqual(['email: 1 2', 'phone: 1 3'])
    })

    test('stand there once, however many they share, and beside others by another address', async () => {
      const both = [mail(a), mail(b)]
      await contact({
        notes: '1',
        emails: both,
        phones: [mail('030 1111111'), mail('030 2222222')],
      })
      await contact({ notes: '2', emails: both, phones: [mail('030 2222222')] })
      expect(await groups()).toEqual(['email,phone: 1 2'])
      await contact({ notes: '3', email: b })
      expect(await groups()).toEqual(['email: 1 2 3'])
      await contact({ notes: '4', emails: [mail(c), mail('d@example.com')] })
      await contact({ notes: '5', email: c })
      await contact({ notes: '6', email: 'd@example.com' })
      expect(await groups()).toEqual(['email: 1 2 3', 'email: 4 5', 'email: 4 6'])
    })
  })

  describe('a merge', () => {
    type Seen = { id: string; updated_at: string }
    function asked(keep: Row, gone: Row[], changes: Json = {}) {
      const seen = Object.fromEntries([keep, ...gone].map((row) => seenOf(row as never)))
      return owner.client.rpc('merge_contacts', { keep: keep.id, seen, changes })
    }
    const merge = async (keep: Row, gone: Row[], changes: Json = {}) =>
      ((await ok(asked(keep, gone, changes))) as { batch: string }).batch
    const seenOf = ({ id, updated_at }: Seen) => [id, updated_at]

    test('unites the lists: nothing is lost, and the first stays first', async () => {
      const keep = await contact({ emails: [mail(a, 'work')], phones: [mail('030 1111111')] })
      const gone = await contact({
        emails: [mail(b, 'home'), mail('A@example.com')],
        phones: [mail('+49 30 1111111'), mail('030 2')],
        links: [mail('https://a.example')],
        addresses: [home],
      })
      const batch = await merge(keep, [gone])
      expect(await read(keep.id)).toMatchObject({
        email: a,
        emails: [mail(a, 'work'), mail(b, 'home')],
        phones: [mail('030 1111111'), mail('030 2')],
        links: gone.links,
        addresses: gone.addresses,
      })
      await ok(owner.client.rpc('undo_batch', { batch }))
      expect(await read(keep.id)).toMatchObject({ emails: keep.emails, links: [] })
      expect(await read(gone.id)).toMatchObject({ emails: gone.emails, addresses: [home] })
    })

    test('has the one first that was chosen, and none lost where none was chosen', async () => {
      const keep = await contact({ emails: [mail(a), mail(c)] })
      const gone = await contact({ emails: [mail(b, 'home')], phone_number: '1' })
      await merge(keep, [gone], { email: b, phone_number: null })
      expect(await read(keep.id)).toMatchObject({
        email: b,
        emails: [mail(b, 'home'), mail(a), mail(c)],
        phone_number: '1',
      })
    })

    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, n) => mail(`${name}${n}@example.com`, 'work'))

    test('keeps in the notes what a full list cannot hold, and the chosen one first', async () => {
      const keep = await contact({ emails: many('a', 19), notes: 'Met in Rome' })
      const gone = await contact({ emails: [...many('b', 2), mail(c, 'home')] })
      const batch = await merge(keep, [gone], { email: c })
      const merged = await read(keep.id)
      expect(merged.emails).toEqual([mail(c, 'home'), ...many('a', 19)])
      expect(merged).toMatchObject({
        email: c,
        notes:
          'Met in Rome\n\nOther email address: b0@example.com (Work)\nOther email address: b1@example.com (Work)',
      })
      await ok(owner.client.rpc('undo_batch', { batch }))
      expect(await read(keep.id)).toMatchObject({ emails: keep.emails, notes: 'Met in Rome' })
      expect((await read(gone.id)).emails).toHaveLength(3)
    })

    test('whose notes would be too long is refused whole', async () => {
      const keep = await contact({ emails: many('a', 20), notes: 'x'.repeat(49_990) })
      const gone = await contact({ emails: many('b', 1) })
      expect(await asked(keep, [gone])).toMatchObject({
        status: 400,
        error: { message: expect.stringContaining('Nothing was saved') },
      })
      expect((await read(gone.id)).emails).toHaveLength(1)
    })

    test('of companies unites theirs', async () => {
      const keep = await add(owner, 'companies', { phones: [mail('1')] })
      const gone = await add(owner, 'companies', { phones: [mail('2')], emails: [mail(a)] })
      const seen = Object.fromEntries([seenOf(keep as never), seenOf(gone as never)])
      await ok(owner.client.rpc('merge_companies', { keep: keep.id, seen }))
      const stored = table(owner, 'companies').select('phones, emails').eq('id', keep.id).single()
      expect(await ok(stored)).toEqual({ phones: [mail('1'), mail('2')], emails: [mail(a)] })
    })

    test('of companies keeps in a note what a full list cannot hold', async () => {
      const keep = await add(owner, 'companies', { emails: many('a', 20) })
      const gone = await add(owner, 'companies', { emails: many('b', 1) })
      const seen = Object.fromEntries([seenOf(keep as never), seenOf(gone as never)])
      await ok(owner.client.rpc('merge_companies', { keep: keep.id, seen, note: 'Other name: X' }))
      const stored = table(owner, 'companies').select('emails').eq('id', keep.id).single()
      expect(await ok(stored)).toEqual({ emails: many('a', 20) })
      const notes = owner.client.from('notes').select('body').eq('company_id', keep.id)
      expect(await ok(notes)).toEqual([
        { body: 'Other name: X\n\nOther email address: b0@example.com (Work)' },
      ])
    })
  })

  describe('an import', () => {
    const rows = () => ok(owner.client.from('contacts').select().order('created_at')) as never

    test('fills the lists of new records, each entry once', async () => {
      const reported = {
        email: a,
        emails: [mail(a, 'work'), mail(b), mail('B@example.com')],
        phones: [mail('1', 'mobile')],
        links: [mail('linkedin.com/in/ada')],
        addresses: [{ city: 'Berlin' }],
        middle_name: 'Augusta',
      }
      await importCalls(owner).whole('contacts', rowsOf(reported))
      const [stored] = (await rows()) as Row[]
      expect(stored).toMatchObject({
        email: a,
        phone_number: '1',
        emails: [mail(a, 'work'), mail(b)],
        links: [mail('https://linkedin.com/in/ada')],
        addresses: [{ city: 'Berlin', country: '' }],
        middle_name: 'Augusta',
      })
      const office = { name: 'Acme', emails: [mail(a)], phones: [mail('1')], addresses: [home] }
      await importCalls(owner).whole('companies', rowsOf(office))
      const companies = table(owner, 'companies').select('emails, phones, addresses').single()
      expect(await ok(companies)).toEqual({
        emails: [mail(a)],
        phones: [mail('1')],
        addresses: [home],
      })
    })

    test('knows a contact by any address, and adds to what it has', async () => {
      const { id } = await contact({
        emails: [mail(a, 'work'), mail(b)],
        phone_number: '030 1111111',
      })
      const calls = importCalls(owner)
      const same = rowsOf({ email: 'B@example.com', phone_number: '+49 30 1111111' })
      const again = await calls.whole('contacts', same, 'update')
      expect(again.summary).toMatchObject({ added: 0, updated: 0, skipped: 1 })
      const news = rowsOf({
        email: c,
        emails: [mail(c, 'new'), mail(b, 'home')],
        phone_number: '2',
        phones: [mail('3')],
        links: [mail('https://a.example')],
      })
      const { summary, batch } = await calls.whole('contacts', news, 'update')
      expect(summary).toMatchObject({ added: 0, updated: 1 })
      expect(await read(id)).toMatchObject({
        email: c,
        emails: [mail(c, 'new'), mail(a, 'work'), mail(b)],
        phone_number: '2',
        phones: [mail('2'), mail('030 1111111'), mail('3')],
        links: [mail('https://a.example')],
      })
      await ok(owner.client.rpc('undo_batch', { batch: String(batch) }))
      expect(await read(id)).toMatchObject({ email: a, links: [] })
    })

    test('takes rows that share an address, or a number without a name, for one', async () => {
      const twins = rowsOf(
        { first_name: 'Ada', emails: [mail(a), mail(b)] },
        { first_name: 'Countess', email: b },
        { first_name: 'Grace', email: c },
      )
      const calls = importCalls(owner)
      expect(await calls.check(await calls.staged('contacts', twins))).toMatchObject({
        new: 2,
        twin: 1,
      })
      await contact({ phones: [mail('1'), mail('030 1111111')] })
      const number = rowsOf({ phones: [mail('030/1111111')] }, { phone_number: '5' })
      expect(await calls.check(await calls.staged('contacts', number))).toMatchObject({
        known: 1,
        new: 1,
      })
      const links = rowsOf({ links: [mail('a.example')] }, { links: [mail('b.example')] })
      expect((await calls.whole('contacts', links)).summary).toMatchObject({ added: 2 })
      expect((await calls.whole('contacts', links)).summary).toMatchObject({ added: 0, skipped: 2 })
    })
  })

  test('an import takes two people who share a further address for two', async () => {
    const calls = importCalls(owner)
    const people = rowsOf(
      { first_name: 'Ada', email: a, emails: [mail(a), mail('office@example.com')] },
      { first_name: 'Bob', email: b, emails: [mail(b), mail('office@example.com')] },
      // The first address of one of both, or the same name: one person.
      { first_name: 'Bobby', email: c, emails: [mail(c), mail(b)] },
      { first_name: 'Ada', email: 'd@example.com', emails: [mail('office@example.com')] },
    )
    const id = await calls.staged('contacts', people)
    expect(await calls.check(id)).toMatchObject({ new: 2, twin: 2 })
    expect((await calls.commit(id)).summary).toMatchObject({ added: 2 })
    const again = rowsOf(
      { first_name: 'Cy', email: 'e@example.com', emails: [mail('office@example.com')] },
      { first_name: 'Ada', email: 'f@example.com', emails: [mail('office@example.com')] },
      { first_name: 'Robert', email: 'g@example.com', emails: [mail(b)] },
    )
    expect(await calls.check(await calls.staged('contacts', again))).toMatchObject({
      new: 1,
      known: 2,
    })
  })

  test('an import of deals knows their contact by any address', async () => {
    const { id } = await contact({ first_name: 'Ada', emails: [mail(a), mail(b)] })
    const calls = importCalls(owner)
    const rows = rowsOf({ name: 'Renewal', value: 5, contact_email: 'B@example.com' })
    expect((await calls.whole('deals', rows)).summary).toMatchObject({ added: 1, contacts: 0 })
    expect(await ok(owner.client.from('deals').select('contact_id'))).toEqual([{ contact_id: id }])
    // The same file once more, and one that says the first address.
    expect((await calls.whole('deals', rows)).summary).toMatchObject({ added: 0, skipped: 1 })
    const first = rowsOf({ name: 'Renewal', value: 5, contact_email: a })
    expect((await calls.whole('deals', first)).summary).toMatchObject({ added: 0, skipped: 1 })
  })

  test('quick add knows a contact by any address and any number', async () => {
    const { id } = await contact({
      first_name: 'Ada',
      emails: [mail(a), mail(b)],
      phones: [mail('1'), mail('+49 30 1234567')],
    })
    for (const reported of [{ email: b }, { phone_number: '030 1234567' }]) {
      const line = { contact: { first_name: 'Ada', ...reported } }
      const preview = await ok(owner.client.rpc('quick_add_preview', { line }))
      expect(preview).toMatchObject({ contact: [{ id, email: a }] })
    }
    const other = { contact: { first_name: 'Ada', email: c } }
    expect(await ok(owner.client.rpc('quick_add_preview', { line: other }))).toMatchObject({
      contact: [],
    })
  })
})

function withoutLists(line: string): string {
  const { emails: _, phones, links, addresses, middle_name, ...rest } = JSON.parse(line)
  return JSON.stringify(rest)
}
