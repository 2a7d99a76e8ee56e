import { expect, test } from 'vitest'
import { withoutMark } from './csv.ts'
import {
  allDealFields,
  dealCsvHeader,
  dealCsvRow,
  dealPeopleCell,
  dealPeopleHeader,
} from './deal-csv.ts'
import { mapColumns } from './import-headers.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'

const renewal = {
  name: '\'=Renewal, "big"',
  value: 1234.5,
  currency: null,
  expected_close_date: '2026-12-31',
  pipeline_name: 'Partners',
  stage_name: 'Won',
  company_name: '@home',
  contact: { first_name: 'Ada', last_name: 'King Lovelace', email: 'ada@example.com' },
  lost_reason: null,
  tags: ['VIP', 'Key account'],
  next_task: { title: 'Call' },
  created_at: '2026-11-15T10:00:00+02:00',
  closed_at: null,
}
const lost = {
  ...renewal,
  currency: 'CHF',
  stage_name: 'Closed Lost',
  contact: { first_name: null, last_name: 'Babbage', email: null },
  lost_reason: 'Price',
  closed_at: '2026-10-01T08:00:00+00:00',
}
const bare = {
  ...renewal,
  expected_close_date: null,
  pipeline_name: null,
  stage_name: null,
  company_name: null,
  contact: null,
  tags: [],
  next_task: null,
}

test('all fields; what is missing empty, figures and days plain', () => {
  expect(dealCsvHeader(allDealFields).join()).toBe(
    'Deal,Pipeline,Stage,Potential value,Currency,Expected Close,Company,Contact First Name,Contact Last Name,' +
      'Contact Email,Lost Reason,Tags,Next Task,Created,Closed At',
  )
  expect(dealCsvRow(lost, allDealFields)).toEqual([
    '\'\'=Renewal, "big"',
    'Partners',
    'Closed Lost',
    '1234.50',
    'CHF',
    '2026-12-31',
    "'@home",
    '',
    'Babbage',
    '',
    'Price',
    'VIP; Key account',
    'Call',
    '2026-11-15T08:00:00.000Z',
    '2026-10-01T08:00:00.000Z',
  ])
})

test('only what is shown, as it is shown', () => {
  const shown = ['name', 'contact', 'stage'] as const
  expect(dealCsvHeader([...shown])).toEqual(['Deal', 'Contact', 'Stage'])
  expect(
    dealCsvRow({ ...bare, contact: { ...renewal.contact, first_name: null } }, [...shown]),
  ).toEqual(['\'\'=Renewal, "big"', 'King Lovelace', 'No Stage'])
})

test('an import of all fields reads what was exported', () => {
  const header = dealCsvHeader(allDealFields)
  const plan = planImport('deals', mapColumns('deals', header), [], { isOwn: true })
  const read = (deal: typeof renewal | typeof lost | typeof bare) =>
    importRow(dealCsvRow(deal, allDealFields).map(withoutMark), plan)
  const created_at = '2026-11-15T08:00:00.000Z'
  expect(read(renewal)).toEqual({
    values: {
      name: renewal.name,
      value: 1234.5,
      currency: 'USD',
      expected_close_date: '2026-12-31',
      pipeline: 'Partners',
      stage: 'Won',
      company: '@home',
      contact_first_name: 'Ada',
      contact_last_name: 'King Lovelace',
      contact_email: 'ada@example.com',
      tags: ['VIP', 'Key account'],
      created_at,
    },
  })
  expect(read(lost)).toMatchObject({
    values: {
      stage: 'Closed Lost',
      lost_reason: 'Price',
      contact_last_name: 'Babbage',
      closed_at: '2026-10-01T08:00:00.000Z',
    },
  })
  expect(read(bare)).toEqual({
    values: { name: renewal.name, value: 1234.5, currency: 'USD', created_at },
  })
})

test('all contacts of a deal with their roles, the main one first', () => {
  const person = (id: string, role: string | null) => {
    return { id, role, first_name: id, last_name: null, email: null }
  }
  const { contact } = renewal
  const people = [person('bob', null), person('ada', 'decides'), person('eve', 'pays; uses')]
  expect(dealPeopleCell(contact, 'ada', people)).toBe(
    'Ada King Lovelace <ada@example.com> (decides); bob; eve (pays; uses)',
  )
  expect(dealPeopleCell(contact, 'ada', [])).toBe('Ada King Lovelace <ada@example.com>')
  expect(dealPeopleCell(null, null, [person('=bob', 'pays')])).toBe("'=bob (pays)")
  expect(dealPeopleCell(null, null, [])).toBe('')
  expect(mapColumns('deals', ['Deal Name', dealPeopleHeader])).toEqual(['name', 'contact_roles'])
})
