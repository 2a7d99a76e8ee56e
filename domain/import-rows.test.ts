import { describe, expect, test } from 'vitest'
import type { ImportKind } from './import-headers.ts'
import { mapColumns } from './import-headers.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'

/** As a file is read whose closed deals were all closed on one day. */
function read(kind: ImportKind, header: string, ...rows: string[][]) {
  const columns = header.split(',')
  const closing = { by: 'day', day: '2026-02-03' } as const
  const plan = planImport(kind, mapColumns(kind, columns), rows, { columns, closing })
  return rows.map((row) => importRow(row, plan))
}

describe('contacts', () => {
  test('every field', () => {
    const [row] = read(
      'contacts',
      'First Name,Last Name,Email,Phone,Role,Company,Lead Status,Lead Score,Notes,Created At',
      [
        'Ada',
        'Lovelace',
        'ada@example.com',
        '+44 20',
        'Analyst',
        'Acme',
        'IN_PROGRESS',
        '12',
        'Hi\nyou',
        '2026-11-15T08:00:00Z',
      ],
    )
    expect(row).toEqual({
      values: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.com',
        phone_number: '+44 20',
        role_title: 'Analyst',
        company: 'Acme',
        lead_status: 'Contacted',
        file_status: 'IN_PROGRESS',
        lead_score: 12,
        notes: 'Hi\nyou',
        created_at: '2026-11-15T08:00:00.000Z',
      },
    })
  })

  test('what a row does not say is left out', () => {
    expect(read('contacts', 'First Name,Last Name,Email,Phone', ['', '', '', '+49 30 1'])).toEqual([
      { values: { phone_number: '+49 30 1' } },
    ])
  })

  test('a full name is parted only where its parts are missing', () => {
    const header = 'Person - Name,Person - First name,Person - Last name'
    expect(read('contacts', header, ['Ada Lovelace', '', ''], ['A. L.', 'Ada', ''])).toEqual([
      { values: { first_name: 'Ada', last_name: 'Lovelace', name_from: 'full name' } },
      { values: { first_name: 'Ada', notes: 'Full name: A. L.' } },
    ])
  })

  test('further addresses and numbers fill the lists, unknown words the notes: nothing is lost', () => {
    const header =
      'First Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value,Mobile,Lead Status,Notes'
    const cells = ['Ada', '* Work', 'a@x.com ::: b@x.com', 'a@x.com', '1 ::: 2', '3', 'Warm', 'Met']
    expect(read('contacts', header, cells)).toEqual([
      {
        values: {
          first_name: 'Ada',
          email: 'a@x.com',
          emails: [
            { label: 'work', value: 'a@x.com' },
            { label: 'work', value: 'b@x.com' },
          ],
          phone_number: '1',
          phones: [
            { label: '', value: '1' },
            { label: '', value: '2' },
            { label: 'mobile', value: '3' },
          ],
          notes: 'Met\nLead status: Warm',
          note_parts: ['Met', 'Lead status: Warm'],
          file_status: 'Warm',
        },
      },
    ])
  })

  test('two addresses in a cell, with a name or a scheme: the first is the contact’s, all are in its list', () => {
    const header = 'First Name,Email'
    const cells = (email: string) => ['Ada', email]
    const listed = (...values: string[]) => values.map((value) => ({ label: '', value }))
    expect(
      read(
        'contacts',
        header,
        cells('Ada Lovelace <ada@x.com>'),
        cells('mailto:ada@x.com'),
        cells('ada@x.com, ADA@x.com; b@x.com\nc@x.com'),
        ['', '"Lovelace, Ada" <ada@x.com>'],
        cells('ada@x.com, Charles Babbage <c@x.com>, Ada <a@x.com>'),
      ),
    ).toEqual([
      { values: { first_name: 'Ada', email: 'ada@x.com', notes: 'Full name: Ada Lovelace' } },
      { values: { first_name: 'Ada', email: 'ada@x.com' } },
      {
        values: {
          first_name: 'Ada',
          email: 'ada@x.com',
          emails: listed('ada@x.com', 'b@x.com', 'c@x.com'),
        },
      },
      {
        values: {
          first_name: 'Ada',
          last_name: 'Lovelace',
          email: 'ada@x.com',
          name_from: 'address',
        },
      },
      {
        values: {
          first_name: 'Ada',
          email: 'ada@x.com',
          emails: [
            { label: '', value: 'ada@x.com' },
            { label: 'Charles Babbage', value: 'c@x.com' },
            { label: '', value: 'a@x.com' },
          ],
        },
      },
    ])
  })

  test('what a list cannot hold goes to the notes: no address, too long a number, more than twenty', () => {
    const many = Array.from({ length: 22 }, (_, place) => `${place}@x.com`)
    const long = '0'.repeat(51)
    const [row] = read('contacts', 'Email,Work Email,Phone,Home Phone', [
      many.join(','),
      'none',
      '1',
      long,
    ])
    expect(row).toMatchObject({
      values: {
        email: '0@x.com',
        emails: { length: 20 },
        phone_number: '1',
        notes: `Other emails: 20@x.com, 21@x.com, none\nOther phones: ${long}`,
      },
    })
    expect(row).not.toHaveProperty('values.phones')
  })

  test("Excel's day numbers are read where the whole column holds them; the fraction is the time", () => {
    const header = 'First Name,Created At'
    expect(read('contacts', header, ['A', '46380.354166667'], ['B', ''], ['C', '46380'])).toEqual([
      { values: { first_name: 'A', created_at: '2026-12-24T08:30:00.000Z' } },
      { values: { first_name: 'B' } },
      { values: { first_name: 'C', created_at: '2026-12-24T12:00:00.000Z' } },
    ])
    expect(read('contacts', header, ['A', '46380'], ['B', '2026-12-24'])[0]).toMatchObject({
      values: { notes: 'Created At: 46380' },
    })
  })

  test('a status that we have no word for is kept in the notes, one that we translate is told', () => {
    expect(read('contacts', 'First Name,Lead Status', ['A', 'Customer'], ['B', 'OPEN'])).toEqual([
      { values: { first_name: 'A', notes: 'Lead status: Customer', file_status: 'Customer' } },
      { values: { first_name: 'B', lead_status: 'New', file_status: 'OPEN' } },
    ])
  })

  test('an apostrophe that somebody typed stays', () => {
    expect(read('contacts', 'First Name,Notes', ["'tis", "'=x"])).toEqual([
      { values: { first_name: "'tis", notes: "'=x" } },
    ])
  })

  test('a cell that cannot be read costs no row: it goes to the notes after its header, and is told', () => {
    const header = 'First Name,Email 1,Email 2,Phone,Birthday,Lead Score,Created At'
    const long = '0'.repeat(51)
    const [row] = read('contacts', header, [
      'Ada',
      'n/a',
      'ada@x.com',
      long,
      '0000-00-00',
      'many',
      'soon',
    ])
    const unfit = [
      'Birthday: 0000-00-00',
      'Lead Score: many',
      'Created At: soon',
      'Email 1: n/a',
      `Phone: ${long}`,
    ]
    expect(row).toEqual({
      values: {
        first_name: 'Ada',
        email: 'ada@x.com',
        notes: unfit.join('\n'),
        note_parts: unfit,
        unfit,
      },
    })
    // What is read, and then found too large.
    expect(read('contacts', 'First Name,Role', ['Ada', long.repeat(5)])).toMatchObject([
      { values: { notes: `Role: ${long.repeat(5)}` } },
    ])
  })

  test('an empty row and what a row is about are told in words', () => {
    const header = 'First Name,Email,Lead Score,Created At,URL'
    expect(
      read(
        'contacts',
        header,
        ['', '', '', '', 'https://x'],
        ['', 'nobody', '5', '', ''],
        ['x'.repeat(201), '', '', '', ''],
        [],
      ),
    ).toEqual([
      { problem: 'This row has nothing to import.' },
      { problem: 'Email: nobody can’t be read.' },
      { problem: 'First Name can have at most 200 characters.' },
      { problem: 'This row has nothing to import.' },
    ])
  })
})

test('a row with more cells than the header is told, unless they are empty; one with fewer is read', () => {
  const header = 'First Name,Last Name'
  expect(
    read('contacts', header, ['Ada', 'Lovelace', 'x'], ['Ada', 'Lovelace', ' '], ['Ada']),
  ).toEqual([
    { problem: 'The row has 3 cells, but the header has 2.' },
    { values: { first_name: 'Ada', last_name: 'Lovelace' } },
    { values: { first_name: 'Ada' } },
  ])
})

test('companies: a bare address becomes a link, places are joined, a name is needed', () => {
  const header = 'Company name,Website URL,Industry,City,Country'
  expect(
    read('companies', header, ['Acme', 'acme.com', 'Tools', 'Berlin', 'Germany'], ['', 'acme.com']),
  ).toEqual([
    {
      values: {
        name: 'Acme',
        website: 'https://acme.com',
        industry: 'Tools',
        location: 'Berlin, Germany',
      },
    },
    { problem: 'Company Name is required.' },
  ])
})

describe('deals', () => {
  const header =
    'Deal - Title,Deal - Value,Deal - Stage,Deal - Status,Deal - Expected close date,Deal - Organization,Deal - Contact person'

  test('money and days as they are written, and the outcome before the stage', () => {
    expect(
      read(
        'deals',
        header,
        ['Order', '$1,234.505', 'Proposal', 'Won', '31/12/2026', 'Acme', 'Ada Lovelace'],
        ['Offer', '', 'closed lost', 'open', '', '', ''],
      ),
    ).toEqual([
      {
        values: {
          name: 'Order',
          value: 1234.51,
          file_currency: '$',
          stage: 'Closed Won',
          closes_at: '2026-02-03T12:00:00.000Z',
          file_stage: 'Proposal',
          kept_notes: ['Deal - Stage: Proposal'],
          expected_close_date: '2026-12-31',
          company: 'Acme',
          contact_first_name: 'Ada',
          contact_last_name: 'Lovelace',
        },
      },
      {
        values: { name: 'Offer', stage: 'Closed Lost', closes_at: '2026-02-03T12:00:00.000Z' },
      },
    ])
  })

  test('a lost reason of a deal that is not lost is kept in a note, after its header', () => {
    const lost = (...cells: string[]) =>
      read('deals', 'Deal Name,Stage,Reason lost', ['A', ...cells])[0]
    expect(lost('Closed Lost', 'Price')).toMatchObject({ values: { lost_reason: 'Price' } })
    expect(lost('Demo', 'Price')).toEqual({
      values: { name: 'A', stage: 'Demo', kept_notes: ['Reason lost: Price'] },
    })
    // Whether the deal is lost, only the database knows.
    expect(lost('', 'Price')).toEqual({
      values: { name: 'A', lost_reason: 'Price', lost_note: 'Reason lost: Price' },
    })
  })

  test.each([
    ['Ada Lovelace (ada@example.com)', ['Ada', 'Lovelace', 'ada@example.com']],
    ['mailto:ada@example.com', [undefined, undefined, 'ada@example.com']],
    ['Ada Lovelace <ada@example.com>;', ['Ada', 'Lovelace', 'ada@example.com']],
    ['ada@example.com', [undefined, undefined, 'ada@example.com']],
    ['Lovelace, Ada', ['Ada', 'Lovelace', undefined]],
  ])('the contact %s', (contact, [first, last, email]) => {
    const [row] = read('deals', 'Deal Name,Associated Contact', ['A', contact])
    expect(row).toEqual({
      values: {
        name: 'A',
        ...(first ? { contact_first_name: first } : {}),
        ...(last ? { contact_last_name: last } : {}),
        ...(email ? { contact_email: email } : {}),
      },
    })
  })

  const person = (first_name: string, last_name: string, email: string) => ({
    first_name,
    last_name,
    email,
  })
  const ada = {
    contact_first_name: 'Ada',
    contact_last_name: 'Lovelace',
    contact_email: 'ada@example.com',
  }
  const bob = person('Bob', 'Byron', 'bob@example.com')

  test.each([
    ['one cell', 'Contact', ['Ada Lovelace <ada@example.com>; Bob Byron (bob@example.com)']],
    [
      'one cell of addresses',
      'Contact Email',
      ['Ada Lovelace <mailto:ada@example.com>, Bob Byron <bob@example.com>'],
    ],
    ['lines of a cell', 'Contact', ['Ada Lovelace (ada@example.com)\nBob Byron (bob@example.com)']],
    [
      'two cells that belong together',
      'Contact,Contact Email',
      ['Ada Lovelace; Bob Byron', 'ada@example.com; bob@example.com'],
    ],
    [
      'numbered columns',
      'Contact 1,Contact 2,Contact 1 Email,Contact 2 Email',
      ['Ada Lovelace', 'Bob Byron', 'ada@example.com', 'bob@example.com'],
    ],
    [
      'names in parts',
      'Contact First Name,Contact Last Name,Contact Email,Contact 2 First Name,Contact 2 Last Name,Contact 2 Email',
      ['Ada', 'Lovelace', 'ada@example.com', 'Bob', 'Byron', 'bob@example.com'],
    ],
    [
      'columns that repeat somebody',
      'Contact,Contact 2,Contact 3,Contact Email',
      ['Ada Lovelace', 'Bob Byron (bob@example.com)', 'ada lovelace', 'ada@example.com'],
    ],
    [
      'a name beside its parts',
      'Contact,Contact First Name,Contact Last Name,Contact Email',
      ['Dr. Ada Lovelace; Bob Byron <bob@example.com>', 'Ada', 'Lovelace', 'ada@example.com'],
    ],
  ])(
    'the first of several people is the main contact, and all are kept: %s',
    (_, columns, cells) => {
      expect(read('deals', `Deal Name,${columns}`, ['A', ...cells])).toEqual([
        { values: { name: 'A', ...ada, further_contacts: [bob] } },
      ])
    },
  )

  test('somebody without a name or an address is a contact too', () => {
    expect(read('deals', 'Deal Name,Contact Email', ['A', 'ada@example.com, Bob Byron'])).toEqual([
      {
        values: {
          name: 'A',
          contact_email: 'ada@example.com',
          further_contacts: [person('Bob', 'Byron', '')],
        },
      },
    ])
  })

  test('a second address of one person names nobody else', () => {
    const header = 'Deal Name,Person - Name,Person - Email 1,Person - Email 2'
    expect(mapColumns('deals', header.split(','), [['A', 'Ada', 'a@b.com', 'c@d.com']])).toEqual([
      'name',
      'contact',
      'contact_email',
      'contact: emails',
    ])
  })

  test('an address of a contact that is none becomes a note', () => {
    expect(
      read('deals', 'Deal Name,Contact Email', ['A', 'ada@example.com, bob@'], ['B', '@none']),
    ).toEqual([
      {
        values: {
          name: 'A',
          contact_email: 'ada@example.com',
          kept_notes: ['Contact Email: bob@'],
        },
      },
      { values: { name: 'B', kept_notes: ['Contact Email: @none'] } },
    ])
  })

  test.each([
    ['closedwon', 'Closed Won'],
    ['Closed-Lost', 'Closed Lost'],
    ['Won', 'Closed Won'],
    ['LOST', 'Closed Lost'],
    ['Gewonnen', 'Closed Won'],
    ['Closing', 'Closing'],
    ['Wonder', 'Wonder'],
    ['Constructor', 'Constructor'],
    ['No Stage', undefined],
    ['no stage', undefined],
  ])('the stage %s, in its own column or as the status', (word, stage) => {
    const isOutcome = stage?.startsWith('Closed')
    const closes = isOutcome ? { closes_at: '2026-02-03T12:00:00.000Z' } : {}
    const values = { name: 'A', ...(stage ? { stage } : {}), ...closes }
    expect(read('deals', 'Deal Name,Deal Stage', ['A', word])).toEqual([{ values }])
    expect(read('deals', 'Deal Name,Deal Status', ['A', word])).toEqual([
      {
        values: isOutcome
          ? values
          : { name: 'A', file_deal_status: word, kept_notes: [`Deal Status: ${word}`] },
      },
    ])
  })

  test('in our own file a stage is called what it is called, and nobody is called Unnamed', () => {
    const header = ['Deal', 'Stage', 'Contact']
    const plan = planImport('deals', mapColumns('deals', header), [], { isOwn: true })
    expect(importRow(['A', 'Won', 'Unnamed'], plan)).toEqual({
      values: { name: 'A', stage: 'Won' },
    })
    expect(importRow(['A', 'No Stage', 'Ada'], plan)).toEqual({
      values: { name: 'A', contact_first_name: 'Ada' },
    })
  })

  test('what cannot be read is told in words', () => {
    expect(
      read(
        'deals',
        header,
        ['', '5'],
        ['A', 'much'],
        ['A', '(5.00)'],
        ['A', '', '', '', '30.2.2026'],
        ['A', '', '', '', '1.1.1800'],
      ),
    ).toEqual([
      { problem: 'Deal Name is required.' },
      { problem: 'Value: "much" isn’t a number.' },
      { problem: 'Value: "(5.00)" is less than 0.' },
      { values: { name: 'A', kept_notes: ['Deal - Expected close date: 30.2.2026'] } },
      { values: { name: 'A', kept_notes: ['Deal - Expected close date: 1.1.1800'] } },
    ])
  })
})
