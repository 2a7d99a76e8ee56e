import { neutralised } from '#domain/csv.ts'
import { amountInCell } from '#domain/import-amount.ts'
import { type DayOrder, dayIn, momentIn } from '#domain/import-values.ts'
import type { Kind } from './field.ts'
import { type Field, type Fields, fieldOf, labelOf, valueAt } from './field.ts'

/** What a cell of a file says, or why it cannot be read. */
type Cell = { value: string | number } | { problem: string }

/** How each kind is read from a file and written to one; all others are texts. Only imports and exports load it. */
const cells: Partial<
  Record<
    Kind,
    {
      /** Null when the text is none of its kind. */
      read: (text: string, order: DayOrder) => string | number | null
      /** What a cell that cannot be read is not. */
      noun: string
      write: (value: unknown) => string
    }
  >
> = {
  number: { read: amountInCell, noun: 'a number', write: String },
  money: {
    read(text) {
      const amount = amountInCell(text)
      // More decimals than cents are a matter of the other product's arithmetic.
      return amount === null ? null : Math.round(amount * 100) / 100
    },
    noun: 'a number',
    write: (value) => Number(value).toFixed(2),
  },
  day: { read: dayIn, noun: 'a date that can be read', write: String },
  moment: {
    read: momentIn,
    noun: 'a date that can be read',
    write: (value) => new Date(String(value)).toISOString(),
  },
}

/** Reads what a cell says of a field. */
export function readCell(field: Field, text: string, order: DayOrder): Cell {
  const cell = cells[field.kind]
  if (!cell) return { value: text }
  const value = cell.read(text, order)
  if (value !== null) return { value }
  return { problem: `${labelOf(field, 'import')}: "${text}" is not ${cell.noun}.` }
}

/** The names over the columns of a file. */
export function csvHeader(fields: Fields, keys: readonly string[]): string[] {
  return keys.map((key) => labelOf(fieldOf(fields, key).field, 'file'))
}

/**
 * The cells of one row, safe to open in a spreadsheet: figures and days plain, what is missing empty.
 * `special` are the texts of what no single column tells.
 */
export function csvRow<Row extends object>(
  fields: Fields,
  keys: readonly string[],
  row: Row,
  special: Record<string, (row: Row) => string | null | undefined> = {},
): string[] {
  return keys.map((key) => {
    const { name, field } = fieldOf(fields, key)
    const value = special[key] ? special[key](row) : valueAt(row, field.at ?? name)
    if (value === null || value === undefined) return ''
    return neutralised((cells[field.kind]?.write ?? String)(value))
  })
}
