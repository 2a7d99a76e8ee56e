import { z } from 'zod'
import type { ContactFilter } from '#domain/contact-filter.ts'
import {
  type ContactSort,
  contactColumns,
  contactFields,
  contactFilters,
  contactSorts,
  usualContactColumns,
} from '#domain/fields/contacts.ts'
import { filterShape, noFilter } from '#domain/fields/filters.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import type { ListView } from '#lib/list-source.ts'
import { columnsInUrl, listUrl, listView } from '#lib/list-view.ts'

/** Sorts that begin with the newest or the largest. */
export const mostFirst = mostFirstOf(contactFields, contactSorts)

/** What the address of the contacts screen may hold. */
export const contactUrlSchema = z.object({
  ...listUrl(contactSorts, 'created'),
  ...filterShape(contactFields, contactFilters),
  col: columnsInUrl(contactColumns, usualContactColumns),
})

export type ContactUrlState = z.output<typeof contactUrlSchema>

/** No filter and no search. */
export const allContacts = { q: '', ...noFilter(contactFields, contactFilters) }

export type ContactView = ListView<ContactFilter> & { sort: ContactSort }

const list = { fields: contactFields, sorts: contactSorts, filters: contactFilters }

/** The view of the list that the address describes. */
export function contactView(state: ContactUrlState, timeZone: string): ContactView {
  return listView(list, state, timeZone)
}
