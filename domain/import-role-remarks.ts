import { z } from 'zod'
import { fold } from './fold.ts'

const person = z.object({ first_name: z.string(), last_name: z.string(), email: z.string() })

/** The contacts of a deal after the first, as a row says them; the main one is among them where the row says its role. */
const people = z.array(z.object({ ...person.shape, role: z.optional(z.string()) }))

/** Who has a role on the deal that is there. */
const roled = z.array(
  z.object({
    first_name: z.nullable(z.string()),
    last_name: z.nullable(z.string()),
    emails: z.array(z.object({ value: z.string() })),
    role: z.string(),
  }),
)

type Person = z.output<typeof people>[number]
type Roled = z.output<typeof roled>[number]

/** Whom a row of deals names besides, and what becomes of the roles. */
export function furtherContacts(values: Record<string, unknown>, onDeal: unknown): string[] {
  const { data: all = [] } = people.safeParse(values.further_contacts)
  const { data: there = [] } = roled.safeParse(onDeal)
  const isMain = (named: Person) =>
    (['first_name', 'last_name', 'email'] as const).every(
      (name) => named[name] === (values[`contact_${name}`] ?? ''),
    )
  // A role that is there stays.
  const isOther = (named: Person) =>
    Boolean(named.role) &&
    there.some((known) => isSame(known, named) && !holds(known.role, named.role ?? ''))
  const further = all.filter((named) => !isMain(named) && !isOther(named))
  const others = all.filter(isOther)
  const role = all.find((named) => isMain(named) && !isOther(named))?.role
  return [
    ...(role ? [`Role of the contact: ${role}.`] : []),
    ...(further.length > 0 ? [`Further contacts: ${further.map(inWords).join(', ')}.`] : []),
    ...(others.length > 0
      ? [
          `Has another role already, so this one is kept in a note: ${others.map(inWords).join(', ')}.`,
        ]
      : []),
  ]
}

function inWords({ first_name, last_name, email, role }: Person): string {
  const name = `${first_name} ${last_name}`.trim() || email
  return role ? `${name} (${role})` : name
}

function isSame(known: Roled, { first_name, last_name, email }: Person): boolean {
  if (email !== '') {
    return known.emails.some(({ value }) => value.toLowerCase() === email.toLowerCase())
  }
  return (
    wordsIn(`${known.first_name ?? ''} ${known.last_name ?? ''}`) ===
    wordsIn(`${first_name} ${last_name}`)
  )
}

/** Whether a role says another one: `decides, pays` says `pays`. As `private.holds` of the database. */
function holds(there: string, role: string): boolean {
  return ` ${wordsIn(there)} `.includes(` ${wordsIn(role)} `)
}

function wordsIn(text: string): string {
  return (fold(text).match(/[\p{L}\p{M}\d]+/gu) ?? []).join(' ')
}
