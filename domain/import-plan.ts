import { type ImportKind, type ImportMapping, importable } from './import-headers.ts'
import { type PlannedField, plannedField } from './import-own.ts'
import { areExcelDays, type DayOrder, dayOrderOf } from './import-values.ts'

/** How all rows of a file are read. */
export type ImportPlan = {
  kind: ImportKind
  mapping: ImportMapping
  /** What the columns are called. */
  columns: string[]
  /** The fields of the user's own, with those that the import makes. */
  own: PlannedField[]
  dayOrder: DayOrder
  /** The places of the date columns that hold Excel's day numbers. */
  excelDays: number[]
  /** The file is our own export, so nothing is guessed. */
  isOwn: boolean
}

type PlanExtras = { columns?: string[]; own?: PlannedField[]; isOwn?: boolean }

export function planImport(
  kind: ImportKind,
  mapping: ImportMapping,
  rows: string[][],
  { columns = [], own = [], isOwn = false }: PlanExtras = {},
): ImportPlan {
  const excelDays = datePlaces(mapping, own).filter((place) =>
    areExcelDays(rows.map((row) => row[place] ?? '')),
  )
  const dayOrder = dayOrderOf(datesIn(mapping, rows, own))
  return { kind, mapping, columns, own, dayOrder, excelDays, isOwn }
}

const dateFields: (string | null)[] = Object.values(importable)
  .flat()
  .filter(([, { kind }]) => kind === 'day' || kind === 'moment' || kind === 'birthday')
  .map(([name]) => name)

function datePlaces(mapping: ImportMapping, own: PlannedField[]): number[] {
  return mapping.flatMap((field, place) =>
    dateFields.includes(field) || plannedField(own, field)?.kind === 'day' ? [place] : [],
  )
}

/** Sample dates of the date columns. */
export function datesIn(
  mapping: ImportMapping,
  rows: string[][],
  own: PlannedField[] = [],
): string[] {
  const places = datePlaces(mapping, own)
  return rows.slice(0, 1000).flatMap((row) => places.map((place) => row[place] ?? ''))
}
