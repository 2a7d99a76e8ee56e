import type { ReactNode, Ref } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { VersionConflict } from './version-conflict.tsx'

type RecordDialogProps<Values extends Record<string, string>> = {
  /** What it is about, as titles and buttons name it: 'Company'. */
  name: string
  /** It is edited, not made. */
  isThere: boolean
  isDirty: boolean
  isSaving: boolean
  onSubmit: () => void
  onClose: () => void
  formRef: Ref<HTMLFormElement>
  /** Both versions, when another window has saved the same record. */
  conflict: {
    fields: Record<keyof Values & string, string>
    mine: Values
    theirs: Values
    onTakeTheirs: () => void
  } | null
  isCovered?: boolean
  size?: number
  /** The word for making one; 'Add' unless told otherwise. */
  verb?: 'Add' | 'Create' | 'Create New'
  children: ReactNode
}

/** 'Add Company', 'Edit Company': the form of a record over the page. */
export function RecordDialog<Values extends Record<string, string>>({
  name,
  isThere,
  conflict,
  verb = 'Add',
  children,
  ...form
}: RecordDialogProps<Values>) {
  const make = `${verb} ${name}`
  const submitLabel = isThere ? 'Save Changes' : make
  return (
    <FormDialog
      title={isThere ? `Edit ${name}` : make}
      submitLabel={conflict ? 'Overwrite with mine' : submitLabel}
      {...form}
    >
      {conflict && <VersionConflict {...conflict} />}
      {children}
    </FormDialog>
  )
}
