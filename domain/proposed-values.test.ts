import { expect, test } from 'vitest'
import type { LoggedChange } from './log.ts'
import { proposedValues } from './proposed-values.ts'

const acme = 'c0000000-0000-4000-8000-000000000002'
const zeta = 'c0000000-0000-4000-8000-000000000003'
const field = 'c0000000-0000-4000-8000-000000000004'
const timeZone = 'Europe/Oslo'

function change(table_name: string, more: Partial<LoggedChange>): LoggedChange {
  return {
    ...{ table_name, row_id: 'x', verb: 'update', label: 'x', before: null, after: null },
    ...{ undoes: null, names: { [acme]: 'Acme', [zeta]: 'Zeta' } },
    ...more,
  }
}

const told = (...args: Parameters<typeof change>) =>
  proposedValues(change(...args), timeZone).map(({ name, label, ...values }) => ({
    label,
    ...values,
  }))
const toldNew = (table: string, after: object) =>
  told(table, { verb: 'insert', after: { ...after } }).map(({ label, to }) => `${label}: ${to}`)

test('tells each field that a change touches, with both values', () => {
  expect(
    told('contacts', {
      before: { company_id: acme, lead_status: 'New', tags: [], notes: null },
      after: { company_id: zeta, lead_status: 'Qualified', tags: ['vip'], notes: 'Likes tea' },
    }),
  ).toEqual([
    { label: 'Company', from: 'Acme', to: 'Zeta' },
    { label: 'Lead status', from: 'New', to: 'Qualified' },
    { label: 'Tags', from: '', to: 'vip' },
    { label: 'Notes', from: '', to: 'Likes tea' },
  ])
  const emails = [{ label: 'work', value: 'a@b.example' }]
  expect(toldNew('contacts', { first_name: 'Ada', emails, phones: [], tags: [] })).toEqual([
    'First name: Ada',
    'Emails: a@b.example',
  ])
  const [one, two] = ['+47 1', '+47 2'].map((value) => ({ label: '', value }))
  const labels = (phones: unknown[]) =>
    told('contacts', { after: { phone_number: '+47 1', phones } }).map(({ label }) => label)
  expect(labels([one])).toEqual(['Phone number'])
  expect(labels([one, two])).toEqual(['Phone number', 'Phones'])
})

test('a text that begins alike is told where it differs, and whole', () => {
  const start = 'a'.repeat(80)
  const short = told('contacts', { before: { notes: start }, after: { notes: `${start}b` } })
  expect(short).toEqual([{ label: 'Notes', from: start, to: `${start}b` }])
  const from = `${'a'.repeat(500)} call ${'z'.repeat(500)}`
  const to = from.replace('call', 'pay')
  const [long] = told('contacts', { before: { notes: from }, after: { notes: to } })
  expect(long).toEqual({
    label: 'Notes',
    from: `…${'a'.repeat(39)} call ${'z'.repeat(39)}…`,
    to: `…${'a'.repeat(39)} pay ${'z'.repeat(39)}…`,
    whole: { from, to },
  })
  // Spaces and lines count as well, and the end of a name.
  const name = 'n'.repeat(100)
  expect(told('deals', { before: { name: `${name} 1` }, after: { name: `${name}  1` } })).toEqual([
    { label: 'Name', from: `${name} 1`, to: `${name}  1` },
  ])
})

test('leaves out no column, known or not', () => {
  expect(
    toldNew('notes', {
      ...{ kind: 'call', body: 'Said yes', minutes: 5, contact_id: acme },
      happened_at: '2026-11-10T09:00:00+00:00',
    }),
  ).toEqual([
    'Kind: call',
    'Text: Said yes',
    'Minutes: 5',
    expect.stringMatching(/^When: .*10/),
    'Contact: Acme',
  ])
  expect(
    toldNew('tasks', {
      ...{ title: 'Call', priority: 'high', due_all_day: true, completed: false },
      ...{ repeat: 'weekly', repeat_days: [1, 3], repeat_every: 2, some_new_column: { a: 1 } },
    }),
  ).toEqual([
    ...['Title: Call', 'Priority: High', 'All day: Yes', 'Repeat: weekly', 'Repeat days: 1, 3'],
    ...['Repeat every: 2', 'Some new column: {"a":1}'],
  ])
  expect(told('tasks', { before: { completed: false }, after: { completed: true } })).toEqual([
    { label: 'Completed', from: 'No', to: 'Yes' },
  ])
  const values = { [`custom.${field}`]: 'x'.repeat(100) }
  expect(told('contacts', { before: {}, after: values, names: { [field]: 'Size' } })).toEqual([
    { label: 'Size', from: '', to: 'x'.repeat(100) },
  ])
})
