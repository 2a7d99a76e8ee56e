import { errorMessage } from '#lib/errors.ts'
import { newId } from '#lib/new-id.ts'
import { openReader } from './file-reader.ts'
import type { Opened } from './file-session.ts'
import { cancelImport } from './queries.ts'
import type { ReadOptions, Unreadable } from './read-table.ts'
import type { Wanted } from './understand.ts'

/** What the thread is to do with the file it holds: read it otherwise, or take it for something else. */
export type Wish = { read: ReadOptions } | { take: Wanted }

/** What an import holds besides what it shows: the thread that reads the file, and the rows that are under way. */
export function createImportDesk() {
  let reader: ReturnType<typeof openReader> | null = null
  /** What the thread has understood, whatever is on the screen. */
  let held: Opened | null = null
  /** Counts the files, so that no answer is taken for one about the next file. */
  let files = 0
  let isWorking = false
  let waiting: Wish | null = null
  let sent: { id: string; rows: string } | null = null
  let isWriting = false
  let isLeft = false

  /** Its thread starts with the first file. */
  function openedReader() {
    reader ??= openReader()
    return reader
  }

  function closeReader(): void {
    reader?.close()
    reader = null
  }

  /** What has been sent and not been written is of no use to anybody. */
  function forget(): void {
    // Whatever stays behind all the same goes by itself when an import begins a day later.
    if (sent) cancelImport(sent.id).catch(() => {})
    sent = null
  }

  /** The file is of no interest any more, nor is what the thread still does with it. */
  function putAway(): void {
    forget()
    files += 1
    waiting = null
    held = null
    if (isWorking) closeReader()
    isWorking = false
  }

  /** Answers what the thread holds then, or why it stays as it was. */
  async function fulfil(wish: Wish, of: Opened): Promise<Opened | Unreadable> {
    try {
      if ('read' in wish) return await openedReader().reread(wish.read)
      return { ...of, understood: await openedReader().understand(wish.take) }
    } catch (error) {
      return { problem: errorMessage(error) }
    }
  }

  return {
    reader: openedReader,
    putAway,
    /** Opens a file; answers null when it was put away meanwhile. */
    async open(source: File | string): Promise<Opened | Unreadable | null> {
      putAway()
      const file = files
      isWorking = true
      const opened = await openedReader()
        .open(source)
        .catch((error: unknown): Unreadable => ({ problem: errorMessage(error) }))
      if (file !== files) return null
      isWorking = false
      if (!('problem' in opened)) held = opened
      return opened
    },
    /**
     * Has a wish fulfilled. One at a time, since fifty megabytes take seconds: of those that come
     * meanwhile only the newest is kept. Answers what the thread holds in the end, to the first who
     * asked; to the others, whose wishes are in it, and when the file was put away, null.
     */
    async ask(wish: Wish): Promise<{ held: Opened; problem: string | null } | null> {
      if (!held) return null
      waiting = wish
      if (isWorking) return null
      const file = files
      isWorking = true
      let problem: string | null = null
      while (waiting) {
        const next: Wish = waiting
        waiting = null
        const answer: Opened | Unreadable = await fulfil(next, held)
        if (file !== files) return null
        problem = 'problem' in answer ? answer.problem : null
        if (!('problem' in answer)) held = answer
      }
      isWorking = false
      return { held, problem }
    },
    isWorking: () => isWorking,
    /** Rows that were read and sent under the same plan need not be sent again. */
    idFor({ encoding, delimiter, understood: { headerRow, plan } }: Opened): string {
      const rows = JSON.stringify({ encoding, delimiter, headerRow, plan })
      if (sent && sent.rows !== rows) forget()
      sent ??= { id: newId(), rows }
      return sent.id
    },
    /** From here on it is the user's will that the rows are written, on whatever screen. */
    beginWriting() {
      isWriting = true
    },
    /** The rows are written, so nothing is under way any more; or they are not. */
    endWriting(isWritten: boolean) {
      isWriting = false
      if (isWritten) sent = null
      else if (isLeft) forget()
    },
    isLeft: () => isLeft,
    /** The screen is open; answers how to leave it. */
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
