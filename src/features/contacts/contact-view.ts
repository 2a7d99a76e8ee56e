import { z } from 'zod'
import type { ContactFilter } from '#domain/contact-filter.ts'
import { isSensibleDay } from '#domain/fields/checks.ts'
import {
  type ContactSort,
  contactColumns,
  contactFields,
  contactSorts,
  leadStatuses,
  usualContactColumns,
} from '#domain/fields/contacts.ts'
import { mostFirstOf } from '#domain/fields/list.ts'
import { directionOf } from '#lib/list-sort.ts'
import type { ListView } from '#lib/list-source.ts'

/** Sorts that begin with the newest or the largest. */
export const mostFirst = mostFirstOf(contactFields, contactSorts)

const day = z.string().refine(isSensibleDay)

/** What the address of the contacts screen may hold. */
export const contactUrlSchema = z.object({
  q: z.string().trim().max(200).default(''),
  sort: z.enum(contactSorts).default('created'),
  /** Undefined means the usual direction of the sort. */
  dir: z.enum(['asc', 'desc']).optional(),
  status: z.array(z.enum(leadStatuses)).max(10).default([]),
  company: z.union([z.literal('none'), z.uuid()]).optional(),
  collection: z.uuid().optional(),
  email: z.enum(['yes', 'no']).optional(),
  phone: z.enum(['yes', 'no']).optional(),
  from: day.optional(),
  to: day.optional(),
  /** The columns shown, in their order. */
  col: z
    .array(z.enum(contactColumns))
    .refine((columns) => new Set(columns).size === columns.length)
    .default(usualContactColumns),
})

export type ContactUrlState = z.output<typeof contactUrlSchema>

/** No filter and no search. */
export const allContacts = {
  q: '',
  status: [],
  company: undefined,
  collection: undefined,
  email: undefined,
  phone: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<ContactUrlState>

export type ContactView = ListView<ContactFilter> & { sort: ContactSort }

/** The view of the list that the address describes. */
export function contactView(state: ContactUrlState, timeZone: string): ContactView {
  const { q, status, company, collection, email, phone, from, to, sort } = state
  const filter: ContactFilter = {
    ...(q ? { search: q } : {}),
    ...(status.length > 0 ? { lead_status: status } : {}),
    ...(company ? { company } : {}),
    ...(collection ? { collection } : {}),
    ...(email ? { has_email: email === 'yes' } : {}),
    ...(phone ? { has_phone: phone === 'yes' } : {}),
    ...(from ? { created_from: from } : {}),
    ...(to ? { created_to: to } : {}),
    ...(from || to ? { time_zone: timeZone } : {}),
  }
  return { filter, sort, descending: directionOf(state, mostFirst) === 'desc' }
}
