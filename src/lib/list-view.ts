import { z } from 'zod'
import type { Fields } from '#domain/fields/field.ts'
import { type FilterOf, filterOf } from '#domain/fields/filters.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import { directionOf, type SortDirection } from './list-sort.ts'

/** What the address of every list may hold: what is searched for, and the order. */
export function listUrl<Sort extends string>(sorts: readonly Sort[], usual: Sort) {
  return {
    q: z.string().trim().max(200).default(''),
    sort: z.enum(sorts).default(usual),
    /** Left out, each sort has the direction that people expect. */
    dir: z.enum(['asc', 'desc']).optional(),
  }
}

/** The columns that a table shows, in their order. */
export function columnsInUrl<Column extends string>(columns: readonly Column[], usual: Column[]) {
  return z
    .array(z.enum(columns))
    .refine((chosen) => new Set(chosen).size === chosen.length)
    .default(usual)
}

type ListFields<F extends Fields, Sort extends string, Key extends string> = {
  fields: F
  sorts: readonly Sort[]
  filters: readonly Key[]
}

type ListState<Sort> = { q: string; sort: Sort; dir?: SortDirection | undefined }

/** What the address of a list asks for, as the database takes it. */
export function listView<F extends Fields, Sort extends string, const Key extends string>(
  { fields, sorts, filters }: ListFields<F, Sort, Key>,
  state: ListState<Sort>,
  timeZone?: string,
): { filter: { search?: string } & FilterOf<F, Key>; sort: Sort; descending: boolean } {
  const { q, sort } = state
  return {
    filter: { ...(q ? { search: q } : {}), ...filterOf(fields, filters, state, timeZone) },
    sort,
    descending: directionOf(state, mostFirstOf(fields, sorts)) === 'desc',
  }
}
