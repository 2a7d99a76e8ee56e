export { conflictsInWords } from './conflicts.ts'
export {
  type BulkAnswer,
  batchOf,
  bulkAnswer,
  deletionOf,
  undoConflicts,
  writeMany,
} from './queries.ts'
export { RecentActivity } from './recent-activity.tsx'
export { UndoEntry } from './undo-part.ts'
export { undoShortcut } from './undo-shortcut.ts'
export { showUndoToast, undo } from './undo-toast.ts'
export { useBulkWrite, useUndoableDelete } from './use-undoable.ts'

/** Loaded when the screen is first opened. */
export const loadHistoryPage = () => import('./history-page.tsx')

/** Loaded when something is first undone by key. */
export const loadUndoLast = () => import('./undo-last.ts')
