import { expect, test } from 'vitest'
import { pdfProblems } from './pdf-problems.ts'

test.each([
  ['<< /Subtype /Image /Filter /DCTDecode >>', []],
  ['<< /Filter [/FlateDecode /JPXDecode] >>', [/JPEG 2000/]],
  ['<< /Filter/JBIG2Decode>>', [/JBIG2/]],
  ['<< /BaseFont /STSong /Encoding /UniGB-UCS2-H >>', [/Chinese/]],
  ['<</Encoding/90ms-RKSJ-V/Filter/JPXDecode>>', [/JPEG 2000/, /Japanese/]],
  ['<< /Encoding /Identity-H >>', []],
])('of %s the preview says what it cannot show', (text, expected) => {
  const found = pdfProblems(new TextEncoder().encode(`%PDF-1.7 \xff ${text}`))
  expect(found).toHaveLength(expected.length)
  for (const [place, words] of expected.entries()) expect(found[place]).toMatch(words)
})
