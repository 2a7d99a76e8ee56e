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
  const read = new Map<number, Page<Row>>()
  for (const page of pagesAt(before, places)) {
    const context = {
      ...{ client: queryClient, queryKey: query.queryKey, signal: new AbortController().signal },
      ...{ pageParam: before.pageParams[page], direction: 'forward', meta: query.meta },
    }
    // As the library calls it for this page.
    read.set(page, (await queryFn(context as never)) as Page<Row>)
  }
  queryClient.setQueryData<List>(
    query.queryKey,
    (now) =>
      now && {
        ...now,
        pages: now.pages.map((page, place) => {
          const fresh = read.get(place)
          const isSame = now.pageParams[place] === before.pageParams[place]
          return fresh && isSame ? mergePage(page, fresh, now.pages[place + 1]) : page
        }),
      },
    { updatedAt: query.state.dataUpdatedAt },
  )
  // The pages that are not on the screen are as old as before.
  void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
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

/** New rows push others over the end of their page; those stay, because the next page begins where it did. */
function mergePage(before: Page<Row>, fresh: Page<Row>, next: Page<Row> | undefined): Page<Row> {
  const isFresh = idsOf(fresh)
  const isNext = idsOf(next ?? { rows: [] })
  const lastKnown = before.rows.findLastIndex(({ id }) => isFresh.has(id))
  const hasMoved =
    lastKnown < 0 || fresh.next === null || fresh.rows.some(({ id }) => isNext.has(id))
  const pushed = hasMoved
    ? []
    : before.rows.slice(lastKnown + 1).filter(({ id }) => !isFresh.has(id))
  return pushed.length > 0 ? { rows: [...fresh.rows, ...pushed], next: before.next } : fresh
}

const idsOf = ({ rows }: Pick<Page<Row>, 'rows'>) => new Set(rows.map(({ id }) => id))
