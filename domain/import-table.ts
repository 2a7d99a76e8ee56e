import { importKinds, knownColumns } from './import-headers.ts'

/** Notes before the header are a few lines; a header further down than this is none. */
const deepestHeader = 20

/**
 * The place of the header among the first rows. Some exports begin with notes, so the row that names
 * most columns that are known wins; where none names two, the first row that has as many cells as
 * those below it.
 */
export function findHeader(rows: string[][]): number {
  const first = rows.slice(0, deepestHeader)
  const known = first.map((row) => Math.max(...importKinds.map((kind) => knownColumns(kind, row))))
  const most = Math.max(0, ...known)
  if (most >= 2) return known.indexOf(most)
  const widest = Math.max(0, ...first.map(filledCells))
  return Math.max(
    0,
    first.findIndex((row) => filledCells(row) === widest),
  )
}

function filledCells(row: string[]): number {
  return row.filter((cell) => cell.trim() !== '').length
}

/** The header as it is shown: a column without a name gets one, and two of the same can be told apart. */
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
export const delimiters = [',', ';', '\t'] as const

export type Delimiter = (typeof delimiters)[number]

/**
 * Which character parts the cells, judged by the first rows as each of them would part them: the one
 * whose rows have most often the same number of cells, and more than one.
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
  // A comma in a note parts a row here and there; a delimiter parts them all alike.
  return Math.max(0, ...[...counts].map(([length, times]) => times * Math.log2(length + 1)))
}
