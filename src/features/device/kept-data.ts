import {
  type DeviceRow,
  nameLength,
  type SearchIndex,
  searchIndex,
  searchText,
} from '#domain/device-contacts.ts'
import { type DeviceStore, deviceStore } from '#lib/device-store.ts'

/** Another layout of the rows is another shape; what an older version kept is read anew. */
export const shape = 1

export const contactsKey = 'kept:contacts'
export const partKey = (place: number) => `kept:contacts:${place}`
/** When the account was last read to its end: the time at which that reading began. */
export const readKey = 'kept:read'
/** When the lists were read. Not `readKey`, because the lists are complete before the contacts are. */
export const listsKey = 'kept:lists'
export const listKey = (name: 'deals' | 'tasks' | 'pipelines') => `kept:${name}`

/** How far the log went when contacts were read, and when that was by this device's clock. */
type Mark = { taken: number; mark: { change: number; at: string } }

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

/** Contacts of a first reading that has not come to its end, which the next one goes on with. */
export type Coming = { shape: number; starts: string[]; after: string | null; first: Mark }
export const comingKey = 'kept:coming'
export const comingPart = (place: number) => `kept:coming:${place}`

/** A list that is kept as a whole. */
export type KeptList = { at: number; rows: unknown[] }

/** The contacts, and what they are found by. */
export type KeptContacts = {
  rows: DeviceRow[]
  index: SearchIndex
  nameLengths: number[]
  at: number
}

async function loadContacts(store: DeviceStore, contents: Contents): Promise<KeptContacts> {
  const parts = await store.getMany<string>(contents.starts.map((_, place) => partKey(place)))
  const rows = parts.flatMap((text): DeviceRow[] => (text ? JSON.parse(text) : []))
  return {
    rows,
    index: searchIndex(rows.map(searchText)),
    nameLengths: rows.map(nameLength),
    at: contents.at,
  }
}

/** The parsed lists; `read` is the value of `listsKey` that they belong to. */
const lists = new Map<string, { read: number; list: KeptList | null }>()

/** A kept list, which is read from its text only when another one was kept. */
export async function loadList(
  account: string,
  name: Parameters<typeof listKey>[0],
): Promise<KeptList | null> {
  const store = deviceStore(account)
  const read = await store.get<number>(listsKey)
  const known = lists.get(`${account} ${name}`)
  if (known && known.read === read) return known.list
  const text = await store.get<string>(listKey(name))
  const list: KeptList | null = text ? JSON.parse(text) : null
  if (read !== undefined) lists.set(`${account} ${name}`, { read, list })
  return list
}

type Loaded = { account: string; contacts: Promise<KeptContacts>; at: number }

/** So that a search does not read and fold a hundred thousand rows again. */
let loaded: Loaded | null = null

/** The contacts as this or another window kept them last. */
export async function contactsOf(account: string): Promise<KeptContacts | null> {
  const store = deviceStore(account)
  const contents = await store.get<Contents>(contactsKey)
  if (contents?.shape !== shape) return null
  if (loaded?.account !== account || loaded.at !== contents.at) {
    const next = { account, contacts: loadContacts(store, contents), at: contents.at }
    loaded = next
    next.contacts.catch(() => {
      if (loaded === next) loaded = null
    })
  }
  return loaded.contacts
}

/** When somebody leaves or turns off keeping. */
export function forgetLoaded(): void {
  loaded = null
  lists.clear()
}
