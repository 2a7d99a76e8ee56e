/** The screen comes when it is first opened. */
export const loadDuplicatesPage = () => import('./duplicates-page.tsx')
/** So does the dialog in which records become one. */
export const loadMergeDialog = () => import('./merge-dialog.tsx')
export { mostAtOnce } from './kinds.ts'
