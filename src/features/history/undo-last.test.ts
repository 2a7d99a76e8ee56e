import { expect, test } from 'vitest'
import type { HistoryEntry } from './queries.ts'
import { lastDone } from './undo-last.ts'

const now = Date.parse('2026-11-15T10:00:00Z')

function entry(id: string, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    id,
    batch: id,
    at: '2026-11-15T09:59:00Z',
    undoes: null,
    action: null,
    about: null,
    groups: [],
    undone: 'no',
    can_undo: true,
    ...more,
  }
}

test.each([
  ['the newest', [entry('two'), entry('one')], 'two'],
  [
    'pressed again, what was done before',
    [entry('undo', { undoes: 'two' }), entry('two', { undone: 'yes' }), entry('one')],
    'one',
  ],
  [
    'not what can only be undone in part, or not at all',
    [entry('three', { undone: 'partly' }), entry('two', { can_undo: false }), entry('one')],
    'one',
  ],
  ['nothing of yesterday', [entry('one', { at: '2026-11-14T10:00:00Z' })], undefined],
  ['nothing', [], undefined],
])('Control+Z undoes %s', (_, entries, expected) => {
  expect(lastDone(entries, now)?.batch).toBe(expected)
})
