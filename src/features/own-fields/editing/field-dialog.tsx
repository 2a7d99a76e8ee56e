import { Select, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { counted } from '#domain/counted.ts'
import {
  hasOptions,
  type OwnField,
  type OwnKind,
  type OwnOption,
  type OwnRecord,
  ownKinds,
} from '#domain/fields/own.ts'
import { fieldInput, fieldSchema } from '#domain/fields/own-form.ts'
import { newId } from '#lib/new-id.ts'
import { useRecordForm } from '#lib/use-record-form.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { useFieldRows } from '../queries.ts'
import { recordNames } from '../record-names.ts'
import { OptionsEditor } from './options-editor.tsx'
import { readOptionCounts, useChangeField, useCreateField } from './queries.ts'

type FieldDialogProps = {
  record: OwnRecord
  /** The field to edit; undefined for a new one. */
  field?: OwnField
  /** Gets the id of a new field. */
  onMade?: (id: string) => void
  onClose: () => void
}

const kindChoices = Object.entries(ownKinds).map(([value, label]) => ({ value, label }))

/** Makes a field, or changes its name and options. */
export function FieldDialog({ record, field, onMade, onClose }: FieldDialogProps) {
  const { rows } = useFieldRows()
  const create = useCreateField()
  const change = useChangeField()
  // One id for all tries, so that a lost answer never creates two fields.
  const [id] = useState(newId)
  const taken = rows
    .filter((other) => other.record === record && other.id !== field?.id && other.id !== id)
    .map(({ name }) => name)
    .join('\n')
  const schema = useMemo(() => fieldSchema(taken.split('\n')), [taken])
  const { form, dialog } = useRecordForm({
    schema,
    initialValues: fieldInput(field),
    async save({ name, kind, options }) {
      if (!field) {
        await create({ id, record, name, kind, options })
        onMade?.(id)
      } else {
        if (!(await mayRemove(field, options))) return
        // What is as it was stays as another window may have made it.
        const changes = {
          ...(name === field.name ? {} : { name }),
          ...(hasOptions(kind) && !areSame(options, field.options) ? { options } : {}),
        }
        if (Object.keys(changes).length > 0) {
          await change({ field, changes, done: `${name} saved` })
        }
      }
      onClose()
    },
  })
  const { kind, options } = form.values
  return (
    <FormDialog
      title={field ? 'Edit field' : `Add field to ${recordNames[record].many}`}
      submitLabel={field ? 'Save field' : 'Add field'}
      {...dialog}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        name="name"
        required
        withAsterisk={false}
        data-autofocus
        dir="auto"
        autoComplete="off"
        placeholder="Contract end"
        {...form.getInputProps('name')}
      />
      <Select
        label="Type"
        name="kind"
        data={kindChoices}
        allowDeselect={false}
        maxDropdownHeight={320}
        disabled={field !== undefined}
        {...(field ? { description: 'The type can’t be changed.' } : {})}
        {...form.getInputProps('kind')}
      />
      {hasOptions(kind as OwnKind) && (
        <OptionsEditor
          options={options}
          errorOf={(index) => form.errors[`options.${index}.name`]}
          onChange={(next) => form.setFieldValue('options', next)}
        />
      )}
      {form.errors.options && <Text c="red">{form.errors.options}</Text>}
    </FormDialog>
  )
}

function areSame(options: readonly OwnOption[], others: readonly OwnOption[]): boolean {
  return (
    options.length === others.length &&
    options.every(({ id, name, color }, place) => {
      const other = others[place]
      return other?.id === id && other.name === name && other.color === color
    })
  )
}

/** Asks before an option is removed that records hold. */
async function mayRemove(field: OwnField, kept: { id: string }[]): Promise<boolean> {
  const removed = field.options.filter(({ id }) => !kept.some((option) => option.id === id))
  if (removed.length === 0) return true
  // Unknown counts must not keep the user from saving: then the question has none.
  const counts = await readOptionCounts(field.id).catch(() => null)
  const used = removed.filter(({ id }) => counts === null || (counts[id] ?? 0) > 0)
  if (used.length === 0) return true
  const { one, many } = recordNames[field.record]
  const words = used.map(({ id, name }) =>
    counts ? `“${name}” (${counted(counts[id] ?? 0, one, many)})` : `“${name}”`,
  )
  return confirmAction({
    title: used.length === 1 ? 'Remove this option?' : 'Remove these options?',
    body: `${words.join(', ')} will be cleared from those records. You can undo this.`,
    confirm: 'Remove',
    isDangerous: true,
  })
}
