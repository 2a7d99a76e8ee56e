import { expect, test } from 'vitest'
import { avatarLetter } from './account.ts'

test.each([
  ['ada@example.com', 'A'],
  ['élan@example.com', 'É'],
  ['😀@example.com', '😀'],
  ['', 'U'],
  [undefined, 'U'],
])('the avatar of %j is %s', (email, letter) => {
  expect(avatarLetter(email)).toBe(letter)
})
