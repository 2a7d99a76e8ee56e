import { useQuery } from '@tanstack/react-query'
import type { ImportKind } from '#domain/import-columns.ts'
import type { Json } from '#lib/database.types.ts'
import { isUnreachable } from '#lib/errors.ts'
import type { ListSource, ListView } from '#lib/list-source.ts'
import { callFunction } from '#lib/supabase.ts'
import type { SentRow } from './understand.ts'

/** What became of the rows of an import. */
export type Summary = {
  added: number
  updated: number
  skipped: number
  rejected: number
  companies?: number
  contacts?: number
}

export type ImportState = {
  total: number
  received: number
  summary: Summary | null
  batch: string | null
}

export type PastImport = {
  id: string
  kind: ImportKind
  file_name: string
  done_at: string
  summary: Summary
  batch: string | null
  is_undone: boolean
}

/** How the rows were found to be. */
export type Found = { new: number; known: number; twin: number; error: number }

/** What happens to rows that are there already. */
export type Duplicates = 'skip' | 'update' | 'create'

type NewImport = { id: string; kind: ImportKind; file_name: string; total: number }

export function startImport(args: NewImport): Promise<ImportState> {
  return callFunction('start_import', args)
}

/** Answers how many have arrived by now. */
export function sendRows(id: string, rows: SentRow[]): Promise<number> {
  // JSON by its making: it came out of a file as texts and numbers.
  return callFunction('add_import_rows', { id, rows: rows as unknown as Json })
}

export function readState(id: string): Promise<ImportState> {
  return callFunction('import_state', { id })
}

export function checkImport(id: string): Promise<Found> {
  return callFunction('check_import', { id })
}

/** Asked again it answers the same, and writes nothing twice. */
export function commitImport(id: string, duplicates: Duplicates): Promise<ImportState> {
  return callFunction('commit_import', { id, duplicates })
}

export async function cancelImport(id: string): Promise<void> {
  await callFunction('cancel_import', { id })
}

const pauses = [1000, 2000, 5000, 10_000]

/** Asks again, some times, while the connection is lost; only for what may be asked twice. */
export async function withRetries<Answer>(
  ask: () => Promise<Answer>,
  onLost: () => void,
): Promise<Answer> {
  for (const pause of pauses) {
    try {
      return await ask()
    } catch (error) {
      if (!isUnreachable(error)) throw error
      onLost()
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return ask()
}

export type CheckedRow = {
  id: string
  place: number
  said: Record<string, unknown>
  reason: string | null
  target: string | null
  /** What a deal that is there says now, where the row says otherwise. */
  stored?: Record<string, unknown>
}

type FoundFilter = { import: string; found: (keyof Found)[] }
export type FoundView = ListView<FoundFilter>

const pageSize = 200

async function readRows(
  { import: id, found }: FoundFilter,
  after: number,
  page_size: number,
  signal?: AbortSignal,
): Promise<CheckedRow[]> {
  const args = { id, found, after, page_size }
  const rows = await callFunction<'import_page', CheckedRow[]>('import_page', args, signal)
  return rows.map((row) => ({ ...row, id: String(row.place) }))
}

/** The rows of an import under way, by what they were found to be. */
export const checkedRows: ListSource<CheckedRow, FoundView> = {
  key: ['import rows'],
  failed: 'Failed to fetch the rows',
  async readPage({ filter }, after, signal) {
    const rows = await readRows(filter, Number(after ?? 0), pageSize, signal)
    return { rows, next: rows.length === pageSize ? (rows.at(-1)?.place ?? null) : null }
  },
  compare: () => (one, other) => one.place - other.place,
}

/** Those that cannot be imported, in parts. */
export async function* rejectedRows(id: string): AsyncGenerator<CheckedRow[]> {
  const size = 1000
  for (let after = 0; ; ) {
    const rows = await readRows({ import: id, found: ['error'] }, after, size)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    after = rows.at(-1)?.place ?? after
  }
}

/** The imports that are done, the newest first. */
export function usePastImports() {
  return useQuery({
    queryKey: ['imports'],
    queryFn: ({ signal }): Promise<PastImport[]> => callFunction('import_list', {}, signal),
  })
}
