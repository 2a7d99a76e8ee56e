import { useMemo, useState } from 'react'
import { counted } from '#domain/counted.ts'
import { type Field, type Fields, ownPrefix, valueAt } from '#domain/fields/field.ts'
import { blankOf, schemaWithOwn } from '#domain/fields/form.ts'
import type { OwnRecord } from '#domain/fields/own.ts'
import type { OwnChanges } from '#domain/fields/own-values.ts'
import { FieldInput } from '#features/fields/index.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { TypedSelect } from '#ui/typed-select.tsx'
import { useOwnFields } from './queries.ts'
import { recordNames } from './record-names.ts'

type SetFieldDialogProps = {
  record: OwnRecord
  count: number
  /** Rejects after a failure, which has been reported by then. */
  onSet: (changes: OwnChanges) => Promise<unknown>
  /** Fields of the product that can be set too; `onSet` is called as the other one. */
  beside?: { fields: Fields; onSet: (changes: Record<string, unknown>) => Promise<unknown> }
  onClose: () => void
}

const none: Fields = {}

/** Which fields they are is known at run time only. */
type Unnamed = Record<never, Field>

/** Asks for the value of one field for many records; empty removes it. */
export function SetFieldDialog(props: SetFieldDialogProps) {
  const { record, count, onSet, beside, onClose } = props
  const { own } = useOwnFields(record)
  const ours = beside?.fields ?? none
  const fields: Fields = { ...ours, ...own }
  const [chosen, setChosen] = useState<string | null>(null)
  const name = chosen ?? Object.keys(fields)[0] ?? ''
  const field = fields[name]
  const schema = useMemo(() => schemaWithOwn<Unnamed>(ours, own), [ours, own])
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: { ...blankOf<Unnamed>(ours), custom: {} as Record<string, unknown> },
    async save(values) {
      const id = name.slice(ownPrefix.length)
      await (name in ours
        ? beside?.onSet({ [name]: valueAt(values, name) })
        : onSet({ [id]: values.custom[id] ?? null }))
      onClose()
    },
  })
  const { one, many } = recordNames[record]
  return (
    <FormDialog
      title={`Set field for ${counted(count, one, many)}`}
      submitLabel="Set field"
      {...dialog}
      onClose={onClose}
      size={400}
    >
      <TypedSelect
        label="Field"
        noun="field"
        data={Object.entries(fields).map(([value, { label }]) => ({ value, label }))}
        value={name}
        onChoose={({ value }) => setChosen(value)}
        allowDeselect={false}
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
