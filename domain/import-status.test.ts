import { expect, test } from 'vitest'
import { isOurStatus, leadStatusOf, statusChanges } from './import-status.ts'

test.each([
  ['New', 'New', true],
  ['proposal sent', 'Proposal Sent', true],
  ['NEW', 'New', true],
  ['UNQUALIFIED', 'Unqualified', true],
  ['OPEN', 'New', false],
  ['IN_PROGRESS', 'Contacted', false],
  ['OPEN_DEAL', 'Qualified', false],
  ['ATTEMPTED_TO_CONTACT', 'Contacted', false],
  ['CONNECTED', 'Contacted', false],
  ['Open - Not Contacted', 'New', false],
  ['Working - Contacted', 'Contacted', false],
  ['Customer', null, false],
  ['Constructor', null, false],
  ['Something else', null, false],
  ['', null, true],
])('the lead status %s', (text, status, isOurs) => {
  expect(leadStatusOf(text)).toBe(status)
  expect(isOurStatus(text)).toBe(isOurs)
})

test('the words of a file that are not ours, the most frequent first, with what they become', () => {
  const words = ['Hot', 'New', 'OPEN', ' Hot ', '', 'qualified', 'Customer', 'Hot']
  const rows = words.map((word) => ({ cells: ['Ada', word] }))
  expect(statusChanges(rows, { mapping: ['first_name', 'lead_status'] })).toEqual([
    { word: 'Hot', becomes: null, rows: 3 },
    { word: 'OPEN', becomes: 'New', rows: 1 },
    { word: 'Customer', becomes: null, rows: 1 },
  ])
  expect(statusChanges(rows, { mapping: ['first_name', null] })).toEqual([])
})
