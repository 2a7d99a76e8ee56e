import Papa from 'papaparse'
import { counted } from '#domain/counted.ts'
import { isSuspicious, type LooseRow, readLoosely, usualWidth } from '#domain/import-quotes.ts'
import { type Delimiter, delimiters, likeliestDelimiter } from '#domain/import-table.ts'
import {
  encodingOf,
  foreignCells,
  isCards,
  likeliestEncoding,
  type RankedEncoding,
  type TextEncoding,
} from '#domain/import-text.ts'

/** How the text of a file was read, or that it has another form: a sheet of a workbook, or cards. */
export type Form =
  | { is: 'text'; encoding: TextEncoding; delimiter: Delimiter }
  | { is: 'workbook'; sheets: string[]; sheet: number }
  | { is: 'cards'; encoding?: TextEncoding | undefined }

/** The rows of a file, and how it was read. */
export type Table = { form: Form; rows: LooseRow[] }
export type Unreadable = { problem: string }

/** What the user chose instead of the detection. */
export type ReadOptions = {
  encoding?: TextEncoding | undefined
  delimiter?: Delimiter | undefined
  sheet?: number | undefined
}

const largestFile = 50 * 1024 * 1024
const mostRows = 200_000
const mostColumns = 1000

/** The error for a file that is too large, before it is read. */
export function sizeProblem(size: number): string | null {
  if (size === 0) return 'This file is empty.'
  if (size <= largestFile) return null
  return `This file is ${Math.round(size / 1024 / 1024)} MB. The limit is 50 MB: split it into smaller files.`
}

/** Names the encodings that some letters may be in, the likeliest first. */
export type Detector = (letters: Uint8Array) => RankedEncoding[]

/** Reads a file. The detector is handed in: it is large, and only the worker has it. */
export function readTable(
  bytes: Uint8Array<ArrayBuffer>,
  options: ReadOptions,
  detect: Detector,
): Table | Unreadable {
  const found = encodingOf(bytes)
  if (!found) return { problem: binaryProblem(bytes) }
  const encoding =
    options.encoding ?? (found === 'windows-1252' ? guessEncoding(bytes, detect) : found)
  // PostgreSQL cannot store NUL in text.
  const text = new TextDecoder(encoding).decode(bytes).replaceAll('\0', '')
  return partText(text, encoding, options.delimiter)
}

/** The text of a file of cards, and how it is written; null when it holds none. */
export function readCards(
  bytes: Uint8Array<ArrayBuffer>,
  { encoding: chosen }: ReadOptions,
  detect: Detector,
): { text: string; encoding: TextEncoding } | null {
  const found = encodingOf(bytes)
  if (!found || !isCards(new TextDecoder(found).decode(bytes.subarray(0, 400)))) return null
  const encoding = chosen ?? (found === 'windows-1252' ? guessEncoding(bytes, detect) : found)
  return { text: new TextDecoder(encoding).decode(bytes).replaceAll('\0', ''), encoding }
}

function guessEncoding(bytes: Uint8Array, detect: Detector): TextEncoding {
  const letters = foreignCells(bytes)
  return likeliestEncoding(letters, detect(letters))
}

/** Whether a file is a zip archive, as workbooks are. */
export function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b
}

function binaryProblem(bytes: Uint8Array): string {
  // The old format, and the one that a password packs a workbook into.
  const isOldExcel = bytes[0] === 0xd0 && bytes[1] === 0xcf
  return isOldExcel
    ? 'This is an old Excel file (.xls) or has a password. Save it as .xlsx or CSV without a password, then choose that file.'
    : 'This file has no text. Choose a CSV file, an Excel file (.xlsx) or a vCard.'
}

function partText(
  whole: string,
  encoding: TextEncoding,
  chosen: Delimiter | undefined,
): Table | Unreadable {
  if (whole.trim() === '') return { problem: 'It’s empty.' }
  // Excel may write the delimiter in the first line.
  const [line, declared] = /^sep=([,;\t|])\r?\n/i.exec(whole) ?? []
  const text = line ? whole.slice(line.length) : whole
  const delimiter = chosen ?? delimiters.find((each) => each === declared) ?? guessDelimiter(text)
  return withinLimits({
    form: { is: 'text', encoding, delimiter },
    rows: readRows(text, delimiter),
  })
}

/** Refuses a table that is too large to be imported at once. */
export function withinLimits(table: Table): Table | Unreadable {
  const { rows } = table
  if (rows.length > mostRows + 100) {
    return {
      problem: `This has ${counted(rows.length, 'row')}. The limit is ${counted(mostRows, 'row')}: split it into smaller files.`,
    }
  }
  if (rows.some(({ cells }) => cells.length > mostColumns)) {
    return { problem: `A row has more than ${counted(mostColumns, 'cell')}. Is this a CSV file?` }
  }
  return table
}

/** Parses by the rules, or loosely where quoting errors would turn many rows into one cell. */
function readRows(text: string, delimiter: Delimiter): LooseRow[] {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter })
  const width = usualWidth(data)
  const isBad = errors.some(({ type }) => type === 'Quotes') || isSuspicious(data, width)
  return isBad ? readLoosely(text, delimiter, width) : data.map((cells) => ({ cells }))
}

function guessDelimiter(text: string): Delimiter {
  return likeliestDelimiter(
    delimiters.map((delimiter) => ({
      delimiter,
      rows: Papa.parse<string[]>(text.slice(0, 256 * 1024), { delimiter, preview: 50 }).data,
    })),
  )
}

/** Reads pasted text, which has no encoding. */
export function readPasted(text: string, options: ReadOptions = {}): Table | Unreadable {
  return partText(text.replaceAll('\0', ''), 'utf-8', options.delimiter)
}
