import { Button, Text } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { allKept, type Choices, labelledNotes, mostFields, noneKept } from '#domain/import-keep.ts'
import { plannedField } from '#domain/import-own.ts'
import type { ImportPlan } from '#domain/import-plan.ts'
import { newId } from '#lib/new-id.ts'
import classes from './imports.module.css'
import type { Column } from './interpret-rows.ts'

type KeepColumnsProps = {
  columns: Column[]
  plan: ImportPlan
  onChange: (choices: Choices) => void
}

/** Says how many columns become fields of the user's own, and changes it for all of them at once. */
export function KeepColumns({ columns, plan, onChange }: KeepColumnsProps) {
  const made = plan.mapping.filter((field) => plannedField(plan.own, field)?.isNew).length
  const unknown = columns.filter(
    ({ isFilled }, place) => isFilled && plan.mapping[place] === null,
  ).length
  const room = mostFields - plan.own.length
  if (made === 0 && unknown === 0) return null
  return (
    <div className={classes.keep}>
      <Text size="sm">{words(made, unknown, room)}</Text>
      {unknown > 0 && room > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onChange(allKept(plan, columns, newId))}
        >
          {unknown === 1 ? 'Keep as a field' : `Keep all ${Math.min(unknown, room)} as fields`}
        </Button>
      )}
      {made > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onChange(noneKept(plan, labelledNotes))}
        >
          Add to notes
        </Button>
      )}
      {made > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => onChange(noneKept(plan, null))}>
          Don’t import
        </Button>
      )}
    </div>
  )
}

function words(made: number, unknown: number, room: number): string {
  const becomes =
    made === 0
      ? ''
      : `${counted(made, 'unknown column')} ${made === 1 ? 'becomes a new field' : 'become new fields'}.`
  const rest = unknown === 0 ? '' : `${counted(unknown, 'unknown column')} won’t be imported.`
  const full = room <= 0 ? `You’ve reached the limit of ${mostFields} custom fields.` : ''
  return [becomes, rest, full].filter(Boolean).join(' ')
}
