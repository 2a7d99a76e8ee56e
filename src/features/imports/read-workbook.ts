import { strFromU8, unzipSync, zipSync } from 'fflate'
import { InvalidInputError, InvalidSpreadsheetError, readSheet } from 'read-excel-file/universal'
import type { LooseRow } from '#domain/import-quotes.ts'
import { isCover, percentCells, sheetNames, workbookCell } from '#domain/import-workbook.ts'
import type { Unreadable } from './read-table.ts'

/** The rows of one sheet of a workbook, and the names of all of its sheets. */
export type WorkbookTable = { sheets: string[]; sheet: number; rows: LooseRow[] }

const largestContent = 400 * 1024 * 1024

const [broken, tooLarge] = [
  'This workbook is damaged. Open it in Excel, save it again and choose that file.',
  'This workbook is too large. Save the sheet as CSV, or split it into smaller files.',
]
const noWorkbook =
  'This is an archive, not a workbook. Choose an Excel file (.xlsx), a CSV file or a vCard.'

/** Reads a sheet of an .xlsx file: the first one with a table, unless another is asked for. */
export async function readWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  wanted?: number,
): Promise<WorkbookTable | Unreadable> {
  try {
    const parts = unpacked(bytes)
    if (!parts) return { problem: tooLarge }
    const text = (path: string) => strFromU8(parts[path] ?? new Uint8Array())
    if (!parts['xl/workbook.xml']) return { problem: noWorkbook }
    const sheets = sheetNames(text('xl/workbook.xml'))
    // Not packed, because the library would unpack it in threads of its own, which the page's policy forbids.
    const plain = zipSync(parts, { level: 0 })
    const rowsOf = async (sheet: number): Promise<LooseRow[]> => {
      const data = await readSheet(plain.buffer, sheet + 1)
      const percents = percentCells(text('xl/styles.xml'), text(sheetPath(parts, sheet)))
      return data.map((row, index) => ({
        cells: row.map((value, place) =>
          workbookCell(value, percents.has(`${index + 1},${place + 1}`)),
        ),
      }))
    }
    if (wanted !== undefined) return { sheets, sheet: wanted, rows: await rowsOf(wanted) }
    let first: WorkbookTable | null = null
    for (const sheet of sheets.keys()) {
      const rows = await rowsOf(sheet)
      if (!isCover(rows.map(({ cells }) => cells))) return { sheets, sheet, rows }
      // A cover comes before an empty sheet: the refusal says what it lacks.
      if (!first || first.rows.length === 0) first = { sheets, sheet, rows }
    }
    return first ?? { problem: broken }
  } catch (error) {
    if (error instanceof RangeError) return { problem: tooLarge }
    const isKnown = error instanceof InvalidInputError || error instanceof InvalidSpreadsheetError
    if (isKnown || error instanceof Error) return { problem: broken }
    throw error
  }
}

/** The parts that tables are made of; null when they would not fit into memory. */
function unpacked(bytes: Uint8Array): Record<string, Uint8Array> | null {
  let size = 0
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.(?:xml|rels)$/i.test(name)) return false
      size += originalSize
      return size <= largestContent
    },
  })
  return size <= largestContent ? parts : null
}

/** Where a sheet is, by its place in the workbook. */
function sheetPath(parts: Record<string, Uint8Array>, sheet: number): string {
  const text = (path: string) => strFromU8(parts[path] ?? new Uint8Array())
  const ids = [...text('xl/workbook.xml').matchAll(/<(?:\w+:)?sheet\s[^>]*?\w+:id="([^"]+)"/g)]
  const id = ids[sheet]?.[1] ?? ''
  for (const [link] of text('xl/_rels/workbook.xml.rels').matchAll(/<Relationship\s[^>]*>/g)) {
    const target = /Target="([^"]+)"/.exec(link)?.[1] ?? ''
    if (link.includes(`Id="${id}"`))
      return target.startsWith('/') ? target.slice(1) : `xl/${target}`
  }
  return ''
}
