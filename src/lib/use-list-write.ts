import {
  type InfiniteData,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Json } from './database.types.ts'
import { notFound } from './errors.ts'
import { type ListSource, type ListView, listKeys, type Page, showsIn } from './list-source.ts'
import { countAfter, type ListWrite, writeToPages } from './list-writes.ts'
import { newId } from './new-id.ts'
import { RecordConflict } from './record-writes.ts'
import { shortList } from './use-list.ts'
import { patchRecords } from './use-record.ts'
import {
  asListWrite,
  KeptWrite,
  type OnceAnswer,
  type OnceWrite,
  type Shown,
  sendOnce,
} from './waiting-writes.ts'

type WriteOptions<Row, Input, Answer> = {
  /** `batch` is a name for this write, which no other has. */
  write: (input: Input, batch: string) => Promise<Answer>
  /** The optimistic update: what the list shows until the backend answers. */
  optimistic: (input: Input) => ListWrite<Row>
  /** What the list shows after the answer, where the answer holds more than the optimistic update. */
  confirmed?: (answer: Answer, input: Input) => ListWrite<Row>
  /** Sends one write after the other, so that of two writes to one row the later one wins. */
  isSerial?: boolean
  saved?: string
  failed: string
}

/** A write with an optimistic update in every view of a list. A failed write leaves nothing to roll back: see `useList`. */
export function useListWrite<
  Row extends { id: string },
  View extends ListView<object>,
  Input,
  Answer,
>(
  source: ListSource<Row, View>,
  {
    write,
    optimistic,
    confirmed,
    isSerial = false,
    saved,
    failed,
  }: WriteOptions<Row, Input, Answer>,
) {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: listKeys.write(source.key),
    ...(isSerial ? { scope: { id: source.key.join() } } : {}),
    mutationFn: ({ input, batch }: { input: Input; shown: ListWrite<Row>; batch: string }) =>
      write(input, batch),
    meta: { failed, ...(saved ? { saved } : {}) },
    async onSuccess(answer, { input, shown }) {
      // The cache holds only what the backend has answered; what waits is shown by `usePendingWrites`.
      if (answer instanceof KeptWrite) return
      // A read under way would overwrite the patch with the old rows.
      await Promise.all([
        queryClient.cancelQueries({ queryKey: listKeys.pages(source.key) }),
        queryClient.cancelQueries({ queryKey: listKeys.records(source.key) }),
      ])
      patchLists(queryClient, source, confirmed?.(answer, input) ?? shown)
    },
    onSettled(answer) {
      if (!(answer instanceof KeptWrite)) readAgain(queryClient)
    },
  })
  /** Rejects when the write failed; the query client has reported it by then. */
  return (input: Input): Promise<Answer> =>
    mutateAsync({ input, shown: optimistic(input), batch: newId() })
}

type OnceOptions<Row, Input, Answer> = {
  /** What is sent, now or later. */
  once: (input: Input) => Omit<OnceWrite, 'shown'>
  /** The optimistic update, which also shows while the write waits. */
  shown: (input: Input) => Shown<Row>
  /** What other lists show of it while it waits. */
  also?: (input: Input) => OnceWrite['shown']
  /** Reads the answer; `row` is the record that was written. */
  answer: (row: unknown, answer: OnceAnswer) => Answer
  confirmed: (answer: Answer, input: Input) => ListWrite<Row>
  isSerial?: boolean
  /** What to say where somebody else has changed the same and no comparison is offered. */
  conflict?: string
  saved?: string
  failed: string
}

/**
 * A write that can wait on the device: it is sent once, however often it has to be tried. Resolves to a `KeptWrite` when
 * it waits; that has been reported by then, and shows as a write under way does.
 */
export function useOnceWrite<
  Row extends { id: string },
  View extends ListView<object>,
  Input,
  Answer extends object,
>(
  source: ListSource<Row, View>,
  { once, shown, also, answer, confirmed, conflict, ...options }: OnceOptions<Row, Input, Answer>,
): (input: Input) => Promise<Answer | KeptWrite> {
  return useListWrite<Row, View, Input, Answer | KeptWrite>(source, {
    ...options,
    async write(input, batch) {
      const lists = [{ ...shown(input), list: source.key }, ...(also?.(input) ?? [])]
      const sent = await sendOnce({ ...once(input), shown: lists }, batch)
      if (sent instanceof KeptWrite) return sent
      if (sent.conflict) throw conflict ? new Error(conflict) : new RecordConflict(sent.conflict)
      if (!sent.row) throw notFound()
      return answer(sent.row, sent)
    },
    optimistic: (input) => asListWrite(shown(input)),
    confirmed: (sent, input) =>
      sent instanceof KeptWrite ? asListWrite(shown(input)) : confirmed(sent, input),
  })
}

/** Patches the cache with a confirmed write: every view of the list, its counts and the pages of its records. */
export function patchLists<Row extends { id: string }, View extends ListView<object>>(
  queryClient: QueryClient,
  source: ListSource<Row, View>,
  write: ListWrite<Row>,
): void {
  patchRecords(queryClient, source.key, write)
  source.patch?.(queryClient, write)
  type Data = InfiniteData<Page<Row>, Json | null>
  const lists = queryClient.getQueriesData<Data>({ queryKey: listKeys.pages(source.key) })
  for (const [key, data] of lists) {
    if (!data) continue
    // The last part of the key is the view: see useList.
    const view = key.at(-1) as View
    if (!showsIn(source, view.filter, write)) continue
    const compare = source.compare(view, queryClient)
    const patched = { ...data, pages: writeToPages(data.pages, write, compare) }
    queryClient.setQueryData<Data>(key, patched, readBefore(queryClient, key))
  }
  const counts = queryClient.getQueriesData<number>({ queryKey: listKeys.counts(source.key) })
  for (const [key, count] of counts) {
    // Of a count, the last part of the key is the filter.
    const filter = key.at(-1) as View['filter']
    if (count === undefined || !showsIn(source, filter, write)) continue
    queryClient.setQueryData(key, countAfter(count, [write]), readBefore(queryClient, key))
  }
}

/** A patch keeps the time of the last read, because it does not bring what other writes have changed since. */
function readBefore(queryClient: QueryClient, key: QueryKey): { updatedAt?: number } {
  const updatedAt = queryClient.getQueryState(key)?.dataUpdatedAt
  return updatedAt ? { updatedAt } : {}
}

/**
 * Marks everything as stale after a write, because records appear in each other's lists: a contact shows
 * its company's name, a company counts its contacts. What is on the screen is read again at once, except a
 * list that was scrolled far: its hundred pages would be a hundred requests. Resolves when it is read.
 */
export async function readAgain(queryClient: QueryClient, mostPages = shortList): Promise<void> {
  const isRead = queryClient.invalidateQueries({
    predicate: ({ state }) => !isLong(state.data, mostPages),
  })
  queryClient.invalidateQueries({ refetchType: 'none' })
  await isRead
}

/** As `readAgain`, for an undo, which puts rows back in unknown places: long lists are cut to their first page. */
export function readFromTheStart(queryClient: QueryClient): void {
  const lists = queryClient.getQueriesData({ predicate: ({ state }) => isLong(state.data) })
  for (const [key, data] of lists) {
    // `isLong` is true of infinite queries only.
    const { pages, pageParams } = data as InfiniteData<unknown>
    queryClient.setQueryData(key, { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) })
  }
  readAgain(queryClient)
}

function isLong(data: unknown, mostPages = shortList): boolean {
  const pages = typeof data === 'object' && data !== null && 'pages' in data ? data.pages : null
  return Array.isArray(pages) && pages.length > mostPages
}
