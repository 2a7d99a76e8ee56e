import { z } from 'zod'
import type { DealFilter } from '#domain/deal.ts'
import { isSensibleDay } from '#domain/fields/checks.ts'
import {
  type DealSort,
  dealColumns,
  dealFields,
  dealSorts,
  usualDealColumns,
} from '#domain/fields/deals.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import { directionOf } from '#lib/list-sort.ts'
import type { ListView } from '#lib/list-source.ts'

/** Sorts that begin with the newest or the largest. */
export const mostFirst = mostFirstOf(dealFields, dealSorts)

const day = z.string().refine(isSensibleDay)
const amount = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,2})?$/)
  .transform(Number)

/** What the address of the deals screen may hold. */
export const dealUrlSchema = z.object({
  view: z.enum(['list', 'board']).default('list'),
  q: z.string().trim().max(200).default(''),
  sort: z.enum(dealSorts).default('created'),
  /** Undefined means the usual direction of the sort. */
  dir: z.enum(['asc', 'desc']).optional(),
  /** A filter of the list; on the board the pipeline to show, by default the oldest. */
  pipeline: z.uuid().optional(),
  stage: z
    .array(z.union([z.literal('none'), z.uuid()]))
    .max(50)
    .default([]),
  company: z.uuid().optional(),
  contact: z.uuid().optional(),
  min: amount.optional(),
  max: amount.optional(),
  from: day.optional(),
  to: day.optional(),
  /** The columns shown, in their order. */
  col: z
    .array(z.enum(dealColumns))
    .refine((columns) => new Set(columns).size === columns.length)
    .default(usualDealColumns),
})

export type DealUrlState = z.output<typeof dealUrlSchema>

/** No filter and no search. */
export const allDeals = {
  q: '',
  pipeline: undefined,
  stage: [],
  company: undefined,
  contact: undefined,
  min: undefined,
  max: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<DealUrlState>

export type DealView = ListView<DealFilter> & { sort: DealSort }

/** The view of the list that the address describes. */
export function dealView(state: DealUrlState): DealView {
  const { pipeline, stage, sort } = state
  const filter: DealFilter = {
    ...boardFilter(state),
    ...(pipeline ? { pipeline } : {}),
    ...(stage.length > 0 ? { stage } : {}),
  }
  return { filter, sort, descending: directionOf(state, mostFirst) === 'desc' }
}

/** The pipeline that the board shows. */
export function boardPipeline<Pipeline extends { id: string }>(
  pipelines: Pipeline[],
  { pipeline }: DealUrlState,
): Pipeline | undefined {
  return pipelines.find(({ id }) => id === pipeline) ?? pipelines[0]
}

/** The filter of the board: without pipeline and stage. */
export function boardFilter({ q, company, contact, min, max, from, to }: DealUrlState): DealFilter {
  return {
    ...(q ? { search: q } : {}),
    ...(company ? { company } : {}),
    ...(contact ? { contact } : {}),
    ...(min === undefined ? {} : { value_from: min }),
    ...(max === undefined ? {} : { value_to: max }),
    ...(from ? { close_from: from } : {}),
    ...(to ? { close_to: to } : {}),
  }
}
