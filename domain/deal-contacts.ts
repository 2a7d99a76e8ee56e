import { z } from 'zod'
import type { PersonRow } from './deal-people.ts'
import { optionalText } from './text-fields.ts'

/** What the dialog for a contact of a deal holds. */
export const dealContactSchema = z.object({
  contact_id: z
    .string()
    .nullable()
    .refine((id) => id !== null, 'Choose a contact.'),
  role: optionalText('Role', 60),
})

/** Someone on a deal, as its form holds them: chosen or not yet. */
export type PersonInput = {
  /** Tells a row from the others while nobody is chosen in it. */
  key: string
  contact_id: string | null
  name: string
  role: string
}

/** What a write changes about who is on a deal: see `save_deal` of the database. */
export type PersonChange =
  | { contact_id: string; role: string | null }
  | { contact_id: string; is_gone: true }

/** The people in the form of a deal; null until one of them is touched. */
export const dealPeopleSchema = z.object({
  people: z
    .array(
      z
        .object({
          key: z.string(),
          contact_id: z.string().nullable(),
          name: z.string(),
          role: optionalText('Role', 60),
        })
        .refine(({ contact_id, role }) => contact_id !== null || role === null, {
          message: 'Choose a contact.',
          path: ['contact_id'],
        }),
    )
    .nullable(),
})

type People = z.output<typeof dealPeopleSchema>['people']

/** What the form of a deal changes about its people; the row of the main contact holds its role alone. */
export function peopleChanges(
  stored: PersonRow[],
  typed: People,
  main: string | null,
): PersonChange[] {
  if (!typed) return []
  const changes: PersonChange[] = []
  for (const { contact_id, role } of typed) {
    if (contact_id === null) continue
    const before = stored.find((row) => row.contact_id === contact_id)
    const isNew = !before && (contact_id !== main || role !== null)
    if (isNew || (before && before.role !== role)) changes.push({ contact_id, role })
  }
  const isLeft = ({ contact_id }: PersonRow) =>
    typed.some((person) => person.contact_id === contact_id)
  const gone = stored.filter((row) => !isLeft(row))
  return [...changes, ...gone.map(({ contact_id }) => ({ contact_id, is_gone: true }) as const)]
}
