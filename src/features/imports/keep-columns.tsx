import { Button, Text } from '@mantine/core'
import { counted } from '#domain/counted.ts'
import { shownNumber } from '#domain/figures.ts'
import { type ImportKind, type ImportMapping, importKinds } from '#domain/import-headers.ts'
import {
  allKept,
  type Choices,
  hasRoom,
  labelledNotes,
  mostFields,
  noneKept,
} from '#domain/import-keep.ts'
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
  const made = plan.mapping.flatMap((name) => {
    const field = plannedField(plan.own, name)
    return field?.isNew ? [field.record] : []
  })
  const unknown = leftOut(columns, plan.mapping)
  if (made.length === 0 && unknown === 0) return null
  const all = allKept(plan, columns, newId)
  const fitting = unknown - leftOut(columns, all.mapping)
  return (
    <div className={classes.keep}>
      <Text size="sm">{words(plan, made, unknown, unknown > fitting)}</Text>
      {fitting > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => onChange(all)}>
          {unknown === 1 ? 'Keep as a field' : `Keep all ${fitting} as fields`}
        </Button>
      )}
      {made.length > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onChange(noneKept(plan, labelledNotes))}
        >
          Add to notes
        </Button>
      )}
      {made.length > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => onChange(noneKept(plan, null))}>
          Don’t import
        </Button>
      )}
    </div>
  )
}

/** How many columns hold something that is not imported. */
function leftOut(columns: Column[], mapping: ImportMapping): number {
  return columns.filter(({ isFilled }, place) => isFilled && mapping[place] === null).length
}

/** '3 unknown columns become new fields: 2 for deals, 1 for contacts.' */
function words(
  { kind: of, own }: ImportPlan,
  made: ImportKind[],
  unknown: number,
  isCut: boolean,
): string {
  const isFull = isCut || !hasRoom(own, of)
  const counts = importKinds
    .map((kind) => ({ kind, count: made.filter((each) => each === kind).length }))
    .filter(({ count }) => count > 0)
  const whose = counts.some(({ kind }) => kind !== of)
    ? `: ${counts.map(({ kind, count }) => `${shownNumber(count)} for ${kind}`).join(', ')}`
    : ''
  const becomes =
    made.length === 0
      ? ''
      : `${counted(made.length, 'unknown column')} ${made.length === 1 ? 'becomes a new field' : 'become new fields'}${whose}.`
  const rest = unknown === 0 ? '' : `${counted(unknown, 'unknown column')} won’t be imported.`
  const full = isFull ? `You’ve reached the limit of ${mostFields} custom fields.` : ''
  return [becomes, rest, full].filter(Boolean).join(' ')
}
