import { expect, test } from 'vitest'
import { dealDifferences, importRemarks } from './import-remarks.ts'

test('a row tells what becomes of its words', () => {
  expect(importRemarks({ file_status: 'Hot' }, 'new')).toEqual([
    'Lead status "Hot" is not one of ours: becomes New, and the word is kept in the notes.',
  ])
  expect(importRemarks({ file_status: 'Hot' }, 'update')).toEqual([
    'Lead status "Hot" is not one of ours: the status stays as it is, and the word is kept in the notes.',
  ])
  expect(importRemarks({ file_status: 'OPEN', lead_status: 'New' }, 'update')).toEqual([
    'Lead status "OPEN" becomes New.',
  ])
  expect(importRemarks({ file_stage: 'Demo', stage: 'Closed Won' }, 'new')).toEqual([
    'Stage "Demo" becomes Closed Won, as the status says.',
  ])
  expect(importRemarks({ file_contacts: 'Ada; Bob' }, 'new')).toEqual([
    'Of the contacts "Ada; Bob" only the first is linked.',
  ])
  expect(importRemarks({ lead_status: 'New' }, 'new')).toEqual([])
})

test('of a row that is not written nothing is changed', () => {
  expect(importRemarks({ file_status: 'Hot' }, 'duplicate')).toEqual([])
})

test('a deal that is there is told apart by what differs', () => {
  const stored = {
    value: 100.25,
    expected_close_date: '2026-12-01',
    pipeline: 'Sales Pipeline',
    stage: null,
    lost_reason: null,
    closed_at: null,
  }
  const said = { name: 'Renewal', value: 100.5, stage: 'Lead', pipeline: 'SALES pipeline' }
  expect(dealDifferences(said, stored)).toEqual([
    'Value: $100.25 here, $100.50 in the file.',
    'Stage: No Stage here, Lead in the file.',
  ])
  expect(dealDifferences({ expected_close_date: '2026-12-31' }, stored)).toEqual([
    'Expected close: 2026-12-01 here, 2026-12-31 in the file.',
  ])
  expect(dealDifferences({ name: 'Renewal' }, stored)).toEqual([])
})
