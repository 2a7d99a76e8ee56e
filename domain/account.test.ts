import { expect, test } from 'vitest'
import { avatarLetter, nameInAddress } from './account.ts'

test.each([
  ['ada@example.com', 'A'],
  ['élan@example.com', 'É'],
  ['😀@example.com', '😀'],
  ['', 'U'],
  [undefined, 'U'],
])('the avatar of %j is %s', (email, letter) => {
  expect(avatarLetter(email)).toBe(letter)
})

test.each([
  ['ada@example.com', 'ada'],
  [undefined, ''],
])('somebody with the address %j is called %j', (email, name) => {
  expect(nameInAddress(email)).toBe(name)
})
