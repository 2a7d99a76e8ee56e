import { randomUUID } from 'node:crypto'
import type { ImportKind } from '#domain/import-headers.ts'
import type { Json } from '#lib/database.types.ts'
import { type Account, ok } from './harness.ts'

type Row = { place: number; reported: Record<string, unknown>; problem?: string }
type Summary = Record<
  'added' | 'updated' | 'skipped' | 'rejected' | 'companies' | 'contacts',
  number
>
type State = {
  total: number
  received: number
  summary: Summary | null
  batch: string | null
}
type Found = Record<'new' | 'known' | 'twin' | 'error', number>

/** Rows as a file without a line of notes has them: below its header. */
export function rowsOf(...reported: Record<string, unknown>[]): Row[] {
  return reported.map((each, index) => ({ place: index + 2, reported: each }))
}

/** The calls of an import, as one account makes them. */
export function importCalls({ client }: Pick<Account, 'client'>) {
  // What these functions build is written down in their migration.
  const calls = {
    start: (id: string, kind: ImportKind, total: number, fields: Json = []): Promise<State> =>
      ok(client.rpc('start_import', { id, kind, file_name: 'people.csv', total, fields })) as never,
    send: (id: string, rows: Row[]): Promise<number> =>
      ok(client.rpc('add_import_rows', { id, rows: rows as unknown as Json })),
    check: (id: string): Promise<Found> => ok(client.rpc('check_import', { id })) as never,
    commit: (id: string, duplicates = 'skip'): Promise<State> =>
      ok(client.rpc('commit_import', { id, duplicates })) as never,
    state: (id: string): Promise<State> => ok(client.rpc('import_state', { id })) as never,
    page: (
      id: string,
      found: string[],
      after = 0,
      duplicates = 'skip',
    ): Promise<
      {
        place: number
        reason: string
        stored?: unknown
        changes?: Record<string, unknown>
        behind?: { side: string; id: string | null; changes: Record<string, unknown> }[]
      }[]
    > => ok(client.rpc('import_page', { id, found, after, duplicates })) as never,
    list: (): Promise<{ id: string; is_undone: boolean; file_name: string }[]> =>
      ok(client.rpc('import_list')) as never,
    /** An import that waits for its commit. */
    async staged(kind: ImportKind, rows: Row[], fields: Json = []): Promise<string> {
      const id = randomUUID()
      await calls.start(id, kind, rows.length, fields)
      await calls.send(id, rows)
      return id
    },
    async whole(
      kind: ImportKind,
      rows: Row[],
      duplicates = 'skip',
      fields: Json = [],
    ): Promise<State> {
      return calls.commit(await calls.staged(kind, rows, fields), duplicates)
    },
  }
  return calls
}
