import { describe, expect, test } from 'vitest'
import type { Piece } from './batch.ts'
import { batchWords, proposalWords } from './batch-words.ts'
import type { BatchGroup, BatchRow, LoggedBatch } from './log.ts'

const timeZone = 'Europe/Berlin'
const negotiation = 'c0000000-0000-4000-8000-000000000001'
const won = 'c0000000-0000-4000-8000-000000000002'
const lost = 'c0000000-0000-4000-8000-000000000003'
const names = { [negotiation]: 'Negotiation', [won]: 'Closed Won', [lost]: 'Closed Lost' }

function row(name: string | null, values: Partial<BatchRow> = {}): BatchRow {
  const links = { contact_id: null, company_id: null, deal_id: null }
  return { id: `id of ${name}`, name, is_there: true, ...links, ...values }
}

type Rows = BatchRow[] | number

/** Rows by name, or so many of them. */
function group(
  verb: BatchGroup['verb'],
  table_name: string,
  rows: Rows,
  values: Partial<BatchGroup> = {},
): BatchGroup {
  const given = typeof rows === 'number' ? ['A', 'B', 'C'].map((name) => row(name)) : rows
  const count = typeof rows === 'number' ? rows : rows.length
  return {
    table_name,
    verb,
    count,
    only_unlinks: false,
    only_links: false,
    before: null,
    after: null,
    names,
    rows: given,
    ...values,
  }
}

function batch(groups: BatchGroup[], values: Partial<LoggedBatch> = {}): LoggedBatch {
  const none = { undoes: null, action: null, about: null }
  return { batch: 'batch', at: '2026-11-15T12:00:00Z', groups, ...none, ...values }
}

function told(logged: LoggedBatch): string {
  return joined(batchWords(logged, { timeZone }).sentence)
}

function joined(pieces: Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}

const reported = (kind: string) => ({ kind, about: 'Ada Lovelace' })
const unlinked = { only_unlinks: true, after: { company_id: null } }
const move = (stage_id: string | null, more = {}) => ({ after: { stage_id, ...more } })

describe('one sentence for what was done', () => {
  test.each<[BatchGroup[], string]>([
    [[group('delete', 'contacts', 12)], 'Deleted 12 contacts'],
    [[group('delete', 'contacts', 1204)], 'Deleted 1,204 contacts'],
    [[group('delete', 'companies', [row('Acme')])], 'Deleted company Acme'],
    [[group('delete', 'contacts', [row(null)])], 'Deleted a contact'],
    [[group('insert', 'contacts', [row('Ada Lovelace')])], 'Added contact Ada Lovelace'],
    [[group('insert', 'notes', [row('Likes tea')])], 'Added note “Likes tea”'],
    [
      [group('insert', 'notes', [row('Hi', reported('email'))])],
      'Opened an email draft to Ada Lovelace',
    ],
    [[group('insert', 'notes', [row('', reported('call'))])], 'Logged a call with Ada Lovelace'],
    [
      [group('insert', 'notes', [row('Tour', { ...reported('meeting'), deal_id: 'big' })])],
      'Logged a meeting about Ada Lovelace',
    ],
    [[group('insert', 'notes', [row('Likes tea', reported('note'))])], 'Added note “Likes tea”'],
    [
      [group('insert', 'notes', [row('Hi', { kind: 'email' })])],
      'Opened an email draft to someone',
    ],
    [
      [group('insert', 'notes', 12, { rows: [row('Hi', reported('email'))] })],
      'Opened email drafts to 12 contacts',
    ],
    [[group('delete', 'notes', [row('Hi', reported('email'))])], 'Deleted note “Hi”'],
    [[group('insert', 'email_templates', [row('Hello')])], 'Added email template Hello'],
    [[group('insert', 'unheard_of', [row('X')])], 'Added record X'],
    [
      [
        group('insert', 'tasks', [row('Call Ada')]),
        group('insert', 'companies', [row('Acme')]),
        group('insert', 'contacts', [row('Ada')]),
        group('insert', 'deals', [row('Renewal')]),
      ],
      'Added contact Ada, company Acme, deal Renewal and task Call Ada',
    ],
    [[group('update', 'contacts', 12)], 'Changed 12 contacts'],
    [
      [group('update', 'contacts', 12, { after: { lead_status: 'Contacted' } })],
      'Lead status set to Contacted for 12 contacts',
    ],
    [
      [group('update', 'deals', [row('Acme renewal')], move(negotiation))],
      'Moved Acme renewal to Negotiation',
    ],
    [[group('update', 'deals', 5, move(negotiation))], 'Moved 5 deals to Negotiation'],
    [[group('update', 'deals', [row('Big')], move(won))], 'Marked Big as won'],
    [
      [group('update', 'deals', [row('Big')], move(lost, { lost_reason: 'Too\nexpensive' }))],
      'Marked Big as lost: Too expensive',
    ],
    [[group('update', 'tasks', [row('Call')], { after: { completed: true } })], 'Completed Call'],
    [[group('update', 'tasks', 3, { after: { completed: false } })], 'Reopened 3 tasks'],
    [[group('insert', 'collection_members', [row('VIP')])], 'Added 1 contact to collection VIP'],
    [
      [group('delete', 'collection_members', 2, { rows: [row('VIP')] })],
      'Removed 2 contacts from collection VIP',
    ],
    [[], 'Changed the board'],
  ])('%#', (groups, words) => {
    expect(told(batch(groups))).toBe(words)
  })
})

describe('what only followed is not told', () => {
  test.each<[string, BatchGroup[], string]>([
    [
      'notes and places in collections that went with a contact, and links that it cut',
      [
        group('delete', 'contacts', [row('Ada')]),
        group('delete', 'notes', 3),
        group('delete', 'collection_members', 2),
        group('update', 'deals', 4, unlinked),
      ],
      'Deleted contact Ada',
    ],
    [
      'the stages of a new pipeline',
      [group('insert', 'pipeline_stages', 5), group('insert', 'pipelines', [row('Partners')])],
      'Added pipeline Partners',
    ],
    [
      'the next one of a repeating task',
      [
        group('update', 'tasks', [row('Report')], { after: { completed: true } }),
        group('insert', 'tasks', [row('Report')]),
      ],
      'Completed Report',
    ],
    [
      'but a next step is told',
      [
        group('update', 'tasks', [row('Call')], { after: { completed: true } }),
        group('insert', 'tasks', [row('Write')]),
      ],
      'Completed Call and added task Write',
    ],
    [
      'and so is that of a call',
      [
        group('insert', 'notes', [row('Wants a quote', { kind: 'call' })]),
        group('insert', 'tasks', [row('Write')]),
      ],
      'Added task Write and logged a call with someone',
    ],
    [
      'but a link that was emptied by itself is',
      [group('update', 'contacts', 2, unlinked)],
      'Changed 2 contacts',
    ],
    [
      'two things are',
      [
        group('delete', 'pipeline_stages', [row('Pilot')]),
        group('update', 'deals', 3, move(negotiation)),
      ],
      'Moved 3 deals to Negotiation and deleted stage Pilot',
    ],
  ])('%s', (_case, groups, words) => {
    expect(told(batch(groups))).toBe(words)
  })
})

test('an undo is told as what it took back', () => {
  const back = [
    group('insert', 'contacts', 12),
    group('insert', 'notes', 2),
    group('update', 'deals', 4, { only_links: true, before: { company_id: null } }),
  ]
  expect(told(batch(back, { undoes: 'other' }))).toBe('Undid: Deleted 12 contacts')
  const moved = group('update', 'deals', [row('Big')], { before: { stage_id: won } })
  expect(told(batch([moved], { undoes: 'other' }))).toBe('Undid: Marked Big as won')
})

test.each<[LoggedBatch['action'], BatchGroup[], string]>([
  [
    'import',
    [group('insert', 'contacts', 340), group('insert', 'companies', 12)],
    'Imported 340 contacts and 12 companies',
  ],
  [
    'import',
    [group('insert', 'contacts', 2), group('update', 'contacts', 5)],
    'Imported 2 contacts and updated 5 contacts',
  ],
  ['import', [group('update', 'deals', [row('A')])], 'Updated 1 deal'],
  ['import', [], 'Imported a file'],
  [
    'merge',
    [
      group('delete', 'contacts', [row('Ada L.')]),
      group('update', 'contacts', [row('Ada Lovelace')]),
      group('update', 'tasks', 3),
    ],
    'Merged Ada L. into Ada Lovelace',
  ],
  [
    'backup',
    [group('insert', 'contacts', 340), group('insert', 'notes', 12)],
    'Restored 340 contacts from a backup',
  ],
])('what a batch was for: %s %#', (action, groups, words) => {
  expect(told(batch(groups, { action }))).toBe(words)
})

test('a merge that left the kept record as it was names it all the same', () => {
  const groups = [group('delete', 'not_duplicates', 3), group('delete', 'companies', 2)]
  expect(told(batch(groups, { action: 'merge', about: 'Acme' }))).toBe(
    'Merged 2 companies into Acme',
  )
})

test.each([
  [group('insert', 'not_duplicates', 3), 'Marked 3 pairs as not duplicates'],
  [group('delete', 'not_duplicates', 1), 'Removed “not duplicates” from 1 pair'],
])('what was marked as not duplicates %#', (pairs, words) => {
  expect(told(batch([pairs]))).toBe(words)
})

describe('details', () => {
  const details = (groups: BatchGroup[], values: Partial<LoggedBatch> = {}) =>
    batchWords(batch(groups, values), { timeZone }).details

  test('the first names of many', () => {
    expect(details([group('delete', 'contacts', 12)])).toEqual(['A, B, C and 9 others'])
    expect(details([group('delete', 'contacts', 4)])).toEqual(['A, B, C and 1 other'])
    const erased = { rows: [row(null), row(null), row(null)] }
    expect(details([group('delete', 'contacts', 4, erased)])).toEqual([])
  })

  test('what changed about one record, a sentence each', () => {
    const changed = group('update', 'contacts', [row('Ada')], {
      before: { lead_status: 'New', email: null },
      after: { lead_status: 'Qualified', email: 'ada@example.com' },
    })
    expect(told(batch([changed]))).toBe('Changed contact Ada')
    expect(details([changed])).toEqual([
      'Email set to ada@example.com',
      'Lead status changed from New to Qualified',
    ])
  })

  test('what was noted of a call, without the marks of Markdown', () => {
    const noted = '- Wants **the quote** by [Friday](https://a.example), 2 * 3 pieces'
    expect(details([group('insert', 'notes', [row(noted, reported('call'))])])).toEqual([
      'Wants the quote by Friday, 2 * 3 pieces',
    ])
  })

  test('the file of an import', () => {
    const about = { action: 'import', about: 'people.csv' } as const
    expect(details([group('insert', 'contacts', 3)], about)).toEqual(['people.csv'])
  })
})

describe('records are linked where they have a page', () => {
  const recordOf = (groups: BatchGroup[]) =>
    batchWords(batch(groups), { timeZone }).sentence.flatMap(({ record }) => record ?? [])

  test('one that is there', () => {
    expect(recordOf([group('insert', 'deals', [row('Big')])])).toEqual([
      { table: 'deals', id: 'id of Big' },
    ])
  })

  test('not one that is gone, nor a task', () => {
    expect(recordOf([group('delete', 'deals', [row('Big', { is_there: false })])])).toEqual([])
    expect(recordOf([group('insert', 'tasks', [row('Call')])])).toEqual([])
  })

  test('a note leads to what it is about', () => {
    const note = row('Likes tea', { company_id: 'acme' })
    expect(recordOf([group('insert', 'notes', [note])])).toEqual([
      { table: 'companies', id: 'acme' },
    ])
  })
})

test('sample data loaded and removed', () => {
  const what = (verb: BatchGroup['verb']) => [
    group(verb, 'contacts', 40),
    group(verb, 'notes', 30),
    group(verb, 'deals', 26),
  ]
  expect(batchWords(batch(what('insert'), { action: 'samples' }), { timeZone })).toEqual({
    sentence: [{ text: 'Loaded sample data' }],
    details: ['40 contacts and 26 deals'],
  })
  expect(told(batch(what('delete'), { action: 'samples' }))).toBe('Removed the sample data')
})

test('what an assistant did begins with the name of its token', () => {
  const change = { before: { stage_id: won }, after: { stage_id: negotiation } }
  const moved = [group('update', 'deals', [row('Halden')], change)]
  expect(told(batch(moved, { by: 'Claude' }))).toBe('Claude · Moved Halden to Negotiation')
  expect(told(batch(moved, { by: null }))).toBe('Moved Halden to Negotiation')
  expect(told(batch(moved, { by: 'Claude', undoes: 'x' }))).toBe(
    'Claude · Undid: Marked Halden as won',
  )
})

test('what an assistant proposes is told as what would happen', () => {
  const proposed = (groups: BatchGroup[], more: Partial<LoggedBatch> = {}) =>
    joined(proposalWords(batch(groups, { by: 'Claude', ...more }), { timeZone }))
  const moved = group('update', 'deals', [row('Halden')], move(negotiation))
  expect(proposed([moved])).toBe('Claude · Move Halden to Negotiation')
  const call = group('insert', 'notes', [row('Wants an offer', reported('call'))])
  const step = group('insert', 'tasks', [row('Added value')])
  expect(proposed([call, step])).toBe(
    'Claude · Add task Added value and log a call with Ada Lovelace',
  )
  expect(proposed([group('insert', 'contacts', [row('Moved')]), step])).toBe(
    'Claude · Add contact Moved and task Added value',
  )
  const back = { before: { stage_id: won }, after: { stage_id: negotiation } }
  expect(proposed([group('update', 'deals', [row('Halden')], back)], { undoes: 'x' })).toBe(
    'Claude · Undo: Marked Halden as won',
  )
})
