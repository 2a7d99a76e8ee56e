import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type Outcome, shownStage, stageLabel } from '#domain/deal.ts'
import { type DealPerson, withoutPerson, withPerson } from '#domain/deal-people.ts'
import { batchOf, bulkAnswer, showUndoToast } from '#features/history/index.ts'
import { checked } from '#lib/answers.ts'
import { callForJson } from '#lib/supabase.ts'
import { readAgain, useListWrite, useOnceWrite } from '#lib/use-list-write.ts'
import { useNeighbours, useRecord } from '#lib/use-record.ts'
import { asListWrite, KeptWrite, type Shown } from '#lib/waiting-writes.ts'
import { type Deal, dealCard, storedDeal } from '../deal-rows.ts'
import type { DealView } from '../deal-view.ts'
import { dealList, dealPages } from '../queries.ts'

/** One deal with all that its page shows; without an id, none is read. */
export function useDeal(id: string | null) {
  return useRecord(dealList, {
    id,
    read: (wanted, signal) =>
      callForJson('deal_record', { id: wanted }, z.nullable(dealCard), signal),
    readCard: dealPages.one,
    fromList: (deal) => deal,
  })
}

/** The deals before and after one in the list that a view shows. */
export function useDealNeighbours(id: string, view: DealView) {
  return useNeighbours(dealList, 'deal_neighbours', id, view)
}

type Move = { seen: Deal; stage: { id: string; name: string; outcome: Outcome } | null }

/** Moves a deal to another stage of its pipeline, now or later; the toast offers Undo. */
export function useMoveToStage() {
  const queryClient = useQueryClient()
  const write = useOnceWrite(dealList, {
    once: ({ seen, stage }: Move) => ({
      action: 'move deal',
      args: { id: seen.id, stage_id: stage?.id ?? null },
      seen: { stage_id: seen.stage_id },
      title: `${seen.name}: moved to ${stageLabel(stage?.name ?? null)}`,
    }),
    shown: (move) => shownMove(move, {}),
    answer: (row) => checked(storedDeal, row),
    confirmed: (stored, move) => asListWrite(shownMove(move, stored)),
    // It needs no comparison here: the page already shows the other stage.
    conflict: 'It was moved in another window. Choose again if you still want to move it.',
    failed: 'Failed to update deal',
  })
  return async (move: Move): Promise<void> => {
    const stored = await write(move)
    if (stored instanceof KeptWrite) return
    showUndoToast({
      message: `Moved to ${stageLabel(move.stage?.name ?? null)}`,
      batch: () => batchOf(stored),
      onUndone: () => readAgain(queryClient),
    })
  }
}

function shownMove({ seen, stage }: Move, stored: Partial<Deal>): Shown<Deal> {
  const to = { stage_id: stage?.id ?? null, ...stored, ...shownStage(stage) }
  return { kind: 'change', id: seen.id, to }
}

type Place = { deal: Deal; person: Omit<DealPerson, 'isMain'>; isMain: boolean }

/** Puts a contact on a deal, gives it a role or makes it the main one; the toast offers Undo. */
export function useSetDealContact() {
  const queryClient = useQueryClient()
  const write = useListWrite(dealList, {
    write: ({ deal, person, isMain }: Place) =>
      callForJson(
        'set_deal_contact',
        {
          deal: deal.id,
          contact: person.id,
          is_main: isMain,
          ...(person.role ? { role: person.role } : {}),
        },
        bulkAnswer,
      ),
    optimistic: ({ deal, person, isMain }) => shownPeople(deal, withPerson(deal, person, isMain)),
    failed: 'Failed to update deal',
  })
  return async (place: Place, done: string): Promise<void> => {
    const { batch } = await write(place)
    offerUndo(done, batch, () => readAgain(queryClient))
  }
}

/** Takes a contact off a deal; the toast offers Undo. */
export function useRemoveDealContact() {
  const queryClient = useQueryClient()
  const write = useListWrite(dealList, {
    write: ({ deal, id }: { deal: Deal; id: string }) =>
      callForJson('remove_deal_contact', { deal: deal.id, contact: id }, bulkAnswer),
    optimistic: ({ deal, id }) => shownPeople(deal, withoutPerson(deal, id)),
    failed: 'Failed to update deal',
  })
  return async (deal: Deal, id: string, done: string): Promise<void> => {
    const { batch } = await write({ deal, id })
    offerUndo(done, batch, () => readAgain(queryClient))
  }
}

function shownPeople(deal: Deal, to: Partial<Deal>) {
  return { kind: 'change', matches: ({ id }: Deal) => id === deal.id, to } as const
}

/** Nothing was written when it was so already. */
function offerUndo(message: string, batch: string | null, onUndone: () => void): void {
  if (batch !== null) showUndoToast({ message, batch: async () => batch, onUndone })
}
