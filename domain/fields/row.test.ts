import { expect, test } from 'vitest'
import { companyFields } from './companies.ts'
import { contactFields } from './contacts.ts'
import { dealFields } from './deals.ts'
import { storedRow } from './row.ts'

const acme = {
  id: 'acme',
  name: 'Acme',
  website: null,
  industry: 'Tools',
  location: null,
  emails: [{ label: 'work', value: 'a@b' }],
  phones: [],
  addresses: [],
  tags: ['VIP'],
  created_at: '2026-11-15T10:00:00+00:00',
  updated_at: '2026-11-15T10:00:00+00:00',
}

test('a record is read as it is stored, without what was not asked for', () => {
  const row = storedRow(companyFields)
  expect(row.parse({ ...acme, user_id: 'me' })).toEqual(acme)
  expect(Object.keys(row.shape)).toEqual(Object.keys(acme))
})

test.each([
  ['a column is missing', { industry: undefined }, 'industry'],
  ['a required text is missing', { name: null }, 'name'],
  ['a number stands where a text is stored', { website: 1 }, 'website'],
])('%s: it is not taken for one', (_, changes, path) => {
  const { error } = storedRow(companyFields).safeParse({ ...acme, ...changes })
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
})

test('a choice is one of those that there are, and what only others tell is no column', () => {
  const contact = storedRow(contactFields)
  expect(contact.shape.lead_status.safeParse('Qualified').success).toBe(true)
  expect(contact.shape.lead_status.safeParse('Lukewarm').success).toBe(false)
  expect(contact.shape.lead_score.safeParse('1').success).toBe(false)
  expect(Object.keys(contact.shape)).not.toContain('full_name')
  expect(Object.keys(storedRow(dealFields).shape)).toContain('lost_reason')
})
