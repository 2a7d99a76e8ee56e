import { SimpleGrid } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { Field, Fields } from '#domain/fields/field.ts'
import { FieldInput, type FieldInputOptions } from './field-input.tsx'
import classes from './field-inputs.module.css'
import { MoreFields } from './more-fields.tsx'

type FieldInputsProps = FieldInputOptions & {
  fields: Fields
  /** Fields that have a line for themselves, as every long text has. */
  wide?: readonly string[]
  /** What stands in the place of a field that is chosen or typed in a way of its own. */
  special?: Record<string, ReactNode>
  /** What stands beside the last fields. */
  children?: ReactNode
}

type Row = { isWide: boolean; fields: [name: string, field: Field][] }

/**
 * The fields of a record's form: two in a line where there is room, in the order of their definitions; those that few
 * people fill in after the others.
 */
export function FieldInputs({
  fields,
  wide = [],
  special = {},
  children,
  ...options
}: FieldInputsProps) {
  const shown = Object.entries(fields).filter(
    ([name, { edit }]) => edit === undefined || name in special,
  )
  const rare = shown.filter(([, { isRare }]) => isRare)
  const rows = rowsOf(
    shown.filter(([, { isRare }]) => !isRare),
    wide,
  )
  const inputOf = ([name, field]: Row['fields'][number]) => (
    <Fragment key={name}>
      {special[name] ?? (
        <FieldInput name={name} field={field} isFirst={name === shown[0]?.[0]} {...options} />
      )}
    </Fragment>
  )
  const grid = rows.map((row) => {
    const inputs = row.fields.map(inputOf)
    if (row.isWide) return inputs
    return (
      <SimpleGrid
        key={row.fields[0]?.[0]}
        cols={{ base: 1, xs: 2 }}
        spacing={16}
        className={classes.pair ?? ''}
      >
        {inputs}
        {row === rows.at(-1) && children}
      </SimpleGrid>
    )
  })
  const typed = rare.map(([name]) => options.form.getInputProps(name))
  return (
    <>
      {grid}
      {rare.length > 0 && (
        <MoreFields
          isFilled={typed.some(({ value }) => String(value ?? '').trim() !== '')}
          isWrong={typed.some(({ error }) => Boolean(error))}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16} className={classes.pair ?? ''}>
            {rare.map(inputOf)}
          </SimpleGrid>
        </MoreFields>
      )}
    </>
  )
}

function rowsOf(fields: Row['fields'], wide: readonly string[]): Row[] {
  const rows: Row[] = []
  for (const [name, field] of fields) {
    const isWide = wide.includes(name) || field.kind === 'long text'
    const last = rows.at(-1)
    if (last && !isWide && !last.isWide) last.fields.push([name, field])
    else rows.push({ isWide, fields: [[name, field]] })
  }
  return rows
}
