import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { Json } from './database.types.ts'
import type { Page } from './list-source.ts'

type Row = { id: string }
type List = InfiniteData<Page<Row>, Json | null>

/** The places of the rows on the screen, of each list that is shown. */
const shown = new WeakMap<object, number[]>()

/** Lists of which some pages are older than those on the screen. */
const partlyOld = new WeakSet<object>()

/** Called by what shows a list, whenever other rows are on the screen. */
export function noteShown(
  queryClient: QueryClient,
  query: Query | undefined,
  places: number[],
): void {
  if (!query) return
  shown.set(query, places)
  if (partlyOld.has(query) && isAtTop(places)) readTop(queryClient, query)
}

/** The rows on the screen are one run of places; a row that has the focus is rendered as well, wherever it is. */
function isAtTop(places: readonly number[]): boolean {
  let start = places.length >> 1
  while (start > 0 && places[start - 1] === (places[start] ?? 0) - 1) start -= 1
  return (places[start] ?? 0) === 0
}

/** Whether the first row is out of sight. Read anew from there, a list might lose the rows that are on the screen. */
export function isScrolled(query: { state: { data?: unknown } }): boolean {
  const places = shown.get(query)
  return places !== undefined && asList(query.state.data) !== null && !isAtTop(places)
}

/** At its top a list begins anew with what is there now. */
function readTop(queryClient: QueryClient, { queryKey, state }: Query): void {
  const list = asList(state.data)
  if (!list) return
  const pages = list.pages.slice(0, 1)
  queryClient.setQueryData<List>(queryKey, { pages, pageParams: list.pageParams.slice(0, 1) })
  void queryClient.invalidateQueries({ queryKey, exact: true })
}

function asList(data: unknown): List | null {
  if (typeof data !== 'object' || data === null || !('pages' in data)) return null
  const { pages } = data
  const isList = Array.isArray(pages) && pages.every((page) => Array.isArray(page?.rows))
  return isList ? (data as List) : null
}

/**
 * Reads pages of a list again, each by its own cursor, so that the rows on the screen stay among them however many came in
 * above. Of a long list those that are on the screen: reading all of them would keep the server busy for seconds, with every
 * change. The rest is read when the list is opened next, or when its top is on the screen.
 */
export async function readInPlace(
  queryClient: QueryClient,
  query: Query,
  isLong: boolean,
): Promise<void> {
  const before = asList(query.state.data)
  const places = shown.get(query)
  const { queryFn } = query.options
  if (!before || !places || typeof queryFn !== 'function') return
  // As the library calls it for a page.
  const readPage = (pageParam: Json | null | undefined) => {
    const { signal } = new AbortController()
    const context = { client: queryClient, queryKey: query.queryKey, signal, pageParam }
    return queryFn({ ...context, direction: 'forward', meta: query.meta } as never)
  }
  const read = new Map<number, Page<Row>>()
  const wanted = isLong ? pagesAt(before, places) : before.pages.map((_, place) => place)
  for (const place of wanted) {
    const later = before.pages.slice(place + 1)
    const fresh = await readUntil(readPage, before.pageParams[place], later)
    if (fresh) read.set(place, fresh)
  }
  queryClient.setQueryData<List>(
    query.queryKey,
    (now) =>
      now && {
        ...now,
        pages: now.pages.map((page, place) =>
          now.pageParams[place] === before.pageParams[place] ? (read.get(place) ?? page) : page,
        ),
      },
    read.size === before.pages.length ? {} : { updatedAt: query.state.dataUpdatedAt },
  )
  if (read.size === before.pages.length) {
    partlyOld.delete(query)
    return
  }
  // The other pages are as old as before.
  partlyOld.add(query)
  void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
}

/** New rows push others over the end of their page: so many pages are read instead of one. */
const mostReads = 4

/** The rows from a cursor to the pages after it, which begin where they did; null when too many have come between. */
async function readUntil(
  readPage: (after: Json | null | undefined) => unknown,
  from: Json | null | undefined,
  laterPages: Page<Row>[],
): Promise<Page<Row> | null> {
  const later = new Set(laterPages.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const rows: Row[] = []
  let after = from
  for (let reads = 0; reads < mostReads; reads += 1) {
    const fresh = (await readPage(after)) as Page<Row>
    // Rows of later pages may have moved up into this one: the next page begins after the last row that is in none of them.
    const end = fresh.rows.findLastIndex(({ id }) => !later.has(id)) + 1
    rows.push(...fresh.rows.slice(0, end))
    const isReached = end < fresh.rows.length
    if (isReached || fresh.next === null || laterPages.length === 0)
      return { rows, next: fresh.next }
    after = fresh.next
  }
  return null
}

function pagesAt({ pages }: List, places: readonly number[]): number[] {
  const wanted = new Set(places)
  let start = 0
  return pages.flatMap(({ rows }, page) => {
    const end = start + rows.length
    const isShown = [...wanted].some((place) => place >= start && place < end)
    start = end
    return isShown ? [page] : []
  })
}
