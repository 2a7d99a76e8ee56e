/** A mail to one person. */
export type MailMessage = {
  to: string
  subject: string
  text?: string
  html?: string
  /** The id of the account that it is about: it goes with the account. */
  account?: string
}

/** How the rest of the server sends mail, whatever carries it. */
export type SendMail = (message: MailMessage) => Promise<void>

/** What a carrier gets: checked, and the recipient as one address that nothing parses again. */
export type Envelope = Omit<MailMessage, 'to'> & {
  from: string
  to: { name: string; address: string }
}

/** Refuses what would smuggle in headers (line breaks) or recipients (separators, brackets). */
export function addressEnvelope(message: MailMessage, from: string): Envelope {
  if (/\p{Cc}/u.test(message.subject)) throw new Error('A mail subject must be one line')
  if (!/^[^\s\p{Cc},;:<>()[\]"\\@]+@[^\s\p{Cc},;:<>()[\]"\\@]+$/u.test(message.to)) {
    throw new Error('A mail must go to exactly one address')
  }
  return { ...message, from, to: { name: '', address: message.to } }
}
