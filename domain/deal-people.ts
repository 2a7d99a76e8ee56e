/** What people usually are to a deal; any other word may be typed. */
export const dealRoles = ['Decision maker', 'Budget holder', 'User']

type Name = { first_name: string | null; last_name: string | null; email: string | null }

/** A further contact of a deal, or the role of the main one. */
export type PersonRow = { contact_id: string; role: string | null; name: Name }

type DealWithPeople = {
  contact_id: string | null
  contact: Name | null
  people?: PersonRow[] | undefined
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
