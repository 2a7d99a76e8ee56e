import { z } from 'zod'
import {
  type CompanySort,
  companyFields,
  companyFilters,
  companySorts,
} from '#domain/fields/companies.ts'
import { type FilterOf, filterShape, noFilter } from '#domain/fields/filters.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import type { ListView } from '#lib/list-source.ts'
import { listUrl, listView } from '#lib/list-view.ts'

/** What the address of the companies screen may hold. */
export const companyUrlSchema = z.object({
  ...listUrl(companySorts, 'created'),
  ...filterShape(companyFields, companyFilters),
})

export type CompanyUrlState = z.output<typeof companyUrlSchema>

/** Everything, whatever is searched for. */
export const unfiltered = noFilter(companyFields, companyFilters)

export type CompanyView = ListView<
  { search?: string } & FilterOf<typeof companyFields, (typeof companyFilters)[number]>
> & { sort: CompanySort }

/** Sorts that begin with the newest. */
export const newestFirst = mostFirstOf(companyFields, companySorts)

const list = { fields: companyFields, sorts: companySorts, filters: companyFilters }

/** The view of the list that the address describes. */
export function companyView(state: CompanyUrlState): CompanyView {
  return listView(list, state)
}
