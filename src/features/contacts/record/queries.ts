import { z } from 'zod/mini'
import { linkedDeals } from '#features/companies/index.ts'
import { callForJson } from '#lib/supabase.ts'
import { useNeighbours, useRecord } from '#lib/use-record.ts'
import type { ContactView } from '../contact-view.ts'
import { contactCard, contactList, contactPages } from '../queries.ts'

const contactRecord = z.extend(contactCard, {
  collections: z.array(z.object({ id: z.string(), name: z.string() })),
  deals: z.number(),
  linked_deals: linkedDeals,
})

export type ContactRecord = z.output<typeof contactRecord>

/** One contact with all that its page shows. */
export function useContact(id: string) {
  return useRecord(contactList, {
    id,
    read: (wanted, signal) =>
      callForJson('contact_record', { id: wanted }, z.nullable(contactRecord), signal),
    readCard: contactPages.one,
    fromList: (contact) => ({ ...contact, collections: [], deals: 0, linked_deals: [] }),
  })
}

/** The contacts before and after one in the list that a view shows. */
export function useContactNeighbours(id: string, view: ContactView) {
  return useNeighbours(contactList, 'contact_neighbours', id, view)
}
