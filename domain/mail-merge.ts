import { contactName } from './contact.ts'
import { counted } from './counted.ts'
import { encodedAddress, type Message, mailtoLink } from './mailto.ts'

/** The fields of a contact that a message may use. */
export type Recipient = {
  first_name: string | null
  last_name: string | null
  email: string | null
  role_title?: string | null
  company_name?: string | null
}

/** The merge fields, written in double braces, with their values. */
export const mergeFields: Record<string, (recipient: Recipient) => string> = {
  first_name: (recipient) => recipient.first_name ?? '',
  last_name: (recipient) => recipient.last_name ?? '',
  full_name: (recipient) =>
    recipient.first_name || recipient.last_name ? contactName(recipient) : '',
  email: (recipient) => recipient.email ?? '',
  role_title: (recipient) => recipient.role_title ?? '',
  company: (recipient) => recipient.company_name ?? '',
}

const field = /\{\{\s*([a-z_]+)\s*\}\}/gi

/** Replaces merge fields by the recipient's values; unknown ones stay. */
export function fillIn(text: string, recipient: Recipient): string {
  return text.replace(field, (whole, name: string) => {
    return fieldNamed(name)?.(recipient) ?? whole
  })
}

/** The same in HTML: a value is text, whatever it holds, and a field may be partly bold. */
export function fillInHtml(html: string, recipient: Recipient): string {
  return html.replace(/\{\{(?:[^{}<>]|<[^<>]*>)*\}\}/g, (whole) => {
    const tags = whole.match(/<[^<>]*>/g)?.join('') ?? ''
    const bare = whole.replace(/<[^<>]*>/g, '').replaceAll('&nbsp;', ' ')
    const filled = fillIn(bare, recipient)
    return filled === bare ? whole : escapeHtml(filled) + tags
  })
}

/** A text as HTML that shows it. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

// `in` or plain indexing would find 'constructor'.
function fieldNamed(name: string) {
  const known = name.toLowerCase()
  return Object.hasOwn(mergeFields, known) ? mergeFields[known] : undefined
}

/** Names in double braces that are no merge field, probably misspelled. */
export function unknownFields(text: string): string[] {
  const names = [...text.matchAll(field)].map(([, name = '']) => name)
  return [...new Set(names.filter((name) => !fieldNamed(name)))]
}

/** The merge fields of the text that are empty for this recipient. */
export function emptyFields(text: string, recipient: Recipient): string[] {
  const names = [...text.matchAll(field)].map(([, name = '']) => name.toLowerCase())
  return [...new Set(names.filter((name) => fieldNamed(name)?.(recipient) === ''))]
}

/** 'First name' for first_name. */
export function fieldLabel(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether the text has merge fields. */
export function hasFields(text: string): boolean {
  return [...text.matchAll(field)].some(([, name = '']) => fieldNamed(name))
}

/** Mail programs cut longer links, especially on Windows. */
export const longestLink = 1900

/**
 * Splits the Bcc addresses into parts that fit into a link. With a text so long that not even one address fits, each
 * address gets a part of its own.
 */
export function bccParts(
  addresses: string[],
  message: { subject: string; body: string },
): string[][] {
  const room = longestLink - mailtoLink({ ...message, bcc: [''] }).length
  const parts: string[][] = []
  let used = 0
  for (const address of addresses) {
    const length = encodedAddress(address).length
    const current = parts.at(-1)
    if (current && used + 1 + length <= room) {
      current.push(address)
      used += 1 + length
    } else {
      parts.push([address])
      used = length
    }
  }
  return parts
}

/** The parts of a message that do not fit into a link and must be pasted. */
export type Pasted = 'nothing' | 'body' | 'subject and body'

const shortened: [Pasted, (message: Message) => Message][] = [
  ['nothing', (message) => message],
  ['body', (message) => ({ ...message, body: '' })],
  ['subject and body', (message) => ({ ...message, subject: '', body: '' })],
]

/**
 * As much of the message as fits into a link, leaving `room` characters for addresses.
 */
export function fitting(message: Message, room = 0): { message: Message; pasted: Pasted } {
  for (const [pasted, shorten] of shortened) {
    const short = shorten(message)
    if (mailtoLink(short).length + room <= longestLink) return { message: short, pasted }
  }
  return { message: { ...message, subject: '', body: '' }, pasted: 'subject and body' }
}

/** With less room for addresses, pasting the text is less work than the clicks for many parts. */
const roomForAddresses = 400

/** The parts of a Bcc message, and what the user must paste into each. */
export function bccHandOver(addresses: string[], message: { subject: string; body: string }) {
  const needed = addresses.map(encodedAddress).join(',').length + '&bcc='.length
  const { message: short, pasted } = fitting(message, Math.min(needed, roomForAddresses))
  return { pasted, parts: bccParts(addresses, short), message: short }
}

/** An address that is written to, with every contact that has it. */
export type Addressee<Contact> = { address: string; contact: Contact; ids: string[] }

/**
 * Splits contacts into those who get a message, each address once regardless of capitals, and those who do not: without
 * an address, or with one that an earlier contact has.
 */
export function addressees<Contact extends Recipient & { id: string }>(contacts: Contact[]) {
  const found = new Map<string, Addressee<Contact>>()
  const without: Contact[] = []
  const sharing: Contact[] = []
  for (const contact of contacts) {
    const address = contact.email?.trim()
    const known = address && found.get(address.toLowerCase())
    if (!address) without.push(contact)
    else if (known) {
      known.ids.push(contact.id)
      sharing.push(contact)
    } else found.set(address.toLowerCase(), { address, contact, ids: [contact.id] })
  }
  return { all: [...found.values()], without, sharing }
}

/** The first few names, and how many more: 'Ada, Bob, Unnamed and 4 others'. */
export function namesInWords(people: Recipient[], most = 5): string {
  const shown = people.length === most + 1 ? most + 1 : most
  const names = people.slice(0, shown).map(contactName)
  const rest = people.length - names.length
  return rest > 0 ? `${names.join(', ')} and ${counted(rest, 'other')}` : names.join(', ')
}
