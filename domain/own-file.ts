import { contactCsvHeader } from './contact-csv.ts'
import { dealFieldNames } from './deal-fields.ts'

/** The first column of the rows that an import rejected and that were saved. */
export const rejectedColumn = 'Reason'

const dealColumns = new Set<string>(Object.values(dealFieldNames))

/**
 * True for a file that the app itself has written, told by its header. Only there an apostrophe
 * before a formula is the app's; in any other file somebody typed it.
 */
export function isOwnFile(header: string[]): boolean {
  const names = header.map((cell) => cell.trim())
  if (names[0] === rejectedColumn) return true
  if (contactCsvHeader.every((name) => names.includes(name))) return true
  return names[0] === dealFieldNames.name && names.every((name) => dealColumns.has(name))
}
