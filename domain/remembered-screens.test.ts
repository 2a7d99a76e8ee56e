import { expect, test } from 'vitest'
import { queryOnArrival, rememberedQuery, screensIn, withSeen } from './remembered-screens.ts'

test.each([
  ['', ''],
  ['?sort=name&q=ada&col=email&col=phone', 'sort=name&col=email&col=phone'],
  ['?view=week&week=2026-11-16', 'view=week'],
  ['?q=ada', ''],
])('of %j, %j is remembered', (query, kept) => {
  expect(rememberedQuery(query)).toBe(kept)
})

test.each([
  ['sort=name', '?tab=overdue', 'sort=name'],
  ['sort=name', '?view=board&stage=1', 'sort=name&view=board'],
  ['view=board', '?view=list', 'view=list'],
])('where %j was seen, the address %j leaves %j', (seen, query, kept) => {
  expect(queryOnArrival(seen, query)).toBe(kept)
})

test('only what can be shown is taken from storage', () => {
  expect(screensIn(undefined)).toEqual({})
  expect(screensIn('contacts')).toEqual({})
  expect(
    screensIn({
      contacts: { query: 'sort=name', widths: { email: 200, phone: 'wide' } },
      tasks: { query: 1 },
      reports: { query: 'x=1' },
    }),
  ).toEqual({
    contacts: { query: 'sort=name', widths: { email: 200 } },
    tasks: { query: '', widths: {} },
  })
})

test('a change of one list leaves the rest', () => {
  const deals = { query: 'view=board', widths: {} }
  const contacts = { query: 'sort=name', widths: { email: 200 } }
  expect(withSeen({ deals, contacts }, 'contacts', { query: '' })).toEqual({
    deals,
    contacts: { query: '', widths: { email: 200 } },
  })
  expect(withSeen({}, 'tasks', { query: 'tab=done' })).toEqual({
    tasks: { query: 'tab=done', widths: {} },
  })
})
