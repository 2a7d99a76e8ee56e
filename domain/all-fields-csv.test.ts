import { expect, test } from 'vitest'
import { allFieldsCsv } from './all-fields-csv.ts'
import { ownFields } from './fields/own.ts'

const own = ownFields(
  [
    {
      id: 'a',
      record: 'contacts',
      name: 'Tier',
      kind: 'choice',
      options: [{ id: '~aaaaaaa', name: 'Gold', color: 'yellow' }],
      position: 1,
      is_hidden: false,
    },
  ],
  'contacts',
)

test('all fields of a contact, and the user’s own after them', () => {
  const { header, row } = allFieldsCsv('contacts', own)
  expect(header.join()).toBe(
    'First Name,Last Name,Middle Name,Nickname,Email,Phone,Role,Company,Lead Status,Birthday,Birthday Reminder,Lead Score,Tags,Notes,Created At,Last Contacted,Emails,Phones,Addresses,Links,Tier',
  )
  const ada = {
    first_name: 'Ada',
    last_name: '=1',
    company_name: 'Acme',
    lead_status: 'New',
    lead_score: 0,
    birthday: '--05-03',
    birthday_reminder: 3,
    tags: ['VIP', 'Key'],
    created_at: '2026-11-17T08:00:00+00:00',
    emails: [
      { label: 'work', value: 'a@b' },
      { label: '', value: 'c@d' },
    ],
    custom: { a: '~aaaaaaa' },
  }
  expect(row(ada).join()).toBe(
    "Ada,'=1,,,,,,Acme,New,May 3,3,0,VIP; Key,,2026-11-17T08:00:00.000Z,,a@b (Work)\nc@d,,,,Gold",
  )
})

test('all fields of a company', () => {
  expect(allFieldsCsv('companies', {}).header.join()).toBe(
    'Name,Website,Industry,Location,Tags,Created At,Emails,Phones,Addresses',
  )
})
