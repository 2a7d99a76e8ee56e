import { expect, test } from 'vitest'
import { conflictsInWords } from './conflicts.ts'
import type { UndoConflict } from './queries.ts'

const conflict = (label: string | null, reason: UndoConflict['reason']) => ({
  table_name: 'contacts',
  row_id: String(label),
  label,
  reason,
})

test.each([
  [[conflict('Ada', 'changed')], 'Ada (changed since)'],
  [
    [conflict('Ada', 'changed'), conflict(null, 'parent gone')],
    'Ada (changed since) and Unnamed (belongs to a deleted record)',
  ],
  [
    [conflict('VIP', 'in use'), conflict('Mine', 'name taken')],
    'VIP (in use since) and Mine (its name is taken)',
  ],
  [
    ['A', 'B', 'C', 'D'].map((label) => conflict(label, 'undone')),
    'A (already undone), B (already undone), C (already undone) and 1 other',
  ],
  [
    ['A', 'B', 'C', 'D', 'E'].map((label) => conflict(label, 'erased')),
    'A (gone for good), B (gone for good), C (gone for good) and 2 others',
  ],
])('conflicts in words %#', (conflicts, words) => {
  expect(conflictsInWords(conflicts)).toBe(words)
})
