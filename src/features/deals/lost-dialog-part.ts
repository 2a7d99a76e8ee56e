import { openedPart } from '#ui/lazy-part.tsx'

export const LostDialog = openedPart(async () => (await import('./lost-dialog.tsx')).LostDialog)
