import { expect, test } from 'vitest'
import type { PlannedField } from './import-own.ts'
import { changesInWords, dealDifferences, importRemarks } from './import-remarks.ts'

test('a row tells what becomes of its words', () => {
  expect(importRemarks({ file_status: 'Hot' }, 'new')).toEqual([
    'Lead status "Hot" is unknown: becomes New. The original is kept in the notes.',
  ])
  expect(importRemarks({ file_status: 'Hot' }, 'update')).toEqual([
    'Lead status "Hot" is unknown: the status stays as it is. The original is kept in the notes.',
  ])
  expect(importRemarks({ file_status: 'OPEN', lead_status: 'New' }, 'update')).toEqual([
    'Lead status "OPEN" becomes New.',
  ])
  expect(importRemarks({ file_stage: 'Demo', stage: 'Closed Won' }, 'new')).toEqual([
    'Stage "Demo" becomes Closed Won, as the status says, and is kept in a note.',
  ])
  expect(importRemarks({ file_deal_status: 'On hold' }, 'new')).toEqual([
    'Status "On hold" says neither won nor lost, and is kept in a note.',
  ])
  const further_contacts = [
    { first_name: 'Bob', last_name: 'Byron', email: 'bob@example.com' },
    { first_name: '', last_name: '', email: 'cleo@example.com' },
  ]
  expect(importRemarks({ further_contacts }, 'new')).toEqual([
    'Further contacts: Bob Byron, cleo@example.com.',
  ])
  expect(importRemarks({ lead_status: 'New' }, 'new')).toEqual([])
})

test('of a row that is not written nothing is changed', () => {
  expect(importRemarks({ file_status: 'Hot' }, 'duplicate')).toEqual([])
})

test('a deal that is there is told apart by what its pipeline decides', () => {
  const stored = { pipeline: 'Sales Pipeline', stage: null, lost_reason: null, closed_at: null }
  const said = { name: 'Renewal', stage: 'Lead', pipeline: 'SALES pipeline' }
  expect(dealDifferences(said, stored)).toEqual(['Stage: No Stage → Lead'])
  expect(dealDifferences({ closed_at: '2026-12-31T12:00:00Z' }, stored)).toEqual([
    'Closed: none → 2026-12-31',
  ])
  expect(dealDifferences({ name: 'Renewal' }, stored)).toEqual([])
})

test('what an update changes is told field by field, before and after', () => {
  expect(
    changesInWords(
      'contacts',
      {
        role_title: ['Buyer', 'Owner'],
        nickname: [null, 'Countess'],
        company: ['Acme', 'Babbage Ltd'],
        company_id: ['a', 'b'],
        notes: ['By hand', 'By hand\nFirst\r\nSecond'],
      },
      [],
    ),
  ).toEqual([
    'Role title: Buyer → Owner',
    'Nickname: none → Countess',
    'Company: Acme → Babbage Ltd',
    'Notes: adds “First · Second”',
  ])
  expect(
    changesInWords(
      'deals',
      { value: [100.25, 100.5], expected_close_date: ['2026-12-01', '2026-12-31'] },
      [],
    ),
  ).toEqual(['Value: $100.25 → $100.50', 'Expected close: 2026-12-01 → 2026-12-31'])
})

test('of a list what is added is told, and its first where it is a field of its own', () => {
  const entry = (value: string, label = '') => ({ label, value })
  const berlin = { city: 'Berlin', label: 'home', region: '', street: 'Main St 1' }
  expect(
    changesInWords(
      'contacts',
      {
        email: [null, 'a@x.com'],
        emails: [[], [entry('a@x.com', 'work')]],
        phones: [[entry('1')], [entry('1'), entry('2', 'mobile'), entry('3', 'Desk')]],
        addresses: [[], [{ ...berlin, country: '', postal_code: '10115' }]],
      },
      [],
    ),
  ).toEqual([
    'Email: none → a@x.com',
    'Phones: adds 2 (Mobile); 3 (Desk)',
    'Addresses: adds Main St 1, 10115 Berlin (Home)',
  ])
})

test('of own fields each is told by its name, and options by theirs', () => {
  const base = { record: 'contacts', position: 1, is_hidden: false, isNew: false, newOptions: [] }
  const own = [
    { ...base, id: 'a', name: 'Budget Year', kind: 'number', options: [] },
    {
      ...base,
      id: 'b',
      name: 'Level',
      kind: 'choice',
      options: [
        { id: '~1', name: 'Gold', color: 'gray' },
        { id: '~2', name: 'Silver', color: 'gray' },
      ],
    },
    { ...base, id: 'c', name: 'Same', kind: 'text', options: [] },
  ] as PlannedField[]
  const [before, after] = [
    { b: '~1', c: 'x' },
    { a: 5, b: '~2', c: 'x' },
  ]
  expect(changesInWords('contacts', { custom: [before, after] }, own)).toEqual([
    'Budget Year: none → 5',
    'Level: Gold → Silver',
  ])
})
