import { contactCsvHeader } from './contact-csv.ts'
import { allDealFields, dealCsvHeader } from './deal-csv.ts'
import { csvHeader } from './fields/cells.ts'
import { companyFields } from './fields/companies.ts'

/** The first column in a file of rejected rows. */
export const rejectedColumn = 'Reason'

// An export of the visible columns has the contact in one column.
const dealColumns = new Set(dealCsvHeader([...allDealFields, 'contact']))
const [dealColumn] = dealCsvHeader(['name'])
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
 * Whether the app wrote this file, by its header. Only then an apostrophe before a formula is ours; in other files
 * somebody typed it.
 */
export function isOwnFile(header: string[]): boolean {
  return header[0]?.trim() === rejectedColumn || hasOwnWords(header)
}

/**
 * Whether the values are in our own words: true for our export and for rejected rows of it, false for rejected rows of
 * another program's file.
 */
export function hasOwnWords(header: string[]): boolean {
  const all = header.map((cell) => cell.trim())
  const names = all[0] === rejectedColumn ? all.slice(1) : all
  const hasAll = (columns: readonly string[]) => columns.every((name) => names.includes(name))
  if (hasAll(contactCsvHeader) || hasAll(companyColumns)) return true
  return names[0] === dealColumn && names.every((name) => dealColumns.has(name))
}
