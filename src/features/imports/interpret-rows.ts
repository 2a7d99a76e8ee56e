import { withoutMark } from '#domain/csv.ts'
import { dayOf, formatter } from '#domain/dates.ts'
import type { OwnField, OwnKind } from '#domain/fields/own.ts'
import { type ClosingAnswer, type Undated, undatedIn } from '#domain/import-closing.ts'
import { footerLength } from '#domain/import-footers.ts'
import { guessedKind } from '#domain/import-guess.ts'
import { type ImportKind, type ImportMapping, mapColumns } from '#domain/import-headers.ts'
import { keepColumns } from '#domain/import-keep.ts'
import { recognisedKind } from '#domain/import-kind.ts'
import { mappedName, type PlannedField, withNewOptions } from '#domain/import-own.ts'
import { datesIn, type ImportPlan, planImport } from '#domain/import-plan.ts'
import type { LooseRow } from '#domain/import-quotes.ts'
import { importRow } from '#domain/import-rows.ts'
import { type StatusChange, statusChanges } from '#domain/import-status.ts'
import { columnNames, findHeader } from '#domain/import-table.ts'
import { type DayOrder, dayOrderOf, isDayOrderDoubtful } from '#domain/import-values.ts'
import { hasOwnWords, isOwnFile, rejectedColumn } from '#domain/own-file.ts'
import { newId } from '#lib/new-id.ts'

/** A row of the file with its number in a spreadsheet. */
export type FileRow = LooseRow & { place: number }

/** A column of the file; `guess` is the kind of field that keeps its cells, null when none does. */
export type Column = {
  name: string
  samples: string[]
  isFilled: boolean
  guess: OwnKind | null
}

/** How a file is interpreted; the user may override most of it. */
export type Interpretation = {
  /** The number of the header row; 0 for none. */
  headerRow: number
  /** The candidates for the header row, with their first cells. */
  headerChoices: { row: number; text: string }[]
  columns: Column[]
  /** What the headers say that the file holds; null when they leave it open. */
  recognised: ImportKind | null
  rowCount: number
  /** The lines above the header, as far as they hold something; none in what is made of cards. */
  above: string[]
  /** The lines at the end that look like no records, such as 'Grand Totals (12 records)'. */
  footers: FooterLine[]
  /** The rows among them that are records, as the user says. */
  keptLines: number[]
  plan: ImportPlan
  isDayOrderDoubtful: boolean
  /** Lead statuses of the file that are not ours. */
  statusChanges: StatusChange[]
  /** The deals that are closed without a word of when; null where there are none. */
  undated: Undated | null
}

/** A line that looks like no record, with its number in a spreadsheet; the user may keep it as one. */
export type FooterLine = { place: number; text: string; isKept: boolean }

/** What the user chose instead of the guess. */
export type Overrides = {
  headerRow?: number | undefined
  kind?: ImportKind | undefined
  mapping?: ImportMapping | undefined
  /** The fields of the user's own, with those that the import makes; beside a mapping that names them. */
  own?: PlannedField[] | undefined
  /** Used only where the dates themselves are ambiguous. */
  dayOrder?: DayOrder | undefined
  closing?: ClosingAnswer | null | undefined
  keptLines?: number[] | undefined
}

/** What the account says of how a file is meant; the thread that reads files does not know it. */
export type Home = Pick<ImportPlan, 'timeZone' | 'currency'>

/** Guesses the header, the kind of records and the mapping of a file; `known` are the fields of the user's own. */
export function interpretRows(
  rows: LooseRow[],
  overrides: Overrides = {},
  known: readonly OwnField[] = [],
  home: Home = { timeZone: formatter('en-US', {}).resolvedOptions().timeZone, currency: 'USD' },
): { interpretation: Interpretation; data: FileRow[]; isMarked: boolean } {
  const headerRow = overrides.headerRow ?? findHeader(rows.map(({ cells }) => cells)) + 1
  const headerCells = rows[headerRow - 1]?.cells ?? []
  const ownNames = known.map(({ name }) => name)
  const isMarked = isOwnFile(headerCells, ownNames)
  const isOwn = hasOwnWords(headerCells, ownNames)
  const plain = isMarked ? rows.map(withoutMarks) : rows
  const below = plain
    .map((row, index) => ({ ...row, place: index + 1 }))
    .filter(({ place }) => place > headerRow)
  const header = headerRow > 0 ? (plain[headerRow - 1]?.cells ?? []) : namelessHeader(below)
  const end = below.length - footerLength(below, header.length)
  const keptLines = overrides.keptLines ?? []
  const isRecord = ({ place }: FileRow, index: number) => index < end || keptLines.includes(place)
  const data = below.filter(isRecord).filter(isFilled)
  const names = columnNames(header)
  const all = data.map(({ cells }) => cells)
  const first = all.slice(0, 1000)
  const recognised = recognisedKind(names)
  const kind = overrides.kind ?? recognised ?? 'contacts'
  const { mapping, own } = columnsOf(
    { kind, names, all, isMarked, isOwn, ...home },
    overrides,
    known,
  )
  const plan = planImport(kind, mapping, first, {
    columns: names,
    own: withNewOptions(own, (field) => cellsOf(all, mapping, mappedName(kind, field))),
    isOwn,
    closing: overrides.closing ?? null,
    today: dayOf(Date.now(), home.timeZone),
    ...home,
  })
  const isDoubtful = isDayOrderDoubtful(datesIn(mapping, first, own))
  const dayOrder = isDoubtful ? (overrides.dayOrder ?? plan.dayOrder) : plan.dayOrder
  const settled = { ...plan, dayOrder }
  const columns = factsOf(rows, headerRow, names, all, home)
  return {
    data,
    isMarked,
    interpretation: {
      headerRow,
      headerChoices: headerChoices(rows),
      columns,
      recognised,
      rowCount: data.length,
      above: rows
        .slice(0, Math.max(0, headerRow - 1))
        .filter(isFilled)
        .map(({ cells }) => shortText(cells, 60)),
      footers: below
        .slice(end)
        .filter(isFilled)
        .map(({ place, cells }) => ({
          place,
          text: shortText(cells, 60),
          isKept: keptLines.includes(place),
        })),
      keptLines,
      plan: settled,
      isDayOrderDoubtful: isDoubtful,
      statusChanges: statusChanges(data, plan),
      undated: undatedIn(data, settled),
    },
  }
}

type Named = {
  kind: ImportKind
  names: string[]
  all: string[][]
  isMarked: boolean
  isOwn: boolean
} & Home

/** The field of each column, as the user chose it or as it is guessed. */
function columnsOf(
  { kind, names, all, isMarked, isOwn, currency }: Named,
  overrides: Overrides,
  known: readonly OwnField[],
): { mapping: ImportMapping; own: PlannedField[] } {
  const own = known
    // A row of deals tells of contacts and companies, too.
    .filter(({ record }) => record === kind || kind === 'deals')
    .map((field) => ({ ...field, isNew: false, newOptions: [] }))
  if (overrides.mapping) return { mapping: overrides.mapping, own: overrides.own ?? own }
  const mapping = mapColumns(kind, names, all, own, isOwn)
  // The reasons of rejected rows are ours.
  const rows = isMarked && names[0] === rejectedColumn ? all.map((row) => row.with(0, '')) : all
  const dates = datesIn(mapping, rows, own).filter(Boolean)
  const file = { kind, columns: names, rows, dates, isOwn, currency }
  const { mapping: kept, fields } = keepColumns(file, mapping, own, newId)
  return { mapping: kept, own: fields }
}

/** The cells of the columns that fill a field. */
function* cellsOf(rows: string[][], mapping: ImportMapping, field: string): Generator<string> {
  const places = mapping.flatMap((name, place) => (name === field ? [place] : []))
  if (places.length === 0) return
  for (const row of rows) {
    for (const place of places) if (row[place]) yield row[place]
  }
}

/** What was found out about the columns of a file below a header: it takes a while, and does not change. */
const facts = new WeakMap<LooseRow[], { headerRow: number; count: number; columns: Column[] }>()

function factsOf(
  file: LooseRow[],
  headerRow: number,
  names: string[],
  rows: string[][],
  { currency }: Home,
): Column[] {
  const before = facts.get(file)
  if (before?.headerRow === headerRow && before.count === rows.length) return before.columns
  const columns = names.map((name, place) => {
    const cells = rows.map((row) => (row[place] ?? '').trim()).filter((text) => text !== '')
    return {
      name,
      samples: samplesOf(cells),
      isFilled: cells.length > 0,
      guess: guessedKind(name, cells, dayOrderOf(cells), currency),
    }
  })
  facts.set(file, { headerRow, count: rows.length, columns })
  return columns
}

function isFilled({ cells }: LooseRow): boolean {
  return cells.some((cell) => cell.trim() !== '')
}

function withoutMarks(row: LooseRow): LooseRow {
  return { ...row, cells: row.cells.map(withoutMark) }
}

function namelessHeader(data: FileRow[]): string[] {
  const width = Math.max(1, ...data.slice(0, 1000).map(({ cells }) => cells.length))
  return Array.from({ length: width }, () => '')
}

function headerChoices(rows: LooseRow[]) {
  return rows
    .slice(0, 10)
    .map(({ cells }, index) => ({ row: index + 1, text: shortText(cells, 60) }))
    .filter(({ text }) => text !== '')
}

function samplesOf(cells: string[]): string[] {
  const samples: string[] = []
  for (const text of cells.slice(0, 1000)) {
    if (!samples.includes(text)) samples.push(text.slice(0, 80))
    if (samples.length === 3) break
  }
  return samples
}

/** The first cells of a row, so that the user recognises it. */
function shortText(cells: string[], length: number): string {
  const text = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ')
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

/** A row as `add_import_rows` takes it. */
export type SentRow = { place: number; reported: Record<string, unknown>; problem?: string }

const partRows = 2000
const partLetters = 1_000_000

/** The rows to send next, as many as one request may hold. */
export function nextPart(data: FileRow[], plan: ImportPlan, from: number): SentRow[] {
  const part: SentRow[] = []
  let letters = 0
  for (const { place, cells, problem } of data.slice(from, from + partRows)) {
    const row = problem ? { problem } : importRow(cells, plan)
    const text = { text: shortText(cells, 200) }
    part.push(
      'problem' in row
        ? { place, reported: text, problem: row.problem }
        : { place, reported: row.values },
    )
    letters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (letters > partLetters) break
  }
  return part
}
