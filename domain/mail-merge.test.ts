import { expect, test } from 'vitest'
import {
  addressees,
  bccHandOver,
  bccParts,
  emptyFields,
  fieldLabel,
  fillIn,
  fitting,
  hasFields,
  longestLink,
  mergeFields,
  namesInWords,
  unknownFields,
} from './mail-merge.ts'
import { addressOfLink, mailtoLink } from './mailto.ts'

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
  expect(unknownFields('{{constructor}}')).toEqual(['constructor'])
  expect(fillIn('{{constructor}}', ada)).toBe('{{constructor}}')
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

test('fields that stay empty are found, each once', () => {
  const text = '{{first_name}} {{COMPANY}} {{company}} {{full_name}} {{x}}'
  expect(emptyFields(text, ada)).toEqual([])
  expect(emptyFields(text, { ...ada, company_name: null })).toEqual(['company'])
  expect(emptyFields(text, nobody)).toEqual(['first_name', 'company', 'full_name'])
  expect(fieldLabel('first_name')).toBe('First name')
})

test.each([
  ['Hello', false],
  ['{{frist_name}} {first_name}', false],
  ['Dear {{ First_Name }}', true],
])('%j differs from contact to contact: %s', (text, differs) => {
  expect(hasFields(text)).toBe(differs)
})

test('what does not fit into a link is to be pasted, the text before the subject', () => {
  const to = 'ada@example.com'
  const long = 'x'.repeat(longestLink)
  expect(fitting({ to, subject: 'Hi', body: 'short' })).toEqual({
    message: { to, subject: 'Hi', body: 'short' },
    pasted: 'nothing',
  })
  expect(fitting({ to, subject: 'Hi', body: long })).toEqual({
    message: { to, subject: 'Hi', body: '' },
    pasted: 'body',
  })
  expect(fitting({ to, subject: long, body: '' })).toEqual({
    message: { to, subject: '', body: '' },
    pasted: 'subject and body',
  })
  const exact = longestLink - mailtoLink({ to, subject: '', body: ' ' }).length + 3
  expect(fitting({ to, subject: '', body: 'x'.repeat(exact) }).pasted).toBe('nothing')
  expect(fitting({ to, subject: '', body: 'x'.repeat(exact + 1) }).pasted).toBe('body')
})

test('a long text is pasted rather than cut into a part for every few addresses', () => {
  const addresses = Array.from({ length: 200 }, (_, n) => `person.number.${n}@example.com`)
  const body = 'x'.repeat(longestLink - 300)
  const many = bccHandOver(addresses, { subject: 'Hi', body })
  expect(many.pasted).toBe('body')
  expect(many.parts.flat()).toEqual(addresses)
  expect(many.parts.length).toBeLessThan(6)
  const few = bccHandOver(addresses.slice(0, 3), { subject: 'Hi', body })
  expect(few.pasted).toBe('nothing')
  for (const { message, parts } of [many, few]) {
    for (const bcc of parts) {
      expect(mailtoLink({ ...message, bcc }).length).toBeLessThanOrEqual(longestLink)
    }
  }
})

test('each address is written to once, and nobody is forgotten', () => {
  const person = (id: string, email: string | null) => ({ ...nobody, id, email })
  const people = [
    person('1', 'ada@example.com'),
    person('2', null),
    person('3', 'Ada@Example.com'),
    person('4', ' '),
    person('5', 'bob@example.com'),
  ]
  const { all, without, sharing } = addressees(people)
  expect(all.map(({ address, ids }) => [address, ids])).toEqual([
    ['ada@example.com', ['1', '3']],
    ['bob@example.com', ['5']],
  ])
  expect(without.map(({ id }) => id)).toEqual(['2', '4'])
  expect(sharing.map(({ id }) => id)).toEqual(['3'])
})

test.each([
  [1, 'Ada Lovelace'],
  [2, 'Ada Lovelace, Unnamed'],
  [3, 'Ada Lovelace, Unnamed, Unnamed'],
  [4, 'Ada Lovelace, Unnamed and 2 others'],
])('%i names in words', (count, words) => {
  expect(namesInWords([ada, nobody, nobody, nobody].slice(0, count), 2)).toBe(words)
})

test('a link to several people names each of them', () => {
  const link = mailtoLink({ to: ['ada@x.example', 'o,b@y.example'], subject: '', body: '' })
  expect(link).toBe('mailto:ada@x.example,o%2Cb@y.example')
})

test.each([
  ['mailto:ada@example.com', 'ada@example.com'],
  [mailtoLink({ to: 'gr+öße@example.com', subject: '', body: '' }), 'gr+öße@example.com'],
  // What is written already is meant for the mail program.
  ['mailto:ada@example.com?subject=Hi', null],
  ['mailto:a@example.com,b@example.com', null],
  ['mailto:', null],
  ['mailto:%E0%A4%A@example.com', null],
  ['https://example.com/@ada', null],
])('%s is the address %s', (link, address) => {
  expect(addressOfLink(link)).toBe(address)
})
