import { expect, test } from 'vitest'
import { createdInWords } from './created-words.ts'

test.each([
  [[['tasks', true]], 'Task created successfully'],
  [
    [
      ['companies', true],
      ['contacts', true],
      ['deals', true],
      ['tasks', true],
    ],
    'Company, contact, deal and task created successfully',
  ],
  [
    [
      ['contacts', false],
      ['tasks', true],
    ],
    'Task created successfully',
  ],
  [[['contacts', false]], 'Contact updated successfully'],
] as const)('%j', (records, expected) => {
  expect(createdInWords(records.map(([kind, is_new]) => ({ kind, is_new })))).toBe(expected)
})
