import { cellsOf, readCells, withoutEmpty } from './import-cells.ts'
import { readCompany } from './import-company.ts'
import { readContact } from './import-contact.ts'
import { readDeal } from './import-deal.ts'
import type { ImportKind } from './import-headers.ts'
import { isOwnName } from './import-own.ts'
import { ownValuesOf } from './import-own-values.ts'
import type { ImportPlan } from './import-plan.ts'
import { type ImportRow, type Reader, withLines } from './import-row-values.ts'
import { sideOf } from './import-sides.ts'

const readers: Record<ImportKind, Reader> = {
  contacts: readContact,
  companies: readCompany,
  deals: readDeal,
}

/** What says nothing of whom a row is about. */
const besides = ['addresses', 'links']

/** Reads one row of a file. */
export function importRow(row: string[], plan: ImportPlan): ImportRow {
  const beyond = row.slice(plan.mapping.length).filter((cell) => cell.trim() !== '')
  if (beyond.length > 0) {
    // An unquoted delimiter in a cell shifts the cells after it.
    return {
      problem: `The row has ${row.length} cells, but the header has ${plan.mapping.length}.`,
    }
  }
  const cells = cellsOf(row, plan)
  // A date of contact or a city without anybody is no contact.
  if (
    [...cells.keys()].every((name) => isOwnName(name) || sideOf(name) || besides.includes(name))
  ) {
    return { problem: 'This row has nothing to import.' }
  }
  const firsts = readCells(plan, cells, row)
  if ('problem' in firsts) return firsts
  const read = readers[plan.kind](cells, firsts.raw, plan, row)
  if ('problem' in read) return read
  const own = ownValuesOf(cells, plan, row)
  const unfit = [...firsts.unfit, ...(read.unfit ?? []), ...own.unfit]
  const whole = withLines(plan.kind, { ...read.values, ...own.values }, unfit)
  if ('problem' in whole) return whole
  // For the remark in the dry run; what becomes a note of its own is told by its lines.
  const told = plan.kind === 'contacts' && unfit.length > 0 ? { unfit } : {}
  return { values: withoutEmpty({ ...whole.values, ...told }) }
}
