import { openedPart } from '#ui/lazy-part.tsx'

/** The form of a deal; its code comes when it is first opened. */
export const DealDialog = openedPart(async () => (await import('./deal-dialog.tsx')).DealDialog)
