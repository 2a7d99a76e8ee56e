import { type ImportKind, sureFields } from './import-headers.ts'

/** What only a deal has. */
const ofDeals = ['value', 'stage', 'expected_close_date', 'pipeline', 'lost_reason', 'closed_at']
/** What only a person has. */
const ofPeople = ['first_name', 'last_name', 'full_name', 'nickname', 'role_title']
/** What people have, and companies in other programs. */
const ofBoth = ['email', 'phone_number']

/** What every record has, or a person as well as a company. */
const ofAll = ['created_at', 'tags', 'emails', 'phones', 'addresses']

/** Whether a file of people may be one of deals: it says a value, or when something is expected. */
export function mayHaveDeals(columns: string[]): boolean {
  const deals = sureFields('deals', columns)
  return deals.has('value') || deals.has('expected_close_date')
}

/**
 * What a file holds, as its headers say; null when they do not. A row about a deal, its contact and its company is a
 * deal, because an import of deals makes the other two, and so is one about a person with a value and a stage. One about a person
 * with a company is a contact.
 */
export function recognisedKind(columns: string[]): ImportKind | null {
  const [deals, people, companies] = [
    sureFields('deals', columns),
    sureFields('contacts', columns),
    sureFields('companies', columns),
  ]
  const isPerson = ofPeople.some((field) => people.has(field))
  if (deals.has('name')) return 'deals'
  const dealt = ofDeals.filter((field) => deals.has(field)).length
  if (deals.has('value') && deals.has('stage')) return 'deals'
  // Of a person a file may say what somebody bought.
  if (dealt >= (isPerson ? 3 : 2)) return 'deals'
  if (isPerson) return 'contacts'
  const reached = ofBoth.filter((field) => people.has(field)).length
  const isCompany = ['name', 'website', 'industry'].some((field) => companies.has(field))
  for (const field of ofAll) companies.delete(field)
  if (isCompany && companies.size > reached) return 'companies'
  return reached > 0 ? 'contacts' : null
}
