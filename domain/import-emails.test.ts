import { expect, test } from 'vitest'
import { addressesIn } from './import-emails.ts'

const emails = (cell: string) => addressesIn(cell).map(({ email }) => email)

test.each([
  ['a@x.com', ['a@x.com']],
  ['a@x.com, b@y.com', ['a@x.com', 'b@y.com']],
  ['a@x.com,b@y.com', ['a@x.com', 'b@y.com']],
  ['a@x.com; b@y.com;', ['a@x.com', 'b@y.com']],
  ['a@x.com\nb@y.com', ['a@x.com', 'b@y.com']],
  ['a@x.com\r\n\r\nb@y.com', ['a@x.com', 'b@y.com']],
  ['a@x.com ::: b@y.com', ['a@x.com', 'b@y.com']],
  ['a@x.com b@y.com', ['a@x.com', 'b@y.com']],
  ['a@x.com / b@y.com', ['a@x.com', 'b@y.com']],
  ['mailto:a@x.com', ['a@x.com']],
  ['MAILTO:a@x.com?subject=Hi, you', ['a@x.com', 'you']],
  ['<a@x.com>', ['a@x.com']],
  ['<mailto:a@x.com>', ['a@x.com']],
  ['A <a@x.com>, B <b@y.com>', ['a@x.com', 'b@y.com']],
  ['a@x.com, Byron, B <b@y.com>; c@z.com', ['a@x.com', 'b@y.com', 'c@z.com']],
  // No address: the check says so, or it goes to the notes behind one.
  ['nobody', ['nobody']],
  ['a@x.com, nobody', ['a@x.com', 'nobody']],
  ['ask Ada at a@x.com', ['ask Ada at a@x.com']],
  ['Ada <unknown>', ['Ada <unknown>']],
  [' , ; ', []],
])('the addresses in %j', (cell, found) => {
  expect(emails(cell)).toEqual(found)
})

test.each([
  ['Ada Lovelace <ada@example.com>', 'Ada Lovelace'],
  ['"Lovelace, Ada" <ada@example.com>', 'Lovelace, Ada'],
  ['Lovelace, Ada <ada@example.com>', 'Lovelace, Ada'],
  ["'Ada' <mailto:ada@example.com>", 'Ada'],
  ['ada@example.com (Ada Lovelace)', 'Ada Lovelace'],
  ['ada@example.com', ''],
])('the name beside the address in %j', (cell, name) => {
  expect(addressesIn(cell)).toEqual([{ email: 'ada@example.com', name }])
})
