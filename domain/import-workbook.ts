import { importKinds, knownColumns } from './import-headers.ts'
import { isContactData } from './import-table.ts'

/** A cover says a few things beside their names; longer lists of two columns are records. */
const longestCover = 15

/** Whether a sheet has no table: nothing, a title, or a few lines about the file. */
export function isCover(rows: string[][]): boolean {
  const filled = rows
    .map((row) => row.filter((cell) => cell.trim() !== ''))
    .filter((row) => row.length > 0)
  if (filled.length < 2) return true
  const isNarrow = filled.every((row) => row.length <= 2)
  const hasPeople = filled.some((row) =>
    row.some((cell) => cell.includes('@') && isContactData(cell)),
  )
  const isTable = filled.length > longestCover || hasPeople
  return isNarrow && !isTable && !filled.some(isHeader)
}

/** Whether all cells of a row are names of fields. */
function isHeader(row: string[]): boolean {
  return importKinds.some((kind) => knownColumns(kind, row) === row.length)
}

/** The names of the sheets of a workbook, in their order. */
export function sheetNames(workbook: string): string[] {
  return [...workbook.matchAll(/<(?:\w+:)?sheet\s[^>]*?\bname="([^"]*)"/g)].map(([, name = '']) =>
    withoutEntities(name),
  )
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function withoutEntities(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, number, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (number) return String.fromCodePoint(Number(number))
    return entities[name] ?? whole
  })
}

/** Excel's own formats for percentages. */
const ownPercents = ['9', '10']

/** The cells of a sheet that show a percentage, each as 'row,column', counted from one. */
export function percentCells(styles: string, sheet: string): Set<string> {
  const formats = new Set(ownPercents)
  for (const [format] of styles.matchAll(/<(?:\w+:)?numFmt\s[^>]*>/g)) {
    const code = /formatCode="([^"]*)"/.exec(format)?.[1] ?? ''
    // What stands in quotation marks is only shown.
    if (code.replace(/&quot;.*?&quot;|\\./g, '').includes('%')) {
      formats.add(/numFmtId="(\d+)"/.exec(format)?.[1] ?? '')
    }
  }
  const [cellStyles = ''] = /<(?:\w+:)?cellXfs[\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(styles) ?? []
  const percents = new Set<string>()
  for (const [index, [style]] of [...cellStyles.matchAll(/<(?:\w+:)?xf\s[^>]*>/g)].entries()) {
    if (formats.has(/numFmtId="(\d+)"/.exec(style)?.[1] ?? '')) percents.add(`${index}`)
  }
  const cells = new Set<string>()
  if (percents.size === 0) return cells
  for (const [cell, letters = '', row = ''] of sheet.matchAll(
    /<(?:\w+:)?c\sr="([A-Z]+)(\d+)"[^>]*/g,
  )) {
    if (percents.has(/\ss="(\d+)"/.exec(cell)?.[1] ?? ''))
      cells.add(`${row},${columnNumber(letters)}`)
  }
  return cells
}

function columnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

/** A cell of a workbook as the text that a CSV file would have. */
export function workbookCell(value: unknown, isPercent: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'number') return isPercent ? `${exact(value * 100)}%` : exact(value)
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return ''
    const [day = '', time = ''] = value.toISOString().split('T')
    return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8).replace(/:00$/, '')}`
  }
  // PostgreSQL cannot store NUL in text.
  return String(value).replaceAll('\0', '')
}

/** Excel counts in fifteen digits: 0.1 + 0.2 is 0.3 there. */
function exact(number: number): string {
  const rounded = Number(number.toPrecision(15))
  return Math.abs(rounded) < 1e21
    ? rounded.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : String(rounded)
}
