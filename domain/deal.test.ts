import { describe, expect, test } from 'vitest'
import {
  attentionReason,
  closeWords,
  dealMarks,
  isPastClose,
  outcomeNamed,
  stageColor,
  stageInPipeline,
  stageLabel,
} from './deal.ts'
import { dealSchema, newDeal } from './fields/record-forms.ts'

describe('Stage colours', () => {
  test.each([
    ['Lead', 'blue'],
    ['Qualified', 'violet'],
    ['Proposal', 'orange'],
    ['Negotiation', 'yellow'],
    ['Closed Won', 'green'],
    ['Closed Lost', 'red'],
    ['Legal review', 'gray'],
    [null, 'gray'],
  ])('%s is %s', (stage, color) => {
    expect(stageColor(stage)).toBe(color)
  })

  test("without a stage it is called 'No Stage'", () => {
    expect(stageLabel(null)).toBe('No Stage')
    expect(stageLabel('Lead')).toBe('Lead')
  })
})

describe('the form', () => {
  const parse = (input: object) => dealSchema().safeParse({ ...newDeal, name: 'Renewal', ...input })

  test('empty value becomes 0, empty date and stage become null', () => {
    expect(parse({}).data).toEqual({
      name: 'Renewal',
      value: 0,
      currency: null,
      expected_close_date: null,
      pipeline_id: null,
      stage_id: null,
      company_id: null,
      contact_id: null,
      tags: [],
    })
  })

  test.each([
    [{ name: '  ' }, 'Deal Name is required.'],
    [{ name: 'x'.repeat(201) }, 'Deal Name can have at most 200 characters.'],
    [{ value: '-1' }, 'Value can’t be less than 0.'],
    [{ value: '12.3456' }, 'Value can have at most two decimals.'],
    [{ value: 'abc' }, 'Value must be a number.'],
    [{ value: '1e20' }, 'Value can be at most 999,999,999,999.99.'],
    [
      { expected_close_date: '0001-01-01' },
      'Expected Close Date must be a day between 1900 and 2200.',
    ],
    [
      { expected_close_date: '2026-02-31' },
      'Expected Close Date must be a day between 1900 and 2200.',
    ],
  ])('%j is refused in words', (input, message) => {
    expect(parse(input).error?.issues.map((issue) => issue.message)).toEqual([message])
  })

  test('what is right is taken as it is', () => {
    const input = { value: '1234.56', expected_close_date: '2028-02-29' }
    expect(parse(input).data).toMatchObject({ value: 1234.56, expected_close_date: '2028-02-29' })
  })
})

describe('past its expected close', () => {
  test.each([
    ['2026-11-14', 'open', true],
    ['2026-11-15', 'open', false],
    ['2026-11-14', 'won', false],
    ['2026-11-14', 'lost', false],
    [null, 'open', false],
  ] as const)('%s, %s: %s', (expected_close_date, outcome, isPast) => {
    expect(isPastClose({ expected_close_date, outcome }, '2026-11-15')).toBe(isPast)
  })
})

test('of a stage that is known by its name alone, the two that close a deal are told', () => {
  const names = ['Closed Won', 'Closed Lost', 'Lead', 'closed won', '']
  expect(names.map(outcomeNamed)).toEqual(['won', 'lost', 'open', 'open', 'open'])
})

test.each([
  [false, false, 'No next step'],
  [true, true, '21 days in this stage'],
  [false, true, 'No next step, 21 days in this stage'],
])('why a deal needs a push: next step %s, stale %s', (has_next, is_stale, reason) => {
  const deal = { has_next, is_stale, stage_since: '2026-10-25T12:00:00Z' }
  expect(attentionReason(deal, Date.parse('2026-11-15T13:00:00Z'))).toBe(reason)
})

test.each<[string, Partial<Parameters<typeof dealMarks>[0]>, string[]]>([
  ['has all it needs', { stalls_at: '2026-11-15T13:01:00Z' }, []],
  ['has no next step', { next_task: null, stalls_at: null }, ['No next step']],
  [
    'has no next step but to answer',
    { next_task: null, reply_waits: true, stalls_at: null },
    ['Reply waiting'],
  ],
  ['has stalled', {}, ['Stalled: 21 days in this stage']],
  ['lacks both', { next_task: null }, ['No next step', 'Stalled: 21 days in this stage']],
  ['is won', { next_task: null, outcome: 'won' }, []],
  [
    'has just moved, and the usual time of its new stage is not known yet',
    { stage_since: '2026-11-15T12:59:59Z' },
    [],
  ],
  ['has no stage', { stage_since: null, stalls_at: null }, []],
])('a deal that %s', (_, values, words) => {
  const deal = {
    outcome: 'open' as const,
    next_task: {},
    stage_since: '2026-10-25T12:00:00Z',
    stalls_at: '2026-11-08T12:00:00Z',
    ...values,
  }
  const marks = dealMarks(deal, Date.parse('2026-11-15T13:00:00Z'))
  expect(marks.map((mark) => mark.words)).toEqual(words)
})

test.each([
  [{ outcome: 'open', closed_at: null, expected_close_date: '2026-12-24' }, 'Closes Dec 24, 2026'],
  [{ outcome: 'open', closed_at: null, expected_close_date: null }, 'No close date'],
  // Won on the evening of the user's day.
  [
    { outcome: 'won', closed_at: '2026-11-18T04:00:00Z', expected_close_date: null },
    'Won on Nov 17, 2026',
  ],
  [
    { outcome: 'lost', closed_at: '2026-11-18T20:00:00Z', expected_close_date: '2026-12-24' },
    'Lost on Nov 18, 2026',
  ],
  // A deal that was just moved: only the database knows the day.
  [{ outcome: 'won', closed_at: null, expected_close_date: null }, 'Won'],
] as const)('%o: %s', (deal, words) => {
  expect(closeWords(deal, 'America/Los_Angeles')).toBe(words)
})

const named = (name: string) => ({ name, outcome: outcomeNamed(name) })
const partners = ['Lead', 'Intro', 'Signed', 'Closed Won', 'Closed Lost'].map(named)

test.each([
  ['Signed', 'Signed'],
  ['Qualified', 'Lead'],
  ['Closed Won', 'Closed Won'],
  ['Closed Lost', 'Closed Lost'],
  [null, undefined],
])('In another pipeline a deal of %s is in %s', (from, to) => {
  expect(stageInPipeline(partners, from === null ? null : named(from))?.name).toBe(to)
})

test('In another pipeline a deal never gets a closed stage that it did not have', () => {
  expect(stageInPipeline(partners.slice(1), named('Qualified'))?.name).toBe('Intro')
  expect(stageInPipeline([named('Closed Lost')], named('Qualified'))).toBeNull()
  const renamed = [named('Intro'), { name: 'Won', outcome: 'won' as const }]
  expect(stageInPipeline(renamed, named('Closed Won'))?.name).toBe('Won')
  expect(stageInPipeline(renamed, named('Won'))?.name).toBe('Intro')
})
