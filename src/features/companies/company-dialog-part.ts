import { openedPart } from '#ui/lazy-part.tsx'

/** The form of a company; its code comes when it is first opened. */
export const CompanyDialog = openedPart(
  async () => (await import('./company-dialog.tsx')).CompanyDialog,
)
