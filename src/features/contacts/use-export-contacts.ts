import type { ContactFilter } from '#domain/contact-filter.ts'
import type { CardVersion } from '#domain/vcard.ts'
import { useExport } from '#features/exports/index.ts'
import { useAllOwnFields } from '#features/own-fields/index.ts'
import { useTimeZone } from '#features/preferences/index.ts'

/** Saves the contacts that a filter matches as a CSV file, with toasts about the result. */
export function useExportContacts() {
  const timeZone = useTimeZone()
  const { isExporting, exported, run } = useExport('contacts')
  function exportContacts(filter: ContactFilter): Promise<void> {
    return run(async (onProgress) => {
      const { writeContacts } = await import('./export-contacts.ts')
      return writeContacts({ filter, timeZone, onProgress })
    })
  }
  return { isExporting, exported, exportContacts }
}

/** The same with all fields, the user's own too. */
export function useExportAllFields() {
  const timeZone = useTimeZone()
  const own = useAllOwnFields('contacts')
  const { isExporting, run } = useExport('contacts')
  function exportAllFields(filter: ContactFilter): Promise<void> {
    return run(async (onProgress) => {
      const { writeAllFields } = await import('./export-all-fields.ts')
      return writeAllFields({ filter, own, timeZone, onProgress })
    })
  }
  return { isExporting, exportAllFields }
}

/** The same as one vCard file. */
export function useExportVcards() {
  const timeZone = useTimeZone()
  const own = useAllOwnFields('contacts')
  const { isExporting, run } = useExport('contacts')
  function exportVcards(filter: ContactFilter, version: CardVersion): Promise<void> {
    return run(async (onProgress) => {
      const { writeVcards } = await import('./export-vcards.ts')
      return writeVcards({ filter, version, own, timeZone, onProgress })
    })
  }
  return { isExporting, exportVcards }
}
