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
  return names[0] === dealFieldNames.name && names.every((name) => dealColumns.has(name))
}
