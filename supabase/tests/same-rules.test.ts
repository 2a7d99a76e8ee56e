import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { companySchema, newCompany } from '#domain/company.ts'
import { contactSchema, newContact } from '#domain/contact.ts'
import { noteSchema } from '#domain/note.ts'
import { type Account, onEachDatabase } from './harness.ts'
import { add, table } from './samples.ts'

type Case = {
  name: 'companies' | 'contacts' | 'notes'
  schema: z.ZodType
  form: Record<string, unknown>
  /** Values for one field at a time; the form and the database must agree about each. */
  values: Record<string, unknown[]>
  /** What a row hangs on, which no form shows. */
  links?: (owner: Account) => Promise<Record<string, unknown>>
}

const long = (letters: number) => 'x'.repeat(letters)

const cases: Case[] = [
  {
    name: 'companies',
    schema: companySchema,
    form: { ...newCompany, name: 'Acme' },
    values: {
      name: ['', '   ', '\n\t', long(200), long(201), '<script>', '👩‍🚀', 'محمد'],
      website: [
        '',
        'https://acme.com',
        'http://a',
        'https://',
        'javascript:alert(1)',
        'ftp://acme.com',
        'https://a b',
        `https://${long(1992)}`,
        `https://${long(1993)}`,
      ],
      industry: ['', long(200), long(201)],
      location: ['', long(200), long(201)],
    },
  },
  {
    name: 'contacts',
    schema: contactSchema,
    form: newContact,
    values: {
      first_name: ['', '  ', long(200), long(201), "O'Brien"],
      last_name: ['', long(200), long(201)],
      email: [
        '',
        'a@b',
        'ada@example.com',
        'ada',
        '@b',
        'a@',
        'a@b@c',
        'a b@c',
        `${long(318)}@b`,
        `${long(319)}@b`,
      ],
      phone_number: ['', '+49 (30) 1', long(50), long(51)],
      role_title: ['', long(200), long(201)],
      notes: ['', long(50_000), long(50_001)],
      lead_status: ['New', 'Proposal Sent', 'new', '', 'Cold'],
      lead_score: [0, -5, 7.25, 999_999.99, 1_000_000, -1_000_000],
    },
  },
  {
    name: 'notes',
    schema: noteSchema,
    form: {
      kind: 'note',
      body: 'Likes tea',
      outcome: '',
      happened_at: '2026-11-15T10:00:00+00:00',
    },
    values: {
      kind: ['note', 'call', 'meeting', 'Note', 'letter', ''],
      body: [
        '',
        ' \n\t',
        long(50_000),
        long(50_001),
        '<script>',
        '👩‍🚀',
        'محمد',
        '\n  a\n\n b  \n',
      ],
      outcome: ['', long(500), long(501)],
      happened_at: [
        '1900-01-01T00:00:00+00:00',
        '1899-12-31T23:59:59+00:00',
        '2200-12-31T23:59:59+00:00',
        '2201-01-01T00:00:00+00:00',
        'soon',
        '',
        null,
      ],
    },
    links: async (owner) => ({ contact_id: (await add(owner, 'contacts')).id }),
  },
]

onEachDatabase((database) => {
  let owner: Account
  beforeAll(async () => {
    owner = await database().signUp()
  })

  for (const { name, schema, form, values, links = async () => ({}) } of cases) {
    describe(`the form and the table of ${name} agree`, () => {
      const pairs = Object.entries(values).flatMap(([field, list]) =>
        list.map((value) => [field, value] as const),
      )
      test.each(pairs)('%s = %j', async (field, value) => {
        const typed = { ...form, [field]: value }
        const linked = await links(owner)
        // Raw, as a client without our form would send it.
        const { error } = await table(owner, name).insert({ ...typed, ...linked } as never)
        const checked = schema.safeParse(typed)
        expect(error === null).toBe(checked.success)
        if (!checked.success) return
        // What the form sends is stored as it is.
        const sent = checked.data as object
        const row = { ...sent, ...linked } as never
        const stored = await table(owner, name).insert(row).select().single()
        expect(stored.data).toMatchObject(sent)
      })
    })
  }
})
