import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod/mini'
import { maybe } from './answers.ts'
import type { Json } from './database.types.ts'
import { isUnreachable, notHere } from './errors.ts'
import { type ListSource, type ListView, listKeys, type Page } from './list-source.ts'
import { changedRow, type ListWrite } from './list-writes.ts'
import { callForJson } from './supabase.ts'
import { shownReadAt, usePendingWrites } from './use-list.ts'

type Kept<Row> = {
  /** The last version that was read. */
  row: Row | null
  /** The backend has it no more. */
  isGone: boolean
  /** It came from a list, which holds only some of its fields. */
  isPartial: boolean
  /** The rest of it could not be read, and is not on this device. */
  problem?: Error
}

type RecordOptions<Card, Row extends Card> = {
  /** Null for a record that is not there yet. */
  id: string | null
  /** The record with everything its page shows, or null when there is none. */
  read: (id: string, signal: AbortSignal) => Promise<Row | null>
  /** The row of the list, when the device keeps nothing more of the record. */
  readCard?: (id: string, signal: AbortSignal) => Promise<Card | null>
  /** Makes a partial record of a list row, which the page shows until the record is read. */
  fromList: (card: Card) => Row
}

/**
 * One record on a page of its own. It begins with the row of the list, if that was read, and includes
 * optimistic updates. A record deleted while its page is open keeps its last version, as `isGone`.
 */
export function useRecord<
  Card extends { id: string },
  Row extends Card,
  View extends ListView<object>,
>(source: ListSource<Card, View>, { id, read, readCard, fromList }: RecordOptions<Card, Row>) {
  const queryClient = useQueryClient()
  const queryKey = [...listKeys.records(source.key), id]
  const query = useQuery<Kept<Row>>({
    queryKey,
    enabled: id !== null,
    async queryFn({ signal }) {
      let row: Row | null
      try {
        row = await read(id ?? '', signal)
      } catch (error) {
        const card = isUnreachable(error) && (await readCard?.(id ?? '', signal).catch(() => null))
        if (!card) throw error
        const problem = new Error(notHere)
        return { row: fromList(card), isGone: false, isPartial: true, problem }
      }
      if (row) return { row, isGone: false, isPartial: false }
      const before = queryClient.getQueryData<Kept<Row>>(queryKey)
      const last = before && !before.isPartial ? before.row : null
      return { row: last, isGone: last !== null, isPartial: false }
    },
    initialData() {
      const card = cardInLists<Card>(queryClient, source.key, id ?? '')
      return card && { row: fromList(card), isGone: false, isPartial: true }
    },
    staleTime: 0,
    meta: { failed: source.failed },
  })
  const writes = usePendingWrites<Row>(source.key, shownReadAt(queryClient, queryKey, query))
  const added = writes.find((write) => write.kind === 'add' && write.row.id === id)
  // A record that waits on this device is on no server yet.
  const waiting = added?.kind === 'add' ? { row: fromList(added.row), isPartial: true } : undefined
  const kept = query.data?.row ? query.data : { ...query.data, ...waiting }
  const { row = null, isGone = false, isPartial = false } = kept
  const record = useMemo(() => row && writes.reduce(changedRow, row), [row, writes])
  return {
    record,
    isLoading: query.isPending && !waiting,
    /** The record comes from the list; the rest of it is not read yet. */
    isPartial,
    isGone,
    /** Set as long as the whole record could not be read. */
    error:
      waiting || (query.data && !isPartial) ? null : (query.error ?? query.data?.problem ?? null),
    refetch: query.refetch,
  }
}

type NeighbourFunction = 'company_neighbours' | 'contact_neighbours' | 'deal_neighbours'

const neighbours = z.object({ previous: maybe, next: maybe })

/** The records before and after one, in the list that a view shows. */
export function useNeighbours<Row extends { id: string }, View extends ListView<object>>(
  { key }: ListSource<Row, View>,
  name: NeighbourFunction,
  id: string,
  view: View,
) {
  return useQuery({
    queryKey: [...key, 'neighbours', id, view],
    queryFn: ({ signal }) =>
      // Filters are plain JSON.
      callForJson(name, { id, ...view, filter: view.filter as Json }, neighbours, signal),
  })
}

/** Patches the records in the cache with a confirmed write. */
export function patchRecords<Row extends { id: string }>(
  queryClient: QueryClient,
  key: QueryKey,
  write: ListWrite<Row>,
): void {
  queryClient.setQueriesData<Kept<Row>>({ queryKey: listKeys.records(key) }, (kept) => {
    if (!kept?.row || write.kind === 'add') return kept
    if (write.kind === 'change') return { ...kept, row: changedRow(kept.row, write) }
    return write.matches(kept.row) ? { row: null, isGone: false, isPartial: false } : kept
  })
}

function cardInLists<Card extends { id: string }>(
  queryClient: QueryClient,
  key: QueryKey,
  id: string,
): Card | undefined {
  type Data = { pages: Page<Card>[] }
  const lists = queryClient.getQueriesData<Data>({ queryKey: listKeys.pages(key) })
  for (const [, data] of lists)
    for (const page of data?.pages ?? []) for (const row of page.rows) if (row.id === id) return row
  return undefined
}
