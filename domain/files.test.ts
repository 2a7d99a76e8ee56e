import { expect, test } from 'vitest'
import { endingOf, fileProblem, partCount, pastedName, shownAs, shownSize } from './files.ts'

test('only pictures of pixels and PDF files are shown', () => {
  const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
  expect(types.map(shownAs)).toEqual(types.map(() => 'image'))
  expect(shownAs('application/pdf')).toBe('pdf')
  for (const type of ['image/svg+xml', 'text/html', 'application/octet-stream', '']) {
    expect(shownAs(type), type).toBe('download')
  }
})

test('sizes are told in the unit one would use', () => {
  expect([1, 999, 1000, 350_000, 2_500_000, 26_214_400, 2_147_483_648].map(shownSize)).toEqual([
    '1 B',
    '999 B',
    '1 kB',
    '342 kB',
    '2.4 MB',
    '25 MB',
    '2 GB',
  ])
})

test('a file has as many parts as it needs', () => {
  expect([1, 1_048_576, 1_048_577].map(partCount)).toEqual([1, 1, 2])
})

test('the ending tells what an unknown file is', () => {
  expect(['a.pdf', 'a.tar.gz', 'Makefile', 'v1.2 final', 'x.'].map(endingOf)).toEqual([
    'PDF',
    'GZ',
    '',
    '',
    '',
  ])
})

test('what cannot be added is told before it is sent', () => {
  expect(fileProblem(0, 10)).toBe('This file is empty.')
  expect(fileProblem(26_214_401, 26_214_400)).toBe('This file is larger than 25 MB.')
  expect(fileProblem(26_214_400, 26_214_400)).toBeNull()
})

test('pasted pictures are told apart', () => {
  expect(pastedName('image.png', 'Nov 18, 10:15')).toBe('Pasted Nov 18, 10:15.png')
  expect(pastedName('offer.png', 'Nov 18, 10:15')).toBe('offer.png')
})
