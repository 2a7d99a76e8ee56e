import { useMemo } from 'react'
import { type Due, dueInputOf, rescheduleSchema } from '#domain/due-date-form.ts'
import { useFormTimeZone } from '#features/preferences/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { DueFields } from './due-fields.tsx'

/** A due date that is set. */
export type NewDue = Due & { due_date: string }

type DueDateDialogProps = {
  title: string
  /** The name of the task, where it is one. */
  about?: string
  submitLabel: string
  /** The current due date. */
  due: Due
  /** Rejects after a failure, which has been reported by then. */
  onSet: (due: NewDue) => Promise<unknown>
  onClose: () => void
}

/** Asks for a new due date, of one task or of many. */
export function DueDateDialog(props: DueDateDialogProps) {
  const { title, about, submitLabel, due, onSet, onClose } = props
  const timeZone = useFormTimeZone(due.due_date !== null)
  const schema = useMemo(() => rescheduleSchema(timeZone), [timeZone])
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: dueInputOf(due, timeZone),
    async save(set) {
      await onSet(set)
      onClose()
    },
  })
  return (
    <FormDialog
      title={title}
      about={about}
      submitLabel={submitLabel}
      {...dialog}
      onClose={onClose}
      size={360}
    >
      <DueFields
        day={form.getInputProps('due_date')}
        time={form.getInputProps('due_time')}
        onDay={(day) => form.setFieldValue('due_date', day)}
        isFirst
      />
    </FormDialog>
  )
}
