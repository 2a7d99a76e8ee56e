import { ActionIcon, Checkbox, Input, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { wordsFor } from '#domain/fields/field.ts'
import { ownFields } from '#domain/fields/own.ts'
import { type AskedField, leadFields, mostFields } from '#domain/lead-form.ts'
import { moved } from '#domain/moved.ts'
import { MoveButtons } from '#ui/move-buttons.tsx'
import { TypedSelect } from '#ui/typed-select.tsx'
import { useContactFields } from './contact-fields.ts'
import classes from './leads.module.css'

type FieldsEditorProps = {
  fields: AskedField[]
  error: ReactNode
  onChange: (fields: AskedField[]) => void
}

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** Which fields a form asks for, in which order, under which labels. */
export function FieldsEditor({ fields, error, onChange }: FieldsEditorProps) {
  const own = ownFields(useContactFields(), 'contacts')
  const known = { ...leadFields, ...own }
  const left = Object.entries(known).filter(([name]) => fields.every((each) => each.name !== name))
  function set(place: number, changes: Partial<AskedField>): void {
    onChange(fields.map((field, at) => (at === place ? { ...field, ...changes } : field)))
  }
  return (
    <fieldset className={classes.fields}>
      <legend className={classes.label}>Fields</legend>
      <ol className={classes.rows}>
        {fields.map((field, place) => (
          <li key={field.name} className={classes.row}>
            <TextInput
              aria-label={`Label of ${known[field.name]?.label ?? 'a deleted field'}`}
              value={field.label}
              maxLength={100}
              error={field.label.trim() === '' && 'A label is required.'}
              onChange={(event) => set(place, { label: event.currentTarget.value })}
              className={classes.grow ?? ''}
            />
            <Checkbox
              label="Required"
              aria-label={`${field.label} is required`}
              checked={field.is_required}
              onChange={(event) => set(place, { is_required: event.currentTarget.checked })}
            />
            <span className={classes.buttons}>
              <MoveButtons
                name={field.label}
                index={place}
                count={fields.length}
                onMove={(to) => onChange(moved(fields, place, to))}
              />
              <ActionIcon
                aria-label={`Remove ${field.label}`}
                onClick={() => onChange(fields.filter((_, at) => at !== place))}
              >
                <IconX {...icon} />
              </ActionIcon>
            </span>
          </li>
        ))}
      </ol>
      {left.length > 0 && fields.length < mostFields && (
        <TypedSelect
          aria-label="Add field"
          placeholder="Add field"
          noun="field"
          data={left.map(([value, field]) => ({ value, label: wordsFor(field) }))}
          value={null}
          onChoose={({ value, label }) =>
            onChange([...fields, { name: value, label, is_required: false }])
          }
        />
      )}
      {error && <Input.Error mt={6}>{error}</Input.Error>}
    </fieldset>
  )
}
