import type { OwnField } from '#domain/fields/own.ts'
import { useFieldRows } from '#features/own-fields/index.ts'

/** The fields that the user added to contacts, in their order. */
export function useContactFields(): OwnField[] {
  const { rows } = useFieldRows()
  return rows
    .filter(({ record }) => record === 'contacts')
    .toSorted((one, other) => one.position - other.position)
}
