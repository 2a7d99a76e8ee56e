import { expect, test } from 'vitest'
import { contactInitials, contactName, leadStatusColor, phoneLink } from './contact.ts'
import { fieldErrors } from './field-errors.ts'
import { leadStatuses } from './fields/contacts.ts'
import { companySchema, contactSchema, newCompany, newContact } from './fields/record-forms.ts'
import { fullAddress, safeLink, shownWebsite } from './web-address.ts'

test('every lead status has a colour, and New comes first', () => {
  expect(leadStatuses[0]).toBe('New')
  expect(new Set(leadStatuses.map(leadStatusColor)).size).toBe(leadStatuses.length)
  expect(leadStatusColor('Other')).toBe('gray')
})

test('a contact may lack everything', () => {
  expect(contactSchema().parse(newContact)).toEqual({
    first_name: null,
    last_name: null,
    nickname: null,
    email: null,
    emails: [],
    phone_number: null,
    phones: [],
    role_title: null,
    company_id: null,
    addresses: [],
    links: [],
    lead_status: 'New',
    birthday: null,
    birthday_reminder: null,
    lead_score: 0,
    tags: [],
    notes: null,
  })
  expect(contactSchema().parse({ ...newContact, lead_score: '' }).lead_score).toBe(0)
})

test.each([
  [{ email: 'ada' }, { email: 'Enter a valid email address, such as ada@example.com.' }],
  [{ email: 'a b@c' }, { email: 'Enter a valid email address, such as ada@example.com.' }],
  [{ first_name: 'x'.repeat(201) }, { first_name: 'First Name can have at most 200 characters.' }],
  [{ last_name: 'x'.repeat(201) }, { last_name: 'Last Name can have at most 200 characters.' }],
  [
    { phone_number: '1'.repeat(51) },
    { phone_number: 'Phone Number can have at most 50 characters.' },
  ],
  [{ role_title: 'x'.repeat(201) }, { role_title: 'Role Title can have at most 200 characters.' }],
  [{ lead_score: 'many' }, { lead_score: 'Lead Score must be a number.' }],
  [{ notes: 'x'.repeat(50_001) }, { notes: 'Notes can have at most 50,000 characters.' }],
  [{ lead_score: 1e9 }, { lead_score: 'Lead Score must be between -999,999.99 and 999,999.99.' }],
])('%j is refused', (values, errors) => {
  expect(fieldErrors(contactSchema(), { ...newContact, ...values })).toEqual(errors)
})

test.each([
  [{ first_name: 'Ada', last_name: 'Lovelace' }, 'Ada Lovelace', 'AL'],
  [{ first_name: 'Ada', last_name: null }, 'Ada', 'A'],
  [{ first_name: null, last_name: 'élan' }, 'élan', 'É'],
  [{ first_name: null, last_name: null }, 'Unnamed', '?'],
  [{ first_name: null, last_name: null, email: 'ada@example.com' }, 'Unnamed', 'A'],
  [{ first_name: '👩‍🚀', last_name: 'محمد' }, '👩‍🚀 محمد', '👩‍🚀م'],
])('%j is called %s and has the initials %s', (contact, name, initials) => {
  expect(contactName(contact)).toBe(name)
  expect(contactInitials(contact)).toBe(initials)
})

test.each([
  ['+49 (30) 123-45', 'tel:+493012345'],
  ['extension', null],
])('the phone number %j becomes %j', (number, link) => {
  expect(phoneLink(number)).toBe(link)
})

test('a company needs a name, and spaces are none', () => {
  const company = { ...newCompany, name: '   ' }
  expect(fieldErrors(companySchema(), company)).toEqual({ name: 'Company Name is required.' })
  expect(companySchema().parse({ ...company, name: ' Acme ' })).toEqual({
    name: 'Acme',
    website: null,
    industry: null,
    location: null,
    emails: [],
    phones: [],
    addresses: [],
    tags: [],
  })
})

test.each([
  ['name', 'Company Name'],
  ['industry', 'Industry'],
  ['location', 'Location'],
])('a company has a short %s', (field, label) => {
  const company = { ...newCompany, name: 'Acme', [field]: 'x'.repeat(201) }
  expect(fieldErrors(companySchema(), company)).toEqual({
    [field]: `${label} can have at most 200 characters.`,
  })
})

test.each([
  ['acme.com', 'https://acme.com'],
  [' acme.com/x?y#z ', 'https://acme.com/x?y#z'],
  ['HTTP://ACME.com', 'HTTP://ACME.com'],
  ['localhost:3000', 'localhost:3000'],
  ['', ''],
])('the website %j means %j', (typed, meant) => {
  expect(fullAddress(typed)).toBe(meant)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'https://',
  'ftp://a.b',
  'mailto:a@b',
  'a b',
])('the website %j is refused and never a link', (website) => {
  const company = { ...newCompany, name: 'Acme', website }
  expect(fieldErrors(companySchema(), company)).toEqual({
    website: 'Enter a web address, such as https://acme.com.',
  })
  expect(safeLink(website)).toBeNull()
})

test('a website is shown without its scheme', () => {
  expect(shownWebsite('https://acme.com/')).toBe('acme.com')
  expect(shownWebsite('http://acme.com/about')).toBe('acme.com/about')
})
