import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { counted } from '#domain/counted.ts'
import type { DealFilter } from '#domain/deal.ts'
import type { PersonChange } from '#domain/deal-contacts.ts'
import { dealOrder } from '#domain/fields/deals.ts'
import { type OwnChanges, withOwnChanges } from '#domain/fields/own-values.ts'
import type { dealSchema } from '#domain/fields/record-forms.ts'
import { type TagChange, updatedWords } from '#domain/tags.ts'
import { batchOf, useBulkWrite, useUndoableDelete, writeMany } from '#features/history/index.ts'
import { knownOwnFields } from '#features/own-fields/index.ts'
import { knownStages } from '#features/pipelines/index.ts'
import type { ListSource } from '#lib/list-source.ts'
import { recordPages, useChoices } from '#lib/record-pages.ts'
import { recordWrites } from '#lib/record-writes.ts'
import { callForJson } from '#lib/supabase.ts'
import { readAgain, useListWrite } from '#lib/use-list-write.ts'
import { patchBoards } from './board/board-columns.ts'
import { type Deal, type DealNames, dealCard, type StoredDeal, storedDeal } from './deal-rows.ts'
import type { DealView } from './deal-view.ts'
import { celebrateWin } from './on-won.ts'
import { offerOpenTasks } from './open-tasks/queries.ts'

export type { Deal, DealNames } from './deal-rows.ts'

type DealValues = z.output<ReturnType<typeof dealSchema>> & { custom?: OwnChanges }

/** What a write says about who is on the deal besides its main contact. */
type PeopleChange = { people?: PersonChange[] }

/** The same as it is shown until the backend answers. */
type ShownPeople = Pick<Deal, 'people'>

/** The values of a write, which may have a reason for the loss. */
export type DealChanges = DealValues & { lost_reason?: string | null; rate?: number }

export const dealPages = recordPages('deal_page', dealCard)
const pages = dealPages

export const dealList: ListSource<Deal, DealView> = {
  key: ['deals'],
  failed: 'Failed to fetch deals',
  async readPage({ filter, sort, descending }, after, signal) {
    return pages.read({ filter, sort, descending, after, page_size: 60 }, signal)
  },
  compare: ({ sort, descending }, queryClient) =>
    dealOrder(sort, descending, knownStages(queryClient), knownOwnFields(queryClient, 'deals')),
  patch: patchBoards,
}

const totals = z.object({
  count: z.number(),
  sum: z.string(),
  /** How many are not in the sum, by their currencies. */
  uncounted: z.record(z.string(), z.number()),
})

export type DealTotals = z.output<typeof totals>

/** Count and sum of the deals that a filter matches; the database adds exactly. */
export function useDealTotals(filter: DealFilter) {
  const { data } = useQuery({
    queryKey: [...dealList.key, 'totals', filter],
    queryFn: ({ signal }) => callForJson('deal_totals', { filter }, totals, signal),
    placeholderData: keepPreviousData,
    meta: { failed: dealList.failed },
  })
  return data
}

export const dealWrites = recordWrites<StoredDeal, Deal, DealChanges & PeopleChange>({
  table: 'deals',
  row: storedDeal,
  read: pages.one,
  special({ id, values: { people, ...changes }, isNew, seen }) {
    if (!people) return null
    const args = { deal: id, changes, people, is_new: isNew, ...(seen ? { seen } : {}) }
    return callForJson('save_deal', args, z.nullable(storedDeal))
  },
})

function withPeople<Values extends object>(values: Values, people: PersonChange[] = []) {
  return people.length > 0 ? { ...values, people } : values
}

type NewDeal = PeopleChange & { id: string; values: DealChanges; names: DealNames & ShownPeople }
type DealChange = PeopleChange & {
  seen: Deal
  values: Partial<DealChanges>
  names: Partial<DealNames> & ShownPeople
}

export function useCreateDeal() {
  const create = useListWrite(dealList, {
    write: ({ id, values, people }: NewDeal) => dealWrites.create(id, withPeople(values, people)),
    optimistic({ id, values, names }) {
      const now = new Date().toISOString()
      const unset = {
        order: 0,
        closed_at: null,
        lost_reason: null,
        next_task: null,
        rate: null,
        stage_since: null,
        stalls_at: null,
      }
      return {
        kind: 'add',
        row: {
          id,
          ...values,
          ...names,
          ...unset,
          custom: withOwnChanges({}, values.custom),
          created_at: now,
          updated_at: now,
        },
      }
    },
    confirmed: (stored, { names }) => ({
      kind: 'add',
      row: { ...stored, ...names, next_task: null, stalls_at: null },
    }),
    saved: 'Deal created successfully',
    failed: 'Failed to create deal',
  })
  return async (deal: NewDeal): Promise<StoredDeal> => {
    const stored = await create(deal)
    if (deal.names.outcome === 'won') celebrateWin()
    return stored
  }
}

const updated = 'Deal updated successfully'

export function useUpdateDeal() {
  const queryClient = useQueryClient()
  const update = useListWrite(dealList, {
    write: ({ seen, values, people }: DealChange) =>
      dealWrites.update(seen, withPeople(values, people)),
    optimistic: ({ seen, values, names }) => ({
      kind: 'change',
      matches: ({ id }) => id === seen.id,
      to: { ...values, ...names, custom: withOwnChanges(seen.custom, values.custom) },
    }),
    confirmed: (stored, { names }) => ({
      kind: 'change',
      matches: ({ id }) => id === stored.id,
      to: { ...stored, ...names },
    }),
    saved: updated,
    failed: 'Failed to update deal',
  })
  return async (change: DealChange): Promise<StoredDeal> => {
    const stored = await update(change)
    const { seen, names } = change
    if (names.outcome === 'won' && seen.outcome !== 'won') celebrateWin()
    if (seen.outcome === 'open' && (names.outcome === 'won' || names.outcome === 'lost')) {
      // In the place of the toast of the same words; nobody waits for it.
      const batch = () => batchOf(stored)
      void offerOpenTasks(stored.id, { message: updated, batch, queryClient })
    }
    return stored
  }
}

export function useDeleteDeal() {
  return useUndoableDelete(dealList, {
    remove: dealWrites.remove,
    done: () => 'Deal deleted successfully',
    failed: 'Failed to delete deal',
  })
}

/** The deals that a filter matches, and a test for the rows on the screen. */
export type ChosenDeals = {
  filter: DealFilter
  count: number
  matches: (deal: Deal) => boolean
  /** Where it is one that is known: closing it can wait for a network. */
  deal?: Deal
}

/** `changes` is written; `shown` is the optimistic update of the rows. */
type DealsChange = {
  changes:
    | { stage_id: string | null }
    | { expected_close_date: string | null }
    | { currency: string | null }
    | { custom: OwnChanges }
    | TagChange
  shown: Partial<Deal> | ((deal: Deal) => Partial<Deal>)
}

/** Stage, expected close, currency, tags or own fields of all chosen deals, in one batch. */
export function useUpdateDeals() {
  return useBulkWrite(dealList, {
    write: ({ filter, changes }: ChosenDeals & DealsChange) =>
      writeMany('update_deals', { filter, changes }),
    optimistic: ({ matches, shown }) => ({ kind: 'change', matches, to: shown }),
    done: (count, { changes }) => updatedWords(counted(count, 'deal'), changes),
    failed: 'Failed to update deals',
  })
}

export function useDeleteDeals() {
  return useBulkWrite(dealList, {
    write: ({ filter }: ChosenDeals) => writeMany('delete_deals', { filter }),
    optimistic: ({ matches, count }) => ({ kind: 'remove', matches, count }),
    done: (count) => `${counted(count, 'deal')} deleted successfully`,
    failed: 'Failed to delete deals',
  })
}

/** Refetches after a record on the screen turned out to be deleted. */
export function useReadDealsAgain() {
  const queryClient = useQueryClient()
  return () => readAgain(queryClient)
}

/** Every deal that a view shows, in its order, a thousand at a time. */
export function readAllDeals(view: DealView) {
  return pages.all(view)
}

const text = z.nullable(z.string())
const peopleOfDeals = z.record(
  z.string(),
  z.array(z.object({ id: z.string(), role: text, first_name: text, last_name: text, email: text })),
)

/** The contacts of these deals with their roles, by the deal; a main one without a role is left out. */
export function readDealPeople(ids: string[]) {
  return callForJson('people_of_deals', { ids }, peopleOfDeals)
}

const named = { source: dealList, pages, nameOf: ({ name }: Deal) => name }

/** The deals that a search finds, for a field that chooses one. */
export function useDealChoices(search: string) {
  return useChoices(named, search)
}
