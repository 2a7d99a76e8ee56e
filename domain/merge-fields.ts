import { z } from 'zod/mini'
import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import {
  type AnyEntry,
  entriesOf,
  entryKey,
  isBlankEntry,
  isPostal,
  type ListKind,
  listsOf,
  mostEntries,
} from './fields/entries.ts'
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
import { isSameValue, type MergeField, mergeable } from './merge.ts'

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

/** The lists of a record, of which nothing is chosen: the one that stays gets those of all. */
function listsIn(fields: Fields): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    listsOf(fields).map(([name, field]) => [name, z.optional(storedValue(field))]),
  )
}

/** A contact as it is compared with others. */
export const mergeContact = z.extend(mergeable, {
  ...listsIn(contactFields),
  custom: z.optional(ownValues),
  tags: z.optional(z.array(z.string())),
  ...mergedOf(contactFields),
  company_name: z.nullable(z.string()),
})

export type MergeContact = z.output<typeof mergeContact>

/** A company as it is compared with others. */
export const mergeCompany = z.extend(mergeable, {
  ...listsIn(companyFields),
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
    const label = wordsFor(field)
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

const nouns: Record<ListKind, string> = {
  emails: 'emails',
  phones: 'phone numbers',
  links: 'links',
  addresses: 'addresses',
}

/**
 * What the merged record has more of than a list can hold, a sentence for each list; SQL puts the others where `place` says
 * (`private.merged_lists`).
 */
export function beyondLists(fields: Fields, rows: object[], place: string): string[] {
  return listsOf(fields).flatMap(([name, { kind }]) => {
    const united: AnyEntry[] = []
    for (const entry of rows.flatMap((row) => entriesOf(Reflect.get(row, name)))) {
      if (isBlankEntry(entry) || united.some((each) => isSameEntry(kind, each, entry))) continue
      united.push(entry)
    }
    if (united.length <= mostEntries) return []
    return [
      `Of ${united.length} ${nouns[kind]}, ${mostEntries} stay in the list and ${united.length - mostEntries} go into ${place}.`,
    ]
  })
}

function isSameEntry(kind: ListKind, one: AnyEntry, other: AnyEntry): boolean {
  if (entryKey(one) === entryKey(other)) return true
  if (kind !== 'phones' || isPostal(one) || isPostal(other)) return false
  return isSameValue(one.value, other.value)
}

/** What is stored of these says little to people. */
const shownOtherwise: Kind[] = ['birthday', 'days before']

function isOwn(name: string): boolean {
  return name.startsWith(ownPrefix)
}
