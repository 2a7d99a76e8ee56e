import { amountInCell } from './import-amount.ts'
import { isContactData } from './import-table.ts'

/** What only the end of a report says. */
const closing =
  /^(?:grand totals?\b|copyright\b|©|\(c\) ?\d{4}|confidential information\b|generated (?:on|by|at)\b|exported (?:on|by|at|from)\b|printed (?:on|by)\b|report (?:generated|run|created)\b|end of report\b|page \d+ of \d+$|\d+ records?$|total records?\b|record count\b)/i

/** More lines than this at the end are records. */
const longest = 10

type Row = { cells: string[]; problem?: string }

/**
 * How many rows at the end of a table are the footer of a report: 'Grand Totals (12 records)', a copyright, or lines of one
 * cell behind a blank row. `rows` are those below the header, blank ones too; blank rows above a footer count as part of it.
 */
export function footerLength(rows: Row[], width: number): number {
  let end = withoutBlanks(rows, rows.length)
  for (;;) {
    const start = footerStart(rows, end, width)
    if (start === end) return rows.length - end
    end = withoutBlanks(rows, start)
  }
}

/** Where the last part of the footer begins; `end` when no footer ends there. */
function footerStart(rows: Row[], end: number, width: number): number {
  const last = rows[end - 1]
  if (!last || last.problem) return end
  let start = end
  while (start > 0 && !isBlank(rows[start - 1])) start -= 1
  const block = rows.slice(start, end)
  const isApart = start > 0 && block.length <= longest
  if (isApart && block.some(isClosing) && block.every((row) => isOneLine(row) || isClosing(row))) {
    return start
  }
  if (isClosing(last)) return end - 1
  const above = rows.slice(0, start).filter((row) => !isBlank(row))
  const isUnlikeRecords = width > 1 && above.length > 0 && !above.some(isOneLine)
  const isText = block.every((row) => isOneLine(row) && !row.cells.some(isContactData))
  return isApart && isUnlikeRecords && isText ? start : end
}

function withoutBlanks(rows: Row[], end: number): number {
  let last = end
  while (last > 0 && isBlank(rows[last - 1])) last -= 1
  return last
}

function filled({ cells }: Row): string[] {
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
}

function isBlank(row: Row | undefined): boolean {
  return row !== undefined && !row.problem && filled(row).length === 0
}

/** A row whose first cell alone is filled. */
function isOneLine(row: Row): boolean {
  return filled(row).length === 1 && row.cells[0]?.trim() !== ''
}

function isClosing(row: Row): boolean {
  const [first = '', ...others] = filled(row)
  if (closing.test(first)) return true
  // A row of sums. A company may be called Total, but then more than figures stand beside it.
  const areSums = others.length > 0 && others.every((cell) => amountInCell(cell) !== null)
  return /^(?:sub)?totals?:?$/i.test(first) && areSums
}
