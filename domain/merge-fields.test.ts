import { expect, test } from 'vitest'
import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import { ownFields } from './fields/own.ts'
import { lostLines, mergeChanges, presetChoice } from './merge.ts'
import { beyondLists, type MergeCompany, type MergeContact, mergeFieldsOf } from './merge-fields.ts'

const common = {
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  linked: { deals: 0, tasks: 0, notes: 0 },
}

function contact(id: string, mark: string, company_id: string): MergeContact {
  return {
    ...common,
    id,
    first_name: `First ${mark}`,
    last_name: `Last ${mark}`,
    middle_name: `Middle ${mark}`,
    nickname: `Nick ${mark}`,
    email: `${mark}@example.com`,
    phone_number: `${mark}123`,
    role_title: `Role ${mark}`,
    company_id,
    company_name: `Company ${mark}`,
    birthday: mark === 'a' ? '1990-05-03' : '--05-04',
    birthday_reminder: mark.length,
    lead_status: `Status ${mark}`,
    lead_score: mark.length,
    notes: `Notes ${mark}`,
  }
}

function company(id: string, mark: string): MergeCompany {
  return {
    ...common,
    id,
    name: `Name ${mark}`,
    website: `https://${mark}.com`,
    industry: `Industry ${mark}`,
    location: `Location ${mark}`,
  }
}

test('whatever field of a record is not chosen, its value is kept as text', () => {
  const ofContacts = mergeFieldsOf(contactFields)
  const chosen = Object.fromEntries(ofContacts.map(({ name }) => [name, 'a']))
  const rows = [contact('a', 'a', 'one'), contact('b', 'bb', 'two')]
  expect(lostLines(ofContacts, rows, chosen)).toEqual([
    'Other first name: First bb',
    'Other last name: Last bb',
    'Other middle name: Middle bb',
    'Other nickname: Nick bb',
    'Other role title: Role bb',
    'Other company: Company bb',
    'Other lead status: Status bb',
    'Other birthday: May 4',
    'Other birthday reminder: 2 days before',
    'Other lead score: 2',
    'Other notes: Notes bb',
  ])
  const firms = [company('a', 'a'), company('b', 'bb')]
  const ofCompanies = mergeFieldsOf(companyFields)
  const all = Object.fromEntries(ofCompanies.map(({ name }) => [name, 'a']))
  expect(lostLines(ofCompanies, firms, all)).toEqual([
    'Other name: Name bb',
    'Other website: https://bb.com',
    'Other industry: Industry bb',
    'Other location: Location bb',
  ])
})

test('own fields are chosen one by one, and changed together', () => {
  const field = { record: 'contacts' as const, position: 1, is_hidden: false, options: [] }
  const own = ownFields(
    [
      { ...field, id: 'seats', name: 'Seats', kind: 'number' },
      { ...field, id: 'motto', name: 'iMotto', kind: 'text' },
      { ...field, id: 'vip', name: 'VIP', kind: 'yes/no' },
    ],
    'contacts',
  )
  const fields = mergeFieldsOf(own)
  const rows = [
    { ...contact('a', 'a', 'x'), custom: { seats: 5, vip: true } },
    { ...contact('b', 'b', 'x'), custom: { seats: 7, motto: 'More' } },
  ]
  const preset = presetChoice(fields, rows, 'a')
  expect(mergeChanges(fields, rows, 'a', preset)).toEqual({ custom: { motto: 'More' } })
  expect(lostLines(fields, rows, preset)).toEqual(['Other Seats: 7'])
  const theirs = { 'custom.seats': 'b', 'custom.motto': 'b', 'custom.vip': 'b' }
  expect(mergeChanges(fields, rows, 'a', theirs)).toEqual({
    custom: { seats: 7, motto: 'More', vip: null },
  })
  expect(lostLines(fields, rows, theirs)).toEqual(['Other Seats: 5', 'Other VIP: Yes'])
})

test('what the lists of the merged record cannot hold is told, each entry counted once', () => {
  const emails = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({ label: '', value: `P${from + n}@example.com` }))
  const phone = { label: '', value: '+49 30 1234567' }
  const one = { emails: emails(0, 15), phones: [phone] }
  const other = (to: number) => ({
    emails: [{ label: 'work', value: 'p14@example.com' }, ...emails(15, to)],
    phones: Array.from({ length: 20 }, () => ({ label: 'work', value: '030 1234567' })),
  })
  expect(beyondLists(contactFields, [one, other(20)], 'the notes')).toEqual([])
  expect(beyondLists(contactFields, [one, other(23)], 'the notes')).toEqual([
    'Of 23 emails, 20 stay in the list and 3 go into the notes.',
  ])
})
