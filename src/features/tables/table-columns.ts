import type { ReactNode } from 'react'
import { isListKind, isTextList } from '#domain/fields/entries.ts'
import { type Fields, isField } from '#domain/fields/field.ts'
import { isOwnName, type OwnKey, ownKeys } from '#domain/fields/own.ts'
import { fieldColumns } from '#features/fields/index.ts'
import type { Column } from '#ui/data-table.tsx'

/** What the table knows when it makes its columns. */
export type ColumnsOptions<Row, Key extends string> = {
  /** Beside the record itself. */
  shown: (Key | OwnKey)[]
  own: Fields
  linkTo: (row: Row) => string
  /** Begins to edit a cell. */
  onEditCell: (row: Row, name: string, pencil: HTMLElement) => void
  /** Opens the form of a row: the lines of a postal address have no room in a cell. */
  onEdit: (row: Row) => void
  timeZone: string
}

type TableDefinition<Row, Key extends string, Known extends Fields> = {
  /** The column of the record itself. */
  record: {
    key: string
    header: string
    width: number
    grow?: number
    cell: (row: Row, to: string) => ReactNode
  }
  fields: Known
  sorts: readonly string[]
  /** What is edited in its cell, beside the user's own fields. */
  edited: readonly (keyof Known)[]
  nameOf: (row: Row) => string
  /** The cells of what is shown in a way of its own. */
  special?: Partial<Record<Key | OwnKey, (row: Row) => ReactNode>>
}

/** The columns of a table of records: the record itself, and what was chosen. */
export function tableColumns<Row extends object, Key extends string, Known extends Fields>(
  { record, fields, sorts, edited, nameOf, special = {} }: TableDefinition<Row, Key, Known>,
  { shown, own, linkTo, onEditCell, onEdit, timeZone }: ColumnsOptions<Row, Key>,
): Column<Row>[] {
  const all: Fields = { ...fields, ...own }
  return [
    { grow: 4, ...record, sort: 'name', cell: (row) => record.cell(row, linkTo(row)) },
    ...fieldColumns<Row, Key | OwnKey>({
      fields: all,
      // Own fields may not be read yet.
      shown: shown.filter((key) => isField(all, key)),
      sorts: [...sorts, ...ownKeys(own)],
      timeZone,
      editing: {
        isEdited: (name, { kind }) =>
          isOwnName(name) || edited.some((each) => each === name) || isListKind(kind),
        nameOf,
        onEdit(row, name, pencil) {
          const field = all[name]
          if (field && isListKind(field.kind) && !isTextList(field.kind)) onEdit(row)
          else onEditCell(row, name, pencil)
        },
      },
      special,
    }),
  ]
}
