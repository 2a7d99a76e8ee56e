/** Whom a row of a file of deals tells more of than the deal can hold. */
export const sides = ['contact', 'company'] as const

export type Side = (typeof sides)[number]

/** The kind of record that each is. */
export const kindOfSide = { contact: 'contacts', company: 'companies' } as const

/** How a label begins that says whose field a column fills: 'Contact: Phone Number'. */
export const sideLabels: Record<Side, string> = { contact: 'Contact', company: 'Company' }

/** Fields that a deal names its contact and its company by, and a link between the two, which the deal makes. */
const namedByDeal: Record<Side, string[]> = {
  contact: ['first_name', 'last_name', 'full_name', 'email', 'company'],
  company: ['name'],
}

/** The name in a mapping of a field of the contact or the company of a deal. */
export function sideName(side: Side, field: string): string {
  return `${side}: ${field}`
}

/** Whose field a name in a mapping of deals is; null for one of the deal itself. */
export function sideOf(name: string | null | undefined): { side: Side; field: string } | null {
  for (const side of sides) {
    if (name?.startsWith(`${side}: `)) return { side, field: name.slice(side.length + 2) }
  }
  return null
}

/** The name of a field without whose it is. */
export function plainField(name: string | null): string | null {
  return sideOf(name)?.field ?? name
}

/** Whether a row of deals fills such a field by a column of its own, and not by one of the deal. */
export function isSideField(side: Side, field: string): boolean {
  return !namedByDeal[side].includes(field)
}

/** A field of the deal that says what a header says of its contact. */
export const dealFieldOf: Record<Side, Record<string, string>> = {
  contact: {
    first_name: 'contact_first_name',
    last_name: 'contact_last_name',
    full_name: 'contact',
    email: 'contact_email',
    company: 'company',
  },
  company: { name: 'company' },
}

const columnPrefixes: Record<Side, RegExp> = {
  contact: /^(?:person|contact|customer|client|lead)(?:\s*[-–:]\s+|\s+)/i,
  company: /^(?:organi[sz]ation|company|account)(?:\s*[-–:]\s+|\s+)/i,
}

/** A header without the word that says whose column it is: 'Phone - Work' of `Person - Phone - Work`. */
export function withoutSide(side: Side, header: string): string {
  return header.replace(columnPrefixes[side], '') || header
}

/** Whose column a header says that it is, beyond doubt: `Person - Marketing status`, `Contact: Department`. */
export function sideOfHeader(header: string): Side | null {
  if (/^(?:person|contact)(?: [-–]|:) /i.test(header)) return 'contact'
  return /^(?:organi[sz]ation|company|account)(?: [-–]|:) /i.test(header) ? 'company' : null
}
