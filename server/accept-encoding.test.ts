import { expect, it } from 'vitest'
import { chooseEncoding } from './accept-encoding.ts'

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0', 'identity'],
  ['identity, br;q=0.5', 'identity'],
  ['gzip;q=0.1', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', 'identity'],
  ['br;q=nonsense', 'identity'],
  ['deflate', 'identity'],
])('for "%s" sends %s', (header, expected) => {
  expect(chooseEncoding(header, ['br', 'gzip', 'identity'])).toBe(expected)
})

it('never chooses what there is not', () => {
  expect(chooseEncoding('br, gzip', ['identity'])).toBe('identity')
})
