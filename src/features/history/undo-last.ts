import type { QueryClient } from '@tanstack/react-query'
import { batchWords } from '#domain/batch-words.ts'
import { errorMessage } from '#lib/errors.ts'
import { writesAnswered } from '#lib/query-client.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { showError, showToast } from '#ui/toast.tsx'
import { type HistoryEntry, latestHistory } from './queries.ts'
import { undo } from './undo-toast.ts'

/** In milliseconds: what was done earlier is undone on purpose, in the history. */
const hour = 3_600_000

/** One at a time: the second press undoes what was done before. */
let last = Promise.resolve()

/** Undoes the last thing that was done and is not undone yet, of the last hour. */
export function undoLast(queryClient: QueryClient, timeZone: string): Promise<void> {
  last = last.then(() => undoNow(queryClient, timeZone))
  return last
}

async function undoNow(queryClient: QueryClient, timeZone: string): Promise<void> {
  try {
    // What is being written is the last thing.
    await writesAnswered(queryClient)
    const entry = lastDone(await latestHistory(), Date.now())
    if (!entry) {
      showToast({ message: 'Nothing to undo. Older changes are in the history.' })
      return
    }
    const { sentence } = batchWords(entry, { timeZone })
    await undo({
      batch: async () => entry.batch,
      what: sentence.map(({ text }) => text).join(''),
      onUndone: () => readFromTheStart(queryClient),
    })
  } catch (error) {
    showError(`Failed to undo: ${errorMessage(error)}`)
  }
}

/** An undo counts as done with what it undid: pressing again goes further back, not to and fro. */
export function lastDone(entries: HistoryEntry[], now: number): HistoryEntry | undefined {
  return entries.find(
    ({ undoes, undone, can_undo, at }) =>
      undoes === null && undone === 'no' && can_undo && now - Date.parse(at) < hour,
  )
}
