import { contactName } from '#domain/contact.ts'
import type { ContactRecord } from '#features/contacts/index.ts'

/** What a new record on a contact is linked to. */
export function linkedTo(contact: ContactRecord) {
  return { id: contact.id, name: contactName(contact) }
}

/** A deal with a contact is one with the company, too. */
export function newDealLinks(contact: ContactRecord) {
  const { company_id, company_name } = contact
  return {
    contact: linkedTo(contact),
    ...(company_id ? { company: { id: company_id, name: company_name ?? '' } } : {}),
  }
}
