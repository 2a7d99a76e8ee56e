import { expect, test } from 'vitest'
import { tokenSchema } from './access-token.ts'

const schema = tokenSchema({ now: Date.parse('2026-11-18T12:00:00Z'), timeZone: 'Europe/Berlin' })
const token = { name: ' Claude ', scope: 'propose', ends: '' }

test('the last day of a token ends where the user is, and is today or later', () => {
  expect(schema.parse(token)).toEqual({ name: 'Claude', scope: 'propose', ends: null })
  expect(schema.parse({ ...token, ends: '2026-11-18' }).ends).toBe('2026-11-18T22:59:59.000Z')
  expect(schema.safeParse({ ...token, ends: '2026-11-17' }).error?.issues[0]?.message).toBe(
    'Choose a later day.',
  )
  expect(schema.safeParse({ ...token, ends: '0206-11-17' }).success).toBe(false)
})

test('a token has a name', () => {
  expect(schema.safeParse({ ...token, name: ' ' }).error?.issues[0]?.message).toBe(
    'Name is required.',
  )
})
