import { expect, test } from 'vitest'
import { importFields, mapColumns } from './import-headers.ts'
import { keepColumns } from './import-keep.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'

/** What a row of deals says, by the headers of its cells. */
function reported(cells: Record<string, string>) {
  const [columns, row] = [Object.keys(cells), Object.values(cells)]
  const file = { kind: 'deals' as const, columns, rows: [row], dates: [] }
  const mapped = mapColumns('deals', columns, [row])
  const { mapping, fields } = keepColumns(file, mapped, [], () => 'new')
  expect(
    mapping.filter((_, place) => / - /.test(columns[place] ?? '')).filter((name) => !name),
    'nothing of anybody is left out',
  ).toEqual([])
  const read = importRow(row, planImport('deals', mapping, [row], { columns, own: fields }))
  if ('problem' in read) throw new Error(read.problem)
  return read.values
}

const place = { city: '', label: '', region: '', street: '', country: '', postal_code: '' }

test('what Pipedrive says of the person and the organization of a deal is read as in files of such', () => {
  expect(
    reported({
      'Deal - Title': 'Engine',
      'Person - Name': 'Ada Lovelace',
      'Person - Email - Work': 'ada@engine.example',
      'Person - Email - Home': 'ada@home.example',
      'Person - Phone - Work': '+44 20 7946 0000',
      'Person - Phone - Mobile': '+44 7700 900000',
      'Person - Postal address': '12 Square, London',
      'Person - Birthday': '1815-12-10',
      'Person - Label': 'Hot',
      'Person - Marketing status': 'Subscribed',
      'Person - Job title': 'Countess',
      'Organization - Name': 'Engine Ltd',
      'Organization - Address': '1 Main St, London',
      'Organization - Phone': '+44 20 1',
      'Organization - Website': 'engine.example',
      'Organization - Industry': 'Machines',
      'Organization - Annual revenue': '5000000',
    }),
  ).toEqual({
    name: 'Engine',
    company: 'Engine Ltd',
    contact_first_name: 'Ada',
    contact_last_name: 'Lovelace',
    contact_email: 'ada@engine.example',
    person: {
      emails: [
        { label: '', value: 'ada@engine.example' },
        { label: 'home', value: 'ada@home.example' },
      ],
      phone_number: '+44 20 7946 0000',
      phones: [
        { label: 'work', value: '+44 20 7946 0000' },
        { label: 'mobile', value: '+44 7700 900000' },
      ],
      addresses: [{ ...place, label: 'Postal', street: '12 Square, London' }],
      birthday: '1815-12-10',
      tags: ['Hot'],
      role_title: 'Countess',
      note_parts: ['Marketing status: Subscribed'],
    },
    organisation: {
      location: '1 Main St, London',
      phones: [{ label: '', value: '+44 20 1' }],
      website: 'https://engine.example',
      industry: 'Machines',
      kept_notes: ['Annual revenue: 5000000'],
    },
  })
})

test('a phone number, a role and a website are of nobody but the contact and the company', () => {
  expect(
    reported({
      'Deal Name': 'Engine',
      'Contact Name': 'Ada',
      Phone: '+44 20 1',
      'Job Title': 'Countess',
      'Account Name': 'Engine Ltd',
      Website: 'engine.example',
      'Billing City': 'London',
    }),
  ).toMatchObject({
    person: { phone_number: '+44 20 1', role_title: 'Countess' },
    organisation: { website: 'https://engine.example', location: 'London' },
  })
})

test('a row that names nobody keeps it in the notes of the deal', () => {
  const columns = ['Deal - Title', 'Person - Name', 'Person - Phone', 'Organization - Name']
  const all = [...columns, 'Organization - Address']
  const rows = [
    ['Engine', '', '+44 20 1', '', '1 Main St'],
    ['', '', '+44 20 1', '', '1 Main St'],
  ]
  const plan = planImport('deals', mapColumns('deals', all, rows), rows, { columns: all })
  expect(rows.map((row) => importRow(row, plan))).toEqual([
    {
      values: {
        name: 'Engine',
        kept_notes: ['Person - Phone: +44 20 1', 'Organization - Address: 1 Main St'],
      },
    },
    { problem: 'This row has nothing to import.' },
  ])
  // Where no column names anybody, there is nobody to tell it of.
  expect(mapColumns('deals', ['Deal - Title', 'Person - Phone'])).toEqual(['name', null])
})

test('whoever has no address in the main column is known by another', () => {
  const columns = ['Deal Name', 'Person - Name', 'Person - Email - Work', 'Person - Email - Home']
  const plan = planImport('deals', mapColumns('deals', columns), [], { columns })
  expect(importRow(['Engine', 'Ada', '', 'ada@home.example'], plan)).toEqual({
    values: {
      name: 'Engine',
      contact_first_name: 'Ada',
      contact_email: 'ada@home.example',
    },
  })
})

test('a second contact’s number is not the first one’s, and a cell that cannot be stored goes to the notes', () => {
  const columns = ['Deal Name', 'Contact 1', 'Contact 1 Phone', 'Contact 2', 'Contact 2 Phone']
  expect(mapColumns('deals', columns)).toEqual([
    'name',
    'contact',
    'contact: phone_number',
    'contact',
    null,
  ])
  expect(
    reported({ Deal: 'Engine', 'Person - Name': 'Ada', 'Person - Birthday': 'soon' }),
  ).toMatchObject({ person: { note_parts: ['Birthday: soon'] } })
})

test('the fields are offered under whose they are', () => {
  expect(importFields.deals).toMatchObject({
    'contact: phone_number': 'Contact: Phone',
    'contact: addresses': 'Contact: Addresses',
    'company: location': 'Company: Location',
  })
  expect(importFields.deals).not.toHaveProperty(['contact: first_name'])
  expect(importFields.contacts).not.toHaveProperty(['contact: phone_number'])
})
