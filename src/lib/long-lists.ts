import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { Json } from './database.types.ts'
import type { Page } from './list-source.ts'

type Row = { id: string }
type List = InfiniteData<Page<Row>, Json | null>

/** The places of the rows on the screen, of each list that is shown. */
const shown = new WeakMap<object, number[]>()

/** Called by what shows a list, whenever other rows are on the screen. */
export function noteShown(query: object | undefined, places: number[]): void {
  if (query) shown.set(query, places)
}

function asList(data: unknown): List | null {
  if (typeof data !== 'object' || data === null || !('pages' in data)) return null
  const { pages } = data
  const isList = Array.isArray(pages) && pages.every((page) => Array.isArray(page?.rows))
  return isList ? (data as List) : null
}

/**
 * Reads again the pages of a long list that are on the screen, each by its own cursor: reading all of them would keep the
 * server busy for seconds, with every change. The rest is read when the list is opened next.
 */
export async function readShownPages(queryClient: QueryClient, query: Query): Promise<void> {
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
  for (const place of pagesAt(before, places)) {
    const fresh = await readUntil(readPage, before.pageParams[place], before.pages[place + 1])
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
    { updatedAt: query.state.dataUpdatedAt },
  )
  // The pages that are not on the screen are as old as before.
  void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
}

/** New rows push others over the end of their page: so many pages are read instead of one. */
const mostReads = 4

/** The rows from a cursor to the page after it, which begins where it did; null when too many have come between. */
async function readUntil(
  readPage: (after: Json | null | undefined) => unknown,
  from: Json | null | undefined,
  nextPage: Page<Row> | undefined,
): Promise<Page<Row> | null> {
  const later = new Set(nextPage?.rows.map(({ id }) => id))
  const rows: Row[] = []
  let after = from
  for (let reads = 0; reads < mostReads; reads += 1) {
    const fresh = (await readPage(after)) as Page<Row>
    // A row of the next page may have moved up among those before it: only where nothing else follows, that page begins.
    const end = fresh.rows.findLastIndex(({ id }) => !later.has(id)) + 1
    rows.push(...fresh.rows.slice(0, end))
    const isReached = end < fresh.rows.length
    if (isReached || fresh.next === null || !nextPage) return { rows, next: fresh.next }
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
