import { expect, test } from 'vitest'
import { mineOf, versionOf } from './waiting-words.ts'

const words = { timeZone: 'Europe/Berlin', stageName: (id: string) => ({ s1: 'Proposal' })[id] }

test('what the user wrote, by the names of the fields, without what is empty', () => {
  const note = { id: 'n', kind: 'call', body: 'Wants a quote', outcome: null, minutes: 12 }
  expect(
    mineOf('add note', { values: note, next_step: { id: 't', title: 'Send it' } }, words),
  ).toEqual({
    Kind: 'Call',
    Text: 'Wants a quote',
    Minutes: '12',
    'Next step: title': 'Send it',
  })
  expect(mineOf('move deal', { id: 'd', stage_id: 's1' }, words)).toEqual({ Stage: 'Proposal' })
  const lost = { id: 'd', outcome: 'lost', stage_id: null, lost_reason: 'Price' }
  expect(mineOf('move deal', lost, words)).toEqual({
    Stage: 'Closed Lost',
    'Lost reason': 'Price',
  })
  expect(
    mineOf(
      'add contact',
      { values: { id: 'c', first_name: 'Ada', email: 'ada@example.com' } },
      words,
    ),
  ).toMatchObject({ 'First Name': 'Ada', Email: 'ada@example.com' })
})

test('the same of the record as it is on the server', () => {
  const row = { id: 'd', name: 'Renewal', stage_id: 's2' }
  expect(versionOf('move deal', row, words)).toEqual({ Stage: 'Another stage' })
  const task = { title: 'Call', due_date: '2026-11-20T09:00:00+00:00', due_all_day: false }
  expect(versionOf('snooze task', task, words)).toMatchObject({
    Title: 'Call',
    Due: expect.stringContaining('20'),
  })
})
