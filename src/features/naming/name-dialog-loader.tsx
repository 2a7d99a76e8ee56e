import { openedPart } from '#ui/lazy-part.tsx'

/** Loaded when first opened. */
export const NameDialog = openedPart(async () => (await import('./name-dialog.tsx')).NameDialog)
