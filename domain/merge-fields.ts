import type { companyFields } from './fields/companies.ts'
import type { contactFields } from './fields/contacts.ts'
import { type Fields, type ValueOf, valueAt, wordsFor } from './fields/field.ts'
import { textOf } from './fields/form.ts'
import type { Mergeable, MergeField } from './merge.ts'

/** A choice may have been stored that is none any more. */
type Merged<F extends Fields> = {
  [Name in keyof F as F[Name] extends { merge: string } ? Name : never]: F[Name] extends {
    kind: 'choice'
  }
    ? string
    : ValueOf<F[Name]>
}

/** A contact as it is compared with others. */
export type MergeContact = Mergeable &
  Merged<typeof contactFields> & { company_name: string | null }

/** A company as it is compared with others. */
export type MergeCompany = Mergeable & Merged<typeof companyFields>

/** What is chosen field by field when several records become one, in the order of their form. */
export function mergeFieldsOf(fields: Fields): MergeField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { merge, usual, at = name } = field
    if (!merge) return []
    const label = wordsFor(field)
    return [
      {
        name,
        label,
        shown: (row: object) => textOf(valueAt(row, at)),
        prefers: merge,
        ...(usual === undefined ? {} : { usual: String(usual) }),
        kept: `Other ${label.toLowerCase()}`,
      },
    ]
  })
}
