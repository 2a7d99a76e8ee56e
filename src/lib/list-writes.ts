import type { Page } from './list-source.ts'

/** The ids of the rows above and below, null at an end. */
export type Neighbours = { above: string | null; below: string | null }

/** What a write does to the rows of a list: the optimistic update, and the patch after the answer. */
export type ListWrite<Row> =
  | { kind: 'add'; row: Row }
  | {
      kind: 'change'
      matches: (row: Row) => boolean
      /** The same for all rows, or what each row becomes. */
      to: Partial<Row> | ((row: Row) => Partial<Row>)
      /** The place where the user dropped the row. */
      between?: Neighbours
    }
  | { kind: 'remove'; matches: (row: Row) => boolean; count: number }

/** A row after a write. */
export function changedRow<Row>(row: Row, write: ListWrite<Row>): Row {
  if (write.kind !== 'change' || !write.matches(row)) return row
  return { ...row, ...(typeof write.to === 'function' ? write.to(row) : write.to) }
}

/** The number of rows after these writes. */
export function countAfter<Row>(count: number, writes: ListWrite<Row>[]): number {
  const change = writes.reduce((sum, write) => {
    if (write.kind === 'add') return sum + 1
    return write.kind === 'remove' ? sum - write.count : sum
  }, 0)
  return Math.max(0, count + change)
}

/**
 * The pages of a list with a write applied. A new row goes to its place in the order; a row that belongs
 * after the last page read comes with its own page later.
 */
export function writeToPages<Row extends { id: string }>(
  pages: Page<Row>[],
  write: ListWrite<Row>,
  compare: (one: Row, other: Row) => number,
): Page<Row>[] {
  if (write.kind === 'change') {
    return eachPage(pages, (rows) => rows.map((row) => changedRow(row, write)))
  }
  if (write.kind === 'remove') {
    return eachPage(pages, (rows) => rows.filter((row) => !write.matches(row)))
  }
  const others = eachPage(pages, (rows) => rows.filter((row) => row.id !== write.row.id))
  for (const [number, page] of others.entries()) {
    const found = page.rows.findIndex((row) => compare(write.row, row) <= 0)
    const isEnd = number === others.length - 1 && page.next === null
    if (found < 0 && !isEnd) continue
    const rows = page.rows.toSpliced(found < 0 ? page.rows.length : found, 0, write.row)
    return others.with(number, { ...page, rows })
  }
  return others
}

/** The rows of all pages, each once: a row that moved between two reads is in both pages. */
export function rowsOf<Row extends { id: string }>(pages: Page<Row>[]): Row[] {
  const rows = new Map<string, Row>()
  for (const page of pages)
    for (const row of page.rows) if (!rows.has(row.id)) rows.set(row.id, row)
  return [...rows.values()]
}

function eachPage<Row>(pages: Page<Row>[], change: (rows: Row[]) => Row[]): Page<Row>[] {
  return pages.map((page) => ({ ...page, rows: change(page.rows) }))
}
