import {
  clear,
  createStore,
  del,
  get,
  getMany,
  keys,
  set,
  setMany,
  type UseStore,
} from 'idb-keyval'
import { useSyncExternalStore } from 'react'
import { browserStorage } from './browser-storage.ts'
import { storedUser } from './stored-session.ts'

/**
 * What the browser keeps of one account on this device: a database of its own, so that no other account ever reads it
 * and all of it goes at once. Every call fails quietly where the browser has no database (private windows): then there
 * is nothing without a network, and everything else works. What is wiped stays wiped: see `isOpen`.
 */
export type DeviceStore = {
  get<Value>(key: string): Promise<Value | undefined>
  getMany<Value>(keys: string[]): Promise<(Value | undefined)[]>
  set(key: string, value: unknown): Promise<void>
  setMany(entries: [string, unknown][]): Promise<void>
  remove(key: string): Promise<void>
  keys(): Promise<string[]>
  /** Sign-out, or "Keep data on this device" turned off. */
  wipe(): Promise<void>
}

const opened = new Map<string, UseStore>()

export function deviceStore(account: string): DeviceStore {
  function place(): UseStore {
    const known = opened.get(account) ?? createStore(`solo-${account}`, 'kept')
    opened.set(account, known)
    return known
  }
  /** Asks at the beginning of each transaction whether the account may still be stored, so that no write follows a wipe. */
  function placeFor(written: string[]): UseStore {
    return (mode, run) =>
      place()(mode, (objects) => {
        if (!written.every((key) => isOpen(account, key))) throw new Error('The store is closed.')
        return run(objects)
      })
  }
  return {
    get: (key) => quietly(() => get(key, place()), undefined),
    getMany: (wanted) => quietly(() => getMany(wanted, place()), []),
    set: (key, value) => quietly(() => set(key, value, placeFor([key])), undefined),
    setMany: (entries) =>
      quietly(() => setMany(entries, placeFor(entries.map(([key]) => key))), undefined),
    remove: (key) => quietly(() => del(key, place()), undefined),
    keys: () => quietly(() => keys<string>(place()), []),
    wipe: () => quietly(() => clear(place()), undefined),
  }
}

/** Accounts whose data this window or another has wiped. */
const wiped = new Set<string>()

/** A write that another window had under way must not be kept there behind the wipe. */
const wipes = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('solo-wiped')
wipes?.addEventListener('message', ({ data }) => wiped.add(data))

/**
 * Whether this may be kept now. Who leaves takes the session away, and who turns keeping off notes that, before anything
 * is wiped: so a write that was under way, in whichever window, cannot come behind the wipe. Writes that wait are the
 * user's own work: they are kept although the session expired or nothing else is kept, but not after the sign-out.
 */
function isOpen(account: string, key: string): boolean {
  const isHere = storedUser()?.id === account
  if (isHere) wiped.delete(account)
  return key.startsWith('waiting:') ? !wiped.has(account) : isHere && keepsData()
}

async function quietly<Value>(run: () => Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await run()
  } catch {
    return otherwise
  }
}

/** Where this browser remembers the account's preferences, which the first screen does not wait for. */
export const preferencesPlace = (account: string) => `solo-preferences-${account}`

/** Sign-out, or the account is deleted: of this account nothing stays on the device. */
export async function wipeDevice(account: string): Promise<void> {
  wiped.add(account)
  wipes?.postMessage(account)
  browserStorage().removeItem(preferencesPlace(account))
  await deviceStore(account).wipe()
}

const choiceKey = 'solo-keep-data'

/** "Keep data on this device", of this browser. */
export function keepsData(): boolean {
  return browserStorage().getItem(choiceKey) !== 'no'
}

const listeners = new Set<() => void>()

export function useKeepsData(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    // Chosen in another window.
    window.addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', listener)
    }
  }, keepsData)
}

export function setKeepsData(keeps: boolean): void {
  if (keeps) browserStorage().removeItem(choiceKey)
  else browserStorage().setItem(choiceKey, 'no')
  for (const listener of listeners) listener()
}
