import type { QueryKey } from '@tanstack/react-query'
import { nameOrder } from '#domain/name-order.ts'
import type { ListSource, ListView } from './list-source.ts'
import { useList } from './use-list.ts'

type Named = { id: string; name: string }
type WholeList = ListView<Record<string, never>>
type NamedList<Row extends Named> = ListSource<Row, WholeList>

const wholeList: WholeList = { filter: {}, sort: 'name', descending: false }

/** A short list that is read as a whole, sorted by name, such as collections or saved views. */
export function namedList<Row extends Named>({
  key,
  failed,
  read,
}: {
  key: QueryKey
  failed: string
  read: (signal: AbortSignal) => Promise<Row[]>
}): NamedList<Row> {
  const compare = (one: Row, other: Row) => nameOrder.compare(one.name, other.name)
  return {
    key,
    failed,
    readPage: async (_view, _after, signal) => ({
      rows: (await read(signal)).toSorted(compare),
      next: null,
    }),
    compare: () => compare,
  }
}

/** Includes the optimistic updates of writes under way. */
export function useNamedList<Row extends Named>(source: NamedList<Row>) {
  const { rows, isLoading, problem, refetch } = useList(source, wholeList)
  return { rows, isLoading, problem, refetch }
}
