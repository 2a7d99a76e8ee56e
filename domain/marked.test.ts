import { expect, test } from 'vitest'
import { marked } from './marked.ts'

const shown = (text: string, words: string) =>
  marked(text, words)
    .map((part) => (part.isHit ? `[${part.text}]` : part.text))
    .join('')

test.each([
  ['Ada Lovelace', 'love', 'Ada [Love]lace'],
  ['Ada Lovelace', '', 'Ada Lovelace'],
  ['Ada Lovelace', 'zz', 'Ada Lovelace'],
  ['Zoë Müller', 'muller', 'Zoë [Müller]'],
  ['Zoe Muller', 'zoë', '[Zoe] Muller'],
  ['banana', 'an', 'b[an][an]a'],
  ['😀 Acme', 'acme', '😀 [Acme]'],
  ['Ångström', 'ang', '[Ång]ström'],
  ['a.b', '.', 'a[.]b'],
  ['Anna Schmidt', 'schmidt anna', '[Anna] [Schmidt]'],
  ['Anna Schmidt', 'anna sch', '[Anna Sch]midt'],
  ['Ann Annabel', 'annab ann', '[Ann] [Annab]el'],
  ['Straße 5', 'strasse', '[Straße] 5'],
  ['İstanbul', 'ist', '[İst]anbul'],
  ['آنا', 'ا', '[آ]ن[ا]'],
])('%j for %j is %j', (text, words, expected) => {
  expect(shown(text, words)).toBe(expected)
})
