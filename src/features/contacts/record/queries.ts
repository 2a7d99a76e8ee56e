import { useQuery } from '@tanstack/react-query'
import type { LinkedDeal } from '#features/companies/index.ts'
import { supabase } from '#lib/supabase.ts'
import { useRecord } from '#lib/use-record.ts'
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
    async read(wanted, signal): Promise<ContactRecord | null> {
      const { data, error } = await supabase()
        .rpc('contact_record', { id: wanted })
        .abortSignal(signal)
      if (error) throw error
      // What the function builds: see its migration.
      return data as unknown as ContactRecord | null
    },
    fromList: (contact) => ({ ...contact, collections: [], deals: 0, linked_deals: [] }),
  })
}

/** The contacts before and after one in the list that a view shows. */
export function useContactNeighbours(id: string, view: ContactView) {
  return useQuery({
    queryKey: [...contactList.key, 'neighbours', id, view],
    queryFn: async ({ signal }) => {
      const { data, error } = await supabase()
        .rpc('contact_neighbours', { id, ...view })
        .abortSignal(signal)
      if (error) throw error
      // As above.
      return data as unknown as { previous: string | null; next: string | null }
    },
  })
}
