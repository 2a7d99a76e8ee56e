import { expect, test } from 'vitest'
import { readUrlState } from '#lib/url-state.ts'
import { allContacts, contactUrlSchema, contactView } from './contact-view.ts'

const read = (query: string) => readUrlState(contactUrlSchema, new URLSearchParams(query))
const view = (query: string) => contactView(read(query).state, 'Europe/Berlin')

test('by default the newest come first, and nothing is filtered', () => {
  expect(view('')).toEqual({ filter: {}, sort: 'created', descending: true })
  expect(read('').state.col).toEqual(['email', 'phone', 'company', 'lead_status', 'notes'])
})

test.each([
  ['sort=name', false],
  ['sort=name&dir=desc', true],
  ['sort=lead_score', true],
  ['sort=next_task', false],
])('%s is descending: %s', (query, descending) => {
  expect(view(query).descending).toBe(descending)
})

test('everything that can be asked for', () => {
  const company = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'
  const query = `q=ada&status=New&status=Qualified&company=${company}&collection=${company}&email=yes&phone=no&from=2026-01-01&to=2026-01-31&contacted_from=2025-12-01&contacted_to=2025-12-24`
  expect(view(query).filter).toEqual({
    search: 'ada',
    lead_status: ['New', 'Qualified'],
    company,
    collection: company,
    has_email: true,
    has_phone: false,
    created_from: '2026-01-01',
    created_to: '2026-01-31',
    last_contacted_from: '2025-12-01',
    last_contacted_to: '2025-12-24',
    time_zone: 'Europe/Berlin',
  })
  expect(contactView({ ...read(query).state, ...allContacts }, 'UTC').filter).toEqual({})
})

test.each([
  'sort=password',
  'status=Nope',
  'company=acme',
  'from=2026-02-30',
  'to=1800-01-01',
  'contacted_to=soon',
  'col=email&col=email',
  'col=password',
])('%s means nothing here', (query) => {
  expect(read(query).refused).toHaveLength(1)
})
