import { describe, expect, test } from 'vitest'
import { mapColumns } from './import-headers.ts'
import { labelIn } from './import-lists.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'

/** What a row of contacts says, by the headers of its cells. */
function reported(cells: Record<string, string>) {
  const [columns, row] = [Object.keys(cells), Object.values(cells)]
  const plan = planImport('contacts', mapColumns('contacts', columns, [row]), [row], { columns })
  const read = importRow(row, plan)
  if ('problem' in read) throw new Error(read.problem)
  return read.values
}

const place = { city: '', label: '', region: '', street: '', country: '', postal_code: '' }

test.each([
  ['Work Email', 'work'],
  ['E-mail (home)', 'home'],
  ['Person - Phone - Mobile', 'mobile'],
  ['mobilephone', 'mobile'],
  ['Cell', 'mobile'],
  ['Business Phone 2', 'work'],
  ['Other Phone', 'other'],
  ['Business Fax', 'Fax'],
  ["Assistant's Phone", 'Assistant'],
  ['WhatsApp', 'WhatsApp'],
  ['Telefon privat', 'home'],
  ['E-Mail geschäftlich', 'work'],
  ['Tél. portable', 'mobile'],
  ['Correo electrónico (trabajo)', 'work'],
  ['Telefon służbowy', 'work'],
  ['携帯電話', 'mobile'],
  // Which of several it is, its place says.
  ['Primary Email', ''],
  ['Alternate Email 2', ''],
  ['E-mail 1 - Value', ''],
  ['Email Address', ''],
  ['Phone Number', ''],
  ['E-Mail-Adresse', ''],
  ['Column 3', ''],
])('the header %j says the label %j', (header, label) => {
  expect(labelIn(header)).toBe(label)
})

describe('postal addresses', () => {
  test('columns without a word before them are one address, and one part is enough', () => {
    expect(
      reported({
        Email: 'a@x.com',
        'Street Address': '1 Main St',
        City: 'Boston',
        'State/Region': 'MA',
        'Postal Code': '02110',
        'Country/Region': 'United States',
      }).addresses,
    ).toEqual([
      {
        ...place,
        street: '1 Main St',
        city: 'Boston',
        region: 'MA',
        postal_code: '02110',
        country: 'United States',
      },
    ])
    expect(reported({ Email: 'a@x.com', Country: 'Chile' }).addresses).toEqual([
      { ...place, country: 'Chile' },
    ])
    expect(reported({ Email: 'a@x.com', City: '', Country: '' })).toEqual({ email: 'a@x.com' })
  })

  test('each word before them makes one, and further lines belong to the street', () => {
    expect(
      reported({
        Email: 'a@x.com',
        'Business Street': 'Hauptstr. 5',
        'Business Street 2': 'Hof 3',
        'Business City': 'Berlin',
        'Home Street': 'Nebenstr. 6',
        'Home Postal Code': '14467',
        'Mailing Zip/Postal Code': '10115',
        'Mailing Address City': 'Bern',
        'Default Address Country Code': 'CH',
      }).addresses,
    ).toEqual([
      { ...place, label: 'work', street: 'Hauptstr. 5, Hof 3', city: 'Berlin' },
      { ...place, label: 'home', street: 'Nebenstr. 6', postal_code: '14467' },
      { ...place, label: 'Mailing', postal_code: '10115', city: 'Bern' },
      { ...place, country: 'CH' },
    ])
  })

  test('Google numbers them, names them in a column, and repeats them as one text', () => {
    const parts = {
      Email: 'a@x.com',
      'Address 1 - Label': '* Home',
      'Address 1 - Formatted': 'Storgata 1\n0155 Oslo',
      'Address 1 - Street': 'Storgata 1',
      'Address 1 - City': 'Oslo',
      'Address 1 - Postal Code': '0155',
      'Address 2 - Type': 'Cabin',
      'Address 2 - Formatted': 'By the lake',
    }
    const home = {
      ...place,
      label: 'home',
      street: 'Storgata 1',
      city: 'Oslo',
      postal_code: '0155',
    }
    const cabin = { ...place, label: 'Cabin', street: 'By the lake' }
    expect(reported(parts)).toEqual({ email: 'a@x.com', addresses: [home, cabin] })
    // What the parts lack is kept.
    expect(reported({ ...parts, 'Address 1 - Formatted': 'Storgata 1\nNorway' }).notes).toBe(
      'Address 1 - Formatted: Storgata 1\nNorway',
    )
  })

  test('in other languages', () => {
    expect(
      reported({ 'E-Mail': 'a@x.com', Straße: 'Am Markt 1', PLZ: '01067', Ort: 'Dresden' })
        .addresses,
    ).toEqual([{ ...place, street: 'Am Markt 1', postal_code: '01067', city: 'Dresden' }])
    expect(reported({ メールアドレス: 'a@x.com', 住所: '東京都' }).addresses).toEqual([
      { ...place, street: '東京都' },
    ])
  })

  test('a column of e-mail addresses is none, whatever its name', () => {
    expect(reported({ Name: 'Ada', Address: 'a@x.com' })).toMatchObject({ email: 'a@x.com' })
  })
})

test('links have the word of their column; a name in a network is none', () => {
  expect(
    reported({
      Email: 'a@x.com',
      'LinkedIn Profile URL': 'linkedin.com/in/ada',
      Website: 'https://ada.example',
      URL: 'https://b.example',
      'url (work)': 'https://w.example',
      'Personal Website': 'https://p.example',
      'Website 1 - Label': 'Blog',
      'Website 1 - Value': 'https://c.example ::: https://d.example',
    }).links,
  ).toEqual([
    { label: 'LinkedIn', value: 'linkedin.com/in/ada' },
    { label: 'Website', value: 'https://ada.example' },
    { label: 'URL', value: 'https://b.example' },
    { label: 'work', value: 'https://w.example' },
    { label: 'Personal Website', value: 'https://p.example' },
    { label: 'Blog', value: 'https://c.example' },
    { label: 'Blog', value: 'https://d.example' },
  ])
  expect(mapColumns('contacts', ['Email', 'Twitter'], [['a@x.com', '@ada']])).toEqual([
    'email',
    null,
  ])
  const columns = ['Email', 'Twitter']
  const plan = planImport('contacts', mapColumns('contacts', columns), [], { columns })
  expect(importRow(['a@x.com', '@ada'], plan)).toEqual({
    values: { email: 'a@x.com', notes: 'Twitter: @ada' },
  })
})

test('a city, a link or a label without anybody is no contact', () => {
  expect(() => reported({ 'Phone 1 - Label': 'Mobile', 'Phone 1 - Value': '' })).toThrow(
    'This row has nothing to import.',
  )
  expect(() => reported({ Email: '', City: 'Boston', Website: 'https://a.example' })).toThrow(
    'This row has nothing to import.',
  )
})

test('lists are read as our files write them', () => {
  expect(
    reported({
      'First Name': 'Ada',
      Email: 'a@x.com',
      Phone: '1',
      Emails: 'a@x.com (Work)\nb@x.com (Home)',
      Phones: '1\n+44 (20) 2 (Desk)',
      Addresses: 'Main St 1 | 10115 | Berlin |  | Germany (Home)\n |  | Oslo |  | ',
      Links: 'https://ada.example (Blog)\nhttps://b.example/a_(b)',
    }),
  ).toEqual({
    first_name: 'Ada',
    email: 'a@x.com',
    emails: [
      { label: 'work', value: 'a@x.com' },
      { label: 'home', value: 'b@x.com' },
    ],
    phone_number: '1',
    phones: [
      { label: '', value: '1' },
      { label: 'Desk', value: '+44 (20) 2' },
    ],
    addresses: [
      {
        ...place,
        label: 'home',
        street: 'Main St 1',
        postal_code: '10115',
        city: 'Berlin',
        country: 'Germany',
      },
      { ...place, city: 'Oslo' },
    ],
    links: [
      { label: 'Blog', value: 'https://ada.example' },
      { label: '', value: 'https://b.example/a_(b)' },
    ],
  })
})

test('companies have addresses and numbers, and what is none becomes a note', () => {
  const columns = ['Company Name', 'Phone', 'Work Email', 'Email 2']
  const plan = planImport('companies', mapColumns('companies', columns), [], { columns })
  expect(importRow(['Acme', '1', 'a@x.com', 'b@x.com'], plan)).toEqual({
    values: {
      name: 'Acme',
      phones: [{ label: '', value: '1' }],
      emails: [
        { label: 'work', value: 'a@x.com' },
        { label: '', value: 'b@x.com' },
      ],
    },
  })
  expect(importRow(['Acme', '0'.repeat(51), 'nobody', 'b@x.com'], plan)).toEqual({
    values: {
      name: 'Acme',
      emails: [{ label: '', value: 'b@x.com' }],
      kept_notes: ['Email: nobody', `Phone: ${'0'.repeat(51)}`],
    },
  })
})

test('the parts of an address after their names are one address, which may also stand there whole', () => {
  const columns =
    'Person - Name,Person - Postal address,Person - House number of Postal address,Person - Street/road name of Postal address,Person - City/town/village/locality of Postal address,Person - Country of Postal address,Person - ZIP/Postal code of Postal address,X'.split(
      ',',
    )
  const row = [
    'Ada King',
    'Hauptstraße 5, 10115 Berlin, Germany',
    '5',
    'Hauptstraße',
    'Berlin',
    'Germany',
    '10115',
    'https://x.com/ada',
  ]
  const plan = planImport('contacts', mapColumns('contacts', columns, [row]), [row], { columns })
  expect(importRow(row, plan)).toMatchObject({
    values: {
      addresses: [
        {
          label: 'Postal',
          street: '5, Hauptstraße',
          postal_code: '10115',
          city: 'Berlin',
          region: '',
          country: 'Germany',
        },
      ],
      links: [{ label: 'X', value: 'https://x.com/ada' }],
    },
  })
  expect(importRow(row, plan)).not.toHaveProperty('values.notes')
})

test('the two addresses of a contact in Xero', () => {
  const columns = 'ContactName,POAddressLine1,POCity,POPostalCode,SAAddressLine1,SACity'.split(',')
  const row = ['Ada King', 'PO Box 7', 'Leeds', 'LS1', 'Mill Lane 1', 'York']
  const plan = planImport('contacts', mapColumns('contacts', columns, [row]), [row], { columns })
  expect(importRow(row, plan)).toMatchObject({
    values: {
      addresses: [
        { label: 'Postal', street: 'PO Box 7', city: 'Leeds', postal_code: 'LS1' },
        { label: 'Street', street: 'Mill Lane 1', city: 'York' },
      ],
    },
  })
})

test('the place of a company is not told twice where it stands whole beside its parts', () => {
  const columns = [
    'Organization - Name',
    'Organization - Address',
    'Organization - City/town/village/locality of Address',
    'Organization - Country of Address',
  ]
  const rows = [
    ['Acme', '1 Main St, London, UK', 'London', 'UK'],
    ['Zeta', 'Dresden', 'Dresden', 'DE'],
  ]
  const plan = planImport('companies', mapColumns('companies', columns, rows), rows, { columns })
  expect(rows.map((row) => importRow(row, plan))).toMatchObject([
    { values: { location: '1 Main St, London, UK' } },
    { values: { location: 'Dresden, DE' } },
  ])
})

test('several numbers in a cell are several, and an extension is none', () => {
  expect(
    reported({ 'First Name': 'Ada', Phone: '+44 20 7946 0000; +44 7700 900000' }),
  ).toMatchObject({
    phone_number: '+44 20 7946 0000',
    phones: [
      { label: '', value: '+44 20 7946 0000' },
      { label: '', value: '+44 7700 900000' },
    ],
  })
  expect(reported({ 'First Name': 'Ada', Phone: '+44 20 7946 0000, ext. 4' })).toMatchObject({
    phone_number: '+44 20 7946 0000, ext. 4',
  })
})
