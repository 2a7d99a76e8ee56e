import { firstLetter } from './first-letter.ts'

const leadStatusColors: Record<string, string> = {
  New: 'blue',
  Contacted: 'yellow',
  Qualified: 'green',
  'Proposal Sent': 'violet',
  Unqualified: 'gray',
}

/** The hue of a lead status' badge. */
export function leadStatusColor(status: string): string {
  return leadStatusColors[status] ?? 'gray'
}

/** Shown for a contact without a name. */
export const unnamed = 'Unnamed'

type Named = { first_name: string | null; last_name: string | null }

export function contactName({ first_name, last_name }: Named): string {
  return [first_name, last_name].filter(Boolean).join(' ') || unnamed
}

/** One or two letters for the avatar. */
export function contactInitials(contact: Named & { email?: string | null }): string {
  const letters = [contact.first_name, contact.last_name].map(firstLetter).join('')
  return letters || firstLetter(contact.email) || '?'
}

/** A phone number as a link that a phone understands, or null when it holds no digits. */
export function phoneLink(phoneNumber: string): string | null {
  const digits = phoneNumber.replace(/[^\d+]/g, '')
  return /\d/.test(digits) ? `tel:${digits}` : null
}
