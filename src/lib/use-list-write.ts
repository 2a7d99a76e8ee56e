import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Json } from './database.types.ts'
import { type ListSource, type ListView, listKeys, type Page } from './list-source.ts'
import { countAfter, type ListWrite, writeToPages } from './list-writes.ts'
import { shortList } from './use-list.ts'

type WriteOptions<Row, Input, Answer> = {
  write: (input: Input) => Promise<Answer>
  /** What the list shows until the backend has answered. */
  shows: (input: Input) => ListWrite<Row>
  /** What it shows from then on, where the answer knows more. */
  becomes?: (answer: Answer, input: Input) => ListWrite<Row>
  saved?: string
  failed: string
}

/** A write that shows at once in every view of a list, and is gone again when it fails. */
export function useListWrite<
  Row extends { id: string },
  View extends ListView<unknown>,
  Input,
  Answer,
>(
  source: ListSource<Row, View>,
  { write, shows, becomes, saved, failed }: WriteOptions<Row, Input, Answer>,
) {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: listKeys.write(source.key),
    mutationFn: ({ input }: { input: Input; shown: ListWrite<Row> }) => write(input),
    meta: { failed, ...(saved ? { saved } : {}) },
    async onSuccess(answer, { input, shown }) {
      // An answer on its way would bring back what was before.
      await queryClient.cancelQueries({ queryKey: listKeys.pages(source.key) })
      keepInLists(queryClient, source, becomes?.(answer, input) ?? shown)
    },
    onSettled() {
      readListsAgain(queryClient, source.key)
    },
  })
  /** Rejects when it failed; the user has been told then. */
  return (input: Input): Promise<Answer> => mutateAsync({ input, shown: shows(input) })
}

/** Keeps what the backend has confirmed in every view of the list. */
export function keepInLists<Row extends { id: string }, View extends ListView<unknown>>(
  queryClient: QueryClient,
  source: ListSource<Row, View>,
  write: ListWrite<Row>,
): void {
  type Data = InfiniteData<Page<Row>, Json | null>
  const lists = queryClient.getQueriesData<Data>({ queryKey: listKeys.pages(source.key) })
  for (const [key, data] of lists) {
    if (!data) continue
    // The last part of the key is the view: see useList.
    const compare = source.compare(key.at(-1) as View)
    queryClient.setQueryData<Data>(key, {
      ...data,
      pages: writeToPages(data.pages, write, compare),
    })
  }
  queryClient.setQueriesData<number>({ queryKey: listKeys.counts(source.key) }, (count) =>
    count === undefined ? undefined : countAfter(count, [write]),
  )
}

/**
 * Everything under the list's key is read again, now if it shows. Only a list that was scrolled far
 * is left until it is next opened: its hundred pages would be a hundred requests.
 */
export function readListsAgain(queryClient: QueryClient, listKey: QueryKey): void {
  const pagesKey = listKeys.pages(listKey)
  const isLong = (data: unknown) => (data as InfiniteData<unknown>).pages.length > shortList
  queryClient.invalidateQueries({
    queryKey: listKey,
    predicate: ({ queryKey, state }) =>
      !(queryKey[listKey.length] === 'pages' && state.data && isLong(state.data)),
  })
  queryClient.invalidateQueries({ queryKey: pagesKey, refetchType: 'none' })
}
