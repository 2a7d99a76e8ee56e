export { AddFieldButton } from './add-field-button.tsx'
export { FieldDialog, SetFieldDialog } from './field-dialog-part.ts'
export {
  knownOwnFields,
  readOwnFields,
  useAllOwnFields,
  useFieldRows,
  useOwnFields,
  useOwnUrl,
} from './queries.ts'
export { useOwnForm } from './use-own-form.ts'

/** Loaded when the screen is first opened. */
export const loadFieldsPage = () => import('./editing/fields-page.tsx')
