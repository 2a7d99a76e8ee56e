import { findHeader } from './import-table.ts'

/** A row of a text with bad quotation marks: its cells, and why they cannot be trusted, in words. */
export type LooseRow = { cells: string[]; problem?: string }

const neverClosed = 'A quotation mark in this row is never closed.'
const leftOpen = 'The quotation marks in this row don’t match.'
const mayBelong =
  'This row follows one whose quotation marks can’t be read, and may be a part of it.'

/** A cell with more lines than this is a quoting error. */
const mostLines = 200

/** The number of cells of a normal row: that of the header, unless no row has as many. */
export function usualWidth(rows: string[][]): number {
  const header = findHeader(rows)
  const width = rows[header]?.length ?? 1
  const counts = new Map<number, number>()
  for (const [place, { length }] of rows.entries()) {
    if (place !== header && length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
  }
  if (counts.size === 0 || counts.has(width)) return width
  return [...counts].reduce((one, other) => (other[1] > one[1] ? other : one))[0]
}

/** Whether rows may contain others by a quoting error: they have several lines and an unusual width or stray quotes. */
export function isSuspicious(rows: string[][], width: number): boolean {
  return rows.some((cells) => {
    const long = cells.find((cell) => /[\r\n]/.test(cell))
    if (long === undefined) return false
    return cells.length !== width || cells.some((cell) => cell !== long && cell.includes('"'))
  })
}

type Cell = { text: string; end: number }

/**
 * Reads CSV with quoting errors, such as `"Bob" Babbage,bob@x.com`. A correctly quoted cell is read by the rules,
 * over several lines too. The end of any other cell is found by the usual number of cells; where that is ambiguous,
 * the row gets a problem. No row ever swallows the next one.
 */
export function readLoosely(text: string, delimiter: string, width: number): LooseRow[] {
  const plain = new RegExp(`[^\\r\\n${delimiter}]*`, 'y')
  const lineEnd = /\r\n|\r|\n/g

  function isLineEnd(place: number): boolean {
    return place >= text.length || text[place] === '\n' || text[place] === '\r'
  }

  /** The end of a cell whose closing quote stands before this place; null when the cell continues. */
  function endAfterQuote(place: number): number | null {
    let end = place
    while (text[end] === ' ') end += 1
    return isLineEnd(end) || text[end] === delimiter ? end : null
  }

  /** A cell up to the next delimiter, with quotes as plain characters. */
  function plainCell(start: number): Cell {
    plain.lastIndex = start
    const [found = ''] = plain.exec(text) ?? []
    return { text: found, end: start + found.length }
  }

  /** A cell that is quoted by the rules; null when it is not. */
  function quotedCell(start: number): Cell | null {
    if (text[start] !== '"') return null
    let from = start + 1
    for (;;) {
      const quote = text.indexOf('"', from)
      if (quote < 0) return null
      if (text[quote + 1] !== '"') {
        const end = endAfterQuote(quote + 1)
        return end === null ? null : { text: unquoted(start, quote), end }
      }
      from = quote + 2
    }
  }

  function unquoted(start: number, quote: number): string {
    return text.slice(start + 1, quote).replaceAll('""', '"')
  }

  /** The start of the line after the one that this place is in; null when it is the last. */
  function nextLine(place: number): number | null {
    lineEnd.lastIndex = place
    return lineEnd.test(text) ? lineEnd.lastIndex : null
  }

  /** How many cells follow the one that ends here, ignoring quotes. */
  function widthAfter(end: number): number {
    let count = 0
    for (let place = end; text[place] === delimiter; count += 1) {
      place = (quotedCell(place + 1) ?? plainCell(place + 1)).end
    }
    return count
  }

  /** How many cells a line has on its own. */
  function widthOfLine(start: number): number {
    const limit = nextLine(start) ?? Number.POSITIVE_INFINITY
    let place = start
    for (let count = 1; ; count += 1) {
      const quoted = quotedCell(place)
      const { end } = quoted && quoted.end < limit ? quoted : plainCell(place)
      if (text[end] !== delimiter) return count
      place = end + 1
    }
  }

  /** True when a whole row may begin here. */
  function isRow(start: number): boolean {
    const { end } = quotedCell(start) ?? plainCell(start)
    return 1 + widthAfter(end) === width || widthOfLine(start) === width
  }

  /** The possible ends of a badly quoted cell: each quote before a delimiter, up to a line that is a row by itself. */
  function* likelyEnds(start: number): Generator<Cell> {
    let next = nextLine(start)
    let lines = 1
    for (
      let quote = text.indexOf('"', start + 1);
      quote >= 0;
      quote = text.indexOf('"', quote + 1)
    ) {
      while (next !== null && next <= quote) {
        lines += 1
        if (lines > mostLines || isRow(next)) return
        next = nextLine(next)
      }
      const end = endAfterQuote(quote + 1)
      if (end !== null) yield { text: unquoted(start, quote), end }
    }
  }

  function badCell(start: number, before: number): Cell & { problem?: string } {
    const simple = plainCell(start)
    const fits = ({ end }: Cell) => before + 1 + widthAfter(end) === width
    const isClosed = simple.text.split('"').length % 2 === 1
    if (isClosed && fits(simple)) return simple
    for (const cell of likelyEnds(start)) {
      if (fits(cell)) return cell
    }
    return { ...simple, problem: isClosed ? leftOpen : neverClosed }
  }

  /** Reads one row; with `byLines`, no cell goes beyond its line. */
  function readRow(start: number, byLines: boolean): LooseRow & { end: number; hasStray: boolean } {
    const limit = byLines ? (nextLine(start) ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
    const cells: string[] = []
    let problem: string | undefined
    let hasStray = false
    for (let place = start; ; ) {
      const quoted = quotedCell(place)
      let cell: Cell & { problem?: string }
      if (quoted && quoted.end < limit) cell = quoted
      else if (text[place] !== '"') cell = plainCell(place)
      else {
        cell = byLines
          ? { ...plainCell(place), problem: neverClosed }
          : badCell(place, cells.length)
      }
      hasStray ||= cell !== quoted && cell.text.includes('"')
      cells.push(cell.text)
      problem ??= cell.problem
      if (text[cell.end] !== delimiter) {
        return { cells, end: cell.end, hasStray, ...(problem ? { problem } : {}) }
      }
      place = cell.end + 1
    }
  }

  /** Whether every line of a row could be a row by itself: then its quotes matched by chance. */
  function areRows(start: number, end: number): boolean {
    for (let line: number | null = start; line !== null && line < end; line = nextLine(line)) {
      if (!isLineEnd(line) && widthOfLine(line) !== width) return false
    }
    return true
  }

  const rows: LooseRow[] = []
  let isDoubtful = false
  for (let start: number | null = 0; start !== null; ) {
    let row = readRow(start, false)
    const next = nextLine(start)
    const isLong = next !== null && next <= row.end
    const isOdd = row.hasStray || row.cells.length !== width
    if (!row.problem && isLong && isOdd && areRows(start, row.end)) {
      row = readRow(start, true)
    }
    const { cells, problem } = row
    const isBlank = cells.length === 1 && cells[0] === ''
    if (problem) isDoubtful = true
    else if (cells.length === width) isDoubtful = false
    const told = problem ?? (isDoubtful && !isBlank ? mayBelong : undefined)
    rows.push({ cells, ...(told ? { problem: told } : {}) })
    start = nextLine(row.end)
  }
  return rows
}
