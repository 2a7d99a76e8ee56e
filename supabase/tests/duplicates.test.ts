import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, ok, onAnyDatabase } from './harness.ts'
import { add } from './samples.ts'

type Kind = 'contacts' | 'companies'
type Found = { id: string; reasons: string[]; size: number; records: { id: string }[] }
type Page = { rows: Found[]; next: unknown }

onAnyDatabase((database) => {
  let owner: Account
  beforeEach(async () => {
    owner = await database().signUp()
  })

  async function page(kind: Kind, args: object = {}, who = owner): Promise<Page> {
    const answer: unknown = await ok(who.client.rpc('duplicate_page', { kind, ...args } as never))
    return answer as Page
  }

  /** The groups as 'reasons: names', a name being the notes or the industry that a test gave. */
  async function groups(kind: Kind): Promise<string[]> {
    const { rows } = await page(kind)
    const { error, data } = await owner.client.rpc('duplicate_counts')
    expect(error).toBeNull()
    expect(data).toMatchObject({ [kind]: rows.length })
    return rows.map(({ reasons, records }) => {
      const names = records.map(
        (record) => (record as never)[kind === 'contacts' ? 'notes' : 'industry'],
      )
      return `${reasons.join(' ')}: ${names.join(' ')}`
    })
  }

  async function addAll(kind: Kind, rows: Record<string, unknown>[]): Promise<string[]> {
    const ids: string[] = []
    for (const row of rows) {
      const empty = kind === 'contacts' ? { first_name: null, email: null } : {}
      ids.push((await add(owner, kind, { ...empty, ...row })).id)
    }
    return ids
  }

  describe('contacts are found', () => {
    test('by the same e-mail address, capitals aside', async () => {
      await addAll('contacts', [
        { notes: 'a', email: 'Ada@Example.com' },
        { notes: 'b', email: 'ada@example.com', first_name: 'Countess' },
        { notes: 'c', email: 'ada@example.org' },
        { notes: 'd' },
        { notes: 'e' },
      ])
      expect(await groups('contacts')).toEqual(['email: a b'])
    })

    test('by the same phone digits, with or without the codes before them', async () => {
      const written = [
        ['+49 30 1234567', '030 1234567'],
        ['+49 (0)30 223-4567', '0049 30 2234567'],
        ['(415) 555-1234', '+1 415 555 1234'],
        ['1-415-555-2234', '415.555.2234'],
        ['+44 20 7946 0958', '020 7946 0958'],
        ['+41 44 668 18 00', '044/668 18 00'],
        ['+49 30 12345', '030 12345'],
        ['+353 1 234 5678', '01 2345678'],
      ]
      await addAll(
        'contacts',
        written.flatMap((pair, n) =>
          pair.map((phone_number, m) => ({ notes: `${n}${'ab'[m]}`, phone_number })),
        ),
      )
      expect((await groups('contacts')).sort()).toEqual(written.map((_, n) => `phone: ${n}a ${n}b`))
    })

    test('by the same profile among their links, however written, but not by a page that colleagues share', async () => {
      const links = (...values: string[]) => ({
        links: values.map((value) => ({ label: 'LinkedIn', value })),
      })
      await addAll('contacts', [
        { notes: 'a', ...links('https://www.linkedin.com/in/Ada-L/', 'https://acme.com') },
        { notes: 'b', ...links('http://de.linkedin.com/in/ada-l?trk=x'), email: 'b@acme.com' },
        { notes: 'c', ...links('https://linkedin.com/company/acme', 'https://acme.com') },
        { notes: 'd', ...links('https://linkedin.com/company/acme') },
        {
          notes: 'e',
          ...links('https://www.xing.com/profile/Grace_H'),
          phone_number: '5550100200',
        },
        {
          notes: 'f',
          ...links('https://xing.com/profile/Grace_H/web'),
          phone_number: '5550100200',
        },
        { notes: 'g', email: 'b@acme.com' },
      ])
      expect(await groups('contacts')).toEqual(['email: b g', 'link phone: e f', 'link: a b'])
    })

    test('not by fewer than seven digits, nor by a number that only ends alike', async () => {
      await addAll('contacts', [
        { notes: 'a', phone_number: '12345' },
        { notes: 'b', phone_number: '12345' },
        { notes: 'c', phone_number: '+49 30 1234567' },
        { notes: 'd', phone_number: '+49 89 1234567' },
        { notes: 'e', phone_number: 'n/a' },
        { notes: 'f', phone_number: 'n/a' },
      ])
      expect(await groups('contacts')).toEqual([])
    })

    test('not by the number of a switchboard, but by one that a family name agrees with', async () => {
      const [acme] = await addAll('companies', [{ name: 'Acme' }])
      const phone = { phone_number: '+49 30 1234567', company_id: acme }
      await addAll('contacts', [
        { ...phone, notes: 'a', first_name: 'Ada', last_name: 'Lovelace' },
        { ...phone, notes: 'b', first_name: 'Grace', last_name: 'Hopper' },
        { ...phone, notes: 'c', first_name: 'Alan', last_name: 'Turing' },
      ])
      expect(await groups('contacts')).toEqual([])
      await addAll('contacts', [
        { notes: 'd', phone_number: '030 1234567', first_name: 'A.', last_name: 'Lovelace' },
      ])
      expect(await groups('contacts')).toEqual(['phone: a d'])
    })

    test('by a number that one of them has without a name', async () => {
      await addAll('contacts', [
        { notes: 'a', phone_number: '+49 30 1234567', first_name: 'Ada', last_name: 'Lovelace' },
        { notes: 'b', phone_number: '030 1234567', email: 'x@example.com' },
        { notes: 'c', phone_number: '0301234567', first_name: 'Ada' },
      ])
      expect(await groups('contacts')).toEqual(['phone: a b c'])
    })

    test('by a similar name, however spelled', async () => {
      const spelled = [
        ['Ada Lovelace', 'ADA  lovelace'],
        ['Zoë Müller', 'Zoe Mueller'],
        ['Grace Hopper', 'Hopper, Grace'],
        ['Dr. Alan Turing', 'Alan Turing'],
        ['Prof. Dr. Emmy Noether', 'Mrs Emmy Noether'],
        ['Jean M. Bartik', 'Jean Bartik'],
        ['Anna-Maria Groß', 'Anna Maria Gross'],
        ["Conan O'Brien", 'Conan OBrien'],
        ['Philipp Meyer', 'Filip Meier'],
        ['Иван Петров', 'иван петров'],
      ]
      await addAll('contacts', [
        ...spelled.flatMap(([one = '', other = ''], n) => {
          const [first, ...rest] = other.split(' ')
          return [
            { notes: `${n}a`, first_name: one },
            { notes: `${n}b`, first_name: first, last_name: rest.join(' ') },
          ]
        }),
        // A single word is not enough.
        { notes: 'x', first_name: 'Ada' },
        { notes: 'y', first_name: 'Ada' },
      ])
      expect((await groups('contacts')).sort()).toEqual(spelled.map((_, n) => `name: ${n}a ${n}b`))
    })

    test('by a similar name only of the same or of no company', async () => {
      const [acme, globex] = await addAll('companies', [{ name: 'Acme' }, { name: 'Globex' }])
      const ada = { first_name: 'Ada', last_name: 'Lovelace' }
      await addAll('contacts', [
        { ...ada, notes: 'a', company_id: acme },
        { ...ada, notes: 'b', company_id: globex },
      ])
      expect(await groups('contacts')).toEqual([])
      await addAll('contacts', [{ ...ada, notes: 'c', company_id: globex }])
      expect(await groups('contacts')).toEqual(['name: b c'])
      const bob = { first_name: 'Bob', last_name: 'Miller' }
      await addAll('contacts', [
        { ...bob, notes: 'd', company_id: acme },
        { ...bob, notes: 'e' },
        { first_name: 'Tom', notes: 'f', company_id: acme },
        { first_name: 'Tom', notes: 'g', company_id: acme },
        { first_name: 'Tom', notes: 'h' },
      ])
      expect(await groups('contacts')).toEqual(['name: f g', 'name: d e', 'name: b c'])
    })

    test('once, with all their reasons, strongest first', async () => {
      const ada = { first_name: 'Ada', last_name: 'Lovelace' }
      const bob = { first_name: 'Bob', last_name: 'Miller' }
      const eve = { first_name: 'Eve', last_name: 'Stone', email: 'eve@example.com' }
      await addAll('contacts', [
        { ...ada, notes: 'a' },
        { ...bob, notes: 'b', phone_number: '0301234567' },
        { ...eve, notes: 'c', phone_number: '030 2345678' },
        { ...ada, notes: 'd' },
        { ...bob, notes: 'e', phone_number: '+49301234567' },
        { ...eve, notes: 'f', phone_number: '+49 30 2345678' },
        { ...eve, notes: 'g', first_name: 'E.' },
      ])
      expect(await groups('contacts')).toEqual(['email: c f g', 'phone name: b e', 'name: a d'])
    })

    test('not among other people’s', async () => {
      const other = await database().signUp()
      await add(owner, 'contacts', { email: 'same@example.com' })
      await add(other, 'contacts', { email: 'same@example.com' })
      expect((await page('contacts')).rows).toEqual([])
      expect((await page('contacts', {}, other)).rows).toEqual([])
    })
  })

  describe('companies are found', () => {
    test('by a similar name, legal forms aside', async () => {
      const spelled = [
        ['Acme', 'ACME GmbH'],
        ['Globex Inc.', 'Globex, Ltd.'],
        ['Müller & Söhne GmbH & Co. KG', 'Mueller und Soehne'],
        ['The Umbrella Company', 'Umbrella Corp.'],
        ['Initech S.A.', 'Initech'],
        ['Face Book LLC', 'Facebook'],
        ['Hooli UG (haftungsbeschränkt)', 'Hooli AG'],
        ['Nordlys AS', 'Nordlys Oy'],
      ]
      await addAll('companies', [
        ...spelled.flatMap((pair, n) =>
          pair.map((name, m) => ({ industry: `${n}${'ab'[m]}`, name })),
        ),
        { industry: 'x', name: 'GmbH' },
        { industry: 'y', name: 'SAS Institute' },
        { industry: 'z', name: 'Institute' },
      ])
      expect((await groups('companies')).sort()).toEqual(spelled.map((_, n) => `name: ${n}a ${n}b`))
    })

    test('by the host of their website, but not by a place where everybody has a page', async () => {
      await addAll('companies', [
        { industry: 'a', name: 'Acme', website: 'https://www.acme.com/about' },
        { industry: 'b', name: 'Acme Germany', website: 'http://acme.com:8080?x=1' },
        { industry: 'c', name: 'Other', website: 'https://shop.acme.com' },
        { industry: 'd', name: 'Page', website: 'https://www.facebook.com/page' },
        { industry: 'e', name: 'Another', website: 'https://facebook.com/another' },
        { industry: 'f', name: 'Globex', website: 'https://globex.com' },
        { industry: 'g', name: 'Globex Inc', website: 'https://globex.com' },
      ])
      expect(await groups('companies')).toEqual(['website name: f g', 'website: a b'])
    })

    test('by any of their addresses and numbers, however written; a merge keeps all of them', async () => {
      const value = (each: string) => ({ label: 'work', value: each })
      const [keep = '', ...others] = await addAll('companies', [
        {
          industry: 'a',
          name: 'Acme',
          emails: [value('info@acme.com'), value('sales@acme.com')],
          phones: [value('+49 30 1234567')],
        },
        {
          industry: 'b',
          name: 'Anvils',
          emails: [value('Sales@Acme.com'), value('info@acme.com')],
          phones: [value('030 1234567'), value('+49 30 7654321')],
        },
        { industry: 'c', name: 'Road', phones: [value('555 0100 200')] },
        { industry: 'd', name: 'Runner', phones: [value('1'), value('5550100200')] },
        { industry: 'e', name: 'Alone', emails: [value('e@acme.com')], phones: [value('1')] },
      ])
      expect(await groups('companies')).toEqual(['email phone: a b', 'phone: c d'])
      const { rows } = await page('companies')
      const seen = Object.fromEntries(
        (rows[0]?.records ?? []).map((record) => [
          record.id,
          (record as { updated_at?: string }).updated_at,
        ]),
      )
      await ok(owner.client.rpc('merge_companies', { keep, seen } as never))
      const merged = await ok(
        owner.client.from('companies').select('emails, phones').eq('id', keep),
      )
      expect(merged).toMatchObject([
        {
          emails: [value('info@acme.com'), value('sales@acme.com')],
          phones: [value('+49 30 1234567'), value('+49 30 7654321')],
        },
      ])
      expect(others).toHaveLength(4)
    })
  })

  describe('the list', () => {
    test('comes page by page, each group once, and tells what tells records apart', async () => {
      const [acme] = await addAll('companies', [{ name: 'Acme' }])
      const rows = Array.from({ length: 14 }, (_, n) => ({
        email: `p${n % 7}@example.com`,
        company_id: n < 7 ? acme : null,
      }))
      await ok(
        owner.client
          .from('contacts')
          .insert(rows as never)
          .select('id'),
      )
      const seen: string[] = []
      let after: unknown = null
      do {
        const found: Page = await page('contacts', { after, page_size: 3 })
        expect(found.rows.length).toBeLessThanOrEqual(3)
        seen.push(...found.rows.map(({ id }) => id))
        after = found.next
      } while (after)
      expect(new Set(seen).size).toBe(7)
      expect(seen).toHaveLength(7)

      const [first] = (await page('contacts')).rows
      const id = first?.records[0]?.id ?? ''
      await add(owner, 'deals', { contact_id: id })
      await add(owner, 'tasks', { contact_id: id })
      await add(owner, 'notes', { contact_id: id })
      await add(owner, 'collection_members', { contact_id: id })
      const [again] = (await page('contacts')).rows
      expect(again?.records[0]).toMatchObject({
        id,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        linked: { deals: 1, tasks: 1, notes: 1, collections: 1 },
      })
      expect(again?.records[0]).not.toHaveProperty('user_id')
      const answer: unknown = await ok(
        owner.client.rpc('merge_candidates', { kind: 'contacts', ids: [id, randomUUID()] }),
      )
      expect(answer).toEqual([again?.records[0]])
    })

    test('shows twenty records of a larger group and how many there are', async () => {
      const rows = Array.from({ length: 23 }, () => ({ email: 'info@example.com' }))
      await ok(
        owner.client
          .from('contacts')
          .insert(rows as never)
          .select('id'),
      )
      const [group] = (await page('contacts')).rows
      expect(group).toMatchObject({ size: 23, reasons: ['email'] })
      expect(group?.records).toHaveLength(20)
    })

    test('is for people with a session, and knows two kinds', async () => {
      for (const [name, args] of [
        ['duplicate_page', { kind: 'contacts' }],
        ['duplicate_counts', {}],
        ['merge_candidates', { kind: 'contacts', ids: [] }],
        ['not_duplicate_pairs', { kind: 'contacts' }],
        ['mark_not_duplicates', { kind: 'contacts', ids: [] }],
        ['merge_contacts', { keep: randomUUID(), seen: {} }],
        ['merge_companies', { keep: randomUUID(), seen: {} }],
      ] as const) {
        expect(await database().anonymous.rpc(name, args as never)).toMatchObject({ status: 401 })
      }
      expect(await owner.client.rpc('duplicate_page', { kind: 'deals' })).toMatchObject({
        status: 400,
        error: { message: 'Only contacts and companies have duplicates.' },
      })
    })
  })

  describe('not duplicates', () => {
    const told = async (kind: Kind): Promise<{ id: string; records: { id: string }[] }[]> => {
      const answer: unknown = await ok(owner.client.rpc('not_duplicate_pairs', { kind }))
      return answer as never
    }
    const mark = async (kind: Kind, ids: string[]) => {
      const answer: unknown = await ok(owner.client.rpc('mark_not_duplicates', { kind, ids }))
      return answer as { count: number; batch: string | null }
    }

    test.each([
      ['contacts', { email: 'same@example.com' }],
      ['companies', { name: 'Acme' }],
    ] as const)(
      '%s told apart do not come again, until it is undone or taken back',
      async (kind, same) => {
        const ids = await addAll(kind, [same, same, same])
        const { count, batch } = await mark(kind, ids)
        expect(count).toBe(3)
        expect((await page(kind)).rows).toEqual([])
        // The same said twice is one thing said.
        expect(await mark(kind, ids)).toEqual({ count: 0, batch: null })

        await ok(owner.client.rpc('undo_batch', { batch: batch ?? '' }))
        expect((await page(kind)).rows).toHaveLength(1)
        expect(await told(kind)).toEqual([])

        await mark(kind, ids)
        const pairs = await told(kind)
        expect(pairs).toHaveLength(3)
        expect(pairs[0]?.records).toHaveLength(2)
        await ok(
          owner.client
            .from('not_duplicates')
            .delete()
            .eq('id', pairs[0]?.id ?? '')
            .select(),
        )
        expect((await page(kind)).rows).toMatchObject([{ size: 3 }])
        // It is a mark that was taken away, nothing that was deleted.
        expect(await ok(owner.client.rpc('trash_count', {}))).toBe(0)
      },
    )

    test('one more who looks the same brings them all again', async () => {
      const ids = await addAll('contacts', [{ email: 'a@example.com' }, { email: 'a@example.com' }])
      await mark('contacts', ids)
      await addAll('contacts', [{ email: 'a@example.com' }])
      expect((await page('contacts')).rows).toMatchObject([{ size: 3 }])
    })

    test('other people’s records, and too many, are refused', async () => {
      const other = await database().signUp()
      const foreign = await add(other, 'contacts')
      const [own = ''] = await addAll('contacts', [{}])
      const call = (ids: string[]) =>
        owner.client.rpc('mark_not_duplicates', { kind: 'contacts', ids })
      expect(await call([own, foreign.id])).toMatchObject({ status: 404 })
      expect(await call([own])).toMatchObject({ status: 400 })
      expect(await call(Array.from({ length: 21 }, () => randomUUID()))).toMatchObject({
        status: 400,
      })
      expect(await told('contacts')).toEqual([])
    })

    test('the same said in two windows at once is stored once', async () => {
      const ids = await addAll('contacts', [{ email: 'a@example.com' }, { email: 'a@example.com' }])
      const answers = await Promise.all([mark('contacts', ids), mark('contacts', ids.toReversed())])
      expect(answers.map(({ count }) => count).sort()).toEqual([0, 1])
    })
  })
})
