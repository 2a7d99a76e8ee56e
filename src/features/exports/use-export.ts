import { useState } from 'react'
import { showError, showToast } from '#ui/toast.tsx'

/** Writes a file; reports the number of records so far, and returns the final number. */
type WriteFile = (onProgress: (count: number) => void) => Promise<number>

/** Saves records as a file, with toasts about the result. `things`: 'contacts', 'deals'. */
export function useExport(things: string) {
  const [exported, setExported] = useState<number | null>(null)

  async function run(write: WriteFile): Promise<void> {
    setExported(0)
    try {
      const count = await write(setExported)
      showToast({
        title: 'Export Complete',
        message: `Successfully exported ${count} ${things}`,
      })
    } catch {
      showError(`There was an error exporting your ${things}`, 'Export Failed')
    } finally {
      setExported(null)
    }
  }

  return {
    isExporting: exported !== null,
    /** How many are in the file so far. */
    exported: exported ?? 0,
    run,
  }
}
