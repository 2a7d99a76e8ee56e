import { expect, test } from 'vitest'
import { columnsProblem, createdWords, leftOutWords } from './import-column-words.ts'

test('columns by which no record is known are told, with what to do', () => {
  const nobody = 'No name, email address or phone number found. Choose a column with one of them.'
  expect(columnsProblem('contacts', [null, 'company', 'notes'])).toBe(nobody)
  for (const field of ['first_name', 'last_name', 'full_name', 'email', 'phone_number']) {
    expect(columnsProblem('contacts', [null, field])).toBeNull()
  }
  expect(columnsProblem('companies', ['industry'])).toBe(
    'No company name or website found. Choose the column with the name.',
  )
  expect(columnsProblem('companies', ['website'])).toBe('Choose the column with the Company Name.')
  expect(columnsProblem('companies', ['name'])).toBeNull()
  expect(columnsProblem('deals', ['stage', 'value'])).toBe(
    'No deal name, company or contact found. Choose a column with one of them.',
  )
  for (const field of ['name', 'company', 'contact_email']) {
    expect(columnsProblem('deals', [field])).toBeNull()
  }
})

test('columns with values that fill no field are named in one line', () => {
  const column = (name: string, isFilled = true) => ({ name, isFilled })
  const columns = [column('Email'), column('Middle name'), column('Fax'), column('Photo', false)]
  expect(leftOutWords(columns, ['email', null, null, null])).toBe('Not imported: Middle name, Fax.')
  expect(leftOutWords(columns, ['email', 'notes', 'notes', null])).toBeNull()
  const many = Array.from({ length: 1500 }, (_, place) => column(`C${place}`))
  expect(
    leftOutWords(
      many.slice(0, 13),
      many.map(() => null),
    ),
  ).toMatch(/C11, C12\.$/)
  expect(
    leftOutWords(
      many,
      many.map(() => null),
    ),
  ).toMatch(/C10, C11 and 1,488 more\.$/)
})

test('when a record was created is said to be for new ones alone', () => {
  const columns = [
    { name: 'Email', isFilled: true },
    { name: 'Created Time', isFilled: true },
  ]
  expect(createdWords('contacts', columns, ['email', 'created_at'])).toBe(
    'Not imported for contacts that already exist: Created Time.',
  )
  expect(createdWords('contacts', columns, ['email', null])).toBeNull()
})
