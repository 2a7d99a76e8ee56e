import { hashKey, type QueryKey } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import type { ListWrite } from './list-writes.ts'
import type { Shown, WaitingQueue, WaitingWrite } from './waiting-queue.ts'

/** Instead of an answer: the write is kept on this device and sent later. */
export class KeptWrite {
  readonly batch: string
  constructor(batch: string) {
    this.batch = batch
  }
}

/** The queue of the account that is signed in, and how its sender is woken. */
type Opened = { account: string; queue: WaitingQueue; wake: () => void }

let current: Opened | null = null
const watchers = new Set<() => void>()

/** The queue of another account, or of none. */
export function setWaiting(opened: Opened | null): void {
  current = opened
  for (const watcher of [...watchers]) watcher()
}

export function openedWaiting(): Opened | null {
  return current
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

/** All waiting writes, oldest first; without those that are being sent for the first time. */
export function useWaiting(): WaitingWrite[] {
  return useSyncExternalStore(subscribe, () => current?.queue.listed() ?? none)
}

/** The same, with those that are being sent for the first time: all that is on this device only. */
export function useUnsent(): WaitingWrite[] {
  return useSyncExternalStore(subscribe, () => current?.queue.all() ?? none)
}

/** What waits and shows in a list, with what was sent after the list was read. */
export function useWaitingIn<Row>(
  list: QueryKey,
  readAt: number,
): { batch: string; shown: Shown<Row> }[] {
  const writes = useWaiting()
  const sent = useSyncExternalStore(subscribe, () => current?.queue.sent() ?? none)
  const key = hashKey(list)
  return useMemo(
    () =>
      [...sent.filter(({ sentAt = 0 }) => sentAt > readAt), ...writes]
        .filter(({ state }) => state !== 'taken back')
        .flatMap(({ batch, shown }) =>
          shown
            .filter((each) => hashKey(each.list) === key)
            // Whoever wrote it named its own list.
            .map((each) => ({ batch, shown: each as Shown<Row> })),
        ),
    [writes, sent, key, readAt],
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

/** Runs while no other window of the account does the like; side by side where the browser has no locks. */
export function alone<Value>(
  account: string,
  run: () => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  if (!('locks' in navigator)) return run()
  const options = signal ? { signal } : {}
  return navigator.locks.request(`solo-waiting-${account}`, options, run) as Promise<Value>
}
