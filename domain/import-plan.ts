import { habits } from './habits.ts'
import type { ClosingAnswer } from './import-closing.ts'
import { type ImportKind, type ImportMapping, importable } from './import-headers.ts'
import { type PlannedField, plannedField } from './import-own.ts'
import { plainField } from './import-sides.ts'
import { areExcelDays, type DayOrder, dayOrderOf } from './import-values.ts'

/** How all rows of a file are read. */
export type ImportPlan = {
  kind: ImportKind
  mapping: ImportMapping
  columns: string[]
  /** The fields of the user's own, with those that the import makes. */
  own: PlannedField[]
  dayOrder: DayOrder
  /** The places of the date columns that hold Excel's day numbers. */
  excelDays: number[]
  /** The file is our own export, so nothing is guessed. */
  isOwn: boolean
  /** When deals were closed of which the file does not say it; null until the user has answered. */
  closing: ClosingAnswer | null
  /** The day on which the file is read: later ones have not come. */
  today: string
  /** Where the account's clock stands: times without a zone are of it. */
  timeZone: string
  /** The account's currency, which amounts of the user's own fields are in. */
  currency: string
}

type PlanExtras = Partial<Omit<ImportPlan, 'kind' | 'mapping' | 'dayOrder' | 'excelDays'>>

export function planImport(
  kind: ImportKind,
  mapping: ImportMapping,
  rows: string[][],
  {
    columns = [],
    own = [],
    isOwn = false,
    closing = null,
    today = '',
    timeZone = 'UTC',
    currency = habits().currency,
  }: PlanExtras = {},
): ImportPlan {
  const excelDays = datePlaces(mapping, own).filter((place) =>
    areExcelDays(rows.map((row) => row[place] ?? '')),
  )
  const dayOrder = dayOrderOf(datesIn(mapping, rows, own))
  return {
    kind,
    mapping,
    columns,
    own,
    dayOrder,
    excelDays,
    isOwn,
    closing,
    today,
    timeZone,
    currency,
  }
}

const dateFields: (string | null)[] = Object.values(importable)
  .flat()
  .filter(([, { kind }]) => kind === 'day' || kind === 'moment' || kind === 'birthday')
  .map(([name]) => name)

function datePlaces(mapping: ImportMapping, own: PlannedField[]): number[] {
  return mapping.flatMap((field, place) =>
    dateFields.includes(plainField(field)) || plannedField(own, field)?.kind === 'day'
      ? [place]
      : [],
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
