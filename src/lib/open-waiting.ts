import { dependsOn, nextToSend } from '#domain/waiting-writes.ts'
import { deviceStore, keepsData } from './device-store.ts'
import { isUnreachable } from './errors.ts'
import { isOffline } from './network.ts'
import { callForJson } from './supabase.ts'
import {
  createWaitingQueue,
  type OnceAnswer,
  type OnceWrite,
  onceAnswer,
  type WaitingQueue,
  type WaitingWrite,
} from './waiting-queue.ts'
import { KeptWrite, openedWaiting, setWaiting } from './waiting-state.ts'

/** Begins to send what waits of an account, until the returned function is called. */
export function openWaiting(account: string, onSent: () => Promise<unknown>): () => void {
  const channel =
    typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`solo-waiting-${account}`)
  const begun = Date.now()
  let isOver = false
  const queue = createWaitingQueue(deviceStore(account), () => {
    // What is stored last may come after the end of a session.
    if (!isOver) channel?.postMessage(null)
  })
  let sender: Promise<{ wake: () => void; stop: () => void }> | null = null
  function wake(): void {
    if (isOver || queue.all().length === 0) return
    // Needed only by those who have something that waits.
    sender ??= import('./send-waiting.ts').then(({ startSender }) =>
      startSender({ account, queue, onSent }),
    )
    sender.then(
      ({ wake: wakeIt }) => wakeIt(),
      () => {
        sender = null
      },
    )
  }
  async function readStore(isStart = false): Promise<void> {
    const hasSent = await queue.reload()
    if (isOver) return
    // Those that a closed or reloaded window had under way have nobody who sends them.
    if (isStart)
      for (const write of queue.all())
        if (write.isDirect && write.at < begun) await release(queue, write)
    if (hasSent) onSent().finally(() => queue.forgetSent())
    wake()
  }
  const told = () => void readStore()
  channel?.addEventListener('message', told)
  window.addEventListener('online', wake)
  const opened = { account, queue, wake }
  setWaiting(opened)
  void readStore(true)
  return () => {
    isOver = true
    channel?.removeEventListener('message', told)
    channel?.close()
    window.removeEventListener('online', wake)
    sender?.then(
      ({ stop }) => stop(),
      () => {},
    )
    if (openedWaiting() === opened) setWaiting(null)
  }
}

/** From now on it waits for its turn like all others. */
function release(queue: WaitingQueue, { isDirect: _, ...write }: WaitingWrite): Promise<void> {
  return queue.put({ ...write, isTried: true })
}

let lastAt = 0
/** Those on their first way. */
const underWay = new Map<WaitingWrite, Promise<unknown>>()

/** In milliseconds: then it waits on the device instead, and is sent again as the same write. */
const patience = 20_000

/**
 * Sends a write that the database does once, however often it comes. Without a network, or behind others that wait, it is
 * kept on this device. Rejects when it is refused.
 */
export async function sendOnce(
  { isLastWins = false, ...write }: OnceWrite,
  batch: string,
): Promise<OnceAnswer | KeptWrite> {
  lastAt = Math.max(Date.now(), lastAt + 1)
  const entry: WaitingWrite = { ...write, batch, at: lastAt, state: 'waiting', isTried: false }
  const before = [...underWay].filter(([earlier]) => dependsOn(entry, earlier))
  const done = Promise.allSettled(before.map(([, answer]) => answer)).then(() =>
    sendNow(entry, isLastWins),
  )
  underWay.set(entry, done)
  try {
    return await done
  } finally {
    underWay.delete(entry)
  }
}

async function sendNow(entry: WaitingWrite, isLastWins: boolean): Promise<OnceAnswer | KeptWrite> {
  const { batch, action, args, seen } = entry
  const { queue, wake } = openedWaiting() ?? {}
  const isKept = queue !== undefined && keepsData()
  async function keep(isTried: boolean): Promise<KeptWrite> {
    await queue?.put({ ...entry, isTried })
    wake?.()
    return new KeptWrite(batch)
  }
  const isAway = isOffline() || !navigator.onLine
  if (isKept && (isAway || nextToSend([...queue.all(), entry]) !== entry)) return keep(false)
  // Stored before it is sent: a reload in the middle loses nothing.
  if (isKept) void queue.put({ ...entry, isDirect: true })
  const signal = AbortSignal.timeout(patience)
  try {
    const asked = { batch, action, args: seen && !isLastWins ? { ...args, seen } : args }
    const answer = await callForJson('write_once', asked, onceAnswer, isKept ? signal : undefined)
    if (isKept) void queue.drop(batch)
    return answer
  } catch (error) {
    if (isKept && (isUnreachable(error) || signal.aborted)) return keep(true)
    if (isKept) void queue.drop(batch)
    throw error
  }
}
