import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import { browserStorage } from './browser-storage.ts'
import { type DeviceStore, deviceStore, keepsData, preferencesPlace } from './device-store.ts'
import { isOffline } from './network.ts'
import { isOfDevice } from './query-client.ts'
import {
  answersMark,
  framePath,
  keptFor,
  type SeenQuery,
  type SeenScreen,
  screenPath,
  seenKey,
} from './seen-screens.ts'
import { storedUser } from './stored-session.ts'

/** Rest after the last answer before a screen is written, in milliseconds. */
const rest = 1000
/** Of a list that was scrolled far, the first pages. */
const mostPages = 2
export const mostScreens = 500
/** In characters, of all screens together. */
export const mostText = 20_000_000
const mostTextOfScreen = 1_000_000

/** When each screen was kept, and how long its text is. */
type Index = Record<string, { at: number; size: number }>
const indexKey = 'seen-index'

/**
 * Never kept: secrets, what shows nothing of the account's records, and what a form is doing right now. The preferences
 * have a place of their own.
 */
const apart = new Set<unknown>([
  ...[
    'calendar-feed',
    'card-feed',
    'account-sessions',
    'browser-name',
    'import rows',
    'imports',
    'backup',
  ],
  ...['quick-add', 'search', 'similar', 'duplicates', 'preferences'],
])

export function isKept(key: QueryKey): boolean {
  return !apart.has(key[0]) && !key.includes('choices')
}

/**
 * Keeps what the screens of an account show, a moment after it was read, until the returned function is called. Each
 * screen is one text, so that a warm start reads one value.
 */
export function keepSeen(queryClient: QueryClient, account: string): () => void {
  const store = deviceStore(account)
  const shown = new Map<string, Set<string>>()
  const changed = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  function note(query: Query): void {
    if (!isKept(query.queryKey)) return
    const path = screenPath()
    const hashes = shown.get(path) ?? new Set()
    shown.set(path, hashes.add(query.queryHash))
    changed.add(path)
    clearTimeout(timer)
    timer = setTimeout(write, rest)
  }

  async function write(): Promise<void> {
    if (isOver || isOffline() || !mayKeep(account)) return
    const entries: [string, string][] = []
    const here = screenPath()
    for (const path of changed) {
      const hashes = shown.get(path)
      const text = textOf(
        queryClient,
        (query) => hashes?.has(query.queryHash) || (path === here && query.isActive()),
      )
      if (text) entries.push([path, text])
      if (path !== here) shown.delete(path)
    }
    // Kept apart, so that screens that were never opened show the frame, too.
    const frame = textOf(queryClient, ({ meta }) => meta?.isOfFrame)
    if (frame) entries.push([framePath, frame])
    changed.clear()
    if (entries.length > 0) await writeScreens(store, entries)
  }

  for (const query of queryClient.getQueryCache().findAll({ type: 'active' })) note(query)
  const stop = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'observerAdded') note(event.query)
    if (event.type === 'updated' && event.action.type === 'success' && event.query.isActive())
      note(event.query)
  })
  // A phone ends a hidden page without a word.
  function onHide(): void {
    if (document.visibilityState === 'hidden') void write()
  }
  document.addEventListener('visibilitychange', onHide)
  return () => {
    isOver = true
    stop()
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onHide)
  }
}

/** Whoever has left keeps nothing more, also not what was under way. */
function mayKeep(account: string): boolean {
  return keepsData() && storedUser()?.id === account
}

/** What these queries have read, as text. */
function textOf(
  queryClient: QueryClient,
  matches: (query: Query) => boolean | undefined,
): string | null {
  const queries = queryClient
    .getQueryCache()
    .getAll()
    .filter(matches)
    .filter((query) => isKept(query.queryKey) && !isOfDevice(query))
    .flatMap((query): SeenQuery[] => {
      const { data, dataUpdatedAt } = query.state
      if (data === undefined || query.state.status !== 'success') return []
      return [{ key: query.queryKey, data: firstPages(data), at: dataUpdatedAt }]
    })
  if (queries.length === 0) return null
  const at = Math.max(...queries.map((query) => query.at))
  const text = JSON.stringify({ answers: answersMark, at, queries } satisfies SeenScreen)
  return text.length > mostTextOfScreen ? null : text
}

function firstPages(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('pages' in data) || !('pageParams' in data))
    return data
  const { pages, pageParams } = data
  if (!Array.isArray(pages) || !Array.isArray(pageParams)) return data
  return { pages: pages.slice(0, mostPages), pageParams: pageParams.slice(0, mostPages) }
}

/** Writes screens and drops the oldest: those beyond the age, the number or the size that is kept. */
export async function writeScreens(
  store: DeviceStore,
  entries: [string, string][],
  now = Date.now(),
): Promise<void> {
  const index = { ...(await store.get<Index>(indexKey)) }
  for (const [path, text] of entries) index[path] = { at: now, size: text.length }
  const newestFirst = Object.entries(index).sort(([, one], [, other]) => other.at - one.at)
  let size = 0
  const kept: Index = {}
  for (const [place, [path, each]] of newestFirst.entries()) {
    size += each.size
    const isOld = now - each.at >= keptFor || place >= mostScreens || size > mostText
    if (isOld) await store.remove(seenKey(path))
    else kept[path] = each
  }
  const written = entries.filter(([path]) => kept[path])
  await store.setMany([
    ...written.map(([path, text]): [string, string] => [seenKey(path), text]),
    [indexKey, kept],
  ])
}

/**
 * "Keep data on this device" turned off: everything goes but what waits to be sent, which stays until it is sent. A mail
 * that is being written stays in its window.
 */
export async function wipeRead(account: string): Promise<void> {
  browserStorage().removeItem(preferencesPlace(account))
  const store = deviceStore(account)
  const keys = (await store.keys()).filter((key) => !key.startsWith('waiting:'))
  await Promise.all(keys.map((key) => store.remove(key)))
}
