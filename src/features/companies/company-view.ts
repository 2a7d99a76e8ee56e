import { z } from 'zod'
import {
  type CompanySort,
  companyFields,
  companyFilters,
  companySorts,
} from '#domain/fields/companies.ts'
import type { Fields } from '#domain/fields/field.ts'
import { type FilterOf, filterShape, noFilter } from '#domain/fields/filters.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import type { OwnKey } from '#domain/fields/own.ts'
import type { OwnFilter } from '#domain/fields/own-filters.ts'
import type { ListView } from '#lib/list-source.ts'
import { listUrlWithOwn, listView } from '#lib/list-view.ts'

/** What the address of the companies screen may hold. */
export function companyUrl(own: Fields | null) {
  return z.object({
    ...listUrlWithOwn(companySorts, 'created', own),
    ...filterShape(companyFields, companyFilters),
  })
}

/** The same, whatever fields of the user's own there are. */
export const companyUrlSchema = companyUrl(null)

export type CompanyUrlState = z.output<typeof companyUrlSchema>

/** Everything, whatever is searched for. */
export const unfiltered = { field: [], ...noFilter(companyFields, companyFilters) }

export type CompanyView = ListView<
  { search?: string; fields?: OwnFilter } & FilterOf<
    typeof companyFields,
    (typeof companyFilters)[number]
  >
> & { sort: CompanySort | OwnKey }

/** Sorts that begin with the newest. */
export const newestFirst: (CompanySort | OwnKey)[] = mostFirstOf(companyFields, companySorts)

const list = { fields: companyFields, sorts: companySorts, filters: companyFilters }

/** The view of the list that the address describes. */
export function companyView(state: CompanyUrlState): CompanyView {
  return listView(list, state)
}
