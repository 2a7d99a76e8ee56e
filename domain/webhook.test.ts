import { expect, test } from 'vitest'
import { fieldErrors } from './field-errors.ts'
import { webhookSchema } from './webhook.ts'

const input = { url: 'https://example.com/hook?a=b', events: ['won'] }

test('an address and events are kept, without spaces around', () => {
  const url = ` ${input.url} `
  expect(webhookSchema.parse({ ...input, url })).toEqual(input)
})

test.each([
  ['', 'Address is required.'],
  ['example.com', /^Enter an address such as/],
  ['ftp://example.com', /^Enter an address such as/],
  ['https://me:secret@example.com', /^Enter an address such as/],
  ['https://example.com/#part', /^Enter an address such as/],
  ['https://example.com/a b', /^Enter an address such as/],
  [`https://example.com/${'x'.repeat(2000)}`, /too long/],
])('%s is refused in words', (url, words) => {
  expect(fieldErrors(webhookSchema, { ...input, url }).url).toMatch(words)
})

test('a webhook without events is told nothing, and refused', () => {
  expect(fieldErrors(webhookSchema, { ...input, events: [] })).toEqual({
    events: 'Choose at least one event.',
  })
})
