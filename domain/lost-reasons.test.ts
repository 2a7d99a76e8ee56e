import { expect, test } from 'vitest'
import { reasonSchema, withReason } from './lost-reasons.ts'

const message = (reasons: string[], typed: string, own?: number) =>
  reasonSchema(reasons, own).safeParse({ reason: typed }).error?.issues[0]?.message

test('a reason has words, is short, and is in the list once', () => {
  expect(message(['Price'], ' Budget ')).toBeUndefined()
  expect(message(['Price'], '  ')).toBe('Reason is required.')
  expect(message(['Price'], 'x'.repeat(201))).toBe('Reason can have at most 200 characters.')
  expect(message(['Price'], 'price')).toBe('This reason is already in the list.')
  // A new case of the same reason is a new name for it.
  expect(message(['Price'], 'price', 0)).toBeUndefined()
})

test('the list has an end', () => {
  const all = Array.from({ length: 50 }, (_, n) => `Reason ${n}`)
  expect(message(all, 'One more')).toBe('You can have up to 50 reasons.')
  expect(message(all, 'Another name', 3)).toBeUndefined()
})

test('a suggestion takes the place of another or of its own beginning, and nothing else that is typed', () => {
  const reasons = ['Price', 'Chose a competitor']
  const after = (typed: string, reason = 'Chose a competitor') => withReason(typed, reason, reasons)
  expect(after('')).toBe('Chose a competitor')
  expect(after('chose')).toBe('Chose a competitor')
  expect(after('Price\nTwice as much')).toBe('Chose a competitor\nTwice as much')
  expect(after('They were slow')).toBe('Chose a competitor\nThey were slow')
  expect(after('Chose a competitor')).toBe('')
})
