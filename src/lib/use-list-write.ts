import {
  type InfiniteData,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Json } from './database.types.ts'
import { type ListSource, type ListView, listKeys, type Page, showsIn } from './list-source.ts'
import { countAfter, type ListWrite, writeToPages } from './list-writes.ts'
import { shortList } from './use-list.ts'
import { keepInRecords } from './use-record.ts'

type WriteOptions<Row, Input, Answer> = {
  write: (input: Input) => Promise<Answer>
  /** What the list shows until the backend has answered. */
  shows: (input: Input) => ListWrite<Row>
  /** What it shows from then on, where the answer knows more. */
  becomes?: (answer: Answer, input: Input) => ListWrite<Row>
  /** Sent one after the other: of two writes to one row the later one counts. */
  isInTurn?: boolean
  saved?: string
  failed: string
}

/** A write that shows at once in every view of a list, and is gone again when it fails. */
export function useListWrite<
  Row extends { id: string },
  View extends ListView<object>,
  Input,
  Answer,
>(
  source: ListSource<Row, View>,
  { write, shows, becomes, isInTurn = false, saved, failed }: WriteOptions<Row, Input, Answer>,
) {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: listKeys.write(source.key),
    ...(isInTurn ? { scope: { id: source.key.join() } } : {}),
    mutationFn: ({ input }: { input: Input; shown: ListWrite<Row> }) => write(input),
    meta: { failed, ...(saved ? { saved } : {}) },
    async onSuccess(answer, { input, shown }) {
      // An answer on its way would bring back what was before.
      await Promise.all([
        queryClient.cancelQueries({ queryKey: listKeys.pages(source.key) }),
        queryClient.cancelQueries({ queryKey: listKeys.records(source.key) }),
      ])
      keepInLists(queryClient, source, becomes?.(answer, input) ?? shown)
    },
    onSettled() {
      readAgain(queryClient)
    },
  })
  /** Rejects when it failed; the user has been told then. */
  return (input: Input): Promise<Answer> => mutateAsync({ input, shown: shows(input) })
}

/** Keeps what the backend has confirmed in every view of the list and on the pages of its records. */
export function keepInLists<Row extends { id: string }, View extends ListView<object>>(
  queryClient: QueryClient,
  source: ListSource<Row, View>,
  write: ListWrite<Row>,
): void {
  keepInRecords(queryClient, source.key, write)
  source.keep?.(queryClient, write)
  type Data = InfiniteData<Page<Row>, Json | null>
  const lists = queryClient.getQueriesData<Data>({ queryKey: listKeys.pages(source.key) })
  for (const [key, data] of lists) {
    if (!data) continue
    // The last part of the key is the view: see useList.
    const view = key.at(-1) as View
    if (!showsIn(view, write)) continue
    const compare = source.compare(view, queryClient)
    queryClient.setQueryData<Data>(key, {
      ...data,
      pages: writeToPages(data.pages, write, compare),
    })
  }
  const counts = queryClient.getQueriesData<number>({ queryKey: listKeys.counts(source.key) })
  for (const [key, count] of counts) {
    // As above, of the filter alone.
    const view = { filter: key.at(-1) as object, sort: '', descending: false }
    if (count === undefined || !showsIn(view, write)) continue
    queryClient.setQueryData(key, countAfter(count, [write]))
  }
}

/**
 * After a write everything that shows is read again, and everything else when it is next opened: a
 * company's name stands in the contacts, its contacts are counted on its card. Only a list that was
 * scrolled far is left until then: its hundred pages would be a hundred requests.
 */
export function readAgain(queryClient: QueryClient): void {
  queryClient.invalidateQueries({ predicate: ({ state }) => !isLong(state.data) })
  queryClient.invalidateQueries({ refetchType: 'none' })
}

/** As `readAgain`, for when rows came back in places unknown: long lists begin anew. */
export function readFromTheStart(queryClient: QueryClient): void {
  const lists = queryClient.getQueriesData({ predicate: ({ state }) => isLong(state.data) })
  for (const [key, data] of lists) {
    // Only infinite queries are long.
    const { pages, pageParams } = data as InfiniteData<unknown>
    queryClient.setQueryData(key, { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) })
  }
  readAgain(queryClient)
}

function isLong(data: unknown): boolean {
  const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : null
  return Array.isArray(pages) && pages.length > shortList
}
