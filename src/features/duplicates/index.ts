/** Loaded when the screen is first opened. */
export const loadDuplicatesPage = () => import('./duplicates-page.tsx')
export { mostAtOnce } from './kinds.ts'
export { MergeDialog } from './merge-dialog-part.ts'
