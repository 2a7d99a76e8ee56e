import type { QueryKey } from '@tanstack/react-query'
import { z } from 'zod/mini'
import type { Sendable, WriteAction } from '#domain/waiting-writes.ts'
import { maybe } from './answers.ts'
import type { Json } from './database.types.ts'
import type { DeviceStore } from './device-store.ts'
import type { Neighbours } from './list-writes.ts'

type JsonObject = { [key: string]: Json | undefined }

/** What a list shows of a write that waits: plain data, because it is stored. */
export type Shown<Row> = { effect?: unknown } & (
  | { kind: 'add'; row: Row }
  | { kind: 'change'; id: string; to: Partial<Row>; between?: Neighbours }
)

/** A write that is sent once, now or later. */
export type OnceWrite = {
  action: WriteAction
  args: JsonObject
  /** Of what it changes, the values that the user saw. */
  seen?: JsonObject
  /** Sent at once, it overwrites the record; sent later, it reports a conflict if the record has changed. */
  isLastWins?: boolean
  /** What it is, for the list of all that waits: 'Call with Ada Lovelace'. */
  title: string
  /** The lists that show it. */
  shown: (Shown<object> & { list: QueryKey })[]
}

export type WaitingWrite = Omit<OnceWrite, 'isLastWins'> &
  Sendable & {
    args: JsonObject
    /** In milliseconds; their order. */
    at: number
    /** It was sent, and no answer came: it may have arrived. */
    isTried: boolean
    /** Why it was refused. */
    reason?: string
    /** Of a conflict, the record as it is on the server. */
    theirs?: JsonObject
    /** The window that is sending this write; if it closes first, the write joins the queue. */
    window?: string
    /** When the server had answered, in milliseconds. */
    sentAt?: number
  }

const json: z.ZodMiniType<Json> = z.json()

/** What `write_once` answers. */
export const onceAnswer = z.object({
  batch: maybe,
  row: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  next_step: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  records: z.optional(z.nullable(z.array(z.unknown()))),
  conflict: z.optional(z.record(z.string(), json)),
  is_taken_back: z.optional(z.boolean()),
})

export type OnceAnswer = z.output<typeof onceAnswer>

const prefix = 'waiting:'
const sentPrefix = 'sent:'

/**
 * What was sent shows over whatever was read before that, also after a reload: the network may go again before anything is
 * read. In milliseconds; what a device has read is seldom older.
 */
const sentLasts = 7 * 24 * 60 * 60 * 1000
const mostSent = 200

/** All that waits of one account, in this window and in the store that all windows share. */
export function createWaitingQueue(store: DeviceStore, onTold: () => void = () => {}) {
  let writes: WaitingWrite[] = []
  /** The writes that no window is sending directly; a new array only when its entries change. */
  let listed: WaitingWrite[] = []
  /** Writes that were sent; lists that were read before that still show their effect. */
  let sent: WaitingWrite[] = []
  const listeners = new Set<() => void>()
  /** What the store has had: missing there, another window has sent it or taken it back. */
  const stored = new Set<string>()
  let saving = Promise.resolve()

  function set(next: WaitingWrite[]): void {
    writes = next.toSorted((one, other) => one.at - other.at)
    const others = writes.filter(({ isDirect }) => !isDirect)
    const isSame =
      others.length === listed.length && others.every((write, place) => write === listed[place])
    if (!isSame) listed = others
    for (const listener of [...listeners]) listener()
  }
  /** One after the other, so that a later version is not overtaken by an earlier one. */
  function save(run: () => Promise<void>): Promise<void> {
    saving = saving.then(run, run)
    return saving
  }
  async function forgetOld(done: WaitingWrite[]): Promise<void> {
    const isLasting = ({ sentAt = 0 }: WaitingWrite) => Date.now() - sentAt < sentLasts
    const newest = done.toSorted((one, other) => one.at - other.at).slice(-mostSent)
    const kept = newest.filter(isLasting)
    for (const { batch } of done.filter((write) => !kept.includes(write)))
      await store.remove(sentPrefix + batch)
    const isSame =
      kept.length === sent.length &&
      kept.every((write, place) => write.batch === sent[place]?.batch)
    if (!isSame) sent = kept
  }
  return {
    all: () => writes,
    listed: () => listed,
    sent: () => sent,
    /** Whether a write is in the store; where it is not, it goes with this window. */
    isStored: (batch: string) => stored.has(batch),
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Adds a write, or replaces its earlier version; shown at once. */
    put(write: WaitingWrite): Promise<void> {
      set([...writes.filter(({ batch }) => batch !== write.batch), write])
      return save(async () => {
        await store.set(prefix + write.batch, write)
        // Where the browser has no store, the memory of this window is all there is.
        if (await store.get(prefix + write.batch)) stored.add(write.batch)
        onTold()
      })
    },
    /** With `isSent` it stays on the screen until it is read. */
    drop(batch: string, isSent = false): Promise<void> {
      const sentAt = Date.now()
      const done = writes
        .filter((write) => isSent && write.batch === batch)
        .map((write) => ({ ...write, sentAt }))
      sent = [...sent, ...done]
      set(writes.filter((write) => write.batch !== batch))
      return save(async () => {
        for (const write of done) await store.set(sentPrefix + batch, write)
        await store.remove(prefix + batch)
        stored.delete(batch)
        onTold()
      })
    },
    /** It was undone. */
    forgetSent(batch: string): Promise<void> {
      sent = sent.filter((write) => write.batch !== batch)
      set(writes)
      return save(() => store.remove(sentPrefix + batch))
    },
    /** Reads what other windows have written; answers whether something was sent by one of them. */
    async reload(): Promise<boolean> {
      await saving
      const found = new Map<string, WaitingWrite>()
      const done = new Map(sent.map((write) => [write.batch, write]))
      const keys = (await store.keys()).filter(
        (key) => key.startsWith(prefix) || key.startsWith(sentPrefix),
      )
      for (const write of keys.length > 0 ? await store.getMany<WaitingWrite>(keys) : [])
        if (write) (write.sentAt ? done : found).set(write.batch, write)
      await forgetOld([...done.values()])
      const [here, gone] = [new Map(found), [] as WaitingWrite[]]
      for (const write of writes) {
        if (found.has(write.batch) || !stored.has(write.batch)) {
          // On its way in this window: what the store has of it is older.
          if (write.isDirect || !found.has(write.batch)) here.set(write.batch, write)
        } else gone.push(write)
      }
      for (const batch of found.keys()) stored.add(batch)
      for (const { batch } of gone) stored.delete(batch)
      set([...here.values()])
      return gone.length > 0
    },
  }
}

export type WaitingQueue = ReturnType<typeof createWaitingQueue>
