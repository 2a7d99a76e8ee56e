import { expect, test } from 'vitest'
import { changeWords } from './change-words.ts'
import type { LoggedChange } from './log.ts'

const ada = 'c0000000-0000-4000-8000-000000000001'
const acme = 'c0000000-0000-4000-8000-000000000002'
const zeta = 'c0000000-0000-4000-8000-000000000003'
const gone = 'c0000000-0000-4000-8000-000000000004'
const batch = 'c0000000-0000-4000-8000-000000000005'
const won = 'c0000000-0000-4000-8000-000000000006'
const lost = 'c0000000-0000-4000-8000-000000000007'
const alsoWon = 'c0000000-0000-4000-8000-000000000008'

const names = {
  [acme]: 'Acme',
  [zeta]: 'Zeta',
  [gone]: null,
  [won]: 'Closed Won',
  [lost]: 'Closed Lost',
  [alsoWon]: 'Closed Won',
}
const timeZone = 'Europe/Berlin'

function change(table_name: string, values: Partial<LoggedChange> = {}): LoggedChange {
  return {
    table_name,
    row_id: ada,
    verb: 'update',
    label: 'Ada Lovelace',
    before: null,
    after: null,
    undoes: null,
    names,
    ...values,
  }
}

function update(table_name: string, column: string, before: unknown, after: unknown) {
  return change(table_name, { before: { [column]: before }, after: { [column]: after } })
}

/** As its own page tells it. */
function own(logged: LoggedChange): string[] {
  return changeWords(logged, { timeZone, page: { table: logged.table_name, id: ada } })
}

/** As the page of another record, or a list of all that happened, tells it. */
function elsewhere(logged: LoggedChange): string[] {
  return changeWords(logged, { timeZone })
}

test.each([
  [
    update('contacts', 'lead_status', 'New', 'Qualified'),
    'Lead status changed from New to Qualified',
  ],
  [update('deals', 'rate', 1.1, 1.0825), 'Rate changed from 1.1 to 1.0825'],
  [update('contacts', 'company_id', null, acme), 'Company set to Acme'],
  [update('contacts', 'company_id', acme, zeta), 'Company changed from Acme to Zeta'],
  [update('contacts', 'company_id', acme, null), 'Company removed (was Acme)'],
  [update('contacts', 'company_id', gone, acme), 'Company changed from a deleted record to Acme'],
  [update('contacts', 'email', null, 'ada@example.com'), 'Email set to ada@example.com'],
  [update('contacts', 'phone_number', '+49 30', null), 'Phone number removed (was +49 30)'],
  [update('contacts', 'lead_score', 0, 1250.5), 'Lead score changed from 0 to 1,250.5'],
  [update('contacts', 'notes', null, 'x'.repeat(10_000)), 'Notes added'],
  [update('contacts', 'notes', 'x', 'y'), 'Notes changed'],
  [update('contacts', 'notes', 'x', null), 'Notes removed'],
  [update('companies', 'name', 'Acme', 'Acme\n Inc'), 'Name changed from Acme to Acme Inc'],
  [update('companies', 'website', null, 'https://acme.com'), 'Website set to https://acme.com'],
  [update('deals', 'value', 1200, 1200.5), 'Value changed from $1,200 to $1,200.50'],
  [update('deals', 'expected_close_date', null, '2026-12-01'), 'Expected close set to Dec 1, 2026'],
  [update('deals', 'stage_id', acme, zeta), 'Moved from Acme to Zeta'],
  [update('deals', 'stage_id', null, zeta), 'Moved to Zeta'],
  [update('deals', 'stage_id', zeta, null), 'Taken out of Zeta'],
  [update('tasks', 'completed', false, true), 'Completed'],
  [update('tasks', 'completed', true, false), 'Reopened'],
  [
    update('tasks', 'due_date', null, '2026-11-15T23:30:00+00:00'),
    'Due date set to Nov 16, 2026, 00:30',
  ],
  // The last second of a day in Berlin: a task that is due on that day.
  [
    update('tasks', 'due_date', '2026-11-15T23:30:00+00:00', '2026-11-16T22:59:59+00:00'),
    'Due date changed from Nov 16, 2026, 00:30 to Nov 16, 2026',
  ],
  [update('pipeline_stages', 'win_probability', 10, 20), 'Changed'],
  [change('contacts', { verb: 'insert' }), 'Created'],
  [change('contacts', { verb: 'delete' }), 'Deleted'],
])('on its own page %#', (logged, words) => {
  expect(own(logged)).toEqual([words])
})

test.each([
  ['contacts', 'insert', 'Added to collection VIP'],
  ['contacts', 'delete', 'Removed from collection VIP'],
  ['companies', 'insert', 'Contact added to collection VIP'],
] as const)('on the page of %s, %s into or from a collection', (table, verb, words) => {
  const where = { timeZone: 'UTC', page: { table, id: 'a' } }
  expect(changeWords(change('collection_members', { verb, label: 'VIP' }), where)).toEqual([words])
})

test.each([
  [change('tasks', { verb: 'insert', label: 'Call' }), 'Task “Call” added'],
  [change('tasks', { verb: 'delete', label: 'Call' }), 'Task “Call” deleted'],
  [change('deals', { verb: 'insert', label: null }), 'Deal added'],
  [update('tasks', 'completed', false, true), 'Task “Ada Lovelace” completed'],
  [update('deals', 'stage_id', acme, zeta), 'Deal “Ada Lovelace” moved from Acme to Zeta'],
  [
    update('contacts', 'lead_status', 'New', 'Qualified'),
    'Contact “Ada Lovelace”: lead status changed from New to Qualified',
  ],
  [
    change('collection_members', { verb: 'insert', label: 'VIP' }),
    'Contact added to collection VIP',
  ],
  [change('email_templates', { verb: 'insert', label: 'Hello' }), 'Email template “Hello” added'],
  [change('unheard_of', { label: 'X' }), 'Record “X” changed'],
])('elsewhere it says what it is about %#', (logged, words) => {
  expect(elsewhere(logged)).toEqual([words])
})

test('one sentence for each field, in the order of the form; what the database keeps is not told', () => {
  const logged = change('deals', {
    before: { closed_at: null, order: 1, pipeline_id: null, stage_id: null, value: 1 },
    after: { closed_at: '2026-01-01', order: 2, pipeline_id: ada, stage_id: acme, value: 2 },
  })
  expect(own(logged)).toEqual(['Moved to Acme', 'Value changed from $1 to $2'])
})

test.each([
  ['won', { stage_id: acme }, { stage_id: won, closed_at: 'now' }, ['Marked as won']],
  ['lost without a word', { stage_id: null }, { stage_id: lost }, ['Marked as lost']],
  [
    'lost',
    { stage_id: acme, lost_reason: null },
    { stage_id: lost, lost_reason: 'Too\nexpensive' },
    ['Marked as lost: Too expensive'],
  ],
  [
    'open again, which takes the reason away',
    { stage_id: lost, lost_reason: 'Too expensive' },
    { stage_id: acme, lost_reason: null },
    ['Moved from Closed Lost to Acme'],
  ],
  [
    'lost for another reason',
    { lost_reason: 'Too expensive' },
    { lost_reason: 'Too late' },
    ['Lost reason changed from Too expensive to Too late'],
  ],
  [
    'in another pipeline, without a stage',
    { pipeline_id: acme, stage_id: won },
    { pipeline_id: zeta, stage_id: null },
    ['Pipeline changed from Acme to Zeta'],
  ],
  [
    'in another pipeline, with the same outcome',
    { pipeline_id: acme, stage_id: won },
    { pipeline_id: zeta, stage_id: alsoWon },
    ['Pipeline changed from Acme to Zeta'],
  ],
  [
    'in another pipeline, in another stage',
    { pipeline_id: acme, stage_id: won },
    { pipeline_id: zeta, stage_id: gone },
    ['Moved from Closed Won to a deleted record', 'Pipeline changed from Acme to Zeta'],
  ],
])('a deal that is %s', (_case, before, after, words) => {
  expect(own(change('deals', { before, after }))).toEqual(words)
})

test('a deal marked as lost, told elsewhere and taken back', () => {
  const values = { before: { stage_id: acme }, after: { stage_id: lost, lost_reason: 'Price' } }
  expect(elsewhere(change('deals', values))).toEqual(['Deal “Ada Lovelace” marked as lost: Price'])
  const back = { before: values.after, after: { stage_id: acme, lost_reason: null } }
  expect(own(change('deals', { ...back, undoes: batch }))).toEqual(['Undid: Marked as lost: Price'])
})

test('an undo is told as what it took back', () => {
  const undone = { ...update('contacts', 'company_id', acme, null), undoes: batch }
  expect(own(undone)).toEqual(['Undid: Company set to Acme'])
  expect(own(change('contacts', { verb: 'insert', undoes: batch }))).toEqual(['Undid: Deleted'])
  expect(elsewhere(change('tasks', { verb: 'delete', label: 'Call', undoes: batch }))).toEqual([
    'Undid: Task “Call” added',
  ])
})

test('an amount is told with its currency, and another currency by itself', () => {
  const words = (before: object, after: object, names: LoggedChange['names'] = null) =>
    changeWords(
      { ...change('deals'), verb: 'update', before: { ...before }, after: { ...after }, names },
      { timeZone: 'UTC', page: { table: 'deals', id: change('deals').row_id } },
    ).map((sentence) => sentence.replaceAll('\u00a0', ' '))
  expect(words({ value: 5, currency: 'CHF' }, { value: 6.5, currency: 'CHF' })).toEqual([
    'Value changed from CHF 5 to CHF 6.50',
  ])
  expect(words({ value: 5, currency: null }, { value: 6, currency: 'EUR', rate: 1.1 })).toEqual([
    'Value changed from $5 to €6',
  ])
  expect(words({ currency: null, rate: null }, { currency: 'EUR', rate: 1.1 })).toEqual([
    'Currency set to EUR',
  ])
  // An own field that was money then.
  expect(
    words({ 'custom.a': 5 }, { 'custom.a': 1200 }, { a: 'Budget', 'a.kind': 'money' }),
  ).toEqual(['Budget changed from $5 to $1,200'])
})

test('long values are cut between letters, never through an emoji', () => {
  const [words = ''] = own(update('companies', 'name', 'A', '👩‍🚀'.repeat(100)))
  expect(words).toBe(`Name changed from A to ${'👩‍🚀'.repeat(80)}…`)
})

test('fields of the user’s own are told by the names of then, each by itself, in the order of the names', () => {
  const [tier, end, gone] = ['t', 'e', 'g']
  const told = changeWords(
    change('contacts', {
      before: { [`custom.${tier}`]: '~aaaaaaa', [`custom.${end}`]: null, [`custom.${gone}`]: true },
      after: {
        [`custom.${tier}`]: ['~aaaaaaa', '~zzzzzzz'],
        [`custom.${end}`]: '2027-03-31',
        [`custom.${gone}`]: null,
        'custom.y': 2027,
      },
      names: { [tier]: 'Tier', [end]: 'eSign end', '~aaaaaaa': 'Gold', y: 'Year' },
    }),
    { timeZone, page: { table: 'contacts', id: ada } },
  )
  expect(told).toEqual([
    'A deleted field removed (was Yes)',
    'eSign end set to Mar 31, 2027',
    'Tier changed from Gold to Gold, a deleted option',
    // As the details show it: it may be a year.
    'Year set to 2027',
  ])
  const elsewhere = changeWords(
    change('contacts', {
      before: { 'custom.s': 1 },
      after: { 'custom.s': 2.125 },
      names: { s: 'Seats' },
    }),
    { timeZone },
  )
  expect(elsewhere).toEqual(['Contact “Ada Lovelace”: Seats changed from 1 to 2.125'])
})

test('entries of a list are told one by one, the first by its own field', () => {
  const [a, b, c] = ['a@b', 'b@b', 'c@b'].map((value) => ({ label: '', value }))
  const words = (before: object, after: object) =>
    changeWords(change('contacts', { before: { ...before }, after: { ...after } }), {
      timeZone,
      page: { table: 'contacts', id: ada },
    })
  expect(words({ emails: [a] }, { emails: [a, { label: 'work', value: 'b@b' }] })).toEqual([
    'Email added: b@b (work)',
  ])
  expect(words({ emails: [a, b] }, { emails: [a] })).toEqual(['Email removed: b@b'])
  expect(
    words({ email: 'a@b', emails: [a, b] }, { email: 'c@b', emails: [c, { ...b, label: 'home' }] }),
  ).toEqual(['Email changed from a@b to c@b', 'Label of b@b set to Home'])
  expect(words({ email: 'a@b', emails: [a, b] }, { email: 'b@b', emails: [b, a] })).toEqual([
    'Email changed from a@b to b@b',
  ])
  expect(words({ links: [a, b] }, { links: [b, a] })).toEqual(['Order of link entries changed'])
  const berlin = {
    label: '',
    street: '',
    postal_code: '10115',
    city: 'Berlin',
    region: '',
    country: '',
  }
  expect(words({ addresses: [] }, { addresses: [berlin] })).toEqual(['Address added: 10115 Berlin'])
})
