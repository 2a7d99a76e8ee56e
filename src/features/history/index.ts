export { type BulkAnswer, batchOf, deletionOf, writeMany } from './queries.ts'
export { showUndoToast } from './undo-toast.ts'
export { useBulkWrite, useUndoableDelete } from './use-undoable.ts'
