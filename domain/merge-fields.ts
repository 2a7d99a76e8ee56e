import type { Mergeable, MergeField } from './merge.ts'

/** A contact as it is compared with others. */
export type MergeContact = Mergeable & {
  first_name: string | null
  last_name: string | null
  email: string | null
  phone_number: string | null
  role_title: string | null
  company_id: string | null
  company_name: string | null
  lead_status: string
  lead_score: number
  notes: string | null
}

/** A company as it is compared with others. */
export type MergeCompany = Mergeable & {
  name: string
  website: string | null
  industry: string | null
  location: string | null
}

/** In the order of the contact's form. */
export const contactFields: MergeField<MergeContact>[] = [
  {
    name: 'first_name',
    label: 'First name',
    shown: ({ first_name }) => first_name ?? '',
    prefers: 'fullest',
    kept: 'Other first name',
  },
  {
    name: 'last_name',
    label: 'Last name',
    shown: ({ last_name }) => last_name ?? '',
    prefers: 'fullest',
    kept: 'Other last name',
  },
  {
    name: 'email',
    label: 'Email',
    shown: ({ email }) => email ?? '',
    prefers: 'newest',
    kept: 'Other email',
  },
  {
    name: 'phone_number',
    label: 'Phone number',
    shown: ({ phone_number }) => phone_number ?? '',
    prefers: 'newest',
    kept: 'Other phone number',
  },
  {
    name: 'role_title',
    label: 'Role title',
    shown: ({ role_title }) => role_title ?? '',
    prefers: 'newest',
    kept: 'Other role title',
  },
  {
    name: 'company_id',
    label: 'Company',
    shown: ({ company_name }) => company_name ?? '',
    prefers: 'newest',
    kept: 'Other company',
  },
  {
    name: 'lead_status',
    label: 'Lead status',
    shown: ({ lead_status }) => lead_status,
    prefers: 'newest',
    usual: 'New',
    kept: 'Other lead status',
  },
  {
    name: 'lead_score',
    label: 'Lead score',
    shown: ({ lead_score }) => String(lead_score),
    prefers: 'newest',
    usual: '0',
    kept: 'Other lead score',
  },
  {
    name: 'notes',
    label: 'Notes',
    shown: ({ notes }) => notes ?? '',
    prefers: 'fullest',
    kept: 'Other notes',
  },
]

/** In the order of the company's form. */
export const companyFields: MergeField<MergeCompany>[] = [
  {
    name: 'name',
    label: 'Name',
    shown: ({ name }) => name,
    prefers: 'fullest',
    kept: 'Other name',
  },
  {
    name: 'website',
    label: 'Website',
    shown: ({ website }) => website ?? '',
    prefers: 'newest',
    kept: 'Other website',
  },
  {
    name: 'industry',
    label: 'Industry',
    shown: ({ industry }) => industry ?? '',
    prefers: 'fullest',
    kept: 'Other industry',
  },
  {
    name: 'location',
    label: 'Location',
    shown: ({ location }) => location ?? '',
    prefers: 'fullest',
    kept: 'Other location',
  },
]
