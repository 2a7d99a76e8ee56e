import { Text, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { nameSchema } from '#domain/name.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'

export type NameDialogProps = {
  title: string
  /** An explanation below the title. */
  hint?: string
  submitLabel: string
  /** 'collection', 'view', 'template'. */
  kind: string
  name?: string
  /** Names that are in use. */
  taken: string[]
  /** Rejects after a failure, which it reports itself. */
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a name, for something new or in place of another. */
export function NameDialog({
  title,
  hint,
  submitLabel,
  kind,
  name = '',
  taken,
  onSave,
  onClose,
}: NameDialogProps) {
  const schema = useMemo(() => nameSchema(kind, taken), [kind, taken])
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: { name },
    async save(values) {
      await onSave(values.name)
      onClose()
    },
  })
  return (
    <FormDialog title={title} submitLabel={submitLabel} {...dialog} onClose={onClose}>
      {hint && <Text c="dimmed">{hint}</Text>}
      <TextInput
        label="Name"
        name="name"
        required
        withAsterisk={false}
        data-autofocus
        dir="auto"
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}
