import { expect, test } from 'vitest'
import { addedWords, createdWords, removedWords, staysWords } from './words.ts'

test.each([
  [createdWords('VIP', 0), 'VIP created'],
  [createdWords('VIP', 1), 'VIP created with 1 contact'],
  [createdWords('VIP', 1200), 'VIP created with 1,200 contacts'],
  [addedWords('VIP', 12, 12), '12 contacts added to VIP'],
  [addedWords('VIP', 1, 2), '1 contact added to VIP'],
  [addedWords('VIP', 0, 2), 'All of them are in VIP already'],
  [addedWords('VIP', 0, 1), 'The contact is in VIP already'],
  [removedWords('VIP', 2), '2 contacts removed from VIP'],
  [removedWords('VIP', 0), 'None of them was in VIP'],
  [staysWords(0), 'There is no contact in it.'],
  [staysWords(1), 'Its contact stays. Only the collection goes.'],
  [staysWords(12), 'Its 12 contacts stay. Only the collection goes.'],
])('%j', (said, expected) => {
  expect(said).toBe(expected)
})
