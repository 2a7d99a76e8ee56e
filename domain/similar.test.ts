import { expect, test } from 'vitest'
import { newCompany, newContact } from './fields/record-forms.ts'
import { comparedCompany, comparedContact } from './similar.ts'

const entry = (value: string) => ({ label: '', value })

test('a contact is compared by all its addresses, numbers and links, the first of them typed into a field of its own', () => {
  const typed = {
    ...newContact,
    first_name: 'Ada',
    email: 'ada@acme.example',
    emails: [entry(''), entry('ada@home.example'), entry('')],
    phone_number: '',
    phones: [entry(''), entry('030 1234567')],
    links: [entry('linkedin.com/in/ada')],
    company_id: 'c1',
  }
  expect(comparedContact(typed)).toEqual({
    first_name: 'Ada',
    last_name: newContact.last_name,
    emails: 'ada@acme.example\nada@home.example',
    phones: '030 1234567',
    links: 'linkedin.com/in/ada',
    company_id: 'c1',
  })
  expect(comparedContact(newContact)).toMatchObject({ emails: null, phones: null, links: null })
})

test('a company is compared by the first five of its addresses and numbers', () => {
  const emails = [...'abcdef'].map((letter) => entry(`${letter}@acme.example`))
  expect(comparedCompany({ ...newCompany, name: 'Acme', emails })).toEqual({
    name: 'Acme',
    website: newCompany.website,
    emails: [...'abcde'].map((letter) => `${letter}@acme.example`).join('\n'),
    phones: null,
  })
})
