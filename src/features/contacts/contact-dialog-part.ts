import { openedPart } from '#ui/lazy-part.tsx'

/** The form of a contact; its code comes when it is first opened. */
export const ContactDialog = openedPart(
  async () => (await import('./contact-dialog.tsx')).ContactDialog,
)
