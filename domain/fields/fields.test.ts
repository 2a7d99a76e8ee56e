import { expect, test } from 'vitest'
import { checkOf } from './checks.ts'
import { companyFields } from './companies.ts'
import { contactFields, contactSorts } from './contacts.ts'
import { dealFields, dealFieldsIn, dealSorts } from './deals.ts'
import { type Field, type Fields, labelOf, wordsFor } from './field.ts'
import { blankOf, formTexts, inputsOf, schemaOf } from './form.ts'
import { columnLabels, mostFirstOf, sortOptions } from './list.ts'
import { byKey, lower, momentKey } from './order.ts'
import { definition, type OwnField } from './own.ts'
import { taskFields, taskSorts } from './tasks.ts'

/** Known at run time only, as a field of the user's own would be. */
const own: Fields = {
  nickname: { kind: 'text', label: 'Nickname', max: 5 },
  budget: { kind: 'money', label: 'Budget' },
  points: { kind: 'number', label: 'Points', min: 0, max: 10, usual: 1 },
  since: { kind: 'day', label: 'Since' },
  size: { kind: 'choice', label: 'Size', choices: ['S', 'L'], usual: 'L' },
  owner_id: { kind: 'record', label: 'Owner' },
  made_at: { kind: 'moment', label: 'Made', edit: 'never' },
}

test('the value of a deal is read in the currency of the deal', () => {
  const read = (currency: string | null) => checkOf(dealFieldsIn(currency).value).parse('12.500')
  expect([null, 'EUR', 'KWD'].map(read)).toEqual([12_500, 12_500, 12.5])
})

test('a form is made of fields that nobody knew before', () => {
  const blank = blankOf(own)
  expect(blank).toEqual({
    nickname: '',
    budget: '',
    points: '1',
    since: '',
    size: 'L',
    owner_id: null,
  })
  expect(schemaOf(own).parse({ ...blank, budget: '12.5', since: '2026-11-15' })).toEqual({
    nickname: null,
    budget: 12.5,
    points: 1,
    since: '2026-11-15',
    size: 'L',
    owner_id: null,
  })
})

test.each([
  ['nickname', 'Adalie', 'Nickname can have at most 5 characters.'],
  ['budget', '-1', 'Budget can’t be less than 0.'],
  ['budget', '0.125', 'Budget can have at most two decimals.'],
  ['budget', 'much', 'Budget must be a number.'],
  ['points', '11', 'Points must be between 0 and 10.'],
  ['points', 'many', 'Points must be a number.'],
  ['points', '1.234', 'Points can have at most two decimals.'],
  ['since', '1899-12-31', 'Since must be a day between 1900 and 2200.'],
  ['size', 'M', expect.any(String)],
  ['budget', '$1,250.5', undefined],
  ['budget', '1.234,50 €', undefined],
  ['points', '7,5', undefined],
  ['points', '', undefined],
])('%s: %j typed where it stands', (name, text, message) => {
  const field: Field = own[name] ?? { kind: 'text', label: '' }
  expect(checkOf(field).safeParse(text).error?.issues[0]?.message).toEqual(message)
})

test('a record as its form holds it, and as its two versions are compared', () => {
  const row = { nickname: null, budget: 5, points: 2, since: null, size: 'XL', owner_id: 'x' }
  const inputs = inputsOf(own, row)
  expect(inputs).toEqual({
    nickname: '',
    budget: '5',
    points: '2',
    since: '',
    // No choice any more.
    size: 'L',
    owner_id: 'x',
  })
  expect(formTexts(own, inputs, { owner_id: 'Ada' })).toMatchObject({
    budget: '5',
    points: '2',
    owner_id: 'Ada',
  })
})

test('what a field is called, and where otherwise', () => {
  const phone = contactFields.phone_number
  expect((['form', 'column', 'file', 'import'] as const).map((use) => labelOf(phone, use))).toEqual(
    ['Phone Number', 'Phone', 'Phone', 'Phone'],
  )
  expect(labelOf(companyFields.name, 'form')).toBe('Company Name')
  expect(labelOf(dealFields.value, 'column')).toBe('Potential value')
  expect(wordsFor(phone)).toBe('Phone number')
  const own = { id: 'v', name: 'VAT ID', kind: 'text', options: [] } as unknown as OwnField
  expect(wordsFor(definition(own))).toBe('VAT ID')
})

test('the sort menus read as they always did', () => {
  const menu = (fields: Fields, sorts: readonly string[]) =>
    sortOptions(fields, sorts).map(({ label, asc, desc }) => `${label}: ${asc}, ${desc}`)
  expect(menu(contactFields, contactSorts)).toEqual([
    'Created: Oldest first, Newest first',
    'Contact: A to Z, Z to A',
    'Email: A to Z, Z to A',
    'Phone: Ascending, Descending',
    'Company: A to Z, Z to A',
    'Lead Status: A to Z, Z to A',
    'Lead Score: Lowest first, Highest first',
    'Birthday: January first, December first',
    'Notes: A to Z, Z to A',
    'Last Contacted: Longest ago, Most recent',
    'Next Task: Soonest first, Latest first',
  ])
  expect(menu(dealFields, dealSorts)).toEqual([
    'Created: Oldest first, Newest first',
    'Deal: A to Z, Z to A',
    'Stage: Earliest first, Furthest first',
    'Potential value: Lowest first, Highest first',
    'Expected Close: Soonest first, Latest first',
    'Company: A to Z, Z to A',
    'Contact: A to Z, Z to A',
  ])
  expect(menu(taskFields, taskSorts)).toEqual([
    'Created: Oldest first, Newest first',
    'Due Date: Soonest first, Latest first',
    'Priority: Lowest first, Highest first',
    'Title: A to Z, Z to A',
  ])
  expect(mostFirstOf(contactFields, contactSorts)).toEqual([
    'created',
    'lead_score',
    'last_contacted',
  ])
  expect(mostFirstOf(dealFields, dealSorts)).toEqual(['created', 'value'])
  expect(() => columnLabels(own, ['password'])).toThrow('There is no field password.')
})

test('what is missing comes last in either direction, and ids tell the rest', () => {
  const rows = [
    { id: '2', key: null },
    { id: '1', key: null },
    { id: '4', key: 'b' },
    { id: '3', key: 'a' },
  ]
  const ids = (descending: boolean) =>
    rows.toSorted(byKey(({ key }) => key, descending)).map(({ id }) => id)
  expect(ids(false)).toEqual(['3', '4', '1', '2'])
  expect(ids(true)).toEqual(['4', '3', '2', '1'])
})

test('letters and moments as the database compares them', () => {
  expect(lower('ΣΟΦΟΣ İ')).toBe('σοφοσ i')
  expect(momentKey('2026-12-01T10:00:00.123457+00:00')).toBe(
    momentKey('2026-12-01T10:00:00.123456Z') + 1,
  )
})
