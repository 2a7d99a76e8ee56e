import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Json } from './database.types.ts'
import type { ListWrite } from './list-writes.ts'

/** What the page functions of the database answer; `next` is where the page after it begins. */
export type Page<Row> = { rows: Row[]; next: Json | null }

/** Which rows, and in which order, as the page functions of the database take it. */
export type ListView<Filter extends object> = {
  filter: Filter
  sort: string
  descending: boolean
}

/** A list that comes in pages: where it is kept, how it is read, and in which order a row stands. */
export type ListSource<Row extends { id: string }, View extends ListView<object>> = {
  key: QueryKey
  readPage: (view: View, after: Json | null, signal: AbortSignal) => Promise<Page<Row>>
  /** Missing where nobody asks for it, or where the list comes whole, in one page. */
  readCount?: (filter: View['filter'], signal: AbortSignal) => Promise<number>
  /** Only places rows that are not read back yet, as the database would; the order itself is the database's. */
  compare: (view: View, queryClient: QueryClient) => (one: Row, other: Row) => number
  /** Keeps a confirmed write where else the rows stand, such as on a board. */
  keep?: (queryClient: QueryClient, write: ListWrite<Row>) => void
  /** What to say before the reason, e.g. 'Failed to fetch contacts'. */
  failed: string
}

/** The cache's names for what belongs to a list. */
export const listKeys = {
  pages: (key: QueryKey) => [...key, 'pages'],
  counts: (key: QueryKey) => [...key, 'count'],
  write: (key: QueryKey) => [...key, 'write'],
  records: (key: QueryKey) => [...key, 'record'],
}

/** Whether a new row is among those that a filter finds, only the database can tell. */
export function showsIn<Row>({ filter }: ListView<object>, write: ListWrite<Row>): boolean {
  return write.kind !== 'add' || Object.keys(filter).length === 0
}
