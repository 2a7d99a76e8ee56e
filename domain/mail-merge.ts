import { contactName } from './contact.ts'

type Recipient = {
  first_name: string | null
  last_name: string | null
  email: string | null
  role_title?: string | null
  company_name?: string | null
}

/** What can be written into a subject or body in double braces, with what it becomes. */
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

/** The text as this recipient gets it. Braces that mean nothing stay as they are. */
export function fillIn(text: string, recipient: Recipient): string {
  return text.replace(field, (whole, name: string) => {
    const value = mergeFields[name.toLowerCase()]
    return value ? value(recipient) : whole
  })
}

/** Names in double braces that are no merge field: probably misspelled. */
export function unknownFields(text: string): string[] {
  const names = [...text.matchAll(field)].map(([, name = '']) => name)
  return [...new Set(names.filter((name) => !mergeFields[name.toLowerCase()]))]
}

type Message = { to?: string; bcc?: string[]; subject: string; body: string }

/** A link that hands a message over to the user's mail program (RFC 6068). */
export function mailtoLink({ to, bcc = [], subject, body }: Message): string {
  const address = (text: string) => encodeURIComponent(text).replace(/%40/g, '@')
  const headers = [
    ...(bcc.length > 0 ? [`bcc=${bcc.map(address).join(',')}`] : []),
    ...(subject ? [`subject=${encodeURIComponent(subject)}`] : []),
    // Line breaks of a body are CRLF in a mail address.
    ...(body ? [`body=${encodeURIComponent(body.replace(/\r?\n/g, '\r\n'))}`] : []),
  ]
  return `mailto:${to ? address(to) : ''}${headers.length > 0 ? `?${headers.join('&')}` : ''}`
}

/** Mail programs cut longer links, Windows' first of all. */
export const longestLink = 1900

/**
 * One message to everyone in Bcc, in as many parts as are needed so that no address is cut off. A
 * text so long that not even one address fits beside it comes back as one part per address.
 */
export function bccParts(
  addresses: string[],
  message: { subject: string; body: string },
): string[][] {
  const parts: string[][] = []
  for (const address of addresses) {
    const current = parts.at(-1)
    const isRoom =
      current && mailtoLink({ ...message, bcc: [...current, address] }).length <= longestLink
    if (isRoom) current.push(address)
    else parts.push([address])
  }
  return parts
}
