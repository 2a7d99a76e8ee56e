import { expect, test } from 'vitest'
import { percentChange } from './percent-change.ts'

test.each([
  [112, 100, '+12%', 'up'],
  [92, 100, '-8%', 'down'],
  [100, 100, '0%', 'none'],
  // Rounded, and what rounds to nothing is no change.
  [2, 3, '-33%', 'down'],
  [5, 3, '+67%', 'up'],
  [1001, 1000, '0%', 'none'],
  [0, 7, '-100%', 'down'],
  [50, 1, '+4,900%', 'up'],
  // There is nothing to compare with.
  [5, 0, 'New', 'none'],
  [0, 0, '–', 'none'],
  // Sums come as text.
  ['1500.50', '1000.00', '+50%', 'up'],
  ['0', '0.00', '–', 'none'],
])('%s after %s is %s', (recent, before, words, direction) => {
  expect(percentChange(recent, before)).toEqual({ words, direction })
})
