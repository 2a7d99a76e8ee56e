import { Select } from '@mantine/core'
import { useMemo, useState } from 'react'
import { counted } from '#domain/counted.ts'
import { ownPrefix } from '#domain/fields/field.ts'
import { schemaWithOwn } from '#domain/fields/form.ts'
import type { OwnRecord } from '#domain/fields/own.ts'
import type { OwnChanges } from '#domain/fields/own-values.ts'
import { FieldInput } from '#features/fields/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useOwnFields } from './queries.ts'
import { recordNames } from './record-names.ts'

type SetFieldDialogProps = {
  record: OwnRecord
  count: number
  /** Rejects after a failure, which has been reported by then. */
  onSet: (changes: OwnChanges) => Promise<unknown>
  onClose: () => void
}

/** Asks for the value of one field for many records; empty removes it. */
export function SetFieldDialog({ record, count, onSet, onClose }: SetFieldDialogProps) {
  const { own } = useOwnFields(record)
  const [chosen, setChosen] = useState<string | null>(null)
  const name = chosen ?? Object.keys(own)[0] ?? ''
  const field = own[name]
  const schema = useMemo(() => schemaWithOwn({}, own), [own])
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: { custom: {} as Record<string, unknown> },
    async save({ custom }) {
      const id = name.slice(ownPrefix.length)
      await onSet({ [id]: custom[id] ?? null })
      onClose()
    },
  })
  const { one, many } = recordNames[record]
  return (
    <FormDialog
      title={`Set a field of ${counted(count, one, many)}`}
      submitLabel="Set field"
      {...dialog}
      onClose={onClose}
      size={400}
    >
      <Select
        label="Field"
        data={Object.entries(own).map(([value, { label }]) => ({ value, label }))}
        value={name}
        onChange={setChosen}
        allowDeselect={false}
        searchable={Object.keys(own).length > 8}
        data-autofocus
      />
      {field && (
        <FieldInput
          key={name}
          name={name}
          field={{ ...field, label: 'Value' }}
          form={form}
          isFirst={false}
          description="Leave empty to clear the value."
        />
      )}
    </FormDialog>
  )
}
