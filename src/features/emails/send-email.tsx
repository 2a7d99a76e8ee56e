import { openedPart } from '#ui/lazy-part.tsx'

/** Its code comes when it is first opened. */
export const SendEmailDialog = openedPart(
  async () => (await import('./send-email-dialog.tsx')).SendEmailDialog,
)
