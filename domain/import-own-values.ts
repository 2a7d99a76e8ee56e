import type { CellValue } from './fields/cells.ts'
import {
  isOwnName,
  type OwnReader,
  ownName,
  ownReader,
  plannedField,
  readOwn,
} from './import-own.ts'
import type { ImportPlan } from './import-plan.ts'
import { type Cells, linesOf } from './import-row-values.ts'

/** One plan reads many rows. */
const ownReaders = new WeakMap<ImportPlan, Map<string, OwnReader>>()

function ownReadersOf(plan: ImportPlan): Map<string, OwnReader> {
  const made = ownReaders.get(plan)
  if (made) return made
  const readers = new Map(
    plan.mapping.flatMap((name): [string, OwnReader][] => {
      // What a row of deals says of its contact is read by the plan of such.
      const planned = isOwnName(name) ? plannedField(plan.own, name) : undefined
      return planned ? [[ownName(planned.id), ownReader(planned)]] : []
    }),
  )
  ownReaders.set(plan, readers)
  return readers
}

/** The values of the user's own fields, as the column that holds all of them, and lines about cells that cannot be read. */
export function ownValuesOf(cells: Cells, plan: ImportPlan, row: string[]) {
  const custom: Record<string, CellValue> = {}
  const unfit: string[] = []
  for (const [name, reader] of ownReadersOf(plan)) {
    const texts = cells.get(name)
    if (!texts) continue
    const read = readOwn(reader, texts, plan)
    if ('problem' in read) unfit.push(...linesOf(name, row, plan))
    else if (read.value !== null) custom[reader.id] = read.value
  }
  return { values: Object.keys(custom).length > 0 ? { custom } : {}, unfit }
}
