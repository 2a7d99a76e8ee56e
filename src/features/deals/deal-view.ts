import { z } from 'zod/mini'
import type { DealFilter } from '#domain/deal.ts'
import {
  type DealSort,
  dealColumns,
  dealFields,
  dealFilters,
  dealSorts,
  usualDealColumns,
} from '#domain/fields/deals.ts'
import type { Fields } from '#domain/fields/field.ts'
import { filterShape, noFilter } from '#domain/fields/filters.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import type { OwnKey } from '#domain/fields/own.ts'
import type { ListView } from '#lib/list-source.ts'
import { columnsInUrl, listUrlWithOwn, listView } from '#lib/list-view.ts'

/** Sorts that begin with the newest or the largest. */
export const mostFirst: (DealSort | OwnKey)[] = mostFirstOf(dealFields, dealSorts)

/** What the address of the deals screen may hold. The pipeline is a filter of the list; the board shows one, the oldest unless told otherwise. */
export function dealUrl(own: Fields | null) {
  return z.object({
    view: z._default(z.enum(['list', 'board']), 'list'),
    ...listUrlWithOwn(dealSorts, 'created', own),
    ...filterShape(dealFields, dealFilters),
    col: columnsInUrl(dealColumns, usualDealColumns, own),
  })
}

/** The same, whatever fields of the user's own there are. */
export const dealUrlSchema = dealUrl(null)

export type DealUrlState = z.output<typeof dealUrlSchema>

/** No filter and no search. */
export const allDeals = { q: '', field: [], ...noFilter(dealFields, dealFilters) }

export type DealView = ListView<DealFilter> & { sort: DealSort | OwnKey }

const list = { fields: dealFields, sorts: dealSorts }

/** The board shows one pipeline and all its stages, so these two are no filters of it. */
export const boardFilters = ['company', 'contact', 'value', 'expected_close', 'attention'] as const

/** The view of the list that the address describes. */
export function dealView(state: DealUrlState): DealView {
  return listView({ ...list, filters: dealFilters }, state)
}

/** What the board shows of its pipeline. */
export function boardFilter(state: DealUrlState): DealFilter {
  return listView({ ...list, filters: boardFilters }, state).filter
}

/** The pipeline that the board shows. */
export function boardPipeline<Pipeline extends { id: string }>(
  pipelines: Pipeline[],
  { pipeline }: DealUrlState,
): Pipeline | undefined {
  return pipelines.find(({ id }) => id === pipeline) ?? pipelines[0]
}
