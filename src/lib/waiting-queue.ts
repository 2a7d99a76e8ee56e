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
  /** Sent at once it holds over whatever is there; only sent later it asks. */
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

/** All that waits of one account, in this window and in the store that all windows share. */
export function createWaitingQueue(store: DeviceStore, onTold: () => void = () => {}) {
  let writes: WaitingWrite[] = []
  /** Without those on their first way; another list only when it holds others. */
  let listed: WaitingWrite[] = []
  /** Sent, and shown until the lists are read again. */
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
  return {
    all: () => writes,
    listed: () => listed,
    sent: () => sent,
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
    /** With `isSent` it stays on the screen until `forgetSent`. */
    drop(batch: string, isSent = false): Promise<void> {
      const gone = writes.filter((write) => write.batch === batch)
      if (isSent) sent = [...sent, ...gone]
      set(writes.filter((write) => write.batch !== batch))
      return save(async () => {
        await store.remove(prefix + batch)
        stored.delete(batch)
        onTold()
      })
    },
    forgetSent(): void {
      sent = []
      set(writes)
    },
    /** Reads what other windows have written; answers whether something was sent by one of them. */
    async reload(): Promise<boolean> {
      await saving
      const found = new Map<string, WaitingWrite>()
      for (const key of await store.keys()) {
        if (!key.startsWith(prefix)) continue
        const write = await store.get<WaitingWrite>(key)
        if (write) found.set(write.batch, write)
      }
      const [here, gone] = [new Map(found), [] as WaitingWrite[]]
      for (const write of writes) {
        if (found.has(write.batch) || !stored.has(write.batch)) {
          // On its way in this window: what the store has of it is older.
          if (write.isDirect || !found.has(write.batch)) here.set(write.batch, write)
        } else gone.push(write)
      }
      for (const batch of found.keys()) stored.add(batch)
      for (const { batch } of gone) stored.delete(batch)
      sent = [...sent, ...gone.filter(({ state }) => state !== 'taken back')]
      set([...here.values()])
      return gone.length > 0
    },
  }
}

export type WaitingQueue = ReturnType<typeof createWaitingQueue>
