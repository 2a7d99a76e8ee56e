import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { type ImportKind, importFields } from '#domain/import-headers.ts'
import {
  type Choices,
  hasRoom,
  keptAsField,
  labelledNotes,
  withChoice,
} from '#domain/import-keep.ts'
import { mappedName, plannedField } from '#domain/import-own.ts'
import type { ImportPlan } from '#domain/import-plan.ts'
import {
  kindOfSide,
  plainField,
  sideLabels,
  sideName,
  sideOf,
  sides,
} from '#domain/import-sides.ts'
import { newId } from '#lib/new-id.ts'
import classes from './imports.module.css'
import type { Column } from './interpret-rows.ts'
import { NewField } from './new-field.tsx'

type ColumnTableProps = {
  columns: Column[]
  plan: ImportPlan
  onChange: (choices: Choices) => void
  /** A new field got another name, and nothing else changed. */
  onRename: (choices: Choices) => void
}

/** How many columns are shown at first that no field of ours or of the user's takes. */
const usual = 30

/** The choice that makes a field. */
const keep = 'keep'

/** Which column fills which field. */
export function ColumnTable({ columns, plan, onChange, onRename }: ColumnTableProps) {
  const [shown, setShown] = useState(usual)
  const isShown = (place: number) => place < shown || isKnown(plan, place)
  const hidden = columns.filter((_, place) => !isShown(place)).length
  return (
    <>
      <table className={classes.columns}>
        <thead>
          <tr>
            <th>Column</th>
            <th>For example</th>
            <th>Field</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, place) => {
            return (
              isShown(place) && (
                <ColumnRow
                  key={column.name}
                  column={column}
                  place={place}
                  plan={plan}
                  onChange={onChange}
                  onRename={onRename}
                />
              )
            )
          })}
        </tbody>
      </table>
      {hidden > 0 && (
        <Button variant="subtle" mt="sm" onClick={() => setShown(shown + 50)}>
          Show more of the {hidden} other columns
        </Button>
      )}
    </>
  )
}

/** Whether a column fills a field that is there. */
function isKnown({ mapping, own }: ImportPlan, place: number): boolean {
  const field = mapping[place] ?? null
  return field !== null && plainField(field) !== labelledNotes && !plannedField(own, field)?.isNew
}

type ColumnRowProps = {
  column: Column
  place: number
  plan: ImportPlan
  onChange: (choices: Choices) => void
  /** A new field got another name, and nothing else changed. */
  onRename: (choices: Choices) => void
}

function ColumnRow({ column, place, plan, onChange, onRename }: ColumnRowProps) {
  const { name, samples } = column
  const field = plan.mapping[place] ?? ''
  const planned = plannedField(plan.own, field)
  return (
    <tr>
      <td className={classes.columnName} title={name}>
        {name}
      </td>
      <td className={classes.quiet} title={samples.join(' · ')}>
        {samples.join(' · ') || '–'}
      </td>
      <td>
        <NativeSelect
          aria-label={`Field of ${name}`}
          classNames={field === '' ? { input: classes.unused ?? '' } : {}}
          data={choicesOf(plan, planned?.isNew ? field : null)}
          value={field}
          onChange={({ currentTarget: { value } }) =>
            onChange(
              plainField(value) === keep
                ? keptAsField(plan, place, column, newId(), sideOf(value)?.side)
                : withChoice(plan, place, value || null),
            )
          }
        />
        {planned?.isNew && (
          <NewField
            key={planned.id}
            field={planned}
            column={name}
            plan={plan}
            onChange={onChange}
            onRename={onRename}
          />
        )}
      </td>
    </tr>
  )
}

/** What a column may become; `made` is the new field that it has become. */
function choicesOf({ kind, own }: ImportPlan, made: string | null) {
  const known = own.filter(({ isNew }) => !isNew)
  const ofRecords = (record: ImportKind) =>
    known
      .filter((field) => field.record === record)
      .map((field) => ({ value: mappedName(kind, field), label: field.name }))
  const fields = ofRecords(kind)
  const all = Object.entries(importFields[kind]).map(([value, label]) => ({ value, label }))
  return [
    { value: '', label: 'Don’t import' },
    made && sideOf(made) === null
      ? { value: made, label: 'New field' }
      : { value: keep, label: 'Keep as a field', disabled: !hasRoom(own, kind) },
    { value: labelledNotes, label: 'Notes, labeled with the column name' },
    { group: 'Fields', items: all.filter(({ value }) => sideOf(value) === null) },
    ...(kind === 'deals' ? sides : []).map((side) => ({
      group: `${side === 'contact' ? 'Contact' : 'Company'} fields`,
      items: [
        made && sideOf(made)?.side === side
          ? { value: made, label: `${sideLabels[side]}: New field` }
          : {
              value: sideName(side, keep),
              label: `${sideLabels[side]}: Keep as a field`,
              disabled: !hasRoom(own, kindOfSide[side]),
            },
        ...all.filter(({ value }) => sideOf(value)?.side === side),
        ...ofRecords(kindOfSide[side]).map(({ value, label }) => ({
          value,
          label: `${sideLabels[side]}: ${label}`,
        })),
        {
          value: sideName(side, labelledNotes),
          label: `${sideLabels[side]}: Notes, labeled with the column name`,
        },
      ],
    })),
    ...(fields.length > 0 ? [{ group: 'Custom fields', items: fields }] : []),
  ]
}
