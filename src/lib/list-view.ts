import { z } from 'zod/mini'
import type { Fields } from '#domain/fields/field.ts'
import { type FilterOf, filterOf } from '#domain/fields/filters.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import type { OwnKey } from '#domain/fields/own.ts'
import {
  conditionsInUrl,
  type OwnFilter,
  ownFilterOf,
  ownKeyInUrl,
} from '#domain/fields/own-filters.ts'
import { directionOf, type SortDirection } from './list-sort.ts'

/** What the address of every list may hold: the search text and the order. */
export function listUrl<Sort extends string>(sorts: readonly Sort[], usual: Sort) {
  return {
    q: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
    sort: z._default(z.enum(sorts), usual),
    /** Left out, each sort has the direction that people expect. */
    dir: z.optional(z.enum(['asc', 'desc'])),
  }
}

/** The same of a list that has fields of the user's own; they are null until they are read. */
export function listUrlWithOwn<Sort extends string>(
  sorts: readonly Sort[],
  usual: Sort,
  own: Fields | null,
) {
  return {
    ...listUrl(sorts, usual),
    sort: z._default(z.union([z.enum(sorts), ownKeyInUrl(own)]), usual),
    /** Filters by these fields. */
    field: conditionsInUrl(own),
  }
}

/** The columns that a table shows, in their order. */
export function columnsInUrl<Column extends string>(
  columns: readonly Column[],
  usual: (Column | OwnKey)[],
  own: Fields | null,
) {
  const chosen = z
    .array(z.union([z.enum(columns), ownKeyInUrl(own)]))
    .check(z.refine((keys) => new Set(keys).size === keys.length))
  return z._default(chosen, usual)
}

type ListFields<F extends Fields, Sort extends string, Key extends string> = {
  fields: F
  sorts: readonly Sort[]
  filters: readonly Key[]
}

type ListState<Sort> = {
  q: string
  sort: Sort
  dir?: SortDirection | undefined
  field?: string[]
}

/** What the address of a list asks for, as the database takes it. */
export function listView<
  F extends Fields,
  Sort extends string,
  const Key extends string,
  Chosen extends Sort | OwnKey = Sort,
>(
  { fields, sorts, filters }: ListFields<F, Sort, Key>,
  state: ListState<Chosen>,
  timeZone?: string,
): {
  filter: { search?: string; fields?: OwnFilter } & FilterOf<F, Key>
  sort: Chosen
  descending: boolean
} {
  const { q, sort } = state
  return {
    filter: {
      ...(q ? { search: q } : {}),
      ...filterOf(fields, filters, state, timeZone),
      ...ownFilterOf(state.field ?? []),
    },
    sort,
    descending: directionOf<string>(state, mostFirstOf(fields, sorts)) === 'desc',
  }
}
