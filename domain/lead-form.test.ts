import { describe, expect, test } from 'vitest'
import { optionId } from './fields/own-form.ts'
import { doubtsAbout } from './lead-doubts.ts'
import { type AskedField, fieldsOfForm, leadFormSchema } from './lead-form.ts'
import { readLead, type Sent } from './lead-reading.ts'
import { pastedForm } from './pasted-form.ts'

const budget = '11111111-1111-4111-8111-111111111111'
const topics = '22222222-2222-4222-8222-222222222222'
const [web, print] = [optionId(new Uint8Array(7)), optionId(new Uint8Array(7).fill(1))]

const own = [
  {
    id: budget,
    record: 'contacts' as const,
    name: 'Budget',
    kind: 'number' as const,
    options: [],
    position: 1,
    is_hidden: false,
  },
  {
    id: topics,
    record: 'contacts' as const,
    name: 'Topics',
    kind: 'several choices' as const,
    options: [
      { id: web, name: 'Web', color: 'blue' },
      { id: print, name: 'Print & more', color: 'gray' },
    ],
    position: 2,
    is_hidden: false,
  },
]

function asked(name: string, label: string, is_required = false): AskedField {
  return { name, label, is_required }
}

const fields = fieldsOfForm({
  own,
  fields: [
    asked('first_name', 'Your name'),
    asked('email', 'Email', true),
    asked('company', 'Company'),
    asked('message', 'What can we do?'),
    asked(`custom.${budget}`, 'Budget'),
    asked(`custom.${topics}`, 'Topics'),
    asked('custom.33333333-3333-4333-8333-333333333333', 'Gone'),
  ],
})

test('a field that no longer exists is not asked for', () => {
  expect(fields.map(({ label }) => label)).not.toContain('Gone')
})

describe('what was sent', () => {
  const sent: Sent = {
    first_name: [' Ada '],
    email: ['ada@example.com'],
    company: ['Acme'],
    message: ['One\r\ntwo\u0000'],
    [`custom.${budget}`]: ['1,200.50'],
    [`custom.${topics}`]: [print, 'unknown', web],
    role_title: ['Not asked for'],
  }

  test('becomes a contact and the words of its note', () => {
    expect(readLead(fields, sent)).toEqual({
      lead: {
        who: 'Ada',
        contact: {
          first_name: 'Ada',
          email: 'ada@example.com',
          custom: { [budget]: 1200.5, [topics]: [web, print] },
        },
        company: 'Acme',
        lines: [
          { label: 'Your name', text: 'Ada' },
          { label: 'Email', text: 'ada@example.com' },
          { label: 'Company', text: 'Acme' },
          { label: 'What can we do?', text: 'One\ntwo' },
          { label: 'Budget', text: '1200.5' },
          { label: 'Topics', text: 'Web, Print & more' },
        ],
      },
    })
  })

  test.each<[string, Sent, Record<string, string>]>([
    ['a required field is empty', { email: ['  '] }, { email: 'Email is required.' }],
    [
      'an address is none',
      { email: ['ada'] },
      { email: 'Enter a valid email address, such as ada@example.com.' },
    ],
    [
      'a text is too long',
      { email: ['a@b.c'], message: ['x'.repeat(5001)] },
      { message: 'What can we do? can have at most 5,000 characters.' },
    ],
    [
      'a number is none',
      { email: ['a@b.c'], [`custom.${budget}`]: ['a lot'] },
      { [`custom.${budget}`]: 'Budget must be a number.' },
    ],
  ])('is refused in words when %s', (_, given, errors) => {
    expect(readLead(fields, given)).toEqual({ errors })
  })

  test('must say who it is, where nothing else is required', () => {
    const loose = fieldsOfForm({
      own: [],
      fields: [asked('first_name', 'Name'), asked('phone_number', 'Phone')],
    })
    expect(readLead(loose, {})).toEqual({ errors: { first_name: 'Fill in Name or Phone.' } })
    expect(readLead(loose, { phone_number: ['1'] })).toHaveProperty('lead.who', '1')
  })
})

describe('doubts', () => {
  const fine: Sent = { first_name: ['Ada'], message: ['See https://a.example and www.b.example'] }

  test.each<[string, Sent, number | null | false, string[]]>([
    ['none about a person', fine, 60_000, []],
    ['none without a page of ours', fine, null, []],
    ['the hidden field was filled in', { ...fine, homepage: ['x'] }, 60_000, ['trap']],
    ['sent at once', fine, 1999, ['fast']],
    ['a stamp that is not ours', fine, false, ['stamp']],
    ['a stamp of the future', fine, -1, ['stamp']],
    ['a page of last week', fine, 8 * 24 * 3_600_000, ['stamp']],
    ['three links', { message: ['http://a http://b [url=c]'] }, 60_000, ['links']],
    ['a link for a name', { first_name: ['Win at www.x.example'] }, 60_000, ['links']],
  ])('%s', (_, sent, age, doubts) => {
    expect(doubtsAbout(fields, sent, age)).toEqual(doubts)
  })
})

test('what is pasted into a site has every field, and no text of the user’s own breaks out of it', () => {
  const odd = fieldsOfForm({ own, fields: [asked('email', '"><script>', true)] })
  const html = pastedForm(odd, 'https://crm.example/f/1')
  expect(html).toContain('<form action="https://crm.example/f/1" method="post">')
  expect(html).toContain(
    '<label>&quot;&gt;&lt;script&gt; <input type="email" name="email" required',
  )
  expect(html).not.toContain('<script')
  // Where a site forbids styles of elements it is hidden all the same, and whoever sees it knows what it is.
  expect(html).toMatch(/<label hidden [^>]*>Leave this empty <input name="homepage"/)
  expect(pastedForm(fields, 'x')).toContain(`value="${print}"> Print &amp; more</label>`)
})

test('a form must ask for someone', () => {
  const form = {
    name: 'Website',
    title: '',
    intro: '',
    thanks: '',
    redirect_url: 'javascript:alert(1)',
    collection_id: null,
    tag: '',
    pipeline_id: null,
    task_title: '',
    task_days: 1,
    fields: [asked('message', 'Message')],
  }
  const { error } = leadFormSchema.safeParse(form)
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'A form needs a name, an email or a phone number.',
    'Enter a web address, such as https://acme.com/thanks.',
  ])
})
