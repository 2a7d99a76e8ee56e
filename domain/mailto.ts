export type Message = { to?: string | string[]; bcc?: string[]; subject: string; body: string }

/** A link that hands a message over to the user's mail program (RFC 6068). */
export function mailtoLink({ to, bcc = [], subject, body }: Message): string {
  const headers = [
    ...(bcc.length > 0 ? [`bcc=${bcc.map(encodedAddress).join(',')}`] : []),
    ...(subject ? [`subject=${encodeURIComponent(subject)}`] : []),
    // RFC 6068 asks for CRLF in the body.
    ...(body ? [`body=${encodeURIComponent(body.replace(/\r?\n/g, '\r\n'))}`] : []),
  ]
  const query = headers.length > 0 ? `?${headers.join('&')}` : ''
  return `mailto:${[to ?? []].flat().map(encodedAddress).join(',')}${query}`
}

/** Whose address a link is, and nothing else: a subject or a text is meant for the mail program. */
export function addressOfLink(href: string): string | null {
  const [, address = ''] = /^mailto:([^?,]+@[^?,]+)$/i.exec(href) ?? []
  try {
    return decodeURIComponent(address) || null
  } catch {
    return null
  }
}

export function encodedAddress(address: string): string {
  return encodeURIComponent(address).replace(/%40/g, '@')
}
