import { type Field, type Fields, fieldOf, labelOf, valueAt } from './field.ts'
import { kinds } from './kinds.ts'
import { byKey, type SortKey } from './sort-key.ts'

/**
 * The order of a list, as the database has it: see `private.list_orders`. `special` are the keys of what no
 * single column tells.
 */
export function listOrder<Row extends { id: string }>(
  fields: Fields,
  sort: string,
  descending: boolean,
  special: Record<string, (row: Row) => SortKey> = {},
): (one: Row, other: Row) => number {
  const { name, field } = fieldOf(fields, sort)
  const told = (row: Row) => kinds[field.kind].sortKey(valueAt(row, field.at ?? name), field)
  return byKey(special[sort] ?? told, descending)
}

/** What a list can be sorted by, as its menu shows it. */
export function sortOptions<Sort extends string>(fields: Fields, sorts: readonly Sort[]) {
  return sorts.map((value) => {
    const { field } = fieldOf(fields, value)
    return { value, label: labelOf(field, 'column'), ...directionsOf(field) }
  })
}

function directionsOf({ kind, sort = {} }: Field): { asc: string; desc: string } {
  const { asc, desc } = kinds[kind].directions
  return { asc: sort.asc ?? asc, desc: sort.desc ?? desc }
}

/** The sorts where the newest or the most, not the first letter, is what people look for. */
export function mostFirstOf<Sort extends string>(fields: Fields, sorts: readonly Sort[]): Sort[] {
  return sorts.filter((sort) => fieldOf(fields, sort).field.sort?.first === 'desc')
}

/** What columns are called, by their keys. */
export function columnLabels<Key extends string>(fields: Fields, columns: readonly Key[]) {
  return columns.map((key) => ({ key, label: labelOf(fieldOf(fields, key).field, 'column') }))
}
