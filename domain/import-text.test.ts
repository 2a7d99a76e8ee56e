import { expect, test } from 'vitest'
import { encodingOf } from './import-text.ts'

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
