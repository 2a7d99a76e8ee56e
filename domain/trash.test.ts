import { expect, test } from 'vitest'
import { timeLeft } from './trash.ts'

test.each([
  ['2026-11-15T12:00:00Z', '30 days left'],
  // A clock that goes behind the server's.
  ['2026-11-15T12:05:00Z', '30 days left'],
  ['2026-11-14T12:00:00Z', '29 days left'],
  ['2026-11-14T11:59:00Z', '29 days left'],
  ['2026-10-17T12:00:00Z', '1 day left'],
  ['2026-10-17T11:59:00Z', 'Less than a day left'],
  ['2026-10-01T12:00:00Z', 'Less than a day left'],
])('deleted at %s, on November 15 there is %s', (deletedAt, words) => {
  expect(timeLeft(deletedAt, Date.parse('2026-11-15T12:00:00Z'))).toBe(words)
})
