import { newId } from './new-id.ts'
import type { OnceAnswer, OnceWrite } from './waiting-queue.ts'
import type { KeptWrite } from './waiting-state.ts'

export type { OnceAnswer, OnceWrite, Shown, WaitingWrite } from './waiting-queue.ts'
export * from './waiting-state.ts'

/** Not part of the first screen; the app loads it as soon as that is there. */
const loadSending = () => import('./open-waiting.ts')

let openPrepared: (() => Promise<void>) | null = null

/** Is ready to send what waits of an account, until the returned function is called; see {@link openWaiting}. */
export function prepareWaiting(account: string, onSent: () => Promise<unknown>): () => void {
  let close = () => {}
  let isOver = false
  let opening: Promise<void> | null = null
  function open(): Promise<void> {
    opening ??= loadSending().then(
      ({ openWaiting: begin }) => {
        if (!isOver) close = begin(account, onSent)
      },
      // The server is away, or has another version: the next part that is opened says so.
      () => {
        opening = null
      },
    )
    return opening
  }
  openPrepared = open
  return () => {
    isOver = true
    close()
    if (openPrepared === open) openPrepared = null
  }
}

/** Begins to send what waits; a write does so too, since it may have to wait itself. */
export async function openWaiting(): Promise<void> {
  await openPrepared?.()
}

/**
 * Sends a write that the database does once, however often it comes. Without a network, or behind others that wait, it is
 * kept on this device. Rejects when it is refused.
 */
export async function sendOnce(
  write: OnceWrite,
  batch: string = newId(),
): Promise<OnceAnswer | KeptWrite> {
  const { sendOnce: send } = await loadSending()
  await openWaiting()
  return send(write, batch)
}
