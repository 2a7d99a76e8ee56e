import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type Outcome, shownStage, stageLabel } from '#domain/deal.ts'
import type { DealContactRow } from '#domain/deal-contacts.ts'
import { batchOf, bulkAnswer, showUndoToast } from '#features/history/index.ts'
import { RecordConflict } from '#lib/record-writes.ts'
import { callForJson, supabase } from '#lib/supabase.ts'
import { readAgain, useListWrite } from '#lib/use-list-write.ts'
import { useNeighbours, useRecord } from '#lib/use-record.ts'
import { type Deal, dealCard } from '../deal-rows.ts'
import type { DealView } from '../deal-view.ts'
import { dealList, dealWrites } from '../queries.ts'

/** One deal with all that its page shows. */
export function useDeal(id: string) {
  return useRecord(dealList, {
    id,
    read: (wanted, signal) =>
      callForJson('deal_record', { id: wanted }, z.nullable(dealCard), signal),
    fromList: (deal) => deal,
  })
}

/** The deals before and after one in the list that a view shows. */
export function useDealNeighbours(id: string, view: DealView) {
  return useNeighbours(dealList, 'deal_neighbours', id, view)
}

type Move = { seen: Deal; stage: { id: string; name: string; outcome: Outcome } | null }

/** Moves a deal to another stage of its pipeline; the toast offers Undo. */
export function useMoveToStage() {
  const queryClient = useQueryClient()
  const write = useListWrite(dealList, {
    write: ({ seen, stage }: Move) =>
      dealWrites.update(seen, { stage_id: stage?.id ?? null }).catch(inWords),
    optimistic: ({ seen, stage }) => ({
      kind: 'change',
      matches: ({ id }) => id === seen.id,
      to: { stage_id: stage?.id ?? null, ...shownStage(stage) },
    }),
    confirmed: (stored, { stage }) => ({
      kind: 'change',
      matches: ({ id }) => id === stored.id,
      to: { ...stored, ...shownStage(stage) },
    }),
    failed: 'Failed to update deal',
  })
  return async (move: Move): Promise<void> => {
    const stored = await write(move)
    showUndoToast({
      message: `Moved to ${stageLabel(move.stage?.name ?? null)}`,
      batch: () => batchOf(stored),
      onUndone: () => readAgain(queryClient),
    })
  }
}

// A conflict needs no comparison here: the page already shows the other stage.
function inWords(error: unknown): never {
  if (!(error instanceof RecordConflict)) throw error
  throw new Error('It was moved in another window meanwhile. Choose again if you still want to.')
}

const peopleKey = (deal: string) => [...dealList.key, 'contacts', deal]

/** Who is on a deal besides its main contact, and all roles. */
export function useDealContacts(deal: string) {
  return useQuery({
    queryKey: peopleKey(deal),
    async queryFn({ signal }): Promise<DealContactRow[]> {
      const { data, error } = await supabase()
        .from('deal_contacts')
        .select('contact_id, role, contacts(first_name, last_name)')
        .eq('deal_id', deal)
        .order('position')
        .order('id')
        .abortSignal(signal)
        // The query client retries once; the library's own retries would take long.
        .retry(false)
      if (error) throw error
      return data
    },
    meta: { failed: 'Failed to fetch contacts' },
  })
}

type Place = {
  contact: { id: string; name: { first_name: string | null; last_name: string | null } }
  role: string | null
  isMain: boolean
}

/** Puts a contact on a deal, gives it a role or makes it the main one; the toast offers Undo. */
export function useSetDealContact(deal: string) {
  return useDealContactWrite(
    deal,
    ({ contact, role, isMain }: Place) =>
      callForJson(
        'set_deal_contact',
        { deal, contact: contact.id, is_main: isMain, ...(role ? { role } : {}) },
        bulkAnswer,
      ),
    (rows, { contact, role }) => {
      const set = { contact_id: contact.id, role, contacts: contact.name }
      const isThere = rows.some(({ contact_id }) => contact_id === contact.id)
      return isThere
        ? rows.map((row) => (row.contact_id === contact.id ? set : row))
        : [...rows, set]
    },
  )
}

/** Takes a contact off a deal; the toast offers Undo. */
export function useRemoveDealContact(deal: string) {
  return useDealContactWrite(
    deal,
    (contact: string) => callForJson('remove_deal_contact', { deal, contact }, bulkAnswer),
    (rows, contact) => rows.filter(({ contact_id }) => contact_id !== contact),
  )
}

/** A write to the people of a deal: the list shows it at once, and is read again after it. */
function useDealContactWrite<Input>(
  deal: string,
  write: (input: Input) => Promise<{ batch: string | null }>,
  shown: (rows: DealContactRow[], input: Input) => DealContactRow[],
) {
  const queryClient = useQueryClient()
  const key = peopleKey(deal)
  const { mutateAsync } = useMutation({
    mutationFn: write,
    onMutate: async (input) => {
      await queryClient.cancelQueries({ queryKey: key })
      const before = queryClient.getQueryData<DealContactRow[]>(key)
      if (before) queryClient.setQueryData(key, shown(before, input))
      return { before }
    },
    onError: (_error, _input, context) => queryClient.setQueryData(key, context?.before),
    onSettled: () => readAgain(queryClient),
    meta: { failed: 'Failed to update deal' },
  })
  return async (input: Input, done: string): Promise<void> => {
    const { batch } = await mutateAsync(input)
    if (batch === null) return
    showUndoToast({
      message: done,
      batch: async () => batch,
      onUndone: () => readAgain(queryClient),
    })
  }
}
