import { z } from 'zod/mini'
import {
  type CompanyFilter,
  type CompanySort,
  companyColumns,
  companyFields,
  companyFilters,
  companySorts,
  usualCompanyColumns,
} from '#domain/fields/companies.ts'
import type { Fields } from '#domain/fields/field.ts'
import { filterShape, noFilter } from '#domain/fields/filters.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import type { OwnKey } from '#domain/fields/own.ts'
import type { ListView } from '#lib/list-source.ts'
import { columnsInUrl, listUrlWithOwn, listView } from '#lib/list-view.ts'

/** What the address of the companies screen may hold. The columns are those of the table. */
export function companyUrl(own: Fields | null) {
  return z.object({
    view: z._default(z.enum(['cards', 'table']), 'cards'),
    ...listUrlWithOwn(companySorts, 'created', own),
    ...filterShape(companyFields, companyFilters),
    col: columnsInUrl(companyColumns, usualCompanyColumns, own),
  })
}

/** The same, whatever fields of the user's own there are. */
export const companyUrlSchema = companyUrl(null)

export type CompanyUrlState = z.output<typeof companyUrlSchema>

/** No filter; the search words stay. */
export const unfiltered = { field: [], ...noFilter(companyFields, companyFilters) }

export type CompanyView = ListView<CompanyFilter> & { sort: CompanySort | OwnKey }

/** Sorts that begin with the newest or the most. */
export const mostFirst: (CompanySort | OwnKey)[] = mostFirstOf(companyFields, companySorts)

const list = { fields: companyFields, sorts: companySorts, filters: companyFilters }

/** The view of the list that the address describes. */
export function companyView(state: CompanyUrlState): CompanyView {
  return listView(list, state)
}
