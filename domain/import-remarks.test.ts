import { expect, test } from 'vitest'
import { usualHabits, withHabits } from './habits.ts'
import type { PlannedField } from './import-own.ts'
import {
  behindInWords,
  changesInWords,
  dealDifferences,
  dealInWords,
  importRemarks,
  type RowChanges,
} from './import-remarks.ts'

type Values = Record<string, unknown>

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
  expect(
    importRemarks({ file_stage: 'Demo', stage: 'Closed Won', closed_by: 'Won time' }, 'new'),
  ).toEqual(['Stage "Demo" becomes Closed Won, as “Won time” says, and is kept in a note.'])
  expect(
    importRemarks({ file_stage: 'Demo', kept_notes: ['Phase: Demo', 'Owner: Sam\nKay'] }, 'update'),
  ).toContain('Note: “Owner: Sam · Kay”')
  expect(importRemarks({ file_deal_status: 'On hold' }, 'new')).toEqual([
    'Status "On hold" isn’t won or lost; kept as a note.',
  ])
  const further_contacts = [
    { first_name: 'Bob', last_name: 'Byron', email: 'bob@example.com' },
    { first_name: '', last_name: '', email: 'cleo@example.com' },
  ]
  expect(importRemarks({ further_contacts }, 'new')).toEqual([
    'Further contacts: Bob Byron, cleo@example.com.',
  ])
  expect(importRemarks({ unfit: ['Birthday: soon'] }, 'new')).toEqual([
    'Can’t be read and is kept in the notes: “Birthday: soon”',
  ])
  expect(importRemarks({ lead_status: 'New' }, 'new')).toEqual([])
})

test('a role beside another that is there is told as a note, and one that is said already is not', () => {
  const person = (first_name: string, role: string, email = '') => ({
    ...{ first_name, last_name: '', email, role },
  })
  const values = {
    contact_first_name: 'Ada',
    further_contacts: [
      person('Ada', 'pays'),
      person('Bob', 'uses', 'bob@example.com'),
      person('Cleo', 'signs'),
    ],
  }
  const stored = {
    people: [
      { first_name: 'ADA', last_name: null, emails: [], role: 'Decides, pays' },
      {
        first_name: 'Robert',
        last_name: null,
        emails: [{ value: 'BOB@example.com' }],
        role: 'pays',
      },
    ],
  }
  expect(importRemarks(values, 'update', stored)).toEqual([
    'Role of the contact: pays.',
    'Further contacts: Cleo (signs).',
    'Has another role already, so this one is kept in a note: Bob (uses).',
  ])
  // What becomes another deal changes no role.
  expect(importRemarks(values, 'new', stored)).toEqual([
    'Role of the contact: pays.',
    'Further contacts: Bob (uses), Cleo (signs).',
  ])
})

test('of a row that is not written nothing is changed', () => {
  expect(importRemarks({ file_status: 'Hot' }, 'duplicate')).toEqual([])
})

test('a deal that is there is told apart by what its pipeline decides', () => {
  const stored = { pipeline: 'Sales Pipeline', stage: null, lost_reason: null, closed_at: null }
  const reported = { name: 'Renewal', stage: 'Lead', pipeline: 'SALES pipeline' }
  expect(dealDifferences(reported, stored, 'UTC')).toEqual(['Stage: No Stage › Lead'])
  expect(dealDifferences({ closed_at: '2026-12-31T12:00:00Z' }, stored, 'UTC')).toEqual([
    'Closed: none › Dec 31, 2026',
  ])
  expect(dealDifferences({ name: 'Renewal' }, stored, 'UTC')).toEqual([])
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
      { timeZone: 'UTC' },
    ),
  ).toEqual([
    'Role title: Buyer › Owner',
    'Nickname: none › Countess',
    'Company: Acme › Babbage Ltd',
    'Notes: adds “First · Second”',
  ])
  expect(
    changesInWords(
      'deals',
      { value: [100.25, 100.5], expected_close_date: ['2026-12-01', '2026-12-31'] },
      [],
      { timeZone: 'UTC' },
    ),
  ).toEqual(['Value: $100.25 › $100.50', 'Expected close: Dec 1, 2026 › Dec 31, 2026'])
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
      { timeZone: 'UTC' },
    ),
  ).toEqual([
    'Email: none › a@x.com',
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
  expect(changesInWords('contacts', { custom: [before, after] }, own, { timeZone: 'UTC' })).toEqual(
    ['Budget Year: none › 5', 'Level: Gold › Silver'],
  )
})

test('an amount is told in the currency of its deal, a day as the user wants to see it', () => {
  const changes: RowChanges = { value: [900, 950], expected_close_date: [null, '2026-12-31'] }
  const told = (more: RowChanges = {}) =>
    withHabits({ ...usualHabits, currency: 'CHF', date_format: 'dd.mm.yyyy' }, () =>
      changesInWords('deals', { ...changes, ...more }, [], {
        stored: { currency: 'EUR' },
        timeZone: 'UTC',
      }),
    )
  expect(told()).toEqual(['Value: €900.00 › €950.00', 'Expected close: none › 31.12.2026'])
  expect(told({ currency: ['EUR', null] })).toEqual([
    'Value: €900.00 › CHF\u00a0950.00',
    'Expected close: none › 31.12.2026',
    'Currency: EUR › CHF',
  ])
})

test('the dry run says what a row of deals does to its contact and its company, there or not', () => {
  const reported = {
    person: { phone_number: '1', role_title: 'Countess', note_parts: ['Owner: Sam', 'Size: 4'] },
    organisation: {
      website: 'https://acme.example',
      kept_notes: ['Revenue: 5'],
      custom: { a: 40 },
    },
  }
  const size = { id: 'a', record: 'companies', name: 'Size', kind: 'number', options: [] }
  const own = [
    { ...size, position: 0, is_hidden: false, isNew: true, newOptions: [] },
  ] as PlannedField[]
  expect(behindInWords(reported, [], own, 'UTC')).toEqual([
    'Contact: Phone number: none › 1',
    'Contact: Role title: none › Countess',
    'Contact: Notes: adds “Owner: Sam · Size: 4”',
    'Company: Website: none › acme.example',
    'Company: Size: none › 40',
    'Company: Note: “Revenue: 5”',
  ])
  const phones = [{ label: '', value: '1' }]
  // Of those that are there the database says what would change.
  expect(
    behindInWords(
      reported,
      [
        { side: 'person', changes: { phones: [[], phones] } },
        { side: 'organisation', changes: {} },
      ],
      own,
      'UTC',
    ),
  ).toEqual(['Contact: Phones: adds 1'])
})

test('the dry run says of a deal what it is worth, its stage, and when it was closed', () => {
  const at = '2026-04-01T12:00:00Z'
  const told = (reported: Values, stored?: Values) => dealInWords(reported, stored, 'UTC')
  expect(told({ value: 1200.5, currency: 'EUR', stage: 'Demo' })).toEqual([
    '€1,200.50',
    'Demo (open)',
  ])
  expect(told({})).toEqual(['No Stage (open)'])
  expect(told({ stage: 'Closed Lost', closed_at: at })).toEqual(['Closed Lost on Apr 1, 2026'])
  expect(told({ stage: 'Closed Won', closes_at: at })).toEqual(['Closed Won on Apr 1, 2026'])
  const stored: Values = { stage: 'Closed Won', closed_at: '2026-03-02T12:00:00Z' }
  // A deal that is closed already keeps its day.
  expect(told({ stage: 'Closed Won', closes_at: at }, stored)).toEqual([
    'Closed Won on Mar 2, 2026',
  ])
  expect(told({ stage: 'Closed Lost', closes_at: at }, stored)).toEqual([
    'Closed Lost on Apr 1, 2026',
  ])
  expect(dealDifferences({ stage: 'Closed Won', closes_at: at }, stored, 'UTC')).toEqual([])
  expect(dealDifferences({ stage: 'Closed Lost', closes_at: at }, stored, 'UTC')).toEqual([
    'Stage: Closed Won › Closed Lost',
    'Closed: Mar 2, 2026 › Apr 1, 2026',
  ])
})
