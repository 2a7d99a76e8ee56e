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
    /** How many there are; at most twenty of them come. */
    size: z.number(),
    records: recordsOf[kind],
  })

export type DuplicateGroup = z.output<ReturnType<typeof groupOf>>

type GroupView = ListView<Record<string, never>>

/** Strongest first: the order is the database's own. */
export const groupView: GroupView = { filter: {}, sort: 'strength', descending: true }

const keys = {
  all: ['duplicates'],
  counts: ['duplicates', 'counts'],
  records: (kind: Kind, ids: string[]) => ['duplicates', 'records', kind, ids],
  toldApart: (kind: Kind) => ['duplicates', 'told apart', kind],
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

/** The records as they are now; those that are gone are left out. */
export function useMergeRecords(kind: Kind, ids: string[], known: MergeRecord[] | undefined) {
  return useQuery({
    queryKey: keys.records(kind, ids),
    queryFn: ({ signal }) =>
      callForJson('merge_candidates', { kind, ids }, recordsOf[kind], signal),
    ...(known ? { initialData: known } : {}),
    staleTime: 0,
    // Nothing changes under the hands of who is choosing; an old version is refused when it is merged.
    refetchOnWindowFocus: false,
    meta: { failed: `Failed to fetch ${kindOf[kind].many}` },
  })
}

type Merge = {
  keep: string
  /** All of them, as the user saw them. */
  records: MergeRecord[]
  changes: Record<string, Json>
  /** Where the kept record has no field for it. */
  note: string | null
}

/** Makes one record of several; rejects when it failed, and the user has been told then. */
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

/** Remembers that the records of a group are not the same. */
export function useTellApart(kind: Kind) {
  const queryClient = useQueryClient()
  const send = useListWrite(duplicateLists[kind], {
    write({ records }: DuplicateGroup) {
      const ids = records.map(({ id }) => id)
      return callForJson('mark_not_duplicates', { kind, ids }, bulkAnswer)
    },
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

/** Two records that the user said are not the same. */
const pairOf = (kind: Kind) => z.object({ id: z.string(), records: recordsOf[kind] })

export type ToldApart = z.output<ReturnType<typeof pairOf>>

const everyPair = { filter: {}, sort: 'created', descending: true }

function pairsOf(kind: Kind): ListSource<ToldApart, GroupView> {
  return {
    key: keys.toldApart(kind),
    failed: 'Failed to fetch what was told apart',
    readPage: async (_view, _after, signal) => ({
      rows: await callForJson('told_apart', { kind }, z.array(pairOf(kind)), signal),
      next: null,
    }),
    compare: () => () => 0,
  }
}

export const toldApartLists = { contacts: pairsOf('contacts'), companies: pairsOf('companies') }
export const pairView: GroupView = everyPair

/** They may be the same after all. */
export function useTakeBack(kind: Kind) {
  return useListWrite(toldApartLists[kind], {
    async write({ id }: ToldApart) {
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
