import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type OwnKind, ownKinds } from '#domain/fields/own.ts'
import { fieldSchema } from '#domain/fields/own-form.ts'
import { type Choices, withFieldChanged } from '#domain/import-keep.ts'
import type { PlannedField } from '#domain/import-own.ts'
import type { ImportPlan } from '#domain/import-plan.ts'
import classes from './imports.module.css'

type NewFieldProps = {
  field: PlannedField
  /** The column that fills it. */
  column: string
  plan: ImportPlan
  onChange: (choices: Choices) => void
  onRename: (choices: Choices) => void
}

const kinds = Object.entries(ownKinds).map(([value, label]) => ({ value, label }))

/** Name and kind of a field that the import makes. */
export function NewField({ field, column, plan, onChange, onRename }: NewFieldProps) {
  const { id, name, kind } = field
  const [typed, setTyped] = useState(name)
  const taken = plan.own
    .filter((other) => other.record === field.record && other.id !== id)
    .map((other) => other.name)
  const named = fieldSchema(taken).safeParse({ name: typed, kind: 'text', options: [] })
  /** A name counts when it is written to its end. */
  function rename(): void {
    if (named.success && named.data.name !== name) {
      onRename(withFieldChanged(plan, id, { name: named.data.name }))
    }
  }
  return (
    <div className={classes.newField}>
      <TextInput
        aria-label={`Name of the new field for ${column}`}
        size="xs"
        value={typed}
        error={named.success ? null : named.error.issues[0]?.message}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={(event) => event.key === 'Enter' && rename()}
      />
      <NativeSelect
        aria-label={`Type of the new field for ${column}`}
        size="xs"
        data={kinds}
        value={kind}
        onChange={({ currentTarget: { value } }) => {
          // The choices above are the kinds.
          onChange(withFieldChanged(plan, id, { kind: value as OwnKind }))
        }}
      />
    </div>
  )
}
