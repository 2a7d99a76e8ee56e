import { TextInput } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { dealSchema } from '#domain/fields/record-forms.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'

const schema = dealSchema().pick({ expected_close_date: true })

type CloseDateDialogProps = {
  count: number
  /** Rejects after a failure, which has been reported by then. */
  onSet: (day: string | null) => Promise<unknown>
  onClose: () => void
}

/** Asks for the expected close of many deals; empty removes it. */
export function CloseDateDialog({ count, onSet, onClose }: CloseDateDialogProps) {
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: { expected_close_date: '' },
    async save({ expected_close_date }) {
      await onSet(expected_close_date)
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Set expected close for ${counted(count, 'deal')}`}
      submitLabel="Set expected close"
      {...dialog}
      onClose={onClose}
      size={360}
    >
      <TextInput
        label="Expected Close Date"
        description="Leave empty to clear the date."
        name="expected_close_date"
        type="date"
        data-autofocus
        {...form.getInputProps('expected_close_date')}
      />
    </FormDialog>
  )
}
