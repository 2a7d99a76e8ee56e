import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { collectionSchema } from '#domain/collection.ts'
import { emailTemplateSchema } from '#domain/email-template.ts'
import { contactFields } from '#domain/fields/contacts.ts'
import { withFirsts } from '#domain/fields/entries.ts'
import {
  companySchema,
  contactSchema,
  dealSchema,
  newCompany,
  newContact,
  newDeal,
} from '#domain/fields/record-forms.ts'
import { noteSchema } from '#domain/note.ts'
import { savedViewSchema } from '#domain/saved-view-form.ts'
import { newTask, taskSchema } from '#domain/task-form.ts'
import { type Account, onAnyDatabase } from './harness.ts'
import { add, type SampleTable, table } from './samples.ts'

type Case = {
  name: SampleTable
  /** Which form, where a table has several. */
  kind?: string
  schema: z.ZodType
  form: Record<string, unknown>
  /** Values for one field at a time; the form and the database must agree about each. */
  values: Record<string, unknown[]>
  /** What a row hangs on, which no form shows. */
  links?: (owner: Account) => Promise<Record<string, unknown>>
}

const blank = { label: '', value: '' }
const postal = { label: '', street: '', postal_code: '', city: '', region: '', country: '' }
const long = (letters: number) => 'x'.repeat(letters)
const names = ['', '   ', '\n\t', ' VIP ', long(200), long(201), '<script>', '👩‍🚀', 'محمد']

const tags = [
  [],
  [' VIP ', 'vip', ''],
  ['a, b;c|d\ne'],
  ['two  words', 'Ünï', 'ünï', '👩‍🚀'],
  [long(60)],
  [long(61)],
  Array.from({ length: 50 }, (_, place) => `t${place}`),
  Array.from({ length: 51 }, (_, place) => `t${place}`),
]

// A moment is the same to both, however it is written.
const tasks = taskSchema('UTC').transform((task) => ({
  ...task,
  due_date: task.due_date?.replace('.000Z', '+00:00') ?? null,
}))
const task = { ...newTask, title: 'Call', due_date: '2026-11-15T09:00' }

const cases: Case[] = [
  {
    name: 'companies',
    schema: companySchema(),
    form: { ...newCompany, name: 'Acme' },
    values: {
      name: names,
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
      tags,
      location: ['', long(200), long(201)],
    },
  },
  {
    name: 'contacts',
    // The first address and number are in their lists, too.
    schema: contactSchema().transform((contact) => withFirsts(contactFields, contact)),
    form: { ...newContact, birthday_reminder: 0 },
    values: {
      emails: [
        [],
        [{ label: '', value: '' }],
        // The first stands in a field of its own.
        ...['a@b', 'ada', long(319), `${long(319)}@b`].map((value) => [blank, { ...blank, value }]),
        ...['work', long(40), long(41)].map((label) => [blank, { label, value: 'a@b' }]),
        [blank, { label: '', value: 'a@b' }, { label: '', value: 'A@b' }],
        Array.from({ length: 21 }, (_, place) => ({ label: '', value: `${place}@b` })).with(
          0,
          blank,
        ),
        Array.from({ length: 22 }, (_, place) => ({ label: '', value: `${place}@b` })).with(
          0,
          blank,
        ),
      ],
      phones: [long(50), long(51)].map((value) => [blank, { label: 'Mobile', value }]),
      links: ['acme.com', 'http://a', 'javascript:alert(1)', 'a b', `https://${long(1993)}`].map(
        (value) => [{ label: '', value }],
      ),
      addresses: [
        [],
        [{ ...postal, street: ' Main Street 1 ', label: 'Home' }],
        [postal],
        [{ ...postal, city: long(500) }],
        [{ ...postal, city: long(501) }],
        [
          { ...postal, city: 'Berlin' },
          { ...postal, city: 'berlin', label: 'work' },
        ],
      ],
      first_name: ['', '  ', long(200), long(201), "O'Brien"],
      last_name: ['', long(200), long(201)],
      nickname: names,
      birthday: ['', '1990-05-03', '--02-29', '2199-12-31', '2200-01-01', '1800-01-01'],
      birthday_reminder: [0, 90, 91, -1],
      tags,
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
      minutes: '12',
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
      minutes: ['1', '1440', '1441', '0'],
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
  {
    name: 'tasks',
    schema: tasks,
    form: task,
    values: {
      title: ['', '   ', '\n\t', ' Call ', long(500), long(501), '<script>', '👩‍🚀', 'محمد'],
      description: ['', ' \n', long(50_000), long(50_001)],
      priority: ['low', 'medium', 'high', 'urgent', 'Urgent', ''],
      due_date: [
        '1900-01-01T00:00',
        '1899-12-31T23:59',
        '2200-12-31T23:59',
        '2201-01-01T00:00',
        '2026-02-31T09:00',
        'soon',
      ],
      contact_id: [null, '00000000-0000-4000-8000-000000000000x', 'none'],
      repeat: [null, 'daily', 'monthly', 'yearly', 'weekly', 'after', 'Daily', ''],
    },
  },
  {
    name: 'tasks',
    kind: 'weekly',
    schema: tasks,
    form: { ...task, repeat: 'weekly', repeat_days: [1] },
    values: { repeat_days: [[1], [0, 6], [0, 1, 2, 3, 4, 5, 6], [], [7], [-1], null] },
  },
  {
    name: 'tasks',
    kind: 'after completion',
    schema: tasks,
    form: { ...task, repeat: 'after', repeat_every: 3 },
    values: { repeat_every: [1, 3650, 3651, 0, -1, 0.5, null] },
  },
  {
    name: 'deals',
    // A deal without a pipeline is given the oldest one.
    schema: dealSchema().omit({ pipeline_id: true }),
    form: { ...newDeal, name: 'Renewal', value: 12.5, expected_close_date: '2026-11-15' },
    values: {
      name: names,
      tags,
      value: [0, 0.01, -0.01, -1, 999_999_999_999.99, 1_000_000_000_000, 1e20, 'abc'],
      expected_close_date: [
        '1900-01-01',
        '1899-12-31',
        '2200-12-31',
        '2201-01-01',
        '0001-01-01',
        '2026-02-31',
        'soon',
      ],
      stage_id: [null, 'none'],
      contact_id: [null, 'none'],
    },
  },
  { name: 'collections', schema: collectionSchema, form: { name: 'VIP' }, values: { name: names } },
  {
    name: 'saved_views',
    schema: savedViewSchema,
    form: { screen: 'contacts', name: 'Newest', query: '' },
    values: {
      name: names,
      screen: ['contacts', 'companies', 'deals', 'tasks', 'reports', ''],
      query: ['', 'sort=name&q=%C3%A4', long(8000), long(8001)],
    },
  },
  {
    name: 'email_templates',
    schema: emailTemplateSchema,
    form: { name: 'Hello', subject: '', body: '' },
    values: {
      name: names,
      subject: ['', ' {{first_name}} ', long(1000), long(1001)],
      body: ['', 'Line 1\n\nLine 2 ', long(50_000), long(50_001)],
    },
  },
]

/** Lists that contacts have too, links, and what is checked elsewhere. */
const withoutValues = [
  ...['companies.emails', 'companies.phones', 'companies.addresses'],
  ...['contacts.company_id', 'tasks.deal_id', 'tasks.company_id', 'deals.company_id'],
  ...['tasks.due_time', 'deals.currency', 'deals.pipeline_id'],
]

test('every field of a form has values here', () => {
  const missing = cases.flatMap(({ name, form }) => {
    const given = cases
      .filter((each) => each.name === name)
      .flatMap(({ values }) => Object.keys(values))
    return Object.keys(form)
      .filter((field) => !given.includes(field))
      .map((field) => `${name}.${field}`)
  })
  expect([...new Set(missing)].sort()).toEqual(withoutValues.sort())
})

onAnyDatabase((database) => {
  let owner: Account
  beforeAll(async () => {
    owner = await database().signUp()
  })

  for (const { name, kind, schema, form, values, links = async () => ({}) } of cases) {
    describe(`the form and the table of ${[name, kind].filter(Boolean).join(', ')} agree`, () => {
      const pairs = Object.entries(values).flatMap(([field, list]) =>
        list.map((value) => [field, value] as const),
      )
      // Some names may be given only once.
      const clear = () => table(owner, name).delete().eq('user_id', owner.id)
      afterEach(clear)

      test.each(pairs)('%s = %j', async (field, value) => {
        const typed = { ...form, [field]: value }
        const linked = await links(owner)
        // Raw, as a client without our form would send it.
        const { error } = await table(owner, name).insert({ ...typed, ...linked } as never)
        await clear()
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
