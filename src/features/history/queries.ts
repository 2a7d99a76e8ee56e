import type { LoggedBatch } from '#domain/batch.ts'
import type { ListSource } from '#lib/list-source.ts'
import { callFunction, type FunctionArguments, supabase } from '#lib/supabase.ts'
import type { HistoryView } from './history-view.ts'

export type UndoConflict = {
  table_name: string
  row_id: string
  label: string | null
  reason: 'changed' | 'undone' | 'in use' | 'erased' | 'parent gone' | 'name taken'
}

type UndoAnswer = { batch: string | null; undone: number; conflicts: UndoConflict[] }

/** The answer of a bulk function: the number of rows, and the batch for Undo. */
export type BulkAnswer = { count: number; batch: string | null }

type BulkFunction =
  | `${'update' | 'delete'}_${'contacts' | 'deals' | 'tasks'}`
  | `${'add_to' | 'remove_from'}_collection`
  | 'close_deals'
  | 'log_emails'

/** Writes to many rows in one transaction and one batch. */
export function writeMany<Name extends BulkFunction>(
  name: Name,
  args: FunctionArguments<Name>,
): Promise<BulkAnswer> {
  return callFunction(name, args)
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

export function undoBatch(batch: string, conflicts: 'refuse' | 'keep'): Promise<UndoAnswer> {
  return callFunction('undo_batch', { batch, conflicts })
}

/** What one transaction did, as the history lists it. */
export type HistoryEntry = LoggedBatch & {
  id: string
  undone: 'no' | 'partly' | 'yes'
  /** False when all of it was deleted and is gone for good. */
  can_undo: boolean
}

export const historyList: ListSource<HistoryEntry, HistoryView> = {
  key: ['history'],
  failed: 'Failed to fetch history',
  readPage({ filter }, after, signal) {
    return callFunction('history_page', { filter, after, page_size: 30 }, signal)
  },
  compare: () => (one, other) => Date.parse(other.at) - Date.parse(one.at),
}
