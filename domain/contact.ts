import { z } from 'zod'
import { firstLetter } from './first-letter.ts'
import { optionalEmail, optionalText } from './text-fields.ts'

export const leadStatuses = [
  'New',
  'Contacted',
  'Qualified',
  'Proposal Sent',
  'Unqualified',
] as const

export type LeadStatus = (typeof leadStatuses)[number]

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

const largestScore = 999_999.99

/** What the contact form may hold. Nothing is required: a contact may lack every name. */
export const contactSchema = z.object({
  first_name: optionalText('First Name', 200),
  last_name: optionalText('Last Name', 200),
  email: optionalEmail('Email'),
  phone_number: optionalText('Phone Number', 50),
  role_title: optionalText('Role Title', 200),
  company_id: z.uuid().nullable(),
  lead_status: z.enum(leadStatuses),
  lead_score: z
    .union([z.number(), z.literal('').transform(() => 0)], 'Lead Score must be a number.')
    .refine(
      (score) => Math.abs(score) <= largestScore,
      'Lead Score must be between -999,999.99 and 999,999.99.',
    ),
  notes: optionalText('Notes', 50_000),
})

export type ContactInput = z.input<typeof contactSchema>

/** A form for a contact that is not there yet. */
export const newContact: ContactInput = {
  first_name: '',
  last_name: '',
  email: '',
  phone_number: '',
  role_title: '',
  company_id: null,
  lead_status: 'New',
  lead_score: 0,
  notes: '',
}

/** What somebody without a name is called on the screen. */
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
