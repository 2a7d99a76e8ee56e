import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { companySchema, newCompany } from '#domain/company.ts'
import { contactSchema, newContact } from '#domain/contact.ts'
import { type Account, onEachDatabase } from './harness.ts'
import { table } from './samples.ts'

type Case = {
  name: 'companies' | 'contacts'
  schema: z.ZodType
  form: Record<string, unknown>
  /** Values for one field at a time; the form and the database must agree about each. */
  values: Record<string, unknown[]>
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
]

onEachDatabase((database) => {
  let owner: Account
  beforeAll(async () => {
    owner = await database().signUp()
  })

  for (const { name, schema, form, values } of cases) {
    describe(`the form and the table of ${name} agree`, () => {
      const pairs = Object.entries(values).flatMap(([field, list]) =>
        list.map((value) => [field, value] as const),
      )
      test.each(pairs)('%s = %j', async (field, value) => {
        const typed = { ...form, [field]: value }
        // Raw, as a client without our form would send it.
        const { error } = await table(owner, name).insert(typed as never)
        const checked = schema.safeParse(typed)
        expect(error === null).toBe(checked.success)
        if (!checked.success) return
        // What the form sends is stored as it is.
        const sent = checked.data as never
        const stored = await table(owner, name).insert(sent).select().single()
        expect(stored.data).toMatchObject(sent)
      })
    })
  }
})
