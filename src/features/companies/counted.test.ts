import { expect, test } from 'vitest'
import { counted, lostLinks } from './counted.ts'

test('one, none and many', () => {
  expect(counted(1, 'company', 'companies')).toBe('1 company')
  expect(counted(0, 'company', 'companies')).toBe('0 companies')
  expect(counted(10_000, 'contact')).toBe('10,000 contacts')
})

test.each([
  [2, 1, '2 contacts and 1 deal will lose their link to it.'],
  [0, 3, '3 deals will lose their link to it.'],
  [2, 0, '2 contacts will lose their link to it.'],
  [1, 0, '1 contact will lose its link to it.'],
  [0, 0, 'No contact or deal is linked to it.'],
])('%i contacts and %i deals', (contacts, deals, words) => {
  expect(lostLinks({ contacts, deals })).toBe(words)
})
