import { created, type Fields, type KeyOf } from './field.ts'
import type { Chosen, FilterOf } from './filters.ts'
import { listOrder } from './order.ts'
import type { OwnKey } from './own.ts'

/** The fields of a company, in the order of its form. */
export const companyFields = {
  name: {
    kind: 'text',
    label: 'Name',
    labels: { form: 'Company Name', import: 'Company Name' },
    isRequired: true,
    merge: 'fullest',
    import: 'one column',
  },
  website: {
    kind: 'link',
    label: 'Website',
    merge: 'newest',
    import: 'one column',
    column: { width: 172, grow: 3 },
  },
  industry: {
    kind: 'text',
    label: 'Industry',
    merge: 'fullest',
    import: 'one column',
    filter: { by: 'any' },
    column: { width: 100, grow: 4 },
  },
  location: {
    kind: 'text',
    label: 'Location',
    merge: 'fullest',
    import: 'many columns',
    filter: { by: 'any' },
    column: { width: 100, grow: 4 },
  },
  emails: { kind: 'emails', label: 'Emails', import: 'many columns' },
  phones: { kind: 'phones', label: 'Phones', import: 'many columns' },
  addresses: { kind: 'addresses', label: 'Addresses', import: 'many columns' },
  tags: { kind: 'tags', label: 'Tags', import: 'many columns', filter: { by: 'any' } },
  created_at: created,
  contacts: {
    kind: 'number',
    label: 'Contacts',
    edit: 'never',
    sort: { first: 'desc' },
    column: { width: 92, grow: 1 },
  },
  open_deals: {
    kind: 'number',
    label: 'Open Deals',
    edit: 'never',
    sort: { first: 'desc' },
    column: { width: 104, grow: 1 },
  },
} as const satisfies Fields

export type CompanyKey = KeyOf<typeof companyFields>

/** By what the list can be sorted, in the order of its menu. */
export const companySorts = [
  'created',
  'name',
  'industry',
  'location',
  'contacts',
  'open_deals',
] as const satisfies CompanyKey[]

/** By what the list can be filtered, in the order of the popover and of the address. */
export const companyFilters = ['industry', 'location', 'tags'] as const satisfies CompanyKey[]

/** A filter of companies, as the database's functions for pages, counts and bulk writes take it. */
export type CompanyFilter = Chosen & FilterOf<typeof companyFields, (typeof companyFilters)[number]>

/** What the table can show beside the company itself. */
export const companyColumns = [
  'website',
  'industry',
  'location',
  'tags',
  'contacts',
  'open_deals',
  'emails',
  'phones',
  'addresses',
  'created',
] as const satisfies CompanyKey[]

export type CompanyColumn = (typeof companyColumns)[number]

export const usualCompanyColumns: CompanyColumn[] = [
  'website',
  'industry',
  'location',
  'contacts',
  'open_deals',
]

export type CompanySort = (typeof companySorts)[number]

/** What can be set for many companies at once, beside tags and the user's own fields. */
export const companyBulkFields = {
  industry: companyFields.industry,
  location: companyFields.location,
} as const satisfies Fields

/** The order of the list, as the database has it. */
export function companyOrder(sort: CompanySort | OwnKey, descending: boolean, own: Fields = {}) {
  return listOrder({ ...companyFields, ...own }, sort, descending)
}
