import { expect, test } from 'vitest'
import { lostLinks } from './lost-links.ts'

test.each([
  [2, 1, '2 contacts and 1 deal will lose their link to it.'],
  [0, 3, '3 deals will lose their link to it.'],
  [2, 0, '2 contacts will lose their link to it.'],
  [1, 0, '1 contact will lose its link to it.'],
  [0, 0, 'No contact or deal is linked to it.'],
])('%i contacts and %i deals', (contacts, deals, words) => {
  expect(lostLinks({ contacts, deals })).toBe(words)
})
