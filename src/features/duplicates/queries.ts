import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { counted } from '#domain/counted.ts'
import { mergeCompany, mergeContact } from '#domain/merge-fields.ts'
import { bulkAnswer, showUndoToast } from '#features/history/index.ts'
import { pageOf } from '#lib/answers.ts'
import type { Json } from '#lib/database.types.ts'
import { notFound } from '#lib/errors.ts'
import type { ListSource, ListView } from '#lib/list-source.ts'
import { callForJson, supabase } from '#lib/supabase.ts'
import { readAgain, readFromTheStart, useListWrite } from '#lib/use-list-write.ts'
import { countedOf, type Kind, kindOf, type MergeRecord } from './kinds.ts'

/** Records as they are compared. */
const recordsOf: Record<Kind, z.ZodMiniType<MergeRecord[]>> = {
  contacts: z.array(mergeContact),
  companies: z.array(mergeCompany),
}

/** Records that are likely the same. */
const groupOf = (kind: Kind) =>
  z.object({
    id: z.string(),
    reasons: z.array(z.string()),
    /** The size of the group; at most twenty records are returned. */
    size: z.number(),
    records: recordsOf[kind],
  })

export type DuplicateGroup = z.output<ReturnType<typeof groupOf>>

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
  const page = pageOf(groupOf(kind))
  return {
    key: ['duplicates', kind],
    failed: 'Failed to look for duplicates',
    readPage: (_view, after, signal) =>
      callForJson('duplicate_page', { kind, after, page_size: 30 }, page, signal),
    compare: () => () => 0,
  }
}

export const duplicateLists = { contacts: groupsOf('contacts'), companies: groupsOf('companies') }

const counts = z.object({ contacts: z.number(), companies: z.number() })

/** How many groups there are of each kind; asked for after the list, which takes as long. */
export function useDuplicateCounts(isWanted: boolean) {
  return useQuery({
    queryKey: keys.counts,
    queryFn: ({ signal }) => callForJson('duplicate_counts', {}, counts, signal),
    enabled: isWanted,
  })
}

/** The current records, without deleted ones. */
export function useMergeRecords(kind: Kind, ids: string[], known: MergeRecord[] | undefined) {
  return useQuery({
    queryKey: keys.records(kind, ids),
    queryFn: ({ signal }) =>
      callForJson('merge_candidates', { kind, ids }, recordsOf[kind], signal),
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
    write({ keep, records, changes, note }: Merge) {
      const seen = Object.fromEntries(records.map((row) => [row.id, row.updated_at]))
      const merged = { keep, seen, changes }
      return kind === 'contacts'
        ? callForJson('merge_contacts', merged, bulkAnswer)
        : callForJson('merge_companies', { ...merged, ...(note ? { note } : {}) }, bulkAnswer)
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
    write({ records }: DuplicateGroup) {
      const ids = records.map(({ id }) => id)
      return callForJson('mark_not_duplicates', { kind, ids }, bulkAnswer)
    },
    optimistic: (gone) => ({ kind: 'remove', matches: ({ id }) => id === gone.id, count: 1 }),
    failed: 'Failed to mark as not duplicates',
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

/** Two records that the user said are not the same. */
const pairOf = (kind: Kind) => z.object({ id: z.string(), records: recordsOf[kind] })

export type NotDuplicatesPair = z.output<ReturnType<typeof pairOf>>

const everyPair = { filter: {}, sort: 'created', descending: true }

function pairsOf(kind: Kind): ListSource<NotDuplicatesPair, GroupView> {
  return {
    key: keys.notDuplicates(kind),
    failed: 'Failed to fetch pairs',
    readPage: async (_view, _after, signal) => ({
      rows: await callForJson('not_duplicate_pairs', { kind }, z.array(pairOf(kind)), signal),
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
    failed: 'Failed to undo',
  })
}
