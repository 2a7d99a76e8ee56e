import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type ImportKind, importKinds } from '#domain/import-headers.ts'
import type { broughtFields } from '#domain/import-own.ts'
import { maybe } from '#lib/answers.ts'
import type { Json } from '#lib/database.types.ts'
import { isUnreachable } from '#lib/errors.ts'
import type { ListSource, ListView } from '#lib/list-source.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'
import type { SentRow } from './interpret-rows.ts'

/** What became of the rows of an import. */
const summary = z.object({
  added: z.number(),
  updated: z.number(),
  skipped: z.number(),
  rejected: z.number(),
  companies: z.optional(z.number()),
  contacts: z.optional(z.number()),
})

export type Summary = z.output<typeof summary>

const importState = z.object({
  total: z.number(),
  received: z.number(),
  summary: z.nullable(summary),
  batch: maybe,
})

export type ImportState = z.output<typeof importState>

const pastImport = z.object({
  id: z.string(),
  kind: z.enum(importKinds),
  file_name: z.string(),
  done_at: z.string(),
  summary,
  batch: maybe,
  is_undone: z.boolean(),
})

export type PastImport = z.output<typeof pastImport>

/** How the rows were found to be. */
const found = z.object({
  new: z.number(),
  known: z.number(),
  twin: z.number(),
  error: z.number(),
})

export type Found = z.output<typeof found>

/** How rows of existing records are handled. */
export type Duplicates = 'skip' | 'update' | 'create'

type NewImport = {
  id: string
  kind: ImportKind
  file_name: string
  total: number
  /** The own fields that the file brings. */
  fields: ReturnType<typeof broughtFields>
}

export function startImport(args: NewImport): Promise<ImportState> {
  return callForJson('start_import', args, importState)
}

/** Returns how many rows have arrived in all. */
export function sendRows(id: string, rows: SentRow[]): Promise<number> {
  // Made of texts and numbers only.
  return callFunction('add_import_rows', { id, rows: rows as unknown as Json })
}

export function readState(id: string): Promise<ImportState> {
  return callForJson('import_state', { id }, importState)
}

export function checkImport(id: string): Promise<Found> {
  return callForJson('check_import', { id }, found)
}

/** Idempotent. */
export function commitImport(id: string, duplicates: Duplicates): Promise<ImportState> {
  return callForJson('commit_import', { id, duplicates }, importState)
}

export async function cancelImport(id: string): Promise<void> {
  await callFunction('cancel_import', { id })
}

const pauses = [1000, 2000, 5000, 10_000]

/** Retries a few times while the connection is lost; only for idempotent requests. */
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

const values = z.record(z.string(), z.unknown())
const changes = z.record(z.string(), z.tuple([z.unknown(), z.unknown()]))
const checkedRow = z.object({
  place: z.number(),
  reported: values,
  reason: maybe,
  target: maybe,
  /** What a deal that is there says now, where the row says otherwise. */
  stored: z.optional(z.nullable(values)),
  /** What an update would change, by column: before and after. */
  changes: z.optional(changes),
  /** What a row of deals would change of the contact and the company that it names and that are there. */
  behind: z.optional(z.array(z.object({ side: z.enum(['person', 'organisation']), changes }))),
})

export type CheckedRow = z.output<typeof checkedRow> & { id: string }

type FoundFilter = { import: string; found: (keyof Found)[]; duplicates: Duplicates }
export type FoundView = ListView<FoundFilter>

const pageSize = 200

async function readRows(
  { import: id, found, duplicates }: FoundFilter,
  after: number,
  page_size: number,
  signal?: AbortSignal,
): Promise<CheckedRow[]> {
  const args = { id, found, after, page_size, duplicates }
  const rows = await callForJson('import_page', args, z.array(checkedRow), signal)
  return rows.map((row) => ({ ...row, id: String(row.place) }))
}

/** The rows of an import under way, by kind. */
export const checkedRows: ListSource<CheckedRow, FoundView> = {
  key: ['import rows'],
  failed: 'Failed to fetch the rows',
  async readPage({ filter }, after, signal) {
    const rows = await readRows(filter, Number(after ?? 0), pageSize, signal)
    return { rows, next: rows.length === pageSize ? (rows.at(-1)?.place ?? null) : null }
  },
  compare: () => (one, other) => one.place - other.place,
}

/** The rows that cannot be imported, in parts. */
export async function* rejectedRows(id: string): AsyncGenerator<CheckedRow[]> {
  const size = 1000
  for (let after = 0; ; ) {
    const rows = await readRows({ import: id, found: ['error'], duplicates: 'skip' }, after, size)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    after = rows.at(-1)?.place ?? after
  }
}

/** The imports that are done, the newest first. */
export function usePastImports() {
  return useQuery({
    queryKey: ['imports'],
    queryFn: ({ signal }) => callForJson('import_list', {}, z.array(pastImport), signal),
  })
}
