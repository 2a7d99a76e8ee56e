import { useExport } from '#features/exports/index.ts'
import { useAllOwnFields } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'
import type { CompanyView } from './company-view.ts'

/** Saves all fields of the companies of a view as a CSV file, with toasts about the result. */
export function useExportCompanies() {
  const timeZone = useTimeZone()
  const own = useAllOwnFields('companies')
  const { isExporting, run } = useExport('companies')
  function exportCompanies(view: CompanyView): Promise<void> {
    return run(async () => {
      const { writeAllFields } = await import('./export-all-fields.ts')
      return writeAllFields(view, own, timeZone)
    })
  }
  return { isExporting, exportCompanies }
}
