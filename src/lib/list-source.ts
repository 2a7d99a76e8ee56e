import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Json } from './database.types.ts'
import type { ListWrite } from './list-writes.ts'

/** One page of rows; `next` is the cursor of the page after it. */
export type Page<Row> = { rows: Row[]; next: Json | null }

/** Filter and order, as the page functions of the database take them. */
export type ListView<Filter extends object> = {
  filter: Filter
  sort: string
  descending: boolean
}

/** A list that is read page by page: its cache key, its requests and its order. */
export type ListSource<Row extends { id: string }, View extends ListView<object>> = {
  key: QueryKey
  readPage: (view: View, after: Json | null, signal: AbortSignal) => Promise<Page<Row>>
  /** Missing where no screen shows the count, or where the list has only one page. */
  readCount?: (filter: View['filter'], signal: AbortSignal) => Promise<number>
  /** Places rows of writes under way as the database would; rows that were read keep the database's order. */
  compare: (view: View, queryClient: QueryClient) => (one: Row, other: Row) => number
  /** Whether a filter finds a row; missing where only the database knows. */
  finds?: (filter: View['filter'], row: Row) => boolean
  /** Patches other caches with a confirmed write, such as the board. */
  patch?: (queryClient: QueryClient, write: ListWrite<Row>) => void
  /** The first part of the error message: 'Failed to fetch contacts'. */
  failed: string
}

/** The cache keys of a list. */
export const listKeys = {
  pages: (key: QueryKey) => [...key, 'pages'],
  counts: (key: QueryKey) => [...key, 'count'],
  write: (key: QueryKey) => [...key, 'write'],
  records: (key: QueryKey) => [...key, 'record'],
}

/** Whether a view shows a write. Where only the database knows what a filter finds, a new row shows in unfiltered views only. */
export function showsIn<Row extends { id: string }, View extends ListView<object>>(
  { finds }: Pick<ListSource<Row, View>, 'finds'>,
  filter: View['filter'],
  write: ListWrite<Row>,
): boolean {
  if (write.kind !== 'add' || Object.keys(filter).length === 0) return true
  return finds?.(filter, write.row) ?? false
}
