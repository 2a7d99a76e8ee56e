import { expect, test } from 'vitest'
import { fieldErrors } from './field-errors.ts'
import { nameSchema } from './name.ts'

const schema = nameSchema('view', ['Mine'])

test.each([
  ['', 'Name is required.'],
  [' \n', 'Name is required.'],
  ['x'.repeat(201), 'Name can have at most 200 characters.'],
  ['Mine', 'A view with this name already exists.'],
  ['  Mine ', 'A view with this name already exists.'],
])('%j is refused: %s', (name, message) => {
  expect(fieldErrors(schema, { name })).toEqual({ name: message })
})

test('a free name is taken as the database keeps it', () => {
  expect(schema.parse({ name: ' mine ' })).toEqual({ name: 'mine' })
})
