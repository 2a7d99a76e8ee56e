import { expect, test } from 'vitest'
import {
  isAgreed,
  linkedWords,
  lostLines,
  type Mergeable,
  mergeChanges,
  presetChoice,
  recordToKeep,
  withLost,
} from './merge.ts'
import { mergeFieldsOf } from './merge-fields.ts'

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

const fields = mergeFieldsOf({
  name: { kind: 'text', label: 'Name', merge: 'fullest' },
  email: { kind: 'email', label: 'Email', merge: 'newest' },
  phone: { kind: 'phone', label: 'Phone', merge: 'newest' },
  status: { kind: 'choice', label: 'Status', merge: 'newest', usual: 'New' },
  notes: { kind: 'long text', label: 'Notes', merge: 'fullest' },
})

test('the record with more linked to it is kept, then the older one', () => {
  const old = person('old', { created_at: '2020-01-01T00:00:00Z' })
  const busy = person('busy', { linked: { ...none, deals: 1 } })
  expect(recordToKeep([person('new'), old])).toBe('old')
  expect(recordToKeep([old, busy])).toBe('busy')
  expect(recordToKeep([])).toBe('')
})

test('the values of the kept record are taken; only what it lacks comes from another', () => {
  const before = person('before', {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    status: 'Qualified',
  })
  const after = person('after', {
    updated_at: '2026-02-01T00:00:00Z',
    name: 'Ada',
    email: 'ada@example.org',
    phone: '123',
  })
  const last = person('last', { updated_at: '2026-03-01T00:00:00Z', phone: '4', notes: 'Tea' })
  const long = person('long', { notes: 'Likes tea' })
  const rows = [before, after, last, long]
  expect(presetChoice(fields, rows, 'after')).toEqual({
    name: 'after',
    email: 'after',
    phone: 'after',
    // Every new one is New.
    status: 'before',
    // The longer one.
    notes: 'long',
  })
  // Of two numbers the one that was changed last; of what nobody has, nothing.
  expect(presetChoice(fields, [before, after, last], 'before')).toMatchObject({ phone: 'last' })
  expect(presetChoice(fields, [before, after], 'before')).toMatchObject({ notes: 'before' })
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
    person('b', { name: 'ada', email: 'ADA@example.com', phone: '030/1234567', notes: 'tea' }),
    person('c', { name: 'Augusta', email: 'ada@example.org', phone: '0170', notes: 'Two\nlines' }),
    // The same seven digits in another country are another number.
    person('d', { email: 'Ada@Example.org', phone: '+1 212 1234567', status: 'Qualified' }),
  ]
  const choice = { name: 'a', email: 'a', phone: 'a', status: 'a', notes: 'a' }
  expect(lostLines(fields, rows, choice)).toEqual([
    'Other name: Augusta',
    'Other email: ada@example.org',
    'Other phone: 0170, +1 212 1234567',
    'Other status: Qualified',
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
