import { expect, test } from 'vitest'
import { signInSchema } from './auth.ts'
import { fieldErrors } from './field-errors.ts'

test('each field has its first message, and a good form none', () => {
  expect(fieldErrors(signInSchema, { email: '', password: '' })).toEqual({
    email: 'Enter your email address.',
    password: 'Enter your password.',
  })
  expect(fieldErrors(signInSchema, { email: 'a@b', password: 'x' })).toEqual({})
})
