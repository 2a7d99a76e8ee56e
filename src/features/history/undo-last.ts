import type { QueryClient } from '@tanstack/react-query'
import { batchWords } from '#domain/batch-words.ts'
import { errorMessage } from '#lib/errors.ts'
import { isOffline } from '#lib/network.ts'
import { lastWrite, writesAnswered } from '#lib/query-client.ts'
import { readFromTheStart } from '#lib/use-list-write.ts'
import { type WaitingWrite, waitingQueue } from '#lib/waiting-writes.ts'
import { showError, showToast } from '#ui/toast.tsx'
import { type HistoryEntry, latestHistory } from './queries.ts'
import { undo } from './undo-toast.ts'

/** In milliseconds: what was done earlier is undone on purpose, in the history. */
const hour = 3_600_000

/** One at a time: the second press undoes what was done before. */
let last = Promise.resolve()

/** Takes back a write that waits on this device. */
type TakeBack = (batch: string) => Promise<void>

/** Undoes the last thing that the user did and is not undone yet, of the last hour. */
export function undoLast(
  queryClient: QueryClient,
  timeZone: string,
  takeBack: TakeBack,
): Promise<void> {
  last = last.then(() => undoNow(queryClient, timeZone, takeBack))
  return last
}

async function undoNow(
  queryClient: QueryClient,
  timeZone: string,
  takeBack: TakeBack,
): Promise<void> {
  try {
    // What is being written is the last thing.
    await writesAnswered(queryClient)
    const waiting = lastWaiting(waitingQueue()?.listed() ?? [], Date.now())
    const entry = await lastLogged(waiting !== undefined)
    const at = Math.max(waiting?.at ?? 0, entry ? Date.parse(entry.at) : 0)
    const noUndo = withoutUndo(at)
    if (noUndo) {
      const again = at > 0 ? ' Press again to undo what you did before.' : ''
      showToast({ message: `${noUndo} can’t be undone with this key.${again}` })
    } else if (waiting && waiting.at === at) await takeBack(waiting.batch)
    else if (entry) {
      const { sentence } = batchWords(entry, { timeZone })
      await undo({
        batch: async () => entry.batch,
        what: sentence.map(({ text }) => text).join(''),
        onUndone: () => readFromTheStart(queryClient),
      })
    } else showToast({ message: 'Nothing to undo. Older changes are in the history.' })
  } catch (error) {
    showError(`Failed to undo: ${errorMessage(error)}`)
  }
}

/** Without a network nobody can be asked; what waits on the device can be taken back all the same. */
async function lastLogged(isAnythingWaiting: boolean): Promise<HistoryEntry | undefined> {
  if (isAnythingWaiting && isOffline()) return undefined
  try {
    return lastDone(await latestHistory(), Date.now())
  } catch (error) {
    if (isAnythingWaiting) return undefined
    throw error
  }
}

/**
 * An undo counts as done with what it undid: pressing again goes further back, not to and fro. What a form, an assistant or
 * a program wrote is not what the user did. What waited on a device counts for when it was done there, not for when it was sent.
 */
export function lastDone(entries: HistoryEntry[], now: number): HistoryEntry | undefined {
  return entries.find(
    ({ undoes, undone, can_undo, at, by }) =>
      undoes === null && undone === 'no' && can_undo && !by && now - Date.parse(at) < hour,
  )
}

function lastWaiting(writes: WaitingWrite[], now: number): WaitingWrite | undefined {
  return writes.findLast(({ state, at }) => state !== 'taken back' && now - at < hour)
}

/** The write of which the user was told last that it has no undo. */
let told: object | null = null

/** The last write of this window, if it has no undo and nothing was done after it; told once. */
function withoutUndo(at: number): string | undefined {
  const write = lastWrite()
  if (!write?.noUndo || write.at <= at || write === told) return undefined
  told = write
  return write.noUndo
}
