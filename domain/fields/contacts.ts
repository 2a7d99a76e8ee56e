import { created, type Fields, type KeyOf } from './field.ts'
import { listOrder, lower, momentKey, type SortKey } from './order.ts'
import type { OwnKey } from './own.ts'

export const leadStatuses = [
  'New',
  'Contacted',
  'Qualified',
  'Proposal Sent',
  'Unqualified',
] as const

export type LeadStatus = (typeof leadStatuses)[number]

/** The fields of a contact, in the order of its form. */
export const contactFields = {
  first_name: { kind: 'text', label: 'First Name', merge: 'fullest', import: 'one column' },
  last_name: { kind: 'text', label: 'Last Name', merge: 'fullest', import: 'one column' },
  // Part of no name that is shown: it is looked up where it is needed.
  middle_name: {
    kind: 'text',
    label: 'Middle Name',
    edit: 'details',
    merge: 'newest',
    import: 'one column',
  },
  nickname: {
    kind: 'text',
    label: 'Nickname',
    isRare: true,
    merge: 'newest',
    import: 'one column',
  },
  // Both parts together: what lists call and sort a contact by, and what some files have instead of the parts.
  full_name: {
    kind: 'text',
    label: 'Full Name',
    labels: { column: 'Contact', import: 'Full Name' },
    key: 'name',
    edit: 'never',
    import: 'one column',
  },
  email: {
    kind: 'email',
    label: 'Email',
    firstOf: 'emails',
    merge: 'newest',
    import: 'many columns',
    filter: { by: 'presence' },
    column: { width: 186, grow: 7 },
  },
  emails: { kind: 'emails', label: 'Emails', import: 'many columns' },
  phone_number: {
    kind: 'phone',
    label: 'Phone Number',
    labels: { column: 'Phone' },
    key: 'phone',
    firstOf: 'phones',
    merge: 'newest',
    import: 'many columns',
    filter: { by: 'presence' },
    column: { width: 148, grow: 1 },
  },
  phones: { kind: 'phones', label: 'Phones', import: 'many columns' },
  role_title: {
    kind: 'text',
    label: 'Role Title',
    labels: { file: 'Role', import: 'Role Title' },
    merge: 'newest',
    import: 'one column',
  },
  company_id: {
    kind: 'record',
    label: 'Company',
    key: 'company',
    at: 'company_name',
    merge: 'newest',
    import: 'one column',
    filter: { by: 'one', hasNone: true },
    column: { width: 148, grow: 5 },
  },
  addresses: { kind: 'addresses', label: 'Addresses', import: 'many columns' },
  links: { kind: 'links', label: 'Links', import: 'many columns' },
  lead_status: {
    kind: 'choice',
    label: 'Lead Status',
    choices: leadStatuses,
    usual: 'New',
    merge: 'newest',
    import: 'one column',
    filter: { by: 'any', key: 'status' },
  },
  birthday: {
    kind: 'birthday',
    label: 'Birthday',
    isRare: true,
    merge: 'fullest',
    import: 'one column',
    column: { width: 112, grow: 1 },
  },
  birthday_reminder: {
    kind: 'days before',
    label: 'Birthday Reminder',
    isRare: true,
    merge: 'newest',
    import: 'one column',
  },
  lead_score: {
    kind: 'number',
    label: 'Lead Score',
    usual: 0,
    merge: 'newest',
    import: 'one column',
    sort: { first: 'desc' },
  },
  tags: { kind: 'tags', label: 'Tags', import: 'many columns', filter: { by: 'any' } },
  notes: {
    kind: 'long text',
    label: 'Notes',
    merge: 'fullest',
    import: 'many columns',
    column: { width: 66, grow: 1 },
  },
  created_at: { ...created, filter: { by: 'range' } },
  last_contacted: {
    kind: 'moment',
    label: 'Last Contacted',
    edit: 'never',
    sort: { asc: 'Longest ago', desc: 'Most recent', first: 'desc' },
    column: { width: 112 },
    filter: { by: 'range', key: 'contacted' },
  },
  next_task: {
    kind: 'record',
    label: 'Next Task',
    edit: 'never',
    sort: { asc: 'Soonest first', desc: 'Latest first' },
    column: { width: 130 },
  },
  // A contact may be in several; a list can show one of them.
  collection: { kind: 'record', label: 'Collection', edit: 'never', filter: { by: 'one' } },
} as const satisfies Fields

export type ContactKey = KeyOf<typeof contactFields>

/** By what the list can be sorted, in the order of its menu. */
export const contactSorts = [
  'created',
  'name',
  'email',
  'phone',
  'company',
  'lead_status',
  'lead_score',
  'birthday',
  'notes',
  'last_contacted',
  'next_task',
] as const satisfies ContactKey[]

export type ContactSort = (typeof contactSorts)[number]

/** By what the list can be filtered, in the order of the popover and of the address. */
export const contactFilters = [
  'lead_status',
  'company',
  'collection',
  'tags',
  'email',
  'phone',
  'created',
  'last_contacted',
] as const satisfies ContactKey[]

/** What the table can show beside the contact itself. */
export const contactColumns = [
  'email',
  'phone',
  'company',
  'lead_status',
  'tags',
  'notes',
  'created',
  'lead_score',
  'birthday',
  'last_contacted',
  'next_task',
] as const satisfies ContactKey[]

export type ContactColumn = (typeof contactColumns)[number]

export const usualContactColumns: ContactColumn[] = [
  'email',
  'phone',
  'company',
  'lead_status',
  'notes',
]

type ListedContact = {
  id: string
  first_name: string | null
  last_name: string | null
  next_task: { due_date: string | null } | null
}

/** The order of the list, as the database has it. */
export function contactOrder(sort: ContactSort | OwnKey, descending: boolean, own: Fields = {}) {
  return listOrder<ListedContact>({ ...contactFields, ...own }, sort, descending, {
    name: nameKey,
    next_task: ({ next_task }) => (next_task?.due_date ? momentKey(next_task.due_date) : null),
  })
}

/** What contacts are sorted by: a first name alone keeps its space, so that it comes before longer ones. */
export function nameKey(contact: { first_name: string | null; last_name: string | null }): SortKey {
  const { first_name, last_name } = contact
  if (!first_name && !last_name) return null
  return lower(`${first_name ? `${first_name} ` : ''}${last_name ?? ''}`)
}
