import { z } from 'zod'
import { optionalText } from './text-fields.ts'

/** What people usually are to a deal; any other word may be typed. */
export const dealRoles = ['Decision maker', 'Budget holder', 'User']

type Name = { first_name: string | null; last_name: string | null; email: string | null }

/** A further contact of a deal, or the role of the main one. */
type Row = { contact_id: string; role: string | null; name: Name }

type DealWithPeople = {
  contact_id: string | null
  contact: Name | null
  people?: Row[] | undefined
}

export type DealPerson = { id: string; name: Name; role: string | null; isMain: boolean }

/** Who is on a deal: the main contact first, then the further ones in their order. */
export function peopleOn({ contact_id, contact, people = [] }: DealWithPeople): DealPerson[] {
  const roleOf = (id: string) => people.find((row) => row.contact_id === id)?.role ?? null
  const main =
    contact_id && contact
      ? [{ id: contact_id, name: contact, role: roleOf(contact_id), isMain: true }]
      : []
  const further = people
    .filter((row) => row.contact_id !== contact_id)
    .map(({ contact_id: id, role, name }) => ({ id, name, role, isMain: false }))
  return [...main, ...further]
}

/** The deal with this person on it; whoever was the main contact stays. See `set_deal_contact` of the database. */
export function withPerson(
  { contact_id, contact, people = [] }: DealWithPeople,
  { id, name, role }: Omit<DealPerson, 'isMain'>,
  isMain: boolean,
): DealWithPeople {
  const has = (wanted: string) => people.some((row) => row.contact_id === wanted)
  const isLeft = isMain && contact_id && contact && contact_id !== id && !has(contact_id)
  const before = isLeft ? [{ contact_id, role: null, name: contact }] : []
  const now = { contact_id: id, role, name }
  const rows = has(id)
    ? [...people.map((row) => (row.contact_id === id ? now : row)), ...before]
    : [...people, ...before, now]
  return isMain
    ? { contact_id: id, contact: name, people: rows }
    : { contact_id, contact, people: rows }
}

/** The deal without this person. */
export function withoutPerson(
  { contact_id, contact, people = [] }: DealWithPeople,
  id: string,
): DealWithPeople {
  const rows = people.filter((row) => row.contact_id !== id)
  return contact_id === id
    ? { contact_id: null, contact: null, people: rows }
    : { contact_id, contact, people: rows }
}

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
export function peopleChanges(stored: Row[], typed: People, main: string | null): PersonChange[] {
  if (!typed) return []
  const changes: PersonChange[] = []
  for (const { contact_id, role } of typed) {
    if (contact_id === null) continue
    const before = stored.find((row) => row.contact_id === contact_id)
    const isNew = !before && (contact_id !== main || role !== null)
    if (isNew || (before && before.role !== role)) changes.push({ contact_id, role })
  }
  const isLeft = ({ contact_id }: Row) => typed.some((person) => person.contact_id === contact_id)
  const gone = stored.filter((row) => !isLeft(row))
  return [...changes, ...gone.map(({ contact_id }) => ({ contact_id, is_gone: true }) as const)]
}
