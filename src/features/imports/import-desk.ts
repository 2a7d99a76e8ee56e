import type { ImportPlan } from '#domain/import-rows.ts'
import { newId } from '#lib/new-id.ts'
import { openReader } from './file-reader.ts'
import { cancelImport } from './queries.ts'

/** What an import holds besides what it shows: the thread that reads the file, and the rows that are under way. */
export function createImportDesk() {
  let reader: ReturnType<typeof openReader> | null = null
  let sent: { id: string; plan: string } | null = null
  let isLeft = false

  /** What has been sent and not been written is of no use to anybody. */
  function forget(): void {
    // Whatever stays behind all the same goes by itself when an import begins a day later.
    if (sent) cancelImport(sent.id).catch(() => {})
    sent = null
  }

  return {
    /** Its thread starts with the first file. */
    reader() {
      reader ??= openReader()
      return reader
    },
    /** Rows that were sent under the same plan need not be sent again. */
    idFor(plan: ImportPlan): string {
      const key = JSON.stringify(plan)
      if (sent && sent.plan !== key) forget()
      sent ??= { id: newId(), plan: key }
      return sent.id
    },
    forget,
    /** The rows are written: nothing is under way any more. */
    settle() {
      sent = null
    },
    isLeft: () => isLeft,
    /** The screen is open; answers how to leave it. */
    enter() {
      isLeft = false
      return () => {
        isLeft = true
        reader?.close()
        reader = null
        forget()
      }
    },
  }
}
