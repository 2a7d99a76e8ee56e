import { contactCsvHeader } from './contact-csv.ts'
import { allDealFields, dealCsvHeader } from './deal-csv.ts'

/** The first column of the rows that an import rejected and that were saved. */
export const rejectedColumn = 'Reason'

// Of a list that is exported as it is shown, the contact stands in one column.
const dealColumns = new Set(dealCsvHeader([...allDealFields, 'contact']))
const [dealColumn] = dealCsvHeader(['name'])

/**
 * True for a file that the app itself has written, told by its header. Only there an apostrophe
 * before a formula is the app's; in any other file somebody typed it.
 */
export function isOwnFile(header: string[]): boolean {
  return header[0]?.trim() === rejectedColumn || hasOwnWords(header)
}

/**
 * True for our own export, also for rows of it that were rejected: its words are ours. The rejected rows
 * of another program's file keep that program's words.
 */
export function hasOwnWords(header: string[]): boolean {
  const all = header.map((cell) => cell.trim())
  const names = all[0] === rejectedColumn ? all.slice(1) : all
  if (contactCsvHeader.every((name) => names.includes(name))) return true
  return names[0] === dealColumn && names.every((name) => dealColumns.has(name))
}
