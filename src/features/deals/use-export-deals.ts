import { useExport } from '#features/exports/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import type { DealColumn, DealView } from './deal-view.ts'

/** Saves what a list of deals shows as a CSV file, and tells how it went. */
export function useExportDeals() {
  const timeZone = useTimeZone()
  const { isExporting, run } = useExport('deals')
  function exportDeals(view: DealView, columns: DealColumn[]): Promise<void> {
    return run(async () => {
      const { exportDeals: write } = await import('./export-deals.ts')
      return write(view, columns, timeZone)
    })
  }
  return { isExporting, exportDeals }
}
