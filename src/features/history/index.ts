export { batchOf, deletionOf } from './queries.ts'
export { showUndoToast } from './undo-toast.ts'
export { type BulkAnswer, useBulkWrite, useUndoableDelete } from './use-undoable.ts'
