import { expect, test } from 'vitest'
import {
  bestChoice,
  isAgreed,
  linkedWords,
  lostLines,
  type Mergeable,
  type MergeField,
  mergeChanges,
  recordToKeep,
  withLost,
} from './merge.ts'

type Person = Mergeable & {
  name: string | null
  email: string | null
  phone: string | null
  status: string
  notes: string | null
}

const none = { deals: 0, tasks: 0, notes: 0, collections: 0 }

function person(id: string, values: Partial<Person> = {}): Person {
  return {
    id,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    linked: none,
    name: null,
    email: null,
    phone: null,
    status: 'New',
    notes: null,
    ...values,
  }
}

const fields: MergeField<Person>[] = [
  { name: 'name', label: 'Name', shown: (row) => row.name ?? '', prefers: 'fullest' },
  {
    name: 'email',
    label: 'Email',
    shown: (row) => row.email ?? '',
    prefers: 'newest',
    kept: 'Other email',
  },
  {
    name: 'phone',
    label: 'Phone',
    shown: (row) => row.phone ?? '',
    prefers: 'newest',
    kept: 'Other phone',
  },
  { name: 'status', label: 'Status', shown: (row) => row.status, prefers: 'newest', usual: 'New' },
  {
    name: 'notes',
    label: 'Notes',
    shown: (row) => row.notes ?? '',
    prefers: 'fullest',
    kept: 'Other notes',
  },
]

test('the record with more linked to it is kept, then the older one', () => {
  const old = person('old', { created_at: '2020-01-01T00:00:00Z' })
  const busy = person('busy', { linked: { ...none, deals: 1 } })
  expect(recordToKeep([person('new'), old])).toBe('old')
  expect(recordToKeep([old, busy])).toBe('busy')
  expect(recordToKeep([])).toBe('')
})

test('the fuller or the newer value is chosen, never nothing in place of something', () => {
  const before = person('before', {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    status: 'Qualified',
    notes: 'Likes tea',
  })
  const after = person('after', {
    updated_at: '2026-02-01T00:00:00Z',
    name: 'Ada',
    email: 'ada@example.org',
    phone: '123',
  })
  expect(bestChoice(fields, [before, after])).toEqual({
    name: 'before',
    email: 'after',
    phone: 'after',
    // Every new one is New.
    status: 'before',
    notes: 'before',
  })
  expect(bestChoice(fields, [person('a'), person('b', { phone: '1' })]).phone).toBe('b')
})

test('only what differs from the kept record is changed', () => {
  const keep = person('keep', { name: 'Ada', email: 'ada@example.com' })
  const other = person('other', { name: 'Ada', email: 'new@example.com', phone: '1' })
  const choice = { name: 'other', email: 'other', phone: 'keep', status: 'other', notes: 'gone' }
  expect(mergeChanges(fields, [keep, other], 'keep', choice)).toEqual({ email: 'new@example.com' })
  expect(mergeChanges(fields, [keep, other], 'other', choice)).toEqual({ phone: null })
})

test('a field is agreed on when all say the same', () => {
  const [email] = fields.slice(1)
  if (!email) throw new Error('There is such a field.')
  expect(isAgreed(email, [person('a'), person('b')])).toBe(true)
  expect(isAgreed(email, [person('a'), person('b', { email: 'x' })])).toBe(false)
})

test('what would be lost is told once, capitals and marks aside', () => {
  const rows = [
    person('a', { name: 'Ada', email: 'ada@example.com', phone: '+49 30 1234567', notes: 'Tea' }),
    person('b', { name: 'A.', email: 'ADA@example.com', phone: '030/1234567', notes: 'tea' }),
    person('c', { email: 'ada@example.org', phone: '0170', notes: 'Two\nlines' }),
    person('d', { email: 'Ada@Example.org', phone: '0171' }),
  ]
  const choice = { name: 'a', email: 'a', phone: 'a', status: 'a', notes: 'a' }
  expect(lostLines(fields, rows, choice)).toEqual([
    'Other email: ada@example.org',
    'Other phone: 0170, 0171',
    'Other notes:\nTwo\nlines',
  ])
  expect(lostLines(fields, rows.slice(0, 2), choice)).toEqual([])
})

test('what would be lost stands below the text', () => {
  expect(withLost('Tea', ['Other phone: 1'])).toBe('Tea\n\nOther phone: 1')
  expect(withLost(null, ['Other phone: 1'])).toBe('Other phone: 1')
  expect(withLost(null, [])).toBe('')
})

test.each([
  [[none], ''],
  [
    [
      { ...none, tasks: 2, deals: 1 },
      { ...none, notes: 3 },
    ],
    '1 deal, 2 tasks and 3 notes',
  ],
  [[{ ...none, collections: 1 }], '1 collection'],
  [[{ contacts: 1200, deals: 0, tasks: 1, notes: 0 }], '1,200 contacts and 1 task'],
])('what moves over, in words %#', (linked, words) => {
  expect(linkedWords(linked)).toBe(words)
})
