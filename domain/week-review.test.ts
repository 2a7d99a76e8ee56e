import { expect, test } from 'vitest'
import {
  daysName,
  type ReviewDeal,
  reviewMail,
  reviewText,
  type WeekReview,
  weekNames,
} from './week-review.ts'

const none = { total: 0, rows: [] }
const figures = {
  won: 1,
  won_value: '1200.00',
  lost: 0,
  lost_value: '0',
  deals: 0,
  deals_value: '0',
  contacts: 2,
  companies: 0,
  calls: 3,
  meetings: 0,
  emails: 0,
  mails: 0,
  tasks: 1,
}
const deal = (name: string): ReviewDeal => ({
  id: name,
  name,
  value: 1200,
  currency: null,
  company_name: null,
  expected_close_date: null,
  lost_reason: null,
})
const review: WeekReview = {
  first_day: '2026-11-16',
  last_day: '2026-11-22',
  today: '2026-11-18',
  figures,
  before: figures,
  won: { total: 1, rows: [deal('Website')] },
  lost: none,
  moved: { total: 1, rows: [{ ...deal('Renewal'), from: 'Lead', to: 'Proposal' }] },
  new: none,
  late_deals: none,
  next_deals: none,
  late_tasks: none,
  next_tasks: {
    total: 1,
    rows: [{ id: '1', title: 'Call Ada', due_date: '2026-11-24T23:00:00Z', about: null }],
  },
  calls: { total: 3, rows: [] },
}

test('the name of a period', () => {
  expect(daysName(review)).toBe('Nov 16 – Nov 22, 2026')
})

test('the week in plain text, in the zone of the user', () => {
  const told = reviewText(review, 8, 'Europe/Berlin')
  expect(told).toContain('Won: $1,200 (1 deal)')
  expect(told).toContain('Won deals: 1\n- Website, $1,200')
  expect(told).toContain('Moved: 1\n- Renewal: Proposal')
  expect(told).toContain('Calls made: 3')
  expect(told).toContain('- Call Ada, Nov 25, 2026')
})

test('the mail goes to oneself, and a full week still fits into a link', () => {
  const link = reviewMail(review, 'ada@example.com', 'UTC')
  expect(link).toMatch(/^mailto:ada@example\.com\?subject=Week%20in%20review/)
  const rows = Array.from({ length: 20 }, (_, n) => deal(`${'ü'.repeat(100)} ${n}`))
  const full = { total: 321, rows }
  const longest = reviewMail(
    { ...review, won: full, lost: full, new: full, late_deals: full, next_deals: full },
    'ada@example.com',
    'UTC',
  )
  expect(longest.length).toBeLessThanOrEqual(1900)
  expect(decodeURIComponent(longest)).toContain('Lost: 321')
})

test.each([
  ['2026-11-16', 'This week', 'Last week'],
  ['2026-11-22', 'This week', 'Last week'],
  ['2026-11-23', 'Last week', 'Nov 9 – Nov 15'],
  ['2026-11-29', 'Last week', 'Nov 9 – Nov 15'],
  ['2026-11-30', 'Nov 16 – Nov 22', 'Nov 9 – Nov 15'],
  // A week that is still to come.
  ['2026-11-15', 'Nov 16 – Nov 22', 'Nov 9 – Nov 15'],
])('on %s the week of November 16 is %s', (today, now, before) => {
  expect(weekNames({ first_day: '2026-11-16', today })).toEqual({ now, before })
})
