import { z } from 'zod/mini'
import { dayOf } from '#domain/dates.ts'
import { changedPart, type DeviceRow, partOf, partSize } from '#domain/device-contacts.ts'
import type { Json } from '#lib/database.types.ts'
import type { DeviceStore } from '#lib/device-store.ts'
import { callForJson } from '#lib/supabase.ts'
import { whenIdle } from '#ui/when-idle.ts'
import {
  type Coming,
  type Contents,
  comingKey,
  comingPart,
  contactsKey,
  type KeptList,
  listKey,
  listsKey,
  partKey,
  readKey,
  shape,
} from './kept-data.ts'

export { tryNetwork } from '#lib/supabase.ts'

const day = 24 * 60 * 60 * 1000
/** After this time everything is read anew, whatever the log tells. */
const wholeLasts = 7 * day
/** A first reading that was stopped goes on so long. */
const comingLasts = day
/**
 * Changes are read from a mark that is at least this old, if there is one: longer than any transaction takes, because a
 * change with a lower number may be committed after one with a higher number.
 */
const markRests = 2 * 60_000
/** When a part has grown beyond this, the next refresh reads all contacts and divides them anew. */
const mostInPart = 3 * partSize
/** So many open deals and tasks are kept. */
const mostRows = 20_000

const json: z.ZodMiniType<Json> = z.json()
const mark = z.object({ change: z.number(), at: z.string() })
const maybe = z.nullable(z.string())
const entries = z.nullable(z.array(z.object({ label: z.string(), value: z.string() })))
// A row has no names, so that a hundred thousand of them stay small: `DeviceRow` names the places.
const row: z.ZodMiniType<DeviceRow> = z.tuple([
  z.string(),
  maybe,
  maybe,
  maybe,
  maybe,
  maybe,
  maybe,
  maybe,
  z.string(),
  z.string(),
  entries,
  entries,
])
const rows = z.array(row)
const part = z.object({ rows, next: z.nullable(z.string()), mark })
const changes = z.object({ is_whole: z.boolean(), rows, gone: z.array(z.string()), mark })
// What cards hold is checked when they are shown.
const cards = z.object({ rows: z.array(json), next: z.nullable(json) })
const pipelines = z.array(json)

/** Stops the reading between two requests. */
type Wanted = () => boolean

/** Reads what the device keeps of the account: all of it, or what has changed. False when it was stopped before the end. */
export async function refreshKept(
  store: DeviceStore,
  timeZone: string,
  isWanted: Wanted,
): Promise<boolean> {
  const at = Date.now()
  // What is needed most, and is read in no time, comes first: a visit may be short.
  if (!(await readLists(store, timeZone, at, isWanted))) return false
  const contents = await store.get<Contents>(contactsKey)
  const isKnown = contents?.shape === shape && Date.now() - contents.wholeAt < wholeLasts
  const isDone =
    (isKnown && (await readChanges(store, contents, isWanted))) ||
    (isWanted() && (await readAll(store, isWanted)))
  if (!isDone || !isWanted()) return false
  await store.set(readKey, at)
  return true
}

async function readLists(
  store: DeviceStore,
  timeZone: string,
  at: number,
  isWanted: Wanted,
): Promise<boolean> {
  const until = dayOf(at + 14 * day, timeZone)
  const due = { status: 'pending', due_to: until, time_zone: timeZone }
  const tasks = await allPages((after) =>
    callForJson(
      'task_page',
      { filter: due, sort: 'due', descending: false, after, page_size: 1000 },
      cards,
    ),
  )
  if (!isWanted()) return false
  const deals = await allPages((after) =>
    callForJson('device_deals', after === null ? {} : { after: `${after}` }, cards),
  )
  const known = await callForJson('pipeline_list', {}, pipelines)
  if (!isWanted()) return false
  const texts = { tasks, deals, pipelines: known }
  await store.setMany([
    ...Object.entries(texts).map(([name, list]): [string, string] => [
      listKey(name as keyof typeof texts),
      JSON.stringify({ at, rows: list } satisfies KeptList),
    ]),
    [listsKey, at],
  ])
  return true
}

async function allPages(
  read: (after: Json | null) => Promise<z.output<typeof cards>>,
): Promise<Json[]> {
  const all: Json[] = []
  let after: Json | null = null
  do {
    const page: z.output<typeof cards> = await read(after)
    all.push(...page.rows)
    after = page.next
  } while (after !== null && all.length < mostRows)
  return all
}

async function readAll(store: DeviceStore, isWanted: Wanted): Promise<boolean> {
  const stopped = await store.get<Coming>(comingKey)
  const isLasting = stopped?.shape === shape && Date.now() - stopped.first.taken < comingLasts
  let coming = isLasting ? stopped : null
  const isResumed = coming !== null
  do {
    await new Promise<void>(whenIdle)
    if (!isWanted()) return false
    const taken = Date.now()
    const args = { page_size: partSize, ...(coming?.after ? { after: coming.after } : {}) }
    const read: z.output<typeof part> = await callForJson('device_contacts', args, part)
    const before: string[] = coming?.starts ?? []
    coming = {
      shape,
      starts: [...before, read.rows[0]?.[0] ?? ''],
      after: read.next,
      first: coming?.first ?? { taken, mark: read.mark },
    }
    await store.setMany([
      [comingPart(before.length), JSON.stringify(read.rows)],
      [comingKey, coming],
    ])
  } while (coming.after !== null)
  if (!isWanted()) return false
  const contents = await keepWhole(store, coming)
  // A resumed reading may have begun long ago: also read what changed since its first part.
  return !isResumed || !contents || readChanges(store, contents, isWanted)
}

/** In one transaction: a reader finds the contacts as they were before, or as they are now. */
async function keepWhole(store: DeviceStore, { starts, first }: Coming): Promise<Contents | null> {
  const texts = await store.getMany<string>(starts.map((_, place) => comingPart(place)))
  const parts = texts.flatMap((text, place): [string, string][] =>
    text === undefined ? [] : [[partKey(place), text]],
  )
  // Where the browser keeps nothing, or it was deleted meanwhile.
  const isWhole = parts.length === starts.length
  const contents: Contents = {
    ...{ shape, starts, marks: [first] },
    ...{ wholeAt: first.taken, at: Date.now() },
  }
  if (isWhole) {
    await dropParts(store, starts.length)
    await store.setMany([...parts, [contactsKey, contents]])
  }
  await store.remove(comingKey)
  for (const place of starts.keys()) await store.remove(comingPart(place))
  return isWhole ? contents : null
}

async function dropParts(store: DeviceStore, from: number): Promise<void> {
  for (const key of await store.keys()) {
    const [, place] = /^kept:contacts:(\d+)$/.exec(key) ?? []
    if (place !== undefined && Number(place) >= from) await store.remove(key)
  }
}

/** False when all must be read. */
async function readChanges(
  store: DeviceStore,
  contents: Contents,
  isWanted: Wanted,
): Promise<boolean> {
  const taken = Date.now()
  const rested = contents.marks.findLast((each) => taken - each.taken >= markRests)
  const since = rested ?? contents.marks[0]
  if (!since) return false
  const read = await callForJson('device_changes', { since: since.mark }, changes)
  if (!read.is_whole || !isWanted()) return false
  const changed = read.rows
  const gone = new Set(read.gone)
  const placeOf = (id: string) => partOf(contents.starts, id)
  const places = new Set([...changed.map(([id]) => id), ...gone].map(placeOf))
  const entries: [string, unknown][] = []
  let { wholeAt } = contents
  for (const place of places) {
    const before = await store.get<string>(partKey(place))
    const here = changed.filter(([id]) => placeOf(id) === place)
    const after = changedPart(before ? JSON.parse(before) : [], here, gone)
    entries.push([partKey(place), JSON.stringify(after)])
    if (after.length > mostInPart) wholeAt = 0
  }
  const marks = [...contents.marks.slice(contents.marks.indexOf(since)), { taken, mark: read.mark }]
  await store.setMany([
    ...entries,
    [contactsKey, { ...contents, marks, wholeAt, at: taken } satisfies Contents],
  ])
  return true
}
