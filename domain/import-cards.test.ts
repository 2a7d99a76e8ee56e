import { expect, test } from 'vitest'
import { cardRows } from './import-cards.ts'
import { mapColumns } from './import-headers.ts'
import { unkept } from './import-keep.ts'
import { planImport } from './import-plan.ts'
import { importRow } from './import-rows.ts'
import { isCards } from './import-text.ts'
import { vcards } from './vcard.ts'

/** The cards as records of what each column says. */
function read(text: string) {
  const [header, ...rows] = cardRows(text.replaceAll('\n', '\r\n'))
  return rows.map(({ cells, problem }) =>
    problem
      ? { problem, name: cells[0] }
      : Object.fromEntries(
          cells.flatMap((cell, place) => (cell ? [[header?.cells[place] ?? '', cell]] : [])),
        ),
  )
}

const apple = `BEGIN:VCARD
VERSION:3.0
PRODID:-//Apple Inc.//macOS 14.1//EN
N:Apple;Tim;J;Dr.;PhD
FN:Dr. Tim J Apple PhD
NICKNAME:Timmy
ORG:Orchard\\; Sons;Pies;
TITLE:Baker
EMAIL;type=INTERNET;type=HOME;type=pref:tim@home.example
item1.EMAIL;type=INTERNET:tim@work.example
item1.X-ABLabel:Side job
TEL;type=CELL;type=VOICE;type=pref:+1 408 555 0111
item2.ADR;type=WORK;type=pref:;Floor 2;1 Loop;Cupertino;CA;95014;USA
item2.X-ABADR:us
item3.URL;type=pref:https\\://orchard.example
item3.X-ABLabel:_$!<HomePage>!$_
BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-13
NOTE:Bakes\\, a lot.\\nAt night\\; never
 by day.
CATEGORIES:friends,bakers
PHOTO;ENCODING=b;TYPE=JPEG:AAAA
 BBBB
X-SOCIALPROFILE;type=twitter:http://twitter.com/tim
X-PHONETIC-FIRST-NAME:Tihm
END:VCARD
`

test('a card of Apple: groups, own labels, a birthday without a year, folded lines', () => {
  expect(read(apple)).toEqual([
    {
      'First Name': 'Tim',
      'Middle Name': 'J',
      'Last Name': 'Apple',
      'Name Prefix': 'Dr.',
      'Name Suffix': 'PhD',
      Nickname: 'Timmy',
      Company: 'Orchard; Sons',
      Department: 'Pies',
      'Job Title': 'Baker',
      'Email 1 - Label': 'home',
      'Email 1 - Value': 'tim@home.example',
      'Email 2 - Label': 'Side job',
      'Email 2 - Value': 'tim@work.example',
      'Phone 1 - Label': 'mobile',
      'Phone 1 - Value': '+1 408 555 0111',
      'Address 1 - Label': 'work',
      'Address 1 - Street': '1 Loop, Floor 2',
      'Address 1 - City': 'Cupertino',
      'Address 1 - Region': 'CA',
      'Address 1 - Postal Code': '95014',
      'Address 1 - Country': 'USA',
      'Website 1 - Label': 'HomePage',
      'Website 1 - Value': 'https://orchard.example',
      'Website 2 - Label': 'twitter',
      'Website 2 - Value': 'http://twitter.com/tim',
      Birthday: '--05-13',
      Notes: 'Bakes, a lot.\nAt night; neverby day.',
      Tags: 'friends; bakers',
      Photo: unkept,
      'Phonetic first name': 'Tihm',
    },
  ])
})

test('several cards, as Google and Thunderbird write them in 3.0 and 4.0', () => {
  const cards = `BEGIN:VCARD
VERSION:3.0
FN:Zoë Ångström
N:Ångström;Zoë;;;
EMAIL;TYPE=INTERNET;TYPE=WORK:zoe@fjord.example
TEL;TYPE=CELL:+47 22 11 00 99
BDAY:19900503
PHOTO:https://lh3.example/zoe.jpg
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Navy
ORG:Navy
EMAIL;PREF=1;TYPE="work,home":grace@navy.example
TEL;VALUE=uri;TYPE=cell:tel:+1-202-555-0100
BDAY;VALUE=DATE:19061209
ANNIVERSARY:--0503
RELATED;TYPE=spouse;VALUE=text:Vincent
UID:urn:uuid:1
END:VCARD
`
  expect(read(cards)).toEqual([
    {
      'First Name': 'Zoë',
      'Last Name': 'Ångström',
      'Email 1 - Label': 'work',
      'Email 1 - Value': 'zoe@fjord.example',
      'Phone 1 - Label': 'mobile',
      'Phone 1 - Value': '+47 22 11 00 99',
      Birthday: '1990-05-03',
      Photo: 'https://lh3.example/zoe.jpg',
    },
    {
      'Full Name': 'Navy',
      Company: 'Navy',
      'Email 1 - Label': 'work, home',
      'Email 1 - Value': 'grace@navy.example',
      'Phone 1 - Label': 'mobile',
      'Phone 1 - Value': '+1-202-555-0100',
      Birthday: '1906-12-09',
      Anniversary: '--05-03',
      'Related (spouse)': 'Vincent',
    },
  ])
})

test('a card that cannot be read is told, and those after it are read', () => {
  const good = 'BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nEND:VCARD\n'
  const broken = 'BEGIN:VCARD\nVERSION:3.0\nFN:Broken\nno property at all\nEND:VCARD\n'
  expect(read(`${broken}${good}`)).toEqual([
    { name: 'Broken', problem: 'This card can’t be read.' },
    { 'Full Name': 'Ada' },
  ])
})

const oldPhone = `BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;Dr.;
FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Dr. J=C3=BCrgen M=C3=
=BCller
TEL;CELL;VOICE:+49 170 1234567
TEL;WORK;FAX:+49 30 1234
TEL;TYPE=HOME:+49 30 9999
EMAIL;INTERNET;PREF:juergen@example.com
ADR;HOME;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:;;Stra=C3=9Fe 1, Hof;K=C3=B6ln;;50667;Germany
ORG:Werk, Kern & Co.;Einkauf
NOTE;ENCODING=QUOTED-PRINTABLE:Met in Oslo, twice;=0D=0A=
likes =3D signs \\o/
CATEGORIES:Friends,Bakers
BDAY:19700513
PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD
 2wBDAAMCAgMCAgMDAwMEAwME

END:VCARD
`

test('cards of version 2.1, as old phones write them', () => {
  expect(read(oldPhone)).toEqual([
    {
      'First Name': 'Jürgen',
      'Last Name': 'Müller',
      'Name Prefix': 'Dr.',
      Company: 'Werk, Kern & Co.',
      Department: 'Einkauf',
      'Email 1 - Value': 'juergen@example.com',
      'Phone 1 - Label': 'mobile',
      'Phone 1 - Value': '+49 170 1234567',
      'Phone 2 - Label': 'work, fax',
      'Phone 2 - Value': '+49 30 1234',
      'Phone 3 - Label': 'home',
      'Phone 3 - Value': '+49 30 9999',
      'Address 1 - Label': 'home',
      'Address 1 - Street': 'Straße 1, Hof',
      'Address 1 - City': 'Köln',
      'Address 1 - Postal Code': '50667',
      'Address 1 - Country': 'Germany',
      Birthday: '1970-05-13',
      Tags: 'Friends; Bakers',
      Notes: 'Met in Oslo, twice;\nlikes = signs \\o/',
      Photo: unkept,
    },
  ])
})

test('what else cards of version 2.1 hold', () => {
  const card = (...lines: string[]) => `BEGIN:VCARD\n${lines.join('\n')}\nEND:VCARD\n`
  expect(
    read(
      [
        // Another character set, and the reading of a Japanese name.
        card(
          'VERSION:2.1',
          'N;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=8ER=93c;=91=BE=98Y;;;',
          'SOUND;X-IRMC-N;CHARSET=SHIFT_JIS;ENCODING=QUOTED-PRINTABLE:=D4=CF=C0=DE;=C0=DB=B3;;;',
        ),
        // Neither character set nor the name of the encoding is told.
        card('VERSION:2.1', 'N;QUOTED-PRINTABLE:Garc=EDa;Jos=E9', 'TEL;CELL:1'),
        // A text in base64, a picture without an indent, and a reading that says nothing.
        card(
          'VERSION:2.1',
          'N:Hopper;Grace',
          'PHOTO;JPEG;BASE64:R0lGODlhAQ',
          'ABAIAAAAAAAP//',
          '',
          'SOUND;X-IRMC-N:;;;;',
          'NOTE;BASE64:R3LDvMOfZQ==',
          'TITLE:Rear admiral of the',
          '  navy',
        ),
        // A later number with the encoding of the old one.
        card('VERSION:3.0', 'FN;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Zo=C3=AB'),
      ].join(''),
    ),
  ).toEqual([
    { 'First Name': '太郎', 'Last Name': '山田', 'Phonetic name': 'ﾔﾏﾀﾞ ﾀﾛｳ' },
    {
      'First Name': 'José',
      'Last Name': 'García',
      'Phone 1 - Label': 'mobile',
      'Phone 1 - Value': '1',
    },
    {
      'First Name': 'Grace',
      'Last Name': 'Hopper',
      'Job Title': 'Rear admiral of the  navy',
      Notes: 'Grüße',
      Photo: unkept,
    },
    { 'Full Name': 'Zoë' },
  ])
})

test('cards are known by their beginning, and their columns by the names that files have', () => {
  expect(isCards(`\uFEFF\n${apple}`)).toBe(true)
  expect(isCards('Name,Note\nAda,BEGIN:VCARD')).toBe(false)
  const [header] = cardRows(apple)
  const mapping = mapColumns('contacts', header?.cells ?? [])
  const mapped = Object.fromEntries(
    (header?.cells ?? []).flatMap((name, place) =>
      mapping[place] ? [[name, mapping[place]]] : [],
    ),
  )
  expect(mapped).toMatchObject({
    'First Name': 'first_name',
    'Last Name': 'last_name',
    Nickname: 'nickname',
    Company: 'company',
    'Job Title': 'role_title',
    'Email 1 - Value': 'email',
    'Email 2 - Value': 'email',
    'Phone 1 - Value': 'phone_number',
    Tags: 'tags',
    Notes: 'notes',
  })
})

/** What the first card says, as an import stores it. */
function contactIn(cards: string): unknown {
  const [header, ...rows] = cardRows(cards).map(({ cells }) => cells)
  const columns = header ?? []
  const plan = planImport('contacts', mapColumns('contacts', columns, rows), rows, { columns })
  return importRow(rows[0] ?? [], plan)
}

test('a card fills the lists, the middle name, the birthday and the tags of a contact', () => {
  expect(contactIn(apple)).toMatchObject({
    values: {
      middle_name: 'J',
      birthday: '--05-13',
      tags: ['friends', 'bakers'],
      email: 'tim@home.example',
      emails: [
        { label: 'home', value: 'tim@home.example' },
        { label: 'Side job', value: 'tim@work.example' },
      ],
      phones: [{ label: 'mobile', value: '+1 408 555 0111' }],
      addresses: [
        {
          label: 'work',
          street: '1 Loop, Floor 2',
          city: 'Cupertino',
          region: 'CA',
          postal_code: '95014',
          country: 'USA',
        },
      ],
      links: [
        { label: 'HomePage', value: 'https://orchard.example' },
        { label: 'twitter', value: 'http://twitter.com/tim' },
      ],
    },
  })
})

test('a card of ours is read as it was written', () => {
  const ada = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    middle_name: 'Augusta',
    nickname: 'Countess',
    email: 'ada@example.com',
    phone_number: '+44 20 1234',
    role_title: 'Analyst',
    birthday: '--12-10',
    notes: 'Met',
    emails: [
      { label: 'work', value: 'ada@example.com' },
      { label: 'My, own; word', value: 'ada@home.example' },
    ],
    phones: [
      { label: '', value: '+44 20 1234' },
      { label: 'mobile', value: '+44 20 5678' },
      { label: 'other', value: '+44 20 9999' },
    ],
    links: [{ label: 'LinkedIn', value: 'https://linkedin.com/in/ada' }],
    addresses: [
      {
        city: 'London',
        label: 'home',
        region: '',
        street: '12 St James’s Square',
        country: 'UK',
        postal_code: 'SW1Y',
      },
    ],
  }
  expect(contactIn(vcards([{ ...ada, company_name: 'Engines' }]))).toEqual({
    values: { ...ada, company: 'Engines' },
  })
})
