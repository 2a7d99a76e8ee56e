import { expect, test } from 'vitest'
import { addedWords, createdWords, removedWords, staysWords } from './words.ts'

test.each([
  [createdWords('VIP', 0), 'VIP created'],
  [createdWords('VIP', 1), 'VIP created with 1 contact'],
  [createdWords('VIP', 1200), 'VIP created with 1,200 contacts'],
  [addedWords('VIP', 12, 12), '12 contacts added to VIP'],
  [addedWords('VIP', 1, 2), '1 contact added to VIP'],
  [addedWords('VIP', 0, 2), 'All of them are already in VIP'],
  [addedWords('VIP', 0, 1), 'Already in VIP'],
  [removedWords('VIP', 2), '2 contacts removed from VIP'],
  [removedWords('VIP', 0), 'None of them were in VIP'],
  [staysWords(0), 'It has no contacts.'],
  [staysWords(1), 'Its contact is kept.'],
  [staysWords(12), 'Its 12 contacts are kept.'],
])('%j', (reported, expected) => {
  expect(reported).toBe(expected)
})
