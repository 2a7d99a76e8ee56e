import { expect, test } from 'vitest'
import { allFieldsCsv } from '#domain/all-fields-csv.ts'
import { aboveWords } from '#domain/import-column-words.ts'
import type { TextEncoding } from '#domain/import-text.ts'
import { createFileSession, type Opened } from './file-session.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** The simulated page's files cannot be read; this one can. */
function file(content: Uint8Array<ArrayBuffer>): File {
  return Object.assign(new File([content], 'x.csv'), {
    arrayBuffer: async () => content.buffer.slice(0),
  })
}

async function problemOf(source: File | string): Promise<string> {
  const opened = await createFileSession().open(source)
  return 'problem' in opened ? opened.problem : ''
}

async function open(text: string): Promise<[ReturnType<typeof createFileSession>, Opened]> {
  const session = createFileSession()
  const opened = await session.open(text)
  if ('problem' in opened) throw new Error(opened.problem)
  return [session, opened]
}

test('a file of 200 MB is refused before it is read', async () => {
  const large = new File(['x'], 'large.csv')
  Object.defineProperty(large, 'size', { value: 200 * 1024 * 1024 })
  Object.assign(large, { arrayBuffer: () => expect.unreachable('It must not be read.') })
  expect(await problemOf(large)).toBe(
    'This file is 200 MB. The limit is 50 MB: split it into smaller files.',
  )
})

test('a file that changed after it was chosen is told', async () => {
  const changed = Object.assign(new File(['a,b\n1,2'], 'x.csv'), {
    arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')),
  })
  expect(await problemOf(changed)).toMatch(/^This file can’t be read\. It may have been changed/)
})

test.each([
  ['nothing', new Uint8Array(0), 'This file is empty.'],
  ['spaces', bytes(' \r\n \r\n'), 'It’s empty.'],
  [
    'a picture',
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 1, 2, 3]),
    'This file has no text. Choose a CSV file, an Excel file (.xlsx) or a vCard.',
  ],
  [
    'a workbook',
    new Uint8Array([0x50, 0x4b, 3, 4, 0x14, 0, 6, 0, 8, 0, 0, 0, 0x21, 0]),
    'This workbook is damaged. Open it in Excel, save it again and choose that file.',
  ],
  ['a header', bytes('First Name,Email\n'), 'This has a header but no rows.'],
  [
    'more rows than fit',
    bytes(`Email\n${'x\n'.repeat(200_200)}`),
    'This has 200,202 rows. The limit is 200,000 rows: split it into smaller files.',
  ],
  [
    'rows without end',
    bytes(`Email\n${'x,'.repeat(1001)}`),
    'A row has more than 1,000 cells. Is this a CSV file?',
  ],
])('%s is told in words', async (_name, content, words) => {
  expect(await problemOf(file(content))).toBe(words)
})

test('a stray quotation mark swallows no row: it is read as it stands, or its row is told', async () => {
  const [session, { interpretation }] = await open(
    'First Name,Email,Notes\nAda,a@x.com,"two\nlines"\n"Bob" Babbage,b@x.com,\nDee,"d@x.com,x\nCy,c@x.com,"say ""hi"""\n',
  )
  expect(interpretation.rowCount).toBe(4)
  expect(await session.part(interpretation.plan, 0)).toEqual([
    { place: 2, reported: { first_name: 'Ada', email: 'a@x.com', notes: 'two\nlines' } },
    { place: 3, reported: { first_name: '"Bob" Babbage', email: 'b@x.com' } },
    {
      place: 4,
      reported: { text: 'Dee · "d@x.com · x' },
      problem: 'A quotation mark in this row is never closed.',
    },
    { place: 5, reported: { first_name: 'Cy', email: 'c@x.com', notes: 'say "hi"' } },
  ])
})

test('a stray quotation mark inside a name is part of it', async () => {
  const [session, { interpretation }] = await open(
    'First Name,Email\n"Bob" Babbage,b@x.com\nBob "the builder" Smith,s@x.com\nCy,c@x.com\n',
  )
  expect(await session.part(interpretation.plan, 0)).toMatchObject([
    { place: 2, reported: { first_name: '"Bob" Babbage', email: 'b@x.com' } },
    { place: 3, reported: { first_name: 'Bob "the builder" Smith', email: 's@x.com' } },
    { place: 4, reported: { first_name: 'Cy', email: 'c@x.com' } },
  ])
})

test('footers of a report are left out, counted and kept to be told', async () => {
  const [session, { interpretation }] = await open(
    'First Name,Email\nAda,a@x.com\nBob,b@x.com\nGrand Totals (2 records),\n\nMy Contacts\nCopyright (c) 2000-2026 salesforce.com, inc.\n',
  )
  expect(interpretation.rowCount).toBe(2)
  expect(interpretation.footers).toEqual([
    { place: 4, text: 'Grand Totals (2 records)', isKept: false },
    { place: 6, text: 'My Contacts', isKept: false },
    { place: 7, text: 'Copyright (c) 2000-2026 salesforce.com · inc.', isKept: false },
  ])
  expect(await session.part(interpretation.plan, 0)).toHaveLength(2)
  // Whoever is called so is kept where the user says so.
  const { plan, rowCount, footers } = await session.interpretRows({ keptLines: [6] })
  expect({ rowCount, kept: footers.map(({ isKept }) => isKept) }).toEqual({
    rowCount: 3,
    kept: [false, true, false],
  })
  expect((await session.part(plan, 0)).at(-1)).toEqual({
    place: 6,
    reported: { first_name: 'My Contacts' },
  })
  expect(await problemOf('First Name,Email\nGrand Totals (0 records)\n')).toBe(
    'This has a header but no rows.',
  )
})

test('without a header the first line is a row, and columns are called by their number', async () => {
  const [session, { interpretation }] = await open('Ada,ada@example.com\nBob,bob@example.com\n')
  expect(interpretation).toMatchObject({ headerRow: 0, rowCount: 2 })
  expect(interpretation.columns.map(({ name }) => name)).toEqual(['Column 1', 'Column 2'])
  const mapping = ['first_name', 'email']
  const { plan } = await session.interpretRows({ headerRow: 0, mapping })
  expect(await session.part(plan, 0)).toEqual([
    { place: 1, reported: { first_name: 'Ada', email: 'ada@example.com' } },
    { place: 2, reported: { first_name: 'Bob', email: 'bob@example.com' } },
  ])
})

test('a NUL byte is no letter, and the file is read', async () => {
  const session = createFileSession()
  const opened = await session.open(file(bytes('First Name,Email\nA\0da,a@x.com\n')))
  if ('problem' in opened) throw new Error(opened.problem)
  expect(await session.part(opened.interpretation.plan, 0)).toMatchObject([
    { reported: { first_name: 'Ada' } },
  ])
})

const inHex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

test.each([
  [
    'Windows-1250',
    'windows-1250',
    '496d69ea2c4e617a7769736b6f0aa3756b61737a2caff3b3e60a4d61b3676f727a6174612c57699c6e696577736b610a5a6269676e6965772c44b962726f77736b690a',
    'Wiśniewska',
  ],
  [
    'Windows-1251',
    'windows-1251',
    '4e616d652c456d61696c0ac8e2e0ed20cfe5f2f0eee22c6976616e406578616d706c652e636f6d0a',
    'Иван Петров',
  ],
  [
    'Shift-JIS',
    'shift_jis',
    '4e616d652c456d61696c0a8e52936391be98592c79616d616461406578616d706c652e6a700a97e996d889d48e712c73757a756b69406578616d706c652e6a700a',
    '鈴木花子',
  ],
  [
    'GBK',
    'gbk',
    '4e616d652c456d61696c0acdf5d0a1c3f72c77616e67406578616d706c652e636f6d0ad5c5ceb02c7a68616e67406578616d706c652e636f6d0a',
    '王小明',
  ],
  [
    'Windows-1252',
    'windows-1252',
    '566f726e616d652c4e6163686e616d650a4afc7267656e2c4dfc6c6c65720a42e47262656c2c576569df0a',
    'Jürgen',
  ],
])('%s is guessed', async (_name, encoding, hex, sample) => {
  const opened = await createFileSession().open(file(inHex(hex)))
  if ('problem' in opened) throw new Error(opened.problem)
  expect(opened.form).toMatchObject({ encoding })
  const samples = opened.interpretation.columns.flatMap((column) => column.samples)
  expect(samples).toContain(sample)
})

test('a guess of the encoding can be corrected, and the samples change', async () => {
  // 'Łukasz Wójcik' alone could be in any encoding.
  const session = createFileSession()
  await session.open(
    file(inHex('4e616d652c456d61696c0aa3756b61737a2057f36a63696b2c6c40782e636f6d0a')),
  )
  const samplesIn = async (encoding: TextEncoding) => {
    const read = await session.reread({ encoding })
    return 'problem' in read ? [] : read.interpretation.columns[0]?.samples
  }
  expect(await samplesIn('windows-1250')).toEqual(['Łukasz Wójcik'])
  expect(await samplesIn('windows-1252')).toEqual(['£ukasz Wójcik'])
})

test('pipes part the cells', async () => {
  const [session, { form, interpretation }] = await open(
    'First Name|Email|Notes\nAda|a@x.com|"one | two"\n"Bob" B|b@x.com|x, y\n',
  )
  expect(form).toMatchObject({ delimiter: '|' })
  expect(await session.part(interpretation.plan, 0)).toMatchObject([
    { reported: { first_name: 'Ada', email: 'a@x.com', notes: 'one | two' } },
    { reported: { first_name: '"Bob" B', email: 'b@x.com', notes: 'x, y' } },
  ])
})

test("an apostrophe before a formula is taken off in our own files, and is somebody's in others", async () => {
  const own = 'First Name,Last Name,Email,Phone,Role,Lead Status,Notes,Created At'
  const [session, { interpretation }] = await open(`${own}\n'=1,''=2,,,,New,"'tis",`)
  expect(await session.part(interpretation.plan, 0)).toMatchObject([
    { reported: { first_name: '=1', last_name: "'=2", notes: "'tis" } },
  ])
  // Saved again as rejected, the values are marked anew.
  expect((await session.original([2])).rows[0]?.slice(0, 2)).toEqual(['=1', "'=2"])
  const [foreign, opened] = await open("First Name,Notes\n'=1,'+x\n")
  expect(await foreign.part(opened.interpretation.plan, 0)).toMatchObject([
    { reported: { first_name: "'=1", notes: "'+x" } },
  ])
})

test("rows of another program that were rejected keep its words: 'Won' is Closed Won there, and a stage of ours here", async () => {
  const stageIn = async (text: string) => {
    const [session, { interpretation }] = await open(text)
    const [row] = await session.part(interpretation.plan, 0)
    return row?.reported.stage
  }
  expect(
    await stageIn('Reason,Deal Name,Deal Stage,Won time\nToo long.,Order,Won,2026-01-02\n'),
  ).toBe('Closed Won')
  expect(await stageIn('Reason,Deal,Stage,Potential value\nToo long.,Order,Won,5\n')).toBe('Won')
})

test('the lead statuses that are not ours are counted over the whole file', async () => {
  const [, { interpretation }] = await open('First Name,Lead Status\nA,Hot\nB,New\nC,Hot\nD,OPEN\n')
  expect(interpretation.statusChanges).toEqual([
    { word: 'Hot', becomes: null, rows: 2 },
    { word: 'OPEN', becomes: 'New', rows: 1 },
  ])
})

test('500 columns are read, and those that are known are mapped', async () => {
  const names = Array.from({ length: 500 }, (_, n) => (n === 321 ? 'Email' : `Field ${n}`))
  const [, { interpretation }] = await open(`${names.join()}\n${names.map(() => 'a@x.com').join()}`)
  expect(interpretation.columns).toHaveLength(500)
  expect(interpretation.plan.mapping.indexOf('email')).toBe(321)
})

test('one column is enough', async () => {
  const [session, { interpretation }] = await open('Email\nada@example.com\n')
  expect(await session.part(interpretation.plan, 0)).toEqual([
    { place: 2, reported: { email: 'ada@example.com' } },
  ])
})

test('ragged rows: short ones are read, long ones told, each by its number in the file', async () => {
  const [session, { interpretation }] = await open(
    'First Name,Last Name\nAda\n\nBob,B,extra\nCy,C\n',
  )
  expect(interpretation.rowCount).toBe(3)
  expect(await session.part(interpretation.plan, 0)).toEqual([
    { place: 2, reported: { first_name: 'Ada' } },
    {
      place: 4,
      reported: { text: 'Bob · B · extra' },
      problem: 'The row has 3 cells, but the header has 2.',
    },
    { place: 5, reported: { first_name: 'Cy', last_name: 'C' } },
  ])
  expect(await session.original([4])).toEqual({
    header: ['First Name', 'Last Name'],
    rows: [['Bob', 'B', 'extra']],
  })
})

test('a line that only names the delimiter is obeyed and left out', async () => {
  const [, { form, interpretation }] = await open('sep=;\nFirst Name;Notes\nAda;a, b, c\n')
  expect(form).toMatchObject({ delimiter: ';' })
  expect(interpretation.plan.mapping).toEqual(['first_name', 'notes'])
})

test('what the user knows better counts: delimiter, header row, kind, columns', async () => {
  const [session, { interpretation }] = await open('x,y\nAcme;a,b\nZeta;c,d\n')
  expect(interpretation.columns.map(({ name }) => name)).toEqual(['x', 'y'])
  expect(await session.reread({ delimiter: ';' })).toMatchObject({ form: { delimiter: ';' } })
  const overrides = { headerRow: 0, kind: 'companies', mapping: [null, 'name'] } as const
  await session.reread({ delimiter: ',' })
  const again = await session.interpretRows({ ...overrides, mapping: ['name', null] })
  expect(again).toMatchObject({ headerRow: 0, rowCount: 3, plan: { kind: 'companies' } })
  expect(again.columns.map(({ name }) => name)).toEqual(['Column 1', 'Column 2'])
  expect(await session.part(again.plan, 2)).toEqual([{ place: 3, reported: { name: 'Zeta;c' } }])
})

test('parts hold two thousand rows, or as many as one request may carry', async () => {
  const many = Array.from({ length: 4500 }, (_, n) => `p${n}@example.com`)
  const [session, { interpretation }] = await open(`Email\n${many.join('\n')}`)
  const sizes = [0, 2000, 4000, 4500].map(async (from) => {
    return (await session.part(interpretation.plan, from)).length
  })
  expect(await Promise.all(sizes)).toEqual([2000, 2000, 500, 0])
  const long = `First Name,Notes\n${`Ada,${'x'.repeat(40_000)}\n`.repeat(60)}`
  const [second, opened] = await open(long)
  expect((await second.part(opened.interpretation.plan, 0)).length).toBe(25)
})

test('the order of day and month that was chosen stays while the dates leave it open', async () => {
  const [session] = await open('Email,Created At,Other\na@x.com,03/04/2026,31/12/2025\n')
  const kind = 'contacts'
  const one = await session.interpretRows({ kind, mapping: ['email', 'created_at', null] })
  const other = one.plan.dayOrder === 'day first' ? 'month first' : 'day first'
  const chosen = { kind, dayOrder: other } as const
  const again = await session.interpretRows({ ...chosen, mapping: [null, 'created_at', null] })
  expect(again.plan.dayOrder).toBe(other)
  const plain = { kind, dayOrder: 'month first', mapping: [null, null, 'created_at'] } as const
  expect(
    (await session.interpretRows({ ...plain, mapping: [...plain.mapping] })).plan.dayOrder,
  ).toBe('day first')
})

test('cards are contacts, from a file and pasted; a picture is left out on purpose', async () => {
  const cards = `BEGIN:VCARD
VERSION:3.0
N:Lovelace;Ada;;;
EMAIL;TYPE=WORK:ada@example.com
EMAIL;TYPE=HOME:ada@home.example
PHOTO;ENCODING=b:AAAA
X-SHOE-SIZE:38
END:VCARD
BEGIN:VCARD
nonsense
END:VCARD
`
  for (const source of [cards, new File([cards], 'people.vcf')]) {
    const session = createFileSession()
    const opened = await session.open(source)
    if ('problem' in opened) throw new Error(opened.problem)
    const { plan, columns } = opened.interpretation
    expect(opened.form).toEqual(
      typeof source === 'string' ? { is: 'cards' } : { is: 'cards', encoding: 'utf-8' },
    )
    expect(
      columns.filter((_, place) => plan.mapping[place] === null).map(({ name }) => name),
    ).toEqual(['Photo'])
    const [size] = plan.own
    expect(size).toMatchObject({ name: 'Shoe size', kind: 'number', isNew: true })
    expect(await session.part(plan, 0)).toEqual([
      {
        place: 2,
        reported: {
          first_name: 'Ada',
          last_name: 'Lovelace',
          email: 'ada@example.com',
          emails: [
            { label: 'work', value: 'ada@example.com' },
            { label: 'home', value: 'ada@home.example' },
          ],
          custom: { [size?.id ?? '']: 38 },
        },
      },
      { place: 3, reported: { text: expect.any(String) }, problem: 'This card can’t be read.' },
    ])
  }
})

test('cards in another encoding are guessed as files of rows are, and can be read in one that is chosen', async () => {
  const cards = [
    ['Müller', 'Jörg', 'Straße'],
    ['Grün', 'Käthe', 'Gänsemarkt'],
  ].map(
    ([last, first, street]) =>
      `BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=windows-1252:${last};${first}\r\nADR:;;${street};Köln\r\nEND:VCARD\r\n`,
  )
  // Each of these letters is one byte of the same number.
  const bytes = Uint8Array.from(cards.join(''), (letter) => letter.charCodeAt(0))
  const session = createFileSession()
  const opened = await session.open(new File([bytes], 'outlook.vcf'))
  if ('problem' in opened) throw new Error(opened.problem)
  expect(opened.form).toEqual({ is: 'cards', encoding: 'windows-1252' })
  const [row] = await session.part(opened.interpretation.plan, 0)
  expect(row?.reported).toMatchObject({ first_name: 'Jörg', last_name: 'Müller' })
  const again = await session.reread({ encoding: 'windows-1251' })
  if ('problem' in again) throw new Error(again.problem)
  const [other] = await session.part(again.interpretation.plan, 0)
  expect(other?.reported).toMatchObject({ last_name: 'Mьller' })
})

test('cards in Cyrillic letters are read as such without a word', async () => {
  const card = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Иван Петров\r\nORG:Мельница\r\nEND:VCARD\r\n'
  // From А on, Windows-1251 has the letters in the order of Unicode.
  const inWindows1251 = (letter: string) => letter.charCodeAt(0) - (letter > 'z' ? 0x410 - 0xc0 : 0)
  const opened = await createFileSession().open(file(Uint8Array.from(card, inWindows1251)))
  if ('problem' in opened) throw new Error(opened.problem)
  expect(opened.form).toEqual({ is: 'cards', encoding: 'windows-1251' })
  expect(opened.interpretation.columns.flatMap(({ samples }) => samples)).toContain('Мельница')
})

test('times without a zone are of the account’s clock', async () => {
  const home = { timeZone: 'Asia/Tokyo', currency: 'EUR' }
  const session = createFileSession()
  const opened = await session.open('Email,Created At\na@x.com,2026-03-31 20:00\n', [], home)
  if ('problem' in opened) throw new Error(opened.problem)
  const [row] = await session.part(opened.interpretation.plan, 0)
  expect(row?.reported).toMatchObject({ created_at: '2026-03-31T11:00:00.000Z' })
})

test('lines above a header are told', async () => {
  const [, { interpretation }] = await open(
    'Report of May;\n;\nFor Ada;\nName;Email\nA B;a@x.com\n',
  )
  expect(interpretation.above).toEqual(['Report of May', 'For Ada'])
  expect(aboveWords(interpretation.above)).toBe(
    'Not imported, above the header: “Report of May” and 1 more line.',
  )
  expect(aboveWords([])).toBeNull()
})

/** A record in a file with all fields, and what an import reads of it. */
async function exportedAndRead(kind: 'contacts' | 'companies', record: object) {
  const { header, row } = allFieldsCsv(kind, {})
  const quoted = [header, row(record)].map((cells) =>
    cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(),
  )
  const [session, { interpretation }] = await open(quoted.join('\r\n'))
  expect(interpretation.plan.kind).toBe(kind)
  const [sent] = await session.part(interpretation.plan, 0)
  return sent?.reported
}

test('a file with all fields of ours is read as it was written, lists and signs of formulas too', async () => {
  const lists = {
    emails: [
      { label: 'work', value: 'ada@example.com' },
      { label: '', value: 'ada@home.example' },
    ],
    phones: [
      { label: 'mobile', value: '+44 (20) 1234' },
      { label: 'My desk', value: '+44 20 5678' },
    ],
    addresses: [
      {
        city: 'London',
        label: 'home',
        region: '',
        street: '=12 Square',
        country: 'UK',
        postal_code: '',
      },
    ],
  }
  const links = [{ label: 'Blog', value: 'https://ada.example/a_(b)' }]
  const name = { first_name: 'Ada', middle_name: 'Augusta', last_name: 'Lovelace' }
  const ada = { ...name, email: 'ada@example.com', phone_number: '+44 (20) 1234' }
  expect(await exportedAndRead('contacts', { ...ada, ...lists, links })).toEqual({
    ...ada,
    ...lists,
    links,
  })
  const acme = { name: 'Acme', website: 'https://acme.example', industry: 'Engines' }
  expect(await exportedAndRead('companies', { ...acme, ...lists })).toEqual({ ...acme, ...lists })
})
