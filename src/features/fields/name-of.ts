import { valueAt } from '#domain/fields/field.ts'

/** The name of a contact or a company, or of the form of one. */
export function nameOf(record: object): string {
  return ['first_name', 'last_name', 'name']
    .map((name) => valueAt(record, name))
    .filter((part) => typeof part === 'string')
    .join(' ')
}
