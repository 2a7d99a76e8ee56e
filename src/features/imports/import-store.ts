import { readOwnFields } from '#features/own-fields/index.ts'
import { errorMessage } from '#lib/errors.ts'
import { newId } from '#lib/new-id.ts'
import { openReader } from './file-reader.ts'
import type { Opened } from './file-session.ts'
import type { Home, Overrides } from './interpret-rows.ts'
import { cancelImport } from './queries.ts'
import type { ReadOptions, Unreadable } from './read-table.ts'

/** A request to the worker: read the file with other options, or interpret its rows otherwise. */
export type FileRequest = { read: ReadOptions } | { take: Overrides }

/** The state of an import outside of React: the worker that holds the file, and the rows sent so far. */
export function createImportStore() {
  let reader: ReturnType<typeof openReader> | null = null
  /** The worker's last result, which the screen may not show yet. */
  let held: Opened | null = null
  /** Counts the files, to drop late answers about an earlier file. */
  let files = 0
  let isWorking = false
  let waiting: FileRequest | null = null
  let sent: { id: string; rows: string } | null = null
  let isWriting = false
  let isLeft = false

  /** The worker starts with the first file. */
  function openedReader() {
    reader ??= openReader()
    return reader
  }

  function closeReader(): void {
    reader?.close()
    reader = null
  }

  /** Cancels an import whose rows were sent but not written. */
  function forget(): void {
    // If this fails, the next import that begins a day later removes the rows.
    if (sent) cancelImport(sent.id).catch(() => {})
    sent = null
  }

  /** Drops the file and what the worker is doing with it. */
  function discard(): void {
    forget()
    files += 1
    waiting = null
    held = null
    if (isWorking) closeReader()
    isWorking = false
  }

  /** Returns the worker's new result, or why the old one stays. */
  async function run(request: FileRequest, of: Opened): Promise<Opened | Unreadable> {
    try {
      if ('read' in request) return await openedReader().reread(request.read)
      return { ...of, interpretation: await openedReader().interpretRows(request.take) }
    } catch (error) {
      return { problem: errorMessage(error) }
    }
  }

  return {
    reader: openedReader,
    discard,
    /** Opens a file; null when it was discarded meanwhile. */
    async open(source: File | string, home?: Home): Promise<Opened | Unreadable | null> {
      discard()
      const file = files
      isWorking = true
      const opened = await readOwnFields()
        .then((own) => (file === files ? openedReader().open(source, own, home) : null))
        .catch((error: unknown): Unreadable => ({ problem: errorMessage(error) }))
      if (file !== files || !opened) return null
      isWorking = false
      if (!('problem' in opened)) held = opened
      return opened
    },
    /**
     * Sends a request to the worker. One runs at a time, because fifty megabytes take seconds; of those that
     * come meanwhile only the newest is kept. The first caller gets the final result; the other callers, and
     * all after a discard, get null.
     */
    async ask(request: FileRequest): Promise<{ held: Opened; problem: string | null } | null> {
      if (!held) return null
      waiting = request
      if (isWorking) return null
      const file = files
      isWorking = true
      let problem: string | null = null
      while (waiting) {
        const next: FileRequest = waiting
        waiting = null
        const answer: Opened | Unreadable = await run(next, held)
        if (file !== files) return null
        problem = 'problem' in answer ? answer.problem : null
        if (!('problem' in answer)) held = answer
      }
      isWorking = false
      return { held, problem }
    },
    isWorking: () => isWorking,
    /** The same id for the same rows under the same plan: they need not be sent again. */
    idFor({ form, interpretation: { headerRow, keptLines, plan } }: Opened): string {
      const rows = JSON.stringify({ form, headerRow, keptLines, plan })
      if (sent && sent.rows !== rows) forget()
      sent ??= { id: newId(), rows }
      return sent.id
    },
    /** From here on leaving the screen does not cancel the import. */
    beginWriting() {
      isWriting = true
    },
    /** After a failed write, rows of a screen that was left are cancelled. */
    endWriting(isWritten: boolean) {
      isWriting = false
      if (isWritten) sent = null
      else if (isLeft) forget()
    },
    isLeft: () => isLeft,
    /** Called when the screen opens; returns what to call when it is left. */
    enter() {
      isLeft = false
      return () => {
        isLeft = true
        closeReader()
        if (!isWriting) forget()
      }
    },
  }
}
