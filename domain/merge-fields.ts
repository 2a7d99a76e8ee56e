import { z } from 'zod/mini'
import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import {
  type Fields,
  type Kind,
  ownPrefix,
  type ValueOf,
  valueAt,
  wordsFor,
} from './fields/field.ts'
import { textOf } from './fields/form.ts'
import { shownValue } from './fields/kinds.ts'
import { ownValues } from './fields/own-values.ts'
import { storedValue } from './fields/row.ts'
import { type MergeField, mergeable } from './merge.ts'

/** Choices are plain texts here: a stored value may no longer be a choice. */
type Merged<F extends Fields> = {
  [Name in keyof F & string as F[Name] extends { merge: string } ? Name : never]: z.ZodMiniType<
    F[Name] extends { kind: 'choice' } ? string : ValueOf<F[Name]>
  >
}

function mergedOf<F extends Fields>(fields: F): Merged<F> {
  const merged = Object.entries(fields)
    .filter(([, { merge }]) => merge)
    .map(([name, field]) => [name, field.kind === 'choice' ? z.string() : storedValue(field)])
  // An object that is made of entries has forgotten which name has which type.
  return Object.fromEntries(merged) as Merged<F>
}

/** A contact as it is compared with others. */
export const mergeContact = z.extend(mergeable, {
  custom: z.optional(ownValues),
  tags: z.optional(z.array(z.string())),
  ...mergedOf(contactFields),
  company_name: z.nullable(z.string()),
})

export type MergeContact = z.output<typeof mergeContact>

/** A company as it is compared with others. */
export const mergeCompany = z.extend(mergeable, {
  custom: z.optional(ownValues),
  tags: z.optional(z.array(z.string())),
  ...mergedOf(companyFields),
})

export type MergeCompany = z.output<typeof mergeCompany>

/** The fields that are chosen one by one in a merge, in the order of the form. */
export function mergeFieldsOf(fields: Fields): MergeField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { merge, usual, at = name, firstOf } = field
    if (!merge) return []
    // What the user named is called as typed.
    const label = isOwn(name) ? field.label : wordsFor(field)
    return [
      {
        name,
        label,
        shown: (row: object) =>
          isOwn(name) || shownOtherwise.includes(field.kind)
            ? shownValue(field, valueAt(row, name))
            : textOf(valueAt(row, at)),
        prefers: merge,
        ...(usual === undefined ? {} : { usual: String(usual) }),
        // Lists are united: the choice says which comes first.
        kept: firstOf ? null : `Other ${isOwn(name) ? label : label.toLowerCase()}`,
      },
    ]
  })
}

/** What is stored of these says little to people. */
const shownOtherwise: Kind[] = ['birthday', 'days before']

function isOwn(name: string): boolean {
  return name.startsWith(ownPrefix)
}
