import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import type { OwnField } from './fields/own.ts'
import { cardRows } from './import-cards.ts'
import { mapColumns } from './import-headers.ts'
import { type CardContact, vcardName, vcards } from './vcard.ts'

const nothing: CardContact = {
  first_name: null,
  last_name: null,
  nickname: null,
  birthday: null,
  email: null,
  phone_number: null,
  role_title: null,
  company_name: null,
  notes: null,
}

const ada: CardContact = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  nickname: 'Countess',
  birthday: '1990-05-03',
  email: 'ada@example.com',
  phone_number: '+44 20 1234',
  role_title: 'Analyst',
  company_name: 'Analytical Engines',
  notes: 'Met at the fair',
}

/** The contacts of a file, as another program reads them. */
function readBack(text: string): CardContact[] {
  const read: unknown = ICAL.parse(text)
  const cards = Array.isArray(read) && Array.isArray(read[0]) ? read : [read]
  return cards.map((jCard) => {
    const card = new ICAL.Component(jCard)
    const text = (name: string) => String(card.getFirstPropertyValue(name) ?? '') || null
    const [last, first] = [card.getFirstPropertyValue('n')].flat()
    return {
      first_name: String(first) || null,
      last_name: String(last) || null,
      nickname: text('nickname'),
      birthday: text('bday'),
      email: text('email'),
      phone_number: text('tel'),
      role_title: text('title'),
      company_name: text('org'),
      notes: text('note'),
    }
  })
}

test('a contact as a vCard 3.0', () => {
  expect(vcards([ada])).toBe(
    [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:Lovelace;Ada;;;',
      'FN:Ada Lovelace',
      'NICKNAME:Countess',
      'ORG:Analytical Engines',
      'TITLE:Analyst',
      'BDAY:1990-05-03',
      'EMAIL;TYPE=INTERNET:ada@example.com',
      'TEL;TYPE=VOICE:+44 20 1234',
      'NOTE:Met at the fair',
      'END:VCARD',
      '',
    ].join('\r\n'),
  )
})

describe('every field reads back equal', () => {
  const filledWith = (text: string): CardContact => ({
    first_name: `${text} first`,
    last_name: `${text} last`,
    nickname: `${text} nick`,
    birthday: '--05-03',
    email: `${text}@example.com`,
    phone_number: '+44 (20) 12-34',
    role_title: `${text} role`,
    company_name: `${text} company`,
    notes: `${text} notes`,
  })

  test.each([
    ['plain', 'x'],
    ['commas', 'a,b, c,'],
    ['semicolons', 'a;b; c;'],
    ['colons, quotes and equals signs', 'a:b"c"=d'],
    ['backslashes', 'a\\b\\n\\,\\;\\\\'],
    ['line breaks', 'one\n\ntwo\nEND:VCARD\n three'],
    ['emoji', '👩‍💻🇩🇪'],
    ['right to left', 'أدا لوفلايس עדה'],
    ['several scripts', '山田 Żółć Zoë'],
    ['carets', "a^n^^^'b"],
    ['a long text', 'Zoë, 山田; 👩‍💻 '.repeat(60)],
  ])('%s', (_, text) => {
    const contact = filledWith(text)
    expect(readBack(vcards([contact]))).toEqual([contact])
  })

  test('line breaks of Windows and of old Macs become line feeds', () => {
    const text = vcards([{ ...ada, notes: 'one\r\ntwo\rthree' }])
    expect(text.replaceAll('\r\n', '')).not.toContain('\r')
    expect(readBack(text)).toEqual([{ ...ada, notes: 'one\ntwo\nthree' }])
  })

  test('a phone number with pauses and an extension; one with a line break ends no line', () => {
    const text = vcards([
      { ...ada, phone_number: '+1 23,4;5' },
      { ...ada, phone_number: '1\\2\r\nEND:VCARD' },
    ])
    const phones = readBack(text).map(({ phone_number }) => phone_number)
    expect(phones).toEqual(['+1 23,4;5', '1 2 END:VCARD'])
  })

  test('several contacts, in their order; what is missing stays missing', () => {
    const contacts = [ada, { ...nothing, email: 'x@example.com' }, filledWith('b')]
    expect(readBack(vcards(contacts))).toEqual(contacts)
  })
})

test('files of parts written one after the other read as one', () => {
  expect(vcards([])).toBe('')
  expect(readBack(vcards([ada]) + vcards([]) + vcards([ada, ada]))).toEqual([ada, ada, ada])
})

test('no line is longer than 75 octets, and no character is cut', () => {
  for (const unit of ['a', 'é', '山', '👩', 'a👩', 'aé山👩,']) {
    for (const line of vcards([{ ...ada, notes: unit.repeat(200) }]).split('\r\n')) {
      const octets = new TextEncoder().encode(line)
      expect(octets.length).toBeLessThanOrEqual(75)
      expect(new TextDecoder('utf-8', { fatal: true }).decode(octets)).toBe(line)
    }
  }
})

test.each<[string, Partial<CardContact>]>([
  ['Ada Lovelace', ada],
  ['Ada', { first_name: 'Ada' }],
  ['Lovelace', { last_name: 'Lovelace' }],
  ['Countess', { nickname: 'Countess', company_name: 'Acme' }],
  ['Acme', { company_name: 'Acme', email: 'ada@example.com' }],
  ['ada@example.com', { email: 'ada@example.com', phone_number: '123' }],
  ['+1 23', { phone_number: '+1 23' }],
  ['Unnamed', {}],
])('is shown and its file is called %s', (name, known) => {
  const contact = { ...nothing, ...known }
  expect(vcards([contact])).toContain(`\r\nFN:${name}\r\n`)
  expect(vcardName(contact)).toBe(`${name}.vcf`)
})

test.each([
  ['Zoë Müller 👩‍💻', 'Zoë Müller 👩‍💻.vcf'],
  ['A/B\\C: "D" <E>|*?', 'A B C D E.vcf'],
  ['..hidden..', 'hidden.vcf'],
  ['Dr.', 'Dr.vcf'],
  ['a\nb', 'a b.vcf'],
  ['/', 'Unnamed.vcf'],
  ['👩'.repeat(200), `${'👩'.repeat(60)}.vcf`],
])('the file of %j is called %s', (first_name, name) => {
  expect(vcardName({ ...nothing, first_name })).toBe(name)
})

test('all entries, with the types that other programs know; a word of one’s own is a label beside', () => {
  const text = vcards([
    {
      ...ada,
      middle_name: 'Augusta',
      emails: [
        { label: 'work', value: 'ada@example.com' },
        { label: '', value: 'b@example.com' },
      ],
      phones: [
        { label: 'mobile', value: '+44 1' },
        { label: 'Lake; house', value: '+44 2' },
      ],
      addresses: [
        {
          label: 'home',
          street: 'Main; St\n1',
          postal_code: '1',
          city: 'B',
          region: '',
          country: 'D',
        },
      ],
      links: [{ label: 'other', value: 'https://a.example/x,y;z' }],
    },
  ])
  expect(text.split('\r\n').filter((line) => /^N:|EMAIL|TEL|ADR|URL|ABLABEL/.test(line))).toEqual([
    'N:Lovelace;Ada;Augusta;;',
    'EMAIL;TYPE=INTERNET,WORK:ada@example.com',
    'EMAIL;TYPE=INTERNET:b@example.com',
    'TEL;TYPE=CELL:+44 1',
    'ITEM1.TEL;TYPE=VOICE:+44 2',
    'ITEM1.X-ABLABEL:Lake\\; house',
    'ADR;TYPE=HOME:;;Main\\; St\\n1;B;;1;D',
    'ITEM2.URL:https://a.example/x,y;z',
    'ITEM2.X-ABLABEL:Other',
  ])
})

const tagged: CardContact = {
  ...ada,
  birthday: '--05-03',
  emails: [{ label: 'work', value: 'ada@example.com' }],
  tags: ['Key account', 'Fair'],
  own: [
    { name: 'Contract end', text: '2027-01-31' },
    { name: 'Why 2', text: 'a, b; c\\ d\nsecond: line' },
    // What cannot be the name of a line, or would be taken for another field, is kept in the notes.
    { name: 'Größe', text: '42' },
    { name: 'Email', text: 'x' },
  ],
}

describe.each(['3.0', '4.0'] as const)('a card of version %s', (version) => {
  const text = vcards([tagged], version)

  test('holds tags and own fields as an import of ours reads them', () => {
    const [header, row] = cardRows(text).map(({ cells }) => cells)
    const columns = header ?? []
    const cells = Object.fromEntries(columns.map((column, place) => [column, row?.[place]]))
    expect(cells).toMatchObject({
      Birthday: '--05-03',
      'Email 1 - Value': 'ada@example.com',
      'Phone 1 - Value': '+44 20 1234',
      Tags: 'Key account; Fair',
      'Contract end': '2027-01-31',
      'Why 2': 'a, b; c\\ d\nsecond: line',
      Notes: 'Met at the fair\n\nGröße: 42\nEmail: x',
    })
    const own = ['Contract End', 'Why 2'].map((name, place): OwnField => {
      return {
        id: `~${place}`,
        record: 'contacts',
        name,
        kind: 'text',
        options: [],
        position: place,
        is_hidden: false,
      }
    })
    const mapping = mapColumns('contacts', columns, [row ?? []], own)
    expect(mapping[columns.indexOf('Contract end')]).toBe('custom.~0')
    expect(mapping[columns.indexOf('Why 2')]).toBe('custom.~1')
  })

  test('is written as its version says', () => {
    const lines = text.split('\r\n').filter((line) => /^(VERSION|BDAY|EMAIL|TEL)/.test(line))
    expect(lines).toEqual(
      version === '3.0'
        ? [
            'VERSION:3.0',
            'BDAY:--05-03',
            'EMAIL;TYPE=INTERNET,WORK:ada@example.com',
            'TEL;TYPE=VOICE:+44 20 1234',
          ]
        : [
            'VERSION:4.0',
            'BDAY:--0503',
            'EMAIL;TYPE=WORK:ada@example.com',
            'TEL;TYPE=VOICE;VALUE=TEXT:+44 20 1234',
          ],
    )
  })
})
