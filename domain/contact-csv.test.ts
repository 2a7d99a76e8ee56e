import { expect, test } from 'vitest'
import { contactCsvHeader, contactCsvName, contactCsvRow, quotedCsvColumn } from './contact-csv.ts'
import { neutralised } from './csv.ts'

test('eight fields, what is missing empty, the moment in ISO 8601', () => {
  const row = contactCsvRow({
    first_name: 'Ada',
    last_name: null,
    email: 'ada@example.com',
    phone_number: '+49 30 123',
    role_title: null,
    lead_status: 'New',
    notes: '=1+1',
    created_at: '2026-11-15T10:00:00+02:00',
  })
  expect(row).toEqual([
    'Ada',
    '',
    'ada@example.com',
    '+49 30 123',
    '',
    'New',
    "'=1+1",
    '2026-11-15T08:00:00.000Z',
  ])
  expect(row).toHaveLength(contactCsvHeader.length)
  expect(contactCsvHeader[quotedCsvColumn]).toBe('Notes')
})

test.each([
  ['=SUM(A1)', "'=SUM(A1)"],
  ['@cmd', "'@cmd"],
  ['\tx', "'\tx"],
  ['+x', "'+x"],
  ['-x', "'-x"],
  ['- a point', "'- a point"],
  ['+49 (30) 12-34', '+49 (30) 12-34'],
  ['-12.50', '-12.50'],
  ['a=b', 'a=b'],
  ["'quoted", "'quoted"],
  ['', ''],
])('%j becomes %j', (value, safe) => {
  expect(neutralised(value)).toBe(safe)
})

test('the file is named after the day', () => {
  expect(contactCsvName('2026-11-15')).toBe('contacts-export-2026-11-15.csv')
})
