import { openedPart } from '#ui/lazy-part.tsx'

/** Its code comes when it is first opened. */
export const NameDialog = openedPart(async () => (await import('./name-dialog.tsx')).NameDialog)
