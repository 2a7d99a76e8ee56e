import { newId } from './new-id.ts'
import type { OnceAnswer, OnceWrite } from './waiting-queue.ts'
import type { KeptWrite } from './waiting-state.ts'

export type { OnceAnswer, OnceWrite, Shown, WaitingWrite } from './waiting-queue.ts'
export * from './waiting-state.ts'

/** Not part of the first screen; the app loads it as soon as that is there. */
const loadSending = () => import('./open-waiting.ts')

/** Sends what waits of an account, until the returned function is called. */
export function openWaiting(account: string, onSent: () => Promise<unknown>): () => void {
  let close = () => {}
  let isOver = false
  loadSending().then(
    ({ openWaiting: open }) => {
      if (!isOver) close = open(account, onSent)
    },
    // The server is away, or has another version: the next part that is opened says so.
    () => {},
  )
  return () => {
    isOver = true
    close()
  }
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
  return send(write, batch)
}
