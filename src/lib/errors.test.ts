import { AuthApiError, AuthRetryableFetchError } from '@supabase/auth-js'
import { expect, test } from 'vitest'
import { errorMessage, isSessionGone, isUnreachable, notFound, unreachable } from './errors.ts'

const constraint = 'new row for relation "contacts" violates check constraint "contacts_email"'

test.each([
  [{ code: '23514', message: constraint }, 'A value isn’t allowed here.'],
  [{ code: 'XX000', message: constraint }, 'Something went wrong. Please try again.'],
  [{ code: '23503', message: 'violates' }, 'A linked record no longer exists.'],
  [{ code: 'PT409', message: 'Closed Won keeps its name.' }, 'Closed Won keeps its name.'],
  [{ code: '53100', message: 'The disk is full.', status: 500 }, 'The server’s disk is full.'],
  [
    { code: '55P03', message: 'Your import is just being written. Try again in a moment.' },
    'Your import is just being written. Try again in a moment.',
  ],
  [
    { code: '40001', message: 'could not serialize access' },
    'Someone else changed the same thing. Please try again.',
  ],
  [notFound(), 'This record no longer exists.'],
  [new TypeError('Failed to fetch'), unreachable],
  [{ message: 'TypeError: Failed to fetch', code: '', status: 0 }, unreachable],
  [new AuthRetryableFetchError('{}', 0), unreachable],
  [{ status: 413, message: '' }, 'This is too large to send.'],
  [new Error('Not authenticated'), 'Not authenticated'],
  [{ code: 'PGRST301', message: 'JWT expired' }, 'Not authenticated'],
  [undefined, 'Something went wrong. Please try again.'],
])('%j is told as %j', (error, words) => {
  expect(errorMessage(error)).toBe(words)
})

test('a lost session is told from a lost connection', () => {
  expect(isSessionGone(new AuthApiError('invalid JWT', 403, 'bad_jwt'))).toBe(true)
  expect(isSessionGone({ code: '42501', status: 401 })).toBe(true)
  expect(isSessionGone({ code: 'PT401', message: 'Not authenticated' })).toBe(true)
  expect(isSessionGone({ code: '42501', status: 403 })).toBe(false)
  expect(isSessionGone(new TypeError('Failed to fetch'))).toBe(false)
  expect(isUnreachable({ message: 'Failed to fetch contacts', status: 400 })).toBe(false)
})
