import {
  type Query,
  type QueryClient,
  type QueryKey,
  replaceEqualDeep,
} from '@tanstack/react-query'
import { z } from 'zod/mini'
import { windowName } from './backend.ts'
import { isScrolled, readInPlace } from './long-lists.ts'
import { isOffline, watchNetwork } from './network.ts'
import { writesAnswered } from './query-client.ts'
import { joinChannel } from './realtime.ts'
import { callForJson } from './supabase.ts'
import { waitingCountsKey } from './waiting-counts.ts'

/** What the database announces: see private.announce. Without tables, something may have changed. */
const news = z.object({
  tables: z.nullable(z.array(z.string())),
  window: z.nullable(z.string()),
})

const newest = z.object({ mark: z.string(), age: z.nullable(z.number()) })

/** Whoever is told that something changed, and asks what when it was away. */
export type LiveOptions = {
  queryClient: QueryClient
  account: string
  /** Whether something typed stands on the screen: what builds screens anew waits for it. */
  isTyping: () => boolean
  /** The channel refuses this session. */
  onRefused: () => void
}

/** Shows what other windows of the account change, until the returned function is called. */
export function followChanges({
  queryClient,
  account,
  isTyping,
  onRefused,
}: LiveOptions): () => void {
  const freshener = createFreshener(queryClient, isTyping)
  function tell(tables: string[] | null): void {
    freshener.note(tables)
    for (const listener of newsListeners) listener()
  }
  let seen: string | undefined
  let isOver = false

  async function catchUp(): Promise<void> {
    try {
      const now = await callForJson('newest_change', {}, newest)
      if (isOver) return
      // The first time there is no mark to compare: then a change counts if it is newer than this page.
      const isNew =
        seen === undefined ? now.age !== null && now.age < performance.now() : now.mark !== seen
      seen = now.mark
      if (isNew) tell(null)
    } catch {
      // The channel is joined again once the server is back, and this is asked again.
    }
  }

  const leave = joinChannel(account, {
    onBroadcast(payload) {
      const told = news.safeParse(payload)
      if (!told.success || told.data.window === windowName) return
      if (told.data.tables) tell(told.data.tables)
      else void catchUp()
    },
    onJoined: catchUp,
    onRefused,
  })

  let hiddenSince: number | null = null
  function onVisibility(): void {
    if (document.visibilityState === 'hidden') hiddenSince = Date.now()
    else {
      freshener.wake()
      // A computer that slept has not heard that its connection was lost.
      if (hiddenSince !== null && Date.now() - hiddenSince > longSleep) void catchUp()
      hiddenSince = null
    }
  }
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', catchUp)
  // What could not be read without a network, or came from the device, is read again.
  const stopNetwork = watchNetwork(() => {
    if (!isOffline()) tell(null)
  })
  return () => {
    isOver = true
    freshener.stop()
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', catchUp)
    stopNetwork()
    leave()
  }
}

const newsListeners = new Set<() => void>()

/** Calls back when other windows of the account have changed something. */
export function onNews(listener: () => void): () => void {
  newsListeners.add(listener)
  return () => newsListeners.delete(listener)
}

/** In milliseconds. */
const longSleep = 30_000
/** Between two rounds of reading, and before the first: what one action writes comes in several messages. */
const pause = 100
/** While something typed waits. */
const patience = 1000

/** Of a list with more pages than this, what is on the screen is read again. */
const mostPages = 20

/**
 * Tables whose rows show in few places. Rows of all other tables show in each other's lists: a contact has the name of
 * its company, a company the number of its contacts.
 */
const places: Record<string, QueryKey[]> = {
  preferences: [['preferences'], ['kept']],
  calendar_feeds: [['calendar-feed']],
  card_feeds: [['card-feed']],
  mail_accounts: [['mail-accounts']],
  mail_exclusions: [
    ...[['mail-exclusions'], ['timeline'], ['conversation']],
    ...[['conversations'], ['replies-waiting']],
  ],
  outgoing_mails: [['outgoing-mails']],
  forms: [['forms'], ['history'], ['trash']],
  form_submissions: [
    ...[['forms'], ['form-submissions'], ['new-leads'], waitingCountsKey],
    ...[['history'], ['trash']],
  ],
  files: [['files'], ['timeline'], ['search'], ['history'], ['trash']],
  access_tokens: [['access-tokens']],
  proposals: [['proposals'], waitingCountsKey],
  webhooks: [['webhooks'], waitingCountsKey],
  webhook_deliveries: [['webhooks']],
  saved_views: [['saved-views'], ['history'], ['trash']],
  email_templates: [['email-templates'], ['history'], ['trash']],
}

/** Queries that show nothing of the account's records, or what a form is doing right now. */
const apart = new Set<unknown>([
  ...['preferences', 'calendar-feed', 'saved-views', 'email-templates'],
  ...['access-tokens', 'proposals', 'webhooks', ...waitingCountsKey],
  ...['mail-accounts', 'mail-exclusions', 'mail-state', 'outgoing-mails'],
  ...['card-feed', 'forms', 'form-submissions', 'new-leads'],
  ...['account-sessions', 'browser-name', 'import rows', 'quick-add', 'backup'],
])

/** Whether a query shows rows of one of these tables; of any, without tables. */
export function showsTables(key: QueryKey, tables: ReadonlySet<string> | null): boolean {
  if (!tables) return !['browser-name', 'import rows', 'quick-add', 'backup'].includes(`${key[0]}`)
  return [...tables].some((table) =>
    places[table] ? places[table].some(([first]) => first === key[0]) : !apart.has(key[0]),
  )
}

/**
 * Reads again what is on the screen of what has changed, and marks the rest as old. One round at a time: what arrives
 * meanwhile is read in the next, so a long import in another window costs no more than one round after the other. It
 * waits for the writes of this window, whose answers it would overwrite, and while the window is hidden.
 */
export function createFreshener(queryClient: QueryClient, isTyping: () => boolean) {
  let isAnything = false
  let stale = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isReading = false
  let isOver = false

  function begin(ms = pause): void {
    const isNeeded = isAnything || stale.size > 0
    if (isOver || isReading || !isNeeded || timer || document.visibilityState === 'hidden') return
    timer = setTimeout(() => {
      timer = undefined
      isReading = true
      read().finally(() => {
        isReading = false
        begin(stale.has('preferences') ? patience : pause)
      })
    }, ms)
  }

  async function read(): Promise<void> {
    await writesAnswered(queryClient)
    if (isOver) return
    // Another currency or another way to write dates builds the screens anew.
    const isLater = isTyping() && (isAnything || stale.has('preferences'))
    const tables = isAnything ? null : new Set(stale)
    tables?.delete('preferences')
    const settings = isLater ? false : isAnything || stale.has('preferences')
    stale = new Set(isLater ? ['preferences'] : [])
    isAnything = false
    await Promise.all([
      refresh(
        queryClient,
        ({ queryKey }) => queryKey[0] !== 'preferences' && showsTables(queryKey, tables),
      ),
      settings ? readSettings() : undefined,
    ])
  }

  /** How money and days are counted may be another now: then all that counts them is old. */
  async function readSettings(): Promise<void> {
    const before = settingsIn(queryClient)
    await refresh(queryClient, ({ queryKey }) => showsTables(queryKey, new Set(['preferences'])))
    const after = settingsIn(queryClient)
    if (replaceEqualDeep(before, after) !== before) isAnything = true
  }

  return {
    /** Null where anything may have changed. */
    note(tables: string[] | null): void {
      if (tables) for (const table of tables) stale.add(table)
      else isAnything = true
      begin()
    },
    wake: () => begin(),
    stop(): void {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** The preferences without the places of lists, on which no figure depends. */
function settingsIn(queryClient: QueryClient): object {
  const { screens, ...settings } = queryClient.getQueryData<{ screens?: unknown }>([
    'preferences',
  ]) ?? { screens: null }
  return settings
}

/** Resolves when everything on the screen is read. */
async function refresh(
  queryClient: QueryClient,
  matches: (query: Query) => boolean,
): Promise<void> {
  const cache = queryClient.getQueryCache()
  // Began before the change and has no answer yet: a new read would only wait for that answer.
  const begun = new Set(
    cache
      .findAll({ fetchStatus: 'fetching', predicate: matches })
      .filter(({ state }) => state.data === undefined),
  )
  const isLong = (query: Query) => pagesOf(query.state.data) > mostPages
  queryClient.invalidateQueries({ predicate: matches, refetchType: 'none' })
  const inPlace = new Set(
    cache.findAll({
      type: 'active',
      predicate: (query) => matches(query) && (isLong(query) || isScrolled(query)),
    }),
  )
  await Promise.all([
    queryClient.invalidateQueries({
      predicate: (query) => matches(query) && !isLong(query) && !inPlace.has(query),
    }),
    // What fails shows as it was, and is read with the next change.
    ...[...inPlace].map((query) => readInPlace(queryClient, query, isLong(query)).catch(() => {})),
  ])
  await queryClient.invalidateQueries({ predicate: (query) => begun.has(query) })
}

function pagesOf(data: unknown): number {
  const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : null
  return Array.isArray(pages) ? pages.length : 1
}
