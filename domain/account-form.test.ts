import { describe, expect, test } from 'vitest'
import {
  deletionSchema,
  displayNameSchema,
  emailChangeSchema,
  passwordChangeSchema,
} from './account-form.ts'
import { fieldErrors } from './field-errors.ts'

describe('a change of the password', () => {
  const good = { currentPassword: 'old', password: 'secret-2', confirmPassword: 'secret-2' }
  test.each([
    [good, {}],
    [{ ...good, currentPassword: '' }, { currentPassword: 'Enter your current password.' }],
    [{ ...good, confirmPassword: 'other' }, { confirmPassword: 'Passwords do not match.' }],
    [
      { ...good, password: 'short', confirmPassword: 'short' },
      { password: 'Password must be at least 6 characters long.' },
    ],
  ])('%j gives %j', (values, errors) => {
    expect(fieldErrors(passwordChangeSchema, values)).toEqual(errors)
  })
})

describe('a change of the address', () => {
  const schema = emailChangeSchema('Ada@example.com')
  test.each([
    ['new@example.com', {}],
    ['ada@EXAMPLE.com', { email: 'This is already your email address.' }],
    ['nothing', { email: 'Enter a valid email address, such as ada@example.com.' }],
    ['', { email: 'Enter your email address.' }],
  ])('to %j gives %j', (email, errors) => {
    expect(fieldErrors(schema, { email, currentPassword: 'secret-1' })).toEqual(errors)
  })
})

test('a display name is trimmed, and has 200 letters at most', () => {
  expect(displayNameSchema.parse({ display_name: '  Ada ' })).toEqual({ display_name: 'Ada' })
  expect(fieldErrors(displayNameSchema, { display_name: 'x'.repeat(201) })).toEqual({
    display_name: 'A name can have at most 200 characters.',
  })
})

test('the typed address must be the account’s, whatever its case', () => {
  const schema = deletionSchema('Ada@example.com')
  expect(fieldErrors(schema, { address: ' ada@EXAMPLE.com ' })).toEqual({})
  for (const address of ['', 'ada@example.co']) {
    expect(fieldErrors(schema, { address })).toEqual({
      address: 'This isn’t your account’s email address.',
    })
  }
})
