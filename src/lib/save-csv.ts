import Papa from 'papaparse'
import { saveFile } from './save-file.ts'

type CsvOptions = {
  name: string
  header: readonly string[]
  parts: AsyncIterable<string[][]>
  /** Which columns are always quoted. */
  quotes?: boolean[]
  /** Called after each part with the number of rows so far. */
  onProgress?: (count: number) => void
}

/** Saves a CSV file in the form of RFC 4180, and answers how many rows it has. */
export async function saveCsv({
  name,
  header,
  parts,
  quotes,
  onProgress,
}: CsvOptions): Promise<number> {
  const texts = [lines([[...header]])]
  let count = 0
  for await (const rows of parts) {
    count += rows.length
    if (rows.length > 0) texts.push(lines(rows, quotes))
    onProgress?.(count)
  }
  // The byte order mark tells spreadsheets that this is UTF-8.
  saveFile(new Blob(['\uFEFF', ...texts], { type: 'text/csv;charset=utf-8' }), name)
  return count
}

function lines(rows: string[][], quotes: boolean | boolean[] = false): string {
  return `${Papa.unparse(rows, { newline: '\r\n', quotes })}\r\n`
}
