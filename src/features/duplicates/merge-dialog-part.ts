import { openedPart } from '#ui/lazy-part.tsx'

/** The dialog in which records become one; its code comes when it is first opened. */
export const MergeDialog = openedPart(async () => (await import('./merge-dialog.tsx')).MergeDialog)
