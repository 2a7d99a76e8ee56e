import type { companyFields } from './fields/companies.ts'
import type { contactFields } from './fields/contacts.ts'
import { type Fields, type ValueOf, valueAt, wordsFor } from './fields/field.ts'
import { textOf } from './fields/form.ts'
import type { Mergeable, MergeField } from './merge.ts'

/** Choices are plain texts here: a stored value may no longer be a choice. */
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

/** The fields that are chosen one by one in a merge, in the order of the form. */
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
