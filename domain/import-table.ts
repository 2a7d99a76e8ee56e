import { amountInCell } from './import-amount.ts'
import { importKinds, knownColumns } from './import-headers.ts'

/** Whether a cell holds what no header is called: an e-mail address, a phone number or another number. */
export function isContactData(cell: string): boolean {
  const text = cell.trim()
  // A year may well head a column.
  if (/^(?:19|20)\d\d$/.test(text)) return false
  const isPhone = /^\+?[\d\s()./-]+$/.test(text) && /\d/.test(text)
  return isPhone || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) || amountInCell(text) !== null
}

/** The header is searched in this many rows. */
const deepestHeader = 20

/**
 * Finds the header among the first rows. Some exports begin with notes, so the row with the most known headers wins;
 * without a row of two, the first row with as many cells as the rows below it. When that row holds an address or a number, it
 * is data and the file has no header: -1.
 */
export function findHeader(rows: string[][]): number {
  const first = rows.slice(0, deepestHeader)
  const known = first.map((row) => Math.max(...importKinds.map((kind) => knownColumns(kind, row))))
  const most = Math.max(0, ...known)
  if (most >= 2) return known.indexOf(most)
  const widest = Math.max(0, ...first.map(filledCells))
  const found = Math.max(
    0,
    first.findIndex((row) => filledCells(row) === widest),
  )
  const isData = known[found] === 0 && first[found]?.some(isContactData)
  return isData ? -1 : found
}

function filledCells(row: string[]): number {
  return row.filter((cell) => cell.trim() !== '').length
}

/** Names for all columns: empty ones get a name, and equal ones a number. */
export function columnNames(header: string[]): string[] {
  const seen = new Map<string, number>()
  return header.map((cell, place) => {
    const name = cell.trim() || `Column ${place + 1}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

/** Delimiters in the order in which they are tried. */
export const delimiters = [',', ';', '\t', '|'] as const

export type Delimiter = (typeof delimiters)[number]

/**
 * Chooses the delimiter by the first rows: the one that gives most rows the same number of cells, above one.
 */
export function likeliestDelimiter(
  parted: { delimiter: Delimiter; rows: string[][] }[],
): Delimiter {
  const judged = parted.map(({ delimiter, rows }) => ({ delimiter, score: evenness(rows) }))
  const best = judged.reduce((one, other) => (other.score > one.score ? other : one))
  return best.score > 0 ? best.delimiter : ','
}

function evenness(rows: string[][]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) {
    if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
  }
  // A comma in a note splits single rows; the delimiter splits all rows alike.
  return Math.max(0, ...[...counts].map(([length, times]) => times * Math.log2(length + 1)))
}
