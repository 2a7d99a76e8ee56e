import { unnamed } from './contact.ts'
import { fold } from './fold.ts'
import { splitName } from './full-name.ts'
import { addressesIn } from './import-emails.ts'
import { personNumber } from './import-headers.ts'
import type { ImportPlan } from './import-plan.ts'

/** Somebody whom a row of deals names; what it does not say is empty. */
type Person = { first_name: string; last_name: string; email: string }

/** The cells of the columns about one person, or about several in the order in which they stand in each cell. */
type PersonCells = Record<PersonField | 'contact_role', string[]>

const personFields = [
  'contact',
  'contact_first_name',
  'contact_last_name',
  'contact_email',
] as const

type PersonField = (typeof personFields)[number]

function isPersonField(field: string | null | undefined): field is PersonField {
  return personFields.some((name) => name === field)
}

/** A further contact of a deal; the main one is among them where the row says its role. */
export type FurtherPerson = Person & { role?: string }

/**
 * Whom a row of deals names, each once: in several cells, or several in one. A cell of our own files that says everybody names the
 * main contact only where no other column does.
 */
export function peopleIn(
  row: string[],
  plan: ImportPlan,
): { main: Person | undefined; further: FurtherPerson[]; beyond: string[] } {
  const { people: all, beyond: ofNobody } = namedIn(row, plan)
  const named = all
    .filter((person, place) => !all.slice(0, place).some((earlier) => isSame(earlier, person)))
    .map(withoutRole)
  const { people: roled, beyond: tooLong } = rolesIn(row, plan, all)
  const [main, ...others] = plan.mapping.some(isPersonField) ? named : roled.map(withoutRole)
  const further = others.map((person) => {
    const role = roled.find((other) => isSame(other, person))?.role
    return role ? { ...person, role } : person
  })
  const beyond = roled.filter(
    (person) => ![main, ...others].some((other) => other && isSame(other, person)),
  )
  const role = main && roled.find((person) => isSame(person, main))?.role
  return {
    main,
    further: [
      ...(main && role ? [{ ...main, role }] : []),
      ...further,
      ...beyond.map(({ role: theirs, ...person }) =>
        theirs ? { ...person, role: theirs } : person,
      ),
    ],
    beyond: [...ofNobody, ...tooLong],
  }
}

type RoledPerson = Person & { role: string }

const longestRole = 60

/**
 * `Ada Lovelace <ada@example.com> (decides); Bob Byron (pays; uses)`: everybody on a deal, each once, as our own files say it, and of those
 * whom other columns name who has a role. Whoever is named twice has both roles; one that is too long for that is a line for the notes.
 */
function rolesIn(
  row: string[],
  plan: ImportPlan,
  named: RoledPerson[],
): { people: RoledPerson[]; beyond: string[] } {
  const place = plan.mapping.indexOf('contact_roles')
  const parts = (row[place] ?? '').trim().match(/(?:\([^()]*\)|<[^<>]*>|[^;])+/g) ?? []
  const people: RoledPerson[] = []
  const beyond: string[] = []
  for (const person of [...parts.flatMap(roledPerson), ...named.filter(({ role }) => role)]) {
    const known = people.find((other) => isSame(other, person))
    const roles = [known?.role ?? '', person.role].filter(Boolean)
    const role = isSaid(known?.role, person.role) ? (known?.role ?? '') : roles.join(', ')
    const fits = role.length <= longestRole
    if (!fits) {
      const name = `${person.first_name} ${person.last_name}`.trim() || person.email
      beyond.push(`${headerOfRoles(plan)}: ${name} (${person.role})`)
    }
    if (!known) people.push(fits ? person : { ...person, role: '' })
    else Object.assign(known, withWords(known, person), fits ? { role } : {})
  }
  return { people, beyond }
}

function headerOfRoles({ columns, mapping }: ImportPlan): string {
  const place = mapping.findIndex((field) => field === 'contact_roles' || field === 'contact_role')
  return columns[place] || 'Contacts and Roles'
}

/** The name and the address of somebody who is named twice. */
function withWords(known: Person, { first_name, last_name, email }: Person): Person {
  const isNamed = known.first_name + known.last_name !== ''
  const name = isNamed ? known : { first_name, last_name }
  return {
    first_name: name.first_name,
    last_name: name.last_name,
    email: known.email || email,
  }
}

function roledPerson(part: string): RoledPerson[] {
  const [, before = part, role = ''] = /^(.*)\s\(([^()]+)\)\s*$/s.exec(part) ?? []
  const [, name = before, email = ''] = /^(.*?)<([^\s<>]+@[^\s<>]+)>\s*$/s.exec(before) ?? []
  const reported = name.trim() === unnamed ? '' : name.trim()
  return reported === '' && email === ''
    ? []
    : [{ ...splitName(reported), email, role: role.trim() }]
}

/** Whether a role is one of those that somebody has: `pays` of `decides, pays`. */
function isSaid(roles = '', role: string): boolean {
  return roles.split(', ').some((each) => fold(each) === fold(role))
}

function withoutRole({ role: _, ...person }: Person & { role: string }): Person {
  return person
}

/** Everybody whom the columns of contacts name, the main contact first, with the role that stands beside; and roles of nobody. */
function namedIn(row: string[], plan: ImportPlan): { people: RoledPerson[]; beyond: string[] } {
  const numbered = new Map<number, PersonCells>()
  for (const [place, field] of plan.mapping.entries()) {
    const text = (row[place] ?? '').trim()
    if (!(isPersonField(field) || field === 'contact_role') || text === '') continue
    const number = personNumber(field, plan.columns[place] ?? '')
    const cells = numbered.get(number) ?? {
      contact: [],
      contact_first_name: [],
      contact_last_name: [],
      contact_email: [],
      contact_role: [],
    }
    cells[field].push(text)
    numbered.set(number, cells)
  }
  const groups = [...numbered]
    .toSorted(([one], [other]) => one - other)
    .map(([, cells]) => withRoles(together(cells, plan.isOwn), cells.contact_role))
  return {
    people: groups.flatMap(({ people }) => people),
    beyond: groups.flatMap(({ beyond }) => beyond.map((role) => `${headerOfRoles(plan)}: ${role}`)),
  }
}

/** Gives one person the whole cell, and several as many parts of it; where these are more or fewer, nobody knows whose they are. */
function withRoles(people: Person[], cells: string[]): { people: RoledPerson[]; beyond: string[] } {
  const parts = cells.flatMap((text) => text.split(/;|\n| ::: /)).map((text) => text.trim())
  const roles = people.length === 1 ? [cells.join(', ')] : parts
  const isClear = roles.length === people.length
  return {
    people: people.map((person, nth) => ({ ...person, role: (isClear && roles[nth]) || '' })),
    beyond: isClear ? [] : cells,
  }
}

/** Puts the names and the addresses of some cells together. */
function together(cells: PersonCells, isOwn: boolean): Person[] {
  const addresses = cells.contact_email.flatMap(addressesIn)
  const [first_name = '', last_name = ''] = [
    cells.contact_first_name[0],
    cells.contact_last_name[0],
  ]
  const inParts = first_name || last_name ? [{ first_name, last_name, email: '' }] : []
  const named = cells.contact
    .flatMap((text) => text.split(/;|\n| ::: /))
    // Our own export writes this for a contact without a name.
    .filter((text) => text.trim() !== '' && !(isOwn && text.trim() === unnamed))
    .map(personIn)
    // The name in parts says it better than the one that holds them.
    .filter((person) => !inParts.some((parts) => holds(person, parts)))
  const people = [...inParts, ...named]
  for (const { email, name } of addresses) {
    const person = email.includes('@') ? { ...splitName(name), email } : personIn(email)
    const without = people.find(
      (other) => other.email === '' && (name === '' || isSame(other, { ...person, email: '' })),
    )
    if (without && person.email !== '') without.email = person.email
    else people.push(person)
  }
  return people
}

/** `Ada Lovelace`, `ada@example.com` or `Ada Lovelace (ada@example.com)`. */
function personIn(text: string): Person {
  const plain = text.replace(/mailto:/i, '')
  const [, email = ''] = /([^\s@()<>]+@[^\s@()<>]+)/.exec(plain) ?? []
  const name = plain.replace(email, '').replace(/\(\s*\)|<\s*>/, '')
  return { ...splitName(name.trim()), email }
}

function wordsOf({ first_name, last_name }: Person): string[] {
  return fold(`${first_name} ${last_name}`).match(/[\p{L}\p{M}\d]+/gu) ?? []
}

function holds(person: Person, parts: Person): boolean {
  const words = wordsOf(person)
  return words.length > 0 && wordsOf(parts).every((word) => words.includes(word))
}

/** The same address, or the same name where only one of them has an address. */
function isSame(one: Person, other: Person): boolean {
  if (one.email !== '' && other.email !== '') {
    return one.email.toLowerCase() === other.email.toLowerCase()
  }
  const [words, others] = [wordsOf(one), wordsOf(other)]
  return words.length > 0 && words.join(' ') === others.join(' ')
}
