import { contactCsvHeader } from './contact-csv.ts'
import { allDealFields, dealCsvHeader, dealPeopleHeader, firstDealColumns } from './deal-csv.ts'
import { csvHeader } from './fields/cells.ts'
import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import { dealFields } from './fields/deals.ts'
import { type Fields, labelOf } from './fields/field.ts'
import type { ImportKind } from './import-headers.ts'

/** The first column in a file of rejected rows. */
export const rejectedColumn = 'Reason'

// An export of the visible columns has the contact in one column.
const dealColumns = new Set([...dealCsvHeader([...allDealFields, 'contact']), dealPeopleHeader])
const wholeDeals = dealCsvHeader(firstDealColumns)
const [dealColumn] = wholeDeals
// Those that every version of the app has written: a file that was made before a later field came is ours all the same.
const companyColumns = csvHeader(companyFields, [
  'name',
  'website',
  'industry',
  'location',
  'tags',
  'created',
  'emails',
  'phones',
  'addresses',
])

/**
 * Whether the app wrote this file, by its header; `own` are the names of the user's own fields. Only then an apostrophe before
 * a formula is ours; in other files somebody typed it.
 */
export function isOwnFile(header: string[], own: readonly string[] = []): boolean {
  return header[0]?.trim() === rejectedColumn || hasOwnWords(header, own)
}

/**
 * Whether the values are in our own words: true for our export and for rejected rows of it, false for rejected rows of
 * another program's file.
 */
export function hasOwnWords(header: string[], own: readonly string[] = []): boolean {
  const all = header.map((cell) => cell.trim())
  const names = all[0] === rejectedColumn ? all.slice(1) : all
  const hasAll = (columns: readonly string[]) => columns.every((name) => names.includes(name))
  if (hasAll(contactCsvHeader) || hasAll(companyColumns)) return true
  if (names[0] !== dealColumn) return false
  // Whatever the user's own fields are called: those of another account are not known here.
  if (wholeDeals.every((name, place) => names[place] === name)) return true
  return names.every((name) => dealColumns.has(name) || own.includes(name))
}

const fieldsOf: Record<ImportKind, Fields> = {
  contacts: contactFields,
  companies: companyFields,
  deals: dealFields,
}

/** Whether a column of our own file says what follows from other records, such as the next task: nothing can be imported of it. */
export function isComputed(kind: ImportKind, column: string): boolean {
  const fields = Object.values(fieldsOf[kind])
  return fields.some((field) => !field.import && labelOf(field, 'file') === column.trim())
}
