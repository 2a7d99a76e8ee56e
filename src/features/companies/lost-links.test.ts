import { expect, test } from 'vitest'
import { lostLinks } from './lost-links.ts'

test.each([
  [2, 1, '2 contacts and 1 deal will be unlinked.'],
  [0, 3, '3 deals will be unlinked.'],
  [2, 0, '2 contacts will be unlinked.'],
  [1, 0, '1 contact will be unlinked.'],
  [0, 0, 'No contacts or deals are linked to it.'],
])('%i contacts and %i deals', (contacts, deals, words) => {
  expect(lostLinks({ contacts, deals })).toBe(words)
})
