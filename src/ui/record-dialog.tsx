import type { ReactNode, Ref } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { VersionConflict } from './version-conflict.tsx'

type RecordDialogProps<Values extends Record<string, string>> = {
  /** 'Company', for titles and buttons. */
  name: string
  /** Whether an existing record is edited. */
  isThere: boolean
  isDirty: boolean
  isSaving: boolean
  onSubmit: () => void
  onClose: () => void
  formRef: Ref<HTMLFormElement>
  /** Set when another window has saved the same record. */
  conflict: {
    fields: Record<keyof Values & string, string>
    mine: Values
    theirs: Values
    onTakeTheirs: () => void
  } | null
  isCovered?: boolean
  size?: number
  /** The verb for a new record. */
  verb?: 'Add' | 'Create' | 'Create New'
  /** Stands above the buttons. */
  notice?: ReactNode
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
