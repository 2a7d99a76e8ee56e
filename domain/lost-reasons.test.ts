import { expect, test } from 'vitest'
import { moved, reasonSchema } from './lost-reasons.ts'

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

test('a reason moves one place, and not beyond the ends', () => {
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
})
