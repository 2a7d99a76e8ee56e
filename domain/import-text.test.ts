import { expect, test } from 'vitest'
import { encodingOf, foreignCells, likeliestEncoding } from './import-text.ts'

const text = 'Name,Notes\nZoë,Größe 5 €\n'

test.each([
  ['UTF-8', Buffer.from(text), 'utf-8'],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
  ['UTF-16 with its mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
  ['UTF-16 without', Buffer.from(text, 'utf16le'), 'utf-16le'],
  ['UTF-16, the other way round', Buffer.from(text, 'utf16le').swap16(), 'utf-16be'],
  ['Windows-1252', Buffer.from('Name\nZo\xeb \x80\n', 'latin1'), 'windows-1252'],
  ['plain letters', Buffer.from('Name\nAda\n'), 'utf-8'],
  ['a NUL byte somewhere', Buffer.from('Name,Email\nA\0da,a@x.com\n'), 'utf-8'],
  ['nothing', Buffer.alloc(0), 'utf-8'],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]), null],
  ['an archive', Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 6, 0, 8, 0, 0, 0, 0x21, 0]), null],
])('%s', (_name, bytes, encoding) => {
  expect(encodingOf(new Uint8Array(bytes))).toBe(encoding)
})

const letters = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

test('a detector is shown the cells with letters beyond ASCII alone', () => {
  const cells = foreignCells(letters('Name,Email\n"Zo\xeb",zoe@example.com\nB\xf6b;1\n'))
  expect(Buffer.from(cells).toString('latin1')).toBe('Zo\xeb B\xf6b ')
})

const european = letters('Wi\x9cniewska ')
const cyrillic = letters('\xc8\xe2\xe0\xed ')

test.each([
  ['the likeliest that we have', european, ['KOI8-R', 60, 'windows-1250', 40], 'windows-1250'],
  ['Western when it is as likely', european, ['ISO-8859-2', 26, 'ISO-8859-1', 26], 'windows-1252'],
  ['Western when nothing is sure', european, ['windows-1251', 14], 'windows-1252'],
  ['Western without an answer', european, [], 'windows-1252'],
  ['not one that the bytes rule out', letters('Zo\xeb '), ['Shift_JIS', 50], 'windows-1252'],
  [
    'not Western where nearly every letter is foreign',
    cyrillic,
    ['windows-1252', 40, 'windows-1251', 10],
    'windows-1251',
  ],
] as const)('of a ranking: %s', (_name, bytes, ranking, encoding) => {
  const ranked = []
  for (let place = 0; place < ranking.length; place += 2) {
    ranked.push({ name: String(ranking[place]), confidence: Number(ranking[place + 1]) })
  }
  expect(likeliestEncoding(bytes, ranked)).toBe(encoding)
})
