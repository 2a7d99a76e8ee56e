import { expect, test } from 'vitest'
import { summaryInWords } from './words.ts'

const nothing = { added: 0, updated: 0, skipped: 0, rejected: 0 }

test.each([
  [{ ...nothing, added: 1 }, '1 contact added'],
  [
    { added: 1200, updated: 2, skipped: 1, rejected: 3, companies: 1 },
    '1,200 contacts added, 2 contacts updated, 1 company also created, 1 duplicate skipped, 3 rows rejected',
  ],
  [{ ...nothing, updated: 1 }, '1 contact updated'],
  [{ ...nothing, skipped: 2 }, '0 contacts added, 2 duplicates skipped'],
])('what became of a file %#', (summary, words) => {
  expect(summaryInWords('contacts', summary).join(', ')).toBe(words)
})

test('what came along with deals', () => {
  const summary = { ...nothing, added: 2, companies: 1, contacts: 2 }
  expect(summaryInWords('deals', summary)).toEqual([
    '2 deals added',
    '1 company and 2 contacts also created',
  ])
})
