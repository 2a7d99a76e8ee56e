import { contactName, phoneLink } from '#domain/contact.ts'
import { companyFields } from '#domain/fields/companies.ts'
import { contactFields } from '#domain/fields/contacts.ts'
import { entriesOf, isPostal } from '#domain/fields/entries.ts'
import { valueAt } from '#domain/fields/field.ts'
import { mailtoLink } from '#domain/mailto.ts'
import type { Mergeable, MergeField } from '#domain/merge.ts'
import {
  beyondLists,
  type MergeCompany,
  type MergeContact,
  mergeFieldsOf,
} from '#domain/merge-fields.ts'
import { shownWebsite } from '#domain/web-address.ts'

export const kinds = ['contacts', 'companies'] as const

/** The database merges at most this many records at once. */
export const mostAtOnce = 20

export type Kind = (typeof kinds)[number]

/** A record of either kind, seen through its `KindOfRecord`. */
export type MergeRecord = MergeContact | MergeCompany

/** With `href` the text is a link with a copy button. */
type Fact = { label: string; text: string | null; href?: string | null }

/** What differs between contacts and companies where they are compared and merged. */
type KindOfRecord<Row extends Mergeable> = {
  name: string
  one: string
  many: string
  fields: MergeField[]
  nameOf: (row: Row) => string
  /** What the lists of the merged record cannot hold, in words. */
  beyond: (rows: object[]) => string[]
  /** The fields that distinguish records of one name. */
  facts: (row: Row) => Fact[]
}

const contacts: KindOfRecord<MergeContact> = {
  name: 'Contacts',
  one: 'contact',
  many: 'contacts',
  fields: mergeFieldsOf(contactFields),
  nameOf: contactName,
  beyond: (rows) => beyondLists(contactFields, rows, 'the notes'),
  facts: ({ role_title, company_name, email, phone_number }) => [
    { label: 'Company', text: [company_name, role_title].filter(Boolean).join(' · ') || null },
    {
      label: 'Email',
      text: email,
      href: email && mailtoLink({ to: email, subject: '', body: '' }),
    },
    { label: 'Phone number', text: phone_number, href: phone_number && phoneLink(phone_number) },
  ],
}

const companies: KindOfRecord<MergeCompany> = {
  name: 'Companies',
  one: 'company',
  many: 'companies',
  fields: mergeFieldsOf(companyFields),
  nameOf: ({ name }) => name,
  beyond: (rows) => beyondLists(companyFields, rows, 'a note'),
  facts: ({ website, industry, location, ...lists }) => [
    { label: 'Website', text: website && shownWebsite(website) },
    { label: 'Email', text: firstIn(lists, 'emails') },
    { label: 'Phone number', text: firstIn(lists, 'phones') },
    { label: 'Industry', text: industry },
    { label: 'Location', text: location },
  ],
}

function firstIn(row: object, list: 'emails' | 'phones'): string | null {
  const [first] = entriesOf(valueAt(row, list))
  return first && !isPostal(first) ? first.value : null
}

/** How records of a kind are shown. Each is only ever given records of its own kind. */
export const kindOf: Record<Kind, KindOfRecord<MergeRecord>> = {
  // Each kind only gets its own rows, which the type cannot express.
  contacts: contacts as unknown as KindOfRecord<MergeRecord>,
  companies: companies as unknown as KindOfRecord<MergeRecord>,
}

const reasons: Record<string, string> = {
  email: 'Same email',
  link: 'Same link',
  phone: 'Same phone',
  website: 'Same website',
  name: 'Similar name',
}

export function reasonWords(reason: string): string {
  return reasons[reason] ?? reason
}

/** '3 contacts', '1 company'. */
export function countedOf(kind: Kind): [one: string, many: string] {
  return [kindOf[kind].one, kindOf[kind].many]
}
