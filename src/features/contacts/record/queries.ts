import type { LinkedDeal } from '#features/companies/index.ts'
import { callFunction } from '#lib/supabase.ts'
import { useNeighbours, useRecord } from '#lib/use-record.ts'
import type { ContactView } from '../contact-view.ts'
import { type Contact, contactList } from '../queries.ts'

export type ContactRecord = Contact & {
  collections: { id: string; name: string }[]
  deals: number
  linked_deals: LinkedDeal[]
}

/** One contact with all that its page shows. */
export function useContact(id: string) {
  return useRecord(contactList, {
    id,
    read: (wanted, signal): Promise<ContactRecord | null> =>
      callFunction('contact_record', { id: wanted }, signal),
    fromList: (contact) => ({ ...contact, collections: [], deals: 0, linked_deals: [] }),
  })
}

/** The contacts before and after one in the list that a view shows. */
export function useContactNeighbours(id: string, view: ContactView) {
  return useNeighbours(contactList, 'contact_neighbours', id, view)
}
