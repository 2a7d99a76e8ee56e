import { openedPart } from '#ui/lazy-part.tsx'

/** Loaded when first opened. */
export const SendEmailDialog = openedPart(
  async () => (await import('./send-email-dialog.tsx')).SendEmailDialog,
)
