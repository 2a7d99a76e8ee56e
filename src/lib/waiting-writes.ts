import { hashKey, type QueryKey } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { dependsOn, nextToSend } from '#domain/waiting-writes.ts'
import { deviceStore, keepsData } from './device-store.ts'
import { isUnreachable } from './errors.ts'
import type { ListWrite } from './list-writes.ts'
import { isOffline } from './network.ts'
import { newId } from './new-id.ts'
import { callForJson } from './supabase.ts'
import {
  createWaitingQueue,
  type OnceAnswer,
  type OnceWrite,
  onceAnswer,
  type Shown,
  type WaitingQueue,
  type WaitingWrite,
} from './waiting-queue.ts'

export type { OnceAnswer, OnceWrite, Shown, WaitingWrite } from './waiting-queue.ts'

/** Instead of an answer: the write is kept on this device and sent later. */
export class KeptWrite {
  readonly batch: string
  constructor(batch: string) {
    this.batch = batch
  }
}

/** The queue of the account that is signed in, and how its sender is woken. */
let current: { account: string; queue: WaitingQueue; wake: () => void } | null = null
const watchers = new Set<() => void>()

/** Begins to send what waits of an account, until the returned function is called. */
export function openWaiting(account: string, onSent: () => Promise<unknown>): () => void {
  const channel =
    typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`solo-waiting-${account}`)
  const queue = createWaitingQueue(deviceStore(account), () => channel?.postMessage(null))
  let sender: Promise<{ wake: () => void; stop: () => void }> | null = null
  let isOver = false
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
    if (isStart) for (const write of queue.all()) if (write.isDirect) await release(queue, write)
    if (hasSent) onSent().finally(() => queue.forgetSent())
    wake()
  }
  const told = () => void readStore()
  channel?.addEventListener('message', told)
  window.addEventListener('online', wake)
  const opened = { account, queue, wake }
  current = opened
  tellWatchers()
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
    if (current === opened) current = null
    tellWatchers()
  }
}

function tellWatchers(): void {
  for (const watcher of [...watchers]) watcher()
}

/** From now on it waits for its turn like all others. */
function release(queue: WaitingQueue, { isDirect: _, ...write }: WaitingWrite): Promise<void> {
  return queue.put({ ...write, isTried: true })
}

/** The account's queue, while somebody is signed in. */
export function waitingQueue(): WaitingQueue | null {
  return current?.queue ?? null
}

export function waitingAccount(): string | null {
  return current?.account ?? null
}

export function wakeSender(): void {
  current?.wake()
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
  batch: string = newId(),
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
  const { queue, wake } = current ?? {}
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

/** What a list shows of a write. */
export function asListWrite<Row extends { id: string }>(shown: Shown<Row>): ListWrite<Row> {
  if (shown.kind === 'add') return shown
  const { id, ...change } = shown
  return { ...change, matches: (row) => row.id === id }
}

const none: WaitingWrite[] = []

function subscribe(listener: () => void): () => void {
  let stop = current?.queue.subscribe(listener)
  function follow(): void {
    stop?.()
    stop = current?.queue.subscribe(listener)
    listener()
  }
  watchers.add(follow)
  return () => {
    watchers.delete(follow)
    stop?.()
  }
}

/** All that waits, oldest first; not what is on its first way. */
export function useWaiting(): WaitingWrite[] {
  return useSyncExternalStore(subscribe, () => current?.queue.listed() ?? none)
}

/** What waits and shows in a list, with what was sent a moment ago and is not read yet. */
export function useWaitingIn<Row>(list: QueryKey): { batch: string; shown: Shown<Row> }[] {
  const writes = useWaiting()
  const sent = useSyncExternalStore(subscribe, () => current?.queue.sent() ?? none)
  const key = hashKey(list)
  return useMemo(
    () =>
      [...sent, ...writes]
        .filter(({ state }) => state !== 'taken back')
        .flatMap(({ batch, shown }) =>
          shown
            .filter((each) => hashKey(each.list) === key)
            // Whoever wrote it named its own list.
            .map((each) => ({ batch, shown: each as Shown<Row> })),
        ),
    [writes, sent, key],
  )
}

/** Whether something of a row is not sent yet: waiting, or refused by the server. */
export function useWaitingState(id: string): 'waiting' | 'stuck' | null {
  return useSyncExternalStore(subscribe, () => stateOf(id))
}

/** Whether a record is on this device only: it can be taken back, and neither changed nor deleted. */
export function isUnsent(id: string): boolean {
  return (current?.queue.listed() ?? none).some(
    ({ shown, state }) =>
      state !== 'taken back' &&
      shown.some((each) => each.kind === 'add' && Object(each.row).id === id),
  )
}

function stateOf(id: string): 'waiting' | 'stuck' | null {
  const writes = (current?.queue.listed() ?? none).filter(
    ({ shown, state }) =>
      state !== 'taken back' &&
      // Every row has an id.
      shown.some((each) => (each.kind === 'add' ? Object(each.row).id : each.id) === id),
  )
  if (writes.length === 0) return null
  return writes.some(({ state }) => state !== 'waiting') ? 'stuck' : 'waiting'
}
