import { z } from 'zod/mini'
import { undoConflicts } from '#features/history/index.ts'
import { maybe, pageOf } from '#lib/answers.ts'
import type { ListSource } from '#lib/list-source.ts'
import { callForJson, callFunction } from '#lib/supabase.ts'
import { useListWrite } from '#lib/use-list-write.ts'
import { type TrashView, trashKinds } from './trash-view.ts'

/** A deleted record. */
const trashRow = z.object({
  id: z.string(),
  kind: z.enum(trashKinds),
  name: maybe,
  deleted_at: z.string(),
  batch: z.string(),
  /** The number of records of the same deletion in the trash. */
  together: z.number(),
  // Out of the log, where a backup may have brought anything.
  email: z.catch(maybe, null),
  value: z.catch(z.nullable(z.number()), null),
  currency: z.catch(z.nullable(z.string()), null),
  industry: z.catch(maybe, null),
  /** The parent of a note or a stage. */
  of: maybe,
})

export type TrashRow = z.output<typeof trashRow>

const trashPage = pageOf(trashRow)

export const trashList: ListSource<TrashRow, TrashView> = {
  key: ['trash'],
  failed: 'Failed to fetch trash',
  readPage({ filter }, after, signal) {
    return callForJson('trash_page', { filter, after, page_size: 50 }, trashPage, signal)
  },
  readCount: (filter, signal) => callFunction('trash_count', { filter }, signal),
  compare: () => (one, other) => Date.parse(other.deleted_at) - Date.parse(one.deleted_at),
}

/** How many there are in all, whatever the list shows. */
export function countTrash(): Promise<number> {
  return callFunction('trash_count', {})
}

const restoreAnswer = z.object({ batch: maybe, restored: z.number(), conflicts: undoConflicts })

export type RestoreAnswer = z.output<typeof restoreAnswer>

const nothing = { kind: 'change', matches: () => false, to: {} } as const

/** Brings one record back. */
export function useRestoreOne() {
  return useListWrite(trashList, {
    write: ({ batch, id }: TrashRow) =>
      callForJson('restore_deleted', { batch, ids: [id] }, restoreAnswer),
    optimistic: ({ id }) => ({ kind: 'remove', matches: (row) => row.id === id, count: 1 }),
    // It stays in the trash if it could not be restored.
    confirmed: ({ restored }, { id }) =>
      restored === 0 ? nothing : { kind: 'remove', matches: (row) => row.id === id, count: 1 },
    failed: 'Failed to restore',
  })
}

/** Restores everything of one deletion. */
export function useRestoreAll() {
  return useListWrite(trashList, {
    write: ({ batch }: TrashRow) => callForJson('restore_deleted', { batch }, restoreAnswer),
    optimistic: ({ batch, together }) => ({
      kind: 'remove',
      matches: (row) => row.batch === batch,
      count: together,
    }),
    // The refetch shows what could not be restored.
    confirmed: () => nothing,
    failed: 'Failed to restore',
  })
}

const removed = z.object({ count: z.number() })

/** Removes one record for good. */
export function useRemoveOne() {
  return useListWrite(trashList, {
    write: ({ id }: TrashRow) => callForJson('remove_for_good', { filter: { ids: [id] } }, removed),
    optimistic: ({ id }) => ({ kind: 'remove', matches: (row) => row.id === id, count: 1 }),
    failed: 'Failed to remove',
  })
}

/** Empties the trash. */
export function useEmptyTrash() {
  return useListWrite(trashList, {
    write: (_count: number) => callForJson('remove_for_good', { filter: {} }, removed),
    optimistic: (count) => ({ kind: 'remove', matches: () => true, count }),
    failed: 'Failed to empty the trash',
  })
}
