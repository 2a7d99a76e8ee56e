import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  skipToken,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Json } from './database.types.ts'
import { readProblem } from './errors.ts'
import { type ListSource, type ListView, listKeys, showsIn } from './list-source.ts'
import { countAfter, type ListWrite, rowsOf, writeToPages } from './list-writes.ts'
import { isScrolled, noteShown } from './long-lists.ts'
import { readAt } from './query-client.ts'
import { asListWrite, useWaitingIn } from './waiting-state.ts'

/** A list with more pages than this is not read again at once. */
export const shortList = 3

/** Read from the top, a scrolled list might lose its place; what has changed meanwhile is read in place (`followChanges`). */
function mayBeginAnew(query: { state: { data?: { pages: unknown[] } | undefined } }): boolean {
  return (query.state.data?.pages.length ?? 0) <= shortList && !isScrolled(query)
}

/**
 * A list that is read page by page as the user scrolls. Optimistic updates of writes under way
 * (`useListWrite`) are applied on render. The cache holds only what the backend has answered, so a failed
 * write needs no rollback. While another view loads, the view before stays on the screen as `isOutdated`.
 */
export function useList<Row extends { id: string }, View extends ListView<object>>(
  source: ListSource<Row, View>,
  view: View,
) {
  const queryClient = useQueryClient()
  const queryKey = [...listKeys.pages(source.key), view]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => source.readPage(view, pageParam, signal),
    initialPageParam: null as Json | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: mayBeginAnew,
    refetchOnReconnect: mayBeginAnew,
    meta: { failed: source.failed },
  })
  const { readCount } = source
  const countKey = [...listKeys.counts(source.key), view.filter]
  const count = useQuery({
    queryKey: countKey,
    queryFn: readCount ? ({ signal }) => readCount(view.filter, signal) : skipToken,
    placeholderData: keepPreviousData,
  })
  const pending = usePendingWrites<Row>(source.key, shownReadAt(queryClient, queryKey, query))
  const writes = useMemo(
    () => pending.filter((write) => showsIn(source, view.filter, write)),
    [pending, source, view],
  )
  const uncounted = usePendingWrites<Row>(
    source.key,
    shownReadAt(queryClient, countKey, count),
  ).filter((write) => showsIn(source, view.filter, write))
  // What waits on the device shows even where the list itself could not be read.
  const isAdded = query.isError && writes.some(({ kind }) => kind === 'add')
  const pages = query.data?.pages ?? (isAdded ? unread : undefined)
  const rows = useMemo(() => {
    if (!pages) return []
    const compare = source.compare(view, queryClient)
    return rowsOf(writes.reduce((all, write) => writeToPages(all, write, compare), pages))
  }, [pages, writes, source, view, queryClient])
  const total = count.data === undefined ? undefined : countAfter(count.data, uncounted)
  return {
    rows,
    /** How many there are in all; undefined until it is known. */
    total,
    /** The total for the toolbar, which shows none beside a skeleton or an error. */
    shownTotal: pages ? total : undefined,
    isLoading: query.isPending,
    isOutdated: query.isPlaceholderData,
    /** The error message when nothing could be read. */
    problem: pages || !query.error ? null : readProblem(query.error),
    refetch: query.refetch,
    more: useMore(query),
    /** Told which places of `rows` are on the screen. */
    onShown(places: number[]): void {
      noteShown(queryClient, queryClient.getQueryCache().find({ queryKey }), places)
    },
  }
}

/** Reads the next page; `load` may be called any number of times. */
function useMore({
  hasNextPage,
  isFetching,
  isFetchingNextPage,
  isFetchNextPageError,
  isPlaceholderData,
  fetchNextPage,
}: UseInfiniteQueryResult) {
  const canLoad = hasNextPage && !isFetching && !isFetchNextPageError && !isPlaceholderData
  const load = useCallback(() => {
    if (canLoad) fetchNextPage()
  }, [canLoad, fetchNextPage])
  const retry = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return { canLoad, load, retry, isLoading: isFetchingNextPage, hasFailed: isFetchNextPageError }
}

const unread = [{ rows: [], next: null }]

/** When what a query shows was read from the server. What another view has shown is read anew in a moment. */
export function shownReadAt(
  queryClient: QueryClient,
  queryKey: QueryKey,
  shown: { dataUpdatedAt: number; isPlaceholderData: boolean },
): number {
  if (shown.isPlaceholderData) return Number.POSITIVE_INFINITY
  const query = queryClient.getQueryCache().find({ queryKey })
  // What the device has answered is older than its answer.
  return Math.min(shown.dataUpdatedAt, query ? readAt(query) : 0)
}

/** The writes to a list that was read then: those under way, after those that wait on the device or were sent since. */
export function usePendingWrites<Row extends { id: string }>(
  key: QueryKey,
  at: number,
): ListWrite<Row>[] {
  const underWay = useMutationState({
    filters: { mutationKey: listKeys.write(key), status: 'pending' },
    // Only useListWrite makes mutations under this key, and these are their variables.
    select: ({ state }) => state.variables as { shown: ListWrite<Row>; batch: string },
  })
  const waiting = useWaitingIn<Row>(key, at)
  return useMemo(() => {
    const kept = new Set(waiting.map(({ batch }) => batch))
    return [
      ...waiting.map(({ shown }) => asListWrite(shown)),
      ...underWay.filter(({ batch }) => !kept.has(batch)).map(({ shown }) => shown),
    ]
  }, [waiting, underWay])
}
