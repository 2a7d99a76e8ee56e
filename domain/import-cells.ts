import { readCell } from './fields/cells.ts'
import { isListKind } from './fields/entries.ts'
import { importable } from './import-headers.ts'
import { labelledNotes } from './import-keep.ts'
import { isLabelColumn } from './import-lists.ts'
import type { ImportPlan } from './import-plan.ts'
import { type Cells, first, isEssential, linesOf, type RawValues } from './import-row-values.ts'
import { excelDay } from './import-values.ts'

const listFields = ['emails', 'phones', 'links', 'addresses']

/** The non-empty cells of a row by field. */
export function cellsOf(row: string[], plan: ImportPlan): Map<string, string[]> {
  const { mapping, excelDays, columns } = plan
  const cells = new Map<string, string[]>()
  const add = (field: string, text: string) => cells.set(field, [...(cells.get(field) ?? []), text])
  for (const [place, field] of mapping.entries()) {
    const text = (row[place] ?? '').trim()
    if (field === null || text === '') continue
    // A label alone says nothing.
    if (listFields.includes(field) && isLabelColumn(columns[place] ?? '')) continue
    if (field === labelledNotes) add('notes', `${columns[place]}: ${text}`)
    else add(field, excelDays.includes(place) ? (excelDay(text) ?? text) : text)
  }
  return cells
}

/**
 * Reads the first cell of each field; empty for a field without a cell. Lines about cells that cannot be read are for the
 * notes.
 */
export function readCells(
  plan: ImportPlan,
  cells: Cells,
  row: string[],
): { raw: RawValues; unfit: string[] } | { problem: string } {
  const raw: RawValues = {}
  const unfit: string[] = []
  for (const [name, field] of importable[plan.kind]) {
    if (isListKind(field.kind)) continue
    // Tags of all columns count together.
    const text = field.kind === 'tags' ? (cells.get(name) ?? []).join('\n') : first(cells, name)
    const cell = text === '' ? { value: text } : readCell(field, text, plan)
    if ('value' in cell) raw[name] = cell.value
    else if (isEssential(plan.kind, name)) return cell
    else {
      raw[name] = ''
      unfit.push(...linesOf(name, row, plan))
    }
  }
  return { raw, unfit }
}

/** Leaves out missing values: an update changes only what the file holds. */
export function withoutEmpty(values: Record<string, unknown>): Record<string, unknown> {
  const present = Object.entries(values).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return Object.fromEntries(present)
}
