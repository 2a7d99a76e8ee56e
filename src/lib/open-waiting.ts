import { dependsOn, nextToSend } from '#domain/waiting-writes.ts'
import { checked } from './answers.ts'
import { windowName } from './backend.ts'
import { deviceStore, keepsData } from './device-store.ts'
import { isUnreachable } from './errors.ts'
import { inTime, isOffline } from './network.ts'
import { supabase } from './supabase.ts'
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
  const leaving = new AbortController()
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
    await releaseLeft(isStart)
    if (hasSent) void onSent().catch(() => {})
    wake()
  }
  const watched = new Set([windowName])
  /** Puts the unfinished direct writes of closed and reloaded windows into the queue. */
  async function releaseLeft(isStart: boolean): Promise<void> {
    for (const write of queue.all()) {
      const { isDirect, window: from, at } = write
      if (!isDirect) continue
      if (!('locks' in navigator) || from === undefined) {
        if (isStart && at < begun) await release(queue, write)
      } else if (!watched.has(from)) {
        watched.add(from)
        whenClosed(from, leaving.signal).then(
          () => releaseOf(from),
          () => {},
        )
      }
    }
  }
  async function releaseOf(closed: string): Promise<void> {
    await queue.reload()
    for (const write of queue.all())
      if (write.isDirect && write.window === closed && !isOver) await release(queue, write)
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
    guarded.delete(queue)
    leaving.abort()
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
function release(
  queue: WaitingQueue,
  { isDirect: _, window: _window, ...write }: WaitingWrite,
): Promise<void> {
  return queue.put({ ...write, isTried: true })
}

/** A browser that runs out of room drops what nobody asked it to keep. */
let isAsked = false
/** Queues with writes that the browser could not store, because it has no room or keeps nothing. */
const guarded = new Set<WaitingQueue>()

function guard(queue: WaitingQueue): void {
  if (!isAsked) void navigator.storage?.persist?.().catch(() => {})
  isAsked = true
  if (guarded.size === 0) window.addEventListener('beforeunload', warnOfLoss)
  guarded.add(queue)
}

function warnOfLoss(event: BeforeUnloadEvent): void {
  if ([...guarded].some((queue) => queue.all().some(({ batch }) => !queue.isStored(batch))))
    event.preventDefault()
}

const lockOf = (name: string) => `solo-window-${name}`

/** Resolves when a window that sends by itself is closed, or has crashed: the browser then gives its lock away. */
function whenClosed(name: string, signal: AbortSignal): Promise<void> {
  return navigator.locks.request(lockOf(name), { signal }, async () => {})
}

let isMarked = false

/** This window holds its lock as long as it is open. */
function markOpen(): void {
  if (isMarked || !('locks' in navigator)) return
  isMarked = true
  void navigator.locks.request(lockOf(windowName), () => new Promise(() => {})).catch(() => {})
}

let lastAt = 0
/** The writes that this window is sending for the first time. */
const underWay = new Map<WaitingWrite, Promise<unknown>>()

/** Answers for a server that is not there, or not ready: the write may have arrived. */
const ofProxies = [502, 503, 504]

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
    if (queue) guard(queue)
    wake?.()
    return new KeptWrite(batch)
  }
  const isAway = isOffline() || !navigator.onLine
  if (isKept && (isAway || nextToSend([...queue.all(), entry]) !== entry)) return keep(false)
  // Stored before it is sent: a reload in the middle loses nothing.
  if (isKept) {
    markOpen()
    void queue.put({ ...entry, isDirect: true, window: windowName })
  }
  const signal = AbortSignal.timeout(patience)
  let status = 0
  try {
    const asked = { batch, action, args: seen && !isLastWins ? { ...args, seen } : args }
    const request = supabase().rpc('write_once', asked)
    const answered = await inTime(isKept ? request.abortSignal(signal) : request)
    if ('status' in answered) status = answered.status
    if (answered.error) throw answered.error
    const answer = checked(onceAnswer, answered.data)
    if (isKept) void queue.drop(batch)
    return answer
  } catch (error) {
    const isLater = isUnreachable(error) || signal.aborted || ofProxies.includes(status)
    if (isKept && isLater) return keep(true)
    if (isKept) void queue.drop(batch)
    throw error
  }
}
