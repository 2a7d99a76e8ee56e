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
export { showUndoToast, undo } from './undo-toast.ts'
export { useBulkWrite, useUndoableDelete } from './use-undoable.ts'

/** Loaded when the screen is first opened. */
export const loadHistoryPage = () => import('./history-page.tsx')
