import { expect, test } from 'vitest'
import {
  bccParts,
  fillIn,
  longestLink,
  mailtoLink,
  mergeFields,
  unknownFields,
} from './mail-merge.ts'

const ada = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  role_title: 'Countess',
  company_name: 'Engines & Co',
}
const nobody = { first_name: null, last_name: null, email: null }

test.each([
  ['Dear {{first_name}},', 'Dear Ada,', 'Dear ,'],
  [
    '{{ FULL_NAME }} ({{role_title}}, {{company}})',
    'Ada Lovelace (Countess, Engines & Co)',
    ' (, )',
  ],
  ['{{email}} {{last_name}}', 'ada@example.com Lovelace', ' '],
  [
    '{{frist_name}} {first_name} {{}}',
    '{{frist_name}} {first_name} {{}}',
    '{{frist_name}} {first_name} {{}}',
  ],
])('%j becomes %j', (text, forAda, forNobody) => {
  expect(fillIn(text, ada)).toBe(forAda)
  expect(fillIn(text, nobody)).toBe(forNobody)
})

test('a value that looks like a field is not filled in again', () => {
  expect(fillIn('{{first_name}}', { ...ada, first_name: '{{email}}' })).toBe('{{email}}')
})

test('every field that is offered is filled in', () => {
  for (const name of Object.keys(mergeFields)) expect(fillIn(`{{${name}}}`, ada)).not.toContain('{')
})

test('misspelled fields are found, each once', () => {
  expect(unknownFields('{{frist_name}} {{first_name}} {{ x }} {{frist_name}}')).toEqual([
    'frist_name',
    'x',
  ])
})

test('a link carries everything unharmed', () => {
  const link = mailtoLink({
    to: 'a+b@example.com',
    subject: 'Söme & more?',
    body: 'Line 1\nLine 2 #100%',
  })
  expect(link).toBe(
    'mailto:a%2Bb@example.com?subject=S%C3%B6me%20%26%20more%3F&body=Line%201%0D%0ALine%202%20%23100%25',
  )
  const read = new URLSearchParams(link.slice(link.indexOf('?')))
  expect(read.get('subject')).toBe('Söme & more?')
  expect(read.get('body')).toBe('Line 1\r\nLine 2 #100%')
})

test('an address cannot smuggle in headers', () => {
  const link = mailtoLink({ to: 'x@y?bcc=evil@example.com&body=z', subject: '', body: '' })
  expect(link).toBe('mailto:x@y%3Fbcc%3Devil@example.com%26body%3Dz')
  expect(new URL(link).search).toBe('')
})

test('Bcc comes in parts, none too long, nobody lost', () => {
  const addresses = Array.from({ length: 500 }, (_, n) => `person.number.${n}@example.com`)
  const message = { subject: 'Hello', body: 'x'.repeat(300) }
  const parts = bccParts(addresses, message)
  expect(parts.flat()).toEqual(addresses)
  expect(parts.length).toBeGreaterThan(1)
  for (const bcc of parts) {
    expect(mailtoLink({ ...message, bcc }).length).toBeLessThanOrEqual(longestLink)
  }
  expect(bccParts([], message)).toEqual([])
  expect(bccParts(['a@b', 'c@d'], { subject: '', body: 'x'.repeat(5000) })).toEqual([
    ['a@b'],
    ['c@d'],
  ])
})
