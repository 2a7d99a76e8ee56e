import { type Field, type Fields, fieldOf, labelOf } from './field.ts'
import { kinds } from './kinds.ts'

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
