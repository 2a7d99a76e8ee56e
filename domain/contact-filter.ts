import type { contactFields, contactFilters } from './fields/contacts.ts'
import type { Chosen, FilterOf } from './fields/filters.ts'

/** A filter of contacts, as the database's functions for pages, counts and bulk writes take it. */
export type ContactFilter = Chosen & FilterOf<typeof contactFields, (typeof contactFilters)[number]>
