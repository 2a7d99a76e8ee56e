import { describe, expect, test } from 'vitest'
import { importFields, mapColumns } from './import-headers.ts'
import { keepColumns, labelledNotes } from './import-keep.ts'
import { broughtFields, type PlannedField, withNewOptions } from './import-own.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'

/** How a file of one deal is read without a hand; a new field has its name as its id. */
function read(cells: Record<string, string>, known: PlannedField[] = []) {
  const [columns, row] = [Object.keys(cells), Object.values(cells)]
  const file = { kind: 'deals' as const, columns, rows: [row], dates: [] }
  const mapped = mapColumns('deals', columns, [row], known)
  let made = 0
  const newId = () => {
    made += 1
    return `new ${made}`
  }
  const { mapping, fields } = keepColumns(file, mapped, known, newId)
  return { columns, row, mapping, fields }
}

/** What a row of deals says, by the headers of its cells. */
function reported(cells: Record<string, string>, known: PlannedField[] = []) {
  const { columns, row, mapping, fields } = read(cells, known)
  expect(
    mapping.filter((_, place) => / - /.test(columns[place] ?? '')).filter((name) => !name),
    'nothing of anybody is left out',
  ).toEqual([])
  const found = importRow(row, planImport('deals', mapping, [row], { columns, own: fields }))
  if ('problem' in found) throw new Error(found.problem)
  return found.values
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
      custom: { 'new 1': 'Subscribed' },
      // Of fields that hold one value, for the notes where there is another one already.
      lines: {
        birthday: 'Birthday: 1815-12-10',
        role_title: 'Job title: Countess',
        'custom.new 1': 'Marketing status: Subscribed',
      },
    },
    organisation: {
      location: '1 Main St, London',
      phones: [{ label: '', value: '+44 20 1' }],
      website: 'https://engine.example',
      industry: 'Machines',
      custom: { 'new 2': 5_000_000 },
      lines: {
        location: 'Address: 1 Main St, London',
        website: 'Website: engine.example',
        industry: 'Industry: Machines',
        'custom.new 2': 'Annual revenue: 5000000',
      },
    },
  })
})

describe('an unknown column', () => {
  const cells = {
    'Deal - Title': 'Engine',
    'Deal - Probability': '40',
    'Person - Name': 'Ada',
    'Person - Marketing status': 'Subscribed',
    'Person - Notes': 'Met in Oslo',
    'Organization - Name': 'Engine Ltd',
    'Organization - Employees': '12',
    'Organization - Description': 'Makes engines',
  }

  test('becomes a field of those whom its header names, and what was written about them a note', () => {
    const { mapping, fields } = read(cells)
    expect(mapping).toEqual([
      'name',
      'custom.new 1',
      'contact',
      'contact: custom.new 2',
      'contact: notes',
      'company',
      'company: custom.new 3',
      `company: ${labelledNotes}`,
    ])
    expect(fields).toMatchObject([
      { record: 'deals', name: 'Deal - Probability', kind: 'number' },
      { record: 'contacts', name: 'Marketing status', kind: 'text' },
      { record: 'companies', name: 'Employees', kind: 'number' },
    ])
    expect(reported(cells)).toMatchObject({
      custom: { 'new 1': 40 },
      person: { custom: { 'new 2': 'Subscribed' }, note_parts: ['Met in Oslo'] },
      organisation: { custom: { 'new 3': 12 }, kept_notes: ['Description: Makes engines'] },
    })
    expect(broughtFields(fields, mapping).map(({ record }) => record)).toEqual([
      'deals',
      'contacts',
      'companies',
    ])
  })

  test('of a report of Salesforce is of the contact or the account before the colon', () => {
    const { mapping } = read({
      'Opportunity Name': 'Engine',
      'Primary Contact': 'Ada',
      'Contact: Department': 'Looms',
      'Account Name': 'Engine Ltd',
      'Account: Rating': 'Hot',
    })
    expect(mapping.slice(2)).toEqual(['contact: custom.new 1', 'company', 'company: custom.new 2'])
  })

  test('fills the field that an earlier file made of it, with the options that it lacks', () => {
    const size: PlannedField = {
      ...{ id: 'size', record: 'companies', name: 'employees', kind: 'choice', options: [] },
      ...{ position: 0, is_hidden: false, isNew: false, newOptions: [] },
    }
    const { mapping, fields } = read(cells, [size])
    expect(mapping[6]).toBe('company: custom.size')
    const asked: string[] = []
    const [full] = withNewOptions(fields, (field) => {
      asked.push(field.id)
      return ['12']
    })
    expect(asked).toEqual(['size'])
    expect(full?.newOptions).toMatchObject([{ name: '12' }])
    // One of ours comes first, and so does what a field of contacts is called.
    const ours = [
      { ...size, id: 'a', record: 'contacts' as const, name: 'Phone' },
      { ...size, id: 'b', record: 'contacts' as const, name: 'Employees' },
    ]
    const columns = ['Deal Name', 'Person - Name', 'Person - Phone', 'Company', 'Employees']
    expect(mapColumns('deals', columns, [], ours)).toEqual([
      'name',
      'contact',
      'contact: phone_number',
      'company',
      null,
    ])
  })

  test('that cannot be read goes to the notes of whose field it is', () => {
    const day: PlannedField = {
      ...{ id: 'day', record: 'contacts', name: 'Marketing status', kind: 'day', options: [] },
      ...{ position: 0, is_hidden: false, isNew: false, newOptions: [] },
    }
    expect(reported(cells, [day])).toMatchObject({
      person: { note_parts: ['Met in Oslo', 'Marketing status: Subscribed'] },
    })
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

test('when a contact or a company was created goes to the notes of one that says another moment', () => {
  const moment = '2024-05-06T07:08:00.000Z'
  expect(
    reported({
      'Deal - Title': 'Engine',
      'Person - Name': 'Ada',
      'Person - Person created': '2024-05-06 07:08:00',
      'Organization - Name': 'Engine Ltd',
      'Organization - Organization created': '2024-05-06 07:08:00',
    }),
  ).toMatchObject({
    person: {
      created_at: moment,
      lines: { created_at: 'Person created: 2024-05-06 07:08:00' },
    },
    organisation: {
      created_at: moment,
      lines: { created_at: 'Organization created: 2024-05-06 07:08:00' },
    },
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
