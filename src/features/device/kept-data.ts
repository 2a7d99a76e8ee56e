import {
  type DeviceRow,
  type SearchIndex,
  searchIndex,
  searchText,
} from '#domain/device-contacts.ts'
import { type DeviceStore, deviceStore } from '#lib/device-store.ts'

/** Another layout of the rows is another shape; what an older version kept is read anew. */
export const shape = 1

export const contactsKey = 'kept:contacts'
export const partKey = (place: number) => `kept:contacts:${place}`
export const listKey = (name: 'deals' | 'tasks' | 'pipelines') => `kept:${name}`

/** How far the log went when contacts were read, and when that was by this device's clock. */
export type Mark = { taken: number; mark: { change: number; at: string } }

/** About the parts of the contacts. */
export type Contents = {
  shape: number
  /** The first id of each part. */
  starts: string[]
  marks: Mark[]
  /** When all were read, and when what changed was read last. */
  wholeAt: number
  at: number
}

/** A list that is kept as a whole. */
export type KeptList = { at: number; rows: unknown[] }

/** The contacts, and what they are found by. */
export type KeptContacts = { rows: DeviceRow[]; index: SearchIndex; at: number }

async function loadContacts(store: DeviceStore): Promise<KeptContacts | null> {
  const contents = await store.get<Contents>(contactsKey)
  if (contents?.shape !== shape) return null
  const parts = await store.getMany<string>(contents.starts.map((_, place) => partKey(place)))
  const rows = parts.flatMap((text): DeviceRow[] => (text ? JSON.parse(text) : []))
  return { rows, index: searchIndex(rows.map(searchText)), at: contents.at }
}

export async function loadList(
  store: DeviceStore,
  name: Parameters<typeof listKey>[0],
): Promise<KeptList | null> {
  const text = await store.get<string>(listKey(name))
  return text ? JSON.parse(text) : null
}

type Loaded = { account: string; contacts: Promise<KeptContacts | null>; at: number }

/** So that a search while typing does not read the store again. */
let loaded: Loaded | null = null
const lasts = 60_000

export function contactsOf(account: string): Promise<KeptContacts | null> {
  const isFresh = loaded?.account === account && Date.now() - loaded.at < lasts
  if (!isFresh || !loaded) {
    const contacts = loadContacts(deviceStore(account))
    const next = { account, contacts, at: Date.now() }
    loaded = next
    // Nothing is not remembered: another window may be about to keep them.
    contacts.then(
      (found) => {
        if (!found && loaded === next) loaded = null
      },
      () => {},
    )
  }
  return loaded.contacts
}

/** When somebody leaves or turns off keeping. */
export function forgetLoaded(): void {
  loaded = null
}
