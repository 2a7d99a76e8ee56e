import { useQuery, useQueryClient } from '@tanstack/react-query'
import { counted } from '#domain/counted.ts'
import { type BulkAnswer, showUndoToast } from '#features/history/index.ts'
import type { Json } from '#lib/database.types.ts'
import { notFound } from '#lib/errors.ts'
import type { ListSource, ListView } from '#lib/list-source.ts'
import { callFunction, supabase } from '#lib/supabase.ts'
import { readAgain, readFromTheStart, useListWrite } from '#lib/use-list-write.ts'
import { countedOf, type Kind, kindOf, type MergeRecord } from './kinds.ts'

/** Records that are likely the same. */
export type DuplicateGroup = {
  id: string
  reasons: string[]
  /** The size of the group; at most twenty records are returned. */
  size: number
  records: MergeRecord[]
}

type GroupView = ListView<Record<string, never>>

/** Most likely first, in the database's order. */
export const groupView: GroupView = { filter: {}, sort: 'strength', descending: true }

const keys = {
  all: ['duplicates'],
  counts: ['duplicates', 'counts'],
  records: (kind: Kind, ids: string[]) => ['duplicates', 'records', kind, ids],
  notDuplicates: (kind: Kind) => ['duplicates', 'not duplicates', kind],
}

function groupsOf(kind: Kind): ListSource<DuplicateGroup, GroupView> {
  return {
    key: ['duplicates', kind],
    failed: 'Failed to look for duplicates',
    readPage: (_view, after, signal) =>
      callFunction('duplicate_page', { kind, after, page_size: 30 }, signal),
    compare: () => () => 0,
  }
}

export const duplicateLists = { contacts: groupsOf('contacts'), companies: groupsOf('companies') }

/** The number of groups of each kind; read after the list, because it takes as long. */
export function useDuplicateCounts(isWanted: boolean) {
  return useQuery({
    queryKey: keys.counts,
    queryFn: ({ signal }): Promise<Record<Kind, number>> =>
      callFunction('duplicate_counts', {}, signal),
    enabled: isWanted,
  })
}

/** The current records, without deleted ones. */
export function useMergeRecords(kind: Kind, ids: string[], known: MergeRecord[] | undefined) {
  return useQuery({
    queryKey: keys.records(kind, ids),
    queryFn: ({ signal }): Promise<MergeRecord[]> =>
      callFunction('merge_candidates', { kind, ids }, signal),
    ...(known ? { initialData: known } : {}),
    staleTime: 0,
    // No refetch while the user chooses; the database refuses to merge old versions.
    refetchOnWindowFocus: false,
    meta: { failed: `Failed to fetch ${kindOf[kind].many}` },
  })
}

type Merge = {
  keep: string
  /** The versions that the user saw. */
  records: MergeRecord[]
  changes: Record<string, Json>
  /** A note with the lost values, where the kept record has no notes field. */
  note: string | null
}

/** Merges records; rejects after a failure, which has been reported by then. */
export function useMerge(kind: Kind) {
  const queryClient = useQueryClient()
  const send = useListWrite(duplicateLists[kind], {
    write({ keep, records, changes, note }: Merge): Promise<BulkAnswer> {
      const seen = Object.fromEntries(records.map((row) => [row.id, row.updated_at]))
      return kind === 'contacts'
        ? callFunction('merge_contacts', { keep, seen, changes })
        : callFunction('merge_companies', { keep, seen, changes, ...(note ? { note } : {}) })
    },
    optimistic({ records }) {
      const ids = new Set(records.map(({ id }) => id))
      return {
        kind: 'remove',
        matches: (group) => group.records.every(({ id }) => ids.has(id)),
        count: 1,
      }
    },
    failed: `Failed to merge ${kindOf[kind].many}`,
  })
  return async (merge: Merge): Promise<void> => {
    const { count, batch } = await send(merge)
    showUndoToast({
      message: `${counted(count, ...countedOf(kind))} merged into one`,
      batch: async () => batch ?? '',
      onUndone: () => readFromTheStart(queryClient),
    })
  }
}

/** Marks the records of a group as not duplicates. */
export function useMarkNotDuplicates(kind: Kind) {
  const queryClient = useQueryClient()
  const send = useListWrite(duplicateLists[kind], {
    write: ({ records }: DuplicateGroup): Promise<BulkAnswer> =>
      callFunction('mark_not_duplicates', { kind, ids: records.map(({ id }) => id) }),
    optimistic: (gone) => ({ kind: 'remove', matches: ({ id }) => id === gone.id, count: 1 }),
    failed: 'Failed to tell them apart',
  })
  return async (group: DuplicateGroup): Promise<void> => {
    const { batch } = await send(group)
    if (!batch) return
    showUndoToast({
      message: 'Marked as not duplicates',
      batch: async () => batch,
      onUndone: () => readAgain(queryClient),
    })
  }
}

/** Two records that are marked as not duplicates. */
export type NotDuplicatesPair = { id: string; records: MergeRecord[] }

const everyPair = { filter: {}, sort: 'created', descending: true }

function pairsOf(kind: Kind): ListSource<NotDuplicatesPair, GroupView> {
  return {
    key: keys.notDuplicates(kind),
    failed: 'Failed to fetch what was told apart',
    readPage: async (_view, _after, signal) => ({
      rows: await callFunction<'told_apart', NotDuplicatesPair[]>('told_apart', { kind }, signal),
      next: null,
    }),
    compare: () => () => 0,
  }
}

export const notDuplicatesLists = { contacts: pairsOf('contacts'), companies: pairsOf('companies') }
export const pairView: GroupView = everyPair

/** Removes the mark. */
export function useUnmarkNotDuplicates(kind: Kind) {
  return useListWrite(notDuplicatesLists[kind], {
    async write({ id }: NotDuplicatesPair) {
      const { data, error } = await supabase()
        .from('not_duplicates')
        .delete()
        .eq('id', id)
        .select('id')
      if (error) throw error
      if (data.length === 0) throw notFound()
    },
    optimistic: (gone) => ({ kind: 'remove', matches: ({ id }) => id === gone.id, count: 1 }),
    failed: 'Failed to take it back',
  })
}
