import { useState } from 'react'
import { counted } from '#domain/counted.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { showError, showToast } from '#ui/toast.tsx'
import type { DealColumn, DealView } from './deal-view.ts'

/** Saves what a list of deals shows as a CSV file, and tells how it went. */
export function useExportDeals() {
  const [isExporting, setIsExporting] = useState(false)
  const timeZone = useTimeZone()
  async function exportDeals(view: DealView, columns: DealColumn[]): Promise<void> {
    setIsExporting(true)
    try {
      const { exportDeals: write } = await import('./export-deals.ts')
      const count = await write(view, columns, timeZone)
      showToast({
        title: 'Export Complete',
        message: `Successfully exported ${counted(count, 'deal')}`,
      })
    } catch (error) {
      showError(`There was an error exporting your deals: ${errorMessage(error)}`, 'Export Failed')
    } finally {
      setIsExporting(false)
    }
  }
  return { isExporting, exportDeals }
}
