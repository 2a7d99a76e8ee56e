import { TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { localTimeOf } from '#domain/local-time.ts'
import { rescheduleSchema } from '#domain/task-form.ts'
import { useFormTimeZone } from '#features/preferences/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'

type DueDateDialogProps = {
  title: string
  submitLabel: string
  /** What it is now. */
  dueDate: string | null
  /** Rejects when it failed; the user has been told then. */
  onSet: (dueDate: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a new due date, of one task or of many. */
export function DueDateDialog({ title, submitLabel, dueDate, onSet, onClose }: DueDateDialogProps) {
  const timeZone = useFormTimeZone(dueDate !== null)
  const schema = useMemo(() => rescheduleSchema(timeZone), [timeZone])
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: { due_date: dueDate ? localTimeOf(dueDate, timeZone) : '' },
    async save({ due_date }) {
      await onSet(due_date)
      onClose()
    },
  })
  return (
    <FormDialog title={title} submitLabel={submitLabel} {...dialog} onClose={onClose} size={360}>
      <TextInput
        label="Due Date"
        name="due_date"
        type="datetime-local"
        data-autofocus
        {...form.getInputProps('due_date')}
      />
    </FormDialog>
  )
}
