import { companyFields } from './fields/companies.ts'
import { contactFields } from './fields/contacts.ts'
import { type Entry, withFirsts } from './fields/entries.ts'
import type { CompanyInput, ContactInput } from './fields/record-forms.ts'

/** The most entries of a list that the database compares. */
const most = 5

/** A line each; null where there are none. */
function linesOf(entries: readonly Entry[]): string | null {
  const values = entries.slice(0, most).map(({ value }) => value)
  return values.join('\n') || null
}

/** What a form says of a contact by which the database finds those that seem to be the same. */
export function comparedContact(values: ContactInput) {
  const { first_name, last_name, company_id, ...lists } = withFirsts(contactFields, values)
  return {
    first_name,
    last_name,
    company_id,
    emails: linesOf(lists.emails),
    phones: linesOf(lists.phones),
    links: linesOf(lists.links),
  }
}

/** As `comparedContact`, of a company. */
export function comparedCompany(values: CompanyInput) {
  const { name, website, emails, phones } = withFirsts(companyFields, values)
  return { name, website, emails: linesOf(emails), phones: linesOf(phones) }
}
