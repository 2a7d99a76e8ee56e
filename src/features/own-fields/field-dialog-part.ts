import { openedPart } from '#ui/lazy-part.tsx'

/** Makes or changes a field; its code comes when it is first opened. */
export const FieldDialog = openedPart(
  async () => (await import('./editing/field-dialog.tsx')).FieldDialog,
)

/** Sets one field of many records. */
export const SetFieldDialog = openedPart(
  async () => (await import('./set-field-dialog.tsx')).SetFieldDialog,
)
