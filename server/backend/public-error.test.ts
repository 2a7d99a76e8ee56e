import { expect, test } from 'vitest'
import { DatabaseAway, publicAnswer, translateDatabaseError } from './public-error.ts'

function refused(code: string, more: object = {}): Error {
  return Object.assign(new Error('of the inside'), { code, ...more })
}

const away = 'The database isn’t responding. Nothing was saved; try again in a moment.'

test.each([
  ['a full disk', refused('53100'), 507, 'The server’s disk is full. Nothing was saved.'],
  [
    'a lock that somebody else holds',
    refused('55P03'),
    503,
    'Another change is in progress. Nothing was saved; try again in a moment.',
  ],
  ['too many connections', refused('53300', { severity: 'FATAL' }), 503, away],
  ['a server that is stopping', refused('57P01'), 503, away],
  ['a refused connection', refused('ECONNREFUSED'), 503, away],
  ['a schema that could not be read', new DatabaseAway(), 503, away],
])('%s is told in words', async (_, error, status, message) => {
  const answer = publicAnswer(translateDatabaseError(error))
  expect(answer?.status).toBe(status)
  expect(await answer?.json()).toMatchObject({ message })
})

test('what nobody foresaw is left as it is', () => {
  const error = refused('XX000')
  expect(translateDatabaseError(error)).toBe(error)
})
