export { deletionOf } from './queries.ts'
export { showUndoToast } from './undo-toast.ts'
