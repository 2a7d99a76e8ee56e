import { z } from 'zod/mini'
import { loggedBatch } from '#domain/log.ts'
import { maybe, pageOf } from '#lib/answers.ts'
import type { ListSource } from '#lib/list-source.ts'
import { callForJson, type FunctionArguments, supabase } from '#lib/supabase.ts'
import type { HistoryView } from './history-view.ts'

/** What cannot be brought back, and why. */
export const undoConflicts = z.array(
  z.object({
    table_name: z.string(),
    row_id: z.string(),
    label: maybe,
    reason: z.enum(['changed', 'undone', 'in use', 'erased', 'parent gone', 'name taken']),
  }),
)

export type UndoConflict = z.output<typeof undoConflicts>[number]

const undoAnswer = z.object({ batch: maybe, undone: z.number(), conflicts: undoConflicts })

/** What the database's functions for many rows answer: how many, and the batch that undoes it. */
export const bulkAnswer = z.object({ count: z.number(), batch: maybe })

export type BulkAnswer = z.output<typeof bulkAnswer>

type BulkFunction =
  | `${'update' | 'delete'}_${'contacts' | 'companies' | 'deals' | 'tasks'}`
  | `${'add_to' | 'remove_from'}_collection`
  | 'close_deals'
  | 'log_emails'

/** Writes to many rows in one transaction and one batch. */
export function writeMany<Name extends BulkFunction>(
  name: Name,
  args: FunctionArguments<Name>,
): Promise<BulkAnswer> {
  return callForJson(name, args, bulkAnswer)
}

/** The batch that last deleted a row, with everything else it changed. */
export async function deletionOf(rowId: string): Promise<string> {
  const { data, error } = await supabase()
    .from('changes')
    .select('batch')
    .eq('row_id', rowId)
    .eq('verb', 'delete')
    .order('id', { ascending: false })
    .limit(1)
  if (error) throw error
  if (!data[0]) throw new Error('There is nothing to undo here.')
  return data[0].batch
}

/** The batch that wrote the current version of a row: both have the timestamp of their transaction. */
export async function batchOf(row: { id: string; updated_at: string }): Promise<string> {
  const { data, error } = await supabase()
    .from('changes')
    .select('batch')
    .eq('row_id', row.id)
    .eq('created_at', row.updated_at)
    .limit(1)
  if (error) throw error
  if (!data[0]) throw new Error('There is nothing to undo here.')
  return data[0].batch
}

export function undoBatch(batch: string, conflicts: 'refuse' | 'keep') {
  return callForJson('undo_batch', { batch, conflicts }, undoAnswer)
}

/** What one transaction did, as the history lists it. */
const historyEntry = z.extend(loggedBatch, {
  id: z.string(),
  undone: z.enum(['no', 'partly', 'yes']),
  /** False when all of it was deleted and is gone for good. */
  can_undo: z.boolean(),
})

export type HistoryEntry = z.output<typeof historyEntry>

const historyPage = pageOf(historyEntry)

/** What was done last, newest first. */
export async function latestHistory(): Promise<HistoryEntry[]> {
  const { rows } = await callForJson('history_page', { page_size: 20 }, historyPage)
  return rows
}

export const historyList: ListSource<HistoryEntry, HistoryView> = {
  key: ['history'],
  failed: 'Failed to fetch history',
  readPage({ filter }, after, signal) {
    return callForJson('history_page', { filter, after, page_size: 30 }, historyPage, signal)
  },
  compare: () => (one, other) => Date.parse(other.at) - Date.parse(one.at),
}
