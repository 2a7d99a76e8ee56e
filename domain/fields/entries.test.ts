import { expect, test } from 'vitest'
import { fieldErrors } from '#domain/field-errors.ts'
import { contactFields } from './contacts.ts'
import {
  type AnyEntry,
  addressLines,
  type ListKind,
  labelShown,
  labelStored,
  withFirsts,
  withLists,
} from './entries.ts'
import { readEntries, writeEntries } from './entry-cells.ts'
import { pastedEntries, pastedName } from './pasted-entries.ts'
import { contactSchema, newContact } from './record-forms.ts'

const mail = (value: string, label = '') => ({ label, value })
const blank = mail('')
const home = {
  city: 'Berlin',
  label: 'home',
  region: '',
  street: 'Main Street 1',
  country: 'Germany',
  postal_code: '10115',
}

test('the usual labels are stored in small letters and shown with a capital, own words as typed', () => {
  expect([labelStored(' WORK '), labelStored('Lake House'), labelStored(' ')]).toEqual([
    'work',
    'Lake House',
    '',
  ])
  expect([labelShown('mobile'), labelShown('lake house')]).toEqual(['Mobile', 'lake house'])
})

test('a postal address is written in lines', () => {
  expect(addressLines(home)).toEqual(['Main Street 1', '10115 Berlin', 'Germany'])
  expect(addressLines({ ...home, street: '', city: '', postal_code: '', region: 'BE' })).toEqual([
    'BE',
    'Germany',
  ])
})

test('a form is saved with its first entry in the list, and the next one first where it is empty', () => {
  const values = {
    ...newContact,
    email: 'a@b',
    emails: [mail('old@b', 'work'), mail('c@d'), blank],
  }
  expect(withFirsts(contactFields, values)).toMatchObject({
    email: 'a@b',
    emails: [mail('a@b', 'work'), mail('c@d')],
    phone_number: null,
    phones: [],
  })
  expect(withFirsts(contactFields, { ...values, email: '' })).toMatchObject({
    email: 'c@d',
    emails: [mail('c@d')],
  })
})

test('what a write makes of the lists is shown at once, as the database makes it', () => {
  const row = { email: 'a@b', emails: [mail('a@b', 'work'), mail('c@d', 'home')] }
  const after = (values: object) => withLists(contactFields, row, values)
  expect(after({ email: 'x@y' })).toEqual({
    email: 'x@y',
    emails: [mail('x@y', 'work'), mail('c@d', 'home')],
  })
  expect(after({ email: 'C@d' })).toEqual({
    email: 'C@d',
    emails: [mail('C@d', 'home'), mail('a@b', 'work')],
  })
  expect(after({ email: null })).toEqual({ email: 'c@d', emails: [mail('c@d', 'home')] })
  expect(after({ emails: [] })).toEqual({ email: null, emails: [] })
  expect(after({ notes: 'x' })).toEqual({ notes: 'x' })
})

test('each message stands at the entry that it is about', () => {
  const errors = (values: object) => fieldErrors(contactSchema(), { ...newContact, ...values })
  const email = 'Enter a valid email address, such as ada@example.com.'
  expect(errors({ emails: [blank, mail('a@b'), mail('x')] })).toEqual({ 'emails.2.value': email })
  expect(errors({ emails: [blank, mail('a@b'), mail('A@b')] })).toEqual({
    'emails.2.value': 'Already added.',
  })
  expect(errors({ email: 'A@b', emails: [blank, mail('a@b')] })).toEqual({
    'emails.1.value': 'Already added.',
  })
  expect(errors({ links: [mail('javascript:x')] })).toEqual({
    'links.0.value': 'Enter a web address, such as https://acme.com.',
  })
  expect(errors({ phones: [blank, mail('1', 'x'.repeat(41))] })).toEqual({
    'phones.1.label': 'A label can have at most 40 characters.',
  })
  expect(errors({ addresses: [home, { ...home, label: '' }] })).toEqual({
    'addresses.1.street': 'Already added.',
  })
  // What the first held before is no other entry.
  expect(errors({ email: 'a@b', emails: [mail('a@b', 'work'), blank] })).toEqual({})
})

test.each<[ListKind, AnyEntry[], string]>([
  ['emails', [mail('a@b', 'work'), mail('c@d', 'Lake house')], 'a@b (Work)\nc@d (Lake house)'],
  ['phones', [mail('+49 (30) 1'), mail('(415) 2', 'home')], '+49 (30) 1\n(415) 2 (Home)'],
  ['links', [mail('https://a.example/x;y')], 'https://a.example/x;y'],
  ['addresses', [home], 'Main Street 1 | 10115 | Berlin |  | Germany (Home)'],
  ['addresses', [{ ...home, label: '', country: '' }], 'Main Street 1 | 10115 | Berlin |  | '],
])('%s %j are a cell that is read again as it was', (kind, entries, cell) => {
  expect(writeEntries(entries)).toBe(cell)
  expect(readEntries(kind, cell)).toEqual(entries)
})

test('entries of a cell may be parted by semicolons', () => {
  expect(readEntries('emails', 'a@b; c@d (home);  ')).toEqual([mail('a@b'), mail('c@d', 'home')])
})

test.each([
  ['Ada King Lovelace <ada@example.com>', { first_name: 'Ada King', last_name: 'Lovelace' }],
  ['"Lovelace, Ada" <mailto:ada@example.com>', { first_name: 'Ada', last_name: 'Lovelace' }],
  ['ada@example.com (Ada)', { first_name: 'Ada', last_name: '' }],
  ['ada@example.com', null],
  // Whose of several the contact is, nobody can tell.
  ['Ada <ada@example.com>, Bob <bob@example.com>', null],
  ['', null],
])('the name of an address that is pasted: %s', (text, name) => {
  expect(pastedName(text)).toEqual(name)
})

test.each([
  ['Front desk <a@b>, c@d', 'Acme', [mail('a@b', 'Front desk'), mail('c@d')]],
  ['Lovelace, Ada <a@b>', 'Ada Augusta Lovelace', [mail('a@b')]],
  ['Ada <a@b>', '', [mail('a@b', 'Ada')]],
  // It stays as it was pasted, and the check says what is wrong with it.
  [`${'Ada '.repeat(12)}<a@b>`, 'Bob', []],
  ['a@b', 'Bob', []],
] as const)('whose name is pasted beside an address is its label: %s', (text, owner, entries) => {
  expect(pastedEntries('emails', text, owner)).toEqual(entries)
})
