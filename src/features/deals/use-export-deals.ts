import { useExport } from '#features/exports/index.ts'
import { useAllOwnFields } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import type { DealView } from './deal-view.ts'
import type { ExportedFields } from './export-deals.ts'

/** Saves the deals of a list as a CSV file, with toasts about the result. */
export function useExportDeals() {
  const timeZone = useTimeZone()
  const own = useAllOwnFields('deals')
  const { isExporting, run } = useExport('deals')
  function exportDeals(view: DealView, fields: ExportedFields): Promise<void> {
    return run(async () => {
      const { exportDeals: write } = await import('./export-deals.ts')
      return write(view, fields, timeZone, own)
    })
  }
  return { isExporting, exportDeals }
}
