import type { UndoConflict } from '#features/history/index.ts'
import type { ListSource } from '#lib/list-source.ts'
import { callFunction } from '#lib/supabase.ts'
import { useListWrite } from '#lib/use-list-write.ts'
import type { TrashKind, TrashView } from './trash-view.ts'

/** A deleted record. */
export type TrashRow = {
  id: string
  kind: TrashKind
  name: string | null
  deleted_at: string
  batch: string
  /** How many of the same deletion are in the trash. */
  together: number
  email: string | null
  value: number | null
  industry: string | null
  /** What a note or a stage belonged to. */
  of: string | null
}

export const trashList: ListSource<TrashRow, TrashView> = {
  key: ['trash'],
  failed: 'Failed to fetch trash',
  readPage({ filter }, after, signal) {
    return callFunction('trash_page', { filter, after, page_size: 50 }, signal)
  },
  readCount: (filter, signal) => callFunction('trash_count', { filter }, signal),
  compare: () => (one, other) => Date.parse(other.deleted_at) - Date.parse(one.deleted_at),
}

/** How many there are in all, whatever the list shows. */
export function countTrash(): Promise<number> {
  return callFunction('trash_count', {})
}

export type RestoreAnswer = { batch: string | null; restored: number; conflicts: UndoConflict[] }

const nothing = { kind: 'change', matches: () => false, to: {} } as const

/** Brings one record back. */
export function useRestoreOne() {
  return useListWrite(trashList, {
    write: ({ batch, id }: TrashRow): Promise<RestoreAnswer> =>
      callFunction('restore_deleted', { batch, ids: [id] }),
    optimistic: ({ id }) => ({ kind: 'remove', matches: (row) => row.id === id, count: 1 }),
    // It stays where it cannot come back.
    confirmed: ({ restored }, { id }) =>
      restored === 0 ? nothing : { kind: 'remove', matches: (row) => row.id === id, count: 1 },
    failed: 'Failed to restore',
  })
}

/** Brings everything back that went with one deletion. */
export function useRestoreAll() {
  return useListWrite(trashList, {
    write: ({ batch }: TrashRow): Promise<RestoreAnswer> =>
      callFunction('restore_deleted', { batch }),
    optimistic: ({ batch, together }) => ({
      kind: 'remove',
      matches: (row) => row.batch === batch,
      count: together,
    }),
    // What is left of it, if anything, is read again.
    confirmed: () => nothing,
    failed: 'Failed to restore',
  })
}

/** Removes one record for good. */
export function useRemoveOne() {
  return useListWrite(trashList, {
    write: ({ id }: TrashRow): Promise<{ count: number }> =>
      callFunction('remove_for_good', { filter: { ids: [id] } }),
    optimistic: ({ id }) => ({ kind: 'remove', matches: (row) => row.id === id, count: 1 }),
    failed: 'Failed to remove',
  })
}

/** Removes everything for good; told how many there are. */
export function useEmptyTrash() {
  return useListWrite(trashList, {
    write: (_count: number): Promise<{ count: number }> =>
      callFunction('remove_for_good', { filter: {} }),
    optimistic: (count) => ({ kind: 'remove', matches: () => true, count }),
    failed: 'Failed to empty the trash',
  })
}
