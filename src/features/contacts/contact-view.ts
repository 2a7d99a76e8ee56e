import { z } from 'zod/mini'
import type { ContactFilter } from '#domain/contact-filter.ts'
import {
  type ContactSort,
  contactColumns,
  contactFields,
  contactFilters,
  contactSorts,
  usualContactColumns,
} from '#domain/fields/contacts.ts'
import type { Fields } from '#domain/fields/field.ts'
import { filterShape, noFilter } from '#domain/fields/filters.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import type { OwnKey } from '#domain/fields/own.ts'
import type { ListView } from '#lib/list-source.ts'
import { columnsInUrl, listUrlWithOwn, listView } from '#lib/list-view.ts'

/** Sorts that begin with the newest or the largest. */
export const mostFirst: (ContactSort | OwnKey)[] = mostFirstOf(contactFields, contactSorts)

/** What the address of the contacts screen may hold; the user's own fields are null until they are read. */
export function contactUrl(own: Fields | null) {
  return z.object({
    ...listUrlWithOwn(contactSorts, 'created', own),
    ...filterShape(contactFields, contactFilters),
    col: columnsInUrl(contactColumns, usualContactColumns, own),
  })
}

/** The same, whatever fields there are. */
export const contactUrlSchema = contactUrl(null)

export type ContactUrlState = z.output<typeof contactUrlSchema>

/** No filter and no search. */
export const allContacts = { q: '', field: [], ...noFilter(contactFields, contactFilters) }

export type ContactView = ListView<ContactFilter> & { sort: ContactSort | OwnKey }

const list = { fields: contactFields, sorts: contactSorts, filters: contactFilters }

/** The view of the list that the address describes. */
export function contactView(state: ContactUrlState, timeZone: string): ContactView {
  return listView(list, state, timeZone)
}
