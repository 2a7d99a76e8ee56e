import type { DealColumn } from '#domain/fields/deals.ts'
import type { OwnKey } from '#domain/fields/own.ts'
import type { ExportChoice } from '#features/exports/index.ts'
import type { ExportedFields } from './export-deals.ts'

/** What of each deal goes into the file: everything, or the columns of the list where some are shown. */
export function exportChoices(
  shown: (DealColumn | OwnKey)[] | null,
  onExport: (fields: ExportedFields) => void,
): ExportChoice[] {
  const all: ExportChoice = { fields: 'all', onExport: () => onExport('all') }
  return shown ? [all, { fields: 'shown', onExport: () => onExport(shown) }] : [all]
}
