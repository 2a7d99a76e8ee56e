import { z } from 'zod'
import { optionalText } from './text-fields.ts'

/** What people usually are to a deal; any other word may be typed. */
export const dealRoles = ['Decides', 'Pays', 'Uses']

type Name = { first_name: string | null; last_name: string | null }

/** A row of `deal_contacts`, with the name of its contact. */
export type DealContactRow = { contact_id: string; role: string | null; contacts: Name | null }

export type DealPerson = { id: string; name: Name; role: string | null; isMain: boolean }

/** Who is on a deal: the main contact first, then the further ones in their order. */
export function peopleOn(
  deal: { contact_id: string | null; contact: Name | null },
  rows: DealContactRow[],
): DealPerson[] {
  const { contact_id, contact } = deal
  const roleOf = (id: string) => rows.find((row) => row.contact_id === id)?.role ?? null
  const main =
    contact_id && contact
      ? [{ id: contact_id, name: contact, role: roleOf(contact_id), isMain: true }]
      : []
  const further = rows.flatMap(({ contact_id: id, role, contacts: name }) =>
    name && id !== contact_id ? [{ id, name, role, isMain: false }] : [],
  )
  return [...main, ...further]
}

/** What the dialog for a contact of a deal holds. */
export const dealContactSchema = z.object({
  contact_id: z
    .string()
    .nullable()
    .refine((id) => id !== null, 'Choose a contact.'),
  role: optionalText('Role', 60),
})
