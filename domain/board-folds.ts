import type { Outcome } from './deal.ts'

/** The narrowest column that can be read, in pixels. */
const leastWidth = 180
const foldedWidth = 44
const columnGap = 12

/** Closed deals stand back first. */
const foldOrder: Outcome[] = ['lost', 'won']

type Column = { key: string; outcome: Outcome }

/**
 * The folded columns: those the user has folded, and as many columns of closed deals as it takes to fit the rest into
 * the width. A choice of the user always wins.
 */
export function foldedColumns(
  columns: Column[],
  choices: Record<string, boolean>,
  width: number,
): Set<string> {
  const folded = new Set(columns.flatMap(({ key }) => (choices[key] ? [key] : [])))
  for (const outcome of foldOrder) {
    if (fits(columns.length, folded.size, width)) break
    for (const column of columns) {
      if (column.outcome === outcome && choices[column.key] === undefined) folded.add(column.key)
    }
  }
  return folded
}

function fits(count: number, folded: number, width: number): boolean {
  const open = count - folded
  return open * leastWidth + folded * foldedWidth + (count - 1) * columnGap <= width
}
